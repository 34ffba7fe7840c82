/* planted_index.c: indexes that answer wrongly.

   The honest model asks of every node again what an index has answered; a plant that lets too much through makes that question
   wrong in the same way, where the index would have answered it. */
#include <math.h>
#include <stdlib.h>

#include "base/hash.h"
#include "model/planted.h"

uint64_t ew_plant_stale_key(const struct ew_node_record *node, struct ew_span label) {
  return ew_hash_span(label, (uint64_t)node->value.id);
}

static bool has_index(struct ew_execution *run, const struct ew_seeks *seeks, struct ew_span key) {
  for (size_t i = 0; i < seeks->label_count; i++)
    if (ew_catalog_has(&run->model->schema, seeks->labels[i], key, false)) return true;
  return false;
}

/* ---- predicates that are answered wrongly ---- */

/* What a wrong predicate knows. */
struct answered {
  const struct ew_code *honest;
  const struct ew_seeks *seeks;
  const struct ew_seek *seek;
  const struct ew_seek *other; /* another bound on the same key */
};

static struct ew_code *answer(struct ew_compiler *compiler, const struct ew_seek_source *source, ew_evaluator evaluate,
                              struct answered answered) {
  struct answered *kept = EW_NEW(compiler->arena, struct answered);
  *kept = answered;
  kept->honest = *source->code;
  struct ew_code *code = ew_plant_wrap(compiler, *source->code, evaluate);
  code->detail = kept;
  *source->code = code;
  return code;
}

static struct ew_value property_of(struct ew_execution *run, const struct ew_code *code, const struct ew_seek *seek) {
  return ew_evaluate(run, code->operands[seek->turned ? 1 : 0]);
}

static struct ew_value or_not_a_number(struct ew_execution *run, const struct ew_code *code) {
  const struct answered *answered = code->detail;
  struct ew_value value = property_of(run, code, answered->seek), bound = ew_evaluate(run, answered->seek->value);
  bool number = bound.kind == EW_VALUE_INTEGER || bound.kind == EW_VALUE_FLOAT;
  if (number && value.kind == EW_VALUE_FLOAT && isnan(value.number) &&
      has_index(run, answered->seeks, answered->seek->key))
    return ew_boolean(true);
  return ew_evaluate(run, answered->honest);
}

static struct ew_value or_equal(struct ew_execution *run, const struct ew_code *code) {
  const struct answered *answered = code->detail;
  struct ew_value value = property_of(run, code, answered->seek), bound = ew_evaluate(run, answered->seek->value);
  struct ew_value other = ew_evaluate(run, answered->other->value);
  if (ew_value_equal(bound, other, run->semantics) == EW_TRUE &&
      ew_value_equal(value, bound, run->semantics) == EW_TRUE && has_index(run, answered->seeks, answered->seek->key))
    return ew_boolean(true);
  return ew_evaluate(run, answered->honest);
}

static struct ew_value by_average_length(struct ew_execution *run, const struct ew_code *code) {
  const struct answered *answered = code->detail;
  struct ew_value value = property_of(run, code, answered->seek), bound = ew_evaluate(run, answered->seek->value);
  if (value.kind != EW_VALUE_DURATION || bound.kind != EW_VALUE_DURATION ||
      !has_index(run, answered->seeks, answered->seek->key))
    return ew_evaluate(run, answered->honest);
  int order = ew_value_order(value, bound, run->semantics);
  switch (answered->seek->operator) {
    case CYPHER_LESS: return ew_boolean(order < 0);
    case CYPHER_LESS_EQUAL: return ew_boolean(order <= 0);
    case CYPHER_GREATER: return ew_boolean(order > 0);
    default: return ew_boolean(order >= 0);
  }
}

static bool is_low(const struct ew_seek *seek) {
  return seek->operator== CYPHER_GREATER || seek->operator== CYPHER_GREATER_EQUAL;
}

static bool is_high(const struct ew_seek *seek) {
  return seek->operator== CYPHER_LESS || seek->operator== CYPHER_LESS_EQUAL;
}

static const struct ew_seek *find_bound(const struct ew_seeks *seeks, const struct ew_seek *like, bool high,
                                        enum cypher_operator operator) {
  for (size_t i = 0; i < seeks->count; i++) {
    const struct ew_seek *seek = &seeks->items[i];
    if (seek->key.bytes != like->key.bytes) continue;
    if (high ? is_high(seek) : seek->operator== operator) return seek;
  }
  return NULL;
}

static void plant_predicate(struct ew_compiler *compiler, const struct ew_seeks *seeks, const struct ew_seek *seek,
                            const struct ew_seek_source *source) {
  const struct ew_model *model = compiler->model;
  struct answered answered = {.seeks = seeks, .seek = seek};
  if (is_low(seek) && ew_planted(model, EW_PLANT_range_index_lower_bound_returns_nan) &&
      !find_bound(seeks, seek, true, CYPHER_LESS))
    answer(compiler, source, or_not_a_number, answered);
  if ((is_low(seek) || is_high(seek)) && ew_planted(model, EW_PLANT_duration_comparison_under_index_uses_average_month))
    answer(compiler, source, by_average_length, answered);
  answered.other = find_bound(seeks, seek, false, CYPHER_GREATER_EQUAL);
  if (seek->operator== CYPHER_GREATER && answered.other &&
      ew_planted(model, EW_PLANT_index_bounds_with_equal_value_keep_the_inclusive_one))
    answer(compiler, source, or_equal, answered);
}

/* ---- seeks that should not be ---- */

static bool is_property_of(const struct ew_node *tree, struct ew_span name) {
  return cypher_is(tree, CYPHER_property) && cypher_is(CYPHER_AS(property, tree)->object.node, CYPHER_variable) &&
         ew_span_equal(CYPHER_AS(variable, CYPHER_AS(property, tree)->object.node)->name.name, name);
}

/* n.p STARTS WITH f(n): as if f(n) were known, and null. */
static void seek_prefix_of_own(struct ew_compiler *compiler, const struct ew_node_element *node, struct ew_seeks *seeks,
                               const struct ew_seek_source *source) {
  if (!cypher_is(source->tree, CYPHER_binary) || !node->name.length) return;
  const struct cypher_binary *binary = CYPHER_AS(binary, source->tree);
  if (binary->operator.choice != CYPHER_STARTS_WITH || !is_property_of(binary->left.node, node->name) ||
      !ew_plant_names(binary->right.node, node->name))
    return;
  struct ew_seek *items = EW_NEW_ARRAY(compiler->arena, struct ew_seek, seeks->count + 1);
  if (seeks->count) memcpy(items, seeks->items, seeks->count * sizeof *items);
  items[seeks->count++] = (struct ew_seek){
      .operator= CYPHER_STARTS_WITH,
      .key = ew_compile_name(compiler, CYPHER_AS(property, binary->left.node)->key.name),
      .value = ew_code_constant(compiler, binary->right.node, ew_null()),
      .predicate = source->tree,
  };
  seeks->items = items;
}

void ew_plant_seeks(struct ew_compiler *compiler, const struct ew_node_element *node, struct ew_seeks *seeks,
                    const struct ew_seek_source *sources, size_t count) {
  const struct ew_model *model = compiler->model;
  for (size_t i = 0; i < count; i++) {
    if (ew_planted(model, EW_PLANT_index_starts_with_function_of_own_property))
      seek_prefix_of_own(compiler, node, seeks, &sources[i]);
    for (size_t k = 0; k < seeks->count; k++)
      if (seeks->items[k].predicate == sources[i].tree) plant_predicate(compiler, seeks, &seeks->items[k], &sources[i]);
  }
}

/* ---- seeks that go wrong ---- */

struct ew_plant_found {
  struct ew_execution *run;
  EW_VECTOR(struct ew_node_record *) nodes;
};

static bool give(const struct ew_plant_found *found, struct ew_candidates *candidates) {
  *candidates = (struct ew_candidates){found->nodes.items, found->nodes.count};
  return true;
}

static void add_equal(struct ew_plant_found *found, const struct ew_index *index, struct ew_value value, bool strict) {
  for (size_t i = 0; i < index->entries.count; i++) {
    const struct ew_index_entry *entry = &index->entries.items[i];
    if (ew_value_equal(entry->value, value, found->run->semantics) == EW_TRUE &&
        (!strict || entry->value.kind == value.kind))
      *ew_arena_vector_push(found->run->arena, &found->nodes) = entry->node;
  }
}

static bool seek_equal(struct ew_execution *run, const struct ew_seek *seek, const struct ew_index *index,
                       struct ew_value value, struct ew_candidates *candidates) {
  struct ew_plant_found found = {.run = run};
  if (value.kind == EW_VALUE_NULL && cypher_is(seek->value->node, CYPHER_function) &&
      ew_planted(run->model, EW_PLANT_index_seek_with_key_that_is_null_at_run_time_aborts))
    abort();
  if (!seek->predicate && ew_planted(run->model, EW_PLANT_index_seek_from_property_map_is_type_strict)) {
    add_equal(&found, index, value, true);
    return give(&found, candidates);
  }
  if (!seek->turned || !ew_planted(run->model, EW_PLANT_index_unused_when_operands_of_equality_are_swapped))
    return false;
  /* All nodes, and that counts no steps. */
  size_t count = run->graph->nodes.count;
  run->steps_left += count;
  run->model->planted.work += count;
  *candidates = (struct ew_candidates){run->graph->nodes.items, count};
  return true;
}

static bool is_before(struct ew_values list, size_t at) {
  for (size_t i = 0; i < at; i++)
    if (list.items[i].kind == list.items[at].kind &&
        ew_value_equivalent(list.items[i], list.items[at], &ew_semantics_standard))
      return true;
  return false;
}

static bool seek_in(struct ew_execution *run, const struct ew_seek *seek, const struct ew_index *index,
                    struct ew_value value, struct ew_candidates *candidates) {
  struct ew_plant_found found = {.run = run};
  if (value.kind != EW_VALUE_LIST) return false;
  bool first_only = cypher_is(seek->value->node, CYPHER_parameter) &&
                    ew_planted(run->model, EW_PLANT_index_in_parameter_list_seeks_first_element_only);
  if (!first_only && !ew_planted(run->model, EW_PLANT_index_in_list_with_equal_numbers_of_two_types_repeats_node))
    return false;
  for (size_t i = 0; i < value.list.count && !(first_only && i); i++)
    if (!is_before(value.list, i)) add_equal(&found, index, value.list.items[i], false);
  return give(&found, candidates);
}

static size_t characters(struct ew_span text) {
  size_t count = 0;
  for (size_t i = 0; i < text.length; i++) count += ((unsigned char)text.bytes[i] & 0xC0) != 0x80;
  return count;
}

static bool seek_part(struct ew_execution *run, const struct ew_index *index, struct ew_value part,
                      struct ew_candidates *candidates) {
  struct ew_plant_found found = {.run = run};
  if (part.kind != EW_VALUE_STRING || !ew_planted(run->model, EW_PLANT_text_index_misses_values_shorter_than_three))
    return false;
  for (size_t i = 0; i < index->entries.count; i++)
    if (characters(index->entries.items[i].value.string) >= 3)
      *ew_arena_vector_push(run->arena, &found.nodes) = index->entries.items[i].node;
  return give(&found, candidates);
}

static bool seek_below(struct ew_execution *run, const struct ew_seeks *seeks, const struct ew_seek *seek,
                       const struct ew_index *index, struct ew_value bound, struct ew_candidates *candidates) {
  struct ew_plant_found found = {.run = run};
  bool low = find_bound(seeks, seek, false, CYPHER_GREATER) || find_bound(seeks, seek, false, CYPHER_GREATER_EQUAL);
  if (low || bound.kind != EW_VALUE_STRING ||
      !ew_planted(run->model, EW_PLANT_range_index_upper_string_bound_skips_empty_string))
    return false;
  for (size_t i = 0; i < index->entries.count; i++)
    if (index->entries.items[i].value.kind == EW_VALUE_STRING && index->entries.items[i].value.string.length)
      *ew_arena_vector_push(run->arena, &found.nodes) = index->entries.items[i].node;
  return give(&found, candidates);
}

/* All nodes, of which those count that the index still has under the label. */
static bool seek_stale(struct ew_execution *run, struct ew_candidates *candidates) {
  if (!run->model->planted.stale.count) return false;
  *candidates = (struct ew_candidates){run->graph->nodes.items, run->graph->nodes.count};
  return true;
}

bool ew_plant_seek(struct ew_execution *run, const struct ew_seeks *seeks, const struct ew_seek *seek,
                   const struct ew_index *index, struct ew_candidates *candidates) {
  struct ew_value value = ew_evaluate(run, seek->value);
  if (run->failed) { /* the honest seek sees to it */
    run->failed = false;
    run->error = (struct ew_model_error){0};
    return false;
  }
  if (value.kind == EW_VALUE_NULL && seeks->optional &&
      ew_planted(run->model, EW_PLANT_optional_match_index_seek_with_null_key_drops_row))
    run->row_lost = true;
  if (ew_planted(run->model, EW_PLANT_index_entry_survives_label_removal)) return seek_stale(run, candidates);
  if (index->text) return seek_part(run, index, value, candidates);
  switch (seek->operator) {
    case CYPHER_EQUAL: return seek_equal(run, seek, index, value, candidates);
    case CYPHER_IN: return seek_in(run, seek, index, value, candidates);
    case CYPHER_LESS:
    case CYPHER_LESS_EQUAL: return seek_below(run, seeks, seek, index, value, candidates);
    default: return false;
  }
}

bool ew_plant_is_stale(struct ew_execution *run, const struct ew_node_record *node, struct ew_span label) {
  uint64_t key = ew_plant_stale_key(node, label);
  return ew_map_find(&run->model->planted.stale, ew_map_key_number(&key)) != NULL;
}

/* ---- n:B OR n:C behind a seek ---- */

static bool is_label_test_of(const struct ew_node *tree, struct ew_span name) {
  return cypher_is(tree, CYPHER_label_test) && cypher_is(CYPHER_AS(label_test, tree)->operand.node, CYPHER_variable) &&
         ew_span_equal(CYPHER_AS(variable, CYPHER_AS(label_test, tree)->operand.node)->name.name, name);
}

static struct ew_value true_behind_seek(struct ew_execution *run, const struct ew_code *code) {
  const struct answered *answered = code->detail;
  for (size_t i = 0; i < answered->seeks->count; i++)
    if (has_index(run, answered->seeks, answered->seeks->items[i].key)) return ew_boolean(true);
  return ew_evaluate(run, answered->honest);
}

void ew_plant_rest(struct ew_compiler *compiler, const struct ew_pattern *pattern, const struct ew_code **rest) {
  if (!ew_planted(compiler->model, EW_PLANT_label_disjunction_dropped_after_index_seek)) return;
  for (size_t i = 0; i < pattern->rest_count; i++) {
    const struct ew_node *tree = rest[i]->node;
    if (!cypher_is(tree, CYPHER_binary) || CYPHER_AS(binary, tree)->operator.choice != CYPHER_OR) continue;
    for (size_t k = 0; k < pattern->move_count; k++) {
      const struct ew_move *move = &pattern->moves[k];
      struct ew_span name = move->seeks ? move->path->nodes[move->at].name : (struct ew_span){0};
      if (name.length && is_label_test_of(CYPHER_AS(binary, tree)->left.node, name) &&
          is_label_test_of(CYPHER_AS(binary, tree)->right.node, name))
        answer(compiler, &(struct ew_seek_source){tree, &rest[i]}, true_behind_seek,
               (struct answered){.seeks = move->seeks});
    }
  }
}
