/* test_cypher_parse.c: what the parser reads, what it says about what it cannot read, and that nothing makes it crash
   or hang. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

#include "base/allocate.h"
#include "base/random.h"
#include "lang/cypher/lexer.h"
#include "lang/cypher/parser.h"
#include "lang/cypher/print.h"

static struct ew_arena arena;
static struct ew_builder builder;

static int begin(void **state) {
  (void)state;
  ew_arena_init(&arena);
  builder = ew_builder_for(&arena, NULL);
  return 0;
}

static int end(void **state) {
  (void)state;
  ew_arena_release(&arena);
  return 0;
}

struct example {
  const char *text, *printed;
};

static const struct example examples[] = {
#define SAME(text) {text, text},
#define READ(text, printed) {text, printed},
#include "cypher_texts.def"
#undef SAME
#undef READ
};

static const struct ew_node *parse(struct ew_span text) {
  const struct ew_node *tree = NULL;
  struct ew_cypher_syntax_error error;
  if (ew_cypher_parse(&builder, text, &tree, &error) != EW_OK) {
    struct ew_text message = {0};
    ew_cypher_syntax_error_print(&message, &error);
    print_error("%.*s\n%s", EW_SPAN_ARGS(text), message.bytes);
    ew_text_release(&message);
    fail();
  }
  return tree;
}

/* ---- reading ---- */

static void test_examples(void **state) {
  size_t wrong = 0;
  (void)state;
  for (size_t i = 0; i < EW_COUNT(examples); i++) {
    struct ew_text text = {0};
    const struct ew_node *tree = parse(ew_span_of(examples[i].text));
    ew_cypher_print(&text, tree, NULL);
    if (strcmp(text.bytes, examples[i].printed)) {
      print_error("%s\n  is printed as %s\n  and not as    %s\n", examples[i].text, text.bytes, examples[i].printed);
      wrong++;
    }
    assert_true(ew_tree_equal(tree, parse(ew_text_span(&text))));
    ew_text_release(&text);
    ew_arena_reset(&arena);
  }
  assert_int_equal(wrong, 0);
}

static void test_text_is_not_needed_later(void **state) {
  (void)state;
  char text[] = "MATCH (abc:`d e`) WHERE abc.f = 'ghi' RETURN $jkl";
  const struct ew_node *tree = parse(ew_span_of(text));
  memset(text, '#', sizeof text - 1);
  struct ew_text printed = {0};
  ew_cypher_print(&printed, tree, NULL);
  assert_string_equal(printed.bytes, "MATCH (abc:`d e`) WHERE abc.f = 'ghi' RETURN $jkl");
  ew_text_release(&printed);
}

static void test_expression(void **state) {
  (void)state;
  const struct ew_node *tree;
  assert_int_equal(ew_cypher_parse_expression(&builder, EW_SPAN(" 1 + x "), &tree, NULL), EW_OK);
  assert_true(cypher_is(tree, CYPHER_binary));
  assert_int_equal(ew_cypher_parse_expression(&builder, EW_SPAN("1 RETURN"), &tree, NULL), EW_BAD);
  assert_int_equal(ew_cypher_parse_expression(&builder, EW_SPAN("-(5)"), &tree, NULL), EW_OK);
  assert_true(cypher_is(tree, CYPHER_unary));
  assert_int_equal(ew_cypher_parse_expression(&builder, EW_SPAN("- 5"), &tree, NULL), EW_OK);
  assert_true(cypher_is(tree, CYPHER_literal));
  assert_int_equal(ew_cypher_parse_expression(&builder, EW_SPAN("NaN"), &tree, NULL), EW_OK);
  assert_true(cypher_is(tree, CYPHER_literal));
}

static void test_script(void **state) {
  (void)state;
  struct ew_cypher_script script;
  struct ew_cypher_syntax_error error;
  struct ew_span text = EW_SPAN("// first\nRETURN 1; ;\n\n  RETURN ';' AS x // ;\n;RETURN 3");
  assert_int_equal(ew_cypher_parse_script(&builder, text, &script, &error), EW_OK);
  assert_int_equal(script.count, 3);
  assert_int_equal(script.items[0].line, 2);
  assert_int_equal(script.items[0].offset, 9);
  assert_int_equal(script.items[0].length, 8);
  assert_int_equal(script.items[1].line, 4);
  assert_memory_equal(text.bytes + script.items[1].offset, "RETURN ';' AS x", script.items[1].length);
  assert_int_equal(script.items[2].line, 5);
  assert_int_equal(ew_cypher_parse_script(&builder, EW_SPAN("RETURN 1;\nRETURN 2;\n RETURN +"), &script, &error),
                   EW_BAD);
  assert_int_equal(error.line, 3);
  assert_int_equal(error.column, 10);
  assert_int_equal(script.count, 0);
  assert_int_equal(ew_cypher_parse_script(&builder, EW_SPAN(" /* nothing */ ; "), &script, &error), EW_OK);
  assert_int_equal(script.count, 0);
}

/* ---- errors ---- */

static const struct {
  const char *text;
  size_t line, column;
  const char *detail, *message;
} mistakes[] = {
    {"", 1, 1, "UnexpectedSyntax", "found the end of the text, expected CYPHER, EXPLAIN, PROFILE or a clause"},
    {"MATCH (n) RETURN", 1, 17, "UnexpectedSyntax", "expected DISTINCT, '*' or an expression"},
    {"MATCH (n)\nWHERE )\nRETURN n", 2, 7, "UnexpectedSyntax", "found ')', expected an expression"},
    {"MATCH (n RETURN n", 1, 10, "UnexpectedSyntax", "found 'RETURN', expected ':', IS, '{', WHERE or ')'"},
    {"MATCH n RETURN n", 1, 7, "UnexpectedSyntax", "a pattern"},
    {"RETURN 1 2", 1, 10, "UnexpectedSyntax", "found '2'"},
    {"RETURN 'abc", 1, 8, "UnexpectedSyntax", "a string has no end"},
    {"RETURN `abc", 1, 8, "UnexpectedSyntax", "a name in backticks has no end"},
    {"RETURN 1 /* x", 1, 10, "UnexpectedSyntax", "a comment has no end"},
    {"RETURN 1; RETURN 2", 1, 11, "UnexpectedSyntax", "more text"},
    {"RETURN '\303\251' + ", 1, 14, "UnexpectedSyntax", "an expression"},
    {"RETURN 42 \342\200\224 41", 1, 11, "InvalidUnicodeCharacter", "strings"},
    {"RETURN \377", 1, 8, "InvalidUnicodeCharacter", "strings"},
    {"RETURN '\\uH'", 1, 9, "InvalidUnicodeLiteral", "Unicode"},
    {"RETURN '\\U00110000'", 1, 9, "InvalidUnicodeLiteral", "Unicode"},
    {"RETURN '\\uD83D'", 1, 9, "InvalidUnicodeLiteral", "Unicode"},
    {"RETURN '\\uD83D\\u0041'", 1, 9, "InvalidUnicodeLiteral", "Unicode"},
    {"RETURN 'a\\q'", 1, 10, "UnexpectedSyntax", "escape"},
    {"RETURN 9223372036854775808", 1, 8, "IntegerOverflow", "64 bits"},
    {"RETURN -9223372036854775809", 1, 9, "IntegerOverflow", "64 bits"},
    {"RETURN -(9223372036854775808)", 1, 10, "IntegerOverflow", "64 bits"},
    {"RETURN 0x8000000000000000", 1, 8, "IntegerOverflow", "64 bits"},
    {"RETURN 0x", 1, 8, "InvalidNumberLiteral", "number"},
    {"RETURN 0x1G", 1, 8, "InvalidNumberLiteral", "number"},
    {"RETURN 0o8", 1, 8, "InvalidNumberLiteral", "number"},
    {"RETURN 12ab", 1, 8, "InvalidNumberLiteral", "number"},
    {"RETURN 1e", 1, 8, "InvalidNumberLiteral", "number"},
    {"RETURN 1_", 1, 8, "InvalidNumberLiteral", "number"},
    {"RETURN 1.5x", 1, 8, "InvalidNumberLiteral", "number"},
    {"RETURN 1.34E999", 1, 8, "FloatingPointOverflow", "large"},
    {"RETURN {1a: 2}", 1, 9, "UnexpectedSyntax", "a key"},
    {"RETURN {a#b: 2}", 1, 10, "UnexpectedSyntax", "no token"},
    {"MATCH ()-[:T..]-() RETURN 1", 1, 13, "InvalidRelationshipPattern", "length"},
    {"MATCH ()-[*-2]-() RETURN 1", 1, 12, "InvalidRelationshipPattern", "length"},
    {"MATCH ()-[*2]-+() RETURN 1", 1, 15, "InvalidRelationshipPattern", "one length"},
    {"MATCH ()-[*99999999999999999999]-() RETURN 1", 1, 12, "IntegerOverflow", "64 bits"},
    {"RETURN a AS ``", 1, 13, "UnexpectedSyntax", "empty"},
    {"RETURN CASE END", 1, 13, "UnexpectedSyntax", "expected WHEN or an expression"},
    {"MATCH (n) SET n.p", 1, 18, "UnexpectedSyntax", "'='"},
    {"MATCH (n) SET 1 = 2", 1, 17, "UnexpectedSyntax", "found '='"},
    {"CREATE INDEX FOR (n:L)", 1, 23, "UnexpectedSyntax", "expected '-', '<' or ON"},
    {"DROP INDEX", 1, 11, "UnexpectedSyntax", "expected IF, ON or FOR"},
    {"RETURN [1, 2", 1, 13, "UnexpectedSyntax", "']'"},
    {"RETURN {k: {k: {}} AS x", 1, 20, "UnexpectedSyntax", "'}'"},
    {"FOREACH (x IN [1] | RETURN)", 1, 27, "UnexpectedSyntax", "an expression"},
    {"WITH a, WHERE b RETURN 1", 1, 9, "UnexpectedSyntax", "found 'WHERE'"},
};

static void test_mistakes(void **state) {
  (void)state;
  for (size_t i = 0; i < EW_COUNT(mistakes); i++) {
    const struct ew_node *tree = (const struct ew_node *)&arena;
    struct ew_cypher_syntax_error error;
    uint64_t next_id = builder.next_id;
    assert_int_equal(ew_cypher_parse(&builder, ew_span_of(mistakes[i].text), &tree, &error), EW_BAD);
    if (error.line != mistakes[i].line || error.column != mistakes[i].column ||
        strcmp(error.detail, mistakes[i].detail) || !strstr(error.message, mistakes[i].message))
      fail_msg("%s: line %zu, column %zu, %s: %s", mistakes[i].text, error.line, error.column, error.detail,
               error.message);
    assert_null(tree);
    assert_int_equal(builder.next_id, next_id);
    assert_int_equal(ew_cypher_parse(&builder, ew_span_of(mistakes[i].text), &tree, NULL), EW_BAD);
  }
}

static void test_error_text(void **state) {
  (void)state;
  struct ew_cypher_syntax_error error;
  struct ew_text text = {0};
  const struct ew_node *tree;
  assert_int_equal(ew_cypher_parse(&builder, EW_SPAN("RETURN 1,\n\t'\303\251' AS a,\n2"), &tree, &error), EW_OK);
  assert_int_equal(ew_cypher_parse(&builder, EW_SPAN("RETURN 1,\r\n\t'\303\251' AS\r\n"), &tree, &error), EW_BAD);
  assert_int_equal(ew_cypher_parse(&builder, EW_SPAN("RETURN 1,\r\n\t'\303\251' AS + 2\r\n"), &tree, &error), EW_BAD);
  ew_cypher_syntax_error_print(&text, &error);
  assert_string_equal(text.bytes,
                      "line 2, column 9: found '+', expected a name (UnexpectedSyntax)\n"
                      "   '\303\251' AS + 2\n"
                      "          ^\n");
  ew_text_release(&text);
}

/* Of a long line, the excerpt shows what is around the error. */
static void test_long_line(void **state) {
  (void)state;
  struct ew_cypher_syntax_error error;
  struct ew_text text = {0};
  const struct ew_node *tree;
  ew_text_add(&text, EW_SPAN("RETURN ["));
  for (int i = 0; i < 50000; i++) ew_text_add(&text, EW_SPAN("1,"));
  ew_text_add(&text, EW_SPAN("oops oops"));
  for (int i = 0; i < 50000; i++) ew_text_add(&text, EW_SPAN(",1"));
  assert_int_equal(ew_cypher_parse(&builder, ew_text_span(&text), &tree, &error), EW_BAD);
  assert_int_equal(error.column, 100014);
  assert_true(strlen(error.excerpt) <= EW_CYPHER_EXCERPT_MAX);
  assert_memory_equal(error.excerpt + error.caret, "oops,1", 6);
  ew_text_release(&text);
}

/* ---- bounds ---- */

struct nesting {
  const char *before, *open, *middle, *close;
  size_t fits; /* so many are read; 0 where it is no Cypher at all */
  const char *after;
};

/* `open` n times, `middle`, `close` n times, in a statement. */
static void nest(struct ew_text *text, const struct nesting *how, size_t n) {
  ew_text_reset(text);
  ew_text_add_string(text, how->before);
  for (size_t i = 0; i < n; i++) ew_text_add_string(text, how->open);
  ew_text_add_string(text, how->middle);
  for (size_t i = 0; i < n; i++) ew_text_add_string(text, how->close);
  if (how->after) ew_text_add_string(text, how->after);
}

static const struct nesting nestings[] = {
    {"RETURN ", "(", "a", ")", 150, NULL},
    {"RETURN ", "[", "a", "]", 150, NULL},
    {"RETURN ", "{a: ", "1", "}", 150, NULL},
    {"RETURN ", "NOT ", "a", "", 150, NULL},
    {"RETURN ", "- ", "a", "", 150, NULL},
    {"RETURN ", "f(", "a", ")", 150, NULL},
    {"RETURN ", "a[", "0", "]", 150, NULL},
    {"RETURN ", "1 + (", "0", ")", 150, NULL},
    {"RETURN ", "1 OR (1 XOR (1 AND (1 = (1 IN (1 + (1 * (1 ^ (", "0", "))))))))", 20, NULL},
    {"RETURN ", "CASE WHEN ", "a", " THEN 1 END", 150, NULL},
    {"RETURN ", "[x IN ", "a", " | x]", 150, NULL},
    {"RETURN ", "[x IN y WHERE ", "a", " | x]", 150, NULL},
    {"RETURN ", "[(a)-->(b) WHERE ", "a", " | x]", 150, NULL},
    {"RETURN ", "reduce(s = ", "0", ", x IN y | x)", 150, NULL},
    {"RETURN ", "all(x IN ", "y", " WHERE x)", 150, NULL},
    {"RETURN ", "EXISTS { MATCH (a) WHERE ", "b", " RETURN a }", 60, NULL},
    {"RETURN ", "EXISTS { (a WHERE ", "b", ") }", 60, NULL},
    {"RETURN ", "COUNT { RETURN 1 UNION RETURN ", "b", " }", 60, NULL},
    {"MATCH ", "(", "(a)", ")", 150, NULL},
    {"MATCH ", "(", "(a)-->(b)", "){2}", 150, NULL},
    {"MATCH (a:", "(", "A", ")", 150, ")"},
    {"MATCH (a:", "!", "A", "", 150, ")"},
    {"RETURN ", "a:$(", "a", ")", 150, NULL},
    {"RETURN a IS :: ", "LIST<", "INTEGER", ">", 150, NULL},
    {"", "CALL { ", "RETURN 1 AS x", " } RETURN 1 AS x", 150, NULL},
    {"", "CALL (x) { ", "RETURN 1 AS x", " UNION RETURN 1 AS x } RETURN 1 AS x", 150, NULL},
    {"", "FOREACH (x IN y | ", "CREATE (a)", ")", 90, NULL},
    {"RETURN ", "((a)-->(b {p: ", "1", "}))", 60, NULL},
    {"RETURN ", "((((a) - [", "1", "] - (b))))", 30, NULL},
    {"RETURN ", "(a", "", "", 0, NULL},
    {"RETURN ", "[(a", "", "", 0, NULL},
    {"RETURN ", "[x IN ", "", "", 0, NULL},
    {"RETURN ", "{", "", "", 0, NULL},
    {"MATCH ", "(a)-[", "", "", 0, NULL},
    {"RETURN ", "a.", "b(", "", 0, NULL},
    {"RETURN ", "((a)-[r]-(", "b", "", 0, NULL},
};

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* However deep: an answer, quickly. */
static void test_nesting(void **state) {
  (void)state;
  struct ew_text text = {0};
  for (size_t i = 0; i < EW_COUNT(nestings); i++) {
    const struct ew_node *tree;
    struct ew_cypher_syntax_error error;
    nest(&text, &nestings[i], nestings[i].fits);
    if (nestings[i].fits) parse(ew_text_span(&text));
    double start = now();
    nest(&text, &nestings[i], 50000);
    enum ew_status status = ew_cypher_parse(&builder, ew_text_span(&text), &tree, &error);
    if (status != EW_LIMIT && (status != EW_BAD || nestings[i].fits))
      fail_msg("%s: %s", nestings[i].open, error.message);
    if (status == EW_LIMIT) assert_string_equal(error.detail, "LimitExceeded");
    assert_true(now() - start < 5.0);
    ew_arena_reset(&arena);
  }
  ew_text_release(&text);
}

/* Only `open` is repeated. */
static const struct nesting chains[] = {
    {.before = "RETURN ", .open = "a OR ", .middle = "b"},
    {.before = "RETURN ", .open = "1 + ", .middle = "1"},
    {.before = "RETURN ", .open = "a IN ", .middle = "b"},
    {.before = "RETURN a", .open = ".b", .middle = ""},
    {.before = "RETURN a", .open = "[0]", .middle = ""},
    {.before = "RETURN a", .open = " IS NULL", .middle = ""},
    {.before = "RETURN n:", .open = "A|", .middle = "B"},
    {.before = "MATCH (n:", .open = "A&", .middle = "B)"},
    {.before = "RETURN ", .open = "(a) - ", .middle = "b"},
    {.before = "RETURN a", .open = ".b[0] + a", .middle = ""},
    {.before = "RETURN ", .open = "a ^ b OR ", .middle = "b"},
};

/* Operators in a row make deep trees without any nesting: those that are read can be walked. */
static void test_chains(void **state) {
  (void)state;
  struct ew_text text = {0};
  for (size_t i = 0; i < EW_COUNT(chains); i++) {
    const struct ew_node *tree;
    struct nesting chain = chains[i];
    chain.close = "";
    nest(&text, &chain, 450);
    const struct ew_node *deep = parse(ew_text_span(&text));
    assert_true(ew_tree_equal(deep, ew_tree_clone(&arena, deep)));
    ew_text_reset(&text);
    ew_cypher_print(&text, deep, NULL);
    assert_true(text.length > 450);
    nest(&text, &chain, 100000);
    assert_int_equal(ew_cypher_parse(&builder, ew_text_span(&text), &tree, NULL), EW_LIMIT);
    ew_arena_reset(&arena);
  }
  /* A chain within the first operand of a chain, and so on, is as deep as one chain of all. */
  ew_text_reset(&text);
  ew_text_add(&text, EW_SPAN("RETURN "));
  for (int i = 0; i < 150; i++) ew_text_add(&text, EW_SPAN("f([1, "));
  ew_text_add(&text, EW_SPAN("1"));
  for (int i = 0; i < 150; i++) ew_text_add(&text, EW_SPAN(" + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1, 2])"));
  const struct ew_node *tree;
  assert_int_equal(ew_cypher_parse(&builder, ew_text_span(&text), &tree, NULL), EW_LIMIT);
  ew_text_release(&text);
}

/* Lists may be as long as they like. */
static void test_long_lists(void **state) {
  static const struct nesting lists[] = {
      {"RETURN [", "1, ", "2]", "", 100000, NULL},
      {"MATCH (a)", "-[:T|U]->(:A&B)", " RETURN 1", "", 20000, NULL},
      {"RETURN 1", " < 2", "", "", 20000, NULL},
      {"", "MATCH (a) WHERE a.b + 1 > 2 ", "RETURN 1", "", 20000, NULL},
      {"", "RETURN 1 AS x UNION ", "RETURN 1 AS x", "", 20000, NULL},
      {"CALL a", ".b", "()", "", 20000, NULL},
  };
  struct ew_text text = {0};
  (void)state;
  for (size_t i = 0; i < EW_COUNT(lists); i++) {
    nest(&text, &lists[i], lists[i].fits);
    parse(ew_text_span(&text));
    ew_arena_reset(&arena);
  }
  ew_text_release(&text);
}

/* ---- hostile bytes ---- */

static void try(struct ew_span text) {
  struct ew_cypher_script script;
  struct ew_cypher_syntax_error error;
  enum ew_status status = ew_cypher_parse_script(&builder, text, &script, &error);
  if (status != EW_OK) {
    assert_true(error.offset <= text.length);
    assert_non_null(error.detail);
    assert_true(error.message[0]);
  }
  ew_arena_reset(&arena);
}

/* The parser works on a copy in an arena, where nothing sees a read behind the end: so the lexer gets a block of its
   own. */
static void try_exactly(struct ew_span text) {
  char *copy = ew_allocate(text.length ? text.length : 1);
  struct ew_cypher_lexer lexer;
  memcpy(copy, text.bytes, text.length);
  ew_cypher_lexer_init(&lexer, (struct ew_span){copy, text.length});
  while (lexer.at < text.length) {
    ew_cypher_lexer_next(&lexer);
    if (lexer.message) break;
  }
  ew_cypher_lexer_release(&lexer);
  try((struct ew_span){copy, text.length});
  ew_deallocate(copy);
}

static void test_truncations(void **state) {
  (void)state;
  for (size_t i = 0; i < EW_COUNT(examples); i++)
    for (size_t length = 0, whole = strlen(examples[i].text); length < whole; length++) {
      try_exactly((struct ew_span){examples[i].text, length});
      try_exactly((struct ew_span){examples[i].text + length, whole - length});
    }
}

static void test_mutations(void **state) {
  (void)state;
  static const char *const pieces[] = {"(", ")", "[",  "]",    "{",       "}",       "|",    "-",  "<",  ">",
                                       "'", "`", "\\", "$",    ".",       "..",      ":",    "*",  "/*", "//",
                                       ";", "1", "a",  " IN ", " MATCH ", " WHERE ", "\303", "\0", "="};
  struct ew_random random = ew_random_from(7);
  struct ew_text text = {0};
  for (int round = 0; round < 20000; round++) {
    struct ew_span from = ew_span_of(EW_RANDOM_PICK(&random, examples).text);
    size_t cut = ew_random_below(&random, (uint32_t)from.length), skip = ew_random_below(&random, 4);
    if (skip > from.length - cut) skip = from.length - cut;
    ew_text_reset(&text);
    ew_text_add_bytes(&text, from.bytes, cut);
    for (uint32_t n = ew_random_below(&random, 3); n; n--) {
      const char *piece = EW_RANDOM_PICK(&random, pieces);
      ew_text_add_bytes(&text, piece, *piece ? strlen(piece) : 1);
    }
    ew_text_add_bytes(&text, from.bytes + cut + skip, from.length - cut - skip);
    try_exactly(ew_text_span(&text));
  }
  ew_text_release(&text);
}

static void test_garbage(void **state) {
  (void)state;
  struct ew_random random = ew_random_from(1);
  char bytes[200];
  for (int round = 0; round < 20000; round++) {
    size_t length = ew_random_below(&random, sizeof bytes), from = 0;
    if (ew_random_chance(&random, 50)) memcpy(bytes, "RETURN ", from = 7);
    for (size_t i = from; i < sizeof bytes; i++)
      bytes[i] = (char)(ew_random_chance(&random, 90) ? ew_random_between(&random, 32, 126)
                                                      : ew_random_between(&random, 0, 255));
    try_exactly((struct ew_span){bytes, length});
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_examples, begin, end),
      cmocka_unit_test_setup_teardown(test_text_is_not_needed_later, begin, end),
      cmocka_unit_test_setup_teardown(test_expression, begin, end),
      cmocka_unit_test_setup_teardown(test_script, begin, end),
      cmocka_unit_test_setup_teardown(test_mistakes, begin, end),
      cmocka_unit_test_setup_teardown(test_error_text, begin, end),
      cmocka_unit_test_setup_teardown(test_long_line, begin, end),
      cmocka_unit_test_setup_teardown(test_nesting, begin, end),
      cmocka_unit_test_setup_teardown(test_chains, begin, end),
      cmocka_unit_test_setup_teardown(test_long_lists, begin, end),
      cmocka_unit_test_setup_teardown(test_truncations, begin, end),
      cmocka_unit_test_setup_teardown(test_mutations, begin, end),
      cmocka_unit_test_setup_teardown(test_garbage, begin, end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
