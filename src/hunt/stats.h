/* stats.h: the numbers of a hunt. Each worker writes its own block in shared memory, the supervisor adds them up. */
#ifndef EW_HUNT_STATS_H
#define EW_HUNT_STATS_H

#include <stdatomic.h>

#include "base/json.h"
#include "contract/oracle.h"

enum {
  EW_STATS_ORACLES = 32,
  EW_STATS_CAUSES = 48,
  EW_STATS_CAUSE_BYTES = 120,
  EW_STATS_FEATURES = 512,
  EW_STATS_FEATURE_BYTES = 40
};

struct ew_oracle_stats {
  uint64_t tests, violations, findings;
};

struct ew_cause {
  char text[EW_STATS_CAUSE_BYTES];
  uint64_t count;
};

struct ew_feature {
  char name[EW_STATS_FEATURE_BYTES];
  uint64_t count;
};

/* Plain memory, no pointers. A worker is the only writer of its block; readers may see a number a moment late. */
struct ew_stats {
#define STAT(name) uint64_t name;
#include "hunt/stat.def"
#undef STAT
  struct ew_oracle_stats oracles[EW_STATS_ORACLES]; /* in the order of ew_oracles */
  struct ew_cause causes[EW_STATS_CAUSES];          /* why statements were refused; empty text ends the list */
  struct ew_feature features[EW_STATS_FEATURES];    /* constructs that were written */
  uint64_t distinct;                                /* different texts among base statements, estimated */
  uint64_t bytes;                                   /* of base statements, as CONTRACT counts them */
  uint64_t dependencies;                            /* of base statements */
  int64_t tool_cpu, host_cpu, engine_time;          /* nanoseconds */
  uint64_t memory;                                  /* peak bytes of the process */
  uint8_t seen[4096];                               /* HyperLogLog registers behind `distinct` */
};

/* Counts a base statement's text and size. */
void ew_stats_statement(struct ew_stats *stats, struct ew_span text, size_t dependencies);
void ew_stats_cause(struct ew_stats *stats, struct ew_span text);
void ew_stats_feature(struct ew_stats *stats, const char *name);

/* Adds `from` to `into`. */
void ew_stats_add(struct ew_stats *into, const struct ew_stats *from);

enum ew_hunt_phase {
  EW_PHASE_TESTING,
  EW_PHASE_FINISHING, /* no more tests: what was found is still confirmed and reduced */
  EW_PHASE_DONE,
};
const char *ew_hunt_phase_name(enum ew_hunt_phase phase);

/* What only the supervisor knows. */
struct ew_hunt_facts {
  struct ew_span engine, version; /* as in NAME@VERSION */
  uint64_t seed;
  double seconds;
  uint64_t findings, groups, seen_once;
  uint64_t new_groups, known_groups, muted_groups; /* each group is one of the three */
  uint64_t likely_causes;
  enum ew_hunt_phase phase;
  double limit;        /* seconds that tests may take; 0 is no limit */
  double limit_beyond; /* seconds that what is finished after them may take */
};

/* stats.json */
void ew_stats_write_json(struct ew_json_writer *writer, const struct ew_stats *stats,
                         const struct ew_hunt_facts *facts);

#endif
