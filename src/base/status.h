/* status.h: how functions fail, and how the process does.

   A function that can fail returns `enum ew_status` and, if it takes one, fills the caller's `struct ew_error` with a
   message that says what was wrong and what to do next. What an engine does wrong is an outcome, never an error. */
#ifndef EW_BASE_STATUS_H
#define EW_BASE_STATUS_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdnoreturn.h>

enum ew_status {
  EW_OK = 0,
  EW_MISSING, /* an engine, file or tool that is needed is not there */
  EW_USAGE,   /* the user asked for something that does not exist */
  EW_BAD,     /* input that cannot be read: file, profile, bytes of a server */
  EW_IO,      /* the operating system refused: disk full, no permission */
  EW_LIMIT,   /* a stated bound was reached: depth, size, steps, time */
  EW_GONE,    /* the other end of a connection is dead */
};

/* Exit codes of the program (DESIGN: Exit codes). */
enum ew_exit {
  EW_EXIT_NOTHING = 0,
  EW_EXIT_FINDINGS = 1,
  EW_EXIT_INCONCLUSIVE = 2,
  EW_EXIT_USAGE = 64,
  EW_EXIT_INPUT = 65,
  EW_EXIT_BUG = 70,
  EW_EXIT_IO = 74,
};

struct ew_error {
  char text[512];
};

#define EW_CHECKED __attribute__((warn_unused_result))
#define EW_FORMAT(string, first) __attribute__((format(printf, string, first)))

/* Fills `error` (which may be NULL) and returns `status`, so that a failing function can end with it. */
enum ew_status ew_fail(struct ew_error *error, enum ew_status status, const char *format, ...) EW_FORMAT(3, 4);

/* The exit code that a command ends with when `status` stopped it. */
enum ew_exit ew_status_exit(enum ew_status status);

/* Our own mistake: says where, asks for a report, aborts. */
noreturn void ew_bug(const char *file, int line, const char *format, ...) EW_FORMAT(3, 4);
#define EW_BUG(...) ew_bug(__FILE__, __LINE__, __VA_ARGS__)
#define EW_ASSERT(condition) ((condition) ? (void)0 : ew_bug(__FILE__, __LINE__, "%s", #condition))

#define EW_COUNT(array) (sizeof(array) / sizeof((array)[0]))

#endif
