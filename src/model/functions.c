/* functions.c: finding what computes a function. */
#include "lang/cypher/scope.h"
#include "model/function.h"

static const struct ew_function functions[] = {
#define STRICT true
#define NULLS false
#define IMPLEMENT(name, suffix, nulls) {name, ew_function_##suffix, nulls},
#include "model/functions.def"
#undef IMPLEMENT
#undef STRICT
#undef NULLS
};

const struct ew_function *ew_function_find(struct ew_span name) {
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
