/* wire_writer.c: messages of the host protocol, appended to a text. The layout is what wire_reader.c reads, in its
   order. */
#include "engine/wire.h"

struct writer {
  struct ew_text *text;
  size_t items; /* that may still be written */
  bool wrong;
};

static void write_value(struct writer *writer, struct ew_value value, unsigned depth);

static void write_byte(struct ew_text *text, unsigned byte) { ew_text_add_char(text, (char)(unsigned char)byte); }

static void write_unsigned(struct ew_text *text, uint64_t number) {
  char bytes[10];
  size_t length = 0;
  while (number >= 0x80) {
    bytes[length++] = (char)(unsigned char)(number | 0x80);
    number >>= 7;
  }
  bytes[length++] = (char)number;
  ew_text_add_bytes(text, bytes, length);
}

/* Small numbers of either sign become short. */
static void write_signed(struct ew_text *text, int64_t number) {
  write_unsigned(text, (uint64_t)number << 1 ^ (uint64_t)(number >> 63));
}

static void write_double(struct ew_text *text, double number) {
  ew_text_add_bytes(text, (const char *)&number, sizeof number);
}

static void write_span(struct ew_text *text, struct ew_span span) {
  write_unsigned(text, span.length);
  ew_text_add(text, span);
}

static void count_items(struct writer *writer, size_t count) {
  if (count > writer->items) {
    writer->wrong = true;
    writer->items = 0;
    return;
  }
  writer->items -= count;
}

static void write_names(struct writer *writer, const struct ew_span *items, size_t count) {
  write_unsigned(writer->text, count);
  count_items(writer, count);
  for (size_t i = 0; i < count && !writer->wrong; i++) write_span(writer->text, items[i]);
}

static void write_values(struct writer *writer, struct ew_values values, unsigned depth) {
  write_unsigned(writer->text, values.count);
  count_items(writer, values.count);
  for (size_t i = 0; i < values.count && !writer->wrong; i++) write_value(writer, values.items[i], depth);
}

static void write_items(struct writer *writer, struct ew_items items, unsigned depth) {
  write_unsigned(writer->text, items.count);
  count_items(writer, items.count);
  for (size_t i = 0; i < items.count && !writer->wrong; i++) {
    write_span(writer->text, items.items[i].key);
    write_value(writer, items.items[i].value, depth);
  }
}

static void write_node(struct writer *writer, const struct ew_node_value *node, unsigned depth) {
  write_signed(writer->text, node->id);
  write_names(writer, node->labels, node->label_count);
  write_items(writer, node->properties, depth);
}

static void write_relationship(struct writer *writer, const struct ew_relationship_value *relationship,
                               unsigned depth) {
  write_signed(writer->text, relationship->id);
  write_signed(writer->text, relationship->start);
  write_signed(writer->text, relationship->end);
  write_span(writer->text, relationship->type);
  write_items(writer, relationship->properties, depth);
}

static void write_datetime(struct ew_text *text, const struct ew_datetime_value *datetime) {
  write_signed(text, datetime->local.day);
  write_signed(text, datetime->local.nanoseconds);
  write_signed(text, datetime->offset);
  write_span(text, datetime->zone);
}

static void write_duration(struct ew_text *text, const struct ew_duration_value *duration) {
  write_signed(text, duration->months);
  write_signed(text, duration->days);
  write_signed(text, duration->seconds);
  write_signed(text, duration->nanoseconds);
}

static void write_point(struct ew_text *text, const struct ew_point_value *point) {
  write_signed(text, point->srid);
  write_double(text, point->x);
  write_double(text, point->y);
  write_double(text, point->z);
}

static void write_value(struct writer *writer, struct ew_value value, unsigned depth) {
  struct ew_text *text = writer->text;
  if (depth == EW_WIRE_DEPTH_MAX) {
    writer->wrong = true;
    return;
  }
  write_byte(text, value.kind);
  switch (value.kind) {
    case EW_VALUE_NULL: break;
    case EW_VALUE_BOOLEAN: write_byte(text, value.boolean); break;
    case EW_VALUE_INTEGER: write_signed(text, value.integer); break;
    case EW_VALUE_FLOAT: write_double(text, value.number); break;
    case EW_VALUE_STRING: write_span(text, value.string); break;
    case EW_VALUE_LIST: write_values(writer, value.list, depth + 1); break;
    case EW_VALUE_MAP: write_items(writer, value.map, depth + 1); break;
    case EW_VALUE_NODE: write_node(writer, value.node, depth + 1); break;
    case EW_VALUE_RELATIONSHIP: write_relationship(writer, value.relationship, depth + 1); break;
    case EW_VALUE_PATH:
      write_values(writer, value.path->nodes, depth + 1);
      write_values(writer, value.path->relationships, depth + 1);
      break;
    case EW_VALUE_DATE: write_signed(text, value.day); break;
    case EW_VALUE_TIME:
    case EW_VALUE_LOCAL_TIME:
      write_signed(text, value.time.nanoseconds);
      write_signed(text, value.time.offset);
      break;
    case EW_VALUE_LOCAL_DATETIME:
      write_signed(text, value.local_datetime.day);
      write_signed(text, value.local_datetime.nanoseconds);
      break;
    case EW_VALUE_DATETIME: write_datetime(text, value.datetime); break;
    case EW_VALUE_DURATION: write_duration(text, value.duration); break;
    case EW_VALUE_POINT: write_point(text, value.point); break;
  }
}

static void write_rows(struct writer *writer, const struct ew_rows *rows) {
  write_byte(writer->text, rows->columns != NULL);
  if (rows->columns)
    write_names(writer, rows->columns, rows->column_count);
  else
    write_unsigned(writer->text, rows->column_count);
  write_unsigned(writer->text, rows->row_count);
  count_items(writer, rows->row_count);
  size_t cells = rows->row_count * rows->column_count;
  count_items(writer, cells);
  for (size_t i = 0; i < cells && !writer->wrong; i++) {
    write_value(writer, rows->values[i], 0);
    writer->wrong |= writer->text->length > (size_t)2 * EW_WIRE_MESSAGE_MAX;
  }
}

static void write_options(struct writer *writer, const struct ew_option *options, size_t count) {
  write_unsigned(writer->text, count);
  count_items(writer, count);
  for (size_t i = 0; i < count; i++) {
    write_span(writer->text, options[i].name);
    write_span(writer->text, options[i].setting);
  }
}

static void write_statement(struct writer *writer, const struct ew_statement *statement, int64_t limit) {
  write_span(writer->text, statement->text);
  write_unsigned(writer->text, statement->parameter_count);
  count_items(writer, statement->parameter_count);
  for (size_t i = 0; i < statement->parameter_count && !writer->wrong; i++) {
    write_span(writer->text, statement->parameters[i].name);
    write_value(writer, statement->parameters[i].value, 0);
  }
  write_names(writer, statement->columns.items, statement->columns.count);
  write_byte(writer->text, statement->ordered);
  write_signed(writer->text, limit);
}

size_t ew_wire_begin(struct ew_text *text, enum ew_message type) {
  size_t begun = text->length;
  const char header[EW_WIRE_HEADER] = {'E', 'W', EW_WIRE_VERSION, (char)type};
  ew_text_add_bytes(text, header, sizeof header);
  return begun;
}

bool ew_wire_end(struct ew_text *text, size_t begun) {
  size_t length = text->length - begun - EW_WIRE_HEADER;
  uint32_t field = (uint32_t)length;
  memcpy(text->bytes + begun + 4, &field, sizeof field);
  return length <= EW_WIRE_MESSAGE_MAX;
}

void ew_wire_write_settings(struct ew_text *text, const struct ew_settings *settings) {
  struct writer writer = {text, EW_WIRE_ITEMS_MAX, false};
  write_options(&writer, settings->items, settings->count);
}

void ew_wire_write_reply(struct ew_text *text, const struct ew_wire_reply *reply) {
  write_byte(text, reply->status);
  write_span(text, reply->text);
  write_signed(text, reply->cpu);
}

bool ew_wire_write_batch(struct ew_text *text, const struct ew_wire_batch *batch) {
  struct writer writer = {text, EW_WIRE_ITEMS_MAX, false};
  write_unsigned(text, batch->sequence);
  write_byte(text, batch->stop);
  write_options(&writer, batch->options, batch->option_count);
  write_unsigned(text, batch->count);
  count_items(&writer, batch->count);
  for (size_t i = 0; i < batch->count && !writer.wrong; i++)
    write_statement(&writer, &batch->statements[i], batch->limits[i]);
  return !writer.wrong;
}

void ew_wire_write_outcomes(struct ew_text *text, const struct ew_wire_outcomes *head) {
  ew_text_add_bytes(text, (const char *)head, sizeof *head);
}

bool ew_wire_write_outcome(struct ew_text *text, const struct ew_statement_outcome *outcome) {
  struct writer writer = {text, EW_WIRE_ITEMS_MAX / 2, false};
  size_t begun = text->length;
  write_byte(text, outcome->kind);
  write_byte(text, outcome->error_class);
  write_rows(&writer, &outcome->rows);
  write_span(text, outcome->text);
  write_span(text, outcome->code);
  write_names(&writer, outcome->frames.items, outcome->frames.count);
  write_signed(text, outcome->signal);
  write_signed(text, outcome->nanoseconds);
  write_byte(text, outcome->has_counters);
  if (outcome->has_counters) {
    const struct ew_counters *counters = &outcome->counters;
    write_signed(text, counters->nodes_created);
    write_signed(text, counters->nodes_deleted);
    write_signed(text, counters->relationships_created);
    write_signed(text, counters->relationships_deleted);
    write_signed(text, counters->properties_set);
    write_signed(text, counters->labels_added);
    write_signed(text, counters->labels_removed);
  }
  write_span(text, outcome->plan);
  return !writer.wrong && text->length - begun <= EW_WIRE_OUTCOME_MAX;
}
