/* tck_match.c: whether a result's value is what the TCK states. Numbers are compared exactly, 1 and 1.0 are two values, elements
   are compared by what they show, and a temporal value by the text that stands for it. */
#include <math.h>

#include "cli/tck_value.h"

static bool same_number(double stated, double actual) { return stated == actual || (isnan(stated) && isnan(actual)); }

static bool same_items(struct ew_items stated, struct ew_items actual, bool any_list_order) {
  if (stated.count != actual.count) return false;
  for (size_t i = 0; i < stated.count; i++) {
    const struct ew_value *found = ew_items_find(actual, stated.items[i].key);
    if (!found || !ew_tck_value_matches(stated.items[i].value, *found, any_list_order)) return false;
  }
  return true;
}

/* Matching is an equivalence on what values show, so the first free partner is as good as any. */
static bool same_bag(struct ew_values stated, struct ew_values actual) {
  struct ew_arena arena;
  bool same = true;
  ew_arena_init(&arena);
  bool *used = EW_NEW_ARRAY(&arena, bool, actual.count + 1);
  for (size_t i = 0; same && i < stated.count; i++) {
    size_t j = 0;
    while (j < actual.count && (used[j] || !ew_tck_value_matches(stated.items[i], actual.items[j], true))) j++;
    same = j < actual.count;
    used[j] = true;
  }
  ew_arena_release(&arena);
  return same;
}

static bool same_list(struct ew_values stated, struct ew_values actual, bool any_list_order) {
  if (stated.count != actual.count) return false;
  if (any_list_order) return same_bag(stated, actual);
  for (size_t i = 0; i < stated.count; i++)
    if (!ew_tck_value_matches(stated.items[i], actual.items[i], false)) return false;
  return true;
}

static bool same_node(const struct ew_node_value *stated, const struct ew_node_value *actual, bool any_list_order) {
  if (stated->label_count != actual->label_count) return false;
  for (size_t i = 0; i < stated->label_count; i++) {
    size_t j = 0;
    while (j < actual->label_count && !ew_span_equal(stated->labels[i], actual->labels[j])) j++;
    if (j == actual->label_count) return false;
  }
  return same_items(stated->properties, actual->properties, any_list_order);
}

static bool same_relationship(const struct ew_relationship_value *stated, const struct ew_relationship_value *actual,
                              bool any_list_order) {
  return ew_span_equal(stated->type, actual->type) &&
         same_items(stated->properties, actual->properties, any_list_order);
}

/* Node `i` of a stated path has the id `i`. */
static bool same_path(const struct ew_path_value *stated, const struct ew_path_value *actual, bool any_list_order) {
  if (stated->nodes.count != actual->nodes.count) return false;
  for (size_t i = 0; i < stated->nodes.count; i++)
    if (!same_node(stated->nodes.items[i].node, actual->nodes.items[i].node, any_list_order)) return false;
  for (size_t i = 0; i < stated->relationships.count; i++) {
    const struct ew_relationship_value *want = stated->relationships.items[i].relationship;
    const struct ew_relationship_value *have = actual->relationships.items[i].relationship;
    int64_t start = actual->nodes.items[want->start].node->id, end = actual->nodes.items[want->end].node->id;
    if (have->start != start || have->end != end || !same_relationship(want, have, any_list_order)) return false;
  }
  return true;
}

/* A text is read as the kind of value at hand; what both print as is then compared. */
static bool same_temporal(struct ew_span stated, struct ew_value actual) {
  struct ew_text want = {0}, have = {0};
  struct ew_arena arena;
  struct ew_value value;
  ew_arena_init(&arena);
  ew_value_print_iso(&have, actual);
  bool same = ew_span_equal(stated, ew_text_span(&have));
  if (!same && ew_value_read_iso(&arena, actual.kind, stated, &value)) {
    ew_value_print_iso(&want, value);
    same = ew_span_equal(ew_text_span(&want), ew_text_span(&have));
  }
  ew_arena_release(&arena);
  ew_text_release(&want);
  ew_text_release(&have);
  return same;
}

bool ew_tck_value_matches(struct ew_value stated, struct ew_value actual, bool any_list_order) {
  if (stated.kind == EW_VALUE_STRING && ew_value_constructor(actual.kind)) return same_temporal(stated.string, actual);
  if (stated.kind != actual.kind) return false;
  switch (stated.kind) {
    case EW_VALUE_NULL: return true;
    case EW_VALUE_BOOLEAN: return stated.boolean == actual.boolean;
    case EW_VALUE_INTEGER: return stated.integer == actual.integer;
    case EW_VALUE_FLOAT: return same_number(stated.number, actual.number);
    case EW_VALUE_STRING: return ew_span_equal(stated.string, actual.string);
    case EW_VALUE_LIST: return same_list(stated.list, actual.list, any_list_order);
    case EW_VALUE_MAP: return same_items(stated.map, actual.map, any_list_order);
    case EW_VALUE_NODE: return same_node(stated.node, actual.node, any_list_order);
    case EW_VALUE_RELATIONSHIP: return same_relationship(stated.relationship, actual.relationship, any_list_order);
    case EW_VALUE_PATH: return same_path(stated.path, actual.path, any_list_order);
    default: return false; /* nothing else can be stated */
  }
}
