/* oracles.h: the table of oracles. */
#ifndef EW_ORACLE_ORACLES_H
#define EW_ORACLE_ORACLES_H

#include "contract/oracle.h"
#include "generate/generate.h"

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

/* What the generator is asked for a case of that purpose. */
struct ew_draw ew_oracle_draw(struct ew_compose *compose, const struct ew_case *test, enum ew_purpose purpose,
                              struct ew_builder *builder);

#endif
