/* fingerprint.h: which violations are likely one bug.

   A crash goes by its signal and top frames, an error by its text with names and numbers taken out, a wrong answer by oracle,
   relation and shape: of the query, of what was done before it unless that only makes data, and of the oracle's choices. The
   first two are known before reduction, so a storm of one bug costs little. */
#ifndef EW_HUNT_FINGERPRINT_H
#define EW_HUNT_FINGERPRINT_H

#include "contract/finding.h"

struct ew_fingerprint {
  uint64_t group;
  struct ew_span text; /* what it was made of, for people */
};

/* From what the finding's outcomes and case say now. */
struct ew_fingerprint ew_fingerprint(struct ew_arena *arena, const struct ew_finding *finding);

/* Whether it does not depend on the case's shape: then it is the same before and after reduction. */
bool ew_fingerprint_is_final(const struct ew_finding *finding);

/* An error's text with quoted parts, numbers and addresses replaced. */
void ew_fingerprint_normalise(struct ew_text *text, struct ew_span error);

#endif
