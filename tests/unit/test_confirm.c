/* test_confirm.c: from a test that is played to a finding that is confirmed, seen once or flaky, with the scripted engine in real
   host processes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "hunt/confirm.h"
#include "hunt/reduce_finding.h"
#include "oracle/oracles.h"
#include "scripted.h"

struct fixture {
  struct ew_arena arena;
  struct ew_profile profile;
  struct ew_stage main, bench;
  char folder
      [64]; /* the tests run in it, so that the files of ONCE need no path: one would make other cases each time */
  char before[4096];
};

static int begin(void **state) {
  static struct fixture fixture;
  fixture = (struct fixture){.folder = "/tmp/edgewise-test-XXXXXX"};
  *state = &fixture;
  ew_arena_init(&fixture.arena);
  if (!getcwd(fixture.before, sizeof fixture.before) || !mkdtemp(fixture.folder)) return -1;
  return chdir(fixture.folder);
}

/* No process may be left. */
static int end(void **state) {
  struct fixture *fixture = *state;
  ew_stage_release(&fixture->main);
  ew_stage_release(&fixture->bench);
  ew_profile_release(&fixture->profile);
  ew_arena_release(&fixture->arena);
  if (chdir(fixture->before) != 0) return -1;
  ew_folder_remove(fixture->folder);
  return waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD ? 0 : -1;
}

static void set_up(struct fixture *fixture, const char *text) {
  struct ew_error error = {""};
  assert_int_equal(ew_profile_parse(&fixture->profile, "profile.ini", ew_span_of(text), &error), EW_OK);
  struct ew_target target = {.profile = &fixture->profile, .version = EW_SPAN("1")};
  assert_int_equal(ew_stage_init(&fixture->main, &target, 200 * EW_MILLISECOND, &error), EW_OK);
  assert_int_equal(ew_stage_init(&fixture->bench, &target, 200 * EW_MILLISECOND, &error), EW_OK);
}

static struct ew_trial play(struct fixture *fixture, const struct ew_case *test, const struct ew_oracle *oracle,
                            uint64_t token) {
  struct ew_trial trial;
  struct ew_error error = {""};
  enum ew_status status = ew_stage_play(&fixture->main, test, oracle, token, &fixture->arena, &trial, &error);
  if (status) fail_msg("%s", error.text);
  return trial;
}

static struct ew_finding confirm(struct fixture *fixture, const struct ew_case *test, const struct ew_oracle *oracle,
                                 const struct ew_trial *trial) {
  struct ew_finding finding;
  struct ew_error error = {""};
  ew_trial_finding(trial, test, oracle, &fixture->main, &fixture->arena, &finding);
  enum ew_status status =
      ew_confirm(&fixture->bench, oracle, NULL, (struct ew_history){0}, &fixture->arena, &finding, &error);
  if (status) fail_msg("%s", error.text);
  return finding;
}

/* ---- one case ---- */

static const char scene[] = "CREATE (:A {x: 1})", base[] = "MATCH (n:A) RETURN n.x AS c0";

/* Plays the case once, expects a violation by `kind` where the relation is `clean`, and confirms it. */
static struct ew_finding pursue(struct fixture *fixture, const char *profile, const char *predicate,
                                enum ew_outcome_kind kind) {
  const struct ew_oracle *oracle = predicate ? &ew_oracle_partition : &ew_oracle_survive;
  set_up(fixture, profile);
  struct ew_case test = cypher_case(&fixture->arena, scene, base, predicate);
  struct ew_trial trial = play(fixture, &test, oracle, 1);
  assert_true(trial.applies);
  assert_int_equal(trial.verdict, EW_VIOLATED);
  struct ew_finding finding = confirm(fixture, &test, oracle, &trial);
  if (!predicate) assert_int_equal(ew_finding_culprit(&finding)->kind, kind);
  assert_int_equal(finding.history_count, 0);
  return finding;
}

static void nothing_wrong_is_no_violation(void **state) {
  struct fixture *fixture = *state;
  set_up(fixture,
         SCRIPTED("when.r = *:B* => ERROR refused\nwhen.e = *:C* => ERROR expected\nwhen.s = *:D* => SLEEP 5000\n"));
  static const char *const queries[] = {base, "MATCH (n:B) RETURN n AS c", "MATCH (n:C) RETURN n AS c",
                                        "MATCH (n:D) RETURN n AS c"};
  for (size_t i = 0; i < EW_COUNT(queries); i++) {
    struct ew_case test = cypher_case(&fixture->arena, scene, queries[i], NULL);
    struct ew_trial trial = play(fixture, &test, &ew_oracle_survive, 1);
    assert_int_equal(trial.verdict, i ? EW_INCONCLUSIVE : EW_HOLDS);
    assert_false(trial.in_load);
  }
  struct ew_case test = cypher_case(&fixture->arena, scene, base, "n.x = 1");
  assert_int_equal(play(fixture, &test, &ew_oracle_partition, 1).verdict, EW_HOLDS);
  assert_int_equal(fixture->main.scenes, 1);
}

static void crashes_are_confirmed(void **state) {
  struct ew_finding finding = pursue(*state, SCRIPTED("when.c = MATCH* => CRASH segv\n"), NULL, EW_OUTCOME_CRASH);
  assert_int_equal(finding.state, EW_CONFIRMED);
  assert_int_equal(ew_finding_culprit(&finding)->signal, SIGSEGV);
  assert_int_equal(finding.load.count, 1);
  assert_true(ew_span_is(finding.engine_says, "1"));
}

static void deaths_without_a_trace_are_confirmed(void **state) {
  struct ew_finding finding = pursue(*state, SCRIPTED("when.c = MATCH* => CRASH exit 3\n"), NULL, EW_OUTCOME_CRASH);
  assert_int_equal(finding.state, EW_CONFIRMED);
}

static void errors_are_confirmed(void **state) {
  struct ew_finding finding =
      pursue(*state, SCRIPTED("when.c = MATCH* => ERROR internal error\n"), NULL, EW_OUTCOME_ERROR);
  assert_int_equal(finding.state, EW_CONFIRMED);
}

static void hangs_are_confirmed(void **state) {
  struct ew_finding finding = pursue(*state, SCRIPTED("when.c = MATCH* => HANG\n"), NULL, EW_OUTCOME_HANG);
  assert_int_equal(finding.state, EW_CONFIRMED);
}

static void garbage_is_confirmed(void **state) {
  struct ew_finding finding = pursue(*state, SCRIPTED("when.c = MATCH* => GARBAGE 1000\n"), NULL, EW_OUTCOME_CORRUPT);
  assert_int_equal(finding.state, EW_CONFIRMED);
}

static void silence_is_confirmed(void **state) {
  struct ew_finding finding = pursue(*state, SCRIPTED("when.c = MATCH* => SILENCE\n"), NULL, EW_OUTCOME_LOST);
  assert_int_equal(finding.state, EW_CONFIRMED);
}

static void wrong_answers_are_confirmed(void **state) {
  struct ew_finding finding = pursue(*state, SCRIPTED("when.w = *IS NULL* => FILL 2\n"), "n.x = 1", EW_OUTCOME_ROWS);
  assert_int_equal(finding.state, EW_CONFIRMED);
  assert_int_equal(finding.run_count, 4);
  assert_int_equal(finding.why.expected.row_count + finding.why.actual.row_count, 2);
}

static void a_crash_that_does_not_come_back_is_seen_once(void **state) {
  struct ew_finding finding =
      pursue(*state, SCRIPTED("when.c = MATCH* => ONCE flag CRASH segv\n"), NULL, EW_OUTCOME_CRASH);
  assert_int_equal(finding.state, EW_SEEN_ONCE);
}

static void a_death_without_a_trace_that_does_not_come_back_is_flaky(void **state) {
  struct ew_finding finding =
      pursue(*state, SCRIPTED("when.c = MATCH* => ONCE flag CRASH exit 3\n"), NULL, EW_OUTCOME_CRASH);
  assert_int_equal(finding.state, EW_FLAKY);
}

static void an_error_that_does_not_come_back_is_flaky(void **state) {
  struct ew_finding finding =
      pursue(*state, SCRIPTED("when.c = MATCH* => ONCE flag ERROR oops\n"), NULL, EW_OUTCOME_ERROR);
  assert_int_equal(finding.state, EW_FLAKY);
}

static void a_wrong_answer_that_does_not_come_back_is_flaky(void **state) {
  struct ew_finding finding =
      pursue(*state, SCRIPTED("when.w = *IS NULL* => ONCE flag FILL 1\n"), "n.x = 1", EW_OUTCOME_ROWS);
  assert_int_equal(finding.state, EW_FLAKY);
}

/* Another failure than the one that was seen is no confirmation. */
static void another_failure_is_not_the_same(void **state) {
  struct ew_finding finding = pursue(*state,
                                     SCRIPTED("when.a = *:A* => ONCE flag CRASH segv\n"
                                              "when.b = *RETURN* => ERROR never reached\n"),
                                     NULL, EW_OUTCOME_CRASH);
  assert_int_equal(finding.state, EW_SEEN_ONCE);
}

/* ---- scenes ---- */

static void a_scene_that_crashes_is_a_finding(void **state) {
  struct ew_finding finding = pursue(*state, SCRIPTED("when.c = CREATE* => CRASH abort\n"), NULL, EW_OUTCOME_CRASH);
  assert_int_equal(finding.state, EW_CONFIRMED);
  assert_int_equal(finding.load.count, 0);
  assert_int_equal(finding.run_count, 1);
  assert_true(ew_span_starts(finding.runs[0].program.statements[0].text, EW_SPAN("CREATE")));
}

static void a_scene_that_is_refused_is_none(void **state) {
  struct fixture *fixture = *state;
  set_up(fixture, SCRIPTED("when.c = CREATE* => ERROR refused\n"));
  struct ew_case test = cypher_case(&fixture->arena, scene, base, NULL);
  struct ew_trial trial = play(fixture, &test, &ew_oracle_survive, 1);
  assert_true(trial.in_load);
  assert_int_equal(trial.verdict, EW_INCONCLUSIVE);
}

static void an_engine_that_does_not_start_is_an_error(void **state) {
  struct fixture *fixture = *state;
  struct ew_trial trial;
  struct ew_error error;
  set_up(fixture, SCRIPTED("fail_open = 1\n"));
  struct ew_case test = cypher_case(&fixture->arena, scene, base, NULL);
  assert_int_equal(ew_stage_play(&fixture->main, &test, &ew_oracle_survive, 1, &fixture->arena, &trial, &error),
                   EW_MISSING);
  assert_string_equal(error.text, "told not to open");
}

/* ---- history ---- */

/* Plays cases 0 and on, as a worker does, until one violates; gives its number. */
static uint64_t play_until(struct fixture *fixture, struct ew_case_source *source, struct ew_case *test,
                           const struct ew_oracle **oracle, struct ew_trial *trial, uint64_t *numbers, size_t *count) {
  for (uint64_t n = 0; n < 2000; n++) {
    if (!ew_case_source_case(source, n, &fixture->arena, test, oracle)) continue;
    *trial = play(fixture, test, *oracle, n / EW_CASES_PER_SCENE + 1);
    if (trial->verdict == EW_VIOLATED) {
      *test = ew_case_clone(&fixture->arena, test);
      return n;
    }
    numbers[(*count)++] = n;
  }
  fail_msg("nothing in 2000 cases");
  return 0;
}

static struct ew_finding pursue_with_history(struct fixture *fixture, const char *profile) {
  static const struct ew_oracle *const oracles[] = {&ew_oracle_survive, NULL};
  static uint64_t numbers[2000];
  struct ew_generate_options options = ew_generate_options_standard;
  struct ew_case_source source, again;
  struct ew_case test;
  const struct ew_oracle *oracle;
  struct ew_trial trial;
  struct ew_finding finding;
  struct ew_error error = {""};
  size_t count = 0;
  set_up(fixture, profile);
  options.style = EW_STYLE_PREDICATE; /* short statements, so that not all have everything */
  assert_int_equal(ew_case_source_init(&source, &fixture->profile, oracles, &options, 7, &error), EW_OK);
  assert_int_equal(ew_case_source_init(&again, &fixture->profile, oracles, &options, 7, &error), EW_OK);
  play_until(fixture, &source, &test, &oracle, &trial, numbers, &count);
  ew_trial_finding(&trial, &test, trial.in_load ? &ew_oracle_survive : oracle, &fixture->main, &fixture->arena,
                   &finding);
  enum ew_status status = ew_confirm(&fixture->bench, oracle, &again, (struct ew_history){numbers, count},
                                     &fixture->arena, &finding, &error);
  if (status) fail_msg("%s", error.text);
  /* As it is stored, and read back, it shows again. */
  if (finding.state == EW_CONFIRMED) {
    bool seen;
    assert_int_equal(ew_confirm_once(&fixture->bench, oracle, &fixture->arena, &finding, &seen, &error), EW_OK);
    assert_true(seen);
  }
  ew_case_source_release(&source);
  ew_case_source_release(&again);
  return finding;
}

static size_t statements_of(const struct ew_finding *finding) {
  size_t count = 0;
  for (size_t i = 0; i < finding->history_count; i++) count += finding->history[i].count;
  return count;
}

static void a_state_that_leaks_needs_its_history(void **state) {
  struct ew_finding finding = pursue_with_history(*state, SCRIPTED("when.set = *abs(* => LEAK-STATE set x\n"
                                                                   "when.get = *toUpper(* => IF-LEAKED CRASH segv\n"));
  assert_int_equal(finding.state, EW_CONFIRMED);
  assert_int_equal(finding.history_count, 1);
  assert_int_equal(statements_of(&finding), 1);
  const struct ew_statement *needed = &finding.history[0].statements[0];
  assert_non_null(memmem(needed->text.bytes, needed->text.length, "abs(", 4));
  assert_null(needed->tree);
}

static void a_state_of_the_same_scene_does_too(void **state) {
  struct ew_finding finding = pursue_with_history(*state, SCRIPTED("when.set = *CASE* => STATE set x\n"
                                                                   "when.get = *toUpper(* => FLAKY-CRASH 3\n"));
  assert_int_equal(finding.state, EW_CONFIRMED);
  assert_true(statements_of(&finding) >= 1 && statements_of(&finding) <= 4);
}

/* The crash comes with the reset before the next scene. */
static void a_poisoned_reset_needs_its_history(void **state) {
  struct ew_finding finding = pursue_with_history(*state, SCRIPTED("when.set = *abs(* => POISON\n"));
  assert_int_equal(finding.state, EW_CONFIRMED);
  assert_int_equal(statements_of(&finding), 1);
  assert_int_equal(ew_finding_culprit(&finding)->signal, SIGSEGV);
  for (size_t i = 0; i < finding.run_count; i++)
    assert_int_equal(finding.runs[i].program.count, finding.outcomes[i].count);
}

static void what_no_history_explains_is_not_confirmed(void **state) {
  struct ew_finding finding = pursue_with_history(*state, SCRIPTED("when.c = *abs(* => ONCE flag CRASH segv\n"));
  assert_int_equal(finding.state, EW_SEEN_ONCE);
  assert_int_equal(finding.history_count, 0);
}

/* ---- reduction ---- */

static void reduce(struct fixture *fixture, struct ew_finding *finding, unsigned tries) {
  struct ew_reduce_options options = {.tries = tries, .time = 20 * EW_SECOND};
  struct ew_error error = {""};
  finding->bytes_before = ew_finding_script_bytes(finding);
  enum ew_status status =
      ew_finding_reduce(&fixture->bench, ew_oracle_find(finding->oracle), &fixture->arena, &options, finding, &error);
  if (status) fail_msg("%s", error.text);
  assert_true(finding->tries <= tries);
  assert_int_equal(finding->bytes_after, ew_finding_script_bytes(finding));
}

static bool says(const struct ew_finding *finding, const char *text) {
  return finding->runs[0].program.count == 1 && ew_span_is(finding->runs[0].program.statements[0].text, text);
}

static void findings_are_reduced(void **state) {
  struct ew_finding finding =
      pursue(*state, SCRIPTED("when.c = *n.x* => ERROR internal error\n"), NULL, EW_OUTCOME_ERROR);
  reduce(*state, &finding, 100);
  assert_true(finding.reduced);
  assert_int_equal(finding.load.count, 0);
  assert_true(says(&finding, "MATCH (n) RETURN n.x AS b"));
}

static void crashes_are_reduced(void **state) {
  struct ew_finding finding = pursue(*state, SCRIPTED("when.c = MATCH* => CRASH segv\n"), NULL, EW_OUTCOME_CRASH);
  reduce(*state, &finding, 100);
  assert_true(finding.reduced && says(&finding, "MATCH () RETURN null AS a"));
  assert_int_equal(ew_finding_culprit(&finding)->signal, SIGSEGV);
}

/* The scene leaves something in the engine that outlives a reset: so tries without the scene seem to show it. */
#define LEAKING \
  SCRIPTED("when.set = CREATE* => LEAK-STATE set x\nwhen.get = MATCH* => IF-LEAKED ERROR internal error\n")

static void what_tries_leave_behind_does_not_mislead(void **state) {
  struct ew_finding finding = pursue(*state, LEAKING, NULL, EW_OUTCOME_ERROR);
  assert_int_equal(finding.state, EW_CONFIRMED);
  reduce(*state, &finding, 200);
  assert_true(finding.reduced && says(&finding, "MATCH () RETURN null AS a"));
  assert_int_equal(finding.load.count, 1);
  assert_true(ew_span_is(finding.load.statements[0].text, "CREATE ()"));
}

/* Wherever the tries end: what is taken shows on a clean engine, else all is as it was. */
static void what_does_not_show_on_a_clean_engine_is_not_taken(void **state) {
  struct ew_finding original = pursue(*state, LEAKING, NULL, EW_OUTCOME_ERROR);
  size_t refused = 0;
  for (unsigned tries = 1; tries <= 30; tries++) {
    struct ew_finding finding = original;
    reduce(*state, &finding, tries);
    assert_int_equal(finding.load.count, 1);
    if (finding.reduced) continue;
    refused++;
    assert_true(finding.bytes_after == finding.bytes_before && says(&finding, base));
  }
  assert_true(refused > 0);
}

static void a_finding_with_history_is_reduced(void **state) {
  struct ew_finding finding = pursue_with_history(*state, SCRIPTED("when.set = *abs(* => LEAK-STATE set x\n"
                                                                   "when.get = *toUpper(* => IF-LEAKED CRASH segv\n"));
  size_t before = ew_finding_script_bytes(&finding);
  reduce(*state, &finding, 1000);
  assert_true(finding.reduced && finding.history_count == 1 && finding.bytes_after < before);
  struct ew_span text = finding.runs[0].program.statements[0].text;
  assert_non_null(memmem(text.bytes, text.length, "toUpper(null)", 13));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(nothing_wrong_is_no_violation),
      TEST(crashes_are_confirmed),
      TEST(deaths_without_a_trace_are_confirmed),
      TEST(errors_are_confirmed),
      TEST(hangs_are_confirmed),
      TEST(garbage_is_confirmed),
      TEST(silence_is_confirmed),
      TEST(wrong_answers_are_confirmed),
      TEST(a_crash_that_does_not_come_back_is_seen_once),
      TEST(a_death_without_a_trace_that_does_not_come_back_is_flaky),
      TEST(an_error_that_does_not_come_back_is_flaky),
      TEST(a_wrong_answer_that_does_not_come_back_is_flaky),
      TEST(another_failure_is_not_the_same),
      TEST(a_scene_that_crashes_is_a_finding),
      TEST(a_scene_that_is_refused_is_none),
      TEST(an_engine_that_does_not_start_is_an_error),
      TEST(a_state_that_leaks_needs_its_history),
      TEST(a_state_of_the_same_scene_does_too),
      TEST(a_poisoned_reset_needs_its_history),
      TEST(what_no_history_explains_is_not_confirmed),
      TEST(findings_are_reduced),
      TEST(crashes_are_reduced),
      TEST(what_tries_leave_behind_does_not_mislead),
      TEST(what_does_not_show_on_a_clean_engine_is_not_taken),
      TEST(a_finding_with_history_is_reduced),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
