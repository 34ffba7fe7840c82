/* reduce_finding.c: see the header. */
#include "hunt/reduce_finding.h"

#include "generate/generate.h"
#include "hunt/confirm.h"
#include "hunt/fingerprint.h"
#include "reduce/reduce.h"
#include "report/report.h"

enum { HASTE = 10, HANG_LEAST = 50 * EW_MILLISECOND };

struct attempt {
  struct ew_stage *stage;
  const struct ew_oracle *oracle;
  const struct ew_finding *original;
  const struct ew_reduce_options *options;
  const struct ew_node *data; /* of the scene that the stage has loaded */
  struct ew_list statements;
  uint64_t token;
  bool afresh; /* each try on a new instance */
  bool hasty;  /* of a hang: with less time for each try */
  struct ew_arena arena;
  enum ew_status status; /* the engine does not start any more */
  struct ew_error error;
};

/* A history is played before each try; otherwise the scene stays where it is as long as tries have the same one. */
static enum ew_status play_with_history(struct attempt *attempt, const struct ew_case *candidate, bool *seen) {
  struct ew_finding finding = *attempt->original;
  finding.test = *candidate;
  enum ew_status status =
      ew_confirm_once(attempt->stage, attempt->oracle, &attempt->arena, &finding, seen, &attempt->error);
  *seen = *seen && ew_finding_same(attempt->original, &finding);
  return status;
}

static enum ew_status play(struct attempt *attempt, const struct ew_case *candidate, bool *seen) {
  struct ew_trial trial;
  const struct ew_scene *scene = &candidate->scene;
  bool same_scene = scene->data == attempt->data && scene->statements.items == attempt->statements.items &&
                    scene->statements.count == attempt->statements.count;
  if (!same_scene) attempt->token++;
  attempt->data = scene->data;
  attempt->statements = scene->statements;
  enum ew_status status = attempt->afresh ? ew_stage_renew(attempt->stage, &attempt->error) : EW_OK;
  if (!status)
    status = ew_stage_play(attempt->stage, candidate, attempt->oracle, attempt->token, &attempt->arena, &trial,
                           &attempt->error);
  if (status || !trial.applies || trial.verdict != EW_VIOLATED) return status;
  struct ew_finding found;
  ew_trial_finding(&trial, candidate, attempt->oracle, attempt->stage, &attempt->arena, &found);
  *seen = ew_finding_same(attempt->original, &found);
  return EW_OK;
}

static bool violates(void *context, const struct ew_case *candidate) {
  struct attempt *attempt = context;
  bool seen = false;
  if (attempt->status) return false;
  ew_arena_reset(&attempt->arena);
  attempt->status =
      attempt->original->history_count ? play_with_history(attempt, candidate, &seen) : play(attempt, candidate, &seen);
  return seen;
}

static void tell(void *context, unsigned tries, size_t size) {
  const struct attempt *attempt = context;
  if (attempt->options->progress) attempt->options->progress(attempt->options->context, tries, size);
}

static size_t bytes_of(const struct ew_program *program) {
  size_t bytes = 0;
  for (size_t i = 0; i < program->count; i++) bytes += program->statements[i].text.length + 1;
  return bytes;
}

size_t ew_finding_script_bytes(const struct ew_finding *finding) {
  size_t bytes = finding->run_count ? bytes_of(&finding->runs[0].program) : 0;
  for (size_t i = 0; i < finding->history_count; i++) bytes += bytes_of(&finding->history[i]);
  return finding->joined ? bytes : bytes + bytes_of(&finding->load); /* what is joined was loaded with the history */
}

void ew_finding_label(struct ew_arena *arena, const struct ew_profile *profile, struct ew_finding *finding) {
  struct ew_fingerprint fingerprint = ew_fingerprint(arena, finding);
  finding->group = fingerprint.group;
  finding->shape = fingerprint.text;
  finding->title = ew_report_title(arena, finding, profile);
}

/* What a dying engine does depends on its heap, so each try gets a new one. */
static bool dies(const struct ew_finding *finding) {
  const struct ew_statement_outcome *culprit = ew_finding_culprit(finding);
  return culprit && culprit->kind != EW_OUTCOME_ERROR;
}

/* Takes the smaller case if a clean engine shows it too. */
static enum ew_status take(struct attempt *attempt, const struct ew_case *smaller, struct ew_arena *arena,
                           struct ew_finding *finding, bool *taken, struct ew_error *error) {
  struct ew_finding candidate = *finding;
  candidate.test = *smaller;
  enum ew_status status = ew_confirm_once(attempt->stage, attempt->oracle, arena, &candidate, taken, error);
  if (status || !*taken) return status;
  candidate.reduced = true;
  *finding = candidate;
  return EW_OK;
}

static bool hangs(const struct ew_finding *finding) {
  const struct ew_statement_outcome *culprit = ew_finding_culprit(finding);
  return culprit && culprit->kind == EW_OUTCOME_HANG;
}

/* All of a hang's time goes into waiting: what takes a fraction of the limit is taken for one, until the last replay, which has
   all of it. */
static void reduce_in_limit(struct attempt *attempt, struct ew_reduction *reduction, const struct ew_case *original) {
  int64_t limit = attempt->stage->limit, grace = attempt->stage->instance.grace;
  if (attempt->hasty && limit / HASTE > HANG_LEAST)
    attempt->stage->limit = attempt->stage->instance.grace = limit / HASTE;
  ew_reduce(reduction, original);
  attempt->stage->limit = limit;
  attempt->stage->instance.grace = grace;
}

/* What one try leaves in an engine can make the next one show it. Where a clean engine then does not, all is done again with an
   engine for each try, and with all of its time for a hang, which takes longer, in the time that is left. */
static enum ew_status attempt_twice(struct attempt *attempt, struct ew_reduction *reduction, struct ew_arena *arena,
                                    struct ew_finding *finding, struct ew_error *error) {
  const struct ew_case original = finding->test;
  bool taken = false;
  for (;;) {
    unsigned tries = reduction->tries;
    enum ew_status status = ew_stage_renew(attempt->stage, error);
    if (status) return status;
    reduce_in_limit(attempt, reduction, &original);
    if (reduction->tries == tries) return EW_OK; /* no time, or no tries, left */
    status = take(attempt, &reduction->best, arena, finding, &taken, error);
    if (status || taken || (attempt->afresh && !attempt->hasty) || finding->history_count) return status;
    attempt->afresh = true;
    attempt->hasty = false;
  }
}

enum ew_status ew_finding_reduce(struct ew_stage *stage, const struct ew_oracle *oracle, struct ew_arena *arena,
                                 const struct ew_reduce_options *options, struct ew_finding *finding,
                                 struct ew_error *error) {
  struct attempt attempt = {
      .stage = stage,
      .oracle = oracle,
      .original = finding,
      .options = options,
      .token = 1,
      .afresh = dies(finding),
      .hasty = hangs(finding),
  };
  struct ew_reduction reduction = {
      .arena = arena,
      .violates = violates,
      .progress = tell,
      .context = &attempt,
      .tries_max = options->tries,
      .deadline = ew_deadline_in(options->time),
      .stop = options->stop,
      .oracle = oracle,
      .profile = stage->target.profile,
      .generator = ew_generator_find(finding->test.language),
  };
  int64_t begun = ew_now();
  ew_arena_init(&attempt.arena);
  enum ew_status status = attempt_twice(&attempt, &reduction, arena, finding, error);
  ew_arena_release(&attempt.arena);
  finding->tries = reduction.tries;
  finding->reducing = ew_now() - begun;
  finding->bytes_after = ew_finding_script_bytes(finding);
  return status;
}
