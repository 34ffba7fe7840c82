/* outcome.h: what came of a run. What an engine does wrong is data here, never an error of ours. */
#ifndef EW_CONTRACT_OUTCOME_H
#define EW_CONTRACT_OUTCOME_H

#include "value/rows.h"

enum ew_outcome_kind {
#define OUTCOME(name, text, meaning) EW_OUTCOME_##name,
#include "contract/outcome.def"
#undef OUTCOME
  EW_OUTCOME_KINDS
};

const char *ew_outcome_kind_text(enum ew_outcome_kind kind);
bool ew_outcome_kind_read(struct ew_span text, enum ew_outcome_kind *kind);

/* How an error is to be taken; a profile decides by patterns (contract/profile.h). */
enum ew_error_class {
  EW_ERROR_UNEXPECTED, /* nothing in the profile explains it: an engine fault */
  EW_ERROR_REFUSED,    /* the engine does not know or accept what we wrote */
  EW_ERROR_EXPECTED,   /* a legitimate run-time error, for the reason the profile states */
  EW_ERROR_TRANSIENT,  /* memory pool, deadlock, shutting down */
};

struct ew_counters {
  int64_t nodes_created, nodes_deleted, relationships_created, relationships_deleted, properties_set, labels_added,
      labels_removed;
};

struct ew_statement_outcome {
  enum ew_outcome_kind kind;
  enum ew_error_class error_class; /* of ERROR; set by the worker from the profile */
  struct ew_rows rows;             /* of ROWS */
  struct ew_span text;             /* the error's text; the last words of a process that died; empty otherwise */
  struct ew_span code;             /* the engine's error code, where it has one */
  struct ew_names frames;          /* of CRASH: top frames, innermost first, as "module+0xoffset" or "function" */
  int signal;                      /* of CRASH */
  int64_t nanoseconds;             /* from send to last byte */
  bool has_counters;
  struct ew_counters counters;
  struct ew_span plan; /* where it was asked for */
};

struct ew_outcome {
  const struct ew_statement_outcome *statements;
  size_t count;
};

/* The outcome that decides: the first statement that did not end in rows, else the last one. */
const struct ew_statement_outcome *ew_outcome_decisive(const struct ew_outcome *outcome);

/* Of a large answer only the first rows are stored: they are for people, a replay asks the engine again. */
enum { EW_OUTCOME_ROWS_STORED = 10000 };
void ew_outcome_write_rows(struct ew_json_writer *writer, const struct ew_rows *rows);

void ew_outcome_write_json(struct ew_json_writer *writer, const struct ew_outcome *outcome);
enum ew_status ew_outcome_read_json(struct ew_arena *arena, const struct ew_json *json, struct ew_outcome *outcome,
                                    struct ew_error *error) EW_CHECKED;

#endif
