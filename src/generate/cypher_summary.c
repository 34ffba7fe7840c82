/* cypher_summary.c: which labels, types and keys there are, as clauses make more of them.

   The writer's schema begins as the scene's and shares its arrays; who adds to it copies them first. Without a summary
   (an ablation) every name is a new one. */
#include "generate/cypher_writer.h"

enum { ELEMENTS_MAX = 12 }; /* labels, or types: enough to choose from */

static struct ew_span number_name(struct ew_cypher_writer *writer, char letter) {
  struct ew_span name = ew_writer_fresh_name(writer, letter);
  return ew_graph_name(&writer->world->model.graph, name);
}

static struct ew_span draw_of(struct ew_cypher_writer *writer, const struct ew_schema_element *elements, size_t count,
                              char letter) {
  if (writer->options->without_summary || !count) return number_name(writer, letter);
  return elements[ew_writer_below(writer, count)].name;
}

struct ew_span ew_writer_draw_label(struct ew_cypher_writer *writer) {
  return draw_of(writer, writer->schema.labels.items, writer->schema.labels.count, 'L');
}

struct ew_span ew_writer_draw_type(struct ew_cypher_writer *writer) {
  return draw_of(writer, writer->schema.types.items, writer->schema.types.count, 'T');
}

/* The vector is the writer's own afterwards: its items may be the world's. */
#define COPY_VECTOR(arena, vector)                                                                    \
  do {                                                                                                \
    void *copy = ew_arena_take((arena), ew_array_size((vector)->count + 2, sizeof *(vector)->items)); \
    if ((vector)->count) memcpy(copy, (vector)->items, (vector)->count * sizeof *(vector)->items);    \
    (vector)->items = copy;                                                                           \
    (vector)->capacity = (vector)->count + 2;                                                         \
  } while (0)

void ew_writer_note_label(struct ew_cypher_writer *writer, struct ew_span name) {
  struct ew_schema *schema = &writer->schema;
  if (writer->options->without_summary || schema->labels.count >= ELEMENTS_MAX) return;
  if (ew_schema_find_label(schema, name) >= 0) return;
  COPY_VECTOR(writer->builder->arena, &schema->labels);
  ew_schema_add_label(writer->builder->arena, schema, name);
}

void ew_writer_note_type(struct ew_cypher_writer *writer, struct ew_span name) {
  struct ew_schema *schema = &writer->schema;
  if (writer->options->without_summary || schema->types.count >= ELEMENTS_MAX) return;
  if (ew_schema_find_type(schema, name) >= 0) return;
  COPY_VECTOR(writer->builder->arena, &schema->types);
  ew_schema_add_type(writer->builder->arena, schema, name);
}

void ew_writer_note_key(struct ew_cypher_writer *writer, bool node, struct ew_span element,
                        struct ew_schema_property property) {
  struct ew_schema *schema = &writer->schema;
  int index = node ? ew_schema_find_label(schema, element) : ew_schema_find_type(schema, element);
  if (writer->options->without_summary || index < 0 || ew_schema_find_property(schema, property.name)) return;
  if (node)
    COPY_VECTOR(writer->builder->arena, &schema->labels);
  else
    COPY_VECTOR(writer->builder->arena, &schema->types);
  struct ew_schema_element *to = node ? &schema->labels.items[index] : &schema->types.items[index];
  COPY_VECTOR(writer->builder->arena, &to->properties);
  ew_schema_add_property(writer->builder->arena, to, property.name, property.type);
}

struct ew_schema_property ew_writer_fresh_key(struct ew_cypher_writer *writer, struct ew_property_type type) {
  char letter = type.list ? 'l' : type.kind == EW_VALUE_INTEGER ? 'i' : type.kind == EW_VALUE_FLOAT ? 'f' : 's';
  struct ew_span name = ew_writer_fresh_name(writer, letter);
  /* k before it: numbers of names and of the scene's keys may be the same */
  name = ew_arena_format(writer->builder->arena, "k%.*s", EW_SPAN_ARGS(name));
  return (struct ew_schema_property){ew_graph_name(&writer->world->model.graph, name), type};
}
