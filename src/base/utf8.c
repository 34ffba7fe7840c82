/* utf8.c: decoding by the table of well-formed byte sequences (Unicode, table 3-7). */
#include "base/utf8.h"

static bool continues(const char *bytes, size_t at) { return ((unsigned char)bytes[at] & 0xc0) == 0x80; }

size_t ew_utf8_length(const char *bytes, size_t available) {
  if (!available) return 0;
  unsigned char first = (unsigned char)bytes[0];
  if (first < 0x80) return 1;
  unsigned char second = available > 1 ? (unsigned char)bytes[1] : 0;
  if (first >= 0xc2 && first <= 0xdf) return available >= 2 && continues(bytes, 1) ? 2 : 0;
  if (first >= 0xe0 && first <= 0xef) {
    if (available < 3 || !continues(bytes, 1) || !continues(bytes, 2)) return 0;
    bool overlong = first == 0xe0 && second < 0xa0, surrogate = first == 0xed && second > 0x9f;
    return overlong || surrogate ? 0 : 3;
  }
  if (first >= 0xf0 && first <= 0xf4) {
    if (available < 4 || !continues(bytes, 1) || !continues(bytes, 2) || !continues(bytes, 3)) return 0;
    bool overlong = first == 0xf0 && second < 0x90, beyond = first == 0xf4 && second > 0x8f;
    return overlong || beyond ? 0 : 4;
  }
  return 0;
}

uint32_t ew_utf8_next(struct ew_span text, size_t *at) {
  const char *bytes = text.bytes + *at;
  size_t length = ew_utf8_length(bytes, text.length - *at);
  static const unsigned char first_mask[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
  *at += length ? length : 1;
  if (!length) return 0xfffd;
  uint32_t code_point = (unsigned char)bytes[0] & first_mask[length];
  for (size_t i = 1; i < length; i++) code_point = code_point << 6 | ((unsigned char)bytes[i] & 0x3f);
  return code_point;
}

void ew_utf8_add(struct ew_text *text, uint32_t c) {
  if (c < 0x80) {
    ew_text_add_char(text, (char)c);
  } else if (c < 0x800) {
    ew_text_add_bytes(text, (char[]){(char)(0xc0 | c >> 6), (char)(0x80 | (c & 0x3f))}, 2);
  } else if (c < 0x10000) {
    ew_text_add_bytes(text, (char[]){(char)(0xe0 | c >> 12), (char)(0x80 | (c >> 6 & 0x3f)), (char)(0x80 | (c & 0x3f))},
                      3);
  } else {
    ew_text_add_bytes(text,
                      (char[]){(char)(0xf0 | c >> 18), (char)(0x80 | (c >> 12 & 0x3f)), (char)(0x80 | (c >> 6 & 0x3f)),
                               (char)(0x80 | (c & 0x3f))},
                      4);
  }
}

size_t ew_utf8_count(struct ew_span text) {
  size_t count = 0;
  for (size_t at = 0; at < text.length; count++) ew_utf8_next(text, &at);
  return count;
}
