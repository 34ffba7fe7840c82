/* cypher_writer.h: what all Cypher generators share: where nodes are made, what may be written, and what is in scope.

   A variable knows its type and its witness: what it is in one row that all the witnesses in scope were taken from.
   In the exact state (generate.h) that is a row of the model, and the witness any value; else it comes from a walk over
   the scene's graph and is a node or a relationship. Constants taken from witnesses make predicates that hit.

   Draws never happen inside an initialiser or an argument list with another draw: their order would be the
   compiler's. */
#ifndef EW_GENERATE_CYPHER_WRITER_H
#define EW_GENERATE_CYPHER_WRITER_H

#include "base/random.h"
#include "generate/cypher_turn.h"
#include "generate/cypher_world.h"

enum { EW_CYPHER_SCOPE_MAX = 64, EW_CYPHER_PARAMETERS_MAX = 8, EW_CYPHER_STALE_MAX = 4 };

struct ew_cypher_exact;

struct ew_cypher_variable {
  struct ew_span name;
  enum ew_draw_type type;
  uint32_t candidates;     /* bits of labels (of types) that it has, by index in the writer's schema; 0 is unknown */
  bool known;              /* it has a witness */
  bool pattern;            /* relationships bound by MATCH that no projection has mentioned yet */
  bool nullable;           /* may be null in some row */
  struct ew_value witness; /* what it is in the row that all variables in scope were taken from */
};

struct ew_cypher_writer {
  struct ew_builder *builder;
  struct ew_random *random;
  const struct ew_profile *profile;
  const struct ew_cypher_dialect *dialect;
  const struct ew_generate_options *options;
  struct ew_cypher_world *world;
  enum ew_purpose purpose;
  uint64_t number, key; /* of struct ew_draw */
  /* Labels, types and keys there may be here: the scene's, and what the clauses so far have made. */
  struct ew_schema schema;
  struct ew_cypher_variable variables[EW_CYPHER_SCOPE_MAX];
  size_t count;
  /* Names of elements that were deleted: no expression offers them, a stated share of clauses uses them all the same. */
  struct ew_span stale[EW_CYPHER_STALE_MAX];
  size_t stale_count;
  unsigned next_name;
  struct ew_cypher_exact *exact; /* cypher_exact.h; NULL where the state is not tracked exactly */
  int budget;                    /* expression nodes that may still be written before only leaves are */
  bool predicate;                /* inside WHERE, where a pattern may stand for a truth value */
  bool ill_typed;                /* some expression is still to be of the wrong type, on purpose */
  int turn;                      /* in the dialect's turns: what must still be written, or EW_NO_TURN */
  /* What the statement is sent with; its arguments are made of them. */
  struct ew_parameter parameters[EW_CYPHER_PARAMETERS_MAX];
  size_t parameter_count;
  bool may_parameter; /* a parameter may stand here */
};

void ew_cypher_writer_init(struct ew_cypher_writer *writer, struct ew_cypher_world *world, const struct ew_draw *draw);

static inline bool ew_writer_has(const struct ew_cypher_writer *writer, enum ew_cypher_feature feature) {
  return writer->dialect->has[feature];
}
/* Whether the answer may be left open. */
static inline bool ew_writer_is_free(const struct ew_cypher_writer *writer) {
  return writer->purpose == EW_PURPOSE_ANY || writer->purpose == EW_PURPOSE_READ;
}
static inline bool ew_writer_chance(struct ew_cypher_writer *writer, unsigned percent) {
  return ew_random_chance(writer->random, percent);
}
static inline uint32_t ew_writer_below(struct ew_cypher_writer *writer, size_t bound) {
  return ew_random_below(writer->random, (uint32_t)bound);
}

/* ---- scope ---- */

/* A label, type or key of the schema; one that nothing has where the summary is not to be used (cypher_summary.c). */
struct ew_span ew_writer_draw_label(struct ew_cypher_writer *writer);
struct ew_span ew_writer_draw_type(struct ew_cypher_writer *writer);
/* Puts what a writing clause makes into the writer's schema, where it is not yet there. */
void ew_writer_note_label(struct ew_cypher_writer *writer, struct ew_span name);
void ew_writer_note_type(struct ew_cypher_writer *writer, struct ew_span name);
void ew_writer_note_key(struct ew_cypher_writer *writer, bool node, struct ew_span element,
                        struct ew_schema_property property);
/* A key that the schema does not have, for values of that type. */
struct ew_schema_property ew_writer_fresh_key(struct ew_cypher_writer *writer, struct ew_property_type type);

/* A name of a letter and a number. */
struct ew_span ew_cypher_numbered_name(struct ew_arena *arena, char letter, unsigned number);
/* One that nothing in this query has yet. */
struct ew_span ew_writer_fresh_name(struct ew_cypher_writer *writer, char letter);
/* Brings a variable into scope; when the scope is full the oldest stays and this one is not offered to expressions. */
void ew_writer_bind(struct ew_cypher_writer *writer, struct ew_cypher_variable variable);
/* A scope put aside, so that a smaller one can be used: what is bound in that takes the places of its variables. */
struct ew_cypher_aside {
  struct ew_cypher_variable variables[EW_CYPHER_SCOPE_MAX];
  size_t count;
};
void ew_writer_put_aside(struct ew_cypher_writer *writer, struct ew_cypher_aside *aside);
void ew_writer_take_back(struct ew_cypher_writer *writer, const struct ew_cypher_aside *aside);
/* A random variable of the type; NULL where there is none. */
const struct ew_cypher_variable *ew_writer_pick_variable(struct ew_cypher_writer *writer, enum ew_draw_type type);
bool ew_writer_can_name(const struct ew_cypher_writer *writer, enum ew_draw_type type);
const struct ew_cypher_variable *ew_writer_find_variable(const struct ew_cypher_variable *variables, size_t count,
                                                         struct ew_span name);

/* ---- leaves ---- */

const struct ew_node *ew_writer_name(struct ew_cypher_writer *writer, struct ew_span name);
const struct ew_node *ew_writer_integer(struct ew_cypher_writer *writer, int64_t integer);
const struct ew_node *ew_writer_null(struct ew_cypher_writer *writer);
const struct ew_node *ew_writer_property(struct ew_cypher_writer *writer, struct ew_span variable, struct ew_span key);

/* A value that outlives the row and the graph it was found in: in the exact state both are taken back. */
static inline struct ew_value ew_writer_keep(struct ew_cypher_writer *writer, struct ew_value value) {
  return writer->options->state == EW_TRACK_EXACT ? ew_value_copy(writer->builder->arena, value) : value;
}
/* A value as an expression that outlives the row it was found in. */
const struct ew_node *ew_writer_constant(struct ew_cypher_writer *writer, struct ew_value value);
/* A new parameter of the statement; NULL where it may not stand here or there are enough. The value must outlive the
   statement. */
const struct ew_node *ew_writer_parameter(struct ew_cypher_writer *writer, struct ew_value value);
/* The arguments of a statement: the parameters so far that its body has. What was drawn may have been left out. */
struct ew_list ew_writer_arguments(struct ew_cypher_writer *writer, const struct ew_node *body);

/* A constant, often one that occurs in the data. Types that have none give null. */
const struct ew_node *ew_cypher_draw_constant(struct ew_cypher_writer *writer, enum ew_draw_type type);

/* A property of a variable in scope. */
struct ew_cypher_lookup {
  const struct ew_cypher_variable *variable;
  const struct ew_schema_property *property;
};
/* One of the given type, or of any type with EW_DRAW_ANY. False where there is none. */
bool ew_cypher_draw_lookup(struct ew_cypher_writer *writer, enum ew_draw_type type, struct ew_cypher_lookup *lookup);
/* What the property is at the variable's witness, or at another element that has it; NULL where nowhere. Good until the
   next clause is written. */
const struct ew_value *ew_writer_witness_value(struct ew_cypher_writer *writer, const struct ew_cypher_lookup *lookup);
const struct ew_value *ew_writer_other_value(struct ew_cypher_writer *writer, struct ew_span key);

enum ew_draw_type ew_writer_type_of(struct ew_property_type type);

/* ---- expressions (cypher_expression.c) ---- */

/* An expression of `type` of at most `depth` levels, over the variables in scope. Deeper than leaves only while the
   budget lasts. Types that cannot be made here (a node without any in scope) give null. */
const struct ew_node *ew_cypher_draw_expression(struct ew_cypher_writer *writer, enum ew_draw_type type,
                                                unsigned depth);
/* The same for a truth value in WHERE, where patterns are allowed too. */
const struct ew_node *ew_cypher_draw_predicate(struct ew_cypher_writer *writer, unsigned depth);

/* cypher_collection.c: a list of the type, written out; `depth` > 0. NULL where its elements cannot be written. */
const struct ew_node *ew_cypher_draw_list(struct ew_cypher_writer *writer, enum ew_draw_type type, unsigned depth);

/* cypher_call.c */
/* A call that gives the type; `depth` > 0. NULL where the profile has no function for that, or none fits here. */
const struct ew_node *ew_cypher_draw_call(struct ew_cypher_writer *writer, enum ew_draw_type type, unsigned depth);
/* What the profile has to get a value of that type from a path: length(p), nodes(p), relationships(p). NULL: nothing.
   */
const struct ew_node *ew_cypher_of_path(struct ew_cypher_writer *writer, struct ew_span path, enum ew_draw_type type);
/* An aggregate for a projection, and its type. `determined`: its value must not depend on the order of rows. NULL
   where the profile has none. */
const struct ew_node *ew_cypher_draw_aggregate(struct ew_cypher_writer *writer, unsigned depth, bool determined,
                                               enum ew_draw_type *type);

/* ---- patterns (cypher_pattern.c) ---- */

/* The patterns of a MATCH, or a `single` one; new variables come into scope. Drawn mostly along real elements, so that
   they match. */
struct ew_list ew_cypher_draw_patterns(struct ew_cypher_writer *writer, bool optional, bool single);
/* A path of at least one hop, and at most `most`, from a node in scope. It binds new variables only with `names`. NULL
   where there is none. */
const struct ew_node *ew_cypher_draw_anchored_path(struct ew_cypher_writer *writer, bool names, size_t most);
/* shortestPath((a)-[*..3]-(b)) between two nodes in scope, with or without a name. NULL where there are not two. */
const struct ew_node *ew_cypher_draw_shortest_path(struct ew_cypher_writer *writer, bool named);

/* ---- scope of a finished query (cypher_scope.c) ---- */

/* Fills the writer's scope with the variables that reach the last projection of `statement`. False where its shape is
   unknown. */
bool ew_writer_rebuild_scope(struct ew_cypher_writer *writer, const struct ew_node *statement);

/* A whole statement (cypher_query.c); NULL where none can be drawn. `writing`: it may change the graph, where its purpose
   lets it. In the exact state its effects stay in the world; whoever draws a case takes them back. */
const struct ew_node *ew_cypher_draw_statement(struct ew_cypher_writer *writer, enum ew_style style, bool writing);
/* Several statements that change the state and look at it (cypher_script.c), as a script. */
const struct ew_node *ew_cypher_draw_script(struct ew_cypher_writer *writer);
/* Statements that change a scene's data before its cases. */
struct ew_list ew_cypher_draw_mutations(struct ew_cypher_writer *writer);

#endif
