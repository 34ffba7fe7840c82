/* test_cypher_print.c: what the printer writes, line by line; that random trees read back is in test_cypher_roundtrip.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/file.h"
#include "lang/cypher/parser.h"
#include "lang/cypher/print.h"

static void golden(void **state) {
  struct ew_text file = {0}, printed = {0};
  struct ew_arena arena;
  size_t lines = 0;
  (void)state;
  assert_int_equal(ew_file_read("tests/golden/cypher-print.txt", 1 << 20, &file, NULL), EW_OK);
  ew_arena_init(&arena);
  for (const char *line = file.bytes, *end; (end = strchr(line, '\n')); line = end + 1) {
    struct ew_span text = {line, (size_t)(end - line)};
    struct ew_builder builder = {&arena, 1};
    const struct ew_node *tree, *again;
    if (!text.length || *line == '#') continue;
    if (ew_cypher_parse(&builder, text, &tree, NULL) != EW_OK) fail_msg("cannot read %.*s", EW_SPAN_ARGS(text));
    ew_text_reset(&printed);
    ew_cypher_print(&printed, tree, NULL);
    assert_string_equal(printed.bytes, ew_arena_string(&arena, text));
    assert_int_equal(ew_cypher_parse(&builder, ew_text_span(&printed), &again, NULL), EW_OK);
    assert_true(ew_tree_equal(tree, again));
    lines++;
    ew_arena_reset(&arena);
  }
  assert_true(lines > 100);
  ew_arena_release(&arena);
  ew_text_release(&file);
  ew_text_release(&printed);
}

/* What no text gives: numbers without a literal, data and schema, and parts of a tree. */
static void parts(void **state) {
  struct ew_text text = {0};
  struct ew_arena arena;
  (void)state;
  ew_arena_init(&arena);
  struct ew_builder builder = {&arena, 1};
  const struct ew_node *one = CYPHER(&builder, literal, .value.value = ew_literal_of(&builder, ew_integer(1)));
  const struct ew_node *entry = CYPHER(&builder, entry, .key.name = EW_SPAN("x"), .value.node = one);
  struct ew_list entries = ew_list_of(&builder, &entry, 1);
  struct ew_span labels[] = {EW_SPAN("A"), EW_SPAN("B")};
  const struct ew_node *nodes[] = {
      CYPHER(&builder, graph_node, .name.name = EW_SPAN("n0"), .labels.names = ew_names_of(&builder, labels, 2),
             .properties.list = entries),
      CYPHER(&builder, graph_node, .name.name = EW_SPAN("n1")),
  };
  const struct ew_node *relationship = CYPHER(&builder, graph_relationship, .start.name = EW_SPAN("n0"),
                                              .end.name = EW_SPAN("n1"), .type.name = EW_SPAN("R"));
  const struct ew_node *graph = CYPHER(&builder, graph, .nodes.list = ew_list_of(&builder, nodes, 2),
                                       .relationships.list = ew_list_of(&builder, &relationship, 1));
  ew_cypher_print(&text, graph, NULL);
  assert_string_equal(text.bytes, "(n0:A:B {x: 1}), (n1), (n0)-[:R]->(n1)");
  ew_text_reset(&text);
  ew_cypher_print(&text, entry, NULL);
  assert_string_equal(text.bytes, "x: 1");
  const struct ew_node *property =
      CYPHER(&builder, schema_property, .name.name = EW_SPAN("x"), .type.name = EW_SPAN("INTEGER"));
  const struct ew_node *label = CYPHER(&builder, schema_element, .name.name = EW_SPAN("A"),
                                       .properties.list = ew_list_of(&builder, &property, 1));
  ew_text_reset(&text);
  ew_cypher_print(&text, CYPHER(&builder, schema, .labels.list = ew_list_of(&builder, &label, 1)), NULL);
  assert_string_equal(text.bytes, "labels A {x INTEGER}; types ");
  ew_arena_release(&arena);
  ew_text_release(&text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(golden),
      cmocka_unit_test(parts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
