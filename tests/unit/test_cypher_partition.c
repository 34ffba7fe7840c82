/* test_cypher_partition.c: where a predicate goes, and which queries are refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lang/cypher/cypher.h"
#include "lang/cypher/parser.h"
#include "lang/cypher/print.h"

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

static const struct ew_node *parse_predicate(const char *text) {
  const struct ew_node *tree = NULL;
  if (ew_cypher_parse_expression(&builder, ew_span_of(text), &tree, NULL) != EW_OK) fail_msg("cannot read %s", text);
  return tree;
}

static const char *printed(const struct ew_node *tree) {
  struct ew_text text = {0};
  ew_cypher_print(&text, tree, NULL);
  const char *copy = ew_arena_string(&arena, ew_text_span(&text));
  ew_text_release(&text);
  return copy;
}

static void places(void **state) {
  static const struct {
    const char *base, *predicate;
    enum ew_part part;
    const char *expected; /* NULL: refused */
  } table[] = {
      {"MATCH (n) RETURN n.x AS x", "n.y = 1", EW_PART_TRUE, "MATCH (n) WHERE n.y = 1 RETURN n.x AS x"},
      {"MATCH (n) RETURN n.x AS x", "n.y = 1", EW_PART_FALSE, "MATCH (n) WHERE NOT n.y = 1 RETURN n.x AS x"},
      {"MATCH (n) RETURN n.x AS x", "n.y = 1", EW_PART_UNKNOWN, "MATCH (n) WHERE (n.y = 1) IS NULL RETURN n.x AS x"},
      {"MATCH (n) WHERE n.z OR n.w RETURN n.x AS x", "n.y < 2", EW_PART_UNKNOWN,
       "MATCH (n) WHERE (n.z OR n.w) AND (n.y < 2) IS NULL RETURN n.x AS x"},
      {"MATCH (n) WITH n.x AS x RETURN x", "x = 1", EW_PART_TRUE, "MATCH (n) WITH n.x AS x WHERE x = 1 RETURN x"},
      {"MATCH (n) WITH n WHERE n.z RETURN n", "n:A", EW_PART_TRUE, "MATCH (n) WITH n WHERE n.z AND n:A RETURN n"},
      {"MATCH (n) OPTIONAL MATCH (n)-->(m) RETURN m", "m.x IS NULL", EW_PART_FALSE,
       "MATCH (n) OPTIONAL MATCH (n)-->(m) WITH * WHERE NOT m.x IS NULL RETURN m"},
      {"UNWIND [1] AS x RETURN x", "x > 0", EW_PART_TRUE, "UNWIND [1] AS x WITH * WHERE x > 0 RETURN x"},
      {"MATCH (n) UNWIND [1] AS x RETURN count(*) AS c", "n.x = x", EW_PART_TRUE,
       "MATCH (n) UNWIND [1] AS x WITH * WHERE n.x = x RETURN count(*) AS c"},
      {"MATCH (n) RETURN n", "m.x = 1", EW_PART_TRUE, NULL}, /* not bound */
      {"MATCH (n) RETURN n", "n.x", EW_PART_TRUE, NULL},     /* may be neither true nor false nor null */
      {"MATCH (n) WITH n.x AS x, count(*) AS c RETURN x", "n.y = 1", EW_PART_TRUE, NULL}, /* not any more */
      {"MATCH (n) RETURN n", "n.x > rand()", EW_PART_TRUE, NULL},                         /* another value each time */
      {"MATCH (n) RETURN n", "count(*) > 1", EW_PART_TRUE, NULL},                         /* no condition */
      {"RETURN 1 AS x", "true", EW_PART_TRUE, NULL},                                      /* nothing to put it behind */
      {"OPTIONAL MATCH () RETURN 1 AS x", "true", EW_PART_TRUE, NULL},                    /* WITH * needs a variable */
      {"MATCH (n) DELETE n", "true", EW_PART_TRUE, NULL},
      {"RETURN 1 AS x UNION RETURN 2 AS x", "true", EW_PART_TRUE, NULL},
  };
  (void)state;
  for (size_t i = 0; i < EW_COUNT(table); i++) {
    const struct ew_node *restricted = ew_cypher_partition.restrict_to(
        &builder, parse(table[i].base), parse_predicate(table[i].predicate), table[i].part);
    if (!table[i].expected)
      assert_null(restricted);
    else if (!restricted)
      fail_msg("refused: %s", table[i].base);
    else
      assert_string_equal(printed(restricted), table[i].expected);
  }
}

static void combiners(void **state) {
  enum { BAG = EW_COMBINE_BAG, COUNT = EW_COMBINE_COUNT, NO };
  static const struct {
    int expected;
    const char *base;
  } table[] = {
      {BAG, "MATCH (n) RETURN n.x AS x, n"},
      {BAG, "MATCH (n) WITH n, count(*) AS c RETURN c"},
      {BAG, "MATCH (n) WITH n ORDER BY n.x RETURN n"},
      {BAG, "MATCH p = allShortestPaths((a)-[*]->(b)) RETURN length(p) AS x"},
      {BAG, "MATCH (n) RETURN size([(n)-->(m) | m.x]) AS x"},
      {BAG, "MATCH (n) RETURN date('2020-01-01') AS x"},
      {COUNT, "MATCH (n) RETURN count(*) AS c"},
      {COUNT, "MATCH (n) RETURN count(n.x) AS c, COUNT(*) AS d"},
      {NO, "MATCH (n) RETURN count(DISTINCT n.x) AS c"},
      {NO, "MATCH (n) RETURN count(*) + 1 AS c"},
      {NO, "MATCH (n) RETURN n.x AS x, count(*) AS c"},
      {NO, "MATCH (n) RETURN sum(n.x) AS s"},
      {NO, "MATCH (n) RETURN n.x"},
      {NO, "MATCH (n) RETURN *"},
      {NO, "MATCH (n) RETURN DISTINCT n.x AS x"},
      {NO, "MATCH (n) RETURN n.x AS x ORDER BY x"},
      {NO, "MATCH (n) RETURN n.x AS x LIMIT 1"},
      {NO, "MATCH (n) WITH n LIMIT 1 RETURN n.x AS x"},
      {NO, "MATCH (n) CALL { MATCH (m) RETURN m SKIP 1 } RETURN n.x AS x"},
      {NO, "MATCH (n) WITH collect(n.x) AS l RETURN l"},
      {NO, "MATCH (n) WITH DISTINCT n.x AS x RETURN x"}, /* 1 or 1.0: open */
      {BAG, "MATCH (n) WITH DISTINCT n RETURN n.x AS x"},
      {BAG, "UNWIND [1, 1, 2] AS x WITH DISTINCT x RETURN x"},
      {NO, "MATCH (n) WITH n.x AS x, count(*) AS c RETURN c"},
      {NO, "MATCH (n) RETURN [(n)-->(m) | m.x] AS x"},
      {NO, "MATCH (n) RETURN rand() AS x"},
      {NO, "MATCH (n) RETURN randomUUID() AS x, timestamp() AS y"},
      {NO, "MATCH (n) RETURN date() AS x"},
      {NO, "MATCH (n) RETURN nobody.knows(n) AS x"},
      {NO, "MATCH p = shortestPath((a)-[*]->(b)) RETURN p"},
      {NO, "MATCH (n) SET n.x = 1 RETURN n.x AS x"},
      {NO, "MATCH (n) CREATE (m) WITH n RETURN n.x AS x"},
      {NO, "EXPLAIN MATCH (n) RETURN n"},
      {NO, "RETURN 1 AS x"},
      {NO, "CALL db.labels() YIELD label RETURN label"},
      {NO, "MATCH (n) RETURN n UNION MATCH (n) RETURN n"},
  };
  (void)state;
  for (size_t i = 0; i < EW_COUNT(table); i++) {
    enum ew_combiner combiner;
    int found = ew_cypher_partition.combiner(parse(table[i].base), &combiner) ? (int)combiner : NO;
    if (found != table[i].expected) fail_msg("%s: expected %d, found %d", table[i].base, table[i].expected, found);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(places, begin, end),
      cmocka_unit_test_setup_teardown(combiners, begin, end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
