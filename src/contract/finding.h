/* finding.h: a violation that was confirmed, with all that is needed to show it again: stored as finding.json. */
#ifndef EW_CONTRACT_FINDING_H
#define EW_CONTRACT_FINDING_H

#include "contract/case.h"
#include "contract/oracle.h"
#include "contract/outcome.h"
#include "contract/relation.h"

enum ew_finding_state {
  EW_CONFIRMED, /* it showed on a clean instance, each time */
  EW_SEEN_ONCE, /* a crash, hang or corruption with a trace that did not show again */
  EW_FLAKY,     /* anything else that did not show again: counted, never reported */
};

const char *ew_finding_state_text(enum ew_finding_state state);

/* Where among an engine's published versions a finding began. */
struct ew_bisection {
  struct ew_span first;    /* the first version that shows it; empty where it was not looked for */
  struct ew_span good;     /* the last one before that does not; empty where there is none */
  struct ew_names unclear; /* between the two: what cannot be installed there, or refuses the query */
  struct ew_span newest;   /* that is published */
  bool in_newest;          /* it shows there */
};

/* "shown first by 0.6.0, not by 0.5.0; still in the newest, 0.12.0" */
void ew_bisection_add(struct ew_text *text, const struct ew_bisection *bisection);

struct ew_finding {
  struct ew_finding_id id;
  enum ew_finding_state state;
  struct ew_span oracle;
  struct ew_case test;
  struct ew_claim claim;
  struct ew_why why;

  struct ew_span engine, version; /* "graphqlite", "0.12.0" */
  struct ew_span engine_says;     /* what the engine itself calls its version */

  /* As it was replayed last: what was loaded, what was asked, what came back. */
  struct ew_program load;
  const struct ew_run *runs;
  const struct ew_outcome *outcomes;
  size_t run_count;

  /* Programs that ran on the same instance before and without which it does not show, each on an empty engine; usually none.
     `joined`: the last of them has loaded the scene itself, and the case follows on its state. */
  const struct ew_program *history;
  size_t history_count;
  bool joined;

  uint64_t group;                   /* fingerprint */
  struct ew_span shape;             /* what the fingerprint was made of, for people */
  struct ew_span title;             /* one line in plain words */
  bool reduced;                     /* the case is the reduced one */
  unsigned tries;                   /* of the reduction */
  int64_t reducing;                 /* nanoseconds that it took */
  size_t bytes_before, bytes_after; /* of the script, before and after reduction */
  struct ew_span environment;       /* operating system, architecture, time zone, locale */
  struct ew_span known_since;       /* the day of the first run that found the group, where that was an earlier one */
  struct ew_bisection bisection;
};

/* The outcome that `clean` accuses; NULL where the relation is another one. */
const struct ew_statement_outcome *ew_finding_culprit(const struct ew_finding *finding);

/* Sixteen hexadecimal digits and NUL. */
struct ew_group_text {
  char text[17];
};
struct ew_group_text ew_group_text(uint64_t group);

void ew_finding_write_json(struct ew_json_writer *writer, const struct ew_finding *finding);
enum ew_status ew_finding_read_json(struct ew_arena *arena, const struct ew_language *const *languages,
                                    const struct ew_json *json, struct ew_finding *finding,
                                    struct ew_error *error) EW_CHECKED;

#endif
