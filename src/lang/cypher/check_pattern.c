/* check_pattern.c: what patterns bind, and what must not be written in them. */
#include "lang/cypher/checker.h"

static const struct ew_span nothing = {0};

static bool creates(enum ew_cypher_pattern_use use) { return use == EW_PATTERN_CREATE || use == EW_PATTERN_MERGE; }

/* Nodes and relationships in turn, with a node at both ends; a group may stand for a node, or next to one. */
static bool is_proper(struct ew_list elements) {
  if (!elements.count || cypher_is(elements.items[0], CYPHER_relationship_pattern)) return false;
  for (size_t i = 1; i < elements.count; i++) {
    const struct ew_node *before = elements.items[i - 1], *here = elements.items[i];
    if (before->kind == here->kind && !cypher_is(here, CYPHER_group)) return false;
  }
  return !cypher_is(elements.items[elements.count - 1], CYPHER_relationship_pattern);
}

/* ---- first pass: variables ---- */

static void bind_node(struct ew_cypher_checker *checker, const struct ew_node *node, enum ew_cypher_pattern_use use,
                      bool alone) {
  const struct cypher_node_pattern *pattern = CYPHER_AS(node_pattern, node);
  struct ew_span name = pattern->variable.name;
  if (!name.length) return;
  const struct ew_cypher_binding *bound = ew_cypher_find(checker, name);
  if (!bound) {
    if (use == EW_PATTERN_PREDICATE) ew_cypher_fail(checker, EW_CYPHER_UndefinedVariable, node, name);
    ew_cypher_bind(checker, name, (struct ew_cypher_type){EW_TYPE_NODE, 0});
    return;
  }
  if (ew_cypher_conflict(bound->type, EW_TYPE_NODE))
    ew_cypher_fail(checker, EW_CYPHER_VariableTypeConflict, node, name);
  if (creates(use) && (alone || pattern->labels.node || pattern->properties.node))
    ew_cypher_fail(checker, EW_CYPHER_VariableAlreadyBound, node, name);
}

static void check_created_relationship(struct ew_cypher_checker *checker, const struct ew_node *node,
                                       enum ew_cypher_pattern_use use) {
  const struct cypher_relationship_pattern *pattern = CYPHER_AS(relationship_pattern, node);
  if (pattern->length.node) ew_cypher_fail(checker, EW_CYPHER_CreatingVarLength, node, nothing);
  const struct ew_node *type = pattern->types.node;
  bool dynamic = cypher_is(type, CYPHER_label_dynamic) && !CYPHER_AS(label_dynamic, type)->any.flag;
  if (!cypher_is(type, CYPHER_label) && !dynamic)
    ew_cypher_fail(checker, EW_CYPHER_NoSingleRelationshipType, node, nothing);
  if (use == EW_PATTERN_CREATE && pattern->direction.choice == CYPHER_UNDIRECTED)
    ew_cypher_fail(checker, EW_CYPHER_RequiresDirectedRelationship, node, nothing);
}

/* `first` is the number of bindings before this clause: what is bound since then is in the same pattern. */
static void bind_relationship(struct ew_cypher_checker *checker, const struct ew_node *node,
                              enum ew_cypher_pattern_use use, size_t first) {
  const struct cypher_relationship_pattern *pattern = CYPHER_AS(relationship_pattern, node);
  struct ew_span name = pattern->variable.name;
  struct ew_cypher_type type = {EW_TYPE_RELATIONSHIP, 0};
  if (pattern->length.node) type = (struct ew_cypher_type){EW_TYPE_LIST, EW_TYPE_RELATIONSHIP};
  const struct ew_cypher_binding *bound = name.length ? ew_cypher_find(checker, name) : NULL;
  if (creates(use) && !bound) check_created_relationship(checker, node, use);
  if (!name.length) return;
  if (!bound) {
    if (use == EW_PATTERN_PREDICATE) ew_cypher_fail(checker, EW_CYPHER_UndefinedVariable, node, name);
    ew_cypher_bind(checker, name, type);
    return;
  }
  bool conflict = ew_cypher_conflict(bound->type, type.set) ||
                  (type.elements && bound->type.elements && !(bound->type.elements & type.elements));
  if (conflict)
    ew_cypher_fail(checker, EW_CYPHER_VariableTypeConflict, node, name);
  else if (creates(use))
    ew_cypher_fail(checker, EW_CYPHER_VariableAlreadyBound, node, name);
  else if (use == EW_PATTERN_MATCH && (size_t)(bound - checker->bindings.items) >= first)
    ew_cypher_fail(checker, EW_CYPHER_RelationshipUniquenessViolation, node, name);
}

static void bind_elements(struct ew_cypher_checker *checker, struct ew_list elements, enum ew_cypher_pattern_use use,
                          size_t first);
static void check_elements(struct ew_cypher_checker *checker, struct ew_list elements, enum ew_cypher_pattern_use use);

/* What is bound in a group is a list outside of it, so what is written in it is judged at once. */
static void bind_group(struct ew_cypher_checker *checker, const struct ew_node *node, enum ew_cypher_pattern_use use,
                       size_t first) {
  const struct cypher_group *group = CYPHER_AS(group, node);
  size_t mark = checker->bindings.count;
  if (creates(use)) ew_cypher_fail(checker, EW_CYPHER_CreatingVarLength, node, nothing);
  bind_elements(checker, group->elements.list, use, first);
  if (group->variable.name.length)
    ew_cypher_bind_new(checker, node, group->variable.name, (struct ew_cypher_type){EW_TYPE_PATH, 0});
  check_elements(checker, group->elements.list, use);
  ew_cypher_check_where(checker, group->where.node);
  for (size_t i = mark; i < checker->bindings.count; i++) {
    struct ew_cypher_type *type = &checker->bindings.items[i].type;
    *type = (struct ew_cypher_type){EW_TYPE_LIST, type->set};
  }
}

static void bind_elements(struct ew_cypher_checker *checker, struct ew_list elements, enum ew_cypher_pattern_use use,
                          size_t first) {
  for (size_t i = 0; i < elements.count; i++) {
    const struct ew_node *element = elements.items[i];
    if (cypher_is(element, CYPHER_node_pattern)) bind_node(checker, element, use, elements.count == 1);
    if (cypher_is(element, CYPHER_relationship_pattern)) bind_relationship(checker, element, use, first);
    if (cypher_is(element, CYPHER_group)) bind_group(checker, element, use, first);
  }
}

static void bind_path(struct ew_cypher_checker *checker, const struct ew_node *node, enum ew_cypher_pattern_use use,
                      size_t first) {
  const struct cypher_path *path = CYPHER_AS(path, node);
  if (!is_proper(path->elements.list)) ew_cypher_fail(checker, EW_CYPHER_UnexpectedSyntax, node, nothing);
  if (creates(use) && path->selector.choice != CYPHER_SELECTOR_NONE)
    ew_cypher_fail(checker, EW_CYPHER_UnexpectedSyntax, node, nothing);
  bind_elements(checker, path->elements.list, use, first);
  if (path->variable.name.length)
    ew_cypher_bind_new(checker, node, path->variable.name, (struct ew_cypher_type){EW_TYPE_PATH, 0});
}

/* ---- second pass: expressions ---- */

static void check_properties(struct ew_cypher_checker *checker, const struct ew_node *properties,
                             enum ew_cypher_pattern_use use) {
  if (!properties) return;
  if (cypher_is(properties, CYPHER_parameter)) {
    if (use != EW_PATTERN_CREATE) ew_cypher_fail(checker, EW_CYPHER_InvalidParameterUse, properties, nothing);
    return;
  }
  if (!cypher_is(properties, CYPHER_map)) {
    ew_cypher_fail(checker, EW_CYPHER_UnexpectedSyntax, properties, nothing);
    return;
  }
  ew_cypher_type_in(checker, properties, EW_AGGREGATES_NO, false);
}

/* Inside the brackets of a relationship its variable is one of them, however many it holds outside. */
static void check_relationship(struct ew_cypher_checker *checker, const struct cypher_relationship_pattern *pattern,
                               enum ew_cypher_pattern_use use) {
  bool many = pattern->variable.name.length && pattern->length.node && use == EW_PATTERN_MATCH;
  if (many) ew_cypher_bind(checker, pattern->variable.name, (struct ew_cypher_type){EW_TYPE_RELATIONSHIP, 0});
  ew_cypher_check_labels(checker, pattern->types.node);
  check_properties(checker, pattern->properties.node, use);
  ew_cypher_check_where(checker, pattern->where.node);
  if (many) checker->bindings.count--;
}

static void check_elements(struct ew_cypher_checker *checker, struct ew_list elements, enum ew_cypher_pattern_use use) {
  for (size_t i = 0; i < elements.count; i++) {
    const struct ew_node *element = elements.items[i];
    if (cypher_is(element, CYPHER_node_pattern)) {
      const struct cypher_node_pattern *pattern = CYPHER_AS(node_pattern, element);
      ew_cypher_check_labels(checker, pattern->labels.node);
      check_properties(checker, pattern->properties.node, use);
      ew_cypher_check_where(checker, pattern->where.node);
    }
    if (cypher_is(element, CYPHER_relationship_pattern))
      check_relationship(checker, CYPHER_AS(relationship_pattern, element), use);
  }
}

void ew_cypher_check_patterns(struct ew_cypher_checker *checker, struct ew_list paths, enum ew_cypher_pattern_use use) {
  size_t first = checker->bindings.count;
  for (size_t i = 0; i < paths.count; i++) {
    /* What is created cannot be looked at while it is created. */
    if (creates(use)) check_elements(checker, CYPHER_AS(path, paths.items[i])->elements.list, use);
    bind_path(checker, paths.items[i], use, first);
  }
  if (!creates(use))
    for (size_t i = 0; i < paths.count; i++)
      check_elements(checker, CYPHER_AS(path, paths.items[i])->elements.list, use);
}

void ew_cypher_check_pattern(struct ew_cypher_checker *checker, const struct ew_node *path,
                             enum ew_cypher_pattern_use use) {
  ew_cypher_check_patterns(checker, (struct ew_list){&path, 1}, use);
}
