/* command_replay.c: `edgewise replay FINDING`. */
#include "cli/commands.h"
#include "cli/engines.h"
#include "cli/findings.h"
#include "cli/output.h"
#include "cli/plants.h"

static void add_verdict(struct ew_text *text, const struct ew_finding *finding, bool seen) {
  ew_text_add_format(text, "%s on %.*s %.*s: %s\n", finding->id.text, EW_SPAN_ARGS(finding->engine),
                     EW_SPAN_ARGS(finding->version), seen ? "seen again" : "not seen");
  if (!seen) return;
  ew_text_add_format(text, "  %.*s\n  %.*s\n", EW_SPAN_ARGS(finding->title), EW_SPAN_ARGS(finding->why.text));
}

enum ew_exit ew_command_replay(const struct ew_arguments *given) {
  struct ew_arena arena;
  struct ew_text folder = {0}, text = {0};
  struct ew_finding finding;
  struct ew_engine engine = {0};
  struct ew_error error;
  bool seen = false;
  ew_arena_init(&arena);
  enum ew_status status = ew_finding_open(&arena, given->words[0], &finding, &folder, &error);
  if (!status) {
    struct ew_span name =
        ew_arena_format(&arena, "%.*s@%.*s", EW_SPAN_ARGS(finding.engine), EW_SPAN_ARGS(finding.version));
    status = ew_engine_open(&engine, ew_arena_string(&arena, name), &error);
    /* The finding is well formed; that its engine is not known here is no mistake of the user's. */
    if (status == EW_USAGE) status = EW_MISSING;
    if (!status) status = ew_engine_plant(&engine, ew_setting(given, EW_OPTION_plant)->text, &error);
    if (!status)
      status = ew_finding_replay(&arena, &engine.target, ew_setting(given, EW_OPTION_statement_time)->duration,
                                 &finding, &seen, &error);
    if (!status) add_verdict(&text, &finding, seen);
    ew_engine_release(&engine);
  }
  ew_text_release(&folder);
  ew_arena_release(&arena);
  if (status) return ew_give_up(status, &error);
  return ew_output_last(&text, seen ? EW_EXIT_FINDINGS : EW_EXIT_NOTHING);
}
