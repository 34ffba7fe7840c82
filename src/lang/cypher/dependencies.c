/* dependencies.c: data dependencies as the Dinkel paper counts them: how often a symbol (variable, label, type or
   property) appears, less the times it is defined. A label or property is defined where it first appears, a variable
   where it is bound. Of the labels of one element only one counts: long chains of labels must not pass for depth. */
#include "base/map.h"
#include "lang/cypher/cypher.h"
#include "lang/cypher/symbols.h"

struct counter {
  struct ew_map variables, labels, keys; /* that are known */
  size_t dependencies;
};

/* Whether it was known before. */
static bool meet(struct ew_map *known, struct ew_span name) {
  bool fresh;
  ew_map_add(known, name, &fresh);
  return !fresh;
}

/* Whether the name depends on an earlier one. */
static bool count_name(struct counter *counter, enum ew_cypher_role role, struct ew_span name) {
  if (!name.length) return false;
  switch (role) {
    case EW_ROLE_BINDS: meet(&counter->variables, name); return false;
    case EW_ROLE_PATTERN: return meet(&counter->variables, name);
    case EW_ROLE_USES: meet(&counter->variables, name); return true;
    case EW_ROLE_LABEL: return meet(&counter->labels, name);
    case EW_ROLE_KEY: return meet(&counter->keys, name);
    default: return false;
  }
}

static size_t count_names(struct counter *counter, const struct ew_node *node) {
  const union ew_field *fields = ew_node_fields(node);
  size_t dependencies = 0;
  for (size_t i = 0; node->kind->fields[i].type != EW_FIELD_END; i++) {
    enum ew_field_type type = node->kind->fields[i].type;
    enum ew_cypher_role role = ew_cypher_role(node->kind, i);
    size_t found = 0;
    if (role == EW_ROLE_NONE) continue;
    if (type == EW_FIELD_NAME) found = count_name(counter, role, fields[i].name);
    if (type == EW_FIELD_NAMES)
      for (size_t k = 0; k < fields[i].names.count; k++) found += count_name(counter, role, fields[i].names.items[k]);
    dependencies += role == EW_ROLE_LABEL && found > 1 ? 1 : found;
  }
  return dependencies;
}

static enum ew_walk count_labels(const struct ew_node *node, struct ew_place place, void *context) {
  struct counter *counter = context;
  (void)place;
  counter->dependencies += count_names(counter, node);
  return EW_WALK_ON;
}

static enum ew_walk count_node(const struct ew_node *node, struct ew_place place, void *context) {
  struct counter *counter = context;
  (void)place;
  if (node->kind->class != CYPHER_CLASS_LABELS) return count_labels(node, place, context);
  size_t before = counter->dependencies;
  ew_tree_walk(node, count_labels, counter);
  if (counter->dependencies > before) counter->dependencies = before + 1;
  return EW_WALK_SKIP;
}

size_t ew_cypher_dependencies(const struct ew_node *tree) {
  struct counter counter = {0};
  ew_map_init(&counter.variables);
  ew_map_init(&counter.labels);
  ew_map_init(&counter.keys);
  ew_tree_walk(tree, count_node, &counter);
  ew_map_release(&counter.variables);
  ew_map_release(&counter.labels);
  ew_map_release(&counter.keys);
  return counter.dependencies;
}
