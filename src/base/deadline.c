/* deadline.c: clocks. */
#include "base/deadline.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int64_t read_clock(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (int64_t)now.tv_sec * EW_SECOND + now.tv_nsec;
}

int64_t ew_now(void) { return read_clock(CLOCK_MONOTONIC); }
int64_t ew_cpu_now(void) { return read_clock(CLOCK_PROCESS_CPUTIME_ID); }

struct ew_deadline ew_deadline_in(int64_t nanoseconds) {
  return (struct ew_deadline){ew_now() + nanoseconds};
}

bool ew_deadline_passed(struct ew_deadline deadline) { return deadline.at != INT64_MAX && ew_now() >= deadline.at; }

int ew_deadline_poll(struct ew_deadline deadline) {
  if (deadline.at == INT64_MAX) return -1;
  int64_t left = deadline.at - ew_now();
  if (left <= 0) return 0;
  int64_t milliseconds = (left + EW_MILLISECOND - 1) / EW_MILLISECOND;
  return milliseconds > INT_MAX ? INT_MAX : (int)milliseconds;
}

bool ew_duration_parse(const char *text, int64_t *nanoseconds) {
  static const struct {
    const char *unit;
    int64_t factor;
  } units[] = {
      {"", EW_SECOND}, {"s", EW_SECOND}, {"ms", EW_MILLISECOND}, {"m", 60 * EW_SECOND}, {"h", 3600 * EW_SECOND}};
  char *end;
  double number = strtod(text, &end);
  if (end == text || end != text + strspn(text, "0123456789.") || number > 1e6) return false;
  for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
    if (strcmp(end, units[i].unit) != 0) continue;
    *nanoseconds = (int64_t)(number * (double)units[i].factor);
    return true;
  }
  return false;
}
