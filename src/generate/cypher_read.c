/* cypher_read.c: MATCH with its hints, UNWIND, procedures. */
#include "generate/cypher_clause.h"
#include "generate/cypher_seek.h"

enum {
  MATCH_WHERE_PERCENT = 65,
  OPTIONAL_WHERE_PERCENT = 45,
  EMPTY_UNWIND_PERCENT = 15,
  ODD_UNWIND_PERCENT = 5, /* of UNWIND: any expression, not a literal, name, property or call */
  SCAN_HINT_PERCENT = 3,
  INDEX_HINT_PERCENT = 25, /* where an index fits */
  DIFFERENT_PERCENT = 2,
  PLAIN_DEPTH = 4, /* of a predicate that the statement is about, in place of 1 */
};

/* ---- MATCH ---- */

/* `plain`: it is what the statement is about. */
static const struct ew_node *draw_where(struct ew_cypher_writer *writer, unsigned percent, bool plain) {
  if (!ew_writer_has(writer, EW_HAS_WHERE) || !ew_writer_chance(writer, percent)) return NULL;
  unsigned depth = ew_cypher_draw_depth(writer), most = writer->options->dials[EW_DIAL_depth];
  if (plain && depth == 1) depth = most < PLAIN_DEPTH ? most : PLAIN_DEPTH;
  return ew_cypher_draw_predicate(writer, depth);
}

/* The first node of the patterns that has a name and just one label; NULL where there is none. */
static const struct cypher_node_pattern *find_labelled(struct ew_list patterns) {
  for (size_t i = 0; i < patterns.count; i++) {
    struct ew_list elements = CYPHER_AS(path, patterns.items[i])->elements.list;
    if (CYPHER_AS(path, patterns.items[i])->selector.choice) continue;
    for (size_t k = 0; k < elements.count; k += 2) {
      const struct cypher_node_pattern *node = CYPHER_AS(node_pattern, elements.items[k]);
      if (!cypher_is(elements.items[k], CYPHER_node_pattern)) break;
      if (node->variable.name.length && cypher_is(node->labels.node, CYPHER_label)) return node;
    }
  }
  return NULL;
}

static const struct ew_cypher_index *find_index(const struct ew_cypher_world *world, struct ew_span label) {
  for (size_t i = 0; i < world->index_count; i++)
    if (!world->indexes[i].text && ew_span_equal(world->indexes[i].label, label)) return &world->indexes[i];
  return NULL;
}

/* USING INDEX n:L(p) and a predicate on n.p for it, or USING SCAN n:L; nothing most often. */
static struct ew_list draw_hints(struct ew_cypher_writer *writer, struct ew_list patterns,
                                 const struct ew_node **predicate) {
  const struct cypher_node_pattern *node = find_labelled(patterns);
  if (!node) return (struct ew_list){0};
  struct ew_span variable = node->variable.name, label = CYPHER_AS(label, node->labels.node)->name.name;
  const struct ew_cypher_index *index = find_index(writer->world, label);
  const struct ew_node *hint = NULL;
  if (index && ew_writer_has(writer, EW_HAS_HINT_INDEX) && ew_writer_chance(writer, INDEX_HINT_PERCENT)) {
    const struct ew_node *left = ew_writer_property(writer, variable, index->key);
    const struct ew_value *value = ew_writer_other_value(writer, index->key);
    const struct ew_node *right = value ? ew_writer_constant(writer, *value) : ew_writer_integer(writer, 1);
    *predicate =
        CYPHER(writer->builder, binary, .operator.choice = CYPHER_EQUAL, .left.node = left, .right.node = right);
    bool seek = ew_writer_has(writer, EW_HAS_HINT_INDEX_SEEK) && ew_writer_chance(writer, 20);
    hint = CYPHER(writer->builder, hint_index, .seek.flag = seek, .variable.name = variable, .label.name = label,
                  .properties.names = ew_names_of(writer->builder, &index->key, 1));
  } else if (ew_writer_has(writer, EW_HAS_HINT_SCAN) && ew_writer_chance(writer, SCAN_HINT_PERCENT)) {
    hint = CYPHER(writer->builder, hint_scan, .variable.name = variable, .label.name = label);
  }
  return hint ? ew_list_of(writer->builder, &hint, 1) : (struct ew_list){0};
}

static void count_rows(struct ew_cypher_query *query, struct ew_list patterns) {
  size_t nodes = query->writer->world->model.graph.nodes.count;
  for (size_t i = 0; i < patterns.count; i++) {
    size_t elements = CYPHER_AS(path, patterns.items[i])->elements.list.count;
    for (size_t k = 0; k < elements; k += 2) query->rows *= k ? 3 : 1 + nodes / 2;
  }
}

static const struct ew_node *conjoin(struct ew_cypher_writer *writer, const struct ew_node *a,
                                     const struct ew_node *b) {
  if (!a || !b || !writer->dialect->operators[CYPHER_AND]) return a ? a : b;
  return CYPHER(writer->builder, binary, .operator.choice = CYPHER_AND, .left.node = a, .right.node = b);
}

static void make_nullable(struct ew_cypher_writer *writer, size_t from) {
  for (size_t i = from; i < writer->count; i++) writer->variables[i].nullable = true;
}

bool ew_cypher_write_match(struct ew_cypher_query *query, bool optional) {
  struct ew_cypher_writer *writer = query->writer;
  struct ew_exact_mark before = {0};
  const struct ew_node *hinted = NULL;
  size_t count = writer->count;
  if (optional && writer->exact) before = ew_exact_mark(writer);
  struct ew_list patterns = ew_cypher_draw_patterns(writer, optional, query->plain);
  if (optional) make_nullable(writer, count);
  struct ew_list hints = optional ? (struct ew_list){0} : draw_hints(writer, patterns, &hinted);
  if (!hints.count) hinted = ew_cypher_draw_seek(writer, patterns);
  enum cypher_matching matching = CYPHER_MATCHING_DEFAULT;
  if (ew_writer_has(writer, EW_HAS_DIFFERENT_RELATIONSHIPS) && ew_writer_chance(writer, DIFFERENT_PERCENT))
    matching = CYPHER_MATCHING_DIFFERENT; /* what is the case anyway */
  const struct ew_node *bare = CYPHER(writer->builder, match, .optional.flag = optional, .matching.choice = matching,
                                      .patterns.list = patterns, .hints.list = hints, .where.node = hinted);
  if (!ew_exact_apply(writer, bare)) return false;
  unsigned percent = query->plain ? 100 : optional ? OPTIONAL_WHERE_PERCENT : MATCH_WHERE_PERCENT;
  const struct ew_node *where = draw_where(writer, percent, query->plain);
  where = ew_exact_steer(writer, where);
  count_rows(query, patterns);
  if (!where) return ew_query_add(query, bare), true;
  const struct ew_node *clause =
      CYPHER(writer->builder, match, .optional.flag = optional, .matching.choice = matching, .patterns.list = patterns,
             .hints.list = hints, .where.node = conjoin(writer, hinted, where));
  if (!optional) {
    if (!ew_exact_filter(writer, where)) return false;
  } else if (writer->exact) {
    ew_session_rewind(&writer->exact->session, before.session);
    if (!ew_exact_apply(writer, clause)) return false;
  }
  return ew_query_add(query, clause), true;
}

/* ---- UNWIND ---- */

const struct ew_node *ew_cypher_draw_unwound(struct ew_cypher_writer *writer, enum ew_draw_type element) {
  enum ew_draw_type type = ew_draw_list_of(element);
  struct ew_cypher_lookup lookup;
  const struct ew_node *list = NULL;
  unsigned depth = ew_cypher_draw_item_depth(writer);
  if (ew_writer_chance(writer, ODD_UNWIND_PERCENT)) return ew_cypher_draw_expression(writer, type, depth);
  switch (ew_writer_below(writer, 6)) {
    case 0:
      if (ew_cypher_draw_lookup(writer, type, &lookup))
        list = ew_writer_property(writer, lookup.variable->name, lookup.property->name);
      break;
    case 1: {
      const struct ew_cypher_variable *variable = ew_writer_pick_variable(writer, type);
      if (variable) list = ew_writer_name(writer, variable->name);
      break;
    }
    case 2: list = ew_cypher_draw_call(writer, type, depth + 1); break;
    default: break;
  }
  if (!list) list = ew_cypher_draw_list(writer, type, depth + 1);
  bool empty = cypher_is(list, CYPHER_list) && !CYPHER_AS(list, list)->items.list.count;
  if (empty && !ew_writer_chance(writer, EMPTY_UNWIND_PERCENT)) list = NULL; /* no rows: little is tested behind it */
  return list ? list : ew_cypher_draw_expression(writer, type, 0);
}

bool ew_cypher_write_unwind(struct ew_cypher_query *query) {
  static const enum ew_draw_type elements[] = {EW_DRAW_INTEGER, EW_DRAW_INTEGER,      EW_DRAW_STRING, EW_DRAW_FLOAT,
                                               EW_DRAW_BOOLEAN, EW_DRAW_RELATIONSHIP, EW_DRAW_ANY};
  struct ew_cypher_writer *writer = query->writer;
  enum ew_draw_type element = EW_RANDOM_PICK(writer->random, elements);
  if (element == EW_DRAW_RELATIONSHIP && !ew_writer_can_name(writer, ew_draw_list_of(element)))
    element = EW_DRAW_INTEGER;
  const struct ew_node *list = ew_cypher_draw_unwound(writer, element);
  struct ew_span name = ew_writer_fresh_name(writer, 'u');
  const struct ew_node *clause = CYPHER(writer->builder, unwind, .list.node = list, .variable.name = name);
  ew_writer_bind(writer, (struct ew_cypher_variable){.name = name, .type = element, .nullable = true});
  query->rows *= 3;
  if (!ew_exact_apply(writer, clause)) return false;
  return ew_query_add(query, clause), true;
}

/* ---- CALL db.labels() ---- */

bool ew_cypher_write_procedure(struct ew_cypher_query *query) {
  struct ew_cypher_writer *writer = query->writer;
  if (!writer->world->procedure_count) return true;
  const struct ew_cypher_procedure *procedure =
      &writer->world->procedures[ew_writer_below(writer, writer->world->procedure_count)];
  struct ew_span name = ew_writer_fresh_name(writer, 'd');
  const struct ew_node *yield =
      CYPHER(writer->builder, yield, .name.name = ew_span_of(procedure->output), .alias.name = name);
  const struct ew_node *clause = CYPHER(writer->builder, call_procedure, .name.name = ew_span_of(procedure->name),
                                        .explicit.flag = true, .yields.list = ew_list_of(writer->builder, &yield, 1));
  ew_writer_bind(writer, (struct ew_cypher_variable){.name = name, .type = EW_DRAW_STRING});
  query->rows *= 3;
  if (!ew_exact_apply(writer, clause)) return false;
  return ew_query_add(query, clause), true;
}
