/* reduce.h: making a case smaller while it still shows the same violation.

   The passes are generic: they change the trees of a case (scene, base, recipe) by what the node table says may stand where. A new
   node kind is reducible without new code. A reducer never edits runs: it asks whether the candidate still shows it. */
#ifndef EW_REDUCE_REDUCE_H
#define EW_REDUCE_REDUCE_H

#include "base/deadline.h"
#include "base/map.h"
#include "contract/case.h"

struct ew_reduction {
  struct ew_arena *arena; /* candidates are built here; not reset while a reduction runs */
  /* Whether `candidate` shows the violation. Costs engine time. */
  bool (*violates)(void *context, const struct ew_case *candidate);
  /* Called after each try, with the size of the best one; may be NULL. */
  void (*progress)(void *context, unsigned tries, size_t size);
  void *context;
  unsigned tries_max;
  struct ew_deadline deadline;

  /* set by the reduction */
  unsigned tries;
  bool strict; /* the original is well typed, so every candidate must be */
  struct ew_case best;
  struct ew_map refused; /* hashes of candidates that were of no use: later rounds make many of them again */
};

/* The smallest case found: `reduction->best`. */
void ew_reduce(struct ew_reduction *reduction, const struct ew_case *test);

/* Nodes in all trees of a case: what is made smaller. */
size_t ew_case_size(const struct ew_case *test);

#endif
