/* planted_function.c: functions that are wrong, and expressions over lists. */
#include <stdlib.h>
#include <strings.h>

#include "model/planted.h"
#include "model/temporal.h"

/* ---- functions ---- */

static struct ew_value argument(struct ew_execution *run, const struct ew_code *code, size_t at) {
  return at < code->count ? ew_evaluate(run, code->operands[at]) : ew_null();
}

static struct ew_value substring_overflows(struct ew_execution *run, const struct ew_code *code) {
  struct ew_value start = argument(run, code, 1), length = argument(run, code, 2);
  if (start.kind == EW_VALUE_INTEGER && length.kind == EW_VALUE_INTEGER && start.integer >= 0 && length.integer >= 0 &&
      length.integer > INT32_MAX - start.integer)
    return ew_run_fail(run, EW_FAULT_INTERNAL, "string index out of bounds");
  return ew_plant_honest(run, code);
}

static bool is_empty(struct ew_value value) { return value.kind == EW_VALUE_STRING && !value.string.length; }

static struct ew_value replace_hangs(struct ew_execution *run, const struct ew_code *code) {
  if (is_empty(argument(run, code, 0)) && is_empty(argument(run, code, 1)) &&
      argument(run, code, 2).kind == EW_VALUE_STRING)
    ew_plant_hang();
  return ew_plant_honest(run, code);
}

static struct ew_value range_hangs(struct ew_execution *run, const struct ew_code *code) {
  struct ew_value from = argument(run, code, 0), to = argument(run, code, 1), step = argument(run, code, 2);
  bool upwards = code->count < 3 || (step.kind == EW_VALUE_INTEGER && step.integer > 0);
  if (from.kind == EW_VALUE_INTEGER && to.kind == EW_VALUE_INTEGER && to.integer == INT64_MAX && upwards)
    ew_plant_hang();
  return ew_plant_honest(run, code);
}

static struct ew_value refuses_null(struct ew_execution *run, const struct ew_code *code) {
  if (argument(run, code, 0).kind != EW_VALUE_NULL) return ew_plant_honest(run, code);
  return ew_run_fail(run, EW_FAULT_ARGUMENT_TYPE, "%.*s() expects a node",
                     EW_SPAN_ARGS(CYPHER_AS(function, code->node)->name.name));
}

/* The quarter by the day of a year of 365 days. */
static struct ew_value quarter_of_short_year(struct ew_execution *run, const struct ew_code *code) {
  struct ew_value unit = argument(run, code, 0), date = argument(run, code, 1);
  if (unit.kind != EW_VALUE_STRING || !ew_span_is(unit.string, "quarter") || date.kind != EW_VALUE_DATE ||
      code->count != 2)
    return ew_plant_honest(run, code);
  int64_t year = ew_civil_from_day(date.day).year, ordinal = date.day - ew_first_day(year, 1) + 1;
  int32_t month = ordinal <= 90 ? 1 : ordinal <= 181 ? 4 : ordinal <= 273 ? 7 : 10;
  return (struct ew_value){.kind = EW_VALUE_DATE, .day = ew_first_day(year, month)};
}

static struct ew_value leap_day_rolls_over(struct ew_execution *run, const struct ew_code *code) {
  struct ew_value text = argument(run, code, 0);
  int64_t year = 0;
  bool leap_day =
      text.kind == EW_VALUE_STRING && text.string.length == 10 && memcmp(text.string.bytes + 4, "-02-29", 6) == 0;
  for (size_t i = 0; leap_day && i < 4; i++) {
    leap_day = text.string.bytes[i] >= '0' && text.string.bytes[i] <= '9';
    year = year * 10 + (text.string.bytes[i] - '0');
  }
  if (!leap_day || ew_days_in_month(year, 2) == 29) return ew_plant_honest(run, code);
  return (struct ew_value){.kind = EW_VALUE_DATE, .day = ew_first_day(year, 3)};
}

static const struct {
  const char *name;
  enum ew_plant plant;
  ew_evaluator evaluate;
  bool of_optional; /* only where its argument is a variable of an OPTIONAL MATCH */
} functions[] = {
    {"substring", EW_PLANT_substring_end_overflow_fails, substring_overflows, false},
    {"replace", EW_PLANT_replace_with_empty_search_never_ends, replace_hangs, false},
    {"range", EW_PLANT_range_up_to_greatest_integer_never_ends, range_hangs, false},
    {"labels", EW_PLANT_type_error_for_labels_of_null, refuses_null, true},
    {"properties", EW_PLANT_type_error_for_labels_of_null, refuses_null, true},
    {"date.truncate", EW_PLANT_quarter_truncation_ignores_leap_day, quarter_of_short_year, false},
    {"date", EW_PLANT_invalid_leap_day_rolls_over, leap_day_rolls_over, false},
};

static bool is_of_optional(const struct ew_compiler *compiler, const struct ew_code *code) {
  const struct ew_node *argument_tree = code->count ? code->operands[0]->node : NULL;
  return cypher_is(argument_tree, CYPHER_variable) &&
         ew_plant_is_optional(compiler, CYPHER_AS(variable, argument_tree)->name.name);
}

const struct ew_code *ew_plant_function(struct ew_compiler *compiler, const struct ew_code *code) {
  struct ew_span name = CYPHER_AS(function, code->node)->name.name;
  for (size_t i = 0; i < EW_COUNT(functions); i++) {
    bool meant = name.length == strlen(functions[i].name) && !strncasecmp(name.bytes, functions[i].name, name.length);
    if (meant && ew_planted(compiler->model, functions[i].plant) &&
        (!functions[i].of_optional || is_of_optional(compiler, code)))
      code = ew_plant_wrap(compiler, code, functions[i].evaluate);
  }
  return code;
}

/* ---- over lists ---- */

static struct ew_value single_aborts(struct ew_execution *run, const struct ew_code *code) {
  struct ew_value list = ew_evaluate(run, code->operands[0]);
  if (list.kind == EW_VALUE_LIST && !list.list.count) abort();
  return ew_plant_honest(run, code);
}

static struct ew_value nothing_for_null(struct ew_execution *run, const struct ew_code *code) {
  if (ew_evaluate(run, code->operands[0]).kind == EW_VALUE_NULL) return ew_list(NULL, 0);
  return ew_plant_honest(run, code);
}

static struct ew_value start_for_null(struct ew_execution *run, const struct ew_code *code) {
  if (ew_evaluate(run, code->operands[0]).kind == EW_VALUE_NULL) return ew_evaluate(run, code->operands[1]);
  return ew_plant_honest(run, code);
}

static struct ew_value false_of_empty(struct ew_execution *run, const struct ew_code *code) {
  struct ew_value list = ew_evaluate(run, code->operands[0]);
  return list.kind == EW_VALUE_LIST && !list.list.count ? ew_boolean(false) : ew_plant_honest(run, code);
}

const struct ew_code *ew_plant_collection(struct ew_compiler *compiler, const struct ew_code *code) {
  const struct cypher_quantified *test = CYPHER_AS(quantified, code->node);
  const struct ew_model *model = compiler->model;
  if (cypher_is(code->node, CYPHER_list_comprehension) &&
      ew_planted(model, EW_PLANT_comprehension_over_null_is_empty_list))
    return ew_plant_wrap(compiler, code, nothing_for_null);
  if (cypher_is(code->node, CYPHER_reduce) && ew_planted(model, EW_PLANT_reduce_over_null_gives_start))
    return ew_plant_wrap(compiler, code, start_for_null);
  if (!cypher_is(code->node, CYPHER_quantified)) return code;
  if (test->quantifier.choice == CYPHER_ALL && ew_planted(model, EW_PLANT_all_of_empty_list_is_false))
    code = ew_plant_wrap(compiler, code, false_of_empty);
  if (ew_planted(compiler->model, EW_PLANT_single_over_pattern_comprehension_aborts) &&
      test->quantifier.choice == CYPHER_SINGLE && cypher_is(test->list.node, CYPHER_pattern_comprehension))
    code = ew_plant_wrap(compiler, code, single_aborts);
  return code;
}

void ew_plant_slice(const struct ew_code *code, const struct ew_value bounds[2], int64_t places[2], int64_t count) {
  bool both = code->operands[1] && code->operands[2] && bounds[0].integer < 0 && bounds[1].integer < 0;
  if (both && places[1] < count) places[1]++;
}

void ew_plant_leak(struct ew_compiler *compiler, struct ew_span name, size_t visible, uint32_t *slot) {
  struct ew_bindings *bindings = &compiler->visible;
  for (size_t i = visible; i-- > compiler->outer;) {
    if (!ew_span_equal(bindings->items[i].name, name)) continue;
    *slot = bindings->items[bindings->count - 1].slot = bindings->items[i].slot;
    return;
  }
}
