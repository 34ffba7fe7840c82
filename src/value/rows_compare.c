/* rows_compare.c: comparing tables. Every test of every oracle ends here.

   Rows in the same order are found same in one pass. Else both sides are sorted by shape and floats
   (ew_value_same_order, with the shape's hash in front so that most comparisons are of two numbers), and rows of one
   shape form a group on each side. Without floats a group is settled by its size. With floats, being the same is not
   transitive, so a group is a matching problem: two pointers settle it where one float varies, augmenting paths find
   what they miss. */
#include "value/rows.h"

enum {
  NONE = -1,
  TESTS = 4000000, /* of two rows at most, beyond those in order: what is unpaired by then counts as left over */
};

struct entry {
  uint64_t hash; /* of the shape */
  size_t row;
};

struct side {
  const struct ew_rows *rows;
  struct entry *entries; /* sorted */
  bool *paired;          /* by position in `entries` */
};

/* The entries of one shape on one side. */
struct group {
  struct side *side;
  size_t start, count;
};

struct comparison {
  struct ew_arena *arena;
  const struct ew_semantics *semantics;
  size_t column_count;
  struct side left, right;
  size_t tests; /* left to do */
};

/* ---- rows ---- */

static struct ew_value row_value(const struct comparison *comparison, const struct side *side, size_t entry) {
  return ew_list(ew_row(side->rows, side->entries[entry].row), comparison->column_count);
}

static bool same_rows(const struct ew_value *left, const struct ew_value *right, size_t count,
                      const struct ew_semantics *semantics) {
  for (size_t i = 0; i < count; i++)
    if (!ew_value_same(left[i], right[i], semantics)) return false;
  return true;
}

static bool same_entries(const struct comparison *comparison, size_t left, size_t right) {
  return ew_value_same(row_value(comparison, &comparison->left, left), row_value(comparison, &comparison->right, right),
                       comparison->semantics);
}

static int order_shapes(const struct comparison *comparison, const struct side *a, size_t i, const struct side *b,
                        size_t j) {
  uint64_t left = a->entries[i].hash, right = b->entries[j].hash;
  if (left != right) return left < right ? -1 : 1;
  return ew_value_shape_order(row_value(comparison, a, i), row_value(comparison, b, j), comparison->semantics);
}

static int order_entries(const struct comparison *comparison, const struct side *a, size_t i, const struct side *b,
                         size_t j) {
  uint64_t left = a->entries[i].hash, right = b->entries[j].hash;
  if (left != right) return left < right ? -1 : 1;
  return ew_value_same_order(row_value(comparison, a, i), row_value(comparison, b, j), comparison->semantics);
}

/* ---- sorting ---- */

static bool entry_before(const struct comparison *comparison, const struct ew_rows *rows, struct entry a,
                         struct entry b) {
  if (a.hash != b.hash) return a.hash < b.hash;
  struct ew_value left = ew_list(ew_row(rows, a.row), comparison->column_count);
  struct ew_value right = ew_list(ew_row(rows, b.row), comparison->column_count);
  return ew_value_same_order(left, right, comparison->semantics) < 0;
}

/* Stable: merges runs of 1, 2, 4 … entries from one array into the other and back. */
static struct entry *sort_entries(const struct comparison *comparison, const struct ew_rows *rows, struct entry *from,
                                  struct entry *to) {
  size_t count = rows->row_count;
  for (size_t run = 1; run < count; run *= 2) {
    for (size_t start = 0; start < count; start += 2 * run) {
      size_t middle = start + run < count ? start + run : count, end = middle + run < count ? middle + run : count;
      for (size_t i = start, j = middle, k = start; k < end; k++) {
        bool right = i == middle || (j < end && entry_before(comparison, rows, from[j], from[i]));
        to[k] = right ? from[j++] : from[i++];
      }
    }
    struct entry *swapped = from;
    from = to;
    to = swapped;
  }
  return from;
}

static void side_init(struct comparison *comparison, struct side *side, const struct ew_rows *rows) {
  size_t count = rows->row_count;
  side->rows = rows;
  if (!count) return;
  struct entry *entries = ew_arena_take(comparison->arena, ew_array_size(count, sizeof *entries));
  struct entry *spare = ew_arena_take(comparison->arena, ew_array_size(count, sizeof *entries));
  for (size_t row = 0; row < count; row++) {
    struct ew_value whole = ew_list(ew_row(rows, row), comparison->column_count);
    entries[row] = (struct entry){ew_value_shape_hash(whole, comparison->semantics), row};
  }
  side->entries = sort_entries(comparison, rows, entries, spare);
  side->paired = EW_NEW_ARRAY(comparison->arena, bool, count);
}

static struct group group_at(const struct comparison *comparison, struct side *side, size_t start) {
  size_t end = start + 1;
  while (end < side->rows->row_count && order_shapes(comparison, side, start, side, end) == 0) end++;
  return (struct group){side, start, end - start};
}

/* ---- matching two groups of one shape ---- */

/* Whether all rows of both are one: then any two may be paired. */
static bool uniform(const struct comparison *comparison, const struct group *left, const struct group *right) {
  size_t i = left->start, j = right->start;
  return order_entries(comparison, left->side, i, left->side, i + left->count - 1) == 0 &&
         order_entries(comparison, right->side, j, right->side, j + right->count - 1) == 0 &&
         order_entries(comparison, left->side, i, right->side, j) == 0;
}

struct matching {
  int64_t *of_left, *of_right; /* the partner's place in its group, or NONE */
  int64_t *parent;             /* of a right row: the left row that reached it */
  bool *seen;                  /* right rows reached; those of a search that failed never lead anywhere again */
  size_t *queue;               /* of left rows */
};

/* In order of their floats; gives how many were paired. */
static size_t match_in_order(struct comparison *comparison, const struct group *left, const struct group *right,
                             struct matching *matching) {
  size_t i = 0, j = 0, paired = 0;
  while (i < left->count && j < right->count) {
    if (same_entries(comparison, left->start + i, right->start + j)) {
      matching->of_left[i] = (int64_t)j;
      matching->of_right[j] = (int64_t)i;
      paired++;
      i++;
      j++;
    } else if (order_entries(comparison, left->side, left->start + i, right->side, right->start + j) < 0) {
      i++;
    } else {
      j++;
    }
  }
  return paired;
}

/* Pairs along the path that reached `right`, giving each row on it a new partner. */
static void take_path(struct matching *matching, int64_t right) {
  while (right != NONE) {
    int64_t left = matching->parent[right], before = matching->of_left[left];
    matching->of_left[left] = right;
    matching->of_right[right] = left;
    right = before;
  }
}

/* Breadth first from an unpaired left row to an unpaired right one. */
static bool augment(struct comparison *comparison, const struct group *left, const struct group *right,
                    struct matching *matching, size_t from) {
  size_t head = 0, tail = 0;
  matching->queue[tail++] = from;
  while (head < tail) {
    size_t i = matching->queue[head++];
    for (size_t j = 0; j < right->count; j++) {
      if (matching->seen[j]) continue;
      if (!comparison->tests) return false;
      comparison->tests--;
      if (!same_entries(comparison, left->start + i, right->start + j)) continue;
      matching->seen[j] = true;
      matching->parent[j] = (int64_t)i;
      if (matching->of_right[j] == NONE) {
        take_path(matching, (int64_t)j);
        return true;
      }
      matching->queue[tail++] = (size_t)matching->of_right[j];
    }
  }
  return false;
}

static struct matching matching_new(struct ew_arena *arena, size_t left, size_t right) {
  struct matching matching = {.of_left = EW_NEW_ARRAY(arena, int64_t, left),
                              .of_right = EW_NEW_ARRAY(arena, int64_t, right),
                              .parent = EW_NEW_ARRAY(arena, int64_t, right),
                              .seen = EW_NEW_ARRAY(arena, bool, right),
                              .queue = EW_NEW_ARRAY(arena, size_t, left)};
  for (size_t i = 0; i < left; i++) matching.of_left[i] = NONE;
  for (size_t j = 0; j < right; j++) matching.of_right[j] = NONE;
  return matching;
}

static void pair_groups(struct comparison *comparison, struct group left, struct group right) {
  size_t most = left.count < right.count ? left.count : right.count;
  if (uniform(comparison, &left, &right)) {
    for (size_t i = 0; i < most; i++)
      comparison->left.paired[left.start + i] = comparison->right.paired[right.start + i] = true;
    return;
  }
  struct matching matching = matching_new(comparison->arena, left.count, right.count);
  size_t paired = match_in_order(comparison, &left, &right, &matching);
  for (size_t i = 0; i < left.count && paired < most && comparison->tests; i++) {
    if (matching.of_left[i] != NONE || !augment(comparison, &left, &right, &matching, i)) continue;
    paired++;
    memset(matching.seen, 0, right.count);
  }
  for (size_t i = 0; i < left.count; i++) {
    if (matching.of_left[i] == NONE) continue;
    comparison->left.paired[left.start + i] = true;
    comparison->right.paired[right.start + (size_t)matching.of_left[i]] = true;
  }
}

/* Pairs every left row that is the same as some right one. Near its place in the order is the place to look first. */
static void find_group(struct comparison *comparison, struct group left, struct group right) {
  enum { NEARBY = 4 };
  size_t place = 0;
  for (size_t i = left.start; i < left.start + left.count; i++) {
    while (place < right.count && order_entries(comparison, left.side, i, right.side, right.start + place) > 0) place++;
    size_t low = place > NEARBY ? place - NEARBY : 0;
    bool found = false;
    for (size_t j = low; j < right.count && j < place + NEARBY && !found; j++)
      found = same_entries(comparison, i, right.start + j);
    for (size_t j = 0; j < right.count && !found && comparison->tests; j++, comparison->tests--)
      found = same_entries(comparison, i, right.start + j);
    comparison->left.paired[i] = found;
  }
}

/* Walks both sides' groups in step. */
static void match(struct comparison *comparison, void (*settle)(struct comparison *, struct group, struct group)) {
  size_t i = 0, j = 0, left_count = comparison->left.rows->row_count, right_count = comparison->right.rows->row_count;
  while (i < left_count && j < right_count) {
    int order = order_shapes(comparison, &comparison->left, i, &comparison->right, j);
    if (order) {
      *(order < 0 ? &i : &j) += 1;
      continue;
    }
    struct group left = group_at(comparison, &comparison->left, i), right = group_at(comparison, &comparison->right, j);
    settle(comparison, left, right);
    i += left.count;
    j += right.count;
  }
}

/* ---- what is different ---- */

static size_t *rows_unpaired(struct ew_arena *arena, const struct side *side, size_t *count) {
  size_t total = side->rows->row_count;
  *count = 0;
  if (!total) return NULL;
  bool *left_over = EW_NEW_ARRAY(arena, bool, total);
  for (size_t i = 0; i < total; i++) {
    left_over[side->entries[i].row] = !side->paired[i];
    *count += !side->paired[i];
  }
  size_t *rows = EW_NEW_ARRAY(arena, size_t, *count + 1), next = 0;
  for (size_t row = 0; row < total; row++)
    if (left_over[row]) rows[next++] = row;
  return rows;
}

static bool columns_differ(const struct ew_rows *left, const struct ew_rows *right,
                           const struct ew_semantics *semantics) {
  if (!semantics->empty_has_columns && (!left->row_count || !right->row_count)) return false;
  if (left->column_count != right->column_count) return true;
  if (!left->columns || !right->columns) return false;
  for (size_t i = 0; i < left->column_count; i++)
    if (!ew_span_equal(left->columns[i], right->columns[i])) return true;
  return false;
}

/* The common start of all comparisons: false where the columns settle it. */
static bool begin(const struct ew_rows *left, const struct ew_rows *right, const struct ew_semantics *semantics,
                  struct ew_rows_difference *difference) {
  *difference = (struct ew_rows_difference){.columns = columns_differ(left, right, semantics)};
  return !difference->columns;
}

static bool same_in_order(const struct ew_rows *left, const struct ew_rows *right,
                          const struct ew_semantics *semantics) {
  if (left->row_count != right->row_count) return false;
  if (!left->row_count || !left->column_count) return true;
  return same_rows(left->values, right->values, left->row_count * left->column_count, semantics);
}

static struct comparison compare(struct ew_arena *arena, const struct ew_rows *left, const struct ew_rows *right,
                                 const struct ew_semantics *semantics,
                                 void (*settle)(struct comparison *, struct group, struct group)) {
  struct comparison comparison = {.arena = arena, .semantics = semantics, .tests = TESTS};
  comparison.column_count = left->row_count ? left->column_count : right->column_count;
  side_init(&comparison, &comparison.left, left);
  side_init(&comparison, &comparison.right, right);
  match(&comparison, settle);
  return comparison;
}

bool ew_rows_same_bag(struct ew_arena *arena, const struct ew_rows *left, const struct ew_rows *right,
                      const struct ew_semantics *semantics, struct ew_rows_difference *difference) {
  struct ew_rows_difference unwanted;
  if (!difference) difference = &unwanted;
  if (!begin(left, right, semantics, difference)) return false;
  if (same_in_order(left, right, semantics)) return true;
  struct ew_arena_mark mark = ew_arena_mark(arena);
  struct comparison comparison = compare(arena, left, right, semantics, pair_groups);
  difference->only_left = rows_unpaired(arena, &comparison.left, &difference->only_left_count);
  difference->only_right = rows_unpaired(arena, &comparison.right, &difference->only_right_count);
  if (difference->only_left_count || difference->only_right_count) return false;
  ew_arena_rewind(arena, mark);
  *difference = (struct ew_rows_difference){0};
  return true;
}

bool ew_rows_subset(struct ew_arena *arena, const struct ew_rows *left, const struct ew_rows *right, bool distinct,
                    const struct ew_semantics *semantics, struct ew_rows_difference *difference) {
  struct ew_rows_difference unwanted;
  if (!difference) difference = &unwanted;
  if (!begin(left, right, semantics, difference)) return false;
  if (!left->row_count || same_in_order(left, right, semantics)) return true;
  struct ew_arena_mark mark = ew_arena_mark(arena);
  struct comparison comparison = compare(arena, left, right, semantics, distinct ? find_group : pair_groups);
  difference->only_left = rows_unpaired(arena, &comparison.left, &difference->only_left_count);
  if (difference->only_left_count) return false;
  ew_arena_rewind(arena, mark);
  *difference = (struct ew_rows_difference){0};
  return true;
}

bool ew_rows_same_list(struct ew_arena *arena, const struct ew_rows *left, const struct ew_rows *right,
                       const struct ew_semantics *semantics, struct ew_rows_difference *difference) {
  struct ew_rows_difference unwanted;
  if (!difference) difference = &unwanted;
  if (!begin(left, right, semantics, difference)) return false;
  if (same_in_order(left, right, semantics)) return true;
  size_t common = left->row_count < right->row_count ? left->row_count : right->row_count;
  difference->only_left = EW_NEW_ARRAY(arena, size_t, left->row_count + 1);
  difference->only_right = EW_NEW_ARRAY(arena, size_t, right->row_count + 1);
  for (size_t row = 0; row < left->row_count || row < right->row_count; row++) {
    if (row < common && same_rows(ew_row(left, row), ew_row(right, row), left->column_count, semantics)) continue;
    if (row < left->row_count) difference->only_left[difference->only_left_count++] = row;
    if (row < right->row_count) difference->only_right[difference->only_right_count++] = row;
  }
  return false;
}
