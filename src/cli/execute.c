/* execute.c: checker and model name their errors in tables of their own; here they become one. */
#include "cli/execute.h"

#include "lang/cypher/scope.h"

static bool check(const struct ew_node *statement, struct ew_query_error *error) {
  struct ew_cypher_problem problem;
  if (ew_cypher_analyze(statement, &problem)) return true;
  *error =
      (struct ew_query_error){ew_cypher_detail_type(problem.detail), ew_cypher_detail_name(problem.detail), true, ""};
  snprintf(error->text, sizeof error->text, "%s%s%.*s", ew_cypher_detail_meaning(problem.detail),
           problem.name.length ? ": " : "", EW_SPAN_ARGS(problem.name));
  return false;
}

bool ew_execute(struct ew_model *model, struct ew_arena *arena, const struct ew_cypher_source *source,
                const struct ew_model_options *options, struct ew_model_result *result, struct ew_query_error *error) {
  *result = (struct ew_model_result){0};
  *error = (struct ew_query_error){0};
  if (!check(source->statement, error)) return false;
  ew_model_execute(model, source->statement, options, arena, result);
  if (source->columns.count == result->rows.column_count) result->rows.columns = source->columns.items;
  const struct ew_model_error *fault = &result->error;
  if (fault->code == EW_FAULT_NONE) return true;
  *error =
      (struct ew_query_error){ew_fault_type(fault->code), ew_fault_detail(fault->code), fault->at_compile_time, ""};
  snprintf(error->text, sizeof error->text, "%s", fault->text);
  return false;
}
