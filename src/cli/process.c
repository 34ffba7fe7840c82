/* process.c: posix_spawn and wait. */
#include "cli/process.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static enum ew_status wait_for(pid_t process, const char *name, int *code, struct ew_error *error) {
  int status;
  while (waitpid(process, &status, 0) < 0)
    if (errno != EINTR) return ew_fail(error, EW_IO, "cannot wait for %s: %s", name, strerror(errno));
  *code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return EW_OK;
}

enum ew_status ew_process_run(const char *const *arguments, enum ew_process_output output, int *code,
                              struct ew_error *error) {
  posix_spawn_file_actions_t actions;
  pid_t process;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  if (output == EW_PROCESS_SILENT) posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
  int why = posix_spawnp(&process, arguments[0], &actions, NULL, (char *const *)(uintptr_t)arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (why) return ew_fail(error, EW_MISSING, "cannot run %s: %s", arguments[0], strerror(why));
  return wait_for(process, arguments[0], code, error);
}

/* Reads to the end, whatever the limit, so that the other program is not held up. */
static enum ew_status read_all(int file, size_t limit, struct ew_text *output, struct ew_error *error) {
  char bytes[4096];
  bool over = false;
  for (;;) {
    ssize_t length = read(file, bytes, sizeof bytes);
    if (length < 0 && errno == EINTR) continue;
    if (length < 0) return ew_fail(error, EW_IO, "cannot read from a pipe: %s", strerror(errno));
    if (length == 0) break;
    over = over || output->length + (size_t)length > limit;
    if (!over) ew_text_add_bytes(output, bytes, (size_t)length);
  }
  return over ? ew_fail(error, EW_LIMIT, "a program wrote more than %zu bytes", limit) : EW_OK;
}

enum ew_status ew_process_read(const char *const *arguments, size_t limit, struct ew_text *output, int *code,
                               struct ew_error *error) {
  posix_spawn_file_actions_t actions;
  pid_t process;
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return ew_fail(error, EW_IO, "cannot make a pipe: %s", strerror(errno));
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  int why = posix_spawnp(&process, arguments[0], &actions, NULL, (char *const *)(uintptr_t)arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  enum ew_status status = EW_OK, waited = EW_OK;
  if (why) {
    status = ew_fail(error, EW_MISSING, "cannot run %s: %s", arguments[0], strerror(why));
  } else {
    status = read_all(ends[0], limit, output, error);
    struct ew_error detail;
    waited = wait_for(process, arguments[0], code, status ? &detail : error);
  }
  close(ends[0]);
  return status ? status : waited;
}
