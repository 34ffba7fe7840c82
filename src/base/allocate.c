/* allocate.c: the heap, with a switch that makes it fail. */
#include "base/allocate.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t fail_countdown;
static size_t live_blocks;

static noreturn void out_of_memory(size_t size) {
  fprintf(stderr, "edgewise: out of memory (%zu bytes asked for); run fewer workers with --workers\n", size);
  exit(EW_EXIT_BUG);
}

static void count_down(size_t size) {
  if (fail_countdown && --fail_countdown == 0) out_of_memory(size);
}

void *ew_allocate(size_t size) {
  count_down(size);
  void *pointer = malloc(size ? size : 1);
  if (!pointer) out_of_memory(size);
  live_blocks++;
  return pointer;
}

void *ew_allocate_zeroed(size_t count, size_t size) {
  if (size && count > SIZE_MAX / size) out_of_memory(SIZE_MAX);
  void *pointer = ew_allocate(count * size);
  memset(pointer, 0, count * size);
  return pointer;
}

void *ew_reallocate(void *pointer, size_t size) {
  count_down(size);
  if (!pointer) live_blocks++;
  void *grown = realloc(pointer, size ? size : 1);
  if (!grown) out_of_memory(size);
  return grown;
}

void ew_deallocate(void *pointer) {
  if (!pointer) return;
  live_blocks--;
  free(pointer);
}

char *ew_allocate_copy(const char *bytes, size_t length) {
  char *copy = ew_allocate(length + 1);
  if (length) memcpy(copy, bytes, length);
  copy[length] = '\0';
  return copy;
}

void ew_allocate_fail_after(size_t n) { fail_countdown = n; }

size_t ew_allocate_live_blocks(void) { return live_blocks; }
