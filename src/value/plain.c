/* plain.c: elements without their ids. */
#include "value/plain.h"

#include <stdlib.h>

static struct ew_value plain_map(struct ew_arena *arena, struct ew_items map) {
  struct ew_item *items = EW_NEW_ARRAY(arena, struct ew_item, map.count);
  for (size_t i = 0; i < map.count; i++)
    items[i] = (struct ew_item){map.items[i].key, ew_value_plain(arena, map.items[i].value)};
  return ew_map_value(arena, items, map.count);
}

static struct ew_value plain_list(struct ew_arena *arena, struct ew_values list) {
  struct ew_value *items = EW_NEW_ARRAY(arena, struct ew_value, list.count);
  for (size_t i = 0; i < list.count; i++) items[i] = ew_value_plain(arena, list.items[i]);
  return ew_list(items, list.count);
}

static int by_name(const void *a, const void *b) {
  return ew_span_compare(((const struct ew_value *)a)->string, ((const struct ew_value *)b)->string);
}

static struct ew_value plain_element(struct ew_arena *arena, const char *what, const struct ew_span *names,
                                     size_t count, struct ew_items properties) {
  struct ew_value *labels = EW_NEW_ARRAY(arena, struct ew_value, count);
  for (size_t i = 0; i < count; i++) labels[i] = ew_string(names[i]);
  if (count > 1) qsort(labels, count, sizeof *labels, by_name);
  struct ew_item items[] = {{ew_span_of(what), ew_list(labels, count)},
                            {EW_SPAN("properties"), plain_map(arena, properties)}};
  return ew_map_value(arena, items, EW_COUNT(items));
}

struct ew_value ew_value_plain(struct ew_arena *arena, struct ew_value value) {
  switch (value.kind) {
    case EW_VALUE_LIST: return plain_list(arena, value.list);
    case EW_VALUE_MAP: return plain_map(arena, value.map);
    case EW_VALUE_NODE:
      return plain_element(arena, "labels", value.node->labels, value.node->label_count, value.node->properties);
    case EW_VALUE_RELATIONSHIP:
      return plain_element(arena, "type", &value.relationship->type, 1, value.relationship->properties);
    case EW_VALUE_PATH: {
      struct ew_value *parts = EW_NEW_ARRAY(arena, struct ew_value, 2);
      parts[0] = plain_list(arena, value.path->nodes);
      parts[1] = plain_list(arena, value.path->relationships);
      return ew_list(parts, 2);
    }
    default: return value;
  }
}

struct ew_rows ew_rows_plain(struct ew_arena *arena, const struct ew_rows *rows) {
  struct ew_value *values = EW_NEW_ARRAY(arena, struct ew_value, rows->row_count * rows->column_count);
  for (size_t i = 0; i < rows->row_count * rows->column_count; i++) values[i] = ew_value_plain(arena, rows->values[i]);
  return (struct ew_rows){rows->columns, rows->column_count, values, rows->row_count};
}
