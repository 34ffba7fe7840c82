/* create.c: CREATE, and the creating half of MERGE. */
#include "model/planted.h"
#include "model/write.h"

/* Names of labels: fixed, or the values of an expression. */
struct names {
  EW_VECTOR(struct ew_span) fixed;
  EW_VECTOR(const struct ew_code *) dynamic;
};

struct element {
  bool is_node;
  const struct ew_path_element *path;
  size_t at;
  bool fresh; /* of a node: this is where it is created */
  struct names names;
};

struct ew_creation {
  const struct ew_pattern *pattern;
  EW_VECTOR(struct element) elements; /* nodes first, then relationships, path by path */
  struct ew_plant_creation plants;
};

/* ---- compiling ---- */

static void list_names(struct ew_compiler *compiler, const struct ew_node *node, struct names *names) {
  if (!node) return;
  switch ((enum cypher_kind)node->kind->code) {
    case CYPHER_label:
      *ew_arena_vector_push(compiler->arena, &names->fixed) =
          ew_compile_name(compiler, CYPHER_AS(label, node)->name.name);
      break;
    case CYPHER_label_colons:
      for (size_t i = 0; i < CYPHER_AS(label_colons, node)->labels.list.count; i++)
        list_names(compiler, CYPHER_AS(label_colons, node)->labels.list.items[i], names);
      break;
    case CYPHER_label_and:
      list_names(compiler, CYPHER_AS(label_and, node)->left.node, names);
      list_names(compiler, CYPHER_AS(label_and, node)->right.node, names);
      break;
    case CYPHER_label_dynamic:
      *ew_arena_vector_push(compiler->arena, &names->dynamic) =
          ew_compile_expression(compiler, CYPHER_AS(label_dynamic, node)->expression.node);
      break;
    default: ew_compile_fail(compiler, EW_FAULT_SYNTAX, "a label expression cannot be created"); break;
  }
}

static bool is_first(const struct ew_creation *creation, uint32_t slot) {
  for (size_t i = 0; i < creation->elements.count; i++) {
    const struct element *element = &creation->elements.items[i];
    if (element->is_node && element->path->nodes[element->at].slot == slot) return false;
  }
  return slot >= creation->pattern->first;
}

static void add_element(struct ew_compiler *compiler, struct ew_creation *creation, const struct ew_path_element *path,
                        size_t at, bool is_node) {
  struct element element = {.is_node = is_node, .path = path, .at = at};
  if (is_node) {
    element.fresh = is_first(creation, path->nodes[at].slot);
    if (element.fresh) list_names(compiler, CYPHER_AS(node_pattern, path->nodes[at].node)->labels.node, &element.names);
  } else {
    const struct cypher_relationship_pattern *source = CYPHER_AS(relationship_pattern, path->relationships[at].node);
    list_names(compiler, source->types.node, &element.names);
    if (element.names.fixed.count + element.names.dynamic.count != 1)
      ew_compile_fail(compiler, EW_FAULT_SYNTAX, "a relationship is created with just one type");
    if (path->relationships[at].variable)
      ew_compile_fail(compiler, EW_FAULT_SYNTAX, "a relationship of variable length cannot be created");
  }
  *ew_arena_vector_push(compiler->arena, &creation->elements) = element;
}

const struct ew_creation *ew_compile_creation(struct ew_compiler *compiler, const struct ew_pattern *pattern) {
  struct ew_creation *creation = EW_NEW(compiler->arena, struct ew_creation);
  creation->pattern = pattern;
  for (size_t i = 0; i < pattern->path_count && !compiler->failed; i++) {
    const struct ew_path_element *path = &pattern->paths[i];
    for (size_t k = 0; k < path->length; k++)
      if (path->relationships[k].group) ew_compile_fail(compiler, EW_FAULT_SYNTAX, "a group cannot be created");
    for (size_t k = 0; k <= path->length; k++)
      if (!path->nodes[k].node) ew_compile_fail(compiler, EW_FAULT_SYNTAX, "a path that is created has all its nodes");
    if (compiler->failed) break;
    for (size_t k = 0; k <= path->length; k++) add_element(compiler, creation, path, k, true);
    for (size_t k = 0; k < path->length; k++) add_element(compiler, creation, path, k, false);
  }
  return creation;
}

/* ---- running ---- */

static void write_properties(struct ew_execution *run, const struct ew_condition *condition, struct ew_value element) {
  for (size_t i = 0; i < condition->count && !run->failed; i++) {
    struct ew_value value = ew_evaluate(run, condition->values[i]);
    if (value.kind != EW_VALUE_NULL) ew_write_property(run, element, condition->keys[i], value);
  }
  if (!condition->map) return;
  struct ew_value map = ew_evaluate(run, condition->map);
  if (map.kind == EW_VALUE_NULL) return;
  if (map.kind != EW_VALUE_MAP) ew_run_fail(run, EW_FAULT_ARGUMENT_TYPE, "%s as properties", ew_kind_text(map));
  for (size_t i = 0; !run->failed && i < map.map.count; i++)
    if (map.map.items[i].value.kind != EW_VALUE_NULL)
      ew_write_property(run, element, map.map.items[i].key, map.map.items[i].value);
}

/* Calls for each name; a dynamic one is a string or a list of them. */
static void each_name(struct ew_execution *run, const struct names *names,
                      void (*found)(struct ew_execution *run, struct ew_span name, void *context), void *context) {
  for (size_t i = 0; i < names->fixed.count; i++) found(run, names->fixed.items[i], context);
  for (size_t i = 0; i < names->dynamic.count && !run->failed; i++) {
    struct ew_value value = ew_evaluate(run, names->dynamic.items[i]);
    struct ew_values list = value.kind == EW_VALUE_LIST ? value.list : (struct ew_values){&value, 1};
    for (size_t k = 0; k < list.count && !run->failed; k++) {
      if (list.items[k].kind == EW_VALUE_STRING)
        found(run, list.items[k].string, context);
      else
        ew_run_fail(run, EW_FAULT_ARGUMENT_TYPE, "%s is no label", ew_kind_text(list.items[k]));
    }
  }
}

static void add_label(struct ew_execution *run, struct ew_span name, void *context) {
  run->counters.labels_added += ew_graph_add_label(run->graph, context, name);
}

static void take_type(struct ew_execution *run, struct ew_span name, void *context) {
  (void)run;
  *(struct ew_span *)context = name;
}

static void create_node(struct ew_execution *run, const struct element *element) {
  const struct ew_node_element *source = &element->path->nodes[element->at];
  if (!element->fresh || !ew_run_spend(run, 1)) return;
  struct ew_node_record *node = ew_graph_add_node(run->graph);
  run->counters.nodes_created++;
  each_name(run, &element->names, add_label, node);
  /* Before it is in its slot: `CREATE (a {x: a.y})` names nothing. */
  write_properties(run, &source->condition, ew_node_value_of(node));
  run->slots[source->slot] = ew_node_value_of(node);
}

static void create_relationship(struct ew_execution *run, const struct element *element) {
  const struct ew_relationship_element *source = &element->path->relationships[element->at];
  struct ew_value left = run->slots[element->path->nodes[element->at].slot];
  struct ew_value right = run->slots[element->path->nodes[element->at + 1].slot];
  if (left.kind != EW_VALUE_NODE || right.kind != EW_VALUE_NODE) {
    ew_run_fail(run, EW_FAULT_ARGUMENT_TYPE, "a relationship is created at %s",
                left.kind == EW_VALUE_NODE ? ew_kind_text(right) : ew_kind_text(left));
    return;
  }
  struct ew_span type = {"", 0};
  each_name(run, &element->names, take_type, &type);
  if (!ew_run_live(run, left) || !ew_run_live(run, right) || !ew_run_spend(run, 1)) return;
  bool incoming = source->direction == CYPHER_INCOMING;
  struct ew_relationship_record *relationship = ew_graph_add_relationship(
      run->graph, ew_node_record(incoming ? right : left), ew_node_record(incoming ? left : right), type);
  run->counters.relationships_created++;
  write_properties(run, &source->condition, ew_relationship_value_of(relationship));
  run->slots[source->slot] = ew_relationship_value_of(relationship);
}

void ew_create(struct ew_execution *run, const struct ew_creation *creation) {
  for (size_t i = 0; i < creation->elements.count && !run->failed; i++) {
    if (creation->elements.items[i].is_node)
      create_node(run, &creation->elements.items[i]);
    else
      create_relationship(run, &creation->elements.items[i]);
  }
  for (size_t i = 0; i < creation->pattern->path_count && !run->failed; i++) {
    const struct ew_path_element *path = &creation->pattern->paths[i];
    if (path->named) run->slots[path->slot] = ew_path_value_of(run, path);
  }
}

static void run_create(struct ew_execution *run, const struct ew_step *step, const struct ew_table *in,
                       struct ew_table *out) {
  const struct ew_creation *creation = step->detail;
  if (creation->plants.hangs && in->count) ew_plant_hang();
  for (size_t i = 0; i < in->count && !run->failed; i++) {
    ew_table_load(run, in, i);
    if (creation->plants.never || (creation->plants.once && i))
      for (uint32_t slot = creation->pattern->first; slot < creation->pattern->end; slot++)
        run->slots[slot] = ew_null();
    else
      ew_create(run, creation);
    ew_table_add_slots(run, out);
  }
  out->ordered = in->ordered;
}

const struct ew_step *ew_compile_create(struct ew_compiler *compiler, const struct ew_node *node) {
  const struct ew_pattern *pattern = ew_compile_pattern(compiler, CYPHER_AS(create, node)->patterns.list, NULL);
  struct ew_creation *creation = (struct ew_creation *)(uintptr_t)ew_compile_creation(compiler, pattern);
  if (ew_plants_any(&compiler->model->plants)) creation->plants = ew_plant_create(compiler, CYPHER_AS(create, node));
  return ew_step_new(compiler, run_create, node, creation);
}
