/* test_packstream.c: every value survives PackStream, in the forms of Bolt 4.4 and 5; known bytes mean what the specification
   says; no bytes, however wrong, do harm. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "engine/packstream.h"
#include "random_value.h"

static const struct ew_packstream_form forms[] = {{false, false}, {true, false}, {true, true}};

struct reading {
  struct ew_arena arena;
  struct ew_packstream_reader reader;
  struct ew_value value;
  bool finished;
};

static void read_bytes(struct reading *reading, const char *bytes, size_t length) {
  ew_arena_init(&reading->arena);
  ew_packstream_reader_init(&reading->reader, (struct ew_span){bytes, length}, &reading->arena);
  reading->value = ew_packstream_read(&reading->reader);
  reading->finished = ew_packstream_finish(&reading->reader);
}

#define READ(reading, literal) read_bytes((reading), (literal), sizeof(literal) - 1)

static struct ew_text printed(struct ew_value value) {
  struct ew_text text = {0};
  ew_value_print(&text, value);
  return text;
}

/* Points keep their third axis, offsets their hours, and days their seconds only as far as PackStream can say them. */
static bool can_be_said(struct ew_value value) {
  struct ew_text text = printed(value);
  bool said = true;
  switch (value.kind) {
    case EW_VALUE_LIST:
      for (size_t i = 0; i < value.list.count; i++) said = said && can_be_said(value.list.items[i]);
      break;
    case EW_VALUE_MAP:
      for (size_t i = 0; i < value.map.count; i++) said = said && can_be_said(value.map.items[i].value);
      break;
    case EW_VALUE_LOCAL_DATETIME: said = llabs(value.local_datetime.day / 2) < INT64_C(1) << 44; break;
    case EW_VALUE_DATETIME:
      said = llabs(value.datetime->local.day / 2) < INT64_C(1) << 44 && !value.datetime->zone.length;
      break;
    case EW_VALUE_POINT: said = value.point->srid == 4979 || value.point->srid == 9157 || value.point->z == 0.0; break;
    default: break;
  }
  ew_text_release(&text);
  return said;
}

static void random_values_survive(void **state) {
  (void)state;
  const struct ew_semantics *semantics = &ew_semantics_standard;
  size_t tried = 0;
  for (uint64_t seed = 0; seed < 3000; seed++) {
    struct ew_arena arena;
    ew_arena_init(&arena);
    struct maker maker = {.random = ew_random_from(seed), .arena = &arena};
    struct ew_value value = random_value(&maker, 3);
    for (size_t i = 0; i < EW_COUNT(forms) && can_be_said(value); i++) {
      struct ew_text bytes = {0};
      struct reading reading;
      ew_packstream_write(&bytes, value, forms[i]);
      read_bytes(&reading, bytes.bytes, bytes.length);
      assert_true(reading.finished);
      if (!ew_value_same(reading.value, value, semantics)) {
        struct ew_text before = printed(value), after = printed(reading.value);
        fail_msg("%s became %s", before.bytes, after.bytes);
      }
      tried++;
      ew_arena_release(&reading.arena);
      ew_text_release(&bytes);
    }
    ew_arena_release(&arena);
  }
  assert_true(tried > 5000);
}

static void integers_of_every_width(void **state) {
  (void)state;
  static const struct {
    int64_t number;
    size_t length;
  } cases[] = {{0, 1},         {127, 1},        {-16, 1},         {-17, 2},       {-128, 2},     {128, 3},
               {-129, 3},      {32767, 3},      {-32768, 3},      {32768, 5},     {-32769, 5},   {INT32_MAX, 5},
               {INT32_MIN, 5}, {2147483648, 9}, {-2147483649, 9}, {INT64_MAX, 9}, {INT64_MIN, 9}};
  for (size_t i = 0; i < EW_COUNT(cases); i++) {
    struct ew_text bytes = {0};
    struct reading reading;
    ew_packstream_write_integer(&bytes, cases[i].number);
    assert_int_equal(bytes.length, cases[i].length);
    read_bytes(&reading, bytes.bytes, bytes.length);
    assert_true(reading.finished);
    assert_int_equal(reading.value.kind, EW_VALUE_INTEGER);
    assert_true(reading.value.integer == cases[i].number);
    ew_arena_release(&reading.arena);
    ew_text_release(&bytes);
  }
}

static void sizes_of_every_width(void **state) {
  (void)state;
  static const size_t sizes[] = {0, 15, 16, 255, 256, 65535, 65536};
  for (size_t i = 0; i < EW_COUNT(sizes); i++) {
    struct ew_text string = {0}, bytes = {0};
    struct reading reading;
    for (size_t k = 0; k < sizes[i]; k++) ew_text_add_char(&string, 'x');
    ew_packstream_write_string(&bytes, ew_text_span(&string));
    read_bytes(&reading, bytes.bytes, bytes.length);
    assert_true(reading.finished);
    assert_true(ew_span_equal(reading.value.string, ew_text_span(&string)));
    ew_arena_release(&reading.arena);
    ew_text_reset(&bytes);
    struct ew_value *items = calloc(sizes[i] + 1, sizeof *items);
    for (size_t k = 0; k < sizes[i]; k++) items[k] = ew_boolean(k % 2);
    ew_packstream_write(&bytes, ew_list(items, sizes[i]), forms[0]);
    read_bytes(&reading, bytes.bytes, bytes.length);
    assert_true(reading.finished);
    assert_int_equal(reading.value.list.count, sizes[i]);
    ew_arena_release(&reading.arena);
    free(items);
    ew_text_release(&string);
    ew_text_release(&bytes);
  }
}

/* What the specification's examples and a server's bytes look like; the text is what we print for them. */
static void known_bytes(void **state) {
  (void)state;
  const struct {
    struct ew_span bytes;
    const char *text;
  } cases[] = {
      {EW_SPAN("\xc0"), "null"},
      {EW_SPAN("\xc3"), "true"},
      {EW_SPAN("\xc1\x3f\xf3\xae\x14\x7a\xe1\x47\xae"), "1.23"},
      {EW_SPAN("\x85Hello"), "'Hello'"},
      {EW_SPAN("\x93\x01\x02\x03"), "[1, 2, 3]"},
      {EW_SPAN("\xcc\x02\x00\xff"), "[0, 255]"},
      {EW_SPAN("\xa2\x81"
               "b\x01\x81"
               "a\x02"),
       "{a: 2, b: 1}"},
      {EW_SPAN("\xb1\x44\xc9\x47\x91"), "date('2020-02-29')"},
      {EW_SPAN("\xb2\x54\xcb\x00\x00\x0a\x8c\x0d\x4c\xd2\x00\xc9\x0e\x10"), NULL},
      {EW_SPAN("\xb1\x74\x00"), "localtime('00:00:00')"},
      {EW_SPAN("\xb2\x64\x00\x01"), "localdatetime('1970-01-01T00:00:00.000000001')"},
      {EW_SPAN("\xb3\x46\x00\x00\xc9\x0e\x10"), "datetime('1970-01-01T00:00:00+01:00')"},
      {EW_SPAN("\xb3\x49\x00\x00\xc9\x0e\x10"), "datetime('1970-01-01T01:00:00+01:00')"},
      {EW_SPAN("\xb4\x45\x01\x02\x03\x04"), NULL},
      {EW_SPAN("\xb2\x56\xcc\x01\xc9\xcc\x04\x00\x01\xff\xff"), "[1, -1]"},
      {EW_SPAN("\xb2\x56\xcc\x01\xc6\xcc\x04\x3f\x80\x00\x00"), "[1.0]"},
  };
  for (size_t i = 0; i < EW_COUNT(cases); i++) {
    struct reading reading;
    read_bytes(&reading, cases[i].bytes.bytes, cases[i].bytes.length);
    if (!reading.finished) fail_msg("case %zu is wrong", i);
    struct ew_text text = printed(reading.value);
    if (cases[i].text) assert_string_equal(text.bytes, cases[i].text);
    ew_text_release(&text);
    ew_arena_release(&reading.arena);
  }
}

/* The offsets come from the system's table of zones: 1970 had no summer time in Berlin, July 2020 had. */
static void zones_have_offsets(void **state) {
  (void)state;
  struct reading reading;
  READ(&reading,
       "\xb3\x69\x00\x00\x8d"
       "Europe/Berlin");
  assert_true(reading.finished);
  if (reading.value.datetime->offset == 0) skip(); /* the system has no table */
  assert_int_equal(reading.value.datetime->offset, 3600);
  assert_true(reading.value.datetime->local.nanoseconds == 3600 * INT64_C(1000000000));
  ew_arena_release(&reading.arena);
  READ(&reading,
       "\xb3\x66\xca\x5f\x0b\xb3\x00\x00\x8d"
       "Europe/Berlin");
  assert_int_equal(reading.value.datetime->offset, 7200);
  ew_arena_release(&reading.arena);
  READ(&reading,
       "\xb3\x69\x00\x00\x87"
       "../etc/");
  assert_int_equal(reading.value.datetime->offset, 0);
  ew_arena_release(&reading.arena);
}

#define NODE(id, element) "\xb4\x4e" id "\x91\x81L\xa0\x81" element
#define UNBOUND(id, element) "\xb4\x72" id "\x81T\xa0\x81" element

static void elements_and_paths(void **state) {
  (void)state;
  struct reading reading;
  READ(&reading,
       "\xb4\x4e\x07\x92\x81"
       "B\x81"
       "A\xa1\x81k\x01\x83"
       "4:x");
  assert_true(reading.finished);
  assert_true(reading.value.node->id == 7);
  assert_true(ew_span_is(reading.value.node->labels[0], "A"));
  ew_arena_release(&reading.arena);
  READ(&reading, "\xb5\x52\x01\x02\x03\x81T\xa0");
  assert_true(reading.finished && reading.value.relationship->start == 2 && reading.value.relationship->end == 3);
  ew_arena_release(&reading.arena);
  READ(&reading,
       "\xb8\x52\x01\x02\x03\x81T\xa0\x81"
       "a\x81"
       "b\x81"
       "c");
  assert_true(reading.finished && reading.value.relationship->id == 1);
  ew_arena_release(&reading.arena);
  /* from 5 against the relationship 9 to 6, and back along it */
  READ(&reading, "\xb3\x50\x92" NODE("\x05", "a") NODE("\x06", "b") "\x91" UNBOUND("\x09", "c") "\x94\xff\x01\x01\x00");
  assert_true(reading.finished);
  const struct ew_path_value *path = reading.value.path;
  assert_int_equal(path->nodes.count, 3);
  assert_true(path->nodes.items[2].node->id == 5);
  assert_true(path->relationships.items[0].relationship->start == 6);
  assert_true(path->relationships.items[1].relationship->start == 6);
  assert_true(path->relationships.items[1].relationship->end == 5);
  ew_arena_release(&reading.arena);
}

static void wrong_bytes_are_refused(void **state) {
  (void)state;
  const struct ew_span cases[] = {
      EW_SPAN(""),
      EW_SPAN("\xc4"),
      EW_SPAN("\xdf"),
      EW_SPAN("\xc9\x01"),
      EW_SPAN("\x85Hell"),
      EW_SPAN("\xd2\xff\xff\xff\xff"),
      EW_SPAN("\xd6\xff\xff\xff\xff\x01"),
      EW_SPAN("\xda\x7f\xff\xff\xff\x81k\x01"),
      EW_SPAN("\xce\xff\xff\xff\xff"),
      EW_SPAN("\xa1\x01\x01"),
      EW_SPAN("\x01\x01"),
      EW_SPAN("\xb2\x4e\x01\x90"),
      EW_SPAN("\xb1\x99\x01"),
      EW_SPAN("\xb1\x44\x81x"),
      EW_SPAN("\xb1\x74\xff"),
      EW_SPAN("\xb2\x64\x00\xff"),
      EW_SPAN("\xb3\x49\xcb\x7f\xff\xff\xff\xff\xff\xff\xff\x00\x01"),
      EW_SPAN("\xb2\x56\xcc\x01\xc9\xcc\x03\x00\x01\xff"),
      EW_SPAN("\xb3\x50\x90\x90\x90"),
      EW_SPAN("\xb3\x50\x91\x01\x90\x90"),
      EW_SPAN("\xb3\x50\x91" NODE("\x05", "a") "\x91" UNBOUND("\x09", "c") "\x92\x02\x00"),
      EW_SPAN("\xb3\x50\x91" NODE("\x05", "a") "\x91" UNBOUND("\x09", "c") "\x92\x00\x00"),
      EW_SPAN("\xb3\x50\x91" NODE("\x05", "a") "\x91" UNBOUND("\x09", "c") "\x92\x01\x01"),
      EW_SPAN("\xb3\x50\x91" NODE("\x05", "a") "\x91" UNBOUND("\x09", "c") "\x91\x01"),
  };
  for (size_t i = 0; i < EW_COUNT(cases); i++) {
    struct reading reading;
    read_bytes(&reading, cases[i].bytes, cases[i].length);
    if (reading.finished) fail_msg("case %zu is taken", i);
    assert_true(ew_arena_held(&reading.arena) < 1 << 20);
    ew_arena_release(&reading.arena);
  }
}

static void depth_and_number_are_bounded(void **state) {
  (void)state;
  struct ew_text bytes = {0};
  struct reading reading;
  for (int i = 0; i < 100000; i++) ew_text_add_char(&bytes, (char)0x91);
  read_bytes(&reading, bytes.bytes, bytes.length);
  assert_false(reading.finished);
  ew_arena_release(&reading.arena);
  ew_text_reset(&bytes);
  for (int i = 0; i < 100; i++) ew_text_add_char(&bytes, (char)0x91);
  ew_text_add_char(&bytes, 1);
  read_bytes(&reading, bytes.bytes, bytes.length);
  assert_true(reading.finished);
  ew_arena_release(&reading.arena);

  ew_arena_init(&reading.arena);
  ew_packstream_reader_init(&reading.reader, EW_SPAN("\x93\x01\x02\x03"), &reading.arena);
  reading.reader.items = 2;
  ew_packstream_read(&reading.reader);
  assert_true(reading.reader.wrong && reading.reader.large);
  ew_arena_release(&reading.arena);
  ew_text_release(&bytes);
}

/* Right bytes with some changed. */
static void damaged_bytes_do_no_harm(void **state) {
  (void)state;
  struct ew_random random = ew_random_from(11);
  for (uint64_t seed = 0; seed < 3000; seed++) {
    struct ew_arena arena;
    struct ew_text bytes = {0};
    struct reading reading;
    ew_arena_init(&arena);
    struct maker maker = {.random = ew_random_from(seed), .arena = &arena, .elements = true};
    ew_packstream_write(&bytes, random_value(&maker, 4), forms[seed % EW_COUNT(forms)]);
    for (size_t i = 0; i < 1 + seed % 3; i++) {
      size_t place = ew_random_below(&random, (uint32_t)bytes.length);
      bytes.bytes[place] = (char)ew_random_below(&random, 256);
    }
    size_t length = bytes.length - ew_random_below(&random, 2);
    read_bytes(&reading, bytes.bytes, length);
    ew_arena_release(&reading.arena);
    ew_text_release(&bytes);
    ew_arena_release(&arena);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_values_survive),    cmocka_unit_test(integers_of_every_width),
      cmocka_unit_test(sizes_of_every_width),     cmocka_unit_test(known_bytes),
      cmocka_unit_test(zones_have_offsets),       cmocka_unit_test(elements_and_paths),
      cmocka_unit_test(wrong_bytes_are_refused),  cmocka_unit_test(depth_and_number_are_bounded),
      cmocka_unit_test(damaged_bytes_do_no_harm),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
