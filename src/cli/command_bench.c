/* command_bench.c: `edgewise bench NAME`: figures about edgewise itself, so that none is stated that nobody can
   measure. */
#include "base/deadline.h"
#include "cli/bench_clean.h"
#include "cli/bench_cypher.h"
#include "cli/bench_fuzz.h"
#include "cli/bench_generate.h"
#include "cli/bench_hunt.h"
#include "cli/bench_model.h"
#include "cli/bench_recall.h"
#include "cli/bench_reduce.h"
#include "cli/bench_zoo.h"
#include "cli/commands.h"
#include "cli/engines.h"
#include "cli/output.h"
#include "cli/tck.h"
#include "hunt/case_source.h"

enum { SEED = 1, FUZZ_SECONDS = 60, REDUCE_SECONDS = 60, RECALL_TESTS = 20000, ZOO_TESTS = 3000, CLEAN_TESTS = 300000 };

struct bench {
  const struct ew_arguments *given;
  struct ew_engine engine;
  struct ew_arena arena;
  const struct ew_oracle *const *oracles;
  struct ew_text text; /* the result */
};

/* ---- generate ---- */

static uint64_t seed_of(const struct bench *bench) {
  const struct ew_setting *seed = ew_setting(bench->given, EW_OPTION_seed);
  return seed->given ? seed->number : SEED;
}

static enum ew_status bench_generate(struct bench *bench, struct ew_error *error) {
  return ew_bench_generate(&bench->text, &bench->engine.profile, seed_of(bench), error);
}

static enum ew_status bench_ablation(struct bench *bench, struct ew_error *error) {
  return ew_bench_ablation(&bench->text, &bench->engine.profile, seed_of(bench), error);
}

/* ---- hunt ---- */

static enum ew_status bench_hunt(struct bench *bench, struct ew_error *error) {
  uint64_t tests = ew_setting(bench->given, EW_OPTION_tests)->number;
  return ew_bench_hunt(&bench->text, &bench->engine, bench->oracles, tests, error);
}

static enum ew_status bench_soak(struct bench *bench, struct ew_error *error) {
  uint64_t tests = ew_setting(bench->given, EW_OPTION_tests)->number;
  return ew_bench_soak(&bench->text, &bench->engine, bench->oracles, tests, error);
}

static enum ew_status bench_reduce(struct bench *bench, struct ew_error *error) {
  const struct ew_setting *seed = ew_setting(bench->given, EW_OPTION_seed);
  const struct ew_setting *time = ew_setting(bench->given, EW_OPTION_time);
  return ew_bench_reduce(&bench->text, &bench->engine, bench->oracles, seed->given ? seed->number : SEED,
                         time->given ? time->duration : REDUCE_SECONDS * EW_SECOND, error);
}

/* ---- tck ---- */

static enum ew_status bench_tck(struct bench *bench, struct ew_error *error) {
  return ew_tck_measure(&bench->text, ew_setting(bench->given, EW_OPTION_only)->text,
                        ew_setting(bench->given, EW_OPTION_list)->given, error);
}

/* ---- Cypher ---- */

static enum ew_status bench_print(struct bench *bench, struct ew_error *error) {
  return ew_bench_print(&bench->text, &bench->engine.profile, error);
}

static enum ew_status bench_parse(struct bench *bench, struct ew_error *error) {
  return ew_bench_parse(&bench->text, &bench->engine.profile, error);
}

static enum ew_status bench_roundtrip(struct bench *bench, struct ew_error *error) {
  return ew_bench_roundtrip(&bench->text, error);
}

/* ---- the model ---- */

static enum ew_status bench_model(struct bench *bench, struct ew_error *error) {
  return ew_bench_model(&bench->text, error);
}

static enum ew_status bench_fuzz(struct bench *bench, struct ew_error *error) {
  const struct ew_setting *tests = ew_setting(bench->given, EW_OPTION_tests);
  const struct ew_setting *seed = ew_setting(bench->given, EW_OPTION_seed);
  const struct ew_setting *time = ew_setting(bench->given, EW_OPTION_time);
  int64_t most = tests->given ? INT64_MAX / 2 : FUZZ_SECONDS * EW_SECOND;
  return ew_bench_fuzz(&bench->text, &bench->engine.profile, seed->given ? seed->number : SEED,
                       tests->given ? tests->number : UINT64_MAX, time->given ? time->duration : most, error);
}

static enum ew_status bench_recall(struct bench *bench, struct ew_error *error) {
  const struct ew_setting *tests = ew_setting(bench->given, EW_OPTION_tests);
  const struct ew_setting *seed = ew_setting(bench->given, EW_OPTION_seed);
  return ew_bench_recall(&bench->text, ew_setting(bench->given, EW_OPTION_plant)->text,
                         ew_setting(bench->given, EW_OPTION_oracle)->text, tests->given ? tests->number : RECALL_TESTS,
                         seed->given ? seed->number : SEED, error);
}

static enum ew_status bench_zoo(struct bench *bench, struct ew_error *error) {
  const struct ew_setting *tests = ew_setting(bench->given, EW_OPTION_tests);
  return ew_bench_zoo(&bench->text, ew_setting(bench->given, EW_OPTION_plant)->text,
                      tests->given ? tests->number : ZOO_TESTS, seed_of(bench), error);
}

static enum ew_status bench_clean(struct bench *bench, struct ew_error *error) {
  const struct ew_setting *tests = ew_setting(bench->given, EW_OPTION_tests);
  const struct ew_setting *seed = ew_setting(bench->given, EW_OPTION_seed);
  return ew_bench_clean(&bench->text, ew_setting(bench->given, EW_OPTION_engine)->text,
                        ew_setting(bench->given, EW_OPTION_oracle)->text, tests->given ? tests->number : CLEAN_TESTS,
                        seed->given ? seed->number : SEED, error);
}

/* ---- the command ---- */

enum need {
  NOTHING,
  PROFILE, /* of an engine, and the oracles for it */
  ENGINE,  /* one that can run */
};

static const struct measurement {
  const char *name, *summary;
  enum need need;
  enum ew_status (*run)(struct bench *bench, struct ew_error *error);
} measurements[] = {
#define BENCH(name, need, summary) {#name, summary, need, bench_##name},
#include "cli/bench.def"
#undef BENCH
};

static enum ew_exit list(void) {
  struct ew_text text = {0};
  for (size_t i = 0; i < EW_COUNT(measurements); i++)
    ew_text_add_format(&text, "%-12s %s\n", measurements[i].name, measurements[i].summary);
  return ew_output_last(&text, EW_EXIT_NOTHING);
}

static enum ew_status prepare(struct bench *bench, enum need need, const char *engine, struct ew_error *error) {
  if (need == NOTHING) return EW_OK;
  enum ew_status status =
      need == ENGINE ? ew_engine_open(&bench->engine, engine, error) : ew_engine_read(&bench->engine, engine, error);
  return status ? status : ew_engine_oracles(&bench->engine, NULL, &bench->arena, &bench->oracles, error);
}

static enum ew_exit measure(const struct measurement *measurement, const struct ew_arguments *given) {
  struct bench bench = {.given = given};
  struct ew_error error;
  const char *engine = ew_setting(given, EW_OPTION_engine)->text;
  ew_arena_init(&bench.arena);
  enum ew_status status = prepare(&bench, measurement->need, engine ? engine : "graphqlite", &error);
  if (!status) status = measurement->run(&bench, &error);
  ew_engine_release(&bench.engine);
  ew_arena_release(&bench.arena);
  if (status) ew_text_release(&bench.text);
  return status ? ew_give_up(status, &error) : ew_output_last(&bench.text, EW_EXIT_NOTHING);
}

enum ew_exit ew_command_bench(const struct ew_arguments *given) {
  struct ew_error error;
  if (!given->word_count) return list();
  for (size_t i = 0; i < EW_COUNT(measurements); i++)
    if (strcmp(given->words[0], measurements[i].name) == 0) return measure(&measurements[i], given);
  return ew_give_up(ew_fail(&error, EW_USAGE, "there is no measurement '%.60s'; see: edgewise bench", given->words[0]),
                    &error);
}
