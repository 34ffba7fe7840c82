/* state.c: whether two graphs are the same but for ids, and whether how a statement ends depends on the order of rows.

   Every node gets a number from its labels and properties, then several times a new one from its own and those of its
   neighbours; the numbers of all nodes and relationships, in any order, make that of the graph. */
#include "base/hash.h"
#include "model/admissible.h"
#include "model/code.h"

enum { ROUNDS = 4, ORDERS = 4 };

static uint64_t hash_properties(uint64_t hash, struct ew_items properties, const struct ew_semantics *semantics) {
  for (size_t i = 0; i < properties.count; i++) {
    hash = ew_hash_span(properties.items[i].key, hash);
    hash = ew_hash_mix(hash, properties.items[i].value.kind);
    hash = ew_hash_mix(hash, ew_value_hash(properties.items[i].value, semantics));
  }
  return hash;
}

static uint64_t hash_node(const struct ew_node_record *node, const struct ew_semantics *semantics) {
  uint64_t hash = 1;
  for (size_t i = 0; i < node->value.label_count; i++) hash = ew_hash_span(node->value.labels[i], hash);
  return hash_properties(ew_hash_mix(hash, 2), node->value.properties, semantics);
}

static uint64_t hash_relationship(const struct ew_relationship_record *relationship,
                                  const struct ew_semantics *semantics) {
  return hash_properties(ew_hash_span(relationship->value.type, 3), relationship->value.properties, semantics);
}

/* Of a value that was returned: elements by what they are made of. */
static uint64_t hash_value(struct ew_value value, const struct ew_semantics *semantics) {
  uint64_t hash = value.kind;
  switch (value.kind) {
    case EW_VALUE_LIST:
      for (size_t i = 0; i < value.list.count; i++)
        hash = ew_hash_mix(hash, hash_value(value.list.items[i], semantics));
      return hash;
    case EW_VALUE_MAP:
      for (size_t i = 0; i < value.map.count; i++)
        hash = ew_hash_mix(ew_hash_span(value.map.items[i].key, hash), hash_value(value.map.items[i].value, semantics));
      return hash;
    case EW_VALUE_NODE: return hash_node(ew_node_record(value), semantics);
    case EW_VALUE_RELATIONSHIP: return hash_relationship(ew_relationship_record(value), semantics);
    case EW_VALUE_PATH:
      for (size_t i = 0; i < value.path->nodes.count; i++)
        hash = ew_hash_mix(hash, hash_value(value.path->nodes.items[i], semantics));
      for (size_t i = 0; i < value.path->relationships.count; i++)
        hash = ew_hash_mix(hash, hash_value(value.path->relationships.items[i], semantics));
      return hash;
    default: return ew_hash_mix(hash, ew_value_hash(value, semantics));
  }
}

uint64_t ew_rows_shape(const struct ew_rows *rows, const struct ew_semantics *semantics) {
  uint64_t shape = rows->row_count;
  for (size_t i = 0; i < rows->row_count; i++) {
    uint64_t hash = 7;
    for (size_t k = 0; k < rows->column_count; k++) hash = ew_hash_mix(hash, hash_value(ew_row(rows, i)[k], semantics));
    shape += ew_hash_mix(hash, 8);
  }
  return shape;
}

struct colours {
  struct ew_map places; /* id to place */
  uint64_t *now, *next;
};

static size_t place_of(const struct colours *colours, const struct ew_node_record *node) {
  uint64_t key = (uint64_t)node->value.id;
  return ew_map_find(&colours->places, ew_map_key_number(&key))->number;
}

static void refine(const struct ew_graph *graph, struct colours *colours, const struct ew_semantics *semantics) {
  memcpy(colours->next, colours->now, graph->nodes.count * sizeof *colours->next);
  for (size_t i = 0; i < graph->relationships.count; i++) {
    const struct ew_relationship_record *relationship = graph->relationships.items[i];
    if (relationship->deleted) continue;
    size_t start = place_of(colours, relationship->start), end = place_of(colours, relationship->end);
    uint64_t hash = hash_relationship(relationship, semantics);
    /* Sums do not depend on the order in which neighbours come. */
    colours->next[start] += ew_hash_mix(ew_hash_mix(hash, colours->now[end]), 4);
    colours->next[end] += ew_hash_mix(ew_hash_mix(hash, colours->now[start]), 5);
  }
  memcpy(colours->now, colours->next, graph->nodes.count * sizeof *colours->now);
}

uint64_t ew_graph_shape(const struct ew_graph *graph, const struct ew_semantics *semantics) {
  struct ew_arena arena;
  struct colours colours;
  ew_arena_init(&arena);
  ew_map_init(&colours.places);
  colours.now = EW_NEW_ARRAY(&arena, uint64_t, graph->nodes.count);
  colours.next = EW_NEW_ARRAY(&arena, uint64_t, graph->nodes.count);
  for (size_t i = 0; i < graph->nodes.count; i++) {
    uint64_t key = (uint64_t)graph->nodes.items[i]->value.id;
    ew_map_add(&colours.places, ew_map_key_number(&key), NULL)->number = i;
    colours.now[i] = hash_node(graph->nodes.items[i], semantics);
  }
  for (unsigned i = 0; i < ROUNDS && graph->nodes.count; i++) refine(graph, &colours, semantics);
  uint64_t shape = 0;
  for (size_t i = 0; i < graph->nodes.count; i++)
    if (!graph->nodes.items[i]->deleted) shape += ew_hash_mix(6, colours.now[i]);
  ew_map_release(&colours.places);
  ew_arena_release(&arena);
  return shape;
}

/* ---- orders ---- */

struct ending {
  bool failed;
  uint64_t graph, rows;
  struct ew_rows table; /* where something in it is open; else the number says it */
};

static struct ending ending_of(const struct ew_model *model, const struct ew_model_options *options,
                               const struct ew_model_result *result) {
  const struct ew_semantics *semantics = options->semantics ? options->semantics : &ew_semantics_standard;
  if (result->error.code) return (struct ending){.failed = true};
  return (struct ending){.graph = ew_graph_shape(&model->graph, semantics),
                         .rows = ew_rows_shape(&result->rows, semantics)};
}

static struct ew_rows copy_rows(struct ew_arena *arena, const struct ew_rows *rows) {
  struct ew_value *values = EW_NEW_ARRAY(arena, struct ew_value, rows->row_count * rows->column_count);
  for (size_t i = 0; i < rows->row_count * rows->column_count; i++) values[i] = ew_value_copy(arena, rows->values[i]);
  return (struct ew_rows){NULL, rows->column_count, values, rows->row_count};
}

/* How it ends under one order; taken back. */
static struct ending end_under(struct ew_model *model, const struct ew_plan *plan, struct ew_model_options options,
                               uint64_t permutation, struct ew_arena *kept) {
  struct ew_arena arena;
  struct ew_model_result result;
  ew_arena_init(&arena);
  options.permutation = permutation;
  options.watch = NULL;
  struct ew_graph_mark mark = ew_graph_begin(&model->graph);
  ew_model_run(model, plan, &options, &arena, &result);
  struct ending ending = ending_of(model, &options, &result);
  if (result.open && !ending.failed) ending.table = copy_rows(kept, &result.rows);
  ew_graph_rollback(&model->graph, mark);
  ew_arena_release(&arena);
  return ending;
}

/* Rows may differ as far as they are open anyway. */
static bool same_ending(const struct ending *own, const struct ending *other, const struct ew_model_options *options,
                        const struct ew_model_result *result, struct ew_arena *arena) {
  const struct ew_semantics *semantics = options->semantics ? options->semantics : &ew_semantics_standard;
  if (own->failed != other->failed || own->graph != other->graph) return false;
  if (own->rows == other->rows) return true;
  if (!result->open || !other->table.column_count) return false;
  struct ew_admissible admissible = ew_admissible_of(arena, result);
  struct ew_why why;
  return admissible.expected.kind == EW_EXPECT_ROWS &&
         ew_expectation_judge(&admissible.expected, &other->table, semantics, arena, &why) == EW_HOLDS;
}

void ew_model_run_permuted(struct ew_model *model, const struct ew_plan *plan, const struct ew_model_options *options,
                           struct ew_arena *arena, struct ew_model_result *result) {
  struct ending endings[ORDERS];
  size_t orders = plan->writes ? ORDERS : 0;
  for (size_t i = 0; i < orders; i++) endings[i] = end_under(model, plan, *options, i + 1, arena);
  ew_model_run(model, plan, options, arena, result);
  struct ending own = orders ? ending_of(model, options, result) : (struct ending){0};
  for (size_t i = 0; i < orders; i++)
    if (!same_ending(&own, &endings[i], options, result, arena)) result->open |= UINT32_C(1) << EW_OPEN_WRITE_ORDER;
}
