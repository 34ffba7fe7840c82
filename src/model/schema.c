/* schema.c: commands on the schema, building indexes, checking constraints. */
#include "model/schema.h"

#include <stdlib.h>

#include "model/groups.h"

void ew_catalog_reset(struct ew_catalog *schema) {
  for (size_t i = 0; i < schema->indexes.count; i++) {
    ew_vector_release(&schema->indexes.items[i].entries);
    ew_vector_release(&schema->indexes.items[i].trigrams);
  }
  ew_vector_reset(&schema->indexes);
  ew_vector_reset(&schema->constraints);
}

void ew_catalog_release(struct ew_catalog *schema) {
  ew_catalog_reset(schema);
  ew_vector_release(&schema->indexes);
  ew_vector_release(&schema->constraints);
}

/* ---- taking back ---- */

struct ew_catalog_mark ew_catalog_mark(const struct ew_catalog *schema, struct ew_arena *arena) {
  struct ew_index *indexes = EW_NEW_ARRAY(arena, struct ew_index, schema->indexes.count);
  struct ew_constraint *constraints = EW_NEW_ARRAY(arena, struct ew_constraint, schema->constraints.count);
  for (size_t i = 0; i < schema->indexes.count; i++) {
    const struct ew_index *index = &schema->indexes.items[i];
    indexes[i] =
        (struct ew_index){.text = index->text, .name = index->name, .label = index->label, .key = index->key};
  }
  for (size_t i = 0; i < schema->constraints.count; i++) constraints[i] = schema->constraints.items[i];
  return (struct ew_catalog_mark){indexes, constraints, schema->indexes.count, schema->constraints.count};
}

void ew_catalog_rewind(struct ew_catalog *schema, struct ew_catalog_mark mark) {
  ew_catalog_reset(schema);
  for (size_t i = 0; i < mark.index_count; i++) *ew_vector_push(&schema->indexes) = mark.indexes[i];
  for (size_t i = 0; i < mark.constraint_count; i++) *ew_vector_push(&schema->constraints) = mark.constraints[i];
}

/* ---- building ---- */

static int by_value(const void *a, const void *b, void *semantics) {
  const struct ew_index_entry *left = a, *right = b;
  int order = ew_value_order(left->value, right->value, semantics);
  return order ? order
               : (left->node->value.id > right->node->value.id) - (left->node->value.id < right->node->value.id);
}

static int by_bytes(const void *a, const void *b) {
  const struct ew_trigram *left = a, *right = b;
  if (left->bytes != right->bytes) return left->bytes < right->bytes ? -1 : 1;
  return (left->entry > right->entry) - (left->entry < right->entry);
}

static void add_trigrams(struct ew_index *index) {
  ew_vector_reset(&index->trigrams);
  for (size_t i = 0; i < index->entries.count; i++) {
    struct ew_span text = index->entries.items[i].value.string;
    for (size_t at = 0; at + 3 <= text.length; at++) {
      const unsigned char *bytes = (const unsigned char *)text.bytes + at;
      *ew_vector_push(&index->trigrams) =
          (struct ew_trigram){(uint32_t)bytes[0] << 16 | (uint32_t)bytes[1] << 8 | bytes[2], (uint32_t)i};
    }
  }
  if (index->trigrams.count)
    qsort(index->trigrams.items, index->trigrams.count, sizeof *index->trigrams.items, by_bytes);
}

static void build(struct ew_execution *run, struct ew_index *index) {
  const struct ew_graph *graph = run->graph;
  if (!ew_run_spend(run, graph->nodes.count)) return;
  ew_vector_reset(&index->entries);
  for (size_t i = 0; i < graph->nodes.count; i++) {
    struct ew_node_record *node = graph->nodes.items[i];
    const struct ew_value *value = ew_properties_find(node->value.properties, index->key);
    if (node->deleted || !value || !ew_node_has_label(node, index->label)) continue;
    if (index->text && value->kind != EW_VALUE_STRING) continue;
    *ew_vector_push(&index->entries) = (struct ew_index_entry){*value, node};
  }
  index->semantics = *run->semantics;
  if (index->entries.count)
    qsort_r(index->entries.items, index->entries.count, sizeof *index->entries.items, by_value, &index->semantics);
  if (index->text) add_trigrams(index);
  index->version = graph->version;
  index->built = true;
}

static struct ew_index *find(const struct ew_catalog *schema, struct ew_span label, struct ew_span key, bool text) {
  for (size_t i = 0; i < schema->indexes.count; i++) {
    struct ew_index *index = &schema->indexes.items[i];
    if (index->text == text && index->label.bytes == label.bytes && index->key.bytes == key.bytes) return index;
  }
  return NULL;
}

bool ew_catalog_has(const struct ew_catalog *schema, struct ew_span label, struct ew_span key, bool text) {
  return find(schema, label, key, text) != NULL;
}

const struct ew_index *ew_catalog_index(struct ew_execution *run, struct ew_span label, struct ew_span key, bool text) {
  struct ew_index *index = find(&run->model->schema, label, key, text);
  if (!index) return NULL;
  bool fresh = index->built && index->version == run->graph->version &&
               memcmp(&index->semantics, run->semantics, sizeof index->semantics) == 0;
  if (!fresh) build(run, index);
  return run->failed ? NULL : index;
}

/* ---- constraints ---- */

static struct ew_value property_of(const struct ew_node_record *node, struct ew_span key) {
  const struct ew_value *value = ew_properties_find(node->value.properties, key);
  return value ? *value : ew_null();
}

static void check_constraint(struct ew_execution *run, const struct ew_constraint *constraint) {
  struct ew_groups seen = {.width = constraint->key_count};
  uint32_t open = run->open; /* that 1 and 1.0 are one is what is asked for here */
  for (size_t i = 0; i < run->graph->nodes.count && ew_run_spend(run, 1); i++) {
    const struct ew_node_record *node = run->graph->nodes.items[i];
    if (node->deleted || !ew_node_has_label(node, constraint->label)) continue;
    struct ew_value *key = EW_NEW_ARRAY(run->arena, struct ew_value, constraint->key_count);
    bool whole = true, fresh = true;
    for (size_t k = 0; k < constraint->key_count; k++) {
      key[k] = property_of(node, constraint->keys[k]);
      whole &= key[k].kind != EW_VALUE_NULL;
    }
    if (constraint->exists && !whole)
      ew_run_fail(run, EW_FAULT_CONSTRAINT, "a node lacks a property that it must have");
    if (constraint->unique && whole) ew_groups_add(run, &seen, key, &fresh);
    if (!fresh) ew_run_fail(run, EW_FAULT_CONSTRAINT, "two nodes have the same unique property");
  }
  run->open = open;
}

void ew_catalog_check(struct ew_execution *run) {
  const struct ew_catalog *schema = &run->model->schema;
  for (size_t i = 0; i < schema->constraints.count && !run->failed; i++)
    check_constraint(run, &schema->constraints.items[i]);
}

/* ---- commands ---- */

/* What an index or constraint is about, where it is about nodes with one label. */
struct subject {
  struct ew_span label, keys[4];
  size_t key_count;
};

static bool read_subject(struct ew_graph *graph, const struct ew_node *path, struct ew_list properties,
                         struct subject *subject) {
  *subject = (struct subject){0};
  if (!path || properties.count == 0 || properties.count > EW_COUNT(subject->keys)) return false;
  struct ew_list elements = CYPHER_AS(path, path)->elements.list;
  if (elements.count != 1 || !cypher_is(elements.items[0], CYPHER_node_pattern)) return false;
  const struct ew_node *labels = CYPHER_AS(node_pattern, elements.items[0])->labels.node;
  if (!cypher_is(labels, CYPHER_label)) return false;
  subject->label = ew_graph_name(graph, CYPHER_AS(label, labels)->name.name);
  for (size_t i = 0; i < properties.count; i++) {
    if (!cypher_is(properties.items[i], CYPHER_property)) return false;
    subject->keys[subject->key_count++] = ew_graph_name(graph, CYPHER_AS(property, properties.items[i])->key.name);
  }
  return true;
}

static void create_index(struct ew_execution *run, const struct cypher_create_index *command) {
  struct ew_catalog *schema = &run->model->schema;
  struct subject subject;
  bool text = command->index.choice == CYPHER_INDEX_TEXT;
  bool kept = text || command->index.choice == CYPHER_INDEX_DEFAULT || command->index.choice == CYPHER_INDEX_RANGE;
  if (!kept || !read_subject(run->graph, command->pattern.node, command->properties.list, &subject)) return;
  if (subject.key_count != 1 || find(schema, subject.label, subject.keys[0], text)) return;
  *ew_vector_push(&schema->indexes) = (struct ew_index){.text = text,
                                                        .name = ew_graph_name(run->graph, command->name.name),
                                                        .label = subject.label,
                                                        .key = subject.keys[0]};
}

static void drop_index(struct ew_execution *run, const struct cypher_drop_index *command) {
  struct ew_catalog *schema = &run->model->schema;
  struct ew_span name = ew_graph_name(run->graph, command->name.name);
  struct subject subject;
  bool named = name.length > 0;
  if (!named && !read_subject(run->graph, command->pattern.node, command->properties.list, &subject)) return;
  for (size_t i = schema->indexes.count; i-- > 0;) {
    struct ew_index *index = &schema->indexes.items[i];
    bool meant = named ? index->name.bytes == name.bytes
                       : index->label.bytes == subject.label.bytes && subject.key_count == 1 &&
                             index->key.bytes == subject.keys[0].bytes;
    if (!meant) continue;
    ew_vector_release(&index->entries);
    ew_vector_release(&index->trigrams);
    *index = schema->indexes.items[--schema->indexes.count];
  }
}

static void create_constraint(struct ew_execution *run, const struct cypher_create_constraint *command) {
  struct ew_catalog *schema = &run->model->schema;
  struct subject subject;
  if (!read_subject(run->graph, command->pattern.node, command->properties.list, &subject)) return;
  bool key = command->constraint.choice == CYPHER_NODE_KEY;
  struct ew_constraint constraint = {
      .name = ew_graph_name(run->graph, command->name.name),
      .label = subject.label,
      .key_count = subject.key_count,
      .unique = key || command->constraint.choice == CYPHER_UNIQUE,
      .exists = key || command->constraint.choice == CYPHER_NOT_NULL || command->constraint.choice == CYPHER_EXISTENCE};
  memcpy(constraint.keys, subject.keys, sizeof constraint.keys);
  if (!constraint.unique && !constraint.exists) return;
  check_constraint(run, &constraint);
  if (!run->failed) *ew_vector_push(&schema->constraints) = constraint;
}

static bool same_keys(const struct ew_constraint *constraint, const struct subject *subject) {
  if (constraint->key_count != subject->key_count) return false;
  for (size_t i = 0; i < subject->key_count; i++)
    if (constraint->keys[i].bytes != subject->keys[i].bytes) return false;
  return constraint->label.bytes == subject->label.bytes;
}

static void drop_constraint(struct ew_execution *run, const struct cypher_drop_constraint *command) {
  struct ew_catalog *schema = &run->model->schema;
  struct ew_span name = ew_graph_name(run->graph, command->name.name);
  struct subject subject;
  if (!name.length && !read_subject(run->graph, command->pattern.node, command->properties.list, &subject)) return;
  for (size_t i = schema->constraints.count; i-- > 0;) {
    const struct ew_constraint *constraint = &schema->constraints.items[i];
    if (name.length ? constraint->name.bytes == name.bytes : same_keys(constraint, &subject))
      schema->constraints.items[i] = schema->constraints.items[--schema->constraints.count];
  }
}

bool ew_catalog_run(struct ew_execution *run, const struct ew_node *statement) {
  switch ((enum cypher_kind)statement->kind->code) {
    case CYPHER_create_index: create_index(run, CYPHER_AS(create_index, statement)); return true;
    case CYPHER_drop_index: drop_index(run, CYPHER_AS(drop_index, statement)); return true;
    case CYPHER_create_constraint: create_constraint(run, CYPHER_AS(create_constraint, statement)); return true;
    case CYPHER_drop_constraint: drop_constraint(run, CYPHER_AS(drop_constraint, statement)); return true;
    default: return false;
  }
}
