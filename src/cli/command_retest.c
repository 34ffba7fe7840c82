/* command_retest.c: `edgewise retest RUN ENGINE[@VERSION]`. */
#include "cli/commands.h"
#include "cli/findings.h"
#include "cli/install.h"
#include "cli/output.h"
#include "hunt/retest.h"

enum { RESULTS = EW_RETEST_UNCLEAR + 1 };

static enum ew_status retest(const struct ew_finding *finding, const struct ew_engine *engine, int64_t statement_time,
                             struct ew_text *text, size_t *counts, struct ew_error *error) {
  struct ew_arena arena;
  struct ew_retested retested;
  ew_arena_init(&arena);
  enum ew_status status = ew_finding_retest(&arena, &engine->target, statement_time, finding, &retested, error);
  if (!status) {
    counts[retested.result]++;
    ew_text_add_padded(text, ew_span_of(ew_retest_name(retested.result)), 9);
    ew_text_add_format(text, "%s  ", finding->id.text);
    ew_text_add_cut(text, finding->title, SIZE_MAX);
    ew_text_add_char(text, '\n');
    if (retested.words.length) {
      ew_text_add_string(text, "           now: ");
      ew_text_add_cut(text, retested.words, 200);
      ew_text_add_char(text, '\n');
    }
  }
  ew_arena_release(&arena);
  return status;
}

enum ew_exit ew_command_retest(const struct ew_arguments *given) {
  struct ew_arena arena;
  struct ew_text text = {0};
  struct ew_findings findings = {0};
  struct ew_engine engine = {0};
  struct ew_error error;
  size_t counts[RESULTS] = {0};
  ew_arena_init(&arena);
  enum ew_status status = ew_run_load(&arena, given->words[0], &findings, &error);
  if (!status) status = ew_engine_open_or_install(&engine, given->words[1], false, &error);
  /* One line after the other: a run may have many findings, and some take their time. */
  for (size_t i = 0; i < findings.count && !status; i++) {
    status = retest(&findings.items[i], &engine, ew_setting(given, EW_OPTION_statement_time)->duration, &text, counts,
                    &error);
    if (!status) status = ew_output(&text, &error);
  }
  if (!status)
    ew_text_add_format(&text, "\n%zu finding%s of %s on %.*s %.*s: %zu hold, %zu changed, %zu gone, %zu unclear\n",
                       findings.count, findings.count == 1 ? "" : "s", given->words[0],
                       EW_SPAN_ARGS(engine.profile.name), EW_SPAN_ARGS(engine.target.version), counts[EW_RETEST_HOLDS],
                       counts[EW_RETEST_CHANGED], counts[EW_RETEST_GONE], counts[EW_RETEST_UNCLEAR]);
  ew_engine_release(&engine);
  ew_arena_release(&arena);
  if (status) ew_text_release(&text);
  if (status) return ew_give_up(status, &error);
  bool any = counts[EW_RETEST_HOLDS] || counts[EW_RETEST_CHANGED];
  return ew_output_last(&text, any ? EW_EXIT_FINDINGS : EW_EXIT_NOTHING);
}
