/* groups.c: a hash table of rows under equivalence: null is one with null, NaN with NaN, 1 with 1.0. */
#include "model/groups.h"

#include "base/hash.h"
#include "model/planted.h"

bool ew_looks_different(struct ew_value a, struct ew_value b, const struct ew_semantics *semantics) {
  if (a.kind != b.kind) return true;
  bool plain =
      a.kind != EW_VALUE_FLOAT && a.kind != EW_VALUE_LIST && a.kind != EW_VALUE_MAP && a.kind != EW_VALUE_POINT;
  if (plain) return false;
  struct ew_semantics exact = *semantics;
  exact.negative_zero_distinct = 1;
  return ew_value_shape_order(a, b, &exact) != 0;
}

static bool same_key(struct ew_execution *run, const struct ew_value *a, const struct ew_value *b, size_t width) {
  for (size_t i = 0; i < width; i++)
    if (!ew_value_equivalent(a[i], b[i], run->semantics)) return false;
  for (size_t i = 0; i < width; i++)
    if (ew_looks_different(a[i], b[i], run->semantics)) ew_run_is_open(run, EW_OPEN_REPRESENTATIVE);
  return true;
}

static void grow(struct ew_execution *run, struct ew_groups *groups) {
  groups->slot_count = groups->slot_count ? groups->slot_count * 2 : 16;
  groups->slots = EW_NEW_ARRAY(run->arena, uint32_t, groups->slot_count);
  for (size_t i = 0; i < groups->count; i++) {
    size_t at = groups->hashes.items[i] & (groups->slot_count - 1);
    while (groups->slots[at]) at = (at + 1) & (groups->slot_count - 1);
    groups->slots[at] = (uint32_t)i + 1;
  }
}

size_t ew_groups_add(struct ew_execution *run, struct ew_groups *groups, const struct ew_value *key, bool *fresh) {
  if (groups->count * 2 >= groups->slot_count) grow(run, groups);
  uint64_t hash = 0;
  for (size_t i = 0; i < groups->width; i++) hash = ew_hash_mix(hash, ew_value_hash(key[i], run->semantics));
  bool planted = ew_plants_any(&run->model->plants);
  if (planted) ew_plant_hash(run, groups, key, &hash);
  size_t at = hash & (groups->slot_count - 1);
  for (; groups->slots[at]; at = (at + 1) & (groups->slot_count - 1)) {
    size_t group = groups->slots[at] - 1;
    run->model->planted.work += planted;
    if (groups->hashes.items[group] != hash || !same_key(run, groups->keys.items[group], key, groups->width)) continue;
    if (planted && ew_plant_tells_apart(run, groups, groups->keys.items[group], key)) continue;
    *fresh = false;
    return group;
  }
  *ew_arena_vector_push(run->arena, &groups->keys) = key;
  *ew_arena_vector_push(run->arena, &groups->hashes) = hash;
  groups->slots[at] = (uint32_t)++groups->count;
  *fresh = true;
  return groups->count - 1;
}
