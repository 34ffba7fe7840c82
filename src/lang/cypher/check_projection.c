/* check_projection.c: WITH and RETURN: names, aggregates, and what ORDER BY and WHERE can see. */
#include "lang/cypher/checker.h"

static const struct ew_span nothing = {0};

/* The name of a column; empty for an expression without an alias. */
static struct ew_span column_name(const struct cypher_item *item) {
  if (item->alias.name.length) return item->alias.name;
  const struct ew_node *expression = item->expression.node;
  return cypher_is(expression, CYPHER_variable) ? CYPHER_AS(variable, expression)->name.name : nothing;
}

/* ---- aggregates ---- */

enum { LOCALS_MAX = 32 };

struct grouping {
  struct ew_list items;
  struct ew_span locals[LOCALS_MAX]; /* variables that comprehensions within the expression bind */
  size_t local_count;
  bool ambiguous;
};

static void add_local(struct grouping *grouping, struct ew_span name) {
  if (grouping->local_count < LOCALS_MAX) grouping->locals[grouping->local_count++] = name;
}

static enum ew_walk find_locals(const struct ew_node *node, struct ew_place place, void *context) {
  (void)place;
  switch (node->kind->code) {
    case CYPHER_list_comprehension: add_local(context, CYPHER_AS(list_comprehension, node)->variable.name); break;
    case CYPHER_quantified: add_local(context, CYPHER_AS(quantified, node)->variable.name); break;
    case CYPHER_reduce:
      add_local(context, CYPHER_AS(reduce, node)->accumulator.name);
      add_local(context, CYPHER_AS(reduce, node)->variable.name);
      break;
    default: break;
  }
  return EW_WALK_ON;
}

static bool is_local(const struct grouping *grouping, struct ew_span name) {
  for (size_t i = 0; i < grouping->local_count; i++)
    if (ew_span_equal(grouping->locals[i], name)) return true;
  return grouping->local_count == LOCALS_MAX;
}

/* Whether `node` is a grouping key by itself: an item without an aggregate, or the alias of one. */
static bool is_key(const struct grouping *grouping, const struct ew_node *node) {
  for (size_t i = 0; i < grouping->items.count; i++) {
    const struct cypher_item *item = CYPHER_AS(item, grouping->items.items[i]);
    if (ew_cypher_has_aggregate(item->expression.node)) continue;
    if (ew_tree_equal(item->expression.node, node)) return true;
    if (cypher_is(node, CYPHER_variable) && ew_span_equal(column_name(item), CYPHER_AS(variable, node)->name.name))
      return true;
  }
  return false;
}

/* Beside an aggregate only keys that are variables or properties may stand, constants, and variables that the
   expression binds itself. Patterns and queries within it are not looked into. */
static enum ew_walk find_ambiguous(const struct ew_node *node, struct ew_place place, void *context) {
  struct grouping *grouping = context;
  (void)place;
  switch (node->kind->code) {
    case CYPHER_property:
      if (is_key(grouping, node)) return EW_WALK_SKIP;
      return EW_WALK_ON;
    case CYPHER_variable:
      if (is_key(grouping, node) || is_local(grouping, CYPHER_AS(variable, node)->name.name)) return EW_WALK_SKIP;
      grouping->ambiguous = true;
      return EW_WALK_STOP;
    case CYPHER_pattern_comprehension:
    case CYPHER_subquery:
    case CYPHER_pattern_expression: return EW_WALK_SKIP;
    default: return ew_cypher_is_aggregate(node) ? EW_WALK_SKIP : EW_WALK_ON;
  }
}

static void check_grouping(struct ew_cypher_checker *checker, const struct ew_node *expression, struct ew_list items) {
  struct grouping grouping = {.items = items};
  if (!ew_cypher_has_aggregate(expression)) return;
  ew_tree_walk(expression, find_locals, &grouping);
  ew_tree_walk(expression, find_ambiguous, &grouping);
  if (grouping.ambiguous) ew_cypher_fail(checker, EW_CYPHER_AmbiguousAggregationExpression, expression, nothing);
}

/* ---- items ---- */

/* Types of which 1 and 1.0 may both be, or hold. */
static bool mixes_numbers(struct ew_cypher_type type) {
  uint32_t within = type.set & EW_TYPE_LIST ? type.elements : 0;
  if (type.set & EW_TYPE_MAP || within & (EW_TYPE_LIST | EW_TYPE_MAP)) return true;
  return (type.set & EW_TYPE_NUMBER) == EW_TYPE_NUMBER || (within & EW_TYPE_NUMBER) == EW_TYPE_NUMBER;
}

static void add_column(struct ew_cypher_checker *checker, const struct ew_node *node, struct ew_span name,
                       struct ew_cypher_type type) {
  for (size_t i = 0; name.length && i < checker->columns.count; i++)
    if (ew_span_equal(checker->columns.items[i].name, name))
      ew_cypher_fail(checker, EW_CYPHER_ColumnNameConflict, node, name);
  *ew_vector_push(&checker->columns) = (struct ew_cypher_binding){name, type};
}

static void add_star(struct ew_cypher_checker *checker, const struct ew_node *node, bool with) {
  if (!with && checker->bindings.count == checker->floor)
    ew_cypher_fail(checker, EW_CYPHER_NoVariablesInScope, node, nothing);
  for (size_t i = checker->base; i < checker->bindings.count; i++)
    *ew_vector_push(&checker->columns) = checker->bindings.items[i];
}

static void check_items(struct ew_cypher_checker *checker, const struct ew_node *node, bool with, bool groups) {
  const struct cypher_projection *projection = CYPHER_AS(projection, node);
  struct ew_list items = projection->items.list;
  ew_vector_reset(&checker->columns);
  if (!projection->star.flag && !items.count) ew_cypher_fail(checker, EW_CYPHER_UnexpectedSyntax, node, nothing);
  if (projection->star.flag) add_star(checker, node, with);
  for (size_t i = 0; i < items.count; i++) {
    const struct cypher_item *item = CYPHER_AS(item, items.items[i]);
    struct ew_cypher_type type = ew_cypher_type_in(checker, item->expression.node, EW_AGGREGATES_YES, false);
    bool key = !groups || !ew_cypher_has_aggregate(item->expression.node); /* no groups, no aggregates */
    if (groups && key && mixes_numbers(type)) checker->groups_mix_numbers = true;
    if (!key) check_grouping(checker, item->expression.node, items);
    add_column(checker, items.items[i], column_name(item), type);
  }
}

/* ---- ORDER BY, SKIP, LIMIT ---- */

static enum ew_walk find_variable(const struct ew_node *node, struct ew_place place, void *context) {
  const struct ew_node **found = context;
  (void)place;
  if (!cypher_is(node, CYPHER_variable)) return EW_WALK_ON;
  *found = node;
  return EW_WALK_STOP;
}

/* A number of rows: the same for every row. */
static void check_amount(struct ew_cypher_checker *checker, const struct ew_node *amount) {
  const struct ew_node *variable = NULL;
  if (!amount) return;
  ew_tree_walk(amount, find_variable, &variable);
  if (variable) {
    ew_cypher_fail(checker, EW_CYPHER_NonConstantExpression, variable, CYPHER_AS(variable, variable)->name.name);
    return;
  }
  struct ew_cypher_type type = ew_cypher_type_in(checker, amount, EW_AGGREGATES_NO, false);
  if (ew_cypher_conflict(type, EW_TYPE_INTEGER))
    ew_cypher_fail(checker, EW_CYPHER_InvalidArgumentType, amount, nothing);
  if (cypher_is(amount, CYPHER_literal) && CYPHER_AS(literal, amount)->value.value->kind == EW_VALUE_INTEGER &&
      CYPHER_AS(literal, amount)->value.value->integer < 0)
    ew_cypher_fail(checker, EW_CYPHER_NegativeIntegerArgument, amount, nothing);
}

static void check_order(struct ew_cypher_checker *checker, const struct cypher_projection *projection,
                        bool aggregates) {
  for (size_t i = 0; i < projection->order.list.count; i++) {
    const struct ew_node *expression = CYPHER_AS(sort, projection->order.list.items[i])->expression.node;
    ew_cypher_type_in(checker, expression, aggregates ? EW_AGGREGATES_YES : EW_AGGREGATES_NO, false);
    if (aggregates) check_grouping(checker, expression, projection->items.list);
  }
}

/* ---- the whole ---- */

static void check_aliases(struct ew_cypher_checker *checker, struct ew_list items) {
  for (size_t i = 0; i < items.count; i++)
    if (!column_name(CYPHER_AS(item, items.items[i])).length)
      ew_cypher_fail(checker, EW_CYPHER_NoExpressionAlias, items.items[i], nothing);
}

static bool aggregates_in(struct ew_list items) {
  for (size_t i = 0; i < items.count; i++)
    if (ew_cypher_has_aggregate(CYPHER_AS(item, items.items[i])->expression.node)) return true;
  return false;
}

static void bind_columns(struct ew_cypher_checker *checker) {
  for (size_t i = 0; i < checker->columns.count; i++)
    if (checker->columns.items[i].name.length)
      ew_cypher_bind(checker, checker->columns.items[i].name, checker->columns.items[i].type);
}

/* Drops what was bound in [from, to). */
static void drop_bindings(struct ew_cypher_checker *checker, size_t from, size_t to) {
  struct ew_cypher_binding *items = checker->bindings.items;
  if (from == to) return;
  memmove(items + from, items + to, (checker->bindings.count - to) * sizeof *items);
  checker->bindings.count -= to - from;
}

/* ORDER BY and WHERE see the rows before and after the projection, unless several rows became one: then only what is
   projected. */
void ew_cypher_check_projection(struct ew_cypher_checker *checker, const struct ew_node *node, bool with,
                                const struct ew_node *where) {
  const struct cypher_projection *projection = CYPHER_AS(projection, node);
  bool aggregates = aggregates_in(projection->items.list), merges = aggregates || projection->distinct.flag;
  check_items(checker, node, with, merges);
  if (merges && projection->star.flag)
    for (size_t i = checker->base; i < checker->bindings.count; i++)
      if (mixes_numbers(checker->bindings.items[i].type)) checker->groups_mix_numbers = true;
  size_t before = checker->bindings.count;
  if (merges) drop_bindings(checker, checker->base, before);
  size_t kept = checker->bindings.count;
  bind_columns(checker);
  struct ew_list outer = checker->projected;
  checker->projected = merges ? projection->items.list : (struct ew_list){0};
  check_order(checker, projection, aggregates);
  ew_cypher_check_where(checker, where);
  checker->projected = outer;
  check_amount(checker, projection->skip.node);
  check_amount(checker, projection->limit.node);
  drop_bindings(checker, checker->base, kept);
  if (with) check_aliases(checker, projection->items.list);
}
