/* tck.h: all of the TCK at once: `edgewise bench tck`. */
#ifndef EW_CLI_TCK_H
#define EW_CLI_TCK_H

#include "base/text.h"
#include "cli/tck_feature.h"

/* Appends what fails, grouped by feature, and the figures; the last line is "tck: N of M scenarios". With `only`, just the
   scenarios whose title has it somewhere. With `list`, the titles of those that fail, each below its reason, as
   tests/tck/failing.txt has them; all else is comments. EW_MISSING where the TCK is not in the cache folder. */
enum ew_status ew_tck_measure(struct ew_text *text, const char *only, bool list, struct ew_error *error) EW_CHECKED;

/* "clauses/match/Match1 [1] Match non-existent nodes #2" */
void ew_tck_title(struct ew_text *text, const struct ew_tck_scenario *scenario);

/* ---- what parser, printer and checker alone can be judged by (tck_syntax.c) ---- */

struct ew_tck_syntax {
  size_t queries, round_trips; /* that should parse; that also print to what parses to an equal tree */
  size_t errors, found; /* SyntaxErrors at compile time; those that parser or checker give with the right detail */
};

/* Counts one scenario; what is wrong goes into `text`: a reason, and below it "static: " and the title. */
void ew_tck_syntax_count(struct ew_tck_syntax *syntax, const struct ew_tck_scenario *scenario, struct ew_text *text);

#endif
