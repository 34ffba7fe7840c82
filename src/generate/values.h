/* values.h: random values of a type, for data and for constants.

   Two kinds of value find bugs: those at a boundary (the largest integer, NaN, -0.0, the empty string, text that is
   not ASCII or needs escaping) and small ones that occur again and again, so that predicates hit and groups have more
   than one member. A draw is one or the other; `boundary` is the share of the first in percent. No libm: every
   constant is in a table. */
#ifndef EW_GENERATE_VALUES_H
#define EW_GENERATE_VALUES_H

#include "base/random.h"
#include "graph/schema.h"

/* A value of `type`, never null. Lists have up to four elements, none of them null: not every engine stores that. */
struct ew_value ew_draw_value(struct ew_arena *arena, struct ew_random *random, struct ew_property_type type,
                              unsigned boundary);

/* The text of a temporal value: in `wrong` of 100 there is no such value, in `boundary` it is a rare one or in a rare
   form. */
struct ew_span ew_draw_temporal_text(struct ew_random *random, enum ew_value_kind kind, unsigned boundary,
                                     unsigned wrong);

#endif
