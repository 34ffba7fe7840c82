/* cypher_create.c: CREATE and MERGE: patterns that make elements, some of them between elements that are in scope. */
#include "generate/cypher_clause.h"

enum {
  SOUGHT_VARIABLE_PERCENT = 25, /* of what MERGE looks for */
  HOPS_MAX = 2,
  KNOWN_PERCENT = 55, /* of nodes: one in scope, where there is one that is never null */
  FRESH_PERCENT = 15, /* of labels and types: one that nothing has yet */
  NAMED_PERCENT = 75,
  SECOND_LABEL_PERCENT = 15,
  SECOND_PATH_PERCENT = 15,
  PATH_NAME_PERCENT = 8,
  ON_CREATE_PERCENT = 45,
  ON_MATCH_PERCENT = 45,
};

static const unsigned entry_counts[] = {20, 45, 25, 10};
static const unsigned hop_weights[] = {45, 42, 13};

static struct ew_span draw_fresh(struct ew_cypher_writer *writer, char letter) {
  return ew_graph_name(&writer->world->model.graph, ew_writer_fresh_name(writer, letter));
}

static struct ew_span draw_made_label(struct ew_cypher_writer *writer) {
  if (!ew_writer_chance(writer, FRESH_PERCENT)) return ew_writer_draw_label(writer);
  struct ew_span label = draw_fresh(writer, 'L');
  ew_writer_note_label(writer, label);
  return label;
}

static struct ew_span draw_made_type(struct ew_cypher_writer *writer) {
  if (!ew_writer_chance(writer, FRESH_PERCENT)) return ew_writer_draw_type(writer);
  struct ew_span type = draw_fresh(writer, 'T');
  ew_writer_note_type(writer, type);
  return type;
}

static const struct ew_node *label_node(struct ew_cypher_writer *writer, struct ew_span name) {
  return CYPHER(writer->builder, label, .name.name = name);
}

/* Labels of an element that is made: none, one, or two with colons. */
static const struct ew_node *draw_made_labels(struct ew_cypher_writer *writer) {
  const struct ew_node *labels[2];
  if (ew_writer_chance(writer, 12)) return NULL;
  struct ew_span first = draw_made_label(writer);
  labels[0] = label_node(writer, first);
  if (!ew_writer_has(writer, EW_HAS_SEVERAL_LABELS) || !ew_writer_chance(writer, SECOND_LABEL_PERCENT))
    return labels[0];
  struct ew_span second = draw_made_label(writer);
  if (ew_span_equal(first, second)) return labels[0];
  labels[1] = label_node(writer, second);
  return CYPHER(writer->builder, label_colons, .labels.list = ew_list_of(writer->builder, labels, 2));
}

/* What MERGE looks for must not be null: constants, or what a variable is, of which rows may hold equal numbers. */
static const struct ew_node *draw_sure_constant(struct ew_cypher_writer *writer, struct ew_property_type type) {
  const struct ew_cypher_variable *variable = NULL;
  if (!type.list && ew_writer_chance(writer, SOUGHT_VARIABLE_PERCENT))
    variable = ew_writer_pick_variable(writer, ew_writer_type_of(type));
  bool wrong = ew_writer_chance(writer, writer->options->dials[EW_DIAL_wrong]);
  if (variable && (!variable->nullable || wrong)) return ew_writer_name(writer, variable->name);
  for (int i = 0; i < 4; i++) {
    const struct ew_node *drawn = ew_cypher_draw_constant(writer, ew_writer_type_of(type));
    if (!cypher_is(drawn, CYPHER_literal) || CYPHER_AS(literal, drawn)->value.value->kind != EW_VALUE_NULL)
      return drawn;
  }
  return ew_writer_integer(writer, 1);
}

static const struct ew_node *draw_made_map(struct ew_cypher_writer *writer, bool node, bool merge) {
  size_t count = ew_random_weighted(writer->random, entry_counts, EW_COUNT(entry_counts));
  if (!count || !ew_writer_has(writer, EW_HAS_PROPERTY_MAP)) return NULL;
  if (!merge) return ew_cypher_draw_entries(writer, node, count, ew_writer_below(writer, 3));
  struct ew_schema_property property = ew_cypher_draw_key(writer, node);
  const struct ew_node *value = draw_sure_constant(writer, property.type);
  const struct ew_node *entry = CYPHER(writer->builder, entry, .key.name = property.name, .value.node = value);
  return CYPHER(writer->builder, map, .entries.list = ew_list_of(writer->builder, &entry, 1));
}

/* A node in scope that is there in every row. */
static const struct ew_cypher_variable *draw_sure_node(struct ew_cypher_writer *writer) {
  for (int i = 0; i < 3; i++) {
    const struct ew_cypher_variable *node = ew_writer_pick_variable(writer, EW_DRAW_NODE);
    if (!node) return NULL;
    if (!node->nullable) return node;
  }
  return NULL;
}

/* What is made becomes visible behind the clause only. */
struct made {
  struct ew_cypher_variable variables[2 * (2 * HOPS_MAX + 2)];
  size_t count;
};

static struct ew_span name_made(struct ew_cypher_writer *writer, struct made *made, enum ew_draw_type type,
                                char letter) {
  if (!ew_writer_chance(writer, NAMED_PERCENT)) return (struct ew_span){0};
  struct ew_span name = ew_writer_fresh_name(writer, letter);
  made->variables[made->count++] = (struct ew_cypher_variable){.name = name, .type = type};
  return name;
}

static const struct ew_node *draw_made_node(struct ew_cypher_writer *writer, struct made *made, bool merge,
                                            bool may_know) {
  const struct ew_cypher_variable *known =
      may_know && ew_writer_chance(writer, KNOWN_PERCENT) ? draw_sure_node(writer) : NULL;
  if (known) return CYPHER(writer->builder, node_pattern, .variable.name = known->name);
  const struct ew_node *labels = draw_made_labels(writer);
  const struct ew_node *map = draw_made_map(writer, true, merge);
  struct ew_span name = name_made(writer, made, EW_DRAW_NODE, 'n');
  return CYPHER(writer->builder, node_pattern, .variable.name = name, .labels.node = labels, .properties.node = map);
}

static const struct ew_node *draw_made_relationship(struct ew_cypher_writer *writer, struct made *made, bool merge) {
  const struct ew_node *type = label_node(writer, draw_made_type(writer));
  const struct ew_node *map = ew_writer_chance(writer, 50) ? draw_made_map(writer, false, merge) : NULL;
  enum cypher_direction direction = ew_writer_chance(writer, 70) ? CYPHER_OUTGOING : CYPHER_INCOMING;
  if (merge && ew_writer_has(writer, EW_HAS_UNDIRECTED) && ew_writer_chance(writer, 15)) direction = CYPHER_UNDIRECTED;
  struct ew_span name = name_made(writer, made, EW_DRAW_RELATIONSHIP, 'r');
  return CYPHER(writer->builder, relationship_pattern, .direction.choice = direction, .variable.name = name,
                .types.node = type, .properties.node = map);
}

static const struct ew_node *draw_made_path(struct ew_cypher_writer *writer, struct made *made, bool merge) {
  const struct ew_node *elements[2 * HOPS_MAX + 1];
  size_t count = 0, hops = 0;
  if (ew_writer_has(writer, EW_HAS_RELATIONSHIP))
    hops = ew_random_weighted(writer->random, hop_weights, EW_COUNT(hop_weights));
  elements[count++] = draw_made_node(writer, made, merge, hops > 0);
  for (size_t i = 0; i < hops; i++) {
    elements[count++] = draw_made_relationship(writer, made, merge);
    elements[count++] = draw_made_node(writer, made, merge, true);
  }
  struct ew_span name = {0};
  if (hops && ew_writer_has(writer, EW_HAS_PATH_VARIABLE) && ew_writer_chance(writer, PATH_NAME_PERCENT)) {
    name = ew_writer_fresh_name(writer, 'p');
    made->variables[made->count++] = (struct ew_cypher_variable){.name = name, .type = EW_DRAW_PATH};
  }
  struct ew_list list = ew_list_of(writer->builder, elements, count);
  return CYPHER(writer->builder, path, .variable.name = name, .count.number = -1, .elements.list = list);
}

static void bind_made(struct ew_cypher_writer *writer, const struct made *made) {
  for (size_t i = 0; i < made->count; i++) ew_writer_bind(writer, made->variables[i]);
}

bool ew_cypher_write_create(struct ew_cypher_query *query) {
  struct ew_cypher_writer *writer = query->writer;
  const struct ew_node *paths[2];
  struct made made;
  made.count = 0;
  size_t count = 1 + ew_writer_chance(writer, SECOND_PATH_PERCENT);
  for (size_t i = 0; i < count; i++) paths[i] = draw_made_path(writer, &made, false);
  const struct ew_node *clause =
      CYPHER(writer->builder, create, .patterns.list = ew_list_of(writer->builder, paths, count));
  bind_made(writer, &made);
  query->wrote = query->unsettled = true;
  if (!ew_exact_apply(writer, clause)) return false;
  return ew_query_add(query, clause), true;
}

/* ON CREATE SET and ON MATCH SET change what the pattern names, by constants: rows that come later may match what
   earlier ones made. */
static struct ew_list draw_actions(struct ew_cypher_writer *writer, const struct made *made, unsigned percent) {
  const struct ew_node *changes[2];
  struct ew_cypher_aside scope;
  size_t count = 1 + ew_writer_chance(writer, 30), done = 0;
  if (!made->count || !ew_writer_chance(writer, percent)) return (struct ew_list){0};
  ew_writer_put_aside(writer, &scope);
  if (!ew_writer_is_free(writer)) writer->count = 0;
  for (; done < count; done++) {
    const struct ew_cypher_variable *target = &made->variables[ew_writer_below(writer, made->count)];
    if (target->type == EW_DRAW_PATH) target = &made->variables[0];
    if (target->type == EW_DRAW_PATH) break;
    changes[done] = ew_cypher_draw_change(writer, target->name, target->type == EW_DRAW_NODE);
  }
  ew_writer_take_back(writer, &scope);
  return done == count ? ew_list_of(writer->builder, changes, count) : (struct ew_list){0};
}

bool ew_cypher_write_merge(struct ew_cypher_query *query) {
  struct ew_cypher_writer *writer = query->writer;
  struct ew_list on_create = {0}, on_match = {0};
  struct made made;
  made.count = 0;
  const struct ew_node *path = draw_made_path(writer, &made, true);
  if (ew_writer_has(writer, EW_HAS_ON_CREATE)) on_create = draw_actions(writer, &made, ON_CREATE_PERCENT);
  if (ew_writer_has(writer, EW_HAS_ON_MATCH)) on_match = draw_actions(writer, &made, ON_MATCH_PERCENT);
  const struct ew_node *clause =
      CYPHER(writer->builder, merge, .pattern.node = path, .on_create.list = on_create, .on_match.list = on_match);
  bind_made(writer, &made);
  query->wrote = query->unsettled = true;
  if (!ew_exact_apply(writer, clause)) return false;
  return ew_query_add(query, clause), true;
}
