/* cypher_world.c: from a scene's trees to the model's graph. */
#include "generate/cypher_world.h"

#include "base/allocate.h"
#include "lang/cypher/constant.h"

/* ---- schema ---- */

static void read_properties(struct ew_cypher_world *world, struct ew_schema_element *element,
                            struct ew_list properties) {
  for (size_t i = 0; i < properties.count; i++) {
    const struct cypher_schema_property *property = CYPHER_AS(schema_property, properties.items[i]);
    struct ew_property_type type;
    if (ew_property_type_read(property->type.name, &type))
      ew_schema_add_property(&world->arena, element, ew_graph_name(&world->model.graph, property->name.name), type);
  }
}

static void read_schema(struct ew_cypher_world *world, const struct cypher_schema *schema) {
  for (size_t i = 0; i < schema->labels.list.count; i++) {
    const struct cypher_schema_element *from = CYPHER_AS(schema_element, schema->labels.list.items[i]);
    struct ew_span name = ew_graph_name(&world->model.graph, from->name.name);
    read_properties(world, ew_schema_add_label(&world->arena, &world->schema, name), from->properties.list);
  }
  for (size_t i = 0; i < schema->types.list.count; i++) {
    const struct cypher_schema_element *from = CYPHER_AS(schema_element, schema->types.list.items[i]);
    struct ew_span name = ew_graph_name(&world->model.graph, from->name.name);
    read_properties(world, ew_schema_add_type(&world->arena, &world->schema, name), from->properties.list);
  }
}

/* ---- graph ---- */

static void read_entries(struct ew_cypher_world *world, struct ew_list entries, struct ew_value element) {
  struct ew_item *items = ew_arena_take(&world->arena, ew_array_size(entries.count + 1, sizeof *items));
  size_t count = 0;
  for (size_t i = 0; i < entries.count; i++) {
    const struct cypher_entry *entry = CYPHER_AS(entry, entries.items[i]);
    if (ew_cypher_constant_read(&world->arena, entry->value.node, &items[count].value))
      items[count++].key = entry->key.name;
  }
  struct ew_value map = ew_map_value(&world->arena, items, count);
  if (map.map.count) ew_graph_replace_properties(&world->model.graph, element, map.map);
}

static struct ew_node_record *find_node(struct ew_cypher_world *world, struct ew_list nodes, struct ew_span name) {
  for (size_t i = 0; i < nodes.count; i++)
    if (ew_span_equal(CYPHER_AS(graph_node, nodes.items[i])->name.name, name)) return world->model.graph.nodes.items[i];
  return NULL;
}

static void read_graph(struct ew_cypher_world *world, const struct cypher_graph *tree) {
  struct ew_graph *graph = &world->model.graph;
  struct ew_list nodes = tree->nodes.list, relationships = tree->relationships.list;
  struct ew_graph_mark mark = ew_graph_begin(graph);
  for (size_t i = 0; i < nodes.count; i++) {
    const struct cypher_graph_node *from = CYPHER_AS(graph_node, nodes.items[i]);
    struct ew_node_record *node = ew_graph_add_node(graph);
    for (size_t k = 0; k < from->labels.names.count; k++) ew_graph_add_label(graph, node, from->labels.names.items[k]);
    read_entries(world, from->properties.list, ew_node_value_of(node));
  }
  for (size_t i = 0; i < relationships.count; i++) {
    const struct cypher_graph_relationship *from = CYPHER_AS(graph_relationship, relationships.items[i]);
    struct ew_node_record *start = find_node(world, nodes, from->start.name);
    struct ew_node_record *end = find_node(world, nodes, from->end.name);
    if (!start || !end) continue;
    struct ew_relationship_record *made = ew_graph_add_relationship(graph, start, end, from->type.name);
    read_entries(world, from->properties.list, ew_relationship_value_of(made));
  }
  ew_graph_commit(graph, mark);
}

/* ---- values ---- */

static void count_values(struct ew_items properties, size_t *counts) {
  for (size_t i = 0; i < properties.count; i++) counts[properties.items[i].value.kind]++;
}

static void put_values(struct ew_items properties, struct ew_value **ends) {
  for (size_t i = 0; i < properties.count; i++) *ends[properties.items[i].value.kind]++ = properties.items[i].value;
}

static void sort_values(struct ew_cypher_world *world) {
  const struct ew_graph *graph = &world->model.graph;
  size_t counts[EW_VALUE_NULL + 1] = {0};
  struct ew_value *ends[EW_VALUE_NULL + 1];
  for (size_t i = 0; i < graph->nodes.count; i++) count_values(graph->nodes.items[i]->value.properties, counts);
  for (size_t i = 0; i < graph->relationships.count; i++)
    count_values(graph->relationships.items[i]->value.properties, counts);
  for (size_t i = 0; i < EW_VALUE_NULL; i++) {
    ends[i] = ew_arena_take(&world->arena, ew_array_size(counts[i], sizeof *ends[i]));
    world->values[i] = (struct ew_values){ends[i], counts[i]};
  }
  for (size_t i = 0; i < graph->nodes.count; i++) put_values(graph->nodes.items[i]->value.properties, ends);
  for (size_t i = 0; i < graph->relationships.count; i++)
    put_values(graph->relationships.items[i]->value.properties, ends);
}

/* ---- statements ---- */

static void note_index(struct ew_cypher_world *world, const struct cypher_create_index *index) {
  const struct cypher_path *path = CYPHER_AS(path, index->pattern.node);
  if (world->index_count == EW_CYPHER_INDEXES_MAX || path->elements.list.count != 1) return;
  const struct cypher_node_pattern *node = CYPHER_AS(node_pattern, path->elements.list.items[0]);
  bool text = index->index.choice == CYPHER_INDEX_TEXT;
  bool plain = text || index->index.choice == CYPHER_INDEX_DEFAULT || index->index.choice == CYPHER_INDEX_RANGE;
  if (!plain || index->properties.list.count != 1 || !cypher_is(node->labels.node, CYPHER_label)) return;
  struct ew_graph *graph = &world->model.graph;
  world->indexes[world->index_count++] = (struct ew_cypher_index){
      ew_graph_name(graph, CYPHER_AS(label, node->labels.node)->name.name),
      ew_graph_name(graph, CYPHER_AS(property, index->properties.list.items[0])->key.name), text};
}

/* Each is a statement that the scene runs when it is loaded. */
static void run_statements(struct ew_cypher_world *world, struct ew_list statements) {
  struct ew_model_options options = {.semantics = &world->profile->semantics, .portable = true};
  for (size_t i = 0; i < statements.count; i++) {
    struct ew_model_result result;
    const struct ew_node *body = CYPHER_AS(statement, statements.items[i])->body.node;
    if (cypher_is(body, CYPHER_create_index))
      note_index(world, CYPHER_AS(create_index, body));
    else
      ew_model_execute(&world->model, statements.items[i], &options, &world->arena, &result);
  }
}

/* What the schema's procedures would give, as tables. */
static void add_procedure(struct ew_cypher_world *world, const char *name, const char *output,
                          const struct ew_schema_element *elements, size_t count) {
  if (!ew_profile_has(world->profile, "procedures", name)) return;
  struct ew_value *rows = EW_NEW_ARRAY(&world->arena, struct ew_value, count + 1);
  struct ew_procedure_field *field = EW_NEW(&world->arena, struct ew_procedure_field);
  *field = (struct ew_procedure_field){ew_span_of(output), EW_SPAN("STRING?")};
  for (size_t i = 0; i < count; i++) rows[i] = ew_string(elements[i].name);
  ew_model_add_procedure(
      &world->model,
      (struct ew_procedure){
          .name = ew_span_of(name), .outputs = field, .output_count = 1, .rows = rows, .row_count = count});
  world->procedures[world->procedure_count++] = (struct ew_cypher_procedure){name, output};
}

static void add_procedures(struct ew_cypher_world *world) {
  const struct ew_schema *schema = &world->schema;
  world->procedure_count = 0;
  add_procedure(world, "db.labels", "label", schema->labels.items, schema->labels.count);
  add_procedure(world, "db.relationshipTypes", "relationshipType", schema->types.items, schema->types.count);
}

/* ---- all of it ---- */

struct ew_cypher_world *ew_cypher_world_prepare(struct ew_cypher_world *world, const struct ew_profile *profile,
                                                const struct ew_generate_options *options,
                                                const struct ew_scene *scene) {
  if (world) {
    ew_arena_reset(&world->arena);
    ew_model_reset(&world->model);
  } else {
    world = ew_allocate_zeroed(1, sizeof *world);
    ew_arena_init(&world->arena);
    ew_model_init(&world->model);
  }
  world->profile = profile;
  world->dialect = ew_cypher_dialect_of(profile);
  world->options = options;
  world->schema = (struct ew_schema){0};
  if (cypher_is(scene->schema, CYPHER_schema)) read_schema(world, CYPHER_AS(schema, scene->schema));
  if (cypher_is(scene->data, CYPHER_graph)) read_graph(world, CYPHER_AS(graph, scene->data));
  world->index_count = 0;
  run_statements(world, scene->statements);
  add_procedures(world);
  sort_values(world);
  return world;
}

void ew_cypher_world_release(struct ew_cypher_world *world) {
  if (!world) return;
  ew_model_release(&world->model);
  ew_arena_release(&world->arena);
  ew_deallocate(world);
}
