/* collection.c: expressions that walk a list with a variable of their own, and map projections. */
#include "model/planted.h"

/* The list that is walked; false where there is none: `*answer` is null then. */
static bool walked_list(struct ew_execution *run, const struct ew_code *code, struct ew_values *list) {
  struct ew_value value = ew_evaluate(run, code);
  if (value.kind == EW_VALUE_LIST) *list = value.list;
  if (value.kind != EW_VALUE_LIST && value.kind != EW_VALUE_NULL)
    ew_run_fail(run, EW_FAULT_ARGUMENT_TYPE, "%s is no list", ew_kind_text(value));
  return value.kind == EW_VALUE_LIST;
}

/* Operands: list, where or NULL, result or NULL. */
static struct ew_value evaluate_list_comprehension(struct ew_execution *run, const struct ew_code *code) {
  struct ew_values list;
  if (!walked_list(run, code->operands[0], &list)) return ew_null();
  struct ew_value *items = ew_run_take(run, list.count, sizeof *items);
  if (!items) return ew_null();
  size_t count = 0;
  for (size_t i = 0; i < list.count && ew_run_spend(run, 1); i++) {
    run->slots[code->slot] = list.items[i];
    if (code->operands[1] && ew_evaluate_truth(run, code->operands[1]) != EW_TRUE) continue;
    items[count++] = code->operands[2] ? ew_evaluate(run, code->operands[2]) : list.items[i];
  }
  return ew_run_list(run, items, count);
}

/* How often the predicate was true, false and unknown. */
struct votes {
  size_t yes, no, unknown;
};

static struct ew_value decide(enum cypher_quantifier quantifier, struct votes votes) {
  switch (quantifier) {
    case CYPHER_ALL: return votes.no ? ew_boolean(false) : votes.unknown ? ew_null() : ew_boolean(true);
    case CYPHER_ANY: return votes.yes ? ew_boolean(true) : votes.unknown ? ew_null() : ew_boolean(false);
    case CYPHER_NONE: return votes.yes ? ew_boolean(false) : votes.unknown ? ew_null() : ew_boolean(true);
    case CYPHER_SINGLE:
      return votes.yes > 1 ? ew_boolean(false) : votes.unknown ? ew_null() : ew_boolean(votes.yes == 1);
  }
  EW_BUG("quantifier %d", (int)quantifier);
}

static struct ew_value evaluate_quantified(struct ew_execution *run, const struct ew_code *code) {
  struct ew_values list;
  if (!walked_list(run, code->operands[0], &list)) return ew_null();
  struct votes votes = {0};
  for (size_t i = 0; i < list.count && ew_run_spend(run, 1); i++) {
    run->slots[code->slot] = list.items[i];
    enum ew_truth truth =
        code->operands[1] ? ew_evaluate_truth(run, code->operands[1]) : ew_truth_of(run, list.items[i]);
    votes.yes += truth == EW_TRUE;
    votes.no += truth == EW_FALSE;
    votes.unknown += truth == EW_UNKNOWN;
  }
  return decide(code->choice, votes);
}

/* Operands: list, start, step. The accumulator's slot is the one before the variable's. */
static struct ew_value evaluate_reduce(struct ew_execution *run, const struct ew_code *code) {
  struct ew_values list;
  struct ew_value accumulator = ew_evaluate(run, code->operands[1]);
  if (!walked_list(run, code->operands[0], &list)) return ew_null();
  for (size_t i = 0; i < list.count && ew_run_spend(run, 1); i++) {
    run->slots[code->slot - 1] = accumulator;
    run->slots[code->slot] = list.items[i];
    accumulator = ew_evaluate(run, code->operands[2]);
  }
  return accumulator;
}

static const struct ew_code *compile_walk(struct ew_compiler *compiler, const struct ew_node *node) {
  const struct ew_code **operands = EW_NEW_ARRAY(compiler->arena, const struct ew_code *, 3);
  bool quantified = cypher_is(node, CYPHER_quantified);
  const struct cypher_list_comprehension *comprehension = CYPHER_AS(list_comprehension, node);
  const struct cypher_quantified *test = CYPHER_AS(quantified, node);
  operands[0] = ew_compile_expression(compiler, quantified ? test->list.node : comprehension->list.node);
  struct ew_scope_mark mark = ew_compile_open(compiler);
  uint32_t slot = ew_compile_bind(compiler, quantified ? test->variable.name : comprehension->variable.name);
  if (ew_planted(compiler->model, EW_PLANT_list_comprehension_variable_leaks_into_row) && !quantified)
    ew_plant_leak(compiler, comprehension->variable.name, mark.visible, &slot);
  operands[1] = ew_compile_expression(compiler, quantified ? test->where.node : comprehension->where.node);
  if (!quantified) operands[2] = ew_compile_expression(compiler, comprehension->result.node);
  ew_compile_close(compiler, mark);
  struct ew_code *code =
      ew_code_new(compiler, quantified ? evaluate_quantified : evaluate_list_comprehension, node, operands, 3);
  code->slot = slot;
  if (quantified) code->choice = test->quantifier.choice;
  return ew_plant_collection(compiler, code);
}

static const struct ew_code *compile_reduce(struct ew_compiler *compiler, const struct ew_node *node) {
  const struct cypher_reduce *reduce = CYPHER_AS(reduce, node);
  const struct ew_code **operands = EW_NEW_ARRAY(compiler->arena, const struct ew_code *, 3);
  operands[0] = ew_compile_expression(compiler, reduce->list.node);
  operands[1] = ew_compile_expression(compiler, reduce->start.node);
  struct ew_scope_mark mark = ew_compile_open(compiler);
  ew_compile_bind(compiler, reduce->accumulator.name);
  uint32_t slot = ew_compile_bind(compiler, reduce->variable.name);
  operands[2] = ew_compile_expression(compiler, reduce->step.node);
  ew_compile_close(compiler, mark);
  struct ew_code *code = ew_code_new(compiler, evaluate_reduce, node, operands, 3);
  code->slot = slot;
  return ew_plant_collection(compiler, code);
}

/* ---- map projection ---- */

struct projector {
  bool all;
  struct ew_span key;
  const struct ew_code *value; /* NULL: the property `key` of the object */
};

struct map_projection {
  struct projector *projectors;
  size_t count;
  bool all;
};

static struct ew_items properties_of(struct ew_execution *run, struct ew_value object) {
  switch (object.kind) {
    case EW_VALUE_MAP: return object.map;
    case EW_VALUE_NODE: return ew_run_live(run, object) ? object.node->properties : (struct ew_items){0};
    case EW_VALUE_RELATIONSHIP:
      return ew_run_live(run, object) ? object.relationship->properties : (struct ew_items){0};
    default:
      ew_run_fail(run, EW_FAULT_ARGUMENT_TYPE, "a map projection of %s", ew_kind_text(object));
      return (struct ew_items){0};
  }
}

static struct ew_value evaluate_map_projection(struct ew_execution *run, const struct ew_code *code) {
  const struct map_projection *projection = code->detail;
  struct ew_value object = run->slots[code->slot];
  if (object.kind == EW_VALUE_NULL) return object;
  struct ew_items all = properties_of(run, object);
  EW_VECTOR(struct ew_item) items = {0};
  /* What is named wins over `.*`, wherever that stands. */
  for (size_t k = 0; projection->all && k < all.count && ew_run_spend(run, 1); k++)
    *ew_arena_vector_push(run->arena, &items) = all.items[k];
  for (size_t i = 0; i < projection->count && ew_run_spend(run, 1); i++) {
    const struct projector *projector = &projection->projectors[i];
    if (projector->all) continue;
    struct ew_value value =
        projector->value ? ew_evaluate(run, projector->value) : ew_run_property(run, object, projector->key);
    if (ew_planted(run->model, EW_PLANT_map_projection_drops_missing_key) && !projector->value &&
        object.kind == EW_VALUE_NODE && value.kind == EW_VALUE_NULL)
      continue;
    *ew_arena_vector_push(run->arena, &items) = (struct ew_item){projector->key, value};
  }
  return ew_run_map(run, items.items, items.count);
}

static struct projector compile_projector(struct ew_compiler *compiler, const struct ew_node *node) {
  struct projector projector = {0};
  switch ((enum cypher_kind)node->kind->code) {
    case CYPHER_project_property: projector.key = CYPHER_AS(project_property, node)->key.name; break;
    case CYPHER_project_entry:
      projector.key = CYPHER_AS(project_entry, node)->key.name;
      projector.value = ew_compile_expression(compiler, CYPHER_AS(project_entry, node)->value.node);
      break;
    case CYPHER_project_variable: {
      projector.key = CYPHER_AS(project_variable, node)->variable.name;
      uint32_t slot = 0;
      if (!ew_compile_find(compiler, projector.key, &slot))
        ew_compile_fail(compiler, EW_FAULT_NO_VARIABLE, "%.*s is not bound here", EW_SPAN_ARGS(projector.key));
      projector.value = ew_code_slot(compiler, node, slot);
      break;
    }
    default: projector.all = true; break;
  }
  projector.key = ew_compile_name(compiler, projector.key);
  return projector;
}

static const struct ew_code *compile_map_projection(struct ew_compiler *compiler, const struct ew_node *node) {
  const struct cypher_map_projection *source = CYPHER_AS(map_projection, node);
  struct map_projection *projection = EW_NEW(compiler->arena, struct map_projection);
  struct ew_list list = source->projectors.list;
  projection->projectors = EW_NEW_ARRAY(compiler->arena, struct projector, list.count);
  projection->count = list.count;
  for (size_t i = 0; i < list.count; i++) {
    projection->projectors[i] = compile_projector(compiler, list.items[i]);
    projection->all |= projection->projectors[i].all;
  }
  struct ew_code *code = ew_code_new(compiler, evaluate_map_projection, node, NULL, 0);
  if (!ew_compile_find(compiler, source->variable.name, &code->slot))
    ew_compile_fail(compiler, EW_FAULT_NO_VARIABLE, "%.*s is not bound here", EW_SPAN_ARGS(source->variable.name));
  code->detail = projection;
  return code;
}

const struct ew_code *ew_compile_collection(struct ew_compiler *compiler, const struct ew_node *node) {
  switch ((enum cypher_kind)node->kind->code) {
    case CYPHER_reduce: return compile_reduce(compiler, node);
    case CYPHER_map_projection: return compile_map_projection(compiler, node);
    default: return compile_walk(compiler, node);
  }
}
