/* pass_numbers.c: leaves out numbers that are part of the syntax, or makes them small: hop counts, how many paths. */
#include "reduce/edit.h"

/* Simplest first; a number is only replaced by one that stands before it, so that the pass ends. */
static const int64_t simple[] = {-1, 1, 0, 2};

static bool simplify(struct ew_reduction *reduction, size_t number, uint64_t id, size_t field) {
  const struct ew_node *tree = ew_edit_tree(&reduction->best, number), *node = ew_tree_find(tree, id);
  if (!node) return false;
  union ew_field fields[EW_FIELDS_MAX];
  memcpy(fields, ew_node_fields(node), ew_kind_field_count(node->kind) * sizeof fields[0]);
  int64_t now = fields[field].number;
  for (size_t i = 0; i < EW_COUNT(simple) && simple[i] != now; i++) {
    struct ew_builder builder = ew_edit_builder(reduction, tree);
    fields[field].number = simple[i];
    const struct ew_node *changed = ew_node_changed(&builder, node, fields);
    if (ew_edit_try_tree(reduction, number, ew_tree_replace(&builder, tree, id, changed))) return true;
  }
  return false;
}

bool ew_pass_numbers(struct ew_reduction *reduction) {
  return ew_edit_each_field(reduction, EW_EDIT(EW_FIELD_NUMBER), simplify);
}
