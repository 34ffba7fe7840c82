/* host.c: the host's loop. It handles one message at a time and never answers what was not asked. */
#include "engine/host.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "engine/crash.h"
#include "engine/server.h"
#include "engine/wire.h"

enum { SOCKET = EW_HOST_SOCKET, MEMORY_LIMIT = 4096, FILE_LIMIT = 256 };

#if defined(__SANITIZE_ADDRESS__)
enum { SHADOWED = 1 };
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
enum { SHADOWED = 1 };
#else
enum { SHADOWED = 0 };
#endif
#else
enum { SHADOWED = 0 };
#endif

struct loop {
  const struct ew_adapter *adapter;
  struct ew_recorder *recorder;
  void *instance;
  struct ew_text in, out;
  struct ew_arena arena; /* of the message being handled */
  struct ew_wire_outcomes head;
};

/* ---- the process ---- */

static noreturn void leave(int code) { _exit(code); }

/* Nothing stays open but standard input, output and error and the socket, which gets a fixed number. */
static void arrange_descriptors(const struct ew_host *host) {
  int away = fcntl(host->socket, F_DUPFD, 16), log = fcntl(host->log, F_DUPFD, 16);
  int null = open("/dev/null", O_RDWR);
  if (away < 0 || log < 0 || null < 0) leave(EW_EXIT_IO);
  if (dup2(null, 0) < 0 || dup2(null, 1) < 0 || dup2(log, 2) < 0 || dup2(away, SOCKET) < 0) leave(EW_EXIT_IO);
  fcntl(SOCKET, F_SETFD, FD_CLOEXEC);
  if (close_range(SOCKET + 1, ~0U, 0) == 0) return;
  for (int i = SOCKET + 1; i < 4096; i++) close(i);
}

static void arrange_signals(void) {
  for (int i = 1; i < NSIG; i++) signal(i, SIG_DFL);
  signal(SIGXFSZ, SIG_IGN); /* a file at its limit is an error of write, not a death */
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
}

static void arrange_process(const struct ew_host *host) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != host->worker) leave(0); /* it died before we asked to die with it */
  setsid();                                /* the terminal's Ctrl-C is not for engines */
  arrange_descriptors(host);
  arrange_signals();
  setenv("TZ", "UTC", 1);
  setenv("LC_ALL", "C", 1);
  tzset();
}

static void limit(int resource, const struct ew_settings *settings, const char *name, unsigned long long otherwise) {
  struct ew_span setting = ew_settings_find(settings, name);
  char digits[24] = "";
  if (setting.length && setting.length < sizeof digits) memcpy(digits, setting.bytes, setting.length);
  unsigned long long mebibytes = *digits ? strtoull(digits, NULL, 10) : otherwise;
  struct rlimit now;
  if (!mebibytes || getrlimit((__rlimit_resource_t)resource, &now) != 0) return;
  now.rlim_cur = mebibytes << 20;
  /* A server that is started from here has limits of its own. */
  if (!ew_server_wanted(settings)) now.rlim_max = now.rlim_cur;
  setrlimit((__rlimit_resource_t)resource, &now);
}

static void arrange_limits(const struct ew_settings *settings) {
  setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
  limit(RLIMIT_FSIZE, settings, "file_limit", FILE_LIMIT);
  if (!SHADOWED) limit(RLIMIT_AS, settings, "memory_limit", MEMORY_LIMIT);
}

static void trim_log(void) {
  struct stat info;
  if (fstat(STDERR_FILENO, &info) == 0 && info.st_size > EW_HOST_LOG_MAX && ftruncate(STDERR_FILENO, 0) != 0) return;
}

/* ---- messages ---- */

static void send_out(struct loop *loop) {
  const char *next = loop->out.bytes;
  size_t left = loop->out.length;
  while (left) {
    ssize_t sent = send(SOCKET, next, left, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) leave(0); /* the worker is gone */
    next += sent;
    left -= (size_t)sent;
  }
  ew_text_reset(&loop->out);
}

static struct ew_span receive(struct loop *loop, enum ew_message *type) {
  size_t wanted = EW_WIRE_HEADER, length = 0;
  ew_text_reset(&loop->in);
  while (loop->in.length < wanted) {
    ew_text_reserve(&loop->in, wanted < 65536 ? 65536 : wanted - loop->in.length);
    ssize_t got = recv(SOCKET, loop->in.bytes + loop->in.length, loop->in.capacity - loop->in.length - 1, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) leave(0);
    bool headless = loop->in.length < EW_WIRE_HEADER;
    loop->in.length += (size_t)got;
    if (!headless || loop->in.length < EW_WIRE_HEADER) continue;
    if (!ew_wire_read_header(loop->in.bytes, type, &length)) EW_BUG("a message that no worker sends");
    wanted = EW_WIRE_HEADER + length;
  }
  return (struct ew_span){loop->in.bytes + EW_WIRE_HEADER, length};
}

static void reply(struct loop *loop, enum ew_message type, enum ew_status status, struct ew_span text) {
  size_t begun = ew_wire_begin(&loop->out, type);
  ew_wire_write_reply(&loop->out, &(struct ew_wire_reply){status, text, ew_cpu_now()});
  if (!ew_wire_end(&loop->out, begun)) EW_BUG("a reply of more than 64 MiB");
  send_out(loop);
}

static void reply_error(struct loop *loop, enum ew_message type, enum ew_status status, const struct ew_error *error) {
  reply(loop, type, status, (struct ew_span){error->text, strnlen(error->text, sizeof error->text)});
}

static void handle_hello(struct loop *loop, struct ew_wire_reader *reader) {
  /* Adapters may keep the settings: they live as long as the process. */
  struct ew_settings *settings = EW_NEW(reader->arena, struct ew_settings);
  ew_wire_read_settings(reader, settings);
  if (!ew_wire_finish(reader)) EW_BUG("settings that no worker sends");
  arrange_limits(settings);
  struct ew_error error = {""};
  enum ew_status status = loop->adapter->open(settings, &loop->instance, &error);
  if (status)
    reply_error(loop, EW_MESSAGE_READY, status, &error);
  else
    reply(loop, EW_MESSAGE_READY, EW_OK, loop->adapter->version(loop->instance, &loop->arena));
}

static void handle_reset(struct loop *loop) {
  struct ew_error error = {""};
  enum ew_status status = loop->adapter->reset(loop->instance, &error);
  reply_error(loop, EW_MESSAGE_DONE, status, &error);
}

/* Sends the outcomes in `out`; `head` counts them. */
static void flush(struct loop *loop, bool last) {
  loop->head.last = last;
  loop->head.cpu = ew_cpu_now();
  memcpy(loop->out.bytes + EW_WIRE_HEADER, &loop->head, sizeof loop->head);
  if (!ew_wire_end(&loop->out, 0)) EW_BUG("outcomes of more than 64 MiB");
  send_out(loop);
  ew_recorder_drop(loop->recorder);
  loop->head.sequence += loop->head.count;
  loop->head.count = 0;
  if (last) return;
  ew_wire_begin(&loop->out, EW_MESSAGE_OUTCOMES);
  ew_wire_write_outcomes(&loop->out, &loop->head);
}

/* Adds an outcome to those that are to be sent; what is too large for a message says so instead. */
static void answer(struct loop *loop, uint64_t number, struct ew_statement_outcome *outcome) {
  size_t before = loop->out.length;
  if (!ew_wire_write_outcome(&loop->out, outcome)) {
    ew_text_cut(&loop->out, before);
    int64_t nanoseconds = outcome->nanoseconds;
    *outcome = (struct ew_statement_outcome){.kind = EW_OUTCOME_TOO_LARGE, .nanoseconds = nanoseconds};
    outcome->text = EW_SPAN("an answer too large or too deep to be taken");
    if (!ew_wire_write_outcome(&loop->out, outcome)) EW_BUG("an outcome with nothing in it is too large");
  }
  loop->head.count++;
  struct ew_span encoded = {loop->out.bytes + before, loop->out.length - before};
  if (!ew_recorder_keep(loop->recorder, number, encoded)) flush(loop, false);
}

static void handle_batch(struct loop *loop, struct ew_wire_reader *reader, bool explain) {
  struct ew_wire_batch batch;
  ew_wire_read_batch(reader, &batch);
  if (!ew_wire_finish(reader)) EW_BUG("a batch that no worker sends");
  loop->head = (struct ew_wire_outcomes){.sequence = batch.sequence};
  ew_wire_begin(&loop->out, EW_MESSAGE_OUTCOMES);
  ew_wire_write_outcomes(&loop->out, &loop->head);
  for (size_t i = 0; i < batch.count; i++) {
    const struct ew_statement *statement = &batch.statements[i];
    uint64_t number = batch.sequence + i;
    struct ew_arena_mark mark = ew_arena_mark(&loop->arena);
    struct ew_statement_outcome outcome = {.kind = EW_OUTCOME_ROWS};
    ew_recorder_begin(loop->recorder, number);
    int64_t begun = ew_now();
    struct ew_deadline deadline = {batch.limits[i] < INT64_MAX - begun ? begun + batch.limits[i] : INT64_MAX};
    if (!explain)
      loop->adapter->run(loop->instance, statement, batch.options, batch.option_count, deadline, &loop->arena,
                         &outcome);
    else if (loop->adapter->explain)
      loop->adapter->explain(loop->instance, statement, deadline, &loop->arena, &outcome);
    outcome.nanoseconds = ew_now() - begun;
    ew_recorder_end(loop->recorder, number);
    answer(loop, number, &outcome);
    ew_arena_rewind(&loop->arena, mark);
    if (batch.stop && outcome.kind != EW_OUTCOME_ROWS) break;
  }
  flush(loop, true);
}

noreturn void ew_host_main(const struct ew_host *host) {
  arrange_process(host);
  ew_crash_watch(host->recorder);
  struct loop loop = {.adapter = host->adapter, .recorder = host->recorder};
  struct ew_arena settings; /* never released */
  ew_arena_init(&settings);
  for (;;) {
    enum ew_message type = EW_MESSAGE_BYE;
    struct ew_span payload = receive(&loop, &type);
    struct ew_wire_reader reader;
    ew_arena_reset(&loop.arena);
    if (type == EW_MESSAGE_HELLO) payload = ew_arena_copy(&settings, payload);
    ew_wire_reader_init(&reader, payload, type == EW_MESSAGE_HELLO ? &settings : &loop.arena);
    if (!loop.instance && type != EW_MESSAGE_HELLO && type != EW_MESSAGE_BYE) EW_BUG("no instance was opened");
    switch (type) {
      case EW_MESSAGE_HELLO: handle_hello(&loop, &reader); break;
      case EW_MESSAGE_RESET: handle_reset(&loop); break;
      case EW_MESSAGE_RUN:
        trim_log();
        handle_batch(&loop, &reader, false);
        break;
      case EW_MESSAGE_EXPLAIN: handle_batch(&loop, &reader, true); break;
      case EW_MESSAGE_BYE:
        if (loop.instance) loop.adapter->close(loop.instance);
        leave(0);
      case EW_MESSAGE_READY:
      case EW_MESSAGE_DONE:
      case EW_MESSAGE_OUTCOMES: EW_BUG("a message that only hosts send");
    }
  }
}
