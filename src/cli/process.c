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

enum ew_status ew_process_run(const char *const *arguments, enum ew_process_output output, int *code,
                              struct ew_error *error) {
  posix_spawn_file_actions_t actions;
  pid_t process;
  int status;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  if (output == EW_PROCESS_SILENT) posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
  int why = posix_spawnp(&process, arguments[0], &actions, NULL, (char *const *)(uintptr_t)arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (why) return ew_fail(error, EW_MISSING, "cannot run %s: %s", arguments[0], strerror(why));
  while (waitpid(process, &status, 0) < 0)
    if (errno != EINTR) return ew_fail(error, EW_IO, "cannot wait for %s: %s", arguments[0], strerror(errno));
  *code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return EW_OK;
}
