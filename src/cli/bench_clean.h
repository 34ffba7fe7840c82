/* bench_clean.h: what oracles find where nothing is wrong: `edgewise bench clean`. */
#ifndef EW_CLI_BENCH_CLEAN_H
#define EW_CLI_BENCH_CLEAN_H

#include "base/text.h"
#include "cli/engines.h"

/* Hunts the model, without plants, in the dialect and under the semantics of each profile of its language (or of `profile` alone),
   with each oracle (or those of the list), `tests` tests each. Every violation is a false alarm, and is shown. The last line is
   "clean: N false alarms in M tests". */
enum ew_status ew_bench_clean(struct ew_text *text, const char *profile, const char *oracles, uint64_t tests,
                              uint64_t seed, struct ew_error *error) EW_CHECKED;

#endif
