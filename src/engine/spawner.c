/* spawner.c: both sides of a spawner: each request is a byte and a descriptor, each answer a struct. */
#include "engine/spawner.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
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

/* Only `requests` and the log stay open, besides the first three. */
static int arrange_descriptors(int requests, int *log) {
  int away = fcntl(requests, F_DUPFD_CLOEXEC, 16), kept = fcntl(*log, F_DUPFD_CLOEXEC, 16);
  if (away < 0 || kept < 0 || dup2(away, 3) < 0 || dup2(kept, 4) < 0) _exit(EW_EXIT_IO);
  close_range(5, ~0U, 0);
  *log = 4;
  return 3;
}

static noreturn void be_spawner(struct ew_host host, int requests) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != host.worker) _exit(0);
  setsid(); /* the terminal's Ctrl-C is the worker's to act on */
  requests = arrange_descriptors(requests, &host.log);
  for (;;) {
    host.socket = next_socket(requests);
    /* No fork of the C library can do this; there are no threads whose locks it would have to mind. */
    long process = syscall(SYS_clone, CLONE_PARENT | SIGCHLD, NULL, NULL, NULL, NULL);
    if (process == 0) ew_host_main(&host);
    struct answer answer = {(pid_t)process, errno, ew_cpu_now()};
    close(host.socket);
    if (send(requests, &answer, sizeof answer, MSG_NOSIGNAL) != (ssize_t)sizeof answer) _exit(0);
  }
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
  if (send_request(spawner, socket))
    do got = recv(spawner->socket, &answer, sizeof answer, 0);
    while (got < 0 && errno == EINTR);
  if (got == (ssize_t)sizeof answer && answer.process > 0) {
    *process = answer.process;
    spawner->cpu = answer.cpu;
    return EW_OK;
  }
  ew_spawner_stop(spawner);
  return ew_fail(error, EW_IO, "cannot start an engine host: %s", strerror(answer.why));
}
