/* function_string.c: strings. A character is a code point; positions count characters. */
#include "base/utf8.h"
#include "model/function.h"
#include "model/letters.h"

#define FUNCTION(suffix) \
  struct ew_value ew_function_##suffix(struct ew_execution *run, const struct ew_value *arguments, size_t count)

/* False (and failed) where one is no string. A step for each 64 bytes. */
static bool are_strings(struct ew_execution *run, const struct ew_value *arguments, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (arguments[i].kind != EW_VALUE_STRING) {
      ew_run_fail(run, EW_FAULT_ARGUMENT_VALUE, "a string is wanted, no %s", ew_kind_text(arguments[i]));
      return false;
    }
    if (!ew_run_spend(run, arguments[i].string.length / 64)) return false;
  }
  return true;
}

/* A text built piece by piece becomes a value; the text is released. */
static struct ew_value finish(struct ew_execution *run, struct ew_text *text) {
  struct ew_value value = ew_run_string(run, ew_text_span(text));
  ew_text_release(text);
  return value;
}

static struct ew_value part(struct ew_span text, size_t from, size_t to) {
  return ew_string((struct ew_span){from ? text.bytes + from : text.bytes, to - from});
}

/* ---- letters ---- */

static struct ew_value map_letters(struct ew_execution *run, struct ew_value string, bool upper) {
  struct ew_text text = {0};
  for (size_t at = 0; at < string.string.length;) {
    unsigned char byte = (unsigned char)string.string.bytes[at];
    if (byte >= 0x80 && !run->semantics->case_of_ascii_only) {
      if (!ew_letter_map(ew_utf8_next(string.string, &at), upper, &text)) ew_run_is_open(run, EW_OPEN_UNDEFINED);
      continue;
    }
    bool letter = upper ? byte >= 'a' && byte <= 'z' : byte >= 'A' && byte <= 'Z';
    ew_text_add_char(&text, (char)(letter ? byte ^ 0x20 : byte));
    at++;
  }
  return finish(run, &text);
}

FUNCTION(to_lower) { return are_strings(run, arguments, count) ? map_letters(run, arguments[0], false) : ew_null(); }
FUNCTION(to_upper) { return are_strings(run, arguments, count) ? map_letters(run, arguments[0], true) : ew_null(); }

/* ---- white space ---- */

/* White space, or one of `set` where there is one. What engines call white space beyond ASCII differs. */
static bool is_trimmed(struct ew_execution *run, uint32_t character, const struct ew_span *set) {
  if (!set) {
    if (character == ' ') return true;
    bool space = character >= '\t' && character <= '\r';
    if (character == 0x85 || character == 0xa0 || character == 0x1680 || (character >= 0x1c && character <= 0x1f) ||
        (character >= 0x2000 && character <= 0x202f) || character == 0x205f || character == 0x3000)
      ew_run_is_open(run, EW_OPEN_UNDEFINED);
    return space && !run->semantics->trim_only_blanks;
  }
  for (size_t at = 0; at < set->length;)
    if (ew_utf8_next(*set, &at) == character) return true;
  return false;
}

static struct ew_value trim(struct ew_execution *run, const struct ew_value *arguments, size_t count, bool start,
                            bool end) {
  if (!are_strings(run, arguments, count)) return ew_null();
  struct ew_span text = arguments[0].string;
  const struct ew_span *set = count > 1 ? &arguments[1].string : NULL;
  size_t from = 0, to = text.length;
  while (start && from < to && ew_run_spend(run, 1)) {
    size_t next = from;
    if (!is_trimmed(run, ew_utf8_next(text, &next), set)) break;
    from = next;
  }
  while (end && from < to && ew_run_spend(run, 1)) {
    size_t last = to - 1;
    while (last > from && ((unsigned char)text.bytes[last] & 0xc0) == 0x80) last--;
    size_t next = last;
    if (!is_trimmed(run, ew_utf8_next(text, &next), set)) break;
    to = last;
  }
  return part(text, from, to);
}

FUNCTION(trim) { return trim(run, arguments, count, true, true); }
FUNCTION(left_trim) { return trim(run, arguments, count, true, false); }
FUNCTION(right_trim) { return trim(run, arguments, count, false, true); }

/* ---- parts ---- */

/* The byte where character number `characters` begins, at most the length. */
static size_t byte_at(struct ew_span text, int64_t characters) {
  size_t at = 0;
  for (; characters > 0 && at < text.length; characters--) (void)ew_utf8_next(text, &at);
  return at;
}

/* False (and failed) where an argument is no integer from 0. */
static bool is_count(struct ew_execution *run, struct ew_value value) {
  if (value.kind == EW_VALUE_INTEGER && value.integer >= 0) return true;
  bool integer = value.kind == EW_VALUE_INTEGER;
  ew_run_fail(run, integer ? EW_FAULT_NUMBER_RANGE : EW_FAULT_ARGUMENT_VALUE,
              "a position or length that is not 0, 1, 2 …");
  return false;
}

FUNCTION(left) {
  (void)count;
  if (!are_strings(run, arguments, 1) || !is_count(run, arguments[1])) return ew_null();
  return part(arguments[0].string, 0, byte_at(arguments[0].string, arguments[1].integer));
}

FUNCTION(right) {
  (void)count;
  if (!are_strings(run, arguments, 1) || !is_count(run, arguments[1])) return ew_null();
  struct ew_span text = arguments[0].string;
  int64_t length = (int64_t)ew_utf8_count(text);
  return part(text, arguments[1].integer >= length ? 0 : byte_at(text, length - arguments[1].integer), text.length);
}

FUNCTION(substring) {
  if (!are_strings(run, arguments, 1) || !is_count(run, arguments[1]) || (count > 2 && !is_count(run, arguments[2])))
    return ew_null();
  struct ew_span text = arguments[0].string;
  size_t from = byte_at(text, arguments[1].integer);
  struct ew_span rest = part(text, from, text.length).string;
  return part(rest, 0, count > 2 ? byte_at(rest, arguments[2].integer) : rest.length);
}

/* Where `wanted`, which is not empty, begins behind `from`; the length where it does not. */
static size_t find(struct ew_span text, size_t from, struct ew_span wanted) {
  if (from >= text.length) return text.length;
  const char *found = memmem(text.bytes + from, text.length - from, wanted.bytes, wanted.length);
  return found ? (size_t)(found - text.bytes) : text.length;
}

FUNCTION(replace) {
  if (!are_strings(run, arguments, count)) return ew_null();
  struct ew_span source = arguments[0].string, old = arguments[1].string, new = arguments[2].string;
  if (!old.length) {
    ew_run_is_open(run, EW_OPEN_UNDEFINED); /* Java puts the new text between all characters, others leave it */
    return arguments[0];
  }
  struct ew_text text = {0};
  size_t from = 0, at;
  for (; (at = find(source, from, old)) < source.length && ew_run_spend(run, 1); from = at + old.length) {
    ew_text_add_bytes(&text, source.bytes + from, at - from);
    ew_text_add(&text, new);
    if (text.length > run->bytes_max) break; /* finish() says that it is too large */
  }
  ew_text_add(&text, part(source, from, source.length).string);
  return finish(run, &text);
}

/* ---- lists of strings ---- */

static struct ew_value split_characters(struct ew_execution *run, struct ew_span text) {
  ew_run_is_open(run, EW_OPEN_UNDEFINED);
  size_t length = ew_utf8_count(text);
  struct ew_value *items = ew_run_spend(run, length) ? ew_run_take(run, length, sizeof *items) : NULL;
  if (!items) return ew_null();
  for (size_t i = 0, at = 0; i < length; i++) {
    size_t from = at;
    (void)ew_utf8_next(text, &at);
    items[i] = part(text, from, at);
  }
  return ew_run_list(run, items, length);
}

FUNCTION(split) {
  if (!are_strings(run, arguments, count)) return ew_null();
  struct ew_span text = arguments[0].string, separator = arguments[1].string;
  if (!separator.length) return split_characters(run, text);
  size_t pieces = 1;
  for (size_t at = 0; (at = find(text, at, separator)) < text.length; at += separator.length) pieces++;
  struct ew_value *items = ew_run_spend(run, pieces) ? ew_run_take(run, pieces, sizeof *items) : NULL;
  if (!items) return ew_null();
  for (size_t i = 0, from = 0; i < pieces; i++) {
    size_t to = i + 1 < pieces ? find(text, from, separator) : text.length;
    items[i] = part(text, from, to);
    from = to + separator.length;
  }
  return ew_run_list(run, items, pieces);
}

/* FalkorDB's string.join(list, separator). */
FUNCTION(string_join) {
  if (arguments[0].kind != EW_VALUE_LIST || (count > 1 && arguments[1].kind != EW_VALUE_STRING))
    return ew_run_fail(run, EW_FAULT_ARGUMENT_VALUE, "string.join() takes a list and a string");
  struct ew_values list = arguments[0].list;
  if (!are_strings(run, list.items, list.count)) return ew_null();
  struct ew_text text = {0};
  for (size_t i = 0; i < list.count && ew_run_spend(run, 1) && text.length <= run->bytes_max; i++) {
    if (i && count > 1) ew_text_add(&text, arguments[1].string);
    ew_text_add(&text, list.items[i].string);
  }
  return finish(run, &text);
}

/* ---- the rest ---- */

FUNCTION(char_length) {
  if (!are_strings(run, arguments, count)) return ew_null();
  return ew_integer((int64_t)ew_utf8_count(arguments[0].string));
}

struct ew_value ew_string_reverse(struct ew_execution *run, struct ew_span text) {
  char *bytes = ew_run_spend(run, text.length / 64) ? ew_run_take(run, text.length, 1) : NULL;
  if (!bytes) return ew_null();
  for (size_t at = 0; at < text.length;) {
    size_t from = at;
    (void)ew_utf8_next(text, &at);
    memcpy(bytes + text.length - at, text.bytes + from, at - from);
  }
  return ew_string((struct ew_span){bytes, text.length});
}

/* Text of plain ASCII has one form only; of other text the model knows nothing. */
FUNCTION(normalize) {
  if (!are_strings(run, arguments, count)) return ew_null();
  for (size_t i = 0; i < arguments[0].string.length; i++)
    if ((unsigned char)arguments[0].string.bytes[i] >= 0x80)
      return ew_run_fail(run, EW_FAULT_UNSUPPORTED, "the model has no Unicode normal forms");
  return arguments[0];
}

/* Memgraph's functions for the operators. */
FUNCTION(starts_with) {
  return are_strings(run, arguments, count) ? ew_boolean(ew_span_starts(arguments[0].string, arguments[1].string))
                                            : ew_null();
}

FUNCTION(ends_with) {
  if (!are_strings(run, arguments, count)) return ew_null();
  struct ew_span text = arguments[0].string, wanted = arguments[1].string;
  if (wanted.length > text.length) return ew_boolean(false);
  return ew_boolean(ew_span_equal((struct ew_span){text.bytes + text.length - wanted.length, wanted.length}, wanted));
}
