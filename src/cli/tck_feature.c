/* tck_feature.c: a line at a time. What a line is shows in its first word, so the reader only keeps where it is: the steps it
   adds to, and the examples it collects for the outline at hand. */
#include "cli/tck_feature.h"

#include <dirent.h>

#include "base/file.h"

enum { FILE_BYTES_MAX = 4 << 20, FOLDER_DEPTH_MAX = 8, PATH_BYTES = 4096 };

typedef EW_VECTOR(struct ew_tck_step) step_vector;
typedef EW_VECTOR(struct ew_span) cell_vector;

struct reader {
  struct ew_arena *arena;
  struct ew_tck_suite *suite;
  struct ew_span feature, rest; /* what is not read yet */
  size_t line;
  struct ew_span name; /* of the scenario at hand; no bytes where there is none */
  bool outline, in_background, in_examples;
  step_vector background, steps;
  cell_vector cells; /* of the table at hand */
  size_t width, rows, examples;
};

/* ---- lines ---- */

static struct ew_span trimmed(struct ew_span span) {
  while (span.length && strchr(" \t\r", span.bytes[span.length - 1])) span.length--;
  while (span.length && strchr(" \t\r", span.bytes[0])) {
    span.bytes++;
    span.length--;
  }
  return span;
}

static bool next_line(struct reader *reader, struct ew_span *line) {
  if (!reader->rest.length) return false;
  const char *end = memchr(reader->rest.bytes, '\n', reader->rest.length);
  size_t length = end ? (size_t)(end - reader->rest.bytes) : reader->rest.length;
  *line = (struct ew_span){reader->rest.bytes, length};
  reader->rest.bytes += length + (end != NULL);
  reader->rest.length -= length + (end != NULL);
  reader->line++;
  return true;
}

/* What stands behind `prefix`. */
static bool begins(struct ew_span line, const char *prefix, struct ew_span *behind) {
  if (!ew_span_starts(line, ew_span_of(prefix))) return false;
  size_t length = strlen(prefix);
  *behind = trimmed((struct ew_span){line.bytes + length, line.length - length});
  return true;
}

static enum ew_status wrong(const struct reader *reader, struct ew_error *error, const char *what) {
  return ew_fail(error, EW_BAD, "%.*s.feature, line %zu: %s", EW_SPAN_ARGS(reader->feature), reader->line, what);
}

/* ---- tables and doc strings ---- */

static step_vector *open_steps(struct reader *reader) {
  return reader->in_background ? &reader->background : &reader->steps;
}

/* The next cell of a row, up to a bar that no backslash escapes. */
static struct ew_span take_cell(struct reader *reader, struct ew_span *row) {
  char *bytes = ew_arena_take(reader->arena, row->length + 1);
  size_t length = 0, at = 0;
  for (; at < row->length && row->bytes[at] != '|'; at++) {
    char c = row->bytes[at];
    if (c == '\\' && at + 1 < row->length && strchr("|n\\", row->bytes[at + 1])) {
      c = row->bytes[++at];
      if (c == 'n') c = '\n';
    }
    bytes[length++] = c;
  }
  if (at < row->length) at++;
  row->bytes += at;
  row->length -= at;
  return trimmed((struct ew_span){bytes, length});
}

static enum ew_status add_row(struct reader *reader, struct ew_span line, struct ew_error *error) {
  struct ew_span row = {line.bytes + 1, line.length - 1};
  size_t width = 0;
  while (row.length) {
    struct ew_span cell = take_cell(reader, &row);
    *ew_arena_vector_push(reader->arena, &reader->cells) = cell;
    width++;
  }
  if (reader->rows && width != reader->width)
    return wrong(reader, error, "this row is not as wide as the one above it");
  reader->width = width;
  reader->rows++;
  return EW_OK;
}

static enum ew_status read_document(struct reader *reader, size_t indent, struct ew_error *error) {
  step_vector *steps = open_steps(reader);
  struct ew_text text = {0};
  struct ew_span line;
  if (!steps->count) return wrong(reader, error, "a doc string without a step");
  while (next_line(reader, &line)) {
    if (ew_span_is(trimmed(line), "\"\"\"")) {
      steps->items[steps->count - 1].document = ew_arena_copy(reader->arena, ew_text_span(&text));
      ew_text_release(&text);
      return EW_OK;
    }
    size_t skip = 0;
    while (skip < indent && skip < line.length && (line.bytes[skip] == ' ' || line.bytes[skip] == '\t')) skip++;
    if (line.length > skip && line.bytes[line.length - 1] == '\r') line.length--;
    if (text.length) ew_text_add_char(&text, '\n');
    ew_text_add_bytes(&text, line.bytes + skip, line.length - skip);
  }
  ew_text_release(&text);
  return wrong(reader, error, "the file ends in a doc string");
}

/* ---- outlines ---- */

/* `text` with each <column> replaced by the cell of the example's row. */
static struct ew_span filled_in(struct reader *reader, struct ew_span text, size_t row) {
  struct ew_text out = {0};
  for (size_t at = 0; at < text.length;) {
    const struct ew_span *cell = NULL;
    size_t taken = 0;
    for (size_t i = 0; text.bytes[at] == '<' && !cell && i < reader->width; i++) {
      struct ew_span column = reader->cells.items[i], behind = {text.bytes + at + 1, text.length - at - 1};
      if (!ew_span_starts(behind, column) || behind.length == column.length || behind.bytes[column.length] != '>')
        continue;
      cell = &reader->cells.items[row * reader->width + i];
      taken = column.length + 2;
    }
    if (cell) {
      ew_text_add(&out, *cell);
      at += taken;
    } else {
      ew_text_add_char(&out, text.bytes[at++]);
    }
  }
  struct ew_span copy = ew_arena_copy(reader->arena, ew_text_span(&out));
  ew_text_release(&out);
  return copy;
}

static struct ew_tck_step step_filled_in(struct reader *reader, const struct ew_tck_step *step, size_t row) {
  size_t count = step->table.width * step->table.rows;
  struct ew_span *cells = EW_NEW_ARRAY(reader->arena, struct ew_span, count ? count : 1);
  for (size_t i = 0; i < count; i++) cells[i] = filled_in(reader, step->table.cells[i], row);
  return (struct ew_tck_step){
      .text = filled_in(reader, step->text, row),
      .document = filled_in(reader, step->document, row),
      .table = {cells, step->table.width, step->table.rows},
  };
}

/* The scenario at hand; `row` is that of the examples, 0 where it is no outline. */
static void add_scenario(struct reader *reader, size_t row) {
  size_t shared = reader->background.count, own = reader->steps.count;
  struct ew_tck_step *steps = EW_NEW_ARRAY(reader->arena, struct ew_tck_step, shared + own + 1);
  for (size_t i = 0; i < shared; i++) steps[i] = reader->background.items[i];
  for (size_t i = 0; i < own; i++)
    steps[shared + i] = row ? step_filled_in(reader, &reader->steps.items[i], row) : reader->steps.items[i];
  *ew_arena_vector_push(reader->arena, &reader->suite->scenarios) = (struct ew_tck_scenario){
      .feature = reader->feature,
      .name = reader->name,
      .example = row ? ++reader->examples : 0,
      .steps = steps,
      .step_count = shared + own,
  };
}

/* ---- the parts of a file ---- */

/* A table ends with the first line that is none of its rows. */
static void end_table(struct reader *reader) {
  step_vector *steps = open_steps(reader);
  if (reader->in_examples) {
    for (size_t row = 1; row < reader->rows; row++) add_scenario(reader, row);
  } else if (reader->rows && steps->count) {
    steps->items[steps->count - 1].table = (struct ew_tck_table){reader->cells.items, reader->width, reader->rows};
  }
  reader->cells = (cell_vector){0};
  reader->width = reader->rows = 0;
}

static void end_scenario(struct reader *reader) {
  end_table(reader);
  if (reader->name.length && !reader->outline) add_scenario(reader, 0);
  reader->name = (struct ew_span){0};
  reader->outline = reader->in_background = reader->in_examples = false;
  reader->steps = (step_vector){0};
  reader->examples = 0;
}

static bool is_step(struct ew_span line, struct ew_span *text) {
  return begins(line, "Given ", text) || begins(line, "When ", text) || begins(line, "Then ", text) ||
         begins(line, "And ", text) || begins(line, "But ", text);
}

static enum ew_status read_line(struct reader *reader, struct ew_span whole, struct ew_error *error) {
  struct ew_span line = trimmed(whole), behind;
  if (!line.length || line.bytes[0] == '#' || line.bytes[0] == '@') return EW_OK;
  if (line.bytes[0] == '|') return add_row(reader, line, error);
  if (ew_span_is(line, "\"\"\"")) return read_document(reader, (size_t)(line.bytes - whole.bytes), error);
  if (begins(line, "Scenario Outline:", &behind) || begins(line, "Scenario:", &behind)) {
    end_scenario(reader);
    reader->name = behind;
    reader->outline = ew_span_starts(line, EW_SPAN("Scenario Outline:"));
  } else if (begins(line, "Background:", &behind)) {
    end_scenario(reader);
    reader->in_background = true;
  } else if (begins(line, "Examples:", &behind)) {
    end_table(reader);
    reader->in_examples = true;
  } else if (is_step(line, &behind)) {
    end_table(reader);
    *ew_arena_vector_push(reader->arena, open_steps(reader)) = (struct ew_tck_step){.text = behind};
  } else if (reader->name.length) {
    return wrong(reader, error, "neither a step nor a table nor a doc string");
  }
  return EW_OK; /* before the first scenario: a description */
}

enum ew_status ew_tck_read_feature(struct ew_arena *arena, struct ew_span feature, struct ew_span text,
                                   struct ew_tck_suite *suite, struct ew_error *error) {
  struct reader reader = {.arena = arena, .suite = suite, .feature = feature, .rest = text};
  struct ew_span line;
  while (next_line(&reader, &line)) {
    enum ew_status status = read_line(&reader, line, error);
    if (status) return status;
  }
  end_scenario(&reader);
  return EW_OK;
}

/* ---- folders ---- */

static int by_bytes(const struct dirent **a, const struct dirent **b) { return strcmp((*a)->d_name, (*b)->d_name); }
static int not_hidden(const struct dirent *entry) { return entry->d_name[0] != '.'; }

static enum ew_status read_file(struct ew_arena *arena, const char *path, struct ew_span feature,
                                struct ew_tck_suite *suite, struct ew_error *error) {
  struct ew_text text = {0};
  enum ew_status status = ew_file_read(path, FILE_BYTES_MAX, &text, error);
  if (!status) {
    struct ew_span kept = ew_arena_copy(arena, ew_text_span(&text));
    status = ew_tck_read_feature(arena, ew_arena_copy(arena, feature), kept, suite, error);
  }
  ew_text_release(&text);
  return status;
}

/* `below` is what of the path the features are called by. */
static enum ew_status read_folder(struct ew_arena *arena, const char *folder, size_t below, unsigned depth,
                                  struct ew_tck_suite *suite, struct ew_error *error) {
  struct dirent **entries;
  int count = scandir(folder, &entries, not_hidden, by_bytes);
  if (count < 0) return ew_fail(error, EW_MISSING, "there is no folder %s", folder);
  enum ew_status status = EW_OK;
  for (int i = 0; i < count; i++) {
    struct ew_span name = ew_span_of(entries[i]->d_name), suffix = EW_SPAN(".feature");
    char path[PATH_BYTES];
    int length = snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
    bool fits = length > 0 && (size_t)length < sizeof path;
    if (!status && !fits) status = ew_fail(error, EW_LIMIT, "the path is too long: %s", folder);
    if (!status && entries[i]->d_type == DT_DIR && depth < FOLDER_DEPTH_MAX) {
      status = read_folder(arena, path, below, depth + 1, suite, error);
    } else if (!status && name.length > suffix.length &&
               ew_span_is((struct ew_span){name.bytes + name.length - suffix.length, suffix.length}, ".feature")) {
      struct ew_span feature = {path + below, (size_t)length - below - suffix.length};
      status = read_file(arena, path, feature, suite, error);
    }
    free(entries[i]); /* scandir's */
  }
  free(entries);
  return status;
}

enum ew_status ew_tck_read_folder(struct ew_arena *arena, const char *folder, struct ew_tck_suite *suite,
                                  struct ew_error *error) {
  return read_folder(arena, folder, strlen(folder) + 1, 0, suite, error);
}
