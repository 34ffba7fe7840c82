/* test_reduce.c: each pass alone, whole reductions to what is known to be smallest, and the budgets. No engine: whether a
   candidate still violates is asked of its printed text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "generate/generate.h"
#include "lang/cypher/cypher.h"
#include "lang/cypher/parser.h"
#include "reduce/ddmin.h"
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
  bool any_tree; /* also one that its text does not tell all of */
};

static bool has(const struct ew_node *tree, const char *part) { return strstr(print(tree), part) != NULL; }

static bool shows(void *context, const struct ew_case *candidate) {
  struct bug *bug = context;
  bool in_scene = !bug->scene;
  bug->asked++;
  assert_true(candidate->language->check(candidate, false));
  const struct ew_node *again = read_text(print(candidate->base));
  assert_non_null(again);
  assert_true(bug->any_tree || ew_tree_equal(again, candidate->base));
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

/* Inlining may make a case larger for a while. */
static void check_inline(const char *base, const char *kept, const char *expected) {
  struct bug bug = {.base = kept};
  struct ew_reduction reduction = reduction_of(&bug);
  reduction.best = case_of(base, NULL);
  while (ew_pass_inline(&reduction)) continue;
  ew_map_release(&reduction.refused);
  assert_string_equal(print(reduction.best.base), expected);
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
  check_pass(ew_pass_isolate, "MATCH (n) WHERE NOT n.x IN [1] SET n:A", "IN", "MATCH (n) RETURN n.x IN [1] AS a");
  check_pass(ew_pass_isolate, "MATCH (n)-->() CREATE (:A) DELETE n", "-->", "MATCH (n)-->() RETURN null AS a");
  check_pass(ew_pass_literals, "RETURN 77 AS a, 'long' AS b, 2.5 AS c, true AS d", "RETURN",
             "RETURN 0 AS a, '' AS b, 0.0 AS c, false AS d");
}

static void passes_of_lists(void **state) {
  (void)state;
  check_pass(ew_pass_splice, "CALL { MATCH (n) RETURN n AS x } RETURN 1 AS c", "MATCH", "MATCH (n) RETURN 1 AS c");
  check_pass(ew_pass_splice, "RETURN [[1, [2, 3]], 4] AS c", "RETURN", "RETURN [1, 2, 3, 4] AS c");
  check_pass(ew_pass_splice, "MATCH (n) FOREACH (x IN [1] | CREATE (:A) CREATE (:B)) RETURN n AS c", ":B",
             "MATCH (n) CREATE (:A) CREATE (:B) RETURN n AS c");
  check_pass(ew_pass_columns, "RETURN 1 AS a, 2 AS b, 3 AS c UNION ALL RETURN 4 AS a, 5 AS b, 6 AS c", "5",
             "RETURN 2 AS b UNION ALL RETURN 5 AS b");
  check_pass(ew_pass_columns, "MATCH (n) CALL { RETURN 1 AS a, 2 AS b UNION RETURN 3 AS a, 4 AS b } RETURN a AS c", "3",
             "MATCH (n) CALL { RETURN 1 AS a UNION RETURN 3 AS a } RETURN a AS c");
}

static void passes_of_literals(void **state) {
  (void)state;
  check_pass(ew_pass_numbers, "MATCH ()-[*3..7]->()-[*2]->() RETURN 1 AS c", "*",
             "MATCH ()-[*]->()-[*2]->() RETURN 1 AS c");
  check_pass(ew_pass_numbers, "MATCH ()-[*3..7]->() RETURN 1 AS c", "..", "MATCH ()-[*..1]->() RETURN 1 AS c");
  check_pass(ew_pass_literals, "RETURN -1234 AS a", "12", "RETURN 12 AS a");
  check_pass(ew_pass_literals, "RETURN 'abcdefgh' AS a", "f", "RETURN 'f' AS a");
  check_pass(ew_pass_literals, "RETURN '\xe6\x97\xa5\xe6\x9c\xac' AS a", "\xe6\x9c\xac", "RETURN '\xe6\x9c\xac' AS a");
  check_pass(ew_pass_literals, "RETURN 7.25 AS a", "7.", "RETURN 7.0 AS a");
  check_pass(ew_pass_literals, "RETURN -9223372036854775808 AS a", "9", "RETURN -9223372036854775808 AS a");
}

static void names_are_inlined(void **state) {
  (void)state;
  check_inline("MATCH (n) WITH n AS v, n.x + 1 AS w WHERE w > 2 RETURN v, w", "RETURN",
               "MATCH (n) WHERE n.x + 1 > 2 RETURN n AS v, n.x + 1 AS w");
  check_inline("MATCH (n) WITH n AS v MATCH (v)-->(m) WITH m, v AS u RETURN u AS c, m AS d", "RETURN",
               "MATCH (n) MATCH (n)-->(m) RETURN n AS c, m AS d");
  check_inline("MATCH (n) WITH n AS v ORDER BY v.x RETURN v", "WITH", "MATCH (n) WITH n ORDER BY n.x RETURN n AS v");
  check_inline("UNWIND [1] AS n WITH n AS v WITH *, 2 AS w RETURN v AS c, w AS d", "*",
               "UNWIND [1] AS n WITH *, 2 AS w RETURN n AS c, w AS d");
  /* Where a name comes back with another meaning, it keeps that one. */
  check_inline("UNWIND [1] AS n WITH n AS v WITH v AS x, 2 AS v RETURN v AS c, x AS d", "2 AS v",
               "UNWIND [1] AS n WITH n, 2 AS v RETURN v AS c, n AS d");
  check_inline("MATCH (n) WITH n AS v, count(*) AS k RETURN v AS c, k AS d", "count(*) AS k",
               "MATCH (n) WITH n, count(*) AS k RETURN n AS c, k AS d");
}

/* ---- recipes ---- */

static struct ew_case case_with_predicate(const char *base, const char *predicate) {
  struct ew_builder builder = {&arena, 1000};
  struct ew_case test = case_of(base, NULL);
  const struct ew_node *tree;
  assert_int_equal(ew_cypher_parse_expression(&builder, ew_span_of(predicate), &tree, NULL), EW_OK);
  test.recipe.trees = ew_list_of(&builder, &tree, 1);
  assert_true(ew_cypher.check(&test, false));
  return test;
}

/* The predicate goes with the names. */
static void recipes_are_inlined(void **state) {
  (void)state;
  struct ew_case test = case_with_predicate("MATCH (n) WITH n.x AS v RETURN v AS c", "v = 1");
  struct bug bug = {.base = "RETURN"};
  struct ew_reduction reduction = reduction_of(&bug);
  reduction.best = test;
  while (ew_pass_inline(&reduction)) continue;
  ew_map_release(&reduction.refused);
  assert_string_equal(print(reduction.best.base), "MATCH (n) RETURN n.x AS c");
  assert_string_equal(print(reduction.best.recipe.trees.items[0]), "n.x = 1");
}

/* An oracle whose recipe is a predicate, and numbers that are its steps. */
static unsigned drawn;

static struct ew_step next_step(const struct ew_case *test, const struct ew_profile *profile,
                                const struct ew_outcome *outcomes, size_t count, struct ew_arena *scratch) {
  (void)profile;
  (void)outcomes;
  (void)count;
  (void)scratch;
  return (struct ew_step){.kind = test->recipe.trees.count || test->recipe.number_count ? EW_STEP_RUN : EW_STEP_NONE};
}

static bool draw_recipe(struct ew_compose *compose, struct ew_case *test) {
  struct ew_builder builder = ew_builder_for(compose->arena, test->base);
  const struct ew_node *tree;
  drawn++;
  const char *text = drawn % 3 ? "nobody = 1" : "n.y = 2"; /* the first two are of no use */
  assert_int_equal(ew_cypher_parse_expression(&builder, ew_span_of(text), &tree, NULL), EW_OK);
  test->recipe.trees = ew_list_of(&builder, &tree, 1);
  return true;
}

static bool leave_out(const struct ew_case *test, size_t which, struct ew_arena *memory, struct ew_recipe *recipe) {
  size_t count = test->recipe.number_count, kept = 0;
  if (which >= count) return false;
  int64_t *numbers = EW_NEW_ARRAY(memory, int64_t, count);
  for (size_t i = 0; i < count; i++)
    if (i != which) numbers[kept++] = test->recipe.numbers[i];
  *recipe = (struct ew_recipe){.trees = test->recipe.trees, .numbers = numbers, .number_count = kept};
  return true;
}

static const struct ew_oracle oracle = {
    .name = "test", .next = next_step, .recompose = draw_recipe, .shorten = leave_out};

static void *prepare(void *world, const struct ew_profile *profile, const struct ew_generate_options *options,
                     const struct ew_scene *scene) {
  (void)profile;
  (void)options;
  (void)scene;
  return world;
}

static void release(void *world) { (void)world; }
static const struct ew_generator generator = {.prepare = prepare, .release = release};

static void fresh_recipes_are_drawn(void **state) {
  (void)state;
  struct ew_case test = case_with_predicate("MATCH (n), (m) RETURN n AS c", "m.x = 1");
  struct bug bug = {.base = "RETURN"};
  struct ew_reduction reduction = reduction_of(&bug);
  reduction.oracle = &oracle;
  reduction.generator = &generator;
  reduction.best = test;
  drawn = 0;
  while (ew_pass_fresh(&reduction)) continue;
  ew_map_release(&reduction.refused);
  assert_string_equal(print(reduction.best.base), "MATCH (n) RETURN n AS c");
  assert_string_equal(print(reduction.best.recipe.trees.items[0]), "n.y = 2");
  assert_int_equal(bug.asked, 1); /* what its recipe does not fit costs no try */
  assert_false(reduction.fresh);
  reduction.generator = NULL;
  assert_false(ew_pass_fresh(&reduction));
}

static bool needs_seven(void *context, const struct ew_case *candidate) {
  ++*(unsigned *)context;
  for (size_t i = 0; i < candidate->recipe.number_count; i++)
    if (candidate->recipe.numbers[i] == 7) return true;
  return false;
}

static void steps_are_left_out(void **state) {
  (void)state;
  static const int64_t numbers[] = {3, 7, 5, 9};
  struct ew_case test = case_of("RETURN 1 AS c", NULL);
  unsigned asked = 0;
  test.recipe = (struct ew_recipe){.numbers = numbers, .number_count = EW_COUNT(numbers)};
  struct ew_reduction reduction = {.arena = &arena,
                                   .violates = needs_seven,
                                   .context = &asked,
                                   .oracle = &oracle,
                                   .tries_max = 100,
                                   .deadline = EW_DEADLINE_NEVER,
                                   .best = test};
  assert_true(ew_pass_steps(&reduction));
  assert_false(ew_pass_steps(&reduction));
  ew_map_release(&reduction.refused);
  assert_int_equal(reduction.best.recipe.number_count, 1);
  assert_int_equal(reduction.best.recipe.numbers[0], 7);
  assert_int_equal(asked, 4); /* a case without a step has no test: it is not asked */
}

static void parameters_become_literals(void **state) {
  (void)state;
  struct ew_case test = {.language = &ew_cypher, .base = parse("RETURN $x + $y AS a, $x AS b")};
  assert_false(ew_cypher.check(&test, false)); /* without their arguments */
  struct ew_builder builder = ew_builder_for(&arena, test.base);
  struct cypher_statement statement = *CYPHER_AS(statement, test.base);
  const char *const names[] = {"x", "y", "unused"};
  for (size_t i = 0; i < EW_COUNT(names); i++) {
    const struct ew_node *value =
        CYPHER(&builder, literal, .value.value = ew_literal_of(&builder, ew_integer((int64_t)i + 7)));
    const struct ew_node *argument = CYPHER(&builder, argument, .name.name = ew_span_of(names[i]), .value.node = value);
    statement.arguments.list = ew_list_append(&builder, statement.arguments.list, argument);
  }
  test.base = ew_node_changed(&builder, test.base, ew_node_fields(&statement.head));
  assert_true(ew_cypher.check(&test, true));
  static const struct {
    const char *kept, *expected;
    size_t left;
  } cases[] = {{"RETURN", "RETURN 7 + 8 AS a, 7 AS b", 0}, {"$y", "RETURN 7 + $y AS a, 7 AS b", 1}};
  for (size_t i = 0; i < EW_COUNT(cases); i++) {
    struct bug bug = {.base = cases[i].kept, .any_tree = true};
    struct ew_reduction reduction = reduction_of(&bug);
    reduction.best = test;
    while (ew_pass_parameters(&reduction)) continue;
    ew_map_release(&reduction.refused);
    assert_string_equal(print(reduction.best.base), cases[i].expected);
    assert_int_equal(CYPHER_AS(statement, reduction.best.base)->arguments.list.count, cases[i].left);
  }
}

/* ---- data and names ---- */

static const struct ew_node *graph_of(struct ew_builder *builder) {
  struct ew_list nodes = {0}, relationships = {0};
  static const char *const names[] = {"n0", "n1", "n2", "n3"}, *const labels[] = {"Cat", "Dog", "Cat", ""};
  static const char *const ends[][2] = {{"n0", "n1"}, {"n2", "n1"}, {"n0", "n0"}, {"n0", "gone"}};
  for (size_t i = 0; i < EW_COUNT(names); i++) {
    struct ew_span label = ew_span_of(labels[i]);
    nodes = ew_list_append(builder, nodes,
                           CYPHER(builder, graph_node, .name.name = ew_span_of(names[i]),
                                  .labels.names = ew_names_of(builder, &label, label.length > 0)));
  }
  for (size_t i = 0; i < EW_COUNT(ends); i++)
    relationships = ew_list_append(builder, relationships,
                                   CYPHER(builder, graph_relationship, .start.name = ew_span_of(ends[i][0]),
                                          .end.name = ew_span_of(ends[i][1]), .type.name = EW_SPAN("LIKES")));
  return CYPHER(builder, graph, .nodes.list = nodes, .relationships.list = relationships);
}

static void data_becomes_one_create(void **state) {
  (void)state;
  struct ew_builder builder = {&arena, 1};
  const char *const scene[] = {"CREATE (n0:X)-[:LIKES]->(n0)", "CREATE INDEX FOR (n:Cat) ON (n.x)", "CREATE ({x: 1})",
                               NULL};
  struct ew_case test = case_of("MATCH (n:Cat) RETURN n.age AS c", scene);
  test.scene.data = graph_of(&builder);
  struct bug bug = {.base = "RETURN"};
  struct ew_reduction reduction = reduction_of(&bug);
  reduction.best = test;
  assert_true(ew_pass_create(&reduction));
  assert_false(ew_pass_create(&reduction));
  assert_null(reduction.best.scene.data);
  assert_int_equal(reduction.best.scene.statements.count, 2);
  assert_string_equal(print(reduction.best.scene.statements.items[0]),
                      "CREATE (n0:Cat)-[:LIKES]->(:Dog)<-[:LIKES]-(:Cat), (n0)-[:LIKES]->(n0), (), "
                      "(n0_0:X)-[:LIKES]->(n0_0), ({x: 1})");
  assert_true(ew_pass_rename(&reduction));
  assert_false(ew_pass_rename(&reduction));
  assert_string_equal(print(reduction.best.base), "MATCH (a:A) RETURN a.p AS b");
  assert_string_equal(print(reduction.best.scene.statements.items[0]),
                      "CREATE (c:A)-[:R]->(:B)<-[:R]-(:A), (c)-[:R]->(c), (), (d:C)-[:R]->(d), ({q: 1})");
  assert_string_equal(print(reduction.best.scene.statements.items[1]), "CREATE INDEX FOR (a:A) ON (a.q)");
  ew_map_release(&reduction.refused);
}

/* Where a name matters, the others are renamed all the same, and none gets a name that another has. */
static void names_that_matter_stay(void **state) {
  (void)state;
  static const char base[] = "MATCH (n0:Person)-[a:KNOWS]->(m) WHERE n0.age > m.age RETURN a, n0.name AS `the name`";
  check_pass(ew_pass_rename, base, "RETURN", "MATCH (a:A)-[b:R]->(c) WHERE a.p > c.p RETURN b, a.q AS d");
  check_pass(ew_pass_rename, base, ":Person", "MATCH (a:Person)-[b:R]->(c) WHERE a.p > c.p RETURN b, a.q AS d");
  check_pass(ew_pass_rename, base, "[a:", "MATCH (n0:A)-[a:R]->(c) WHERE n0.p > c.p RETURN a, n0.q AS d");
  check_pass(ew_pass_rename, "RETURN [x IN [1] | x] AS y, all(z IN [2] WHERE z > 1) AS w", "RETURN",
             "RETURN [a IN [1] | a] AS b, all(c IN [2] WHERE c > 1) AS d");
  check_pass(ew_pass_rename, "CALL db.labels() YIELD label RETURN label AS x", "RETURN",
             "CALL db.labels() YIELD label RETURN label AS b");
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
  check_reduced(noisy[0], "XOR", "RETURN null XOR null AS a");
  check_reduced(noisy[0], "OPTIONAL", "OPTIONAL MATCH () RETURN null AS a");
  check_reduced(noisy[0], "-[:R]->", "MATCH ()-[:R]->() RETURN null AS a");
  check_reduced(noisy[1], "STARTS WITH", "RETURN null STARTS WITH null AS a");
  check_reduced(noisy[1], "UNION ALL", "RETURN null AS a UNION ALL RETURN null AS a");
  check_reduced(noisy[1], "toUpper", "RETURN toUpper(null) AS a");
}

/* ---- ddmin ---- */

struct items {
  bool kept[128], needed[128];
  size_t count, tries;
};

static size_t items_left(void *context) { return ((struct items *)context)->count; }

static bool drop_items(void *context, size_t from, size_t count) {
  struct items *items = context;
  size_t at = 0, kept = 0;
  items->tries++;
  for (size_t i = 0; i < EW_COUNT(items->kept); i++)
    if (items->kept[i] && at++ >= from && at <= from + count && items->needed[i]) return false;
  at = 0;
  for (size_t i = 0; i < EW_COUNT(items->kept); i++) {
    if (!items->kept[i]) continue;
    items->kept[i] = at < from || at >= from + count;
    at++;
    kept += items->kept[i];
  }
  items->count = kept;
  return true;
}

static void check_ddmin(size_t count, const size_t *needed, size_t needed_count, size_t tries) {
  struct items items = {.count = count};
  for (size_t i = 0; i < count; i++) items.kept[i] = true;
  for (size_t i = 0; i < needed_count; i++) items.needed[needed[i]] = true;
  ew_ddmin(&(struct ew_ddmin){items_left, drop_items, &items, 0});
  assert_int_equal(items.count, needed_count);
  for (size_t i = 0; i < count; i++) assert_true(items.kept[i] == items.needed[i]);
  if (items.tries > tries) fail_msg("%zu tries, not %zu", items.tries, tries);
}

static void lists_shrink_in_few_tries(void **state) {
  (void)state;
  check_ddmin(128, NULL, 0, 1);
  for (size_t i = 0; i < 100; i++) check_ddmin(100, &i, 1, 20);
  check_ddmin(128, (const size_t[]){0, 127}, 2, 40);
  check_ddmin(128, (const size_t[]){5, 63, 64, 90}, 4, 60);
  struct items items = {.count = 9};
  for (size_t i = 0; i < 9; i++) items.kept[i] = true;
  assert_true(ew_ddmin(&(struct ew_ddmin){items_left, drop_items, &items, 2}));
  assert_int_equal(items.count, 2);
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

static bool stop_at_ten(void *context, const struct ew_case *candidate) {
  volatile sig_atomic_t *stop = context;
  (void)candidate;
  *stop = *stop + 1;
  return false;
}

static void it_can_be_stopped(void **state) {
  (void)state;
  volatile sig_atomic_t asked = 0;
  struct ew_case test = case_of(noisy[0], NULL);
  struct ew_reduction reduction = {.arena = &arena,
                                   .violates = stop_at_ten,
                                   .context = (void *)(uintptr_t)&asked,
                                   .tries_max = 1000,
                                   .deadline = EW_DEADLINE_NEVER,
                                   .stop = &asked};
  ew_reduce(&reduction, &test);
  assert_int_equal(asked, 1);
}

/* A case that is well typed gets no ill-typed candidates; one that is not is reduced all the same. */
static bool is_well_typed(void *context, const struct ew_case *candidate) {
  assert_true(*(bool *)context ? ew_cypher.check(candidate, true) : true);
  return has(candidate->base, "abs");
}

static void types_stay_right(void **state) {
  (void)state;
  static const char *const bases[] = {"RETURN abs(size('a' + 'b')) + 1 AS c, 'a' + [1] AS d",
                                      "RETURN abs('a') + (NOT 1) AS c, 2 AS d"};
  static const char *const expected[] = {"RETURN abs(null) AS a", "RETURN abs(null) AS a"};
  for (size_t i = 0; i < EW_COUNT(bases); i++) {
    struct ew_case test = case_of(bases[i], NULL);
    bool strict = ew_cypher.check(&test, true);
    assert_true(strict == (i == 0));
    struct ew_reduction reduction = {.arena = &arena,
                                     .violates = is_well_typed,
                                     .context = &strict,
                                     .tries_max = 1000,
                                     .deadline = EW_DEADLINE_NEVER};
    ew_reduce(&reduction, &test);
    assert_int_equal(reduction.level, strict ? EW_CHECK_TYPES : EW_CHECK_NAMES);
    assert_string_equal(print(reduction.best.base), expected[i]);
  }
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
      cmocka_unit_test_setup_teardown(passes_of_lists, begin, end),
      cmocka_unit_test_setup_teardown(passes_of_literals, begin, end),
      cmocka_unit_test_setup_teardown(names_are_inlined, begin, end),
      cmocka_unit_test_setup_teardown(recipes_are_inlined, begin, end),
      cmocka_unit_test_setup_teardown(fresh_recipes_are_drawn, begin, end),
      cmocka_unit_test_setup_teardown(steps_are_left_out, begin, end),
      cmocka_unit_test_setup_teardown(parameters_become_literals, begin, end),
      cmocka_unit_test_setup_teardown(data_becomes_one_create, begin, end),
      cmocka_unit_test_setup_teardown(names_that_matter_stay, begin, end),
      cmocka_unit_test_setup_teardown(lists_shrink_in_few_tries, begin, end),
      cmocka_unit_test_setup_teardown(it_can_be_stopped, begin, end),
      cmocka_unit_test_setup_teardown(types_stay_right, begin, end),
      cmocka_unit_test_setup_teardown(statements_alone, begin, end),
      cmocka_unit_test_setup_teardown(results_are_minimal, begin, end),
      cmocka_unit_test_setup_teardown(tries_are_bounded, begin, end),
      cmocka_unit_test_setup_teardown(time_is_bounded, begin, end),
      cmocka_unit_test_setup_teardown(the_best_has_been_seen, begin, end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
