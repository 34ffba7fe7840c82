/* bench_fuzz.h: random statements on the model: `edgewise bench fuzz`. */
#ifndef EW_CLI_BENCH_FUZZ_H
#define EW_CLI_BENCH_FUZZ_H

#include "base/text.h"
#include "contract/profile.h"

/* Runs statements that are generated, random, or mixed of both until `tests` were run or `time` (nanoseconds) is over, and checks
   what must hold of any: no budget is overrun, a statement that fails changes nothing, taking back brings back the graph, and rows
   that are not called open do not depend on the order of rows. What does not hold is listed with the statement. Hashes of all
   results so far are given now and then: another build must give the same. The last line is "fuzz: N statements, P problems". */
enum ew_status ew_bench_fuzz(struct ew_text *text, const struct ew_profile *profile, uint64_t seed, uint64_t tests,
                             int64_t time, struct ew_error *error) EW_CHECKED;

#endif
