/* profile.c: reading profile.ini with libinih, one handler per section. */
#include "contract/profile.h"

#include <ini.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/vector.h"

enum { LINE_LIMIT = 190, FILE_LIMIT = 1 << 16, EXTENDS_LIMIT = 4 /* files deep */ };

const char *const ew_profile_groups[] = {"clauses", "patterns",   "expressions", "operators", "types",
                                         "schema",  "procedures", "functions",   NULL};

struct reader {
  struct ew_profile *profile;
  EW_VECTOR(struct ew_construct) constructs;
  EW_VECTOR(struct ew_signature) functions;
  EW_VECTOR(struct ew_spelling) spellings;
  EW_VECTOR(struct ew_template) templates;
  EW_VECTOR(struct ew_error_pattern) errors;
  EW_VECTOR(struct ew_span) raised;
  EW_VECTOR(struct ew_option) settings;
  EW_VECTOR(struct ew_known_bug) known;
  struct ew_span rest; /* of the file that is being read */
  struct ew_line at;
  size_t depth, keys;   /* of files that extend each other; that this file has had so far */
  char reason[160];     /* why the last line was refused */
  struct ew_error base; /* what is wrong with the file that this one extends */
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

static bool read_base(struct reader *reader, struct ew_span value);

static bool read_engine(struct reader *reader, struct ew_span name, struct ew_span value) {
  struct ew_profile *profile = reader->profile;
  if (ew_span_is(name, "extends")) return read_base(reader, value);
  const struct {
    const char *name;
    struct ew_span *place;
  } keys[] = {
      {"name", &profile->name},       {"language", &profile->language}, {"adapter", &profile->adapter},
      {"library", &profile->library}, {"package", &profile->package},   {"default_version", &profile->default_version},
      {"shell", &profile->shell},     {"oracles", &profile->oracles},   {"purpose", &profile->purpose},
  };
  for (size_t i = 0; i < EW_COUNT(keys); i++) {
    if (!ew_span_is(name, keys[i].name)) continue;
    *keys[i].place = keep(reader, value);
    return true;
  }
  return refuse(reader, "[engine] has no key '%.*s'", EW_SPAN_ARGS(name));
}

/* ---- [has] and [lacks] ---- */

static bool is_group(struct reader *reader, const char *section, struct ew_span group) {
  for (size_t i = 0; ew_profile_groups[i]; i++)
    if (ew_span_is(group, ew_profile_groups[i])) return true;
  return refuse(reader, "[%s] has no group '%.*s'", section, EW_SPAN_ARGS(group));
}

/* Its place in the map: 1 + its index in the list, or 0 where it is not (or no longer) there. */
static uint64_t *place_of(struct reader *reader, struct ew_span group, struct ew_span name) {
  struct ew_span key = ew_arena_format(&reader->profile->arena, "%.*s %.*s", EW_SPAN_ARGS(group), EW_SPAN_ARGS(name));
  return &ew_map_add(&reader->profile->has, key, NULL)->number;
}

static bool read_has(struct reader *reader, struct ew_span group, struct ew_span value) {
  if (!is_group(reader, "has", group)) return false;
  struct ew_span name;
  while (next_part(&value, ',', &name)) {
    uint64_t *place = name.length ? place_of(reader, group, name) : NULL;
    if (!place || *place) continue;
    *ew_arena_vector_push(&reader->profile->arena, &reader->constructs) =
        (struct ew_construct){keep(reader, group), keep(reader, name), reader->at};
    *place = reader->constructs.count;
  }
  return true;
}

/* Takes all signatures of a function away; false where it has none. */
static bool forget_function(struct reader *reader, struct ew_span name) {
  size_t kept = 0, count = reader->functions.count;
  for (size_t i = 0; i < count; i++)
    if (!ew_span_equal(reader->functions.items[i].name, name))
      reader->functions.items[kept++] = reader->functions.items[i];
  reader->functions.count = kept;
  return kept < count;
}

static bool read_lacks(struct reader *reader, struct ew_span group, struct ew_span value) {
  if (!is_group(reader, "lacks", group)) return false;
  struct ew_span name;
  while (next_part(&value, ',', &name)) {
    if (!name.length) continue;
    if (ew_span_is(group, "functions") && forget_function(reader, name)) continue;
    uint64_t *place = place_of(reader, group, name);
    if (!*place) return refuse(reader, "'%.*s' is not there to be taken away", EW_SPAN_ARGS(name));
    reader->constructs.items[*place - 1].name = EW_SPAN("");
    *place = 0;
  }
  return true;
}

/* ---- the other sections ---- */

static bool is_type_name(struct ew_span text) {
  for (size_t i = 0; i < text.length; i++)
    if (!(text.bytes[i] >= 'A' && text.bytes[i] <= 'Z') && text.bytes[i] != '_') return false;
  return text.length > 0;
}

static bool read_signature(struct reader *reader, struct ew_span name, struct ew_span text) {
  struct ew_signature signature = {.name = keep(reader, name), .at = reader->at};
  const char *closing = memchr(text.bytes, ')', text.length);
  if (!text.length || text.bytes[0] != '(' || !closing)
    return refuse(reader, "a signature such as (STRING, INTEGER) -> STRING expected");
  struct ew_span arguments = {text.bytes + 1, (size_t)(closing - text.bytes) - 1}, type;
  struct ew_span result = trim((struct ew_span){closing + 1, text.length - (size_t)(closing + 1 - text.bytes)});
  while (next_part(&arguments, ',', &type)) {
    if (signature.argument_count == EW_SIGNATURE_MAX) return refuse(reader, "at most %d arguments", EW_SIGNATURE_MAX);
    if (signature.more) return refuse(reader, "nothing may follow '...'");
    if (type.length > 3 && memcmp(type.bytes + type.length - 3, "...", 3) == 0) {
      signature.more = true;
      type = trim((struct ew_span){type.bytes, type.length - 3});
    }
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

/* What a file says of a function replaces what the file that it extends says. */
static bool is_inherited(const struct reader *reader, struct ew_span name) {
  for (size_t i = 0; i < reader->functions.count; i++)
    if (ew_span_equal(reader->functions.items[i].name, name))
      return !ew_span_equal(reader->functions.items[i].at.path, reader->at.path);
  return false;
}

static bool read_function(struct reader *reader, struct ew_span name, struct ew_span value) {
  struct ew_span signature;
  if (is_inherited(reader, name)) forget_function(reader, name);
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
  if (ew_span_starts(name, EW_SPAN("raised."))) {
    *ew_arena_vector_push(&reader->profile->arena, &reader->raised) = keep(reader, value);
    return true;
  }
  for (size_t i = 0; i < EW_COUNT(classes); i++) {
    if (!ew_span_starts(name, classes[i].prefix) || name.length == classes[i].prefix.length) continue;
    struct ew_span reason = {name.bytes + classes[i].prefix.length, name.length - classes[i].prefix.length};
    *ew_arena_vector_push(&reader->profile->arena, &reader->errors) =
        (struct ew_error_pattern){classes[i].class, keep(reader, reason), keep(reader, value)};
    return true;
  }
  return refuse(reader, "refused.REASON, expected.REASON, transient.REASON or raised.REASON expected, not '%.*s'",
                EW_SPAN_ARGS(name));
}

static bool read_setting(struct reader *reader, struct ew_span name, struct ew_span value) {
  *ew_arena_vector_push(&reader->profile->arena, &reader->settings) =
      (struct ew_option){keep(reader, name), keep(reader, value)};
  return true;
}

/* Adapters get them among the settings, as "server.KEY". */
static bool read_server(struct reader *reader, struct ew_span name, struct ew_span value) {
  static const char *const keys[] = {"program",    "arguments", "ready",     "start_time", "memory_limit",
                                     "file_limit", "crashed",   "exhausted", "stop",       "fresh",
                                     "scenes",     "databases", "scheme"};
  bool known = ew_span_starts(name, EW_SPAN("environment.")) || ew_span_starts(name, EW_SPAN("file."));
  for (size_t i = 0; i < EW_COUNT(keys) && !known; i++) known = ew_span_is(name, keys[i]);
  if (!known) return refuse(reader, "[server] has no key '%.*s'", EW_SPAN_ARGS(name));
  struct ew_span full = ew_arena_format(&reader->profile->arena, "server.%.*s", EW_SPAN_ARGS(name));
  *ew_arena_vector_push(&reader->profile->arena, &reader->settings) = (struct ew_option){full, keep(reader, value)};
  return true;
}

static bool read_known(struct reader *reader, struct ew_span name, struct ew_span value) {
  *ew_arena_vector_push(&reader->profile->arena, &reader->known) =
      (struct ew_known_bug){keep(reader, name), keep(reader, value)};
  return true;
}

static bool read_spelling(struct reader *reader, struct ew_span name, struct ew_span value) {
  *ew_arena_vector_push(&reader->profile->arena, &reader->spellings) =
      (struct ew_spelling){keep(reader, name), keep(reader, value), reader->at};
  return true;
}

static bool read_template(struct reader *reader, struct ew_span name, struct ew_span value) {
  struct ew_span result;
  if (!memchr(value.bytes, ':', value.length) || !next_part(&value, ':', &result) || !is_type_name(result))
    return refuse(reader, "a type or CLAUSE, a colon and the text expected");
  *ew_arena_vector_push(&reader->profile->arena, &reader->templates) =
      (struct ew_template){keep(reader, name), keep(reader, result), keep(reader, trim(value)), reader->at};
  return true;
}

/* ---- files ---- */

static int handle_line(void *context, const char *section, const char *name, const char *value) {
  static const struct {
    const char *name;
    section_reader read;
  } sections[] = {
      {"engine", read_engine},      {"has", read_has},        {"lacks", read_lacks},
      {"functions", read_function}, {"semantics", read_knob}, {"spelling", read_spelling},
      {"templates", read_template}, {"errors", read_error},   {"settings", read_setting},
      {"server", read_server},      {"known", read_known},
  };
  struct reader *reader = context;
  for (size_t i = 0; i < EW_COUNT(sections); i++) {
    if (strcmp(section, sections[i].name) != 0) continue;
    bool accepted = sections[i].read(reader, ew_span_of(name), ew_span_of(value ? value : ""));
    reader->keys++;
    return accepted;
  }
  refuse(reader, "no section is called [%s]", section);
  return 0;
}

/* Gives libinih the next line, as fgets would, and counts it. */
static char *next_line(char *buffer, int size, void *stream) {
  struct reader *reader = stream;
  if (!reader->rest.length || size < 2) return NULL;
  const char *end = memchr(reader->rest.bytes, '\n', reader->rest.length);
  size_t length = end ? (size_t)(end - reader->rest.bytes) + 1 : reader->rest.length;
  if (length > (size_t)size - 1) length = (size_t)size - 1;
  memcpy(buffer, reader->rest.bytes, length);
  buffer[length] = '\0';
  reader->rest = (struct ew_span){reader->rest.bytes + length, reader->rest.length - length};
  reader->at.number++;
  return buffer;
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

static enum ew_status read_text(struct reader *reader, const char *path, struct ew_span text, struct ew_error *error) {
  if (text.length > FILE_LIMIT) return ew_fail(error, EW_LIMIT, "%s: more than %d bytes", path, FILE_LIMIT);
  enum ew_status status = check_lines(path, text, error);
  if (status) return status;
  reader->profile->hash = ew_hash_span(text, reader->profile->hash);
  reader->rest = text;
  reader->at = (struct ew_line){keep(reader, ew_span_of(path)), 0};
  reader->keys = 0;
  int line = ini_parse_stream(next_line, reader, handle_line, reader);
  if (!line) return EW_OK;
  if (reader->base.text[0]) return error == &reader->base ? EW_BAD : ew_fail(error, EW_BAD, "%s", reader->base.text);
  return ew_fail(error, EW_BAD, "%s:%d: %s", path, line, reader->reason[0] ? reader->reason : "not 'name = value'");
}

static enum ew_status read_file(struct reader *reader, const char *path, struct ew_error *error) {
  struct ew_text text = {0};
  enum ew_status status = ew_file_read(path, FILE_LIMIT, &text, error);
  if (!status) status = read_text(reader, path, ew_text_span(&text), error);
  ew_text_release(&text);
  return status;
}

/* `extends`: the other file of the same folder is read at once, so that what follows here comes on top of it. */
static bool read_base(struct reader *reader, struct ew_span value) {
  struct ew_text path = {0};
  struct ew_span own = reader->at.path;
  if (reader->keys) return refuse(reader, "'extends' must be the first key of the file");
  if (!value.length || memchr(value.bytes, '/', value.length))
    return refuse(reader, "the name of a file in the same folder expected");
  if (++reader->depth > EXTENDS_LIMIT) return refuse(reader, "more than %d files extend each other", EXTENDS_LIMIT);
  const char *slash = memrchr(own.bytes, '/', own.length);
  ew_text_add(&path, (struct ew_span){own.bytes, slash ? (size_t)(slash - own.bytes) + 1 : 0});
  ew_text_add(&path, value);
  struct ew_span rest = reader->rest;
  struct ew_line at = reader->at;
  enum ew_status status = read_file(reader, path.bytes, &reader->base);
  reader->rest = rest;
  reader->at = at;
  ew_text_release(&path);
  return status == EW_OK;
}

static enum ew_status finish(struct reader *reader, const char *path, struct ew_error *error) {
  struct ew_profile *profile = reader->profile;
  size_t kept = 0;
  for (size_t i = 0; i < reader->constructs.count; i++)
    if (reader->constructs.items[i].name.length) reader->constructs.items[kept++] = reader->constructs.items[i];
  reader->constructs.count = kept;
#define TAKE(list, number) profile->list = reader->list.items, profile->number = reader->list.count
  TAKE(constructs, construct_count);
  TAKE(functions, function_count);
  TAKE(spellings, spelling_count);
  TAKE(templates, template_count);
  TAKE(errors, error_count);
  TAKE(raised, raised_count);
  TAKE(settings, setting_count);
  TAKE(known, known_count);
#undef TAKE
  if (!profile->name.length || !profile->language.length)
    return ew_fail(error, EW_BAD, "%s: [engine] must have name and language", path);
  return EW_OK;
}

static struct reader begin(struct ew_profile *profile, const char *path) {
  *profile = (struct ew_profile){.semantics = ew_semantics_standard};
  ew_arena_init(&profile->arena);
  ew_map_init(&profile->has);
  profile->path = ew_arena_copy(&profile->arena, ew_span_of(path));
  return (struct reader){.profile = profile};
}

enum ew_status ew_profile_parse(struct ew_profile *profile, const char *path, struct ew_span text,
                                struct ew_error *error) {
  struct reader reader = begin(profile, path);
  enum ew_status status = read_text(&reader, path, text, error);
  return status ? status : finish(&reader, path, error);
}

enum ew_status ew_profile_read(struct ew_profile *profile, const char *path, struct ew_error *error) {
  struct reader reader = begin(profile, path);
  enum ew_status status = read_file(&reader, path, error);
  return status ? status : finish(&reader, path, error);
}

void ew_profile_release(struct ew_profile *profile) {
  ew_map_release(&profile->has);
  ew_arena_release(&profile->arena);
}

bool ew_profile_has(const struct ew_profile *profile, const char *group, const char *name) {
  char key[128];
  int length = snprintf(key, sizeof key, "%s %s", group, name);
  if (length < 0 || (size_t)length >= sizeof key) return false;
  const union ew_map_value *place = ew_map_find(&profile->has, (struct ew_span){key, (size_t)length});
  return place && place->number;
}

size_t ew_profile_take_away(struct ew_profile *profile, struct ew_span name) {
  struct ew_signature *functions = EW_NEW_ARRAY(&profile->arena, struct ew_signature, profile->function_count);
  size_t taken = 0, kept = 0;
  for (size_t i = 0; i < profile->has.count; i++) {
    struct ew_map_entry *entry = &profile->has.entries[i];
    const char *blank = memchr(entry->key.bytes, ' ', entry->key.length);
    if (!blank || !entry->value.number) continue;
    struct ew_span own = {blank + 1, entry->key.length - (size_t)(blank + 1 - entry->key.bytes)};
    if (!ew_span_equal(own, name)) continue;
    entry->value.number = 0;
    taken++;
  }
  for (size_t i = 0; i < profile->function_count; i++)
    if (!ew_span_equal(profile->functions[i].name, name)) functions[kept++] = profile->functions[i];
  taken += profile->function_count - kept;
  profile->functions = functions;
  profile->function_count = kept;
  if (taken) profile->hash = ew_hash_span(name, profile->hash);
  return taken;
}

struct ew_span ew_profile_setting(const struct ew_profile *profile, const char *name, struct ew_span otherwise) {
  for (size_t i = profile->setting_count; i-- > 0;)
    if (ew_span_is(profile->settings[i].name, name)) return profile->settings[i].setting;
  return otherwise;
}

struct ew_span ew_profile_spelling(const struct ew_profile *profile, const char *name) {
  for (size_t i = profile->spelling_count; i-- > 0;)
    if (ew_span_is(profile->spellings[i].name, name)) return profile->spellings[i].setting;
  return EW_SPAN("");
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

bool ew_profile_raises(const struct ew_profile *profile, struct ew_span text) {
  for (size_t i = 0; i < profile->raised_count; i++)
    if (ew_pattern_matches(profile->raised[i], text)) return true;
  return false;
}
