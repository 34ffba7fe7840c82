/* planted_pattern.c: patterns and MATCH that are wrong. */
#include <stdlib.h>

#include "model/planted.h"

/* ---- conditions ---- */

static struct ew_value aborts(struct ew_execution *run, const struct ew_code *code) {
  (void)run;
  (void)code;
  abort();
}

void ew_plant_node_condition(struct ew_compiler *compiler, struct ew_condition *condition) {
  if (!ew_planted(compiler->model, EW_PLANT_case_without_else_in_property_map_aborts)) return;
  if (compiler->clause >= compiler->clauses.count ||
      !cypher_is(compiler->clauses.items[compiler->clause], CYPHER_match))
    return;
  const struct ew_code **values = (const struct ew_code **)(uintptr_t)condition->values;
  for (size_t i = 0; i < condition->count; i++)
    if (cypher_is(values[i]->node, CYPHER_case) && !CYPHER_AS(case, values[i]->node)->otherwise.node)
      values[i] = ew_plant_otherwise(compiler, values[i], ew_code_new(compiler, aborts, values[i]->node, NULL, 0));
}

bool ew_plant_null_parameter(struct ew_execution *run, struct ew_items properties, struct ew_span key,
                             const struct ew_code *value) {
  if (!ew_planted(run->model, EW_PLANT_null_parameter_in_property_map_matches_missing_property)) return false;
  return cypher_is(value->node, CYPHER_parameter) && ew_evaluate(run, value).kind == EW_VALUE_NULL &&
         !ew_properties_find(properties, key);
}

/* ---- one relationship once ---- */

static const struct ew_node *types_of(const struct ew_relationship_element *element) {
  return cypher_is(element->node, CYPHER_relationship_pattern)
             ? CYPHER_AS(relationship_pattern, element->node)->types.node
             : NULL;
}

static bool same_types(const struct ew_node *a, const struct ew_node *b) {
  return a && b ? ew_tree_equal(a, b) : a == b;
}

bool ew_plant_shares(const struct ew_model *model, const struct ew_relationship_element *a,
                     const struct ew_relationship_element *b) {
  if (a == b || a->group || b->group) return false;
  if (ew_planted(model, EW_PLANT_relationship_uniqueness_skipped_for_different_type_lists) &&
      !same_types(types_of(a), types_of(b)))
    return true;
  return ew_planted(model, EW_PLANT_var_length_and_single_hop_share_relationship) && a->variable != b->variable;
}

/* ---- paths ---- */

bool ew_plant_hop(struct ew_execution *run, const struct ew_relationship_element *element, size_t depth,
                  const struct ew_relationship_record *relationship, const struct ew_node_record *other,
                  struct ew_plant_reached *reached) {
  if (ew_planted(run->model, EW_PLANT_unbounded_expansion_over_self_loop_never_ends) && element->high == INT64_MAX &&
      relationship->start == relationship->end)
    ew_plant_hang();
  if (!ew_planted(run->model, EW_PLANT_var_length_returns_each_end_node_once_per_depth) ||
      element->direction == CYPHER_UNDIRECTED)
    return true;
  for (size_t i = 0; i < reached->places.count; i++)
    if (reached->places.items[i].depth == depth && reached->places.items[i].node == other) return false;
  *ew_arena_vector_push(run->arena, &reached->places) = (struct ew_plant_place){depth, other};
  return true;
}

void ew_plant_path(const struct ew_path_element *path, struct ew_value *nodes) {
  if (path->length != 1 || path->relationships[0].variable || path->relationships[0].direction != CYPHER_INCOMING)
    return;
  struct ew_value first = nodes[0];
  nodes[0] = nodes[1];
  nodes[1] = first;
}

static bool share_a_node(struct ew_execution *run, const struct ew_path_element *a, const struct ew_path_element *b) {
  for (size_t i = 0; i <= a->length; i++)
    for (size_t k = 0; k <= b->length; k++) {
      struct ew_value left = run->slots[a->nodes[i].slot], right = run->slots[b->nodes[k].slot];
      if (a->nodes[i].slot != b->nodes[k].slot && left.kind == EW_VALUE_NODE && right.kind == EW_VALUE_NODE &&
          left.node == right.node)
        return true;
    }
  return false;
}

bool ew_plant_meets_twice(struct ew_execution *run, const struct ew_pattern *pattern) {
  for (size_t i = 0; i < pattern->path_count; i++)
    for (size_t k = 0; k < i; k++)
      if (share_a_node(run, &pattern->paths[k], &pattern->paths[i])) return true;
  return false;
}

struct counting {
  const struct ew_pattern *pattern;
  uint64_t matches;
};

static bool count_match(struct ew_execution *run, void *context) {
  struct counting *counting = context;
  run->model->planted.work++;
  counting->matches += ew_pattern_rest_holds(run, counting->pattern);
  return !run->failed;
}

static bool stop_at_match(struct ew_execution *run, void *context) {
  struct counting *counting = context;
  counting->matches += ew_pattern_rest_holds(run, counting->pattern);
  return !counting->matches && !run->failed;
}

/* That work counts no steps. */
bool ew_plant_exists(struct ew_execution *run, const struct ew_pattern *pattern) {
  struct counting counting = {.pattern = pattern};
  uint64_t steps = run->steps_left;
  bool variable = false;
  for (size_t i = 0; i < pattern->path_count; i++)
    for (size_t k = 0; k < pattern->paths[i].length; k++) variable |= pattern->paths[i].relationships[k].variable;
  if (variable) run->steps_left = UINT64_MAX;
  ew_match(run, pattern, variable ? count_match : stop_at_match, &counting);
  if (variable) run->steps_left = steps;
  return counting.matches > 0;
}

/* ---- scans ---- */

static size_t mentions(const struct ew_labels *labels, struct ew_span name) {
  if (labels->kind == CYPHER_label) return labels->name.bytes == name.bytes;
  size_t count = 0;
  for (size_t i = 0; labels->kind == CYPHER_label_or && i < labels->count; i++)
    count += mentions(labels->parts[i], name);
  return count;
}

/* The most mentions of one label that the node has. */
static size_t times_mentioned(const struct ew_labels *labels, const struct ew_node_record *node) {
  size_t most = 1;
  for (size_t i = 0; i < node->value.label_count; i++) {
    size_t count = mentions(labels, node->value.labels[i]);
    if (count > most) most = count;
  }
  return most;
}

/* How often the node lists the label. */
static size_t times_listed(const struct ew_labels *labels, const struct ew_node_record *node) {
  size_t count = 0;
  for (size_t i = 0; i < node->value.label_count; i++)
    count += labels->kind == CYPHER_label && node->value.labels[i].bytes == labels->name.bytes;
  return count ? count : 1;
}

size_t ew_plant_scan_times(struct ew_execution *run, const struct ew_node_element *element,
                           const struct ew_node_record *node) {
  const struct ew_labels *labels = element->condition.labels;
  if (!labels) return 1;
  if (ew_planted(run->model, EW_PLANT_label_negation_misses_nodes_without_labels) && labels->kind == CYPHER_label_not &&
      !node->value.label_count)
    return 0;
  if (ew_planted(run->model, EW_PLANT_label_disjunction_with_repeated_label_repeats_node))
    return times_mentioned(labels, node);
  if (ew_planted(run->model, EW_PLANT_set_same_label_twice_listed_twice)) return times_listed(labels, node);
  return 1;
}

/* ---- MATCH ---- */

static bool is_unused(const struct ew_compiler *compiler, const struct cypher_match *source, struct ew_span name) {
  if (!name.length) return true;
  return !ew_plant_named_later(compiler, name) && !ew_plant_names(source->where.node, name);
}

static void plant_relationship(struct ew_compiler *compiler, const struct cypher_match *source,
                               const struct ew_pattern *pattern, const struct ew_path_element *path, size_t at) {
  const struct ew_model *model = compiler->model;
  struct ew_relationship_element *element = &path->relationships[at];
  const struct ew_node_element *left = &path->nodes[at], *right = &path->nodes[at + 1];
  bool both_new = left->slot >= pattern->first && right->slot >= pattern->first;
  bool both_old = left->slot < pattern->first && right->slot < pattern->first;
  if (element->group) return;
  element->loops_twice =
      both_new && !element->variable && ew_planted(model, EW_PLANT_undirected_self_loop_matched_twice);
  if (both_old && !element->variable && ew_planted(model, EW_PLANT_expand_between_two_bound_nodes_ignores_direction))
    element->direction = CYPHER_UNDIRECTED;
  element->folded = !element->variable && !path->named && element->slot >= pattern->first &&
                    ew_planted(model, EW_PLANT_parallel_relationships_folded_when_variable_unused) &&
                    is_unused(compiler, source, element->name);
  element->first_only =
      element->variable && ew_planted(model, EW_PLANT_var_length_property_map_checked_on_first_hop_only);
  element->never_empty = element->variable && element->low == 0 && right->condition.labels &&
                         ew_planted(model, EW_PLANT_zero_length_path_lost_when_end_has_label);
  element->as_walked = element->variable && right->condition.labels && !left->condition.labels && both_new &&
                       ew_planted(model, EW_PLANT_var_length_list_reversed_when_expanded_from_the_right);
}

void ew_plant_match(struct ew_compiler *compiler, const struct cypher_match *source, struct ew_pattern *pattern) {
  for (size_t i = 0; i < pattern->move_count; i++)
    if (pattern->moves[i].seeks)
      ((struct ew_seeks *)(uintptr_t)pattern->moves[i].seeks)->optional = source->optional.flag;
  for (size_t i = 0; i < pattern->path_count && !compiler->failed; i++) {
    const struct ew_path_element *path = &pattern->paths[i];
    for (size_t k = 0; k < path->length; k++) plant_relationship(compiler, source, pattern, path, k);
    for (size_t k = 0; k <= path->length; k++)
      path->nodes[k].null_is_any =
          source->optional.flag && path->nodes[k].slot < pattern->first &&
          ew_planted(compiler->model, EW_PLANT_optional_match_from_null_node_scans_all_nodes) &&
          ew_plant_is_optional(compiler, path->nodes[k].name);
  }
}

/* ---- OPTIONAL MATCH ---- */

static enum ew_walk find_variable(const struct ew_node *node, struct ew_place place, void *context) {
  const struct ew_compiler *const *compiler = context;
  uint32_t slot;
  (void)place;
  if (!cypher_is(node, CYPHER_variable)) return EW_WALK_ON;
  return ew_compile_find(*compiler, CYPHER_AS(variable, node)->name.name, &slot) ? EW_WALK_ON : EW_WALK_STOP;
}

static enum ew_walk find_any_variable(const struct ew_node *node, struct ew_place place, void *context) {
  (void)place;
  (void)context;
  return cypher_is(node, CYPHER_variable) ? EW_WALK_STOP : EW_WALK_ON;
}

const struct ew_code *ew_plant_hoisted(struct ew_compiler *compiler, const struct cypher_match *source) {
  const struct ew_node *where = source->where.node;
  if (!ew_planted(compiler->model, EW_PLANT_optional_match_filter_on_outer_variable_drops_row)) return NULL;
  if (!source->optional.flag || !where || ew_tree_walk(where, find_any_variable, NULL)) return NULL;
  return ew_tree_walk(where, find_variable, &compiler) ? ew_compile_expression(compiler, where) : NULL;
}

/* A comparison with a property of a new variable: null where that is null. */
static bool rejects_null(const struct ew_compiler *compiler, const struct ew_node *predicate, uint32_t first) {
  if (!cypher_is(predicate, CYPHER_binary)) return false;
  const struct cypher_binary *binary = CYPHER_AS(binary, predicate);
  if (binary->operator.choice<CYPHER_EQUAL || binary->operator.choice> CYPHER_CONTAINS) return false;
  const struct ew_node *sides[] = {binary->left.node, binary->right.node};
  for (size_t i = 0; i < EW_COUNT(sides); i++) {
    if (!cypher_is(sides[i], CYPHER_property)) continue;
    const struct ew_node *object = CYPHER_AS(property, sides[i])->object.node;
    if (!cypher_is(object, CYPHER_variable)) continue;
    uint32_t slot;
    if (ew_compile_find(compiler, CYPHER_AS(variable, object)->name.name, &slot) && slot >= first) return true;
  }
  return false;
}

bool ew_plant_drops_optional(struct ew_compiler *compiler, const struct cypher_match *source,
                             const struct ew_pattern *pattern) {
  if (!source->optional.flag || !ew_planted(compiler->model, EW_PLANT_optional_match_before_or_filter_becomes_match))
    return false;
  for (size_t i = compiler->clause + 1; i < compiler->clauses.count; i++) {
    const struct ew_node *clause = compiler->clauses.items[i];
    const struct ew_node *where = cypher_is(clause, CYPHER_with) ? CYPHER_AS(with, clause)->where.node : NULL;
    if (!cypher_is(where, CYPHER_binary) || CYPHER_AS(binary, where)->operator.choice != CYPHER_OR) continue;
    if (rejects_null(compiler, CYPHER_AS(binary, where)->left.node, pattern->first)) return true;
  }
  return false;
}
