/* exact.c: whether an answer is one of the right ones.

   Both sides are brought into a form in which what may differ does not: elements without ids, lists sorted whose order is
   open, all numbers floats where 1 may be 1.0. Then rows are compared tier by tier, or all together where no order is
   asked for. */
#include "contract/differ.h"
#include "value/plain.h"

struct ew_rows ew_rows_pick(struct ew_arena *arena, const struct ew_rows *rows, const size_t *numbers, size_t count) {
  struct ew_value *values = EW_NEW_ARRAY(arena, struct ew_value, count * rows->column_count + 1);
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < rows->column_count; k++) values[i * rows->column_count + k] = ew_row(rows, numbers[i])[k];
  return (struct ew_rows){rows->columns, rows->column_count, values, count};
}

void ew_why_rows(struct ew_arena *arena, const struct ew_rows *expected, const struct ew_rows *actual,
                 const struct ew_rows_difference *difference, struct ew_why *why) {
  why->actual = ew_rows_pick(arena, actual, difference->only_left, difference->only_left_count);
  why->expected = ew_rows_pick(arena, expected, difference->only_right, difference->only_right_count);
  if (difference->columns) {
    why->text = EW_SPAN("the columns differ");
    return;
  }
  why->text = ew_arena_format(arena, "%zu row%s missing, %zu row%s too many", difference->only_right_count,
                              difference->only_right_count == 1 ? "" : "s", difference->only_left_count,
                              difference->only_left_count == 1 ? "" : "s");
}

/* ---- what may differ is taken out ---- */

struct loosening {
  struct ew_arena *arena;
  const struct ew_semantics *semantics;
  bool
      doubtful; /* items of a sorted list are told apart by floats alone: nearly the same ones may have sorted otherwise */
};

static void sort_items(struct loosening *loosening, struct ew_value *items, size_t count) {
  struct ew_value *spare = EW_NEW_ARRAY(loosening->arena, struct ew_value, count);
  for (size_t run = 1; run < count; run *= 2) {
    for (size_t start = 0; start < count; start += 2 * run) {
      size_t middle = start + run < count ? start + run : count, end = middle + run < count ? middle + run : count;
      for (size_t i = start, j = middle, k = start; k < end; k++) {
        bool right = i == middle || (j < end && ew_value_same_order(items[j], items[i], loosening->semantics) < 0);
        spare[k] = right ? items[j++] : items[i++];
      }
    }
    memcpy(items, spare, count * sizeof *items);
  }
  for (size_t i = 1; i < count; i++)
    loosening->doubtful |= items[i].kind != EW_VALUE_FLOAT &&
                           ew_value_shape_order(items[i - 1], items[i], loosening->semantics) == 0 &&
                           ew_value_same_order(items[i - 1], items[i], loosening->semantics) != 0;
}

static struct ew_value loosen(struct loosening *loosening, struct ew_value value, unsigned allowed) {
  bool sorts = allowed & EW_ALLOW_ORDER;
  unsigned within = allowed & EW_ALLOW_DEEP_ORDER ? allowed | EW_ALLOW_ORDER : allowed & ~(unsigned)EW_ALLOW_ORDER;
  switch (value.kind) {
    case EW_VALUE_INTEGER: return allowed & EW_ALLOW_NUMBERS ? ew_float((double)value.integer) : value;
    case EW_VALUE_FLOAT: return allowed & EW_ALLOW_NUMBERS && value.number == 0 ? ew_float(0.0) : value;
    case EW_VALUE_LIST: {
      struct ew_value *items = EW_NEW_ARRAY(loosening->arena, struct ew_value, value.list.count);
      for (size_t i = 0; i < value.list.count; i++) items[i] = loosen(loosening, value.list.items[i], within);
      if (sorts) sort_items(loosening, items, value.list.count);
      return ew_list(items, value.list.count);
    }
    case EW_VALUE_MAP: {
      struct ew_item *items = EW_NEW_ARRAY(loosening->arena, struct ew_item, value.map.count);
      for (size_t i = 0; i < value.map.count; i++)
        items[i] = (struct ew_item){value.map.items[i].key, loosen(loosening, value.map.items[i].value, within)};
      return ew_map_value(loosening->arena, items, value.map.count);
    }
    default: return value;
  }
}

/* Rows of another width are left as they are: the columns differ then. */
static struct ew_rows loosen_rows(struct loosening *loosening, const struct ew_expectation *expected,
                                  const struct ew_rows *rows) {
  struct ew_rows plain = ew_rows_plain(loosening->arena, rows);
  if (!expected->allowances || plain.column_count != expected->rows.column_count) return plain;
  size_t count = plain.row_count * plain.column_count;
  struct ew_value *values = EW_NEW_ARRAY(loosening->arena, struct ew_value, count);
  for (size_t i = 0; i < count; i++) {
    unsigned allowed = expected->allowances[i % plain.column_count];
    values[i] = allowed & EW_ALLOW_ANY ? ew_null() : loosen(loosening, plain.values[i], allowed);
  }
  return (struct ew_rows){plain.columns, plain.column_count, values, plain.row_count};
}

/* ---- rows against tiers ---- */

static struct ew_rows slice(const struct ew_rows *rows, size_t start, size_t count) {
  return (struct ew_rows){rows->columns, rows->column_count, ew_row(rows, start), count};
}

static size_t taken(const struct ew_expectation *expected) {
  if (!expected->tier_count) return expected->rows.row_count;
  size_t sum = 0;
  for (size_t i = 0; i < expected->tier_count; i++) sum += expected->tiers[i].take;
  return sum;
}

/* The rows of the tiers that come as a whole. */
static struct ew_rows certain_rows(struct ew_arena *arena, const struct ew_expectation *expected,
                                   const struct ew_rows *wanted) {
  struct ew_rows *parts = EW_NEW_ARRAY(arena, struct ew_rows, expected->tier_count + 1);
  size_t count = 0, at = 0;
  for (size_t i = 0; i < expected->tier_count; at += expected->tiers[i++].count)
    if (expected->tiers[i].take == expected->tiers[i].count)
      parts[count++] = slice(wanted, at, expected->tiers[i].count);
  parts[count] = slice(wanted, 0, 0);
  return ew_rows_append(arena, parts, count + 1);
}

struct comparison {
  const struct ew_expectation *expected;
  const struct ew_rows *wanted, *found; /* loosened */
  const struct ew_rows *rows;           /* as they came */
  const struct ew_semantics *semantics;
  struct ew_arena *arena;
};

/* In any order. A right answer has all certain rows and is within all rows: what it has beyond the certain ones is then
   of those that may come. */
static bool right_rows(const struct comparison *comparison, struct ew_why *why) {
  const struct ew_expectation *expected = comparison->expected;
  const struct ew_rows *wanted = comparison->wanted, *found = comparison->found;
  struct ew_rows_difference difference = {0};
  struct ew_arena *arena = comparison->arena;
  size_t count = taken(expected);
  if (count == wanted->row_count) {
    if (ew_rows_same_bag(arena, found, wanted, comparison->semantics, &difference)) return true;
    ew_why_rows(arena, &expected->rows, comparison->rows, &difference, why);
    why->aspect = difference.columns ? EW_ASPECT_columns : EW_ASPECT_rows;
    return false;
  }
  why->aspect = EW_ASPECT_rows;
  struct ew_rows certain = certain_rows(arena, expected, wanted);
  if (!ew_rows_subset(arena, found, wanted, false, comparison->semantics, &difference)) {
    ew_why_rows(arena, &expected->rows, comparison->rows, &difference, why);
    why->aspect = difference.columns ? EW_ASPECT_columns : EW_ASPECT_rows;
    if (!difference.columns)
      why->text = ew_arena_format(arena, "%zu row%s that cannot be among the rows", difference.only_left_count,
                                  difference.only_left_count == 1 ? "" : "s");
    return false;
  }
  if (!ew_rows_subset(arena, &certain, found, false, comparison->semantics, &difference)) {
    why->expected = ew_rows_pick(arena, &certain, difference.only_left, difference.only_left_count);
    why->text = ew_arena_format(arena, "%zu row%s missing that must come whichever others do",
                                difference.only_left_count, difference.only_left_count == 1 ? "" : "s");
    return false;
  }
  if (found->row_count == count) return true;
  why->actual = *comparison->rows;
  why->text = ew_arena_format(arena, "%zu row%s where %zu must come", found->row_count,
                              found->row_count == 1 ? "" : "s", count);
  return false;
}

static bool right_order(const struct comparison *comparison, struct ew_why *why) {
  const struct ew_expectation *expected = comparison->expected;
  struct ew_rows_difference difference = {0};
  if (!expected->tier_count) {
    if (ew_rows_same_list(comparison->arena, comparison->found, comparison->wanted, comparison->semantics, &difference))
      return true;
    ew_why_rows(comparison->arena, &expected->rows, comparison->rows, &difference, why);
    return false;
  }
  size_t from = 0, at = 0;
  for (size_t i = 0; i < expected->tier_count; i++) {
    struct ew_tier tier = expected->tiers[i];
    struct ew_rows wanted = slice(comparison->wanted, from, tier.count),
                   found = slice(comparison->found, at, tier.take);
    if (!ew_rows_subset(comparison->arena, &found, &wanted, false, comparison->semantics, &difference)) {
      why->expected = slice(&expected->rows, from, tier.count);
      why->actual = slice(comparison->rows, at, tier.take);
      return false;
    }
    from += tier.count;
    at += tier.take;
  }
  return true;
}

enum ew_verdict ew_expectation_judge(const struct ew_expectation *expected, const struct ew_rows *rows,
                                     const struct ew_semantics *semantics, struct ew_arena *arena, struct ew_why *why) {
  struct loosening loosening = {.arena = arena, .semantics = semantics};
  struct ew_rows wanted = loosen_rows(&loosening, expected, &expected->rows),
                 found = loosen_rows(&loosening, expected, rows);
  struct comparison comparison = {expected, &wanted, &found, rows, semantics, arena};
  bool right = right_rows(&comparison, why);
  if (right && (!expected->ordered || right_order(&comparison, why))) return EW_HOLDS;
  if (loosening.doubtful) return EW_INCONCLUSIVE;
  if (right) {
    why->aspect = EW_ASPECT_order;
    why->text = EW_SPAN("the right rows in a wrong order");
  }
  if (expected->reads_state) why->aspect = EW_ASPECT_state;
  return EW_VIOLATED;
}
