/* bench_recall.h: which of the bugs planted in the model each oracle finds: `edgewise bench recall`. */
#ifndef EW_CLI_BENCH_RECALL_H
#define EW_CLI_BENCH_RECALL_H

#include "base/text.h"
#include "cli/engines.h"

/* Plants one bug after the other and hunts it with each oracle, until the first hit or for `tests` tests. A line a bug goes to
   standard error as it is done, the table into `text`; its last two lines are "recall without model: N of M planted bugs" and
   "recall: N of M planted bugs". `plants` is a list of names, NULL is all; so is `oracles`. */
enum ew_status ew_bench_recall(struct ew_text *text, const char *plants, const char *oracles, uint64_t tests,
                               uint64_t seed, struct ew_error *error) EW_CHECKED;

#endif
