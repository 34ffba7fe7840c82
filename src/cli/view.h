/* view.h: what is shown while a hunt goes on, on standard error: a screen redrawn in place, or a line now and then. */
#ifndef EW_CLI_VIEW_H
#define EW_CLI_VIEW_H

#include "hunt/hunt.h"

enum { EW_VIEW_LINES = 48, EW_VIEW_TEXT = 256 };

struct ew_view;

struct ew_view_kind {
  /* Shows the state that the view holds. */
  void (*show)(struct ew_view *view);
  /* Tells of a new group of findings; NULL where the state says enough. */
  void (*tell)(struct ew_view *view, const struct ew_finding *finding);
  int64_t interval; /* nanoseconds between two times that it shows */
};

extern const struct ew_view_kind ew_view_screen, ew_view_line;

struct ew_view {
  struct ew_hunt_view hooks;              /* what the supervisor calls; first, so that one pointer is both */
  const struct ew_view_kind *kind;        /* NULL shows nothing */
  const struct ew_oracle *const *oracles; /* of the hunt */
  int64_t limit;                          /* nanoseconds, INT64_MAX is none */
  uint64_t tests;                         /* UINT64_MAX is no limit */
  bool colour;

  /* as of the last tick */
  struct ew_stats stats;
  struct ew_hunt_facts facts;
  char last[EW_VIEW_TEXT]; /* the last finding */
  char now[EW_VIEW_TEXT];  /* what goes on besides testing */
  int64_t shown;           /* when */
  bool finishing;          /* tests are over, what was found is still confirmed and reduced */
  bool over;               /* the hunt is */

  /* of the screen: columns of the lines that stand there */
  size_t drawn[EW_VIEW_LINES];
  size_t drawn_count;
};

/* `name` is "screen", "line" or "none"; "auto" is screen where standard error is a terminal that can move its cursor,
   else line. The view is large: keep it off the stack. */
void ew_view_init(struct ew_view *view, const char *name, const struct ew_hunt_options *options);
/* Shows the last state once more; call it when the hunt is over. */
void ew_view_end(struct ew_view *view);

/* ---- for the kinds ---- */

/* Part of a whole in percent; 0 where there is nothing. */
double ew_percent(uint64_t part, uint64_t whole);
/* Tests a second so far. */
uint64_t ew_view_rate(const struct ew_view *view);
/* What goes on: "testing", "reducing 3f2a…", and that the tests are over where they are. */
void ew_view_add_now(struct ew_text *text, const struct ew_view *view);
/* Writes to standard error; a terminal that is gone is no reason to stop. */
void ew_view_write(struct ew_span text);

#endif
