/* bench_zoo.c: only of planted bugs it is known which findings are of one cause, and how small a script can be. One stage hunts,
   another confirms and reduces, as in a worker. All findings are kept, also those that a hunt would count as duplicates: whether
   they are is the question. */
#include "cli/bench_zoo.h"

#include "base/vector.h"
#include "cli/plants.h"
#include "hunt/confirm.h"
#include "hunt/reduce_finding.h"
#include "oracle/oracles.h"
#include "report/cause.h"

enum { STATEMENT_SECONDS = 1, REDUCE_SECONDS = 5, SCENES_PER_INSTANCE = 64, FINDINGS_MAX = 5 };

/* A finding, and where it comes from. */
struct specimen {
  enum ew_plant plant;
  struct ew_traits traits;
};

struct zoo {
  const struct ew_oracle *const *oracles; /* ends with NULL */
  uint64_t tests, seed;
  struct ew_arena arena; /* the specimens */
  EW_VECTOR(struct specimen) specimens;
  size_t counted, found, small;
};

/* One plant. */
struct cage {
  struct zoo *zoo;
  enum ew_plant plant;
  struct ew_stage main, bench;
  struct ew_case_source source, replay_source;
  EW_VECTOR(uint64_t) history; /* cases since the instance of `main` is new */
  struct ew_arena case_arena, finding_arena;
  size_t findings, least;
};

/* ---- a finding ---- */

static void show(const struct ew_finding *finding) {
  fprintf(stderr, "  %-9.*s %4zu bytes, %u tries, %.1f s:", EW_SPAN_ARGS(finding->oracle), finding->bytes_after,
          finding->tries, (double)finding->reducing / 1e9);
  const struct ew_program *programs[] = {&finding->load, finding->run_count ? &finding->runs[0].program : NULL};
  for (size_t i = finding->joined; i < EW_COUNT(programs); i++)
    for (size_t k = 0; programs[i] && k < programs[i]->count; k++)
      fprintf(stderr, " %.*s;", EW_SPAN_ARGS(programs[i]->statements[k].text));
  fprintf(stderr, "%s  [%.*s]\n", finding->history_count ? " (with history)" : "", EW_SPAN_ARGS(finding->shape));
}

/* The base of a partition shows nothing alone: the largest of the runs counts. */
static size_t size_of(const struct ew_finding *finding) {
  struct ew_finding one = *finding;
  size_t most = 0;
  for (size_t i = 0; i < finding->run_count; i++) {
    one.runs = &finding->runs[i];
    one.run_count = 1;
    if (ew_finding_script_bytes(&one) > most) most = ew_finding_script_bytes(&one);
  }
  return most;
}

/* Confirms, reduces, keeps what grouping needs of it. */
static enum ew_status pursue(struct cage *cage, const struct ew_oracle *oracle, struct ew_finding *finding,
                             struct ew_error *error) {
  const struct ew_profile *profile = cage->bench.target.profile;
  struct ew_history history = {cage->history.items, cage->history.count};
  struct ew_reduce_options options = {.tries = EW_REDUCE_TRIES, .time = REDUCE_SECONDS * EW_SECOND};
  enum ew_status status =
      ew_confirm(&cage->bench, oracle, &cage->replay_source, history, &cage->finding_arena, finding, error);
  if (status || finding->state != EW_CONFIRMED) return status;
  status = ew_finding_reduce(&cage->bench, oracle, &cage->finding_arena, &options, finding, error);
  if (status) return status;
  ew_finding_label(&cage->finding_arena, profile, finding);
  show(finding);
  *ew_vector_push(&cage->zoo->specimens) = (struct specimen){cage->plant, ew_traits_of(&cage->zoo->arena, finding)};
  cage->findings++;
  size_t size = size_of(finding);
  if (!cage->least || size < cage->least) cage->least = size;
  return EW_OK;
}

/* ---- a plant ---- */

static enum ew_status play(struct cage *cage, uint64_t number, struct ew_error *error) {
  struct ew_case test;
  const struct ew_oracle *oracle;
  struct ew_trial trial;
  enum ew_status status = EW_OK;
  ew_arena_reset(&cage->case_arena);
  if (!ew_case_source_case(&cage->source, number, &cage->case_arena, &test, &oracle)) return EW_OK;
  uint64_t starts = cage->main.instance.counters.starts;
  status = ew_stage_play(&cage->main, &test, oracle, number / EW_CASES_PER_SCENE + 1, &cage->case_arena, &trial, error);
  if (status) return status;
  if (cage->main.instance.counters.starts != starts) ew_vector_reset(&cage->history);
  if (trial.applies && trial.verdict == EW_VIOLATED) {
    struct ew_finding finding;
    if (trial.in_load) oracle = &ew_oracle_survive;
    ew_arena_reset(&cage->finding_arena);
    ew_trial_finding(&trial, &test, oracle, &cage->main, &cage->finding_arena, &finding);
    finding.test = ew_case_clone(&cage->finding_arena, &test);
    finding.load = ew_trial_load(&trial, &test, &cage->main, &cage->finding_arena);
    status = pursue(cage, oracle, &finding, error);
  }
  if (ew_instance_alive(&cage->main.instance))
    *ew_vector_push(&cage->history) = number;
  else
    ew_vector_reset(&cage->history);
  return status;
}

static enum ew_status hunt(struct cage *cage, struct ew_error *error) {
  enum ew_status status = EW_OK;
  for (uint64_t number = 0; !status && number < cage->zoo->tests && cage->findings < FINDINGS_MAX; number++) {
    if (number % EW_CASES_PER_SCENE == 0 && cage->main.scenes >= SCENES_PER_INSTANCE) {
      ew_vector_reset(&cage->history);
      status = ew_stage_renew(&cage->main, error);
    }
    if (!status) status = play(cage, number, error);
  }
  return status;
}

static enum ew_status open_cage(struct cage *cage, const struct ew_engine *engine, struct ew_error *error) {
  const struct zoo *zoo = cage->zoo;
  enum ew_status status = ew_stage_init(&cage->main, &engine->target, STATEMENT_SECONDS * EW_SECOND, error);
  if (!status) status = ew_stage_init(&cage->bench, &engine->target, STATEMENT_SECONDS * EW_SECOND, error);
  if (!status) status = ew_case_source_init(&cage->source, &engine->profile, zoo->oracles, NULL, zoo->seed, error);
  if (!status)
    status = ew_case_source_init(&cage->replay_source, &engine->profile, zoo->oracles, NULL, zoo->seed, error);
  ew_arena_init(&cage->case_arena);
  ew_arena_init(&cage->finding_arena);
  return status;
}

static void close_cage(struct cage *cage) {
  ew_stage_release(&cage->main);
  ew_stage_release(&cage->bench);
  ew_case_source_release(&cage->source);
  ew_case_source_release(&cage->replay_source);
  ew_vector_release(&cage->history);
  ew_arena_release(&cage->case_arena);
  ew_arena_release(&cage->finding_arena);
}

/* Of "a ;; b": a separator is one byte, and behind the last there is one too, as findings are counted. */
static size_t script_bytes(const char *script) {
  static const char separator[] = " ;; ", setting[] = ":param ";
  size_t bytes = 0;
  while (script) {
    const char *end = strstr(script, separator);
    size_t length = end ? (size_t)(end - script) : strlen(script);
    if (strncmp(script, setting, strlen(setting)) != 0) bytes += length + 1;
    script = end ? end + strlen(separator) : NULL;
  }
  return bytes;
}

static enum ew_status visit(struct zoo *zoo, enum ew_plant plant, struct ew_text *text, struct ew_error *error) {
  const struct ew_plant_entry *entry = &ew_plant_entries[plant];
  struct cage cage = {.zoo = zoo, .plant = plant};
  struct ew_engine engine = {0};
  size_t smallest = script_bytes(entry->script);
  fprintf(stderr, "%s, %zu bytes: %s\n", entry->name, smallest, entry->script);
  enum ew_status status = ew_engine_open(&engine, "model", error);
  if (!status) status = ew_engine_plant(&engine, entry->name, error);
  if (!status) status = open_cage(&cage, &engine, error);
  if (!status) status = hunt(&cage, error);
  close_cage(&cage);
  ew_engine_release(&engine);
  if (status) return status;
  bool small = cage.findings && cage.least * 2 <= smallest * 3;
  zoo->counted++;
  zoo->found += cage.findings > 0;
  zoo->small += small;
  ew_text_add_format(text, "%-72s ", entry->name);
  if (cage.findings)
    ew_text_add_format(text, "%zu found, %4zu bytes, smallest script %4zu%s\n", cage.findings, cage.least, smallest,
                       small ? "" : "  LARGE");
  else
    ew_text_add_string(text, "-\n");
  return EW_OK;
}

/* ---- grouping ---- */

struct pairs {
  size_t together, alike, both; /* pairs of one group; of one plant; of one group and one plant */
};

static double percent(size_t part, size_t whole) { return whole ? 100.0 * (double)part / (double)whole : 100.0; }

static void add_pairs(struct ew_text *text, const char *title, struct pairs pairs) {
  ew_text_add_format(text, "%s: precision %.1f %%, recall %.1f %%\n", title, percent(pairs.both, pairs.together),
                     percent(pairs.both, pairs.alike));
}

static void count_pair(struct pairs *pairs, bool together, bool alike) {
  pairs->together += together;
  pairs->alike += alike;
  pairs->both += together && alike;
}

static void show_mistake(const struct specimen *one, const struct specimen *head) {
  fprintf(stderr, "joined with %s: %s\n ", ew_plant_entries[head->plant].name, ew_plant_entries[one->plant].name);
  const struct ew_traits *both[] = {&head->traits, &one->traits};
  for (size_t i = 0; i < EW_COUNT(both); i++) {
    fprintf(stderr, " [%.*s:", EW_SPAN_ARGS(both[i]->core));
    for (size_t k = 0; k < both[i]->marks.count; k++) fprintf(stderr, " %.*s,", EW_SPAN_ARGS(both[i]->marks.items[k]));
    fprintf(stderr, "]");
  }
  fprintf(stderr, "\n");
}

static void group(struct zoo *zoo, struct ew_text *text) {
  size_t count = zoo->specimens.count, *causes = EW_NEW_ARRAY(&zoo->arena, size_t, count + 1);
  const struct specimen *items = zoo->specimens.items;
  struct ew_traits *traits = EW_NEW_ARRAY(&zoo->arena, struct ew_traits, count + 1);
  struct pairs by_group = {0}, by_cause = {0};
  for (size_t i = 0; i < count; i++) traits[i] = items[i].traits;
  size_t cause_count = ew_causes(traits, count, causes);
  for (size_t i = 0; i < count; i++) {
    if (items[causes[i]].plant != items[i].plant) show_mistake(&items[i], &items[causes[i]]);
    for (size_t k = 0; k < i; k++) {
      bool alike = items[i].plant == items[k].plant;
      count_pair(&by_group, traits[i].group == traits[k].group, alike);
      count_pair(&by_cause, causes[i] == causes[k], alike);
    }
  }
  ew_text_add_format(text, "%zu findings of %zu plants (%zu hunted) are of %zu likely causes\n", count, zoo->found,
                     zoo->counted, cause_count);
  ew_text_add_format(text, "zoo reduction: %zu of %zu found plants within 1.5 x the smallest script\n", zoo->small,
                     zoo->found);
  add_pairs(text, "by group", by_group);
  add_pairs(text, "zoo grouping", by_cause);
}

/* ---- all of them ---- */

static enum ew_status visit_all(struct zoo *zoo, const struct ew_plants *wanted, struct ew_text *text,
                                struct ew_error *error) {
  enum ew_status status = EW_OK;
  ew_text_add_string(text, "sizes: bytes of data and query statements, a separator after each as one byte\n");
  for (int plant = 0; !status && plant < EW_PLANTS; plant++)
    if (ew_plants_have(wanted, (enum ew_plant)plant) && ew_plant_entries[plant].class != EW_PLANT_CLASS_SLOW)
      status = visit(zoo, (enum ew_plant)plant, text, error);
  if (!status && !zoo->found) return ew_fail(error, EW_MISSING, "no planted bug was found");
  if (!status) group(zoo, text);
  return status;
}

enum ew_status ew_bench_zoo(struct ew_text *text, const char *plants, uint64_t tests, uint64_t seed,
                            struct ew_error *error) {
  struct zoo zoo = {.tests = tests, .seed = seed};
  struct ew_engine model = {0};
  struct ew_plants wanted = {0};
  struct ew_arena names;
  ew_arena_init(&zoo.arena);
  ew_arena_init(&names);
  enum ew_status status = ew_plants_settle(plants, &wanted, error);
  for (int i = 0; !plants && i < EW_PLANTS; i++) ew_plants_add(&wanted, (enum ew_plant)i);
  if (!status) status = ew_engine_open(&model, "model", error);
  if (!status) status = ew_engine_oracles(&model, "survive,partition,model", &names, &zoo.oracles, error);
  if (!status) status = visit_all(&zoo, &wanted, text, error);
  ew_engine_release(&model);
  ew_vector_release(&zoo.specimens);
  ew_arena_release(&names);
  ew_arena_release(&zoo.arena);
  return status;
}
