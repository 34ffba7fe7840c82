/* retest.h: a stored finding on another version of its engine. */
#ifndef EW_HUNT_RETEST_H
#define EW_HUNT_RETEST_H

#include "hunt/hunt.h"

enum ew_retest {
  EW_RETEST_HOLDS,   /* the same violation */
  EW_RETEST_CHANGED, /* another one: another error, a crash instead of an error */
  EW_RETEST_GONE,    /* what must hold does */
  EW_RETEST_UNCLEAR, /* no verdict: the version refuses the query or its data, or runs out of time */
};
const char *ew_retest_name(enum ew_retest result);

struct ew_retested {
  enum ew_retest result;
  struct ew_span words; /* of CHANGED and UNCLEAR: what it does now, in one line */
};

/* Plays the finding's case once on a clean instance of `target`; the finding stays as it is. EW_MISSING where the engine
   cannot be started. */
enum ew_status ew_finding_retest(struct ew_arena *arena, const struct ew_target *target, int64_t statement_time,
                                 const struct ew_finding *finding, struct ew_retested *retested,
                                 struct ew_error *error) EW_CHECKED;

#endif
