/* pass_items.c: drops items of every list in every tree, by ever smaller pieces: elements of the data, clauses, paths,
   projections, map entries, labels. */
#include "reduce/edit.h"

/* The node with items [from, from + count) of a list field left out. */
static const struct ew_node *without(struct ew_builder *builder, const struct ew_node *node, size_t field, size_t from,
                                     size_t count) {
  union ew_field fields[EW_FIELDS_MAX];
  size_t field_count = ew_kind_field_count(node->kind);
  memcpy(fields, ew_node_fields(node), field_count * sizeof fields[0]);
  bool names = node->kind->fields[field].type == EW_FIELD_NAMES;
  size_t total = names ? fields[field].names.count : fields[field].list.count, kept = 0;
  if (names) {
    struct ew_span *items = EW_NEW_ARRAY(builder->arena, struct ew_span, total + 1);
    for (size_t i = 0; i < total; i++)
      if (i < from || i >= from + count) items[kept++] = fields[field].names.items[i];
    fields[field].names = (struct ew_names){items, kept};
  } else {
    const struct ew_node **items = EW_NEW_ARRAY(builder->arena, const struct ew_node *, total + 1);
    for (size_t i = 0; i < total; i++)
      if (i < from || i >= from + count) items[kept++] = fields[field].list.items[i];
    fields[field].list = (struct ew_list){items, kept};
  }
  return ew_node_changed(builder, node, fields);
}

static size_t item_count(const struct ew_node *node, size_t field) {
  switch (node->kind->fields[field].type) {
    case EW_FIELD_LIST: return ew_node_fields(node)[field].list.count;
    case EW_FIELD_NAMES: return ew_node_fields(node)[field].names.count;
    default: return 0;
  }
}

/* Pairs are always tried: in a path, a relationship goes together with a node. */
static size_t smaller_piece(size_t piece) { return piece == 3 ? 2 : piece / 2; }

/* One list of one node; the node is looked up anew each time because the tree changes. */
static bool shrink_list(struct ew_reduction *reduction, size_t number, uint64_t id, size_t field) {
  bool helped = false;
  const struct ew_node *tree = ew_edit_tree(&reduction->best, number), *node = ew_tree_find(tree, id);
  for (size_t piece = node ? item_count(node, field) : 0; piece > 0; piece = smaller_piece(piece)) {
    for (size_t from = 0; !ew_edit_done(reduction);) {
      tree = ew_edit_tree(&reduction->best, number);
      node = ew_tree_find(tree, id);
      if (!node || from >= item_count(node, field)) break;
      if (item_count(node, field) < piece + node->kind->fields[field].least) break;
      struct ew_builder builder = ew_edit_builder(reduction, tree);
      const struct ew_node *smaller = without(&builder, node, field, from, piece);
      if (ew_edit_try_tree(reduction, number, ew_tree_replace(&builder, tree, id, smaller))) {
        helped = true;
      } else {
        from += piece;
      }
    }
  }
  return helped;
}

bool ew_pass_items(struct ew_reduction *reduction) {
  return ew_edit_each_field(reduction, EW_EDIT(EW_FIELD_LIST) | EW_EDIT(EW_FIELD_NAMES), shrink_list);
}
