/* measure.h: what compare.c and same.c share: one walk over two values, under one of three measures. For this room
   only. */
#ifndef EW_VALUE_MEASURE_H
#define EW_VALUE_MEASURE_H

#include "value/value.h"

enum ew_measure {
  EW_BY_LANGUAGE, /* orderability: numbers of both kinds are one */
  EW_BY_SHAPE,    /* integers and floats apart, finite floats by sign only */
  EW_BY_DIGITS,   /* of two values of one shape: by their finite floats only */
};

int ew_measure_order(struct ew_value a, struct ew_value b, enum ew_measure measure,
                     const struct ew_semantics *semantics);
/* Equal where the order by this measure is 0. Not for EW_BY_DIGITS. */
uint64_t ew_measure_hash(struct ew_value value, enum ew_measure measure, const struct ew_semantics *semantics);

/* Which floats have one shape: 0 … 6, ascending, NaN last. -0.0 has its own under its knob. */
int ew_float_shape(double number, const struct ew_semantics *semantics);

#endif
