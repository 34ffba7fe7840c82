/* pattern.c: from patterns to moves.

   What is known comes first, then what has labels; from there along the relationships. Any order gives the same bag
   of matches, so the order is only about speed. A condition that names something not yet found waits until all is
   found. */
#include "model/filter.h"
#include "model/planted.h"

/* ---- elements ---- */

static uint32_t slot_of(struct ew_compiler *compiler, struct ew_span name) {
  uint32_t slot;
  return name.length && ew_compile_find(compiler, name, &slot) ? slot : ew_compile_bind(compiler, name);
}

static struct ew_node_element node_element(struct ew_compiler *compiler, const struct ew_node *node) {
  const struct cypher_node_pattern *source = CYPHER_AS(node_pattern, node);
  return (struct ew_node_element){
      .slot = slot_of(compiler, source->variable.name), .name = source->variable.name, .node = node};
}

static void read_length(const struct ew_node *node, struct ew_relationship_element *element) {
  if (!node) return;
  const struct cypher_length *length = CYPHER_AS(length, node);
  element->variable = true;
  int64_t least = length->form.choice == CYPHER_LENGTH_ASTERISK || length->form.choice == CYPHER_LENGTH_BRACES ? 0 : 1;
  element->low = length->low.number < 0 ? least : length->low.number;
  element->high = length->exact.flag ? element->low : length->high.number < 0 ? INT64_MAX : length->high.number;
}

static struct ew_relationship_element relationship_element(struct ew_compiler *compiler, const struct ew_node *node) {
  const struct cypher_relationship_pattern *source = CYPHER_AS(relationship_pattern, node);
  struct ew_relationship_element element = {.slot = slot_of(compiler, source->variable.name),
                                            .name = source->variable.name,
                                            .direction = source->direction.choice,
                                            .wants_list = source->variable.name.length > 0,
                                            .node = node};
  read_length(source->length.node, &element);
  element.candidate = element.variable ? ew_compile_bind(compiler, EW_SPAN("")) : element.slot;
  return element;
}

/* Adds elements to a path; between two that are no nodes, and beside a group, stands a node that is not written. */
struct path_builder {
  struct ew_compiler *compiler;
  struct ew_path_element *path;
  size_t nodes, relationships;
};

static void bind_elements(struct path_builder *builder, struct ew_list elements);

static void add_hidden_node(struct path_builder *builder) {
  builder->path->nodes[builder->nodes++] =
      (struct ew_node_element){.slot = ew_compile_bind(builder->compiler, EW_SPAN(""))};
}

/* A variable of a group: a slot for one value, which has no name outside, and one for the list of them. */
static void add_group_variable(struct ew_compiler *compiler, struct ew_group *group, struct ew_span name,
                               uint32_t slot) {
  for (size_t i = 0; i < group->count; i++)
    if (group->slots[i] == slot) return;
  group->names[group->count] = name;
  group->slots[group->count] = slot;
  group->lists[group->count++] = ew_compile_bind(compiler, name);
}

static struct ew_group *bind_group(struct ew_compiler *compiler, const struct ew_node *node) {
  const struct cypher_group *source = CYPHER_AS(group, node);
  struct ew_group *group = EW_NEW(compiler->arena, struct ew_group);
  size_t most = 2 * source->elements.list.count + 2; /* nodes that are not written stand between its relationships */
  group->inner = EW_NEW(compiler->arena, struct ew_path_element);
  group->node = node;
  group->slots = EW_NEW_ARRAY(compiler->arena, uint32_t, most);
  group->lists = EW_NEW_ARRAY(compiler->arena, uint32_t, most);
  group->names = EW_NEW_ARRAY(compiler->arena, struct ew_span, most);
  group->inner->nodes = EW_NEW_ARRAY(compiler->arena, struct ew_node_element, most);
  group->inner->relationships = EW_NEW_ARRAY(compiler->arena, struct ew_relationship_element, most);
  size_t visible = compiler->visible.count;
  struct path_builder inner = {.compiler = compiler, .path = group->inner};
  bind_elements(&inner, source->elements.list);
  compiler->visible.count = visible;
  for (size_t i = 0; i <= group->inner->length && !compiler->failed; i++)
    add_group_variable(compiler, group, group->inner->nodes[i].name, group->inner->nodes[i].slot);
  for (size_t i = 0; i < group->inner->length && !compiler->failed; i++)
    add_group_variable(compiler, group, group->inner->relationships[i].name, group->inner->relationships[i].slot);
  return group;
}

static void add_group(struct path_builder *builder, const struct ew_node *node) {
  struct ew_relationship_element element = {.variable = true, .wants_list = true, .low = 1, .high = 1, .node = node};
  element.slot = ew_compile_bind(builder->compiler, EW_SPAN(""));
  element.group = bind_group(builder->compiler, node);
  read_length(CYPHER_AS(group, node)->length.node, &element);
  builder->path->relationships[builder->relationships++] = element;
}

static void bind_elements(struct path_builder *builder, struct ew_list elements) {
  for (size_t i = 0; i < elements.count && !builder->compiler->failed; i++) {
    bool node = cypher_is(elements.items[i], CYPHER_node_pattern);
    if (!node && builder->nodes == builder->relationships) add_hidden_node(builder);
    if (node && builder->nodes > builder->relationships) {
      ew_compile_fail(builder->compiler, EW_FAULT_SYNTAX, "two nodes stand side by side in a path");
      return;
    }
    if (node)
      builder->path->nodes[builder->nodes++] = node_element(builder->compiler, elements.items[i]);
    else if (cypher_is(elements.items[i], CYPHER_group))
      add_group(builder, elements.items[i]);
    else
      builder->path->relationships[builder->relationships++] =
          relationship_element(builder->compiler, elements.items[i]);
  }
  if (builder->nodes == builder->relationships) add_hidden_node(builder);
  builder->path->length = builder->relationships;
}

/* A path that is one pair of brackets without a number is what is in them. */
static struct ew_list elements_of(const struct ew_node *node) {
  struct ew_list elements = CYPHER_AS(path, node)->elements.list;
  while (elements.count == 1 && cypher_is(elements.items[0], CYPHER_group) &&
         !CYPHER_AS(group, elements.items[0])->length.node)
    elements = CYPHER_AS(group, elements.items[0])->elements.list;
  return elements;
}

static void bind_path(struct ew_compiler *compiler, const struct ew_node *node, struct ew_path_element *path) {
  const struct cypher_path *source = CYPHER_AS(path, node);
  struct ew_list elements = elements_of(node);
  *path = (struct ew_path_element){.node = node, .selector = source->selector.choice, .count = source->count.number};
  path->nodes = EW_NEW_ARRAY(compiler->arena, struct ew_node_element, elements.count + 2);
  path->relationships = EW_NEW_ARRAY(compiler->arena, struct ew_relationship_element, elements.count + 2);
  struct path_builder builder = {.compiler = compiler, .path = path};
  bind_elements(&builder, elements);
  path->named = source->variable.name.length > 0;
  if (path->named) path->slot = ew_compile_bind(compiler, source->variable.name);
  /* A path that is chosen among others may be a value without a name: shortestPath(…). */
  bool is_value = path->named || path->selector != CYPHER_SELECTOR_NONE;
  for (size_t i = 0; i < path->length; i++) path->relationships[i].wants_list |= is_value;
}

enum slot_kind { SLOT_UNUSED, SLOT_NODE, SLOT_RELATIONSHIP, SLOT_LIST };

/* One name cannot be two kinds of thing in one pattern: they would share a slot. `kinds` is of the pattern's new
   slots. */
static void check_kind(struct ew_compiler *compiler, enum slot_kind *kinds, uint32_t first, uint32_t slot,
                       struct ew_span name, enum slot_kind kind) {
  if (slot < first) return;
  if (kinds[slot - first] && kinds[slot - first] != kind)
    ew_compile_fail(compiler, EW_FAULT_VARIABLE_TYPE, "%.*s has two kinds", EW_SPAN_ARGS(name));
  kinds[slot - first] = kind;
}

static void check_kinds(struct ew_compiler *compiler, enum slot_kind *kinds, uint32_t first,
                        const struct ew_path_element *path) {
  for (size_t i = 0; i <= path->length; i++)
    check_kind(compiler, kinds, first, path->nodes[i].slot, path->nodes[i].name, SLOT_NODE);
  for (size_t i = 0; i < path->length; i++) {
    const struct ew_relationship_element *element = &path->relationships[i];
    check_kind(compiler, kinds, first, element->slot, element->name, element->variable ? SLOT_LIST : SLOT_RELATIONSHIP);
    if (element->group) check_kinds(compiler, kinds, first, element->group->inner);
  }
}

/* ---- conditions ---- */

static void compile_properties(struct ew_compiler *compiler, const struct ew_node *node,
                               struct ew_condition *condition) {
  condition->properties_tree = node;
  if (!cypher_is(node, CYPHER_map)) {
    condition->map = ew_compile_expression(compiler, node);
    return;
  }
  struct ew_list entries = CYPHER_AS(map, node)->entries.list;
  struct ew_span *keys = EW_NEW_ARRAY(compiler->arena, struct ew_span, entries.count);
  const struct ew_code **values = EW_NEW_ARRAY(compiler->arena, const struct ew_code *, entries.count);
  for (size_t i = 0; i < entries.count; i++) {
    keys[i] = ew_compile_name(compiler, CYPHER_AS(entry, entries.items[i])->key.name);
    values[i] = ew_compile_expression(compiler, CYPHER_AS(entry, entries.items[i])->value.node);
  }
  condition->keys = keys;
  condition->values = values;
  condition->count = entries.count;
}

static void compile_conditions(struct ew_compiler *compiler, struct ew_path_element *path);

/* Within a group its variables are single values. */
static void compile_group(struct ew_compiler *compiler, struct ew_group *group) {
  size_t visible = compiler->visible.count;
  for (size_t i = 0; i < group->count; i++)
    if (group->names[i].length)
      *ew_arena_vector_push(compiler->arena, &compiler->visible) =
          (struct ew_binding){group->names[i], group->slots[i]};
  compile_conditions(compiler, group->inner);
  group->where = ew_compile_expression(compiler, CYPHER_AS(group, group->node)->where.node);
  compiler->visible.count = visible;
}

static void compile_node_condition(struct ew_compiler *compiler, struct ew_node_element *element) {
  if (!element->node) return;
  const struct cypher_node_pattern *source = CYPHER_AS(node_pattern, element->node);
  struct ew_condition *condition = &element->condition;
  condition->labels = ew_compile_labels(compiler, source->labels.node);
  compile_properties(compiler, source->properties.node, condition);
  ew_plant_node_condition(compiler, condition);
  condition->where = ew_compile_expression(compiler, condition->where_tree = source->where.node);
}

static void compile_relationship_condition(struct ew_compiler *compiler, struct ew_relationship_element *element) {
  const struct cypher_relationship_pattern *source = CYPHER_AS(relationship_pattern, element->node);
  struct ew_condition *condition = &element->condition;
  condition->labels = ew_compile_labels(compiler, source->types.node);
  compile_properties(compiler, source->properties.node, condition);
  /* Within its own WHERE the variable is one relationship, also where it is a list outside. */
  struct ew_binding own = {element->name, element->candidate};
  if (own.name.length) *ew_arena_vector_push(compiler->arena, &compiler->visible) = own;
  condition->where = ew_compile_expression(compiler, condition->where_tree = source->where.node);
  if (own.name.length) compiler->visible.count--;
}

static void compile_conditions(struct ew_compiler *compiler, struct ew_path_element *path) {
  for (size_t i = 0; i <= path->length; i++) compile_node_condition(compiler, &path->nodes[i]);
  for (size_t i = 0; i < path->length; i++) {
    if (path->relationships[i].group)
      compile_group(compiler, path->relationships[i].group);
    else
      compile_relationship_condition(compiler, &path->relationships[i]);
  }
}

/* ---- moves ---- */

/* A part of WHERE that waits for what it names. */
struct waiting_condition {
  const struct ew_node *tree;
  const struct ew_code *code;
  bool placed;
};

struct planner {
  struct ew_compiler *compiler;
  struct ew_path_element *paths;
  size_t path_count;
  uint32_t first;
  bool *known; /* by slot - first: has its value at this point */
  EW_VECTOR(struct ew_move) moves, waiting;
  EW_VECTOR(struct waiting_condition) conditions;
  struct ew_pattern *pattern;  /* NULL within a group */
  const struct ew_code **rest; /* of the pattern: the parts of WHERE that are asked at the end */
  bool choosing;               /* among the ways of a path: WHERE comes behind that */
};

static bool is_known(const struct planner *planner, uint32_t slot) {
  return slot < planner->first || planner->known[slot - planner->first];
}

static void make_known(struct planner *planner, uint32_t slot) {
  if (slot >= planner->first) planner->known[slot - planner->first] = true;
}

/* Whether a name is one of the pattern's variables that has no value yet. */
static bool is_pending(const struct planner *planner, struct ew_span name) {
  for (size_t i = 0; i < planner->path_count; i++) {
    const struct ew_path_element *path = &planner->paths[i];
    if (path->named && ew_span_equal(name, CYPHER_AS(path, path->node)->variable.name))
      return !is_known(planner, path->slot);
    for (size_t k = 0; k <= path->length; k++)
      if (ew_span_equal(name, path->nodes[k].name)) return !is_known(planner, path->nodes[k].slot);
    for (size_t k = 0; k < path->length; k++) {
      const struct ew_group *group = path->relationships[k].group;
      if (ew_span_equal(name, path->relationships[k].name)) return !is_known(planner, path->relationships[k].slot);
      for (size_t j = 0; group && j < group->count; j++)
        if (ew_span_equal(name, group->names[j])) return !is_known(planner, group->lists[j]);
    }
  }
  return false;
}

static enum ew_walk find_pending(const struct ew_node *node, struct ew_place place, void *context) {
  const struct planner *planner = context;
  const union ew_field *fields = ew_node_fields(node);
  (void)place;
  for (size_t i = 0; node->kind->fields[i].type != EW_FIELD_END; i++)
    if (node->kind->fields[i].type == EW_FIELD_NAME && fields[i].name.length && is_pending(planner, fields[i].name))
      return EW_WALK_STOP;
  return EW_WALK_ON;
}

static bool can_test(struct planner *planner, const struct ew_condition *condition) {
  bool properties = !condition->properties_tree || ew_tree_walk(condition->properties_tree, find_pending, planner);
  return properties && (!condition->where_tree || ew_tree_walk(condition->where_tree, find_pending, planner));
}

static bool has_tests(const struct ew_condition *condition) {
  return condition->count || condition->map || condition->where;
}

/* Tests at this move what can be tested, and later what cannot. */
static void plan_tests(struct planner *planner, struct ew_move *move, const struct ew_node_element *node,
                       struct ew_relationship_element *relationship) {
  if (node) move->test_node = has_tests(&node->condition) && can_test(planner, &node->condition);
  if (relationship)
    move->test_relationship = has_tests(&relationship->condition) && can_test(planner, &relationship->condition);
  struct ew_move later = {.kind = EW_MOVE_TEST, .path = move->path, .at = move->at};
  if (node && has_tests(&node->condition) && !move->test_node) {
    later.test_node = true;
    later.at = (size_t)(node - move->path->nodes);
    *ew_arena_vector_push(planner->compiler->arena, &planner->waiting) = later;
  }
  later = (struct ew_move){.kind = EW_MOVE_TEST, .path = move->path, .at = move->at};
  if (relationship && has_tests(&relationship->condition) && !move->test_relationship) {
    later.test_relationship = true;
    relationship->wants_list = true;
    *ew_arena_vector_push(planner->compiler->arena, &planner->waiting) = later;
  }
}

/* A move, and behind it what of WHERE can be asked now. */
static void add_move(struct planner *planner, struct ew_move move) {
  *ew_arena_vector_push(planner->compiler->arena, &planner->moves) = move;
  for (size_t i = 0; !planner->choosing && i < planner->conditions.count; i++) {
    struct waiting_condition *condition = &planner->conditions.items[i];
    if (condition->placed || !ew_tree_walk(condition->tree, find_pending, planner)) continue;
    condition->placed = true;
    *ew_arena_vector_push(planner->compiler->arena, &planner->moves) =
        (struct ew_move){.kind = EW_MOVE_TEST, .path = move.path, .condition = condition->code};
  }
}

static void add_waiting(struct planner *planner) {
  for (size_t i = 0; i < planner->waiting.count; i++)
    *ew_arena_vector_push(planner->compiler->arena, &planner->moves) = planner->waiting.items[i];
}

static bool is_ready(const void *planner, const struct ew_node *tree) {
  return ew_tree_walk(tree, find_pending, (void *)(uintptr_t)planner);
}

/* Whether what is asked of the node on the spot cannot fail: then nodes may be left out that were not asked. */
static bool is_harmless(const struct planner *planner, const struct ew_condition *condition) {
  if (condition->map) return false;
  for (size_t i = 0; i < condition->count; i++)
    if (!ew_filter_is_safe_value(condition->values[i]->node, planner->paths, planner->path_count)) return false;
  return !condition->where_tree || ew_filter_is_safe(condition->where_tree, planner->paths, planner->path_count);
}

/* What an index could answer of the node that is looked for next. What may fail is used only where it is asked of every node
   and nothing else is: a property map with one entry; a part of WHERE that is alone, as the node is. */
static const struct ew_seeks *plan_seeks(struct planner *planner, const struct ew_node_element *node) {
  struct ew_arena *arena = planner->compiler->arena;
  const struct ew_condition *condition = &node->condition;
  bool harmless = is_harmless(planner, condition);
  if (!planner->pattern || (!harmless && (condition->count != 1 || condition->map || condition->where))) return NULL;
  EW_VECTOR(struct ew_seek_source) sources = {0};
  for (size_t i = 0; harmless && !planner->choosing && i < planner->conditions.count; i++)
    if (!planner->conditions.items[i].placed)
      *ew_arena_vector_push(arena, &sources) =
          (struct ew_seek_source){planner->conditions.items[i].tree, &planner->conditions.items[i].code};
  bool alone =
      harmless && planner->path_count == 1 && planner->paths[0].length == 0 && planner->pattern->rest_count == 1;
  if (alone)
    *ew_arena_vector_push(arena, &sources) = (struct ew_seek_source){planner->rest[0]->node, &planner->rest[0]};
  return ew_compile_seeks(planner->compiler, node, sources.items, sources.count, is_ready, planner);
}

static void plan_node(struct planner *planner, const struct ew_path_element *path, size_t at) {
  const struct ew_node_element *node = &path->nodes[at];
  struct ew_move move = {.kind = is_known(planner, node->slot) ? EW_MOVE_CHECK : EW_MOVE_SCAN, .path = path, .at = at};
  if (move.kind == EW_MOVE_SCAN && planner->compiler->model->schema.indexes.count)
    move.seeks = plan_seeks(planner, node);
  make_known(planner, node->slot);
  plan_tests(planner, &move, node, NULL);
  add_move(planner, move);
}

static void plan_group(struct planner *planner, struct ew_group *group);

static void plan_expand(struct planner *planner, const struct ew_path_element *path, size_t at, bool backwards) {
  struct ew_relationship_element *relationship = &path->relationships[at];
  const struct ew_node_element *target = &path->nodes[backwards ? at : at + 1];
  struct ew_move move = {.kind = EW_MOVE_EXPAND, .path = path, .at = at, .backwards = backwards};
  if (relationship->group) {
    move.kind = EW_MOVE_REPEAT;
    plan_group(planner, relationship->group);
  }
  move.target_known = is_known(planner, target->slot);
  move.relationship_known = is_known(planner, relationship->slot);
  make_known(planner, target->slot);
  make_known(planner, relationship->slot);
  plan_tests(planner, &move, target, relationship->group ? NULL : relationship);
  add_move(planner, move);
}

/* The moves of one repetition, from the group's first node; its variables are known outside, as lists, when it is
   done. */
static void plan_group(struct planner *planner, struct ew_group *group) {
  struct planner inner = {
      .compiler = planner->compiler, .paths = group->inner, .path_count = 1, .first = planner->first};
  inner.known = planner->known;
  make_known(&inner, group->inner->nodes[0].slot);
  plan_node(&inner, group->inner, 0);
  for (size_t i = 0; i < group->inner->length; i++) plan_expand(&inner, group->inner, i, false);
  add_waiting(&inner);
  group->moves = inner.moves.items;
  group->move_count = inner.moves.count;
  for (size_t i = 0; i < group->count; i++) make_known(planner, group->lists[i]);
}

/* How good a place to start: a known node, one with labels, one with properties, any. */
static unsigned promise(const struct planner *planner, const struct ew_node_element *node) {
  if (is_known(planner, node->slot)) return 8;
  return (node->condition.labels ? 2u : 0u) + (has_tests(&node->condition) ? 1u : 0u);
}

static size_t best_start(const struct planner *planner, const struct ew_path_element *path, unsigned *best) {
  size_t start = 0;
  *best = promise(planner, &path->nodes[0]);
  for (size_t i = 0; i < path->length; i++)
    if (path->relationships[i].group) return 0; /* a group is walked from its left */
  for (size_t i = 1; i <= path->length; i++) {
    unsigned one = promise(planner, &path->nodes[i]);
    if (one > *best) *best = one, start = i;
  }
  return start;
}

static void plan_shortest(struct planner *planner, const struct ew_path_element *path) {
  plan_node(planner, path, 0);
  plan_node(planner, path, path->length);
  struct ew_move move = {.kind = EW_MOVE_SHORTEST, .path = path};
  make_known(planner, path->relationships[0].slot);
  add_move(planner, move);
}

static void plan_ways(struct planner *planner, const struct ew_path_element *path, size_t start) {
  plan_node(planner, path, start);
  for (size_t i = start; i < path->length; i++) plan_expand(planner, path, i, false);
  for (size_t i = start; i-- > 0;) plan_expand(planner, path, i, true);
  const struct ew_list elements = CYPHER_AS(path, path->node)->elements.list;
  if (elements.count != 1 || !cypher_is(elements.items[0], CYPHER_group)) return;
  const struct cypher_group *group = CYPHER_AS(group, elements.items[0]);
  if (group->length.node || !group->where.node) return;
  struct ew_move test = {.kind = EW_MOVE_TEST, .path = path};
  test.condition = ew_compile_expression(planner->compiler, group->where.node);
  *ew_arena_vector_push(planner->compiler->arena, &planner->moves) = test;
}

/* All ways, and a move before them that chooses. */
static void plan_choice(struct planner *planner, const struct ew_path_element *path, size_t start) {
  size_t before = planner->moves.count;
  planner->choosing = true;
  *ew_arena_vector_push(planner->compiler->arena, &planner->moves) =
      (struct ew_move){.kind = EW_MOVE_SELECT, .path = path};
  plan_ways(planner, path, start);
  planner->moves.items[before].at = planner->moves.count - before - 1;
  planner->choosing = false;
}

static void plan_path(struct planner *planner, const struct ew_path_element *path, size_t start) {
  bool single = path->length == 1 && !path->relationships[0].group;
  if (path->selector == CYPHER_SELECTOR_NONE || path->selector == CYPHER_SELECTOR_ALL)
    plan_ways(planner, path, start);
  else if (single &&
           (path->selector == CYPHER_SELECTOR_SHORTEST_PATH || path->selector == CYPHER_SELECTOR_ALL_SHORTEST_PATHS))
    plan_shortest(planner, path);
  else
    plan_choice(planner, path, start);
  if (!path->named) return;
  make_known(planner, path->slot);
  add_move(planner, (struct ew_move){.kind = EW_MOVE_PATH, .path = path});
}

static void plan_all(struct planner *planner) {
  bool *done = EW_NEW_ARRAY(planner->compiler->arena, bool, planner->path_count);
  for (size_t round = 0; round < planner->path_count; round++) {
    size_t chosen = planner->path_count, start = 0;
    unsigned best = 0;
    for (size_t i = 0; i < planner->path_count; i++) {
      unsigned one;
      if (done[i]) continue;
      size_t at = best_start(planner, &planner->paths[i], &one);
      if (chosen != planner->path_count && one <= best) continue;
      chosen = i, start = at, best = one;
    }
    done[chosen] = true;
    plan_path(planner, &planner->paths[chosen], start);
  }
  add_waiting(planner);
}

/* What cannot fail is asked as early as can be; the rest of the whole match. */
static void compile_where(struct planner *planner, const struct ew_node *where, struct ew_pattern *pattern) {
  struct ew_compiler *compiler = planner->compiler;
  struct ew_conjuncts conjuncts = {0};
  ew_filter_split(compiler, where, &conjuncts);
  const struct ew_code **rest = EW_NEW_ARRAY(compiler->arena, const struct ew_code *, conjuncts.count);
  for (size_t i = 0; i < conjuncts.count; i++) {
    const struct ew_code *code = ew_compile_expression(compiler, conjuncts.items[i]);
    if (ew_filter_is_safe(conjuncts.items[i], planner->paths, planner->path_count))
      *ew_arena_vector_push(compiler->arena, &planner->conditions) =
          (struct waiting_condition){.tree = conjuncts.items[i], .code = code};
    else
      rest[pattern->rest_count++] = code;
  }
  pattern->rest = planner->rest = rest;
}

/* What was never asked, because a choice came last, is asked at the end. */
static void place_leftovers(struct planner *planner) {
  for (size_t i = 0; i < planner->conditions.count; i++)
    if (!planner->conditions.items[i].placed)
      *ew_arena_vector_push(planner->compiler->arena, &planner->moves) = (struct ew_move){
          .kind = EW_MOVE_TEST, .path = planner->paths, .condition = planner->conditions.items[i].code};
}

struct ew_pattern *ew_compile_pattern(struct ew_compiler *compiler, struct ew_list paths, const struct ew_node *where) {
  struct ew_pattern *pattern = EW_NEW(compiler->arena, struct ew_pattern);
  struct ew_path_element *elements = EW_NEW_ARRAY(compiler->arena, struct ew_path_element, paths.count);
  pattern->first = compiler->next;
  for (size_t i = 0; i < paths.count && !compiler->failed; i++) bind_path(compiler, paths.items[i], &elements[i]);
  if (compiler->failed) return pattern;
  pattern->end = compiler->next;
  enum slot_kind *kinds = EW_NEW_ARRAY(compiler->arena, enum slot_kind, pattern->end - pattern->first);
  for (size_t i = 0; i < paths.count; i++) check_kinds(compiler, kinds, pattern->first, &elements[i]);
  for (size_t i = 0; i < paths.count; i++) compile_conditions(compiler, &elements[i]);
  struct planner planner = {
      .compiler = compiler, .paths = elements, .path_count = paths.count, .first = pattern->first, .pattern = pattern};
  planner.known = EW_NEW_ARRAY(compiler->arena, bool, pattern->end - pattern->first);
  compile_where(&planner, where, pattern);
  plan_all(&planner);
  place_leftovers(&planner);
  pattern->paths = elements;
  pattern->path_count = paths.count;
  pattern->moves = planner.moves.items;
  pattern->move_count = planner.moves.count;
  if (ew_plants_any(&compiler->model->plants)) ew_plant_rest(compiler, pattern, planner.rest);
  return pattern;
}

bool ew_pattern_rest_holds(struct ew_execution *run, const struct ew_pattern *pattern) {
  enum ew_truth all = EW_TRUE;
  for (size_t i = 0; i < pattern->rest_count && all != EW_FALSE && !run->failed; i++) {
    enum ew_truth one = ew_evaluate_truth(run, pattern->rest[i]);
    if (one != EW_TRUE) all = one;
  }
  return all == EW_TRUE && !run->failed;
}
