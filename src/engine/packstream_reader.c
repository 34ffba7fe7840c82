/* packstream_reader.c: decoding of hostile bytes. Every count is held against what is left before anything is allocated by it. */
#include <stdlib.h>
#include <time.h>

#include "base/deadline.h"
#include "engine/packstream.h"

static const int64_t DAY = 86400 * EW_SECOND, DAY_SECONDS = 86400;
enum { OFFSET_MAX = 18 * 3600, ZONE_MAX = 64 };

static struct ew_value read_value(struct ew_packstream_reader *reader, unsigned depth);

static void fail(struct ew_packstream_reader *reader) {
  reader->wrong = true;
  reader->next = reader->end;
}

static size_t left(const struct ew_packstream_reader *reader) { return (size_t)(reader->end - reader->next); }

static unsigned read_byte(struct ew_packstream_reader *reader) {
  if (reader->next < reader->end) return (unsigned char)*reader->next++;
  fail(reader);
  return 0;
}

static uint64_t read_big_endian(struct ew_packstream_reader *reader, unsigned size) {
  uint64_t number = 0;
  for (unsigned i = 0; i < size; i++) number = number << 8 | read_byte(reader);
  return reader->wrong ? 0 : number;
}

/* The size that a marker says: in its low half where it is `tiny`, else in 1, 2 or 4 bytes behind `narrow` and on. */
static size_t read_size(struct ew_packstream_reader *reader, unsigned marker, unsigned tiny, unsigned narrow) {
  if (marker >> 4 == tiny >> 4) return marker & 15;
  if (marker >= narrow && marker < narrow + 3) return (size_t)read_big_endian(reader, 1u << (marker - narrow));
  fail(reader);
  return 0;
}

/* Takes `count` from the budget of items; 0 where that is too much. */
static size_t spend(struct ew_packstream_reader *reader, size_t count) {
  if (count > reader->items) {
    reader->large = !reader->wrong;
    fail(reader);
    return 0;
  }
  reader->items -= count;
  return count;
}

/* A count of things that take at least `size` bytes each. */
static size_t afford(struct ew_packstream_reader *reader, size_t count, size_t size) {
  if (count <= left(reader) / size) return spend(reader, count);
  fail(reader);
  return 0;
}

static struct ew_span take(struct ew_packstream_reader *reader, size_t length) {
  if (length > left(reader)) {
    fail(reader);
    return EW_SPAN("");
  }
  struct ew_span span = {reader->next, length};
  reader->next += length;
  return span;
}

/* ---- single values ---- */

static int64_t integer_of(struct ew_packstream_reader *reader, unsigned marker) {
  switch (marker) {
    case 0xc8: return (int8_t)read_big_endian(reader, 1);
    case 0xc9: return (int16_t)read_big_endian(reader, 2);
    case 0xca: return (int32_t)read_big_endian(reader, 4);
    case 0xcb: return (int64_t)read_big_endian(reader, 8);
    default: break;
  }
  if (marker < 0x80 || marker >= 0xf0) return (int8_t)marker;
  fail(reader);
  return 0;
}

static int64_t read_integer(struct ew_packstream_reader *reader) { return integer_of(reader, read_byte(reader)); }

static int64_t read_between(struct ew_packstream_reader *reader, int64_t low, int64_t high) {
  int64_t number = read_integer(reader);
  if (number >= low && number <= high) return number;
  fail(reader);
  return low;
}

static double float_of(struct ew_packstream_reader *reader) {
  uint64_t bits = read_big_endian(reader, 8);
  double number;
  memcpy(&number, &bits, sizeof number);
  return number;
}

static double read_float(struct ew_packstream_reader *reader) {
  if (read_byte(reader) == 0xc1) return float_of(reader);
  fail(reader);
  return 0;
}

static struct ew_span string_of(struct ew_packstream_reader *reader, unsigned marker) {
  struct ew_span span = take(reader, read_size(reader, marker, 0x80, 0xd0));
  return span.length ? ew_arena_copy(reader->arena, span) : EW_SPAN("");
}

static struct ew_span read_string(struct ew_packstream_reader *reader) { return string_of(reader, read_byte(reader)); }

static struct ew_span read_bytes(struct ew_packstream_reader *reader) {
  unsigned marker = read_byte(reader);
  if (marker >= 0xcc && marker <= 0xce) return take(reader, (size_t)read_big_endian(reader, 1u << (marker - 0xcc)));
  fail(reader);
  return EW_SPAN("");
}

/* ---- lists and maps ---- */

static size_t list_of(struct ew_packstream_reader *reader, unsigned marker) {
  return afford(reader, read_size(reader, marker, 0x90, 0xd4), 1);
}

size_t ew_packstream_read_list(struct ew_packstream_reader *reader) { return list_of(reader, read_byte(reader)); }

static struct ew_values read_values(struct ew_packstream_reader *reader, size_t count, unsigned depth) {
  if (!count) return (struct ew_values){0};
  struct ew_value *items = ew_arena_take(reader->arena, ew_array_size(count, sizeof *items));
  for (size_t i = 0; i < count; i++) items[i] = read_value(reader, depth);
  return (struct ew_values){items, count};
}

static struct ew_items items_of(struct ew_packstream_reader *reader, unsigned marker, unsigned depth) {
  size_t count = afford(reader, read_size(reader, marker, 0xa0, 0xd8), 2);
  if (!count) return (struct ew_items){0};
  struct ew_item *items = ew_arena_take(reader->arena, ew_array_size(count, sizeof *items));
  for (size_t i = 0; i < count; i++) {
    items[i].key = read_string(reader);
    items[i].value = read_value(reader, depth);
  }
  return ew_map_value(reader->arena, items, count).map;
}

static struct ew_items read_items(struct ew_packstream_reader *reader, unsigned depth) {
  return items_of(reader, read_byte(reader), depth);
}

/* Bytes, each an integer. */
static struct ew_value bytes_of(struct ew_packstream_reader *reader, unsigned marker) {
  struct ew_span bytes = take(reader, (size_t)read_big_endian(reader, 1u << (marker - 0xcc)));
  spend(reader, bytes.length);
  if (reader->wrong) return ew_null();
  struct ew_value *items = EW_NEW_ARRAY(reader->arena, struct ew_value, bytes.length);
  for (size_t i = 0; i < bytes.length; i++) items[i] = ew_integer((unsigned char)bytes.bytes[i]);
  return ew_list(items, bytes.length);
}

/* ---- elements ---- */

/* Element ids say no more than the numbers do. */
static void skip_strings(struct ew_packstream_reader *reader, size_t count) {
  for (size_t i = 0; i < count; i++) read_string(reader);
}

static int by_bytes(const void *a, const void *b) {
  return ew_span_compare(*(const struct ew_span *)a, *(const struct ew_span *)b);
}

static const struct ew_node_value *read_node(struct ew_packstream_reader *reader, size_t fields, unsigned depth) {
  struct ew_node_value *node = EW_NEW(reader->arena, struct ew_node_value);
  node->id = read_integer(reader);
  size_t count = ew_packstream_read_list(reader);
  struct ew_span *labels = EW_NEW_ARRAY(reader->arena, struct ew_span, count);
  for (size_t i = 0; i < count; i++) labels[i] = read_string(reader);
  if (count > 1) qsort(labels, count, sizeof *labels, by_bytes);
  node->labels = labels;
  node->label_count = count;
  node->properties = read_items(reader, depth);
  skip_strings(reader, fields - 3);
  return node;
}

static const struct ew_relationship_value *read_relationship(struct ew_packstream_reader *reader, size_t fields,
                                                             unsigned depth) {
  struct ew_relationship_value *relationship = EW_NEW(reader->arena, struct ew_relationship_value);
  relationship->id = read_integer(reader);
  relationship->start = read_integer(reader);
  relationship->end = read_integer(reader);
  relationship->type = read_string(reader);
  relationship->properties = read_items(reader, depth);
  skip_strings(reader, fields - 5);
  return relationship;
}

/* Without its ends: they come from the path that it is in. */
static struct ew_relationship_value read_unbound(struct ew_packstream_reader *reader, unsigned depth) {
  size_t fields;
  unsigned tag = ew_packstream_read_structure(reader, &fields);
  if (tag != EW_PACKSTREAM_UNBOUND_RELATIONSHIP || fields < 3 || fields > 4) fail(reader);
  struct ew_relationship_value relationship = {.id = read_integer(reader)};
  relationship.type = read_string(reader);
  relationship.properties = read_items(reader, depth);
  if (fields == 4) skip_strings(reader, 1);
  return relationship;
}

/* What a path is made of, each element once; the indices say in which order it meets them. */
struct path_parts {
  struct ew_values nodes;
  const struct ew_relationship_value *relationships;
  size_t relationship_count;
};

/* One step of a path: the relationship's number from 1, negative where it is met against its direction, and the next node's
   number from 0. */
static void read_step(struct ew_packstream_reader *reader, const struct path_parts *parts, struct ew_value *nodes,
                      struct ew_value *relationship) {
  int64_t most = (int64_t)parts->relationship_count;
  int64_t number = read_between(reader, -most, most);
  int64_t next = read_between(reader, 0, (int64_t)parts->nodes.count - 1);
  if (!number) fail(reader);
  if (reader->wrong) return;
  nodes[1] = parts->nodes.items[next];
  struct ew_relationship_value *bound = EW_NEW(reader->arena, struct ew_relationship_value);
  *bound = parts->relationships[(number < 0 ? -number : number) - 1];
  bound->start = nodes[number < 0].node->id;
  bound->end = nodes[number > 0].node->id;
  *relationship = (struct ew_value){.kind = EW_VALUE_RELATIONSHIP, .relationship = bound};
}

static const struct ew_path_value *read_path(struct ew_packstream_reader *reader, unsigned depth) {
  struct path_parts parts = {.nodes = read_values(reader, ew_packstream_read_list(reader), depth)};
  for (size_t i = 0; i < parts.nodes.count && !reader->wrong; i++)
    if (parts.nodes.items[i].kind != EW_VALUE_NODE) fail(reader);
  parts.relationship_count = ew_packstream_read_list(reader);
  struct ew_relationship_value *unbound =
      EW_NEW_ARRAY(reader->arena, struct ew_relationship_value, parts.relationship_count);
  for (size_t i = 0; i < parts.relationship_count; i++) unbound[i] = read_unbound(reader, depth);
  parts.relationships = unbound;
  size_t steps = ew_packstream_read_list(reader);
  if (steps % 2 || !parts.nodes.count) fail(reader);
  if (reader->wrong) return NULL;
  steps /= 2;
  struct ew_value *nodes = EW_NEW_ARRAY(reader->arena, struct ew_value, steps + 1);
  struct ew_value *relationships = EW_NEW_ARRAY(reader->arena, struct ew_value, steps);
  nodes[0] = parts.nodes.items[0];
  for (size_t i = 0; i < steps && !reader->wrong; i++) read_step(reader, &parts, &nodes[i], &relationships[i]);
  struct ew_path_value *path = EW_NEW(reader->arena, struct ew_path_value);
  *path = (struct ew_path_value){{nodes, steps + 1}, {relationships, steps}};
  return path;
}

/* ---- time and space ---- */

static struct ew_day_time day_time(int64_t seconds, int64_t nanoseconds) {
  int64_t day = seconds / DAY_SECONDS, rest = seconds % DAY_SECONDS;
  if (rest < 0) {
    day--;
    rest += DAY_SECONDS;
  }
  return (struct ew_day_time){day, rest * EW_SECOND + nanoseconds};
}

static struct ew_day_time read_day_time(struct ew_packstream_reader *reader) {
  int64_t seconds = read_integer(reader);
  return day_time(seconds, read_between(reader, 0, EW_SECOND - 1));
}

static bool is_zone(struct ew_span zone) {
  if (!zone.length || zone.length > ZONE_MAX) return false;
  for (size_t i = 0; i < zone.length; i++) {
    char c = zone.bytes[i];
    bool plain = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (!plain && (!c || !strchr("_+-/", c))) return false;
  }
  return zone.bytes[0] != '/';
}

/* A zone's offset, by the system's table of zones: at an instant, or at a local time. 0 where the table has no such zone. */
static int32_t zone_offset(struct ew_span zone, int64_t seconds, bool utc) {
  char name[ZONE_MAX + 2] = ":";
  if (!is_zone(zone)) return 0;
  memcpy(name + 1, zone.bytes, zone.length);
  setenv("TZ", name, 1);
  tzset();
  time_t instant = (time_t)seconds;
  struct tm parts = {0};
  if (!utc && gmtime_r(&instant, &parts)) {
    parts.tm_isdst = -1;
    instant = mktime(&parts);
  }
  int32_t offset = localtime_r(&instant, &parts) ? (int32_t)parts.tm_gmtoff : 0;
  setenv("TZ", "UTC", 1);
  tzset();
  return offset;
}

static const struct ew_datetime_value *read_datetime(struct ew_packstream_reader *reader, unsigned tag) {
  struct ew_datetime_value *datetime = EW_NEW(reader->arena, struct ew_datetime_value);
  bool utc = tag == EW_PACKSTREAM_DATETIME || tag == EW_PACKSTREAM_ZONED_DATETIME;
  int64_t seconds = read_integer(reader);
  int64_t nanoseconds = read_between(reader, 0, EW_SECOND - 1);
  if (tag == EW_PACKSTREAM_DATETIME || tag == EW_PACKSTREAM_DATETIME_LEGACY) {
    datetime->offset = (int32_t)read_between(reader, -OFFSET_MAX, OFFSET_MAX);
  } else {
    datetime->zone = read_string(reader);
    if (!reader->wrong) datetime->offset = zone_offset(datetime->zone, seconds, utc);
  }
  if (utc && __builtin_add_overflow(seconds, datetime->offset, &seconds)) fail(reader);
  datetime->local = day_time(seconds, nanoseconds);
  return datetime;
}

static const struct ew_duration_value *read_duration(struct ew_packstream_reader *reader) {
  struct ew_duration_value *duration = EW_NEW(reader->arena, struct ew_duration_value);
  duration->months = read_integer(reader);
  duration->days = read_integer(reader);
  duration->seconds = read_integer(reader);
  duration->nanoseconds = (int32_t)read_between(reader, -EW_SECOND + 1, EW_SECOND - 1);
  if (duration->nanoseconds < 0) {
    duration->nanoseconds += (int32_t)EW_SECOND;
    if (__builtin_sub_overflow(duration->seconds, 1, &duration->seconds)) fail(reader);
  }
  return duration;
}

static const struct ew_point_value *read_point(struct ew_packstream_reader *reader, bool deep) {
  struct ew_point_value *point = EW_NEW(reader->arena, struct ew_point_value);
  point->srid = (int32_t)read_between(reader, INT32_MIN, INT32_MAX);
  point->x = read_float(reader);
  point->y = read_float(reader);
  point->z = deep ? read_float(reader) : 0.0;
  return point;
}

/* A vector is the marker of its items' type, as bytes, and the items, as bytes: floats of 4 or 8, integers of 1 to 8. */
static struct ew_value read_vector(struct ew_packstream_reader *reader) {
  struct ew_span type = read_bytes(reader), bytes = read_bytes(reader);
  unsigned marker = type.length == 1 ? (unsigned char)type.bytes[0] : 0;
  unsigned size = marker == 0xc6                     ? 4
                  : marker == 0xc1                   ? 8
                  : marker >= 0xc8 && marker <= 0xcb ? 1u << (marker - 0xc8)
                                                     : 0;
  if (!size || bytes.length % size) fail(reader);
  if (reader->wrong) return ew_null();
  size_t count = spend(reader, bytes.length / size);
  struct ew_value *items = EW_NEW_ARRAY(reader->arena, struct ew_value, count);
  struct ew_packstream_reader part = {.next = bytes.bytes, .end = bytes.bytes + bytes.length};
  for (size_t i = 0; i < count; i++) {
    if (marker == 0xc6) {
      uint32_t bits = (uint32_t)read_big_endian(&part, 4);
      float number;
      memcpy(&number, &bits, sizeof number);
      items[i] = ew_float((double)number);
    } else {
      items[i] = marker == 0xc1 ? ew_float(float_of(&part)) : ew_integer(integer_of(&part, marker));
    }
  }
  return ew_list(items, count);
}

/* ---- structures ---- */

static bool has_fields(unsigned tag, size_t fields) {
  switch (tag) {
    case EW_PACKSTREAM_NODE: return fields == 3 || fields == 4;
    case EW_PACKSTREAM_RELATIONSHIP: return fields == 5 || fields == 8;
    case EW_PACKSTREAM_DATE:
    case EW_PACKSTREAM_LOCAL_TIME: return fields == 1;
    case EW_PACKSTREAM_TIME:
    case EW_PACKSTREAM_LOCAL_DATETIME:
    case EW_PACKSTREAM_VECTOR: return fields == 2;
    case EW_PACKSTREAM_DURATION:
    case EW_PACKSTREAM_POINT_3D: return fields == 4;
    case EW_PACKSTREAM_PATH:
    case EW_PACKSTREAM_DATETIME:
    case EW_PACKSTREAM_DATETIME_LEGACY:
    case EW_PACKSTREAM_ZONED_DATETIME:
    case EW_PACKSTREAM_ZONED_DATETIME_LEGACY:
    case EW_PACKSTREAM_POINT_2D: return fields == 3;
    default: return false;
  }
}

static struct ew_value structure_of(struct ew_packstream_reader *reader, unsigned marker, unsigned depth) {
  size_t fields = marker & 15;
  unsigned tag = read_byte(reader);
  if (!has_fields(tag, fields)) fail(reader);
  if (reader->wrong) return ew_null();
  switch (tag) {
    case EW_PACKSTREAM_NODE: return (struct ew_value){.kind = EW_VALUE_NODE, .node = read_node(reader, fields, depth)};
    case EW_PACKSTREAM_RELATIONSHIP:
      return (struct ew_value){.kind = EW_VALUE_RELATIONSHIP, .relationship = read_relationship(reader, fields, depth)};
    case EW_PACKSTREAM_PATH: return (struct ew_value){.kind = EW_VALUE_PATH, .path = read_path(reader, depth)};
    case EW_PACKSTREAM_DATE: return (struct ew_value){.kind = EW_VALUE_DATE, .day = read_integer(reader)};
    case EW_PACKSTREAM_TIME: {
      int64_t nanoseconds = read_between(reader, 0, DAY - 1);
      int32_t offset = (int32_t)read_between(reader, -OFFSET_MAX, OFFSET_MAX);
      return (struct ew_value){.kind = EW_VALUE_TIME, .time = {nanoseconds, offset}};
    }
    case EW_PACKSTREAM_LOCAL_TIME:
      return (struct ew_value){.kind = EW_VALUE_LOCAL_TIME, .time = {read_between(reader, 0, DAY - 1), 0}};
    case EW_PACKSTREAM_LOCAL_DATETIME:
      return (struct ew_value){.kind = EW_VALUE_LOCAL_DATETIME, .local_datetime = read_day_time(reader)};
    case EW_PACKSTREAM_DURATION: return (struct ew_value){.kind = EW_VALUE_DURATION, .duration = read_duration(reader)};
    case EW_PACKSTREAM_POINT_2D:
    case EW_PACKSTREAM_POINT_3D:
      return (struct ew_value){.kind = EW_VALUE_POINT, .point = read_point(reader, tag == EW_PACKSTREAM_POINT_3D)};
    case EW_PACKSTREAM_VECTOR: return read_vector(reader);
    default: return (struct ew_value){.kind = EW_VALUE_DATETIME, .datetime = read_datetime(reader, tag)};
  }
}

static struct ew_value read_value(struct ew_packstream_reader *reader, unsigned depth) {
  unsigned marker = read_byte(reader);
  if (depth == EW_PACKSTREAM_DEPTH_MAX) fail(reader);
  if (reader->wrong) return ew_null();
  struct ew_value value = ew_null();
  switch (marker >> 4) {
    case 0x8: value = ew_string(string_of(reader, marker)); break;
    case 0x9: value.list = read_values(reader, list_of(reader, marker), depth + 1), value.kind = EW_VALUE_LIST; break;
    case 0xa: value.map = items_of(reader, marker, depth + 1), value.kind = EW_VALUE_MAP; break;
    case 0xb: value = structure_of(reader, marker, depth + 1); break;
    case 0xc:
      if (marker == 0xc0) break;
      if (marker == 0xc1)
        value = ew_float(float_of(reader));
      else if (marker == 0xc2 || marker == 0xc3)
        value = ew_boolean(marker == 0xc3);
      else if (marker >= 0xcc && marker <= 0xce)
        value = bytes_of(reader, marker);
      else
        value = ew_integer(integer_of(reader, marker));
      break;
    case 0xd:
      if (marker < 0xd4)
        value = ew_string(string_of(reader, marker));
      else if (marker < 0xd8)
        value.list = read_values(reader, list_of(reader, marker), depth + 1), value.kind = EW_VALUE_LIST;
      else
        value.map = items_of(reader, marker, depth + 1), value.kind = EW_VALUE_MAP;
      break;
    default: value = ew_integer(integer_of(reader, marker)); break;
  }
  return reader->wrong ? ew_null() : value;
}

void ew_packstream_reader_init(struct ew_packstream_reader *reader, struct ew_span bytes, struct ew_arena *arena) {
  *reader = (struct ew_packstream_reader){
      bytes.bytes, bytes.bytes + bytes.length, arena, EW_PACKSTREAM_ITEMS_MAX, false, false};
}

struct ew_value ew_packstream_read(struct ew_packstream_reader *reader) {
  return read_value(reader, 0);
}

unsigned ew_packstream_read_structure(struct ew_packstream_reader *reader, size_t *fields) {
  unsigned marker = read_byte(reader);
  if (marker >> 4 != 0xb) fail(reader);
  *fields = marker & 15;
  return read_byte(reader);
}

bool ew_packstream_finish(const struct ew_packstream_reader *reader) {
  return !reader->wrong && reader->next == reader->end;
}
