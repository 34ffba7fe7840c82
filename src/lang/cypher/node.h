/* node.h: Cypher's nodes as C types, and how to make one:

       CYPHER(builder, unary, .operator.choice = CYPHER_NOT, .operand.node = predicate)
       const struct cypher_unary *unary = CYPHER_AS(unary, node);   // when node->kind->code == CYPHER_unary */
#ifndef EW_LANG_CYPHER_NODE_H
#define EW_LANG_CYPHER_NODE_H

#include "tree/tree.h"

#define EW_TREE_PREFIX cypher
#define EW_TREE_UPPER CYPHER
#define EW_TREE_DEF "lang/cypher/node.def"
#include "tree/declare.h"

/* A field that is not named is empty: no node, no items, false, the first choice. A NUMBER must be named, -1 is absent. */
#define CYPHER(builder, kind_, ...)                                                                                \
  ew_node_make_sized((builder), &cypher_kinds[CYPHER_##kind_], &(struct cypher_##kind_){.head = {0}, __VA_ARGS__}, \
                     sizeof(struct cypher_##kind_))
#define CYPHER_AS(kind_, node) ((const struct cypher_##kind_ *)(const void *)(node))

static inline bool cypher_is(const struct ew_node *node, enum cypher_kind kind) {
  return node && node->kind == &cypher_kinds[kind];
}

#endif
