/* property_graph.h: a property graph in memory: nodes with labels and properties, relationships with a type, two ends
   and properties. Generators fill one and read one; it grows only.

   An element's id is its index. The relationships at a node are two chains, newest first:

       node.outgoing ──▶ relationship ── next_outgoing ──▶ relationship ── … ──▶ EW_GRAPH_END
       node.incoming ──▶ relationship ── next_incoming ──▶ …

   A self-loop is in both. Memory is the arena's; labels, types, keys and values are borrowed. */
#ifndef EW_GRAPH_PROPERTY_GRAPH_H
#define EW_GRAPH_PROPERTY_GRAPH_H

#include "base/vector.h"
#include "value/value.h"

#define EW_GRAPH_END UINT32_MAX

struct ew_graph_properties {
  EW_VECTOR(struct ew_item) entries; /* in order of insertion, each key once */
};

struct ew_graph_node {
  EW_VECTOR(struct ew_span) labels; /* each once */
  struct ew_graph_properties properties;
  uint32_t outgoing, incoming;
};

struct ew_graph_relationship {
  struct ew_span type;
  uint32_t start, end;
  struct ew_graph_properties properties;
  uint32_t next_outgoing, next_incoming;
};

struct ew_property_graph {
  struct ew_arena *arena;
  EW_VECTOR(struct ew_graph_node) nodes;
  EW_VECTOR(struct ew_graph_relationship) relationships;
};

void ew_property_graph_init(struct ew_property_graph *graph, struct ew_arena *arena);

/* Both return the new element's id. The ends must exist. */
uint32_t ew_property_graph_add_node(struct ew_property_graph *graph);
uint32_t ew_property_graph_add_relationship(struct ew_property_graph *graph, uint32_t start, uint32_t end,
                                            struct ew_span type);
/* Adding a label that is there does nothing. */
void ew_property_graph_add_label(struct ew_property_graph *graph, uint32_t node, struct ew_span label);
bool ew_graph_node_has_label(const struct ew_graph_node *node, struct ew_span label);

/* Sets or replaces. Null is stored as it is: whoever cannot have it does not pass it. */
void ew_graph_properties_set(struct ew_arena *arena, struct ew_graph_properties *properties, struct ew_span key,
                             struct ew_value value);
/* NULL where there is no such key. */
const struct ew_value *ew_graph_properties_find(const struct ew_graph_properties *properties, struct ew_span key);

#endif
