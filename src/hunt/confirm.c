/* confirm.c: clean replays, then replays with history, which is shrunk to what is needed. */
#include "hunt/confirm.h"

#include "base/vector.h"
#include "reduce/ddmin.h"

enum { REPLAYS = 3, HISTORY_TRIES = 60, HISTORY_SECONDS = 20 };

/* It is the same case: if it dies of the same signal again, that is the same violation, wherever in a corrupted heap or an
   overflowing stack it was noticed this time. */
static bool same_violation(const struct ew_finding *a, const struct ew_finding *b) {
  const struct ew_statement_outcome *left = ew_finding_culprit(a), *right = ew_finding_culprit(b);
  if (left && right && left->kind == EW_OUTCOME_CRASH && right->kind == EW_OUTCOME_CRASH)
    return left->signal == right->signal;
  return ew_finding_same(a, b);
}

/* Whether a trial shows the violation of `finding`; if so the finding gets its outcomes. */
static bool shows(const struct ew_trial *trial, const struct ew_oracle *oracle, const struct ew_stage *stage,
                  struct ew_arena *arena, struct ew_finding *finding) {
  if (!trial->applies || trial->verdict != EW_VIOLATED) return false;
  struct ew_finding again;
  ew_trial_finding(trial, &finding->test, oracle, stage, arena, &again);
  if (!same_violation(finding, &again)) return false;
  finding->claim = again.claim;
  finding->why = again.why;
  finding->engine_says = again.engine_says;
  finding->load = ew_trial_load(trial, &finding->test, stage, arena);
  finding->runs = again.runs;
  finding->outcomes = again.outcomes;
  finding->run_count = again.run_count;
  return true;
}

enum ew_status ew_confirm_once(struct ew_stage *stage, const struct ew_oracle *oracle, struct ew_arena *arena,
                               struct ew_finding *finding, bool *seen, struct ew_error *error) {
  struct ew_trial trial;
  *seen = false;
  enum ew_status status = ew_stage_renew(stage, error);
  if (!status) status = ew_stage_rehearse(stage, finding->history, finding->history_count, arena, error);
  if (status) return status;
  uint64_t token = finding->joined ? 1 : 0;
  if (finding->joined && ew_instance_alive(&stage->instance)) stage->loaded = token;
  status = ew_stage_play(stage, &finding->test, oracle, token, arena, &trial, error);
  if (!status) *seen = shows(&trial, oracle, stage, arena, finding);
  return status;
}

/* ---- history ---- */

typedef EW_VECTOR(struct ew_statement) statement_vector;

/* What a statement needs to be sent again; no tree, as in a stored history. */
static struct ew_statement keep(struct ew_arena *arena, const struct ew_statement *statement) {
  struct ew_span *columns = EW_NEW_ARRAY(arena, struct ew_span, statement->columns.count + 1);
  for (size_t i = 0; i < statement->columns.count; i++) columns[i] = ew_arena_copy(arena, statement->columns.items[i]);
  struct ew_parameter *parameters = EW_NEW_ARRAY(arena, struct ew_parameter, statement->parameter_count + 1);
  for (size_t i = 0; i < statement->parameter_count; i++)
    parameters[i] = (struct ew_parameter){ew_arena_copy(arena, statement->parameters[i].name),
                                          ew_value_copy(arena, statement->parameters[i].value)};
  return (struct ew_statement){.text = ew_arena_copy(arena, statement->text),
                               .columns = {columns, statement->columns.count},
                               .parameters = parameters,
                               .parameter_count = statement->parameter_count};
}

static void add_program(struct ew_arena *arena, statement_vector *statements, const struct ew_program *program) {
  for (size_t i = 0; i < program->count; i++)
    *ew_arena_vector_push(arena, statements) = keep(arena, &program->statements[i]);
}

/* The statements of all cases of one scene, behind its loading. Only the first step of an oracle can be known again. */
static size_t add_scene(struct ew_case_source *source, struct ew_history history, size_t at, struct ew_arena *arena,
                        struct ew_program *program) {
  statement_vector statements = {0};
  struct ew_arena scratch;
  uint64_t number = history.numbers[at] / EW_CASES_PER_SCENE;
  bool loaded = false;
  ew_arena_init(&scratch);
  for (; at < history.count && history.numbers[at] / EW_CASES_PER_SCENE == number; at++) {
    struct ew_case test;
    const struct ew_oracle *oracle;
    ew_arena_reset(&scratch);
    if (!ew_case_source_case(source, history.numbers[at], &scratch, &test, &oracle)) continue;
    if (!loaded) {
      struct ew_program load = test.language->load(&scratch, &test.scene, source->profile);
      add_program(arena, &statements, &load);
      loaded = true;
    }
    struct ew_step step = oracle->next(&test, source->profile, NULL, 0, &scratch);
    for (size_t i = 0; step.kind == EW_STEP_RUN && i < step.run_count; i++)
      add_program(arena, &statements, &step.runs[i].program);
  }
  ew_arena_release(&scratch);
  *program = (struct ew_program){statements.items, statements.count};
  return at;
}

/* Fills in the finding's history: one program a scene. */
static void make_history(struct ew_case_source *source, struct ew_history history, struct ew_arena *arena,
                         struct ew_finding *finding) {
  EW_VECTOR(struct ew_program) programs = {0};
  for (size_t at = 0; at < history.count;)
    at = add_scene(source, history, at, arena, ew_arena_vector_push(arena, &programs));
  finding->history = programs.items;
  finding->history_count = programs.count;
  uint64_t last = history.count ? history.numbers[history.count - 1] / EW_CASES_PER_SCENE : 0;
  finding->joined = history.count && last == finding->test.key.number / EW_CASES_PER_SCENE;
}

/* Shrinking: what is asked whether it still shows, and how often and how long. */
struct shrink {
  struct ew_stage *stage;
  const struct ew_oracle *oracle;
  struct ew_arena *arena;
  struct ew_finding *finding;
  size_t which; /* of the programs, where statements are dropped */
  unsigned tries, tries_max;
  struct ew_deadline deadline;
  enum ew_status status;
  struct ew_error *error;
};

static bool is_over(const struct shrink *shrink) {
  return shrink->status || shrink->tries >= shrink->tries_max || ew_deadline_passed(shrink->deadline);
}

/* Takes the candidate in the finding's place if it shows the violation. */
static bool try(struct shrink *shrink, struct ew_finding *candidate) {
  bool seen;
  shrink->tries++;
  shrink->status = ew_confirm_once(shrink->stage, shrink->oracle, shrink->arena, candidate, &seen, shrink->error);
  if (shrink->status || !seen) return false;
  *shrink->finding = *candidate;
  return true;
}

static size_t programs_left(void *context) {
  const struct shrink *shrink = context;
  return is_over(shrink) ? 0 : shrink->finding->history_count;
}

static bool drop_programs(void *context, size_t from, size_t count) {
  struct shrink *shrink = context;
  struct ew_finding candidate = *shrink->finding;
  struct ew_program *programs = EW_NEW_ARRAY(shrink->arena, struct ew_program, candidate.history_count + 1);
  size_t kept = 0;
  for (size_t i = 0; i < candidate.history_count; i++)
    if (i < from || i >= from + count) programs[kept++] = candidate.history[i];
  if (from + count >= candidate.history_count) candidate.joined = false;
  candidate.history = programs;
  candidate.history_count = kept;
  return try(shrink, &candidate);
}

static size_t statements_left(void *context) {
  const struct shrink *shrink = context;
  return is_over(shrink) ? 0 : shrink->finding->history[shrink->which].count;
}

static bool drop_statements(void *context, size_t from, size_t count) {
  struct shrink *shrink = context;
  struct ew_finding candidate = *shrink->finding;
  const struct ew_program *whole = &candidate.history[shrink->which];
  struct ew_program *programs = EW_NEW_ARRAY(shrink->arena, struct ew_program, candidate.history_count);
  struct ew_statement *statements = EW_NEW_ARRAY(shrink->arena, struct ew_statement, whole->count + 1);
  size_t kept = 0;
  for (size_t i = 0; i < whole->count; i++)
    if (i < from || i >= from + count) statements[kept++] = whole->statements[i];
  for (size_t i = 0; i < candidate.history_count; i++) programs[i] = candidate.history[i];
  programs[shrink->which] = (struct ew_program){statements, kept};
  candidate.history = programs;
  return try(shrink, &candidate);
}

/* Drops programs, then statements of the rest, by ever smaller pieces, while the violation still shows. */
static enum ew_status shrink_history(struct ew_stage *stage, const struct ew_oracle *oracle, struct ew_arena *arena,
                                     struct ew_finding *finding, struct ew_error *error) {
  struct shrink shrink = {.stage = stage,
                          .oracle = oracle,
                          .arena = arena,
                          .finding = finding,
                          .tries_max = HISTORY_TRIES,
                          .deadline = ew_deadline_in(HISTORY_SECONDS * EW_SECOND),
                          .error = error};
  ew_ddmin(&(struct ew_ddmin){programs_left, drop_programs, &shrink, 0});
  shrink.tries_max = 2 * HISTORY_TRIES;
  for (; shrink.which < finding->history_count; shrink.which++)
    ew_ddmin(&(struct ew_ddmin){statements_left, drop_statements, &shrink, 0});
  return shrink.status;
}

/* ---- confirming ---- */

static enum ew_status replay(struct ew_stage *stage, const struct ew_oracle *oracle, struct ew_arena *arena,
                             struct ew_finding *finding, unsigned times, unsigned *seen_times, struct ew_error *error) {
  *seen_times = 0;
  for (unsigned i = 0; i < times; i++) {
    bool seen;
    enum ew_status status = ew_confirm_once(stage, oracle, arena, finding, &seen, error);
    if (status) return status;
    *seen_times += seen;
  }
  return EW_OK;
}

static enum ew_status confirm_with_history(struct ew_stage *stage, const struct ew_oracle *oracle,
                                           struct ew_case_source *source, struct ew_history history,
                                           struct ew_arena *arena, struct ew_finding *finding, struct ew_error *error) {
  struct ew_finding candidate = *finding;
  unsigned seen;
  make_history(source, history, arena, &candidate);
  enum ew_status status = replay(stage, oracle, arena, &candidate, 1, &seen, error);
  if (status || !seen) return status;
  status = shrink_history(stage, oracle, arena, &candidate, error);
  if (!status) status = replay(stage, oracle, arena, &candidate, REPLAYS, &seen, error);
  if (status || seen < REPLAYS) return status;
  candidate.state = EW_CONFIRMED;
  *finding = candidate;
  return EW_OK;
}

enum ew_status ew_confirm(struct ew_stage *stage, const struct ew_oracle *oracle, struct ew_case_source *source,
                          struct ew_history history, struct ew_arena *arena, struct ew_finding *finding,
                          struct ew_error *error) {
  const struct ew_statement_outcome *culprit = ew_finding_culprit(finding);
  bool traced =
      culprit && ((culprit->kind == EW_OUTCOME_CRASH && culprit->frames.count) || culprit->kind == EW_OUTCOME_CORRUPT);
  unsigned seen;
  finding->state = traced ? EW_SEEN_ONCE : EW_FLAKY;
  enum ew_status status = replay(stage, oracle, arena, finding, REPLAYS, &seen, error);
  if (status) return status;
  if (seen == REPLAYS) finding->state = EW_CONFIRMED;
  if (seen || !source || !history.count) return EW_OK;
  return confirm_with_history(stage, oracle, source, history, arena, finding, error);
}
