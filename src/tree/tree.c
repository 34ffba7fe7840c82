/* tree.c: building nodes, and everything that is one loop over the fields of a kind: walk, equality, hash, copies. */
#include "tree/tree.h"

#include "base/hash.h"

size_t ew_kind_field_count(const struct ew_kind *kind) {
  size_t count = 0;
  while (kind->fields[count].type != EW_FIELD_END) count++;
  return count;
}

const struct ew_kind *ew_table_find(const struct ew_node_table *table, struct ew_span name) {
  for (size_t i = 0; i < table->count; i++)
    if (ew_span_is(name, table->kinds[i].name)) return &table->kinds[i];
  return NULL;
}

static union ew_field *fields_of(struct ew_node *node) { return (union ew_field *)(void *)(node + 1); }

/* ---- building ---- */

static enum ew_walk larger_id(const struct ew_node *node, struct ew_place place, void *context) {
  uint64_t *next = context;
  (void)place;
  if (node->id >= *next) *next = node->id + 1;
  return EW_WALK_ON;
}

struct ew_builder ew_builder_for(struct ew_arena *arena, const struct ew_node *root) {
  struct ew_builder builder = {arena, 1};
  if (root) ew_tree_walk(root, larger_id, &builder.next_id);
  return builder;
}

static struct ew_node *copy_node(struct ew_arena *arena, const struct ew_kind *kind, const void *filled, uint64_t id) {
  struct ew_node *node = ew_arena_take(arena, kind->size);
  memcpy(node, filled, kind->size);
  node->kind = kind;
  node->id = id;
  return node;
}

const struct ew_node *ew_node_changed(struct ew_builder *builder, const struct ew_node *node,
                                      const union ew_field *fields) {
  struct ew_node *copy = copy_node(builder->arena, node->kind, node, node->id);
  memcpy(fields_of(copy), fields, ew_kind_field_count(node->kind) * sizeof *fields);
  return copy;
}

struct ew_list ew_list_append(struct ew_builder *builder, struct ew_list list, const struct ew_node *item) {
  const struct ew_node **copy = ew_arena_take(builder->arena, ew_array_size(list.count + 1, sizeof *copy));
  for (size_t i = 0; i < list.count; i++) copy[i] = list.items[i];
  copy[list.count] = item;
  return (struct ew_list){copy, list.count + 1};
}

struct ew_list ew_list_without(struct ew_builder *builder, struct ew_list list, size_t index) {
  const struct ew_node **copy = ew_arena_take(builder->arena, ew_array_size(list.count, sizeof *copy));
  size_t count = 0;
  for (size_t i = 0; i < list.count; i++)
    if (i != index) copy[count++] = list.items[i];
  return (struct ew_list){copy, count};
}

struct ew_names ew_names_of(struct ew_builder *builder, const struct ew_span *items, size_t count) {
  struct ew_span *copy = ew_arena_take(builder->arena, ew_array_size(count, sizeof *copy));
  for (size_t i = 0; i < count; i++) copy[i] = items[i];
  return (struct ew_names){copy, count};
}

/* ---- walking ---- */

struct walk {
  ew_visitor visit;
  void *context;
};

static bool walk(const struct walk *how, const struct ew_node *node, struct ew_place place) {
  enum ew_walk verdict = how->visit(node, place, how->context);
  if (verdict != EW_WALK_ON) return verdict == EW_WALK_SKIP;
  const union ew_field *fields = ew_node_fields(node);
  for (size_t i = 0; node->kind->fields[i].type != EW_FIELD_END; i++) {
    switch (node->kind->fields[i].type) {
      case EW_FIELD_ONE:
      case EW_FIELD_OPT:
        if (fields[i].node && !walk(how, fields[i].node, (struct ew_place){node, i, 0})) return false;
        break;
      case EW_FIELD_LIST:
        for (size_t k = 0; k < fields[i].list.count; k++)
          if (!walk(how, fields[i].list.items[k], (struct ew_place){node, i, k})) return false;
        break;
      default: break;
    }
  }
  return true;
}

bool ew_tree_walk(const struct ew_node *root, ew_visitor visit, void *context) {
  return walk(&(struct walk){visit, context}, root, (struct ew_place){0});
}

static enum ew_walk count_one(const struct ew_node *node, struct ew_place place, void *context) {
  (void)node;
  (void)place;
  ++*(size_t *)context;
  return EW_WALK_ON;
}

size_t ew_tree_count(const struct ew_node *root) {
  size_t count = 0;
  ew_tree_walk(root, count_one, &count);
  return count;
}

size_t ew_tree_depth(const struct ew_node *root) {
  size_t deepest = 0;
  const union ew_field *fields = ew_node_fields(root);
  for (size_t i = 0; root->kind->fields[i].type != EW_FIELD_END; i++) {
    enum ew_field_type type = root->kind->fields[i].type;
    bool single = type == EW_FIELD_ONE || type == EW_FIELD_OPT;
    size_t count = type == EW_FIELD_LIST ? fields[i].list.count : single && fields[i].node ? 1 : 0;
    for (size_t k = 0; k < count; k++) {
      size_t depth = ew_tree_depth(single ? fields[i].node : fields[i].list.items[k]);
      if (depth > deepest) deepest = depth;
    }
  }
  return deepest + 1;
}

struct find {
  uint64_t id;
  const struct ew_node *found;
};

static enum ew_walk find_id(const struct ew_node *node, struct ew_place place, void *context) {
  struct find *find = context;
  (void)place;
  if (node->id != find->id) return EW_WALK_ON;
  find->found = node;
  return EW_WALK_STOP;
}

const struct ew_node *ew_tree_find(const struct ew_node *root, uint64_t id) {
  struct find find = {id, NULL};
  ew_tree_walk(root, find_id, &find);
  return find.found;
}

/* ---- equality and hash ---- */

static bool literal_equal(const struct ew_value *a, const struct ew_value *b) {
  struct ew_text left = {0}, right = {0};
  if (a->kind != b->kind) return false;
  if (a->kind == EW_VALUE_INTEGER) return a->integer == b->integer;
  if (a->kind == EW_VALUE_STRING) return ew_span_equal(a->string, b->string);
  ew_value_print(&left, *a);
  ew_value_print(&right, *b);
  bool equal = ew_span_equal(ew_text_span(&left), ew_text_span(&right));
  ew_text_release(&left);
  ew_text_release(&right);
  return equal;
}

static bool field_equal(enum ew_field_type type, const union ew_field *a, const union ew_field *b) {
  switch (type) {
    case EW_FIELD_END: break;
    case EW_FIELD_ONE:
    case EW_FIELD_OPT:
      if (!a->node || !b->node) return a->node == b->node;
      return ew_tree_equal(a->node, b->node);
    case EW_FIELD_LIST:
      if (a->list.count != b->list.count) return false;
      for (size_t i = 0; i < a->list.count; i++)
        if (!ew_tree_equal(a->list.items[i], b->list.items[i])) return false;
      return true;
    case EW_FIELD_NAME: return ew_span_equal(a->name, b->name);
    case EW_FIELD_NAMES:
      if (a->names.count != b->names.count) return false;
      for (size_t i = 0; i < a->names.count; i++)
        if (!ew_span_equal(a->names.items[i], b->names.items[i])) return false;
      return true;
    case EW_FIELD_FLAG: return a->flag == b->flag;
    case EW_FIELD_CHOICE: return a->choice == b->choice;
    case EW_FIELD_NUMBER: return a->number == b->number;
    case EW_FIELD_VALUE: return literal_equal(a->value, b->value);
  }
  EW_BUG("field type %d", (int)type);
}

bool ew_tree_equal(const struct ew_node *a, const struct ew_node *b) {
  if (a == b) return true;
  if (a->kind != b->kind) return false;
  const union ew_field *left = ew_node_fields(a), *right = ew_node_fields(b);
  for (size_t i = 0; a->kind->fields[i].type != EW_FIELD_END; i++)
    if (!field_equal(a->kind->fields[i].type, &left[i], &right[i])) return false;
  return true;
}

static uint64_t literal_hash(const struct ew_value *value, uint64_t hash) {
  struct ew_text text = {0};
  ew_value_print(&text, *value);
  hash = ew_hash_span(ew_text_span(&text), hash);
  ew_text_release(&text);
  return hash;
}

static uint64_t field_hash(enum ew_field_type type, const union ew_field *field, uint64_t hash) {
  switch (type) {
    case EW_FIELD_END: break;
    case EW_FIELD_ONE:
    case EW_FIELD_OPT: return ew_hash_mix(hash, field->node ? ew_tree_hash(field->node) : 0);
    case EW_FIELD_LIST:
      for (size_t i = 0; i < field->list.count; i++) hash = ew_hash_mix(hash, ew_tree_hash(field->list.items[i]));
      return ew_hash_mix(hash, field->list.count);
    case EW_FIELD_NAME: return ew_hash_span(field->name, hash);
    case EW_FIELD_NAMES:
      for (size_t i = 0; i < field->names.count; i++) hash = ew_hash_span(field->names.items[i], hash);
      return ew_hash_mix(hash, field->names.count);
    case EW_FIELD_FLAG: return ew_hash_mix(hash, field->flag);
    case EW_FIELD_CHOICE: return ew_hash_mix(hash, field->choice);
    case EW_FIELD_NUMBER: return ew_hash_mix(hash, (uint64_t)field->number);
    case EW_FIELD_VALUE: return literal_hash(field->value, hash);
  }
  EW_BUG("field type %d", (int)type);
}

uint64_t ew_tree_hash(const struct ew_node *root) {
  uint64_t hash = ew_hash_bytes(root->kind->name, strlen(root->kind->name), 0);
  const union ew_field *fields = ew_node_fields(root);
  for (size_t i = 0; root->kind->fields[i].type != EW_FIELD_END; i++)
    hash = field_hash(root->kind->fields[i].type, &fields[i], hash);
  return hash;
}

/* ---- copies ---- */

/* With a builder: new ids; without: the old ones. */
static const struct ew_node *copy_deep(struct ew_arena *arena, struct ew_builder *builder, const struct ew_node *root) {
  struct ew_node *copy = copy_node(arena, root->kind, root, builder ? builder->next_id++ : root->id);
  union ew_field *fields = fields_of(copy);
  for (size_t i = 0; copy->kind->fields[i].type != EW_FIELD_END; i++) {
    union ew_field *field = &fields[i];
    switch (copy->kind->fields[i].type) {
      case EW_FIELD_ONE:
      case EW_FIELD_OPT:
        if (field->node) field->node = copy_deep(arena, builder, field->node);
        break;
      case EW_FIELD_LIST: {
        const struct ew_node **items = ew_arena_take(arena, ew_array_size(field->list.count, sizeof *items));
        for (size_t k = 0; k < field->list.count; k++) items[k] = copy_deep(arena, builder, field->list.items[k]);
        field->list.items = items;
        break;
      }
      case EW_FIELD_NAME: field->name = ew_arena_copy(arena, field->name); break;
      case EW_FIELD_NAMES: {
        struct ew_span *names = ew_arena_take(arena, ew_array_size(field->names.count, sizeof *names));
        for (size_t k = 0; k < field->names.count; k++) names[k] = ew_arena_copy(arena, field->names.items[k]);
        field->names.items = names;
        break;
      }
      case EW_FIELD_VALUE: {
        struct ew_value *value = ew_arena_take(arena, sizeof *value);
        *value = ew_value_copy(arena, *field->value);
        field->value = value;
        break;
      }
      default: break;
    }
  }
  return copy;
}

const struct ew_node *ew_tree_clone(struct ew_arena *arena, const struct ew_node *root) {
  return copy_deep(arena, NULL, root);
}

const struct ew_node *ew_tree_duplicate(struct ew_builder *builder, const struct ew_node *root) {
  return copy_deep(builder->arena, builder, root);
}

/* ---- replacing ---- */

struct replace {
  struct ew_builder *builder;
  uint64_t id;
  const struct ew_node *by;
  bool found, impossible;
};

static const struct ew_node *replace(struct replace *job, const struct ew_node *node);

/* The field with the replacement made below it; `*field` is a copy that may be written. */
static void replace_in_field(struct replace *job, const struct ew_field_info *info, union ew_field *field) {
  enum ew_field_type type = info->type;
  if (type == EW_FIELD_ONE || type == EW_FIELD_OPT) {
    if (!field->node) return;
    field->node = replace(job, field->node);
    if (!field->node && type == EW_FIELD_ONE) job->impossible = true;
    return;
  }
  if (type != EW_FIELD_LIST) return;
  for (size_t k = 0; k < field->list.count && !job->found; k++) {
    const struct ew_node *item = replace(job, field->list.items[k]);
    if (!job->found) continue;
    if (!item) {
      if (field->list.count <= info->least) job->impossible = true;
      field->list = ew_list_without(job->builder, field->list, k);
      return;
    }
    field->list = ew_list_of(job->builder, field->list.items, field->list.count);
    ((const struct ew_node **)(uintptr_t)field->list.items)[k] = item;
  }
}

static const struct ew_node *replace(struct replace *job, const struct ew_node *node) {
  if (node->id == job->id) {
    job->found = true;
    return job->by;
  }
  const union ew_field *fields = ew_node_fields(node);
  for (size_t i = 0; node->kind->fields[i].type != EW_FIELD_END; i++) {
    union ew_field changed = fields[i];
    replace_in_field(job, &node->kind->fields[i], &changed);
    if (!job->found) continue;
    struct ew_node *copy = copy_node(job->builder->arena, node->kind, node, node->id);
    fields_of(copy)[i] = changed;
    return copy;
  }
  return node;
}

const struct ew_node *ew_tree_replace(struct ew_builder *builder, const struct ew_node *root, uint64_t id,
                                      const struct ew_node *by) {
  struct replace job = {.builder = builder, .id = id, .by = by};
  const struct ew_node *changed = replace(&job, root);
  return job.impossible ? NULL : changed;
}

/* ---- mapping ---- */

struct mapping {
  struct ew_builder *builder;
  ew_change change;
  void *context;
};

static const struct ew_node *map(const struct mapping *job, const struct ew_node *node, struct ew_place place);

static bool map_list(const struct mapping *job, const struct ew_node *parent, size_t field, struct ew_list *list) {
  const struct ew_node **items = NULL;
  for (size_t k = 0; k < list->count; k++) {
    const struct ew_node *old = list->items[k], *item = map(job, old, (struct ew_place){parent, field, k});
    if (item == old && !items) continue;
    if (!items) {
      items = ew_arena_take(job->builder->arena, ew_array_size(list->count, sizeof *items));
      memcpy(items, list->items, list->count * sizeof *items);
    }
    items[k] = item;
  }
  if (items) list->items = items;
  return items != NULL;
}

static const struct ew_node *map(const struct mapping *job, const struct ew_node *node, struct ew_place place) {
  union ew_field fields[EW_FIELDS_MAX];
  size_t count = ew_kind_field_count(node->kind);
  bool changed = false;
  EW_ASSERT(count <= EW_FIELDS_MAX);
  memcpy(fields, ew_node_fields(node), count * sizeof fields[0]);
  for (size_t i = 0; i < count; i++) {
    enum ew_field_type type = node->kind->fields[i].type;
    if (type == EW_FIELD_LIST) {
      changed = map_list(job, node, i, &fields[i].list) || changed;
    } else if ((type == EW_FIELD_ONE || type == EW_FIELD_OPT) && fields[i].node) {
      const struct ew_node *child = map(job, fields[i].node, (struct ew_place){node, i, 0});
      changed = changed || child != fields[i].node;
      fields[i].node = child;
    }
  }
  if (changed) node = ew_node_changed(job->builder, node, fields);
  return job->change(job->builder, node, place, job->context);
}

const struct ew_node *ew_tree_map(struct ew_builder *builder, const struct ew_node *root, ew_change change,
                                  void *context) {
  return map(&(struct mapping){builder, change, context}, root, (struct ew_place){0});
}
