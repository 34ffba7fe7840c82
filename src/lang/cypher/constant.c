/* constant.c: values as expressions and back. */
#include "lang/cypher/constant.h"

const struct ew_node *ew_cypher_constant(struct ew_builder *builder, struct ew_value value) {
  if (value.kind == EW_VALUE_LIST) {
    size_t count = value.list.count;
    const struct ew_node **items = ew_arena_take(builder->arena, ew_array_size(count, sizeof *items));
    for (size_t i = 0; i < count; i++) items[i] = ew_cypher_constant(builder, value.list.items[i]);
    return CYPHER(builder, list, .items.list = {items, count});
  }
  if (value.kind == EW_VALUE_MAP) {
    size_t count = value.map.count;
    const struct ew_node **entries = ew_arena_take(builder->arena, ew_array_size(count, sizeof *entries));
    for (size_t i = 0; i < count; i++)
      entries[i] = CYPHER(builder, entry, .key.name = value.map.items[i].key,
                          .value.node = ew_cypher_constant(builder, value.map.items[i].value));
    return CYPHER(builder, map, .entries.list = {entries, count});
  }
  return CYPHER(builder, literal, .value.value = ew_literal_of(builder, value));
}

static bool read_list(struct ew_arena *arena, struct ew_list list, struct ew_value *value) {
  struct ew_value *items = ew_arena_take(arena, ew_array_size(list.count, sizeof *items));
  for (size_t i = 0; i < list.count; i++)
    if (!ew_cypher_constant_read(arena, list.items[i], &items[i])) return false;
  *value = ew_list(items, list.count);
  return true;
}

static bool read_map(struct ew_arena *arena, struct ew_list entries, struct ew_value *value) {
  struct ew_item *items = ew_arena_take(arena, ew_array_size(entries.count, sizeof *items));
  for (size_t i = 0; i < entries.count; i++) {
    const struct cypher_entry *entry = CYPHER_AS(entry, entries.items[i]);
    items[i].key = entry->key.name;
    if (!ew_cypher_constant_read(arena, entry->value.node, &items[i].value)) return false;
  }
  *value = ew_map_value(arena, items, entries.count);
  return true;
}

bool ew_cypher_constant_read(struct ew_arena *arena, const struct ew_node *node, struct ew_value *value) {
  if (cypher_is(node, CYPHER_list)) return read_list(arena, CYPHER_AS(list, node)->items.list, value);
  if (cypher_is(node, CYPHER_map)) return read_map(arena, CYPHER_AS(map, node)->entries.list, value);
  if (!cypher_is(node, CYPHER_literal)) return false;
  *value = *CYPHER_AS(literal, node)->value.value;
  return true;
}
