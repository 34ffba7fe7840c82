/* vector.h: a typed array that grows.

       EW_VECTOR(int) numbers = {0};
       *ew_vector_push(&numbers) = 7;
       for (size_t i = 0; i < numbers.count; i++) use(numbers.items[i]);
       ew_vector_release(&numbers);

   `ew_arena_vector_push` takes its memory from an arena; such a vector is never released. */
#ifndef EW_BASE_VECTOR_H
#define EW_BASE_VECTOR_H

#include "base/allocate.h"
#include "base/arena.h"

#define EW_VECTOR(type)     \
  struct {                  \
    type *items;            \
    size_t count, capacity; \
  }

#define ew_vector_push(vector)                                                                                   \
  ((vector)->count == (vector)->capacity                                                                         \
       ? (void)((vector)->items = ew_vector_grow((vector)->items, &(vector)->capacity, sizeof *(vector)->items)) \
       : (void)0,                                                                                                \
   &(vector)->items[(vector)->count++])

#define ew_arena_vector_push(arena, vector)                                                                       \
  ((vector)->count == (vector)->capacity                                                                          \
       ? (void)((vector)->items =                                                                                 \
                    ew_arena_vector_grow((arena), (vector)->items, &(vector)->capacity, sizeof *(vector)->items)) \
       : (void)0,                                                                                                 \
   &(vector)->items[(vector)->count++])

#define ew_vector_reset(vector) ((vector)->count = 0)
#define ew_vector_release(vector) \
  (ew_deallocate((vector)->items), (vector)->items = NULL, (vector)->count = (vector)->capacity = 0)

static inline void *ew_vector_grow(void *items, size_t *capacity, size_t size) {
  *capacity = *capacity ? *capacity * 2 : 8;
  return ew_reallocate(items, ew_array_size(*capacity, size));
}

static inline void *ew_arena_vector_grow(struct ew_arena *arena, void *items, size_t *capacity, size_t size) {
  size_t old = *capacity;
  *capacity = old ? old * 2 : 8;
  void *grown = ew_arena_take(arena, ew_array_size(*capacity, size));
  if (old && items) memcpy(grown, items, old * size);
  return grown;
}

#endif
