/* functions.c: looking up functions, and asking what a call does. */
#include "lang/cypher/scope.h"

static const struct ew_cypher_function functions[] = {
#define AGGREGATE EW_FUNCTION_AGGREGATE
#define OPEN EW_FUNCTION_OPEN
#define CLOCK EW_FUNCTION_CLOCK
#define ORDER EW_FUNCTION_ORDER
#define FAILS EW_FUNCTION_FAILS
#define FUNCTION(name, least, most, traits, result, first) \
  {name, least, most, traits, EW_TYPE_##result, EW_TYPE_##first},
#include "lang/cypher/functions.def"
#undef FUNCTION
#undef AGGREGATE
#undef OPEN
#undef CLOCK
#undef ORDER
#undef FAILS
};

int ew_cypher_function_compare(struct ew_span name, const char *known) {
  size_t i = 0;
  for (; i < name.length && known[i]; i++) {
    int c = (unsigned char)name.bytes[i];
    if (c >= 'A' && c <= 'Z') c += 'a' - 'A';
    if (c != known[i]) return c - known[i];
  }
  return i < name.length ? 1 : known[i] ? -1 : 0;
}

const struct ew_cypher_function *ew_cypher_function_find(struct ew_span name) {
  size_t low = 0, high = EW_COUNT(functions);
  while (low < high) {
    size_t middle = (low + high) / 2;
    int order = ew_cypher_function_compare(name, functions[middle].name);
    if (order == 0) return &functions[middle];
    if (order < 0)
      high = middle;
    else
      low = middle + 1;
  }
  return NULL;
}

bool ew_cypher_is_aggregate(const struct ew_node *node) {
  if (cypher_is(node, CYPHER_count_star)) return true;
  if (!cypher_is(node, CYPHER_function)) return false;
  const struct ew_cypher_function *function = ew_cypher_function_find(CYPHER_AS(function, node)->name.name);
  return function && function->traits & EW_FUNCTION_AGGREGATE;
}

static enum ew_walk find_aggregate(const struct ew_node *node, struct ew_place place, void *context) {
  (void)place;
  (void)context;
  if (ew_cypher_is_aggregate(node)) return EW_WALK_STOP;
  return cypher_is(node, CYPHER_subquery) ? EW_WALK_SKIP : EW_WALK_ON;
}

bool ew_cypher_has_aggregate(const struct ew_node *node) { return !ew_tree_walk(node, find_aggregate, NULL); }
