/* partition.c: what the oracle `partition` needs: a query with a predicate asked of the rows that reach its RETURN.

       MATCH … WHERE q RETURN …            ─▶  MATCH … WHERE q AND p RETURN …
       … WITH … RETURN …                   ─▶  … WITH … WHERE p RETURN …
       … OPTIONAL MATCH … RETURN …         ─▶  … OPTIONAL MATCH … WITH * WHERE p RETURN …

   A predicate in OPTIONAL MATCH's own WHERE would not partition: each part would add its row of nulls. A query
   or predicate whose answer is open in any part is refused. */
#include "lang/cypher/cypher.h"
#include "lang/cypher/determinism.h"
#include "lang/cypher/scope.h"

/* ---- what is refused ---- */

/* Open in any part, or not the sum of its parts: each part would write for itself, and be cut for itself. */
static bool is_open(const struct ew_node *tree, bool *merges) {
  struct ew_cypher_survey survey = ew_cypher_survey(tree);
  *merges = survey.merges;
  return survey.open || survey.writes || survey.cuts;
}

/* ---- what is a predicate ---- */

static bool surely_boolean(const struct ew_node *expression);

static bool all_surely_boolean(const struct cypher_case *cases) {
  for (size_t i = 0; i < cases->whens.list.count; i++)
    if (!surely_boolean(CYPHER_AS(when, cases->whens.list.items[i])->result.node)) return false;
  return !cases->otherwise.node || surely_boolean(cases->otherwise.node);
}

/* Whether it gives true, false or null whatever its operands are. A value of another kind is in none of the three
   parts, and engines differ in what they make of it. */
static bool surely_boolean(const struct ew_node *expression) {
  switch (expression->kind->code) {
    case CYPHER_literal: {
      enum ew_value_kind kind = CYPHER_AS(literal, expression)->value.value->kind;
      return kind == EW_VALUE_BOOLEAN || kind == EW_VALUE_NULL;
    }
    case CYPHER_unary: return CYPHER_AS(unary, expression)->operator.choice == CYPHER_NOT;
    case CYPHER_binary: return CYPHER_AS(binary, expression)->operator.choice <= CYPHER_CONTAINS;
    case CYPHER_chain:
    case CYPHER_is_null:
    case CYPHER_is_type:
    case CYPHER_is_normalized:
    case CYPHER_label_test:
    case CYPHER_quantified: return true;
    case CYPHER_subquery: return CYPHER_AS(subquery, expression)->form.choice == CYPHER_EXISTS;
    case CYPHER_case: return all_surely_boolean(CYPHER_AS(case, expression));
    case CYPHER_function: {
      const struct ew_cypher_function *function = ew_cypher_function_find(CYPHER_AS(function, expression)->name.name);
      return function && function->result == EW_TYPE_BOOLEAN;
    }
    default: return false;
  }
}
_Static_assert(CYPHER_OR == 0 && CYPHER_CONTAINS + 1 == CYPHER_ADD, "the operators up to CONTAINS give booleans");

/* ---- the query ---- */

/* The clauses of a statement that is one query and ends in RETURN; none otherwise. */
static struct ew_list clauses_of(const struct ew_node *base) {
  const struct ew_node *body = cypher_is(base, CYPHER_statement) ? CYPHER_AS(statement, base)->body.node : NULL;
  if (!cypher_is(body, CYPHER_query)) return (struct ew_list){0};
  struct ew_list clauses = CYPHER_AS(query, body)->clauses.list;
  if (!clauses.count || !cypher_is(clauses.items[clauses.count - 1], CYPHER_return)) return (struct ew_list){0};
  return clauses;
}

/* Whether the clause has a WHERE that its rows must pass. */
static bool filters(const struct ew_node *clause) {
  if (cypher_is(clause, CYPHER_match)) return !CYPHER_AS(match, clause)->optional.flag;
  return cypher_is(clause, CYPHER_with);
}

static bool sees_something(const struct ew_node *base, const struct ew_node *clause) {
  struct ew_arena arena;
  ew_arena_init(&arena);
  bool something = ew_cypher_visible(&arena, base, clause).count > 0;
  ew_arena_release(&arena);
  return something;
}

static bool can_restrict(const struct ew_node *base, struct ew_list clauses) {
  if (clauses.count < 2) return false;
  const struct ew_node *last = clauses.items[clauses.count - 2];
  return filters(last) || cypher_is(last, CYPHER_unwind) || sees_something(base, clauses.items[clauses.count - 1]);
}

static const struct ew_node *conjoin(struct ew_builder *builder, const struct ew_node *where,
                                     const struct ew_node *predicate) {
  if (!where) return predicate;
  return CYPHER(builder, binary, .operator.choice = CYPHER_AND, .left.node = where, .right.node = predicate);
}

static const struct ew_node *filtered(struct ew_builder *builder, const struct ew_node *clause,
                                      const struct ew_node *predicate) {
  if (cypher_is(clause, CYPHER_match)) {
    struct cypher_match match = *CYPHER_AS(match, clause);
    match.where.node = conjoin(builder, match.where.node, predicate);
    return ew_node_make(builder, clause->kind, &match);
  }
  struct cypher_with with = *CYPHER_AS(with, clause);
  with.where.node = conjoin(builder, with.where.node, predicate);
  return ew_node_make(builder, clause->kind, &with);
}

static const struct ew_node *with_everything(struct ew_builder *builder, const struct ew_node *predicate) {
  const struct ew_node *star = CYPHER(builder, projection, .star.flag = true);
  return CYPHER(builder, with, .projection.node = star, .where.node = predicate);
}

static const struct ew_node *predicate_of_part(struct ew_builder *builder, const struct ew_node *predicate,
                                               enum ew_part part) {
  switch (part) {
    case EW_PART_FALSE: return CYPHER(builder, unary, .operator.choice = CYPHER_NOT, .operand.node = predicate);
    case EW_PART_UNKNOWN: return CYPHER(builder, is_null, .operand.node = predicate);
    default: return predicate;
  }
}

static const struct ew_node *restrict_to(struct ew_builder *builder, const struct ew_node *base,
                                         const struct ew_node *predicate, enum ew_part part) {
  struct ew_list clauses = clauses_of(base);
  bool merges;
  if (!can_restrict(base, clauses) || is_open(predicate, &merges) || !surely_boolean(predicate)) return NULL;
  const struct ew_node *last = clauses.items[clauses.count - 2], *asked = predicate_of_part(builder, predicate, part);
  const struct ew_node **items = EW_NEW_ARRAY(builder->arena, const struct ew_node *, clauses.count + 1);
  size_t count = clauses.count;
  for (size_t i = 0; i < count; i++) items[i] = clauses.items[i];
  if (filters(last)) {
    items[count - 2] = filtered(builder, last, asked);
  } else {
    items[count] = items[count - 1];
    items[count - 1] = with_everything(builder, asked);
    count++;
  }
  struct cypher_statement statement = *CYPHER_AS(statement, base);
  statement.body.node = CYPHER(builder, query, .clauses.list = ew_list_of(builder, items, count));
  const struct ew_node *restricted = ew_node_make(builder, base->kind, &statement);
  /* All parts use the same names: what is right in the first is right in the others. */
  return part != EW_PART_TRUE || ew_cypher_analyze_names(restricted, NULL) ? restricted : NULL;
}

/* ---- how answers combine ---- */

static bool is_count(const struct ew_node *expression) {
  if (cypher_is(expression, CYPHER_count_star)) return true;
  if (!cypher_is(expression, CYPHER_function)) return false;
  const struct cypher_function *call = CYPHER_AS(function, expression);
  const struct ew_cypher_function *function = ew_cypher_function_find(call->name.name);
  return function && ew_span_is(ew_span_of(function->name), "count") && !call->distinct.flag;
}

static bool projection_combiner(const struct cypher_projection *projection, enum ew_combiner *combiner) {
  struct ew_list items = projection->items.list;
  if (projection->distinct.flag || projection->star.flag || projection->order.list.count || !items.count) return false;
  size_t counts = 0, aggregates = 0;
  for (size_t i = 0; i < items.count; i++) {
    const struct cypher_item *item = CYPHER_AS(item, items.items[i]);
    if (!item->alias.name.length && !cypher_is(item->expression.node, CYPHER_variable)) return false;
    counts += is_count(item->expression.node);
    aggregates += ew_cypher_has_aggregate(item->expression.node);
  }
  if (aggregates && counts < items.count) return false;
  *combiner = aggregates ? EW_COMBINE_COUNT : EW_COMBINE_BAG;
  return true;
}

static bool combiner(const struct ew_node *base, enum ew_combiner *combine) {
  struct ew_list clauses = clauses_of(base);
  bool merges;
  if (!can_restrict(base, clauses) || CYPHER_AS(statement, base)->mode.choice != CYPHER_MODE_RUN ||
      is_open(base, &merges))
    return false;
  const struct ew_node *last = CYPHER_AS(return, clauses.items[clauses.count - 1])->projection.node;
  if (!projection_combiner(CYPHER_AS(projection, last), combine)) return false;
  return !merges || !ew_cypher_groups_mix_numbers(base);
}

const struct ew_partition_words ew_cypher_partition = {
    .parts = EW_PARTS,
    .restrict_to = restrict_to,
    .combiner = combiner,
};
