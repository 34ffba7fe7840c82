/* cypher_turn.c: a round is a permutation of the numbers below a power of two, by its key, walked until it lands on a
   construct: no table, and any case is as quick as the next. */
#include "generate/cypher_turn.h"

#include "base/hash.h"

/* One to one on the numbers below 2^bits: odd factors, sums and shifts to the right can all be undone. */
static uint32_t shuffle(uint32_t number, uint64_t key, unsigned bits) {
  uint32_t mask = (uint32_t)(((uint64_t)1 << bits) - 1);
  number = (number * ((uint32_t)key | 1) + (uint32_t)(key >> 32)) & mask;
  number ^= number >> (bits + 1) / 2;
  return number * ((uint32_t)(key >> 16) | 1) & mask;
}

int ew_cypher_turn(enum ew_cypher_turn_sort sort, uint64_t key, uint64_t number, uint32_t count) {
  if (!count) return EW_NO_TURN;
  unsigned bits = 1;
  while (count > (uint64_t)1 << bits) bits++;
  uint64_t round = ew_hash_mix(ew_hash_mix(key, sort), number / count);
  uint32_t at = (uint32_t)(number % count);
  do at = shuffle(at, round, bits);
  while (at >= count);
  return (int)at;
}
