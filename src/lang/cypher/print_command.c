/* print_command.c: commands on indexes and constraints in their two spellings; data and schema of a scene. */
#include "lang/cypher/dialect.h"
#include "lang/cypher/printer.h"

/* ---- commands ---- */

/* :Label of the only node or relationship in the pattern that has one. */
static void print_label_of(struct ew_cypher_printer *printer, const struct ew_node *pattern) {
  struct ew_list elements = CYPHER_AS(path, pattern)->elements.list;
  for (size_t i = 0; i < elements.count; i++) {
    const struct ew_node *element = elements.items[i], *labels = NULL;
    if (cypher_is(element, CYPHER_node_pattern)) labels = CYPHER_AS(node_pattern, element)->labels.node;
    if (cypher_is(element, CYPHER_relationship_pattern)) labels = CYPHER_AS(relationship_pattern, element)->types.node;
    if (!labels) continue;
    ew_cypher_print_labels(printer, labels);
    return;
  }
}

/* The old ON :Label(key, key). */
static void print_on_label(struct ew_cypher_printer *printer, const struct ew_node *pattern,
                           struct ew_list properties) {
  EW_PUT(printer, " ON ");
  print_label_of(printer, pattern);
  if (!properties.count) return;
  EW_PUT(printer, "(");
  for (size_t i = 0; i < properties.count; i++) {
    const struct ew_node *property = properties.items[i];
    if (i) EW_PUT(printer, ", ");
    if (cypher_is(property, CYPHER_property))
      ew_cypher_print_name(printer->text, CYPHER_AS(property, property)->key.name);
    else
      ew_cypher_print_expression(printer, property, EW_LEVEL_ANY);
  }
  EW_PUT(printer, ")");
}

/* CREATE or DROP with everything up to the pattern. */
static void print_command_head(struct ew_cypher_printer *printer, const char *verb, const char *kind, const char *what,
                               struct ew_span name, const char *condition) {
  ew_text_add_string(printer->text, verb);
  EW_PUT(printer, " ");
  if (*kind) ew_text_add_string(printer->text, kind);
  if (*kind) EW_PUT(printer, " ");
  ew_text_add_string(printer->text, what);
  if (name.length) {
    EW_PUT(printer, " ");
    ew_cypher_print_name(printer->text, name);
  }
  ew_text_add_string(printer->text, condition);
}

/* FOR (n:L) ON (n.p), or the old form. */
static void print_indexed(struct ew_cypher_printer *printer, enum cypher_index_kind kind, uint32_t form,
                          const struct ew_node *pattern, struct ew_list properties) {
  if (form == CYPHER_INDEX_ON) {
    print_on_label(printer, pattern, properties);
    return;
  }
  EW_PUT(printer, " FOR ");
  ew_cypher_print_path(printer, pattern);
  if (kind == CYPHER_INDEX_LOOKUP)
    EW_PUT(printer, " ON EACH ");
  else if (kind == CYPHER_INDEX_FULLTEXT)
    EW_PUT(printer, " ON EACH [");
  else
    EW_PUT(printer, " ON (");
  ew_cypher_print_expressions(printer, properties);
  if (kind == CYPHER_INDEX_FULLTEXT)
    EW_PUT(printer, "]");
  else if (kind != CYPHER_INDEX_LOOKUP)
    EW_PUT(printer, ")");
}

static uint32_t index_form(const struct ew_cypher_printer *printer, uint32_t form) {
  return ew_cypher_spelled(printer->profile, "index", cypher_index_form_text, form);
}

static void print_create_index(struct ew_cypher_printer *printer, const struct cypher_create_index *create) {
  uint32_t form = index_form(printer, create->form.choice);
  print_command_head(printer, "CREATE", cypher_index_kind_text[create->index.choice], "INDEX", create->name.name,
                     create->if_not_exists.flag ? " IF NOT EXISTS" : "");
  print_indexed(printer, create->index.choice, form, create->pattern.node, create->properties.list);
  if (!create->options.node) return;
  if (form == CYPHER_INDEX_ON)
    EW_PUT(printer, " WITH CONFIG ");
  else
    EW_PUT(printer, " OPTIONS ");
  ew_cypher_print_expression(printer, create->options.node, EW_LEVEL_ANY);
}

static void print_drop_index(struct ew_cypher_printer *printer, const struct cypher_drop_index *drop) {
  print_command_head(printer, "DROP", cypher_index_kind_text[drop->index.choice], "INDEX", drop->name.name,
                     drop->if_exists.flag ? " IF EXISTS" : "");
  if (drop->pattern.node)
    print_indexed(printer, drop->index.choice, index_form(printer, drop->form.choice), drop->pattern.node,
                  drop->properties.list);
}

/* FOR (n:L) REQUIRE n.p IS UNIQUE, ON (n:L) ASSERT EXISTS (n.p) … Existence follows the form where an engine wants
   another one than the tree has. */
static void print_constraint(struct ew_cypher_printer *printer, uint32_t kind, uint32_t form_of_tree,
                             const struct ew_node *pattern, struct ew_list properties, const struct ew_node *type) {
  uint32_t form = ew_cypher_spelled(printer->profile, "constraint", cypher_constraint_form_text, form_of_tree);
  if (form != form_of_tree && (kind == CYPHER_EXISTENCE || kind == CYPHER_NOT_NULL))
    kind = form == CYPHER_ASSERT ? CYPHER_EXISTENCE : CYPHER_NOT_NULL;
  if (form == CYPHER_ASSERT)
    EW_PUT(printer, " ON ");
  else
    EW_PUT(printer, " FOR ");
  ew_cypher_print_path(printer, pattern);
  EW_PUT(printer, " ");
  ew_text_add_string(printer->text, cypher_constraint_form_text[form]);
  EW_PUT(printer, " ");
  if (kind == CYPHER_EXISTENCE) EW_PUT(printer, "EXISTS ");
  /* Memgraph wants several unique keys without parentheses; one key never needs them. */
  bool enclose =
      kind == CYPHER_EXISTENCE || (properties.count > 1 && !(form == CYPHER_ASSERT && kind == CYPHER_UNIQUE));
  if (enclose) EW_PUT(printer, "(");
  ew_cypher_print_expressions(printer, properties);
  if (enclose) EW_PUT(printer, ")");
  if (kind == CYPHER_EXISTENCE) return;
  EW_PUT(printer, " IS ");
  ew_text_add_string(printer->text, cypher_constraint_kind_text[kind]);
  if (!type) return;
  EW_PUT(printer, " ");
  ew_cypher_print_type(printer, type);
}

void ew_cypher_print_command(struct ew_cypher_printer *printer, const struct ew_node *node) {
  switch (node->kind->code) {
    case CYPHER_create_index: print_create_index(printer, CYPHER_AS(create_index, node)); break;
    case CYPHER_drop_index: print_drop_index(printer, CYPHER_AS(drop_index, node)); break;
    case CYPHER_create_constraint: {
      const struct cypher_create_constraint *create = CYPHER_AS(create_constraint, node);
      print_command_head(printer, "CREATE", "", "CONSTRAINT", create->name.name,
                         create->if_not_exists.flag ? " IF NOT EXISTS" : "");
      print_constraint(printer, create->constraint.choice, create->form.choice, create->pattern.node,
                       create->properties.list, create->type.node);
      break;
    }
    case CYPHER_drop_constraint: {
      const struct cypher_drop_constraint *drop = CYPHER_AS(drop_constraint, node);
      print_command_head(printer, "DROP", "", "CONSTRAINT", drop->name.name, drop->if_exists.flag ? " IF EXISTS" : "");
      if (drop->pattern.node)
        print_constraint(printer, drop->constraint.choice, drop->form.choice, drop->pattern.node, drop->properties.list,
                         drop->type.node);
      break;
    }
    default: EW_BUG("no query: %s", node->kind->name);
  }
}

/* ---- data and schema ---- */

static void print_properties(struct ew_cypher_printer *printer, struct ew_list properties) {
  if (!properties.count) return;
  EW_PUT(printer, " ");
  ew_cypher_print_entries(printer, properties);
}

static void print_graph_node(struct ew_cypher_printer *printer, const struct cypher_graph_node *node) {
  EW_PUT(printer, "(");
  ew_cypher_print_name(printer->text, node->name.name);
  for (size_t i = 0; i < node->labels.names.count; i++) {
    EW_PUT(printer, ":");
    ew_cypher_print_name(printer->text, node->labels.names.items[i]);
  }
  print_properties(printer, node->properties.list);
  EW_PUT(printer, ")");
}

static void print_graph_relationship(struct ew_cypher_printer *printer,
                                     const struct cypher_graph_relationship *relationship) {
  EW_PUT(printer, "(");
  ew_cypher_print_name(printer->text, relationship->start.name);
  EW_PUT(printer, ")-[:");
  ew_cypher_print_name(printer->text, relationship->type.name);
  print_properties(printer, relationship->properties.list);
  EW_PUT(printer, "]->(");
  ew_cypher_print_name(printer->text, relationship->end.name);
  EW_PUT(printer, ")");
}

static void print_data(struct ew_cypher_printer *printer, struct ew_list data, struct ew_span between) {
  for (size_t i = 0; i < data.count; i++) {
    if (i) ew_text_add(printer->text, between);
    ew_cypher_print_datum(printer, data.items[i]);
  }
}

void ew_cypher_print_datum(struct ew_cypher_printer *printer, const struct ew_node *node) {
  switch (node->kind->code) {
    case CYPHER_graph:
      print_data(printer, CYPHER_AS(graph, node)->nodes.list, EW_SPAN(", "));
      if (CYPHER_AS(graph, node)->nodes.list.count && CYPHER_AS(graph, node)->relationships.list.count)
        EW_PUT(printer, ", ");
      print_data(printer, CYPHER_AS(graph, node)->relationships.list, EW_SPAN(", "));
      break;
    case CYPHER_graph_node: print_graph_node(printer, CYPHER_AS(graph_node, node)); break;
    case CYPHER_graph_relationship: print_graph_relationship(printer, CYPHER_AS(graph_relationship, node)); break;
    case CYPHER_schema:
      EW_PUT(printer, "labels ");
      print_data(printer, CYPHER_AS(schema, node)->labels.list, EW_SPAN(", "));
      EW_PUT(printer, "; types ");
      print_data(printer, CYPHER_AS(schema, node)->types.list, EW_SPAN(", "));
      break;
    case CYPHER_schema_element:
      ew_cypher_print_name(printer->text, CYPHER_AS(schema_element, node)->name.name);
      EW_PUT(printer, " {");
      print_data(printer, CYPHER_AS(schema_element, node)->properties.list, EW_SPAN(", "));
      EW_PUT(printer, "}");
      break;
    case CYPHER_schema_property:
      ew_cypher_print_name(printer->text, CYPHER_AS(schema_property, node)->name.name);
      EW_PUT(printer, " ");
      ew_text_add(printer->text, CYPHER_AS(schema_property, node)->type.name);
      break;
    default: EW_BUG("no datum: %s", node->kind->name);
  }
}
