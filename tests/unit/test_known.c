/* test_known.c: known.db: what is new, known and muted, and what happens where it cannot be. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/file.h"
#include "hunt/known.h"

static struct ew_arena arena;
static struct ew_error error;
static char folder[] = "/tmp/edgewise-known-XXXXXX";
static char path[256];

static int begin(void **state) {
  (void)state;
  ew_arena_init(&arena);
  memcpy(folder + sizeof folder - 7, "XXXXXX", 6);
  if (!mkdtemp(folder)) return -1;
  snprintf(path, sizeof path, "%s/state/edgewise/known.db", folder);
  return 0;
}

static int end(void **state) {
  (void)state;
  ew_folder_remove(folder);
  ew_arena_release(&arena);
  return 0;
}

static struct ew_known *open_known(void) {
  struct ew_known *known;
  if (ew_known_open(path, &known, &error) != EW_OK) fail_msg("%s", error.text);
  return known;
}

static struct ew_known_group find(struct ew_known *known, uint64_t group) {
  struct ew_known_group found;
  assert_int_equal(ew_known_find(known, group, &arena, &found, &error), EW_OK);
  return found;
}

static const struct ew_finding example = {.id = {"0123456789ab"},
                                          .group = 0xfeed,
                                          .engine = {"scripted", 8},
                                          .version = {"1", 1},
                                          .title = {"it's wrong", 10}};

static void remembers(void **state) {
  (void)state;
  struct ew_known *known = open_known();
  assert_false(find(known, 0xfeed).there);
  assert_int_equal(ew_known_record(known, &example, &error), EW_OK);
  ew_known_close(known);
  known = open_known();
  struct ew_known_group group = find(known, 0xfeed);
  assert_true(group.there);
  assert_false(group.muted);
  assert_int_equal(strlen(group.since), 10);
  assert_true(ew_span_is(group.title, "it's wrong"));
  assert_false(find(known, 0xfeee).there);
  ew_known_close(known);
}

static void mutes(void **state) {
  struct ew_known_group *groups, found;
  size_t count;
  (void)state;
  struct ew_known *known = open_known();
  assert_int_equal(ew_known_record(known, &example, &error), EW_OK);
  assert_int_equal(ew_known_mute(known, 0xfeed, true, EW_SPAN("issue 7"), &error), EW_OK);
  assert_true(find(known, 0xfeed).muted);
  assert_int_equal(ew_known_record(known, &example, &error), EW_OK); /* a later run does not unmute it */
  assert_true(find(known, 0xfeed).muted);
  assert_int_equal(ew_known_muted(known, &arena, &groups, &count, &error), EW_OK);
  assert_int_equal(count, 1);
  assert_true(ew_span_is(groups[0].note, "issue 7"));
  assert_int_equal(ew_known_mute(known, 0xfeed, false, EW_SPAN(""), &error), EW_OK);
  assert_false(find(known, 0xfeed).muted);
  assert_true(ew_span_is(find(known, 0xfeed).note, "issue 7"));
  assert_int_equal(ew_known_search(known, "01234", &arena, &found, &error), EW_OK);
  assert_int_equal(found.group, 0xfeed);
  assert_int_equal(ew_known_search(known, "000000000000feed", &arena, &found, &error), EW_OK);
  assert_int_equal(ew_known_search(known, "9", &arena, &found, &error), EW_USAGE);
  ew_known_close(known);
}

static void says_what_is_wrong(void **state) {
  struct ew_known *known;
  (void)state;
  assert_int_equal(ew_known_open("/proc/edgewise/known.db", &known, &error), EW_IO);
  ew_known_close(known);
  struct ew_error detail;
  char file[300];
  snprintf(file, sizeof file, "%s/known.db", folder);
  assert_int_equal(
      ew_file_replace(file, EW_SPAN("this is no database, whatever it is called, and long enough"), &detail), EW_OK);
  assert_int_equal(ew_known_open(file, &known, &error), EW_IO);
  ew_known_close(known);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(remembers, begin, end),
      cmocka_unit_test_setup_teardown(mutes, begin, end),
      cmocka_unit_test_setup_teardown(says_what_is_wrong, begin, end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
