/* cypher_inline.c: makes WITH superfluous, and aliases:

       MATCH (n) WITH n AS v, n.x + 1 AS w WHERE w > 2 RETURN v, w
   ─▶  MATCH (n) WHERE n.x + 1 > 2 RETURN n AS v, n.x + 1 AS w        without the WITH
   ─▶  MATCH (n) WITH n, n.x + 1 AS w WHERE w > 2 RETURN n AS v, w    without one alias

   It need not be the same query: whether the violation is still there is asked of the engine, whether names are bound of the
   checker. */
#include "lang/cypher/cypher.h"
#include "lang/cypher/names.h"
#include "reduce/edit.h"

/* What stands for names from now on: items of a projection, each an expression and its alias. */
struct meaning {
  struct ew_list items;
};

static const struct cypher_item *item_called(const struct meaning *meaning, struct ew_span name) {
  for (size_t i = 0; i < meaning->items.count; i++) {
    const struct cypher_item *item = CYPHER_AS(item, meaning->items.items[i]);
    if (item->alias.name.length && ew_span_equal(item->alias.name, name)) return item;
  }
  return NULL;
}

/* ---- putting meanings in the place of names ---- */

/* A variable becomes what it means; one that was a column keeps its name as an alias. */
static const struct ew_node *put_meaning(struct ew_builder *builder, const struct ew_node *node, struct ew_place place,
                                         void *context) {
  const struct meaning *meaning = context;
  (void)place;
  if (cypher_is(node, CYPHER_variable)) {
    const struct cypher_item *item = item_called(meaning, CYPHER_AS(variable, node)->name.name);
    return item ? ew_tree_duplicate(builder, item->expression.node) : node;
  }
  return node;
}

static const struct ew_node *keep_name(struct ew_builder *builder, const struct ew_node *node, struct ew_place place,
                                       void *context) {
  const struct meaning *meaning = context;
  (void)place;
  if (!cypher_is(node, CYPHER_item)) return node;
  struct cypher_item item = *CYPHER_AS(item, node);
  if (item.alias.name.length || !cypher_is(item.expression.node, CYPHER_variable)) return node;
  struct ew_span name = CYPHER_AS(variable, item.expression.node)->name.name;
  if (!item_called(meaning, name)) return node;
  item.alias.name = name;
  return ew_node_changed(builder, node, ew_node_fields(&item.head));
}

/* Names that are no expressions: of patterns, of SET. They can only become another name. Not the aliases, which are new names. */
static struct ew_span other_name(void *context, enum ew_cypher_role role, struct ew_span name) {
  const struct cypher_item *item = role == EW_ROLE_VARIABLE ? item_called(context, name) : NULL;
  if (!item || !cypher_is(item->expression.node, CYPHER_variable)) return name;
  return CYPHER_AS(variable, item->expression.node)->name.name;
}

static bool projects(const struct ew_node *clause) {
  return cypher_is(clause, CYPHER_with) || cypher_is(clause, CYPHER_return);
}

static const struct ew_node *with_meaning(struct ew_builder *builder, const struct ew_node *clause,
                                          struct meaning *meaning) {
  clause = ew_tree_map(builder, clause, keep_name, meaning);
  clause = ew_tree_map(builder, clause, put_meaning, meaning);
  return projects(clause) ? clause : ew_cypher_rename(builder, clause, other_name, meaning);
}

static bool has_star(const struct ew_node *clause) {
  const struct ew_node *projection = cypher_is(clause, CYPHER_with) ? CYPHER_AS(with, clause)->projection.node
                                                                    : CYPHER_AS(return, clause)->projection.node;
  return CYPHER_AS(projection, projection)->star.flag;
}

/* Clauses [from, count), up to the projection behind which the names are others. */
static void put_in_rest(struct ew_builder *builder, const struct ew_node **clauses, size_t from, size_t count,
                        struct meaning *meaning) {
  for (size_t i = from; i < count; i++) {
    bool last = projects(clauses[i]) && !has_star(clauses[i]);
    clauses[i] = with_meaning(builder, clauses[i], meaning);
    if (last) return;
  }
}

/* ---- without the WITH ---- */

static const struct ew_node *conjoin(struct ew_builder *builder, const struct ew_node *left,
                                     const struct ew_node *right) {
  if (!left) return right;
  return CYPHER(builder, binary, .operator.choice = CYPHER_AND, .left.node = left, .right.node = right);
}

/* The clause before it takes over the condition; NULL where it cannot have one. */
static const struct ew_node *with_condition(struct ew_builder *builder, const struct ew_node *clause,
                                            const struct ew_node *where) {
  if (cypher_is(clause, CYPHER_match)) {
    struct cypher_match match = *CYPHER_AS(match, clause);
    match.where.node = conjoin(builder, match.where.node, where);
    return ew_node_changed(builder, clause, ew_node_fields(&match.head));
  }
  if (!cypher_is(clause, CYPHER_with)) return NULL;
  struct cypher_with with = *CYPHER_AS(with, clause);
  with.where.node = conjoin(builder, with.where.node, where);
  return ew_node_changed(builder, clause, ew_node_fields(&with.head));
}

static const struct ew_node *query_of(struct ew_builder *builder, const struct ew_node *query,
                                      const struct ew_node *const *clauses, size_t count) {
  struct cypher_query changed = *CYPHER_AS(query, query);
  changed.clauses.list = ew_list_of(builder, clauses, count);
  return ew_node_changed(builder, query, ew_node_fields(&changed.head));
}

static const struct ew_node *without_with(struct ew_builder *builder, const struct ew_node *query, size_t index) {
  struct ew_list list = CYPHER_AS(query, query)->clauses.list;
  const struct cypher_with *with = CYPHER_AS(with, list.items[index]);
  const struct cypher_projection *projection = CYPHER_AS(projection, with->projection.node);
  struct meaning meaning = {projection->items.list};
  const struct ew_node **clauses = EW_NEW_ARRAY(builder->arena, const struct ew_node *, list.count);
  size_t count = 0;
  for (size_t i = 0; i < list.count; i++)
    if (i != index) clauses[count++] = list.items[i];
  if (with->where.node) {
    if (!index) return NULL;
    const struct ew_node *where = ew_tree_map(builder, with->where.node, put_meaning, &meaning);
    clauses[index - 1] = with_condition(builder, clauses[index - 1], where);
    if (!clauses[index - 1]) return NULL;
  }
  put_in_rest(builder, clauses, index, count, &meaning);
  return query_of(builder, query, clauses, count);
}

/* ---- without an alias ---- */

static const struct ew_node *without_alias(struct ew_builder *builder, const struct ew_node *query, size_t index,
                                           size_t which) {
  struct ew_list list = CYPHER_AS(query, query)->clauses.list;
  const struct cypher_with *with = CYPHER_AS(with, list.items[index]);
  const struct ew_node *node = CYPHER_AS(projection, with->projection.node)->items.list.items[which];
  struct cypher_item item = *CYPHER_AS(item, node);
  if (!item.alias.name.length || !cypher_is(item.expression.node, CYPHER_variable)) return NULL;
  struct meaning meaning = {{&node, 1}};
  item.alias.name = EW_SPAN("");
  const struct ew_node *plain = ew_node_changed(builder, node, ew_node_fields(&item.head));
  const struct ew_node **clauses = EW_NEW_ARRAY(builder->arena, const struct ew_node *, list.count);
  for (size_t i = 0; i < list.count; i++) clauses[i] = list.items[i];
  /* Its own condition and order see the alias too. */
  clauses[index] = ew_tree_replace(builder, clauses[index], node->id, plain);
  clauses[index] = ew_tree_map(builder, clauses[index], put_meaning, &meaning);
  put_in_rest(builder, clauses, index + 1, list.count, &meaning);
  return query_of(builder, query, clauses, list.count);
}

/* ---- the pass ---- */

/* The recipe of a base speaks of its names too. */
static bool try_changed(struct ew_reduction *reduction, size_t number, uint64_t id, const struct ew_node *changed,
                        struct meaning meaning) {
  const struct ew_node *tree = ew_edit_tree(&reduction->best, number);
  if (!changed) return false;
  struct ew_builder builder = ew_edit_builder(reduction, tree);
  struct ew_case candidate =
      ew_edit_with(reduction->arena, &reduction->best, number, ew_tree_replace(&builder, tree, id, changed));
  if (ew_edit_try(reduction, &candidate)) return true;
  struct ew_list trees = candidate.recipe.trees;
  if (number || !trees.count) return false;
  trees = ew_list_of(&builder, trees.items, trees.count);
  for (size_t i = 0; i < trees.count; i++)
    ((const struct ew_node **)(uintptr_t)trees.items)[i] = ew_tree_map(&builder, trees.items[i], put_meaning, &meaning);
  candidate.recipe.trees = trees;
  return ew_edit_try(reduction, &candidate);
}

static bool try_query(struct ew_reduction *reduction, size_t number, uint64_t id, size_t index) {
  const struct ew_node *tree = ew_edit_tree(&reduction->best, number), *query = ew_tree_find(tree, id);
  const struct ew_node *clause = CYPHER_AS(query, query)->clauses.list.items[index];
  if (!cypher_is(clause, CYPHER_with)) return false;
  struct ew_builder builder = ew_edit_builder(reduction, tree);
  struct ew_list items = CYPHER_AS(projection, CYPHER_AS(with, clause)->projection.node)->items.list;
  struct meaning all = {items};
  if (try_changed(reduction, number, id, without_with(&builder, query, index), all)) return true;
  for (size_t i = 0; i < items.count; i++) {
    struct meaning one = {{&items.items[i], 1}};
    if (try_changed(reduction, number, id, without_alias(&builder, query, index, i), one)) return true;
  }
  return false;
}

static bool inline_names(struct ew_reduction *reduction, size_t number, uint64_t id) {
  bool helped = false;
  for (size_t index = 0; !ew_edit_done(reduction);) {
    const struct ew_node *query = ew_tree_find(ew_edit_tree(&reduction->best, number), id);
    if (!cypher_is(query, CYPHER_query) || index >= CYPHER_AS(query, query)->clauses.list.count) break;
    if (try_query(reduction, number, id, index))
      helped = true;
    else
      index++;
  }
  return helped;
}

bool ew_pass_inline(struct ew_reduction *reduction) {
  return reduction->best.language == &ew_cypher && ew_edit_each_node(reduction, inline_names);
}
