/* scope.c: the stack of bindings, and the doors to the checker. */
#include "lang/cypher/scope.h"

#include "base/map.h"
#include "lang/cypher/checker.h"
#include "lang/cypher/cypher.h"

static const struct {
  const char *type, *name, *meaning;
} details[] = {
#define PROBLEM(name, meaning) PROBLEM_AS(name, "SyntaxError", #name, meaning)
#define PROBLEM_AS(name, type, detail, meaning) [EW_CYPHER_##name] = {type, detail, meaning},
#include "lang/cypher/problems.def"
#undef PROBLEM
#undef PROBLEM_AS
};

const char *ew_cypher_detail_type(enum ew_cypher_detail detail) { return details[detail].type; }
const char *ew_cypher_detail_name(enum ew_cypher_detail detail) { return details[detail].name; }
const char *ew_cypher_detail_meaning(enum ew_cypher_detail detail) { return details[detail].meaning; }

void ew_cypher_fail(struct ew_cypher_checker *checker, enum ew_cypher_detail detail, const struct ew_node *node,
                    struct ew_span name) {
  if (checker->failed) return;
  checker->failed = true;
  checker->problem = (struct ew_cypher_problem){detail, node, name};
}

/* ---- bindings ---- */

const struct ew_cypher_binding *ew_cypher_find(const struct ew_cypher_checker *checker, struct ew_span name) {
  for (size_t i = checker->bindings.count; i > checker->floor; i--)
    if (ew_span_equal(checker->bindings.items[i - 1].name, name)) return &checker->bindings.items[i - 1];
  return NULL;
}

void ew_cypher_bind(struct ew_cypher_checker *checker, struct ew_span name, struct ew_cypher_type type) {
  *ew_vector_push(&checker->bindings) = (struct ew_cypher_binding){name, type};
}

void ew_cypher_bind_new(struct ew_cypher_checker *checker, const struct ew_node *node, struct ew_span name,
                        struct ew_cypher_type type) {
  if (ew_cypher_find(checker, name)) ew_cypher_fail(checker, EW_CYPHER_VariableAlreadyBound, node, name);
  ew_cypher_bind(checker, name, type);
}

struct ew_cypher_type ew_cypher_use(struct ew_cypher_checker *checker, const struct ew_node *node,
                                    struct ew_span name) {
  const struct ew_cypher_binding *binding = ew_cypher_find(checker, name);
  if (binding) return binding->type;
  ew_cypher_fail(checker, EW_CYPHER_UndefinedVariable, node, name);
  return (struct ew_cypher_type){EW_TYPE_ANY, EW_TYPE_ANY};
}

bool ew_cypher_conflict(struct ew_cypher_type have, uint32_t want) {
  return !(have.set & (want | EW_TYPE_NULL)) && have.set;
}

/* ---- doors ---- */

static void check_statement(struct ew_cypher_checker *checker, const struct ew_node *statement) {
  const struct ew_node *body = statement;
  if (cypher_is(statement, CYPHER_statement)) body = CYPHER_AS(statement, statement)->body.node;
  if (cypher_is(body, CYPHER_query) || cypher_is(body, CYPHER_union))
    ew_cypher_check_query(checker, body, EW_ENDING_STATEMENT);
}

static void release(struct ew_cypher_checker *checker) {
  ew_vector_release(&checker->bindings);
  ew_vector_release(&checker->columns);
}

static bool analyze(const struct ew_node *statement, bool types, struct ew_cypher_problem *problem) {
  struct ew_cypher_checker checker = {.types = types};
  check_statement(&checker, statement);
  release(&checker);
  if (checker.failed && problem) *problem = checker.problem;
  return !checker.failed;
}

bool ew_cypher_analyze(const struct ew_node *statement, struct ew_cypher_problem *problem) {
  return analyze(statement, true, problem);
}

bool ew_cypher_analyze_names(const struct ew_node *statement, struct ew_cypher_problem *problem) {
  return analyze(statement, false, problem);
}

struct ew_cypher_bindings ew_cypher_visible(struct ew_arena *arena, const struct ew_node *statement,
                                            const struct ew_node *clause) {
  struct ew_cypher_checker checker = {.stop = clause, .arena = arena};
  check_statement(&checker, statement);
  release(&checker);
  return checker.visible;
}

bool ew_cypher_groups_mix_numbers(const struct ew_node *statement) {
  struct ew_cypher_checker checker = {0};
  check_statement(&checker, statement);
  release(&checker);
  return checker.groups_mix_numbers;
}

/* ---- cases ---- */

/* Every node of a graph needs a name of its own: load.c makes a variable of it. */
static bool check_graph(const struct ew_node *graph) {
  struct ew_list nodes = CYPHER_AS(graph, graph)->nodes.list;
  struct ew_map names;
  bool good = true;
  ew_map_init(&names);
  for (size_t i = 0; i < nodes.count && good; i++) {
    struct ew_span name = CYPHER_AS(graph_node, nodes.items[i])->name.name;
    ew_map_add(&names, name, &good);
    if (!name.length) good = false;
  }
  ew_map_release(&names);
  return good;
}

static bool wrong_arity(const struct cypher_function *call) {
  const struct ew_cypher_function *function = ew_cypher_function_find(call->name.name);
  size_t count = call->arguments.list.count;
  return function && (count < function->least || count > function->most);
}

/* A column without an alias is named by its text, which differs between queries that must return the same columns. */
static bool unnamed(const struct cypher_item *item) {
  return !item->alias.name.length && !cypher_is(item->expression.node, CYPHER_variable);
}

/* `WITH *` where nothing is visible: engines differ in whether they take it. */
static bool empty_star(const struct ew_node *clause, const struct ew_node *statement) {
  const struct cypher_projection *projection = CYPHER_AS(projection, CYPHER_AS(with, clause)->projection.node);
  struct ew_arena arena;
  if (!projection->star.flag) return false;
  ew_arena_init(&arena);
  bool empty = ew_cypher_visible(&arena, statement, clause).count == 0;
  ew_arena_release(&arena);
  return empty;
}

/* `*2` is two to two: what is not cannot be written so. */
static bool odd_length(const struct cypher_length *length) {
  return length->exact.flag && (length->low.number < 0 || length->low.number != length->high.number);
}

static bool lacks_argument(const struct ew_node *parameter, const struct ew_node *statement) {
  struct ew_list arguments =
      cypher_is(statement, CYPHER_statement) ? CYPHER_AS(statement, statement)->arguments.list : (struct ew_list){0};
  for (size_t i = 0; i < arguments.count; i++)
    if (ew_span_equal(CYPHER_AS(argument, arguments.items[i])->name.name, CYPHER_AS(parameter, parameter)->name.name))
      return false;
  return true;
}

/* Chains are of comparisons; with another operator the text would be read as something else. */
static bool no_comparison(const struct cypher_link *link) {
  return link->operator.choice < CYPHER_EQUAL || link->operator.choice > CYPHER_GREATER_EQUAL;
}

static enum ew_walk find_malformed(const struct ew_node *node, struct ew_place place, void *context) {
  (void)place;
  bool malformed = (cypher_is(node, CYPHER_item) && unnamed(CYPHER_AS(item, node))) ||
                   (cypher_is(node, CYPHER_link) && no_comparison(CYPHER_AS(link, node))) ||
                   (cypher_is(node, CYPHER_function) && wrong_arity(CYPHER_AS(function, node))) ||
                   (cypher_is(node, CYPHER_parameter) && lacks_argument(node, context)) ||
                   (cypher_is(node, CYPHER_length) && odd_length(CYPHER_AS(length, node))) ||
                   (cypher_is(node, CYPHER_with) && empty_star(node, context));
  return malformed ? EW_WALK_STOP : EW_WALK_ON;
}

static bool check_statement_of_case(const struct ew_node *statement, bool strict) {
  if (!ew_tree_walk(statement, find_malformed, (void *)(uintptr_t)statement)) return false;
  return strict ? ew_cypher_analyze(statement, NULL) : ew_cypher_analyze_names(statement, NULL);
}

/* An expression in a recipe is a predicate of `partition`: it must make sense where that puts it. */
static bool check_predicate(const struct ew_case *test, const struct ew_node *predicate, bool strict) {
  struct ew_arena arena;
  ew_arena_init(&arena);
  struct ew_builder builder = ew_builder_for(&arena, test->base);
  const struct ew_node *query = ew_cypher_partition.restrict_to(&builder, test->base, predicate, EW_PART_TRUE);
  bool good = query && check_statement_of_case(query, strict);
  ew_arena_release(&arena);
  return good;
}

bool ew_cypher_check(const struct ew_case *test, bool strict) {
  if (test->scene.data && !check_graph(test->scene.data)) return false;
  for (size_t i = 0; i < test->scene.statements.count; i++)
    if (!check_statement_of_case(test->scene.statements.items[i], strict)) return false;
  struct ew_list statements = test->base ? ew_cypher_statements(&test->base) : (struct ew_list){0};
  for (size_t i = 0; i < statements.count; i++)
    if (!check_statement_of_case(statements.items[i], strict)) return false;
  for (size_t i = 0; i < test->recipe.trees.count; i++) {
    const struct ew_node *tree = test->recipe.trees.items[i];
    if (tree->kind->class == CYPHER_CLASS_EXPR && !check_predicate(test, tree, strict)) return false;
  }
  return true;
}
