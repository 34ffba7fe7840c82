/* survive.c: one deep query, and nothing more is asked than that the engine lives and does not fail for no reason.

   The case of every crash, hang and unexpected error that any oracle meets is turned into one of this oracle, with the very
   query that showed it as base. */
#include "oracle/oracles.h"

static bool speaks(const struct ew_language *language) {
  (void)language;
  return true;
}

static bool compose(struct ew_compose *compose, struct ew_case *test) {
  struct ew_builder builder = {compose->arena, 1};
  struct ew_draw draw = ew_oracle_draw(compose, test, EW_PURPOSE_ANY, &builder);
  test->base = compose->generator->base(compose->world, &draw);
  return test->base != NULL;
}

static struct ew_step next(const struct ew_case *test, const struct ew_profile *profile,
                           const struct ew_outcome *outcomes, size_t count, struct ew_arena *arena) {
  (void)outcomes;
  if (count) return (struct ew_step){.kind = EW_STEP_JUDGE, .claim = {.relation = EW_RELATION_clean}};
  struct ew_run *run = EW_NEW(arena, struct ew_run);
  *run = ew_oracle_ask(arena, test, profile, test->base);
  return (struct ew_step){.kind = EW_STEP_RUN, .runs = run, .run_count = 1};
}

const struct ew_oracle ew_oracle_survive = {
    .name = "survive",
    .summary = "a deep, valid query must not crash, hang or fail without a reason in it",
    .explanation =
        "Runs one statement and looks at how it ended, not at its rows.\n"
        "A violation is a crash, a hang that had to be killed, a broken connection, an answer that cannot be decoded, "
        "or an\n"
        "error that the engine's profile does not explain: not one for a construct the engine does not have (refused), "
        "and\n"
        "not a run-time error with a reason in the query (expected). Leaked SQL, failed assertions and 'internal "
        "error' are.\n"
        "A query that a deadline stopped is no violation.",
    .source = "Dinkel",
    .speaks = speaks,
    .compose = compose,
    .next = next,
};
