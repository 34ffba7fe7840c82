/* oracle.h: an oracle turns a case into runs and ends with a claim about their outcomes.

   It is pure: the same case and recipe give the same runs. Composing (drawing a base query and a recipe) is apart, so that a
   stored case is judged again without any generator. */
#ifndef EW_CONTRACT_ORACLE_H
#define EW_CONTRACT_ORACLE_H

#include "base/random.h"
#include "contract/language.h"
#include "contract/relation.h"

struct ew_generator; /* generate/generate.h */

struct ew_compose {
  const struct ew_generator *generator;
  void *world; /* the scene of the case, as the generator has prepared it */
  const struct ew_profile *profile;
  struct ew_random random; /* the case's stream */
  uint64_t key;            /* what the cases of the hunt share */
  struct ew_arena *arena;
};

enum { EW_RUNS_MAX = 16 };

enum ew_step_kind {
  EW_STEP_RUN,   /* make these runs and ask again */
  EW_STEP_JUDGE, /* the test ends: judge this claim over all outcomes so far */
  EW_STEP_NONE,  /* the recipe does not apply to this case */
};

struct ew_step {
  enum ew_step_kind kind;
  const struct ew_run *runs;
  size_t run_count;
  struct ew_claim claim;
};

struct ew_oracle {
  const char *name;
  const char *summary;     /* one line */
  const char *explanation; /* what it claims, why it must hold, when it is not used; several lines */
  const char *source;      /* the paper */
  bool (*speaks)(const struct ew_language *language);

  /* Fills in base and recipe of a case whose scene is there. False: nothing this time. */
  bool (*compose)(struct ew_compose *compose, struct ew_case *test);
  /* Draws a recipe for a base that is there; false: none this time. May be NULL: a recipe has no choices. */
  bool (*recompose)(struct ew_compose *compose, struct ew_case *test);
  /* The recipe with less in it, in one of several ways counted from 0; false behind the last. May be NULL. */
  bool (*shorten)(const struct ew_case *test, size_t which, struct ew_arena *arena, struct ew_recipe *recipe);
  /* The next step of the test, given the outcomes of all runs so far. */
  struct ew_step (*next)(const struct ew_case *test, const struct ew_profile *profile,
                         const struct ew_outcome *outcomes, size_t count, struct ew_arena *arena);
};

#endif
