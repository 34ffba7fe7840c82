/* matcher.h: the state of a search for matches, shared by match.c and repeat.c. For this room only. */
#ifndef EW_MODEL_MATCHER_H
#define EW_MODEL_MATCHER_H

#include "model/pattern.h"

struct ew_matcher;

/* A list of moves that is being made, and what to do when the last is made. */
struct ew_frame {
  const struct ew_move *moves;
  size_t count;
  bool (*finish)(struct ew_matcher *matcher, void *context);
  void *context;
};

/* A relationship that is in use, and by which element of the pattern. */
struct ew_used {
  const struct ew_relationship_record *relationship;
  const struct ew_relationship_element *element;
};

struct ew_matcher {
  struct ew_execution *run;
  const struct ew_pattern *pattern;
  struct ew_frame frame;
  EW_VECTOR(struct ew_used) used; /* in the order in which they were met */
  bool repeats;                   /* a relationship may be met again */
};

/* Each returns false to end the search. */
bool ew_matcher_move(struct ew_matcher *matcher, size_t at);
bool ew_matcher_repeat(struct ew_matcher *matcher, const struct ew_move *move, size_t at);
bool ew_matcher_select(struct ew_matcher *matcher, const struct ew_move *move, size_t at);

/* Whether `node` may stand there; it is in its slot then. */
bool ew_matcher_take_node(struct ew_matcher *matcher, const struct ew_move *move, const struct ew_node_element *element,
                          struct ew_node_record *node, bool known);

#endif
