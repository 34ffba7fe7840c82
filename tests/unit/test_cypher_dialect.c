/* test_cypher_dialect.c: profiles of Cypher engines: they read, they name only what Cypher has, what they lack is named,
   and the generators write nothing that they lack. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "generate/cypher.h"
#include "lang/cypher/dialect.h"
#include "lang/cypher/features.h"
#include "lang/cypher/parser.h"
#include "lang/cypher/print.h"
#include "lang/cypher/template.h"

enum { QUERIES = 10000 };

static const char *const profiles[] = {
    "engines/opencypher/profile.ini", "engines/graphqlite/profile.ini", "engines/scripted/profile.ini",
    "engines/neo4j/profile.ini",      "engines/neo4j/profile-5.ini",    "engines/neo4j/profile-4.4.ini",
    "engines/falkordb/profile.ini",   "engines/memgraph/profile.ini",   "engines/age/profile.ini",
    "engines/age/profile-1.7.ini",
};

static void read_profile(struct ew_profile *profile, const char *path) {
  struct ew_error error;
  if (ew_profile_read(profile, path, &error) || ew_cypher_check_profile(profile, &error)) fail_msg("%s", error.text);
}

static const struct ew_node *parse(struct ew_arena *arena, const char *text) {
  struct ew_builder builder = {arena, 1};
  struct ew_cypher_syntax_error error;
  const struct ew_node *tree = NULL;
  if (ew_cypher_parse(&builder, ew_span_of(text), &tree, &error)) fail_msg("%s: %s", text, error.message);
  return tree;
}

/* ---- the table ---- */

static void test_every_kind_has_a_row(void **state) {
  (void)state;
  size_t kinds = 0;
  for (size_t i = 0; i < ew_cypher_feature_count; i++) {
    const struct ew_cypher_feature *row = &ew_cypher_feature_rows[i];
    if (i) assert_true(ew_cypher_feature_rows[i - 1].kind <= row->kind); /* found by bisection */
    if (row->sort != EW_FEATURE_KIND) continue;
    assert_int_equal(row->kind, kinds++);
  }
  assert_int_equal(kinds, cypher_table.count);
}

/* ---- what profiles lack ---- */

static void test_names_what_is_lacking(void **state) {
  static const struct {
    const char *profile, *query, *what; /* NULL: nothing */
  } cases[] = {
      {"graphqlite", "MATCH (n:A|B) RETURN count(*)", NULL},
      {"graphqlite", "MATCH (n:!A) RETURN n", "the pattern label_negation"},
      {"graphqlite", "MATCH (n WHERE n.a = 1) RETURN n", "the pattern inline_where"},
      {"graphqlite", "RETURN COUNT { MATCH (n) } AS c", "the expression count_subquery"},
      {"graphqlite", "RETURN left('a', 1, 2) AS c", "the function left with 3 arguments"},
      {"graphqlite", "RETURN LEFT('a', 1) AS c", NULL},
      {"graphqlite", "RETURN apoc.text.join('a') AS c", "the function apoc.text.join"},
      {"graphqlite", "RETURN coalesce(1, 2, 3, 4, 5, 6) AS c", NULL},
      {"graphqlite", "RETURN coalesce() AS c", "the function coalesce with 0 arguments"},
      {"graphqlite", "CALL db.labels()", "the clause call_procedure"},
      {"opencypher", "CALL (n) { RETURN 1 AS a } RETURN a", "the clause call_subquery"},
      {"opencypher", "RETURN 'a' || 'b' AS c", "the operator ||"},
      {"opencypher", "CREATE INDEX FOR (n:A) ON (n.a)", "the command create_index"},
      {"opencypher", "RETURN null = -1.5 AS c", NULL},
      {"falkordb", "RETURN 'a' =~ 'b' AS c", "the operator =~"},
      {"falkordb", "MATCH (:A:B)-[:R|S*1..3]->() RETURN DISTINCT 1 AS a", NULL},
      {"falkordb", "MATCH ()-[:!R]->() RETURN 1 AS a", "the pattern type_negation"},
      {"falkordb", "CALL algo.bfs(1, 2, 'R') YIELD nodes RETURN nodes", NULL},
      {"falkordb", "CALL algo.fly() YIELD a RETURN a", "the procedure algo.fly"},
      {"memgraph", "MATCH p = shortestPath((a)-[*]-(b)) RETURN p", "the pattern shortest_path"},
      {"memgraph", "RETURN 1 IS :: INTEGER AS a", "the expression is_type"},
      {"age", "MATCH (n:A:B) RETURN n", "the pattern several_labels"},
      {"age", "FOREACH (x IN [1] | CREATE (:A))", "the clause foreach"},
      {"age", "MATCH ()-[:R|S]->() RETURN 1 AS a", "the pattern type_alternatives"},
      {"neo4j", "MATCH REPEATABLE ELEMENTS (a)-[r]->{1,3}(b) RETURN a", NULL},
      {"neo4j", "RETURN 1 IS :: BOOL | SIGNED INTEGER NOT NULL AS a", NULL},
      {"neo4j", "CREATE CONSTRAINT FOR (n:A) REQUIRE n.a IS NOT NULL", "the command existence_constraint"},
  };
  (void)state;
  for (size_t i = 0; i < EW_COUNT(cases); i++) {
    struct ew_profile profile;
    struct ew_arena arena;
    struct ew_text what = {0};
    char path[100];
    ew_arena_init(&arena);
    snprintf(path, sizeof path, "engines/%s/profile.ini", cases[i].profile);
    read_profile(&profile, path);
    const struct ew_node *tree = parse(&arena, cases[i].query);
    bool lacks = ew_cypher_lacks(tree, &profile, &what);
    if (lacks != (cases[i].what != NULL)) fail_msg("%s: %s", cases[i].query, lacks ? what.bytes : "nothing lacks");
    if (lacks) assert_string_equal(what.bytes, cases[i].what);
    assert_int_equal(ew_cypher_lacks(tree, &profile, NULL), lacks);
    ew_text_release(&what);
    ew_arena_release(&arena);
    ew_profile_release(&profile);
  }
}

static void test_versions_lack_what_came_later(void **state) {
  static const char query[] = "MATCH (a)-[:R]->{1,3}(b) RETURN a";
  struct ew_profile old, new;
  struct ew_arena arena;
  (void)state;
  ew_arena_init(&arena);
  read_profile(&old, "engines/neo4j/profile-4.4.ini");
  read_profile(&new, "engines/neo4j/profile-5.ini");
  assert_true(ew_cypher_lacks(parse(&arena, query), &old, NULL));
  assert_false(ew_cypher_lacks(parse(&arena, query), &new, NULL));
  assert_false(ew_cypher_lacks(parse(&arena, "MATCH (n) WHERE exists(n.a) RETURN n"), &old, NULL));
  assert_true(ew_cypher_lacks(parse(&arena, "MATCH (n) WHERE exists(n.a) RETURN n"), &new, NULL));
  assert_true(ew_cypher_lacks(parse(&arena, "RETURN ltrim('a', 'b') AS c"), &old, NULL));
  assert_false(ew_cypher_lacks(parse(&arena, "RETURN ltrim('a', 'b') AS c"), &new, NULL));
  ew_profile_release(&old);
  ew_profile_release(&new);
  ew_arena_release(&arena);
}

static void expect_nothing_lacks(const struct ew_node *tree, const struct ew_profile *profile) {
  struct ew_text what = {0};
  if (!tree || !ew_cypher_lacks(tree, profile, &what)) return;
  ew_text_add_string(&what, ": ");
  ew_cypher_print(&what, tree, NULL);
  fail_msg("%.*s lacks %s", EW_SPAN_ARGS(profile->path), what.bytes);
}

static void generate_for(const struct ew_profile *profile) {
  struct ew_arena scenes, arena;
  struct ew_random root = ew_random_from(7);
  struct ew_scene scene = {0};
  void *world = NULL;
  ew_arena_init(&scenes);
  ew_arena_init(&arena);
  for (uint64_t i = 0; i < QUERIES; i++) {
    if (i % EW_CASES_PER_SCENE == 0) {
      struct ew_random random = ew_random_split(&root, "scene", i);
      ew_arena_reset(&scenes);
      scene = ew_generate_cypher.scene(&scenes, profile, &ew_generate_options_standard, &random);
      world = ew_generate_cypher.prepare(world, profile, &ew_generate_options_standard, &scene);
      for (size_t k = 0; k < scene.statements.count; k++) expect_nothing_lacks(scene.statements.items[k], profile);
    }
    enum ew_purpose purpose = i % 2 ? EW_PURPOSE_ANY : EW_PURPOSE_PARTITION;
    struct ew_random random = ew_random_split(&root, "case", i);
    ew_arena_reset(&arena);
    struct ew_builder builder = {&arena, 1};
    struct ew_draw draw = {.builder = &builder, .random = &random, .purpose = purpose, .number = i};
    const struct ew_node *base = ew_generate_cypher.base(world, &draw);
    expect_nothing_lacks(base, profile);
    if (base && purpose == EW_PURPOSE_PARTITION)
      expect_nothing_lacks(ew_generate_cypher.predicate(world, &draw, base), profile);
  }
  ew_generate_cypher.release(world);
  ew_arena_release(&scenes);
  ew_arena_release(&arena);
}

static void test_generated_queries_lack_nothing(void **state) {
  (void)state;
  for (size_t i = 0; i < EW_COUNT(profiles); i++) {
    struct ew_profile profile;
    read_profile(&profile, profiles[i]);
    generate_for(&profile);
    ew_profile_release(&profile);
  }
}

/* ---- what profiles may say ---- */

#define HEAD "[engine]\nname = toy\nlanguage = cypher\n"

static void test_refuses_what_cypher_has_not(void **state) {
  static const struct {
    const char *text, *message;
  } cases[] = {
      {HEAD "[has]\nclauses = match, fetch\n", "x.ini:5: Cypher has nothing called 'fetch' in that group"},
      {HEAD "[has]\nclauses = match,\n  quantifier\n", "x.ini:6: Cypher has nothing called 'quantifier' in that group"},
      {HEAD "[has]\noperators = ++\n", "x.ini:5: Cypher has nothing called '++' in that group"},
      {HEAD "[has]\ntypes = FISH\n", "x.ini:5: Cypher has nothing called 'FISH' in that group"},
      {HEAD "[functions]\nf = (FISH) -> ANY\n", "x.ini:5: Cypher has no type 'FISH'"},
      {HEAD "[functions]\nf = (ANY) -> FISH\n", "x.ini:5: Cypher has no type 'FISH'"},
      {HEAD "[spelling]\nindex = SIDEWAYS\n", "x.ini:5: it cannot be spelled 'SIDEWAYS'"},
      {HEAD "[spelling]\ncolour = grey\n", "x.ini:5: there is no spelling of 'colour'"},
      {HEAD "[templates]\nt = INTEGER: 1 +\n", "x.ini:5: the template does not parse at column 4"},
      {HEAD "[templates]\nt = CLAUSE: RETURN 1 UNION RETURN 2\n", "x.ini:5: a CLAUSE is one query"},
  };
  (void)state;
  for (size_t i = 0; i < EW_COUNT(cases); i++) {
    struct ew_profile profile;
    struct ew_error error = {""};
    assert_int_equal(ew_profile_parse(&profile, "x.ini", ew_span_of(cases[i].text), &error), EW_OK);
    assert_int_equal(ew_cypher_check_profile(&profile, &error), EW_BAD);
    if (strncmp(error.text, cases[i].message, strlen(cases[i].message)) != 0) fail_msg("%s", error.text);
    ew_profile_release(&profile);
  }
}

static void test_spells_as_the_engine_wants(void **state) {
  static const struct {
    const char *profile, *query, *printed;
  } cases[] = {
      {"memgraph", "CREATE INDEX FOR (n:A) ON (n.a)", "CREATE INDEX ON :A(a)"},
      {"memgraph", "DROP INDEX FOR (n:A) ON (n.a)", "DROP INDEX ON :A(a)"},
      {"memgraph", "CREATE CONSTRAINT FOR (n:A) REQUIRE n.a IS NOT NULL",
       "CREATE CONSTRAINT ON (n:A) ASSERT EXISTS (n.a)"},
      {"memgraph", "CREATE CONSTRAINT FOR (n:A) REQUIRE n.a IS UNIQUE",
       "CREATE CONSTRAINT ON (n:A) ASSERT n.a IS UNIQUE"},
      {"neo4j", "CREATE INDEX ON :A(a)", "CREATE INDEX FOR (n:A) ON (n.a)"},
      {"neo4j", "CREATE CONSTRAINT ON (n:A) ASSERT EXISTS (n.a)",
       "CREATE CONSTRAINT FOR (n:A) REQUIRE n.a IS NOT NULL"},
      {"opencypher", "CREATE INDEX ON :A(a)", "CREATE INDEX ON :A(a)"},
  };
  (void)state;
  for (size_t i = 0; i < EW_COUNT(cases); i++) {
    struct ew_profile profile;
    struct ew_arena arena;
    struct ew_text text = {0};
    char path[100];
    ew_arena_init(&arena);
    snprintf(path, sizeof path, "engines/%s/profile.ini", cases[i].profile);
    read_profile(&profile, path);
    ew_cypher_print(&text, parse(&arena, cases[i].query), &profile);
    assert_string_equal(text.bytes, cases[i].printed);
    ew_text_release(&text);
    ew_arena_release(&arena);
    ew_profile_release(&profile);
  }
}

/* ---- templates ---- */

static const struct ew_node *fill_with_number(void *context, struct ew_builder *builder, struct ew_span hole,
                                              struct ew_span type) {
  int64_t *next = context;
  (void)hole;
  if (ew_span_is(type, "NOTHING")) return NULL;
  return CYPHER(builder, literal, .value.value = ew_literal_of(builder, ew_integer(++*next)));
}

static struct ew_span fill_with_name(void *context, struct ew_builder *builder, struct ew_span hole,
                                     struct ew_span role) {
  int64_t *next = context;
  (void)hole;
  return ew_arena_format(builder->arena, "%.*s%d", EW_SPAN_ARGS(role), (int)++*next);
}

static void test_fills_templates(void **state) {
  static const struct {
    struct ew_template template;
    const char *filled; /* NULL: the filler gives up */
  } cases[] = {
      {{.result = {"ANY", 3}, .text = {"f($x:INTEGER, $y:INTEGER, $x:INTEGER)", 37}}, "f(1, 2, 1)"},
      {{.result = {"ANY", 3}, .text = {"[$x:ANY, {a: $p}]", 17}}, "[1, {a: $p}]"},
      {{.result = {"ANY", 3}, .text = {"f($x:NOTHING)", 13}}, NULL},
      {{.result = {"CLAUSE", 6}, .text = {"MATCH (`$n:VARIABLE`) WHERE `$n:VARIABLE`.a = $x:ANY", 52}},
       "MATCH (VARIABLE1) WHERE VARIABLE1.a = 2"},
      {{.result = {"CLAUSE", 6}, .text = {"MATCH (n:`$a:LABEL`) SET n:`$a:LABEL`:`$b:LABEL`", 48}},
       "MATCH (n:LABEL1) SET n:LABEL1:LABEL2"},
  };
  (void)state;
  for (size_t i = 0; i < EW_COUNT(cases); i++) {
    struct ew_arena arena;
    struct ew_error error;
    struct ew_text text = {0};
    int64_t next = 0;
    struct ew_cypher_filler filler = {fill_with_number, fill_with_name, &next};
    const struct ew_node *tree;
    ew_arena_init(&arena);
    struct ew_builder builder = {&arena, 1};
    if (ew_cypher_template_parse(&builder, &cases[i].template, &tree, &error)) fail_msg("%s", error.text);
    const struct ew_node *filled = ew_cypher_template_fill(&builder, tree, &filler);
    assert_int_equal(filled != NULL, cases[i].filled != NULL);
    if (filled) ew_cypher_print(&text, filled, NULL);
    if (filled) assert_string_equal(text.bytes, cases[i].filled);
    ew_text_release(&text);
    ew_arena_release(&arena);
  }
}

/* A template of a profile needs nothing but what the profile has; those it inherits may. */
static void test_profiles_have_what_their_templates_need(void **state) {
  (void)state;
  for (size_t i = 0; i < EW_COUNT(profiles); i++) {
    struct ew_profile profile;
    struct ew_arena arena;
    struct ew_error error;
    read_profile(&profile, profiles[i]);
    ew_arena_init(&arena);
    struct ew_builder builder = {&arena, 1};
    for (size_t k = 0; k < profile.template_count; k++) {
      int64_t next = 0;
      struct ew_cypher_filler filler = {fill_with_number, fill_with_name, &next};
      const struct ew_node *tree;
      if (!ew_span_equal(profile.templates[k].at.path, profile.path)) continue;
      if (ew_cypher_template_parse(&builder, &profile.templates[k], &tree, &error)) fail_msg("%s", error.text);
      expect_nothing_lacks(ew_cypher_template_fill(&builder, tree, &filler), &profile);
    }
    ew_arena_release(&arena);
    ew_profile_release(&profile);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_kind_has_a_row),
      cmocka_unit_test(test_names_what_is_lacking),
      cmocka_unit_test(test_versions_lack_what_came_later),
      cmocka_unit_test(test_generated_queries_lack_nothing),
      cmocka_unit_test(test_refuses_what_cypher_has_not),
      cmocka_unit_test(test_spells_as_the_engine_wants),
      cmocka_unit_test(test_fills_templates),
      cmocka_unit_test(test_profiles_have_what_their_templates_need),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
