/* bench_disagree.h: where the model and an engine differ: `edgewise bench disagree`. */
#ifndef EW_CLI_BENCH_DISAGREE_H
#define EW_CLI_BENCH_DISAGREE_H

#include "base/text.h"
#include "cli/engines.h"

/* Asks the model and the engine the queries that a hunt with this seed asks, makes every disagreement small, and lists their
   kinds, most frequent first, with an example of each. The last line is "disagree: N kinds in M of T queries". */
enum ew_status ew_bench_disagree(struct ew_text *text, const struct ew_engine *engine, uint64_t tests, uint64_t seed,
                                 struct ew_error *error) EW_CHECKED;

#endif
