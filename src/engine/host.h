/* host.h: the process that an engine lives in. A worker starts it (instance.h, spawner.h); it answers the messages of wire.h.

   What may go wrong in an engine stays in here: the process has its own session, limits on memory and file size,
   nothing on its descriptors but the socket and its log, and it dies with its worker. Settings that the host itself
   reads:

       memory_limit   MiB of address space, 0 for none; 4096 where it is not given
       file_limit     MiB that any file may grow to; 256 where it is not given
       log            a file for what the engine writes to standard error; in memory where it is not given
       recorder       a file for the recorder (recorder.h); in memory where it is not given */
#ifndef EW_ENGINE_HOST_H
#define EW_ENGINE_HOST_H

#include <stdnoreturn.h>
#include <sys/types.h>

#include "contract/engine.h"
#include "engine/recorder.h"

/* Last words are cut to none when the log has grown beyond this between two messages. */
enum { EW_HOST_LOG_MAX = 1 << 20 };

/* The descriptor of the socket in the host. */
enum { EW_HOST_SOCKET = 3 };

struct ew_host {
  const struct ew_adapter *adapter;
  struct ew_recorder *recorder;
  int socket, log; /* log: what becomes standard error */
  pid_t worker;
};

/* Called in the child; ends with the process. */
noreturn void ew_host_main(const struct ew_host *host);

#endif
