/* cypher_call.c: calls of the profile's functions, and aggregates.

   Where an argument comes from is known of some functions by name (cypher_function.def): a position, a text of a date,
   a map of its fields. A stated share of those is out of range: the function must refuse it, or say what it gives. */
#include "generate/cypher_expression.h"
#include "generate/values.h"

enum {
  TRIES = 4,                 /* functions drawn before giving up */
  MORE_MAX = 2,              /* arguments beyond those that a function must have */
  DISTINCT_PERCENT = 20,     /* of aggregates */
  CASE_PERCENT = 8,          /* of aggregated expressions: a CASE without ELSE */
  LIST_ARGUMENT_PERCENT = 8, /* of arguments of any type */
  OUT_OF_RANGE_PERCENT = 8,  /* of positions and fractions */
  BOUNDARY_RANGE_PERCENT = 8,
  PLAIN_SOURCE_PERCENT = 25, /* of texts to search for, of numerals: any expression instead */
};

static enum ew_draw_type draw_scalar_type(struct ew_cypher_writer *writer) {
  return ew_writer_below(writer, EW_DRAW_STRING + 1);
}

static enum ew_draw_type draw_number_type(struct ew_cypher_writer *writer) {
  return ew_writer_chance(writer, 60) ? EW_DRAW_INTEGER : EW_DRAW_FLOAT;
}

/* ---- arguments ---- */

/* The type to write for an argument when the call is to give `wanted`. */
static enum ew_draw_type argument_type(struct ew_cypher_writer *writer, const struct ew_draw_function *function,
                                       size_t at, enum ew_draw_type wanted) {
  unsigned result = function->result.slot;
  switch ((enum ew_draw_slot)function->arguments[at].slot) {
    case EW_SLOT_TYPE: return function->arguments[at].type;
    case EW_SLOT_NUMBER: return result == EW_SLOT_NUMBER ? wanted : draw_number_type(writer);
    case EW_SLOT_ANY:
      if (result == EW_SLOT_ANY) return wanted;
      return ew_writer_chance(writer, LIST_ARGUMENT_PERCENT) ? ew_draw_list_of(draw_scalar_type(writer))
                                                             : draw_scalar_type(writer);
    case EW_SLOT_LIST:
      if (result == EW_SLOT_LIST) return wanted;
      return ew_draw_list_of(result == EW_SLOT_ANY ? wanted : draw_scalar_type(writer));
  }
  EW_BUG("slot %d", function->arguments[at].slot);
}

/* Whether each argument can be written here at all. */
static bool possible(const struct ew_cypher_writer *writer, const struct ew_draw_function *function) {
  for (uint32_t left = function->elements; left; left &= left - 1)
    if (!ew_writer_can_name(writer, (enum ew_draw_type)__builtin_ctz(left))) return false;
  for (size_t i = 0; i < function->argument_count; i++)
    if (function->arguments[i].slot == EW_SLOT_TYPE && !ew_writer_can_write(writer, function->arguments[i].type))
      return false;
  return true;
}

static const struct ew_node *draw_position(struct ew_cypher_writer *writer) {
  static const int64_t wild[] = {-1, INT32_MAX, (int64_t)INT32_MAX + 1, INT64_MAX, INT64_MIN, -100};
  return ew_writer_integer(writer, ew_writer_chance(writer, OUT_OF_RANGE_PERCENT)
                                       ? EW_RANDOM_PICK(writer->random, wild)
                                       : (int64_t)ew_writer_below(writer, 5));
}

static const struct ew_node *draw_fraction(struct ew_cypher_writer *writer) {
  static const double fractions[] = {0.0, 0.25, 0.5, 0.9, 1.0}, wild[] = {1.1, -0.1, 2.0};
  double fraction = ew_writer_chance(writer, OUT_OF_RANGE_PERCENT) ? EW_RANDOM_PICK(writer->random, wild)
                                                                   : EW_RANDOM_PICK(writer->random, fractions);
  return ew_writer_constant(writer, ew_float(fraction));
}

static const struct ew_node *draw_text(struct ew_cypher_writer *writer, const char *const *texts, size_t count) {
  return ew_cypher_draw_given(writer, ew_string(ew_span_of(texts[ew_writer_below(writer, count)])));
}

static const struct ew_node *draw_sourced(struct ew_cypher_writer *writer, enum ew_draw_source source,
                                          enum ew_draw_type wanted, enum ew_draw_type type, unsigned depth) {
  static const char *const parts[] = {"", "", "a", "b", "ab", " ", "aa"};
  static const char *const numerals[] = {
      "1",  "-1",   "0",   "1.5",  "1e3",  "9223372036854775807", "9223372036854775808", "a", "",
      " 1", "0x10", "NaN", "-0.0", "1_000"};
  static const char *const truths[] = {"true", "false", "TRUE", " true", "t", "", "1"};
  static const char *const modes[] = {"UP", "DOWN", "CEILING", "FLOOR", "HALF_UP", "HALF_DOWN", "HALF_EVEN"};
  struct ew_cypher_lookup lookup;
  switch (source) {
    case EW_SOURCE_POSITION: return draw_position(writer);
    case EW_SOURCE_SIZE:
    case EW_SOURCE_RANGE: return ew_writer_integer(writer, ew_writer_below(writer, 5));
    case EW_SOURCE_STEP:
      return ew_writer_integer(writer, ew_writer_chance(writer, 3) ? 0 : 1 + ew_writer_below(writer, 3));
    case EW_SOURCE_FRACTION: return draw_fraction(writer);
    case EW_SOURCE_PROPERTY:
      if (!ew_cypher_draw_lookup(writer, EW_DRAW_ANY, &lookup)) return NULL;
      return ew_writer_property(writer, lookup.variable->name, lookup.property->name);
    case EW_SOURCE_TEXT: {
      struct ew_span text = ew_draw_temporal_text(writer->random, ew_draw_kind(wanted), 15, 4);
      return ew_writer_constant(writer, ew_string(text));
    }
    case EW_SOURCE_FIELDS: return ew_cypher_draw_fields(writer, wanted);
    case EW_SOURCE_UNIT: return ew_writer_constant(writer, ew_string(ew_cypher_draw_unit(writer, wanted)));
    case EW_SOURCE_MODE:
      return ew_writer_constant(writer, ew_string(ew_span_of(EW_RANDOM_PICK(writer->random, modes))));
    default: break;
  }
  if (!ew_writer_chance(writer, PLAIN_SOURCE_PERCENT)) switch (source) {
      case EW_SOURCE_SEARCH: return draw_text(writer, parts, EW_COUNT(parts));
      case EW_SOURCE_NUMERAL: return draw_text(writer, numerals, EW_COUNT(numerals));
      case EW_SOURCE_TRUTH: return draw_text(writer, truths, EW_COUNT(truths));
      default: break;
    }
  /* Elements come from variables: of calls on calls there is little to learn. */
  bool element = ew_draw_is_element(type);
  return ew_cypher_draw_expression(writer, type, element && ew_writer_chance(writer, 97) ? 0 : depth);
}

static const struct ew_node *draw_argument(struct ew_cypher_writer *writer, const struct ew_draw_function *function,
                                           size_t at, enum ew_draw_type wanted, unsigned depth) {
  if (at >= function->argument_count) at = function->argument_count - 1u;
  enum ew_draw_type type = argument_type(writer, function, at, wanted);
  enum ew_draw_source source = function->arguments[at].source;
  /* What a text or a map says is of the type that the call gives; truncate() gives back its own type. */
  return draw_sourced(writer, source, wanted, type, depth);
}

/* range(9223372036854775806, 9223372036854775807): two neighbours at a boundary. */
static void widen_range(struct ew_cypher_writer *writer, const struct ew_draw_function *function,
                        const struct ew_node **arguments) {
  static const int64_t starts[] = {INT64_MAX - 1, INT64_MAX - 2, INT64_MIN, -1, (int64_t)INT32_MAX - 1};
  if (function->argument_count < 2 || function->arguments[0].source != EW_SOURCE_RANGE) return;
  if (!ew_writer_chance(writer, BOUNDARY_RANGE_PERCENT)) return;
  int64_t start = EW_RANDOM_PICK(writer->random, starts);
  arguments[0] = ew_writer_integer(writer, start);
  arguments[1] = ew_writer_integer(writer, start + 1);
}

/* ---- calls ---- */

static const struct ew_node *make_call(struct ew_cypher_writer *writer, const struct ew_draw_function *function,
                                       bool distinct, const struct ew_node *const *arguments, size_t count) {
  struct ew_list list = ew_list_of(writer->builder, arguments, count);
  return CYPHER(writer->builder, function, .name.name = writer->profile->functions[function->signature].name,
                .distinct.flag = distinct, .arguments.list = list);
}

const struct ew_node *ew_cypher_call_function(struct ew_cypher_writer *writer, const struct ew_draw_function *function,
                                              enum ew_draw_type type, unsigned depth) {
  const struct ew_node *arguments[EW_SIGNATURE_MAX + MORE_MAX];
  size_t count = function->argument_count;
  if (!possible(writer, function)) return NULL;
  if (function->more) count += ew_writer_below(writer, MORE_MAX + 1);
  for (size_t i = 0; i < count; i++)
    if (!(arguments[i] = draw_argument(writer, function, i, type, depth - 1))) return NULL;
  widen_range(writer, function, arguments);
  return make_call(writer, function, false, arguments, count);
}

const struct ew_node *ew_cypher_draw_call(struct ew_cypher_writer *writer, enum ew_draw_type type, unsigned depth) {
  const struct ew_cypher_dialect *dialect = writer->dialect;
  if (!dialect->call_count[type]) return NULL;
  for (int i = 0; i < TRIES; i++) {
    size_t pick = dialect->calls[type][ew_writer_below(writer, dialect->call_count[type])];
    const struct ew_node *call = ew_cypher_call_function(writer, &dialect->functions[pick], type, depth);
    if (call) return call;
  }
  return NULL;
}

const struct ew_node *ew_cypher_wrap(struct ew_cypher_writer *writer, enum ew_draw_type type,
                                     const struct ew_node *inner) {
  const struct ew_cypher_dialect *dialect = writer->dialect;
  size_t count = dialect->call_count[type], first = count ? ew_writer_below(writer, count) : 0;
  for (size_t i = 0; i < count; i++) {
    const struct ew_draw_function *function = &dialect->functions[dialect->calls[type][(first + i) % count]];
    if (function->argument_count != 1) continue;
    unsigned slot = function->arguments[0].slot;
    bool takes = slot == EW_SLOT_TYPE     ? function->arguments[0].type == type
                 : slot == EW_SLOT_NUMBER ? ew_draw_is_number(type)
                 : slot == EW_SLOT_LIST   ? ew_draw_is_list(type) && function->result.slot == EW_SLOT_LIST
                                          : true;
    if (takes) return make_call(writer, function, false, &inner, 1);
  }
  return NULL;
}

/* The function that gives a value of the type from a path; NULL where there is none. */
static const struct ew_draw_function *find_of_path(const struct ew_cypher_dialect *dialect, enum ew_draw_type type) {
  for (size_t i = 0; i < dialect->call_count[type]; i++) {
    const struct ew_draw_function *function = &dialect->functions[dialect->calls[type][i]];
    if (function->argument_count == 1 && function->elements == EW_DRAW_BIT(EW_DRAW_PATH)) return function;
  }
  return NULL;
}

const struct ew_node *ew_cypher_of_path(struct ew_cypher_writer *writer, struct ew_span path, enum ew_draw_type type) {
  const struct ew_draw_function *function = find_of_path(writer->dialect, type);
  if (!function) return NULL;
  const struct ew_node *argument = ew_writer_name(writer, path);
  return make_call(writer, function, false, &argument, 1);
}

/* length(shortestPath((a)-[*..3]-(b))). Which path it is may be open. No profile says where an engine takes a path as a
   value; those that have COLLECT { } do. */
const struct ew_node *ew_cypher_draw_of_shortest_path(struct ew_cypher_writer *writer, enum ew_draw_type type,
                                                      unsigned depth) {
  const struct ew_draw_function *function = find_of_path(writer->dialect, type);
  (void)depth;
  if (!function || !ew_writer_is_free(writer) || !ew_writer_has(writer, EW_HAS_SHORTEST_PATH)) return NULL;
  const struct ew_node *path = ew_cypher_draw_shortest_path(writer, false);
  if (!path) return NULL;
  const struct ew_node *argument = CYPHER(writer->builder, pattern_expression, .pattern.node = path);
  return make_call(writer, function, false, &argument, 1);
}

/* ---- aggregates ---- */

/* count() is right everywhere; sums of floats and lists depend on the order of rows. */
static bool is_determined(const struct ew_draw_function *function, enum ew_draw_type type) {
  return function->traits & EW_TRAIT_UNORDERED || (function->result.slot == EW_SLOT_NUMBER && type == EW_DRAW_INTEGER);
}

/* CASE WHEN p THEN 1 END */
static const struct ew_node *draw_counted_case(struct ew_cypher_writer *writer, enum ew_draw_type type,
                                               unsigned depth) {
  const struct ew_node *test = ew_cypher_draw_expression(writer, EW_DRAW_BOOLEAN, depth);
  const struct ew_node *result = ew_cypher_draw_constant(writer, type);
  const struct ew_node *when = CYPHER(writer->builder, when, .test.node = test, .result.node = result);
  return CYPHER(writer->builder, case, .whens.list = ew_list_of(writer->builder, &when, 1));
}

static const struct ew_node *draw_aggregated(struct ew_cypher_writer *writer, enum ew_draw_type type, unsigned depth) {
  static const enum ew_draw_type elements[] = {EW_DRAW_NODE, EW_DRAW_RELATIONSHIP};
  if (type == EW_DRAW_ANY) {
    enum ew_draw_type element = EW_RANDOM_PICK(writer->random, elements);
    if (ew_writer_can_name(writer, element) && ew_writer_chance(writer, 50))
      return ew_cypher_draw_expression(writer, element, 0);
    type = draw_scalar_type(writer);
  }
  if (ew_writer_has(writer, EW_HAS_CASE) && ew_draw_is_scalar(type) && ew_writer_chance(writer, CASE_PERCENT))
    return draw_counted_case(writer, type, depth);
  return ew_cypher_draw_expression(writer, type, depth);
}

/* collect(ANY) -> LIST gathers the elements of what is wanted; count(ANY) -> INTEGER takes anything. */
static enum ew_draw_type aggregated_type(struct ew_cypher_writer *writer, const struct ew_draw_function *function,
                                         enum ew_draw_type wanted) {
  if (function->arguments[0].slot == EW_SLOT_ANY && function->result.slot == EW_SLOT_LIST)
    return ew_draw_element_of(wanted);
  if (function->arguments[0].slot == EW_SLOT_ANY && function->result.slot == EW_SLOT_TYPE) return EW_DRAW_ANY;
  return argument_type(writer, function, 0, wanted);
}

const struct ew_node *ew_cypher_draw_aggregate(struct ew_cypher_writer *writer, unsigned depth, bool determined,
                                               enum ew_draw_type *type) {
  static const enum ew_draw_type wishes[] = {EW_DRAW_INTEGER,
                                             EW_DRAW_INTEGER,
                                             EW_DRAW_INTEGER,
                                             EW_DRAW_FLOAT,
                                             EW_DRAW_STRING,
                                             EW_DRAW_LIST + EW_DRAW_INTEGER,
                                             EW_DRAW_LIST + EW_DRAW_STRING};
  const struct ew_cypher_dialect *dialect = writer->dialect;
  for (int i = 0; i < TRIES; i++) {
    enum ew_draw_type wanted = EW_RANDOM_PICK(writer->random, wishes);
    if (!dialect->aggregate_count[wanted]) continue;
    size_t pick = dialect->aggregates[wanted][ew_writer_below(writer, dialect->aggregate_count[wanted])];
    const struct ew_draw_function *function = &dialect->functions[pick];
    const struct ew_node *arguments[EW_SIGNATURE_MAX];
    if (!function->argument_count || (determined && !is_determined(function, wanted))) continue;
    arguments[0] = draw_aggregated(writer, aggregated_type(writer, function, wanted), depth);
    for (size_t k = 1; k < function->argument_count; k++) arguments[k] = draw_argument(writer, function, k, wanted, 0);
    *type = wanted;
    bool distinct = function->argument_count == 1 && ew_writer_has(writer, EW_HAS_DISTINCT) &&
                    ew_writer_chance(writer, DISTINCT_PERCENT);
    return make_call(writer, function, distinct, arguments, function->argument_count);
  }
  return NULL;
}
