/* server.c: the host's side of a managed server: what to start, where, and what its end means. */
#include "engine/server.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/vector.h"
#include "contract/profile.h"
#include "engine/server_output.h"
#include "engine/watcher.h"

#define FOLDER_NAME "edgewise-server-"

enum { WORDS_MAX = 4096, ERROR_WORDS = 400, MEMORY_FOLDER_MIB = 256, STALE_SECONDS = 60 };
static const int64_t START_TIME = 60 * EW_SECOND, DEATH_TIME = 300 * EW_MILLISECOND, STOP_TIME = 30 * EW_SECOND;

static struct ew_span setting(const struct ew_server *server, const char *name) {
  return ew_settings_find(server->settings, name);
}

bool ew_server_wanted(const struct ew_settings *settings) {
  return ew_settings_find(settings, "server.program").length && !ew_settings_find(settings, "url").length;
}

/* ---- the folder ---- */

/* Of servers whose watcher was killed: nobody holds the lock. */
static void sweep(const char *root) {
  DIR *listing = opendir(root);
  for (struct dirent *entry; listing && (entry = readdir(listing));) {
    char path[600];
    struct stat info;
    if (strncmp(entry->d_name, FOLDER_NAME, strlen(FOLDER_NAME)) != 0) continue;
    snprintf(path, sizeof path, "%s/%s", root, entry->d_name);
    if (lstat(path, &info) != 0 || info.st_uid != geteuid() || time(NULL) - info.st_ctime < STALE_SECONDS) continue;
    size_t length = strlen(path);
    snprintf(path + length, sizeof path - length, "/.lock");
    int lock = open(path, O_RDWR | O_CLOEXEC);
    bool held = lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) != 0;
    path[length] = '\0';
    if (!held) ew_folder_remove(path);
    if (lock >= 0) close(lock);
  }
  if (listing) closedir(listing);
}

static bool is_memory(const char *path) {
  enum { TMPFS = 0x01021994 };
  struct statfs info;
  return statfs(path, &info) == 0 && info.f_type == TMPFS && access(path, W_OK) == 0 &&
         (uint64_t)info.f_bavail * (uint64_t)info.f_bsize >= (uint64_t)MEMORY_FOLDER_MIB << 20;
}

/* Where the user wants it; else in memory where there is such a folder, in the run's own, or where temporary files go. */
static enum ew_status make_folder(struct ew_server *server, struct ew_error *error) {
  struct ew_span run = setting(server, "folder"), wanted = setting(server, "data");
  const char *root = "/tmp";
  if (run.length) root = ew_arena_string(&server->arena, run);
  if (is_memory("/dev/shm")) root = "/dev/shm";
  if (wanted.length) root = ew_arena_string(&server->arena, wanted);
  sweep(root);
  int length = snprintf(server->folder, sizeof server->folder, "%s/" FOLDER_NAME "XXXXXX", root);
  if (length > 0 && (size_t)length < sizeof server->folder && mkdtemp(server->folder)) return EW_OK;
  server->folder[0] = '\0';
  return ew_fail(error, EW_IO, "cannot make a folder for the server in %.200s: %s", root, strerror(errno));
}

/* ---- the plan ---- */

static bool pick_port(char port[static 8]) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t size = sizeof address;
  int probe = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  bool found = probe >= 0 && bind(probe, (struct sockaddr *)&address, size) == 0 &&
               getsockname(probe, (struct sockaddr *)&address, &size) == 0;
  if (probe >= 0) close(probe);
  snprintf(port, 8, "%u", (unsigned)ntohs(address.sin_port));
  return found;
}

static void pick_password(char password[static 36]) {
  uint8_t bytes[16];
  if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes) EW_BUG("the system has no random bytes");
  for (size_t i = 0; i < sizeof bytes; i++) snprintf(password + 2 * i, 3, "%02x", bytes[i]);
}

/* `text` with its {words} replaced; in the server's arena. */
static const char *expand(struct ew_server *server, struct ew_span text) {
  struct ew_span home = setting(server, "home");
  const struct {
    const char *word;
    struct ew_span value;
  } words[] = {
      {"{home}", home},
      {"{folder}", ew_span_of(server->folder)},
      {"{port}", ew_span_of(server->port)},
      {"{port2}", ew_span_of(server->port2)},
      {"{password}", ew_span_of(server->password)},
  };
  struct ew_text expanded = {0};
  for (size_t at = 0; at < text.length;) {
    struct ew_span rest = {text.bytes + at, text.length - at};
    size_t i = 0;
    while (i < EW_COUNT(words) && !ew_span_starts(rest, ew_span_of(words[i].word))) i++;
    if (i < EW_COUNT(words)) ew_text_add(&expanded, words[i].value);
    if (i == EW_COUNT(words)) ew_text_add_char(&expanded, text.bytes[at]);
    at += i < EW_COUNT(words) ? strlen(words[i].word) : 1;
  }
  const char *kept = ew_arena_string(&server->arena, ew_text_span(&expanded));
  ew_text_release(&expanded);
  return kept;
}

static char **split_command(struct ew_server *server) {
  EW_VECTOR(char *) words = {0};
  *ew_arena_vector_push(&server->arena, &words) = (char *)(uintptr_t)expand(server, setting(server, "server.program"));
  struct ew_span rest = setting(server, "server.arguments");
  while (rest.length) {
    const char *blank = memchr(rest.bytes, ' ', rest.length);
    size_t length = blank ? (size_t)(blank - rest.bytes) : rest.length;
    if (length)
      *ew_arena_vector_push(&server->arena, &words) =
          (char *)(uintptr_t)expand(server, (struct ew_span){rest.bytes, length});
    rest = (struct ew_span){rest.bytes + length + !!blank, rest.length - length - !!blank};
  }
  *ew_arena_vector_push(&server->arena, &words) = NULL;
  return words.items;
}

/* The part of a setting's name behind "server.GROUP.", or an empty span. */
static struct ew_span member_of(struct ew_span name, const char *prefix) {
  struct ew_span start = ew_span_of(prefix);
  if (!ew_span_starts(name, start)) return EW_SPAN("");
  return (struct ew_span){name.bytes + start.length, name.length - start.length};
}

static char **make_environment(struct ew_server *server) {
  EW_VECTOR(char *) variables = {0};
  struct ew_span path = setting(server, "path");
  if (!path.length) path = EW_SPAN("/usr/local/bin:/usr/bin:/bin");
  setenv("PATH", ew_arena_string(&server->arena, path), 1); /* where the program is searched */
  struct ew_span fixed[] = {
      EW_SPAN("TZ=UTC"),
      EW_SPAN("LC_ALL=C.UTF-8"),
      ew_arena_format(&server->arena, "PATH=%.*s", EW_SPAN_ARGS(path)),
      ew_arena_format(&server->arena, "HOME=%s", server->folder),
      ew_arena_format(&server->arena, "TMPDIR=%s", server->folder),
  };
  for (size_t i = 0; i < EW_COUNT(fixed); i++)
    *ew_arena_vector_push(&server->arena, &variables) = (char *)(uintptr_t)ew_arena_string(&server->arena, fixed[i]);
  for (size_t i = 0; i < server->settings->count; i++) {
    struct ew_span name = member_of(server->settings->items[i].name, "server.environment.");
    if (!name.length) continue;
    const char *value = expand(server, server->settings->items[i].setting);
    struct ew_span variable = ew_arena_format(&server->arena, "%.*s=%s", EW_SPAN_ARGS(name), value);
    *ew_arena_vector_push(&server->arena, &variables) = (char *)(uintptr_t)ew_arena_string(&server->arena, variable);
  }
  *ew_arena_vector_push(&server->arena, &variables) = NULL;
  return variables.items;
}

/* Adds a line to a file in the folder; the folders above it are made. */
static enum ew_status add_line(struct ew_server *server, struct ew_span name, const char *line,
                               struct ew_error *error) {
  struct ew_text path = {0};
  ew_text_add_format(&path, "%s/%.*s", server->folder, EW_SPAN_ARGS(name));
  char *slash = strrchr(path.bytes, '/');
  *slash = '\0';
  enum ew_status status = ew_folder_make(path.bytes, error);
  *slash = '/';
  FILE *file = status ? NULL : fopen(path.bytes, "ae");
  if (!status && (!file || fprintf(file, "%s\n", line) < 0))
    status = ew_fail(error, EW_IO, "cannot write %s", path.bytes);
  if (file && fclose(file) != 0 && !status) status = ew_fail(error, EW_IO, "cannot write %s", path.bytes);
  ew_text_release(&path);
  return status;
}

static enum ew_status write_files(struct ew_server *server, struct ew_error *error) {
  enum ew_status status = EW_OK;
  mode_t mask = umask(0077); /* a password may be in there */
  for (size_t i = 0; i < server->settings->count && !status; i++) {
    struct ew_span name = member_of(server->settings->items[i].name, "server.file.");
    if (!name.length) continue;
    if (name.bytes[0] == '/' || memmem(name.bytes, name.length, "..", 2))
      status = ew_fail(error, EW_BAD, "[server] file.%.*s leads out of the folder", EW_SPAN_ARGS(name));
    else
      status = add_line(server, name, expand(server, server->settings->items[i].setting), error);
  }
  umask(mask);
  return status;
}

static uint64_t mebibytes(const struct ew_server *server, const char *name) {
  struct ew_span text = setting(server, name);
  char digits[24] = "";
  if (text.length && text.length < sizeof digits) memcpy(digits, text.bytes, text.length);
  return (uint64_t)strtoull(digits, NULL, 10) << 20;
}

/* ---- the watcher ---- */

static enum ew_status start_watcher(struct ew_server *server, struct ew_error *error) {
  struct ew_span log = setting(server, "server_log");
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
    return ew_fail(error, EW_IO, "cannot make a socket pair: %s", strerror(errno));
  const struct ew_watcher watcher = {
      .command = split_command(server),
      .environment = make_environment(server),
      .folder = server->folder,
      .log = log.length ? ew_arena_string(&server->arena, log) : NULL,
      .memory_limit = mebibytes(server, "server.memory_limit"),
      .file_limit = mebibytes(server, "server.file_limit"),
      .socket = ends[1],
  };
  pid_t process = fork();
  if (process == 0) ew_watcher_main(&watcher);
  int why = errno;
  close(ends[1]);
  if (process < 0) {
    close(ends[0]);
    return ew_fail(error, EW_IO, "cannot start a process to watch the server: %s", strerror(why));
  }
  server->watcher = process;
  server->socket = ends[0];
  return EW_OK;
}

static void request(const struct ew_server *server, enum ew_watcher_request what) {
  char byte = (char)what;
  while (send(server->socket, &byte, 1, MSG_NOSIGNAL) < 0 && errno == EINTR) continue;
}

/* Takes one notice, waiting for it until the deadline; `bytes` has room for EW_WATCHER_OUTPUT, or is NULL. False where none
   came. A watcher that is gone has taken the server along. */
static bool take_notice(struct ew_server *server, struct ew_deadline deadline, struct ew_watcher_notice *notice,
                        char *bytes) {
  struct pollfd file = {.fd = server->socket, .events = POLLIN};
  int ready;
  do ready = poll(&file, 1, ew_deadline_poll(deadline));
  while (ready < 0 && errno == EINTR);
  if (ready <= 0) return false;
  char none;
  struct iovec parts[] = {{notice, sizeof *notice}, {bytes ? bytes : &none, bytes ? EW_WATCHER_OUTPUT : 1}};
  struct msghdr message = {.msg_iov = parts, .msg_iovlen = EW_COUNT(parts)};
  ssize_t got = recvmsg(server->socket, &message, 0);
  if (got < (ssize_t)sizeof *notice) *notice = (struct ew_watcher_notice){.kind = EW_WATCHER_ENDED, .status = SIGKILL};
  if (notice->kind == EW_WATCHER_ENDED) {
    server->running = false;
    server->status = notice->status;
  }
  return true;
}

/* Asks the watcher to start the server, for the first time or again. */
static enum ew_status launch(struct ew_server *server, struct ew_error *error) {
  struct ew_watcher_notice notice = {0};
  request(server, EW_WATCHER_START);
  while (notice.kind != EW_WATCHER_START)
    if (!take_notice(server, ew_deadline_in(STOP_TIME), &notice, NULL) || notice.kind == EW_WATCHER_TELL)
      return ew_fail(error, EW_GONE, "the process that watches the server does not answer");
  if (notice.status)
    return ew_fail(error, EW_MISSING, "%s cannot be executed: %s", expand(server, setting(server, "server.program")),
                   strerror(notice.status));
  server->running = true;
  server->process = notice.process;
  return EW_OK;
}

enum ew_status ew_server_start(struct ew_server *server, const struct ew_settings *settings, struct ew_error *error) {
  *server = (struct ew_server){.settings = settings, .socket = -1};
  ew_arena_init(&server->arena);
  if (!pick_port(server->port) || !pick_port(server->port2))
    return ew_fail(error, EW_IO, "no free port on the loopback: %s", strerror(errno));
  pick_password(server->password);
  enum ew_status status = make_folder(server, error);
  if (!status) status = write_files(server, error);
  if (!status) status = start_watcher(server, error);
  return status ? status : launch(server, error);
}

/* Until it has ended, or the deadline. */
static bool await_end(struct ew_server *server, struct ew_deadline deadline) {
  struct ew_watcher_notice notice;
  while (server->running)
    if (!take_notice(server, deadline, &notice, NULL)) return false;
  return true;
}

bool ew_server_running(struct ew_server *server) {
  return server->watcher && !await_end(server, (struct ew_deadline){0});
}

static void kill_server(struct ew_server *server) {
  if (!server->watcher || !server->running) return;
  request(server, EW_WATCHER_KILL);
  await_end(server, ew_deadline_in(STOP_TIME));
}

enum ew_status ew_server_restart(struct ew_server *server, bool clean, struct ew_error *error) {
  if (clean && ew_server_running(server)) {
    request(server, EW_WATCHER_TERMINATE);
    await_end(server, ew_deadline_in(STOP_TIME));
  }
  kill_server(server);
  return launch(server, error);
}

void ew_server_stop(struct ew_server *server) {
  if (server->watcher) {
    if (ew_span_is(setting(server, "server.stop"), "term") && ew_server_running(server)) {
      request(server, EW_WATCHER_TERMINATE);
      await_end(server, ew_deadline_in(STOP_TIME));
    }
    request(server, EW_WATCHER_QUIT);
    while (waitpid(server->watcher, NULL, 0) < 0 && errno == EINTR) continue;
    close(server->socket);
  } else if (server->folder[0]) {
    ew_folder_remove(server->folder);
  }
  ew_arena_release(&server->arena);
  *server = (struct ew_server){.socket = -1};
}

/* ---- its output, and what its end means ---- */

static struct ew_span all_output(struct ew_server *server, struct ew_arena *arena) {
  struct ew_watcher_notice notice = {0};
  char *bytes = ew_arena_take(arena, EW_WATCHER_OUTPUT);
  if (!server->watcher) return EW_SPAN("");
  request(server, EW_WATCHER_TELL);
  while (notice.kind != EW_WATCHER_TELL)
    if (!take_notice(server, ew_deadline_in(DEATH_TIME), &notice, bytes)) return EW_SPAN("");
  return (struct ew_span){bytes, notice.length < EW_WATCHER_OUTPUT ? notice.length : EW_WATCHER_OUTPUT};
}

/* Without the folder that the engine is installed in, which differs from user to user. */
static struct ew_span without_home(const struct ew_server *server, struct ew_span text, struct ew_arena *arena) {
  struct ew_span home = setting(server, "home");
  struct ew_text clean = {0};
  while (text.length) {
    const char *at = home.length ? memmem(text.bytes, text.length, home.bytes, home.length) : NULL;
    size_t before = at ? (size_t)(at - text.bytes) : text.length, skipped = at ? before + home.length : before;
    ew_text_add_bytes(&clean, text.bytes, before);
    if (at && skipped < text.length && text.bytes[skipped] == '/') skipped++;
    text = (struct ew_span){text.bytes + skipped, text.length - skipped};
  }
  struct ew_span copy = ew_arena_copy(arena, ew_text_span(&clean));
  ew_text_release(&clean);
  return copy;
}

static struct ew_span last_lines(struct ew_span output, size_t limit) {
  while (output.length && output.bytes[output.length - 1] == '\n') output.length--;
  if (output.length <= limit) return output;
  struct ew_span end = {output.bytes + output.length - limit, limit};
  const char *line = memchr(end.bytes, '\n', end.length);
  return line ? (struct ew_span){line + 1, (size_t)(end.bytes + end.length - line - 1)} : end;
}

struct ew_span ew_server_output(struct ew_server *server, size_t limit, struct ew_arena *arena) {
  return last_lines(all_output(server, arena), limit);
}

static enum ew_status announce(struct ew_server *server, struct ew_error *error) {
  struct ew_span path = setting(server, "announce");
  struct ew_text text = {0};
  if (!path.length) return EW_OK;
  ew_text_add_format(&text, "port=%s\npassword=%s\nfolder=%s\n", server->port, server->password, server->folder);
  mode_t mask = umask(0077);
  enum ew_status status = ew_file_replace(ew_arena_string(&server->arena, path), ew_text_span(&text), error);
  umask(mask);
  ew_text_release(&text);
  return status;
}

enum ew_status ew_server_await(struct ew_server *server, ew_server_probe answers, void *context,
                               struct ew_error *error) {
  struct ew_span time = setting(server, "server.start_time");
  int64_t limit = START_TIME, pause = EW_MILLISECOND;
  if (time.length && !ew_duration_parse(ew_arena_string(&server->arena, time), &limit))
    return ew_fail(error, EW_BAD, "[server] start_time is no duration: %.*s", EW_SPAN_ARGS(time));
  struct ew_deadline deadline = ew_deadline_in(limit);
  while (ew_server_running(server) && !ew_deadline_passed(deadline)) {
    if (answers(context, deadline)) return announce(server, error);
    /* Longer and longer, as a server that takes seconds should not be disturbed; it may end meanwhile. */
    await_end(server, ew_deadline_in(pause));
    if (pause < 200 * EW_MILLISECOND) pause = pause * 3 / 2;
  }
  struct ew_arena arena;
  ew_arena_init(&arena);
  bool ended = !server->running;
  struct ew_span words = ew_server_output(server, ERROR_WORDS, &arena);
  if (ended)
    ew_fail(error, EW_GONE, "the server ended while it started (%s %d): %.*s",
            WIFSIGNALED(server->status) ? "signal" : "code",
            WIFSIGNALED(server->status) ? WTERMSIG(server->status) : WEXITSTATUS(server->status), EW_SPAN_ARGS(words));
  else
    ew_fail(error, EW_GONE, "the server answered no query within %lld s: %.*s", (long long)(limit / EW_SECOND),
            EW_SPAN_ARGS(words));
  ew_arena_release(&arena);
  return EW_GONE;
}

/* Signals that a process gets from others; of the rest it dies by itself. */
static bool is_from_outside(int signal) {
  return signal == SIGKILL || signal == SIGTERM || signal == SIGINT || signal == SIGHUP || signal == SIGQUIT;
}

static void judge_end(struct ew_server *server, struct ew_span output, struct ew_arena *arena,
                      struct ew_statement_outcome *outcome) {
  int status = server->status;
  struct ew_span exhausted = ew_server_find_line(output, setting(server, "server.exhausted"));
  if (WIFSIGNALED(status) && is_from_outside(WTERMSIG(status))) {
    outcome->kind = EW_OUTCOME_KILLED;
    outcome->text = ew_arena_format(arena, "the server was ended from outside, by signal %d", WTERMSIG(status));
  } else if (exhausted.length) {
    outcome->kind = EW_OUTCOME_TOO_LARGE;
    outcome->text = ew_arena_copy(arena, last_lines(exhausted, WORDS_MAX));
  } else {
    outcome->kind = EW_OUTCOME_CRASH;
    outcome->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    if (!outcome->signal)
      outcome->text = ew_arena_format(arena, "the server exited with code %d: %.*s", WEXITSTATUS(status),
                                      EW_SPAN_ARGS(outcome->text));
  }
}

static enum ew_outcome_kind kind_of(enum ew_stream_failure failure) {
  switch (failure) {
    case EW_STREAM_LATE: return EW_OUTCOME_HANG;
    case EW_STREAM_FULL: return EW_OUTCOME_TOO_LARGE;
    case EW_STREAM_BROKEN: return EW_OUTCOME_CORRUPT;
    case EW_STREAM_FINE:
    case EW_STREAM_CLOSED: break;
  }
  return EW_OUTCOME_LOST;
}

void ew_server_judge(struct ew_server *server, const struct ew_stream *stream, struct ew_arena *arena,
                     struct ew_statement_outcome *outcome) {
  *outcome = (struct ew_statement_outcome){.kind = kind_of(stream->failure)};
  outcome->text = ew_span_of(stream->reason ? stream->reason : "");
  if (!server->watcher || outcome->kind == EW_OUTCOME_TOO_LARGE) return;
  /* A connection that breaks is often the first sign of a death. */
  await_end(server, ew_deadline_in(outcome->kind == EW_OUTCOME_LOST ? DEATH_TIME : 0));
  struct ew_span output = all_output(server, arena);
  struct ew_span report = ew_server_find_line(output, setting(server, "server.crashed"));
  bool ended = !server->running;
  if (ended || report.length) {
    outcome->kind = EW_OUTCOME_CRASH;
    outcome->frames = ew_server_frames(report.length ? report : output, arena);
    outcome->text = report;
    if (report.length > WORDS_MAX) outcome->text.length = WORDS_MAX;
    if (!report.length) outcome->text = last_lines(output, WORDS_MAX);
    outcome->text = without_home(server, outcome->text, arena);
  }
  if (ended) judge_end(server, output, arena, outcome);
  /* It may crash and still hold its port. The host is ended after this; nobody waits for the server meanwhile. */
  if (server->running && (report.length || outcome->kind == EW_OUTCOME_HANG)) request(server, EW_WATCHER_KILL);
}
