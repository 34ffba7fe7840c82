/* temporal_text.c: ISO 8601 texts of temporal values, and the calendar behind them.

   Years run far beyond what a date library takes (engines allow ±999,999,999, a hostile one sends any 64-bit day), so
   the calendar is our own: the 400 years after which it repeats have 146,097 days. */
#include "value/value.h"

__extension__ typedef __int128 wide;

#define NANOSECONDS INT64_C(1000000000)

/* ---- the calendar ---- */

enum {
  ERA_YEARS = 400,
  ERA_DAYS = 146097,
  EPOCH = 719468, /* days from 0000-03-01 to 1970-01-01; years that begin in March have their leap day last */
};

static int64_t floor_divide(int64_t a, int64_t b) { return a / b - (a % b < 0); }

struct ew_civil ew_civil_from_day(int64_t day) {
  int64_t era = floor_divide(day, ERA_DAYS), left = day % ERA_DAYS;
  if (left < 0) left += ERA_DAYS;
  left += EPOCH % ERA_DAYS; /* not `day + EPOCH`, which overflows */
  era += EPOCH / ERA_DAYS + left / ERA_DAYS;
  left %= ERA_DAYS;
  int64_t year = (left - left / 1460 + left / 36524 - left / (ERA_DAYS - 1)) / 365;
  int64_t day_of_year = left - (365 * year + year / 4 - year / 100);
  int64_t month = (5 * day_of_year + 2) / 153; /* from March; five months have 153 days */
  int64_t day_of_month = day_of_year - (153 * month + 2) / 5 + 1;
  year += era * ERA_YEARS + (month >= 10);
  return (struct ew_civil){year, (int32_t)(month < 10 ? month + 3 : month - 9), (int32_t)day_of_month};
}

static int32_t days_in_month(int64_t year, int32_t month) {
  static const int32_t days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  return days[month - 1] + (month == 2 && leap);
}

bool ew_civil_to_day(struct ew_civil date, int64_t *day) {
  if (date.month < 1 || date.month > 12 || date.day < 1 || date.day > days_in_month(date.year, date.month))
    return false;
  int64_t year;
  if (__builtin_sub_overflow(date.year, date.month <= 2, &year)) return false;
  int64_t era = floor_divide(year, ERA_YEARS), year_of_era = year - era * ERA_YEARS;
  int64_t month = date.month > 2 ? date.month - 3 : date.month + 9;
  int64_t day_of_year = (153 * month + 2) / 5 + date.day - 1;
  int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  wide days = (wide)era * ERA_DAYS + day_of_era - EPOCH;
  *day = (int64_t)days;
  return days >= INT64_MIN && days <= INT64_MAX;
}

/* ---- writing ---- */

static void add_padded(struct ew_text *text, uint64_t number, int width) {
  uint64_t bound = 10;
  for (int digits = 1; digits < width; digits++, bound *= 10)
    if (number < bound) ew_text_add_char(text, '0');
  ew_text_add_unsigned(text, number);
}

/* ".5" of 500,000,000; nothing of 0. */
static void add_fraction(struct ew_text *text, uint64_t nanoseconds) {
  if (!nanoseconds) return;
  ew_text_add_char(text, '.');
  add_padded(text, nanoseconds, 9);
  while (text->bytes[text->length - 1] == '0') ew_text_cut(text, text->length - 1);
}

static uint64_t magnitude(int64_t number) { return number < 0 ? 0 - (uint64_t)number : (uint64_t)number; }

static void add_date(struct ew_text *text, int64_t day) {
  struct ew_civil date = ew_civil_from_day(day);
  if (date.year < 0) ew_text_add_char(text, '-');
  if (date.year > 9999) ew_text_add_char(text, '+');
  add_padded(text, magnitude(date.year), 4);
  ew_text_add_char(text, '-');
  add_padded(text, (uint64_t)date.month, 2);
  ew_text_add_char(text, '-');
  add_padded(text, (uint64_t)date.day, 2);
}

/* "01:30" of 5400 seconds. */
static void add_clock(struct ew_text *text, uint64_t seconds) {
  add_padded(text, seconds / 3600, 2);
  ew_text_add_char(text, ':');
  add_padded(text, seconds / 60 % 60, 2);
}

static void add_time(struct ew_text *text, int64_t nanoseconds) {
  uint64_t since_midnight = magnitude(nanoseconds), seconds = since_midnight / NANOSECONDS;
  add_clock(text, seconds);
  ew_text_add_char(text, ':');
  add_padded(text, seconds % 60, 2);
  add_fraction(text, since_midnight % NANOSECONDS);
}

static void add_offset(struct ew_text *text, int32_t offset) {
  if (!offset) {
    ew_text_add_char(text, 'Z');
    return;
  }
  ew_text_add_char(text, offset < 0 ? '-' : '+');
  uint64_t seconds = magnitude(offset);
  add_clock(text, seconds);
  if (seconds % 60 == 0) return;
  ew_text_add_char(text, ':');
  add_padded(text, seconds % 60, 2);
}

static void add_day_time(struct ew_text *text, struct ew_day_time time) {
  add_date(text, time.day);
  ew_text_add_char(text, 'T');
  add_time(text, time.nanoseconds);
}

static void add_part(struct ew_text *text, bool negative, uint64_t number, uint64_t nanoseconds, char unit) {
  if (!number && !nanoseconds) return;
  if (negative) ew_text_add_char(text, '-');
  ew_text_add_unsigned(text, number);
  add_fraction(text, nanoseconds);
  ew_text_add_char(text, unit);
}

/* Each part with its own sign: "P-1Y3DT-0.5S". */
static void add_duration(struct ew_text *text, const struct ew_duration_value *duration) {
  size_t start = text->length;
  ew_text_add_char(text, 'P');
  uint64_t months = magnitude(duration->months);
  add_part(text, duration->months < 0, months / 12, 0, 'Y');
  add_part(text, duration->months < 0, months % 12, 0, 'M');
  add_part(text, duration->days < 0, magnitude(duration->days), 0, 'D');
  bool negative = duration->seconds < 0;
  uint64_t seconds = magnitude(duration->seconds), nanoseconds = (uint64_t)duration->nanoseconds;
  if (negative && nanoseconds) { /* -1 s + 0.5 s is -0.5 s */
    seconds--;
    nanoseconds = NANOSECONDS - nanoseconds;
  }
  if (seconds || nanoseconds) ew_text_add_char(text, 'T');
  add_part(text, negative, seconds / 3600, 0, 'H');
  add_part(text, negative, seconds / 60 % 60, 0, 'M');
  add_part(text, negative, seconds % 60, nanoseconds, 'S');
  if (text->length == start + 1) ew_text_add_string(text, "T0S");
}

void ew_value_print_iso(struct ew_text *text, struct ew_value value) {
  switch (value.kind) {
    case EW_VALUE_DATE: add_date(text, value.day); break;
    case EW_VALUE_LOCAL_TIME: add_time(text, value.time.nanoseconds); break;
    case EW_VALUE_TIME:
      add_time(text, value.time.nanoseconds);
      add_offset(text, value.time.offset);
      break;
    case EW_VALUE_LOCAL_DATETIME: add_day_time(text, value.local_datetime); break;
    case EW_VALUE_DATETIME:
      add_day_time(text, value.datetime->local);
      add_offset(text, value.datetime->offset);
      if (!value.datetime->zone.length) break;
      ew_text_add_char(text, '[');
      ew_text_add(text, value.datetime->zone);
      ew_text_add_char(text, ']');
      break;
    case EW_VALUE_DURATION: add_duration(text, value.duration); break;
    default: EW_BUG("no ISO text for %s", ew_value_kind_name(value.kind));
  }
}

/* ---- reading ---- */

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

/* At least `least` and at most `most` digits, under the sign. */
static bool read_digits(struct reader *reader, int least, int most, bool negative, int64_t *number) {
  int count = 0;
  for (*number = 0; at_digit(reader) && count < most; count++) {
    int digit = *reader->at++ - '0';
    if (__builtin_mul_overflow(*number, 10, number)) return false;
    if (__builtin_add_overflow(*number, negative ? -digit : digit, number)) return false;
  }
  return count >= least;
}

static bool read_two(struct reader *reader, int64_t bound, int64_t *number) {
  return read_digits(reader, 2, 2, false, number) && *number < bound;
}

/* The digits behind a point, up to nine. */
static bool read_fraction(struct reader *reader, int64_t *nanoseconds) {
  const char *start = reader->at;
  if (!read_digits(reader, 1, 9, false, nanoseconds)) return false;
  for (int64_t digits = reader->at - start; digits < 9; digits++) *nanoseconds *= 10;
  return true;
}

static bool read_date(struct reader *reader, int64_t *day) {
  bool negative = take(reader, '-');
  if (!negative) (void)take(reader, '+');
  int64_t year, month, day_of_month;
  if (!read_digits(reader, 4, 18, negative, &year) || !take(reader, '-')) return false;
  if (!read_two(reader, 13, &month) || !take(reader, '-') || !read_two(reader, 32, &day_of_month)) return false;
  return ew_civil_to_day((struct ew_civil){year, (int32_t)month, (int32_t)day_of_month}, day);
}

static bool read_time(struct reader *reader, int64_t *nanoseconds) {
  int64_t hours, minutes, seconds = 0, fraction = 0;
  if (!read_two(reader, 24, &hours) || !take(reader, ':') || !read_two(reader, 60, &minutes)) return false;
  if (take(reader, ':')) {
    if (!read_two(reader, 60, &seconds)) return false;
    if (take(reader, '.') && !read_fraction(reader, &fraction)) return false;
  }
  *nanoseconds = (hours * 3600 + minutes * 60 + seconds) * NANOSECONDS + fraction;
  return true;
}

/* "Z", "+01", "+0130", "+01:30", "+01:30:15". */
static bool read_offset(struct reader *reader, int32_t *offset) {
  *offset = 0;
  if (take(reader, 'Z')) return true;
  bool negative = take(reader, '-');
  if (!negative && !take(reader, '+')) return false;
  int64_t hours, minutes = 0, seconds = 0;
  if (!read_two(reader, 24, &hours)) return false;
  bool colon = take(reader, ':');
  if ((colon || at_digit(reader)) && !read_two(reader, 60, &minutes)) return false;
  if (colon && take(reader, ':') && !read_two(reader, 60, &seconds)) return false;
  int64_t east = hours * 3600 + minutes * 60 + seconds;
  *offset = (int32_t)(negative ? -east : east);
  return true;
}

static bool read_day_time(struct reader *reader, struct ew_day_time *time) {
  return read_date(reader, &time->day) && (take(reader, 'T') || take(reader, ' ')) &&
         read_time(reader, &time->nanoseconds);
}

static bool read_datetime(struct reader *reader, struct ew_arena *arena, struct ew_value *value) {
  struct ew_datetime_value *datetime = EW_NEW(arena, struct ew_datetime_value);
  if (!read_day_time(reader, &datetime->local) || !read_offset(reader, &datetime->offset)) return false;
  datetime->zone = EW_SPAN("");
  if (take(reader, '[')) {
    size_t length = (size_t)(reader->end - reader->at);
    if (length < 2 || reader->end[-1] != ']') return false;
    datetime->zone = ew_arena_copy(arena, (struct ew_span){reader->at, length - 1});
    reader->at = reader->end;
  }
  value->datetime = datetime;
  return true;
}

static bool add_product(int64_t *sum, int64_t number, int64_t unit) {
  int64_t product;
  return !__builtin_mul_overflow(number, unit, &product) && !__builtin_add_overflow(*sum, product, sum);
}

struct unit {
  char letter;
  enum { MONTHS, DAYS, SECONDS } of;
  int64_t size;
};
static const struct unit date_units[] = {{'Y', MONTHS, 12}, {'M', MONTHS, 1}, {'W', DAYS, 7}, {'D', DAYS, 1}};
static const struct unit time_units[] = {{'H', SECONDS, 3600}, {'M', SECONDS, 60}, {'S', SECONDS, 1}};

/* One part and its unit, which stands at `*next` or behind it; only seconds have a fraction. */
static bool read_part(struct reader *reader, const struct unit *units, size_t count, size_t *next, int64_t sums[3],
                      int64_t *nanoseconds) {
  bool negative = take(reader, '-');
  if (!negative) (void)take(reader, '+');
  int64_t number, fraction = 0;
  if (!read_digits(reader, 1, 19, negative, &number)) return false;
  bool fractional = take(reader, '.');
  if (fractional && !read_fraction(reader, &fraction)) return false;
  while (*next < count && !take(reader, units[*next].letter)) ++*next;
  if (*next == count || (fractional && units[*next].letter != 'S')) return false;
  const struct unit *unit = &units[(*next)++];
  *nanoseconds = negative ? -fraction : fraction;
  return add_product(&sums[unit->of], number, unit->size);
}

static bool read_duration(struct reader *reader, struct ew_arena *arena, struct ew_value *value) {
  int64_t sums[3] = {0}, nanoseconds = 0;
  if (!take(reader, 'P') || reader->at == reader->end) return false;
  size_t next = 0;
  while (reader->at < reader->end && *reader->at != 'T')
    if (!read_part(reader, date_units, EW_COUNT(date_units), &next, sums, &nanoseconds)) return false;
  if (take(reader, 'T')) {
    if (reader->at == reader->end) return false;
    next = 0;
    while (reader->at < reader->end)
      if (!read_part(reader, time_units, EW_COUNT(time_units), &next, sums, &nanoseconds)) return false;
  }
  if (nanoseconds < 0) {
    nanoseconds += NANOSECONDS;
    if (!add_product(&sums[SECONDS], -1, 1)) return false;
  }
  struct ew_duration_value *duration = EW_NEW(arena, struct ew_duration_value);
  *duration = (struct ew_duration_value){sums[MONTHS], sums[DAYS], sums[SECONDS], (int32_t)nanoseconds};
  value->duration = duration;
  return true;
}

static bool read_kind(struct reader *reader, struct ew_arena *arena, struct ew_value *value) {
  switch (value->kind) {
    case EW_VALUE_DATE: return read_date(reader, &value->day);
    case EW_VALUE_LOCAL_TIME: return read_time(reader, &value->time.nanoseconds);
    case EW_VALUE_TIME: return read_time(reader, &value->time.nanoseconds) && read_offset(reader, &value->time.offset);
    case EW_VALUE_LOCAL_DATETIME: return read_day_time(reader, &value->local_datetime);
    case EW_VALUE_DATETIME: return read_datetime(reader, arena, value);
    case EW_VALUE_DURATION: return read_duration(reader, arena, value);
    default: return false;
  }
}

bool ew_value_read_iso(struct ew_arena *arena, enum ew_value_kind kind, struct ew_span text, struct ew_value *value) {
  struct ew_value read = {.kind = kind, .time = {0, 0}};
  if (!text.length) return false;
  struct reader reader = {text.bytes, text.bytes + text.length};
  if (!read_kind(&reader, arena, &read) || reader.at != reader.end) return false;
  *value = read;
  return true;
}
