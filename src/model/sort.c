/* sort.c: a stable merge sort of rows by their keys. */
#include "model/planted.h"

int ew_sorting_compare(const struct ew_sorting *sorting, size_t a, size_t b) {
  const struct ew_value *left = sorting->keys + a * sorting->key_count, *right = sorting->keys + b * sorting->key_count;
  for (size_t i = 0; i < sorting->key_count; i++) {
    int order = ew_value_order(left[i], right[i], sorting->semantics);
    if (sorting->planted) {
      order = ew_plant_order(sorting->run, left[i], right[i], order);
      if (ew_plant_ties(sorting->run, left[i], right[i], i)) return 0;
    }
    if (order) return sorting->descending[i] ? -order : order;
  }
  return 0;
}

static void merge(const struct ew_sorting *sorting, const uint32_t *from, uint32_t *to, size_t start, size_t middle,
                  size_t end) {
  size_t left = start, right = middle;
  for (size_t i = start; i < end; i++) {
    bool from_left = left < middle && (right >= end || ew_sorting_compare(sorting, from[left], from[right]) <= 0);
    to[i] = from_left ? from[left++] : from[right++];
  }
}

static void sort_rows(struct ew_sorting *sorting, uint32_t *spare, size_t count) {
  uint32_t *from = sorting->rows, *to = spare;
  for (size_t width = 1; width < count; width *= 2) {
    for (size_t start = 0; start < count; start += 2 * width) {
      size_t middle = start + width < count ? start + width : count;
      merge(sorting, from, to, start, middle, start + 2 * width < count ? start + 2 * width : count);
    }
    uint32_t *swap = from;
    from = to;
    to = swap;
  }
  sorting->rows = from;
}

void ew_sorting_init(struct ew_execution *run, struct ew_sorting *sorting, const struct ew_table *table,
                     const struct ew_code *const *keys, const bool *descending, size_t count) {
  *sorting = (struct ew_sorting){.run = run,
                                 .semantics = run->semantics,
                                 .descending = descending,
                                 .key_count = count,
                                 .planted = ew_plants_any(&run->model->plants)};
  if (!count) return;
  struct ew_value *values = ew_run_take(run, table->count * count, sizeof *values);
  uint32_t *rows = ew_run_take(run, table->count * 2, sizeof *rows);
  if (!values || !rows) return;
  for (size_t i = 0; i < table->count && ew_run_spend(run, 1); i++) {
    ew_table_load(run, table, i);
    for (size_t k = 0; k < count; k++) values[i * count + k] = ew_evaluate(run, keys[k]);
    rows[i] = (uint32_t)i;
  }
  sorting->keys = values;
  sorting->rows = rows;
  if (run->failed) return;
  if (ew_planted(run->model, EW_PLANT_sort_of_sorted_input_is_quadratic))
    ew_plant_sort(sorting, table->count);
  else
    sort_rows(sorting, rows + table->count, table->count);
}

bool ew_sorting_ties(const struct ew_sorting *sorting, size_t a, size_t b) {
  return ew_sorting_compare(sorting, ew_sorting_row(sorting, a), ew_sorting_row(sorting, b)) == 0;
}

static bool has_elements(struct ew_value value) {
  switch (value.kind) {
    case EW_VALUE_NODE:
    case EW_VALUE_RELATIONSHIP:
    case EW_VALUE_PATH: return true;
    case EW_VALUE_LIST:
      for (size_t i = 0; i < value.list.count; i++)
        if (has_elements(value.list.items[i])) return true;
      return false;
    case EW_VALUE_MAP:
      for (size_t i = 0; i < value.map.count; i++)
        if (has_elements(value.map.items[i].value)) return true;
      return false;
    default: return false;
  }
}

bool ew_sorting_has_elements(const struct ew_sorting *sorting, size_t row_count) {
  for (size_t i = 0; i < row_count * sorting->key_count; i++)
    if (has_elements(sorting->keys[i])) return true;
  return false;
}
