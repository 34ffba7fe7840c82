/* fingerprint.c: see the header. */
#include "hunt/fingerprint.h"

#include <ctype.h>

#include "base/hash.h"
#include "contract/language.h"
#include "report/cause.h"

enum { FRAMES = 3, TEXT_LIMIT = 400 };

static bool word_char(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* The end of a pattern or a comprehension that begins at `at`, with all that stands between its brackets and the links behind
   them, "(a)-[:R]->(b)"; or `at` where none does, or it does not end. Plain words in brackets are none. */
static size_t skip_pattern(struct ew_span text, size_t at) {
  size_t depth = 0, end = at;
  for (size_t i = at; i < text.length; i++) {
    char c = text.bytes[i];
    if (c == '(' || c == '[') depth++;
    if (!depth && !strchr("-<>", c)) break;
    if ((c == ')' || c == ']') && --depth == 0) end = i + 1;
  }
  bool opens = text.bytes[at] == '(' || text.bytes[at] == '[';
  bool linked = memmem(text.bytes + at, end - at, "-[", 2) || memmem(text.bytes + at, end - at, "--", 2);
  return opens && !depth && linked ? end : at;
}

/* The end of a quoted part that begins at `at`, or `at` where none does. */
static size_t skip_quoted(struct ew_span text, size_t at) {
  char quote = text.bytes[at];
  if (quote != '\'' && quote != '"' && quote != '`') return at;
  size_t inner = at + 1 < text.length ? skip_pattern(text, at + 1) : at;
  if (inner > at + 1 && inner < text.length && text.bytes[inner] == quote) return inner + 1;
  const char *end = memchr(text.bytes + at + 1, quote, text.length - at - 1);
  return end ? (size_t)(end - text.bytes) + 1 : at;
}

/* 0x7f3a…, 12, 1st */
static size_t skip_number(struct ew_span text, size_t at) {
  static const char *const ordinals[] = {"st", "nd", "rd", "th"};
  if (text.bytes[at] == '0' && at + 1 < text.length && text.bytes[at + 1] == 'x') {
    for (at += 2; at < text.length && isxdigit((unsigned char)text.bytes[at]);) at++;
    return at;
  }
  while (at < text.length && isdigit((unsigned char)text.bytes[at])) at++;
  for (size_t i = 0; i < EW_COUNT(ordinals); i++)
    if (ew_span_starts((struct ew_span){text.bytes + at, text.length - at}, ew_span_of(ordinals[i]))) return at + 2;
  return at;
}

/* One or two letters and a number: a name that a generator made. One letter alone: a name that a reduction made. */
static bool is_made_name(struct ew_span text, size_t at) {
  size_t letters = 0;
  while (at < text.length && isalpha((unsigned char)text.bytes[at]) && letters < 3) at++, letters++;
  if (letters == 1 && (at == text.length || !word_char(text.bytes[at]))) return true;
  return letters >= 1 && letters <= 2 && at < text.length && isdigit((unsigned char)text.bytes[at]);
}

/* Not the s of "it's". */
static bool begins_word(struct ew_span text, size_t at) {
  return at == 0 || (!word_char(text.bytes[at - 1]) && text.bytes[at - 1] != '\'');
}

void ew_fingerprint_normalise(struct ew_text *text, struct ew_span error) {
  for (size_t at = 0; at < error.length && at < TEXT_LIMIT;) {
    size_t behind = skip_quoted(error, at);
    if (behind > at) {
      ew_text_add_string(text, "'…'");
      at = behind;
    } else if (skip_pattern(error, at) > at) {
      ew_text_add_string(text, "(…)");
      at = skip_pattern(error, at);
    } else if (isdigit((unsigned char)error.bytes[at])) {
      at = skip_number(error, at);
      ew_text_add_char(text, 'N');
    } else if (is_made_name(error, at) && begins_word(error, at)) {
      while (at < error.length && word_char(error.bytes[at])) at++;
      ew_text_add_string(text, "xN");
    } else if (word_char(error.bytes[at])) {
      while (at < error.length && word_char(error.bytes[at]) && !isdigit((unsigned char)error.bytes[at]))
        ew_text_add_char(text, error.bytes[at++]);
    } else {
      ew_text_add_char(text, error.bytes[at] == '\n' ? ' ' : error.bytes[at]);
      at++;
    }
  }
}

static void add_culprit(struct ew_text *text, const struct ew_statement_outcome *culprit) {
  ew_text_add_string(text, ew_outcome_kind_text(culprit->kind));
  if (culprit->kind == EW_OUTCOME_CRASH) {
    ew_text_add_format(text, " signal %d", culprit->signal);
    for (size_t i = 0; i < culprit->frames.count && i < FRAMES; i++) {
      ew_text_add_string(text, i ? " < " : " in ");
      ew_text_add(text, culprit->frames.items[i]);
    }
  } else if (culprit->kind == EW_OUTCOME_ERROR) {
    ew_text_add_string(text, ": ");
    ew_fingerprint_normalise(text, culprit->text);
  }
}

static void look(void *context, const char *mark) {
  bool *tells = context;
  *tells = *tells || ew_mark_tells(ew_span_of(mark));
}

/* What was done before the base query is mostly there to make data, which takes any form. */
static bool only_makes_data(const struct ew_language *language, const struct ew_node *statement) {
  bool tells = false;
  if (language->marks) language->marks(statement, look, &tells);
  return !tells;
}

static void add_shape(struct ew_text *text, const struct ew_finding *finding) {
  const struct ew_language *language = finding->test.language;
  ew_text_add(text, finding->oracle);
  ew_text_add_format(text, " %s", ew_relation_name(finding->claim.relation));
  if (finding->claim.relation == EW_RELATION_exact)
    ew_text_add_format(text, " (%s)", ew_aspect_name(finding->why.aspect));
  ew_text_add_string(text, ": ");
  for (size_t i = 0; i < finding->test.scene.statements.count; i++) {
    const struct ew_node *statement = finding->test.scene.statements.items[i];
    if (only_makes_data(language, statement)) continue;
    language->shape(text, statement);
    ew_text_add_string(text, "; ");
  }
  language->shape(text, finding->test.base);
  for (size_t i = 0; i < finding->test.recipe.trees.count; i++) {
    ew_text_add_string(text, i ? ", " : " by ");
    if (finding->test.recipe.trees.items[i]) language->shape(text, finding->test.recipe.trees.items[i]);
  }
}

/* A hang has no trace, so it goes by shape too. */
bool ew_fingerprint_is_final(const struct ew_finding *finding) {
  const struct ew_statement_outcome *culprit = ew_finding_culprit(finding);
  if (!culprit) return false;
  return culprit->kind == EW_OUTCOME_ERROR || (culprit->kind == EW_OUTCOME_CRASH && culprit->frames.count);
}

struct ew_fingerprint ew_fingerprint(struct ew_arena *arena, const struct ew_finding *finding) {
  struct ew_text text = {0};
  const struct ew_statement_outcome *culprit = ew_finding_culprit(finding);
  if (culprit) add_culprit(&text, culprit);
  if (!ew_fingerprint_is_final(finding)) {
    if (culprit) ew_text_add_string(&text, ", ");
    add_shape(&text, finding);
  }
  struct ew_span span = ew_text_span(&text);
  struct ew_fingerprint fingerprint = {ew_hash_span(span, ew_hash_span(finding->engine, 0)),
                                       ew_arena_copy(arena, span)};
  ew_text_release(&text);
  return fingerprint;
}
