/* cypher_expression.c: typed expressions, top down, to a depth and a budget of nodes.

   Each production says which types it can make, how often it is taken and what the profile must have; one draw by
   weight picks among those that fit. At the end of depth or budget stand leaves: properties, variables, constants,
   and for truth values a property compared with a constant. */
#include "generate/cypher_writer.h"

enum {
  WRONG_TYPE_PERCENT = 2,     /* of comparisons: the right side is of another type (never an error: null or false) */
  ABSENT_KEY_PERCENT = 3,     /* of properties: a key that the element cannot have */
  STEER_PERCENT = 60,         /* of comparisons with a constant: it holds for the variable's witness */
  PROPERTY_SIDE_PERCENT = 65, /* of comparisons: the left side is a property */
  CONSTANT_SIDE_PERCENT = 65, /* of comparisons with a property: the right side is a constant */
};

static const struct ew_node *binary(struct ew_cypher_writer *writer, enum cypher_operator symbol,
                                    const struct ew_node *left, const struct ew_node *right) {
  return CYPHER(writer->builder, binary, .operator.choice = symbol, .left.node = left, .right.node = right);
}

/* Picks among the operators that the profile has. False where it has none of them. */
static bool draw_operator(struct ew_cypher_writer *writer, const enum cypher_operator *operators,
                          const unsigned *weights, size_t count, enum cypher_operator *drawn) {
  unsigned present[16], total = 0;
  EW_ASSERT(count <= EW_COUNT(present));
  for (size_t i = 0; i < count; i++) total += present[i] = writer->dialect->operators[operators[i]] ? weights[i] : 0;
  if (!total) return false;
  *drawn = operators[ew_random_weighted(writer->random, present, count)];
  return true;
}

/* ---- leaves ---- */

static const struct ew_node *draw_property(struct ew_cypher_writer *writer, enum ew_draw_type type) {
  static const char *const absent[] = {"absent", "id", "name"};
  struct ew_cypher_lookup lookup;
  if (!ew_cypher_draw_lookup(writer, type, &lookup)) return NULL;
  struct ew_span key = lookup.property->name;
  if (ew_writer_chance(writer, ABSENT_KEY_PERCENT)) key = ew_span_of(EW_RANDOM_PICK(writer->random, absent));
  return ew_writer_property(writer, lookup.variable->name, key);
}

static const struct ew_node *draw_variable(struct ew_cypher_writer *writer, enum ew_draw_type type) {
  const struct ew_cypher_variable *variable = ew_writer_pick_variable(writer, type);
  return variable ? ew_writer_name(writer, variable->name) : NULL;
}

static const struct ew_node *draw_atom(struct ew_cypher_writer *writer);

static const struct ew_node *leaf(struct ew_cypher_writer *writer, enum ew_draw_type type, unsigned depth) {
  static const unsigned weights[] = {55, 25, 20};
  static const unsigned truth_weights[] = {20, 10, 3, 67};
  const struct ew_node *node = NULL;
  (void)depth;
  bool truth = type == EW_DRAW_BOOLEAN;
  switch (truth ? ew_random_weighted(writer->random, truth_weights, 4)
                : ew_random_weighted(writer->random, weights, 3)) {
    case 0: node = draw_property(writer, type); break;
    case 1: node = draw_variable(writer, type); break;
    case 2: break;
    default: node = draw_atom(writer); break;
  }
  if (node) return node;
  bool constant = ew_draw_is_scalar(type) || (ew_draw_is_list(type) && ew_draw_is_scalar(ew_draw_element_of(type)));
  if (!constant && (node = draw_variable(writer, type))) return node;
  const struct ew_cypher_variable *path = constant ? NULL : ew_writer_pick_variable(writer, EW_DRAW_PATH);
  if (path && (node = ew_cypher_of_path(writer, path->name, type))) return node;
  return ew_cypher_draw_constant(writer, type);
}

/* ---- comparisons ---- */

static const enum cypher_operator comparisons[] = {CYPHER_EQUAL,      CYPHER_UNEQUAL, CYPHER_LESS,
                                                   CYPHER_LESS_EQUAL, CYPHER_GREATER, CYPHER_GREATER_EQUAL};
static const unsigned comparison_weights[] = {32, 14, 14, 14, 13, 13};
static const unsigned equality_weights[] = {60, 40, 1, 1, 1, 1}; /* of types without an order */
static const unsigned holding_weights[] = {60, 0, 0, 20, 0, 20}; /* those that hold between equals */

static bool draw_comparison_operator(struct ew_cypher_writer *writer, const unsigned *weights,
                                     enum cypher_operator *drawn) {
  return draw_operator(writer, comparisons, weights, EW_COUNT(comparisons), drawn);
}

/* n.p = 3, the constant being most often what some element has there. */
static const struct ew_node *compare_property(struct ew_cypher_writer *writer, const struct ew_cypher_lookup *lookup) {
  const struct ew_value *value = NULL;
  const unsigned *weights = comparison_weights;
  enum cypher_operator symbol;
  if (ew_writer_chance(writer, STEER_PERCENT)) {
    value = ew_writer_witness_value(writer, lookup);
    if (value) weights = holding_weights;
  } else {
    value = ew_writer_other_value(writer, lookup->property->name);
  }
  if (!draw_comparison_operator(writer, weights, &symbol)) return NULL;
  const struct ew_node *left = ew_writer_property(writer, lookup->variable->name, lookup->property->name);
  const struct ew_node *right = value ? ew_writer_constant(writer, *value)
                                      : ew_cypher_draw_constant(writer, ew_writer_type_of(lookup->property->type));
  return binary(writer, symbol, left, right);
}

static const struct ew_node *draw_is_null(struct ew_cypher_writer *writer, enum ew_draw_type type, unsigned depth);
static const struct ew_node *draw_label_test(struct ew_cypher_writer *writer, enum ew_draw_type type, unsigned depth);

/* A truth value without depth that says something of the data, where there is anything in scope. */
static const struct ew_node *draw_atom(struct ew_cypher_writer *writer) {
  static const unsigned weights[] = {70, 15, 15};
  struct ew_cypher_lookup lookup;
  switch (ew_random_weighted(writer->random, weights, EW_COUNT(weights))) {
    case 0: return ew_cypher_draw_lookup(writer, EW_DRAW_ANY, &lookup) ? compare_property(writer, &lookup) : NULL;
    case 1: return ew_writer_has(writer, EW_HAS_LABEL_PREDICATE) ? draw_label_test(writer, EW_DRAW_BOOLEAN, 0) : NULL;
    default: return ew_writer_has(writer, EW_HAS_IS_NULL) ? draw_is_null(writer, EW_DRAW_BOOLEAN, 0) : NULL;
  }
}

/* A type whose values can be compared here. */
static enum ew_draw_type draw_comparable(struct ew_cypher_writer *writer) {
  static const struct {
    enum ew_draw_type type;
    unsigned weight;
    bool needs_variable;
  } types[] = {
      {EW_DRAW_INTEGER, 32, false},
      {EW_DRAW_STRING, 26, false},
      {EW_DRAW_FLOAT, 18, false},
      {EW_DRAW_BOOLEAN, 8, false},
      {EW_DRAW_LIST + EW_DRAW_INTEGER, 5, false},
      {EW_DRAW_LIST + EW_DRAW_STRING, 3, false},
      {EW_DRAW_NODE, 5, true},
      {EW_DRAW_RELATIONSHIP, 3, true},
  };
  unsigned weights[EW_COUNT(types)];
  for (size_t i = 0; i < EW_COUNT(types); i++)
    weights[i] = types[i].needs_variable && !ew_writer_can_name(writer, types[i].type) ? 0 : types[i].weight;
  return types[ew_random_weighted(writer->random, weights, EW_COUNT(weights))].type;
}

static bool has_order(enum ew_draw_type type) {
  return type == EW_DRAW_INTEGER || type == EW_DRAW_FLOAT || type == EW_DRAW_STRING;
}

static const struct ew_node *draw_comparison(struct ew_cypher_writer *writer, enum ew_draw_type type, unsigned depth) {
  struct ew_cypher_lookup lookup;
  const struct ew_node *left;
  (void)type;
  enum ew_draw_type operands = draw_comparable(writer);
  if (ew_writer_chance(writer, PROPERTY_SIDE_PERCENT) && ew_cypher_draw_lookup(writer, EW_DRAW_ANY, &lookup)) {
    if (ew_writer_chance(writer, CONSTANT_SIDE_PERCENT)) return compare_property(writer, &lookup);
    operands = ew_writer_type_of(lookup.property->type);
    left = ew_writer_property(writer, lookup.variable->name, lookup.property->name);
  } else {
    left = ew_cypher_draw_expression(writer, operands, depth - 1);
  }
  enum cypher_operator symbol;
  if (!draw_comparison_operator(writer, has_order(operands) ? comparison_weights : equality_weights, &symbol))
    return NULL;
  if (ew_writer_chance(writer, WRONG_TYPE_PERCENT)) operands = draw_comparable(writer);
  const struct ew_node *right = ew_cypher_draw_expression(writer, operands, depth - 1);
  return binary(writer, symbol, left, right);
}

/* a < b <= c */
static const struct ew_node *draw_chain(struct ew_cypher_writer *writer, enum ew_draw_type type, unsigned depth) {
  const struct ew_node *links[3];
  size_t count = 2 + ew_writer_chance(writer, 25);
  (void)type;
  enum ew_draw_type operands = ew_writer_chance(writer, 70) ? EW_DRAW_INTEGER : EW_DRAW_STRING;
  const struct ew_node *first = ew_cypher_draw_expression(writer, operands, depth - 1);
  for (size_t i = 0; i < count; i++) {
    enum cypher_operator symbol;
    if (!draw_comparison_operator(writer, comparison_weights, &symbol)) return NULL;
    const struct ew_node *right = ew_cypher_draw_expression(writer, operands, depth - 1);
    links[i] = CYPHER(writer->builder, link, .operator.choice = symbol, .right.node = right);
  }
  struct ew_list list = ew_list_of(writer->builder, links, count);
  return CYPHER(writer->builder, chain, .first.node = first, .links.list = list);
}

/* ---- other truth values ---- */

static const struct ew_node *draw_connective(struct ew_cypher_writer *writer, enum ew_draw_type type, unsigned depth) {
  static const enum cypher_operator operators[] = {CYPHER_AND, CYPHER_OR, CYPHER_XOR};
  static const unsigned weights[] = {40, 45, 15};
  enum cypher_operator symbol;
  if (!draw_operator(writer, operators, weights, EW_COUNT(operators), &symbol)) return NULL;
  const struct ew_node *left = ew_cypher_draw_expression(writer, type, depth - 1);
  const struct ew_node *right = ew_cypher_draw_expression(writer, type, depth - 1);
  return binary(writer, symbol, left, right);
}

static const struct ew_node *draw_not(struct ew_cypher_writer *writer, enum ew_draw_type type, unsigned depth) {
  if (!writer->dialect->negation) return NULL;
  const struct ew_node *operand = ew_cypher_draw_expression(writer, type, depth - 1);
  return CYPHER(writer->builder, unary, .operator.choice = CYPHER_NOT, .operand.node = operand);
}

static const struct ew_node *draw_is_null(struct ew_cypher_writer *writer, enum ew_draw_type type, unsigned depth) {
  struct ew_cypher_lookup lookup;
  const struct ew_node *operand;
  (void)type;
  bool negated = ew_writer_chance(writer, 60);
  if ((!depth || ew_writer_chance(writer, 60)) && ew_cypher_draw_lookup(writer, EW_DRAW_ANY, &lookup))
    operand = ew_writer_property(writer, lookup.variable->name, lookup.property->name);
  else if (depth)
    operand = ew_cypher_draw_expression(writer, draw_comparable(writer), depth - 1);
  else
    return NULL;
  return CYPHER(writer->builder, is_null, .negated.flag = negated, .operand.node = operand);
}

static const struct ew_node *draw_in(struct ew_cypher_writer *writer, enum ew_draw_type type, unsigned depth) {
  (void)type;
  enum ew_draw_type element = draw_comparable(writer);
  if (!ew_draw_is_scalar(element)) element = EW_DRAW_INTEGER;
  const struct ew_node *left = ew_cypher_draw_expression(writer, element, depth - 1);
  const struct ew_node *right = ew_cypher_draw_expression(writer, ew_draw_list_of(element), depth - 1);
  return binary(writer, CYPHER_IN, left, right);
}

static const struct ew_node *draw_string_predicate(struct ew_cypher_writer *writer, enum ew_draw_type type,
                                                   unsigned depth) {
  static const enum cypher_operator operators[] = {CYPHER_STARTS_WITH, CYPHER_ENDS_WITH, CYPHER_CONTAINS};
  (void)type;
  enum cypher_operator symbol = EW_RANDOM_PICK(writer->random, operators);
  const struct ew_node *left = ew_cypher_draw_expression(writer, EW_DRAW_STRING, depth - 1);
  const struct ew_node *right = ew_cypher_draw_expression(writer, EW_DRAW_STRING, depth - 1);
  return binary(writer, symbol, left, right);
}

static const struct ew_node *draw_regex(struct ew_cypher_writer *writer, enum ew_draw_type type, unsigned depth) {
  static const char *const patterns[] = {".*",  "a.*", ".*b", "[a-c]+", "a|b",  "",  "a?b*",
                                         "^a$", ".",   "..*", "(ab)+",  "[^a]", "a", "\\d+"};
  (void)type;
  const struct ew_node *left = ew_cypher_draw_expression(writer, EW_DRAW_STRING, depth - 1);
  struct ew_value pattern = ew_string(ew_span_of(EW_RANDOM_PICK(writer->random, patterns)));
  return binary(writer, CYPHER_MATCHES, left, ew_writer_constant(writer, pattern));
}

static const struct ew_node *draw_label_test(struct ew_cypher_writer *writer, enum ew_draw_type type, unsigned depth) {
  const struct ew_schema *schema = &writer->schema;
  const struct ew_cypher_variable *variable = ew_writer_pick_variable(writer, EW_DRAW_NODE);
  const struct ew_node *labels[2];
  (void)type;
  (void)depth;
  if (!variable || !schema->labels.count) return NULL;
  size_t count = ew_writer_chance(writer, 15) && ew_writer_has(writer, EW_HAS_SEVERAL_LABELS) ? 2 : 1;
  for (size_t i = 0; i < count; i++) {
    struct ew_span name = schema->labels.items[ew_writer_below(writer, schema->labels.count)].name;
    labels[i] = CYPHER(writer->builder, label, .name.name = name);
  }
  const struct ew_node *test = labels[0];
  if (count == 2) test = CYPHER(writer->builder, label_colons, .labels.list = ew_list_of(writer->builder, labels, 2));
  const struct ew_node *operand = ew_writer_name(writer, variable->name);
  return CYPHER(writer->builder, label_test, .operand.node = operand, .labels.node = test);
}

/* ---- numbers and strings ---- */

/* A divisor is seldom 0 and a factor seldom huge, so that few queries fail on a row. */
static const struct ew_node *draw_tame(struct ew_cypher_writer *writer, enum ew_draw_type type) {
  static const double floats[] = {0.5, 1.0, 2.0, -1.0, 1.5, 4.0};
  if (type == EW_DRAW_FLOAT) return ew_writer_constant(writer, ew_float(EW_RANDOM_PICK(writer->random, floats)));
  int64_t integer = 1 + ew_writer_below(writer, 4);
  return ew_writer_integer(writer, ew_writer_chance(writer, 15) ? -integer : integer);
}

static const struct ew_node *draw_arithmetic(struct ew_cypher_writer *writer, enum ew_draw_type type, unsigned depth) {
  static const enum cypher_operator operators[] = {CYPHER_ADD,    CYPHER_SUBTRACT, CYPHER_MULTIPLY,
                                                   CYPHER_DIVIDE, CYPHER_MODULO,   CYPHER_POWER};
  static const unsigned integer_weights[] = {30, 22, 18, 12, 14, 0};
  static const unsigned float_weights[] = {28, 22, 18, 14, 8, 10};
  enum cypher_operator symbol;
  bool whole = type == EW_DRAW_INTEGER;
  if (!draw_operator(writer, operators, whole ? integer_weights : float_weights, EW_COUNT(operators), &symbol))
    return NULL;
  enum ew_draw_type other = !whole && ew_writer_chance(writer, 35) ? EW_DRAW_INTEGER : type;
  bool tame = symbol == CYPHER_DIVIDE || symbol == CYPHER_MODULO || symbol == CYPHER_POWER;
  const struct ew_node *left = ew_cypher_draw_expression(writer, type, depth - 1);
  const struct ew_node *right = ew_writer_chance(writer, tame ? 85 : 30)
                                    ? draw_tame(writer, other)
                                    : ew_cypher_draw_expression(writer, other, depth - 1);
  return binary(writer, symbol, left, right);
}

static const struct ew_node *draw_negative(struct ew_cypher_writer *writer, enum ew_draw_type type, unsigned depth) {
  if (!writer->dialect->minus) return NULL;
  const struct ew_node *operand = ew_cypher_draw_expression(writer, type, depth - 1);
  return CYPHER(writer->builder, unary, .operator.choice = CYPHER_NEGATE, .operand.node = operand);
}

static const struct ew_node *draw_joined(struct ew_cypher_writer *writer, enum ew_draw_type type, unsigned depth) {
  if (!writer->dialect->operators[CYPHER_ADD]) return NULL;
  const struct ew_node *left = ew_cypher_draw_expression(writer, type, depth - 1);
  enum ew_draw_type other = ew_writer_chance(writer, 12) ? EW_DRAW_INTEGER : type;
  const struct ew_node *right = ew_cypher_draw_expression(writer, other, depth - 1);
  return binary(writer, CYPHER_ADD, left, right);
}

static const struct ew_node *draw_case(struct ew_cypher_writer *writer, enum ew_draw_type type, unsigned depth) {
  const struct ew_node *whens[2], *subject = NULL, *otherwise = NULL;
  size_t count = 1 + ew_writer_chance(writer, 30);
  enum ew_draw_type tested = EW_DRAW_BOOLEAN;
  if (ew_writer_chance(writer, 35)) {
    tested = ew_writer_chance(writer, 60) ? EW_DRAW_INTEGER : EW_DRAW_STRING;
    subject = ew_cypher_draw_expression(writer, tested, depth - 1);
  }
  for (size_t i = 0; i < count; i++) {
    const struct ew_node *test = ew_cypher_draw_expression(writer, tested, depth - 1);
    const struct ew_node *result = ew_cypher_draw_expression(writer, type, depth - 1);
    whens[i] = CYPHER(writer->builder, when, .test.node = test, .result.node = result);
  }
  if (ew_writer_chance(writer, 75)) otherwise = ew_cypher_draw_expression(writer, type, depth - 1);
  struct ew_list list = ew_list_of(writer->builder, whens, count);
  return CYPHER(writer->builder, case, .subject.node = subject, .whens.list = list, .otherwise.node = otherwise);
}

/* ---- choosing ---- */

#define BIT(type) (1u << (type))
enum {
  NUMBERS = BIT(EW_DRAW_INTEGER) | BIT(EW_DRAW_FLOAT),
  SCALARS = NUMBERS | BIT(EW_DRAW_STRING) | BIT(EW_DRAW_BOOLEAN),
  LISTS = (BIT(EW_DRAW_TYPES) - 1) & ~(BIT(EW_DRAW_LIST) - 1),
  PLAIN_LISTS = SCALARS << EW_DRAW_LIST | BIT(EW_DRAW_LIST + EW_DRAW_ANY),
  ELEMENTS = BIT(EW_DRAW_NODE) | BIT(EW_DRAW_RELATIONSHIP),
  ALWAYS = -1,
};

static const struct {
  unsigned types, weight;
  int feature; /* enum ew_cypher_feature or ALWAYS */
  ew_cypher_production draw;
} productions[] = {
    {BIT(EW_DRAW_BOOLEAN), 8, ALWAYS, leaf},
    {NUMBERS | BIT(EW_DRAW_STRING), 34, ALWAYS, leaf},
    {PLAIN_LISTS, 24, ALWAYS, leaf},
    {ELEMENTS | BIT(EW_DRAW_PATH) | ELEMENTS << EW_DRAW_LIST, 50, ALWAYS, leaf},
    {BIT(EW_DRAW_MAP), 10, ALWAYS, leaf},

    {BIT(EW_DRAW_BOOLEAN), 24, ALWAYS, draw_connective},
    {BIT(EW_DRAW_BOOLEAN), 8, ALWAYS, draw_not},
    {BIT(EW_DRAW_BOOLEAN), 30, ALWAYS, draw_comparison},
    {BIT(EW_DRAW_BOOLEAN), 3, EW_HAS_COMPARISON_CHAIN, draw_chain},
    {BIT(EW_DRAW_BOOLEAN), 8, EW_HAS_IS_NULL, draw_is_null},
    {BIT(EW_DRAW_BOOLEAN), 7, EW_HAS_IN, draw_in},
    {BIT(EW_DRAW_BOOLEAN), 7, EW_HAS_STRING_PREDICATE, draw_string_predicate},
    {BIT(EW_DRAW_BOOLEAN), 3, EW_HAS_REGEX, draw_regex},
    {BIT(EW_DRAW_BOOLEAN), 5, EW_HAS_LABEL_PREDICATE, draw_label_test},
    {BIT(EW_DRAW_BOOLEAN), 6, EW_HAS_QUANTIFIER, ew_cypher_draw_quantifier},
    {BIT(EW_DRAW_BOOLEAN), 4, EW_HAS_EXISTS_SUBQUERY, ew_cypher_draw_exists},
    {BIT(EW_DRAW_BOOLEAN), 4, EW_HAS_PATTERN_PREDICATE, ew_cypher_draw_pattern_predicate},
    {BIT(EW_DRAW_BOOLEAN), 7, ALWAYS, ew_cypher_draw_call},
    {BIT(EW_DRAW_BOOLEAN), 4, EW_HAS_CASE, draw_case},

    {NUMBERS, 26, ALWAYS, draw_arithmetic},
    {NUMBERS, 4, ALWAYS, draw_negative},
    {NUMBERS, 26, ALWAYS, ew_cypher_draw_call},
    {NUMBERS | BIT(EW_DRAW_STRING), 8, EW_HAS_CASE, draw_case},
    {SCALARS, 5, EW_HAS_INDEXING, ew_cypher_draw_index},
    {SCALARS, 2, EW_HAS_MAP, ew_cypher_draw_map_access},
    {NUMBERS | BIT(EW_DRAW_STRING), 4, EW_HAS_REDUCE, ew_cypher_draw_reduce},
    {BIT(EW_DRAW_STRING), 16, ALWAYS, draw_joined},
    {BIT(EW_DRAW_STRING), 30, ALWAYS, ew_cypher_draw_call},

    {PLAIN_LISTS, 24, EW_HAS_LIST, ew_cypher_draw_list},
    {ELEMENTS << EW_DRAW_LIST, 20, EW_HAS_LIST, ew_cypher_draw_list},
    {PLAIN_LISTS, 8, ALWAYS, ew_cypher_draw_concatenation},
    {LISTS, 10, EW_HAS_SLICE, ew_cypher_draw_slice},
    {PLAIN_LISTS, 14, EW_HAS_LIST_COMPREHENSION, ew_cypher_draw_comprehension},
    {PLAIN_LISTS, 5, EW_HAS_PATTERN_COMPREHENSION, ew_cypher_draw_pattern_comprehension},
    {LISTS, 16, ALWAYS, ew_cypher_draw_call},
    {PLAIN_LISTS, 4, EW_HAS_CASE, draw_case},

    {ELEMENTS, 20, ALWAYS, ew_cypher_draw_call},
    {BIT(EW_DRAW_MAP), 60, EW_HAS_MAP, ew_cypher_draw_map},
    {BIT(EW_DRAW_MAP), 20, EW_HAS_MAP_PROJECTION, ew_cypher_draw_map_projection},
    {BIT(EW_DRAW_MAP), 10, ALWAYS, ew_cypher_draw_call},
};

const struct ew_node *ew_cypher_draw_expression(struct ew_cypher_writer *writer, enum ew_draw_type type,
                                                unsigned depth) {
  unsigned weights[EW_COUNT(productions)];
  if (type == EW_DRAW_ANY) type = ew_writer_below(writer, EW_DRAW_STRING + 1);
  if (!depth || --writer->budget < 0) return leaf(writer, type, 0);
  for (size_t i = 0; i < EW_COUNT(productions); i++) {
    bool fits = productions[i].types & BIT(type);
    bool present = productions[i].feature == ALWAYS || writer->dialect->has[productions[i].feature];
    weights[i] = fits && present ? productions[i].weight : 0;
  }
  size_t pick = ew_random_weighted(writer->random, weights, EW_COUNT(weights));
  const struct ew_node *node = productions[pick].draw(writer, type, depth);
  return node ? node : leaf(writer, type, 0);
}

const struct ew_node *ew_cypher_draw_predicate(struct ew_cypher_writer *writer, unsigned depth) {
  bool before = writer->predicate;
  writer->predicate = true;
  const struct ew_node *node = ew_cypher_draw_expression(writer, EW_DRAW_BOOLEAN, depth);
  writer->predicate = before;
  return node;
}
