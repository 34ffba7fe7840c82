/* adapters.c: the table of adapters. */
#include "engine/adapters.h"

const struct ew_adapter_entry ew_adapters[] = {
#define ADAPTER(name, for_tests) {&ew_adapter_##name, for_tests},
#include "engine/adapter.def"
#undef ADAPTER
};
const size_t ew_adapter_count = EW_COUNT(ew_adapters);

const struct ew_adapter_entry *ew_adapter_find(struct ew_span name) {
  for (size_t i = 0; i < EW_COUNT(ew_adapters); i++)
    if (ew_span_is(name, ew_adapters[i].adapter->name)) return &ew_adapters[i];
  return NULL;
}
