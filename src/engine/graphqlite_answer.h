/* graphqlite_answer.h: GraphQLite's answers, which are JSON of its own kind, as outcomes. */
#ifndef EW_ENGINE_GRAPHQLITE_ANSWER_H
#define EW_ENGINE_GRAPHQLITE_ANSWER_H

#include "contract/engine.h"

/* An answer: rows, or the counters of a statement that only wrote. */
void ew_graphqlite_read_answer(struct ew_arena *arena, struct ew_span answer, struct ew_names columns,
                               struct ew_statement_outcome *outcome);
/* An error's message. */
void ew_graphqlite_read_error(struct ew_arena *arena, struct ew_span message, struct ew_statement_outcome *outcome);

/* Parameters as the JSON object that the engine takes. What JSON has no form for becomes its ISO text, or null. */
void ew_graphqlite_write_parameters(struct ew_text *text, const struct ew_statement *statement);

#endif
