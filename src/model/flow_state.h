/* flow_state.h: what is known half-way through a statement, between flow.c (clauses) and flow_value.c (expressions).

   A taint says what may be different in a value: bits of enum ew_allowance, and FLOW_NEAR. */
#ifndef EW_MODEL_FLOW_STATE_H
#define EW_MODEL_FLOW_STATE_H

#include "base/vector.h"
#include "contract/relation.h"
#include "lang/cypher/scope.h"
#include "model/flow.h"

enum {
  FLOW_NEAR = 16, /* a float in its last digits: the same to whoever compares answers, but not to the statement */
};

#define FLOW_BIT(name) (UINT32_C(1) << EW_OPEN_##name)

struct flow_name {
  struct ew_span name;
  unsigned taint;
};

struct flow_column {
  struct ew_span name;              /* empty: nothing can refer to it */
  const struct ew_node *expression; /* NULL: of `*` or a union */
  unsigned taint;
  bool by_name; /* its place among the columns is not known */
};

struct flow_columns {
  struct flow_column *items;
  size_t count, capacity;
};

struct flow {
  struct ew_arena *arena;
  const struct ew_open_site *sites;
  size_t site_count;
  const struct ew_node *last; /* clause of the whole statement */
  const char *lost;
  EW_VECTOR(struct flow_name) names; /* later ones hide earlier ones; a name that is not here is not open */
  size_t outer;                      /* of the names: those of the queries around */
  struct flow_columns columns;       /* of the last projection */
  bool scrambled;                    /* rows stand in an order that the model takes for certain and is not */
  bool order_is_open, cut_is_open;   /* of the last RETURN */
};

/* Bits of enum ew_open at this very node. */
uint32_t ew_flow_site(const struct flow *flow, const struct ew_node *node);
/* The taint of a name, and a name's new one. */
unsigned ew_flow_name_taint(const struct flow *flow, struct ew_span name);
void ew_flow_name(struct flow *flow, struct ew_span name, unsigned taint);
/* Whether anything within is open or bears a name that is. `node` may be NULL. */
bool ew_flow_touches(const struct flow *flow, const struct ew_node *node);
/* Of an expression's value. */
unsigned ew_flow_taint(struct flow *flow, const struct ew_node *expression);
/* Of the items of a list with this taint. */
unsigned ew_flow_item(unsigned list);

/* Follows a query from the names at hand; its columns' names are behind flow->outer then. */
void ew_flow_query(struct flow *flow, const struct ew_node *query);

#endif
