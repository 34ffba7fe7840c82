/* bench_model.c: every stage of a statement is timed alone, again and again; a figure is the best of several rounds,
   since others use the machine too. */
#include "cli/bench_model.h"

#include "base/deadline.h"
#include "base/file.h"
#include "cli/engines.h"
#include "lang/cypher/parser.h"
#include "lang/cypher/scope.h"
#include "model/model.h"

enum {
  FILE_BYTES_MAX = 1 << 20,
  ROUNDS = 5,
  ROUND_TIME = EW_SECOND / 10,
  BATCH = 64, /* times between two looks at the clock */
  CLAUSES_MAX = 16,
};

/* A query and all that running it needs. */
struct subject {
  struct ew_model model;
  struct ew_arena arena;   /* the query's trees and plans */
  struct ew_arena scratch; /* of one time */
  struct ew_span source;
  const struct ew_node *statement;
  const struct ew_plan *plan;
};

/* ---- files ---- */

static enum ew_status read_yardstick(struct ew_arena *arena, const char *name, struct ew_cypher_script *script,
                                     struct ew_span *source, struct ew_error *error) {
  struct ew_text path = {0}, text = {0};
  struct ew_builder builder = {arena, 1};
  struct ew_cypher_syntax_error syntax;
  enum ew_status status = ew_engines_folder(&path, error);
  ew_text_add_format(&path, "/../bench/%s", name);
  if (!status) status = ew_file_read(path.bytes, FILE_BYTES_MAX, &text, error);
  if (!status) {
    *source = ew_arena_copy(arena, ew_text_span(&text));
    if (ew_cypher_parse_script(&builder, *source, script, &syntax))
      status = ew_fail(error, EW_BAD, "%s: line %zu: %s", path.bytes, syntax.line, syntax.message);
  }
  ew_text_release(&path);
  ew_text_release(&text);
  return status;
}

static enum ew_status load_graph(struct subject *subject, struct ew_error *error) {
  struct ew_cypher_script script;
  struct ew_span source;
  struct ew_model_result result = {0};
  enum ew_status status = read_yardstick(&subject->arena, "graph20.cypher", &script, &source, error);
  for (size_t i = 0; !status && i < script.count; i++) {
    ew_model_execute(&subject->model, script.items[i].statement, &(struct ew_model_options){0}, &subject->arena,
                     &result);
    if (result.error.code) status = ew_fail(error, EW_BAD, "graph20.cypher: %s", result.error.text);
  }
  return status;
}

static enum ew_status prepare(struct subject *subject, const struct ew_cypher_source *source, struct ew_error *error) {
  struct ew_model_error wrong;
  subject->statement = source->statement;
  if (ew_model_prepare(&subject->model, &subject->arena, subject->statement, &wrong, &subject->plan)) return EW_OK;
  return ew_fail(error, EW_BAD, "a yardstick cannot be prepared: %s", wrong.text);
}

/* ---- stages ---- */

static void parse_once(struct subject *subject) {
  struct ew_builder builder = {&subject->scratch, 1};
  struct ew_cypher_script script;
  if (ew_cypher_parse_script(&builder, subject->source, &script, NULL)) EW_BUG("a yardstick was read once only");
}

static void check_once(struct subject *subject) {
  struct ew_cypher_problem problem;
  ew_cypher_analyze(subject->statement, &problem);
}

static void prepare_once(struct subject *subject) {
  const struct ew_plan *plan;
  struct ew_model_error error;
  ew_model_prepare(&subject->model, &subject->scratch, subject->statement, &error, &plan);
}

static void run_once(struct subject *subject) {
  struct ew_model_result result;
  ew_model_run(&subject->model, subject->plan, &(struct ew_model_options){0}, &subject->scratch, &result);
}

/* Nanoseconds of CPU time that one time takes. */
static double best_time(struct subject *subject, void (*once)(struct subject *subject)) {
  double best = 1e300;
  for (int round = 0; round < ROUNDS; round++) {
    int64_t began = ew_cpu_now(), used = 0;
    size_t times = 0;
    for (; used < ROUND_TIME; used = ew_cpu_now() - began)
      for (size_t i = 0; i < BATCH; i++, times++) {
        once(subject);
        ew_arena_reset(&subject->scratch);
      }
    if ((double)used / (double)times < best) best = (double)used / (double)times;
  }
  return best;
}

/* ---- clauses ---- */

struct clause_times {
  int64_t last, times[CLAUSES_MAX];
  size_t next, rows[CLAUSES_MAX];
  const struct ew_node *clauses[CLAUSES_MAX];
};

static void watch(void *watcher, const struct ew_node *clause, unsigned depth, size_t rows_in, size_t rows_out) {
  struct clause_times *times = watcher;
  int64_t now = ew_now();
  (void)rows_in;
  if (depth || times->next == CLAUSES_MAX) return;
  times->clauses[times->next] = clause;
  times->rows[times->next] = rows_out;
  times->times[times->next++] += now - times->last;
  times->last = now;
}

/* How a run of `whole` nanoseconds is divided among its clauses; what is before the first and behind the last is not
   in it. */
static void add_clauses(struct subject *subject, double whole, struct ew_text *text) {
  struct clause_times times = {0};
  struct ew_model_result result;
  struct ew_model_options options = {.watch = watch, .watcher = &times};
  size_t runs = (size_t)((double)EW_SECOND / whole) / 4 + 1;
  double sum = 0;
  for (size_t i = 0; i < runs; i++) {
    times.next = 0;
    times.last = ew_now();
    ew_model_run(&subject->model, subject->plan, &options, &subject->scratch, &result);
    ew_arena_reset(&subject->scratch);
  }
  for (size_t i = 0; i < times.next; i++) sum += (double)times.times[i];
  for (size_t i = 0; i < times.next; i++)
    ew_text_add_format(text, "    %-8s %3.0f %% of that; it leaves %zu rows\n", times.clauses[i]->kind->name,
                       100.0 * (double)times.times[i] / sum, times.rows[i]);
}

static enum ew_walk find_where(const struct ew_node *node, struct ew_place place, void *context) {
  (void)place;
  if (!cypher_is(node, CYPHER_match) || !CYPHER_AS(match, node)->where.node) return EW_WALK_ON;
  *(uint64_t *)context = CYPHER_AS(match, node)->where.node->id;
  return EW_WALK_STOP;
}

/* Filtering is interwoven with matching: the query without it is another query, and says what matching alone takes. */
static enum ew_status add_unfiltered(struct subject *subject, struct ew_text *text, struct ew_error *error) {
  uint64_t where = 0;
  const struct ew_plan *plan = subject->plan;
  struct ew_builder builder = ew_builder_for(&subject->arena, subject->statement);
  if (ew_tree_walk(subject->statement, find_where, &where)) return EW_OK;
  struct ew_cypher_source source = {.statement = ew_tree_replace(&builder, subject->statement, where, NULL)};
  enum ew_status status = prepare(subject, &source, error);
  if (status) return status;
  ew_text_add_format(text, "  run      %8.0f ns without the WHERE\n", best_time(subject, run_once));
  add_clauses(subject, best_time(subject, run_once), text);
  subject->plan = plan;
  return EW_OK;
}

/* ---- the figures ---- */

static enum ew_status measure_one_hop(struct subject *subject, struct ew_text *text, double *rate,
                                      struct ew_error *error) {
  struct ew_cypher_script script;
  enum ew_status status = read_yardstick(&subject->arena, "one-hop.cypher", &script, &subject->source, error);
  if (!status) status = prepare(subject, &script.items[0], error);
  if (status) return status;
  const struct ew_node *statement = subject->statement;
  double run = best_time(subject, run_once);
  ew_text_add_string(text, "one-hop.cypher, CPU time of one:\n");
  ew_text_add_format(text, "  parse    %8.0f ns\n", best_time(subject, parse_once));
  ew_text_add_format(text, "  check    %8.0f ns\n", best_time(subject, check_once));
  ew_text_add_format(text, "  prepare  %8.0f ns\n", best_time(subject, prepare_once));
  ew_text_add_format(text, "  run      %8.0f ns\n", run);
  add_clauses(subject, run, text);
  status = add_unfiltered(subject, text, error);
  subject->statement = statement;
  *rate = (double)EW_SECOND / run;
  return status;
}

static enum ew_status measure_file(struct subject *subject, const char *name, struct ew_text *text,
                                   struct ew_error *error) {
  struct ew_cypher_script script;
  double sum = 0;
  enum ew_status status = read_yardstick(&subject->arena, name, &script, &subject->source, error);
  for (size_t i = 0; !status && i < script.count; i++) {
    status = prepare(subject, &script.items[i], error);
    if (!status) sum += best_time(subject, run_once);
  }
  if (!status)
    ew_text_add_format(text, "%s: %zu queries, run %.0f ns on average\n", name, script.count,
                       sum / (double)script.count);
  return status;
}

enum ew_status ew_bench_model(struct ew_text *text, struct ew_error *error) {
  struct subject subject = {0};
  double rate = 0;
  ew_model_init(&subject.model);
  ew_arena_init(&subject.arena);
  ew_arena_init(&subject.scratch);
  enum ew_status status = load_graph(&subject, error);
  if (!status) status = measure_one_hop(&subject, text, &rate, error);
  if (!status) status = measure_file(&subject, "short.cypher", text, error);
  if (!status) status = measure_file(&subject, "long.cypher", text, error);
  if (!status) ew_text_add_format(text, "model: %.0f evaluations per CPU-second\n", rate);
  ew_arena_release(&subject.scratch);
  ew_arena_release(&subject.arena);
  ew_model_release(&subject.model);
  return status;
}
