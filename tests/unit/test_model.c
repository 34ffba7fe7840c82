/* test_model.c: the model against transcripts (tests/golden/model/NAME.txt), and what transcripts cannot show:
   transactions, sessions, budgets, knobs, the model as an engine.

   A transcript has lines that begin with `> `, each a statement, and behind each what the model says to it: rows, an
   error, side effects, what is open. `=== new graph` begins one. EDGEWISE_UPDATE=1 writes the files anew. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
/* cmocka wants these first */
#include <cmocka.h>

#include "base/file.h"
#include "lang/cypher/parser.h"
#include "lang/cypher/scope.h"
#include "model/admissible.h"
#include "model/engine.h"
#include "model/model.h"
#include "model/session.h"

struct fixture {
  struct ew_model model;
  struct ew_arena trees, results;
  struct ew_builder builder;
};

static int setup(void **state) {
  struct fixture *fixture = calloc(1, sizeof *fixture);
  ew_model_init(&fixture->model);
  ew_arena_init(&fixture->trees);
  ew_arena_init(&fixture->results);
  fixture->builder = (struct ew_builder){&fixture->trees, 1};
  *state = fixture;
  return 0;
}

static int teardown(void **state) {
  struct fixture *fixture = *state;
  ew_arena_release(&fixture->results);
  ew_arena_release(&fixture->trees);
  ew_model_release(&fixture->model);
  free(fixture);
  return 0;
}

static const struct ew_node *parse(struct fixture *fixture, const char *text) {
  const struct ew_node *statement;
  struct ew_cypher_syntax_error error;
  if (ew_cypher_parse(&fixture->builder, ew_span_of(text), &statement, &error)) fail_msg("%s: %s", text, error.message);
  return statement;
}

static struct ew_model_result run_with(struct fixture *fixture, const char *text,
                                       const struct ew_model_options *options) {
  struct ew_model_result result;
  ew_model_execute(&fixture->model, parse(fixture, text), options, &fixture->results, &result);
  return result;
}

static struct ew_model_result run(struct fixture *fixture, const char *text) {
  return run_with(fixture, text, &(struct ew_model_options){0});
}

static int64_t count_of(struct fixture *fixture, const char *pattern) {
  struct ew_span text = ew_arena_format(&fixture->trees, "MATCH %s RETURN count(*) AS c", pattern);
  struct ew_model_result result = run(fixture, ew_arena_string(&fixture->trees, text));
  assert_int_equal(result.error.code, EW_FAULT_NONE);
  return result.rows.values[0].integer;
}

/* ---- transcripts ---- */

static void write_effect(struct ew_text *text, const char *name, int64_t count) {
  if (count) ew_text_add_format(text, " %s %lld", name, (long long)count);
}

static void write_effects(struct ew_text *text, struct ew_effects effects) {
  struct ew_text line = {0};
  write_effect(&line, "+nodes", effects.nodes_added);
  write_effect(&line, "-nodes", effects.nodes_removed);
  write_effect(&line, "+relationships", effects.relationships_added);
  write_effect(&line, "-relationships", effects.relationships_removed);
  write_effect(&line, "+labels", effects.labels_added);
  write_effect(&line, "-labels", effects.labels_removed);
  write_effect(&line, "+properties", effects.properties_added);
  write_effect(&line, "-properties", effects.properties_removed);
  if (line.length) ew_text_add_format(text, "effects:%s\n", line.bytes);
  ew_text_release(&line);
}

/* Rows that may come are shown where they are not just those that came. */
static void write_admissible(struct ew_text *text, struct ew_arena *arena, const struct ew_model_result *result) {
  struct ew_admissible admissible = ew_admissible_of(arena, result);
  ew_text_add_format(text, "admissible: %.*s\n", EW_SPAN_ARGS(ew_admissible_words(arena, &admissible)));
  if (admissible.expected.tier_count && admissible.expected.rows.row_count != result->rows.row_count)
    ew_rows_print(text, &admissible.expected.rows, 50);
}

static void write_result(struct ew_text *text, struct ew_arena *arena, const struct ew_model_result *result) {
  if (result->error.code) {
    ew_text_add_format(text, "! %s: %s\n", ew_fault_type(result->error.code), ew_fault_detail(result->error.code));
    return;
  }
  if (result->rows.column_count) ew_rows_print(text, &result->rows, 50);
  for (unsigned i = 0; i < EW_OPENS; i++)
    if (result->open >> i & 1) ew_text_add_format(text, "open: %s\n", ew_open_reason((enum ew_open)i));
  if (result->open) write_admissible(text, arena, result);
  write_effects(text, result->effects);
}

static void run_line(struct fixture *fixture, struct ew_span line, struct ew_text *text) {
  const struct ew_node *statement;
  struct ew_cypher_syntax_error error;
  struct ew_cypher_problem problem;
  struct ew_model_result result;
  if (ew_cypher_parse(&fixture->builder, line, &statement, &error)) {
    ew_text_add_format(text, "! SyntaxError: %s\n", error.detail ? error.detail : "");
  } else if (!ew_cypher_analyze(statement, &problem)) {
    ew_text_add_format(text, "! SyntaxError: %s\n", ew_cypher_detail_name(problem.detail));
  } else {
    ew_model_execute(&fixture->model, statement, &(struct ew_model_options){0}, &fixture->results, &result);
    write_result(text, &fixture->results, &result);
  }
}

static void run_transcript(struct fixture *fixture, struct ew_span file, struct ew_text *text) {
  for (size_t at = 0; at < file.length;) {
    const char *start = file.bytes + at, *end = memchr(start, '\n', file.length - at);
    struct ew_span line = {start, end ? (size_t)(end - start) : file.length - at};
    at += line.length + 1;
    bool statement = ew_span_starts(line, EW_SPAN("> "));
    bool kept = statement || ew_span_starts(line, EW_SPAN("#")) || ew_span_is(line, "=== new graph");
    if (kept) ew_text_add_format(text, "%.*s\n", EW_SPAN_ARGS(line));
    if (ew_span_is(line, "=== new graph")) ew_model_reset(&fixture->model);
    if (statement) run_line(fixture, (struct ew_span){line.bytes + 2, line.length - 2}, text);
  }
}

static void check_transcript(struct fixture *fixture, const char *path) {
  struct ew_text file = {0}, text = {0};
  struct ew_error error = {{0}};
  assert_int_equal(ew_file_read(path, 1 << 20, &file, &error), EW_OK);
  run_transcript(fixture, ew_text_span(&file), &text);
  if (getenv("EDGEWISE_UPDATE"))
    assert_int_equal(ew_file_replace(path, ew_text_span(&text), &error), EW_OK);
  else
    assert_string_equal(text.bytes, file.bytes);
  ew_text_release(&file);
  ew_text_release(&text);
}

/* clang-format off */
#define TRANSCRIPTS \
  TRANSCRIPT(aggregate) TRANSCRIPT(expression) TRANSCRIPT(fault) TRANSCRIPT(match) TRANSCRIPT(open) \
  TRANSCRIPT(project) TRANSCRIPT(repeat) TRANSCRIPT(subquery) TRANSCRIPT(write)
/* clang-format on */
#define TRANSCRIPT(name) \
  static void transcript_##name(void **state) { check_transcript(*state, "tests/golden/model/" #name ".txt"); }
TRANSCRIPTS
#undef TRANSCRIPT

/* ---- transactions ---- */

static void rolls_back(void **state) {
  struct fixture *fixture = *state;
  run(fixture, "CREATE (:A {x: 1})-[:R {w: 1}]->(:B), (:C)");
  uint64_t before = ew_graph_shape(&fixture->model.graph, &ew_semantics_standard);
  struct ew_graph_mark mark = ew_graph_begin(&fixture->model.graph);
  run(fixture, "MATCH (a:A) SET a.x = 2, a.y = 3, a:New REMOVE a:A");
  run(fixture, "MATCH (c:C) CREATE (c)-[:S]->(:D {z: 1}) SET c.q = 4");
  struct ew_graph_mark inner = ew_graph_begin(&fixture->model.graph);
  run(fixture, "MATCH (n) DETACH DELETE n");
  assert_int_equal(count_of(fixture, "(n)"), 0);
  ew_graph_rollback(&fixture->model.graph, inner);
  assert_int_equal(count_of(fixture, "(n)"), 4);
  assert_int_equal(count_of(fixture, "()-->()"), 2);
  ew_graph_rollback(&fixture->model.graph, mark);
  assert_true(before == ew_graph_shape(&fixture->model.graph, &ew_semantics_standard));
  assert_int_equal(count_of(fixture, "(:A {x: 1})-[:R]->(:B)"), 1);
}

static void failed_statement_leaves_nothing(void **state) {
  struct fixture *fixture = *state;
  struct ew_model_result result = run(fixture, "CREATE (a:A) WITH a UNWIND [1, 0] AS x CREATE (:B {x: 1 / x})");
  assert_int_equal(result.error.code, EW_FAULT_DIVISION);
  assert_int_equal(count_of(fixture, "(n)"), 0);
}

static void commit_drops_the_deleted(void **state) {
  struct fixture *fixture = *state;
  run(fixture, "CREATE (a:A)-[:R]->(b:B), (b)-[:S]->(a), (a)-[:T]->(a)");
  run(fixture, "MATCH ()-[r:R]->() DELETE r");
  assert_int_equal(fixture->model.graph.relationships.count, 2);
  assert_int_equal(count_of(fixture, "(:A)--(:B)"), 1);
  run(fixture, "MATCH (b:B) DETACH DELETE b");
  assert_int_equal(fixture->model.graph.nodes.count, 1);
  assert_int_equal(count_of(fixture, "(a)-->(a)"), 1);
}

/* ---- sessions ---- */

static const struct ew_node *clause_of(struct fixture *fixture, const char *text) {
  const struct ew_node *statement = parse(fixture, text);
  return CYPHER_AS(query, CYPHER_AS(statement, statement)->body.node)->clauses.list.items[0];
}

static void session_goes_clause_by_clause(void **state) {
  struct fixture *fixture = *state;
  struct ew_model_options options = {0};
  struct ew_session session;
  ew_session_begin(&session, &fixture->model, &options, &fixture->results);
  assert_true(ew_session_apply(&session, clause_of(fixture, "UNWIND [1, 2, 3] AS x RETURN x")));
  assert_true(ew_session_apply(&session, clause_of(fixture, "CREATE (n:N {x: x}) RETURN n")));
  struct ew_session_mark mark = ew_session_mark(&session);
  assert_true(ew_session_apply(&session, clause_of(fixture, "WITH n AS m WHERE m.x > 1 RETURN m")));
  assert_true(ew_session_apply(&session, clause_of(fixture, "SET m.y = 1")));
  struct ew_rows rows = ew_session_rows(&session);
  assert_int_equal(rows.row_count, 2);
  assert_int_equal(rows.column_count, 1);
  assert_false(ew_session_apply(&session, clause_of(fixture, "UNWIND 1 / 0 AS y RETURN y")));
  assert_int_equal(session.error.code, EW_FAULT_DIVISION);
  assert_false(ew_session_apply(&session, clause_of(fixture, "UNWIND unknown AS y RETURN y")));
  assert_int_equal(session.error.code, EW_FAULT_NO_VARIABLE);
  assert_int_equal(ew_session_rows(&session).row_count, 2);
  ew_session_rewind(&session, mark);
  rows = ew_session_rows(&session);
  assert_int_equal(rows.row_count, 3);
  assert_int_equal(rows.column_count, 2);
  assert_true(ew_session_apply(&session, clause_of(fixture, "RETURN n.y AS y")));
  assert_int_equal(ew_session_rows(&session).values[1].kind, EW_VALUE_NULL);
  assert_true(ew_session_end(&session, true));
  assert_int_equal(count_of(fixture, "(:N)"), 3);
  ew_session_begin(&session, &fixture->model, &options, &fixture->results);
  assert_true(ew_session_apply(&session, clause_of(fixture, "CREATE (:M)")));
  ew_session_end(&session, false);
  assert_int_equal(count_of(fixture, "(:M)"), 0);
}

/* ---- budgets ---- */

static void budgets_end_every_statement(void **state) {
  static const char *const endless[] = {
      "UNWIND range(1, 100000) AS a UNWIND range(1, 100000) AS b RETURN count(*) AS c",
      "RETURN reduce(s = 'ab', x IN range(1, 1000) | s + s) AS s",
      "RETURN reduce(l = [1], x IN range(1, 1000) | l + l) AS l",
      "RETURN reduce(l = [], x IN range(1, 1000000) | [l, l]) AS l",
      "MATCH (a)-[*]-(b) RETURN count(*) AS c",
      "MATCH (a), (b), (c), (d), (e), (f), (g), (h) RETURN count(*) AS c",
      "MATCH (a) ((b)--(c)){0,} (d) RETURN count(*) AS c",
      "UNWIND range(1, 10000000) AS x CREATE (:N)",
      "RETURN [x IN range(1, 10000000) | x] AS l",
      "RETURN 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' =~ '((a{1,50}){1,50}){1,50}b' AS m",
  };
  struct fixture *fixture = *state;
  struct ew_model_limits limits = {.steps = 200000, .rows = 50000, .bytes = 16 << 20};
  struct ew_model_options options = {.limits = &limits};
  run(fixture, "UNWIND range(1, 12) AS i CREATE (:N {i: i})");
  run(fixture, "MATCH (a:N), (b:N) WHERE a.i < b.i CREATE (a)-[:R]->(b)");
  for (size_t i = 0; i < EW_COUNT(endless); i++) {
    struct ew_model_result result = run_with(fixture, endless[i], &options);
    if (result.error.code != EW_FAULT_LIMIT && result.error.code != EW_FAULT_ARGUMENT_VALUE)
      fail_msg("%s: %s", endless[i], ew_fault_detail(result.error.code));
  }
  assert_int_equal(count_of(fixture, "(n)"), 12);
}

/* What a checker would refuse must not harm the model. */
static void senseless_statements_end(void **state) {
  static const struct {
    const char *text;
    bool fails;
  } cases[] = {
      {"CREATE (a {x: b.y}), (b {y: 1})", false}, /* b is null when a is made */
      {"CREATE ((a)-[:R]->(b)){2}", true},
      {"CREATE ()-[:R]->()-[:S]->() (()-[:T]->())+", true},
      {"MATCH ((a)-[r:R]->()-[:S]->(b)-[t:R]->()){1,2} RETURN a, b, r, t", false},
      {"MATCH (n) RETURN n.i, count(*) + n.j", false},
  };
  struct fixture *fixture = *state;
  for (size_t i = 0; i < EW_COUNT(cases); i++) {
    struct ew_model_result result = run(fixture, cases[i].text);
    if ((result.error.code != EW_FAULT_NONE) != cases[i].fails) fail_msg("%s: %s", cases[i].text, result.error.text);
  }
}

/* ---- knobs ---- */

static void knobs_change_what_is_right(void **state) {
  static const struct {
    const char *knob;
    int32_t setting;
    const char *query, *standard, *other;
  } rows[] = {
      {"integer_overflow", 1, "RETURN 9223372036854775807 + 1 AS x", "!IntegerOverflow", "-9223372036854775808"},
      {"integer_overflow", 2, "RETURN 9223372036854775807 + 1 AS x", "!IntegerOverflow", "9.223372036854776e18"},
      {"integer_division_by_zero", 1, "RETURN 1 / 0 AS x", "!DivisionByZero", "null"},
      {"integer_division_by_zero", 1, "RETURN 1 % 0 AS x", "!DivisionByZero", "null"},
      {"integer_division_by_zero", 2, "RETURN -1 / 0 AS x", "!DivisionByZero", "(-1.0 / 0.0)"},
      {"integer_division", 0, "RETURN 7 / 2 AS x", "3", "3.5"},
      {"repeated_relationships", 1, "MATCH ()-[a:R]->(), ()-[b:R]->() RETURN count(*) AS x", "2", "4"},
      {"self_loop_twice", 1, "MATCH (n:L)-[r]-(m) RETURN count(*) AS x", "1", "2"},
      {"string_plus_number", 0, "RETURN 'a' + 1 AS x", "'a1'", "!InvalidArgumentType"},
      {"domain_errors_are_null", 2, "RETURN [log(0), log10(-1), log(1)] AS x", "[(-1.0 / 0.0), (0.0 / 0.0), 0.0]",
       "[null, null, 0.0]"},
      {"modulo_of_integers", 1, "RETURN [5.5 % 2, -5 % 2.5, 5 % 3] AS x", "[1.5, -0.0, 2]", "[1.0, -1.0, 2]"},
      {"nan_equals_nan", 1, "RETURN 0.0 / 0.0 = 0.0 / 0.0 AS x", "false", "true"},
  };
  struct fixture *fixture = *state;
  run(fixture, "CREATE (a:A)-[:R]->(b), (b)-[:R]->(a), (l:L)-[:S]->(l)");
  for (size_t i = 0; i < EW_COUNT(rows); i++)
    for (unsigned other = 0; other < 2; other++) {
      struct ew_semantics semantics = ew_semantics_standard;
      if (other) assert_true(ew_semantics_set(&semantics, ew_span_of(rows[i].knob), rows[i].setting));
      struct ew_model_result result =
          run_with(fixture, rows[i].query, &(struct ew_model_options){.semantics = &semantics});
      struct ew_text text = {0};
      if (result.error.code)
        ew_text_add_format(&text, "!%s", ew_fault_detail(result.error.code));
      else
        ew_value_print(&text, result.rows.values[0]);
      assert_string_equal(text.bytes, other ? rows[i].other : rows[i].standard);
      ew_text_release(&text);
    }
}

/* ---- orders of rows ---- */

static uint32_t open_of(struct fixture *fixture, const char *text) {
  const struct ew_plan *plan;
  struct ew_model_error error;
  struct ew_model_result result;
  assert_true(ew_model_prepare(&fixture->model, &fixture->trees, parse(fixture, text), &error, &plan));
  ew_model_run_permuted(&fixture->model, plan, &(struct ew_model_options){0}, &fixture->results, &result);
  return result.open;
}

static void writes_that_depend_on_order_are_open(void **state) {
  struct fixture *fixture = *state;
  run(fixture, "UNWIND range(1, 6) AS i CREATE (:N {i: i})");
  assert_int_equal(open_of(fixture, "MATCH (a:N) SET a.j = a.i + 1"), 0);
  assert_int_equal(open_of(fixture, "MATCH (a:N) CREATE (a)-[:R]->(:M {i: a.i})"), 0);
  assert_int_equal(open_of(fixture, "MATCH (a:N), (b:N) SET a.k = b.i"), 1u << EW_OPEN_WRITE_ORDER);
  assert_int_equal(open_of(fixture, "MATCH (a:N) MERGE (x:Last) SET x.i = a.i"), 1u << EW_OPEN_WRITE_ORDER);
  assert_int_equal(count_of(fixture, "(:N)-[:R]->(:M)"), 6);
}

static void rows_of_writes_may_be_open(void **state) {
  static const struct {
    const char *query;
    bool open;
  } cases[] = {
      {"MATCH (a:N)--(b) SET a.p = b.i", true},
      {"MATCH (a:N)--(b) SET a.p = a.i", false},
      /* MERGE sees what earlier rows made */
      {"MATCH (a:N) MERGE (m:Once) ON CREATE SET m.by = a.i", true},
      {"MATCH (a:N) MERGE (m:Each {i: a.i})", false},
      {"MATCH (a:N) MERGE (m:Once) RETURN a.i AS i, m AS m", false},
      /* reading what was deleted, or is going to be */
      {"MATCH (a:N) CALL { WITH a MATCH (b:N) WHERE b.i > a.i DETACH DELETE b RETURN count(*) AS c } RETURN c", true},
      {"MATCH (a:N)-[r]->(b) DETACH DELETE a WITH b WHERE b:N RETURN count(*) AS c", false}, /* fails in any order */
      {"MATCH (a:N) DETACH DELETE a RETURN count(*) AS c", false},
      {"MATCH (a:N) WITH a LIMIT 1 DETACH DELETE a", true},
      {"MATCH (a:N) WITH a ORDER BY a.i LIMIT 1 DETACH DELETE a", false},
      /* what nothing orders behind the match either: groups, distinct rows, parts of a union */
      {"UNWIND [1, 2, 3] AS x WITH x AS x, count(*) AS c MERGE (m:Once) ON CREATE SET m.by = x", true},
      {"UNWIND [1, 2, 3] AS x WITH DISTINCT x AS x MERGE (m:Once) ON CREATE SET m.by = x", true},
      {"UNWIND [1, 2, 3] AS x MERGE (m:Once) ON CREATE SET m.by = x", false},
      {"CALL { RETURN 1 AS x UNION ALL RETURN 2 AS x } MERGE (m:Once) ON CREATE SET m.by = x", true},
      /* the same end, other rows */
      {"MATCH (a:N) SET a.seen = true WITH a AS a LIMIT 1 REMOVE a.seen SET a.seen = true RETURN a.i AS i", true},
  };
  struct fixture *fixture = *state;
  run(fixture, "CREATE (a:N {i: 1})-[:R]->(b:N {i: 2})-[:R]->(c:N {i: 3}), (b)-[:R]->(a)");
  for (size_t i = 0; i < EW_COUNT(cases); i++) {
    struct ew_graph_mark mark = ew_graph_begin(&fixture->model.graph);
    bool open = open_of(fixture, cases[i].query) & 1u << EW_OPEN_WRITE_ORDER;
    ew_graph_rollback(&fixture->model.graph, mark);
    if (open != cases[i].open) fail_msg("%s is %s", cases[i].query, open ? "open" : "not open");
  }
}

/* ---- the engine ---- */

static void model_is_an_engine(void **state) {
  static const struct ew_option settings[] = {{{"integer_division_by_zero", 24}, {"1", 1}},
                                              {{"steps", 5}, {"1000", 4}}};
  struct fixture *fixture = *state;
  struct ew_error error;
  void *instance;
  assert_int_equal(ew_adapter_model.open(&(struct ew_settings){settings, 2}, &instance, &error), EW_OK);
  static const struct {
    const char *text;
    enum ew_outcome_kind kind;
    const char *code;
  } rows[] = {
      {"CREATE (:A {x: 1 / 0})", EW_OUTCOME_ROWS, ""},
      {"MATCH (n) RETURN n", EW_OUTCOME_ROWS, ""},
      {"MATCH (n) RETURN m", EW_OUTCOME_ERROR, "UndefinedVariable"},
      {"MATCH (n", EW_OUTCOME_ERROR, "UnexpectedSyntax"},
      {"UNWIND range(1, 100000) AS x RETURN x", EW_OUTCOME_TIMEOUT, ""},
  };
  for (size_t i = 0; i < EW_COUNT(rows); i++) {
    struct ew_statement statement = {.text = ew_span_of(rows[i].text)};
    struct ew_statement_outcome outcome = {0};
    ew_adapter_model.run(instance, &statement, NULL, 0, EW_DEADLINE_NEVER, &fixture->results, &outcome);
    assert_int_equal(outcome.kind, rows[i].kind);
    assert_true(ew_span_is(outcome.code, rows[i].code));
  }
  assert_int_equal(ew_adapter_model.reset(instance, &error), EW_OK);
  ew_adapter_model.close(instance);
}

int main(void) {
#define TRANSCRIPT(name) cmocka_unit_test_setup_teardown(transcript_##name, setup, teardown),
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
  const struct CMUnitTest tests[] = {
      TRANSCRIPTS TEST(rolls_back),      TEST(failed_statement_leaves_nothing),
      TEST(commit_drops_the_deleted),    TEST(session_goes_clause_by_clause),
      TEST(budgets_end_every_statement), TEST(senseless_statements_end),
      TEST(knobs_change_what_is_right),  TEST(writes_that_depend_on_order_are_open),
      TEST(rows_of_writes_may_be_open),  TEST(model_is_an_engine),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
