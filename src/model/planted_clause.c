/* planted_clause.c: UNWIND, CALL and UNION that are wrong. */
#include "model/planted.h"

/* ---- UNWIND ---- */

bool ew_plant_unwinds_once(struct ew_compiler *compiler, const struct cypher_unwind *source) {
  return ew_planted(compiler->model, EW_PLANT_unwind_of_unused_literal_list_removes_duplicates) &&
         cypher_is(source->list.node, CYPHER_list) && !ew_plant_named_later(compiler, source->variable.name);
}

bool ew_plant_unwind_ends(struct ew_compiler *compiler, const struct cypher_unwind *source) {
  return ew_planted(compiler->model, EW_PLANT_nested_unwind_stops_at_first_empty_list) &&
         (cypher_is(source->list.node, CYPHER_variable) || cypher_is(source->list.node, CYPHER_property));
}

bool ew_plant_is_repeated(struct ew_execution *run, struct ew_values list, size_t at) {
  for (size_t i = 0; i < at; i++)
    if (ew_value_equivalent(list.items[i], list.items[at], run->semantics)) return true;
  return false;
}

/* ---- CALL ---- */

/* The one variable that a call imports; empty where there are none or several. */
static struct ew_span import_of(const struct cypher_call_subquery *source, size_t *count) {
  *count = source->imports.names.count;
  if (source->scoped.flag)
    return source->star.flag || *count != 1 ? (struct ew_span){0} : source->imports.names.items[0];
  struct ew_list clauses = cypher_is(source->body.node, CYPHER_query)
                               ? CYPHER_AS(query, source->body.node)->clauses.list
                               : (struct ew_list){0};
  if (!clauses.count || !cypher_is(clauses.items[0], CYPHER_with)) return (struct ew_span){0};
  const struct cypher_projection *with = ew_plant_projection(clauses.items[0]);
  *count = with->items.list.count + with->star.flag;
  if (with->star.flag || with->items.list.count != 1) return (struct ew_span){0};
  const struct ew_node *item = CYPHER_AS(item, with->items.list.items[0])->expression.node;
  return cypher_is(item, CYPHER_variable) ? CYPHER_AS(variable, item)->name.name : (struct ew_span){0};
}

struct ew_plant_call ew_plant_call_of(struct ew_compiler *compiler, const struct cypher_call_subquery *source,
                                      const struct ew_query *query) {
  struct ew_plant_call call = {0};
  if (!ew_plants_any(&compiler->model->plants)) return call;
  size_t count;
  struct ew_span import = import_of(source, &count);
  call.keeps_row = ew_planted(compiler->model, EW_PLANT_call_without_rows_keeps_its_row);
  call.once = !query->returns && !count && !(source->scoped.flag && source->star.flag) &&
              ew_planted(compiler->model, EW_PLANT_unit_subquery_runs_once_for_all_rows);
  call.caches = query->returns && import.length && ew_compile_find(compiler, import, &call.slot) &&
                ew_planted(compiler->model, EW_PLANT_correlated_call_reuses_result_when_import_is_null);
  return call;
}

bool ew_plant_reuses(struct ew_execution *run, const struct ew_plant_call *call) {
  return call->once || (call->caches && run->slots[call->slot].kind == EW_VALUE_NULL);
}

const struct cypher_projection *ew_plant_last_projection(const struct ew_node *query) {
  if (!cypher_is(query, CYPHER_query)) return NULL;
  struct ew_list clauses = CYPHER_AS(query, query)->clauses.list;
  return clauses.count ? ew_plant_projection(clauses.items[clauses.count - 1]) : NULL;
}

/* ---- UNION ---- */

struct ew_plant_branch ew_plant_branch_begin(struct ew_execution *run) {
  struct ew_plant_branch branch = {0};
  branch.watched = ew_planted(run->model, EW_PLANT_write_of_second_union_branch_lost_when_its_row_is_duplicate);
  if (!branch.watched) return branch;
  branch.mark = ew_graph_begin(run->graph);
  branch.counters = run->counters;
  return branch;
}

void ew_plant_branch_end(struct ew_execution *run, struct ew_plant_branch branch, bool repeated) {
  if (!branch.watched) return;
  if (repeated) {
    ew_graph_rollback(run->graph, branch.mark);
    run->counters = branch.counters;
  } else {
    ew_graph_commit(run->graph, branch.mark);
  }
}
