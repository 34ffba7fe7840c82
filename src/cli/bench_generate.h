/* bench_generate.h: how fast statements are generated, how long and entangled they are, and what the model says of them. */
#ifndef EW_CLI_BENCH_GENERATE_H
#define EW_CLI_BENCH_GENERATE_H

#include "base/text.h"
#include "contract/profile.h"

/* Every style in every state; the last line is the rate of rich statements with the summary. */
enum ew_status ew_bench_generate(struct ew_text *text, const struct ew_profile *profile, uint64_t seed,
                                 struct ew_error *error) EW_CHECKED;
/* Rich statements without the summary, without the context, without either (the Dinkel paper, 5.4). */
enum ew_status ew_bench_ablation(struct ew_text *text, const struct ew_profile *profile, uint64_t seed,
                                 struct ew_error *error) EW_CHECKED;

#endif
