/* functions.c: finding what computes a function. */
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

/* Bytewise, with `name` in small letters. */
static int compare(struct ew_span name, const char *known) {
  size_t i = 0;
  for (; i < name.length && known[i]; i++) {
    int c = (unsigned char)name.bytes[i];
    if (c >= 'A' && c <= 'Z') c += 'a' - 'A';
    if (c != known[i]) return c - known[i];
  }
  return i < name.length ? 1 : known[i] ? -1 : 0;
}

const struct ew_function *ew_function_find(struct ew_span name) {
  size_t low = 0, high = EW_COUNT(functions);
  while (low < high) {
    size_t middle = (low + high) / 2;
    int order = compare(name, functions[middle].name);
    if (order == 0) return &functions[middle];
    if (order < 0)
      high = middle;
    else
      low = middle + 1;
  }
  return NULL;
}
