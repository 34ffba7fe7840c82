/* zone.h: time zones with names. For this room only.

   The rules are a table of our own (zones.def), so that an answer does not depend on the machine that asks: a few
   well-known zones, and of each the times whose rules are certain. Anything else fails as UNSUPPORTED. */
#ifndef EW_MODEL_ZONE_H
#define EW_MODEL_ZONE_H

#include "model/run.h"

struct ew_zone {
  int32_t offset;      /* seconds east of UTC: always so where there is no name, else at the moment at hand */
  struct ew_span name; /* or empty */
};

enum { EW_OFFSET_MAX = 18 * 3600 };

/* "Z", "+01", "+0130", "+01:30", "+01:30:15" at the start of a text: how many bytes it takes; 0 where it is none. */
size_t ew_offset_read(struct ew_span text, int32_t *offset);
/* An offset or a name. False (and failed) where it is neither, or is a zone that the table lacks. */
bool ew_zone_read(struct ew_execution *run, struct ew_span text, struct ew_zone *zone);
/* Sets the offset for a moment: seconds since 1970, UTC. False (and failed) where zone or rules of then are not known.
   */
bool ew_zone_at(struct ew_execution *run, struct ew_zone *zone, int64_t seconds);
/* Sets the offset for a local time. Of two that fit, `*wanted` if it is one of them (NULL: none is), else the earlier
   moment. A local time that the clock leaps over moves on by as much as the clock does. */
bool ew_zone_place(struct ew_execution *run, struct ew_zone *zone, struct ew_day_time *local, const int32_t *wanted);

#endif
