/* tck.c: runs every scenario and says what fails. */
#include "cli/tck.h"

#include "base/deadline.h"
#include "base/file.h"
#include "cli/tck_run.h"

#define VERSION "1.0.0-M23"

struct measuring {
  struct ew_arena arena;
  struct ew_tck_suite suite;
  struct ew_tck_world world;
  struct ew_tck_syntax syntax;
  struct ew_text faults, why, title; /* faults: those of texts, for the end */
  size_t run, passed;
};

void ew_tck_title(struct ew_text *text, const struct ew_tck_scenario *scenario) {
  ew_text_add_format(text, "%.*s %.*s", EW_SPAN_ARGS(scenario->feature), EW_SPAN_ARGS(scenario->name));
  if (scenario->example) ew_text_add_format(text, " #%zu", scenario->example);
}

/* A reason that stays on its line. */
static void add_reason(struct ew_text *text, struct ew_span reason) {
  for (size_t i = 0; i < reason.length; i++) ew_text_add_char(text, reason.bytes[i] == '\n' ? ' ' : reason.bytes[i]);
  ew_text_add_char(text, '\n');
}

static void add_failure(struct measuring *at, struct ew_text *text, const struct ew_tck_scenario *scenario, bool list,
                        struct ew_span *feature) {
  if (list) {
    ew_text_add_string(text, "# ");
    add_reason(text, ew_text_span(&at->why));
    ew_text_add(text, ew_text_span(&at->title));
    ew_text_add_char(text, '\n');
    return;
  }
  if (!ew_span_equal(*feature, scenario->feature)) ew_text_add_format(text, "%.*s\n", EW_SPAN_ARGS(scenario->feature));
  *feature = scenario->feature;
  ew_text_add_format(text, "  %.*s", EW_SPAN_ARGS(scenario->name));
  if (scenario->example) ew_text_add_format(text, " #%zu", scenario->example);
  ew_text_add_string(text, ": ");
  add_reason(text, ew_text_span(&at->why));
}

static void run_all(struct measuring *at, struct ew_text *text, const char *only, bool list) {
  struct ew_span feature = {0};
  for (size_t i = 0; i < at->suite.scenarios.count; i++) {
    const struct ew_tck_scenario *scenario = &at->suite.scenarios.items[i];
    ew_text_reset(&at->title);
    ew_text_reset(&at->why);
    ew_tck_title(&at->title, scenario);
    if (only && !strstr(at->title.bytes, only)) continue;
    at->run++;
    ew_tck_syntax_count(&at->syntax, scenario, &at->faults);
    if (ew_tck_run(&at->world, scenario, &at->why))
      at->passed++;
    else
      add_failure(at, text, scenario, list, &feature);
  }
}

/* In a list they are comments. */
static void add_figures(struct measuring *at, struct ew_text *text, bool list, int64_t used) {
  const struct ew_tck_syntax *syntax = &at->syntax;
  const char *mark = list ? "# " : "";
  ew_text_add_format(text, "%s%.2f CPU seconds\n", mark, (double)used / (double)EW_SECOND);
  ew_text_add_format(text, "%stexts: %zu of %zu queries parse, and parse to an equal tree as printed\n", mark,
                     syntax->round_trips, syntax->queries);
  ew_text_add_format(text, "%ssyntax errors: %zu of %zu are given by parser or checker\n", mark, syntax->found,
                     syntax->errors);
  ew_text_add_format(text, "%stck: %zu of %zu scenarios\n", mark, at->passed, at->run);
}

enum ew_status ew_tck_measure(struct ew_text *text, const char *only, bool list, struct ew_error *error) {
  struct measuring at = {0};
  struct ew_text folder = {0};
  enum ew_status status = ew_folder_xdg("CACHE", &folder, error);
  if (status) return status;
  ew_text_add_string(&folder, "/tck/" VERSION);
  ew_arena_init(&at.arena);
  const char *features = ew_arena_format(&at.arena, "%s/features%c", folder.bytes, '\0').bytes;
  const char *graphs = ew_arena_format(&at.arena, "%s/graphs%c", folder.bytes, '\0').bytes;
  ew_tck_world_init(&at.world, graphs);
  if (!ew_file_exists(features))
    status = ew_fail(error, EW_MISSING, "the TCK is not in %s; run: tools/tck", folder.bytes);
  if (!status) status = ew_tck_read_folder(&at.arena, features, &at.suite, error);
  if (!status) {
    int64_t began = ew_cpu_now();
    run_all(&at, text, only, list);
    ew_text_add(text, ew_text_span(&at.faults));
    add_figures(&at, text, list, ew_cpu_now() - began);
  }
  ew_tck_world_release(&at.world);
  ew_arena_release(&at.arena);
  ew_text_release(&at.faults);
  ew_text_release(&at.why);
  ew_text_release(&at.title);
  ew_text_release(&folder);
  return status;
}
