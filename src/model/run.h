/* run.h: the state of one run: the row at hand, budgets, the first error, what was open. For this room only.

   Evaluating never returns a status: whoever fails calls ew_run_fail and returns null; loops look at `run->failed`.
   The first failure stays. Everything made while running lives in `run->arena`. */
#ifndef EW_MODEL_RUN_H
#define EW_MODEL_RUN_H

#include "model/model.h"
#include "model/sort.h"

enum {
  EW_RUN_DEPTH_MAX = 200, /* queries within queries, at run time */
  EW_HOPS_MAX = 2000,     /* steps into paths of variable length, in all searches that are under way together */
};

/* How rows were sorted and cut, by the last RETURN of the statement: what admissible.c looks at. */
struct ew_ranking {
  const struct ew_value *values; /* rows before they were cut */
  size_t width, column, column_count;
  size_t row_count, start, end; /* places from start to end were left */
  struct ew_sorting sorting;
};

enum { EW_SITES = 32 };

struct ew_execution {
  struct ew_model *model;
  struct ew_graph *graph;
  struct ew_arena *arena; /* of the run */
  const struct ew_semantics *semantics;
  const struct ew_model_options *options;
  struct ew_value *slots; /* the row at hand; see code.h */
  uint32_t width;         /* slots in a frame */
  uint64_t steps_left, bytes_left;
  size_t rows_max, bytes_max;
  bool failed;
  struct ew_model_error error;
  uint32_t open, unplaced; /* bits of enum ew_open: all; those that no node was named for */
  struct ew_open_site sites[EW_SITES];
  size_t site_count;
  struct ew_ranking ranking; /* without values: the last RETURN did not sort or cut */
  struct ew_counters counters;
  unsigned depth, hops;
  bool portable;      /* libm is not called: portable.h */
  uint64_t chance;    /* state of rand() */
  uint64_t statement; /* its hash, where there are plants */
  bool row_lost;      /* a plant: the row at hand of an OPTIONAL MATCH is lost */
};

/* A run that has done nothing yet, with all its budgets. */
void ew_execution_init(struct ew_execution *run, struct ew_model *model, const struct ew_model_options *options,
                       struct ew_arena *arena);

/* Fails the run; the first error stays. Returns null, so that an evaluator can end with it. */
struct ew_value ew_run_fail(struct ew_execution *run, enum ew_fault code, const char *format, ...) EW_FORMAT(3, 4);

/* Spends steps; false (and failed) where none are left. Spend one for each element of a list that is walked or made. */
static inline bool ew_run_spend(struct ew_execution *run, uint64_t steps) {
  if (run->steps_left >= steps) {
    run->steps_left -= steps;
    return !run->failed;
  }
  run->steps_left = 0;
  ew_run_fail(run, EW_FAULT_LIMIT, "the statement takes more steps than it may");
  return false;
}

/* One step deeper into a path; false (and failed) where that is too deep. Whoever gets true takes one off `run->hops`
   later. */
static inline bool ew_run_hop(struct ew_execution *run) {
  if (run->hops < EW_HOPS_MAX) return run->hops++, !run->failed;
  ew_run_fail(run, EW_FAULT_LIMIT, "a path is longer than %d", EW_HOPS_MAX);
  return false;
}

/* Memory for a string or list whose size depends on values: NULL (and failed) where it is too large. */
void *ew_run_take(struct ew_execution *run, size_t count, size_t size);

static inline void ew_run_is_open(struct ew_execution *run, enum ew_open open) {
  run->open |= UINT32_C(1) << open;
  run->unplaced |= UINT32_C(1) << open;
}
/* The same, and it is `node` whose value or rows are open. */
void ew_run_is_open_at(struct ew_execution *run, uint32_t bits, const struct ew_node *node);
/* What is found open between the two is open at `node`. */
static inline uint32_t ew_run_watch_open(struct ew_execution *run) {
  uint32_t before = run->unplaced;
  run->unplaced = 0;
  return before;
}
static inline void ew_run_place_open(struct ew_execution *run, uint32_t before, const struct ew_node *node) {
  uint32_t bits = run->unplaced;
  run->unplaced = before;
  if (bits) ew_run_is_open_at(run, bits, node);
}

/* A list whose items lie in the run's arena; fails where it nests deeper than EW_VALUE_DEPTH. */
struct ew_value ew_run_list(struct ew_execution *run, const struct ew_value *items, size_t count);
/* A map from items in any order; of two with one key the later stays. */
struct ew_value ew_run_map(struct ew_execution *run, const struct ew_item *items, size_t count);
/* A string copied into the run's arena. */
struct ew_value ew_run_string(struct ew_execution *run, struct ew_span text);

/* Fails where a node deleted since change number `since` still has relationships: it may be deleted before they are,
   but not without them. */
void ew_run_check_connected(struct ew_execution *run, size_t since);

/* False, and failed with DELETED, where the node or relationship was deleted. */
bool ew_run_live(struct ew_execution *run, struct ew_value element);

/* `object.key`, for nodes, relationships, maps, temporal values and points; null of null; a TypeError else. */
struct ew_value ew_run_property(struct ew_execution *run, struct ew_value object, struct ew_span key);

/* "INTEGER", "LIST": for messages. */
static inline const char *ew_kind_text(struct ew_value value) { return ew_value_kind_name(value.kind); }

#endif
