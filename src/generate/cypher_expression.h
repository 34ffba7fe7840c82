/* cypher_expression.h: what the files that write expressions share; nobody else includes it. */
#ifndef EW_GENERATE_CYPHER_EXPRESSION_H
#define EW_GENERATE_CYPHER_EXPRESSION_H

#include "generate/cypher_writer.h"

/* A production makes an expression of `type`, whose parts have at most `depth` - 1 levels (`depth` > 0; a leaf takes 0
   too), or gives NULL where it cannot here. */
typedef const struct ew_node *ew_cypher_production(struct ew_cypher_writer *writer, enum ew_draw_type type,
                                                   unsigned depth);

#define PRODUCTION(name, types, weight, feature) ew_cypher_production ew_cypher_draw_##name;
#include "generate/cypher_production.def"
#undef PRODUCTION

static inline const struct ew_node *ew_writer_binary(struct ew_cypher_writer *writer, enum cypher_operator symbol,
                                                     const struct ew_node *left, const struct ew_node *right) {
  return CYPHER(writer->builder, binary, .operator.choice = symbol, .left.node = left, .right.node = right);
}

/* Picks among operators that the profile has. False where it has none of them. */
bool ew_writer_draw_operator(struct ew_cypher_writer *writer, const enum cypher_operator *operators,
                             const unsigned *weights, size_t count, enum cypher_operator *drawn);

/* Whether values of the type can be written here: the profile has it, and what only a variable can be is in scope. */
bool ew_writer_can_write(const struct ew_cypher_writer *writer, enum ew_draw_type type);
/* A type whose values are compared here: that of the construct whose turn it is, or any that is common. */
enum ew_draw_type ew_writer_draw_comparable(struct ew_cypher_writer *writer);
/* A type of elements for a list of ANY: mostly scalars, some lists. */
enum ew_draw_type ew_writer_draw_any(struct ew_cypher_writer *writer);

/* A truth value without depth that says something of the data; NULL where nothing is in scope. */
const struct ew_node *ew_cypher_draw_atom(struct ew_cypher_writer *writer);
/* A property of the type, now and then by a key that is not there. NULL where there is none. */
const struct ew_node *ew_cypher_draw_property(struct ew_cypher_writer *writer, enum ew_draw_type type);
/* A property compared with a constant, most often what some element has there. */
const struct ew_node *ew_cypher_compare_property(struct ew_cypher_writer *writer,
                                                 const struct ew_cypher_lookup *lookup);
/* A constant, or a parameter in its place. */
const struct ew_node *ew_cypher_draw_given(struct ew_cypher_writer *writer, struct ew_value value);
/* Numbers beyond all bounds have no form in which they could be sent; times and points are made by calls. */
bool ew_cypher_can_be_sent(struct ew_value value);

/* cypher_comparison.c: a value that is almost the given one: its neighbour, the same number of the other type, a part of
   the string; and a comparison with its sides changed. */
struct ew_value ew_writer_near(struct ew_cypher_writer *writer, struct ew_value value);
enum cypher_operator ew_cypher_mirrored(enum cypher_operator symbol);
/* The turn of a function has come: a call of it that gives `type`. */
const struct ew_node *ew_cypher_call_function(struct ew_cypher_writer *writer, const struct ew_draw_function *function,
                                              enum ew_draw_type type, unsigned depth);

/* A call of a function with `inner`, of `type`, as its only argument that gives that type again. NULL: there is none. */
const struct ew_node *ew_cypher_wrap(struct ew_cypher_writer *writer, enum ew_draw_type type,
                                     const struct ew_node *inner);

/* cypher_temporal.c: a constant of a temporal type or a point, written as a call; the fields of one as a map; a unit
   that values of the type can be truncated to. */
const struct ew_node *ew_cypher_draw_moment(struct ew_cypher_writer *writer, enum ew_draw_type type);
const struct ew_node *ew_cypher_draw_fields(struct ew_cypher_writer *writer, enum ew_draw_type type);
struct ew_span ew_cypher_draw_unit(struct ew_cypher_writer *writer, enum ew_draw_type type);

/* A variable of an expression's own: of a comprehension, quantifier or reduce. It may have the name of one in scope,
   which is hidden until it is gone. */
struct ew_cypher_local {
  struct ew_span name;
  size_t outside;                   /* variables in scope before */
  size_t hidden;                    /* index of the one that it hides, or SIZE_MAX */
  struct ew_cypher_variable before; /* that one */
};
struct ew_cypher_local ew_writer_enter_local(struct ew_cypher_writer *writer, char letter, enum ew_draw_type type);
void ew_writer_leave_local(struct ew_cypher_writer *writer, const struct ew_cypher_local *local);

#endif
