/* cypher_writer.c: scope and leaves. */
#include "generate/cypher_writer.h"

enum {
  EXPRESSION_BUDGET = 60,
  ILL_TYPED_PERCENT = 5, /* of statements: an expression is of the wrong type */
};

void ew_cypher_writer_init(struct ew_cypher_writer *writer, struct ew_cypher_world *world, const struct ew_draw *draw) {
  writer->builder = draw->builder;
  writer->random = draw->random;
  writer->profile = world->profile;
  writer->dialect = world->dialect;
  writer->options = world->options;
  writer->world = world;
  writer->purpose = draw->purpose;
  writer->number = draw->number;
  writer->key = draw->key;
  writer->schema = world->schema;
  writer->count = 0;
  writer->stale_count = 0;
  writer->next_name = 0;
  writer->exact = NULL;
  writer->budget = EXPRESSION_BUDGET;
  writer->predicate = false;
  writer->ill_typed = ew_random_chance(draw->random, ILL_TYPED_PERCENT);
  writer->turn = ew_cypher_turn(EW_TURN_EXPRESSION, draw->key, draw->number, (uint32_t)world->dialect->turn_count);
  writer->parameter_count = 0;
  writer->may_parameter = world->dialect->has[EW_HAS_PARAMETER];
}

/* ---- scope ---- */

struct ew_span ew_cypher_numbered_name(struct ew_arena *arena, char letter, unsigned number) {
  char digits[12];
  size_t count = 0;
  do digits[count++] = (char)('0' + number % 10);
  while (number /= 10);
  char *name = ew_arena_take(arena, count + 1);
  name[0] = letter;
  for (size_t i = 0; i < count; i++) name[1 + i] = digits[count - 1 - i];
  return (struct ew_span){name, count + 1};
}

struct ew_span ew_writer_fresh_name(struct ew_cypher_writer *writer, char letter) {
  return ew_cypher_numbered_name(writer->builder->arena, letter, writer->next_name++);
}

void ew_writer_put_aside(struct ew_cypher_writer *writer, struct ew_cypher_aside *aside) {
  aside->count = writer->count;
  if (writer->count) memcpy(aside->variables, writer->variables, writer->count * sizeof *writer->variables);
}

void ew_writer_take_back(struct ew_cypher_writer *writer, const struct ew_cypher_aside *aside) {
  if (aside->count) memcpy(writer->variables, aside->variables, aside->count * sizeof *aside->variables);
  writer->count = aside->count;
}

void ew_writer_bind(struct ew_cypher_writer *writer, struct ew_cypher_variable variable) {
  if (writer->count < EW_CYPHER_SCOPE_MAX && !writer->options->without_context)
    writer->variables[writer->count++] = variable;
}

bool ew_writer_can_name(const struct ew_cypher_writer *writer, enum ew_draw_type type) {
  for (size_t i = 0; i < writer->count; i++)
    if (writer->variables[i].type == type) return true;
  return false;
}

const struct ew_cypher_variable *ew_writer_pick_variable(struct ew_cypher_writer *writer, enum ew_draw_type type) {
  uint8_t fitting[EW_CYPHER_SCOPE_MAX];
  size_t count = 0;
  for (size_t i = 0; i < writer->count; i++) {
    fitting[count] = (uint8_t)i;
    count += writer->variables[i].type == type;
  }
  return count ? &writer->variables[fitting[ew_writer_below(writer, count)]] : NULL;
}

const struct ew_cypher_variable *ew_writer_find_variable(const struct ew_cypher_variable *variables, size_t count,
                                                         struct ew_span name) {
  for (size_t i = count; i-- > 0;)
    if (ew_span_equal(variables[i].name, name)) return &variables[i];
  return NULL;
}

/* ---- leaves ---- */

const struct ew_node *ew_writer_name(struct ew_cypher_writer *writer, struct ew_span name) {
  return CYPHER(writer->builder, variable, .name.name = name);
}

static const struct ew_node *literal(struct ew_cypher_writer *writer, struct ew_value value) {
  return CYPHER(writer->builder, literal, .value.value = ew_literal_of(writer->builder, value));
}

const struct ew_node *ew_writer_integer(struct ew_cypher_writer *writer, int64_t integer) {
  return literal(writer, ew_integer(integer));
}

const struct ew_node *ew_writer_null(struct ew_cypher_writer *writer) { return literal(writer, ew_null()); }

const struct ew_node *ew_writer_property(struct ew_cypher_writer *writer, struct ew_span variable, struct ew_span key) {
  const struct ew_node *object = ew_writer_name(writer, variable);
  return CYPHER(writer->builder, property, .object.node = object, .key.name = key);
}

enum ew_draw_type ew_writer_type_of(struct ew_property_type type) {
  enum ew_draw_type scalar = ew_draw_type_of(type.kind);
  return type.list ? ew_draw_list_of(scalar) : scalar;
}

/* ---- properties ---- */

/* A property of the type among the elements in `candidates` (0: all of them), or NULL. */
static const struct ew_schema_property *draw_property_of(struct ew_cypher_writer *writer,
                                                         const struct ew_cypher_variable *variable,
                                                         enum ew_draw_type type) {
  enum { FITTING_MAX = 32 };
  const struct ew_schema_property *fitting[FITTING_MAX];
  const struct ew_schema *schema = &writer->schema;
  bool node = variable->type == EW_DRAW_NODE, any = type == EW_DRAW_ANY, list = !any && ew_draw_is_list(type);
  const struct ew_schema_element *elements = node ? schema->labels.items : schema->types.items;
  size_t count = node ? schema->labels.count : schema->types.count, found = 0;
  enum ew_draw_type scalar = list ? ew_draw_element_of(type) : type;
  if (!any && scalar >= EW_DRAW_NODE) return NULL;
  enum ew_value_kind kind = any ? EW_VALUE_NULL : ew_draw_kind(scalar);
  for (size_t i = 0; i < count; i++) {
    if (variable->candidates && !(variable->candidates >> i & 1)) continue;
    const struct ew_schema_property *property = elements[i].properties.items;
    for (size_t k = 0; k < elements[i].properties.count && found < FITTING_MAX; k++, property++) {
      fitting[found] = property; /* kept only where it fits: no branch that nobody can predict */
      found += any | ((property->type.kind == kind) & (property->type.list == list));
    }
  }
  return found ? fitting[ew_writer_below(writer, found)] : NULL;
}

bool ew_cypher_draw_lookup(struct ew_cypher_writer *writer, enum ew_draw_type type, struct ew_cypher_lookup *lookup) {
  if (!writer->count || !ew_writer_has(writer, EW_HAS_PROPERTY)) return false;
  size_t at = ew_writer_below(writer, writer->count);
  for (size_t i = 0; i < writer->count; i++, at = at + 1 < writer->count ? at + 1 : 0) {
    const struct ew_cypher_variable *variable = &writer->variables[at];
    if (variable->type != EW_DRAW_NODE && variable->type != EW_DRAW_RELATIONSHIP) continue;
    const struct ew_schema_property *property = draw_property_of(writer, variable, type);
    if (!property) continue;
    if (writer->options->without_summary) {
      struct ew_schema_property *fresh = EW_NEW(writer->builder->arena, struct ew_schema_property);
      *fresh = ew_writer_fresh_key(writer, property->type);
      property = fresh;
    }
    *lookup = (struct ew_cypher_lookup){variable, property};
    return true;
  }
  return false;
}

static struct ew_items properties_of(struct ew_value value) {
  if (value.kind == EW_VALUE_NODE) return value.node->properties;
  if (value.kind == EW_VALUE_RELATIONSHIP) return value.relationship->properties;
  return (struct ew_items){0};
}

const struct ew_value *ew_writer_witness_value(struct ew_cypher_writer *writer, const struct ew_cypher_lookup *lookup) {
  (void)writer;
  if (!lookup->variable->known) return NULL;
  return ew_properties_find(properties_of(lookup->variable->witness), lookup->property->name);
}

static struct ew_items draw_properties(struct ew_cypher_writer *writer) {
  const struct ew_graph *graph = &writer->world->model.graph;
  size_t count = graph->nodes.count + graph->relationships.count;
  if (!count) return (struct ew_items){0};
  size_t pick = ew_writer_below(writer, count);
  return pick < graph->nodes.count ? graph->nodes.items[pick]->value.properties
                                   : graph->relationships.items[pick - graph->nodes.count]->value.properties;
}

const struct ew_value *ew_writer_other_value(struct ew_cypher_writer *writer, struct ew_span key) {
  for (int i = 0; i < 4; i++) {
    const struct ew_value *value = ew_properties_find(draw_properties(writer), key);
    if (value) return value;
  }
  return NULL;
}
