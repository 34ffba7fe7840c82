/* command_status.c: `edgewise status [RUN]`: what a hunt is doing, from the stats.json that it writes each second; or what it did. */
#include <sys/stat.h>
#include <time.h>

#include "base/file.h"
#include "base/json.h"
#include "cli/commands.h"
#include "cli/findings.h"
#include "cli/output.h"
#include "cli/view.h"

enum { STATS_LIMIT = 16 << 20, SILENT_SECONDS = 15 };

static uint64_t count_of(const struct ew_json *stats, const char *name) {
  int64_t number = ew_json_get_integer(stats, name, 0);
  return number > 0 ? (uint64_t)number : 0;
}

static double seconds_of(const struct ew_json *stats, const char *name) {
  const struct ew_json *member = ew_json_member(stats, name);
  if (!member) return 0;
  return member->kind == EW_JSON_FLOAT ? member->number : (double)ew_json_get_integer(stats, name, 0);
}

/* "testing graphqlite 0.12.0, seed 42: 0:35 of 1:00" */
static void add_head(struct ew_text *text, const struct ew_json *stats, const char *run) {
  const struct ew_json *engines = ew_json_member(stats, "engines");
  const struct ew_json *engine = engines && engines->kind == EW_JSON_ARRAY && engines->count ? engines->items : NULL;
  struct ew_span phase = ew_json_get_string(stats, "phase", EW_SPAN("testing"));
  ew_text_add_format(text, "%s: %.*s %.*s %.*s, seed %.*s, ", run, EW_SPAN_ARGS(phase),
                     EW_SPAN_ARGS(ew_json_get_string(engine, "name", EW_SPAN("?"))),
                     EW_SPAN_ARGS(ew_json_get_string(engine, "version", EW_SPAN(""))),
                     EW_SPAN_ARGS(ew_json_get_string(stats, "seed", EW_SPAN("?"))));
  ew_text_add_clock(text, seconds_of(stats, "seconds"));
  if (seconds_of(stats, "time_limit") > 0) {
    ew_text_add_string(text, " of ");
    ew_text_add_clock(text, seconds_of(stats, "time_limit"));
  }
  ew_text_add_char(text, '\n');
  if (ew_span_is(phase, "finishing"))
    ew_text_add_string(text, "  The tests are over; what was found is still confirmed and reduced.\n");
}

static void add_numbers(struct ew_text *text, const struct ew_json *stats) {
  double seconds = seconds_of(stats, "seconds");
  uint64_t tests = count_of(stats, "tests"), statements = count_of(stats, "statements");
  uint64_t groups = count_of(stats, "groups");
  ew_text_add_string(text, "  ");
  ew_text_add_count(text, tests);
  ew_text_add_string(text, " tests (");
  ew_text_add_count(text, seconds > 0.01 ? (uint64_t)((double)tests / seconds) : 0);
  ew_text_add_format(text, "/s), %.1f%% accepted, %.1f%% refused, %.0f%% of queries non-empty\n  ",
                     ew_percent(count_of(stats, "accepted"), statements),
                     ew_percent(count_of(stats, "refused"), statements),
                     ew_percent(count_of(stats, "nonempty"), count_of(stats, "queries")));
  ew_text_add_count(text, count_of(stats, "violations"));
  ew_text_add_string(text, " violations, ");
  ew_text_add_count(text, groups);
  ew_text_add_format(
      text, " group%s of findings, likely of %llu cause%s: %llu new, %llu known, %llu muted\n", groups == 1 ? "" : "s",
      (unsigned long long)count_of(stats, "likely_causes"), count_of(stats, "likely_causes") == 1 ? "" : "s",
      (unsigned long long)count_of(stats, "new_groups"), (unsigned long long)count_of(stats, "known_groups"),
      (unsigned long long)count_of(stats, "muted_groups"));
}

/* A hunt that is under way writes each second. */
static void add_silence(struct ew_text *text, const struct ew_json *stats, const char *path) {
  struct stat info;
  if (ew_span_is(ew_json_get_string(stats, "phase", EW_SPAN("")), "done") || stat(path, &info) != 0) return;
  long long silent = (long long)(time(NULL) - info.st_mtime);
  if (silent < SILENT_SECONDS) return;
  ew_text_add_format(
      text, "  It has not been heard of for %lld s: it has ended without a word. Its findings are kept.\n", silent);
}

static enum ew_status read_stats(struct ew_arena *arena, const char *run, const char *path,
                                 const struct ew_json **stats, struct ew_error *error) {
  struct ew_text text = {0};
  struct ew_error detail;
  enum ew_status status = ew_file_read(path, STATS_LIMIT, &text, error);
  if (status == EW_MISSING)
    status = ew_fail(error, EW_USAGE, "there is no run '%.200s'; start one with: edgewise hunt", run);
  if (!status) {
    status =
        ew_json_read(arena, ew_arena_copy(arena, ew_text_span(&text)), (struct ew_json_options){0}, stats, &detail);
    if (status) status = ew_fail(error, EW_BAD, "%s cannot be read: %s", path, detail.text);
  }
  ew_text_release(&text);
  return status;
}

enum ew_exit ew_command_status(const struct ew_arguments *given) {
  const char *run = given->word_count ? given->words[0] : EW_LATEST;
  const struct ew_json *stats;
  struct ew_arena arena;
  struct ew_text text = {0}, path = {0};
  struct ew_error error;
  ew_arena_init(&arena);
  ew_text_add_format(&path, "%s/stats.json", run);
  enum ew_status status = read_stats(&arena, run, path.bytes, &stats, &error);
  if (!status) {
    add_head(&text, stats, run);
    add_numbers(&text, stats);
    add_silence(&text, stats, path.bytes);
  }
  ew_text_release(&path);
  ew_arena_release(&arena);
  return status ? ew_give_up(status, &error) : ew_output_last(&text, EW_EXIT_NOTHING);
}
