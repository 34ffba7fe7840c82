/* temporal.h: instants and durations taken apart: what the temporal_*.c files share. For this room only.

   Every instant (date, local time, time, local datetime, datetime) is a struct ew_instant with some of its three parts:
   a date, a time of day, a zone. What a part that is missing holds is 0 and means nothing. */
#ifndef EW_MODEL_TEMPORAL_H
#define EW_MODEL_TEMPORAL_H

#include "model/run.h"
#include "model/zone.h"

__extension__ typedef __int128 ew_wide;

#define EW_SECOND INT64_C(1000000000) /* in nanoseconds */
#define EW_DAY_SECONDS INT64_C(86400)
#define EW_DAY (EW_DAY_SECONDS * EW_SECOND)
#define EW_YEAR_MAX INT64_C(999999999) /* as Neo4j has it, on both sides of 0 */

enum { EW_HAS_DATE = 1, EW_HAS_TIME = 2, EW_HAS_ZONE = 4 };

struct ew_instant {
  unsigned parts;
  struct ew_day_time local;
  struct ew_zone zone;
};

/* The parts of a kind of value; 0 where it is no instant. */
unsigned ew_instant_parts(enum ew_value_kind kind);
/* Takes an instant apart. False (and failed) where the value is none, or is of a year out of range. */
bool ew_instant_of(struct ew_execution *run, struct ew_value value, struct ew_instant *instant);
/* As a value of `kind`; parts that it has and the kind has not are dropped. Fails where the year is out of range. */
struct ew_value ew_instant_value(struct ew_execution *run, enum ew_value_kind kind, const struct ew_instant *instant);
/* Nanoseconds since 1970, by UTC. */
ew_wide ew_instant_nanoseconds(const struct ew_instant *instant);
/* Sets local time and offset from nanoseconds since 1970 UTC and the zone's name or fixed offset. False (and failed)
   where the zone's rules are not known for then. */
bool ew_instant_set(struct ew_execution *run, struct ew_instant *instant, ew_wide nanoseconds);
/* Moves the date; false (and failed) where it leaves the range. */
bool ew_instant_shift_date(struct ew_execution *run, struct ew_instant *instant, int64_t months, int64_t days);
/* The moment that the model takes for now, in that zone. */
struct ew_instant ew_instant_now(struct ew_execution *run, struct ew_zone zone);

/* ---- the calendar (calendar.c) ---- */

struct ew_week_date {
  int64_t year;
  int32_t week, weekday; /* from 1; Monday is 1 */
};

int32_t ew_days_in_month(int64_t year, int32_t month);
struct ew_week_date ew_week_from_day(int64_t day);
/* False where there is no such day. */
bool ew_week_to_day(struct ew_week_date date, int64_t *day);
bool ew_ordinal_to_day(int64_t year, int64_t ordinal, int64_t *day);
bool ew_quarter_to_day(int64_t year, int64_t quarter, int64_t day_of_quarter, int64_t *day);
int64_t ew_first_day(int64_t year, int32_t month);
/* `months` later, on the same day of the month or the last that it has. False where the year is out of range. */
bool ew_add_months(int64_t *day, int64_t months);
/* a / b and a % b that round down. */
int64_t ew_floor_divide(int64_t a, int64_t b);
int64_t ew_floor_modulo(int64_t a, int64_t b);

/* ---- making instants ---- */

/* From ISO 8601 text, in all of its forms (temporal_read.c). False where it is none; what the zone lacks is a failure.
   */
bool ew_instant_read(struct ew_execution *run, enum ew_value_kind kind, struct ew_span text,
                     struct ew_instant *instant);
/* From a map of fields (temporal_build.c). With `base` what the map does not say is the base's, and its zone gives way
   to the map's without moving the clock. */
struct ew_value ew_instant_build(struct ew_execution *run, enum ew_value_kind kind, struct ew_items map,
                                 const struct ew_instant *base);

/* ---- durations (duration.c, duration_read.c) ---- */

/* A sum of amounts. Months that are no whole number go on as days, days as seconds. In nanoseconds, where a month has
   the length of the average one. */
struct ew_amounts {
  ew_wide months, days, seconds;
};
#define EW_MONTH (INT64_C(2629746) * EW_SECOND) /* a twelfth of the average year of 365.2425 days */

struct ew_value ew_duration_value_of(struct ew_execution *run, int64_t months, int64_t days, ew_wide nanoseconds);
struct ew_value ew_duration_of_amounts(struct ew_execution *run, const struct ew_amounts *amounts);
bool ew_duration_component(struct ew_execution *run, const struct ew_duration_value *duration, struct ew_span key,
                           struct ew_value *component);
bool ew_duration_read(struct ew_span text, struct ew_amounts *amounts);

/* Moves an instant by a duration, `sign` times: months, days, and then seconds. */
struct ew_value ew_instant_shift(struct ew_execution *run, struct ew_value value,
                                 const struct ew_duration_value *duration, int sign);

#endif
