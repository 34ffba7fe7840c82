/* span.h: a borrowed run of bytes, usually UTF-8. Not terminated, not owned; lives as long as what it points into. */
#ifndef EW_BASE_SPAN_H
#define EW_BASE_SPAN_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct ew_span {
  const char *bytes;
  size_t length;
};

/* Several of them. */
struct ew_names {
  const struct ew_span *items;
  size_t count;
};

#define EW_SPAN(literal) ((struct ew_span){"" literal, sizeof(literal) - 1})
/* For printf: `printf("%.*s", EW_SPAN_ARGS(span))`. */
#define EW_SPAN_ARGS(span) (int)(span).length, (span).bytes

static inline struct ew_span ew_span_of(const char *string) { return (struct ew_span){string, strlen(string)}; }

static inline bool ew_span_equal(struct ew_span a, struct ew_span b) {
  return a.length == b.length && (a.length == 0 || memcmp(a.bytes, b.bytes, a.length) == 0);
}

static inline bool ew_span_is(struct ew_span span, const char *string) {
  return ew_span_equal(span, ew_span_of(string));
}

static inline bool ew_span_starts(struct ew_span span, struct ew_span prefix) {
  return span.length >= prefix.length && (prefix.length == 0 || memcmp(span.bytes, prefix.bytes, prefix.length) == 0);
}

/* Bytewise order: shorter first where one is a prefix of the other. */
static inline int ew_span_compare(struct ew_span a, struct ew_span b) {
  size_t common = a.length < b.length ? a.length : b.length;
  int order = common ? memcmp(a.bytes, b.bytes, common) : 0;
  if (order) return order;
  return a.length < b.length ? -1 : a.length > b.length;
}

#endif
