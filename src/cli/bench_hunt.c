/* bench_hunt.c: hunts that are watched for what they cost. What counts is the supervisor, its worker and what starts
   the worker's engines, with all that they do: generating, judging, confirming, reducing, writing findings. The
   engine's own process does not count. */
#include "cli/bench_hunt.h"

#include <stdlib.h>

#include "base/deadline.h"
#include "base/file.h"
#include "hunt/hunt.h"

enum { SEED = 1, HUNT_TESTS = 12000, SOAK_TESTS = 200000, EARLY = 10 /* the first mark is at a tenth */ };

/* A view that only keeps numbers. */
struct keeper {
  struct ew_hunt_view hooks;
  struct ew_stats last;
  double seconds;
  uint64_t findings, early;            /* early: tests at the first mark */
  uint64_t start_memory, early_memory; /* peak bytes, at the first tests and at the first mark */
};

static void keep(struct ew_hunt_view *hooks, const struct ew_stats *stats, const struct ew_hunt_facts *facts) {
  struct keeper *keeper = (struct keeper *)hooks;
  keeper->last = *stats;
  keeper->seconds = facts->seconds;
  keeper->findings = facts->findings;
  if (stats->tests && !keeper->start_memory) keeper->start_memory = stats->memory;
  if (stats->tests >= keeper->early && !keeper->early_memory) keeper->early_memory = stats->memory;
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

static enum ew_status hunt(struct keeper *keeper, const struct ew_engine *engine,
                           const struct ew_oracle *const *oracles, uint64_t tests, struct ew_error *error) {
  char folder[] = "/tmp/edgewise-bench-XXXXXX";
  if (!mkdtemp(folder)) return ew_fail(error, EW_IO, "cannot make a folder in /tmp");
  *keeper = (struct keeper){.hooks = {keep, ignore_finding, ignore_progress}, .early = tests / EARLY};
  struct ew_hunt_options options = {
      .generate = ew_generate_options_standard,
      .target = engine->target,
      .oracles = oracles,
      .seed = SEED,
      .time = INT64_MAX,
      .tests = tests,
      .findings = UINT64_MAX,
      .workers = 1,
      .folder = folder,
      .reduce_time = 10 * EW_SECOND,
      .statement_time = 2 * EW_SECOND,
      .view = &keeper->hooks,
  };
  struct ew_hunt_result result;
  enum ew_status status = ew_hunt(&options, &result, error);
  ew_folder_remove(folder);
  if (!status && result.interrupted) status = ew_fail(error, EW_GONE, "interrupted");
  if (!status && !result.tests)
    status = ew_fail(error, EW_MISSING, "no test ran on %.*s", EW_SPAN_ARGS(engine->profile.name));
  return status;
}

static double mebibytes(uint64_t bytes) { return (double)bytes / (double)(1 << 20); }

static void describe(struct ew_text *text, const struct keeper *keeper, const struct ew_engine *engine) {
  const struct ew_stats *stats = &keeper->last;
  ew_text_add_format(text, "%.*s %.*s, one worker, seed %d: %llu tests in %.0f s, %llu engine starts, %llu findings\n",
                     EW_SPAN_ARGS(engine->profile.name), EW_SPAN_ARGS(engine->target.version), SEED,
                     (unsigned long long)stats->tests, keeper->seconds, (unsigned long long)stats->restarts + 1,
                     (unsigned long long)keeper->findings);
  ew_text_add_format(text, "%.2f CPU seconds of ours, %.2f of the engine's process\n", (double)stats->tool_cpu / 1e9,
                     (double)stats->host_cpu / 1e9);
}

enum ew_status ew_bench_hunt(struct ew_text *text, const struct ew_engine *engine,
                             const struct ew_oracle *const *oracles, uint64_t tests, struct ew_error *error) {
  struct keeper keeper;
  enum ew_status status = hunt(&keeper, engine, oracles, tests ? tests : HUNT_TESTS, error);
  if (status) return status;
  describe(text, &keeper, engine);
  ew_text_add_format(text, "%.1f MiB of memory at the start, %.1f MiB at the end\n", mebibytes(keeper.start_memory),
                     mebibytes(keeper.last.memory));
  ew_text_add_format(text, "hunt: %.1f µs of our CPU a test\n",
                     (double)keeper.last.tool_cpu / 1000.0 / (double)keeper.last.tests);
  return EW_OK;
}

/* Tests that the engine did not take are not counted, so the last mark is what was asked for, not what was counted. */
enum ew_status ew_bench_soak(struct ew_text *text, const struct ew_engine *engine,
                             const struct ew_oracle *const *oracles, uint64_t tests, struct ew_error *error) {
  struct keeper keeper;
  if (!tests) tests = SOAK_TESTS;
  enum ew_status status = hunt(&keeper, engine, oracles, tests, error);
  if (status) return status;
  if (!keeper.early_memory) return ew_fail(error, EW_MISSING, "fewer tests ran than a tenth of what was asked for");
  describe(text, &keeper, engine);
  double early = mebibytes(keeper.early_memory), end = mebibytes(keeper.last.memory);
  ew_text_add_format(text, "%.1f MiB of memory after %llu tests, %.1f MiB at the end\n", early,
                     (unsigned long long)keeper.early, end);
  ew_text_add_format(text, "soak: +%.1f %% memory from %llu to %llu tests\n", (end / early - 1) * 100,
                     (unsigned long long)keeper.early, (unsigned long long)tests);
  return EW_OK;
}
