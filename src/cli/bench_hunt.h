/* bench_hunt.h: what a hunt costs us, not the engine: CPU time for a test, and memory over many. */
#ifndef EW_CLI_BENCH_HUNT_H
#define EW_CLI_BENCH_HUNT_H

#include "cli/engines.h"

/* Hunts for `tests` tests with one worker; 0 is as many as are usual. The figure is the last line of `text`. EW_MISSING
   where no test ran. */
enum ew_status ew_bench_hunt(struct ew_text *text, const struct ew_engine *engine,
                             const struct ew_oracle *const *oracles, uint64_t tests, struct ew_error *error) EW_CHECKED;
enum ew_status ew_bench_soak(struct ew_text *text, const struct ew_engine *engine,
                             const struct ew_oracle *const *oracles, uint64_t tests, struct ew_error *error) EW_CHECKED;

#endif
