/* pass_flags.c: switches flags off (DISTINCT, OPTIONAL, DESC), and picks the first of several choices that are no more than a
   spelling or a direction. Not the choice of an expression: its operator is what it is. */
#include "contract/language.h"
#include "reduce/edit.h"

static bool is_expression(const struct ew_reduction *reduction, const struct ew_node *node) {
  const struct ew_language *language = reduction->best.language;
  struct ew_builder builder = ew_edit_builder(reduction, NULL);
  return language->simplest && language->simplest(&builder, node, 0);
}

static bool switch_off(struct ew_reduction *reduction, size_t number, uint64_t id, size_t field) {
  const struct ew_node *tree = ew_edit_tree(&reduction->best, number), *node = ew_tree_find(tree, id);
  if (!node) return false;
  union ew_field fields[EW_FIELDS_MAX];
  memcpy(fields, ew_node_fields(node), ew_kind_field_count(node->kind) * sizeof fields[0]);
  enum ew_field_type type = node->kind->fields[field].type;
  if (type == EW_FIELD_FLAG && fields[field].flag) {
    fields[field].flag = false;
  } else if (type == EW_FIELD_CHOICE && fields[field].choice && !is_expression(reduction, node)) {
    fields[field].choice = 0;
  } else {
    return false;
  }
  struct ew_builder builder = ew_edit_builder(reduction, tree);
  const struct ew_node *changed = ew_node_changed(&builder, node, fields);
  return ew_edit_try_tree(reduction, number, ew_tree_replace(&builder, tree, id, changed));
}

bool ew_pass_flags(struct ew_reduction *reduction) {
  return ew_edit_each_field(reduction, EW_EDIT(EW_FIELD_FLAG) | EW_EDIT(EW_FIELD_CHOICE), switch_off);
}
