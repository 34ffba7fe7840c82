/* packstream_writer.c: encoding; always the shortest form. */
#include "base/deadline.h"
#include "engine/packstream.h"

static const int64_t DAY_SECONDS = 86400;

/* A head's markers: the first of the sixteen that hold the size, and those for sizes of 1, 2 and 4 bytes. */
struct head {
  unsigned char tiny, narrow;
};

static const struct head STRING = {0x80, 0xd0}, LIST = {0x90, 0xd4}, MAP = {0xa0, 0xd8};

static void write_big_endian(struct ew_text *text, uint64_t number, unsigned size) {
  for (unsigned i = size; i-- > 0;) ew_text_add_char(text, (char)(unsigned char)(number >> 8 * i));
}

static void write_marker(struct ew_text *text, unsigned marker) { ew_text_add_char(text, (char)(unsigned char)marker); }

static void write_head(struct ew_text *text, struct head head, size_t size) {
  EW_ASSERT(size <= UINT32_MAX);
  if (size < 16) {
    write_marker(text, head.tiny + (unsigned)size);
    return;
  }
  unsigned step = size < 0x100 ? 0 : size < 0x10000 ? 1 : 2;
  write_marker(text, head.narrow + step);
  write_big_endian(text, size, 1u << step);
}

void ew_packstream_write_structure(struct ew_text *text, size_t fields, unsigned tag) {
  EW_ASSERT(fields < 16);
  write_marker(text, 0xb0 + (unsigned)fields);
  write_marker(text, tag);
}

void ew_packstream_write_map(struct ew_text *text, size_t pairs) { write_head(text, MAP, pairs); }

void ew_packstream_write_integer(struct ew_text *text, int64_t number) {
  if (number >= -16 && number <= INT8_MAX) {
    write_marker(text, (unsigned char)number);
    return;
  }
  unsigned step = number >= INT8_MIN && number <= INT8_MAX     ? 0
                  : number >= INT16_MIN && number <= INT16_MAX ? 1
                  : number >= INT32_MIN && number <= INT32_MAX ? 2
                                                               : 3;
  write_marker(text, 0xc8 + step);
  write_big_endian(text, (uint64_t)number, 1u << step);
}

void ew_packstream_write_string(struct ew_text *text, struct ew_span string) {
  write_head(text, STRING, string.length);
  ew_text_add(text, string);
}

static void write_float(struct ew_text *text, double number) {
  uint64_t bits;
  memcpy(&bits, &number, sizeof bits);
  write_marker(text, 0xc1);
  write_big_endian(text, bits, sizeof bits);
}

static void write_items(struct ew_text *text, struct ew_items items, struct ew_packstream_form form) {
  ew_packstream_write_map(text, items.count);
  for (size_t i = 0; i < items.count; i++) {
    ew_packstream_write_string(text, items.items[i].key);
    ew_packstream_write(text, items.items[i].value, form);
  }
}

/* ---- elements ---- */

static void write_element_id(struct ew_text *text, int64_t id, struct ew_packstream_form form) {
  if (!form.element_ids) return;
  struct ew_text digits = {0};
  ew_text_add_integer(&digits, id);
  ew_packstream_write_string(text, ew_text_span(&digits));
  ew_text_release(&digits);
}

static void write_node(struct ew_text *text, const struct ew_node_value *node, struct ew_packstream_form form) {
  ew_packstream_write_structure(text, form.element_ids ? 4 : 3, EW_PACKSTREAM_NODE);
  ew_packstream_write_integer(text, node->id);
  write_head(text, LIST, node->label_count);
  for (size_t i = 0; i < node->label_count; i++) ew_packstream_write_string(text, node->labels[i]);
  write_items(text, node->properties, form);
  write_element_id(text, node->id, form);
}

static void write_relationship(struct ew_text *text, const struct ew_relationship_value *relationship,
                               struct ew_packstream_form form) {
  ew_packstream_write_structure(text, form.element_ids ? 8 : 5, EW_PACKSTREAM_RELATIONSHIP);
  ew_packstream_write_integer(text, relationship->id);
  ew_packstream_write_integer(text, relationship->start);
  ew_packstream_write_integer(text, relationship->end);
  ew_packstream_write_string(text, relationship->type);
  write_items(text, relationship->properties, form);
  write_element_id(text, relationship->id, form);
  write_element_id(text, relationship->start, form);
  write_element_id(text, relationship->end, form);
}

/* Each element as often as it is met: the indices then count up. */
static void write_path(struct ew_text *text, const struct ew_path_value *path, struct ew_packstream_form form) {
  size_t count = path->relationships.count;
  ew_packstream_write_structure(text, 3, EW_PACKSTREAM_PATH);
  write_head(text, LIST, count + 1);
  for (size_t i = 0; i <= count; i++) write_node(text, path->nodes.items[i].node, form);
  write_head(text, LIST, count);
  for (size_t i = 0; i < count; i++) {
    const struct ew_relationship_value *relationship = path->relationships.items[i].relationship;
    ew_packstream_write_structure(text, form.element_ids ? 4 : 3, EW_PACKSTREAM_UNBOUND_RELATIONSHIP);
    ew_packstream_write_integer(text, relationship->id);
    ew_packstream_write_string(text, relationship->type);
    write_items(text, relationship->properties, form);
    write_element_id(text, relationship->id, form);
  }
  write_head(text, LIST, 2 * count);
  for (size_t i = 0; i < count; i++) {
    int64_t number = (int64_t)i + 1;
    bool forward = path->relationships.items[i].relationship->start == path->nodes.items[i].node->id;
    ew_packstream_write_integer(text, forward ? number : -number);
    ew_packstream_write_integer(text, number);
  }
}

/* ---- time and space ---- */

/* Days beyond what 64 bits of seconds hold cannot be said; no engine has them. */
static int64_t local_seconds(struct ew_day_time local) {
  int64_t seconds;
  if (__builtin_mul_overflow(local.day, DAY_SECONDS, &seconds) ||
      __builtin_add_overflow(seconds, local.nanoseconds / EW_SECOND, &seconds))
    return local.day < 0 ? INT64_MIN / 2 : INT64_MAX / 2;
  return seconds;
}

static void write_datetime(struct ew_text *text, const struct ew_datetime_value *value,
                           struct ew_packstream_form form) {
  bool named = value->zone.length;
  unsigned tag = named      ? form.utc ? EW_PACKSTREAM_ZONED_DATETIME : EW_PACKSTREAM_ZONED_DATETIME_LEGACY
                 : form.utc ? EW_PACKSTREAM_DATETIME
                            : EW_PACKSTREAM_DATETIME_LEGACY;
  ew_packstream_write_structure(text, 3, tag);
  int64_t seconds = local_seconds(value->local);
  if (form.utc && __builtin_sub_overflow(seconds, value->offset, &seconds)) seconds = INT64_MIN / 2;
  ew_packstream_write_integer(text, seconds);
  ew_packstream_write_integer(text, value->local.nanoseconds % EW_SECOND);
  if (named) {
    ew_packstream_write_string(text, value->zone);
  } else {
    ew_packstream_write_integer(text, value->offset);
  }
}

static void write_local_datetime(struct ew_text *text, struct ew_day_time local) {
  ew_packstream_write_structure(text, 2, EW_PACKSTREAM_LOCAL_DATETIME);
  ew_packstream_write_integer(text, local_seconds(local));
  ew_packstream_write_integer(text, local.nanoseconds % EW_SECOND);
}

static void write_duration(struct ew_text *text, const struct ew_duration_value *duration) {
  ew_packstream_write_structure(text, 4, EW_PACKSTREAM_DURATION);
  ew_packstream_write_integer(text, duration->months);
  ew_packstream_write_integer(text, duration->days);
  ew_packstream_write_integer(text, duration->seconds);
  ew_packstream_write_integer(text, duration->nanoseconds);
}

static void write_point(struct ew_text *text, const struct ew_point_value *point) {
  bool deep = point->srid == 4979 || point->srid == 9157;
  ew_packstream_write_structure(text, deep ? 4 : 3, deep ? EW_PACKSTREAM_POINT_3D : EW_PACKSTREAM_POINT_2D);
  ew_packstream_write_integer(text, point->srid);
  write_float(text, point->x);
  write_float(text, point->y);
  if (deep) write_float(text, point->z);
}

void ew_packstream_write(struct ew_text *text, struct ew_value value, struct ew_packstream_form form) {
  switch (value.kind) {
    case EW_VALUE_NULL: write_marker(text, 0xc0); break;
    case EW_VALUE_BOOLEAN: write_marker(text, value.boolean ? 0xc3 : 0xc2); break;
    case EW_VALUE_INTEGER: ew_packstream_write_integer(text, value.integer); break;
    case EW_VALUE_FLOAT: write_float(text, value.number); break;
    case EW_VALUE_STRING: ew_packstream_write_string(text, value.string); break;
    case EW_VALUE_LIST:
      write_head(text, LIST, value.list.count);
      for (size_t i = 0; i < value.list.count; i++) ew_packstream_write(text, value.list.items[i], form);
      break;
    case EW_VALUE_MAP: write_items(text, value.map, form); break;
    case EW_VALUE_NODE: write_node(text, value.node, form); break;
    case EW_VALUE_RELATIONSHIP: write_relationship(text, value.relationship, form); break;
    case EW_VALUE_PATH: write_path(text, value.path, form); break;
    case EW_VALUE_DATE:
      ew_packstream_write_structure(text, 1, EW_PACKSTREAM_DATE);
      ew_packstream_write_integer(text, value.day);
      break;
    case EW_VALUE_TIME:
      ew_packstream_write_structure(text, 2, EW_PACKSTREAM_TIME);
      ew_packstream_write_integer(text, value.time.nanoseconds);
      ew_packstream_write_integer(text, value.time.offset);
      break;
    case EW_VALUE_LOCAL_TIME:
      ew_packstream_write_structure(text, 1, EW_PACKSTREAM_LOCAL_TIME);
      ew_packstream_write_integer(text, value.time.nanoseconds);
      break;
    case EW_VALUE_LOCAL_DATETIME: write_local_datetime(text, value.local_datetime); break;
    case EW_VALUE_DATETIME: write_datetime(text, value.datetime, form); break;
    case EW_VALUE_DURATION: write_duration(text, value.duration); break;
    case EW_VALUE_POINT: write_point(text, value.point); break;
  }
}
