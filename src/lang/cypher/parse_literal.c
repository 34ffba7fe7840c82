/* parse_literal.c: names, numbers, strings and parameters: tokens whose text has a meaning of its own. */
#include <math.h>

#include "base/utf8.h"
#include "lang/cypher/parse.h"

static struct ew_span token_text(const struct ew_cypher_parser *parser, uint32_t index) {
  const struct ew_cypher_token *token = &parser->tokens[index];
  return (struct ew_span){parser->text + token->start, token->length};
}

/* ---- names ---- */

/* The name in backticks that `quoted` holds with them. */
static struct ew_span unquote(struct ew_cypher_parser *parser, struct ew_span quoted) {
  struct ew_span name = {quoted.bytes + 1, quoted.length - 2};
  if (!name.length || !memchr(name.bytes, '`', name.length)) return name;
  ew_text_reset(&parser->scratch);
  for (size_t i = 0; i < name.length; i++) {
    ew_text_add_char(&parser->scratch, name.bytes[i]);
    if (name.bytes[i] == '`') i++;
  }
  return ew_arena_copy(parser->builder->arena, ew_text_span(&parser->scratch));
}

/* The name that the token here is. */
static struct ew_span take_name(struct ew_cypher_parser *parser) {
  uint32_t index = parser->at++;
  struct ew_span text = token_text(parser, index);
  return parser->tokens[index].kind == TOKEN_QUOTED ? unquote(parser, text) : text;
}

/* The same where an empty name would mean that there is none. */
static struct ew_span take_some_name(struct ew_cypher_parser *parser) {
  uint32_t offset = parser->tokens[parser->at].start;
  struct ew_span name = take_name(parser);
  if (!name.length) ew_cypher_syntax_fail(parser, offset, "UnexpectedSyntax", "this name must not be empty");
  return name;
}

struct ew_span ew_cypher_parse_name(struct ew_cypher_parser *parser, const char *what) {
  if (ew_cypher_token_is_name(kind_here(parser))) return take_name(parser);
  expected(parser, what);
  ew_cypher_unexpected(parser);
  return EW_SPAN("");
}

struct ew_span ew_cypher_parse_alias(struct ew_cypher_parser *parser) {
  if (ew_cypher_token_is_name(kind_here(parser))) return take_some_name(parser);
  expected(parser, "a name");
  ew_cypher_unexpected(parser);
  return EW_SPAN("");
}

struct ew_span ew_cypher_parse_variable(struct ew_cypher_parser *parser) {
  if (may_be_variable(kind_here(parser))) return take_some_name(parser);
  expected(parser, "a variable");
  ew_cypher_unexpected(parser);
  return EW_SPAN("");
}

struct ew_span ew_cypher_parse_dotted_name(struct ew_cypher_parser *parser) {
  size_t mark = parser->names.count;
  struct ew_span name = ew_cypher_parse_name(parser, "a name");
  if (!is_here(parser, TOKEN_DOT)) return name;
  *ew_vector_push(&parser->names) = name;
  while (accept(parser, TOKEN_DOT)) {
    name = ew_cypher_parse_name(parser, "a name");
    *ew_vector_push(&parser->names) = name;
  }
  ew_text_reset(&parser->scratch);
  for (size_t i = mark; i < parser->names.count; i++) {
    if (i > mark) ew_text_add_char(&parser->scratch, '.');
    ew_text_add(&parser->scratch, parser->names.items[i]);
  }
  parser->names.count = mark;
  return ew_arena_copy(parser->builder->arena, ew_text_span(&parser->scratch));
}

const struct ew_node *ew_cypher_parse_parameter(struct ew_cypher_parser *parser) {
  struct ew_span name = token_text(parser, parser->at++);
  name = (struct ew_span){name.bytes + 1, name.length - 1};
  if (name.bytes[0] == '`') name = unquote(parser, name);
  return CYPHER(parser->builder, parameter, .name.name = name);
}

/* ---- numbers ---- */

static int digit_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  c = (char)(c | 32);
  return c >= 'a' && c <= 'z' ? c - 'a' + 10 : 99;
}

/* Whether `digits` are one or more of `base`, with single underscores between them. */
static bool all_digits(struct ew_span digits, int base) {
  for (size_t i = 0; i < digits.length; i++) {
    bool between = i > 0 && i + 1 < digits.length && digits.bytes[i - 1] != '_';
    if (digits.bytes[i] == '_' ? !between : digit_value(digits.bytes[i]) >= base) return false;
  }
  return digits.length > 0;
}

/* 0x1F, 0o17, and 017, which is what 0o17 was before. */
static int split_base(struct ew_span *digits) {
  char mark = (char)(digits->length > 1 && digits->bytes[0] == '0' ? digits->bytes[1] | 32 : '\0');
  size_t prefix = mark == 'x' || mark == 'o' ? 2 : 0;
  int base = mark == 'x' ? 16 : mark ? 8 : 10;
  *digits = (struct ew_span){digits->bytes + prefix, digits->length - prefix};
  return base;
}

static int64_t read_integer(struct ew_cypher_parser *parser, uint32_t index, bool negative) {
  struct ew_span digits = token_text(parser, index);
  uint32_t offset = parser->tokens[index].start;
  int base = split_base(&digits);
  if (!all_digits(digits, base)) {
    ew_cypher_syntax_fail(parser, offset, "InvalidNumberLiteral", "this is no number");
    return -1;
  }
  uint64_t limit = (uint64_t)INT64_MAX + negative, number = 0;
  for (size_t i = 0; i < digits.length; i++) {
    if (digits.bytes[i] == '_') continue;
    uint64_t digit = (uint64_t)digit_value(digits.bytes[i]);
    if (number > (limit - digit) / (uint64_t)base) {
      ew_cypher_syntax_fail(parser, offset, "IntegerOverflow", "this integer does not fit into 64 bits");
      return -1;
    }
    number = number * (uint64_t)base + digit;
  }
  return negative ? (int64_t)-number : (int64_t)number;
}

/* Whether `text` is digits, a fraction and an exponent, of which not all need be there. */
static bool is_float(struct ew_span text) {
  size_t point = 0, exponent = 0;
  while (point < text.length && text.bytes[point] != '.' && (text.bytes[point] | 32) != 'e') point++;
  bool dotted = point < text.length && text.bytes[point] == '.';
  exponent = dotted ? point + 1 : point;
  while (exponent < text.length && (text.bytes[exponent] | 32) != 'e') exponent++;
  struct ew_span whole = {text.bytes, point};
  struct ew_span fraction = {text.bytes + point + 1, dotted ? exponent - point - 1 : 0};
  if (!whole.length && !fraction.length) return false;
  if ((whole.length && !all_digits(whole, 10)) || (fraction.length && !all_digits(fraction, 10))) return false;
  if (exponent == text.length) return true;
  size_t power = exponent + 1;
  if (power < text.length && (text.bytes[power] == '+' || text.bytes[power] == '-')) power++;
  return all_digits((struct ew_span){text.bytes + power, text.length - power}, 10);
}

static double read_float(struct ew_cypher_parser *parser, uint32_t index, bool negative) {
  struct ew_span text = token_text(parser, index);
  uint32_t offset = parser->tokens[index].start;
  if (!is_float(text)) {
    ew_cypher_syntax_fail(parser, offset, "InvalidNumberLiteral", "this is no number");
    return 0;
  }
  ew_text_reset(&parser->scratch);
  for (size_t i = 0; i < text.length; i++)
    if (text.bytes[i] != '_') ew_text_add_char(&parser->scratch, text.bytes[i]);
  double number = strtod(parser->scratch.bytes, NULL);
  if (isinf(number)) ew_cypher_syntax_fail(parser, offset, "FloatingPointOverflow", "this float is too large");
  return negative ? -number : number;
}

int64_t ew_cypher_parse_count(struct ew_cypher_parser *parser) {
  uint32_t index = parser->at;
  return expect(parser, TOKEN_INTEGER) ? read_integer(parser, index, false) : -1;
}

const struct ew_node *ew_cypher_parse_number(struct ew_cypher_parser *parser, bool negative) {
  uint32_t index = parser->at++;
  struct ew_value value = parser->tokens[index].kind == TOKEN_INTEGER
                              ? ew_integer(read_integer(parser, index, negative))
                              : ew_float(read_float(parser, index, negative));
  return CYPHER(parser->builder, literal, .value.value = ew_literal_of(parser->builder, value));
}

/* ---- strings ---- */

/* The `length` hexadecimal digits at `at`, or UINT32_MAX. */
static uint32_t read_hex(struct ew_span text, size_t at, size_t length) {
  uint32_t number = 0;
  if (text.length - at < length) return UINT32_MAX;
  for (size_t i = at; i < at + length; i++) {
    int digit = digit_value(text.bytes[i]);
    if (digit >= 16) return UINT32_MAX;
    number = number << 4 | (uint32_t)digit;
  }
  return number;
}

/* Adds the code point of \uXXXX or \UXXXXXXXX, whose u stands at `at`; two \u may be a pair of surrogates. Returns the
   bytes from the u on, or 0 where it is no code point. */
static size_t add_code_point(struct ew_text *text, struct ew_span raw, size_t at) {
  size_t digits = raw.bytes[at] == 'u' ? 4 : 8, length = 1 + digits;
  uint32_t code_point = read_hex(raw, at + 1, digits);
  if (code_point >= 0xd800 && code_point < 0xdc00 && raw.length - at >= 7 &&
      memcmp(raw.bytes + at + 5, "\\u", 2) == 0) {
    uint32_t low = read_hex(raw, at + 7, 4);
    if (low < 0xdc00 || low > 0xdfff) return 0;
    code_point = 0x10000 + ((code_point - 0xd800) << 10 | (low - 0xdc00));
    length = 11;
  }
  if (code_point > 0x10ffff || (code_point >= 0xd800 && code_point <= 0xdfff)) return 0;
  ew_utf8_add(text, code_point);
  return length;
}

static char escaped(char c) {
  switch (c) {
    case 'b': return '\b';
    case 'f': return '\f';
    case 'n': return '\n';
    case 'r': return '\r';
    case 't': return '\t';
    case '\\':
    case '\'':
    case '"':
    case '`':
    case '/': return c;
    default: return '\0';
  }
}

/* `raw` with its escapes read, in the scratch text. */
static void unescape(struct ew_cypher_parser *parser, uint32_t offset, struct ew_span raw) {
  struct ew_text *text = &parser->scratch;
  ew_text_reset(text);
  for (size_t i = 0; i < raw.length && !failed(parser);) {
    const char *slash = memchr(raw.bytes + i, '\\', raw.length - i);
    size_t plain = slash ? (size_t)(slash - raw.bytes) - i : raw.length - i;
    ew_text_add_bytes(text, raw.bytes + i, plain);
    i += plain + 1;
    if (!slash) break;
    if ((raw.bytes[i] | 32) == 'u') {
      size_t length = add_code_point(text, raw, i);
      if (!length)
        ew_cypher_syntax_fail(parser, offset + (uint32_t)i, "InvalidUnicodeLiteral", "this is no Unicode character");
      i += length;
    } else {
      char c = escaped(raw.bytes[i]);
      if (!c) ew_cypher_syntax_fail(parser, offset + (uint32_t)i, "UnexpectedSyntax", "a string has no such escape");
      ew_text_add_char(text, c);
      i++;
    }
  }
}

const struct ew_node *ew_cypher_parse_string(struct ew_cypher_parser *parser) {
  uint32_t index = parser->at++;
  struct ew_span string = token_text(parser, index);
  string = (struct ew_span){string.bytes + 1, string.length - 2};
  if (string.length && memchr(string.bytes, '\\', string.length)) {
    unescape(parser, parser->tokens[index].start, string);
    string = ew_arena_copy(parser->builder->arena, ew_text_span(&parser->scratch));
  }
  return CYPHER(parser->builder, literal, .value.value = ew_literal_of(parser->builder, ew_string(string)));
}
