/* json.c: values as JSON without loss, for findings and between processes.

   What JSON has is itself; a float always has a point or an exponent, so the two kinds of number stay apart. The rest:

       {"@float": "NaN"}                                   also "Infinity", "-Infinity"
       {"@bytes": "c3"}                                    a string that is not UTF-8, in hexadecimal
       {"@map": [key, value, …]}                           a map whose keys JSON cannot hold or would be taken for these
       {"@date": "2020-02-29"}                             any temporal kind under its constructor's name
       {"@point": 7203, "x": 1.0, "y": 2.0, "z": 0.0}
       {"@node": 1, "labels": [], "properties": {}}
       {"@relationship": 2, "start": 1, "end": 1, "type": "T", "properties": {}}
       {"@path": [node, relationship, node …]} */
#include <math.h>
#include <stdlib.h>

#include "base/utf8.h"
#include "value/value.h"

/* ---- writing ---- */

static bool is_utf8(struct ew_span string) {
  for (size_t at = 0; at < string.length;) {
    size_t length = ew_utf8_length(string.bytes + at, string.length - at);
    if (!length) return false;
    at += length;
  }
  return true;
}

static void write_string(struct ew_json_writer *writer, struct ew_span string) {
  if (is_utf8(string)) {
    ew_json_string(writer, string);
    return;
  }
  struct ew_text digits;
  ew_text_init(&digits);
  for (size_t i = 0; i < string.length; i++) ew_text_add_format(&digits, "%02x", (unsigned char)string.bytes[i]);
  ew_json_begin_object(writer);
  ew_json_put_span(writer, "@bytes", ew_text_span(&digits));
  ew_json_end_object(writer);
  ew_text_release(&digits);
}

static void write_float(struct ew_json_writer *writer, double number) {
  if (isfinite(number)) {
    ew_json_double(writer, number);
    return;
  }
  ew_json_begin_object(writer);
  ew_json_put_double(writer, "@float", number);
  ew_json_end_object(writer);
}

static void write_list(struct ew_json_writer *writer, struct ew_values list) {
  ew_json_begin_array(writer);
  for (size_t i = 0; i < list.count; i++) ew_value_write_json(writer, list.items[i]);
  ew_json_end_array(writer);
}

static bool plain_keys(struct ew_items map) {
  for (size_t i = 0; i < map.count; i++) {
    struct ew_span key = map.items[i].key;
    if (ew_span_starts(key, EW_SPAN("@")) || !is_utf8(key)) return false;
  }
  return true;
}

static void write_map(struct ew_json_writer *writer, struct ew_items map) {
  bool plain = plain_keys(map);
  ew_json_begin_object(writer);
  if (!plain) {
    ew_json_key(writer, "@map");
    ew_json_begin_array(writer);
  }
  for (size_t i = 0; i < map.count; i++) {
    if (plain) {
      ew_json_key_span(writer, map.items[i].key);
    } else {
      write_string(writer, map.items[i].key);
    }
    ew_value_write_json(writer, map.items[i].value);
  }
  if (!plain) ew_json_end_array(writer);
  ew_json_end_object(writer);
}

static void put_integer(struct ew_json_writer *writer, const char *key, int64_t number) {
  ew_json_key(writer, key);
  ew_json_integer(writer, number);
}

static void write_node(struct ew_json_writer *writer, const struct ew_node_value *node) {
  ew_json_begin_object(writer);
  put_integer(writer, "@node", node->id);
  ew_json_key(writer, "labels");
  ew_json_begin_array(writer);
  for (size_t i = 0; i < node->label_count; i++) write_string(writer, node->labels[i]);
  ew_json_end_array(writer);
  ew_json_key(writer, "properties");
  write_map(writer, node->properties);
  ew_json_end_object(writer);
}

static void write_relationship(struct ew_json_writer *writer, const struct ew_relationship_value *relationship) {
  ew_json_begin_object(writer);
  put_integer(writer, "@relationship", relationship->id);
  put_integer(writer, "start", relationship->start);
  put_integer(writer, "end", relationship->end);
  ew_json_key(writer, "type");
  write_string(writer, relationship->type);
  ew_json_key(writer, "properties");
  write_map(writer, relationship->properties);
  ew_json_end_object(writer);
}

static void write_path(struct ew_json_writer *writer, const struct ew_path_value *path) {
  ew_json_begin_object(writer);
  ew_json_key(writer, "@path");
  ew_json_begin_array(writer);
  for (size_t i = 0; i < path->nodes.count; i++) {
    ew_value_write_json(writer, path->nodes.items[i]);
    if (i < path->relationships.count) ew_value_write_json(writer, path->relationships.items[i]);
  }
  ew_json_end_array(writer);
  ew_json_end_object(writer);
}

static void write_point(struct ew_json_writer *writer, const struct ew_point_value *point) {
  ew_json_begin_object(writer);
  put_integer(writer, "@point", point->srid);
  ew_json_key(writer, "x");
  write_float(writer, point->x);
  ew_json_key(writer, "y");
  write_float(writer, point->y);
  ew_json_key(writer, "z");
  write_float(writer, point->z);
  ew_json_end_object(writer);
}

static void write_temporal(struct ew_json_writer *writer, struct ew_value value) {
  struct ew_text key, iso;
  ew_text_init(&key);
  ew_text_init(&iso);
  ew_text_add_char(&key, '@');
  ew_text_add_string(&key, ew_value_constructor(value.kind));
  ew_value_print_iso(&iso, value);
  ew_json_begin_object(writer);
  ew_json_key_span(writer, ew_text_span(&key));
  write_string(writer, ew_text_span(&iso));
  ew_json_end_object(writer);
  ew_text_release(&iso);
  ew_text_release(&key);
}

void ew_value_write_json(struct ew_json_writer *writer, struct ew_value value) {
  switch (value.kind) {
    case EW_VALUE_NULL: ew_json_null(writer); break;
    case EW_VALUE_BOOLEAN: ew_json_bool(writer, value.boolean); break;
    case EW_VALUE_INTEGER: ew_json_integer(writer, value.integer); break;
    case EW_VALUE_FLOAT: write_float(writer, value.number); break;
    case EW_VALUE_STRING: write_string(writer, value.string); break;
    case EW_VALUE_LIST: write_list(writer, value.list); break;
    case EW_VALUE_MAP: write_map(writer, value.map); break;
    case EW_VALUE_NODE: write_node(writer, value.node); break;
    case EW_VALUE_RELATIONSHIP: write_relationship(writer, value.relationship); break;
    case EW_VALUE_PATH: write_path(writer, value.path); break;
    case EW_VALUE_POINT: write_point(writer, value.point); break;
    case EW_VALUE_DATETIME:
    case EW_VALUE_LOCAL_DATETIME:
    case EW_VALUE_DATE:
    case EW_VALUE_TIME:
    case EW_VALUE_LOCAL_TIME:
    case EW_VALUE_DURATION: write_temporal(writer, value); break;
  }
}

/* ---- reading ---- */

struct reader {
  struct ew_arena *arena;
  struct ew_error *error;
  unsigned depth;
};

static enum ew_status read_value(struct reader *reader, const struct ew_json *json, struct ew_value *value);

static enum ew_status bad(struct reader *reader, const char *what) {
  return ew_fail(reader->error, EW_BAD, "a stored value: %s", what);
}

static int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* A string, or the bytes of one. */
static bool read_string(struct reader *reader, const struct ew_json *json, struct ew_span *string) {
  if (json && json->kind == EW_JSON_STRING) {
    *string = ew_arena_copy(reader->arena, json->string);
    return true;
  }
  const struct ew_json *bytes = ew_json_member(json, "@bytes");
  if (!bytes || bytes->kind != EW_JSON_STRING || bytes->string.length % 2) return false;
  size_t length = bytes->string.length / 2;
  char *decoded = ew_arena_take(reader->arena, length + 1);
  for (size_t i = 0; i < length; i++) {
    int high = hex_digit(bytes->string.bytes[2 * i]), low = hex_digit(bytes->string.bytes[2 * i + 1]);
    if (high < 0 || low < 0) return false;
    decoded[i] = (char)(high << 4 | low);
  }
  decoded[length] = '\0';
  *string = (struct ew_span){decoded, length};
  return true;
}

static bool read_integer(const struct ew_json *json, const char *key, int64_t *number) {
  const struct ew_json *member = ew_json_member(json, key);
  if (!member || member->kind != EW_JSON_INTEGER) return false;
  *number = member->integer;
  return true;
}

static bool read_float(const struct ew_json *json, double *number) {
  if (json && json->kind == EW_JSON_FLOAT) {
    *number = json->number;
    return true;
  }
  struct ew_span name = ew_json_get_string(json, "@float", EW_SPAN(""));
  *number = ew_span_is(name, "NaN")         ? (double)NAN
            : ew_span_is(name, "-Infinity") ? (double)-INFINITY
                                            : (double)INFINITY;
  return !isinf(*number) || *number < 0 || ew_span_is(name, "Infinity");
}

static enum ew_status read_list(struct reader *reader, const struct ew_json *json, struct ew_value *value) {
  struct ew_value *items = json->count ? EW_NEW_ARRAY(reader->arena, struct ew_value, json->count) : NULL;
  for (size_t i = 0; i < json->count; i++) {
    enum ew_status status = read_value(reader, &json->items[i], &items[i]);
    if (status) return status;
  }
  *value = ew_list(items, json->count);
  return EW_OK;
}

/* The members of an object, or keys and values in turn. */
static enum ew_status read_map(struct reader *reader, const struct ew_json *json, struct ew_value *value) {
  size_t step = json->kind == EW_JSON_OBJECT ? 1 : 2, count = json->count / step;
  if (json->count % step) return bad(reader, "a map has a key without a value");
  struct ew_item *items = count ? EW_NEW_ARRAY(reader->arena, struct ew_item, count) : NULL;
  for (size_t i = 0; i < count; i++) {
    if (json->kind == EW_JSON_OBJECT) {
      items[i].key = ew_arena_copy(reader->arena, json->keys[i]);
    } else if (!read_string(reader, &json->items[2 * i], &items[i].key)) {
      return bad(reader, "a map's key is no string");
    }
    enum ew_status status = read_value(reader, &json->items[i * step + step - 1], &items[i].value);
    if (status) return status;
  }
  *value = ew_map_value(reader->arena, items, count);
  return EW_OK;
}

static enum ew_status read_properties(struct reader *reader, const struct ew_json *json, struct ew_items *properties) {
  const struct ew_json *member = ew_json_member(json, "properties");
  struct ew_value map;
  if (!member) return bad(reader, "an element without properties");
  enum ew_status status = read_value(reader, member, &map);
  if (status) return status;
  if (map.kind != EW_VALUE_MAP) return bad(reader, "an element's properties are no map");
  *properties = map.map;
  return EW_OK;
}

static int compare_spans(const void *a, const void *b) {
  return ew_span_compare(*(const struct ew_span *)a, *(const struct ew_span *)b);
}

static enum ew_status read_node(struct reader *reader, const struct ew_json *json, struct ew_value *value) {
  struct ew_node_value *node = EW_NEW(reader->arena, struct ew_node_value);
  const struct ew_json *labels = ew_json_member(json, "labels");
  if (!read_integer(json, "@node", &node->id) || !labels || labels->kind != EW_JSON_ARRAY)
    return bad(reader, "a node has an integer as id, and labels");
  node->label_count = labels->count;
  if (labels->count) {
    struct ew_span *names = EW_NEW_ARRAY(reader->arena, struct ew_span, labels->count);
    for (size_t i = 0; i < labels->count; i++)
      if (!read_string(reader, &labels->items[i], &names[i])) return bad(reader, "a label is no string");
    qsort(names, labels->count, sizeof *names, compare_spans);
    node->labels = names;
  }
  *value = (struct ew_value){.kind = EW_VALUE_NODE, .node = node};
  return read_properties(reader, json, &node->properties);
}

static enum ew_status read_relationship(struct reader *reader, const struct ew_json *json, struct ew_value *value) {
  struct ew_relationship_value *relationship = EW_NEW(reader->arena, struct ew_relationship_value);
  if (!read_integer(json, "@relationship", &relationship->id) || !read_integer(json, "start", &relationship->start) ||
      !read_integer(json, "end", &relationship->end) ||
      !read_string(reader, ew_json_member(json, "type"), &relationship->type))
    return bad(reader, "a relationship has an id, start, end and type");
  *value = (struct ew_value){.kind = EW_VALUE_RELATIONSHIP, .relationship = relationship};
  return read_properties(reader, json, &relationship->properties);
}

static enum ew_status read_path(struct reader *reader, const struct ew_json *json, struct ew_value *value) {
  const struct ew_json *elements = &json->items[0];
  if (elements->kind != EW_JSON_ARRAY || elements->count % 2 == 0)
    return bad(reader, "a path has an odd number of elements");
  size_t length = elements->count / 2;
  struct ew_value *nodes = EW_NEW_ARRAY(reader->arena, struct ew_value, length + 1);
  struct ew_value *relationships = EW_NEW_ARRAY(reader->arena, struct ew_value, length + 1);
  for (size_t i = 0; i < elements->count; i++) {
    struct ew_value *element = i % 2 ? &relationships[i / 2] : &nodes[i / 2];
    enum ew_status status = read_value(reader, &elements->items[i], element);
    if (status) return status;
    if (element->kind != (i % 2 ? EW_VALUE_RELATIONSHIP : EW_VALUE_NODE))
      return bad(reader, "nodes and relationships take turns in a path");
  }
  struct ew_path_value *path = EW_NEW(reader->arena, struct ew_path_value);
  *path = (struct ew_path_value){{nodes, length + 1}, {relationships, length}};
  *value = (struct ew_value){.kind = EW_VALUE_PATH, .path = path};
  return EW_OK;
}

static enum ew_status read_point(struct reader *reader, const struct ew_json *json, struct ew_value *value) {
  struct ew_point_value *point = EW_NEW(reader->arena, struct ew_point_value);
  int64_t srid;
  if (!read_integer(json, "@point", &srid) || srid < INT32_MIN || srid > INT32_MAX ||
      !read_float(ew_json_member(json, "x"), &point->x) || !read_float(ew_json_member(json, "y"), &point->y) ||
      !read_float(ew_json_member(json, "z"), &point->z))
    return bad(reader, "a point has a srid, x, y and z");
  point->srid = (int32_t)srid;
  *value = (struct ew_value){.kind = EW_VALUE_POINT, .point = point};
  return EW_OK;
}

static enum ew_status read_temporal(struct reader *reader, const struct ew_json *json, struct ew_value *value) {
  static const enum ew_value_kind kinds[] = {
#define VALUE(name, text) EW_VALUE_##name,
#include "value/value.def"
#undef VALUE
  };
  struct ew_span tag = {json->keys[0].bytes + 1, json->keys[0].length - 1}, iso;
  for (size_t i = 0; i < EW_COUNT(kinds); i++) {
    const char *constructor = ew_value_constructor(kinds[i]);
    if (!constructor || !ew_span_is(tag, constructor)) continue;
    if (!read_string(reader, &json->items[0], &iso) || !ew_value_read_iso(reader->arena, kinds[i], iso, value))
      return bad(reader, "no ISO text of its kind");
    return EW_OK;
  }
  return bad(reader, "unknown kind");
}

static enum ew_status read_object(struct reader *reader, const struct ew_json *json, struct ew_value *value) {
  if (!json->count || !ew_span_starts(json->keys[0], EW_SPAN("@"))) return read_map(reader, json, value);
  struct ew_span tag = json->keys[0];
  const struct ew_json *content = &json->items[0];
  if (ew_span_is(tag, "@node")) return read_node(reader, json, value);
  if (ew_span_is(tag, "@relationship")) return read_relationship(reader, json, value);
  if (ew_span_is(tag, "@path")) return read_path(reader, json, value);
  if (ew_span_is(tag, "@point")) return read_point(reader, json, value);
  if (ew_span_is(tag, "@map"))
    return content->kind == EW_JSON_ARRAY ? read_map(reader, content, value) : bad(reader, "a map is no list of items");
  if (ew_span_is(tag, "@bytes")) {
    value->kind = EW_VALUE_STRING;
    return read_string(reader, json, &value->string) ? EW_OK : bad(reader, "bytes are pairs of hexadecimal digits");
  }
  if (ew_span_is(tag, "@float")) {
    value->kind = EW_VALUE_FLOAT;
    return read_float(json, &value->number) ? EW_OK : bad(reader, "unknown float");
  }
  return read_temporal(reader, json, value);
}

static enum ew_status read_value(struct reader *reader, const struct ew_json *json, struct ew_value *value) {
  *value = ew_null();
  switch (json->kind) {
    case EW_JSON_NULL: return EW_OK;
    case EW_JSON_BOOL: *value = ew_boolean(json->boolean); return EW_OK;
    case EW_JSON_INTEGER: *value = ew_integer(json->integer); return EW_OK;
    case EW_JSON_FLOAT: *value = ew_float(json->number); return EW_OK;
    case EW_JSON_STRING: *value = ew_string(ew_arena_copy(reader->arena, json->string)); return EW_OK;
    case EW_JSON_ARRAY:
    case EW_JSON_OBJECT: {
      if (reader->depth == EW_VALUE_DEPTH)
        return ew_fail(reader->error, EW_LIMIT, "a stored value: nested deeper than %d", EW_VALUE_DEPTH);
      reader->depth++;
      enum ew_status status =
          json->kind == EW_JSON_ARRAY ? read_list(reader, json, value) : read_object(reader, json, value);
      reader->depth--;
      return status;
    }
  }
  return bad(reader, "no JSON value");
}

enum ew_status ew_value_read_json(struct ew_arena *arena, const struct ew_json *json, struct ew_value *value,
                                  struct ew_error *error) {
  struct reader reader = {.arena = arena, .error = error};
  enum ew_status status = read_value(&reader, json, value);
  if (status) *value = ew_null();
  return status;
}
