/* compile.c: names to slots, and which file compiles which construct. */
#include "model/code.h"

/* Of trees: deeper ones would need more stack than there may be. */
enum { DEPTH_MAX = 1500 };

void ew_compile_fail(struct ew_compiler *compiler, enum ew_fault code, const char *format, ...) {
  if (compiler->failed) return;
  compiler->failed = true;
  compiler->error = (struct ew_model_error){.code = code, .at_compile_time = true};
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(compiler->error.text, sizeof compiler->error.text, format, arguments);
  va_end(arguments);
}

/* ---- names ---- */

bool ew_compile_find(const struct ew_compiler *compiler, struct ew_span name, uint32_t *slot) {
  for (size_t i = compiler->visible.count; i-- > 0;) {
    if (!ew_span_equal(compiler->visible.items[i].name, name)) continue;
    *slot = compiler->visible.items[i].slot;
    return true;
  }
  return false;
}

uint32_t ew_compile_bind(struct ew_compiler *compiler, struct ew_span name) {
  uint32_t slot = compiler->next++;
  if (compiler->next > compiler->width) compiler->width = compiler->next;
  if (name.length) *ew_arena_vector_push(compiler->arena, &compiler->visible) = (struct ew_binding){name, slot};
  return slot;
}

/* ---- building ---- */

struct ew_code *ew_code_new(struct ew_compiler *compiler, ew_evaluator evaluate, const struct ew_node *node,
                            const struct ew_code *const *operands, size_t count) {
  struct ew_code *code = EW_NEW(compiler->arena, struct ew_code);
  code->evaluate = evaluate;
  code->node = node;
  code->operands = operands;
  code->count = count;
  return code;
}

const struct ew_code *const *ew_compile_list(struct ew_compiler *compiler, struct ew_list list) {
  const struct ew_code **codes = EW_NEW_ARRAY(compiler->arena, const struct ew_code *, list.count);
  for (size_t i = 0; i < list.count; i++) codes[i] = ew_compile_expression(compiler, list.items[i]);
  return codes;
}

struct ew_step *ew_step_new(struct ew_compiler *compiler, ew_step_runner run, const struct ew_node *node,
                            const void *detail) {
  struct ew_step *step = EW_NEW(compiler->arena, struct ew_step);
  *step = (struct ew_step){.run = run, .node = node, .detail = detail};
  return step;
}

/* ---- which file ---- */

static struct ew_value evaluate_slot(struct ew_execution *run, const struct ew_code *code) {
  return run->slots[code->slot];
}

const struct ew_code *ew_code_slot(struct ew_compiler *compiler, const struct ew_node *node, uint32_t slot) {
  struct ew_code *code = ew_code_new(compiler, evaluate_slot, node, NULL, 0);
  code->slot = slot;
  return code;
}

static const struct ew_code *find_substitute(struct ew_compiler *compiler, const struct ew_node *node) {
  for (size_t i = compiler->substitutes.count; i-- > 0;)
    if (ew_tree_equal(compiler->substitutes.items[i].tree, node))
      return ew_code_slot(compiler, node, compiler->substitutes.items[i].slot);
  return NULL;
}

static const struct ew_code *compile_by_kind(struct ew_compiler *compiler, const struct ew_node *node) {
  switch ((enum cypher_kind)node->kind->code) {
    case CYPHER_unary:
    case CYPHER_binary:
    case CYPHER_chain: return ew_compile_operator(compiler, node);
    case CYPHER_list_comprehension:
    case CYPHER_quantified:
    case CYPHER_reduce:
    case CYPHER_map_projection: return ew_compile_collection(compiler, node);
    case CYPHER_subquery: return ew_compile_inner_query(compiler, node);
    case CYPHER_pattern_comprehension:
    case CYPHER_pattern_expression: return ew_compile_inner_pattern(compiler, node);
    case CYPHER_count_star: return ew_compile_aggregate(compiler, node);
    case CYPHER_is_type:
    case CYPHER_is_normalized: return ew_compile_type_test(compiler, node);
    default: return ew_compile_simple(compiler, node);
  }
}

const struct ew_code *ew_compile_expression(struct ew_compiler *compiler, const struct ew_node *node) {
  if (!node) return NULL;
  if (compiler->depth >= DEPTH_MAX)
    ew_compile_fail(compiler, EW_FAULT_LIMIT, "the statement nests deeper than %d", DEPTH_MAX);
  if (compiler->failed) return ew_code_constant(compiler, node, ew_null());
  const struct ew_code *known = compiler->substitutes.count ? find_substitute(compiler, node) : NULL;
  if (known) return known;
  compiler->depth++;
  const struct ew_code *code = compile_by_kind(compiler, node);
  compiler->depth--;
  return code;
}

static const struct ew_step *compile_nothing(struct ew_compiler *compiler, const struct ew_node *node) {
  ew_compile_fail(compiler, EW_FAULT_UNSUPPORTED, "the model has no %s", node->kind->name);
  return ew_step_new(compiler, NULL, node, NULL);
}

static const struct ew_step *compile_clause(struct ew_compiler *compiler, const struct ew_node *node) {
  switch ((enum cypher_kind)node->kind->code) {
    case CYPHER_match: return ew_compile_match(compiler, node);
    case CYPHER_with:
    case CYPHER_return: return ew_compile_projection(compiler, node);
    case CYPHER_unwind: return ew_compile_unwind(compiler, node);
    case CYPHER_create: return ew_compile_create(compiler, node);
    case CYPHER_merge: return ew_compile_merge(compiler, node);
    case CYPHER_set:
    case CYPHER_remove: return ew_compile_changes(compiler, node);
    case CYPHER_delete: return ew_compile_delete(compiler, node);
    case CYPHER_foreach: return ew_compile_foreach(compiler, node);
    case CYPHER_call_subquery: return ew_compile_call_subquery(compiler, node);
    case CYPHER_call_procedure: return ew_compile_call_procedure(compiler, node);
    case CYPHER_use:
    case CYPHER_finish: return ew_compile_pass(compiler, node);
    default: return compile_nothing(compiler, node);
  }
}

const struct ew_step *ew_compile_clause(struct ew_compiler *compiler, const struct ew_node *node) {
  uint32_t width = compiler->next;
  struct ew_step *step = (struct ew_step *)compile_clause(compiler, node);
  step->width_in = width;
  step->width_out = compiler->next;
  return step;
}
