/* test_generate_cypher.c: the Cypher generators: the same seed gives the same trees; what is written is bound, within
   the profile, distinct and deep; every branch of the weights is reached. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/map.h"
#include "generate/cypher.h"
#include "generate/cypher_scene.h"
#include "generate/cypher_world.h"
#include "lang/cypher/cypher.h"
#include "lang/cypher/parser.h"
#include "lang/cypher/print.h"
#include "lang/cypher/scope.h"

enum { QUERIES = 5000 };

static struct ew_profile full, narrow;

/* Also lists what must never be written: random functions, clocks, files. */
static const char narrow_text[] =
    "[engine]\nname = narrow\nlanguage = cypher\n"
    "[has]\nclauses = match, where, return\npatterns = node, relationship\nexpressions = literal, property\n"
    "types = INTEGER\noperators = =, AND\n"
    "[functions]\nrand = () -> FLOAT\ntimestamp = () -> INTEGER\nrandomUUID = () -> STRING\nfile = (STRING) -> STRING\n"
    "date = () -> DATE\nabs = (NUMBER) -> NUMBER\ncount = (ANY) -> INTEGER\n";

static int read_profiles(void **state) {
  struct ew_error error;
  (void)state;
  if (ew_profile_read(&full, "engines/opencypher/profile.ini", &error) ||
      ew_profile_parse(&narrow, "narrow", ew_span_of(narrow_text), &error)) {
    fprintf(stderr, "%s\n", error.text);
    return 1;
  }
  return 0;
}

static int release_profiles(void **state) {
  (void)state;
  ew_profile_release(&full);
  ew_profile_release(&narrow);
  return 0;
}

/* Case n of a seed, with a scene for every EW_CASES_PER_SCENE of them. */
struct cases {
  const struct ew_profile *profile;
  enum ew_purpose purpose;
  struct ew_generate_options options;
  struct ew_random root;
  struct ew_arena scene_arena, arena;
  struct ew_scene scene;
  void *world;
  uint64_t number;
  const struct ew_node *base, *predicate;
  struct ew_builder builder;
};

static void cases_init(struct cases *cases, const struct ew_profile *profile, enum ew_purpose purpose, uint64_t seed) {
  *cases = (struct cases){.profile = profile,
                          .purpose = purpose,
                          .options = ew_generate_options_standard,
                          .root = ew_random_from(seed)};
  cases->options.style = EW_STYLE_RICH;
  cases->options.state = EW_TRACK_SUMMARY;
  ew_arena_init(&cases->scene_arena);
  ew_arena_init(&cases->arena);
}

static void cases_release(struct cases *cases) {
  ew_generate_cypher.release(cases->world);
  ew_arena_release(&cases->scene_arena);
  ew_arena_release(&cases->arena);
}

static void cases_next(struct cases *cases) {
  if (cases->number % EW_CASES_PER_SCENE == 0) {
    struct ew_random random = ew_random_split(&cases->root, "scene", cases->number / EW_CASES_PER_SCENE);
    ew_arena_reset(&cases->scene_arena);
    cases->scene =
        ew_generate_cypher.scene(&cases->scene_arena, cases->profile, &cases->options, &random);
    cases->world =
        ew_generate_cypher.prepare(cases->world, cases->profile, &cases->options, &cases->scene);
  }
  struct ew_random random = ew_random_split(&cases->root, "case", cases->number++);
  ew_arena_reset(&cases->arena);
  cases->builder = (struct ew_builder){&cases->arena, 1};
  struct ew_draw draw = {
      .builder = &cases->builder, .random = &random, .purpose = cases->purpose, .number = cases->number};
  cases->base = ew_generate_cypher.base(cases->world, &draw);
  cases->predicate = NULL;
  if (cases->base && cases->purpose == EW_PURPOSE_PARTITION)
    cases->predicate = ew_generate_cypher.predicate(cases->world, &draw, cases->base);
}

static void print_failure(const struct ew_node *tree) {
  struct ew_text text = {0};
  ew_cypher_print(&text, tree, NULL);
  fprintf(stderr, "%s\n", text.bytes);
  ew_text_release(&text);
}

/* ---- scenes ---- */

static void scenes_repeat(void **state) {
  struct ew_arena arena;
  (void)state;
  ew_arena_init(&arena);
  for (uint64_t seed = 0; seed < 200; seed++) {
    struct ew_random first = ew_random_from(seed), second = first;
    struct ew_scene a = ew_generate_cypher.scene(&arena, &full, &ew_generate_options_standard, &first);
    struct ew_scene b = ew_generate_cypher.scene(&arena, &full, &ew_generate_options_standard, &second);
    assert_int_equal(ew_tree_hash(a.data), ew_tree_hash(b.data));
    assert_int_equal(ew_tree_hash(a.schema), ew_tree_hash(b.schema));
    ew_arena_reset(&arena);
  }
  ew_arena_release(&arena);
}

struct seen {
  size_t self_loops, parallels, labels[4], nans, infinities, empty_strings, largest, smallest, lists, indexes, large;
};

static void look_at_properties(const struct ew_schema *schema, struct ew_items properties, struct seen *seen) {
  for (size_t i = 0; i < properties.count; i++) {
    const struct ew_item *item = &properties.items[i];
    const struct ew_schema_property *property = ew_schema_find_property(schema, item->key);
    assert_non_null(property);
    assert_int_equal(item->value.kind, property->type.list ? EW_VALUE_LIST : property->type.kind);
    seen->lists += item->value.kind == EW_VALUE_LIST;
    seen->nans += item->value.kind == EW_VALUE_FLOAT && isnan(item->value.number);
    seen->infinities += item->value.kind == EW_VALUE_FLOAT && isinf(item->value.number);
    seen->empty_strings += item->value.kind == EW_VALUE_STRING && !item->value.string.length;
    seen->largest += item->value.kind == EW_VALUE_INTEGER && item->value.integer == INT64_MAX;
    seen->smallest += item->value.kind == EW_VALUE_INTEGER && item->value.integer == INT64_MIN;
  }
}

static void look_at_scene(const struct ew_cypher_world *world, struct seen *seen) {
  const struct ew_graph *graph = &world->model.graph;
  assert_in_range(graph->nodes.count, 1, ew_cypher_scene_knobs.nodes_large);
  assert_in_range(graph->relationships.count, 0, ew_cypher_scene_knobs.relationships_max);
  seen->large += graph->nodes.count > ew_cypher_scene_knobs.nodes;
  for (size_t i = 0; i < graph->nodes.count; i++) {
    assert_in_range(graph->nodes.items[i]->value.label_count, 0, 3);
    seen->labels[graph->nodes.items[i]->value.label_count]++;
    look_at_properties(&world->schema, graph->nodes.items[i]->value.properties, seen);
  }
  for (size_t i = 0; i < graph->relationships.count; i++) {
    const struct ew_relationship_record *relationship = graph->relationships.items[i], *before = relationship;
    if (i) before = graph->relationships.items[i - 1];
    assert_true(ew_schema_find_type(&world->schema, relationship->value.type) >= 0);
    seen->self_loops += relationship->start == relationship->end;
    seen->parallels += i && before->start == relationship->start && before->end == relationship->end;
    look_at_properties(&world->schema, relationship->value.properties, seen);
  }
}

static void names_are_unique(const struct ew_schema *schema) {
  struct ew_map names;
  ew_map_init(&names);
  for (size_t i = 0; i < schema->labels.count + schema->types.count; i++) {
    const struct ew_schema_element *element =
        i < schema->labels.count ? &schema->labels.items[i] : &schema->types.items[i - schema->labels.count];
    for (size_t k = 0; k < element->properties.count; k++) {
      bool fresh;
      ew_map_add(&names, element->properties.items[k].name, &fresh);
      assert_true(fresh);
    }
  }
  ew_map_release(&names);
}

static void scenes_vary(void **state) {
  struct seen seen = {0};
  struct ew_generate_options options = ew_generate_options_standard;
  struct ew_arena arena;
  struct ew_cypher_world *world = NULL;
  (void)state;
  options.dials[EW_DIAL_mutations] = 0;
  ew_arena_init(&arena);
  for (uint64_t seed = 0; seed < 2000; seed++) {
    struct ew_random random = ew_random_from(seed);
    struct ew_scene scene = ew_generate_cypher.scene(&arena, &full, &options, &random);
    world = ew_cypher_world_prepare(world, &full, &options, &scene);
    const struct ew_graph *graph = &world->model.graph;
    assert_int_equal(graph->nodes.count, CYPHER_AS(graph, scene.data)->nodes.list.count);
    assert_int_equal(graph->relationships.count, CYPHER_AS(graph, scene.data)->relationships.list.count);
    look_at_scene(world, &seen);
    names_are_unique(&world->schema);
    assert_int_equal(scene.statements.count, 0); /* the profile has no indexes */
    ew_arena_reset(&arena);
  }
  for (size_t i = 0; i < EW_COUNT(seen.labels); i++) assert_true(seen.labels[i] > 20);
  assert_true(seen.self_loops && seen.parallels && seen.nans && seen.infinities && seen.empty_strings);
  assert_true(seen.largest && seen.smallest && seen.lists && seen.large);
  ew_cypher_world_release(world);
  ew_arena_release(&arena);
}

/* ---- queries ---- */

static void queries_repeat(void **state) {
  (void)state;
  for (int purpose = EW_PURPOSE_ANY; purpose <= EW_PURPOSE_PARTITION; purpose++) {
    struct cases a, b;
    cases_init(&a, &full, (enum ew_purpose)purpose, 11);
    cases_init(&b, &full, (enum ew_purpose)purpose, 11);
    for (int i = 0; i < 1000; i++) {
      cases_next(&a);
      cases_next(&b);
      assert_int_equal(!a.base, !b.base);
      if (a.base) assert_int_equal(ew_tree_hash(a.base), ew_tree_hash(b.base));
      if (a.predicate) assert_int_equal(ew_tree_hash(a.predicate), ew_tree_hash(b.predicate));
      assert_int_equal(a.builder.next_id, b.builder.next_id);
    }
    cases_release(&a);
    cases_release(&b);
  }
}

static void queries_bind_names(void **state) {
  struct cases cases;
  size_t typed = 0;
  (void)state;
  cases_init(&cases, &full, EW_PURPOSE_ANY, 1);
  for (int i = 0; i < QUERIES; i++) {
    struct ew_cypher_problem problem;
    cases_next(&cases);
    assert_non_null(cases.base);
    if (!ew_cypher_analyze_names(cases.base, &problem)) {
      print_failure(cases.base);
      fail_msg("%s", ew_cypher_detail_name(problem.detail));
    }
    typed += ew_cypher_analyze(cases.base, NULL);
  }
  assert_true(typed >= QUERIES * 99 / 100);
  cases_release(&cases);
}

static void queries_are_distinct(void **state) {
  struct cases cases;
  struct ew_map hashes;
  (void)state;
  cases_init(&cases, &full, EW_PURPOSE_ANY, 2);
  ew_map_init(&hashes);
  for (int i = 0; i < QUERIES; i++) {
    cases_next(&cases);
    uint64_t hash = ew_tree_hash(cases.base);
    ew_map_add(&hashes, ew_map_key_number(&hash), NULL);
  }
  assert_true(hashes.count >= QUERIES * 95 / 100);
  ew_map_release(&hashes);
  cases_release(&cases);
}

/* ---- breadth and depth ---- */

struct census {
  size_t kinds[CYPHER_schema_property + 1], operators[CYPHER_POWER + 1], quantifiers[CYPHER_SINGLE + 1];
  size_t optional, distinct, skip, limit, order, star, union_all, incoming, undirected, selector, bare, subjects;
  struct ew_map functions;
};

static enum ew_walk take_census(const struct ew_node *node, struct ew_place place, void *context) {
  struct census *census = context;
  (void)place;
  census->kinds[node->kind->code]++;
  switch (node->kind->code) {
    case CYPHER_binary: census->operators[CYPHER_AS(binary, node)->operator.choice]++;
      break;
    case CYPHER_quantified: census->quantifiers[CYPHER_AS(quantified, node)->quantifier.choice]++; break;
    case CYPHER_match: census->optional += CYPHER_AS(match, node)->optional.flag; break;
    case CYPHER_union: census->union_all += CYPHER_AS(union, node)->all.flag; break;
    case CYPHER_path: census->selector += CYPHER_AS(path, node)->selector.choice != CYPHER_SELECTOR_NONE; break;
    case CYPHER_subquery: census->bare += CYPHER_AS(subquery, node)->bare.flag; break;
    case CYPHER_case: census->subjects += CYPHER_AS(case, node)->subject.node != NULL; break;
    case CYPHER_relationship_pattern:
      census->incoming += CYPHER_AS(relationship_pattern, node)->direction.choice == CYPHER_INCOMING;
      census->undirected += CYPHER_AS(relationship_pattern, node)->direction.choice == CYPHER_UNDIRECTED;
      break;
    case CYPHER_projection: {
      const struct cypher_projection *projection = CYPHER_AS(projection, node);
      census->distinct += projection->distinct.flag;
      census->star += projection->star.flag;
      census->order += projection->order.list.count > 0;
      census->skip += projection->skip.node != NULL;
      census->limit += projection->limit.node != NULL;
      break;
    }
    case CYPHER_function: ew_map_add(&census->functions, CYPHER_AS(function, node)->name.name, NULL); break;
    default: break;
  }
  return EW_WALK_ON;
}

static const enum cypher_kind written[] = {
    CYPHER_match,
    CYPHER_with,
    CYPHER_return,
    CYPHER_unwind,
    CYPHER_union,
    CYPHER_item,
    CYPHER_sort,
    CYPHER_path,
    CYPHER_node_pattern,
    CYPHER_relationship_pattern,
    CYPHER_length,
    CYPHER_label,
    CYPHER_label_or,
    CYPHER_label_colons,
    CYPHER_literal,
    CYPHER_variable,
    CYPHER_property,
    CYPHER_index,
    CYPHER_slice,
    CYPHER_list,
    CYPHER_map,
    CYPHER_entry,
    CYPHER_map_projection,
    CYPHER_project_property,
    CYPHER_project_entry,
    CYPHER_project_all,
    CYPHER_unary,
    CYPHER_binary,
    CYPHER_chain,
    CYPHER_is_null,
    CYPHER_label_test,
    CYPHER_case,
    CYPHER_function,
    CYPHER_count_star,
    CYPHER_list_comprehension,
    CYPHER_pattern_comprehension,
    CYPHER_quantified,
    CYPHER_reduce,
    CYPHER_pattern_expression,
    CYPHER_subquery,
};

static void every_branch_is_reached(void **state) {
  struct census census = {0};
  struct cases cases;
  (void)state;
  cases_init(&cases, &full, EW_PURPOSE_ANY, 3);
  ew_map_init(&census.functions);
  for (int i = 0; i < QUERIES; i++) {
    cases_next(&cases);
    ew_tree_walk(cases.base, take_census, &census);
  }
  for (size_t i = 0; i < EW_COUNT(written); i++)
    if (!census.kinds[written[i]]) fail_msg("no %s", cypher_kinds[written[i]].name);
  for (size_t i = 0; i < EW_COUNT(census.operators); i++)
    if (!census.operators[i] && i != CYPHER_CONCATENATE) fail_msg("no operator %s", cypher_operator_text[i]);
  for (size_t i = 0; i < EW_COUNT(census.quantifiers); i++) assert_true(census.quantifiers[i]);
  for (size_t i = 0; i < full.function_count; i++)
    if (!ew_map_find(&census.functions, full.functions[i].name))
      fail_msg("no %.*s()", EW_SPAN_ARGS(full.functions[i].name));
  assert_true(census.optional && census.distinct && census.skip && census.limit && census.order && census.star);
  assert_true(census.union_all && census.incoming && census.undirected && census.selector && census.bare &&
              census.subjects);
  ew_map_release(&census.functions);
  cases_release(&cases);
}

static void queries_are_deep(void **state) {
  size_t depths[128] = {0}, nodes = 0;
  struct cases cases;
  (void)state;
  cases_init(&cases, &full, EW_PURPOSE_ANY, 4);
  for (int i = 0; i < QUERIES; i++) {
    cases_next(&cases);
    size_t depth = ew_tree_depth(cases.base);
    assert_true(depth < EW_COUNT(depths));
    depths[depth]++;
    nodes += ew_tree_count(cases.base);
  }
  size_t deep = 0; /* statement, query, clause, projection, item are five of them */
  for (size_t i = 10; i < EW_COUNT(depths); i++) deep += depths[i];
  assert_in_range(nodes / QUERIES, 150, 500);
  assert_true(deep >= QUERIES / 5);
  cases_release(&cases);
}

/* ---- what a profile lacks is not written ---- */

static enum ew_walk only_narrow(const struct ew_node *node, struct ew_place place, void *context) {
  (void)place;
  (void)context;
  switch (node->kind->code) {
    case CYPHER_binary: {
      uint32_t symbol = CYPHER_AS(binary, node)->operator.choice;
      assert_true(symbol == CYPHER_EQUAL || symbol == CYPHER_AND);
      break;
    }
    case CYPHER_function: {
      struct ew_span name = CYPHER_AS(function, node)->name.name;
      assert_true(ew_span_is(name, "abs") || ew_span_is(name, "count"));
      break;
    }
    case CYPHER_projection: {
      const struct cypher_projection *projection = CYPHER_AS(projection, node);
      assert_false(projection->distinct.flag || projection->order.list.count || projection->skip.node);
      break;
    }
    case CYPHER_match: assert_false(CYPHER_AS(match, node)->optional.flag); break;
    case CYPHER_relationship_pattern:
      assert_int_not_equal(CYPHER_AS(relationship_pattern, node)->direction.choice, CYPHER_UNDIRECTED);
      assert_null(CYPHER_AS(relationship_pattern, node)->length.node);
      assert_null(CYPHER_AS(relationship_pattern, node)->properties.node);
      break;
    case CYPHER_path: assert_int_equal(CYPHER_AS(path, node)->variable.name.length, 0); break;
    case CYPHER_with:
    case CYPHER_unwind:
    case CYPHER_union:
    case CYPHER_call_subquery:
    case CYPHER_case:
    case CYPHER_quantified:
    case CYPHER_reduce:
    case CYPHER_map:
    case CYPHER_index:
    case CYPHER_slice:
    case CYPHER_is_null:
    case CYPHER_label_test:
    case CYPHER_label_or:
    case CYPHER_subquery:
    case CYPHER_unary: fail_msg("%s is not in the profile", node->kind->name);
    default: break;
  }
  return EW_WALK_ON;
}

static void profiles_are_obeyed(void **state) {
  (void)state;
  for (int purpose = EW_PURPOSE_ANY; purpose <= EW_PURPOSE_PARTITION; purpose++) {
    struct cases cases;
    cases_init(&cases, &narrow, (enum ew_purpose)purpose, 5);
    for (int i = 0; i < 2000; i++) {
      cases_next(&cases);
      if (!cases.base) continue;
      ew_tree_walk(cases.base, only_narrow, NULL);
      assert_true(ew_cypher_analyze_names(cases.base, NULL));
    }
    cases_release(&cases);
  }
}

/* ---- partitions ---- */

struct mention {
  struct ew_span name;
  size_t count;
};

static enum ew_walk count_mentions(const struct ew_node *node, struct ew_place place, void *context) {
  struct mention *mention = context;
  (void)place;
  if (node->kind->code == CYPHER_match) return EW_WALK_SKIP;
  if (node->kind->code == CYPHER_variable && ew_span_equal(CYPHER_AS(variable, node)->name.name, mention->name))
    mention->count++;
  return EW_WALK_ON;
}

/* Every relationship is named, or of variable length in a named path, and a projection mentions that name. */
static enum ew_walk is_mentioned(const struct ew_node *node, struct ew_place place, void *context) {
  const struct ew_node *base = context;
  if (node->kind->code == CYPHER_subquery || node->kind->code == CYPHER_pattern_expression) return EW_WALK_SKIP;
  if (node->kind->code != CYPHER_relationship_pattern) return EW_WALK_ON;
  struct mention mention = {.name = CYPHER_AS(relationship_pattern, node)->variable.name};
  if (!mention.name.length) {
    assert_non_null(CYPHER_AS(relationship_pattern, node)->length.node);
    mention.name = CYPHER_AS(path, place.parent)->variable.name;
  }
  assert_true(mention.name.length > 0);
  ew_tree_walk(base, count_mentions, &mention);
  if (!mention.count) print_failure(base);
  assert_true(mention.count > 0);
  return EW_WALK_ON;
}

static void partitions_partition(void **state) {
  struct cases cases;
  size_t bases = 0, partitioned = 0, counts = 0;
  (void)state;
  cases_init(&cases, &full, EW_PURPOSE_PARTITION, 6);
  for (int i = 0; i < QUERIES; i++) {
    enum ew_combiner combiner;
    cases_next(&cases);
    if (!cases.base) continue;
    bases++;
    assert_non_null(cases.predicate);
    assert_true(ew_cypher_analyze_names(cases.base, NULL));
    ew_tree_walk(cases.base, is_mentioned, (void *)(uintptr_t)cases.base);
    if (!ew_cypher_partition.combiner(cases.base, &combiner)) continue;
    partitioned++;
    counts += combiner == EW_COMBINE_COUNT;
    for (int part = 0; part < EW_PARTS; part++)
      if (!ew_cypher_partition.restrict_to(&cases.builder, cases.base, cases.predicate, (enum ew_part)part)) {
        print_failure(cases.base);
        print_failure(cases.predicate);
        fail_msg("the predicate does not fit");
      }
  }
  assert_true(bases >= QUERIES * 98 / 100);
  assert_true(partitioned >= bases * 95 / 100);
  assert_true(counts >= bases / 20);
  cases_release(&cases);
}

/* ---- text ---- */

/* The NaN and the infinities read back as the divisions that they print as. */
static bool is_finite(struct ew_span text) { return memmem(text.bytes, text.length, " / 0.0)", 7) == NULL; }

static void queries_read_back(void **state) {
  struct ew_text text = {0};
  struct cases cases;
  size_t equal = 0;
  (void)state;
  cases_init(&cases, &full, EW_PURPOSE_ANY, 7);
  for (int i = 0; i < 2000; i++) {
    const struct ew_node *read;
    cases_next(&cases);
    ew_text_reset(&text);
    ew_cypher_print(&text, cases.base, NULL);
    if (ew_cypher_parse(&cases.builder, ew_text_span(&text), &read, NULL) != EW_OK)
      fail_msg("cannot read %s", text.bytes);
    if (!is_finite(ew_text_span(&text))) continue;
    /* arguments are sent beside the text */
    if (!ew_tree_equal(CYPHER_AS(statement, cases.base)->body.node, CYPHER_AS(statement, read)->body.node))
      fail_msg("reads back as another tree: %s", text.bytes);
    equal++;
  }
  assert_true(equal > 1500);
  ew_text_release(&text);
  cases_release(&cases);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(scenes_repeat),        cmocka_unit_test(scenes_vary),
      cmocka_unit_test(queries_repeat),       cmocka_unit_test(queries_bind_names),
      cmocka_unit_test(queries_are_distinct), cmocka_unit_test(every_branch_is_reached),
      cmocka_unit_test(queries_are_deep),     cmocka_unit_test(profiles_are_obeyed),
      cmocka_unit_test(partitions_partition), cmocka_unit_test(queries_read_back),
  };
  return cmocka_run_group_tests(tests, read_profiles, release_profiles);
}
