/* store.c: files first (each by write, fsync, rename), then the row in run.db. */
#include "hunt/store.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/allocate.h"
#include "base/file.h"
#include "report/report.h"

struct ew_store {
  char folder[3072];
  sqlite3 *database;
};

static const char schema[] =
    "PRAGMA journal_mode = WAL;"
    "PRAGMA synchronous = FULL;"
    "CREATE TABLE IF NOT EXISTS findings("
    "  id TEXT PRIMARY KEY, grp TEXT NOT NULL, oracle TEXT NOT NULL, relation TEXT NOT NULL, state TEXT NOT NULL,"
    "  title TEXT NOT NULL, engine TEXT NOT NULL, version TEXT NOT NULL, reduced INTEGER NOT NULL, bytes INTEGER NOT NULL,"
    "  at TEXT NOT NULL);"
    "CREATE TABLE IF NOT EXISTS groups(grp TEXT PRIMARY KEY, duplicates INTEGER NOT NULL DEFAULT 0);";

static enum ew_status database_error(struct ew_store *store, struct ew_error *error) {
  return ew_fail(error, EW_IO, "cannot write %s/run.db: %s", store->folder, sqlite3_errmsg(store->database));
}

enum ew_status ew_store_open(const char *folder, struct ew_store **opened, struct ew_error *error) {
  struct ew_store *store = ew_allocate_zeroed(1, sizeof *store);
  *opened = store;
  char path[4096];
  if (strlen(folder) >= sizeof store->folder) return ew_fail(error, EW_IO, "the path is too long: %s", folder);
  snprintf(store->folder, sizeof store->folder, "%s", folder);
  snprintf(path, sizeof path, "%s/findings", folder);
  enum ew_status status = ew_folder_make(path, error);
  if (status) return status;
  snprintf(path, sizeof path, "%s/logs", folder);
  status = ew_folder_make(path, error);
  if (status) return status;
  snprintf(path, sizeof path, "%s/run.db", folder);
  if (sqlite3_open(path, &store->database) != SQLITE_OK) return database_error(store, error);
  if (sqlite3_exec(store->database, schema, NULL, NULL, NULL) != SQLITE_OK) return database_error(store, error);
  return EW_OK;
}

void ew_store_close(struct ew_store *store) {
  if (!store) return;
  sqlite3_close(store->database);
  ew_deallocate(store);
}

/* Runs one statement whose parameters are texts. */
static enum ew_status change(struct ew_store *store, const char *sql, const char *const *texts, size_t count,
                             struct ew_error *error) {
  sqlite3_stmt *statement;
  if (sqlite3_prepare_v2(store->database, sql, -1, &statement, NULL) != SQLITE_OK) return database_error(store, error);
  for (size_t i = 0; i < count; i++) sqlite3_bind_text(statement, (int)i + 1, texts[i], -1, SQLITE_TRANSIENT);
  int result = sqlite3_step(statement);
  enum ew_status status = result == SQLITE_DONE ? EW_OK : database_error(store, error);
  sqlite3_finalize(statement);
  return status;
}

static enum ew_status put_row(struct ew_store *store, const struct ew_finding *finding, struct ew_error *error) {
  char at[32], bytes[24], texts[5][512];
  time_t now = time(NULL);
  struct tm parts;
  strftime(at, sizeof at, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &parts));
  snprintf(bytes, sizeof bytes, "%zu", finding->bytes_after);
  const struct ew_span spans[] = {finding->oracle, finding->title, finding->engine, finding->version};
  for (size_t i = 0; i < EW_COUNT(spans); i++)
    snprintf(texts[i], sizeof texts[i], "%.*s", (int)(spans[i].length < 500 ? spans[i].length : 500), spans[i].bytes);
  struct ew_group_text group = ew_group_text(finding->group);
  const char *row[] = {finding->id.text,
                       group.text,
                       texts[0],
                       ew_relation_name(finding->claim.relation),
                       ew_finding_state_text(finding->state),
                       texts[1],
                       texts[2],
                       texts[3],
                       finding->reduced ? "1" : "0",
                       bytes,
                       at};
  enum ew_status status = change(
      store, "INSERT OR REPLACE INTO findings VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, CAST(?9 AS INTEGER), CAST(?10 AS INTEGER), ?11)",
      row, EW_COUNT(row), error);
  if (status) return status;
  return change(store, "INSERT OR IGNORE INTO groups(grp) VALUES(?1)", (const char *[]){group.text}, 1, error);
}

static enum ew_status put_file(const char *folder, const char *name, struct ew_span bytes, struct ew_error *error) {
  char path[4096];
  int length = snprintf(path, sizeof path, "%s/%s", folder, name);
  if (length < 0 || (size_t)length >= sizeof path) return ew_fail(error, EW_IO, "the path is too long: %s", folder);
  return ew_file_replace(path, bytes, error);
}

/* finding.json comes last: a folder that has it is complete. */
static enum ew_status put_files(const char *folder, const struct ew_finding *finding, const struct ew_profile *profile,
                                struct ew_span json, struct ew_error *error) {
  struct ew_text text = {0};
  char name[64];
  enum ew_status status = ew_folder_make(folder, error);
  if (!status) {
    struct ew_span extension = ew_report_repro(&text, finding, profile);
    snprintf(name, sizeof name, "repro.%.*s", EW_SPAN_ARGS(extension));
    status = put_file(folder, name, ew_text_span(&text), error);
  }
  if (!status) {
    ew_text_reset(&text);
    ew_report_markdown(&text, finding, profile);
    status = put_file(folder, "report.md", ew_text_span(&text), error);
  }
  if (!status) status = put_file(folder, "finding.json", json, error);
  ew_text_release(&text);
  return status;
}

enum ew_status ew_store_put(struct ew_store *store, const struct ew_finding *finding, const struct ew_profile *profile,
                            struct ew_span json, struct ew_error *error) {
  char folder[4096], beside[4096];
  snprintf(folder, sizeof folder, "%s/findings/%s", store->folder, finding->id.text);
  snprintf(beside, sizeof beside, "%s/findings/.%s.new", store->folder, finding->id.text);
  bool there = ew_file_exists(folder);
  enum ew_status status = put_files(there ? folder : beside, finding, profile, json, error);
  if (!status && !there && rename(beside, folder) != 0)
    status = ew_fail(error, EW_IO, "cannot write %s: %s", folder, strerror(errno));
  if (status && !there) ew_folder_remove(beside);
  return status ? status : put_row(store, finding, error);
}

enum ew_status ew_store_drop(struct ew_store *store, const char *id, struct ew_error *error) {
  char folder[4096];
  enum ew_status status = change(store, "DELETE FROM findings WHERE id = ?1", &id, 1, error);
  snprintf(folder, sizeof folder, "%s/findings/%s", store->folder, id);
  if (!status) ew_folder_remove(folder);
  return status;
}

enum ew_status ew_store_duplicate(struct ew_store *store, uint64_t group, struct ew_error *error) {
  struct ew_group_text text = ew_group_text(group);
  return change(store, "UPDATE groups SET duplicates = duplicates + 1 WHERE grp = ?1", (const char *[]){text.text}, 1, error);
}

enum ew_status ew_store_stats(struct ew_store *store, struct ew_span json, struct ew_error *error) {
  return put_file(store->folder, "stats.json", json, error);
}
