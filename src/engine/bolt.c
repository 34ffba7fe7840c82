/* bolt.c: engines that speak Bolt: Neo4j, Memgraph and their like, as servers of ours or behind a URL.

   Settings beside those of server.h:

       url, password, wipe   of a server that is not ours; it must be empty, unless wipe is "yes". Schemes: bolt or neo4j, with +s
                             for TLS and +ssc for TLS with any certificate
       reset.X               statements that empty the database, in the order of the profile; where one of them returns strings,
                             these are statements too (that is how unknown indexes are dropped)
       empty.X               queries that count what is left: 0 in each where the database is empty
       version               a query for the version, where the server's greeting does not tell it

   An option of a run, such as runtime=legacy, stands before the statement: CYPHER runtime=legacy MATCH … The option
   `transaction` is ours: `commit` and `rollback` run the statement in a transaction of its own that ends so.

   A statement that is not answered by its deadline is interrupted by RESET; an engine that answers that in time has merely been
   slow. Otherwise it hangs. */
#include "base/vector.h"
#include "engine/adapters.h"
#include "engine/bolt_answer.h"
#include "engine/server.h"
#include "engine/url.h"

#define INTERRUPT_TIME (400 * EW_MILLISECOND) /* less than EW_INSTANCE_GRACE */
#define CONNECT_TIME (5 * EW_SECOND)
#define RESET_TIME (8 * EW_SECOND)

struct bolt {
  struct ew_bolt connection;
  struct ew_bolt_login login;
  struct ew_span database;
  const struct ew_settings *settings;
  struct ew_server server; /* ours, or nothing */
  struct ew_arena arena;   /* of what lives as long as the instance */
  struct ew_text agent;    /* the server's name for itself */
  bool dirty;              /* something was run on a server that is not ours */
};

/* ---- connecting ---- */

static bool connect_now(struct bolt *engine, struct ew_deadline deadline, struct ew_arena *arena) {
  struct ew_bolt_reply answer;
  bool in = ew_bolt_connect(&engine->connection, &engine->login, deadline, arena, &answer);
  if (!in) return false;
  ew_text_reset(&engine->agent);
  ew_text_add(&engine->agent, ew_bolt_find_string(answer.metadata, "server"));
  return true;
}

static bool connected(const struct bolt *engine) {
  return engine->connection.version.major && !engine->connection.stream.failure;
}

/* ---- a statement ---- */

static struct ew_span option_of(const struct ew_option *options, size_t count, const char *name) {
  for (size_t i = 0; i < count; i++)
    if (ew_span_is(options[i].name, name)) return options[i].setting;
  return EW_SPAN("");
}

static struct ew_span with_options(struct ew_arena *arena, struct ew_span text, const struct ew_option *options,
                                   size_t count) {
  struct ew_text prefix = {0};
  for (size_t i = 0; i < count; i++) {
    if (ew_span_is(options[i].name, "transaction")) continue;
    ew_text_add_format(&prefix, "%s%.*s=%.*s ", prefix.length ? "" : "CYPHER ", EW_SPAN_ARGS(options[i].name),
                       EW_SPAN_ARGS(options[i].setting));
  }
  if (prefix.length) {
    ew_text_add(&prefix, text);
    text = ew_arena_copy(arena, ew_text_span(&prefix));
  }
  ew_text_release(&prefix);
  return text;
}

/* The last field of RUN and BEGIN: in which database. */
static void write_extra(struct ew_text *text, const struct bolt *engine) {
  ew_packstream_write_map(text, engine->database.length > 0);
  if (!engine->database.length) return;
  ew_packstream_write_string(text, EW_SPAN("db"));
  ew_packstream_write_string(text, engine->database);
}

static void ask_plainly(struct bolt *engine, enum ew_bolt_tag tag) {
  ew_bolt_begin(&engine->connection, tag, 0);
  ew_bolt_end(&engine->connection);
}

static void ask_run(struct bolt *engine, struct ew_span text, const struct ew_statement *statement) {
  struct ew_bolt *bolt = &engine->connection;
  struct ew_text *out = ew_bolt_begin(bolt, EW_BOLT_RUN, 3);
  ew_packstream_write_string(out, text);
  ew_packstream_write_map(out, statement->parameter_count);
  for (size_t i = 0; i < statement->parameter_count; i++) {
    ew_packstream_write_string(out, statement->parameters[i].name);
    ew_packstream_write(out, statement->parameters[i].value, bolt->form);
  }
  write_extra(out, engine);
  ew_bolt_end(bolt);
  out = ew_bolt_begin(bolt, EW_BOLT_PULL, 1);
  ew_packstream_write_map(out, 1);
  ew_packstream_write_string(out, EW_SPAN("n"));
  ew_packstream_write_integer(out, -1);
  ew_bolt_end(bolt);
}

/* The answer to a request that has no rows. False where it failed, on the stream or with an error. */
static bool take_success(struct bolt *engine, struct ew_arena *arena, struct ew_items *metadata,
                         struct ew_statement_outcome *outcome) {
  struct ew_bolt_reply reply;
  if (!ew_bolt_receive(&engine->connection, arena, &reply)) return false;
  if (reply.tag == EW_BOLT_FAILURE) ew_bolt_read_failure(arena, reply.metadata, outcome);
  if (reply.tag == EW_BOLT_RECORD || reply.tag == EW_BOLT_IGNORED)
    ew_stream_refuse(&engine->connection.stream, "a reply that was not to come yet");
  *metadata = reply.metadata;
  return reply.tag == EW_BOLT_SUCCESS;
}

/* The answers to RUN and PULL. */
static bool take_rows(struct bolt *engine, struct ew_arena *arena, struct ew_statement_outcome *outcome) {
  struct ew_bolt *bolt = &engine->connection;
  struct ew_items metadata;
  struct ew_names columns;
  EW_VECTOR(struct ew_value) cells = {0};
  if (!take_success(engine, arena, &metadata, outcome)) return false;
  if (!ew_bolt_read_columns(arena, metadata, &columns))
    return ew_stream_refuse(&bolt->stream, "an answer without names of columns");
  outcome->rows.columns = columns.items;
  outcome->rows.column_count = columns.count;
  for (;;) {
    struct ew_bolt_reply reply;
    if (!ew_bolt_receive(bolt, arena, &reply)) return false;
    if (reply.tag == EW_BOLT_RECORD) {
      if (reply.record.count != columns.count) return ew_stream_refuse(&bolt->stream, "a row of another width");
      for (size_t i = 0; i < reply.record.count; i++) *ew_arena_vector_push(arena, &cells) = reply.record.items[i];
      outcome->rows.row_count++;
      continue;
    }
    outcome->rows.values = cells.items;
    if (reply.tag == EW_BOLT_SUCCESS) ew_bolt_read_summary(arena, reply.metadata, outcome);
    if (reply.tag == EW_BOLT_FAILURE) ew_bolt_read_failure(arena, reply.metadata, outcome);
    if (reply.tag == EW_BOLT_IGNORED) ew_stream_refuse(&bolt->stream, "rows that were ignored");
    return reply.tag == EW_BOLT_SUCCESS;
  }
}

/* What became of a statement whose answer is not whole. */
static void give_up(struct bolt *engine, struct ew_arena *arena, struct ew_statement_outcome *outcome) {
  struct ew_bolt *bolt = &engine->connection;
  *outcome = (struct ew_statement_outcome){.kind = EW_OUTCOME_TIMEOUT};
  if (bolt->large) {
    outcome->kind = EW_OUTCOME_TOO_LARGE;
    outcome->text = EW_SPAN("an answer of more values than we take");
    ew_bolt_close(bolt);
    return;
  }
  if (bolt->stream.failure == EW_STREAM_LATE && ew_bolt_reset(bolt, arena, ew_deadline_in(INTERRUPT_TIME))) return;
  ew_server_judge(&engine->server, &bolt->stream, arena, outcome);
  ew_bolt_close(bolt);
}

static void execute(struct bolt *engine, struct ew_span text, const struct ew_statement *statement,
                    struct ew_span transaction, struct ew_deadline deadline, struct ew_arena *arena,
                    struct ew_statement_outcome *outcome) {
  struct ew_bolt *bolt = &engine->connection;
  struct ew_items metadata;
  outcome->kind = EW_OUTCOME_ROWS;
  if (!connected(engine) && !connect_now(engine, ew_deadline_in(CONNECT_TIME), arena)) {
    give_up(engine, arena, outcome);
    return;
  }
  ew_bolt_allow(bolt, deadline);
  if (transaction.length) {
    write_extra(ew_bolt_begin(bolt, EW_BOLT_BEGIN, 1), engine);
    ew_bolt_end(bolt);
  }
  ask_run(engine, text, statement);
  if (transaction.length) ask_plainly(engine, ew_span_is(transaction, "rollback") ? EW_BOLT_ROLLBACK : EW_BOLT_COMMIT);
  bool fine = ew_bolt_flush(bolt);
  if (fine && transaction.length) fine = take_success(engine, arena, &metadata, outcome);
  if (fine) fine = take_rows(engine, arena, outcome);
  if (fine && transaction.length) fine = take_success(engine, arena, &metadata, outcome);
  if (fine) return;
  if (outcome->kind == EW_OUTCOME_ERROR) outcome->rows = (struct ew_rows){0};
  if (!bolt->stream.failure) ew_bolt_reset(bolt, arena, ew_deadline_in(INTERRUPT_TIME));
  if (bolt->stream.failure) give_up(engine, arena, outcome);
}

static void run_bolt(void *instance, const struct ew_statement *statement, const struct ew_option *options,
                     size_t option_count, struct ew_deadline deadline, struct ew_arena *arena,
                     struct ew_statement_outcome *outcome) {
  struct bolt *engine = instance;
  engine->dirty = true;
  execute(engine, with_options(arena, statement->text, options, option_count), statement,
          option_of(options, option_count, "transaction"), deadline, arena, outcome);
}

static void explain_bolt(void *instance, const struct ew_statement *statement, struct ew_deadline deadline,
                         struct ew_arena *arena, struct ew_statement_outcome *outcome) {
  execute(instance, ew_arena_format(arena, "EXPLAIN %.*s", EW_SPAN_ARGS(statement->text)), statement, EW_SPAN(""),
          deadline, arena, outcome);
  outcome->rows = (struct ew_rows){0};
}

/* ---- an empty database ---- */

/* Runs a text of the profile; false, with the reason, where it does not end in rows. */
static bool ask(struct bolt *engine, struct ew_span text, struct ew_deadline deadline, struct ew_arena *arena,
                struct ew_rows *rows, struct ew_error *error) {
  struct ew_statement_outcome outcome = {0};
  execute(engine, text, &(struct ew_statement){.text = text}, EW_SPAN(""), deadline, arena, &outcome);
  *rows = outcome.rows;
  if (outcome.kind == EW_OUTCOME_ROWS) return true;
  ew_fail(error, EW_GONE, "%.100s: %s: %.*s", ew_arena_string(arena, text), ew_outcome_kind_text(outcome.kind),
          (int)(outcome.text.length < 300 ? outcome.text.length : 300), outcome.text.bytes);
  return false;
}

static bool empty_it(struct bolt *engine, struct ew_deadline deadline, struct ew_arena *arena, struct ew_error *error) {
  for (size_t i = 0; i < engine->settings->count; i++) {
    const struct ew_option *setting = &engine->settings->items[i];
    struct ew_rows rows, none;
    if (!ew_span_starts(setting->name, EW_SPAN("reset."))) continue;
    if (!ask(engine, setting->setting, deadline, arena, &rows, error)) return false;
    for (size_t k = 0; k < rows.row_count * rows.column_count; k++)
      if (rows.values[k].kind == EW_VALUE_STRING && !ask(engine, rows.values[k].string, deadline, arena, &none, error))
        return false;
  }
  return true;
}

/* Whether nothing is left; `*left` is the query that found something. */
static bool is_empty(struct bolt *engine, struct ew_deadline deadline, struct ew_arena *arena, struct ew_span *left,
                     struct ew_error *error) {
  *left = EW_SPAN("");
  for (size_t i = 0; i < engine->settings->count; i++) {
    const struct ew_option *setting = &engine->settings->items[i];
    struct ew_rows rows;
    if (!ew_span_starts(setting->name, EW_SPAN("empty."))) continue;
    if (!ask(engine, setting->setting, deadline, arena, &rows, error)) return false;
    for (size_t k = 0; k < rows.row_count * rows.column_count; k++) {
      if (rows.values[k].kind == EW_VALUE_INTEGER && rows.values[k].integer == 0) continue;
      *left = setting->setting;
      ew_fail(error, EW_USAGE, "%.200s: this finds something", ew_arena_string(arena, setting->setting));
      return false;
    }
  }
  return true;
}

static enum ew_status reset_bolt(void *instance, struct ew_error *error) {
  struct bolt *engine = instance;
  struct ew_arena arena;
  struct ew_span left;
  ew_arena_init(&arena);
  struct ew_deadline deadline = ew_deadline_in(RESET_TIME);
  bool empty = empty_it(engine, deadline, &arena, error) && is_empty(engine, deadline, &arena, &left, error);
  ew_arena_release(&arena);
  return empty ? EW_OK : EW_GONE;
}

/* ---- opening ---- */

static bool answers(void *context, struct ew_deadline deadline) {
  struct bolt *engine = context;
  struct ew_arena arena;
  struct ew_rows rows;
  struct ew_error error;
  ew_arena_init(&arena);
  struct ew_span ready = ew_settings_find(engine->settings, "server.ready");
  if (!ready.length) ready = EW_SPAN("RETURN 1");
  bool fine = (connected(engine) || connect_now(engine, deadline, &arena)) &&
              ask(engine, ready, deadline, &arena, &rows, &error);
  if (!fine) ew_bolt_close(&engine->connection);
  ew_arena_release(&arena);
  return fine;
}

static enum ew_status open_own(struct bolt *engine, struct ew_error *error) {
  enum ew_status status = ew_server_start(&engine->server, engine->settings, error);
  if (status) return status;
  engine->login = (struct ew_bolt_login){.address = {"127.0.0.1", engine->server.port}};
  return ew_server_await(&engine->server, answers, engine, error);
}

static enum ew_status read_address(struct bolt *engine, struct ew_span text, struct ew_error *error) {
  static const struct {
    const char *scheme;
    bool tls, lax;
  } schemes[] = {{"bolt", false, false},  {"bolt+s", true, false},  {"bolt+ssc", true, true},
                 {"neo4j", false, false}, {"neo4j+s", true, false}, {"neo4j+ssc", true, true}};
  struct ew_url url;
  enum ew_status status = ew_url_read(text, &engine->arena, &url, error);
  if (status) return status;
  struct ew_bolt_login *login = &engine->login;
  *login = (struct ew_bolt_login){.address = url.address, .user = ew_span_of(url.user)};
  if (!login->address.port[0]) login->address.port = "7687";
  login->password = ew_settings_find(engine->settings, "password");
  if (login->password.length && !login->user.length) login->user = EW_SPAN("neo4j");
  engine->database = ew_span_of(url.database);
  for (size_t i = 0; i < EW_COUNT(schemes); i++) {
    if (!ew_span_is(url.scheme, schemes[i].scheme)) continue;
    login->tls = schemes[i].tls;
    login->lax = schemes[i].lax;
    return EW_OK;
  }
  return ew_fail(error, EW_USAGE, "an address of a Bolt server begins with bolt:// or bolt+s://");
}

/* A database that is not ours is never wiped unasked. */
static enum ew_status claim(struct bolt *engine, struct ew_error *error) {
  struct ew_span left;
  if (ew_settings_find(engine->settings, "wipe").length) return reset_bolt(engine, error);
  if (is_empty(engine, ew_deadline_in(RESET_TIME), &engine->arena, &left, error)) return EW_OK;
  if (!left.length) return EW_GONE;
  return ew_fail(error, EW_USAGE, "the database is not empty (%.*s); with --wipe all that is in it is removed",
                 EW_SPAN_ARGS(left));
}

static enum ew_status open_other(struct bolt *engine, struct ew_error *error) {
  struct ew_span url = ew_settings_find(engine->settings, "url");
  if (!url.length)
    return ew_fail(error, EW_MISSING, "neither a URL is given nor does the profile say how to start a server");
  enum ew_status status = read_address(engine, url, error);
  if (status) return status;
  struct ew_bolt_reply answer;
  struct ew_stream *stream = &engine->connection.stream;
  if (!ew_bolt_connect(&engine->connection, &engine->login, ew_deadline_in(CONNECT_TIME), &engine->arena, &answer)) {
    struct ew_span why = answer.tag == EW_BOLT_FAILURE ? ew_bolt_find_string(answer.metadata, "message") : EW_SPAN("");
    return ew_fail(error, EW_MISSING, "%.*s: %s%s%.*s", EW_SPAN_ARGS(url),
                   stream->reason ? stream->reason : "no answer", why.length ? ": " : "",
                   (int)(why.length < 200 ? why.length : 200), why.bytes);
  }
  ew_text_add(&engine->agent, ew_bolt_find_string(answer.metadata, "server"));
  return claim(engine, error);
}

static enum ew_status open_bolt(const struct ew_settings *settings, void **instance, struct ew_error *error) {
  struct bolt *engine = ew_allocate_zeroed(1, sizeof *engine);
  *instance = engine;
  ew_arena_init(&engine->arena);
  engine->settings = settings;
  engine->connection.stream.socket = -1;
  bool own = !ew_settings_find(settings, "url").length && ew_server_wanted(settings);
  return own ? open_own(engine, error) : open_other(engine, error);
}

/* "Neo4j/5.26.12" is 5.26.12. */
static struct ew_span version_bolt(void *instance, struct ew_arena *arena) {
  struct bolt *engine = instance;
  struct ew_span query = ew_settings_find(engine->settings, "version"), agent = ew_text_span(&engine->agent);
  struct ew_rows rows;
  struct ew_error error;
  if (query.length && ask(engine, query, ew_deadline_in(CONNECT_TIME), arena, &rows, &error) && rows.row_count &&
      rows.column_count && rows.values[0].kind == EW_VALUE_STRING)
    return rows.values[0].string;
  const char *slash = memchr(agent.bytes, '/', agent.length);
  if (!slash) return ew_arena_copy(arena, agent);
  return ew_arena_copy(arena, (struct ew_span){slash + 1, (size_t)(agent.bytes + agent.length - slash) - 1});
}

static void close_bolt(void *instance) {
  struct bolt *engine = instance;
  struct ew_error error;
  /* On somebody else's server nothing of ours stays. */
  if (engine->dirty && !engine->server.watcher && connected(engine))
    engine->dirty = reset_bolt(engine, &error) != EW_OK;
  ew_bolt_release(&engine->connection);
  ew_server_stop(&engine->server);
  ew_text_release(&engine->agent);
  ew_arena_release(&engine->arena);
  ew_deallocate(engine);
}

const struct ew_adapter ew_adapter_bolt = {
    .name = "bolt",
    .open = open_bolt,
    .reset = reset_bolt,
    .run = run_bolt,
    .explain = explain_bolt,
    .version = version_bolt,
    .close = close_bolt,
};
