/* random_value.h: random values for the tests of src/value. Few different ones, so that equal and nearly equal values
   meet, and the awkward ones often. */
#ifndef EW_TEST_RANDOM_VALUE_H
#define EW_TEST_RANDOM_VALUE_H

#include <math.h>

#include "base/random.h"
#include "value/value.h"

struct maker {
  struct ew_random random;
  struct ew_arena *arena;
  bool elements; /* nodes, relationships and paths too */
};

static inline struct ew_value random_value(struct maker *maker, unsigned depth);

static inline int64_t random_integer(struct maker *maker) {
  static const int64_t pool[] = {0, 1, -1, 2, 9007199254740992, 9007199254740993, INT64_MAX, INT64_MIN, INT64_MAX - 1};
  if (ew_random_chance(&maker->random, 70)) return EW_RANDOM_PICK(&maker->random, pool);
  return (int64_t)(ew_random_next(&maker->random) >> ew_random_below(&maker->random, 64));
}

static inline double random_float(struct maker *maker) {
  static const double pool[] = {0.0,     -0.0, 1.0,    -1.0,     1.5,       9007199254740992.0, 0x1p63,
                                -0x1p63, 0.1,  5e-324, 1e300,    1e-300,    0x1.fp1023,         123456.789,
                                1e16,    1e-7, 2.0,    INFINITY, -INFINITY, (double)NAN,        -(double)NAN};
  if (ew_random_chance(&maker->random, 80)) return EW_RANDOM_PICK(&maker->random, pool);
  uint64_t bits = ew_random_next(&maker->random);
  double number;
  memcpy(&number, &bits, sizeof number);
  return number;
}

static inline struct ew_span random_text(struct maker *maker) {
  static const char *const pool[] = {
      "",     "a", "b", "ab",    "it's", "\\",        "a\nb\t\r\b\f", "\x01\x7f", "é€😀",          "\xc2\x85", "\xff",
      "\xc3", "`", "@", "@node", "null", "two words", "_x1",          "1x",       "\xed\xa0\x80", "\""};
  if (ew_random_chance(&maker->random, 5)) return EW_SPAN("nul\0inside");
  return ew_span_of(EW_RANDOM_PICK(&maker->random, pool));
}

static inline int64_t random_day(struct maker *maker) {
  static const int64_t pool[] = {0,       -1,           18321,         11016,     -719528,
                                 -719529, 365241780471, -365243219162, INT64_MAX, INT64_MIN};
  return EW_RANDOM_PICK(&maker->random, pool);
}

static inline int64_t random_nanoseconds(struct maker *maker) {
  static const int64_t pool[] = {0, 1, 43200000000000, 43200500000000, 86399999999999, 3600000000000};
  return EW_RANDOM_PICK(&maker->random, pool);
}

static inline int32_t random_offset(struct maker *maker) {
  static const int32_t pool[] = {0, 3600, -3600, 19800, 64800, -64800, 3661};
  return EW_RANDOM_PICK(&maker->random, pool);
}

static inline struct ew_value random_list(struct maker *maker, unsigned depth) {
  size_t count = ew_random_below(&maker->random, 4);
  struct ew_value *items = EW_NEW_ARRAY(maker->arena, struct ew_value, count + 1);
  for (size_t i = 0; i < count; i++) items[i] = random_value(maker, depth - 1);
  return ew_list(items, count);
}

static inline struct ew_value random_map(struct maker *maker, unsigned depth) {
  size_t count = ew_random_below(&maker->random, 4);
  struct ew_item items[4];
  for (size_t i = 0; i < count; i++) items[i] = (struct ew_item){random_text(maker), random_value(maker, depth - 1)};
  return ew_map_value(maker->arena, items, count);
}

static inline struct ew_value random_temporal(struct maker *maker, enum ew_value_kind kind) {
  struct ew_value value = {.kind = kind, .time = {0, 0}};
  struct ew_day_time moment = {random_day(maker), random_nanoseconds(maker)};
  if (kind == EW_VALUE_DATE) value.day = moment.day;
  if (kind == EW_VALUE_LOCAL_DATETIME) value.local_datetime = moment;
  if (kind == EW_VALUE_TIME) value.time = (struct ew_time_of_day){moment.nanoseconds, random_offset(maker)};
  if (kind == EW_VALUE_LOCAL_TIME) value.time.nanoseconds = moment.nanoseconds;
  if (kind == EW_VALUE_DATETIME) {
    struct ew_datetime_value *datetime = EW_NEW(maker->arena, struct ew_datetime_value);
    bool named = ew_random_chance(&maker->random, 30);
    *datetime =
        (struct ew_datetime_value){moment, random_offset(maker), named ? EW_SPAN("Europe/Berlin") : EW_SPAN("")};
    value.datetime = datetime;
  }
  if (kind == EW_VALUE_DURATION) {
    static const int32_t fractions[] = {0, 1, 500000000, 999999999};
    struct ew_duration_value *duration = EW_NEW(maker->arena, struct ew_duration_value);
    *duration = (struct ew_duration_value){random_integer(maker), random_integer(maker), random_integer(maker),
                                           EW_RANDOM_PICK(&maker->random, fractions)};
    value.duration = duration;
  }
  return value;
}

static inline struct ew_value random_point(struct maker *maker) {
  static const int32_t systems[] = {4326, 4979, 7203, 9157};
  struct ew_point_value *point = EW_NEW(maker->arena, struct ew_point_value);
  *point =
      (struct ew_point_value){EW_RANDOM_PICK(&maker->random, systems), random_float(maker), random_float(maker), 0.0};
  if (point->srid == 4979 || point->srid == 9157) point->z = random_float(maker);
  return (struct ew_value){.kind = EW_VALUE_POINT, .point = point};
}

static inline struct ew_value random_node(struct maker *maker, unsigned depth) {
  struct ew_node_value *node = EW_NEW(maker->arena, struct ew_node_value);
  struct ew_span *labels = EW_NEW_ARRAY(maker->arena, struct ew_span, 2);
  labels[0] = EW_SPAN("A");
  labels[1] = EW_SPAN("two words");
  *node = (struct ew_node_value){ew_random_between(&maker->random, -1, 3), labels, ew_random_below(&maker->random, 3),
                                 random_map(maker, depth).map};
  return (struct ew_value){.kind = EW_VALUE_NODE, .node = node};
}

static inline struct ew_value random_relationship(struct maker *maker, unsigned depth) {
  struct ew_relationship_value *relationship = EW_NEW(maker->arena, struct ew_relationship_value);
  *relationship = (struct ew_relationship_value){ew_random_between(&maker->random, 0, 3), 1, 2, random_text(maker),
                                                 random_map(maker, depth).map};
  return (struct ew_value){.kind = EW_VALUE_RELATIONSHIP, .relationship = relationship};
}

static inline struct ew_value random_path(struct maker *maker, unsigned depth) {
  struct ew_path_value *path = EW_NEW(maker->arena, struct ew_path_value);
  size_t length = ew_random_below(&maker->random, 3);
  struct ew_value *nodes = EW_NEW_ARRAY(maker->arena, struct ew_value, length + 1);
  struct ew_value *relationships = EW_NEW_ARRAY(maker->arena, struct ew_value, length + 1);
  for (size_t i = 0; i <= length; i++) {
    nodes[i] = random_node(maker, depth);
    relationships[i] = random_relationship(maker, depth);
  }
  *path = (struct ew_path_value){{nodes, length + 1}, {relationships, length}};
  return (struct ew_value){.kind = EW_VALUE_PATH, .path = path};
}

/* Of any kind; lists and maps nest at most `depth` deep. */
static inline struct ew_value random_value(struct maker *maker, unsigned depth) {
  enum ew_value_kind kind = (enum ew_value_kind)ew_random_below(&maker->random, EW_VALUE_NULL + 1);
  bool element = kind == EW_VALUE_NODE || kind == EW_VALUE_RELATIONSHIP || kind == EW_VALUE_PATH;
  if ((element && !maker->elements) || (!depth && (element || kind == EW_VALUE_LIST || kind == EW_VALUE_MAP)))
    kind = ew_random_chance(&maker->random, 50) ? EW_VALUE_INTEGER : EW_VALUE_FLOAT;
  switch (kind) {
    case EW_VALUE_NULL: return ew_null();
    case EW_VALUE_BOOLEAN: return ew_boolean(ew_random_chance(&maker->random, 50));
    case EW_VALUE_INTEGER: return ew_integer(random_integer(maker));
    case EW_VALUE_FLOAT: return ew_float(random_float(maker));
    case EW_VALUE_STRING: return ew_string(random_text(maker));
    case EW_VALUE_LIST: return random_list(maker, depth);
    case EW_VALUE_MAP: return random_map(maker, depth);
    case EW_VALUE_POINT: return random_point(maker);
    case EW_VALUE_NODE: return random_node(maker, depth);
    case EW_VALUE_RELATIONSHIP: return random_relationship(maker, depth);
    case EW_VALUE_PATH: return random_path(maker, depth);
    default: return random_temporal(maker, kind);
  }
}

#endif
