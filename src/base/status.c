/* status.c: filling errors, and the one way to die of our own bugs. */
#include "base/status.h"

#include <stdio.h>
#include <stdlib.h>

enum ew_status ew_fail(struct ew_error *error, enum ew_status status, const char *format, ...) {
  if (error) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
  }
  return status;
}

enum ew_exit ew_status_exit(enum ew_status status) {
  switch (status) {
    case EW_OK: return EW_EXIT_NOTHING;
    case EW_USAGE: return EW_EXIT_USAGE;
    case EW_BAD:
    case EW_LIMIT: return EW_EXIT_INPUT;
    case EW_IO: return EW_EXIT_IO;
    case EW_MISSING:
    case EW_GONE: return EW_EXIT_INCONCLUSIVE;
  }
  EW_BUG("status %d has no exit code", (int)status);
}

noreturn void ew_bug(const char *file, int line, const char *format, ...) {
  fprintf(stderr, "edgewise: a bug of edgewise itself at %s:%d: ", file, line);
  va_list arguments;
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fprintf(stderr, "\nPlease report it with the command you ran and the seed.\n");
  abort();
}
