/* test_value.c: values as Cypher text and as JSON, both ways; maps, copies, knobs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "random_value.h"

static struct ew_arena arena;
static struct ew_text text;

static int setup(void **state) {
  (void)state;
  ew_arena_reset(&arena);
  ew_text_reset(&text);
  return 0;
}

static const char *printed(struct ew_value value) {
  ew_text_reset(&text);
  ew_value_print(&text, value);
  return text.bytes;
}

/* ---- making ---- */

static void test_map(void **state) {
  (void)state;
  struct ew_item items[] = {{EW_SPAN("b"), ew_integer(1)},
                            {EW_SPAN("a"), ew_integer(2)},
                            {EW_SPAN("b"), ew_integer(3)},
                            {EW_SPAN(""), ew_integer(4)}};
  struct ew_value map = ew_map_value(&arena, items, EW_COUNT(items));
  assert_string_equal(printed(map), "{``: 4, a: 2, b: 3}");
  assert_int_equal(ew_items_find(map.map, EW_SPAN("b"))->integer, 3);
  assert_null(ew_items_find(map.map, EW_SPAN("c")));
  assert_null(ew_items_find(ew_map_value(&arena, NULL, 0).map, EW_SPAN("c")));
}

static void test_knobs(void **state) {
  (void)state;
  struct ew_semantics semantics = ew_semantics_standard;
  assert_int_equal(semantics.float_digits, 12);
  assert_true(ew_semantics_set(&semantics, EW_SPAN("float_digits"), 17));
  assert_int_equal(semantics.float_digits, 17);
  assert_false(ew_semantics_set(&semantics, EW_SPAN("float_digit"), 1));
  for (size_t i = 0; i < ew_knob_count; i++) {
    assert_true(ew_semantics_set(&semantics, ew_span_of(ew_knobs[i].name), ew_knobs[i].standard));
    assert_true(strlen(ew_knobs[i].meaning) > 0);
  }
  assert_memory_equal(&semantics, &ew_semantics_standard, sizeof semantics);
}

static void test_kind_names(void **state) {
  (void)state;
  assert_string_equal(ew_value_kind_name(EW_VALUE_INTEGER), "INTEGER");
  assert_string_equal(ew_value_kind_name(EW_VALUE_DATETIME), "ZONED DATETIME");
  assert_string_equal(ew_value_constructor(EW_VALUE_LOCAL_TIME), "localtime");
  assert_null(ew_value_constructor(EW_VALUE_POINT));
}

/* ---- text ---- */

static void test_print(void **state) {
  (void)state;
  const struct {
    struct ew_value value;
    const char *text;
  } cases[] = {
      {ew_null(), "null"},
      {ew_boolean(true), "true"},
      {ew_integer(INT64_MIN), "-9223372036854775808"},
      {ew_float(1), "1.0"},
      {ew_float(-0.0), "-0.0"},
      {ew_float((double)NAN), "(0.0 / 0.0)"},
      {ew_float(INFINITY), "(1.0 / 0.0)"},
      {ew_float(-INFINITY), "(-1.0 / 0.0)"},
      {ew_float(1e300), "1e300"},
      {ew_float(1.5e-9), "1.5e-9"},
      {ew_string(EW_SPAN("it's \\ \n\t\r\b\f\x01\x7f é\xc2\x85\xff")),
       "'it\\'s \\\\ \\n\\t\\r\\b\\f\\u0001\\u007f é\\u0085\xff'"},
      {ew_list(NULL, 0), "[]"},
      {ew_list((struct ew_value[]){ew_integer(1), ew_null()}, 2), "[1, null]"},
      {ew_map_value(&arena, (struct ew_item[]){{EW_SPAN("a`b"), ew_null()}}, 1), "{`a``b`: null}"},
      {{.kind = EW_VALUE_DATE, .day = 18321}, "date('2020-02-29')"},
      {{.kind = EW_VALUE_POINT, .point = &(struct ew_point_value){7203, 1, -2.5, 0}},
       "point({x: 1.0, y: -2.5, srid: 7203})"},
      {{.kind = EW_VALUE_POINT, .point = &(struct ew_point_value){9157, 1, 2, 3}},
       "point({x: 1.0, y: 2.0, z: 3.0, srid: 9157})"},
  };
  for (size_t i = 0; i < EW_COUNT(cases); i++) assert_string_equal(printed(cases[i].value), cases[i].text);
}

static void test_print_elements(void **state) {
  (void)state;
  const struct ew_span labels[] = {EW_SPAN("A"), EW_SPAN("B C")};
  const struct ew_item properties[] = {{EW_SPAN("k"), ew_integer(1)}};
  const struct ew_node_value node = {1, labels, 2, {properties, 1}}, other = {2, NULL, 0, {NULL, 0}};
  const struct ew_relationship_value forward = {7, 1, 2, EW_SPAN("T"), {NULL, 0}},
                                     back = {8, 1, 2, EW_SPAN("U"), {NULL, 0}};
  struct ew_value first = {.kind = EW_VALUE_NODE, .node = &node}, second = {.kind = EW_VALUE_NODE, .node = &other};
  struct ew_value there = {.kind = EW_VALUE_RELATIONSHIP, .relationship = &forward};
  struct ew_value again = {.kind = EW_VALUE_RELATIONSHIP, .relationship = &back};
  assert_string_equal(printed(first), "(#1:A:`B C` {k: 1})");
  assert_string_equal(printed(there), "(#1)-[#7:T]->(#2)");
  const struct ew_path_value path = {{(struct ew_value[]){first, second, first}, 3},
                                     {(struct ew_value[]){there, again}, 2}};
  assert_string_equal(printed((struct ew_value){.kind = EW_VALUE_PATH, .path = &path}),
                      "(#1:A:`B C` {k: 1})-[#7:T]->(#2)<-[#8:U]-(#1:A:`B C` {k: 1})");
}

static void test_read_refuses(void **state) {
  (void)state;
  static const char *const cases[] = {
      "",
      "nul",
      "nulls",
      "1 2",
      "'a",
      "'\\x'",
      "'\\u12'",
      "'\\ud800'",
      "[1",
      "[1 2]",
      "[,]",
      "{a 1}",
      "{a: 1",
      "{1: 1}",
      "{`a: 1}",
      "9223372036854775808",
      "1.",
      "1e",
      "1e9999999",
      "1e999",
      "-",
      "--1",
      "(1 / 0)",
      "(1.0 / 1.0)",
      "date(1)",
      "date('x')",
      "date('2020-02-30')",
      "point({})",
      "point(1)",
      "now()",
      "time('25:00Z')",
      "point({x: 1.0, y: 1.0, srid: 1, w: 1.0})",
  };
  struct ew_value value;
  struct ew_error error;
  for (size_t i = 0; i < EW_COUNT(cases); i++) {
    if (ew_value_read(&arena, ew_span_of(cases[i]), &value, &error) != EW_BAD) fail_msg("taken: %s", cases[i]);
    assert_true(strlen(error.text) > 0);
  }
  assert_int_equal(ew_value_read(&arena, (struct ew_span){NULL, 0}, &value, NULL), EW_BAD);
}

static void test_depth(void **state) {
  (void)state;
  struct ew_value value, deep = ew_integer(1);
  const struct ew_json *json;
  struct ew_error error;
  for (int depth = 1; depth <= EW_VALUE_DEPTH + 1; depth++) {
    struct ew_value *inner = EW_NEW(&arena, struct ew_value);
    *inner = deep;
    deep = ew_list(inner, 1);
    if (depth < EW_VALUE_DEPTH) continue;
    enum ew_status expected = depth > EW_VALUE_DEPTH ? EW_LIMIT : EW_OK;
    printed(deep);
    assert_int_equal(ew_value_read(&arena, ew_text_span(&text), &value, &error), expected);
    assert_int_equal(ew_json_read(&arena, ew_text_span(&text), (struct ew_json_options){0}, &json, &error), EW_OK);
    assert_int_equal(ew_value_read_json(&arena, json, &value, &error), expected);
  }
}

/* Whether two values are one to the last bit: -0.0 and all digits count. */
static const struct ew_semantics *exactly(void) {
  static struct ew_semantics semantics;
  semantics = ew_semantics_standard;
  semantics.float_digits = 17;
  semantics.negative_zero_distinct = 1;
  return &semantics;
}

static void test_print_read_random(void **state) {
  (void)state;
  struct maker maker = {ew_random_from(1), &arena, false};
  for (int i = 0; i < 5000; i++) {
    ew_arena_reset(&arena);
    struct ew_value value = random_value(&maker, 4), back;
    struct ew_error error = {""};
    printed(value);
    if (ew_value_read(&arena, ew_text_span(&text), &back, &error)) fail_msg("%s: %s", text.bytes, error.text);
    if (!ew_value_same(value, back, exactly())) fail_msg("%s read back as %s", text.bytes, printed(back));
    assert_int_equal(ew_value_same_order(value, back, exactly()), 0);
  }
}

/* Whatever happens to a text, reading it ends well. */
static void test_read_broken(void **state) {
  (void)state;
  struct maker maker = {ew_random_from(2), &arena, false};
  for (int i = 0; i < 5000; i++) {
    ew_arena_reset(&arena);
    struct ew_value back;
    printed(random_value(&maker, 3));
    for (int j = 0; j < 2; j++)
      text.bytes[ew_random_below(&maker.random, (uint32_t)text.length)] =
          "(['`{\\0-.:\xff"[ew_random_below(&maker.random, 12)];
    ew_text_cut(&text, ew_random_below(&maker.random, (uint32_t)text.length + 1));
    (void)!ew_value_read(&arena, ew_text_span(&text), &back, NULL);
  }
}

/* ---- JSON ---- */

static void add_json(struct ew_text *into, struct ew_value value) {
  struct ew_json_writer writer;
  ew_text_reset(into);
  ew_json_writer_init(&writer, into, 0);
  ew_value_write_json(&writer, value);
}

static void test_json(void **state) {
  (void)state;
  const struct {
    struct ew_value value;
    const char *json;
  } cases[] = {
      {ew_integer(INT64_MAX), "9223372036854775807"},
      {ew_float(2), "2.0"},
      {ew_float((double)NAN), "{\"@float\": \"NaN\"}"},
      {ew_string(EW_SPAN("a\xff")), "{\"@bytes\": \"61ff\"}"},
      {ew_map_value(&arena, (struct ew_item[]){{EW_SPAN("@x"), ew_integer(1)}}, 1), "{\"@map\": [\"@x\",1]}"},
      {{.kind = EW_VALUE_LOCAL_TIME, .time = {0, 0}}, "{\"@localtime\": \"00:00:00\"}"},
  };
  for (size_t i = 0; i < EW_COUNT(cases); i++) {
    add_json(&text, cases[i].value);
    assert_string_equal(text.bytes, cases[i].json);
  }
}

static void test_json_refuses(void **state) {
  (void)state;
  static const char *const cases[] = {
      "{\"@what\": 1}",
      "{\"@float\": \"x\"}",
      "{\"@float\": 1}",
      "{\"@bytes\": \"6\"}",
      "{\"@bytes\": \"6g\"}",
      "{\"@map\": [\"a\"]}",
      "{\"@map\": [1, 2]}",
      "{\"@map\": 1}",
      "{\"@path\": []}",
      "{\"@path\": 1}",
      "{\"@path\": [1]}",
      "{\"@node\": 1}",
      "{\"@node\": \"1\"}",
      "{\"@relationship\": 1}",
      "{\"@date\": 1}",
      "{\"@date\": \"2020\"}",
      "{\"@point\": 1}",
      "{\"@node\": 1, \"labels\": [1], \"properties\": {}}",
      "{\"@node\": 1, \"labels\": [], \"properties\": []}",
  };
  for (size_t i = 0; i < EW_COUNT(cases); i++) {
    const struct ew_json *json;
    struct ew_value value;
    assert_int_equal(ew_json_read(&arena, ew_span_of(cases[i]), (struct ew_json_options){0}, &json, NULL), EW_OK);
    if (ew_value_read_json(&arena, json, &value, NULL) != EW_BAD) fail_msg("taken: %s", cases[i]);
  }
}

/* A copy and what was read back both write the same JSON: so nothing is lost, labels and properties included. */
static void test_json_random(void **state) {
  (void)state;
  struct ew_arena other;
  struct ew_text again;
  ew_arena_init(&other);
  ew_text_init(&again);
  struct maker maker = {ew_random_from(3), &arena, true};
  for (int i = 0; i < 4000; i++) {
    ew_arena_reset(&arena);
    ew_arena_reset(&other);
    struct ew_value value = random_value(&maker, 4), copy = ew_value_copy(&other, value), back = ew_null();
    const struct ew_json *json;
    struct ew_error error = {""};
    add_json(&text, value);
    if (ew_json_read(&other, ew_text_span(&text), (struct ew_json_options){0}, &json, &error) ||
        ew_value_read_json(&other, json, &back, &error))
      fail_msg("%s: %s", text.bytes, error.text);
    assert_true(ew_value_same(value, back, exactly()));
    add_json(&again, back);
    assert_string_equal(text.bytes, again.bytes);
    ew_arena_reset(&arena);
    memset(ew_arena_take(&arena, 4096), 0xee, 4096); /* the copy depends on none of this */
    add_json(&again, copy);
    assert_string_equal(text.bytes, again.bytes);
  }
  ew_text_release(&again);
  ew_arena_release(&other);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(test_map, setup),
      cmocka_unit_test_setup(test_knobs, setup),
      cmocka_unit_test_setup(test_kind_names, setup),
      cmocka_unit_test_setup(test_print, setup),
      cmocka_unit_test_setup(test_print_elements, setup),
      cmocka_unit_test_setup(test_read_refuses, setup),
      cmocka_unit_test_setup(test_depth, setup),
      cmocka_unit_test_setup(test_print_read_random, setup),
      cmocka_unit_test_setup(test_read_broken, setup),
      cmocka_unit_test_setup(test_json, setup),
      cmocka_unit_test_setup(test_json_refuses, setup),
      cmocka_unit_test_setup(test_json_random, setup),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  ew_arena_release(&arena);
  ew_text_release(&text);
  return failed;
}
