/* retest.c: see the header. */
#include "hunt/retest.h"

#include "hunt/stage.h"
#include "oracle/oracles.h"
#include "report/report.h"

const char *ew_retest_name(enum ew_retest result) {
  static const char *const names[] = {[EW_RETEST_HOLDS] = "holds",
                                      [EW_RETEST_CHANGED] = "changed",
                                      [EW_RETEST_GONE] = "gone",
                                      [EW_RETEST_UNCLEAR] = "unclear"};
  return names[result];
}

/* The first outcome that is no rows says best why there is no verdict. */
static struct ew_span why_unclear(struct ew_arena *arena, const struct ew_trial *trial) {
  for (size_t i = 0; i < trial->run_count; i++) {
    const struct ew_statement_outcome *decisive = ew_outcome_decisive(&trial->outcomes[i]);
    if (decisive && decisive->kind != EW_OUTCOME_ROWS)
      return ew_arena_format(arena, "%s%s%s%.*s", trial->in_load ? "the data is not loaded: " : "",
                             ew_outcome_kind_text(decisive->kind), decisive->text.length ? ": " : "",
                             EW_SPAN_ARGS(decisive->text));
  }
  return trial->why.text.length ? trial->why.text : EW_SPAN("the oracle has no verdict");
}

/* The model's verdicts are on single answers: another version that is wrong in another way shows another bug. */
static bool is_same_answer(const struct ew_finding *finding, const struct ew_finding *now) {
  struct ew_text before = {0}, after = {0};
  if (finding->claim.relation != EW_RELATION_exact || finding->why.aspect != EW_ASPECT_rows) return true;
  ew_rows_print(&before, &finding->why.actual, SIZE_MAX);
  ew_rows_print(&after, &now->why.actual, SIZE_MAX);
  bool same = ew_span_equal(ew_text_span(&before), ew_text_span(&after));
  ew_text_release(&before);
  ew_text_release(&after);
  return same;
}

/* It is the same case: a death of the same signal is the same one, wherever in a damaged heap it was noticed. */
static bool is_same(const struct ew_finding *finding, const struct ew_finding *now) {
  const struct ew_statement_outcome *left = ew_finding_culprit(finding), *right = ew_finding_culprit(now);
  if (left && right && left->kind == EW_OUTCOME_CRASH && right->kind == EW_OUTCOME_CRASH)
    return left->signal == right->signal;
  return ew_finding_same(finding, now) && is_same_answer(finding, now);
}

static struct ew_retested judge(const struct ew_stage *stage, const struct ew_oracle *oracle, struct ew_arena *arena,
                                const struct ew_finding *finding, const struct ew_trial *trial) {
  struct ew_finding now;
  bool load_was_it = !finding->load.count && trial->in_load;
  if (!trial->applies || (trial->in_load && !load_was_it) || trial->verdict == EW_INCONCLUSIVE ||
      trial->verdict == EW_OPEN)
    return (struct ew_retested){EW_RETEST_UNCLEAR, why_unclear(arena, trial)};
  if (trial->verdict == EW_HOLDS) return (struct ew_retested){.result = EW_RETEST_GONE};
  ew_trial_finding(trial, &finding->test, oracle, stage, arena, &now);
  if (is_same(finding, &now)) return (struct ew_retested){.result = EW_RETEST_HOLDS};
  return (struct ew_retested){EW_RETEST_CHANGED, ew_report_title(arena, &now, stage->target.profile)};
}

enum ew_status ew_finding_retest(struct ew_arena *arena, const struct ew_target *target, int64_t statement_time,
                                 const struct ew_finding *finding, struct ew_retested *retested,
                                 struct ew_error *error) {
  const struct ew_oracle *oracle = ew_oracle_find(finding->oracle);
  struct ew_stage stage;
  struct ew_trial trial;
  if (!oracle) return ew_fail(error, EW_BAD, "no oracle is called '%.*s'", EW_SPAN_ARGS(finding->oracle));
  enum ew_status status = ew_stage_init(&stage, target, statement_time, error);
  if (!status) status = ew_stage_renew(&stage, error);
  if (!status) status = ew_stage_rehearse(&stage, finding->history, finding->history_count, arena, error);
  uint64_t token = finding->joined ? 1 : 0;
  if (!status && finding->joined && ew_instance_alive(&stage.instance)) stage.loaded = token;
  if (!status) status = ew_stage_play(&stage, &finding->test, oracle, token, arena, &trial, error);
  if (!status) *retested = judge(&stage, oracle, arena, finding, &trial);
  ew_stage_release(&stage);
  return status;
}
