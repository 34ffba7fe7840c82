/* flow.c: the clauses of a query: rows, names, and what is written. Values are in flow_value.c. */
#include "model/flow_state.h"

#include "model/aggregate.h"

static void lose(struct flow *flow, const char *why) {
  if (!flow->lost) flow->lost = why;
}

static const char by_rows[] = "which rows there are depends on what is open";
static const char by_writes[] = "what is written depends on what is open";
static const char by_groups[] = "rows are grouped by what is open";
static const char by_cut[] = "SKIP or LIMIT cuts rows in no certain order, and others work on what is left";

/* ---- projections ---- */

static bool is_substitute(const struct flow *flow, const struct ew_node *node, unsigned *taint);

struct search {
  const struct flow *flow;
  unsigned taint;
};

static enum ew_walk find_substitute(const struct ew_node *node, struct ew_place place, void *context) {
  struct search *search = context;
  unsigned taint;
  if (!is_substitute(search->flow, node, &taint)) return EW_WALK_ON;
  search->taint |= !place.parent ? taint : taint ? EW_ALLOW_ANY : 0;
  return EW_WALK_SKIP;
}

/* A tree in ORDER BY that is one of a column's stands for that column. */
static bool is_substitute(const struct flow *flow, const struct ew_node *node, unsigned *taint) {
  for (size_t i = 0; i < flow->columns.count; i++) {
    const struct flow_column *column = &flow->columns.items[i];
    if (!column->expression || !column->taint || !ew_tree_equal(column->expression, node)) continue;
    *taint = column->taint;
    return true;
  }
  return false;
}

/* Of an expression in ORDER BY or WHERE of a projection, which sees its columns. */
static unsigned taint_behind(struct flow *flow, const struct ew_node *expression) {
  struct search search = {flow, 0};
  if (!expression) return 0;
  ew_tree_walk(expression, find_substitute, &search);
  return search.taint | ew_flow_taint(flow, expression);
}

static struct ew_span name_of(const struct cypher_item *item) {
  if (item->alias.name.length) return item->alias.name;
  if (cypher_is(item->expression.node, CYPHER_variable)) return CYPHER_AS(variable, item->expression.node)->name.name;
  return EW_SPAN("");
}

static bool aggregates(const struct cypher_projection *projection) {
  size_t count = 0;
  for (size_t i = 0; i < projection->items.list.count; i++)
    count += ew_aggregates_count(projection->items.list.items[i]);
  for (size_t i = 0; i < projection->order.list.count; i++)
    count += ew_aggregates_count(projection->order.list.items[i]);
  return count > 0;
}

/* Adds a column; a value that rows are grouped by may only be open as to its looks. */
static void add_column(struct flow *flow, struct flow_column column, bool is_key) {
  if (is_key && column.taint & ~(unsigned)EW_ALLOW_NUMBERS) lose(flow, by_groups);
  *ew_arena_vector_push(flow->arena, &flow->columns) = column;
}

static void add_columns(struct flow *flow, const struct ew_node *clause, const struct cypher_projection *projection) {
  bool grouped = aggregates(projection), distinct = projection->distinct.flag;
  unsigned looks = ew_flow_site(flow, clause) & FLOW_BIT(REPRESENTATIVE) ? EW_ALLOW_NUMBERS : 0;
  for (size_t i = flow->outer; projection->star.flag && i < flow->names.count; i++) {
    const struct flow_name *name = &flow->names.items[i];
    add_column(flow, (struct flow_column){name->name, NULL, name->taint | looks, true}, grouped || distinct);
  }
  if (projection->star.flag && looks) lose(flow, by_groups); /* names that are not open yet are not in the list */
  for (size_t i = 0; i < projection->items.list.count; i++) {
    const struct cypher_item *item = CYPHER_AS(item, projection->items.list.items[i]);
    const struct ew_node *expression = item->expression.node;
    bool is_key = !ew_aggregates_count(expression);
    unsigned taint = ew_flow_taint(flow, expression);
    if (distinct || is_key)
      taint |= looks;
    else if (looks && !ew_cypher_is_aggregate(expression))
      taint = EW_ALLOW_ANY;
    add_column(flow, (struct flow_column){name_of(item), expression, taint, false}, distinct || (grouped && is_key));
  }
}

/* What the last RETURN sorts and cuts is seen by whoever asked; in the middle it must be certain. */
static void follow_order(struct flow *flow, const struct ew_node *clause, const struct cypher_projection *projection) {
  uint32_t site = ew_flow_site(flow, clause);
  struct ew_list sorts = projection->order.list;
  unsigned keys = site & FLOW_BIT(IDENTITY) ? EW_ALLOW_ANY : 0;
  for (size_t i = 0; i < sorts.count; i++) keys |= taint_behind(flow, CYPHER_AS(sort, sorts.items[i])->expression.node);
  bool cuts = projection->skip.node || projection->limit.node;
  bool open = sorts.count ? (keys & ~(unsigned)EW_ALLOW_NUMBERS) != 0 : flow->scrambled;
  if (ew_flow_touches(flow, projection->skip.node) || ew_flow_touches(flow, projection->limit.node))
    lose(flow, by_rows);
  if (clause == flow->last) {
    flow->order_is_open = open;
    flow->cut_is_open = site & FLOW_BIT(CUT);
  } else if (cuts && (open || site & FLOW_BIT(CUT))) {
    lose(flow, by_cut);
  }
  if (sorts.count)
    flow->scrambled = open;
  else if (aggregates(projection) || projection->distinct.flag)
    flow->scrambled = false; /* the model takes no order for certain behind these */
}

static void follow_projection(struct flow *flow, const struct ew_node *clause) {
  bool with = cypher_is(clause, CYPHER_with);
  const struct ew_node *node =
      with ? CYPHER_AS(with, clause)->projection.node : CYPHER_AS(return, clause)->projection.node;
  const struct cypher_projection *projection = CYPHER_AS(projection, node);
  flow->columns.count = 0;
  add_columns(flow, clause, projection);
  size_t before = flow->names.count;
  for (size_t i = 0; i < flow->columns.count; i++)
    ew_flow_name(flow, flow->columns.items[i].name, flow->columns.items[i].taint);
  follow_order(flow, clause, projection);
  if (with && taint_behind(flow, CYPHER_AS(with, clause)->where.node)) lose(flow, by_rows);
  size_t count = flow->names.count - before;
  if (count) memmove(flow->names.items + flow->outer, flow->names.items + before, count * sizeof *flow->names.items);
  flow->names.count = flow->outer + count;
}

/* ---- other clauses ---- */

/* Rows come from the items of a list: in another order they are the same rows. */
static void follow_unwind(struct flow *flow, const struct cypher_unwind *unwind) {
  unsigned taint = ew_flow_taint(flow, unwind->list.node);
  if (taint & EW_ALLOW_ANY) lose(flow, by_rows);
  if (taint & EW_ALLOW_ORDER) flow->scrambled = true;
  ew_flow_name(flow, unwind->variable.name, ew_flow_item(taint));
}

static void follow_match(struct flow *flow, const struct cypher_match *match) {
  for (size_t i = 0; i < match->patterns.list.count; i++)
    if (ew_flow_touches(flow, match->patterns.list.items[i])) lose(flow, by_rows);
  if (match->where.node && ew_flow_taint(flow, match->where.node)) lose(flow, by_rows);
}

/* The names that the body gives stay, behind those that were there. */
static void follow_call(struct flow *flow, const struct cypher_call_subquery *call) {
  size_t outer = flow->outer;
  bool scrambled = flow->scrambled;
  if (call->in_transactions.flag) lose(flow, "a subquery runs in transactions of its own");
  flow->outer = flow->names.count;
  flow->scrambled = false;
  ew_flow_query(flow, call->body.node);
  flow->scrambled |= scrambled;
  flow->outer = outer;
}

static void follow_clause(struct flow *flow, const struct ew_node *clause) {
  switch ((enum cypher_kind)clause->kind->code) {
    case CYPHER_with:
    case CYPHER_return: follow_projection(flow, clause); return;
    case CYPHER_unwind: follow_unwind(flow, CYPHER_AS(unwind, clause)); return;
    case CYPHER_match: follow_match(flow, CYPHER_AS(match, clause)); return;
    case CYPHER_call_subquery: follow_call(flow, CYPHER_AS(call_subquery, clause)); return;
    case CYPHER_call_procedure:
      if (ew_flow_touches(flow, clause)) lose(flow, by_rows);
      return;
    case CYPHER_finish: return;
    default:
      if (flow->scrambled || ew_flow_touches(flow, clause)) lose(flow, by_writes);
      return;
  }
}

static void follow_branch(struct flow *flow, const struct ew_node *query) {
  struct ew_list clauses = CYPHER_AS(query, query)->clauses.list;
  flow->columns.count = 0;
  for (size_t i = 0; i < clauses.count; i++) follow_clause(flow, clauses.items[i]);
  if (!clauses.count || !cypher_is(clauses.items[clauses.count - 1], CYPHER_return)) {
    flow->columns.count = 0;
    flow->names.count = flow->outer;
  }
}

/* Each branch starts with the names from around; a column is open where it is in one of them. */
static void follow_union(struct flow *flow, const struct cypher_union *query) {
  struct flow_columns columns = {0};
  bool scrambled = flow->scrambled;
  for (size_t i = 0; i < query->branches.list.count; i++) {
    flow->names.count = flow->outer;
    flow->scrambled = scrambled;
    follow_branch(flow, query->branches.list.items[i]);
    for (size_t k = 0; k < flow->columns.count; k++)
      *ew_arena_vector_push(flow->arena, &columns) = flow->columns.items[k];
    flow->columns = (struct flow_columns){0};
  }
  flow->names.count = flow->outer;
  flow->scrambled = false;
  for (size_t i = 0; i < columns.count; i++) {
    if (!query->all.flag && columns.items[i].taint & ~(unsigned)EW_ALLOW_NUMBERS) lose(flow, by_groups);
    struct flow_column column = columns.items[i];
    column.taint |= ew_flow_name_taint(flow, column.name);
    ew_flow_name(flow, column.name, column.taint);
  }
  for (size_t i = flow->outer; i < flow->names.count; i++)
    *ew_arena_vector_push(flow->arena, &flow->columns) =
        (struct flow_column){flow->names.items[i].name, NULL, flow->names.items[i].taint, true};
}

void ew_flow_query(struct flow *flow, const struct ew_node *query) {
  if (cypher_is(query, CYPHER_union))
    follow_union(flow, CYPHER_AS(union, query));
  else if (cypher_is(query, CYPHER_query))
    follow_branch(flow, query);
}

/* ---- the whole statement ---- */

static const struct ew_node *body_of(const struct ew_node *statement) {
  return cypher_is(statement, CYPHER_statement) ? CYPHER_AS(statement, statement)->body.node : statement;
}

/* Columns by `*` and of unions are found by name; the others are the last ones, in their order. */
static unsigned *column_allowances(struct flow *flow, struct ew_names names) {
  unsigned *allowances = EW_NEW_ARRAY(flow->arena, unsigned, names.count);
  size_t items = 0;
  for (size_t i = 0; i < flow->columns.count; i++) items += !flow->columns.items[i].by_name;
  if (items > names.count) {
    lose(flow, "the columns are not as they were written");
    return allowances;
  }
  for (size_t i = 0, next = names.count - items; i < flow->columns.count; i++) {
    const struct flow_column *column = &flow->columns.items[i];
    unsigned taint = column->taint & ~(unsigned)FLOW_NEAR;
    if (!column->by_name) allowances[next++] |= taint;
    for (size_t k = 0; column->by_name && k < names.count; k++)
      if (ew_span_equal(names.items[k], column->name)) allowances[k] |= taint;
  }
  return allowances;
}

struct ew_flow ew_flow_follow(struct ew_arena *arena, const struct ew_model_result *result) {
  struct flow flow = {.arena = arena, .sites = result->sites, .site_count = result->site_count};
  const struct ew_node *body = body_of(result->plan->statement);
  if (cypher_is(body, CYPHER_query)) {
    struct ew_list clauses = CYPHER_AS(query, body)->clauses.list;
    flow.last = clauses.count ? clauses.items[clauses.count - 1] : NULL;
  }
  if (result->open & FLOW_BIT(WRITE_ORDER)) lose(&flow, by_writes);
  if (result->unplaced) lose(&flow, "the model does not know of which part this is open");
  ew_flow_query(&flow, body);
  struct ew_flow found = {.allowances = column_allowances(&flow, result->plan->query->columns),
                          .order_is_open = flow.order_is_open,
                          .cut_is_open = flow.cut_is_open};
  found.lost = flow.lost;
  return found;
}
