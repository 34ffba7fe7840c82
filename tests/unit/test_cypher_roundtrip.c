/* test_cypher_roundtrip.c: random trees over every kind of node.def → text → tree, which must be equal. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "generate/cypher_random.h"
#include "lang/cypher/parser.h"
#include "lang/cypher/print.h"

enum { TREES = 20000, NODES = 60 /* of a tree, about */ };

static bool seen[256]; /* kinds that were made */

static enum ew_walk note_kind(const struct ew_node *node, struct ew_place place, void *context) {
  (void)place;
  (void)context;
  seen[node->kind->code] = true;
  return EW_WALK_ON;
}

static void check_tree(struct ew_builder *builder, uint64_t number) {
  struct ew_text text = {0}, again = {0};
  struct ew_cypher_syntax_error error;
  struct ew_random random = ew_random_from(number);
  const struct ew_node *tree = ew_cypher_random_statement(builder, &random, NODES), *read;
  ew_tree_walk(tree, note_kind, NULL);
  ew_cypher_print(&text, tree, NULL);
  bool parsed = ew_cypher_parse(builder, ew_text_span(&text), &read, &error) == EW_OK;
  if (!parsed || !ew_tree_equal(tree, read)) {
    if (parsed)
      ew_cypher_print(&again, read, NULL);
    else
      ew_cypher_syntax_error_print(&again, &error);
    print_error("tree %llu, %s:\n%s\n%s\n", (unsigned long long)number, parsed ? "differs" : "is not read", again.bytes,
                text.bytes);
    fail();
  }
  ew_text_release(&text);
  ew_text_release(&again);
}

static void test_random_trees(void **state) {
  struct ew_arena arena;
  (void)state;
  ew_arena_init(&arena);
  for (uint64_t number = 1; number <= TREES; number++) {
    struct ew_builder builder = {&arena, 1};
    check_tree(&builder, number);
    ew_arena_reset(&arena);
  }
  ew_arena_release(&arena);
  for (size_t i = 0; i < cypher_table.count; i++) {
    bool data = cypher_kinds[i].class > CYPHER_CLASS_TYPE; /* graphs and schemas are no queries */
    if (!data && !seen[i]) fail_msg("no tree has a %s", cypher_kinds[i].name);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_trees)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
