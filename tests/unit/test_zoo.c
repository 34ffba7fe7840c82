/* test_zoo.c: every plant of the zoo does what it says: its smallest script gives the right answer without it and the wrong one
   with it. All of bench/zoo.tsv is planted, word for word. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
/* cmocka wants these first */
#include <cmocka.h>
#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "lang/cypher/parser.h"
#include "lang/cypher/scope.h"
#include "model/model.h"

/* What a script came to: rows as zoo.def writes them, or an error. */
struct answer {
  struct ew_text text;
  bool failed;
  uint64_t work;
};

struct player {
  struct ew_model model;
  struct ew_arena arena, values;
  EW_VECTOR(struct ew_parameter) parameters;
};

static const struct ew_node *parse(struct player *player, struct ew_span text, struct answer *answer) {
  struct ew_builder builder = {&player->arena, 1};
  struct ew_cypher_syntax_error syntax;
  struct ew_cypher_problem problem;
  const struct ew_node *statement;
  if (ew_cypher_parse(&builder, text, &statement, &syntax) != EW_OK) {
    ew_text_add_string(&answer->text, syntax.message);
    answer->failed = true;
    return NULL;
  }
  if (ew_cypher_analyze(statement, &problem) || ew_model_forgives(&player->model, &problem)) return statement;
  ew_text_add_string(&answer->text, ew_cypher_detail_meaning(problem.detail));
  answer->failed = true;
  return NULL;
}

static void add_rows(struct ew_text *text, const struct ew_rows *rows) {
  if (!rows->row_count) ew_text_add_string(text, "no rows");
  for (size_t i = 0; i < rows->row_count; i++) {
    if (i) ew_text_add_string(text, " | ");
    for (size_t k = 0; k < rows->column_count; k++) {
      ew_text_add_format(text, "%s%.*s=", k ? ", " : "", EW_SPAN_ARGS(rows->columns[k]));
      ew_value_print(text, ew_row(rows, i)[k]);
    }
  }
}

static void set_parameter(struct player *player, struct ew_span name, struct ew_value value) {
  for (size_t i = 0; i < player->parameters.count; i++)
    if (ew_span_equal(player->parameters.items[i].name, name)) {
      player->parameters.items[i].value = value;
      return;
    }
  *ew_vector_push(&player->parameters) = (struct ew_parameter){ew_arena_copy(&player->values, name), value};
}

/* One statement, or `:param name => expression`. */
static void play_statement(struct player *player, struct ew_span text, struct answer *answer) {
  struct ew_span name = {0};
  struct ew_text line = {0};
  if (ew_span_starts(text, EW_SPAN(":param "))) {
    const char *arrow = memmem(text.bytes, text.length, " => ", 4);
    name = (struct ew_span){text.bytes + 7, (size_t)(arrow - text.bytes) - 7};
    ew_text_add_format(&line, "RETURN %.*s AS value", (int)(text.bytes + text.length - arrow - 4), arrow + 4);
    text = ew_text_span(&line);
  }
  struct ew_model_limits limits = {.steps = UINT64_C(100000000), .rows = 2000000, .bytes = 512 << 20};
  struct ew_model_options options = {
      .limits = &limits, .parameters = player->parameters.items, .parameter_count = player->parameters.count};
  struct ew_model_result result;
  ew_text_reset(&answer->text);
  answer->failed = false;
  ew_arena_reset(&player->arena);
  const struct ew_node *statement = parse(player, text, answer);
  if (statement) {
    ew_model_execute(&player->model, statement, &options, &player->arena, &result);
    answer->failed = result.error.code != EW_FAULT_NONE;
    if (answer->failed)
      ew_text_add_string(&answer->text, result.error.text);
    else if (name.length)
      set_parameter(player, name, ew_value_copy(&player->values, ew_row(&result.rows, 0)[0]));
    else
      add_rows(&answer->text, &result.rows);
  }
  ew_text_release(&line);
}

/* The answer to the last statement; earlier ones must not fail. */
static void play(const struct ew_plants *plants, const char *script, struct answer *answer) {
  struct player player = {0};
  ew_model_init(&player.model);
  ew_arena_init(&player.arena);
  ew_arena_init(&player.values);
  player.model.plants = *plants;
  for (const char *at = script; at;) {
    const char *end = strstr(at, " ;; ");
    struct ew_span text = {at, end ? (size_t)(end - at) : strlen(at)};
    play_statement(&player, text, answer);
    if (end && answer->failed) fail_msg("%.*s: %s", EW_SPAN_ARGS(text), answer->text.bytes);
    at = end ? end + 4 : NULL;
  }
  answer->work = player.model.planted.work;
  ew_vector_release(&player.parameters);
  ew_model_release(&player.model);
  ew_arena_release(&player.arena);
  ew_arena_release(&player.values);
}

/* How a child process ends that plays a script: the signal that killed it, or 0. */
static int play_in_child(const struct ew_plants *plants, const char *script, time_t seconds) {
  pid_t child = fork();
  if (child == 0) {
    struct answer answer = {0};
    if (!freopen("/dev/null", "w", stderr)) _exit(1);
    signal(SIGABRT, SIG_DFL);
    struct itimerval timer = {.it_value = {.tv_sec = seconds, .tv_usec = seconds ? 0 : 300000}};
    setitimer(ITIMER_VIRTUAL, &timer, NULL);
    play(plants, script, &answer);
    _exit(0);
  }
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

/* Slow ones: the script made smaller, and made larger by one step; the work must grow by so much. The whole scripts take
   their time: EDGEWISE_ZOO=whole runs them, too. */
static const struct growth {
  enum ew_plant plant;
  const char *from, *small, *large;
  double factor;
} growths[] = {
    {EW_PLANT_xor_chain_evaluates_operands_twice_per_level,
     "1, 1000) AS i WITH i % 2 = 0 AS b WHERE b XOR b XOR b XOR b", "1, 10) AS i WITH i % 2 = 0 AS b WHERE b",
     "1, 10) AS i WITH i % 2 = 0 AS b WHERE b XOR b", 1.9},
    {EW_PLANT_index_unused_when_operands_of_equality_are_swapped, "5000", "300", "600", 3.8},
    {EW_PLANT_distinct_of_strings_compares_with_every_earlier_value, "20000", "500", "1000", 3.8},
    {EW_PLANT_sort_of_sorted_input_is_quadratic, "20000", "500", "1000", 3.8},
    {EW_PLANT_exists_over_variable_length_enumerates_all_paths, "20", "10", "11", 1.9},
};

static char *replaced(const char *script, const char *from, const char *to) {
  struct ew_text text = {0};
  for (const char *at; (at = strstr(script, from)); script = at + strlen(from))
    ew_text_add_format(&text, "%.*s%s", (int)(at - script), script, to);
  ew_text_add_string(&text, script);
  return text.bytes;
}

static uint64_t work_of(const struct ew_plants *plants, const char *script) {
  struct answer answer = {0};
  play(plants, script, &answer);
  assert_false(answer.failed);
  ew_text_release(&answer.text);
  return answer.work;
}

static void check_growth(const struct growth *growth) {
  const char *script = ew_plant_entries[growth->plant].script;
  struct ew_plants none = {0}, one = {0};
  char *small = replaced(script, growth->from, growth->small), *large = replaced(script, growth->from, growth->large);
  ew_plants_add(&one, growth->plant);
  assert_string_not_equal(small, script);
  uint64_t before = work_of(&one, small), after = work_of(&one, large);
  assert_int_equal(work_of(&none, small), 0);
  if ((double)after < growth->factor * (double)before)
    fail_msg("%s: work goes from %llu to %llu", ew_plant_entries[growth->plant].name, (unsigned long long)before,
             (unsigned long long)after);
  ew_deallocate(small);
  ew_deallocate(large);
}

static void test_slow_ones(void **state) {
  (void)state;
  for (size_t i = 0; i < EW_COUNT(growths); i++) check_growth(&growths[i]);
  for (size_t i = 0; i < EW_PLANTS; i++) {
    bool known = ew_plant_entries[i].class != EW_PLANT_CLASS_SLOW;
    for (size_t k = 0; k < EW_COUNT(growths); k++) known |= (size_t)growths[k].plant == i;
    if (!known) fail_msg("%s is slow, but not known to be", ew_plant_entries[i].name);
  }
}

/* Whether an answer is `wanted`; of an error `exact` asks for its words, too. */
static bool is_answer(const struct answer *answer, const char *wanted, bool exact) {
  static const char error[] = "error: ";
  if (strncmp(wanted, error, sizeof error - 1) == 0)
    return answer->failed && (!exact || strstr(answer->text.bytes, wanted + sizeof error - 1));
  return !answer->failed && strcmp(answer->text.bytes, wanted) == 0;
}

static unsigned failures;

static void complain(const struct ew_plant_entry *entry, const char *when, const char *wanted, const char *got) {
  print_error("%s, %s: wanted %s, got %s\n", entry->name, when, wanted, got);
  failures++;
}

static void check_plant(enum ew_plant plant) {
  const struct ew_plant_entry *entry = &ew_plant_entries[plant];
  struct ew_plants none = {0}, one = {0};
  struct answer right = {0}, wrong = {0};
  ew_plants_add(&one, plant);
  play(&none, entry->script, &right);
  if (!is_answer(&right, entry->right, false)) complain(entry, "without it", entry->right, right.text.bytes);
  switch (entry->class) {
    case EW_PLANT_CLASS_CRASH:
      if (play_in_child(&one, entry->script, 20) != SIGABRT) complain(entry, "with it", "abort()", "none");
      break;
    case EW_PLANT_CLASS_HANG:
      if (play_in_child(&one, entry->script, 0) != SIGVTALRM) complain(entry, "with it", "no answer", "one");
      break;
    case EW_PLANT_CLASS_SLOW:
      if (!getenv("EDGEWISE_ZOO")) break;
      play(&one, entry->script, &wrong);
      if (!is_answer(&wrong, entry->right, false)) complain(entry, "with it", entry->right, wrong.text.bytes);
      if (right.work || wrong.work < 1000000) complain(entry, "with it", "much work", "little");
      break;
    default:
      play(&one, entry->script, &wrong);
      if (!is_answer(&wrong, entry->wrong, true)) complain(entry, "with it", entry->wrong, wrong.text.bytes);
      break;
  }
  ew_text_release(&right.text);
  ew_text_release(&wrong.text);
}

static void test_every_plant(void **state) {
  (void)state;
  const char *only = getenv("PLANT");
  failures = 0;
  for (size_t i = 0; i < EW_PLANTS; i++)
    if (!only || strstr(ew_plant_entries[i].name, only)) check_plant((enum ew_plant)i);
  assert_int_equal(failures, 0);
}

/* ---- bench/zoo.tsv ---- */

static struct ew_span next_field(struct ew_span *line) {
  const char *tab = memchr(line->bytes, '\t', line->length);
  struct ew_span field = {line->bytes, tab ? (size_t)(tab - line->bytes) : line->length};
  size_t used = field.length + (tab ? 1 : 0);
  *line = (struct ew_span){line->bytes + used, line->length - used};
  return field;
}

static void check_line(struct ew_span line) {
  struct ew_span name = next_field(&line);
  enum ew_plant plant;
  if (!ew_plant_find(name, &plant)) fail_msg("%.*s is not planted", EW_SPAN_ARGS(name));
  const struct ew_plant_entry *entry = &ew_plant_entries[plant];
  const char *const wanted[] = {
      ew_plant_class_name(entry->class), entry->area, entry->breaks, entry->script, entry->right, entry->wrong};
  for (size_t i = 0; i < EW_COUNT(wanted); i++) {
    struct ew_span field = next_field(&line);
    if (!ew_span_is(field, wanted[i])) fail_msg("%s: '%.*s' is not '%s'", entry->name, EW_SPAN_ARGS(field), wanted[i]);
  }
}

static void test_all_of_the_file(void **state) {
  (void)state;
  struct ew_text text = {0};
  struct ew_error error;
  size_t lines = 0;
  if (ew_file_read("bench/zoo.tsv", 1 << 20, &text, &error) != EW_OK) fail_msg("%s", error.text);
  for (size_t at = 0; at < text.length; lines++) {
    const char *end = memchr(text.bytes + at, '\n', text.length - at);
    size_t length = end ? (size_t)(end - text.bytes) - at : text.length - at;
    if (lines && length) check_line((struct ew_span){text.bytes + at, length});
    at += length + 1;
  }
  assert_true(lines > 100);
  ew_text_release(&text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_all_of_the_file),
      cmocka_unit_test(test_every_plant),
      cmocka_unit_test(test_slow_ones),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
