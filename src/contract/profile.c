/* profile.c: reading profile.ini with libinih, one handler per section. */
#include "contract/profile.h"

#include <ini.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/vector.h"

enum { LINE_LIMIT = 190, FILE_LIMIT = 1 << 20 };

struct reader {
  struct ew_profile *profile;
  EW_VECTOR(struct ew_signature) functions;
  EW_VECTOR(struct ew_error_pattern) errors;
  EW_VECTOR(struct ew_option) settings;
  EW_VECTOR(struct ew_known_bug) known;
  char reason[160]; /* why the last line was refused */
};

typedef bool (*section_reader)(struct reader *reader, struct ew_span name, struct ew_span value);

static bool refuse(struct reader *reader, const char *format, ...) EW_FORMAT(2, 3);
static bool refuse(struct reader *reader, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(reader->reason, sizeof reader->reason, format, arguments);
  va_end(arguments);
  return false;
}

static struct ew_span keep(struct reader *reader, struct ew_span text) {
  return ew_arena_copy(&reader->profile->arena, text);
}

static struct ew_span trim(struct ew_span text) {
  while (text.length && strchr(" \t", text.bytes[0])) text = (struct ew_span){text.bytes + 1, text.length - 1};
  while (text.length && strchr(" \t", text.bytes[text.length - 1])) text.length--;
  return text;
}

/* The part of `*rest` before `separator`, trimmed; `*rest` moves behind it. False when nothing is left. */
static bool next_part(struct ew_span *rest, char separator, struct ew_span *part) {
  if (!rest->length) return false;
  const char *end = memchr(rest->bytes, separator, rest->length);
  size_t length = end ? (size_t)(end - rest->bytes) : rest->length;
  *part = trim((struct ew_span){rest->bytes, length});
  size_t skipped = end ? length + 1 : length;
  *rest = (struct ew_span){rest->bytes + skipped, rest->length - skipped};
  return true;
}

static bool read_engine(struct reader *reader, struct ew_span name, struct ew_span value) {
  struct ew_profile *profile = reader->profile;
  const struct {
    const char *name;
    struct ew_span *place;
  } keys[] = {
      {"name", &profile->name},       {"language", &profile->language}, {"adapter", &profile->adapter},
      {"library", &profile->library}, {"package", &profile->package},   {"default_version", &profile->default_version},
      {"shell", &profile->shell},     {"purpose", &profile->purpose},
  };
  for (size_t i = 0; i < EW_COUNT(keys); i++) {
    if (!ew_span_is(name, keys[i].name)) continue;
    *keys[i].place = keep(reader, value);
    return true;
  }
  return refuse(reader, "[engine] has no key '%.*s'", EW_SPAN_ARGS(name));
}

static bool read_has(struct reader *reader, struct ew_span group, struct ew_span value) {
  static const char *const groups[] = {"clauses", "patterns", "expressions", "operators", "types"};
  bool known = false;
  for (size_t i = 0; i < EW_COUNT(groups); i++) known = known || ew_span_is(group, groups[i]);
  if (!known) return refuse(reader, "[has] has no group '%.*s'", EW_SPAN_ARGS(group));
  struct ew_span name;
  while (next_part(&value, ',', &name)) {
    if (!name.length) continue;
    struct ew_span key =
        ew_arena_format(&reader->profile->arena, "%.*s %.*s", EW_SPAN_ARGS(group), EW_SPAN_ARGS(name));
    ew_map_add(&reader->profile->has, key, NULL);
  }
  return true;
}

static bool is_type_name(struct ew_span text) {
  for (size_t i = 0; i < text.length; i++)
    if (!(text.bytes[i] >= 'A' && text.bytes[i] <= 'Z') && text.bytes[i] != '_') return false;
  return text.length > 0;
}

static bool read_signature(struct reader *reader, struct ew_span name, struct ew_span text) {
  struct ew_signature signature = {.name = keep(reader, name)};
  const char *closing = memchr(text.bytes, ')', text.length);
  if (!text.length || text.bytes[0] != '(' || !closing)
    return refuse(reader, "a signature such as (STRING, INTEGER) -> STRING expected");
  struct ew_span arguments = {text.bytes + 1, (size_t)(closing - text.bytes) - 1}, type;
  struct ew_span result = trim((struct ew_span){closing + 1, text.length - (size_t)(closing + 1 - text.bytes)});
  while (next_part(&arguments, ',', &type)) {
    if (signature.argument_count == EW_SIGNATURE_MAX) return refuse(reader, "at most %d arguments", EW_SIGNATURE_MAX);
    if (!is_type_name(type)) return refuse(reader, "'%.*s' is no type", EW_SPAN_ARGS(type));
    signature.arguments[signature.argument_count++] = keep(reader, type);
  }
  if (!ew_span_starts(result, EW_SPAN("->"))) return refuse(reader, "'->' and the type of the result expected");
  result = trim((struct ew_span){result.bytes + 2, result.length - 2});
  if (!is_type_name(result)) return refuse(reader, "'%.*s' is no type", EW_SPAN_ARGS(result));
  signature.result = keep(reader, result);
  *ew_arena_vector_push(&reader->profile->arena, &reader->functions) = signature;
  return true;
}

static bool read_function(struct reader *reader, struct ew_span name, struct ew_span value) {
  struct ew_span signature;
  while (next_part(&value, '|', &signature))
    if (!read_signature(reader, name, signature)) return false;
  return true;
}

static bool read_knob(struct reader *reader, struct ew_span name, struct ew_span value) {
  char *end;
  long setting = strtol(value.bytes, &end, 10);
  if (!value.length || end != value.bytes + value.length || setting < INT32_MIN || setting > INT32_MAX)
    return refuse(reader, "a whole number expected for '%.*s'", EW_SPAN_ARGS(name));
  if (ew_semantics_set(&reader->profile->semantics, name, (int32_t)setting)) return true;
  return refuse(reader, "no knob is called '%.*s'; see value/semantics.def", EW_SPAN_ARGS(name));
}

static bool read_error(struct reader *reader, struct ew_span name, struct ew_span value) {
  static const struct {
    struct ew_span prefix;
    enum ew_error_class class;
  } classes[] = {
      {{"refused.", 8}, EW_ERROR_REFUSED},
      {{"expected.", 9}, EW_ERROR_EXPECTED},
      {{"transient.", 10}, EW_ERROR_TRANSIENT},
  };
  for (size_t i = 0; i < EW_COUNT(classes); i++) {
    if (!ew_span_starts(name, classes[i].prefix) || name.length == classes[i].prefix.length) continue;
    struct ew_span reason = {name.bytes + classes[i].prefix.length, name.length - classes[i].prefix.length};
    *ew_arena_vector_push(&reader->profile->arena, &reader->errors) =
        (struct ew_error_pattern){classes[i].class, keep(reader, reason), keep(reader, value)};
    return true;
  }
  return refuse(reader, "refused.REASON, expected.REASON or transient.REASON expected, not '%.*s'", EW_SPAN_ARGS(name));
}

static bool read_setting(struct reader *reader, struct ew_span name, struct ew_span value) {
  *ew_arena_vector_push(&reader->profile->arena, &reader->settings) =
      (struct ew_option){keep(reader, name), keep(reader, value)};
  return true;
}

static bool read_known(struct reader *reader, struct ew_span name, struct ew_span value) {
  *ew_arena_vector_push(&reader->profile->arena, &reader->known) =
      (struct ew_known_bug){keep(reader, name), keep(reader, value)};
  return true;
}

static int handle_line(void *context, const char *section, const char *name, const char *value) {
  static const struct {
    const char *name;
    section_reader read;
  } sections[] = {
      {"engine", read_engine},   {"has", read_has},           {"functions", read_function}, {"semantics", read_knob},
      {"errors", read_error},    {"settings", read_setting},  {"known", read_known},
  };
  struct reader *reader = context;
  for (size_t i = 0; i < EW_COUNT(sections); i++) {
    if (strcmp(section, sections[i].name) != 0) continue;
    return sections[i].read(reader, ew_span_of(name), ew_span_of(value ? value : ""));
  }
  refuse(reader, "no section is called [%s]", section);
  return 0;
}

/* libinih cuts long lines without a word, so they are refused before it sees them; so is a NUL. */
static enum ew_status check_lines(const char *path, struct ew_span text, struct ew_error *error) {
  size_t line = 1, start = 0;
  for (size_t i = 0; i <= text.length; i++) {
    if (i < text.length && text.bytes[i] == '\0') return ew_fail(error, EW_BAD, "%s:%zu: a NUL byte", path, line);
    if (i < text.length && text.bytes[i] != '\n') continue;
    if (i - start > LINE_LIMIT)
      return ew_fail(error, EW_BAD, "%s:%zu: the line has more than %d bytes; go on in an indented line", path, line,
                     LINE_LIMIT);
    start = i + 1;
    line++;
  }
  return EW_OK;
}

enum ew_status ew_profile_parse(struct ew_profile *profile, const char *path, struct ew_span text,
                                struct ew_error *error) {
  *profile = (struct ew_profile){.semantics = ew_semantics_standard, .hash = ew_hash_span(text, 0)};
  ew_arena_init(&profile->arena);
  ew_map_init(&profile->has);
  struct reader reader = {.profile = profile};
  profile->path = keep(&reader, ew_span_of(path));
  enum ew_status status = check_lines(path, text, error);
  if (status) return status;
  int line = ini_parse_string(ew_arena_string(&profile->arena, text), handle_line, &reader);
  if (line)
    return ew_fail(error, EW_BAD, "%s:%d: %s", path, line, reader.reason[0] ? reader.reason : "not 'name = value'");
  if (!profile->name.length || !profile->language.length)
    return ew_fail(error, EW_BAD, "%s: [engine] must have name and language", path);
  profile->functions = reader.functions.items;
  profile->function_count = reader.functions.count;
  profile->errors = reader.errors.items;
  profile->error_count = reader.errors.count;
  profile->settings = reader.settings.items;
  profile->setting_count = reader.settings.count;
  profile->known = reader.known.items;
  profile->known_count = reader.known.count;
  return EW_OK;
}

enum ew_status ew_profile_read(struct ew_profile *profile, const char *path, struct ew_error *error) {
  struct ew_text text = {0};
  *profile = (struct ew_profile){0};
  enum ew_status status = ew_file_read(path, FILE_LIMIT, &text, error);
  if (!status) status = ew_profile_parse(profile, path, ew_text_span(&text), error);
  ew_text_release(&text);
  return status;
}

void ew_profile_release(struct ew_profile *profile) {
  ew_map_release(&profile->has);
  ew_arena_release(&profile->arena);
}

bool ew_profile_has(const struct ew_profile *profile, const char *group, const char *name) {
  char key[128];
  int length = snprintf(key, sizeof key, "%s %s", group, name);
  if (length < 0 || (size_t)length >= sizeof key) return false;
  return ew_map_find(&profile->has, (struct ew_span){key, (size_t)length}) != NULL;
}

struct ew_span ew_profile_setting(const struct ew_profile *profile, const char *name, struct ew_span otherwise) {
  for (size_t i = 0; i < profile->setting_count; i++)
    if (ew_span_is(profile->settings[i].name, name)) return profile->settings[i].setting;
  return otherwise;
}

/* After a star fails, only the last star is tried again further right: quadratic at worst. */
bool ew_pattern_matches(struct ew_span pattern, struct ew_span text) {
  size_t p = 0, t = 0, star = SIZE_MAX, resume = 0;
  while (t < text.length) {
    if (p < pattern.length && pattern.bytes[p] == '*') {
      star = p++;
      resume = t;
    } else if (p < pattern.length && pattern.bytes[p] == text.bytes[t]) {
      p++;
      t++;
    } else if (star != SIZE_MAX) {
      p = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  while (p < pattern.length && pattern.bytes[p] == '*') p++;
  return p == pattern.length;
}

enum ew_error_class ew_profile_classify(const struct ew_profile *profile, struct ew_span text, struct ew_span *reason) {
  for (size_t i = 0; i < profile->error_count; i++) {
    if (!ew_pattern_matches(profile->errors[i].pattern, text)) continue;
    *reason = profile->errors[i].reason;
    return profile->errors[i].class;
  }
  *reason = EW_SPAN("");
  return EW_ERROR_UNEXPECTED;
}
