/* value.h: a value of a graph query language, as an engine returns it or a literal states it.

   A value is small and copied freely; what it points to is immutable and lives in the arena it was made in. */
#ifndef EW_VALUE_VALUE_H
#define EW_VALUE_VALUE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/json.h"
#include "base/text.h"
#include "value/semantics.h"

enum ew_value_kind {
#define VALUE(name, text) EW_VALUE_##name,
#include "value/value.def"
#undef VALUE
};

struct ew_value;
struct ew_item; /* of a map */

struct ew_values {
  const struct ew_value *items;
  size_t count;
};

/* Sorted by key (bytewise), each key once. */
struct ew_items {
  const struct ew_item *items;
  size_t count;
};

struct ew_node_value {
  int64_t id;                   /* the engine's; means something within one state only */
  const struct ew_span *labels; /* sorted */
  size_t label_count;
  struct ew_items properties;
};

struct ew_relationship_value {
  int64_t id, start, end;
  struct ew_span type;
  struct ew_items properties;
};

/* nodes.count = relationships.count + 1; element kinds are NODE and RELATIONSHIP. */
struct ew_path_value {
  struct ew_values nodes, relationships;
};

struct ew_time_of_day {
  int64_t nanoseconds; /* since midnight, 0 … 86,400·10⁹ − 1 */
  int32_t offset;      /* seconds east of UTC, less than a day either way; TIME only, else 0 */
};

struct ew_day_time {
  int64_t day;         /* days since 1970-01-01, proleptic Gregorian */
  int64_t nanoseconds; /* since midnight, local */
};

struct ew_datetime_value {
  struct ew_day_time local;
  int32_t offset;      /* seconds east of UTC */
  struct ew_span zone; /* IANA name, or empty */
};

struct ew_duration_value {
  int64_t months, days, seconds;
  int32_t nanoseconds; /* 0 … 999,999,999 */
};

struct ew_point_value {
  int32_t srid;   /* 4326, 4979 (WGS-84), 7203, 9157 (cartesian) */
  double x, y, z; /* z is 0.0 where the system has two axes */
};

/* How deep values from outside may nest: readers and decoders stop there with EW_LIMIT. */
enum { EW_VALUE_DEPTH = 256 };

struct ew_value {
  enum ew_value_kind kind;
  union {
    bool boolean;
    int64_t integer;
    double number;
    struct ew_span string;
    struct ew_values list;
    struct ew_items map;
    const struct ew_node_value *node;
    const struct ew_relationship_value *relationship;
    const struct ew_path_value *path;
    int64_t day;                /* DATE */
    struct ew_time_of_day time; /* TIME, LOCAL_TIME */
    struct ew_day_time local_datetime;
    const struct ew_datetime_value *datetime;
    const struct ew_duration_value *duration;
    const struct ew_point_value *point;
  };
};

struct ew_item {
  struct ew_span key;
  struct ew_value value;
};

static inline struct ew_value ew_null(void) { return (struct ew_value){.kind = EW_VALUE_NULL}; }
static inline struct ew_value ew_boolean(bool b) { return (struct ew_value){.kind = EW_VALUE_BOOLEAN, .boolean = b}; }
static inline struct ew_value ew_integer(int64_t i) {
  return (struct ew_value){.kind = EW_VALUE_INTEGER, .integer = i};
}
static inline struct ew_value ew_float(double f) { return (struct ew_value){.kind = EW_VALUE_FLOAT, .number = f}; }
static inline struct ew_value ew_string(struct ew_span s) {
  return (struct ew_value){.kind = EW_VALUE_STRING, .string = s};
}
static inline struct ew_value ew_list(const struct ew_value *items, size_t count) {
  return (struct ew_value){.kind = EW_VALUE_LIST, .list = {items, count}};
}

/* Copies `items` into the arena, sorts them by key; of two with one key the later stays. */
struct ew_value ew_map_value(struct ew_arena *arena, const struct ew_item *items, size_t count);
/* The value of `key`, or NULL. */
const struct ew_value *ew_items_find(struct ew_items items, struct ew_span key);

/* A deep copy that depends on no other memory. */
struct ew_value ew_value_copy(struct ew_arena *arena, struct ew_value value);

const char *ew_value_kind_name(enum ew_value_kind kind); /* "INTEGER", "ZONED DATETIME" */
/* The function that makes a value of a temporal kind from its ISO text ("localdatetime"); NULL for other kinds. */
const char *ew_value_constructor(enum ew_value_kind kind);

/* ---- comparing (compare.c) ---- */

enum ew_truth { EW_FALSE, EW_TRUE, EW_UNKNOWN };

/* `a = b` in the language: null makes it unknown unless something else decides; 1 = 1.0, exactly; NaN differs from
   itself; lists and maps element by element; nodes and relationships by id. Times with a zone are equal only with the
   same zone. */
enum ew_truth ew_value_equal(struct ew_value a, struct ew_value b, const struct ew_semantics *semantics);

/* One value as far as DISTINCT and grouping care: null with null, NaN with NaN, 0.0 with -0.0; 1 with 1.0 as `=` has
   it. It is `ew_value_order` giving 0. */
bool ew_value_equivalent(struct ew_value a, struct ew_value b, const struct ew_semantics *semantics);
/* Equal for equivalent values. */
uint64_t ew_value_hash(struct ew_value value, const struct ew_semantics *semantics);

/* A total order over all values of all kinds (orderability, what ORDER BY … ASC uses): negative, 0, positive. Numbers
   of both kinds interleave; durations go by average length, points by system and axes, elements by id. */
int ew_value_order(struct ew_value a, struct ew_value b, const struct ew_semantics *semantics);

/* `a < b` as an operator (comparability): sets `*order` to -1, 0, 1 and gives true where the two compare; unknown for
   null or kinds that do not; EW_FALSE where every comparison is false (NaN). `*order` is 0 unless it gives true. */
enum ew_truth ew_value_compare(struct ew_value a, struct ew_value b, const struct ew_semantics *semantics, int *order);

/* ---- comparing results of two runs (same.c) ---- */

/* Whether two results show the same value: same kind, floats to `float_digits` (rows.h), NaN with NaN, -0.0 apart only
   under its knob, elements by id. */
bool ew_value_same(struct ew_value a, struct ew_value b, const struct ew_semantics *semantics);
/* A total order such that `ew_value_same` values are neighbours: by shape, then by the floats' exact values. */
int ew_value_same_order(struct ew_value a, struct ew_value b, const struct ew_semantics *semantics);

/* The shape of a value is all of it but the digits of its finite floats: their sign stays. Same values have one shape,
   and shapes, unlike floats to some digits, fall into classes: so bags are split by shape first. */
int ew_value_shape_order(struct ew_value a, struct ew_value b, const struct ew_semantics *semantics);
uint64_t ew_value_shape_hash(struct ew_value value, const struct ew_semantics *semantics);

/* ---- text and JSON (print.c, read.c, json.c) ---- */

/* As a Cypher expression that reads back to the same value: `1.0`, `'it\'s'`, `(0.0 / 0.0)`, `date('2020-02-29')`.
   Nodes, relationships and paths print in pattern form, for people only. */
void ew_value_print(struct ew_text *text, struct ew_value value);
/* The same for one string: quoted and escaped. */
void ew_value_print_string(struct ew_text *text, struct ew_span string);

/* Reads what `ew_value_print` writes for anything but elements; what nests deeper than EW_VALUE_DEPTH is EW_LIMIT. */
enum ew_status ew_value_read(struct ew_arena *arena, struct ew_span text, struct ew_value *value,
                             struct ew_error *error) EW_CHECKED;

/* Lossless: a plain JSON value where JSON has it, else an object with one "@…" member that says what it is (json.c). */
void ew_value_write_json(struct ew_json_writer *writer, struct ew_value value);
enum ew_status ew_value_read_json(struct ew_arena *arena, const struct ew_json *json, struct ew_value *value,
                                  struct ew_error *error) EW_CHECKED;

/* ISO texts of temporal values, as engines print them: "2020-02-29", "12:00:00.5+01:00", "P1Y2M3DT4.5S"
   (temporal_text.c). Reading also takes "12:00", "+0100", a blank for the T, and weeks; never a zone without its
   offset. */
void ew_value_print_iso(struct ew_text *text, struct ew_value value);
bool ew_value_read_iso(struct ew_arena *arena, enum ew_value_kind kind, struct ew_span text, struct ew_value *value);

/* A day of the proleptic Gregorian calendar; year 0 is 1 BC. */
struct ew_civil {
  int64_t year;
  int32_t month, day; /* from 1 */
};

/* Any day has a date; false where there is no such date or its day does not fit. */
struct ew_civil ew_civil_from_day(int64_t day);
bool ew_civil_to_day(struct ew_civil date, int64_t *day);

#endif
