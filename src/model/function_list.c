/* function_list.c: lists, and what maps, strings and elements have in common with them. */
#include "base/utf8.h"
#include "model/function.h"

#define FUNCTION(suffix) \
  struct ew_value ew_function_##suffix(struct ew_execution *run, const struct ew_value *arguments, size_t count)

static bool is_list(struct ew_execution *run, struct ew_value value) {
  if (value.kind == EW_VALUE_LIST) return true;
  ew_run_fail(run, EW_FAULT_ARGUMENT_VALUE, "a list is wanted, no %s", ew_kind_text(value));
  return false;
}

/* Room for the items of a list, each of them a step. */
static struct ew_value *take_items(struct ew_execution *run, size_t count) {
  return ew_run_spend(run, count) ? ew_run_take(run, count, sizeof(struct ew_value)) : NULL;
}

/* ---- size ---- */

FUNCTION(size) {
  (void)count;
  switch (arguments[0].kind) {
    case EW_VALUE_LIST: return ew_integer((int64_t)arguments[0].list.count);
    case EW_VALUE_STRING: return ew_integer((int64_t)ew_utf8_count(arguments[0].string));
    default: return ew_run_fail(run, EW_FAULT_ARGUMENT_VALUE, "size() of a %s", ew_kind_text(arguments[0]));
  }
}

FUNCTION(is_empty) {
  (void)count;
  switch (arguments[0].kind) {
    case EW_VALUE_LIST: return ew_boolean(!arguments[0].list.count);
    case EW_VALUE_MAP: return ew_boolean(!arguments[0].map.count);
    case EW_VALUE_STRING: return ew_boolean(!arguments[0].string.length);
    default: return ew_run_fail(run, EW_FAULT_ARGUMENT_VALUE, "isEmpty() of a %s", ew_kind_text(arguments[0]));
  }
}

/* ---- ends ---- */

FUNCTION(head) {
  (void)count;
  if (!is_list(run, arguments[0])) return ew_null();
  return arguments[0].list.count ? arguments[0].list.items[0] : ew_null();
}

FUNCTION(last) {
  (void)count;
  if (!is_list(run, arguments[0])) return ew_null();
  return arguments[0].list.count ? arguments[0].list.items[arguments[0].list.count - 1] : ew_null();
}

FUNCTION(tail) {
  (void)count;
  if (!is_list(run, arguments[0])) return ew_null();
  struct ew_values list = arguments[0].list;
  return list.count ? ew_list(list.items + 1, list.count - 1) : arguments[0];
}

FUNCTION(reverse) {
  (void)count;
  if (arguments[0].kind == EW_VALUE_STRING) return ew_string_reverse(run, arguments[0].string);
  if (!is_list(run, arguments[0])) return ew_null();
  struct ew_values list = arguments[0].list;
  struct ew_value *items = take_items(run, list.count);
  if (!items) return ew_null();
  for (size_t i = 0; i < list.count; i++) items[i] = list.items[list.count - 1 - i];
  return ew_list(items, list.count);
}

/* ---- range ---- */

FUNCTION(range) {
  for (size_t i = 0; i < count; i++)
    if (arguments[i].kind != EW_VALUE_INTEGER)
      return ew_run_fail(run, EW_FAULT_ARGUMENT, "range() takes integers, no %s", ew_kind_text(arguments[i]));
  int64_t start = arguments[0].integer, end = arguments[1].integer, step = count > 2 ? arguments[2].integer : 1;
  if (!step) return ew_run_fail(run, EW_FAULT_NUMBER_RANGE, "range() in steps of 0");
  if (step > 0 ? start > end : start < end) return ew_list(NULL, 0);
  uint64_t way = step > 0 ? (uint64_t)end - (uint64_t)start : (uint64_t)start - (uint64_t)end;
  uint64_t size = step > 0 ? (uint64_t)step : 0 - (uint64_t)step, steps = way / size;
  struct ew_value *items = steps < SIZE_MAX / 2 ? take_items(run, (size_t)steps + 1) : NULL;
  if (!items) return ew_run_fail(run, EW_FAULT_LIMIT, "a list is longer than it may be");
  for (uint64_t i = 0; i <= steps; i++) items[i] = ew_integer((int64_t)((uint64_t)start + i * (uint64_t)step));
  return ew_list(items, (size_t)steps + 1);
}

/* ---- keys and values ---- */

static bool items_of(struct ew_execution *run, struct ew_value value, struct ew_items *items) {
  bool element = value.kind == EW_VALUE_NODE || value.kind == EW_VALUE_RELATIONSHIP;
  if (element && !ew_run_live(run, value)) return false;
  switch (value.kind) {
    case EW_VALUE_NODE: *items = value.node->properties; return true;
    case EW_VALUE_RELATIONSHIP: *items = value.relationship->properties; return true;
    case EW_VALUE_MAP: *items = value.map; return true;
    default: ew_run_fail(run, EW_FAULT_ARGUMENT_VALUE, "a %s has no keys", ew_kind_text(value)); return false;
  }
}

static struct ew_value list_items(struct ew_execution *run, struct ew_value of, bool keys) {
  struct ew_items map;
  if (!items_of(run, of, &map)) return ew_null();
  if (map.count > 1) ew_run_is_open(run, EW_OPEN_ELEMENT_ORDER);
  struct ew_value *items = take_items(run, map.count);
  if (!items) return ew_null();
  for (size_t i = 0; i < map.count; i++) items[i] = keys ? ew_string(map.items[i].key) : map.items[i].value;
  return ew_run_list(run, items, map.count);
}

FUNCTION(keys) {
  (void)count;
  return list_items(run, arguments[0], true);
}

FUNCTION(values) {
  (void)count;
  return list_items(run, arguments[0], false);
}

/* A node's properties are sorted by key, as a map's are: the map shares them. */
FUNCTION(properties) {
  (void)count;
  struct ew_items map;
  if (!items_of(run, arguments[0], &map)) return ew_null();
  return (struct ew_value){.kind = EW_VALUE_MAP, .map = map};
}

/* ---- of FalkorDB (list.…), Memgraph (toSet) and Neo4j (coll.…) ---- */

/* Each value once, where it first stands. */
FUNCTION(list_distinct) {
  (void)count;
  if (!is_list(run, arguments[0])) return ew_null();
  struct ew_values list = arguments[0].list;
  struct ew_value *items = take_items(run, list.count);
  if (!items) return ew_null();
  size_t kept = 0;
  for (size_t i = 0; i < list.count; i++) {
    size_t at = 0;
    while (at < kept && ew_run_spend(run, 1) && !ew_value_equivalent(items[at], list.items[i], run->semantics)) at++;
    if (run->failed) return ew_null();
    if (at == kept) items[kept++] = list.items[i];
  }
  return ew_list(items, kept);
}

/* Two sorted runs side by side, `from` start to middle and middle to end, become one; equal values keep their order. */
static void merge(struct ew_execution *run, const struct ew_value *from, struct ew_value *to, size_t start,
                  size_t middle, size_t end) {
  size_t left = start, right = middle;
  for (size_t i = start; i < end && ew_run_spend(run, 1); i++) {
    bool from_left = left < middle && (right >= end || ew_value_order(from[left], from[right], run->semantics) <= 0);
    to[i] = from_left ? from[left++] : from[right++];
  }
}

/* In the order of ORDER BY; downwards where the second argument is false. */
FUNCTION(list_sort) {
  if (!is_list(run, arguments[0])) return ew_null();
  if (count > 1 && arguments[1].kind != EW_VALUE_BOOLEAN)
    return ew_run_fail(run, EW_FAULT_ARGUMENT_VALUE, "a list is sorted upwards or not");
  size_t length = arguments[0].list.count;
  struct ew_value *from = take_items(run, length), *to = from ? take_items(run, length) : NULL;
  if (!to) return ew_null();
  if (length) memcpy(from, arguments[0].list.items, length * sizeof *from);
  for (size_t width = 1; width < length; width *= 2) {
    for (size_t start = 0; start < length; start += 2 * width) {
      size_t middle = start + width < length ? start + width : length;
      merge(run, from, to, start, middle, start + 2 * width < length ? start + 2 * width : length);
    }
    struct ew_value *swap = from;
    from = to;
    to = swap;
  }
  if (run->failed) return ew_null();
  if (count < 2 || arguments[1].boolean) return ew_list(from, length);
  for (size_t i = 0; i < length; i++) to[i] = from[length - 1 - i];
  return ew_list(to, length);
}

/* The greatest (sign 1) or least (-1) value that is not null; Neo4j's own functions, and it gives null where one is. */
static struct ew_value extreme(struct ew_execution *run, struct ew_value list, int sign) {
  if (!is_list(run, list)) return ew_null();
  struct ew_value best = ew_null();
  for (size_t i = 0; i < list.list.count && ew_run_spend(run, 1); i++) {
    struct ew_value item = list.list.items[i];
    if (item.kind == EW_VALUE_NULL) {
      ew_run_is_open(run, EW_OPEN_UNDEFINED);
      continue;
    }
    if (best.kind == EW_VALUE_NULL || ew_value_order(item, best, run->semantics) * sign > 0) best = item;
  }
  return best;
}

FUNCTION(list_max) {
  (void)count;
  return extreme(run, arguments[0], 1);
}

FUNCTION(list_min) {
  (void)count;
  return extreme(run, arguments[0], -1);
}

/* The first place of a value, from 0; -1 where it is nowhere. */
FUNCTION(list_index) {
  (void)count;
  if (!is_list(run, arguments[0])) return ew_null();
  for (size_t i = 0; i < arguments[0].list.count && ew_run_spend(run, 1); i++)
    if (ew_value_equivalent(arguments[0].list.items[i], arguments[1], run->semantics)) return ew_integer((int64_t)i);
  return ew_integer(-1);
}

/* One level of lists within the list becomes its items. */
FUNCTION(list_flatten) {
  (void)count;
  if (!is_list(run, arguments[0])) return ew_null();
  struct ew_values list = arguments[0].list;
  size_t total = 0, at = 0;
  for (size_t i = 0; i < list.count; i++) total += list.items[i].kind == EW_VALUE_LIST ? list.items[i].list.count : 1;
  struct ew_value *items = take_items(run, total);
  if (!items) return ew_null();
  for (size_t i = 0; i < list.count; i++) {
    struct ew_values inner =
        list.items[i].kind == EW_VALUE_LIST ? list.items[i].list : (struct ew_values){&list.items[i], 1};
    for (size_t j = 0; j < inner.count; j++) items[at++] = inner.items[j];
  }
  return ew_list(items, total);
}
