/* test_cypher_determinism.c: what is said of a query's answer before it runs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lang/cypher/determinism.h"
#include "lang/cypher/parser.h"

static struct ew_cypher_determinism determinism_of(const char *text) {
  struct ew_arena arena;
  struct ew_cypher_syntax_error error;
  const struct ew_node *tree;
  ew_arena_init(&arena);
  struct ew_builder builder = {&arena, 1};
  if (ew_cypher_parse(&builder, ew_span_of(text), &tree, &error)) fail_msg("%s: %s", text, error.message);
  struct ew_cypher_determinism found = ew_cypher_determinism(tree);
  ew_arena_release(&arena);
  return found;
}

static void expect_words(const char *text, uint32_t bits, const char *(*words)(unsigned), unsigned count,
                         const char *expected) {
  struct ew_text found = {0};
  for (unsigned i = 0; i < count; i++)
    if (bits & (uint32_t)1 << i) ew_text_add_format(&found, "%s%s", found.length ? "; " : "", words(i));
  if (strcmp(found.length ? found.bytes : "", expected) != 0)
    fail_msg("%s: '%s' expected, '%s' found", text, expected, found.length ? found.bytes : "");
  ew_text_release(&found);
}

static const char *open_name(unsigned open) {
  static const char *const names[] = {
#define OPEN(name, words) #name,
#define FAILURE(name, words)
#include "lang/cypher/determinism.def"
#undef OPEN
#undef FAILURE
  };
  return names[open];
}

static const char *failure_name(unsigned failure) {
  static const char *const names[] = {
#define OPEN(name, words)
#define FAILURE(name, words) #name,
#include "lang/cypher/determinism.def"
#undef OPEN
#undef FAILURE
  };
  return names[failure];
}

static void test_answers(void **state) {
  enum { OPEN = EW_ANSWER_OPEN, BAG = EW_ANSWER_BAG, ORDER = EW_ANSWER_ORDER };
  static const struct {
    int answer;
    const char *open, *query;
  } cases[] = {
      {BAG, "", "MATCH (n) RETURN n.x AS x"},
      {BAG, "", "MATCH (n) RETURN n ORDER BY id(n), n"}, /* that n is a node is not looked up */
      {ORDER, "", "MATCH (n) RETURN id(n) AS i, n.x IS NULL AS b ORDER BY id(n), b"},
      {ORDER, "", "MATCH (n) RETURN toString(n.x) AS s ORDER BY s DESC"},
      {BAG, "", "MATCH (n) RETURN n, toString(n.x) AS s ORDER BY s"}, /* ties in any order */
      {BAG, "", "MATCH (n) RETURN n.x AS x ORDER BY x"},              /* 1 and 1.0 tie */
      {ORDER, "", "MATCH (n) RETURN count(*) AS c"},
      {ORDER, "", "MATCH (n) RETURN count(*) AS c LIMIT 1"},
      {OPEN, "CUT", "MATCH (n) RETURN n LIMIT 1"},
      {OPEN, "CUT", "MATCH (n) RETURN n SKIP 1"},
      {OPEN, "CUT", "MATCH (n) RETURN n, n.x AS x ORDER BY x LIMIT 1"},
      {ORDER, "", "MATCH (n) RETURN id(n) AS i ORDER BY i LIMIT 1"},
      {OPEN, "CUT", "MATCH (n) RETURN labels(n) AS l ORDER BY l LIMIT 1"},
      {OPEN, "CUT", "MATCH (n) WITH n LIMIT 1 RETURN 1 AS a"},
      {OPEN, "CUT", "MATCH (n) RETURN * ORDER BY n LIMIT 1"},
      {OPEN, "COLLECT", "MATCH (n) RETURN collect(n.x) AS l"},
      {ORDER, "", "MATCH (n) RETURN size(collect(n.x)) AS l"},
      {OPEN, "COLLECT", "MATCH (n) RETURN [(n)-->(m) | m.x] AS l"},
      {OPEN, "COLLECT", "RETURN COLLECT { MATCH (n) RETURN n.x AS x } AS l"},
      {OPEN, "FLOAT_SUM", "MATCH (n) RETURN sum(n.x) AS s"},
      {OPEN, "FLOAT_SUM", "MATCH (n) RETURN avg(n.x) AS s"},
      {ORDER, "", "MATCH (n) RETURN sum(size(n.x)) AS s, max(n.x) AS m"},
      {OPEN, "REPRESENTATIVE", "MATCH (n) RETURN DISTINCT n.x AS x"},
      {BAG, "", "MATCH (n) RETURN DISTINCT n"},
      {OPEN, "SHORTEST", "MATCH p = shortestPath((a)-[*]-(b)) RETURN p"},
      {OPEN, "SHORTEST", "MATCH p = ANY SHORTEST (a)-[]->+(b) RETURN p"},
      {BAG, "", "MATCH p = allShortestPaths((a)-[*]-(b)) RETURN p"},
      {OPEN, "CHANCE", "RETURN rand() AS r"},
      {OPEN, "CLOCK", "RETURN date() AS d"},
      {BAG, "", "RETURN date('2024-02-29') AS d"},
      {OPEN, "UNKNOWN", "RETURN my.own(1) AS d"},
      {OPEN, "OUTSIDE", "CALL db.labels() YIELD label RETURN label"},
      {OPEN, "OUTSIDE", "LOAD CSV FROM 'a' AS row RETURN row"},
      {OPEN, "OUTSIDE", "MATCH (n) CALL (n) { DETACH DELETE n } IN TRANSACTIONS"},
      {BAG, "", "CREATE (:A {x: 1})"},
      {BAG, "", "MATCH (n) SET n.x = 1"},
      {OPEN, "WRITE_ORDER", "MATCH (a)--(b) SET a.x = b.x"},
      {OPEN, "WRITE_ORDER", "UNWIND [1, 2] AS x MERGE (:A {x: x})"},
      {BAG, "", "MERGE (n:A {x: 1}) RETURN n"},
      {BAG, "", "MATCH (n) DETACH DELETE n"},
      {BAG, "", "RETURN 1 AS a UNION RETURN 2 AS a"},
      {OPEN, "", "EXPLAIN MATCH (n) RETURN n"},
      {OPEN, "CUT; COLLECT; CHANCE", "MATCH (n) WITH n LIMIT 1 RETURN collect(n) AS l, rand() AS r"},
  };
  (void)state;
  for (size_t i = 0; i < EW_COUNT(cases); i++) {
    struct ew_cypher_determinism found = determinism_of(cases[i].query);
    expect_words(cases[i].query, found.open, open_name, EW_OPENS, cases[i].open);
    if ((int)found.answer != cases[i].answer) fail_msg("%s: %d", cases[i].query, found.answer);
  }
}

static void test_failures(void **state) {
  static const struct {
    const char *failures, *query;
  } cases[] = {
      {"", "MATCH (n) WHERE n.x = 1 AND n.y IS NULL RETURN n.x AS x"},
      {"", "RETURN 'a' STARTS WITH 'b' AS c, 1 < 2 <= 3 AS d"},
      {"OVERFLOW", "RETURN 1 + 2 AS c"},
      {"", "RETURN 1.5 * 2 AS c"},
      {"OVERFLOW", "RETURN 7 / 2 AS c"},
      {"OVERFLOW; DIVISION", "RETURN 1 / (1 - 1) AS c"},
      {"OVERFLOW; DIVISION; TYPE", "MATCH (n) RETURN n.x % n.y AS c"},
      {"TYPE", "MATCH (n) WHERE n.x OR n.y RETURN n"},
      {"TYPE", "MATCH (n) RETURN 1 IN n.x AS c"},
      {"", "RETURN 1 IN [1, 2] AS c"},
      {"REGEX", "MATCH (n) RETURN n.x =~ 'a' AS c"},
      {"TYPE", "MATCH (n) RETURN toUpper(n.x) AS c"},
      {"", "MATCH (n) RETURN toUpper('a') AS c, coalesce(n.x) AS d"},
      {"TYPE; ARGUMENT", "MATCH (n) RETURN substring(n.x, -1) AS c"},
      {"TYPE; ARGUMENT", "RETURN date('no') AS d"},
      {"TYPE", "MATCH (n) RETURN n.x.y AS c"},
      {"TYPE; AMOUNT; PARAMETER", "MATCH (n) RETURN n LIMIT $p"},
      {"PROPERTY", "CREATE ({x: 1})"},
      {"CONNECTED; DELETED", "MATCH (n) DELETE n"},
      {"DELETED", "MATCH (n) DETACH DELETE n"},
      {"OUTSIDE", "CALL db.labels()"},
      {"OVERFLOW; TYPE", "MATCH (n) RETURN -n.x AS c"},
  };
  (void)state;
  for (size_t i = 0; i < EW_COUNT(cases); i++)
    expect_words(cases[i].query, determinism_of(cases[i].query).failures, failure_name, EW_FAILURES, cases[i].failures);
}

static void test_writes(void **state) {
  (void)state;
  assert_true(determinism_of("CREATE (n)").writes);
  assert_true(determinism_of("FOREACH (x IN [1] | CREATE (:A))").writes);
  assert_false(determinism_of("MATCH (n) RETURN n").writes);
  for (unsigned i = 0; i < EW_OPENS; i++) assert_true(strlen(ew_cypher_open_words(i)) > 5);
  for (unsigned i = 0; i < EW_FAILURES; i++) assert_true(strlen(ew_cypher_failure_words(i)) > 5);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_answers),
      cmocka_unit_test(test_failures),
      cmocka_unit_test(test_writes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
