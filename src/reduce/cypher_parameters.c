/* cypher_parameters.c: replaces parameters by their values, all of a statement at once, else one by one. */
#include "lang/cypher/cypher.h"
#include "reduce/edit.h"

static const struct ew_node *put_value(struct ew_builder *builder, const struct ew_node *node, struct ew_place place,
                                       void *context) {
  const struct ew_list *arguments = context;
  (void)place;
  if (!cypher_is(node, CYPHER_parameter)) return node;
  for (size_t i = 0; i < arguments->count; i++) {
    const struct cypher_argument *argument = CYPHER_AS(argument, arguments->items[i]);
    if (ew_span_equal(argument->name.name, CYPHER_AS(parameter, node)->name.name))
      return ew_tree_duplicate(builder, argument->value.node);
  }
  return node;
}

/* With arguments [from, from + count) put in. */
static bool try_piece(struct ew_reduction *reduction, size_t number, const struct ew_node *node, size_t from,
                      size_t count) {
  const struct ew_node *tree = ew_edit_tree(&reduction->best, number);
  struct ew_builder builder = ew_edit_builder(reduction, tree);
  struct cypher_statement statement = *CYPHER_AS(statement, node);
  struct ew_list piece = {statement.arguments.list.items + from, count};
  statement.body.node = ew_tree_map(&builder, statement.body.node, put_value, &piece);
  for (size_t i = 0; i < count; i++)
    statement.arguments.list = ew_list_without(&builder, statement.arguments.list, from);
  const struct ew_node *changed = ew_node_changed(&builder, node, ew_node_fields(&statement.head));
  return ew_edit_try_tree(reduction, number, ew_tree_replace(&builder, tree, node->id, changed));
}

static bool inline_arguments(struct ew_reduction *reduction, size_t number, uint64_t id) {
  const struct ew_node *node = ew_tree_find(ew_edit_tree(&reduction->best, number), id);
  if (!cypher_is(node, CYPHER_statement)) return false;
  size_t count = CYPHER_AS(statement, node)->arguments.list.count;
  if (count > 1 && try_piece(reduction, number, node, 0, count)) return true;
  for (size_t i = 0; i < count; i++)
    if (try_piece(reduction, number, node, i, 1)) return true;
  return false;
}

bool ew_pass_parameters(struct ew_reduction *reduction) {
  return reduction->best.language == &ew_cypher && ew_edit_each_node(reduction, inline_arguments);
}
