/* execute.h: a statement on the model as a user would meet it: checked first, then run. */
#ifndef EW_MODEL_EXECUTE_H
#define EW_MODEL_EXECUTE_H

#include "lang/cypher/parser.h"
#include "model/model.h"

/* How a query ended that did not give rows, in the TCK's words. */
struct ew_query_error {
  const char *type, *detail; /* NULL where all was well */
  bool at_compile_time;
  char text[200];
};

/* Checks and prepares a statement. False where it is wrong before it runs. */
bool ew_execute_prepare(struct ew_model *model, struct ew_arena *arena, const struct ew_node *statement,
                        const struct ew_plan **plan, struct ew_query_error *error);
/* The model's error in the TCK's words. */
void ew_execute_error(const struct ew_model_error *fault, struct ew_query_error *error);

/* Checks, prepares and runs. Everything of the result that is not of the graph lives in `arena`; its columns are called as they were written. False where it
   failed. */
bool ew_execute(struct ew_model *model, struct ew_arena *arena, const struct ew_cypher_source *source,
                const struct ew_model_options *options, struct ew_model_result *result, struct ew_query_error *error);

#endif
