/* output.h: results go to standard output, messages to standard error; colour only where a person looks at it. */
#ifndef EW_CLI_OUTPUT_H
#define EW_CLI_OUTPUT_H

#include "base/text.h"

/* "edgewise: …" on standard error. */
void ew_message(const char *format, ...) EW_FORMAT(1, 2);

/* Says why a command stopped and returns what it ends with. */
enum ew_exit ew_give_up(enum ew_status status, const struct ew_error *error);

/* Writes all of `text` to standard output and empties it. */
enum ew_status ew_output(struct ew_text *text, struct ew_error *error) EW_CHECKED;
/* The same as the end of a command: `code`, unless writing fails. Releases the text. */
enum ew_exit ew_output_last(struct ew_text *text, enum ew_exit code);

/* Whether to colour what goes to `file`: a terminal, and NO_COLOR is not set. */
bool ew_colour(int file);

/* Columns and rows of the terminal that `file` is; false, and 80 by 24, where it is none. */
bool ew_terminal_size(int file, size_t *columns, size_t *rows);

/* Adds as much of `source` as fits into `columns`; returns the columns it takes. A wide character counts one. Control
   characters become '?'. */
size_t ew_text_add_cut(struct ew_text *text, struct ew_span source, size_t columns);
/* Adds `text` at the left of `width` columns. */
void ew_text_add_padded(struct ew_text *text, struct ew_span span, size_t width);
/* 1,234,567 */
void ew_text_add_count(struct ew_text *text, uint64_t number);
/* 1:05, 2:00:00 */
void ew_text_add_clock(struct ew_text *text, double seconds);

#endif
