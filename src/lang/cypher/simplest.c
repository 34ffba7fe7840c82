/* simplest.c: what a reducer may put in the place of an expression, simplest first. */
#include "lang/cypher/cypher.h"

const struct ew_node *ew_cypher_simplest(struct ew_builder *builder, const struct ew_node *node, size_t which) {
  const struct ew_value values[] = {ew_null(), ew_boolean(false), ew_boolean(true), ew_integer(0),
                                    ew_string(EW_SPAN(""))};
  size_t count = EW_COUNT(values);
  if (node->kind->class != CYPHER_CLASS_EXPR) return NULL;
  if (cypher_is(node, CYPHER_literal)) count = CYPHER_AS(literal, node)->value.value->kind != EW_VALUE_NULL;
  if (which >= count) return NULL;
  return CYPHER(builder, literal, .value.value = ew_literal_of(builder, values[which]));
}
