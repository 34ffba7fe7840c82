/* tck_state.c: the steps that state what must have come of a query. Each says in a few words what is not so. */
#include "cli/output.h"
#include "cli/tck_run.h"
#include "cli/tck_value.h"

enum { SHOWN_COLUMNS = 120 };

static bool fail_by_error(struct ew_tck_world *world) {
  const struct ew_query_error *error = &world->error;
  if (!error->type) return false;
  ew_text_add_format(world->why, "%s at %s: %s (%s)", error->type, error->at_compile_time ? "compile time" : "runtime",
                     error->detail, error->text);
  return true;
}

/* ---- rows ---- */

static void add_row(struct ew_text *text, const struct ew_value *values, size_t count) {
  struct ew_text row = {0};
  for (size_t i = 0; i < count; i++) {
    if (i) ew_text_add_string(&row, " | ");
    ew_value_print(&row, values[i]);
  }
  ew_text_add_cut(text, ew_text_span(&row), SHOWN_COLUMNS);
  ew_text_release(&row);
}

static bool columns_match(struct ew_tck_world *world, const struct ew_tck_table *table) {
  const struct ew_rows *rows = &world->result.rows;
  bool same = rows->column_count == table->width;
  for (size_t i = 0; same && i < table->width; i++) same = ew_span_equal(rows->columns[i], table->cells[i]);
  if (same) return true;
  ew_text_add_string(world->why, "columns");
  for (size_t i = 0; i < rows->column_count; i++)
    ew_text_add_format(world->why, " | %.*s", EW_SPAN_ARGS(rows->columns[i]));
  ew_text_add_string(world->why, " instead of");
  for (size_t i = 0; i < table->width; i++) ew_text_add_format(world->why, " | %.*s", EW_SPAN_ARGS(table->cells[i]));
  return false;
}

static bool row_matches(const struct ew_value *stated, const struct ew_value *actual, size_t width,
                        bool any_list_order) {
  for (size_t i = 0; i < width; i++)
    if (!ew_tck_value_matches(stated[i], actual[i], any_list_order)) return false;
  return true;
}

/* The rows that stand in the table, or NULL where one cannot be read. */
static const struct ew_value *read_rows(struct ew_tck_world *world, const struct ew_tck_table *table) {
  size_t count = (table->rows - 1) * table->width;
  struct ew_value *values = EW_NEW_ARRAY(&world->arena, struct ew_value, count + 1);
  for (size_t i = 0; i < count; i++) {
    struct ew_span cell = table->cells[table->width + i];
    if (ew_tck_value_read(&world->arena, cell, &values[i])) continue;
    ew_text_add_format(world->why, "cannot read the value %.*s", EW_SPAN_ARGS(cell));
    return NULL;
  }
  return values;
}

/* Pairs stated rows with those that came; says which one has no partner, and one that came without being stated. */
static bool rows_match(struct ew_tck_world *world, const struct ew_rows *stated, bool in_order, bool any_list_order) {
  const struct ew_rows *actual = &world->result.rows;
  size_t width = stated->column_count, missing = stated->row_count, extra = 0;
  bool *used = EW_NEW_ARRAY(&world->arena, bool, actual->row_count + 1);
  for (size_t i = 0; i < stated->row_count && missing == stated->row_count; i++) {
    const struct ew_value *want = ew_row(stated, i);
    size_t j = in_order ? i : 0;
    for (; j < actual->row_count; j++)
      if (!used[j] && row_matches(want, ew_row(actual, j), width, any_list_order)) break;
    if (j >= actual->row_count || (in_order && j != i))
      missing = i;
    else
      used[j] = true;
  }
  while (extra < actual->row_count && used[extra]) extra++;
  if (missing == stated->row_count && extra == actual->row_count) return true;
  ew_text_add_format(world->why, "%zu rows, %zu stated", actual->row_count, stated->row_count);
  if (missing < stated->row_count) {
    ew_text_add_string(world->why, "; missing: ");
    add_row(world->why, ew_row(stated, missing), width);
  }
  if (extra < actual->row_count) {
    ew_text_add_string(world->why, "; came: ");
    add_row(world->why, ew_row(actual, extra), width);
  }
  return false;
}

bool ew_tck_state_rows(struct ew_tck_world *world, const struct ew_tck_step *step, bool in_order, bool any_list_order) {
  const struct ew_tck_table *table = &step->table;
  if (fail_by_error(world) || !columns_match(world, table)) return false;
  struct ew_rows stated = {table->cells, table->width, NULL, table->rows - 1};
  stated.values = read_rows(world, table);
  return stated.values && rows_match(world, &stated, in_order, any_list_order);
}

bool ew_tck_state_empty(struct ew_tck_world *world) {
  if (fail_by_error(world)) return false;
  if (!world->result.rows.row_count || !world->result.rows.column_count) return true;
  ew_text_add_format(world->why, "%zu rows, none stated; came: ", world->result.rows.row_count);
  add_row(world->why, ew_row(&world->result.rows, 0), world->result.rows.column_count);
  return false;
}

/* ---- side effects ---- */

static int64_t stated_effect(const struct ew_tck_table *table, const char *name) {
  for (size_t row = 0; row < table->rows && table->width == 2; row++) {
    const struct ew_span *cells = table->cells + row * 2;
    int64_t number = 0;
    if (!ew_span_is(cells[0], name)) continue;
    for (size_t i = 0; i < cells[1].length; i++) number = number * 10 + (cells[1].bytes[i] - '0');
    return number;
  }
  return 0;
}

bool ew_tck_state_effects(struct ew_tck_world *world, const struct ew_tck_step *step) {
  const struct ew_effects *effects = &world->result.effects;
  const struct {
    const char *name;
    int64_t actual;
  } lines[] = {
      {"+nodes", effects->nodes_added},
      {"-nodes", effects->nodes_removed},
      {"+relationships", effects->relationships_added},
      {"-relationships", effects->relationships_removed},
      {"+labels", effects->labels_added},
      {"-labels", effects->labels_removed},
      {"+properties", effects->properties_added},
      {"-properties", effects->properties_removed},
  };
  if (fail_by_error(world)) return false;
  for (size_t i = 0; i < EW_COUNT(lines); i++) {
    int64_t stated = stated_effect(&step->table, lines[i].name);
    if (stated == lines[i].actual) continue;
    ew_text_add_format(world->why, "side effects: %s is %lld, %lld stated", lines[i].name, (long long)lines[i].actual,
                       (long long)stated);
    return false;
  }
  return true;
}

/* ---- errors ---- */

/* Takes what stands before `mark`; false where it does not stand there. */
static bool split(struct ew_span *rest, const char *mark, struct ew_span *part) {
  const char *found = memmem(rest->bytes, rest->length, mark, strlen(mark));
  if (!found) return false;
  size_t length = (size_t)(found - rest->bytes), skip = length + strlen(mark);
  *part = (struct ew_span){rest->bytes, length};
  *rest = (struct ew_span){rest->bytes + skip, rest->length - skip};
  return true;
}

bool ew_tck_stated_error_read(struct ew_span text, struct ew_tck_stated_error *stated) {
  struct ew_span nothing;
  if (!ew_span_starts(text, EW_SPAN("a ")) || !split(&text, " ", &nothing)) return false;
  if (!split(&text, " should be raised at ", &stated->type) || !split(&text, ": ", &stated->phase)) return false;
  stated->detail = text;
  return true;
}

bool ew_tck_state_error(struct ew_tck_world *world, const struct ew_tck_step *step) {
  struct ew_tck_stated_error stated;
  if (!ew_tck_stated_error_read(step->text, &stated)) {
    ew_text_add_format(world->why, "there is no step '%.*s'", EW_SPAN_ARGS(step->text));
    return false;
  }
  const struct ew_query_error *error = &world->error;
  if (!error->type) {
    ew_text_add_format(world->why, "no error; stated: %.*s at %.*s: %.*s", EW_SPAN_ARGS(stated.type),
                       EW_SPAN_ARGS(stated.phase), EW_SPAN_ARGS(stated.detail));
    return false;
  }
  bool any_time = ew_span_is(stated.phase, "any time");
  if (ew_span_is(stated.type, error->type) &&
      (any_time || ew_span_is(stated.phase, error->at_compile_time ? "compile time" : "runtime")) &&
      (ew_span_is(stated.detail, "*") || ew_span_is(stated.detail, error->detail)))
    return true;
  fail_by_error(world);
  ew_text_add_format(world->why, "; stated: %.*s at %.*s: %.*s", EW_SPAN_ARGS(stated.type), EW_SPAN_ARGS(stated.phase),
                     EW_SPAN_ARGS(stated.detail));
  return false;
}
