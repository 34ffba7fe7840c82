/* test_z3.c: the system's libz3, in a host. Skipped where there is none. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "contract/profile.h"
#include "engine/adapters.h"
#include "engine/instance.h"

struct fixture {
  struct ew_instance instance;
  struct ew_arena arena;
  bool there;
};

static int setup(void **state) {
  static struct fixture fixture;
  struct ew_error error;
  fixture = (struct fixture){0};
  *state = &fixture;
  const char *library = getenv("EDGEWISE_LIBZ3");
  const struct ew_option options[] = {{EW_SPAN("library"), ew_span_of(library ? library : "")}};
  if (ew_instance_init(&fixture.instance, &ew_adapter_z3, &(struct ew_settings){options, 1}, &error)) return -1;
  enum ew_status status = ew_instance_start(&fixture.instance, &error);
  fixture.there = status == EW_OK;
  return status == EW_OK || status == EW_MISSING ? 0 : -1;
}

static int teardown(void **state) {
  struct fixture *fixture = *state;
  ew_instance_release(&fixture->instance);
  ew_arena_release(&fixture->arena);
  return waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD ? 0 : -1;
}

static struct fixture *engine_of(void **state) {
  struct fixture *fixture = *state;
  if (!fixture->there) skip();
  return fixture;
}

static const struct ew_statement_outcome *ask(struct fixture *fixture, const char *text, const struct ew_option *option,
                                              int64_t limit) {
  const struct ew_statement statement = {.text = ew_span_of(text)};
  const struct ew_batch batch = {
      .program = {&statement, 1}, .options = option, .option_count = option != NULL, .limit = limit};
  return ew_instance_run(&fixture->instance, &batch, &fixture->arena).statements;
}

#define PROGRAM                                                                                                     \
  "(declare-rel E ((_ BitVec 3) (_ BitVec 3)))(declare-rel P ((_ BitVec 3) (_ BitVec 3)))(declare-rel None (Bool))" \
  "(declare-rel Yes ())(declare-rel One ((_ BitVec 3)))(declare-rel Flag (Bool))"                                   \
  "(declare-var x (_ BitVec 3))(declare-var y (_ BitVec 3))(declare-var z (_ BitVec 3))"                            \
  "(rule (E #b000 #b001))(rule (E #b001 #b010))(rule (One #b101))(rule Yes)(rule (Flag true))"                      \
  "(rule (=> (E x y) (P x y)))(rule (=> (and (P x y) (E y z)) (P x z)))"

#define UNSTRATIFIED                                                                         \
  "(declare-rel A ((_ BitVec 2)))(declare-rel B ((_ BitVec 2)))(declare-var x (_ BitVec 2))" \
  "(rule (=> (not (A x)) (B x)))(rule (=> (not (B x)) (A x)))(query A)"

static bool has_tuple(const struct ew_rows *rows, const char *relation, size_t arity, const int64_t *tuple) {
  for (size_t i = 0; i < rows->row_count; i++) {
    const struct ew_value *row = ew_row(rows, i);
    bool same = ew_span_is(row[0].string, relation) && row[1].list.count == arity;
    for (size_t j = 0; j < arity && same; j++) same = row[1].list.items[j].integer == tuple[j];
    if (same) return true;
  }
  return false;
}

static void check_program(struct fixture *fixture, const struct ew_option *option) {
  const struct ew_statement_outcome *outcome =
      ask(fixture, PROGRAM "(query P)(query None)(query Yes)(query One)(query Flag)", option, 5 * EW_SECOND);
  if (outcome->kind != EW_OUTCOME_ROWS) fail_msg("%.*s", EW_SPAN_ARGS(outcome->text));
  const struct ew_rows *rows = &outcome->rows;
  assert_int_equal(rows->row_count, 6);
  assert_true(ew_span_is(rows->columns[0], "relation"));
  assert_true(has_tuple(rows, "P", 2, (const int64_t[]){0, 1}));
  assert_true(has_tuple(rows, "P", 2, (const int64_t[]){1, 2}));
  assert_true(has_tuple(rows, "P", 2, (const int64_t[]){0, 2}));
  assert_true(has_tuple(rows, "Yes", 0, NULL));
  assert_true(has_tuple(rows, "One", 1, (const int64_t[]){5}));
  assert_true(has_tuple(rows, "Flag", 1, (const int64_t[]){1}));
}

static void programs_are_answered(void **state) {
  struct fixture *fixture = engine_of(state);
  assert_true(ew_instance_version(&fixture->instance).length > 0);
  check_program(fixture, NULL);
}

static void options_are_parameters(void **state) {
  struct fixture *fixture = engine_of(state);
  static const struct ew_option options[] = {
      {{"xform.slice", 11}, {"false", 5}},
      {{"datalog.default_table", 21}, {"hashtable", 9}},
      {{"fp.xform.magic", 14}, {"true", 4}},
      {{"datalog.default_relation", 24}, {"doc", 3}}, /* answers in another form */
  };
  for (size_t i = 0; i < EW_COUNT(options); i++) check_program(fixture, &options[i]);
  static const struct ew_option wrong = {{"no.such", 7}, {"1", 1}};
  assert_int_equal(ask(fixture, PROGRAM "(query P)", &wrong, EW_SECOND)->kind, EW_OUTCOME_ERROR);
}

static void errors_say_what_is_wrong(void **state) {
  struct fixture *fixture = engine_of(state);
  static const char *const texts[] = {
      PROGRAM "(query Nothing)",
      PROGRAM "(rule (=> (Q x) (One x)))(query One)",
      PROGRAM "(declare-rel One ((_ BitVec 3)))",
      UNSTRATIFIED,
  };
  struct ew_profile profile;
  struct ew_error error = {""};
  if (ew_profile_read(&profile, "engines/z3/profile.ini", &error)) fail_msg("%s", error.text);
  for (size_t i = 0; i < EW_COUNT(texts); i++) {
    const struct ew_statement_outcome *outcome = ask(fixture, texts[i], NULL, EW_SECOND);
    struct ew_span reason;
    if (outcome->kind != EW_OUTCOME_ERROR || ew_profile_classify(&profile, outcome->text, &reason) != EW_ERROR_REFUSED)
      fail_msg("%zu: %.*s", i, EW_SPAN_ARGS(outcome->text));
  }
  ew_profile_release(&profile);
  check_program(fixture, NULL);
}

/* Stopped by z3 itself or by the worker: which of the two is not for us to say. */
static void long_programs_end(void **state) {
  struct fixture *fixture = engine_of(state);
  struct ew_text text = {0};
  ew_text_add_string(&text,
                     "(declare-rel S ((_ BitVec 10)))(declare-rel P ((_ BitVec 10) (_ BitVec 10)))"
                     "(declare-var x (_ BitVec 10))(declare-var y (_ BitVec 10))(declare-var z (_ BitVec 10))");
  for (int i = 0; i < 600; i++) ew_text_add_format(&text, "(rule (S (_ bv%d 10)))", i);
  ew_text_add_string(&text, "(rule (=> (and (S x) (S y)) (P x y)))(rule (=> (and (P x y) (P y z)) (P x z)))(query P)");
  enum ew_outcome_kind kind = ask(fixture, text.bytes, NULL, 100 * EW_MILLISECOND)->kind;
  ew_text_release(&text);
  assert_true(kind == EW_OUTCOME_TIMEOUT || kind == EW_OUTCOME_HANG);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(programs_are_answered, setup, teardown),
      cmocka_unit_test_setup_teardown(options_are_parameters, setup, teardown),
      cmocka_unit_test_setup_teardown(errors_say_what_is_wrong, setup, teardown),
      cmocka_unit_test_setup_teardown(long_programs_end, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
