/* cypher.h: the generator of Cypher scenes, queries and predicates. */
#ifndef EW_GENERATE_CYPHER_H
#define EW_GENERATE_CYPHER_H

#include "generate/generate.h"

extern const struct ew_generator ew_generate_cypher;

#endif
