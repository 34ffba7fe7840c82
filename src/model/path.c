/* path.c: path values, and the clause MATCH on its rows. */
#include "model/planted.h"

/* ---- paths ---- */

static struct ew_values hops_of(struct ew_execution *run, const struct ew_relationship_element *element) {
  const struct ew_value *value = &run->slots[element->slot];
  return element->variable ? value->list : (struct ew_values){value, 1};
}

static struct ew_value other_end(struct ew_value node, struct ew_value relationship) {
  const struct ew_relationship_record *record = ew_relationship_record(relationship);
  return ew_node_value_of(&record->start->value == node.node ? record->end : record->start);
}

struct ew_value ew_path_value_of(struct ew_execution *run, const struct ew_path_element *element) {
  size_t count = 0, at = 0;
  for (size_t i = 0; i < element->length; i++) count += hops_of(run, &element->relationships[i]).count;
  struct ew_value *nodes = ew_run_spend(run, count) ? ew_run_take(run, count + 1, sizeof *nodes) : NULL;
  struct ew_value *relationships = nodes ? ew_run_take(run, count, sizeof *relationships) : NULL;
  if (!relationships) return ew_null();
  nodes[0] = run->slots[element->nodes[0].slot];
  for (size_t i = 0; i < element->length; i++) {
    struct ew_values hops = hops_of(run, &element->relationships[i]);
    for (size_t k = 0; k < hops.count; k++, at++) {
      relationships[at] = hops.items[k];
      nodes[at + 1] = other_end(nodes[at], hops.items[k]);
    }
  }
  if (ew_planted(run->model, EW_PLANT_path_of_left_arrow_lists_nodes_in_arrow_order)) ew_plant_path(element, nodes);
  struct ew_path_value *value = EW_NEW(run->arena, struct ew_path_value);
  *value = (struct ew_path_value){{nodes, count + 1}, {relationships, count}};
  return (struct ew_value){.kind = EW_VALUE_PATH, .path = value};
}

/* ---- MATCH ---- */

struct match {
  const struct ew_pattern *pattern;
  bool optional;
  const struct ew_code *hoisted; /* a plant: rows for which it does not hold are dropped */
};

struct finding {
  const struct match *match;
  struct ew_table *out;
};

static bool keep_match(struct ew_execution *run, void *context) {
  struct finding *finding = context;
  if (ew_planted(run->model, EW_PLANT_two_patterns_never_meet_one_node) &&
      ew_plant_meets_twice(run, finding->match->pattern))
    return true;
  if (ew_pattern_rest_holds(run, finding->match->pattern)) ew_table_add_slots(run, finding->out);
  return !run->failed;
}

static void run_match(struct ew_execution *run, const struct ew_step *step, const struct ew_table *in,
                      struct ew_table *out) {
  const struct match *match = step->detail;
  for (size_t i = 0; i < in->count && !run->failed; i++) {
    size_t before = out->count;
    ew_table_load(run, in, i);
    if (match->hoisted && ew_evaluate_truth(run, match->hoisted) != EW_TRUE) continue;
    run->row_lost = false;
    ew_match(run, match->pattern, keep_match, &(struct finding){match, out});
    if (!match->optional || out->count > before || run->failed || run->row_lost) continue;
    ew_table_load(run, in, i);
    for (uint32_t slot = match->pattern->first; slot < match->pattern->end; slot++) run->slots[slot] = ew_null();
    ew_table_add_slots(run, out);
  }
}

const struct ew_step *ew_compile_match(struct ew_compiler *compiler, const struct ew_node *node) {
  const struct cypher_match *source = CYPHER_AS(match, node);
  struct match *match = EW_NEW(compiler->arena, struct match);
  const struct ew_code *hoisted = ew_plant_hoisted(compiler, source);
  struct ew_pattern *pattern = ew_compile_pattern(compiler, source->patterns.list, source->where.node);
  pattern->repeats = source->matching.choice == CYPHER_MATCHING_REPEATABLE;
  *match = (struct match){.pattern = pattern, .optional = source->optional.flag, .hoisted = hoisted};
  if (ew_plants_any(&compiler->model->plants)) ew_plant_match(compiler, source, pattern);
  if (ew_plant_drops_optional(compiler, source, pattern)) match->optional = false;
  return ew_step_new(compiler, run_match, node, match);
}
