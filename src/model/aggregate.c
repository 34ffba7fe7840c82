/* aggregate.c: count, sum, avg, min, max, collect, deviations and percentiles. Nulls count nowhere but in count(*). */
#include "model/aggregate.h"

#include <math.h>
#include <strings.h>

#include "lang/cypher/scope.h"
#include "model/planted.h"

static const struct {
  const char *name;
  enum ew_aggregate_kind kind;
} kinds[] = {
    {"count", EW_AGGREGATE_COUNT},
    {"sum", EW_AGGREGATE_SUM},
    {"avg", EW_AGGREGATE_AVERAGE},
    {"min", EW_AGGREGATE_LEAST},
    {"max", EW_AGGREGATE_MOST},
    {"collect", EW_AGGREGATE_COLLECT},
    {"stdev", EW_AGGREGATE_DEVIATION},
    {"stdevp", EW_AGGREGATE_DEVIATION_POPULATION},
    {"percentilecont", EW_AGGREGATE_PERCENTILE_CONTINUOUS},
    {"percentiledisc", EW_AGGREGATE_PERCENTILE_DISCRETE},
};

/* ---- compiling ---- */

static enum ew_walk count_aggregate(const struct ew_node *node, struct ew_place place, void *context) {
  size_t *count = context;
  (void)place;
  if (cypher_is(node, CYPHER_subquery)) return EW_WALK_SKIP;
  *count += ew_cypher_is_aggregate(node);
  return EW_WALK_ON;
}

size_t ew_aggregates_count(const struct ew_node *node) {
  size_t count = 0;
  ew_tree_walk(node, count_aggregate, &count);
  return count;
}

static bool find_kind(struct ew_span name, enum ew_aggregate_kind *kind) {
  for (size_t i = 0; i < EW_COUNT(kinds); i++) {
    if (name.length != strlen(kinds[i].name) || strncasecmp(name.bytes, kinds[i].name, name.length) != 0) continue;
    *kind = kinds[i].kind;
    return true;
  }
  return false;
}

const struct ew_code *ew_compile_aggregate(struct ew_compiler *compiler, const struct ew_node *node) {
  struct ew_aggregates *aggregates = compiler->aggregates;
  struct ew_aggregate aggregate = {.node = node, .kind = EW_AGGREGATE_ROWS};
  const struct cypher_function *call = CYPHER_AS(function, node);
  bool star = cypher_is(node, CYPHER_count_star);
  if (!aggregates || aggregates->first + aggregates->items.count >= aggregates->end)
    ew_compile_fail(compiler, EW_FAULT_AGGREGATION, "an aggregate stands where rows are not aggregated");
  else if (!star && !find_kind(call->name.name, &aggregate.kind))
    ew_compile_fail(compiler, EW_FAULT_NO_FUNCTION, "the model has no %.*s()", EW_SPAN_ARGS(call->name.name));
  bool percentile = aggregate.kind >= EW_AGGREGATE_PERCENTILE_CONTINUOUS;
  if (!star && call->arguments.list.count != (percentile ? 2u : 1u))
    ew_compile_fail(compiler, EW_FAULT_FUNCTION_ARGUMENTS, "%.*s() cannot have %zu arguments",
                    EW_SPAN_ARGS(call->name.name), call->arguments.list.count);
  if (compiler->failed || !aggregates) return ew_code_constant(compiler, node, ew_null());
  /* An argument sees the rows that are aggregated: no columns, and no other aggregates. */
  struct ew_bindings visible = compiler->visible;
  struct ew_substitutes substitutes = compiler->substitutes;
  compiler->visible.count = compiler->visible.capacity = aggregates->visible; /* what is bound within goes elsewhere */
  compiler->substitutes = (struct ew_substitutes){0};
  compiler->aggregates = NULL;
  if (!star) {
    aggregate.distinct = call->distinct.flag;
    aggregate.argument = ew_compile_expression(compiler, call->arguments.list.items[0]);
    if (percentile) aggregate.fraction = ew_compile_expression(compiler, call->arguments.list.items[1]);
    ew_plant_aggregate(compiler, &aggregate);
  }
  compiler->aggregates = aggregates;
  compiler->substitutes = substitutes;
  compiler->visible = visible;
  aggregate.slot = aggregates->first + (uint32_t)aggregates->items.count;
  *ew_arena_vector_push(compiler->arena, &aggregates->items) = aggregate;
  return ew_code_slot(compiler, node, aggregate.slot);
}

/* ---- accumulating ---- */

void ew_accumulator_init(struct ew_accumulator *accumulator) {
  *accumulator = (struct ew_accumulator){.total = ew_null(), .seen = {.width = 1}};
}

static bool is_number(struct ew_value value) { return value.kind == EW_VALUE_INTEGER || value.kind == EW_VALUE_FLOAT; }
static double number_of(struct ew_value value) {
  return value.kind == EW_VALUE_INTEGER ? (double)value.integer : value.number;
}

/* An average goes on in floats where integers do not fit. */
static void add_to_total(struct ew_execution *run, struct ew_accumulator *accumulator, struct ew_value value,
                         bool average) {
  struct ew_value *total = &accumulator->total;
  int64_t sum;
  if (!is_number(value) && value.kind != EW_VALUE_DURATION) {
    ew_run_fail(run, EW_FAULT_ARGUMENT_TYPE, "a sum of %s", ew_kind_text(value));
    return;
  }
  accumulator->floats |= value.kind == EW_VALUE_FLOAT;
  if (is_number(value)) accumulator->magnitude += fabs(number_of(value));
  if (total->kind == EW_VALUE_NULL) {
    *total = value;
  } else if (total->kind == EW_VALUE_DURATION || value.kind == EW_VALUE_DURATION) {
    if (total->kind != value.kind || !ew_temporal_add(run, *total, value, total))
      ew_run_fail(run, EW_FAULT_ARGUMENT_TYPE, "a sum of %s and %s", ew_kind_text(*total), ew_kind_text(value));
  } else if (total->kind == EW_VALUE_INTEGER && value.kind == EW_VALUE_INTEGER) {
    if (!__builtin_add_overflow(total->integer, value.integer, &sum) || run->semantics->integer_overflow == 1)
      *total = ew_integer(sum);
    else if (average || run->semantics->integer_overflow == 2) {
      *total = ew_float((double)total->integer + (double)value.integer);
      accumulator->floats = true;
    } else
      ew_run_fail(run, EW_FAULT_OVERFLOW, "a sum needs more than 64 bits");
  } else {
    *total = ew_float(number_of(*total) + number_of(value));
  }
}

static void keep_extreme(struct ew_execution *run, struct ew_accumulator *accumulator, struct ew_value value,
                         bool most) {
  int order = accumulator->count > 1 ? ew_value_order(value, accumulator->total, run->semantics) : most ? 1 : -1;
  if (most ? order > 0 : order < 0) accumulator->total = value;
  if (order == 0 && ew_looks_different(value, accumulator->total, run->semantics))
    ew_run_is_open(run, EW_OPEN_REPRESENTATIVE);
}

static void keep_number(struct ew_execution *run, struct ew_accumulator *accumulator, struct ew_value value) {
  if (!is_number(value)) {
    ew_run_fail(run, EW_FAULT_ARGUMENT_TYPE, "a %s among numbers", ew_kind_text(value));
    return;
  }
  *ew_arena_vector_push(run->arena, &accumulator->values) = value;
}

static void keep_fraction(struct ew_execution *run, const struct ew_aggregate *aggregate,
                          struct ew_accumulator *accumulator) {
  struct ew_value fraction = ew_evaluate(run, aggregate->fraction);
  if (!is_number(fraction)) {
    ew_run_fail(run, EW_FAULT_ARGUMENT_TYPE, "a percentile at %s", ew_kind_text(fraction));
    return;
  }
  accumulator->fraction = number_of(fraction);
  if (ew_planted(run->model, EW_PLANT_percentile_above_one_is_clamped) && accumulator->fraction > 1 &&
      aggregate->kind == EW_AGGREGATE_PERCENTILE_CONTINUOUS)
    accumulator->fraction = 1;
  if (!(accumulator->fraction >= 0 && accumulator->fraction <= 1))
    ew_run_fail(run, EW_FAULT_NUMBER_RANGE, "a percentile is between 0 and 1");
}

static bool is_repeated(struct ew_execution *run, struct ew_accumulator *accumulator, struct ew_value value) {
  struct ew_value *key = EW_NEW(run->arena, struct ew_value);
  bool fresh;
  *key = value;
  ew_groups_add(run, &accumulator->seen, key, &fresh);
  return !fresh;
}

static void add_value(struct ew_execution *run, const struct ew_aggregate *aggregate,
                      struct ew_accumulator *accumulator, struct ew_value value) {
  accumulator->count++;
  switch (aggregate->kind) {
    case EW_AGGREGATE_ROWS:
    case EW_AGGREGATE_COUNT: break;
    case EW_AGGREGATE_SUM: add_to_total(run, accumulator, value, false); break;
    case EW_AGGREGATE_AVERAGE: add_to_total(run, accumulator, value, true); break;
    case EW_AGGREGATE_LEAST: keep_extreme(run, accumulator, value, false); break;
    case EW_AGGREGATE_MOST: keep_extreme(run, accumulator, value, true); break;
    case EW_AGGREGATE_COLLECT: *ew_arena_vector_push(run->arena, &accumulator->values) = value; break;
    case EW_AGGREGATE_DEVIATION:
    case EW_AGGREGATE_DEVIATION_POPULATION: keep_number(run, accumulator, value); break;
    case EW_AGGREGATE_PERCENTILE_CONTINUOUS:
    case EW_AGGREGATE_PERCENTILE_DISCRETE:
      keep_fraction(run, aggregate, accumulator);
      keep_number(run, accumulator, value);
      break;
  }
}

void ew_accumulate(struct ew_execution *run, const struct ew_aggregate *aggregate, struct ew_accumulator *accumulator) {
  struct ew_value value = aggregate->argument ? ew_evaluate(run, aggregate->argument) : ew_boolean(true);
  bool kept_null = ew_planted(run->model, EW_PLANT_collect_distinct_keeps_null) && aggregate->distinct &&
                   aggregate->kind == EW_AGGREGATE_COLLECT;
  if ((value.kind == EW_VALUE_NULL && !kept_null) || run->failed) return;
  uint32_t before = ew_run_watch_open(run);
  if (!aggregate->distinct || !is_repeated(run, accumulator, value)) add_value(run, aggregate, accumulator, value);
  ew_run_place_open(run, before, aggregate->node);
}

/* ---- results ---- */

static bool differ(const struct ew_execution *run, struct ew_value a, struct ew_value b) {
  return ew_value_order(a, b, run->semantics) || ew_looks_different(a, b, run->semantics);
}

static struct ew_value collected(struct ew_execution *run, struct ew_accumulator *accumulator, bool ordered) {
  for (size_t i = 1; !ordered && i < accumulator->values.count; i++)
    if (differ(run, accumulator->values.items[i - 1], accumulator->values.items[i]))
      ew_run_is_open(run, EW_OPEN_COLLECT);
  return ew_run_list(run, accumulator->values.items, accumulator->values.count);
}

static struct ew_value average(struct ew_execution *run, struct ew_accumulator *accumulator) {
  if (!accumulator->count) return ew_null();
  struct ew_value result;
  if (accumulator->total.kind == EW_VALUE_DURATION)
    return ew_duration_divide(run, accumulator->total, ew_integer(accumulator->count), &result) ? result : ew_null();
  if (accumulator->total.kind == EW_VALUE_INTEGER && ew_planted(run->model, EW_PLANT_average_of_integers_truncates))
    return ew_float((double)(accumulator->total.integer / accumulator->count));
  return ew_float(number_of(accumulator->total) / (double)accumulator->count);
}

static void sort_numbers(struct ew_execution *run, struct ew_value *values, size_t count) {
  struct ew_value *spare = EW_NEW_ARRAY(run->arena, struct ew_value, count);
  for (size_t width = 1; width < count; width *= 2) {
    for (size_t start = 0; start < count; start += 2 * width) {
      size_t middle = start + width < count ? start + width : count;
      size_t end = start + 2 * width < count ? start + 2 * width : count, left = start, right = middle;
      for (size_t i = start; i < end; i++) {
        bool from_left =
            left < middle && (right >= end || ew_value_order(values[left], values[right], run->semantics) <= 0);
        spare[i] = from_left ? values[left++] : values[right++];
      }
    }
    memcpy(values, spare, count * sizeof *values);
  }
}

/* Sorted first: their order must not show in the last digits. */
static struct ew_value deviation(struct ew_execution *run, struct ew_accumulator *accumulator, bool population) {
  size_t count = accumulator->values.count;
  if (count < 2) return ew_float(0.0);
  sort_numbers(run, accumulator->values.items, count);
  double sum = 0, squares = 0;
  for (size_t i = 0; i < count; i++) sum += number_of(accumulator->values.items[i]);
  double mean = sum / (double)count;
  for (size_t i = 0; i < count; i++) {
    double away = number_of(accumulator->values.items[i]) - mean;
    squares += away * away;
  }
  return ew_float(sqrt(squares / (double)(population ? count : count - 1)));
}

static struct ew_value percentile(struct ew_execution *run, struct ew_accumulator *accumulator, bool continuous) {
  size_t count = accumulator->values.count;
  if (!count) return ew_null();
  sort_numbers(run, accumulator->values.items, count);
  if (!continuous) {
    double place = accumulator->fraction * (double)count;
    size_t at = place <= 1 ? 0 : (size_t)ceil(place) - 1;
    at = at < count ? at : count - 1;
    const struct ew_value *values = accumulator->values.items;
    for (size_t i = 0; i < count; i++)
      if (!ew_value_order(values[i], values[at], run->semantics) &&
          ew_looks_different(values[i], values[at], run->semantics))
        ew_run_is_open(run, EW_OPEN_REPRESENTATIVE);
    return values[at];
  }
  double place = accumulator->fraction * (double)(count - 1), below = floor(place);
  double low = number_of(accumulator->values.items[(size_t)below]);
  double high = number_of(accumulator->values.items[(size_t)ceil(place)]);
  return ew_float(place == below ? low : low * (1 - (place - below)) + high * (place - below));
}

static struct ew_value result_of(struct ew_execution *run, const struct ew_aggregate *aggregate,
                                 struct ew_accumulator *accumulator, bool ordered) {
  switch (aggregate->kind) {
    case EW_AGGREGATE_ROWS:
    case EW_AGGREGATE_COUNT: return ew_integer(accumulator->count);
    case EW_AGGREGATE_SUM:
      if (!accumulator->count && ew_planted(run->model, EW_PLANT_sum_of_no_values_is_null)) return ew_null();
      return accumulator->count ? accumulator->total : ew_integer(0);
    case EW_AGGREGATE_AVERAGE: return average(run, accumulator);
    case EW_AGGREGATE_LEAST:
    case EW_AGGREGATE_MOST: return accumulator->total;
    case EW_AGGREGATE_COLLECT: return collected(run, accumulator, ordered);
    case EW_AGGREGATE_DEVIATION: return deviation(run, accumulator, false);
    case EW_AGGREGATE_DEVIATION_POPULATION: return deviation(run, accumulator, true);
    case EW_AGGREGATE_PERCENTILE_CONTINUOUS: return percentile(run, accumulator, true);
    case EW_AGGREGATE_PERCENTILE_DISCRETE: return percentile(run, accumulator, false);
  }
  EW_BUG("aggregate %d", (int)aggregate->kind);
}

/* Whether another order of addition can give a float that is not the same. Adding n numbers in any order, or by a running
   average, is wrong by at most about 2 n 2⁻⁵³ times the sum of their absolute values, so that two ways are apart by twice
   that; floats are the same that are apart by less than a unit in the last of some digits. */
static bool order_shows(const struct ew_execution *run, const struct ew_accumulator *accumulator,
                        struct ew_value value) {
  double sum = fabs(number_of(accumulator->total)), unit = 1, wrong = 4 * (double)(accumulator->count + 2) * 0x1p-53;
  for (int64_t i = 0; i < run->semantics->float_digits; i++) unit /= 10;
  if (value.kind != EW_VALUE_FLOAT || !(accumulator->magnitude < 1e300) || fabs(value.number) < 1e-290) return true;
  return !(wrong * accumulator->magnitude < unit / 2 * sum);
}

struct ew_value ew_accumulator_result(struct ew_execution *run, const struct ew_aggregate *aggregate,
                                      struct ew_accumulator *accumulator, bool ordered) {
  uint32_t before = ew_run_watch_open(run);
  struct ew_value value = result_of(run, aggregate, accumulator, ordered);
  if (accumulator->floats && accumulator->count > 2 && !ordered)
    ew_run_is_open(run, order_shows(run, accumulator, value) ? EW_OPEN_FLOAT_SUM : EW_OPEN_LAST_DIGITS);
  ew_run_place_open(run, before, aggregate->node);
  return value;
}
