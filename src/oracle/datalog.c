/* datalog.c: the oracle of queryFuzz: a program, and the same program after steps that have a known effect on what it
   derives.

   Recipe: the steps one after the other. Of each: the hash of its name, how many numbers and how many trees are its
   own, and those numbers; its trees stand in `trees`, in the same order. Names and not positions in the language's
   table, so that a stored case outlives changes of the table. A step that applies no more (its rule was reduced away)
   is left out; a case in which none applies has no test. */
#include "base/hash.h"
#include "base/vector.h"
#include "oracle/oracles.h"

enum { STEPS_MAX = 3, STEP_NAME = 0, STEP_NUMBERS, STEP_TREES, STEP_HEADER };

/* Small enough for every reader of JSON. */
static int64_t step_key(const struct ew_rule_step *step) {
  return (int64_t)(ew_hash_span(ew_span_of(step->name), 0) & 0xffffffffu);
}

static const struct ew_rule_step *find_step(const struct ew_language *language, int64_t key) {
  for (const struct ew_rule_step *const *step = language->steps; *step; step++)
    if (step_key(*step) == key) return *step;
  return NULL;
}

static bool speaks(const struct ew_language *language) { return language->steps && language->steps[0]; }

/* Whether a step of one direction may follow others: widening and narrowing together say nothing. */
static bool directions_agree(int so_far, int next) { return !so_far || !next || so_far == next; }

/* ---- composing ---- */

struct recorder {
  EW_VECTOR(int64_t) numbers;
  EW_VECTOR(const struct ew_node *) trees;
  int direction;
};

static void record(struct ew_arena *arena, struct recorder *recorder, const struct ew_rule_step *step,
                   const struct ew_recipe *recipe) {
  *ew_arena_vector_push(arena, &recorder->numbers) = step_key(step);
  *ew_arena_vector_push(arena, &recorder->numbers) = (int64_t)recipe->number_count;
  *ew_arena_vector_push(arena, &recorder->numbers) = (int64_t)recipe->trees.count;
  for (size_t i = 0; i < recipe->number_count; i++)
    *ew_arena_vector_push(arena, &recorder->numbers) = recipe->numbers[i];
  for (size_t i = 0; i < recipe->trees.count; i++)
    *ew_arena_vector_push(arena, &recorder->trees) = recipe->trees.items[i];
  if (step->direction) recorder->direction = step->direction;
}

static const struct ew_rule_step *draw_step(const struct ew_language *language, struct ew_random *random) {
  uint32_t count = 0;
  while (language->steps[count]) count++;
  return language->steps[ew_random_below(random, count)];
}

static bool recompose(struct ew_compose *compose, struct ew_case *test) {
  struct ew_random *random = &compose->random;
  struct recorder recorder = {0};
  /* The builder that `next` will have: what a step adds must get the same ids there. */
  struct ew_builder builder = ew_builder_for(compose->arena, test->base);
  const struct ew_node *program = test->base;
  for (uint32_t left = 1 + ew_random_below(random, STEPS_MAX); left; left--) {
    const struct ew_rule_step *step = draw_step(test->language, random);
    struct ew_recipe recipe = {0};
    if (!directions_agree(recorder.direction, step->direction) || !step->choose(&builder, program, random, &recipe))
      continue;
    const struct ew_node *changed = step->apply(&builder, program, &recipe);
    if (!changed) continue;
    program = changed;
    record(compose->arena, &recorder, step, &recipe);
  }
  test->recipe = (struct ew_recipe){.trees = {recorder.trees.items, recorder.trees.count},
                                    .numbers = recorder.numbers.items,
                                    .number_count = recorder.numbers.count};
  return recorder.numbers.count > 0;
}

static bool compose(struct ew_compose *compose, struct ew_case *test) {
  struct ew_builder builder = {compose->arena, 1};
  struct ew_draw draw = ew_oracle_draw(compose, test, EW_PURPOSE_ANY, &builder);
  test->base = compose->generator->base(compose->world, &draw);
  return test->base && recompose(compose, test);
}

/* ---- the test ---- */

/* Cuts the next step off `rest` into `own`; false at the end, and where the numbers are no recipe of ours. */
static bool next_step(struct ew_recipe *rest, int64_t *key, struct ew_recipe *own) {
  if (rest->number_count < STEP_HEADER) return false;
  int64_t numbers = rest->numbers[STEP_NUMBERS], trees = rest->numbers[STEP_TREES];
  size_t numbers_left = rest->number_count - STEP_HEADER;
  if (numbers < 0 || (uint64_t)numbers > numbers_left || trees < 0 || (uint64_t)trees > rest->trees.count) return false;
  *key = rest->numbers[STEP_NAME];
  *own = (struct ew_recipe){.numbers = rest->numbers + STEP_HEADER,
                            .number_count = (size_t)numbers,
                            .trees = {rest->trees.items, (size_t)trees}};
  rest->numbers += STEP_HEADER + numbers;
  rest->number_count = numbers_left - (size_t)numbers;
  if (trees) rest->trees.items += trees;
  rest->trees.count -= (size_t)trees;
  return true;
}

/* The recipe without one of its steps. */
static bool shorten(const struct ew_case *test, size_t which, struct ew_arena *arena, struct ew_recipe *recipe) {
  struct ew_recipe rest = test->recipe, own;
  struct recorder recorder = {0};
  int64_t key;
  bool found = false;
  for (size_t i = 0; next_step(&rest, &key, &own); i++) {
    const struct ew_rule_step *step = find_step(test->language, key);
    if (i == which)
      found = true;
    else if (step)
      record(arena, &recorder, step, &own);
  }
  *recipe = (struct ew_recipe){.trees = {recorder.trees.items, recorder.trees.count},
                               .numbers = recorder.numbers.items,
                               .number_count = recorder.numbers.count};
  return found;
}

/* The program after all recorded steps; NULL where none applies. */
static const struct ew_node *transformed(const struct ew_case *test, struct ew_arena *arena, int *direction) {
  struct ew_builder builder = ew_builder_for(arena, test->base);
  const struct ew_node *program = test->base;
  struct ew_recipe rest = test->recipe, own;
  int64_t key;
  *direction = 0;
  while (next_step(&rest, &key, &own)) {
    const struct ew_rule_step *step = find_step(test->language, key);
    if (!step || !directions_agree(*direction, step->direction)) return NULL;
    const struct ew_node *changed = step->apply(&builder, program, &own);
    if (!changed) continue;
    program = changed;
    if (step->direction) *direction = step->direction;
  }
  return program == test->base ? NULL : program;
}

static struct ew_step next(const struct ew_case *test, const struct ew_profile *profile,
                           const struct ew_outcome *outcomes, size_t count, struct ew_arena *arena) {
  int direction;
  const struct ew_node *changed = transformed(test, arena, &direction);
  (void)outcomes;
  if (!changed) return ew_oracle_none();
  if (count) {
    enum ew_relation relation = direction > 0   ? EW_RELATION_subset
                                : direction < 0 ? EW_RELATION_superset
                                                : EW_RELATION_same;
    return (struct ew_step){.kind = EW_STEP_JUDGE, .claim.relation = relation};
  }
  struct ew_run *runs = EW_NEW_ARRAY(arena, struct ew_run, 2);
  runs[0] = ew_oracle_ask(arena, test, profile, test->base);
  runs[1] = ew_oracle_ask(arena, test, profile, changed);
  return (struct ew_step){.kind = EW_STEP_RUN, .runs = runs, .run_count = 2};
}

const struct ew_oracle ew_oracle_datalog = {
    .name = "datalog",
    .summary = "a Datalog program derives the same tuples after a change that cannot matter",
    .explanation =
        "Runs a program P, and P' = P after one to three steps on its rules, and compares all output relations.\n"
        "\n"
        "addEQ   copies a positive atom of a rule's body, up to three times, and puts fresh variables, each used\n"
        "        once, in some places of the copies:\n"
        "            p(x) :- e(x, y), e(y, x).      becomes      p(x) :- e(x, y), e(y, x), e(f0, x).\n"
        "        Whatever makes the atom true makes a copy true, and nothing else sees the fresh variables. So the\n"
        "        rule derives the same tuples from any relations, and the program has the same fixpoint, recursive or\n"
        "        not.\n"
        "\n"
        "Claim: `same`, the outputs of P and of P' hold the same tuples. Engines fail here in what they do to joins:\n"
        "dropping atoms they think redundant, merging columns, ordering joins, magic sets, inlining.\n"
        "\n"
        "Not used on negated atoms: a copy there with a fresh variable asks for more than the atom did. A program\n"
        "that runs into the time limit, or that the engine refuses, gives no verdict.",
    .source = "Mansur, Christakis, Wüstholz: Metamorphic Testing of Datalog Engines, ESEC/FSE 2021 (queryFuzz)",
    .speaks = speaks,
    .compose = compose,
    .recompose = recompose,
    .shorten = shorten,
    .next = next,
};
