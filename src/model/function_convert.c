/* function_convert.c: from one type to another: toInteger() and its like, with their OrNull and List forms, and names
   of types. */
#include <math.h>

#include "model/function.h"
#include "model/number.h"

#define FUNCTION(suffix) \
  struct ew_value ew_function_##suffix(struct ew_execution *run, const struct ew_value *arguments, size_t count)

/* Converts a value that is not null; false where its type cannot be converted at all. A text that says nothing gives
   null. */
typedef bool (*converter)(struct ew_execution *run, struct ew_value value, struct ew_value *result);

/* ---- the conversions ---- */

static bool is_word(struct ew_span text, const char *word) {
  while (text.length && text.bytes[0] == ' ') text = (struct ew_span){text.bytes + 1, text.length - 1};
  while (text.length && text.bytes[text.length - 1] == ' ') text.length--;
  return text.length == strlen(word) && strncasecmp(text.bytes, word, text.length) == 0;
}

static bool to_boolean(struct ew_execution *run, struct ew_value value, struct ew_value *result) {
  *result = ew_null();
  switch (value.kind) {
    case EW_VALUE_BOOLEAN: *result = value; return true;
    case EW_VALUE_INTEGER: /* Neo4j's; the language has conversions of strings only */
      ew_run_is_open(run, EW_OPEN_UNDEFINED);
      *result = ew_boolean(value.integer != 0);
      return true;
    case EW_VALUE_STRING:
      if (is_word(value.string, "true") || is_word(value.string, "false"))
        *result = ew_boolean(is_word(value.string, "true"));
      return true;
    default: return false;
  }
}

/* Towards zero, or down. Beyond 64 bits some engines give the last integer, others fail. */
static struct ew_value integer_of(struct ew_execution *run, double number) {
  if (run->semantics->to_integer_floors) number = floor(number);
  if (number >= -0x1p63 && number < 0x1p63) return ew_integer((int64_t)number);
  ew_run_is_open(run, EW_OPEN_UNDEFINED);
  return isnan(number) ? ew_integer(0) : ew_integer(number < 0 ? INT64_MIN : INT64_MAX);
}

static bool to_integer(struct ew_execution *run, struct ew_value value, struct ew_value *result) {
  int64_t integer;
  double number;
  *result = ew_null();
  switch (value.kind) {
    case EW_VALUE_INTEGER: *result = value; return true;
    case EW_VALUE_FLOAT: *result = integer_of(run, value.number); return true;
    case EW_VALUE_BOOLEAN:
      ew_run_is_open(run, EW_OPEN_UNDEFINED);
      *result = ew_integer(value.boolean);
      return true;
    case EW_VALUE_STRING:
      if (ew_integer_read(value.string, &integer))
        *result = ew_integer(integer);
      else if (ew_float_read(value.string, &number) && isfinite(number))
        *result = integer_of(run, number);
      return true;
    default: return false;
  }
}

static bool to_float(struct ew_execution *run, struct ew_value value, struct ew_value *result) {
  (void)run;
  double number;
  *result = ew_null();
  switch (value.kind) {
    case EW_VALUE_INTEGER: *result = ew_float((double)value.integer); return true;
    case EW_VALUE_FLOAT: *result = value; return true;
    case EW_VALUE_STRING:
      if (ew_float_read(value.string, &number)) *result = ew_float(number);
      return true;
    default: return false;
  }
}

/* Where one engine writes 10000000.0 another has 1.0E7: only plain floats have one text. */
static void add_float(struct ew_execution *run, struct ew_text *text, double number) {
  double size = fabs(number);
  if (size != 0 && !(size >= 1e-3 && size < 1e7)) ew_run_is_open(run, EW_OPEN_TEXT);
  if (isnan(number))
    ew_text_add_string(text, "NaN");
  else if (isinf(number))
    ew_text_add_string(text, number < 0 ? "-Infinity" : "Infinity");
  else
    ew_text_add_double(text, number);
}

static bool has_no_seconds(struct ew_value value) {
  int64_t nanoseconds = value.kind == EW_VALUE_DATETIME         ? value.datetime->local.nanoseconds
                        : value.kind == EW_VALUE_LOCAL_DATETIME ? value.local_datetime.nanoseconds
                                                                : value.time.nanoseconds;
  return nanoseconds % INT64_C(60000000000) == 0;
}

static bool to_string(struct ew_execution *run, struct ew_value value, struct ew_value *result) {
  struct ew_text text = {0};
  switch (value.kind) {
    case EW_VALUE_STRING: *result = value; return true;
    case EW_VALUE_BOOLEAN: ew_text_add_string(&text, value.boolean ? "true" : "false"); break;
    case EW_VALUE_INTEGER: ew_text_add_integer(&text, value.integer); break;
    case EW_VALUE_FLOAT: add_float(run, &text, value.number); break;
    case EW_VALUE_DATETIME:
    case EW_VALUE_LOCAL_DATETIME:
    case EW_VALUE_TIME:
    case EW_VALUE_LOCAL_TIME:
      if (has_no_seconds(value)) ew_run_is_open(run, EW_OPEN_TEXT); /* "12:00" or "12:00:00" */
      ew_value_print_iso(&text, value);
      break;
    case EW_VALUE_DATE:
    case EW_VALUE_DURATION: ew_value_print_iso(&text, value); break;
    case EW_VALUE_POINT:
      ew_run_is_open(run, EW_OPEN_TEXT);
      ew_value_print(&text, value);
      break;
    default: return false;
  }
  *result = ew_run_string(run, ew_text_span(&text));
  ew_text_release(&text);
  return true;
}

/* ---- the three forms of each ---- */

static struct ew_value convert(struct ew_execution *run, struct ew_value value, converter apply, const char *name) {
  struct ew_value result;
  if (apply(run, value, &result)) return result;
  return ew_run_fail(run, EW_FAULT_ARGUMENT_VALUE, "%s() of a %s", name, ew_kind_text(value));
}

static struct ew_value convert_or_null(struct ew_execution *run, struct ew_value value, converter apply) {
  struct ew_value result;
  return value.kind != EW_VALUE_NULL && apply(run, value, &result) ? result : ew_null();
}

static struct ew_value convert_list(struct ew_execution *run, struct ew_value list, converter apply) {
  if (list.kind != EW_VALUE_LIST)
    return ew_run_fail(run, EW_FAULT_ARGUMENT_VALUE, "a list is wanted, no %s", ew_kind_text(list));
  size_t count = list.list.count;
  struct ew_value *items = ew_run_spend(run, count) ? ew_run_take(run, count, sizeof *items) : NULL;
  if (!items) return ew_null();
  for (size_t i = 0; i < count; i++) items[i] = convert_or_null(run, list.list.items[i], apply);
  return run->failed ? ew_null() : ew_list(items, count);
}

#define CONVERSION(suffix, name)                       \
  FUNCTION(suffix) {                                   \
    (void)count;                                       \
    return convert(run, arguments[0], suffix, name);   \
  }                                                    \
  FUNCTION(suffix##_or_null) {                         \
    (void)count;                                       \
    return convert_or_null(run, arguments[0], suffix); \
  }                                                    \
  FUNCTION(suffix##_list) {                            \
    (void)count;                                       \
    return convert_list(run, arguments[0], suffix);    \
  }

CONVERSION(to_boolean, "toBoolean")
CONVERSION(to_integer, "toInteger")
CONVERSION(to_float, "toFloat")
CONVERSION(to_string, "toString")

/* ---- names of types ---- */

static void add_type(struct ew_execution *run, struct ew_text *text, struct ew_value value);

static int compare_names(const void *a, const void *b) {
  return ew_span_compare(*(const struct ew_span *)a, *(const struct ew_span *)b);
}

/* The types of a list's items: each once, in order, with a bar between them. */
static void add_item_types(struct ew_execution *run, struct ew_text *text, struct ew_values list) {
  struct ew_span *names = ew_run_spend(run, list.count) ? ew_run_take(run, list.count, sizeof *names) : NULL;
  if (!names) return;
  for (size_t i = 0; i < list.count; i++) {
    struct ew_text name = {0};
    add_type(run, &name, list.items[i]);
    names[i] = ew_arena_copy(run->arena, ew_text_span(&name));
    ew_text_release(&name);
  }
  if (list.count) qsort(names, list.count, sizeof *names, compare_names);
  if (!list.count) ew_text_add_string(text, "NOTHING");
  for (size_t i = 0; i < list.count; i++) {
    if (i && ew_span_equal(names[i], names[i - 1])) continue;
    if (i) ew_text_add_string(text, " | ");
    ew_text_add(text, names[i]);
  }
}

static void add_type(struct ew_execution *run, struct ew_text *text, struct ew_value value) {
  ew_text_add_string(text, ew_value_kind_name(value.kind));
  if (value.kind == EW_VALUE_NULL) return;
  if (value.kind == EW_VALUE_LIST) {
    ew_text_add_char(text, '<');
    add_item_types(run, text, value.list);
    ew_text_add_char(text, '>');
  }
  ew_text_add_string(text, " NOT NULL");
}

/* Neo4j's manual, "valueType()": "LIST<INTEGER NOT NULL> NOT NULL". Others have shorter names for types. */
FUNCTION(value_type) {
  (void)count;
  struct ew_text text = {0};
  add_type(run, &text, arguments[0]);
  struct ew_value name = ew_run_string(run, ew_text_span(&text));
  ew_text_release(&text);
  ew_run_is_open(run, EW_OPEN_TEXT);
  return name;
}

/* FalkorDB's typeOf(). */
FUNCTION(type_of) {
  (void)run, (void)count;
  static const struct {
    enum ew_value_kind kind;
    const char *name;
  } names[] = {
      {EW_VALUE_MAP, "Map"},           {EW_VALUE_NODE, "Node"},
      {EW_VALUE_RELATIONSHIP, "Edge"}, {EW_VALUE_LIST, "List"},
      {EW_VALUE_PATH, "Path"},         {EW_VALUE_DATE, "Date"},
      {EW_VALUE_LOCAL_TIME, "Time"},   {EW_VALUE_LOCAL_DATETIME, "Datetime"},
      {EW_VALUE_DURATION, "Duration"}, {EW_VALUE_POINT, "Point"},
      {EW_VALUE_STRING, "String"},     {EW_VALUE_BOOLEAN, "Boolean"},
      {EW_VALUE_INTEGER, "Integer"},   {EW_VALUE_FLOAT, "Float"},
      {EW_VALUE_NULL, "Null"},
  };
  for (size_t i = 0; i < EW_COUNT(names); i++)
    if (names[i].kind == arguments[0].kind) return ew_string(ew_span_of(names[i].name));
  return ew_string(ew_span_of(ew_kind_text(arguments[0])));
}
