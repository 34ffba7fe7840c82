/* cypher_scope.c: which variables reach the last projection of a query, as the generators know them.

   A predicate is drawn for a base query that is only a tree by then. The language's own analysis says which names are
   visible and of which kind; what it does not know comes from here: labels and types of the patterns that bind them,
   the schema's types of properties, and a witness. Our queries never give one name to two things, so a name alone is
   enough to find it. */
#include "generate/cypher_writer.h"
#include "lang/cypher/scope.h"

static enum ew_draw_type type_of_set(uint32_t set) {
  static const struct {
    uint32_t set;
    enum ew_draw_type type;
  } types[] = {
      {EW_TYPE_BOOLEAN, EW_DRAW_BOOLEAN}, {EW_TYPE_INTEGER, EW_DRAW_INTEGER},
      {EW_TYPE_FLOAT, EW_DRAW_FLOAT},     {EW_TYPE_STRING, EW_DRAW_STRING},
      {EW_TYPE_NODE, EW_DRAW_NODE},       {EW_TYPE_RELATIONSHIP, EW_DRAW_RELATIONSHIP},
      {EW_TYPE_PATH, EW_DRAW_PATH},       {EW_TYPE_MAP, EW_DRAW_MAP},
  };
  for (size_t i = 0; i < EW_COUNT(types); i++)
    if (set == types[i].set) return types[i].type;
  return EW_DRAW_ANY;
}

static enum ew_draw_type type_of_binding(struct ew_cypher_type type) {
  return type.set == EW_TYPE_LIST ? ew_draw_list_of(type_of_set(type.elements)) : type_of_set(type.set);
}

/* ---- what the tree says of a name ---- */

static struct ew_cypher_variable *find(struct ew_cypher_writer *writer, struct ew_span name) {
  for (size_t i = 0; i < writer->count && name.length; i++)
    if (ew_span_equal(writer->variables[i].name, name)) return &writer->variables[i];
  return NULL;
}

static uint32_t bits_of(const struct ew_schema *schema, const struct ew_node *labels, bool types) {
  uint32_t bits = 0;
  if (cypher_is(labels, CYPHER_label)) {
    struct ew_span name = CYPHER_AS(label, labels)->name.name;
    int index = types ? ew_schema_find_type(schema, name) : ew_schema_find_label(schema, name);
    if (index >= 0 && index < 32) bits = (uint32_t)1 << index;
  } else if (cypher_is(labels, CYPHER_label_or)) {
    bits = bits_of(schema, CYPHER_AS(label_or, labels)->left.node, types);
    bits |= bits_of(schema, CYPHER_AS(label_or, labels)->right.node, types);
  } else if (cypher_is(labels, CYPHER_label_colons)) {
    struct ew_list list = CYPHER_AS(label_colons, labels)->labels.list;
    for (size_t i = 0; i < list.count; i++) bits |= bits_of(schema, list.items[i], types);
  }
  return bits;
}

static void refine_item(struct ew_cypher_writer *writer, const struct cypher_item *item) {
  struct ew_cypher_variable *variable = find(writer, item->alias.name);
  if (!variable || variable->type != EW_DRAW_ANY || !cypher_is(item->expression.node, CYPHER_property)) return;
  const struct ew_schema_property *property =
      ew_schema_find_property(&writer->schema, CYPHER_AS(property, item->expression.node)->key.name);
  if (property) variable->type = ew_writer_type_of(property->type);
}

static enum ew_walk refine(const struct ew_node *node, struct ew_place place, void *context) {
  struct ew_cypher_writer *writer = context;
  struct ew_cypher_variable *variable;
  (void)place;
  switch (node->kind->code) {
    case CYPHER_node_pattern:
      variable = find(writer, CYPHER_AS(node_pattern, node)->variable.name);
      if (variable) variable->candidates |= bits_of(&writer->schema, CYPHER_AS(node_pattern, node)->labels.node, false);
      break;
    case CYPHER_relationship_pattern:
      variable = find(writer, CYPHER_AS(relationship_pattern, node)->variable.name);
      if (variable)
        variable->candidates |= bits_of(&writer->schema, CYPHER_AS(relationship_pattern, node)->types.node, true);
      break;
    case CYPHER_item: refine_item(writer, CYPHER_AS(item, node)); break;
    default: break;
  }
  return EW_WALK_ON;
}

/* ---- witnesses ---- */

static bool is_candidate(const struct ew_cypher_variable *variable, int index) {
  return !variable->candidates || (index >= 0 && variable->candidates >> index & 1);
}

static bool may_be_node(const struct ew_cypher_writer *writer, const struct ew_cypher_variable *variable,
                        const struct ew_node_record *node) {
  for (size_t i = 0; i < node->value.label_count; i++)
    if (is_candidate(variable, ew_schema_find_label(&writer->schema, node->value.labels[i]))) return true;
  return !variable->candidates;
}

/* Any element that has the label or type: not sure to be in a row, but the best guess there is. */
static void guess_witness(struct ew_cypher_writer *writer, struct ew_cypher_variable *variable) {
  const struct ew_graph *graph = &writer->world->model.graph;
  bool nodes = variable->type == EW_DRAW_NODE;
  size_t count = nodes ? graph->nodes.count : variable->type == EW_DRAW_RELATIONSHIP ? graph->relationships.count : 0;
  if (!count) return;
  size_t first = ew_writer_below(writer, count);
  for (size_t i = 0; i < count && !variable->known; i++) {
    size_t at = (first + i) % count;
    variable->known =
        nodes
            ? may_be_node(writer, variable, graph->nodes.items[at])
            : is_candidate(variable, ew_schema_find_type(&writer->schema, graph->relationships.items[at]->value.type));
    if (variable->known)
      variable->witness =
          nodes ? ew_node_value_of(graph->nodes.items[at]) : ew_relationship_value_of(graph->relationships.items[at]);
  }
}

/* New names must differ from those in scope: numbers go on behind the largest. */
static void continue_numbers(struct ew_cypher_writer *writer) {
  for (size_t i = 0; i < writer->count; i++) {
    struct ew_span name = writer->variables[i].name;
    unsigned number = 0;
    for (size_t k = 1; k < name.length && k < 8 && name.bytes[k] >= '0' && name.bytes[k] <= '9'; k++)
      number = number * 10 + (unsigned)(name.bytes[k] - '0');
    if (number >= writer->next_name) writer->next_name = number + 1;
  }
}

bool ew_writer_rebuild_scope(struct ew_cypher_writer *writer, const struct ew_node *statement) {
  const struct ew_node *body =
      cypher_is(statement, CYPHER_statement) ? CYPHER_AS(statement, statement)->body.node : NULL;
  if (!cypher_is(body, CYPHER_query)) return false;
  struct ew_list clauses = CYPHER_AS(query, body)->clauses.list;
  if (!clauses.count || !cypher_is(clauses.items[clauses.count - 1], CYPHER_return)) return false;
  struct ew_cypher_bindings visible =
      ew_cypher_visible(writer->builder->arena, statement, clauses.items[clauses.count - 1]);
  writer->count = 0;
  for (size_t i = 0; i < visible.count; i++)
    ew_writer_bind(writer, (struct ew_cypher_variable){.name = visible.items[i].name,
                                                       .type = type_of_binding(visible.items[i].type)});
  ew_tree_walk(statement, refine, writer);
  for (size_t i = 0; i < writer->count; i++) guess_witness(writer, &writer->variables[i]);
  continue_numbers(writer);
  return true;
}
