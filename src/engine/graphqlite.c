/* graphqlite.c: GraphQLite, an extension of SQLite, in this process: `SELECT cypher(?1)` on a database in memory.

   Settings: `library`, the extension's file. `reset`: "image" (where it is not given) or "fresh".

   A reset closes the database, which also unloads the extension with all its static state, and opens a new one. The
   extension spends most of its start on making 40 tables and indexes; "image" copies them from the bytes of the
   first database, taken before any statement, so that a reset is what opening an empty graph file is, in half the
   time. "fresh" makes them anew. */
#include <sqlite3.h>

#include "base/allocate.h"
#include "engine/adapters.h"
#include "engine/graphqlite_answer.h"

enum { ANSWER_MAX = 32 << 20, OPERATIONS = 1000 /* of SQLite's machine between two looks at the clock */ };

struct graphqlite {
  sqlite3 *database;
  sqlite3_stmt *plain, *with_parameters;
  char *library;
  struct ew_text image; /* of the empty database; empty where it is not to be used */
  bool keep_image;
  struct ew_deadline deadline;
  bool stopped; /* by the deadline */
  struct ew_text scratch;
};

static int check_deadline(void *context) {
  struct graphqlite *engine = context;
  if (!ew_deadline_passed(engine->deadline)) return 0;
  engine->stopped = true;
  return 1;
}

static void close_database(struct graphqlite *engine) {
  sqlite3_finalize(engine->plain);
  sqlite3_finalize(engine->with_parameters);
  sqlite3_close(engine->database);
  engine->plain = engine->with_parameters = NULL;
  engine->database = NULL;
}

static void restore_image(struct graphqlite *engine) {
  if (!engine->image.length) return;
  unsigned char *copy = sqlite3_malloc64(engine->image.length);
  if (!copy) return;
  memcpy(copy, engine->image.bytes, engine->image.length);
  sqlite3_int64 length = (sqlite3_int64)engine->image.length;
  sqlite3_deserialize(engine->database, "main", copy, length, length,
                      SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE);
}

static void take_image(struct graphqlite *engine) {
  sqlite3_int64 length = 0;
  unsigned char *bytes =
      engine->keep_image && !engine->image.length ? sqlite3_serialize(engine->database, "main", &length, 0) : NULL;
  if (bytes && length > 0) ew_text_add_bytes(&engine->image, (const char *)bytes, (size_t)length);
  sqlite3_free(bytes);
}

static enum ew_status open_database(struct graphqlite *engine, struct ew_error *error) {
  int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  if (sqlite3_open_v2(":memory:", &engine->database, flags, NULL) != SQLITE_OK)
    return ew_fail(error, EW_IO, "SQLite opens no database in memory: %s", sqlite3_errmsg(engine->database));
  sqlite3_db_config(engine->database, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 1, NULL);
  restore_image(engine);
  char *why = NULL;
  if (sqlite3_load_extension(engine->database, engine->library, NULL, &why) != SQLITE_OK) {
    ew_fail(error, EW_MISSING, "SQLite does not load %s: %s", engine->library, why ? why : "no reason given");
    sqlite3_free(why);
    return EW_MISSING;
  }
  take_image(engine);
  unsigned keep = SQLITE_PREPARE_PERSISTENT;
  if (sqlite3_prepare_v3(engine->database, "SELECT cypher(?1)", -1, keep, &engine->plain, NULL) != SQLITE_OK)
    return ew_fail(error, EW_BAD, "%s is not GraphQLite: %s", engine->library, sqlite3_errmsg(engine->database));
  /* Old versions take no parameters: the statement is NULL then. */
  sqlite3_prepare_v3(engine->database, "SELECT cypher(?1, ?2)", -1, keep, &engine->with_parameters, NULL);
  sqlite3_progress_handler(engine->database, OPERATIONS, check_deadline, engine);
  return EW_OK;
}

static enum ew_status open_graphqlite(const struct ew_settings *settings, void **instance, struct ew_error *error) {
  struct ew_span library = ew_settings_find(settings, "library");
  if (!library.length)
    return ew_fail(error, EW_MISSING, "no library is given; run edgewise engines install graphqlite");
  struct graphqlite *engine = ew_allocate_zeroed(1, sizeof *engine);
  engine->library = ew_allocate_copy(library.bytes, library.length);
  engine->keep_image = !ew_span_is(ew_settings_find(settings, "reset"), "fresh");
  engine->deadline = EW_DEADLINE_NEVER;
  *instance = engine;
  return open_database(engine, error);
}

static enum ew_status reset_graphqlite(void *instance, struct ew_error *error) {
  struct graphqlite *engine = instance;
  engine->deadline = EW_DEADLINE_NEVER;
  close_database(engine);
  return open_database(engine, error);
}

/* Binds and steps once; the answer is copied to the arena, because SQLite's own ends with the statement, which must
   not stay open: what it wrote is committed when it ends. */
static void execute(struct graphqlite *engine, struct ew_span text, const struct ew_statement *statement,
                    struct ew_arena *arena, struct ew_statement_outcome *outcome) {
  sqlite3_stmt *prepared = engine->plain;
  if (statement->parameter_count && engine->with_parameters) {
    prepared = engine->with_parameters;
    ew_text_reset(&engine->scratch);
    ew_graphqlite_write_parameters(&engine->scratch, statement);
    sqlite3_bind_text(prepared, 2, engine->scratch.bytes, (int)engine->scratch.length, SQLITE_STATIC);
  }
  sqlite3_bind_text(prepared, 1, text.length ? text.bytes : "", (int)text.length, SQLITE_STATIC);
  engine->stopped = false;
  int result = sqlite3_step(prepared);
  struct ew_span answer = {"", 0};
  if (result == SQLITE_ROW) {
    const char *bytes = (const char *)sqlite3_column_text(prepared, 0);
    size_t length = bytes ? (size_t)sqlite3_column_bytes(prepared, 0) : 0;
    if (length > ANSWER_MAX) {
      outcome->kind = EW_OUTCOME_TOO_LARGE;
      outcome->text = ew_arena_format(arena, "an answer of %zu bytes", length);
    } else if (length) {
      answer = ew_arena_copy(arena, (struct ew_span){bytes, length});
    }
  } else {
    answer = ew_arena_copy(arena, ew_span_of(sqlite3_errmsg(engine->database)));
  }
  sqlite3_reset(prepared);
  /* A write that the deadline cut short says that it succeeded; it is a timeout all the same. */
  if (engine->stopped)
    outcome->kind = EW_OUTCOME_TIMEOUT;
  else if (result != SQLITE_ROW)
    ew_graphqlite_read_error(arena, answer, outcome);
  else if (answer.length)
    ew_graphqlite_read_answer(arena, answer, statement->columns, outcome);
}

static void run_graphqlite(void *instance, const struct ew_statement *statement, const struct ew_option *options,
                           size_t option_count, struct ew_deadline deadline, struct ew_arena *arena,
                           struct ew_statement_outcome *outcome) {
  struct graphqlite *engine = instance;
  (void)options;
  (void)option_count;
  outcome->kind = EW_OUTCOME_ROWS;
  engine->deadline = deadline;
  execute(engine, statement->text, statement, arena, outcome);
}

static void explain_graphqlite(void *instance, const struct ew_statement *statement, struct ew_deadline deadline,
                               struct ew_arena *arena, struct ew_statement_outcome *outcome) {
  struct graphqlite *engine = instance;
  struct ew_span text = ew_arena_format(arena, "EXPLAIN %.*s", EW_SPAN_ARGS(statement->text));
  struct ew_statement without_columns = *statement;
  without_columns.columns = (struct ew_names){0};
  outcome->kind = EW_OUTCOME_ROWS;
  engine->deadline = deadline;
  execute(engine, text, &without_columns, arena, outcome);
  if (outcome->kind != EW_OUTCOME_ROWS || outcome->rows.row_count != 1) return;
  if (outcome->rows.values[0].kind == EW_VALUE_STRING) outcome->plan = outcome->rows.values[0].string;
  outcome->rows = (struct ew_rows){0};
}

/* The folder's name, for versions that do not tell: versions lie side by side in folders named after them. */
static struct ew_span version_of_path(const char *path) {
  const char *end = strrchr(path, '/');
  const char *start = end;
  while (start && start > path && start[-1] != '/') start--;
  return start && *start >= '0' && *start <= '9' ? (struct ew_span){start, (size_t)(end - start)} : EW_SPAN("unknown");
}

static struct ew_span version_graphqlite(void *instance, struct ew_arena *arena) {
  struct graphqlite *engine = instance;
  sqlite3_stmt *statement = NULL;
  struct ew_span version = {"", 0};
  const char *query = "SELECT json_extract(cypher_capabilities(), '$.graphqlite_version')";
  if (sqlite3_prepare_v2(engine->database, query, -1, &statement, NULL) == SQLITE_OK &&
      sqlite3_step(statement) == SQLITE_ROW) {
    const char *text = (const char *)sqlite3_column_text(statement, 0);
    if (text) version = ew_arena_copy(arena, ew_span_of(text));
  }
  sqlite3_finalize(statement);
  if (!version.length) version = version_of_path(engine->library);
  return ew_arena_format(arena, "%.*s, SQLite %s", EW_SPAN_ARGS(version), sqlite3_libversion());
}

static void close_graphqlite(void *instance) {
  struct graphqlite *engine = instance;
  close_database(engine);
  ew_text_release(&engine->image);
  ew_text_release(&engine->scratch);
  ew_deallocate(engine->library);
  ew_deallocate(engine);
}

const struct ew_adapter ew_adapter_graphqlite = {
    .name = "graphqlite",
    .open = open_graphqlite,
    .reset = reset_graphqlite,
    .run = run_graphqlite,
    .explain = explain_graphqlite,
    .version = version_graphqlite,
    .close = close_graphqlite,
};
