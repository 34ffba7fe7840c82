/* resp_answer.c: compact answers of GRAPH.QUERY.

       [[[1, "x"], …], [[[3, 7], …], …], ["Nodes created: 2", …]]      columns, rows, statistics
       [["Nodes created: 2", …]]                                        a statement that returns nothing

   A cell is a number for its type and the value:
       1 null   2 string   3 integer   4 "true"   5 "0.5"   6 list [cell …]   10 map [key, cell, …]   11 point [latitude, longitude]
       7 relationship [id, type, start, end, properties]   8 node [id, [label …], properties]   9 path [cell of nodes, cell of
       relationships]; properties are [key, type, value] each; label, type and key are numbers of names
       12 vector [number …]   13 date and time, 14 date, 15 time, 16 duration: seconds */
#include <math.h>
#include <stdlib.h>

#include "engine/resp_reply.h"

enum cell_type {
  CELL_NULL = 1,
  CELL_STRING,
  CELL_INTEGER,
  CELL_BOOLEAN,
  CELL_DOUBLE,
  CELL_LIST,
  CELL_RELATIONSHIP,
  CELL_NODE,
  CELL_PATH,
  CELL_MAP,
  CELL_POINT,
  CELL_VECTOR,
  CELL_DATETIME,
  CELL_DATE,
  CELL_TIME,
  CELL_DURATION,
};

enum { DAY = 86400, WGS84 = 4326 };

struct decoder {
  struct ew_arena *arena;
  const struct ew_resp_names *names;
  const char *wrong; /* the first thing that makes no sense, or NULL */
  bool unknown_names;
};

static struct ew_value read_cell(struct decoder *decoder, const struct ew_resp *type, const struct ew_resp *reply);

static struct ew_value refuse(struct decoder *decoder, const char *why) {
  if (!decoder->wrong) decoder->wrong = why;
  return ew_null();
}

static bool is_array(const struct ew_resp *reply, size_t count) {
  return reply->kind == EW_RESP_ARRAY && reply->count == count;
}

static struct ew_span name_of(struct decoder *decoder, struct ew_names names, const struct ew_resp *number) {
  if (number->kind != EW_RESP_INTEGER || number->integer < 0) {
    refuse(decoder, "no number of a name");
  } else if ((uint64_t)number->integer < names.count) {
    return names.items[number->integer];
  } else {
    decoder->unknown_names = true;
  }
  return EW_SPAN("");
}

static int64_t read_number(struct decoder *decoder, const struct ew_resp *reply) {
  if (reply->kind != EW_RESP_INTEGER) refuse(decoder, "no integer where there must be one");
  return reply->integer;
}

static double read_double(struct decoder *decoder, const struct ew_resp *reply) {
  char digits[64] = "";
  char *end;
  if (reply->kind == EW_RESP_INTEGER) return (double)reply->integer;
  if (reply->kind != EW_RESP_TEXT || !reply->text.length || reply->text.length >= sizeof digits)
    return refuse(decoder, "no floating-point number where there must be one"), 0;
  memcpy(digits, reply->text.bytes, reply->text.length);
  double number = strtod(digits, &end);
  if (*end || end == digits) refuse(decoder, "no floating-point number where there must be one");
  return number;
}

/* ---- values ---- */

static struct ew_value read_list(struct decoder *decoder, const struct ew_resp *reply) {
  if (reply->kind != EW_RESP_ARRAY) return refuse(decoder, "no list");
  struct ew_value *items = EW_NEW_ARRAY(decoder->arena, struct ew_value, reply->count);
  for (size_t i = 0; i < reply->count; i++) {
    const struct ew_resp *cell = &reply->items[i];
    if (!is_array(cell, 2)) return refuse(decoder, "an item of a list without a type");
    items[i] = read_cell(decoder, &cell->items[0], &cell->items[1]);
  }
  return ew_list(items, reply->count);
}

static struct ew_value read_vector(struct decoder *decoder, const struct ew_resp *reply) {
  if (reply->kind != EW_RESP_ARRAY) return refuse(decoder, "no vector");
  struct ew_value *items = EW_NEW_ARRAY(decoder->arena, struct ew_value, reply->count);
  for (size_t i = 0; i < reply->count; i++) {
    const struct ew_resp *item = &reply->items[i];
    items[i] = ew_float(read_double(decoder, is_array(item, 2) ? &item->items[1] : item));
  }
  return ew_list(items, reply->count);
}

static struct ew_value read_map(struct decoder *decoder, const struct ew_resp *reply) {
  if (reply->kind != EW_RESP_ARRAY || reply->count % 2) return refuse(decoder, "no map");
  struct ew_item *items = EW_NEW_ARRAY(decoder->arena, struct ew_item, reply->count / 2);
  for (size_t i = 0; i < reply->count / 2; i++) {
    const struct ew_resp *key = &reply->items[2 * i], *cell = &reply->items[2 * i + 1];
    if (key->kind != EW_RESP_TEXT || !is_array(cell, 2)) return refuse(decoder, "no item of a map");
    items[i] = (struct ew_item){key->text, read_cell(decoder, &cell->items[0], &cell->items[1])};
  }
  return ew_map_value(decoder->arena, items, reply->count / 2);
}

static struct ew_items read_properties(struct decoder *decoder, const struct ew_resp *reply) {
  struct ew_items none = {0};
  if (reply->kind != EW_RESP_ARRAY) return refuse(decoder, "no properties"), none;
  struct ew_item *items = EW_NEW_ARRAY(decoder->arena, struct ew_item, reply->count);
  for (size_t i = 0; i < reply->count; i++) {
    const struct ew_resp *property = &reply->items[i];
    if (!is_array(property, 3)) return refuse(decoder, "no property"), none;
    items[i] = (struct ew_item){name_of(decoder, decoder->names->keys, &property->items[0]),
                                read_cell(decoder, &property->items[1], &property->items[2])};
  }
  return ew_map_value(decoder->arena, items, reply->count).map;
}

static int compare_spans(const void *a, const void *b) {
  return ew_span_compare(*(const struct ew_span *)a, *(const struct ew_span *)b);
}

static struct ew_value read_node(struct decoder *decoder, const struct ew_resp *reply) {
  if (!is_array(reply, 3) || reply->items[1].kind != EW_RESP_ARRAY) return refuse(decoder, "no node");
  const struct ew_resp *labels = &reply->items[1];
  struct ew_span *names = EW_NEW_ARRAY(decoder->arena, struct ew_span, labels->count);
  for (size_t i = 0; i < labels->count; i++) names[i] = name_of(decoder, decoder->names->labels, &labels->items[i]);
  if (labels->count) qsort(names, labels->count, sizeof *names, compare_spans);
  struct ew_node_value *node = EW_NEW(decoder->arena, struct ew_node_value);
  *node = (struct ew_node_value){read_number(decoder, &reply->items[0]), names, labels->count,
                                 read_properties(decoder, &reply->items[2])};
  return (struct ew_value){.kind = EW_VALUE_NODE, .node = node};
}

static struct ew_value read_relationship(struct decoder *decoder, const struct ew_resp *reply) {
  if (!is_array(reply, 5)) return refuse(decoder, "no relationship");
  struct ew_relationship_value *relationship = EW_NEW(decoder->arena, struct ew_relationship_value);
  *relationship = (struct ew_relationship_value){
      .id = read_number(decoder, &reply->items[0]),
      .type = name_of(decoder, decoder->names->types, &reply->items[1]),
      .start = read_number(decoder, &reply->items[2]),
      .end = read_number(decoder, &reply->items[3]),
      .properties = read_properties(decoder, &reply->items[4]),
  };
  return (struct ew_value){.kind = EW_VALUE_RELATIONSHIP, .relationship = relationship};
}

/* A cell that is a list of elements of one kind. */
static bool read_elements(struct decoder *decoder, const struct ew_resp *cell, enum ew_value_kind kind,
                          struct ew_values *values) {
  if (!is_array(cell, 2)) return false;
  struct ew_value list = read_cell(decoder, &cell->items[0], &cell->items[1]);
  if (list.kind != EW_VALUE_LIST) return false;
  for (size_t i = 0; i < list.list.count; i++)
    if (list.list.items[i].kind != kind) return false;
  *values = list.list;
  return true;
}

static struct ew_value read_path(struct decoder *decoder, const struct ew_resp *reply) {
  struct ew_path_value *path = EW_NEW(decoder->arena, struct ew_path_value);
  if (!is_array(reply, 2) || !read_elements(decoder, &reply->items[0], EW_VALUE_NODE, &path->nodes) ||
      !read_elements(decoder, &reply->items[1], EW_VALUE_RELATIONSHIP, &path->relationships) ||
      path->nodes.count != path->relationships.count + 1)
    return refuse(decoder, "no path");
  return (struct ew_value){.kind = EW_VALUE_PATH, .path = path};
}

static struct ew_value read_point(struct decoder *decoder, const struct ew_resp *reply) {
  if (!is_array(reply, 2)) return refuse(decoder, "no point");
  struct ew_point_value *point = EW_NEW(decoder->arena, struct ew_point_value);
  double latitude = read_double(decoder, &reply->items[0]);
  *point = (struct ew_point_value){.srid = WGS84, .x = read_double(decoder, &reply->items[1]), .y = latitude};
  return (struct ew_value){.kind = EW_VALUE_POINT, .point = point};
}

/* Seconds since 1970, or since midnight on that day. */
static struct ew_value read_instant(struct decoder *decoder, enum cell_type type, const struct ew_resp *reply) {
  int64_t seconds = read_number(decoder, reply), day = seconds / DAY, rest = seconds % DAY;
  if (rest < 0) {
    rest += DAY;
    day--;
  }
  if (type == CELL_DATE) return (struct ew_value){.kind = EW_VALUE_DATE, .day = day};
  if (type == CELL_TIME)
    return (struct ew_value){.kind = EW_VALUE_LOCAL_TIME, .time = {.nanoseconds = rest * INT64_C(1000000000)}};
  return (struct ew_value){.kind = EW_VALUE_LOCAL_DATETIME, .local_datetime = {day, rest * INT64_C(1000000000)}};
}

static struct ew_value read_duration(struct decoder *decoder, const struct ew_resp *reply) {
  struct ew_duration_value *duration = EW_NEW(decoder->arena, struct ew_duration_value);
  duration->seconds = read_number(decoder, reply);
  return (struct ew_value){.kind = EW_VALUE_DURATION, .duration = duration};
}

static struct ew_value read_cell(struct decoder *decoder, const struct ew_resp *type, const struct ew_resp *reply) {
  if (type->kind != EW_RESP_INTEGER) return refuse(decoder, "a value without a type");
  switch (type->integer) {
    case CELL_NULL: return ew_null();
    case CELL_STRING: return reply->kind == EW_RESP_TEXT ? ew_string(reply->text) : refuse(decoder, "no string");
    case CELL_INTEGER: return ew_integer(read_number(decoder, reply));
    case CELL_BOOLEAN:
      if (reply->kind != EW_RESP_TEXT || !(ew_span_is(reply->text, "true") || ew_span_is(reply->text, "false")))
        return refuse(decoder, "a boolean that is neither true nor false");
      return ew_boolean(ew_span_is(reply->text, "true"));
    case CELL_DOUBLE: return ew_float(read_double(decoder, reply));
    case CELL_LIST: return read_list(decoder, reply);
    case CELL_RELATIONSHIP: return read_relationship(decoder, reply);
    case CELL_NODE: return read_node(decoder, reply);
    case CELL_PATH: return read_path(decoder, reply);
    case CELL_MAP: return read_map(decoder, reply);
    case CELL_POINT: return read_point(decoder, reply);
    case CELL_VECTOR: return read_vector(decoder, reply);
    case CELL_DATETIME:
    case CELL_DATE:
    case CELL_TIME: return read_instant(decoder, (enum cell_type)type->integer, reply);
    case CELL_DURATION: return read_duration(decoder, reply);
    default: return refuse(decoder, "a value of a type that is not known");
  }
}

/* ---- answers ---- */

static void read_statistics(const struct ew_resp *reply, struct ew_statement_outcome *outcome) {
  struct ew_counters *counters = &outcome->counters;
  const struct {
    const char *name;
    int64_t *place;
  } known[] = {
      {"Nodes created: ", &counters->nodes_created},
      {"Nodes deleted: ", &counters->nodes_deleted},
      {"Relationships created: ", &counters->relationships_created},
      {"Relationships deleted: ", &counters->relationships_deleted},
      {"Properties set: ", &counters->properties_set},
      {"Labels added: ", &counters->labels_added},
      {"Labels removed: ", &counters->labels_removed},
  };
  outcome->has_counters = true;
  for (size_t i = 0; i < reply->count; i++) {
    struct ew_span line = reply->items[i].text;
    for (size_t k = 0; k < EW_COUNT(known); k++) {
      struct ew_span name = ew_span_of(known[k].name);
      char digits[24] = "";
      size_t length = line.length - name.length;
      if (!ew_span_starts(line, name) || length >= sizeof digits) continue;
      memcpy(digits, line.bytes + name.length, length);
      *known[k].place = strtoll(digits, NULL, 10);
    }
  }
}

static void read_rows(struct decoder *decoder, const struct ew_resp *head, const struct ew_resp *body,
                      struct ew_rows *rows) {
  struct ew_span *columns = EW_NEW_ARRAY(decoder->arena, struct ew_span, head->count);
  for (size_t i = 0; i < head->count; i++) {
    const struct ew_resp *column = &head->items[i];
    if (!is_array(column, 2) || column->items[1].kind != EW_RESP_TEXT) refuse(decoder, "no name of a column");
    if (decoder->wrong) return;
    columns[i] = column->items[1].text;
  }
  struct ew_value *values = EW_NEW_ARRAY(decoder->arena, struct ew_value, body->count * head->count);
  for (size_t i = 0; i < body->count && !decoder->wrong; i++) {
    const struct ew_resp *row = &body->items[i];
    if (!is_array(row, head->count)) refuse(decoder, "a row of another length than the columns");
    for (size_t k = 0; k < head->count && !decoder->wrong; k++) {
      const struct ew_resp *cell = &row->items[k];
      if (!is_array(cell, 2)) refuse(decoder, "a value without a type");
      if (!decoder->wrong) values[i * head->count + k] = read_cell(decoder, &cell->items[0], &cell->items[1]);
    }
  }
  *rows = (struct ew_rows){columns, head->count, values, body->count};
}

/* "errMsg: WORDS line: 1, column: 2, … errCtx: PART OF THE QUERY …": only the words are the error's own. */
static struct ew_span without_place(struct ew_span text) {
  static const struct ew_span head = {"errMsg: ", 8};
  if (!ew_span_starts(text, head)) return text;
  text = (struct ew_span){text.bytes + head.length, text.length - head.length};
  const char *place = memmem(text.bytes, text.length, " line: ", 7);
  return (struct ew_span){text.bytes, place ? (size_t)(place - text.bytes) : text.length};
}

/* The code is the word in capitals at the beginning: ERR, WRONGTYPE, OOM. */
static void read_error(struct ew_span text, struct ew_statement_outcome *outcome) {
  size_t capitals = 0;
  while (capitals < text.length && text.bytes[capitals] >= 'A' && text.bytes[capitals] <= 'Z') capitals++;
  outcome->kind = EW_OUTCOME_ERROR;
  outcome->text = without_place(text);
  if (capitals > 2 && capitals < text.length && text.bytes[capitals] == ' ') {
    outcome->code = (struct ew_span){text.bytes, capitals};
    outcome->text = (struct ew_span){text.bytes + capitals + 1, text.length - capitals - 1};
  }
}

enum ew_resp_answer ew_resp_read_answer(const struct ew_resp *reply, const struct ew_resp_names *names,
                                        struct ew_arena *arena, struct ew_statement_outcome *outcome) {
  struct decoder decoder = {.arena = arena, .names = names};
  *outcome = (struct ew_statement_outcome){.kind = EW_OUTCOME_ROWS};
  const struct ew_resp *failed = reply->kind == EW_RESP_ERROR ? reply : NULL;
  /* An error that comes up while rows are made is the last item. */
  for (size_t i = 0; reply->kind == EW_RESP_ARRAY && i < reply->count && !failed; i++)
    if (reply->items[i].kind == EW_RESP_ERROR) failed = &reply->items[i];
  if (failed) {
    read_error(failed->text, outcome);
    return EW_RESP_ANSWERED;
  }
  bool fits = is_array(reply, 1) || is_array(reply, 3);
  for (size_t i = 0; fits && i < reply->count; i++) fits = reply->items[i].kind == EW_RESP_ARRAY;
  if (!fits) refuse(&decoder, "neither rows nor statistics");
  if (fits) read_statistics(&reply->items[reply->count - 1], outcome);
  if (fits && reply->count == 3) read_rows(&decoder, &reply->items[0], &reply->items[1], &outcome->rows);
  if (!decoder.wrong) return decoder.unknown_names ? EW_RESP_UNKNOWN_NAMES : EW_RESP_ANSWERED;
  *outcome = (struct ew_statement_outcome){.kind = EW_OUTCOME_CORRUPT, .text = ew_span_of(decoder.wrong)};
  return EW_RESP_NO_ANSWER;
}

bool ew_resp_read_names(const struct ew_resp *reply, struct ew_arena *arena, struct ew_names *names) {
  struct ew_statement_outcome outcome;
  const struct ew_resp_names none = {0};
  if (ew_resp_read_answer(reply, &none, arena, &outcome) != EW_RESP_ANSWERED || outcome.kind != EW_OUTCOME_ROWS ||
      outcome.rows.column_count != 1)
    return false;
  struct ew_span *items = EW_NEW_ARRAY(arena, struct ew_span, outcome.rows.row_count);
  for (size_t i = 0; i < outcome.rows.row_count; i++) {
    if (outcome.rows.values[i].kind != EW_VALUE_STRING) return false;
    items[i] = outcome.rows.values[i].string;
  }
  *names = (struct ew_names){items, outcome.rows.row_count};
  return true;
}
