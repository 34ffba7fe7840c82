/* pass_constants.c: replaces a node by the simplest ones that its language knows for its place: an expression by null, false, 0. */
#include "contract/language.h"
#include "reduce/edit.h"

static bool simplify(struct ew_reduction *reduction, size_t number, uint64_t id) {
  const struct ew_node *tree = ew_edit_tree(&reduction->best, number), *node = tree ? ew_tree_find(tree, id) : NULL;
  const struct ew_language *language = reduction->best.language;
  if (!node || !language->simplest) return false;
  for (size_t which = 0; !ew_edit_done(reduction); which++) {
    struct ew_builder builder = ew_edit_builder(reduction, tree);
    const struct ew_node *simple = language->simplest(&builder, node, which);
    if (!simple) return false;
    if (ew_edit_try_tree(reduction, number, ew_tree_replace(&builder, tree, id, simple))) return true;
  }
  return false;
}

bool ew_pass_constants(struct ew_reduction *reduction) { return ew_edit_each_node(reduction, simplify); }
