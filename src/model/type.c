/* type.c: `x IS :: TYPE` and `x IS NORMALIZED`. */
#include "model/code.h"

static bool list_is(struct ew_value value, const struct ew_node *inner);

static const struct {
  const char *name;
  enum ew_value_kind kind;
} names[] = {
    {"BOOLEAN", EW_VALUE_BOOLEAN},
    {"BOOL", EW_VALUE_BOOLEAN},
    {"STRING", EW_VALUE_STRING},
    {"VARCHAR", EW_VALUE_STRING},
    {"INTEGER", EW_VALUE_INTEGER},
    {"INT", EW_VALUE_INTEGER},
    {"SIGNED INTEGER", EW_VALUE_INTEGER},
    {"FLOAT", EW_VALUE_FLOAT},
    {"DATE", EW_VALUE_DATE},
    {"LOCAL TIME", EW_VALUE_LOCAL_TIME},
    {"TIME WITHOUT TIME ZONE", EW_VALUE_LOCAL_TIME},
    {"ZONED TIME", EW_VALUE_TIME},
    {"TIME WITH TIME ZONE", EW_VALUE_TIME},
    {"LOCAL DATETIME", EW_VALUE_LOCAL_DATETIME},
    {"TIMESTAMP WITHOUT TIME ZONE", EW_VALUE_LOCAL_DATETIME},
    {"ZONED DATETIME", EW_VALUE_DATETIME},
    {"TIMESTAMP WITH TIME ZONE", EW_VALUE_DATETIME},
    {"DURATION", EW_VALUE_DURATION},
    {"POINT", EW_VALUE_POINT},
    {"NODE", EW_VALUE_NODE},
    {"VERTEX", EW_VALUE_NODE},
    {"ANY NODE", EW_VALUE_NODE},
    {"RELATIONSHIP", EW_VALUE_RELATIONSHIP},
    {"EDGE", EW_VALUE_RELATIONSHIP},
    {"MAP", EW_VALUE_MAP},
    {"ANY MAP", EW_VALUE_MAP},
    {"PATH", EW_VALUE_PATH},
    {"LIST", EW_VALUE_LIST},
    {"ARRAY", EW_VALUE_LIST},
    {"NULL", EW_VALUE_NULL},
};

static bool is_property(struct ew_value value) {
  if (value.kind != EW_VALUE_LIST) return value.kind >= EW_VALUE_DATETIME;
  for (size_t i = 0; i < value.list.count; i++)
    if (value.list.items[i].kind < EW_VALUE_DATETIME || value.list.items[i].kind != value.list.items[0].kind)
      return false;
  return true;
}

/* A value that is not null, of a type without its NOT NULL. */
static bool is_of(struct ew_value value, const struct cypher_type *type) {
  struct ew_span name = type->name.name;
  if (ew_span_is(name, "ANY") || ew_span_is(name, "ANY VALUE")) return true;
  if (ew_span_is(name, "PROPERTY VALUE") || ew_span_is(name, "ANY PROPERTY VALUE")) return is_property(value);
  if (ew_span_is(name, "NUMBER")) return value.kind == EW_VALUE_INTEGER || value.kind == EW_VALUE_FLOAT;
  for (size_t i = 0; i < EW_COUNT(names); i++) {
    if (!ew_span_is(name, names[i].name) || value.kind != names[i].kind) continue;
    return value.kind != EW_VALUE_LIST || !type->inner.node || list_is(value, type->inner.node);
  }
  return false;
}

static bool is_type(struct ew_value value, const struct ew_node *node) {
  if (cypher_is(node, CYPHER_type_union)) {
    struct ew_list types = CYPHER_AS(type_union, node)->types.list;
    for (size_t i = 0; i < types.count; i++)
      if (is_type(value, types.items[i])) return true;
    return false;
  }
  const struct cypher_type *type = CYPHER_AS(type, node);
  if (value.kind == EW_VALUE_NULL) return !type->not_null.flag && !ew_span_is(type->name.name, "NOTHING");
  return is_of(value, type);
}

static bool list_is(struct ew_value value, const struct ew_node *inner) {
  for (size_t i = 0; i < value.list.count; i++)
    if (!is_type(value.list.items[i], inner)) return false;
  return true;
}

static struct ew_value evaluate_type_test(struct ew_execution *run, const struct ew_code *code) {
  struct ew_value value = ew_evaluate(run, code->operands[0]);
  return ew_boolean(is_type(value, CYPHER_AS(is_type, code->node)->type.node) != code->choice);
}

/* Text of plain ASCII has one form only; of other text the model knows nothing. */
static struct ew_value evaluate_is_normalized(struct ew_execution *run, const struct ew_code *code) {
  struct ew_value value = ew_evaluate(run, code->operands[0]);
  if (value.kind != EW_VALUE_STRING) return ew_null();
  for (size_t i = 0; i < value.string.length; i++)
    if ((unsigned char)value.string.bytes[i] >= 0x80)
      return ew_run_fail(run, EW_FAULT_UNSUPPORTED, "the model has no Unicode normal forms");
  return ew_boolean(!code->choice);
}

const struct ew_code *ew_compile_type_test(struct ew_compiler *compiler, const struct ew_node *node) {
  const struct ew_code **operands = EW_NEW_ARRAY(compiler->arena, const struct ew_code *, 1);
  bool type = cypher_is(node, CYPHER_is_type);
  operands[0] = ew_compile_expression(
      compiler, type ? CYPHER_AS(is_type, node)->operand.node : CYPHER_AS(is_normalized, node)->operand.node);
  struct ew_code *code = ew_code_new(compiler, type ? evaluate_type_test : evaluate_is_normalized, node, operands, 1);
  code->choice = type ? CYPHER_AS(is_type, node)->negated.flag : CYPHER_AS(is_normalized, node)->negated.flag;
  return code;
}
