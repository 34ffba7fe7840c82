/* repeat.c: groups that repeat, and choosing among the ways of a path. */
#include "model/groups.h"
#include "model/matcher.h"

/* ---- groups ---- */

struct repetition {
  const struct ew_move *move;
  const struct ew_relationship_element *element;
  const struct ew_group *group;
  struct ew_frame outer, inner;
  size_t at;    /* of the move in the outer frame */
  size_t start; /* in `used` */
  int64_t times;
  EW_VECTOR(struct ew_value) values; /* of the group's variables, repetition by repetition */
};

static bool repeat_from(struct ew_matcher *matcher, struct repetition *repetition, struct ew_value node);

/* A variable's values of all repetitions so far, or the relationships that were walked. */
static void put_lists(struct ew_matcher *matcher, const struct repetition *repetition) {
  struct ew_execution *run = matcher->run;
  const struct ew_group *group = repetition->group;
  size_t times = (size_t)repetition->times, hops = matcher->used.count - repetition->start;
  for (size_t i = 0; i < group->count && !run->failed; i++) {
    struct ew_value *items = ew_run_take(run, times, sizeof *items);
    for (size_t k = 0; items && k < times; k++) items[k] = repetition->values.items[k * group->count + i];
    run->slots[group->lists[i]] = ew_list(items, times);
  }
  struct ew_value *walked = ew_run_take(run, hops, sizeof *walked);
  for (size_t i = 0; walked && i < hops; i++)
    walked[i] = ew_relationship_value_of(matcher->used.items[repetition->start + i].relationship);
  run->slots[repetition->element->slot] = ew_list(walked, hops);
}

/* One repetition is done: keep its values, go on, and put them back for the next way of this repetition. */
static bool end_repetition(struct ew_matcher *matcher, void *context) {
  struct repetition *repetition = context;
  const struct ew_group *group = repetition->group;
  struct ew_execution *run = matcher->run;
  if (group->where && ew_evaluate_truth(run, group->where) != EW_TRUE) return !run->failed;
  size_t before = repetition->values.count;
  for (size_t i = 0; i < group->count; i++)
    *ew_arena_vector_push(run->arena, &repetition->values) = run->slots[group->slots[i]];
  repetition->times++;
  bool on = repeat_from(matcher, repetition, run->slots[group->inner->nodes[group->inner->length].slot]);
  repetition->times--;
  for (size_t i = 0; i < group->count; i++) run->slots[group->slots[i]] = repetition->values.items[before + i];
  repetition->values.count = before;
  return on;
}

static bool leave_group(struct ew_matcher *matcher, struct repetition *repetition, struct ew_value node) {
  const struct ew_move *move = repetition->move;
  const struct ew_node_element *target = &move->path->nodes[move->at + 1];
  if (!ew_matcher_take_node(matcher, move, target, ew_node_record(node), move->target_known))
    return !matcher->run->failed;
  put_lists(matcher, repetition);
  matcher->frame = repetition->outer;
  bool on = !matcher->run->failed && ew_matcher_move(matcher, repetition->at + 1);
  matcher->frame = repetition->inner;
  return on;
}

static bool repeat_from(struct ew_matcher *matcher, struct repetition *repetition, struct ew_value node) {
  struct ew_execution *run = matcher->run;
  if (!ew_run_spend(run, 1) || !ew_run_hop(run)) return false;
  bool on = repetition->times < repetition->element->low || leave_group(matcher, repetition, node);
  if (on && repetition->times < repetition->element->high) {
    run->slots[repetition->group->inner->nodes[0].slot] = node;
    on = ew_matcher_move(matcher, 0);
  }
  run->hops--;
  return on;
}

bool ew_matcher_repeat(struct ew_matcher *matcher, const struct ew_move *move, size_t at) {
  const struct ew_relationship_element *element = &move->path->relationships[move->at];
  struct ew_value node = matcher->run->slots[move->path->nodes[move->at].slot];
  if (node.kind != EW_VALUE_NODE) return true;
  struct repetition repetition = {.move = move,
                                  .element = element,
                                  .group = element->group,
                                  .outer = matcher->frame,
                                  .at = at,
                                  .start = matcher->used.count};
  repetition.inner = (struct ew_frame){element->group->moves, element->group->move_count, end_repetition, &repetition};
  matcher->frame = repetition.inner;
  bool on = repeat_from(matcher, &repetition, node);
  matcher->frame = repetition.outer;
  return on;
}

/* ---- choosing ---- */

/* One way of a path: all slots of the pattern, and the relationships it uses. */
struct way {
  struct ew_value *slots;
  struct ew_used *used;
  size_t length;
  size_t pair; /* which two ends */
};

struct selection {
  const struct ew_path_element *path;
  size_t start; /* in `used` */
  struct ew_groups pairs;
  EW_VECTOR(struct way) ways;
};

static bool keep_way(struct ew_matcher *matcher, void *context) {
  struct selection *selection = context;
  struct ew_execution *run = matcher->run;
  const struct ew_pattern *pattern = matcher->pattern;
  size_t count = pattern->end - pattern->first, length = matcher->used.count - selection->start;
  struct way way = {.length = length};
  way.slots = ew_run_take(run, count + 2, sizeof *way.slots);
  way.used = ew_run_take(run, length, sizeof *way.used);
  if (!way.slots || !way.used || !ew_run_spend(run, 1 + length)) return false;
  if (count) memcpy(way.slots, run->slots + pattern->first, count * sizeof *way.slots);
  if (length) memcpy(way.used, matcher->used.items + selection->start, length * sizeof *way.used);
  struct ew_value *ends = way.slots + count;
  bool fresh;
  ends[0] = run->slots[selection->path->nodes[0].slot];
  ends[1] = run->slots[selection->path->nodes[selection->path->length].slot];
  way.pair = ew_groups_add(run, &selection->pairs, ends, &fresh);
  *ew_arena_vector_push(run->arena, &selection->ways) = way;
  return !run->failed;
}

/* How many of the ways between the same ends are shorter, how many different lengths those have, how many are as
   long. */
struct standing {
  size_t shorter, lengths, equal_before, equal;
};

static struct standing standing_of(struct ew_execution *run, const struct selection *selection, size_t way) {
  struct standing standing = {0};
  const struct way *ways = selection->ways.items;
  for (size_t i = 0; i < selection->ways.count && ew_run_spend(run, 1); i++) {
    if (ways[i].pair != ways[way].pair) continue;
    standing.equal += ways[i].length == ways[way].length;
    standing.equal_before += i < way && ways[i].length == ways[way].length;
    if (ways[i].length >= ways[way].length) continue;
    standing.shorter++;
    bool first = true;
    for (size_t k = 0; k < i; k++) first &= ways[k].pair != ways[i].pair || ways[k].length != ways[i].length;
    standing.lengths += first;
  }
  return standing;
}

static bool is_chosen(struct ew_execution *run, const struct selection *selection, size_t way) {
  struct standing standing = standing_of(run, selection, way);
  size_t most = selection->path->count < 1 ? 1 : (size_t)selection->path->count;
  switch (selection->path->selector) {
    case CYPHER_SELECTOR_ALL_SHORTEST:
    case CYPHER_SELECTOR_ALL_SHORTEST_PATHS: return !standing.shorter;
    case CYPHER_SELECTOR_SHORTEST_GROUPS: return standing.lengths < most;
    case CYPHER_SELECTOR_ANY: {
      size_t before = 0, all = 0;
      for (size_t i = 0; i < selection->ways.count; i++) {
        bool same = selection->ways.items[i].pair == selection->ways.items[way].pair;
        before += same && i < way;
        all += same;
      }
      if (all > most) ew_run_is_open(run, EW_OPEN_SHORTEST);
      return before < most;
    }
    default: /* the shortest one, or the k shortest */
      if (standing.shorter < most && standing.shorter + standing.equal > most) ew_run_is_open(run, EW_OPEN_SHORTEST);
      return standing.shorter + standing.equal_before < most;
  }
}

static bool take_way(struct ew_matcher *matcher, const struct way *way, size_t at) {
  const struct ew_pattern *pattern = matcher->pattern;
  size_t count = pattern->end - pattern->first, before = matcher->used.count;
  if (count) memcpy(matcher->run->slots + pattern->first, way->slots, count * sizeof *way->slots);
  for (size_t i = 0; i < way->length; i++) *ew_arena_vector_push(matcher->run->arena, &matcher->used) = way->used[i];
  bool on = ew_matcher_move(matcher, at);
  matcher->used.count = before;
  return on;
}

/* The next move->at moves find the ways of a path; the ones chosen go on behind them. */
bool ew_matcher_select(struct ew_matcher *matcher, const struct ew_move *move, size_t at) {
  struct selection selection = {.path = move->path, .start = matcher->used.count, .pairs = {.width = 2}};
  struct ew_frame outer = matcher->frame;
  matcher->frame = (struct ew_frame){outer.moves + at + 1, move->at, keep_way, &selection};
  bool on = ew_matcher_move(matcher, 0);
  matcher->frame = outer;
  for (size_t i = 0; on && i < selection.ways.count; i++)
    if (is_chosen(matcher->run, &selection, i)) on = take_way(matcher, &selection.ways.items[i], at + 1 + move->at);
  return on && !matcher->run->failed;
}
