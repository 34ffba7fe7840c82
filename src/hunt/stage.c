/* stage.c: loading scenes and playing tests. */
#include "hunt/stage.h"

#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/vector.h"
#include "engine/adapters.h"
#include "hunt/fingerprint.h"
#include "lang/languages.h"
#include "model/engine.h"

enum { RESET_SECONDS = 10, STARTS_MAX = 4, FIRST_PAUSE = 200 * EW_MILLISECOND };

const struct ew_adapter *ew_stage_adapter(struct ew_span name) {
  if (ew_span_is(name, ew_adapter_model.name)) return &ew_adapter_model;
  const struct ew_adapter_entry *entry = ew_adapter_find(name);
  return entry ? entry->adapter : NULL;
}

/* What an adapter is told: the profile's settings, and of this target
       library    path of the engine's file; `home` is the folder it is in
       url, password, wipe   of a server that is not ours
       folder     for data; server_log: a file for a server's output; data: EDGEWISE_DATA, a folder that the user names
       path       the user's PATH, which hosts do not inherit
       slot       a number, which no other instance of the hunt has */
struct ew_settings ew_target_settings(const struct ew_target *target, struct ew_arena *arena) {
  const struct ew_profile *profile = target->profile;
  EW_VECTOR(struct ew_option) options = {0};
  for (size_t i = 0; i < profile->setting_count; i++) *ew_arena_vector_push(arena, &options) = profile->settings[i];
  const char *slash = target->library.length ? memrchr(target->library.bytes, '/', target->library.length) : NULL;
  struct ew_span folder = target->folder ? ew_span_of(target->folder) : EW_SPAN("");
  const struct ew_option own[] = {
      {EW_SPAN("library"), target->library},
      {EW_SPAN("home"), {target->library.bytes, slash ? (size_t)(slash - target->library.bytes) : 0}},
      {EW_SPAN("url"), target->url},
      {EW_SPAN("password"), target->password},
      {EW_SPAN("wipe"), target->wipe ? EW_SPAN("yes") : EW_SPAN("")},
      {EW_SPAN("folder"), folder},
      {EW_SPAN("server_log"),
       folder.length ? ew_arena_format(arena, "%s/logs/server-%u.log", target->folder, target->slot) : EW_SPAN("")},
      {EW_SPAN("data"), ew_span_of(getenv("EDGEWISE_DATA") ? getenv("EDGEWISE_DATA") : "")},
      {EW_SPAN("path"), ew_span_of(getenv("PATH") ? getenv("PATH") : "")},
      {EW_SPAN("slot"), ew_arena_format(arena, "%u", target->slot)},
  };
  for (size_t i = 0; i < EW_COUNT(own); i++)
    if (own[i].setting.length) *ew_arena_vector_push(arena, &options) = own[i];
  return (struct ew_settings){options.items, options.count};
}

enum ew_status ew_stage_init(struct ew_stage *stage, const struct ew_target *target, int64_t limit,
                             struct ew_error *error) {
  *stage = (struct ew_stage){.target = *target, .limit = limit};
  const struct ew_profile *profile = target->profile;
  const struct ew_adapter *adapter = ew_stage_adapter(profile->adapter);
  stage->language = ew_language_find(profile->language);
  if (!adapter || !stage->language)
    return ew_fail(error, EW_BAD, "%.*s: no adapter is called '%.*s', or no language '%.*s'",
                   EW_SPAN_ARGS(profile->path), EW_SPAN_ARGS(profile->adapter), EW_SPAN_ARGS(profile->language));
  struct ew_arena arena;
  ew_arena_init(&arena);
  struct ew_settings settings = ew_target_settings(target, &arena);
  enum ew_status status = ew_instance_init(&stage->instance, adapter, &settings, error);
  ew_arena_release(&arena);
  return status;
}

void ew_stage_release(struct ew_stage *stage) {
  if (stage->instance.adapter) ew_instance_release(&stage->instance);
}

enum ew_status ew_stage_restart(struct ew_stage *stage, struct ew_error *error) {
  bool server = ew_profile_setting(stage->target.profile, "server.program", EW_SPAN("")).length > 0;
  stage->loaded = 0;
  stage->scenes = 0;
  enum ew_status status = ew_instance_restart(&stage->instance, error);
  for (int64_t i = 0, pause = FIRST_PAUSE; i < STARTS_MAX && status == EW_GONE && server; i++, pause *= 2) {
    nanosleep(&(struct timespec){pause / EW_SECOND, pause % EW_SECOND}, NULL);
    status = ew_instance_restart(&stage->instance, error);
  }
  return status;
}

enum ew_status ew_stage_renew(struct ew_stage *stage, struct ew_error *error) {
  bool reset = ew_span_is(ew_profile_setting(stage->target.profile, "server.fresh", EW_SPAN("")), "reset");
  if (!reset || !ew_instance_alive(&stage->instance)) return ew_stage_restart(stage, error);
  struct ew_arena arena;
  struct ew_statement_outcome outcome;
  ew_arena_init(&arena);
  ew_instance_reset(&stage->instance, RESET_SECONDS * EW_SECOND, &arena, &outcome);
  stage->loaded = 0;
  stage->scenes = 0;
  ew_arena_release(&arena);
  return outcome.kind == EW_OUTCOME_ROWS ? EW_OK : ew_stage_restart(stage, error);
}

static enum ew_status need_instance(struct ew_stage *stage, struct ew_error *error) {
  return ew_instance_alive(&stage->instance) ? EW_OK : ew_stage_renew(stage, error);
}

/* ---- outcomes ---- */

static void classify(const struct ew_profile *profile, const struct ew_outcome *outcome) {
  struct ew_span reason;
  for (size_t i = 0; i < outcome->count; i++) {
    struct ew_statement_outcome *one = (struct ew_statement_outcome *)(uintptr_t)&outcome->statements[i];
    if (one->kind == EW_OUTCOME_ERROR) one->error_class = ew_profile_classify(profile, one->text, &reason);
  }
}

static bool all_rows(const struct ew_outcome *outcome) {
  const struct ew_statement_outcome *decisive = ew_outcome_decisive(outcome);
  return !decisive || decisive->kind == EW_OUTCOME_ROWS;
}

static struct ew_outcome run_program(struct ew_stage *stage, const struct ew_program *program,
                                     const struct ew_option *options, size_t option_count, bool stop,
                                     struct ew_arena *arena) {
  struct ew_batch batch = {*program, options, option_count, stage->limit, stop};
  struct ew_outcome outcome = ew_instance_run(&stage->instance, &batch, arena);
  classify(stage->target.profile, &outcome);
  if (!ew_instance_alive(&stage->instance)) stage->loaded = 0;
  stage->untouched = false;
  return outcome;
}

/* ---- scenes ---- */

static struct ew_outcome not_run(const struct ew_program *program, struct ew_arena *arena) {
  struct ew_statement_outcome *outcomes = EW_NEW_ARRAY(arena, struct ew_statement_outcome, program->count + 1);
  for (size_t i = 0; i < program->count; i++) outcomes[i].kind = EW_OUTCOME_NOT_RUN;
  return (struct ew_outcome){outcomes, program->count};
}

/* Puts the scene on the instance. What came of it is in `*outcome`: of the reset where that failed, else of the loading. */
static void load(struct ew_stage *stage, const struct ew_scene *scene, uint64_t token, struct ew_arena *arena,
                 struct ew_trial *trial, struct ew_outcome *outcome) {
  struct ew_statement_outcome *reset = EW_NEW(arena, struct ew_statement_outcome);
  const struct ew_program *program = &trial->load;
  if (!program->statements) trial->load = stage->language->load(arena, scene, stage->target.profile);
  stage->loaded = 0;
  if (stage->scenes++) {
    ew_instance_reset(&stage->instance, RESET_SECONDS * EW_SECOND, arena, reset);
    if (reset->kind != EW_OUTCOME_ROWS) {
      /* Of the statements none was run; the first stands for the reset. */
      *outcome = not_run(program, arena);
      *(struct ew_statement_outcome *)(uintptr_t)&outcome->statements[0] = *reset;
      if (!outcome->count) outcome->count = 1;
      classify(stage->target.profile, outcome);
      return;
    }
  }
  *outcome = run_program(stage, program, NULL, 0, true, arena);
  if (all_rows(outcome)) stage->loaded = token;
  stage->untouched = true;
}

enum ew_status ew_stage_rehearse(struct ew_stage *stage, const struct ew_program *programs, size_t count,
                                 struct ew_arena *arena, struct ew_error *error) {
  for (size_t i = 0; i < count; i++) {
    struct ew_statement_outcome reset;
    struct ew_arena_mark mark = ew_arena_mark(arena);
    enum ew_status status = need_instance(stage, error);
    if (status) return status;
    if (stage->scenes++) ew_instance_reset(&stage->instance, RESET_SECONDS * EW_SECOND, arena, &reset);
    stage->loaded = 0;
    if (ew_instance_alive(&stage->instance)) run_program(stage, &programs[i], NULL, 0, false, arena);
    ew_arena_rewind(arena, mark);
  }
  return EW_OK;
}

/* ---- a test ---- */

static void judge(struct ew_stage *stage, struct ew_claim claim, struct ew_arena *arena, struct ew_trial *trial) {
  trial->claim = claim;
  trial->applies = true;
  trial->verdict = ew_relation_judge(claim, trial->outcomes, trial->run_count, &stage->target.profile->semantics, arena,
                                     &trial->why);
}

/* Runs that read the loaded scene and have one statement each go out in one batch: one message there, one back. */
static bool can_batch(const struct ew_step *step) {
  for (size_t i = 0; i < step->run_count; i++) {
    const struct ew_run *run = &step->runs[i];
    if (run->state != EW_STATE_SHARED || run->program.count != 1 || run->option_count) return false;
  }
  return true;
}

static void run_batch(struct ew_stage *stage, const struct ew_step *step, struct ew_arena *arena,
                      struct ew_trial *trial) {
  struct ew_statement *statements = EW_NEW_ARRAY(arena, struct ew_statement, step->run_count);
  for (size_t i = 0; i < step->run_count; i++) statements[i] = step->runs[i].program.statements[0];
  struct ew_program program = {statements, step->run_count};
  struct ew_outcome together = run_program(stage, &program, NULL, 0, false, arena);
  for (size_t i = 0; i < step->run_count; i++) {
    trial->runs[trial->run_count] = step->runs[i];
    trial->outcomes[trial->run_count++] = (struct ew_outcome){&together.statements[i], 1};
  }
}

/* The scene could not be loaded: that is all there is to judge. */
static void judge_loading(struct ew_stage *stage, struct ew_outcome loading, struct ew_arena *arena,
                          struct ew_trial *trial) {
  trial->in_load = true;
  trial->runs[0] = (struct ew_run){.program = trial->load};
  if (!trial->load.count) trial->runs[0].program = (struct ew_program){EW_NEW(arena, struct ew_statement), 1};
  trial->outcomes[0] = loading;
  trial->run_count = 1;
  judge(stage, (struct ew_claim){.relation = EW_RELATION_clean}, arena, trial);
}

static enum ew_status run_one(struct ew_stage *stage, const struct ew_scene *scene, const struct ew_run *run,
                              uint64_t token, struct ew_arena *arena, struct ew_trial *trial, struct ew_error *error) {
  enum ew_status status = need_instance(stage, error);
  if (status) return status;
  struct ew_outcome outcome = {0};
  if (!stage->loaded || (run->state == EW_STATE_FRESH && !stage->untouched)) {
    load(stage, scene, token, arena, trial, &outcome);
    if (!stage->loaded) {
      judge_loading(stage, outcome, arena, trial);
      return EW_OK;
    }
  }
  outcome = run_program(stage, &run->program, run->options, run->option_count, !run->go_on, arena);
  if (run->state == EW_STATE_FRESH) stage->loaded = 0;
  trial->runs[trial->run_count] = *run;
  trial->outcomes[trial->run_count++] = outcome;
  return EW_OK;
}

static enum ew_status run_step(struct ew_stage *stage, const struct ew_scene *scene, const struct ew_step *step,
                               uint64_t token, struct ew_arena *arena, struct ew_trial *trial, struct ew_error *error) {
  EW_ASSERT(trial->run_count + step->run_count <= EW_RUNS_MAX);
  if (can_batch(step) && stage->loaded) {
    run_batch(stage, step, arena, trial);
    return EW_OK;
  }
  for (size_t i = 0; i < step->run_count; i++) {
    enum ew_status status = run_one(stage, scene, &step->runs[i], token, arena, trial, error);
    if (status || trial->in_load) return status;
  }
  return EW_OK;
}

enum ew_status ew_stage_play(struct ew_stage *stage, const struct ew_case *test, const struct ew_oracle *oracle,
                             uint64_t token, struct ew_arena *arena, struct ew_trial *trial, struct ew_error *error) {
  *trial = (struct ew_trial){.verdict = EW_INCONCLUSIVE, .why.text = EW_SPAN("")};
  uint64_t name = token ? token : UINT64_MAX; /* any name will do within this test */
  enum ew_status status = need_instance(stage, error);
  if (status) return status;
  if (!token || stage->loaded != token) {
    struct ew_outcome loading;
    load(stage, &test->scene, name, arena, trial, &loading);
    if (!stage->loaded) {
      judge_loading(stage, loading, arena, trial);
      return EW_OK;
    }
  }
  for (;;) {
    struct ew_step step = oracle->next(test, stage->target.profile, trial->outcomes, trial->run_count, arena);
    if (step.kind == EW_STEP_NONE) break;
    if (step.kind == EW_STEP_JUDGE) {
      judge(stage, step.claim, arena, trial);
      break;
    }
    status = run_step(stage, &test->scene, &step, name, arena, trial, error);
    if (status || trial->in_load) return status;
  }
  if (!token) stage->loaded = 0;
  return EW_OK;
}

/* ---- findings ---- */

static struct ew_span environment(struct ew_arena *arena) {
  struct utsname host;
  if (uname(&host) != 0) return EW_SPAN("unknown");
  return ew_arena_format(arena, "%s %s; TZ=UTC LC_ALL=C", host.sysname, host.machine);
}

struct ew_program ew_trial_load(const struct ew_trial *trial, const struct ew_case *test, const struct ew_stage *stage,
                                struct ew_arena *arena) {
  if (trial->in_load) return (struct ew_program){0};
  return stage->language->load(arena, &test->scene, stage->target.profile);
}

void ew_trial_finding(const struct ew_trial *trial, const struct ew_case *test, const struct ew_oracle *oracle,
                      const struct ew_stage *stage, struct ew_arena *arena, struct ew_finding *finding) {
  struct ew_run *runs = EW_NEW_ARRAY(arena, struct ew_run, trial->run_count + 1);
  struct ew_outcome *outcomes = EW_NEW_ARRAY(arena, struct ew_outcome, trial->run_count + 1);
  for (size_t i = 0; i < trial->run_count; i++) {
    runs[i] = trial->runs[i];
    outcomes[i] = trial->outcomes[i];
  }
  *finding = (struct ew_finding){
      .id = ew_finding_id(&test->key, oracle->name),
      .oracle = ew_span_of(oracle->name),
      .test = *test,
      .claim = trial->claim,
      .why = trial->why,
      .engine = stage->target.profile->name,
      .version = stage->target.version,
      .engine_says = ew_arena_copy(arena, ew_instance_version(&stage->instance)),
      .runs = runs,
      .outcomes = outcomes,
      .run_count = trial->run_count,
      .environment = environment(arena),
  };
}

static bool same_aspect(const struct ew_finding *before, const struct ew_finding *now) {
  if (before->claim.relation != now->claim.relation) return false;
  bool asked = before->why.aspect == EW_ASPECT_state && now->why.aspect == EW_ASPECT_rows;
  return asked || before->why.aspect == now->why.aspect;
}

bool ew_finding_same(const struct ew_finding *before, const struct ew_finding *now) {
  if (!same_aspect(before, now)) return false;
  const struct ew_statement_outcome *left = ew_finding_culprit(before), *right = ew_finding_culprit(now);
  if (!left || !right) return left == right;
  if (left->kind != right->kind) return false;
  if (!ew_fingerprint_is_final(before) || !ew_fingerprint_is_final(now)) return true;
  struct ew_arena scratch;
  ew_arena_init(&scratch);
  bool same = ew_fingerprint(&scratch, before).group == ew_fingerprint(&scratch, now).group;
  ew_arena_release(&scratch);
  return same;
}
