/* watcher.h: the process that stands between a host and its server (server.h), and what the two say to each other.

   Requests are one byte each; the watcher answers START and OUTPUT, and says ENDED unasked, once for each start. */
#ifndef EW_ENGINE_WATCHER_H
#define EW_ENGINE_WATCHER_H

#include <stdint.h>
#include <stdnoreturn.h>
#include <sys/types.h>

enum { EW_WATCHER_OUTPUT = 128 * 1024 /* bytes of the server's output that are kept in memory */ };

enum ew_watcher_request {
  EW_WATCHER_START = 'S',
  EW_WATCHER_KILL = 'K',
  EW_WATCHER_TERMINATE = 'T', /* asks it to end; what that comes to is seen by ENDED */
  EW_WATCHER_TELL = 'O',      /* the output, please */
  EW_WATCHER_QUIT = 'Q',      /* ends everything, removes the folder */
};

struct ew_watcher_notice {
  char kind;       /* EW_WATCHER_START, EW_WATCHER_TELL, or EW_WATCHER_ENDED */
  int status;      /* of ENDED: as of wait(); of START: errno where it did not start, else 0 */
  pid_t process;   /* of START */
  uint32_t length; /* of TELL: bytes that follow */
};
enum { EW_WATCHER_ENDED = 'E' };

struct ew_watcher {
  char *const *command, *const *environment;
  const char *folder;                /* the server's; it is removed at the end */
  const char *log;                   /* a file for its output, or NULL */
  uint64_t memory_limit, file_limit; /* bytes; 0 is none */
  int socket;
};

/* Called in the child of the host; ends with the process. */
noreturn void ew_watcher_main(const struct ew_watcher *watcher);

#endif
