/* call.c: clauses that run others: UNWIND, FOREACH, CALL {}; and the ones that do nothing here. */
#include "model/planted.h"

/* ---- nothing ---- */

static void run_pass(struct ew_execution *run, const struct ew_step *step, const struct ew_table *in,
                     struct ew_table *out) {
  (void)run;
  (void)step;
  *out = *in;
}

const struct ew_step *ew_compile_pass(struct ew_compiler *compiler, const struct ew_node *node) {
  return ew_step_new(compiler, run_pass, node, NULL);
}

/* ---- UNWIND ---- */

struct unwind {
  const struct ew_code *list;
  uint32_t slot;
  bool each_once, ends_early; /* plants: equal elements give one row; an empty list ends it all */
};

/* Null is no row; anything that is no list is a list of itself. */
static void run_unwind(struct ew_execution *run, const struct ew_step *step, const struct ew_table *in,
                       struct ew_table *out) {
  const struct unwind *unwind = step->detail;
  for (size_t i = 0; i < in->count && !run->failed; i++) {
    ew_table_load(run, in, i);
    struct ew_value value = ew_evaluate(run, unwind->list);
    if (value.kind == EW_VALUE_NULL) continue;
    struct ew_values list = value.kind == EW_VALUE_LIST ? value.list : (struct ew_values){&value, 1};
    if (unwind->ends_early && !list.count) break;
    for (size_t k = 0; k < list.count && !run->failed; k++) {
      if (unwind->each_once && ew_plant_is_repeated(run, list, k)) continue;
      run->slots[unwind->slot] = list.items[k];
      ew_table_add_slots(run, out);
    }
  }
  out->ordered = in->ordered;
}

const struct ew_step *ew_compile_unwind(struct ew_compiler *compiler, const struct ew_node *node) {
  struct unwind *unwind = EW_NEW(compiler->arena, struct unwind);
  unwind->list = ew_compile_expression(compiler, CYPHER_AS(unwind, node)->list.node);
  unwind->slot = ew_compile_bind(compiler, CYPHER_AS(unwind, node)->variable.name);
  unwind->each_once = ew_plant_unwinds_once(compiler, CYPHER_AS(unwind, node));
  unwind->ends_early = ew_plant_unwind_ends(compiler, CYPHER_AS(unwind, node));
  return ew_step_new(compiler, run_unwind, node, unwind);
}

/* ---- FOREACH ---- */

struct foreach {
  const struct ew_code *list;
  uint32_t slot;
  const struct ew_step **steps;
  size_t count;
};

static void run_body(struct ew_execution *run, const struct foreach *foreach, struct ew_values list) {
  struct ew_value *outer = ew_run_enter(run, foreach->slot);
  if (list.count > 1 && ew_planted(run->model, EW_PLANT_foreach_skips_last_element)) list.count--;
  for (size_t i = 0; i < list.count && ew_run_spend(run, 1); i++) {
    memcpy(run->slots, outer, foreach->slot * sizeof *outer);
    run->slots[foreach->slot] = list.items[i];
    struct ew_table row, rest;
    ew_table_init(&row, foreach->slot + 1);
    ew_table_add_slots(run, &row);
    if (!run->failed) ew_run_steps(run, foreach->steps, foreach->count, &row, &rest);
  }
  ew_run_leave(run, outer);
}

static void run_foreach(struct ew_execution *run, const struct ew_step *step, const struct ew_table *in,
                        struct ew_table *out) {
  const struct foreach *foreach = step->detail;
  for (size_t i = 0; i < in->count && !run->failed; i++) {
    ew_table_load(run, in, i);
    struct ew_value value = ew_evaluate(run, foreach->list);
    if (value.kind == EW_VALUE_LIST)
      run_body(run, foreach, value.list);
    else if (value.kind != EW_VALUE_NULL)
      ew_run_fail(run, EW_FAULT_ARGUMENT_TYPE, "FOREACH over %s", ew_kind_text(value));
  }
  *out = *in;
}

const struct ew_step *ew_compile_foreach(struct ew_compiler *compiler, const struct ew_node *node) {
  const struct cypher_foreach *source = CYPHER_AS(foreach, node);
  struct foreach *foreach = EW_NEW(compiler->arena, struct foreach);
  foreach
    ->list = ew_compile_expression(compiler, source->list.node);
  struct ew_scope_mark mark = ew_compile_open(compiler);
  foreach
    ->slot = ew_compile_bind(compiler, source->variable.name);
  foreach
    ->count = source->clauses.list.count;
  foreach
    ->steps = EW_NEW_ARRAY(compiler->arena, const struct ew_step *, foreach->count);
  for (size_t i = 0; i < foreach->count && !compiler->failed; i++)
    foreach
      ->steps[i] = ew_compile_clause(compiler, source->clauses.list.items[i]);
  ew_compile_close(compiler, mark);
  return ew_step_new(compiler, run_foreach, node, foreach);
}

/* ---- CALL {} ---- */

struct call {
  const struct ew_query *query;
  bool optional;
  uint32_t first; /* slot of the first column */
  struct ew_plant_call plants;
};

static void add_result(struct ew_execution *run, const struct call *call, const struct ew_value *row,
                       struct ew_table *out) {
  for (size_t i = 0; i < call->query->columns.count; i++)
    run->slots[call->first + i] = row ? row[call->query->base + i] : ew_null();
  ew_table_add_slots(run, out);
}

static void run_call(struct ew_execution *run, const struct ew_step *step, const struct ew_table *in,
                     struct ew_table *out) {
  const struct call *call = step->detail;
  bool ordered = in->ordered;
  struct ew_table rows = {0};
  for (size_t i = 0; i < in->count && !run->failed; i++) {
    ew_table_load(run, in, i);
    if (!i || !ew_plant_reuses(run, &call->plants)) ew_run_query(run, call->query, &rows);
    if (run->failed) return;
    ordered &= rows.ordered;
    ew_table_load(run, in, i);
    if (!call->query->returns || (!rows.count && (call->optional || call->plants.keeps_row)))
      add_result(run, call, NULL, out);
    for (size_t k = 0; call->query->returns && k < rows.count && !run->failed; k++)
      add_result(run, call, ew_table_row(&rows, k), out);
  }
  out->ordered = ordered;
}

/* Of a scoped call: only what it names is visible within. */
static struct ew_bindings imports_of(struct ew_compiler *compiler, struct ew_names imports) {
  struct ew_bindings visible = {0};
  for (size_t i = 0; i < imports.count; i++) {
    uint32_t slot = 0;
    if (!ew_compile_find(compiler, imports.items[i], &slot))
      ew_compile_fail(compiler, EW_FAULT_NO_VARIABLE, "%.*s is not bound here", EW_SPAN_ARGS(imports.items[i]));
    *ew_arena_vector_push(compiler->arena, &visible) = (struct ew_binding){imports.items[i], slot};
  }
  return visible;
}

const struct ew_step *ew_compile_call_subquery(struct ew_compiler *compiler, const struct ew_node *node) {
  const struct cypher_call_subquery *source = CYPHER_AS(call_subquery, node);
  struct call *call = EW_NEW(compiler->arena, struct call);
  struct ew_bindings visible = compiler->visible;
  if (source->scoped.flag && !source->star.flag) compiler->visible = imports_of(compiler, source->imports.names);
  call->query = ew_compile_query(compiler, source->body.node, source->scoped.flag ? EW_SEES_ALL : EW_SEES_FIRST);
  compiler->visible = visible;
  call->optional = source->optional.flag;
  call->plants = ew_plant_call_of(compiler, source, call->query);
  call->first = compiler->next;
  for (size_t i = 0; i < call->query->columns.count; i++) ew_compile_bind(compiler, call->query->columns.items[i]);
  return ew_step_new(compiler, run_call, node, call);
}
