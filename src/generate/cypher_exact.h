/* cypher_exact.h: the exact state (generate.h): each clause is run on the model as it is written.

   A statement is a session of the model; all that the statements of a case do to the world is taken back at its end. A
   clause that fails there, takes too long or leaves no row is refused, but for a stated share: who drew it draws
   another. After each clause one of its rows becomes the witness of all variables.

   In the summary state, and within subqueries, all of this does nothing: clauses are taken as they are drawn. */
#ifndef EW_GENERATE_CYPHER_EXACT_H
#define EW_GENERATE_CYPHER_EXACT_H

#include "generate/cypher_writer.h"
#include "model/session.h"

struct ew_cypher_exact {
  struct ew_session session;
  struct ew_model_options options;
  size_t row;     /* the witness */
  bool ill_typed; /* as the writer's, when the last clause was accepted */
};

/* A statement begins and ends; between statements the writer's `exact` is NULL. Ending gives whether what it did was
   kept; where it was not, the statement as a whole fails. */
void ew_exact_begin(struct ew_cypher_writer *writer);
bool ew_exact_end(struct ew_cypher_writer *writer);

/* Runs what a finished query does before its last clause; false, and nothing is tracked, where that fails or leaves no
   row. What it does is taken back by ew_exact_forget. */
bool ew_exact_replay(struct ew_cypher_writer *writer, const struct ew_node *statement);
void ew_exact_forget(struct ew_cypher_writer *writer);

/* Runs a clause, and looks at its rows. False where it is refused: then the caller goes back to a mark. */
bool ew_exact_apply(struct ew_cypher_writer *writer, const struct ew_node *clause);
/* Runs WHERE behind the clause that was applied last. */
bool ew_exact_filter(struct ew_cypher_writer *writer, const struct ew_node *where);
/* The predicate, or one made of it that is true for the witness; most often. NULL where it fails and nothing helps. */
const struct ew_node *ew_exact_steer(struct ew_cypher_writer *writer, const struct ew_node *predicate);

/* How many rows there are; SIZE_MAX where that is not known. */
size_t ew_exact_rows(const struct ew_cypher_writer *writer);
/* Whether a value of a variable is something in any row; false where the rows are not known. */
bool ew_exact_any(const struct ew_cypher_writer *writer, struct ew_span variable, bool (*is)(struct ew_value value));

/* The writer and the rows as they are, to come back to. */
struct ew_exact_mark {
  struct ew_session_mark session;
  struct ew_cypher_variable *variables;
  size_t count, stale_count, parameter_count;
  int turn;
  bool ill_typed;
  unsigned next_name;
  struct ew_schema schema;
};
struct ew_exact_mark ew_exact_mark(struct ew_cypher_writer *writer);
void ew_exact_rewind(struct ew_cypher_writer *writer, struct ew_exact_mark mark);

#endif
