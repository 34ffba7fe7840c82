/* shortest.c: shortestPath and allShortestPaths: a search by breadth from one node, then all ways back from the
   other.

   Every node remembers at which distance it was met first, and every relationship that leads to it from one step
   nearer. */
#include "base/map.h"
#include "model/pattern.h"

struct edge {
  struct ew_relationship_record *relationship;
  struct place *from;
  struct edge *next;
};

/* A node that was met. */
struct place {
  struct ew_node_record *node;
  int64_t distance;
  struct edge *edges; /* all that lead here from one step nearer */
  struct place *next; /* in the queue */
};

struct search {
  struct ew_execution *run;
  const struct ew_path_element *path;
  const struct ew_relationship_element *element;
  struct ew_map places;
  struct place *goal;
  struct ew_node_record *target;
  bool round_trip; /* from a node to itself: the start is met again */
  ew_match_sink sink;
  void *context;
  struct ew_value *trail;
  size_t found;
};

static bool fits(struct search *search, const struct ew_relationship_record *relationship) {
  struct ew_execution *run = search->run;
  const struct ew_condition *condition = &search->element->condition;
  struct ew_value value = ew_relationship_value_of(relationship);
  if (relationship->deleted || !ew_run_spend(run, 1)) return false;
  if (condition->labels && !ew_labels_hold_type(run, condition->labels, relationship->value.type)) return false;
  if (condition->where) run->slots[search->element->candidate] = value;
  return ew_condition_holds(run, condition, value);
}

/* One step from `from`; a node that is new goes to the end of the queue. */
static void reach(struct search *search, struct place *from, struct ew_relationship_record *relationship,
                  struct ew_node_record *node, struct place **last) {
  if (node->deleted || !fits(search, relationship)) return;
  bool home = search->round_trip && node == search->target;
  uint64_t key = home ? UINT64_MAX : (uint64_t)node->value.id;
  bool fresh;
  union ew_map_value *value = ew_map_add(&search->places, ew_map_key_number(&key), &fresh);
  struct place *place = value->pointer;
  if (fresh) {
    place = value->pointer = EW_NEW(search->run->arena, struct place);
    *place = (struct place){.node = node, .distance = from->distance + 1};
    (*last)->next = place;
    *last = place;
    if (node == search->target) search->goal = place;
  }
  if (place->distance != from->distance + 1) return;
  struct edge *edge = EW_NEW(search->run->arena, struct edge);
  *edge = (struct edge){relationship, from, place->edges};
  place->edges = edge;
}

static void search_from(struct search *search, struct place *start) {
  struct place *last = start;
  enum cypher_direction direction = search->element->direction;
  for (struct place *place = start; place && !search->run->failed; place = place->next) {
    if (search->goal && place->distance >= search->goal->distance) return;
    if (place->distance >= search->element->high) return;
    if (direction != CYPHER_INCOMING)
      for (struct ew_relationship_record *r = place->node->outgoing; r; r = r->next_outgoing)
        reach(search, place, r, r->end, &last);
    if (direction != CYPHER_OUTGOING)
      for (struct ew_relationship_record *r = place->node->incoming; r; r = r->next_incoming)
        if (direction == CYPHER_INCOMING || r->start != r->end) reach(search, place, r, r->start, &last);
  }
}

/* From the goal back to the start: the trail is filled from its end. */
static bool walk_back(struct search *search, const struct place *place) {
  struct ew_execution *run = search->run;
  bool one =
      search->path->selector == CYPHER_SELECTOR_SHORTEST_PATH || search->path->selector == CYPHER_SELECTOR_ANY_SHORTEST;
  if (!place->distance) {
    if (one && search->found++) {
      ew_run_is_open(run, EW_OPEN_SHORTEST);
      return false;
    }
    size_t count = (size_t)search->goal->distance;
    struct ew_value *items = ew_run_take(run, count, sizeof *items);
    if (!items) return false;
    memcpy(items, search->trail, count * sizeof *items);
    struct ew_value list = ew_list(items, count);
    run->slots[search->element->slot] = search->element->variable ? list : items[0];
    return search->sink(run, search->context);
  }
  if (!ew_run_hop(run)) return false;
  bool on = true;
  for (const struct edge *edge = place->edges; on && edge && ew_run_spend(run, 1); edge = edge->next) {
    search->trail[place->distance - 1] = ew_relationship_value_of(edge->relationship);
    on = walk_back(search, edge->from);
  }
  run->hops--;
  return on && !run->failed;
}

bool ew_match_shortest(struct ew_execution *run, const struct ew_path_element *path, ew_match_sink sink,
                       void *context) {
  struct ew_value from = run->slots[path->nodes[0].slot], to = run->slots[path->nodes[path->length].slot];
  struct search search = {
      .run = run, .path = path, .element = &path->relationships[0], .sink = sink, .context = context};
  struct ew_relationship_element single = *search.element;
  if (!single.variable) single.low = single.high = 1;
  search.element = &single;
  if (from.kind != EW_VALUE_NODE || to.kind != EW_VALUE_NODE) return true;
  struct place *start = EW_NEW(run->arena, struct place);
  *start = (struct place){.node = ew_node_record(from)};
  search.target = ew_node_record(to);
  search.round_trip = from.node == to.node && single.low > 0;
  ew_map_init(&search.places);
  uint64_t key = (uint64_t)from.node->id;
  ew_map_add(&search.places, ew_map_key_number(&key), NULL)->pointer = start;
  if (from.node == to.node && !search.round_trip)
    search.goal = start;
  else
    search_from(&search, start);
  ew_map_release(&search.places);
  if (!search.goal || run->failed || search.goal->distance < single.low) return !run->failed;
  search.trail = EW_NEW_ARRAY(run->arena, struct ew_value, (size_t)search.goal->distance);
  bool on = walk_back(&search, search.goal);
  return (on || search.found > 1) && !run->failed;
}
