/* hunt.h: a hunt, as the command line starts one.

       supervisor ──fork──▶ worker ──fork──▶ engine host        one worker and one host per --workers
          ▲  └─ store: run.db, findings/ID/, stats.json           only the supervisor writes it
          └──── messages: violation? confirmed, reduced           over a socketpair

   The supervisor is single-threaded and loads no engine. Workers take scenes from one shared counter. */
#ifndef EW_HUNT_HUNT_H
#define EW_HUNT_HUNT_H

#include "contract/finding.h"
#include "contract/profile.h"
#include "generate/generate.h"
#include "hunt/stats.h"

/* An engine that is there to be hunted. */
struct ew_target {
  const struct ew_profile *profile;
  struct ew_span version;  /* "0.12.0", "system" */
  struct ew_span library;  /* path, or empty */
  struct ew_span url;      /* of a server that is not ours, or empty */
  struct ew_span password; /* for it; never in a log, a report or a file of the run */
  bool wipe;               /* what is on it may be removed */
  const char *folder;      /* for the data and logs of servers that are ours, or NULL */
  unsigned slot;           /* which of the hunt's instances: each has files and graphs of its own */
};

struct ew_known;     /* hunt/known.h */
struct ew_hunt_view; /* what watches a hunt: the screen, the line printer */

struct ew_hunt_options {
  struct ew_target target;
  const struct ew_oracle *const *oracles; /* ends with NULL */
  struct ew_generate_options generate;
  uint64_t seed;
  int64_t time;      /* nanoseconds; INT64_MAX is no limit */
  uint64_t tests;    /* UINT64_MAX is no limit */
  uint64_t findings; /* stop after so many groups; UINT64_MAX is no limit */
  unsigned workers;
  const char *folder;     /* the run's own folder */
  int64_t reduce_time;    /* nanoseconds for one reduction */
  int64_t statement_time; /* deadline of one statement */
  struct ew_hunt_view *view;
  struct ew_known *known;   /* groups of earlier runs; may be NULL */
  const uint64_t *baseline; /* groups of the run that this one is compared with; NULL where there is none */
  size_t baseline_count;
};

/* Called by the supervisor: never blocks, never fails. */
struct ew_hunt_view {
  /* About every 200 ms, and once at the end. */
  void (*tick)(struct ew_hunt_view *view, const struct ew_stats *stats, const struct ew_hunt_facts *facts);
  /* A finding is safely on disk, the first of its group. `fresh`: no earlier run found it, and it is not muted. */
  void (*announce)(struct ew_hunt_view *view, const struct ew_finding *finding, bool fresh);
  /* What is going on besides testing: "reducing 3f2a…: 120 tries", or empty. */
  void (*progress)(struct ew_hunt_view *view, struct ew_span text);
};

struct ew_hunt_result {
  uint64_t tests, findings, groups, seen_once, flaky;
  uint64_t known_groups, muted_groups; /* of the groups: found by an earlier run and not muted; muted */
  uint64_t beyond_baseline;            /* of the groups that are not muted: those that the baseline does not have */
  uint64_t causes;                     /* that the groups are likely of */
  bool interrupted;                    /* by Ctrl-C */
};

/* Runs a hunt to its end. EW_MISSING: the engine does not start; EW_IO: the folder cannot be written. */
enum ew_status ew_hunt(const struct ew_hunt_options *options, struct ew_hunt_result *result,
                       struct ew_error *error) EW_CHECKED;

/* ---- on stored findings ---- */

/* Reads FOLDER/finding.json. */
enum ew_status ew_finding_load(struct ew_arena *arena, const char *folder, struct ew_finding *finding,
                               struct ew_error *error) EW_CHECKED;

/* Runs a finding's case on a clean instance of `target`. `*seen`: the same violation showed; the finding's runs, outcomes and
   reason are replaced by those of this replay. EW_MISSING where the engine cannot be started. */
enum ew_status ew_finding_replay(struct ew_arena *arena, const struct ew_target *target, int64_t statement_time,
                                 struct ew_finding *finding, bool *seen, struct ew_error *error) EW_CHECKED;

/* The findings of a run's folder, in the order of ew_finding_compare. */
struct ew_findings {
  struct ew_finding *items;
  size_t count;
};
enum ew_status ew_findings_load(struct ew_arena *arena, const char *run, struct ew_findings *findings,
                                struct ew_error *error) EW_CHECKED;

#endif
