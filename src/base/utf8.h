/* utf8.h: the little of UTF-8 that strings of engines need. */
#ifndef EW_BASE_UTF8_H
#define EW_BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>

#include "base/span.h"
#include "base/text.h"

/* The bytes of the well-formed code point at `bytes` (1 to 4), or 0 where there is none within `available`. Overlong forms
   and surrogates are not well formed. */
size_t ew_utf8_length(const char *bytes, size_t available);
/* The code point at `*at`, which moves behind it; U+FFFD and one byte where it is not well formed. */
uint32_t ew_utf8_next(struct ew_span text, size_t *at);
void ew_utf8_add(struct ew_text *text, uint32_t code_point);
/* Number of code points, counting each bad byte as one. */
size_t ew_utf8_count(struct ew_span text);

#endif
