/* admissible.c: the form of all right answers, from how the last RETURN sorted and cut and from where open values went. */
#include "model/admissible.h"

#include "model/code.h"
#include "model/flow.h"

/* ---- rows that were cut ---- */

static struct ew_rows ranked_rows(struct ew_arena *arena, const struct ew_ranking *ranking,
                                  const struct ew_rows *result, size_t start, size_t end) {
  size_t width = ranking->column_count;
  struct ew_value *values = EW_NEW_ARRAY(arena, struct ew_value, (end - start) * width);
  for (size_t i = start; i < end && width; i++)
    memcpy(values + (i - start) * width,
           ranking->values + ew_sorting_row(&ranking->sorting, i) * ranking->width + ranking->column,
           width * sizeof *values);
  return (struct ew_rows){result->columns, width, values, end - start};
}

/* Any so many of all rows. */
static void expect_some(struct ew_arena *arena, const struct ew_ranking *ranking, const struct ew_rows *result,
                        struct ew_expectation *expected) {
  struct ew_tier *tier = EW_NEW(arena, struct ew_tier);
  *tier = (struct ew_tier){ranking->row_count, ranking->end - ranking->start};
  expected->rows = ranked_rows(arena, ranking, result, 0, ranking->row_count);
  expected->tiers = tier;
  expected->tier_count = 1;
}

/* Rows whose keys tie are a tier; the first and the last that are seen may be cut. */
static void expect_tiers(struct ew_arena *arena, const struct ew_ranking *ranking, const struct ew_rows *result,
                         struct ew_expectation *expected) {
  const struct ew_sorting *sorting = &ranking->sorting;
  size_t low = ranking->start, high = ranking->end;
  while (low > 0 && ew_sorting_ties(sorting, low - 1, low)) low--;
  while (high < ranking->row_count && ew_sorting_ties(sorting, high - 1, high)) high++;
  struct ew_tier *tiers = EW_NEW_ARRAY(arena, struct ew_tier, high - low);
  for (size_t i = low; i < high; i++) {
    bool fresh = i == low || !ew_sorting_ties(sorting, i - 1, i);
    struct ew_tier *tier = &tiers[fresh ? expected->tier_count++ : expected->tier_count - 1];
    tier->count++;
    tier->take += i >= ranking->start && i < ranking->end;
  }
  expected->rows = ranked_rows(arena, ranking, result, low, high);
  expected->tiers = tiers;
  expected->ordered = true;
}

static bool all_come(const struct ew_expectation *expected, bool alone) {
  for (size_t i = 0; i < expected->tier_count; i++)
    if (expected->tiers[i].take != expected->tiers[i].count || (alone && expected->tiers[i].count > 1)) return false;
  return true;
}

/* Tiers are left out where they say no more than the rows. */
static void expect_ranked(struct ew_arena *arena, const struct ew_ranking *ranking, const struct ew_flow *flow,
                          const struct ew_rows *result, struct ew_expectation *expected) {
  bool cut = ranking->end - ranking->start < ranking->row_count;
  if (!ranking->row_count || ranking->start >= ranking->end) return;
  if (!flow->order_is_open && ranking->sorting.key_count)
    expect_tiers(arena, ranking, result, expected);
  else if (cut && (flow->order_is_open || flow->cut_is_open))
    expect_some(arena, ranking, result, expected);
  if (expected->tier_count == 1 && all_come(expected, false)) expected->ordered = false;
  if (all_come(expected, expected->ordered)) expected->tier_count = 0;
}

struct ew_admissible ew_admissible_of(struct ew_arena *arena, const struct ew_model_result *result) {
  struct ew_flow flow = {0};
  struct ew_admissible admissible = {.expected = {.kind = EW_EXPECT_ROWS, .rows = result->rows},
                                     .state_is_certain = true};
  if (result->open) flow = ew_flow_follow(arena, result);
  if (flow.lost)
    return (struct ew_admissible){
        .expected = {.kind = EW_EXPECT_ANYTHING}, .why = flow.lost, .state_is_certain = !result->plan->writes};
  if (result->ranking && result->plan->query->count == 1)
    expect_ranked(arena, result->ranking, &flow, &result->rows, &admissible.expected);
  for (size_t i = 0; flow.allowances && i < result->rows.column_count; i++)
    if (flow.allowances[i]) admissible.expected.allowances = flow.allowances;
  return admissible;
}

/* ---- in words ---- */

static void say_rows(struct ew_text *text, const struct ew_expectation *expected) {
  size_t certain = 0, others = 0, take = 0;
  for (size_t i = 0; i < expected->tier_count; i++) {
    struct ew_tier tier = expected->tiers[i];
    *(tier.take == tier.count ? &certain : &others) += tier.count;
    take += tier.take == tier.count ? 0 : tier.take;
  }
  if (!others)
    ew_text_add_format(text, "%s", expected->rows.row_count == 1 ? "this row" : "these rows");
  else if (!certain)
    ew_text_add_format(text, "any %zu of these %zu rows", take, others);
  else
    ew_text_add_format(text, "%zu of these %zu rows for certain, and any %zu of the %zu others", certain,
                       certain + others, take, others);
}

static void say_column(struct ew_text *text, struct ew_span name, unsigned allowed) {
  static const struct {
    unsigned allowed;
    const char *words;
  } sayings[] = {{EW_ALLOW_ANY, "any value"},
                 {EW_ALLOW_ORDER, "any order of its items"},
                 {EW_ALLOW_DEEP_ORDER, "any order of items in lists within"},
                 {EW_ALLOW_NUMBERS, "integers or floats, -0.0 or 0.0, as long as they are equal"}};
  for (size_t i = 0; i < EW_COUNT(sayings); i++)
    if (allowed & sayings[i].allowed) ew_text_add_format(text, "; in %.*s %s", EW_SPAN_ARGS(name), sayings[i].words);
}

struct ew_span ew_admissible_words(struct ew_arena *arena, const struct ew_admissible *admissible) {
  const struct ew_expectation *expected = &admissible->expected;
  if (expected->kind == EW_EXPECT_ANYTHING) return ew_arena_format(arena, "any answer: %s", admissible->why);
  struct ew_text text = {0};
  say_rows(&text, expected);
  for (size_t i = 0; expected->allowances && i < expected->rows.column_count; i++)
    say_column(&text, expected->rows.columns ? expected->rows.columns[i] : EW_SPAN("a column"),
               expected->allowances[i]);
  struct ew_span words = ew_arena_copy(arena, ew_text_span(&text));
  ew_text_release(&text);
  return words;
}
