/* planted.c: what plants have in common. */
#include "model/planted.h"

_Noreturn void ew_plant_hang(void) {
  for (volatile uint64_t rounds = 0;; rounds = rounds + 1) {
  }
}

struct ew_code *ew_plant_wrap(struct ew_compiler *compiler, const struct ew_code *inner, ew_evaluator evaluate) {
  struct ew_code *code = ew_code_new(compiler, evaluate, inner->node, inner->operands, inner->count);
  code->slot = inner->slot;
  code->choice = inner->choice;
  code->detail = inner;
  return code;
}

static enum ew_walk find_name(const struct ew_node *node, struct ew_place place, void *context) {
  const struct ew_span *name = context;
  const union ew_field *fields = ew_node_fields(node);
  (void)place;
  if (cypher_is(node, CYPHER_projection) && CYPHER_AS(projection, node)->star.flag) return EW_WALK_STOP;
  if (cypher_is(node, CYPHER_property) || cypher_is(node, CYPHER_entry) || cypher_is(node, CYPHER_label))
    return EW_WALK_ON; /* names of keys and labels are no variables */
  for (size_t i = 0; node->kind->fields[i].type != EW_FIELD_END; i++) {
    if (node->kind->fields[i].type == EW_FIELD_NAME && ew_span_equal(fields[i].name, *name)) return EW_WALK_STOP;
    for (size_t k = 0; node->kind->fields[i].type == EW_FIELD_NAMES && k < fields[i].names.count; k++)
      if (ew_span_equal(fields[i].names.items[k], *name)) return EW_WALK_STOP;
  }
  return EW_WALK_ON;
}

bool ew_plant_names(const struct ew_node *tree, struct ew_span name) {
  return tree && !ew_tree_walk(tree, find_name, &name);
}

bool ew_plant_named_later(const struct ew_compiler *compiler, struct ew_span name) {
  for (size_t i = compiler->clause + 1; i < compiler->clauses.count; i++)
    if (ew_plant_names(compiler->clauses.items[i], name)) return true;
  return false;
}

static enum ew_walk find_node(const struct ew_node *node, struct ew_place place, void *context) {
  (void)place;
  return node == context ? EW_WALK_STOP : EW_WALK_ON;
}

bool ew_plant_within(const struct ew_node *tree, const struct ew_node *node) {
  return tree && !ew_tree_walk(tree, find_node, (void *)(uintptr_t)node);
}

const struct cypher_projection *ew_plant_projection(const struct ew_node *clause) {
  if (cypher_is(clause, CYPHER_with)) return CYPHER_AS(projection, CYPHER_AS(with, clause)->projection.node);
  if (cypher_is(clause, CYPHER_return)) return CYPHER_AS(projection, CYPHER_AS(return, clause)->projection.node);
  return NULL;
}

bool ew_plant_is_optional(const struct ew_compiler *compiler, struct ew_span name) {
  for (size_t i = 0; i < compiler->clause && i < compiler->clauses.count; i++) {
    const struct ew_node *clause = compiler->clauses.items[i];
    if (!cypher_is(clause, CYPHER_match) || !CYPHER_AS(match, clause)->optional.flag) continue;
    struct ew_list patterns = CYPHER_AS(match, clause)->patterns.list;
    for (size_t k = 0; k < patterns.count; k++)
      if (ew_plant_names(patterns.items[k], name)) return true;
  }
  return false;
}

bool ew_plant_is_literal(const struct ew_node *node, enum ew_value_kind kind) {
  return cypher_is(node, CYPHER_literal) && CYPHER_AS(literal, node)->value.value->kind == kind;
}
