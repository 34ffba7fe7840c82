/* worker.c: the loop of a worker.

   Two stages: one for tests, whose instance lives through many scenes, and one for confirmation and reduction, so that these do not
   disturb the first one's history. Reduction gets a share of the time; what must wait is done when the tests are over. */
#include "hunt/worker.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/log.h"
#include "base/map.h"
#include "base/vector.h"
#include "hunt/case_source.h"
#include "hunt/confirm.h"
#include "hunt/fingerprint.h"
#include "hunt/message.h"
#include "hunt/reduce_finding.h"
#include "oracle/oracles.h"

enum {
  SCENES_PER_INSTANCE = 64, /* then the engine host is replaced; a profile may say otherwise */
  WAITING_MAX = 256,
  REDUCE_SHARE = 50, /* percent of the time since the start that reduction may take, while tests are running */
};

struct worker {
  const struct ew_hunt_options *options;
  struct ew_hunt_shared *shared;
  struct ew_stats *stats;
  unsigned number;
  int socket;
  struct ew_case_source source, replay_source; /* the second makes history again */
  struct ew_stage main, bench;
  struct ew_arena case_arena, finding_arena;
  EW_VECTOR(uint64_t) history;    /* cases that ran on main's instance since its start */
  struct ew_map known;            /* groups that there is a finding of */
  EW_VECTOR(uint64_t) duplicates; /* groups of violations of these, which the supervisor was not told yet */
  EW_VECTOR(uint64_t) waiting;    /* cases whose violation is to be looked at when the tests are over */
  uint64_t scenes_max;            /* of an instance */
  bool one_database;              /* both stages are on the same one: each spoils what the other has loaded */
  int64_t started, reducing;      /* when; and nanoseconds spent on findings */
  bool last_words;                /* tests are over: no share any more */
};

/* ---- statistics ---- */

static size_t oracle_index(const struct ew_oracle *oracle) {
  size_t i = 0;
  while (ew_oracles[i] && ew_oracles[i] != oracle) i++;
  return i;
}

static void count_feature(void *context, const char *feature) { ew_stats_feature(context, feature); }

/* One base statement falls in exactly one of five kinds (CONTRACT: Statements). */
static void count_outcome(struct worker *worker, const struct ew_statement *statement,
                          const struct ew_statement_outcome *outcome) {
  struct ew_stats *stats = worker->stats;
  switch (outcome->kind) {
    case EW_OUTCOME_ROWS:
    case EW_OUTCOME_TOO_LARGE: stats->accepted++; break;
    case EW_OUTCOME_TIMEOUT: stats->timeouts++; break;
    case EW_OUTCOME_ERROR:
      if (outcome->error_class == EW_ERROR_REFUSED) {
        struct ew_text cause = {0};
        ew_fingerprint_normalise(&cause, outcome->text);
        ew_stats_cause(stats, ew_text_span(&cause));
        ew_text_release(&cause);
        stats->refused++;
      } else if (outcome->error_class == EW_ERROR_UNEXPECTED) {
        stats->engine_faults++;
      } else {
        stats->agreed_errors++;
      }
      break;
    default: stats->engine_faults++; break;
  }
  if (!statement->columns.count) return;
  stats->queries++;
  if (outcome->kind == EW_OUTCOME_ROWS && outcome->rows.row_count) stats->nonempty++;
}

static void count_trial(struct worker *worker, const struct ew_case *test, const struct ew_oracle *oracle,
                        const struct ew_trial *trial) {
  /* Where the engine does not take the scene, for a reason, nothing was tested. */
  if (trial->in_load && trial->verdict != EW_VIOLATED) return;
  worker->stats->tests++;
  worker->stats->oracles[oracle_index(oracle)].tests++;
  if (trial->in_load || !trial->run_count) return;
  const struct ew_program *program = &trial->runs[0].program;
  size_t dependencies = test->language->dependencies ? test->language->dependencies(test->base) : 0;
  for (size_t i = 0; i + trial->runs[0].looks < program->count; i++) {
    if (trial->outcomes[0].statements[i].kind == EW_OUTCOME_NOT_RUN) break; /* one before it ended the run */
    ew_stats_statement(worker->stats, program->statements[i].text, dependencies);
    count_outcome(worker, &program->statements[i], &trial->outcomes[0].statements[i]);
  }
  test->language->features(test->base, count_feature, worker->stats);
}

static void count_resources(struct worker *worker) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  worker->stats->tool_cpu =
      ew_cpu_now() + ew_instance_own_cpu(&worker->main.instance) + ew_instance_own_cpu(&worker->bench.instance);
  worker->stats->memory = (uint64_t)usage.ru_maxrss * 1024;
  const struct ew_instance_counters *a = &worker->main.instance.counters, *b = &worker->bench.instance.counters;
  worker->stats->host_cpu = ew_instance_cpu(&worker->main.instance) + ew_instance_cpu(&worker->bench.instance);
  worker->stats->engine_time = a->engine_nanoseconds + b->engine_nanoseconds;
  worker->stats->restarts = a->starts ? a->starts - 1 : 0;
  worker->stats->crashes = a->crashes;
  worker->stats->hangs = a->hangs;
}

/* ---- reduction ---- */

struct progress {
  const struct worker *worker;
  const struct ew_finding *finding;
};

static void say_progress(void *context, unsigned tries, size_t size) {
  const struct progress *progress = context;
  char text[96];
  if (tries % 16 != 1) return;
  int length =
      snprintf(text, sizeof text, "reducing %s: %u tries, %zu nodes left", progress->finding->id.text, tries, size);
  ew_hunt_send(progress->worker->socket, EW_SAY_PROGRESS, false, 0, (struct ew_span){text, (size_t)length});
}

static void reduce(struct worker *worker, const struct ew_oracle *oracle, struct ew_finding *finding) {
  struct progress progress = {worker, finding};
  struct ew_reduce_options options = {
      .tries = EW_REDUCE_TRIES, .time = worker->options->reduce_time, .progress = say_progress, .context = &progress};
  struct ew_error error;
  if (ew_finding_reduce(&worker->bench, oracle, &worker->finding_arena, &options, finding, &error))
    ew_log(EW_LOG_WARN, "finding %s could not be reduced: %s", finding->id.text, error.text);
}

/* ---- violations ---- */

static bool tell(struct worker *worker, enum ew_hunt_message type, const struct ew_finding *finding) {
  struct ew_text json = {0};
  struct ew_json_writer writer;
  enum ew_hunt_answer answer;
  ew_json_writer_init(&writer, &json, 1);
  ew_finding_write_json(&writer, finding);
  ew_text_add_char(&json, '\n');
  if (json.length > EW_HUNT_MESSAGE_MAX) {
    ew_log(EW_LOG_WARN, "finding %s is larger than %d bytes and is dropped", finding->id.text, EW_HUNT_MESSAGE_MAX);
    ew_text_release(&json);
    return false;
  }
  bool alive = ew_hunt_ask(worker->socket, type, false, finding->group, ew_text_span(&json), &answer);
  ew_text_release(&json);
  return alive && answer == EW_ANSWER_YES;
}

/* Confirms, reports, reduces, reports again. */
static void pursue(struct worker *worker, const struct ew_oracle *oracle, struct ew_finding *finding) {
  struct ew_error error;
  struct ew_history history = {worker->history.items, worker->history.count};
  if (ew_confirm(&worker->bench, oracle, &worker->replay_source, history, &worker->finding_arena, finding, &error)) {
    ew_log(EW_LOG_WARN, "a violation could not be confirmed: %s", error.text);
    return;
  }
  if (finding->state == EW_FLAKY) {
    worker->stats->flaky++;
    return;
  }
  ew_finding_label(&worker->finding_arena, worker->options->target.profile, finding);
  finding->bytes_before = finding->bytes_after = ew_finding_script_bytes(finding);
  if (!tell(worker, EW_SAY_CONFIRMED, finding)) return;
  if (finding->state == EW_CONFIRMED) reduce(worker, oracle, finding);
  ew_finding_label(&worker->finding_arena, worker->options->target.profile, finding);
  if (tell(worker, EW_SAY_REDUCED, finding)) worker->stats->oracles[oracle_index(oracle)].findings++;
}

static bool over_share(const struct worker *worker) {
  int64_t elapsed = ew_now() - worker->started;
  return !worker->last_words && elapsed > EW_SECOND && worker->reducing * 100 > elapsed * REDUCE_SHARE;
}

/* Whether the violation of a group is one to look at, now or when the tests are over. */
static bool is_wanted(struct worker *worker, uint64_t group, bool now) {
  struct ew_span key = ew_map_key_number(&group);
  enum ew_hunt_answer answer = EW_ANSWER_KNOWN;
  if (ew_map_find(&worker->known, key))
    *ew_vector_push(&worker->duplicates) = group;
  else if (!ew_hunt_ask(worker->socket, EW_SAY_VIOLATION, now, group, EW_SPAN(""), &answer))
    exit(EW_EXIT_BUG);
  else if (answer == EW_ANSWER_KNOWN)
    ew_map_add(&worker->known, key, NULL);
  return answer == EW_ANSWER_YES;
}

static void tell_duplicates(struct worker *worker) {
  if (!worker->duplicates.count) return;
  struct ew_span groups = {(const char *)worker->duplicates.items,
                           worker->duplicates.count * sizeof worker->duplicates.items[0]};
  ew_hunt_send(worker->socket, EW_SAY_DUPLICATES, false, 0, groups);
  ew_vector_reset(&worker->duplicates);
}

static void handle_violation(struct worker *worker, const struct ew_case *test, const struct ew_oracle *oracle,
                             const struct ew_trial *trial) {
  struct ew_finding finding;
  if (!worker->last_words) {
    worker->stats->violations++;
    worker->stats->oracles[oracle_index(oracle)].violations++;
  }
  ew_arena_reset(&worker->finding_arena);
  ew_trial_finding(trial, test, oracle, &worker->main, &worker->finding_arena, &finding);
  struct ew_fingerprint fingerprint = ew_fingerprint(&worker->finding_arena, &finding);
  bool now = !over_share(worker);
  if (!is_wanted(worker, fingerprint.group, now)) {
    worker->stats->duplicates++;
    return;
  }
  if (!now) {
    if (worker->waiting.count < WAITING_MAX) *ew_vector_push(&worker->waiting) = test->key.number;
    return;
  }
  int64_t begun = ew_now();
  finding.test = ew_case_clone(&worker->finding_arena, test);
  finding.load = ew_trial_load(trial, test, &worker->main, &worker->finding_arena);
  pursue(worker, oracle, &finding);
  if (worker->one_database) worker->main.loaded = 0;
  worker->reducing += ew_now() - begun;
}

/* What any oracle's run did besides answering: a crash, a hang, an error out of nothing is one for `survive`, with the very query
   that did it as base. */
static void handle_faults(struct worker *worker, const struct ew_case *test, const struct ew_oracle *oracle,
                          const struct ew_trial *trial) {
  struct ew_claim clean = {.relation = EW_RELATION_clean};
  if (oracle == &ew_oracle_survive || trial->in_load) return;
  for (size_t i = 0; i < trial->run_count; i++) {
    const struct ew_run *run = &trial->runs[i];
    struct ew_why why;
    enum ew_verdict verdict = ew_relation_judge(clean, &trial->outcomes[i], 1,
                                                &worker->options->target.profile->semantics, &worker->case_arena, &why);
    bool single = run->program.count == 1;
    if (verdict != EW_VIOLATED || (single && !run->program.statements[0].tree)) continue;
    struct ew_trial part = {.verdict = verdict, .claim = clean, .why = why, .applies = true, .run_count = 1};
    part.runs[0] = *run;
    part.outcomes[0] = trial->outcomes[i];
    struct ew_case alone = *test;
    if (single) alone.base = run->program.statements[0].tree;
    alone.recipe = (struct ew_recipe){0};
    handle_violation(worker, &alone, &ew_oracle_survive, &part);
    return;
  }
}

/* ---- tests ---- */

static bool play(struct worker *worker, uint64_t number) {
  struct ew_case test;
  const struct ew_oracle *oracle;
  struct ew_trial trial;
  struct ew_error error;
  ew_arena_reset(&worker->case_arena);
  if (!ew_case_source_case(&worker->source, number, &worker->case_arena, &test, &oracle)) return true;
  uint64_t starts = worker->main.instance.counters.starts;
  uint64_t token = number / EW_CASES_PER_SCENE + 1;
  if (ew_stage_play(&worker->main, &test, oracle, token, &worker->case_arena, &trial, &error)) {
    ew_hunt_send(worker->socket, EW_SAY_BROKEN, false, 0, ew_span_of(error.text));
    return false;
  }
  if (worker->main.instance.counters.starts != starts) ew_vector_reset(&worker->history);
  if (!worker->last_words) count_trial(worker, &test, oracle, &trial);
  if (trial.applies && trial.verdict == EW_VIOLATED) {
    /* a scene that does not load is a matter of `survive`, whoever was going to look at it */
    handle_violation(worker, &test, trial.in_load ? &ew_oracle_survive : oracle, &trial);
  } else {
    handle_faults(worker, &test, oracle, &trial);
  }
  if (ew_instance_alive(&worker->main.instance)) {
    *ew_vector_push(&worker->history) = number;
  } else {
    ew_vector_reset(&worker->history);
  }
  return true;
}

/* A new host after so many scenes: an engine's leaks and slow corruption must not pile up, nor must the history. */
static void recycle(struct worker *worker) {
  struct ew_error error;
  if (worker->main.scenes < worker->scenes_max) return;
  ew_vector_reset(&worker->history);
  if (ew_stage_restart(&worker->main, &error)) ew_log(EW_LOG_WARN, "the engine did not start again: %s", error.text);
}

static bool play_scene(struct worker *worker, uint64_t scene) {
  uint64_t first = scene * EW_CASES_PER_SCENE;
  if (first >= worker->options->tests) return false;
  for (uint64_t n = first; n < first + EW_CASES_PER_SCENE && n < worker->options->tests; n++) {
    if (atomic_load(&worker->shared->stop)) return false;
    if (!play(worker, n)) return false;
  }
  count_resources(worker);
  tell_duplicates(worker);
  recycle(worker);
  return true;
}

/* Violations that had to wait: each is played again, in order. */
static void finish_waiting(struct worker *worker) {
  worker->last_words = true;
  for (size_t i = 0; i < worker->waiting.count; i++) {
    ew_vector_reset(&worker->history);
    worker->main.loaded = 0;
    if (!play(worker, worker->waiting.items[i])) return;
  }
}

static enum ew_status set_up(struct worker *worker, struct ew_error *error) {
  const struct ew_hunt_options *options = worker->options;
  const struct ew_profile *profile = options->target.profile;
  struct ew_span scenes = ew_profile_setting(profile, "server.scenes", EW_SPAN(""));
  worker->scenes_max = scenes.length ? strtoull(scenes.bytes, NULL, 10) : SCENES_PER_INSTANCE;
  worker->one_database =
      options->target.url.length && ew_span_is(ew_profile_setting(profile, "server.databases", EW_SPAN("")), "one");
  ew_arena_init(&worker->case_arena);
  ew_arena_init(&worker->finding_arena);
  ew_map_init(&worker->known);
  /* The stages come first: what starts hosts is forked here, and should have little memory. */
  struct ew_target main = options->target, bench = options->target;
  main.slot = 2 * worker->number;
  bench.slot = 2 * worker->number + 1;
  enum ew_status status = ew_stage_init(&worker->main, &main, options->statement_time, error);
  if (!status) status = ew_stage_init(&worker->bench, &bench, options->statement_time, error);
  if (!status)
    status = ew_case_source_init(&worker->source, profile, options->oracles, &options->generate, options->seed, error);
  if (!status)
    status = ew_case_source_init(&worker->replay_source, profile, options->oracles, &options->generate, options->seed,
                                 error);
  if (!status) status = ew_stage_renew(&worker->main, error);
  return status;
}

static void tear_down(struct worker *worker) {
  count_resources(worker);
  tell_duplicates(worker);
  ew_stage_release(&worker->main);
  ew_stage_release(&worker->bench);
  ew_case_source_release(&worker->source);
  ew_case_source_release(&worker->replay_source);
  ew_arena_release(&worker->case_arena);
  ew_arena_release(&worker->finding_arena);
  ew_vector_release(&worker->history);
  ew_map_release(&worker->known);
  ew_vector_release(&worker->duplicates);
  ew_vector_release(&worker->waiting);
}

int ew_worker_main(const struct ew_hunt_options *options, struct ew_hunt_shared *shared, unsigned number, int socket) {
  struct worker worker = {.options = options,
                          .shared = shared,
                          .stats = &shared->stats[number],
                          .number = number,
                          .socket = socket,
                          .started = ew_now()};
  struct ew_error error;
  if (set_up(&worker, &error)) {
    ew_hunt_send(socket, EW_SAY_BROKEN, false, 0, ew_span_of(error.text));
    return EW_EXIT_INCONCLUSIVE;
  }
  while (!atomic_load(&shared->stop) && play_scene(&worker, atomic_fetch_add(&shared->next_scene, 1))) continue;
  finish_waiting(&worker);
  tear_down(&worker);
  return EW_EXIT_NOTHING;
}
