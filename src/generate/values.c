/* values.c: tables of common and of boundary values, and drawing from them. */
#include "generate/values.h"

#include <float.h>
#include <math.h> /* NAN and INFINITY, no function */

enum { LONG_STRING = 300, LIST_MAX = 4, EMPTY_LIST_PERCENT = 15 };

#define POWER(bits) ((int64_t)1 << (bits))

static const int64_t small_integers[] = {0, 1, 1, 2, 2, 3, 3, 4, 5, -1, -2, -7};

static const int64_t boundary_integers[] = {
    INT64_MIN,
    INT64_MIN + 1,
    INT64_MAX,
    INT64_MAX - 1,
    -1,
    0,
    1,
    POWER(31) - 1,
    POWER(31),
    -POWER(31),
    -POWER(31) - 1,
    POWER(32) - 1,
    POWER(32),
    POWER(53) - 1,
    POWER(53),
    POWER(53) + 1,
    -POWER(53) + 1,
    -POWER(53),
    -POWER(53) - 1,
    POWER(62),
    10,
    100,
    127,
    128,
    255,
    256,
    32768,
    65536,
    1000000007,
};

static const double small_floats[] = {0.0, 1.0, 1.0, 2.0, 0.5, 1.5, 2.5, 3.25, -1.0, -0.5, -2.0, 3.0};

static const double boundary_floats[] = {
    -0.0,
    1e-9,
    0.1,
    0.2,
    0.30000000000000004,
    DBL_MAX,
    -DBL_MAX,
    DBL_MIN,
    4.9406564584124654e-324,
    -4.9406564584124654e-324,
    DBL_EPSILON,
    2147483648.0,
    9007199254740991.0,
    9007199254740992.0,
    9007199254740994.0,
    -9007199254740992.0,
    9223372036854774784.0,
    9223372036854775808.0,
    -9223372036854775808.0,
    1e15,
    1e16,
    1e300,
    1e-300,
    123456789.125,
};

static const struct ew_span small_strings[] = {
    {"a", 1}, {"b", 1}, {"ab", 2}, {"abc", 3}, {"A", 1}, {"a", 1}, {"b", 1}, {"ba", 2}, {"c", 1}, {"1", 1}, {"", 0},
};

static const struct ew_span boundary_strings[] = {
    {"", 0},
    {" ", 1},
    {"it's", 4},
    {"\"q\"", 3},
    {"\\", 1},
    {"a\\'b", 4},
    {"a\nb", 3},
    {"\t", 1},
    {"null", 4},
    {"true", 4},
    {"0", 1},
    {"-1", 2},
    {"1.0", 3},
    {"NaN", 3},
    {"9223372036854775807", 19},
    {"9223372036854775808", 19},
    {"-9223372036854775809", 20},
    {"1e3", 3},
    {" 1", 2},
    {"0x10", 4},
    {"Infinity", 8},
    {"%", 1},
    {"_", 1},
    {".*", 2},
    {"[", 1},
    {"[1]", 3},
    {"{}", 2},
    {"`", 1},
    {"$1", 2},
    {"--", 2},
    {"//", 2},
    {"a b", 3},
    {" a ", 3},
    {"\xc3\xa9", 2},  /* é */
    {"e\xcc\x81", 3}, /* the same as two code points */
    {"\xc3\x9f", 2},  /* ß: longer in capitals */
    {"\xc4\xb0", 2},  /* İ */
    {"\xe6\x97\xa5\xe6\x9c\xac", 6},
    {"\xf0\x9d\x84\x9e", 4}, /* beyond 16 bits */
    {"\xef\xbf\xbd", 3},     /* the replacement character */
    {"2020-02-29", 10},
};

/* ---- texts of temporal values ---- */

struct texts {
  const char *const *common, *const *boundary, *const *wrong; /* NULL behind the last */
};

static const char *const dates[] = {"2020-02-29", "2000-01-01", "1970-01-01", "2024-03-31", "2023-12-31",
                                    "2021-01-03", "2020-02-29", "2015-07-21", NULL};
static const char *const boundary_dates[] = {
    "0001-01-01", "9999-12-31",       "1582-10-15",       "1900-02-28", "1969-12-31",
    "0000-01-01", "-999999999-01-01", "+999999999-12-31", "2024-02-29", "2000-02-29",
    "2020-060",   "2020-W53-5",       "20200229",         "2020-02",    NULL};
static const char *const wrong_dates[] = {"2023-02-29", "1900-02-29", "2020-02-30", "2020-13-01", "2020-00-10",
                                          "2021-W53-1", "2021-366",   "",           "today",      NULL};
static const char *const times[] = {"12:00:00Z", "00:00:00Z",          "12:00:00+01:00",
                                    "23:59:59Z", "12:31:14.645-08:00", NULL};
static const char *const boundary_times[] = {"00:00:00+18:00",      "23:59:59.999999999-18:00",
                                             "00:00:00.000000001Z", "12:00Z",
                                             "12:31:14.645876123Z", "11:00+01:00",
                                             "2140+0100",           NULL};
static const char *const wrong_times[] = {"24:00:00Z", "12:60:00Z", "12:00:00+25:00", "12:00:60Z", "", NULL};
static const char *const local_times[] = {"12:00:00", "00:00:00", "23:59:59", "12:31:14.645", "06:30:00", NULL};
static const char *const boundary_local_times[] = {
    "23:59:59.999999999", "00:00:00.000000001", "12", "1231", "12:31:14.645876123", NULL};
static const char *const wrong_local_times[] = {"24:00:00", "12:60", "12:00:60", "-01:00", "", NULL};
static const char *const datetimes[] = {"2020-02-29T12:00:00Z",          "1970-01-01T00:00:00Z",
                                        "2000-01-01T00:00:00+01:00",     "2024-03-31T23:59:59Z",
                                        "2015-07-21T21:40:32.142+01:00", NULL};
static const char *const boundary_datetimes[] = {
    "2024-03-31T02:30:00[Europe/Berlin]", "2024-10-27T02:30:00[Europe/Berlin]",
    "9999-12-31T23:59:59.999999999Z",     "0001-01-01T00:00:00-18:00",
    "1969-12-31T23:59:59.999999999Z",     "2020-060T12Z",
    "-999999999-01-01T00:00:00+18:00",    NULL};
static const char *const wrong_datetimes[] = {"2023-02-29T12:00:00Z", "2020-01-01T24:00:00Z",
                                              "2020-01-01T00:00:00[Nowhere]", "", NULL};
static const char *const local_datetimes[] = {"2020-02-29T12:00:00", "1970-01-01T00:00:00",     "2000-01-01T00:00:00",
                                              "2024-03-31T23:59:59", "2015-07-21T21:40:32.142", NULL};
static const char *const boundary_local_datetimes[] = {
    "9999-12-31T23:59:59.999999999", "0001-01-01T00:00:00", "2020-060T12",
    "1969-12-31T23:59:59.999999999", "2020-W01-1T12:00",    NULL};
static const char *const wrong_local_datetimes[] = {"2023-02-29T12:00:00", "2020-01-01T24:00:00", "2020-01-01 ", "",
                                                    NULL};
static const char *const durations[] = {"P1D", "PT1H", "P1M", "P1Y", "P2D", "PT30M", "P1Y2M3DT4H5M6S", "P0D", NULL};
static const char *const boundary_durations[] = {"PT0.000000001S",
                                                 "P-1D",
                                                 "PT-0.5S",
                                                 "P1W",
                                                 "P0.5M",
                                                 "P1DT-1S",
                                                 "PT86400S",
                                                 "P12M",
                                                 "PT2147483648S",
                                                 "P1000000000Y",
                                                 "PT9223372036854775807S",
                                                 "-P1Y",
                                                 NULL};
static const char *const wrong_durations[] = {"P", "PT", "1D", "P1S", "", NULL};

static const struct texts texts[] = {
    [EW_VALUE_DATE] = {dates, boundary_dates, wrong_dates},
    [EW_VALUE_TIME] = {times, boundary_times, wrong_times},
    [EW_VALUE_LOCAL_TIME] = {local_times, boundary_local_times, wrong_local_times},
    [EW_VALUE_DATETIME] = {datetimes, boundary_datetimes, wrong_datetimes},
    [EW_VALUE_LOCAL_DATETIME] = {local_datetimes, boundary_local_datetimes, wrong_local_datetimes},
    [EW_VALUE_DURATION] = {durations, boundary_durations, wrong_durations},
};

static struct ew_span pick_text(struct ew_random *random, const char *const *list) {
  uint32_t count = 0;
  while (list[count]) count++;
  return ew_span_of(list[ew_random_below(random, count)]);
}

struct ew_span ew_draw_temporal_text(struct ew_random *random, enum ew_value_kind kind, unsigned boundary,
                                     unsigned wrong) {
  EW_ASSERT(kind < EW_COUNT(texts) && texts[kind].common);
  unsigned throw = ew_random_below(random, 100);
  return pick_text(random, throw < wrong              ? texts[kind].wrong
                           : throw < wrong + boundary ? texts[kind].boundary
                                                      : texts[kind].common);
}

/* A common one: the texts at a boundary have forms that only engines read, and values that only some can store. */
static struct ew_value draw_temporal(struct ew_arena *arena, struct ew_random *random, enum ew_value_kind kind) {
  struct ew_value value;
  struct ew_span text = pick_text(random, texts[kind].common);
  if (!ew_value_read_iso(arena, kind, text, &value)) EW_BUG("no value: %.*s", EW_SPAN_ARGS(text));
  return value;
}

static struct ew_value draw_point(struct ew_arena *arena, struct ew_random *random, unsigned boundary) {
  static const double common[] = {0.0, 1.0, 2.0, -1.0, 0.5, 3.0}, odd[] = {-0.0, 90.0, 180.0, 1e-9, 1e15};
  struct ew_point_value *point = ew_arena_take(arena, sizeof *point);
  *point = (struct ew_point_value){.srid = 7203};
  point->x = ew_random_chance(random, boundary) ? EW_RANDOM_PICK(random, odd) : EW_RANDOM_PICK(random, common);
  point->y = ew_random_chance(random, boundary) ? EW_RANDOM_PICK(random, odd) : EW_RANDOM_PICK(random, common);
  return (struct ew_value){.kind = EW_VALUE_POINT, .point = point};
}

/* ---- drawing ---- */

static double draw_float(struct ew_random *random, unsigned boundary) {
  if (!ew_random_chance(random, boundary)) return EW_RANDOM_PICK(random, small_floats);
  switch (ew_random_below(random, 8)) {
    case 0:
    case 3: return (double)NAN;
    case 1: return (double)INFINITY;
    case 2: return -(double)INFINITY;
    default: return EW_RANDOM_PICK(random, boundary_floats);
  }
}

static struct ew_span draw_long_string(struct ew_arena *arena, struct ew_random *random) {
  char *bytes = ew_arena_take(arena, LONG_STRING);
  memset(bytes, 'a' + (int)ew_random_below(random, 3), LONG_STRING);
  return (struct ew_span){bytes, LONG_STRING};
}

static struct ew_span draw_string(struct ew_arena *arena, struct ew_random *random, unsigned boundary) {
  if (!ew_random_chance(random, boundary)) return EW_RANDOM_PICK(random, small_strings);
  if (ew_random_chance(random, 4)) return draw_long_string(arena, random);
  return EW_RANDOM_PICK(random, boundary_strings);
}

static struct ew_value draw_scalar(struct ew_arena *arena, struct ew_random *random, enum ew_value_kind kind,
                                   unsigned boundary) {
  switch (kind) {
    case EW_VALUE_BOOLEAN: return ew_boolean(ew_random_chance(random, 50));
    case EW_VALUE_INTEGER:
      return ew_integer(ew_random_chance(random, boundary) ? EW_RANDOM_PICK(random, boundary_integers)
                                                           : EW_RANDOM_PICK(random, small_integers));
    case EW_VALUE_FLOAT: return ew_float(draw_float(random, boundary));
    case EW_VALUE_STRING: return ew_string(draw_string(arena, random, boundary));
    case EW_VALUE_POINT: return draw_point(arena, random, boundary);
    case EW_VALUE_DATE:
    case EW_VALUE_TIME:
    case EW_VALUE_LOCAL_TIME:
    case EW_VALUE_DATETIME:
    case EW_VALUE_LOCAL_DATETIME:
    case EW_VALUE_DURATION: return draw_temporal(arena, random, kind);
    default: EW_BUG("no values for kind %d", (int)kind);
  }
}

struct ew_value ew_draw_value(struct ew_arena *arena, struct ew_random *random, struct ew_property_type type,
                              unsigned boundary) {
  if (!type.list) return draw_scalar(arena, random, type.kind, boundary);
  if (ew_random_chance(random, EMPTY_LIST_PERCENT)) return ew_list(NULL, 0);
  size_t count = 1 + ew_random_below(random, LIST_MAX);
  struct ew_value *items = ew_arena_take(arena, ew_array_size(count, sizeof *items));
  for (size_t i = 0; i < count; i++) items[i] = draw_scalar(arena, random, type.kind, boundary);
  return ew_list(items, count);
}
