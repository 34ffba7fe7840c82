/* bench_reduce.c: a hunt, then the sizes of its confirmed findings. */
#include "cli/bench_reduce.h"

#include <stdlib.h>

#include "base/deadline.h"
#include "base/file.h"
#include "hunt/hunt.h"

enum { WORKERS = 2 };

static void ignore_tick(struct ew_hunt_view *hooks, const struct ew_stats *stats, const struct ew_hunt_facts *facts) {
  (void)hooks;
  (void)stats;
  (void)facts;
}

static void ignore_finding(struct ew_hunt_view *hooks, const struct ew_finding *finding, bool fresh) {
  (void)hooks;
  (void)finding;
  (void)fresh;
}

static void ignore_progress(struct ew_hunt_view *hooks, struct ew_span text) {
  (void)hooks;
  (void)text;
}

static enum ew_status hunt(const struct ew_engine *engine, const struct ew_oracle *const *oracles, uint64_t seed,
                           int64_t time, const char *folder, struct ew_error *error) {
  struct ew_hunt_view view = {ignore_tick, ignore_finding, ignore_progress};
  struct ew_hunt_options options = {
      .generate = ew_generate_options_standard,
      .target = engine->target,
      .oracles = oracles,
      .seed = seed,
      .time = time,
      .tests = UINT64_MAX,
      .findings = UINT64_MAX,
      .workers = WORKERS,
      .folder = folder,
      .reduce_time = 10 * EW_SECOND,
      .statement_time = 2 * EW_SECOND,
      .view = &view,
  };
  struct ew_hunt_result result;
  enum ew_status status = ew_hunt(&options, &result, error);
  return !status && result.interrupted ? ew_fail(error, EW_GONE, "interrupted") : status;
}

static int compare(const void *a, const void *b) {
  double left = *(const double *)a, right = *(const double *)b;
  return left < right ? -1 : left > right;
}

/* The number that `percent` of them do not exceed. */
static double quantile(double *numbers, size_t count, unsigned percent) {
  qsort(numbers, count, sizeof *numbers, compare);
  return numbers[(count * percent + 99) / 100 - 1];
}

static void add_figures(struct ew_text *text, struct ew_arena *arena, const struct ew_findings *findings) {
  double *bytes = EW_NEW_ARRAY(arena, double, findings->count), *tries = EW_NEW_ARRAY(arena, double, findings->count),
         *seconds = EW_NEW_ARRAY(arena, double, findings->count),
         *before = EW_NEW_ARRAY(arena, double, findings->count);
  size_t count = 0, unreduced = 0, seen_once = 0;
  for (size_t i = 0; i < findings->count; i++) {
    const struct ew_finding *finding = &findings->items[i];
    seen_once += finding->state != EW_CONFIRMED;
    if (finding->state != EW_CONFIRMED) continue;
    unreduced += !finding->reduced;
    before[count] = (double)finding->bytes_before;
    bytes[count] = (double)finding->bytes_after;
    tries[count] = (double)finding->tries;
    seconds[count++] = (double)finding->reducing / 1e9;
  }
  if (!count) return;
  ew_text_add_format(text, "%zu confirmed findings, of these %zu not reduced; %zu more seen once\n", count, unreduced,
                     seen_once);
  ew_text_add_format(text, "script: median %.0f bytes before; after, median %.0f, 90 %% at most %.0f, largest %.0f\n",
                     quantile(before, count, 50), quantile(bytes, count, 50), quantile(bytes, count, 90),
                     quantile(bytes, count, 100));
  ew_text_add_format(text, "cost: tries, median %.0f, 90 %% at most %.0f; seconds, median %.2f, 90 %% at most %.2f\n",
                     quantile(tries, count, 50), quantile(tries, count, 90), quantile(seconds, count, 50),
                     quantile(seconds, count, 90));
  ew_text_add_format(text, "reduce: median %.0f bytes, 90 %% at most %.0f; median %.0f tries, %.2f s; %zu findings\n",
                     quantile(bytes, count, 50), quantile(bytes, count, 90), quantile(tries, count, 50),
                     quantile(seconds, count, 50), count);
}

enum ew_status ew_bench_reduce(struct ew_text *text, const struct ew_engine *engine,
                               const struct ew_oracle *const *oracles, uint64_t seed, int64_t time,
                               struct ew_error *error) {
  char folder[] = "/tmp/edgewise-bench-XXXXXX";
  struct ew_findings findings;
  struct ew_arena arena;
  if (!mkdtemp(folder)) return ew_fail(error, EW_IO, "cannot make a folder in /tmp");
  ew_arena_init(&arena);
  enum ew_status status = hunt(engine, oracles, seed, time, folder, error);
  if (!status) status = ew_findings_load(&arena, folder, &findings, error);
  size_t length = text->length;
  if (!status) add_figures(text, &arena, &findings);
  if (!status && text->length == length)
    status = ew_fail(error, EW_MISSING, "nothing was found in %.*s", EW_SPAN_ARGS(engine->profile.name));
  ew_arena_release(&arena);
  ew_folder_remove(folder);
  return status;
}
