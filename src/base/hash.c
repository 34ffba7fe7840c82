/* hash.c: xxhash behind our name. */
#include "base/hash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

uint64_t ew_hash_bytes(const void *bytes, size_t length, uint64_t seed) {
  return XXH3_64bits_withSeed(length ? bytes : "", length, seed);
}
