/* operators.c: operators: arithmetic, comparison, three-valued logic, string predicates, IN. */
#include <math.h>

#include "model/planted.h"
#include "model/portable.h"
#include "model/regex.h"

enum ew_truth ew_truth_of(struct ew_execution *run, struct ew_value value) {
  if (value.kind == EW_VALUE_BOOLEAN) return value.boolean ? EW_TRUE : EW_FALSE;
  if (value.kind != EW_VALUE_NULL)
    ew_run_fail(run, EW_FAULT_ARGUMENT_TYPE, "%s is no truth value", ew_kind_text(value));
  return EW_UNKNOWN;
}

/* ---- logic ---- */

static struct ew_value evaluate_and(struct ew_execution *run, const struct ew_code *code) {
  enum ew_truth left = ew_evaluate_truth(run, code->operands[0]);
  if (left == EW_FALSE) return ew_boolean(false);
  enum ew_truth right = ew_evaluate_truth(run, code->operands[1]);
  return ew_truth_value(right == EW_FALSE ? EW_FALSE : left == EW_TRUE ? right : EW_UNKNOWN);
}

static struct ew_value evaluate_or(struct ew_execution *run, const struct ew_code *code) {
  enum ew_truth left = ew_evaluate_truth(run, code->operands[0]);
  if (left == EW_TRUE) return ew_boolean(true);
  enum ew_truth right = ew_evaluate_truth(run, code->operands[1]);
  return ew_truth_value(right == EW_TRUE ? EW_TRUE : left == EW_FALSE ? right : EW_UNKNOWN);
}

static struct ew_value evaluate_xor(struct ew_execution *run, const struct ew_code *code) {
  enum ew_truth left = ew_evaluate_truth(run, code->operands[0]), right = ew_evaluate_truth(run, code->operands[1]);
  if (left == EW_UNKNOWN || right == EW_UNKNOWN) return ew_null();
  return ew_boolean(left != right);
}

static struct ew_value evaluate_not(struct ew_execution *run, const struct ew_code *code) {
  enum ew_truth truth = ew_evaluate_truth(run, code->operands[0]);
  return truth == EW_UNKNOWN ? ew_null() : ew_boolean(truth == EW_FALSE);
}

/* ---- comparison ---- */

static enum ew_truth order_holds(struct ew_execution *run, enum cypher_operator operator, struct ew_value a,
                                 struct ew_value b) {
  int order;
  enum ew_truth compares = ew_value_compare(a, b, run->semantics, &order);
  if (compares != EW_TRUE) return compares;
  switch (operator) {
    case CYPHER_LESS: return order < 0 ? EW_TRUE : EW_FALSE;
    case CYPHER_LESS_EQUAL: return order <= 0 ? EW_TRUE : EW_FALSE;
    case CYPHER_GREATER: return order > 0 ? EW_TRUE : EW_FALSE;
    default: return order >= 0 ? EW_TRUE : EW_FALSE;
  }
}

enum ew_truth ew_comparison_holds(struct ew_execution *run, enum cypher_operator operator, struct ew_value a,
                                  struct ew_value b) {
  if (operator!= CYPHER_EQUAL && operator!= CYPHER_UNEQUAL) return order_holds(run, operator, a, b);
  enum ew_truth equal = ew_value_equal(a, b, run->semantics);
  if (operator== CYPHER_EQUAL || equal == EW_UNKNOWN) return equal;
  return equal == EW_TRUE ? EW_FALSE : EW_TRUE;
}

static struct ew_value evaluate_comparison(struct ew_execution *run, const struct ew_code *code) {
  struct ew_value a = ew_evaluate(run, code->operands[0]), b = ew_evaluate(run, code->operands[1]);
  return ew_truth_value(ew_comparison_holds(run, code->choice, a, b));
}

/* a < b <= c: each operand once, all links with AND. */
static struct ew_value evaluate_chain(struct ew_execution *run, const struct ew_code *code) {
  const enum cypher_operator *links = code->detail;
  struct ew_value left = ew_evaluate(run, code->operands[0]);
  enum ew_truth all = EW_TRUE;
  for (size_t i = 1; i < code->count; i++) {
    struct ew_value right = ew_evaluate(run, code->operands[i]);
    enum ew_truth one = ew_comparison_holds(run, links[i - 1], left, right);
    if (one == EW_FALSE) return ew_boolean(false);
    if (one == EW_UNKNOWN) all = EW_UNKNOWN;
    left = right;
  }
  return ew_truth_value(all);
}

static struct ew_value evaluate_in(struct ew_execution *run, const struct ew_code *code) {
  struct ew_value wanted = ew_evaluate(run, code->operands[0]), list = ew_evaluate(run, code->operands[1]);
  if (list.kind == EW_VALUE_NULL) return list;
  if (list.kind != EW_VALUE_LIST) return ew_run_fail(run, EW_FAULT_ARGUMENT_TYPE, "IN a %s", ew_kind_text(list));
  bool unknown = false;
  for (size_t i = 0; i < list.list.count && ew_run_spend(run, 1); i++) {
    enum ew_truth equal = ew_value_equal(wanted, list.list.items[i], run->semantics);
    if (equal == EW_TRUE) return ew_boolean(true);
    unknown |= equal == EW_UNKNOWN;
  }
  return unknown ? ew_null() : ew_boolean(false);
}

/* ---- strings ---- */

static bool contains(struct ew_span text, struct ew_span part) {
  return !part.length || memmem(text.bytes, text.length, part.bytes, part.length);
}

static bool ends_with(struct ew_span text, struct ew_span part) {
  return text.length >= part.length &&
         ew_span_equal((struct ew_span){text.bytes + text.length - part.length, part.length}, part);
}

static struct ew_value evaluate_string_test(struct ew_execution *run, const struct ew_code *code) {
  struct ew_value text = ew_evaluate(run, code->operands[0]), part = ew_evaluate(run, code->operands[1]);
  if (text.kind != EW_VALUE_STRING || part.kind != EW_VALUE_STRING) return ew_null();
  if (!ew_run_spend(run, 1 + text.string.length / 64)) return ew_null();
  switch ((enum cypher_operator)code->choice) {
    case CYPHER_STARTS_WITH: return ew_boolean(ew_span_starts(text.string, part.string));
    case CYPHER_ENDS_WITH: return ew_boolean(ends_with(text.string, part.string));
    case CYPHER_CONTAINS: return ew_boolean(contains(text.string, part.string));
    default: return ew_regex_matches(run, part.string, text.string);
  }
}

static struct ew_value join_texts(struct ew_execution *run, struct ew_span a, struct ew_span b) {
  char *bytes = ew_run_take(run, a.length + b.length, 1);
  if (!bytes) return ew_null();
  if (a.length) memcpy(bytes, a.bytes, a.length);
  if (b.length) memcpy(bytes + a.length, b.bytes, b.length);
  return ew_string((struct ew_span){bytes, a.length + b.length});
}

static struct ew_span text_of_number(struct ew_execution *run, struct ew_value value) {
  if (value.kind == EW_VALUE_STRING) return value.string;
  if (value.kind == EW_VALUE_INTEGER) return ew_arena_format(run->arena, "%lld", (long long)value.integer);
  struct ew_text text = {0};
  ew_value_print(&text, value);
  struct ew_span copy = ew_arena_copy(run->arena, ew_text_span(&text));
  ew_text_release(&text);
  return copy;
}

static struct ew_value join_lists(struct ew_execution *run, struct ew_values a, struct ew_values b) {
  size_t count = a.count + b.count;
  struct ew_value *items = ew_run_spend(run, count) ? ew_run_take(run, count, sizeof *items) : NULL;
  if (!items) return ew_null();
  if (a.count) memcpy(items, a.items, a.count * sizeof *items);
  if (b.count) memcpy(items + a.count, b.items, b.count * sizeof *items);
  return ew_run_list(run, items, count);
}

/* ---- arithmetic ---- */

static bool is_number(struct ew_value value) { return value.kind == EW_VALUE_INTEGER || value.kind == EW_VALUE_FLOAT; }

static double number_of(struct ew_value value) {
  return value.kind == EW_VALUE_INTEGER ? (double)value.integer : value.number;
}

static struct ew_value refuse(struct ew_execution *run, const struct ew_code *code, struct ew_value a,
                              struct ew_value b) {
  return ew_run_fail(run, EW_FAULT_ARGUMENT_TYPE, "%s %s %s", ew_kind_text(a), cypher_operator_text[code->choice],
                     ew_kind_text(b));
}

static struct ew_value overflow(struct ew_execution *run, int64_t wrapped, double large) {
  if (run->semantics->integer_overflow == 1) return ew_integer(wrapped);
  if (run->semantics->integer_overflow == 2) return ew_float(large);
  return ew_run_fail(run, EW_FAULT_OVERFLOW, "an integer needs more than 64 bits");
}

static struct ew_value on_floats(const struct ew_execution *run, enum cypher_operator operator, double a, double b) {
  switch (operator) {
    case CYPHER_ADD: return ew_float(a + b);
    case CYPHER_SUBTRACT: return ew_float(a - b);
    case CYPHER_MULTIPLY: return ew_float(a * b);
    case CYPHER_DIVIDE: return ew_float(a / b);
    case CYPHER_MODULO: return ew_float(fmod(a, b));
    default: return ew_float(EW_REAL(run, pow, a, b));
  }
}

static struct ew_value divide_integers(struct ew_execution *run, enum cypher_operator operator, int64_t a, int64_t b) {
  if (!b) {
    if (run->semantics->integer_division_by_zero == 1) return ew_null();
    if (run->semantics->integer_division_by_zero == 2) return on_floats(run, operator,(double) a, 0.0);
    return ew_run_fail(run, EW_FAULT_DIVISION, "division by zero");
  }
  if (operator== CYPHER_MODULO) return ew_integer(b == -1 ? 0 : a % b);
  if (!run->semantics->integer_division) return ew_float((double)a / (double)b);
  if (b == -1 && a == INT64_MIN) return overflow(run, a, -(double)a);
  return ew_integer(a / b);
}

static struct ew_value on_integers(struct ew_execution *run, enum cypher_operator operator, int64_t a, int64_t b) {
  int64_t result;
  switch (operator) {
    case CYPHER_ADD:
      return __builtin_add_overflow(a, b, &result) ? overflow(run, result, (double)a + (double)b) : ew_integer(result);
    case CYPHER_SUBTRACT:
      return __builtin_sub_overflow(a, b, &result) ? overflow(run, result, (double)a - (double)b) : ew_integer(result);
    case CYPHER_MULTIPLY:
      return __builtin_mul_overflow(a, b, &result) ? overflow(run, result, (double)a * (double)b) : ew_integer(result);
    default: return divide_integers(run, operator, a, b);
  }
}

static int64_t whole_of(double number) {
  if (number >= -0x1p63 && number < 0x1p63) return (int64_t)number;
  return isnan(number) ? 0 : number < 0 ? INT64_MIN : INT64_MAX;
}

/* Of numbers at least one of which is a float, as SQLite does it. */
static struct ew_value modulo_of_wholes(struct ew_execution *run, double a, double b) {
  struct ew_value result = divide_integers(run, CYPHER_MODULO, whole_of(a), whole_of(b));
  return result.kind == EW_VALUE_INTEGER ? ew_float((double)result.integer) : result;
}

/* `+` of anything but two numbers. */
static struct ew_value add_others(struct ew_execution *run, const struct ew_code *code, struct ew_value a,
                                  struct ew_value b) {
  if (a.kind == EW_VALUE_LIST || b.kind == EW_VALUE_LIST)
    return join_lists(run, a.kind == EW_VALUE_LIST ? a.list : (struct ew_values){&a, 1},
                      b.kind == EW_VALUE_LIST ? b.list : (struct ew_values){&b, 1});
  if (a.kind == EW_VALUE_STRING && b.kind == EW_VALUE_STRING) return join_texts(run, a.string, b.string);
  bool mixed = (a.kind == EW_VALUE_STRING && is_number(b)) || (is_number(a) && b.kind == EW_VALUE_STRING);
  if (mixed && run->semantics->string_plus_number)
    return join_texts(run, text_of_number(run, a), text_of_number(run, b));
  struct ew_value sum;
  return ew_temporal_add(run, a, b, &sum) ? sum : refuse(run, code, a, b);
}

static struct ew_value on_others(struct ew_execution *run, const struct ew_code *code, struct ew_value a,
                                 struct ew_value b) {
  struct ew_value result;
  switch ((enum cypher_operator)code->choice) {
    case CYPHER_ADD: return add_others(run, code, a, b);
    case CYPHER_SUBTRACT: return ew_temporal_subtract(run, a, b, &result) ? result : refuse(run, code, a, b);
    case CYPHER_MULTIPLY: return ew_duration_multiply(run, a, b, &result) ? result : refuse(run, code, a, b);
    case CYPHER_DIVIDE: return ew_duration_divide(run, a, b, &result) ? result : refuse(run, code, a, b);
    default: return refuse(run, code, a, b);
  }
}

static struct ew_value evaluate_arithmetic(struct ew_execution *run, const struct ew_code *code) {
  struct ew_value a = ew_evaluate(run, code->operands[0]), b = ew_evaluate(run, code->operands[1]);
  enum cypher_operator operator= code->choice;
  if (a.kind == EW_VALUE_NULL || b.kind == EW_VALUE_NULL) return ew_null();
  if (a.kind == EW_VALUE_INTEGER && b.kind == EW_VALUE_INTEGER && operator!= CYPHER_POWER)
    return on_integers(run, operator, a.integer, b.integer);
  if (operator== CYPHER_MODULO && run->semantics->modulo_of_integers && is_number(a) && is_number(b))
    return modulo_of_wholes(run, number_of(a), number_of(b));
  if (is_number(a) && is_number(b)) return on_floats(run, operator, number_of(a), number_of(b));
  return on_others(run, code, a, b);
}

/* `||`: two strings or two lists. */
static struct ew_value evaluate_concatenation(struct ew_execution *run, const struct ew_code *code) {
  struct ew_value a = ew_evaluate(run, code->operands[0]), b = ew_evaluate(run, code->operands[1]);
  if (a.kind == EW_VALUE_NULL || b.kind == EW_VALUE_NULL) return ew_null();
  if (a.kind == EW_VALUE_STRING && b.kind == EW_VALUE_STRING) return join_texts(run, a.string, b.string);
  if (a.kind == EW_VALUE_LIST && b.kind == EW_VALUE_LIST) return join_lists(run, a.list, b.list);
  return refuse(run, code, a, b);
}

static struct ew_value evaluate_sign(struct ew_execution *run, const struct ew_code *code) {
  struct ew_value value = ew_evaluate(run, code->operands[0]);
  bool negate = code->choice == CYPHER_NEGATE;
  if (value.kind == EW_VALUE_NULL) return value;
  if (value.kind == EW_VALUE_FLOAT) return negate ? ew_float(-value.number) : value;
  if (value.kind == EW_VALUE_INTEGER) {
    if (!negate) return value;
    return value.integer == INT64_MIN ? overflow(run, INT64_MIN, 0x1p63) : ew_integer(-value.integer);
  }
  struct ew_value result;
  if (negate && value.kind == EW_VALUE_DURATION && ew_duration_multiply(run, value, ew_integer(-1), &result))
    return result;
  return ew_run_fail(run, EW_FAULT_ARGUMENT_TYPE, "the sign of a %s", ew_kind_text(value));
}

/* ---- compiling ---- */

static ew_evaluator evaluator_of(enum cypher_operator operator) {
  switch (operator) {
    case CYPHER_OR: return evaluate_or;
    case CYPHER_XOR: return evaluate_xor;
    case CYPHER_AND: return evaluate_and;
    case CYPHER_EQUAL:
    case CYPHER_UNEQUAL:
    case CYPHER_LESS:
    case CYPHER_LESS_EQUAL:
    case CYPHER_GREATER:
    case CYPHER_GREATER_EQUAL: return evaluate_comparison;
    case CYPHER_IN: return evaluate_in;
    case CYPHER_MATCHES:
    case CYPHER_STARTS_WITH:
    case CYPHER_ENDS_WITH:
    case CYPHER_CONTAINS: return evaluate_string_test;
    case CYPHER_CONCATENATE: return evaluate_concatenation;
    default: return evaluate_arithmetic;
  }
}

static const struct ew_code *compile_chain(struct ew_compiler *compiler, const struct ew_node *node) {
  const struct cypher_chain *chain = CYPHER_AS(chain, node);
  size_t count = chain->links.list.count;
  const struct ew_code **operands = EW_NEW_ARRAY(compiler->arena, const struct ew_code *, count + 1);
  enum cypher_operator *links = EW_NEW_ARRAY(compiler->arena, enum cypher_operator, count);
  operands[0] = ew_compile_expression(compiler, chain->first.node);
  for (size_t i = 0; i < count; i++) {
    const struct cypher_link *link = CYPHER_AS(link, chain->links.list.items[i]);
    links[i] = link->operator.choice;
    operands[i + 1] = ew_compile_expression(compiler, link->right.node);
  }
  struct ew_code *code = ew_code_new(compiler, evaluate_chain, node, operands, count + 1);
  code->detail = links;
  return code;
}

static const struct ew_code *compile_operator(struct ew_compiler *compiler, const struct ew_node *node) {
  if (cypher_is(node, CYPHER_chain)) return compile_chain(compiler, node);
  const struct ew_code **operands = EW_NEW_ARRAY(compiler->arena, const struct ew_code *, 2);
  bool unary = cypher_is(node, CYPHER_unary);
  uint32_t choice = unary ? CYPHER_AS(unary, node)->operator.choice : CYPHER_AS(binary, node)->operator.choice;
  operands[0] = ew_compile_expression(
      compiler, unary ? CYPHER_AS(unary, node)->operand.node : CYPHER_AS(binary, node)->left.node);
  if (!unary) operands[1] = ew_compile_expression(compiler, CYPHER_AS(binary, node)->right.node);
  ew_evaluator evaluate = !unary ? evaluator_of(choice) : choice == CYPHER_NOT ? evaluate_not : evaluate_sign;
  struct ew_code *code = ew_code_new(compiler, evaluate, node, operands, unary ? 1 : 2);
  code->choice = choice;
  return code;
}

const struct ew_code *ew_compile_operator(struct ew_compiler *compiler, const struct ew_node *node) {
  const struct ew_code *code = compile_operator(compiler, node);
  return ew_plants_any(&compiler->model->plants) ? ew_plant_operator(compiler, code) : code;
}
