/* pass_optional.c: drops what may be absent: an OPT field, or a name that may be empty. */
#include "reduce/edit.h"

static bool drop_field(struct ew_reduction *reduction, size_t number, uint64_t id, size_t field) {
  const struct ew_node *tree = ew_edit_tree(&reduction->best, number), *node = ew_tree_find(tree, id);
  if (!node) return false;
  enum ew_field_type type = node->kind->fields[field].type;
  union ew_field fields[EW_FIELDS_MAX];
  memcpy(fields, ew_node_fields(node), ew_kind_field_count(node->kind) * sizeof fields[0]);
  if (type == EW_FIELD_OPT && fields[field].node) {
    fields[field].node = NULL;
  } else if (type == EW_FIELD_NAME && node->kind->fields[field].optional && fields[field].name.length) {
    fields[field].name = EW_SPAN("");
  } else {
    return false;
  }
  struct ew_builder builder = ew_edit_builder(reduction, tree);
  const struct ew_node *smaller = ew_node_changed(&builder, node, fields);
  return ew_edit_try_tree(reduction, number, ew_tree_replace(&builder, tree, id, smaller));
}

bool ew_pass_optional(struct ew_reduction *reduction) {
  return ew_edit_each_field(reduction, EW_EDIT(EW_FIELD_OPT) | EW_EDIT(EW_FIELD_NAME), drop_field);
}
