/* test_base.c: the small things everything stands on. Numbers that are stored or decide what is generated are golden: they must
   be the same on every machine, for ever. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <float.h>
#include <math.h>

#include "base/allocate.h"
#include "base/arena.h"
#include "base/deadline.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/random.h"
#include "base/text.h"
#include "base/utf8.h"
#include "base/vector.h"

/* ---- arena ---- */

static void test_arena(void **state) {
  (void)state;
  size_t before = ew_allocate_live_blocks();
  struct ew_arena arena;
  ew_arena_init(&arena);
  char *previous = NULL;
  for (size_t size = 0; size < 5000; size += 7) {
    char *memory = ew_arena_zeroed(&arena, size);
    assert_int_equal((uintptr_t)memory % 16, 0);
    assert_ptr_not_equal(memory, previous);
    memset(memory, 0xee, size);
    previous = memory;
  }
  char *large = ew_arena_take(&arena, 5000000);
  memset(large, 1, 5000000);
  assert_true(ew_arena_held(&arena) > 5000000);
  ew_arena_release(&arena);
  assert_int_equal(ew_arena_held(&arena), 0);
  assert_int_equal(ew_allocate_live_blocks(), before);
}

static void test_arena_marks(void **state) {
  (void)state;
  struct ew_arena arena;
  ew_arena_init(&arena);
  struct ew_arena_mark start = ew_arena_mark(&arena);
  const char *kept = ew_arena_string(&arena, EW_SPAN("kept"));
  struct ew_arena_mark mark = ew_arena_mark(&arena);
  void *first = ew_arena_take(&arena, 100);
  for (int i = 0; i < 1000; i++) ew_arena_take(&arena, 1000);
  size_t held = ew_arena_held(&arena);
  ew_arena_rewind(&arena, mark);
  assert_ptr_equal(ew_arena_take(&arena, 100), first);
  for (int i = 0; i < 1000; i++) ew_arena_take(&arena, 1000);
  assert_int_equal(ew_arena_held(&arena), held); /* the blocks were filled again */
  assert_string_equal(kept, "kept");
  ew_arena_rewind(&arena, start); /* a mark of an empty arena */
  assert_ptr_equal(ew_arena_take(&arena, 1), kept);
  ew_arena_release(&arena);
}

/* However the sizes come, an arena that is reset each round stops growing. */
static void test_arena_stays_flat(void **state) {
  (void)state;
  struct ew_arena arena;
  struct ew_random random = ew_random_from(3);
  ew_arena_init(&arena);
  size_t held = 0;
  for (int round = 0; round < 4000; round++) {
    ew_arena_reset(&arena);
    for (int i = 0; i < 10; i++) ew_arena_take(&arena, ew_random_below(&random, 100000));
    if (round == 2000) held = ew_arena_held(&arena);
  }
  assert_true(ew_arena_held(&arena) <= held + held / 4);
  assert_true(held < 4000000);
  ew_arena_release(&arena);
}

static void test_arena_text(void **state) {
  (void)state;
  struct ew_arena arena;
  ew_arena_init(&arena);
  struct ew_span span = ew_arena_format(&arena, "%d-%s", 7, "x");
  assert_true(ew_span_is(span, "7-x"));
  assert_string_equal(span.bytes, "7-x");
  struct ew_span empty = ew_arena_copy(&arena, (struct ew_span){NULL, 0});
  assert_int_equal(empty.length, 0);
  assert_string_equal(empty.bytes, "");
  int *numbers = EW_NEW_ARRAY(&arena, int, 3);
  assert_int_equal(numbers[0] | numbers[1] | numbers[2], 0);
  ew_arena_release(&arena);
}

/* ---- spans and text ---- */

static void test_spans(void **state) {
  (void)state;
  assert_true(ew_span_compare(EW_SPAN("ab"), EW_SPAN("abc")) < 0);
  assert_true(ew_span_compare(EW_SPAN("b"), EW_SPAN("abc")) > 0);
  assert_true(ew_span_compare(EW_SPAN("\x80"), EW_SPAN("a")) > 0); /* bytes have no sign */
  assert_int_equal(ew_span_compare(EW_SPAN(""), (struct ew_span){NULL, 0}), 0);
  assert_true(ew_span_equal(EW_SPAN(""), (struct ew_span){NULL, 0}));
  assert_true(ew_span_starts(EW_SPAN("abc"), EW_SPAN("ab")));
  assert_false(ew_span_starts(EW_SPAN("a"), EW_SPAN("ab")));
}

static void test_text(void **state) {
  (void)state;
  struct ew_text text;
  ew_text_init(&text);
  assert_int_equal(ew_text_span(&text).length, 0);
  assert_string_equal(ew_text_span(&text).bytes, "");
  ew_text_reset(&text);
  ew_text_add_string(&text, "");
  assert_string_equal(text.bytes, "");
  for (int i = 0; i < 1000; i++) ew_text_add_char(&text, 'a');
  assert_int_equal(strlen(text.bytes), 1000);
  ew_text_cut(&text, 2000);
  assert_int_equal(text.length, 1000);
  ew_text_cut(&text, 3);
  assert_string_equal(text.bytes, "aaa");
  ew_text_reset(&text);
  assert_string_equal(text.bytes, "");
  ew_text_add_integer(&text, INT64_MIN);
  ew_text_add_char(&text, ' ');
  ew_text_add_integer(&text, -1);
  ew_text_add_char(&text, ' ');
  ew_text_add_unsigned(&text, UINT64_MAX);
  ew_text_add_char(&text, ' ');
  ew_text_add_unsigned(&text, 0);
  ew_text_add_format(&text, "%s%d", "!", 5);
  assert_string_equal(text.bytes, "-9223372036854775808 -1 18446744073709551615 0!5");
  ew_text_release(&text);
  assert_null(text.bytes);
}

static void test_doubles(void **state) {
  (void)state;
  static const struct {
    double number;
    const char *text;
  } cases[] = {
      {0.0, "0.0"},
      {-0.0, "-0.0"},
      {1.0, "1.0"},
      {-1.5, "-1.5"},
      {0.1, "0.1"},
      {1.0 / 3, "0.3333333333333333"},
      {DBL_MAX, "1.7976931348623157e+308"},
      {DBL_MIN, "2.2250738585072014e-308"},
      {5e-324, "5e-324"},
      {0.1 + 0.2, "0.30000000000000004"},
  };
  struct ew_text text = {0};
  for (size_t i = 0; i < EW_COUNT(cases); i++) {
    ew_text_reset(&text);
    ew_text_add_double(&text, cases[i].number);
    assert_string_equal(text.bytes, cases[i].text);
  }
  ew_text_release(&text);
}

/* How many digits a decimal has, zeros at either end aside. */
static size_t significant_digits(const char *text) {
  size_t first = strcspn(text, "123456789"), count = 0, seen = 0;
  for (const char *at = text + first; *at && *at != 'e'; at++) {
    if (*at == '.') continue;
    seen++;
    if (*at != '0') count = seen;
  }
  return count;
}

static size_t fewest_digits(double number) {
  char digits[40];
  for (int precision = 0;; precision++) {
    snprintf(digits, sizeof digits, "%.*e", precision, number);
    if (strtod(digits, NULL) == number) return (size_t)precision + 1;
  }
}

/* Every double reads back to its own bits, and no shorter decimal does. */
static void test_doubles_round_trip(void **state) {
  (void)state;
  struct ew_random random = ew_random_from(5);
  struct ew_text text = {0};
  for (int i = 0; i < 20000; i++) {
    uint64_t bits = ew_random_next(&random);
    double number, back;
    if (i % 2) bits = bits % 100000 << 38 | UINT64_C(0x4000000000000000);
    memcpy(&number, &bits, sizeof number);
    if (!isfinite(number)) continue;
    ew_text_reset(&text);
    ew_text_add_double(&text, number);
    back = strtod(text.bytes, NULL);
    assert_memory_equal(&back, &number, sizeof number);
    assert_non_null(strpbrk(text.bytes, ".e"));
    assert_int_equal(significant_digits(text.bytes), fewest_digits(number));
  }
  ew_text_release(&text);
}

static void test_utf8(void **state) {
  (void)state;
  static const struct {
    const char *bytes;
    size_t length;
  } cases[] = {
      {"a", 1},
      {"é", 2},
      {"€", 3},
      {"𝄞", 4},
      {"\x80", 0},
      {"\xc0\x80", 0},
      {"\xc1\xbf", 0},
      {"\xe0\x80\x80", 0},
      {"\xc3", 0},
      {"\xe2\x82", 0},
      {"\xed\xa0\x80", 0},
      {"\xf0\x80\x80\x80", 0},
      {"\xf4\x90\x80\x80", 0},
      {"\xf5\x80\x80\x80", 0},
      {"\xff", 0},
      {"\xc3(", 0},
  };
  for (size_t i = 0; i < EW_COUNT(cases); i++)
    assert_int_equal(ew_utf8_length(cases[i].bytes, strlen(cases[i].bytes)), cases[i].length);
  struct ew_text text = {0};
  static const uint32_t points[] = {0, 0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xe000, 0xffff, 0x10000, 0x10ffff};
  for (size_t i = 0; i < EW_COUNT(points); i++) {
    size_t at = 0;
    ew_text_reset(&text);
    ew_utf8_add(&text, points[i]);
    assert_int_equal(ew_utf8_next(ew_text_span(&text), &at), points[i]);
    assert_int_equal(at, text.length);
  }
  ew_text_release(&text);
  size_t at = 0;
  assert_int_equal(ew_utf8_next(EW_SPAN("\xe2\x82"), &at), 0xfffd);
  assert_int_equal(at, 1);
  assert_int_equal(ew_utf8_count(EW_SPAN("aé€𝄞\xff")), 5);
}

/* ---- vector and map ---- */

static void test_vector(void **state) {
  (void)state;
  EW_VECTOR(int) numbers = {0};
  for (int i = 0; i < 1000; i++) *ew_vector_push(&numbers) = i;
  assert_int_equal(numbers.count, 1000);
  for (int i = 0; i < 1000; i++) assert_int_equal(numbers.items[i], i);
  ew_vector_reset(&numbers);
  assert_int_equal(numbers.count, 0);
  ew_vector_release(&numbers);
  assert_null(numbers.items);

  struct ew_arena arena;
  ew_arena_init(&arena);
  EW_VECTOR(struct ew_span) spans = {0};
  for (int i = 0; i < 100; i++) *ew_arena_vector_push(&arena, &spans) = ew_arena_format(&arena, "%d", i);
  assert_true(ew_span_is(spans.items[99], "99"));
  ew_arena_release(&arena);
}

static void test_map(void **state) {
  (void)state;
  struct ew_map map;
  char key[32];
  bool fresh;
  ew_map_init(&map);
  assert_null(ew_map_find(&map, EW_SPAN("")));
  for (int round = 0; round < 2; round++) {
    for (uint64_t i = 0; i < 5000; i++) {
      snprintf(key, sizeof key, "key %d", (int)i);
      union ew_map_value *value = ew_map_add(&map, ew_span_of(key), &fresh);
      assert_true(fresh);
      assert_true(value->number == 0);
      value->number = i;
    }
    assert_int_equal(map.count, 5000);
    assert_int_equal(ew_map_add(&map, EW_SPAN("key 77"), &fresh)->number, 77);
    assert_false(fresh);
    assert_int_equal(ew_map_find(&map, EW_SPAN("key 4999"))->number, 4999);
    assert_null(ew_map_find(&map, EW_SPAN("key 5000")));
    assert_null(ew_map_find(&map, EW_SPAN("")));
    for (size_t i = 0; i < map.count; i++) assert_int_equal(map.entries[i].value.number, i); /* order of insertion */
    ew_map_reset(&map);
    assert_int_equal(map.count, 0);
    assert_null(ew_map_find(&map, EW_SPAN("key 77")));
  }
  ew_map_add(&map, EW_SPAN(""), NULL)->number = 8;
  assert_int_equal(ew_map_find(&map, EW_SPAN(""))->number, 8);
  uint64_t number = 12;
  ew_map_add(&map, ew_map_key_number(&number), NULL)->number = 9;
  assert_int_equal(ew_map_find(&map, ew_map_key_number(&number))->number, 9);
  ew_map_release(&map);
}

/* ---- random and hash: golden ---- */

static void test_random_golden(void **state) {
  (void)state;
  struct ew_random random = ew_random_from(1234567); /* SplitMix64's published sequence */
  assert_true(ew_random_next(&random) == UINT64_C(6457827717110365317));
  assert_true(ew_random_next(&random) == UINT64_C(3203168211198807973));
  random = ew_random_from(0);
  assert_true(ew_random_next(&random) == UINT64_C(0xe220a8397b1dcdaf));
  struct ew_random child = ew_random_split(&random, "scene", 4);
  assert_true(child.seed == UINT64_C(0xb02a690be485da9c));
  assert_int_equal(ew_random_below(&child, 1000), 310);
  assert_int_equal(ew_random_between(&child, -1000, 1000), 209);
  static const unsigned weights[] = {1, 0, 5, 94};
  assert_int_equal(ew_random_weighted(&child, weights, 4), 3);
}

static void test_random(void **state) {
  (void)state;
  struct ew_random random = ew_random_from(42), same = random;
  ew_random_split(&random, "x", 1);
  assert_true(ew_random_next(&random) == ew_random_next(&same)); /* splitting draws nothing */
  struct ew_random a = ew_random_split(&random, "x", 1), b = ew_random_split(&random, "x", 2);
  struct ew_random c = ew_random_split(&random, "y", 1);
  assert_true(a.seed != b.seed && a.seed != c.seed && b.seed != c.seed);
  static const unsigned weights[] = {1, 0, 3};
  int drawn[3] = {0}, dice[6] = {0};
  for (int i = 0; i < 60000; i++) {
    drawn[ew_random_weighted(&random, weights, 3)]++;
    dice[ew_random_between(&random, 1, 6) - 1]++;
  }
  assert_int_equal(drawn[1], 0);
  assert_in_range(drawn[0], 14000, 16000);
  for (int i = 0; i < 6; i++) assert_in_range(dice[i], 9500, 10500);
  for (int i = 0; i < 1000; i++) {
    assert_true(ew_random_between(&random, 5, 5) == 5);
    int64_t wide = ew_random_between(&random, -INT64_C(10000000000), INT64_C(10000000000));
    assert_true(wide >= -INT64_C(10000000000) && wide <= INT64_C(10000000000));
    assert_true(ew_random_between(&random, INT64_MAX - 1, INT64_MAX) >= INT64_MAX - 1);
  }
  int negative = 0;
  for (int i = 0; i < 1000; i++) negative += ew_random_between(&random, INT64_MIN, INT64_MAX) < 0;
  assert_in_range(negative, 400, 600);
}

static void test_hash_golden(void **state) {
  (void)state;
  assert_true(ew_hash_bytes(NULL, 0, 0) == UINT64_C(0x2d06800538d394c2));
  assert_true(ew_hash_span(EW_SPAN("edgewise"), 0) == UINT64_C(0x3fb03ca6c28da3cf));
  assert_true(ew_hash_span(EW_SPAN("edgewise"), 1) == UINT64_C(0xfed22fba121ce973));
  assert_true(ew_hash_mix(1, 2) == UINT64_C(0x3706970b052f16b1));
  assert_true(ew_hash_mix(2, 1) != ew_hash_mix(1, 2));
}

/* ---- time and status ---- */

static void test_durations(void **state) {
  (void)state;
  static const struct {
    const char *text;
    int64_t nanoseconds; /* -1: no duration */
  } cases[] = {
      {"90", 90 * EW_SECOND},
      {"90s", 90 * EW_SECOND},
      {"5m", 300 * EW_SECOND},
      {"1h", 3600 * EW_SECOND},
      {"200ms", 200 * EW_MILLISECOND},
      {"0", 0},
      {"1.5s", 1500 * EW_MILLISECOND},
      {"", -1},
      {"s", -1},
      {"5d", -1},
      {"-1s", -1},
      {"nan", -1},
      {"inf", -1},
      {"1e300h", -1},
      {"5 s", -1},
      {"0x10s", -1},
      {" 5s", -1},
  };
  for (size_t i = 0; i < EW_COUNT(cases); i++) {
    int64_t nanoseconds = -1;
    assert_int_equal(ew_duration_parse(cases[i].text, &nanoseconds), cases[i].nanoseconds >= 0);
    if (cases[i].nanoseconds >= 0) assert_true(nanoseconds == cases[i].nanoseconds);
  }
}

static void test_deadlines(void **state) {
  (void)state;
  assert_false(ew_deadline_passed(EW_DEADLINE_NEVER));
  assert_int_equal(ew_deadline_poll(EW_DEADLINE_NEVER), -1);
  assert_true(ew_deadline_passed(ew_deadline_in(-1)));
  assert_int_equal(ew_deadline_poll(ew_deadline_in(-1)), 0);
  assert_false(ew_deadline_passed(ew_deadline_in(60 * EW_SECOND)));
  assert_in_range(ew_deadline_poll(ew_deadline_in(60 * EW_SECOND)), 59000, 60000);
  assert_true(ew_deadline_poll(ew_deadline_in(1)) <= 1);
}

static void test_status(void **state) {
  (void)state;
  struct ew_error error;
  assert_int_equal(ew_fail(&error, EW_BAD, "%s %d", "line", 3), EW_BAD);
  assert_string_equal(error.text, "line 3");
  assert_int_equal(ew_fail(NULL, EW_IO, "nobody reads this"), EW_IO);
  assert_int_equal(ew_status_exit(EW_OK), 0);
  assert_int_equal(ew_status_exit(EW_USAGE), 64);
  assert_int_equal(ew_status_exit(EW_BAD), 65);
  assert_int_equal(ew_status_exit(EW_IO), 74);
  assert_int_equal(ew_status_exit(EW_MISSING), 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_arena),
      cmocka_unit_test(test_arena_marks),
      cmocka_unit_test(test_arena_stays_flat),
      cmocka_unit_test(test_arena_text),
      cmocka_unit_test(test_spans),
      cmocka_unit_test(test_text),
      cmocka_unit_test(test_doubles),
      cmocka_unit_test(test_doubles_round_trip),
      cmocka_unit_test(test_utf8),
      cmocka_unit_test(test_vector),
      cmocka_unit_test(test_map),
      cmocka_unit_test(test_random_golden),
      cmocka_unit_test(test_random),
      cmocka_unit_test(test_hash_golden),
      cmocka_unit_test(test_durations),
      cmocka_unit_test(test_deadlines),
      cmocka_unit_test(test_status),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
