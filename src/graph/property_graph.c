/* property_graph.c: growing a property graph. */
#include "graph/property_graph.h"

void ew_property_graph_init(struct ew_property_graph *graph, struct ew_arena *arena) {
  *graph = (struct ew_property_graph){.arena = arena};
}

uint32_t ew_property_graph_add_node(struct ew_property_graph *graph) {
  *ew_arena_vector_push(graph->arena, &graph->nodes) =
      (struct ew_graph_node){.outgoing = EW_GRAPH_END, .incoming = EW_GRAPH_END};
  return (uint32_t)graph->nodes.count - 1;
}

uint32_t ew_property_graph_add_relationship(struct ew_property_graph *graph, uint32_t start, uint32_t end,
                                            struct ew_span type) {
  EW_ASSERT(start < graph->nodes.count && end < graph->nodes.count);
  uint32_t id = (uint32_t)graph->relationships.count;
  struct ew_graph_node *from = &graph->nodes.items[start], *to = &graph->nodes.items[end];
  *ew_arena_vector_push(graph->arena, &graph->relationships) = (struct ew_graph_relationship){
      .type = type, .start = start, .end = end, .next_outgoing = from->outgoing, .next_incoming = to->incoming};
  from->outgoing = id;
  to->incoming = id;
  return id;
}

bool ew_graph_node_has_label(const struct ew_graph_node *node, struct ew_span label) {
  for (size_t i = 0; i < node->labels.count; i++)
    if (ew_span_equal(node->labels.items[i], label)) return true;
  return false;
}

void ew_property_graph_add_label(struct ew_property_graph *graph, uint32_t node, struct ew_span label) {
  EW_ASSERT(node < graph->nodes.count);
  struct ew_graph_node *at = &graph->nodes.items[node];
  if (!ew_graph_node_has_label(at, label)) *ew_arena_vector_push(graph->arena, &at->labels) = label;
}

void ew_graph_properties_set(struct ew_arena *arena, struct ew_graph_properties *properties, struct ew_span key,
                             struct ew_value value) {
  for (size_t i = 0; i < properties->entries.count; i++) {
    if (!ew_span_equal(properties->entries.items[i].key, key)) continue;
    properties->entries.items[i].value = value;
    return;
  }
  *ew_arena_vector_push(arena, &properties->entries) = (struct ew_item){key, value};
}

const struct ew_value *ew_graph_properties_find(const struct ew_graph_properties *properties, struct ew_span key) {
  for (size_t i = 0; i < properties->entries.count; i++)
    if (ew_span_equal(properties->entries.items[i].key, key)) return &properties->entries.items[i].value;
  return NULL;
}
