/* hash.h: one 64-bit hash (XXH3) for everything: the same on every machine, so it may be stored. */
#ifndef EW_BASE_HASH_H
#define EW_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#include "base/span.h"

uint64_t ew_hash_bytes(const void *bytes, size_t length, uint64_t seed);

static inline uint64_t ew_hash_span(struct ew_span span, uint64_t seed) {
  return ew_hash_bytes(span.bytes, span.length, seed);
}

/* Mixes a number into a hash; the order of mixing matters. */
static inline uint64_t ew_hash_mix(uint64_t hash, uint64_t number) {
  uint64_t z = hash ^ (number + 0x9e3779b97f4a7c15u + (hash << 6) + (hash >> 2));
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

#endif
