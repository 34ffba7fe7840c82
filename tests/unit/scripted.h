/* scripted.h: profiles of the scripted engine and cases in Cypher, for the tests of src/hunt and src/contract. */
#ifndef EW_TEST_SCRIPTED_H
#define EW_TEST_SCRIPTED_H

#include "contract/profile.h"
#include "lang/cypher/cypher.h"
#include "lang/cypher/parser.h"

/* A profile whose [settings] are `rules`, lines of "when.NAME = PATTERN => COMMAND\n" (engine/scripted.c). */
#define SCRIPTED(rules)                                                                                             \
  "[engine]\nname = scripted\nlanguage = cypher\nadapter = scripted\ndefault_version = 1\n"                         \
  "[has]\nclauses = match, optional_match, where, with, unwind, return, order_by, limit, distinct, union, create\n" \
  "patterns = node, relationship, undirected, variable_length, property_map, several_labels\n"                      \
  "expressions = literal, list, property, list_comprehension, case, is_null\n"                                      \
  "types = INTEGER, FLOAT, STRING, BOOLEAN, LIST\n"                                                                 \
  "operators = AND, OR, XOR, NOT, =, <>, <, <=, >, >=, +, -, *, IN, STARTS WITH, CONTAINS\n"                        \
  "[functions]\nabs = (NUMBER) -> NUMBER\ntoUpper = (STRING) -> STRING\ncount = (ANY) -> INTEGER\n"                 \
  "[errors]\nrefused.told = refused*\nexpected.told = expected*\n"                                                  \
  "[settings]\n" rules "otherwise = ROWS []\n"

static inline const struct ew_node *parse_cypher(struct ew_arena *arena, const char *text) {
  struct ew_builder builder = {arena, 1};
  struct ew_cypher_syntax_error error;
  const struct ew_node *tree = NULL;
  if (ew_cypher_parse(&builder, ew_span_of(text), &tree, &error)) fail_msg("%s: %s", text, error.message);
  return tree;
}

/* A case with one statement in its scene; `predicate`, for the oracle `partition`, may be NULL. */
static inline struct ew_case cypher_case(struct ew_arena *arena, const char *scene, const char *base,
                                         const char *predicate) {
  struct ew_builder builder = {arena, 1};
  const struct ew_node *statement = parse_cypher(arena, scene), *tree;
  struct ew_case test = {.key = {.generator = 1, .seed = 7, .number = 3, .shape = 99}, .language = &ew_cypher};
  test.scene.statements = ew_list_of(&builder, &statement, 1);
  test.base = parse_cypher(arena, base);
  if (!predicate) return test;
  if (ew_cypher_parse_expression(&builder, ew_span_of(predicate), &tree, NULL)) fail_msg("%s", predicate);
  test.recipe.trees = ew_list_of(&builder, &tree, 1);
  return test;
}

#endif
