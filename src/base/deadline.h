/* deadline.h: points in monotonic time. */
#ifndef EW_BASE_DEADLINE_H
#define EW_BASE_DEADLINE_H

#include <stdbool.h>
#include <stdint.h>

#define EW_SECOND INT64_C(1000000000)
#define EW_MILLISECOND INT64_C(1000000)

/* Monotonic nanoseconds. */
int64_t ew_now(void);
/* CPU time of this process, in nanoseconds. */
int64_t ew_cpu_now(void);

struct ew_deadline {
  int64_t at; /* on ew_now's clock; INT64_MAX is never */
};

#define EW_DEADLINE_NEVER ((struct ew_deadline){INT64_MAX})
struct ew_deadline ew_deadline_in(int64_t nanoseconds);
bool ew_deadline_passed(struct ew_deadline deadline);
/* For poll(): milliseconds left, rounded up; 0 when it has passed, -1 for never. */
int ew_deadline_poll(struct ew_deadline deadline);

/* "90", "1.5s", "5m", "1h", "200ms" to nanoseconds; false where it is none of these. */
bool ew_duration_parse(const char *text, int64_t *nanoseconds);

#endif
