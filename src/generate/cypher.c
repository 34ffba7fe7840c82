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

/* A predicate whose value is true, false or null by its very form. A property, a list's element or a pattern is a
   truth value only by its type, and engines differ in what they make of it alone, under NOT and under IS NULL. */
static const struct ew_node *make_sure(struct ew_cypher_writer *writer, const struct ew_node *predicate) {
  switch (predicate->kind->code) {
    case CYPHER_variable:
    case CYPHER_property:
    case CYPHER_index:
    case CYPHER_function:
    case CYPHER_case:
    case CYPHER_pattern_expression: break;
    default: return predicate;
  }
  bool negated = cypher_is(predicate, CYPHER_pattern_expression) || ew_random_chance(writer->random, 30);
  if (negated) return CYPHER(writer->builder, unary, .operator.choice = CYPHER_NOT, .operand.node = predicate);
  const struct ew_node *truth = ew_cypher_constant(writer->builder, ew_boolean(ew_random_chance(writer->random, 70)));
  return CYPHER(writer->builder, binary, .operator.choice = CYPHER_EQUAL, .left.node = predicate, .right.node = truth);
}

static const struct ew_node *draw_predicate(struct ew_builder *builder, const struct ew_profile *profile,
                                            const struct ew_scene *scene, const struct ew_node *base,
                                            struct ew_random *random) {
  struct ew_cypher_world world;
  struct ew_cypher_writer writer;
  ew_cypher_world_read(&world, builder->arena, scene);
  ew_cypher_writer_init(&writer, builder, profile, &world, EW_PURPOSE_PARTITION, random);
  if (!ew_writer_rebuild_scope(&writer, base)) return NULL;
  unsigned depth = (unsigned)ew_random_weighted(random, predicate_depths, EW_COUNT(predicate_depths));
  return make_sure(&writer, ew_cypher_draw_predicate(&writer, depth));
}

const struct ew_generator ew_generate_cypher = {
    .language = &ew_cypher,
    .scene = draw_scene,
    .base = draw_base,
    .predicate = draw_predicate,
};
