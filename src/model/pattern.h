/* pattern.h: patterns, compiled: what is to be found, and in which order it is looked for. For this room only.

   A pattern is a list of moves. Each finds something for one slot, or tests what is there; the matcher (match.c) goes
   through them and back like a depth-first search:

       scan a, expand a-[r]->b, expand b<-[s]-c, test a.x = c.y */
#ifndef EW_MODEL_PATTERN_H
#define EW_MODEL_PATTERN_H

#include "model/code.h"

/* What a candidate for a slot must be like. */
struct ew_condition {
  const struct ew_labels *labels; /* or types */
  const struct ew_span *keys;     /* interned */
  const struct ew_code *const *values;
  size_t count;
  const struct ew_code *map;   /* properties that are no map literal */
  const struct ew_code *where; /* sees the candidate in its slot */
  const struct ew_node *properties_tree, *where_tree;
};

struct ew_path_element;
struct ew_seeks;

/* A part of a path in brackets that repeats. Its variables have one value within, and outside are lists of them. */
struct ew_group {
  struct ew_path_element *inner;
  const struct ew_code *where;
  const struct ew_node *node;
  uint32_t *slots, *lists; /* of each variable: within, and outside */
  struct ew_span *names;
  size_t count;
  const struct ew_move *moves; /* of one repetition */
  size_t move_count;
};

struct ew_node_element {
  uint32_t slot;
  struct ew_span name;
  struct ew_condition condition;
  const struct ew_node *node; /* NULL where it is not written, beside a group */
  bool null_is_any;           /* a plant: null stands for every node */
};

/* A relationship, or a group that stands for some. */
struct ew_relationship_element {
  uint32_t slot;
  struct ew_span name;
  enum cypher_direction direction;
  bool variable;   /* of variable length: its slot holds a list */
  bool wants_list; /* somebody looks at that list */
  int64_t low, high;
  uint32_t candidate; /* the slot in which `where` sees one relationship */
  struct ew_condition condition;
  const struct ew_node *node;
  struct ew_group *group; /* or NULL */
  /* Of plants (planted_pattern.c): a self-loop counts in both directions; relationships beside another are left out; only the
     first of a path has to meet the condition; no path of length 0; the list as it was walked. */
  bool loops_twice, folded, first_only, never_empty, as_walked;
};

struct ew_path_element {
  const struct ew_node *node;
  bool named;
  uint32_t slot; /* of the path's variable */
  enum cypher_selector selector;
  int64_t count; /* of SHORTEST k */
  struct ew_node_element *nodes;
  struct ew_relationship_element *relationships;
  size_t length; /* relationships; nodes are one more */
};

enum ew_move_kind {
  EW_MOVE_SCAN,     /* every node */
  EW_MOVE_CHECK,    /* the node that is there */
  EW_MOVE_EXPAND,   /* along a relationship from a node that is there */
  EW_MOVE_SHORTEST, /* between two nodes that are there */
  EW_MOVE_REPEAT,   /* through a group, from the node on its left */
  EW_MOVE_SELECT,   /* all ways of a path, and of those the shortest or any */
  EW_MOVE_PATH,     /* puts the path together */
  EW_MOVE_TEST,     /* a condition that had to wait */
};

struct ew_move {
  enum ew_move_kind kind;
  const struct ew_path_element *path;
  size_t at;         /* of the node, or the relationship; of a selection: how many of the next moves it is about */
  bool backwards;    /* from the relationship's right node to its left one */
  bool target_known; /* the node at the other end has its value already */
  bool relationship_known;
  const struct ew_code *condition;   /* of a test of its own: WHERE in brackets */
  bool test_node, test_relationship; /* the condition may be tested on the spot; labels and types always are */
  const struct ew_seeks *seeks;      /* of a scan: what an index could answer, or NULL (seek.h) */
};

struct ew_pattern {
  const struct ew_path_element *paths;
  size_t path_count;
  const struct ew_move *moves;
  size_t move_count;
  uint32_t first; /* slots from here to `end` are new */
  uint32_t end;
  bool repeats;                      /* REPEATABLE ELEMENTS */
  const struct ew_code *const *rest; /* of its WHERE: what is asked of whole matches, in this order */
  size_t rest_count;
};

/* Binds what is new in the pattern in the compiler's scope. `where` may be NULL. */
struct ew_pattern *ew_compile_pattern(struct ew_compiler *compiler, struct ew_list paths, const struct ew_node *where);

/* Whether the match at hand is one as far as `rest` goes. */
bool ew_pattern_rest_holds(struct ew_execution *run, const struct ew_pattern *pattern);

/* Called for each match, with everything in its slot; false ends the search. */
typedef bool (*ew_match_sink)(struct ew_execution *run, void *context);

/* Finds all matches for the row at hand. */
void ew_match(struct ew_execution *run, const struct ew_pattern *pattern, ew_match_sink sink, void *context);

/* Whether an element meets a condition. */
bool ew_condition_holds(struct ew_execution *run, const struct ew_condition *condition, struct ew_value element);

/* The path's value from the slots of its elements. */
struct ew_value ew_path_value_of(struct ew_execution *run, const struct ew_path_element *path);

/* One shortest path after the other between the nodes in `path`'s two slots (shortest.c). */
bool ew_match_shortest(struct ew_execution *run, const struct ew_path_element *path, ew_match_sink sink, void *context);

#endif
