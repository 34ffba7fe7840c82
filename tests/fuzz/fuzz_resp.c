/* fuzz_resp.c: any bytes as what a Redis server with FalkorDB sends: replies, and each as the answer of a query. */
#include <stdint.h>

#include "engine/resp_reply.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length) {
  static const struct ew_span items[] = {{"a", 1}, {"b", 1}, {"c", 1}};
  static const struct ew_resp_names names = {{items, 3}, {items, 2}, {items, 3}};
  struct ew_stream stream = {.socket = -1};
  struct ew_arena arena;
  const struct ew_resp *reply;
  ew_arena_init(&arena);
  ew_text_add_bytes(&stream.in, (const char *)bytes, length);
  ew_stream_allow(&stream, EW_DEADLINE_NEVER, 1 << 20);
  while ((reply = ew_resp_read(&stream, &arena))) {
    struct ew_statement_outcome outcome;
    struct ew_names found;
    struct ew_text text = {0};
    struct ew_json_writer writer;
    ew_resp_read_answer(reply, &names, &arena, &outcome);
    ew_resp_read_names(reply, &arena, &found);
    ew_json_writer_init(&writer, &text, 0);
    ew_outcome_write_json(&writer, &(struct ew_outcome){&outcome, 1});
    ew_text_release(&text);
  }
  ew_stream_release(&stream);
  ew_arena_release(&arena);
  return 0;
}
