/* change.c: SET, REMOVE and DELETE. */
#include <strings.h>

#include "model/planted.h"
#include "model/write.h"

struct change {
  enum cypher_kind kind;
  const struct ew_code *object, *at, *value; /* object.key or object[at] */
  struct ew_span key;
  bool add;
  struct ew_names labels;
};

struct ew_changes {
  struct change *items;
  size_t count;
  bool reads_itself; /* a value reads what an item before it has written */
  bool skips_nulls;  /* a plant: a property is not set to null */
};

/* ---- properties ---- */

static bool is_scalar(struct ew_value value) { return value.kind >= EW_VALUE_DATETIME && value.kind <= EW_VALUE_FLOAT; }

static bool is_storable(struct ew_value value) {
  if (value.kind != EW_VALUE_LIST) return is_scalar(value);
  for (size_t i = 0; i < value.list.count; i++)
    if (!is_scalar(value.list.items[i])) return false;
  return true;
}

void ew_write_property(struct ew_execution *run, struct ew_value element, struct ew_span key, struct ew_value value) {
  if (value.kind != EW_VALUE_NULL && !is_storable(value)) {
    ew_run_fail(run, EW_FAULT_PROPERTY_TYPE, "%s cannot be a property", ew_kind_text(value));
    return;
  }
  if (ew_run_live(run, element)) run->counters.properties_set += ew_graph_set_property(run->graph, element, key, value);
}

/* Whether there is an element to write to; null is none and no error. */
static bool is_target(struct ew_execution *run, struct ew_value target) {
  if (target.kind == EW_VALUE_NODE || target.kind == EW_VALUE_RELATIONSHIP) return ew_run_live(run, target);
  if (target.kind != EW_VALUE_NULL) ew_run_fail(run, EW_FAULT_ARGUMENT_TYPE, "SET on %s", ew_kind_text(target));
  return false;
}

static void set_property(struct ew_execution *run, const struct change *change, bool skips_nulls) {
  struct ew_value object = ew_evaluate(run, change->object);
  struct ew_value value = change->value ? ew_evaluate(run, change->value) : ew_null();
  if (skips_nulls && change->value && value.kind == EW_VALUE_NULL) return;
  struct ew_span key = change->key;
  if (!change->value && object.kind == EW_VALUE_RELATIONSHIP &&
      ew_planted(run->model, EW_PLANT_remove_of_relationship_property_is_lost))
    return;
  if (change->at) {
    struct ew_value at = ew_evaluate(run, change->at);
    if (at.kind != EW_VALUE_STRING) {
      ew_run_fail(run, EW_FAULT_MAP_ACCESS, "a property is named by %s", ew_kind_text(at));
      return;
    }
    key = at.string;
  }
  if (!run->failed && is_target(run, object)) ew_write_property(run, object, key, value);
}

static bool properties_of(struct ew_execution *run, struct ew_value value, struct ew_items *properties) {
  switch (value.kind) {
    case EW_VALUE_MAP: *properties = value.map; return true;
    case EW_VALUE_NODE: *properties = value.node->properties; return ew_run_live(run, value);
    case EW_VALUE_RELATIONSHIP: *properties = value.relationship->properties; return ew_run_live(run, value);
    case EW_VALUE_NULL: *properties = (struct ew_items){0}; return true;
    default: ew_run_fail(run, EW_FAULT_ARGUMENT_TYPE, "%s as properties", ew_kind_text(value)); return false;
  }
}

static void set_all(struct ew_execution *run, const struct change *change) {
  struct ew_value target = ew_evaluate(run, change->object), value = ew_evaluate(run, change->value);
  struct ew_items properties, old;
  if (run->failed || !is_target(run, target) || !properties_of(run, value, &properties)) return;
  if (!change->add) {
    properties_of(run, target, &old);
    for (size_t i = 0; i < old.count; i++)
      if (!ew_items_find(properties, old.items[i].key)) ew_write_property(run, target, old.items[i].key, ew_null());
  }
  bool skips_nulls = change->add && ew_planted(run->model, EW_PLANT_set_plus_equals_map_ignores_null_values);
  for (size_t i = 0; i < properties.count && !run->failed; i++)
    if (!skips_nulls || properties.items[i].value.kind != EW_VALUE_NULL)
      ew_write_property(run, target, properties.items[i].key, properties.items[i].value);
}

static void change_labels(struct ew_execution *run, const struct change *change) {
  struct ew_value target = ew_evaluate(run, change->object);
  if (run->failed || !is_target(run, target)) return;
  if (target.kind != EW_VALUE_NODE) {
    ew_run_fail(run, EW_FAULT_ARGUMENT_TYPE, "labels of %s", ew_kind_text(target));
    return;
  }
  if (ew_plants_any(&run->model->plants)) ew_plant_labels(run, ew_node_record(target), change->labels, change->kind);
  for (size_t i = 0; i < change->labels.count; i++) {
    if (change->kind == CYPHER_set_labels)
      run->counters.labels_added += ew_graph_add_label(run->graph, ew_node_record(target), change->labels.items[i]);
    else
      run->counters.labels_removed +=
          ew_graph_remove_label(run->graph, ew_node_record(target), change->labels.items[i]);
  }
}

void ew_apply_changes(struct ew_execution *run, const struct ew_changes *changes) {
  /* Before all writing, or one item after the other: openCypher's improvement 2019-02-06 says the first, some engines do the
     second. */
  if (changes->reads_itself) ew_run_is_open(run, EW_OPEN_UNDEFINED);
  for (size_t i = 0; i < changes->count && ew_run_spend(run, 1); i++) {
    const struct change *change = &changes->items[i];
    switch (change->kind) {
      case CYPHER_set_property:
      case CYPHER_remove_property: set_property(run, change, changes->skips_nulls); break;
      case CYPHER_set_all: set_all(run, change); break;
      default: change_labels(run, change); break;
    }
  }
}

static void run_changes(struct ew_execution *run, const struct ew_step *step, const struct ew_table *in,
                        struct ew_table *out) {
  for (size_t i = 0; i < in->count && !run->failed; i++) {
    ew_table_load(run, in, i);
    ew_apply_changes(run, step->detail);
    ew_table_add_slots(run, out);
  }
  out->ordered = in->ordered;
}

/* ---- compiling SET and REMOVE ---- */

static const struct ew_code *variable(struct ew_compiler *compiler, const struct ew_node *node, struct ew_span name) {
  uint32_t slot = 0;
  if (!ew_compile_find(compiler, name, &slot))
    ew_compile_fail(compiler, EW_FAULT_NO_VARIABLE, "%.*s is not bound here", EW_SPAN_ARGS(name));
  return ew_code_slot(compiler, node, slot);
}

static void compile_target(struct ew_compiler *compiler, const struct ew_node *target, struct change *change) {
  if (cypher_is(target, CYPHER_property)) {
    change->object = ew_compile_expression(compiler, CYPHER_AS(property, target)->object.node);
    change->key = ew_compile_name(compiler, CYPHER_AS(property, target)->key.name);
  } else if (cypher_is(target, CYPHER_index)) {
    change->object = ew_compile_expression(compiler, CYPHER_AS(index, target)->object.node);
    change->at = ew_compile_expression(compiler, CYPHER_AS(index, target)->at.node);
  } else {
    ew_compile_fail(compiler, EW_FAULT_SYNTAX, "only properties can be set");
  }
}

static struct change compile_change(struct ew_compiler *compiler, const struct ew_node *node) {
  struct change change = {.kind = (enum cypher_kind)node->kind->code};
  switch (change.kind) {
    case CYPHER_set_property:
      compile_target(compiler, CYPHER_AS(set_property, node)->target.node, &change);
      change.value = ew_compile_expression(compiler, CYPHER_AS(set_property, node)->value.node);
      break;
    case CYPHER_remove_property:
      compile_target(compiler, CYPHER_AS(remove_property, node)->target.node, &change);
      break;
    case CYPHER_set_all:
      change.object = variable(compiler, node, CYPHER_AS(set_all, node)->variable.name);
      change.value = ew_compile_expression(compiler, CYPHER_AS(set_all, node)->value.node);
      change.add = CYPHER_AS(set_all, node)->add.flag;
      break;
    case CYPHER_set_labels:
      change.object = variable(compiler, node, CYPHER_AS(set_labels, node)->variable.name);
      change.labels = CYPHER_AS(set_labels, node)->labels.names;
      break;
    case CYPHER_remove_labels:
      change.object = variable(compiler, node, CYPHER_AS(remove_labels, node)->variable.name);
      change.labels = CYPHER_AS(remove_labels, node)->labels.names;
      break;
    default: ew_compile_fail(compiler, EW_FAULT_UNSUPPORTED, "the model has no %s", node->kind->name); break;
  }
  return change;
}

/* ---- items that read what others write ---- */

struct reading {
  struct ew_list before; /* items that are done by then */
  bool found;
};

static bool writes_key(const struct ew_node *change, struct ew_span key) {
  if (cypher_is(change, CYPHER_set_all)) return true;
  if (!cypher_is(change, CYPHER_set_property)) return false;
  const struct ew_node *target = CYPHER_AS(set_property, change)->target.node;
  return !cypher_is(target, CYPHER_property) || ew_span_equal(CYPHER_AS(property, target)->key.name, key);
}

static bool looks_at_elements(struct ew_span function) {
  static const char *const names[] = {"properties", "keys", "labels"};
  for (size_t i = 0; i < EW_COUNT(names); i++)
    if (function.length == strlen(names[i]) && strncasecmp(function.bytes, names[i], function.length) == 0) return true;
  return false;
}

/* A key is looked at by its name, whoever has it: two variables may be one element. Anything else that looks at elements may
   see all of them. */
static enum ew_walk find_reading(const struct ew_node *node, struct ew_place place, void *context) {
  struct reading *reading = context;
  (void)place;
  bool labels = cypher_is(node, CYPHER_label_test), all = false;
  switch (node->kind->code) {
    case CYPHER_function: all = looks_at_elements(CYPHER_AS(function, node)->name.name); break;
    case CYPHER_index:
    case CYPHER_map_projection:
    case CYPHER_subquery:
    case CYPHER_pattern_expression:
    case CYPHER_pattern_comprehension: all = true; break;
    default: break;
  }
  for (size_t i = 0; i < reading->before.count; i++) {
    const struct ew_node *change = reading->before.items[i];
    if (cypher_is(node, CYPHER_property) && writes_key(change, CYPHER_AS(property, node)->key.name))
      reading->found = true;
    if ((labels && cypher_is(change, CYPHER_set_labels)) || all) reading->found = true;
  }
  return reading->found ? EW_WALK_STOP : EW_WALK_ON;
}

static bool reads_before(struct ew_list list) {
  for (size_t i = 1; i < list.count; i++) {
    struct reading reading = {.before = {list.items, i}};
    const struct ew_node *value =
        cypher_is(list.items[i], CYPHER_set_property) ? CYPHER_AS(set_property, list.items[i])->value.node
        : cypher_is(list.items[i], CYPHER_set_all)    ? CYPHER_AS(set_all, list.items[i])->value.node
                                                      : NULL;
    if (value) ew_tree_walk(value, find_reading, &reading);
    if (cypher_is(value, CYPHER_variable)) return true; /* all properties of an element */
    if (reading.found) return true;
  }
  return false;
}

const struct ew_changes *ew_compile_change_list(struct ew_compiler *compiler, struct ew_list list) {
  struct ew_changes *changes = EW_NEW(compiler->arena, struct ew_changes);
  changes->items = EW_NEW_ARRAY(compiler->arena, struct change, list.count);
  changes->count = list.count;
  changes->reads_itself = reads_before(list);
  for (size_t i = 0; i < list.count && !compiler->failed; i++)
    changes->items[i] = compile_change(compiler, list.items[i]);
  return changes;
}

const struct ew_step *ew_compile_changes(struct ew_compiler *compiler, const struct ew_node *node) {
  struct ew_list list =
      cypher_is(node, CYPHER_set) ? CYPHER_AS(set, node)->changes.list : CYPHER_AS(remove, node)->changes.list;
  return ew_step_new(compiler, run_changes, node, ew_compile_change_list(compiler, list));
}

/* ---- DELETE ---- */

struct deletion {
  const struct ew_code *const *targets;
  size_t count;
  bool detach;
};

static void delete_relationship(struct ew_execution *run, struct ew_relationship_record *relationship) {
  run->counters.relationships_deleted += !relationship->deleted;
  ew_graph_delete_relationship(run->graph, relationship);
}

static void delete_node(struct ew_execution *run, struct ew_node_record *node, bool detach) {
  if (detach) {
    if (ew_planted(run->model, EW_PLANT_detach_delete_of_node_with_self_loop_and_other_relationship_aborts))
      ew_plant_detach(node);
    for (struct ew_relationship_record *r = node->outgoing; r; r = r->next_outgoing) delete_relationship(run, r);
    for (struct ew_relationship_record *r = node->incoming; r; r = r->next_incoming) delete_relationship(run, r);
  }
  run->counters.nodes_deleted += !node->deleted;
  ew_graph_delete_node(run->graph, node);
}

static void delete_value(struct ew_execution *run, struct ew_value value, bool detach) {
  switch (value.kind) {
    case EW_VALUE_NULL: break;
    case EW_VALUE_NODE: delete_node(run, ew_node_record(value), detach); break;
    case EW_VALUE_RELATIONSHIP: delete_relationship(run, ew_relationship_record(value)); break;
    case EW_VALUE_PATH:
      for (size_t i = 0; i < value.path->relationships.count; i++)
        delete_relationship(run, ew_relationship_record(value.path->relationships.items[i]));
      for (size_t i = 0; i < value.path->nodes.count; i++)
        delete_node(run, ew_node_record(value.path->nodes.items[i]), detach);
      break;
    default: ew_run_fail(run, EW_FAULT_ARGUMENT_TYPE, "DELETE %s", ew_kind_text(value)); break;
  }
}

/* All targets of all rows are found before the first is deleted: `DELETE a, b` where b is found through a. */
static void run_delete(struct ew_execution *run, const struct ew_step *step, const struct ew_table *in,
                       struct ew_table *out) {
  const struct deletion *deletion = step->detail;
  EW_VECTOR(struct ew_value) targets = {0};
  for (size_t i = 0; i < in->count && !run->failed; i++) {
    ew_table_load(run, in, i);
    for (size_t k = 0; k < deletion->count && ew_run_spend(run, 1); k++)
      *ew_arena_vector_push(run->arena, &targets) = ew_evaluate(run, deletion->targets[k]);
    ew_table_add_slots(run, out);
  }
  for (size_t i = 0; i < targets.count && !run->failed; i++) delete_value(run, targets.items[i], deletion->detach);
  out->ordered = in->ordered;
}

const struct ew_step *ew_compile_delete(struct ew_compiler *compiler, const struct ew_node *node) {
  struct deletion *deletion = EW_NEW(compiler->arena, struct deletion);
  struct ew_list targets = CYPHER_AS(delete, node)->targets.list;
  *deletion = (struct deletion){.targets = ew_compile_list(compiler, targets),
                                .count = targets.count,
                                .detach = CYPHER_AS(delete, node)->detach.flag};
  return ew_step_new(compiler, run_delete, node, deletion);
}

void ew_changes_skip_nulls(const struct ew_changes *changes) {
  ((struct ew_changes *)(uintptr_t)changes)->skips_nulls = true;
}
