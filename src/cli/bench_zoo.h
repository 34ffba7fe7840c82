/* bench_zoo.h: how small findings get and how well they are told apart, where what is behind each is known: `edgewise bench
   zoo`. */
#ifndef EW_CLI_BENCH_ZOO_H
#define EW_CLI_BENCH_ZOO_H

#include "base/text.h"
#include "cli/engines.h"

/* Plants one bug after the other, hunts it with survive, partition and model until the fifth finding or for `tests` tests,
   confirms and reduces each finding as a hunt does. Slow ones are left out. Each finding goes to standard error as it is
   done; `text` gets a line a bug, and ends with
       zoo reduction: N of M found plants within 1.5 x the smallest script
       zoo grouping: precision P %, recall R %
   Sizes are bytes of data and query statements, a separator after each counted as one byte, settings of parameters left
   out: of the smallest finding, with the largest of its runs, and of the script in zoo.def, which is that of bench/zoo.tsv.
   Grouping is by likely cause, as a summary counts; the line before it is by group. Two findings belong together where they
   come from one plant. `plants` is a list of names, NULL is all. EW_MISSING where nothing is found. */
enum ew_status ew_bench_zoo(struct ew_text *text, const char *plants, uint64_t tests, uint64_t seed,
                            struct ew_error *error) EW_CHECKED;

#endif
