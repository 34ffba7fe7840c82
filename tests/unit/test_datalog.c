/* test_datalog.c: Datalog's printer, check, shape, features, stored form, and what addEQ writes. What programs mean is
   the matter of test_datalog_meaning.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/map.h"
#include "base/vector.h"
#include "generate/datalog.h"
#include "lang/datalog/datalog.h"

static struct ew_arena arena;

static int set_up(void **state) {
  (void)state;
  ew_arena_init(&arena);
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  ew_arena_release(&arena);
  return 0;
}

/* ---- reading programs: "A/2 P/1: P(x) :- A(x, y), !A(y, 3), x < y. ? P", all columns 8 bits wide ---- */

struct reader {
  const char *at;
  struct ew_builder builder;
};

static bool take(struct reader *reader, const char *word) {
  while (*reader->at == ' ') reader->at++;
  if (strncmp(reader->at, word, strlen(word)) != 0) return false;
  reader->at += strlen(word);
  return true;
}

static struct ew_span read_name(struct reader *reader) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
  take(reader, "");
  struct ew_span name = {reader->at, strspn(reader->at, letters)};
  reader->at += name.length;
  return name;
}

static const struct ew_node *read_term(struct reader *reader) {
  struct ew_span name = read_name(reader);
  if (name.bytes[0] > '9') return DATALOG(&reader->builder, variable, .name.name = name);
  struct ew_value number = ew_integer(strtoll(name.bytes, NULL, 10));
  return DATALOG(&reader->builder, constant, .bits.number = 8, .value.value = ew_literal_of(&reader->builder, number));
}

static const struct ew_node *read_atom(struct reader *reader) {
  struct ew_span name = read_name(reader);
  struct ew_list terms = {0};
  if (take(reader, "(")) {
    do terms = ew_list_append(&reader->builder, terms, read_term(reader));
    while (take(reader, ","));
    assert_true(take(reader, ")"));
  }
  return DATALOG(&reader->builder, atom, .relation.name = name, .terms.list = terms);
}

static const struct ew_node *read_literal(struct reader *reader) {
  bool negated = take(reader, "!");
  const char *start = reader->at;
  struct ew_span name = read_name(reader);
  uint32_t order = take(reader, "!=") ? DATALOG_UNEQUAL : take(reader, "=") ? DATALOG_EQUAL : DATALOG_LESS;
  bool comparison = order != DATALOG_LESS || take(reader, "<");
  const char *behind = reader->at;
  reader->at = start;
  if (!comparison || name.bytes[0] <= 'Z') {
    if (name.bytes[0] > '9') {
      const struct ew_node *atom = read_atom(reader);
      return DATALOG(&reader->builder, literal, .negated.flag = negated, .atom.node = atom);
    }
  }
  const struct ew_node *left = read_term(reader);
  reader->at = behind;
  const struct ew_node *right = read_term(reader);
  return DATALOG(&reader->builder, comparison, .order.choice = order, .left.node = left, .right.node = right);
}

static const struct ew_node *read_program(const char *text) {
  struct reader reader = {text, {&arena, 1}};
  struct ew_list relations = {0}, rules = {0};
  EW_VECTOR(struct ew_span) outputs = {0};
  while (!take(&reader, ":")) {
    struct ew_span name = read_name(&reader);
    assert_true(take(&reader, "/"));
    struct ew_list attributes = {0};
    for (long arity = strtol(read_name(&reader).bytes, NULL, 10); arity; arity--)
      attributes = ew_list_append(&reader.builder, attributes,
                                  DATALOG(&reader.builder, attribute, .name.name = EW_SPAN("a"), .bits.number = 8));
    relations = ew_list_append(&reader.builder, relations,
                               DATALOG(&reader.builder, relation, .name.name = name, .attributes.list = attributes));
  }
  while (!take(&reader, "?")) {
    const struct ew_node *head = read_atom(&reader);
    struct ew_list body = {0};
    if (take(&reader, ":-")) {
      do body = ew_list_append(&reader.builder, body, read_literal(&reader));
      while (take(&reader, ","));
    }
    assert_true(take(&reader, "."));
    rules =
        ew_list_append(&reader.builder, rules, DATALOG(&reader.builder, rule, .derives.node = head, .body.list = body));
  }
  while (take(&reader, ""), *reader.at) *ew_arena_vector_push(&arena, &outputs) = read_name(&reader);
  return DATALOG(&reader.builder, program, .relations.list = relations, .rules.list = rules,
                 .outputs.names = {outputs.items, outputs.count});
}

static struct ew_span printed(const struct ew_node *tree) {
  struct ew_text text = {0};
  ew_datalog.print(&text, tree, NULL);
  struct ew_span copy = ew_arena_copy(&arena, ew_text_span(&text));
  ew_text_release(&text);
  return copy;
}

static struct ew_span shape_of(const struct ew_node *tree) {
  struct ew_text text = {0};
  ew_datalog.shape(&text, tree);
  struct ew_span copy = ew_arena_copy(&arena, ew_text_span(&text));
  ew_text_release(&text);
  return copy;
}

static void assert_text(struct ew_span text, const char *expected) {
  assert_string_equal(ew_arena_string(&arena, text), expected);
}

/* Case `number` of seed 7: scene, base and a stream for what follows. */
static struct ew_case generated(uint64_t number, struct ew_random *random) {
  struct ew_random root = ew_random_from(7);
  *random = ew_random_split(&root, "case", number);
  struct ew_case test = {.language = &ew_datalog};
  struct ew_builder builder = {&arena, 1};
  test.scene = ew_generate_datalog.scene(&arena, NULL, NULL, random);
  void *world = ew_generate_datalog.prepare(NULL, NULL, NULL, &test.scene);
  struct ew_draw draw = {.builder = &builder, .random = random, .number = number};
  test.base = ew_generate_datalog.base(world, &draw);
  ew_generate_datalog.release(world);
  return test;
}

/* ---- tests of the language ---- */

static const char reach[] =
    "A/2 B/1 P/2 Q/1 N/0: P(x, y) :- A(x, y). P(x, z) :- P(x, y), A(y, z), x != z. "
    "Q(x) :- P(x, y), !B(y), x < 9, 7 = y, N. N. ? Q P";

static void prints_smtlib(void **state) {
  (void)state;
  const struct ew_node *program = read_program(reach);
  assert_text(printed(program),
              "(declare-rel A ((_ BitVec 8) (_ BitVec 8)))\n"
              "(declare-rel B ((_ BitVec 8)))\n"
              "(declare-rel P ((_ BitVec 8) (_ BitVec 8)))\n"
              "(declare-rel Q ((_ BitVec 8)))\n"
              "(declare-rel N ())\n"
              "(declare-var x (_ BitVec 8))\n"
              "(declare-var y (_ BitVec 8))\n"
              "(declare-var z (_ BitVec 8))\n"
              "(rule (=> (A x y) (P x y)))\n"
              "(rule (=> (and (P x y) (A y z) (not (= x z))) (P x z)))\n"
              "(rule (=> (and (P x y) (not (B y)) (bvult x (_ bv9 8)) (= (_ bv7 8) y) N) (Q x)))\n"
              "(rule N)\n"
              "(query Q)\n"
              "(query P)\n");
}

static void asks_one_statement_with_the_facts(void **state) {
  (void)state;
  struct ew_builder builder = {&arena, 1};
  struct reader reader = {"A(1, 255)", builder};
  const struct ew_node *fact = read_atom(&reader);
  struct ew_scene scene = {.data = DATALOG(&builder, facts, .atoms.list = ew_list_of(&builder, &fact, 1))};
  const struct ew_node *program = read_program("A/2: A(x, y) :- A(y, x). ? A");
  struct ew_program asked = ew_datalog.ask(&arena, &scene, program, NULL);
  assert_int_equal(ew_datalog.load(&arena, &scene, NULL).count, 0);
  assert_int_equal(asked.count, 1);
  assert_text(asked.statements[0].text,
              "(declare-rel A ((_ BitVec 8) (_ BitVec 8)))\n"
              "(declare-var x (_ BitVec 8))\n"
              "(declare-var y (_ BitVec 8))\n"
              "(rule (A (_ bv1 8) (_ bv255 8)))\n"
              "(rule (=> (A y x) (A x y)))\n"
              "(query A)\n");
  assert_int_equal(asked.statements[0].columns.count, 2);
  assert_text(asked.statements[0].columns.items[1], "tuple");
}

static bool passes(const char *program) {
  return ew_datalog.check(&(struct ew_case){.language = &ew_datalog, .base = read_program(program)}, true);
}

static void checks_programs(void **state) {
  static const char *const wrong[] = {
      "A/1 P/1: P(x) :- A(x), !P(x). ? P",                                     /* negation through itself */
      "A/1 P/1 Q/1 R/1: P(x) :- Q(x). Q(x) :- R(x). R(x) :- A(x), !P(x). ? P", /* through others */
      "A/1 P/2: P(x, y) :- A(x). ? P",                                         /* free in the head */
      "A/1 P/1: P(x) :- A(x), !A(y). ? P",                                     /* free in a negated atom */
      "A/1 P/1: P(x) :- A(x), x < y. ? P",                                     /* free in a comparison */
      "A/1 P/1: P(x) :- A(x), x = y, y = x. ? P",                              /* bound by a comparison only */
      "A/1 P/1: P(x). ? P",                                                    /* free in a fact */
      "A/1 P/1: P(x) :- A(x, x). ? P",                                         /* arity */
      "A/1 P/1: P(x) :- C(x). ? P",                                            /* undeclared */
      "A/1 P/1: P(x) :- A(x), !C(x). ? P",                                     /* undeclared */
      "A/1 P/1: C(x) :- A(x). ? P",                                            /* undeclared */
      "A/1 P/1: P(x) :- A(x). ? C",                                            /* undeclared */
      "A/1 P/1: P(x) :- A(x). ? P P",                                          /* asked twice */
      "A/1 P/1: P(x) :- A(x). ?",                                              /* nothing asked */
      "A/1 A/1 P/1: P(x) :- A(x). ? P",                                        /* declared twice */
      "A/1 P/1: P(256) :- A(x). ? P",                                          /* out of the domain */
  };
  (void)state;
  assert_true(passes(reach));
  assert_true(passes("A/1 P/1 Q/1: P(x) :- Q(x). Q(x) :- P(x). P(x) :- A(x), !A(3). ? P Q A"));
  assert_true(passes("A/1 P/1 Q/1: P(x) :- A(x), !Q(x). Q(x) :- A(x), Q(x). P(255). ? P"));
  for (size_t i = 0; i < EW_COUNT(wrong); i++)
    if (passes(wrong[i])) fail_msg("passes: %s", wrong[i]);
}

static void checks_widths(void **state) {
  (void)state;
  struct ew_builder builder = {&arena, 1000};
  const struct ew_node *program = read_program("A/1 B/1 P/1: P(x) :- A(x). P(y) :- A(y), B(y). ? P");
  assert_true(ew_datalog.check(&(struct ew_case){.language = &ew_datalog, .base = program}, true));
  const struct ew_node *b = DATALOG_AS(program, program)->relations.list.items[1];
  uint64_t id = DATALOG_AS(relation, b)->attributes.list.items[0]->id;
  const struct ew_node *wide = DATALOG(&builder, attribute, .name.name = EW_SPAN("a"), .bits.number = 9);
  program = ew_tree_replace(&builder, program, id, wide);
  assert_false(ew_datalog.check(&(struct ew_case){.language = &ew_datalog, .base = program}, true));
}

/* In place: the tree was just cloned, nobody else has it. */
static enum ew_walk rename_node(const struct ew_node *node, struct ew_place place, void *context) {
  (void)place;
  (void)context;
  union ew_field *fields = (union ew_field *)(uintptr_t)ew_node_fields(node);
  for (size_t i = 0; node->kind->fields[i].type != EW_FIELD_END; i++) {
    struct ew_names *names = &fields[i].names;
    if (node->kind->fields[i].type == EW_FIELD_NAME)
      fields[i].name = ew_arena_format(&arena, "other_%.*s", EW_SPAN_ARGS(fields[i].name));
    for (size_t k = 0; node->kind->fields[i].type == EW_FIELD_NAMES && k < names->count; k++)
      ((struct ew_span *)(uintptr_t)names->items)[k] =
          ew_arena_format(&arena, "other_%.*s", EW_SPAN_ARGS(names->items[k]));
    if (node->kind->fields[i].type == EW_FIELD_VALUE)
      fields[i].value = ew_literal_of(&(struct ew_builder){&arena, 0}, ew_integer(1));
  }
  return EW_WALK_ON;
}

static void shape_has_no_names(void **state) {
  (void)state;
  assert_text(shape_of(read_program("A/2 B/1 P/2: P(x, y) :- A(x, z), !B(z), x < y, A(y, 3). ? P A")),
              "r0(0 1):r1(0 2)!r2(2)0<1r1(1 #).?r0?r1");
  for (uint64_t number = 0; number < 100; number++) {
    struct ew_random random;
    ew_arena_reset(&arena);
    struct ew_case test = generated(number, &random);
    const struct ew_node *renamed = ew_tree_clone(&arena, test.base);
    ew_tree_walk(renamed, rename_node, NULL);
    assert_false(ew_span_equal(printed(renamed), printed(test.base)));
    assert_true(ew_span_equal(shape_of(renamed), shape_of(test.base)));
  }
}

static void count_feature(void *context, const char *feature) {
  struct ew_map *map = context;
  ew_map_add(map, ew_span_of(feature), NULL)->number++;
}

static uint64_t feature_count(const char *program, const char *feature) {
  struct ew_map map;
  ew_map_init(&map);
  ew_datalog.features(read_program(program), count_feature, &map);
  union ew_map_value *value = ew_map_find(&map, ew_span_of(feature));
  uint64_t count = value ? value->number : 0;
  ew_map_release(&map);
  return count;
}

static void names_features(void **state) {
  (void)state;
  assert_int_equal(feature_count(reach, "rule"), 4);
  assert_int_equal(feature_count(reach, "recursion"), 1);
  assert_int_equal(feature_count(reach, "mutual_recursion"), 0);
  assert_int_equal(feature_count(reach, "negation"), 1);
  assert_int_equal(feature_count(reach, "less"), 1);
  assert_int_equal(feature_count(reach, "constant"), 2);
  assert_int_equal(feature_count(reach, "nullary_atom"), 2);
  static const char mutual[] = "P/1 Q/1: P(x) :- Q(x). Q(x) :- P(x), P(x). ? P";
  assert_int_equal(feature_count(mutual, "mutual_recursion"), 2);
  assert_int_equal(feature_count(mutual, "nonlinear_recursion"), 1);
}

static void survives_json(void **state) {
  (void)state;
  for (uint64_t number = 0; number < 100; number++) {
    struct ew_random random;
    ew_arena_reset(&arena);
    struct ew_case test = generated(number, &random);
    const struct ew_node *trees[] = {test.base, test.scene.data};
    for (size_t i = 0; i < EW_COUNT(trees); i++) {
      struct ew_text text = {0};
      struct ew_json_writer writer;
      const struct ew_json *json;
      const struct ew_node *read;
      struct ew_error error;
      ew_json_writer_init(&writer, &text, 0);
      ew_tree_write_json(&writer, trees[i]);
      assert_int_equal(ew_json_read(&arena, ew_text_span(&text), (struct ew_json_options){0}, &json, &error), EW_OK);
      assert_int_equal(ew_tree_read_json(&arena, &datalog_table, json, &read, &error), EW_OK);
      assert_true(ew_tree_equal(trees[i], read));
      assert_int_equal(trees[i]->id, read->id);
      ew_text_release(&text);
    }
  }
}

static const struct ew_node *with_addeq(const struct ew_node *program, int64_t id, int64_t positions) {
  struct ew_builder builder = ew_builder_for(&arena, program);
  int64_t numbers[] = {id, positions};
  struct ew_recipe recipe = {.numbers = numbers, .number_count = EW_COUNT(numbers)};
  assert_string_equal(ew_datalog.steps[0]->name, "addEQ");
  assert_int_equal(ew_datalog.steps[0]->direction, 0);
  return ew_datalog.steps[0]->apply(&builder, program, &recipe);
}

/* The id of the atom of literal `literal` in rule `rule`. */
static int64_t atom_id(const struct ew_node *program, size_t rule, size_t literal) {
  const struct ew_node *node = DATALOG_AS(program, program)->rules.list.items[rule];
  return (int64_t)DATALOG_AS(literal, DATALOG_AS(rule, node)->body.list.items[literal])->atom.node->id;
}

static void addeq_copies_an_atom(void **state) {
  (void)state;
  const struct ew_node *program = read_program("A/2 P/1: P(f0) :- A(f0, y), !A(y, 4), A(3, y). P(x) :- A(x, y). ? P");
  const struct ew_node *changed = with_addeq(program, atom_id(program, 0, 0), 2);
  const struct ew_node *rule = DATALOG_AS(program, changed)->rules.list.items[0];
  assert_text(printed(rule), "(rule (=> (and (A f0 y) (not (A y (_ bv4 8))) (A (_ bv3 8) y) (A f0 f1)) (P f0)))\n");
  changed = with_addeq(changed, atom_id(program, 0, 2), 3);
  rule = DATALOG_AS(program, changed)->rules.list.items[0];
  assert_text(printed(rule),
              "(rule (=> (and (A f0 y) (not (A y (_ bv4 8))) (A (_ bv3 8) y) (A f0 f1) (A f2 f3)) (P f0)))\n");
  assert_true(ew_tree_equal(DATALOG_AS(program, changed)->rules.list.items[1],
                            DATALOG_AS(program, program)->rules.list.items[1]));
  assert_true(ew_datalog.check(&(struct ew_case){.language = &ew_datalog, .base = changed}, true));
  int64_t numbers[] = {atom_id(program, 1, 0), 1, 3};
  struct ew_builder builder = ew_builder_for(&arena, program);
  changed = ew_datalog.steps[0]->apply(&builder, program, &(struct ew_recipe){.numbers = numbers, .number_count = 3});
  assert_text(printed(DATALOG_AS(program, changed)->rules.list.items[1]),
              "(rule (=> (and (A x y) (A f1 y) (A f2 f3)) (P x)))\n");
}

static void addeq_refuses_what_does_not_apply(void **state) {
  (void)state;
  const struct ew_node *program = read_program("A/2 P/1: P(x) :- A(x, y), !A(y, 4). ? P");
  assert_null(with_addeq(program, atom_id(program, 0, 1), 1)); /* negated */
  assert_null(with_addeq(program, atom_id(program, 0, 0), 4)); /* no such position */
  assert_null(with_addeq(program, 0, 1));                      /* no such atom */
  assert_null(with_addeq(program, (int64_t)program->id, 1));   /* no atom */
  struct ew_builder builder = ew_builder_for(&arena, program);
  assert_null(ew_datalog.steps[0]->apply(&builder, program, &(struct ew_recipe){0}));
  struct ew_random random = ew_random_from(1);
  struct ew_recipe recipe = {0};
  const struct ew_node *bare = read_program("P/1: P(3). ? P");
  assert_false(ew_datalog.steps[0]->choose(&builder, bare, &random, &recipe));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(prints_smtlib, set_up, tear_down),
      cmocka_unit_test_setup_teardown(asks_one_statement_with_the_facts, set_up, tear_down),
      cmocka_unit_test_setup_teardown(checks_programs, set_up, tear_down),
      cmocka_unit_test_setup_teardown(checks_widths, set_up, tear_down),
      cmocka_unit_test_setup_teardown(shape_has_no_names, set_up, tear_down),
      cmocka_unit_test_setup_teardown(names_features, set_up, tear_down),
      cmocka_unit_test_setup_teardown(survives_json, set_up, tear_down),
      cmocka_unit_test_setup_teardown(addeq_copies_an_atom, set_up, tear_down),
      cmocka_unit_test_setup_teardown(addeq_refuses_what_does_not_apply, set_up, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
