/* expression.c: the simple expressions: literals, names, access to parts, lists and maps, CASE, calls of functions. */
#include "lang/cypher/scope.h"
#include "model/planted.h"

/* ---- constants and names ---- */

static struct ew_value evaluate_constant(struct ew_execution *run, const struct ew_code *code) {
  (void)run;
  return code->constant;
}

const struct ew_code *ew_code_constant(struct ew_compiler *compiler, const struct ew_node *node,
                                       struct ew_value value) {
  struct ew_code *code = ew_code_new(compiler, evaluate_constant, node, NULL, 0);
  code->constant = value;
  return code;
}

bool ew_code_is_constant(const struct ew_code *code) { return code->evaluate == evaluate_constant; }

static struct ew_value evaluate_parameter(struct ew_execution *run, const struct ew_code *code) {
  for (size_t i = 0; i < run->options->parameter_count; i++)
    if (ew_span_equal(run->options->parameters[i].name, code->name)) return run->options->parameters[i].value;
  return ew_run_fail(run, EW_FAULT_NO_PARAMETER, "no parameter $%.*s was given", EW_SPAN_ARGS(code->name));
}

static const struct ew_code *compile_parameter(struct ew_compiler *compiler, const struct ew_node *node) {
  struct ew_code *code = ew_code_new(compiler, evaluate_parameter, node, NULL, 0);
  code->name = CYPHER_AS(parameter, node)->name.name;
  *ew_arena_vector_push(compiler->arena, &compiler->parameters) = code->name;
  return code;
}

static const struct ew_code *compile_variable(struct ew_compiler *compiler, const struct ew_node *node) {
  struct ew_span name = CYPHER_AS(variable, node)->name.name;
  uint32_t slot = 0;
  if (!ew_compile_find(compiler, name, &slot))
    ew_compile_fail(compiler, EW_FAULT_NO_VARIABLE, "%.*s is not bound here", EW_SPAN_ARGS(name));
  return ew_code_slot(compiler, node, slot);
}

/* ---- parts ---- */

static struct ew_value evaluate_property(struct ew_execution *run, const struct ew_code *code) {
  struct ew_value object = ew_evaluate(run, code->operands[0]);
  if (object.kind != EW_VALUE_NODE || ew_node_record(object)->deleted) return ew_run_property(run, object, code->name);
  const struct ew_value *value = ew_properties_find(object.node->properties, code->name);
  return value ? *value : ew_null();
}

static const struct ew_code **one_operand(struct ew_compiler *compiler, const struct ew_node *node) {
  const struct ew_code **operands = EW_NEW_ARRAY(compiler->arena, const struct ew_code *, 1);
  operands[0] = ew_compile_expression(compiler, node);
  return operands;
}

static const struct ew_code *compile_property(struct ew_compiler *compiler, const struct ew_node *node) {
  const struct cypher_property *property = CYPHER_AS(property, node);
  struct ew_code *code =
      ew_code_new(compiler, evaluate_property, node, one_operand(compiler, property->object.node), 1);
  code->name = ew_compile_name(compiler, property->key.name);
  if (cypher_is(property->object.node, CYPHER_parameter) &&
      ew_planted(compiler->model, EW_PLANT_property_of_map_parameter_is_null))
    return ew_code_constant(compiler, node, ew_null());
  return code;
}

static struct ew_value index_list(struct ew_execution *run, struct ew_values list, struct ew_value at) {
  if (at.kind != EW_VALUE_INTEGER)
    return ew_run_fail(run, EW_FAULT_LIST_ACCESS, "a list is accessed by %s", ew_kind_text(at));
  int64_t count = (int64_t)list.count, index = at.integer < 0 ? at.integer + count : at.integer;
  return index < 0 || index >= count ? ew_null() : list.items[index];
}

static struct ew_value evaluate_index(struct ew_execution *run, const struct ew_code *code) {
  struct ew_value object = ew_evaluate(run, code->operands[0]), at = ew_evaluate(run, code->operands[1]);
  if (object.kind == EW_VALUE_NULL || at.kind == EW_VALUE_NULL) return ew_null();
  switch (object.kind) {
    case EW_VALUE_LIST: return index_list(run, object.list, at);
    case EW_VALUE_MAP:
    case EW_VALUE_NODE:
    case EW_VALUE_RELATIONSHIP:
      if (at.kind == EW_VALUE_STRING) return ew_run_property(run, object, at.string);
      return ew_run_fail(run, EW_FAULT_MAP_ACCESS, "a %s is accessed by %s", ew_kind_text(object), ew_kind_text(at));
    default: break;
  }
  if (at.kind == EW_VALUE_STRING && object.kind >= EW_VALUE_DATETIME && object.kind <= EW_VALUE_POINT)
    return ew_run_property(run, object, at.string);
  return ew_run_fail(run, EW_FAULT_ARGUMENT_TYPE, "a %s has no elements", ew_kind_text(object));
}

/* A bound of a slice: from the end where it is negative, and within the list. */
static int64_t clip(int64_t bound, int64_t count) {
  if (bound < 0) bound = bound < -count ? 0 : bound + count;
  return bound > count ? count : bound;
}

static struct ew_value evaluate_slice(struct ew_execution *run, const struct ew_code *code) {
  struct ew_value list = ew_evaluate(run, code->operands[0]), bounds[2];
  int64_t count = list.kind == EW_VALUE_LIST ? (int64_t)list.list.count : 0, places[2] = {0, count};
  for (size_t i = 0; i < 2; i++) {
    if (!code->operands[i + 1]) continue;
    bounds[i] = ew_evaluate(run, code->operands[i + 1]);
    if (bounds[i].kind == EW_VALUE_NULL) return ew_null();
    if (bounds[i].kind != EW_VALUE_INTEGER)
      return ew_run_fail(run, EW_FAULT_ARGUMENT_TYPE, "a list is sliced by %s", ew_kind_text(bounds[i]));
    places[i] = clip(bounds[i].integer, count);
  }
  if (list.kind == EW_VALUE_NULL) return list;
  if (list.kind != EW_VALUE_LIST) return ew_run_fail(run, EW_FAULT_ARGUMENT_TYPE, "a %s is sliced", ew_kind_text(list));
  if (ew_planted(run->model, EW_PLANT_slice_with_two_negative_bounds_includes_end))
    ew_plant_slice(code, bounds, places, count);
  if (places[0] >= places[1]) return ew_list(NULL, 0);
  return ew_list(list.list.items + places[0], (size_t)(places[1] - places[0]));
}

static const struct ew_code *compile_access(struct ew_compiler *compiler, const struct ew_node *node) {
  const struct ew_code **operands = EW_NEW_ARRAY(compiler->arena, const struct ew_code *, 3);
  bool slice = cypher_is(node, CYPHER_slice);
  operands[0] = ew_compile_expression(
      compiler, slice ? CYPHER_AS(slice, node)->object.node : CYPHER_AS(index, node)->object.node);
  operands[1] =
      ew_compile_expression(compiler, slice ? CYPHER_AS(slice, node)->from.node : CYPHER_AS(index, node)->at.node);
  if (slice) operands[2] = ew_compile_expression(compiler, CYPHER_AS(slice, node)->to.node);
  return ew_code_new(compiler, slice ? evaluate_slice : evaluate_index, node, operands, slice ? 3 : 2);
}

/* ---- lists and maps ---- */

static struct ew_value evaluate_list(struct ew_execution *run, const struct ew_code *code) {
  struct ew_value *items = ew_run_take(run, code->count, sizeof *items);
  if (!items) return ew_null();
  for (size_t i = 0; i < code->count; i++) items[i] = ew_evaluate(run, code->operands[i]);
  return ew_run_list(run, items, code->count);
}

/* A list of constants is one: `x IN [1, 2, 3]` builds nothing for each row. */
static const struct ew_code *compile_list(struct ew_compiler *compiler, const struct ew_node *node) {
  struct ew_list list = CYPHER_AS(list, node)->items.list;
  const struct ew_code *const *operands = ew_compile_list(compiler, list);
  bool constant = true;
  for (size_t i = 0; i < list.count; i++)
    constant &= ew_code_is_constant(operands[i]) && operands[i]->constant.kind > EW_VALUE_PATH;
  if (!constant) return ew_code_new(compiler, evaluate_list, node, operands, list.count);
  struct ew_value *items = EW_NEW_ARRAY(compiler->arena, struct ew_value, list.count);
  for (size_t i = 0; i < list.count; i++) items[i] = operands[i]->constant;
  return ew_code_constant(compiler, node, ew_list(items, list.count));
}

static struct ew_value evaluate_map(struct ew_execution *run, const struct ew_code *code) {
  struct ew_item *items = ew_run_take(run, code->count, sizeof *items);
  if (!items) return ew_null();
  const struct ew_span *keys = code->detail;
  for (size_t i = 0; i < code->count; i++) items[i] = (struct ew_item){keys[i], ew_evaluate(run, code->operands[i])};
  return ew_run_map(run, items, code->count);
}

static const struct ew_code *compile_map(struct ew_compiler *compiler, const struct ew_node *node) {
  struct ew_list entries = CYPHER_AS(map, node)->entries.list;
  const struct ew_code **operands = EW_NEW_ARRAY(compiler->arena, const struct ew_code *, entries.count);
  struct ew_span *keys = EW_NEW_ARRAY(compiler->arena, struct ew_span, entries.count);
  for (size_t i = 0; i < entries.count; i++) {
    keys[i] = ew_compile_name(compiler, CYPHER_AS(entry, entries.items[i])->key.name);
    operands[i] = ew_compile_expression(compiler, CYPHER_AS(entry, entries.items[i])->value.node);
  }
  struct ew_code *code = ew_code_new(compiler, evaluate_map, node, operands, entries.count);
  code->detail = keys;
  return code;
}

/* ---- tests and CASE ---- */

static struct ew_value evaluate_is_null(struct ew_execution *run, const struct ew_code *code) {
  return ew_boolean((ew_evaluate(run, code->operands[0]).kind == EW_VALUE_NULL) != code->choice);
}

static const struct ew_code *compile_is_null(struct ew_compiler *compiler, const struct ew_node *node) {
  const struct cypher_is_null *test = CYPHER_AS(is_null, node);
  struct ew_code *code = ew_code_new(compiler, evaluate_is_null, node, one_operand(compiler, test->operand.node), 1);
  code->choice = test->negated.flag;
  return ew_plant_is_null(compiler, code);
}

static struct ew_value evaluate_label_test(struct ew_execution *run, const struct ew_code *code) {
  struct ew_value element = ew_evaluate(run, code->operands[0]);
  switch (element.kind) {
    case EW_VALUE_NULL: return element;
    case EW_VALUE_NODE:
      if (!ew_run_live(run, element)) return ew_null();
      return ew_boolean(ew_labels_hold_node(run, code->labels, ew_node_record(element)));
    case EW_VALUE_RELATIONSHIP: return ew_boolean(ew_labels_hold_type(run, code->labels, element.relationship->type));
    default: return ew_run_fail(run, EW_FAULT_ARGUMENT_TYPE, "a %s has no labels", ew_kind_text(element));
  }
}

static const struct ew_code *compile_label_test(struct ew_compiler *compiler, const struct ew_node *node) {
  const struct cypher_label_test *test = CYPHER_AS(label_test, node);
  struct ew_code *code = ew_code_new(compiler, evaluate_label_test, node, one_operand(compiler, test->operand.node), 1);
  code->labels = ew_compile_labels(compiler, test->labels.node);
  return ew_plant_label_test(compiler, code);
}

/* Operands: subject or NULL, otherwise or NULL, then test and result in turn. */
static struct ew_value evaluate_case(struct ew_execution *run, const struct ew_code *code) {
  const struct ew_code *subject = code->operands[0], *otherwise = code->operands[1];
  struct ew_value wanted = subject ? ew_evaluate(run, subject) : ew_null();
  for (size_t i = 2; i < code->count && !run->failed; i += 2) {
    struct ew_value test = ew_evaluate(run, code->operands[i]);
    enum ew_truth truth = subject ? ew_value_equal(wanted, test, run->semantics) : ew_truth_of(run, test);
    if (subject && wanted.kind == EW_VALUE_NULL && test.kind == EW_VALUE_NULL &&
        ew_planted(run->model, EW_PLANT_case_takes_null_for_equal_to_null))
      truth = EW_TRUE;
    if (truth == EW_TRUE) return ew_evaluate(run, code->operands[i + 1]);
  }
  return otherwise && !run->failed ? ew_evaluate(run, otherwise) : ew_null();
}

static const struct ew_code *compile_case(struct ew_compiler *compiler, const struct ew_node *node) {
  const struct cypher_case *choice = CYPHER_AS(case, node);
  struct ew_list whens = choice->whens.list;
  const struct ew_code **operands = EW_NEW_ARRAY(compiler->arena, const struct ew_code *, 2 + 2 * whens.count);
  operands[0] = ew_compile_expression(compiler, choice->subject.node);
  operands[1] = ew_compile_expression(compiler, choice->otherwise.node);
  for (size_t i = 0; i < whens.count; i++) {
    operands[2 + 2 * i] = ew_compile_expression(compiler, CYPHER_AS(when, whens.items[i])->test.node);
    operands[3 + 2 * i] = ew_compile_expression(compiler, CYPHER_AS(when, whens.items[i])->result.node);
  }
  return ew_code_new(compiler, evaluate_case, node, operands, 2 + 2 * whens.count);
}

/* ---- functions ---- */

enum { ARGUMENTS = 8 /* that need no memory of the run */ };

static struct ew_value evaluate_function(struct ew_execution *run, const struct ew_code *code) {
  struct ew_value few[ARGUMENTS], *arguments = few;
  if (code->count > ARGUMENTS && !(arguments = ew_run_take(run, code->count, sizeof *arguments))) return ew_null();
  bool nulls = false;
  for (size_t i = 0; i < code->count; i++) {
    arguments[i] = ew_evaluate(run, code->operands[i]);
    nulls |= arguments[i].kind == EW_VALUE_NULL;
  }
  if (!ew_run_spend(run, 1) || (nulls && code->function->strict)) return ew_null();
  uint32_t before = ew_run_watch_open(run);
  struct ew_value value = code->function->apply(run, arguments, code->count);
  ew_run_place_open(run, before, code->node);
  return value;
}

static bool is_exists_of_pattern(const struct cypher_function *call, const struct ew_cypher_function *known) {
  return known && strcmp(known->name, "exists") == 0 && call->arguments.list.count == 1 &&
         cypher_is(call->arguments.list.items[0], CYPHER_pattern_expression);
}

static const struct ew_code *compile_function(struct ew_compiler *compiler, const struct ew_node *node) {
  const struct cypher_function *call = CYPHER_AS(function, node);
  if (ew_cypher_is_aggregate(node)) return ew_compile_aggregate(compiler, node);
  const struct ew_cypher_function *known = ew_cypher_function_find(call->name.name);
  if (is_exists_of_pattern(call, known)) return ew_compile_expression(compiler, call->arguments.list.items[0]);
  const struct ew_function *function = ew_function_find(call->name.name);
  size_t count = call->arguments.list.count;
  if (!function)
    ew_compile_fail(compiler, EW_FAULT_NO_FUNCTION, "there is no function %.*s()", EW_SPAN_ARGS(call->name.name));
  else if (known && (count < known->least || count > known->most))
    ew_compile_fail(compiler, EW_FAULT_FUNCTION_ARGUMENTS, "%.*s() cannot have %zu arguments",
                    EW_SPAN_ARGS(call->name.name), count);
  struct ew_code *code =
      ew_code_new(compiler, evaluate_function, node, ew_compile_list(compiler, call->arguments.list), count);
  code->function = function;
  return ew_plants_any(&compiler->model->plants) ? ew_plant_function(compiler, code) : code;
}

const struct ew_code *ew_compile_simple(struct ew_compiler *compiler, const struct ew_node *node) {
  switch ((enum cypher_kind)node->kind->code) {
    case CYPHER_literal: return ew_code_constant(compiler, node, *CYPHER_AS(literal, node)->value.value);
    case CYPHER_parameter: return compile_parameter(compiler, node);
    case CYPHER_variable: return compile_variable(compiler, node);
    case CYPHER_property: return compile_property(compiler, node);
    case CYPHER_index:
    case CYPHER_slice: return compile_access(compiler, node);
    case CYPHER_list: return compile_list(compiler, node);
    case CYPHER_map: return compile_map(compiler, node);
    case CYPHER_is_null: return compile_is_null(compiler, node);
    case CYPHER_label_test: return compile_label_test(compiler, node);
    case CYPHER_case: return compile_case(compiler, node);
    case CYPHER_function: return compile_function(compiler, node);
    default: break;
  }
  ew_compile_fail(compiler, EW_FAULT_UNSUPPORTED, "the model has no %s", node->kind->name);
  return ew_code_constant(compiler, node, ew_null());
}
