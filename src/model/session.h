/* session.h: a statement as it is being written, clause by clause: apply one, look at the rows, take it back, go on.

       struct ew_session session;
       ew_session_begin(&session, &model, &options, &arena);
       if (ew_session_apply(&session, clause)) rows = ew_session_rows(&session);
       struct ew_session_mark mark = ew_session_mark(&session);
       …
       ew_session_rewind(&session, mark);
       ew_session_end(&session, true);

   The graph is as the clauses so far leave it. Nothing else may run on the model meanwhile. */
#ifndef EW_MODEL_SESSION_H
#define EW_MODEL_SESSION_H

#include "model/code.h"

struct ew_session {
  struct ew_execution run;
  struct ew_compiler compiler;
  struct ew_table table;
  struct ew_graph_mark begin;
  struct ew_model_error error; /* why the last clause was not applied */
};

struct ew_session_mark {
  struct ew_graph_mark graph;
  struct ew_table table;
  struct ew_binding *visible;
  size_t visible_count;
  uint32_t next;
  struct ew_counters counters;
  uint32_t open;
};

/* Options and arena must outlive the session; steps and bytes of the limits are for each clause. */
void ew_session_begin(struct ew_session *session, struct ew_model *model, const struct ew_model_options *options,
                      struct ew_arena *arena);
/* False where the clause cannot be compiled or fails: then all is as before, and `session->error` says why. */
bool ew_session_apply(struct ew_session *session, const struct ew_node *clause);
/* What an expression is on row number `row`; false where it cannot be compiled or fails. Nothing changes but
   `session->error`. */
bool ew_session_evaluate(struct ew_session *session, const struct ew_node *expression, size_t row,
                         struct ew_value *value);
/* Keeps the rows for which an expression is true, as WHERE behind the last clause does; false as above. */
bool ew_session_filter(struct ew_session *session, const struct ew_node *expression);
/* What the variable called `name` is in row number `row`; false where it is not visible. */
bool ew_session_look(const struct ew_session *session, struct ew_span name, size_t row, struct ew_value *value);
/* The rows as they are now, a column for each visible variable. */
struct ew_rows ew_session_rows(struct ew_session *session);
struct ew_session_mark ew_session_mark(struct ew_session *session);
void ew_session_rewind(struct ew_session *session, struct ew_session_mark mark);
/* Keeps what was written, or takes it back; keeping fails, and takes back, where a deleted node still has
   relationships. */
bool ew_session_end(struct ew_session *session, bool keep);

#endif
