/* graph.c: the model's property graph, and taking back what was done to it. */
#include "model/graph.h"

void ew_graph_init(struct ew_graph *graph) {
  *graph = (struct ew_graph){0};
  ew_arena_init(&graph->arena);
  ew_arena_init(&graph->name_arena);
  ew_map_init(&graph->names);
}

void ew_graph_release(struct ew_graph *graph) {
  ew_vector_release(&graph->nodes);
  ew_vector_release(&graph->relationships);
  ew_vector_release(&graph->log);
  ew_map_release(&graph->names);
  ew_arena_release(&graph->name_arena);
  ew_arena_release(&graph->arena);
}

void ew_graph_reset(struct ew_graph *graph) {
  EW_ASSERT(!graph->depth);
  ew_vector_reset(&graph->nodes);
  ew_vector_reset(&graph->relationships);
  ew_vector_reset(&graph->log);
  graph->next_node = graph->next_relationship = 0;
  graph->version++;
  ew_arena_reset(&graph->arena);
}

struct ew_span ew_graph_name(struct ew_graph *graph, struct ew_span name) {
  bool fresh;
  union ew_map_value *value = ew_map_add(&graph->names, name, &fresh);
  if (fresh) value->pointer = (void *)ew_arena_string(&graph->name_arena, name);
  return (struct ew_span){value->pointer, name.length};
}

/* ---- transactions ---- */

static struct ew_change *log_change(struct ew_graph *graph, enum ew_change_kind kind) {
  struct ew_change *change = ew_vector_push(&graph->log);
  graph->version++;
  *change = (struct ew_change){.kind = kind};
  return change;
}

struct ew_graph_mark ew_graph_begin(struct ew_graph *graph) {
  return (struct ew_graph_mark){graph->log.count, graph->depth++, ew_arena_mark(&graph->arena)};
}

/* The newest relationship at a node is the first of its chain, and changes are taken back newest first. */
static void unlink_relationship(struct ew_relationship_record *relationship) {
  relationship->start->outgoing = relationship->next_outgoing;
  relationship->end->incoming = relationship->next_incoming;
}

static void take_back(struct ew_graph *graph, const struct ew_change *change) {
  graph->version++;
  switch (change->kind) {
    case EW_CHANGE_NODE_MADE:
      graph->nodes.count--;
      graph->next_node--;
      break;
    case EW_CHANGE_RELATIONSHIP_MADE:
      unlink_relationship(change->relationship);
      graph->relationships.count--;
      graph->next_relationship--;
      break;
    case EW_CHANGE_NODE_GONE: change->node->deleted = false; break;
    case EW_CHANGE_RELATIONSHIP_GONE: change->relationship->deleted = false; break;
    case EW_CHANGE_NODE_PROPERTIES: change->node->value.properties = change->properties; break;
    case EW_CHANGE_RELATIONSHIP_PROPERTIES: change->relationship->value.properties = change->properties; break;
    case EW_CHANGE_LABELS:
      change->node->value.labels = change->labels;
      change->node->value.label_count = change->label_count;
      break;
  }
}

void ew_graph_rollback(struct ew_graph *graph, struct ew_graph_mark mark) {
  while (graph->log.count > mark.changes) take_back(graph, &graph->log.items[--graph->log.count]);
  graph->depth = mark.depth;
  ew_arena_rewind(&graph->arena, mark.memory);
}

static void drop_deleted_relationships(struct ew_graph *graph) {
  for (size_t i = 0; i < graph->nodes.count; i++)
    graph->nodes.items[i]->outgoing = graph->nodes.items[i]->incoming = NULL;
  size_t kept = 0;
  for (size_t i = 0; i < graph->relationships.count; i++) {
    struct ew_relationship_record *relationship = graph->relationships.items[i];
    if (relationship->deleted) continue;
    graph->relationships.items[kept++] = relationship;
    relationship->next_outgoing = relationship->start->outgoing;
    relationship->next_incoming = relationship->end->incoming;
    relationship->start->outgoing = relationship->end->incoming = relationship;
  }
  graph->relationships.count = kept;
}

static void drop_deleted_nodes(struct ew_graph *graph) {
  size_t kept = 0;
  for (size_t i = 0; i < graph->nodes.count; i++)
    if (!graph->nodes.items[i]->deleted) graph->nodes.items[kept++] = graph->nodes.items[i];
  graph->nodes.count = kept;
}

void ew_graph_commit(struct ew_graph *graph, struct ew_graph_mark mark) {
  graph->depth = mark.depth;
  if (graph->depth) return;
  bool nodes = false, relationships = false;
  for (size_t i = 0; i < graph->log.count; i++) {
    nodes |= graph->log.items[i].kind == EW_CHANGE_NODE_GONE;
    relationships |= graph->log.items[i].kind == EW_CHANGE_RELATIONSHIP_GONE;
  }
  if (relationships) drop_deleted_relationships(graph);
  if (nodes) drop_deleted_nodes(graph);
  ew_vector_reset(&graph->log);
}

/* ---- writing ---- */

struct ew_node_record *ew_graph_add_node(struct ew_graph *graph) {
  struct ew_node_record *node = EW_NEW(&graph->arena, struct ew_node_record);
  node->value.id = graph->next_node++;
  *ew_vector_push(&graph->nodes) = node;
  log_change(graph, EW_CHANGE_NODE_MADE)->node = node;
  return node;
}

struct ew_relationship_record *ew_graph_add_relationship(struct ew_graph *graph, struct ew_node_record *start,
                                                         struct ew_node_record *end, struct ew_span type) {
  struct ew_relationship_record *relationship = EW_NEW(&graph->arena, struct ew_relationship_record);
  relationship->value = (struct ew_relationship_value){.id = graph->next_relationship++,
                                                       .start = start->value.id,
                                                       .end = end->value.id,
                                                       .type = ew_graph_name(graph, type)};
  relationship->start = start;
  relationship->end = end;
  relationship->next_outgoing = start->outgoing;
  relationship->next_incoming = end->incoming;
  start->outgoing = end->incoming = relationship;
  *ew_vector_push(&graph->relationships) = relationship;
  log_change(graph, EW_CHANGE_RELATIONSHIP_MADE)->relationship = relationship;
  return relationship;
}

void ew_graph_delete_node(struct ew_graph *graph, struct ew_node_record *node) {
  if (node->deleted) return;
  node->deleted = true;
  log_change(graph, EW_CHANGE_NODE_GONE)->node = node;
}

void ew_graph_delete_relationship(struct ew_graph *graph, struct ew_relationship_record *relationship) {
  if (relationship->deleted) return;
  relationship->deleted = true;
  log_change(graph, EW_CHANGE_RELATIONSHIP_GONE)->relationship = relationship;
}

static void replace_labels(struct ew_graph *graph, struct ew_node_record *node, const struct ew_span *labels,
                           size_t count) {
  struct ew_change *change = log_change(graph, EW_CHANGE_LABELS);
  change->node = node;
  change->labels = node->value.labels;
  change->label_count = node->value.label_count;
  node->value.labels = labels;
  node->value.label_count = count;
}

static void insert_label(struct ew_graph *graph, struct ew_node_record *node, struct ew_span name) {
  size_t count = node->value.label_count, at = 0;
  struct ew_span *labels = EW_NEW_ARRAY(&graph->arena, struct ew_span, count + 1);
  while (at < count && ew_span_compare(node->value.labels[at], name) < 0) at++;
  for (size_t i = 0; i < count; i++) labels[i < at ? i : i + 1] = node->value.labels[i];
  labels[at] = name;
  replace_labels(graph, node, labels, count + 1);
}

bool ew_graph_add_label(struct ew_graph *graph, struct ew_node_record *node, struct ew_span label) {
  struct ew_span name = ew_graph_name(graph, label);
  if (ew_node_has_label(node, name)) return false;
  insert_label(graph, node, name);
  return true;
}

void ew_graph_repeat_label(struct ew_graph *graph, struct ew_node_record *node, struct ew_span label) {
  insert_label(graph, node, ew_graph_name(graph, label));
}

bool ew_graph_remove_label(struct ew_graph *graph, struct ew_node_record *node, struct ew_span label) {
  struct ew_span name = ew_graph_name(graph, label);
  if (!ew_node_has_label(node, name)) return false;
  struct ew_span *labels = EW_NEW_ARRAY(&graph->arena, struct ew_span, node->value.label_count);
  size_t kept = 0;
  for (size_t i = 0; i < node->value.label_count; i++)
    if (node->value.labels[i].bytes != name.bytes) labels[kept++] = node->value.labels[i];
  replace_labels(graph, node, labels, kept);
  return true;
}

static struct ew_items *properties_of(struct ew_value element) {
  return element.kind == EW_VALUE_NODE ? &ew_node_record(element)->value.properties
                                       : &ew_relationship_record(element)->value.properties;
}

static void put_properties(struct ew_graph *graph, struct ew_value element, struct ew_items properties) {
  bool node = element.kind == EW_VALUE_NODE;
  struct ew_change *change = log_change(graph, node ? EW_CHANGE_NODE_PROPERTIES : EW_CHANGE_RELATIONSHIP_PROPERTIES);
  if (node)
    change->node = ew_node_record(element);
  else
    change->relationship = ew_relationship_record(element);
  change->properties = *properties_of(element);
  *properties_of(element) = properties;
}

bool ew_graph_set_property(struct ew_graph *graph, struct ew_value element, struct ew_span key, struct ew_value value) {
  struct ew_span name = ew_graph_name(graph, key);
  struct ew_items old = *properties_of(element);
  const struct ew_value *there = ew_properties_find(old, name);
  bool removes = value.kind == EW_VALUE_NULL;
  if (removes && !there) return false;
  struct ew_item *items = EW_NEW_ARRAY(&graph->arena, struct ew_item, old.count + 1);
  struct ew_item added = {name, ew_value_copy(&graph->arena, value)};
  size_t count = 0;
  bool placed = removes;
  for (size_t i = 0; i < old.count; i++) {
    if (!placed && ew_span_compare(name, old.items[i].key) <= 0) {
      items[count++] = added;
      placed = true;
    }
    if (old.items[i].key.bytes != name.bytes) items[count++] = old.items[i];
  }
  if (!placed) items[count++] = added;
  put_properties(graph, element, (struct ew_items){items, count});
  return true;
}

void ew_graph_replace_properties(struct ew_graph *graph, struct ew_value element, struct ew_items properties) {
  struct ew_item *items = EW_NEW_ARRAY(&graph->arena, struct ew_item, properties.count);
  size_t count = 0;
  for (size_t i = 0; i < properties.count; i++) {
    if (properties.items[i].value.kind == EW_VALUE_NULL) continue;
    items[count++] = (struct ew_item){ew_graph_name(graph, properties.items[i].key),
                                      ew_value_copy(&graph->arena, properties.items[i].value)};
  }
  put_properties(graph, element, (struct ew_items){items, count});
}

bool ew_graph_name_known(const struct ew_graph *graph, struct ew_span name, struct ew_span *interned) {
  const union ew_map_value *value = ew_map_find(&graph->names, name);
  if (!value) return false;
  *interned = (struct ew_span){value->pointer, name.length};
  return true;
}
