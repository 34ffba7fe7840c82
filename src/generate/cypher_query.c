/* cypher_query.c: whole read queries, clause by clause.

   A query is a few reading clauses, projections between them, and RETURN; two or three of them may form a union. What
   a partition needs (generate.h) narrows the choices: no order, no limit, no DISTINCT at the end, nothing whose value
   depends on the order of rows, and every relationship of a MATCH is mentioned by a projection behind it, because one
   engine matches an unmentioned one only for existence. */
#include "generate/cypher_writer.h"

enum {
  ITEMS_MAX = EW_CYPHER_SCOPE_MAX,
  SCOPE_FULL = 24, /* no clause that binds more variables is written then */
  UNION_PERCENT = 7,
  UNION_THIRD_PERCENT = 15,
  GRAPHLESS_PERCENT = 5,
  MATCH_WHERE_PERCENT = 50,
  OPTIONAL_WHERE_PERCENT = 35,
  WITH_STAR_PERCENT = 8,
  WITH_AGGREGATE_PERCENT = 22,
  WITH_WHERE_PERCENT = 30,
  WITH_DISTINCT_PERCENT = 12,
  WITH_ORDER_PERCENT = 15,
  KEEP_PERCENT = 75, /* of variables, by a WITH */
  RENAME_PERCENT = 15,
  RETURN_COUNT_PERCENT = 14, /* a partition that counts */
  RETURN_AGGREGATE_PERCENT = 20,
  RETURN_DISTINCT_PERCENT = 15,
  RETURN_ORDER_PERCENT = 25,
  BRANCH_ORDER_PERCENT = 4, /* the same in a branch of a union */
  AFTER_SORT_PERCENT = 40,  /* SKIP or LIMIT behind a total order */
  EMPTY_UNWIND_PERCENT = 15,
  ODD_UNWIND_PERCENT = 5, /* of UNWIND: any expression, not a literal, name, property or call */
  ODD_CALL_PERCENT = 8,   /* CALL with WITH, or in a union: not every engine that has it has it there */
  ROWS_MAX = 4000,        /* a rough bound on rows before a clause that multiplies them is left out */
};

enum clause { CLAUSE_MATCH, CLAUSE_OPTIONAL, CLAUSE_UNWIND, CLAUSE_WITH, CLAUSE_CALL, CLAUSES };

static const unsigned clause_weights[CLAUSES] = {40, 20, 12, 24, 5};
static const unsigned first_weights[CLAUSES] = {84, 5, 10, 0, 2};
static const unsigned clause_counts[] = {0, 42, 28, 18, 8, 4};    /* 1 … 5 clauses before RETURN */
static const unsigned partition_counts[] = {0, 55, 28, 12, 5};    /* the same for a partition */
static const unsigned depth_weights[] = {0, 20, 32, 26, 14, 8};   /* depth 1 … 5 of predicates */
static const unsigned item_depth_weights[] = {34, 30, 22, 10, 4}; /* depth 0 … 4 of expressions that are no predicate */
static const unsigned item_counts[] = {0, 38, 34, 18, 10};        /* 1 … 4 items */
static const unsigned item_kinds[] = {30, 30, 40};                /* a variable, a property, an expression */

/* What a query is made into. */
struct query {
  struct ew_cypher_writer *writer;
  EW_VECTOR(const struct ew_node *) clauses;
  size_t rows;          /* a rough guess at how many rows reach this point */
  unsigned next_column; /* its number */
  /* Columns that the first branch of a union has; 0 outside of one. */
  enum ew_draw_type columns[ITEMS_MAX];
  size_t column_count;
  bool branch;            /* of a union */
  bool projected, called; /* has a WITH, a CALL so far */
};

static bool partition(const struct query *query) { return query->writer->purpose == EW_PURPOSE_PARTITION; }

static void add_clause(struct query *query, const struct ew_node *clause) {
  *ew_arena_vector_push(query->writer->builder->arena, &query->clauses) = clause;
}

static unsigned draw_depth(struct ew_cypher_writer *writer, const unsigned *weights, size_t count) {
  return (unsigned)ew_random_weighted(writer->random, weights, count);
}
#define DRAW_DEPTH(writer, weights) draw_depth((writer), (weights), EW_COUNT(weights))

static const struct ew_node *draw_where(struct ew_cypher_writer *writer, unsigned percent) {
  if (!ew_writer_has(writer, EW_HAS_WHERE) || !ew_writer_chance(writer, percent)) return NULL;
  return ew_cypher_draw_predicate(writer, DRAW_DEPTH(writer, depth_weights));
}

/* ---- reading clauses ---- */

static void write_match(struct query *query, bool optional) {
  struct ew_cypher_writer *writer = query->writer;
  size_t nodes = writer->world->model.graph.nodes.count;
  struct ew_list patterns = ew_cypher_draw_patterns(writer, optional);
  const struct ew_node *where = draw_where(writer, optional ? OPTIONAL_WHERE_PERCENT : MATCH_WHERE_PERCENT);
  add_clause(query,
             CYPHER(writer->builder, match, .optional.flag = optional, .patterns.list = patterns, .where.node = where));
  for (size_t i = 0; i < patterns.count; i++) {
    size_t elements = CYPHER_AS(path, patterns.items[i])->elements.list.count;
    for (size_t k = 0; k < elements; k += 2) query->rows *= k ? 3 : 1 + nodes / 2;
  }
}

/* What UNWIND may run over; some engines take no other expression. */
static const struct ew_node *draw_unwound(struct ew_cypher_writer *writer, enum ew_draw_type element) {
  enum ew_draw_type type = ew_draw_list_of(element);
  struct ew_cypher_lookup lookup;
  const struct ew_node *list = NULL;
  unsigned depth = DRAW_DEPTH(writer, item_depth_weights);
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

static void write_unwind(struct query *query) {
  static const enum ew_draw_type elements[] = {EW_DRAW_INTEGER, EW_DRAW_INTEGER, EW_DRAW_STRING,
                                               EW_DRAW_FLOAT,   EW_DRAW_BOOLEAN, EW_DRAW_RELATIONSHIP};
  struct ew_cypher_writer *writer = query->writer;
  enum ew_draw_type element = EW_RANDOM_PICK(writer->random, elements);
  if (element == EW_DRAW_RELATIONSHIP && !ew_writer_can_name(writer, ew_draw_list_of(element)))
    element = EW_DRAW_INTEGER;
  const struct ew_node *list = draw_unwound(writer, element);
  struct ew_span name = ew_writer_fresh_name(writer, 'u');
  add_clause(query, CYPHER(writer->builder, unwind, .list.node = list, .variable.name = name));
  ew_writer_bind(writer, (struct ew_cypher_variable){.name = name, .type = element});
  query->rows *= 3;
}

/* ---- projections ---- */

/* A projection under construction: its items and what is in scope behind it. */
struct projection {
  const struct ew_node *items[ITEMS_MAX];
  struct ew_cypher_variable variables[ITEMS_MAX];
  size_t count;
};

static void add_item(struct ew_cypher_writer *writer, struct projection *projection, const struct ew_node *expression,
                     struct ew_cypher_variable variable) {
  if (projection->count == ITEMS_MAX) return;
  projection->variables[projection->count] = variable;
  projection->items[projection->count++] =
      CYPHER(writer->builder, item, .expression.node = expression, .alias.name = variable.name);
}

static void add_variable(struct ew_cypher_writer *writer, struct projection *projection,
                         struct ew_cypher_variable variable, struct ew_span alias) {
  const struct ew_node *expression = ew_writer_name(writer, variable.name);
  variable.name = alias;
  variable.pattern = false;
  add_item(writer, projection, expression, variable);
}

/* An expression that mentions a variable: a path by its length, because few engines handle paths well as values. */
static const struct ew_node *mention(struct ew_cypher_writer *writer, const struct ew_cypher_variable *variable,
                                     enum ew_draw_type *type) {
  const struct ew_node *length =
      variable->type == EW_DRAW_PATH ? ew_cypher_of_path(writer, variable->name, EW_DRAW_INTEGER) : NULL;
  *type = length ? EW_DRAW_INTEGER : variable->type;
  return length ? length : ew_writer_name(writer, variable->name);
}

static bool must_mention(const struct query *query, const struct ew_cypher_variable *variable) {
  return partition(query) && variable->pattern;
}

static void add_mention(struct query *query, struct projection *projection, const struct ew_cypher_variable *variable) {
  struct ew_cypher_variable mentioned = {.known = false};
  const struct ew_node *expression = mention(query->writer, variable, &mentioned.type);
  mentioned.name = ew_writer_fresh_name(query->writer, 'w');
  add_item(query->writer, projection, expression, mentioned);
}

static enum ew_draw_type draw_item_type(struct ew_cypher_writer *writer) {
  static const struct {
    enum ew_draw_type type;
    unsigned weight;
  } types[] = {
      {EW_DRAW_INTEGER, 30},
      {EW_DRAW_STRING, 24},
      {EW_DRAW_FLOAT, 15},
      {EW_DRAW_BOOLEAN, 15},
      {EW_DRAW_LIST + EW_DRAW_INTEGER, 6},
      {EW_DRAW_LIST + EW_DRAW_STRING, 5},
      {EW_DRAW_LIST + EW_DRAW_ANY, 2},
      {EW_DRAW_MAP, 3},
      {EW_DRAW_NODE, 4},
  };
  unsigned weights[EW_COUNT(types)];
  for (size_t i = 0; i < EW_COUNT(types); i++)
    weights[i] = types[i].type == EW_DRAW_NODE && !ew_writer_can_name(writer, EW_DRAW_NODE) ? 0 : types[i].weight;
  return types[ew_random_weighted(writer->random, weights, EW_COUNT(weights))].type;
}

/* An expression worth returning, and its type. */
static const struct ew_node *draw_item(struct ew_cypher_writer *writer, enum ew_draw_type *type) {
  struct ew_cypher_lookup lookup;
  switch (ew_random_weighted(writer->random, item_kinds, EW_COUNT(item_kinds))) {
    case 0: {
      if (!writer->count) break;
      const struct ew_cypher_variable *variable = &writer->variables[ew_writer_below(writer, writer->count)];
      *type = variable->type;
      return ew_writer_name(writer, variable->name);
    }
    case 1:
      if (!ew_cypher_draw_lookup(writer, EW_DRAW_ANY, &lookup)) break;
      *type = ew_writer_type_of(lookup.property->type);
      return ew_writer_property(writer, lookup.variable->name, lookup.property->name);
    default: break;
  }
  *type = draw_item_type(writer);
  return ew_cypher_draw_expression(writer, *type, 1 + DRAW_DEPTH(writer, item_depth_weights));
}

static bool orderable(enum ew_draw_type type) { return ew_draw_is_scalar(type); }

/* ORDER BY over all columns, so that SKIP and LIMIT behind it are determined; over some of them without those. */
static const struct ew_node *make_projection(struct query *query, const struct projection *projection, bool distinct,
                                             unsigned order_percent) {
  struct ew_cypher_writer *writer = query->writer;
  const struct ew_node *skip = NULL, *limit = NULL, *sorts[ITEMS_MAX];
  size_t sort_count = 0;
  bool total = true;
  for (size_t i = 0; i < projection->count; i++) total = total && orderable(projection->variables[i].type);
  if (!partition(query) && ew_writer_has(writer, EW_HAS_ORDER_BY) && ew_writer_chance(writer, order_percent)) {
    bool cut = total && ew_writer_chance(writer, AFTER_SORT_PERCENT);
    for (size_t i = 0; i < projection->count; i++) {
      if (!orderable(projection->variables[i].type) || (!cut && ew_writer_chance(writer, 30))) continue;
      bool descending = ew_writer_chance(writer, 40);
      const struct ew_node *key = ew_writer_name(writer, projection->variables[i].name);
      sorts[sort_count++] = CYPHER(writer->builder, sort, .expression.node = key, .descending.flag = descending);
    }
    if (cut && ew_writer_has(writer, EW_HAS_SKIP) && ew_writer_chance(writer, 35))
      skip = ew_writer_integer(writer, ew_writer_below(writer, 3));
    if (cut && ew_writer_has(writer, EW_HAS_LIMIT) && (!skip || ew_writer_chance(writer, 50)))
      limit = ew_writer_integer(writer, ew_writer_chance(writer, 5) ? 0 : 1 + ew_writer_below(writer, 6));
  }
  struct ew_list items = ew_list_of(writer->builder, projection->items, projection->count);
  struct ew_list order = ew_list_of(writer->builder, sorts, sort_count);
  return CYPHER(writer->builder, projection, .distinct.flag = distinct, .items.list = items, .order.list = order,
                .skip.node = skip, .limit.node = limit);
}

/* ---- WITH ---- */

static void set_scope(struct ew_cypher_writer *writer, const struct projection *projection) {
  memcpy(writer->variables, projection->variables, projection->count * sizeof *projection->variables);
  writer->count = projection->count;
}

static void project_kept(struct query *query, struct projection *projection) {
  struct ew_cypher_writer *writer = query->writer;
  size_t must = ew_writer_below(writer, writer->count);
  for (size_t i = 0; i < writer->count; i++) {
    struct ew_cypher_variable *variable = &writer->variables[i];
    bool needed = must_mention(query, variable);
    if (needed && variable->type == EW_DRAW_PATH) {
      add_mention(query, projection, variable);
      continue;
    }
    if (i != must && !needed && !ew_writer_chance(writer, KEEP_PERCENT)) continue;
    bool rename = ew_writer_chance(writer, RENAME_PERCENT);
    add_variable(writer, projection, *variable, rename ? ew_writer_fresh_name(writer, 'v') : variable->name);
  }
}

static void project_computed(struct query *query, struct projection *projection, size_t count) {
  struct ew_cypher_writer *writer = query->writer;
  for (size_t i = 0; i < count; i++) {
    struct ew_cypher_variable variable = {.known = false};
    const struct ew_node *expression = draw_item(writer, &variable.type);
    variable.name = ew_writer_fresh_name(writer, 'w');
    add_item(writer, projection, expression, variable);
  }
}

static const struct ew_node *count_of(struct ew_cypher_writer *writer, const struct ew_cypher_variable *variable) {
  enum ew_draw_type type;
  const struct ew_node *argument = mention(writer, variable, &type);
  return CYPHER(writer->builder, function, .name.name = EW_SPAN("count"),
                .arguments.list = ew_list_of(writer->builder, &argument, 1));
}

static const struct ew_node *count_star(struct ew_cypher_writer *writer) {
  return ew_node_make(writer->builder, &cypher_kinds[CYPHER_count_star], &(struct cypher_count_star){0});
}

/* Keys to group by, and aggregates; every relationship not mentioned so far is at least counted. */
static void project_grouped(struct query *query, struct projection *projection) {
  struct ew_cypher_writer *writer = query->writer;
  size_t keys = ew_writer_below(writer, 3), aggregates = 1 + ew_writer_chance(writer, 30);
  for (size_t i = 0; i < keys; i++) {
    const struct ew_cypher_variable *variable = &writer->variables[ew_writer_below(writer, writer->count)];
    if (!ew_writer_find_variable(projection->variables, projection->count, variable->name) &&
        ew_writer_chance(writer, 60))
      add_variable(writer, projection, *variable, variable->name);
    else
      project_computed(query, projection, 1);
  }
  for (size_t i = 0; i < aggregates; i++) {
    struct ew_cypher_variable variable = {.type = EW_DRAW_INTEGER};
    const struct ew_node *expression = NULL;
    if (!ew_writer_chance(writer, 25))
      expression =
          ew_cypher_draw_aggregate(writer, DRAW_DEPTH(writer, item_depth_weights), partition(query), &variable.type);
    if (!expression) expression = count_star(writer);
    variable.name = ew_writer_fresh_name(writer, 'w');
    add_item(writer, projection, expression, variable);
  }
  for (size_t i = 0; i < writer->count; i++) {
    if (!must_mention(query, &writer->variables[i])) continue;
    struct ew_cypher_variable variable = {.type = EW_DRAW_INTEGER};
    const struct ew_node *expression = count_of(writer, &writer->variables[i]);
    variable.name = ew_writer_fresh_name(writer, 'w');
    add_item(writer, projection, expression, variable);
  }
}

static void write_with(struct query *query) {
  struct ew_cypher_writer *writer = query->writer;
  struct projection projection = {.count = 0};
  if (ew_writer_chance(writer, WITH_STAR_PERCENT)) {
    const struct ew_node *star = CYPHER(writer->builder, projection, .star.flag = true);
    const struct ew_node *where = draw_where(writer, WITH_WHERE_PERCENT);
    add_clause(query, CYPHER(writer->builder, with, .projection.node = star, .where.node = where));
    return;
  }
  bool grouped = ew_writer_chance(writer, WITH_AGGREGATE_PERCENT);
  if (grouped) {
    project_grouped(query, &projection);
    query->rows = query->rows > 10 ? 10 : query->rows;
  } else {
    project_kept(query, &projection);
    project_computed(query, &projection, ew_writer_below(writer, 3));
  }
  bool distinct = ew_writer_has(writer, EW_HAS_DISTINCT) && ew_writer_chance(writer, WITH_DISTINCT_PERCENT);
  const struct ew_node *made = make_projection(query, &projection, distinct, WITH_ORDER_PERCENT);
  set_scope(writer, &projection);
  const struct ew_node *where = draw_where(writer, WITH_WHERE_PERCENT);
  add_clause(query, CYPHER(writer->builder, with, .projection.node = made, .where.node = where));
}

/* ---- RETURN ---- */

/* c0, c1 …: the same in every branch of a union. */
static struct ew_span column_name(struct query *query) {
  struct ew_cypher_writer numbering = {.builder = query->writer->builder, .next_name = query->next_column++};
  return ew_writer_fresh_name(&numbering, 'c');
}

static void add_column(struct query *query, struct projection *projection, const struct ew_node *expression,
                       enum ew_draw_type type) {
  if (projection->count == ITEMS_MAX) return;
  struct ew_cypher_variable variable = {.name = column_name(query), .type = type};
  add_item(query->writer, projection, expression, variable);
}

/* Only counts: of rows, and of every relationship that must be mentioned. */
static void return_counts(struct query *query, struct projection *projection) {
  struct ew_cypher_writer *writer = query->writer;
  for (size_t i = 0; i < writer->count; i++)
    if (writer->variables[i].pattern)
      add_column(query, projection, count_of(writer, &writer->variables[i]), EW_DRAW_INTEGER);
  if (!projection->count || ew_writer_chance(writer, 50))
    add_column(query, projection, count_star(writer), EW_DRAW_INTEGER);
  if (writer->count && ew_writer_chance(writer, 30)) {
    const struct ew_cypher_variable *variable = &writer->variables[ew_writer_below(writer, writer->count)];
    add_column(query, projection, count_of(writer, variable), EW_DRAW_INTEGER);
  }
}

static void return_items(struct query *query, struct projection *projection) {
  struct ew_cypher_writer *writer = query->writer;
  size_t count = ew_random_weighted(writer->random, item_counts, EW_COUNT(item_counts));
  for (size_t i = 0; i < count; i++) {
    enum ew_draw_type type;
    const struct ew_node *expression = draw_item(writer, &type);
    add_column(query, projection, expression, type);
  }
  for (size_t i = 0; i < writer->count; i++) {
    enum ew_draw_type type;
    if (!must_mention(query, &writer->variables[i])) continue;
    const struct ew_node *expression = mention(writer, &writer->variables[i], &type);
    add_column(query, projection, expression, type);
  }
}

static void return_aggregates(struct query *query, struct projection *projection) {
  struct ew_cypher_writer *writer = query->writer;
  size_t keys = ew_writer_below(writer, 3), aggregates = 1 + ew_writer_chance(writer, 40);
  for (size_t i = 0; i < keys; i++) {
    enum ew_draw_type type;
    const struct ew_node *expression = draw_item(writer, &type);
    add_column(query, projection, expression, type);
  }
  for (size_t i = 0; i < aggregates; i++) {
    enum ew_draw_type type = EW_DRAW_INTEGER;
    const struct ew_node *expression = NULL;
    if (!ew_writer_chance(writer, 20))
      expression = ew_cypher_draw_aggregate(writer, DRAW_DEPTH(writer, item_depth_weights), false, &type);
    if (!expression) expression = count_star(writer);
    add_column(query, projection, expression, type);
  }
}

/* The columns of the first branch of a union, in type and number. */
static void return_columns(struct query *query, struct projection *projection) {
  struct ew_cypher_writer *writer = query->writer;
  for (size_t i = 0; i < query->column_count; i++) {
    unsigned depth = DRAW_DEPTH(writer, item_depth_weights);
    add_column(query, projection, ew_cypher_draw_expression(writer, query->columns[i], depth), query->columns[i]);
  }
}

static void write_return(struct query *query) {
  struct ew_cypher_writer *writer = query->writer;
  struct projection projection = {.count = 0};
  bool distinct = false;
  query->next_column = 0;
  if (query->column_count) {
    return_columns(query, &projection);
  } else if (partition(query)) {
    if (ew_writer_chance(writer, RETURN_COUNT_PERCENT))
      return_counts(query, &projection);
    else
      return_items(query, &projection);
  } else {
    if (writer->count && ew_writer_chance(writer, RETURN_AGGREGATE_PERCENT))
      return_aggregates(query, &projection);
    else
      return_items(query, &projection);
    distinct = ew_writer_has(writer, EW_HAS_DISTINCT) && ew_writer_chance(writer, RETURN_DISTINCT_PERCENT);
  }
  query->column_count = projection.count;
  for (size_t i = 0; i < projection.count; i++) query->columns[i] = projection.variables[i].type;
  const struct ew_node *made =
      make_projection(query, &projection, distinct, query->branch ? BRANCH_ORDER_PERCENT : RETURN_ORDER_PERCENT);
  add_clause(query, CYPHER(writer->builder, return, .projection.node = made));
}

/* ---- CALL { … } ---- */

/* CALL { WITH n MATCH … RETURN e AS w }: what it returns joins the scope. */
static void write_call(struct query *query) {
  struct ew_cypher_writer *writer = query->writer, inner = *writer;
  struct query body = {.writer = &inner, .rows = query->rows};
  struct ew_cypher_variable result = {.known = false};
  inner.count = 0;
  const struct ew_cypher_variable *imported = ew_writer_pick_variable(writer, EW_DRAW_NODE);
  if (imported && ew_writer_chance(writer, 70)) {
    const struct ew_node *name = ew_writer_name(writer, imported->name);
    const struct ew_node *item = CYPHER(writer->builder, item, .expression.node = name);
    const struct ew_node *made =
        CYPHER(writer->builder, projection, .items.list = ew_list_of(writer->builder, &item, 1));
    add_clause(&body, CYPHER(writer->builder, with, .projection.node = made));
    ew_writer_bind(&inner, *imported);
  }
  if (ew_writer_has(writer, EW_HAS_MATCH) && ew_writer_chance(writer, 80)) write_match(&body, false);
  const struct ew_node *expression = draw_item(&inner, &result.type);
  result.name = ew_writer_fresh_name(&inner, 'w');
  const struct ew_node *item = CYPHER(writer->builder, item, .expression.node = expression, .alias.name = result.name);
  const struct ew_node *made = CYPHER(writer->builder, projection, .items.list = ew_list_of(writer->builder, &item, 1));
  add_clause(&body, CYPHER(writer->builder, return, .projection.node = made));
  struct ew_list clauses = ew_list_of(writer->builder, body.clauses.items, body.clauses.count);
  const struct ew_node *made_body = CYPHER(writer->builder, query, .clauses.list = clauses);
  add_clause(query, CYPHER(writer->builder, call_subquery, .body.node = made_body));
  writer->next_name = inner.next_name;
  writer->budget = inner.budget;
  query->rows = body.rows;
  ew_writer_bind(writer, result);
}

/* ---- queries ---- */

static bool may_write(const struct query *query, enum clause clause) {
  const struct ew_cypher_writer *writer = query->writer;
  bool room = query->rows < ROWS_MAX && writer->count < SCOPE_FULL;
  switch (clause) {
    case CLAUSE_MATCH: return ew_writer_has(writer, EW_HAS_MATCH) && room;
    case CLAUSE_OPTIONAL: return ew_writer_has(writer, EW_HAS_OPTIONAL_MATCH) && room;
    case CLAUSE_UNWIND: return ew_writer_has(writer, EW_HAS_UNWIND) && room;
    case CLAUSE_WITH: return ew_writer_has(writer, EW_HAS_WITH) && writer->count;
    case CLAUSE_CALL: return ew_writer_has(writer, EW_HAS_CALL_SUBQUERY) && room && !partition(query);
    case CLAUSES: break;
  }
  return false;
}

static void write_clause(struct query *query, bool first) {
  unsigned weights[CLAUSES], total = 0;
  bool odd = ew_writer_chance(query->writer, ODD_CALL_PERCENT);
  for (enum clause i = 0; i < CLAUSES; i++) {
    bool beside_call = i == CLAUSE_CALL ? query->projected || query->branch : i == CLAUSE_WITH && query->called;
    bool possible = may_write(query, i) && (odd || !beside_call);
    total += weights[i] = possible ? (first ? first_weights : clause_weights)[i] : 0;
  }
  if (!total) return;
  switch ((enum clause)ew_random_weighted(query->writer->random, weights, CLAUSES)) {
    case CLAUSE_MATCH: write_match(query, false); break;
    case CLAUSE_OPTIONAL: write_match(query, true); break;
    case CLAUSE_UNWIND: write_unwind(query); break;
    case CLAUSE_WITH:
      write_with(query);
      query->projected = true;
      break;
    case CLAUSE_CALL:
      write_call(query);
      query->called = true;
      break;
    case CLAUSES: break;
  }
}

static const struct ew_node *draw_single(struct query *query) {
  struct ew_cypher_writer *writer = query->writer;
  size_t clauses = 0;
  query->clauses.count = query->clauses.capacity = 0;
  query->rows = 1;
  query->projected = query->called = false;
  writer->count = 0;
  if (partition(query))
    clauses = ew_random_weighted(writer->random, partition_counts, EW_COUNT(partition_counts));
  else if (!ew_writer_chance(writer, GRAPHLESS_PERCENT))
    clauses = ew_random_weighted(writer->random, clause_counts, EW_COUNT(clause_counts));
  for (size_t i = 0; i < clauses; i++) write_clause(query, i == 0);
  write_return(query);
  struct ew_list list = ew_list_of(writer->builder, query->clauses.items, query->clauses.count);
  return CYPHER(writer->builder, query, .clauses.list = list);
}

const struct ew_node *ew_cypher_draw_query(struct ew_cypher_writer *writer) {
  struct query query = {.writer = writer};
  const struct ew_node *branches[3], *body;
  size_t count = 1;
  if (!partition(&query) && ew_writer_has(writer, EW_HAS_UNION) && ew_writer_chance(writer, UNION_PERCENT))
    count = 2 + ew_writer_chance(writer, UNION_THIRD_PERCENT);
  query.branch = count > 1;
  for (size_t i = 0; i < count; i++) branches[i] = draw_single(&query);
  if (partition(&query) && !writer->count) return NULL;
  body = branches[0];
  if (count > 1) {
    bool all = ew_writer_chance(writer, 50);
    body =
        CYPHER(writer->builder, union, .all.flag = all, .branches.list = ew_list_of(writer->builder, branches, count));
  }
  struct ew_list arguments = ew_writer_arguments(writer);
  return CYPHER(writer->builder, statement, .arguments.list = arguments, .body.node = body);
}
