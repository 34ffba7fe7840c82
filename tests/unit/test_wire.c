/* test_wire.c: every kind of value survives the wire; no bytes, however wrong, do harm. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/allocate.h"
#include "base/random.h"
#include "engine/wire.h"

static struct ew_span payload_of(const struct ew_text *text) {
  return (struct ew_span){text->bytes + EW_WIRE_HEADER, text->length - EW_WIRE_HEADER};
}

static const struct ew_span labels[] = {{"A", 1}, {"B", 1}};
static const struct ew_item properties[] = {
    {{"f", 1}, {.kind = EW_VALUE_FLOAT, .number = 0.1}},
    {{"s", 1}, {.kind = EW_VALUE_STRING, .string = {"a\0b\xff", 4}}},
};
static const struct ew_node_value first_node = {1, labels, 2, {properties, 2}}, second_node = {-2, NULL, 0, {NULL, 0}};
static const struct ew_relationship_value relationship = {7, 1, -2, {"KNOWS", 5}, {properties, 1}};
static const struct ew_value path_nodes[] = {{.kind = EW_VALUE_NODE, .node = &first_node},
                                             {.kind = EW_VALUE_NODE, .node = &second_node}};
static const struct ew_value path_relationships[] = {{.kind = EW_VALUE_RELATIONSHIP, .relationship = &relationship}};
static const struct ew_path_value path = {{path_nodes, 2}, {path_relationships, 1}};
static const struct ew_datetime_value datetime = {{-3, 5}, -3600, {"Europe/Paris", 12}};
static const struct ew_duration_value duration = {1, -2, INT64_MIN, 999999999};
static const struct ew_point_value point = {4326, 1.5, -0.0, 3};

/* One of each kind, and the ends of their ranges. */
static const struct ew_value values[] = {
    {.kind = EW_VALUE_NULL},
    {.kind = EW_VALUE_BOOLEAN, .boolean = true},
    {.kind = EW_VALUE_INTEGER, .integer = INT64_MIN},
    {.kind = EW_VALUE_INTEGER, .integer = INT64_MAX},
    {.kind = EW_VALUE_FLOAT, .number = 1e300},
    {.kind = EW_VALUE_STRING, .string = {"", 0}},
    {.kind = EW_VALUE_LIST, .list = {path_nodes, 2}},
    {.kind = EW_VALUE_LIST, .list = {NULL, 0}},
    {.kind = EW_VALUE_MAP, .map = {properties, 2}},
    {.kind = EW_VALUE_NODE, .node = &first_node},
    {.kind = EW_VALUE_RELATIONSHIP, .relationship = &relationship},
    {.kind = EW_VALUE_PATH, .path = &path},
    {.kind = EW_VALUE_DATE, .day = -719162},
    {.kind = EW_VALUE_TIME, .time = {86399999999999, 64800}},
    {.kind = EW_VALUE_LOCAL_TIME, .time = {0, 0}},
    {.kind = EW_VALUE_LOCAL_DATETIME, .local_datetime = {20000, 1}},
    {.kind = EW_VALUE_DATETIME, .datetime = &datetime},
    {.kind = EW_VALUE_DURATION, .duration = &duration},
    {.kind = EW_VALUE_POINT, .point = &point},
};
enum { VALUES = sizeof values / sizeof values[0] };

static struct ew_statement_outcome full_outcome(struct ew_arena *arena) {
  struct ew_span *columns = EW_NEW_ARRAY(arena, struct ew_span, VALUES);
  for (size_t i = 0; i < VALUES; i++) columns[i] = ew_arena_format(arena, "column %zu", i);
  return (struct ew_statement_outcome){
      .kind = EW_OUTCOME_ROWS,
      .error_class = EW_ERROR_TRANSIENT,
      .rows = {columns, VALUES, values, 1},
      .text = EW_SPAN("text"),
      .code = EW_SPAN("code"),
      .frames = {labels, 2},
      .signal = 11,
      .nanoseconds = 123456789,
      .has_counters = true,
      .counters = {1, 2, 3, 4, 5, 6, -7},
      .plan = EW_SPAN("plan"),
  };
}

/* Encoding is a function of the value, so what encodes to the same bytes is the same. */
static void round_trip_outcome(void **state) {
  (void)state;
  struct ew_arena arena;
  struct ew_text text, again;
  ew_arena_init(&arena);
  ew_text_init(&text);
  ew_text_init(&again);
  struct ew_statement_outcome outcome = full_outcome(&arena), back;
  assert_true(ew_wire_write_outcome(&text, &outcome));
  struct ew_wire_reader reader;
  ew_wire_reader_init(&reader, ew_text_span(&text), &arena);
  ew_wire_read_outcome(&reader, &back);
  assert_true(ew_wire_finish(&reader));
  assert_int_equal(back.kind, EW_OUTCOME_ROWS);
  assert_int_equal(back.rows.column_count, VALUES);
  assert_int_equal(back.rows.values[2].integer, INT64_MIN);
  assert_int_equal(back.rows.values[11].path->nodes.items[1].node->id, -2);
  assert_int_equal(back.counters.labels_removed, -7);
  assert_int_equal(back.signal, 11);
  assert_true(ew_wire_write_outcome(&again, &back));
  assert_true(ew_span_equal(ew_text_span(&text), ew_text_span(&again)));
  ew_text_release(&text);
  ew_text_release(&again);
  ew_arena_release(&arena);
}

static void unnamed_and_empty_rows_stay_apart(void **state) {
  (void)state;
  struct ew_arena arena;
  struct ew_text text;
  ew_arena_init(&arena);
  ew_text_init(&text);
  static const struct ew_span none[1];
  const struct ew_rows rows[] = {{NULL, 0, NULL, 0}, {none, 0, NULL, 0}, {NULL, 3, NULL, 0}, {labels, 2, NULL, 0}};
  for (size_t i = 0; i < EW_COUNT(rows); i++) {
    struct ew_statement_outcome outcome = {.kind = EW_OUTCOME_ROWS, .rows = rows[i]}, back;
    struct ew_wire_reader reader;
    ew_text_reset(&text);
    assert_true(ew_wire_write_outcome(&text, &outcome));
    ew_wire_reader_init(&reader, ew_text_span(&text), &arena);
    ew_wire_read_outcome(&reader, &back);
    assert_true(ew_wire_finish(&reader));
    assert_int_equal(back.rows.columns != NULL, rows[i].columns != NULL);
    assert_int_equal(back.rows.column_count, rows[i].column_count);
  }
  ew_text_release(&text);
  ew_arena_release(&arena);
}

static void write_batch(struct ew_text *text) {
  static const struct ew_parameter parameters[] = {{{"p", 1}, {.kind = EW_VALUE_PATH, .path = &path}}};
  static const struct ew_option options[] = {{{"mode", 4}, {"fast", 4}}};
  static const int64_t limits[] = {EW_SECOND, 7};
  const struct ew_statement statements[] = {
      {.text = EW_SPAN("RETURN $p"),
       .parameters = parameters,
       .parameter_count = 1,
       .columns = {labels, 2},
       .ordered = true},
      {.text = EW_SPAN("")},
  };
  const struct ew_wire_batch batch = {99, true, options, 1, statements, limits, 2};
  size_t begun = ew_wire_begin(text, EW_MESSAGE_RUN);
  assert_true(ew_wire_write_batch(text, &batch));
  assert_true(ew_wire_end(text, begun));
}

static void round_trip_batch(void **state) {
  (void)state;
  struct ew_arena arena;
  struct ew_text text;
  ew_arena_init(&arena);
  ew_text_init(&text);
  write_batch(&text);
  enum ew_message type;
  size_t length;
  assert_true(ew_wire_read_header(text.bytes, &type, &length));
  assert_int_equal(type, EW_MESSAGE_RUN);
  assert_int_equal(length, text.length - EW_WIRE_HEADER);
  struct ew_wire_reader reader;
  struct ew_wire_batch batch;
  ew_wire_reader_init(&reader, payload_of(&text), &arena);
  ew_wire_read_batch(&reader, &batch);
  assert_true(ew_wire_finish(&reader));
  assert_int_equal(batch.sequence, 99);
  assert_true(batch.stop);
  assert_true(ew_span_is(batch.options[0].setting, "fast"));
  assert_int_equal(batch.count, 2);
  assert_true(ew_span_is(batch.statements[0].text, "RETURN $p"));
  assert_true(batch.statements[0].ordered);
  assert_int_equal(batch.statements[0].parameters[0].value.path->relationships.items[0].relationship->id, 7);
  assert_int_equal(batch.limits[1], 7);
  ew_text_release(&text);
  ew_arena_release(&arena);
}

static void headers_are_checked(void **state) {
  (void)state;
  enum ew_message type;
  size_t length;
  assert_false(ew_wire_read_header("XW\1\1\0\0\0\0", &type, &length));
  assert_false(ew_wire_read_header("EW\2\1\0\0\0\0", &type, &length));
  assert_false(ew_wire_read_header("EW\1\0\0\0\0\0", &type, &length));
  assert_false(ew_wire_read_header("EW\1\11\0\0\0\0", &type, &length));
  assert_false(ew_wire_read_header("EW\1\1\1\0\0\4", &type, &length));
  assert_true(ew_wire_read_header("EW\1\1\0\0\0\4", &type, &length));
  assert_int_equal(length, EW_WIRE_MESSAGE_MAX);
}

static void depth_is_bounded(void **state) {
  (void)state;
  struct ew_arena arena;
  struct ew_text text;
  ew_arena_init(&arena);
  ew_text_init(&text);
  for (unsigned depth = EW_WIRE_DEPTH_MAX - 1; depth <= EW_WIRE_DEPTH_MAX; depth++) {
    struct ew_value *chain = EW_NEW_ARRAY(&arena, struct ew_value, depth + 1);
    chain[0] = ew_null();
    for (unsigned i = 1; i <= depth; i++) chain[i] = ew_list(&chain[i - 1], 1);
    struct ew_statement_outcome outcome = {.kind = EW_OUTCOME_ROWS, .rows = {NULL, 1, &chain[depth], 1}};
    ew_text_reset(&text);
    assert_int_equal(ew_wire_write_outcome(&text, &outcome), depth < EW_WIRE_DEPTH_MAX);
  }
  /* The reader does not trust the writer. */
  ew_text_reset(&text);
  const char front[] = {EW_OUTCOME_ROWS, 0, 0, 1, 1};
  ew_text_add_bytes(&text, front, sizeof front);
  for (int i = 0; i < 100000; i++) {
    ew_text_add_char(&text, EW_VALUE_LIST);
    ew_text_add_char(&text, 1);
  }
  struct ew_statement_outcome back;
  struct ew_wire_reader reader;
  ew_wire_reader_init(&reader, ew_text_span(&text), &arena);
  ew_wire_read_outcome(&reader, &back);
  assert_false(ew_wire_finish(&reader));
  ew_text_release(&text);
  ew_arena_release(&arena);
}

/* Counts that the bytes cannot hold allocate nothing. */
static void counts_are_held_against_bytes(void **state) {
  (void)state;
  static const char huge[] = "\xff\xff\xff\xff\xff\xff\xff\xff\x7f"; /* 2^63 - 1 */
  static const char *const fronts[] = {"\0\0\1", "\0\0\0", "\0\0\0\1", "\0\0\0\2"};
  static const size_t lengths[] = {3, 3, 4, 4};
  struct ew_arena arena;
  struct ew_text text;
  ew_arena_init(&arena);
  ew_text_init(&text);
  for (size_t i = 0; i < EW_COUNT(fronts); i++) {
    ew_text_reset(&text);
    ew_text_add_bytes(&text, fronts[i], lengths[i]);
    ew_text_add_bytes(&text, huge, sizeof huge - 1);
    struct ew_statement_outcome back;
    struct ew_wire_reader reader;
    ew_wire_reader_init(&reader, ew_text_span(&text), &arena);
    ew_wire_read_outcome(&reader, &back);
    assert_false(ew_wire_finish(&reader));
  }
  assert_true(ew_arena_held(&arena) < 1 << 16);
  ew_text_release(&text);
  ew_arena_release(&arena);
}

/* A copy on the heap of just this length, so that a sanitizer sees a read beyond its end. */
static void read_hostile(struct ew_arena *arena, const char *bytes, size_t length, bool batch) {
  char *copy = ew_allocate_copy(bytes, length);
  char *exact = ew_reallocate(copy, length ? length : 1);
  struct ew_wire_reader reader;
  struct ew_statement_outcome outcome;
  struct ew_wire_batch back;
  struct ew_text text = {0};
  ew_arena_reset(arena);
  ew_wire_reader_init(&reader, (struct ew_span){exact, length}, arena);
  if (batch)
    ew_wire_read_batch(&reader, &back);
  else
    ew_wire_read_outcome(&reader, &outcome);
  /* What was taken for right can be walked. */
  if (ew_wire_finish(&reader))
    assert_true(batch ? ew_wire_write_batch(&text, &back) : ew_wire_write_outcome(&text, &outcome));
  ew_text_release(&text);
  ew_deallocate(exact);
}

static void hostile_bytes_do_no_harm(void **state) {
  (void)state;
  struct ew_arena arena, scratch;
  struct ew_text text, broken;
  ew_arena_init(&arena);
  ew_arena_init(&scratch);
  ew_text_init(&text);
  ew_text_init(&broken);
  struct ew_random random = ew_random_from(42);
  for (int batch = 0; batch < 2; batch++) {
    ew_text_reset(&text);
    if (batch) {
      write_batch(&text);
    } else {
      struct ew_statement_outcome outcome = full_outcome(&arena);
      assert_true(ew_wire_write_outcome(&text, &outcome));
    }
    struct ew_span whole = batch ? payload_of(&text) : ew_text_span(&text);
    for (size_t i = 0; i < whole.length; i++) read_hostile(&scratch, whole.bytes, i, batch);
    for (int i = 0; i < 20000; i++) {
      ew_text_reset(&broken);
      ew_text_add(&broken, whole);
      for (uint32_t flips = 1 + ew_random_below(&random, 4); flips; flips--) {
        size_t at = ew_random_below(&random, (uint32_t)whole.length);
        broken.bytes[at] = (char)(broken.bytes[at] ^ (1 << ew_random_below(&random, 8)));
      }
      if (ew_random_chance(&random, 20)) broken.length = ew_random_below(&random, (uint32_t)whole.length);
      read_hostile(&scratch, broken.bytes, broken.length, batch);
    }
    for (int i = 0; i < 20000; i++) {
      char noise[64];
      for (size_t j = 0; j < sizeof noise; j++) noise[j] = (char)ew_random_below(&random, 256);
      read_hostile(&scratch, noise, ew_random_below(&random, sizeof noise), batch);
    }
  }
  ew_text_release(&text);
  ew_text_release(&broken);
  ew_arena_release(&arena);
  ew_arena_release(&scratch);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(round_trip_outcome),       cmocka_unit_test(unnamed_and_empty_rows_stay_apart),
      cmocka_unit_test(round_trip_batch),         cmocka_unit_test(headers_are_checked),
      cmocka_unit_test(depth_is_bounded),         cmocka_unit_test(counts_are_held_against_bytes),
      cmocka_unit_test(hostile_bytes_do_no_harm),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
