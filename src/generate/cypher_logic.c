/* cypher_logic.c: truth values of truth values, and CASE. Several productions are shapes that engines rewrite: NOT over
   AND, IS NULL over AND and OR, one operand several times, CASE without ELSE. */
#include "generate/cypher_expression.h"

enum { NO_ELSE_PERCENT = 35 };

static const struct ew_node *draw_truth(struct ew_cypher_writer *writer, unsigned depth) {
  return ew_cypher_draw_expression(writer, EW_DRAW_BOOLEAN, depth);
}

static const struct ew_node *negate(struct ew_cypher_writer *writer, const struct ew_node *operand) {
  return CYPHER(writer->builder, unary, .operator.choice = CYPHER_NOT, .operand.node = operand);
}

static bool draw_connector(struct ew_cypher_writer *writer, enum cypher_operator *symbol) {
  static const enum cypher_operator operators[] = {CYPHER_AND, CYPHER_OR, CYPHER_XOR};
  static const unsigned weights[] = {40, 40, 20};
  return ew_writer_draw_operator(writer, operators, weights, EW_COUNT(operators), symbol);
}

const struct ew_node *ew_cypher_draw_connective(struct ew_cypher_writer *writer, enum ew_draw_type type,
                                                unsigned depth) {
  enum cypher_operator symbol;
  (void)type;
  if (!draw_connector(writer, &symbol)) return NULL;
  const struct ew_node *left = draw_truth(writer, depth - 1);
  const struct ew_node *right = draw_truth(writer, depth - 1);
  return ew_writer_binary(writer, symbol, left, right);
}

const struct ew_node *ew_cypher_draw_not(struct ew_cypher_writer *writer, enum ew_draw_type type, unsigned depth) {
  (void)type;
  return writer->dialect->negation ? negate(writer, draw_truth(writer, depth - 1)) : NULL;
}

/* NOT (p AND n:L), NOT (p OR q) */
const struct ew_node *ew_cypher_draw_not_and(struct ew_cypher_writer *writer, enum ew_draw_type type, unsigned depth) {
  (void)type;
  enum cypher_operator symbol = ew_writer_chance(writer, 65) ? CYPHER_AND : CYPHER_OR;
  if (!writer->dialect->negation || !writer->dialect->operators[symbol]) return NULL;
  const struct ew_node *left = draw_truth(writer, depth / 2), *right = NULL;
  if (ew_writer_has(writer, EW_HAS_LABEL_PREDICATE) && ew_writer_chance(writer, 50))
    right = ew_cypher_draw_label_test(writer, EW_DRAW_BOOLEAN, 1);
  if (!right) right = draw_truth(writer, depth / 2);
  return negate(writer, ew_writer_binary(writer, symbol, left, right));
}

/* NOT CASE e WHEN 1 THEN true END */
const struct ew_node *ew_cypher_draw_not_case(struct ew_cypher_writer *writer, enum ew_draw_type type, unsigned depth) {
  const struct ew_node *subject = NULL;
  (void)type;
  if (!writer->dialect->negation) return NULL;
  bool simple = ew_writer_chance(writer, 50);
  if (simple) subject = ew_cypher_draw_expression(writer, EW_DRAW_INTEGER, depth / 2);
  const struct ew_node *test = ew_cypher_draw_expression(writer, simple ? EW_DRAW_INTEGER : EW_DRAW_BOOLEAN, depth / 2);
  const struct ew_node *result = ew_writer_constant(writer, ew_boolean(ew_writer_chance(writer, 50)));
  const struct ew_node *when = CYPHER(writer->builder, when, .test.node = test, .result.node = result);
  struct ew_list whens = ew_list_of(writer->builder, &when, 1);
  return negate(writer, CYPHER(writer->builder, case, .subject.node = subject, .whens.list = whens));
}

/* (p AND q) IS NULL */
const struct ew_node *ew_cypher_draw_truth_is_null(struct ew_cypher_writer *writer, enum ew_draw_type type,
                                                   unsigned depth) {
  enum cypher_operator symbol;
  (void)type;
  if (!draw_connector(writer, &symbol)) return NULL;
  const struct ew_node *left = draw_truth(writer, depth / 2);
  const struct ew_node *right = draw_truth(writer, depth / 2);
  bool negated = ew_writer_chance(writer, 35);
  const struct ew_node *operand = ew_writer_binary(writer, symbol, left, right);
  return CYPHER(writer->builder, is_null, .negated.flag = negated, .operand.node = operand);
}

/* p XOR (p OR p) */
const struct ew_node *ew_cypher_draw_repeated_operand(struct ew_cypher_writer *writer, enum ew_draw_type type,
                                                      unsigned depth) {
  enum cypher_operator outer, inner;
  if (!draw_connector(writer, &outer) || !draw_connector(writer, &inner)) return NULL;
  const struct ew_node *first = ew_writer_chance(writer, 60) ? ew_cypher_draw_property(writer, type) : NULL;
  if (!first) first = draw_truth(writer, depth / 3);
  const struct ew_node *second = ew_tree_duplicate(writer->builder, first);
  if (ew_writer_chance(writer, 60)) {
    const struct ew_node *third = ew_tree_duplicate(writer->builder, first);
    second = ew_writer_binary(writer, inner, second, third);
  }
  if (writer->dialect->negation && ew_writer_chance(writer, 20)) second = negate(writer, second);
  return ew_writer_binary(writer, outer, first, second);
}

const struct ew_node *ew_cypher_draw_case(struct ew_cypher_writer *writer, enum ew_draw_type type, unsigned depth) {
  const struct ew_node *whens[2], *subject = NULL, *otherwise = NULL;
  size_t count = 1 + ew_writer_chance(writer, 30);
  enum ew_draw_type tested = EW_DRAW_BOOLEAN;
  if (ew_writer_chance(writer, 35)) {
    tested = ew_writer_chance(writer, 60) ? EW_DRAW_INTEGER : EW_DRAW_STRING;
    subject = ew_cypher_draw_expression(writer, tested, depth - 1);
  }
  for (size_t i = 0; i < count; i++) {
    const struct ew_node *test = ew_cypher_draw_expression(writer, tested, depth - 1);
    const struct ew_node *result = ew_cypher_draw_expression(writer, type, depth - 1);
    whens[i] = CYPHER(writer->builder, when, .test.node = test, .result.node = result);
  }
  if (!ew_writer_chance(writer, NO_ELSE_PERCENT)) otherwise = ew_cypher_draw_expression(writer, type, depth - 1);
  struct ew_list list = ew_list_of(writer->builder, whens, count);
  return CYPHER(writer->builder, case, .subject.node = subject, .whens.list = list, .otherwise.node = otherwise);
}
