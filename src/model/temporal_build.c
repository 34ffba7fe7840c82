/* temporal_build.c: instants from maps of fields: {year: 1984, week: 10}, {date: other, day: 28, timezone: '+01:00'}.
   */
#include "model/temporal.h"

/* FIELD(its name here, its key, least, most) */
#define FIELDS(FIELD)                                 \
  FIELD(YEAR, "year", -EW_YEAR_MAX, EW_YEAR_MAX)      \
  FIELD(MONTH, "month", 1, 12)                        \
  FIELD(DAY, "day", 1, 31)                            \
  FIELD(WEEK, "week", 1, 53)                          \
  FIELD(WEEKDAY, "dayOfWeek", 1, 7)                   \
  FIELD(QUARTER, "quarter", 1, 4)                     \
  FIELD(DAY_OF_QUARTER, "dayOfQuarter", 1, 92)        \
  FIELD(ORDINAL, "ordinalDay", 1, 366)                \
  FIELD(HOUR, "hour", 0, 23)                          \
  FIELD(MINUTE, "minute", 0, 59)                      \
  FIELD(SECOND, "second", 0, 59)                      \
  FIELD(MILLISECOND, "millisecond", 0, 999)           \
  FIELD(MICROSECOND, "microsecond", 0, 999999)        \
  FIELD(NANOSECOND, "nanosecond", 0, EW_SECOND - 1)   \
  FIELD(EPOCH_SECONDS, "epochSeconds", -EPOCH, EPOCH) \
  FIELD(EPOCH_MILLIS, "epochMillis", -EPOCH, EPOCH)
#define EPOCH (INT64_C(1) << 56)

enum field {
#define FIELD(name, key, least, most) name,
  FIELDS(FIELD)
#undef FIELD
      FIELD_COUNT
};

static const struct {
  const char *key;
  int64_t least, most;
} fields[] = {
#define FIELD(name, key, least, most) {key, least, most},
    FIELDS(FIELD)
#undef FIELD
};

/* What the map says. */
struct order {
  struct ew_execution *run;
  bool given[FIELD_COUNT];
  int64_t number[FIELD_COUNT];
  struct ew_instant date, time; /* that were selected; no parts where none was */
  bool zoned;                   /* a time zone is given */
  struct ew_zone zone;
};

static bool refuse(struct order *order, const char *why) {
  ew_run_fail(order->run, EW_FAULT_ARGUMENT_VALUE, "%s", why);
  return false;
}

/* ---- reading the map ---- */

static bool read_number(struct order *order, enum field field, struct ew_value value) {
  if (value.kind != EW_VALUE_INTEGER) return refuse(order, "a field of an instant must be an integer");
  if (value.integer < fields[field].least || value.integer > fields[field].most)
    return refuse(order, "a field of an instant is out of range");
  order->given[field] = true;
  order->number[field] = value.integer;
  return true;
}

static bool read_selected(struct order *order, struct ew_value value, unsigned wanted) {
  struct ew_instant instant;
  if (!ew_instant_of(order->run, value, &instant)) return false;
  if ((instant.parts & wanted) != wanted) return refuse(order, "the instant that is selected lacks a part");
  if (wanted & EW_HAS_DATE) order->date = instant;
  if (wanted & EW_HAS_TIME) order->time = instant;
  return true;
}

static bool read_item(struct order *order, const struct ew_item *item) {
  static const struct {
    const char *key;
    unsigned parts;
  } selections[] = {{"date", EW_HAS_DATE}, {"time", EW_HAS_TIME}, {"datetime", EW_HAS_DATE | EW_HAS_TIME}};
  for (enum field field = 0; field < FIELD_COUNT; field++)
    if (ew_span_is(item->key, fields[field].key)) return read_number(order, field, item->value);
  for (size_t i = 0; i < EW_COUNT(selections); i++)
    if (ew_span_is(item->key, selections[i].key)) return read_selected(order, item->value, selections[i].parts);
  if (!ew_span_is(item->key, "timezone")) return refuse(order, "no instant has a field of that name");
  if (item->value.kind != EW_VALUE_STRING) return refuse(order, "a time zone must be a string");
  order->zoned = true;
  return ew_zone_read(order->run, item->value.string, &order->zone);
}

/* ---- the date ---- */

static bool any(const struct order *order, enum field first, enum field last) {
  for (enum field field = first; field <= last; field++)
    if (order->given[field]) return true;
  return false;
}

static int64_t value_or(const struct order *order, enum field field, int64_t otherwise) {
  return order->given[field] ? order->number[field] : otherwise;
}

static bool build_week(const struct order *order, const int64_t *base, int64_t *day) {
  struct ew_week_date date = base ? ew_week_from_day(*base) : (struct ew_week_date){0, 0, 1};
  date.year = value_or(order, YEAR, date.year);
  date.week = (int32_t)value_or(order, WEEK, date.week); /* 0 is none: no such day */
  date.weekday = (int32_t)value_or(order, WEEKDAY, date.weekday);
  return ew_week_to_day(date, day);
}

/* The day of the month stays as well as it can where nothing else is said. */
static bool build_calendar(const struct order *order, struct ew_civil date, int64_t *day) {
  date.year = value_or(order, YEAR, date.year);
  date.month = (int32_t)value_or(order, MONTH, date.month);
  int32_t last = ew_days_in_month(date.year, date.month);
  if (date.day > last) date.day = last;
  date.day = (int32_t)value_or(order, DAY, date.day);
  return ew_civil_to_day(date, day);
}

static bool build_quarter(const struct order *order, struct ew_civil date, int64_t *day) {
  int64_t quarter = value_or(order, QUARTER, (date.month + 2) / 3), year = value_or(order, YEAR, date.year);
  if (order->given[DAY_OF_QUARTER]) return ew_quarter_to_day(year, quarter, order->number[DAY_OF_QUARTER], day);
  date.month = (int32_t)(quarter - 1) * 3 + (date.month - 1) % 3 + 1;
  return build_calendar(order, date, day);
}

static bool build_date(struct order *order, const int64_t *base, int64_t *day) {
  bool week = any(order, WEEK, WEEKDAY), quarter = any(order, QUARTER, DAY_OF_QUARTER), ordinal = order->given[ORDINAL];
  if (any(order, MONTH, DAY) + week + quarter + ordinal > 1) return refuse(order, "a date is given in two ways");
  if (!base && !order->given[YEAR]) return refuse(order, "a date needs a year");
  bool loose = (order->given[DAY] && !order->given[MONTH]) || (order->given[WEEKDAY] && !order->given[WEEK]) ||
               (order->given[DAY_OF_QUARTER] && !order->given[QUARTER]);
  if (!base && loose) return refuse(order, "a day of a month, week or quarter needs that too");
  struct ew_civil date = base ? ew_civil_from_day(*base) : (struct ew_civil){0, 1, 1};
  bool good = week      ? build_week(order, base, day)
              : quarter ? build_quarter(order, date, day)
              : ordinal ? ew_ordinal_to_day(value_or(order, YEAR, date.year), order->number[ORDINAL], day)
                        : build_calendar(order, date, day);
  return good || refuse(order, "there is no such day");
}

/* ---- the time ---- */

/* Milli-, micro- and nanoseconds together: the smaller ones count within the larger ones. */
static bool build_fraction(struct order *order, int64_t *nanoseconds) {
  bool milli = order->given[MILLISECOND], micro = order->given[MICROSECOND];
  if (milli && value_or(order, MICROSECOND, 0) > 999) return refuse(order, "microseconds beyond the millisecond");
  if ((milli || micro) && value_or(order, NANOSECOND, 0) > (micro ? 999 : 999999))
    return refuse(order, "nanoseconds beyond the larger unit");
  *nanoseconds = value_or(order, MILLISECOND, 0) * 1000000 + value_or(order, MICROSECOND, 0) * 1000 +
                 value_or(order, NANOSECOND, 0);
  return true;
}

/* `truncated`: fractions fill up what was cut away. */
static bool build_time(struct order *order, const int64_t *base, bool truncated, bool needs_hour,
                       int64_t *nanoseconds) {
  int64_t before = base ? *base : 0, fraction = before % EW_SECOND, seconds = before / EW_SECOND;
  bool loose = (order->given[MINUTE] && !order->given[HOUR]) || (order->given[SECOND] && !order->given[MINUTE]) ||
               (any(order, MILLISECOND, NANOSECOND) && !order->given[SECOND]) || (needs_hour && !order->given[HOUR]);
  if (!base && loose) return refuse(order, "a part of a time needs the larger ones too");
  if (any(order, MILLISECOND, NANOSECOND)) {
    int64_t kept = truncated ? fraction : 0;
    if (!build_fraction(order, &fraction)) return false;
    fraction += kept;
    if (fraction >= EW_SECOND) return refuse(order, "fractions beyond the second");
  }
  int64_t hour = value_or(order, HOUR, seconds / 3600), minute = value_or(order, MINUTE, seconds / 60 % 60);
  *nanoseconds = (hour * 3600 + minute * 60 + value_or(order, SECOND, seconds % 60)) * EW_SECOND + fraction;
  return true;
}

/* ---- all of it ---- */

/* {epochSeconds: …, nanosecond: …} and {epochMillis: …, nanosecond: …} select a moment of UTC. */
static bool select_epoch(struct order *order) {
  if (!any(order, EPOCH_SECONDS, EPOCH_MILLIS)) return true;
  if (any(order, YEAR, MICROSECOND) || order->date.parts || order->time.parts ||
      (order->given[EPOCH_SECONDS] && order->given[EPOCH_MILLIS]))
    return refuse(order, "a moment since 1970 is given in two ways");
  ew_wide moment = order->given[EPOCH_SECONDS] ? (ew_wide)order->number[EPOCH_SECONDS] * EW_SECOND
                                               : (ew_wide)order->number[EPOCH_MILLIS] * 1000000;
  struct ew_instant instant = {.parts = EW_HAS_DATE | EW_HAS_TIME | EW_HAS_ZONE, .zone = {0, EW_SPAN("")}};
  if (!ew_instant_set(order->run, &instant, moment + value_or(order, NANOSECOND, 0))) return false;
  order->given[NANOSECOND] = false;
  order->date = order->time = instant;
  return true;
}

/* Fields that the kind has no part for are mistakes. */
static bool check_parts(struct order *order, unsigned parts) {
  bool date = any(order, YEAR, ORDINAL) || (order->date.parts && !order->time.parts);
  bool time = any(order, HOUR, NANOSECOND) || (order->time.parts && !order->date.parts);
  if (date && !(parts & EW_HAS_DATE)) return refuse(order, "a time of day has no date");
  if (time && !(parts & EW_HAS_TIME)) return refuse(order, "a date has no time of day");
  if (order->zoned && !(parts & EW_HAS_ZONE)) return refuse(order, "a local time has no time zone");
  if (any(order, EPOCH_SECONDS, EPOCH_MILLIS) && !(parts & EW_HAS_ZONE))
    return refuse(order, "only a datetime counts from 1970");
  return true;
}

/* A zone of the map moves an instant whose own zone is known; otherwise it says how the clock is meant. */
static struct ew_value set_zone(struct order *order, enum ew_value_kind kind, bool truncated,
                                struct ew_instant *built) {
  struct ew_execution *run = order->run;
  bool dated = built->parts & EW_HAS_DATE, known = order->time.parts & EW_HAS_ZONE,
       moves = order->zoned && known && !truncated;
  int32_t offset = order->time.zone.offset;
  if (!dated) { /* a time of day has no room for a name: what the offset is depends on the day */
    if (order->zoned && order->zone.name.length)
      return ew_run_fail(run, EW_FAULT_ARGUMENT_VALUE, "a time needs an offset");
    order->time.zone.name = EW_SPAN("");
  }
  if (known) built->zone = order->time.zone;
  if (order->zoned && !moves) built->zone = order->zone;
  if (!ew_zone_place(run, &built->zone, &built->local, known && (moves || !order->zoned) ? &offset : NULL))
    return ew_null();
  if (!moves) return ew_instant_value(run, kind, built);
  ew_wide moment = ew_instant_nanoseconds(built);
  built->zone = order->zone;
  return ew_instant_set(run, built, moment) ? ew_instant_value(run, kind, built) : ew_null();
}

static struct ew_value build(struct order *order, enum ew_value_kind kind, bool truncated) {
  struct ew_instant built = {.parts = ew_instant_parts(kind), .zone = {0, EW_SPAN("")}};
  bool date = built.parts & EW_HAS_DATE, time = built.parts & EW_HAS_TIME;
  const int64_t *day = order->date.parts & EW_HAS_DATE ? &order->date.local.day : NULL;
  const int64_t *clock = order->time.parts & EW_HAS_TIME ? &order->time.local.nanoseconds : NULL;
  if (date && !build_date(order, day, &built.local.day)) return ew_null();
  if (time && !build_time(order, clock, truncated, !date, &built.local.nanoseconds)) return ew_null();
  if (!(built.parts & EW_HAS_ZONE)) return ew_instant_value(order->run, kind, &built);
  return set_zone(order, kind, truncated, &built);
}

struct ew_value ew_instant_build(struct ew_execution *run, enum ew_value_kind kind, struct ew_items map,
                                 const struct ew_instant *base) {
  struct order order = {.run = run, .zone = {0, EW_SPAN("")}};
  for (size_t i = 0; i < map.count; i++) {
    if (map.items[i].value.kind == EW_VALUE_NULL) {
      ew_run_is_open(run, EW_OPEN_UNDEFINED);
      return ew_null();
    }
    if (!read_item(&order, &map.items[i])) return ew_null();
  }
  if (!base && order.zoned && map.count == 1) { /* {timezone: 'Europe/London'}: now, there */
    struct ew_instant now = ew_instant_now(run, order.zone);
    return ew_instant_value(run, kind, &now);
  }
  if (!check_parts(&order, ew_instant_parts(kind)) || !select_epoch(&order)) return ew_null();
  if (base && (order.date.parts || order.time.parts))
    return ew_run_fail(run, EW_FAULT_ARGUMENT_VALUE, "nothing to select here");
  if (base) order.date = order.time = *base;
  return build(&order, kind, base != NULL);
}
