/* wire_reader.c: decoding of hostile bytes. Every count is held against what is left before anything is allocated
   by it, and against a budget of items for the whole message, so that 64 MiB of bytes cannot become gigabytes of
   values. */
#include "engine/wire.h"

/* How many kinds of value there are. */
enum {
  VALUE_KINDS = 0
#define VALUE(name, text) +1
#include "value/value.def"
#undef VALUE
};

static const int64_t DAY = 86400 * EW_SECOND;

static void read_value(struct ew_wire_reader *reader, struct ew_value *value, unsigned depth);

static void fail(struct ew_wire_reader *reader) {
  reader->wrong = true;
  reader->next = reader->end;
}

static size_t left(const struct ew_wire_reader *reader) { return (size_t)(reader->end - reader->next); }

static unsigned read_byte(struct ew_wire_reader *reader) {
  if (reader->next == reader->end) {
    fail(reader);
    return 0;
  }
  return (unsigned char)*reader->next++;
}

/* A byte below `bound`. */
static unsigned read_choice(struct ew_wire_reader *reader, unsigned bound) {
  unsigned byte = read_byte(reader);
  if (byte < bound) return byte;
  fail(reader);
  return 0;
}

static uint64_t read_unsigned(struct ew_wire_reader *reader) {
  uint64_t number = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    uint64_t byte = read_byte(reader);
    number |= (byte & 0x7f) << shift;
    if (byte >= 0x80) continue;
    if (shift == 63 && byte > 1) break;
    return reader->wrong ? 0 : number;
  }
  fail(reader);
  return 0;
}

static int64_t read_signed(struct ew_wire_reader *reader) {
  uint64_t number = read_unsigned(reader);
  return (int64_t)(number >> 1 ^ (0 - (number & 1)));
}

static int64_t read_between(struct ew_wire_reader *reader, int64_t low, int64_t high) {
  int64_t number = read_signed(reader);
  if (number >= low && number <= high) return number;
  fail(reader);
  return low;
}

static void read_fixed(struct ew_wire_reader *reader, void *into, size_t size) {
  if (left(reader) < size) {
    fail(reader);
    memset(into, 0, size);
    return;
  }
  memcpy(into, reader->next, size);
  reader->next += size;
}

static double read_double(struct ew_wire_reader *reader) {
  double number;
  read_fixed(reader, &number, sizeof number);
  return number;
}

static struct ew_span read_span(struct ew_wire_reader *reader) {
  uint64_t length = read_unsigned(reader);
  if (length > left(reader)) {
    fail(reader);
    return (struct ew_span){"", 0};
  }
  struct ew_span span = {reader->next, (size_t)length};
  reader->next += length;
  return span;
}

/* Takes `count` from the budget of items. */
static bool afford(struct ew_wire_reader *reader, uint64_t count) {
  if (count > reader->items) {
    fail(reader);
    return false;
  }
  reader->items -= (size_t)count;
  return true;
}

/* A count of things that each take a byte or more; 0 where it cannot be. */
static size_t read_count(struct ew_wire_reader *reader) {
  uint64_t count = read_unsigned(reader);
  if (count > left(reader)) {
    fail(reader);
    return 0;
  }
  return afford(reader, count) ? (size_t)count : 0;
}

static struct ew_names read_names(struct ew_wire_reader *reader) {
  size_t count = read_count(reader);
  if (!count) return (struct ew_names){0};
  struct ew_span *items = ew_arena_take(reader->arena, ew_array_size(count, sizeof *items));
  for (size_t i = 0; i < count; i++) items[i] = read_span(reader);
  return (struct ew_names){items, count};
}

static struct ew_values read_values(struct ew_wire_reader *reader, size_t count, unsigned depth) {
  if (!count) return (struct ew_values){0};
  struct ew_value *items = ew_arena_take(reader->arena, ew_array_size(count, sizeof *items));
  for (size_t i = 0; i < count; i++) read_value(reader, &items[i], depth);
  return (struct ew_values){items, count};
}

static struct ew_items read_items(struct ew_wire_reader *reader, unsigned depth) {
  size_t count = read_count(reader);
  if (!count) return (struct ew_items){0};
  struct ew_item *items = ew_arena_take(reader->arena, ew_array_size(count, sizeof *items));
  for (size_t i = 0; i < count; i++) {
    items[i].key = read_span(reader);
    if (i && !reader->wrong && ew_span_compare(items[i - 1].key, items[i].key) >= 0) fail(reader);
    read_value(reader, &items[i].value, depth);
  }
  return (struct ew_items){items, count};
}

static const struct ew_node_value *read_node(struct ew_wire_reader *reader, unsigned depth) {
  struct ew_node_value *node = EW_NEW(reader->arena, struct ew_node_value);
  node->id = read_signed(reader);
  struct ew_names labels = read_names(reader);
  for (size_t i = 1; i < labels.count && !reader->wrong; i++)
    if (ew_span_compare(labels.items[i - 1], labels.items[i]) > 0) fail(reader);
  node->labels = labels.items;
  node->label_count = labels.count;
  node->properties = read_items(reader, depth);
  return node;
}

static const struct ew_relationship_value *read_relationship(struct ew_wire_reader *reader, unsigned depth) {
  struct ew_relationship_value *relationship = EW_NEW(reader->arena, struct ew_relationship_value);
  relationship->id = read_signed(reader);
  relationship->start = read_signed(reader);
  relationship->end = read_signed(reader);
  relationship->type = read_span(reader);
  relationship->properties = read_items(reader, depth);
  return relationship;
}

static void check_kinds(struct ew_wire_reader *reader, struct ew_values values, enum ew_value_kind kind) {
  for (size_t i = 0; i < values.count && !reader->wrong; i++)
    if (values.items[i].kind != kind) fail(reader);
}

static const struct ew_path_value *read_path(struct ew_wire_reader *reader, unsigned depth) {
  struct ew_path_value *path = EW_NEW(reader->arena, struct ew_path_value);
  path->nodes = read_values(reader, read_count(reader), depth);
  path->relationships = read_values(reader, read_count(reader), depth);
  check_kinds(reader, path->nodes, EW_VALUE_NODE);
  check_kinds(reader, path->relationships, EW_VALUE_RELATIONSHIP);
  if (path->nodes.count != path->relationships.count + 1) fail(reader);
  return path;
}

static struct ew_day_time read_day_time(struct ew_wire_reader *reader) {
  int64_t day = read_signed(reader);
  return (struct ew_day_time){day, read_between(reader, 0, DAY - 1)};
}

static const struct ew_datetime_value *read_datetime(struct ew_wire_reader *reader) {
  struct ew_datetime_value *datetime = EW_NEW(reader->arena, struct ew_datetime_value);
  datetime->local = read_day_time(reader);
  datetime->offset = (int32_t)read_between(reader, INT32_MIN, INT32_MAX);
  datetime->zone = read_span(reader);
  return datetime;
}

static const struct ew_duration_value *read_duration(struct ew_wire_reader *reader) {
  struct ew_duration_value *duration = EW_NEW(reader->arena, struct ew_duration_value);
  duration->months = read_signed(reader);
  duration->days = read_signed(reader);
  duration->seconds = read_signed(reader);
  duration->nanoseconds = (int32_t)read_between(reader, 0, EW_SECOND - 1);
  return duration;
}

static const struct ew_point_value *read_point(struct ew_wire_reader *reader) {
  struct ew_point_value *point = EW_NEW(reader->arena, struct ew_point_value);
  point->srid = (int32_t)read_between(reader, INT32_MIN, INT32_MAX);
  point->x = read_double(reader);
  point->y = read_double(reader);
  point->z = read_double(reader);
  return point;
}

static void read_value(struct ew_wire_reader *reader, struct ew_value *value, unsigned depth) {
  *value = ew_null();
  if (depth == EW_WIRE_DEPTH_MAX) {
    fail(reader);
    return;
  }
  enum ew_value_kind kind = read_choice(reader, VALUE_KINDS);
  if (reader->wrong) return;
  value->kind = kind;
  switch (kind) {
    case EW_VALUE_NULL: break;
    case EW_VALUE_BOOLEAN: value->boolean = read_choice(reader, 2); break;
    case EW_VALUE_INTEGER: value->integer = read_signed(reader); break;
    case EW_VALUE_FLOAT: value->number = read_double(reader); break;
    case EW_VALUE_STRING: value->string = read_span(reader); break;
    case EW_VALUE_LIST: value->list = read_values(reader, read_count(reader), depth + 1); break;
    case EW_VALUE_MAP: value->map = read_items(reader, depth + 1); break;
    case EW_VALUE_NODE: value->node = read_node(reader, depth + 1); break;
    case EW_VALUE_RELATIONSHIP: value->relationship = read_relationship(reader, depth + 1); break;
    case EW_VALUE_PATH: value->path = read_path(reader, depth + 1); break;
    case EW_VALUE_DATE: value->day = read_signed(reader); break;
    case EW_VALUE_TIME:
    case EW_VALUE_LOCAL_TIME:
      value->time.nanoseconds = read_between(reader, 0, DAY - 1);
      value->time.offset = (int32_t)read_between(reader, INT32_MIN, INT32_MAX);
      break;
    case EW_VALUE_LOCAL_DATETIME: value->local_datetime = read_day_time(reader); break;
    case EW_VALUE_DATETIME: value->datetime = read_datetime(reader); break;
    case EW_VALUE_DURATION: value->duration = read_duration(reader); break;
    case EW_VALUE_POINT: value->point = read_point(reader); break;
  }
}

static void read_rows(struct ew_wire_reader *reader, struct ew_rows *rows) {
  *rows = (struct ew_rows){0};
  bool named = read_choice(reader, 2);
  static const struct ew_span none[1]; /* named columns, but none of them: not NULL */
  if (named) {
    struct ew_names columns = read_names(reader);
    rows->columns = columns.count ? columns.items : none;
    rows->column_count = columns.count;
  } else {
    uint64_t count = read_unsigned(reader);
    rows->column_count = afford(reader, count) ? (size_t)count : 0;
  }
  uint64_t count = read_unsigned(reader);
  if (!afford(reader, count) || (rows->column_count && count > left(reader) / rows->column_count)) {
    fail(reader);
    return;
  }
  rows->row_count = (size_t)count;
  size_t cells = rows->row_count * rows->column_count;
  if (afford(reader, cells)) rows->values = read_values(reader, cells, 0).items;
}

static struct ew_option *read_options(struct ew_wire_reader *reader, size_t *count) {
  *count = read_count(reader);
  if (!*count) return NULL;
  struct ew_option *options = ew_arena_take(reader->arena, ew_array_size(*count, sizeof *options));
  for (size_t i = 0; i < *count; i++) {
    options[i].name = read_span(reader);
    options[i].setting = read_span(reader);
  }
  return options;
}

static void read_statement(struct ew_wire_reader *reader, struct ew_statement *statement, int64_t *limit) {
  statement->text = read_span(reader);
  statement->parameter_count = read_count(reader);
  struct ew_parameter *parameters = EW_NEW_ARRAY(reader->arena, struct ew_parameter, statement->parameter_count);
  for (size_t i = 0; i < statement->parameter_count; i++) {
    parameters[i].name = read_span(reader);
    read_value(reader, &parameters[i].value, 0);
  }
  statement->parameters = parameters;
  statement->columns = read_names(reader);
  statement->ordered = read_choice(reader, 2);
  *limit = read_signed(reader);
}

bool ew_wire_read_header(const char *bytes, enum ew_message *type, size_t *length) {
  uint32_t field;
  memcpy(&field, bytes + 4, sizeof field);
  *type = (enum ew_message)(unsigned char)bytes[3];
  *length = field;
  return bytes[0] == 'E' && bytes[1] == 'W' && bytes[2] == EW_WIRE_VERSION && *type >= EW_MESSAGE_HELLO &&
         *type <= EW_MESSAGE_BYE && field <= EW_WIRE_MESSAGE_MAX;
}

void ew_wire_reader_init(struct ew_wire_reader *reader, struct ew_span payload, struct ew_arena *arena) {
  *reader = (struct ew_wire_reader){payload.bytes, payload.bytes + payload.length, arena, EW_WIRE_ITEMS_MAX, false};
}

void ew_wire_read_settings(struct ew_wire_reader *reader, struct ew_settings *settings) {
  settings->items = read_options(reader, &settings->count);
}

void ew_wire_read_reply(struct ew_wire_reader *reader, struct ew_wire_reply *reply) {
  reply->status = read_choice(reader, EW_GONE + 1);
  reply->text = read_span(reader);
  reply->cpu = read_signed(reader);
}

void ew_wire_read_batch(struct ew_wire_reader *reader, struct ew_wire_batch *batch) {
  batch->sequence = read_unsigned(reader);
  batch->stop = read_choice(reader, 2);
  batch->options = read_options(reader, &batch->option_count);
  batch->count = read_count(reader);
  struct ew_statement *statements = EW_NEW_ARRAY(reader->arena, struct ew_statement, batch->count);
  int64_t *limits = EW_NEW_ARRAY(reader->arena, int64_t, batch->count);
  for (size_t i = 0; i < batch->count; i++) read_statement(reader, &statements[i], &limits[i]);
  batch->statements = statements;
  batch->limits = limits;
}

void ew_wire_read_outcomes(struct ew_wire_reader *reader, struct ew_wire_outcomes *head) {
  read_fixed(reader, head, sizeof *head);
  if (head->last > 1 || head->count > left(reader)) fail(reader);
}

void ew_wire_read_outcome(struct ew_wire_reader *reader, struct ew_statement_outcome *outcome) {
  *outcome = (struct ew_statement_outcome){0};
  outcome->kind = read_choice(reader, EW_OUTCOME_KINDS);
  outcome->error_class = read_choice(reader, EW_ERROR_TRANSIENT + 1);
  read_rows(reader, &outcome->rows);
  outcome->text = read_span(reader);
  outcome->code = read_span(reader);
  outcome->frames = read_names(reader);
  outcome->signal = (int)read_between(reader, 0, 128);
  outcome->nanoseconds = read_signed(reader);
  outcome->has_counters = read_choice(reader, 2);
  if (outcome->has_counters) {
    struct ew_counters *counters = &outcome->counters;
    counters->nodes_created = read_signed(reader);
    counters->nodes_deleted = read_signed(reader);
    counters->relationships_created = read_signed(reader);
    counters->relationships_deleted = read_signed(reader);
    counters->properties_set = read_signed(reader);
    counters->labels_added = read_signed(reader);
    counters->labels_removed = read_signed(reader);
  }
  outcome->plan = read_span(reader);
}

bool ew_wire_finish(const struct ew_wire_reader *reader) { return !reader->wrong && reader->next == reader->end; }
