/* test_model_functions.c: what the model's functions compute (tests/golden/model-functions.txt), that each of them is
   there and gives null for nulls, and what the knobs change. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/file.h"
#include "lang/cypher/parser.h"
#include "lang/cypher/scope.h"
#include "model/function.h"

static struct ew_arena arena;
static struct ew_model model;

static const struct ew_node *parse(const char *text) {
  struct ew_builder builder = {&arena, 1};
  const struct ew_node *tree = NULL;
  struct ew_cypher_syntax_error error;
  if (ew_cypher_parse(&builder, ew_span_of(text), &tree, &error) != EW_OK) fail_msg("%s: %s", text, error.message);
  return tree;
}

static int begin(void **state) {
  struct ew_model_result result;
  (void)state;
  ew_arena_init(&arena);
  ew_model_init(&model);
  const struct ew_node *graph = parse("CREATE (:A:B {x: 1, y: 'b'})-[:T {w: 2}]->(c:C)-[:T]->(c)");
  ew_model_execute(&model, graph, &(struct ew_model_options){0}, &arena, &result);
  return result.error.code == EW_FAULT_NONE ? 0 : -1;
}

static int end(void **state) {
  (void)state;
  ew_model_release(&model);
  ew_arena_release(&arena);
  return 0;
}

/* The value of an expression, or how it fails, as the golden file writes it. */
static struct ew_span value_of(struct ew_span expression, const struct ew_semantics *semantics, uint32_t *open) {
  struct ew_text text = {0};
  ew_text_add_string(&text, "MATCH p = (a:A)-[r:T]->(c:C)-[s:T]->(c) WITH *, null AS n RETURN ");
  ew_text_add(&text, expression);
  ew_text_add_string(&text, " AS value");
  const struct ew_node *statement = parse(text.bytes);
  ew_text_reset(&text);
  struct ew_cypher_problem problem;
  struct ew_model_options options = {.semantics = semantics, .now = INT64_C(1582979696789) * 1000000};
  struct ew_model_result result = {0};
  if (!ew_cypher_analyze(statement, &problem)) {
    ew_text_add_format(&text, "! SyntaxError %s", ew_cypher_detail_name(problem.detail));
  } else {
    ew_model_execute(&model, statement, &options, &arena, &result);
    if (result.error.code) {
      ew_text_add_format(&text, "! %s %s", ew_fault_type(result.error.code), ew_fault_detail(result.error.code));
    } else {
      assert_int_equal(result.rows.row_count, 1);
      ew_value_print(&text, ew_row(&result.rows, 0)[0]);
    }
  }
  *open = result.open;
  struct ew_span value = ew_arena_copy(&arena, ew_text_span(&text));
  ew_text_release(&text);
  return value;
}

/* Says what differs, and goes on: a test asserts that nothing did. */
static bool gives(struct ew_span expression, struct ew_span expected, const struct ew_semantics *semantics) {
  uint32_t open;
  struct ew_span found = value_of(expression, semantics, &open);
  if (ew_span_equal(found, expected)) return true;
  print_error("%.*s\n  expected %.*s\n  found    %.*s\n", EW_SPAN_ARGS(expression), EW_SPAN_ARGS(expected),
              EW_SPAN_ARGS(found));
  return false;
}

/* ---- the golden file ---- */

struct function_count {
  const char *name;
  bool strict, seen;
};

static struct function_count functions[] = {
#define STRICT true
#define NULLS false
#define IMPLEMENT(text, suffix, nulls) {.name = text, .strict = nulls},
#include "model/functions.def"
#undef IMPLEMENT
#undef STRICT
#undef NULLS
};

/* Notes the functions that a line calls: names with a parenthesis behind them. */
static void note_calls(struct ew_span line) {
  for (size_t i = 0; i < EW_COUNT(functions); i++) {
    size_t length = strlen(functions[i].name);
    for (size_t at = 0; at + length < line.length && !functions[i].seen; at++) {
      char before = at ? line.bytes[at - 1] : ' ';
      bool word =
          (before >= 'a' && before <= 'z') || (before >= 'A' && before <= 'Z') || before == '.' || before == '_';
      functions[i].seen =
          !word && line.bytes[at + length] == '(' && strncasecmp(line.bytes + at, functions[i].name, length) == 0;
    }
  }
}

static void golden(void **state) {
  struct ew_text file = {0};
  bool good = true;
  (void)state;
  assert_int_equal(ew_file_read("tests/golden/model-functions.txt", 1 << 20, &file, NULL), EW_OK);
  for (const char *line = file.bytes, *stop; (stop = strchr(line, '\n')); line = stop + 1) {
    if (line == stop || *line == '#') continue;
    const char *arrow = memmem(line, (size_t)(stop - line), " => ", 4);
    if (!arrow) fail_msg("no arrow: %.*s", (int)(stop - line), line);
    struct ew_span expression = {line, (size_t)(arrow - line)};
    good &= gives(expression, (struct ew_span){arrow + 4, (size_t)(stop - arrow - 4)}, NULL);
    note_calls(expression);
  }
  ew_text_release(&file);
  assert_true(good);
  for (size_t i = 0; i < EW_COUNT(functions); i++)
    if (!functions[i].seen) fail_msg("no line calls %s()", functions[i].name);
}

/* ---- tables ---- */

/* Both tables know every function, and each strict one gives null for nulls. */
static void nulls(void **state) {
  (void)state;
  for (size_t i = 0; i < EW_COUNT(functions); i++) {
    const struct ew_cypher_function *known = ew_cypher_function_find(ew_span_of(functions[i].name));
    assert_non_null(known);
    assert_string_equal(ew_function_find(ew_span_of(functions[i].name))->name, functions[i].name);
    if (!functions[i].strict || !known->least) continue;
    struct ew_text call = {0};
    ew_text_add_format(&call, "%s(", functions[i].name);
    for (unsigned at = 0; at < known->least; at++) ew_text_add_string(&call, at ? ", n" : "n");
    ew_text_add_char(&call, ')');
    assert_true(gives(ew_text_span(&call), EW_SPAN("null"), NULL));
    ew_text_release(&call);
  }
  assert_null(ew_function_find(EW_SPAN("nosuch")));
  assert_string_equal(ew_function_find(EW_SPAN("DATETIME.fromEpoch"))->name, "datetime.fromepoch");
}

static void some_nulls(void **state) {
  (void)state;
  assert_true(gives(EW_SPAN("left('a', n)"), EW_SPAN("null"), NULL));
  assert_true(gives(EW_SPAN("replace('a', 'a', n)"), EW_SPAN("null"), NULL));
  assert_true(gives(EW_SPAN("range(1, n)"), EW_SPAN("null"), NULL));
  assert_true(gives(EW_SPAN("duration.between(n, date('2020-01-01'))"), EW_SPAN("null"), NULL));
  assert_true(gives(EW_SPAN("date.truncate('day', n)"), EW_SPAN("null"), NULL));
  assert_true(gives(EW_SPAN("n + duration('P1D')"), EW_SPAN("null"), NULL));
  assert_true(gives(EW_SPAN("toStringOrNull(n)"), EW_SPAN("null"), NULL));
}

/* ---- knobs and what is open ---- */

static void knobs(void **state) {
  static const struct {
    const char *knob, *expression, *value;
  } cases[] = {
      {"rounding_keeps_integers", "[ceil(1), floor(1), round(1), ceil(1.5)]", "[1, 1, 1, 2.0]"},
      {"rounding_gives_integers", "[ceil(1.5), floor(1.5), ceil(1), floor(1e300), round(1.5)]",
       "[2, 1, 1, 1e300, 2.0]"},
      {"element_id_is_integer", "elementId(a) = id(a)", "true"},
      {"round_half_away", "[round(-1.5), round(1.5)]", "[-2.0, 2.0]"},
      {"to_integer_floors", "[toInteger(-1.5), toInteger('-1.5'), toInteger(1.5)]", "[-2, -2, 1]"},
      {"domain_errors_are_null", "[sqrt(-1), asin(2), acos(-2), cot(0), sqrt(4)]", "[null, null, null, null, 2.0]"},
      {"case_of_ascii_only", "toUpper('aä')", "'Aä'"},
      {"trim_only_blanks", "trim(' \\ta ')", "'\\ta'"},
      {"integer_overflow", "abs(-9223372036854775807 - 1)", "-9223372036854775808"},
  };
  (void)state;
  for (size_t i = 0; i < EW_COUNT(cases); i++) {
    struct ew_semantics semantics = ew_semantics_standard;
    assert_true(ew_semantics_set(&semantics, ew_span_of(cases[i].knob), 1));
    assert_true(gives(ew_span_of(cases[i].expression), ew_span_of(cases[i].value), &semantics));
  }
}

static void open_answers(void **state) {
  static const struct {
    const char *expression;
    enum ew_open open;
    bool is;
  } cases[] = {
      {"rand() < 2", EW_OPEN_CHANCE, true},
      {"date()", EW_OPEN_CLOCK, true},
      {"date('2020-01-01')", EW_OPEN_CLOCK, false},
      {"labels(a)", EW_OPEN_ELEMENT_ORDER, true},
      {"labels(c)", EW_OPEN_ELEMENT_ORDER, false},
      {"id(a) = id(a)", EW_OPEN_IDENTITY, true},
      {"toString(1e100)", EW_OPEN_TEXT, true},
      {"toString(1.5)", EW_OPEN_TEXT, false},
      {"toString(time('12:00'))", EW_OPEN_TEXT, true},
      {"replace('a', '', 'b')", EW_OPEN_UNDEFINED, true},
      {"toUpper('ß')", EW_OPEN_UNDEFINED, true},
      {"toUpper('ä')", EW_OPEN_UNDEFINED, false},
      {"toInteger(1e100)", EW_OPEN_UNDEFINED, true},
  };
  (void)state;
  for (size_t i = 0; i < EW_COUNT(cases); i++) {
    uint32_t open;
    (void)value_of(ew_span_of(cases[i].expression), NULL, &open);
    if ((open >> cases[i].open & 1) != cases[i].is) fail_msg("%s: open or not", cases[i].expression);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(golden, begin, end),       cmocka_unit_test_setup_teardown(nulls, begin, end),
      cmocka_unit_test_setup_teardown(some_nulls, begin, end),   cmocka_unit_test_setup_teardown(knobs, begin, end),
      cmocka_unit_test_setup_teardown(open_answers, begin, end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
