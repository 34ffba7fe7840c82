/* cypher_comparison.c: truth values about one or two values: comparisons, membership, strings, types, labels.

   Where the data says what a property is in some row, the constant beside it is that value, or one near it: the same
   number of the other type, its neighbour, a part of the string. */
#include <math.h> /* isfinite */

#include "generate/cypher_expression.h"

enum {
  WRONG_TYPE_PERCENT = 2,     /* of comparisons: the right side is of another type (never an error: null or false) */
  OTHER_NUMBER_PERCENT = 12,  /* of comparisons of numbers: an integer with a float */
  STEER_PERCENT = 60,         /* of comparisons with a constant: it holds for the variable's witness */
  NEAR_PERCENT = 20,          /* of those: near to what holds */
  SWAP_PERCENT = 12,          /* of comparisons: the constant is on the left */
  PROPERTY_SIDE_PERCENT = 60, /* of comparisons: the left side is a property */
  CONSTANT_SIDE_PERCENT = 65, /* of comparisons with a property: the right side is a constant */
};

static const enum cypher_operator comparisons[] = {CYPHER_EQUAL,      CYPHER_UNEQUAL, CYPHER_LESS,
                                                   CYPHER_LESS_EQUAL, CYPHER_GREATER, CYPHER_GREATER_EQUAL};
static const unsigned comparison_weights[] = {32, 14, 14, 14, 13, 13};
static const unsigned equality_weights[] = {60, 36, 1, 1, 1, 1}; /* of types without an order */
static const unsigned holding_weights[] = {60, 0, 0, 20, 0, 20}; /* those that hold between equals */

static bool draw_symbol(struct ew_cypher_writer *writer, const unsigned *weights, enum cypher_operator *drawn) {
  return ew_writer_draw_operator(writer, comparisons, weights, EW_COUNT(comparisons), drawn);
}

enum cypher_operator ew_cypher_mirrored(enum cypher_operator symbol) {
  switch (symbol) {
    case CYPHER_LESS: return CYPHER_GREATER;
    case CYPHER_LESS_EQUAL: return CYPHER_GREATER_EQUAL;
    case CYPHER_GREATER: return CYPHER_LESS;
    case CYPHER_GREATER_EQUAL: return CYPHER_LESS_EQUAL;
    default: return symbol;
  }
}

static bool has_order(enum ew_draw_type type) {
  return ew_draw_is_number(type) || type == EW_DRAW_STRING || (ew_draw_is_temporal(type) && type != EW_DRAW_DURATION);
}

/* ---- constants that hit ---- */

static struct ew_value near_integer(struct ew_cypher_writer *writer, int64_t integer) {
  switch (ew_writer_below(writer, 4)) {
    case 0: return ew_integer(integer < INT64_MAX ? integer + 1 : integer);
    case 1: return ew_integer(integer > INT64_MIN ? integer - 1 : integer);
    default: return ew_float((double)integer);
  }
}

static struct ew_value near_float(struct ew_cypher_writer *writer, double number) {
  bool whole = isfinite(number) && number > -0x1p62 && number < 0x1p62;
  return whole && ew_writer_chance(writer, 70) ? ew_integer((int64_t)number) : ew_float(-number);
}

static bool is_ascii(struct ew_span text) {
  for (size_t i = 0; i < text.length; i++)
    if ((unsigned char)text.bytes[i] >= 0x80) return false;
  return true;
}

static struct ew_value near_string(struct ew_cypher_writer *writer, struct ew_span text) {
  if (!text.length || !is_ascii(text)) return ew_string(EW_SPAN(""));
  size_t cut = ew_writer_below(writer, text.length);
  return ew_string(ew_writer_chance(writer, 50) ? (struct ew_span){text.bytes, cut}
                                                : (struct ew_span){text.bytes + cut, text.length - cut});
}

struct ew_value ew_writer_near(struct ew_cypher_writer *writer, struct ew_value value) {
  switch (value.kind) {
    case EW_VALUE_INTEGER: return near_integer(writer, value.integer);
    case EW_VALUE_FLOAT: return near_float(writer, value.number);
    case EW_VALUE_STRING: return near_string(writer, value.string);
    default: return value;
  }
}

/* What is compared with `value`, and by which operators, so that the comparison says something of it. */
static struct ew_value steer(struct ew_cypher_writer *writer, struct ew_value value, const unsigned **weights) {
  if (ew_writer_chance(writer, NEAR_PERCENT)) return ew_writer_near(writer, value);
  *weights = holding_weights;
  return value;
}

static const struct ew_node *compare(struct ew_cypher_writer *writer, enum cypher_operator symbol,
                                     const struct ew_node *left, const struct ew_node *right) {
  if (ew_writer_chance(writer, SWAP_PERCENT)) return ew_writer_binary(writer, ew_cypher_mirrored(symbol), right, left);
  return ew_writer_binary(writer, symbol, left, right);
}

const struct ew_node *ew_cypher_compare_property(struct ew_cypher_writer *writer,
                                                 const struct ew_cypher_lookup *lookup) {
  const struct ew_value *found;
  const unsigned *weights = comparison_weights;
  enum cypher_operator symbol;
  struct ew_value value = ew_null();
  bool steered = ew_writer_chance(writer, STEER_PERCENT);
  if (steered)
    found = ew_writer_witness_value(writer, lookup);
  else
    found = ew_writer_other_value(writer, lookup->property->name);
  if (found) value = steered ? steer(writer, *found, &weights) : *found;
  if (!draw_symbol(writer, weights, &symbol)) return NULL;
  const struct ew_node *left = ew_writer_property(writer, lookup->variable->name, lookup->property->name);
  const struct ew_node *right = found ? ew_cypher_draw_given(writer, value)
                                      : ew_cypher_draw_constant(writer, ew_writer_type_of(lookup->property->type));
  return compare(writer, symbol, left, right);
}

/* The same for a variable that is a scalar in the row at hand. */
static const struct ew_node *compare_variable(struct ew_cypher_writer *writer,
                                              const struct ew_cypher_variable *variable) {
  const unsigned *weights = comparison_weights;
  enum cypher_operator symbol;
  struct ew_value value = steer(writer, variable->witness, &weights);
  if (!draw_symbol(writer, weights, &symbol)) return NULL;
  const struct ew_node *left = ew_writer_name(writer, variable->name);
  return compare(writer, symbol, left, ew_cypher_draw_given(writer, value));
}

/* ---- comparisons ---- */

static const struct ew_cypher_variable *pick_known(struct ew_cypher_writer *writer) {
  if (!writer->count) return NULL;
  const struct ew_cypher_variable *variable = &writer->variables[ew_writer_below(writer, writer->count)];
  bool scalar = variable->known && ew_draw_is_scalar(variable->type) && variable->witness.kind >= EW_VALUE_STRING;
  return scalar ? variable : NULL;
}

const struct ew_node *ew_cypher_draw_atom(struct ew_cypher_writer *writer) {
  struct ew_cypher_lookup lookup;
  unsigned at = ew_writer_below(writer, 100);
  if (at < 14) {
    const struct ew_cypher_variable *variable = pick_known(writer);
    if (variable) return compare_variable(writer, variable);
  }
  if (at < 72)
    return ew_cypher_draw_lookup(writer, EW_DRAW_ANY, &lookup) ? ew_cypher_compare_property(writer, &lookup) : NULL;
  if (at < 86)
    return ew_writer_has(writer, EW_HAS_LABEL_PREDICATE) ? ew_cypher_draw_label_test(writer, EW_DRAW_BOOLEAN, 0) : NULL;
  return ew_writer_has(writer, EW_HAS_IS_NULL) ? ew_cypher_draw_is_null(writer, EW_DRAW_BOOLEAN, 0) : NULL;
}

const struct ew_node *ew_cypher_draw_comparison(struct ew_cypher_writer *writer, enum ew_draw_type type,
                                                unsigned depth) {
  struct ew_cypher_lookup lookup;
  const struct ew_node *left;
  (void)type;
  bool free = writer->turn == EW_NO_TURN; /* else the sides are for what has its turn */
  enum ew_draw_type operands = ew_writer_draw_comparable(writer);
  if (free && ew_writer_chance(writer, PROPERTY_SIDE_PERCENT) && ew_cypher_draw_lookup(writer, EW_DRAW_ANY, &lookup)) {
    if (ew_writer_chance(writer, CONSTANT_SIDE_PERCENT)) return ew_cypher_compare_property(writer, &lookup);
    operands = ew_writer_type_of(lookup.property->type);
    left = ew_writer_property(writer, lookup.variable->name, lookup.property->name);
  } else {
    left = ew_cypher_draw_expression(writer, operands, depth - 1);
  }
  enum cypher_operator symbol;
  if (!draw_symbol(writer, has_order(operands) ? comparison_weights : equality_weights, &symbol)) return NULL;
  if (ew_draw_is_number(operands) && ew_writer_chance(writer, OTHER_NUMBER_PERCENT))
    operands = operands == EW_DRAW_INTEGER ? EW_DRAW_FLOAT : EW_DRAW_INTEGER;
  if (ew_writer_chance(writer, WRONG_TYPE_PERCENT)) operands = ew_writer_draw_comparable(writer);
  const struct ew_node *right = ew_cypher_draw_expression(writer, operands, depth - 1);
  return compare(writer, symbol, left, right);
}

/* n.p = n.p, n.p STARTS WITH trim(n.p): the same property on both sides. */
const struct ew_node *ew_cypher_draw_self_comparison(struct ew_cypher_writer *writer, enum ew_draw_type type,
                                                     unsigned depth) {
  static const enum cypher_operator operators[] = {CYPHER_STARTS_WITH, CYPHER_ENDS_WITH, CYPHER_CONTAINS};
  struct ew_cypher_lookup lookup;
  enum cypher_operator symbol;
  (void)type;
  if (!ew_cypher_draw_lookup(writer, EW_DRAW_ANY, &lookup)) return NULL;
  if (!draw_symbol(writer, comparison_weights, &symbol)) return NULL;
  enum ew_draw_type own = ew_writer_type_of(lookup.property->type);
  const struct ew_node *left = ew_writer_property(writer, lookup.variable->name, lookup.property->name);
  const struct ew_node *right = ew_writer_property(writer, lookup.variable->name, lookup.property->name);
  if (own == EW_DRAW_STRING && ew_writer_has(writer, EW_HAS_STRING_PREDICATE) && ew_writer_chance(writer, 50))
    symbol = EW_RANDOM_PICK(writer->random, operators);
  if (depth > 1 && ew_writer_chance(writer, 60)) {
    const struct ew_node *wrapped = ew_cypher_wrap(writer, own, right);
    if (wrapped) right = wrapped;
  }
  return ew_writer_binary(writer, symbol, left, right);
}

/* 9007199254740993 = 9007199254740992.0: an integer that no float equals, and the float next to it. */
const struct ew_node *ew_cypher_draw_edge_comparison(struct ew_cypher_writer *writer, enum ew_draw_type type,
                                                     unsigned depth) {
  static const int64_t integers[] = {((int64_t)1 << 53) + 1, -((int64_t)1 << 53) - 1, ((int64_t)1 << 62) + 1,
                                     INT64_MAX};
  enum cypher_operator symbol;
  (void)type;
  (void)depth;
  if (!draw_symbol(writer, comparison_weights, &symbol)) return NULL;
  int64_t integer = EW_RANDOM_PICK(writer->random, integers);
  const struct ew_node *left = ew_cypher_draw_given(writer, ew_integer(integer));
  const struct ew_node *right = ew_cypher_draw_given(writer, ew_float((double)integer));
  return compare(writer, symbol, left, right);
}

/* n.p >= 2 AND n.p > 2: two bounds on one property, at one value or near it. */
const struct ew_node *ew_cypher_draw_two_bounds(struct ew_cypher_writer *writer, enum ew_draw_type type,
                                                unsigned depth) {
  static const unsigned weights[] = {5, 5, 20, 25, 20, 25};
  struct ew_cypher_lookup lookup;
  const struct ew_node *bounds[2];
  (void)type;
  (void)depth;
  bool both = ew_writer_chance(writer, 75);
  enum cypher_operator joint = both ? CYPHER_AND : CYPHER_OR;
  if (!writer->dialect->operators[joint] || !ew_cypher_draw_lookup(writer, EW_DRAW_ANY, &lookup)) return NULL;
  const struct ew_value *found = ew_writer_witness_value(writer, &lookup);
  if (!found) found = ew_writer_other_value(writer, lookup.property->name);
  if (!found) return NULL;
  for (size_t i = 0; i < 2; i++) {
    enum cypher_operator symbol;
    if (!draw_symbol(writer, weights, &symbol)) return NULL;
    struct ew_value value = i && ew_writer_chance(writer, 40) ? ew_writer_near(writer, *found) : *found;
    const struct ew_node *left = ew_writer_property(writer, lookup.variable->name, lookup.property->name);
    bounds[i] = compare(writer, symbol, left, ew_cypher_draw_given(writer, value));
  }
  return ew_writer_binary(writer, joint, bounds[0], bounds[1]);
}

/* a < b <= c */
const struct ew_node *ew_cypher_draw_chain(struct ew_cypher_writer *writer, enum ew_draw_type type, unsigned depth) {
  const struct ew_node *links[3];
  size_t count = 2 + ew_writer_chance(writer, 45);
  (void)type;
  enum ew_draw_type operands = ew_writer_chance(writer, 70) ? EW_DRAW_INTEGER : ew_writer_draw_comparable(writer);
  const struct ew_node *first = ew_cypher_draw_expression(writer, operands, depth - 1);
  for (size_t i = 0; i < count; i++) {
    enum cypher_operator symbol;
    if (!draw_symbol(writer, comparison_weights, &symbol)) return NULL;
    const struct ew_node *right = ew_cypher_draw_expression(writer, operands, depth - 1);
    links[i] = CYPHER(writer->builder, link, .operator.choice = symbol, .right.node = right);
  }
  struct ew_list list = ew_list_of(writer->builder, links, count);
  return CYPHER(writer->builder, chain, .first.node = first, .links.list = list);
}

const struct ew_node *ew_cypher_draw_is_null(struct ew_cypher_writer *writer, enum ew_draw_type type, unsigned depth) {
  const struct ew_node *operand = NULL;
  (void)type;
  bool negated = ew_writer_chance(writer, 60);
  if (!depth || ew_writer_chance(writer, 60)) operand = ew_cypher_draw_property(writer, EW_DRAW_ANY);
  if (!operand && depth) operand = ew_cypher_draw_expression(writer, ew_writer_draw_comparable(writer), depth - 1);
  return operand ? CYPHER(writer->builder, is_null, .negated.flag = negated, .operand.node = operand) : NULL;
}

/* ---- membership ---- */

const struct ew_node *ew_cypher_draw_in(struct ew_cypher_writer *writer, enum ew_draw_type type, unsigned depth) {
  (void)type;
  enum ew_draw_type element = ew_writer_draw_comparable(writer);
  if (!ew_draw_is_scalar(element) && !ew_draw_is_temporal(element)) element = EW_DRAW_INTEGER;
  const struct ew_node *left = ew_cypher_draw_expression(writer, element, depth - 1), *right = NULL;
  if (ew_writer_has(writer, EW_HAS_LIST) && ew_writer_chance(writer, 65))
    right = ew_cypher_draw_constant(writer, ew_draw_list_of(element));
  if (!right) right = ew_cypher_draw_expression(writer, ew_draw_list_of(element), depth - 1);
  return ew_writer_binary(writer, CYPHER_IN, left, right);
}

/* [1, 2] IN [[1, null], …]: lists that differ from the one looked for, where null makes that unknown. */
const struct ew_node *ew_cypher_draw_nested_in(struct ew_cypher_writer *writer, enum ew_draw_type type,
                                               unsigned depth) {
  const struct ew_node *inner[3], *items[3];
  (void)type;
  (void)depth;
  if (!ew_writer_has(writer, EW_HAS_LIST)) return NULL;
  size_t length = 1 + ew_writer_below(writer, 2), count = 1 + ew_writer_below(writer, 2);
  for (size_t i = 0; i < length; i++) inner[i] = ew_writer_integer(writer, (int64_t)i + 1);
  const struct ew_node *left = CYPHER(writer->builder, list, .items.list = ew_list_of(writer->builder, inner, length));
  for (size_t k = 0; k < count; k++) {
    for (size_t i = 0; i < length; i++) {
      unsigned at = ew_writer_below(writer, 100);
      inner[i] = at < 40 ? ew_writer_null(writer) : ew_writer_integer(writer, at < 80 ? (int64_t)i + 1 : 7);
    }
    items[k] = CYPHER(writer->builder, list, .items.list = ew_list_of(writer->builder, inner, length));
  }
  const struct ew_node *right = CYPHER(writer->builder, list, .items.list = ew_list_of(writer->builder, items, count));
  return ew_writer_binary(writer, CYPHER_IN, left, right);
}

/* ---- strings ---- */

const struct ew_node *ew_cypher_draw_string_predicate(struct ew_cypher_writer *writer, enum ew_draw_type type,
                                                      unsigned depth) {
  static const enum cypher_operator operators[] = {CYPHER_STARTS_WITH, CYPHER_ENDS_WITH, CYPHER_CONTAINS};
  struct ew_cypher_lookup lookup;
  (void)type;
  enum cypher_operator symbol = EW_RANDOM_PICK(writer->random, operators);
  if (ew_writer_chance(writer, 50) && ew_cypher_draw_lookup(writer, EW_DRAW_STRING, &lookup)) {
    const struct ew_value *found = ew_writer_witness_value(writer, &lookup);
    struct ew_value part = ew_string(EW_SPAN(""));
    if (found && found->kind == EW_VALUE_STRING && ew_writer_chance(writer, 75))
      part = near_string(writer, found->string);
    const struct ew_node *left = ew_writer_property(writer, lookup.variable->name, lookup.property->name);
    return ew_writer_binary(writer, symbol, left, ew_cypher_draw_given(writer, part));
  }
  const struct ew_node *left = ew_cypher_draw_expression(writer, EW_DRAW_STRING, depth - 1);
  const struct ew_node *right = ew_writer_chance(writer, 12)
                                    ? ew_writer_constant(writer, ew_string(EW_SPAN("")))
                                    : ew_cypher_draw_expression(writer, EW_DRAW_STRING, depth - 1);
  return ew_writer_binary(writer, symbol, left, right);
}

const struct ew_node *ew_cypher_draw_regex(struct ew_cypher_writer *writer, enum ew_draw_type type, unsigned depth) {
  static const char *const patterns[] = {".*",   "a.*",  ".*b",   "[a-c]+", "a|b",   "ab|c", "",
                                         "a?b*", "^a$",  ".",     "..*",    "(ab)+", "[^a]", "a",
                                         "\\d+", "a{2}", "(a)|b", "(?i)A",  "\\w*",  "b|a.*"};
  static const char *const wrong[] = {"[", "(", "*", "a{", "\\"};
  (void)type;
  const struct ew_node *left = ew_cypher_draw_expression(writer, EW_DRAW_STRING, depth - 1);
  const char *pattern =
      ew_writer_chance(writer, 2) ? EW_RANDOM_PICK(writer->random, wrong) : EW_RANDOM_PICK(writer->random, patterns);
  return ew_writer_binary(writer, CYPHER_MATCHES, left, ew_cypher_draw_given(writer, ew_string(ew_span_of(pattern))));
}

const struct ew_node *ew_cypher_draw_is_normalized(struct ew_cypher_writer *writer, enum ew_draw_type type,
                                                   unsigned depth) {
  static const struct ew_span forms[] = {{"", 0}, {"NFC", 3}, {"NFD", 3}, {"NFKC", 4}, {"NFKD", 4}};
  (void)type;
  const struct ew_node *operand = ew_cypher_draw_expression(writer, EW_DRAW_STRING, depth - 1);
  bool negated = ew_writer_chance(writer, 40);
  struct ew_span form = EW_RANDOM_PICK(writer->random, forms);
  return CYPHER(writer->builder, is_normalized, .negated.flag = negated, .operand.node = operand, .form.name = form);
}

/* ---- types and labels ---- */

static const struct ew_node *draw_type_name(struct ew_cypher_writer *writer, bool list) {
  static const struct {
    const char *name, *text;
  } names[] = {{"INTEGER", "INTEGER"},
               {"FLOAT", "FLOAT"},
               {"STRING", "STRING"},
               {"BOOLEAN", "BOOLEAN"},
               {"MAP", "MAP"},
               {"NODE", "NODE"},
               {"RELATIONSHIP", "RELATIONSHIP"},
               {"PATH", "PATH"},
               {"DATE", "DATE"},
               {"TIME", "ZONED TIME"},
               {"LOCAL_TIME", "LOCAL TIME"},
               {"DATETIME", "ZONED DATETIME"},
               {"LOCAL_DATETIME", "LOCAL DATETIME"},
               {"DURATION", "DURATION"},
               {"POINT", "POINT"},
               {"ANY", "ANY"},
               {"NOTHING", "NOTHING"},
               {"PROPERTY_VALUE", "PROPERTY VALUE"}};
  bool not_null = ew_writer_chance(writer, 25);
  if (list && ew_profile_has(writer->profile, "types", "LIST")) {
    const struct ew_node *inner = draw_type_name(writer, false);
    return CYPHER(writer->builder, type, .name.name = EW_SPAN("LIST"), .inner.node = inner, .not_null.flag = not_null);
  }
  size_t pick = ew_writer_below(writer, EW_COUNT(names));
  if (!ew_profile_has(writer->profile, "types", names[pick].name)) pick = 0;
  return CYPHER(writer->builder, type, .name.name = ew_span_of(names[pick].text), .not_null.flag = not_null);
}

/* e IS :: INTEGER | LIST<STRING NOT NULL> */
const struct ew_node *ew_cypher_draw_is_type(struct ew_cypher_writer *writer, enum ew_draw_type type, unsigned depth) {
  (void)type;
  const struct ew_node *operand = ew_cypher_draw_expression(writer, ew_writer_draw_comparable(writer), depth - 1);
  bool negated = ew_writer_chance(writer, 30), list = ew_writer_chance(writer, 25);
  const struct ew_node *name = draw_type_name(writer, list);
  if (ew_profile_has(writer->profile, "types", "UNION") && ew_writer_chance(writer, 20)) {
    const struct ew_node *types[2] = {name, NULL};
    types[1] = draw_type_name(writer, false);
    name = CYPHER(writer->builder, type_union, .types.list = ew_list_of(writer->builder, types, 2));
  }
  return CYPHER(writer->builder, is_type, .negated.flag = negated, .operand.node = operand, .type.node = name);
}

static const struct ew_node *draw_label(struct ew_cypher_writer *writer, bool relationship) {
  const struct ew_schema_element *elements = relationship ? writer->schema.types.items : writer->schema.labels.items;
  size_t count = relationship ? writer->schema.types.count : writer->schema.labels.count;
  return CYPHER(writer->builder, label, .name.name = elements[ew_writer_below(writer, count)].name);
}

/* A, !A, A&B, A|B, %: a few levels at most. */
static const struct ew_node *draw_label_expression(struct ew_cypher_writer *writer, unsigned depth) {
  unsigned at = depth ? ew_writer_below(writer, 100) : 0;
  if (at < 40) return draw_label(writer, false);
  if (at < 60) {
    if (!ew_writer_has(writer, EW_HAS_LABEL_NEGATION)) return draw_label(writer, false);
    const struct ew_node *operand = draw_label_expression(writer, depth - 1);
    return CYPHER(writer->builder, label_not, .operand.node = operand);
  }
  if (at < 64 && ew_writer_has(writer, EW_HAS_LABEL_WILDCARD))
    return ew_node_make(writer->builder, &cypher_kinds[CYPHER_label_wildcard], &(struct cypher_label_wildcard){0});
  const struct ew_node *left = draw_label_expression(writer, depth - 1);
  const struct ew_node *right = draw_label_expression(writer, depth - 1);
  if (at < 82) return CYPHER(writer->builder, label_and, .left.node = left, .right.node = right);
  return CYPHER(writer->builder, label_or, .left.node = left, .right.node = right);
}

const struct ew_node *ew_cypher_draw_label_test(struct ew_cypher_writer *writer, enum ew_draw_type type,
                                                unsigned depth) {
  const struct ew_cypher_variable *variable = ew_writer_pick_variable(writer, EW_DRAW_NODE);
  (void)type;
  if (!variable || !writer->schema.labels.count) return NULL;
  const struct ew_node *test, *labels[2];
  unsigned at = ew_writer_below(writer, 100);
  if (at < 15 && ew_writer_has(writer, EW_HAS_SEVERAL_LABELS)) {
    for (size_t i = 0; i < 2; i++) labels[i] = draw_label(writer, false);
    test = CYPHER(writer->builder, label_colons, .labels.list = ew_list_of(writer->builder, labels, 2));
  } else if (at < 45 && ew_writer_has(writer, EW_HAS_LABEL_CONJUNCTION)) {
    test = draw_label_expression(writer, 1 + (depth > 1));
  } else {
    test = draw_label(writer, false);
  }
  const struct ew_node *operand = ew_writer_name(writer, variable->name);
  return CYPHER(writer->builder, label_test, .operand.node = operand, .labels.node = test);
}
