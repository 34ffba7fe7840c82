/* random.c: splitting. */
#include "base/random.h"

#include <string.h>

#include "base/hash.h"

struct ew_random ew_random_split(const struct ew_random *parent, const char *label, uint64_t number) {
  uint64_t seed = ew_hash_bytes(label, strlen(label), ew_hash_mix(parent->seed, number));
  return ew_random_from(seed);
}
