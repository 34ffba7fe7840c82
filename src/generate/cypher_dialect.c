/* cypher_dialect.c: resolving a profile for the Cypher generators.

   A profile's types are coarse: `nodes = (PATH) -> LIST` does not say what is in the list. The table of traits adds
   what the generators must know of functions by name; a function that is not in it is taken as its signature says. */
#include "generate/cypher_dialect.h"

enum { CACHED_PROFILES = 4, NEVER = 32, NOW = 64 /* never without arguments */, LIST_RESULT = 128 };

struct trait {
  const char *name;
  unsigned traits;
  enum ew_draw_type element; /* LIST_RESULT: what the list holds */
};

static const struct trait known[] = {
    {.name = "rand", .traits = NEVER},
    {.name = "randomUUID", .traits = NEVER},
    {.name = "timestamp", .traits = NEVER},
    {.name = "file", .traits = NEVER},
    {.name = "linenumber", .traits = NEVER},
    {.name = "date", .traits = NOW},
    {.name = "time", .traits = NOW},
    {.name = "localtime", .traits = NOW},
    {.name = "datetime", .traits = NOW},
    {.name = "localdatetime", .traits = NOW},
    {.name = "count", .traits = EW_TRAIT_AGGREGATE | EW_TRAIT_UNORDERED},
    {.name = "min", .traits = EW_TRAIT_AGGREGATE | EW_TRAIT_UNORDERED},
    {.name = "max", .traits = EW_TRAIT_AGGREGATE | EW_TRAIT_UNORDERED},
    {.name = "sum", .traits = EW_TRAIT_AGGREGATE},
    {.name = "avg", .traits = EW_TRAIT_AGGREGATE},
    {.name = "collect", .traits = EW_TRAIT_AGGREGATE},
    {.name = "stdev", .traits = EW_TRAIT_AGGREGATE},
    {.name = "stDev", .traits = EW_TRAIT_AGGREGATE},
    {.name = "stdevp", .traits = EW_TRAIT_AGGREGATE},
    {.name = "stDevP", .traits = EW_TRAIT_AGGREGATE},
    {.name = "percentileCont", .traits = EW_TRAIT_AGGREGATE | EW_TRAIT_FRACTION},
    {.name = "percentileDisc", .traits = EW_TRAIT_AGGREGATE | EW_TRAIT_FRACTION},
    {.name = "exists", .traits = EW_TRAIT_PROPERTY},
    {.name = "range", .traits = EW_TRAIT_SMALL | LIST_RESULT, .element = EW_DRAW_INTEGER},
    {.name = "left", .traits = EW_TRAIT_SMALL},
    {.name = "right", .traits = EW_TRAIT_SMALL},
    {.name = "substring", .traits = EW_TRAIT_SMALL},
    {.name = "round", .traits = EW_TRAIT_SMALL},
    {.name = "repeat", .traits = EW_TRAIT_SMALL},
    {.name = "lpad", .traits = EW_TRAIT_SMALL},
    {.name = "rpad", .traits = EW_TRAIT_SMALL},
    {.name = "labels", .traits = LIST_RESULT, .element = EW_DRAW_STRING},
    {.name = "keys", .traits = LIST_RESULT, .element = EW_DRAW_STRING},
    {.name = "split", .traits = LIST_RESULT, .element = EW_DRAW_STRING},
    {.name = "nodes", .traits = LIST_RESULT, .element = EW_DRAW_NODE},
    {.name = "relationships", .traits = LIST_RESULT, .element = EW_DRAW_RELATIONSHIP},
    {.name = "rels", .traits = LIST_RESULT, .element = EW_DRAW_RELATIONSHIP},
    {.name = "toBooleanList", .traits = LIST_RESULT, .element = EW_DRAW_BOOLEAN},
    {.name = "toIntegerList", .traits = LIST_RESULT, .element = EW_DRAW_INTEGER},
    {.name = "toFloatList", .traits = LIST_RESULT, .element = EW_DRAW_FLOAT},
    {.name = "toStringList", .traits = LIST_RESULT, .element = EW_DRAW_STRING},
};

static struct trait trait_of(struct ew_span name) {
  for (size_t i = 0; i < EW_COUNT(known); i++)
    if (ew_span_is(name, known[i].name)) return known[i];
  return (struct trait){0};
}

/* False for a type that the generators do not write. */
static bool read_slot(struct ew_span name, uint8_t *slot, uint8_t *type) {
  static const struct {
    const char *name;
    enum ew_draw_slot slot;
    enum ew_draw_type type;
  } names[] = {
      {"BOOLEAN", EW_SLOT_TYPE, EW_DRAW_BOOLEAN}, {"INTEGER", EW_SLOT_TYPE, EW_DRAW_INTEGER},
      {"FLOAT", EW_SLOT_TYPE, EW_DRAW_FLOAT},     {"STRING", EW_SLOT_TYPE, EW_DRAW_STRING},
      {"NODE", EW_SLOT_TYPE, EW_DRAW_NODE},       {"RELATIONSHIP", EW_SLOT_TYPE, EW_DRAW_RELATIONSHIP},
      {"PATH", EW_SLOT_TYPE, EW_DRAW_PATH},       {"MAP", EW_SLOT_TYPE, EW_DRAW_MAP},
      {"NUMBER", EW_SLOT_NUMBER, EW_DRAW_ANY},    {"ANY", EW_SLOT_ANY, EW_DRAW_ANY},
      {"LIST", EW_SLOT_LIST, EW_DRAW_ANY},
  };
  for (size_t i = 0; i < EW_COUNT(names); i++) {
    if (!ew_span_is(name, names[i].name)) continue;
    *slot = (uint8_t)names[i].slot;
    *type = (uint8_t)names[i].type;
    return true;
  }
  return false;
}

static bool can_give(const struct ew_draw_function *function, enum ew_draw_type wanted) {
  switch ((enum ew_draw_slot)function->result.slot) {
    case EW_SLOT_TYPE: return function->result.type == wanted;
    case EW_SLOT_NUMBER: return wanted == EW_DRAW_INTEGER || wanted == EW_DRAW_FLOAT;
    case EW_SLOT_ANY: return true;
    case EW_SLOT_LIST: return ew_draw_is_list(wanted);
  }
  EW_BUG("slot %d", function->result.slot);
}

static void add_function(struct ew_cypher_dialect *dialect, const struct ew_profile *profile, size_t index) {
  const struct ew_signature *signature = &profile->functions[index];
  struct trait trait = trait_of(signature->name);
  struct ew_draw_function function = {.signature = (uint16_t)index,
                                      .traits = (uint8_t)(trait.traits & (NEVER - 1)),
                                      .argument_count = (uint8_t)signature->argument_count};
  if (dialect->function_count == EW_DRAW_FUNCTIONS_MAX || trait.traits & NEVER) return;
  if (trait.traits & NOW && !signature->argument_count) return;
  for (size_t i = 0; i < signature->argument_count; i++)
    if (!read_slot(signature->arguments[i], &function.arguments[i].slot, &function.arguments[i].type)) return;
  if (!read_slot(signature->result, &function.result.slot, &function.result.type)) return;
  if (trait.traits & LIST_RESULT) {
    function.result.slot = EW_SLOT_TYPE;
    function.result.type = (uint8_t)ew_draw_list_of(trait.element);
  }
  uint8_t at = (uint8_t)dialect->function_count++;
  dialect->functions[at] = function;
  for (enum ew_draw_type wanted = 0; wanted < EW_DRAW_TYPES; wanted++) {
    if (!can_give(&function, wanted)) continue;
    if (function.traits & EW_TRAIT_AGGREGATE)
      dialect->aggregates[wanted][dialect->aggregate_count[wanted]++] = at;
    else
      dialect->calls[wanted][dialect->call_count[wanted]++] = at;
  }
}

static void resolve(struct ew_cypher_dialect *dialect, const struct ew_profile *profile) {
  static const struct {
    const char *group, *item;
  } items[] = {
#define FEATURE(name, group_, item_) [EW_HAS_##name] = {group_, item_},
#include "generate/cypher_dialect.def"
#undef FEATURE
  };
  *dialect = (struct ew_cypher_dialect){0};
  for (size_t i = 0; i < EW_COUNT(items); i++) dialect->has[i] = ew_profile_has(profile, items[i].group, items[i].item);
  for (size_t i = 0; i < EW_COUNT(dialect->operators); i++)
    dialect->operators[i] = ew_profile_has(profile, "operators", cypher_operator_text[i]);
  dialect->negation = ew_profile_has(profile, "operators", cypher_unary_operator_text[CYPHER_NOT]);
  dialect->minus = ew_profile_has(profile, "operators", cypher_unary_operator_text[CYPHER_NEGATE]);
  for (size_t i = 0; i < profile->function_count; i++) add_function(dialect, profile, i);
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
