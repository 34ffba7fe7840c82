/* test_relation.c: every relation against every kind of outcome, and what is said of the difference. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contract/relation.h"

static struct ew_arena arena;

static int set_up(void **state) {
  (void)state;
  ew_arena_init(&arena);
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  ew_arena_release(&arena);
  return 0;
}

/* One statement that returned these integers in one column. */
static struct ew_outcome rows(size_t count, const int64_t *numbers) {
  struct ew_statement_outcome *outcome = EW_NEW(&arena, struct ew_statement_outcome);
  struct ew_value *values = EW_NEW_ARRAY(&arena, struct ew_value, count + 1);
  struct ew_span *column = EW_NEW(&arena, struct ew_span);
  *column = EW_SPAN("x");
  for (size_t i = 0; i < count; i++) values[i] = ew_integer(numbers[i]);
  outcome->kind = EW_OUTCOME_ROWS;
  outcome->rows = (struct ew_rows){column, 1, values, count};
  return (struct ew_outcome){outcome, 1};
}
#define ROWS(...) rows(sizeof((int64_t[]){0, __VA_ARGS__}) / sizeof(int64_t) - 1, (int64_t[]){__VA_ARGS__, 0})

static struct ew_outcome other(enum ew_outcome_kind kind, enum ew_error_class class) {
  struct ew_statement_outcome *outcome = EW_NEW(&arena, struct ew_statement_outcome);
  outcome->kind = kind;
  outcome->error_class = class;
  outcome->text = EW_SPAN("some text");
  return (struct ew_outcome){outcome, 1};
}

static struct ew_why why;

static enum ew_verdict judge(enum ew_relation relation, enum ew_combiner combiner, const struct ew_outcome *outcomes,
                             size_t count) {
  struct ew_claim claim = {.relation = relation, .combiner = combiner};
  return ew_relation_judge(claim, outcomes, count, &ew_semantics_standard, &arena, &why);
}
#define JUDGE(relation, ...)                                                        \
  judge(EW_RELATION_##relation, EW_COMBINE_BAG, (struct ew_outcome[]){__VA_ARGS__}, \
        sizeof((struct ew_outcome[]){__VA_ARGS__}) / sizeof(struct ew_outcome))

static void test_rows(void **state) {
  (void)state;
  assert_int_equal(JUDGE(same, ROWS(1, 2, 2), ROWS(2, 1, 2)), EW_HOLDS);
  assert_int_equal(JUDGE(same, ROWS(1, 2, 2), ROWS(2, 1, 1)), EW_VIOLATED);
  assert_int_equal(why.expected.row_count, 1);
  assert_int_equal(why.expected.values[0].integer, 2);
  assert_int_equal(why.actual.values[0].integer, 1);
  assert_int_equal(JUDGE(same_ordered, ROWS(1, 2), ROWS(2, 1)), EW_VIOLATED);
  assert_int_equal(JUDGE(same_ordered, ROWS(1, 2), ROWS(1, 2)), EW_HOLDS);
  assert_int_equal(JUDGE(sum, ROWS(1, 2, 2, 3), ROWS(2), ROWS(3, 1), ROWS(2)), EW_HOLDS);
  assert_int_equal(JUDGE(sum, ROWS(1, 2, 2, 3), ROWS(2), ROWS(3, 1), ROWS(7)), EW_VIOLATED);
  assert_int_equal(JUDGE(superset, ROWS(1, 2, 2), ROWS(2, 2)), EW_HOLDS);
  assert_int_equal(JUDGE(superset, ROWS(1, 2), ROWS(2, 2)), EW_VIOLATED);
  assert_int_equal(JUDGE(superset_distinct, ROWS(1, 2), ROWS(2, 2)), EW_HOLDS);
  assert_int_equal(JUDGE(subset, ROWS(2), ROWS(1, 2)), EW_HOLDS);
  assert_int_equal(JUDGE(subset, ROWS(4), ROWS(1, 2)), EW_VIOLATED);
  assert_int_equal(JUDGE(subset_distinct, ROWS(2, 2), ROWS(1, 2)), EW_HOLDS);
  assert_int_equal(JUDGE(some, ROWS(1)), EW_HOLDS);
  assert_int_equal(JUDGE(none, ROWS(1)), EW_VIOLATED);
  struct ew_outcome empty = rows(0, NULL);
  assert_int_equal(JUDGE(none, empty), EW_HOLDS);
  assert_int_equal(JUDGE(some, empty), EW_VIOLATED);
}

static void test_counts(void **state) {
  (void)state;
  struct ew_outcome right[] = {ROWS(6), ROWS(1), ROWS(2), ROWS(3)}, wrong[] = {ROWS(6), ROWS(1), ROWS(2), ROWS(2)};
  struct ew_outcome odd[] = {ROWS(6), ROWS(1, 2), ROWS(3), ROWS(1)};
  struct ew_outcome large[] = {ROWS(INT64_MIN), ROWS(INT64_MAX), ROWS(1), ROWS(0)};
  assert_int_equal(judge(EW_RELATION_sum, EW_COMBINE_COUNT, right, 4), EW_HOLDS);
  assert_int_equal(judge(EW_RELATION_sum, EW_COMBINE_COUNT, wrong, 4), EW_VIOLATED);
  assert_int_equal(judge(EW_RELATION_sum, EW_COMBINE_COUNT, odd, 4), EW_INCONCLUSIVE);
  assert_int_equal(judge(EW_RELATION_sum, EW_COMBINE_COUNT, large, 4), EW_INCONCLUSIVE);
}

/* Whatever is not rows gives no verdict on rows, in any place; `clean` judges it by itself. */
/* One statement after the other; the first that differs decides. */
static void test_exact(void **state) {
  (void)state;
  struct ew_outcome right = ROWS(1, 2), turned = ROWS(2, 1), wrong = ROWS(1, 3);
  const struct ew_rows *rows = &right.statements[0].rows;
  struct ew_outcome error = other(EW_OUTCOME_ERROR, EW_ERROR_EXPECTED);
  struct ew_outcome refused = other(EW_OUTCOME_ERROR, EW_ERROR_REFUSED);
  struct ew_outcome crash = other(EW_OUTCOME_CRASH, EW_ERROR_UNEXPECTED);
  const struct ew_expectation bag = {.kind = EW_EXPECT_ROWS, .rows = *rows},
                              list = {.kind = EW_EXPECT_ROWS, .rows = *rows, .ordered = true},
                              safe = {.kind = EW_EXPECT_ROWS, .rows = *rows, .cannot_fail = true},
                              look = {.kind = EW_EXPECT_ROWS, .rows = *rows, .reads_state = true},
                              fails = {.kind = EW_EXPECT_ERROR, .error = EW_SPAN("x")},
                              any = {.kind = EW_EXPECT_ANYTHING};
  const struct {
    const struct ew_expectation *first, *second;
    const struct ew_outcome *outcomes[2];
    enum ew_verdict verdict;
    enum ew_aspect aspect;
    size_t statement;
  } cases[] = {
      {&bag, &bag, {&right, &turned}, EW_HOLDS, EW_ASPECT_any, 1},
      {&bag, &bag, {&right, &wrong}, EW_VIOLATED, EW_ASPECT_rows, 1},
      {&bag, &bag, {&wrong, &wrong}, EW_VIOLATED, EW_ASPECT_rows, 0},
      {&list, &bag, {&turned, &right}, EW_VIOLATED, EW_ASPECT_order, 0},
      {&any, &look, {&wrong, &wrong}, EW_VIOLATED, EW_ASPECT_state, 1},
      {&fails, &bag, {&error, &right}, EW_HOLDS, EW_ASPECT_any, 1},
      {&fails, &bag, {&error, &wrong}, EW_VIOLATED, EW_ASPECT_rows, 1},
      {&fails, &bag, {&right, &right}, EW_VIOLATED, EW_ASPECT_no_error, 0},
      {&bag, &bag, {&error, &wrong}, EW_INCONCLUSIVE, EW_ASPECT_any, 0},
      {&any, &bag, {&error, &wrong}, EW_INCONCLUSIVE, EW_ASPECT_any, 0},
      {&safe, &bag, {&error, &right}, EW_VIOLATED, EW_ASPECT_error, 0},
      {&safe, &bag, {&refused, &wrong}, EW_INCONCLUSIVE, EW_ASPECT_any, 0},
      {&safe, &bag, {&crash, &wrong}, EW_INCONCLUSIVE, EW_ASPECT_any, 0},
  };
  for (size_t i = 0; i < EW_COUNT(cases); i++) {
    struct ew_expectation expected[] = {*cases[i].first, *cases[i].second};
    struct ew_statement_outcome statements[] = {cases[i].outcomes[0]->statements[0],
                                                cases[i].outcomes[1]->statements[0]};
    struct ew_outcome outcome = {statements, 2};
    struct ew_claim claim = {.relation = EW_RELATION_exact, .expected = expected, .expected_count = 2};
    assert_int_equal(ew_relation_judge(claim, &outcome, 1, &ew_semantics_standard, &arena, &why), cases[i].verdict);
    if (cases[i].verdict == EW_VIOLATED) assert_int_equal(why.aspect, cases[i].aspect);
    assert_int_equal(why.statement, cases[i].statement);
  }
}

static void test_other_outcomes(void **state) {
  (void)state;
  static const struct {
    enum ew_outcome_kind kind;
    enum ew_error_class class;
    enum ew_verdict clean;
  } cases[] = {
      {EW_OUTCOME_ERROR, EW_ERROR_UNEXPECTED, EW_VIOLATED},
      {EW_OUTCOME_ERROR, EW_ERROR_REFUSED, EW_INCONCLUSIVE},
      {EW_OUTCOME_ERROR, EW_ERROR_EXPECTED, EW_INCONCLUSIVE},
      {EW_OUTCOME_ERROR, EW_ERROR_TRANSIENT, EW_INCONCLUSIVE},
      {EW_OUTCOME_TIMEOUT, EW_ERROR_UNEXPECTED, EW_INCONCLUSIVE},
      {EW_OUTCOME_HANG, EW_ERROR_UNEXPECTED, EW_VIOLATED},
      {EW_OUTCOME_CRASH, EW_ERROR_UNEXPECTED, EW_VIOLATED},
      {EW_OUTCOME_LOST, EW_ERROR_UNEXPECTED, EW_VIOLATED},
      {EW_OUTCOME_CORRUPT, EW_ERROR_UNEXPECTED, EW_VIOLATED},
      {EW_OUTCOME_TOO_LARGE, EW_ERROR_UNEXPECTED, EW_INCONCLUSIVE},
      {EW_OUTCOME_NOT_RUN, EW_ERROR_UNEXPECTED, EW_INCONCLUSIVE},
  };
  for (size_t i = 0; i < EW_COUNT(cases); i++) {
    struct ew_outcome bad = other(cases[i].kind, cases[i].class);
    assert_int_equal(JUDGE(clean, bad), cases[i].clean);
    assert_int_equal(JUDGE(clean, ROWS(1), bad), cases[i].clean);
    for (int relation = 0; relation < EW_RELATIONS; relation++) {
      if (relation == EW_RELATION_clean || relation == EW_RELATION_exact) continue;
      struct ew_outcome first[] = {bad, ROWS(1)}, second[] = {ROWS(1), bad};
      assert_int_equal(judge((enum ew_relation)relation, EW_COMBINE_BAG, first, 2), EW_INCONCLUSIVE);
      if (relation == EW_RELATION_none || relation == EW_RELATION_some) continue;
      assert_int_equal(judge((enum ew_relation)relation, EW_COMBINE_BAG, second, 2), EW_INCONCLUSIVE);
    }
  }
  assert_int_equal(JUDGE(clean, ROWS(1)), EW_HOLDS);
}

static void test_clean_names_the_culprit(void **state) {
  (void)state;
  assert_int_equal(JUDGE(clean, ROWS(1), other(EW_OUTCOME_CRASH, EW_ERROR_UNEXPECTED)), EW_VIOLATED);
  assert_int_equal(why.run, 1);
  assert_int_equal(why.statement, 0);
  assert_true(ew_span_is(why.text, "crash: some text"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_rows),
      cmocka_unit_test(test_counts),
      cmocka_unit_test(test_exact),
      cmocka_unit_test(test_other_outcomes),
      cmocka_unit_test(test_clean_names_the_culprit),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
