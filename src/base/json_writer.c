/* json_writer.c: commas and indentation are the writer's, the order of calls is the caller's. */
#include <math.h>

#include "base/json.h"
#include "base/utf8.h"

void ew_json_writer_init(struct ew_json_writer *writer, struct ew_text *text, unsigned indent) {
  *writer = (struct ew_json_writer){.text = text, .indent = indent};
}

static void line(struct ew_json_writer *writer) {
  if (!writer->indent) return;
  ew_text_add_char(writer->text, '\n');
  for (unsigned i = 0; i < writer->depth * writer->indent; i++) ew_text_add_char(writer->text, ' ');
}

/* What stands before a value: nothing behind a key, else a comma and a new line as needed. */
static void before(struct ew_json_writer *writer) {
  if (writer->comma) ew_text_add_char(writer->text, ',');
  if (writer->depth && !writer->after_key) line(writer);
  writer->comma = true;
  writer->after_key = false;
}

static void open_with(struct ew_json_writer *writer, char bracket) {
  before(writer);
  ew_text_add_char(writer->text, bracket);
  writer->depth++;
  writer->comma = false;
}

static void close_with(struct ew_json_writer *writer, char bracket) {
  EW_ASSERT(writer->depth > 0);
  writer->depth--;
  if (writer->comma) line(writer);
  ew_text_add_char(writer->text, bracket);
  writer->comma = true;
}

void ew_json_begin_object(struct ew_json_writer *writer) { open_with(writer, '{'); }
void ew_json_end_object(struct ew_json_writer *writer) { close_with(writer, '}'); }
void ew_json_begin_array(struct ew_json_writer *writer) { open_with(writer, '['); }
void ew_json_end_array(struct ew_json_writer *writer) { close_with(writer, ']'); }

void ew_json_key_span(struct ew_json_writer *writer, struct ew_span key) {
  ew_json_string(writer, key);
  ew_text_add_string(writer->text, ": ");
  writer->comma = false;
  writer->after_key = true;
}

void ew_json_key(struct ew_json_writer *writer, const char *key) { ew_json_key_span(writer, ew_span_of(key)); }

void ew_json_escape(struct ew_text *text, struct ew_span string) {
  for (size_t i = 0; i < string.length;) {
    unsigned char c = (unsigned char)string.bytes[i];
    if (c >= 0x80) {
      size_t length = ew_utf8_length(string.bytes + i, string.length - i);
      if (length) {
        ew_text_add_bytes(text, string.bytes + i, length);
      } else {
        ew_text_add_string(text, "\xef\xbf\xbd");
      }
      i += length ? length : 1;
      continue;
    }
    if (c == '"' || c == '\\') {
      ew_text_add_char(text, '\\');
      ew_text_add_char(text, (char)c);
    } else if (c == '\n') {
      ew_text_add_string(text, "\\n");
    } else if (c == '\t') {
      ew_text_add_string(text, "\\t");
    } else if (c < 0x20 || c == 0x7f) {
      ew_text_add_format(text, "\\u%04x", c);
    } else {
      ew_text_add_char(text, (char)c);
    }
    i++;
  }
}

void ew_json_string(struct ew_json_writer *writer, struct ew_span string) {
  before(writer);
  ew_text_add_char(writer->text, '"');
  ew_json_escape(writer->text, string);
  ew_text_add_char(writer->text, '"');
}

void ew_json_integer(struct ew_json_writer *writer, int64_t number) {
  before(writer);
  ew_text_add_integer(writer->text, number);
}

void ew_json_unsigned(struct ew_json_writer *writer, uint64_t number) {
  before(writer);
  ew_text_add_unsigned(writer->text, number);
}

void ew_json_double(struct ew_json_writer *writer, double number) {
  if (isfinite(number)) {
    before(writer);
    ew_text_add_double(writer->text, number);
  } else {
    ew_json_string(writer, ew_span_of(isnan(number) ? "NaN" : number > 0 ? "Infinity" : "-Infinity"));
  }
}

void ew_json_bool(struct ew_json_writer *writer, bool value) {
  before(writer);
  ew_text_add_string(writer->text, value ? "true" : "false");
}

void ew_json_null(struct ew_json_writer *writer) {
  before(writer);
  ew_text_add_string(writer->text, "null");
}

void ew_json_put_string(struct ew_json_writer *writer, const char *key, const char *string) {
  ew_json_put_span(writer, key, ew_span_of(string));
}

void ew_json_put_span(struct ew_json_writer *writer, const char *key, struct ew_span string) {
  ew_json_key(writer, key);
  ew_json_string(writer, string);
}

void ew_json_put_unsigned(struct ew_json_writer *writer, const char *key, uint64_t number) {
  ew_json_key(writer, key);
  ew_json_unsigned(writer, number);
}

void ew_json_put_double(struct ew_json_writer *writer, const char *key, double number) {
  ew_json_key(writer, key);
  ew_json_double(writer, number);
}

void ew_json_put_bool(struct ew_json_writer *writer, const char *key, bool value) {
  ew_json_key(writer, key);
  ew_json_bool(writer, value);
}
