/* checker.h: what the files of the checker share; nobody else includes it.

   Bindings are a stack; the last of a name counts.

       0 …… floor …… base …… count
            │        │       └ bound by the query that is read now: a projection replaces them
            │        └ of the queries around it, which a subquery sees and keeps
            └ hidden: what a CALL { } does not import

   Nothing stops at the first problem; it is only the one that is kept. */
#ifndef EW_LANG_CYPHER_CHECKER_H
#define EW_LANG_CYPHER_CHECKER_H

#include "base/vector.h"
#include "lang/cypher/scope.h"

/* Whether an aggregate may stand where we are. */
enum ew_cypher_aggregates { EW_AGGREGATES_NO, EW_AGGREGATES_YES, EW_AGGREGATES_INSIDE_ONE };

/* A vector. */
struct ew_cypher_stack {
  struct ew_cypher_binding *items;
  size_t count, capacity;
};

struct ew_cypher_checker {
  struct ew_cypher_stack bindings;
  size_t floor, base;
  size_t importable;              /* from here up to the floor a CALL { } may import with a first WITH */
  struct ew_cypher_stack columns; /* of the projection that was read last in this query */

  bool types; /* whether to judge operands and arguments */
  enum ew_cypher_aggregates aggregates;
  bool patterns;            /* whether a pattern may stand for a value where we are */
  struct ew_list projected; /* items of the projection whose ORDER BY is read, where only these can be used */

  bool failed;
  struct ew_cypher_problem problem;
  bool groups_mix_numbers;
  const struct ew_node *stop;        /* the clause whose scope is asked for, */
  struct ew_arena *arena;            /* where it goes, */
  struct ew_cypher_bindings visible; /* and what it is */
};

void ew_cypher_fail(struct ew_cypher_checker *checker, enum ew_cypher_detail detail, const struct ew_node *node,
                    struct ew_span name);

/* ---- scope.c ---- */

/* NULL where it is not visible. */
const struct ew_cypher_binding *ew_cypher_find(const struct ew_cypher_checker *checker, struct ew_span name);
void ew_cypher_bind(struct ew_cypher_checker *checker, struct ew_span name, struct ew_cypher_type type);
/* The same for a name that must be new. */
void ew_cypher_bind_new(struct ew_cypher_checker *checker, const struct ew_node *node, struct ew_span name,
                        struct ew_cypher_type type);
/* The type of a variable that must be visible; any type where it is not. */
struct ew_cypher_type ew_cypher_use(struct ew_cypher_checker *checker, const struct ew_node *node, struct ew_span name);
/* Whether nothing in `have` is wanted. */
bool ew_cypher_conflict(struct ew_cypher_type have, uint32_t want);

/* ---- check_expression.c ---- */

struct ew_cypher_type ew_cypher_type_of(struct ew_cypher_checker *checker, const struct ew_node *expression);
/* With aggregates and patterns as said. */
struct ew_cypher_type ew_cypher_type_in(struct ew_cypher_checker *checker, const struct ew_node *expression,
                                        enum ew_cypher_aggregates aggregates, bool patterns);
/* A condition: patterns may stand in it, aggregates may not. NULL is none. */
void ew_cypher_check_where(struct ew_cypher_checker *checker, const struct ew_node *where);
/* Each of them, none aggregating. */
void ew_cypher_check_expressions(struct ew_cypher_checker *checker, struct ew_list expressions);
/* Label expressions can have expressions in them. NULL is none. */
void ew_cypher_check_labels(struct ew_cypher_checker *checker, const struct ew_node *labels);

/* ---- check_pattern.c ---- */

enum ew_cypher_pattern_use { EW_PATTERN_MATCH, EW_PATTERN_CREATE, EW_PATTERN_MERGE, EW_PATTERN_PREDICATE };

/* Binds what is new in the patterns, then judges what is written in them. A predicate may bind nothing. */
void ew_cypher_check_patterns(struct ew_cypher_checker *checker, struct ew_list paths, enum ew_cypher_pattern_use use);
void ew_cypher_check_pattern(struct ew_cypher_checker *checker, const struct ew_node *path,
                             enum ew_cypher_pattern_use use);

/* ---- check_projection.c ---- */

/* Of WITH (`with` true) or RETURN: afterwards only what it projects is bound, and `columns` are those. */
void ew_cypher_check_projection(struct ew_cypher_checker *checker, const struct ew_node *projection, bool with,
                                const struct ew_node *where);

/* ---- check.c ---- */

/* How a query must end. */
enum ew_cypher_ending {
  EW_ENDING_STATEMENT, /* in RETURN, FINISH or a write */
  EW_ENDING_CALL,      /* the same, in CALL { } */
  EW_ENDING_ANY,       /* in EXISTS { } and COUNT { } */
  EW_ENDING_RETURN,    /* in COLLECT { } */
};

void ew_cypher_check_query(struct ew_cypher_checker *checker, const struct ew_node *query,
                           enum ew_cypher_ending ending);
/* A subquery in an expression: it sees all that we see. */
void ew_cypher_check_subquery(struct ew_cypher_checker *checker, const struct ew_node *query,
                              enum ew_cypher_ending ending);

#endif
