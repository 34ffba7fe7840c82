/* planted.h: what the plants of zoo.def do: wrong behaviour, kept apart from the honest code that asks for it. For this room
   only. Each function does nothing where none of its plants is there. */
#ifndef EW_MODEL_PLANTED_H
#define EW_MODEL_PLANTED_H

#include "model/aggregate.h"
#include "model/pattern.h"
#include "model/seek.h"

/* ---- what plants have in common (planted.c) ---- */

/* Never returns, and counts no steps. */
_Noreturn void ew_plant_hang(void);

/* Code that stands for `inner` with the same operands, and has it as its detail. */
struct ew_code *ew_plant_wrap(struct ew_compiler *compiler, const struct ew_code *inner, ew_evaluator evaluate);
static inline struct ew_value ew_plant_honest(struct ew_execution *run, const struct ew_code *code) {
  return ew_evaluate(run, code->detail);
}

/* Whether a tree names a variable anywhere. */
bool ew_plant_names(const struct ew_node *tree, struct ew_span name);
/* Whether a clause behind the one at hand names it, or takes all with `*`. */
bool ew_plant_named_later(const struct ew_compiler *compiler, struct ew_span name);
/* Whether `node` is within `tree`. */
bool ew_plant_within(const struct ew_node *tree, const struct ew_node *node);
/* The projection of WITH or RETURN; NULL of another clause. */
const struct cypher_projection *ew_plant_projection(const struct ew_node *clause);
/* Whether a variable was bound by an OPTIONAL MATCH of this query, before the clause at hand. */
bool ew_plant_is_optional(const struct ew_compiler *compiler, struct ew_span name);
bool ew_plant_is_literal(const struct ew_node *node, enum ew_value_kind kind);

/* ---- expressions (planted_operator.c, planted_function.c) ---- */

const struct ew_code *ew_plant_operator(struct ew_compiler *compiler, const struct ew_code *code);
const struct ew_code *ew_plant_is_null(struct ew_compiler *compiler, const struct ew_code *code);
const struct ew_code *ew_plant_label_test(struct ew_compiler *compiler, const struct ew_code *code);
const struct ew_code *ew_plant_function(struct ew_compiler *compiler, const struct ew_code *code);
const struct ew_code *ew_plant_collection(struct ew_compiler *compiler, const struct ew_code *code);
/* A comprehension's variable takes the slot of one of the row that has its name. */
void ew_plant_leak(struct ew_compiler *compiler, struct ew_span name, size_t visible, uint32_t *slot);
/* The bounds of a slice, and the places that they stand for. */
void ew_plant_slice(const struct ew_code *code, const struct ew_value bounds[2], int64_t places[2], int64_t count);
/* A CASE without ELSE gets this one. */
const struct ew_code *ew_plant_otherwise(struct ew_compiler *compiler, const struct ew_code *code,
                                         const struct ew_code *otherwise);

/* ---- patterns and MATCH (planted_pattern.c) ---- */

/* Of a node pattern's property map. */
void ew_plant_node_condition(struct ew_compiler *compiler, struct ew_condition *condition);
/* Of MATCH, when its pattern is compiled. */
void ew_plant_match(struct ew_compiler *compiler, const struct cypher_match *source, struct ew_pattern *pattern);
/* Whether an OPTIONAL MATCH becomes a MATCH. */
bool ew_plant_drops_optional(struct ew_compiler *compiler, const struct cypher_match *source,
                             const struct ew_pattern *pattern);
/* Its WHERE, where that is asked before the OPTIONAL MATCH; else NULL. Before its pattern is compiled. */
const struct ew_code *ew_plant_hoisted(struct ew_compiler *compiler, const struct cypher_match *source);
/* Whether two elements of a pattern may share a relationship. */
bool ew_plant_shares(const struct ew_model *model, const struct ew_relationship_element *a,
                     const struct ew_relationship_element *b);

struct ew_plant_place {
  size_t depth;
  const struct ew_node_record *node;
};

/* Nodes that a path of variable length has reached, by depth. */
struct ew_plant_reached {
  EW_VECTOR(struct ew_plant_place) places;
};

/* Whether a path that is `depth` long may go on to `other`. */
bool ew_plant_hop(struct ew_execution *run, const struct ew_relationship_element *element, size_t depth,
                  const struct ew_relationship_record *relationship, const struct ew_node_record *other,
                  struct ew_plant_reached *reached);
/* Whether two paths of the match at hand meet a node under two names. */
bool ew_plant_meets_twice(struct ew_execution *run, const struct ew_pattern *pattern);
/* Whether there is a match, by finding all. */
bool ew_plant_exists(struct ew_execution *run, const struct ew_pattern *pattern);
/* The nodes of a path, in another order. */
void ew_plant_path(const struct ew_path_element *path, struct ew_value *nodes);
bool ew_plant_null_parameter(struct ew_execution *run, struct ew_items properties, struct ew_span key,
                             const struct ew_code *value);
/* How often a node that a scan found is given on. */
size_t ew_plant_scan_times(struct ew_execution *run, const struct ew_node_element *element,
                           const struct ew_node_record *node);

/* ---- projections (planted_project.c) ---- */

struct ew_plant_projection {
  bool ignores_skip, ignores_distinct, ignores_where;
  bool distinct_last;          /* DISTINCT comes behind LIMIT */
  bool small_heap;             /* as many rows are kept as LIMIT says, and SKIP takes away from these */
  bool constant_keys;          /* all grouping keys are constants, and taken for none */
  const struct ew_code *where; /* that sees the variables from before, or NULL */
};

/* Before the columns are bound. */
void ew_plant_projection_of(struct ew_compiler *compiler, const struct ew_node *clause,
                            struct ew_plant_projection *plants);
bool ew_plant_drops_group(const struct ew_value *key, size_t count);
/* SKIP or LIMIT: true where there is none, after all; else perhaps another value. */
bool ew_plant_count(struct ew_execution *run, const struct ew_code *code, const char *clause, struct ew_value *value);
void ew_plant_heap(uint64_t limit, size_t *start, size_t *end);
void ew_plant_aggregate(struct ew_compiler *compiler, struct ew_aggregate *aggregate);
/* Whether two keys that are equivalent are not taken for one. */
bool ew_plant_tells_apart(struct ew_execution *run, const struct ew_groups *groups, const struct ew_value *a,
                          const struct ew_value *b);
void ew_plant_hash(struct ew_execution *run, const struct ew_groups *groups, const struct ew_value *key,
                   uint64_t *hash);
int ew_plant_order(struct ew_execution *run, struct ew_value a, struct ew_value b, int order);
/* Whether two rows are taken for equal without looking at more than key number `key`. */
bool ew_plant_ties(struct ew_execution *run, struct ew_value a, struct ew_value b, size_t key);
struct ew_sorting;
void ew_plant_sort(struct ew_sorting *sorting, size_t count);

/* ---- clauses that run others (planted_clause.c) ---- */

bool ew_plant_unwinds_once(struct ew_compiler *compiler, const struct cypher_unwind *source);
bool ew_plant_unwind_ends(struct ew_compiler *compiler, const struct cypher_unwind *source);
/* Whether an element is equal to an earlier one. */
bool ew_plant_is_repeated(struct ew_execution *run, struct ew_values list, size_t at);

struct ew_plant_call {
  bool keeps_row; /* also where the subquery has none */
  bool once;      /* for the first row only */
  bool caches;    /* by the variable in `slot`; null is as the row before */
  uint32_t slot;
};

struct ew_plant_call ew_plant_call_of(struct ew_compiler *compiler, const struct cypher_call_subquery *source,
                                      const struct ew_query *query);
/* Whether the row at hand gets what the row before got. */
bool ew_plant_reuses(struct ew_execution *run, const struct ew_plant_call *call);
/* The projection that ends a query, or NULL. */
const struct cypher_projection *ew_plant_last_projection(const struct ew_node *query);

struct ew_plant_branch {
  bool watched;
  struct ew_graph_mark mark;
  struct ew_counters counters;
};

/* Around a branch of a UNION; `repeated`: all its rows were there already. */
struct ew_plant_branch ew_plant_branch_begin(struct ew_execution *run);
void ew_plant_branch_end(struct ew_execution *run, struct ew_plant_branch branch, bool repeated);

/* ---- writing (planted_write.c) ---- */

struct ew_plant_creation {
  bool never, once; /* for no row, or for the first only */
  bool hangs;       /* it finds what it creates, and creates again */
};

struct ew_plant_creation ew_plant_create(struct ew_compiler *compiler, const struct cypher_create *source);
void ew_plant_merge(const struct ew_pattern *pattern);
/* Whether the match at hand has a new node with a number of another type than MERGE asks for. */
bool ew_plant_overlooks(struct ew_execution *run, const struct ew_pattern *pattern, int64_t first_new);
/* Before labels are set or removed. */
void ew_plant_labels(struct ew_execution *run, struct ew_node_record *node, struct ew_names labels,
                     enum cypher_kind kind);
void ew_plant_detach(const struct ew_node_record *node);

/* ---- indexes (planted_index.c) ---- */

/* When it is known what an index could answer; predicates that it answers wrongly become wrong themselves. */
void ew_plant_seeks(struct ew_compiler *compiler, const struct ew_node_element *node, struct ew_seeks *seeks,
                    const struct ew_seek_source *sources, size_t count);
/* A seek that goes wrong; false where it is left to the honest one. */
bool ew_plant_seek(struct ew_execution *run, const struct ew_seeks *seeks, const struct ew_seek *seek,
                   const struct ew_index *index, struct ew_candidates *candidates);
/* Of a node that lost a label, and is still found under it. */
uint64_t ew_plant_stale_key(const struct ew_node_record *node, struct ew_span label);
bool ew_plant_is_stale(struct ew_execution *run, const struct ew_node_record *node, struct ew_span label);
/* The parts of WHERE that are asked at the end, when all seeks are known. */
void ew_plant_rest(struct ew_compiler *compiler, const struct ew_pattern *pattern, const struct ew_code **rest);

#endif
