/* cypher_nested.c: CALL { … } in both forms of import.

   What is within is drawn without the model, over witnesses that are known outside; the whole is run as one clause. */
#include "generate/cypher_clause.h"

enum {
  LEVELS_MAX = 2, /* of subqueries in subqueries */
  IMPORTS_MAX = 3,
  SCOPED_PERCENT = 60, /* CALL (n) { … }, where the profile has it; else CALL { WITH n … } */
  STAR_PERCENT = 12,   /* of those: CALL (*) */
  UNIT_PERCENT = 45,   /* without RETURN, where it writes */
};

static const unsigned clause_counts[] = {8, 52, 28, 12};

/* ---- what is seen within ---- */

struct outside {
  struct ew_cypher_variable *variables;
  size_t count, stale_count;
  struct ew_cypher_exact *exact;
};

static struct outside leave_scope(struct ew_cypher_writer *writer) {
  struct outside outside = {.count = writer->count, .stale_count = writer->stale_count, .exact = writer->exact};
  size_t size = ew_array_size(writer->count, sizeof *outside.variables);
  outside.variables = ew_arena_take(writer->builder->arena, size);
  if (size) memcpy(outside.variables, writer->variables, size);
  writer->exact = NULL;
  return outside;
}

static void enter_scope(struct ew_cypher_writer *writer, struct outside outside) {
  if (outside.count) memcpy(writer->variables, outside.variables, outside.count * sizeof *outside.variables);
  writer->count = outside.count;
  writer->stale_count = outside.stale_count;
  writer->exact = outside.exact;
}

/* Some of the variables are left in scope. */
static size_t draw_imports(struct ew_cypher_writer *writer, struct ew_span *names) {
  size_t count = 0, most = writer->count < IMPORTS_MAX ? writer->count : IMPORTS_MAX;
  size_t wanted = most ? (ew_writer_chance(writer, 75) ? 1 + ew_writer_below(writer, most) : 0) : 0;
  while (count < wanted) {
    size_t pick = count + ew_writer_below(writer, writer->count - count);
    struct ew_cypher_variable picked = writer->variables[pick];
    writer->variables[pick] = writer->variables[count];
    writer->variables[count] = picked;
    names[count++] = picked.name;
  }
  writer->count = count;
  return count;
}

static const struct ew_node *importing_with(struct ew_cypher_writer *writer, const struct ew_span *names,
                                            size_t count) {
  const struct ew_node *items[IMPORTS_MAX];
  for (size_t i = 0; i < count; i++) {
    const struct ew_node *name = ew_writer_name(writer, names[i]);
    items[i] = CYPHER(writer->builder, item, .expression.node = name);
  }
  const struct ew_node *projection =
      CYPHER(writer->builder, projection, .items.list = ew_list_of(writer->builder, items, count));
  return CYPHER(writer->builder, with, .projection.node = projection);
}

/* ---- CALL ---- */

/* RETURN e AS w, …; what it returns joins the scope outside. */
static void write_results(struct ew_cypher_query *body, struct ew_cypher_variable *results, size_t *count) {
  struct ew_cypher_writer *writer = body->writer;
  const struct ew_node *items[2];
  bool again = *count > 0; /* a second branch of a union has the same columns */
  if (!again) *count = 1 + ew_writer_chance(writer, 35);
  for (size_t i = 0; i < *count; i++) {
    const struct ew_node *expression;
    if (again) {
      expression = ew_cypher_draw_expression(writer, results[i].type, ew_cypher_draw_item_depth(writer));
    } else {
      results[i] = (struct ew_cypher_variable){.nullable = true};
      expression = ew_cypher_draw_item(writer, &results[i].type);
      results[i].name = ew_writer_fresh_name(writer, 'w');
    }
    items[i] = CYPHER(writer->builder, item, .expression.node = expression, .alias.name = results[i].name);
  }
  const struct ew_node *made =
      CYPHER(writer->builder, projection, .items.list = ew_list_of(writer->builder, items, *count));
  ew_query_add(body, CYPHER(writer->builder, return, .projection.node = made));
}

static void write_body(struct ew_cypher_query *body) {
  struct ew_cypher_writer *writer = body->writer;
  bool writing = writer->purpose == EW_PURPOSE_ANY || writer->purpose == EW_PURPOSE_EXACT;
  size_t count = ew_random_weighted(writer->random, clause_counts, EW_COUNT(clause_counts));
  for (size_t i = 0; i < count; i++) ew_cypher_write_clause(body, i == 0, writing);
}

bool ew_cypher_write_call(struct ew_cypher_query *query) {
  struct ew_cypher_writer *writer = query->writer;
  struct ew_cypher_query body = {.writer = writer, .rows = query->rows, .level = query->level + 1};
  struct ew_cypher_variable results[2];
  struct ew_span imports[IMPORTS_MAX];
  size_t result_count = 0;
  if (query->level >= LEVELS_MAX) return true;
  struct outside outside = leave_scope(writer);
  bool scoped = ew_writer_has(writer, EW_HAS_CALL_SCOPED) && ew_writer_chance(writer, SCOPED_PERCENT);
  bool star =
      scoped && writer->count && !query->level && !writer->stale_count && ew_writer_chance(writer, STAR_PERCENT);
  size_t import_count = star ? 0 : draw_imports(writer, imports);
  if (!scoped && import_count) ew_query_add(&body, importing_with(writer, imports, import_count));
  write_body(&body);
  bool unit = ew_query_may_end(&body) && ew_writer_chance(writer, UNIT_PERCENT);
  if (!unit) write_results(&body, results, &result_count);
  const struct ew_node *made = ew_cypher_make_query(&body);
  enter_scope(writer, outside);
  const struct ew_node *clause =
      CYPHER(writer->builder, call_subquery, .scoped.flag = scoped, .star.flag = star,
             .imports.names = ew_names_of(writer->builder, imports, scoped ? import_count : 0), .body.node = made);
  for (size_t i = 0; i < result_count; i++) ew_writer_bind(writer, results[i]);
  query->rows = body.rows;
  query->called = true;
  query->wrote |= body.wrote;
  query->unsettled |= body.wrote;
  if (!ew_exact_apply(writer, clause)) return false;
  return ew_query_add(query, clause), true;
}
