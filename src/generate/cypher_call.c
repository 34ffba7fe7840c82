/* cypher_call.c: calls of the profile's functions, and aggregates. */
#include "generate/cypher_writer.h"

enum {
  TRIES = 4,                 /* functions drawn before giving up */
  DISTINCT_PERCENT = 20,     /* of aggregates */
  LIST_ARGUMENT_PERCENT = 6, /* of arguments of any type */
};

static enum ew_draw_type draw_scalar_type(struct ew_cypher_writer *writer) {
  return ew_writer_below(writer, EW_DRAW_STRING + 1);
}

static enum ew_draw_type draw_number_type(struct ew_cypher_writer *writer) {
  return ew_writer_chance(writer, 60) ? EW_DRAW_INTEGER : EW_DRAW_FLOAT;
}

/* The type to write for an argument when the call is to give `wanted`. */
static enum ew_draw_type argument_type(struct ew_cypher_writer *writer, const struct ew_draw_function *function,
                                       size_t at, enum ew_draw_type wanted) {
  switch ((enum ew_draw_slot)function->arguments[at].slot) {
    case EW_SLOT_TYPE: return function->arguments[at].type;
    case EW_SLOT_NUMBER: return function->result.slot == EW_SLOT_NUMBER ? wanted : draw_number_type(writer);
    case EW_SLOT_ANY:
      if (function->result.slot == EW_SLOT_ANY) return wanted;
      return ew_writer_chance(writer, LIST_ARGUMENT_PERCENT) ? ew_draw_list_of(draw_scalar_type(writer))
                                                             : draw_scalar_type(writer);
    case EW_SLOT_LIST:
      if (function->result.slot == EW_SLOT_LIST) return wanted;
      return ew_draw_list_of(function->result.slot == EW_SLOT_ANY ? wanted : draw_scalar_type(writer));
  }
  EW_BUG("slot %d", function->arguments[at].slot);
}

/* Whether an argument of that type can be written here at all. */
static bool possible(const struct ew_cypher_writer *writer, const struct ew_draw_function *function, size_t at,
                     enum ew_draw_type wanted) {
  unsigned slot = function->arguments[at].slot;
  enum ew_draw_type type = function->arguments[at].type;
  if (slot == EW_SLOT_TYPE && (type == EW_DRAW_NODE || type == EW_DRAW_RELATIONSHIP || type == EW_DRAW_PATH))
    return ew_writer_can_name(writer, type);
  /* head() of a list of lists: the type of what comes back is not known */
  return !(slot == EW_SLOT_LIST && function->result.slot == EW_SLOT_ANY && ew_draw_is_list(wanted));
}

static const struct ew_node *draw_fraction(struct ew_cypher_writer *writer) {
  static const double fractions[] = {0.0, 0.25, 0.5, 0.9, 1.0};
  return ew_writer_constant(writer, ew_float(EW_RANDOM_PICK(writer->random, fractions)));
}

static const struct ew_node *draw_argument(struct ew_cypher_writer *writer, const struct ew_draw_function *function,
                                           size_t at, enum ew_draw_type wanted, unsigned depth) {
  struct ew_cypher_lookup lookup;
  bool last = at + 1u == function->argument_count;
  enum ew_draw_type type = argument_type(writer, function, at, wanted);
  if (function->traits & EW_TRAIT_FRACTION && last) return draw_fraction(writer);
  if (function->traits & EW_TRAIT_PROPERTY) {
    if (!ew_cypher_draw_lookup(writer, EW_DRAW_ANY, &lookup)) return NULL;
    return ew_writer_property(writer, lookup.variable->name, lookup.property->name);
  }
  /* The third is a step or a length: never 0. */
  if (function->traits & EW_TRAIT_SMALL && type == EW_DRAW_INTEGER)
    return ew_writer_integer(writer, at < 2 ? ew_writer_below(writer, 5) : 1 + ew_writer_below(writer, 3));
  bool element = type == EW_DRAW_NODE || type == EW_DRAW_RELATIONSHIP || type == EW_DRAW_PATH;
  return ew_cypher_draw_expression(writer, type, element && ew_writer_chance(writer, 97) ? 0 : depth);
}

static const struct ew_node *make_call(struct ew_cypher_writer *writer, const struct ew_draw_function *function,
                                       bool distinct, const struct ew_node *const *arguments) {
  struct ew_list list = ew_list_of(writer->builder, arguments, function->argument_count);
  return CYPHER(writer->builder, function, .name.name = writer->profile->functions[function->signature].name,
                .distinct.flag = distinct, .arguments.list = list);
}

const struct ew_node *ew_cypher_draw_call(struct ew_cypher_writer *writer, enum ew_draw_type type, unsigned depth) {
  const struct ew_cypher_dialect *dialect = writer->dialect;
  if (!dialect->call_count[type]) return NULL;
  for (int i = 0; i < TRIES; i++) {
    size_t pick = dialect->calls[type][ew_writer_below(writer, dialect->call_count[type])];
    const struct ew_draw_function *function = &dialect->functions[pick];
    const struct ew_node *arguments[EW_SIGNATURE_MAX];
    bool fits = true;
    for (size_t k = 0; k < function->argument_count && fits; k++) fits = possible(writer, function, k, type);
    for (size_t k = 0; k < function->argument_count && fits; k++)
      fits = (arguments[k] = draw_argument(writer, function, k, type, depth - 1)) != NULL;
    if (fits) return make_call(writer, function, false, arguments);
  }
  return NULL;
}

const struct ew_node *ew_cypher_of_path(struct ew_cypher_writer *writer, struct ew_span path, enum ew_draw_type type) {
  const struct ew_cypher_dialect *dialect = writer->dialect;
  for (size_t i = 0; i < dialect->call_count[type]; i++) {
    const struct ew_draw_function *function = &dialect->functions[dialect->calls[type][i]];
    if (function->argument_count != 1 || function->arguments[0].slot != EW_SLOT_TYPE) continue;
    if (function->arguments[0].type != EW_DRAW_PATH) continue;
    const struct ew_node *argument = ew_writer_name(writer, path);
    return make_call(writer, function, false, &argument);
  }
  return NULL;
}

/* ---- aggregates ---- */

/* count() is right everywhere; sums of floats and lists depend on the order of rows. */
static bool is_determined(const struct ew_draw_function *function, enum ew_draw_type type) {
  return function->traits & EW_TRAIT_UNORDERED || (function->result.slot == EW_SLOT_NUMBER && type == EW_DRAW_INTEGER);
}

static const struct ew_node *draw_aggregated(struct ew_cypher_writer *writer, enum ew_draw_type type, unsigned depth) {
  static const enum ew_draw_type elements[] = {EW_DRAW_NODE, EW_DRAW_RELATIONSHIP};
  if (type == EW_DRAW_ANY) {
    enum ew_draw_type element = EW_RANDOM_PICK(writer->random, elements);
    if (ew_writer_can_name(writer, element) && ew_writer_chance(writer, 50))
      return ew_cypher_draw_expression(writer, element, 0);
    type = draw_scalar_type(writer);
  }
  return ew_cypher_draw_expression(writer, type, depth);
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
    /* collect(ANY) -> LIST gathers the elements of what is wanted */
    bool gathers = function->result.slot == EW_SLOT_LIST;
    enum ew_draw_type first = gathers && function->arguments[0].slot == EW_SLOT_ANY ? ew_draw_element_of(wanted)
                              : function->arguments[0].slot == EW_SLOT_ANY && function->result.slot == EW_SLOT_TYPE
                                  ? EW_DRAW_ANY
                                  : argument_type(writer, function, 0, wanted);
    arguments[0] = draw_aggregated(writer, first, depth);
    for (size_t k = 1; k < function->argument_count; k++) arguments[k] = draw_argument(writer, function, k, wanted, 0);
    *type = wanted;
    bool distinct = function->argument_count == 1 && ew_writer_has(writer, EW_HAS_DISTINCT) &&
                    ew_writer_chance(writer, DISTINCT_PERCENT);
    return make_call(writer, function, distinct, arguments);
  }
  return NULL;
}
