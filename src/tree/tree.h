/* tree.h: syntax trees of any language over a table of node kinds.

   A language lists its kinds once, in a `node.def`:

       NODE(match,  CLAUSE,  FLAG(optional) LIST(patterns, PATTERN) OPT(where, EXPR))

   and gets one struct per kind from tree/declare.h and the table from tree/define.h. A node is a head and an array of fields, all of
   one size, so that everything generic (walk, copy, equality, hash, JSON, reduction) is a loop over the fields of the kind:

       head:  kind ──▶ { "match", CLAUSE, fields: flag, list, opt }
              id
       field: optional │ patterns │ where

   Nodes are immutable once built and live in an arena. To change a tree, copy along the path (ew_tree_replace). A node's id
   survives copying, so that a recipe can name a node of the base query; a newly built node gets a new id. */
#ifndef EW_TREE_TREE_H
#define EW_TREE_TREE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/json.h"
#include "value/value.h"

struct ew_node;

enum ew_field_type {
  EW_FIELD_END = 0, /* behind the last field of a kind */
  EW_FIELD_ONE,     /* a node */
  EW_FIELD_OPT,     /* a node or NULL */
  EW_FIELD_LIST,    /* nodes, may be none */
  EW_FIELD_NAME,    /* an identifier */
  EW_FIELD_NAMES,   /* identifiers, may be none */
  EW_FIELD_FLAG,
  EW_FIELD_CHOICE, /* one of the kind's named choices */
  EW_FIELD_NUMBER, /* a 64-bit integer that is part of the syntax, such as a hop count; -1 where it is absent */
  EW_FIELD_VALUE,  /* a literal */
};

struct ew_list {
  const struct ew_node *const *items;
  size_t count;
};

/* Its first member is as large as any: an initializer that names none of them clears that one, and a compiler may leave the
   bytes behind it as they were. */
union ew_field {
  struct ew_list list;
  const struct ew_node *node;
  struct ew_span name;
  struct ew_names names;
  bool flag;
  uint32_t choice;
  int64_t number;
  const struct ew_value *value;
};
_Static_assert(sizeof(struct ew_list) == sizeof(union ew_field), "a field that is not named is empty");

struct ew_field_info {
  const char *name;
  enum ew_field_type type;
  unsigned class;             /* ONE, OPT, LIST: what may stand there; 0 is anything */
  const char *const *choices; /* CHOICE: their names, NULL behind the last */
  bool optional;              /* NAME: may be empty */
  size_t least;               /* LIST: items that must be there */
};

enum { EW_FIELDS_MAX = 10 };

struct ew_kind {
  const char *name;
  unsigned code;  /* the language's enum, for switch */
  unsigned class; /* the language's enum of classes, from 1 */
  size_t size;    /* of the kind's struct */
  struct ew_field_info fields[EW_FIELDS_MAX + 1];
};

struct ew_node_table {
  const char *language;
  const struct ew_kind *kinds;
  size_t count;
};

struct ew_node {
  const struct ew_kind *kind;
  uint64_t id;
};

static inline const union ew_field *ew_node_fields(const struct ew_node *node) {
  return (const union ew_field *)(const void *)(node + 1);
}

size_t ew_kind_field_count(const struct ew_kind *kind);
const struct ew_kind *ew_table_find(const struct ew_node_table *table, struct ew_span name);

/* Where nodes are made: an arena and the next id. */
struct ew_builder {
  struct ew_arena *arena;
  uint64_t next_id; /* 1 + the largest in use */
};

/* A builder whose ids follow those of `root`. */
struct ew_builder ew_builder_for(struct ew_arena *arena, const struct ew_node *root);

/* A node of `kind` with fields copied from `filled`, a struct of that kind and of `size` bytes; the head is set here.
   Where the compiler knows the size, it writes the fields where they belong. */
static inline const struct ew_node *ew_node_make_sized(struct ew_builder *builder, const struct ew_kind *kind,
                                                       const void *filled, size_t size) {
  struct ew_node *node = ew_arena_take(builder->arena, size);
  memcpy(node, filled, size);
  node->kind = kind;
  node->id = builder->next_id++;
  return node;
}
static inline const struct ew_node *ew_node_make(struct ew_builder *builder, const struct ew_kind *kind,
                                                 const void *filled) {
  return ew_node_make_sized(builder, kind, filled, kind->size);
}

/* The node with other fields, as many as its kind has; kind and id stay. */
const struct ew_node *ew_node_changed(struct ew_builder *builder, const struct ew_node *node,
                                      const union ew_field *fields);

/* Lists for fields. */
static inline struct ew_list ew_list_of(struct ew_builder *builder, const struct ew_node *const *items, size_t count) {
  const struct ew_node **copy = ew_arena_take(builder->arena, ew_array_size(count, sizeof *copy));
  for (size_t i = 0; i < count; i++) copy[i] = items[i];
  return (struct ew_list){copy, count};
}
struct ew_list ew_list_append(struct ew_builder *builder, struct ew_list list, const struct ew_node *item);
struct ew_list ew_list_without(struct ew_builder *builder, struct ew_list list, size_t index);
struct ew_names ew_names_of(struct ew_builder *builder, const struct ew_span *items, size_t count);
static inline const struct ew_value *ew_literal_of(struct ew_builder *builder, struct ew_value value) {
  struct ew_value *copy = ew_arena_take(builder->arena, sizeof *copy);
  *copy = value;
  return copy;
}

/* ---- generic over every kind ---- */

enum ew_walk { EW_WALK_ON, EW_WALK_SKIP /* not into this node */, EW_WALK_STOP };

/* Where a node hangs: parent's field, and position if that is a list. Parent is NULL for the root. */
struct ew_place {
  const struct ew_node *parent;
  size_t field, index;
};

typedef enum ew_walk (*ew_visitor)(const struct ew_node *node, struct ew_place place, void *context);

/* Parents before children, children in the order of fields. Returns whether nobody stopped it. */
bool ew_tree_walk(const struct ew_node *root, ew_visitor visit, void *context);

size_t ew_tree_count(const struct ew_node *root);
size_t ew_tree_depth(const struct ew_node *root);
const struct ew_node *ew_tree_find(const struct ew_node *root, uint64_t id);

/* Same kinds and same contents; ids do not matter. Literals are the same if they print the same. */
bool ew_tree_equal(const struct ew_node *a, const struct ew_node *b);
uint64_t ew_tree_hash(const struct ew_node *root);

/* A deep copy that depends on no other memory; ids are kept. */
const struct ew_node *ew_tree_clone(struct ew_arena *arena, const struct ew_node *root);
/* The same, with a new id for every node. */
const struct ew_node *ew_tree_duplicate(struct ew_builder *builder, const struct ew_node *root);

/* The tree with the node called `id` replaced by `by`: only the path to it is copied. `by` NULL removes it from a list or an OPT
   field. Returns NULL where it cannot be removed, and `root` itself where there is no such node. */
const struct ew_node *ew_tree_replace(struct ew_builder *builder, const struct ew_node *root, uint64_t id,
                                      const struct ew_node *by);

/* The tree with every node, children first, replaced by what `change` makes of it, which is the node itself where it stays. `place`
   is where the node hung before. What has no change in it is shared. */
typedef const struct ew_node *(*ew_change)(struct ew_builder *builder, const struct ew_node *node,
                                           struct ew_place place, void *context);
const struct ew_node *ew_tree_map(struct ew_builder *builder, const struct ew_node *root, ew_change change,
                                  void *context);

/* How deep a stored tree may be: what is read from a file is bounded, and a tree that is deeper cannot be stored. */
enum { EW_TREE_DEPTH = 400 };
/* Every node may be an object in an array of its parent, and a case wraps its trees. */
_Static_assert(EW_TREE_DEPTH * 2 + 100 <= EW_JSON_DEPTH, "a tree that was written can be read");

/* {"kind": "match", "id": 7, "optional": true, …}; a field that is empty, false or -1 is left out. */
void ew_tree_write_json(struct ew_json_writer *writer, const struct ew_node *root);
/* Checks kinds, classes of children and presence of what must be there. */
enum ew_status ew_tree_read_json(struct ew_arena *arena, const struct ew_node_table *table, const struct ew_json *json,
                                 const struct ew_node **root, struct ew_error *error) EW_CHECKED;

#endif
