/* schema.h: which labels, relationship types and properties a graph may have: the metamodel of GDBMeter's section
   3.1.

       label    ──▶ properties, each a name and a type
       type     ──▶ properties

   Nodes and relationships need not carry every property of their label or type, but where they do, it has that type.
   A property's name is unique in the whole schema, so that a name alone says the type: some engines demand it, and a
   generator that meets `n.i3` without knowing n's label still knows what it is. Everything lives in the arena given
   to the functions. */
#ifndef EW_GRAPH_SCHEMA_H
#define EW_GRAPH_SCHEMA_H

#include "base/vector.h"
#include "value/value.h"

/* A scalar, or a list of it. */
struct ew_property_type {
  enum ew_value_kind kind;
  bool list;
};

struct ew_schema_property {
  struct ew_span name;
  struct ew_property_type type;
};

/* A label or a relationship type. */
struct ew_schema_element {
  struct ew_span name;
  EW_VECTOR(struct ew_schema_property) properties;
};

struct ew_schema {
  EW_VECTOR(struct ew_schema_element) labels, types;
};

/* Names are borrowed. The element pointer is good until the next one is added. */
struct ew_schema_element *ew_schema_add_label(struct ew_arena *arena, struct ew_schema *schema, struct ew_span name);
struct ew_schema_element *ew_schema_add_type(struct ew_arena *arena, struct ew_schema *schema, struct ew_span name);
void ew_schema_add_property(struct ew_arena *arena, struct ew_schema_element *element, struct ew_span name,
                            struct ew_property_type type);

/* The index of a label (of a type), or -1. */
int ew_schema_find_label(const struct ew_schema *schema, struct ew_span name);
int ew_schema_find_type(const struct ew_schema *schema, struct ew_span name);
/* NULL where no element has a property of that name. */
const struct ew_schema_property *ew_schema_find_property(const struct ew_schema *schema, struct ew_span name);

/* "INTEGER", "LIST<STRING>". */
struct ew_span ew_property_type_name(struct ew_arena *arena, struct ew_property_type type);
bool ew_property_type_read(struct ew_span name, struct ew_property_type *type);

static inline bool ew_property_type_same(struct ew_property_type a, struct ew_property_type b) {
  return a.kind == b.kind && a.list == b.list;
}

#endif
