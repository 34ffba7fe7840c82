/* print.h: Cypher trees as text.

   What is printed reads back to an equal tree. Parentheses stand only where precedence needs them, with these choices:
       -5        the literal: a minus right before a number belongs to it
       -(5)      the unary minus over the literal 5; (5).a and (5)[0] likewise
       (-5) ^ 2  because engines differ in which of the two binds tighter
       (a IN b) IN c, (a = b) = c    predicates and comparisons never chain by themselves; a = b < c is a `chain` node
       [(x IN y)]  a list of one; without the parentheses it would be a comprehension
   The NaN and the infinities have no literal: they print as divisions and read back as such. */
#ifndef EW_LANG_CYPHER_PRINT_H
#define EW_LANG_CYPHER_PRINT_H

#include "contract/profile.h"
#include "lang/cypher/node.h"

/* Any node. Statements come on one line, without a semicolon. A profile decides what its [spelling] names (see
   spelling.def); whether it has everything in the tree is for ew_cypher_lacks (dialect.h). NULL is the standard. */
void ew_cypher_print(struct ew_text *text, const struct ew_node *node, const struct ew_profile *profile);

/* A variable, label, type or property key: in backticks where it is not a plain identifier or is a word of Cypher's. */
void ew_cypher_print_name(struct ew_text *text, struct ew_span name);

#endif
