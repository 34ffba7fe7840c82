/* query.c: tables of rows, running steps one after the other, and queries with their unions. */
#include "base/random.h"
#include "model/planted.h"

/* ---- tables ---- */

void ew_table_init(struct ew_table *table, uint32_t width) { *table = (struct ew_table){.width = width}; }

struct ew_value *ew_table_add(struct ew_execution *run, struct ew_table *table) {
  if (table->count >= run->rows_max)
    ew_run_fail(run, EW_FAULT_LIMIT, "a clause leaves more than %zu rows", run->rows_max);
  if (!ew_run_spend(run, 1)) return NULL;
  if (table->count == table->capacity) {
    size_t capacity = table->capacity ? table->capacity * 2 : 4, size = table->width * sizeof *table->values;
    struct ew_value *values = ew_run_take(run, capacity, size ? size : 1);
    if (!values) return NULL;
    if (table->count && size) memcpy(values, table->values, table->count * size);
    table->values = values;
    table->capacity = capacity;
  }
  return table->values + table->count++ * table->width;
}

void ew_table_add_slots(struct ew_execution *run, struct ew_table *table) {
  struct ew_value *row = ew_table_add(run, table);
  if (row && table->width) memcpy(row, run->slots, table->width * sizeof *row);
}

/* ---- running ---- */

static void swap_rows(struct ew_table *table, struct ew_value *spare, size_t a, size_t b) {
  struct ew_value *left = table->values + a * table->width, *right = table->values + b * table->width;
  size_t size = table->width * sizeof *spare;
  memcpy(spare, left, size);
  memmove(left, right, size);
  memcpy(right, spare, size);
}

/* Another order: under permutation 1 the other way round where the order was lost just now, so that first and last change
   for certain; else drawn. */
static void permute(struct ew_execution *run, struct ew_table *table, bool lost_now) {
  struct ew_random root = ew_random_from(run->options->permutation),
                   random = ew_random_split(&root, "rows", table->count);
  struct ew_value *spare = ew_arena_take(run->arena, table->width * sizeof *spare + 1);
  if (!table->width) return;
  if (run->options->permutation == 1)
    for (size_t i = 0; lost_now && i < table->count / 2; i++) swap_rows(table, spare, i, table->count - 1 - i);
  else
    for (size_t i = table->count; i > 1; i--) swap_rows(table, spare, i - 1, ew_random_below(&random, (uint32_t)i));
}

void ew_run_steps(struct ew_execution *run, const struct ew_step *const *steps, size_t count, const struct ew_table *in,
                  struct ew_table *out) {
  struct ew_table current = *in;
  for (size_t i = 0; i < count && !run->failed; i++) {
    struct ew_table next;
    ew_table_init(&next, steps[i]->width_out);
    steps[i]->run(run, steps[i], &current, &next);
    if (next.count < 2) next.ordered = true;
    if (run->options->permutation && !next.ordered && !steps[i]->sorts) permute(run, &next, current.ordered);
    if (run->options->watch && !run->failed)
      run->options->watch(run->options->watcher, steps[i]->node, run->depth - 1, current.count, next.count);
    current = next;
  }
  *out = current;
}

struct ew_value *ew_run_enter(struct ew_execution *run, uint32_t base) {
  struct ew_value *outer = run->slots;
  if (run->depth >= EW_RUN_DEPTH_MAX) ew_run_fail(run, EW_FAULT_LIMIT, "queries nest deeper than %d", EW_RUN_DEPTH_MAX);
  run->depth++;
  run->slots = EW_NEW_ARRAY(run->arena, struct ew_value, run->width);
  if (base) memcpy(run->slots, outer, base * sizeof *run->slots);
  return outer;
}

void ew_run_leave(struct ew_execution *run, struct ew_value *slots) {
  run->depth--;
  run->slots = slots;
}

static void run_branch(struct ew_execution *run, const struct ew_query *query, const struct ew_branch *branch,
                       struct ew_table *out) {
  struct ew_table in;
  if (branch->inner) {
    ew_run_query(run, branch->inner, out);
    return;
  }
  ew_table_init(&in, query->base);
  in.ordered = true;
  ew_table_add_slots(run, &in);
  if (!run->failed) ew_run_steps(run, branch->steps, branch->count, &in, out);
}

/* Appends a branch's rows, its columns in the order of the first branch. */
static void append_branch(struct ew_execution *run, const struct ew_query *query, const struct ew_branch *branch,
                          const struct ew_table *rows, struct ew_groups *seen, struct ew_table *out) {
  for (size_t i = 0; i < rows->count && !run->failed; i++) {
    struct ew_value *row = ew_table_add(run, out);
    if (!row) return;
    const struct ew_value *from = ew_table_row(rows, i);
    if (query->base) memcpy(row, from, query->base * sizeof *row);
    for (size_t k = 0; k < query->columns.count; k++) row[query->base + k] = from[query->base + branch->order[k]];
    if (query->all) continue;
    struct ew_value *key = ew_arena_take(run->arena, query->columns.count * sizeof *key);
    memcpy(key, row + query->base, query->columns.count * sizeof *key);
    bool fresh;
    ew_groups_add(run, seen, key, &fresh);
    if (!fresh) out->count--;
  }
}

void ew_run_query(struct ew_execution *run, const struct ew_query *query, struct ew_table *out) {
  struct ew_value *outer = ew_run_enter(run, query->base);
  if (query->count == 1 && !run->failed) {
    run_branch(run, query, &query->branches[0], out);
  } else {
    struct ew_groups seen = {.use = EW_GROUPS_UNION, .width = query->columns.count};
    ew_table_init(out, query->base + (uint32_t)query->columns.count);
    for (size_t i = 0; i < query->count && !run->failed; i++) {
      struct ew_table rows;
      size_t before = out->count;
      struct ew_plant_branch branch = ew_plant_branch_begin(run);
      run_branch(run, query, &query->branches[i], &rows);
      if (!run->failed && query->returns) append_branch(run, query, &query->branches[i], &rows, &seen, out);
      ew_plant_branch_end(run, branch, i && !query->all && query->returns && rows.count && out->count == before);
    }
    out->ordered = out->count < 2;
  }
  ew_run_leave(run, outer);
}

/* ---- compiling ---- */

static bool ends_ordered(const struct ew_node *query) {
  struct ew_list clauses = CYPHER_AS(query, query)->clauses.list;
  const struct ew_node *last = clauses.count ? clauses.items[clauses.count - 1] : NULL;
  if (!cypher_is(last, CYPHER_return)) return false;
  return CYPHER_AS(projection, CYPHER_AS(return, last)->projection.node)->order.list.count > 0;
}

static void compile_steps(struct ew_compiler *compiler, struct ew_list clauses, enum ew_sight sight,
                          struct ew_branch *branch) {
  const struct ew_step **steps = EW_NEW_ARRAY(compiler->arena, const struct ew_step *, clauses.count);
  for (size_t i = 0; i < clauses.count && !compiler->failed; i++) {
    if (sight == EW_SEES_FIRST && i == 0) {
      compiler->outer = 0;
      if (!cypher_is(clauses.items[0], CYPHER_with)) compiler->visible.count = 0;
    }
    compiler->clauses = clauses;
    compiler->clause = i;
    compiler->standalone = clauses.count == 1 && !compiler->base;
    steps[i] = ew_compile_clause(compiler, clauses.items[i]);
  }
  branch->steps = steps;
  branch->count = clauses.count;
}

/* Columns are what is visible behind the last RETURN, at base and on. */
static struct ew_names columns_of(struct ew_compiler *compiler) {
  size_t count = compiler->visible.count - compiler->outer;
  struct ew_span *names = EW_NEW_ARRAY(compiler->arena, struct ew_span, count);
  for (size_t i = 0; i < count; i++) names[i] = compiler->visible.items[compiler->outer + i].name;
  return (struct ew_names){names, count};
}

static const uint32_t *order_of(struct ew_compiler *compiler, struct ew_names first, struct ew_names columns) {
  uint32_t *order = EW_NEW_ARRAY(compiler->arena, uint32_t, first.count);
  for (size_t i = 0; i < first.count; i++) {
    size_t at = 0;
    while (at < columns.count && !ew_span_equal(first.items[i], columns.items[at])) at++;
    if (at == columns.count || columns.count != first.count) {
      ew_compile_fail(compiler, EW_FAULT_UNION_COLUMNS, "the parts of a UNION have different columns");
      return order;
    }
    order[i] = (uint32_t)at;
  }
  return order;
}

static void compile_branch(struct ew_compiler *compiler, const struct ew_node *node, enum ew_sight sight,
                           struct ew_query *query, struct ew_branch *branch) {
  struct ew_compiler saved = *compiler;
  struct ew_list clauses = CYPHER_AS(query, node)->clauses.list;
  struct ew_binding *visible = EW_NEW_ARRAY(compiler->arena, struct ew_binding, saved.visible.count);
  if (saved.visible.count) memcpy(visible, saved.visible.items, saved.visible.count * sizeof *visible);
  compiler->visible = (struct ew_bindings){visible, saved.visible.count, saved.visible.count};
  compiler->outer = saved.visible.count;
  compiler->substitutes = (struct ew_substitutes){0};
  compiler->aggregates = NULL;
  compiler->base = compiler->next;
  compile_steps(compiler, clauses, sight, branch);
  const struct ew_node *last = clauses.count ? clauses.items[clauses.count - 1] : NULL;
  query->returns = cypher_is(last, CYPHER_return) || (compiler->standalone && cypher_is(last, CYPHER_call_procedure));
  struct ew_names columns = query->returns ? columns_of(compiler) : (struct ew_names){0};
  if (!columns.count && !cypher_is(last, CYPHER_return)) query->returns = false;
  if (branch == query->branches) query->columns = columns;
  branch->order = order_of(compiler, query->columns, columns);
  compiler->visible = saved.visible;
  compiler->substitutes = saved.substitutes;
  compiler->aggregates = saved.aggregates;
  compiler->clauses = saved.clauses;
  compiler->clause = saved.clause;
  compiler->outer = saved.outer;
  compiler->base = saved.base;
  compiler->next = saved.next;
}

/* Of a plant: UNION and UNION ALL in one query, from left to right. */
static void compile_inner_union(struct ew_compiler *compiler, const struct ew_node *node, enum ew_sight sight,
                                struct ew_query *query, struct ew_branch *branch) {
  branch->inner = ew_compile_query(compiler, node, sight);
  query->returns = branch->inner->returns;
  query->columns = branch->inner->columns;
  branch->order = order_of(compiler, query->columns, query->columns);
}

const struct ew_query *ew_compile_query(struct ew_compiler *compiler, const struct ew_node *node, enum ew_sight sight) {
  struct ew_query *query = EW_NEW(compiler->arena, struct ew_query);
  bool several = cypher_is(node, CYPHER_union);
  if (!several && !cypher_is(node, CYPHER_query)) {
    ew_compile_fail(compiler, EW_FAULT_UNSUPPORTED, "the model has no %s within a query", node->kind->name);
    return query;
  }
  struct ew_list parts = several ? CYPHER_AS(union, node)->branches.list : (struct ew_list){&node, 1};
  struct ew_branch *branches = EW_NEW_ARRAY(compiler->arena, struct ew_branch, parts.count);
  *query = (struct ew_query){.branches = branches,
                             .count = parts.count,
                             .all = several && CYPHER_AS(union, node)->all.flag,
                             .ordered = !several && ends_ordered(node),
                             .base = compiler->next};
  for (size_t i = 0; i < parts.count && !compiler->failed; i++) {
    if (cypher_is(parts.items[i], CYPHER_union) &&
        ew_planted(compiler->model, EW_PLANT_mixed_union_and_union_all_accepted)) {
      compile_inner_union(compiler, parts.items[i], sight, query, &branches[i]);
      continue;
    }
    if (!cypher_is(parts.items[i], CYPHER_query)) {
      ew_compile_fail(compiler, EW_FAULT_UNSUPPORTED, "the model has no union within a union");
      break;
    }
    compile_branch(compiler, parts.items[i], sight, query, &branches[i]);
  }
  return query;
}
