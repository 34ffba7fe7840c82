/* ddmin.h: dropping items of a sequence, all, halves, quarters and so on down to single ones, while something still shows. After
   the delta debugging of Zeller and Hildebrandt; a piece that was refused is not asked for again at the same size. */
#ifndef EW_REDUCE_DDMIN_H
#define EW_REDUCE_DDMIN_H

#include <stdbool.h>
#include <stddef.h>

struct ew_ddmin {
  /* Items there are now; 0 also ends it. */
  size_t (*count)(void *context);
  /* Whether it still shows without items [from, from + count), which may reach behind the last; if so they are gone. */
  bool (*drop)(void *context, size_t from, size_t count);
  void *context;
  size_t least; /* items that must stay */
};

/* Whether any were dropped. */
bool ew_ddmin(const struct ew_ddmin *job);

#endif
