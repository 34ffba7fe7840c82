/* cypher_scene.h: scenes for Cypher: a random schema and a random graph, as trees. */
#ifndef EW_GENERATE_CYPHER_SCENE_H
#define EW_GENERATE_CYPHER_SCENE_H

#include "base/random.h"
#include "contract/case.h"
#include "contract/profile.h"

/* What a scene looks like. Percentages are chances. */
struct ew_cypher_scene_knobs {
  unsigned nodes, nodes_large, large_percent; /* 1 … nodes as in the paper; now and then 1 … nodes_large */
  unsigned relationships_max;                 /* more only make matching slow */
  unsigned density_low, density_high; /* chance of a relationship from u to v, drawn per scene from this range */
  unsigned self_loop_percent;         /* of that chance, where u is v */
  unsigned parallel_percent;          /* another one between the same two */
  unsigned labels, types;             /* at most so many in the schema */
  unsigned properties;                /* at most so many per label or type */
  unsigned labels_by_node[4];         /* weights of 0, 1, 2, 3 labels */
  unsigned absent_percent;            /* a property of the label that the element does not have */
  unsigned boundary_percent;          /* values at a boundary (values.h) */
  unsigned odd_name_percent;          /* a scene in which one name needs quoting */
  unsigned index_percent;             /* a scene that creates indexes, where the profile has them */
};

extern const struct ew_cypher_scene_knobs ew_cypher_scene_knobs;

/* GDBMeter's Algorithm 1 with knobs; NULL is the defaults. */
struct ew_scene ew_cypher_draw_scene(struct ew_arena *arena, const struct ew_profile *profile,
                                     const struct ew_cypher_scene_knobs *knobs, struct ew_random *random);

#endif
