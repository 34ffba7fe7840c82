/* read.c: reads values back from the text that print.c writes, and little more: literals of profiles and of stored
   cases. The full language has its own parser in another room. */
#include <math.h>
#include <stdlib.h>

#include "base/utf8.h"
#include "base/vector.h"
#include "value/value.h"

struct reader {
  struct ew_arena *arena;
  struct ew_span source;
  size_t at;
  unsigned depth;
  struct ew_text scratch; /* of strings and names with escapes, and of numbers */
  struct ew_error *error;
};

static enum ew_status read_value(struct reader *reader, struct ew_value *value);

static enum ew_status bad(struct reader *reader, const char *what) {
  return ew_fail(reader->error, EW_BAD, "a value's text, byte %zu: %s", reader->at, what);
}

static char peek(const struct reader *reader) {
  return reader->at < reader->source.length ? reader->source.bytes[reader->at] : '\0';
}

static void skip_space(struct reader *reader) {
  for (;; reader->at++) {
    char c = peek(reader);
    if (c != ' ' && c != '\t' && c != '\n' && c != '\r') return;
  }
}

static bool take(struct reader *reader, char c) {
  skip_space(reader);
  if (c != peek(reader)) return false;
  reader->at++;
  return true;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/* ---- strings and names ---- */

static enum ew_status read_code(struct reader *reader) {
  uint32_t code = 0;
  for (int i = 0; i < 4; i++) {
    static const char digits[] = "0123456789abcdef";
    char c = peek(reader);
    const char *found = c ? strchr(digits, c >= 'A' && c <= 'F' ? c - 'A' + 'a' : c) : NULL;
    if (!found) return bad(reader, "four hexadecimal digits expected after \\u");
    code = code << 4 | (uint32_t)(found - digits);
    reader->at++;
  }
  if (code >= 0xd800 && code < 0xe000) return bad(reader, "a surrogate is no character");
  ew_utf8_add(&reader->scratch, code);
  return EW_OK;
}

static enum ew_status read_escape(struct reader *reader) {
  static const char letters[] = "\\'\"ntrbf", meanings[] = "\\'\"\n\t\r\b\f";
  char letter = peek(reader);
  if (letter) reader->at++;
  if (letter == 'u') return read_code(reader);
  const char *found = letter ? strchr(letters, letter) : NULL;
  if (!found) return bad(reader, "unknown escape");
  ew_text_add_char(&reader->scratch, meanings[found - letters]);
  return EW_OK;
}

static enum ew_status read_string(struct reader *reader, struct ew_span *string) {
  if (!take(reader, '\'')) return bad(reader, "a string expected");
  ew_text_reset(&reader->scratch);
  const char *bytes = reader->source.bytes;
  while (reader->at < reader->source.length && bytes[reader->at] != '\'') {
    char c = bytes[reader->at++];
    if (c != '\\') {
      ew_text_add_char(&reader->scratch, c);
      continue;
    }
    enum ew_status status = read_escape(reader);
    if (status) return status;
  }
  if (reader->at == reader->source.length) return bad(reader, "the string does not end");
  reader->at++;
  *string = ew_arena_copy(reader->arena, ew_text_span(&reader->scratch));
  return EW_OK;
}

static struct ew_span read_word(struct reader *reader) {
  size_t start = reader->at;
  while (is_letter(peek(reader)) || (reader->at > start && is_digit(peek(reader)))) reader->at++;
  return (struct ew_span){reader->source.bytes + start, reader->at - start};
}

/* A key of a map: an identifier, or anything in backticks with a backtick doubled. */
static enum ew_status read_name(struct reader *reader, struct ew_span *name) {
  skip_space(reader);
  if (!take(reader, '`')) {
    struct ew_span word = read_word(reader);
    if (!word.length) return bad(reader, "a name expected");
    *name = ew_arena_copy(reader->arena, word);
    return EW_OK;
  }
  ew_text_reset(&reader->scratch);
  for (; reader->at < reader->source.length; reader->at++) {
    char c = reader->source.bytes[reader->at];
    if (c == '`') {
      reader->at++;
      if (peek(reader) != '`') {
        *name = ew_arena_copy(reader->arena, ew_text_span(&reader->scratch));
        return EW_OK;
      }
    }
    ew_text_add_char(&reader->scratch, c);
  }
  return bad(reader, "the name does not end");
}

/* ---- numbers ---- */

static enum ew_status read_integer(struct reader *reader, struct ew_span digits, bool negative,
                                   struct ew_value *value) {
  int64_t number = 0;
  for (size_t i = 0; i < digits.length; i++) {
    int digit = digits.bytes[i] - '0';
    if (__builtin_mul_overflow(number, 10, &number) ||
        __builtin_add_overflow(number, negative ? -digit : digit, &number))
      return bad(reader, "an integer of more than 64 bits");
  }
  *value = ew_integer(number);
  return EW_OK;
}

static struct ew_span read_digits(struct reader *reader) {
  size_t start = reader->at;
  while (is_digit(peek(reader))) reader->at++;
  return (struct ew_span){reader->source.bytes + start, reader->at - start};
}

/* The digits go to strtod as a whole number with an exponent: a point would depend on the locale. */
static enum ew_status read_float(struct reader *reader, struct ew_span whole, bool negative, struct ew_value *value) {
  enum { EXPONENT_DIGITS = 6 };
  struct ew_span fraction = {"", 0};
  int64_t exponent = 0;
  if (peek(reader) == '.') {
    reader->at++;
    fraction = read_digits(reader);
    if (!fraction.length) return bad(reader, "digits expected behind the point");
  }
  if (peek(reader) == 'e' || peek(reader) == 'E') {
    reader->at++;
    bool minus = peek(reader) == '-';
    if (minus || peek(reader) == '+') reader->at++;
    struct ew_span digits = read_digits(reader);
    if (!digits.length || digits.length > EXPONENT_DIGITS) return bad(reader, "an exponent of 1 to 6 digits expected");
    for (size_t i = 0; i < digits.length; i++) exponent = exponent * 10 + (digits.bytes[i] - '0');
    if (minus) exponent = -exponent;
  }
  ew_text_reset(&reader->scratch);
  ew_text_add(&reader->scratch, whole);
  ew_text_add(&reader->scratch, fraction);
  ew_text_add_char(&reader->scratch, 'e');
  ew_text_add_integer(&reader->scratch, exponent - (int64_t)fraction.length);
  double number = strtod(reader->scratch.bytes, NULL);
  if (isinf(number)) return bad(reader, "a number too large for a float");
  *value = ew_float(negative ? -number : number);
  return EW_OK;
}

static enum ew_status read_number(struct reader *reader, struct ew_value *value) {
  bool negative = take(reader, '-');
  struct ew_span whole = read_digits(reader);
  if (!whole.length) return bad(reader, "a value expected");
  char c = peek(reader);
  if (c == '.' || c == 'e' || c == 'E') return read_float(reader, whole, negative, value);
  return read_integer(reader, whole, negative, value);
}

/* What no literal says: NaN and the infinities, as quotients of floats. */
static enum ew_status read_quotient(struct reader *reader, struct ew_value *value) {
  struct ew_value above, below;
  reader->at++;
  enum ew_status status = read_number(reader, &above);
  if (status) return status;
  if (!take(reader, '/')) return bad(reader, "'/' expected");
  skip_space(reader);
  status = read_number(reader, &below);
  if (status) return status;
  if (!take(reader, ')')) return bad(reader, "')' expected");
  if (above.kind != EW_VALUE_FLOAT || below.kind != EW_VALUE_FLOAT || below.number != 0)
    return bad(reader, "a float over 0.0 expected");
  bool negative = signbit(above.number) != signbit(below.number);
  *value = ew_float(above.number == 0 ? (double)NAN : negative ? (double)-INFINITY : (double)INFINITY);
  return EW_OK;
}

/* ---- what holds other values ---- */

static enum ew_status read_list(struct reader *reader, struct ew_value *value) {
  EW_VECTOR(struct ew_value) items = {0};
  reader->at++;
  while (!take(reader, ']')) {
    if (items.count && !take(reader, ',')) return bad(reader, "',' or ']' expected");
    struct ew_value item;
    enum ew_status status = read_value(reader, &item);
    if (status) return status;
    *ew_arena_vector_push(reader->arena, &items) = item;
  }
  *value = ew_list(items.items, items.count);
  return EW_OK;
}

static enum ew_status read_map(struct reader *reader, struct ew_value *value) {
  EW_VECTOR(struct ew_item) items = {0};
  reader->at++;
  while (!take(reader, '}')) {
    if (items.count && !take(reader, ',')) return bad(reader, "',' or '}' expected");
    struct ew_item item;
    enum ew_status status = read_name(reader, &item.key);
    if (status) return status;
    if (!take(reader, ':')) return bad(reader, "':' expected");
    status = read_value(reader, &item.value);
    if (status) return status;
    *ew_arena_vector_push(reader->arena, &items) = item;
  }
  *value = ew_map_value(reader->arena, items.items, items.count);
  return EW_OK;
}

/* ---- what a word begins ---- */

static bool axis(struct ew_items map, const char *name, double *number) {
  const struct ew_value *found = ew_items_find(map, ew_span_of(name));
  if (!found || found->kind != EW_VALUE_FLOAT) return false;
  *number = found->number;
  return true;
}

static enum ew_status read_point(struct reader *reader, struct ew_value *value) {
  struct ew_value map;
  if (!take(reader, '(')) return bad(reader, "'(' expected");
  enum ew_status status = read_value(reader, &map);
  if (status) return status;
  if (map.kind != EW_VALUE_MAP || !take(reader, ')')) return bad(reader, "point() takes one map");
  struct ew_point_value *point = EW_NEW(reader->arena, struct ew_point_value);
  const struct ew_value *srid = ew_items_find(map.map, EW_SPAN("srid"));
  bool space = axis(map.map, "z", &point->z);
  if (!srid || srid->kind != EW_VALUE_INTEGER || srid->integer < INT32_MIN || srid->integer > INT32_MAX ||
      !axis(map.map, "x", &point->x) || !axis(map.map, "y", &point->y) || map.map.count != (space ? 4u : 3u))
    return bad(reader, "a point has x, y, perhaps z as floats, and srid");
  point->srid = (int32_t)srid->integer;
  *value = (struct ew_value){.kind = EW_VALUE_POINT, .point = point};
  return EW_OK;
}

static enum ew_status read_temporal(struct reader *reader, enum ew_value_kind kind, struct ew_value *value) {
  struct ew_span text;
  if (!take(reader, '(')) return bad(reader, "'(' expected");
  enum ew_status status = read_string(reader, &text);
  if (status) return status;
  if (!take(reader, ')')) return bad(reader, "')' expected");
  return ew_value_read_iso(reader->arena, kind, text, value) ? EW_OK : bad(reader, "no ISO text of this kind");
}

static enum ew_status read_named(struct reader *reader, struct ew_value *value) {
  static const enum ew_value_kind kinds[] = {
#define VALUE(name, text) EW_VALUE_##name,
#include "value/value.def"
#undef VALUE
  };
  struct ew_span word = read_word(reader);
  *value = ew_null();
  if (ew_span_is(word, "null")) return EW_OK;
  *value = ew_boolean(ew_span_is(word, "true"));
  if (value->boolean || ew_span_is(word, "false")) return EW_OK;
  if (ew_span_is(word, "point")) return read_point(reader, value);
  for (size_t i = 0; i < EW_COUNT(kinds); i++) {
    const char *constructor = ew_value_constructor(kinds[i]);
    if (constructor && ew_span_is(word, constructor)) return read_temporal(reader, kinds[i], value);
  }
  return bad(reader, "a value expected");
}

static enum ew_status read_value(struct reader *reader, struct ew_value *value) {
  skip_space(reader);
  char c = peek(reader);
  if (c == '\'') {
    value->kind = EW_VALUE_STRING;
    return read_string(reader, &value->string);
  }
  if (c == '(') return read_quotient(reader, value);
  if (c != '[' && c != '{') return is_letter(c) ? read_named(reader, value) : read_number(reader, value);
  if (reader->depth == EW_VALUE_DEPTH)
    return ew_fail(reader->error, EW_LIMIT, "a value's text, byte %zu: nested deeper than %d", reader->at,
                   EW_VALUE_DEPTH);
  reader->depth++;
  enum ew_status status = c == '[' ? read_list(reader, value) : read_map(reader, value);
  reader->depth--;
  return status;
}

enum ew_status ew_value_read(struct ew_arena *arena, struct ew_span text, struct ew_value *value,
                             struct ew_error *error) {
  struct reader reader = {.arena = arena, .source = text.length ? text : EW_SPAN(""), .error = error};
  struct ew_value read = ew_null();
  enum ew_status status = read_value(&reader, &read);
  skip_space(&reader);
  if (!status && reader.at != text.length) status = bad(&reader, "something follows the value");
  ew_text_release(&reader.scratch);
  *value = status ? ew_null() : read;
  return status;
}
