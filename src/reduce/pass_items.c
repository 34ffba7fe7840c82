/* pass_items.c: drops items of every list in every tree, by ever smaller pieces: elements of the data, clauses, paths,
   projections, map entries, labels. */
#include "reduce/ddmin.h"
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

/* One list of one node; the node is looked up anew each time because the tree changes. */
struct sweep {
  struct ew_reduction *reduction;
  size_t number, field;
  uint64_t id;
};

static size_t left(void *context) {
  const struct sweep *sweep = context;
  const struct ew_node *node = ew_tree_find(ew_edit_tree(&sweep->reduction->best, sweep->number), sweep->id);
  if (!node || ew_edit_done(sweep->reduction)) return 0;
  const union ew_field *field = &ew_node_fields(node)[sweep->field];
  return node->kind->fields[sweep->field].type == EW_FIELD_LIST ? field->list.count : field->names.count;
}

static bool drop(void *context, size_t from, size_t count) {
  const struct sweep *sweep = context;
  const struct ew_node *tree = ew_edit_tree(&sweep->reduction->best, sweep->number);
  struct ew_builder builder = ew_edit_builder(sweep->reduction, tree);
  const struct ew_node *smaller = without(&builder, ew_tree_find(tree, sweep->id), sweep->field, from, count);
  return ew_edit_try_tree(sweep->reduction, sweep->number, ew_tree_replace(&builder, tree, sweep->id, smaller));
}

static bool shrink_list(struct ew_reduction *reduction, size_t number, uint64_t id, size_t field) {
  struct sweep sweep = {reduction, number, field, id};
  const struct ew_node *node = ew_tree_find(ew_edit_tree(&reduction->best, number), id);
  return node && ew_ddmin(&(struct ew_ddmin){left, drop, &sweep, node->kind->fields[field].least});
}

bool ew_pass_items(struct ew_reduction *reduction) {
  return ew_edit_each_field(reduction, EW_EDIT(EW_FIELD_LIST) | EW_EDIT(EW_FIELD_NAMES), shrink_list);
}
