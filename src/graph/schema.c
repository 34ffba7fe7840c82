/* schema.c: building a schema and finding things in it. Schemas are small, so every search is a loop. */
#include "graph/schema.h"

struct ew_schema_element *ew_schema_add_label(struct ew_arena *arena, struct ew_schema *schema, struct ew_span name) {
  struct ew_schema_element *element = ew_arena_vector_push(arena, &schema->labels);
  *element = (struct ew_schema_element){.name = name};
  return element;
}

struct ew_schema_element *ew_schema_add_type(struct ew_arena *arena, struct ew_schema *schema, struct ew_span name) {
  struct ew_schema_element *element = ew_arena_vector_push(arena, &schema->types);
  *element = (struct ew_schema_element){.name = name};
  return element;
}

void ew_schema_add_property(struct ew_arena *arena, struct ew_schema_element *element, struct ew_span name,
                            struct ew_property_type type) {
  *ew_arena_vector_push(arena, &element->properties) = (struct ew_schema_property){name, type};
}

static int find_element(const struct ew_schema_element *elements, size_t count, struct ew_span name) {
  for (size_t i = 0; i < count; i++)
    if (ew_span_equal(elements[i].name, name)) return (int)i;
  return -1;
}

int ew_schema_find_label(const struct ew_schema *schema, struct ew_span name) {
  return find_element(schema->labels.items, schema->labels.count, name);
}

int ew_schema_find_type(const struct ew_schema *schema, struct ew_span name) {
  return find_element(schema->types.items, schema->types.count, name);
}

static const struct ew_schema_property *find_property(const struct ew_schema_element *elements, size_t count,
                                                      struct ew_span name) {
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < elements[i].properties.count; k++)
      if (ew_span_equal(elements[i].properties.items[k].name, name)) return &elements[i].properties.items[k];
  return NULL;
}

const struct ew_schema_property *ew_schema_find_property(const struct ew_schema *schema, struct ew_span name) {
  const struct ew_schema_property *found = find_property(schema->labels.items, schema->labels.count, name);
  return found ? found : find_property(schema->types.items, schema->types.count, name);
}

struct ew_span ew_property_type_name(struct ew_arena *arena, struct ew_property_type type) {
  const char *kind = ew_value_kind_name(type.kind);
  return type.list ? ew_arena_format(arena, "LIST<%s>", kind) : ew_span_of(kind);
}

bool ew_property_type_read(struct ew_span name, struct ew_property_type *type) {
  static const enum ew_value_kind kinds[] = {EW_VALUE_INTEGER, EW_VALUE_FLOAT, EW_VALUE_STRING, EW_VALUE_BOOLEAN};
  static const struct ew_span prefix = {"LIST<", 5};
  bool list = ew_span_starts(name, prefix);
  if (list) {
    if (name.length <= prefix.length || name.bytes[name.length - 1] != '>') return false;
    name = (struct ew_span){name.bytes + prefix.length, name.length - prefix.length - 1};
  }
  for (size_t i = 0; i < EW_COUNT(kinds); i++) {
    if (!ew_span_is(name, ew_value_kind_name(kinds[i]))) continue;
    *type = (struct ew_property_type){kinds[i], list};
    return true;
  }
  return false;
}
