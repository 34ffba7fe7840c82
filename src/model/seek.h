/* seek.h: looking for a pattern's first node in an index instead of among all nodes. For this room only.

   What a seek leaves out cannot match; what it brings is asked everything again. Only predicates whose neighbours cannot fail
   are used, so that an error is raised with an index if and only if it is raised without. */
#ifndef EW_MODEL_SEEK_H
#define EW_MODEL_SEEK_H

#include "model/pattern.h"

/* node.key OPERATOR value, or value OPERATOR node.key turned round. */
struct ew_seek {
  enum cypher_operator operator;
  struct ew_span key; /* interned */
  const struct ew_code *value;
  const struct ew_node *predicate; /* NULL for an entry of a property map */
  bool turned;                     /* the property was on the right */
};

struct ew_seeks {
  const struct ew_span *labels; /* that the node must have, interned */
  size_t label_count;
  const struct ew_seek *items;
  size_t count;
  bool optional; /* of an OPTIONAL MATCH */
};

/* A part of a WHERE that may be answered by an index. */
struct ew_seek_source {
  const struct ew_node *tree;
  const struct ew_code **code;
};

/* Whether everything that a tree names has its value before the node is looked for. */
typedef bool (*ew_seek_ready)(const void *planner, const struct ew_node *tree);

/* NULL where nothing can be looked for. */
const struct ew_seeks *ew_compile_seeks(struct ew_compiler *compiler, const struct ew_node_element *node,
                                        const struct ew_seek_source *sources, size_t count, ew_seek_ready ready,
                                        const void *planner);

struct ew_candidates {
  struct ew_node_record **nodes; /* in the order of their ids, which is that of a scan */
  size_t count;
};

/* The nodes worth looking at for the row at hand; false where no index helps. */
bool ew_seek_run(struct ew_execution *run, const struct ew_seeks *seeks, struct ew_candidates *candidates);

#endif
