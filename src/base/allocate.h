/* allocate.h: all heap memory comes from here, so that tests can make it fail and count what is left.

   Running out of memory ends the process with a message: the supervisor restarts a worker that died, and everything that
   was announced is on disk by then. So callers never see NULL. */
#ifndef EW_BASE_ALLOCATE_H
#define EW_BASE_ALLOCATE_H

#include <stddef.h>

#include "base/status.h"

void *ew_allocate(size_t size) __attribute__((malloc, returns_nonnull, alloc_size(1)));
void *ew_allocate_zeroed(size_t count, size_t size) __attribute__((malloc, returns_nonnull, alloc_size(1, 2)));
/* `pointer` may be NULL; its old contents move. */
void *ew_reallocate(void *pointer, size_t size) __attribute__((returns_nonnull, alloc_size(2)));
void ew_deallocate(void *pointer);
char *ew_allocate_copy(const char *bytes, size_t length) __attribute__((returns_nonnull)); /* terminated with NUL */

/* For tests: the n-th allocation from now on (1 is the next) fails; 0 switches that off. */
void ew_allocate_fail_after(size_t n);
/* For tests: blocks not yet given back by this process. */
size_t ew_allocate_live_blocks(void);

#endif
