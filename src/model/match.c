/* match.c: finding matches: a depth-first walk through the moves of a pattern, and the clause MATCH.

   A relationship is met once in a match of one clause: the ones in use are kept in a list. */
#include "model/matcher.h"
#include "model/planted.h"
#include "model/seek.h"

/* ---- conditions ---- */

static bool property_is(struct ew_execution *run, struct ew_items properties, struct ew_span key,
                        struct ew_value wanted) {
  const struct ew_value *value = ew_properties_find(properties, key);
  if (!value) value = ew_items_find(properties, key);
  return value && ew_value_equal(*value, wanted, run->semantics) == EW_TRUE;
}

static bool map_fits(struct ew_execution *run, struct ew_value map, struct ew_items properties) {
  if (map.kind == EW_VALUE_NULL) return false;
  if (map.kind != EW_VALUE_MAP) {
    ew_run_fail(run, EW_FAULT_ARGUMENT_TYPE, "%s as properties", ew_kind_text(map));
    return false;
  }
  for (size_t i = 0; i < map.map.count; i++)
    if (!property_is(run, properties, map.map.items[i].key, map.map.items[i].value)) return false;
  return true;
}

bool ew_condition_holds(struct ew_execution *run, const struct ew_condition *condition, struct ew_value element) {
  struct ew_items properties =
      element.kind == EW_VALUE_NODE ? element.node->properties : element.relationship->properties;
  for (size_t i = 0; i < condition->count; i++)
    if (!property_is(run, properties, condition->keys[i], ew_evaluate(run, condition->values[i])) &&
        !(run->model->plants.any && ew_plant_null_parameter(run, properties, condition->keys[i], condition->values[i])))
      return false;
  if (condition->map && !map_fits(run, ew_evaluate(run, condition->map), properties)) return false;
  return !condition->where || ew_evaluate_truth(run, condition->where) == EW_TRUE;
}

static bool type_fits(struct ew_matcher *matcher, const struct ew_relationship_element *element,
                      const struct ew_relationship_record *relationship) {
  const struct ew_labels *types = element->condition.labels;
  if (!types) return true;
  if (types->kind == CYPHER_label) return types->name.bytes == relationship->value.type.bytes;
  return ew_labels_hold_type(matcher->run, types, relationship->value.type);
}

static bool is_used(const struct ew_matcher *matcher, const struct ew_relationship_element *element,
                    const struct ew_relationship_record *relationship) {
  if (matcher->repeats) return false;
  for (size_t i = 0; i < matcher->used.count; i++)
    if (matcher->used.items[i].relationship == relationship)
      return !ew_plants_any(&matcher->run->model->plants) ||
             !ew_plant_shares(matcher->run->model, matcher->used.items[i].element, element);
  return false;
}

static void use(struct ew_matcher *matcher, const struct ew_relationship_element *element,
                const struct ew_relationship_record *relationship) {
  *ew_arena_vector_push(matcher->run->arena, &matcher->used) = (struct ew_used){relationship, element};
}

bool ew_matcher_take_node(struct ew_matcher *matcher, const struct ew_move *move, const struct ew_node_element *element,
                          struct ew_node_record *node, bool known) {
  struct ew_execution *run = matcher->run;
  struct ew_value value = ew_node_value_of(node);
  if (node->deleted) return false;
  if (known) {
    struct ew_value there = run->slots[element->slot];
    if (there.kind != EW_VALUE_NODE || there.node != value.node) return false;
  } else {
    run->slots[element->slot] = value;
  }
  const struct ew_labels *labels = element->condition.labels;
  if (move->seeks && labels && labels->kind == CYPHER_label && run->model->planted.stale.count &&
      ew_plant_is_stale(run, node, labels->name))
    labels = NULL;
  if (labels &&
      !(labels->kind == CYPHER_label ? ew_node_has_label(node, labels->name) : ew_labels_hold_node(run, labels, node)))
    return false;
  return !move->test_node || ew_condition_holds(run, &element->condition, value);
}

static bool take_relationship(struct ew_matcher *matcher, const struct ew_move *move,
                              const struct ew_relationship_element *element,
                              const struct ew_relationship_record *relationship) {
  if (relationship->deleted || !type_fits(matcher, element, relationship) || is_used(matcher, element, relationship))
    return false;
  struct ew_value value = ew_relationship_value_of(relationship);
  if (element->condition.where) matcher->run->slots[element->candidate] = value;
  if (element->first_only && matcher->used.count && matcher->used.items[matcher->used.count - 1].element == element)
    return true;
  return !move->test_relationship || ew_condition_holds(matcher->run, &element->condition, value);
}

/* ---- one relationship ---- */

/* Calls `visit` for every relationship at `node` that may be followed in this direction, with the node at its other
   end. */
struct visitor {
  struct ew_matcher *matcher;
  const struct ew_move *move;
  size_t at;
  bool (*visit)(struct visitor *visitor, struct ew_relationship_record *relationship, struct ew_node_record *other);
};

static bool visit_neighbours(struct visitor *visitor, struct ew_node_record *node) {
  const struct ew_relationship_element *element = &visitor->move->path->relationships[visitor->move->at];
  struct ew_execution *run = visitor->matcher->run;
  enum cypher_direction forward = visitor->move->backwards ? CYPHER_INCOMING : CYPHER_OUTGOING;
  bool both = element->direction == CYPHER_UNDIRECTED;
  if (both || element->direction == forward)
    for (struct ew_relationship_record *r = node->outgoing; r; r = r->next_outgoing) {
      if (!ew_run_spend(run, 1)) return false;
      if (take_relationship(visitor->matcher, visitor->move, element, r) && !visitor->visit(visitor, r, r->end))
        return false;
    }
  if (both || element->direction != forward)
    for (struct ew_relationship_record *r = node->incoming; r; r = r->next_incoming) {
      if (!ew_run_spend(run, 1)) return false;
      if (both && r->start == r->end && !run->semantics->self_loop_twice && !element->loops_twice) continue;
      if (take_relationship(visitor->matcher, visitor->move, element, r) && !visitor->visit(visitor, r, r->start))
        return false;
    }
  return true;
}

/* Whether a relationship that was looked at before leads to the same node, and would do: a plant. */
static bool is_parallel(struct visitor *visitor, const struct ew_relationship_record *relationship,
                        const struct ew_node_record *other) {
  const struct ew_relationship_element *element = &visitor->move->path->relationships[visitor->move->at];
  bool out = relationship->end == other;
  const struct ew_relationship_record *first = out ? relationship->start->outgoing : relationship->end->incoming;
  for (; first != relationship; first = out ? first->next_outgoing : first->next_incoming)
    if ((out ? first->end : first->start) == other && first->value.type.bytes == relationship->value.type.bytes &&
        take_relationship(visitor->matcher, visitor->move, element, first))
      return true;
  return false;
}

static bool visit_single(struct visitor *visitor, struct ew_relationship_record *relationship,
                         struct ew_node_record *other) {
  struct ew_matcher *matcher = visitor->matcher;
  const struct ew_move *move = visitor->move;
  const struct ew_relationship_element *element = &move->path->relationships[move->at];
  struct ew_value *slot = &matcher->run->slots[element->slot];
  if (element->folded && is_parallel(visitor, relationship, other)) return true;
  if (move->relationship_known) {
    if (slot->kind != EW_VALUE_RELATIONSHIP || slot->relationship != &relationship->value) return true;
  } else {
    *slot = ew_relationship_value_of(relationship);
  }
  const struct ew_node_element *target = &move->path->nodes[move->backwards ? move->at : move->at + 1];
  if (!ew_matcher_take_node(matcher, move, target, other, move->target_known)) return !matcher->run->failed;
  use(matcher, element, relationship);
  bool on = ew_matcher_move(matcher, visitor->at + 1);
  matcher->used.count--;
  return on;
}

/* ---- variable length ---- */

struct trail {
  struct visitor visitor; /* first: a visitor is a trail */
  size_t start;           /* in `used` */
  bool known_list;
  struct ew_plant_reached reached;
};

/* Whether a plant lets a path go on here. */
static bool plant_hop(struct trail *trail, const struct ew_relationship_record *relationship,
                      const struct ew_node_record *other) {
  const struct ew_matcher *matcher = trail->visitor.matcher;
  return ew_plant_hop(matcher->run, &trail->visitor.move->path->relationships[trail->visitor.move->at],
                      matcher->used.count - trail->start, relationship, other, &trail->reached);
}

/* The relationships walked, left to right as the pattern is written. */
static struct ew_value list_of_trail(const struct trail *trail) {
  const struct ew_matcher *matcher = trail->visitor.matcher;
  size_t count = matcher->used.count - trail->start;
  struct ew_value *items = ew_run_take(matcher->run, count, sizeof *items);
  if (!items) return ew_null();
  for (size_t i = 0; i < count; i++) {
    bool reversed =
        trail->visitor.move->backwards && !trail->visitor.move->path->relationships[trail->visitor.move->at].as_walked;
    size_t from = reversed ? count - 1 - i : i;
    items[i] = ew_relationship_value_of(matcher->used.items[trail->start + from].relationship);
  }
  return ew_list(items, count);
}

static bool end_trail(struct trail *trail, struct ew_node_record *node) {
  struct ew_matcher *matcher = trail->visitor.matcher;
  const struct ew_move *move = trail->visitor.move;
  const struct ew_relationship_element *element = &move->path->relationships[move->at];
  const struct ew_node_element *target = &move->path->nodes[move->backwards ? move->at : move->at + 1];
  if (element->never_empty && matcher->used.count == trail->start) return true;
  if (!ew_matcher_take_node(matcher, move, target, node, move->target_known)) return !matcher->run->failed;
  if (element->wants_list && !trail->known_list) matcher->run->slots[element->slot] = list_of_trail(trail);
  return ew_matcher_move(matcher, trail->visitor.at + 1);
}

static bool walk_trail(struct trail *trail, struct ew_node_record *node) {
  struct ew_matcher *matcher = trail->visitor.matcher;
  const struct ew_relationship_element *element = &trail->visitor.move->path->relationships[trail->visitor.move->at];
  int64_t hops = (int64_t)(matcher->used.count - trail->start);
  if (!ew_run_hop(matcher->run)) return false;
  bool on = hops < element->low || end_trail(trail, node);
  if (on && hops < element->high) on = visit_neighbours(&trail->visitor, node);
  matcher->run->hops--;
  return on;
}

static bool visit_hop(struct visitor *visitor, struct ew_relationship_record *relationship,
                      struct ew_node_record *other) {
  struct trail *trail = (struct trail *)visitor;
  if (other->deleted) return true;
  if (ew_plants_any(&visitor->matcher->run->model->plants) && !plant_hop(trail, relationship, other)) return true;
  use(visitor->matcher, &visitor->move->path->relationships[visitor->move->at], relationship);
  bool on = walk_trail(trail, other);
  visitor->matcher->used.count--;
  return on;
}

/* The variable holds a list of relationships already: they must be such a path. */
static bool follow_list(struct trail *trail, struct ew_node_record *node) {
  struct ew_matcher *matcher = trail->visitor.matcher;
  const struct ew_move *move = trail->visitor.move;
  const struct ew_relationship_element *element = &move->path->relationships[move->at];
  struct ew_value value = matcher->run->slots[element->slot];
  if (value.kind != EW_VALUE_LIST || (int64_t)value.list.count < element->low ||
      (int64_t)value.list.count > element->high)
    return true;
  for (size_t i = 0; i < value.list.count && ew_run_spend(matcher->run, 1); i++) {
    struct ew_value item = value.list.items[move->backwards ? value.list.count - 1 - i : i];
    if (item.kind != EW_VALUE_RELATIONSHIP) goto no;
    struct ew_relationship_record *relationship = ew_relationship_record(item);
    bool out = relationship->start == node, in = relationship->end == node;
    enum cypher_direction forward = move->backwards ? CYPHER_INCOMING : CYPHER_OUTGOING;
    if (element->direction != CYPHER_UNDIRECTED) element->direction == forward ? (in = false) : (out = false);
    if ((!in && !out) || !take_relationship(matcher, move, element, relationship)) goto no;
    use(matcher, element, relationship);
    node = out ? relationship->end : relationship->start;
  }
  bool on = end_trail(trail, node);
  matcher->used.count = trail->start;
  return on;
no:
  matcher->used.count = trail->start;
  return !matcher->run->failed;
}

static bool expand(struct ew_matcher *matcher, const struct ew_move *move, size_t at) {
  const struct ew_node_element *source = &move->path->nodes[move->backwards ? move->at + 1 : move->at];
  struct ew_value from = matcher->run->slots[source->slot];
  if (from.kind != EW_VALUE_NODE) return true;
  struct trail trail = {.visitor = {.matcher = matcher, .move = move, .at = at, .visit = visit_single},
                        .start = matcher->used.count,
                        .known_list = move->relationship_known};
  if (!move->path->relationships[move->at].variable) return visit_neighbours(&trail.visitor, ew_node_record(from));
  if (move->relationship_known) return follow_list(&trail, ew_node_record(from));
  trail.visitor.visit = visit_hop;
  return walk_trail(&trail, ew_node_record(from));
}

/* ---- the other moves ---- */

static bool scan(struct ew_matcher *matcher, const struct ew_move *move, size_t at) {
  const struct ew_graph *graph = matcher->run->graph;
  const struct ew_node_element *element = &move->path->nodes[move->at];
  /* As of now: what is created while we look is not looked at. */
  struct ew_candidates all = {graph->nodes.items, graph->nodes.count};
  bool planted = ew_plants_any(&matcher->run->model->plants);
  if (move->seeks) ew_seek_run(matcher->run, move->seeks, &all);
  for (size_t i = 0; i < all.count; i++) {
    if (!ew_run_spend(matcher->run, 1)) return false;
    if (!ew_matcher_take_node(matcher, move, element, all.nodes[i], false)) continue;
    size_t times = planted ? ew_plant_scan_times(matcher->run, element, all.nodes[i]) : 1;
    while (times--)
      if (!ew_matcher_move(matcher, at + 1)) return false;
  }
  return !matcher->run->failed;
}

static bool check(struct ew_matcher *matcher, const struct ew_move *move, size_t at) {
  const struct ew_node_element *element = &move->path->nodes[move->at];
  struct ew_value value = matcher->run->slots[element->slot];
  if (value.kind == EW_VALUE_NULL && element->null_is_any) {
    bool on = scan(matcher, move, at);
    matcher->run->slots[element->slot] = ew_null();
    return on;
  }
  if (value.kind != EW_VALUE_NODE) return true;
  if (!ew_matcher_take_node(matcher, move, element, ew_node_record(value), true)) return !matcher->run->failed;
  return ew_matcher_move(matcher, at + 1);
}

static bool list_holds(struct ew_execution *run, const struct ew_relationship_element *element, struct ew_value value) {
  struct ew_values list = value.kind == EW_VALUE_LIST ? value.list : (struct ew_values){&value, 1};
  for (size_t i = 0; i < list.count; i++) {
    if (list.items[i].kind != EW_VALUE_RELATIONSHIP) return false;
    struct ew_value saved = run->slots[element->candidate];
    run->slots[element->candidate] = list.items[i];
    bool holds = ew_condition_holds(run, &element->condition, list.items[i]);
    run->slots[element->candidate] = saved;
    if (!holds) return false;
  }
  return true;
}

static bool test(struct ew_matcher *matcher, const struct ew_move *move, size_t at) {
  struct ew_execution *run = matcher->run;
  if (move->condition && ew_evaluate_truth(run, move->condition) != EW_TRUE) return !run->failed;
  const struct ew_node_element *node = &move->path->nodes[move->at];
  if (move->test_node && !ew_condition_holds(run, &node->condition, run->slots[node->slot])) return !run->failed;
  const struct ew_relationship_element *element = &move->path->relationships[move->at];
  if (move->test_relationship && !list_holds(run, element, run->slots[element->slot])) return !run->failed;
  return ew_matcher_move(matcher, at + 1);
}

struct continuation {
  struct ew_matcher *matcher;
  size_t at;
};

static bool continue_at(struct ew_execution *run, void *context) {
  struct continuation *continuation = context;
  (void)run;
  return ew_matcher_move(continuation->matcher, continuation->at);
}

bool ew_matcher_move(struct ew_matcher *matcher, size_t at) {
  if (at == matcher->frame.count)
    return !matcher->run->failed && matcher->frame.finish(matcher, matcher->frame.context);
  const struct ew_move *move = &matcher->frame.moves[at];
  switch (move->kind) {
    case EW_MOVE_SCAN: return scan(matcher, move, at);
    case EW_MOVE_CHECK: return check(matcher, move, at);
    case EW_MOVE_EXPAND: return expand(matcher, move, at);
    case EW_MOVE_TEST: return test(matcher, move, at);
    case EW_MOVE_PATH:
      matcher->run->slots[move->path->slot] = ew_path_value_of(matcher->run, move->path);
      return ew_matcher_move(matcher, at + 1);
    case EW_MOVE_REPEAT: return ew_matcher_repeat(matcher, move, at);
    case EW_MOVE_SELECT: return ew_matcher_select(matcher, move, at);
    case EW_MOVE_SHORTEST:
      return ew_match_shortest(matcher->run, move->path, continue_at, &(struct continuation){matcher, at + 1});
  }
  EW_BUG("move %d", (int)move->kind);
}

struct delivery {
  ew_match_sink sink;
  void *context;
};

static bool deliver(struct ew_matcher *matcher, void *context) {
  const struct delivery *delivery = context;
  return delivery->sink(matcher->run, delivery->context);
}

void ew_match(struct ew_execution *run, const struct ew_pattern *pattern, ew_match_sink sink, void *context) {
  struct delivery delivery = {sink, context};
  struct ew_matcher matcher = {.run = run,
                               .pattern = pattern,
                               .frame = {pattern->moves, pattern->move_count, deliver, &delivery},
                               .repeats = pattern->repeats || run->semantics->repeated_relationships};
  ew_matcher_move(&matcher, 0);
}
