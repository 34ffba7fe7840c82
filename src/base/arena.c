/* arena.c: a list of blocks, filled in turn. Blocks stay in the list over reset and rewind and are filled again. */
#include "base/arena.h"

#include <stdio.h>

#include "base/allocate.h"

enum { FIRST_BLOCK = 16 * 1024, LARGEST_BLOCK = 1024 * 1024, HEADER = 32 };

struct ew_arena_block {
  struct ew_arena_block *next;
  size_t size; /* of the bytes behind the header */
};
_Static_assert(sizeof(struct ew_arena_block) <= HEADER, "a block's header fits");

static char *block_bytes(struct ew_arena_block *block) { return (char *)block + HEADER; }

static void enter(struct ew_arena *arena, struct ew_arena_block *block) {
  arena->current = block;
  arena->next = block ? block_bytes(block) : NULL;
  arena->end = block ? block_bytes(block) + block->size : NULL;
}

/* Nothing from `next` on is in use any more. */
static void leave(struct ew_arena *arena, struct ew_arena_block *block, char *next) {
  enter(arena, block);
  if (!block) return;
  arena->next = next;
  EW_ARENA_CLOSE(next, (size_t)(arena->end - next));
#ifdef EW_ARENA_GUARDED
  while ((block = block->next)) EW_ARENA_CLOSE(block_bytes(block), block->size);
#endif
}

void ew_arena_init(struct ew_arena *arena) { *arena = (struct ew_arena){0}; }

void ew_arena_release(struct ew_arena *arena) {
  for (struct ew_arena_block *block = arena->first, *next; block; block = next) {
    next = block->next;
    ew_deallocate(block);
  }
  ew_arena_init(arena);
}

void ew_arena_reset(struct ew_arena *arena) {
  leave(arena, arena->first, arena->first ? block_bytes(arena->first) : NULL);
}

struct ew_arena_mark ew_arena_mark(const struct ew_arena *arena) {
  return (struct ew_arena_mark){arena->current, arena->next};
}

void ew_arena_rewind(struct ew_arena *arena, struct ew_arena_mark mark) {
  if (mark.block) {
    leave(arena, mark.block, mark.next);
  } else {
    ew_arena_reset(arena);
  }
}

/* Enters the next block. One that is too small gives way to a larger one: kept, it would be passed over in every round, and
   an arena that is reset for ever would collect such blocks. */
void ew_arena_grow(struct ew_arena *arena, size_t size) {
  EW_ASSERT(size <= SIZE_MAX / 2);
  size = (size + 15) & ~(size_t)15;
  struct ew_arena_block **place = arena->current ? &arena->current->next : &arena->first;
  while (*place && (*place)->size < size) {
    struct ew_arena_block *small = *place;
    *place = small->next;
    ew_deallocate(small);
  }
  if (!*place) {
    size_t wanted = arena->current ? arena->current->size * 2 : FIRST_BLOCK;
    if (wanted > LARGEST_BLOCK) wanted = LARGEST_BLOCK;
    if (wanted < size) wanted = size;
    struct ew_arena_block *block = ew_allocate(wanted + HEADER);
    *block = (struct ew_arena_block){NULL, wanted};
    EW_ARENA_CLOSE(block_bytes(block), wanted);
    *place = block;
  }
  enter(arena, *place);
}

struct ew_span ew_arena_copy(struct ew_arena *arena, struct ew_span span) {
  return (struct ew_span){ew_arena_string(arena, span), span.length};
}

const char *ew_arena_string(struct ew_arena *arena, struct ew_span span) {
  char *copy = ew_arena_take(arena, span.length + 1);
  if (span.length) memcpy(copy, span.bytes, span.length);
  copy[span.length] = '\0';
  return copy;
}

struct ew_span ew_arena_format(struct ew_arena *arena, const char *format, ...) {
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  int length = vsnprintf(NULL, 0, format, arguments);
  va_end(arguments);
  EW_ASSERT(length >= 0);
  char *bytes = ew_arena_take(arena, (size_t)length + 1);
  vsnprintf(bytes, (size_t)length + 1, format, again);
  va_end(again);
  return (struct ew_span){bytes, (size_t)length};
}

size_t ew_arena_held(const struct ew_arena *arena) {
  size_t held = 0;
  for (const struct ew_arena_block *block = arena->first; block; block = block->next) held += block->size + HEADER;
  return held;
}
