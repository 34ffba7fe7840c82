/* instance.c: the worker's side of a host: starting it, asking it, and finding out what became of it. */
#include "engine/instance.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/host.h"
#include "engine/wire.h"

enum { LAST_WORDS = 4096, CHUNK = 65536 };

static const int64_t START_LIMIT = 60 * EW_SECOND, SEND_LIMIT = 10 * EW_SECOND, DEATH_LIMIT = EW_SECOND;
static const int64_t LONGEST_LIMIT = 24 * 3600 * EW_SECOND; /* so that sums of limits do not overflow */

/* What the worker waits for: a reply within `limit`, or the outcomes of statements `first` and on within `limit`
   each. */
struct wait {
  int64_t since, limit;
  uint64_t first;
  size_t count;
};

enum arrival {
  ARRIVED,
  ENDED,   /* the other end is closed */
  LATE,    /* not within the limit */
  GARBLED, /* no message of ours */
};

/* ---- the process ---- */

static enum ew_status start_spawner(struct ew_instance *instance, struct ew_error *error) {
  struct ew_host host = {instance->adapter, &instance->recorder, -1, instance->log, getpid()};
  return ew_spawner_start(&instance->spawner, &host, error);
}

enum ew_status ew_instance_init(struct ew_instance *instance, const struct ew_adapter *adapter,
                                const struct ew_settings *settings, struct ew_error *error) {
  *instance =
      (struct ew_instance){.adapter = adapter, .socket = -1, .process_file = -1, .log = -1, .grace = EW_INSTANCE_GRACE};
  struct ew_arena *arena = &instance->arena;
  struct ew_option *items = EW_NEW_ARRAY(arena, struct ew_option, settings->count);
  for (size_t i = 0; i < settings->count; i++)
    items[i] = (struct ew_option){ew_arena_copy(arena, settings->items[i].name),
                                  ew_arena_copy(arena, settings->items[i].setting)};
  instance->settings = (struct ew_settings){items, settings->count};

  struct ew_span recorder = ew_settings_find(settings, "recorder"), log = ew_settings_find(settings, "log");
  const char *log_path = log.length ? ew_arena_string(arena, log) : NULL;
  instance->log = log_path ? open(log_path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644)
                           : memfd_create("edgewise-log", MFD_CLOEXEC);
  if (instance->log < 0)
    return ew_fail(error, EW_IO, "cannot make the engine's log %s: %s", log_path ? log_path : "in memory",
                   strerror(errno));
  fcntl(instance->log, F_SETFL, O_APPEND); /* so that the host can empty it */
  const char *recorder_path = recorder.length ? ew_arena_string(arena, recorder) : NULL;
  enum ew_status status = ew_recorder_open(&instance->recorder, recorder_path, error);
  return status ? status : start_spawner(instance, error);
}

void ew_instance_release(struct ew_instance *instance) {
  ew_instance_stop(instance);
  ew_spawner_stop(&instance->spawner);
  if (instance->log >= 0) close(instance->log);
  ew_recorder_release(&instance->recorder);
  ew_text_release(&instance->in);
  ew_text_release(&instance->out);
  ew_text_release(&instance->version);
  ew_arena_release(&instance->arena);
  *instance = (struct ew_instance){.socket = -1, .process_file = -1, .log = -1};
}

static int64_t timeval_nanoseconds(struct timeval time) {
  return (int64_t)time.tv_sec * EW_SECOND + (int64_t)time.tv_usec * 1000;
}

/* Whether the host has ended by itself within the time that takes. */
static bool has_ended(const struct ew_instance *instance) {
  if (instance->process_file < 0) return false;
  struct pollfd file = {.fd = instance->process_file, .events = POLLIN};
  struct ew_deadline deadline = ew_deadline_in(DEATH_LIMIT);
  int ready;
  do ready = poll(&file, 1, ew_deadline_poll(deadline));
  while (ready < 0 && errno == EINTR);
  return ready > 0;
}

/* Takes the dead or killed host off the list of processes; returns its status as of wait(). */
static int reap(struct ew_instance *instance) {
  int status = 0;
  struct rusage usage = {0};
  while (wait4(instance->process, &status, 0, &usage) < 0 && errno == EINTR) continue;
  instance->counters.ended_cpu += timeval_nanoseconds(usage.ru_utime) + timeval_nanoseconds(usage.ru_stime);
  instance->counters.live_cpu = 0;
  close(instance->socket);
  if (instance->process_file >= 0) close(instance->process_file);
  instance->socket = instance->process_file = -1;
  instance->process = 0;
  return status;
}

static int kill_host(struct ew_instance *instance) {
  kill(instance->process, SIGKILL);
  return reap(instance);
}

/* The end of what the host wrote to standard error. */
static struct ew_span last_words(const struct ew_instance *instance, struct ew_arena *arena) {
  off_t size = lseek(instance->log, 0, SEEK_END), from = size > LAST_WORDS ? size - LAST_WORDS : 0;
  char *bytes = ew_arena_take(arena, LAST_WORDS);
  ssize_t got = pread(instance->log, bytes, LAST_WORDS, from);
  if (got < 0) got = 0;
  while (got && (bytes[got - 1] == '\n' || bytes[got - 1] == '\0')) got--;
  return (struct ew_span){bytes, (size_t)got};
}

/* ---- messages ---- */

/* A server may take longer than a library. */
static int64_t start_limit(const struct ew_instance *instance) {
  char text[32] = "";
  int64_t limit;
  struct ew_span time = ew_settings_find(&instance->settings, "server.start_time");
  if (time.length && time.length < sizeof text) memcpy(text, time.bytes, time.length);
  return *text && ew_duration_parse(text, &limit) ? limit + START_LIMIT : START_LIMIT;
}

static int64_t bounded(int64_t limit) { return limit < LONGEST_LIMIT ? limit : LONGEST_LIMIT; }

static void set_timeout(struct ew_instance *instance, int option, int64_t nanoseconds) {
  struct timeval time = {nanoseconds / EW_SECOND, nanoseconds % EW_SECOND / 1000};
  setsockopt(instance->socket, SOL_SOCKET, option, &time, sizeof time);
}

static enum arrival send_out(struct ew_instance *instance) {
  const char *next = instance->out.bytes;
  size_t left = instance->out.length;
  while (left) {
    ssize_t sent = send(instance->socket, next, left, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return LATE;
    if (sent <= 0) return ENDED;
    next += sent;
    left -= (size_t)sent;
  }
  return ARRIVED;
}

/* When to give up. A statement that is executed has its own limit; between statements only the sum of all limits
   counts. */
static struct ew_deadline due(const struct ew_instance *instance, const struct wait *wait) {
  int64_t each = wait->limit + instance->grace;
  size_t count = wait->count < 1000 ? wait->count + 1 : 1000;
  struct ew_deadline all = {wait->since + each * (int64_t)count};
  uint64_t number;
  int64_t started;
  if (!ew_recorder_executing(&instance->recorder, &number, &started) || number - wait->first >= wait->count) return all;
  if (started < wait->since || started > all.at) return all;
  return (struct ew_deadline){started + each < all.at ? started + each : all.at};
}

/* Whether a whole message is there behind `taken`; `*payload` points into `in`. */
static bool take_message(struct ew_instance *instance, enum ew_message *type, struct ew_span *payload, bool *garbled) {
  size_t there = instance->in.length - instance->taken, length;
  if (there < EW_WIRE_HEADER) return false;
  const char *bytes = instance->in.bytes + instance->taken;
  *garbled = !ew_wire_read_header(bytes, type, &length);
  if (*garbled || there - EW_WIRE_HEADER < length) return false;
  *payload = (struct ew_span){bytes + EW_WIRE_HEADER, length};
  instance->taken += EW_WIRE_HEADER + length;
  return true;
}

/* One message, copied into `arena`. The first read blocks in the socket, with the time limit that is set there;
   only where that has passed is the recorder asked whether the host still makes progress. */
static enum arrival receive(struct ew_instance *instance, const struct wait *wait, struct ew_arena *arena,
                            enum ew_message *type, struct ew_span *payload) {
  if (instance->timeout != wait->limit) {
    instance->timeout = wait->limit;
    set_timeout(instance, SO_RCVTIMEO, wait->limit + instance->grace);
  }
  for (bool garbled = false, waited = false;;) {
    if (take_message(instance, type, payload, &garbled)) {
      *payload = ew_arena_copy(arena, *payload);
      return ARRIVED;
    }
    if (garbled) return GARBLED;
    ew_text_reserve(&instance->in, CHUNK);
    size_t room = instance->in.capacity - instance->in.length - 1;
    ssize_t got = recv(instance->socket, instance->in.bytes + instance->in.length, room, waited ? MSG_DONTWAIT : 0);
    if (got > 0) {
      instance->in.length += (size_t)got;
      continue;
    }
    if (got < 0 && errno == EINTR) continue;
    if (got == 0 || (errno != EAGAIN && errno != EWOULDBLOCK)) return ENDED;
    waited = true;
    struct ew_deadline deadline = due(instance, wait);
    if (ew_deadline_passed(deadline)) return LATE;
    struct pollfd file = {.fd = instance->socket, .events = POLLIN};
    if (poll(&file, 1, ew_deadline_poll(deadline)) < 0 && errno != EINTR) return ENDED;
  }
}

/* Before a message is sent; whatever came unasked since the last one is garbage, and is seen when the answer is
   read. */
static size_t begin_message(struct ew_instance *instance, enum ew_message type) {
  if (instance->taken == instance->in.length) {
    ew_text_reset(&instance->in);
    instance->taken = 0;
  }
  ew_text_reset(&instance->out);
  return ew_wire_begin(&instance->out, type);
}

/* ---- deaths ---- */

/* What became of a host that did not answer as it should. It is dead after this. */
static struct ew_statement_outcome post_mortem(struct ew_instance *instance, enum arrival how, struct ew_arena *arena) {
  struct ew_statement_outcome outcome = {.kind = EW_OUTCOME_CRASH};
  if (how == LATE) outcome.kind = EW_OUTCOME_HANG;
  if (how == GARBLED) outcome.kind = EW_OUTCOME_CORRUPT;
  if (how == ENDED && instance->process_file >= 0 && !has_ended(instance)) outcome.kind = EW_OUTCOME_LOST;
  int status = outcome.kind == EW_OUTCOME_CRASH && instance->process_file >= 0 ? reap(instance) : kill_host(instance);
  int caught = ew_recorder_crash(&instance->recorder, arena, &outcome.frames);
  outcome.text = last_words(instance, arena);
  /* A handler that blocked is a crash, not a hang. */
  if (outcome.kind == EW_OUTCOME_HANG && caught) outcome.kind = EW_OUTCOME_CRASH;
  if (outcome.kind == EW_OUTCOME_CRASH) {
    outcome.signal = caught ? caught : WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    if (!outcome.signal && WIFEXITED(status) && WEXITSTATUS(status) == EW_EXIT_BUG)
      outcome.kind = EW_OUTCOME_TOO_LARGE; /* our own part of the host ran out of memory */
    else if (!outcome.signal)
      outcome.text = ew_arena_format(arena, "exited with code %d%s%.*s", WEXITSTATUS(status),
                                     outcome.text.length ? ": " : "", EW_SPAN_ARGS(outcome.text));
  }
  instance->counters.crashes += outcome.kind == EW_OUTCOME_CRASH;
  instance->counters.hangs += outcome.kind == EW_OUTCOME_HANG;
  return outcome;
}

/* The answers that the dead host had kept; returns how many outcomes there are then. */
static size_t read_kept(const struct ew_instance *instance, const struct wait *wait, struct ew_arena *arena,
                        struct ew_statement_outcome *outcomes, size_t answered) {
  uint64_t first;
  size_t count;
  struct ew_span kept = ew_recorder_kept(&instance->recorder, arena, &first, &count);
  if (!count || first != wait->first + answered || count > wait->count - answered) return answered;
  struct ew_wire_reader reader;
  ew_wire_reader_init(&reader, kept, arena);
  for (size_t i = 0; i < count; i++) {
    struct ew_statement_outcome outcome;
    ew_wire_read_outcome(&reader, &outcome);
    if (reader.wrong) break;
    outcomes[answered++] = outcome;
  }
  return answered;
}

/* Fills in the outcomes of a batch whose host died. */
static void bury(struct ew_instance *instance, const struct wait *wait, enum arrival how, struct ew_arena *arena,
                 struct ew_statement_outcome *outcomes, size_t answered) {
  struct ew_statement_outcome death = post_mortem(instance, how, arena);
  /* Of garbled answers the first that is missing is blamed: what the host kept was perhaps written after the
     garbage. */
  bool exact = how != GARBLED;
  if (exact) answered = read_kept(instance, wait, arena, outcomes, answered);
  uint64_t number;
  int64_t since;
  size_t culprit = answered < wait->count ? answered : wait->count - 1;
  if (exact && ew_recorder_executing(&instance->recorder, &number, &since) && number - wait->first < wait->count &&
      number - wait->first > culprit)
    culprit = (size_t)(number - wait->first);
  for (size_t i = answered; i < culprit; i++) outcomes[i].kind = EW_OUTCOME_LOST; /* it ran, its answer is gone */
  death.nanoseconds = ew_now() - wait->since;
  outcomes[culprit] = death;
}

/* ---- what a worker asks for ---- */

/* Sends `out` and waits for a reply of `type`. */
static enum arrival ask(struct ew_instance *instance, enum ew_message type, int64_t limit, struct ew_arena *arena,
                        struct ew_wire_reply *reply) {
  struct wait wait = {.since = ew_now(), .limit = bounded(limit)};
  enum arrival arrival = send_out(instance);
  enum ew_message got;
  struct ew_span payload;
  if (arrival == ARRIVED) arrival = receive(instance, &wait, arena, &got, &payload);
  if (arrival != ARRIVED) return arrival;
  struct ew_wire_reader reader;
  ew_wire_reader_init(&reader, payload, arena);
  ew_wire_read_reply(&reader, reply);
  if (got != type || !ew_wire_finish(&reader)) return GARBLED;
  instance->counters.live_cpu = reply->cpu;
  instance->counters.engine_nanoseconds += ew_now() - wait.since;
  return ARRIVED;
}

static enum ew_status spawn_host(struct ew_instance *instance, struct ew_error *error) {
  int ends[2];
  if (ftruncate(instance->log, 0) != 0)
    return ew_fail(error, EW_IO, "cannot empty the engine's log: %s", strerror(errno));
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return ew_fail(error, EW_IO, "cannot make a socket pair: %s", strerror(errno));
  ew_recorder_clear(&instance->recorder);
  pid_t process = 0;
  enum ew_status status = start_spawner(instance, error);
  if (!status) status = ew_spawner_spawn(&instance->spawner, ends[1], &process, error);
  close(ends[1]);
  if (status) {
    close(ends[0]);
    return status;
  }
  instance->process = process;
  instance->socket = ends[0];
  instance->process_file = (int)syscall(SYS_pidfd_open, process, 0);
  if (instance->process_file >= 0) fcntl(instance->process_file, F_SETFD, FD_CLOEXEC);
  instance->timeout = 0;
  ew_text_reset(&instance->in);
  instance->taken = 0;
  set_timeout(instance, SO_SNDTIMEO, SEND_LIMIT);
  instance->counters.starts++;
  return EW_OK;
}

enum ew_status ew_instance_start(struct ew_instance *instance, struct ew_error *error) {
  EW_ASSERT(!ew_instance_alive(instance));
  enum ew_status status = spawn_host(instance, error);
  if (status) return status;
  size_t begun = begin_message(instance, EW_MESSAGE_HELLO);
  ew_wire_write_settings(&instance->out, &instance->settings);
  if (!ew_wire_end(&instance->out, begun)) EW_BUG("settings of more than 64 MiB");
  struct ew_arena arena;
  ew_arena_init(&arena);
  struct ew_wire_reply reply = {.status = EW_GONE};
  enum arrival arrival = ask(instance, EW_MESSAGE_READY, start_limit(instance), &arena, &reply);
  if (arrival != ARRIVED) {
    struct ew_statement_outcome death = post_mortem(instance, arrival, &arena);
    status = ew_fail(error, EW_GONE, "the engine did not start (%s, signal %d): %.*s", ew_outcome_kind_text(death.kind),
                     death.signal, EW_SPAN_ARGS(death.text));
  } else if (reply.status) {
    status = ew_fail(error, reply.status, "%.*s", EW_SPAN_ARGS(reply.text));
    kill_host(instance);
  } else {
    ew_text_reset(&instance->version);
    ew_text_add(&instance->version, reply.text);
  }
  ew_arena_release(&arena);
  return status;
}

void ew_instance_stop(struct ew_instance *instance) {
  if (!ew_instance_alive(instance)) return;
  size_t begun = begin_message(instance, EW_MESSAGE_BYE);
  bool asked = ew_wire_end(&instance->out, begun) && send_out(instance) == ARRIVED;
  if (asked && has_ended(instance))
    reap(instance);
  else
    kill_host(instance);
}

enum ew_status ew_instance_restart(struct ew_instance *instance, struct ew_error *error) {
  ew_instance_stop(instance);
  return ew_instance_start(instance, error);
}

static const struct ew_statement_outcome dead = {
    .kind = EW_OUTCOME_LOST,
    .text = {"the engine's process does not run", sizeof "the engine's process does not run" - 1}};

void ew_instance_reset(struct ew_instance *instance, int64_t limit, struct ew_arena *arena,
                       struct ew_statement_outcome *outcome) {
  *outcome = dead;
  if (!ew_instance_alive(instance)) return;
  int64_t begun = ew_now();
  size_t message = begin_message(instance, EW_MESSAGE_RESET);
  if (!ew_wire_end(&instance->out, message)) EW_BUG("an empty message is too large");
  struct ew_wire_reply reply = {0};
  enum arrival arrival = ask(instance, EW_MESSAGE_DONE, limit, arena, &reply);
  if (arrival != ARRIVED) {
    *outcome = post_mortem(instance, arrival, arena);
  } else if (reply.status) {
    *outcome = (struct ew_statement_outcome){.kind = EW_OUTCOME_ERROR, .text = reply.text};
    kill_host(instance);
  } else {
    *outcome = (struct ew_statement_outcome){.kind = EW_OUTCOME_ROWS};
  }
  outcome->nanoseconds = ew_now() - begun;
}

/* Reads one message of outcomes behind those that are there. */
static enum arrival read_outcomes(struct ew_instance *instance, const struct wait *wait, struct ew_arena *arena,
                                  struct ew_statement_outcome *outcomes, size_t *answered, bool *last) {
  enum ew_message type;
  struct ew_span payload;
  enum arrival arrival = receive(instance, wait, arena, &type, &payload);
  if (arrival != ARRIVED) return arrival;
  struct ew_wire_reader reader;
  struct ew_wire_outcomes head;
  ew_wire_reader_init(&reader, payload, arena);
  ew_wire_read_outcomes(&reader, &head);
  if (reader.wrong || type != EW_MESSAGE_OUTCOMES || head.sequence != wait->first + *answered ||
      head.count > wait->count - *answered)
    return GARBLED;
  for (size_t i = 0; i < head.count; i++) ew_wire_read_outcome(&reader, &outcomes[*answered + i]);
  if (!ew_wire_finish(&reader)) {
    memset(outcomes + *answered, 0, head.count * sizeof *outcomes);
    for (size_t i = 0; i < head.count; i++) outcomes[*answered + i].kind = EW_OUTCOME_NOT_RUN;
    return GARBLED;
  }
  *answered += head.count;
  *last = head.last;
  instance->counters.live_cpu = head.cpu;
  return ARRIVED;
}

/* Writes the batch to `out` and its statements to the recorder; false where it is too large. */
static bool write_batch(struct ew_instance *instance, enum ew_message type, const struct ew_batch *batch,
                        struct ew_arena *arena, struct wait *wait) {
  size_t begun = begin_message(instance, type);
  int64_t *limits = ew_arena_take(arena, ew_array_size(batch->program.count, sizeof *limits));
  for (size_t i = 0; i < batch->program.count; i++) {
    uint64_t number = ew_recorder_note(&instance->recorder, batch->program.statements[i].text);
    if (i == 0) wait->first = number;
    limits[i] = wait->limit;
  }
  const struct ew_wire_batch message = {
      .sequence = wait->first,
      .stop = batch->stop,
      .options = batch->options,
      .option_count = batch->option_count,
      .statements = batch->program.statements,
      .limits = limits,
      .count = batch->program.count,
  };
  return ew_wire_write_batch(&instance->out, &message) && ew_wire_end(&instance->out, begun);
}

/* The host is fine and says that its server is not: the instance is as dead. */
static void bury_server(struct ew_instance *instance, const struct ew_statement_outcome *outcomes, size_t count) {
  for (size_t i = 0; i < count; i++) {
    enum ew_outcome_kind kind = outcomes[i].kind;
    if (kind != EW_OUTCOME_CRASH && kind != EW_OUTCOME_HANG && kind != EW_OUTCOME_KILLED && kind != EW_OUTCOME_LOST)
      continue;
    instance->counters.crashes += kind == EW_OUTCOME_CRASH;
    instance->counters.hangs += kind == EW_OUTCOME_HANG;
    ew_instance_stop(instance);
    return;
  }
}

static struct ew_outcome send_batch(struct ew_instance *instance, enum ew_message type, const struct ew_batch *batch,
                                    struct ew_arena *arena) {
  size_t count = batch->program.count;
  struct ew_statement_outcome *outcomes = EW_NEW_ARRAY(arena, struct ew_statement_outcome, count);
  for (size_t i = 0; i < count; i++) outcomes[i].kind = EW_OUTCOME_NOT_RUN;
  struct ew_outcome outcome = {outcomes, count};
  if (!count) return outcome;
  if (!ew_instance_alive(instance)) {
    outcomes[0] = dead;
    return outcome;
  }
  struct wait wait = {.since = ew_now(), .limit = bounded(batch->limit), .count = count};
  if (!write_batch(instance, type, batch, arena, &wait)) {
    outcomes[0].kind = EW_OUTCOME_TOO_LARGE;
    outcomes[0].text = EW_SPAN("the statements are too large or too deep to be sent");
    return outcome;
  }
  size_t answered = 0;
  bool last = false;
  enum arrival arrival = send_out(instance);
  while (arrival == ARRIVED && !last) arrival = read_outcomes(instance, &wait, arena, outcomes, &answered, &last);
  instance->counters.engine_nanoseconds += ew_now() - wait.since;
  if (arrival != ARRIVED)
    bury(instance, &wait, arrival, arena, outcomes, answered);
  else
    bury_server(instance, outcomes, count);
  for (size_t i = 0; i < count; i++) instance->counters.statements += outcomes[i].kind != EW_OUTCOME_NOT_RUN;
  return outcome;
}

struct ew_outcome ew_instance_run(struct ew_instance *instance, const struct ew_batch *batch, struct ew_arena *arena) {
  return send_batch(instance, EW_MESSAGE_RUN, batch, arena);
}

struct ew_outcome ew_instance_explain(struct ew_instance *instance, const struct ew_batch *batch,
                                      struct ew_arena *arena) {
  return send_batch(instance, EW_MESSAGE_EXPLAIN, batch, arena);
}
