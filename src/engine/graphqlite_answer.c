/* graphqlite_answer.c: reading GraphQLite's JSON.

       rows      [{"x": 1, "n": {"id": 1, "labels": ["A"], "properties": {…}}}, …]; no rows are [], without names
       a write   {"nodes_created": 2, …}; up to 0.6.1 the text "Query executed successfully - nodes created: 2, …"
       an error  {"error": "…", "code": "…"}; up to 0.3.0 a plain text

   Elements, durations and points have no tag: they are known by their keys. Dates and times are strings and stay
   so. A NaN inside a map or an element is the string "\u0001NaN". */
#include <math.h>
#include <stdlib.h>

#include "engine/graphqlite_answer.h"

enum { ROWS_MAX = 1 << 20 };

static struct ew_value read_value(struct ew_arena *arena, const struct ew_json *json);

static bool has_keys(const struct ew_json *json, const char *const *keys, size_t count) {
  if (json->count != count) return false;
  for (size_t i = 0; i < count; i++)
    if (!ew_json_member(json, keys[i])) return false;
  return true;
}

#define HAS_KEYS(json, ...) \
  has_keys((json), (const char *const[]){__VA_ARGS__}, EW_COUNT(((const char *const[]){__VA_ARGS__})))

static bool member_is(const struct ew_json *json, const char *key, enum ew_json_kind kind) {
  return ew_json_member(json, key)->kind == kind;
}

/* ---- values ---- */

static struct ew_value read_map(struct ew_arena *arena, const struct ew_json *json) {
  struct ew_item *items = EW_NEW_ARRAY(arena, struct ew_item, json->count);
  for (size_t i = 0; i < json->count; i++)
    items[i] = (struct ew_item){json->keys[i], read_value(arena, &json->items[i])};
  return ew_map_value(arena, items, json->count);
}

static int compare_spans(const void *a, const void *b) {
  return ew_span_compare(*(const struct ew_span *)a, *(const struct ew_span *)b);
}

static bool read_node(struct ew_arena *arena, const struct ew_json *json, struct ew_value *value) {
  if (!HAS_KEYS(json, "id", "labels", "properties") || !member_is(json, "id", EW_JSON_INTEGER) ||
      !member_is(json, "labels", EW_JSON_ARRAY) || !member_is(json, "properties", EW_JSON_OBJECT))
    return false;
  const struct ew_json *labels = ew_json_member(json, "labels");
  struct ew_span *names = EW_NEW_ARRAY(arena, struct ew_span, labels->count);
  for (size_t i = 0; i < labels->count; i++) {
    if (labels->items[i].kind != EW_JSON_STRING) return false;
    names[i] = labels->items[i].string;
  }
  if (labels->count) qsort(names, labels->count, sizeof *names, compare_spans);
  struct ew_node_value *node = EW_NEW(arena, struct ew_node_value);
  *node = (struct ew_node_value){ew_json_member(json, "id")->integer, names, labels->count,
                                 read_map(arena, ew_json_member(json, "properties")).map};
  *value = (struct ew_value){.kind = EW_VALUE_NODE, .node = node};
  return true;
}

static bool read_relationship(struct ew_arena *arena, const struct ew_json *json, struct ew_value *value) {
  if (!HAS_KEYS(json, "id", "type", "startNode", "endNode", "properties") || !member_is(json, "id", EW_JSON_INTEGER) ||
      !member_is(json, "type", EW_JSON_STRING) || !member_is(json, "startNode", EW_JSON_INTEGER) ||
      !member_is(json, "endNode", EW_JSON_INTEGER) || !member_is(json, "properties", EW_JSON_OBJECT))
    return false;
  struct ew_relationship_value *relationship = EW_NEW(arena, struct ew_relationship_value);
  *relationship = (struct ew_relationship_value){
      .id = ew_json_member(json, "id")->integer,
      .start = ew_json_member(json, "startNode")->integer,
      .end = ew_json_member(json, "endNode")->integer,
      .type = ew_json_member(json, "type")->string,
      .properties = read_map(arena, ew_json_member(json, "properties")).map,
  };
  *value = (struct ew_value){.kind = EW_VALUE_RELATIONSHIP, .relationship = relationship};
  return true;
}

/* The items of an array, where all are of one kind. */
static bool read_elements(struct ew_arena *arena, const struct ew_json *json, enum ew_value_kind kind,
                          struct ew_values *values) {
  if (json->kind != EW_JSON_ARRAY) return false;
  struct ew_value *items = EW_NEW_ARRAY(arena, struct ew_value, json->count);
  for (size_t i = 0; i < json->count; i++) {
    items[i] = read_value(arena, &json->items[i]);
    if (items[i].kind != kind) return false;
  }
  *values = (struct ew_values){items, json->count};
  return true;
}

static bool read_path(struct ew_arena *arena, const struct ew_json *json, struct ew_value *value) {
  struct ew_path_value *path = EW_NEW(arena, struct ew_path_value);
  if (!HAS_KEYS(json, "nodes", "rels") ||
      !read_elements(arena, ew_json_member(json, "nodes"), EW_VALUE_NODE, &path->nodes) ||
      !read_elements(arena, ew_json_member(json, "rels"), EW_VALUE_RELATIONSHIP, &path->relationships) ||
      path->nodes.count != path->relationships.count + 1)
    return false;
  *value = (struct ew_value){.kind = EW_VALUE_PATH, .path = path};
  return true;
}

static bool read_duration(struct ew_arena *arena, const struct ew_json *json, struct ew_value *value) {
  if (!HAS_KEYS(json, "_iso8601", "months", "days", "seconds", "nanosecondsOfSecond")) return false;
  int64_t nanoseconds = ew_json_get_integer(json, "nanosecondsOfSecond", -1);
  if (nanoseconds < 0 || nanoseconds > 999999999 || !member_is(json, "months", EW_JSON_INTEGER) ||
      !member_is(json, "days", EW_JSON_INTEGER) || !member_is(json, "seconds", EW_JSON_INTEGER))
    return false;
  struct ew_duration_value *duration = EW_NEW(arena, struct ew_duration_value);
  *duration = (struct ew_duration_value){ew_json_get_integer(json, "months", 0), ew_json_get_integer(json, "days", 0),
                                         ew_json_get_integer(json, "seconds", 0), (int32_t)nanoseconds};
  *value = (struct ew_value){.kind = EW_VALUE_DURATION, .duration = duration};
  return true;
}

static bool read_coordinate(const struct ew_json *json, const char *key, double *coordinate) {
  const struct ew_json *member = ew_json_member(json, key);
  if (member->kind == EW_JSON_INTEGER) *coordinate = (double)member->integer;
  if (member->kind == EW_JSON_FLOAT) *coordinate = member->number;
  return member->kind == EW_JSON_INTEGER || member->kind == EW_JSON_FLOAT;
}

/* The engine names the two-dimensional system also where there is a third coordinate. */
static bool read_point(struct ew_arena *arena, const struct ew_json *json, struct ew_value *value) {
  bool flat = HAS_KEYS(json, "srid", "x", "y", "z");
  if (!flat && !HAS_KEYS(json, "srid", "latitude", "longitude", "height")) return false;
  struct ew_point_value *point = EW_NEW(arena, struct ew_point_value);
  if (!read_coordinate(json, flat ? "x" : "longitude", &point->x) ||
      !read_coordinate(json, flat ? "y" : "latitude", &point->y))
    return false;
  bool solid = read_coordinate(json, flat ? "z" : "height", &point->z);
  point->srid = flat ? (solid ? 9157 : 7203) : (solid ? 4979 : 4326);
  *value = (struct ew_value){.kind = EW_VALUE_POINT, .point = point};
  return true;
}

static struct ew_value read_object(struct ew_arena *arena, const struct ew_json *json) {
  struct ew_value value;
  if (read_node(arena, json, &value) || read_relationship(arena, json, &value) || read_path(arena, json, &value) ||
      read_duration(arena, json, &value) || read_point(arena, json, &value))
    return value;
  return read_map(arena, json);
}

static struct ew_value read_value(struct ew_arena *arena, const struct ew_json *json) {
  switch (json->kind) {
    case EW_JSON_NULL: return ew_null();
    case EW_JSON_BOOL: return ew_boolean(json->boolean);
    case EW_JSON_INTEGER: return ew_integer(json->integer);
    case EW_JSON_FLOAT: return ew_float(json->number);
    case EW_JSON_STRING: return ew_span_is(json->string, "\001NaN") ? ew_float((double)NAN) : ew_string(json->string);
    case EW_JSON_OBJECT: return read_object(arena, json);
    case EW_JSON_ARRAY: break;
  }
  struct ew_value *items = EW_NEW_ARRAY(arena, struct ew_value, json->count);
  for (size_t i = 0; i < json->count; i++) items[i] = read_value(arena, &json->items[i]);
  return ew_list(items, json->count);
}

/* ---- answers ---- */

static void corrupt(struct ew_arena *arena, struct ew_span answer, const char *why,
                    struct ew_statement_outcome *outcome) {
  outcome->kind = EW_OUTCOME_CORRUPT;
  if (answer.length > 500) answer.length = 500;
  outcome->text = ew_arena_format(arena, "%s: %.*s", why, EW_SPAN_ARGS(answer));
}

static bool is_among(struct ew_span name, struct ew_names names) {
  for (size_t i = 0; i < names.count; i++)
    if (ew_span_equal(names.items[i], name)) return true;
  return false;
}

/* The columns: those expected where the first row has no others, else as the first row has them. */
static struct ew_names choose_columns(const struct ew_json *first, struct ew_names expected) {
  struct ew_names own = {first->keys, first->count};
  if (!expected.count) return own;
  for (size_t i = 0; i < own.count; i++)
    if (!is_among(own.items[i], expected)) return own;
  return expected;
}

/* A row's members by name into its cells; false where it has one that is no column. */
static bool read_row(struct ew_arena *arena, const struct ew_json *row, struct ew_names columns,
                     struct ew_value *cells) {
  for (size_t i = 0; i < columns.count; i++) cells[i] = ew_null();
  for (size_t i = 0; i < row->count; i++) {
    size_t at = i; /* nearly always */
    if (at >= columns.count || !ew_span_equal(columns.items[at], row->keys[i]))
      for (at = 0; at < columns.count && !ew_span_equal(columns.items[at], row->keys[i]);) at++;
    if (at == columns.count) return false;
    cells[at] = read_value(arena, &row->items[i]);
  }
  return true;
}

static void read_rows(struct ew_arena *arena, const struct ew_json *json, struct ew_span answer,
                      struct ew_names expected, struct ew_statement_outcome *outcome) {
  if (!json->count) return; /* the columns' names are lost */
  /* 0.1.0 gives a lone list as it is, without a row around it. */
  bool bare = json->items[0].kind != EW_JSON_OBJECT && expected.count == 1;
  if (json->items[0].kind != EW_JSON_OBJECT && !bare) {
    corrupt(arena, answer, "no rows", outcome);
    return;
  }
  struct ew_names columns = bare ? expected : choose_columns(&json->items[0], expected);
  size_t rows = bare ? 1 : json->count;
  if (rows > ROWS_MAX) {
    outcome->kind = EW_OUTCOME_TOO_LARGE;
    outcome->text = ew_arena_format(arena, "%zu rows", rows);
    return;
  }
  struct ew_value *values = ew_arena_take(arena, ew_array_size(rows * columns.count, sizeof *values));
  outcome->rows = (struct ew_rows){columns.items, columns.count, values, rows};
  if (bare) values[0] = read_value(arena, json);
  for (size_t i = 0; i < rows && !bare; i++) {
    if (json->items[i].kind == EW_JSON_OBJECT && read_row(arena, &json->items[i], columns, values + i * columns.count))
      continue;
    outcome->rows = (struct ew_rows){0};
    corrupt(arena, answer, "rows with different columns", outcome);
    return;
  }
}

static void read_counters(const struct ew_json *json, struct ew_statement_outcome *outcome) {
  outcome->has_counters = true;
  outcome->counters = (struct ew_counters){
      .nodes_created = ew_json_get_integer(json, "nodes_created", 0),
      .nodes_deleted = ew_json_get_integer(json, "nodes_deleted", 0),
      .relationships_created = ew_json_get_integer(json, "relationships_created", 0),
      .relationships_deleted = ew_json_get_integer(json, "relationships_deleted", 0),
      .properties_set = ew_json_get_integer(json, "properties_set", 0),
  };
}

void ew_graphqlite_read_answer(struct ew_arena *arena, struct ew_span answer, struct ew_names columns,
                               struct ew_statement_outcome *outcome) {
  const struct ew_json *json;
  struct ew_error error;
  outcome->kind = EW_OUTCOME_ROWS;
  /* Old versions count in words, and wrongly: such counters are not taken. */
  if (ew_span_starts(answer, EW_SPAN("Query executed successfully"))) return;
  if (ew_json_read(arena, answer, (struct ew_json_options){.special_numbers = true}, &json, &error) != EW_OK)
    corrupt(arena, answer, error.text, outcome);
  else if (json->kind == EW_JSON_ARRAY)
    read_rows(arena, json, answer, columns, outcome);
  else if (json->kind == EW_JSON_OBJECT && ew_json_member(json, "nodes_created"))
    read_counters(json, outcome);
  else
    corrupt(arena, answer, "neither rows nor counters", outcome);
}

void ew_graphqlite_read_error(struct ew_arena *arena, struct ew_span message, struct ew_statement_outcome *outcome) {
  const struct ew_json *json;
  outcome->kind = EW_OUTCOME_ERROR;
  outcome->text = message;
  if (ew_json_read(arena, message, (struct ew_json_options){0}, &json, NULL) != EW_OK) return;
  outcome->text = ew_json_get_string(json, "error", message);
  outcome->code = ew_json_get_string(json, "code", EW_SPAN(""));
}

/* ---- parameters ---- */

static void write_value(struct ew_json_writer *writer, struct ew_value value) {
  switch (value.kind) {
    case EW_VALUE_BOOLEAN: ew_json_bool(writer, value.boolean); break;
    case EW_VALUE_INTEGER: ew_json_integer(writer, value.integer); break;
    case EW_VALUE_FLOAT: ew_json_double(writer, value.number); break;
    case EW_VALUE_STRING: ew_json_string(writer, value.string); break;
    case EW_VALUE_LIST:
      ew_json_begin_array(writer);
      for (size_t i = 0; i < value.list.count; i++) write_value(writer, value.list.items[i]);
      ew_json_end_array(writer);
      break;
    case EW_VALUE_MAP:
      ew_json_begin_object(writer);
      for (size_t i = 0; i < value.map.count; i++) {
        ew_json_key_span(writer, value.map.items[i].key);
        write_value(writer, value.map.items[i].value);
      }
      ew_json_end_object(writer);
      break;
    case EW_VALUE_DATETIME:
    case EW_VALUE_LOCAL_DATETIME:
    case EW_VALUE_DATE:
    case EW_VALUE_TIME:
    case EW_VALUE_LOCAL_TIME:
    case EW_VALUE_DURATION: {
      struct ew_text iso = {0};
      ew_value_print_iso(&iso, value);
      ew_json_string(writer, ew_text_span(&iso));
      ew_text_release(&iso);
      break;
    }
    case EW_VALUE_NODE:
    case EW_VALUE_RELATIONSHIP:
    case EW_VALUE_PATH:
    case EW_VALUE_POINT:
    case EW_VALUE_NULL: ew_json_null(writer); break;
  }
}

void ew_graphqlite_write_parameters(struct ew_text *text, const struct ew_statement *statement) {
  struct ew_json_writer writer;
  ew_json_writer_init(&writer, text, 0);
  ew_json_begin_object(&writer);
  for (size_t i = 0; i < statement->parameter_count; i++) {
    ew_json_key_span(&writer, statement->parameters[i].name);
    write_value(&writer, statement->parameters[i].value);
  }
  ew_json_end_object(&writer);
}
