/* temporal_read.c: instants from ISO 8601 texts: basic and extended forms, weeks, quarters, ordinal days, whatever is
   left out at the end, and zones in brackets. */
#include "model/temporal.h"

struct reader {
  const char *at, *end;
};

static bool take(struct reader *reader, char c) {
  if (reader->at == reader->end || *reader->at != c) return false;
  reader->at++;
  return true;
}

static size_t digits_ahead(const struct reader *reader) {
  const char *at = reader->at;
  while (at < reader->end && *at >= '0' && *at <= '9') at++;
  return (size_t)(at - reader->at);
}

/* Exactly that many digits, of at most 9. */
static bool read_digits(struct reader *reader, size_t count, int64_t *number) {
  if (digits_ahead(reader) < count) return false;
  for (*number = 0; count; count--) *number = *number * 10 + (*reader->at++ - '0');
  return true;
}

/* ---- dates ---- */

/* Behind a year: "-W30-2", "W302", "-Q2-45", "Q245". */
static bool read_week(struct reader *reader, int64_t year, bool extended, int64_t *day) {
  int64_t week, weekday = 1;
  if (!read_digits(reader, 2, &week)) return false;
  if (extended ? take(reader, '-') : digits_ahead(reader) > 0)
    if (!read_digits(reader, 1, &weekday)) return false;
  return ew_week_to_day((struct ew_week_date){year, (int32_t)week, (int32_t)weekday}, day);
}

static bool read_quarter(struct reader *reader, int64_t year, bool extended, int64_t *day) {
  int64_t quarter, day_of_quarter = 1;
  if (!read_digits(reader, 1, &quarter)) return false;
  if (extended ? take(reader, '-') : digits_ahead(reader) > 0)
    if (!read_digits(reader, 2, &day_of_quarter)) return false;
  return ew_quarter_to_day(year, quarter, day_of_quarter, day);
}

/* Behind a year and its hyphen, or behind a year in basic form: "07-21", "0721", "07", "202". */
static bool read_month_day(struct reader *reader, int64_t year, bool extended, int64_t *day) {
  int64_t month = 1, day_of_month = 1, ordinal;
  size_t count = digits_ahead(reader);
  if (count == 3) return read_digits(reader, 3, &ordinal) && ew_ordinal_to_day(year, ordinal, day);
  if (count && !read_digits(reader, 2, &month)) return false;
  if (extended ? take(reader, '-') : count == 4)
    if (!read_digits(reader, 2, &day_of_month)) return false;
  return ew_civil_to_day((struct ew_civil){year, (int32_t)month, (int32_t)day_of_month}, day);
}

/* A year with a sign has as many digits as there are; one without has four. */
static bool read_date(struct reader *reader, int64_t *day) {
  bool negative = take(reader, '-'), sign = negative || take(reader, '+');
  size_t digits = digits_ahead(reader);
  if (digits < 4 || (sign ? digits > 9 : digits > 8)) return false;
  int64_t year;
  if (!read_digits(reader, sign ? digits : 4, &year)) return false;
  if (negative) year = -year;
  bool extended = take(reader, '-');
  if (extended && reader->at == reader->end) return false;
  if (take(reader, 'W')) return read_week(reader, year, extended, day);
  if (take(reader, 'Q')) return read_quarter(reader, year, extended, day);
  return read_month_day(reader, year, extended, day);
}

/* ---- times ---- */

static bool read_fraction(struct reader *reader, int64_t *nanoseconds) {
  size_t digits = digits_ahead(reader);
  if (digits < 1 || digits > 9 || !read_digits(reader, digits, nanoseconds)) return false;
  for (; digits < 9; digits++) *nanoseconds *= 10;
  return true;
}

static bool read_time(struct reader *reader, int64_t *nanoseconds) {
  int64_t parts[3] = {0}, fraction = 0;
  static const int64_t bounds[3] = {24, 60, 60};
  bool extended = false;
  size_t count = 0;
  for (; count < 3; count++) {
    if (count == 1) extended = take(reader, ':');
    if (count == 2 && extended && !take(reader, ':')) break;
    if (count && !extended && !digits_ahead(reader)) break;
    if (!read_digits(reader, 2, &parts[count]) || parts[count] >= bounds[count]) return false;
  }
  if (count == 3 && (take(reader, '.') || take(reader, ',')) && !read_fraction(reader, &fraction)) return false;
  *nanoseconds = (parts[0] * 3600 + parts[1] * 60 + parts[2]) * EW_SECOND + fraction;
  return true;
}

/* "+01:00", "[Europe/London]", both, or nothing, which is UTC. With both the offset must be one that the zone has then.
   */
static bool read_zone(struct ew_execution *run, struct reader *reader, struct ew_instant *instant) {
  struct ew_span rest = {reader->at, (size_t)(reader->end - reader->at)};
  instant->zone = (struct ew_zone){0, EW_SPAN("")};
  if (!rest.length) return true;
  size_t length = ew_offset_read(rest, &instant->zone.offset);
  reader->at += length;
  if (!take(reader, '[')) return length && reader->at == reader->end;
  if (!(instant->parts & EW_HAS_DATE) || reader->end[-1] != ']') return false;
  int32_t wanted = instant->zone.offset;
  struct ew_span name = {reader->at, (size_t)(reader->end - 1 - reader->at)};
  reader->at = reader->end;
  if (!ew_zone_read(run, name, &instant->zone)) return true;
  if (!ew_zone_place(run, &instant->zone, &instant->local, length ? &wanted : NULL)) return true;
  return !length || instant->zone.offset == wanted;
}

bool ew_instant_read(struct ew_execution *run, enum ew_value_kind kind, struct ew_span text,
                     struct ew_instant *instant) {
  *instant = (struct ew_instant){.parts = ew_instant_parts(kind), .zone = {0, EW_SPAN("")}};
  if (!text.length) return false;
  struct reader reader = {text.bytes, text.bytes + text.length};
  bool date = instant->parts & EW_HAS_DATE, time = instant->parts & EW_HAS_TIME;
  if (date && !read_date(&reader, &instant->local.day)) return false;
  if (date && time && reader.at < reader.end)
    time = take(&reader, 'T');
  else if (date)
    time = false;
  if (time && !read_time(&reader, &instant->local.nanoseconds)) return false;
  if (time && (instant->parts & EW_HAS_ZONE) && !read_zone(run, &reader, instant)) return false;
  return reader.at == reader.end;
}
