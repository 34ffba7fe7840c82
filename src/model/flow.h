/* flow.h: where that goes which a statement's run found open. For this room only.

   A run names the nodes whose values are open (result->sites). Following values through the clauses gives, for each column
   of the answer, what may be different in it; or that the rows themselves, or what is written, depend on something open.
   Every conclusion here is a proof from the tree, on the side of caution: what is not understood counts as depending. */
#ifndef EW_MODEL_FLOW_H
#define EW_MODEL_FLOW_H

#include "model/model.h"

struct ew_flow {
  const char *lost;     /* why it is not known which rows there are, and what was written; NULL where it is */
  unsigned *allowances; /* for each column of the answer: bits of enum ew_allowance */
  bool order_is_open;   /* how the last RETURN sorts, or in what order it got the rows that it cuts, is open too */
  bool cut_is_open;     /* by ties at the last RETURN's SKIP or LIMIT */
};

struct ew_flow ew_flow_follow(struct ew_arena *arena, const struct ew_model_result *result);

#endif
