/* reduce_finding.h: a finding made smaller: its case is shrunk on an engine as long as it is violated in the same way, and what is
   left is replayed on a clean one. Workers do it with every new finding, `edgewise reduce` with a stored one. */
#ifndef EW_HUNT_REDUCE_FINDING_H
#define EW_HUNT_REDUCE_FINDING_H

#include <signal.h>

#include "hunt/stage.h"

struct ew_reduce_options {
  unsigned tries; /* at most */
  int64_t time;   /* at most, in nanoseconds; the last replay comes on top */
  void (*progress)(void *context, unsigned tries, size_t size); /* nodes that are left; may be NULL */
  void *context;
  const volatile sig_atomic_t *stop; /* may be NULL */
};

enum { EW_REDUCE_TRIES = 5000 };

/* Where the smaller case shows the same violation on a clean engine, the finding is that case with the outcomes of that replay,
   and `reduced`; else it stays as it was. Tries, time and bytes are set in both cases, its group and title in none. `stage` is used
   up: its instance is renewed. EW_MISSING or EW_GONE where the engine does not start. */
enum ew_status ew_finding_reduce(struct ew_stage *stage, const struct ew_oracle *oracle, struct ew_arena *arena,
                                 const struct ew_reduce_options *options, struct ew_finding *finding,
                                 struct ew_error *error) EW_CHECKED;

/* Sets group, shape and title from the case as it is now. */
void ew_finding_label(struct ew_arena *arena, const struct ew_profile *profile, struct ew_finding *finding);

/* Of what must be sent to see it: history, data, and the base. */
size_t ew_finding_script_bytes(const struct ew_finding *finding);

#endif
