/* test_compare.c: equality, comparability, order, equivalence and hash, by cases and as laws over random values. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "random_value.h"

static struct ew_arena arena;

/* Values in the cases below are given as text. */
static struct ew_value value_of(const char *source) {
  struct ew_value value;
  struct ew_error error;
  if (ew_value_read(&arena, ew_span_of(source), &value, &error)) fail_msg("%s: %s", source, error.text);
  return value;
}

static struct ew_semantics with(const char *knob, int32_t setting) {
  struct ew_semantics semantics = ew_semantics_standard;
  assert_true(ew_semantics_set(&semantics, ew_span_of(knob), setting));
  return semantics;
}

static void test_equal(void **state) {
  (void)state;
  static const struct {
    const char *a, *b;
    enum ew_truth equal;
  } cases[] = {
      {"1", "1.0", EW_TRUE},
      {"9007199254740993", "9007199254740992.0", EW_FALSE},
      {"9007199254740992", "9007199254740992.0", EW_TRUE},
      {"9223372036854775807", "9223372036854775808.0", EW_FALSE},
      {"-9223372036854775808", "-9223372036854775808.0", EW_TRUE},
      {"0.0", "-0.0", EW_TRUE},
      {"0", "-0.0", EW_TRUE},
      {"(0.0 / 0.0)", "(0.0 / 0.0)", EW_FALSE},
      {"(1.0 / 0.0)", "(1.0 / 0.0)", EW_TRUE},
      {"(1.0 / 0.0)", "(-1.0 / 0.0)", EW_FALSE},
      {"1", "'1'", EW_FALSE},
      {"null", "null", EW_UNKNOWN},
      {"null", "1", EW_UNKNOWN},
      {"[1, null]", "[1, null]", EW_UNKNOWN},
      {"[1, null]", "[2, null]", EW_FALSE},
      {"[null, 1]", "[null, 2]", EW_FALSE},
      {"[1]", "[1, null]", EW_FALSE},
      {"[[1], [2, 3]]", "[[1], [null]]", EW_FALSE},
      {"[[1], [2]]", "[[1], [null]]", EW_UNKNOWN},
      {"[(0.0 / 0.0)]", "[(0.0 / 0.0)]", EW_FALSE},
      {"[1, 2.0]", "[1.0, 2]", EW_TRUE},
      {"{a: 1}", "{a: 1.0}", EW_TRUE},
      {"{a: null}", "{a: null}", EW_UNKNOWN},
      {"{a: null}", "{}", EW_FALSE},
      {"{a: null}", "{b: null}", EW_FALSE},
      {"{a: null, b: 1}", "{a: null, b: 2}", EW_FALSE},
      {"date('2020-01-01')", "date('2020-01-01')", EW_TRUE},
      {"date('2020-01-01')", "localdatetime('2020-01-01T00:00:00')", EW_FALSE},
      {"time('12:00:00Z')", "time('13:00:00+01:00')", EW_FALSE},
      {"datetime('2020-01-01T00:00:00Z')", "datetime('2020-01-01T00:00:00Z[UTC]')", EW_FALSE},
      {"duration('P1D')", "duration('PT24H')", EW_FALSE},
      {"point({x: 1.0, y: 2.0, srid: 7203})", "point({x: 1.0, y: 2.0, srid: 4326})", EW_FALSE},
      {"point({x: -0.0, y: 2.0, srid: 7203})", "point({x: 0.0, y: 2.0, srid: 7203})", EW_TRUE},
  };
  for (size_t i = 0; i < EW_COUNT(cases); i++) {
    struct ew_value a = value_of(cases[i].a), b = value_of(cases[i].b);
    if (ew_value_equal(a, b, &ew_semantics_standard) != cases[i].equal ||
        ew_value_equal(b, a, &ew_semantics_standard) != cases[i].equal)
      fail_msg("%s = %s", cases[i].a, cases[i].b);
  }
  struct ew_semantics apart = with("integer_float_equal", 0), nan_equal = with("nan_equals_nan", 1);
  assert_int_equal(ew_value_equal(value_of("1"), value_of("1.0"), &apart), EW_FALSE);
  assert_int_equal(ew_value_equal(value_of("[(0.0 / 0.0)]"), value_of("[(0.0 / 0.0)]"), &nan_equal), EW_TRUE);
  assert_int_equal(ew_value_equal(value_of("(0.0 / 0.0)"), value_of("1"), &nan_equal), EW_FALSE);
}

static void test_compare(void **state) {
  (void)state;
  static const struct {
    const char *a, *b;
    enum ew_truth compares;
    int order;
  } cases[] = {
      {"1", "1.5", EW_TRUE, -1},
      {"9007199254740993", "9007199254740992.0", EW_TRUE, 1},
      {"9223372036854775807", "9223372036854775808.0", EW_TRUE, -1},
      {"-9223372036854775808", "-1e300", EW_TRUE, 1},
      {"1", "1.0", EW_TRUE, 0},
      {"(0.0 / 0.0)", "1", EW_FALSE, 0},
      {"(0.0 / 0.0)", "(0.0 / 0.0)", EW_FALSE, 0},
      {"(0.0 / 0.0)", "'a'", EW_UNKNOWN, 0},
      {"null", "1", EW_UNKNOWN, 0},
      {"null", "null", EW_UNKNOWN, 0},
      {"'a'", "'ab'", EW_TRUE, -1},
      {"'z'", "'é'", EW_TRUE, -1},
      {"'1'", "1", EW_UNKNOWN, 0},
      {"false", "true", EW_TRUE, -1},
      {"[1, 0]", "[1]", EW_TRUE, 1},
      {"[1, null]", "[1]", EW_TRUE, 1},
      {"[1, 2]", "[1, null]", EW_UNKNOWN, 0},
      {"[1, 'a']", "[1, null]", EW_UNKNOWN, 0},
      {"[1, 2]", "[3, null]", EW_TRUE, -1},
      {"[{}, 1]", "[{}, 2]", EW_TRUE, -1},
      {"[(0.0 / 0.0)]", "[1]", EW_FALSE, 0},
      {"{}", "{}", EW_UNKNOWN, 0},
      {"duration('P1D')", "duration('P2D')", EW_UNKNOWN, 0},
      {"time('10:00:00+01:00')", "time('09:35:14Z')", EW_TRUE, -1},
      {"date('2020-01-01')", "date('-0001-01-01')", EW_TRUE, 1},
      {"datetime('2020-01-01T00:00:00+01:00')", "datetime('2020-01-01T00:00:00Z')", EW_TRUE, -1},
  };
  for (size_t i = 0; i < EW_COUNT(cases); i++) {
    struct ew_value a = value_of(cases[i].a), b = value_of(cases[i].b);
    int order = 7, reversed = 7;
    if (ew_value_compare(a, b, &ew_semantics_standard, &order) != cases[i].compares || order != cases[i].order ||
        ew_value_compare(b, a, &ew_semantics_standard, &reversed) != cases[i].compares || reversed != -order)
      fail_msg("%s < %s", cases[i].a, cases[i].b);
  }
}

/* Each comes strictly before the next. */
static void test_order(void **state) {
  (void)state;
  static const char *const ascending[] = {"{}",
                                          "{a: 1}",
                                          "{a: 2}",
                                          "{b: 1}",
                                          "{a: 1, b: 1}",
                                          "[]",
                                          "[1]",
                                          "[1, 0]",
                                          "[1.5]",
                                          "[2]",
                                          "[null]",
                                          "datetime('2020-01-01T00:00:00+01:00')",
                                          "datetime('2020-01-01T00:00:00Z')",
                                          "localdatetime('2020-01-01T00:00:00')",
                                          "date('2020-01-01')",
                                          "date('2020-01-02')",
                                          "time('13:00:00+02:00')",
                                          "time('12:00:00Z')",
                                          "time('13:00:00+01:00')",
                                          "localtime('00:00:00')",
                                          "duration('PT23H')",
                                          "duration('PT24H')",
                                          "duration('P1D')",
                                          "duration('P30D')",
                                          "duration('P1M')",
                                          "duration('P31D')",
                                          "point({x: 0.0, y: 0.0, srid: 4326})",
                                          "point({x: 0.0, y: 1.0, srid: 4326})",
                                          "point({x: 0.0, y: 0.0, srid: 7203})",
                                          "''",
                                          "'A'",
                                          "'a'",
                                          "'b'",
                                          "false",
                                          "true",
                                          "(-1.0 / 0.0)",
                                          "-1e300",
                                          "-9223372036854775808",
                                          "-1",
                                          "-0.5",
                                          "0",
                                          "0.5",
                                          "1",
                                          "9007199254740992.0",
                                          "9007199254740993",
                                          "9223372036854775807",
                                          "9223372036854775808.0",
                                          "(1.0 / 0.0)",
                                          "(0.0 / 0.0)",
                                          "null"};
  for (size_t i = 0; i < EW_COUNT(ascending); i++) {
    for (size_t j = 0; j < EW_COUNT(ascending); j++) {
      int order = ew_value_order(value_of(ascending[i]), value_of(ascending[j]), &ew_semantics_standard);
      if ((order > 0) - (order < 0) != (i > j) - (i < j)) fail_msg("%s and %s", ascending[i], ascending[j]);
    }
  }
  struct ew_semantics null_first = with("null_sorts_last", 0), nan_first = with("nan_is_largest_number", 0);
  assert_true(ew_value_order(ew_null(), value_of("{}"), &null_first) < 0);
  assert_true(ew_value_order(value_of("(0.0 / 0.0)"), value_of("(-1.0 / 0.0)"), &nan_first) < 0);
  assert_true(ew_value_order(value_of("(0.0 / 0.0)"), value_of("true"), &nan_first) > 0);
}

/* Every knob both ways; more than that are few. */
static struct ew_semantics random_semantics(struct ew_random *random) {
  static const int32_t digits[] = {1, 6, 12, 15, 16, 17};
  struct ew_semantics semantics;
  for (size_t i = 0; i < ew_knob_count; i++)
    ew_semantics_set(&semantics, ew_span_of(ew_knobs[i].name), (int32_t)ew_random_below(random, 2));
  semantics.float_digits = EW_RANDOM_PICK(random, digits);
  return semantics;
}

typedef int order_function(struct ew_value, struct ew_value, const struct ew_semantics *);

static int sign(int order) { return (order > 0) - (order < 0); }

static void check_order(order_function *order, const struct ew_value v[3], const struct ew_semantics *semantics) {
  int ab = sign(order(v[0], v[1], semantics)), bc = sign(order(v[1], v[2], semantics));
  int ac = sign(order(v[0], v[2], semantics));
  assert_int_equal(ab, -sign(order(v[1], v[0], semantics)));
  assert_int_equal(order(v[0], v[0], semantics), 0);
  if (ab <= 0 && bc <= 0) assert_int_equal(ac, ab < 0 || bc < 0 ? -1 : 0);
  if (ab >= 0 && bc >= 0) assert_int_equal(ac, ab > 0 || bc > 0 ? 1 : 0);
}

static void check_pair(struct ew_value a, struct ew_value b, const struct ew_semantics *semantics) {
  bool equivalent = ew_value_equivalent(a, b, semantics), same = ew_value_same(a, b, semantics);
  assert_int_equal(equivalent, ew_value_order(a, b, semantics) == 0);
  assert_int_equal(same, ew_value_same(b, a, semantics));
  if (equivalent) assert_true(ew_value_hash(a, semantics) == ew_value_hash(b, semantics));
  if (ew_value_equal(a, b, semantics) == EW_TRUE) assert_true(equivalent);
  if (ew_value_shape_order(a, b, semantics) == 0)
    assert_true(ew_value_shape_hash(a, semantics) == ew_value_shape_hash(b, semantics));
  if (same) assert_int_equal(ew_value_shape_order(a, b, semantics), 0);
  if (ew_value_same_order(a, b, semantics) == 0) assert_true(same);
  int order;
  if (ew_value_compare(a, b, semantics, &order) == EW_TRUE && order)
    assert_int_equal(order, sign(ew_value_order(a, b, semantics)));
}

static void test_laws(void **state) {
  (void)state;
  struct maker maker = {ew_random_from(6), &arena, true};
  for (int i = 0; i < 40000; i++) {
    ew_arena_reset(&arena);
    struct ew_semantics semantics = random_semantics(&maker.random);
    unsigned depth = ew_random_below(&maker.random, 3);
    struct ew_value v[3];
    for (int j = 0; j < 3; j++) v[j] = random_value(&maker, depth);
    if (ew_random_chance(&maker.random, 30)) v[1] = ew_value_copy(&arena, v[0]);
    if (ew_random_chance(&maker.random, 30))
      for (int j = 0; j < 3; j++)
        v[j] =
            ew_random_chance(&maker.random, 50) ? ew_float(random_float(&maker)) : ew_integer(random_integer(&maker));
    check_pair(v[0], v[1], &semantics);
    assert_true(ew_value_same(v[0], v[0], &semantics));
    check_order(ew_value_order, v, &semantics);
    check_order(ew_value_same_order, v, &semantics);
    check_order(ew_value_shape_order, v, &semantics);
  }
}

static void test_same_floats(void **state) {
  (void)state;
  static const struct {
    double a, b;
    int digits;
    bool same;
  } cases[] = {
      {0.1 + 0.2, 0.3, 12, true},
      {0.1 + 0.2, 0.3, 17, false},
      {1, 1, 17, true},
      {0.999999999999999, 1.000000000000001, 12, true},
      {1.2345, 1.2354, 4, true},  /* 1.234 or 1.235, and 1.235 */
      {1.2340, 1.2350, 4, true},  /* one unit */
      {1.2340, 1.2360, 4, false}, /* two units */
      {9.999, 10.00, 4, true},    /* neighbours across a power of ten */
      {9.998, 10.00, 4, false},
      {9.999, 10.01, 4, false},
      {1e300, 1.0000000000001e300, 12, true},
      {1e300, 1.1e300, 12, false},
      {1e-310, 1.0000000000001e-310, 12, true},
      {5e-324, 1e-323, 12, false},
      {5e-324, 1e-323, 1, false},
      {0.0, 5e-324, 12, false},
      {0.0, -0.0, 17, true},
      {1, -1, 1, false},
      {INFINITY, INFINITY, 12, true},
      {INFINITY, 0x1.fffffffffffffp1023, 1, false},
      {(double)NAN, (double)NAN, 17, true},
      {(double)NAN, 1, 1, false},
      {1, 1.9, 1, true},
      {1, 3, 1, false},
      {1, 1.9, -5, true},
  };
  for (size_t i = 0; i < EW_COUNT(cases); i++) {
    struct ew_semantics semantics = with("float_digits", cases[i].digits);
    if (ew_value_same(ew_float(cases[i].a), ew_float(cases[i].b), &semantics) != cases[i].same ||
        ew_value_same(ew_float(-cases[i].b), ew_float(-cases[i].a), &semantics) != cases[i].same)
      fail_msg("case %zu: %g and %g", i, cases[i].a, cases[i].b);
  }
  struct ew_semantics zeros = with("negative_zero_distinct", 1);
  assert_false(ew_value_same(ew_float(0.0), ew_float(-0.0), &zeros));
  assert_true(ew_value_equivalent(ew_float(0.0), ew_float(-0.0), &zeros));
  assert_false(ew_value_same(ew_integer(1), ew_float(1), &ew_semantics_standard));
}

/* The quick decisions agree with the digits as printed. */
static void test_same_floats_by_digits(void **state) {
  (void)state;
  struct ew_random random = ew_random_from(7);
  for (int i = 0; i < 50000; i++) {
    int digits = 1 + (int)ew_random_below(&random, 16);
    struct ew_semantics semantics = with("float_digits", digits);
    double scale = 1;
    for (int j = 0; j < digits; j++) scale /= 10;
    double a = (double)(1 + ew_random_below(&random, 100000)) / 1000;
    double b = a + a * scale * (double)ew_random_below(&random, 4000) / 100;
    char left[40], right[40];
    snprintf(left, sizeof left, "%.*e", digits - 1, a);
    snprintf(right, sizeof right, "%.*e", digits - 1, b);
    /* In units of the smaller's last digit, the distance of the rounded numbers; a larger power has larger units. */
    int low = (int)strtol(strchr(left, 'e') + 1, NULL, 10), high = (int)strtol(strchr(right, 'e') + 1, NULL, 10);
    int64_t mantissas[2] = {0, 0}, power = 1;
    for (const char *at = left; *at != 'e'; at++)
      mantissas[0] = *at == '.' ? mantissas[0] : mantissas[0] * 10 + *at - '0';
    for (const char *at = right; *at != 'e'; at++)
      mantissas[1] = *at == '.' ? mantissas[1] : mantissas[1] * 10 + *at - '0';
    for (int j = 0; j < digits; j++) power *= 10;
    int64_t steps = low == high ? mantissas[1] - mantissas[0] : power - mantissas[0] + mantissas[1] - power / 10;
    bool same = a == b || (high - low <= 1 && steps <= 1);
    if (ew_value_same(ew_float(a), ew_float(b), &semantics) != same)
      fail_msg("%s and %s to %d digits", left, right, digits);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_equal), cmocka_unit_test(test_compare),     cmocka_unit_test(test_order),
      cmocka_unit_test(test_laws),  cmocka_unit_test(test_same_floats), cmocka_unit_test(test_same_floats_by_digits),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  ew_arena_release(&arena);
  return failed;
}
