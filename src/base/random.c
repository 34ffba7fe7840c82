/* random.c: splitting, and choice by weight. */
#include "base/random.h"

#include <string.h>

#include "base/hash.h"

struct ew_random ew_random_split(const struct ew_random *parent, const char *label, uint64_t number) {
  uint64_t seed = ew_hash_bytes(label, strlen(label), ew_hash_mix(parent->seed, number));
  return ew_random_from(seed);
}

size_t ew_random_weighted(struct ew_random *random, const unsigned *weights, size_t count) {
  unsigned total = 0;
  for (size_t i = 0; i < count; i++) total += weights[i];
  EW_ASSERT(total > 0);
  unsigned at = ew_random_below(random, total);
  for (size_t i = 0; i < count; i++) {
    if (at < weights[i]) return i;
    at -= weights[i];
  }
  EW_BUG("weights changed while drawing");
}
