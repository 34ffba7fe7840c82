/* run.c: failing, spending, and making values while a statement runs. */
#include "model/run.h"

#include "model/function.h"

struct ew_value ew_run_fail(struct ew_execution *run, enum ew_fault code, const char *format, ...) {
  if (run->failed) return ew_null();
  run->failed = true;
  run->error.code = code;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(run->error.text, sizeof run->error.text, format, arguments);
  va_end(arguments);
  return ew_null();
}

void ew_run_is_open_at(struct ew_execution *run, uint32_t bits, const struct ew_node *node) {
  size_t i = 0;
  run->open |= bits;
  while (i < run->site_count && run->sites[i].node != node) i++;
  if (i == EW_SITES) {
    run->unplaced |= bits;
    return;
  }
  if (i == run->site_count) run->sites[run->site_count++] = (struct ew_open_site){node, 0};
  run->sites[i].open |= bits;
}

void *ew_run_take(struct ew_execution *run, size_t count, size_t size) {
  if (count > run->bytes_max / size || count * size > run->bytes_left) {
    ew_run_fail(run, EW_FAULT_LIMIT, "a value is larger than it may be");
    return NULL;
  }
  run->bytes_left -= count * size;
  return ew_arena_take(run->arena, count * size);
}

/* How deep a value nests, at most `most` + 1. Every element looked at is a step. */
static unsigned nesting(struct ew_execution *run, struct ew_value value, unsigned most) {
  size_t count = value.kind == EW_VALUE_LIST ? value.list.count : value.kind == EW_VALUE_MAP ? value.map.count : 0;
  if (value.kind != EW_VALUE_LIST && value.kind != EW_VALUE_MAP) return 0;
  if (!most) return 1;
  unsigned deepest = 0;
  for (size_t i = 0; i < count && ew_run_spend(run, 1); i++) {
    struct ew_value item = value.kind == EW_VALUE_LIST ? value.list.items[i] : value.map.items[i].value;
    unsigned depth = nesting(run, item, most - 1);
    if (depth > deepest) deepest = depth;
  }
  return deepest + 1;
}

static bool check_nesting(struct ew_execution *run, struct ew_value value) {
  if (nesting(run, value, EW_VALUE_DEPTH) <= EW_VALUE_DEPTH) return true;
  ew_run_fail(run, EW_FAULT_LIMIT, "a value nests deeper than %d", EW_VALUE_DEPTH);
  return false;
}

struct ew_value ew_run_list(struct ew_execution *run, const struct ew_value *items, size_t count) {
  struct ew_value list = ew_list(items, count);
  return check_nesting(run, list) ? list : ew_null();
}

struct ew_value ew_run_map(struct ew_execution *run, const struct ew_item *items, size_t count) {
  struct ew_value map = ew_map_value(run->arena, items, count);
  return check_nesting(run, map) ? map : ew_null();
}

struct ew_value ew_run_string(struct ew_execution *run, struct ew_span text) {
  char *bytes = ew_run_take(run, text.length, 1);
  if (!bytes) return ew_null();
  if (text.length) memcpy(bytes, text.bytes, text.length);
  return ew_string((struct ew_span){bytes, text.length});
}

bool ew_run_live(struct ew_execution *run, struct ew_value element) {
  bool node = element.kind == EW_VALUE_NODE;
  if (!(node ? ew_node_record(element)->deleted : ew_relationship_record(element)->deleted)) return true;
  ew_run_fail(run, EW_FAULT_DELETED, "a %s that was deleted is read", node ? "node" : "relationship");
  return false;
}

/* Keys from outside the statement are not interned. */
static struct ew_value find_property(struct ew_items properties, struct ew_span key) {
  const struct ew_value *value = ew_properties_find(properties, key);
  if (!value) value = ew_items_find(properties, key);
  return value ? *value : ew_null();
}

struct ew_value ew_run_property(struct ew_execution *run, struct ew_value object, struct ew_span key) {
  struct ew_value component;
  switch (object.kind) {
    case EW_VALUE_NULL: return object;
    case EW_VALUE_NODE: return ew_run_live(run, object) ? find_property(object.node->properties, key) : ew_null();
    case EW_VALUE_RELATIONSHIP:
      return ew_run_live(run, object) ? find_property(object.relationship->properties, key) : ew_null();
    case EW_VALUE_MAP: return find_property(object.map, key);
    case EW_VALUE_POINT:
      if (ew_point_component(run, object, key, &component)) return component;
      break;
    default:
      if (ew_temporal_component(run, object, key, &component)) return component;
      break;
  }
  return ew_run_fail(run, EW_FAULT_ARGUMENT_TYPE, "%s has no property %.*s", ew_kind_text(object), EW_SPAN_ARGS(key));
}
