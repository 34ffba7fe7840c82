/* title.c: one line that tells two findings of a list apart: what happened, where, and of wrong answers the query. */
#include <signal.h>

#include "base/utf8.h"
#include "report/page.h"
#include "report/report.h"

enum { TITLE_MAX = 120 }; /* characters */

struct ew_signal_text ew_signal_text(int signal) {
  static const struct {
    int number;
    const char *name;
  } names[] = {
      {SIGABRT, "SIGABRT"}, {SIGSEGV, "SIGSEGV"}, {SIGBUS, "SIGBUS"},   {SIGFPE, "SIGFPE"},   {SIGILL, "SIGILL"},
      {SIGKILL, "SIGKILL"}, {SIGTERM, "SIGTERM"}, {SIGTRAP, "SIGTRAP"}, {SIGXFSZ, "SIGXFSZ"},
  };
  struct ew_signal_text text;
  snprintf(text.text, sizeof text.text, "signal %d", signal);
  for (size_t i = 0; i < EW_COUNT(names); i++)
    if (names[i].number == signal) snprintf(text.text, sizeof text.text, "%s", names[i].name);
  return text;
}

/* What a violated relation is called. */
static const char *const complaints[EW_RELATIONS] = {
    [EW_RELATION_same] = "wrong answer: equivalent queries return different rows",
    [EW_RELATION_same_ordered] = "wrong answer: equivalent queries return other rows or another order",
    [EW_RELATION_sum] = "wrong answer: a query and its parts return different rows",
    [EW_RELATION_superset] = "wrong answer: a query misses rows that a narrower one returns",
    [EW_RELATION_subset] = "wrong answer: a query returns rows that a wider one misses",
    [EW_RELATION_superset_distinct] = "wrong answer: a query misses rows that a narrower one returns",
    [EW_RELATION_subset_distinct] = "wrong answer: a query returns rows that a wider one misses",
    [EW_RELATION_none] = "wrong answer: rows where there can be none",
    [EW_RELATION_some] = "wrong answer: no row where there must be one",
    [EW_RELATION_clean] = "failure",
    [EW_RELATION_exact] = "wrong answer: not the rows that the language demands",
    [EW_RELATION_bounded] = "slow: far longer than an equivalent query",
};

/* Frames of the C library say how a process died, not where the mistake is. */
static bool is_machinery(struct ew_span frame) {
  static const char *const functions[] = {
      "abort",  "raise",   "gsignal",     "pthread_kill",    "_int_free",          "free",
      "malloc", "realloc", "_int_malloc", "malloc_printerr", "malloc_consolidate", "unlink_chunk"};
  static const char *const beginnings[] = {"__", "libc.so", "libc-", "libpthread", "ld-linux", "linux-vdso"};
  for (size_t i = 0; i < EW_COUNT(functions); i++)
    if (ew_span_is(frame, functions[i])) return true;
  for (size_t i = 0; i < EW_COUNT(beginnings); i++)
    if (ew_span_starts(frame, ew_span_of(beginnings[i]))) return true;
  return false;
}

static void add_crash(struct ew_text *text, const struct ew_statement_outcome *outcome) {
  ew_text_add_string(text, "crash");
  if (outcome->signal) ew_text_add_format(text, " (%s)", ew_signal_text(outcome->signal).text);
  for (size_t i = 0; i < outcome->frames.count; i++) {
    if (is_machinery(outcome->frames.items[i])) continue;
    ew_text_add_string(text, " in ");
    ew_page_add_clean(text, outcome->frames.items[i], false);
    break;
  }
}

static void add_failure(struct ew_text *text, const struct ew_statement_outcome *outcome) {
  switch (outcome->kind) {
    case EW_OUTCOME_CRASH: add_crash(text, outcome); break;
    case EW_OUTCOME_HANG: ew_text_add_string(text, "hang: no answer, and it does not let itself be stopped"); break;
    case EW_OUTCOME_LOST: ew_text_add_string(text, "the connection breaks"); break;
    case EW_OUTCOME_CORRUPT: ew_text_add_string(text, "an answer that cannot be decoded"); break;
    case EW_OUTCOME_ERROR: ew_text_add_string(text, "unexpected error"); break;
    case EW_OUTCOME_ROWS:
    case EW_OUTCOME_KILLED:
    case EW_OUTCOME_TIMEOUT:
    case EW_OUTCOME_TOO_LARGE:
    case EW_OUTCOME_NOT_RUN:
    case EW_OUTCOME_KINDS: ew_text_add_string(text, complaints[EW_RELATION_clean]); break;
  }
  if (!outcome->text.length || outcome->kind == EW_OUTCOME_HANG) return;
  ew_text_add_string(text, ": ");
  ew_page_add_clean(text, outcome->text, false);
}

/* The statement that differs, or the last one that does not only look at what the others did. */
static struct ew_span telling_statement(const struct ew_finding *finding) {
  const struct ew_run *run = &finding->runs[0];
  size_t last = run->program.count - 1 - (run->looks < run->program.count ? run->looks : 0);
  bool named = finding->claim.relation == EW_RELATION_exact && finding->why.statement < last;
  return run->program.statements[named ? finding->why.statement : last].text;
}

/* A query of one line tells more than any words; a program of many does not fit. */
static void add_query(struct ew_text *text, const struct ew_finding *finding) {
  if (!finding->run_count || !finding->runs[0].program.count) return;
  struct ew_span query = telling_statement(finding);
  if (!query.length || memchr(query.bytes, '\n', query.length)) return;
  ew_text_add_string(text, ": ");
  ew_page_add_clean(text, query, false);
}

/* One value instead of another says it all: "RETURN sign(null) AS a returns 0, not null". */
static bool add_value(struct ew_text *text, const struct ew_finding *finding) {
  const struct ew_rows *expected = &finding->why.expected, *actual = &finding->why.actual;
  if (finding->claim.relation != EW_RELATION_exact || finding->why.aspect != EW_ASPECT_rows) return false;
  if (expected->row_count != 1 || expected->column_count != 1 || actual->row_count != 1 || actual->column_count != 1)
    return false;
  ew_text_add_string(text, "wrong value: ");
  ew_page_add_clean(text, telling_statement(finding), false);
  struct ew_text values = {0};
  ew_text_add_string(&values, " returns ");
  ew_value_print(&values, actual->values[0]);
  ew_text_add_string(&values, ", not ");
  ew_value_print(&values, expected->values[0]);
  ew_page_add_clean(text, ew_text_span(&values), false);
  ew_text_release(&values);
  return true;
}

/* No blank at its end, and not too long. */
static void shorten(struct ew_text *text) {
  size_t at = 0;
  while (text->length && text->bytes[text->length - 1] == ' ') ew_text_cut(text, text->length - 1);
  for (size_t i = 0; i < TITLE_MAX - 1 && at < text->length; i++) (void)ew_utf8_next(ew_text_span(text), &at);
  if (ew_utf8_count((struct ew_span){text->bytes + at, text->length - at}) <= 1) return;
  ew_text_cut(text, at);
  ew_text_add_string(text, "…");
}

struct ew_span ew_report_title(struct ew_arena *arena, const struct ew_finding *finding,
                               const struct ew_profile *profile) {
  struct ew_text text = {0};
  const struct ew_statement_outcome *culprit = ew_finding_culprit(finding);
  (void)profile;
  if (culprit) {
    add_failure(&text, culprit);
  } else if (!finding->run_count || !finding->runs[0].program.count || !add_value(&text, finding)) {
    if (finding->claim.relation == EW_RELATION_exact && finding->why.aspect != EW_ASPECT_any)
      ew_text_add_string(&text, ew_aspect_words(finding->why.aspect));
    else
      ew_text_add_string(&text, complaints[finding->claim.relation]);
    add_query(&text, finding);
  }
  shorten(&text);
  struct ew_span title = ew_arena_copy(arena, ew_text_span(&text));
  ew_text_release(&text);
  return title;
}
