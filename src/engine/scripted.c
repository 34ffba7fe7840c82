/* scripted.c: an engine for tests, which does what it is told. Each way in which an engine can fail is one command, so
   that whatever deals with failures can be tested without an engine that has them:

       ROWS [[1, 2], [3, null]] AS a,b   answers these rows; without AS the columns are those that the statement expects
       FILL n                            answers n rows of zeros, in the columns that the statement expects
       ECHO                              answers one row: the values of its parameters
       ERROR text                        answers an error; `code` is SCRIPTED
       SAY text                          writes to standard error
       CRASH segv|abort|fpe|exit N       dies
       DOUBLEFREE                        gives a block of memory back twice
       OVERFLOW                          recurses until the stack ends
       POISON                            the next reset crashes
       HANG                              loops for ever, whatever the deadline
       SLEEP ms                          takes its time; a timeout where that is beyond the deadline
       GARBAGE n                         writes n bytes that are no message to the host's own socket
       TRUNCATE                          sends the first half of a message and ends the process
       SILENCE                           closes the host's own socket and lives on
       HUGE n                            answers n rows
       DEEP n                            answers a list in a list, n deep
       MEMORY n                          takes n MiB of address space; an error where it does not get them
       FLAKY n                           answers 0; every n-th time in this process, 1
       FLAKY-CRASH n                     the same, but dies instead
       STATE set x | STATE get           remembers x until the next reset
       LEAK-STATE set x | LEAK-STATE get remembers x until the process ends: a state that reset does not reach
       IF-LEAKED command                 does it where such a state is set, else answers no rows
       ONCE path command                 does it if the file is not there yet and makes the file, else answers no rows

   The command is the statement itself, so anything else is an error; unless the settings have rules, which plant faults
   under statements of any language. The first rule whose pattern (contract/profile.h) matches the statement's text says
   what to do:

       when.NAME = PATTERN => COMMAND
       otherwise = COMMAND               for what no rule matches

   Where `journal` names a file, each statement's text is added to it, a line each. Explaining gives the statement's first
   word. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/allocate.h"
#include "contract/profile.h"
#include "engine/adapters.h"
#include "engine/host.h"
#include "engine/wire.h"

struct scripted {
  const struct ew_settings *settings;
  int journal; /* -1 where there is none */
  struct ew_text state, leaked;
  uint64_t calls; /* of FLAKY commands in this process */
  bool poisoned;
};

struct call {
  struct scripted *engine;
  const struct ew_statement *statement;
  struct ew_span argument;
  struct ew_deadline deadline;
  struct ew_arena *arena;
  struct ew_statement_outcome *outcome;
};

static uint64_t number_of(struct ew_span text) {
  uint64_t number = 0;
  for (size_t i = 0; i < text.length && text.bytes[i] >= '0' && text.bytes[i] <= '9'; i++)
    number = number * 10 + (uint64_t)(text.bytes[i] - '0');
  return number;
}

static bool take_word(struct ew_span *text, const char *word) {
  struct ew_span prefix = ew_span_of(word);
  if (!ew_span_starts(*text, prefix) || (text->length > prefix.length && text->bytes[prefix.length] != ' '))
    return false;
  size_t skipped = prefix.length + (text->length > prefix.length);
  *text = (struct ew_span){text->bytes + skipped, text->length - skipped};
  return true;
}

static void fail(struct call *call, struct ew_span text) {
  call->outcome->kind = EW_OUTCOME_ERROR;
  call->outcome->text = text;
  call->outcome->code = EW_SPAN("SCRIPTED");
}

/* One row with one column. */
static void answer(struct call *call, struct ew_value value) {
  struct ew_value *cell = EW_NEW(call->arena, struct ew_value);
  struct ew_span *column = EW_NEW(call->arena, struct ew_span);
  *cell = value;
  *column = call->statement->columns.count ? call->statement->columns.items[0] : EW_SPAN("value");
  call->outcome->rows = (struct ew_rows){column, 1, cell, 1};
}

/* ---- commands ---- */

static void run_command(struct call *call);

/* "a,b" to names. */
static struct ew_names split(struct ew_arena *arena, struct ew_span text) {
  size_t count = 1, from = 0, at = 0;
  for (size_t i = 0; i < text.length; i++) count += text.bytes[i] == ',';
  struct ew_span *items = EW_NEW_ARRAY(arena, struct ew_span, count);
  for (size_t i = 0; i <= text.length; i++) {
    if (i < text.length && text.bytes[i] != ',') continue;
    items[at++] = (struct ew_span){text.bytes + from, i - from};
    from = i + 1;
  }
  return (struct ew_names){items, count};
}

static void run_rows(struct call *call) {
  struct ew_span source = call->argument;
  struct ew_names columns = call->statement->columns;
  for (size_t i = 0; i + 5 <= source.length; i++) {
    struct ew_span rest = {source.bytes + i, source.length - i};
    if (!ew_span_starts(rest, EW_SPAN("] AS "))) continue;
    columns = split(call->arena, (struct ew_span){rest.bytes + 5, rest.length - 5});
    source.length = i + 1;
    break;
  }
  const struct ew_json *json;
  struct ew_error error;
  if (ew_json_read(call->arena, source, (struct ew_json_options){true}, &json, &error) || json->kind != EW_JSON_ARRAY) {
    fail(call, EW_SPAN("ROWS needs an array of arrays"));
    return;
  }
  size_t width = json->count && json->items[0].kind == EW_JSON_ARRAY ? json->items[0].count : columns.count;
  struct ew_value *values = EW_NEW_ARRAY(call->arena, struct ew_value, json->count * width);
  for (size_t i = 0; i < json->count * width; i++) {
    const struct ew_json *row = &json->items[i / width];
    if (row->kind != EW_JSON_ARRAY || row->count != width ||
        ew_value_read_json(call->arena, &row->items[i % width], &values[i], &error)) {
      fail(call, EW_SPAN("ROWS needs rows of one length, with values in them"));
      return;
    }
  }
  call->outcome->rows = (struct ew_rows){columns.count == width ? columns.items : NULL, width, values, json->count};
}

static void run_fill(struct call *call) {
  struct ew_names columns = call->statement->columns;
  uint64_t count = number_of(call->argument);
  if (count > 1 << 20) count = 1 << 20;
  struct ew_value *values = EW_NEW_ARRAY(call->arena, struct ew_value, (size_t)count * columns.count);
  for (size_t i = 0; i < count * columns.count; i++) values[i] = ew_integer(0);
  call->outcome->rows = (struct ew_rows){columns.items, columns.count, values, columns.count ? (size_t)count : 0};
}

static void run_echo(struct call *call) {
  size_t count = call->statement->parameter_count;
  struct ew_value *values = EW_NEW_ARRAY(call->arena, struct ew_value, count);
  struct ew_span *columns = EW_NEW_ARRAY(call->arena, struct ew_span, count);
  for (size_t i = 0; i < count; i++) {
    values[i] = call->statement->parameters[i].value;
    columns[i] = call->statement->parameters[i].name;
  }
  call->outcome->rows = (struct ew_rows){columns, count, values, 1};
}

static void run_error(struct call *call) { fail(call, call->argument); }

static void run_say(struct call *call) { fprintf(stderr, "%.*s\n", EW_SPAN_ARGS(call->argument)); }

static void run_crash(struct call *call) {
  if (take_word(&call->argument, "exit")) _exit((int)number_of(call->argument));
  if (ew_span_is(call->argument, "abort")) abort();
  raise(ew_span_is(call->argument, "fpe") ? SIGFPE : SIGSEGV);
}

static void run_double_free(struct call *call) {
  (void)call;
  char *block = ew_allocate_copy("once", 4);
  char *volatile again = block;
  ew_deallocate(block);
  ew_deallocate(again);
}

static uint64_t recurse(volatile char *above, uint64_t depth) {
  volatile char frame[4096];
  if (depth == UINT64_MAX) return 0; /* never */
  frame[depth % sizeof frame] = above[0];
  return recurse(frame, depth + 1) + (uint64_t)frame[0];
}

static void run_overflow(struct call *call) {
  volatile char frame[1] = {0};
  call->outcome->nanoseconds = (int64_t)recurse(frame, 0);
}

static void run_poison(struct call *call) { call->engine->poisoned = true; }

static void run_hang(struct call *call) {
  (void)call;
  volatile bool forever = true;
  while (forever) continue;
}

static void run_sleep(struct call *call) {
  int64_t wake = ew_now() + (int64_t)number_of(call->argument) * EW_MILLISECOND;
  bool late = wake > call->deadline.at;
  if (late) wake = call->deadline.at;
  struct timespec until = {wake / EW_SECOND, wake % EW_SECOND};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR) continue;
  if (late) call->outcome->kind = EW_OUTCOME_TIMEOUT;
}

static void run_garbage(struct call *call) {
  static const char garbage[] = "this is no message";
  for (uint64_t left = number_of(call->argument); left;) {
    size_t length = left < sizeof garbage ? (size_t)left : sizeof garbage;
    if (send(EW_HOST_SOCKET, garbage, length, MSG_NOSIGNAL) <= 0) return;
    left -= length;
  }
}

static void run_truncate(struct call *call) {
  struct ew_text text = {0};
  size_t begun = ew_wire_begin(&text, EW_MESSAGE_OUTCOMES);
  for (int i = 0; i < 100; i++) ew_text_add_string(&text, "half of it");
  if (ew_wire_end(&text, begun)) send(EW_HOST_SOCKET, text.bytes, text.length / 2, MSG_NOSIGNAL);
  (void)call;
  _exit(0);
}

static void run_silence(struct call *call) {
  (void)call;
  close(EW_HOST_SOCKET);
  for (;;) pause();
}

static void run_huge(struct call *call) {
  size_t count = (size_t)number_of(call->argument);
  if (count > 16 << 20) count = 16 << 20;
  struct ew_value *values = EW_NEW_ARRAY(call->arena, struct ew_value, count);
  for (size_t i = 0; i < count; i++) values[i] = ew_integer((int64_t)i);
  answer(call, ew_null());
  call->outcome->rows.values = values;
  call->outcome->rows.row_count = count;
}

static void run_deep(struct call *call) {
  struct ew_value value = ew_null();
  for (uint64_t left = number_of(call->argument); left; left--) {
    struct ew_value *inner = EW_NEW(call->arena, struct ew_value);
    *inner = value;
    value = ew_list(inner, 1);
  }
  answer(call, value);
}

static void run_memory(struct call *call) {
  size_t step = 1 << 20;
  for (uint64_t left = number_of(call->argument); left; left--) {
    void *block = mmap(NULL, step, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED) {
      fail(call, EW_SPAN("out of memory"));
      return;
    }
  }
}

static void run_flaky(struct call *call) {
  uint64_t n = number_of(call->argument);
  answer(call, ew_integer(n && ++call->engine->calls % n == 0));
}

static void run_flaky_crash(struct call *call) {
  uint64_t n = number_of(call->argument);
  if (n && ++call->engine->calls % n == 0) raise(SIGSEGV);
  answer(call, ew_integer(0));
}

static void remember(struct call *call, struct ew_text *state) {
  if (take_word(&call->argument, "set")) {
    ew_text_reset(state);
    ew_text_add(state, call->argument);
    return;
  }
  answer(call, state->length ? ew_string(ew_text_span(state)) : ew_null());
}

static void run_state(struct call *call) { remember(call, &call->engine->state); }
static void run_leak_state(struct call *call) { remember(call, &call->engine->leaked); }

static void run_if_leaked(struct call *call) {
  if (call->engine->leaked.length) run_command(call);
}

static void run_once(struct call *call) {
  const char *space = memchr(call->argument.bytes, ' ', call->argument.length);
  size_t length = space ? (size_t)(space - call->argument.bytes) : call->argument.length;
  const char *path = ew_arena_string(call->arena, (struct ew_span){call->argument.bytes, length});
  int file = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0644);
  if (file < 0 || !space) return;
  close(file);
  call->argument = (struct ew_span){space + 1, call->argument.length - length - 1};
  run_command(call);
}

static const struct {
  const char *name;
  void (*run)(struct call *call);
} commands[] = {
    {"ROWS", run_rows},           {"FILL", run_fill},
    {"ECHO", run_echo},           {"ONCE", run_once},
    {"ERROR", run_error},         {"SAY", run_say},
    {"CRASH", run_crash},         {"DOUBLEFREE", run_double_free},
    {"OVERFLOW", run_overflow},   {"POISON", run_poison},
    {"HANG", run_hang},           {"SLEEP", run_sleep},
    {"GARBAGE", run_garbage},     {"TRUNCATE", run_truncate},
    {"SILENCE", run_silence},     {"HUGE", run_huge},
    {"DEEP", run_deep},           {"MEMORY", run_memory},
    {"FLAKY", run_flaky},         {"FLAKY-CRASH", run_flaky_crash},
    {"STATE", run_state},         {"LEAK-STATE", run_leak_state},
    {"IF-LEAKED", run_if_leaked},
};

/* The command is in `argument`. */
static void run_command(struct call *call) {
  for (size_t i = 0; i < EW_COUNT(commands); i++) {
    if (!take_word(&call->argument, commands[i].name)) continue;
    commands[i].run(call);
    return;
  }
  fail(call, EW_SPAN("unknown command"));
}

/* ---- rules ---- */

/* Cuts "PATTERN => COMMAND" in two; false where there is no arrow. */
static bool split_rule(struct ew_span rule, struct ew_span *pattern, struct ew_span *command) {
  static const char arrow[] = " => ";
  const char *at = memmem(rule.bytes, rule.length, arrow, sizeof arrow - 1);
  if (!at) return false;
  *pattern = (struct ew_span){rule.bytes, (size_t)(at - rule.bytes)};
  *command = (struct ew_span){at + sizeof arrow - 1, rule.length - pattern->length - (sizeof arrow - 1)};
  return true;
}

static struct ew_span command_for(const struct ew_settings *settings, struct ew_span text) {
  struct ew_span pattern, command, otherwise = ew_settings_find(settings, "otherwise");
  for (size_t i = 0; i < settings->count; i++) {
    const struct ew_option *option = &settings->items[i];
    if (ew_span_starts(option->name, EW_SPAN("when.")) && split_rule(option->setting, &pattern, &command) &&
        ew_pattern_matches(pattern, text))
      return command;
  }
  return otherwise.length ? otherwise : text;
}

static enum ew_status check_rules(const struct ew_settings *settings, struct ew_error *error) {
  struct ew_span pattern, command;
  for (size_t i = 0; i < settings->count; i++) {
    const struct ew_option *option = &settings->items[i];
    if (ew_span_starts(option->name, EW_SPAN("when.")) && !split_rule(option->setting, &pattern, &command))
      return ew_fail(error, EW_BAD, "%.*s: 'PATTERN => COMMAND' expected", EW_SPAN_ARGS(option->name));
  }
  return EW_OK;
}

static void write_journal(const struct scripted *engine, const struct ew_statement *statement, struct ew_arena *arena) {
  if (engine->journal < 0) return;
  struct ew_span line = ew_arena_format(arena, "%.*s\n", EW_SPAN_ARGS(statement->text));
  if (write(engine->journal, line.bytes, line.length) != (ssize_t)line.length) EW_BUG("the journal cannot be written");
}

/* ---- the adapter ---- */

static enum ew_status open_scripted(const struct ew_settings *settings, void **instance, struct ew_error *error) {
  if (ew_settings_find(settings, "fail_open").length) return ew_fail(error, EW_MISSING, "told not to open");
  if (ew_settings_find(settings, "crash_open").length) abort();
  enum ew_status status = check_rules(settings, error);
  if (status) return status;
  struct scripted *engine = ew_allocate_zeroed(1, sizeof *engine);
  struct ew_span journal = ew_settings_find(settings, "journal");
  engine->settings = settings;
  engine->journal = -1;
  if (journal.length) {
    char path[4096];
    snprintf(path, sizeof path, "%.*s", EW_SPAN_ARGS(journal));
    engine->journal = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (engine->journal < 0) status = ew_fail(error, EW_IO, "cannot write the journal %.400s", path);
  }
  *instance = engine;
  return status;
}

static enum ew_status reset_scripted(void *instance, struct ew_error *error) {
  (void)error;
  struct scripted *engine = instance;
  if (engine->poisoned) raise(SIGSEGV);
  ew_text_reset(&engine->state);
  return EW_OK;
}

static void run_scripted(void *instance, const struct ew_statement *statement, const struct ew_option *options,
                         size_t option_count, struct ew_deadline deadline, struct ew_arena *arena,
                         struct ew_statement_outcome *outcome) {
  (void)options;
  (void)option_count;
  struct scripted *engine = instance;
  write_journal(engine, statement, arena);
  struct call call = {engine, statement, command_for(engine->settings, statement->text), deadline, arena, outcome};
  run_command(&call);
}

static void explain_scripted(void *instance, const struct ew_statement *statement, struct ew_deadline deadline,
                             struct ew_arena *arena, struct ew_statement_outcome *outcome) {
  (void)instance;
  (void)deadline;
  (void)arena;
  const char *space = memchr(statement->text.bytes, ' ', statement->text.length);
  size_t length = space ? (size_t)(space - statement->text.bytes) : statement->text.length;
  outcome->plan = (struct ew_span){statement->text.bytes, length};
}

static struct ew_span version_scripted(void *instance, struct ew_arena *arena) {
  (void)instance;
  (void)arena;
  return EW_SPAN("1");
}

static void close_scripted(void *instance) {
  struct scripted *engine = instance;
  if (engine->journal >= 0) close(engine->journal);
  ew_text_release(&engine->state);
  ew_text_release(&engine->leaked);
  ew_deallocate(engine);
}

const struct ew_adapter ew_adapter_scripted = {
    .name = "scripted",
    .open = open_scripted,
    .reset = reset_scripted,
    .run = run_scripted,
    .explain = explain_scripted,
    .version = version_scripted,
    .close = close_scripted,
};
