/* number.h: numbers from texts and to fewer digits. For this room only. */
#ifndef EW_MODEL_NUMBER_H
#define EW_MODEL_NUMBER_H

#include "value/value.h"

static inline bool ew_is_number(struct ew_value value) {
  return value.kind == EW_VALUE_INTEGER || value.kind == EW_VALUE_FLOAT;
}
static inline double ew_number_of(struct ew_value value) {
  return value.kind == EW_VALUE_INTEGER ? (double)value.integer : value.number;
}

/* A whole number in decimal digits, blanks around it allowed: false where it is none or does not fit. */
bool ew_integer_read(struct ew_span text, int64_t *number);
/* A decimal number: "1", "-1.5", ".5e3", "NaN", "Infinity", blanks around it allowed. Beyond all floats it is infinite.
   */
bool ew_float_read(struct ew_span text, double *number);

enum ew_rounding {
  EW_ROUND_UP, /* away from zero */
  EW_ROUND_DOWN,
  EW_ROUND_CEILING,
  EW_ROUND_FLOOR,
  EW_ROUND_HALF_UP, /* ties away from zero */
  EW_ROUND_HALF_DOWN,
  EW_ROUND_HALF_EVEN,
};

/* To `places` (0 or more) decimals of its shortest decimal text, which is what people see of it. Finite numbers only.
   */
double ew_float_round(double number, int64_t places, enum ew_rounding rounding);

#endif
