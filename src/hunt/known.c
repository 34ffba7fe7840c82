/* known.c: one table. Several hunts may write it at a time; each waits a little for the others. */
#include "hunt/known.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/allocate.h"
#include "base/file.h"
#include "base/vector.h"

enum { PATIENCE = 2000 /* milliseconds */ };

struct ew_known {
  char path[4096];
  sqlite3 *database;
};

static const char schema[] =
    "CREATE TABLE IF NOT EXISTS groups("
    "  grp TEXT PRIMARY KEY, engine TEXT NOT NULL, title TEXT NOT NULL, finding TEXT NOT NULL,"
    "  first_seen TEXT NOT NULL, first_version TEXT NOT NULL, last_seen TEXT NOT NULL, last_version TEXT NOT NULL,"
    "  runs INTEGER NOT NULL, muted INTEGER NOT NULL DEFAULT 0, note TEXT NOT NULL DEFAULT '')";

static enum ew_status database_error(const struct ew_known *known, struct ew_error *error) {
  return ew_fail(error, EW_IO, "cannot use %s: %s", known->path, sqlite3_errmsg(known->database));
}

enum ew_status ew_known_path(struct ew_text *path, struct ew_error *error) {
  enum ew_status status = ew_folder_xdg("STATE", path, error);
  if (!status) ew_text_add_string(path, "/known.db");
  return status;
}

enum ew_status ew_known_open(const char *path, struct ew_known **opened, struct ew_error *error) {
  struct ew_known *known = ew_allocate_zeroed(1, sizeof *known);
  *opened = known;
  if (strlen(path) >= sizeof known->path) return ew_fail(error, EW_IO, "the path is too long: %.200s", path);
  snprintf(known->path, sizeof known->path, "%s", path);
  char *slash = strrchr(known->path, '/');
  enum ew_status status = EW_OK;
  if (slash) {
    *slash = '\0';
    status = ew_folder_make(known->path, error);
    *slash = '/';
  }
  if (status) return status;
  if (sqlite3_open(path, &known->database) != SQLITE_OK) return database_error(known, error);
  sqlite3_busy_timeout(known->database, PATIENCE);
  if (sqlite3_exec(known->database, schema, NULL, NULL, NULL) != SQLITE_OK) return database_error(known, error);
  return EW_OK;
}

void ew_known_close(struct ew_known *known) {
  if (!known) return;
  sqlite3_close(known->database);
  ew_deallocate(known);
}

/* ---- asking ---- */

static enum ew_status prepare(struct ew_known *known, const char *sql, const struct ew_span *texts, size_t count,
                              sqlite3_stmt **statement, struct ew_error *error) {
  if (sqlite3_prepare_v2(known->database, sql, -1, statement, NULL) != SQLITE_OK) return database_error(known, error);
  for (size_t i = 0; i < count; i++)
    sqlite3_bind_text(*statement, (int)i + 1, texts[i].bytes, (int)texts[i].length, SQLITE_TRANSIENT);
  return EW_OK;
}

static struct ew_span column(sqlite3_stmt *statement, int number, struct ew_arena *arena) {
  const char *text = (const char *)sqlite3_column_text(statement, number);
  return text ? ew_arena_copy(arena, ew_span_of(text)) : EW_SPAN("");
}

#define COLUMNS "SELECT grp, substr(first_seen, 1, 10), muted, title, note FROM groups "

static struct ew_known_group row(sqlite3_stmt *statement, struct ew_arena *arena) {
  struct ew_known_group group = {.there = true, .muted = sqlite3_column_int(statement, 2) != 0};
  const char *number = (const char *)sqlite3_column_text(statement, 0);
  const char *since = (const char *)sqlite3_column_text(statement, 1);
  group.group = number ? strtoull(number, NULL, 16) : 0;
  snprintf(group.since, sizeof group.since, "%s", since ? since : "");
  group.title = column(statement, 3, arena);
  group.note = column(statement, 4, arena);
  return group;
}

/* All rows that a query gives. */
static enum ew_status select_groups(struct ew_known *known, const char *sql, const struct ew_span *texts, size_t count,
                                    struct ew_arena *arena, struct ew_known_group **groups, size_t *group_count,
                                    struct ew_error *error) {
  EW_VECTOR(struct ew_known_group) found = {0};
  sqlite3_stmt *statement;
  int step;
  enum ew_status status = prepare(known, sql, texts, count, &statement, error);
  if (status) return status;
  while ((step = sqlite3_step(statement)) == SQLITE_ROW) *ew_arena_vector_push(arena, &found) = row(statement, arena);
  if (step != SQLITE_DONE) status = database_error(known, error);
  sqlite3_finalize(statement);
  *groups = found.items;
  *group_count = found.count;
  return status;
}

enum ew_status ew_known_find(struct ew_known *known, uint64_t group, struct ew_arena *arena,
                             struct ew_known_group *found, struct ew_error *error) {
  struct ew_group_text text = ew_group_text(group);
  const struct ew_span key = ew_span_of(text.text);
  struct ew_known_group *groups;
  size_t count;
  *found = (struct ew_known_group){.group = group};
  enum ew_status status = select_groups(known, COLUMNS "WHERE grp = ?1", &key, 1, arena, &groups, &count, error);
  if (!status && count) *found = groups[0];
  return status;
}

enum ew_status ew_known_search(struct ew_known *known, const char *digits, struct ew_arena *arena,
                               struct ew_known_group *found, struct ew_error *error) {
  const struct ew_span key = ew_span_of(digits);
  struct ew_known_group *groups;
  size_t count;
  enum ew_status status =
      select_groups(known, COLUMNS "WHERE substr(grp, 1, length(?1)) = ?1 OR substr(finding, 1, length(?1)) = ?1", &key,
                    1, arena, &groups, &count, error);
  if (status) return status;
  if (count != 1)
    return ew_fail(error, EW_USAGE, "%s '%.60s': neither a finding of a run nor one group in %.300s",
                   count ? "more than one group is called" : "nothing is called", digits, known->path);
  *found = groups[0];
  return EW_OK;
}

enum ew_status ew_known_muted(struct ew_known *known, struct ew_arena *arena, struct ew_known_group **groups,
                              size_t *count, struct ew_error *error) {
  return select_groups(known, COLUMNS "WHERE muted ORDER BY first_seen, grp", NULL, 0, arena, groups, count, error);
}

/* ---- changing ---- */

static enum ew_status change(struct ew_known *known, const char *sql, const struct ew_span *texts, size_t count,
                             struct ew_error *error) {
  sqlite3_stmt *statement;
  enum ew_status status = prepare(known, sql, texts, count, &statement, error);
  if (status) return status;
  if (sqlite3_step(statement) != SQLITE_DONE) status = database_error(known, error);
  sqlite3_finalize(statement);
  return status;
}

enum ew_status ew_known_record(struct ew_known *known, const struct ew_finding *finding, struct ew_error *error) {
  char now[32];
  time_t seconds = time(NULL);
  struct tm parts;
  strftime(now, sizeof now, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&seconds, &parts));
  struct ew_group_text group = ew_group_text(finding->group);
  const struct ew_span texts[] = {ew_span_of(group.text),       finding->engine, finding->title,
                                  ew_span_of(finding->id.text), ew_span_of(now), finding->version};
  return change(known,
                "INSERT INTO groups(grp, engine, title, finding, first_seen, first_version, last_seen, last_version,"
                "                   runs) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?5, ?6, 1)"
                " ON CONFLICT(grp) DO UPDATE SET title = ?3, finding = ?4, last_seen = ?5, last_version = ?6,"
                "                                runs = runs + 1",
                texts, EW_COUNT(texts), error);
}

enum ew_status ew_known_mute(struct ew_known *known, uint64_t group, bool muted, struct ew_span note,
                             struct ew_error *error) {
  struct ew_group_text text = ew_group_text(group);
  const struct ew_span texts[] = {ew_span_of(text.text), note};
  return change(known,
                muted ? "UPDATE groups SET muted = 1, note = CASE ?2 WHEN '' THEN note ELSE ?2 END WHERE grp = ?1"
                      : "UPDATE groups SET muted = 0, note = CASE ?2 WHEN '' THEN note ELSE ?2 END WHERE grp = ?1",
                texts, EW_COUNT(texts), error);
}
