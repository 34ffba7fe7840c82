/* worker.h: a worker process: makes cases, plays them, and turns violations into findings. */
#ifndef EW_HUNT_WORKER_H
#define EW_HUNT_WORKER_H

#include <stdatomic.h>

#include "hunt/hunt.h"

/* Shared by the supervisor and all workers. */
struct ew_hunt_shared {
  _Atomic uint64_t next_scene;
  _Atomic bool stop;       /* no more tests; what is under way is finished */
  struct ew_stats stats[]; /* one per worker */
};

/* Runs until there is nothing more to do; the exit code of the process. */
int ew_worker_main(const struct ew_hunt_options *options, struct ew_hunt_shared *shared, unsigned number, int socket);

#endif
