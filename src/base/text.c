/* text.c: growth by doubling; numbers without the locale. */
#include "base/text.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "base/hash.h"

void ew_text_init(struct ew_text *text) { *text = (struct ew_text){0}; }

void ew_text_release(struct ew_text *text) {
  ew_deallocate(text->bytes);
  ew_text_init(text);
}

void ew_text_reserve(struct ew_text *text, size_t extra) {
  EW_ASSERT(extra < SIZE_MAX / 4);
  size_t needed = text->length + extra + 1;
  if (needed <= text->capacity) return;
  size_t capacity = text->capacity ? text->capacity : 64;
  while (capacity < needed) capacity *= 2;
  text->bytes = ew_reallocate(text->bytes, capacity);
  text->capacity = capacity;
}

void ew_text_add_unsigned(struct ew_text *text, uint64_t number) {
  char digits[20];
  if (number < 10) {
    ew_text_add_char(text, (char)('0' + number));
    return;
  }
  size_t at = sizeof digits;
  do {
    digits[--at] = (char)('0' + number % 10);
    number /= 10;
  } while (number);
  ew_text_add_bytes(text, digits + at, sizeof digits - at);
}

void ew_text_add_integer(struct ew_text *text, int64_t number) {
  if (number < 0) ew_text_add_char(text, '-');
  ew_text_add_unsigned(text, number < 0 ? 0 - (uint64_t)number : (uint64_t)number);
}

void ew_text_add_format(struct ew_text *text, const char *format, ...) {
  EW_ASSERT(format);
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  int length = vsnprintf(NULL, 0, format, arguments);
  va_end(arguments);
  EW_ASSERT(length >= 0);
  ew_text_reserve(text, (size_t)length);
  vsnprintf(text->bytes + text->length, (size_t)length + 1, format, again);
  va_end(again);
  text->length += (size_t)length;
}

/* ---- doubles ---- */

#define SMALLEST_PLAIN 1e-5 /* anything smaller is written with an exponent */

/* Whole numbers and short decimals need no search: a whole number below 2^53, or one below 10^15 over a small power
   of ten, are exact, so their quotient is the double nearest to that decimal. The first power that gives the number
   back gives its fewest digits. False where there is none. */
static bool add_short(struct ew_text *text, double size) {
  static const double powers[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8};
  if (size < 0x1p53 && size == (double)(uint64_t)size) {
    ew_text_add_unsigned(text, (uint64_t)size);
    ew_text_add_string(text, ".0");
    return true;
  }
  if (size < SMALLEST_PLAIN) return false;
  for (size_t places = 1; places < EW_COUNT(powers) && size < 1e15 / powers[places]; places++) {
    uint64_t digits = (uint64_t)(size * powers[places] + 0.5);
    if ((double)digits / powers[places] != size) continue;
    ew_text_add_unsigned(text, digits / (uint64_t)powers[places]);
    ew_text_add_char(text, '.');
    char fraction[EW_COUNT(powers)];
    for (size_t i = places; i > 0; i--, digits /= 10) fraction[i - 1] = (char)('0' + digits % 10);
    ew_text_add_bytes(text, fraction, places);
    return true;
  }
  return false;
}

/* The shortest digits, first before the point, and the power of ten of the first. */
static size_t find_digits(double size, char digits[static 17], int *exponent) {
  char scientific[40];
  /* Any 15 digits survive a normal double, so fewer never read back where 15 do not. Below that range they may. */
  for (int precision = size < DBL_MIN ? 1 : 15; precision <= 17; precision++) {
    snprintf(scientific, sizeof scientific, "%.*e", precision - 1, size);
    if (strtod(scientific, NULL) == size) break;
  }
  size_t count = 0;
  const char *at = scientific;
  for (; *at != 'e'; at++)
    if (*at >= '0' && *at <= '9') digits[count++] = *at; /* else the locale's point */
  *exponent = (int)strtol(at + 1, NULL, 10);
  while (count > 1 && digits[count - 1] == '0') count--;
  return count;
}

static void add_zeros(struct ew_text *text, int count) {
  for (; count > 0; count--) ew_text_add_char(text, '0');
}

/* Any positive double, by searching for its digits. */
static void add_searched(struct ew_text *text, double size) {
  enum { LARGEST_PLAIN = 15 }; /* power of ten that is written without an exponent */
  char digits[17];
  int exponent;
  size_t count = find_digits(size, digits, &exponent);
  bool plain = size >= SMALLEST_PLAIN && exponent <= LARGEST_PLAIN;
  if (plain && exponent < 0) {
    ew_text_add_string(text, "0.");
    add_zeros(text, -exponent - 1);
    ew_text_add_bytes(text, digits, count);
    return;
  }
  size_t whole = plain ? (size_t)exponent + 1 : 1, present = whole < count ? whole : count;
  ew_text_add_bytes(text, digits, present);
  add_zeros(text, (int)(whole - present));
  if (plain || present < count) ew_text_add_char(text, '.');
  ew_text_add_bytes(text, digits + present, count - present);
  if (plain && present == count) ew_text_add_char(text, '0');
  if (plain) return;
  ew_text_add_string(text, exponent < 0 ? "e" : "e+");
  ew_text_add_integer(text, exponent);
}

/* The digits of a double take long to find, and the same few come again and again: what was found last is kept. */
static void add_remembered(struct ew_text *text, double size) {
  enum { PLACES = 256 };
  static _Thread_local struct {
    double size;
    size_t length; /* 0: nothing is here */
    char bytes[40];
  } memory[PLACES];
  size_t at = ew_hash_bytes(&size, sizeof size, 0) % PLACES, start = text->length;
  if (memory[at].length && memory[at].size == size) {
    ew_text_add_bytes(text, memory[at].bytes, memory[at].length);
    return;
  }
  add_searched(text, size);
  size_t length = text->length - start;
  if (length > sizeof memory[at].bytes) return;
  memory[at].size = size;
  memory[at].length = length;
  memcpy(memory[at].bytes, text->bytes + start, length);
}

void ew_text_add_double(struct ew_text *text, double number) {
  if (signbit(number)) ew_text_add_char(text, '-');
  double size = fabs(number);
  if (!add_short(text, size)) add_remembered(text, size);
}
