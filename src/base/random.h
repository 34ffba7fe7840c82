/* random.h: splittable streams of random numbers from one 64-bit seed: the same numbers on every machine.

   A stream is split by a label, so that a part that draws one number more does not shift the numbers of its neighbours:

       struct ew_random scene = ew_random_split(&root, "scene", number);

   Splitting does not draw from the parent. Never let libm, time, addresses or an engine's answer decide what is drawn. */
#ifndef EW_BASE_RANDOM_H
#define EW_BASE_RANDOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct ew_random {
  uint64_t seed;  /* what the stream was made from */
  uint64_t state; /* SplitMix64 */
};

static inline struct ew_random ew_random_from(uint64_t seed) { return (struct ew_random){seed, seed}; }
struct ew_random ew_random_split(const struct ew_random *parent, const char *label, uint64_t number);

static inline uint64_t ew_random_next(struct ew_random *random) {
  uint64_t z = random->state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/* Uniform in [0, bound), bound > 0. The bias of the multiplication is below 2^-32 for the bounds we use. */
static inline uint32_t ew_random_below(struct ew_random *random, uint32_t bound) {
  return (uint32_t)(((ew_random_next(random) >> 32) * bound) >> 32);
}

/* Uniform in [low, high], low <= high: any two 64-bit numbers. */
static inline int64_t ew_random_between(struct ew_random *random, int64_t low, int64_t high) {
  __extension__ typedef unsigned __int128 wide;
  uint64_t last = (uint64_t)high - (uint64_t)low;
  uint64_t step = last < UINT32_MAX ? ew_random_below(random, (uint32_t)last + 1)
                                    : (uint64_t)(((wide)ew_random_next(random) * ((wide)last + 1)) >> 64);
  return (int64_t)((uint64_t)low + step);
}

/* True in `percent` of 100 cases. */
static inline bool ew_random_chance(struct ew_random *random, unsigned percent) {
  return ew_random_below(random, 100) < percent;
}

/* An index drawn by weight; the weights must not all be 0. */
static inline size_t ew_random_weighted(struct ew_random *random, const unsigned *weights, size_t count) {
  unsigned total = 0;
  for (size_t i = 0; i < count; i++) total += weights[i];
  EW_ASSERT(total > 0);
  unsigned at = ew_random_below(random, total);
  size_t drawn = 0;
  while (at >= weights[drawn]) at -= weights[drawn++];
  return drawn;
}

#define EW_RANDOM_PICK(random, array) ((array)[ew_random_below((random), (uint32_t)EW_COUNT(array))])

#endif
