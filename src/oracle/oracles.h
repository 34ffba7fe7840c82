/* oracles.h: the table of oracles. */
#ifndef EW_ORACLE_ORACLES_H
#define EW_ORACLE_ORACLES_H

#include "contract/oracle.h"

#define ORACLE(name) extern const struct ew_oracle ew_oracle_##name;
#include "oracle/oracle.def"
#undef ORACLE

/* Ends with NULL. */
extern const struct ew_oracle *const ew_oracles[];
const struct ew_oracle *ew_oracle_find(struct ew_span name);

/* What most oracles need: a run of `query` on the scene as it was loaded. */
struct ew_run ew_oracle_ask(struct ew_arena *arena, const struct ew_case *test, const struct ew_profile *profile,
                            const struct ew_node *query);
struct ew_step ew_oracle_none(void);

#endif
