/* bench_recall.c: planted bugs are the only ones whose number is known, so that what an oracle misses can be counted. A hit counts
   only if the same case holds on the model without the plant. */
#include "cli/bench_recall.h"

#include "cli/plants.h"
#include "hunt/case_source.h"
#include "hunt/stage.h"
#include "model/zoo.h"
#include "oracle/oracles.h"

enum { STATEMENT_SECONDS = 3, ORACLES_MAX = 16, SCENES_PER_INSTANCE = 64 };

/* One oracle on one plant. */
struct hit {
  uint64_t tests; /* until it was found; 0 is not at all */
  uint64_t false_alarms;
};

struct recall {
  const struct ew_oracle *const *oracles; /* ends with NULL */
  uint64_t tests, seed;
  struct ew_engine clean;
  struct ew_stage clean_stage;
  struct ew_arena arena;
  size_t counted, found, found_without_model, false_alarms;
};

static bool violates(struct ew_stage *stage, const struct ew_case *test, const struct ew_oracle *oracle, uint64_t token,
                     struct ew_arena *arena, bool *violated, struct ew_error *error) {
  struct ew_trial trial;
  if (ew_stage_play(stage, test, oracle, token, arena, &trial, error)) return false;
  *violated = trial.applies && trial.verdict == EW_VIOLATED;
  return true;
}

/* Whether the case violates on the planted model and not on the clean one. */
static enum ew_status try_case(struct recall *recall, struct ew_stage *stage, const struct ew_case *test,
                               const struct ew_oracle *oracle, uint64_t token, struct hit *hit, bool *found,
                               struct ew_error *error) {
  bool planted = false, clean = false;
  *found = false;
  if (!violates(stage, test, oracle, token, &recall->arena, &planted, error)) return EW_GONE;
  if (!planted) return EW_OK;
  if (!violates(&recall->clean_stage, test, oracle, 0, &recall->arena, &clean, error)) return EW_GONE;
  if (clean) hit->false_alarms++;
  *found = !clean;
  return EW_OK;
}

static enum ew_status hunt_plant(struct recall *recall, const struct ew_engine *engine, const struct ew_oracle *oracle,
                                 struct hit *hit, struct ew_error *error) {
  const struct ew_oracle *const alone[] = {oracle, NULL};
  struct ew_stage stage;
  struct ew_case_source source = {0};
  *hit = (struct hit){0};
  enum ew_status status = ew_stage_init(&stage, &engine->target, STATEMENT_SECONDS * EW_SECOND, error);
  if (!status) status = ew_case_source_init(&source, &engine->profile, alone, NULL, recall->seed, error);
  uint64_t done = 0;
  for (uint64_t number = 0; !status && !hit->tests && done < recall->tests; number++) {
    struct ew_case test;
    const struct ew_oracle *own;
    bool found;
    ew_arena_reset(&recall->arena);
    if (stage.scenes >= SCENES_PER_INSTANCE) status = ew_stage_renew(&stage, error);
    if (status || !ew_case_source_case(&source, number, &recall->arena, &test, &own)) {
      done += number % EW_CASES_PER_SCENE == 0; /* an oracle that never has anything ends too */
      continue;
    }
    status = try_case(recall, &stage, &test, oracle, number / EW_CASES_PER_SCENE + 1, hit, &found, error);
    done++;
    if (found) hit->tests = done;
  }
  ew_case_source_release(&source);
  ew_stage_release(&stage);
  return status;
}

/* ---- one plant ---- */

static void write_row(struct ew_text *row, const struct recall *recall, const struct ew_plant_entry *entry,
                      const struct hit *hits) {
  ew_text_add_format(row, "%-72s %-10s", entry->name, ew_plant_class_name(entry->class));
  for (size_t i = 0; recall->oracles[i]; i++) {
    if (hits[i].tests)
      ew_text_add_format(row, "  %s %llu", recall->oracles[i]->name, (unsigned long long)hits[i].tests);
    else
      ew_text_add_format(row, "  %s -", recall->oracles[i]->name);
    if (hits[i].false_alarms) ew_text_add_format(row, " (%llu false)", (unsigned long long)hits[i].false_alarms);
  }
  ew_text_add_char(row, '\n');
}

static enum ew_status measure_plant(struct recall *recall, enum ew_plant plant, struct ew_text *text,
                                    struct ew_error *error) {
  const struct ew_plant_entry *entry = &ew_plant_entries[plant];
  struct ew_engine engine;
  struct hit hits[ORACLES_MAX] = {{0}};
  bool found = false, without_model = false;
  enum ew_status status = ew_engine_open(&engine, "model", error);
  if (!status) status = ew_engine_plant(&engine, entry->name, error);
  for (size_t i = 0; !status && recall->oracles[i]; i++) {
    status = hunt_plant(recall, &engine, recall->oracles[i], &hits[i], error);
    found |= hits[i].tests > 0;
    without_model |= hits[i].tests > 0 && recall->oracles[i] != &ew_oracle_model;
    recall->false_alarms += hits[i].false_alarms;
  }
  ew_engine_release(&engine);
  if (status) return status;
  recall->counted++;
  recall->found += found;
  recall->found_without_model += without_model;
  struct ew_text row = {0};
  write_row(&row, recall, entry, hits);
  fputs(row.bytes, stderr);
  ew_text_add(text, ew_text_span(&row));
  ew_text_release(&row);
  return EW_OK;
}

/* ---- all of them ---- */

static enum ew_status measure_all(struct recall *recall, const struct ew_plants *wanted, struct ew_text *text,
                                  struct ew_error *error) {
  enum ew_status status = EW_OK;
  size_t slow = 0;
  for (int plant = 0; !status && plant < EW_PLANTS; plant++) {
    if (!ew_plants_have(wanted, (enum ew_plant)plant)) continue;
    if (ew_plant_entries[plant].class == EW_PLANT_CLASS_SLOW)
      slow++;
    else
      status = measure_plant(recall, (enum ew_plant)plant, text, error);
  }
  if (slow) ew_text_add_format(text, "%zu plants of slowness are not counted: no oracle of time is there\n", slow);
  if (recall->false_alarms) ew_text_add_format(text, "%zu FALSE ALARMS on the clean model\n", recall->false_alarms);
  ew_text_add_format(text, "recall without model: %zu of %zu planted bugs\n", recall->found_without_model,
                     recall->counted);
  ew_text_add_format(text, "recall: %zu of %zu planted bugs\n", recall->found, recall->counted);
  return status;
}

enum ew_status ew_bench_recall(struct ew_text *text, const char *plants, const char *oracles, uint64_t tests,
                               uint64_t seed, struct ew_error *error) {
  struct recall recall = {.tests = tests, .seed = seed};
  struct ew_plants wanted;
  ew_arena_init(&recall.arena);
  struct ew_arena names;
  ew_arena_init(&names);
  enum ew_status status = ew_plants_settle(plants, &wanted, error);
  for (int i = 0; !plants && i < EW_PLANTS; i++) ew_plants_add(&wanted, (enum ew_plant)i);
  if (!status) status = ew_engine_open(&recall.clean, "model", error);
  if (!status) status = ew_engine_oracles(&recall.clean, oracles, &names, &recall.oracles, error);
  if (!status) status = ew_stage_init(&recall.clean_stage, &recall.clean.target, STATEMENT_SECONDS * EW_SECOND, error);
  if (!status) status = measure_all(&recall, &wanted, text, error);
  ew_stage_release(&recall.clean_stage);
  ew_engine_release(&recall.clean);
  ew_arena_release(&names);
  ew_arena_release(&recall.arena);
  return status;
}
