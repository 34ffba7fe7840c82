/* spawner.c: both sides of a spawner: each request is a byte and a descriptor, each answer a struct. */
#include "engine/spawner.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/deadline.h"

struct answer {
  pid_t process; /* negative where there is none */
  int why;       /* errno then */
  int64_t cpu;
};

/* One descriptor beside the byte of a request. */
union passenger {
  char bytes[CMSG_SPACE(sizeof(int))];
  struct cmsghdr head; /* for its alignment */
};

static struct msghdr message_of(struct iovec *byte, union passenger *passenger) {
  return (struct msghdr){
      .msg_iov = byte, .msg_iovlen = 1, .msg_control = passenger->bytes, .msg_controllen = sizeof passenger->bytes};
}

/* ---- in the spawner ---- */

/* The next socket to start a host on; ends the process where nobody asks any more. */
static int next_socket(int requests) {
  char byte;
  union passenger passenger;
  struct iovec part = {&byte, 1};
  struct msghdr message = message_of(&part, &passenger);
  ssize_t got;
  do got = recvmsg(requests, &message, 0);
  while (got < 0 && errno == EINTR);
  const struct cmsghdr *head = got == 1 ? CMSG_FIRSTHDR(&message) : NULL;
  if (!head || head->cmsg_type != SCM_RIGHTS) _exit(0);
  int socket;
  memcpy(&socket, CMSG_DATA(head), sizeof socket);
  return socket;
}

/* What stays open in a spawner, besides the first three. */
enum { REQUESTS = 3, LOG = 4, RECORDER = 5, REST = 6 };

static void arrange_descriptors(int requests, int log, int recorder) {
  int from[] = {requests, log, recorder}, to[] = {REQUESTS, LOG, RECORDER};
  for (size_t i = 0; i < EW_COUNT(from); i++)
    if ((from[i] = fcntl(from[i], F_DUPFD_CLOEXEC, 16)) < 0) _exit(EW_EXIT_IO);
  for (size_t i = 0; i < EW_COUNT(to); i++)
    if (dup2(from[i], to[i]) < 0) _exit(EW_EXIT_IO);
  close_range(REST, ~0U, 0);
}

static noreturn void serve(struct ew_host host) {
  fcntl(RECORDER, F_SETFD, FD_CLOEXEC);
  host.log = LOG;
  for (;;) {
    host.socket = next_socket(REQUESTS);
    /* No fork of the C library can do this; there are no threads whose locks it would have to mind. */
    long process = syscall(SYS_clone, CLONE_PARENT | SIGCHLD, NULL, NULL, NULL, NULL);
    if (process == 0) ew_host_main(&host);
    struct answer answer = {(pid_t)process, errno, ew_cpu_now()};
    close(host.socket);
    if (send(REQUESTS, &answer, sizeof answer, MSG_NOSIGNAL) != (ssize_t)sizeof answer) _exit(0);
  }
}

static bool by_exec;

void ew_spawner_by_exec(void) { by_exec = true; }

/* Addresses are not random and the environment is the same, so that a heap looks the same each time. What sanitizers are told
   goes along. */
static void exec_spawner(const struct ew_host *host) {
  static const char *const passed[] = {"ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS"};
  char options[EW_COUNT(passed)][512], worker[24];
  char *environment[EW_COUNT(passed) + 3] = {(char[]){"TZ=UTC"}, (char[]){"LC_ALL=C"}};
  size_t count = 2;
  for (size_t i = 0; i < EW_COUNT(passed); i++) {
    const char *value = getenv(passed[i]);
    if (!value) continue;
    snprintf(options[i], sizeof options[i], "%s=%s", passed[i], value);
    environment[count++] = options[i];
  }
  snprintf(worker, sizeof worker, "%ld", (long)host->worker);
  char name[64];
  snprintf(name, sizeof name, "%s", host->adapter->name);
  char *command[] = {(char[]){"edgewise"}, (char[]){EW_SPAWNER_WORD}, name, worker, NULL};
  personality(ADDR_NO_RANDOMIZE);
  execve("/proc/self/exe", command, environment);
}

static noreturn void be_spawner(struct ew_host host, int requests) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != host.worker) _exit(0);
  setsid(); /* the terminal's Ctrl-C is the worker's to act on */
  arrange_descriptors(requests, host.log, host.recorder->file);
  if (by_exec) exec_spawner(&host); /* where that fails, what was forked will do */
  serve(host);
}

noreturn void ew_spawner_main(int count, char **strings, const struct ew_adapter *(*find)(struct ew_span name)) {
  struct ew_recorder recorder;
  struct ew_error error;
  const struct ew_adapter *adapter = count == 4 ? find(ew_span_of(strings[2])) : NULL;
  if (!adapter || ew_recorder_join(&recorder, RECORDER, &error)) {
    fprintf(stderr, "edgewise: " EW_SPAWNER_WORD " is for edgewise itself\n");
    _exit(EW_EXIT_USAGE);
  }
  struct ew_host host = {.adapter = adapter, .recorder = &recorder, .worker = (pid_t)strtol(strings[3], NULL, 10)};
  if (getppid() != host.worker) _exit(0);
  serve(host);
}

/* ---- in the worker ---- */

enum ew_status ew_spawner_start(struct ew_spawner *spawner, const struct ew_host *host, struct ew_error *error) {
  if (spawner->process) return EW_OK;
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
    return ew_fail(error, EW_IO, "cannot make a socket pair: %s", strerror(errno));
  pid_t process = fork();
  if (process == 0) be_spawner(*host, ends[1]);
  int why = errno;
  close(ends[1]);
  if (process < 0) {
    close(ends[0]);
    return ew_fail(error, EW_IO, "cannot start a process for engine hosts: %s", strerror(why));
  }
  spawner->process = process;
  spawner->socket = ends[0];
  return EW_OK;
}

void ew_spawner_stop(struct ew_spawner *spawner) {
  if (!spawner->process) return;
  kill(spawner->process, SIGKILL); /* it keeps nothing */
  while (waitpid(spawner->process, NULL, 0) < 0 && errno == EINTR) continue;
  close(spawner->socket);
  spawner->process = 0;
}

static bool send_request(const struct ew_spawner *spawner, int socket) {
  union passenger passenger = {0};
  struct iovec part = {&(char){0}, 1};
  struct msghdr message = message_of(&part, &passenger);
  struct cmsghdr *head = CMSG_FIRSTHDR(&message);
  *head = (struct cmsghdr){.cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof socket)};
  memcpy(CMSG_DATA(head), &socket, sizeof socket);
  ssize_t sent;
  do sent = sendmsg(spawner->socket, &message, MSG_NOSIGNAL);
  while (sent < 0 && errno == EINTR);
  return sent == 1;
}

enum ew_status ew_spawner_spawn(struct ew_spawner *spawner, int socket, pid_t *process, struct ew_error *error) {
  struct answer answer = {.process = -1, .why = ECHILD};
  ssize_t got = 0;
  if (send_request(spawner, socket)) do
      got = recv(spawner->socket, &answer, sizeof answer, 0);
    while (got < 0 && errno == EINTR);
  if (got == (ssize_t)sizeof answer && answer.process > 0) {
    *process = answer.process;
    spawner->cpu = answer.cpu;
    return EW_OK;
  }
  ew_spawner_stop(spawner);
  return ew_fail(error, EW_IO, "cannot start an engine host: %s", strerror(answer.why));
}
