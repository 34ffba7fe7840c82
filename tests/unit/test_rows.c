/* test_rows.c: tables compared as bags, lists and subsets; stored and shown. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "random_value.h"
#include "value/rows.h"

static struct ew_arena arena;
static struct ew_text text;
static const struct ew_semantics *const standard = &ew_semantics_standard;

static int setup(void **state) {
  (void)state;
  ew_arena_reset(&arena);
  ew_text_reset(&text);
  return 0;
}

/* A table from a list of lists. */
static struct ew_rows table(size_t width, const char *source) {
  struct ew_value list;
  struct ew_error error;
  if (ew_value_read(&arena, ew_span_of(source), &list, &error)) fail_msg("%s: %s", source, error.text);
  struct ew_value *values = EW_NEW_ARRAY(&arena, struct ew_value, list.list.count * width + 1);
  for (size_t i = 0; i < list.list.count; i++) {
    assert_int_equal(list.list.items[i].list.count, width);
    for (size_t j = 0; j < width; j++) values[i * width + j] = list.list.items[i].list.items[j];
  }
  return (struct ew_rows){NULL, width, values, list.list.count};
}

static const char *numbers(const size_t *items, size_t count) {
  ew_text_reset(&text);
  ew_text_add_string(&text, "");
  for (size_t i = 0; i < count; i++) ew_text_add_format(&text, "%s%zu", i ? " " : "", items[i]);
  return text.bytes;
}

struct expected {
  size_t width;
  const char *left, *right, *only_left, *only_right;
};

static void check_difference(const struct expected *expected, bool same, const struct ew_rows_difference *difference) {
  bool nothing = !*expected->only_left && !*expected->only_right;
  if (same != nothing) fail_msg("%s and %s: %s", expected->left, expected->right, same ? "same" : "different");
  assert_false(difference->columns);
  assert_string_equal(numbers(difference->only_left, difference->only_left_count), expected->only_left);
  assert_string_equal(numbers(difference->only_right, difference->only_right_count), expected->only_right);
}

static void test_bag(void **state) {
  (void)state;
  static const struct expected cases[] = {
      {1, "[]", "[]", "", ""},
      {1, "[[1]]", "[]", "0", ""},
      {1, "[]", "[[1], [2]]", "", "0 1"},
      {1, "[[1], [2], [3]]", "[[3], [1], [2]]", "", ""},
      {1, "[[1], [1], [2]]", "[[1], [2], [2]]", "1", "2"},
      {1, "[[1]]", "[[1.0]]", "0", "0"},
      {1, "[[null]]", "[[null]]", "", ""},
      {1, "[[(0.0 / 0.0)], [0.0]]", "[[-0.0], [(0.0 / 0.0)]]", "", ""},
      {2, "[[1, 'a'], [2, 'b']]", "[[2, 'a'], [1, 'b']]", "0 1", "0 1"},
      {1, "[[0.30000000000000004], [1.0]]", "[[1.0], [0.3]]", "", ""},
      {1, "[[0.3], [0.30000000000000004], [0.3]]", "[[0.30000000000000004], [0.3]]", "1", ""},
      /* the first float would sort the rows differently on each side */
      {2, "[[0.3, 'b'], [0.30000000000000004, 'a']]", "[[0.30000000000000004, 'b'], [0.3, 'a']]", "", ""},
      {2, "[[0.3, 2.0], [0.30000000000000004, 1.0]]", "[[0.30000000000000004, 2.0], [0.3, 1.0]]", "", ""},
      {2, "[[0.3, 2.0], [0.3, 1.0], [0.3, 7.0]]", "[[0.3, 8.0], [0.30000000000000004, 2.0], [0.3, 1.0]]", "2", "0"},
      {1, "[[[1, 0.3]], [{a: 0.3}]]", "[[{a: 0.30000000000000004}], [[1, 0.30000000000000004]]]", "", ""},
      {0, "[[], []]", "[[], []]", "", ""},
      {0, "[[], []]", "[[]]", "1", ""},
  };
  for (size_t i = 0; i < EW_COUNT(cases); i++) {
    struct ew_rows left = table(cases[i].width, cases[i].left), right = table(cases[i].width, cases[i].right);
    struct ew_rows_difference difference;
    bool same = ew_rows_same_bag(&arena, &left, &right, standard, &difference);
    check_difference(&cases[i], same, &difference);
    assert_int_equal(ew_rows_same_bag(&arena, &right, &left, standard, NULL), same);
  }
}

/* Pairs that no order of single steps finds: with 2 digits, neighbours are the same, and each row has one right
   partner. */
static void test_bag_augments(void **state) {
  (void)state;
  struct ew_semantics semantics = ew_semantics_standard;
  semantics.float_digits = 2;
  struct ew_rows left = table(2, "[[1.0, 1.1], [1.1, 1.0], [1.2, 1.0]]");
  struct ew_rows right = table(2, "[[1.0, 1.0], [1.1, 1.1], [1.0, 1.2]]");
  struct ew_rows_difference difference;
  bool same = ew_rows_same_bag(&arena, &left, &right, &semantics, &difference);
  assert_true(same);
}

/* How many rows from `row` on can be paired, by trying all ways. */
static size_t most_pairs(const struct ew_rows *left, const struct ew_rows *right, size_t row, unsigned taken,
                         const struct ew_semantics *semantics) {
  if (row == left->row_count) return 0;
  size_t most = most_pairs(left, right, row + 1, taken, semantics);
  for (size_t other = 0; other < right->row_count; other++) {
    struct ew_value a = ew_list(ew_row(left, row), left->column_count),
                    b = ew_list(ew_row(right, other), left->column_count);
    if (taken & 1u << other || !ew_value_same(a, b, semantics)) continue;
    size_t pairs = 1 + most_pairs(left, right, row + 1, taken | 1u << other, semantics);
    if (pairs > most) most = pairs;
  }
  return most;
}

static void test_bag_exact(void **state) {
  (void)state;
  struct ew_random random = ew_random_from(10);
  struct ew_semantics semantics = ew_semantics_standard;
  semantics.float_digits = 2;
  for (int i = 0; i < 3000; i++) {
    ew_arena_reset(&arena);
    struct ew_value values[2][10];
    for (int j = 0; j < 20; j++) values[j / 10][j % 10] = ew_float((double)ew_random_between(&random, 10, 14) / 10);
    struct ew_rows left = {NULL, 2, values[0], ew_random_below(&random, 6)};
    struct ew_rows right = {NULL, 2, values[1], ew_random_below(&random, 6)};
    struct ew_rows_difference difference;
    size_t pairs = most_pairs(&left, &right, 0, 0, &semantics);
    bool same = ew_rows_same_bag(&arena, &left, &right, &semantics, &difference);
    assert_int_equal(same, pairs == left.row_count && pairs == right.row_count);
    assert_int_equal(difference.only_left_count, left.row_count - pairs);
    assert_int_equal(difference.only_right_count, right.row_count - pairs);
  }
}

static void test_list(void **state) {
  (void)state;
  static const struct expected cases[] = {
      {1, "[[1], [2]]", "[[1], [2]]", "", ""},
      {1, "[[1], [2]]", "[[2], [1]]", "0 1", "0 1"},
      {1, "[[1], [2], [3]]", "[[1], [9]]", "1 2", "1"},
      {1, "[[0.3]]", "[[0.30000000000000004]]", "", ""},
      {1, "[]", "[[1]]", "", "0"},
  };
  for (size_t i = 0; i < EW_COUNT(cases); i++) {
    struct ew_rows left = table(cases[i].width, cases[i].left), right = table(cases[i].width, cases[i].right);
    struct ew_rows_difference difference;
    bool same = ew_rows_same_list(&arena, &left, &right, standard, &difference);
    check_difference(&cases[i], same, &difference);
  }
}

static void test_subset(void **state) {
  (void)state;
  static const struct {
    struct expected expected;
    bool distinct;
  } cases[] = {
      {{1, "[[1]]", "[[2], [1]]", "", ""}, false},
      {{1, "[[1], [1]]", "[[2], [1]]", "1", ""}, false},
      {{1, "[[1], [1]]", "[[2], [1]]", "", ""}, true},
      {{1, "[[1], [3]]", "[[2], [1]]", "1", ""}, true},
      {{1, "[]", "[]", "", ""}, false},
      {{1, "[[1]]", "[]", "0", ""}, true},
      {{1, "[[0.3], [0.30000000000000004], [4.0]]", "[[0.3], [5.0]]", "2", ""}, true},
      {{2, "[[0.3, 1.0]]", "[[0.30000000000000004, 9.0], [0.30000000000000004, 1.0]]", "", ""}, true},
  };
  for (size_t i = 0; i < EW_COUNT(cases); i++) {
    const struct expected *expected = &cases[i].expected;
    struct ew_rows left = table(expected->width, expected->left), right = table(expected->width, expected->right);
    struct ew_rows_difference difference;
    bool holds = ew_rows_subset(&arena, &left, &right, cases[i].distinct, standard, &difference);
    check_difference(expected, holds, &difference);
  }
}

static void test_columns(void **state) {
  (void)state;
  const struct ew_span ab[] = {EW_SPAN("a"), EW_SPAN("b")}, ac[] = {EW_SPAN("a"), EW_SPAN("c")};
  struct ew_rows left = table(2, "[[1, 2]]"), right = left, narrow = table(1, "[[1]]"), empty = {0};
  struct ew_rows_difference difference;
  left.columns = ab;
  assert_true(ew_rows_same_bag(&arena, &left, &right, standard, &difference));
  right.columns = ac;
  assert_false(ew_rows_same_bag(&arena, &left, &right, standard, &difference));
  assert_true(difference.columns);
  assert_false(ew_rows_same_list(&arena, &left, &narrow, standard, &difference));
  assert_true(difference.columns);
  struct ew_semantics bare = ew_semantics_standard;
  bare.empty_has_columns = 0;
  left.row_count = 0;
  assert_false(ew_rows_same_bag(&arena, &left, &empty, standard, NULL));
  assert_true(ew_rows_same_bag(&arena, &left, &empty, &bare, NULL));
  assert_false(ew_rows_same_bag(&arena, &narrow, &empty, &bare, &difference));
  assert_int_equal(difference.only_left_count, 1);
}

static void test_append(void **state) {
  (void)state;
  const struct ew_span names[] = {EW_SPAN("a"), EW_SPAN("b")};
  struct ew_rows parts[] = {{0}, table(2, "[[1, 2]]"), table(1, "[[3]]"), table(2, "[]")};
  parts[3].columns = names;
  struct ew_rows all = ew_rows_append(&arena, parts, EW_COUNT(parts)), expected = table(2, "[[1, 2], [3, null]]");
  assert_ptr_equal(all.columns, names);
  assert_true(ew_rows_same_list(&arena, &all, &expected, standard, NULL));
  assert_int_equal(ew_rows_append(&arena, NULL, 0).row_count, 0);
}

/* ---- random tables ---- */

static void shuffle(struct ew_random *random, struct ew_value *values, size_t width, size_t count) {
  for (size_t i = count; i > 1; i--) {
    size_t j = ew_random_below(random, (uint32_t)i);
    for (size_t k = 0; k < width; k++) {
      struct ew_value moved = values[(i - 1) * width + k];
      values[(i - 1) * width + k] = values[j * width + k];
      values[j * width + k] = moved;
    }
  }
}

/* Floats as another order of summing would give them. */
static void blur(struct ew_random *random, struct ew_value *values, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (values[i].kind != EW_VALUE_FLOAT || !isnormal(values[i].number)) continue;
    double blurred = values[i].number * (1 + 0x1p-52 * (double)ew_random_between(random, -2, 2));
    if (isfinite(blurred)) values[i].number = blurred;
  }
}

/* A shuffled, blurred copy is the same bag; one row changed is one row left over on each side. */
static void test_bag_random(void **state) {
  (void)state;
  struct maker maker = {ew_random_from(8), &arena, true};
  for (int i = 0; i < 600; i++) {
    ew_arena_reset(&arena);
    size_t width = 1 + ew_random_below(&maker.random, 3), count = 1 + ew_random_below(&maker.random, 60);
    struct ew_value *left = EW_NEW_ARRAY(&arena, struct ew_value, width * count);
    struct ew_value *right = EW_NEW_ARRAY(&arena, struct ew_value, width * count);
    bool floats = ew_random_chance(&maker.random, 30);
    for (size_t j = 0; j < width * count; j++)
      left[j] = floats ? ew_float((double)ew_random_below(&maker.random, 5) / 3) : random_value(&maker, 2);
    memcpy(right, left, width * count * sizeof *right);
    shuffle(&maker.random, right, width, count);
    blur(&maker.random, right, width * count);
    struct ew_rows a = {NULL, width, left, count}, b = {NULL, width, right, count};
    struct ew_rows_difference difference;
    assert_true(ew_rows_same_bag(&arena, &a, &b, standard, &difference));
    assert_true(ew_rows_subset(&arena, &a, &b, true, standard, NULL));
    right[ew_random_below(&maker.random, (uint32_t)(width * count))] = ew_string(EW_SPAN("planted"));
    assert_false(ew_rows_same_bag(&arena, &a, &b, standard, &difference));
    assert_int_equal(difference.only_left_count, 1);
    assert_int_equal(difference.only_right_count, 1);
  }
}

/* Large tables of one shape: no quadratic path for what is the same, a bounded one for what is not. */
static void test_bag_large(void **state) {
  (void)state;
  enum { COUNT = 20000 };
  struct ew_random random = ew_random_from(9);
  struct ew_value *left = EW_NEW_ARRAY(&arena, struct ew_value, 2 * COUNT);
  struct ew_value *right = EW_NEW_ARRAY(&arena, struct ew_value, 2 * COUNT);
  for (size_t i = 0; i < 2 * COUNT; i++) left[i] = ew_float((double)ew_random_below(&random, 1000000) / 7 + 1);
  memcpy(right, left, 2 * COUNT * sizeof *right);
  shuffle(&random, right, 2, COUNT);
  blur(&random, right, 2 * COUNT);
  struct ew_rows a = {NULL, 2, left, COUNT}, b = {NULL, 2, right, COUNT};
  struct ew_rows_difference difference;
  assert_true(ew_rows_same_bag(&arena, &a, &b, standard, &difference));
  for (size_t i = 0; i < 2 * COUNT; i += 2) right[i].number += 0.001;
  assert_false(ew_rows_same_bag(&arena, &a, &b, standard, &difference));
  for (size_t i = 0; i < 2 * COUNT; i++) left[i] = right[i] = ew_integer(1);
  b.row_count--;
  assert_false(ew_rows_same_bag(&arena, &a, &b, standard, &difference));
  assert_int_equal(difference.only_left_count, 1);
}

/* ---- stored and shown ---- */

static void test_json(void **state) {
  (void)state;
  const struct ew_span names[] = {EW_SPAN("a"), EW_SPAN("\xff")};
  struct ew_rows tables[] = {table(2, "[[1, 'x'], [null, (0.0 / 0.0)]]"), table(2, "[[1, 2.0]]"), {0}};
  tables[0].columns = names;
  for (size_t i = 0; i < EW_COUNT(tables); i++) {
    struct ew_json_writer writer;
    struct ew_rows back;
    const struct ew_json *json;
    ew_text_reset(&text);
    ew_json_writer_init(&writer, &text, 0);
    ew_rows_write_json(&writer, &tables[i]);
    assert_int_equal(ew_json_read(&arena, ew_text_span(&text), (struct ew_json_options){0}, &json, NULL), EW_OK);
    assert_int_equal(ew_rows_read_json(&arena, json, &back, NULL), EW_OK);
    assert_int_equal(back.columns == NULL, tables[i].columns == NULL);
    assert_true(ew_rows_same_list(&arena, &tables[i], &back, standard, NULL));
  }
  static const char *const broken[] = {"1",
                                       "{}",
                                       "{\"width\": 1}",
                                       "{\"width\": -1, \"rows\": []}",
                                       "{\"width\": 99999999999, \"rows\": []}",
                                       "{\"width\": 1, \"rows\": [[]]}",
                                       "{\"width\": 1, \"rows\": [1]}",
                                       "{\"columns\": [1], \"rows\": []}",
                                       "{\"columns\": 1, \"rows\": []}"};
  for (size_t i = 0; i < EW_COUNT(broken); i++) {
    const struct ew_json *json;
    struct ew_rows rows;
    assert_int_equal(ew_json_read(&arena, ew_span_of(broken[i]), (struct ew_json_options){0}, &json, NULL), EW_OK);
    if (ew_rows_read_json(&arena, json, &rows, NULL) == EW_OK) fail_msg("taken: %s", broken[i]);
  }
}

static void test_print(void **state) {
  (void)state;
  const struct ew_span names[] = {EW_SPAN("n"), EW_SPAN("naïve")};
  struct ew_rows rows = table(2, "[[1, 'é'], [100, null], [3, 4]]"), empty = {0};
  rows.columns = names;
  ew_rows_print(&text, &rows, 2);
  assert_string_equal(text.bytes, "n   | naïve\n----+------\n1   | 'é'\n100 | null\n(1 more row)\n");
  ew_text_reset(&text);
  ew_rows_print(&text, &empty, 2);
  assert_string_equal(text.bytes, "(no rows)\n");
  char long_name[200];
  memset(long_name, 'x', sizeof long_name);
  rows = (struct ew_rows){&(struct ew_span){long_name, sizeof long_name}, 1, NULL, 0};
  ew_text_reset(&text);
  ew_rows_print(&text, &rows, 2);
  assert_int_equal(strcspn(text.bytes, "\n"), 59 + strlen("…"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(test_bag, setup),       cmocka_unit_test_setup(test_bag_augments, setup),
      cmocka_unit_test_setup(test_bag_exact, setup), cmocka_unit_test_setup(test_list, setup),
      cmocka_unit_test_setup(test_subset, setup),    cmocka_unit_test_setup(test_columns, setup),
      cmocka_unit_test_setup(test_append, setup),    cmocka_unit_test_setup(test_bag_random, setup),
      cmocka_unit_test_setup(test_bag_large, setup), cmocka_unit_test_setup(test_json, setup),
      cmocka_unit_test_setup(test_print, setup),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  ew_arena_release(&arena);
  ew_text_release(&text);
  return failed;
}
