/* aggregate.h: aggregates of one projection: what is computed over the rows of each group. For this room only. */
#ifndef EW_MODEL_AGGREGATE_H
#define EW_MODEL_AGGREGATE_H

#include "model/code.h"
#include "model/groups.h"

enum ew_aggregate_kind {
  EW_AGGREGATE_ROWS, /* count(*) */
  EW_AGGREGATE_COUNT,
  EW_AGGREGATE_SUM,
  EW_AGGREGATE_AVERAGE,
  EW_AGGREGATE_LEAST,
  EW_AGGREGATE_MOST,
  EW_AGGREGATE_COLLECT,
  EW_AGGREGATE_DEVIATION,            /* of a sample */
  EW_AGGREGATE_DEVIATION_POPULATION, /* of a population */
  EW_AGGREGATE_PERCENTILE_CONTINUOUS,
  EW_AGGREGATE_PERCENTILE_DISCRETE,
};

struct ew_aggregate {
  const struct ew_node *node;
  enum ew_aggregate_kind kind;
  bool distinct;
  const struct ew_code *argument, *fraction; /* fraction: of the percentiles */
  uint32_t slot;                             /* where its result goes */
};

/* What a projection's expressions ask for; the compiler fills it. */
struct ew_aggregates {
  EW_VECTOR(struct ew_aggregate) items;
  uint32_t first, end; /* the slots that were set aside */
  size_t visible;      /* of the compiler's variables: those of the rows that are aggregated */
};

/* How many aggregates are in a tree, not counting subqueries. */
size_t ew_aggregates_count(const struct ew_node *node);

/* What one aggregate knows of one group so far. */
struct ew_accumulator {
  int64_t count;
  struct ew_value total; /* of sum and average: integer, float or duration; of least and most: the value */
  bool floats;           /* total has floats in it */
  double magnitude;      /* of sum and average: the sum of absolute values */
  EW_VECTOR(struct ew_value) values;
  struct ew_groups seen; /* of DISTINCT */
  double fraction;
};

void ew_accumulator_init(struct ew_accumulator *accumulator);
/* Adds the row at hand. `ordered`: rows come in the only right order. */
void ew_accumulate(struct ew_execution *run, const struct ew_aggregate *aggregate, struct ew_accumulator *accumulator);
struct ew_value ew_accumulator_result(struct ew_execution *run, const struct ew_aggregate *aggregate,
                                      struct ew_accumulator *accumulator, bool ordered);

#endif
