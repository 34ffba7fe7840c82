/* test_model_index.c: with an index a query gives what it gives without: the same rows in the same order, the same errors. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka.h comes behind these */
#include <cmocka.h>

#include "base/random.h"
#include "lang/cypher/parser.h"
#include "model/model.h"

enum { ROUNDS = 60, QUERIES = 60 };

static void run(struct ew_model *model, struct ew_arena *arena, const char *text, struct ew_model_result *result) {
  struct ew_builder builder = {arena, 1};
  struct ew_cypher_syntax_error syntax;
  struct ew_parameter parameters[] = {{EW_SPAN("one"), ew_integer(1)}, {EW_SPAN("nothing"), ew_null()}};
  struct ew_model_options options = {.parameters = parameters, .parameter_count = 2};
  const struct ew_node *statement;
  if (ew_cypher_parse(&builder, ew_span_of(text), &statement, &syntax) != EW_OK)
    fail_msg("%s: %s", text, syntax.message);
  ew_model_execute(model, statement, &options, arena, result);
}

static void show(struct ew_text *text, const struct ew_model_result *result) {
  ew_text_reset(text);
  ew_text_add_format(text, "%s %s\n", ew_fault_detail(result->error.code), result->error.text);
  for (size_t i = 0; i < result->rows.row_count; i++) {
    ew_value_print(text, ew_row(&result->rows, i)[0]);
    ew_text_add_char(text, '\n');
  }
}

static const char *const values[] = {"1",
                                     "1.0",
                                     "-0.0",
                                     "0",
                                     "2",
                                     "9007199254740993",
                                     "9007199254740992.0",
                                     "0.0 / 0.0",
                                     "1.0 / 0.0",
                                     "-1.0 / 0.0",
                                     "''",
                                     "'a'",
                                     "'ab'",
                                     "'abc'",
                                     "'abcd'",
                                     "'xabc'",
                                     "'été'",
                                     "true",
                                     "false",
                                     "[1]",
                                     "[1.0]",
                                     "[]",
                                     "date('2020-02-29')",
                                     "datetime('2020-01-01T00:00Z')",
                                     "datetime('2020-01-01T01:00+01:00')",
                                     "duration('P1D')",
                                     "duration('PT24H')",
                                     "point({x: 1, y: 2})",
                                     "time('12:00Z')",
                                     "time('13:00+01:00')"};
static const char *const keys[] = {"$one", "$nothing", "null",  "x", "toInteger('a')", "1 / 0", "[1, 1.0, null, 'abc']",
                                   "m.p",  "n.q",      "[1, x]"};
static const char *const operators[] = {"=", "<", "<=", ">", ">=", "IN", "STARTS WITH", "CONTAINS", "ENDS WITH"};

static const char *any_key(struct ew_random *random) {
  bool value = ew_random_chance(random, 70);
  return value ? values[ew_random_below(random, EW_COUNT(values))] : keys[ew_random_below(random, EW_COUNT(keys))];
}

static void add_predicate(struct ew_text *text, struct ew_random *random) {
  const char *operator= operators[ew_random_below(random, EW_COUNT(operators))];
  const char *property = ew_random_chance(random, 80) ? "n.p" : "n.q";
  const char *key = any_key(random);
  if (ew_random_chance(random, 30))
    ew_text_add_format(text, "%s %s %s", key, operator, property);
  else
    ew_text_add_format(text, "%s %s %s", property, operator, key);
}

static void add_query(struct ew_text *text, struct ew_random *random) {
  bool optional = ew_random_chance(random, 20), map = ew_random_chance(random, 30);
  const char *key = any_key(random), *other = any_key(random);
  const char *label = ew_random_chance(random, 80) ? "L" : ew_random_chance(random, 50) ? "L:M" : "M&!K";
  ew_text_reset(text);
  ew_text_add_format(text, "UNWIND [1, 'abc', null] AS x MATCH (m:M) %sMATCH ", optional ? "OPTIONAL " : "");
  ew_text_add_format(text, "(n:%s", label);
  if (map) ew_text_add_format(text, " {p: %s}", strstr(key, "n.q") ? "1" : key);
  if (map && ew_random_chance(random, 20)) {
    ew_text_cut(text, text->length - 1);
    ew_text_add_format(text, ", q: %s}", strstr(other, "n.q") ? "1" : other);
  }
  ew_text_add_string(text, ew_random_chance(random, 30) ? ")-[:R]->(o)" : ")");
  size_t count = ew_random_below(random, map ? 2 : 3) + !map;
  for (size_t i = 0; i < count; i++) {
    ew_text_add_string(text, i ? " AND " : " WHERE ");
    add_predicate(text, random);
  }
  ew_text_add_string(text, " RETURN [x, m.i, n.i] AS found");
}

static void add_data(struct ew_text *text, struct ew_random *random) {
  ew_text_reset(text);
  ew_text_add_string(text, "CREATE (:M {i: -1, p: 1})");
  for (unsigned i = 0; i < 12; i++) {
    const char *p = values[ew_random_below(random, EW_COUNT(values))];
    const char *q = values[ew_random_below(random, EW_COUNT(values))];
    const char *label = ew_random_chance(random, 60) ? "L" : ew_random_chance(random, 50) ? "L:M" : "M:K";
    ew_text_add_format(text, ", (a%u:%s {i: %u, p: %s, q: %s})", i, label, i, p, q);
    if (i) ew_text_add_format(text, ", (a%u)-[:R]->(a%u)", i, ew_random_below(random, i));
  }
}

static const char *const changes[] = {"MATCH (n:L) WHERE n.i < 3 REMOVE n:L",
                                      "MATCH (n:L) WHERE n.i = 5 SET n.p = 'abc'", "MATCH (n {i: 4}) DETACH DELETE n",
                                      "MATCH (n {i: 6}) SET n:L, n.p = 1.0",
                                      "CREATE (:L {i: 99, p: 1}) WITH 1 AS x RETURN x / 0"};

static void test_same_as_scan(void **state) {
  (void)state;
  struct ew_model plain, indexed;
  struct ew_arena arena;
  struct ew_text text = {0}, a = {0}, b = {0};
  struct ew_random root = ew_random_from(7);
  size_t some = 0;
  ew_model_init(&plain);
  ew_model_init(&indexed);
  ew_arena_init(&arena);
  for (unsigned round = 0; round < ROUNDS; round++) {
    struct ew_random random = ew_random_split(&root, "round", round);
    struct ew_model_result left, right;
    ew_model_reset(&plain);
    ew_model_reset(&indexed);
    run(&indexed, &arena, "CREATE INDEX FOR (n:L) ON (n.p)", &right);
    if (round % 2) run(&indexed, &arena, "CREATE TEXT INDEX FOR (n:L) ON (n.p)", &right);
    if (round % 3 == 0) run(&indexed, &arena, "CREATE INDEX FOR (n:M) ON (n.q)", &right);
    if (round % 5 == 0) run(&indexed, &arena, "DROP INDEX ON :L(p)", &right);
    if (round % 5 == 0) run(&indexed, &arena, "CREATE TEXT INDEX FOR (n:L) ON (n.p)", &right);
    add_data(&text, &random);
    run(&plain, &arena, text.bytes, &left);
    run(&indexed, &arena, text.bytes, &right);
    assert_int_equal(left.error.code, EW_FAULT_NONE);
    for (unsigned query = 0; query < QUERIES; query++) {
      ew_arena_reset(&arena);
      if (query % 12 == 11) {
        const char *change = changes[query / 12];
        run(&plain, &arena, change, &left);
        run(&indexed, &arena, change, &right);
        assert_int_equal(left.error.code, right.error.code);
      }
      add_query(&text, &random);
      run(&plain, &arena, text.bytes, &left);
      run(&indexed, &arena, text.bytes, &right);
      show(&a, &left);
      show(&b, &right);
      if (strcmp(a.bytes, b.bytes) != 0)
        fail_msg("round %u: %s\nscan: %s\nindex: %s", round, text.bytes, a.bytes, b.bytes);
      some += left.rows.row_count > 0;
    }
  }
  assert_true(some > ROUNDS * QUERIES / 8);
  ew_text_release(&text);
  ew_text_release(&a);
  ew_text_release(&b);
  ew_arena_release(&arena);
  ew_model_release(&plain);
  ew_model_release(&indexed);
}

/* A seek looks at few nodes: five thousand of them are beyond the steps of a scan for each. */
static void test_seeks(void **state) {
  (void)state;
  struct ew_model model;
  struct ew_arena arena;
  struct ew_model_result result;
  ew_model_init(&model);
  ew_arena_init(&arena);
  run(&model, &arena, "CREATE INDEX FOR (n:L) ON (n.p)", &result);
  run(&model, &arena, "UNWIND range(1, 5000) AS i CREATE (:L {p: i})", &result);
  run(&model, &arena, "UNWIND range(1, 5000) AS i MATCH (n:L) WHERE i = n.p RETURN count(n)", &result);
  assert_int_equal(result.error.code, EW_FAULT_NONE);
  assert_int_equal(ew_row(&result.rows, 0)[0].integer, 5000);
  run(&model, &arena, "DROP INDEX ON :L(p)", &result);
  run(&model, &arena, "UNWIND range(1, 5000) AS i MATCH (n:L) WHERE i = n.p RETURN count(n)", &result);
  assert_int_equal(result.error.code, EW_FAULT_LIMIT);
  ew_arena_release(&arena);
  ew_model_release(&model);
}

static void expect(struct ew_model *model, struct ew_arena *arena, const char *text, enum ew_fault code) {
  struct ew_model_result result;
  run(model, arena, text, &result);
  if (result.error.code != code) fail_msg("%s: %s", text, ew_fault_detail(result.error.code));
}

static void test_constraints(void **state) {
  (void)state;
  struct ew_model model;
  struct ew_arena arena;
  ew_model_init(&model);
  ew_arena_init(&arena);
  expect(&model, &arena, "CREATE CONSTRAINT one FOR (n:L) REQUIRE n.p IS UNIQUE", EW_FAULT_NONE);
  expect(&model, &arena, "CREATE (:L {p: 1}), (:L {p: 2}), (:L), (:L), (:M {p: 1})", EW_FAULT_NONE);
  expect(&model, &arena, "CREATE (:L {p: 1.0})", EW_FAULT_CONSTRAINT);
  expect(&model, &arena, "MATCH (n:L {p: 2}) SET n.p = 1", EW_FAULT_CONSTRAINT);
  expect(&model, &arena, "MATCH (n:L) WHERE n.p IS NULL DELETE n", EW_FAULT_NONE);
  expect(&model, &arena, "CREATE CONSTRAINT FOR (n:M) REQUIRE n.q IS NOT NULL", EW_FAULT_CONSTRAINT);
  expect(&model, &arena, "CREATE CONSTRAINT two FOR (n:L) REQUIRE n.p IS NOT NULL", EW_FAULT_NONE);
  expect(&model, &arena, "CREATE (:L)", EW_FAULT_CONSTRAINT);
  expect(&model, &arena, "DROP CONSTRAINT one", EW_FAULT_NONE);
  expect(&model, &arena, "CREATE (:L {p: 1})", EW_FAULT_NONE);
  expect(&model, &arena, "CREATE (:L)", EW_FAULT_CONSTRAINT);
  ew_arena_release(&arena);
  ew_model_release(&model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_same_as_scan),
      cmocka_unit_test(test_seeks),
      cmocka_unit_test(test_constraints),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
