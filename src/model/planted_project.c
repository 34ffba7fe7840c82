/* planted_project.c: WITH and RETURN that are wrong: grouping, DISTINCT, ORDER BY, SKIP and LIMIT. */
#include "base/hash.h"
#include "model/planted.h"
#include "model/sort.h"

/* ---- compiling ---- */

/* MATCH ()-[r:T]->() and nothing else, and r is what is counted. */
static bool counts_relationships(const struct ew_compiler *compiler, const struct cypher_projection *source) {
  if (compiler->clause != 1 || source->items.list.count != 1 || source->star.flag) return false;
  const struct ew_node *clause = compiler->clauses.items[0];
  const struct ew_node *counted = CYPHER_AS(item, source->items.list.items[0])->expression.node;
  if (!cypher_is(clause, CYPHER_match) || !cypher_is(counted, CYPHER_function)) return false;
  const struct cypher_match *match = CYPHER_AS(match, clause);
  const struct cypher_function *count = CYPHER_AS(function, counted);
  if (match->optional.flag || match->where.node || match->patterns.list.count != 1 || count->name.name.length != 5 ||
      count->arguments.list.count != 1 || !cypher_is(count->arguments.list.items[0], CYPHER_variable))
    return false;
  struct ew_list elements = CYPHER_AS(path, match->patterns.list.items[0])->elements.list;
  if (elements.count != 3 || !cypher_is(elements.items[1], CYPHER_relationship_pattern)) return false;
  for (size_t i = 0; i < 3; i += 2) {
    const struct cypher_node_pattern *node = CYPHER_AS(node_pattern, elements.items[i]);
    if (node->labels.node || node->properties.node || node->where.node) return false;
  }
  const struct cypher_relationship_pattern *relationship = CYPHER_AS(relationship_pattern, elements.items[1]);
  return !relationship->properties.node && !relationship->where.node && !relationship->length.node &&
         ew_span_equal(relationship->variable.name, CYPHER_AS(variable, count->arguments.list.items[0])->name.name);
}

static enum ew_walk find_unknown(const struct ew_node *node, struct ew_place place, void *context) {
  const struct ew_compiler *const *compiler = context;
  uint32_t slot;
  (void)place;
  if (!cypher_is(node, CYPHER_variable)) return EW_WALK_ON;
  return ew_compile_find(*compiler, CYPHER_AS(variable, node)->name.name, &slot) ? EW_WALK_ON : EW_WALK_STOP;
}

/* Whether a column has the name of a variable that is not the same, and WHERE asks for it. */
static bool shadows(const struct ew_compiler *compiler, const struct cypher_projection *source,
                    const struct ew_node *where) {
  for (size_t i = 0; i < source->items.list.count; i++) {
    const struct cypher_item *item = CYPHER_AS(item, source->items.list.items[i]);
    uint32_t slot;
    bool other = item->alias.name.length &&
                 !(cypher_is(item->expression.node, CYPHER_variable) &&
                   ew_span_equal(CYPHER_AS(variable, item->expression.node)->name.name, item->alias.name));
    if (other && ew_compile_find(compiler, item->alias.name, &slot) && ew_plant_names(where, item->alias.name))
      return true;
  }
  return false;
}

static bool all_keys_constant(const struct cypher_projection *source) {
  bool keys = false;
  for (size_t i = 0; i < source->items.list.count; i++) {
    const struct ew_node *expression = CYPHER_AS(item, source->items.list.items[i])->expression.node;
    if (ew_aggregates_count(expression)) continue;
    if (!cypher_is(expression, CYPHER_literal)) return false;
    keys = true;
  }
  return keys && !source->star.flag;
}

static bool is_false(const struct ew_node *where) {
  if (cypher_is(where, CYPHER_binary) && CYPHER_AS(binary, where)->operator.choice == CYPHER_AND)
    return is_false(CYPHER_AS(binary, where)->left.node) || is_false(CYPHER_AS(binary, where)->right.node);
  return ew_plant_is_literal(where, EW_VALUE_BOOLEAN) && !CYPHER_AS(literal, where)->value.value->boolean;
}

static bool follows_false(const struct ew_compiler *compiler) {
  for (size_t i = 0; i < compiler->clause; i++)
    if (cypher_is(compiler->clauses.items[i], CYPHER_match) &&
        is_false(CYPHER_AS(match, compiler->clauses.items[i])->where.node))
      return true;
  return false;
}

static bool has_aggregates(const struct cypher_projection *source) {
  for (size_t i = 0; i < source->items.list.count; i++)
    if (ew_aggregates_count(source->items.list.items[i])) return true;
  return false;
}

void ew_plant_projection_of(struct ew_compiler *compiler, const struct ew_node *clause,
                            struct ew_plant_projection *plants) {
  const struct ew_model *model = compiler->model;
  const struct cypher_projection *source = ew_plant_projection(clause);
  const struct ew_node *where = cypher_is(clause, CYPHER_with) ? CYPHER_AS(with, clause)->where.node : NULL;
  bool sorts = source->order.list.count > 0;
  plants->ignores_skip = source->skip.node && ew_planted(model, EW_PLANT_relationship_count_shortcut_ignores_skip) &&
                         counts_relationships(compiler, source);
  plants->ignores_distinct = source == compiler->undistinguished;
  plants->distinct_last = source->distinct.flag && sorts && source->limit.node && !plants->ignores_distinct &&
                          ew_planted(model, EW_PLANT_limit_pushed_below_distinct);
  plants->small_heap =
      sorts && source->skip.node && source->limit.node && ew_planted(model, EW_PLANT_top_n_heap_forgets_skip);
  plants->ignores_where =
      where && has_aggregates(source) && ew_planted(model, EW_PLANT_where_behind_aggregation_ignored);
  plants->constant_keys = has_aggregates(source) && all_keys_constant(source) &&
                          ew_planted(model, EW_PLANT_constant_group_key_returns_row_for_empty_input);
  if (where && !has_aggregates(source) &&
      ew_planted(model, EW_PLANT_filter_pushed_below_projection_that_shadows_its_variable) &&
      shadows(compiler, source, where) && ew_tree_walk(where, find_unknown, &compiler))
    plants->where = ew_compile_expression(compiler, where);
  if (sorts && cypher_is(clause, CYPHER_with) && follows_false(compiler) &&
      ew_planted(model, EW_PLANT_internal_error_for_order_by_after_where_false))
    ew_compile_fail(compiler, EW_FAULT_INTERNAL, "internal, expected a sorted plan");
}

/* count(CASE WHEN … THEN 1 END) */
void ew_plant_aggregate(struct ew_compiler *compiler, struct ew_aggregate *aggregate) {
  if (ew_planted(compiler->model, EW_PLANT_distinct_of_constant_argument_dropped) &&
      ew_code_is_constant(aggregate->argument))
    aggregate->distinct = false;
  if (!ew_planted(compiler->model, EW_PLANT_count_of_case_without_else_counts_every_row)) return;
  if (aggregate->kind != EW_AGGREGATE_COUNT || aggregate->distinct ||
      !cypher_is(aggregate->argument->node, CYPHER_case))
    return;
  const struct cypher_case *choice = CYPHER_AS(case, aggregate->argument->node);
  if (choice->otherwise.node) return;
  for (size_t i = 0; i < choice->whens.list.count; i++) {
    const struct ew_node *result = CYPHER_AS(when, choice->whens.list.items[i])->result.node;
    if (!cypher_is(result, CYPHER_literal) || ew_plant_is_literal(result, EW_VALUE_NULL)) return;
  }
  aggregate->argument = NULL;
}

/* ---- grouping and DISTINCT ---- */

bool ew_plant_drops_group(const struct ew_value *key, size_t count) {
  for (size_t i = 0; count > 1 && i < count; i++)
    if (key[i].kind == EW_VALUE_NULL) return true;
  return false;
}

/* Numbers of two types anywhere in two lists. */
static bool types_differ(struct ew_value a, struct ew_value b) {
  if (a.kind != b.kind) return true;
  if (a.kind != EW_VALUE_LIST) return false;
  for (size_t i = 0; i < a.list.count && i < b.list.count; i++)
    if (types_differ(a.list.items[i], b.list.items[i])) return true;
  return false;
}

bool ew_plant_tells_apart(struct ew_execution *run, const struct ew_groups *groups, const struct ew_value *a,
                          const struct ew_value *b) {
  for (size_t i = 0; i < groups->width; i++) {
    bool lists = a[i].kind == EW_VALUE_LIST && b[i].kind == EW_VALUE_LIST;
    if (groups->use == EW_GROUPS_UNION && a[i].kind == EW_VALUE_NULL &&
        ew_planted(run->model, EW_PLANT_union_keeps_rows_that_hold_null))
      return true;
    if (groups->use != EW_GROUPS_DISTINCT || !lists) continue;
    if (ew_planted(run->model, EW_PLANT_distinct_separates_lists_of_equal_numbers) && types_differ(a[i], b[i]))
      return true;
    if (ew_planted(run->model, EW_PLANT_distinct_keeps_lists_that_hold_null) &&
        ew_value_equal(a[i], b[i], run->semantics) == EW_UNKNOWN)
      return true;
  }
  return false;
}

/* Of strings only the first 8 bytes. */
void ew_plant_hash(struct ew_execution *run, const struct ew_groups *groups, const struct ew_value *key,
                   uint64_t *hash) {
  if (groups->use != EW_GROUPS_DISTINCT || groups->width != 1 || key->kind != EW_VALUE_STRING ||
      !ew_planted(run->model, EW_PLANT_distinct_of_strings_compares_with_every_earlier_value))
    return;
  struct ew_span text = key->string;
  if (text.length > 8) text.length = 8;
  *hash = ew_hash_span(text, 1);
}

/* ---- ORDER BY ---- */

/* Where a kind stands: booleans behind numbers. */
static int late_boolean(struct ew_value value) {
  if (value.kind == EW_VALUE_BOOLEAN) return 1;
  return value.kind == EW_VALUE_NULL ? 2 : 0;
}

int ew_plant_order(struct ew_execution *run, struct ew_value a, struct ew_value b, int order) {
  bool number_or_boolean =
      a.kind >= EW_VALUE_BOOLEAN && b.kind >= EW_VALUE_BOOLEAN && a.kind != EW_VALUE_NULL && b.kind != EW_VALUE_NULL;
  if (!number_or_boolean || !ew_planted(run->model, EW_PLANT_booleans_sort_after_numbers)) return order;
  int other = late_boolean(a) - late_boolean(b);
  return other ? other : order;
}

bool ew_plant_ties(struct ew_execution *run, struct ew_value a, struct ew_value b, size_t key) {
  return key == 0 && a.kind == EW_VALUE_NULL && b.kind == EW_VALUE_NULL &&
         ew_planted(run->model, EW_PLANT_second_sort_key_ignored_when_first_is_null);
}

static bool comes_first(const struct ew_sorting *sorting, uint32_t a, uint32_t b) {
  sorting->run->model->planted.work++;
  int order = ew_sorting_compare(sorting, a, b);
  return order ? order < 0 : a < b;
}

/* A quicksort whose pivot is the first row; the larger part in the same round, so that only time is lost. */
static void quicksort(const struct ew_sorting *sorting, uint32_t *rows, size_t count) {
  while (count > 1) {
    uint32_t pivot = rows[0];
    size_t smaller = 0;
    for (size_t i = 1; i < count; i++) {
      if (!comes_first(sorting, rows[i], pivot)) continue;
      uint32_t row = rows[i];
      rows[i] = rows[++smaller];
      rows[smaller] = row;
    }
    rows[0] = rows[smaller];
    rows[smaller] = pivot;
    size_t larger = count - smaller - 1;
    if (smaller < larger) {
      quicksort(sorting, rows, smaller);
      rows += smaller + 1;
      count = larger;
    } else {
      quicksort(sorting, rows + smaller + 1, larger);
      count = smaller;
    }
  }
}

void ew_plant_sort(struct ew_sorting *sorting, size_t count) { quicksort(sorting, sorting->rows, count); }

/* ---- SKIP and LIMIT ---- */

void ew_plant_heap(uint64_t limit, size_t *start, size_t *end) {
  if (limit < *end) *end = (size_t)limit;
  if (*start > *end) *start = *end;
}

static void keep_first_count(struct ew_execution *run, const char *clause, struct ew_value *value) {
  bool fresh;
  uint64_t key = ew_hash_span(ew_span_of(clause), run->statement);
  union ew_map_value *kept = ew_map_add(&run->model->planted.counts, ew_map_key_number(&key), &fresh);
  if (fresh)
    kept->number = (uint64_t)value->integer;
  else
    value->integer = (int64_t)kept->number;
}

bool ew_plant_count(struct ew_execution *run, const struct ew_code *code, const char *clause, struct ew_value *value) {
  if (!cypher_is(code->node, CYPHER_parameter) || value->kind != EW_VALUE_INTEGER) return false;
  if (ew_planted(run->model, EW_PLANT_cached_plan_keeps_first_skip_parameter)) keep_first_count(run, clause, value);
  return value->integer < 0 && strcmp(clause, "LIMIT") == 0 &&
         ew_planted(run->model, EW_PLANT_negative_limit_parameter_means_no_limit);
}
