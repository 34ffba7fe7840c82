/* differ.h: saying in which rows two tables differ. For this room only. */
#ifndef EW_CONTRACT_DIFFER_H
#define EW_CONTRACT_DIFFER_H

#include "contract/relation.h"

/* These rows, by their numbers. */
struct ew_rows ew_rows_pick(struct ew_arena *arena, const struct ew_rows *rows, const size_t *numbers, size_t count);

/* The difference between `actual` (left) and `expected` (right): rows and words. */
void ew_why_rows(struct ew_arena *arena, const struct ew_rows *expected, const struct ew_rows *actual,
                 const struct ew_rows_difference *difference, struct ew_why *why);

#endif
