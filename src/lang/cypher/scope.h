/* scope.h: what is known of a query before it runs: which names are visible where, what they may hold, what is wrong.

   It follows openCypher's rules for static errors and names them as its TCK does. Types are sets of kinds: a value may
   be any of them, or null. A set without anything in common with what is wanted is an error; anything less is left to
   run time. */
#ifndef EW_LANG_CYPHER_SCOPE_H
#define EW_LANG_CYPHER_SCOPE_H

#include "lang/cypher/node.h"

enum {
  EW_TYPE_NODE = 1 << 0,
  EW_TYPE_RELATIONSHIP = 1 << 1,
  EW_TYPE_PATH = 1 << 2,
  EW_TYPE_LIST = 1 << 3,
  EW_TYPE_MAP = 1 << 4,
  EW_TYPE_BOOLEAN = 1 << 5,
  EW_TYPE_INTEGER = 1 << 6,
  EW_TYPE_FLOAT = 1 << 7,
  EW_TYPE_STRING = 1 << 8,
  EW_TYPE_TEMPORAL = 1 << 9, /* any instant */
  EW_TYPE_DURATION = 1 << 10,
  EW_TYPE_POINT = 1 << 11,
  EW_TYPE_NULL = 1 << 12, /* nothing but null: fits everywhere */
  EW_TYPE_NUMBER = EW_TYPE_INTEGER | EW_TYPE_FLOAT,
  EW_TYPE_ANY = (1 << 12) - 1,
};

/* What a value may be, and if a list, its elements. */
struct ew_cypher_type {
  uint32_t set, elements;
};

struct ew_cypher_binding {
  struct ew_span name;
  struct ew_cypher_type type;
};

struct ew_cypher_bindings {
  const struct ew_cypher_binding *items;
  size_t count;
};

enum ew_cypher_detail {
#define PROBLEM(name, meaning) EW_CYPHER_##name,
#define PROBLEM_AS(name, type, detail, meaning) EW_CYPHER_##name,
#include "lang/cypher/problems.def"
#undef PROBLEM
#undef PROBLEM_AS
};

struct ew_cypher_problem {
  enum ew_cypher_detail detail;
  const struct ew_node *node; /* where */
  struct ew_span name;        /* of the variable or column it is about, or empty */
};

const char *ew_cypher_detail_type(enum ew_cypher_detail detail);    /* "SyntaxError" */
const char *ew_cypher_detail_name(enum ew_cypher_detail detail);    /* "UndefinedVariable" */
const char *ew_cypher_detail_meaning(enum ew_cypher_detail detail); /* "a variable is used that is not bound here" */

/* Whether a statement is free of static errors; `*problem` (which may be NULL) gets the first one found. */
bool ew_cypher_analyze(const struct ew_node *statement, struct ew_cypher_problem *problem);
/* The same without the types of operands and arguments: an ill-typed expression is still a query worth asking. */
bool ew_cypher_analyze_names(const struct ew_node *statement, struct ew_cypher_problem *problem);

/* The variables that a statement's `clause` (one of its query, or of a query within it) can see, in the order in which
   they were bound. None where there is no such clause. */
struct ew_cypher_bindings ew_cypher_visible(struct ew_arena *arena, const struct ew_node *statement,
                                            const struct ew_node *clause);

/* Whether some DISTINCT or grouping may meet both 1 and 1.0, so that the one that comes back is open. */
bool ew_cypher_groups_mix_numbers(const struct ew_node *statement);

/* ---- functions (functions.def) ---- */

enum {
  EW_FUNCTION_AGGREGATE = 1,
  EW_FUNCTION_OPEN = 2,
  EW_FUNCTION_CLOCK = 4,
  EW_FUNCTION_ORDER = 8,
  EW_FUNCTION_FAILS = 16,
};

struct ew_cypher_function {
  const char *name;
  unsigned least, most, traits;
  uint32_t result, first;
};

/* The order of functions.def: bytewise, with `name` in small letters. */
int ew_cypher_function_compare(struct ew_span name, const char *known);
/* In any case; NULL for one that we do not know. */
const struct ew_cypher_function *ew_cypher_function_find(struct ew_span name);

/* Whether the node itself is an aggregate: count(*), sum(…) … */
bool ew_cypher_is_aggregate(const struct ew_node *node);
/* Whether it has one in it, not counting those of subqueries. */
bool ew_cypher_has_aggregate(const struct ew_node *node);

#endif
