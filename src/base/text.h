/* text.h: a string that grows at its end.

   `bytes[length]` is always NUL once anything was added, so `bytes` can go to a function that wants a C string.
   `_reset` keeps the memory: a text that is filled again and again stops allocating. */
#ifndef EW_BASE_TEXT_H
#define EW_BASE_TEXT_H

#include <stdint.h>
#include <string.h>

#include "base/span.h"
#include "base/status.h"

struct ew_text {
  char *bytes;
  size_t length, capacity;
};

void ew_text_init(struct ew_text *text);
void ew_text_release(struct ew_text *text);
/* Shortens it to `length`; a text that is not longer stays as it is. */
static inline void ew_text_cut(struct ew_text *text, size_t length) {
  if (length >= text->length) return;
  text->length = length;
  text->bytes[length] = '\0';
}
static inline void ew_text_reset(struct ew_text *text) { ew_text_cut(text, 0); }

/* Makes room for `extra` more bytes and a NUL. */
void ew_text_reserve(struct ew_text *text, size_t extra);

static inline void ew_text_add_bytes(struct ew_text *text, const char *bytes, size_t length) {
  if (text->capacity - text->length <= length) ew_text_reserve(text, length);
  if (length) memcpy(text->bytes + text->length, bytes, length);
  text->length += length;
  text->bytes[text->length] = '\0';
}

static inline void ew_text_add(struct ew_text *text, struct ew_span span) {
  ew_text_add_bytes(text, span.bytes, span.length);
}

static inline void ew_text_add_string(struct ew_text *text, const char *string) {
  ew_text_add_bytes(text, string, strlen(string));
}

static inline void ew_text_add_char(struct ew_text *text, char c) { ew_text_add_bytes(text, &c, 1); }

void ew_text_add_integer(struct ew_text *text, int64_t number);
void ew_text_add_unsigned(struct ew_text *text, uint64_t number);
void ew_text_add_format(struct ew_text *text, const char *format, ...) EW_FORMAT(2, 3);
/* The shortest decimal digits that read back to the same double, always with '.' or an exponent. Finite numbers only. */
void ew_text_add_double(struct ew_text *text, double number);

static inline struct ew_span ew_text_span(const struct ew_text *text) {
  return (struct ew_span){text->bytes ? text->bytes : "", text->length};
}

#endif
