/* admissible.h: which answers are right where the language leaves something open.

   The form of all right answers is a struct ew_expectation (contract/relation.h): exactly these rows; or rows in tiers, of
   which the first and the last may be cut anywhere (`any 2 of these 5 rows`); in each column the order of lists, or 1 for
   1.0, or the value itself, may be left open; or anything at all, with the reason. An answer outside of it is wrong for
   certain: the form rests on the statement's tree, on what the run found open at which node (flow.h), and on the keys by
   which rows were sorted. Nothing rests on trying some orders of rows, but for one thing: that what a statement writes does
   not depend on the order of rows is only sampled (ew_model_run_permuted). */
#ifndef EW_MODEL_ADMISSIBLE_H
#define EW_MODEL_ADMISSIBLE_H

#include "contract/relation.h"
#include "model/model.h"

struct ew_admissible {
  struct ew_expectation expected; /* of kind ROWS or ANYTHING; rows are borrowed from the result */
  const char *why;                /* of ANYTHING */
  bool state_is_certain;          /* what the statement leaves behind does not depend on what is open */
};

/* Of a result without an error. */
struct ew_admissible ew_admissible_of(struct ew_arena *arena, const struct ew_model_result *result);

/* In words: "any 2 of these 5 rows; l in any order of its items". */
struct ew_span ew_admissible_words(struct ew_arena *arena, const struct ew_admissible *admissible);

#endif
