/* test_generate_expression.c: expressions for each profile: every function and every kind of expression that it has
   occurs, and nothing that it lacks; parameters have their arguments; constants reach each boundary; what is wrong on
   purpose is wrong as often as stated. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/map.h"
#include "generate/cypher.h"
#include "generate/cypher_dialect.h"
#include "generate/values.h"
#include "lang/cypher/cypher.h"
#include "lang/cypher/dialect.h"
#include "lang/cypher/print.h"
#include "lang/cypher/scope.h"

enum { STATEMENTS = 20000 };

/* Case after case of a profile. */
struct cases {
  struct ew_profile profile;
  struct ew_generate_options options;
  struct ew_random root;
  struct ew_arena scenes, arena;
  struct ew_scene scene;
  void *world;
  uint64_t number;
};

static void cases_init(struct cases *cases, const char *path) {
  struct ew_error error;
  *cases = (struct cases){.options = ew_generate_options_standard, .root = ew_random_from(3)};
  cases->options.state = EW_TRACK_SUMMARY;
  if (ew_profile_read(&cases->profile, path, &error)) fail_msg("%s", error.text);
  ew_arena_init(&cases->scenes);
  ew_arena_init(&cases->arena);
}

static void cases_release(struct cases *cases) {
  ew_generate_cypher.release(cases->world);
  ew_arena_release(&cases->scenes);
  ew_arena_release(&cases->arena);
  ew_profile_release(&cases->profile);
}

static const struct ew_node *cases_next(struct cases *cases, enum ew_purpose purpose) {
  if (cases->number % EW_CASES_PER_SCENE == 0) {
    struct ew_random random = ew_random_split(&cases->root, "scene", cases->number);
    ew_arena_reset(&cases->scenes);
    cases->scene = ew_generate_cypher.scene(&cases->scenes, &cases->profile, &cases->options, &random);
    cases->world = ew_generate_cypher.prepare(cases->world, &cases->profile, &cases->options, &cases->scene);
  }
  struct ew_random random = ew_random_split(&cases->root, "case", cases->number);
  struct ew_builder builder = {&cases->arena, 1};
  struct ew_draw draw = {.builder = &builder, .random = &random, .purpose = purpose, .number = cases->number++};
  ew_arena_reset(&cases->arena);
  return ew_generate_cypher.base(cases->world, &draw);
}

/* ---- breadth ---- */

struct census {
  struct ew_map features; /* as ew_cypher_features names them, and "name/arguments" of each call */
};

static void count_feature(void *context, const char *feature) {
  ew_map_add(&((struct census *)context)->features, ew_span_of(feature), NULL);
}

static void add_call(struct census *census, struct ew_span name, size_t arguments) {
  char text[96];
  snprintf(text, sizeof text, "%.*s/%zu", EW_SPAN_ARGS(name), arguments);
  ew_map_add(&census->features, ew_span_of(text), NULL);
}

static enum ew_walk count_call(const struct ew_node *node, struct ew_place place, void *context) {
  (void)place;
  if (cypher_is(node, CYPHER_function))
    add_call(context, CYPHER_AS(function, node)->name.name, CYPHER_AS(function, node)->arguments.list.count);
  return EW_WALK_ON;
}

static void has_every_function(const struct ew_profile *profile, struct census *census) {
  const struct ew_cypher_dialect *dialect = ew_cypher_dialect_of(profile);
  size_t missing = 0;
  for (size_t i = 0; i < dialect->function_count; i++) {
    const struct ew_signature *signature = &profile->functions[dialect->functions[i].signature];
    char text[96];
    snprintf(text, sizeof text, "%.*s/%zu", EW_SPAN_ARGS(signature->name), signature->argument_count);
    if (ew_map_find(&census->features, ew_span_of(text))) continue;
    print_error("%.*s: no %s\n", EW_SPAN_ARGS(profile->name), text);
    missing++;
  }
  assert_int_equal(missing, 0);
}

/* Every function is in the dialect but those that are random, tell the time or look at the machine. */
static void dialect_is_whole(const struct ew_profile *profile) {
  const struct ew_cypher_dialect *dialect = ew_cypher_dialect_of(profile);
  for (size_t i = 0; i < profile->function_count; i++) {
    const struct ew_signature *signature = &profile->functions[i];
    const struct ew_cypher_function *known = ew_cypher_function_find(signature->name);
    bool open = known &&
                (known->traits & EW_FUNCTION_OPEN || (known->traits & EW_FUNCTION_CLOCK && !signature->argument_count));
    bool found = false;
    for (size_t k = 0; k < dialect->function_count; k++) found = found || dialect->functions[k].signature == i;
    if (found == open) fail_msg("%.*s: %.*s", EW_SPAN_ARGS(profile->name), EW_SPAN_ARGS(signature->name));
  }
}

static void has_every_construct(const struct ew_profile *profile, struct census *census) {
  size_t missing = 0;
  for (size_t i = 0; i < profile->construct_count; i++) {
    const struct ew_construct *construct = &profile->constructs[i];
    char text[96];
    bool operator= ew_span_is(construct->group, "operators");
    if (!operator&& !ew_span_is(construct->group, "expressions")) continue;
    bool unary = operator&& ew_span_is(construct->name, "NOT");
    snprintf(text, sizeof text, "%s%.*s", unary ? "unary:" : operator? "operator:" : "", EW_SPAN_ARGS(construct->name));
    if (ew_map_find(&census->features, ew_span_of(text))) continue;
    print_error("%.*s: no %s\n", EW_SPAN_ARGS(profile->name), text);
    missing++;
  }
  assert_int_equal(missing, 0);
}

/* ---- parameters ---- */

struct parameters {
  struct ew_list arguments;
  uint32_t used;
};

static enum ew_walk use_parameter(const struct ew_node *node, struct ew_place place, void *context) {
  struct parameters *parameters = context;
  (void)place;
  if (!cypher_is(node, CYPHER_parameter)) return EW_WALK_ON;
  for (size_t i = 0; i < parameters->arguments.count; i++) {
    if (!ew_span_equal(CYPHER_AS(argument, parameters->arguments.items[i])->name.name,
                       CYPHER_AS(parameter, node)->name.name))
      continue;
    parameters->used |= (uint32_t)1 << i;
    return EW_WALK_ON;
  }
  fail_msg("no argument for $%.*s", EW_SPAN_ARGS(CYPHER_AS(parameter, node)->name.name));
  return EW_WALK_STOP;
}

static enum ew_walk look_at_statement(const struct ew_node *node, struct ew_place place, void *context) {
  (void)place;
  (void)context;
  if (!cypher_is(node, CYPHER_statement)) return EW_WALK_ON;
  struct parameters parameters = {.arguments = CYPHER_AS(statement, node)->arguments.list};
  ew_tree_walk(CYPHER_AS(statement, node)->body.node, use_parameter, &parameters);
  assert_int_equal(parameters.used, ((uint64_t)1 << parameters.arguments.count) - 1);
  return EW_WALK_SKIP;
}

static void fits_profile(const struct ew_node *tree, const struct ew_profile *profile) {
  struct ew_text what = {0}, text = {0};
  if (ew_cypher_lacks(tree, profile, &what)) {
    ew_cypher_print(&text, tree, NULL);
    fail_msg("%.*s lacks %s: %s", EW_SPAN_ARGS(profile->name), what.bytes, text.bytes);
  }
  ew_text_release(&what);
}

static void profile_is_used_up(const char *path) {
  struct cases cases;
  struct census census;
  cases_init(&cases, path);
  ew_map_init(&census.features);
  for (int i = 0; i < STATEMENTS; i++) {
    const struct ew_node *tree = cases_next(&cases, EW_PURPOSE_ANY);
    if (!tree) continue;
    ew_cypher_features(tree, count_feature, &census);
    ew_tree_walk(tree, count_call, &census);
    ew_tree_walk(tree, look_at_statement, NULL);
    fits_profile(tree, &cases.profile);
  }
  dialect_is_whole(&cases.profile);
  has_every_function(&cases.profile, &census);
  has_every_construct(&cases.profile, &census);
  ew_map_release(&census.features);
  cases_release(&cases);
}

#define PROFILE_TEST(name)                               \
  static void name##_is_used_up(void **state) {          \
    (void)state;                                         \
    profile_is_used_up("engines/" #name "/profile.ini"); \
  }
PROFILE_TEST(age)
PROFILE_TEST(falkordb)
PROFILE_TEST(graphqlite)
PROFILE_TEST(memgraph)
PROFILE_TEST(model)
PROFILE_TEST(neo4j)
PROFILE_TEST(opencypher)

/* ---- constants ---- */

/* Which of the boundaries a literal is at. */
static enum ew_walk mark_boundary(const struct ew_node *node, struct ew_place place, void *context) {
  static const int64_t integers[] = {
      INT64_MIN,           INT64_MAX, INT64_MAX - 1, (int64_t)1 << 53,      ((int64_t)1 << 53) + 1,
      -((int64_t)1 << 53), INT32_MAX, INT32_MIN,     (int64_t)INT32_MAX + 1};
  static const double floats[] = {INFINITY, -INFINITY, 9007199254740992.0, 4.9406564584124654e-324,
                                  1.7976931348623157e308};
  uint64_t *seen = context;
  (void)place;
  if (!cypher_is(node, CYPHER_literal)) return EW_WALK_ON;
  const struct ew_value *value = CYPHER_AS(literal, node)->value.value;
  if (value->kind == EW_VALUE_INTEGER)
    for (size_t i = 0; i < EW_COUNT(integers); i++) *seen |= (uint64_t)(value->integer == integers[i]) << i;
  if (value->kind == EW_VALUE_FLOAT) {
    for (size_t i = 0; i < EW_COUNT(floats); i++) *seen |= (uint64_t)(value->number == floats[i]) << (16 + i);
    *seen |= (uint64_t)isnan(value->number) << 24 | (uint64_t)(value->number == 0 && signbit(value->number)) << 25;
  }
  if (value->kind == EW_VALUE_STRING) {
    struct ew_span text = value->string;
    bool plain = true;
    for (size_t i = 0; i < text.length; i++) plain = plain && (unsigned char)text.bytes[i] < 0x80;
    *seen |= (uint64_t)(text.length == 0) << 32 | (uint64_t)(text.length >= 300) << 33 | (uint64_t)!plain << 34 |
             (uint64_t)(text.length && memchr(text.bytes, '\'', text.length)) << 35 |
             (uint64_t)(text.length && memchr(text.bytes, '\\', text.length)) << 36 |
             (uint64_t)ew_span_is(text, "9223372036854775808") << 37 | (uint64_t)ew_span_is(text, "2020-02-29") << 38 |
             (uint64_t)ew_span_is(text, "2023-02-29") << 39 | (uint64_t)ew_span_is(text, "+999999999-12-31") << 40;
  }
  return EW_WALK_ON;
}

static enum ew_walk mark_list(const struct ew_node *node, struct ew_place place, void *context) {
  uint64_t *seen = context;
  (void)place;
  if (!cypher_is(node, CYPHER_list)) return EW_WALK_ON;
  struct ew_list items = CYPHER_AS(list, node)->items.list;
  bool one = false, one_point = false;
  if (!items.count) *seen |= 1;
  for (size_t i = 0; i < items.count; i++) {
    if (cypher_is(items.items[i], CYPHER_list)) *seen |= 2;
    if (!cypher_is(items.items[i], CYPHER_literal)) continue;
    const struct ew_value *value = CYPHER_AS(literal, items.items[i])->value.value;
    if (value->kind == EW_VALUE_NULL) *seen |= i + 1 == items.count ? 4 : 8;
    one = one || (value->kind == EW_VALUE_INTEGER && value->integer == 1);
    one_point = one_point || (value->kind == EW_VALUE_FLOAT && value->number == 1.0);
  }
  if (one && one_point) *seen |= 16;
  return EW_WALK_ON;
}

static void constants_reach_boundaries(void **state) {
  struct cases cases;
  uint64_t seen = 0, lists = 0;
  (void)state;
  cases_init(&cases, "engines/neo4j/profile.ini");
  for (int i = 0; i < STATEMENTS; i++) {
    const struct ew_node *tree = cases_next(&cases, EW_PURPOSE_ANY);
    if (!tree) continue;
    ew_tree_walk(tree, mark_boundary, &seen);
    ew_tree_walk(tree, mark_list, &lists);
  }
  assert_int_equal(seen & 0x1ff, 0x1ff);
  assert_int_equal(seen >> 16 & 0x1f, 0x1f);
  assert_int_equal(seen >> 24 & 3, 3);
  assert_int_equal(seen >> 32 & 0x1ff, 0x1ff);
  assert_int_equal(lists, 31);
  cases_release(&cases);
}

static void temporal_texts_are_as_said(void **state) {
  static const enum ew_value_kind kinds[] = {EW_VALUE_DATE,     EW_VALUE_TIME,           EW_VALUE_LOCAL_TIME,
                                             EW_VALUE_DATETIME, EW_VALUE_LOCAL_DATETIME, EW_VALUE_DURATION};
  struct ew_random random = ew_random_from(4);
  struct ew_arena arena;
  (void)state;
  ew_arena_init(&arena);
  for (size_t i = 0; i < EW_COUNT(kinds); i++) {
    for (int k = 0; k < 500; k++) {
      struct ew_value value;
      struct ew_span text = ew_draw_temporal_text(&random, kinds[i], 0, 0);
      if (!ew_value_read_iso(&arena, kinds[i], text, &value)) fail_msg("common: %.*s", EW_SPAN_ARGS(text));
      text = ew_draw_temporal_text(&random, kinds[i], 0, 100);
      if (ew_value_read_iso(&arena, kinds[i], text, &value)) fail_msg("wrong: %.*s", EW_SPAN_ARGS(text));
      value = ew_draw_value(&arena, &random, (struct ew_property_type){.kind = kinds[i]}, 50);
      assert_int_equal(value.kind, kinds[i]);
    }
  }
  ew_arena_release(&arena);
}

/* ---- wrong on purpose ---- */

struct keys {
  size_t all, absent;
};

static enum ew_walk count_key(const struct ew_node *node, struct ew_place place, void *context) {
  struct keys *keys = context;
  (void)place;
  if (!cypher_is(node, CYPHER_property) || !cypher_is(CYPHER_AS(property, node)->object.node, CYPHER_variable))
    return EW_WALK_ON;
  struct ew_span key = CYPHER_AS(property, node)->key.name;
  keys->all++;
  keys->absent += ew_span_is(key, "absent") || ew_span_is(key, "id") || ew_span_is(key, "name");
  return EW_WALK_ON;
}

static void shares_are_as_stated(void **state) {
  struct cases cases;
  struct keys keys = {0};
  size_t statements = 0, ill_typed = 0;
  (void)state;
  cases_init(&cases, "engines/opencypher/profile.ini");
  for (int i = 0; i < STATEMENTS; i++) {
    const struct ew_node *tree = cases_next(&cases, EW_PURPOSE_READ);
    if (!tree || !cypher_is(tree, CYPHER_statement)) continue;
    statements++;
    ill_typed += !ew_cypher_analyze(tree, NULL);
    ew_tree_walk(tree, count_key, &keys);
  }
  print_message("absent keys %.2f %%, statically ill-typed %.2f %%\n", 100.0 * (double)keys.absent / (double)keys.all,
                100.0 * (double)ill_typed / (double)statements);
  assert_in_range(keys.absent * 1000, keys.all * 5, keys.all * 50);
  assert_in_range(ill_typed * 1000, statements, statements * 50);
  cases_release(&cases);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(age_is_used_up),
      cmocka_unit_test(falkordb_is_used_up),
      cmocka_unit_test(graphqlite_is_used_up),
      cmocka_unit_test(memgraph_is_used_up),
      cmocka_unit_test(model_is_used_up),
      cmocka_unit_test(neo4j_is_used_up),
      cmocka_unit_test(opencypher_is_used_up),
      cmocka_unit_test(constants_reach_boundaries),
      cmocka_unit_test(temporal_texts_are_as_said),
      cmocka_unit_test(shares_are_as_stated),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
