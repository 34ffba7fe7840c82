/* lexer.c: bytes into tokens. A number takes all letters and digits behind it and is judged when its value is wanted,
   since `{1a: 2}` is no bad number but a bad key. */
#include "lang/cypher/lexer.h"

#include "base/utf8.h"

static const uint32_t none = UINT32_MAX;

/* ---- words ---- */

struct word {
  const char *text;
  size_t length;
  uint32_t kind;
};

enum { LONGEST_WORD = sizeof("ALLSHORTESTPATHS") - 1 };

/* The second letter is looked at first: it tells most words apart. */
static uint32_t find_in(const struct word *words, size_t count, const char *upper, size_t length) {
  for (size_t i = 0; i < count; i++)
    if (words[i].text[1] == upper[1] && words[i].length == length && memcmp(words[i].text, upper, length) == 0)
      return words[i].kind;
  return TOKEN_NAME;
}

uint32_t ew_cypher_word_find(struct ew_span name) {
  char upper[LONGEST_WORD];
  if (name.length < 2 || name.length > LONGEST_WORD) return TOKEN_NAME;
  for (size_t i = 0; i < name.length; i++) {
    upper[i] = (char)(name.bytes[i] & ~32);
    if (upper[i] < 'A' || upper[i] > 'Z') return TOKEN_NAME;
  }
  switch (upper[0]) {
#define KIND(name, text)
#define MARK(name, text)
#define WORD(name, reserved) {#name, sizeof(#name) - 1, WORD_##name},
#define LETTER(letter, words)                                 \
  case letter: {                                              \
    static const struct word list[] = {words};                \
    return find_in(list, EW_COUNT(list), upper, name.length); \
  }
#include "lang/cypher/token.def"
#undef KIND
#undef MARK
#undef WORD
#undef LETTER
    default: return TOKEN_NAME;
  }
}

#define KIND(name, text) [TOKEN_##name] = text,
#define MARK(name, text) [TOKEN_##name] = "'" text "'",
#define WORD(name, reserved) [WORD_##name] = #name,
#define LETTER(letter, words) words
static const char *const token_texts[] = {
#include "lang/cypher/token.def"
};
#undef KIND
#undef MARK
#undef WORD

const char *ew_cypher_token_text(uint32_t kind) { return token_texts[kind]; }

#define KIND(name, text) [TOKEN_##name] = false,
#define MARK(name, text) [TOKEN_##name] = false,
#define WORD(name, reserved) [WORD_##name] = reserved,
static const bool is_reserved[] = {
#include "lang/cypher/token.def"
};
#undef KIND
#undef MARK
#undef WORD
#undef LETTER

bool ew_cypher_word_is_reserved(uint32_t kind) { return is_reserved[kind]; }

/* ---- characters beyond ASCII ---- */

struct range {
  uint32_t first, last;
};

static bool in_ranges(const struct range *ranges, size_t count, uint32_t code_point) {
  for (size_t i = 0; i < count; i++)
    if (code_point >= ranges[i].first && code_point <= ranges[i].last) return true;
  return false;
}

static bool is_space(uint32_t code_point) {
  static const struct range spaces[] = {{0x85, 0x85},     {0xa0, 0xa0},     {0x1680, 0x1680}, {0x180e, 0x180e},
                                        {0x2000, 0x200a}, {0x2028, 0x2029}, {0x202f, 0x202f}, {0x205f, 0x205f},
                                        {0x3000, 0x3000}, {0xfeff, 0xfeff}};
  return in_ranges(spaces, EW_COUNT(spaces), code_point);
}

/* Blocks of punctuation, symbols and private use; all else beyond ASCII is taken for a letter. A printer that wants to
   be read by every engine puts such names in backticks anyway. */
static bool is_letter(uint32_t code_point) {
  static const struct range others[] = {
      {0x80, 0xa9},     {0xab, 0xb4},     {0xb6, 0xb9},     {0xbb, 0xbf},     {0xd7, 0xd7},       {0xf7, 0xf7},
      {0x1680, 0x1680}, {0x180e, 0x180e}, {0x2000, 0x206f}, {0x20a0, 0x20cf}, {0x2190, 0x2bff},   {0x2e00, 0x2e7f},
      {0x3000, 0x3004}, {0x3008, 0x3020}, {0x3030, 0x3030}, {0xd800, 0xf8ff}, {0xfe10, 0xfe6f},   {0xfeff, 0xff0f},
      {0xff1a, 0xff20}, {0xff3b, 0xff40}, {0xff5b, 0xff65}, {0xffe0, 0xffff}, {0x1f000, 0x1faff}, {0xe0000, 0x10ffff}};
  return !in_ranges(others, EW_COUNT(others), code_point);
}

/* The bytes of a letter beyond ASCII at `at`, or 0. */
static size_t wide_letter(struct ew_span text, size_t at) {
  size_t length = ew_utf8_length(text.bytes + at, text.length - at), next = at;
  return length > 1 && is_letter(ew_utf8_next(text, &next)) ? length : 0;
}

/* ---- tokens ---- */

static char byte_at(const struct ew_cypher_lexer *lexer, size_t at) {
  return at < lexer->text.length ? lexer->text.bytes[at] : '\0';
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static uint32_t bad(struct ew_cypher_lexer *lexer, const char *detail, const char *message) {
  lexer->detail = detail;
  lexer->message = message;
  return TOKEN_BAD;
}

/* Moves over spaces and comments. False where a comment has no end: then `at` is its start. */
static bool skip_blank(struct ew_cypher_lexer *lexer) {
  struct ew_span text = lexer->text;
  for (;;) {
    char c = byte_at(lexer, lexer->at);
    if (c > ' ' && c < 0x7f && c != '/') return true;
    if (c == ' ' || (c >= '\t' && c <= '\r') || (c >= 0x1c && c <= 0x1f)) {
      lexer->at++;
    } else if (c == '/' && byte_at(lexer, lexer->at + 1) == '/') {
      const char *end = memchr(text.bytes + lexer->at, '\n', text.length - lexer->at);
      lexer->at = end ? (size_t)(end - text.bytes) : text.length;
    } else if (c == '/' && byte_at(lexer, lexer->at + 1) == '*') {
      const char *end = memmem(text.bytes + lexer->at + 2, text.length - lexer->at - 2, "*/", 2);
      if (!end) return false;
      lexer->at = (size_t)(end - text.bytes) + 2;
    } else if ((unsigned char)c >= 0x80) {
      size_t next = lexer->at;
      if (!is_space(ew_utf8_next(text, &next))) return true;
      lexer->at = next;
    } else {
      return true;
    }
  }
}

static size_t skip_name(const struct ew_cypher_lexer *lexer, size_t at) {
  for (;;) {
    while (at < lexer->text.length && ew_cypher_is_name_byte(lexer->text.bytes[at])) at++;
    size_t wide = (unsigned char)byte_at(lexer, at) >= 0x80 ? wide_letter(lexer->text, at) : 0;
    if (!wide) return at;
    at += wide;
  }
}

/* All up to the closing quote; a backslash hides the byte behind it, a doubled backtick does not close. */
static uint32_t quoted(struct ew_cypher_lexer *lexer, char quote, uint32_t kind) {
  size_t length = lexer->text.length;
  for (size_t at = lexer->at; at < length; at++) {
    char c = lexer->text.bytes[at];
    if (c == '\\' && quote != '`') {
      at++;
    } else if (c == quote && quote == '`' && byte_at(lexer, at + 1) == '`') {
      at++;
    } else if (c == quote) {
      lexer->at = at + 1;
      return kind;
    }
  }
  return bad(lexer, "UnexpectedSyntax", quote == '`' ? "a name in backticks has no end" : "a string has no end");
}

static uint32_t number(struct ew_cypher_lexer *lexer, size_t start) {
  size_t at = start;
  bool based =
      byte_at(lexer, at) == '0' && ((byte_at(lexer, at + 1) | 32) == 'x' || (byte_at(lexer, at + 1) | 32) == 'o');
  uint32_t kind = TOKEN_INTEGER;
  while (ew_cypher_is_name_byte(byte_at(lexer, at))) {
    char c = byte_at(lexer, at++), sign = byte_at(lexer, at);
    if (based || (c | 32) != 'e') continue;
    kind = TOKEN_FLOAT;
    if ((sign == '+' || sign == '-') && is_digit(byte_at(lexer, at + 1))) at++;
  }
  char behind = byte_at(lexer, at + 1);
  bool fraction = byte_at(lexer, at) == '.' && kind == TOKEN_INTEGER && !based && behind != '.' && behind != '`' &&
                  (is_digit(behind) || (!ew_cypher_is_name_byte(behind) && (unsigned char)behind < 0x80));
  if (fraction) {
    kind = TOKEN_FLOAT;
    at++;
    while (ew_cypher_is_name_byte(byte_at(lexer, at))) {
      char c = byte_at(lexer, at++), sign = byte_at(lexer, at);
      if ((c | 32) == 'e' && (sign == '+' || sign == '-') && is_digit(byte_at(lexer, at + 1))) at++;
    }
  }
  lexer->at = at;
  return kind;
}

static uint32_t dollar(struct ew_cypher_lexer *lexer) {
  if (byte_at(lexer, lexer->at) == '`') {
    lexer->at++;
    return quoted(lexer, '`', TOKEN_PARAMETER);
  }
  size_t end = skip_name(lexer, lexer->at);
  if (end == lexer->at) return TOKEN_DOLLAR;
  lexer->at = end;
  return TOKEN_PARAMETER;
}

/* `kind`, or `longer` if the next byte is `second`. */
static uint32_t either(struct ew_cypher_lexer *lexer, char second, uint32_t longer, uint32_t kind) {
  if (byte_at(lexer, lexer->at) != second) return kind;
  lexer->at++;
  return longer;
}

static uint32_t less(struct ew_cypher_lexer *lexer) {
  uint32_t kind = either(lexer, '=', TOKEN_LESS_EQUAL, TOKEN_LESS);
  return kind == TOKEN_LESS ? either(lexer, '>', TOKEN_UNEQUAL, TOKEN_LESS) : kind;
}

/* A token that begins with a mark; `at` is behind its first byte. */
static uint32_t mark(struct ew_cypher_lexer *lexer, char c) {
  switch (c) {
    case '(': return TOKEN_LEFT_PAREN;
    case ')': return TOKEN_RIGHT_PAREN;
    case '[': return TOKEN_LEFT_BRACKET;
    case ']': return TOKEN_RIGHT_BRACKET;
    case '{': return TOKEN_LEFT_BRACE;
    case '}': return TOKEN_RIGHT_BRACE;
    case ',': return TOKEN_COMMA;
    case ';': return TOKEN_SEMICOLON;
    case ':': return either(lexer, ':', TOKEN_DOUBLE_COLON, TOKEN_COLON);
    case '.':
      return is_digit(byte_at(lexer, lexer->at)) ? number(lexer, lexer->at - 1)
                                                 : either(lexer, '.', TOKEN_DOT_DOT, TOKEN_DOT);
    case '+': return either(lexer, '=', TOKEN_PLUS_EQUAL, TOKEN_PLUS);
    case '-': return TOKEN_MINUS;
    case '*': return TOKEN_STAR;
    case '/': return TOKEN_SLASH;
    case '%': return TOKEN_PERCENT;
    case '^': return TOKEN_CARET;
    case '=': return either(lexer, '~', TOKEN_TILDE, TOKEN_EQUAL);
    case '<': return less(lexer);
    case '>': return either(lexer, '=', TOKEN_GREATER_EQUAL, TOKEN_GREATER);
    case '|': return either(lexer, '|', TOKEN_DOUBLE_BAR, TOKEN_BAR);
    case '&': return TOKEN_AMPERSAND;
    case '!': return either(lexer, '=', TOKEN_UNEQUAL, TOKEN_EXCLAMATION);
    case '$': return dollar(lexer);
    case '\'':
    case '"': return quoted(lexer, c, TOKEN_STRING);
    case '`': return quoted(lexer, c, TOKEN_QUOTED);
    default: return bad(lexer, "UnexpectedSyntax", "no token begins with this character");
  }
}

/* One token at `at`, which is not the end. */
static uint32_t token(struct ew_cypher_lexer *lexer) {
  size_t start = lexer->at, wide = 1;
  char c = lexer->text.bytes[start];
  if (is_digit(c)) return number(lexer, start);
  if ((unsigned char)c >= 0x80) {
    wide = wide_letter(lexer->text, start);
    if (!wide)
      return bad(lexer, "InvalidUnicodeCharacter", "this character may stand in strings and names in backticks only");
  } else if (!ew_cypher_is_name_byte(c)) {
    lexer->at++;
    return mark(lexer, c);
  }
  lexer->at = skip_name(lexer, start + wide);
  return ew_cypher_word_find((struct ew_span){lexer->text.bytes + start, lexer->at - start});
}

/* ---- statements ---- */

/* Room for as many tokens as most statements of this length have; more may come. */
void ew_cypher_lexer_init(struct ew_cypher_lexer *lexer, struct ew_span text) {
  *lexer = (struct ew_cypher_lexer){.text = text};
  lexer->tokens.capacity = (text.length < 1 << 14 ? text.length : 1 << 14) / 2 + 8;
  lexer->tokens.items = ew_allocate(lexer->tokens.capacity * sizeof *lexer->tokens.items);
}

void ew_cypher_lexer_release(struct ew_cypher_lexer *lexer) { ew_vector_release(&lexer->tokens); }

static void push(struct ew_cypher_lexer *lexer, uint32_t kind, size_t start) {
  *ew_vector_push(&lexer->tokens) = (struct ew_cypher_token){.kind = kind,
                                                             .start = (uint32_t)(start - lexer->origin),
                                                             .length = (uint32_t)(lexer->at - start),
                                                             .partner = none};
}

/* Open brackets are a list through their `partner`, innermost first, until they are closed. */
static void pair(struct ew_cypher_lexer *lexer, uint32_t *open, uint32_t kind) {
  struct ew_cypher_token *tokens = lexer->tokens.items;
  uint32_t last = (uint32_t)lexer->tokens.count - 1;
  if (kind == TOKEN_LEFT_PAREN || kind == TOKEN_LEFT_BRACKET || kind == TOKEN_LEFT_BRACE) {
    tokens[last].partner = *open;
    *open = last;
  } else if (*open != none && tokens[*open].kind + 1 == kind) {
    uint32_t outer = tokens[*open].partner;
    tokens[*open].partner = last;
    *open = outer;
  }
}
_Static_assert(TOKEN_LEFT_PAREN + 1 == TOKEN_RIGHT_PAREN && TOKEN_LEFT_BRACKET + 1 == TOKEN_RIGHT_BRACKET &&
                   TOKEN_LEFT_BRACE + 1 == TOKEN_RIGHT_BRACE,
               "a closing bracket follows its opening one in token.def");

void ew_cypher_lexer_next(struct ew_cypher_lexer *lexer) {
  uint32_t open = none, kind = TOKEN_NAME;
  ew_vector_reset(&lexer->tokens);
  lexer->origin = lexer->at;
  lexer->detail = lexer->message = NULL;
  while (kind != TOKEN_SEMICOLON && kind != TOKEN_BAD) {
    bool ended = skip_blank(lexer);
    size_t start = lexer->at;
    if (start == lexer->text.length) break;
    if (!ended) {
      kind = bad(lexer, "UnexpectedSyntax", "a comment has no end");
    } else if (start - lexer->origin > EW_CYPHER_STATEMENT_MAX) {
      kind = bad(lexer, NULL, "the statement is too long");
    } else {
      kind = token(lexer);
      if (lexer->at - start > EW_CYPHER_STATEMENT_MAX) kind = bad(lexer, NULL, "the statement is too long");
    }
    push(lexer, kind, start);
    pair(lexer, &open, kind);
  }
  if (kind != TOKEN_SEMICOLON) push(lexer, TOKEN_END, lexer->at);
  for (uint32_t last = (uint32_t)lexer->tokens.count - 1, outer; open != none; open = outer) {
    outer = lexer->tokens.items[open].partner;
    lexer->tokens.items[open].partner = last;
  }
}
