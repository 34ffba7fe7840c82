/* watcher.c: starts the server, keeps its output, outlives the host, and clears up. */
#include "engine/watcher.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"

enum { LOG_CAP = 1 << 20, SOCKET = 3, REST = 4, WITHOUT_PIDFD = 50 /* milliseconds between two looks */ };

struct state {
  const struct ew_watcher *plan;
  pid_t server; /* 0 where none runs */
  int server_file, output, log, lock;
  off_t logged;
  struct ew_text tail; /* the end of the output, at most twice what is kept */
};

/* ---- the server's process ---- */

static void set_limit(int resource, uint64_t bytes) {
  struct rlimit limit;
  if (getrlimit((__rlimit_resource_t)resource, &limit) != 0) return;
  /* The host lowered only the first one, for itself. */
  limit.rlim_cur = bytes && bytes < limit.rlim_max ? bytes : limit.rlim_max;
  if (bytes && bytes < limit.rlim_max) limit.rlim_max = bytes;
  setrlimit((__rlimit_resource_t)resource, &limit);
}

static noreturn void be_server(const struct state *state, pid_t watcher, int output, int failure) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != watcher) _exit(0);
  setpgid(0, 0);
  for (int i = 1; i < NSIG; i++) signal(i, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  set_limit(RLIMIT_AS, state->plan->memory_limit);
  set_limit(RLIMIT_FSIZE, state->plan->file_limit);
  dup2(output, STDOUT_FILENO);
  dup2(output, STDERR_FILENO);
  if (chdir(state->plan->folder) == 0) execvpe(state->plan->command[0], state->plan->command, state->plan->environment);
  int why = errno;
  if (write(failure, &why, sizeof why) < 0) _exit(126);
  _exit(127);
}

/* All descriptors of the watcher close on exec. Returns 0, or why it did not start. */
static int start(struct state *state) {
  int output[2], failure[2], why = 0;
  if (pipe2(output, O_CLOEXEC | O_NONBLOCK) != 0) return errno;
  if (pipe2(failure, O_CLOEXEC) != 0) return errno;
  fcntl(output[1], F_SETFL, 0); /* the server's end may block */
  pid_t self = getpid(), process = fork();
  if (process == 0) be_server(state, self, output[1], failure[1]);
  if (process < 0) why = errno;
  close(output[1]);
  close(failure[1]);
  /* Nothing comes where the exec worked. */
  if (process > 0 && read(failure[0], &why, sizeof why) != (ssize_t)sizeof why) why = 0;
  close(failure[0]);
  if (state->output >= 0) close(state->output);
  state->output = output[0];
  ew_text_reset(&state->tail);
  if (process > 0 && why) waitpid(process, NULL, 0);
  if (why) return why;
  state->server = process;
  state->server_file = (int)syscall(SYS_pidfd_open, process, 0);
  if (state->server_file >= 0) fcntl(state->server_file, F_SETFD, FD_CLOEXEC);
  return 0;
}

/* ---- output ---- */

static void write_log(struct state *state, const char *bytes, size_t length) {
  if (state->log < 0) return;
  if (state->logged > LOG_CAP) {
    char old[4096];
    snprintf(old, sizeof old, "%s.old", state->plan->log);
    if (rename(state->plan->log, old) != 0) return;
    close(state->log);
    state->log = open(state->plan->log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    state->logged = 0;
    if (state->log < 0) return;
  }
  ssize_t written = write(state->log, bytes, length);
  if (written > 0) state->logged += written;
}

/* Takes what is there; false at the end of the output. */
static bool take_output(struct state *state) {
  char bytes[16384];
  for (;;) {
    ssize_t got = read(state->output, bytes, sizeof bytes);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return got < 0 && errno == EAGAIN;
    write_log(state, bytes, (size_t)got);
    if (state->tail.length > EW_WATCHER_OUTPUT) {
      size_t excess = state->tail.length - EW_WATCHER_OUTPUT / 2;
      memmove(state->tail.bytes, state->tail.bytes + excess, state->tail.length - excess);
      ew_text_cut(&state->tail, state->tail.length - excess);
    }
    ew_text_add_bytes(&state->tail, bytes, (size_t)got);
  }
}

/* ---- ends ---- */

/* Whatever the server started and left behind is ours now (a subreaper); none of it may live on. */
static void kill_children(void) {
  for (;;) {
    char list[4096] = "";
    char path[64];
    snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = file >= 0 ? read(file, list, sizeof list - 1) : 0;
    if (file >= 0) close(file);
    if (got <= 0) return;
    for (char *at = list, *end; (got = (ssize_t)strtol(at, &end, 10)) > 0 && end > at; at = end)
      kill((pid_t)got, SIGKILL);
    if (waitpid(-1, NULL, 0) < 0 && errno != EINTR) return;
  }
}

static void notify(const struct state *state, const struct ew_watcher_notice *notice, const char *bytes) {
  struct iovec parts[] = {{(void *)(uintptr_t)notice, sizeof *notice}, {(void *)(uintptr_t)bytes, notice->length}};
  struct msghdr message = {.msg_iov = parts, .msg_iovlen = notice->length ? 2 : 1};
  while (sendmsg(state->plan->socket, &message, MSG_NOSIGNAL) < 0 && errno == EINTR) continue;
}

/* Takes the ended server in; false where it has not ended. */
static bool reap(struct state *state, bool wait) {
  int status;
  pid_t got;
  if (!state->server) return false;
  do got = waitpid(state->server, &status, wait ? 0 : WNOHANG);
  while (got < 0 && errno == EINTR);
  if (got != state->server) return false;
  kill(-state->server, SIGKILL);
  kill_children();
  take_output(state);
  if (state->server_file >= 0) close(state->server_file);
  state->server = 0;
  state->server_file = -1;
  notify(state, &(struct ew_watcher_notice){.kind = EW_WATCHER_ENDED, .status = status}, NULL);
  return true;
}

static void end_server(struct state *state) {
  if (!state->server) return;
  kill(-state->server, SIGKILL);
  kill(state->server, SIGKILL);
  reap(state, true);
}

static noreturn void quit(struct state *state) {
  end_server(state);
  kill_children();
  ew_folder_remove(state->plan->folder);
  _exit(0);
}

/* ---- the loop ---- */

static void arrange(const struct ew_watcher *plan, struct state *state) {
  static const int ignored[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGXFSZ, SIGTSTP};
  setsid();
  for (int i = 1; i < NSIG; i++) signal(i, SIG_DFL);
  for (size_t i = 0; i < EW_COUNT(ignored); i++) signal(ignored[i], SIG_IGN);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  int null = open("/dev/null", O_RDWR);
  dup2(null, 0);
  dup2(null, 1);
  dup2(null, 2);
  close_range(REST, ~0U, 0);
  char path[4096];
  snprintf(path, sizeof path, "%s/.lock", plan->folder);
  state->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (state->lock >= 0) flock(state->lock, LOCK_EX);
  if (plan->log) state->log = open(plan->log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  struct stat info;
  if (state->log >= 0 && fstat(state->log, &info) == 0) state->logged = info.st_size;
}

static void handle(struct state *state, char request) {
  struct ew_watcher_notice notice = {.kind = request};
  switch (request) {
    case EW_WATCHER_START:
      end_server(state);
      notice.status = start(state);
      notice.process = state->server;
      notify(state, &notice, NULL);
      break;
    case EW_WATCHER_KILL: end_server(state); break;
    case EW_WATCHER_TERMINATE:
      if (state->server) kill(state->server, SIGTERM);
      break;
    case EW_WATCHER_TELL: {
      if (state->output >= 0) take_output(state);
      size_t length = state->tail.length < EW_WATCHER_OUTPUT ? state->tail.length : EW_WATCHER_OUTPUT;
      notice.length = (uint32_t)length;
      notify(state, &notice, ew_text_span(&state->tail).bytes + (state->tail.length - length));
      break;
    }
    default: quit(state);
  }
}

noreturn void ew_watcher_main(const struct ew_watcher *given) {
  struct ew_watcher plan = *given;
  struct state state = {.plan = &plan, .server_file = -1, .output = -1, .log = -1, .lock = -1};
  if (dup2(plan.socket, SOCKET) < 0) _exit(EW_EXIT_IO);
  fcntl(SOCKET, F_SETFD, FD_CLOEXEC);
  plan.socket = SOCKET;
  arrange(&plan, &state);
  for (;;) {
    struct pollfd files[] = {{.fd = SOCKET, .events = POLLIN},
                             {.fd = state.output, .events = POLLIN},
                             {.fd = state.server_file, .events = POLLIN}};
    int pause = state.server && state.server_file < 0 ? WITHOUT_PIDFD : -1;
    if (poll(files, EW_COUNT(files), pause) < 0 && errno != EINTR) quit(&state);
    if (files[1].revents && !take_output(&state)) {
      close(state.output);
      state.output = -1;
    }
    reap(&state, false);
    if (!files[0].revents) continue;
    char request = EW_WATCHER_QUIT;
    ssize_t got = recv(SOCKET, &request, 1, 0);
    if (got < 0 && errno == EINTR) continue;
    handle(&state, got == 1 ? request : EW_WATCHER_QUIT); /* the host is gone */
  }
}
