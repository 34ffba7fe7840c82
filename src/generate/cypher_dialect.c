/* cypher_dialect.c: resolving a profile for the Cypher generators.

   A profile's types are coarse: `nodes = (PATH) -> LIST` does not say what is in the list, `left = (STRING, INTEGER)`
   not that a large integer is refused. cypher_function.def adds what the generators must know of functions by name,
   lang/cypher/functions.def which of them aggregate, are random or tell the time. */
#include "generate/cypher_dialect.h"

#include <strings.h>

#include "lang/cypher/scope.h"

enum { CACHED_PROFILES = 4 };

/* ---- types ---- */

static const struct {
  const char *name; /* in profiles */
  enum ew_draw_type type;
  enum ew_value_kind kind;
} types[] = {
    {"BOOLEAN", EW_DRAW_BOOLEAN, EW_VALUE_BOOLEAN},
    {"INTEGER", EW_DRAW_INTEGER, EW_VALUE_INTEGER},
    {"FLOAT", EW_DRAW_FLOAT, EW_VALUE_FLOAT},
    {"STRING", EW_DRAW_STRING, EW_VALUE_STRING},
    {"DATE", EW_DRAW_DATE, EW_VALUE_DATE},
    {"TIME", EW_DRAW_TIME, EW_VALUE_TIME},
    {"LOCAL_TIME", EW_DRAW_LOCAL_TIME, EW_VALUE_LOCAL_TIME},
    {"DATETIME", EW_DRAW_DATETIME, EW_VALUE_DATETIME},
    {"LOCAL_DATETIME", EW_DRAW_LOCAL_DATETIME, EW_VALUE_LOCAL_DATETIME},
    {"DURATION", EW_DRAW_DURATION, EW_VALUE_DURATION},
    {"POINT", EW_DRAW_POINT, EW_VALUE_POINT},
    {"NODE", EW_DRAW_NODE, EW_VALUE_NODE},
    {"RELATIONSHIP", EW_DRAW_RELATIONSHIP, EW_VALUE_RELATIONSHIP},
    {"PATH", EW_DRAW_PATH, EW_VALUE_PATH},
    {"MAP", EW_DRAW_MAP, EW_VALUE_MAP},
};

enum ew_value_kind ew_draw_kind(enum ew_draw_type type) {
  EW_ASSERT(type < EW_COUNT(types));
  return types[type].kind;
}

enum ew_draw_type ew_draw_type_of(enum ew_value_kind kind) {
  static const uint8_t of_kind[] = {
      [EW_VALUE_BOOLEAN] = EW_DRAW_BOOLEAN,
      [EW_VALUE_INTEGER] = EW_DRAW_INTEGER,
      [EW_VALUE_FLOAT] = EW_DRAW_FLOAT,
      [EW_VALUE_STRING] = EW_DRAW_STRING,
      [EW_VALUE_DATE] = EW_DRAW_DATE,
      [EW_VALUE_TIME] = EW_DRAW_TIME,
      [EW_VALUE_LOCAL_TIME] = EW_DRAW_LOCAL_TIME,
      [EW_VALUE_DATETIME] = EW_DRAW_DATETIME,
      [EW_VALUE_LOCAL_DATETIME] = EW_DRAW_LOCAL_DATETIME,
      [EW_VALUE_DURATION] = EW_DRAW_DURATION,
      [EW_VALUE_POINT] = EW_DRAW_POINT,
      [EW_VALUE_NODE] = EW_DRAW_NODE,
      [EW_VALUE_RELATIONSHIP] = EW_DRAW_RELATIONSHIP,
      [EW_VALUE_PATH] = EW_DRAW_PATH,
      [EW_VALUE_MAP] = EW_DRAW_MAP,
      [EW_VALUE_LIST] = EW_DRAW_LIST + EW_DRAW_ANY,
      [EW_VALUE_NULL] = EW_DRAW_ANY,
  };
  return (enum ew_draw_type)of_kind[kind];
}

/* False for a type that the generators do not write. */
static bool read_slot(struct ew_span name, uint8_t *slot, uint8_t *type) {
  static const struct {
    const char *name;
    enum ew_draw_slot slot;
  } slots[] = {{"NUMBER", EW_SLOT_NUMBER}, {"ANY", EW_SLOT_ANY}, {"LIST", EW_SLOT_LIST}};
  for (size_t i = 0; i < EW_COUNT(slots); i++) {
    if (!ew_span_is(name, slots[i].name)) continue;
    *slot = (uint8_t)slots[i].slot;
    *type = EW_DRAW_ANY;
    return true;
  }
  for (size_t i = 0; i < EW_COUNT(types); i++) {
    if (!ew_span_is(name, types[i].name)) continue;
    *slot = EW_SLOT_TYPE;
    *type = (uint8_t)types[i].type;
    return true;
  }
  return false;
}

/* ---- functions ---- */

static bool is_name(struct ew_span name, const char *known) {
  return name.length == strlen(known) && strncasecmp(name.bytes, known, name.length) == 0;
}

/* Adds what is known of a function by its name; false where it is never written. */
static bool add_knowledge(struct ew_span name, struct ew_draw_function *function) {
#define NEVER(known) \
  if (is_name(name, known)) return false;
#define UNORDERED(known) \
  if (is_name(name, known)) function->traits |= EW_TRAIT_UNORDERED;
#define LISTING(known, element)                                          \
  if (is_name(name, known)) {                                            \
    function->result.slot = EW_SLOT_TYPE;                                \
    function->result.type = (uint8_t)ew_draw_list_of(EW_DRAW_##element); \
  }
#define FUNCTION(known, first, second, third)           \
  if (is_name(name, known)) {                           \
    function->arguments[0].source = EW_SOURCE_##first;  \
    function->arguments[1].source = EW_SOURCE_##second; \
    function->arguments[2].source = EW_SOURCE_##third;  \
  }
#include "generate/cypher_function.def"
#undef NEVER
#undef UNORDERED
#undef LISTING
#undef FUNCTION
  const struct ew_cypher_function *known = ew_cypher_function_find(name);
  if (!known) return true;
  if (known->traits & EW_FUNCTION_AGGREGATE) function->traits |= EW_TRAIT_AGGREGATE;
  if (known->traits & EW_FUNCTION_CLOCK && !function->argument_count) return false;
  return !(known->traits & EW_FUNCTION_OPEN);
}

/* Where a source does not go with the type of an argument, that is an expression: toInteger(FLOAT), date(MAP). */
static void settle_sources(struct ew_draw_function *function) {
  for (size_t i = 0; i < function->argument_count; i++) {
    uint8_t *source = &function->arguments[i].source, type = function->arguments[i].type;
    bool fixed = function->arguments[i].slot == EW_SLOT_TYPE;
    switch ((enum ew_draw_source) * source) {
      case EW_SOURCE_TEXT:
      case EW_SOURCE_FIELDS:
        *source = !fixed                   ? EW_SOURCE_EXPRESSION
                  : type == EW_DRAW_STRING ? EW_SOURCE_TEXT
                  : type == EW_DRAW_MAP    ? EW_SOURCE_FIELDS
                                           : EW_SOURCE_EXPRESSION;
        break;
      case EW_SOURCE_NUMERAL:
      case EW_SOURCE_TRUTH:
      case EW_SOURCE_SEARCH:
      case EW_SOURCE_UNIT:
      case EW_SOURCE_MODE:
        if (!fixed || type != EW_DRAW_STRING) *source = EW_SOURCE_EXPRESSION;
        break;
      case EW_SOURCE_POSITION:
      case EW_SOURCE_SIZE:
      case EW_SOURCE_RANGE:
      case EW_SOURCE_STEP:
        if (!fixed || type != EW_DRAW_INTEGER) *source = EW_SOURCE_EXPRESSION;
        break;
      default: break;
    }
    if (fixed && ew_draw_is_element(type)) function->elements |= EW_DRAW_BIT(type);
  }
}

static uint32_t types_given(const struct ew_draw_function *function) {
  const uint32_t numbers = EW_DRAW_BIT(EW_DRAW_INTEGER) | EW_DRAW_BIT(EW_DRAW_FLOAT);
  const uint32_t lists = ~(EW_DRAW_BIT(EW_DRAW_LIST) - 1);
  bool from_list = function->argument_count && function->arguments[0].slot == EW_SLOT_LIST;
  switch ((enum ew_draw_slot)function->result.slot) {
    case EW_SLOT_TYPE: return EW_DRAW_BIT(function->result.type);
    case EW_SLOT_NUMBER: return numbers;
    /* head() of a list of lists: the type of what comes back is not known */
    case EW_SLOT_ANY: return from_list ? ~lists & ~EW_DRAW_BIT(EW_DRAW_ANY) : ~EW_DRAW_BIT(EW_DRAW_ANY);
    case EW_SLOT_LIST: return lists;
  }
  EW_BUG("slot %d", function->result.slot);
}

static void add_function(struct ew_cypher_dialect *dialect, const struct ew_profile *profile, size_t index) {
  const struct ew_signature *signature = &profile->functions[index];
  struct ew_draw_function function = {
      .signature = (uint16_t)index, .argument_count = (uint8_t)signature->argument_count, .more = signature->more};
  EW_ASSERT(dialect->function_count < EW_DRAW_FUNCTIONS_MAX);
  for (size_t i = 0; i < signature->argument_count; i++)
    if (!read_slot(signature->arguments[i], &function.arguments[i].slot, &function.arguments[i].type)) return;
  if (!read_slot(signature->result, &function.result.slot, &function.result.type)) return;
  if (!add_knowledge(signature->name, &function)) return;
  settle_sources(&function);
  function.gives = types_given(&function);
  uint8_t at = (uint8_t)dialect->function_count++;
  dialect->functions[at] = function;
  for (enum ew_draw_type wanted = 0; wanted < EW_DRAW_TYPES; wanted++) {
    if (!(function.gives & EW_DRAW_BIT(wanted))) continue;
    if (function.traits & EW_TRAIT_AGGREGATE)
      dialect->aggregates[wanted][dialect->aggregate_count[wanted]++] = at;
    else
      dialect->calls[wanted][dialect->call_count[wanted]++] = at;
  }
  if (!(function.traits & EW_TRAIT_AGGREGATE))
    dialect->turns[dialect->turn_count++] = (struct ew_draw_turn){.types = function.gives, .call = true, .index = at};
}

/* A temporal type or a point exists where a function makes one of a text or of fields. */
static uint32_t types_made(const struct ew_cypher_dialect *dialect, const struct ew_profile *profile) {
  uint32_t made = 0;
  for (size_t i = 0; i < EW_COUNT(types); i++)
    if (ew_profile_has(profile, "types", types[i].name)) made |= EW_DRAW_BIT(types[i].type);
  for (enum ew_draw_type type = EW_DRAW_DATE; type <= EW_DRAW_POINT; type++) {
    bool can = false;
    for (size_t i = 0; i < dialect->call_count[type] && !can; i++) {
      const struct ew_draw_function *function = &dialect->functions[dialect->calls[type][i]];
      can = function->argument_count == 1 &&
            (function->arguments[0].source == EW_SOURCE_TEXT || function->arguments[0].source == EW_SOURCE_FIELDS);
    }
    if (!can) made &= ~EW_DRAW_BIT(type);
  }
  return made;
}

/* ---- all of it ---- */

static void resolve(struct ew_cypher_dialect *dialect, const struct ew_profile *profile) {
  static const struct {
    const char *group, *item;
  } items[] = {
#define FEATURE(name, group_, item_) [EW_HAS_##name] = {group_, item_},
#include "generate/cypher_dialect.def"
#undef FEATURE
  };
  *dialect = (struct ew_cypher_dialect){.profile = profile};
  for (size_t i = 0; i < EW_COUNT(items); i++) dialect->has[i] = ew_profile_has(profile, items[i].group, items[i].item);
  for (size_t i = 0; i < EW_COUNT(dialect->operators); i++)
    dialect->operators[i] = ew_profile_has(profile, "operators", cypher_operator_text[i]);
  dialect->negation = ew_profile_has(profile, "operators", cypher_unary_operator_text[CYPHER_NOT]);
  dialect->minus = ew_profile_has(profile, "operators", cypher_unary_operator_text[CYPHER_NEGATE]);
  for (size_t i = 0; i < profile->function_count; i++) add_function(dialect, profile, i);
  dialect->types = types_made(dialect, profile);
  ew_cypher_dialect_add_productions(dialect);
}

const struct ew_cypher_dialect *ew_cypher_dialect_of(const struct ew_profile *profile) {
  static _Thread_local struct {
    const struct ew_profile *profile;
    uint64_t hash;
    struct ew_cypher_dialect dialect;
  } cache[CACHED_PROFILES];
  static _Thread_local size_t next;
  for (size_t i = 0; i < CACHED_PROFILES; i++)
    if (cache[i].profile == profile && cache[i].hash == profile->hash) return &cache[i].dialect;
  size_t slot = next++ % CACHED_PROFILES;
  resolve(&cache[slot].dialect, profile);
  cache[slot].profile = profile;
  cache[slot].hash = profile->hash;
  return &cache[slot].dialect;
}
