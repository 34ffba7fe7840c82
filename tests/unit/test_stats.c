/* test_stats.c: counting, adding up over workers, and stats.json. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/allocate.h"
#include "hunt/fingerprint.h"
#include "hunt/stats.h"

static struct ew_stats *new_stats(void) { return ew_allocate_zeroed(1, sizeof(struct ew_stats)); }

static void test_bytes_count_strings_as_two(void **state) {
  (void)state;
  struct ew_stats *stats = new_stats();
  ew_stats_statement(stats, EW_SPAN("RETURN 'abc\\'d' AS x"), 3);
  assert_int_equal(stats->bytes, strlen("RETURN '' AS x"));
  assert_int_equal(stats->dependencies, 3);
  ew_stats_statement(stats, EW_SPAN("RETURN 'not closed"), 0);
  assert_int_equal(stats->statements, 2);
  ew_deallocate(stats);
}

static void test_distinct_is_estimated(void **state) {
  (void)state;
  struct ew_stats *a = new_stats(), *b = new_stats(), *sum = new_stats();
  char text[32];
  for (int i = 0; i < 20000; i++) {
    int length = snprintf(text, sizeof text, "RETURN %d", i);
    ew_stats_statement(i % 2 ? a : b, (struct ew_span){text, (size_t)length}, 0);
    ew_stats_statement(a, EW_SPAN("RETURN 'the same'"), 0);
  }
  ew_stats_add(sum, a);
  ew_stats_add(sum, b);
  assert_int_equal(sum->statements, 40000);
  assert_in_range(sum->distinct, 19000, 21000);
  ew_deallocate(a);
  ew_deallocate(b);
  ew_deallocate(sum);
}

static void test_causes_and_features_add_up(void **state) {
  (void)state;
  struct ew_stats *a = new_stats(), *b = new_stats(), *sum = new_stats();
  char name[32];
  for (int i = 0; i < 300; i++) {
    snprintf(name, sizeof name, "feature %d", i);
    ew_stats_feature(a, name);
    ew_stats_feature(b, name);
    ew_stats_feature(b, name);
  }
  for (int i = 0; i < 200; i++) { /* more causes than are kept: the first ones stay, nothing breaks */
    snprintf(name, sizeof name, "cause %d", i);
    ew_stats_cause(a, ew_span_of(name));
  }
  ew_stats_cause(b, EW_SPAN("cause 0"));
  ew_stats_add(sum, a);
  ew_stats_add(sum, b);
  assert_int_equal(sum->causes[0].count, 2);
  struct ew_text json = {0};
  struct ew_json_writer writer;
  struct ew_arena arena;
  struct ew_error error;
  const struct ew_json *read, *features;
  ew_arena_init(&arena);
  ew_json_writer_init(&writer, &json, 2);
  sum->tests = 7;
  ew_stats_write_json(&writer, sum,
                      &(struct ew_hunt_facts){.engine = EW_SPAN("e"), .version = EW_SPAN("1"), .seed = UINT64_MAX});
  assert_int_equal(ew_json_read(&arena, ew_text_span(&json), (struct ew_json_options){0}, &read, &error), EW_OK);
  features = ew_json_member(read, "features");
  assert_int_equal(features->count, 300);
  assert_int_equal(ew_json_get_integer(features, "feature 299", 0), 3);
  assert_int_equal(ew_json_get_integer(read, "tests", 0), 7);
  assert_true(ew_span_is(ew_json_get_string(read, "seed", EW_SPAN("")), "18446744073709551615"));
  ew_arena_release(&arena);
  ew_text_release(&json);
  ew_deallocate(a);
  ew_deallocate(b);
  ew_deallocate(sum);
}

static void test_errors_are_normalised(void **state) {
  (void)state;
  static const struct {
    const char *error, *normalised;
  } cases[] = {
      {"no such column: _with_0.n12.id", "no such column: _with_N.xN.id"},
      {"no such column: _with_1.r3", "no such column: _with_N.xN"},
      {"no such column: _with_1.r, not p", "no such column: _with_N.xN, not xN"},
      {"2nd GROUP BY term, 3 wide", "N GROUP BY term, N wide"},
      {"bad value 'it''s' at \"x\" and `y z`", "bad value '…''…' at '…' and '…'"},
      {"address 0x7fff12ab, 12 items", "address N, N items"},
      {"it's not closed", "it's not closed"},
      {"no alias (a)<-[:R {p: 3}]-(b) within", "no alias (…) within"},
      {"no alias '[()-->() | 'b']'", "no alias '…'"},
      {"no alias [(a)-[b:R]->(c) WHERE a.p | -7] within", "no alias (…) within"},
      {"a value (from one - to two)", "xN value (from one - to two)"},
      {"", ""},
  };
  for (size_t i = 0; i < EW_COUNT(cases); i++) {
    struct ew_text text = {0};
    ew_fingerprint_normalise(&text, ew_span_of(cases[i].error));
    assert_string_equal(ew_text_span(&text).bytes, cases[i].normalised);
    ew_text_release(&text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_bytes_count_strings_as_two),
      cmocka_unit_test(test_distinct_is_estimated),
      cmocka_unit_test(test_causes_and_features_add_up),
      cmocka_unit_test(test_errors_are_normalised),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
