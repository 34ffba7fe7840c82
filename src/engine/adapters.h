/* adapters.h: the adapters by name, from adapter.def. */
#ifndef EW_ENGINE_ADAPTERS_H
#define EW_ENGINE_ADAPTERS_H

#include "contract/engine.h"

struct ew_adapter_entry {
  const struct ew_adapter *adapter;
  bool for_tests;
};

#define ADAPTER(name, for_tests) extern const struct ew_adapter ew_adapter_##name;
#include "engine/adapter.def"
#undef ADAPTER

extern const struct ew_adapter_entry ew_adapters[];
extern const size_t ew_adapter_count;

/* NULL where there is none of that name. */
const struct ew_adapter_entry *ew_adapter_find(struct ew_span name);

#endif
