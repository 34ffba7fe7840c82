/* instant.c: instants as values and as parts; their components; moving them in time. */
#include "model/function.h"
#include "model/temporal.h"

unsigned ew_instant_parts(enum ew_value_kind kind) {
  switch (kind) {
    case EW_VALUE_DATE: return EW_HAS_DATE;
    case EW_VALUE_LOCAL_TIME: return EW_HAS_TIME;
    case EW_VALUE_TIME: return EW_HAS_TIME | EW_HAS_ZONE;
    case EW_VALUE_LOCAL_DATETIME: return EW_HAS_DATE | EW_HAS_TIME;
    case EW_VALUE_DATETIME: return EW_HAS_DATE | EW_HAS_TIME | EW_HAS_ZONE;
    default: return 0;
  }
}

static bool in_range(struct ew_execution *run, int64_t day) {
  if (day >= ew_first_day(-EW_YEAR_MAX, 1) && day < ew_first_day(EW_YEAR_MAX + 1, 1)) return true;
  ew_run_fail(run, EW_FAULT_ARGUMENT_VALUE, "a year beyond %lld", (long long)EW_YEAR_MAX);
  return false;
}

bool ew_instant_of(struct ew_execution *run, struct ew_value value, struct ew_instant *instant) {
  *instant = (struct ew_instant){.parts = ew_instant_parts(value.kind), .zone = {0, EW_SPAN("")}};
  switch (value.kind) {
    case EW_VALUE_DATE: instant->local.day = value.day; break;
    case EW_VALUE_LOCAL_TIME:
    case EW_VALUE_TIME:
      instant->local.nanoseconds = value.time.nanoseconds;
      instant->zone.offset = value.time.offset;
      break;
    case EW_VALUE_LOCAL_DATETIME: instant->local = value.local_datetime; break;
    case EW_VALUE_DATETIME:
      instant->local = value.datetime->local;
      instant->zone = (struct ew_zone){value.datetime->offset, value.datetime->zone};
      break;
    default: ew_run_fail(run, EW_FAULT_ARGUMENT_VALUE, "%s is no instant", ew_kind_text(value)); return false;
  }
  return in_range(run, instant->local.day);
}

struct ew_value ew_instant_value(struct ew_execution *run, enum ew_value_kind kind, const struct ew_instant *instant) {
  if (run->failed || ((instant->parts & EW_HAS_DATE) && !in_range(run, instant->local.day))) return ew_null();
  struct ew_value value = {.kind = kind, .time = {0, 0}};
  switch (kind) {
    case EW_VALUE_DATE: value.day = instant->local.day; break;
    case EW_VALUE_LOCAL_TIME: value.time.nanoseconds = instant->local.nanoseconds; break;
    case EW_VALUE_TIME: value.time = (struct ew_time_of_day){instant->local.nanoseconds, instant->zone.offset}; break;
    case EW_VALUE_LOCAL_DATETIME: value.local_datetime = instant->local; break;
    case EW_VALUE_DATETIME: {
      struct ew_datetime_value *datetime = EW_NEW(run->arena, struct ew_datetime_value);
      *datetime = (struct ew_datetime_value){instant->local, instant->zone.offset, instant->zone.name};
      value.datetime = datetime;
      break;
    }
    default: EW_BUG("no instant: %s", ew_value_kind_name(kind));
  }
  return value;
}

ew_wide ew_instant_nanoseconds(const struct ew_instant *instant) {
  return (ew_wide)instant->local.day * EW_DAY + instant->local.nanoseconds - instant->zone.offset * EW_SECOND;
}

/* Rounds down. */
static int64_t divide_wide(ew_wide a, int64_t b, int64_t *rest) {
  ew_wide quotient = a / b - (a % b < 0);
  *rest = (int64_t)(a - quotient * b);
  return (int64_t)quotient;
}

bool ew_instant_set(struct ew_execution *run, struct ew_instant *instant, ew_wide nanoseconds) {
  int64_t rest, day = divide_wide(nanoseconds, EW_DAY, &rest);
  if (!in_range(run, day) || !ew_zone_at(run, &instant->zone, divide_wide(nanoseconds, EW_SECOND, &rest))) return false;
  instant->local.day = divide_wide(nanoseconds + instant->zone.offset * EW_SECOND, EW_DAY, &instant->local.nanoseconds);
  return true;
}

struct ew_instant ew_instant_now(struct ew_execution *run, struct ew_zone zone) {
  ew_run_is_open(run, EW_OPEN_CLOCK);
  struct ew_instant now = {.parts = EW_HAS_DATE | EW_HAS_TIME | EW_HAS_ZONE, .zone = zone};
  ew_instant_set(run, &now, run->options->now);
  return now;
}

/* ---- moving ---- */

static bool out_of_range(struct ew_execution *run) {
  ew_run_fail(run, EW_FAULT_ARGUMENT_VALUE, "an instant moves out of range");
  return false;
}

/* Months first, then days. After each the clock shows a time that the zone has, as Java's ZonedDateTime does it. */
bool ew_instant_shift_date(struct ew_execution *run, struct ew_instant *instant, int64_t months, int64_t days) {
  int32_t offset = instant->zone.offset;
  if (months) {
    if (!ew_add_months(&instant->local.day, months)) return out_of_range(run);
    if (!ew_zone_place(run, &instant->zone, &instant->local, &offset)) return false;
  }
  offset = instant->zone.offset;
  if (__builtin_add_overflow(instant->local.day, days, &instant->local.day)) return out_of_range(run);
  return in_range(run, instant->local.day) && (!days || ew_zone_place(run, &instant->zone, &instant->local, &offset));
}

struct ew_value ew_instant_shift(struct ew_execution *run, struct ew_value value,
                                 const struct ew_duration_value *duration, int sign) {
  struct ew_instant instant;
  int64_t months, days;
  ew_wide seconds = ((ew_wide)duration->seconds * EW_SECOND + duration->nanoseconds) * sign;
  if (!ew_instant_of(run, value, &instant)) return ew_null();
  if (!(instant.parts & EW_HAS_DATE)) {
    divide_wide(instant.local.nanoseconds + seconds, EW_DAY, &instant.local.nanoseconds);
    return ew_instant_value(run, value.kind, &instant);
  }
  if (__builtin_mul_overflow(duration->months, sign, &months) || __builtin_mul_overflow(duration->days, sign, &days)) {
    out_of_range(run);
    return ew_null();
  }
  if (!ew_instant_shift_date(run, &instant, months, days)) return ew_null();
  if (value.kind == EW_VALUE_DATE) { /* whole days of the seconds count, the rest does not */
    instant.local.day += (int64_t)(seconds / EW_DAY);
    return ew_instant_value(run, value.kind, &instant);
  }
  if (seconds && !ew_instant_set(run, &instant, ew_instant_nanoseconds(&instant) + seconds)) return ew_null();
  return ew_instant_value(run, value.kind, &instant);
}

/* ---- components ---- */

static bool date_component(const struct ew_instant *instant, struct ew_span key, int64_t *number) {
  int64_t day = instant->local.day;
  struct ew_civil date = ew_civil_from_day(day);
  struct ew_week_date week = ew_week_from_day(day);
  const struct {
    const char *key;
    int64_t number;
  } components[] = {
      {"year", date.year},
      {"quarter", (date.month + 2) / 3},
      {"month", date.month},
      {"week", week.week},
      {"weekYear", week.year},
      {"day", date.day},
      {"ordinalDay", day - ew_first_day(date.year, 1) + 1},
      {"weekDay", week.weekday},
      {"dayOfWeek", week.weekday},
      {"dayOfQuarter", day - ew_first_day(date.year, (date.month - 1) / 3 * 3 + 1) + 1},
  };
  for (size_t i = 0; i < EW_COUNT(components); i++) {
    if (!ew_span_is(key, components[i].key)) continue;
    *number = components[i].number;
    return true;
  }
  return false;
}

static bool time_component(const struct ew_instant *instant, struct ew_span key, int64_t *number) {
  static const struct {
    const char *key;
    int64_t size, bound;
  } components[] = {
      {"hour", 3600 * EW_SECOND, 24}, {"minute", 60 * EW_SECOND, 60}, {"second", EW_SECOND, 60},
      {"millisecond", 1000000, 1000}, {"microsecond", 1000, 1000000}, {"nanosecond", 1, EW_SECOND},
  };
  for (size_t i = 0; i < EW_COUNT(components); i++) {
    if (!ew_span_is(key, components[i].key)) continue;
    *number = instant->local.nanoseconds / components[i].size % components[i].bound;
    return true;
  }
  return false;
}

/* "+01:00" as the text of a time ends. */
static struct ew_value offset_text(struct ew_execution *run, int32_t offset) {
  struct ew_text text = {0};
  ew_value_print_iso(&text, (struct ew_value){.kind = EW_VALUE_TIME, .time = {0, offset}});
  struct ew_value value =
      ew_run_string(run, (struct ew_span){text.bytes + strlen("00:00:00"), text.length - strlen("00:00:00")});
  ew_text_release(&text);
  return value;
}

static bool zone_component(struct ew_execution *run, const struct ew_instant *instant, struct ew_span key,
                           struct ew_value *component) {
  int32_t offset = instant->zone.offset;
  bool zone = ew_span_is(key, "timezone");
  if (zone && instant->zone.name.length)
    *component = ew_string(instant->zone.name);
  else if (zone || ew_span_is(key, "offset"))
    *component = offset_text(run, offset);
  else if (ew_span_is(key, "offsetMinutes"))
    *component = ew_integer(offset / 60);
  else if (ew_span_is(key, "offsetSeconds"))
    *component = ew_integer(offset);
  else
    return false;
  return true;
}

static bool epoch_component(const struct ew_instant *instant, struct ew_span key, int64_t *number) {
  bool seconds = ew_span_is(key, "epochSeconds");
  int64_t rest;
  if (!seconds && !ew_span_is(key, "epochMillis")) return false;
  *number = divide_wide(ew_instant_nanoseconds(instant), seconds ? EW_SECOND : 1000000, &rest);
  return true;
}

bool ew_temporal_component(struct ew_execution *run, struct ew_value value, struct ew_span key,
                           struct ew_value *component) {
  if (value.kind == EW_VALUE_DURATION) return ew_duration_component(run, value.duration, key, component);
  if (!ew_instant_parts(value.kind)) return false;
  struct ew_instant instant;
  *component = ew_null();
  if (!ew_instant_of(run, value, &instant)) return true;
  int64_t number;
  if ((instant.parts & EW_HAS_ZONE) && zone_component(run, &instant, key, component)) return true;
  bool found = ((instant.parts & EW_HAS_DATE) && date_component(&instant, key, &number)) ||
               ((instant.parts & EW_HAS_TIME) && time_component(&instant, key, &number)) ||
               (value.kind == EW_VALUE_DATETIME && epoch_component(&instant, key, &number));
  if (found) *component = ew_integer(number);
  return found;
}
