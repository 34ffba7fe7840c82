/* lexer.h: cuts the text of a statement into an array of tokens, in which the parser may look ahead as far as it likes.

   Each opening bracket knows its closing one. So the parser decides what a bracket begins by looking at both its ends
   and never has to try and go back: its time is linear whatever the nesting. For this room only. */
#ifndef EW_LANG_CYPHER_LEXER_H
#define EW_LANG_CYPHER_LEXER_H

#include <stdint.h>

#include "base/span.h"
#include "base/vector.h"

enum ew_cypher_token_kind {
#define KIND(name, text) TOKEN_##name,
#define MARK(name, text) TOKEN_##name,
#define LETTER(letter, words) words
#define WORD(name, reserved) WORD_##name,
#include "lang/cypher/token.def"
#undef KIND
#undef MARK
#undef LETTER
#undef WORD
};

/* Longest statement, so that positions and memory are bounded. */
enum { EW_CYPHER_STATEMENT_MAX = 64 << 20 };

struct ew_cypher_token {
  uint32_t kind;
  uint32_t start, length; /* within the statement; quotes and the $ of a parameter are part of it */
  uint32_t partner;       /* of an opening bracket: the index of its closing one, or of the END where there is none */
};

struct ew_cypher_lexer {
  struct ew_span text;
  size_t origin;                            /* where the statement begins that was cut last */
  size_t at;                                /* where the next one begins */
  EW_VECTOR(struct ew_cypher_token) tokens; /* the last is END or SEMICOLON; a BAD one stands right before it */
  const char *detail, *message;             /* of the BAD one: the TCK's word for it, and ours */
};

void ew_cypher_lexer_init(struct ew_cypher_lexer *lexer, struct ew_span text);
void ew_cypher_lexer_release(struct ew_cypher_lexer *lexer);

/* Cuts the text from `at` up to the next `;`, its end, or the first character that begins no token. */
void ew_cypher_lexer_next(struct ew_cypher_lexer *lexer);

/* What an error calls a token: `MATCH`, `'->'`, `a string`. */
const char *ew_cypher_token_text(uint32_t kind);

/* Whether a token may name a label, type, property, function …: any word may. */
static inline bool ew_cypher_token_is_name(uint32_t kind) {
  return kind == TOKEN_NAME || kind == TOKEN_QUOTED || kind > TOKEN_DOLLAR;
}

/* Whether a word cannot be a variable unless it stands in backticks. */
bool ew_cypher_word_is_reserved(uint32_t kind);

/* The word that `name` is, in any case of letters; TOKEN_NAME where it is none. */
uint32_t ew_cypher_word_find(struct ew_span name);

/* A letter, digit or underscore of ASCII. */
static inline bool ew_cypher_is_name_byte(char c) {
  return (unsigned char)((c | 32) - 'a') < 26 || (unsigned char)(c - '0') < 10 || c == '_';
}

#endif
