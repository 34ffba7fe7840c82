/* json.h: writing JSON as a stream, and reading it into an arena.

   The reader is our own because engines send what no library takes: `NaN`, `Infinity.0`, and integers that must keep all
   64 bits. It is strict otherwise; depth is bounded; a NUL byte or bad UTF-8 in a string is kept as it came. */
#ifndef EW_BASE_JSON_H
#define EW_BASE_JSON_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"

/* ---- writing ---- */

enum { EW_JSON_DEPTH = 1024 };

struct ew_json_writer {
  struct ew_text *text;
  bool comma;      /* the next value or key needs a comma in front */
  bool after_key;  /* the next value stands behind its key, on the same line */
  unsigned indent; /* spaces per level; 0 is one line */
  unsigned depth;
};

void ew_json_writer_init(struct ew_json_writer *writer, struct ew_text *text, unsigned indent);
void ew_json_begin_object(struct ew_json_writer *writer);
void ew_json_end_object(struct ew_json_writer *writer);
void ew_json_begin_array(struct ew_json_writer *writer);
void ew_json_end_array(struct ew_json_writer *writer);
void ew_json_key(struct ew_json_writer *writer, const char *key);
void ew_json_key_span(struct ew_json_writer *writer, struct ew_span key);
void ew_json_string(struct ew_json_writer *writer, struct ew_span string);
void ew_json_integer(struct ew_json_writer *writer, int64_t number);
void ew_json_unsigned(struct ew_json_writer *writer, uint64_t number);
void ew_json_double(struct ew_json_writer *writer, double number); /* NaN and infinities become strings */
void ew_json_bool(struct ew_json_writer *writer, bool value);
void ew_json_null(struct ew_json_writer *writer);

/* key and value in one */
void ew_json_put_string(struct ew_json_writer *writer, const char *key, const char *string);
void ew_json_put_span(struct ew_json_writer *writer, const char *key, struct ew_span string);
void ew_json_put_unsigned(struct ew_json_writer *writer, const char *key, uint64_t number);
void ew_json_put_double(struct ew_json_writer *writer, const char *key, double number);
void ew_json_put_bool(struct ew_json_writer *writer, const char *key, bool value);

/* Adds `string` with JSON's escapes and no quotes. Bytes that are not UTF-8 are replaced by U+FFFD. */
void ew_json_escape(struct ew_text *text, struct ew_span string);

/* ---- reading ---- */

enum ew_json_kind {
  EW_JSON_NULL,
  EW_JSON_BOOL,
  EW_JSON_INTEGER,
  EW_JSON_FLOAT,
  EW_JSON_STRING,
  EW_JSON_ARRAY,
  EW_JSON_OBJECT,
};

struct ew_json {
  enum ew_json_kind kind;
  union {
    bool boolean;
    int64_t integer;
    double number;
    struct ew_span string;
    struct {
      const struct ew_json *items;
      const struct ew_span *keys; /* of an object, else NULL */
      size_t count;
    };
  };
};

struct ew_json_options {
  bool special_numbers; /* NaN, Infinity, -Infinity, with or without a trailing .0 */
};

/* Reads one value that fills all of `source` (white space aside). `source` must outlive the result. */
enum ew_status ew_json_read(struct ew_arena *arena, struct ew_span source, struct ew_json_options options,
                            const struct ew_json **json, struct ew_error *error) EW_CHECKED;

/* NULL where `json` is NULL, no object, or has no such member. */
const struct ew_json *ew_json_member(const struct ew_json *json, const char *key);
/* With a default for what is absent or of another kind. */
struct ew_span ew_json_get_string(const struct ew_json *json, const char *key, struct ew_span otherwise);
int64_t ew_json_get_integer(const struct ew_json *json, const char *key, int64_t otherwise);
bool ew_json_get_bool(const struct ew_json *json, const char *key, bool otherwise);

#endif
