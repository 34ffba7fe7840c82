/* cypher_world.h: a scene as the Cypher generators know it: loaded into the model, with its values sorted for fast picks.

   Names of labels, types and keys are interned in the model's graph, those of the schema too: two that are equal have
   the same bytes at the same address. */
#ifndef EW_GENERATE_CYPHER_WORLD_H
#define EW_GENERATE_CYPHER_WORLD_H

#include "generate/cypher_dialect.h"
#include "generate/generate.h"
#include "graph/schema.h"
#include "model/model.h"

/* An index of the scene: what a predicate may use, and a hint may name where it is no text index. */
struct ew_cypher_index {
  struct ew_span label, key;
  bool text;
};

/* A procedure without arguments that the profile has, and the one column of it that is used. */
struct ew_cypher_procedure {
  const char *name, *output;
};

enum { EW_CYPHER_INDEXES_MAX = 16, EW_CYPHER_PROCEDURES_MAX = 3 };

struct ew_cypher_world {
  const struct ew_profile *profile;
  const struct ew_cypher_dialect *dialect;
  const struct ew_generate_options *options;
  struct ew_arena arena;   /* of the schema and the values */
  struct ew_schema schema; /* the scene's */
  struct ew_model model;   /* the scene, its statements run; as it is at the beginning of every case */
  struct ew_cypher_index indexes[EW_CYPHER_INDEXES_MAX];
  size_t index_count;
  struct ew_cypher_procedure procedures[EW_CYPHER_PROCEDURES_MAX];
  size_t procedure_count;
  struct ew_values values[EW_VALUE_NULL]; /* of the properties in it, by kind; one that occurs twice is there twice */
};

/* As generate.h says of `prepare` and `release`. What does not make sense in a scene (an end that is no node, a value
   that is no constant) is left out. */
struct ew_cypher_world *ew_cypher_world_prepare(struct ew_cypher_world *world, const struct ew_profile *profile,
                                                const struct ew_generate_options *options,
                                                const struct ew_scene *scene);
void ew_cypher_world_release(struct ew_cypher_world *world);

#endif
