/* rows.c: tables: put together, stored, shown. How two compare is in rows_compare.c. */
#include "value/rows.h"

#include "base/utf8.h"

struct ew_rows ew_rows_append(struct ew_arena *arena, const struct ew_rows *parts, size_t count) {
  struct ew_rows all = {0};
  size_t named = 0; /* how many columns have a name */
  for (size_t i = 0; i < count; i++) {
    if (parts[i].column_count > all.column_count) all.column_count = parts[i].column_count;
    if (!all.columns && parts[i].columns) {
      all.columns = parts[i].columns;
      named = parts[i].column_count;
    }
    all.row_count += parts[i].row_count;
  }
  if (named != all.column_count) all.columns = NULL;
  if (!all.row_count || !all.column_count) return all;
  struct ew_value *values = ew_arena_take(arena, ew_array_size(all.row_count * all.column_count, sizeof *values));
  struct ew_value *next = values;
  for (size_t i = 0; i < count; i++) {
    for (size_t row = 0; row < parts[i].row_count; row++) {
      for (size_t column = 0; column < all.column_count; column++)
        *next++ = column < parts[i].column_count ? ew_row(&parts[i], row)[column] : ew_null();
    }
  }
  all.values = values;
  return all;
}

/* ---- JSON ---- */

enum { WIDEST = 65536 }; /* columns without names, of which no bytes stand in the file */

void ew_rows_write_json(struct ew_json_writer *writer, const struct ew_rows *rows) {
  ew_json_begin_object(writer);
  if (rows->columns) {
    ew_json_key(writer, "columns");
    ew_json_begin_array(writer);
    for (size_t i = 0; i < rows->column_count; i++) ew_value_write_json(writer, ew_string(rows->columns[i]));
    ew_json_end_array(writer);
  } else {
    ew_json_put_unsigned(writer, "width", rows->column_count);
  }
  ew_json_key(writer, "rows");
  ew_json_begin_array(writer);
  for (size_t row = 0; row < rows->row_count; row++) {
    ew_json_begin_array(writer);
    for (size_t i = 0; i < rows->column_count; i++) ew_value_write_json(writer, ew_row(rows, row)[i]);
    ew_json_end_array(writer);
  }
  ew_json_end_array(writer);
  ew_json_end_object(writer);
}

static enum ew_status read_columns(struct ew_arena *arena, const struct ew_json *json, struct ew_rows *rows,
                                   struct ew_error *error) {
  const struct ew_json *columns = ew_json_member(json, "columns");
  int64_t width = ew_json_get_integer(json, "width", -1);
  if (!columns) {
    if (width < 0) return ew_fail(error, EW_BAD, "a stored table has neither 'columns' nor a 'width'");
    if (width > WIDEST) return ew_fail(error, EW_LIMIT, "a stored table has more than %d columns", WIDEST);
    rows->column_count = (size_t)width;
    return EW_OK;
  }
  if (columns->kind != EW_JSON_ARRAY) return ew_fail(error, EW_BAD, "a stored table: 'columns' is no list");
  struct ew_span *names = EW_NEW_ARRAY(arena, struct ew_span, columns->count + 1);
  for (size_t i = 0; i < columns->count; i++) {
    struct ew_value name;
    enum ew_status status = ew_value_read_json(arena, &columns->items[i], &name, error);
    if (status) return status;
    if (name.kind != EW_VALUE_STRING) return ew_fail(error, EW_BAD, "a stored table: a column's name is no string");
    names[i] = name.string;
  }
  rows->columns = names;
  rows->column_count = columns->count;
  return EW_OK;
}

enum ew_status ew_rows_read_json(struct ew_arena *arena, const struct ew_json *json, struct ew_rows *rows,
                                 struct ew_error *error) {
  *rows = (struct ew_rows){0};
  enum ew_status status = read_columns(arena, json, rows, error);
  if (status) return status;
  const struct ew_json *table = ew_json_member(json, "rows");
  if (!table || table->kind != EW_JSON_ARRAY) return ew_fail(error, EW_BAD, "a stored table has no list 'rows'");
  for (size_t row = 0; row < table->count; row++)
    if (table->items[row].kind != EW_JSON_ARRAY || table->items[row].count != rows->column_count)
      return ew_fail(error, EW_BAD, "a stored table: row %zu has not %zu values", row, rows->column_count);
  rows->row_count = table->count;
  if (!rows->row_count || !rows->column_count) return EW_OK;
  struct ew_value *values = EW_NEW_ARRAY(arena, struct ew_value, rows->row_count * rows->column_count);
  rows->values = values;
  for (size_t row = 0; row < rows->row_count; row++) {
    for (size_t i = 0; i < rows->column_count; i++) {
      status = ew_value_read_json(arena, &table->items[row].items[i], values++, error);
      if (status) return status;
    }
  }
  return EW_OK;
}

/* ---- for people ---- */

enum { CELL_WIDTH = 60 }; /* of code points */

/* The cell's text, cut; gives its width. `row` is 0 for the header. */
static size_t make_cell(struct ew_text *cell, const struct ew_rows *rows, size_t row, size_t column) {
  ew_text_reset(cell);
  if (row) {
    ew_value_print(cell, ew_row(rows, row - 1)[column]);
  } else if (rows->columns) {
    ew_text_add(cell, rows->columns[column]);
  } else {
    ew_text_add_unsigned(cell, column + 1);
  }
  size_t width = 0, keep = 0;
  struct ew_span text = ew_text_span(cell);
  for (size_t at = 0; at < text.length; width++) {
    if (width == CELL_WIDTH - 1) keep = at;
    ew_utf8_next(text, &at);
  }
  if (width <= CELL_WIDTH) return width;
  ew_text_cut(cell, keep);
  ew_text_add_string(cell, "…");
  return CELL_WIDTH;
}

static void add_repeated(struct ew_text *text, char c, size_t count) {
  while (count--) ew_text_add_char(text, c);
}

static void print_rule(struct ew_text *text, const size_t *widths, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (i) ew_text_add_string(text, "-+-");
    add_repeated(text, '-', widths[i]);
  }
  ew_text_add_char(text, '\n');
}

static void print_line(struct ew_text *text, struct ew_text *cell, const struct ew_rows *rows, size_t row,
                       const size_t *widths) {
  for (size_t i = 0; i < rows->column_count; i++) {
    if (i) ew_text_add_string(text, " | ");
    size_t width = make_cell(cell, rows, row, i);
    ew_text_add(text, ew_text_span(cell));
    if (i + 1 < rows->column_count) add_repeated(text, ' ', widths[i] - width);
  }
  ew_text_add_char(text, '\n');
}

void ew_rows_print(struct ew_text *text, const struct ew_rows *rows, size_t limit) {
  struct ew_arena scratch;
  struct ew_text cell;
  ew_arena_init(&scratch);
  ew_text_init(&cell);
  size_t shown = rows->row_count < limit ? rows->row_count : limit;
  if (rows->column_count) {
    size_t *widths = EW_NEW_ARRAY(&scratch, size_t, rows->column_count);
    for (size_t row = 0; row <= shown; row++) {
      for (size_t i = 0; i < rows->column_count; i++) {
        size_t width = make_cell(&cell, rows, row, i);
        if (width > widths[i]) widths[i] = width;
      }
    }
    print_line(text, &cell, rows, 0, widths);
    print_rule(text, widths, rows->column_count);
    for (size_t row = 1; row <= shown; row++) print_line(text, &cell, rows, row, widths);
  } else {
    shown = 0;
  }
  size_t more = rows->row_count - shown;
  if (!rows->row_count) ew_text_add_string(text, "(no rows)\n");
  if (more) ew_text_add_format(text, "(%zu %srow%s)\n", more, shown ? "more " : "", more == 1 ? "" : "s");
  ew_text_release(&cell);
  ew_arena_release(&scratch);
}
