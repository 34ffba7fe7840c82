/* view.c: keeps what the supervisor says and decides when to show it. */
#include "cli/view.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/deadline.h"
#include "cli/output.h"

double ew_percent(uint64_t part, uint64_t whole) { return whole ? 100.0 * (double)part / (double)whole : 0.0; }

uint64_t ew_view_rate(const struct ew_view *view) {
  return view->facts.seconds > 0.01 ? (uint64_t)((double)view->stats.tests / view->facts.seconds) : 0;
}

void ew_view_add_now(struct ew_text *text, const struct ew_view *view) {
  if (view->over) {
    ew_text_add_string(text, "done");
  } else if (view->finishing) {
    ew_text_add_format(text, "the tests are over; what was found is still reduced, for %.0f s at most",
                       view->facts.limit_beyond);
    if (view->now[0]) ew_text_add_format(text, ": %s", view->now);
  } else {
    ew_text_add_string(text, view->now[0] ? view->now : "testing");
  }
}

void ew_view_write(struct ew_span text) {
  while (text.length) {
    ssize_t written = write(STDERR_FILENO, text.bytes, text.length);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    text = (struct ew_span){text.bytes + written, text.length - (size_t)written};
  }
}

static void tick(struct ew_hunt_view *hooks, const struct ew_stats *stats, const struct ew_hunt_facts *facts) {
  struct ew_view *view = (struct ew_view *)hooks;
  view->stats = *stats;
  view->facts = *facts;
  int64_t now = ew_now();
  bool turned = view->facts.phase == EW_PHASE_FINISHING && !view->finishing; /* that is told at once */
  view->finishing = view->facts.phase == EW_PHASE_FINISHING;
  if (!view->kind || (!turned && now - view->shown < view->kind->interval)) return;
  view->shown = now;
  view->kind->show(view);
}

static void announce(struct ew_hunt_view *hooks, const struct ew_finding *finding, bool fresh) {
  struct ew_view *view = (struct ew_view *)hooks;
  if (!fresh) return;
  snprintf(view->last, sizeof view->last, "%s  %.*s", finding->id.text, EW_SPAN_ARGS(finding->title));
  if (view->kind && view->kind->tell) view->kind->tell(view, finding);
}

static void progress(struct ew_hunt_view *hooks, struct ew_span text) {
  struct ew_view *view = (struct ew_view *)hooks;
  snprintf(view->now, sizeof view->now, "%.*s", EW_SPAN_ARGS(text));
}

static const struct ew_view_kind *kind_of(const char *name) {
  const char *terminal = getenv("TERM");
  if (strcmp(name, "none") == 0) return NULL;
  if (strcmp(name, "screen") == 0) return &ew_view_screen;
  if (strcmp(name, "line") == 0) return &ew_view_line;
  bool moves = isatty(STDERR_FILENO) && terminal && terminal[0] && strcmp(terminal, "dumb") != 0;
  return moves ? &ew_view_screen : &ew_view_line;
}

void ew_view_init(struct ew_view *view, const char *name, const struct ew_hunt_options *options) {
  *view = (struct ew_view){
      .hooks = {tick, announce, progress},
      .kind = kind_of(name),
      .oracles = options->oracles,
      .limit = options->time,
      .tests = options->tests,
      .colour = ew_colour(STDERR_FILENO),
      .shown = ew_now(),
  };
}

void ew_view_end(struct ew_view *view) {
  view->now[0] = '\0';
  view->finishing = false;
  view->over = true;
  if (view->kind) view->kind->show(view);
}
