/* test_graphqlite.c: GraphQLite itself, in a host. Skipped where it is not installed. */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "contract/profile.h"
#include "engine/adapters.h"
#include "engine/instance.h"
#include "engine/locate.h"

struct fixture {
  struct ew_text library;
  struct ew_instance instance;
  struct ew_arena arena;
  bool there;
};

static int setup(void **state) {
  static struct fixture fixture;
  struct ew_error error;
  fixture = (struct fixture){0};
  *state = &fixture;
  if (ew_locate_library(EW_SPAN("graphqlite"), EW_SPAN("0.12.0"), EW_SPAN("graphqlite.so"), &fixture.library, &error))
    return 0;
  fixture.there = true;
  const struct ew_option options[] = {{EW_SPAN("library"), ew_text_span(&fixture.library)}};
  if (ew_instance_init(&fixture.instance, &ew_adapter_graphqlite, &(struct ew_settings){options, 1}, &error)) return -1;
  return ew_instance_start(&fixture.instance, &error) == EW_OK ? 0 : -1;
}

static int teardown(void **state) {
  struct fixture *fixture = *state;
  if (fixture->there) ew_instance_release(&fixture->instance);
  ew_text_release(&fixture->library);
  ew_arena_release(&fixture->arena);
  return waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD ? 0 : -1;
}

static struct fixture *engine_of(void **state) {
  struct fixture *fixture = *state;
  if (!fixture->there) skip();
  return fixture;
}

/* One statement, whose columns are the names up to NULL. */
static const struct ew_statement_outcome *ask(struct fixture *fixture, const char *text, const char *const *columns) {
  struct ew_span names[8];
  size_t count = 0;
  for (; columns[count]; count++) names[count] = ew_span_of(columns[count]);
  const struct ew_statement statement = {.text = ew_span_of(text), .columns = {names, count}};
  const struct ew_batch batch = {.program = {&statement, 1}, .limit = 2 * EW_SECOND};
  return ew_instance_run(&fixture->instance, &batch, &fixture->arena).statements;
}

#define ASK(fixture, text, ...) ask((fixture), (text), (const char *const[]){__VA_ARGS__ NULL})
#define GRAPH "CREATE (a:B:A {i: 1, s: 'ä'})-[:R {w: 1.5}]->(b:C {l: [1, null]})"

static void every_kind_of_value(void **state) {
  struct fixture *fixture = engine_of(state);
  const struct ew_statement_outcome *outcome = ASK(fixture, GRAPH, );
  assert_int_equal(outcome->kind, EW_OUTCOME_ROWS);
  assert_true(outcome->has_counters);
  assert_int_equal(outcome->counters.nodes_created, 2);
  assert_int_equal(outcome->counters.relationships_created, 1);
  assert_int_equal(outcome->rows.row_count, 0);

  outcome = ASK(fixture, "MATCH p = (a)-[r]->(b) RETURN a, r, p, b.l AS l", "p", "a", "r", "l", );
  assert_int_equal(outcome->kind, EW_OUTCOME_ROWS);
  assert_int_equal(outcome->rows.row_count, 1);
  const struct ew_value *row = outcome->rows.values;
  assert_true(ew_span_is(outcome->rows.columns[0], "p"));
  assert_int_equal(row[0].kind, EW_VALUE_PATH);
  assert_int_equal(row[0].path->nodes.count, 2);
  assert_int_equal(row[1].kind, EW_VALUE_NODE);
  assert_int_equal(row[1].node->label_count, 2);
  assert_true(ew_span_is(row[1].node->labels[0], "A"));
  assert_true(ew_span_is(ew_items_find(row[1].node->properties, EW_SPAN("s"))->string, "ä"));
  assert_int_equal(row[2].kind, EW_VALUE_RELATIONSHIP);
  assert_true(ew_span_is(row[2].relationship->type, "R"));
  assert_true(ew_items_find(row[2].relationship->properties, EW_SPAN("w"))->number > 1.49);
  assert_int_equal(row[3].list.items[1].kind, EW_VALUE_NULL);

  outcome =
      ASK(fixture, "RETURN duration('P1D') AS d, point({x: 1, y: 2}) AS p, {a: true} AS m, 9223372036854775807 AS i",
          "d", "p", "m", "i", );
  row = outcome->rows.values;
  assert_int_equal(row[0].kind, EW_VALUE_DURATION);
  assert_int_equal(row[0].duration->days, 1);
  assert_int_equal(row[1].kind, EW_VALUE_POINT);
  assert_int_equal(row[1].point->srid, 7203);
  assert_int_equal(row[2].kind, EW_VALUE_MAP);
  assert_int_equal(row[3].integer, INT64_MAX);

  outcome = ASK(fixture, "UNWIND [0.0 / 0.0, 1e308 * 10] AS x RETURN x", "x", );
  assert_int_equal(outcome->rows.values[0].kind, EW_VALUE_FLOAT);
  assert_true(isnan(outcome->rows.values[0].number));
  assert_true(isinf(outcome->rows.values[1].number));
}

static void columns_follow_the_statement(void **state) {
  struct fixture *fixture = engine_of(state);
  const struct ew_statement_outcome *outcome = ASK(fixture, "MATCH (n) RETURN n.i AS x", "x", );
  assert_int_equal(outcome->rows.row_count, 0);
  assert_null(outcome->rows.columns);
  outcome = ASK(fixture, "RETURN 1 AS a, 2 AS b", "b", "a", );
  assert_int_equal(outcome->rows.values[0].integer, 2);
  outcome = ASK(fixture, "RETURN 1 AS a, 2 AS b", );
  assert_true(ew_span_is(outcome->rows.columns[0], "a"));
  outcome = ASK(fixture, "RETURN 1 AS a, 2 AS b", "a", "c", );
  assert_true(ew_span_is(outcome->rows.columns[1], "b"));
}

static void parameters_and_plans(void **state) {
  struct fixture *fixture = engine_of(state);
  struct ew_value items[] = {ew_integer(7), ew_string(EW_SPAN("x\"y"))};
  const struct ew_parameter parameters[] = {{EW_SPAN("p"), ew_list(items, 2)}};
  const struct ew_span column = EW_SPAN("x");
  const struct ew_statement statement = {
      .text = EW_SPAN("RETURN $p AS x"), .parameters = parameters, .parameter_count = 1, .columns = {&column, 1}};
  const struct ew_batch batch = {.program = {&statement, 1}, .limit = EW_SECOND};
  struct ew_outcome outcome = ew_instance_run(&fixture->instance, &batch, &fixture->arena);
  assert_int_equal(outcome.statements[0].rows.values[0].list.items[0].integer, 7);
  assert_true(ew_span_is(outcome.statements[0].rows.values[0].list.items[1].string, "x\"y"));
  outcome = ew_instance_explain(&fixture->instance, &batch, &fixture->arena);
  assert_non_null(memmem(outcome.statements[0].plan.bytes, outcome.statements[0].plan.length, "SELECT", 6));
  assert_true(ew_span_starts(ew_instance_version(&fixture->instance), EW_SPAN("0.12.0, SQLite 3.")));
}

static void resets_are_clean(void **state) {
  struct fixture *fixture = engine_of(state);
  struct ew_statement_outcome reset;
  for (int i = 0; i < 3; i++) {
    assert_int_equal(ASK(fixture, GRAPH, )->counters.nodes_created, 2);
    const struct ew_statement_outcome *outcome =
        ASK(fixture, "MATCH (n:A) RETURN id(n) AS i, count(*) AS c", "i", "c", );
    assert_int_equal(outcome->rows.values[0].integer, 1);
    assert_int_equal(outcome->rows.values[1].integer, 1);
    ew_instance_reset(&fixture->instance, EW_SECOND, &fixture->arena, &reset);
    assert_int_equal(reset.kind, EW_OUTCOME_ROWS);
    assert_int_equal(ASK(fixture, "MATCH (n) RETURN count(n) AS c", "c", )->rows.values[0].integer, 0);
  }
}

static void errors_are_classified(void **state) {
  struct fixture *fixture = engine_of(state);
  static const struct {
    const char *text;
    enum ew_error_class class;
  } cases[] = {
      {"MATCH (n RETURN n", EW_ERROR_REFUSED},
      {"RETURN nothing AS x", EW_ERROR_UNEXPECTED}, /* every name we write is bound */
      {"RETURN foo(1) AS x", EW_ERROR_REFUSED},
      {"RETURN abs(1, 2) AS x", EW_ERROR_REFUSED},
      {"RETURN [1]['a'] AS x", EW_ERROR_EXPECTED},
      {"RETURN 'a' =~ '(' AS x", EW_ERROR_EXPECTED},
      {"RETURN range(1, 2, 0) AS x", EW_ERROR_EXPECTED},
      {"MATCH (n) WITH n RETURN keys(n) AS x", EW_ERROR_UNEXPECTED}, /* no such column: _with_0.n.id */
  };
  struct ew_profile profile;
  struct ew_error error = {""};
  if (ew_profile_read(&profile, "engines/graphqlite/profile.ini", &error)) fail_msg("%s", error.text);
  for (size_t i = 0; i < EW_COUNT(cases); i++) {
    const struct ew_statement_outcome *outcome = ASK(fixture, cases[i].text, "x", );
    struct ew_span reason;
    assert_int_equal(outcome->kind, EW_OUTCOME_ERROR);
    assert_true(outcome->code.length > 0);
    if (ew_profile_classify(&profile, outcome->text, &reason) != cases[i].class)
      fail_msg("%s: %.*s", cases[i].text, EW_SPAN_ARGS(outcome->text));
  }
  assert_true(ew_profile_has(&profile, "clauses", "call_subquery"));
  assert_int_equal(profile.semantics.empty_has_columns, 0);
  ew_profile_release(&profile);
}

static void long_statements_are_stopped(void **state) {
  struct fixture *fixture = engine_of(state);
  const struct ew_statement statement = {.text = EW_SPAN("RETURN split('abc', '') AS x")};
  const struct ew_batch batch = {.program = {&statement, 1}, .limit = 100 * EW_MILLISECOND};
  struct ew_outcome outcome = ew_instance_run(&fixture->instance, &batch, &fixture->arena);
  assert_int_equal(outcome.statements[0].kind, EW_OUTCOME_TIMEOUT);
  assert_int_equal(ASK(fixture, "RETURN 1 AS x", "x", )->rows.values[0].integer, 1);
}

/* A real double free of 0.12.0: a WITH whose SQL outgrows 4096 bytes. */
static void a_crash_names_its_frames(void **state) {
  struct fixture *fixture = engine_of(state);
  const struct ew_statement_outcome *outcome =
      ASK(fixture, "MATCH (n) WITH n WHERE size(n.l) < 3 RETURN n.i AS x", "x", );
  assert_int_equal(outcome->kind, EW_OUTCOME_CRASH);
  if (outcome->signal) {
    assert_int_equal(outcome->signal, SIGABRT);
    assert_true(outcome->frames.count > 0);
    assert_true(ew_span_is(outcome->frames.items[0], "transform_with_clause"));
    assert_non_null(memmem(outcome->text.bytes, outcome->text.length, "double free", 11));
  }
  assert_false(ew_instance_alive(&fixture->instance));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(every_kind_of_value, setup, teardown),
      cmocka_unit_test_setup_teardown(columns_follow_the_statement, setup, teardown),
      cmocka_unit_test_setup_teardown(parameters_and_plans, setup, teardown),
      cmocka_unit_test_setup_teardown(resets_are_clean, setup, teardown),
      cmocka_unit_test_setup_teardown(errors_are_classified, setup, teardown),
      cmocka_unit_test_setup_teardown(long_statements_are_stopped, setup, teardown),
      cmocka_unit_test_setup_teardown(a_crash_names_its_frames, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
