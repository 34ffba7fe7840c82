/* spawner.h: a small process that forks a worker's engine hosts.

   A fork costs by the memory of the process that forks: its page tables are copied, and every page it writes to next
   is a fault. A worker has much memory, and an engine may die every few tests; so the worker forks once, early, a
   process that has little, and that one makes the hosts. They are the worker's children all the same (CLONE_PARENT):
   the worker waits for them, and they die with it.

       worker ──fork──▶ spawner ──clone──▶ host        the parent of both is the worker */
#ifndef EW_ENGINE_SPAWNER_H
#define EW_ENGINE_SPAWNER_H

#include "engine/host.h"

struct ew_spawner {
  pid_t process; /* 0 where there is none */
  int socket;
  int64_t cpu; /* its CPU nanoseconds, as of its last answer */
};

/* Starts the process where there is none. `host` is what every host of it will be, but for the socket. */
enum ew_status ew_spawner_start(struct ew_spawner *spawner, const struct ew_host *host,
                                struct ew_error *error) EW_CHECKED;
void ew_spawner_stop(struct ew_spawner *spawner);

/* A new host that speaks on `socket`, which stays the caller's to close. After an error no spawner is left. */
enum ew_status ew_spawner_spawn(struct ew_spawner *spawner, int socket, pid_t *process,
                                struct ew_error *error) EW_CHECKED;

#endif
