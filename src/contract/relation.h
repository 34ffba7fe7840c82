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

/* In which way a claim of exactness is violated. */
enum ew_aspect {
#define ASPECT(name, words) EW_ASPECT_##name,
#include "contract/aspect.def"
#undef ASPECT
  EW_ASPECTS
};

const char *ew_aspect_name(enum ew_aspect aspect);
const char *ew_aspect_words(enum ew_aspect aspect);

/* What differs. Pointers are into the outcomes or the judge's arena. */
struct ew_why {
  struct ew_span text;             /* one line for people */
  struct ew_rows expected, actual; /* only rows that differ; both empty where rows are not the matter */
  enum ew_aspect aspect;
  size_t statement, run; /* the run (and statement in it) that was found wrong, where one can be named */
};

/* What one statement must come to, as far as that is certain. */
enum ew_expectation_kind {
  EW_EXPECT_ANYTHING,
  EW_EXPECT_ROWS,
  EW_EXPECT_ERROR,
};

/* What may be different in a column, and right all the same: bits. */
enum ew_allowance {
  EW_ALLOW_ORDER = 1,      /* the order of a list's own items */
  EW_ALLOW_DEEP_ORDER = 2, /* the order of items in lists within the value */
  EW_ALLOW_NUMBERS = 4,    /* 1 for 1.0, and 0.0 for -0.0, at any depth */
  EW_ALLOW_ANY = 8,        /* any value */
};

/* Some of the rows, one after the other in the table: of `count`, just `take` come, whichever. */
struct ew_tier {
  size_t count, take;
};

/* ROWS: the answer is `rows`. With tiers it is made of rows from each of them, and all of `rows` are in a tier; the
   tiers come in this order where `ordered`. Without tiers all rows come, in their order where `ordered`. */
struct ew_expectation {
  enum ew_expectation_kind kind;
  struct ew_rows rows; /* elements are compared by what they are made of */
  bool ordered;
  const struct ew_tier *tiers;
  size_t tier_count;
  const unsigned *allowances; /* for each column; NULL: none */
  bool cannot_fail;           /* nothing in the statement can: any error is a wrong one */
  bool reads_state;           /* it was added to see what the others did */
  struct ew_span error;       /* of ERROR: in words */
};

struct ew_claim {
  enum ew_relation relation;
  enum ew_combiner combiner; /* of sum */
  const struct ew_expectation
      *expected; /* of exact: for each statement of the one run; the first that differs decides */
  size_t expected_count;
};

/* Whether an answer is one of those that are expected (of kind ROWS); else `why` has aspect, text and rows.
   INCONCLUSIVE where floats that are only nearly the same leave it open in which order lists are to be compared. */
enum ew_verdict ew_expectation_judge(const struct ew_expectation *expected, const struct ew_rows *rows,
                                     const struct ew_semantics *semantics, struct ew_arena *arena, struct ew_why *why);

/* Whether the claim holds between outcomes[0 … count). */
enum ew_verdict ew_relation_judge(struct ew_claim claim, const struct ew_outcome *outcomes, size_t count,
                                  const struct ew_semantics *semantics, struct ew_arena *arena, struct ew_why *why);

#endif
