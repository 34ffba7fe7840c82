/* constant.h: values as expressions and back. */
#ifndef EW_LANG_CYPHER_CONSTANT_H
#define EW_LANG_CYPHER_CONSTANT_H

#include "lang/cypher/node.h"

/* A value as an expression: lists and maps of literals, anything else one literal. */
const struct ew_node *ew_cypher_constant(struct ew_builder *builder, struct ew_value value);

/* The value of such an expression, in `arena` or the tree; false where it is not one. */
bool ew_cypher_constant_read(struct ew_arena *arena, const struct ew_node *node, struct ew_value *value);

#endif
