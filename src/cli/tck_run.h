/* tck_run.h: one scenario of the TCK on the model.

   A scenario passes where every step does: rows and their columns as stated, in order where asked; side effects; and for an
   error its type, its detail and whether it came before the query ran. */
#ifndef EW_CLI_TCK_RUN_H
#define EW_CLI_TCK_RUN_H

#include "cli/tck_feature.h"
#include "model/execute.h"

struct ew_tck_world {
  struct ew_arena arena; /* of the scenario */
  struct ew_model model;
  const char *graphs; /* the folder of the named graphs */
  EW_VECTOR(struct ew_parameter) parameters;
  struct ew_query_error error;   /* of the last query */
  struct ew_model_result result; /* of the last query, where it had no error */
  struct ew_text *why;           /* what is not as stated */
};

void ew_tck_world_init(struct ew_tck_world *world, const char *graphs);
void ew_tck_world_release(struct ew_tck_world *world);

/* Runs a scenario on a graph of its own; false and `why` where it does not pass. */
bool ew_tck_run(struct ew_tck_world *world, const struct ew_tck_scenario *scenario, struct ew_text *why) EW_CHECKED;

/* Runs one query; what came of it is in the world. */
void ew_tck_execute(struct ew_tck_world *world, struct ew_span query);

/* The steps that state something (tck_state.c): true where it is so. */
bool ew_tck_state_rows(struct ew_tck_world *world, const struct ew_tck_step *step, bool in_order, bool any_list_order);
bool ew_tck_state_empty(struct ew_tck_world *world);
bool ew_tck_state_effects(struct ew_tck_world *world, const struct ew_tck_step *step);
bool ew_tck_state_error(struct ew_tck_world *world, const struct ew_tck_step *step);

/* A "a TypeError should be raised at runtime: Detail" taken apart; false where the text is something else. */
struct ew_tck_stated_error {
  struct ew_span type, phase, detail;
};
bool ew_tck_stated_error_read(struct ew_span text, struct ew_tck_stated_error *stated);

#endif
