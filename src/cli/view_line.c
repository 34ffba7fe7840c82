/* view_line.c: one line every few seconds and one for each new group of findings: for logs and pipes. */
#include "base/deadline.h"
#include "cli/output.h"
#include "cli/view.h"

static void show(struct ew_view *view) {
  const struct ew_stats *stats = &view->stats;
  struct ew_text text = {0};
  ew_text_add_clock(&text, view->facts.seconds);
  if (view->limit != INT64_MAX) {
    ew_text_add_string(&text, " of ");
    ew_text_add_clock(&text, (double)view->limit / (double)EW_SECOND);
  }
  ew_text_add_string(&text, "  ");
  ew_text_add_count(&text, stats->tests);
  ew_text_add_string(&text, " tests (");
  ew_text_add_count(&text, ew_view_rate(view));
  ew_text_add_format(&text, "/s), %.1f%% accepted, %.1f%% refused, %.0f%% non-empty, ",
                     ew_percent(stats->accepted, stats->statements), ew_percent(stats->refused, stats->statements),
                     ew_percent(stats->nonempty, stats->queries));
  ew_text_add_count(&text, stats->violations);
  ew_text_add_string(&text, stats->violations == 1 ? " violation, " : " violations, ");
  ew_text_add_count(&text, view->facts.groups);
  ew_text_add_string(&text, view->facts.groups == 1 ? " group of findings" : " groups of findings");
  if (view->facts.new_groups < view->facts.groups)
    ew_text_add_format(&text, ", %llu of them new", (unsigned long long)view->facts.new_groups);
  if (view->now[0] || view->finishing) {
    ew_text_add_string(&text, "; ");
    ew_view_add_now(&text, view);
  }
  ew_text_add_char(&text, '\n');
  ew_view_write(ew_text_span(&text));
  ew_text_release(&text);
}

static void tell(struct ew_view *view, const struct ew_finding *finding) {
  struct ew_text text = {0};
  (void)view;
  ew_text_add_format(&text, "found %s  %s, %.*s: %.*s\n", finding->id.text, ew_finding_state_text(finding->state),
                     EW_SPAN_ARGS(finding->oracle), EW_SPAN_ARGS(finding->title));
  ew_view_write(ew_text_span(&text));
  ew_text_release(&text);
}

const struct ew_view_kind ew_view_line = {.show = show, .tell = tell, .interval = 5 * EW_SECOND};
