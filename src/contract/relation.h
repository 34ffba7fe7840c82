/* relation.h: judging whether a relation holds between outcomes. One table says, for each kind of outcome, whether it lets
   rows be compared at all; only rows are ever compared with rows. */
#ifndef EW_CONTRACT_RELATION_H
#define EW_CONTRACT_RELATION_H

#include "contract/outcome.h"

enum ew_relation {
#define RELATION(name, words) EW_RELATION_##name,
#include "contract/relation.def"
#undef RELATION
  EW_RELATIONS
};

const char *ew_relation_name(enum ew_relation relation);
const char *ew_relation_words(enum ew_relation relation);

enum ew_verdict {
  EW_HOLDS,
  EW_VIOLATED,
  EW_OPEN,         /* the language leaves it undefined */
  EW_INCONCLUSIVE, /* timeout, limit, refused, expected error: no verdict on this test */
};

const char *ew_verdict_name(enum ew_verdict verdict);

/* How the columns of an answer combine under `sum`. */
enum ew_combiner {
  EW_COMBINE_BAG,   /* rows are appended: no aggregate in the query */
  EW_COMBINE_COUNT, /* one row; integers are added column by column, null counts as 0 */
};

/* What differs. Pointers are into the outcomes or the judge's arena. */
struct ew_why {
  struct ew_span text;             /* one line for people */
  struct ew_rows expected, actual; /* only rows that differ; both empty where rows are not the matter */
  size_t statement, run;           /* the run (and statement in it) that was found wrong, where one can be named */
};

struct ew_claim {
  enum ew_relation relation;
  enum ew_combiner combiner; /* of sum */
};

/* Whether the claim holds between outcomes[0 … count). */
enum ew_verdict ew_relation_judge(struct ew_claim claim, const struct ew_outcome *outcomes, size_t count,
                                  const struct ew_semantics *semantics, struct ew_arena *arena, struct ew_why *why);

#endif
