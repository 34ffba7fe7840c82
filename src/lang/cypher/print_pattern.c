/* print_pattern.c: paths, their elements, and label expressions. */
#include "lang/cypher/printer.h"

/* ---- label expressions: | binds loosest, then &, then ! ---- */

enum label_level { LABEL_OR, LABEL_AND, LABEL_NOT, LABEL_ATOM };

static enum label_level label_level(const struct ew_node *node) {
  switch (node->kind->code) {
    case CYPHER_label_or:
    case CYPHER_label_colons: return LABEL_OR; /* the old spelling mixes with nothing */
    case CYPHER_label_and: return LABEL_AND;
    case CYPHER_label_not: return LABEL_NOT;
    default: return LABEL_ATOM;
  }
}

static void print_label(struct ew_cypher_printer *printer, const struct ew_node *node, enum label_level required);

static void print_label_bare(struct ew_cypher_printer *printer, const struct ew_node *node) {
  switch (node->kind->code) {
    case CYPHER_label: ew_cypher_print_name(printer->text, CYPHER_AS(label, node)->name.name); break;
    case CYPHER_label_wildcard: EW_PUT(printer, "%"); break;
    case CYPHER_label_dynamic:
      if (CYPHER_AS(label_dynamic, node)->any.flag)
        EW_PUT(printer, "$any(");
      else
        EW_PUT(printer, "$(");
      ew_cypher_print_expression(printer, CYPHER_AS(label_dynamic, node)->expression.node, EW_LEVEL_ANY);
      EW_PUT(printer, ")");
      break;
    case CYPHER_label_not:
      EW_PUT(printer, "!");
      print_label(printer, CYPHER_AS(label_not, node)->operand.node, LABEL_NOT);
      break;
    case CYPHER_label_and:
      print_label(printer, CYPHER_AS(label_and, node)->left.node, LABEL_AND);
      EW_PUT(printer, "&");
      print_label(printer, CYPHER_AS(label_and, node)->right.node, LABEL_NOT);
      break;
    case CYPHER_label_or: {
      const struct ew_node *left = CYPHER_AS(label_or, node)->left.node;
      print_label(printer, left, cypher_is(left, CYPHER_label_or) ? LABEL_OR : LABEL_AND);
      EW_PUT(printer, "|");
      print_label(printer, CYPHER_AS(label_or, node)->right.node, LABEL_AND);
      break;
    }
    case CYPHER_label_colons: {
      struct ew_list labels = CYPHER_AS(label_colons, node)->labels.list;
      for (size_t i = 0; i < labels.count; i++) {
        if (i) EW_PUT(printer, ":");
        print_label(printer, labels.items[i], LABEL_ATOM);
      }
      break;
    }
    default: EW_BUG("no label: %s", node->kind->name);
  }
}

static void print_label(struct ew_cypher_printer *printer, const struct ew_node *node, enum label_level required) {
  bool enclose = label_level(node) < required;
  if (enclose) EW_PUT(printer, "(");
  print_label_bare(printer, node);
  if (enclose) EW_PUT(printer, ")");
}

void ew_cypher_print_labels(struct ew_cypher_printer *printer, const struct ew_node *labels) {
  EW_PUT(printer, ":");
  print_label(printer, labels, LABEL_OR);
}

/* ---- elements ---- */

static void print_bounds(struct ew_cypher_printer *printer, const struct cypher_length *length,
                         struct ew_span between) {
  if (length->low.number >= 0) ew_text_add_integer(printer->text, length->low.number);
  if (length->exact.flag) return;
  ew_text_add(printer->text, between);
  if (length->high.number >= 0) ew_text_add_integer(printer->text, length->high.number);
}

void ew_cypher_print_length(struct ew_cypher_printer *printer, const struct ew_node *node) {
  const struct cypher_length *length = CYPHER_AS(length, node);
  switch ((enum cypher_length_form)length->form.choice) {
    case CYPHER_LENGTH_STAR:
      EW_PUT(printer, "*");
      if (length->low.number >= 0 || length->high.number >= 0) print_bounds(printer, length, EW_SPAN(".."));
      break;
    case CYPHER_LENGTH_BRACES:
      EW_PUT(printer, "{");
      print_bounds(printer, length, EW_SPAN(","));
      EW_PUT(printer, "}");
      break;
    case CYPHER_LENGTH_PLUS: EW_PUT(printer, "+"); break;
    case CYPHER_LENGTH_ASTERISK: EW_PUT(printer, "*"); break;
  }
}

/* The properties and WHERE of an element, with a space before them unless they come first. */
static void print_constraints(struct ew_cypher_printer *printer, const struct ew_node *properties,
                              const struct ew_node *where, bool first) {
  if (properties) {
    if (!first) EW_PUT(printer, " ");
    ew_cypher_print_expression(printer, properties, EW_LEVEL_POSTFIX);
  }
  if (!where) return;
  if (!first || properties) EW_PUT(printer, " ");
  EW_PUT(printer, "WHERE ");
  ew_cypher_print_expression(printer, where, EW_LEVEL_ANY);
}

static void print_node(struct ew_cypher_printer *printer, const struct cypher_node_pattern *node) {
  EW_PUT(printer, "(");
  size_t start = printer->text->length;
  if (node->variable.name.length) ew_cypher_print_name(printer->text, node->variable.name);
  if (node->labels.node) ew_cypher_print_labels(printer, node->labels.node);
  print_constraints(printer, node->properties.node, node->where.node, printer->text->length == start);
  EW_PUT(printer, ")");
}

static void print_relationship(struct ew_cypher_printer *printer,
                               const struct cypher_relationship_pattern *relationship) {
  const struct ew_node *length = relationship->length.node;
  bool inside = length && CYPHER_AS(length, length)->form.choice == CYPHER_LENGTH_STAR;
  bool empty = !relationship->variable.name.length && !relationship->types.node && !inside &&
               !relationship->properties.node && !relationship->where.node;
  if (relationship->direction.choice == CYPHER_INCOMING) EW_PUT(printer, "<");
  EW_PUT(printer, "-");
  if (!empty) {
    EW_PUT(printer, "[");
    size_t start = printer->text->length;
    if (relationship->variable.name.length) ew_cypher_print_name(printer->text, relationship->variable.name);
    if (relationship->types.node) ew_cypher_print_labels(printer, relationship->types.node);
    if (inside) ew_cypher_print_length(printer, length);
    print_constraints(printer, relationship->properties.node, relationship->where.node, printer->text->length == start);
    EW_PUT(printer, "]");
  }
  EW_PUT(printer, "-");
  if (relationship->direction.choice == CYPHER_OUTGOING) EW_PUT(printer, ">");
  if (length && !inside) ew_cypher_print_length(printer, length);
}

static void print_group(struct ew_cypher_printer *printer, const struct cypher_group *group) {
  EW_PUT(printer, "(");
  if (group->variable.name.length) {
    ew_cypher_print_name(printer->text, group->variable.name);
    EW_PUT(printer, " = ");
  }
  for (size_t i = 0; i < group->elements.list.count; i++)
    ew_cypher_print_element(printer, group->elements.list.items[i]);
  ew_cypher_print_where(printer, group->where.node);
  EW_PUT(printer, ")");
  if (group->length.node) ew_cypher_print_length(printer, group->length.node);
}

void ew_cypher_print_element(struct ew_cypher_printer *printer, const struct ew_node *node) {
  switch (node->kind->code) {
    case CYPHER_node_pattern: print_node(printer, CYPHER_AS(node_pattern, node)); break;
    case CYPHER_relationship_pattern: print_relationship(printer, CYPHER_AS(relationship_pattern, node)); break;
    case CYPHER_group: print_group(printer, CYPHER_AS(group, node)); break;
    default: EW_BUG("no element: %s", node->kind->name);
  }
}

/* ---- paths ---- */

/* What stands before the first element; returns whether a parenthesis was opened. */
static bool print_selector(struct ew_cypher_printer *printer, const struct cypher_path *path) {
  enum cypher_selector selector = path->selector.choice;
  if (selector == CYPHER_SELECTOR_NONE) return false;
  bool groups = selector == CYPHER_SELECTOR_SHORTEST_GROUPS;
  ew_text_add_string(printer->text, cypher_selector_text[groups ? CYPHER_SELECTOR_SHORTEST : selector]);
  if (selector == CYPHER_SELECTOR_SHORTEST_PATH || selector == CYPHER_SELECTOR_ALL_SHORTEST_PATHS) {
    EW_PUT(printer, "(");
    return true;
  }
  EW_PUT(printer, " ");
  if (path->count.number >= 0) {
    ew_text_add_integer(printer->text, path->count.number);
    EW_PUT(printer, " ");
  }
  if (groups) EW_PUT(printer, "GROUPS ");
  return false;
}

void ew_cypher_print_path(struct ew_cypher_printer *printer, const struct ew_node *node) {
  const struct cypher_path *path = CYPHER_AS(path, node);
  if (path->variable.name.length) {
    ew_cypher_print_name(printer->text, path->variable.name);
    EW_PUT(printer, " = ");
  }
  bool opened = print_selector(printer, path);
  for (size_t i = 0; i < path->elements.list.count; i++) ew_cypher_print_element(printer, path->elements.list.items[i]);
  if (opened) EW_PUT(printer, ")");
}

void ew_cypher_print_paths(struct ew_cypher_printer *printer, struct ew_list paths) {
  for (size_t i = 0; i < paths.count; i++) {
    if (i) EW_PUT(printer, ", ");
    ew_cypher_print_path(printer, paths.items[i]);
  }
}
