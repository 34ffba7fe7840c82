/* cypher_turn.h: rare constructs get their turn by the case key, not by luck.

   All that a dialect has of one sort (productions and functions of expressions; clauses; forms of patterns) is
   numbered from 0. Case n must have the construct whose turn it is, written at the first place that fits. In any
   `count` cases in a row each construct has one turn, in an order that the key shuffles anew for each round. */
#ifndef EW_GENERATE_CYPHER_TURN_H
#define EW_GENERATE_CYPHER_TURN_H

#include <stdint.h>

/* A sort of constructs has its own order. */
enum ew_cypher_turn_sort { EW_TURN_EXPRESSION, EW_TURN_CLAUSE, EW_TURN_PATTERN };

enum { EW_NO_TURN = -1 }; /* nothing has its turn, or it had it */

/* Which of `count` constructs has its turn in case `number`. Where only a case's stream is known, its seed will do for
   the number: then each has its turn once in `count` cases on average. */
int ew_cypher_turn(enum ew_cypher_turn_sort sort, uint64_t key, uint64_t number, uint32_t count);

#endif
