/* temporal_function.c: the functions that make instants: date(), datetime.truncate(), localtime.realtime() and their
   like. */
#include "model/function.h"
#include "model/temporal.h"

static const struct ew_zone utc = {0, {"", 0}};

static struct ew_value now(struct ew_execution *run, enum ew_value_kind kind, struct ew_zone zone) {
  struct ew_instant instant = ew_instant_now(run, zone);
  return ew_instant_value(run, kind, &instant);
}

/* Of another instant: what it lacks is midnight or UTC, but never a date. */
static struct ew_value convert(struct ew_execution *run, enum ew_value_kind kind, struct ew_value value) {
  struct ew_instant instant;
  if (!ew_instant_of(run, value, &instant)) return ew_null();
  unsigned wanted = ew_instant_parts(kind);
  bool lacks = (wanted & EW_HAS_DATE && !(instant.parts & EW_HAS_DATE)) ||
               (wanted == EW_HAS_TIME && !(instant.parts & EW_HAS_TIME)) ||
               (kind == EW_VALUE_TIME && !(instant.parts & EW_HAS_TIME));
  if (lacks)
    return ew_run_fail(run, EW_FAULT_ARGUMENT_VALUE, "no %s can be made of a %s", ew_value_kind_name(kind),
                       ew_kind_text(value));
  return ew_instant_value(run, kind, &instant);
}

static struct ew_value construct(struct ew_execution *run, enum ew_value_kind kind, const struct ew_value *arguments,
                                 size_t count) {
  struct ew_instant instant;
  if (!count) return now(run, kind, utc);
  switch (arguments[0].kind) {
    case EW_VALUE_STRING:
      if (ew_instant_read(run, kind, arguments[0].string, &instant)) return ew_instant_value(run, kind, &instant);
      return ew_run_fail(run, EW_FAULT_ARGUMENT_VALUE, "'%.*s' is no %s", EW_SPAN_ARGS(arguments[0].string),
                         ew_value_kind_name(kind));
    case EW_VALUE_MAP: return ew_instant_build(run, kind, arguments[0].map, NULL);
    default: return convert(run, kind, arguments[0]);
  }
}

/* date.statement() and the like: the argument is a time zone. */
static struct ew_value clock_at(struct ew_execution *run, enum ew_value_kind kind, const struct ew_value *arguments,
                                size_t count) {
  struct ew_zone zone = utc;
  if (count && arguments[0].kind != EW_VALUE_STRING)
    return ew_run_fail(run, EW_FAULT_ARGUMENT_VALUE, "a time zone must be a string");
  return count && !ew_zone_read(run, arguments[0].string, &zone) ? ew_null() : now(run, kind, zone);
}

/* ---- truncating ---- */

static int64_t floor_year(int64_t day, int64_t unit) {
  int64_t year = ew_civil_from_day(day).year;
  return ew_first_day(year - ew_floor_modulo(year, unit), 1);
}

/* False where the unit is not one of days. */
static bool truncate_day(struct ew_span unit, int64_t *day) {
  struct ew_civil date = ew_civil_from_day(*day);
  struct ew_week_date week = ew_week_from_day(*day);
  if (ew_span_is(unit, "millennium"))
    *day = floor_year(*day, 1000);
  else if (ew_span_is(unit, "century"))
    *day = floor_year(*day, 100);
  else if (ew_span_is(unit, "decade"))
    *day = floor_year(*day, 10);
  else if (ew_span_is(unit, "year"))
    *day = floor_year(*day, 1);
  else if (ew_span_is(unit, "weekYear"))
    ew_week_to_day((struct ew_week_date){week.year, 1, 1}, day);
  else if (ew_span_is(unit, "quarter"))
    *day = ew_first_day(date.year, (date.month - 1) / 3 * 3 + 1);
  else if (ew_span_is(unit, "month"))
    *day = ew_first_day(date.year, date.month);
  else if (ew_span_is(unit, "week"))
    *day -= week.weekday - 1;
  else
    return ew_span_is(unit, "day");
  return true;
}

static bool truncate_time(struct ew_span unit, int64_t *nanoseconds) {
  static const struct {
    const char *name;
    int64_t size;
  } units[] = {{"hour", 3600 * EW_SECOND},
               {"minute", 60 * EW_SECOND},
               {"second", EW_SECOND},
               {"millisecond", 1000000},
               {"microsecond", 1000}};
  for (size_t i = 0; i < EW_COUNT(units); i++) {
    if (!ew_span_is(unit, units[i].name)) continue;
    *nanoseconds -= *nanoseconds % units[i].size;
    return true;
  }
  return false;
}

/* What is truncated must have the parts that the unit cuts, and the result too. */
static bool truncate_instant(struct ew_instant *instant, unsigned wanted, struct ew_span unit) {
  bool dated = instant->parts & EW_HAS_DATE;
  if ((wanted & EW_HAS_DATE) && !dated) return false;
  if ((wanted & EW_HAS_TIME) && truncate_time(unit, &instant->local.nanoseconds)) return true;
  bool days = wanted & EW_HAS_DATE ? truncate_day(unit, &instant->local.day) : ew_span_is(unit, "day");
  instant->local.nanoseconds = 0;
  return days;
}

static struct ew_value truncate_to(struct ew_execution *run, enum ew_value_kind kind, const struct ew_value *arguments,
                                   size_t count) {
  struct ew_instant instant;
  if (count < 2)
    instant = ew_instant_now(run, utc);
  else if (!ew_instant_of(run, arguments[1], &instant))
    return ew_null();
  if (arguments[0].kind != EW_VALUE_STRING || (count > 2 && arguments[2].kind != EW_VALUE_MAP))
    return ew_run_fail(run, EW_FAULT_ARGUMENT_VALUE, "truncate() takes a unit, an instant and a map");
  if (!truncate_instant(&instant, ew_instant_parts(kind), arguments[0].string))
    return ew_run_fail(run, EW_FAULT_ARGUMENT_VALUE, "no %s can be truncated to '%.*s'", ew_value_kind_name(kind),
                       EW_SPAN_ARGS(arguments[0].string));
  if (kind == EW_VALUE_TIME) instant.zone.name = utc.name;
  instant.parts |= EW_HAS_TIME; /* a date begins at midnight */
  struct ew_items none = {NULL, 0};
  return ew_instant_build(run, kind, count > 2 ? arguments[2].map : none, &instant);
}

/* ---- the functions ---- */

#define INSTANT(suffix, kind)                                                                                      \
  struct ew_value ew_function_##suffix(struct ew_execution *run, const struct ew_value *arguments, size_t count) { \
    return construct(run, kind, arguments, count);                                                                 \
  }                                                                                                                \
  struct ew_value ew_function_##suffix##_now(struct ew_execution *run, const struct ew_value *arguments,           \
                                             size_t count) {                                                       \
    return clock_at(run, kind, arguments, count);                                                                  \
  }                                                                                                                \
  struct ew_value ew_function_##suffix##_truncate(struct ew_execution *run, const struct ew_value *arguments,      \
                                                  size_t count) {                                                  \
    return truncate_to(run, kind, arguments, count);                                                               \
  }

INSTANT(date, EW_VALUE_DATE)
INSTANT(local_time, EW_VALUE_LOCAL_TIME)
INSTANT(time, EW_VALUE_TIME)
INSTANT(local_datetime, EW_VALUE_LOCAL_DATETIME)
INSTANT(datetime, EW_VALUE_DATETIME)

/* Seconds and nanoseconds, or milliseconds alone. */
static struct ew_value from_epoch(struct ew_execution *run, const struct ew_value *arguments, size_t count,
                                  int64_t unit) {
  for (size_t i = 0; i < count; i++)
    if (arguments[i].kind != EW_VALUE_INTEGER)
      return ew_run_fail(run, EW_FAULT_ARGUMENT_VALUE, "a moment since 1970 is an integer");
  struct ew_instant instant = {.parts = ew_instant_parts(EW_VALUE_DATETIME), .zone = utc};
  ew_wide moment = (ew_wide)arguments[0].integer * unit + (count > 1 ? arguments[1].integer : 0);
  return ew_instant_set(run, &instant, moment) ? ew_instant_value(run, EW_VALUE_DATETIME, &instant) : ew_null();
}

struct ew_value ew_function_from_epoch(struct ew_execution *run, const struct ew_value *arguments, size_t count) {
  return from_epoch(run, arguments, count, EW_SECOND);
}

struct ew_value ew_function_from_epoch_millis(struct ew_execution *run, const struct ew_value *arguments,
                                              size_t count) {
  return from_epoch(run, arguments, count, 1000000);
}

struct ew_value ew_function_timestamp(struct ew_execution *run, const struct ew_value *arguments, size_t count) {
  (void)arguments;
  (void)count;
  ew_run_is_open(run, EW_OPEN_CLOCK);
  return ew_integer(ew_floor_divide(run->options->now, 1000000));
}
