/* test_cause.c: which groups are taken for one cause and which are not, and the order of findings. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lang/cypher/cypher.h"
#include "lang/cypher/parser.h"
#include "report/cause.h"

static struct ew_arena arena;
static struct ew_builder builder;
static uint64_t next_group;

static int begin(void **state) {
  (void)state;
  ew_arena_init(&arena);
  builder = (struct ew_builder){&arena, 1};
  next_group = 0;
  return 0;
}

static int end(void **state) {
  (void)state;
  ew_arena_release(&arena);
  return 0;
}

static struct ew_finding base(const char *query) {
  struct ew_finding finding = {.engine = EW_SPAN("x"), .oracle = EW_SPAN("partition"), .group = ++next_group};
  if (ew_cypher_parse(&builder, ew_span_of(query), &finding.test.base, NULL) != EW_OK)
    fail_msg("cannot read %s", query);
  finding.test.language = &ew_cypher;
  finding.claim.relation = EW_RELATION_sum;
  finding.bytes_after = strlen(query);
  snprintf(finding.id.text, sizeof finding.id.text, "%012x", (unsigned)next_group);
  return finding;
}

static struct ew_finding failure(const char *query, struct ew_statement_outcome outcome, const char *shape) {
  struct ew_finding finding = base(query);
  struct ew_statement_outcome *copy = EW_NEW(&arena, struct ew_statement_outcome);
  struct ew_outcome *outcomes = EW_NEW(&arena, struct ew_outcome);
  *copy = outcome;
  *outcomes = (struct ew_outcome){copy, 1};
  finding.claim.relation = EW_RELATION_clean;
  finding.outcomes = outcomes;
  finding.run_count = 1;
  finding.shape = ew_span_of(shape);
  return finding;
}

static struct ew_finding error_of(const char *query, const char *shape) {
  return failure(query, (struct ew_statement_outcome){.kind = EW_OUTCOME_ERROR}, shape);
}

static struct ew_finding crash_of(const char *query, int signal, const char *words, const char *frame) {
  struct ew_span *frames = EW_NEW_ARRAY(&arena, struct ew_span, 2);
  frames[0] = EW_SPAN("engine.so+0x12");
  frames[1] = ew_span_of(frame);
  return failure(query,
                 (struct ew_statement_outcome){
                     .kind = EW_OUTCOME_CRASH, .signal = signal, .text = ew_span_of(words), .frames = {frames, 2}},
                 "");
}

static size_t causes_of(const struct ew_finding *findings, size_t count) {
  struct ew_traits traits[16];
  size_t causes[16];
  for (size_t i = 0; i < count; i++) traits[i] = ew_traits_of(&arena, &findings[i]);
  return ew_causes(traits, count, causes);
}

#define CHECK(causes, ...)                                             \
  do {                                                                 \
    struct ew_finding findings[] = {__VA_ARGS__};                      \
    assert_int_equal(causes_of(findings, EW_COUNT(findings)), causes); \
  } while (0)

static void wrong_answers(void **state) {
  (void)state;
  CHECK(1, base("WITH max(null) AS a RETURN a"), base("WITH min(null) AS a RETURN a"),
        base("WITH count(*) AS a RETURN null AS b"));
  CHECK(1, base("MATCH (n) RETURN [x IN null | n] AS a"), base("UNWIND null AS u RETURN [x IN null | u] AS a"));
  CHECK(2, base("MATCH (n) RETURN n"), base("MATCH (n) RETURN [x IN null | n] AS a"));
  CHECK(2, base("WITH max(null) AS a RETURN a"), base("UNWIND null AS u RETURN u"));
  /* another oracle sees the same; the model knows which aggregate it is */
  struct ew_finding other = base("WITH max(null) AS a RETURN a"), maximum = base("RETURN max(1) AS a"),
                    minimum = base("RETURN min(1) AS a"), slow = other;
  other.oracle = EW_SPAN("rewrite");
  CHECK(1, base("WITH min(null) AS a RETURN a"), other);
  maximum.claim.relation = minimum.claim.relation = EW_RELATION_exact;
  maximum.why.aspect = minimum.why.aspect = EW_ASPECT_rows;
  CHECK(2, maximum, minimum);
  slow.claim.relation = EW_RELATION_bounded;
  CHECK(2, base("WITH min(null) AS a RETURN a"), slow);
}

static void errors(void **state) {
  (void)state;
  /* what wraps it, and which column it was */
  CHECK(1, error_of("MATCH ()-[*]->(), ()-[*]->() RETURN 1", "error: SQL prepare failed: duplicate name: _path_N"),
        error_of("MATCH ()-[*]->() MATCH ()-[*]->() RETURN 1", "error: duplicate name: _path_N"));
  CHECK(1, error_of("UNWIND [1] AS a UNWIND [1] AS b RETURN a", "error: no such column: _prev.value"),
        error_of("UNWIND [1] AS a UNWIND [1] AS b UNWIND [1] AS c RETURN c", "error: no such column: _prev.xN"));
  CHECK(2, error_of("MATCH ()-[r*]->() WITH r RETURN 1", "error: no such column: alias_N.id"),
        error_of("MATCH ()-[r]->() UNWIND r AS u RETURN 1", "error: no such column: alias_N"));
  /* a class of errors: the clauses tell */
  CHECK(1,
        error_of("MATCH p = () UNWIND null AS u RETURN p", "error: SyntaxError: UndefinedVariable: '…' is not defined"),
        error_of("MATCH (n) UNWIND null AS u RETURN n.a AS b",
                 "error: SyntaxError: UndefinedVariable: property access: '…' is not defined"));
  CHECK(2,
        error_of("MATCH p = () UNWIND null AS u RETURN p", "error: SyntaxError: UndefinedVariable: '…' is not defined"),
        error_of("CALL { RETURN null AS w } MATCH () WHERE w RETURN null AS c",
                 "error: Failed to match: SyntaxError: UndefinedVariable: '…' is not defined"));
  /* an error that says nothing of its own */
  CHECK(2, error_of("MATCH p = () MATCH () WITH * RETURN p", "error: near '…': syntax error"),
        error_of("MATCH (n) WHERE EXISTS { MATCH (n)-[*1..2]->() } RETURN n", "error: near '…': syntax error"));
  /* two errors of the very same query */
  CHECK(1, error_of("MATCH () RETURN 0 AS a, min(null) AS b", "error: N GROUP BY term out of range"),
        error_of("MATCH () RETURN 2 AS a, stdevp(null) AS b", "error: aggregates are not allowed"));
}

static void crashes(void **state) {
  (void)state;
  CHECK(1, crash_of("MATCH (n) WITH n WHERE n.a RETURN n", 11, "", "with"),
        crash_of("UNWIND [1] AS u WITH u ORDER BY u RETURN u", 11, "", "with"));
  CHECK(2, crash_of("MATCH (n) WITH n RETURN n", 11, "", "with"),
        crash_of("MATCH (n) WITH n RETURN n", 11, "", "unwind"));
  CHECK(2, crash_of("MATCH (n) WITH n RETURN n", 11, "", "with"), crash_of("MATCH (n) WITH n RETURN n", 6, "", "with"));
  /* a damaged heap is noticed anywhere */
  CHECK(1, crash_of("MATCH (n) WITH n RETURN n", 6, "double free or corruption (!prev)", "with"),
        crash_of("MATCH (n) WITH n ORDER BY n RETURN n", 6, "corrupted size vs. prev_size", "free_all"));
}

static void order(void **state) {
  struct ew_finding findings[] = {
      error_of("RETURN 1", "error: a"),
      base("MATCH (n) RETURN n.a + 1 AS b"),
      base("WITH max(null) AS a RETURN a"),
      crash_of("MATCH (n) RETURN n", 11, "", "x"),
      base("WITH min(null) AS abcdefgh RETURN abcdefgh"),
  };
  (void)state;
  struct ew_cause_list causes = ew_findings_arrange(&arena, findings, EW_COUNT(findings));
  static const unsigned expected[] = {4, 3, 5, 2, 1}; /* the other aggregate stands with the first */
  for (size_t i = 0; i < EW_COUNT(expected); i++) assert_int_equal(findings[i].group, expected[i]);
  assert_int_equal(causes.count, 4);
  assert_int_equal(causes.items[1].first, 1);
  assert_int_equal(causes.items[1].count, 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(wrong_answers, begin, end),
      cmocka_unit_test_setup_teardown(errors, begin, end),
      cmocka_unit_test_setup_teardown(crashes, begin, end),
      cmocka_unit_test_setup_teardown(order, begin, end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
