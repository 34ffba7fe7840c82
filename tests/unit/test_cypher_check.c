/* test_cypher_check.c: static errors of queries (tests/golden/cypher-check.txt), what is visible where, and cases. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/file.h"
#include "lang/cypher/cypher.h"
#include "lang/cypher/parser.h"
#include "lang/cypher/scope.h"

static struct ew_arena arena;
static struct ew_builder builder;

static int begin(void **state) {
  (void)state;
  ew_arena_init(&arena);
  builder = (struct ew_builder){&arena, 1};
  return 0;
}

static int end(void **state) {
  (void)state;
  ew_arena_release(&arena);
  return 0;
}

static const struct ew_node *parse(struct ew_span text) {
  const struct ew_node *tree = NULL;
  if (ew_cypher_parse(&builder, text, &tree, NULL) != EW_OK) fail_msg("cannot read %.*s", EW_SPAN_ARGS(text));
  return tree;
}

static void golden(void **state) {
  struct ew_text file = {0};
  size_t lines = 0;
  (void)state;
  assert_int_equal(ew_file_read("tests/golden/cypher-check.txt", 1 << 20, &file, NULL), EW_OK);
  for (const char *line = file.bytes, *stop; (stop = strchr(line, '\n')); line = stop + 1) {
    if (line == stop || *line == '#') continue;
    const char *colon = memchr(line, ':', (size_t)(stop - line));
    struct ew_span expected = {line, (size_t)(colon - line)}, query = {colon + 2, (size_t)(stop - colon - 2)};
    struct ew_cypher_problem problem;
    const char *found = "ok";
    if (!ew_cypher_analyze(parse(query), &problem)) found = ew_cypher_detail_name(problem.detail);
    if (!ew_span_is(expected, found))
      fail_msg("%.*s\nexpected %.*s, found %s", EW_SPAN_ARGS(query), EW_SPAN_ARGS(expected), found);
    lines++;
  }
  assert_true(lines > 100);
  ew_text_release(&file);
}

static const struct ew_node *last_clause(const struct ew_node *statement) {
  struct ew_list clauses = CYPHER_AS(query, CYPHER_AS(statement, statement)->body.node)->clauses.list;
  return clauses.items[clauses.count - 1];
}

static void visible(void **state) {
  (void)state;
  const struct ew_node *statement = parse(EW_SPAN(
      "MATCH (a)-[r]->(b), p = (c) WITH a, r AS s, collect(b) AS l UNWIND l AS x UNWIND [1, 'a'] AS y RETURN a"));
  struct ew_cypher_bindings found = ew_cypher_visible(&arena, statement, last_clause(statement));
  static const struct {
    const char *name;
    uint32_t set;
  } expected[] = {
      {"a", EW_TYPE_NODE},
      {"s", EW_TYPE_RELATIONSHIP},
      {"l", EW_TYPE_LIST},
      {"x", EW_TYPE_NODE},
      {"y", EW_TYPE_INTEGER | EW_TYPE_STRING},
  };
  assert_int_equal(found.count, EW_COUNT(expected));
  for (size_t i = 0; i < EW_COUNT(expected); i++) {
    assert_true(ew_span_is(found.items[i].name, expected[i].name));
    assert_int_equal(found.items[i].type.set, expected[i].set);
  }
  assert_int_equal(ew_cypher_visible(&arena, statement, NULL).count, 0);
}

static void problem_says_where(void **state) {
  struct ew_cypher_problem problem;
  (void)state;
  assert_false(ew_cypher_analyze(parse(EW_SPAN("MATCH (n) RETURN n.x AS x, missing AS y")), &problem));
  assert_int_equal(problem.detail, EW_CYPHER_UndefinedVariable);
  assert_true(ew_span_is(problem.name, "missing"));
  assert_true(cypher_is(problem.node, CYPHER_variable));
  assert_true(strlen(ew_cypher_detail_meaning(problem.detail)) > 0);
}

/* A case may hold ill-typed expressions, unless types are asked for, but no unbound names; a graph's nodes have names
   of their own; a predicate in the recipe fits the query. */
static void cases(void **state) {
  (void)state;
  struct ew_case test = {.language = &ew_cypher};
  test.base = parse(EW_SPAN("MATCH (n) RETURN NOT 1 AS x, type(n) AS y"));
  assert_true(ew_cypher_check(&test, false));
  const struct ew_node *write = parse(EW_SPAN("MATCH (n) SET m.x = 1"));
  test.scene.statements = ew_list_of(&builder, &write, 1);
  assert_false(ew_cypher_check(&test, false));
  test.scene.statements.count = 0;
  const struct ew_node *node = CYPHER(&builder, graph_node, .name.name = EW_SPAN("a"));
  const struct ew_node *twice[] = {node, node};
  test.scene.data = CYPHER(&builder, graph, .nodes.list = ew_list_of(&builder, twice, 1));
  assert_true(ew_cypher_check(&test, false));
  test.scene.data = CYPHER(&builder, graph, .nodes.list = ew_list_of(&builder, twice, 2));
  assert_false(ew_cypher_check(&test, false));
  test.scene.data = NULL;
  const struct ew_node *predicates[2] = {0};
  assert_int_equal(ew_cypher_parse_expression(&builder, EW_SPAN("n.x = 1"), &predicates[0], NULL), EW_OK);
  assert_int_equal(ew_cypher_parse_expression(&builder, EW_SPAN("m.x = 1"), &predicates[1], NULL), EW_OK);
  test.recipe.trees = ew_list_of(&builder, &predicates[0], 1);
  assert_true(ew_cypher_check(&test, false));
  test.recipe.trees = ew_list_of(&builder, &predicates[1], 1);
  assert_false(ew_cypher_check(&test, false));
}

/* The table is searched by halves. */
static void functions(void **state) {
  static const char *const names[] = {
#define FUNCTION(name, least, most, traits, result, first) name,
#include "lang/cypher/functions.def"
#undef FUNCTION
  };
  (void)state;
  for (size_t i = 0; i < EW_COUNT(names); i++) {
    const struct ew_cypher_function *function = ew_cypher_function_find(ew_span_of(names[i]));
    assert_non_null(function);
    assert_string_equal(function->name, names[i]);
  }
  assert_string_equal(ew_cypher_function_find(EW_SPAN("toUPPER"))->name, "toupper");
  assert_null(ew_cypher_function_find(EW_SPAN("nosuch")));
  assert_null(ew_cypher_function_find(EW_SPAN("")));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(golden, begin, end),
      cmocka_unit_test_setup_teardown(visible, begin, end),
      cmocka_unit_test_setup_teardown(problem_says_where, begin, end),
      cmocka_unit_test_setup_teardown(cases, begin, end),
      cmocka_unit_test(functions),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
