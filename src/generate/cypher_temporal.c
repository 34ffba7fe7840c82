/* cypher_temporal.c: moments, durations and points: as constants, from fields, and their components. They have no
   literals: a constant is a call with a text or a map. */
#include "generate/cypher_expression.h"
#include "generate/values.h"

enum {
  BOUNDARY_PERCENT = 15,
  WRONG_PERCENT = 4,      /* of texts and of fields: there is no such value */
  FIELDS_PERCENT = 35,    /* of constants: made of a map */
  CARTESIAN_PERCENT = 70, /* of points */
};

/* ---- fields ---- */

struct field {
  const char *name;
  int16_t low, high;
};

/* By type, in the order in which an engine wants them: each needs those before it. */
static const struct field date_fields[] = {{"year", 1970, 2030}, {"month", 1, 12}, {"day", 1, 28}, {0}};
static const struct field week_fields[] = {{"year", 1970, 2030}, {"week", 1, 52}, {"dayOfWeek", 1, 7}, {0}};
static const struct field quarter_fields[] = {{"year", 1970, 2030}, {"quarter", 1, 4}, {"dayOfQuarter", 1, 90}, {0}};
static const struct field ordinal_fields[] = {{"year", 1970, 2030}, {"ordinalDay", 1, 366}, {0}};
static const struct field time_fields[] = {
    {"hour", 0, 23}, {"minute", 0, 59}, {"second", 0, 59}, {"millisecond", 0, 999}, {0}};
static const struct field duration_fields[] = {{"years", -2, 3},     {"months", -13, 13},        {"weeks", -1, 5},
                                               {"days", -1, 40},     {"hours", -25, 25},         {"minutes", -61, 61},
                                               {"seconds", -61, 61}, {"milliseconds", -1, 1001}, {0}};

enum { FIELDS_MAX = 12 };

struct entries {
  const struct ew_node *items[FIELDS_MAX];
  size_t count;
};

static void add_entry(struct ew_cypher_writer *writer, struct entries *entries, const char *key,
                      const struct ew_node *value) {
  entries->items[entries->count++] = CYPHER(writer->builder, entry, .key.name = ew_span_of(key), .value.node = value);
}

static const struct ew_node *draw_field(struct ew_cypher_writer *writer, const struct field *field) {
  static const int64_t odd[] = {0, -1, 13, 24, 29, 30, 31, 60, 366, 999999999, INT64_MAX};
  unsigned at = ew_writer_below(writer, 100);
  if (at < WRONG_PERCENT) return ew_writer_integer(writer, EW_RANDOM_PICK(writer->random, odd));
  if (at < WRONG_PERCENT + 10)
    return ew_writer_integer(writer, ew_writer_chance(writer, 50) ? field->low : field->high);
  return ew_writer_integer(writer, ew_random_between(writer->random, field->low, field->high));
}

/* The first of them, and as many more as the die says. */
static void add_first_fields(struct ew_cypher_writer *writer, struct entries *entries, const struct field *fields) {
  size_t count = 0;
  while (fields[count].name) count++;
  count = 1 + ew_writer_below(writer, count);
  for (size_t i = 0; i < count; i++) add_entry(writer, entries, fields[i].name, draw_field(writer, &fields[i]));
}

static void add_some_fields(struct ew_cypher_writer *writer, struct entries *entries, const struct field *fields) {
  for (size_t i = 0; fields[i].name; i++)
    if (ew_writer_chance(writer, 30)) add_entry(writer, entries, fields[i].name, draw_field(writer, &fields[i]));
}

static void add_zone(struct ew_cypher_writer *writer, struct entries *entries) {
  static const char *const zones[] = {"Z", "+01:00", "-08:00", "Europe/Berlin", "+18:00"};
  if (!ew_writer_chance(writer, 40)) return;
  struct ew_value zone = ew_string(ew_span_of(EW_RANDOM_PICK(writer->random, zones)));
  add_entry(writer, entries, "timezone", ew_writer_constant(writer, zone));
}

static void add_date(struct ew_cypher_writer *writer, struct entries *entries) {
  static const struct field *const forms[] = {date_fields, date_fields,    date_fields,
                                              week_fields, quarter_fields, ordinal_fields};
  add_first_fields(writer, entries, EW_RANDOM_PICK(writer->random, forms));
}

static void add_point(struct ew_cypher_writer *writer, struct entries *entries) {
  static const double numbers[] = {0.0, 1.0, -1.0, 2.5, 90.0, -180.0, 1e-9, 13.37};
  bool cartesian = ew_writer_chance(writer, CARTESIAN_PERCENT), space = ew_writer_chance(writer, 25);
  const char *const keys[] = {cartesian ? "x" : "longitude", cartesian ? "y" : "latitude", cartesian ? "z" : "height"};
  for (size_t i = 0; i < 2u + space; i++) {
    double number = EW_RANDOM_PICK(writer->random, numbers);
    if (!cartesian && i == 1 && number < -90.0 && !ew_writer_chance(writer, WRONG_PERCENT)) number = 45.0;
    add_entry(writer, entries, keys[i], ew_writer_constant(writer, ew_float(number)));
  }
  if (ew_writer_chance(writer, 15))
    add_entry(writer, entries, "srid",
              ew_writer_integer(writer, cartesian ? (space ? 9157 : 7203) : (space ? 4979 : 4326)));
}

const struct ew_node *ew_cypher_draw_fields(struct ew_cypher_writer *writer, enum ew_draw_type type) {
  struct entries entries = {.count = 0};
  bool whole_date = false;
  switch (type) {
    case EW_DRAW_DATE: add_date(writer, &entries); break;
    case EW_DRAW_DATETIME:
    case EW_DRAW_LOCAL_DATETIME:
      for (size_t i = 0; i < 3; i++)
        add_entry(writer, &entries, date_fields[i].name, draw_field(writer, &date_fields[i]));
      whole_date = true;
      break;
    case EW_DRAW_DURATION: add_some_fields(writer, &entries, duration_fields); break;
    case EW_DRAW_POINT: add_point(writer, &entries); break;
    default: break;
  }
  bool has_time = type == EW_DRAW_TIME || type == EW_DRAW_LOCAL_TIME || (whole_date && ew_writer_chance(writer, 70));
  if (has_time) add_first_fields(writer, &entries, time_fields);
  if (type == EW_DRAW_TIME || type == EW_DRAW_DATETIME) add_zone(writer, &entries);
  if (!entries.count) add_entry(writer, &entries, "days", ew_writer_integer(writer, 1));
  return CYPHER(writer->builder, map, .entries.list = ew_list_of(writer->builder, entries.items, entries.count));
}

/* ---- constants ---- */

/* The function that makes values of the type of a text (of fields); NULL where the profile has none. */
static const struct ew_draw_function *find_maker(const struct ew_cypher_dialect *dialect, enum ew_draw_type type,
                                                 enum ew_draw_source source) {
  for (size_t i = 0; i < dialect->call_count[type]; i++) {
    const struct ew_draw_function *function = &dialect->functions[dialect->calls[type][i]];
    if (function->argument_count == 1 && function->arguments[0].source == source) return function;
  }
  return NULL;
}

const struct ew_node *ew_cypher_draw_moment(struct ew_cypher_writer *writer, enum ew_draw_type type) {
  const struct ew_draw_function *of_text = find_maker(writer->dialect, type, EW_SOURCE_TEXT);
  const struct ew_draw_function *of_fields = find_maker(writer->dialect, type, EW_SOURCE_FIELDS);
  if (!of_text && !of_fields) return ew_writer_null(writer);
  const struct ew_draw_function *maker = of_text ? of_text : of_fields;
  if (of_fields && ew_writer_chance(writer, FIELDS_PERCENT)) maker = of_fields;
  const struct ew_node *argument;
  if (maker == of_fields) {
    argument = ew_cypher_draw_fields(writer, type);
  } else {
    struct ew_span text = ew_draw_temporal_text(writer->random, ew_draw_kind(type), BOUNDARY_PERCENT, WRONG_PERCENT);
    argument = ew_writer_constant(writer, ew_string(text));
  }
  return CYPHER(writer->builder, function, .name.name = writer->profile->functions[maker->signature].name,
                .arguments.list = ew_list_of(writer->builder, &argument, 1));
}

struct ew_span ew_cypher_draw_unit(struct ew_cypher_writer *writer, enum ew_draw_type type) {
  static const char *const units[] = {"millennium", "century", "decade",      "year",       "weekYear",
                                      "quarter",    "month",   "week",        "day",        "hour",
                                      "minute",     "second",  "millisecond", "microsecond"};
  enum { DAY = 8 };
  bool date = type == EW_DRAW_DATE, time = type == EW_DRAW_TIME || type == EW_DRAW_LOCAL_TIME;
  if (ew_writer_chance(writer, WRONG_PERCENT)) return EW_SPAN("fortnight");
  size_t low = time ? DAY : 0, high = date ? DAY : EW_COUNT(units) - 1;
  return ew_span_of(units[low + ew_writer_below(writer, high - low + 1)]);
}

/* ---- components ---- */

static const char *draw_component(struct ew_cypher_writer *writer, enum ew_draw_type type) {
  static const char *const date[] = {"year",    "month",     "day",        "week",        "weekYear",
                                     "quarter", "dayOfWeek", "ordinalDay", "dayOfQuarter"};
  static const char *const time[] = {"hour", "minute", "second", "millisecond", "microsecond", "nanosecond"};
  static const char *const duration[] = {"years",
                                         "months",
                                         "days",
                                         "hours",
                                         "minutes",
                                         "seconds",
                                         "monthsOfYear",
                                         "minutesOfHour",
                                         "secondsOfMinute",
                                         "milliseconds",
                                         "nanosecondsOfSecond"};
  static const char *const point[] = {"x", "y"};
  switch (type) {
    case EW_DRAW_DATE: return EW_RANDOM_PICK(writer->random, date);
    case EW_DRAW_TIME:
    case EW_DRAW_LOCAL_TIME: return EW_RANDOM_PICK(writer->random, time);
    case EW_DRAW_DURATION: return EW_RANDOM_PICK(writer->random, duration);
    case EW_DRAW_POINT: return EW_RANDOM_PICK(writer->random, point);
    default:
      return ew_writer_chance(writer, 60) ? EW_RANDOM_PICK(writer->random, date) : EW_RANDOM_PICK(writer->random, time);
  }
}

/* x.year of a variable or property; else [x IN [e] | x.year][0], because not every engine takes e.year. */
const struct ew_node *ew_cypher_draw_component(struct ew_cypher_writer *writer, enum ew_draw_type type,
                                               unsigned depth) {
  static const enum ew_draw_type moments[] = {EW_DRAW_DATE,     EW_DRAW_TIME,           EW_DRAW_LOCAL_TIME,
                                              EW_DRAW_DATETIME, EW_DRAW_LOCAL_DATETIME, EW_DRAW_DURATION};
  enum ew_draw_type of = type == EW_DRAW_FLOAT ? EW_DRAW_POINT : EW_RANDOM_PICK(writer->random, moments);
  if (!ew_writer_can_write(writer, of)) return NULL;
  struct ew_span key = ew_span_of(draw_component(writer, of));
  const struct ew_cypher_variable *variable = ew_writer_pick_variable(writer, of);
  const struct ew_node *object =
      variable ? ew_writer_name(writer, variable->name) : ew_cypher_draw_property(writer, of);
  if (object) return CYPHER(writer->builder, property, .object.node = object, .key.name = key);
  if (!ew_writer_has(writer, EW_HAS_LIST_COMPREHENSION) || !ew_writer_has(writer, EW_HAS_INDEXING) ||
      !ew_writer_has(writer, EW_HAS_LIST))
    return NULL;
  const struct ew_node *moment = ew_cypher_draw_expression(writer, of, depth - 1);
  const struct ew_node *list = CYPHER(writer->builder, list, .items.list = ew_list_of(writer->builder, &moment, 1));
  struct ew_span name = ew_writer_fresh_name(writer, 'x');
  object = ew_writer_name(writer, name);
  const struct ew_node *result = CYPHER(writer->builder, property, .object.node = object, .key.name = key);
  object = CYPHER(writer->builder, list_comprehension, .variable.name = name, .list.node = list, .result.node = result);
  const struct ew_node *at = ew_writer_integer(writer, 0);
  return CYPHER(writer->builder, index, .object.node = object, .at.node = at);
}
