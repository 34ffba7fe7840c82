/* managed.c: the process that keeps a server, and the file by which others find it. */
#include "cli/managed.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/deadline.h"
#include "base/file.h"
#include "engine/server.h"
#include "hunt/stage.h"

static const int64_t STOP_TIME = 40 * EW_SECOND;

/* ---- the file ---- */

static enum ew_status state_path(struct ew_span name, struct ew_span version, struct ew_text *path,
                                 struct ew_error *error) {
  enum ew_status status = ew_folder_xdg("STATE", path, error);
  if (!status) ew_text_add_string(path, "/servers");
  if (!status) status = ew_folder_make(path->bytes, error);
  if (!status) ew_text_add_format(path, "/%.*s@%.*s", EW_SPAN_ARGS(name), EW_SPAN_ARGS(version));
  return status;
}

/* Whether a process holds the file; a file that nobody holds is of one that was killed. */
static bool is_held(const char *path) {
  int file = open(path, O_RDWR | O_CLOEXEC);
  bool held = file >= 0 && flock(file, LOCK_EX | LOCK_NB) != 0;
  if (file >= 0) close(file);
  return held;
}

/* The part of the state behind "KEY=", up to the end of the line. */
static struct ew_span find_line(struct ew_span state, const char *key) {
  size_t length = strlen(key);
  for (struct ew_span rest = state; rest.length;) {
    const char *end = memchr(rest.bytes, '\n', rest.length);
    size_t line = end ? (size_t)(end - rest.bytes) : rest.length;
    if (line > length && memcmp(rest.bytes, key, length) == 0 && rest.bytes[length] == '=')
      return (struct ew_span){rest.bytes + length + 1, line - length - 1};
    rest = (struct ew_span){rest.bytes + line + !!end, rest.length - line - !!end};
  }
  return EW_SPAN("");
}

struct ew_span ew_managed_address(struct ew_span name, struct ew_span version, struct ew_arena *arena) {
  enum { STATE_MAX = 4096 };
  struct ew_text path = {0}, state = {0};
  struct ew_span address = {"", 0};
  if (state_path(name, version, &path, NULL) == EW_OK && is_held(path.bytes) &&
      ew_file_read(path.bytes, STATE_MAX, &state, NULL) == EW_OK)
    address = ew_arena_copy(arena, find_line(ew_text_span(&state), "address"));
  ew_text_release(&path);
  ew_text_release(&state);
  return address;
}

/* ---- the process that keeps it ---- */

struct keeper {
  const struct ew_engine *engine;
  const char *path, *password_path;
  int file, answer; /* the state; a pipe that says what came of it: a status and an error */
};

static enum ew_status write_state(const struct keeper *keeper, struct ew_span announced, struct ew_error *error) {
  struct ew_text state = {0};
  struct ew_span scheme = ew_profile_setting(&keeper->engine->profile, "server.scheme", EW_SPAN("tcp"));
  ew_text_add_format(&state, "process=%ld\naddress=%.*s://127.0.0.1:%.*s\nfolder=%.*s\n", (long)getpid(),
                     EW_SPAN_ARGS(scheme), EW_SPAN_ARGS(find_line(announced, "port")),
                     EW_SPAN_ARGS(find_line(announced, "folder")));
  umask(0077);
  enum ew_status status = ew_file_replace(keeper->password_path, find_line(announced, "password"), error);
  if (!status && pwrite(keeper->file, state.bytes, state.length, 0) != (ssize_t)state.length)
    status = ew_fail(error, EW_IO, "%s cannot be written", keeper->path);
  ew_text_release(&state);
  return status;
}

static noreturn void keep(const struct keeper *keeper) {
  struct ew_error error = {""};
  struct ew_arena arena;
  void *instance = NULL;
  struct ew_text announced = {0}, path = {0};
  setsid();
  sigset_t wanted;
  sigemptyset(&wanted);
  sigaddset(&wanted, SIGTERM);
  sigprocmask(SIG_BLOCK, &wanted, NULL);
  int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  for (int i = 0; i < 3; i++) dup2(null, i);
  ew_arena_init(&arena);
  ew_text_add_format(&path, "%s.new", keeper->path);
  struct ew_settings settings = ew_target_settings(&keeper->engine->target, &arena);
  struct ew_option *items = EW_NEW_ARRAY(&arena, struct ew_option, settings.count + 1);
  memcpy(items, settings.items, settings.count * sizeof *items);
  items[settings.count] = (struct ew_option){EW_SPAN("announce"), ew_text_span(&path)};
  settings = (struct ew_settings){items, settings.count + 1};
  const struct ew_adapter *adapter = ew_stage_adapter(keeper->engine->profile.adapter);
  enum ew_status status = adapter->open(&settings, &instance, &error);
  if (!status) status = ew_file_read(path.bytes, 4096, &announced, &error);
  unlink(path.bytes);
  if (!status) status = write_state(keeper, ew_text_span(&announced), &error);
  if (write(keeper->answer, &status, sizeof status) < 0 || write(keeper->answer, &error, sizeof error) < 0) _exit(1);
  close(keeper->answer);
  int signal = 0;
  if (!status) sigwait(&wanted, &signal);
  if (instance) adapter->close(instance);
  unlink(keeper->password_path);
  unlink(keeper->path);
  _exit(0);
}

static enum ew_status start_keeper(struct keeper *keeper, struct ew_error *error) {
  int ends[2];
  enum ew_status status = EW_GONE;
  if (pipe2(ends, O_CLOEXEC) != 0) return ew_fail(error, EW_IO, "cannot make a pipe: %s", strerror(errno));
  keeper->answer = ends[1];
  pid_t process = fork();
  if (process == 0) {
    close(ends[0]);
    keep(keeper);
  }
  close(ends[1]);
  bool told = process > 0 && read(ends[0], &status, sizeof status) == (ssize_t)sizeof status &&
              read(ends[0], error, sizeof *error) == (ssize_t)sizeof *error;
  close(ends[0]);
  return told ? status : ew_fail(error, EW_GONE, "the process that was to keep the server is gone");
}

enum ew_status ew_managed_start(const struct ew_engine *engine, struct ew_text *text, struct ew_error *error) {
  const struct ew_profile *profile = &engine->profile;
  struct ew_text path = {0}, password = {0};
  struct ew_arena arena;
  if (!ew_profile_setting(profile, "server.program", EW_SPAN("")).length)
    return ew_fail(error, EW_USAGE, "%.*s is no server: a hunt starts it by itself", EW_SPAN_ARGS(profile->name));
  ew_arena_init(&arena);
  enum ew_status status = state_path(profile->name, engine->target.version, &path, error);
  ew_text_add_format(&password, "%s.password", status ? "" : path.bytes);
  struct keeper keeper = {.engine = engine, .path = path.bytes, .password_path = password.bytes, .file = -1};
  if (!status) keeper.file = open(path.bytes, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (!status && keeper.file < 0) status = ew_fail(error, EW_IO, "%s: %s", path.bytes, strerror(errno));
  if (!status && flock(keeper.file, LOCK_EX | LOCK_NB) != 0)
    status = ew_fail(error, EW_USAGE, "%.*s@%.*s runs already; see: edgewise engines", EW_SPAN_ARGS(profile->name),
                     EW_SPAN_ARGS(engine->target.version));
  if (!status && ftruncate(keeper.file, 0) != 0) status = ew_fail(error, EW_IO, "%s cannot be written", path.bytes);
  if (!status) status = start_keeper(&keeper, error);
  if (keeper.file >= 0) close(keeper.file);
  if (!status) {
    struct ew_span address = ew_managed_address(profile->name, engine->target.version, &arena);
    ew_text_add_format(
        text,
        "%.*s %.*s runs at %.*s\n  its password is in %s\n  to hunt it: edgewise hunt %.*s --profile %.*s "
        "--password-file %s\n  to stop it: edgewise engines stop %.*s@%.*s\n",
        EW_SPAN_ARGS(profile->name), EW_SPAN_ARGS(engine->target.version), EW_SPAN_ARGS(address), password.bytes,
        EW_SPAN_ARGS(address), EW_SPAN_ARGS(profile->name), password.bytes, EW_SPAN_ARGS(profile->name),
        EW_SPAN_ARGS(engine->target.version));
  }
  ew_arena_release(&arena);
  ew_text_release(&path);
  ew_text_release(&password);
  return status;
}

enum ew_status ew_managed_stop(const struct ew_engine *engine, struct ew_text *text, struct ew_error *error) {
  const struct ew_profile *profile = &engine->profile;
  struct ew_text path = {0}, state = {0};
  enum ew_status status = state_path(profile->name, engine->target.version, &path, error);
  bool runs = !status && is_held(path.bytes);
  if (runs) status = ew_file_read(path.bytes, 4096, &state, error);
  if (!status && !runs)
    status = ew_fail(error, EW_USAGE, "%.*s@%.*s does not run", EW_SPAN_ARGS(profile->name),
                     EW_SPAN_ARGS(engine->target.version));
  struct ew_span number = find_line(ew_text_span(&state), "process");
  long process = !status && number.length ? strtol(number.bytes, NULL, 10) : 0;
  if (!status && (process <= 1 || kill((pid_t)process, SIGTERM) != 0))
    status = ew_fail(error, EW_IO, "process %ld cannot be ended", process);
  struct ew_deadline deadline = ew_deadline_in(STOP_TIME);
  while (!status && is_held(path.bytes) && !ew_deadline_passed(deadline))
    nanosleep(&(struct timespec){0, 10 * EW_MILLISECOND}, NULL);
  if (!status)
    ew_text_add_format(text, "%.*s %.*s is stopped\n", EW_SPAN_ARGS(profile->name),
                       EW_SPAN_ARGS(engine->target.version));
  ew_text_release(&path);
  ew_text_release(&state);
  return status;
}
