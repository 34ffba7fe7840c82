/* pass_splice.c: replaces an item of a list by all items of its class that stand in one list below it: CALL { … } and FOREACH by
   their clauses, [[a, b], c] by [a, b, c]. The last of them is left out in a second try: a RETURN cannot stand in the middle. */
#include "reduce/edit.h"

enum { INNER_MAX = 16 };

struct inner {
  unsigned class;
  struct ew_list found[INNER_MAX];
  size_t count;
};

static enum ew_walk gather(const struct ew_node *node, struct ew_place place, void *context) {
  struct inner *inner = context;
  (void)place;
  for (size_t i = 0; i < ew_kind_field_count(node->kind); i++) {
    struct ew_list list = ew_node_fields(node)[i].list;
    bool fits = node->kind->fields[i].type == EW_FIELD_LIST && list.count > 1 &&
                list.items[0]->kind->class == inner->class && inner->count < INNER_MAX;
    if (fits) inner->found[inner->count++] = list;
  }
  return EW_WALK_ON;
}

/* The list with item `index` replaced by the first `count` of others. */
static struct ew_list spliced(struct ew_arena *arena, struct ew_list list, size_t index, struct ew_list others,
                              size_t count) {
  const struct ew_node **items = EW_NEW_ARRAY(arena, const struct ew_node *, list.count + count);
  size_t kept = 0;
  for (size_t i = 0; i < list.count; i++) {
    if (i != index) items[kept++] = list.items[i];
    for (size_t k = 0; i == index && k < count; k++) items[kept++] = others.items[k];
  }
  return (struct ew_list){items, kept};
}

static bool try_inner(struct ew_reduction *reduction, size_t number, uint64_t id, size_t field, size_t index,
                      const struct inner *inner) {
  const struct ew_node *tree = ew_edit_tree(&reduction->best, number), *node = ew_tree_find(tree, id);
  for (size_t i = 0; i < inner->count; i++) {
    for (size_t less = 0; less < 2; less++) {
      union ew_field fields[EW_FIELDS_MAX];
      struct ew_builder builder = ew_edit_builder(reduction, tree);
      memcpy(fields, ew_node_fields(node), ew_kind_field_count(node->kind) * sizeof fields[0]);
      fields[field].list =
          spliced(reduction->arena, fields[field].list, index, inner->found[i], inner->found[i].count - less);
      const struct ew_node *changed = ew_node_changed(&builder, node, fields);
      if (ew_edit_try_tree(reduction, number, ew_tree_replace(&builder, tree, id, changed))) return true;
    }
  }
  return false;
}

static bool splice(struct ew_reduction *reduction, size_t number, uint64_t id, size_t field) {
  bool helped = false;
  for (size_t index = 0; !ew_edit_done(reduction);) {
    const struct ew_node *node = ew_tree_find(ew_edit_tree(&reduction->best, number), id);
    if (!node || index >= ew_node_fields(node)[field].list.count) break;
    const struct ew_node *item = ew_node_fields(node)[field].list.items[index];
    struct inner inner = {.class = item->kind->class};
    ew_tree_walk(item, gather, &inner);
    if (try_inner(reduction, number, id, field, index, &inner))
      helped = true;
    else
      index++;
  }
  return helped;
}

bool ew_pass_splice(struct ew_reduction *reduction) {
  return ew_edit_each_field(reduction, EW_EDIT(EW_FIELD_LIST), splice);
}
