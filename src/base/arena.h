/* arena.h: memory by lifetime. Things are allocated one after the other and given back all at once.

   Four lifetimes exist: process, worker, case, scratch. `ew_arena_reset` is the normal way to free: it keeps the blocks, so
   a loop that resets its arena each round stops asking the heap after its largest round. A mark frees what came after it. */
#ifndef EW_BASE_ARENA_H
#define EW_BASE_ARENA_H

#include <stddef.h>
#include <stdint.h>

#include "base/span.h"
#include "base/status.h"

/* Under AddressSanitizer, memory that was not taken, or was given back, must not be touched. */
#if defined __SANITIZE_ADDRESS__
#define EW_ARENA_GUARDED
#elif defined __has_feature
#if __has_feature(address_sanitizer)
#define EW_ARENA_GUARDED
#endif
#endif
#ifdef EW_ARENA_GUARDED
#include <sanitizer/asan_interface.h>
#define EW_ARENA_OPEN(memory, size) ASAN_UNPOISON_MEMORY_REGION(memory, size)
#define EW_ARENA_CLOSE(memory, size) ASAN_POISON_MEMORY_REGION(memory, size)
#else
#define EW_ARENA_OPEN(memory, size) ((void)(memory), (void)(size))
#define EW_ARENA_CLOSE(memory, size) ((void)(memory), (void)(size))
#endif

struct ew_arena_block;

struct ew_arena {
  struct ew_arena_block *first, *current;
  char *next, *end;
};

struct ew_arena_mark {
  struct ew_arena_block *block;
  char *next;
};

void ew_arena_init(struct ew_arena *arena);
void ew_arena_release(struct ew_arena *arena);
void ew_arena_reset(struct ew_arena *arena);

/* Everything allocated between mark and rewind is gone after rewind. */
struct ew_arena_mark ew_arena_mark(const struct ew_arena *arena);
void ew_arena_rewind(struct ew_arena *arena, struct ew_arena_mark mark);

/* Goes on to a block with room for `size`; only ew_arena_take calls it. */
void ew_arena_grow(struct ew_arena *arena, size_t size);

/* Not cleared; aligned for any type. */
static inline void *ew_arena_take(struct ew_arena *arena, size_t size) {
  size_t rounded = size < 16 ? 16 : (size + 15) & ~(size_t)15;
  if ((size_t)(arena->end - arena->next) < rounded || rounded < size) ew_arena_grow(arena, size);
  char *memory = arena->next;
  arena->next += rounded;
  EW_ARENA_OPEN(memory, size);
  return memory;
}

static inline void *ew_arena_zeroed(struct ew_arena *arena, size_t size) {
  return memset(ew_arena_take(arena, size), 0, size);
}

#define EW_NEW(arena, type) ((type *)ew_arena_zeroed((arena), sizeof(type)))
#define EW_NEW_ARRAY(arena, type, count) ((type *)ew_arena_zeroed((arena), ew_array_size((count), sizeof(type))))

static inline size_t ew_array_size(size_t count, size_t size) {
  EW_ASSERT(count <= SIZE_MAX / 2 / size);
  return count * size;
}

struct ew_span ew_arena_copy(struct ew_arena *arena, struct ew_span span);
struct ew_span ew_arena_format(struct ew_arena *arena, const char *format, ...) EW_FORMAT(2, 3);
/* Terminated with NUL. */
const char *ew_arena_string(struct ew_arena *arena, struct ew_span span);

/* Bytes held from the heap, used or not. */
size_t ew_arena_held(const struct ew_arena *arena);

#endif
