/* tck_value.c: reading what is stated. Comparing is in tck_match.c. */
#include "cli/tck_value.h"
#include "base/vector.h"

enum { DEPTH_MAX = 64 };

struct reader {
  struct ew_arena *arena;
  struct ew_span text;
  size_t at;
  unsigned depth;
};

static bool read_value(struct reader *reader, struct ew_value *value);

/* ---- characters ---- */

static char peek(struct reader *reader) {
  while (reader->at < reader->text.length && strchr(" \t\r\n", reader->text.bytes[reader->at])) reader->at++;
  return reader->at < reader->text.length ? reader->text.bytes[reader->at] : '\0';
}

static bool take(struct reader *reader, const char *word) {
  peek(reader);
  struct ew_span rest = {reader->text.bytes + reader->at, reader->text.length - reader->at};
  if (!ew_span_starts(rest, ew_span_of(word))) return false;
  reader->at += strlen(word);
  return true;
}

/* A label, type or key: up to what may follow one. */
static bool read_name(struct reader *reader, struct ew_span *name) {
  char quote = peek(reader) == '`' ? '`' : '\0';
  size_t first = reader->at += quote != '\0';
  const char *end = quote ? "`" : " :{}()[],\t\r\n";
  while (reader->at < reader->text.length && !strchr(end, reader->text.bytes[reader->at])) reader->at++;
  *name = (struct ew_span){reader->text.bytes + first, reader->at - first};
  return name->length && (!quote || take(reader, "`"));
}

/* ---- numbers and strings ---- */

static bool read_number(struct reader *reader, struct ew_value *value) {
  struct ew_error error;
  size_t first = reader->at;
  while (reader->at < reader->text.length && reader->text.bytes[reader->at] &&
         strchr("+-.0123456789eE", reader->text.bytes[reader->at]))
    reader->at++;
  struct ew_span digits = {reader->text.bytes + first, reader->at - first};
  return ew_value_read(reader->arena, digits, value, &error) == EW_OK;
}

static bool read_string(struct reader *reader, struct ew_value *value) {
  static const char escapes[] = "nrtbf", meanings[] = "\n\r\t\b\f";
  char *bytes = ew_arena_take(reader->arena, reader->text.length + 1);
  size_t length = 0;
  for (reader->at++; reader->at < reader->text.length; reader->at++) {
    char c = reader->text.bytes[reader->at];
    if (c == '\'') {
      reader->at++;
      *value = ew_string((struct ew_span){bytes, length});
      return true;
    }
    if (c == '\\' && reader->at + 1 < reader->text.length) {
      c = reader->text.bytes[++reader->at];
      const char *escape = c ? strchr(escapes, c) : NULL;
      if (escape) c = meanings[escape - escapes];
    }
    bytes[length++] = c;
  }
  return false;
}

/* ---- lists and maps ---- */

static bool read_list(struct reader *reader, struct ew_value *value) {
  EW_VECTOR(struct ew_value) items = {0};
  while (!take(reader, "]")) {
    if (items.count && !take(reader, ",")) return false;
    struct ew_value item;
    if (!read_value(reader, &item)) return false;
    *ew_arena_vector_push(reader->arena, &items) = item;
  }
  *value = ew_list(items.items, items.count);
  return true;
}

/* Behind the brace. */
static bool read_map(struct reader *reader, struct ew_value *value) {
  EW_VECTOR(struct ew_item) items = {0};
  while (!take(reader, "}")) {
    if (items.count && !take(reader, ",")) return false;
    struct ew_item item;
    if (!read_name(reader, &item.key) || !take(reader, ":") || !read_value(reader, &item.value)) return false;
    *ew_arena_vector_push(reader->arena, &items) = item;
  }
  *value = ew_map_value(reader->arena, items.items, items.count);
  return true;
}

static bool read_properties(struct reader *reader, struct ew_items *properties) {
  struct ew_value map;
  *properties = (struct ew_items){0};
  if (!take(reader, "{")) return true;
  if (!read_map(reader, &map)) return false;
  *properties = map.map;
  return true;
}

/* ---- elements ---- */

/* Behind the parenthesis. */
static bool read_node(struct reader *reader, int64_t id, struct ew_value *value) {
  struct ew_node_value *node = EW_NEW(reader->arena, struct ew_node_value);
  EW_VECTOR(struct ew_span) labels = {0};
  while (take(reader, ":"))
    if (!read_name(reader, ew_arena_vector_push(reader->arena, &labels))) return false;
  *node = (struct ew_node_value){.id = id, .labels = labels.items, .label_count = labels.count};
  *value = (struct ew_value){.kind = EW_VALUE_NODE, .node = node};
  return read_properties(reader, &node->properties) && take(reader, ")");
}

/* Behind the bracket. */
static bool read_relationship(struct reader *reader, int64_t start, int64_t end, struct ew_value *value) {
  struct ew_relationship_value *relationship = EW_NEW(reader->arena, struct ew_relationship_value);
  relationship->start = start;
  relationship->end = end;
  *value = (struct ew_value){.kind = EW_VALUE_RELATIONSHIP, .relationship = relationship};
  return take(reader, ":") && read_name(reader, &relationship->type) &&
         read_properties(reader, &relationship->properties) && take(reader, "]");
}

/* Nodes are numbered by their place, so that a relationship's ends tell its direction. */
static bool read_path(struct reader *reader, struct ew_value *value) {
  EW_VECTOR(struct ew_value) nodes = {0}, relationships = {0};
  for (int64_t here = 0;; here++) {
    struct ew_value node, relationship;
    if (!take(reader, "(") || !read_node(reader, here, &node)) return false;
    *ew_arena_vector_push(reader->arena, &nodes) = node;
    if (take(reader, ">")) break;
    bool back = take(reader, "<");
    if (!take(reader, "-") || !take(reader, "[")) return false;
    if (!read_relationship(reader, here + back, here + !back, &relationship)) return false;
    if (!take(reader, back ? "-" : "->")) return false;
    *ew_arena_vector_push(reader->arena, &relationships) = relationship;
  }
  struct ew_path_value *path = EW_NEW(reader->arena, struct ew_path_value);
  *path = (struct ew_path_value){{nodes.items, nodes.count}, {relationships.items, relationships.count}};
  *value = (struct ew_value){.kind = EW_VALUE_PATH, .path = path};
  return true;
}

/* ---- any value ---- */

static bool read_word(struct reader *reader, struct ew_value *value) {
  static const struct {
    const char *word;
    struct ew_value value;
  } words[] = {
      {"null", {.kind = EW_VALUE_NULL}},
      {"true", {.kind = EW_VALUE_BOOLEAN, .boolean = true}},
      {"false", {.kind = EW_VALUE_BOOLEAN, .boolean = false}},
      {"NaN", {.kind = EW_VALUE_FLOAT, .number = __builtin_nan("")}},
      {"Infinity", {.kind = EW_VALUE_FLOAT, .number = __builtin_inf()}},
      {"Inf", {.kind = EW_VALUE_FLOAT, .number = __builtin_inf()}},
      {"-Infinity", {.kind = EW_VALUE_FLOAT, .number = -__builtin_inf()}},
      {"-Inf", {.kind = EW_VALUE_FLOAT, .number = -__builtin_inf()}},
  };
  for (size_t i = 0; i < EW_COUNT(words); i++) {
    if (!take(reader, words[i].word)) continue;
    *value = words[i].value;
    return true;
  }
  return read_number(reader, value);
}

static bool read_value(struct reader *reader, struct ew_value *value) {
  if (reader->depth >= DEPTH_MAX) return false;
  reader->depth++;
  bool read;
  if (peek(reader) == '\'') {
    read = read_string(reader, value);
  } else if (take(reader, "[")) {
    read = peek(reader) == ':' ? read_relationship(reader, 0, 0, value) : read_list(reader, value);
  } else if (take(reader, "{")) {
    read = read_map(reader, value);
  } else if (take(reader, "(")) {
    read = read_node(reader, 0, value);
  } else if (take(reader, "<")) {
    read = read_path(reader, value);
  } else {
    read = read_word(reader, value);
  }
  reader->depth--;
  return read;
}

bool ew_tck_value_read(struct ew_arena *arena, struct ew_span text, struct ew_value *value) {
  struct reader reader = {.arena = arena, .text = text};
  return read_value(&reader, value) && peek(&reader) == '\0' && reader.at == text.length;
}
