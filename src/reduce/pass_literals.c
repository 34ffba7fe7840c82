/* pass_literals.c: replaces literals by simpler ones of their kind: 0, 1, '', false. A literal that is simple already stays, so
   that the pass ends. */
#include "reduce/edit.h"

/* The simpler values worth trying for `value`, simplest first. */
static size_t simpler(struct ew_value value, struct ew_value candidates[3]) {
  size_t count = 0;
  switch (value.kind) {
    case EW_VALUE_INTEGER:
      if (value.integer != 0) candidates[count++] = ew_integer(0);
      if (value.integer != 0 && value.integer != 1) candidates[count++] = ew_integer(1);
      break;
    case EW_VALUE_FLOAT:
      if (value.number != 0.0) candidates[count++] = ew_float(0.0);
      if (value.number != 0.0 && value.number != 1.0) candidates[count++] = ew_float(1.0);
      break;
    case EW_VALUE_STRING:
      if (value.string.length) candidates[count++] = ew_string(EW_SPAN(""));
      if (value.string.length > 1) candidates[count++] = ew_string(EW_SPAN("a"));
      break;
    case EW_VALUE_BOOLEAN:
      if (value.boolean) candidates[count++] = ew_boolean(false);
      break;
    default: break;
  }
  return count;
}

static bool simplify(struct ew_reduction *reduction, size_t number, uint64_t id, size_t field) {
  const struct ew_node *tree = ew_edit_tree(&reduction->best, number), *node = ew_tree_find(tree, id);
  if (!node || node->kind->fields[field].type != EW_FIELD_VALUE) return false;
  struct ew_value candidates[3];
  size_t count = simpler(*ew_node_fields(node)[field].value, candidates);
  for (size_t i = 0; i < count && !ew_edit_done(reduction); i++) {
    union ew_field fields[EW_FIELDS_MAX];
    struct ew_builder builder = ew_edit_builder(reduction, tree);
    memcpy(fields, ew_node_fields(node), ew_kind_field_count(node->kind) * sizeof fields[0]);
    fields[field].value = ew_literal_of(&builder, candidates[i]);
    const struct ew_node *changed = ew_node_changed(&builder, node, fields);
    if (ew_edit_try_tree(reduction, number, ew_tree_replace(&builder, tree, id, changed))) return true;
  }
  return false;
}

bool ew_pass_literals(struct ew_reduction *reduction) {
  return ew_edit_each_field(reduction, EW_EDIT(EW_FIELD_VALUE), simplify);
}
