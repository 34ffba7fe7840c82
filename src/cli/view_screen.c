/* view_screen.c: one calm screen, redrawn in place about five times a second.

   It is written over what stands there: up to its first line, then each line with its old rest cleared, all in one
   write, so nothing flickers and what is above stays. When the terminal was made narrower, lines that stood there have
   wrapped: their columns are kept to know how many rows to go up. */
#include <unistd.h>

#include "base/deadline.h"
#include "cli/output.h"
#include "cli/view.h"
#include "oracle/oracles.h"

struct canvas {
  struct ew_text lines[EW_VIEW_LINES];
  size_t count;
};

static struct ew_text *line(struct canvas *canvas) {
  EW_ASSERT(canvas->count < EW_VIEW_LINES);
  struct ew_text *text = &canvas->lines[canvas->count++];
  *text = (struct ew_text){0};
  return text;
}

static struct ew_text *labelled(struct canvas *canvas, const char *label) {
  struct ew_text *text = line(canvas);
  ew_text_add_string(text, "  ");
  ew_text_add_padded(text, ew_span_of(label), 12);
  return text;
}

static void add_right(struct ew_text *text, uint64_t number, size_t width) {
  struct ew_text digits = {0};
  ew_text_add_count(&digits, number);
  for (size_t used = digits.length; used < width; used++) ew_text_add_char(text, ' ');
  ew_text_add(text, ew_text_span(&digits));
  ew_text_release(&digits);
}

/* ---- what is on it ---- */

static void add_head(struct canvas *canvas, const struct ew_view *view) {
  struct ew_text *text = line(canvas);
  ew_text_add_format(text, "edgewise   %.*s %.*s   seed %llu   ", EW_SPAN_ARGS(view->facts.engine),
                     EW_SPAN_ARGS(view->facts.version), (unsigned long long)view->facts.seed);
  ew_text_add_clock(text, view->facts.seconds);
  if (view->limit != INT64_MAX) {
    ew_text_add_string(text, " of ");
    ew_text_add_clock(text, (double)view->limit / (double)EW_SECOND);
  }
}

static void add_numbers(struct canvas *canvas, const struct ew_view *view) {
  const struct ew_stats *stats = &view->stats;
  struct ew_text *text = labelled(canvas, "tests");
  ew_text_add_count(text, stats->tests);
  if (view->tests != UINT64_MAX) {
    ew_text_add_string(text, " of ");
    ew_text_add_count(text, view->tests);
  }
  ew_text_add_string(text, "   ");
  ew_text_add_count(text, ew_view_rate(view));
  ew_text_add_string(text, "/s   engine restarts ");
  ew_text_add_count(text, stats->restarts);

  text = labelled(canvas, "statements");
  ew_text_add_format(text, "%.1f%% accepted   %.1f%% refused   %.1f%% agreed errors",
                     ew_percent(stats->accepted, stats->statements), ew_percent(stats->refused, stats->statements),
                     ew_percent(stats->agreed_errors, stats->statements));
  text = labelled(canvas, "");
  ew_text_add_format(text, "%.1f%% faults   %.1f%% timeouts   %.0f%% of queries non-empty",
                     ew_percent(stats->engine_faults, stats->statements),
                     ew_percent(stats->timeouts, stats->statements), ew_percent(stats->nonempty, stats->queries));
}

static bool is_used(const struct ew_view *view, const struct ew_oracle *oracle) {
  for (size_t i = 0; view->oracles[i]; i++)
    if (view->oracles[i] == oracle) return true;
  return false;
}

static void add_oracles(struct canvas *canvas, const struct ew_view *view) {
  struct ew_text *text = labelled(canvas, "oracle");
  ew_text_add_string(text, "       tests   violations   findings");
  for (size_t i = 0; ew_oracles[i] && i < EW_STATS_ORACLES; i++) {
    if (!is_used(view, ew_oracles[i])) continue;
    const struct ew_oracle_stats *stats = &view->stats.oracles[i];
    text = labelled(canvas, ew_oracles[i]->name);
    add_right(text, stats->tests, 12);
    add_right(text, stats->violations, 13);
    add_right(text, stats->findings, 11);
  }
}

static void add_findings(struct canvas *canvas, const struct ew_view *view) {
  struct ew_text *text = labelled(canvas, "findings");
  ew_text_add_count(text, view->facts.groups);
  ew_text_add_string(text, view->facts.groups == 1 ? " group" : " groups");
  if (view->facts.new_groups < view->facts.groups)
    ew_text_add_format(text, ", %llu of them new", (unsigned long long)view->facts.new_groups);
  if (view->facts.seen_once) ew_text_add_format(text, " (%llu seen once)", (unsigned long long)view->facts.seen_once);
  ew_text_add_string(text, "   ");
  ew_text_add_count(text, view->stats.duplicates);
  ew_text_add_string(text, " duplicates   ");
  ew_text_add_count(text, view->stats.flaky);
  ew_text_add_string(text, " flaky");
  ew_text_add_string(labelled(canvas, "last"), view->last[0] ? view->last : "none yet");
  ew_view_add_now(labelled(canvas, "now"), view);
}

/* ---- drawing ---- */

static size_t rows_taken(const struct ew_view *view, size_t columns) {
  size_t rows = 0;
  for (size_t i = 0; i < view->drawn_count; i++)
    rows += view->drawn[i] > columns ? (view->drawn[i] + columns - 1) / columns : 1;
  return rows;
}

static void draw(struct ew_view *view, struct canvas *canvas) {
  struct ew_text out = {0};
  size_t columns, rows, up;
  (void)ew_terminal_size(STDERR_FILENO, &columns, &rows);
  up = rows_taken(view, columns);
  if (up) ew_text_add_format(&out, "\033[%zuA", up);
  ew_text_add_char(&out, '\r');
  if (canvas->count + 1 > rows) canvas->count = rows > 1 ? rows - 1 : 1;
  view->drawn_count = canvas->count;
  for (size_t i = 0; i < canvas->count; i++) {
    bool bold = view->colour && i == 0;
    if (bold) ew_text_add_string(&out, "\033[1m");
    view->drawn[i] = ew_text_add_cut(&out, ew_text_span(&canvas->lines[i]), columns - 1);
    if (bold) ew_text_add_string(&out, "\033[0m");
    ew_text_add_string(&out, "\033[K\r\n");
  }
  ew_text_add_string(&out, "\033[J");
  ew_view_write(ew_text_span(&out));
  ew_text_release(&out);
}

static void show(struct ew_view *view) {
  struct canvas canvas = {.count = 0};
  add_head(&canvas, view);
  add_numbers(&canvas, view);
  add_oracles(&canvas, view);
  add_findings(&canvas, view);
  if (!view->over) ew_text_add_string(line(&canvas), "  Ctrl-C ends the hunt; all findings are kept.");
  size_t count = canvas.count;
  draw(view, &canvas);
  for (size_t i = 0; i < count; i++) ew_text_release(&canvas.lines[i]);
}

const struct ew_view_kind ew_view_screen = {.show = show, .interval = 180 * EW_MILLISECOND};
