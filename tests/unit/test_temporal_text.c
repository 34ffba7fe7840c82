/* test_temporal_text.c: ISO texts both ways, and the calendar over all of its range. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "random_value.h"

static struct ew_arena arena;
static struct ew_text text;

static const char *iso(struct ew_value value) {
  ew_text_reset(&text);
  ew_value_print_iso(&text, value);
  return text.bytes;
}

static void test_dates(void **state) {
  (void)state;
  static const struct {
    int64_t day;
    const char *text;
  } cases[] = {
      {0, "1970-01-01"},
      {-1, "1969-12-31"},
      {11016, "2000-02-29"},
      {-25509, "1900-02-28"},
      {-25508, "1900-03-01"},
      {-719528, "0000-01-01"},
      {-719529, "-0001-12-31"},
      {2932896, "9999-12-31"},
      {2932897, "+10000-01-01"},
      {365241780471, "+999999999-12-31"},
      {-365243219162, "-999999999-01-01"},
  };
  for (size_t i = 0; i < EW_COUNT(cases); i++) {
    struct ew_value date = {.kind = EW_VALUE_DATE, .day = cases[i].day}, back;
    assert_string_equal(iso(date), cases[i].text);
    assert_true(ew_value_read_iso(&arena, EW_VALUE_DATE, ew_span_of(cases[i].text), &back));
    assert_int_equal(back.day, cases[i].day);
  }
}

/* Day after day: each date follows the one before, and leads back to its day. */
static void test_calendar(void **state) {
  (void)state;
  static const int64_t starts[] = {-800000,       -30000,           0,        2900000, 365241780471 - 1000,
                                   -365243219162, INT64_MAX - 1000, INT64_MIN};
  for (size_t i = 0; i < EW_COUNT(starts); i++) {
    struct ew_civil before = ew_civil_from_day(starts[i]);
    for (int64_t day = starts[i] + 1; day < starts[i] + (i < 4 ? 150000 : 1000); day++) {
      struct ew_civil date = ew_civil_from_day(day);
      int64_t back;
      assert_true(ew_civil_to_day(date, &back));
      assert_true(back == day);
      bool next_day = date.day == before.day + 1 && date.month == before.month && date.year == before.year;
      bool next_month = date.day == 1 && before.day >= 28 && date.month == before.month + 1 && date.year == before.year;
      bool next_year =
          date.day == 1 && date.month == 1 && before.day == 31 && before.month == 12 && date.year == before.year + 1;
      assert_true(next_day || next_month || next_year);
      before = date;
    }
  }
  int64_t day;
  assert_false(ew_civil_to_day((struct ew_civil){1900, 2, 29}, &day));
  assert_false(ew_civil_to_day((struct ew_civil){2000, 0, 1}, &day));
  assert_false(ew_civil_to_day((struct ew_civil){2000, 13, 1}, &day));
  assert_false(ew_civil_to_day((struct ew_civil){INT64_MIN, 1, 1}, &day));
  assert_false(ew_civil_to_day((struct ew_civil){INT64_MAX, 12, 31}, &day));
  assert_false(ew_civil_to_day((struct ew_civil){26000000000000000, 1, 1}, &day));
}

static void test_durations(void **state) {
  (void)state;
  static const struct {
    struct ew_duration_value duration;
    const char *text;
  } cases[] = {
      {{0, 0, 0, 0}, "PT0S"},
      {{14, 3, 4, 500000000}, "P1Y2M3DT4.5S"},
      {{-14, -3, 3661, 0}, "P-1Y-2M-3DT1H1M1S"},
      {{0, 0, -1, 500000000}, "PT-0.5S"},
      {{0, 0, -61, 1}, "PT-1M-0.999999999S"},
      {{0, 0, 0, 1}, "PT0.000000001S"},
      {{0, 0, INT64_MIN, 0}, "PT-2562047788015215H-30M-8S"},
      {{0, 0, INT64_MIN, 1}, "PT-2562047788015215H-30M-7.999999999S"},
      {{INT64_MIN, INT64_MIN, INT64_MAX, 999999999},
       "P-768614336404564650Y-8M-9223372036854775808DT2562047788015215H30M7.999999999S"},
      {{0, 1, 0, 0}, "P1D"},
  };
  for (size_t i = 0; i < EW_COUNT(cases); i++) {
    struct ew_value value = {.kind = EW_VALUE_DURATION, .duration = &cases[i].duration}, back;
    assert_string_equal(iso(value), cases[i].text);
    assert_true(ew_value_read_iso(&arena, EW_VALUE_DURATION, ew_span_of(cases[i].text), &back));
    assert_true(ew_value_equivalent(value, back, &ew_semantics_standard));
  }
}

/* What else is read, and what it is then. */
static void test_read(void **state) {
  (void)state;
  static const struct {
    enum ew_value_kind kind;
    const char *text, *printed; /* NULL: refused */
  } cases[] = {
      {EW_VALUE_TIME, "12:00:00.5+01:00", "12:00:00.5+01:00"},
      {EW_VALUE_TIME, "12:00-0130", "12:00:00-01:30"},
      {EW_VALUE_TIME, "12:00:00.120000000+01", "12:00:00.12+01:00"},
      {EW_VALUE_TIME, "12:00:00+00:00:01", "12:00:00+00:00:01"},
      {EW_VALUE_TIME, "12:00:00", NULL},
      {EW_VALUE_TIME, "12:00:00+1", NULL},
      {EW_VALUE_LOCAL_TIME, "23:59:59.999999999", "23:59:59.999999999"},
      {EW_VALUE_LOCAL_TIME, "24:00", NULL},
      {EW_VALUE_LOCAL_TIME, "12:60", NULL},
      {EW_VALUE_LOCAL_TIME, "12:00:00.", NULL},
      {EW_VALUE_LOCAL_TIME, "12:00:00.1234567890", NULL},
      {EW_VALUE_LOCAL_TIME, "12:00Z", NULL},
      {EW_VALUE_LOCAL_DATETIME, "2020-02-29 01:02:03", "2020-02-29T01:02:03"},
      {EW_VALUE_LOCAL_DATETIME, "2020-02-29", NULL},
      {EW_VALUE_DATETIME, "2020-02-29T00:00Z", "2020-02-29T00:00:00Z"},
      {EW_VALUE_DATETIME, "2020-02-29T00:00:00+01:00[Europe/Berlin]", "2020-02-29T00:00:00+01:00[Europe/Berlin]"},
      {EW_VALUE_DATETIME, "2020-02-29T00:00:00[Europe/Berlin]", NULL},
      {EW_VALUE_DATETIME, "2020-02-29T00:00:00Z[]", NULL},
      {EW_VALUE_DATETIME, "2020-02-29T00:00:00Z[UTC", NULL},
      {EW_VALUE_DATE, "2019-02-29", NULL},
      {EW_VALUE_DATE, "2020-2-9", NULL},
      {EW_VALUE_DATE, "20200229", NULL},
      {EW_VALUE_DATE, "99999999999999999-01-01", NULL},
      {EW_VALUE_DATE, "", NULL},
      {EW_VALUE_DURATION, "P2W", "P14D"},
      {EW_VALUE_DURATION, "P13M", "P1Y1M"},
      {EW_VALUE_DURATION, "PT90M", "PT1H30M"},
      {EW_VALUE_DURATION, "P", NULL},
      {EW_VALUE_DURATION, "P1DT", NULL},
      {EW_VALUE_DURATION, "P1M1Y", NULL},
      {EW_VALUE_DURATION, "P1.5D", NULL},
      {EW_VALUE_DURATION, "P1", NULL},
      {EW_VALUE_DURATION, "P9223372036854775808D", NULL},
      {EW_VALUE_DURATION, "PT9223372036854775807H", NULL},
      {EW_VALUE_INTEGER, "1", NULL},
  };
  for (size_t i = 0; i < EW_COUNT(cases); i++) {
    struct ew_value value;
    bool read = ew_value_read_iso(&arena, cases[i].kind, ew_span_of(cases[i].text), &value);
    if (read != (cases[i].printed != NULL)) fail_msg("%s: %s", read ? "taken" : "refused", cases[i].text);
    if (read) assert_string_equal(iso(value), cases[i].printed);
  }
}

static void test_random(void **state) {
  (void)state;
  static const enum ew_value_kind kinds[] = {EW_VALUE_DATE,       EW_VALUE_TIME,           EW_VALUE_DATETIME,
                                             EW_VALUE_LOCAL_TIME, EW_VALUE_LOCAL_DATETIME, EW_VALUE_DURATION};
  struct maker maker = {ew_random_from(4), &arena, false};
  for (int i = 0; i < 10000; i++) {
    ew_arena_reset(&arena);
    enum ew_value_kind kind = EW_RANDOM_PICK(&maker.random, kinds);
    struct ew_value value = random_temporal(&maker, kind), back;
    iso(value);
    if (!ew_value_read_iso(&arena, kind, ew_text_span(&text), &back)) fail_msg("refused: %s", text.bytes);
    assert_true(ew_value_same(value, back, &ew_semantics_standard));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_dates), cmocka_unit_test(test_calendar), cmocka_unit_test(test_durations),
      cmocka_unit_test(test_read),  cmocka_unit_test(test_random),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  ew_arena_release(&arena);
  ew_text_release(&text);
  return failed;
}
