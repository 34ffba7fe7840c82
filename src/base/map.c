/* map.c: entries in an array, found through open addressing over a power of two slots. */
#include "base/map.h"

#include "base/allocate.h"
#include "base/hash.h"
#include "base/vector.h"

void ew_map_init(struct ew_map *map) {
  *map = (struct ew_map){0};
  ew_arena_init(&map->keys);
}

void ew_map_release(struct ew_map *map) {
  ew_deallocate(map->entries);
  ew_deallocate(map->slots);
  ew_arena_release(&map->keys);
  ew_map_init(map);
}

void ew_map_reset(struct ew_map *map) {
  map->count = 0;
  if (map->slot_count) memset(map->slots, 0, map->slot_count * sizeof *map->slots);
  ew_arena_reset(&map->keys);
}

static size_t slot_of(const struct ew_map *map, struct ew_span key, uint64_t hash) {
  size_t slot = (size_t)hash & (map->slot_count - 1);
  while (map->slots[slot]) {
    const struct ew_map_entry *entry = &map->entries[map->slots[slot] - 1];
    if (entry->hash == hash && ew_span_equal(entry->key, key)) break;
    slot = (slot + 1) & (map->slot_count - 1);
  }
  return slot;
}

static void rehash(struct ew_map *map) {
  ew_deallocate(map->slots);
  map->slot_count = map->slot_count ? map->slot_count * 2 : 16;
  map->slots = ew_allocate_zeroed(map->slot_count, sizeof *map->slots);
  for (size_t i = 0; i < map->count; i++) {
    size_t slot = slot_of(map, map->entries[i].key, map->entries[i].hash);
    map->slots[slot] = (uint32_t)(i + 1);
  }
}

union ew_map_value *ew_map_find(const struct ew_map *map, struct ew_span key) {
  if (!map->count) return NULL;
  size_t slot = slot_of(map, key, ew_hash_span(key, 0));
  return map->slots[slot] ? &map->entries[map->slots[slot] - 1].value : NULL;
}

union ew_map_value *ew_map_add(struct ew_map *map, struct ew_span key, bool *fresh) {
  if ((map->count + 1) * 4 > map->slot_count * 3) rehash(map);
  uint64_t hash = ew_hash_span(key, 0);
  size_t slot = slot_of(map, key, hash);
  if (fresh) *fresh = !map->slots[slot];
  if (!map->slots[slot]) {
    if (map->count == map->capacity) map->entries = ew_vector_grow(map->entries, &map->capacity, sizeof *map->entries);
    map->count++;
    EW_ASSERT(map->count < UINT32_MAX);
    map->slots[slot] = (uint32_t)map->count;
    map->entries[map->count - 1] = (struct ew_map_entry){.key = ew_arena_copy(&map->keys, key), .hash = hash};
  }
  return &map->entries[map->slots[slot] - 1].value;
}
