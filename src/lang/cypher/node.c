/* node.c: the node table of Cypher. */
#include "lang/cypher/node.h"

#include "tree/define.h"
