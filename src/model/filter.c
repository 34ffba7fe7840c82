/* filter.c: taking a WHERE apart. `a.x = 1 AND b.y > 2` asks of `a` before `b` is looked for. Only what cannot fail is
   asked early: an error must not come from a row that is none. */
#include "model/filter.h"

void ew_filter_split(struct ew_compiler *compiler, const struct ew_node *where, struct ew_conjuncts *conjuncts) {
  /* A chain of ANDs hangs to the left and may be long: down it, and then back. */
  EW_VECTOR(const struct ew_node *) rights = {0};
  while (cypher_is(where, CYPHER_binary) && CYPHER_AS(binary, where)->operator.choice == CYPHER_AND) {
    *ew_arena_vector_push(compiler->arena, &rights) = CYPHER_AS(binary, where)->right.node;
    where = CYPHER_AS(binary, where)->left.node;
  }
  if (where) *ew_arena_vector_push(compiler->arena, conjuncts) = where;
  while (rights.count) *ew_arena_vector_push(compiler->arena, conjuncts) = rights.items[--rights.count];
}

struct judge {
  const struct ew_path_element *paths;
  size_t path_count;
};

/* Whether a name is a single node or relationship of the pattern: such a one lives, and has properties. */
static bool is_element(const struct judge *judge, const struct ew_node *node) {
  if (!cypher_is(node, CYPHER_variable)) return false;
  struct ew_span name = CYPHER_AS(variable, node)->name.name;
  for (size_t i = 0; i < judge->path_count; i++) {
    const struct ew_path_element *path = &judge->paths[i];
    for (size_t k = 0; k <= path->length; k++)
      if (ew_span_equal(path->nodes[k].name, name)) return true;
    for (size_t k = 0; k < path->length; k++)
      if (ew_span_equal(path->relationships[k].name, name)) return !path->relationships[k].variable;
  }
  return false;
}

static bool is_safe_value(const struct judge *judge, const struct ew_node *node) {
  switch ((enum cypher_kind)node->kind->code) {
    case CYPHER_literal:
    case CYPHER_parameter:
    case CYPHER_variable: return true;
    case CYPHER_property: return is_element(judge, CYPHER_AS(property, node)->object.node);
    case CYPHER_list: {
      struct ew_list items = CYPHER_AS(list, node)->items.list;
      for (size_t i = 0; i < items.count; i++)
        if (!cypher_is(items.items[i], CYPHER_literal)) return false;
      return true;
    }
    default: return false;
  }
}

static bool is_safe_test(const struct judge *judge, const struct ew_node *node, unsigned depth);

static bool is_safe_binary(const struct judge *judge, const struct cypher_binary *binary, unsigned depth) {
  switch ((enum cypher_operator)binary->operator.choice) {
    case CYPHER_AND:
    case CYPHER_OR:
    case CYPHER_XOR:
      return is_safe_test(judge, binary->left.node, depth + 1) && is_safe_test(judge, binary->right.node, depth + 1);
    case CYPHER_EQUAL:
    case CYPHER_UNEQUAL:
    case CYPHER_LESS:
    case CYPHER_LESS_EQUAL:
    case CYPHER_GREATER:
    case CYPHER_GREATER_EQUAL:
    case CYPHER_STARTS_WITH:
    case CYPHER_ENDS_WITH:
    case CYPHER_CONTAINS: return is_safe_value(judge, binary->left.node) && is_safe_value(judge, binary->right.node);
    case CYPHER_IN:
      return is_safe_value(judge, binary->left.node) && cypher_is(binary->right.node, CYPHER_list) &&
             is_safe_value(judge, binary->right.node);
    default: return false;
  }
}

static bool is_safe_test(const struct judge *judge, const struct ew_node *node, unsigned depth) {
  if (depth > EW_RUN_DEPTH_MAX) return false;
  switch ((enum cypher_kind)node->kind->code) {
    case CYPHER_literal: return CYPHER_AS(literal, node)->value.value->kind == EW_VALUE_BOOLEAN;
    case CYPHER_is_null: return is_safe_value(judge, CYPHER_AS(is_null, node)->operand.node);
    case CYPHER_binary: return is_safe_binary(judge, CYPHER_AS(binary, node), depth);
    case CYPHER_unary:
      return CYPHER_AS(unary, node)
          ->
          operator.choice == CYPHER_NOT && is_safe_test(judge, CYPHER_AS(unary, node)->operand.node, depth + 1);
    default: return false;
  }
}

bool ew_filter_is_safe(const struct ew_node *predicate, const struct ew_path_element *paths, size_t path_count) {
  return is_safe_test(&(struct judge){paths, path_count}, predicate, 0);
}

bool ew_filter_is_safe_value(const struct ew_node *value, const struct ew_path_element *paths, size_t path_count) {
  return is_safe_value(&(struct judge){paths, path_count}, value);
}
