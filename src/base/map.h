/* map.h: a hash table from byte strings, or from 64-bit numbers, to pointers or numbers. Keys are copied into the map.
   Nothing is ever removed; `_reset` empties it and keeps the memory. Iteration is in order of insertion. */
#ifndef EW_BASE_MAP_H
#define EW_BASE_MAP_H

#include <stdint.h>

#include "base/arena.h"

union ew_map_value {
  void *pointer;
  uint64_t number;
};

struct ew_map_entry {
  struct ew_span key;
  uint64_t hash;
  union ew_map_value value;
};

struct ew_map {
  struct ew_map_entry *entries; /* in order of insertion */
  size_t count, capacity;
  uint32_t *slots; /* 0 is empty, else 1 + index of an entry */
  size_t slot_count;
  struct ew_arena keys;
};

void ew_map_init(struct ew_map *map);
void ew_map_release(struct ew_map *map);
void ew_map_reset(struct ew_map *map);

/* NULL where the key is not there. What these two return moves with the next new key. */
union ew_map_value *ew_map_find(const struct ew_map *map, struct ew_span key);
/* The value of `key`, zeroed and `*fresh` true where it was not there. `fresh` may be NULL. */
union ew_map_value *ew_map_add(struct ew_map *map, struct ew_span key, bool *fresh);

/* The same with a number as key. */
static inline struct ew_span ew_map_key_number(const uint64_t *number) {
  return (struct ew_span){(const char *)number, sizeof *number};
}

#endif
