/* test_store.c: a run's folder: rows and files, replaced and taken out, and a disk that is full. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/file.h"
#include "hunt/hunt.h"
#include "hunt/store.h"
#include "scripted.h"

struct fixture {
  struct ew_arena arena;
  struct ew_profile profile;
  struct ew_store *store;
  char folder[64];
};

static int begin(void **state) {
  static struct fixture fixture;
  struct ew_error error;
  fixture = (struct fixture){.folder = "/tmp/edgewise-test-XXXXXX"};
  *state = &fixture;
  ew_arena_init(&fixture.arena);
  if (ew_profile_parse(&fixture.profile, "profile.ini", ew_span_of(SCRIPTED("")), &error)) return -1;
  return mkdtemp(fixture.folder) && !ew_store_open(fixture.folder, &fixture.store, &error) ? 0 : -1;
}

static int end(void **state) {
  struct fixture *fixture = *state;
  ew_store_close(fixture->store);
  ew_profile_release(&fixture->profile);
  ew_arena_release(&fixture->arena);
  ew_folder_remove(fixture->folder);
  return 0;
}

/* ---- findings ---- */

static struct ew_finding make_finding(struct fixture *fixture, const char *id, uint64_t group, const char *title) {
  struct ew_run *run = EW_NEW(&fixture->arena, struct ew_run);
  struct ew_outcome *outcome = EW_NEW(&fixture->arena, struct ew_outcome);
  struct ew_statement *statement = EW_NEW(&fixture->arena, struct ew_statement);
  struct ew_statement_outcome *part = EW_NEW(&fixture->arena, struct ew_statement_outcome);
  statement->text = EW_SPAN("RETURN 1 AS c");
  part->kind = EW_OUTCOME_ERROR;
  part->text = EW_SPAN("oops");
  run->program = (struct ew_program){statement, 1};
  *outcome = (struct ew_outcome){part, 1};
  struct ew_finding finding = {
      .state = EW_CONFIRMED,
      .oracle = EW_SPAN("survive"),
      .test = cypher_case(&fixture->arena, "CREATE (:A)", "RETURN 1 AS c", NULL),
      .claim = {.relation = EW_RELATION_clean},
      .why = {.text = EW_SPAN("it failed")},
      .engine = EW_SPAN("scripted"),
      .version = EW_SPAN("1"),
      .runs = run,
      .outcomes = outcome,
      .run_count = 1,
      .group = group,
      .title = ew_span_of(title),
      .bytes_after = 14,
  };
  snprintf(finding.id.text, sizeof finding.id.text, "%s", id);
  return finding;
}

static enum ew_status put(struct fixture *fixture, const struct ew_finding *finding, struct ew_error *error) {
  struct ew_text json = {0};
  struct ew_json_writer writer;
  ew_json_writer_init(&writer, &json, 1);
  ew_finding_write_json(&writer, finding);
  enum ew_status status = ew_store_put(fixture->store, finding, &fixture->profile, ew_text_span(&json), error);
  ew_text_release(&json);
  return status;
}

static void put_well(struct fixture *fixture, const char *id, uint64_t group, const char *title) {
  struct ew_finding finding = make_finding(fixture, id, group, title);
  struct ew_error error = {""};
  if (put(fixture, &finding, &error)) fail_msg("%s", error.text);
}

static bool there(const struct fixture *fixture, const char *id, const char *name) {
  char path[256];
  snprintf(path, sizeof path, "%s/findings/%s/%s", fixture->folder, id, name);
  return ew_file_exists(path);
}

/* What a query of run.db gives, as another process would see it; it must be whole. */
static const char *ask(const struct fixture *fixture, const char *sql) {
  static char answer[1024];
  char path[128];
  sqlite3 *database;
  sqlite3_stmt *statement;
  snprintf(path, sizeof path, "%s/run.db", fixture->folder);
  assert_int_equal(sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE, NULL), SQLITE_OK);
  assert_int_equal(sqlite3_prepare_v2(database, sql, -1, &statement, NULL), SQLITE_OK);
  assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
  snprintf(answer, sizeof answer, "%s", (const char *)sqlite3_column_text(statement, 0));
  sqlite3_finalize(statement);
  sqlite3_close(database);
  return answer;
}

static const char titles[] = "SELECT group_concat(id || ' ' || title, ', ') FROM (SELECT * FROM findings ORDER BY id)";

/* ---- what works ---- */

static void rows_and_files_are_there(void **state) {
  struct fixture *fixture = *state;
  struct ew_findings findings;
  struct ew_error error;
  put_well(fixture, "00000000000a", 1, "it's \"one\"; ä");
  put_well(fixture, "00000000000b", 2, "two");
  assert_string_equal(ask(fixture, titles), "00000000000a it's \"one\"; ä, 00000000000b two");
  assert_string_equal(ask(fixture, "SELECT count(*) FROM groups"), "2");
  assert_string_equal(ask(fixture, "SELECT typeof(bytes) || bytes || state || oracle FROM findings"),
                      "integer14confirmedsurvive");
  assert_true(there(fixture, "00000000000a", "finding.json") && there(fixture, "00000000000a", "report.md"));
  assert_int_equal(ew_findings_load(&fixture->arena, fixture->folder, &findings, &error), EW_OK);
  assert_int_equal(findings.count, 2);
  assert_true(ew_span_is(findings.items[1].title, "two"));
}

static void a_finding_is_replaced(void **state) {
  struct fixture *fixture = *state;
  struct ew_findings findings;
  struct ew_error error;
  put_well(fixture, "00000000000a", 1, "before");
  put_well(fixture, "00000000000a", 2, "after");
  assert_string_equal(ask(fixture, titles), "00000000000a after");
  assert_string_equal(ask(fixture, "SELECT group_concat(grp) FROM groups"), "0000000000000002");
  assert_int_equal(ew_findings_load(&fixture->arena, fixture->folder, &findings, &error), EW_OK);
  assert_int_equal(findings.count, 1);
  assert_true(ew_span_is(findings.items[0].title, "after"));
}

static void a_finding_is_dropped(void **state) {
  struct fixture *fixture = *state;
  struct ew_error error;
  put_well(fixture, "00000000000a", 1, "one");
  put_well(fixture, "00000000000b", 2, "two");
  assert_int_equal(ew_store_drop(fixture->store, "00000000000a", &error), EW_OK);
  assert_int_equal(ew_store_drop(fixture->store, "00000000000c", &error), EW_OK);
  assert_string_equal(ask(fixture, titles), "00000000000b two");
  assert_string_equal(ask(fixture, "SELECT group_concat(grp) FROM groups"), "0000000000000002");
  assert_false(there(fixture, "00000000000a", "") || there(fixture, ".00000000000a.old", ""));
}

static void duplicates_are_counted(void **state) {
  struct fixture *fixture = *state;
  struct ew_error error;
  put_well(fixture, "00000000000a", 1, "one");
  for (int i = 0; i < 1000; i++) assert_int_equal(ew_store_duplicate(fixture->store, 1, &error), EW_OK);
  assert_int_equal(ew_store_duplicate(fixture->store, 77, &error), EW_OK);
  assert_int_equal(ew_store_stats(fixture->store, EW_SPAN("{}"), &error), EW_OK);
  assert_string_equal(ask(fixture, "SELECT duplicates FROM groups"), "1000");
  assert_int_equal(ew_store_duplicate(fixture->store, 1, &error), EW_OK);
  put_well(fixture, "00000000000b", 2, "two"); /* ends the transaction too */
  assert_string_equal(ask(fixture, "SELECT duplicates FROM groups"), "1001");
}

/* ---- what does not ---- */

static void a_folder_that_cannot_be_made_is_said(void **state) {
  (void)state;
  struct ew_store *store;
  struct ew_error error;
  assert_int_equal(ew_store_open("/proc/edgewise", &store, &error), EW_IO);
  assert_non_null(strstr(error.text, "/proc/edgewise"));
  ew_store_close(store);
}

static void limit_files(rlim_t bytes) {
  struct rlimit limit;
  getrlimit(RLIMIT_FSIZE, &limit);
  limit.rlim_cur = bytes;
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

/* No file may grow beyond a limit: as on a disk that is full, writing stops in the middle. */
static void a_full_disk_loses_nothing(void **state) {
  struct fixture *fixture = *state;
  struct ew_error error = {""};
  struct ew_findings findings;
  struct rlimit before;
  getrlimit(RLIMIT_FSIZE, &before);
  signal(SIGXFSZ, SIG_IGN);
  put_well(fixture, "00000000000a", 1, "before");
  struct ew_finding known = make_finding(fixture, "00000000000a", 1, "after"),
                    fresh = make_finding(fixture, "00000000000b", 2, "new");
  limit_files(100);
  assert_int_equal(put(fixture, &known, &error), EW_IO);
  assert_non_null(strstr(error.text, "00000000000a"));
  assert_int_equal(put(fixture, &fresh, &error), EW_IO);
  assert_int_equal(ew_store_stats(fixture->store, ew_arena_format(&fixture->arena, "%0300d", 0), &error), EW_IO);
  limit_files(before.rlim_cur);
  assert_false(there(fixture, "00000000000b", "") || there(fixture, ".00000000000b.new", ""));
  assert_string_equal(ask(fixture, "PRAGMA integrity_check"), "ok");
  assert_string_equal(ask(fixture, titles), "00000000000a before");
  assert_int_equal(ew_findings_load(&fixture->arena, fixture->folder, &findings, &error), EW_OK);
  assert_int_equal(findings.count, 1);
  assert_true(ew_span_is(findings.items[0].title, "before"));
  put_well(fixture, "00000000000b", 2, "new"); /* and when there is room again, it goes on */
  assert_string_equal(ask(fixture, "SELECT count(*) FROM findings"), "2");
}

/* Only the database finds no room: the files are there, the row is not, and run.db is whole. */
static void a_database_that_cannot_grow_is_said(void **state) {
  struct fixture *fixture = *state;
  struct ew_error error = {""};
  struct rlimit before;
  getrlimit(RLIMIT_FSIZE, &before);
  signal(SIGXFSZ, SIG_IGN);
  put_well(fixture, "00000000000a", 1, "one");
  struct ew_finding fresh = make_finding(fixture, "00000000000b", 2, "new");
  limit_files(8192);
  assert_int_equal(put(fixture, &fresh, &error), EW_IO);
  assert_non_null(strstr(error.text, "run.db"));
  limit_files(before.rlim_cur);
  assert_string_equal(ask(fixture, "PRAGMA integrity_check"), "ok");
  assert_string_equal(ask(fixture, titles), "00000000000a one");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(rows_and_files_are_there, begin, end),
      cmocka_unit_test_setup_teardown(a_finding_is_replaced, begin, end),
      cmocka_unit_test_setup_teardown(a_finding_is_dropped, begin, end),
      cmocka_unit_test_setup_teardown(duplicates_are_counted, begin, end),
      cmocka_unit_test(a_folder_that_cannot_be_made_is_said),
      cmocka_unit_test_setup_teardown(a_full_disk_loses_nothing, begin, end),
      cmocka_unit_test_setup_teardown(a_database_that_cannot_grow_is_said, begin, end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
