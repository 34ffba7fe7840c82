/* same.c: whether two runs showed the same value. Every row of every result goes through here, so the common case,
   equal bytes, is decided first. */
#include <math.h>
#include <stdio.h>

#include "value/measure.h"

/* From this many digits on only equal floats are the same: 17 tell any two doubles apart. */
enum { EXACT_DIGITS = 17 };

/* The place of a positive number among the decimals of `digits` digits: neighbours there have places one apart. */
static int64_t decimal_place(double number, int digits) {
  enum { LEAST_EXPONENT = -324 };
  char text[40];
  snprintf(text, sizeof text, "%.*e", digits - 1, number);
  int64_t mantissa = 0, power = 1, exponent = 0;
  const char *at = text;
  for (; *at != 'e'; at++)
    if (*at >= '0' && *at <= '9') mantissa = mantissa * 10 + (*at - '0'); /* else the locale's point */
  bool small = at[1] == '-';
  for (at += 2; *at; at++) exponent = exponent * 10 + (*at - '0');
  if (small) exponent = -exponent;
  for (int i = 1; i < digits; i++) power *= 10;
  return (exponent - LEAST_EXPONENT) * 9 * power + (mantissa - power);
}

/* Of two different positive finite numbers. One unit in the last of D digits is between 10^-D and 10^(1-D) of the
   number: what is clearly nearer or farther needs no digits. */
static bool near(double a, double b, int digits) {
  static const double tenth[] = {1e0,  1e-1,  1e-2,  1e-3,  1e-4,  1e-5,  1e-6,  1e-7, 1e-8,
                                 1e-9, 1e-10, 1e-11, 1e-12, 1e-13, 1e-14, 1e-15, 1e-16};
  _Static_assert(EW_COUNT(tenth) == EXACT_DIGITS, "a power for each number of digits");
  double low = a < b ? a : b, high = a < b ? b : a;
  if (low > 1e-290) { /* products far from where floats lose digits */
    double apart = high - low;
    if (apart < 0.9 * tenth[digits] * low) return true;
    if (apart > 3 * tenth[digits - 1] * high) return false;
  }
  return decimal_place(high, digits) - decimal_place(low, digits) <= 1;
}

static bool same_floats(double a, double b, const struct ew_semantics *semantics) {
  if (a == b) return a != 0 || !semantics->negative_zero_distinct || signbit(a) == signbit(b);
  if (ew_float_shape(a, semantics) != ew_float_shape(b, semantics)) return false;
  if (isnan(a)) return true;
  int digits = semantics->float_digits < 1 ? 1 : semantics->float_digits;
  return digits < EXACT_DIGITS && near(fabs(a), fabs(b), digits);
}

static bool same_lists(struct ew_values a, struct ew_values b, const struct ew_semantics *semantics) {
  if (a.count != b.count) return false;
  for (size_t i = 0; i < a.count; i++)
    if (!ew_value_same(a.items[i], b.items[i], semantics)) return false;
  return true;
}

static bool same_maps(struct ew_items a, struct ew_items b, const struct ew_semantics *semantics) {
  if (a.count != b.count) return false;
  for (size_t i = 0; i < a.count; i++) {
    if (!ew_span_equal(a.items[i].key, b.items[i].key)) return false;
    if (!ew_value_same(a.items[i].value, b.items[i].value, semantics)) return false;
  }
  return true;
}

static bool same_points(const struct ew_point_value *a, const struct ew_point_value *b,
                        const struct ew_semantics *semantics) {
  return a->srid == b->srid && same_floats(a->x, b->x, semantics) && same_floats(a->y, b->y, semantics) &&
         same_floats(a->z, b->z, semantics);
}

bool ew_value_same(struct ew_value a, struct ew_value b, const struct ew_semantics *semantics) {
  if (a.kind != b.kind) return false;
  switch (a.kind) {
    case EW_VALUE_NULL: return true;
    case EW_VALUE_BOOLEAN: return a.boolean == b.boolean;
    case EW_VALUE_INTEGER: return a.integer == b.integer;
    case EW_VALUE_FLOAT: return same_floats(a.number, b.number, semantics);
    case EW_VALUE_STRING: return ew_span_equal(a.string, b.string);
    case EW_VALUE_LIST: return same_lists(a.list, b.list, semantics);
    case EW_VALUE_MAP: return same_maps(a.map, b.map, semantics);
    case EW_VALUE_POINT: return same_points(a.point, b.point, semantics);
    default: return ew_measure_order(a, b, EW_BY_SHAPE, semantics) == 0;
  }
}

int ew_value_shape_order(struct ew_value a, struct ew_value b, const struct ew_semantics *semantics) {
  return ew_measure_order(a, b, EW_BY_SHAPE, semantics);
}

uint64_t ew_value_shape_hash(struct ew_value value, const struct ew_semantics *semantics) {
  return ew_measure_hash(value, EW_BY_SHAPE, semantics);
}

int ew_value_same_order(struct ew_value a, struct ew_value b, const struct ew_semantics *semantics) {
  int order = ew_measure_order(a, b, EW_BY_SHAPE, semantics);
  return order ? order : ew_measure_order(a, b, EW_BY_DIGITS, semantics);
}
