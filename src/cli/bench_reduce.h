/* bench_reduce.h: how small findings get, and what that costs. */
#ifndef EW_CLI_BENCH_REDUCE_H
#define EW_CLI_BENCH_REDUCE_H

#include "cli/engines.h"

/* Hunts for so long and looks at the first finding of each group. EW_MISSING where nothing was found. */
enum ew_status ew_bench_reduce(struct ew_text *text, const struct ew_engine *engine,
                               const struct ew_oracle *const *oracles, uint64_t seed, int64_t time,
                               struct ew_error *error) EW_CHECKED;

#endif
