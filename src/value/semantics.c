/* semantics.c: the knobs as a table, so that a profile can set them by name. */
#include "value/semantics.h"

const struct ew_semantics ew_semantics_standard = {
#define KNOB(name, standard, meaning) .name = standard,
#include "value/semantics.def"
#undef KNOB
};

const struct ew_knob ew_knobs[] = {
#define KNOB(name, standard, meaning) {#name, meaning, standard, offsetof(struct ew_semantics, name)},
#include "value/semantics.def"
#undef KNOB
};
const size_t ew_knob_count = sizeof ew_knobs / sizeof ew_knobs[0];

bool ew_semantics_set(struct ew_semantics *semantics, struct ew_span name, int32_t setting) {
  for (size_t i = 0; i < ew_knob_count; i++) {
    if (!ew_span_is(name, ew_knobs[i].name)) continue;
    memcpy((char *)semantics + ew_knobs[i].offset, &setting, sizeof setting);
    return true;
  }
  return false;
}
