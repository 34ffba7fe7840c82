/* partition.c: the rows of a query are those for which a predicate is true, false and unknown, together.

   Recipe: trees[0] is the predicate. The language says where it goes and whether its base can be partitioned at all. */
#include "oracle/oracles.h"

static bool speaks(const struct ew_language *language) { return language->partition != NULL; }

static bool recompose(struct ew_compose *compose, struct ew_case *test) {
  struct ew_builder builder = ew_builder_for(compose->arena, test->base);
  enum ew_combiner combiner;
  if (!test->language->partition->combiner(test->base, &combiner)) return false;
  struct ew_draw draw = ew_oracle_draw(compose, test, EW_PURPOSE_PARTITION, &builder);
  const struct ew_node *predicate = compose->generator->predicate(compose->world, &draw, test->base);
  if (!predicate) return false;
  test->recipe.trees = ew_list_of(&builder, &predicate, 1);
  return true;
}

static bool compose(struct ew_compose *compose, struct ew_case *test) {
  struct ew_builder builder = {compose->arena, 1};
  struct ew_draw draw = ew_oracle_draw(compose, test, EW_PURPOSE_PARTITION, &builder);
  test->base = compose->generator->base(compose->world, &draw);
  return test->base && recompose(compose, test);
}

static struct ew_step next(const struct ew_case *test, const struct ew_profile *profile,
                           const struct ew_outcome *outcomes, size_t count, struct ew_arena *arena) {
  const struct ew_partition_words *words = test->language->partition;
  enum ew_combiner combiner;
  (void)outcomes;
  if (test->recipe.trees.count != 1 || !words->combiner(test->base, &combiner)) return ew_oracle_none();
  if (count) {
    struct ew_claim claim = {.relation = EW_RELATION_sum, .combiner = combiner};
    return (struct ew_step){.kind = EW_STEP_JUDGE, .claim = claim};
  }
  struct ew_run *runs = EW_NEW_ARRAY(arena, struct ew_run, 1 + words->parts);
  struct ew_builder builder = ew_builder_for(arena, test->base);
  runs[0] = ew_oracle_ask(arena, test, profile, test->base);
  for (unsigned part = 0; part < words->parts; part++) {
    const struct ew_node *query =
        words->restrict_to(&builder, test->base, test->recipe.trees.items[0], (enum ew_part)part);
    if (!query) return ew_oracle_none();
    runs[1 + part] = ew_oracle_ask(arena, test, profile, query);
  }
  return (struct ew_step){.kind = EW_STEP_RUN, .runs = runs, .run_count = 1 + words->parts};
}

const struct ew_oracle ew_oracle_partition = {
    .name = "partition",
    .summary = "Q returns what Q with p, with NOT p and with p IS NULL return together",
    .explanation =
        "Takes a query Q and a predicate p over the variables that reach its last projection. For every row p is true, "
        "false or\n"
        "unknown, so the bags of rows of `Q where p`, `Q where NOT p` and `Q where p IS NULL` add up to that of Q; "
        "counts add up\n"
        "as numbers.\n"
        "Not used where that does not follow: under DISTINCT, LIMIT, other aggregates, random functions, and in "
        "OPTIONAL\n"
        "MATCH's own WHERE (there the predicate goes behind a WITH *). A run that ends in any error gives no verdict "
        "on rows.",
    .source = "GDBMeter, 3.4 (after ternary logic partitioning)",
    .speaks = speaks,
    .compose = compose,
    .recompose = recompose,
    .next = next,
};
