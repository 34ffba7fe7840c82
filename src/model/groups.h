/* groups.h: rows by equivalence: for DISTINCT, UNION and grouping. For this room only. */
#ifndef EW_MODEL_GROUPS_H
#define EW_MODEL_GROUPS_H

#include "model/run.h"

/* What they are for: plants ask. */
enum ew_groups_use { EW_GROUPS_OTHER, EW_GROUPS_DISTINCT, EW_GROUPS_UNION };

struct ew_groups {
  enum ew_groups_use use;
  size_t width;                            /* values in a key */
  size_t count;                            /* groups so far */
  EW_VECTOR(const struct ew_value *) keys; /* of each group, borrowed */
  EW_VECTOR(uint64_t) hashes;
  uint32_t *slots; /* 0 is empty, else 1 + group */
  size_t slot_count;
};

/* The group of `key`, which must stay where it is when it is fresh. Notes what is open where equal keys look
   different. */
size_t ew_groups_add(struct ew_execution *run, struct ew_groups *groups, const struct ew_value *key, bool *fresh);

/* Of two equivalent values: whether one can be told from the other, as 1 from 1.0, or 0.0 from -0.0. */
bool ew_looks_different(struct ew_value a, struct ew_value b, const struct ew_semantics *semantics);

#endif
