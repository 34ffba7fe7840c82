/* value.c: making, finding in and copying values. */
#include "value/value.h"

#include <stdlib.h>

const char *ew_value_kind_name(enum ew_value_kind kind) {
  static const char *const names[] = {
#define VALUE(name, text) [EW_VALUE_##name] = text,
#include "value/value.def"
#undef VALUE
  };
  return names[kind];
}

const char *ew_value_constructor(enum ew_value_kind kind) {
  switch (kind) {
    case EW_VALUE_DATETIME: return "datetime";
    case EW_VALUE_LOCAL_DATETIME: return "localdatetime";
    case EW_VALUE_DATE: return "date";
    case EW_VALUE_TIME: return "time";
    case EW_VALUE_LOCAL_TIME: return "localtime";
    case EW_VALUE_DURATION: return "duration";
    default: return NULL;
  }
}

/* Of two with one key the earlier comes first: both point into one array. */
static int compare_places(const void *a, const void *b) {
  const struct ew_item *left = *(const struct ew_item *const *)a, *right = *(const struct ew_item *const *)b;
  int order = ew_span_compare(left->key, right->key);
  return order ? order : left < right ? -1 : left > right;
}

static bool strictly_sorted(const struct ew_item *items, size_t count) {
  for (size_t i = 1; i < count; i++)
    if (ew_span_compare(items[i - 1].key, items[i].key) >= 0) return false;
  return true;
}

struct ew_value ew_map_value(struct ew_arena *arena, const struct ew_item *items, size_t count) {
  struct ew_value map = {.kind = EW_VALUE_MAP};
  if (!count) return map;
  struct ew_item *sorted = ew_arena_take(arena, ew_array_size(count, sizeof *sorted));
  map.map = (struct ew_items){sorted, count};
  if (strictly_sorted(items, count)) {
    memcpy(sorted, items, count * sizeof *sorted);
    return map;
  }
  const struct ew_item **places = ew_arena_take(arena, ew_array_size(count, sizeof *places));
  for (size_t i = 0; i < count; i++) places[i] = &items[i];
  qsort(places, count, sizeof *places, compare_places);
  size_t kept = 0;
  for (size_t i = 0; i < count; i++) {
    bool again = kept && ew_span_equal(sorted[kept - 1].key, places[i]->key);
    sorted[again ? kept - 1 : kept++] = *places[i];
  }
  map.map.count = kept;
  return map;
}

const struct ew_value *ew_items_find(struct ew_items items, struct ew_span key) {
  size_t low = 0, high = items.count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    int order = ew_span_compare(items.items[middle].key, key);
    if (order == 0) return &items.items[middle].value;
    if (order < 0) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return NULL;
}

/* ---- copying ---- */

static struct ew_values copy_values(struct ew_arena *arena, struct ew_values values) {
  if (!values.count) return (struct ew_values){NULL, 0};
  struct ew_value *items = ew_arena_take(arena, ew_array_size(values.count, sizeof *items));
  for (size_t i = 0; i < values.count; i++) items[i] = ew_value_copy(arena, values.items[i]);
  return (struct ew_values){items, values.count};
}

static struct ew_items copy_items(struct ew_arena *arena, struct ew_items map) {
  if (!map.count) return (struct ew_items){NULL, 0};
  struct ew_item *items = ew_arena_take(arena, ew_array_size(map.count, sizeof *items));
  for (size_t i = 0; i < map.count; i++)
    items[i] = (struct ew_item){ew_arena_copy(arena, map.items[i].key), ew_value_copy(arena, map.items[i].value)};
  return (struct ew_items){items, map.count};
}

static const struct ew_node_value *copy_node(struct ew_arena *arena, const struct ew_node_value *node) {
  struct ew_node_value *copy = EW_NEW(arena, struct ew_node_value);
  *copy = (struct ew_node_value){.id = node->id, .label_count = node->label_count};
  if (node->label_count) {
    struct ew_span *labels = EW_NEW_ARRAY(arena, struct ew_span, node->label_count);
    for (size_t i = 0; i < node->label_count; i++) labels[i] = ew_arena_copy(arena, node->labels[i]);
    copy->labels = labels;
  }
  copy->properties = copy_items(arena, node->properties);
  return copy;
}

static const struct ew_relationship_value *copy_relationship(struct ew_arena *arena,
                                                             const struct ew_relationship_value *relationship) {
  struct ew_relationship_value *copy = EW_NEW(arena, struct ew_relationship_value);
  *copy = *relationship;
  copy->type = ew_arena_copy(arena, relationship->type);
  copy->properties = copy_items(arena, relationship->properties);
  return copy;
}

static const struct ew_path_value *copy_path(struct ew_arena *arena, const struct ew_path_value *path) {
  struct ew_path_value *copy = EW_NEW(arena, struct ew_path_value);
  copy->nodes = copy_values(arena, path->nodes);
  copy->relationships = copy_values(arena, path->relationships);
  return copy;
}

static const struct ew_datetime_value *copy_datetime(struct ew_arena *arena, const struct ew_datetime_value *datetime) {
  struct ew_datetime_value *copy = EW_NEW(arena, struct ew_datetime_value);
  *copy = *datetime;
  copy->zone = ew_arena_copy(arena, datetime->zone);
  return copy;
}

struct ew_value ew_value_copy(struct ew_arena *arena, struct ew_value value) {
  switch (value.kind) {
    case EW_VALUE_STRING: value.string = ew_arena_copy(arena, value.string); break;
    case EW_VALUE_LIST: value.list = copy_values(arena, value.list); break;
    case EW_VALUE_MAP: value.map = copy_items(arena, value.map); break;
    case EW_VALUE_NODE: value.node = copy_node(arena, value.node); break;
    case EW_VALUE_RELATIONSHIP: value.relationship = copy_relationship(arena, value.relationship); break;
    case EW_VALUE_PATH: value.path = copy_path(arena, value.path); break;
    case EW_VALUE_DATETIME: value.datetime = copy_datetime(arena, value.datetime); break;
    case EW_VALUE_DURATION: {
      struct ew_duration_value *copy = EW_NEW(arena, struct ew_duration_value);
      *copy = *value.duration;
      value.duration = copy;
      break;
    }
    case EW_VALUE_POINT: {
      struct ew_point_value *copy = EW_NEW(arena, struct ew_point_value);
      *copy = *value.point;
      value.point = copy;
      break;
    }
    default: break; /* the rest points to nothing */
  }
  return value;
}
