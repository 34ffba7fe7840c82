/* relation.c: one table says what each kind of outcome means to each relation; the rest compares rows. Rows with those that
   are expected: exact.c. */
#include "contract/relation.h"

#include "contract/differ.h"

static const struct {
  const char *name, *words;
} relations[] = {
#define RELATION(name, words) [EW_RELATION_##name] = {#name, words},
#include "contract/relation.def"
#undef RELATION
};

const char *ew_relation_name(enum ew_relation relation) { return relations[relation].name; }
const char *ew_relation_words(enum ew_relation relation) { return relations[relation].words; }

static const struct {
  const char *name, *words;
} aspects[] = {
#define ASPECT(name, words) [EW_ASPECT_##name] = {#name, words},
#include "contract/aspect.def"
#undef ASPECT
};

const char *ew_aspect_name(enum ew_aspect aspect) { return aspects[aspect].name; }
const char *ew_aspect_words(enum ew_aspect aspect) { return aspects[aspect].words; }

const char *ew_verdict_name(enum ew_verdict verdict) {
  static const char *const names[] = {
      [EW_HOLDS] = "holds", [EW_VIOLATED] = "violated", [EW_OPEN] = "open", [EW_INCONCLUSIVE] = "inconclusive"};
  return names[verdict];
}

/* What one outcome means by itself: to a relation over rows it lets the rows be compared (HOLDS) or not (INCONCLUSIVE); to
   `clean` it is what is judged. An error's class refines the row ERROR, see error_verdict. */
/* clang-format off */
static const enum ew_verdict meaning[EW_OUTCOME_KINDS][2] = {
    /*                       over rows         clean */
    [EW_OUTCOME_ROWS] =      {EW_HOLDS,        EW_HOLDS},
    [EW_OUTCOME_ERROR] =     {EW_INCONCLUSIVE, EW_VIOLATED},
    [EW_OUTCOME_TIMEOUT] =   {EW_INCONCLUSIVE, EW_INCONCLUSIVE},
    [EW_OUTCOME_HANG] =      {EW_INCONCLUSIVE, EW_VIOLATED},
    [EW_OUTCOME_CRASH] =     {EW_INCONCLUSIVE, EW_VIOLATED},
    [EW_OUTCOME_KILLED] =    {EW_INCONCLUSIVE, EW_INCONCLUSIVE},
    [EW_OUTCOME_LOST] =      {EW_INCONCLUSIVE, EW_VIOLATED},
    [EW_OUTCOME_CORRUPT] =   {EW_INCONCLUSIVE, EW_VIOLATED},
    [EW_OUTCOME_TOO_LARGE] = {EW_INCONCLUSIVE, EW_INCONCLUSIVE},
    [EW_OUTCOME_NOT_RUN] =   {EW_INCONCLUSIVE, EW_INCONCLUSIVE},
};
/* clang-format on */

static enum ew_verdict error_verdict(enum ew_error_class class) {
  switch (class) {
    case EW_ERROR_UNEXPECTED: return EW_VIOLATED;
    case EW_ERROR_REFUSED:
    case EW_ERROR_EXPECTED:
    case EW_ERROR_TRANSIENT: return EW_INCONCLUSIVE;
  }
  EW_BUG("error class %d", (int)class);
}

/* ---- clean ---- */

static enum ew_verdict judge_clean(const struct ew_outcome *outcomes, size_t count, struct ew_arena *arena,
                                   struct ew_why *why) {
  enum ew_verdict worst = EW_HOLDS;
  for (size_t run = 0; run < count; run++) {
    for (size_t i = 0; i < outcomes[run].count; i++) {
      const struct ew_statement_outcome *outcome = &outcomes[run].statements[i];
      enum ew_verdict verdict = meaning[outcome->kind][1];
      if (outcome->kind == EW_OUTCOME_ERROR) verdict = error_verdict(outcome->error_class);
      if (verdict == EW_VIOLATED) {
        why->run = run;
        why->statement = i;
        why->text = ew_arena_format(arena, "%s%s%.*s", ew_outcome_kind_text(outcome->kind),
                                    outcome->text.length ? ": " : "", EW_SPAN_ARGS(outcome->text));
        return EW_VIOLATED;
      }
      if (verdict != EW_HOLDS) worst = verdict;
    }
  }
  return worst;
}

/* ---- over rows ---- */

static const struct ew_rows *rows_of(const struct ew_outcome *outcome) {
  return &outcome->statements[outcome->count - 1].rows;
}

/* One row of sums, from rows of counts; false where a part is not one row of integers or nulls, or a sum overflows. */
static bool add_counts(struct ew_arena *arena, const struct ew_outcome *parts, size_t count, struct ew_rows *sum) {
  const struct ew_rows *first = rows_of(&parts[0]);
  struct ew_value *totals = EW_NEW_ARRAY(arena, struct ew_value, first->column_count + 1);
  for (size_t k = 0; k < first->column_count; k++) totals[k] = ew_integer(0);
  for (size_t i = 0; i < count; i++) {
    const struct ew_rows *rows = rows_of(&parts[i]);
    if (rows->row_count != 1 || rows->column_count != first->column_count) return false;
    for (size_t k = 0; k < rows->column_count; k++) {
      struct ew_value value = rows->values[k];
      if (value.kind == EW_VALUE_NULL) continue;
      if (value.kind != EW_VALUE_INTEGER) return false;
      if (__builtin_add_overflow(totals[k].integer, value.integer, &totals[k].integer)) return false;
    }
  }
  *sum = (struct ew_rows){first->columns, first->column_count, totals, 1};
  return true;
}

static enum ew_verdict judge_sum(struct ew_claim claim, const struct ew_outcome *outcomes, size_t count,
                                 const struct ew_semantics *semantics, struct ew_arena *arena, struct ew_why *why) {
  struct ew_rows together;
  if (claim.combiner == EW_COMBINE_COUNT) {
    if (!add_counts(arena, outcomes + 1, count - 1, &together)) return EW_INCONCLUSIVE;
  } else {
    struct ew_rows *parts = EW_NEW_ARRAY(arena, struct ew_rows, count);
    for (size_t i = 1; i < count; i++) parts[i - 1] = *rows_of(&outcomes[i]);
    together = ew_rows_append(arena, parts, count - 1);
  }
  struct ew_rows_difference difference;
  if (ew_rows_same_bag(arena, &together, rows_of(&outcomes[0]), semantics, &difference)) return EW_HOLDS;
  ew_why_rows(arena, rows_of(&outcomes[0]), &together, &difference, why);
  return EW_VIOLATED;
}

/* Each later run against the first. */
static enum ew_verdict judge_same(enum ew_relation relation, const struct ew_outcome *outcomes, size_t count,
                                  const struct ew_semantics *semantics, struct ew_arena *arena, struct ew_why *why) {
  for (size_t i = 1; i < count; i++) {
    const struct ew_rows *expected = rows_of(&outcomes[0]), *actual = rows_of(&outcomes[i]);
    struct ew_rows_difference difference;
    bool same = relation == EW_RELATION_same_ordered
                    ? ew_rows_same_list(arena, actual, expected, semantics, &difference)
                    : ew_rows_same_bag(arena, actual, expected, semantics, &difference);
    if (same) continue;
    why->run = i;
    ew_why_rows(arena, expected, actual, &difference, why);
    return EW_VIOLATED;
  }
  return EW_HOLDS;
}

static enum ew_verdict judge_subset(const struct ew_outcome *small, const struct ew_outcome *large, bool distinct,
                                    const struct ew_semantics *semantics, struct ew_arena *arena, struct ew_why *why) {
  struct ew_rows_difference difference = {0};
  if (ew_rows_subset(arena, rows_of(small), rows_of(large), distinct, semantics, &difference)) return EW_HOLDS;
  why->text = ew_arena_format(arena, "%zu row%s of the smaller answer missing in the larger",
                              difference.only_left_count, difference.only_left_count == 1 ? "" : "s");
  why->expected = ew_rows_pick(arena, rows_of(small), difference.only_left, difference.only_left_count);
  return EW_VIOLATED;
}

/* ---- exact ---- */

static enum ew_verdict judge_exact_error(const struct ew_expectation *expected,
                                         const struct ew_statement_outcome *outcome, struct ew_arena *arena,
                                         struct ew_why *why) {
  if (outcome->error_class != EW_ERROR_EXPECTED) return EW_INCONCLUSIVE;
  if (expected->kind != EW_EXPECT_ROWS || !expected->cannot_fail) return EW_HOLDS;
  why->aspect = EW_ASPECT_error;
  why->expected = expected->rows;
  why->text = ew_arena_format(arena, "an error where there must be rows: %.*s", EW_SPAN_ARGS(outcome->text));
  return EW_VIOLATED;
}

/* HOLDS where the next statement may be looked at. An error that was not expected leaves open what the engine did. */
static enum ew_verdict judge_exact_statement(const struct ew_expectation *expected,
                                             const struct ew_statement_outcome *outcome,
                                             const struct ew_semantics *semantics, struct ew_arena *arena,
                                             struct ew_why *why) {
  if (outcome->kind == EW_OUTCOME_ERROR) {
    enum ew_verdict verdict = judge_exact_error(expected, outcome, arena, why);
    return verdict == EW_HOLDS && expected->kind != EW_EXPECT_ERROR ? EW_INCONCLUSIVE : verdict;
  }
  if (outcome->kind != EW_OUTCOME_ROWS) return EW_INCONCLUSIVE;
  if (expected->kind == EW_EXPECT_ROWS) return ew_expectation_judge(expected, &outcome->rows, semantics, arena, why);
  if (expected->kind == EW_EXPECT_ANYTHING) return EW_HOLDS;
  why->aspect = EW_ASPECT_no_error;
  why->actual = outcome->rows;
  why->text = ew_arena_format(arena, "rows where there must be an error: %.*s", EW_SPAN_ARGS(expected->error));
  return EW_VIOLATED;
}

static enum ew_verdict judge_exact(const struct ew_claim *claim, const struct ew_outcome *outcomes, size_t count,
                                   const struct ew_semantics *semantics, struct ew_arena *arena, struct ew_why *why) {
  EW_ASSERT(count == 1);
  for (size_t i = 0; i < claim->expected_count && i < outcomes[0].count; i++) {
    enum ew_verdict verdict =
        judge_exact_statement(&claim->expected[i], &outcomes[0].statements[i], semantics, arena, why);
    why->statement = i;
    if (verdict != EW_HOLDS) return verdict;
  }
  return EW_HOLDS;
}

/* ---- all of them ---- */

static enum ew_verdict judge_rows(struct ew_claim claim, const struct ew_outcome *outcomes, size_t count,
                                  const struct ew_semantics *semantics, struct ew_arena *arena, struct ew_why *why) {
  switch (claim.relation) {
    case EW_RELATION_same:
    case EW_RELATION_same_ordered: return judge_same(claim.relation, outcomes, count, semantics, arena, why);
    case EW_RELATION_sum: return judge_sum(claim, outcomes, count, semantics, arena, why);
    case EW_RELATION_superset:
    case EW_RELATION_superset_distinct:
      return judge_subset(&outcomes[1], &outcomes[0], claim.relation == EW_RELATION_superset_distinct, semantics, arena,
                          why);
    case EW_RELATION_subset:
    case EW_RELATION_subset_distinct:
      return judge_subset(&outcomes[0], &outcomes[1], claim.relation == EW_RELATION_subset_distinct, semantics, arena,
                          why);
    case EW_RELATION_none:
      if (!rows_of(&outcomes[0])->row_count) return EW_HOLDS;
      why->text = EW_SPAN("rows where there must be none");
      why->actual = *rows_of(&outcomes[0]);
      return EW_VIOLATED;
    case EW_RELATION_some:
      if (rows_of(&outcomes[0])->row_count) return EW_HOLDS;
      why->text = EW_SPAN("no row where there must be one");
      return EW_VIOLATED;
    case EW_RELATION_clean:
    case EW_RELATION_exact:
    case EW_RELATION_bounded:
    case EW_RELATIONS: break;
  }
  EW_BUG("relation %d is not about rows", (int)claim.relation);
}

enum ew_verdict ew_relation_judge(struct ew_claim claim, const struct ew_outcome *outcomes, size_t count,
                                  const struct ew_semantics *semantics, struct ew_arena *arena, struct ew_why *why) {
  *why = (struct ew_why){.text = EW_SPAN("")};
  if (claim.relation == EW_RELATION_clean) return judge_clean(outcomes, count, arena, why);
  if (claim.relation == EW_RELATION_exact) return judge_exact(&claim, outcomes, count, semantics, arena, why);
  if (claim.relation == EW_RELATION_bounded)
    return EW_INCONCLUSIVE; /* an oracle of slowness judges samples, not one run */
  for (size_t run = 0; run < count; run++) {
    const struct ew_statement_outcome *outcome = ew_outcome_decisive(&outcomes[run]);
    if (!outcome || meaning[outcome->kind][0] != EW_HOLDS) return EW_INCONCLUSIVE;
  }
  size_t needed = claim.relation == EW_RELATION_none || claim.relation == EW_RELATION_some ? 1 : 2;
  EW_ASSERT(count >= needed);
  return judge_rows(claim, outcomes, count, semantics, arena, why);
}
