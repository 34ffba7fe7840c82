/* fuzz_parse.c: any bytes into the Cypher parser. What it takes must print to text that reads back the same, and
   everything that is said about trees must survive it. */
#include <stdint.h>

#include "lang/cypher/cypher.h"
#include "lang/cypher/determinism.h"
#include "lang/cypher/parser.h"
#include "lang/cypher/print.h"
#include "lang/cypher/scope.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static void ignore(void *context, const char *feature) {
  (void)context;
  (void)feature;
}

static const struct ew_node *print_and_parse(struct ew_builder *builder, const struct ew_node *tree) {
  struct ew_text text = {0};
  const struct ew_node *again;
  ew_cypher_print(&text, tree, NULL);
  if (ew_cypher_parse(builder, ew_text_span(&text), &again, NULL)) EW_BUG("not read: %s", text.bytes);
  ew_text_release(&text);
  return again;
}

/* NaN and the infinities print as divisions: the first round may change a tree, the second must not. */
static void expect_same(struct ew_builder *builder, const struct ew_node *tree) {
  const struct ew_node *again = print_and_parse(builder, tree);
  if (!ew_tree_equal(tree, again) && !ew_tree_equal(again, print_and_parse(builder, again)))
    EW_BUG("a statement changes each time it is printed and read");
}

static void look_at(struct ew_builder *builder, const struct ew_node *tree) {
  struct ew_cypher_problem problem;
  struct ew_text text = {0};
  expect_same(builder, tree);
  ew_cypher_analyze(tree, &problem);
  ew_cypher_determinism(tree);
  ew_cypher_features(tree, ignore, NULL);
  ew_cypher_dependencies(tree);
  ew_cypher_shape(&text, tree);
  ew_text_release(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length) {
  struct ew_span source = {(const char *)bytes, length};
  struct ew_cypher_syntax_error error;
  struct ew_cypher_script script;
  struct ew_arena arena;
  struct ew_text text = {0};
  const struct ew_node *tree;
  ew_arena_init(&arena);
  struct ew_builder builder = {&arena, 1};
  if (ew_cypher_parse_script(&builder, source, &script, &error) == EW_OK)
    for (size_t i = 0; i < script.count; i++) look_at(&builder, script.items[i].statement);
  else
    ew_cypher_syntax_error_print(&text, &error);
  if (ew_cypher_parse_expression(&builder, source, &tree, &error) == EW_OK) ew_cypher_print(&text, tree, NULL);
  ew_text_release(&text);
  ew_arena_release(&arena);
  return 0;
}
