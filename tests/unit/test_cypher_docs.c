/* test_cypher_docs.c: docs/cypher.md is what the tables say, and every example in it is what it claims to be. The page
   is written anew where EW_WRITE_GOLDEN is set. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/file.h"
#include "lang/cypher/features.h"
#include "lang/cypher/parser.h"
#include "lang/cypher/print.h"
#include "lang/cypher/scope.h"

#define PAGE "docs/cypher.md"

static const struct example {
  const char *group, *name, *text;
} examples[] = {
#define EXAMPLE(group, name, text) {#group, name, text},
#include "lang/cypher/example.def"
#undef EXAMPLE
};

static const struct example *example_of(const struct ew_cypher_feature *feature) {
  for (size_t i = 0; i < EW_COUNT(examples); i++)
    if (strcmp(examples[i].group, feature->group) == 0 && strcmp(examples[i].name, feature->name) == 0)
      return &examples[i];
  return NULL;
}

/* ---- examples ---- */

struct looking {
  const char *group, *name;
  bool found;
};

static bool look(void *context, const struct ew_cypher_feature *feature, struct ew_span member,
                 const struct ew_node *node) {
  struct looking *looking = context;
  (void)member;
  (void)node;
  if (strcmp(feature->group, looking->group) == 0 && strcmp(feature->name, looking->name) == 0) looking->found = true;
  return !looking->found;
}

/* Parses, prints, and gives the same tree again. */
static const struct ew_node *read_back(struct ew_builder *builder, const char *text) {
  struct ew_cypher_syntax_error error;
  struct ew_text printed = {0};
  const struct ew_node *tree, *again;
  if (ew_cypher_parse(builder, ew_span_of(text), &tree, &error)) fail_msg("%s: %s", text, error.message);
  ew_cypher_print(&printed, tree, NULL);
  if (ew_cypher_parse(builder, ew_text_span(&printed), &again, &error))
    fail_msg("%s: %s", printed.bytes, error.message);
  assert_true(ew_tree_equal(tree, again));
  ew_text_release(&printed);
  return tree;
}

static void test_examples_are_what_they_claim(void **state) {
  struct ew_arena arena;
  (void)state;
  ew_arena_init(&arena);
  for (size_t i = 0; i < EW_COUNT(examples); i++) {
    struct ew_builder builder = {&arena, 1};
    struct looking looking = {.group = examples[i].group, .name = examples[i].name};
    ew_cypher_walk_features(read_back(&builder, examples[i].text), look, &looking);
    if (!looking.found) fail_msg("no %s in: %s", examples[i].name, examples[i].text);
    ew_arena_reset(&arena);
  }
  ew_arena_release(&arena);
}

/* What stands behind TYPE is not the text of a statement: data, schema, scripts; `[:A:B]` is read as a label expression that no engine takes. */
static bool needs_example(const struct ew_cypher_feature *feature) {
  unsigned class = cypher_kinds[feature->kind].class;
  return feature->sort != EW_FEATURE_FAMILY && class <= CYPHER_CLASS_TYPE &&
         strcmp(feature->name, "several_types") != 0;
}

static void expect_examples(const struct ew_cypher_feature *rows, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (needs_example(&rows[i]) && !example_of(&rows[i])) fail_msg("no example of %s", rows[i].name);
}

static void test_everything_has_an_example(void **state) {
  (void)state;
  expect_examples(ew_cypher_feature_rows, ew_cypher_feature_count);
  expect_examples(ew_cypher_type_feature_rows, ew_cypher_type_feature_count);
}

/* ---- the page ---- */

/* A bar would end the cell. */
static void add_code(struct ew_text *page, struct ew_span text) {
  ew_text_add_char(page, '`');
  for (size_t i = 0; i < text.length; i++) {
    if (text.bytes[i] == '|') ew_text_add_char(page, '\\');
    ew_text_add_char(page, text.bytes[i]);
  }
  ew_text_add_char(page, '`');
}

static void add_row(struct ew_text *page, const char *name, const char *text) {
  ew_text_add_format(page, "| %s | ", name);
  add_code(page, ew_span_of(text));
  ew_text_add_string(page, " |\n");
}

static void add_group(struct ew_text *page, const char *group, const char *title, const char *words) {
  ew_text_add_format(page, "\n## %s\n\n%s\n\n| name | example |\n|---|---|\n", title, words);
  for (size_t i = 0; i < EW_COUNT(examples); i++)
    if (strcmp(examples[i].group, group) == 0) add_row(page, examples[i].name, examples[i].text);
}

static void add_operators(struct ew_text *page) {
  ew_text_add_string(page, "\n## Operators\n\nIn a profile, by their spelling.\n\n| operator | example |\n|---|---|\n");
  for (size_t i = 0; cypher_unary_operator_text[i]; i++) {
    struct ew_text text = {0};
    ew_text_add_format(&text, "RETURN %s %s AS x", cypher_unary_operator_text[i], i == CYPHER_NOT ? "true" : "(1)");
    add_row(page, cypher_unary_operator_text[i], text.bytes);
    ew_text_release(&text);
  }
  for (size_t i = 0; cypher_operator_text[i]; i++) {
    const char *operand = i <= CYPHER_AND ? "true" : i >= CYPHER_MATCHES && i <= CYPHER_CONTAINS ? "'a'" : "1";
    struct ew_text text = {0};
    ew_text_add_format(&text, "RETURN %s %s %s AS x", i == CYPHER_CONCATENATE ? "'a'" : operand,
                       cypher_operator_text[i],
                       i == CYPHER_IN            ? "['a', 'b']"
                       : i == CYPHER_CONCATENATE ? "'b'"
                                                 : operand);
    add_row(page, strcmp(cypher_operator_text[i], "||") ? cypher_operator_text[i] : "\\|\\|", text.bytes);
    ew_text_release(&text);
  }
}

/* Something of the types that a function takes first. */
static const char *argument_of(uint32_t types) {
  static const struct {
    uint32_t type;
    const char *text;
  } arguments[] = {
      {EW_TYPE_INTEGER, "1"},
      {EW_TYPE_STRING, "'a'"},
      {EW_TYPE_LIST, "[1, 2]"},
      {EW_TYPE_NODE, "n"},
      {EW_TYPE_RELATIONSHIP, "r"},
      {EW_TYPE_PATH, "p"},
      {EW_TYPE_MAP, "{x: 1, y: 2}"},
      {EW_TYPE_TEMPORAL, "date('2024-02-29')"},
      {EW_TYPE_POINT, "point({x: 1, y: 2})"},
      {EW_TYPE_DURATION, "duration('P1D')"},
      {EW_TYPE_FLOAT, "1.5"},
      {EW_TYPE_BOOLEAN, "true"},
  };
  for (size_t i = 0; i < EW_COUNT(arguments); i++)
    if (types & arguments[i].type) return arguments[i].text;
  return "null";
}

static const char *const functions[] = {
#define FUNCTION(name, ...) name,
#include "lang/cypher/functions.def"
#undef FUNCTION
};

static void add_functions(struct ew_text *page) {
  struct ew_arena arena;
  ew_arena_init(&arena);
  ew_text_add_string(
      page,
      "\n## Functions\n\nNames mean the same in any case. `fewest–most` is how many arguments there may be.\n\n"
      "| function | arguments | example |\n|---|---|---|\n");
  for (size_t i = 0; i < EW_COUNT(functions); i++) {
    const struct ew_cypher_function *function = ew_cypher_function_find(ew_span_of(functions[i]));
    struct ew_text text = {0};
    assert_non_null(function);
    ew_text_add_format(&text, "MATCH p = (n)-[r]->() RETURN %s(", functions[i]);
    for (unsigned k = 0; k < function->least; k++)
      ew_text_add_format(&text, "%s%s", k ? ", " : "", argument_of(k ? EW_TYPE_ANY : function->first));
    ew_text_add_string(&text, ") AS x");
    struct ew_builder builder = {&arena, 1};
    read_back(&builder, text.bytes);
    size_t skipped =
        function->first & (EW_TYPE_NODE | EW_TYPE_RELATIONSHIP | EW_TYPE_PATH) && function->first != EW_TYPE_ANY
            ? 0
            : strlen("MATCH p = (n)-[r]->() ");
    ew_text_add_format(page, "| %s | %u–%u | ", functions[i], function->least, function->most);
    add_code(page, (struct ew_span){text.bytes + skipped, text.length - skipped});
    ew_text_add_string(page, function->traits & EW_FUNCTION_AGGREGATE ? " (aggregate) |\n" : " |\n");
    ew_text_release(&text);
    ew_arena_reset(&arena);
  }
  ew_arena_release(&arena);
}

static void add_types(struct ew_text *page) {
  ew_text_add_string(page,
                     "\n## Types\n\nIn profiles with `_` for a blank; `LIST<…>` and unions of them where a type is "
                     "tested.\n\n");
#define TYPE(name) ew_text_add_string(page, "`" #name "` ");
#define SYNONYM(name, other)
#include "lang/cypher/types.def"
#undef TYPE
#undef SYNONYM
  ew_text_cut(page, page->length - 1);
  ew_text_add_char(page, '\n');
}

static void write_page(struct ew_text *page) {
  ew_text_add_string(
      page,
      "# Cypher as Edgewise reads and writes it\n\n"
      "Every construct with an example. The names are those that profiles list in their `[has]` section, group by "
      "group\n(`engines/NAME/profile.ini`); `edgewise explain ENGINE` shows what an engine has. This page is made from "
      "the tables in\n`src/lang/cypher` by `tests/unit/test_cypher_docs.c`, which also checks every example.\n");
  add_group(page, "clauses", "Clauses", "Group `clauses`.");
  add_group(page, "patterns", "Patterns", "Group `patterns`.");
  add_group(page, "expressions", "Expressions", "Group `expressions`.");
  add_operators(page);
  add_functions(page);
  add_types(page);
  add_group(page, "schema", "Commands on the schema", "Group `schema`.");
  add_group(page, "types", "Kinds of types", "Group `types`, besides the names of types.");
  add_group(page, "basic", "What every dialect has", "Parts of the others; no profile lists them.");
}

static void test_page(void **state) {
  struct ew_text page = {0}, file = {0};
  (void)state;
  write_page(&page);
  if (getenv("EW_WRITE_GOLDEN")) assert_int_equal(ew_file_replace(PAGE, ew_text_span(&page), NULL), EW_OK);
  assert_int_equal(ew_file_read(PAGE, 1 << 20, &file, NULL), EW_OK);
  if (strcmp(file.bytes, page.bytes) != 0) fail_msg(PAGE " is old; run this test with EW_WRITE_GOLDEN=1");
  ew_text_release(&page);
  ew_text_release(&file);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_examples_are_what_they_claim),
      cmocka_unit_test(test_everything_has_an_example),
      cmocka_unit_test(test_page),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
