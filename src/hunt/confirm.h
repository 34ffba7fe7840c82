/* confirm.h: a violation becomes a finding only if it shows again on a clean instance, or with the instance's history. */
#ifndef EW_HUNT_CONFIRM_H
#define EW_HUNT_CONFIRM_H

#include "hunt/case_source.h"
#include "hunt/stage.h"

/* What ran on an instance since its clean start: cases by number, which their source makes again. */
struct ew_history {
  const uint64_t *numbers; /* ascending within a scene */
  size_t count;
};

/* Plays the finding's case on new instances, three times; if it does not show, the history first and then the case. Sets the
   finding's state, and its outcomes and history from the replay that showed it. `stage` is used up: its instance is renewed.
   `source` may be NULL where there is no history. */
enum ew_status ew_confirm(struct ew_stage *stage, const struct ew_oracle *oracle, struct ew_case_source *source,
                          struct ew_history history, struct ew_arena *arena, struct ew_finding *finding,
                          struct ew_error *error) EW_CHECKED;

/* Plays it once on a new instance, with the finding's stored history; `*seen`: the same violation. Where it is seen, the
   finding's runs, outcomes and reason are those of this replay. */
enum ew_status ew_confirm_once(struct ew_stage *stage, const struct ew_oracle *oracle, struct ew_arena *arena,
                               struct ew_finding *finding, bool *seen, struct ew_error *error) EW_CHECKED;

#endif
