/* sort.h: the order of a table's rows under ORDER BY. For this room only. */
#ifndef EW_MODEL_SORT_H
#define EW_MODEL_SORT_H

#include "value/value.h"

struct ew_code;
struct ew_execution;
struct ew_table;

struct ew_sorting {
  struct ew_execution *run;
  const struct ew_semantics *semantics;
  const bool *descending;
  size_t key_count;
  const struct ew_value *keys; /* row by row, as the table has them */
  uint32_t *rows;              /* in order; NULL where there are no keys: as they are */
  bool planted;                /* there are plants to ask */
};

/* Sorts, stably. Evaluates the keys on the rows at hand. */
void ew_sorting_init(struct ew_execution *run, struct ew_sorting *sorting, const struct ew_table *table,
                     const struct ew_code *const *keys, const bool *descending, size_t count);
/* The row that stands at `place`. */
static inline size_t ew_sorting_row(const struct ew_sorting *sorting, size_t place) {
  return sorting->rows ? sorting->rows[place] : place;
}
/* The order of two rows of the table. */
int ew_sorting_compare(const struct ew_sorting *sorting, size_t a, size_t b);
/* Whether elements are among the keys, or in lists and maps there: how these sort is not the language's affair. */
bool ew_sorting_has_elements(const struct ew_sorting *sorting, size_t row_count);
/* Whether the rows at two places have equal keys. */
bool ew_sorting_ties(const struct ew_sorting *sorting, size_t a, size_t b);

#endif
