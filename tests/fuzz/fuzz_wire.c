/* fuzz_wire.c: any bytes as a message between the supervisor and a child: the first byte says which. */
#include <stdint.h>

#include "engine/wire.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length) {
  struct ew_arena arena;
  struct ew_wire_reader reader;
  struct ew_settings settings;
  struct ew_wire_reply reply;
  struct ew_wire_batch batch;
  struct ew_wire_outcomes outcomes;
  struct ew_statement_outcome outcome;
  if (!length) return 0;
  ew_arena_init(&arena);
  ew_wire_reader_init(&reader, (struct ew_span){(const char *)bytes + 1, length - 1}, &arena);
  switch (bytes[0] % 4) {
    case 0: ew_wire_read_settings(&reader, &settings); break;
    case 1: ew_wire_read_reply(&reader, &reply); break;
    case 2: ew_wire_read_batch(&reader, &batch); break;
    default:
      ew_wire_read_outcomes(&reader, &outcomes);
      ew_wire_read_outcome(&reader, &outcome);
      break;
  }
  bool finished = ew_wire_finish(&reader);
  (void)finished;
  ew_arena_release(&arena);
  return 0;
}
