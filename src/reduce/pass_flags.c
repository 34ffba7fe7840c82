/* pass_flags.c: switches flags off: DISTINCT, OPTIONAL, DESC. */
#include "reduce/edit.h"

static bool switch_off(struct ew_reduction *reduction, size_t number, uint64_t id, size_t field) {
  const struct ew_node *tree = ew_edit_tree(&reduction->best, number), *node = ew_tree_find(tree, id);
  if (!node) return false;
  union ew_field fields[EW_FIELDS_MAX];
  memcpy(fields, ew_node_fields(node), ew_kind_field_count(node->kind) * sizeof fields[0]);
  if (node->kind->fields[field].type != EW_FIELD_FLAG || !fields[field].flag) return false;
  fields[field].flag = false;
  struct ew_builder builder = ew_edit_builder(reduction, tree);
  const struct ew_node *changed = ew_node_changed(&builder, node, fields);
  return ew_edit_try_tree(reduction, number, ew_tree_replace(&builder, tree, id, changed));
}

bool ew_pass_flags(struct ew_reduction *reduction) { return ew_edit_each_field(reduction, switch_off); }
