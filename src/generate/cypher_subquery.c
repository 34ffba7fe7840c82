/* cypher_subquery.c: patterns and small queries in expressions, each from a node in scope. */
#include "generate/cypher_expression.h"

enum { WHERE_PERCENT = 40, HOPS_MAX = 3, DISTINCT_PERCENT = 40 };

static const struct ew_node *make_query(struct ew_cypher_writer *writer, const struct ew_node *const *clauses,
                                        size_t count) {
  return CYPHER(writer->builder, query, .clauses.list = ew_list_of(writer->builder, clauses, count));
}

/* MATCH with one path from a node in scope; its variables stay in scope. NULL where there is no such path. */
static const struct ew_node *draw_match(struct ew_cypher_writer *writer, unsigned depth) {
  const struct ew_node *where = NULL, *path = ew_cypher_draw_anchored_path(writer, true, HOPS_MAX);
  if (!path) return NULL;
  if (ew_writer_has(writer, EW_HAS_WHERE) && ew_writer_chance(writer, WHERE_PERCENT))
    where = ew_cypher_draw_predicate(writer, depth - 1);
  return CYPHER(writer->builder, match, .patterns.list = ew_list_of(writer->builder, &path, 1), .where.node = where);
}

/* RETURN e AS name, with DISTINCT now and then. */
static const struct ew_node *draw_return(struct ew_cypher_writer *writer, enum ew_draw_type type, unsigned depth) {
  bool distinct = ew_writer_has(writer, EW_HAS_DISTINCT) && ew_writer_chance(writer, DISTINCT_PERCENT);
  bool predicate = writer->predicate;
  writer->predicate = false;
  const struct ew_node *expression = ew_cypher_draw_expression(writer, type, depth);
  writer->predicate = predicate;
  struct ew_span name = ew_writer_fresh_name(writer, 'w');
  const struct ew_node *item = CYPHER(writer->builder, item, .expression.node = expression, .alias.name = name);
  const struct ew_node *projection = CYPHER(writer->builder, projection, .distinct.flag = distinct,
                                            .items.list = ew_list_of(writer->builder, &item, 1));
  return CYPHER(writer->builder, return, .projection.node = projection);
}

static const struct ew_node *make_subquery(struct ew_cypher_writer *writer, enum cypher_subquery_form form, bool bare,
                                           const struct ew_node *body) {
  return CYPHER(writer->builder, subquery, .form.choice = form, .bare.flag = bare, .body.node = body);
}

const struct ew_node *ew_cypher_draw_exists(struct ew_cypher_writer *writer, enum ew_draw_type type, unsigned depth) {
  size_t outside = writer->count;
  bool predicate = writer->predicate;
  (void)type;
  writer->predicate = false; /* not in the maps of its pattern */
  const struct ew_node *match = draw_match(writer, depth);
  writer->predicate = predicate;
  writer->count = outside;
  if (!match) return NULL;
  bool bare = predicate && ew_writer_chance(writer, 40); /* as a value, some engines want MATCH */
  return make_subquery(writer, CYPHER_EXISTS, bare, make_query(writer, &match, 1));
}

/* COUNT { (a)-->(b) }, COUNT { MATCH (a)-->(b) RETURN DISTINCT b.p AS w } */
const struct ew_node *ew_cypher_draw_count_subquery(struct ew_cypher_writer *writer, enum ew_draw_type type,
                                                    unsigned depth) {
  const struct ew_node *clauses[2];
  size_t outside = writer->count, count = 1;
  (void)type;
  clauses[0] = draw_match(writer, depth);
  if (clauses[0] && ew_writer_chance(writer, 35)) clauses[count++] = draw_return(writer, EW_DRAW_ANY, depth / 2);
  writer->count = outside;
  if (!clauses[0]) return NULL;
  bool bare = count == 1 && ew_writer_chance(writer, 50);
  return make_subquery(writer, CYPHER_COUNT, bare, make_query(writer, clauses, count));
}

/* Lists of matches are in an order that nobody promised. */
static bool may_list_matches(const struct ew_cypher_writer *writer) { return ew_writer_is_free(writer); }

const struct ew_node *ew_cypher_draw_collect_subquery(struct ew_cypher_writer *writer, enum ew_draw_type type,
                                                      unsigned depth) {
  const struct ew_node *clauses[2];
  size_t outside = writer->count;
  if (!may_list_matches(writer)) return NULL;
  clauses[0] = draw_match(writer, depth);
  if (!clauses[0]) return NULL;
  clauses[1] = draw_return(writer, ew_draw_element_of(type), depth - 1);
  writer->count = outside;
  return make_subquery(writer, CYPHER_COLLECT, false, make_query(writer, clauses, EW_COUNT(clauses)));
}

const struct ew_node *ew_cypher_draw_pattern_predicate(struct ew_cypher_writer *writer, enum ew_draw_type type,
                                                       unsigned depth) {
  (void)type;
  (void)depth;
  if (!writer->predicate) return NULL;
  writer->predicate = false; /* not in the maps of its nodes */
  const struct ew_node *path = ew_cypher_draw_anchored_path(writer, false, HOPS_MAX);
  writer->predicate = true;
  return path ? CYPHER(writer->builder, pattern_expression, .pattern.node = path) : NULL;
}

/* [(n)-->(m) WHERE p | e] */
const struct ew_node *ew_cypher_draw_pattern_comprehension(struct ew_cypher_writer *writer, enum ew_draw_type type,
                                                           unsigned depth) {
  const struct ew_node *where = NULL;
  size_t outside = writer->count;
  if (!may_list_matches(writer)) return NULL;
  const struct ew_node *path = ew_cypher_draw_anchored_path(writer, true, ew_writer_chance(writer, 90) ? 1 : HOPS_MAX);
  if (!path) return NULL;
  if (ew_writer_chance(writer, WHERE_PERCENT)) where = ew_cypher_draw_expression(writer, EW_DRAW_BOOLEAN, depth - 1);
  const struct ew_node *result = ew_cypher_draw_expression(writer, ew_draw_element_of(type), depth - 1);
  writer->count = outside;
  return CYPHER(writer->builder, pattern_comprehension, .pattern.node = path, .where.node = where,
                .result.node = result);
}
