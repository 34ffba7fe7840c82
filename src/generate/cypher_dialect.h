/* cypher_dialect.h: a profile as the Cypher generators see it: flags and arrays instead of look-ups by name, resolved
   once. */
#ifndef EW_GENERATE_CYPHER_DIALECT_H
#define EW_GENERATE_CYPHER_DIALECT_H

#include "contract/profile.h"
#include "lang/cypher/node.h"

enum ew_cypher_feature {
#define FEATURE(name, group, item) EW_HAS_##name,
#include "generate/cypher_dialect.def"
#undef FEATURE
  EW_CYPHER_FEATURES
};

/* Types of expressions. Those from EW_DRAW_LIST on are lists: EW_DRAW_LIST + element. A list of lists is a list of
   ANY. */
enum ew_draw_type {
  EW_DRAW_BOOLEAN,
  EW_DRAW_INTEGER,
  EW_DRAW_FLOAT,
  EW_DRAW_STRING,
  EW_DRAW_NODE,
  EW_DRAW_RELATIONSHIP,
  EW_DRAW_PATH,
  EW_DRAW_MAP,
  EW_DRAW_ANY, /* unknown or mixed: as a wish, any scalar will do */
  EW_DRAW_LIST,
  EW_DRAW_TYPES = 2 * EW_DRAW_LIST,
};

static inline bool ew_draw_is_list(enum ew_draw_type type) { return type >= EW_DRAW_LIST; }
static inline bool ew_draw_is_scalar(enum ew_draw_type type) { return type <= EW_DRAW_STRING; }
static inline enum ew_draw_type ew_draw_list_of(enum ew_draw_type element) {
  return ew_draw_is_list(element) ? EW_DRAW_LIST + EW_DRAW_ANY : EW_DRAW_LIST + element;
}
static inline enum ew_draw_type ew_draw_element_of(enum ew_draw_type list) { return list - EW_DRAW_LIST; }

/* An argument or a result: a type, or one that follows from what is wanted. */
enum ew_draw_slot {
  EW_SLOT_TYPE,   /* just that type */
  EW_SLOT_NUMBER, /* integer or float: the wanted one where that is a number */
  EW_SLOT_ANY,    /* the wanted type */
  EW_SLOT_LIST,   /* any list: the wanted one, or a list of the wanted type */
};

enum ew_draw_trait {
  EW_TRAIT_AGGREGATE = 1,  /* only in projections */
  EW_TRAIT_SMALL = 2,      /* integers given to it are small: it builds something of that size, or refuses large ones */
  EW_TRAIT_PROPERTY = 4,   /* its argument is a property look-up */
  EW_TRAIT_FRACTION = 8,   /* its last argument is a constant between 0 and 1 */
  EW_TRAIT_UNORDERED = 16, /* of aggregates: the result does not depend on the order of rows */
};

struct ew_draw_function {
  uint16_t signature; /* index in the profile */
  uint8_t traits, argument_count;
  struct {
    uint8_t slot, type;
  } arguments[EW_SIGNATURE_MAX], result;
};

enum { EW_DRAW_FUNCTIONS_MAX = 256 };

struct ew_cypher_dialect {
  bool has[EW_CYPHER_FEATURES];
  bool operators[CYPHER_POWER + 1]; /* by enum cypher_operator */
  bool negation, minus;             /* NOT, unary - */
  struct ew_draw_function functions[EW_DRAW_FUNCTIONS_MAX];
  size_t function_count;
  /* By the type that is wanted: indexes into functions. Aggregates are apart. */
  uint8_t calls[EW_DRAW_TYPES][EW_DRAW_FUNCTIONS_MAX];
  uint8_t aggregates[EW_DRAW_TYPES][EW_DRAW_FUNCTIONS_MAX];
  size_t call_count[EW_DRAW_TYPES], aggregate_count[EW_DRAW_TYPES];
};

/* Resolved once per profile and kept for the process; functions that are random, tell the time or look at the host
   are left out here. Good until a few other profiles were asked for. */
const struct ew_cypher_dialect *ew_cypher_dialect_of(const struct ew_profile *profile);

#endif
