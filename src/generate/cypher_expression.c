/* cypher_expression.c: typed expressions, top down, to a depth and a budget of nodes.

   Each production (cypher_production.def) says which types it can make, how often it is taken and what the profile must
   have. A dialect has a die for each type, on whose sides the productions stand as often as they weigh: one throw picks
   one. A construct whose turn it is (cypher_turn.h) goes first. At the end of depth or budget stand leaves: properties,
   variables, constants, and for truth values a property compared with a constant. */
#include "generate/cypher_expression.h"

enum {
  ABSENT_KEY_PERCENT = 4, /* of properties: a key that the element cannot have */
  TURN_PERCENT = 35,      /* of places that fit, where there is depth left for more of them: the turn is taken */
  LATE_TURN_PERCENT = 70, /* the same where little is left */
  ILL_TYPED_PERCENT = 40, /* of expressions, in a statement that has one of the wrong type, until it has it */
};

bool ew_writer_draw_operator(struct ew_cypher_writer *writer, const enum cypher_operator *operators,
                             const unsigned *weights, size_t count, enum cypher_operator *drawn) {
  unsigned total = 0;
  for (size_t i = 0; i < count; i++) total += writer->dialect->operators[operators[i]] ? weights[i] : 0;
  if (!total) return false;
  unsigned at = ew_writer_below(writer, total);
  for (size_t i = 0;; i++) {
    unsigned weight = writer->dialect->operators[operators[i]] ? weights[i] : 0;
    *drawn = operators[i];
    if (at < weight) return true;
    at -= weight;
  }
}

/* ---- types ---- */

bool ew_writer_can_write(const struct ew_cypher_writer *writer, enum ew_draw_type type) {
  if (ew_draw_is_list(type)) return writer->dialect->has[EW_HAS_LIST] || ew_writer_can_name(writer, type);
  if (ew_draw_is_element(type)) return ew_writer_can_name(writer, type);
  return ew_draw_is_scalar(type) || type == EW_DRAW_ANY || writer->dialect->types & EW_DRAW_BIT(type);
}

/* The type to write so that the construct whose turn it is fits. */
static enum ew_draw_type turn_type(const struct ew_cypher_writer *writer) {
  uint32_t types = writer->dialect->turns[writer->turn].types;
  if (types & EW_DRAW_BIT(EW_DRAW_LIST + EW_DRAW_INTEGER)) return EW_DRAW_LIST + EW_DRAW_INTEGER;
  return (enum ew_draw_type)__builtin_ctz(types);
}

enum ew_draw_type ew_writer_draw_comparable(struct ew_cypher_writer *writer) {
  static const uint8_t types[] = {
      EW_DRAW_INTEGER,
      EW_DRAW_INTEGER,
      EW_DRAW_INTEGER,
      EW_DRAW_INTEGER,
      EW_DRAW_INTEGER,
      EW_DRAW_INTEGER,
      EW_DRAW_INTEGER,
      EW_DRAW_INTEGER,
      EW_DRAW_STRING,
      EW_DRAW_STRING,
      EW_DRAW_STRING,
      EW_DRAW_STRING,
      EW_DRAW_STRING,
      EW_DRAW_STRING,
      EW_DRAW_FLOAT,
      EW_DRAW_FLOAT,
      EW_DRAW_FLOAT,
      EW_DRAW_FLOAT,
      EW_DRAW_FLOAT,
      EW_DRAW_BOOLEAN,
      EW_DRAW_BOOLEAN,
      EW_DRAW_NODE,
      EW_DRAW_RELATIONSHIP,
      EW_DRAW_DATE,
      EW_DRAW_DATETIME,
      EW_DRAW_LOCAL_DATETIME,
      EW_DRAW_TIME,
      EW_DRAW_LOCAL_TIME,
      EW_DRAW_DURATION,
      EW_DRAW_POINT,
      EW_DRAW_MAP,
      EW_DRAW_LIST + EW_DRAW_INTEGER,
      EW_DRAW_LIST + EW_DRAW_STRING,
      EW_DRAW_LIST + EW_DRAW_ANY,
  };
  if (writer->turn != EW_NO_TURN) {
    enum ew_draw_type wanted = turn_type(writer);
    if (ew_writer_can_write(writer, wanted)) return wanted;
  }
  enum ew_draw_type type = EW_RANDOM_PICK(writer->random, types);
  return ew_writer_can_write(writer, type) ? type : EW_DRAW_INTEGER;
}

enum ew_draw_type ew_writer_draw_any(struct ew_cypher_writer *writer) {
  static const uint8_t types[] = {
      EW_DRAW_INTEGER,
      EW_DRAW_INTEGER,
      EW_DRAW_FLOAT,
      EW_DRAW_STRING,
      EW_DRAW_STRING,
      EW_DRAW_BOOLEAN,
      EW_DRAW_LIST + EW_DRAW_INTEGER,
      EW_DRAW_LIST + EW_DRAW_STRING,
  };
  enum ew_draw_type type = EW_RANDOM_PICK(writer->random, types);
  return ew_writer_can_write(writer, type) ? type : EW_DRAW_INTEGER;
}

/* ---- leaves ---- */

/* A key that is wrong for the variable: one that nothing has, or one of the other kind of element. */
static struct ew_span draw_wrong_key(struct ew_cypher_writer *writer, const struct ew_cypher_variable *variable) {
  static const struct ew_span absent[] = {{"absent", 6}, {"id", 2}, {"name", 4}};
  bool node = variable->type == EW_DRAW_NODE;
  const struct ew_schema_element *elements = node ? writer->schema.types.items : writer->schema.labels.items;
  size_t count = node ? writer->schema.types.count : writer->schema.labels.count;
  if (count && ew_writer_chance(writer, 50)) {
    const struct ew_schema_element *element = &elements[ew_writer_below(writer, count)];
    if (element->properties.count)
      return element->properties.items[ew_writer_below(writer, element->properties.count)].name;
  }
  return EW_RANDOM_PICK(writer->random, absent);
}

const struct ew_node *ew_cypher_draw_property(struct ew_cypher_writer *writer, enum ew_draw_type type) {
  struct ew_cypher_lookup lookup;
  if (!ew_cypher_draw_lookup(writer, type, &lookup)) return NULL;
  struct ew_span key = lookup.property->name;
  if (ew_writer_chance(writer, ABSENT_KEY_PERCENT)) key = draw_wrong_key(writer, lookup.variable);
  return ew_writer_property(writer, lookup.variable->name, key);
}

static const struct ew_node *draw_variable(struct ew_cypher_writer *writer, enum ew_draw_type type) {
  const struct ew_cypher_variable *variable = ew_writer_pick_variable(writer, type);
  return variable ? ew_writer_name(writer, variable->name) : NULL;
}

const struct ew_node *ew_cypher_draw_leaf(struct ew_cypher_writer *writer, enum ew_draw_type type, unsigned depth) {
  static const struct {
    uint8_t property, variable, atom; /* percent; else a constant */
  } shares[] = {{55, 25, 0}, {20, 10, 66}};
  const struct ew_node *node = NULL;
  (void)depth;
  bool truth = type == EW_DRAW_BOOLEAN;
  unsigned at = ew_writer_below(writer, 100);
  if (at < shares[truth].property)
    node = ew_cypher_draw_property(writer, type);
  else if ((at -= shares[truth].property) < shares[truth].variable)
    node = draw_variable(writer, type);
  else if (at - shares[truth].variable < shares[truth].atom)
    node = ew_cypher_draw_atom(writer);
  if (node) return node;
  if (ew_draw_is_scalar(type)) return ew_cypher_draw_constant(writer, type);
  if ((node = draw_variable(writer, type))) return node;
  const struct ew_cypher_variable *path = ew_writer_pick_variable(writer, EW_DRAW_PATH);
  if (path && (node = ew_cypher_of_path(writer, path->name, type))) return node;
  return ew_cypher_draw_constant(writer, type);
}

/* ---- productions ---- */

enum {
  TRUTH = EW_DRAW_BIT(EW_DRAW_BOOLEAN),
  WHOLE = EW_DRAW_BIT(EW_DRAW_INTEGER),
  FRACTIONS = EW_DRAW_BIT(EW_DRAW_FLOAT),
  NUMBERS = WHOLE | FRACTIONS,
  STRINGS = EW_DRAW_BIT(EW_DRAW_STRING),
  SCALARS = TRUTH | NUMBERS | STRINGS,
  TIMES = EW_DRAW_BIT(EW_DRAW_POINT + 1) - EW_DRAW_BIT(EW_DRAW_DATE), /* and points */
  ELEMENTS = EW_DRAW_BIT(EW_DRAW_NODE) | EW_DRAW_BIT(EW_DRAW_RELATIONSHIP),
  PATHS = EW_DRAW_BIT(EW_DRAW_PATH),
  MAPS = EW_DRAW_BIT(EW_DRAW_MAP),
  ALWAYS = -1,
};
#define LISTS_OF(types) ((uint32_t)(types) << EW_DRAW_LIST)
#define PLAIN_LISTS (LISTS_OF(SCALARS) | EW_DRAW_BIT(EW_DRAW_LIST + EW_DRAW_ANY))
#define EVERY_LIST LISTS_OF(EW_DRAW_BIT(EW_DRAW_LIST) - 1)

#define EW_HAS_ALWAYS ALWAYS
static const struct {
  uint32_t types;
  uint16_t weight;
  int16_t feature; /* enum ew_cypher_feature or ALWAYS */
  ew_cypher_production *draw;
} productions[] = {
#define PRODUCTION(name, types, weight, feature) {types, weight, EW_HAS_##feature, ew_cypher_draw_##name},
#include "generate/cypher_production.def"
#undef PRODUCTION
};
#undef EW_HAS_ALWAYS
_Static_assert(EW_COUNT(productions) <= EW_DRAW_PRODUCTIONS_MAX, "raise EW_DRAW_PRODUCTIONS_MAX");

static bool is_present(const struct ew_cypher_dialect *dialect, size_t production) {
  return productions[production].feature == ALWAYS || dialect->has[productions[production].feature];
}

/* Sides by weight, at least one for each. The first production of a type, its leaf, takes what rounding leaves. */
static void fill_die(struct ew_cypher_dialect *dialect, enum ew_draw_type type) {
  unsigned total = 0;
  size_t side = 0, first = EW_COUNT(productions);
  for (size_t i = 0; i < EW_COUNT(productions); i++)
    if (productions[i].types & EW_DRAW_BIT(type) && is_present(dialect, i)) total += productions[i].weight;
  for (size_t i = 0; i < EW_COUNT(productions); i++) {
    if (!(productions[i].types & EW_DRAW_BIT(type)) || !is_present(dialect, i)) continue;
    if (first == EW_COUNT(productions)) first = i;
    unsigned sides = productions[i].weight * (EW_DRAW_DICE - 16u) / total;
    for (unsigned k = 0; k < (sides ? sides : 1) && side < EW_DRAW_DICE; k++) dialect->dice[type][side++] = (uint8_t)i;
  }
  while (side < EW_DRAW_DICE) dialect->dice[type][side++] = (uint8_t)(first == EW_COUNT(productions) ? 0 : first);
}

void ew_cypher_dialect_add_productions(struct ew_cypher_dialect *dialect) {
  for (enum ew_draw_type type = 0; type < EW_DRAW_TYPES; type++) fill_die(dialect, type);
  for (size_t i = 0; i < EW_COUNT(productions); i++)
    if (is_present(dialect, i) && productions[i].draw != ew_cypher_draw_leaf &&
        productions[i].draw != ew_cypher_draw_call)
      dialect->turns[dialect->turn_count++] = (struct ew_draw_turn){.types = productions[i].types, .index = (uint8_t)i};
}

/* ---- choosing ---- */

/* A pattern is a truth value in WHERE and below AND, OR, XOR and NOT there, and few engines take it elsewhere. */
static bool keeps_predicate(ew_cypher_production draw) {
  return draw == ew_cypher_draw_connective || draw == ew_cypher_draw_not || draw == ew_cypher_draw_pattern_predicate ||
         draw == ew_cypher_draw_exists;
}

static const struct ew_node *produce(struct ew_cypher_writer *writer, size_t production, enum ew_draw_type type,
                                     unsigned depth) {
  bool before = writer->predicate;
  writer->predicate = before && keeps_predicate(productions[production].draw);
  const struct ew_node *node = productions[production].draw(writer, type, depth);
  writer->predicate = before;
  return node;
}

/* The construct whose turn it is, where it fits; else a comparison with something that it fits into. NULL: neither. */
static const struct ew_node *take_turn(struct ew_cypher_writer *writer, enum ew_draw_type type, unsigned depth) {
  const struct ew_draw_turn *turn = &writer->dialect->turns[writer->turn];
  const struct ew_node *node;
  int number = writer->turn;
  bool fits = turn->types & EW_DRAW_BIT(type);
  if (!fits && (type != EW_DRAW_BOOLEAN || depth < 2)) return NULL;
  /* Not always at the root: what comes on the way there should vary too. */
  if (depth > 1 && !ew_writer_chance(writer, depth > 2 ? TURN_PERCENT : LATE_TURN_PERCENT)) return NULL;
  if (!fits) return ew_cypher_draw_comparison(writer, type, depth);
  writer->turn = EW_NO_TURN;
  if (turn->call)
    node = ew_cypher_call_function(writer, &writer->dialect->functions[turn->index], type, depth);
  else
    node = produce(writer, turn->index, type, depth);
  if (!node) writer->turn = number;
  return node;
}

/* A predicate stays a truth value, and what a clause may take for an element of the graph stays one. */
static bool may_be_ill_typed(const struct ew_cypher_writer *writer, enum ew_draw_type type) {
  enum ew_draw_type element = ew_draw_is_list(type) ? ew_draw_element_of(type) : type;
  return !(type == EW_DRAW_BOOLEAN && writer->predicate) && !ew_draw_is_element(element);
}

const struct ew_node *ew_cypher_draw_expression(struct ew_cypher_writer *writer, enum ew_draw_type type,
                                                unsigned depth) {
  if (type == EW_DRAW_ANY) type = ew_writer_below(writer, EW_DRAW_STRING + 1);
  if (!depth || --writer->budget < 0) return ew_cypher_draw_leaf(writer, type, 0);
  if (writer->turn != EW_NO_TURN) {
    const struct ew_node *node = take_turn(writer, type, depth);
    if (node) return node;
  }
  if (writer->ill_typed && may_be_ill_typed(writer, type) && ew_writer_chance(writer, ILL_TYPED_PERCENT)) {
    writer->ill_typed = false;
    type = ew_writer_draw_any(writer);
  }
  size_t pick = writer->dialect->dice[type][ew_writer_below(writer, EW_DRAW_DICE)];
  const struct ew_node *node = produce(writer, pick, type, depth);
  return node ? node : ew_cypher_draw_leaf(writer, type, 0);
}

const struct ew_node *ew_cypher_draw_predicate(struct ew_cypher_writer *writer, unsigned depth) {
  bool before = writer->predicate;
  writer->predicate = true;
  const struct ew_node *node = ew_cypher_draw_expression(writer, EW_DRAW_BOOLEAN, depth);
  writer->predicate = before;
  return node;
}
