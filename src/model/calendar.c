/* calendar.c: weeks, quarters and ordinal days of the calendar whose days value/value.h counts. */
#include "model/temporal.h"

int64_t ew_floor_divide(int64_t a, int64_t b) { return a / b - (a % b < 0); }
int64_t ew_floor_modulo(int64_t a, int64_t b) { return a % b + (a % b < 0 ? b : 0); }

int32_t ew_days_in_month(int64_t year, int32_t month) {
  static const int32_t days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  return days[month - 1] + (month == 2 && leap);
}

/* Years are within EW_YEAR_MAX or a few beyond it, so that their days fit. */
int64_t ew_first_day(int64_t year, int32_t month) {
  int64_t day = 0;
  ew_civil_to_day((struct ew_civil){year, month, 1}, &day);
  return day;
}

static int32_t weekday(int64_t day) { return (int32_t)ew_floor_modulo(day + 3, 7) + 1; } /* 1970-01-01 was a Thursday */

struct ew_week_date ew_week_from_day(int64_t day) {
  int64_t thursday = day - weekday(day) + 4, year = ew_civil_from_day(thursday).year;
  return (struct ew_week_date){year, (int32_t)((thursday - ew_first_day(year, 1)) / 7) + 1, weekday(day)};
}

bool ew_week_to_day(struct ew_week_date date, int64_t *day) {
  if (date.week < 1 || date.week > 53 || date.weekday < 1 || date.weekday > 7) return false;
  int64_t fourth = ew_first_day(date.year, 1) + 3, monday = fourth - weekday(fourth) + 1;
  *day = monday + (date.week - 1) * 7 + date.weekday - 1;
  return ew_week_from_day(*day).year == date.year;
}

bool ew_ordinal_to_day(int64_t year, int64_t ordinal, int64_t *day) {
  *day = ew_first_day(year, 1) + ordinal - 1;
  return ordinal >= 1 && *day < ew_first_day(year + 1, 1);
}

bool ew_quarter_to_day(int64_t year, int64_t quarter, int64_t day_of_quarter, int64_t *day) {
  if (quarter < 1 || quarter > 4 || day_of_quarter < 1) return false;
  *day = ew_first_day(year, (int32_t)quarter * 3 - 2) + day_of_quarter - 1;
  return *day < (quarter < 4 ? ew_first_day(year, (int32_t)quarter * 3 + 1) : ew_first_day(year + 1, 1));
}

bool ew_add_months(int64_t *day, int64_t months) {
  struct ew_civil date = ew_civil_from_day(*day);
  int64_t total;
  if (__builtin_add_overflow(date.year * 12 + date.month - 1, months, &total)) return false;
  date.year = ew_floor_divide(total, 12);
  date.month = (int32_t)ew_floor_modulo(total, 12) + 1;
  if (date.year < -EW_YEAR_MAX || date.year > EW_YEAR_MAX) return false;
  int32_t last = ew_days_in_month(date.year, date.month);
  if (date.day > last) date.day = last;
  return ew_civil_to_day(date, day);
}
