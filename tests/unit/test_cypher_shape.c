/* test_cypher_shape.c: shapes, features and dependencies of queries, and a scene as statements. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/map.h"
#include "lang/cypher/cypher.h"
#include "lang/cypher/parser.h"

static struct ew_arena arena;
static struct ew_builder builder;

static int begin(void **state) {
  (void)state;
  ew_arena_init(&arena);
  builder = (struct ew_builder){&arena, 1};
  return 0;
}

static int end(void **state) {
  (void)state;
  ew_arena_release(&arena);
  return 0;
}

static const struct ew_node *parse(const char *text) {
  const struct ew_node *tree = NULL;
  if (ew_cypher_parse(&builder, ew_span_of(text), &tree, NULL) != EW_OK) fail_msg("cannot read %s", text);
  return tree;
}

static void shapes(void **state) {
  static const struct {
    const char *query, *shape;
  } table[] = {
      {"MATCH (n:Person {name: 'x'})-[r:KNOWS]->(m:Person) WHERE n.age > 5 AND m.name = 'y' RETURN m.age AS age",
       "MATCH (v1:L1 {k1: $STRING})-[v2:L2]->(v3:L1) WHERE v1.k2 > $INTEGER AND v3.k1 = $STRING RETURN v3.k2 AS v4"},
      {"MATCH (z:Q {p: 'aa'})-[y:T]->(x:Q) WHERE z.q > -7 AND x.p = '' RETURN x.q AS w",
       "MATCH (v1:L1 {k1: $STRING})-[v2:L2]->(v3:L1) WHERE v1.k2 > $INTEGER AND v3.k1 = $STRING RETURN v3.k2 AS v4"},
      {"RETURN toUpper($x) AS a, [i IN range(1, 2) | i * 1.5] AS b, null AS c",
       "RETURN toUpper($p1) AS v1, [v2 IN range($INTEGER, $INTEGER) | v2 * $FLOAT] AS v3, $`NULL` AS v4"},
      {"MATCH (a)-[*1..3]-(b) SET a:X:Y REMOVE a.k", "MATCH (v1)-[*1..3]-(v2) SET v1:L1:L2 REMOVE v1.k1"},
  };
  (void)state;
  for (size_t i = 0; i < EW_COUNT(table); i++) {
    struct ew_text text = {0};
    ew_cypher_shape(&text, parse(table[i].query));
    assert_string_equal(text.bytes, table[i].shape);
    ew_text_release(&text);
  }
}

static void count_feature(void *context, const char *feature) {
  ew_map_add(context, ew_span_of(feature), NULL)->number++;
}

static void features(void **state) {
  static const struct {
    const char *name;
    uint64_t count;
  } table[] = {
      {"match", 3},          {"optional_match", 1},  {"variable_length", 1},    {"undirected", 1},
      {"union_all", 1},      {"function:left", 2},   {"operator:XOR", 1},       {"operator:<", 2},
      {"unary:NOT", 1},      {"distinct", 1},        {"order_by", 1},           {"literal:INTEGER", 5},
      {"quantifier:any", 1}, {"exists_subquery", 1}, {"aggregate_distinct", 1}, {"detach_delete", 0},
  };
  struct ew_map found;
  (void)state;
  ew_map_init(&found);
  ew_cypher_features(parse("MATCH (a)-[*1..2]-(b) WHERE NOT a.x XOR left('a', 1) < 2 < 3 OPTIONAL MATCH (c) "
                           "RETURN DISTINCT LEFT(a.y, 1) AS x ORDER BY any(i IN [1] WHERE EXISTS { (a) }) "
                           "UNION ALL RETURN count(DISTINCT $p) AS x"),
                     count_feature, &found);
  for (size_t i = 0; i < EW_COUNT(table); i++) {
    union ew_map_value *count = ew_map_find(&found, ew_span_of(table[i].name));
    if ((count ? count->number : 0) != table[i].count)
      fail_msg("%s: expected %d, found %d", table[i].name, (int)table[i].count, count ? (int)count->number : 0);
  }
  ew_map_release(&found);
}

static void dependencies(void **state) {
  static const struct {
    size_t expected;
    const char *query;
  } table[] = {
      {0, "RETURN 1 AS x"},
      {1, "MATCH (n) RETURN n"},
      {2, "MATCH (n) MATCH (n) RETURN n"},
      {2, "MATCH (n:A) MATCH (m:A) RETURN n"},                      /* A, n */
      {2, "CREATE (n:A:B:C) WITH 1 AS x MATCH (m:A:B:C) DELETE m"}, /* m; of its labels, one */
      {2, "MATCH (n {x: 1}) RETURN n.x AS y"},                      /* n, x */
      {1, "RETURN [x IN [1] | x] AS y"},
      {2, "UNWIND [1] AS x WITH x AS y RETURN y"},
  };
  (void)state;
  for (size_t i = 0; i < EW_COUNT(table); i++) {
    size_t found = ew_cypher_dependencies(parse(table[i].query));
    if (found != table[i].expected) fail_msg("%s: expected %zu, found %zu", table[i].query, table[i].expected, found);
  }
}

static void scene(void **state) {
  (void)state;
  const struct ew_node *one = CYPHER(&builder, literal, .value.value = ew_literal_of(&builder, ew_integer(1)));
  const struct ew_node *entry = CYPHER(&builder, entry, .key.name = EW_SPAN("x"), .value.node = one);
  struct ew_span labels[] = {EW_SPAN("A"), EW_SPAN("B")};
  const struct ew_node *nodes[] = {
      CYPHER(&builder, graph_node, .name.name = EW_SPAN("n0"), .labels.names = ew_names_of(&builder, labels, 2),
             .properties.list = ew_list_of(&builder, &entry, 1)),
      CYPHER(&builder, graph_node, .name.name = EW_SPAN("n1"), .labels.names = ew_names_of(&builder, labels, 1)),
  };
  const struct ew_node *relationships[] = {
      CYPHER(&builder, graph_relationship, .start.name = EW_SPAN("n0"), .end.name = EW_SPAN("n1"),
             .type.name = EW_SPAN("R"), .properties.list = ew_list_of(&builder, &entry, 1)),
      CYPHER(&builder, graph_relationship, .start.name = EW_SPAN("n0"), .end.name = EW_SPAN("gone"),
             .type.name = EW_SPAN("R")),
  };
  const struct ew_node *statement = parse("MATCH (n) SET n.y = 2");
  struct ew_scene with_data = {
      .data = CYPHER(&builder, graph, .nodes.list = ew_list_of(&builder, nodes, 2),
                     .relationships.list = ew_list_of(&builder, relationships, 2)),
      .statements = ew_list_of(&builder, &statement, 1),
  };
  struct ew_program program = ew_cypher_load(&arena, &with_data, NULL);
  assert_int_equal(program.count, 2);
  assert_true(ew_span_is(program.statements[0].text, "CREATE (n0:A:B {x: 1}), (n1:A), (n0)-[:R {x: 1}]->(n1)"));
  assert_true(ew_span_is(program.statements[1].text, "MATCH (n) SET n.y = 2"));
  assert_int_equal(program.statements[1].columns.count, 0);
  assert_int_equal(ew_cypher_load(&arena, &(struct ew_scene){0}, NULL).count, 0);

  program =
      ew_cypher_ask(&arena, &with_data, parse("MATCH (n) RETURN n, n.x AS y, n.z + 1 UNION RETURN 1, 2, 3"), NULL);
  assert_int_equal(program.count, 1);
  assert_int_equal(program.statements[0].columns.count, 3);
  assert_true(ew_span_is(program.statements[0].columns.items[0], "n"));
  assert_true(ew_span_is(program.statements[0].columns.items[1], "y"));
  assert_true(ew_span_is(program.statements[0].columns.items[2], "n.z + 1"));
  assert_false(program.statements[0].ordered);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(shapes, begin, end),
      cmocka_unit_test_setup_teardown(features, begin, end),
      cmocka_unit_test_setup_teardown(dependencies, begin, end),
      cmocka_unit_test_setup_teardown(scene, begin, end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
