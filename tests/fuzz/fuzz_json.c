/* fuzz_json.c: any bytes as JSON; what is read is also tried as a tree. */
#include <stdint.h>

#include "lang/cypher/node.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length) {
  struct ew_arena arena;
  const struct ew_json *json;
  const struct ew_node *tree;
  struct ew_error error;
  ew_arena_init(&arena);
  if (ew_json_read(&arena, (struct ew_span){(const char *)bytes, length}, (struct ew_json_options){0}, &json, &error) ==
          EW_OK &&
      ew_tree_read_json(&arena, &cypher_table, json, &tree, &error) == EW_OK)
    ew_tree_hash(tree);
  ew_arena_release(&arena);
  return 0;
}
