/* reduce.h: making a case smaller while it still shows the same violation.

   Most passes are generic: they change the trees of a case (scene, base, recipe) by what the node table says may stand where. A new
   node kind is reducible without new code. A reducer never edits runs: it asks whether the candidate still shows it. */
#ifndef EW_REDUCE_REDUCE_H
#define EW_REDUCE_REDUCE_H

#include <signal.h>

#include "base/deadline.h"
#include "base/map.h"
#include "contract/case.h"
#include "contract/oracle.h"

struct ew_reduction {
  struct ew_arena *arena; /* candidates are built here; not reset while a reduction runs */
  /* Whether `candidate` shows the violation. Costs engine time. */
  bool (*violates)(void *context, const struct ew_case *candidate);
  /* Whether a candidate is worth asking; NULL is the language's check, as strict as the original allows. */
  bool (*sound)(void *context, const struct ew_case *candidate);
  /* Called after each try, with the size of the best one; may be NULL. */
  void (*progress)(void *context, unsigned tries, size_t size);
  void *context;
  unsigned tries_max;
  struct ew_deadline deadline;
  const volatile sig_atomic_t *stop; /* ends it when it is set; may be NULL */

  /* Where the recipe is an oracle's: a candidate that it does not apply to costs no try, and fresh recipes can be drawn.
     `generator` may be NULL, and all of them together. */
  const struct ew_oracle *oracle;
  const struct ew_profile *profile;
  const struct ew_generator *generator;

  /* set by the reduction */
  unsigned tries;
  enum { EW_UNCHECKED, EW_CHECK_NAMES, EW_CHECK_TYPES } level; /* what the original passes, and every candidate must */
  bool fresh; /* a candidate that the recipe does not fit gets a few fresh ones */
  struct ew_case best;
  struct ew_map refused; /* hashes of candidates that were of no use: later rounds make many of them again */
};

/* The smallest case found: `reduction->best`. */
void ew_reduce(struct ew_reduction *reduction, const struct ew_case *test);

/* Nodes in all trees of a case: what is made smaller. */
size_t ew_case_size(const struct ew_case *test);

#endif
