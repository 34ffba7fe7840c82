/* duration.c: durations: making them, their components, and arithmetic with them. */
#include <math.h>

#include "model/function.h"
#include "model/temporal.h"

static struct ew_value too_long(struct ew_execution *run) {
  return ew_run_fail(run, EW_FAULT_OVERFLOW, "a duration is too long");
}

struct ew_value ew_duration_value_of(struct ew_execution *run, int64_t months, int64_t days, ew_wide nanoseconds) {
  ew_wide seconds = nanoseconds / EW_SECOND - (nanoseconds % EW_SECOND < 0);
  if (seconds < INT64_MIN || seconds > INT64_MAX) return too_long(run);
  struct ew_duration_value *duration = EW_NEW(run->arena, struct ew_duration_value);
  *duration = (struct ew_duration_value){months, days, (int64_t)seconds, (int32_t)(nanoseconds - seconds * EW_SECOND)};
  return (struct ew_value){.kind = EW_VALUE_DURATION, .duration = duration};
}

struct ew_value ew_duration_of_amounts(struct ew_execution *run, const struct ew_amounts *amounts) {
  ew_wide months = amounts->months / EW_MONTH, rest = amounts->days + amounts->months % EW_MONTH, days = rest / EW_DAY;
  if (months < INT64_MIN || months > INT64_MAX || days < INT64_MIN || days > INT64_MAX) return too_long(run);
  return ew_duration_value_of(run, (int64_t)months, (int64_t)days, amounts->seconds + rest % EW_DAY);
}

/* ---- from a map ---- */

/* Adds `number` times `unit`; false where it is out of all bounds. A fraction is rounded to nanoseconds, but one of a
   nanosecond is dropped. */
static bool add_amount(ew_wide *sum, struct ew_value number, int64_t unit) {
  if (number.kind == EW_VALUE_INTEGER) {
    *sum += (ew_wide)number.integer * unit;
    return true;
  }
  double whole = trunc(number.number);
  if (!(fabs(whole) < 0x1p62)) return false; /* NaN too */
  *sum += (ew_wide)(int64_t)whole * unit;
  if (unit > 1) *sum += (int64_t)rint((number.number - whole) * (double)unit);
  return true;
}

static struct ew_value duration_of_map(struct ew_execution *run, struct ew_items map) {
  struct ew_amounts amounts = {0};
  const struct {
    const char *key;
    ew_wide *sum;
    int64_t unit;
  } keys[] = {
      {"years", &amounts.months, 12 * EW_MONTH},
      {"quarters", &amounts.months, 3 * EW_MONTH},
      {"months", &amounts.months, EW_MONTH},
      {"weeks", &amounts.days, 7 * EW_DAY},
      {"days", &amounts.days, EW_DAY},
      {"hours", &amounts.seconds, 3600 * EW_SECOND},
      {"minutes", &amounts.seconds, 60 * EW_SECOND},
      {"seconds", &amounts.seconds, EW_SECOND},
      {"milliseconds", &amounts.seconds, 1000000},
      {"microseconds", &amounts.seconds, 1000},
      {"nanoseconds", &amounts.seconds, 1},
  };
  for (size_t i = 0; i < map.count; i++) {
    struct ew_value value = map.items[i].value;
    size_t at = 0;
    while (at < EW_COUNT(keys) && !ew_span_is(map.items[i].key, keys[at].key)) at++;
    if (at == EW_COUNT(keys))
      return ew_run_fail(run, EW_FAULT_ARGUMENT_VALUE, "a duration has no %.*s", EW_SPAN_ARGS(map.items[i].key));
    if (value.kind == EW_VALUE_NULL) {
      ew_run_is_open(run, EW_OPEN_UNDEFINED);
      return value;
    }
    if (value.kind != EW_VALUE_INTEGER && value.kind != EW_VALUE_FLOAT)
      return ew_run_fail(run, EW_FAULT_ARGUMENT_VALUE, "a part of a duration is a number, no %s", ew_kind_text(value));
    if (!add_amount(keys[at].sum, value, keys[at].unit)) return too_long(run);
  }
  if (!map.count) return ew_run_fail(run, EW_FAULT_ARGUMENT_VALUE, "a duration of nothing at all");
  return ew_duration_of_amounts(run, &amounts);
}

struct ew_value ew_function_duration(struct ew_execution *run, const struct ew_value *arguments, size_t count) {
  (void)count;
  struct ew_amounts amounts;
  switch (arguments[0].kind) {
    case EW_VALUE_DURATION: return arguments[0];
    case EW_VALUE_MAP: return duration_of_map(run, arguments[0].map);
    case EW_VALUE_STRING:
      if (ew_duration_read(arguments[0].string, &amounts)) return ew_duration_of_amounts(run, &amounts);
      return ew_run_fail(run, EW_FAULT_ARGUMENT_VALUE, "'%.*s' is no duration", EW_SPAN_ARGS(arguments[0].string));
    default: return ew_run_fail(run, EW_FAULT_ARGUMENT_VALUE, "duration() of a %s", ew_kind_text(arguments[0]));
  }
}

/* ---- components ---- */

bool ew_duration_component(struct ew_execution *run, const struct ew_duration_value *duration, struct ew_span key,
                           struct ew_value *component) {
  ew_wide all = (ew_wide)duration->seconds * EW_SECOND + duration->nanoseconds;
  const struct {
    const char *key;
    ew_wide number;
  } components[] = {
      {"years", duration->months / 12},
      {"quarters", duration->months / 3},
      {"months", duration->months},
      {"weeks", duration->days / 7},
      {"days", duration->days},
      {"hours", duration->seconds / 3600},
      {"minutes", duration->seconds / 60},
      {"seconds", duration->seconds},
      {"milliseconds", (ew_wide)duration->seconds * 1000 + duration->nanoseconds / 1000000},
      {"microseconds", (ew_wide)duration->seconds * 1000000 + duration->nanoseconds / 1000},
      {"nanoseconds", all},
      {"quartersOfYear", duration->months / 3 % 4},
      {"monthsOfQuarter", duration->months % 3},
      {"monthsOfYear", duration->months % 12},
      {"daysOfWeek", duration->days % 7},
      {"minutesOfHour", duration->seconds / 60 % 60},
      {"secondsOfMinute", duration->seconds % 60},
      {"millisecondsOfSecond", duration->nanoseconds / 1000000},
      {"microsecondsOfSecond", duration->nanoseconds / 1000},
      {"nanosecondsOfSecond", duration->nanoseconds},
  };
  for (size_t i = 0; i < EW_COUNT(components); i++) {
    if (!ew_span_is(key, components[i].key)) continue;
    bool fits = components[i].number >= INT64_MIN && components[i].number <= INT64_MAX;
    *component = fits ? ew_integer((int64_t)components[i].number) : too_long(run);
    return true;
  }
  return false;
}

/* ---- arithmetic ---- */

static ew_wide time_of(const struct ew_duration_value *duration) {
  return (ew_wide)duration->seconds * EW_SECOND + duration->nanoseconds;
}

static struct ew_value add_durations(struct ew_execution *run, const struct ew_duration_value *a,
                                     const struct ew_duration_value *b, int sign) {
  ew_wide months = (ew_wide)a->months + (ew_wide)b->months * sign, days = (ew_wide)a->days + (ew_wide)b->days * sign;
  if (months < INT64_MIN || months > INT64_MAX || days < INT64_MIN || days > INT64_MAX) return too_long(run);
  return ew_duration_value_of(run, (int64_t)months, (int64_t)days, time_of(a) + time_of(b) * sign);
}

static bool combine(struct ew_execution *run, struct ew_value a, struct ew_value b, int sign, struct ew_value *result) {
  if (b.kind != EW_VALUE_DURATION) return false;
  if (a.kind == EW_VALUE_DURATION)
    *result = add_durations(run, a.duration, b.duration, sign);
  else if (ew_instant_parts(a.kind))
    *result = ew_instant_shift(run, a, b.duration, sign);
  else
    return false;
  return true;
}

bool ew_temporal_add(struct ew_execution *run, struct ew_value a, struct ew_value b, struct ew_value *sum) {
  return combine(run, a, b, 1, sum) || combine(run, b, a, 1, sum);
}

bool ew_temporal_subtract(struct ew_execution *run, struct ew_value a, struct ew_value b, struct ew_value *difference) {
  return combine(run, a, b, -1, difference);
}

/* Each part by floats: what is no whole month goes on as days, and so on. */
static struct ew_value scale(struct ew_execution *run, const struct ew_duration_value *duration, double factor,
                             double divisor) {
  struct ew_amounts amounts = {0};
  bool good = add_amount(&amounts.months, ew_float((double)duration->months * factor / divisor), EW_MONTH) &&
              add_amount(&amounts.days, ew_float((double)duration->days * factor / divisor), EW_DAY) &&
              add_amount(&amounts.seconds, ew_float((double)duration->seconds * factor / divisor), EW_SECOND) &&
              add_amount(&amounts.seconds, ew_float((double)duration->nanoseconds * factor / divisor), 1);
  return good ? ew_duration_of_amounts(run, &amounts) : too_long(run);
}

static struct ew_value multiply(struct ew_execution *run, const struct ew_duration_value *duration, int64_t factor) {
  int64_t months, days;
  ew_wide seconds;
  if (__builtin_mul_overflow(duration->months, factor, &months) ||
      __builtin_mul_overflow(duration->days, factor, &days) ||
      __builtin_mul_overflow(time_of(duration), factor, &seconds))
    return too_long(run);
  return ew_duration_value_of(run, months, days, seconds);
}

bool ew_duration_multiply(struct ew_execution *run, struct ew_value a, struct ew_value b, struct ew_value *product) {
  struct ew_value duration = a.kind == EW_VALUE_DURATION ? a : b, factor = a.kind == EW_VALUE_DURATION ? b : a;
  if (duration.kind != EW_VALUE_DURATION) return false;
  if (factor.kind == EW_VALUE_INTEGER)
    *product = multiply(run, duration.duration, factor.integer);
  else if (factor.kind == EW_VALUE_FLOAT)
    *product = scale(run, duration.duration, factor.number, 1);
  else
    return false;
  return true;
}

bool ew_duration_divide(struct ew_execution *run, struct ew_value a, struct ew_value b, struct ew_value *quotient) {
  if (a.kind != EW_VALUE_DURATION || (b.kind != EW_VALUE_INTEGER && b.kind != EW_VALUE_FLOAT)) return false;
  const struct ew_duration_value *duration = a.duration;
  if (b.kind == EW_VALUE_INTEGER ? b.integer == 0 : b.number == 0) {
    *quotient = ew_run_fail(run, EW_FAULT_DIVISION, "a duration is divided by zero");
  } else if (b.kind == EW_VALUE_INTEGER) {
    struct ew_amounts amounts = {(ew_wide)duration->months * EW_MONTH / b.integer,
                                 (ew_wide)duration->days * EW_DAY / b.integer, time_of(duration) / b.integer};
    *quotient = ew_duration_of_amounts(run, &amounts);
  } else {
    *quotient = scale(run, duration, 1, b.number);
  }
  return true;
}
