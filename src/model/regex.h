/* regex.h: the regular expressions of `=~`. For this room only. */
#ifndef EW_MODEL_REGEX_H
#define EW_MODEL_REGEX_H

#include "model/run.h"

/* Whether the whole of `text` matches; null (and failed) where the pattern cannot be read or needs too many steps. */
struct ew_value ew_regex_matches(struct ew_execution *run, struct ew_span pattern, struct ew_span text);

#endif
