/* json_reader.c: recursive descent with a bounded depth; everything it makes lives in the caller's arena. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/json.h"
#include "base/utf8.h"
#include "base/vector.h"

struct reader {
  struct ew_arena *arena;
  struct ew_span source;
  size_t at;
  unsigned depth;
  struct ew_json_options options;
  struct ew_text scratch; /* of strings with escapes */
  struct ew_error *error;
};

static enum ew_status read_value(struct reader *reader, struct ew_json *json);

static enum ew_status bad(struct reader *reader, const char *what) {
  return ew_fail(reader->error, EW_BAD, "JSON, byte %zu: %s", reader->at, what);
}

static char peek(const struct reader *reader) {
  return reader->at < reader->source.length ? reader->source.bytes[reader->at] : '\0';
}

static void skip_space(struct reader *reader) {
  while (reader->at < reader->source.length && strchr(" \t\r\n", reader->source.bytes[reader->at]) &&
         reader->source.bytes[reader->at])
    reader->at++;
}

static bool take_word(struct reader *reader, const char *word) {
  struct ew_span rest = {reader->source.bytes + reader->at, reader->source.length - reader->at};
  if (!ew_span_starts(rest, ew_span_of(word))) return false;
  reader->at += strlen(word);
  return true;
}

static int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

static bool read_hex4(struct reader *reader, uint32_t *code) {
  *code = 0;
  if (reader->source.length - reader->at < 4) return false;
  for (int i = 0; i < 4; i++) {
    int digit = hex_digit(reader->source.bytes[reader->at++]);
    if (digit < 0) return false;
    *code = *code << 4 | (uint32_t)digit;
  }
  return true;
}

static enum ew_status read_unicode_escape(struct reader *reader) {
  uint32_t code, low;
  if (!read_hex4(reader, &code)) return bad(reader, "four hexadecimal digits expected after \\u");
  bool high = code >= 0xd800 && code < 0xdc00;
  if (high && take_word(reader, "\\u")) {
    if (!read_hex4(reader, &low) || low < 0xdc00 || low > 0xdfff) return bad(reader, "a low surrogate expected");
    code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
  } else if (code >= 0xd800 && code < 0xe000) {
    code = 0xfffd;
  }
  ew_utf8_add(&reader->scratch, code);
  return EW_OK;
}

static enum ew_status read_escape(struct reader *reader) {
  static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
  char letter = peek(reader);
  reader->at++;
  if (letter == 'u') return read_unicode_escape(reader);
  const char *found = letter ? strchr(letters, letter) : NULL;
  if (!found) return bad(reader, "unknown escape");
  ew_text_add_char(&reader->scratch, meanings[found - letters]);
  return EW_OK;
}

static enum ew_status read_string(struct reader *reader, struct ew_span *string) {
  if (peek(reader) != '"') return bad(reader, "a string expected");
  size_t start = ++reader->at;
  const char *bytes = reader->source.bytes;
  while (reader->at < reader->source.length && bytes[reader->at] != '"' && bytes[reader->at] != '\\') reader->at++;
  ew_text_reset(&reader->scratch);
  ew_text_add_bytes(&reader->scratch, bytes + start, reader->at - start);
  while (reader->at < reader->source.length && bytes[reader->at] != '"') {
    if (bytes[reader->at] == '\\') {
      reader->at++;
      enum ew_status status = read_escape(reader);
      if (status) return status;
    } else {
      ew_text_add_char(&reader->scratch, bytes[reader->at++]);
    }
  }
  if (reader->at >= reader->source.length) return bad(reader, "the string does not end");
  reader->at++;
  *string = ew_arena_copy(reader->arena, ew_text_span(&reader->scratch));
  return EW_OK;
}

static bool read_special(struct reader *reader, struct ew_json *json) {
  if (!reader->options.special_numbers) return false;
  bool negative = take_word(reader, "-");
  double number = 0;
  if (take_word(reader, "NaN") || take_word(reader, "nan")) {
    number = NAN;
  } else if (take_word(reader, "Infinity") || take_word(reader, "Inf") || take_word(reader, "inf")) {
    number = INFINITY;
  } else {
    if (negative) reader->at--;
    return false;
  }
  take_word(reader, ".0");
  *json = (struct ew_json){.kind = EW_JSON_FLOAT, .number = negative ? -number : number};
  return true;
}

static size_t count_digits(const char *text) {
  size_t count = 0;
  while (text[count] >= '0' && text[count] <= '9') count++;
  return count;
}

/* Whether all of `text` is a number as JSON writes it. */
static bool is_number(const char *text) {
  if (*text == '-') text++;
  size_t digits = count_digits(text);
  if (!digits || (digits > 1 && *text == '0')) return false;
  text += digits;
  if (*text == '.') {
    digits = count_digits(++text);
    if (!digits) return false;
    text += digits;
  }
  if (*text == 'e' || *text == 'E') {
    text++;
    if (*text == '+' || *text == '-') text++;
    digits = count_digits(text);
    if (!digits) return false;
    text += digits;
  }
  return !*text;
}

static enum ew_status read_number(struct reader *reader, struct ew_json *json) {
  char digits[512];
  size_t length = 0;
  while (reader->at + length < reader->source.length) {
    char c = reader->source.bytes[reader->at + length];
    if (!c || !strchr("+-.0123456789eE", c)) break;
    if (length == sizeof digits - 1) return bad(reader, "a number of more than 511 digits");
    digits[length++] = c;
  }
  digits[length] = '\0';
  if (!is_number(digits)) return bad(reader, length ? "not a number" : "a value expected");
  reader->at += length;
  bool whole = !strpbrk(digits, ".eE");
  errno = 0;
  if (whole) *json = (struct ew_json){.kind = EW_JSON_INTEGER, .integer = strtoll(digits, NULL, 10)};
  if (!whole || errno == ERANGE) *json = (struct ew_json){.kind = EW_JSON_FLOAT, .number = strtod(digits, NULL)};
  return EW_OK;
}

/* The items of an array, or the members of an object, up to its closing bracket. */
static enum ew_status read_items(struct reader *reader, struct ew_json *json) {
  bool object = json->kind == EW_JSON_OBJECT;
  char closing = object ? '}' : ']';
  EW_VECTOR(struct ew_json) items = {0};
  EW_VECTOR(struct ew_span) keys = {0};
  reader->at++;
  skip_space(reader);
  while (peek(reader) != closing) {
    if (items.count) {
      if (peek(reader) != ',') return bad(reader, object ? "',' or '}' expected" : "',' or ']' expected");
      reader->at++;
      skip_space(reader);
    }
    if (object) {
      enum ew_status status = read_string(reader, ew_arena_vector_push(reader->arena, &keys));
      if (status) return status;
      skip_space(reader);
      if (peek(reader) != ':') return bad(reader, "':' expected");
      reader->at++;
    }
    struct ew_json item;
    enum ew_status status = read_value(reader, &item);
    if (status) return status;
    *ew_arena_vector_push(reader->arena, &items) = item;
    skip_space(reader);
  }
  reader->at++;
  json->items = items.items;
  json->keys = keys.items;
  json->count = items.count;
  return EW_OK;
}

static enum ew_status read_value(struct reader *reader, struct ew_json *json) {
  skip_space(reader);
  *json = (struct ew_json){.kind = EW_JSON_NULL};
  switch (peek(reader)) {
    case '{':
    case '[': {
      if (reader->depth == EW_JSON_DEPTH) return bad(reader, "nested too deeply");
      reader->depth++;
      json->kind = peek(reader) == '{' ? EW_JSON_OBJECT : EW_JSON_ARRAY;
      enum ew_status status = read_items(reader, json);
      reader->depth--;
      return status;
    }
    case '"': json->kind = EW_JSON_STRING; return read_string(reader, &json->string);
    case 't':
    case 'f':
      json->kind = EW_JSON_BOOL;
      json->boolean = take_word(reader, "true");
      return json->boolean || take_word(reader, "false") ? EW_OK : bad(reader, "a value expected");
    case 'n':
      if (take_word(reader, "null")) return EW_OK;
      break;
    default: break;
  }
  return read_special(reader, json) ? EW_OK : read_number(reader, json);
}

enum ew_status ew_json_read(struct ew_arena *arena, struct ew_span source, struct ew_json_options options,
                            const struct ew_json **json, struct ew_error *error) {
  struct reader reader = {.arena = arena, .source = source, .options = options, .error = error};
  struct ew_json *root = EW_NEW(arena, struct ew_json);
  enum ew_status status = read_value(&reader, root);
  skip_space(&reader);
  if (!status && reader.at != source.length) status = bad(&reader, "something follows the value");
  ew_text_release(&reader.scratch);
  *json = status ? NULL : root;
  return status;
}

const struct ew_json *ew_json_member(const struct ew_json *json, const char *key) {
  if (!json || json->kind != EW_JSON_OBJECT) return NULL;
  for (size_t i = 0; i < json->count; i++)
    if (ew_span_is(json->keys[i], key)) return &json->items[i];
  return NULL;
}

struct ew_span ew_json_get_string(const struct ew_json *json, const char *key, struct ew_span otherwise) {
  const struct ew_json *member = ew_json_member(json, key);
  return member && member->kind == EW_JSON_STRING ? member->string : otherwise;
}

int64_t ew_json_get_integer(const struct ew_json *json, const char *key, int64_t otherwise) {
  const struct ew_json *member = ew_json_member(json, key);
  return member && member->kind == EW_JSON_INTEGER ? member->integer : otherwise;
}

bool ew_json_get_bool(const struct ew_json *json, const char *key, bool otherwise) {
  const struct ew_json *member = ew_json_member(json, key);
  return member && member->kind == EW_JSON_BOOL ? member->boolean : otherwise;
}
