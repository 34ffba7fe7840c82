/* cypher_write.c: SET, REMOVE, DELETE and FOREACH. CREATE and MERGE are in cypher_create.c.

   What must not depend on the order of rows (an exact answer is wanted) changes one variable in a clause, and by what
   that variable itself has. */
#include "generate/cypher_clause.h"

enum {
  CHANGES_MAX = 4,
  LIST_KEY_PERCENT = 10,
  FRESH_KEY_PERCENT = 15,   /* of keys that are set: one that nothing has yet */
  FOREIGN_KEY_PERCENT = 4,  /* of keys: a node's on a relationship, or the other way */
  NULL_VALUE_PERCENT = 5,   /* of values: null, which removes */
  DETACH_PERCENT = 70,      /* of deletions of nodes */
  STALE_TARGET_PERCENT = 3, /* of SET and DELETE: an element that is no more, where there is one */
};

/* ---- keys and values ---- */

static const struct ew_schema_property *nth_key(const struct ew_schema_element *elements, size_t count, size_t *skip) {
  for (size_t i = 0; i < count; i++) {
    if (*skip < elements[i].properties.count) return &elements[i].properties.items[*skip];
    *skip -= elements[i].properties.count;
  }
  return NULL;
}

static struct ew_property_type draw_storable_type(struct ew_cypher_writer *writer) {
  static const enum ew_value_kind kinds[] = {EW_VALUE_INTEGER, EW_VALUE_INTEGER, EW_VALUE_STRING, EW_VALUE_FLOAT};
  enum ew_value_kind kind = EW_RANDOM_PICK(writer->random, kinds);
  if (kind == EW_VALUE_FLOAT && !ew_writer_has(writer, EW_HAS_FLOATS)) kind = EW_VALUE_INTEGER;
  if (kind == EW_VALUE_STRING && !ew_writer_has(writer, EW_HAS_STRINGS)) kind = EW_VALUE_INTEGER;
  bool list = ew_writer_has(writer, EW_HAS_LISTS) && ew_writer_chance(writer, LIST_KEY_PERCENT);
  return (struct ew_property_type){kind, list};
}

struct ew_schema_property ew_cypher_draw_key(struct ew_cypher_writer *writer, bool node) {
  if (ew_writer_chance(writer, FOREIGN_KEY_PERCENT)) node = !node;
  const struct ew_schema_element *elements = node ? writer->schema.labels.items : writer->schema.types.items;
  size_t count = node ? writer->schema.labels.count : writer->schema.types.count, keys = 0;
  for (size_t i = 0; i < count; i++) keys += elements[i].properties.count;
  if (!keys || writer->options->without_summary || ew_writer_chance(writer, FRESH_KEY_PERCENT)) {
    struct ew_schema_property fresh = ew_writer_fresh_key(writer, draw_storable_type(writer));
    if (count) ew_writer_note_key(writer, node, elements[ew_writer_below(writer, count)].name, fresh);
    return fresh;
  }
  size_t skip = ew_writer_below(writer, keys);
  return *nth_key(elements, count, &skip);
}

const struct ew_node *ew_cypher_draw_stored(struct ew_cypher_writer *writer, struct ew_schema_property property,
                                            unsigned depth) {
  return ew_cypher_draw_expression(writer, ew_writer_type_of(property.type), depth);
}

const struct ew_node *ew_cypher_draw_entries(struct ew_cypher_writer *writer, bool node, size_t count, unsigned depth) {
  const struct ew_node *entries[CHANGES_MAX];
  struct ew_span keys[CHANGES_MAX];
  size_t made = 0;
  EW_ASSERT(count <= CHANGES_MAX);
  for (size_t i = 0; i < count; i++) {
    struct ew_schema_property property = ew_cypher_draw_key(writer, node);
    bool twice = false;
    for (size_t k = 0; k < made; k++) twice |= ew_span_equal(keys[k], property.name);
    if (twice) continue;
    keys[made] = property.name;
    const struct ew_node *value = ew_cypher_draw_stored(writer, property, depth);
    entries[made++] = CYPHER(writer->builder, entry, .key.name = property.name, .value.node = value);
  }
  return CYPHER(writer->builder, map, .entries.list = ew_list_of(writer->builder, entries, made));
}

/* ---- SET ---- */

static bool is_deleted(struct ew_value value) {
  if (value.kind == EW_VALUE_NODE) return ew_node_record(value)->deleted;
  if (value.kind == EW_VALUE_RELATIONSHIP) return ew_relationship_record(value)->deleted;
  return false;
}

/* A node or relationship in scope; NULL where there is none. */
static const struct ew_cypher_variable *draw_target(struct ew_cypher_writer *writer) {
  const struct ew_cypher_variable *node = ew_writer_pick_variable(writer, EW_DRAW_NODE);
  const struct ew_cypher_variable *relationship = ew_writer_pick_variable(writer, EW_DRAW_RELATIONSHIP);
  if (!node || (relationship && ew_writer_chance(writer, 30))) return relationship;
  return node;
}

static const struct ew_node *draw_set_labels(struct ew_cypher_writer *writer, struct ew_span target) {
  struct ew_span label = ew_writer_draw_label(writer);
  if (ew_writer_chance(writer, 20)) {
    label = ew_graph_name(&writer->world->model.graph, ew_writer_fresh_name(writer, 'L'));
    ew_writer_note_label(writer, label);
  }
  const struct ew_span labels[] = {label, label};
  bool twice = ew_writer_has(writer, EW_HAS_SEVERAL_LABELS) && ew_writer_chance(writer, 12);
  return CYPHER(writer->builder, set_labels, .variable.name = target,
                .labels.names = ew_names_of(writer->builder, labels, twice ? 2 : 1));
}

/* n.p = e; n:L; n += {…}; n = {…} */
const struct ew_node *ew_cypher_draw_change(struct ew_cypher_writer *writer, struct ew_span target, bool node) {
  unsigned weights[] = {70, 12, 14, 6};
  if (!node || !ew_writer_has(writer, EW_HAS_SET_LABELS)) weights[1] = 0;
  if (!ew_writer_has(writer, EW_HAS_SET_ADD)) weights[2] = 0;
  if (!ew_writer_has(writer, EW_HAS_SET_ALL)) weights[2] = weights[3] = 0;
  size_t form = ew_random_weighted(writer->random, weights, EW_COUNT(weights));
  if (form == 1) return draw_set_labels(writer, target);
  if (form) {
    const struct ew_node *map = ew_cypher_draw_entries(writer, node, 1 + ew_writer_below(writer, 2), 1);
    return CYPHER(writer->builder, set_all, .variable.name = target, .add.flag = form == 2, .value.node = map);
  }
  struct ew_schema_property property = ew_cypher_draw_key(writer, node);
  const struct ew_node *value = ew_writer_chance(writer, NULL_VALUE_PERCENT)
                                    ? ew_writer_null(writer)
                                    : ew_cypher_draw_stored(writer, property, ew_cypher_draw_item_depth(writer));
  return CYPHER(writer->builder, set_property, .target.node = ew_writer_property(writer, target, property.name),
                .value.node = value);
}

/* Only the variable itself is in scope, where the order of rows must not matter. */
static void narrow(struct ew_cypher_query *query, struct ew_cypher_variable target, struct ew_cypher_aside *aside) {
  ew_writer_put_aside(query->writer, aside);
  if (!ew_query_is_determined(query) || !aside->count) return;
  query->writer->variables[0] = target;
  query->writer->count = 1;
}

bool ew_cypher_write_set(struct ew_cypher_query *query) {
  struct ew_cypher_writer *writer = query->writer;
  const struct ew_node *changes[CHANGES_MAX];
  const struct ew_cypher_variable *found = draw_target(writer);
  size_t count = 1 + ew_writer_below(writer, 3);
  struct ew_cypher_aside scope;
  if (!found) return true;
  struct ew_cypher_variable target = *found;
  for (size_t i = 0; i < count; i++) {
    narrow(query, target, &scope);
    changes[i] = ew_cypher_draw_change(writer, target.name, target.type == EW_DRAW_NODE);
    ew_writer_take_back(writer, &scope);
    if (!ew_query_is_determined(query) && (found = draw_target(writer))) target = *found;
  }
  if (writer->stale_count && ew_writer_chance(writer, STALE_TARGET_PERCENT))
    changes[0] = ew_cypher_draw_change(writer, writer->stale[0], false);
  const struct ew_node *clause =
      CYPHER(writer->builder, set, .changes.list = ew_list_of(writer->builder, changes, count));
  query->wrote = query->unsettled = true;
  if (!ew_exact_apply(writer, clause)) return false;
  return ew_query_add(query, clause), true;
}

/* ---- REMOVE ---- */

static const struct ew_node *draw_removal(struct ew_cypher_writer *writer, const struct ew_cypher_variable *target) {
  bool node = target->type == EW_DRAW_NODE;
  struct ew_cypher_lookup lookup = {.variable = NULL};
  if (node && ew_writer_has(writer, EW_HAS_REMOVE_LABELS) && ew_writer_chance(writer, 30)) {
    struct ew_span label = ew_writer_draw_label(writer);
    return CYPHER(writer->builder, remove_labels, .variable.name = target->name,
                  .labels.names = ew_names_of(writer->builder, &label, 1));
  }
  struct ew_span key = ew_cypher_draw_lookup(writer, EW_DRAW_ANY, &lookup) && lookup.variable == target
                           ? lookup.property->name
                           : ew_cypher_draw_key(writer, node).name;
  return CYPHER(writer->builder, remove_property, .target.node = ew_writer_property(writer, target->name, key));
}

bool ew_cypher_write_remove(struct ew_cypher_query *query) {
  struct ew_cypher_writer *writer = query->writer;
  const struct ew_node *changes[2];
  size_t count = 1 + ew_writer_chance(writer, 30);
  for (size_t i = 0; i < count; i++) {
    const struct ew_cypher_variable *target = draw_target(writer);
    if (!target) return true;
    changes[i] = draw_removal(writer, target);
  }
  const struct ew_node *clause =
      CYPHER(writer->builder, remove, .changes.list = ew_list_of(writer->builder, changes, count));
  query->wrote = query->unsettled = true;
  if (!ew_exact_apply(writer, clause)) return false;
  return ew_query_add(query, clause), true;
}

/* ---- DELETE ---- */

static bool has_relationships(struct ew_value value) {
  if (value.kind != EW_VALUE_NODE) return false;
  const struct ew_node_record *node = ew_node_record(value);
  for (const struct ew_relationship_record *at = node->outgoing; at; at = at->next_outgoing)
    if (!at->deleted) return true;
  for (const struct ew_relationship_record *at = node->incoming; at; at = at->next_incoming)
    if (!at->deleted) return true;
  return false;
}

static bool may_hold(enum ew_draw_type type) {
  return type == EW_DRAW_NODE || type == EW_DRAW_RELATIONSHIP || type == EW_DRAW_PATH || type == EW_DRAW_MAP ||
         type == EW_DRAW_ANY || (ew_draw_is_list(type) && !ew_draw_is_scalar(ew_draw_element_of(type)));
}

/* What was deleted, or may hold something that was, goes out of sight: by the rows where they are known, else whatever
   may. */
static void forget(struct ew_cypher_writer *writer, struct ew_span target, bool detach) {
  size_t kept = 0;
  for (size_t i = 0; i < writer->count; i++) {
    struct ew_cypher_variable *variable = &writer->variables[i];
    bool element = variable->type == EW_DRAW_NODE || variable->type == EW_DRAW_RELATIONSHIP;
    bool gone = ew_span_equal(variable->name, target);
    if (writer->exact && element)
      gone |= ew_exact_any(writer, variable->name, is_deleted);
    else if (may_hold(variable->type))
      gone |= !element || detach || variable->type == EW_DRAW_RELATIONSHIP;
    if (!gone) {
      writer->variables[kept++] = *variable;
    } else if (writer->stale_count < EW_CYPHER_STALE_MAX && element) {
      writer->stale[writer->stale_count++] = variable->name;
    }
  }
  writer->count = kept;
}

bool ew_cypher_write_delete(struct ew_cypher_query *query) {
  struct ew_cypher_writer *writer = query->writer;
  const struct ew_cypher_variable *found = draw_target(writer);
  if (!found) return true;
  struct ew_cypher_variable target = *found;
  bool node = target.type == EW_DRAW_NODE, detach = ew_writer_chance(writer, DETACH_PERCENT);
  if (writer->exact && node && ew_exact_any(writer, target.name, has_relationships)) detach = true;
  if (node && !writer->exact) detach = true;
  if (!ew_writer_has(writer, EW_HAS_DETACH_DELETE)) {
    if (node) return true;
    detach = false;
  }
  const struct ew_node *targets[2] = {ew_writer_name(writer, target.name)};
  size_t count = 1;
  if (writer->stale_count && ew_writer_chance(writer, STALE_TARGET_PERCENT))
    targets[count++] = ew_writer_name(writer, writer->stale[0]);
  const struct ew_node *clause = CYPHER(writer->builder, delete, .detach.flag = detach,
                                        .targets.list = ew_list_of(writer->builder, targets, count));
  query->wrote = query->unsettled = true;
  if (!ew_exact_apply(writer, clause)) return false;
  forget(writer, target.name, detach);
  return ew_query_add(query, clause), true;
}

/* ---- FOREACH ---- */

/* Its body is run with the whole of it; what it binds is not seen outside. */
bool ew_cypher_write_foreach(struct ew_cypher_query *query) {
  static const enum ew_draw_type elements[] = {EW_DRAW_INTEGER, EW_DRAW_STRING, EW_DRAW_INTEGER, EW_DRAW_NODE};
  struct ew_cypher_writer *writer = query->writer;
  struct ew_cypher_exact *exact = writer->exact;
  struct ew_cypher_query body = {.writer = writer, .rows = 1, .level = query->level + 1};
  enum ew_draw_type element = EW_RANDOM_PICK(writer->random, elements);
  const struct ew_cypher_variable *node = ew_writer_pick_variable(writer, EW_DRAW_NODE);
  if (element == EW_DRAW_NODE && !node) element = EW_DRAW_INTEGER;
  const struct ew_node *list;
  if (element == EW_DRAW_NODE) {
    const struct ew_node *item = ew_writer_name(writer, node->name);
    list = CYPHER(writer->builder, list, .items.list = ew_list_of(writer->builder, &item, 1));
  } else {
    list = ew_cypher_draw_unwound(writer, element);
  }
  struct ew_span name = ew_writer_fresh_name(writer, 'e');
  size_t outside = writer->count, stale = writer->stale_count;
  ew_writer_bind(writer, (struct ew_cypher_variable){.name = name, .type = element, .nullable = true});
  writer->exact = NULL;
  size_t count = 1 + ew_writer_chance(writer, 30);
  for (size_t i = 0; i < count; i++) {
    switch (ew_writer_below(writer, 4)) {
      case 0: ew_cypher_write_create(&body); break;
      case 1: ew_cypher_write_merge(&body); break;
      default: ew_cypher_write_set(&body); break;
    }
  }
  writer->exact = exact;
  writer->count = outside;
  writer->stale_count = stale;
  if (!body.clauses.count) return true;
  struct ew_list clauses = ew_list_of(writer->builder, body.clauses.items, body.clauses.count);
  const struct ew_node *clause =
      CYPHER(writer->builder, foreach, .variable.name = name, .list.node = list, .clauses.list = clauses);
  query->wrote = query->unsettled = true;
  if (!ew_exact_apply(writer, clause)) return false;
  return ew_query_add(query, clause), true;
}
