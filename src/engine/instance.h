/* instance.h: one engine as a worker sees it: a host process that is started, asked, and survived.

   An instance is dead before its start, after a crash, a hang, a lost connection or bytes that cannot be decoded,
   and after `_stop`. What happened is in the outcomes; `_restart` gives an empty engine in a new process. */
#ifndef EW_ENGINE_INSTANCE_H
#define EW_ENGINE_INSTANCE_H

#include <sys/types.h>

#include "base/arena.h"
#include "base/text.h"
#include "contract/engine.h"
#include "engine/recorder.h"
#include "engine/spawner.h"

/* How long an engine may overrun its statement's limit before it counts as hanging. */
#define EW_INSTANCE_GRACE (500 * EW_MILLISECOND)

struct ew_instance_counters {
  uint64_t starts, crashes, hangs, statements;
  int64_t engine_nanoseconds; /* between send and last byte */
  int64_t ended_cpu;          /* CPU nanoseconds of hosts that have ended */
  int64_t live_cpu;           /* of the one that runs, as of its last answer */
};

struct ew_instance {
  const struct ew_adapter *adapter;
  struct ew_settings settings; /* a copy */
  struct ew_arena arena;       /* of settings */
  struct ew_recorder recorder;
  struct ew_spawner spawner;
  pid_t process; /* 0 where it is dead */
  int socket, process_file, log;
  int64_t timeout; /* the socket's, in nanoseconds */
  int64_t grace;   /* EW_INSTANCE_GRACE, or what its user wants instead */
  struct ew_text in, out;
  size_t taken; /* bytes of `in` that are handled */
  struct ew_text version;
  struct ew_instance_counters counters;
};

/* Nothing runs yet. Settings are copied. Release it also after an error. */
enum ew_status ew_instance_init(struct ew_instance *instance, const struct ew_adapter *adapter,
                                const struct ew_settings *settings, struct ew_error *error) EW_CHECKED;
/* Ends the host too. */
void ew_instance_release(struct ew_instance *instance);

/* A new host with an empty engine. EW_MISSING where the engine's library is not there, EW_GONE where it died at
   once. */
enum ew_status ew_instance_start(struct ew_instance *instance, struct ew_error *error) EW_CHECKED;
/* Ends the host in good order where it lets itself be ended, and in any case. */
void ew_instance_stop(struct ew_instance *instance);
enum ew_status ew_instance_restart(struct ew_instance *instance, struct ew_error *error) EW_CHECKED;

static inline bool ew_instance_alive(const struct ew_instance *instance) { return instance->process != 0; }
/* The engine's own word for its version; empty before the first start. */
static inline struct ew_span ew_instance_version(const struct ew_instance *instance) {
  return ew_text_span(&instance->version);
}
/* CPU nanoseconds of all its hosts. */
static inline int64_t ew_instance_cpu(const struct ew_instance *instance) {
  return instance->counters.ended_cpu + instance->counters.live_cpu;
}

/* Of the processes that start them. */
static inline int64_t ew_instance_own_cpu(const struct ew_instance *instance) { return instance->spawner.cpu; }

/* Makes the engine empty again. The outcome is ROWS where that worked. After an ERROR the host is ended: it cannot
   be trusted; an engine may also crash here because of what an earlier statement did. */
void ew_instance_reset(struct ew_instance *instance, int64_t limit, struct ew_arena *arena,
                       struct ew_statement_outcome *outcome);

struct ew_batch {
  struct ew_program program;
  const struct ew_option *options;
  size_t option_count;
  int64_t limit; /* nanoseconds for each statement */
  bool stop;     /* at the first statement that does not end in rows */
};

/* Runs the statements in order; one outcome for each, in `arena`. On a dead instance the first is LOST. */
struct ew_outcome ew_instance_run(struct ew_instance *instance, const struct ew_batch *batch, struct ew_arena *arena);
/* Asks for the plans of the statements instead. */
struct ew_outcome ew_instance_explain(struct ew_instance *instance, const struct ew_batch *batch,
                                      struct ew_arena *arena);

#endif
