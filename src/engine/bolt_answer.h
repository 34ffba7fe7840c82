/* bolt_answer.h: what a Bolt server's replies mean: columns, counters, plans, errors. */
#ifndef EW_ENGINE_BOLT_ANSWER_H
#define EW_ENGINE_BOLT_ANSWER_H

#include "contract/engine.h"
#include "engine/bolt_connection.h"

/* The names of the columns, from the answer to RUN; false where it has none. */
bool ew_bolt_read_columns(struct ew_arena *arena, struct ew_items metadata, struct ew_names *columns);

/* The end of an answer: counters, and the plan where one was asked for. */
void ew_bolt_read_summary(struct ew_arena *arena, struct ew_items metadata, struct ew_statement_outcome *outcome);

/* A FAILURE as an error: its text is the code, a colon, and the message. */
void ew_bolt_read_failure(struct ew_arena *arena, struct ew_items metadata, struct ew_statement_outcome *outcome);

/* A member that is a string, or nothing. */
struct ew_span ew_bolt_find_string(struct ew_items metadata, const char *key);

#endif
