/* cypher_arithmetic.c: numbers, strings and moments of time from one or two others. */
#include "generate/cypher_expression.h"

enum { TAME_PERCENT = 85, TAME_OTHER_PERCENT = 30, FAILING_PERCENT = 5 /* of tame operands: 0, or huge */ };

/* A divisor is seldom 0 and a factor seldom huge, so that few queries fail on a row. Powers of two are what engines
   treat apart. */
static const struct ew_node *draw_tame(struct ew_cypher_writer *writer, enum ew_draw_type type) {
  static const double floats[] = {0.5, 1.0, 2.0, -1.0, 1.5, 4.0};
  static const int64_t integers[] = {1, 2, 2, 3, 4, 4, 8, 16, 5, 10, -1, -2, -3};
  static const int64_t failing[] = {0, 0, INT64_MAX, INT64_MIN};
  if (ew_writer_chance(writer, FAILING_PERCENT)) {
    int64_t integer = EW_RANDOM_PICK(writer->random, failing);
    return ew_writer_constant(writer, type == EW_DRAW_FLOAT ? ew_float((double)integer) : ew_integer(integer));
  }
  if (type == EW_DRAW_FLOAT) return ew_writer_constant(writer, ew_float(EW_RANDOM_PICK(writer->random, floats)));
  return ew_writer_integer(writer, EW_RANDOM_PICK(writer->random, integers));
}

const struct ew_node *ew_cypher_draw_arithmetic(struct ew_cypher_writer *writer, enum ew_draw_type type,
                                                unsigned depth) {
  static const enum cypher_operator operators[] = {CYPHER_ADD,    CYPHER_SUBTRACT, CYPHER_MULTIPLY,
                                                   CYPHER_DIVIDE, CYPHER_MODULO,   CYPHER_POWER};
  static const unsigned integer_weights[] = {30, 22, 18, 12, 16, 0};
  static const unsigned float_weights[] = {28, 22, 18, 14, 8, 10};
  enum cypher_operator symbol;
  bool whole = type == EW_DRAW_INTEGER;
  if (!ew_writer_draw_operator(writer, operators, whole ? integer_weights : float_weights, EW_COUNT(operators),
                               &symbol))
    return NULL;
  enum ew_draw_type other = !whole && ew_writer_chance(writer, 35) ? EW_DRAW_INTEGER : type;
  bool tame = symbol == CYPHER_DIVIDE || symbol == CYPHER_MODULO || symbol == CYPHER_POWER;
  const struct ew_node *left = ew_cypher_draw_expression(writer, type, depth - 1);
  const struct ew_node *right = ew_writer_chance(writer, tame ? TAME_PERCENT : TAME_OTHER_PERCENT)
                                    ? draw_tame(writer, other)
                                    : ew_cypher_draw_expression(writer, other, depth - 1);
  return ew_writer_binary(writer, symbol, left, right);
}

const struct ew_node *ew_cypher_draw_negative(struct ew_cypher_writer *writer, enum ew_draw_type type, unsigned depth) {
  if (!writer->dialect->minus) return NULL;
  const struct ew_node *operand = ew_cypher_draw_expression(writer, type, depth - 1);
  bool plus = writer->dialect->operators[CYPHER_ADD] && ew_writer_chance(writer, 15);
  return CYPHER(writer->builder, unary, .operator.choice = plus ? CYPHER_PLUS : CYPHER_NEGATE, .operand.node = operand);
}

/* 'a' + s, s || 'a', 'a' + 1 */
const struct ew_node *ew_cypher_draw_joined(struct ew_cypher_writer *writer, enum ew_draw_type type, unsigned depth) {
  static const enum cypher_operator operators[] = {CYPHER_ADD, CYPHER_CONCATENATE};
  static const unsigned weights[] = {70, 30};
  enum cypher_operator symbol;
  if (!ew_writer_draw_operator(writer, operators, weights, EW_COUNT(operators), &symbol)) return NULL;
  const struct ew_node *left = ew_cypher_draw_expression(writer, type, depth - 1);
  enum ew_draw_type other = symbol == CYPHER_ADD && ew_writer_chance(writer, 12) ? EW_DRAW_INTEGER : type;
  const struct ew_node *right = ew_cypher_draw_expression(writer, other, depth - 1);
  return ew_writer_binary(writer, symbol, left, right);
}

/* A moment and a duration, or a duration and a number. */
const struct ew_node *ew_cypher_draw_shifted(struct ew_cypher_writer *writer, enum ew_draw_type type, unsigned depth) {
  static const enum cypher_operator sums[] = {CYPHER_ADD, CYPHER_SUBTRACT};
  static const enum cypher_operator factors[] = {CYPHER_MULTIPLY, CYPHER_DIVIDE};
  static const unsigned weights[] = {60, 40};
  enum cypher_operator symbol;
  if (!(writer->dialect->types & EW_DRAW_BIT(EW_DRAW_DURATION)) || type == EW_DRAW_POINT) return NULL;
  bool scaled = type == EW_DRAW_DURATION && ew_writer_chance(writer, 40);
  if (!ew_writer_draw_operator(writer, scaled ? factors : sums, weights, EW_COUNT(weights), &symbol)) return NULL;
  const struct ew_node *left = ew_cypher_draw_expression(writer, type, depth - 1);
  const struct ew_node *right = scaled
                                    ? draw_tame(writer, ew_writer_chance(writer, 60) ? EW_DRAW_INTEGER : EW_DRAW_FLOAT)
                                    : ew_cypher_draw_expression(writer, EW_DRAW_DURATION, depth - 1);
  return ew_writer_binary(writer, symbol, left, right);
}
