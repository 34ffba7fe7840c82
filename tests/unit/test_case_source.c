/* test_case_source.c: case n is made from its key alone, whatever was asked for before it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/hash.h"
#include "hunt/case_source.h"
#include "oracle/oracles.h"
#include "scripted.h"

enum { CASES = 3 * EW_CASES_PER_SCENE };

static const struct ew_oracle *const both[] = {&ew_oracle_survive, &ew_oracle_partition, NULL};
static const struct ew_oracle *const all[] = {&ew_oracle_datalog, &ew_oracle_survive, &ew_oracle_partition, NULL};
static struct ew_profile profile;

static int begin(void **state) {
  struct ew_error error;
  (void)state;
  return (int)ew_profile_parse(&profile, "profile.ini", ew_span_of(SCRIPTED("")), &error);
}

static int end(void **state) {
  (void)state;
  ew_profile_release(&profile);
  return 0;
}

static void open_source(struct ew_case_source *source, const struct ew_oracle *const *oracles, uint64_t seed) {
  struct ew_error error;
  assert_int_equal(ew_case_source_init(source, &profile, oracles, NULL, seed, &error), EW_OK);
}

/* Of all that is stored of case `number`, its scene and its oracle too; 1 where there is none. */
static uint64_t hash_of(struct ew_case_source *source, uint64_t number) {
  struct ew_arena arena;
  struct ew_case test;
  const struct ew_oracle *oracle;
  struct ew_text text = {0};
  struct ew_json_writer writer;
  uint64_t hash = 1;
  ew_arena_init(&arena);
  if (ew_case_source_case(source, number, &arena, &test, &oracle)) {
    assert_int_equal(test.key.number, number);
    assert_true(test.language->check(&test, false));
    ew_json_writer_init(&writer, &text, 0);
    ew_case_write_json(&writer, &test);
    hash = ew_hash_span(ew_text_span(&text), ew_hash_bytes(oracle->name, strlen(oracle->name), 0));
  }
  ew_text_release(&text);
  ew_arena_release(&arena);
  return hash;
}

static void order_does_not_matter(void **state) {
  (void)state;
  struct ew_case_source one, other;
  static uint64_t hashes[CASES];
  size_t made = 0;
  open_source(&one, both, 7);
  open_source(&other, both, 7);
  for (size_t i = 0; i < CASES; i++) hashes[i] = hash_of(&one, i);
  for (size_t i = CASES; i-- > 0;) assert_true(hash_of(&one, i) == hashes[i]);
  for (size_t i = 0; i < CASES; i++) assert_true(hash_of(&other, i * 37 % CASES) == hashes[i * 37 % CASES]);
  for (size_t i = 0; i < CASES; i++) {
    made += hashes[i] != 1;
    for (size_t k = 0; k < i && hashes[i] != 1; k++) assert_true(hashes[i] != hashes[k]);
  }
  assert_true(made > CASES * 8 / 10);
  ew_case_source_release(&one);
  ew_case_source_release(&other);
}

static void the_key_matters(void **state) {
  (void)state;
  struct ew_case_source one, seeded, narrowed, profiled;
  struct ew_profile another;
  struct ew_error error;
  open_source(&one, both, 7);
  open_source(&seeded, both, 8);
  open_source(&narrowed, both + 1, 7);
  assert_int_equal(ew_profile_parse(&another, "p", ew_span_of(SCRIPTED("a = b\n")), &error), EW_OK);
  assert_int_equal(ew_case_source_init(&profiled, &another, both, NULL, 7, &error), EW_OK);
  assert_true(hash_of(&one, 5) != hash_of(&seeded, 5));
  assert_true(one.shape != narrowed.shape && one.shape != profiled.shape && one.shape == seeded.shape);
  ew_case_source_release(&one);
  ew_case_source_release(&seeded);
  ew_case_source_release(&narrowed);
  ew_case_source_release(&profiled);
  ew_profile_release(&another);
}

/* One that does not speak the language passes its turn on. */
static void oracles_take_turns(void **state) {
  (void)state;
  struct ew_case_source source;
  struct ew_arena arena;
  ew_arena_init(&arena);
  open_source(&source, both, 7);
  for (uint64_t i = 0; i < 20; i++) {
    struct ew_case test;
    const struct ew_oracle *oracle;
    ew_case_source_case(&source, i, &arena, &test, &oracle);
    assert_ptr_equal(oracle, both[i % 2]);
  }
  ew_case_source_release(&source);
  open_source(&source, all, 7);
  for (uint64_t i = 0; i < 20; i++) {
    struct ew_case test;
    const struct ew_oracle *oracle;
    ew_case_source_case(&source, i, &arena, &test, &oracle);
    assert_true(oracle->speaks(test.language));
  }
  ew_case_source_release(&source);
  ew_arena_release(&arena);
}

static void what_cannot_be_made_is_said(void **state) {
  (void)state;
  struct ew_case_source source;
  struct ew_profile klingon;
  struct ew_error error;
  static const struct ew_oracle *const none[] = {&ew_oracle_datalog, NULL};
  assert_int_equal(ew_case_source_init(&source, &profile, none, NULL, 7, &error), EW_USAGE);
  assert_non_null(strstr(error.text, "speaks cypher"));
  ew_case_source_release(&source);
  assert_int_equal(ew_profile_parse(&klingon, "p", EW_SPAN("[engine]\nname = x\nlanguage = klingon\n"), &error), EW_OK);
  assert_int_equal(ew_case_source_init(&source, &klingon, both, NULL, 7, &error), EW_USAGE);
  assert_non_null(strstr(error.text, "klingon"));
  ew_case_source_release(&source);
  ew_profile_release(&klingon);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(order_does_not_matter, begin, end),
      cmocka_unit_test_setup_teardown(the_key_matters, begin, end),
      cmocka_unit_test_setup_teardown(oracles_take_turns, begin, end),
      cmocka_unit_test_setup_teardown(what_cannot_be_made_is_said, begin, end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
