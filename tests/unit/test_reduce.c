/* test_reduce.c: each pass alone, whole reductions to what is known to be smallest, and the budgets. No engine: whether a
   candidate still violates is asked of its printed text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lang/cypher/cypher.h"
#include "lang/cypher/parser.h"
#include "reduce/edit.h"

static struct ew_arena arena;

static int begin(void **state) {
  (void)state;
  ew_arena_init(&arena);
  return 0;
}

static int end(void **state) {
  (void)state;
  ew_arena_release(&arena);
  return 0;
}

/* ---- cases from text ---- */

/* NULL where it is no Cypher. */
static const struct ew_node *read_text(const char *text) {
  struct ew_builder builder = {&arena, 1};
  const struct ew_node *tree = NULL;
  return ew_cypher_parse(&builder, ew_span_of(text), &tree, NULL) ? NULL : tree;
}

static const struct ew_node *parse(const char *text) {
  const struct ew_node *tree = read_text(text);
  if (!tree) fail_msg("no Cypher: %s", text);
  return tree;
}

/* Scene statements up to NULL. */
static struct ew_case case_of(const char *base, const char *const *statements) {
  struct ew_builder builder = {&arena, 1};
  struct ew_case test = {.language = &ew_cypher, .base = parse(base)};
  for (size_t i = 0; statements && statements[i]; i++)
    test.scene.statements = ew_list_append(&builder, test.scene.statements, parse(statements[i]));
  assert_true(ew_cypher.check(&test, false));
  return test;
}

static const char *print(const struct ew_node *tree) {
  struct ew_text text = {0};
  ew_cypher.print(&text, tree, NULL);
  const char *copy = ew_arena_string(&arena, ew_text_span(&text));
  ew_text_release(&text);
  return copy;
}

/* What a candidate must still have: this text in its base, and this one in a statement of its scene. */
struct bug {
  const char *base, *scene;
  unsigned asked;
};

static bool has(const struct ew_node *tree, const char *part) { return strstr(print(tree), part) != NULL; }

static bool shows(void *context, const struct ew_case *candidate) {
  struct bug *bug = context;
  bool in_scene = !bug->scene;
  bug->asked++;
  assert_true(candidate->language->check(candidate, false));
  const struct ew_node *again = read_text(print(candidate->base));
  assert_non_null(again);
  assert_true(ew_tree_equal(again, candidate->base));
  for (size_t i = 0; i < candidate->scene.statements.count && !in_scene; i++)
    in_scene = has(candidate->scene.statements.items[i], bug->scene);
  return in_scene && (!bug->base || has(candidate->base, bug->base));
}

static struct ew_reduction reduction_of(struct bug *bug) {
  return (struct ew_reduction){.arena = &arena,
                               .violates = shows,
                               .context = bug,
                               .tries_max = 5000,
                               .deadline = ew_deadline_in(20 * EW_SECOND),
                               .level = EW_CHECK_NAMES};
}

/* ---- each pass alone ---- */

typedef bool (*pass)(struct ew_reduction *reduction);

static void check_pass(pass run, const char *base, const char *kept, const char *expected) {
  struct ew_case test = case_of(base, NULL);
  struct bug bug = {.base = kept};
  struct ew_reduction reduction = reduction_of(&bug);
  reduction.best = test;
  while (run(&reduction)) continue;
  ew_map_release(&reduction.refused);
  assert_string_equal(print(reduction.best.base), expected);
  assert_true(ew_case_size(&reduction.best) <= ew_case_size(&test));
}

static void passes_alone(void **state) {
  (void)state;
  check_pass(ew_pass_items, "MATCH (n:A:B), (m) UNWIND [1, 2, 3, 4, 5] AS u RETURN u AS c0, n AS c1, m AS c2", "AS c1",
             "MATCH (n:A:B) RETURN n AS c1");
  check_pass(ew_pass_items, "MATCH (a)-->(b)-[r]->(c)-->(d)<--(e) RETURN r AS c", "AS c",
             "MATCH (b)-[r]->(e) RETURN r AS c");
  check_pass(ew_pass_optional, "MATCH (n) WHERE n.x > 1 RETURN n AS c SKIP 1 LIMIT 2", "RETURN", "MATCH (n) RETURN n");
  check_pass(ew_pass_hoist, "RETURN NOT (true AND (1 IN [abs(2 + 3)])) AS c", "2 + 3", "RETURN 2 + 3 AS c");
  check_pass(ew_pass_flags, "OPTIONAL MATCH (n) RETURN DISTINCT n AS c ORDER BY c DESC", "RETURN",
             "MATCH (n) RETURN n AS c ORDER BY c");
  check_pass(ew_pass_constants, "RETURN abs(1 + 2) XOR true AS c", "XOR", "RETURN null XOR null AS c");
  check_pass(ew_pass_literals, "RETURN 77 AS a, 'long' AS b, 2.5 AS c, true AS d", "RETURN",
             "RETURN 0 AS a, '' AS b, 0.0 AS c, false AS d");
}

static void statements_alone(void **state) {
  (void)state;
  static const char *const scene[] = {"CREATE (:A)", "CREATE (:B)", "CREATE (:C {x: 1})", "CREATE (:D)",
                                      "CREATE (:E)", "CREATE (:F)", "CREATE (:G)",        NULL};
  struct ew_case test = case_of("RETURN 1 AS c", scene);
  struct bug bug = {.scene = ":C"};
  struct ew_reduction reduction = reduction_of(&bug);
  reduction.best = test;
  assert_true(ew_pass_statements(&reduction));
  ew_map_release(&reduction.refused);
  assert_int_equal(reduction.best.scene.statements.count, 1);
  assert_string_equal(print(reduction.best.scene.statements.items[0]), "CREATE (:C {x: 1})");
  assert_string_equal(print(test.scene.statements.items[6]), "CREATE (:G)"); /* the original is as it was */
}

/* ---- whole reductions ---- */

static const char *const noisy[] = {
    "MATCH (a:A)-[r:R]->(b:B {x: 3}) WHERE a.x > 2 AND (b.y XOR a.z) OPTIONAL MATCH (b)--(c) WITH a, b, count(c) AS k "
    "WHERE k > 1 RETURN DISTINCT a.x + abs(k) AS c0, b AS c1, [q IN [1, 2, k] WHERE q > 1] AS c2 ORDER BY c0 DESC "
    "LIMIT 7",
    "UNWIND [1, 2, 3] AS u MATCH (n) WHERE n.s STARTS WITH 'abc' OR NOT (n.i = u XOR true) RETURN count(*) AS c0 "
    "UNION ALL MATCH (n) RETURN toUpper(n.s) AS c0",
};

static void check_reduced(const char *base, const char *kept, const char *expected) {
  struct ew_case test = case_of(base, (const char *const[]){"CREATE (:A {x: 1})", "CREATE (:B)", NULL});
  struct bug bug = {.base = kept};
  struct ew_reduction reduction = reduction_of(&bug);
  ew_reduce(&reduction, &test);
  assert_string_equal(print(reduction.best.base), expected);
  assert_int_equal(reduction.best.scene.statements.count, 0);
  assert_int_equal(bug.asked, reduction.tries);
  assert_true(ew_cypher.check(&reduction.best, false));
  /* It is a fixpoint: nothing makes it smaller. */
  struct ew_reduction again = reduction_of(&bug);
  ew_reduce(&again, &reduction.best);
  assert_true(ew_tree_equal(again.best.base, reduction.best.base));
}

static void results_are_minimal(void **state) {
  (void)state;
  check_reduced(noisy[0], "XOR", "MATCH () WHERE null XOR null RETURN null AS a");
  check_reduced(noisy[0], "OPTIONAL", "OPTIONAL MATCH () RETURN null AS a");
  check_reduced(noisy[0], "-[:R]->", "MATCH ()-[:R]->() RETURN null AS a");
  check_reduced(noisy[1], "STARTS WITH", "MATCH () WHERE null STARTS WITH null RETURN null AS a");
  check_reduced(noisy[1], "UNION ALL", "RETURN null AS a UNION ALL RETURN null AS a");
  check_reduced(noisy[1], "toUpper", "RETURN toUpper(null) AS a");
}

/* ---- bounds ---- */

static bool always(void *context, const struct ew_case *candidate) {
  (void)candidate;
  ++*(unsigned *)context;
  return true;
}

static void tries_are_bounded(void **state) {
  (void)state;
  struct ew_case test = case_of(noisy[0], NULL);
  for (unsigned max = 0; max < 40; max++) {
    unsigned asked = 0;
    struct bug bug = {.base = "XOR"};
    struct ew_reduction easy = {
        .arena = &arena, .violates = always, .context = &asked, .tries_max = max, .deadline = EW_DEADLINE_NEVER};
    struct ew_reduction hard = reduction_of(&bug);
    hard.tries_max = max;
    ew_reduce(&easy, &test);
    ew_reduce(&hard, &test);
    assert_true(asked <= max && bug.asked <= max);
    assert_true(has(hard.best.base, "XOR"));
  }
}

static void time_is_bounded(void **state) {
  (void)state;
  struct ew_case test = case_of(noisy[0], NULL);
  struct bug bug = {.base = "XOR"};
  struct ew_reduction reduction = reduction_of(&bug);
  reduction.deadline = ew_deadline_in(0);
  ew_reduce(&reduction, &test);
  assert_int_equal(reduction.tries, 0);
  assert_true(ew_tree_equal(reduction.best.base, test.base));
}

/* Whatever is refused, the best case is one that violates. */
static bool moody(void *context, const struct ew_case *candidate) {
  uint64_t *last = context;
  if (ew_tree_hash(candidate->base) % 3) return false;
  *last = ew_tree_hash(candidate->base);
  return true;
}

static void the_best_has_been_seen(void **state) {
  (void)state;
  for (size_t i = 0; i < EW_COUNT(noisy); i++) {
    struct ew_case test = case_of(noisy[i], NULL);
    uint64_t last = ew_tree_hash(test.base);
    struct ew_reduction reduction = {
        .arena = &arena, .violates = moody, .context = &last, .tries_max = 2000, .deadline = EW_DEADLINE_NEVER};
    ew_reduce(&reduction, &test);
    assert_true(ew_tree_hash(reduction.best.base) == last);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(passes_alone, begin, end),
      cmocka_unit_test_setup_teardown(statements_alone, begin, end),
      cmocka_unit_test_setup_teardown(results_are_minimal, begin, end),
      cmocka_unit_test_setup_teardown(tries_are_bounded, begin, end),
      cmocka_unit_test_setup_teardown(time_is_bounded, begin, end),
      cmocka_unit_test_setup_teardown(the_best_has_been_seen, begin, end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
