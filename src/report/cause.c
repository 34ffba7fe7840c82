/* cause.c: see the header. */
#include "report/cause.h"

#include <ctype.h>
#include <stdlib.h>

#include "base/map.h"
#include "base/vector.h"
#include "contract/language.h"

enum ew_finding_class ew_finding_class(const struct ew_finding *finding) {
  const struct ew_statement_outcome *culprit = ew_finding_culprit(finding);
  if (!culprit) return EW_CLASS_WRONG;
  return culprit->kind == EW_OUTCOME_ERROR ? EW_CLASS_ERROR : EW_CLASS_CRASH;
}

/* ---- cores ---- */

/* "Failed to match a pattern: …", "SQL prepare failed: …" say which step failed; why comes behind them. */
static struct ew_span unwrap(struct ew_span text) {
  for (;;) {
    const char *colon = memmem(text.bytes, text.length, ": ", 2);
    if (!colon) return text;
    struct ew_span step = {text.bytes, (size_t)(colon - text.bytes)};
    bool wraps = ew_span_starts(step, EW_SPAN("Failed to ")) ||
                 (step.length > 7 && memcmp(colon - 7, " failed", 7) == 0) || ew_span_is(step, "error");
    if (!wraps) return text;
    text = (struct ew_span){colon + 2, text.length - step.length - 2};
  }
}

static bool is_name(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* Of a dotted name only the first part: `_prev.value` and `_prev.x1` are one table. */
static bool add_without_parts(struct ew_text *text, struct ew_span error) {
  bool dotted = false;
  for (size_t at = 0; at < error.length; at++) {
    bool part = error.bytes[at] == '.' && at && is_name(error.bytes[at - 1]) && at + 1 < error.length &&
                is_name(error.bytes[at + 1]);
    if (!part) {
      ew_text_add_char(text, error.bytes[at]);
      continue;
    }
    dotted = true;
    while (at + 1 < error.length && (is_name(error.bytes[at + 1]) || error.bytes[at + 1] == '.')) at++;
  }
  return dotted;
}

/* The end of "SyntaxError: UndefinedVariable: " at the beginning of an error; 0 where there are no two such words. */
static size_t class_length(struct ew_span error) {
  size_t at = 0, words = 0;
  for (size_t start = 0; at < error.length && isupper((unsigned char)error.bytes[at]); start = at) {
    while (at < error.length && isalpha((unsigned char)error.bytes[at])) at++;
    if (at + 1 >= error.length || error.bytes[at] != ':' || error.bytes[at + 1] != ' ') return words > 1 ? start : 0;
    at += 2;
    words++;
  }
  return words > 1 ? at : 0;
}

bool ew_crash_damages_heap(const struct ew_statement_outcome *outcome) {
  static const char *const signs[] = {"double free", "corrupt", "malloc(", "free()", "invalid pointer", "invalid size"};
  struct ew_span words = outcome->text;
  if (outcome->kind != EW_OUTCOME_CRASH) return false;
  for (size_t i = 0; i < EW_COUNT(signs); i++)
    if (words.length && memmem(words.bytes, words.length, signs[i], strlen(signs[i]))) return true;
  return false;
}

enum { FRAMES = 3 };

/* Whether a frame tells the place: offsets into a library change with each version, and what frees memory is not to blame. */
static bool is_place(struct ew_span frame) {
  return !memchr(frame.bytes, '+', frame.length) && !memmem(frame.bytes, frame.length, "free", 4) &&
         !memmem(frame.bytes, frame.length, "alloc", 5);
}

static struct ew_span named_frame(const struct ew_statement_outcome *culprit) {
  for (size_t i = 0; i < culprit->frames.count && i < FRAMES; i++)
    if (is_place(culprit->frames.items[i])) return culprit->frames.items[i];
  return culprit->frames.count ? culprit->frames.items[0] : EW_SPAN("");
}

/* 'false' that was made of 0 */
static bool was_boolean(struct ew_span right, struct ew_span wrong) {
  return (ew_span_is(right, "false") && ew_span_is(wrong, "0")) ||
         (ew_span_is(right, "true") && ew_span_is(wrong, "1"));
}

/* The first pair of values of different kinds, inside of lists and maps too; NULL is of every kind. */
static bool find_kinds(struct ew_value right, struct ew_value wrong, enum ew_value_kind *expected,
                       enum ew_value_kind *actual) {
  if (right.kind == EW_VALUE_NULL || wrong.kind == EW_VALUE_NULL) return false;
  *expected = right.kind;
  *actual = wrong.kind;
  if (right.kind != wrong.kind) return true;
  if (right.kind == EW_VALUE_STRING && was_boolean(right.string, wrong.string)) {
    *expected = EW_VALUE_BOOLEAN;
    *actual = EW_VALUE_INTEGER;
    return true;
  }
  if (right.kind == EW_VALUE_LIST)
    for (size_t i = 0; i < right.list.count && i < wrong.list.count; i++)
      if (find_kinds(right.list.items[i], wrong.list.items[i], expected, actual)) return true;
  if (right.kind == EW_VALUE_MAP)
    for (size_t i = 0; i < right.map.count && i < wrong.map.count; i++)
      if (find_kinds(right.map.items[i].value, wrong.map.items[i].value, expected, actual)) return true;
  return false;
}

/* Where a value of one kind comes back as another: false as 0. */
static bool add_kinds(struct ew_text *text, const struct ew_why *why) {
  const struct ew_rows *expected = &why->expected, *actual = &why->actual;
  enum ew_value_kind right, wrong;
  if (!expected->row_count || !actual->row_count || expected->column_count != actual->column_count) return false;
  for (size_t i = 0; i < expected->column_count; i++) {
    if (!find_kinds(expected->values[i], actual->values[i], &right, &wrong)) continue;
    ew_text_add_format(text, " %s as %s", ew_value_kind_name(right), ew_value_kind_name(wrong));
    return right == EW_VALUE_BOOLEAN;
  }
  return false;
}

/* Wrong answers go together whichever oracle saw them. Of the model's, the way in which they are wrong is known. */
static void add_wrong(struct ew_text *text, const struct ew_finding *finding, struct ew_traits *traits) {
  const char *relation = ew_relation_name(finding->claim.relation);
  bool exact = finding->claim.relation == EW_RELATION_exact;
  if (finding->claim.relation == EW_RELATION_bounded) {
    ew_text_add_string(text, relation);
  } else if (exact && finding->why.aspect != EW_ASPECT_rows && finding->why.aspect != EW_ASPECT_state) {
    ew_text_add_string(text, ew_aspect_name(finding->why.aspect));
  } else {
    ew_text_add_string(text, "rows");
    if (exact && finding->why.aspect == EW_ASPECT_rows) traits->telling = add_kinds(text, &finding->why);
  }
}

/* Whether only the clauses matter is the answer. */
static bool add_error(struct ew_text *text, struct ew_span shape, bool *telling) {
  struct ew_span error = unwrap(shape);
  size_t length = class_length(error);
  if (length) {
    ew_text_add(text, (struct ew_span){error.bytes, length});
    return true;
  }
  bool dotted = add_without_parts(text, error);
  *telling = !dotted && !memmem(error.bytes, error.length, "'…'", strlen("'…'"));
  return false;
}

static bool add_core(struct ew_text *text, const struct ew_finding *finding, struct ew_traits *traits) {
  const struct ew_statement_outcome *culprit = ew_finding_culprit(finding);
  ew_text_add_format(text, "%.*s ", EW_SPAN_ARGS(finding->engine));
  if (!culprit) {
    add_wrong(text, finding, traits);
  } else if (culprit->kind == EW_OUTCOME_ERROR) {
    return add_error(text, finding->shape, &traits->telling);
  } else if (culprit->kind == EW_OUTCOME_CRASH) {
    struct ew_span place = ew_crash_damages_heap(culprit) ? EW_SPAN("a damaged heap") : named_frame(culprit);
    ew_text_add_format(text, "signal %d in %.*s", culprit->signal, EW_SPAN_ARGS(place));
  } else {
    ew_text_add_string(text, ew_outcome_kind_text(culprit->kind));
  }
  return false;
}

/* ---- marks ---- */

static void see(void *context, const char *mark) { ew_map_add(context, ew_span_of(mark), NULL)->number++; }

/* What marks say, the most telling first. */
enum weight { ESSENCE, PATTERN, CARRIER, WEIGHTS };

static enum weight weight_of(struct ew_span mark) {
  if (ew_span_starts(mark, EW_SPAN(EW_MARK_PATTERN))) return PATTERN;
  if (ew_span_starts(mark, EW_SPAN(EW_MARK_CARRIER)) || ew_span_starts(mark, EW_SPAN(EW_MARK_CLAUSE EW_MARK_CARRIER)))
    return CARRIER;
  return ESSENCE;
}

bool ew_mark_tells(struct ew_span mark) {
  return weight_of(mark) == ESSENCE && !ew_span_starts(mark, EW_SPAN(EW_MARK_CONSTANT));
}

/* Of what was done before: most of it only made data. */
static void see_telling(void *context, const char *mark) {
  if (ew_mark_tells(ew_span_of(mark))) see(context, mark);
}

static int by_span(const void *a, const void *b) {
  return ew_span_compare(*(const struct ew_span *)a, *(const struct ew_span *)b);
}

/* Which marks matter depends on what went wrong: which aggregate it is only to a single value, which constant not to rows, and
   of an error that only names its class just the clauses. */
static bool matters(struct ew_span mark, const struct ew_finding *finding, bool clauses) {
  bool exact = finding->claim.relation == EW_RELATION_exact;
  if (ew_span_starts(mark, EW_SPAN(EW_MARK_VALUE))) return exact && !clauses;
  if (ew_span_starts(mark, EW_SPAN(EW_MARK_CONSTANT))) return ew_finding_culprit(finding) && !clauses;
  return !clauses || ew_span_starts(mark, EW_SPAN(EW_MARK_CLAUSE));
}

static struct ew_names marks_of(struct ew_arena *arena, const struct ew_finding *finding, bool clauses) {
  const struct ew_case *test = &finding->test;
  const struct ew_language *language = test->language;
  struct ew_map seen;
  EW_VECTOR(struct ew_span) marks = {0};
  if (!language || !language->features || !test->base) return (struct ew_names){0};
  void (*walk)(const struct ew_node *, void (*)(void *, const char *), void *) =
      language->marks ? language->marks : language->features;
  ew_map_init(&seen);
  walk(test->base, see, &seen);
  for (size_t i = 0; i < test->recipe.trees.count; i++)
    if (test->recipe.trees.items[i]) walk(test->recipe.trees.items[i], see, &seen);
  for (size_t i = 0; !ew_finding_culprit(finding) && i < test->scene.statements.count; i++)
    walk(test->scene.statements.items[i], see_telling, &seen);
  for (size_t i = 0; i < seen.count; i++) {
    struct ew_span mark = seen.entries[i].key;
    if (!matters(mark, finding, clauses)) continue;
    *ew_arena_vector_push(arena, &marks) = ew_arena_copy(arena, mark);
    if (seen.entries[i].value.number > 1)
      *ew_arena_vector_push(arena, &marks) = ew_arena_format(arena, "%.*s twice", EW_SPAN_ARGS(mark));
  }
  ew_map_release(&seen);
  if (marks.count) qsort(marks.items, marks.count, sizeof marks.items[0], by_span);
  return (struct ew_names){marks.items, marks.count};
}

struct ew_traits ew_traits_of(struct ew_arena *arena, const struct ew_finding *finding) {
  struct ew_text core = {0};
  struct ew_traits traits = {.class = ew_finding_class(finding), .group = finding->group};
  const struct ew_statement_outcome *culprit = ew_finding_culprit(finding);
  bool clauses = add_core(&core, finding, &traits);
  traits.core = ew_arena_copy(arena, ew_text_span(&core));
  if (culprit && is_place(named_frame(culprit))) traits.place = ew_arena_copy(arena, named_frame(culprit));
  traits.marks = marks_of(arena, finding, clauses);
  traits.bytes = finding->bytes_after;
  ew_text_release(&core);
  return traits;
}

/* ---- causes ---- */

/* Both are sorted. */
static bool has_all(struct ew_names marks, struct ew_names wanted) {
  size_t at = 0;
  for (size_t i = 0; i < wanted.count; i++) {
    while (at < marks.count && ew_span_compare(marks.items[at], wanted.items[i]) < 0) at++;
    if (at == marks.count || !ew_span_equal(marks.items[at], wanted.items[i])) return false;
  }
  return true;
}

/* Nothing at all in common says nothing: then both must have no marks. */
static bool contains(struct ew_names marks, struct ew_names wanted) {
  return wanted.count ? has_all(marks, wanted) : !marks.count;
}

/* The marks of the most telling weight that there is. */
static enum weight essence_of(struct ew_names marks, struct ew_span *items, size_t *count) {
  enum weight most = WEIGHTS;
  for (size_t i = 0; i < marks.count; i++)
    if (weight_of(marks.items[i]) < most) most = weight_of(marks.items[i]);
  *count = 0;
  for (size_t i = 0; i < marks.count; i++)
    if (weight_of(marks.items[i]) == most) items[(*count)++] = marks.items[i];
  return most;
}

/* Of wrong answers: a small query that has something in common with a larger one says little, unless it is all that matters. */
static bool same_essence(struct ew_names a, struct ew_names b) {
  struct ew_span *left = ew_allocate_zeroed(a.count + b.count + 1, sizeof *left), *right = left + a.count;
  size_t left_count, right_count;
  bool same = essence_of(a, left, &left_count) == essence_of(b, right, &right_count) && left_count == right_count;
  for (size_t i = 0; same && i < left_count; i++) same = ew_span_equal(left[i], right[i]);
  ew_deallocate(left);
  return same;
}

static bool same_marks(const struct ew_traits *larger, const struct ew_traits *smaller) {
  return larger->class == EW_CLASS_WRONG ? same_essence(larger->marks, smaller->marks)
                                         : contains(larger->marks, smaller->marks);
}

/* Whether a finding belongs to the cause that a smaller one stands for. */
static bool belongs(const struct ew_traits *larger, const struct ew_traits *smaller) {
  if (larger->group == smaller->group) return true;
  if (larger->class != smaller->class) return false;
  if (ew_span_equal(larger->core, smaller->core))
    return larger->telling || same_marks(larger, smaller) ||
           (larger->place.length && ew_span_equal(larger->place, smaller->place));
  return larger->class == EW_CLASS_ERROR && smaller->marks.count > 1 && larger->marks.count == smaller->marks.count &&
         has_all(larger->marks, smaller->marks);
}

struct ranked {
  const struct ew_traits *traits;
  size_t index;
};

static int by_size(const void *a, const void *b) {
  const struct ranked *left = a, *right = b;
  const struct ew_traits *x = left->traits, *y = right->traits;
  if (x->marks.count != y->marks.count) return x->marks.count < y->marks.count ? -1 : 1;
  if (x->bytes != y->bytes) return x->bytes < y->bytes ? -1 : 1;
  if (x->group != y->group) return x->group < y->group ? -1 : 1;
  return left->index < right->index ? -1 : 1;
}

size_t ew_causes(const struct ew_traits *traits, size_t count, size_t *causes) {
  struct ranked *ranked = ew_allocate_zeroed(count + 1, sizeof *ranked);
  size_t *heads = ew_allocate_zeroed(count + 1, sizeof *heads), head_count = 0;
  for (size_t i = 0; i < count; i++) ranked[i] = (struct ranked){&traits[i], i};
  qsort(ranked, count, sizeof *ranked, by_size);
  for (size_t i = 0; i < count; i++) {
    size_t index = ranked[i].index, head = 0;
    while (head < head_count && !belongs(&traits[index], &traits[heads[head]])) head++;
    if (head == head_count) heads[head_count++] = index;
    causes[index] = heads[head];
  }
  ew_deallocate(ranked);
  ew_deallocate(heads);
  return head_count;
}

/* ---- order ---- */

int ew_finding_compare(const struct ew_finding *a, const struct ew_finding *b) {
  enum ew_finding_class left = ew_finding_class(a), right = ew_finding_class(b);
  if (left != right) return left < right ? -1 : 1;
  if (a->state != b->state) return a->state < b->state ? -1 : 1;
  if (a->bytes_after != b->bytes_after) return a->bytes_after < b->bytes_after ? -1 : 1;
  return strcmp(a->id.text, b->id.text);
}

static int by_finding(const void *a, const void *b) { return ew_finding_compare(a, b); }

/* Where a finding stands: its cause by the place of its first, its group likewise, itself. */
struct place {
  size_t cause, group, index;
};

static int by_place(const void *a, const void *b) {
  const struct place *left = a, *right = b;
  if (left->cause != right->cause) return left->cause < right->cause ? -1 : 1;
  if (left->group != right->group) return left->group < right->group ? -1 : 1;
  return left->index < right->index ? -1 : left->index > right->index;
}

static size_t first_of_cause(const size_t *causes, size_t index) {
  size_t i = 0;
  while (causes[i] != causes[index]) i++;
  return i;
}

static size_t first_of_group(const struct ew_finding *findings, size_t index) {
  size_t i = 0;
  while (findings[i].group != findings[index].group) i++;
  return i;
}

struct ew_cause_list ew_findings_arrange(struct ew_arena *arena, struct ew_finding *findings, size_t count) {
  struct ew_traits *traits = EW_NEW_ARRAY(arena, struct ew_traits, count + 1);
  struct ew_finding *sorted = EW_NEW_ARRAY(arena, struct ew_finding, count + 1);
  struct place *places = EW_NEW_ARRAY(arena, struct place, count + 1);
  size_t *causes = EW_NEW_ARRAY(arena, size_t, count + 1);
  EW_VECTOR(struct ew_cause_range) ranges = {0};
  if (count) qsort(findings, count, sizeof *findings, by_finding);
  for (size_t i = 0; i < count; i++) traits[i] = ew_traits_of(arena, &findings[i]);
  ew_causes(traits, count, causes);
  for (size_t i = 0; i < count; i++)
    places[i] = (struct place){first_of_cause(causes, i), first_of_group(findings, i), i};
  if (count) qsort(places, count, sizeof *places, by_place);
  for (size_t i = 0; i < count; i++) {
    if (!i || places[i].cause != places[i - 1].cause)
      *ew_arena_vector_push(arena, &ranges) = (struct ew_cause_range){i, 0};
    ranges.items[ranges.count - 1].count++;
    sorted[i] = findings[places[i].index];
  }
  if (count) memcpy(findings, sorted, count * sizeof *findings);
  return (struct ew_cause_list){ranges.items, ranges.count};
}
