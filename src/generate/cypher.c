/* cypher.c: the Cypher generators behind the interface that oracles know. */
#include "generate/cypher.h"

#include "generate/cypher_exact.h"
#include "generate/cypher_scene.h"
#include "generate/cypher_writer.h"
#include "lang/cypher/cypher.h"

enum { STEER_PERCENT = 60 /* of predicates for a partition: true for a row, where the rows are known */ };

static const unsigned predicate_depths[] = {0, 12, 30, 30, 18, 10}; /* depth 1 … 5 */

/* Whether a statement leaves just one state whatever the order of rows; it is run. */
static bool is_determined(struct ew_cypher_world *world, const struct ew_node *statement, struct ew_arena *arena) {
  struct ew_model_options options = {.semantics = &world->profile->semantics, .portable = true};
  struct ew_model_result result = {0};
  struct ew_model_error error;
  const struct ew_plan *plan;
  if (!ew_model_prepare(&world->model, arena, statement, &error, &plan)) return false;
  struct ew_graph_mark mark = ew_graph_begin(&world->model.graph);
  ew_model_run_permuted(&world->model, plan, &options, arena, &result);
  bool fine = !result.error.code && !result.open;
  if (fine)
    ew_graph_commit(&world->model.graph, mark);
  else
    ew_graph_rollback(&world->model.graph, mark);
  return fine;
}

/* Statements that change the scene before its cases: behind those that it has. */
static struct ew_list draw_mutations(struct ew_arena *arena, const struct ew_profile *profile,
                                     const struct ew_generate_options *options, const struct ew_scene *scene,
                                     struct ew_random *random) {
  struct ew_builder builder = {arena, 1};
  struct ew_draw draw = {.builder = &builder, .random = random, .purpose = EW_PURPOSE_EXACT};
  struct ew_list statements = scene->statements;
  struct ew_cypher_writer writer;
  struct ew_cypher_world *world = ew_cypher_world_prepare(NULL, profile, options, scene);
  struct ew_graph_mark mark = ew_graph_begin(&world->model.graph);
  ew_cypher_writer_init(&writer, world, &draw);
  writer.may_parameter = writer.ill_typed = false;
  struct ew_list drawn = ew_cypher_draw_mutations(&writer);
  ew_graph_rollback(&world->model.graph, mark);
  for (size_t i = 0; i < drawn.count; i++)
    if (is_determined(world, drawn.items[i], arena))
      statements = ew_list_append(&builder, statements, ew_tree_clone(arena, drawn.items[i]));
  ew_cypher_world_release(world);
  return statements;
}

static struct ew_scene draw_scene(struct ew_arena *arena, const struct ew_profile *profile,
                                  const struct ew_generate_options *options, struct ew_random *random) {
  struct ew_scene scene = ew_cypher_draw_scene(arena, profile, NULL, random);
  if (options->state == EW_TRACK_EXACT && ew_random_chance(random, options->dials[EW_DIAL_mutations]))
    scene.statements = draw_mutations(arena, profile, options, &scene, random);
  return scene;
}

static void *prepare(void *world, const struct ew_profile *profile, const struct ew_generate_options *options,
                     const struct ew_scene *scene) {
  return ew_cypher_world_prepare(world, profile, options, scene);
}

static void release(void *world) { ew_cypher_world_release(world); }

/* Shares of predicate, rich and script where the options leave the style open. */
static enum ew_style draw_style(struct ew_cypher_writer *writer) {
  static const enum ew_style styles[] = {EW_STYLE_PREDICATE, EW_STYLE_RICH, EW_STYLE_SCRIPT};
  static const unsigned weights[] = {25, 50, 25}, reading[] = {35, 65, 0};
  if (writer->options->style != EW_STYLE_MIXED) return writer->options->style;
  bool writes = writer->purpose != EW_PURPOSE_READ && ew_writer_has(writer, EW_HAS_CREATE);
  return styles[ew_random_weighted(writer->random, writes ? weights : reading, EW_COUNT(styles))];
}

static const struct ew_node *draw_base(void *world, const struct ew_draw *draw) {
  struct ew_cypher_writer writer;
  struct ew_model *model = &((struct ew_cypher_world *)world)->model;
  ew_cypher_writer_init(&writer, world, draw);
  enum ew_style style = draw->purpose == EW_PURPOSE_PARTITION ? EW_STYLE_PREDICATE : draw_style(&writer);
  struct ew_graph_mark mark = ew_graph_begin(&model->graph);
  const struct ew_node *base =
      style == EW_STYLE_SCRIPT ? ew_cypher_draw_script(&writer) : ew_cypher_draw_statement(&writer, style, true);
  ew_graph_rollback(&model->graph, mark);
  if (model->schema.constraints.count) ew_catalog_reset(&model->schema);
  return base;
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
  const struct ew_node *truth = ew_writer_constant(writer, ew_boolean(ew_random_chance(writer->random, 70)));
  return CYPHER(writer->builder, binary, .operator.choice = CYPHER_EQUAL, .left.node = predicate, .right.node = truth);
}

static const struct ew_node *draw_predicate(void *world, const struct ew_draw *draw, const struct ew_node *base) {
  struct ew_cypher_writer writer;
  ew_cypher_writer_init(&writer, world, draw);
  writer.may_parameter = false; /* it goes into several queries, the base is sent with its own */
  if (!ew_writer_rebuild_scope(&writer, base)) return NULL;
  unsigned depth = (unsigned)ew_random_weighted(draw->random, predicate_depths, EW_COUNT(predicate_depths));
  ew_exact_replay(&writer, base);
  const struct ew_node *predicate = ew_cypher_draw_predicate(&writer, depth);
  if (ew_writer_chance(&writer, STEER_PERCENT)) {
    const struct ew_node *steered = ew_exact_steer(&writer, predicate);
    if (steered) predicate = steered;
  }
  ew_exact_forget(&writer);
  return make_sure(&writer, predicate);
}

const struct ew_generator ew_generate_cypher = {
    .language = &ew_cypher,
    .scene = draw_scene,
    .prepare = prepare,
    .release = release,
    .base = draw_base,
    .predicate = draw_predicate,
};
