/* oracles.c: the table of oracles, and what most of them share. */
#include "oracle/oracles.h"

const struct ew_oracle *const ew_oracles[] = {
#define ORACLE(name) &ew_oracle_##name,
#include "oracle/oracle.def"
#undef ORACLE
    NULL,
};

const struct ew_oracle *ew_oracle_find(struct ew_span name) {
  for (size_t i = 0; ew_oracles[i]; i++)
    if (ew_span_is(name, ew_oracles[i]->name)) return ew_oracles[i];
  return NULL;
}

struct ew_run ew_oracle_ask(struct ew_arena *arena, const struct ew_case *test, const struct ew_profile *profile,
                            const struct ew_node *query) {
  bool changes = test->language->changes && test->language->changes(query);
  return (struct ew_run){.program = test->language->ask(arena, &test->scene, query, profile),
                         .state = changes ? EW_STATE_FRESH : EW_STATE_SHARED};
}

struct ew_step ew_oracle_none(void) {
  return (struct ew_step){.kind = EW_STEP_NONE};
}

struct ew_draw ew_oracle_draw(struct ew_compose *compose, const struct ew_case *test, enum ew_purpose purpose,
                              struct ew_builder *builder) {
  return (struct ew_draw){.builder = builder,
                          .random = &compose->random,
                          .purpose = purpose,
                          .number = test->key.number,
                          .key = compose->key};
}
