/* code.h: what a statement becomes before it runs, and the compiler that makes it. For this room only.

   Every construct lives in one file: a function that compiles it, and static ones that run it. An expression becomes a
   struct ew_code with the function that evaluates it; a clause becomes a struct ew_step that turns a table of rows into
   another; names become slots. A row is an array of slots:

       0 … base              variables of the queries around this one, where it may see them or not
       base … next           variables that are visible here, and unnamed elements of patterns
       next … width          variables of comprehensions, while they run

   A projection puts its columns at base and forgets the rest. */
#ifndef EW_MODEL_CODE_H
#define EW_MODEL_CODE_H

#include "model/function.h"
#include "model/run.h"

/* ---- expressions ---- */

struct ew_code;
struct ew_pattern; /* pattern.h */
struct ew_query;

typedef struct ew_value (*ew_evaluator)(struct ew_execution *run, const struct ew_code *code);

struct ew_code {
  ew_evaluator evaluate;
  const struct ew_node *node; /* what it was compiled from */
  const struct ew_code *const *operands;
  size_t count;
  uint32_t slot;   /* that it reads, or where its variable goes */
  uint32_t choice; /* operator, quantifier, flag: as in the node */
  union {
    struct ew_value constant;
    struct ew_span name; /* interned */
    const struct ew_function *function;
    const struct ew_pattern *pattern;
    const struct ew_query *query;
    const struct ew_labels *labels;
    const void *detail;
  };
};

static inline struct ew_value ew_evaluate(struct ew_execution *run, const struct ew_code *code) {
  return code->evaluate(run, code);
}
/* A boolean or null as a truth value; anything else fails with a TypeError. */
enum ew_truth ew_truth_of(struct ew_execution *run, struct ew_value value);
static inline enum ew_truth ew_evaluate_truth(struct ew_execution *run, const struct ew_code *code) {
  return ew_truth_of(run, code->evaluate(run, code));
}
/* a OPERATOR b of the comparisons. */
enum ew_truth ew_comparison_holds(struct ew_execution *run, enum cypher_operator operator, struct ew_value a,
                                  struct ew_value b);
static inline struct ew_value ew_truth_value(enum ew_truth truth) {
  return truth == EW_UNKNOWN ? ew_null() : ew_boolean(truth == EW_TRUE);
}

/* A label or type expression (labels.c). */
struct ew_labels {
  unsigned kind;       /* of the node: CYPHER_label, CYPHER_label_and … */
  struct ew_span name; /* interned */
  const struct ew_labels *const *parts;
  size_t count;
  const struct ew_code *expression; /* of label_dynamic */
  bool any;
};

bool ew_labels_hold_node(struct ew_execution *run, const struct ew_labels *labels, const struct ew_node_record *node);
bool ew_labels_hold_type(struct ew_execution *run, const struct ew_labels *labels, struct ew_span type);

/* ---- clauses and queries ---- */

struct ew_table {
  struct ew_value *values; /* row by row */
  size_t count, capacity;  /* in rows */
  uint32_t width;
  bool ordered; /* the order of its rows is the only right one */
};

struct ew_step;
typedef void (*ew_step_runner)(struct ew_execution *run, const struct ew_step *step, const struct ew_table *in,
                               struct ew_table *out);

struct ew_step {
  ew_step_runner run;
  const struct ew_node *node;
  uint32_t width_in, width_out;
  const void *detail; /* the clause's own struct */
  bool sorts;         /* with ORDER BY: its rows have an order, if not always just one */
};

/* One branch of a query: a list of steps; a query is branches. */
struct ew_branch {
  const struct ew_step *const *steps;
  size_t count;
  const struct ew_query *inner; /* a plant: a union within the union; else NULL */
  const uint32_t *order;        /* where the first branch's columns are among this one's */
};

struct ew_query {
  const struct ew_branch *branches;
  size_t count;
  bool all;     /* UNION ALL */
  bool returns; /* its rows are base and then its columns; else it only writes, and its rows mean nothing */
  bool ordered; /* ends with ORDER BY */
  struct ew_names columns;
  uint32_t base;
};

struct ew_plan {
  const struct ew_query *query;
  const struct ew_node *statement;
  const struct ew_node *command; /* on the schema, or NULL */
  uint32_t width;                /* the most slots that a row needs */
  bool writes;                   /* it may change the graph */
  uint64_t hash;                 /* of the statement, where there are plants */
  struct ew_names parameters;
};

/* Rows that start as copies of `run->slots`. */
void ew_table_init(struct ew_table *table, uint32_t width);
/* A new row, not filled; NULL (and failed) where there are too many. */
struct ew_value *ew_table_add(struct ew_execution *run, struct ew_table *table);
static inline const struct ew_value *ew_table_row(const struct ew_table *table, size_t row) {
  return table->values + row * table->width;
}
/* Appends the row at hand, as wide as the table is. */
void ew_table_add_slots(struct ew_execution *run, struct ew_table *table);
/* Makes row number `row` the one at hand. */
static inline void ew_table_load(struct ew_execution *run, const struct ew_table *table, size_t row) {
  if (table->width) memcpy(run->slots, ew_table_row(table, row), table->width * sizeof *run->slots);
}

/* Runs steps one after the other; `out` may be `in`. */
void ew_run_steps(struct ew_execution *run, const struct ew_step *const *steps, size_t count, const struct ew_table *in,
                  struct ew_table *out);
/* Runs a query on the first `base` slots of the row at hand, in a frame of its own. */
void ew_run_query(struct ew_execution *run, const struct ew_query *query, struct ew_table *out);
/* A frame for a query within: `run->slots` is another array with the same first `base` slots. Give the result to
   _leave. */
struct ew_value *ew_run_enter(struct ew_execution *run, uint32_t base);
void ew_run_leave(struct ew_execution *run, struct ew_value *slots);

/* ---- the compiler ---- */

struct ew_binding {
  struct ew_span name;
  uint32_t slot;
};

/* A tree that stands for a slot: what was projected already may be named by its expression in ORDER BY. */
struct ew_substitute {
  const struct ew_node *tree;
  uint32_t slot;
};

/* Vectors with a name, so that they can be put aside and back. */
struct ew_bindings {
  struct ew_binding *items;
  size_t count, capacity;
};

struct ew_substitutes {
  struct ew_substitute *items;
  size_t count, capacity;
};

struct ew_aggregates; /* aggregate.h */

struct ew_compiler {
  struct ew_model *model;
  struct ew_arena *arena;
  struct ew_bindings visible; /* later ones hide earlier ones of the same name */
  struct ew_substitutes substitutes;
  size_t outer; /* of the visible ones: those of the queries around this one */
  uint32_t base, next, width;
  unsigned depth;
  EW_VECTOR(struct ew_span) parameters; /* that the statement uses */
  bool standalone;                      /* the clause at hand is the whole statement */
  struct ew_aggregates *aggregates;     /* where aggregates of this projection are kept; NULL where none may stand */
  struct ew_list clauses;               /* of the query at hand */
  size_t clause;                        /* which of them is being compiled */
  const struct cypher_projection *undistinguished; /* a plant: its DISTINCT is not seen */
  bool failed;
  struct ew_model_error error;
};

/* Fails the compilation; the first error stays. */
void ew_compile_fail(struct ew_compiler *compiler, enum ew_fault code, const char *format, ...) EW_FORMAT(3, 4);

/* The slot of a visible variable; false where there is none of that name. */
bool ew_compile_find(const struct ew_compiler *compiler, struct ew_span name, uint32_t *slot);
/* A new slot, visible under `name` unless that is empty. */
uint32_t ew_compile_bind(struct ew_compiler *compiler, struct ew_span name);
static inline struct ew_span ew_compile_name(struct ew_compiler *compiler, struct ew_span name) {
  return ew_graph_name(&compiler->model->graph, name);
}

/* What is bound behind a mark is forgotten at its end, and its slots are free again. */
struct ew_scope_mark {
  size_t visible;
  uint32_t next;
  struct ew_substitutes substitutes;
};
static inline struct ew_scope_mark ew_compile_open(struct ew_compiler *compiler) {
  struct ew_scope_mark mark = {compiler->visible.count, compiler->next, compiler->substitutes};
  compiler->substitutes = (struct ew_substitutes){0}; /* their names may mean something else in here */
  return mark;
}
static inline void ew_compile_close(struct ew_compiler *compiler, struct ew_scope_mark mark) {
  compiler->visible.count = mark.visible;
  compiler->next = mark.next;
  compiler->substitutes = mark.substitutes;
}

/* Never NULL: after a failure it is a constant. `node` may be NULL: then NULL. */
const struct ew_code *ew_compile_expression(struct ew_compiler *compiler, const struct ew_node *node);
/* `count` operands from a LIST field. */
const struct ew_code *const *ew_compile_list(struct ew_compiler *compiler, struct ew_list list);
/* A code with these operands; the caller sets the rest. */
struct ew_code *ew_code_new(struct ew_compiler *compiler, ew_evaluator evaluate, const struct ew_node *node,
                            const struct ew_code *const *operands, size_t count);
const struct ew_code *ew_code_slot(struct ew_compiler *compiler, const struct ew_node *node, uint32_t slot);
const struct ew_code *ew_code_constant(struct ew_compiler *compiler, const struct ew_node *node, struct ew_value value);
bool ew_code_is_constant(const struct ew_code *code);
const struct ew_labels *ew_compile_labels(struct ew_compiler *compiler, const struct ew_node *node);

struct ew_step *ew_step_new(struct ew_compiler *compiler, ew_step_runner run, const struct ew_node *node,
                            const void *detail);
const struct ew_step *ew_compile_clause(struct ew_compiler *compiler, const struct ew_node *node);

/* What a query within another sees of its variables. */
enum ew_sight {
  EW_SEES_ALL,   /* all of them, in every clause */
  EW_SEES_FIRST, /* in a WITH that begins it: what that WITH imports */
};

/* The slots in use are kept in front of every row. Binds nothing in the caller's scope. */
const struct ew_query *ew_compile_query(struct ew_compiler *compiler, const struct ew_node *node, enum ew_sight sight);

const struct ew_code *ew_compile_simple(struct ew_compiler *compiler, const struct ew_node *node); /* expression.c */

/* One per construct that has a file of its own; each gets a node of the kind it is named after. */
const struct ew_code *ew_compile_operator(struct ew_compiler *compiler, const struct ew_node *node); /* operators.c */
const struct ew_code *ew_compile_collection(struct ew_compiler *compiler,
                                            const struct ew_node *node); /* collection.c */
const struct ew_code *ew_compile_inner_query(struct ew_compiler *compiler, const struct ew_node *node); /* subquery.c */
const struct ew_code *ew_compile_inner_pattern(struct ew_compiler *compiler,
                                               const struct ew_node *node);                           /* subquery.c */
const struct ew_code *ew_compile_aggregate(struct ew_compiler *compiler, const struct ew_node *node); /* aggregate.c */
const struct ew_code *ew_compile_type_test(struct ew_compiler *compiler, const struct ew_node *node); /* type.c */

const struct ew_step *ew_compile_match(struct ew_compiler *compiler, const struct ew_node *node);
const struct ew_step *ew_compile_projection(struct ew_compiler *compiler, const struct ew_node *node);
const struct ew_step *ew_compile_unwind(struct ew_compiler *compiler, const struct ew_node *node);
const struct ew_step *ew_compile_create(struct ew_compiler *compiler, const struct ew_node *node);
const struct ew_step *ew_compile_merge(struct ew_compiler *compiler, const struct ew_node *node);
const struct ew_step *ew_compile_changes(struct ew_compiler *compiler, const struct ew_node *node); /* SET and REMOVE */
const struct ew_step *ew_compile_delete(struct ew_compiler *compiler, const struct ew_node *node);
const struct ew_step *ew_compile_foreach(struct ew_compiler *compiler, const struct ew_node *node);
const struct ew_step *ew_compile_call_subquery(struct ew_compiler *compiler, const struct ew_node *node);
const struct ew_step *ew_compile_pass(struct ew_compiler *compiler, const struct ew_node *node); /* rows as they are */
const struct ew_step *ew_compile_call_procedure(struct ew_compiler *compiler, const struct ew_node *node);

#endif
