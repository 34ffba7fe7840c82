/* test_instance.c: the scripted engine in a real host process, failing in every way it knows. */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "engine/adapters.h"
#include "engine/instance.h"

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

struct fixture {
  struct ew_instance instance;
  struct ew_arena arena;
};

/* For one statement: short, so that hangs are quick to test; a test that works for long raises it. */
static int64_t statement_limit = 200 * EW_MILLISECOND;

static const struct ew_option options[] = {{{"memory_limit", 12}, {"512", 3}}};
static const struct ew_settings settings = {options, 1};

static int setup(void **state) {
  static struct fixture fixture;
  struct ew_error error;
  *state = &fixture;
  ew_arena_init(&fixture.arena);
  if (ew_instance_init(&fixture.instance, &ew_adapter_scripted, &settings, &error)) return -1;
  return ew_instance_start(&fixture.instance, &error) == EW_OK ? 0 : -1;
}

/* No process may be left, dead or alive. */
static int teardown(void **state) {
  struct fixture *fixture = *state;
  ew_instance_release(&fixture->instance);
  ew_arena_release(&fixture->arena);
  return waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD ? 0 : -1;
}

enum { STATEMENTS_MAX = 8 };

/* Statements up to NULL, 200 ms each. */
static struct ew_outcome run_all(struct fixture *fixture, bool stop, const char *const *texts) {
  struct ew_statement statements[STATEMENTS_MAX] = {0};
  size_t count = 0;
  for (; texts[count]; count++) statements[count].text = ew_span_of(texts[count]);
  struct ew_batch batch = {.program = {statements, count}, .limit = statement_limit, .stop = stop};
  return ew_instance_run(&fixture->instance, &batch, &fixture->arena);
}

#define RUN(fixture, ...) run_all((fixture), false, (const char *const[]){__VA_ARGS__, NULL})

static void restart(struct fixture *fixture) {
  struct ew_error error;
  assert_false(ew_instance_alive(&fixture->instance));
  assert_int_equal(ew_instance_restart(&fixture->instance, &error), EW_OK);
  struct ew_outcome outcome = RUN(fixture, "ROWS [[1]] AS a");
  assert_int_equal(outcome.statements[0].kind, EW_OUTCOME_ROWS);
}

static void rows_come_back(void **state) {
  struct fixture *fixture = *state;
  struct ew_outcome outcome = RUN(fixture, "ROWS [[1,2],[3,null]] AS a,b", "ROWS [] AS a", "ERROR no such thing",
                                  "ROWS [[\"x\"]] AS c", "what");
  assert_int_equal(outcome.count, 5);
  const struct ew_statement_outcome *first = &outcome.statements[0];
  assert_int_equal(first->kind, EW_OUTCOME_ROWS);
  assert_int_equal(first->rows.row_count, 2);
  assert_int_equal(first->rows.column_count, 2);
  assert_true(ew_span_is(first->rows.columns[1], "b"));
  assert_int_equal(ew_row(&first->rows, 1)[0].integer, 3);
  assert_int_equal(ew_row(&first->rows, 1)[1].kind, EW_VALUE_NULL);
  assert_true(first->nanoseconds > 0);
  assert_int_equal(outcome.statements[1].rows.row_count, 0);
  assert_int_equal(outcome.statements[2].kind, EW_OUTCOME_ERROR);
  assert_true(ew_span_is(outcome.statements[2].text, "no such thing"));
  assert_true(ew_span_is(outcome.statements[2].code, "SCRIPTED"));
  assert_int_equal(outcome.statements[3].kind, EW_OUTCOME_ROWS);
  assert_int_equal(outcome.statements[4].kind, EW_OUTCOME_ERROR);
  assert_true(ew_span_is(ew_instance_version(&fixture->instance), "1"));
  assert_int_equal(fixture->instance.counters.statements, 5);
  assert_true(fixture->instance.counters.engine_nanoseconds > 0);
  assert_true(ew_instance_cpu(&fixture->instance) > 0);
}

static void a_batch_stops_where_it_is_told(void **state) {
  struct fixture *fixture = *state;
  const char *const texts[] = {"ROWS [] AS a", "ERROR e", "STATE set x", NULL};
  struct ew_outcome outcome = run_all(fixture, true, texts);
  assert_int_equal(outcome.statements[1].kind, EW_OUTCOME_ERROR);
  assert_int_equal(outcome.statements[2].kind, EW_OUTCOME_NOT_RUN);
  outcome = RUN(fixture, "STATE get");
  assert_int_equal(outcome.statements[0].rows.values[0].kind, EW_VALUE_NULL);
}

static void parameters_arrive(void **state) {
  struct fixture *fixture = *state;
  const struct ew_parameter parameters[] = {{EW_SPAN("p"), ew_integer(INT64_MIN)},
                                            {EW_SPAN("q"), ew_string(EW_SPAN("ä"))}};
  const struct ew_statement statement = {.text = EW_SPAN("ECHO"), .parameters = parameters, .parameter_count = 2};
  const struct ew_batch batch = {.program = {&statement, 1}, .limit = EW_SECOND};
  struct ew_outcome outcome = ew_instance_run(&fixture->instance, &batch, &fixture->arena);
  assert_int_equal(outcome.statements[0].rows.values[0].integer, INT64_MIN);
  assert_true(ew_span_is(outcome.statements[0].rows.values[1].string, "ä"));
  outcome = ew_instance_explain(&fixture->instance, &batch, &fixture->arena);
  assert_true(ew_span_is(outcome.statements[0].plan, "ECHO"));
}

static void check_crash(struct fixture *fixture, const char *text, int signal) {
  struct ew_outcome outcome = RUN(fixture, "ROWS [[7]] AS a", "SAY last words", text, "ROWS [] AS a");
  assert_int_equal(outcome.statements[0].kind, EW_OUTCOME_ROWS);
  assert_int_equal(outcome.statements[0].rows.values[0].integer, 7);
  const struct ew_statement_outcome *crash = &outcome.statements[2];
  assert_int_equal(crash->kind, EW_OUTCOME_CRASH);
  assert_non_null(memmem(crash->text.bytes, crash->text.length, "last words", 10));
  if (signal) {
    assert_int_equal(crash->signal, signal);
    assert_true(crash->frames.count > 0);
  }
  assert_int_equal(outcome.statements[3].kind, EW_OUTCOME_NOT_RUN);
  outcome = RUN(fixture, "ROWS [] AS a");
  assert_int_equal(outcome.statements[0].kind, EW_OUTCOME_LOST);
  restart(fixture);
}

static void crashes_are_seen(void **state) {
  struct fixture *fixture = *state;
  check_crash(fixture, "CRASH segv", SIGSEGV);
  check_crash(fixture, "CRASH abort", SIGABRT);
  check_crash(fixture, "CRASH fpe", SIGFPE);
  check_crash(fixture, "CRASH exit 3", 0);
  check_crash(fixture, "DOUBLEFREE", SANITIZED ? 0 : SIGABRT);
  check_crash(fixture, "OVERFLOW", SIGSEGV);
  check_crash(fixture, "TRUNCATE", 0);
  assert_int_equal(fixture->instance.counters.crashes, 7);
  assert_int_equal(fixture->instance.counters.starts, 8);
}

static void hangs_are_ended(void **state) {
  struct fixture *fixture = *state;
  int64_t begun = ew_now();
  struct ew_outcome outcome = RUN(fixture, "ROWS [[7]] AS a", "SLEEP 150", "HANG", "ROWS [] AS a");
  int64_t taken = ew_now() - begun;
  assert_int_equal(outcome.statements[0].rows.values[0].integer, 7);
  assert_int_equal(outcome.statements[1].kind, EW_OUTCOME_ROWS);
  assert_int_equal(outcome.statements[2].kind, EW_OUTCOME_HANG);
  assert_int_equal(outcome.statements[3].kind, EW_OUTCOME_NOT_RUN);
  assert_in_range(taken, 800 * EW_MILLISECOND, 20 * EW_SECOND);
  assert_int_equal(fixture->instance.counters.hangs, 1);
  assert_true(fixture->instance.counters.ended_cpu > 0);
  restart(fixture);
}

static void timeouts_are_not_hangs(void **state) {
  struct fixture *fixture = *state;
  struct ew_outcome outcome = RUN(fixture, "SLEEP 5000", "SLEEP 10");
  assert_int_equal(outcome.statements[0].kind, EW_OUTCOME_TIMEOUT);
  assert_int_equal(outcome.statements[1].kind, EW_OUTCOME_ROWS);
  assert_true(ew_instance_alive(&fixture->instance));
}

/* Each statement has its own limit: many that are all in time take longer together than one may. */
static void limits_are_per_statement(void **state) {
  struct fixture *fixture = *state;
  struct ew_outcome outcome =
      RUN(fixture, "SLEEP 150", "SLEEP 150", "SLEEP 150", "SLEEP 150", "SLEEP 150", "SLEEP 150", "SLEEP 150");
  for (size_t i = 0; i < outcome.count; i++) assert_int_equal(outcome.statements[i].kind, EW_OUTCOME_ROWS);
}

static void garbage_is_corrupt(void **state) {
  struct fixture *fixture = *state;
  static const char *const texts[] = {"GARBAGE 1", "GARBAGE 8", "GARBAGE 1000", "GARBAGE 1000000"};
  for (size_t i = 0; i < EW_COUNT(texts); i++) {
    struct ew_outcome outcome = RUN(fixture, texts[i], "ROWS [] AS a");
    assert_int_equal(outcome.statements[0].kind, EW_OUTCOME_CORRUPT);
    assert_int_equal(outcome.statements[1].kind, EW_OUTCOME_NOT_RUN);
    restart(fixture);
  }
}

static void silence_is_a_lost_connection(void **state) {
  struct fixture *fixture = *state;
  struct ew_outcome outcome = RUN(fixture, "SILENCE");
  assert_int_equal(outcome.statements[0].kind, EW_OUTCOME_LOST);
  restart(fixture);
}

static void large_answers_are_bounded(void **state) {
  struct fixture *fixture = *state;
  statement_limit = 30 * EW_SECOND;
  struct ew_outcome outcome = RUN(fixture, "HUGE 100000", "HUGE 10000000", "DEEP 500", "DEEP 100", "ROWS [[1]] AS a");
  assert_int_equal(outcome.statements[0].kind, EW_OUTCOME_ROWS);
  assert_int_equal(outcome.statements[0].rows.row_count, 100000);
  assert_int_equal(outcome.statements[0].rows.values[99999].integer, 99999);
  assert_int_equal(outcome.statements[1].kind, EW_OUTCOME_TOO_LARGE);
  assert_int_equal(outcome.statements[2].kind, EW_OUTCOME_TOO_LARGE);
  assert_int_equal(outcome.statements[3].kind, EW_OUTCOME_ROWS);
  assert_int_equal(outcome.statements[4].kind, EW_OUTCOME_ROWS);
  statement_limit = 200 * EW_MILLISECOND;
}

static void memory_is_limited(void **state) {
  struct fixture *fixture = *state;
  if (SANITIZED) skip();
  struct ew_outcome outcome = RUN(fixture, "MEMORY 4000", "ROWS [] AS a");
  assert_int_equal(outcome.statements[0].kind, EW_OUTCOME_ERROR);
  assert_int_equal(outcome.statements[1].kind, EW_OUTCOME_ROWS);
  /* Now our own part of the host finds no memory. */
  outcome = RUN(fixture, "HUGE 16000000");
  assert_int_equal(outcome.statements[0].kind, EW_OUTCOME_TOO_LARGE);
}

static void reset_forgets_what_it_can(void **state) {
  struct fixture *fixture = *state;
  struct ew_statement_outcome reset;
  struct ew_outcome outcome = RUN(fixture, "STATE set x", "LEAK-STATE set y", "STATE get");
  assert_true(ew_span_is(outcome.statements[2].rows.values[0].string, "x"));
  ew_instance_reset(&fixture->instance, EW_SECOND, &fixture->arena, &reset);
  assert_int_equal(reset.kind, EW_OUTCOME_ROWS);
  outcome = RUN(fixture, "STATE get", "LEAK-STATE get");
  assert_int_equal(outcome.statements[0].rows.values[0].kind, EW_VALUE_NULL);
  assert_true(ew_span_is(outcome.statements[1].rows.values[0].string, "y"));
  struct ew_error error;
  assert_int_equal(ew_instance_restart(&fixture->instance, &error), EW_OK);
  outcome = RUN(fixture, "LEAK-STATE get", "FLAKY 2", "FLAKY 2");
  assert_int_equal(outcome.statements[0].rows.values[0].kind, EW_VALUE_NULL);
  assert_int_equal(outcome.statements[1].rows.values[0].integer, 0);
  assert_int_equal(outcome.statements[2].rows.values[0].integer, 1);
}

static void a_reset_can_crash(void **state) {
  struct fixture *fixture = *state;
  struct ew_statement_outcome reset;
  struct ew_outcome outcome = RUN(fixture, "POISON");
  assert_int_equal(outcome.statements[0].kind, EW_OUTCOME_ROWS);
  ew_instance_reset(&fixture->instance, EW_SECOND, &fixture->arena, &reset);
  assert_int_equal(reset.kind, EW_OUTCOME_CRASH);
  assert_int_equal(reset.signal, SIGSEGV);
  restart(fixture);
}

static void a_start_can_fail(void **state) {
  (void)state;
  static const struct ew_option fail[] = {{{"fail_open", 9}, {"1", 1}}}, crash[] = {{{"crash_open", 10}, {"1", 1}}};
  struct ew_instance instance;
  struct ew_error error;
  assert_int_equal(ew_instance_init(&instance, &ew_adapter_scripted, &(struct ew_settings){fail, 1}, &error), EW_OK);
  assert_int_equal(ew_instance_start(&instance, &error), EW_MISSING);
  assert_string_equal(error.text, "told not to open");
  assert_false(ew_instance_alive(&instance));
  ew_instance_release(&instance);
  assert_int_equal(ew_instance_init(&instance, &ew_adapter_scripted, &(struct ew_settings){crash, 1}, &error), EW_OK);
  assert_int_equal(ew_instance_start(&instance, &error), EW_GONE);
  ew_instance_release(&instance);
  assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
}

/* A host ends with its worker, even when the worker is killed. */
static void hosts_die_with_their_worker(void **state) {
  (void)state;
  int pipe_ends[2];
  assert_int_equal(pipe(pipe_ends), 0);
  pid_t worker = fork();
  if (worker == 0) {
    struct ew_instance instance;
    struct ew_error error;
    if (ew_instance_init(&instance, &ew_adapter_scripted, &settings, &error) || ew_instance_start(&instance, &error))
      _exit(1);
    if (write(pipe_ends[1], &instance.process, sizeof instance.process) < 0) _exit(1);
    raise(SIGKILL);
  }
  close(pipe_ends[1]);
  pid_t host = 0;
  assert_int_equal(read(pipe_ends[0], &host, sizeof host), sizeof host);
  assert_int_equal(waitpid(worker, NULL, 0), worker);
  close(pipe_ends[0]);
  struct ew_deadline deadline = ew_deadline_in(5 * EW_SECOND);
  while (kill(host, 0) == 0 && !ew_deadline_passed(deadline)) {
    /* Whoever adopts orphans here may be slow to bury them: a zombie is dead too. */
    char path[64], line[256] = "";
    snprintf(path, sizeof path, "/proc/%d/stat", (int)host);
    FILE *file = fopen(path, "r");
    bool zombie = file && fgets(line, sizeof line, file) && strstr(line, ") Z ");
    if (file) fclose(file);
    if (zombie) break;
    usleep(1000);
  }
  assert_false(ew_deadline_passed(deadline));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(rows_come_back, setup, teardown),
      cmocka_unit_test_setup_teardown(a_batch_stops_where_it_is_told, setup, teardown),
      cmocka_unit_test_setup_teardown(parameters_arrive, setup, teardown),
      cmocka_unit_test_setup_teardown(crashes_are_seen, setup, teardown),
      cmocka_unit_test_setup_teardown(hangs_are_ended, setup, teardown),
      cmocka_unit_test_setup_teardown(timeouts_are_not_hangs, setup, teardown),
      cmocka_unit_test_setup_teardown(limits_are_per_statement, setup, teardown),
      cmocka_unit_test_setup_teardown(garbage_is_corrupt, setup, teardown),
      cmocka_unit_test_setup_teardown(silence_is_a_lost_connection, setup, teardown),
      cmocka_unit_test_setup_teardown(large_answers_are_bounded, setup, teardown),
      cmocka_unit_test_setup_teardown(memory_is_limited, setup, teardown),
      cmocka_unit_test_setup_teardown(reset_forgets_what_it_can, setup, teardown),
      cmocka_unit_test_setup_teardown(a_reset_can_crash, setup, teardown),
      cmocka_unit_test(a_start_can_fail),
      cmocka_unit_test(hosts_die_with_their_worker),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
