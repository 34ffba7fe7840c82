/* cypher_columns.c: drops a column from all branches of a union, which must agree in their columns. */
#include "lang/cypher/cypher.h"
#include "reduce/edit.h"

/* The projection of the RETURN that ends a query; NULL where there is none, or it has a `*`. */
static const struct ew_node *projection_of(const struct ew_node *query) {
  if (!cypher_is(query, CYPHER_query)) return NULL;
  struct ew_list clauses = CYPHER_AS(query, query)->clauses.list;
  const struct ew_node *last = clauses.count ? clauses.items[clauses.count - 1] : NULL;
  if (!cypher_is(last, CYPHER_return)) return NULL;
  const struct ew_node *projection = CYPHER_AS(return, last)->projection.node;
  return CYPHER_AS(projection, projection)->star.flag ? NULL : projection;
}

/* The union without that column; NULL where a branch has none to spare. */
static const struct ew_node *without_column(struct ew_builder *builder, const struct ew_node *node, size_t column) {
  struct ew_list branches = CYPHER_AS(union, node)->branches.list;
  for (size_t i = 0; i < branches.count; i++) {
    const struct ew_node *old = projection_of(branches.items[i]);
    if (!old || CYPHER_AS(projection, old)->items.list.count < 2) return NULL;
    struct cypher_projection projection = *CYPHER_AS(projection, old);
    if (column >= projection.items.list.count) return NULL;
    projection.items.list = ew_list_without(builder, projection.items.list, column);
    const struct ew_node *smaller = ew_node_changed(builder, old, ew_node_fields(&projection.head));
    node = ew_tree_replace(builder, node, old->id, smaller);
  }
  return node;
}

static bool drop_columns(struct ew_reduction *reduction, size_t number, uint64_t id) {
  bool helped = false;
  for (size_t column = 0; !ew_edit_done(reduction);) {
    const struct ew_node *tree = ew_edit_tree(&reduction->best, number), *node = ew_tree_find(tree, id);
    if (!cypher_is(node, CYPHER_union)) break;
    struct ew_builder builder = ew_edit_builder(reduction, tree);
    const struct ew_node *smaller = without_column(&builder, node, column);
    if (!smaller) break;
    if (ew_edit_try_tree(reduction, number, ew_tree_replace(&builder, tree, id, smaller)))
      helped = true;
    else
      column++;
  }
  return helped;
}

bool ew_pass_columns(struct ew_reduction *reduction) {
  return reduction->best.language == &ew_cypher && ew_edit_each_node(reduction, drop_columns);
}
