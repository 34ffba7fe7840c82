/* model.c: the reference engine knows what a statement must return and what it must leave behind.

   Recipe: none. The base, a statement or a script, is run on the engine and behind it, if it writes, statements that read
   all data back. The model runs the same on its own graph and says which answers are right (model/admissible.h); nothing is
   compared behind a statement whose effect is open. */
#include "base/hash.h"
#include "model/admissible.h"
#include "model/execute.h"
#include "oracle/oracles.h"

enum { OPEN_EVERY = 4 };

static const struct ew_model_limits limits = {.steps = 1000000, .rows = 50000, .bytes = 64 << 20};

static bool speaks(const struct ew_language *language) {
  return language->state && strcmp(language->name, "cypher") == 0;
}

static bool compose(struct ew_compose *compose, struct ew_case *test) {
  struct ew_builder builder = {compose->arena, 1};
  /* Some of the statements are open in what they return: LIMIT without an order, lists that are collected. */
  enum ew_purpose purpose = test->key.number % OPEN_EVERY ? EW_PURPOSE_EXACT : EW_PURPOSE_ANY;
  struct ew_draw draw = ew_oracle_draw(compose, test, purpose, &builder);
  test->base = compose->generator->base(compose->world, &draw);
  return test->base != NULL;
}

/* ---- one statement on the model ---- */

struct rehearsal {
  struct ew_model *model;
  const struct ew_profile *profile;
  struct ew_arena *arena;
};

static struct ew_model_options options_of(const struct rehearsal *rehearsal, const struct ew_statement *statement) {
  return (struct ew_model_options){.semantics = &rehearsal->profile->semantics,
                                   .limits = &limits,
                                   .parameters = statement->parameters,
                                   .parameter_count = statement->parameter_count};
}

static struct ew_rows keep_rows(struct ew_arena *arena, const struct ew_rows *rows) {
  struct ew_value *values = EW_NEW_ARRAY(arena, struct ew_value, rows->row_count * rows->column_count);
  for (size_t i = 0; i < rows->row_count * rows->column_count; i++) values[i] = ew_value_copy(arena, rows->values[i]);
  return (struct ew_rows){rows->columns, rows->column_count, values, rows->row_count};
}

/* False where it is not known what the engine's data is afterwards. */
static bool expect_error(const struct rehearsal *rehearsal, const struct ew_query_error *error,
                         struct ew_expectation *expected) {
  struct ew_span text = ew_arena_format(rehearsal->arena, "%s: %s: %s", error->type, error->detail, error->text);
  if (!ew_profile_raises(rehearsal->profile, text)) return false;
  *expected = (struct ew_expectation){.kind = EW_EXPECT_ERROR, .error = text};
  return true;
}

static bool is_ours(enum ew_fault fault) {
  return fault == EW_FAULT_LIMIT || fault == EW_FAULT_UNSUPPORTED || fault == EW_FAULT_NO_FUNCTION ||
         fault == EW_FAULT_NO_PROCEDURE;
}

/* The same: false where what follows cannot be judged. */
static bool expect(const struct rehearsal *rehearsal, const struct ew_statement *statement,
                   const struct ew_language *language, struct ew_expectation *expected) {
  const struct ew_plan *plan;
  struct ew_model_options options = options_of(rehearsal, statement);
  struct ew_model_result result = {0};
  struct ew_query_error error;
  *expected = (struct ew_expectation){.kind = EW_EXPECT_ANYTHING};
  if (!ew_execute_prepare(rehearsal->model, rehearsal->arena, statement->tree, &plan, &error))
    return expect_error(rehearsal, &error, expected);
  bool changes = language->changes(statement->tree);
  ew_model_run_permuted(rehearsal->model, plan, &options, rehearsal->arena, &result);
  if (is_ours(result.error.code)) return false;
  if (result.error.code) {
    if (result.open) return !changes;
    ew_execute_error(&result.error, &error);
    return expect_error(rehearsal, &error, expected);
  }
  struct ew_admissible admissible = ew_admissible_of(rehearsal->arena, &result);
  if (!admissible.state_is_certain) return false;
  if (admissible.expected.kind == EW_EXPECT_ANYTHING || !statement->columns.count) return true;
  *expected = admissible.expected;
  expected->rows = keep_rows(rehearsal->arena, &admissible.expected.rows);
  /* Where something is open, it may also be open whether it fails. */
  expected->cannot_fail =
      !language->may_fail(statement->tree) || (!result.open && ew_profile_raises(rehearsal->profile, EW_SPAN("")));
  if (statement->columns.count == result.rows.column_count) expected->rows.columns = statement->columns.items;
  return true;
}

/* ---- scenes on the model ---- */

/* The scene that was asked for last, loaded: many cases share one. It is given back as it was. */
static struct {
  struct ew_model model;
  struct ew_arena arena;
  uint64_t scene;
  bool begun, loaded;
} memory;

static uint64_t hash_of(const struct ew_case *test, const struct ew_profile *profile) {
  uint64_t hash = profile->hash;
  if (test->scene.data) hash = ew_hash_mix(hash, ew_tree_hash(test->scene.data));
  for (size_t i = 0; i < test->scene.statements.count; i++)
    hash = ew_hash_mix(hash, ew_tree_hash(test->scene.statements.items[i]));
  return hash;
}

/* NULL where the model does not know for certain what the scene is. */
static struct ew_model *model_of(const struct ew_case *test, const struct ew_profile *profile) {
  uint64_t scene = hash_of(test, profile);
  if (memory.begun && memory.scene == scene) return memory.loaded ? &memory.model : NULL;
  if (!memory.begun) {
    ew_model_init(&memory.model);
    ew_arena_init(&memory.arena);
  }
  ew_model_reset(&memory.model);
  ew_arena_reset(&memory.arena);
  memory.begun = memory.loaded = true;
  memory.scene = scene;
  struct rehearsal rehearsal = {&memory.model, profile, &memory.arena};
  struct ew_program load = test->language->load(&memory.arena, &test->scene, profile);
  for (size_t i = 0; i < load.count && memory.loaded; i++) {
    struct ew_expectation expected;
    memory.loaded =
        expect(&rehearsal, &load.statements[i], test->language, &expected) && expected.kind != EW_EXPECT_ERROR;
  }
  return memory.loaded ? &memory.model : NULL;
}

/* ---- the test ---- */

static struct ew_run ask(const struct ew_case *test, const struct ew_profile *profile, struct ew_arena *arena) {
  struct ew_run run = ew_oracle_ask(arena, test, profile, test->base);
  if (run.state != EW_STATE_FRESH) return run;
  struct ew_program state = test->language->state(arena, profile);
  struct ew_statement *statements = EW_NEW_ARRAY(arena, struct ew_statement, run.program.count + state.count);
  memcpy(statements, run.program.statements, run.program.count * sizeof *statements);
  memcpy(statements + run.program.count, state.statements, state.count * sizeof *statements);
  run.program = (struct ew_program){statements, run.program.count + state.count};
  run.looks = state.count;
  run.go_on = true;
  return run;
}

static struct ew_step next(const struct ew_case *test, const struct ew_profile *profile,
                           const struct ew_outcome *outcomes, size_t count, struct ew_arena *arena) {
  (void)outcomes;
  struct ew_run *run = EW_NEW(arena, struct ew_run);
  *run = ask(test, profile, arena);
  if (!count) return (struct ew_step){.kind = EW_STEP_RUN, .runs = run, .run_count = 1};
  struct ew_model *model = model_of(test, profile);
  if (!model) return ew_oracle_none();
  struct rehearsal rehearsal = {model, profile, arena};
  const struct ew_program *program = &run->program;
  struct ew_expectation *expected = EW_NEW_ARRAY(arena, struct ew_expectation, program->count);
  size_t known = 0;
  struct ew_graph_mark mark = ew_graph_begin(&model->graph);
  struct ew_catalog_mark schema = ew_catalog_mark(&model->schema, arena);
  while (known < program->count && expect(&rehearsal, &program->statements[known], test->language, &expected[known])) {
    expected[known].reads_state = known + run->looks >= program->count;
    known++;
  }
  ew_graph_rollback(&model->graph, mark);
  ew_catalog_rewind(&model->schema, schema);
  struct ew_claim claim = {.relation = EW_RELATION_exact, .expected = expected, .expected_count = known};
  return (struct ew_step){.kind = EW_STEP_JUDGE, .claim = claim};
}

const struct ew_oracle ew_oracle_model = {
    .name = "model",
    .summary = "a statement returns and leaves behind what the built-in reference engine says",
    .explanation =
        "Runs a statement, or a script of several, on the engine and on the model: an evaluator of openCypher inside\n"
        "this program, which passes every scenario of the language's own test suite (edgewise bench tck).\n"
        "\n"
        "Claim: `exact`. Each statement returns the model's rows, in its order where ORDER BY asks for one. Where the "
        "language\n"
        "leaves a choice, the answer is one of those that the model calls right: so many of the rows that tie at a "
        "LIMIT, lists\n"
        "in any order that were collected from rows in none, 1 for 1.0 where grouping may keep either. Behind a script "
        "that\n"
        "writes, all nodes and relationships are read back and must be the model's (lost writes show so). Elements are "
        "compared\n"
        "by labels, type and properties, never by id. The first statement that differs decides: what follows is "
        "noise.\n"
        "\n"
        "Not judged: columns whose values are open (ids, random numbers, sums of floats that cancel); statements in "
        "which more\n"
        "depends on what is open, such as which rows there are or what is written (also by the order of rows: tried by "
        "running\n"
        "under several); errors that the engine's profile does not promise (raised.REASON); and an error of the "
        "engine's own,\n"
        "unless nothing in the statement can fail.\n"
        "Where engines differ legitimately, the profile's [semantics] tell the model what to do.",
    .source = "ours; after differential testing (GDsmith, Grand)",
    .speaks = speaks,
    .compose = compose,
    .next = next,
};
