/* cause.h: findings in the order in which people want to read them, and which of their groups are likely of one cause.

   A group (hunt/fingerprint.h) is certain and narrow: one bug that shows in MIN and in MAX makes two of them. A cause is a
   guess: groups that fail in one way, where the minimal case of one has all that the minimal case of the other has. It is
   made anew from the findings that there are, so it is stored nowhere; findings stay apart, they are only shown together.

       core    how it fails: signal and place; the error without what wraps it; rows, order or data that are wrong
       marks   what the minimal case is made of: the language's `marks` of its base and its recipe

   A wrong answer joins the smallest one of the same core that has the same essence: the marks that are not of patterns and
   not of what any bug may be met in (a WITH, a write, NOT), or those of patterns where there are no others. Any other
   finding joins the smallest one of the same core whose marks it has all of. Marks do not matter where the core itself
   tells: an error that names something of the engine's own, a crash in the same function. Of an error that only names its
   class ("SyntaxError: UndefinedVariable: …") the clauses matter, not the expression that met it. Different errors join
   where they have the very same marks, two or more. */
#ifndef EW_REPORT_CAUSE_H
#define EW_REPORT_CAUSE_H

#include "contract/finding.h"

enum ew_finding_class { EW_CLASS_CRASH, EW_CLASS_WRONG, EW_CLASS_ERROR };
enum ew_finding_class ew_finding_class(const struct ew_finding *finding);

/* A crash that is the C library's complaint about a damaged heap. It may be noticed anywhere, and in another process not at
   all. */
bool ew_crash_damages_heap(const struct ew_statement_outcome *outcome);

/* Whether a language's mark is more than what any bug may be met in: no pattern, no constant, no carrier. */
bool ew_mark_tells(struct ew_span mark);

/* All that a cause is guessed from. */
struct ew_traits {
  enum ew_finding_class class;
  uint64_t group;
  struct ew_span core;
  bool telling;          /* the core alone tells the cause */
  struct ew_span place;  /* of a crash: the innermost function that has a name, or empty */
  struct ew_names marks; /* sorted, each once */
  size_t bytes;          /* of the script */
};

/* In `arena`, which outlives the finding or not. */
struct ew_traits ew_traits_of(struct ew_arena *arena, const struct ew_finding *finding);

/* causes[i] becomes the number of the finding that stands for the cause of finding i. Returns how many causes there are. */
size_t ew_causes(const struct ew_traits *traits, size_t count, size_t *causes);

/* Crashes, then wrong answers, then errors; confirmed before seen once; the smallest script first. Negative, 0, positive. */
int ew_finding_compare(const struct ew_finding *a, const struct ew_finding *b);

/* Findings that are likely of one cause: a part of the array. */
struct ew_cause_range {
  size_t first, count;
};
struct ew_cause_list {
  const struct ew_cause_range *items;
  size_t count;
};
/* Sorts the findings by ew_finding_compare, those of one cause together where its first stands, those of one group beside
   each other. */
struct ew_cause_list ew_findings_arrange(struct ew_arena *arena, struct ew_finding *findings, size_t count);

#endif
