/* program.h: what is sent to an engine. A program is statements; a run is a program, where it goes and on which state. */
#ifndef EW_CONTRACT_PROGRAM_H
#define EW_CONTRACT_PROGRAM_H

#include "tree/tree.h"
#include "value/value.h"

struct ew_parameter {
  struct ew_span name;
  struct ew_value value;
};

struct ew_statement {
  struct ew_span text;
  const struct ew_node *tree; /* what the text was printed from; NULL where only the text is known (a stored history) */
  const struct ew_parameter *parameters;
  size_t parameter_count;
  struct ew_names columns; /* what the answer must be called, in order; none where the statement returns nothing */
  bool ordered;            /* its rows have one order */
};

struct ew_program {
  const struct ew_statement *statements;
  size_t count;
};

struct ew_option {
  struct ew_span name, setting;
};

enum ew_run_state {
  EW_STATE_SHARED, /* the scene as it was loaded; the run must not change it */
  EW_STATE_FRESH,  /* the scene is loaded anew for this run */
};

struct ew_run {
  struct ew_program program;
  unsigned engine; /* which of the hunt's engines */
  enum ew_run_state state;
  bool go_on;   /* statements behind one that failed are run too */
  size_t looks; /* of its statements, so many at the end only look at what the others did */
  const struct ew_option *options;
  size_t option_count;
};

#endif
