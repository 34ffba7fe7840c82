/* test_json.c: what is written can be read; what no one should send is refused, and nothing crashes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "base/json.h"
#include "base/random.h"

static struct ew_arena arena;
static struct ew_error error;

static int begin(void **state) {
  (void)state;
  ew_arena_init(&arena);
  return 0;
}

static int end(void **state) {
  (void)state;
  ew_arena_release(&arena);
  return 0;
}

/* NULL where it is refused. */
static const struct ew_json *read_with(const char *text, bool special) {
  const struct ew_json *json = (const void *)"untouched";
  struct ew_json_options options = {.special_numbers = special};
  enum ew_status status = ew_json_read(&arena, ew_span_of(text), options, &json, &error);
  assert_true(status == EW_OK || status == EW_BAD);
  assert_int_equal(status == EW_OK, json != NULL);
  return json;
}

static const struct ew_json *read_text(const char *text) {
  const struct ew_json *json = read_with(text, false);
  if (!json) fail_msg("%s: %s", text, error.text);
  return json;
}

/* ---- writing ---- */

static void write_sample(struct ew_json_writer *writer) {
  ew_json_begin_object(writer);
  ew_json_put_string(writer, "name", "a \"b\" \\ \n\t\x01\x7f é\xff");
  ew_json_put_unsigned(writer, "large", UINT64_MAX);
  ew_json_key(writer, "small");
  ew_json_integer(writer, INT64_MIN);
  ew_json_put_double(writer, "half", 0.5);
  ew_json_put_double(writer, "none", NAN);
  ew_json_put_double(writer, "below", -INFINITY);
  ew_json_put_bool(writer, "yes", true);
  ew_json_key_span(writer, EW_SPAN("empty"));
  ew_json_begin_array(writer);
  ew_json_end_array(writer);
  ew_json_key(writer, "list");
  ew_json_begin_array(writer);
  ew_json_null(writer);
  ew_json_begin_object(writer);
  ew_json_end_object(writer);
  ew_json_bool(writer, false);
  ew_json_end_array(writer);
  ew_json_end_object(writer);
}

static void test_write_line(void **state) {
  (void)state;
  struct ew_text text = {0};
  struct ew_json_writer writer;
  ew_json_writer_init(&writer, &text, 0);
  write_sample(&writer);
  assert_string_equal(text.bytes,
                      "{\"name\": \"a \\\"b\\\" \\\\ \\n\\t\\u0001\\u007f é\xef\xbf\xbd\","
                      "\"large\": 18446744073709551615,\"small\": -9223372036854775808,\"half\": 0.5,"
                      "\"none\": \"NaN\",\"below\": \"-Infinity\",\"yes\": true,\"empty\": [],"
                      "\"list\": [null,{},false]}");
  ew_text_release(&text);
}

static void test_write_indented(void **state) {
  (void)state;
  struct ew_text text = {0};
  struct ew_json_writer writer;
  ew_json_writer_init(&writer, &text, 2);
  ew_json_begin_object(&writer);
  ew_json_put_unsigned(&writer, "a", 1);
  ew_json_key(&writer, "b");
  ew_json_begin_array(&writer);
  ew_json_integer(&writer, 1);
  ew_json_begin_array(&writer);
  ew_json_end_array(&writer);
  ew_json_end_array(&writer);
  ew_json_end_object(&writer);
  assert_string_equal(text.bytes, "{\n  \"a\": 1,\n  \"b\": [\n    1,\n    []\n  ]\n}");
  ew_text_release(&text);
}

static void test_read_what_was_written(void **state) {
  (void)state;
  for (unsigned indent = 0; indent <= 4; indent += 2) {
    struct ew_text text = {0};
    struct ew_json_writer writer;
    ew_json_writer_init(&writer, &text, indent);
    write_sample(&writer);
    const struct ew_json *json = read_text(text.bytes);
    assert_true(ew_span_is(ew_json_get_string(json, "name", EW_SPAN("")), "a \"b\" \\ \n\t\x01\x7f é\xef\xbf\xbd"));
    assert_true(ew_json_get_integer(json, "small", 0) == INT64_MIN);
    assert_true(ew_json_get_bool(json, "yes", false));
    assert_int_equal(ew_json_member(json, "large")->kind, EW_JSON_FLOAT); /* more than int64 holds */
    assert_true(ew_json_member(json, "half")->number == 0.5);
    const struct ew_json *list = ew_json_member(json, "list");
    assert_int_equal(list->count, 3);
    assert_null(list->keys);
    assert_int_equal(list->items[0].kind, EW_JSON_NULL);
    ew_text_release(&text);
  }
}

/* ---- reading ---- */

static void test_read_scalars(void **state) {
  (void)state;
  assert_int_equal(read_text("null")->kind, EW_JSON_NULL);
  assert_true(read_text(" true ")->boolean);
  assert_false(read_text("\n\tfalse\r\n")->boolean);
  assert_true(read_text("-0")->kind == EW_JSON_INTEGER);
  assert_true(read_text("9223372036854775807")->integer == INT64_MAX);
  assert_true(read_text("-9223372036854775808")->integer == INT64_MIN);
  assert_true(read_text("9223372036854775808")->number == 9223372036854775808.0);
  assert_true(read_text("1e2")->kind == EW_JSON_FLOAT);
  assert_true(read_text("1.50E-1")->number == 0.15);
  assert_true(signbit(read_text("-0.0")->number) != 0);
  assert_true(isinf(read_text("1e999")->number) != 0);
}

static void test_read_strings(void **state) {
  (void)state;
  assert_true(ew_span_equal(read_text("\"\"")->string, EW_SPAN("")));
  assert_true(ew_span_equal(read_text("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"")->string, EW_SPAN("\"\\/\b\f\n\r\t")));
  assert_true(ew_span_equal(read_text("\"\\u00e9\\u20AC\\ud834\\udd1e\"")->string, EW_SPAN("é€𝄞")));
  assert_true(ew_span_equal(read_text("\"\\u0000\"")->string, EW_SPAN("\0")));
  /* half a pair becomes U+FFFD; bytes that are no UTF-8 are kept */
  assert_true(ew_span_equal(read_text("\"\\ud834\"")->string, EW_SPAN("\xef\xbf\xbd")));
  assert_true(ew_span_equal(read_text("\"\\udd1e!\"")->string, EW_SPAN("\xef\xbf\xbd!")));
  assert_true(ew_span_equal(read_text("\"\xff\x01\"")->string, EW_SPAN("\xff\x01")));
  const struct ew_json *json;
  assert_int_equal(ew_json_read(&arena, EW_SPAN("\"a\0b\""), (struct ew_json_options){0}, &json, NULL), EW_OK);
  assert_true(ew_span_equal(json->string, EW_SPAN("a\0b")));
}

static void test_special_numbers(void **state) {
  (void)state;
  static const char *const words[] = {"NaN",         "Infinity", "-Infinity", "Infinity.0",
                                      "-Infinity.0", "nan",      "inf",       "-inf"};
  for (size_t i = 0; i < EW_COUNT(words); i++) {
    const struct ew_json *json = read_with(words[i], true);
    assert_non_null(json);
    assert_true(!isfinite(json->number));
    assert_int_equal(!isnan(json->number) && signbit(json->number), words[i][0] == '-');
    assert_null(read_with(words[i], false));
  }
  assert_true(read_with("-1", true)->integer == -1);
  assert_int_equal(read_with("[NaN,null,-Infinity]", true)->count, 3);
  assert_null(read_with("-", true));
  assert_null(read_with("NaNs", true));
}

static void test_members(void **state) {
  (void)state;
  const struct ew_json *json = read_text("{\"a\": 1, \"a\": 2, \"\": {\"b\": \"c\"}}");
  assert_int_equal(json->count, 3);
  assert_int_equal(ew_json_get_integer(json, "a", 0), 1); /* the first of two */
  assert_true(ew_span_is(ew_json_get_string(ew_json_member(json, ""), "b", EW_SPAN("")), "c"));
  assert_null(ew_json_member(json, "b"));
  assert_null(ew_json_member(NULL, "b"));
  assert_null(ew_json_member(ew_json_member(json, "a"), "b"));
  assert_int_equal(ew_json_get_integer(ew_json_member(json, ""), "b", 9), 9);
  assert_true(ew_json_get_bool(NULL, "b", true));
}

static void test_refused(void **state) {
  (void)state;
  static const char *const texts[] = {
      "",
      " ",
      "nul",
      "nulll",
      "tru",
      "True",
      "+1",
      "01",
      "-01",
      "1.",
      ".5",
      "-",
      "--1",
      "1e",
      "1e+",
      "0x10",
      "1 2",
      "1-1",
      "\"",
      "\"\\",
      "\"\\x\"",
      "\"\\u12\"",
      "\"\\u12g4\"",
      "\"\\ud834\\u0041\"",
      "\"a",
      "'a'",
      "[",
      "[1",
      "[1,",
      "[1,]",
      "[,1]",
      "[1 2]",
      "[1}",
      "]",
      "{",
      "{\"a\"",
      "{\"a\":",
      "{\"a\":1",
      "{\"a\":1,",
      "{\"a\":1,}",
      "{a:1}",
      "{1:1}",
      "{\"a\" 1}",
      "{\"a\":1 \"b\":2}",
      "{\"a\":1]",
      "}",
      "NaN",
      "// c\n1",
      "1 /* c */",
      "\357\273\2771",
  };
  for (size_t i = 0; i < EW_COUNT(texts); i++) {
    if (read_with(texts[i], false)) fail_msg("accepted: %s", texts[i]);
    assert_memory_equal(error.text, "JSON, byte ", 11);
  }
}

static void test_long_number(void **state) {
  (void)state;
  char digits[1000];
  memset(digits, '7', sizeof digits);
  digits[511] = '\0';
  assert_int_equal(read_text(digits)->kind, EW_JSON_FLOAT);
  digits[511] = '7';
  digits[sizeof digits - 1] = '\0';
  assert_null(read_with(digits, false));
}

static void test_depth(void **state) {
  (void)state;
  struct ew_text text = {0};
  for (int extra = 0; extra <= 1; extra++) {
    ew_text_reset(&text);
    for (int i = 0; i < EW_JSON_DEPTH + extra; i++) ew_text_add_char(&text, '[');
    for (int i = 0; i < EW_JSON_DEPTH + extra; i++) ew_text_add_char(&text, ']');
    assert_int_equal(read_with(text.bytes, false) == NULL, extra);
  }
  ew_text_reset(&text);
  for (int i = 0; i < 1000000; i++) ew_text_add_string(&text, "{\"a\":");
  assert_null(read_with(text.bytes, false));
  ew_text_release(&text);
}

/* The bytes in memory of exactly their size, so that a read beyond them is seen. */
static void read_exactly(const char *bytes, size_t length) {
  struct ew_arena scratch;
  const struct ew_json *json;
  ew_arena_init(&scratch);
  char *copy = test_malloc(length ? length : 1);
  if (length) memcpy(copy, bytes, length);
  enum ew_status status =
      ew_json_read(&scratch, (struct ew_span){copy, length}, (struct ew_json_options){true}, &json, &error);
  assert_true(status == EW_OK || status == EW_BAD);
  test_free(copy);
  ew_arena_release(&scratch);
}

static void test_truncated(void **state) {
  (void)state;
  static const char whole[] =
      "{\"a\": [1, -2.5e+3, true, false, null, NaN, -Infinity.0, \"x\\u00e9\\ud834\\udd1e\\n\"], \"b\": {}}";
  for (size_t length = 0; length < sizeof whole; length++) read_exactly(whole, length);
}

static void test_garbage(void **state) {
  (void)state;
  static const char alphabet[] = "{}[]\",:\\u0123456789abcdefINnt-+.eE \n\xff\0";
  struct ew_random random = ew_random_from(17);
  for (int round = 0; round < 20000; round++) {
    char bytes[64];
    size_t length = ew_random_below(&random, sizeof bytes + 1);
    for (size_t i = 0; i < length; i++)
      bytes[i] = round % 2 ? (char)ew_random_next(&random) : alphabet[ew_random_below(&random, sizeof alphabet)];
    read_exactly(bytes, length);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_write_line),
      cmocka_unit_test(test_write_indented),
      cmocka_unit_test_setup_teardown(test_read_what_was_written, begin, end),
      cmocka_unit_test_setup_teardown(test_read_scalars, begin, end),
      cmocka_unit_test_setup_teardown(test_read_strings, begin, end),
      cmocka_unit_test_setup_teardown(test_special_numbers, begin, end),
      cmocka_unit_test_setup_teardown(test_members, begin, end),
      cmocka_unit_test_setup_teardown(test_refused, begin, end),
      cmocka_unit_test_setup_teardown(test_long_number, begin, end),
      cmocka_unit_test_setup_teardown(test_depth, begin, end),
      cmocka_unit_test(test_truncated),
      cmocka_unit_test(test_garbage),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
