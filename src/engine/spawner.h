/* spawner.h: a small process that forks a worker's engine hosts.

   A fork costs by the memory of the process that forks: its page tables are copied, and every page it writes to next
   is a fault. A worker has much memory, and an engine may die every few tests; so the worker forks once, early, a
   process that has little, and that one makes the hosts. They are the worker's children all the same (CLONE_PARENT):
   the worker waits for them, and they die with it.

       worker ──fork, exec──▶ spawner ──clone──▶ host        the parent of both is the worker

   The spawner is the program started anew, with a fixed command line and environment: whether an engine that corrupts its
   heap dies, and where, must not depend on what the worker did before. */
#ifndef EW_ENGINE_SPAWNER_H
#define EW_ENGINE_SPAWNER_H

#include "engine/host.h"

struct ew_spawner {
  pid_t process; /* 0 where there is none */
  int socket;
  int64_t cpu; /* its CPU nanoseconds, as of its last answer */
};

/* The first argument of a program that is to be a spawner. A program that calls `ew_spawner_main` for it says so once, early;
   without that (in tests) a spawner is only forked. */
#define EW_SPAWNER_WORD "--be-the-spawner"
void ew_spawner_by_exec(void);
noreturn void ew_spawner_main(int count, char **strings, const struct ew_adapter *(*find)(struct ew_span name));

/* Starts the process where there is none. `host` is what every host of it will be, but for the socket. */
enum ew_status ew_spawner_start(struct ew_spawner *spawner, const struct ew_host *host,
                                struct ew_error *error) EW_CHECKED;
void ew_spawner_stop(struct ew_spawner *spawner);

/* A new host that speaks on `socket`, which stays the caller's to close. After an error no spawner is left. */
enum ew_status ew_spawner_spawn(struct ew_spawner *spawner, int socket, pid_t *process,
                                struct ew_error *error) EW_CHECKED;

#endif
