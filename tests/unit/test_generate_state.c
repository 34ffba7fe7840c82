/* test_generate_state.c: generation on the state: what is written in the exact state holds on the model, the world is
   given back as it was, and what is forgotten (the ablations) is not used. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "generate/cypher.h"
#include "generate/cypher_world.h"
#include "lang/cypher/cypher.h"
#include "lang/cypher/print.h"
#include "lang/cypher/scope.h"

enum { CASES = 320 };

static struct ew_profile neo4j, reading;

static const char reading_text[] =
    "[engine]\nname = reading\nlanguage = cypher\n"
    "[has]\nclauses = match, optional_match, where, with, return, order_by, limit\npatterns = node, relationship\n"
    "expressions = literal, property, is_null\ntypes = INTEGER, STRING\noperators = =, AND, OR, NOT\n";

static int read_profiles(void **state) {
  struct ew_error error;
  (void)state;
  if (ew_profile_read(&neo4j, "engines/neo4j/profile.ini", &error) ||
      ew_profile_parse(&reading, "reading", ew_span_of(reading_text), &error)) {
    fprintf(stderr, "%s\n", error.text);
    return 1;
  }
  return 0;
}

static int release_profiles(void **state) {
  (void)state;
  ew_profile_release(&neo4j);
  ew_profile_release(&reading);
  return 0;
}

struct flow {
  const struct ew_profile *profile;
  struct ew_generate_options options;
  enum ew_purpose purpose;
  struct ew_arena scene_arena, arena;
  struct ew_scene scene;
  struct ew_cypher_world *world;
  uint64_t number;
};

static void flow_open(struct flow *flow, const struct ew_profile *profile, enum ew_style style,
                      enum ew_tracking tracking) {
  *flow = (struct flow){.profile = profile, .options = ew_generate_options_standard};
  flow->options.style = style;
  flow->options.state = tracking;
  ew_arena_init(&flow->scene_arena);
  ew_arena_init(&flow->arena);
}

static void flow_close(struct flow *flow) {
  ew_generate_cypher.release(flow->world);
  ew_arena_release(&flow->scene_arena);
  ew_arena_release(&flow->arena);
}

static const struct ew_node *flow_next(struct flow *flow) {
  struct ew_random root = ew_random_from(flow->number + 77);
  struct ew_random scene = ew_random_split(&root, "scene", 0), random = ew_random_split(&root, "case", 0);
  ew_arena_reset(&flow->arena);
  if (flow->number % EW_CASES_PER_SCENE == 0) {
    ew_arena_reset(&flow->scene_arena);
    flow->scene = ew_generate_cypher.scene(&flow->scene_arena, flow->profile, &flow->options, &scene);
    flow->world = ew_generate_cypher.prepare(flow->world, flow->profile, &flow->options, &flow->scene);
  }
  struct ew_builder builder = {&flow->arena, 1};
  struct ew_draw draw = {
      .builder = &builder, .random = &random, .purpose = flow->purpose, .number = flow->number++, .key = 5};
  return ew_generate_cypher.base(flow->world, &draw);
}

struct outcome {
  size_t statements, queries, nonempty, failed;
};

/* Runs a base on the world and takes it back. */
static void run(struct flow *flow, const struct ew_node *base, struct outcome *outcome) {
  struct ew_model *model = &flow->world->model;
  struct ew_program program = ew_cypher.ask(&flow->arena, &flow->scene, base, flow->profile);
  struct ew_graph_mark mark = ew_graph_begin(&model->graph);
  for (size_t i = 0; i < program.count; i++) {
    const struct ew_statement *statement = &program.statements[i];
    struct ew_model_options options = {.semantics = &flow->profile->semantics,
                                       .parameters = statement->parameters,
                                       .parameter_count = statement->parameter_count};
    struct ew_model_result result;
    ew_model_execute(model, statement->tree, &options, &flow->arena, &result);
    outcome->statements++;
    outcome->failed += result.error.code != EW_FAULT_NONE;
    outcome->queries += statement->columns.count > 0;
    outcome->nonempty += statement->columns.count && !result.error.code && result.rows.row_count;
  }
  ew_graph_rollback(&model->graph, mark);
  if (model->schema.constraints.count) ew_catalog_reset(&model->schema);
}

static void expect(enum ew_style style, size_t nonempty, size_t failed) {
  struct outcome outcome = {0};
  struct flow flow;
  flow_open(&flow, &neo4j, style, EW_TRACK_EXACT);
  for (int i = 0; i < CASES; i++) {
    const struct ew_node *base = flow_next(&flow);
    assert_non_null(base);
    run(&flow, base, &outcome);
  }
  assert_true(outcome.nonempty * 100 >= outcome.queries * nonempty);
  assert_true(outcome.failed * 100 <= outcome.statements * failed);
  flow_close(&flow);
}

static void exact_predicates_hit(void **state) {
  (void)state;
  expect(EW_STYLE_PREDICATE, 90, 4);
}

static void exact_statements_hit(void **state) {
  (void)state;
  expect(EW_STYLE_RICH, 80, 8);
}

static void exact_scripts_hit(void **state) {
  (void)state;
  expect(EW_STYLE_SCRIPT, 90, 4);
}

static void the_world_stays_as_it_was(void **state) {
  (void)state;
  for (enum ew_style style = EW_STYLE_MIXED; style <= EW_STYLE_SCRIPT; style++) {
    struct flow flow;
    flow_open(&flow, &neo4j, style, EW_TRACK_EXACT);
    for (int i = 0; i < CASES / 4; i++) {
      uint64_t before = 0;
      if (flow.number % EW_CASES_PER_SCENE) before = ew_graph_shape(&flow.world->model.graph, &neo4j.semantics);
      flow_next(&flow);
      if (before) assert_int_equal(before, ew_graph_shape(&flow.world->model.graph, &neo4j.semantics));
      assert_int_equal(flow.world->model.graph.depth, 0);
      assert_int_equal(flow.world->model.schema.constraints.count, 0);
    }
    flow_close(&flow);
  }
}

static void the_same_number_gives_the_same(void **state) {
  struct flow a, b;
  (void)state;
  flow_open(&a, &neo4j, EW_STYLE_MIXED, EW_TRACK_EXACT);
  flow_open(&b, &neo4j, EW_STYLE_MIXED, EW_TRACK_EXACT);
  for (int i = 0; i < CASES / 2; i++) assert_int_equal(ew_tree_hash(flow_next(&a)), ew_tree_hash(flow_next(&b)));
  flow_close(&a);
  flow_close(&b);
}

/* ---- state through clauses ---- */

static enum ew_walk count_kind(const struct ew_node *node, struct ew_place place, void *context) {
  size_t *kinds = context;
  (void)place;
  kinds[node->kind->code]++;
  return EW_WALK_ON;
}

/* Whatever is written stays bound behind WITH, within CALL and FOREACH, after DELETE. */
static void names_are_bound(void **state) {
  static const enum cypher_kind wanted[] = {CYPHER_with,   CYPHER_unwind, CYPHER_call_subquery, CYPHER_foreach,
                                            CYPHER_merge,  CYPHER_create, CYPHER_delete,        CYPHER_set_all,
                                            CYPHER_remove, CYPHER_union,  CYPHER_set_labels,    CYPHER_hint_scan};
  (void)state;
  for (enum ew_tracking tracking = EW_TRACK_EXACT; tracking <= EW_TRACK_SUMMARY; tracking++) {
    size_t kinds[256] = {0};
    struct flow flow;
    flow_open(&flow, &neo4j, EW_STYLE_RICH, tracking);
    for (int i = 0; i < 3 * CASES; i++) {
      const struct ew_node *base = flow_next(&flow);
      struct ew_cypher_problem problem;
      ew_tree_walk(base, count_kind, kinds);
      if (ew_cypher_analyze_names(base, &problem)) continue;
      struct ew_text text = {0};
      ew_cypher_print(&text, base, NULL);
      fail_msg("%s: %s", ew_cypher_detail_name(problem.detail), text.bytes);
    }
    for (size_t i = 0; i < EW_COUNT(wanted); i++)
      if (!kinds[wanted[i]]) fail_msg("no %s", cypher_kinds[wanted[i]].name);
    flow_close(&flow);
  }
}

static size_t dependencies_of(bool without_summary, bool without_context) {
  size_t dependencies = 0;
  struct flow flow;
  flow_open(&flow, &neo4j, EW_STYLE_RICH, EW_TRACK_SUMMARY);
  flow.options.without_summary = without_summary;
  flow.options.without_context = without_context;
  for (int i = 0; i < CASES; i++) dependencies += ew_cypher_dependencies(flow_next(&flow));
  flow_close(&flow);
  return dependencies / CASES;
}

static void what_is_forgotten_is_not_used(void **state) {
  (void)state;
  size_t all = dependencies_of(false, false);
  assert_true(all >= 41);
  assert_true(dependencies_of(true, false) < all);
  assert_true(dependencies_of(false, true) < all * 2 / 3);
  assert_true(dependencies_of(true, true) * 2 < all);
}

static void who_only_reads_gets_no_writes(void **state) {
  static const enum cypher_kind writes[] = {CYPHER_create, CYPHER_merge, CYPHER_set, CYPHER_remove, CYPHER_delete};
  (void)state;
  for (int i = 0; i < 2; i++) {
    size_t kinds[256] = {0};
    struct flow flow;
    flow_open(&flow, i ? &reading : &neo4j, EW_STYLE_MIXED, EW_TRACK_EXACT);
    flow.purpose = i ? EW_PURPOSE_ANY : EW_PURPOSE_READ;
    for (int k = 0; k < CASES; k++) {
      const struct ew_node *base = flow_next(&flow);
      if (base) ew_tree_walk(base, count_kind, kinds);
    }
    for (size_t k = 0; k < EW_COUNT(writes); k++) assert_int_equal(kinds[writes[k]], 0);
    flow_close(&flow);
  }
}

static void dials_are_read(void **state) {
  struct ew_generate_options options = ew_generate_options_standard;
  struct ew_error error;
  (void)state;
  assert_int_equal(ew_generate_options_read_dials(&options, EW_SPAN("clauses=3,wrong=0"), &error), EW_OK);
  assert_int_equal(options.dials[EW_DIAL_clauses], 3);
  assert_int_equal(options.dials[EW_DIAL_wrong], 0);
  assert_true(ew_generate_options_hash(&options) != ew_generate_options_hash(&ew_generate_options_standard));
  assert_int_equal(ew_generate_options_read_dials(&options, EW_SPAN("clauses=0"), &error), EW_USAGE);
  assert_int_equal(ew_generate_options_read_dials(&options, EW_SPAN("clauses=x"), &error), EW_USAGE);
  assert_int_equal(ew_generate_options_read_dials(&options, EW_SPAN("claws=1"), &error), EW_USAGE);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(exact_predicates_hit),
      cmocka_unit_test(exact_statements_hit),
      cmocka_unit_test(exact_scripts_hit),
      cmocka_unit_test(the_world_stays_as_it_was),
      cmocka_unit_test(the_same_number_gives_the_same),
      cmocka_unit_test(names_are_bound),
      cmocka_unit_test(what_is_forgotten_is_not_used),
      cmocka_unit_test(who_only_reads_gets_no_writes),
      cmocka_unit_test(dials_are_read),
  };
  return cmocka_run_group_tests(tests, read_profiles, release_profiles);
}
