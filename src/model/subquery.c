/* subquery.c: EXISTS, COUNT and COLLECT; patterns as predicates, as lists and in comprehensions. */
#include "model/planted.h"

/* ---- queries ---- */

/* Rows are needed only until they are counted: the memory goes back, unless values of them are the result. */
static struct ew_value evaluate_query(struct ew_execution *run, const struct ew_code *code) {
  struct ew_arena_mark mark = ew_arena_mark(run->arena);
  uint64_t bytes = run->bytes_left;
  struct ew_table rows = {0};
  ew_run_query(run, code->query, &rows);
  if (run->failed) return ew_null();
  if (code->choice != CYPHER_COLLECT) {
    ew_arena_rewind(run->arena, mark);
    run->bytes_left = bytes;
    return code->choice == CYPHER_EXISTS ? ew_boolean(rows.count > 0) : ew_integer((int64_t)rows.count);
  }
  struct ew_value *items = ew_run_take(run, rows.count, sizeof *items);
  if (!items) return ew_null();
  for (size_t i = 0; i < rows.count; i++) items[i] = ew_table_row(&rows, i)[code->query->base];
  if (!rows.ordered && rows.count > 1) ew_run_is_open_at(run, UINT32_C(1) << EW_OPEN_COLLECT, code->node);
  return ew_run_list(run, items, rows.count);
}

/* EXISTS { MATCH … } ends at the first match. */
struct existence {
  const struct ew_pattern *pattern;
  bool found;
};

static bool stop_if_it_holds(struct ew_execution *run, void *context) {
  struct existence *existence = context;
  existence->found |= ew_pattern_rest_holds(run, existence->pattern);
  return !existence->found && !run->failed;
}

static struct ew_value evaluate_existence(struct ew_execution *run, const struct ew_code *code) {
  struct ew_arena_mark mark = ew_arena_mark(run->arena);
  uint64_t bytes = run->bytes_left;
  struct existence existence = {.pattern = code->pattern};
  if (ew_planted(run->model, EW_PLANT_exists_over_variable_length_enumerates_all_paths))
    existence.found = ew_plant_exists(run, code->pattern);
  else
    ew_match(run, code->pattern, stop_if_it_holds, &existence);
  ew_arena_rewind(run->arena, mark);
  run->bytes_left = bytes;
  return ew_boolean(existence.found);
}

/* The MATCH that is all there is of EXISTS; else NULL. */
static const struct cypher_match *match_of(const struct cypher_subquery *source) {
  if (source->form.choice != CYPHER_EXISTS || !cypher_is(source->body.node, CYPHER_query)) return NULL;
  struct ew_list clauses = CYPHER_AS(query, source->body.node)->clauses.list;
  if (clauses.count != 1 || !cypher_is(clauses.items[0], CYPHER_match)) return NULL;
  const struct cypher_match *match = CYPHER_AS(match, clauses.items[0]);
  return match->optional.flag ? NULL : match;
}

static const struct ew_code *compile_existence(struct ew_compiler *compiler, const struct ew_node *node,
                                               const struct cypher_match *match) {
  struct ew_aggregates *aggregates = compiler->aggregates;
  struct ew_scope_mark mark = ew_compile_open(compiler);
  compiler->aggregates = NULL;
  struct ew_pattern *pattern = ew_compile_pattern(compiler, match->patterns.list, match->where.node);
  pattern->repeats = match->matching.choice == CYPHER_MATCHING_REPEATABLE;
  ew_compile_close(compiler, mark);
  compiler->aggregates = aggregates;
  struct ew_code *code = ew_code_new(compiler, evaluate_existence, node, NULL, 0);
  code->pattern = pattern;
  return code;
}

const struct ew_code *ew_compile_inner_query(struct ew_compiler *compiler, const struct ew_node *node) {
  const struct cypher_subquery *source = CYPHER_AS(subquery, node);
  const struct cypher_match *match = match_of(source);
  if (match) return compile_existence(compiler, node, match);
  struct ew_code *code = ew_code_new(compiler, evaluate_query, node, NULL, 0);
  code->choice = source->form.choice;
  if (ew_planted(compiler->model, EW_PLANT_count_subquery_ignores_return_distinct) && code->choice == CYPHER_COUNT)
    compiler->undistinguished = ew_plant_last_projection(source->body.node);
  code->query = ew_compile_query(compiler, source->body.node, EW_SEES_ALL);
  if (source->form.choice == CYPHER_COLLECT && !compiler->failed && code->query->columns.count != 1)
    ew_compile_fail(compiler, EW_FAULT_SYNTAX, "COLLECT needs a query with one column");
  return code;
}

/* ---- patterns ---- */

static bool stop_at_match(struct ew_execution *run, void *context) {
  (void)run;
  *(bool *)context = true;
  return false;
}

static struct ew_value evaluate_predicate(struct ew_execution *run, const struct ew_code *code) {
  struct ew_arena_mark mark = ew_arena_mark(run->arena);
  uint64_t bytes = run->bytes_left;
  bool found = false;
  ew_match(run, code->pattern, stop_at_match, &found);
  ew_arena_rewind(run->arena, mark);
  run->bytes_left = bytes;
  return ew_boolean(found);
}

struct gathering {
  const struct ew_code *code;
  EW_VECTOR(struct ew_value) items;
};

static bool gather(struct ew_execution *run, void *context) {
  struct gathering *gathering = context;
  if (!ew_pattern_rest_holds(run, gathering->code->pattern)) return !run->failed;
  *ew_arena_vector_push(run->arena, &gathering->items) = ew_evaluate(run, gathering->code->operands[0]);
  return ew_run_spend(run, 1) && gathering->items.count <= run->rows_max;
}

static struct ew_value evaluate_comprehension(struct ew_execution *run, const struct ew_code *code) {
  struct gathering gathering = {.code = code};
  ew_match(run, code->pattern, gather, &gathering);
  if (gathering.items.count > run->rows_max)
    ew_run_fail(run, EW_FAULT_LIMIT, "a list has more than %zu elements", run->rows_max);
  if (gathering.items.count > 1) ew_run_is_open_at(run, UINT32_C(1) << EW_OPEN_COLLECT, code->node);
  return ew_run_list(run, gathering.items.items, gathering.items.count);
}

static bool stop_at_path(struct ew_execution *run, void *context) {
  (void)run;
  *(bool *)context = true;
  return false;
}

/* shortestPath(…) as a value: the path or null. */
static struct ew_value evaluate_path(struct ew_execution *run, const struct ew_code *code) {
  bool found = false;
  ew_match(run, code->pattern, stop_at_path, &found);
  return found ? ew_path_value_of(run, &code->pattern->paths[0]) : ew_null();
}

struct path_list {
  const struct ew_path_element *path;
  EW_VECTOR(struct ew_value) items;
};

static bool add_path(struct ew_execution *run, void *context) {
  struct path_list *list = context;
  *ew_arena_vector_push(run->arena, &list->items) = ew_path_value_of(run, list->path);
  return ew_run_spend(run, 1);
}

/* allShortestPaths(…) as a value. */
static struct ew_value evaluate_paths(struct ew_execution *run, const struct ew_code *code) {
  struct path_list list = {.path = &code->pattern->paths[0]};
  ew_match(run, code->pattern, add_path, &list);
  return ew_run_list(run, list.items.items, list.items.count);
}

static ew_evaluator evaluator_of(const struct ew_node *pattern) {
  switch (CYPHER_AS(path, pattern)->selector.choice) {
    case CYPHER_SELECTOR_NONE: return evaluate_predicate;
    case CYPHER_SELECTOR_ALL_SHORTEST_PATHS: return evaluate_paths;
    default: return evaluate_path;
  }
}

const struct ew_code *ew_compile_inner_pattern(struct ew_compiler *compiler, const struct ew_node *node) {
  bool comprehension = cypher_is(node, CYPHER_pattern_comprehension);
  const struct cypher_pattern_comprehension *source = CYPHER_AS(pattern_comprehension, node);
  const struct ew_node *path = comprehension ? source->pattern.node : CYPHER_AS(pattern_expression, node)->pattern.node;
  struct ew_scope_mark mark = ew_compile_open(compiler);
  const struct ew_pattern *pattern =
      ew_compile_pattern(compiler, (struct ew_list){&path, 1}, comprehension ? source->where.node : NULL);
  const struct ew_code **operands = EW_NEW_ARRAY(compiler->arena, const struct ew_code *, 1);
  if (comprehension) operands[0] = ew_compile_expression(compiler, source->result.node);
  ew_compile_close(compiler, mark);
  struct ew_code *code =
      ew_code_new(compiler, comprehension ? evaluate_comprehension : evaluator_of(path), node, operands, 1);
  code->pattern = pattern;
  return code;
}
