/* test_tree.c: everything generic over trees, on a language that exists only here (tiny.def). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"
#include "tree/tree.h"

#define EW_TREE_PREFIX tiny
#define EW_TREE_UPPER TINY
#define EW_TREE_DEF "tiny.def"
#include "tree/declare.h"
#include "tree/define.h"

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

#define MAKE(kind_, ...) \
  ew_node_make(&builder, &tiny_kinds[TINY_##kind_], &(struct tiny_##kind_){.head = {0}, __VA_ARGS__})

static const struct ew_node *number(int64_t n) {
  return MAKE(literal, .value = {.value = ew_literal_of(&builder, ew_integer(n))});
}

static const struct ew_node *named(const char *text) { return MAKE(name, .text = {.name = ew_span_of(text)}); }

static const struct ew_node *minus(const struct ew_node *operand) {
  return MAKE(unary, .sign = {.choice = TINY_MINUS}, .operand = {.node = operand});
}

static const struct ew_node *call(const char *function, const struct ew_node *const *arguments, size_t count) {
  return MAKE(call, .function = {.name = ew_span_of(function)}, .distinct = {.flag = true},
              .arguments = {.list = ew_list_of(&builder, arguments, count)});
}

/* OPTIONAL MATCH -1, x WHERE f(2, y), with ids: 1 is 1 and 2 its minus; 3 is x; 4 is 2, 5 is y, 6 is f; 7 is the match. */
static const struct ew_node *sample(void) {
  const struct ew_node *patterns[2], *arguments[2];
  patterns[0] = minus(number(1));
  patterns[1] = named("x");
  arguments[0] = number(2);
  arguments[1] = named("y");
  const struct ew_node *where = call("f", arguments, 2);
  struct ew_span labels[] = {EW_SPAN("A"), EW_SPAN("it's \"B\"")};
  return MAKE(match, .optional = {.flag = true}, .patterns = {.list = ew_list_of(&builder, patterns, 2)},
              .where = {.node = where}, .labels = {.names = ew_names_of(&builder, labels, 2)}, .hops = {.number = 3});
}

static const struct ew_node *chain(size_t depth) {
  const struct ew_node *node = number(0);
  for (size_t i = 1; i < depth; i++) node = minus(node);
  return node;
}

/* ---- tables ---- */

static void test_table(void **state) {
  (void)state;
  assert_string_equal(tiny_table.language, "tiny");
  assert_int_equal(tiny_table.count, 7);
  assert_ptr_equal(ew_table_find(&tiny_table, EW_SPAN("unary")), &tiny_kinds[TINY_unary]);
  assert_null(ew_table_find(&tiny_table, EW_SPAN("unar")));
  assert_int_equal(tiny_kinds[TINY_match].code, TINY_match);
  assert_int_equal(tiny_kinds[TINY_match].class, TINY_CLASS_CLAUSE);
  assert_int_equal(ew_kind_field_count(&tiny_kinds[TINY_match]), 5);
  assert_int_equal(ew_kind_field_count(&tiny_kinds[TINY_nothing]), 0);
  assert_string_equal(tiny_kinds[TINY_match].fields[2].name, "where");
  assert_int_equal(tiny_kinds[TINY_match].fields[2].class, TINY_CLASS_EXPR);
  assert_int_equal(tiny_kinds[TINY_box].fields[0].class, TINY_CLASS_ANY);
  assert_string_equal(tiny_sign_text[TINY_MINUS], "-");
}

/* ---- walking ---- */

struct visits {
  struct ew_text ids;
  uint64_t skip, stop;
};

static enum ew_walk visit(const struct ew_node *node, struct ew_place place, void *context) {
  struct visits *visits = context;
  ew_text_add_format(&visits->ids, "%d", (int)node->id);
  if (place.parent) ew_text_add_format(&visits->ids, "(%d.%zu.%zu)", (int)place.parent->id, place.field, place.index);
  ew_text_add_char(&visits->ids, ' ');
  if (node->id == visits->stop) return EW_WALK_STOP;
  return node->id == visits->skip ? EW_WALK_SKIP : EW_WALK_ON;
}

static void expect_walk(uint64_t skip, uint64_t stop, const char *expected) {
  struct visits visits = {.skip = skip, .stop = stop};
  ew_arena_reset(&arena);
  builder.next_id = 1;
  assert_int_equal(ew_tree_walk(sample(), visit, &visits), !stop);
  assert_string_equal(visits.ids.bytes, expected);
  ew_text_release(&visits.ids);
}

static void test_walk(void **state) {
  (void)state;
  expect_walk(0, 0, "7 2(7.1.0) 1(2.1.0) 3(7.1.1) 6(7.2.0) 4(6.2.0) 5(6.2.1) ");
  expect_walk(2, 0, "7 2(7.1.0) 3(7.1.1) 6(7.2.0) 4(6.2.0) 5(6.2.1) ");
  expect_walk(7, 0, "7 ");
  expect_walk(0, 3, "7 2(7.1.0) 1(2.1.0) 3(7.1.1) ");
}

static void test_measures(void **state) {
  (void)state;
  const struct ew_node *root = sample();
  assert_int_equal(ew_tree_count(root), 7);
  assert_int_equal(ew_tree_depth(root), 3);
  assert_int_equal(ew_tree_depth(chain(50)), 50);
  assert_int_equal(ew_tree_find(root, 5)->kind->code, TINY_name);
  assert_ptr_equal(ew_tree_find(root, 7), root);
  assert_null(ew_tree_find(root, 99));
  struct ew_builder next = ew_builder_for(&arena, root);
  assert_int_equal(next.next_id, 8);
}

/* ---- equality and hash ---- */

static void test_equality(void **state) {
  (void)state;
  const struct ew_node *a = sample(), *b = sample();
  assert_int_not_equal(a->id, b->id);
  assert_true(ew_tree_equal(a, b));
  assert_true(ew_tree_hash(a) == ew_tree_hash(b));
  /* Any one difference is seen. */
  const struct ew_node *others[] = {
      ew_tree_replace(&builder, a, 1, number(9)),
      ew_tree_replace(&builder, a, 3, named("z")),
      ew_tree_replace(&builder, a, 3, NULL),
      ew_tree_replace(&builder, a, 6, NULL),
      ew_tree_replace(&builder, a, 2, MAKE(unary, .sign = {.choice = TINY_PLUS}, .operand = {.node = number(1)})),
      ew_tree_replace(&builder, a, 5, MAKE(nothing, )),
      ew_tree_replace(&builder, a, 4, MAKE(literal, .value = {.value = ew_literal_of(&builder, ew_float(2))})),
      MAKE(match, .hops = {.number = 3}),
      MAKE(match, .hops = {.number = 4}),
      MAKE(match, .hops = {.number = 4}, .optional = {.flag = true}),
      MAKE(match, .hops = {.number = 4}, .labels = {.names = {(struct ew_span[]){EW_SPAN("AB")}, 1}}),
      MAKE(match, .hops = {.number = 4}, .labels = {.names = {(struct ew_span[]){EW_SPAN("A"), EW_SPAN("B")}, 2}}),
  };
  for (size_t i = 0; i < EW_COUNT(others); i++) {
    assert_false(ew_tree_equal(a, others[i]));
    for (size_t k = 0; k < EW_COUNT(others); k++) {
      assert_int_equal(ew_tree_equal(others[i], others[k]), i == k);
      assert_int_equal(ew_tree_hash(others[i]) == ew_tree_hash(others[k]), i == k);
    }
  }
}

/* Stored hashes must mean the same tomorrow and elsewhere. */
static void test_hash_golden(void **state) {
  (void)state;
  assert_true(ew_tree_hash(sample()) == UINT64_C(0x8894a6275b676192));
}

/* ---- copies ---- */

static void test_clone(void **state) {
  (void)state;
  struct ew_arena other;
  ew_arena_init(&other);
  const struct ew_node *root = sample(), *copy = ew_tree_clone(&other, root);
  uint64_t hash = ew_tree_hash(root);
  assert_true(ew_tree_equal(root, copy));
  assert_int_equal(copy->id, root->id);
  assert_int_equal(ew_tree_find(copy, 5)->kind->code, TINY_name);
  ew_arena_release(&arena); /* the copy depends on none of it */
  assert_true(ew_tree_hash(copy) == hash);
  ew_arena_release(&other);
}

static void test_duplicate(void **state) {
  (void)state;
  const struct ew_node *root = sample(), *copy = ew_tree_duplicate(&builder, root);
  assert_true(ew_tree_equal(root, copy));
  for (uint64_t id = 1; id <= 7; id++) assert_null(ew_tree_find(copy, id));
  for (uint64_t id = 8; id <= 14; id++) assert_non_null(ew_tree_find(copy, id));
  assert_int_equal(builder.next_id, 15);
}

static const struct tiny_match *as_match(const struct ew_node *node) {
  assert_int_equal(node->kind->code, TINY_match);
  return (const struct tiny_match *)(const void *)node;
}

static void test_replace(void **state) {
  (void)state;
  const struct ew_node *root = sample(), *fresh = named("new");
  uint64_t before = ew_tree_hash(root);
  const struct ew_node *changed = ew_tree_replace(&builder, root, 1, fresh);
  assert_ptr_equal(ew_tree_find(changed, fresh->id), fresh);
  assert_null(ew_tree_find(changed, 1));
  assert_int_equal(changed->id, root->id);
  /* Only the path is copied: what is beside it is shared. */
  assert_ptr_not_equal(ew_tree_find(changed, 2), ew_tree_find(root, 2));
  assert_ptr_equal(ew_tree_find(changed, 3), ew_tree_find(root, 3));
  assert_ptr_equal(as_match(changed)->where.node, as_match(root)->where.node);
  assert_ptr_equal(ew_tree_replace(&builder, root, 99, fresh), root);
  assert_ptr_equal(ew_tree_replace(&builder, root, 7, fresh), fresh);
  /* What replaces a node may hold it. */
  const struct ew_node *wrapped = ew_tree_replace(&builder, root, 3, minus(ew_tree_find(root, 3)));
  assert_int_equal(ew_tree_count(wrapped), 8);
  assert_true(ew_tree_hash(root) == before);
}

static void test_changed(void **state) {
  (void)state;
  const struct ew_node *root = sample();
  struct tiny_match filled = *as_match(root);
  filled.optional.flag = false;
  const struct ew_node *changed = ew_node_changed(&builder, root, ew_node_fields(&filled.head));
  assert_int_equal(changed->id, root->id);
  assert_ptr_equal(changed->kind, root->kind);
  assert_false(as_match(changed)->optional.flag);
  assert_true(as_match(root)->optional.flag);
  assert_ptr_equal(as_match(changed)->where.node, as_match(root)->where.node);
}

static void test_remove(void **state) {
  (void)state;
  const struct ew_node *root = sample();
  const struct ew_node *shorter = ew_tree_replace(&builder, root, 2, NULL);
  assert_int_equal(as_match(shorter)->patterns.list.count, 1);
  assert_int_equal(as_match(shorter)->patterns.list.items[0]->id, 3);
  assert_int_equal(as_match(root)->patterns.list.count, 2);
  const struct ew_node *open = ew_tree_replace(&builder, root, 6, NULL);
  assert_null(as_match(open)->where.node);
  assert_int_equal(ew_tree_count(ew_tree_replace(&builder, root, 5, NULL)), 6);
  assert_null(ew_tree_replace(&builder, root, 1, NULL)); /* a ONE field must be filled */
  assert_null(ew_tree_replace(&builder, root, 7, NULL));
  const struct ew_node *last = ew_tree_replace(&builder, shorter, 3, NULL);
  assert_int_equal(as_match(last)->patterns.list.count, 0);
}

static void test_lists(void **state) {
  (void)state;
  const struct ew_node *a = named("a"), *b = named("b"), *c = named("c");
  struct ew_list list = {0};
  list = ew_list_append(&builder, list, a);
  list = ew_list_append(&builder, list, b);
  struct ew_list longer = ew_list_append(&builder, list, c);
  assert_int_equal(list.count, 2);
  assert_int_equal(longer.count, 3);
  struct ew_list without = ew_list_without(&builder, longer, 1);
  assert_int_equal(without.count, 2);
  assert_ptr_equal(without.items[1], c);
  assert_int_equal(ew_list_without(&builder, longer, 9).count, 3);
}

/* ---- the stored form ---- */

static enum ew_status read_text(const char *text, const struct ew_node **root, struct ew_error *error) {
  const struct ew_json *json;
  *root = NULL;
  enum ew_status status = ew_json_read(&arena, ew_span_of(text), (struct ew_json_options){0}, &json, error);
  return status ? status : ew_tree_read_json(&arena, &tiny_table, json, root, error);
}

static const struct ew_node *round_trip(const struct ew_node *root, unsigned indent) {
  struct ew_text text = {0};
  struct ew_json_writer writer;
  struct ew_error error = {0};
  const struct ew_node *read;
  ew_json_writer_init(&writer, &text, indent);
  ew_tree_write_json(&writer, root);
  if (read_text(text.bytes, &read, &error) != EW_OK) fail_msg("%s\n%s", error.text, text.bytes);
  ew_text_release(&text);
  return read;
}

static void test_json_round_trip(void **state) {
  (void)state;
  const struct ew_node *roots[] = {
      sample(),
      chain(EW_TREE_DEPTH),
      MAKE(match, .hops = {.number = -1}),
      MAKE(match, .hops = {.number = 0}),
      MAKE(box, .inside = {.node = MAKE(nothing, )}),
      MAKE(box, .inside = {.node = MAKE(match, .hops = {.number = INT64_MIN})}),
      named(""),
      named("\x01\n\\\"é𝄞"),
      MAKE(literal, .value = {.value = ew_literal_of(&builder, ew_null())}),
      MAKE(literal, .value = {.value = ew_literal_of(&builder, ew_float(-0.5))}),
      MAKE(literal, .value = {.value = ew_literal_of(&builder, ew_string(EW_SPAN("it's")))}),
  };
  for (size_t i = 0; i < EW_COUNT(roots); i++) {
    const struct ew_node *read = round_trip(roots[i], i % 2 ? 2 : 0);
    assert_true(ew_tree_equal(roots[i], read));
    assert_int_equal(read->id, roots[i]->id);
  }
  assert_int_equal(ew_tree_find(round_trip(roots[0], 0), 5)->kind->code, TINY_name);
}

static void test_json_form(void **state) {
  (void)state;
  struct ew_text text = {0};
  struct ew_json_writer writer;
  ew_json_writer_init(&writer, &text, 0);
  ew_tree_write_json(
      &writer, MAKE(match, .optional = {.flag = true}, .where = {.node = minus(named("x"))}, .hops = {.number = -1}));
  assert_string_equal(text.bytes,
                      "{\"kind\": \"match\",\"id\": 3,\"optional\": true,\"where\": {\"kind\": \"unary\","
                      "\"id\": 2,\"sign\": \"-\",\"operand\": {\"kind\": \"name\",\"id\": 1,\"text\": "
                      "\"x\"}}}");
  ew_text_release(&text);
}

static void test_json_bad(void **state) {
  (void)state;
  static const struct {
    const char *text, *message;
  } cases[] = {
      {"7", "unknown kind ''"},
      {"[]", "unknown kind ''"},
      {"null", "unknown kind ''"},
      {"{}", "unknown kind ''"},
      {"{\"kind\": 3, \"id\": 1}", "unknown kind ''"},
      {"{\"kind\": \"mach\", \"id\": 1}", "unknown kind 'mach'"},
      {"{\"kind\": \"nothing\"}", "a number expected as id of 'nothing'"},
      {"{\"kind\": \"nothing\", \"id\": -1}", "a number expected as id of 'nothing'"},
      {"{\"kind\": \"nothing\", \"id\": 1.5}", "a number expected as id of 'nothing'"},
      {"{\"kind\": \"literal\", \"id\": 1}", "nothing stands in 'value'"},
      {"{\"kind\": \"literal\", \"id\": 1, \"value\": {\"@kind\": \"none such\"}}", ""},
      {"{\"kind\": \"name\", \"id\": 1, \"text\": 3}", "a string expected in 'text'"},
      {"{\"kind\": \"unary\", \"id\": 1, \"sign\": \"-\"}", "nothing stands in 'operand'"},
      {"{\"kind\": \"unary\", \"id\": 1, \"sign\": \"-\", \"operand\": null}", "unknown kind ''"},
      {"{\"kind\": \"unary\", \"id\": 1, \"operand\": {\"kind\": \"nothing\", \"id\": 2}}", "nothing stands in 'sign'"},
      {"{\"kind\": \"unary\", \"id\": 1, \"sign\": \"*\", \"operand\": {}}", "unknown choice in 'sign'"},
      {"{\"kind\": \"unary\", \"id\": 1, \"sign\": 1, \"operand\": {}}", "unknown choice in 'sign'"},
      {"{\"kind\": \"unary\", \"id\": 1, \"sign\": \"-\", \"operand\": {\"kind\": \"match\", \"id\": 2}}",
       "a node of another class expected where there is 'match'"},
      {"{\"kind\": \"match\", \"id\": 1, \"optional\": 1}", "true or false expected in 'optional'"},
      {"{\"kind\": \"match\", \"id\": 1, \"patterns\": {}}", "a list expected in 'patterns'"},
      {"{\"kind\": \"match\", \"id\": 1, \"patterns\": [1]}", "unknown kind ''"},
      {"{\"kind\": \"match\", \"id\": 1, \"labels\": \"A\"}", "a list expected in 'labels'"},
      {"{\"kind\": \"match\", \"id\": 1, \"labels\": [\"A\", 1]}", "strings expected in 'labels'"},
      {"{\"kind\": \"match\", \"id\": 1, \"hops\": \"3\"}", "a number expected in 'hops'"},
      {"{\"kind\": \"match\", \"id\": 1, \"hops\": 3.0}", "a number expected in 'hops'"},
  };
  for (size_t i = 0; i < EW_COUNT(cases); i++) {
    const struct ew_node *root;
    struct ew_error error = {0};
    assert_int_equal(read_text(cases[i].text, &root, &error), EW_BAD);
    assert_null(root);
    if (!strstr(error.text, cases[i].message)) fail_msg("%s\nsaid: %s", cases[i].text, error.text);
  }
}

static void test_json_depth(void **state) {
  (void)state;
  struct ew_text text = {0};
  const struct ew_node *root;
  struct ew_json_writer writer;
  struct ew_error error = {0};
  ew_json_writer_init(&writer, &text, 0);
  ew_tree_write_json(&writer, chain(EW_TREE_DEPTH + 1));
  assert_int_equal(read_text(text.bytes, &root, &error), EW_BAD);
  assert_non_null(strstr(error.text, "nested too deeply"));
  ew_text_release(&text);
}

/* Bytes of a stored tree that were changed are refused or read as some tree; they never crash. */
static void test_json_garbled(void **state) {
  (void)state;
  struct ew_random random = ew_random_from(11);
  struct ew_text text = {0};
  struct ew_json_writer writer;
  ew_json_writer_init(&writer, &text, 0);
  ew_tree_write_json(&writer, sample());
  for (int round = 0; round < 5000; round++) {
    struct ew_arena scratch;
    ew_arena_init(&scratch);
    char *copy = ew_arena_take(&scratch, text.length);
    memcpy(copy, text.bytes, text.length);
    for (int k = 0; k < 3; k++)
      copy[ew_random_below(&random, (uint32_t)text.length)] = "{}[]\":,0 \\"[ew_random_below(&random, 10)];
    const struct ew_json *json;
    const struct ew_node *root;
    struct ew_span source = {copy, text.length};
    if (ew_json_read(&scratch, source, (struct ew_json_options){0}, &json, NULL) == EW_OK &&
        ew_tree_read_json(&scratch, &tiny_table, json, &root, NULL) == EW_OK)
      assert_true(ew_tree_count(root) > 0);
    ew_arena_release(&scratch);
  }
  ew_text_release(&text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_table, begin, end),
      cmocka_unit_test_setup_teardown(test_walk, begin, end),
      cmocka_unit_test_setup_teardown(test_measures, begin, end),
      cmocka_unit_test_setup_teardown(test_equality, begin, end),
      cmocka_unit_test_setup_teardown(test_hash_golden, begin, end),
      cmocka_unit_test_setup_teardown(test_clone, begin, end),
      cmocka_unit_test_setup_teardown(test_duplicate, begin, end),
      cmocka_unit_test_setup_teardown(test_replace, begin, end),
      cmocka_unit_test_setup_teardown(test_changed, begin, end),
      cmocka_unit_test_setup_teardown(test_remove, begin, end),
      cmocka_unit_test_setup_teardown(test_lists, begin, end),
      cmocka_unit_test_setup_teardown(test_json_round_trip, begin, end),
      cmocka_unit_test_setup_teardown(test_json_form, begin, end),
      cmocka_unit_test_setup_teardown(test_json_bad, begin, end),
      cmocka_unit_test_setup_teardown(test_json_depth, begin, end),
      cmocka_unit_test_setup_teardown(test_json_garbled, begin, end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
