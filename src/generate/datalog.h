/* datalog.h: scenes and programs of Datalog. A scene is the facts of two to four relations over a handful of numbers; a
   program derives two to six more from them by recursive rules, with stratified negation and comparisons. `base`
   expects a scene that `scene` made. What it writes always passes the language's check. */
#ifndef EW_GENERATE_DATALOG_H
#define EW_GENERATE_DATALOG_H

#include "generate/generate.h"

extern const struct ew_generator ew_generate_datalog;

#endif
