/* command_report.c: `edgewise report [RUN]`. */
#include "cli/commands.h"
#include "cli/engines.h"
#include "cli/findings.h"
#include "cli/output.h"
#include "report/report.h"

enum ew_exit ew_command_report(const struct ew_arguments *given) {
  struct ew_arena arena;
  struct ew_text text = {0};
  struct ew_findings findings = {0};
  struct ew_engine engine = {0};
  struct ew_error error;
  enum ew_report_format format;
  struct ew_span name = ew_span_of(ew_setting(given, EW_OPTION_format)->text);
  if (!ew_report_format_read(name, &format)) EW_BUG("option.def lists a format that format.def does not");
  ew_arena_init(&arena);
  enum ew_status status = ew_run_load(&arena, given->word_count ? given->words[0] : EW_LATEST, &findings, &error);
  if (!status) {
    struct ew_error unknown;
    bool known =
        findings.count && ew_engine_read(&engine, ew_arena_string(&arena, findings.items[0].engine), &unknown) == EW_OK;
    ew_report_run(&text, format, findings.items, findings.count, known ? &engine.profile : NULL);
    ew_engine_release(&engine);
  }
  ew_arena_release(&arena);
  return status ? ew_give_up(status, &error) : ew_output_last(&text, EW_EXIT_NOTHING);
}
