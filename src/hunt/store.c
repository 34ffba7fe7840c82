/* store.c: files first (each by write, fsync, rename), then the row in run.db.

   Duplicates come in storms, and a durable commit for each would hold up the whole hunt: they are counted in memory and
   written with the next finding or the next stats.json. A kill may lose the last second's count of them, nothing else. */
#include "hunt/store.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/file.h"
#include "base/log.h"
#include "base/map.h"

struct ew_store {
  char folder[3072];
  sqlite3 *database;
  struct ew_map duplicates; /* group → how many since the last commit */
};

static const char schema[] =
    "PRAGMA journal_mode = WAL;"
    "PRAGMA synchronous = FULL;"
    "CREATE TABLE IF NOT EXISTS findings("
    "  id TEXT PRIMARY KEY, grp TEXT NOT NULL, oracle TEXT NOT NULL, relation TEXT NOT NULL, state TEXT NOT NULL,"
    "  title TEXT NOT NULL, engine TEXT NOT NULL, version TEXT NOT NULL, reduced INTEGER NOT NULL, bytes INTEGER NOT "
    "NULL,"
    "  at TEXT NOT NULL);"
    "CREATE TABLE IF NOT EXISTS groups(grp TEXT PRIMARY KEY, duplicates INTEGER NOT NULL DEFAULT 0);";

static enum ew_status database_error(struct ew_store *store, struct ew_error *error) {
  return ew_fail(error, EW_IO, "cannot write %s/run.db: %s", store->folder, sqlite3_errmsg(store->database));
}

enum ew_status ew_store_open(const char *folder, struct ew_store **opened, struct ew_error *error) {
  struct ew_store *store = ew_allocate_zeroed(1, sizeof *store);
  *opened = store;
  ew_map_init(&store->duplicates);
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

/* ---- run.db ---- */

static enum ew_status run_sql(struct ew_store *store, const char *sql, struct ew_error *error) {
  return sqlite3_exec(store->database, sql, NULL, NULL, NULL) == SQLITE_OK ? EW_OK : database_error(store, error);
}

/* Runs one statement whose parameters are texts, in the transaction that is open or in a new one. */
static enum ew_status change(struct ew_store *store, const char *sql, const struct ew_span *texts, size_t count,
                             struct ew_error *error) {
  sqlite3_stmt *statement;
  enum ew_status status = sqlite3_get_autocommit(store->database) ? run_sql(store, "BEGIN", error) : EW_OK;
  if (status) return status;
  if (sqlite3_prepare_v2(store->database, sql, -1, &statement, NULL) != SQLITE_OK) return database_error(store, error);
  for (size_t i = 0; i < count; i++)
    sqlite3_bind_text(statement, (int)i + 1, texts[i].bytes, (int)texts[i].length, SQLITE_TRANSIENT);
  if (sqlite3_step(statement) != SQLITE_DONE) status = database_error(store, error);
  sqlite3_finalize(statement);
  return status;
}

static enum ew_status put_duplicates(struct ew_store *store, struct ew_error *error) {
  enum ew_status status = EW_OK;
  for (size_t i = 0; i < store->duplicates.count && !status; i++) {
    const struct ew_map_entry *entry = &store->duplicates.entries[i];
    char count[24];
    uint64_t group;
    memcpy(&group, entry->key.bytes, sizeof group);
    struct ew_group_text text = ew_group_text(group);
    snprintf(count, sizeof count, "%llu", (unsigned long long)entry->value.number);
    const struct ew_span row[] = {ew_span_of(text.text), ew_span_of(count)};
    status = change(store, "UPDATE groups SET duplicates = duplicates + CAST(?2 AS INTEGER) WHERE grp = ?1", row,
                    EW_COUNT(row), error);
  }
  ew_map_reset(&store->duplicates);
  return status;
}

static enum ew_status commit(struct ew_store *store, struct ew_error *error) {
  enum ew_status status = put_duplicates(store, error);
  if (status) return status;
  return sqlite3_get_autocommit(store->database) ? EW_OK : run_sql(store, "COMMIT", error);
}

/* A finding's group can be another one after its reduction; one that nothing belongs to goes. */
static const char drop_empty_groups[] =
    "DELETE FROM groups WHERE duplicates = 0 AND grp NOT IN (SELECT grp FROM findings)";

static enum ew_status put_row(struct ew_store *store, const struct ew_finding *finding, struct ew_error *error) {
  char at[32], bytes[24];
  time_t now = time(NULL);
  struct tm parts;
  strftime(at, sizeof at, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &parts));
  snprintf(bytes, sizeof bytes, "%zu", finding->bytes_after);
  struct ew_group_text group = ew_group_text(finding->group);
  const struct ew_span row[] = {ew_span_of(finding->id.text),
                                ew_span_of(group.text),
                                finding->oracle,
                                ew_span_of(ew_relation_name(finding->claim.relation)),
                                ew_span_of(ew_finding_state_text(finding->state)),
                                finding->title,
                                finding->engine,
                                finding->version,
                                finding->reduced ? EW_SPAN("1") : EW_SPAN("0"),
                                ew_span_of(bytes),
                                ew_span_of(at)};
  enum ew_status status = change(store,
                                 "INSERT OR REPLACE INTO findings VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8,"
                                 " CAST(?9 AS INTEGER), CAST(?10 AS INTEGER), ?11)",
                                 row, EW_COUNT(row), error);
  if (!status) status = change(store, "INSERT OR IGNORE INTO groups(grp) VALUES(?1)", &row[1], 1, error);
  if (!status) status = change(store, drop_empty_groups, NULL, 0, error);
  return status ? status : commit(store, error);
}

/* ---- files ---- */

static enum ew_status put_file(const char *folder, const char *name, struct ew_span bytes, struct ew_error *error) {
  char path[4096];
  int length = snprintf(path, sizeof path, "%s/%s", folder, name);
  if (length < 0 || (size_t)length >= sizeof path) return ew_fail(error, EW_IO, "the path is too long: %s", folder);
  return ew_file_replace(path, bytes, error);
}

/* Moves a finding's folder out of its place, so that a power cut does not undo it. */
static enum ew_status move_folder(const struct ew_store *store, const char *from, const char *to,
                                  struct ew_error *error) {
  char folder[4096];
  if (rename(from, to) != 0) return ew_fail(error, EW_IO, "cannot write %s: %s", to, strerror(errno));
  snprintf(folder, sizeof folder, "%s/findings", store->folder);
  int file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return EW_OK;
  fsync(file);
  close(file);
  return EW_OK;
}

/* ---- what the supervisor asks for ---- */

void ew_store_close(struct ew_store *store) {
  struct ew_error error;
  if (!store) return;
  if (store->database && commit(store, &error)) ew_log(EW_LOG_WARN, "%s", error.text);
  sqlite3_close(store->database);
  ew_map_release(&store->duplicates);
  ew_deallocate(store);
}

enum ew_status ew_store_put(struct ew_store *store, const struct ew_finding *finding, const struct ew_profile *profile,
                            struct ew_span json, struct ew_error *error) {
  char folder[4096];
  snprintf(folder, sizeof folder, "%s/findings/%s", store->folder, finding->id.text);
  enum ew_status status = ew_finding_save(folder, finding, profile, json, error);
  return status ? status : put_row(store, finding, error);
}

/* The folder goes in one step too: half of one would be no finding and no absence of one. */
enum ew_status ew_store_drop(struct ew_store *store, const char *id, struct ew_error *error) {
  char folder[4096], beside[4096];
  struct ew_span text = ew_span_of(id);
  enum ew_status status = change(store, "DELETE FROM findings WHERE id = ?1", &text, 1, error);
  if (!status) status = change(store, drop_empty_groups, NULL, 0, error);
  if (!status) status = commit(store, error);
  snprintf(folder, sizeof folder, "%s/findings/%s", store->folder, id);
  snprintf(beside, sizeof beside, "%s/findings/.%s.old", store->folder, id);
  if (status || !ew_file_exists(folder)) return status;
  status = move_folder(store, folder, beside, error);
  if (!status) ew_folder_remove(beside);
  return status;
}

enum ew_status ew_store_duplicate(struct ew_store *store, uint64_t group, struct ew_error *error) {
  (void)error;
  ew_map_add(&store->duplicates, ew_map_key_number(&group), NULL)->number++;
  return EW_OK;
}

enum ew_status ew_store_stats(struct ew_store *store, struct ew_span json, struct ew_error *error) {
  enum ew_status status = commit(store, error);
  return status ? status : put_file(store->folder, "stats.json", json, error);
}
