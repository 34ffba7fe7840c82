/* duration_read.c: durations from ISO 8601 texts: "P1Y2M10DT2H30M", "P2.5W", "P2012-02-02T14:37:21.545". */
#include "model/temporal.h"

struct reader {
  const char *at, *end;
};

static bool take(struct reader *reader, char c) {
  if (reader->at == reader->end || *reader->at != c) return false;
  reader->at++;
  return true;
}

static bool at_digit(const struct reader *reader) {
  return reader->at < reader->end && *reader->at >= '0' && *reader->at <= '9';
}

/* At least `least` and at most `most` digits. */
static bool read_digits(struct reader *reader, int least, int most, int64_t *number) {
  int count = 0;
  for (*number = 0; at_digit(reader) && count < most; count++)
    if (__builtin_mul_overflow(*number, 10, number) || __builtin_add_overflow(*number, *reader->at++ - '0', number))
      return false;
  return count >= least;
}

/* In billionths; 0 where there is none. */
static bool read_fraction(struct reader *reader, int64_t *fraction) {
  *fraction = 0;
  if (!take(reader, '.') && !take(reader, ',')) return true;
  const char *start = reader->at;
  if (!read_digits(reader, 1, 9, fraction)) return false;
  for (int64_t digits = reader->at - start; digits < 9; digits++) *fraction *= 10;
  return true;
}

struct unit {
  char letter;
  int64_t size;
};
static const struct unit month_units[] = {{'Y', 12 * EW_MONTH}, {'M', EW_MONTH}};
static const struct unit day_units[] = {{'W', 7 * EW_DAY}, {'D', EW_DAY}};
static const struct unit second_units[] = {{'H', 3600 * EW_SECOND}, {'M', 60 * EW_SECOND}, {'S', EW_SECOND}};

/* One unit and the amounts it belongs to, in the order in which they stand. */
static const struct unit *find_unit(char letter, bool time, struct ew_amounts *amounts, ew_wide **sum) {
  const struct {
    const struct unit *units;
    size_t count;
    ew_wide *sum;
  } groups[] = {{month_units, EW_COUNT(month_units), &amounts->months},
                {day_units, EW_COUNT(day_units), &amounts->days},
                {second_units, EW_COUNT(second_units), &amounts->seconds}};
  for (size_t group = time ? 2 : 0; group < (time ? 3u : 2u); group++) {
    for (size_t i = 0; i < groups[group].count; i++) {
      if (groups[group].units[i].letter != letter) continue;
      *sum = groups[group].sum;
      return &groups[group].units[i];
    }
  }
  return NULL;
}

/* Units go down, each at most once. */
static bool read_parts(struct reader *reader, bool time, struct ew_amounts *amounts) {
  int64_t last = INT64_MAX;
  while (reader->at < reader->end && *reader->at != 'T') {
    int64_t number, fraction;
    bool negative = take(reader, '-');
    if (!negative) (void)take(reader, '+');
    if (!read_digits(reader, 1, 19, &number) || !read_fraction(reader, &fraction) || reader->at == reader->end)
      return false;
    ew_wide *sum, amount;
    const struct unit *unit = find_unit(*reader->at++, time, amounts, &sum);
    if (!unit || unit->size >= last) return false;
    last = unit->size;
    amount = (ew_wide)number * unit->size + (ew_wide)fraction * unit->size / EW_SECOND;
    *sum += negative ? -amount : amount;
  }
  return last != INT64_MAX;
}

/* "2012-02-02T14:37:21.545" behind the P: years, months, days, hours, minutes, seconds. */
static bool read_dated(struct reader *reader, struct ew_amounts *amounts) {
  int64_t year, month, day, hour = 0, minute = 0, second = 0, fraction = 0;
  if (!read_digits(reader, 4, 4, &year) || !take(reader, '-') || !read_digits(reader, 2, 2, &month) ||
      !take(reader, '-') || !read_digits(reader, 2, 2, &day))
    return false;
  if (reader->at < reader->end) {
    if (!take(reader, 'T') || !read_digits(reader, 2, 2, &hour) || !take(reader, ':') ||
        !read_digits(reader, 2, 2, &minute) || !take(reader, ':') || !read_digits(reader, 2, 2, &second) ||
        !read_fraction(reader, &fraction))
      return false;
  }
  amounts->months = (ew_wide)(year * 12 + month) * EW_MONTH;
  amounts->days = (ew_wide)day * EW_DAY;
  amounts->seconds = (hour * 3600 + minute * 60 + second) * EW_SECOND + fraction;
  return reader->at == reader->end;
}

bool ew_duration_read(struct ew_span text, struct ew_amounts *amounts) {
  *amounts = (struct ew_amounts){0};
  if (!text.length) return false;
  struct reader reader = {text.bytes, text.bytes + text.length};
  bool negative = take(&reader, '-');
  if (!negative) (void)take(&reader, '+');
  if (!take(&reader, 'P')) return false;
  struct reader dated = reader;
  if (!read_dated(&dated, amounts)) {
    *amounts = (struct ew_amounts){0};
    bool date = reader.at < reader.end && *reader.at != 'T';
    if (date && !read_parts(&reader, false, amounts)) return false;
    bool time = take(&reader, 'T');
    if (time && !read_parts(&reader, true, amounts)) return false;
    if ((!date && !time) || reader.at != reader.end) return false;
  }
  if (negative) *amounts = (struct ew_amounts){-amounts->months, -amounts->days, -amounts->seconds};
  return true;
}
