/* schema.h: indexes and constraints of the model's graph.

   An index never changes what a query gives: it only says which nodes are worth looking at, and what it answers is asked of
   each of them again (seek.h). It is built when it is first looked into, and again when the graph has changed since.
   Of kinds: range (a list of values, sorted) and text (trigrams); others are taken and do nothing. Creating what is there, or
   dropping what is not, is no error: engines differ in that. Of constraints on nodes, uniqueness, existence and keys are
   enforced when a statement ends; those on types and on relationships are taken and do nothing. */
#ifndef EW_MODEL_SCHEMA_H
#define EW_MODEL_SCHEMA_H

#include "lang/cypher/node.h"
#include "model/graph.h"

struct ew_execution;

struct ew_index_entry {
  struct ew_value value;
  struct ew_node_record *node;
};

struct ew_trigram {
  uint32_t bytes; /* three of them */
  uint32_t entry;
};

struct ew_index {
  bool text;
  struct ew_span name, label, key; /* interned; name may be empty */
  bool built;
  uint64_t version;                         /* of the graph, when it was built */
  struct ew_semantics semantics;            /* under which it was built */
  EW_VECTOR(struct ew_index_entry) entries; /* by value, then by id */
  EW_VECTOR(struct ew_trigram) trigrams;    /* of a text index: by bytes, then by entry */
};

struct ew_constraint {
  struct ew_span name, label;
  struct ew_span keys[4];
  size_t key_count;
  bool unique, exists;
};

struct ew_catalog {
  EW_VECTOR(struct ew_index) indexes;
  EW_VECTOR(struct ew_constraint) constraints;
};

void ew_catalog_release(struct ew_catalog *schema);
void ew_catalog_reset(struct ew_catalog *schema);

/* What there is now, for taking back what follows. A mark lives in `arena`. */
struct ew_catalog_mark {
  const struct ew_index *indexes;
  const struct ew_constraint *constraints;
  size_t index_count, constraint_count;
};
struct ew_catalog_mark ew_catalog_mark(const struct ew_catalog *schema, struct ew_arena *arena);
void ew_catalog_rewind(struct ew_catalog *schema, struct ew_catalog_mark mark);

/* Runs CREATE or DROP of an index or constraint. False where `statement` is no such command. A constraint that the graph
   breaks is not created, and the run fails. */
bool ew_catalog_run(struct ew_execution *run, const struct ew_node *statement);
/* Fails the run where the graph breaks a constraint. */
void ew_catalog_check(struct ew_execution *run);

/* The index of that kind, up to date; NULL where there is none, or no steps are left to build it. */
const struct ew_index *ew_catalog_index(struct ew_execution *run, struct ew_span label, struct ew_span key, bool text);
/* Whether there is one. */
bool ew_catalog_has(const struct ew_catalog *schema, struct ew_span label, struct ew_span key, bool text);

#endif
