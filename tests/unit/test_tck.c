/* The TCK's files and values as we read them; whether the model passes the TCK is tests/tck's to say. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/tck_feature.h"
#include "cli/tck_value.h"

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

/* ---- features ---- */

static struct ew_tck_suite read_feature(const char *text, enum ew_status wanted) {
  struct ew_tck_suite suite = {0};
  struct ew_error error = {0};
  enum ew_status status = ew_tck_read_feature(&arena, EW_SPAN("f"), ew_span_of(text), &suite, &error);
  if (status != wanted) fail_msg("status %d: %s", (int)status, error.text);
  return suite;
}

static void assert_span(struct ew_span span, const char *wanted) {
  if (!ew_span_is(span, wanted)) fail_msg("'%.*s', wanted '%s'", EW_SPAN_ARGS(span), wanted);
}

static void test_scenario(void **state) {
  (void)state;
  struct ew_tck_suite suite = read_feature(
      "# comment\n"
      "Feature: F\n"
      "  A description.\r\n"
      "  Background:\n"
      "    Given any graph\n"
      "  @tag\n"
      "  Scenario: [1] One\n"
      "    When executing query:\n"
      "      \"\"\"\n"
      "      RETURN 1\n"
      "        AS x // | no cell\n"
      "      \"\"\"\n"
      "    Then the result should be, in any order:\n"
      "      | x   |\n"
      "      # between\n"
      "      | 'a\\|b\\n\\\\' |\n"
      "    And no side effects\n"
      "  Scenario: [2] Two\n"
      "    And a procedure:\n"
      "      |\n",
      EW_OK);
  assert_int_equal(suite.scenarios.count, 2);
  const struct ew_tck_scenario *one = &suite.scenarios.items[0];
  assert_span(one->name, "[1] One");
  assert_int_equal(one->example, 0);
  assert_int_equal(one->step_count, 4);
  assert_span(one->steps[0].text, "any graph");
  assert_span(one->steps[1].document, "RETURN 1\n  AS x // | no cell");
  assert_int_equal(one->steps[2].table.rows, 2);
  assert_int_equal(one->steps[2].table.width, 1);
  assert_span(one->steps[2].table.cells[1], "'a|b\n\\'");
  assert_int_equal(one->steps[3].table.rows, 0);
  assert_int_equal(suite.scenarios.items[1].step_count, 2);
  assert_int_equal(suite.scenarios.items[1].steps[1].table.rows, 1);
  assert_int_equal(suite.scenarios.items[1].steps[1].table.width, 0);
}

static void test_outline(void **state) {
  (void)state;
  struct ew_tck_suite suite = read_feature(
      "Feature: F\n"
      "  Scenario Outline: [1] Many\n"
      "    When executing query:\n"
      "      \"\"\"\n"
      "      RETURN <a> <b> < c\n"
      "      \"\"\"\n"
      "    Then the result should be, in any order:\n"
      "      | <a> |\n"
      "    Examples:\n"
      "      | a | b   |\n"
      "      | 1 | <a> |\n"
      "      | 2 |     |\n"
      "    Examples:\n"
      "      | a | b |\n"
      "      | 3 | x |\n"
      "  Scenario Outline: [2] None\n"
      "    When executing query:\n",
      EW_OK);
  assert_int_equal(suite.scenarios.count, 3);
  const struct ew_tck_scenario *scenarios = suite.scenarios.items;
  assert_span(scenarios[0].steps[0].document, "RETURN 1 <a> < c");
  assert_span(scenarios[1].steps[0].document, "RETURN 2  < c");
  assert_span(scenarios[2].steps[0].document, "RETURN 3 x < c");
  assert_span(scenarios[2].steps[1].table.cells[0], "3");
  assert_int_equal(scenarios[2].example, 3);
}

static void test_bad_features(void **state) {
  (void)state;
  read_feature("Scenario: x\n nonsense\n", EW_BAD);
  read_feature("Scenario: x\n Given y\n | a | b |\n | 1 |\n", EW_BAD);
  read_feature("Scenario: x\n Given y\n \"\"\"\n RETURN 1\n", EW_BAD);
  read_feature("\"\"\"\n\"\"\"\n", EW_BAD);
  read_feature("", EW_OK);
}

/* ---- values ---- */

static struct ew_value read_value(const char *text) {
  struct ew_value value;
  if (!ew_tck_value_read(&arena, ew_span_of(text), &value)) fail_msg("cannot read %s", text);
  return value;
}

static void test_values_match_themselves(void **state) {
  (void)state;
  static const char *const texts[] = {
      "null",
      "true",
      "false",
      "1",
      "-1",
      "1.5",
      "-0.0",
      "1e10",
      "NaN",
      "Inf",
      "-Inf",
      "'a\\'b'",
      "[]",
      "[1, [2], 'x']",
      "{}",
      "{a: 1, b: {c: null}}",
      "()",
      "(:A)",
      "(:A:B {x: 1, y: 'z'})",
      "[:T]",
      "[:T {x: [1]}]",
      "<()>",
      "<(:A)-[:T]->(:B {x: 1})<-[:U {y: 2}]-()>",
      "[<(:A)>, (:B), [:T]]",
  };
  for (size_t i = 0; i < EW_COUNT(texts); i++)
    for (size_t j = 0; j < EW_COUNT(texts); j++)
      if (ew_tck_value_matches(read_value(texts[i]), read_value(texts[j]), false) != (i == j))
        fail_msg("%s against %s", texts[i], texts[j]);
}

static void test_values_match(void **state) {
  (void)state;
  static const struct {
    const char *stated, *actual;
    bool in_order, as_bag;
  } pairs[] = {
      {"1", "1.0", false, false},
      {"0.0", "-0.0", true, true},
      {"(:A:B)", "(:B:A)", true, true},
      {"{a: 1, b: 2}", "{b: 2, a: 1}", true, true},
      {"[1, 2, 2]", "[2, 1, 2]", false, true},
      {"[1, 2, 2]", "[1, 1, 2]", false, false},
      {"[[1, 2], {a: [3, 4]}]", "[{a: [4, 3]}, [2, 1]]", false, true},
      {"<(:A)-[:T]->(:B)>", "<(:A)<-[:T]-(:B)>", false, false},
      {"[1]", "[1, 2]", false, false},
  };
  for (size_t i = 0; i < EW_COUNT(pairs); i++) {
    struct ew_value stated = read_value(pairs[i].stated), actual = read_value(pairs[i].actual);
    assert_int_equal(ew_tck_value_matches(stated, actual, false), pairs[i].in_order);
    assert_int_equal(ew_tck_value_matches(stated, actual, true), pairs[i].as_bag);
  }
}

static void test_temporal_values_are_strings(void **state) {
  (void)state;
  struct ew_value date = {.kind = EW_VALUE_DATE, .day = 0};
  struct ew_value time = {.kind = EW_VALUE_LOCAL_TIME, .time = {.nanoseconds = INT64_C(43200000000000)}};
  assert_true(ew_tck_value_matches(read_value("'1970-01-01'"), date, false));
  assert_false(ew_tck_value_matches(read_value("'1970-01-02'"), date, false));
  assert_true(ew_tck_value_matches(read_value("'12:00'"), time, false));
  assert_true(ew_tck_value_matches(read_value("'12:00:00'"), time, false));
  assert_false(ew_tck_value_matches(read_value("'noon'"), time, false));
}

static void test_bad_values(void **state) {
  (void)state;
  static const char *const texts[] = {"",    "'a", "[1",        "[1 2]",        "{a 1}", "{a: }", "(:)", "(:A",
                                      "[:]", "<(", "<()-[:T]>", "<()-[:T]-()>", "nul",   "1 2",   "--",  "x"};
  struct ew_value value;
  for (size_t i = 0; i < EW_COUNT(texts); i++)
    if (ew_tck_value_read(&arena, ew_span_of(texts[i]), &value)) fail_msg("took %s", texts[i]);
  struct ew_text deep = {0};
  for (int i = 0; i < 100000; i++) ew_text_add_char(&deep, '[');
  assert_false(ew_tck_value_read(&arena, ew_text_span(&deep), &value));
  ew_text_release(&deep);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_scenario),     cmocka_unit_test(test_outline),
      cmocka_unit_test(test_bad_features), cmocka_unit_test(test_values_match_themselves),
      cmocka_unit_test(test_values_match), cmocka_unit_test(test_temporal_values_are_strings),
      cmocka_unit_test(test_bad_values),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
