/* bench_cypher.h: how fast Cypher is printed and parsed, and whether trees survive both. */
#ifndef EW_CLI_BENCH_CYPHER_H
#define EW_CLI_BENCH_CYPHER_H

#include "contract/profile.h"

/* Each adds its lines to `text`; the last is the figure. The statements are those generated for a profile that have
   about 1 kB, the same ones each time. EW_LIMIT where too few of them are that long. */
enum ew_status ew_bench_print(struct ew_text *text, const struct ew_profile *profile,
                              struct ew_error *error) EW_CHECKED;
enum ew_status ew_bench_parse(struct ew_text *text, const struct ew_profile *profile,
                              struct ew_error *error) EW_CHECKED;
/* A million random trees; EW_BAD with the first that does not read back as it was. */
enum ew_status ew_bench_roundtrip(struct ew_text *text, struct ew_error *error) EW_CHECKED;

#endif
