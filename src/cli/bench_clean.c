/* bench_clean.c: an oracle may accuse an engine only if it never accuses the model. */
#include "cli/bench_clean.h"

#include "hunt/case_source.h"
#include "hunt/stage.h"
#include "report/report.h"

enum { STATEMENT_SECONDS = 10, SCENES_PER_INSTANCE = 64, SHOWN = 5 };

struct clean {
  uint64_t tests, seed;
  uint64_t done, alarms;
  struct ew_arena arena;
  struct ew_text *text;
};

static void show(struct clean *clean, const struct ew_trial *trial, const struct ew_case *test,
                 struct ew_stage *stage) {
  struct ew_program load = ew_trial_load(trial, test, stage, &clean->arena);
  ew_text_add_format(clean->text, "FALSE ALARM: case %llu: %.*s\n", (unsigned long long)test->key.number,
                     EW_SPAN_ARGS(trial->why.text));
  for (size_t i = 0; i < load.count; i++)
    ew_text_add_format(clean->text, "  %.*s;\n", EW_SPAN_ARGS(load.statements[i].text));
  for (size_t run = 0; run < trial->run_count; run++)
    for (size_t i = 0; i < trial->runs[run].program.count; i++)
      ew_text_add_format(clean->text, "  %.*s;\n", EW_SPAN_ARGS(trial->runs[run].program.statements[i].text));
}

static enum ew_status play(struct clean *clean, struct ew_stage *stage, struct ew_case_source *source, uint64_t number,
                           uint64_t *alarms, struct ew_error *error) {
  struct ew_case test;
  const struct ew_oracle *oracle;
  struct ew_trial trial;
  ew_arena_reset(&clean->arena);
  if (stage->scenes >= SCENES_PER_INSTANCE && ew_stage_renew(stage, error)) return EW_GONE;
  if (!ew_case_source_case(source, number, &clean->arena, &test, &oracle)) return EW_OK;
  enum ew_status status =
      ew_stage_play(stage, &test, oracle, number / EW_CASES_PER_SCENE + 1, &clean->arena, &trial, error);
  if (status) return status;
  clean->done++;
  if (!trial.applies || trial.verdict != EW_VIOLATED) return EW_OK;
  if ((*alarms)++ < SHOWN) show(clean, &trial, &test, stage);
  return EW_OK;
}

static enum ew_status measure_oracle(struct clean *clean, const struct ew_engine *engine,
                                     const struct ew_oracle *oracle, struct ew_error *error) {
  const struct ew_oracle *const alone[] = {oracle, NULL};
  struct ew_stage stage;
  struct ew_case_source source = {0};
  uint64_t alarms = 0;
  enum ew_status status = ew_stage_init(&stage, &engine->target, STATEMENT_SECONDS * EW_SECOND, error);
  if (!status) status = ew_case_source_init(&source, &engine->profile, alone, NULL, clean->seed, error);
  for (uint64_t number = 0; !status && number < clean->tests; number++)
    status = play(clean, &stage, &source, number, &alarms, error);
  ew_case_source_release(&source);
  ew_stage_release(&stage);
  clean->alarms += alarms;
  ew_text_add_format(clean->text, "%.*s %s: %llu false alarms\n", EW_SPAN_ARGS(engine->profile.name), oracle->name,
                     (unsigned long long)alarms);
  fprintf(stderr, "%.*s %s: %llu false alarms\n", EW_SPAN_ARGS(engine->profile.name), oracle->name,
          (unsigned long long)alarms);
  return status;
}

static enum ew_status measure_profile(struct clean *clean, const char *name, const char *list, bool named,
                                      struct ew_error *error) {
  struct ew_engine engine;
  struct ew_arena names;
  const struct ew_oracle *const *oracles;
  ew_arena_init(&names);
  enum ew_status status = ew_engine_read(&engine, name, error);
  bool fits = named || (ew_span_is(engine.profile.language, "cypher") && !ew_span_is(engine.profile.purpose, "test"));
  if (!status && fits) status = ew_engine_put_model(&engine, error);
  if (!status && fits) status = ew_engine_oracles(&engine, list, &names, &oracles, error);
  for (size_t i = 0; !status && fits && oracles[i]; i++) status = measure_oracle(clean, &engine, oracles[i], error);
  ew_engine_release(&engine);
  ew_arena_release(&names);
  return status;
}

enum ew_status ew_bench_clean(struct ew_text *text, const char *profile, const char *oracles, uint64_t tests,
                              uint64_t seed, struct ew_error *error) {
  struct clean clean = {.tests = tests, .seed = seed, .text = text};
  struct ew_arena arena;
  struct ew_names names = {0};
  ew_arena_init(&arena);
  ew_arena_init(&clean.arena);
  enum ew_status status = profile ? EW_OK : ew_engines_names(&arena, &names, error);
  if (profile) status = measure_profile(&clean, profile, oracles, true, error);
  for (size_t i = 0; !status && i < names.count; i++)
    status = measure_profile(&clean, ew_arena_string(&arena, names.items[i]), oracles, false, error);
  ew_text_add_format(text, "clean: %llu false alarms in %llu tests\n", (unsigned long long)clean.alarms,
                     (unsigned long long)clean.done);
  ew_arena_release(&clean.arena);
  ew_arena_release(&arena);
  return status;
}
