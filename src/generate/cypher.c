/* cypher.c: the Cypher generators behind the interface that oracles know. */
#include "generate/cypher.h"

#include "generate/cypher_scene.h"
#include "generate/cypher_writer.h"
#include "lang/cypher/cypher.h"

static const unsigned predicate_depths[] = {0, 12, 30, 30, 18, 10}; /* depth 1 … 5 */

static struct ew_scene draw_scene(struct ew_arena *arena, const struct ew_profile *profile, struct ew_random *random) {
  return ew_cypher_draw_scene(arena, profile, NULL, random);
}

static const struct ew_node *draw_base(struct ew_builder *builder, const struct ew_profile *profile,
                                       const struct ew_scene *scene, enum ew_purpose purpose,
                                       struct ew_random *random) {
  struct ew_cypher_world world;
  struct ew_cypher_writer writer;
  ew_cypher_world_read(&world, builder->arena, scene);
  ew_cypher_writer_init(&writer, builder, profile, &world, purpose, random);
  return ew_cypher_draw_query(&writer);
}

static const struct ew_node *draw_predicate(struct ew_builder *builder, const struct ew_profile *profile,
                                            const struct ew_scene *scene, const struct ew_node *base,
                                            struct ew_random *random) {
  struct ew_cypher_world world;
  struct ew_cypher_writer writer;
  ew_cypher_world_read(&world, builder->arena, scene);
  ew_cypher_writer_init(&writer, builder, profile, &world, EW_PURPOSE_PARTITION, random);
  if (!ew_cypher_rebuild_scope(&writer, base)) return NULL;
  unsigned depth = (unsigned)ew_random_weighted(random, predicate_depths, EW_COUNT(predicate_depths));
  return ew_cypher_draw_predicate(&writer, depth);
}

const struct ew_generator ew_generate_cypher = {
    .language = &ew_cypher,
    .scene = draw_scene,
    .base = draw_base,
    .predicate = draw_predicate,
};
