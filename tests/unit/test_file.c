/* test_file.c: files are replaced whole or not at all, and every refusal of the system is said in words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/log.h"

static char folder[64];
static struct ew_error error;

/* Each test has a folder of its own. */
static int begin(void **state) {
  (void)state;
  snprintf(folder, sizeof folder, "/tmp/edgewise-test-XXXXXX");
  return mkdtemp(folder) ? 0 : 1;
}

static int end(void **state) {
  (void)state;
  ew_folder_remove(folder);
  return ew_file_exists(folder);
}

/* A path in the test's folder; lives for some more calls. */
static const char *in_folder(const char *name) {
  static char paths[16][300];
  static size_t turn;
  char *path = paths[turn++ % EW_COUNT(paths)];
  snprintf(path, sizeof paths[0], "%s/%s", folder, name);
  return path;
}

static size_t count_files(void) {
  DIR *listing = opendir(folder);
  size_t count = 0;
  assert_non_null(listing);
  for (const struct dirent *entry; (entry = readdir(listing));) count += entry->d_name[0] != '.';
  closedir(listing);
  return count;
}

static void expect_content(const char *path, struct ew_span expected) {
  struct ew_text text = {0};
  assert_int_equal(ew_file_read(path, 1 << 20, &text, &error), EW_OK);
  assert_true(ew_span_equal(ew_text_span(&text), expected));
  ew_text_release(&text);
}

/* Runs `body` in a child under a limit on the size of files; gives its status. */
static int in_child(int (*body)(void), rlim_t file_size) {
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){file_size, file_size});
    _exit(body());
  }
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status));
  return WEXITSTATUS(status);
}

/* ---- reading ---- */

static void test_read(void **state) {
  (void)state;
  const char *path = in_folder("read");
  assert_int_equal(ew_file_replace(path, EW_SPAN("a\0b"), &error), EW_OK);
  struct ew_text text = {0};
  ew_text_add_string(&text, "before ");
  assert_int_equal(ew_file_read(path, 3, &text, &error), EW_OK);
  assert_true(ew_span_equal(ew_text_span(&text), EW_SPAN("before a\0b")));
  assert_int_equal(ew_file_read(path, 2, &text, &error), EW_LIMIT);
  assert_int_equal(text.length, 10); /* all or nothing */
  assert_int_equal(ew_file_read(in_folder("none"), 3, &text, &error), EW_MISSING);
  assert_non_null(strstr(error.text, "none"));
  assert_int_equal(ew_file_read(in_folder("read/below"), 3, &text, &error), EW_MISSING);
  assert_int_equal(ew_file_read(folder, 3, &text, &error), EW_IO);
  assert_int_equal(ew_file_read("/dev/zero", 1 << 20, &text, &error), EW_LIMIT);
  assert_int_equal(text.length, 10);
  ew_text_release(&text);
}

/* ---- replacing ---- */

static void test_replace(void **state) {
  (void)state;
  const char *path = in_folder("replaced");
  struct ew_text large = {0};
  for (int i = 0; i < 100000; i++) ew_text_add_string(&large, "line\n");
  assert_int_equal(ew_file_replace(path, EW_SPAN("one"), &error), EW_OK);
  assert_int_equal(ew_file_replace(path, ew_text_span(&large), &error), EW_OK);
  expect_content(path, ew_text_span(&large));
  assert_int_equal(ew_file_replace(path, (struct ew_span){NULL, 0}, NULL), EW_OK);
  expect_content(path, EW_SPAN(""));
  assert_int_equal(count_files(), 1);
  ew_text_release(&large);
}

/* A reader that opens the file while it is replaced again and again sees one of the two contents, never a mixture or none. */
static void test_replace_is_atomic(void **state) {
  (void)state;
  const char *path = in_folder("atomic");
  static char ones[20000], twos[10000];
  memset(ones, '1', sizeof ones);
  memset(twos, '2', sizeof twos);
  struct ew_span contents[] = {{ones, sizeof ones}, {twos, sizeof twos}};
  assert_int_equal(ew_file_replace(path, contents[0], &error), EW_OK);
  pid_t writer = fork();
  assert_true(writer >= 0);
  if (writer == 0) {
    for (int i = 0; i < 200; i++)
      if (ew_file_replace(path, contents[i % 2], NULL) != EW_OK) _exit(1);
    _exit(0);
  }
  struct ew_text text = {0};
  int status;
  while (waitpid(writer, &status, WNOHANG) == 0) {
    ew_text_reset(&text);
    assert_int_equal(ew_file_read(path, 1 << 20, &text, &error), EW_OK);
    assert_true(ew_span_equal(ew_text_span(&text), contents[0]) || ew_span_equal(ew_text_span(&text), contents[1]));
  }
  assert_int_equal(status, 0);
  ew_text_release(&text);
}

static int replace_in_no_room(void) {
  static char bytes[100000];
  struct ew_error why = {0};
  enum ew_status status = ew_file_replace(in_folder("full"), (struct ew_span){bytes, sizeof bytes}, &why);
  return status == EW_IO && strstr(why.text, "cannot write") ? 0 : 1;
}

/* As on a full disk: the write fails half-way. */
static void test_replace_without_room(void **state) {
  (void)state;
  assert_int_equal(ew_file_replace(in_folder("full"), EW_SPAN("old"), &error), EW_OK);
  assert_int_equal(in_child(replace_in_no_room, 5000), 0);
  expect_content(in_folder("full"), EW_SPAN("old"));
  assert_int_equal(count_files(), 1); /* nothing is left beside it */
}

static void test_replace_refused(void **state) {
  (void)state;
  assert_int_equal(ew_file_replace(in_folder("no/such/folder"), EW_SPAN("x"), &error), EW_IO);
  assert_non_null(strstr(error.text, "No such file"));
  assert_int_equal(ew_file_replace(folder, EW_SPAN("x"), &error), EW_IO); /* a folder stands there */
  assert_int_equal(count_files(), 0);
  char path[5000];
  memset(path, 'a', sizeof path);
  path[sizeof path - 1] = '\0';
  assert_int_equal(ew_file_replace(path, EW_SPAN("x"), &error), EW_IO);
  assert_int_equal(ew_file_replace("/proc/edgewise", EW_SPAN("x"), &error), EW_IO); /* not even root may */
}

static void test_unwritable_folder(void **state) {
  (void)state;
  const char *path = in_folder("closed");
  assert_int_equal(ew_folder_make(path, &error), EW_OK);
  assert_int_equal(chmod(path, 0500), 0);
  if (geteuid() != 0) { /* root may write everywhere */
    assert_int_equal(ew_file_replace(in_folder("closed/file"), EW_SPAN("x"), &error), EW_IO);
    assert_int_equal(ew_folder_make(in_folder("closed/below"), &error), EW_IO);
    assert_non_null(strstr(error.text, "Permission denied"));
  }
  assert_int_equal(chmod(path, 0700), 0);
}

/* ---- folders ---- */

static void test_folders(void **state) {
  (void)state;
  assert_int_equal(ew_folder_make(in_folder("a//b/c/"), &error), EW_OK);
  assert_int_equal(ew_folder_make(in_folder("a/b/c"), &error), EW_OK);
  assert_int_equal(ew_file_replace(in_folder("a/file"), EW_SPAN("x"), &error), EW_OK);
  assert_int_equal(ew_folder_make(in_folder("a/file/below"), &error), EW_IO);
  assert_non_null(strstr(error.text, "Not a directory"));
  assert_int_equal(ew_folder_make("", &error), EW_IO);
  assert_int_equal(ew_folder_make("/proc/edgewise/below", &error), EW_IO);
  /* A link is removed, not what it points to. */
  assert_int_equal(ew_folder_make(in_folder("kept"), &error), EW_OK);
  assert_int_equal(symlink("../kept", in_folder("a/link")), 0);
  ew_folder_remove(in_folder("a"));
  assert_false(ew_file_exists(in_folder("a")));
  assert_true(ew_file_exists(in_folder("kept")));
  ew_folder_remove(in_folder("never there"));
}

static void expect_xdg(const char *cache, const char *home, const char *expected) {
  struct ew_text path = {0};
  cache ? setenv("XDG_CACHE_HOME", cache, 1) : unsetenv("XDG_CACHE_HOME");
  home ? setenv("HOME", home, 1) : unsetenv("HOME");
  enum ew_status status = ew_folder_xdg("CACHE", &path, &error);
  assert_int_equal(status, expected ? EW_OK : EW_IO);
  if (expected) assert_string_equal(path.bytes, expected);
  ew_text_release(&path);
}

static void test_xdg(void **state) {
  (void)state;
  expect_xdg("/x", "/h", "/x/edgewise");
  expect_xdg(NULL, "/h", "/h/.cache/edgewise");
  expect_xdg("", "/h", "/h/.cache/edgewise");
  expect_xdg("relative", "/h", "/h/.cache/edgewise");
  expect_xdg(NULL, NULL, NULL);
  expect_xdg(NULL, "relative", NULL);
}

/* ---- the log ---- */

static void test_log(void **state) {
  (void)state;
  const char *path = in_folder("log");
  struct ew_text text = {0};
  assert_int_equal(ew_log_open(in_folder("no/log"), 1000, &error), EW_IO);
  assert_int_equal(ew_log_open(path, 1000, &error), EW_OK);
  ew_log(EW_LOG_INFO, "too quiet to be heard");
  ew_log(EW_LOG_WARN, "%s %d", "heard", 7);
  assert_int_equal(ew_file_read(path, 5000, &text, &error), EW_OK);
  assert_null(strstr(text.bytes, "quiet"));
  assert_non_null(strstr(text.bytes, " warning: heard 7\n"));
  for (int i = 0; i < 1000; i++) ew_log(EW_LOG_ERROR, "%0500d", i); /* the cap holds */
  ew_text_reset(&text);
  assert_int_equal(ew_file_read(path, 5000, &text, &error), EW_OK);
  ew_log(EW_LOG_ERROR, "%05000d", 1);
  assert_int_equal(ew_log_open("/dev/full", 0, &error), EW_OK); /* a log that cannot be written stops nothing */
  ew_log(EW_LOG_ERROR, "%05000d", 1);
  assert_int_equal(ew_log_open(NULL, 0, &error), EW_OK);
  ew_text_release(&text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_read, begin, end),
      cmocka_unit_test_setup_teardown(test_replace, begin, end),
      cmocka_unit_test_setup_teardown(test_replace_is_atomic, begin, end),
      cmocka_unit_test_setup_teardown(test_replace_without_room, begin, end),
      cmocka_unit_test_setup_teardown(test_replace_refused, begin, end),
      cmocka_unit_test_setup_teardown(test_unwritable_folder, begin, end),
      cmocka_unit_test_setup_teardown(test_folders, begin, end),
      cmocka_unit_test_setup_teardown(test_xdg, begin, end),
      cmocka_unit_test_setup_teardown(test_log, begin, end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
