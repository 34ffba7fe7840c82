/* planted_operator.c: operators that are wrong: logic with unknowns, NaN, numbers, strings, lists, CASE. */
#include <math.h>
#include <stdlib.h>

#include "model/planted.h"
#include "model/regex.h"
#include "model/temporal.h"

static bool is_operator(const struct ew_node *node, enum cypher_operator operator) {
  return cypher_is(node, CYPHER_binary) && CYPHER_AS(binary, node)->operator.choice == operator;
}

static bool is_comparison(const struct ew_node *node) {
  if (!cypher_is(node, CYPHER_binary)) return false;
  enum cypher_operator operator= CYPHER_AS(binary, node)->operator.choice;
  return operator>= CYPHER_EQUAL && operator<= CYPHER_GREATER_EQUAL;
}

static bool is_exists(const struct ew_node *node) {
  return cypher_is(node, CYPHER_subquery) && CYPHER_AS(subquery, node)->form.choice == CYPHER_EXISTS;
}

static bool is_open_case(const struct ew_node *node) {
  return cypher_is(node, CYPHER_case) && !CYPHER_AS(case, node)->otherwise.node;
}

/* ---- logic ---- */

static bool lacks_property(struct ew_execution *run, const struct ew_code *comparison) {
  for (size_t i = 0; i < comparison->count; i++)
    if (cypher_is(comparison->operands[i]->node, CYPHER_property) &&
        ew_evaluate(run, comparison->operands[i]).kind == EW_VALUE_NULL)
      return true;
  return false;
}

static struct ew_value xor_with_false(struct ew_execution *run, const struct ew_code *code) {
  enum ew_truth right = ew_evaluate_truth(run, code->operands[1]);
  if (right != EW_UNKNOWN || !lacks_property(run, code->operands[1])) return ew_plant_honest(run, code);
  return ew_truth_value(ew_evaluate_truth(run, code->operands[0]));
}

static enum ew_truth negate(enum ew_truth truth) {
  return truth == EW_UNKNOWN ? EW_UNKNOWN : truth == EW_TRUE ? EW_FALSE : EW_TRUE;
}

static enum ew_truth both(enum ew_truth a, enum ew_truth b) {
  return a == EW_FALSE || b == EW_FALSE ? EW_FALSE : a == EW_TRUE ? b : EW_UNKNOWN;
}

/* (p AND NOT q) OR (NOT p AND q) */
static struct ew_value xor_written_out(struct ew_execution *run, const struct ew_code *code) {
  run->model->planted.work++;
  enum ew_truth p = ew_evaluate_truth(run, code->operands[0]), q = ew_evaluate_truth(run, code->operands[1]);
  enum ew_truth first = both(p, negate(q));
  p = ew_evaluate_truth(run, code->operands[0]), q = ew_evaluate_truth(run, code->operands[1]);
  return ew_truth_value(negate(both(negate(first), negate(both(negate(p), q)))));
}

static struct ew_value or_gives_up(struct ew_execution *run, const struct ew_code *code) {
  if (ew_evaluate_truth(run, code->operands[0]) == EW_UNKNOWN) return ew_null();
  return ew_plant_honest(run, code);
}

static struct ew_value unknown_xor_is_false(struct ew_execution *run, const struct ew_code *code) {
  if (ew_evaluate_truth(run, code->operands[0]) == EW_UNKNOWN) return ew_boolean(false);
  return ew_plant_honest(run, code);
}

static struct ew_value not_of_and(struct ew_execution *run, const struct ew_code *code) {
  const struct ew_code *conjunction = code->operands[0];
  size_t label = cypher_is(conjunction->operands[1]->node, CYPHER_label_test) ? 1 : 0;
  if (ew_evaluate_truth(run, conjunction->operands[1 - label]) == EW_UNKNOWN &&
      ew_evaluate_truth(run, conjunction->operands[label]) == EW_TRUE)
    return ew_boolean(true);
  return ew_plant_honest(run, code);
}

static struct ew_value not_less(struct ew_execution *run, const struct ew_code *code) {
  const struct ew_code *less = code->operands[0];
  struct ew_value a = ew_evaluate(run, less->operands[0]), b = ew_evaluate(run, less->operands[1]);
  return ew_truth_value(ew_comparison_holds(run, CYPHER_GREATER_EQUAL, a, b));
}

static struct ew_value ends_of_chain(struct ew_execution *run, const struct ew_code *code) {
  const struct ew_code *chain = code->detail;
  const enum cypher_operator *links = chain->detail;
  enum ew_truth all = EW_TRUE;
  for (size_t i = 1; i < code->count; i += code->count - 2) {
    struct ew_value left = ew_evaluate(run, code->operands[i - 1]), right = ew_evaluate(run, code->operands[i]);
    all = both(all, ew_comparison_holds(run, links[i - 1], left, right));
  }
  return ew_truth_value(all);
}

/* p XOR (p OR p), p a property */
static bool is_xor_of_or(const struct cypher_binary * xor) {
  if (!cypher_is(xor->left.node, CYPHER_property) || !is_operator(xor->right.node, CYPHER_OR)) return false;
  const struct cypher_binary * or = CYPHER_AS(binary, xor->right.node);
  return ew_tree_equal(xor->left.node, or->left.node) && ew_tree_equal(xor->left.node, or->right.node);
}

static bool is_in_where(const struct ew_compiler *compiler, const struct ew_node *node) {
  const struct ew_node *clause =
      compiler->clause < compiler->clauses.count ? compiler->clauses.items[compiler->clause] : NULL;
  if (cypher_is(clause, CYPHER_match)) return ew_plant_within(CYPHER_AS(match, clause)->where.node, node);
  return cypher_is(clause, CYPHER_with) && ew_plant_within(CYPHER_AS(with, clause)->where.node, node);
}

static const struct ew_code *plant_xor(struct ew_compiler *compiler, const struct ew_code *code) {
  const struct ew_model *model = compiler->model;
  const struct cypher_binary * xor = CYPHER_AS(binary, code->node);
  if (ew_planted(model, EW_PLANT_internal_error_for_xor_of_or_over_one_property) && is_xor_of_or(xor) &&
      is_in_where(compiler, code->node))
    ew_compile_fail(compiler, EW_FAULT_INTERNAL, "internal, predicate normalisation");
  if (ew_planted(model, EW_PLANT_xor_with_unknown_comparison_read_as_false) && is_comparison(xor->right.node))
    code = ew_plant_wrap(compiler, code, xor_with_false);
  if (ew_planted(model, EW_PLANT_unknown_xor_exists_is_false) && is_exists(xor->right.node))
    code = ew_plant_wrap(compiler, code, unknown_xor_is_false);
  if (ew_planted(model, EW_PLANT_xor_chain_evaluates_operands_twice_per_level))
    code = ew_plant_wrap(compiler, code, xor_written_out);
  return code;
}

/* ---- NOT and CASE ---- */

const struct ew_code *ew_plant_otherwise(struct ew_compiler *compiler, const struct ew_code *code,
                                         const struct ew_code *otherwise) {
  const struct ew_code **operands = EW_NEW_ARRAY(compiler->arena, const struct ew_code *, code->count);
  memcpy(operands, code->operands, code->count * sizeof *operands);
  operands[1] = otherwise;
  return ew_code_new(compiler, code->evaluate, code->node, operands, code->count);
}

static bool is_not_of_and(const struct ew_code *code) {
  const struct ew_node *operand = CYPHER_AS(unary, code->node)->operand.node;
  return is_operator(operand, CYPHER_AND) && (cypher_is(CYPHER_AS(binary, operand)->left.node, CYPHER_label_test) ||
                                              cypher_is(CYPHER_AS(binary, operand)->right.node, CYPHER_label_test));
}

static const struct ew_code *plant_not(struct ew_compiler *compiler, const struct ew_code *code) {
  const struct ew_model *model = compiler->model;
  const struct ew_node *operand = CYPHER_AS(unary, code->node)->operand.node;
  if (ew_planted(model, EW_PLANT_not_over_and_with_label_test_turns_unknown_into_true) && is_not_of_and(code))
    code = ew_plant_wrap(compiler, code, not_of_and);
  if (ew_planted(model, EW_PLANT_not_less_than_rewritten_to_greater_or_equal) && is_operator(operand, CYPHER_LESS) &&
      cypher_is(CYPHER_AS(binary, operand)->left.node, CYPHER_property))
    code = ew_plant_wrap(compiler, code, not_less);
  if (ew_planted(model, EW_PLANT_case_without_else_is_false_in_boolean_context) && is_open_case(operand)) {
    const struct ew_code **operands = EW_NEW_ARRAY(compiler->arena, const struct ew_code *, 1);
    operands[0] =
        ew_plant_otherwise(compiler, code->operands[0], ew_code_constant(compiler, operand, ew_boolean(false)));
    code = ew_code_new(compiler, code->evaluate, code->node, operands, 1);
  }
  return code;
}

/* ---- comparison ---- */

static struct ew_value is_there(struct ew_execution *run, const struct ew_code *code) {
  return ew_boolean(ew_evaluate(run, code->operands[0]).kind != EW_VALUE_NULL);
}

static struct ew_value equal_after_rounding(struct ew_execution *run, const struct ew_code *code) {
  struct ew_value a = ew_evaluate(run, code->operands[0]), b = ew_evaluate(run, code->operands[1]);
  if (a.kind == EW_VALUE_INTEGER && b.kind == EW_VALUE_FLOAT) return ew_boolean((double)a.integer == b.number);
  if (a.kind == EW_VALUE_FLOAT && b.kind == EW_VALUE_INTEGER) return ew_boolean(a.number == (double)b.integer);
  return ew_plant_honest(run, code);
}

static const struct ew_code *plant_equal(struct ew_compiler *compiler, const struct ew_code *code) {
  const struct cypher_binary *equal = CYPHER_AS(binary, code->node);
  if (ew_planted(compiler->model, EW_PLANT_self_equality_folded_to_is_not_null) &&
      cypher_is(equal->left.node, CYPHER_property) &&
      cypher_is(CYPHER_AS(property, equal->left.node)->object.node, CYPHER_variable) &&
      ew_tree_equal(equal->left.node, equal->right.node))
    code = ew_plant_wrap(compiler, code, is_there);
  if (ew_planted(compiler->model, EW_PLANT_large_integer_equals_float_after_rounding))
    code = ew_plant_wrap(compiler, code, equal_after_rounding);
  return code;
}

/* ---- IN ---- */

static bool read_in(struct ew_execution *run, const struct ew_code *code, struct ew_value *wanted,
                    struct ew_values *list) {
  *wanted = ew_evaluate(run, code->operands[0]);
  struct ew_value value = ew_evaluate(run, code->operands[1]);
  if (value.kind == EW_VALUE_LIST) *list = value.list;
  return value.kind == EW_VALUE_LIST && !run->failed;
}

static struct ew_value in_ignores_nulls(struct ew_execution *run, const struct ew_code *code) {
  struct ew_value honest = ew_plant_honest(run, code), wanted;
  struct ew_values list;
  if (honest.kind != EW_VALUE_NULL || !read_in(run, code, &wanted, &list) || wanted.kind == EW_VALUE_NULL)
    return honest;
  for (size_t i = 0; i + 1 < list.count; i++)
    if (list.items[i].kind == EW_VALUE_NULL) return ew_boolean(false);
  return honest;
}

static struct ew_value in_by_identity(struct ew_execution *run, const struct ew_code *code) {
  struct ew_value wanted;
  struct ew_values list;
  if (!read_in(run, code, &wanted, &list) || wanted.kind != EW_VALUE_FLOAT) return ew_plant_honest(run, code);
  for (size_t i = 0; i < list.count; i++)
    if (ew_value_equivalent(wanted, list.items[i], run->semantics)) return ew_boolean(true);
  return ew_plant_honest(run, code);
}

static struct ew_value in_of_lists(struct ew_execution *run, const struct ew_code *code) {
  struct ew_value honest = ew_plant_honest(run, code), wanted;
  struct ew_values list;
  if (honest.kind != EW_VALUE_NULL || !read_in(run, code, &wanted, &list) || wanted.kind != EW_VALUE_LIST)
    return honest;
  for (size_t i = 0; i < list.count; i++)
    if (list.items[i].kind == EW_VALUE_NULL) return honest;
  return ew_boolean(false);
}

static const struct ew_code *plant_in(struct ew_compiler *compiler, const struct ew_code *code) {
  if (ew_planted(compiler->model, EW_PLANT_in_list_null_before_last_element_ignored))
    code = ew_plant_wrap(compiler, code, in_ignores_nulls);
  if (ew_planted(compiler->model, EW_PLANT_in_list_finds_nan_by_identity))
    code = ew_plant_wrap(compiler, code, in_by_identity);
  if (ew_planted(compiler->model, EW_PLANT_nested_list_membership_with_null_is_false))
    code = ew_plant_wrap(compiler, code, in_of_lists);
  return code;
}

/* ---- numbers ---- */

static bool read_integers(struct ew_execution *run, const struct ew_code *code, int64_t *a, int64_t *b) {
  struct ew_value left = ew_evaluate(run, code->operands[0]), right = ew_evaluate(run, code->operands[1]);
  if (left.kind != EW_VALUE_INTEGER || right.kind != EW_VALUE_INTEGER) return false;
  *a = left.integer, *b = right.integer;
  return true;
}

static struct ew_value add_around(struct ew_execution *run, const struct ew_code *code) {
  int64_t a, b;
  if (!read_integers(run, code, &a, &b)) return ew_plant_honest(run, code);
  return ew_integer((int64_t)((uint64_t)a + (uint64_t)b));
}

static struct ew_value modulo_by_mask(struct ew_execution *run, const struct ew_code *code) {
  int64_t a, b;
  if (!read_integers(run, code, &a, &b) || a >= 0 || b <= 0 || (b & (b - 1))) return ew_plant_honest(run, code);
  return ew_integer(a & (b - 1));
}

static struct ew_value modulo_aborts(struct ew_execution *run, const struct ew_code *code) {
  int64_t a, b;
  if (read_integers(run, code, &a, &b) && a == INT64_MIN && b == -1) abort();
  return ew_plant_honest(run, code);
}

/* The days that the month lacks are added. */
static struct ew_value add_months_over_the_end(struct ew_execution *run, const struct ew_code *code) {
  struct ew_value date = ew_evaluate(run, code->operands[0]), months = ew_evaluate(run, code->operands[1]);
  struct ew_value sum = ew_plant_honest(run, code);
  if (date.kind != EW_VALUE_DATE || months.kind != EW_VALUE_DURATION || sum.kind != EW_VALUE_DATE ||
      !months.duration->months)
    return sum;
  int64_t reached = date.day;
  if (!ew_add_months(&reached, months.duration->months)) return sum;
  sum.day += ew_civil_from_day(date.day).day - ew_civil_from_day(reached).day;
  return sum;
}

static const struct ew_code *plant_arithmetic(struct ew_compiler *compiler, const struct ew_code *code) {
  const struct ew_model *model = compiler->model;
  if (code->choice == CYPHER_ADD && ew_planted(model, EW_PLANT_integer_addition_overflow_wraps) &&
      !(ew_code_is_constant(code->operands[0]) && ew_code_is_constant(code->operands[1])))
    code = ew_plant_wrap(compiler, code, add_around);
  if (code->choice == CYPHER_ADD && ew_planted(model, EW_PLANT_month_end_rolls_over_when_months_are_added))
    code = ew_plant_wrap(compiler, code, add_months_over_the_end);
  if (code->choice == CYPHER_MODULO && ew_planted(model, EW_PLANT_modulo_by_power_of_two_masks_bits))
    code = ew_plant_wrap(compiler, code, modulo_by_mask);
  if (code->choice == CYPHER_MODULO && ew_planted(model, EW_PLANT_least_integer_modulo_minus_one_aborts))
    code = ew_plant_wrap(compiler, code, modulo_aborts);
  return code;
}

/* ---- strings ---- */

static struct ew_value always_true(struct ew_execution *run, const struct ew_code *code) {
  (void)run;
  (void)code;
  return ew_boolean(true);
}

/* The end of the branch that begins at `at`: a `|` outside brackets. */
static size_t branch_end(struct ew_span pattern, size_t at) {
  size_t depth = 0;
  for (; at < pattern.length; at++) {
    char c = pattern.bytes[at];
    if (c == '\\')
      at++;
    else if (c == '(' || c == '[')
      depth++;
    else if ((c == ')' || c == ']') && depth)
      depth--;
    else if (c == '|' && !depth)
      break;
  }
  return at < pattern.length ? at : pattern.length;
}

/* ^a|b|c$: a at the beginning, b anywhere, c at the end. */
static struct ew_value matches_loosely(struct ew_execution *run, const struct ew_code *code) {
  static const char anything[] = "[\\s\\S]*";
  struct ew_value text = ew_evaluate(run, code->operands[0]), pattern = ew_evaluate(run, code->operands[1]);
  struct ew_value honest = ew_plant_honest(run, code);
  if (honest.kind != EW_VALUE_BOOLEAN || honest.boolean || branch_end(pattern.string, 0) == pattern.string.length)
    return honest;
  for (size_t at = 0; at <= pattern.string.length && !run->failed;) {
    size_t end = branch_end(pattern.string, at);
    struct ew_span loose = ew_arena_format(run->arena, "%s(%.*s)%s", at ? anything : "", (int)(end - at),
                                           pattern.string.bytes + at, end < pattern.string.length ? anything : "");
    struct ew_value matches = ew_regex_matches(run, loose, text.string);
    if (matches.kind == EW_VALUE_BOOLEAN && matches.boolean) return matches;
    at = end + 1;
  }
  return honest;
}

static struct ew_value matches_empty_pattern(struct ew_execution *run, const struct ew_code *code) {
  struct ew_value text = ew_evaluate(run, code->operands[0]), pattern = ew_evaluate(run, code->operands[1]);
  bool empty = text.kind == EW_VALUE_STRING && pattern.kind == EW_VALUE_STRING && !pattern.string.length;
  return empty ? ew_boolean(true) : ew_plant_honest(run, code);
}

static const struct ew_code *plant_string(struct ew_compiler *compiler, const struct ew_code *code) {
  const struct cypher_binary *test = CYPHER_AS(binary, code->node);
  if (code->choice == CYPHER_STARTS_WITH &&
      ew_planted(compiler->model, EW_PLANT_starts_with_empty_string_folded_to_true) &&
      ew_plant_is_literal(test->right.node, EW_VALUE_STRING) &&
      !CYPHER_AS(literal, test->right.node)->value.value->string.length)
    code = ew_plant_wrap(compiler, code, always_true);
  if (code->choice == CYPHER_MATCHES && ew_planted(compiler->model, EW_PLANT_regex_alternation_anchored_without_group))
    code = ew_plant_wrap(compiler, code, matches_loosely);
  if (code->choice == CYPHER_MATCHES && ew_planted(compiler->model, EW_PLANT_empty_regex_matches_everything))
    code = ew_plant_wrap(compiler, code, matches_empty_pattern);
  return code;
}

/* ---- which ---- */

const struct ew_code *ew_plant_operator(struct ew_compiler *compiler, const struct ew_code *code) {
  const struct ew_model *model = compiler->model;
  if (cypher_is(code->node, CYPHER_unary)) {
    bool lost = code->choice == CYPHER_NEGATE && ew_planted(model, EW_PLANT_minus_of_property_is_null) &&
                cypher_is(code->operands[0]->node, CYPHER_property);
    if (lost) return ew_code_constant(compiler, code->node, ew_null());
    return code->choice == CYPHER_NOT ? plant_not(compiler, code) : code;
  }
  if (cypher_is(code->node, CYPHER_chain)) {
    bool ends = ew_planted(model, EW_PLANT_chained_comparison_with_three_operators_checks_ends_only) && code->count > 3;
    return ends ? ew_plant_wrap(compiler, code, ends_of_chain) : code;
  }
  switch ((enum cypher_operator)code->choice) {
    case CYPHER_XOR: return plant_xor(compiler, code);
    case CYPHER_OR:
      if (!ew_planted(model, EW_PLANT_exists_under_or_skipped_when_other_side_unknown)) return code;
      return is_exists(CYPHER_AS(binary, code->node)->right.node) ? ew_plant_wrap(compiler, code, or_gives_up) : code;
    case CYPHER_EQUAL: return plant_equal(compiler, code);
    case CYPHER_IN: return plant_in(compiler, code);
    case CYPHER_ADD:
    case CYPHER_MODULO: return plant_arithmetic(compiler, code);
    case CYPHER_STARTS_WITH:
    case CYPHER_MATCHES: return plant_string(compiler, code);
    default: return code;
  }
}

/* ---- IS NULL, labels ---- */

static struct ew_value either_is_null(struct ew_execution *run, const struct ew_code *code) {
  const struct ew_code *conjunction = code->operands[0];
  return ew_boolean(ew_evaluate(run, conjunction->operands[0]).kind == EW_VALUE_NULL ||
                    ew_evaluate(run, conjunction->operands[1]).kind == EW_VALUE_NULL);
}

const struct ew_code *ew_plant_is_null(struct ew_compiler *compiler, const struct ew_code *code) {
  const struct cypher_is_null *test = CYPHER_AS(is_null, code->node);
  if (!ew_planted(compiler->model, EW_PLANT_is_null_of_and_distributed_over_operands)) return code;
  bool distributes = !test->negated.flag && is_operator(test->operand.node, CYPHER_AND);
  return distributes ? ew_plant_wrap(compiler, code, either_is_null) : code;
}

static struct ew_value null_has_no_label(struct ew_execution *run, const struct ew_code *code) {
  if (ew_evaluate(run, code->operands[0]).kind == EW_VALUE_NULL) return ew_boolean(false);
  return ew_plant_honest(run, code);
}

const struct ew_code *ew_plant_label_test(struct ew_compiler *compiler, const struct ew_code *code) {
  if (!ew_planted(compiler->model, EW_PLANT_label_test_on_null_is_false)) return code;
  return ew_plant_wrap(compiler, code, null_has_no_label);
}
