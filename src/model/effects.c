/* effects.c: what a transaction changed, as the difference between the state before it and the state now.

   The log has, for each element that was touched, how it was before each change: the first entry is the old state. An
   element that was made within the transaction has no old state, one that was deleted has no new one. */
#include "model/graph.h"

/* One element's state before the mark. */
struct before {
  bool existed;
  struct ew_items properties;
  const struct ew_span *labels;
  size_t label_count;
  bool has_properties, has_labels; /* these were changed, and are the old ones */
};

struct look {
  const struct ew_graph *graph;
  const struct ew_semantics *semantics;
  struct ew_map nodes, relationships; /* id to struct before */
  struct ew_map labels;               /* label to bits: 1 before, 2 now */
  struct ew_arena arena;
  struct ew_effects effects;
};

static struct before *before_of(struct look *look, struct ew_map *map, int64_t id) {
  uint64_t key = (uint64_t)id;
  bool fresh;
  union ew_map_value *value = ew_map_add(map, ew_map_key_number(&key), &fresh);
  if (fresh) {
    struct before *before = EW_NEW(&look->arena, struct before);
    before->existed = true;
    value->pointer = before;
  }
  return value->pointer;
}

static void read_change(struct look *look, const struct ew_change *change) {
  bool of_node = change->kind != EW_CHANGE_RELATIONSHIP_MADE && change->kind != EW_CHANGE_RELATIONSHIP_GONE &&
                 change->kind != EW_CHANGE_RELATIONSHIP_PROPERTIES;
  struct before *before = of_node ? before_of(look, &look->nodes, change->node->value.id)
                                  : before_of(look, &look->relationships, change->relationship->value.id);
  switch (change->kind) {
    case EW_CHANGE_NODE_MADE:
    case EW_CHANGE_RELATIONSHIP_MADE: before->existed = false; break;
    case EW_CHANGE_NODE_PROPERTIES:
    case EW_CHANGE_RELATIONSHIP_PROPERTIES:
      if (!before->has_properties) before->properties = change->properties;
      before->has_properties = true;
      break;
    case EW_CHANGE_LABELS:
      if (!before->has_labels) before->labels = change->labels, before->label_count = change->label_count;
      before->has_labels = true;
      break;
    default: break;
  }
}

static int64_t missing_in(struct ew_items from, struct ew_items in, const struct ew_semantics *semantics) {
  int64_t count = 0;
  for (size_t i = 0; i < from.count; i++) {
    const struct ew_value *other = ew_properties_find(in, from.items[i].key);
    count += !other || other->kind != from.items[i].value.kind ||
             !ew_value_equivalent(*other, from.items[i].value, semantics);
  }
  return count;
}

static void compare_properties(struct look *look, const struct before *before, struct ew_items now, bool exists) {
  struct ew_items old = before->has_properties ? before->properties : now;
  if (!before->existed) old.count = 0;
  if (!exists) now.count = 0;
  look->effects.properties_added += missing_in(now, old, look->semantics);
  look->effects.properties_removed += missing_in(old, now, look->semantics);
}

static void note_labels(struct look *look, const struct ew_span *labels, size_t count, uint64_t bit) {
  for (size_t i = 0; i < count; i++) ew_map_add(&look->labels, labels[i], NULL)->number |= bit;
}

static void compare_node(struct look *look, const struct ew_node_record *node) {
  static const struct before untouched = {.existed = true};
  uint64_t key = (uint64_t)node->value.id;
  const union ew_map_value *found = ew_map_find(&look->nodes, ew_map_key_number(&key));
  const struct before *before = found ? found->pointer : &untouched;
  bool exists = !node->deleted;
  if (exists) note_labels(look, node->value.labels, node->value.label_count, 2);
  if (before->existed && before->has_labels)
    note_labels(look, before->labels, before->label_count, 1);
  else if (before->existed)
    note_labels(look, node->value.labels, node->value.label_count, 1);
  look->effects.nodes_added += exists && !before->existed;
  look->effects.nodes_removed += !exists && before->existed;
  if (found) compare_properties(look, before, node->value.properties, exists);
}

static void compare_relationship(struct look *look, const struct ew_relationship_record *relationship) {
  uint64_t key = (uint64_t)relationship->value.id;
  const union ew_map_value *found = ew_map_find(&look->relationships, ew_map_key_number(&key));
  if (!found) return;
  const struct before *before = found->pointer;
  bool exists = !relationship->deleted;
  look->effects.relationships_added += exists && !before->existed;
  look->effects.relationships_removed += !exists && before->existed;
  compare_properties(look, before, relationship->value.properties, exists);
}

struct ew_effects ew_graph_effects(const struct ew_graph *graph, struct ew_graph_mark mark,
                                   const struct ew_semantics *semantics) {
  if (graph->log.count <= mark.changes) return (struct ew_effects){0};
  struct look look = {.graph = graph, .semantics = semantics};
  ew_arena_init(&look.arena);
  ew_map_init(&look.nodes);
  ew_map_init(&look.relationships);
  ew_map_init(&look.labels);
  for (size_t i = mark.changes; i < graph->log.count; i++) read_change(&look, &graph->log.items[i]);
  for (size_t i = 0; i < graph->nodes.count; i++) compare_node(&look, graph->nodes.items[i]);
  for (size_t i = 0; i < graph->relationships.count; i++) compare_relationship(&look, graph->relationships.items[i]);
  for (size_t i = 0; i < look.labels.count; i++) {
    look.effects.labels_added += look.labels.entries[i].value.number == 2;
    look.effects.labels_removed += look.labels.entries[i].value.number == 1;
  }
  ew_map_release(&look.labels);
  ew_map_release(&look.relationships);
  ew_map_release(&look.nodes);
  ew_arena_release(&look.arena);
  return look.effects;
}
