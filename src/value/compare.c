/* compare.c: what openCypher says of two values: equality, comparability, orderability, equivalence.

   An integer and a float are compared exactly, never by turning the integer into a float: 9007199254740993 is not
   9007199254740992.0. Else equality would not be transitive, and a hash could not agree with it. */
#include <math.h>

#include "base/hash.h"
#include "value/measure.h"

__extension__ typedef __int128 wide;

#define NANOSECONDS INT64_C(1000000000)

struct ordering {
  enum ew_measure measure;
  const struct ew_semantics *semantics;
};

static int order_values(struct ew_value a, struct ew_value b, const struct ordering *ordering);

/* ---- numbers ---- */

static int order_integers(int64_t a, int64_t b) { return (a > b) - (a < b); }
static int order_wide(wide a, wide b) { return (a > b) - (a < b); }
static int order_doubles(double a, double b) { return (a > b) - (a < b); }

static int order_integer_double(int64_t integer, double number) {
  if (number >= 0x1p63) return -1;
  if (number < -0x1p63) return 1;
  int64_t whole = (int64_t)number;
  if (integer != whole) return integer < whole ? -1 : 1;
  return order_doubles((double)whole, number); /* a number with a fraction is small enough for `whole` to be exact */
}

static bool is_number(struct ew_value value) { return value.kind == EW_VALUE_INTEGER || value.kind == EW_VALUE_FLOAT; }
static bool is_nan(struct ew_value value) { return value.kind == EW_VALUE_FLOAT && isnan(value.number); }

/* Neither is NaN. */
static int order_by_size(struct ew_value a, struct ew_value b) {
  if (a.kind == b.kind)
    return a.kind == EW_VALUE_INTEGER ? order_integers(a.integer, b.integer) : order_doubles(a.number, b.number);
  if (a.kind == EW_VALUE_INTEGER) return order_integer_double(a.integer, b.number);
  return -order_integer_double(b.integer, a.number);
}

static int order_numbers(struct ew_value a, struct ew_value b, const struct ew_semantics *semantics) {
  bool a_nan = is_nan(a), b_nan = is_nan(b);
  if (a_nan || b_nan) return semantics->nan_is_largest_number ? a_nan - b_nan : b_nan - a_nan;
  int order = order_by_size(a, b);
  if (order || semantics->integer_float_equal) return order;
  return (a.kind == EW_VALUE_FLOAT) - (b.kind == EW_VALUE_FLOAT);
}

int ew_float_shape(double number, const struct ew_semantics *semantics) {
  if (isnan(number)) return 6;
  if (isinf(number)) return number < 0 ? 0 : 5;
  if (number == 0) return semantics->negative_zero_distinct && signbit(number) ? 2 : 3;
  return number < 0 ? 1 : 4;
}

static int order_floats(double a, double b, const struct ordering *ordering) {
  switch (ordering->measure) {
    case EW_BY_LANGUAGE: return order_numbers(ew_float(a), ew_float(b), ordering->semantics);
    case EW_BY_SHAPE: return ew_float_shape(a, ordering->semantics) - ew_float_shape(b, ordering->semantics);
    case EW_BY_DIGITS: return order_doubles(a, b);
  }
  EW_BUG("measure %d", (int)ordering->measure);
}

/* ---- order ---- */

/* Where a kind stands among the others. */
static int rank(enum ew_value_kind kind, const struct ordering *ordering) {
  if (ordering->measure != EW_BY_LANGUAGE) return (int)kind;
  if (kind == EW_VALUE_NULL && !ordering->semantics->null_sorts_last) return -1;
  return kind == EW_VALUE_INTEGER ? (int)EW_VALUE_FLOAT : (int)kind;
}

static int order_lists(struct ew_values a, struct ew_values b, const struct ordering *ordering) {
  for (size_t i = 0; i < a.count && i < b.count; i++) {
    int order = order_values(a.items[i], b.items[i], ordering);
    if (order) return order;
  }
  return (a.count > b.count) - (a.count < b.count);
}

static int order_maps(struct ew_items a, struct ew_items b, const struct ordering *ordering) {
  if (a.count != b.count) return a.count < b.count ? -1 : 1;
  for (size_t i = 0; i < a.count; i++) {
    int order = ew_span_compare(a.items[i].key, b.items[i].key);
    if (order) return order;
  }
  for (size_t i = 0; i < a.count; i++) {
    int order = order_values(a.items[i].value, b.items[i].value, ordering);
    if (order) return order;
  }
  return 0;
}

/* As the lists of their elements in turn: node, relationship, node … */
static int order_paths(const struct ew_path_value *a, const struct ew_path_value *b, const struct ordering *ordering) {
  for (size_t i = 0; i < a->nodes.count && i < b->nodes.count; i++) {
    int order = order_values(a->nodes.items[i], b->nodes.items[i], ordering);
    if (order) return order;
    if (i >= a->relationships.count || i >= b->relationships.count) break;
    order = order_values(a->relationships.items[i], b->relationships.items[i], ordering);
    if (order) return order;
  }
  int order = (a->nodes.count > b->nodes.count) - (a->nodes.count < b->nodes.count);
  if (order) return order;
  return (a->relationships.count > b->relationships.count) - (a->relationships.count < b->relationships.count);
}

static int order_times(struct ew_time_of_day a, struct ew_time_of_day b) {
  int order = order_wide((wide)a.nanoseconds - (wide)a.offset * NANOSECONDS,
                         (wide)b.nanoseconds - (wide)b.offset * NANOSECONDS);
  return order ? order : order_integers(a.offset, b.offset);
}

static wide nanoseconds_since_epoch(struct ew_day_time time, int32_t offset) {
  return (wide)time.day * (86400 * NANOSECONDS) + time.nanoseconds - (wide)offset * NANOSECONDS;
}

static int order_datetimes(const struct ew_datetime_value *a, const struct ew_datetime_value *b) {
  int order = order_wide(nanoseconds_since_epoch(a->local, a->offset), nanoseconds_since_epoch(b->local, b->offset));
  if (!order) order = order_integers(a->offset, b->offset);
  return order ? order : ew_span_compare(a->zone, b->zone);
}

/* By average length, where a year has 365.2425 days; then part by part, for only equal parts make equal durations. */
static int order_durations(const struct ew_duration_value *a, const struct ew_duration_value *b) {
  enum { MONTH = 31556952 / 12, DAY = 86400 };
  int order = order_wide((wide)a->months * MONTH + (wide)a->days * DAY + a->seconds,
                         (wide)b->months * MONTH + (wide)b->days * DAY + b->seconds);
  if (!order) order = order_integers(a->nanoseconds, b->nanoseconds);
  if (!order) order = order_integers(a->months, b->months);
  return order ? order : order_integers(a->days, b->days);
}

static int order_points(const struct ew_point_value *a, const struct ew_point_value *b,
                        const struct ordering *ordering) {
  int order = order_integers(a->srid, b->srid);
  if (!order) order = order_floats(a->x, b->x, ordering);
  if (!order) order = order_floats(a->y, b->y, ordering);
  return order ? order : order_floats(a->z, b->z, ordering);
}

/* Of one kind that holds no floats. */
static int order_plain(struct ew_value a, struct ew_value b) {
  switch (a.kind) {
    case EW_VALUE_BOOLEAN: return a.boolean - b.boolean;
    case EW_VALUE_INTEGER: return order_integers(a.integer, b.integer);
    case EW_VALUE_STRING: return ew_span_compare(a.string, b.string);
    case EW_VALUE_NODE: return order_integers(a.node->id, b.node->id);
    case EW_VALUE_RELATIONSHIP: return order_integers(a.relationship->id, b.relationship->id);
    case EW_VALUE_DATE: return order_integers(a.day, b.day);
    case EW_VALUE_TIME: return order_times(a.time, b.time);
    case EW_VALUE_LOCAL_TIME: return order_integers(a.time.nanoseconds, b.time.nanoseconds);
    case EW_VALUE_LOCAL_DATETIME:
      return order_wide(nanoseconds_since_epoch(a.local_datetime, 0), nanoseconds_since_epoch(b.local_datetime, 0));
    case EW_VALUE_DATETIME: return order_datetimes(a.datetime, b.datetime);
    case EW_VALUE_DURATION: return order_durations(a.duration, b.duration);
    default: return 0; /* null */
  }
}

static int order_values(struct ew_value a, struct ew_value b, const struct ordering *ordering) {
  int order = rank(a.kind, ordering) - rank(b.kind, ordering);
  if (order) return order;
  switch (a.kind) {
    case EW_VALUE_LIST: return order_lists(a.list, b.list, ordering);
    case EW_VALUE_MAP: return order_maps(a.map, b.map, ordering);
    case EW_VALUE_POINT: return order_points(a.point, b.point, ordering);
    case EW_VALUE_FLOAT:
    case EW_VALUE_INTEGER:
      if (ordering->measure == EW_BY_LANGUAGE) return order_numbers(a, b, ordering->semantics);
      if (a.kind == EW_VALUE_FLOAT) return order_floats(a.number, b.number, ordering);
      break;
    default: break;
  }
  if (ordering->measure == EW_BY_DIGITS) return 0; /* one shape and no floats */
  return a.kind == EW_VALUE_PATH ? order_paths(a.path, b.path, ordering) : order_plain(a, b);
}

int ew_measure_order(struct ew_value a, struct ew_value b, enum ew_measure measure,
                     const struct ew_semantics *semantics) {
  return order_values(a, b, &(struct ordering){measure, semantics});
}

int ew_value_order(struct ew_value a, struct ew_value b, const struct ew_semantics *semantics) {
  return ew_measure_order(a, b, EW_BY_LANGUAGE, semantics);
}

bool ew_value_equivalent(struct ew_value a, struct ew_value b, const struct ew_semantics *semantics) {
  return ew_value_order(a, b, semantics) == 0;
}

/* ---- equality ---- */

static enum ew_truth truth(bool holds) { return holds ? EW_TRUE : EW_FALSE; }

static enum ew_truth equal_lists(struct ew_values a, struct ew_values b, const struct ew_semantics *semantics) {
  if (a.count != b.count) return EW_FALSE;
  enum ew_truth all = EW_TRUE;
  for (size_t i = 0; i < a.count; i++) {
    enum ew_truth one = ew_value_equal(a.items[i], b.items[i], semantics);
    if (one == EW_FALSE) return EW_FALSE;
    if (one == EW_UNKNOWN) all = EW_UNKNOWN;
  }
  return all;
}

static enum ew_truth equal_maps(struct ew_items a, struct ew_items b, const struct ew_semantics *semantics) {
  if (a.count != b.count) return EW_FALSE;
  for (size_t i = 0; i < a.count; i++)
    if (!ew_span_equal(a.items[i].key, b.items[i].key)) return EW_FALSE;
  enum ew_truth all = EW_TRUE;
  for (size_t i = 0; i < a.count; i++) {
    enum ew_truth one = ew_value_equal(a.items[i].value, b.items[i].value, semantics);
    if (one == EW_FALSE) return EW_FALSE;
    if (one == EW_UNKNOWN) all = EW_UNKNOWN;
  }
  return all;
}

static bool equal_numbers(struct ew_value a, struct ew_value b, const struct ew_semantics *semantics) {
  if (is_nan(a) || is_nan(b)) return semantics->nan_equals_nan && is_nan(a) && is_nan(b);
  return order_numbers(a, b, semantics) == 0;
}

static bool equal_points(const struct ew_point_value *a, const struct ew_point_value *b,
                         const struct ew_semantics *semantics) {
  return a->srid == b->srid && equal_numbers(ew_float(a->x), ew_float(b->x), semantics) &&
         equal_numbers(ew_float(a->y), ew_float(b->y), semantics) &&
         equal_numbers(ew_float(a->z), ew_float(b->z), semantics);
}

enum ew_truth ew_value_equal(struct ew_value a, struct ew_value b, const struct ew_semantics *semantics) {
  if (a.kind == EW_VALUE_NULL || b.kind == EW_VALUE_NULL) return EW_UNKNOWN;
  if (is_number(a) && is_number(b)) return truth(equal_numbers(a, b, semantics));
  if (a.kind != b.kind) return EW_FALSE;
  switch (a.kind) {
    case EW_VALUE_LIST: return equal_lists(a.list, b.list, semantics);
    case EW_VALUE_MAP: return equal_maps(a.map, b.map, semantics);
    case EW_VALUE_POINT: return truth(equal_points(a.point, b.point, semantics));
    default: return truth(ew_value_order(a, b, semantics) == 0);
  }
}

/* ---- comparability ---- */

/* The first elements that are not equal decide; where that is not known, nothing is. */
static enum ew_truth compare_lists(struct ew_values a, struct ew_values b, const struct ew_semantics *semantics,
                                   int *order) {
  for (size_t i = 0; i < a.count && i < b.count; i++) {
    if (ew_value_equal(a.items[i], b.items[i], semantics) == EW_TRUE) continue;
    return ew_value_compare(a.items[i], b.items[i], semantics, order);
  }
  *order = (a.count > b.count) - (a.count < b.count);
  return EW_TRUE;
}

enum ew_truth ew_value_compare(struct ew_value a, struct ew_value b, const struct ew_semantics *semantics, int *order) {
  *order = 0;
  if (is_number(a) && is_number(b)) {
    if (is_nan(a) || is_nan(b)) return truth(equal_numbers(a, b, semantics));
    *order = order_by_size(a, b);
    return EW_TRUE;
  }
  if (a.kind != b.kind) return EW_UNKNOWN;
  switch (a.kind) {
    case EW_VALUE_LIST: return compare_lists(a.list, b.list, semantics, order);
    case EW_VALUE_STRING:
    case EW_VALUE_BOOLEAN:
    case EW_VALUE_DATE:
    case EW_VALUE_TIME:
    case EW_VALUE_LOCAL_TIME:
    case EW_VALUE_DATETIME:
    case EW_VALUE_LOCAL_DATETIME: {
      int found = order_plain(a, b);
      *order = (found > 0) - (found < 0);
      return EW_TRUE;
    }
    default: return EW_UNKNOWN; /* null, maps, elements, durations, points */
  }
}

/* ---- hash ---- */

static uint64_t mix_integer(uint64_t hash, int64_t number) { return ew_hash_mix(hash, (uint64_t)number); }

/* A float that is an integer hashes as that integer, so that equal numbers of both kinds meet whatever the knobs. */
static uint64_t hash_float(uint64_t hash, double number, const struct ordering *ordering) {
  if (ordering->measure == EW_BY_SHAPE) return mix_integer(hash, ew_float_shape(number, ordering->semantics));
  if (isnan(number)) return ew_hash_mix(hash, 0x7ff8000000000000u);
  if (number >= -0x1p63 && number < 0x1p63 && (double)(int64_t)number == number)
    return mix_integer(hash, (int64_t)number);
  uint64_t bits;
  memcpy(&bits, &number, sizeof bits);
  return ew_hash_mix(hash, bits);
}

static uint64_t hash_value(struct ew_value value, const struct ordering *ordering);

static uint64_t hash_list(uint64_t hash, struct ew_values list, const struct ordering *ordering) {
  for (size_t i = 0; i < list.count; i++) hash = ew_hash_mix(hash, hash_value(list.items[i], ordering));
  return ew_hash_mix(hash, list.count);
}

static uint64_t hash_map(uint64_t hash, struct ew_items map, const struct ordering *ordering) {
  for (size_t i = 0; i < map.count; i++) {
    hash = ew_hash_span(map.items[i].key, hash);
    hash = ew_hash_mix(hash, hash_value(map.items[i].value, ordering));
  }
  return ew_hash_mix(hash, map.count);
}

static uint64_t hash_datetime(uint64_t hash, const struct ew_datetime_value *datetime) {
  hash = mix_integer(hash, datetime->local.day);
  hash = mix_integer(hash, datetime->local.nanoseconds);
  return ew_hash_span(datetime->zone, mix_integer(hash, datetime->offset));
}

static uint64_t hash_duration(uint64_t hash, const struct ew_duration_value *duration) {
  hash = mix_integer(hash, duration->months);
  hash = mix_integer(hash, duration->days);
  return mix_integer(mix_integer(hash, duration->seconds), duration->nanoseconds);
}

static uint64_t hash_point(uint64_t hash, const struct ew_point_value *point, const struct ordering *ordering) {
  hash = hash_float(mix_integer(hash, point->srid), point->x, ordering);
  return hash_float(hash_float(hash, point->y, ordering), point->z, ordering);
}

static uint64_t hash_value(struct ew_value value, const struct ordering *ordering) {
  uint64_t hash = ew_hash_mix(0, (uint64_t)rank(value.kind, ordering));
  switch (value.kind) {
    case EW_VALUE_NULL: return hash;
    case EW_VALUE_BOOLEAN: return ew_hash_mix(hash, value.boolean);
    case EW_VALUE_INTEGER: return mix_integer(hash, value.integer);
    case EW_VALUE_FLOAT: return hash_float(hash, value.number, ordering);
    case EW_VALUE_STRING: return ew_hash_span(value.string, hash);
    case EW_VALUE_LIST: return hash_list(hash, value.list, ordering);
    case EW_VALUE_MAP: return hash_map(hash, value.map, ordering);
    case EW_VALUE_NODE: return mix_integer(hash, value.node->id);
    case EW_VALUE_RELATIONSHIP: return mix_integer(hash, value.relationship->id);
    case EW_VALUE_PATH:
      return hash_list(hash_list(hash, value.path->nodes, ordering), value.path->relationships, ordering);
    case EW_VALUE_DATE: return mix_integer(hash, value.day);
    case EW_VALUE_TIME: return mix_integer(mix_integer(hash, value.time.nanoseconds), value.time.offset);
    case EW_VALUE_LOCAL_TIME: return mix_integer(hash, value.time.nanoseconds);
    case EW_VALUE_LOCAL_DATETIME:
      return mix_integer(mix_integer(hash, value.local_datetime.day), value.local_datetime.nanoseconds);
    case EW_VALUE_DATETIME: return hash_datetime(hash, value.datetime);
    case EW_VALUE_DURATION: return hash_duration(hash, value.duration);
    case EW_VALUE_POINT: return hash_point(hash, value.point, ordering);
  }
  EW_BUG("value kind %d", (int)value.kind);
}

uint64_t ew_measure_hash(struct ew_value value, enum ew_measure measure, const struct ew_semantics *semantics) {
  return hash_value(value, &(struct ordering){measure, semantics});
}

uint64_t ew_value_hash(struct ew_value value, const struct ew_semantics *semantics) {
  return ew_measure_hash(value, EW_BY_LANGUAGE, semantics);
}
