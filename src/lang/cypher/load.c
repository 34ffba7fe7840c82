/* load.c: a scene and a query as statements.

   The data goes in as one CREATE: variables live within a statement only, so a relationship can name its ends by
   variable nowhere else, and no property is needed that the scene does not have. */
#include "base/map.h"
#include "base/vector.h"
#include "lang/cypher/constant.h"
#include "lang/cypher/cypher.h"
#include "lang/cypher/parser.h"
#include "lang/cypher/print.h"

static const struct ew_node *pattern_of_node(struct ew_builder *builder, struct ew_span name,
                                             const struct ew_node *labels, struct ew_list properties) {
  const struct ew_node *map = properties.count ? CYPHER(builder, map, .entries.list = properties) : NULL;
  return CYPHER(builder, node_pattern, .variable.name = name, .labels.node = labels, .properties.node = map);
}

static const struct ew_node *labels_of(struct ew_builder *builder, struct ew_names names) {
  struct ew_list labels = {0};
  for (size_t i = 0; i < names.count; i++)
    labels = ew_list_append(builder, labels, CYPHER(builder, label, .name.name = names.items[i]));
  if (labels.count < 2) return labels.count ? labels.items[0] : NULL;
  return CYPHER(builder, label_colons, .labels.list = labels);
}

static const struct ew_node *path_of(struct ew_builder *builder, const struct ew_node *const *elements, size_t count) {
  return CYPHER(builder, path, .count.number = -1, .elements.list = ew_list_of(builder, elements, count));
}

static const struct ew_node *node_path(struct ew_builder *builder, const struct cypher_graph_node *node) {
  const struct ew_node *labels = labels_of(builder, node->labels.names);
  const struct ew_node *element = pattern_of_node(builder, node->name.name, labels, node->properties.list);
  return path_of(builder, &element, 1);
}

static const struct ew_node *relationship_path(struct ew_builder *builder,
                                               const struct cypher_graph_relationship *relationship) {
  struct ew_list properties = relationship->properties.list;
  const struct ew_node *elements[] = {
      pattern_of_node(builder, relationship->start.name, NULL, (struct ew_list){0}),
      CYPHER(builder, relationship_pattern, .direction.choice = CYPHER_OUTGOING,
             .types.node = CYPHER(builder, label, .name.name = relationship->type.name),
             .properties.node = properties.count ? CYPHER(builder, map, .entries.list = properties) : NULL),
      pattern_of_node(builder, relationship->end.name, NULL, (struct ew_list){0}),
  };
  return path_of(builder, elements, EW_COUNT(elements));
}

const struct ew_node *ew_cypher_create_graph(struct ew_builder *builder, const struct ew_node *graph) {
  struct ew_list nodes = CYPHER_AS(graph, graph)->nodes.list,
                 relationships = CYPHER_AS(graph, graph)->relationships.list;
  EW_VECTOR(const struct ew_node *) paths = {0};
  struct ew_map names;
  ew_map_init(&names);
  for (size_t i = 0; i < nodes.count; i++) {
    const struct cypher_graph_node *node = CYPHER_AS(graph_node, nodes.items[i]);
    *ew_arena_vector_push(builder->arena, &paths) = node_path(builder, node);
    ew_map_add(&names, node->name.name, NULL);
  }
  for (size_t i = 0; i < relationships.count; i++) {
    const struct cypher_graph_relationship *relationship = CYPHER_AS(graph_relationship, relationships.items[i]);
    if (ew_map_find(&names, relationship->start.name) && ew_map_find(&names, relationship->end.name))
      *ew_arena_vector_push(builder->arena, &paths) = relationship_path(builder, relationship);
  }
  ew_map_release(&names);
  if (!paths.count) return NULL;
  struct ew_list patterns = ew_list_of(builder, paths.items, paths.count);
  const struct ew_node *clause = CYPHER(builder, create, .patterns.list = patterns);
  const struct ew_node *query = CYPHER(builder, query, .clauses.list = ew_list_of(builder, &clause, 1));
  return CYPHER(builder, statement, .body.node = query);
}

/* ---- statements ---- */

/* The query whose names the answer has: in a union, the first. NULL for a command. */
static const struct ew_node *first_query(const struct ew_node *statement) {
  const struct ew_node *query =
      cypher_is(statement, CYPHER_statement) ? CYPHER_AS(statement, statement)->body.node : statement;
  while (cypher_is(query, CYPHER_union) && CYPHER_AS(union, query)->branches.list.count)
    query = CYPHER_AS(union, query)->branches.list.items[0];
  return cypher_is(query, CYPHER_query) ? query : NULL;
}

struct ew_names ew_cypher_columns(struct ew_arena *arena, const struct ew_node *statement) {
  const struct ew_node *query = first_query(statement);
  struct ew_list clauses = query ? CYPHER_AS(query, query)->clauses.list : (struct ew_list){0};
  if (!clauses.count || !cypher_is(clauses.items[clauses.count - 1], CYPHER_return)) return (struct ew_names){0};
  const struct ew_node *last = CYPHER_AS(return, clauses.items[clauses.count - 1])->projection.node;
  const struct cypher_projection *projection = CYPHER_AS(projection, last);
  if (projection->star.flag) return (struct ew_names){0};
  struct ew_list items = projection->items.list;
  struct ew_span *columns = EW_NEW_ARRAY(arena, struct ew_span, items.count);
  struct ew_text text = {0};
  for (size_t i = 0; i < items.count; i++) {
    const struct cypher_item *item = CYPHER_AS(item, items.items[i]);
    const struct ew_node *expression = item->expression.node;
    if (item->alias.name.length) {
      columns[i] = item->alias.name;
    } else if (cypher_is(expression, CYPHER_variable)) {
      columns[i] = CYPHER_AS(variable, expression)->name.name;
    } else {
      ew_text_reset(&text);
      ew_cypher_print(&text, expression, NULL);
      columns[i] = ew_arena_copy(arena, ew_text_span(&text));
    }
  }
  ew_text_release(&text);
  return (struct ew_names){columns, items.count};
}

/* An argument that is no constant is left out: the engine will say that it misses it. */
static void read_arguments(struct ew_arena *arena, const struct ew_node *tree, struct ew_statement *statement) {
  if (!cypher_is(tree, CYPHER_statement)) return;
  struct ew_list arguments = CYPHER_AS(statement, tree)->arguments.list;
  if (!arguments.count) return;
  struct ew_parameter *parameters = EW_NEW_ARRAY(arena, struct ew_parameter, arguments.count);
  size_t count = 0;
  for (size_t i = 0; i < arguments.count; i++) {
    const struct cypher_argument *argument = CYPHER_AS(argument, arguments.items[i]);
    parameters[count].name = argument->name.name;
    count += ew_cypher_constant_read(arena, argument->value.node, &parameters[count].value);
  }
  statement->parameters = parameters;
  statement->parameter_count = count;
}

static struct ew_statement statement_of(struct ew_arena *arena, const struct ew_node *tree,
                                        const struct ew_profile *profile) {
  enum { USUAL = 1000 }; /* bytes; growing step by step costs more than the room */
  struct ew_text text = {0};
  ew_text_reserve(&text, USUAL);
  ew_cypher_print(&text, tree, profile);
  struct ew_statement statement = {
      .text = ew_arena_copy(arena, ew_text_span(&text)),
      .tree = tree,
      .columns = ew_cypher_columns(arena, tree),
  };
  read_arguments(arena, tree, &statement);
  ew_text_release(&text);
  return statement;
}

struct ew_program ew_cypher_load(struct ew_arena *arena, const struct ew_scene *scene,
                                 const struct ew_profile *profile) {
  struct ew_statement *statements = EW_NEW_ARRAY(arena, struct ew_statement, scene->statements.count + 1);
  size_t count = 0;
  if (scene->data) {
    struct ew_builder builder = ew_builder_for(arena, scene->data);
    const struct ew_node *create = ew_cypher_create_graph(&builder, scene->data);
    if (create) statements[count++] = statement_of(arena, create, profile);
  }
  for (size_t i = 0; i < scene->statements.count; i++)
    statements[count++] = statement_of(arena, scene->statements.items[i], profile);
  return (struct ew_program){statements, count};
}

struct ew_program ew_cypher_ask(struct ew_arena *arena, const struct ew_scene *scene, const struct ew_node *query,
                                const struct ew_profile *profile) {
  struct ew_list parts = ew_cypher_statements(&query);
  struct ew_statement *statements = EW_NEW_ARRAY(arena, struct ew_statement, parts.count);
  (void)scene;
  for (size_t i = 0; i < parts.count; i++) statements[i] = statement_of(arena, parts.items[i], profile);
  return (struct ew_program){statements, parts.count};
}

/* ---- states ---- */

/* Elements as they are: no function has to be known for it. */
struct ew_program ew_cypher_state(struct ew_arena *arena, const struct ew_profile *profile) {
  static const char *const texts[] = {"MATCH (n) RETURN n AS n", "MATCH (a)-[r]->(b) RETURN a AS a, r AS r, b AS b"};
  struct ew_builder builder = {arena, 1};
  struct ew_statement *statements = EW_NEW_ARRAY(arena, struct ew_statement, EW_COUNT(texts));
  for (size_t i = 0; i < EW_COUNT(texts); i++) {
    const struct ew_node *tree;
    if (ew_cypher_parse(&builder, ew_span_of(texts[i]), &tree, NULL)) EW_BUG("cannot read %s", texts[i]);
    statements[i] = statement_of(arena, tree, profile);
  }
  return (struct ew_program){statements, EW_COUNT(texts)};
}

static enum ew_walk find_change(const struct ew_node *node, struct ew_place place, void *context) {
  static const enum cypher_kind kinds[] = {CYPHER_create, CYPHER_merge, CYPHER_set, CYPHER_remove, CYPHER_delete};
  (void)place;
  (void)context;
  for (size_t i = 0; i < EW_COUNT(kinds); i++)
    if (cypher_is(node, kinds[i])) return EW_WALK_STOP;
  /* A command on the schema. */
  return node->kind->class == CYPHER_CLASS_QUERY && !cypher_is(node, CYPHER_query) && !cypher_is(node, CYPHER_union)
             ? EW_WALK_STOP
             : EW_WALK_ON;
}

bool ew_cypher_changes(const struct ew_node *tree) { return !ew_tree_walk(tree, find_change, NULL); }
