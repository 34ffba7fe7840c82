/* test_case.c: cases and findings as they are stored: written, read back, and read from bytes that somebody damaged. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>

#include "base/allocate.h"
#include "contract/finding.h"
#include "lang/languages.h"
#include "random_value.h"
#include "report/report.h"
#include "scripted.h"

static struct ew_arena arena;
static struct ew_profile profile;

static int begin(void **state) {
  struct ew_error error;
  (void)state;
  ew_arena_init(&arena);
  return (int)ew_profile_parse(&profile, "profile.ini", ew_span_of(SCRIPTED("")), &error);
}

static int end(void **state) {
  (void)state;
  ew_profile_release(&profile);
  ew_arena_release(&arena);
  return 0;
}

/* ---- a finding with something in every place ---- */

static struct ew_program program_of(const char *first, const char *second, struct ew_names columns) {
  struct ew_statement *statements = EW_NEW_ARRAY(&arena, struct ew_statement, 2);
  statements[0].text = ew_span_of(first);
  if (second) statements[1] = (struct ew_statement){.text = ew_span_of(second), .columns = columns};
  return (struct ew_program){statements, second ? 2 : 1};
}

static struct ew_rows random_rows(struct maker *maker, struct ew_names columns, size_t count) {
  struct ew_value *values = EW_NEW_ARRAY(&arena, struct ew_value, count * columns.count);
  for (size_t i = 0; i < count * columns.count; i++) values[i] = random_value(maker, 2);
  return (struct ew_rows){columns.items, columns.count, values, count};
}

static struct ew_finding make_finding(uint64_t seed) {
  static const struct ew_span columns[] = {{"c0", 2}, {"c \"1\"\n", 6}}, frames[] = {{"f", 1}, {"libx.so+0x12", 12}};
  static const int64_t numbers[] = {0, -1, INT64_MAX, INT64_MIN};
  struct maker maker = {.random = ew_random_from(seed), .arena = &arena};
  struct ew_names names = {columns, 2};
  struct ew_run *runs = EW_NEW_ARRAY(&arena, struct ew_run, 2);
  struct ew_outcome *outcomes = EW_NEW_ARRAY(&arena, struct ew_outcome, 2);
  struct ew_statement_outcome *parts = EW_NEW_ARRAY(&arena, struct ew_statement_outcome, 3);
  struct ew_program *history = EW_NEW_ARRAY(&arena, struct ew_program, 1);
  runs[0].program = program_of("MATCH (n) RETURN n AS c0", NULL, names);
  runs[1].program = program_of("RETURN 1", "RETURN 2 AS `c \"1\"`", names);
  parts[0] = (struct ew_statement_outcome){.kind = EW_OUTCOME_CRASH,
                                           .signal = SIGSEGV,
                                           .frames = {frames, 2},
                                           .text = EW_SPAN("last \x01 words \xff"),
                                           .nanoseconds = 12};
  parts[1] = (struct ew_statement_outcome){.kind = EW_OUTCOME_ERROR,
                                           .error_class = EW_ERROR_EXPECTED,
                                           .text = EW_SPAN("no"),
                                           .code = EW_SPAN("E1"),
                                           .plan = EW_SPAN("Scan")};
  parts[2] = (struct ew_statement_outcome){.kind = EW_OUTCOME_ROWS, .rows = random_rows(&maker, names, 2)};
  outcomes[0] = (struct ew_outcome){parts, 1};
  outcomes[1] = (struct ew_outcome){parts + 1, 2};
  history[0] = program_of("CREATE (:A)", NULL, names);
  struct ew_finding finding = {
      .state = EW_SEEN_ONCE,
      .oracle = EW_SPAN("survive"),
      .test = cypher_case(&arena, "CREATE (:A {x: 1})", "MATCH (n:A) WHERE n.x > $p RETURN n.x AS c0", "n.x = 1"),
      .claim = {.relation = EW_RELATION_sum, .combiner = EW_COMBINE_COUNT},
      .why = {.text = EW_SPAN("it \"differs\""), .expected = random_rows(&maker, names, 1), .run = 1, .statement = 1},
      .engine = EW_SPAN("scripted"),
      .version = EW_SPAN("1"),
      .engine_says = EW_SPAN("one"),
      .load = history[0],
      .runs = runs,
      .outcomes = outcomes,
      .run_count = 2,
      .history = history,
      .history_count = 1,
      .joined = true,
      .group = UINT64_C(0xfedcba9876543210),
      .shape = EW_SPAN("shape"),
      .title = EW_SPAN("title"),
      .reduced = true,
      .tries = 17,
      .bytes_before = 1000,
      .bytes_after = 10,
      .environment = EW_SPAN("Linux"),
  };
  finding.test.recipe.numbers = numbers;
  finding.test.recipe.number_count = EW_COUNT(numbers);
  finding.test.key = (struct ew_case_key){1, UINT64_MAX, UINT64_MAX - 1, UINT64_MAX - 2};
  finding.id = ew_finding_id(&finding.test.key, "survive");
  return finding;
}

static struct ew_span write_finding(const struct ew_finding *finding) {
  struct ew_text text = {0};
  struct ew_json_writer writer;
  ew_json_writer_init(&writer, &text, 0);
  ew_finding_write_json(&writer, finding);
  struct ew_span copy = ew_arena_copy(&arena, ew_text_span(&text));
  ew_text_release(&text);
  return copy;
}

static enum ew_status read_finding(struct ew_arena *where, struct ew_span bytes, struct ew_finding *finding,
                                   struct ew_error *error) {
  const struct ew_json *json;
  enum ew_status status = ew_json_read(where, bytes, (struct ew_json_options){0}, &json, error);
  return status ? status : ew_finding_read_json(where, ew_languages, json, finding, error);
}

/* ---- good ones ---- */

static void findings_come_back(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 200; seed++) {
    struct ew_finding finding = make_finding(seed), again;
    struct ew_error error = {""};
    struct ew_span bytes = write_finding(&finding);
    if (read_finding(&arena, bytes, &again, &error)) fail_msg("%s: %.*s", error.text, EW_SPAN_ARGS(bytes));
    assert_true(ew_span_equal(write_finding(&again), bytes));
    assert_true(ew_tree_equal(finding.test.base, again.test.base));
    assert_true(finding.test.key.seed == again.test.key.seed && finding.test.key.shape == again.test.key.shape);
    assert_int_equal(again.test.recipe.numbers[3], INT64_MIN);
    assert_int_equal(again.state, EW_SEEN_ONCE);
    assert_int_equal(again.claim.combiner, EW_COMBINE_COUNT);
    assert_true(again.joined && again.reduced && again.group == finding.group);
    assert_int_equal(again.outcomes[0].statements[0].signal, SIGSEGV);
    assert_int_equal(again.outcomes[1].statements[0].error_class, EW_ERROR_EXPECTED);
    ew_arena_reset(&arena);
  }
}

/* Ids are in people's bookmarks and issues: they stay. */
static void ids_are_golden(void **state) {
  (void)state;
  static const struct ew_case_key keys[] = {{1, 7, 0, 0}, {1, 7, 1, 0}, {1, 8, 0, 0}, {1, 7, 0, 1}, {2, 7, 0, 0}};
  static const char *const ids[] = {"89fa80b00cb2", "a4a145b774ac", "1edce38f254a", "46f15f3ea84a", "80a96cd9a919"};
  for (size_t i = 0; i < EW_COUNT(keys); i++) assert_string_equal(ew_finding_id(&keys[i], "survive").text, ids[i]);
  assert_string_equal(ew_finding_id(&keys[0], "partition").text, "0962df77de59");
}

static void a_copy_needs_nothing(void **state) {
  (void)state;
  struct ew_arena other;
  ew_arena_init(&other);
  struct ew_finding finding = make_finding(5);
  struct ew_case copy = ew_case_clone(&other, &finding.test);
  struct ew_text before = {0}, after = {0};
  struct ew_json_writer writer;
  ew_json_writer_init(&writer, &before, 1);
  ew_case_write_json(&writer, &finding.test);
  ew_arena_reset(&arena);
  memset(ew_arena_take(&arena, 100000), 0x55, 100000);
  ew_json_writer_init(&writer, &after, 1);
  ew_case_write_json(&writer, &copy);
  assert_true(ew_span_equal(ew_text_span(&before), ew_text_span(&after)));
  ew_text_release(&before);
  ew_text_release(&after);
  ew_arena_release(&other);
}

static void large_answers_are_cut(void **state) {
  (void)state;
  struct ew_finding finding = make_finding(5), again;
  struct ew_value *values = EW_NEW_ARRAY(&arena, struct ew_value, 2000000);
  struct ew_statement_outcome *outcome = EW_NEW(&arena, struct ew_statement_outcome);
  struct ew_error error;
  *outcome = (struct ew_statement_outcome){.rows = {NULL, 1, values, 2000000}};
  ((struct ew_outcome *)(uintptr_t)finding.outcomes)[0].statements = outcome;
  finding.why.actual = outcome->rows;
  struct ew_span bytes = write_finding(&finding);
  assert_true(bytes.length < 1 << 20);
  assert_int_equal(read_finding(&arena, bytes, &again, &error), EW_OK);
  assert_int_equal(again.outcomes[0].statements[0].rows.row_count, EW_OUTCOME_ROWS_STORED);
}

/* ---- damaged ones ---- */

/* Whoever has read a finding shows it, prints its case, and checks it: none of that may crash. */
static void use(struct ew_arena *where, const struct ew_finding *finding) {
  const struct ew_case *test = &finding->test;
  struct ew_text text = {0};
  ew_report_text(&text, finding, &profile, true);
  ew_report_markdown(&text, finding, &profile);
  ew_report_repro(&text, finding, &profile);
  if (test->language->check(test, true)) {
    test->language->load(where, &test->scene, &profile);
    test->language->ask(where, &test->scene, test->base, &profile);
    test->language->shape(&text, test->base);
  }
  ew_text_release(&text);
}

static bool try_bytes(struct ew_arena *where, const char *bytes, size_t length) {
  struct ew_finding finding;
  struct ew_error error = {""};
  enum ew_status status = read_finding(where, (struct ew_span){bytes, length}, &finding, &error);
  if (status) {
    assert_true(status == EW_BAD || status == EW_LIMIT);
    assert_true(error.text[0]);
  } else {
    use(where, &finding);
  }
  ew_arena_reset(where);
  return !status;
}

/* Each in a block of its own, so that a sanitizer sees a read behind its end. */
static void truncated_findings_are_refused(void **state) {
  (void)state;
  struct ew_arena scratch;
  ew_arena_init(&scratch);
  struct ew_finding finding = make_finding(5);
  struct ew_span bytes = write_finding(&finding);
  for (size_t length = 0; length < bytes.length; length++) {
    char *copy = ew_allocate_copy(bytes.bytes, length);
    assert_false(try_bytes(&scratch, copy, length));
    ew_deallocate(copy);
  }
  ew_arena_release(&scratch);
}

/* One to four bytes changed, some for bytes that mean something in JSON. */
static void damage(struct ew_random *random, char *bytes, size_t length) {
  static const char meaning[] = "{}[]\":,0123456789-.eE\\ntf";
  for (uint32_t left = 1 + ew_random_below(random, 4); left; left--) {
    size_t at = ew_random_below(random, (uint32_t)length);
    bytes[at] = ew_random_chance(random, 50) ? meaning[ew_random_below(random, sizeof meaning - 1)]
                                             : (char)ew_random_below(random, 256);
  }
}

static void damaged_findings_are_harmless(void **state) {
  (void)state;
  struct ew_arena scratch;
  struct ew_random random = ew_random_from(11);
  size_t good = 0;
  ew_arena_init(&scratch);
  struct ew_finding finding = make_finding(5);
  struct ew_span bytes = write_finding(&finding);
  for (int i = 0; i < 4000; i++) {
    char *copy = ew_allocate_copy(bytes.bytes, bytes.length);
    damage(&random, copy, bytes.length);
    good += try_bytes(&scratch, copy, bytes.length);
    ew_deallocate(copy);
  }
  assert_in_range(good, 100, 3900);
  ew_arena_release(&scratch);
}

/* Well-formed JSON with the wrong things in it: a member is dropped, or another one's value stands in its place. */
static void write_shuffled(struct ew_json_writer *writer, const struct ew_json *json, const struct ew_json *other,
                           size_t *countdown);

static void write_object(struct ew_json_writer *writer, const struct ew_json *json, const struct ew_json *other,
                         size_t *countdown) {
  ew_json_begin_object(writer);
  for (size_t i = 0; i < json->count; i++) {
    if (--*countdown == 0 && !other) continue;
    ew_json_key_span(writer, json->keys[i]);
    write_shuffled(writer, *countdown == 0 ? other : &json->items[i], other, countdown);
  }
  ew_json_end_object(writer);
}

static void write_shuffled(struct ew_json_writer *writer, const struct ew_json *json, const struct ew_json *other,
                           size_t *countdown) {
  switch (json->kind) {
    case EW_JSON_NULL: ew_json_null(writer); break;
    case EW_JSON_BOOL: ew_json_bool(writer, json->boolean); break;
    case EW_JSON_INTEGER: ew_json_integer(writer, json->integer); break;
    case EW_JSON_FLOAT: ew_json_double(writer, json->number); break;
    case EW_JSON_STRING: ew_json_string(writer, json->string); break;
    case EW_JSON_OBJECT: write_object(writer, json, other, countdown); break;
    case EW_JSON_ARRAY:
      ew_json_begin_array(writer);
      for (size_t i = 0; i < json->count; i++) write_shuffled(writer, &json->items[i], other, countdown);
      ew_json_end_array(writer);
      break;
  }
}

static void misplaced_members_are_harmless(void **state) {
  (void)state;
  static const char *const others[] = {"{}",
                                       "[]",
                                       "[1]",
                                       "[{}]",
                                       "-1",
                                       "9223372036854775807",
                                       "\"\"",
                                       "\"clean\"",
                                       "null",
                                       "true",
                                       "1.5",
                                       "{\"kind\": \"literal\"}",
                                       "{\"kind\": \"variable\", \"id\": 1, \"name\": \"n\"}"};
  const struct ew_json *json, *other;
  struct ew_arena scratch;
  struct ew_error error;
  ew_arena_init(&scratch);
  struct ew_finding finding = make_finding(5);
  assert_int_equal(ew_json_read(&arena, write_finding(&finding), (struct ew_json_options){0}, &json, &error), EW_OK);
  for (size_t i = 0; i <= EW_COUNT(others); i++) {
    other = NULL;
    if (i)
      assert_int_equal(ew_json_read(&arena, ew_span_of(others[i - 1]), (struct ew_json_options){0}, &other, &error),
                       EW_OK);
    for (size_t at = 1;; at++) {
      struct ew_text text = {0};
      struct ew_json_writer writer;
      size_t countdown = at;
      ew_json_writer_init(&writer, &text, 0);
      write_shuffled(&writer, json, other, &countdown);
      try_bytes(&scratch, text.bytes, text.length);
      ew_text_release(&text);
      if (countdown && countdown < SIZE_MAX / 2) break; /* there are not so many members */
    }
  }
  ew_arena_release(&scratch);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(findings_come_back, begin, end),
      cmocka_unit_test_setup_teardown(ids_are_golden, begin, end),
      cmocka_unit_test_setup_teardown(a_copy_needs_nothing, begin, end),
      cmocka_unit_test_setup_teardown(large_answers_are_cut, begin, end),
      cmocka_unit_test_setup_teardown(truncated_findings_are_refused, begin, end),
      cmocka_unit_test_setup_teardown(damaged_findings_are_harmless, begin, end),
      cmocka_unit_test_setup_teardown(misplaced_members_are_harmless, begin, end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
