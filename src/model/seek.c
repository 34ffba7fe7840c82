/* seek.c: which predicates an index can answer, and looking it up. */
#include "model/seek.h"

#include <math.h>
#include <stdlib.h>

#include "lang/cypher/scope.h"
#include "model/planted.h"

/* ---- compiling ---- */

/* Stops at what gives another value each time, or what is not worth being evaluated twice. */
static enum ew_walk find_unfit(const struct ew_node *node, struct ew_place place, void *context) {
  (void)place;
  (void)context;
  switch ((enum cypher_kind)node->kind->code) {
    case CYPHER_function: {
      const struct ew_cypher_function *known = ew_cypher_function_find(CYPHER_AS(function, node)->name.name);
      unsigned unfit = EW_FUNCTION_AGGREGATE | EW_FUNCTION_OPEN | EW_FUNCTION_CLOCK | EW_FUNCTION_ORDER;
      if (known && strcmp(known->name, "duration") == 0) return EW_WALK_ON;
      return known && !(known->traits & unfit) ? EW_WALK_ON : EW_WALK_STOP;
    }
    case CYPHER_literal:
    case CYPHER_parameter:
    case CYPHER_variable:
    case CYPHER_property:
    case CYPHER_list:
    case CYPHER_unary:
    case CYPHER_binary: return EW_WALK_ON;
    default: return EW_WALK_STOP;
  }
}

static bool is_property_of(const struct ew_node *tree, struct ew_span name) {
  if (!name.length || !cypher_is(tree, CYPHER_property)) return false;
  const struct ew_node *object = CYPHER_AS(property, tree)->object.node;
  return cypher_is(object, CYPHER_variable) && ew_span_equal(CYPHER_AS(variable, object)->name.name, name);
}

static bool turn_round(enum cypher_operator *operator) {
  switch (*operator) {
    case CYPHER_EQUAL: return true;
    case CYPHER_LESS: *operator= CYPHER_GREATER; return true;
    case CYPHER_LESS_EQUAL: *operator= CYPHER_GREATER_EQUAL; return true;
    case CYPHER_GREATER: *operator= CYPHER_LESS; return true;
    case CYPHER_GREATER_EQUAL: *operator= CYPHER_LESS_EQUAL; return true;
    default: return false;
  }
}

static bool is_sargable(enum cypher_operator operator) {
  switch (operator) {
    case CYPHER_EQUAL:
    case CYPHER_LESS:
    case CYPHER_LESS_EQUAL:
    case CYPHER_GREATER:
    case CYPHER_GREATER_EQUAL:
    case CYPHER_IN:
    case CYPHER_STARTS_WITH:
    case CYPHER_ENDS_WITH:
    case CYPHER_CONTAINS: return true;
    default: return false;
  }
}

static void list_labels(struct ew_compiler *compiler, const struct ew_labels *labels, struct ew_span *found,
                        size_t *count, size_t most) {
  if (labels->kind == CYPHER_label && *count < most) found[(*count)++] = labels->name;
  if (labels->kind == CYPHER_label_and || labels->kind == CYPHER_label_colons)
    for (size_t i = 0; i < labels->count; i++) list_labels(compiler, labels->parts[i], found, count, most);
}

/* What is being gathered. */
struct gathering {
  struct ew_compiler *compiler;
  const struct ew_node_element *node;
  ew_seek_ready ready;
  const void *planner;
  EW_VECTOR(struct ew_seek) seeks;
};

static bool can_be_key(const struct gathering *gathering, const struct ew_node *tree) {
  return ew_tree_walk(tree, find_unfit, NULL) && gathering->ready(gathering->planner, tree);
}

static void gather_entries(struct gathering *gathering) {
  const struct ew_condition *condition = &gathering->node->condition;
  for (size_t i = 0; i < condition->count; i++)
    if (can_be_key(gathering, condition->values[i]->node))
      *ew_arena_vector_push(gathering->compiler->arena, &gathering->seeks) =
          (struct ew_seek){.operator= CYPHER_EQUAL, .key = condition->keys[i], .value = condition->values[i]};
}

static void gather_predicate(struct gathering *gathering, const struct ew_seek_source *source) {
  if (!cypher_is(source->tree, CYPHER_binary) || (*source->code)->count != 2) return;
  const struct cypher_binary *binary = CYPHER_AS(binary, source->tree);
  struct ew_seek seek = {.operator= binary->operator.choice, .predicate = source->tree};
  const struct ew_node *property = binary->left.node, *value = binary->right.node;
  if (!is_sargable(seek.operator)) return;
  if (!is_property_of(property, gathering->node->name)) {
    property = binary->right.node, value = binary->left.node;
    seek.turned = true;
    if (!is_property_of(property, gathering->node->name) || !turn_round(&seek.operator)) return;
  }
  if (!can_be_key(gathering, value)) return;
  seek.key = ew_compile_name(gathering->compiler, CYPHER_AS(property, property)->key.name);
  seek.value = (*source->code)->operands[seek.turned ? 0 : 1];
  *ew_arena_vector_push(gathering->compiler->arena, &gathering->seeks) = seek;
}

const struct ew_seeks *ew_compile_seeks(struct ew_compiler *compiler, const struct ew_node_element *node,
                                        const struct ew_seek_source *sources, size_t count, ew_seek_ready ready,
                                        const void *planner) {
  enum { LABELS_MAX = 8 };
  if (!node->condition.labels) return NULL;
  struct ew_span *labels = EW_NEW_ARRAY(compiler->arena, struct ew_span, LABELS_MAX);
  struct gathering gathering = {.compiler = compiler, .node = node, .ready = ready, .planner = planner};
  struct ew_seeks *seeks = EW_NEW(compiler->arena, struct ew_seeks);
  list_labels(compiler, node->condition.labels, labels, &seeks->label_count, LABELS_MAX);
  if (!seeks->label_count) return NULL;
  gather_entries(&gathering);
  for (size_t i = 0; i < count; i++) gather_predicate(&gathering, &sources[i]);
  seeks->labels = labels;
  seeks->items = gathering.seeks.items;
  seeks->count = gathering.seeks.count;
  if (ew_plants_any(&compiler->model->plants)) ew_plant_seeks(compiler, node, seeks, sources, count);
  return seeks->count ? seeks : NULL;
}

/* ---- looking up ---- */

struct lookup {
  struct ew_execution *run;
  const struct ew_seeks *seeks;
  const struct ew_index *index;
  EW_VECTOR(struct ew_node_record *) found;
};

/* The value of a seek; false where it cannot be had: the scan will show why. */
static bool evaluate_value(struct ew_execution *run, const struct ew_seek *seek, struct ew_value *value) {
  uint32_t open = run->open;
  *value = ew_evaluate(run, seek->value);
  run->open = open; /* what is open is noted where the predicate is asked */
  if (!run->failed) return true;
  if (run->error.code == EW_FAULT_LIMIT) return false;
  run->failed = false;
  run->error = (struct ew_model_error){0};
  return false;
}

/* The first entry that does not come before `value`. */
static size_t lower_bound(const struct ew_index *index, struct ew_value value) {
  size_t low = 0, high = index->entries.count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (ew_value_order(index->entries.items[middle].value, value, &index->semantics) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static bool take(struct lookup *lookup, size_t entry) {
  *ew_arena_vector_push(lookup->run->arena, &lookup->found) = lookup->index->entries.items[entry].node;
  return ew_run_spend(lookup->run, 1);
}

static void take_equal(struct lookup *lookup, struct ew_value value) {
  const struct ew_index *index = lookup->index;
  if (value.kind == EW_VALUE_NULL) return;
  for (size_t i = lower_bound(index, value); i < index->entries.count; i++) {
    if (ew_value_order(index->entries.items[i].value, value, &index->semantics) != 0) break;
    if (!take(lookup, i)) break;
  }
}

static bool take_members(struct lookup *lookup, struct ew_value list) {
  if (list.kind == EW_VALUE_NULL) return true;
  if (list.kind != EW_VALUE_LIST) return false;
  for (size_t i = 0; i < list.list.count && !lookup->run->failed; i++) take_equal(lookup, list.list.items[i]);
  return true;
}

static void take_prefix(struct lookup *lookup, struct ew_value prefix) {
  const struct ew_index *index = lookup->index;
  if (prefix.kind != EW_VALUE_STRING) return;
  for (size_t i = lower_bound(index, prefix); i < index->entries.count; i++) {
    struct ew_value value = index->entries.items[i].value;
    if (value.kind != EW_VALUE_STRING || !ew_span_starts(value.string, prefix.string) || !take(lookup, i)) break;
  }
}

static bool is_number(struct ew_value value) { return value.kind == EW_VALUE_INTEGER || value.kind == EW_VALUE_FLOAT; }

/* Whether `<` could hold between two: those stand side by side in the index. */
static bool same_class(struct ew_value a, struct ew_value b) {
  return a.kind == b.kind || (is_number(a) && is_number(b));
}

/* Whether `<` goes by the order of the index: not where that tells apart what `<` does not. */
static bool is_ordered(struct ew_value bound, const struct ew_semantics *semantics) {
  if (bound.kind == EW_VALUE_STRING || bound.kind == EW_VALUE_DATE) return true;
  return is_number(bound) && semantics->integer_float_equal && !(bound.kind == EW_VALUE_FLOAT && isnan(bound.number));
}

struct bounds {
  struct ew_value low, high; /* null where there is none */
};

/* All bounds on the key together: the highest low one and the lowest high one. */
static bool read_bounds(struct lookup *lookup, struct ew_span key, struct bounds *bounds) {
  *bounds = (struct bounds){ew_null(), ew_null()};
  for (size_t i = 0; i < lookup->seeks->count; i++) {
    const struct ew_seek *seek = &lookup->seeks->items[i];
    bool low = seek->operator== CYPHER_GREATER || seek->operator== CYPHER_GREATER_EQUAL;
    bool high = seek->operator== CYPHER_LESS || seek->operator== CYPHER_LESS_EQUAL;
    if ((!low && !high) || seek->key.bytes != key.bytes) continue;
    struct ew_value value, *bound = low ? &bounds->low : &bounds->high;
    if (!evaluate_value(lookup->run, seek, &value)) return false;
    if (value.kind == EW_VALUE_NULL) return true;
    int order = bound->kind == EW_VALUE_NULL ? 0 : ew_value_order(value, *bound, lookup->run->semantics);
    if (bound->kind == EW_VALUE_NULL || (low ? order > 0 : order < 0)) *bound = value;
  }
  return true;
}

static bool take_range(struct lookup *lookup, struct ew_span key) {
  const struct ew_index *index = lookup->index;
  struct bounds bounds;
  if (!read_bounds(lookup, key, &bounds)) return false;
  struct ew_value class = bounds.low.kind != EW_VALUE_NULL ? bounds.low : bounds.high;
  if (class.kind == EW_VALUE_NULL) return true;
  bool low = bounds.low.kind != EW_VALUE_NULL && is_ordered(bounds.low, lookup->run->semantics);
  bool high = bounds.high.kind != EW_VALUE_NULL && is_ordered(bounds.high, lookup->run->semantics);
  for (size_t i = low ? lower_bound(index, bounds.low) : 0; i < index->entries.count; i++) {
    struct ew_value value = index->entries.items[i].value;
    if (!same_class(value, class)) {
      if (low) break;
      continue;
    }
    if (high && ew_value_order(value, bounds.high, &index->semantics) > 0) break;
    if (!take(lookup, i)) break;
  }
  return true;
}

/* By the first three bytes of what is looked for; false where it is shorter. */
static bool take_trigram(struct lookup *lookup, struct ew_value part) {
  const struct ew_index *index = lookup->index;
  if (part.kind != EW_VALUE_STRING) return true;
  if (part.string.length < 3) return false;
  const unsigned char *bytes = (const unsigned char *)part.string.bytes;
  uint32_t wanted = (uint32_t)bytes[0] << 16 | (uint32_t)bytes[1] << 8 | bytes[2];
  size_t low = 0, high = index->trigrams.count, last = SIZE_MAX;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (index->trigrams.items[middle].bytes < wanted)
      low = middle + 1;
    else
      high = middle;
  }
  for (; low < index->trigrams.count && index->trigrams.items[low].bytes == wanted; low++) {
    if (index->trigrams.items[low].entry == last) continue;
    last = index->trigrams.items[low].entry;
    if (!take(lookup, last)) break;
  }
  return true;
}

/* How much a seek promises; 0 is best. A text index answers only questions about strings. */
static int rank_of(enum cypher_operator operator, bool text) {
  switch (operator) {
    case CYPHER_EQUAL: return text ? 99 : 0;
    case CYPHER_IN: return text ? 99 : 1;
    case CYPHER_STARTS_WITH: return text ? 4 : 2;
    case CYPHER_ENDS_WITH:
    case CYPHER_CONTAINS: return text ? 5 : 99;
    default: return text ? 99 : 3;
  }
}

static const struct ew_seek *choose(struct lookup *lookup) {
  const struct ew_seek *best = NULL;
  struct ew_span best_label = {0};
  bool best_text = false;
  int best_rank = 99;
  const struct ew_seeks *seeks = lookup->seeks;
  for (size_t i = 0; i < seeks->count; i++)
    for (size_t k = 0; k < seeks->label_count * 2; k++) {
      const struct ew_seek *seek = &seeks->items[i];
      bool text = k % 2;
      int rank = rank_of(seek->operator, text);
      if (rank >= best_rank || !ew_catalog_has(&lookup->run->model->schema, seeks->labels[k / 2], seek->key, text))
        continue;
      best = seek, best_label = seeks->labels[k / 2], best_text = text, best_rank = rank;
    }
  if (best) lookup->index = ew_catalog_index(lookup->run, best_label, best->key, best_text);
  return lookup->index ? best : NULL;
}

static bool look_up(struct lookup *lookup, const struct ew_seek *seek) {
  struct ew_value value;
  if (rank_of(seek->operator, false) == 3) return take_range(lookup, seek->key);
  if (!evaluate_value(lookup->run, seek, &value)) return false;
  if (lookup->index->text) return take_trigram(lookup, value);
  switch (seek->operator) {
    case CYPHER_IN: return take_members(lookup, value);
    case CYPHER_STARTS_WITH: take_prefix(lookup, value); return true;
    default: take_equal(lookup, value); return true;
  }
}

static int by_id(const void *a, const void *b) {
  const struct ew_node_record *const *left = a, *const *right = b;
  return ((*left)->value.id > (*right)->value.id) - ((*left)->value.id < (*right)->value.id);
}

bool ew_seek_run(struct ew_execution *run, const struct ew_seeks *seeks, struct ew_candidates *candidates) {
  struct lookup lookup = {.run = run, .seeks = seeks};
  const struct ew_seek *seek = choose(&lookup);
  if (!seek) return false;
  if (ew_plants_any(&run->model->plants) && ew_plant_seek(run, seeks, seek, lookup.index, candidates)) return true;
  if (!look_up(&lookup, seek)) return false;
  if (lookup.found.count) qsort(lookup.found.items, lookup.found.count, sizeof *lookup.found.items, by_id);
  size_t kept = 0;
  for (size_t i = 0; i < lookup.found.count; i++)
    if (!kept || lookup.found.items[i] != lookup.found.items[kept - 1])
      lookup.found.items[kept++] = lookup.found.items[i];
  *candidates = (struct ew_candidates){lookup.found.items, kept};
  return true;
}
