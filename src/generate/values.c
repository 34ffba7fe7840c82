/* values.c: tables of common and of boundary values, and drawing from them. */
#include "generate/values.h"

#include <float.h>
#include <math.h> /* NAN and INFINITY, no function */

enum { LONG_STRING = 300, LIST_MAX = 4, EMPTY_LIST_PERCENT = 15 };

static const int64_t small_integers[] = {0, 1, 1, 2, 2, 3, 3, 4, 5, -1, -2, 0};

static const int64_t boundary_integers[] = {
    INT64_MIN,
    INT64_MIN + 1,
    INT64_MAX,
    INT64_MAX - 1,
    -1,
    0,
    1,
    INT32_MAX,
    INT32_MIN,
    (int64_t)INT32_MAX + 1,
    UINT32_MAX,
    (int64_t)UINT32_MAX + 1,
    (int64_t)1 << 53,
    ((int64_t)1 << 53) + 1,
    -((int64_t)1 << 53) - 1,
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
    DBL_EPSILON,
    9007199254740992.0,
    9007199254740994.0,
    9223372036854775808.0,
    -9223372036854775808.0,
    1e15,
    1e16,
    1e300,
    1e-300,
    123456789.125,
};

static const struct ew_span small_strings[] = {
    {"a", 1}, {"b", 1}, {"ab", 2}, {"abc", 3}, {"A", 1}, {"a", 1}, {"b", 1}, {"ba", 2}, {"c", 1}, {"1", 1},
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
    {"9223372036854775808", 19},
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

static double draw_float(struct ew_random *random, unsigned boundary) {
  if (!ew_random_chance(random, boundary)) return EW_RANDOM_PICK(random, small_floats);
  switch (ew_random_below(random, 10)) {
    case 0: return (double)NAN;
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
