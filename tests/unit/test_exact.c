/* test_exact.c: for each form that right answers may have, answers that are right and each way to be wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

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

/* A table from a list of rows, each a list of values; its columns are x and y. */
static struct ew_rows table(const char *text) {
  static const struct ew_span columns[] = {{"x", 1}, {"y", 1}};
  struct ew_value all;
  struct ew_error error;
  if (ew_value_read(&arena, ew_span_of(text), &all, &error)) fail_msg("%s: %s", text, error.text);
  size_t width = all.list.count ? all.list.items[0].list.count : 1;
  struct ew_value *values = EW_NEW_ARRAY(&arena, struct ew_value, all.list.count * width);
  for (size_t i = 0; i < all.list.count; i++)
    memcpy(values + i * width, all.list.items[i].list.items, width * sizeof *values);
  return (struct ew_rows){columns, width, values, all.list.count};
}

static struct ew_why why;

static void check(const struct ew_expectation *expected, const char *answer, enum ew_verdict verdict) {
  struct ew_rows rows = table(answer);
  why = (struct ew_why){.text = EW_SPAN("")};
  enum ew_verdict found = ew_expectation_judge(expected, &rows, &ew_semantics_standard, &arena, &why);
  if (found != verdict) fail_msg("%s: %s: %.*s", answer, ew_verdict_name(found), EW_SPAN_ARGS(why.text));
}

static void check_wrong(const struct ew_expectation *expected, const char *answer, enum ew_aspect aspect,
                        const char *text) {
  check(expected, answer, EW_VIOLATED);
  assert_string_equal(ew_aspect_name(why.aspect), ew_aspect_name(aspect));
  if (!ew_span_is(why.text, text)) fail_msg("%s: %.*s", answer, EW_SPAN_ARGS(why.text));
}

static void all_rows(void **state) {
  (void)state;
  struct ew_expectation expected = {.kind = EW_EXPECT_ROWS, .rows = table("[[1], [2], [2]]")};
  check(&expected, "[[2], [1], [2]]", EW_HOLDS);
  check_wrong(&expected, "[[2], [1], [1]]", EW_ASPECT_rows, "1 row missing, 1 row too many");
  check_wrong(&expected, "[[1, 1], [2, 2], [2, 2]]", EW_ASPECT_columns, "the columns differ");
  expected.ordered = true;
  check(&expected, "[[1], [2], [2]]", EW_HOLDS);
  check_wrong(&expected, "[[2], [1], [2]]", EW_ASPECT_order, "the right rows in a wrong order");
  expected.reads_state = true;
  check_wrong(&expected, "[[1], [2]]", EW_ASPECT_state, "1 row missing, 0 rows too many");
}

static void some_rows(void **state) {
  (void)state;
  static const struct ew_tier tier = {4, 2};
  struct ew_expectation expected = {
      .kind = EW_EXPECT_ROWS, .rows = table("[[1], [2], [2], [3]]"), .tiers = &tier, .tier_count = 1};
  check(&expected, "[[1], [2]]", EW_HOLDS);
  check(&expected, "[[3], [1]]", EW_HOLDS);
  check(&expected, "[[2], [2]]", EW_HOLDS);
  check_wrong(&expected, "[[1], [1]]", EW_ASPECT_rows, "1 row that cannot be among the rows");
  check_wrong(&expected, "[[4], [2]]", EW_ASPECT_rows, "1 row that cannot be among the rows");
  check_wrong(&expected, "[[1]]", EW_ASPECT_rows, "1 row where 2 must come");
  check_wrong(&expected, "[[1], [2], [3]]", EW_ASPECT_rows, "3 rows where 2 must come");
  check_wrong(&expected, "[[1, 1], [2, 2]]", EW_ASPECT_columns, "the columns differ");
}

static void tiers(void **state) {
  (void)state;
  /* ORDER BY x SKIP 1 LIMIT 4 */
  static const struct ew_tier three[] = {{2, 1}, {2, 2}, {3, 1}};
  struct ew_expectation expected = {
      .kind = EW_EXPECT_ROWS,
      .rows = table("[[1, 'a'], [1, 'b'], [2, 'a'], [2, 'b'], [3, 'a'], [3, 'b'], [3, 'c']]"),
      .ordered = true,
      .tiers = three,
      .tier_count = EW_COUNT(three)};
  check(&expected, "[[1, 'a'], [2, 'a'], [2, 'b'], [3, 'c']]", EW_HOLDS);
  check(&expected, "[[1, 'b'], [2, 'b'], [2, 'a'], [3, 'a']]", EW_HOLDS);
  check_wrong(&expected, "[[1, 'b'], [2, 'b'], [2, 'a'], [4, 'a']]", EW_ASPECT_rows,
              "1 row that cannot be among the rows");
  check_wrong(&expected, "[[1, 'a'], [1, 'b'], [2, 'a'], [3, 'a']]", EW_ASPECT_rows,
              "1 row missing that must come whichever others do");
  check_wrong(&expected, "[[1, 'a'], [2, 'a'], [2, 'b']]", EW_ASPECT_rows, "3 rows where 4 must come");
  check_wrong(&expected, "[[2, 'a'], [1, 'a'], [2, 'b'], [3, 'c']]", EW_ASPECT_order,
              "the right rows in a wrong order");
  /* Right rows by number, but two of the first tier and none of the last. */
  check_wrong(&expected, "[[1, 'a'], [2, 'a'], [2, 'b'], [1, 'b']]", EW_ASPECT_order,
              "the right rows in a wrong order");
}

static struct ew_expectation allowing(const char *rows, unsigned x, unsigned y) {
  unsigned *allowances = EW_NEW_ARRAY(&arena, unsigned, 2);
  allowances[0] = x;
  allowances[1] = y;
  return (struct ew_expectation){.kind = EW_EXPECT_ROWS, .rows = table(rows), .allowances = allowances};
}

static void lists_as_bags(void **state) {
  (void)state;
  struct ew_expectation expected = allowing("[[[1, 2, 2], [1, 2]], [[[1, 2], 3], 0]]", EW_ALLOW_ORDER, 0);
  check(&expected, "[[[2, 1, 2], [1, 2]], [[3, [1, 2]], 0]]", EW_HOLDS);
  check(&expected, "[[[3, [1, 2]], 0], [[2, 2, 1], [1, 2]]]", EW_HOLDS);
  check(&expected, "[[[2, 1, 1], [1, 2]], [[3, [1, 2]], 0]]", EW_VIOLATED);
  check(&expected, "[[[2, 1], [1, 2]], [[3, [1, 2]], 0]]", EW_VIOLATED);
  check(&expected, "[[[1, 2, 2], [2, 1]], [[3, [1, 2]], 0]]", EW_VIOLATED);
  check(&expected, "[[[1, 2, 2], [1, 2]], [[3, [2, 1]], 0]]", EW_VIOLATED);
  struct ew_expectation deep = allowing("[[[{a: [1, 2]}, 3], 0]]", EW_ALLOW_DEEP_ORDER, 0);
  check(&deep, "[[[{a: [2, 1]}, 3], 0]]", EW_HOLDS);
  check(&deep, "[[[3, {a: [2, 1]}], 0]]", EW_VIOLATED);
  check(&deep, "[[[{a: [2, 2]}, 3], 0]]", EW_VIOLATED);
}

/* Floats that are nearly the same may sort otherwise: then nothing is said. */
static void doubtful_lists(void **state) {
  (void)state;
  struct ew_expectation expected = allowing("[[[[1.0, 5.0], [1.0000000000000002, 3.0]], 0]]", EW_ALLOW_ORDER, 0);
  check(&expected, "[[[[1.0, 3.0], [1.0000000000000002, 5.0]], 0]]", EW_INCONCLUSIVE);
  check(&expected, "[[[[1.0, 5.0], [1.0, 3.0]], 1]]", EW_INCONCLUSIVE);
  struct ew_expectation plain = allowing("[[[1.0, 3.0], 0]]", EW_ALLOW_ORDER, 0);
  check(&plain, "[[[3.0, 1.0000000000000002], 0]]", EW_HOLDS);
  check(&plain, "[[[3.0, 1.5], 0]]", EW_VIOLATED);
}

static void numbers_alike(void **state) {
  (void)state;
  struct ew_expectation expected = allowing("[[1, 1], [[-0.0, {a: 2}], 0]]", EW_ALLOW_NUMBERS, 0);
  check(&expected, "[[1.0, 1], [[0, {a: 2.0}], 0]]", EW_HOLDS);
  check(&expected, "[[1.5, 1], [[0, {a: 2.0}], 0]]", EW_VIOLATED);
  check(&expected, "[[1.0, 1], [[0, {a: 3}], 0]]", EW_VIOLATED);
  check(&expected, "[['1', 1], [[0, {a: 2}], 0]]", EW_VIOLATED);
  check(&expected, "[[1, 1.0], [[0, {a: 2}], 0]]", EW_VIOLATED);
}

static void any_value(void **state) {
  (void)state;
  struct ew_expectation expected = allowing("[[7, 'a'], [8, 'b']]", EW_ALLOW_ANY, 0);
  check(&expected, "[['x', 'b'], [null, 'a']]", EW_HOLDS);
  check(&expected, "[[7, 'a'], [8, 'a']]", EW_VIOLATED);
  check(&expected, "[[7, 'a']]", EW_VIOLATED);
  struct ew_tier tier = {2, 1};
  expected.tiers = &tier;
  expected.tier_count = 1;
  check(&expected, "[[0, 'b']]", EW_HOLDS);
  check(&expected, "[[7, 'c']]", EW_VIOLATED);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_rows),      cmocka_unit_test(some_rows),      cmocka_unit_test(tiers),
      cmocka_unit_test(lists_as_bags), cmocka_unit_test(doubtful_lists), cmocka_unit_test(numbers_alike),
      cmocka_unit_test(any_value),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
