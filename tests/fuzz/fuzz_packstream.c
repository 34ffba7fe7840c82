/* fuzz_packstream.c: any bytes as a value from a Bolt server; what is read must be written and read again the same. */
#include <stdint.h>
#include <stdlib.h>

#include "engine/packstream.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length) {
  static const struct ew_packstream_form form = {true, true};
  struct ew_arena arena;
  struct ew_packstream_reader reader;
  struct ew_text first = {0}, second = {0};
  ew_arena_init(&arena);
  ew_packstream_reader_init(&reader, (struct ew_span){(const char *)bytes, length}, &arena);
  struct ew_value value = ew_packstream_read(&reader);
  if (ew_packstream_finish(&reader)) {
    ew_packstream_write(&first, value, form);
    ew_packstream_reader_init(&reader, ew_text_span(&first), &arena);
    ew_packstream_write(&second, ew_packstream_read(&reader), form);
    if (!ew_packstream_finish(&reader) || !ew_span_equal(ew_text_span(&first), ew_text_span(&second))) abort();
  }
  ew_text_release(&first);
  ew_text_release(&second);
  ew_arena_release(&arena);
  return 0;
}
