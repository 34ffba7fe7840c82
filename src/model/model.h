/* model.h: the reference engine: what a Cypher statement must return and what it must change.

       struct ew_model model;
       ew_model_init(&model);
       const struct ew_plan *plan;
       if (ew_model_prepare(&model, &arena, statement, &error, &plan))
         ew_model_run(&model, plan, &options, &arena, &result);

   A statement is a tree (lang/cypher/node.h); running it never changes the tree. Preparing resolves its names once; a
   plan may be run again and again, on its model only. A statement that fails leaves the graph as it was.

   Transactions nest: ew_graph_begin / _rollback / _commit of `model.graph` (graph.h). Budgets are steps, never
   seconds. */
#ifndef EW_MODEL_MODEL_H
#define EW_MODEL_MODEL_H

#include "contract/outcome.h"
#include "contract/program.h"
#include "lang/cypher/scope.h"
#include "model/graph.h"
#include "model/schema.h"
#include "model/zoo.h"

/* ---- how a statement fails ---- */

enum ew_fault {
  EW_FAULT_NONE,
#define FAULT(name, type, detail) EW_FAULT_##name,
#include "model/fault.def"
#undef FAULT
};

struct ew_model_error {
  enum ew_fault code;   /* EW_FAULT_NONE where all is well; EW_FAULT_LIMIT where a budget was spent */
  bool at_compile_time; /* seen when the statement was prepared */
  char text[200];       /* for people */
};

const char *ew_fault_type(enum ew_fault code);   /* "TypeError" */
const char *ew_fault_detail(enum ew_fault code); /* "InvalidArgumentType" */

/* ---- what is left open ---- */

enum ew_open {
#define OPEN(name, reason) EW_OPEN_##name,
#include "model/open.def"
#undef OPEN
  EW_OPENS
};

const char *ew_open_reason(enum ew_open open);

/* ---- running ---- */

/* Steps are rows made, elements of lists and patterns looked at, functions called. */
struct ew_model_limits {
  uint64_t steps; /* of one statement */
  size_t rows;    /* that one clause may leave */
  size_t bytes;   /* of one string or list, and of one statement's memory by 64 */
};

extern const struct ew_model_limits ew_model_limits_standard;

struct ew_model_options {
  const struct ew_semantics *semantics; /* NULL is openCypher's */
  const struct ew_model_limits *limits; /* NULL is the standard */
  const struct ew_parameter *parameters;
  size_t parameter_count;
  uint64_t permutation; /* not 0: rows that nothing orders come in another order, drawn from it */
  bool portable;        /* no result may depend on the machine: functions of libm are only approximated */
  int64_t now;          /* of date() and the like: nanoseconds since 1970-01-01, UTC */
  /* Where not NULL, told of each clause as it ends: how deep in subqueries it is, and the rows it got and left. */
  void (*watch)(void *watcher, const struct ew_node *clause, unsigned depth, size_t rows_in, size_t rows_out);
  void *watcher;
};

/* A node of the statement whose value, or whose rows, are open. */
struct ew_open_site {
  const struct ew_node *node;
  uint32_t open; /* bits as below */
};

struct ew_plan;
struct ew_ranking;

struct ew_model_result {
  const struct ew_plan *plan; /* that was run */
  struct ew_model_error error;
  struct ew_rows rows; /* elements in it point into the graph: copy (ew_value_copy) what must outlive the next write */
  bool ordered;        /* the last projection has ORDER BY */
  uint32_t open;       /* a bit for each enum ew_open that was met; what is right all the same: admissible.h */
  uint32_t unplaced;   /* those that no node is named for */
  const struct ew_open_site *sites;
  size_t site_count;
  const struct ew_ranking *ranking; /* of the last RETURN where it sorts or cuts, else NULL */
  struct ew_counters counters;
  struct ew_effects effects; /* as the TCK counts them; only where the statement changed something */
};

/* A procedure is a table: CALL gives the rows whose first columns are equal to the arguments. */
struct ew_procedure_field {
  struct ew_span name, type; /* "INTEGER?", "STRING", as the TCK writes them */
};

struct ew_procedure {
  struct ew_span name; /* "test.my.proc" */
  const struct ew_procedure_field *inputs, *outputs;
  size_t input_count, output_count;
  const struct ew_value *rows; /* row by row: inputs, then outputs */
  size_t row_count;
};

struct ew_model {
  struct ew_graph graph;
  struct ew_catalog schema;
  EW_VECTOR(struct ew_procedure) procedures; /* borrowed */
  struct ew_plants plants;                   /* bugs that were asked for (zoo.def); stay over _reset */
  struct ew_planted_state planted;
};

static inline bool ew_planted(const struct ew_model *model, enum ew_plant plant) {
  return ew_plants_have(&model->plants, plant);
}

void ew_model_init(struct ew_model *model);
void ew_model_release(struct ew_model *model);
/* No graph, no schema, no procedures; plans that were prepared stay good. */
void ew_model_reset(struct ew_model *model);
void ew_model_add_procedure(struct ew_model *model, struct ew_procedure procedure);

/* False where the statement means nothing: an unknown function or variable, something the model lacks. The plan lives
   in `arena` and borrows from the tree. */
bool ew_model_prepare(struct ew_model *model, struct ew_arena *arena, const struct ew_node *statement,
                      struct ew_model_error *error, const struct ew_plan **plan);

/* Everything of the result that is not of the graph lives in `arena`. */
void ew_model_run(struct ew_model *model, const struct ew_plan *plan, const struct ew_model_options *options,
                  struct ew_arena *arena, struct ew_model_result *result);

/* The same, and a statement that writes is run under some other orders of rows too: EW_OPEN_WRITE_ORDER is noted
   where the graph or the rows would not be the same. */
void ew_model_run_permuted(struct ew_model *model, const struct ew_plan *plan, const struct ew_model_options *options,
                           struct ew_arena *arena, struct ew_model_result *result);

/* Whether a plant overlooks what the checker found. */
bool ew_model_forgives(const struct ew_model *model, const struct ew_cypher_problem *problem);

/* Prepares and runs. */
void ew_model_execute(struct ew_model *model, const struct ew_node *statement, const struct ew_model_options *options,
                      struct ew_arena *arena, struct ew_model_result *result);

#endif
