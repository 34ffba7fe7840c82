/* rows.h: a table of values, and comparing two of them as bags or as lists.

   Two floats are the same where, rounded to `float_digits` significant decimal digits, they are equal or differ by
   one unit in the last of them (so 1 - 10⁻¹⁶ and 1 + 10⁻¹⁶ are the same, and 0.1 + 0.2 and 0.3; zero is the same only
   as zero). With 17 digits or more only equal floats are. This relation is not transitive: a bag comparison pairs as
   many rows as can be paired. */
#ifndef EW_VALUE_ROWS_H
#define EW_VALUE_ROWS_H

#include "value/value.h"

struct ew_rows {
  const struct ew_span *columns; /* NULL where the engine did not name them */
  size_t column_count;
  const struct ew_value *values; /* row by row */
  size_t row_count;
};

static inline const struct ew_value *ew_row(const struct ew_rows *rows, size_t row) {
  return rows->column_count ? rows->values + row * rows->column_count : NULL;
}

/* How two tables differ, as positions in them. Bags: what is left over on each side. */
struct ew_rows_difference {
  size_t *only_left, *only_right; /* row numbers, ascending */
  size_t only_left_count, only_right_count;
  bool columns; /* number or names of columns differ; rows were not compared */
};

/* Columns differ where their numbers do, or where both sides name them and names differ. An empty table has no
   columns to compare under `empty_has_columns` = 0. `difference` may be NULL. */

/* As bags: false and a difference where they are not the same. O(n log n), and one pass where the order is the same
   too. */
bool ew_rows_same_bag(struct ew_arena *arena, const struct ew_rows *left, const struct ew_rows *right,
                      const struct ew_semantics *semantics, struct ew_rows_difference *difference);
/* In order, row by row: the difference has the rows that stand where the other side has another or none. */
bool ew_rows_same_list(struct ew_arena *arena, const struct ew_rows *left, const struct ew_rows *right,
                       const struct ew_semantics *semantics, struct ew_rows_difference *difference);
/* Every row of `left` is in `right`: as often (bags), or at least once (`distinct`). The difference has `only_left`
   only. */
bool ew_rows_subset(struct ew_arena *arena, const struct ew_rows *left, const struct ew_rows *right, bool distinct,
                    const struct ew_semantics *semantics, struct ew_rows_difference *difference);
/* All rows of `parts`, one after the other. Columns are those of the first that names any. Parts of different widths
   are an engine's mistake: the result is as wide as the widest, filled up with nulls, so that a comparison shows it.
   */
struct ew_rows ew_rows_append(struct ew_arena *arena, const struct ew_rows *parts, size_t count);

void ew_rows_write_json(struct ew_json_writer *writer, const struct ew_rows *rows);
enum ew_status ew_rows_read_json(struct ew_arena *arena, const struct ew_json *json, struct ew_rows *rows,
                                 struct ew_error *error) EW_CHECKED;
/* A table for people: header, rule, at most `limit` rows and how many more. Long cells are cut. */
void ew_rows_print(struct ew_text *text, const struct ew_rows *rows, size_t limit);

#endif
