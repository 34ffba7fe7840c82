/* print_name.c: names, in backticks where they need them. Almost every token is a name, so the common ones (one letter,
   or with a digit or underscore in them) never reach the list of words. */
#include "lang/cypher/printer.h"

struct word {
  const char *text;
  bool callable;
};

static const struct word words[] = {
#define WORD(word, callable) {#word, callable},
#include "lang/cypher/words.def"
#undef WORD
};

enum { LETTER = 1, LINE = 2, DIGIT = 4, ODD = 8 };

#define FOUR(first, class) [first] = class, [first + 1] = class, [first + 2] = class, [first + 3] = class
static const unsigned char classes[256] = {
    FOUR('a', LETTER), FOUR('e', LETTER), FOUR('i', LETTER), FOUR('m', LETTER), FOUR('q', LETTER), FOUR('u', LETTER),
    FOUR('A', LETTER), FOUR('E', LETTER), FOUR('I', LETTER), FOUR('M', LETTER), FOUR('Q', LETTER), FOUR('U', LETTER),
    FOUR('0', DIGIT),  FOUR('4', DIGIT),  ['8'] = DIGIT,     ['9'] = DIGIT,     ['_'] = LINE,      ['y'] = LETTER,
    ['z'] = LETTER,    ['Y'] = LETTER,    ['Z'] = LETTER,
};
#undef FOUR

/* Bytewise, with `name` in capitals. */
static int compare(struct ew_span name, const char *word) {
  size_t i = 0;
  for (; i < name.length && word[i]; i++) {
    int difference = (name.bytes[i] & ~0x20) - word[i];
    if (difference) return difference;
  }
  return i < name.length ? 1 : word[i] ? -1 : 0;
}

/* Whether any word has its first letter, its last letter and its length: almost every name is sorted out here. */
static bool may_be_word(struct ew_span name) {
  static unsigned char lengths[32 * 32]; /* by first and last letter: a bit for each length, modulo 8 */
  static bool filled;
  for (size_t i = 0; !filled && i < EW_COUNT(words); i++) {
    struct ew_span word = ew_span_of(words[i].text);
    lengths[(word.bytes[0] & 31) * 32 + (word.bytes[word.length - 1] & 31)] |= (unsigned char)(1 << (word.length & 7));
  }
  filled = true;
  return lengths[(name.bytes[0] & 31) * 32 + (name.bytes[name.length - 1] & 31)] >> (name.length & 7) & 1;
}

/* `name` has letters only. */
static const struct word *find_word(struct ew_span name) {
  size_t low = 0, high = may_be_word(name) ? EW_COUNT(words) : 0;
  while (low < high) {
    size_t middle = (low + high) / 2;
    int order = compare(name, words[middle].text);
    if (order == 0) return &words[middle];
    if (order < 0)
      high = middle;
    else
      low = middle + 1;
  }
  return NULL;
}

/* Adds the name as it is, if it may stand so. The copy costs less than looking at the bytes twice. */
static inline bool print_plain(struct ew_text *text, struct ew_span name, bool call) {
  if (!name.length || classes[(unsigned char)name.bytes[0]] == DIGIT) return false;
  if (text->capacity - text->length <= name.length) ew_text_reserve(text, name.length);
  unsigned seen = 0;
  char *to = text->bytes + text->length;
  for (size_t i = 0; i < name.length; i++) {
    unsigned class = classes[(unsigned char)name.bytes[i]];
    seen |= class ? class : ODD;
    to[i] = name.bytes[i];
  }
  if (seen & ODD) return false;
  if (seen == LETTER && name.length > 1) {
    const struct word *word = find_word(name);
    if (word && !(call && word->callable)) return false;
  }
  text->length += name.length;
  text->bytes[text->length] = '\0';
  return true;
}

static void print_quoted(struct ew_text *text, struct ew_span name) {
  ew_text_add_char(text, '`');
  for (size_t i = 0; i < name.length; i++) {
    if (name.bytes[i] == '`') ew_text_add_char(text, '`');
    ew_text_add_char(text, name.bytes[i]);
  }
  ew_text_add_char(text, '`');
}

void ew_cypher_print_name(struct ew_text *text, struct ew_span name) {
  const unsigned char *bytes = (const unsigned char *)name.bytes;
  /* Most names are a letter, or a letter and a digit: a copy of a length that the compiler knows. */
  if (name.length == 2 && classes[bytes[0]] == LETTER && classes[bytes[1]] == DIGIT)
    ew_text_add_bytes(text, name.bytes, 2);
  else if (name.length == 1 && classes[bytes[0]] == LETTER)
    ew_text_add_bytes(text, name.bytes, 1);
  else if (!print_plain(text, name, false)) print_quoted(text, name);
}

void ew_cypher_print_callable(struct ew_cypher_printer *printer, struct ew_span name) {
  struct ew_span rest = name;
  for (;;) {
    const char *dot = rest.length ? memchr(rest.bytes, '.', rest.length) : NULL;
    struct ew_span part = {rest.bytes, dot ? (size_t)(dot - rest.bytes) : rest.length};
    if (!print_plain(printer->text, part, true)) print_quoted(printer->text, part);
    if (!dot) return;
    EW_PUT(printer, ".");
    rest = (struct ew_span){dot + 1, rest.length - part.length - 1};
  }
}
