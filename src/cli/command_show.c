/* command_show.c: `edgewise show FINDING`. */
#include <unistd.h>

#include "cli/commands.h"
#include "cli/engines.h"
#include "cli/findings.h"
#include "cli/output.h"
#include "report/report.h"

enum ew_exit ew_command_show(const struct ew_arguments *given) {
  struct ew_arena arena;
  struct ew_text folder = {0}, text = {0};
  struct ew_finding finding;
  struct ew_engine engine = {0};
  struct ew_error error;
  ew_arena_init(&arena);
  enum ew_status status = ew_finding_open(&arena, given->words[0], &finding, &folder, &error);
  if (!status) {
    /* A finding of an engine that is not known here can be shown all the same. */
    struct ew_error unknown;
    bool known = ew_engine_read(&engine, ew_arena_string(&arena, finding.engine), &unknown) == EW_OK;
    ew_report_text(&text, &finding, known ? &engine.profile : NULL, ew_colour(STDOUT_FILENO));
    ew_text_add_format(&text, "\n  Files: %s\n", folder.bytes);
    ew_engine_release(&engine);
  }
  ew_text_release(&folder);
  ew_arena_release(&arena);
  return status ? ew_give_up(status, &error) : ew_output_last(&text, EW_EXIT_NOTHING);
}
