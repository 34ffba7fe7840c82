/* project.c: WITH and RETURN: columns, grouping, DISTINCT, ORDER BY, SKIP, LIMIT, WHERE, in this order.

   While a projection works, its rows are wide, so that ORDER BY and WHERE see what was and what will be:

       row that came in │ aggregates │ columns        and afterwards        outer variables │ columns

   A group is its first row, plus the results of its aggregates: an expression over grouping keys has the same value
   there. */
#include "lang/cypher/print.h"
#include "model/planted.h"
#include "model/sort.h"

struct projection {
  const struct ew_node *node; /* the clause */
  const struct ew_code **items;
  size_t count;
  bool distinct, aggregates_rows;
  const bool *is_key;    /* of each item: a grouping key */
  uint32_t base, column; /* slots: of the outer variables; of the first column */
  struct ew_aggregates aggregates;
  const struct ew_code **sorts;
  const bool *descending;
  size_t sort_count;
  const struct ew_code *skip, *limit, *where;
  struct ew_plant_projection plants;
};

/* ---- rows ---- */

static void evaluate_items(struct ew_execution *run, const struct projection *projection) {
  for (size_t i = 0; i < projection->count; i++)
    run->slots[projection->column + i] = ew_evaluate(run, projection->items[i]);
}

static void project_rows(struct ew_execution *run, const struct projection *projection, const struct ew_table *in,
                         struct ew_table *wide) {
  for (size_t i = 0; i < in->count && !run->failed; i++) {
    ew_table_load(run, in, i);
    evaluate_items(run, projection);
    ew_table_add_slots(run, wide);
  }
}

/* ---- groups ---- */

struct group {
  size_t first; /* row */
  struct ew_accumulator *accumulators;
};

struct grouping {
  EW_VECTOR(struct group) groups;
  struct ew_groups keys;
};

static struct group *new_group(struct ew_execution *run, const struct projection *projection, struct grouping *grouping,
                               size_t row) {
  size_t count = projection->aggregates.items.count;
  struct group *group = ew_arena_vector_push(run->arena, &grouping->groups);
  *group = (struct group){row, EW_NEW_ARRAY(run->arena, struct ew_accumulator, count)};
  for (size_t i = 0; i < count; i++) ew_accumulator_init(&group->accumulators[i]);
  return group;
}

/* The group of the row at hand. */
static struct group *find_group(struct ew_execution *run, const struct projection *projection,
                                struct grouping *grouping, size_t row) {
  struct ew_value *key = EW_NEW_ARRAY(run->arena, struct ew_value, grouping->keys.width);
  size_t count = 0;
  for (size_t i = 0; i < projection->count; i++)
    if (projection->is_key[i]) key[count++] = ew_evaluate(run, projection->items[i]);
  if (ew_planted(run->model, EW_PLANT_null_among_several_group_keys_drops_group) && ew_plant_drops_group(key, count))
    return NULL;
  bool fresh;
  uint32_t before = ew_run_watch_open(run);
  size_t group = ew_groups_add(run, &grouping->keys, key, &fresh);
  ew_run_place_open(run, before, projection->node);
  return fresh ? new_group(run, projection, grouping, row) : &grouping->groups.items[group];
}

/* Without grouping keys there is one group, also of no rows. */
static void project_groups(struct ew_execution *run, const struct projection *projection, const struct ew_table *in,
                           struct ew_table *wide) {
  struct grouping grouping = {0};
  for (size_t i = 0; i < projection->count; i++) grouping.keys.width += projection->is_key[i];
  for (size_t i = 0; i < in->count && ew_run_spend(run, 1); i++) {
    ew_table_load(run, in, i);
    struct group *group = find_group(run, projection, &grouping, i);
    if (!group) continue; /* a plant */
    for (size_t k = 0; k < projection->aggregates.items.count; k++)
      ew_accumulate(run, &projection->aggregates.items.items[k], &group->accumulators[k]);
  }
  if (!in->count && (!grouping.keys.width || projection->plants.constant_keys))
    new_group(run, projection, &grouping, 0);
  for (size_t i = 0; i < grouping.groups.count && !run->failed; i++) {
    const struct group *group = &grouping.groups.items[i];
    if (in->count)
      ew_table_load(run, in, group->first);
    else
      for (uint32_t slot = projection->base; slot < in->width; slot++) run->slots[slot] = ew_null();
    for (size_t k = 0; k < projection->aggregates.items.count; k++)
      run->slots[projection->aggregates.items.items[k].slot] =
          ew_accumulator_result(run, &projection->aggregates.items.items[k], &group->accumulators[k], in->ordered);
    evaluate_items(run, projection);
    ew_table_add_slots(run, wide);
  }
}

/* Of rows whose columns begin at `column`. */
static void drop_repeated(struct ew_execution *run, const struct projection *projection, uint32_t column,
                          struct ew_table *wide) {
  struct ew_groups seen = {.use = EW_GROUPS_DISTINCT, .width = projection->count};
  struct ew_table kept;
  ew_table_init(&kept, wide->width);
  for (size_t i = 0; i < wide->count && ew_run_spend(run, 1); i++) {
    bool fresh;
    uint32_t before = ew_run_watch_open(run);
    ew_groups_add(run, &seen, ew_table_row(wide, i) + column, &fresh);
    ew_run_place_open(run, before, projection->node);
    struct ew_value *row = fresh ? ew_table_add(run, &kept) : NULL;
    if (row) memcpy(row, ew_table_row(wide, i), wide->width * sizeof *row);
  }
  kept.ordered = wide->ordered;
  *wide = kept;
}

/* ---- order and cut ---- */

static bool same_columns(struct ew_execution *run, const struct projection *projection, const struct ew_table *wide,
                         size_t a, size_t b) {
  const struct ew_value *left = ew_table_row(wide, a) + projection->column;
  const struct ew_value *right = ew_table_row(wide, b) + projection->column;
  for (size_t i = 0; i < projection->count; i++)
    if (ew_value_order(left[i], right[i], run->semantics) || ew_looks_different(left[i], right[i], run->semantics))
      return false;
  return true;
}

static bool read_count(struct ew_execution *run, const struct ew_code *code, const char *clause, uint64_t *count) {
  if (!code) return !run->failed;
  struct ew_value value = ew_evaluate(run, code);
  if (ew_plants_any(&run->model->plants) && ew_plant_count(run, code, clause, &value)) return true;
  if (value.kind != EW_VALUE_INTEGER)
    ew_run_fail(run, EW_FAULT_COUNT_TYPE, "%s %s", clause, ew_kind_text(value));
  else if (value.integer < 0)
    ew_run_fail(run, EW_FAULT_NEGATIVE_COUNT, "%s %lld", clause, (long long)value.integer);
  else
    *count = (uint64_t)value.integer;
  return !run->failed;
}

/* Whether it is open which of the rows come before place `cut`: rows that tie across it and do not look alike. Sorting need
   not keep the order of rows that tie. */
static bool cut_is_open(struct ew_execution *run, const struct projection *projection, const struct ew_table *wide,
                        const struct ew_sorting *sorting, size_t cut) {
  if (!cut || cut >= wide->count || (wide->ordered && !projection->sort_count)) return false;
  size_t low = cut - 1, high = cut;
  if (!ew_sorting_ties(sorting, low, high)) return false;
  while (low > 0 && ew_sorting_ties(sorting, low - 1, low)) low--;
  while (high + 1 < wide->count && ew_sorting_ties(sorting, high, high + 1)) high++;
  for (size_t i = low; i < high; i++)
    if (!same_columns(run, projection, wide, ew_sorting_row(sorting, i), ew_sorting_row(sorting, i + 1))) return true;
  return false;
}

/* Whether sorting leaves one order only. */
static bool order_is_one(struct ew_execution *run, const struct projection *projection, const struct ew_table *wide,
                         const struct ew_sorting *sorting) {
  for (size_t i = 1; i < wide->count; i++)
    if (ew_sorting_ties(sorting, i - 1, i) &&
        !same_columns(run, projection, wide, ew_sorting_row(sorting, i - 1), ew_sorting_row(sorting, i)))
      return false;
  return true;
}

static void narrow(struct ew_execution *run, const struct projection *projection, struct ew_table *out) {
  if (projection->where && ew_evaluate_truth(run, projection->where) != EW_TRUE) return;
  struct ew_value *row = ew_table_add(run, out);
  if (!row) return;
  if (projection->base) memcpy(row, run->slots, projection->base * sizeof *row);
  if (projection->count)
    memcpy(row + projection->base, run->slots + projection->column, projection->count * sizeof *row);
}

static void finish_rows(struct ew_execution *run, const struct projection *projection, struct ew_table *wide,
                        struct ew_table *out) {
  uint64_t skip = 0, limit = UINT64_MAX;
  if (!read_count(run, projection->skip, "SKIP", &skip) || !read_count(run, projection->limit, "LIMIT", &limit)) return;
  struct ew_sorting sorting;
  ew_sorting_init(run, &sorting, wide, projection->sorts, projection->descending, projection->sort_count);
  if (run->failed) return;
  size_t start = skip < wide->count ? (size_t)skip : wide->count;
  size_t end = limit < wide->count - start ? start + (size_t)limit : wide->count;
  if (projection->plants.small_heap) ew_plant_heap(limit, &start, &end);
  if (cut_is_open(run, projection, wide, &sorting, start) || cut_is_open(run, projection, wide, &sorting, end))
    ew_run_is_open_at(run, UINT32_C(1) << EW_OPEN_CUT, projection->node);
  if (wide->count > 1 && ew_sorting_has_elements(&sorting, wide->count))
    ew_run_is_open_at(run, UINT32_C(1) << EW_OPEN_IDENTITY, projection->node);
  if (run->depth == 1 && cypher_is(projection->node, CYPHER_return))
    run->ranking = (struct ew_ranking){.values = wide->values,
                                       .width = wide->width,
                                       .column = projection->column,
                                       .column_count = projection->count,
                                       .row_count = wide->count,
                                       .start = start,
                                       .end = end,
                                       .sorting = sorting};
  out->ordered = projection->sort_count ? order_is_one(run, projection, wide, &sorting) : wide->ordered;
  for (size_t i = start; i < end && !run->failed; i++) {
    ew_table_load(run, wide, ew_sorting_row(&sorting, i));
    narrow(run, projection, out);
  }
}

static void run_projection(struct ew_execution *run, const struct ew_step *step, const struct ew_table *in,
                           struct ew_table *out) {
  const struct projection *projection = step->detail;
  bool plain = !projection->aggregates_rows && !projection->distinct && !projection->sort_count && !projection->skip &&
               !projection->limit;
  if (plain) {
    for (size_t i = 0; i < in->count && !run->failed; i++) {
      ew_table_load(run, in, i);
      evaluate_items(run, projection);
      narrow(run, projection, out);
    }
    out->ordered = in->ordered;
    return;
  }
  struct ew_table wide;
  ew_table_init(&wide, projection->column + (uint32_t)projection->count);
  wide.ordered = in->ordered;
  if (projection->aggregates_rows)
    project_groups(run, projection, in, &wide);
  else
    project_rows(run, projection, in, &wide);
  bool late = projection->plants.distinct_last;
  if (projection->distinct && !late) drop_repeated(run, projection, projection->column, &wide);
  if (projection->aggregates_rows || projection->distinct) wide.ordered = wide.count < 2;
  if (!run->failed) finish_rows(run, projection, &wide, out);
  if (late) drop_repeated(run, projection, projection->base, out);
}

/* ---- compiling ---- */

struct column {
  struct ew_span name;
  const struct ew_node *expression; /* NULL for one of `*` */
  uint32_t slot;                    /* of one of `*` */
};

struct columns {
  EW_VECTOR(struct column) items;
};

static struct ew_span column_name(struct ew_compiler *compiler, const struct cypher_item *item) {
  if (item->alias.name.length) return item->alias.name;
  if (cypher_is(item->expression.node, CYPHER_variable)) return CYPHER_AS(variable, item->expression.node)->name.name;
  struct ew_text text = {0};
  ew_cypher_print(&text, item->expression.node, NULL);
  struct ew_span name = ew_arena_copy(compiler->arena, ew_text_span(&text));
  ew_text_release(&text);
  return name;
}

/* `*` is every variable that is visible, once, in order of their names, but not those of the queries around. */
static void add_star(struct ew_compiler *compiler, struct columns *columns) {
  for (size_t i = compiler->outer; i < compiler->visible.count; i++) {
    const struct ew_binding *binding = &compiler->visible.items[i];
    uint32_t slot;
    if (ew_compile_find(compiler, binding->name, &slot) && slot != binding->slot) continue;
    ew_arena_vector_push(compiler->arena, &columns->items);
    size_t at = columns->items.count - 1;
    for (; at && ew_span_compare(binding->name, columns->items.items[at - 1].name) < 0; at--)
      columns->items.items[at] = columns->items.items[at - 1];
    columns->items.items[at] = (struct column){binding->name, NULL, binding->slot};
  }
}

static struct columns list_columns(struct ew_compiler *compiler, const struct cypher_projection *source) {
  struct columns columns = {0};
  if (source->star.flag) add_star(compiler, &columns);
  for (size_t i = 0; i < source->items.list.count; i++) {
    const struct cypher_item *item = CYPHER_AS(item, source->items.list.items[i]);
    *ew_arena_vector_push(compiler->arena, &columns.items) =
        (struct column){column_name(compiler, item), item->expression.node, 0};
  }
  return columns;
}

static size_t count_aggregates(const struct cypher_projection *source) {
  size_t count = 0;
  for (size_t i = 0; i < source->items.list.count; i++) count += ew_aggregates_count(source->items.list.items[i]);
  for (size_t i = 0; i < source->order.list.count; i++) count += ew_aggregates_count(source->order.list.items[i]);
  return count;
}

static void reserve(struct ew_compiler *compiler, size_t count) {
  for (size_t i = 0; i < count; i++) ew_compile_bind(compiler, EW_SPAN(""));
}

static void compile_items(struct ew_compiler *compiler, struct projection *projection, const struct columns *columns) {
  bool *is_key = EW_NEW_ARRAY(compiler->arena, bool, projection->count);
  for (size_t i = 0; i < projection->count; i++) {
    const struct column *column = &columns->items.items[i];
    is_key[i] = !column->expression || !ew_aggregates_count(column->expression);
    projection->items[i] = column->expression ? ew_compile_expression(compiler, column->expression)
                                              : ew_code_slot(compiler, NULL, column->slot);
  }
  projection->is_key = is_key;
}

/* ORDER BY and WHERE see the columns by their names and by their expressions, and what was visible before. */
static void compile_rest(struct ew_compiler *compiler, struct projection *projection, const struct columns *columns,
                         const struct cypher_projection *source, const struct ew_node *where) {
  struct ew_scope_mark mark = ew_compile_open(compiler);
  bool *descending = EW_NEW_ARRAY(compiler->arena, bool, source->order.list.count);
  for (size_t i = 0; i < projection->count; i++) {
    struct column column = columns->items.items[i];
    uint32_t slot = projection->column + (uint32_t)i;
    *ew_arena_vector_push(compiler->arena, &compiler->visible) = (struct ew_binding){column.name, slot};
    if (column.expression)
      *ew_arena_vector_push(compiler->arena, &compiler->substitutes) = (struct ew_substitute){column.expression, slot};
  }
  projection->sort_count = source->order.list.count;
  projection->sorts = EW_NEW_ARRAY(compiler->arena, const struct ew_code *, projection->sort_count);
  for (size_t i = 0; i < projection->sort_count; i++) {
    const struct cypher_sort *sort = CYPHER_AS(sort, source->order.list.items[i]);
    descending[i] = sort->descending.flag;
    projection->sorts[i] = ew_compile_expression(compiler, sort->expression.node);
  }
  projection->descending = descending;
  compiler->aggregates = NULL;
  projection->where = projection->plants.where ? projection->plants.where : ew_compile_expression(compiler, where);
  ew_compile_close(compiler, mark);
}

const struct ew_step *ew_compile_projection(struct ew_compiler *compiler, const struct ew_node *node) {
  bool with = cypher_is(node, CYPHER_with);
  const struct cypher_projection *source =
      CYPHER_AS(projection, with ? CYPHER_AS(with, node)->projection.node : CYPHER_AS(return, node)->projection.node);
  struct projection *projection = EW_NEW(compiler->arena, struct projection);
  struct columns columns = list_columns(compiler, source);
  size_t aggregates = count_aggregates(source);
  projection->node = node;
  projection->base = compiler->base;
  projection->distinct = source->distinct.flag;
  projection->aggregates_rows = aggregates > 0;
  projection->count = columns.items.count;
  projection->items = EW_NEW_ARRAY(compiler->arena, const struct ew_code *, projection->count);
  projection->aggregates.first = compiler->next;
  projection->aggregates.visible = compiler->visible.count;
  reserve(compiler, aggregates);
  projection->aggregates.end = projection->column = compiler->next;
  reserve(compiler, projection->count);
  if (ew_plants_any(&compiler->model->plants)) ew_plant_projection_of(compiler, node, &projection->plants);
  if (projection->plants.ignores_distinct) projection->distinct = false;
  if (aggregates) compiler->aggregates = &projection->aggregates;
  compile_items(compiler, projection, &columns);
  compile_rest(compiler, projection, &columns, source, with ? CYPHER_AS(with, node)->where.node : NULL);
  projection->skip = ew_compile_expression(compiler, source->skip.node);
  projection->limit = ew_compile_expression(compiler, source->limit.node);
  if (projection->plants.ignores_skip) projection->skip = NULL;
  if (projection->plants.ignores_where) projection->where = NULL;
  compiler->next = compiler->base;
  compiler->visible.count = compiler->outer;
  for (size_t i = 0; i < projection->count; i++) ew_compile_bind(compiler, columns.items.items[i].name);
  struct ew_step *step = ew_step_new(compiler, run_projection, node, projection);
  step->sorts = projection->sort_count > 0;
  return step;
}
