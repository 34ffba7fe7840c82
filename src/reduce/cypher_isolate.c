/* cypher_isolate.c: asks for what is wrong where it is, instead of for what came of it:

       MATCH (n) WHERE n.p IN [null, 1] SET n:A; MATCH (n:A) RETURN n
   ─▶  MATCH (n) RETURN n.p IN [null, 1] AS a      an expression, with or without the clauses before it
   ─▶  MATCH (n) WHERE n.p IN [null, 1] RETURN null AS a      the rows that a clause gives

   So one bug ends as one query, be it found in a filter, in a write, or in the data of a later query. A candidate has fewer writing
   clauses, or as many and fewer nodes, so that there is an end. */
#include "lang/cypher/cypher.h"
#include "reduce/edit.h"

/* What a RETURN may cost more than the write that it stands for. */
enum { RETURN_NODES = 3 };

struct isolation {
  struct ew_reduction *reduction;
  struct ew_list statements; /* of the scene, and behind them those of the base */
  size_t index;              /* of the one that is looked at */
  size_t clause;             /* in it */
  bool helped;
};

static struct ew_list statements_of(struct ew_builder *builder, const struct ew_case *test) {
  struct ew_list all = test->scene.statements;
  if (!cypher_is(test->base, CYPHER_script)) return ew_list_append(builder, all, test->base);
  struct ew_list own = CYPHER_AS(script, test->base)->statements.list;
  for (size_t i = 0; i < own.count; i++) all = ew_list_append(builder, all, own.items[i]);
  return all;
}

/* ---- what a case costs ---- */

static bool is_reading(const struct ew_node *clause) {
  return cypher_is(clause, CYPHER_match) || cypher_is(clause, CYPHER_unwind) || cypher_is(clause, CYPHER_with);
}

static enum ew_walk count_write(const struct ew_node *node, struct ew_place place, void *context) {
  size_t *count = context;
  (void)place;
  *count += cypher_is(node, CYPHER_create) || cypher_is(node, CYPHER_merge) || cypher_is(node, CYPHER_set) ||
            cypher_is(node, CYPHER_remove) || cypher_is(node, CYPHER_delete);
  return EW_WALK_ON;
}

static size_t writes_of(const struct ew_case *test) {
  size_t count = 0;
  for (size_t i = 0; i < ew_edit_count(test); i++)
    if (ew_edit_tree(test, i)) ew_tree_walk(ew_edit_tree(test, i), count_write, &count);
  return count;
}

static bool is_simpler(const struct ew_case *candidate, const struct ew_case *best) {
  size_t writes = writes_of(candidate), most = writes_of(best), size = ew_case_size(candidate),
         now = ew_case_size(best);
  return writes < most ? size <= now + RETURN_NODES : writes == most && size < now;
}

/* ---- candidates ---- */

static struct ew_list clauses_of(const struct ew_node *statement) {
  if (!cypher_is(statement, CYPHER_statement)) return (struct ew_list){0};
  const struct ew_node *body = CYPHER_AS(statement, statement)->body.node;
  return cypher_is(body, CYPHER_query) ? CYPHER_AS(query, body)->clauses.list : (struct ew_list){0};
}

static const struct ew_node *without_where(struct ew_builder *builder, const struct ew_node *clause) {
  if (cypher_is(clause, CYPHER_match)) {
    struct cypher_match match = *CYPHER_AS(match, clause);
    match.where.node = NULL;
    return ew_node_changed(builder, clause, ew_node_fields(&match.head));
  }
  if (!cypher_is(clause, CYPHER_with)) return clause;
  struct cypher_with with = *CYPHER_AS(with, clause);
  with.where.node = NULL;
  return ew_node_changed(builder, clause, ew_node_fields(&with.head));
}

/* The clauses, and RETURN with the expression behind them, in the place of the statement and all that comes after it. */
static bool try_clauses(struct isolation *isolation, struct ew_builder *builder, struct ew_list clauses,
                        const struct ew_node *expression) {
  struct ew_reduction *reduction = isolation->reduction;
  const struct ew_node *item =
      CYPHER(builder, item, .expression.node = ew_tree_duplicate(builder, expression), .alias.name = EW_SPAN("a"));
  const struct ew_node *projection = CYPHER(builder, projection, .items.list = ew_list_of(builder, &item, 1));
  clauses = ew_list_append(builder, clauses, CYPHER(builder, return, .projection.node = projection));
  const struct ew_node *old = isolation->statements.items[isolation->index];
  struct cypher_statement statement = *CYPHER_AS(statement, old);
  statement.body.node = CYPHER(builder, query, .clauses.list = clauses);
  struct ew_case candidate = reduction->best;
  candidate.base = ew_node_changed(builder, old, ew_node_fields(&statement.head));
  candidate.scene.statements = (struct ew_list){isolation->statements.items, isolation->index};
  if (!is_simpler(&candidate, &reduction->best)) return false;
  return isolation->helped = ew_edit_try(reduction, &candidate);
}

static bool is_worth_asking(const struct ew_node *node) {
  return node->kind->class == CYPHER_CLASS_EXPR && !cypher_is(node, CYPHER_literal) &&
         !cypher_is(node, CYPHER_variable) && !cypher_is(node, CYPHER_parameter);
}

/* The expression alone; behind the clauses before its own; behind its own too, without the condition. */
static enum ew_walk try_expression(const struct ew_node *node, struct ew_place place, void *context) {
  struct isolation *isolation = context;
  (void)place;
  if (ew_edit_done(isolation->reduction)) return EW_WALK_STOP;
  if (!is_worth_asking(node)) return EW_WALK_ON;
  const struct ew_node *statement = isolation->statements.items[isolation->index];
  struct ew_list clauses = clauses_of(statement), none = {0}, before = {clauses.items, isolation->clause};
  const struct ew_node *own = clauses.items[isolation->clause];
  struct ew_builder builder = ew_edit_builder(isolation->reduction, statement);
  if (try_clauses(isolation, &builder, none, node)) return EW_WALK_STOP;
  if (before.count && try_clauses(isolation, &builder, before, node)) return EW_WALK_STOP;
  if (!is_reading(own)) return EW_WALK_ON;
  struct ew_list with_own = ew_list_append(&builder, before, without_where(&builder, own));
  return try_clauses(isolation, &builder, with_own, node) ? EW_WALK_STOP : EW_WALK_ON;
}

static bool try_rows(struct isolation *isolation) {
  const struct ew_node *statement = isolation->statements.items[isolation->index];
  struct ew_list clauses = clauses_of(statement);
  if (!is_reading(clauses.items[isolation->clause])) return false;
  struct ew_builder builder = ew_edit_builder(isolation->reduction, statement);
  const struct ew_node *null = CYPHER(&builder, literal, .value.value = ew_literal_of(&builder, ew_null()));
  return try_clauses(isolation, &builder, (struct ew_list){clauses.items, isolation->clause + 1}, null);
}

/* ---- the pass ---- */

bool ew_pass_isolate(struct ew_reduction *reduction) {
  const struct ew_case *best = &reduction->best;
  if (best->language != &ew_cypher || !best->base || best->recipe.trees.count) return false;
  struct ew_builder builder = ew_edit_builder(reduction, best->base);
  struct isolation isolation = {.reduction = reduction, .statements = statements_of(&builder, best)};
  for (; isolation.index < isolation.statements.count; isolation.index++) {
    struct ew_list clauses = clauses_of(isolation.statements.items[isolation.index]);
    for (isolation.clause = 0; isolation.clause < clauses.count; isolation.clause++) {
      if (try_rows(&isolation)) return true;
      ew_tree_walk(clauses.items[isolation.clause], try_expression, &isolation);
      if (isolation.helped) return true;
      if (ew_edit_done(reduction)) return false;
    }
  }
  return false;
}
