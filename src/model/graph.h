/* graph.h: the model's property graph: one that can take back what was done to it.

   A node's record begins with its value (value.h), so that a value of kind NODE points at the living record: whoever
   reads `value.node->properties` sees the graph as it is now. Labels and properties are immutable arrays that a write
   replaces: taking back a write is putting the old pointer back.

       nodes ──▶ record { value { id, labels, properties }, deleted, outgoing, incoming }
                 outgoing ──▶ relationship ── next_outgoing ──▶ relationship ──▶ …

   Names (labels, types, keys) are interned: two that are equal have the same `bytes`, so that comparing them is
   comparing pointers. A deleted record stays where it is, marked, until the outermost commit. */
#ifndef EW_MODEL_GRAPH_H
#define EW_MODEL_GRAPH_H

#include "base/map.h"
#include "base/vector.h"
#include "contract/outcome.h"
#include "value/value.h"

struct ew_relationship_record;

struct ew_node_record {
  struct ew_node_value value; /* first: a value points here; properties and labels have interned names */
  bool deleted;
  struct ew_relationship_record *outgoing, *incoming; /* chains, newest first; deleted ones are still in them */
};

struct ew_relationship_record {
  struct ew_relationship_value value; /* first */
  bool deleted;
  struct ew_node_record *start, *end;
  struct ew_relationship_record *next_outgoing, *next_incoming;
};

static inline struct ew_node_record *ew_node_record(struct ew_value value) {
  return (struct ew_node_record *)(void *)value.node;
}
static inline struct ew_relationship_record *ew_relationship_record(struct ew_value value) {
  return (struct ew_relationship_record *)(void *)value.relationship;
}
static inline struct ew_value ew_node_value_of(const struct ew_node_record *node) {
  return (struct ew_value){.kind = EW_VALUE_NODE, .node = &node->value};
}
static inline struct ew_value ew_relationship_value_of(const struct ew_relationship_record *relationship) {
  return (struct ew_value){.kind = EW_VALUE_RELATIONSHIP, .relationship = &relationship->value};
}

/* What was done, newest last. */
enum ew_change_kind {
  EW_CHANGE_NODE_MADE,
  EW_CHANGE_RELATIONSHIP_MADE,
  EW_CHANGE_NODE_GONE,
  EW_CHANGE_RELATIONSHIP_GONE,
  EW_CHANGE_NODE_PROPERTIES,
  EW_CHANGE_RELATIONSHIP_PROPERTIES,
  EW_CHANGE_LABELS,
};

struct ew_change {
  enum ew_change_kind kind;
  union {
    struct ew_node_record *node;
    struct ew_relationship_record *relationship;
  };
  struct ew_items properties; /* as they were */
  const struct ew_span *labels;
  size_t label_count;
};

/* Side effects as the TCK counts them: the difference between two states. Labels are those that exist in the graph at
   all; a property is an element, a key and a value, so that changing one counts on both sides. */
struct ew_effects {
  int64_t nodes_added, nodes_removed, relationships_added, relationships_removed, labels_added, labels_removed,
      properties_added, properties_removed;
};

struct ew_graph {
  struct ew_arena arena; /* records and their arrays */
  struct ew_arena name_arena;
  struct ew_map names; /* text to interned bytes */
  EW_VECTOR(struct ew_node_record *) nodes;
  EW_VECTOR(struct ew_relationship_record *) relationships;
  EW_VECTOR(struct ew_change) log;
  int64_t next_node, next_relationship; /* ids */
  unsigned depth;                       /* of transactions */
  uint64_t version;                     /* another one after every change, also one that is taken back */
};

void ew_graph_init(struct ew_graph *graph);
void ew_graph_release(struct ew_graph *graph);
/* Empty again; names stay interned. Not within a transaction. */
void ew_graph_reset(struct ew_graph *graph);

struct ew_span ew_graph_name(struct ew_graph *graph, struct ew_span name); /* interned */

/* ---- transactions ---- */

struct ew_graph_mark {
  size_t changes;
  unsigned depth;
  struct ew_arena_mark memory;
};

struct ew_graph_mark ew_graph_begin(struct ew_graph *graph);
/* Takes back everything since the mark, with its memory: values of elements made since are gone. What was begun
   behind it ends too. */
void ew_graph_rollback(struct ew_graph *graph, struct ew_graph_mark mark);
/* Keeps it. The outermost commit drops deleted records from the lists. */
void ew_graph_commit(struct ew_graph *graph, struct ew_graph_mark mark);
/* What changed since the mark. */
struct ew_effects ew_graph_effects(const struct ew_graph *graph, struct ew_graph_mark mark,
                                   const struct ew_semantics *semantics);

/* A number that is the same for two graphs that differ in ids only, and hardly ever for others (state.c). */
uint64_t ew_graph_shape(const struct ew_graph *graph, const struct ew_semantics *semantics);
/* The same for rows as a bag; elements in them go by labels, type and properties. */
uint64_t ew_rows_shape(const struct ew_rows *rows, const struct ew_semantics *semantics);

/* ---- reading ---- */

static inline bool ew_node_has_label(const struct ew_node_record *node, struct ew_span interned) {
  for (size_t i = 0; i < node->value.label_count; i++)
    if (node->value.labels[i].bytes == interned.bytes) return true;
  return false;
}

/* The value of an interned key, or NULL. */
static inline const struct ew_value *ew_properties_find(struct ew_items properties, struct ew_span interned) {
  for (size_t i = 0; i < properties.count; i++)
    if (properties.items[i].key.bytes == interned.bytes) return &properties.items[i].value;
  return NULL;
}

bool ew_graph_name_known(const struct ew_graph *graph, struct ew_span name, struct ew_span *interned);

/* ---- writing: all of it is logged; names are interned here, values copied ---- */

struct ew_node_record *ew_graph_add_node(struct ew_graph *graph);
struct ew_relationship_record *ew_graph_add_relationship(struct ew_graph *graph, struct ew_node_record *start,
                                                         struct ew_node_record *end, struct ew_span type);
void ew_graph_delete_node(struct ew_graph *graph, struct ew_node_record *node);
void ew_graph_delete_relationship(struct ew_graph *graph, struct ew_relationship_record *relationship);
/* Whether it changed anything. */
bool ew_graph_add_label(struct ew_graph *graph, struct ew_node_record *node, struct ew_span label);
/* A plant: the label stands there once more. */
void ew_graph_repeat_label(struct ew_graph *graph, struct ew_node_record *node, struct ew_span label);
bool ew_graph_remove_label(struct ew_graph *graph, struct ew_node_record *node, struct ew_span label);
/* Of a node or relationship value. Null removes. Returns whether the key was set or was there to be removed. */
bool ew_graph_set_property(struct ew_graph *graph, struct ew_value element, struct ew_span key, struct ew_value value);
/* All properties at once; nulls in it are left out. */
void ew_graph_replace_properties(struct ew_graph *graph, struct ew_value element, struct ew_items properties);

#endif
