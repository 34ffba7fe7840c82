/* cypher_collection.c: lists and maps: literals, access, and everything that runs over a list with a variable of its
   own. */
#include "generate/cypher_expression.h"
#include "generate/values.h"

enum {
  LIST_ITEMS = 4,
  NULL_ITEM_PERCENT = 7,
  SHADOW_PERCENT = 6,        /* of variables of their own: the name of one in scope */
  PATTERN_LIST_PERCENT = 12, /* of quantifiers: over a pattern comprehension */
};

/* ---- lists ---- */

const struct ew_node *ew_cypher_draw_list(struct ew_cypher_writer *writer, enum ew_draw_type type, unsigned depth) {
  const struct ew_node *items[LIST_ITEMS];
  enum ew_draw_type element = ew_draw_element_of(type);
  if (!ew_writer_can_write(writer, element)) return NULL;
  size_t count = ew_writer_chance(writer, 10) ? 0 : 1 + ew_writer_below(writer, LIST_ITEMS);
  for (size_t i = 0; i < count; i++) {
    enum ew_draw_type item = element == EW_DRAW_ANY ? ew_writer_draw_any(writer) : element;
    items[i] = ew_writer_chance(writer, NULL_ITEM_PERCENT) ? ew_writer_null(writer)
                                                           : ew_cypher_draw_expression(writer, item, depth / 2);
  }
  return CYPHER(writer->builder, list, .items.list = ew_list_of(writer->builder, items, count));
}

const struct ew_node *ew_cypher_draw_concatenation(struct ew_cypher_writer *writer, enum ew_draw_type type,
                                                   unsigned depth) {
  static const enum cypher_operator operators[] = {CYPHER_ADD, CYPHER_CONCATENATE};
  static const unsigned weights[] = {70, 30};
  enum cypher_operator symbol;
  if (!ew_writer_draw_operator(writer, operators, weights, EW_COUNT(operators), &symbol)) return NULL;
  const struct ew_node *left = ew_cypher_draw_expression(writer, type, depth - 1);
  const struct ew_node *right = ew_cypher_draw_expression(writer, type, depth - 1);
  return ew_writer_binary(writer, symbol, left, right);
}

/* A position, from either end, seldom far out of any list. */
static const struct ew_node *draw_position(struct ew_cypher_writer *writer) {
  static const int64_t wild[] = {100, -100, INT64_MAX, INT64_MIN, (int64_t)1 << 32};
  return ew_writer_integer(writer, ew_writer_chance(writer, 3) ? EW_RANDOM_PICK(writer->random, wild)
                                                               : ew_random_between(writer->random, -3, 3));
}

const struct ew_node *ew_cypher_draw_index(struct ew_cypher_writer *writer, enum ew_draw_type type, unsigned depth) {
  const struct ew_node *object = ew_cypher_draw_expression(writer, ew_draw_list_of(type), depth - 1);
  const struct ew_node *at = draw_position(writer);
  return CYPHER(writer->builder, index, .object.node = object, .at.node = at);
}

const struct ew_node *ew_cypher_draw_slice(struct ew_cypher_writer *writer, enum ew_draw_type type, unsigned depth) {
  const struct ew_node *object = ew_cypher_draw_expression(writer, type, depth - 1);
  size_t ends = ew_writer_below(writer, 4); /* both, from, to, both */
  const struct ew_node *from = ends != 2 ? draw_position(writer) : NULL;
  const struct ew_node *to = ends != 1 ? draw_position(writer) : NULL;
  return CYPHER(writer->builder, slice, .object.node = object, .from.node = from, .to.node = to);
}

/* ---- variables of their own ---- */

/* What a list to run over holds: mostly scalars, elements of the graph where there are lists of them. */
static enum ew_draw_type draw_element_type(struct ew_cypher_writer *writer) {
  static const enum ew_draw_type scalars[] = {EW_DRAW_INTEGER, EW_DRAW_INTEGER, EW_DRAW_STRING, EW_DRAW_FLOAT};
  if (ew_writer_can_name(writer, ew_draw_list_of(EW_DRAW_RELATIONSHIP)) && ew_writer_chance(writer, 50))
    return EW_DRAW_RELATIONSHIP;
  if (ew_writer_can_name(writer, ew_draw_list_of(EW_DRAW_NODE)) && ew_writer_chance(writer, 50)) return EW_DRAW_NODE;
  if (ew_writer_can_name(writer, EW_DRAW_PATH) && ew_writer_chance(writer, 40))
    return ew_writer_chance(writer, 50) ? EW_DRAW_NODE : EW_DRAW_RELATIONSHIP;
  return EW_RANDOM_PICK(writer->random, scalars);
}

struct ew_cypher_local ew_writer_enter_local(struct ew_cypher_writer *writer, char letter, enum ew_draw_type type) {
  struct ew_cypher_local local = {.outside = writer->count, .hidden = SIZE_MAX};
  if (writer->count && ew_writer_chance(writer, SHADOW_PERCENT)) {
    local.hidden = ew_writer_below(writer, writer->count);
    local.before = writer->variables[local.hidden];
    local.name = local.before.name;
    writer->variables[local.hidden] = (struct ew_cypher_variable){.name = local.name, .type = type};
  } else {
    local.name = ew_writer_fresh_name(writer, letter);
    ew_writer_bind(writer, (struct ew_cypher_variable){.name = local.name, .type = type});
  }
  return local;
}

void ew_writer_leave_local(struct ew_cypher_writer *writer, const struct ew_cypher_local *local) {
  if (local->hidden != SIZE_MAX) writer->variables[local->hidden] = local->before;
  writer->count = local->outside;
}

/* A predicate on the local variable itself, so that the list matters. */
static const struct ew_node *draw_local_predicate(struct ew_cypher_writer *writer, struct ew_span name,
                                                  enum ew_draw_type type, unsigned depth) {
  static const enum cypher_operator operators[] = {CYPHER_EQUAL, CYPHER_UNEQUAL, CYPHER_LESS, CYPHER_GREATER_EQUAL};
  if (!ew_draw_is_scalar(type) || (depth > 1 && ew_writer_chance(writer, 40)))
    return ew_cypher_draw_expression(writer, EW_DRAW_BOOLEAN, depth);
  enum cypher_operator symbol = EW_RANDOM_PICK(writer->random, operators);
  if (!writer->dialect->operators[symbol]) return ew_cypher_draw_expression(writer, EW_DRAW_BOOLEAN, depth);
  const struct ew_node *left = ew_writer_name(writer, name);
  const struct ew_node *right = ew_cypher_draw_expression(writer, type, depth ? depth - 1 : 0);
  return CYPHER(writer->builder, binary, .operator.choice = symbol, .left.node = left, .right.node = right);
}

const struct ew_node *ew_cypher_draw_comprehension(struct ew_cypher_writer *writer, enum ew_draw_type type,
                                                   unsigned depth) {
  const struct ew_node *where = NULL, *result = NULL;
  bool mapped = ew_writer_chance(writer, 60);
  enum ew_draw_type wanted = ew_draw_element_of(type),
                    element = mapped || wanted == EW_DRAW_ANY ? draw_element_type(writer) : wanted;
  const struct ew_node *list = ew_cypher_draw_expression(writer, ew_draw_list_of(element), depth - 1);
  struct ew_cypher_local local = ew_writer_enter_local(writer, 'x', element);
  if (ew_writer_chance(writer, 55)) where = draw_local_predicate(writer, local.name, element, depth - 1);
  if (mapped) result = ew_cypher_draw_expression(writer, wanted, depth - 1);
  ew_writer_leave_local(writer, &local);
  return CYPHER(writer->builder, list_comprehension, .variable.name = local.name, .list.node = list,
                .where.node = where, .result.node = result);
}

static const struct ew_node *draw_quantified_list(struct ew_cypher_writer *writer, enum ew_draw_type *element,
                                                  unsigned depth) {
  const struct ew_node *list = NULL;
  if (depth > 1 && ew_writer_has(writer, EW_HAS_PATTERN_COMPREHENSION) &&
      ew_writer_chance(writer, PATTERN_LIST_PERCENT)) {
    *element = EW_DRAW_NODE;
    list = ew_cypher_draw_pattern_comprehension(writer, ew_draw_list_of(EW_DRAW_NODE), depth - 1);
  }
  if (!list) {
    *element = draw_element_type(writer);
    list = ew_cypher_draw_expression(writer, ew_draw_list_of(*element), depth - 1);
  }
  return list;
}

const struct ew_node *ew_cypher_draw_quantifier(struct ew_cypher_writer *writer, enum ew_draw_type type,
                                                unsigned depth) {
  static const enum cypher_quantifier quantifiers[] = {CYPHER_ALL, CYPHER_ANY, CYPHER_NONE, CYPHER_SINGLE};
  enum ew_draw_type element;
  (void)type;
  enum cypher_quantifier quantifier = EW_RANDOM_PICK(writer->random, quantifiers);
  const struct ew_node *list = draw_quantified_list(writer, &element, depth);
  struct ew_cypher_local local = ew_writer_enter_local(writer, 'x', element);
  const struct ew_node *where = ew_writer_chance(writer, 5)
                                    ? ew_writer_constant(writer, ew_boolean(true))
                                    : draw_local_predicate(writer, local.name, element, depth - 1);
  ew_writer_leave_local(writer, &local);
  return CYPHER(writer->builder, quantified, .quantifier.choice = quantifier, .variable.name = local.name,
                .list.node = list, .where.node = where);
}

/* reduce(a = 0, x IN list | a + …) */
const struct ew_node *ew_cypher_draw_reduce(struct ew_cypher_writer *writer, enum ew_draw_type type, unsigned depth) {
  if (!writer->dialect->operators[CYPHER_ADD]) return NULL;
  const struct ew_node *start = ew_cypher_draw_constant(writer, type);
  enum ew_draw_type element = ew_writer_chance(writer, 70) ? type : EW_DRAW_INTEGER;
  const struct ew_node *list = ew_cypher_draw_expression(writer, ew_draw_list_of(element), depth - 1);
  struct ew_cypher_variable accumulator = {.name = ew_writer_fresh_name(writer, 'y'), .type = type};
  size_t outside = writer->count;
  ew_writer_bind(writer, accumulator);
  struct ew_cypher_local local = {.name = ew_writer_fresh_name(writer, 'x')};
  ew_writer_bind(writer, (struct ew_cypher_variable){.name = local.name, .type = element});
  const struct ew_node *left = ew_writer_name(writer, accumulator.name);
  const struct ew_node *right = element == type && ew_writer_chance(writer, 60)
                                    ? ew_writer_name(writer, local.name)
                                    : ew_cypher_draw_expression(writer, type, depth - 1);
  const struct ew_node *step = ew_writer_binary(writer, CYPHER_ADD, left, right);
  writer->count = outside;
  return CYPHER(writer->builder, reduce, .accumulator.name = accumulator.name, .start.node = start,
                .variable.name = local.name, .list.node = list, .step.node = step);
}

/* ---- maps ---- */

static const char *const map_keys[] = {"k", "m", "o"};

const struct ew_node *ew_cypher_draw_map(struct ew_cypher_writer *writer, enum ew_draw_type type, unsigned depth) {
  const struct ew_node *entries[EW_COUNT(map_keys)];
  size_t count = ew_writer_below(writer, EW_COUNT(map_keys) + 1);
  (void)type;
  for (size_t i = 0; i < count; i++) {
    const struct ew_node *value = ew_cypher_draw_expression(writer, EW_DRAW_ANY, depth - 1);
    entries[i] = CYPHER(writer->builder, entry, .key.name = ew_span_of(map_keys[i]), .value.node = value);
  }
  return CYPHER(writer->builder, map, .entries.list = ew_list_of(writer->builder, entries, count));
}

/* $p, which is {k: …} */
static const struct ew_node *draw_map_parameter(struct ew_cypher_writer *writer, struct ew_span key,
                                                enum ew_draw_type type) {
  struct ew_item *item = EW_NEW(writer->builder->arena, struct ew_item);
  *item = (struct ew_item){key, ew_draw_value(writer->builder->arena, writer->random,
                                              (struct ew_property_type){.kind = ew_draw_kind(type)}, 0)};
  return ew_writer_parameter(writer, (struct ew_value){.kind = EW_VALUE_MAP, .map = {item, 1}});
}

/* {k: e}.k, $p.k, or with an index by name */
const struct ew_node *ew_cypher_draw_map_access(struct ew_cypher_writer *writer, enum ew_draw_type type,
                                                unsigned depth) {
  struct ew_span key = ew_span_of(EW_RANDOM_PICK(writer->random, map_keys));
  const struct ew_node *map = ew_writer_chance(writer, 30) ? draw_map_parameter(writer, key, type) : NULL;
  const struct ew_node *value = map ? NULL : ew_cypher_draw_expression(writer, type, depth - 1);
  const struct ew_node *entry = map ? NULL : CYPHER(writer->builder, entry, .key.name = key, .value.node = value);
  if (!map) map = CYPHER(writer->builder, map, .entries.list = ew_list_of(writer->builder, &entry, 1));
  if (!ew_writer_has(writer, EW_HAS_INDEXING) || ew_writer_chance(writer, 60))
    return CYPHER(writer->builder, property, .object.node = map, .key.name = key);
  const struct ew_node *at = ew_writer_constant(writer, ew_string(key));
  return CYPHER(writer->builder, index, .object.node = map, .at.node = at);
}

/* n{.p, .absent, k: e, v, .*} */
const struct ew_node *ew_cypher_draw_map_projection(struct ew_cypher_writer *writer, enum ew_draw_type type,
                                                    unsigned depth) {
  struct ew_cypher_lookup lookup;
  const struct ew_node *projectors[5];
  size_t count = 0;
  (void)type;
  if (!ew_cypher_draw_lookup(writer, EW_DRAW_ANY, &lookup)) return NULL;
  struct ew_span variable = lookup.variable->name;
  projectors[count++] = CYPHER(writer->builder, project_property, .key.name = lookup.property->name);
  if (ew_writer_chance(writer, 25))
    projectors[count++] = CYPHER(writer->builder, project_property, .key.name = EW_SPAN("absent"));
  if (ew_writer_chance(writer, 50)) {
    const struct ew_node *value = ew_cypher_draw_expression(writer, EW_DRAW_ANY, depth - 1);
    projectors[count++] =
        CYPHER(writer->builder, project_entry, .key.name = ew_span_of(map_keys[0]), .value.node = value);
  }
  if (ew_writer_chance(writer, 20)) {
    struct ew_span other = writer->variables[ew_writer_below(writer, writer->count)].name;
    projectors[count++] = CYPHER(writer->builder, project_variable, .variable.name = other);
  }
  if (ew_writer_chance(writer, 30))
    projectors[count++] =
        ew_node_make(writer->builder, &cypher_kinds[CYPHER_project_all], &(struct cypher_project_all){0});
  return CYPHER(writer->builder, map_projection, .variable.name = variable,
                .projectors.list = ew_list_of(writer->builder, projectors, count));
}
