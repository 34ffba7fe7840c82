/* semantics.h: an engine's knobs. Passed to everything that compares, orders or prints values. */
#ifndef EW_VALUE_SEMANTICS_H
#define EW_VALUE_SEMANTICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/span.h"

struct ew_semantics {
#define KNOB(name, standard, meaning) int32_t name;
#include "value/semantics.def"
#undef KNOB
};

/* What openCypher says. */
extern const struct ew_semantics ew_semantics_standard;

/* Sets a knob by name; false where there is none of that name. */
bool ew_semantics_set(struct ew_semantics *semantics, struct ew_span name, int32_t setting);

struct ew_knob {
  const char *name, *meaning;
  int32_t standard;
  size_t offset; /* in struct ew_semantics */
};
extern const struct ew_knob ew_knobs[];
extern const size_t ew_knob_count;

#endif
