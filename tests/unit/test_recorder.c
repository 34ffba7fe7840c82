/* test_recorder.c: what is written to shared memory is there for the other process, and nothing in it is believed
   blindly. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/hash.h"
#include "base/text.h"
#include "engine/recorder.h"

struct fixture {
  struct ew_recorder recorder;
  struct ew_arena arena;
};

static int setup(void **state) {
  static struct fixture fixture;
  struct ew_error error;
  ew_arena_init(&fixture.arena);
  *state = &fixture;
  return ew_recorder_open(&fixture.recorder, NULL, &error) == EW_OK ? 0 : -1;
}

static int teardown(void **state) {
  struct fixture *fixture = *state;
  ew_recorder_release(&fixture->recorder);
  ew_arena_release(&fixture->arena);
  return 0;
}

static void statements_are_kept_and_cut(void **state) {
  struct fixture *fixture = *state;
  struct ew_recorder *recorder = &fixture->recorder;
  struct ew_text text = {0};
  while (text.length < 3 * EW_RECORDER_TEXT_MAX) ew_text_add_string(&text, "statement ");
  uint64_t first = ew_recorder_note(recorder, EW_SPAN("short"));
  uint64_t second = ew_recorder_note(recorder, ew_text_span(&text));
  assert_int_equal(second, first + 1);
  struct ew_recorded recorded;
  assert_true(ew_recorder_find(recorder, first, &fixture->arena, &recorded));
  assert_true(ew_span_is(recorded.text, "short"));
  assert_true(ew_recorder_find(recorder, second, &fixture->arena, &recorded));
  assert_int_equal(recorded.text.length, EW_RECORDER_TEXT_MAX);
  assert_int_equal(recorded.length, text.length);
  assert_int_equal(recorded.hash, ew_hash_span(ew_text_span(&text), 0));
  for (int i = 0; i < EW_RECORDER_STATEMENTS; i++) ew_recorder_note(recorder, EW_SPAN("later"));
  assert_false(ew_recorder_find(recorder, first, &fixture->arena, &recorded));
  assert_false(ew_recorder_find(recorder, 0, &fixture->arena, &recorded));
  ew_text_release(&text);
}

/* The child starts two statements, ends one, keeps its answer, and is killed. */
static void marks_outlive_a_killed_process(void **state) {
  struct fixture *fixture = *state;
  struct ew_recorder *recorder = &fixture->recorder;
  uint64_t first = ew_recorder_note(recorder, EW_SPAN("one"));
  ew_recorder_note(recorder, EW_SPAN("two"));
  ew_recorder_clear(recorder);
  uint64_t number;
  int64_t since;
  pid_t child = fork();
  if (child == 0) {
    ew_recorder_begin(recorder, first);
    ew_recorder_end(recorder, first);
    ew_recorder_keep(recorder, first, EW_SPAN("answer"));
    ew_recorder_begin(recorder, first + 1);
    raise(SIGKILL);
  }
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(ew_recorder_executing(recorder, &number, &since));
  assert_int_equal(number, first + 1);
  assert_true(since > 0);
  size_t count;
  struct ew_span kept = ew_recorder_kept(recorder, &fixture->arena, &number, &count);
  assert_int_equal(number, first);
  assert_int_equal(count, 1);
  assert_true(ew_span_is(kept, "answer"));
  ew_recorder_clear(recorder);
  assert_false(ew_recorder_executing(recorder, &number, &since));
  kept = ew_recorder_kept(recorder, &fixture->arena, &number, &count);
  assert_int_equal(count, 0);
  assert_int_equal(kept.length, 0);
}

static void what_does_not_fit_is_not_kept(void **state) {
  struct fixture *fixture = *state;
  char bytes[EW_RECORDER_KEEP_MAX / 2] = "";
  struct ew_span half = {bytes, sizeof bytes};
  assert_true(ew_recorder_keep(&fixture->recorder, 1, half));
  assert_true(ew_recorder_keep(&fixture->recorder, 2, half));
  assert_false(ew_recorder_keep(&fixture->recorder, 3, EW_SPAN("x")));
  ew_recorder_drop(&fixture->recorder);
  assert_true(ew_recorder_keep(&fixture->recorder, 3, EW_SPAN("x")));
}

static void frames_are_written_and_bounded(void **state) {
  struct fixture *fixture = *state;
  struct ew_names frames;
  assert_int_equal(ew_recorder_crash(&fixture->recorder, &fixture->arena, &frames), 0);
  ew_recorder_crash_begin(&fixture->recorder, SIGSEGV);
  ew_recorder_crash_frame(&fixture->recorder, "engine.so", NULL, 0x1f0);
  ew_recorder_crash_frame(&fixture->recorder, "engine.so", "free_twice", 5);
  char name[3 * EW_RECORDER_FRAME_MAX];
  memset(name, 'n', sizeof name - 1);
  name[sizeof name - 1] = '\0';
  for (int i = 0; i < 2 * EW_RECORDER_FRAMES; i++) ew_recorder_crash_frame(&fixture->recorder, "m", name, 0);
  assert_int_equal(ew_recorder_crash(&fixture->recorder, &fixture->arena, &frames), SIGSEGV);
  assert_int_equal(frames.count, EW_RECORDER_FRAMES);
  assert_true(ew_span_is(frames.items[0], "engine.so+0x1f0"));
  assert_true(ew_span_is(frames.items[1], "free_twice"));
  assert_int_equal(frames.items[2].length, EW_RECORDER_FRAME_MAX - 1);
}

/* Whatever a mad host writes there is bounded when it is read. */
static void scribbles_are_survived(void **state) {
  struct fixture *fixture = *state;
  memset(fixture->recorder.shared, 0xff, 4096);
  struct ew_names frames;
  uint64_t number;
  size_t count;
  ew_recorder_crash(&fixture->recorder, &fixture->arena, &frames);
  assert_true(frames.count <= EW_RECORDER_FRAMES);
  assert_true(ew_recorder_kept(&fixture->recorder, &fixture->arena, &number, &count).length <= EW_RECORDER_KEEP_MAX);
  memset(fixture->recorder.shared, 0x7f, 4096);
  ew_recorder_crash(&fixture->recorder, &fixture->arena, &frames);
  assert_true(ew_recorder_kept(&fixture->recorder, &fixture->arena, &number, &count).length <= EW_RECORDER_KEEP_MAX);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(statements_are_kept_and_cut, setup, teardown),
      cmocka_unit_test_setup_teardown(marks_outlive_a_killed_process, setup, teardown),
      cmocka_unit_test_setup_teardown(what_does_not_fit_is_not_kept, setup, teardown),
      cmocka_unit_test_setup_teardown(frames_are_written_and_bounded, setup, teardown),
      cmocka_unit_test_setup_teardown(scribbles_are_survived, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
