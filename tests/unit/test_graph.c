/* test_graph.c: schemas and property graphs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"
#include "graph/property_graph.h"
#include "graph/schema.h"

static const struct ew_property_type integer = {EW_VALUE_INTEGER, false}, strings = {EW_VALUE_STRING, true};

static void schema(void **state) {
  struct ew_arena arena;
  struct ew_schema schema = {0};
  (void)state;
  ew_arena_init(&arena);
  ew_schema_add_property(&arena, ew_schema_add_label(&arena, &schema, EW_SPAN("A")), EW_SPAN("i0"), integer);
  ew_schema_add_label(&arena, &schema, EW_SPAN("B"));
  ew_schema_add_property(&arena, ew_schema_add_type(&arena, &schema, EW_SPAN("R")), EW_SPAN("l1"), strings);
  assert_int_equal(ew_schema_find_label(&schema, EW_SPAN("B")), 1);
  assert_int_equal(ew_schema_find_label(&schema, EW_SPAN("R")), -1);
  assert_int_equal(ew_schema_find_type(&schema, EW_SPAN("R")), 0);
  assert_true(ew_property_type_same(ew_schema_find_property(&schema, EW_SPAN("i0"))->type, integer));
  assert_true(ew_property_type_same(ew_schema_find_property(&schema, EW_SPAN("l1"))->type, strings));
  assert_null(ew_schema_find_property(&schema, EW_SPAN("i")));
  ew_arena_release(&arena);
}

static void type_names(void **state) {
  static const enum ew_value_kind kinds[] = {EW_VALUE_INTEGER, EW_VALUE_FLOAT, EW_VALUE_STRING, EW_VALUE_BOOLEAN};
  static const char *const bad[] = {
      "", "LIST", "LIST<", "LIST<>", "LIST<INTEGER", "integer", "NODE", "LIST<LIST<STRING>>"};
  struct ew_property_type read;
  struct ew_arena arena;
  (void)state;
  ew_arena_init(&arena);
  for (size_t i = 0; i < 2 * EW_COUNT(kinds); i++) {
    struct ew_property_type type = {kinds[i / 2], i % 2};
    assert_true(ew_property_type_read(ew_property_type_name(&arena, type), &read));
    assert_true(ew_property_type_same(type, read));
  }
  for (size_t i = 0; i < EW_COUNT(bad); i++) assert_false(ew_property_type_read(ew_span_of(bad[i]), &read));
  ew_arena_release(&arena);
}

static void elements(void **state) {
  struct ew_property_graph graph;
  struct ew_arena arena;
  (void)state;
  ew_arena_init(&arena);
  ew_property_graph_init(&graph, &arena);
  uint32_t node = ew_property_graph_add_node(&graph);
  ew_property_graph_add_label(&graph, node, EW_SPAN("A"));
  ew_property_graph_add_label(&graph, node, EW_SPAN("B"));
  ew_property_graph_add_label(&graph, node, EW_SPAN("A"));
  assert_int_equal(graph.nodes.items[node].labels.count, 2);
  assert_true(ew_graph_node_has_label(&graph.nodes.items[node], EW_SPAN("B")));
  assert_false(ew_graph_node_has_label(&graph.nodes.items[node], EW_SPAN("C")));
  struct ew_graph_properties *properties = &graph.nodes.items[node].properties;
  ew_graph_properties_set(&arena, properties, EW_SPAN("p"), ew_integer(1));
  ew_graph_properties_set(&arena, properties, EW_SPAN("q"), ew_integer(2));
  ew_graph_properties_set(&arena, properties, EW_SPAN("p"), ew_integer(3));
  assert_int_equal(properties->entries.count, 2);
  assert_int_equal(ew_graph_properties_find(properties, EW_SPAN("p"))->integer, 3);
  assert_null(ew_graph_properties_find(properties, EW_SPAN("r")));
  ew_arena_release(&arena);
}

/* Random relationships, loops and parallels among them: the chains of a node hold just those that start (end) there. */
static void adjacency(void **state) {
  enum { NODES = 20, RELATIONSHIPS = 200 };
  struct ew_random random = ew_random_from(7);
  struct ew_property_graph graph;
  struct ew_arena arena;
  (void)state;
  ew_arena_init(&arena);
  ew_property_graph_init(&graph, &arena);
  for (int i = 0; i < NODES; i++) ew_property_graph_add_node(&graph);
  for (int i = 0; i < RELATIONSHIPS; i++) {
    uint32_t start = ew_random_below(&random, NODES), end = ew_random_below(&random, NODES);
    assert_int_equal(ew_property_graph_add_relationship(&graph, start, end, EW_SPAN("R")), i);
  }
  size_t outgoing = 0, incoming = 0;
  for (uint32_t node = 0; node < NODES; node++) {
    const struct ew_graph_node *at = &graph.nodes.items[node];
    for (uint32_t id = at->outgoing; id != EW_GRAPH_END; id = graph.relationships.items[id].next_outgoing, outgoing++)
      assert_int_equal(graph.relationships.items[id].start, node);
    for (uint32_t id = at->incoming; id != EW_GRAPH_END; id = graph.relationships.items[id].next_incoming, incoming++)
      assert_int_equal(graph.relationships.items[id].end, node);
  }
  assert_int_equal(outgoing, RELATIONSHIPS);
  assert_int_equal(incoming, RELATIONSHIPS);
  ew_arena_release(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(schema),
      cmocka_unit_test(type_names),
      cmocka_unit_test(elements),
      cmocka_unit_test(adjacency),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
