/* cypher_random.h: random trees over every kind of node.def, odd names and values included: well formed, without a
   meaning. For what must hold of any tree: print and parse, copy, store. */
#ifndef EW_GENERATE_CYPHER_RANDOM_H
#define EW_GENERATE_CYPHER_RANDOM_H

#include "base/random.h"
#include "lang/cypher/node.h"

/* A statement of about so many nodes. The same in `random` gives the same tree. */
const struct ew_node *ew_cypher_random_statement(struct ew_builder *builder, struct ew_random *random, int nodes);

#endif
