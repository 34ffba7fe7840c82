/* node.h: the nodes of Datalog as structs, and the way to make one:

       DATALOG(builder, literal, .negated.flag = true, .atom.node = atom) */
#ifndef EW_LANG_DATALOG_NODE_H
#define EW_LANG_DATALOG_NODE_H

#include "tree/tree.h"

#define EW_TREE_PREFIX datalog
#define EW_TREE_UPPER DATALOG
#define EW_TREE_DEF "lang/datalog/node.def"
#include "tree/declare.h"

#define DATALOG(builder_, kind_, ...) \
  ew_node_make((builder_), &datalog_kinds[DATALOG_##kind_], &(const struct datalog_##kind_){{0}, __VA_ARGS__})

/* The node as its own struct. The caller has seen its kind. */
#define DATALOG_AS(kind_, node_) ((const struct datalog_##kind_ *)(const void *)(node_))

/* The widest number: µZ takes no wider sort, and a value is a signed 64-bit integer. */
enum { DATALOG_BITS_MAX = 63 };

static inline bool datalog_is(const struct ew_node *node, enum datalog_kind kind) { return node->kind->code == kind; }

/* The atom of a positive literal; NULL for all else that stands in a body. */
static inline const struct datalog_atom *datalog_positive(const struct ew_node *literal) {
  if (!datalog_is(literal, DATALOG_literal) || DATALOG_AS(literal, literal)->negated.flag) return NULL;
  return DATALOG_AS(atom, DATALOG_AS(literal, literal)->atom.node);
}

/* What a rule derives. */
static inline const struct datalog_atom *datalog_head(const struct datalog_rule *rule) {
  return DATALOG_AS(atom, rule->derives.node);
}

#endif
