/* pass_hoist.c: replaces a node by one of its class below it: a AND b by a, NOT p by p, a query by one branch of its union. The
   largest steps come first: nodes are taken from the root down, and of the nodes below, the deepest last. */
#include "base/vector.h"
#include "reduce/edit.h"

enum { CHILDREN_MAX = 64 };

struct below {
  unsigned class;
  const struct ew_node *root;
  const struct ew_node *found[CHILDREN_MAX];
  size_t count;
};

static enum ew_walk gather(const struct ew_node *node, struct ew_place place, void *context) {
  struct below *below = context;
  (void)place;
  if (node == below->root) return EW_WALK_ON;
  if (node->kind->class == below->class && below->count < CHILDREN_MAX) {
    below->found[below->count++] = node;
    return EW_WALK_SKIP; /* what is below this one has its turn when this one has taken its parent's place */
  }
  return EW_WALK_ON;
}

static bool hoist(struct ew_reduction *reduction, size_t number, uint64_t id) {
  const struct ew_node *tree = ew_edit_tree(&reduction->best, number), *node = ew_tree_find(tree, id);
  if (!node) return false;
  struct below below = {.class = node->kind->class, .root = node};
  ew_tree_walk(node, gather, &below);
  for (size_t i = 0; i < below.count && !ew_edit_done(reduction); i++) {
    struct ew_builder builder = ew_edit_builder(reduction, tree);
    if (ew_edit_try_tree(reduction, number, ew_tree_replace(&builder, tree, id, below.found[i]))) return true;
  }
  return false;
}

bool ew_pass_hoist(struct ew_reduction *reduction) { return ew_edit_each_node(reduction, hoist); }
