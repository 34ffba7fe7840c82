/* cypher_scene.c: random schemas and graphs, first as structs, then as trees. */
#include "generate/cypher_scene.h"

#include "generate/cypher_dialect.h"
#include "generate/values.h"
#include "graph/property_graph.h"
#include "graph/schema.h"
#include "lang/cypher/constant.h"

const struct ew_cypher_scene_knobs ew_cypher_scene_knobs = {
    .nodes = 6,
    .nodes_large = 10,
    .large_percent = 10,
    .relationships_max = 16,
    .density_low = 10,
    .density_high = 50,
    .self_loop_percent = 60,
    .parallel_percent = 15,
    .labels = 4,
    .types = 3,
    .properties = 4,
    .labels_by_node = {8, 65, 20, 7},
    .absent_percent = 35,
    .boundary_percent = 15,
    .odd_name_percent = 5,
    .index_percent = 60,
};

static const char *const label_names[] = {"A", "B", "C", "D", "E", "F"};
static const char *const type_names[] = {"R", "S", "T", "U", "V", "W"};
static const char *const odd_names[] = {"has space", "MATCH", "\xc3\xa9t\xc3\xa9", "1st", "a-b", "it's",
                                        "null",      "Order"};

struct scene {
  struct ew_arena *arena;
  struct ew_random *random;
  const struct ew_cypher_scene_knobs *knobs;
  const struct ew_cypher_dialect *dialect;
  struct ew_schema schema;
  struct ew_property_graph graph;
  unsigned property_names; /* given so far */
};

/* ---- schema ---- */

static struct ew_property_type draw_property_type(struct scene *scene) {
  static const struct {
    enum ew_cypher_feature feature;
    enum ew_value_kind kind;
    unsigned weight;
  } kinds[] = {
      {EW_HAS_INTEGERS, EW_VALUE_INTEGER, 35},
      {EW_HAS_STRINGS, EW_VALUE_STRING, 30},
      {EW_HAS_FLOATS, EW_VALUE_FLOAT, 20},
      {EW_HAS_BOOLEANS, EW_VALUE_BOOLEAN, 15},
  };
  unsigned weights[EW_COUNT(kinds)];
  weights[0] = kinds[0].weight; /* integers exist everywhere */
  for (size_t i = 1; i < EW_COUNT(kinds); i++) weights[i] = scene->dialect->has[kinds[i].feature] ? kinds[i].weight : 0;
  enum ew_value_kind kind = kinds[ew_random_weighted(scene->random, weights, EW_COUNT(kinds))].kind;
  return (struct ew_property_type){kind, scene->dialect->has[EW_HAS_LISTS] && ew_random_chance(scene->random, 12)};
}

/* i0, s1, f2, b3, and l4 for lists: the name says the type to a person who reads a report. */
static struct ew_span name_property(struct scene *scene, struct ew_property_type type) {
  char letter = type.list                       ? 'l'
                : type.kind == EW_VALUE_INTEGER ? 'i'
                : type.kind == EW_VALUE_FLOAT   ? 'f'
                : type.kind == EW_VALUE_STRING  ? 's'
                                                : 'b';
  return ew_arena_format(scene->arena, "%c%u", letter, scene->property_names++);
}

static void draw_properties_of(struct scene *scene, struct ew_schema_element *element, unsigned least) {
  unsigned count = least + ew_random_below(scene->random, scene->knobs->properties - least + 1);
  for (unsigned i = 0; i < count; i++) {
    struct ew_property_type type = draw_property_type(scene);
    ew_schema_add_property(scene->arena, element, name_property(scene, type), type);
  }
}

static void draw_schema(struct scene *scene) {
  struct ew_schema *schema = &scene->schema;
  EW_ASSERT(scene->knobs->labels <= EW_COUNT(label_names) && scene->knobs->types <= EW_COUNT(type_names));
  unsigned labels = 1 + ew_random_below(scene->random, scene->knobs->labels);
  unsigned types = 1 + ew_random_below(scene->random, scene->knobs->types);
  for (unsigned i = 0; i < labels; i++)
    draw_properties_of(scene, ew_schema_add_label(scene->arena, schema, ew_span_of(label_names[i])), 1);
  for (unsigned i = 0; i < types; i++)
    draw_properties_of(scene, ew_schema_add_type(scene->arena, schema, ew_span_of(type_names[i])), 0);
  if (!ew_random_chance(scene->random, scene->knobs->odd_name_percent)) return;
  struct ew_span odd = ew_span_of(EW_RANDOM_PICK(scene->random, odd_names));
  struct ew_schema_element *label = &schema->labels.items[0];
  if (ew_random_chance(scene->random, 50))
    label->name = odd;
  else
    label->properties.items[0].name = odd;
}

/* ---- graph: Algorithm 1 ---- */

static void make_properties(struct scene *scene, const struct ew_schema_element *element,
                            struct ew_graph_properties *properties) {
  for (size_t i = 0; i < element->properties.count; i++) {
    const struct ew_schema_property *property = &element->properties.items[i];
    if (ew_random_chance(scene->random, scene->knobs->absent_percent)) continue;
    struct ew_value value = ew_draw_value(scene->arena, scene->random, property->type, scene->knobs->boundary_percent);
    ew_graph_properties_set(scene->arena, properties, property->name, value);
  }
}

static void make_node(struct scene *scene) {
  struct ew_property_graph *graph = &scene->graph;
  const struct ew_schema *schema = &scene->schema;
  const unsigned *weights = scene->knobs->labels_by_node;
  size_t labels = ew_random_weighted(scene->random, weights, EW_COUNT(scene->knobs->labels_by_node));
  if (labels > 1 && !scene->dialect->has[EW_HAS_SEVERAL_LABELS]) labels = 1;
  uint32_t node = ew_property_graph_add_node(graph);
  for (size_t i = 0; i < labels; i++) {
    const struct ew_schema_element *label =
        &schema->labels.items[ew_random_below(scene->random, (uint32_t)schema->labels.count)];
    ew_property_graph_add_label(graph, node, label->name);
    make_properties(scene, label, &graph->nodes.items[node].properties);
  }
}

static void make_relationship(struct scene *scene, uint32_t start, uint32_t end) {
  struct ew_property_graph *graph = &scene->graph;
  const struct ew_schema *schema = &scene->schema;
  if (graph->relationships.count >= scene->knobs->relationships_max) return;
  const struct ew_schema_element *type =
      &schema->types.items[ew_random_below(scene->random, (uint32_t)schema->types.count)];
  uint32_t relationship = ew_property_graph_add_relationship(graph, start, end, type->name);
  make_properties(scene, type, &graph->relationships.items[relationship].properties);
}

static void make_graph(struct scene *scene) {
  const struct ew_cypher_scene_knobs *knobs = scene->knobs;
  struct ew_random *random = scene->random;
  unsigned most = ew_random_chance(random, knobs->large_percent) ? knobs->nodes_large : knobs->nodes;
  unsigned count = 1 + ew_random_below(random, most);
  unsigned density = (unsigned)ew_random_between(random, knobs->density_low, knobs->density_high);
  for (unsigned i = 0; i < count; i++) make_node(scene);
  for (uint32_t u = 0; u < count; u++) {
    for (uint32_t v = 0; v < count; v++) {
      unsigned chance = u == v ? density * knobs->self_loop_percent / 100 : density;
      if (!ew_random_chance(random, chance)) continue;
      make_relationship(scene, u, v);
      if (ew_random_chance(random, knobs->parallel_percent)) make_relationship(scene, u, v);
    }
  }
}

/* ---- structs to trees ---- */

static struct ew_list entries_tree(struct ew_builder *builder, const struct ew_graph_properties *properties) {
  struct ew_list list = {0};
  for (size_t i = 0; i < properties->entries.count; i++) {
    const struct ew_item *item = &properties->entries.items[i];
    list = ew_list_append(
        builder, list,
        CYPHER(builder, entry, .key.name = item->key, .value.node = ew_cypher_constant(builder, item->value)));
  }
  return list;
}

static struct ew_span node_name(struct ew_arena *arena, uint32_t node) { return ew_arena_format(arena, "n%u", node); }

static const struct ew_node *graph_tree(struct ew_builder *builder, const struct ew_property_graph *graph) {
  struct ew_list nodes = {0}, relationships = {0};
  for (uint32_t i = 0; i < graph->nodes.count; i++) {
    const struct ew_graph_node *node = &graph->nodes.items[i];
    struct ew_list properties = entries_tree(builder, &node->properties);
    nodes = ew_list_append(builder, nodes,
                           CYPHER(builder, graph_node, .name.name = node_name(builder->arena, i),
                                  .labels.names = ew_names_of(builder, node->labels.items, node->labels.count),
                                  .properties.list = properties));
  }
  for (size_t i = 0; i < graph->relationships.count; i++) {
    const struct ew_graph_relationship *relationship = &graph->relationships.items[i];
    struct ew_list properties = entries_tree(builder, &relationship->properties);
    relationships =
        ew_list_append(builder, relationships,
                       CYPHER(builder, graph_relationship, .start.name = node_name(builder->arena, relationship->start),
                              .end.name = node_name(builder->arena, relationship->end), .type.name = relationship->type,
                              .properties.list = properties));
  }
  return CYPHER(builder, graph, .nodes.list = nodes, .relationships.list = relationships);
}

static struct ew_list elements_tree(struct ew_builder *builder, const struct ew_schema_element *elements,
                                    size_t count) {
  struct ew_list list = {0};
  for (size_t i = 0; i < count; i++) {
    struct ew_list properties = {0};
    for (size_t k = 0; k < elements[i].properties.count; k++) {
      const struct ew_schema_property *property = &elements[i].properties.items[k];
      struct ew_span type = ew_property_type_name(builder->arena, property->type);
      properties = ew_list_append(builder, properties,
                                  CYPHER(builder, schema_property, .name.name = property->name, .type.name = type));
    }
    list = ew_list_append(
        builder, list, CYPHER(builder, schema_element, .name.name = elements[i].name, .properties.list = properties));
  }
  return list;
}

static const struct ew_node *schema_tree(struct ew_builder *builder, const struct ew_schema *schema) {
  struct ew_list labels = elements_tree(builder, schema->labels.items, schema->labels.count);
  struct ew_list types = elements_tree(builder, schema->types.items, schema->types.count);
  return CYPHER(builder, schema, .labels.list = labels, .types.list = types);
}

/* CREATE [TEXT] INDEX FOR (n:L) ON (n.p) */
static const struct ew_node *index_tree(struct ew_builder *builder, enum cypher_index_kind kind, struct ew_span label,
                                        struct ew_span key) {
  struct ew_span variable = EW_SPAN("n");
  const struct ew_node *labels = CYPHER(builder, label, .name.name = label);
  const struct ew_node *node = CYPHER(builder, node_pattern, .variable.name = variable, .labels.node = labels);
  const struct ew_node *path =
      CYPHER(builder, path, .count.number = -1, .elements.list = ew_list_of(builder, &node, 1));
  const struct ew_node *property =
      CYPHER(builder, property, .key.name = key, .object.node = CYPHER(builder, variable, .name.name = variable));
  const struct ew_node *index = CYPHER(builder, create_index, .index.choice = kind, .pattern.node = path,
                                       .properties.list = ew_list_of(builder, &property, 1));
  return CYPHER(builder, statement, .body.node = index);
}

static enum cypher_index_kind draw_index_kind(struct scene *scene, enum ew_value_kind type) {
  bool text = type == EW_VALUE_STRING && scene->dialect->has[EW_HAS_TEXT_INDEX];
  unsigned at = ew_random_below(scene->random, 100);
  if (text && at < 40) return CYPHER_INDEX_TEXT;
  return at >= 80 && scene->dialect->has[EW_HAS_RANGE_INDEX] ? CYPHER_INDEX_RANGE : CYPHER_INDEX_DEFAULT;
}

static struct ew_list draw_indexes(struct scene *scene, struct ew_builder *builder) {
  struct ew_list statements = {0};
  const struct ew_schema *schema = &scene->schema;
  if (!scene->dialect->has[EW_HAS_INDEX] || !ew_random_chance(scene->random, scene->knobs->index_percent))
    return statements;
  for (size_t i = 0; i < schema->labels.count; i++) {
    const struct ew_schema_element *label = &schema->labels.items[i];
    for (size_t k = 0; k < label->properties.count; k++) {
      const struct ew_schema_property *property = &label->properties.items[k];
      if (property->type.list || !ew_random_chance(scene->random, 50)) continue;
      enum cypher_index_kind kind = draw_index_kind(scene, property->type.kind);
      statements = ew_list_append(builder, statements, index_tree(builder, kind, label->name, property->name));
    }
  }
  return statements;
}

struct ew_scene ew_cypher_draw_scene(struct ew_arena *arena, const struct ew_profile *profile,
                                     const struct ew_cypher_scene_knobs *knobs, struct ew_random *random) {
  struct scene scene = {.arena = arena,
                        .random = random,
                        .knobs = knobs ? knobs : &ew_cypher_scene_knobs,
                        .dialect = ew_cypher_dialect_of(profile)};
  struct ew_builder builder = {arena, 1};
  ew_property_graph_init(&scene.graph, arena);
  draw_schema(&scene);
  make_graph(&scene);
  return (struct ew_scene){.schema = schema_tree(&builder, &scene.schema),
                           .data = graph_tree(&builder, &scene.graph),
                           .statements = draw_indexes(&scene, &builder)};
}
