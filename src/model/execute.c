/* execute.c: checker and model name their errors in tables of their own; here they become one. */
#include "model/execute.h"

#include "lang/cypher/scope.h"

static bool check(const struct ew_model *model, const struct ew_node *statement, struct ew_query_error *error) {
  struct ew_cypher_problem problem;
  if (ew_cypher_analyze(statement, &problem) || ew_model_forgives(model, &problem)) return true;
  *error =
      (struct ew_query_error){ew_cypher_detail_type(problem.detail), ew_cypher_detail_name(problem.detail), true, ""};
  snprintf(error->text, sizeof error->text, "%s%s%.*s", ew_cypher_detail_meaning(problem.detail),
           problem.name.length ? ": " : "", EW_SPAN_ARGS(problem.name));
  return false;
}

void ew_execute_error(const struct ew_model_error *fault, struct ew_query_error *error) {
  *error =
      (struct ew_query_error){ew_fault_type(fault->code), ew_fault_detail(fault->code), fault->at_compile_time, ""};
  snprintf(error->text, sizeof error->text, "%s", fault->text);
}

bool ew_execute_prepare(struct ew_model *model, struct ew_arena *arena, const struct ew_node *statement,
                        const struct ew_plan **plan, struct ew_query_error *error) {
  struct ew_model_error fault;
  if (!check(model, statement, error)) return false;
  if (ew_model_prepare(model, arena, statement, &fault, plan)) return true;
  ew_execute_error(&fault, error);
  return false;
}

bool ew_execute(struct ew_model *model, struct ew_arena *arena, const struct ew_cypher_source *source,
                const struct ew_model_options *options, struct ew_model_result *result, struct ew_query_error *error) {
  const struct ew_plan *plan;
  *result = (struct ew_model_result){0};
  *error = (struct ew_query_error){0};
  if (!ew_execute_prepare(model, arena, source->statement, &plan, error)) return false;
  ew_model_run_permuted(model, plan, options, arena, result);
  if (source->columns.count == result->rows.column_count) result->rows.columns = source->columns.items;
  if (result->error.code == EW_FAULT_NONE) return true;
  ew_execute_error(&result->error, error);
  return false;
}
