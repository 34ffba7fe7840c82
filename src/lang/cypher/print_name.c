/* print_name.c: names, in backticks where they need them. Almost every token is a name, so the common ones (one letter, or
   with a digit or underscore in them) never reach the list of words. */
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

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
static bool is_mark(char c) { return (c >= '0' && c <= '9') || c == '_'; }

/* Bytewise, with `name` in capitals. */
static int compare(struct ew_span name, const char *word) {
  size_t i = 0;
  for (; i < name.length && word[i]; i++) {
    int difference = (name.bytes[i] & ~0x20) - word[i];
    if (difference) return difference;
  }
  return i < name.length ? 1 : word[i] ? -1 : 0;
}

/* `name` has letters only. */
static const struct word *find_word(struct ew_span name) {
  size_t low = 0, high = EW_COUNT(words);
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

/* Whether the name may stand as it is. */
static bool is_plain(struct ew_span name, bool call) {
  if (!name.length || !(is_letter(name.bytes[0]) || name.bytes[0] == '_')) return false;
  bool letters = true;
  for (size_t i = 0; i < name.length; i++) {
    char c = name.bytes[i];
    if (is_letter(c)) continue;
    if (!is_mark(c)) return false;
    letters = false;
  }
  if (!letters || name.length == 1) return true;
  const struct word *word = find_word(name);
  return !word || (call && word->callable);
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
  if (is_plain(name, false))
    ew_text_add(text, name);
  else
    print_quoted(text, name);
}

void ew_cypher_print_callable(struct ew_cypher_printer *printer, struct ew_span name) {
  struct ew_span rest = name;
  for (;;) {
    const char *dot = rest.length ? memchr(rest.bytes, '.', rest.length) : NULL;
    struct ew_span part = {rest.bytes, dot ? (size_t)(dot - rest.bytes) : rest.length};
    if (is_plain(part, true))
      ew_text_add(printer->text, part);
    else
      print_quoted(printer->text, part);
    if (!dot) return;
    EW_PUT(printer, ".");
    rest = (struct ew_span){dot + 1, rest.length - part.length - 1};
  }
}
