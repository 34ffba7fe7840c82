/* process.h: running another program, with an argument list and never a shell. */
#ifndef EW_CLI_PROCESS_H
#define EW_CLI_PROCESS_H

#include "base/status.h"
#include "base/text.h"

enum ew_process_output {
  EW_PROCESS_SHOWN,  /* ours is its own; its standard output goes to our standard error, where messages go */
  EW_PROCESS_SILENT, /* nobody sees it */
};

/* Runs arguments[0], looked for in PATH where it has no slash, and waits. `*code` is its exit code, 128 + signal where
   one ended it. EW_MISSING where there is no such program. The list ends with NULL. */
enum ew_status ew_process_run(const char *const *arguments, enum ew_process_output output, int *code,
                              struct ew_error *error) EW_CHECKED;

/* The same, and its standard output goes to `output`, of at most `limit` bytes: EW_LIMIT where there is more. */
enum ew_status ew_process_read(const char *const *arguments, size_t limit, struct ew_text *output, int *code,
                               struct ew_error *error) EW_CHECKED;

#endif
