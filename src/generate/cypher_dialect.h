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
  EW_DRAW_DATE,
  EW_DRAW_TIME,
  EW_DRAW_LOCAL_TIME,
  EW_DRAW_DATETIME,
  EW_DRAW_LOCAL_DATETIME,
  EW_DRAW_DURATION,
  EW_DRAW_POINT,
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
static inline bool ew_draw_is_number(enum ew_draw_type type) {
  return type == EW_DRAW_INTEGER || type == EW_DRAW_FLOAT;
}
/* Instants and durations. */
static inline bool ew_draw_is_temporal(enum ew_draw_type type) {
  return type >= EW_DRAW_DATE && type <= EW_DRAW_DURATION;
}
static inline bool ew_draw_is_element(enum ew_draw_type type) {
  return type == EW_DRAW_NODE || type == EW_DRAW_RELATIONSHIP || type == EW_DRAW_PATH;
}
static inline enum ew_draw_type ew_draw_list_of(enum ew_draw_type element) {
  return ew_draw_is_list(element) ? EW_DRAW_LIST + EW_DRAW_ANY : EW_DRAW_LIST + element;
}
static inline enum ew_draw_type ew_draw_element_of(enum ew_draw_type list) { return list - EW_DRAW_LIST; }

/* Sets of types. */
#define EW_DRAW_BIT(type) ((uint32_t)1 << (type))
_Static_assert(EW_DRAW_TYPES <= 32, "a set of types is 32 bits");

/* The kind of value of a type, for those that have constants. */
enum ew_value_kind ew_draw_kind(enum ew_draw_type type);
enum ew_draw_type ew_draw_type_of(enum ew_value_kind kind);

/* An argument or a result: a type, or one that follows from what is wanted. */
enum ew_draw_slot {
  EW_SLOT_TYPE,   /* just that type */
  EW_SLOT_NUMBER, /* integer or float: the wanted one where that is a number */
  EW_SLOT_ANY,    /* the wanted type */
  EW_SLOT_LIST,   /* any list: the wanted one, or a list of the wanted type */
};

/* Where an argument comes from. */
enum ew_draw_source {
  EW_SOURCE_EXPRESSION, /* any of its type */
  EW_SOURCE_POSITION,   /* mostly a small integer, sometimes one at a boundary: the function takes or refuses it */
  EW_SOURCE_SIZE,       /* a small integer: the function builds something of that size */
  EW_SOURCE_RANGE,      /* a bound of range(): small, or two neighbours at a boundary */
  EW_SOURCE_STEP,       /* small, seldom 0 */
  EW_SOURCE_FRACTION,   /* a constant between 0 and 1, seldom beyond */
  EW_SOURCE_PROPERTY,   /* a property look-up */
  EW_SOURCE_SEARCH,     /* a string to look for: often empty, or a part of the data */
  EW_SOURCE_NUMERAL,    /* a string that looks like a number */
  EW_SOURCE_TRUTH,      /* a string that looks like a truth value */
  EW_SOURCE_TEXT,       /* the text of a value of the result's type */
  EW_SOURCE_FIELDS,     /* a map of the fields of a value of the result's type */
  EW_SOURCE_UNIT,       /* of time, to truncate to */
  EW_SOURCE_MODE,       /* of rounding */
};

enum ew_draw_trait {
  EW_TRAIT_AGGREGATE = 1, /* only in projections */
  EW_TRAIT_UNORDERED = 2, /* of aggregates: the result does not depend on the order of rows */
};

struct ew_draw_function {
  uint16_t signature; /* index in the profile */
  uint8_t traits, argument_count;
  bool more;         /* arguments of the last type may follow */
  uint32_t gives;    /* set of types that it can give */
  uint32_t elements; /* set of types of arguments that only a variable can be */
  struct {
    uint8_t slot, type, source;
  } arguments[EW_SIGNATURE_MAX], result;
};

/* Something whose turn may come (cypher_turn.h): a production, or a function. */
struct ew_draw_turn {
  uint32_t types; /* set of types of the expressions that it can be */
  bool call;
  uint8_t index; /* of the production, or in functions */
};

enum { EW_DRAW_FUNCTIONS_MAX = 256, EW_DRAW_PRODUCTIONS_MAX = 96, EW_DRAW_DICE = 256 };

struct ew_cypher_dialect {
  bool has[EW_CYPHER_FEATURES];
  bool operators[CYPHER_POWER + 1]; /* by enum cypher_operator */
  bool negation, minus;             /* NOT, unary - */
  uint32_t types;                   /* set of types that values can have */
  const struct ew_profile *profile;
  struct ew_draw_function functions[EW_DRAW_FUNCTIONS_MAX];
  size_t function_count;
  /* By the type that is wanted: indexes into functions. Aggregates are apart. */
  uint8_t calls[EW_DRAW_TYPES][EW_DRAW_FUNCTIONS_MAX];
  uint8_t aggregates[EW_DRAW_TYPES][EW_DRAW_FUNCTIONS_MAX];
  size_t call_count[EW_DRAW_TYPES], aggregate_count[EW_DRAW_TYPES];
  /* What makes an expression of a type, by the throw of a die: productions fill it as often as their weight says. */
  uint8_t dice[EW_DRAW_TYPES][EW_DRAW_DICE];
  struct ew_draw_turn turns[EW_DRAW_FUNCTIONS_MAX + EW_DRAW_PRODUCTIONS_MAX];
  size_t turn_count;
};

/* Resolved once per profile and kept for the process; functions that are random, tell the time or look at the host
   are left out here. Good until a few other profiles were asked for. */
const struct ew_cypher_dialect *ew_cypher_dialect_of(const struct ew_profile *profile);

/* Fills the dice and the turns of productions; only for ew_cypher_dialect_of (cypher_expression.c). */
void ew_cypher_dialect_add_productions(struct ew_cypher_dialect *dialect);

#endif
