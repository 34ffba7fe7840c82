/* bench_fuzz.c: statements that mean something reach deep, statements that mean nothing reach the edges; mixing them gives both.
   Run it in a build with sanitizers. */
#include "cli/bench_fuzz.h"

#include "base/deadline.h"
#include "base/hash.h"
#include "base/vector.h"
#include "generate/cypher.h"
#include "generate/cypher_random.h"
#include "lang/cypher/parser.h"
#include "lang/cypher/print.h"
#include "lang/cypher/scope.h"
#include "model/admissible.h"

enum { NODES = 40, MIXES = 3, PROBLEMS_SHOWN = 20, FIRST_HASH = 1000, SLOWEST_SECONDS = 20, MEMORY_FACTOR = 64, ORDERS = 3 };

static const struct ew_model_limits limits = {.steps = 100000, .rows = 5000, .bytes = 4 << 20};

/* The generator writes no statements that change the graph yet. */
static const char *const writes[] = {
    "MATCH (n0)-[r1]->(n2) SET n0.p = n2.i0, r1.w = 1 RETURN n0 AS c0",
    "MATCH (n0) MERGE (n0)-[r1:R]->(n2:A {i0: 1}) ON CREATE SET n2.p = 1 ON MATCH SET r1.w = n0.i0 RETURN n2 AS c0",
    "MATCH (n0)-[r1]-(n2) DELETE r1 RETURN count(*) AS c0",
    "MATCH (n0)-[r1]->(n2) DETACH DELETE n0 RETURN n2 AS c0",
    "UNWIND [1, 2, 3] AS u0 CREATE (n1:A {i0: u0})-[r2:R]->(n3) RETURN n1.i0 AS c0, n3 AS c1",
    "MATCH (n0) FOREACH (x1 IN [1, 2] | CREATE (n0)-[:R {w: x1}]->(:B)) RETURN n0 AS c0",
    "MATCH (n0) REMOVE n0:A, n0.i0 SET n0:B, n0 += {p: 1}, n0 = {q: n0.s1} RETURN n0 AS c0",
    "MATCH (n0) CALL { WITH n0 CREATE (n1:C {i0: n0.i0}) RETURN n1 AS w2 } WITH w2 AS w2 ORDER BY w2.i0 RETURN w2",
    "UNWIND range(1, 3) AS u0 MERGE (n1:D {i0: u0 % 2}) WITH n1 AS n1, collect(u0) AS w2 SET n1.l = w2 RETURN n1 AS c0",
};

struct fuzz {
  const struct ew_profile *profile;
  struct ew_arena scene_arena, arena, results;
  struct ew_scene scene;
  void *world;
  struct ew_model model;
  uint64_t shape; /* of the scene */
  uint64_t hash;  /* of all results */
  size_t problems, memory;
  size_t failed, open, formed, spent, returned; /* statements that ended so; formed: open, but not in everything */
  int64_t slowest;
  struct ew_text *text;
};

/* ---- making statements ---- */

static const struct ew_node *parse(struct ew_builder *builder, const char *text) {
  const struct ew_node *tree;
  if (ew_cypher_parse(builder, ew_span_of(text), &tree, NULL)) EW_BUG("cannot read %s", text);
  return tree;
}

static const struct ew_node *draw_generated(struct fuzz *fuzz, struct ew_builder *builder, struct ew_random *random) {
  struct ew_draw draw = {.builder = builder, .random = random, .purpose = EW_PURPOSE_ANY};
  return ew_generate_cypher.base(fuzz->world, &draw);
}

static const struct ew_node *draw_plain(struct fuzz *fuzz, struct ew_builder *builder, struct ew_random *random) {
  static const unsigned weights[] = {25, 50, 25};
  switch (ew_random_weighted(random, weights, EW_COUNT(weights))) {
    case 0: return ew_cypher_random_statement(builder, random, NODES);
    case 1: return draw_generated(fuzz, builder, random);
    default: return parse(builder, EW_RANDOM_PICK(random, writes));
  }
}

/* All nodes of a class; any class where it is 0. */
struct collection {
  struct ew_arena *arena;
  unsigned class;
  EW_VECTOR(const struct ew_node *) nodes;
};

static enum ew_walk collect(const struct ew_node *node, struct ew_place place, void *context) {
  struct collection *collection = context;
  if (place.parent && (!collection->class || node->kind->class == collection->class))
    *ew_arena_vector_push(collection->arena, &collection->nodes) = node;
  return EW_WALK_ON;
}

static const struct ew_node *pick(struct ew_arena *arena, const struct ew_node *tree, unsigned class,
                                  struct ew_random *random) {
  struct collection collection = {.arena = arena, .class = class};
  ew_tree_walk(tree, collect, &collection);
  if (!collection.nodes.count) return NULL;
  return collection.nodes.items[ew_random_below(random, (uint32_t)collection.nodes.count)];
}

/* A node of the tree gives way to one of the same class from another. */
static const struct ew_node *mix(struct fuzz *fuzz, const struct ew_node *tree, struct ew_random *random) {
  struct ew_builder other = {&fuzz->arena, 1};
  const struct ew_node *donor = draw_plain(fuzz, &other, random);
  const struct ew_node *place = pick(&fuzz->arena, tree, 0, random);
  const struct ew_node *graft = donor && place ? pick(&fuzz->arena, donor, place->kind->class, random) : NULL;
  if (!graft) return tree;
  struct ew_builder builder = ew_builder_for(&fuzz->arena, tree);
  const struct ew_node *mixed = ew_tree_replace(&builder, tree, place->id, ew_tree_duplicate(&builder, graft));
  return mixed ? mixed : tree;
}

static const struct ew_node *draw_statement(struct fuzz *fuzz, struct ew_random *random) {
  struct ew_builder builder = {&fuzz->arena, 1};
  const struct ew_node *tree = draw_plain(fuzz, &builder, random);
  for (uint32_t i = tree ? ew_random_below(random, MIXES + 1) : 0; i > 0; i--) tree = mix(fuzz, tree, random);
  return tree;
}

/* ---- running them ---- */

static void complain(struct fuzz *fuzz, uint64_t number, const struct ew_node *statement, const char *what) {
  struct ew_text printed = {0};
  if (fuzz->problems++ >= PROBLEMS_SHOWN) return;
  ew_cypher_print(&printed, statement, NULL);
  ew_text_add_format(fuzz->text, "statement %llu: %s: %.*s\n", (unsigned long long)number, what,
                     EW_SPAN_ARGS(ew_text_span(&printed)));
  ew_text_release(&printed);
}

static void count_result(struct fuzz *fuzz, const struct ew_model_result *result) {
  fuzz->spent += result->error.code == EW_FAULT_LIMIT;
  fuzz->failed += result->error.code != EW_FAULT_NONE && result->error.code != EW_FAULT_LIMIT;
  fuzz->open += result->open != 0;
  fuzz->returned += result->rows.row_count > 0;
  size_t memory = ew_arena_held(&fuzz->results);
  if (memory > fuzz->memory) fuzz->memory = memory;
}

/* In another order of rows the answer must be one of those that are called right, if the language allows the statement. */
static bool depends_on_order(struct fuzz *fuzz, const struct ew_node *statement, const struct ew_plan *plan,
                             struct ew_model_options options, const struct ew_expectation *expected) {
  struct ew_model_result again;
  struct ew_cypher_problem problem;
  struct ew_why why;
  bool depends = false;
  if (!ew_cypher_analyze(statement, &problem)) return false;
  for (options.permutation = 1; options.permutation <= ORDERS && !depends; options.permutation++) {
    struct ew_graph_mark mark = ew_graph_begin(&fuzz->model.graph);
    ew_model_run(&fuzz->model, plan, &options, &fuzz->results, &again);
    depends = !again.error.code && ew_expectation_judge(expected, &again.rows, &ew_semantics_standard, &fuzz->results,
                                                        &why) == EW_VIOLATED;
    ew_graph_rollback(&fuzz->model.graph, mark);
  }
  return depends;
}

/* What is right, kept apart from the graph; NULL where it is not known or the statement fails. */
static const struct ew_expectation *expectation_of(struct fuzz *fuzz, const struct ew_model_result *result) {
  if (result->error.code) return NULL;
  struct ew_admissible admissible = ew_admissible_of(&fuzz->results, result);
  if (admissible.expected.kind == EW_EXPECT_ANYTHING) return NULL;
  fuzz->formed += result->open != 0;
  struct ew_expectation *expected = EW_NEW(&fuzz->results, struct ew_expectation);
  *expected = admissible.expected;
  struct ew_rows *rows = &expected->rows;
  struct ew_value *values = EW_NEW_ARRAY(&fuzz->results, struct ew_value, rows->row_count * rows->column_count);
  for (size_t i = 0; i < rows->row_count * rows->column_count; i++)
    values[i] = ew_value_copy(&fuzz->results, rows->values[i]);
  rows->values = values;
  return expected;
}

static void try(struct fuzz *fuzz, uint64_t number, const struct ew_node *statement) {
  struct ew_model_options options = {.limits = &limits};
  struct ew_model_result result = {0};
  const struct ew_plan *plan;
  const struct ew_expectation *expected = NULL;
  uint64_t graph = 0, rows = 0;
  int64_t began = ew_cpu_now();
  struct ew_graph_mark mark = ew_graph_begin(&fuzz->model.graph);
  bool prepared = ew_model_prepare(&fuzz->model, &fuzz->results, statement, &result.error, &plan);
  if (prepared) {
    ew_model_run_permuted(&fuzz->model, plan, &options, &fuzz->results, &result);
    graph = ew_graph_shape(&fuzz->model.graph, &ew_semantics_standard);
    rows = ew_rows_shape(&result.rows, &ew_semantics_standard);
    expected = expectation_of(fuzz, &result);
  }
  int64_t used = ew_cpu_now() - began;
  if (used > fuzz->slowest) fuzz->slowest = used;
  if (used > SLOWEST_SECONDS * EW_SECOND) complain(fuzz, number, statement, "takes longer than its steps allow");
  if (prepared && result.error.code && graph != fuzz->shape)
    complain(fuzz, number, statement, "fails and changes the graph");
  ew_graph_rollback(&fuzz->model.graph, mark);
  if (graph != fuzz->shape && ew_graph_shape(&fuzz->model.graph, &ew_semantics_standard) != fuzz->shape)
    complain(fuzz, number, statement, "is not taken back");
  count_result(fuzz, &result);
  if (expected && depends_on_order(fuzz, statement, plan, options, expected))
    complain(fuzz, number, statement, "gives what is called wrong in another order of rows");
  fuzz->hash = ew_hash_mix(ew_hash_mix(fuzz->hash, result.error.code), ew_hash_mix(result.open, graph));
  fuzz->hash = ew_hash_mix(fuzz->hash, rows);
}

/* ---- all of it ---- */

static void load_scene(struct fuzz *fuzz, struct ew_random random) {
  ew_arena_reset(&fuzz->scene_arena);
  ew_model_reset(&fuzz->model);
  fuzz->scene = ew_generate_cypher.scene(&fuzz->scene_arena, fuzz->profile, &ew_generate_options_standard, &random);
  fuzz->world = ew_generate_cypher.prepare(fuzz->world, fuzz->profile, &ew_generate_options_standard, &fuzz->scene);
  struct ew_program load = ew_generate_cypher.language->load(&fuzz->scene_arena, &fuzz->scene, NULL);
  for (size_t i = 0; i < load.count; i++) {
    struct ew_builder builder = {&fuzz->scene_arena, 1};
    struct ew_model_result result;
    const struct ew_node *tree;
    if (ew_cypher_parse(&builder, load.statements[i].text, &tree, NULL)) EW_BUG("a scene cannot be read");
    ew_model_execute(&fuzz->model, tree, &(struct ew_model_options){0}, &fuzz->scene_arena, &result);
  }
  fuzz->shape = ew_graph_shape(&fuzz->model.graph, &ew_semantics_standard);
}

static void write_hash(struct fuzz *fuzz, uint64_t count) {
  ew_text_add_format(fuzz->text, "results of the first %llu: %016llx\n", (unsigned long long)count,
                     (unsigned long long)fuzz->hash);
}

static uint64_t run_all(struct fuzz *fuzz, uint64_t seed, uint64_t tests, struct ew_deadline deadline) {
  struct ew_random root = ew_random_from(seed);
  uint64_t number = 0, next_hash = FIRST_HASH;
  for (; number < tests && !ew_deadline_passed(deadline); number++) {
    if (number % EW_CASES_PER_SCENE == 0) load_scene(fuzz, ew_random_split(&root, "scene", number));
    if (number == next_hash) {
      write_hash(fuzz, number);
      next_hash *= 2;
    }
    struct ew_random random = ew_random_split(&root, "statement", number);
    ew_arena_reset(&fuzz->arena);
    ew_arena_reset(&fuzz->results);
    const struct ew_node *statement = draw_statement(fuzz, &random);
    if (statement) try(fuzz, number, statement);
  }
  if (number == tests) write_hash(fuzz, number);
  return number;
}

enum ew_status ew_bench_fuzz(struct ew_text *text, const struct ew_profile *profile, uint64_t seed, uint64_t tests,
                             int64_t time, struct ew_error *error) {
  struct fuzz fuzz = {.profile = profile, .text = text};
  if (!ew_span_is(profile->language, ew_generate_cypher.language->name))
    return ew_fail(error, EW_USAGE, "%.*s does not speak Cypher", EW_SPAN_ARGS(profile->name));
  ew_model_init(&fuzz.model);
  ew_arena_init(&fuzz.scene_arena);
  ew_arena_init(&fuzz.arena);
  ew_arena_init(&fuzz.results);
  uint64_t count = run_all(&fuzz, seed, tests, ew_deadline_in(time));
  if (fuzz.memory > MEMORY_FACTOR * limits.bytes) fuzz.problems++;
  ew_text_add_format(text, "%zu failed, %zu spent their budget, %zu are open (%zu to some extent), %zu gave rows\n",
                     fuzz.failed, fuzz.spent, fuzz.open, fuzz.formed, fuzz.returned);
  ew_text_add_format(text, "slowest %.3f CPU seconds, at most %zu MB\n", (double)fuzz.slowest / (double)EW_SECOND,
                     fuzz.memory >> 20);
  ew_text_add_format(text, "fuzz: %llu statements, %zu problems\n", (unsigned long long)count, fuzz.problems);
  ew_arena_release(&fuzz.results);
  ew_arena_release(&fuzz.arena);
  ew_generate_cypher.release(fuzz.world);
  ew_arena_release(&fuzz.scene_arena);
  ew_model_release(&fuzz.model);
  return EW_OK;
}
