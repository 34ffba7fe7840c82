/* bench_disagree.c: a disagreement is an engine's bug, the model's bug, or a question that nobody has asked the language yet. Each
   must be looked at by a person, so they are made small and put together by what is left in the query. */
#include "cli/bench_disagree.h"

#include <stdlib.h>

#include "base/vector.h"
#include "cli/answer.h"
#include "hunt/case_source.h"
#include "hunt/stage.h"
#include "oracle/oracles.h"
#include "reduce/reduce.h"

enum { STATEMENT_SECONDS = 2, REDUCE_SECONDS = 4, REDUCE_TRIES = 600, SHOWN_ROWS = 6, MARKS_MAX = 64 };

static const char *const agreement_words[] = {
    [EW_AGREE] = "agree",
    [EW_NO_MATTER] = "no answer to compare",
    [EW_LEFT_OPEN] = "open",
    [EW_MODEL_FAILS] = "only the model fails",
    [EW_ENGINE_FAILS] = "only the engine fails",
    [EW_MORE_ROWS] = "the engine has more rows",
    [EW_FEWER_ROWS] = "the engine has fewer rows",
    [EW_OTHER_ROWS] = "other rows",
    [EW_OTHER_ORDER] = "another order",
};

struct kind {
  struct ew_span name, example;
  size_t count;
};

struct bout {
  struct ew_stage stage;
  struct ew_model model;
  const struct ew_profile *profile;
  uint64_t loaded; /* scene on the model; 0 is none */
  struct ew_arena kinds_arena;
  EW_VECTOR(struct kind) kinds;
  struct ew_map by_name; /* name of a kind to its place */
  size_t counts[EW_COUNT(agreement_words)];
};

/* One query on both. */
struct meeting {
  struct ew_trial trial;
  struct ew_answer answer;
  const struct ew_statement_outcome *outcome; /* NULL where the engine never got to the query */
  enum ew_agreement agreement;
  struct ew_difference difference;
};

/* ---- asking both ---- */

static void load_model(struct bout *bout, const struct ew_case *test, uint64_t token, struct ew_arena *arena) {
  struct ew_answer loading;
  if (token && bout->loaded == token) return;
  ew_model_reset(&bout->model);
  struct ew_program load = test->language->load(arena, &test->scene, bout->profile);
  ew_answer_run(&bout->model, &load, &bout->profile->semantics, arena, &loading);
  bout->loaded = loading.error.type || !loading.readable ? 0 : token;
}

static enum ew_status meet(struct bout *bout, const struct ew_case *test, uint64_t token, struct ew_arena *arena,
                           struct meeting *meeting, struct ew_error *error) {
  const struct ew_semantics *semantics = &bout->profile->semantics;
  *meeting = (struct meeting){.agreement = EW_NO_MATTER};
  enum ew_status status = ew_stage_play(&bout->stage, test, &ew_oracle_survive, token, arena, &meeting->trial, error);
  if (status || meeting->trial.in_load || !meeting->trial.run_count) return status;
  const struct ew_program *program = &meeting->trial.runs[0].program;
  meeting->outcome = ew_outcome_decisive(&meeting->trial.outcomes[0]);
  if (!meeting->outcome || program->count != 1) return EW_OK;
  load_model(bout, test, token, arena);
  struct ew_graph_mark mark = ew_graph_begin(&bout->model.graph);
  ew_answer_run(&bout->model, program, semantics, arena, &meeting->answer);
  meeting->agreement = ew_answer_compare(&meeting->answer, meeting->outcome, program->statements[0].ordered, semantics,
                                         arena, &meeting->difference);
  ew_graph_rollback(&bout->model.graph, mark);
  return EW_OK;
}

/* ---- making it small ---- */

struct wanted {
  struct bout *bout;
  enum ew_agreement agreement;
  const char *detail;    /* of the model's error */
  struct ew_span reason; /* of the engine's, in the profile's word */
};

static struct ew_span reason_of(const struct bout *bout, const struct meeting *meeting) {
  struct ew_span reason = EW_SPAN("");
  if (meeting->outcome && meeting->outcome->kind == EW_OUTCOME_ERROR)
    ew_profile_classify(bout->profile, meeting->outcome->text, &reason);
  return reason;
}

static bool still_differs(void *context, const struct ew_case *candidate) {
  const struct wanted *wanted = context;
  struct ew_arena arena;
  struct meeting meeting;
  struct ew_error error;
  ew_arena_init(&arena);
  bool differs = meet(wanted->bout, candidate, 0, &arena, &meeting, &error) == EW_OK &&
                 meeting.agreement == wanted->agreement && meeting.answer.error.detail == wanted->detail &&
                 ew_span_equal(reason_of(wanted->bout, &meeting), wanted->reason);
  ew_arena_release(&arena);
  return differs;
}

/* ---- kinds ---- */

struct marks {
  struct ew_arena *arena;
  const char *names[MARKS_MAX];
  size_t count;
};

static bool is_everywhere(const char *feature) {
  static const char *const common[] = {"statement", "query",    "match", "return", "projection", "item",   "variable",
                                       "literal",   "node",     "path",  "label",  "property",   "binary", "unary",
                                       "function",  "subquery", "entry", "link",   "when"};
  for (size_t i = 0; i < EW_COUNT(common); i++)
    if (strcmp(feature, common[i]) == 0) return true;
  return false;
}

static void mark(void *context, const char *feature) {
  struct marks *marks = context;
  if (is_everywhere(feature) || marks->count == MARKS_MAX) return;
  for (size_t i = 0; i < marks->count; i++)
    if (strcmp(marks->names[i], feature) == 0) return;
  marks->names[marks->count++] = ew_arena_string(marks->arena, ew_span_of(feature));
}

static int by_text(const void *a, const void *b) { return strcmp(*(const char *const *)a, *(const char *const *)b); }

/* The first cell in which two rows that should be one differ says much: INTEGER against FLOAT. */
static void add_cells(struct ew_text *name, const struct ew_difference *difference,
                      const struct ew_semantics *semantics) {
  if (!difference->model.row_count || !difference->engine.row_count) return;
  if (difference->model.column_count != difference->engine.column_count) return;
  for (size_t i = 0; i < difference->model.column_count; i++) {
    struct ew_value model = difference->model.values[i], engine = difference->engine.values[i];
    if (ew_value_same(model, engine, semantics)) continue;
    ew_text_add_format(name, " (%s, not %s)", ew_value_kind_name(engine.kind), ew_value_kind_name(model.kind));
    return;
  }
}

static struct ew_span name_kind(const struct meeting *meeting, const struct ew_case *test,
                                const struct ew_semantics *semantics, struct ew_arena *arena) {
  struct ew_text name = {0};
  struct marks marks = {.arena = arena};
  ew_text_add_string(&name, agreement_words[meeting->agreement]);
  if (meeting->answer.error.type)
    ew_text_add_format(&name, " (%s: %s)", meeting->answer.error.type, meeting->answer.error.detail);
  add_cells(&name, &meeting->difference, semantics);
  test->language->features(test->base, mark, &marks);
  if (marks.count) qsort(marks.names, marks.count, sizeof marks.names[0], by_text);
  for (size_t i = 0; i < marks.count; i++) ew_text_add_format(&name, "%s%s", i ? ", " : ": ", marks.names[i]);
  struct ew_span copy = ew_arena_copy(arena, ew_text_span(&name));
  ew_text_release(&name);
  return copy;
}

static void add_statements(struct ew_text *text, const struct ew_program *program) {
  for (size_t i = 0; i < program->count; i++)
    ew_text_add_format(text, "  %.*s;\n", EW_SPAN_ARGS(program->statements[i].text));
}

static struct ew_span describe(const struct meeting *meeting, const struct ew_case *test,
                               const struct ew_profile *profile, struct ew_arena *arena) {
  struct ew_text text = {0};
  struct ew_arena scratch;
  ew_arena_init(&scratch);
  struct ew_program load = test->language->load(&scratch, &test->scene, profile);
  add_statements(&text, &load);
  add_statements(&text, &meeting->trial.runs[0].program);
  if (!meeting->answer.readable)
    ew_text_add_string(&text, "  model: cannot read it\n");
  else if (meeting->answer.error.type)
    ew_text_add_format(&text, "  model: %s: %s: %s\n", meeting->answer.error.type, meeting->answer.error.detail,
                       meeting->answer.error.text);
  else {
    ew_text_add_string(&text, "  model:\n");
    ew_rows_print(&text, &meeting->answer.rows, SHOWN_ROWS);
  }
  if (meeting->outcome->kind == EW_OUTCOME_ERROR)
    ew_text_add_format(&text, "  engine: %.*s\n", EW_SPAN_ARGS(meeting->outcome->text));
  else {
    ew_text_add_string(&text, "  engine:\n");
    ew_rows_print(&text, &meeting->outcome->rows, SHOWN_ROWS);
  }
  struct ew_span copy = ew_arena_copy(arena, ew_text_span(&text));
  ew_text_release(&text);
  ew_arena_release(&scratch);
  return copy;
}

static void count_kind(struct bout *bout, const struct meeting *meeting, const struct ew_case *test) {
  bool fresh;
  struct ew_span name = name_kind(meeting, test, &bout->profile->semantics, &bout->kinds_arena);
  union ew_map_value *place = ew_map_add(&bout->by_name, name, &fresh);
  if (fresh) {
    place->number = bout->kinds.count;
    *ew_vector_push(&bout->kinds) =
        (struct kind){.name = name, .example = describe(meeting, test, bout->profile, &bout->kinds_arena)};
  }
  bout->kinds.items[place->number].count++;
}

/* The engine that made a disagreement may have been broken by earlier queries: a clean one must show it too. */
static enum ew_status pursue(struct bout *bout, const struct ew_case *test, const struct meeting *first,
                             struct ew_error *error) {
  struct ew_arena arena;
  struct wanted wanted = {bout, first->agreement, first->answer.error.detail, reason_of(bout, first)};
  ew_arena_init(&arena);
  struct ew_reduction reduction = {.arena = &arena,
                                   .violates = still_differs,
                                   .context = &wanted,
                                   .tries_max = REDUCE_TRIES,
                                   .deadline = ew_deadline_in(REDUCE_SECONDS * EW_SECOND)};
  ew_reduce(&reduction, test);
  struct meeting last;
  enum ew_status status = meet(bout, &reduction.best, 0, &arena, &last, error);
  if (!status && last.agreement == first->agreement) count_kind(bout, &last, &reduction.best);
  bout->loaded = bout->stage.loaded = 0;
  ew_arena_release(&arena);
  return status;
}

/* ---- all of it ---- */

static enum ew_status compare_all(struct bout *bout, struct ew_case_source *source, uint64_t tests,
                                  struct ew_error *error) {
  struct ew_arena arena;
  enum ew_status status = EW_OK;
  ew_arena_init(&arena);
  for (uint64_t number = 0; !status && number < tests; number++) {
    struct ew_case test;
    const struct ew_oracle *oracle;
    struct meeting meeting;
    ew_arena_reset(&arena);
    if (!ew_case_source_case(source, number, &arena, &test, &oracle)) continue;
    status = meet(bout, &test, number / EW_CASES_PER_SCENE + 1, &arena, &meeting, error);
    if (status) break;
    bout->counts[meeting.agreement]++;
    if (meeting.agreement > EW_LEFT_OPEN) status = pursue(bout, &test, &meeting, error);
  }
  ew_arena_release(&arena);
  return status;
}

static int by_count(const void *a, const void *b) {
  const struct kind *left = a, *right = b;
  if (left->count != right->count) return left->count > right->count ? -1 : 1;
  return ew_span_compare(left->name, right->name);
}

static void write_kinds(struct bout *bout, struct ew_text *text, uint64_t tests) {
  size_t differ = 0;
  if (bout->kinds.count) qsort(bout->kinds.items, bout->kinds.count, sizeof *bout->kinds.items, by_count);
  for (size_t i = 0; i < bout->kinds.count; i++) {
    const struct kind *kind = &bout->kinds.items[i];
    ew_text_add_format(text, "%zu × %.*s\n%.*s\n", kind->count, EW_SPAN_ARGS(kind->name), EW_SPAN_ARGS(kind->example));
  }
  for (size_t i = 0; i < EW_COUNT(agreement_words); i++) {
    ew_text_add_format(text, "%8zu %s\n", bout->counts[i], agreement_words[i]);
    if (i > EW_LEFT_OPEN) differ += bout->counts[i];
  }
  ew_text_add_format(text, "disagree: %zu kinds in %zu of %llu queries\n", bout->kinds.count, differ,
                     (unsigned long long)tests);
}

enum ew_status ew_bench_disagree(struct ew_text *text, const struct ew_engine *engine, uint64_t tests, uint64_t seed,
                                 struct ew_error *error) {
  static const struct ew_oracle *const oracles[] = {&ew_oracle_survive, NULL};
  struct bout bout = {.profile = &engine->profile};
  struct ew_case_source source;
  if (!ew_span_is(engine->profile.language, "cypher"))
    return ew_fail(error, EW_USAGE, "the model speaks Cypher; %.*s does not", EW_SPAN_ARGS(engine->profile.name));
  ew_model_init(&bout.model);
  ew_arena_init(&bout.kinds_arena);
  ew_map_init(&bout.by_name);
  enum ew_status status = ew_stage_init(&bout.stage, &engine->target, STATEMENT_SECONDS * EW_SECOND, error);
  if (!status) status = ew_case_source_init(&source, &engine->profile, oracles, seed, error);
  if (!status) {
    status = compare_all(&bout, &source, tests, error);
    ew_case_source_release(&source);
  }
  if (!status) write_kinds(&bout, text, tests);
  ew_stage_release(&bout.stage);
  ew_map_release(&bout.by_name);
  ew_vector_release(&bout.kinds);
  ew_arena_release(&bout.kinds_arena);
  ew_model_release(&bout.model);
  return status;
}
