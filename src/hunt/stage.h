/* stage.h: an engine instance with a scene on it, and one test played there.

   Confirmation, reduction and replay play tests just as the hunt does, so they all come through here. */
#ifndef EW_HUNT_STAGE_H
#define EW_HUNT_STAGE_H

#include "contract/finding.h"
#include "contract/oracle.h"
#include "engine/instance.h"
#include "hunt/hunt.h"

struct ew_stage {
  struct ew_target target;
  const struct ew_language *language;
  struct ew_instance instance;
  int64_t limit;   /* nanoseconds for one statement */
  uint64_t loaded; /* token of the scene that is on the instance; 0 is none */
  bool untouched;  /* nothing ran on that scene since it was loaded */
  uint64_t scenes; /* loaded since the instance was started */
};

/* The adapter of that name, or NULL: those of engine/, and the model's, which has a room of its own. */
const struct ew_adapter *ew_stage_adapter(struct ew_span name);

/* What an adapter is told of a target, in `arena`: see stage.c. */
struct ew_settings ew_target_settings(const struct ew_target *target, struct ew_arena *arena);

/* Nothing is started yet. Release it also after an error. */
enum ew_status ew_stage_init(struct ew_stage *stage, const struct ew_target *target, int64_t limit,
                             struct ew_error *error) EW_CHECKED;
void ew_stage_release(struct ew_stage *stage);

/* An engine as good as new: a new process, or where the profile says that this will do ([server] fresh = reset) an empty
   one. */
enum ew_status ew_stage_renew(struct ew_stage *stage, struct ew_error *error) EW_CHECKED;

/* A new process with an empty engine. A server that does not start is tried again a few times, after longer and longer
   pauses. */
enum ew_status ew_stage_restart(struct ew_stage *stage, struct ew_error *error) EW_CHECKED;

/* A test from its first run to its verdict. */
struct ew_trial {
  enum ew_verdict verdict;
  struct ew_claim claim;
  struct ew_why why;
  bool applies;           /* false: the oracle's recipe does not fit the case */
  bool in_load;           /* the scene could not be loaded: runs[0] is the loading */
  struct ew_program load; /* what puts the scene on an engine, where that had to be done; see ew_trial_load */
  struct ew_run runs[EW_RUNS_MAX];
  struct ew_outcome outcomes[EW_RUNS_MAX];
  size_t run_count;
};

/* Plays `test` by `oracle`. The scene is loaded unless the one called `token` is on the instance already; token 0 loads always.
   A dead instance is started first; EW_MISSING or EW_GONE where it does not start. All that the trial points to is in `arena`. */
enum ew_status ew_stage_play(struct ew_stage *stage, const struct ew_case *test, const struct ew_oracle *oracle,
                             uint64_t token, struct ew_arena *arena, struct ew_trial *trial,
                             struct ew_error *error) EW_CHECKED;

/* Plays programs that ran before: each on an empty engine. What they return does not matter, unless the engine dies. */
enum ew_status ew_stage_rehearse(struct ew_stage *stage, const struct ew_program *programs, size_t count,
                                 struct ew_arena *arena, struct ew_error *error) EW_CHECKED;

/* What puts the scene of a trial's test on an empty engine; nothing where that is what the trial is about. */
struct ew_program ew_trial_load(const struct ew_trial *trial, const struct ew_case *test, const struct ew_stage *stage,
                                struct ew_arena *arena);

/* The finding that a violated trial would make; load, group, title and state are not set. */
void ew_trial_finding(const struct ew_trial *trial, const struct ew_case *test, const struct ew_oracle *oracle,
                      const struct ew_stage *stage, struct ew_arena *arena, struct ew_finding *finding);

/* Whether two findings show the same violation: one relation, and where that is `clean`, one way to fail. What was written wrong
   may now be returned wrong, which is easier to read; not the other way round. */
bool ew_finding_same(const struct ew_finding *before, const struct ew_finding *now);

#endif
