/* test_locate.c: installed engines are found where the install scripts put them, and nothing else is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/file.h"
#include "engine/locate.h"

#define ENGINE EW_SPAN("toy")
#define LIBRARY EW_SPAN("toy.so")

static char folder[] = "/tmp/edgewise-locate-XXXXXX";

static int setup(void **state) {
  (void)state;
  return mkdtemp(folder) && setenv("XDG_CACHE_HOME", folder, 1) == 0 ? 0 : -1;
}

static int teardown(void **state) {
  (void)state;
  ew_folder_remove(folder);
  return 0;
}

static void install(const char *version, const char *file) {
  struct ew_text path = {0};
  struct ew_error error;
  ew_text_add_format(&path, "%s/edgewise/engines/toy/%s", folder, version);
  assert_int_equal(ew_folder_make(path.bytes, &error), EW_OK);
  ew_text_add_format(&path, "/%s", file);
  assert_int_equal(ew_file_replace(path.bytes, EW_SPAN("a library"), &error), EW_OK);
  ew_text_release(&path);
}

static void libraries_are_found(void **state) {
  (void)state;
  struct ew_text path = {0};
  struct ew_error error = {""};
  assert_int_equal(ew_locate_library(ENGINE, EW_SPAN("1.2"), LIBRARY, &path, &error), EW_MISSING);
  assert_non_null(strstr(error.text, "edgewise engines install toy@1.2"));
  assert_int_equal(path.length, 0);
  install("1.2", "toy.so");
  assert_int_equal(ew_locate_library(ENGINE, EW_SPAN("1.2"), LIBRARY, &path, &error), EW_OK);
  assert_true(ew_file_exists(path.bytes));
  ew_text_reset(&path);
  assert_int_equal(ew_locate_library(ENGINE, EW_SPAN("system"), LIBRARY, &path, &error), EW_OK);
  assert_int_equal(ew_locate_library(ENGINE, EW_SPAN("1.2"), EW_SPAN(""), &path, &error), EW_OK);
  assert_int_equal(path.length, 0);
  assert_int_equal(ew_locate_library(ENGINE, EW_SPAN("../1.2"), LIBRARY, &path, &error), EW_USAGE);
  assert_int_equal(ew_locate_library(EW_SPAN("a/b"), EW_SPAN("1.2"), LIBRARY, &path, &error), EW_USAGE);
  ew_text_release(&path);
}

static void versions_are_listed_newest_first(void **state) {
  (void)state;
  static const char *const expected[] = {"1.10", "1.2.1", "1.2"};
  struct ew_arena arena;
  ew_arena_init(&arena);
  install("1.2", "toy.so");
  install("1.10", "toy.so");
  install("1.2.1", "toy.so");
  install("1.3", "half");
  struct ew_names versions = ew_locate_versions(ENGINE, LIBRARY, &arena);
  assert_int_equal(versions.count, EW_COUNT(expected));
  for (size_t i = 0; i < versions.count; i++) assert_true(ew_span_is(versions.items[i], expected[i]));
  assert_int_equal(ew_locate_versions(EW_SPAN("other"), LIBRARY, &arena).count, 0);
  ew_arena_release(&arena);
}

static void versions_compare_by_number(void **state) {
  (void)state;
  assert_true(ew_version_compare(EW_SPAN("0.9.4"), EW_SPAN("0.12.0")) < 0);
  assert_true(ew_version_compare(EW_SPAN("1.0"), EW_SPAN("1.0.1")) < 0);
  assert_true(ew_version_compare(EW_SPAN("4.8.12"), EW_SPAN("4.8.5")) > 0);
  assert_int_equal(ew_version_compare(EW_SPAN("1.2"), EW_SPAN("1.2")), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(libraries_are_found),
      cmocka_unit_test(versions_are_listed_newest_first),
      cmocka_unit_test(versions_compare_by_number),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
