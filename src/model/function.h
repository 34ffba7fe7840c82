/* function.h: the functions of Cypher as the model computes them. For this room only.

   Arity, types and traits of every function are the language's (lang/cypher/scope.h); here is only what it computes.
   The table is functions.def: IMPLEMENT("tolower", to_lower, STRICT) names the C function ew_function_to_lower. */
#ifndef EW_MODEL_FUNCTION_H
#define EW_MODEL_FUNCTION_H

#include "model/run.h"

/* The arguments are evaluated, their number is right. STRICT functions never see a null: any null argument gives
   null. */
typedef struct ew_value (*ew_function_apply)(struct ew_execution *run, const struct ew_value *arguments, size_t count);

struct ew_function {
  const char *name; /* in small letters */
  ew_function_apply apply;
  bool strict;
};

#define IMPLEMENT(name, suffix, nulls) \
  struct ew_value ew_function_##suffix(struct ew_execution *run, const struct ew_value *arguments, size_t count);
#include "model/functions.def"
#undef IMPLEMENT

/* In any case; NULL where the model has none of that name. Aggregates are not here (aggregate.c). */
const struct ew_function *ew_function_find(struct ew_span name);

/* What reverse() does to a string (function_string.c). */
struct ew_value ew_string_reverse(struct ew_execution *run, struct ew_span text);

/* ---- what operators need of temporal values and points (temporal_*.c, spatial.c) ---- */

/* a + b and a - b where one is temporal or a duration; false where these two do not add. */
bool ew_temporal_add(struct ew_execution *run, struct ew_value a, struct ew_value b, struct ew_value *sum);
bool ew_temporal_subtract(struct ew_execution *run, struct ew_value a, struct ew_value b, struct ew_value *difference);
/* duration * number, number * duration, duration / number. */
bool ew_duration_multiply(struct ew_execution *run, struct ew_value a, struct ew_value b, struct ew_value *product);
bool ew_duration_divide(struct ew_execution *run, struct ew_value a, struct ew_value b, struct ew_value *quotient);
/* `date.year`, `duration.minutesOfHour`, `point.x`; false where the value has no such component. */
bool ew_temporal_component(struct ew_execution *run, struct ew_value value, struct ew_span key,
                           struct ew_value *component);
bool ew_point_component(struct ew_execution *run, struct ew_value value, struct ew_span key,
                        struct ew_value *component);

#endif
