/* resp.c: FalkorDB and its like: Cypher in GRAPH.QUERY, over the Redis protocol.

   Settings: those of a server of ours (server.h), or `url` (redis://, rediss:// for TLS), with `password` and `wipe`; `timeout`: a
   pattern of the error that says that the engine stopped a statement at its time limit; `slot` makes the graph's name.

   A reset deletes the graph, and looks whether it is gone. Of a server that is not ours only the graphs called edgewise-N are ever touched,
   and only if it held nothing before, or `wipe` is given. */
#include <stdio.h>
#include <time.h>

#include "base/allocate.h"
#include "contract/profile.h"
#include "engine/adapters.h"
#include "engine/resp_reply.h"
#include "engine/server.h"
#include "engine/url.h"

enum { ANSWER_MAX = 32 << 20, NAMES_MAX = 1 << 20 };

/* How long the engine may overrun the limit that it was told before the client gives up: less than the host itself gets. */
static const int64_t PATIENCE = 250 * EW_MILLISECOND, CONTROL_TIME = 5 * EW_SECOND;

struct resp {
  const struct ew_settings *settings;
  struct ew_server server;
  struct ew_stream stream;
  struct ew_arena arena;       /* of the address and the graph's name */
  struct ew_arena names_arena; /* of `names` */
  struct ew_resp_names names;
  struct ew_address address;
  struct ew_span graph, user, password;
  bool encrypted, connected;
  struct ew_text query;
};

/* ---- commands ---- */

#define SEND(engine, ...)                                               \
  ew_resp_write(&(engine)->stream.out, (struct ew_span[]){__VA_ARGS__}, \
                sizeof((struct ew_span[]){__VA_ARGS__}) / sizeof(struct ew_span))

/* Sends what was written and reads one reply; NULL where the stream has failed. */
static const struct ew_resp *exchange(struct resp *engine, struct ew_deadline deadline, struct ew_arena *arena) {
  ew_stream_allow(&engine->stream, deadline, ANSWER_MAX);
  /* Nobody asked for what lies there: the two sides do not agree any more on whose turn it is. */
  if (ew_stream_pending(&engine->stream)) ew_stream_refuse(&engine->stream, "bytes that were not asked for");
  return ew_stream_flush(&engine->stream) ? ew_resp_read(&engine->stream, arena) : NULL;
}

static bool log_in(struct resp *engine, struct ew_deadline deadline, struct ew_arena *arena) {
  if (!engine->password.length) return true;
  if (engine->user.length)
    SEND(engine, EW_SPAN("AUTH"), engine->user, engine->password);
  else
    SEND(engine, EW_SPAN("AUTH"), engine->password);
  const struct ew_resp *reply = exchange(engine, deadline, arena);
  return reply && (reply->kind != EW_RESP_ERROR || ew_stream_refuse(&engine->stream, "the password is not accepted"));
}

static bool connect_engine(struct resp *engine, struct ew_deadline deadline, struct ew_arena *arena) {
  if (engine->connected && !engine->stream.failure) return true;
  ew_stream_close(&engine->stream);
  engine->connected = ew_stream_connect(&engine->stream, &engine->address, deadline) &&
                      (!engine->encrypted || ew_stream_encrypt(&engine->stream, engine->address.host, false)) &&
                      log_in(engine, deadline, arena);
  return engine->connected;
}

static struct ew_deadline later(struct ew_deadline deadline, int64_t nanoseconds) {
  return (struct ew_deadline){deadline.at < INT64_MAX - nanoseconds ? deadline.at + nanoseconds : INT64_MAX};
}

/* ---- names of labels, types and keys ---- */

static void forget_names(struct resp *engine) {
  ew_arena_reset(&engine->names_arena);
  engine->names = (struct ew_resp_names){0};
}

static bool fetch(struct resp *engine, const char *procedure, struct ew_deadline deadline, struct ew_names *names) {
  SEND(engine, EW_SPAN("GRAPH.QUERY"), engine->graph, ew_span_of(procedure), EW_SPAN("--compact"));
  const struct ew_resp *reply = exchange(engine, deadline, &engine->names_arena);
  return reply && ew_resp_read_names(reply, &engine->names_arena, names);
}

static bool fetch_names(struct resp *engine, struct ew_deadline deadline) {
  forget_names(engine);
  return fetch(engine, "CALL db.labels()", deadline, &engine->names.labels) &&
         fetch(engine, "CALL db.relationshipTypes()", deadline, &engine->names.types) &&
         fetch(engine, "CALL db.propertyKeys()", deadline, &engine->names.keys);
}

/* ---- opening ---- */

/* Whether the ready statement is answered, on a connection of its own making. */
static bool answers(void *context, struct ew_deadline deadline) {
  struct resp *engine = context;
  struct ew_arena arena;
  struct ew_span ready = ew_settings_find(engine->settings, "server.ready");
  struct ew_deadline soon = ew_deadline_in(CONTROL_TIME);
  if (deadline.at < soon.at) soon = deadline;
  ew_arena_init(&arena);
  bool answered = connect_engine(engine, soon, &arena);
  if (answered) {
    SEND(engine, EW_SPAN("GRAPH.QUERY"), engine->graph, ready.length ? ready : EW_SPAN("RETURN 1"),
         EW_SPAN("--compact"));
    const struct ew_resp *reply = exchange(engine, soon, &arena);
    answered = reply && reply->kind != EW_RESP_ERROR;
    if (reply && !answered) ew_stream_refuse(&engine->stream, "the ready statement ends in an error");
  }
  ew_arena_release(&arena);
  return answered;
}

static enum ew_status read_address(struct resp *engine, struct ew_span text, struct ew_error *error) {
  struct ew_url url;
  enum ew_status status = ew_url_read(text, &engine->arena, &url, error);
  if (status) return status;
  engine->address = url.address;
  if (!engine->address.port[0]) engine->address.port = "6379";
  engine->user = ew_span_of(url.user);
  engine->encrypted = ew_span_is(url.scheme, "rediss");
  engine->password = ew_settings_find(engine->settings, "password");
  return EW_OK;
}

/* A server that is not ours must hold nothing. */
static enum ew_status check_empty(struct resp *engine, struct ew_error *error) {
  struct ew_arena arena;
  enum ew_status status = EW_OK;
  ew_arena_init(&arena);
  struct ew_deadline deadline = ew_deadline_in(CONTROL_TIME);
  const struct ew_resp *reply = NULL;
  if (connect_engine(engine, deadline, &arena)) {
    SEND(engine, EW_SPAN("DBSIZE"));
    reply = exchange(engine, deadline, &arena);
  }
  if (!reply)
    status = ew_fail(error, EW_GONE, "%s:%s: %s", engine->address.host, engine->address.port,
                     engine->stream.reason ? engine->stream.reason : "no answer");
  else if (reply->kind != EW_RESP_INTEGER)
    status = ew_fail(error, EW_USAGE, "%s:%s does not say how much it holds: %.*s", engine->address.host,
                     engine->address.port, EW_SPAN_ARGS(reply->text));
  else if (reply->integer && !ew_settings_find(engine->settings, "wipe").length)
    status =
        ew_fail(error, EW_USAGE,
                "%s:%s holds %lld keys: it is not ours to write to; --wipe allows it (only graphs called edgewise-N "
                "are touched)",
                engine->address.host, engine->address.port, (long long)reply->integer);
  ew_arena_release(&arena);
  return status;
}

static enum ew_status reset_resp(void *instance, struct ew_error *error);

static enum ew_status open_resp(const struct ew_settings *settings, void **instance, struct ew_error *error) {
  struct resp *engine = ew_allocate_zeroed(1, sizeof *engine);
  struct ew_span url = ew_settings_find(settings, "url"), slot = ew_settings_find(settings, "slot");
  *instance = engine;
  engine->settings = settings;
  engine->stream.socket = engine->server.socket = -1;
  ew_arena_init(&engine->arena);
  ew_arena_init(&engine->names_arena);
  engine->graph = ew_arena_format(&engine->arena, "edgewise-%.*s", EW_SPAN_ARGS(slot.length ? slot : EW_SPAN("0")));
  if (url.length) {
    enum ew_status status = read_address(engine, url, error);
    if (!status) status = check_empty(engine, error);
    return status ? status : reset_resp(engine, error);
  }
  if (!ew_server_wanted(settings))
    return ew_fail(error, EW_MISSING, "neither a URL is given nor does the profile say how to start a server");
  enum ew_status status = ew_server_start(&engine->server, settings, error);
  engine->address = (struct ew_address){"127.0.0.1", engine->server.port};
  engine->password = ew_span_of(engine->server.password);
  if (!status) status = ew_server_await(&engine->server, answers, engine, error);
  if (!status) status = reset_resp(engine, error);
  if (status) ew_server_stop(&engine->server);
  return status;
}

/* ---- resetting ---- */

/* The graph is deleted; that it was not there is as good. */
static enum ew_status reset_resp(void *instance, struct ew_error *error) {
  struct resp *engine = instance;
  struct ew_arena arena;
  struct ew_deadline deadline = ew_deadline_in(CONTROL_TIME);
  const struct ew_resp *deleted = NULL, *there = NULL;
  enum ew_status status = EW_OK;
  ew_arena_init(&arena);
  forget_names(engine);
  if (connect_engine(engine, deadline, &arena)) {
    SEND(engine, EW_SPAN("GRAPH.DELETE"), engine->graph);
    SEND(engine, EW_SPAN("EXISTS"), engine->graph);
    deleted = exchange(engine, deadline, &arena);
    there = deleted ? ew_resp_read(&engine->stream, &arena) : NULL;
  }
  if (!there)
    status = ew_fail(error, EW_GONE, "the graph could not be deleted: %s",
                     engine->stream.reason ? engine->stream.reason : "no answer");
  else if (there->kind != EW_RESP_INTEGER || there->integer != 0)
    status = ew_fail(error, EW_BAD, "the graph is still there after GRAPH.DELETE: %.*s", EW_SPAN_ARGS(deleted->text));
  ew_arena_release(&arena);
  return status;
}

/* ---- statements ---- */

/* "CYPHER a=1 b='x' QUERY" */
static struct ew_span with_parameters(struct resp *engine, const struct ew_statement *statement) {
  if (!statement->parameter_count) return statement->text;
  ew_text_reset(&engine->query);
  ew_text_add_string(&engine->query, "CYPHER ");
  for (size_t i = 0; i < statement->parameter_count; i++) {
    ew_text_add(&engine->query, statement->parameters[i].name);
    ew_text_add_char(&engine->query, '=');
    ew_value_print(&engine->query, statement->parameters[i].value);
    ew_text_add_char(&engine->query, ' ');
  }
  ew_text_add(&engine->query, statement->text);
  return ew_text_span(&engine->query);
}

/* The connection is of no use any more after this. */
static void judge(struct resp *engine, struct ew_arena *arena, struct ew_statement_outcome *outcome) {
  ew_server_judge(&engine->server, &engine->stream, arena, outcome);
  ew_stream_close(&engine->stream);
  engine->connected = false;
}

/* Reads the names where the answer has others than those that are known. */
static void take_answer(struct resp *engine, const struct ew_resp *reply, struct ew_deadline deadline,
                        struct ew_arena *arena, struct ew_statement_outcome *outcome) {
  enum ew_resp_answer answer = ew_resp_read_answer(reply, &engine->names, arena, outcome);
  if (answer != EW_RESP_UNKNOWN_NAMES) return;
  if (!fetch_names(engine, deadline)) {
    if (engine->stream.failure) {
      judge(engine, arena, outcome);
      return;
    }
    *outcome = (struct ew_statement_outcome){.kind = EW_OUTCOME_CORRUPT};
    outcome->text = EW_SPAN("the names of labels, types and keys cannot be had");
    return;
  }
  if (ew_resp_read_answer(reply, &engine->names, arena, outcome) != EW_RESP_UNKNOWN_NAMES) return;
  *outcome = (struct ew_statement_outcome){.kind = EW_OUTCOME_CORRUPT};
  outcome->text = EW_SPAN("an element with a label, a type or a key that the graph does not know");
}

static void run_resp(void *instance, const struct ew_statement *statement, const struct ew_option *options,
                     size_t option_count, struct ew_deadline deadline, struct ew_arena *arena,
                     struct ew_statement_outcome *outcome) {
  struct resp *engine = instance;
  (void)options;
  (void)option_count;
  char limit[24];
  int64_t left = deadline.at == INT64_MAX ? 0 : (deadline.at - ew_now()) / EW_MILLISECOND;
  snprintf(limit, sizeof limit, "%lld", (long long)(left > 1 ? left : deadline.at == INT64_MAX ? 0 : 1));
  struct ew_deadline last = later(deadline, PATIENCE);
  const struct ew_resp *reply = NULL;
  if (connect_engine(engine, last, arena)) {
    SEND(engine, EW_SPAN("GRAPH.QUERY"), engine->graph, with_parameters(engine, statement), EW_SPAN("--compact"),
         EW_SPAN("timeout"), ew_span_of(limit));
    reply = exchange(engine, last, arena);
  }
  if (!reply) {
    judge(engine, arena, outcome);
    return;
  }
  take_answer(engine, reply, last, arena, outcome);
  struct ew_span timeout = ew_settings_find(engine->settings, "timeout");
  if (outcome->kind == EW_OUTCOME_ERROR && timeout.length && ew_pattern_matches(timeout, outcome->text))
    *outcome = (struct ew_statement_outcome){.kind = EW_OUTCOME_TIMEOUT};
}

static void explain_resp(void *instance, const struct ew_statement *statement, struct ew_deadline deadline,
                         struct ew_arena *arena, struct ew_statement_outcome *outcome) {
  struct resp *engine = instance;
  const struct ew_resp *reply = NULL;
  struct ew_text plan = {0};
  if (connect_engine(engine, deadline, arena)) {
    SEND(engine, EW_SPAN("GRAPH.EXPLAIN"), engine->graph, with_parameters(engine, statement));
    reply = exchange(engine, later(deadline, PATIENCE), arena);
  }
  if (!reply) {
    judge(engine, arena, outcome);
    return;
  }
  outcome->kind = reply->kind == EW_RESP_ERROR ? EW_OUTCOME_ERROR : EW_OUTCOME_ROWS;
  if (reply->kind == EW_RESP_ERROR) outcome->text = reply->text;
  for (size_t i = 0; reply->kind == EW_RESP_ARRAY && i < reply->count; i++) {
    ew_text_add(&plan, reply->items[i].text);
    ew_text_add_char(&plan, '\n');
  }
  outcome->plan = ew_arena_copy(arena, ew_text_span(&plan));
  ew_text_release(&plan);
}

/* ---- the rest ---- */

/* MODULE LIST: of each module [name, graph, ver, 42201, …]. */
static struct ew_span version_resp(void *instance, struct ew_arena *arena) {
  struct resp *engine = instance;
  SEND(engine, EW_SPAN("MODULE"), EW_SPAN("LIST"));
  const struct ew_resp *reply = exchange(engine, ew_deadline_in(CONTROL_TIME), arena);
  for (size_t i = 0; reply && i < reply->count; i++) {
    const struct ew_resp *module = &reply->items[i];
    bool graph = false;
    int64_t number = -1;
    for (size_t k = 0; k + 1 < module->count; k += 2) {
      if (ew_span_is(module->items[k].text, "name")) graph = ew_span_is(module->items[k + 1].text, "graph");
      if (ew_span_is(module->items[k].text, "ver")) number = module->items[k + 1].integer;
    }
    if (graph && number >= 0)
      return ew_arena_format(arena, "%lld.%lld.%lld", (long long)(number / 10000), (long long)(number / 100 % 100),
                             (long long)(number % 100));
  }
  return EW_SPAN("unknown");
}

static void close_resp(void *instance) {
  struct resp *engine = instance;
  struct ew_error error;
  /* Of ours nothing stays on a server that is not. */
  if (engine->connected && ew_settings_find(engine->settings, "url").length && reset_resp(engine, &error))
    engine->connected = false;
  ew_stream_release(&engine->stream);
  ew_server_stop(&engine->server);
  ew_arena_release(&engine->arena);
  ew_arena_release(&engine->names_arena);
  ew_text_release(&engine->query);
  ew_deallocate(engine);
}

const struct ew_adapter ew_adapter_resp = {
    .name = "resp",
    .open = open_resp,
    .reset = reset_resp,
    .run = run_resp,
    .explain = explain_resp,
    .version = version_resp,
    .close = close_resp,
};
