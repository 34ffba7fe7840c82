/* cypher_project.c: WITH and RETURN: what is kept, what is computed, what is grouped; order, SKIP and LIMIT. */
#include "generate/cypher_clause.h"

enum {
  WITH_STAR_PERCENT = 8,
  WITH_AGGREGATE_PERCENT = 18,
  WITH_WHERE_PERCENT = 45,
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
  LOOSE_CUT_PERCENT = 8,    /* SKIP or LIMIT without one, where the answer may be open */
  CUT_PARAMETER_PERCENT = 30,
  SHADOW_PERCENT = 20, /* of what WITH computes: under a name that it hides */
  MANY_ROWS = 24,      /* from here on a WITH makes them fewer */
};

static const unsigned item_counts[] = {0, 30, 32, 22, 16}; /* 1 … 4 items */
static const unsigned item_kinds[] = {30, 30, 40};         /* a variable, a property, an expression */

/* A projection under construction: its items and what is in scope behind it. */
struct projection {
  const struct ew_node *items[EW_CYPHER_ITEMS_MAX];
  struct ew_cypher_variable variables[EW_CYPHER_ITEMS_MAX];
  size_t count;
};

static void add_item(struct ew_cypher_writer *writer, struct projection *projection, const struct ew_node *expression,
                     struct ew_cypher_variable variable) {
  if (projection->count == EW_CYPHER_ITEMS_MAX) return;
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

static bool must_mention(const struct ew_cypher_query *query, const struct ew_cypher_variable *variable) {
  return ew_query_is_partition(query) && variable->pattern;
}

static void add_mention(struct ew_cypher_query *query, struct projection *projection,
                        const struct ew_cypher_variable *variable) {
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
const struct ew_node *ew_cypher_draw_item(struct ew_cypher_writer *writer, enum ew_draw_type *type) {
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
  return ew_cypher_draw_expression(writer, *type, 1 + ew_cypher_draw_item_depth(writer));
}

/* A number of rows: a literal or a parameter; as a parameter it may be wrong, which only the run shows. */
static const struct ew_node *draw_cut(struct ew_cypher_writer *writer, int64_t rows) {
  const struct ew_node *parameter = NULL;
  if (ew_writer_chance(writer, CUT_PARAMETER_PERCENT)) {
    bool judged = writer->purpose == EW_PURPOSE_EXACT; /* where the error is the right answer */
    if (judged && ew_writer_chance(writer, writer->options->dials[EW_DIAL_wrong])) rows = -1;
    parameter = ew_writer_parameter(writer, ew_integer(rows));
  }
  return parameter ? parameter : ew_writer_integer(writer, rows < 0 ? 0 : rows);
}

static bool orderable(enum ew_draw_type type) { return ew_draw_is_scalar(type); }

/* ORDER BY over all columns, so that SKIP and LIMIT behind it are determined; over some of them without those. */
static const struct ew_node *make_projection(struct ew_cypher_query *query, const struct projection *projection,
                                             bool distinct, unsigned order_percent) {
  struct ew_cypher_writer *writer = query->writer;
  const struct ew_node *skip = NULL, *limit = NULL, *sorts[EW_CYPHER_ITEMS_MAX];
  size_t sort_count = 0;
  bool total = true, cut = false;
  for (size_t i = 0; i < projection->count; i++) total = total && orderable(projection->variables[i].type);
  if (!ew_query_is_partition(query) && ew_writer_has(writer, EW_HAS_ORDER_BY) &&
      ew_writer_chance(writer, order_percent)) {
    cut = total && ew_writer_chance(writer, AFTER_SORT_PERCENT);
    for (size_t i = 0; i < projection->count; i++) {
      if (!orderable(projection->variables[i].type) || (!cut && ew_writer_chance(writer, 30))) continue;
      bool descending = ew_writer_chance(writer, 40);
      const struct ew_node *key = ew_writer_name(writer, projection->variables[i].name);
      sorts[sort_count++] = CYPHER(writer->builder, sort, .expression.node = key, .descending.flag = descending);
    }
  } else if (ew_writer_is_free(writer)) {
    cut = ew_writer_chance(writer, LOOSE_CUT_PERCENT);
  }
  if (cut && ew_writer_has(writer, EW_HAS_SKIP) && ew_writer_chance(writer, 35))
    skip = draw_cut(writer, ew_writer_below(writer, 3));
  if (cut && ew_writer_has(writer, EW_HAS_LIMIT) && (!skip || ew_writer_chance(writer, 50)))
    limit = draw_cut(writer, ew_writer_chance(writer, 6) ? 0 : 1 + ew_writer_below(writer, 6));
  struct ew_list items = ew_list_of(writer->builder, projection->items, projection->count);
  struct ew_list order = ew_list_of(writer->builder, sorts, sort_count);
  return CYPHER(writer->builder, projection, .distinct.flag = distinct, .items.list = items, .order.list = order,
                .skip.node = skip, .limit.node = limit);
}

/* ---- WITH ---- */

static void set_scope(struct ew_cypher_writer *writer, const struct projection *projection) {
  memcpy(writer->variables, projection->variables, projection->count * sizeof *projection->variables);
  writer->count = writer->options->without_context ? 0 : projection->count;
}

static void project_kept(struct ew_cypher_query *query, struct projection *projection) {
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

/* A name of the scope that the projection has not: what is computed hides it. Empty where there is none. */
static struct ew_span draw_hidden(struct ew_cypher_query *query, const struct projection *projection) {
  struct ew_cypher_writer *writer = query->writer;
  if (ew_query_is_partition(query) || !writer->count || !ew_writer_chance(writer, SHADOW_PERCENT))
    return (struct ew_span){0};
  struct ew_span name = writer->variables[ew_writer_below(writer, writer->count)].name;
  bool taken = ew_writer_find_variable(projection->variables, projection->count, name) != NULL;
  return taken ? (struct ew_span){0} : name;
}

static void project_computed(struct ew_cypher_query *query, struct projection *projection, size_t count) {
  struct ew_cypher_writer *writer = query->writer;
  for (size_t i = 0; i < count; i++) {
    struct ew_cypher_variable variable = {.known = false};
    const struct ew_node *expression = ew_cypher_draw_item(writer, &variable.type);
    variable.name = draw_hidden(query, projection);
    if (!variable.name.length) variable.name = ew_writer_fresh_name(writer, 'w');
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
static void project_grouped(struct ew_cypher_query *query, struct projection *projection) {
  struct ew_cypher_writer *writer = query->writer;
  size_t keys = ew_writer_below(writer, 3), aggregates = 1 + ew_writer_chance(writer, 30);
  for (size_t i = 0; i < keys; i++) {
    const struct ew_cypher_variable *variable =
        writer->count ? &writer->variables[ew_writer_below(writer, writer->count)] : NULL;
    if (variable && !ew_writer_find_variable(projection->variables, projection->count, variable->name) &&
        ew_writer_chance(writer, 60))
      add_variable(writer, projection, *variable, variable->name);
    else
      project_computed(query, projection, 1);
  }
  for (size_t i = 0; i < aggregates; i++) {
    struct ew_cypher_variable variable = {.type = EW_DRAW_INTEGER};
    const struct ew_node *expression = NULL;
    if (!ew_writer_chance(writer, 25))
      expression = ew_cypher_draw_aggregate(writer, ew_cypher_draw_item_depth(writer), ew_query_is_determined(query),
                                            &variable.type);
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

static const struct ew_node *draw_where(struct ew_cypher_writer *writer) {
  if (!ew_writer_has(writer, EW_HAS_WHERE) || !ew_writer_chance(writer, WITH_WHERE_PERCENT)) return NULL;
  return ew_cypher_draw_predicate(writer, ew_cypher_draw_depth(writer));
}

/* Runs WITH without its WHERE first: the predicate is steered by the rows that it leaves. */
static bool finish_with(struct ew_cypher_query *query, const struct ew_node *projection) {
  struct ew_cypher_writer *writer = query->writer;
  const struct ew_node *bare = CYPHER(writer->builder, with, .projection.node = projection);
  if (!ew_exact_apply(writer, bare)) return false;
  const struct ew_node *where = ew_exact_steer(writer, draw_where(writer));
  if (!ew_exact_filter(writer, where)) return false;
  query->projected = true;
  query->unsettled = false;
  if (where) bare = CYPHER(writer->builder, with, .projection.node = projection, .where.node = where);
  return ew_query_add(query, bare), true;
}

bool ew_cypher_write_with(struct ew_cypher_query *query) {
  struct ew_cypher_writer *writer = query->writer;
  struct projection projection;
  projection.count = 0;
  bool many = writer->exact && ew_exact_rows(writer) >= MANY_ROWS;
  if (writer->count && !many && ew_writer_has(writer, EW_HAS_STAR) && ew_writer_chance(writer, WITH_STAR_PERCENT)) {
    const struct ew_node *star = CYPHER(writer->builder, projection, .star.flag = true);
    return finish_with(query, star);
  }
  bool grouped = ew_writer_chance(writer, many ? 50 : WITH_AGGREGATE_PERCENT);
  if (grouped || !writer->count) {
    project_grouped(query, &projection);
    query->rows = query->rows > 10 ? 10 : query->rows;
  } else {
    project_kept(query, &projection);
    project_computed(query, &projection, 1 + ew_writer_below(writer, 3));
  }
  bool distinct = ew_writer_has(writer, EW_HAS_DISTINCT) && ew_writer_chance(writer, many ? 50 : WITH_DISTINCT_PERCENT);
  const struct ew_node *made = make_projection(query, &projection, distinct, many ? 60 : WITH_ORDER_PERCENT);
  set_scope(writer, &projection);
  writer->stale_count = 0; /* nothing of them is left behind a WITH */
  return finish_with(query, made);
}

/* ---- RETURN ---- */

/* c0, c1 …: the same in every branch of a union. */
static struct ew_span column_name(struct ew_cypher_query *query) {
  return ew_cypher_numbered_name(query->writer->builder->arena, 'c', query->next_column++);
}

static void add_column(struct ew_cypher_query *query, struct projection *projection, const struct ew_node *expression,
                       enum ew_draw_type type) {
  if (projection->count == EW_CYPHER_ITEMS_MAX) return;
  struct ew_cypher_variable variable = {.name = column_name(query), .type = type};
  add_item(query->writer, projection, expression, variable);
}

/* Only counts: of rows, and of every relationship that must be mentioned. */
static void return_counts(struct ew_cypher_query *query, struct projection *projection) {
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

static void return_items(struct ew_cypher_query *query, struct projection *projection) {
  struct ew_cypher_writer *writer = query->writer;
  size_t count = ew_random_weighted(writer->random, item_counts, EW_COUNT(item_counts));
  for (size_t i = 0; i < count; i++) {
    enum ew_draw_type type;
    const struct ew_node *expression = ew_cypher_draw_item(writer, &type);
    add_column(query, projection, expression, type);
  }
  for (size_t i = 0; i < writer->count; i++) {
    enum ew_draw_type type;
    if (!must_mention(query, &writer->variables[i])) continue;
    const struct ew_node *expression = mention(writer, &writer->variables[i], &type);
    add_column(query, projection, expression, type);
  }
}

/* What the pattern has bound, or a property of it. */
static void return_bound(struct ew_cypher_query *query, struct projection *projection) {
  struct ew_cypher_writer *writer = query->writer;
  struct ew_cypher_lookup lookup;
  size_t count = 1 + ew_writer_chance(writer, 55);
  for (size_t i = 0; i < count; i++) {
    if (ew_writer_chance(writer, 50) && ew_cypher_draw_lookup(writer, EW_DRAW_ANY, &lookup)) {
      add_column(query, projection, ew_writer_property(writer, lookup.variable->name, lookup.property->name),
                 ew_writer_type_of(lookup.property->type));
    } else {
      const struct ew_cypher_variable *variable = &writer->variables[ew_writer_below(writer, writer->count)];
      add_column(query, projection, ew_writer_name(writer, variable->name), variable->type);
    }
  }
}

static void return_aggregates(struct ew_cypher_query *query, struct projection *projection) {
  struct ew_cypher_writer *writer = query->writer;
  size_t keys = ew_writer_below(writer, 3), aggregates = 1 + ew_writer_chance(writer, 40);
  for (size_t i = 0; i < keys; i++) {
    enum ew_draw_type type;
    const struct ew_node *expression = ew_cypher_draw_item(writer, &type);
    add_column(query, projection, expression, type);
  }
  for (size_t i = 0; i < aggregates; i++) {
    enum ew_draw_type type = EW_DRAW_INTEGER;
    const struct ew_node *expression = NULL;
    if (!ew_writer_chance(writer, 20))
      expression =
          ew_cypher_draw_aggregate(writer, ew_cypher_draw_item_depth(writer), ew_query_is_determined(query), &type);
    if (!expression) expression = count_star(writer);
    add_column(query, projection, expression, type);
  }
}

/* The columns of the first branch of a union, in type and number. */
static void return_columns(struct ew_cypher_query *query, struct projection *projection) {
  struct ew_cypher_writer *writer = query->writer;
  for (size_t i = 0; i < query->column_count; i++) {
    unsigned depth = ew_cypher_draw_item_depth(writer);
    add_column(query, projection, ew_cypher_draw_expression(writer, query->columns[i], depth), query->columns[i]);
  }
}

/* One of the names that are no more: on purpose. */
static void return_stale(struct ew_cypher_query *query, struct projection *projection) {
  struct ew_cypher_writer *writer = query->writer;
  if (!writer->stale_count || !ew_writer_chance(writer, writer->options->dials[EW_DIAL_stale])) return;
  struct ew_span name = writer->stale[ew_writer_below(writer, writer->stale_count)];
  add_column(query, projection, ew_writer_name(writer, name), EW_DRAW_ANY);
}

bool ew_cypher_write_return(struct ew_cypher_query *query) {
  struct ew_cypher_writer *writer = query->writer;
  struct projection projection;
  bool distinct = false;
  projection.count = 0;
  query->next_column = 0;
  if (query->column_count) {
    return_columns(query, &projection);
  } else if (query->plain && writer->count) {
    return_bound(query, &projection);
  } else if (ew_query_is_partition(query)) {
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
    if (!query->branch) return_stale(query, &projection);
  }
  unsigned order = query->plain ? 0 : query->branch ? BRANCH_ORDER_PERCENT : RETURN_ORDER_PERCENT;
  const struct ew_node *made = make_projection(query, &projection, distinct, order);
  const struct ew_node *clause = CYPHER(writer->builder, return, .projection.node = made);
  size_t before = writer->count;
  writer->count = 0; /* nothing is in scope behind it */
  bool done = ew_exact_apply(writer, clause);
  writer->count = before;
  if (!done) return false;
  query->column_count = projection.count;
  for (size_t i = 0; i < projection.count; i++) query->columns[i] = projection.variables[i].type;
  return ew_query_add(query, clause), true;
}
