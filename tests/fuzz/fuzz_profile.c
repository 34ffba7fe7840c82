/* fuzz_profile.c: any bytes as a profile: read or refused with a reason, and checked against Cypher. */
#include <stdint.h>

#include "lang/cypher/dialect.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length) {
  struct ew_profile profile;
  struct ew_error error = {""};
  struct ew_span reason;
  enum ew_status status = ew_profile_parse(&profile, "fuzz.ini", (struct ew_span){(const char *)bytes, length}, &error);
  if (status && !error.text[0]) EW_BUG("refused without a reason");
  if (!status) {
    error.text[0] = '\0';
    if (ew_cypher_check_profile(&profile, &error) && !error.text[0]) EW_BUG("refused without a reason");
    ew_profile_classify(&profile, EW_SPAN("SyntaxError: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"), &reason);
  }
  ew_profile_release(&profile);
  return 0;
}
