/* planted_write.c: CREATE, MERGE, SET, REMOVE and DELETE that are wrong. */
#include <stdlib.h>

#include "model/planted.h"

/* ---- CREATE ---- */

static bool has_limit_zero(const struct ew_node *clause) {
  const struct cypher_projection *projection = ew_plant_projection(clause);
  const struct ew_node *limit = projection ? projection->limit.node : NULL;
  return ew_plant_is_literal(limit, EW_VALUE_INTEGER) && CYPHER_AS(literal, limit)->value.value->integer == 0;
}

static bool is_limited_to_nothing(const struct ew_compiler *compiler) {
  for (size_t i = compiler->clause + 1; i < compiler->clauses.count; i++)
    if (has_limit_zero(compiler->clauses.items[i])) return true;
  return false;
}

/* Whether WITH DISTINCT over constants comes next. */
static bool is_before_constants(const struct ew_compiler *compiler) {
  if (compiler->clause + 1 >= compiler->clauses.count) return false;
  const struct ew_node *next = compiler->clauses.items[compiler->clause + 1];
  const struct cypher_projection *projection = cypher_is(next, CYPHER_with) ? ew_plant_projection(next) : NULL;
  if (!projection || !projection->distinct.flag || projection->star.flag) return false;
  for (size_t i = 0; i < projection->items.list.count; i++)
    if (!cypher_is(CYPHER_AS(item, projection->items.list.items[i])->expression.node, CYPHER_literal)) return false;
  return true;
}

/* The label of MATCH (n:Label) without more, where that is the clause before; else empty. */
static struct ew_span matched_label(const struct ew_compiler *compiler) {
  const struct ew_node *clause = compiler->clause && compiler->clause < compiler->clauses.count
                                     ? compiler->clauses.items[compiler->clause - 1]
                                     : NULL;
  if (!cypher_is(clause, CYPHER_match) || CYPHER_AS(match, clause)->where.node) return (struct ew_span){0};
  struct ew_list patterns = CYPHER_AS(match, clause)->patterns.list;
  struct ew_list elements = CYPHER_AS(path, patterns.items[0])->elements.list;
  if (patterns.count != 1 || elements.count != 1 || !cypher_is(elements.items[0], CYPHER_node_pattern))
    return (struct ew_span){0};
  const struct cypher_node_pattern *node = CYPHER_AS(node_pattern, elements.items[0]);
  if (!cypher_is(node->labels.node, CYPHER_label) || node->properties.node || node->where.node)
    return (struct ew_span){0};
  return CYPHER_AS(label, node->labels.node)->name.name;
}

static enum ew_walk find_label(const struct ew_node *node, struct ew_place place, void *context) {
  const struct ew_span *label = context;
  (void)place;
  bool found = cypher_is(node, CYPHER_node_pattern) &&
               cypher_is(CYPHER_AS(node_pattern, node)->labels.node, CYPHER_label) &&
               ew_span_equal(CYPHER_AS(label, CYPHER_AS(node_pattern, node)->labels.node)->name.name, *label);
  return found ? EW_WALK_STOP : EW_WALK_ON;
}

static bool creates_what_it_finds(const struct ew_compiler *compiler, const struct cypher_create *source) {
  struct ew_span label = matched_label(compiler);
  for (size_t i = 0; label.length && i < source->patterns.list.count; i++)
    if (!ew_tree_walk(source->patterns.list.items[i], find_label, &label)) return true;
  return false;
}

struct ew_plant_creation ew_plant_create(struct ew_compiler *compiler, const struct cypher_create *source) {
  const struct ew_model *model = compiler->model;
  return (struct ew_plant_creation){
      .never = ew_planted(model, EW_PLANT_create_dropped_when_later_limit_is_zero) && is_limited_to_nothing(compiler),
      .once = ew_planted(model, EW_PLANT_distinct_pushed_below_create) && is_before_constants(compiler),
      .hangs = ew_planted(model, EW_PLANT_match_create_reads_its_own_writes) && creates_what_it_finds(compiler, source),
  };
}

/* ---- MERGE ---- */

void ew_plant_merge(const struct ew_pattern *pattern) {
  for (size_t i = 0; i < pattern->path_count; i++) {
    const struct ew_path_element *path = &pattern->paths[i];
    for (size_t k = 0; k < path->length; k++)
      if (path->relationships[k].direction == CYPHER_UNDIRECTED && path->nodes[k].slot < pattern->first &&
          path->nodes[k + 1].slot < pattern->first)
        path->relationships[k].direction = CYPHER_OUTGOING;
  }
}

static bool has_other_type(struct ew_execution *run, const struct ew_condition *condition, struct ew_items properties) {
  for (size_t i = 0; i < condition->count; i++) {
    const struct ew_value *stored = ew_properties_find(properties, condition->keys[i]);
    if (stored && stored->kind != ew_evaluate(run, condition->values[i]).kind) return true;
  }
  return false;
}

bool ew_plant_overlooks(struct ew_execution *run, const struct ew_pattern *pattern, int64_t first_new) {
  for (size_t i = 0; i < pattern->path_count; i++) {
    const struct ew_path_element *path = &pattern->paths[i];
    for (size_t k = 0; k <= path->length; k++) {
      struct ew_value node = run->slots[path->nodes[k].slot];
      if (path->nodes[k].slot >= pattern->first && node.kind == EW_VALUE_NODE && node.node->id >= first_new &&
          has_other_type(run, &path->nodes[k].condition, node.node->properties))
        return true;
    }
  }
  return false;
}

/* ---- labels ---- */

/* A label that the node lacks and that is named twice is listed twice. */
static void list_twice(struct ew_execution *run, struct ew_node_record *node, struct ew_names labels) {
  for (size_t i = 0; i < labels.count; i++) {
    struct ew_span name = ew_graph_name(run->graph, labels.items[i]);
    size_t named = 0;
    for (size_t k = 0; k < labels.count; k++) named += ew_span_equal(labels.items[k], labels.items[i]);
    if (named < 2 || ew_node_has_label(node, name)) continue;
    ew_graph_add_label(run->graph, node, name);
    ew_graph_repeat_label(run->graph, node, name);
  }
}

static void keep_entry(struct ew_execution *run, const struct ew_node_record *node, struct ew_names labels) {
  const struct ew_catalog *schema = &run->model->schema;
  for (size_t i = 0; i < labels.count; i++) {
    struct ew_span name = ew_graph_name(run->graph, labels.items[i]);
    for (size_t k = 0; k < schema->indexes.count; k++) {
      if (schema->indexes.items[k].label.bytes != name.bytes || !ew_node_has_label(node, name)) continue;
      uint64_t key = ew_plant_stale_key(node, name);
      ew_map_add(&run->model->planted.stale, ew_map_key_number(&key), NULL);
    }
  }
}

void ew_plant_labels(struct ew_execution *run, struct ew_node_record *node, struct ew_names labels,
                     enum cypher_kind kind) {
  if (kind == CYPHER_set_labels && ew_planted(run->model, EW_PLANT_set_same_label_twice_listed_twice))
    list_twice(run, node, labels);
  if (kind == CYPHER_remove_labels && ew_planted(run->model, EW_PLANT_index_entry_survives_label_removal))
    keep_entry(run, node, labels);
}

/* ---- DELETE ---- */

void ew_plant_detach(const struct ew_node_record *node) {
  size_t loops = 0, others = 0;
  for (const struct ew_relationship_record *r = node->outgoing; r; r = r->next_outgoing)
    if (!r->deleted) r->start == r->end ? loops++ : others++;
  for (const struct ew_relationship_record *r = node->incoming; r; r = r->next_incoming)
    if (!r->deleted) others += r->start != r->end;
  if (loops && others) abort();
}
