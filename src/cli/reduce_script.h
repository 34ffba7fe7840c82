/* reduce_script.h: a user's own script made smaller, by a user's own program that says what is still of interest. */
#ifndef EW_CLI_REDUCE_SCRIPT_H
#define EW_CLI_REDUCE_SCRIPT_H

#include <signal.h>

#include "base/status.h"
#include "base/text.h"
#include "cli/script.h"

struct ew_script_reduction {
  const char *program; /* run with the path of a candidate; 0: of interest */
  int64_t time;        /* nanoseconds, INT64_MAX is no limit */
  const volatile sig_atomic_t *stop;
  bool shown; /* progress, on standard error */

  /* set by it */
  unsigned tries;
  size_t bytes_before, bytes_after;
};

/* Adds the smallest script to `text`, a statement a line, each with its `;`. EW_BAD where the whole script is of no interest,
   EW_USAGE where there is no such program. */
enum ew_status ew_script_reduce(struct ew_arena *arena, const struct ew_script *script,
                                struct ew_script_reduction *reduction, struct ew_text *text,
                                struct ew_error *error) EW_CHECKED;

#endif
