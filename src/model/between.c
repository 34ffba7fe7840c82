/* between.c: the durations between two instants.

   Two instants need not have the same parts. A date alone is midnight; a time alone is of the other's day; without a
   zone it is the other's zone. Between two that both have dates there are months, days and a rest; else there is only
   the rest. */
#include "model/function.h"
#include "model/temporal.h"

struct pair {
  struct ew_instant from, to;
  bool dated; /* both had a date */
};

/* Gives `one` what only `other` has. */
static bool complete(struct ew_execution *run, struct ew_instant *one, const struct ew_instant *other) {
  if (!(one->parts & EW_HAS_DATE)) one->local.day = other->local.day;
  if (one->parts & EW_HAS_ZONE || !(other->parts & EW_HAS_ZONE)) return true;
  one->zone = other->zone;
  return ew_zone_place(run, &one->zone, &one->local, NULL);
}

static bool make_pair(struct ew_execution *run, const struct ew_value *arguments, struct pair *pair) {
  if (!ew_instant_of(run, arguments[0], &pair->from) || !ew_instant_of(run, arguments[1], &pair->to)) return false;
  pair->dated = pair->from.parts & pair->to.parts & EW_HAS_DATE;
  struct ew_instant from = pair->from;
  return complete(run, &pair->from, &pair->to) && complete(run, &pair->to, &from);
}

/* Where the clock of the first shows the second's moment. */
static bool end_by_first(struct ew_execution *run, const struct pair *pair, struct ew_day_time *end) {
  struct ew_instant to = pair->to;
  to.zone = pair->from.zone;
  if (!ew_instant_set(run, &to, ew_instant_nanoseconds(&pair->to))) return false;
  *end = to.local;
  return true;
}

static int compare_clocks(struct ew_day_time a, struct ew_day_time b) {
  return (a.nanoseconds > b.nanoseconds) - (a.nanoseconds < b.nanoseconds);
}

/* The last whole day of the way: one is missing where the clock does not get round. */
static int64_t last_day(struct ew_day_time start, struct ew_day_time end) {
  if (end.day > start.day) return end.day - (compare_clocks(end, start) < 0);
  if (end.day < start.day) return end.day + (compare_clocks(end, start) > 0);
  return end.day;
}

static int64_t whole_months(struct ew_day_time start, struct ew_day_time end) {
  struct ew_civil a = ew_civil_from_day(start.day), b = ew_civil_from_day(last_day(start, end));
  int64_t months = (b.year - a.year) * 12 + b.month - a.month;
  if (months > 0 && b.day < a.day) months--;
  if (months < 0 && b.day > a.day) months++;
  return months;
}

struct ew_value ew_function_duration_between(struct ew_execution *run, const struct ew_value *arguments, size_t count) {
  (void)count;
  struct pair pair;
  struct ew_day_time end;
  if (!make_pair(run, arguments, &pair)) return ew_null();
  int64_t months = 0, days = 0;
  if (pair.dated) {
    if (!end_by_first(run, &pair, &end)) return ew_null();
    months = whole_months(pair.from.local, end);
    if (!ew_instant_shift_date(run, &pair.from, months, 0)) return ew_null();
    days = last_day(pair.from.local, end) - pair.from.local.day;
    if (!ew_instant_shift_date(run, &pair.from, 0, days)) return ew_null();
  }
  return ew_duration_value_of(run, months, days, ew_instant_nanoseconds(&pair.to) - ew_instant_nanoseconds(&pair.from));
}

struct ew_value ew_function_duration_in_months(struct ew_execution *run, const struct ew_value *arguments,
                                               size_t count) {
  (void)count;
  struct pair pair;
  struct ew_day_time end;
  if (!make_pair(run, arguments, &pair)) return ew_null();
  if (!pair.dated) return ew_duration_value_of(run, 0, 0, 0);
  if (!end_by_first(run, &pair, &end)) return ew_null();
  return ew_duration_value_of(run, whole_months(pair.from.local, end), 0, 0);
}

struct ew_value ew_function_duration_in_days(struct ew_execution *run, const struct ew_value *arguments, size_t count) {
  (void)count;
  struct pair pair;
  struct ew_day_time end;
  if (!make_pair(run, arguments, &pair)) return ew_null();
  if (!pair.dated) return ew_duration_value_of(run, 0, 0, 0);
  if (!end_by_first(run, &pair, &end)) return ew_null();
  return ew_duration_value_of(run, 0, last_day(pair.from.local, end) - pair.from.local.day, 0);
}

struct ew_value ew_function_duration_in_seconds(struct ew_execution *run, const struct ew_value *arguments,
                                                size_t count) {
  (void)count;
  struct pair pair;
  if (!make_pair(run, arguments, &pair)) return ew_null();
  return ew_duration_value_of(run, 0, 0, ew_instant_nanoseconds(&pair.to) - ew_instant_nanoseconds(&pair.from));
}
