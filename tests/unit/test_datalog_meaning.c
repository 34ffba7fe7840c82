/* test_datalog_meaning.c: what generated programs mean, and that addEQ and the oracle leave it as it is: tried on
   thousands of programs with a small evaluator, which shares nothing with the rest but the tree. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/hash.h"
#include "generate/datalog.h"
#include "lang/datalog/datalog.h"
#include "oracle/oracles.h"

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

/* ---- the evaluator: naive, stratum by stratum ---- */

enum {
  TABLE_SLOTS = 2048,
  TABLE_MAX = 1200,
  RELATIONS_MAX = 16,
  STEPS_MAX = 32,
  VARIABLES_MAX = 64,
  WORK_MAX = 4000000
};

/* Tuples as keys of 16 bits a column, plus one so that 0 is an empty slot. */
struct table {
  uint64_t slots[TABLE_SLOTS], keys[TABLE_MAX];
  size_t count;
};

struct term {
  bool variable;
  uint64_t number;
};

struct step {
  enum { POSITIVE, NEGATED, COMPARISON } kind;
  size_t relation, term_count;
  uint32_t order;
  struct term terms[3];
};

struct rule {
  struct step head, steps[STEPS_MAX];
  size_t step_count;
};

struct evaluation {
  const struct datalog_program *program;
  struct table tables[RELATIONS_MAX];
  size_t levels[RELATIONS_MAX];
  struct rule rules[16];
  uint64_t values[VARIABLES_MAX];
  size_t work;
};

/* The slot of the key: its own, or the empty one where it would go. */
static uint64_t *slot_of(struct table *table, uint64_t key) {
  size_t i = (size_t)ew_hash_mix(0, key) % TABLE_SLOTS;
  while (table->slots[i] && table->slots[i] != key + 1) i = (i + 1) % TABLE_SLOTS;
  return &table->slots[i];
}

static bool add_tuple(struct table *table, uint64_t key) {
  uint64_t *slot = slot_of(table, key);
  if (*slot) return false;
  *slot = key + 1;
  assert_true(table->count < TABLE_MAX);
  table->keys[table->count++] = key;
  return true;
}

static size_t relation_index(const struct datalog_program *program, struct ew_span name) {
  size_t i = 0;
  while (!ew_span_equal(DATALOG_AS(relation, program->relations.list.items[i])->name.name, name)) i++;
  return i;
}

static struct term read_term_of(const struct ew_node *node, struct ew_span *names, size_t *count) {
  if (datalog_is(node, DATALOG_constant))
    return (struct term){false, (uint64_t)DATALOG_AS(constant, node)->value.value->integer};
  struct ew_span name = DATALOG_AS(variable, node)->name.name;
  size_t i = 0;
  while (i < *count && !ew_span_equal(names[i], name)) i++;
  if (i == *count) names[(*count)++] = name;
  assert_true(i < VARIABLES_MAX);
  return (struct term){true, i};
}

static struct step read_step(const struct evaluation *evaluation, const struct ew_node *node, struct ew_span *names,
                             size_t *count) {
  struct step step = {.kind = COMPARISON, .term_count = 2};
  if (datalog_is(node, DATALOG_comparison)) {
    const struct datalog_comparison *comparison = DATALOG_AS(comparison, node);
    step.order = comparison->order.choice;
    step.terms[0] = read_term_of(comparison->left.node, names, count);
    step.terms[1] = read_term_of(comparison->right.node, names, count);
    return step;
  }
  bool literal = datalog_is(node, DATALOG_literal);
  const struct datalog_atom *atom = DATALOG_AS(atom, literal ? DATALOG_AS(literal, node)->atom.node : node);
  step.kind = literal && DATALOG_AS(literal, node)->negated.flag ? NEGATED : POSITIVE;
  step.relation = relation_index(evaluation->program, atom->relation.name);
  step.term_count = atom->terms.list.count;
  for (size_t i = 0; i < step.term_count; i++) step.terms[i] = read_term_of(atom->terms.list.items[i], names, count);
  return step;
}

/* Positive atoms first, so that all is bound where the others look. */
static void read_rule(struct evaluation *evaluation, size_t number) {
  const struct datalog_rule *node = DATALOG_AS(rule, evaluation->program->rules.list.items[number]);
  struct rule *rule = &evaluation->rules[number];
  struct ew_span names[VARIABLES_MAX + 1];
  size_t count = 0;
  for (int positive = 1; positive >= 0; positive--)
    for (size_t i = 0; i < node->body.list.count; i++) {
      if ((datalog_positive(node->body.list.items[i]) != NULL) != positive) continue;
      assert_true(rule->step_count < STEPS_MAX);
      rule->steps[rule->step_count++] = read_step(evaluation, node->body.list.items[i], names, &count);
    }
  rule->head = read_step(evaluation, node->derives.node, names, &count);
}

static uint64_t value_of(const struct evaluation *evaluation, struct term term) {
  return term.variable ? evaluation->values[term.number] : term.number;
}

static uint64_t key_of(const struct evaluation *evaluation, const struct step *step) {
  uint64_t key = 0;
  for (size_t i = 0; i < step->term_count; i++) key |= value_of(evaluation, step->terms[i]) << (16 * i);
  return key;
}

static bool compares(uint32_t order, uint64_t left, uint64_t right) {
  return order == DATALOG_EQUAL ? left == right : order == DATALOG_UNEQUAL ? left != right : left < right;
}

/* Matches steps from `at` on; `bound` is a set of variables. Returns whether a new tuple was derived. */
static bool match(struct evaluation *evaluation, const struct rule *rule, size_t at, uint64_t bound) {
  evaluation->work++;
  if (at == rule->step_count)
    return add_tuple(&evaluation->tables[rule->head.relation], key_of(evaluation, &rule->head));
  const struct step *step = &rule->steps[at];
  struct table *table = &evaluation->tables[step->relation];
  if (step->kind == COMPARISON) {
    uint64_t left = value_of(evaluation, step->terms[0]), right = value_of(evaluation, step->terms[1]);
    return compares(step->order, left, right) && match(evaluation, rule, at + 1, bound);
  }
  if (step->kind == NEGATED)
    return !*slot_of(table, key_of(evaluation, step)) && match(evaluation, rule, at + 1, bound);
  bool news = false;
  size_t count = table->count;
  for (size_t i = 0; i < count && evaluation->work < WORK_MAX; i++) {
    uint64_t now = bound;
    bool fits = true;
    for (size_t k = 0; k < step->term_count && fits; k++) {
      uint64_t value = table->keys[i] >> (16 * k) & 0xffff;
      struct term term = step->terms[k];
      if (term.variable && !(now >> term.number & 1)) {
        evaluation->values[term.number] = value;
        now |= (uint64_t)1 << term.number;
      }
      fits = value_of(evaluation, term) == value;
    }
    evaluation->work++;
    if (fits) news |= match(evaluation, rule, at + 1, now);
  }
  return news;
}

static size_t assign_levels(struct evaluation *evaluation, size_t rule_count) {
  size_t highest = 0;
  for (bool news = true; news;) {
    news = false;
    for (size_t i = 0; i < rule_count; i++)
      for (size_t k = 0; k < evaluation->rules[i].step_count; k++) {
        const struct step *step = &evaluation->rules[i].steps[k];
        if (step->kind == COMPARISON) continue;
        size_t least = evaluation->levels[step->relation] + (step->kind == NEGATED);
        size_t *level = &evaluation->levels[evaluation->rules[i].head.relation];
        assert_true(least <= RELATIONS_MAX);
        if (*level >= least) continue;
        *level = least;
        news = true;
        if (least > highest) highest = least;
      }
  }
  return highest;
}

/* NULL where it would take too long. */
static struct evaluation *evaluate(const struct ew_node *program, const struct ew_node *facts) {
  struct evaluation *evaluation = EW_NEW(&arena, struct evaluation);
  evaluation->program = DATALOG_AS(program, program);
  struct ew_list atoms = DATALOG_AS(facts, facts)->atoms.list;
  for (size_t i = 0; i < atoms.count; i++) {
    size_t none = 0;
    struct step fact = read_step(evaluation, atoms.items[i], NULL, &none);
    add_tuple(&evaluation->tables[fact.relation], key_of(evaluation, &fact));
  }
  size_t rule_count = evaluation->program->rules.list.count;
  for (size_t i = 0; i < rule_count; i++) read_rule(evaluation, i);
  size_t highest = assign_levels(evaluation, rule_count);
  for (size_t level = 0; level <= highest; level++)
    for (bool news = true; news;) {
      news = false;
      for (size_t i = 0; i < rule_count; i++) {
        const struct rule *rule = &evaluation->rules[i];
        if (evaluation->levels[rule->head.relation] == level) news |= match(evaluation, rule, 0, 0);
      }
      if (evaluation->work >= WORK_MAX) return NULL;
    }
  return evaluation;
}

static bool same_tables(struct evaluation *a, struct evaluation *b) {
  for (size_t i = 0; i < RELATIONS_MAX; i++) {
    if (a->tables[i].count != b->tables[i].count) return false;
    for (size_t k = 0; k < a->tables[i].count; k++)
      if (!*slot_of(&b->tables[i], a->tables[i].keys[k])) return false;
  }
  return true;
}

/* ---- tests ---- */

static void generated_programs_pass_the_check(void **state) {
  (void)state;
  for (uint64_t number = 0; number < 3000; number++) {
    struct ew_random random;
    ew_arena_reset(&arena);
    struct ew_case test = generated(number, &random);
    if (!ew_datalog.check(&test, true)) fail_msg("program %d does not pass", (int)number);
  }
}

/* Most outputs hold something, or there would be little to compare. */
static void generated_programs_derive_something(void **state) {
  size_t outputs = 0, filled = 0;
  (void)state;
  for (uint64_t number = 0; number < 1000; number++) {
    struct ew_random random;
    ew_arena_reset(&arena);
    struct ew_case test = generated(number, &random);
    struct evaluation *evaluation = evaluate(test.base, test.scene.data);
    struct ew_names names = evaluation ? evaluation->program->outputs.names : (struct ew_names){0};
    for (size_t i = 0; i < names.count; i++)
      filled += evaluation->tables[relation_index(evaluation->program, names.items[i])].count > 0;
    outputs += names.count;
  }
  print_message("%zu of %zu outputs are not empty\n", filled, outputs);
  assert_true(filled * 100 > outputs * 70);
}

/* Up to four steps on a program; the evaluator must see no difference. */
static void addeq_keeps_the_meaning(void **state) {
  const struct ew_rule_step *addeq = ew_datalog.steps[0];
  size_t tried = 0;
  (void)state;
  for (uint64_t number = 0; number < 2500; number++) {
    struct ew_random random;
    ew_arena_reset(&arena);
    struct ew_case test = generated(number, &random);
    struct ew_builder builder = ew_builder_for(&arena, test.base);
    const struct ew_node *program = test.base;
    for (size_t left = 1 + number % 4; left; left--) {
      struct ew_recipe recipe;
      assert_true(addeq->choose(&builder, program, &random, &recipe));
      program = addeq->apply(&builder, program, &recipe);
      assert_non_null(program);
    }
    struct evaluation *before = evaluate(test.base, test.scene.data);
    struct evaluation *after = before ? evaluate(program, test.scene.data) : NULL;
    if (!after) continue;
    assert_true(
        ew_datalog.check(&(struct ew_case){.language = &ew_datalog, .scene = test.scene, .base = program}, true));
    if (!same_tables(before, after)) fail_msg("program %d means something else after addEQ", (int)number);
    tried++;
  }
  print_message("%zu programs tried\n", tried);
  assert_true(tried >= 2000);
}

static struct ew_case composed(uint64_t number) {
  struct ew_random random;
  struct ew_case test = generated(number, &random);
  void *world = ew_generate_datalog.prepare(NULL, NULL, NULL, &test.scene);
  struct ew_compose compose = {.generator = &ew_generate_datalog, .world = world, .random = random, .arena = &arena};
  assert_true(ew_oracle_datalog.compose(&compose, &test));
  ew_generate_datalog.release(world);
  return test;
}

static void the_oracle_claims_the_same(void **state) {
  struct ew_outcome outcomes[2] = {0};
  size_t longest = 0;
  (void)state;
  assert_true(ew_oracle_datalog.speaks(&ew_datalog));
  for (uint64_t number = 0; number < 200; number++) {
    ew_arena_reset(&arena);
    struct ew_case test = composed(number);
    struct ew_step step = ew_oracle_datalog.next(&test, NULL, NULL, 0, &arena);
    assert_int_equal(step.kind, EW_STEP_RUN);
    assert_int_equal(step.run_count, 2);
    const struct ew_statement *first = step.runs[0].program.statements, *second = step.runs[1].program.statements;
    assert_ptr_equal(first->tree, test.base);
    assert_true(second->text.length > first->text.length);
    struct evaluation *before = evaluate(first->tree, test.scene.data);
    struct evaluation *after = before ? evaluate(second->tree, test.scene.data) : NULL;
    if (after) assert_true(same_tables(before, after));
    struct ew_case copy = test;
    copy.base = ew_tree_clone(&arena, test.base);
    step = ew_oracle_datalog.next(&copy, NULL, NULL, 0, &arena);
    assert_true(ew_span_equal(step.runs[1].program.statements->text, second->text));
    step = ew_oracle_datalog.next(&test, NULL, outcomes, 2, &arena);
    assert_int_equal(step.kind, EW_STEP_JUDGE);
    assert_int_equal(step.claim.relation, EW_RELATION_same);
    if (test.recipe.number_count > longest) longest = test.recipe.number_count;
  }
  assert_in_range(longest, 3 * 5, 3 * 7);
}

static void the_oracle_leaves_out_stale_steps(void **state) {
  (void)state;
  struct ew_case test = composed(3);
  int64_t key = test.recipe.numbers[0], atom = test.recipe.numbers[3], positions = test.recipe.numbers[4];
  int64_t stale[] = {key, 2, 0, 0, 1, key, 2, 0, atom, positions};
  struct ew_step (*next)(const struct ew_case *, const struct ew_profile *, const struct ew_outcome *, size_t,
                         struct ew_arena *) = ew_oracle_datalog.next;
  test.recipe = (struct ew_recipe){.numbers = stale, .number_count = EW_COUNT(stale)};
  assert_int_equal(next(&test, NULL, NULL, 0, &arena).kind, EW_STEP_RUN);
  test.recipe.number_count = 5; /* only the stale one */
  assert_int_equal(next(&test, NULL, NULL, 0, &arena).kind, EW_STEP_NONE);
  test.recipe.number_count = 0;
  assert_int_equal(next(&test, NULL, NULL, 0, &arena).kind, EW_STEP_NONE);
  static const int64_t bad[][5] = {
      {1, 2, 0, 0, 1}, {0, -1, 0, 0, 0}, {0, 0, -1, 0, 0}, {0, 3, 0, 0, 0}, {0, 2, 1, 0, 0}};
  for (size_t i = 0; i < EW_COUNT(bad); i++) {
    int64_t numbers[5];
    memcpy(numbers, bad[i], sizeof numbers);
    if (!numbers[0]) numbers[0] = key;
    test.recipe = (struct ew_recipe){.numbers = numbers, .number_count = EW_COUNT(numbers)};
    assert_int_equal(next(&test, NULL, NULL, 0, &arena).kind, EW_STEP_NONE);
  }
}

/* The same bytes on every machine. A change that is meant raises EW_GENERATOR_VERSION and writes the file anew, with
   EW_WRITE_GOLDEN set. */
static void seed_7_gives_the_same_bytes(void **state) {
  static const char path[] = "tests/golden/datalog-seed7.txt";
  struct ew_text text = {0}, golden = {0};
  struct ew_error error;
  uint64_t hash = 0;
  (void)state;
  for (uint64_t number = 0; number < 1000; number++) {
    struct ew_random random;
    ew_arena_reset(&arena);
    struct ew_case test = generated(number, &random);
    struct ew_span program = ew_datalog.ask(&arena, &test.scene, test.base, NULL).statements->text;
    hash = ew_hash_span(program, hash);
    if (number >= 3) continue;
    ew_text_add_format(&text, "; program %d of seed 7\n", (int)number);
    ew_text_add(&text, program);
    ew_text_add_char(&text, '\n');
  }
  ew_text_add_format(&text, "; hash of the first 1000: %016llx\n", (unsigned long long)hash);
  if (getenv("EW_WRITE_GOLDEN")) assert_int_equal(ew_file_replace(path, ew_text_span(&text), &error), EW_OK);
  assert_int_equal(ew_file_read(path, 1 << 20, &golden, &error), EW_OK);
  assert_string_equal(text.bytes, golden.bytes);
  ew_text_release(&text);
  ew_text_release(&golden);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(generated_programs_pass_the_check, set_up, tear_down),
      cmocka_unit_test_setup_teardown(generated_programs_derive_something, set_up, tear_down),
      cmocka_unit_test_setup_teardown(addeq_keeps_the_meaning, set_up, tear_down),
      cmocka_unit_test_setup_teardown(the_oracle_claims_the_same, set_up, tear_down),
      cmocka_unit_test_setup_teardown(the_oracle_leaves_out_stale_steps, set_up, tear_down),
      cmocka_unit_test_setup_teardown(seed_7_gives_the_same_bytes, set_up, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
