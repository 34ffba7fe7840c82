/* test_report.c: reports of findings made by hand against tests/golden/report, and text that must not break out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>

#include "base/file.h"
#include "cli/options.h"
#include "oracle/oracles.h"
#include "report/page.h"
#include "report/report.h"

static struct ew_arena arena;
static struct ew_profile profile;
static struct ew_text text;

static const char profile_text[] =
    "[engine]\nname = graphqlite\nlanguage = cypher\nlibrary = graphqlite.so\npackage = graphqlite\nshell = sqlite\n";

static int begin(void **state) {
  struct ew_error error;
  (void)state;
  ew_arena_init(&arena);
  ew_text_init(&text);
  return (int)ew_profile_parse(&profile, "profile.ini", ew_span_of(profile_text), &error);
}

static int end(void **state) {
  (void)state;
  ew_profile_release(&profile);
  ew_text_release(&text);
  ew_arena_release(&arena);
  return 0;
}

/* ---- findings by hand ---- */

static const struct ew_language language = {.name = "cypher", .extension = "cypher"};

static struct ew_program program_of(const char *first, const char *second) {
  struct ew_statement *statements = EW_NEW_ARRAY(&arena, struct ew_statement, 2);
  statements[0].text = ew_span_of(first);
  if (second) statements[1].text = ew_span_of(second);
  return (struct ew_program){statements, second ? 2 : 1};
}

static struct ew_rows rows_of(const int64_t *numbers, size_t count) {
  static const struct ew_span columns[] = {{"x", 1}};
  struct ew_value *values = EW_NEW_ARRAY(&arena, struct ew_value, count + 1);
  for (size_t i = 0; i < count; i++) values[i] = ew_integer(numbers[i]);
  return (struct ew_rows){columns, 1, values, count};
}

static struct ew_outcome outcome_of(struct ew_statement_outcome one) {
  struct ew_statement_outcome *copy = EW_NEW(&arena, struct ew_statement_outcome);
  *copy = one;
  return (struct ew_outcome){copy, 1};
}

static struct ew_finding finding_with(struct ew_run *runs, struct ew_outcome *outcomes, size_t count) {
  return (struct ew_finding){
      .id = {"0123456789ab"},
      .state = EW_CONFIRMED,
      .test = {.key = {.seed = 42, .number = 7}, .language = &language},
      .engine = EW_SPAN("graphqlite"),
      .version = EW_SPAN("0.12.0"),
      .load = program_of("CREATE (:A {i: 1}), (:A {i: 2}), (:A)", NULL),
      .runs = runs,
      .outcomes = outcomes,
      .run_count = count,
      .group = 0xfeed,
      .reduced = true,
      .tries = 120,
      .bytes_before = 2048,
      .bytes_after = 96,
      .environment = EW_SPAN("Linux x86_64, UTC"),
  };
}

static struct ew_finding partition_finding(void) {
  static const char *const queries[] = {
      "MATCH (n) RETURN n.i AS x",
      "MATCH (n) WITH * WHERE n.i > 1 RETURN n.i AS x",
      "MATCH (n) WITH * WHERE NOT (n.i > 1) RETURN n.i AS x",
      "MATCH (n) WITH * WHERE (n.i > 1) IS NULL RETURN n.i AS x",
  };
  static const int64_t whole[] = {1, 2, 3};
  struct ew_run *runs = EW_NEW_ARRAY(&arena, struct ew_run, EW_COUNT(queries));
  struct ew_outcome *outcomes = EW_NEW_ARRAY(&arena, struct ew_outcome, EW_COUNT(queries));
  for (size_t i = 0; i < EW_COUNT(queries); i++) {
    runs[i].program = program_of(queries[i], NULL);
    size_t count = i == 0 ? 3 : i == 3 ? 0 : 1;
    outcomes[i] = outcome_of((struct ew_statement_outcome){.kind = EW_OUTCOME_ROWS, .rows = rows_of(whole, count)});
  }
  struct ew_finding finding = finding_with(runs, outcomes, EW_COUNT(queries));
  finding.oracle = EW_SPAN("example"); /* not in the table: its explanation must not be in a golden file */
  finding.claim = (struct ew_claim){.relation = EW_RELATION_sum};
  finding.why = (struct ew_why){
      .text = EW_SPAN("2 rows missing, 1 row too many"),
      .expected = rows_of(whole + 1, 2),
      .actual = rows_of(whole, 1),
  };
  finding.title = ew_report_title(&arena, &finding, &profile);
  return finding;
}

static struct ew_finding failure_finding(struct ew_statement_outcome outcome, const char *query) {
  struct ew_run *run = EW_NEW(&arena, struct ew_run);
  struct ew_outcome *outcomes = EW_NEW(&arena, struct ew_outcome);
  run->program = program_of(query, NULL);
  *outcomes = outcome_of(outcome);
  struct ew_finding finding = finding_with(run, outcomes, 1);
  finding.oracle = EW_SPAN("example");
  finding.claim = (struct ew_claim){.relation = EW_RELATION_clean};
  finding.why.text = EW_SPAN("crash");
  finding.title = ew_report_title(&arena, &finding, &profile);
  return finding;
}

static struct ew_finding crash_finding(void) {
  static const struct ew_span frames[] = {
      {"raise", 5}, {"__libc_message", 14}, {"transform_expression", 20}, {"graphqlite.so+0x1234", 20}};
  return failure_finding((struct ew_statement_outcome){.kind = EW_OUTCOME_CRASH,
                                                       .signal = SIGABRT,
                                                       .text = EW_SPAN("double free or corruption (!prev)\n"),
                                                       .frames = {frames, EW_COUNT(frames)}},
                         "MATCH (n) WITH n WHERE size(n.l) < 3 RETURN n.i AS x");
}

/* ---- golden ---- */

/* With EDGEWISE_UPDATE in the environment the file is written, to be looked at before it is kept. */
static void check_golden(const char *name) {
  struct ew_text golden = {0}, path = {0};
  struct ew_error error;
  ew_text_add_format(&path, "tests/golden/report/%s", name);
  if (getenv("EDGEWISE_UPDATE")) assert_int_equal(ew_file_replace(path.bytes, ew_text_span(&text), &error), EW_OK);
  if (ew_file_read(path.bytes, 1 << 20, &golden, &error) != EW_OK) fail_msg("%s", error.text);
  if (!ew_span_equal(ew_text_span(&golden), ew_text_span(&text)))
    fail_msg("%s differs; now it is:\n%s", name, text.bytes);
  ew_text_release(&golden);
  ew_text_release(&path);
}

static void test_markdown_of_wrong_answer(void **state) {
  struct ew_finding finding = partition_finding();
  (void)state;
  ew_report_markdown(&text, &finding, &profile);
  check_golden("partition.md");
}

static void test_markdown_of_crash(void **state) {
  struct ew_finding finding = crash_finding();
  (void)state;
  finding.state = EW_SEEN_ONCE;
  finding.reduced = false;
  ew_report_markdown(&text, &finding, &profile);
  check_golden("crash.md");
}

static void test_text_of_wrong_answer(void **state) {
  struct ew_finding finding = partition_finding();
  (void)state;
  ew_report_text(&text, &finding, &profile, false);
  check_golden("partition.txt");
}

static void test_repro_for_sqlite(void **state) {
  struct ew_finding finding = partition_finding();
  (void)state;
  assert_true(ew_span_is(ew_report_repro(&text, &finding, &profile), "sql"));
  check_golden("partition.sql");
}

static bool contains(const char *part) { return strstr(text.bytes, part) != NULL; }

static void test_oracle_explains(void **state) {
  struct ew_finding finding = partition_finding();
  (void)state;
  finding.oracle = ew_span_of(ew_oracle_partition.name);
  ew_report_markdown(&text, &finding, &profile);
  assert_true(contains("## Why it must hold\n\n"));
  assert_true(contains(ew_oracle_partition.explanation));
}

/* ---- titles ---- */

static void check_title(struct ew_finding finding, const char *expected) {
  assert_string_equal(ew_arena_string(&arena, ew_report_title(&arena, &finding, &profile)), expected);
}

static void test_titles(void **state) {
  (void)state;
  check_title(crash_finding(), "crash (SIGABRT) in transform_expression: double free or corruption (!prev)");
  check_title(partition_finding(),
              "wrong answer: a query and its parts return different rows: MATCH (n) RETURN n.i AS x");
  check_title(failure_finding(
                  (struct ew_statement_outcome){.kind = EW_OUTCOME_ERROR, .text = EW_SPAN("no such\ncolumn: \x1b[31m")},
                  "RETURN 1"),
              "unexpected error: no such column: \\x1b[31m");
  check_title(failure_finding((struct ew_statement_outcome){.kind = EW_OUTCOME_HANG}, "RETURN 1"),
              "hang: no answer, and it does not let itself be stopped");
}

static void test_long_title_is_cut(void **state) {
  char words[400];
  (void)state;
  for (size_t i = 0; i + 2 < sizeof words; i += 2) words[i] = (char)0xc3, words[i + 1] = (char)0xa9; /* é */
  words[sizeof words - 2] = '\0';
  struct ew_finding finding =
      failure_finding((struct ew_statement_outcome){.kind = EW_OUTCOME_ERROR, .text = ew_span_of(words)}, "RETURN 1");
  assert_true(finding.title.length < 250);
  assert_memory_equal(finding.title.bytes + finding.title.length - 5, "é…", 5);
}

/* ---- foreign text ---- */

static void test_no_text_ends_a_fence(void **state) {
  struct ew_finding finding = failure_finding(
      (struct ew_statement_outcome){.kind = EW_OUTCOME_ERROR, .text = EW_SPAN("x\n```\n# not a heading\n````\n")},
      "RETURN '```' AS x");
  (void)state;
  ew_report_markdown(&text, &finding, &profile);
  assert_true(contains("````cypher\nCREATE"));
  assert_true(contains("`````text\nx\n```\n# not a heading\n````\n`````\n"));
}

static void test_inline_text_is_escaped(void **state) {
  struct ew_finding finding = partition_finding();
  (void)state;
  finding.title = EW_SPAN("a `b` *c* <d> [e](f) _g_ h_i \x1b[31m\n# j | k \xff");
  ew_report_markdown(&text, &finding, &profile);
  assert_true(contains("# a \\`b\\` \\*c\\* \\<d\\> \\[e\\](f) \\_g\\_ h_i \\\\x1b\\[31m \\# j \\| k \xef\xbf\xbd\n"));
}

static void test_terminal_gets_no_foreign_escapes(void **state) {
  struct ew_finding finding = failure_finding(
      (struct ew_statement_outcome){.kind = EW_OUTCOME_ERROR, .text = EW_SPAN("\x1b]0;owned\x07 \xc2\x9b 31m")},
      "RETURN 1");
  (void)state;
  ew_report_text(&text, &finding, &profile, false);
  for (size_t i = 0; i < text.length; i++) assert_true((unsigned char)text.bytes[i] >= 0x20 || text.bytes[i] == '\n');
  assert_true(contains("\\x1b]0;owned\\x07 \\x9b 31m"));
}

/* ---- scripts ---- */

static void test_sqlite_quotes(void **state) {
  struct ew_finding finding = crash_finding();
  struct ew_parameter parameters[] = {{EW_SPAN("p"), ew_string(EW_SPAN("it's"))}, {EW_SPAN("q"), ew_integer(1)}};
  struct ew_statement statements[] = {
      {.text = EW_SPAN("RETURN 'it''s' AS x,\n'\\'' AS y")},
      {.text = EW_SPAN("RETURN $p"), .parameters = parameters, .parameter_count = 2},
      {.text = EW_SPAN("a\r\nb")},
      {.text = {"a\0b", 3}},
  };
  struct ew_run run = {.program = {statements, EW_COUNT(statements)}};
  (void)state;
  finding.runs = &run;
  ew_report_repro(&text, &finding, &profile);
  assert_true(contains(".bail off\n.load graphqlite\n"));
  assert_true(contains("SELECT cypher('RETURN ''it''''s'' AS x,\n''\\'''' AS y');\n"));
  assert_true(contains("SELECT cypher('RETURN $p', '{\"p\": \"it''s\",\"q\": 1}');\n"));
  assert_true(contains("SELECT cypher(CAST(x'610d0a62' AS TEXT));\nSELECT cypher(CAST(x'610062' AS TEXT));\n"));
}

static void test_z3_prints_answers(void **state) {
  struct ew_finding finding = partition_finding();
  (void)state;
  profile.shell = EW_SPAN("z3");
  finding.load = (struct ew_program){0};
  struct ew_run runs[] = {{.program = program_of("(declare-rel A ())\n(query A)\n", NULL)},
                          {.program = program_of("(declare-rel B ())\n(query B)\n", NULL)}};
  finding.runs = runs;
  finding.run_count = 2;
  assert_true(ew_span_is(ew_report_repro(&text, &finding, &profile), "smt2"));
  assert_true(contains("; Run 1\n(declare-rel A ())\n(query A :print-answer true)\n(reset)\n; Run 2\n"));
}

static void test_cypher_and_unknown_shells(void **state) {
  struct ew_finding finding = partition_finding();
  (void)state;
  profile.shell = EW_SPAN("cypher");
  assert_true(ew_span_is(ew_report_repro(&text, &finding, &profile), "cypher"));
  assert_true(contains("// Run 1\nMATCH (n) RETURN n.i AS x;\n// Run 2\n"));
  assert_true(ew_span_is(ew_report_repro(&text, &finding, NULL), "txt"));
}

/* ---- runs ---- */

static void test_formats(void **state) {
  struct ew_finding findings[] = {partition_finding(), crash_finding(), crash_finding()};
  (void)state;
  findings[1].group = findings[2].group = 2;
  memcpy(findings[2].id.text, "ffffffffffff", 13);
  ew_report_run(&text, EW_REPORT_text, findings, EW_COUNT(findings), &profile);
  assert_true(contains("3 findings in 2 groups, likely of 2 causes\n"));
  assert_true(contains("The same again: ffffffffffff\n"));
  ew_text_reset(&text);
  ew_report_run(&text, EW_REPORT_markdown, findings, EW_COUNT(findings), &profile);
  assert_true(contains("\n---\n\n# wrong answer"));
}

/* What option.def offers to users is just what there is. */
static void test_format_names(void **state) {
  static const char *const names[] = {
#define FORMAT(name, summary) #name,
#include "report/format.def"
#undef FORMAT
  };
  static const char *const arguments[] = {
#define OPTION(name, argument, type, commands, standard, help) [EW_OPTION_##name] = argument,
#include "cli/option.def"
#undef OPTION
  };
  enum ew_report_format format;
  (void)state;
  for (size_t i = 0; i < EW_COUNT(names); i++) ew_text_add_format(&text, "%s%s", i ? "|" : "", names[i]);
  assert_string_equal(arguments[EW_OPTION_format], text.bytes);
  for (size_t i = 0; i < EW_COUNT(names); i++) {
    assert_true(ew_report_format_read(ew_span_of(names[i]), &format));
    assert_int_equal(format, i);
  }
  assert_false(ew_report_format_read(EW_SPAN("pdf"), &format));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_markdown_of_wrong_answer, begin, end),
      cmocka_unit_test_setup_teardown(test_markdown_of_crash, begin, end),
      cmocka_unit_test_setup_teardown(test_text_of_wrong_answer, begin, end),
      cmocka_unit_test_setup_teardown(test_repro_for_sqlite, begin, end),
      cmocka_unit_test_setup_teardown(test_oracle_explains, begin, end),
      cmocka_unit_test_setup_teardown(test_titles, begin, end),
      cmocka_unit_test_setup_teardown(test_long_title_is_cut, begin, end),
      cmocka_unit_test_setup_teardown(test_no_text_ends_a_fence, begin, end),
      cmocka_unit_test_setup_teardown(test_inline_text_is_escaped, begin, end),
      cmocka_unit_test_setup_teardown(test_terminal_gets_no_foreign_escapes, begin, end),
      cmocka_unit_test_setup_teardown(test_sqlite_quotes, begin, end),
      cmocka_unit_test_setup_teardown(test_z3_prints_answers, begin, end),
      cmocka_unit_test_setup_teardown(test_cypher_and_unknown_shells, begin, end),
      cmocka_unit_test_setup_teardown(test_formats, begin, end),
      cmocka_unit_test_setup_teardown(test_format_names, begin, end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
