/* cypher_clause.h: a query under construction, and the functions that write one more clause of it.

   Each draws a clause over what is in scope, has it run where the state is exact, adds it and leaves the scope as it is
   behind it. False: nothing was added, and the caller goes back (cypher_exact.h) and draws another; that only happens
   in the exact state. */
#ifndef EW_GENERATE_CYPHER_CLAUSE_H
#define EW_GENERATE_CYPHER_CLAUSE_H

#include "generate/cypher_exact.h"
#include "generate/cypher_writer.h"

enum { EW_CYPHER_ITEMS_MAX = EW_CYPHER_SCOPE_MAX };

struct ew_cypher_query {
  struct ew_cypher_writer *writer;
  EW_VECTOR(const struct ew_node *) clauses;
  size_t rows;          /* a rough guess at how many rows reach this point */
  unsigned next_column; /* its number */
  /* Columns that the first branch of a union has; 0 outside of one. */
  enum ew_draw_type columns[EW_CYPHER_ITEMS_MAX];
  size_t column_count;
  bool branch;                   /* of a union */
  bool projected, called, wrote; /* has a WITH, a CALL, a writing clause so far */
  bool unsettled;                /* wrote since the last WITH: some engines want one before they read again */
  unsigned level;                /* of subqueries around it */
  bool plain;                    /* one pattern, one predicate, and what they are about: the style of that name */
};

static inline bool ew_query_is_partition(const struct ew_cypher_query *query) {
  return query->writer->purpose == EW_PURPOSE_PARTITION;
}
/* Whether its answer and its effect must not depend on the order of rows. */
static inline bool ew_query_is_determined(const struct ew_cypher_query *query) {
  return !ew_writer_is_free(query->writer);
}
static inline void ew_query_add(struct ew_cypher_query *query, const struct ew_node *clause) {
  *ew_arena_vector_push(query->writer->builder->arena, &query->clauses) = clause;
}

/* Depths of predicates and of other expressions. */
unsigned ew_cypher_draw_depth(struct ew_cypher_writer *writer);
unsigned ew_cypher_draw_item_depth(struct ew_cypher_writer *writer);
/* An expression worth returning, and its type. */
const struct ew_node *ew_cypher_draw_item(struct ew_cypher_writer *writer, enum ew_draw_type *type);

/* cypher_read.c */
bool ew_cypher_write_match(struct ew_cypher_query *query, bool optional);
bool ew_cypher_write_unwind(struct ew_cypher_query *query);
bool ew_cypher_write_procedure(struct ew_cypher_query *query);
/* A list worth running over, of elements of that type. */
const struct ew_node *ew_cypher_draw_unwound(struct ew_cypher_writer *writer, enum ew_draw_type element);

/* cypher_project.c */
bool ew_cypher_write_with(struct ew_cypher_query *query);
bool ew_cypher_write_return(struct ew_cypher_query *query);

/* cypher_nested.c */
bool ew_cypher_write_call(struct ew_cypher_query *query);

/* cypher_create.c */
bool ew_cypher_write_create(struct ew_cypher_query *query);
bool ew_cypher_write_merge(struct ew_cypher_query *query);

/* cypher_write.c */
bool ew_cypher_write_set(struct ew_cypher_query *query);
bool ew_cypher_write_remove(struct ew_cypher_query *query);
bool ew_cypher_write_delete(struct ew_cypher_query *query);
bool ew_cypher_write_foreach(struct ew_cypher_query *query);
/* A key of nodes (of relationships), most often one of the schema; a value for it; a map of so many. */
struct ew_schema_property ew_cypher_draw_key(struct ew_cypher_writer *writer, bool node);
const struct ew_node *ew_cypher_draw_stored(struct ew_cypher_writer *writer, struct ew_schema_property property,
                                            unsigned depth);
const struct ew_node *ew_cypher_draw_entries(struct ew_cypher_writer *writer, bool node, size_t count, unsigned depth);
/* An item of SET. */
const struct ew_node *ew_cypher_draw_change(struct ew_cypher_writer *writer, struct ew_span target, bool node);

/* cypher_query.c: any clause that may stand here; `writing` are wanted too. */
bool ew_cypher_write_clause(struct ew_cypher_query *query, bool first, bool writing);
/* Whether it may end without RETURN: its last clause writes. */
bool ew_query_may_end(const struct ew_cypher_query *query);
/* A body as a statement, with the writer's parameters. */
const struct ew_node *ew_cypher_make_statement(struct ew_cypher_writer *writer, const struct ew_node *body);
/* A body of clauses as a query. */
const struct ew_node *ew_cypher_make_query(struct ew_cypher_query *query);

#endif
