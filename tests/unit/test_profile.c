/* test_profile.c: reading profiles: what is taken, what is refused and in which line, and what an error's text means. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/random.h"
#include "contract/profile.h"

#define HEAD "[engine]\nname = toy\nlanguage = cypher\n"

static void test_reads_every_section(void **state) {
  (void)state;
  static const char text[] = HEAD
      "adapter = scripted\ndefault_version = 1.2\n"
      "[has]\nclauses = match, optional_match,\n  where\noperators = +, =~\n"
      "[functions]\nleft = (STRING, INTEGER) -> STRING\nsize = (STRING) -> INTEGER | (LIST) -> INTEGER\npi = () -> "
      "FLOAT\n"
      "[semantics]\nfloat_digits = 10\nnan_equals_nan = 1\n"
      "[errors]\nrefused.syntax = SyntaxError: *\nexpected.overflow = *integer overflow*\ntransient.memory = out of *\n"
      "[settings]\nstart = fast\n[known]\nbug-1 = an address\n";
  struct ew_profile profile;
  struct ew_error error;
  struct ew_span reason;
  assert_int_equal(ew_profile_parse(&profile, "toy.ini", ew_span_of(text), &error), EW_OK);
  assert_true(ew_span_is(profile.adapter, "scripted"));
  assert_true(ew_span_is(profile.default_version, "1.2"));
  assert_true(ew_profile_has(&profile, "clauses", "optional_match"));
  assert_true(ew_profile_has(&profile, "clauses", "where"));
  assert_true(ew_profile_has(&profile, "operators", "=~"));
  assert_false(ew_profile_has(&profile, "clauses", "merge"));
  assert_false(ew_profile_has(&profile, "operators", "where"));
  assert_int_equal(profile.function_count, 4);
  assert_int_equal(profile.functions[0].argument_count, 2);
  assert_true(ew_span_is(profile.functions[0].arguments[1], "INTEGER"));
  assert_true(ew_span_is(profile.functions[2].arguments[0], "LIST"));
  assert_int_equal(profile.functions[3].argument_count, 0);
  assert_int_equal(profile.semantics.float_digits, 10);
  assert_int_equal(profile.semantics.nan_equals_nan, 1);
  assert_true(ew_span_is(ew_profile_setting(&profile, "start", EW_SPAN("slow")), "fast"));
  assert_true(ew_span_is(ew_profile_setting(&profile, "stop", EW_SPAN("slow")), "slow"));
  assert_int_equal(ew_profile_classify(&profile, EW_SPAN("SyntaxError: no"), &reason), EW_ERROR_REFUSED);
  assert_true(ew_span_is(reason, "syntax"));
  assert_int_equal(ew_profile_classify(&profile, EW_SPAN("an integer overflow!"), &reason), EW_ERROR_EXPECTED);
  assert_int_equal(ew_profile_classify(&profile, EW_SPAN("out of memory"), &reason), EW_ERROR_TRANSIENT);
  assert_int_equal(ew_profile_classify(&profile, EW_SPAN("no such column"), &reason), EW_ERROR_UNEXPECTED);
  assert_int_equal(profile.known_count, 1);
  ew_profile_release(&profile);
}

static void test_refuses_with_line(void **state) {
  (void)state;
  static const struct {
    const char *text, *message;
  } cases[] = {
      {HEAD "colour = blue\n", "x.ini:4: [engine] has no key 'colour'"},
      {HEAD "[has]\nclauses = match\nmagic = x\n", "x.ini:6: [has] has no group 'magic'"},
      {HEAD "[functions]\nf = STRING\n", "x.ini:5: a signature such as (STRING, INTEGER) -> STRING expected"},
      {HEAD "[functions]\nf = (string) -> STRING\n", "x.ini:5: 'string' is no type"},
      {HEAD "[functions]\nf = (STRING) STRING\n", "x.ini:5: '->' and the type of the result expected"},
      {HEAD "[functions]\nf = (A, A, A, A, A) -> A\n", "x.ini:5: at most 4 arguments"},
      {HEAD "[functions]\nf = (A ..., A) -> A\n", "x.ini:5: nothing may follow '...'"},
      {HEAD "[functions]\nf = (...) -> A\n", "x.ini:5: '...' is no type"},
      {HEAD "[lacks]\nmagic = x\n", "x.ini:5: [lacks] has no group 'magic'"},
      {HEAD "[has]\nclauses = a\n[lacks]\nclauses = a, b\n", "x.ini:7: 'b' is not there to be taken away"},
      {HEAD "[templates]\nt = integer: 1\n", "x.ini:5: a type or CLAUSE, a colon and the text expected"},
      {HEAD "[templates]\nt = INTEGER\n", "x.ini:5: a type or CLAUSE, a colon and the text expected"},
      {HEAD "extends = y.ini\n", "x.ini:4: 'extends' must be the first key of the file"},
      {"[engine]\nextends = a/y.ini\n", "x.ini:2: the name of a file in the same folder expected"},
      {HEAD "[semantics]\nfloat_digits = many\n", "x.ini:5: a whole number expected for 'float_digits'"},
      {HEAD "[semantics]\ncolour = 1\n", "x.ini:5: no knob is called 'colour'; see value/semantics.def"},
      {HEAD "[errors]\nodd.x = y\n",
       "x.ini:5: refused.REASON, expected.REASON, transient.REASON or raised.REASON expected, not 'odd.x'"},
      {HEAD "[nothing]\na = b\n", "x.ini:5: no section is called [nothing]"},
      {HEAD "no equals sign\n", "x.ini:4: not 'name = value'"},
      {"[engine]\nname = x\n", "x.ini: [engine] must have name and language"},
      {"", "x.ini: [engine] must have name and language"},
  };
  for (size_t i = 0; i < EW_COUNT(cases); i++) {
    struct ew_profile profile;
    struct ew_error error = {""};
    assert_int_equal(ew_profile_parse(&profile, "x.ini", ew_span_of(cases[i].text), &error), EW_BAD);
    assert_string_equal(error.text, cases[i].message);
    ew_profile_release(&profile);
  }
}

/* ---- profiles that extend others ---- */

static char folder[] = "/tmp/edgewise-profile-XXXXXX";

static void write_profile(const char *name, const char *text) {
  char path[200];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  assert_int_equal(ew_file_replace(path, ew_span_of(text), NULL), EW_OK);
}

static enum ew_status read_profile(struct ew_profile *profile, const char *name, struct ew_error *error) {
  char path[200];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return ew_profile_read(profile, path, error);
}

static void test_extends(void **state) {
  struct ew_profile base, profile;
  struct ew_error error;
  (void)state;
  assert_non_null(mkdtemp(folder));
  write_profile("base.ini", HEAD
                "[has]\nclauses = a, b, c\n[functions]\nf = (A) -> A\ng = (A) -> A\nh = (A, A ...) -> A\n"
                "[semantics]\nfloat_digits = 5\n[spelling]\nindex = FOR\n[settings]\ns = 1\nt = 1\n"
                "[templates]\nt = ANY: x : y\n");
  write_profile("next.ini",
                "[engine]\nextends = base.ini\nname = next\n[has]\nclauses = d\n[lacks]\nclauses = b\nfunctions = g\n"
                "[functions]\nf = (B) -> B | (C) -> C\n[spelling]\nindex = ON\n[settings]\ns = 2\n");
  write_profile("last.ini", "[engine]\nextends = next.ini\n[has]\nclauses = b\n");
  write_profile("loop.ini", "[engine]\nextends = loop.ini\n");
  write_profile("wrong.ini", "[engine]\nextends = last.ini\n[has]\ncolour = red\n");
  write_profile("above.ini", "[engine]\nextends = wrong.ini\n");
  assert_int_equal(read_profile(&base, "base.ini", &error), EW_OK);
  assert_int_equal(read_profile(&profile, "next.ini", &error), EW_OK);
  assert_true(ew_span_is(profile.name, "next"));
  assert_true(ew_span_is(profile.language, "cypher"));
  assert_true(ew_profile_has(&profile, "clauses", "a"));
  assert_false(ew_profile_has(&profile, "clauses", "b"));
  assert_true(ew_profile_has(&profile, "clauses", "d"));
  assert_int_equal(profile.construct_count, 3);
  assert_int_equal(profile.function_count, 3);
  assert_true(profile.functions[0].more);
  assert_true(ew_span_is(profile.functions[1].result, "B"));
  assert_int_equal(profile.semantics.float_digits, 5);
  assert_true(ew_span_is(ew_profile_spelling(&profile, "index"), "ON"));
  assert_true(ew_span_is(ew_profile_spelling(&profile, "fish"), ""));
  assert_true(ew_span_is(ew_profile_setting(&profile, "s", EW_SPAN("")), "2"));
  assert_true(ew_span_is(ew_profile_setting(&profile, "t", EW_SPAN("")), "1"));
  assert_true(ew_span_is(profile.templates[0].text, "x : y"));
  assert_int_equal(profile.templates[0].at.number, 18);
  assert_true(base.hash != profile.hash);
  ew_profile_release(&base);
  ew_profile_release(&profile);
  assert_int_equal(read_profile(&profile, "last.ini", &error), EW_OK);
  assert_true(ew_profile_has(&profile, "clauses", "b"));
  ew_profile_release(&profile);
  assert_int_equal(read_profile(&profile, "loop.ini", &error), EW_BAD);
  assert_non_null(strstr(error.text, "loop.ini:2: more than 4 files extend each other"));
  ew_profile_release(&profile);
  assert_int_equal(read_profile(&profile, "above.ini", &error), EW_BAD);
  assert_non_null(strstr(error.text, "wrong.ini:4: [has] has no group 'colour'"));
  ew_profile_release(&profile);
  ew_folder_remove(folder);
}

static void test_long_lines_and_garbage(void **state) {
  (void)state;
  char text[400];
  struct ew_profile profile;
  struct ew_error error;
  snprintf(text, sizeof text, HEAD "%0250d\n", 0);
  assert_int_equal(ew_profile_parse(&profile, "x.ini", ew_span_of(text), &error), EW_BAD);
  assert_string_equal(error.text, "x.ini:4: the line has more than 190 bytes; go on in an indented line");
  ew_profile_release(&profile);
  struct ew_random random = ew_random_from(1);
  for (int i = 0; i < 2000; i++) {
    static const char letters[] = "[]=;:#\n ()->|,*\"abcengilnsfo.";
    size_t length = ew_random_below(&random, sizeof text);
    for (size_t k = 0; k < length; k++)
      text[k] = ew_random_chance(&random, 95) ? letters[ew_random_below(&random, sizeof letters - 1)]
                                              : (char)ew_random_below(&random, 256);
    enum ew_status status = ew_profile_parse(&profile, "x.ini", (struct ew_span){text, length}, &error);
    assert_true(status == EW_BAD || status == EW_OK);
    ew_profile_release(&profile);
  }
}

static void test_patterns(void **state) {
  (void)state;
  static const struct {
    const char *pattern, *text;
    bool matches;
  } cases[] = {
      {"", "", true},          {"", "a", false},           {"*", "", true},
      {"*", "abc", true},      {"a*c", "abbc", true},      {"a*c", "ab", false},
      {"*b*", "abc", true},    {"a**b", "ab", true},       {"ab", "abc", false},
      {"*aab", "aaaab", true}, {"*a*b*c", "xaybzc", true}, {"*a*b*c", "xbyazc", false},
  };
  for (size_t i = 0; i < EW_COUNT(cases); i++)
    assert_int_equal(ew_pattern_matches(ew_span_of(cases[i].pattern), ew_span_of(cases[i].text)), cases[i].matches);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_reads_every_section),
      cmocka_unit_test(test_refuses_with_line),
      cmocka_unit_test(test_extends),
      cmocka_unit_test(test_long_lines_and_garbage),
      cmocka_unit_test(test_patterns),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
