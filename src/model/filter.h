/* filter.h: the parts of a WHERE that may be asked early. For this room only. */
#ifndef EW_MODEL_FILTER_H
#define EW_MODEL_FILTER_H

#include "model/pattern.h"

/* The operands of the ANDs at the top of a predicate. */
struct ew_conjuncts {
  const struct ew_node **items;
  size_t count, capacity;
};

void ew_filter_split(struct ew_compiler *compiler, const struct ew_node *where, struct ew_conjuncts *conjuncts);

/* Whether a predicate can never fail, whatever the values of the pattern's nodes and relationships: then it may be
   asked as soon as what it names is found, of rows that would not have come to it. */
bool ew_filter_is_safe(const struct ew_node *predicate, const struct ew_path_element *paths, size_t path_count);

/* The same for a value, such as those of a property map. */
bool ew_filter_is_safe_value(const struct ew_node *value, const struct ew_path_element *paths, size_t path_count);

#endif
