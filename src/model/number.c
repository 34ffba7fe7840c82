/* number.c: numbers from texts and to fewer digits, without the locale. */
#include "model/number.h"

#include <math.h>

enum { MOST_DIGITS = 17 }; /* of the decimal that reads back to the same double */

static bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static struct ew_span strip(struct ew_span text) {
  while (text.length && is_blank(text.bytes[0])) text = (struct ew_span){text.bytes + 1, text.length - 1};
  while (text.length && is_blank(text.bytes[text.length - 1])) text.length--;
  return text;
}

/* Takes a sign away; whether it was a minus. */
static bool take_sign(struct ew_span *text) {
  bool negative = text->length && text->bytes[0] == '-';
  if (negative || (text->length && text->bytes[0] == '+')) *text = (struct ew_span){text->bytes + 1, text->length - 1};
  return negative;
}

bool ew_integer_read(struct ew_span text, int64_t *number) {
  text = strip(text);
  bool negative = take_sign(&text);
  *number = 0;
  for (size_t i = 0; i < text.length; i++) {
    if (!is_digit(text.bytes[i]) || __builtin_mul_overflow(*number, 10, number)) return false;
    int digit = text.bytes[i] - '0';
    if (__builtin_add_overflow(*number, negative ? -digit : digit, number)) return false;
  }
  return text.length > 0;
}

/* An exponent in at most six digits, at the start of `text`; `exponent` grows by it. */
static bool read_exponent(struct ew_span text, int64_t *exponent) {
  int64_t number;
  if (!text.length || text.length > 7 || is_blank(text.bytes[0]) || !ew_integer_read(text, &number)) return false;
  *exponent += number;
  return true;
}

bool ew_float_read(struct ew_span text, double *number) {
  text = strip(text);
  bool negative = take_sign(&text), good = true, point = false;
  if (ew_span_is(text, "NaN") || ew_span_is(text, "Infinity")) {
    *number = text.bytes[0] == 'N' ? NAN : negative ? -INFINITY : INFINITY;
    return true;
  }
  struct ew_text digits = {0}; /* a whole number with an exponent: a point would depend on the locale */
  int64_t exponent = 0;
  size_t i = 0;
  for (; i < text.length && text.bytes[i] != 'e' && text.bytes[i] != 'E'; i++) {
    if (text.bytes[i] == '.' && !point) {
      point = true;
      continue;
    }
    good &= is_digit(text.bytes[i]);
    ew_text_add_char(&digits, text.bytes[i]);
    exponent -= point;
  }
  good &= digits.length > 0;
  if (i < text.length)
    good = good && read_exponent((struct ew_span){text.bytes + i + 1, text.length - i - 1}, &exponent);
  if (good) {
    ew_text_add_char(&digits, 'e');
    ew_text_add_integer(&digits, exponent);
    *number = strtod(digits.bytes, NULL);
    if (negative) *number = -*number;
  }
  ew_text_release(&digits);
  return good;
}

/* ---- rounding ---- */

/* Whether a number whose digits are cut before `cut` goes away from zero. */
static bool goes_away(const char *digits, size_t count, size_t cut, bool negative, enum ew_rounding rounding) {
  bool rest = false, beyond_half = false;
  for (size_t i = cut; i < count; i++) rest |= digits[i] != '0';
  char first = cut < count ? digits[cut] : '0';
  for (size_t i = cut + 1; i < count; i++) beyond_half |= digits[i] != '0';
  bool half = first == '5' && !beyond_half, more = first > '5' || (first == '5' && beyond_half);
  bool odd = cut > 0 && (digits[cut - 1] - '0') % 2 == 1;
  switch (rounding) {
    case EW_ROUND_UP: return rest;
    case EW_ROUND_DOWN: return false;
    case EW_ROUND_CEILING: return rest && !negative;
    case EW_ROUND_FLOOR: return rest && negative;
    case EW_ROUND_HALF_UP: return more || half;
    case EW_ROUND_HALF_DOWN: return more;
    case EW_ROUND_HALF_EVEN: return more || (half && odd);
  }
  EW_BUG("rounding %d", (int)rounding);
}

/* The shortest decimal digits of a positive number behind a zero, which is room to carry into, and the power of ten of
   the first. */
static size_t find_digits(double size, char *digits, int64_t *exponent) {
  char scientific[40];
  for (int precision = 1; precision <= MOST_DIGITS; precision++) {
    snprintf(scientific, sizeof scientific, "%.*e", precision - 1, size);
    if (strtod(scientific, NULL) == size) break;
  }
  size_t count = 0;
  digits[count++] = '0';
  const char *at = scientific;
  for (; *at != 'e'; at++)
    if (is_digit(*at)) digits[count++] = *at; /* else the locale's point */
  *exponent = strtol(at + 1, NULL, 10);
  return count;
}

double ew_float_round(double number, int64_t places, enum ew_rounding rounding) {
  char digits[MOST_DIGITS + 1];
  int64_t exponent;
  if (number == 0 || places > 400) return number;
  size_t count = find_digits(fabs(number), digits, &exponent);
  int64_t keep = exponent + 2 + places; /* digits that stay, the zero among them */
  if (keep >= (int64_t)count) return number;
  size_t cut = keep < 0 ? 0 : (size_t)keep;
  bool away = goes_away(digits, count, cut, number < 0, rounding);
  struct ew_text text = {0};
  if (cut == 0) ew_text_add_char(&text, away ? '1' : '0');
  for (size_t i = cut; away && i-- > 0;) {
    away = digits[i] == '9';
    digits[i] = away ? '0' : (char)(digits[i] + 1);
  }
  ew_text_add_bytes(&text, digits, cut);
  ew_text_add_char(&text, 'e');
  ew_text_add_integer(&text, -places);
  double rounded = copysign(strtod(text.bytes, NULL), number);
  ew_text_release(&text);
  return rounded;
}
