/* test_allocate.c: whichever allocation fails, the process ends with exit code 70 and a message, never in any other way. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <sys/wait.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/json.h"
#include "base/map.h"
#include "base/vector.h"
#include "tree/tree.h"

#define EW_TREE_PREFIX tiny
#define EW_TREE_UPPER TINY
#define EW_TREE_DEF "tiny.def"
#include "tree/declare.h"
#include "tree/define.h"

static void test_counting(void **state) {
  (void)state;
  size_t before = ew_allocate_live_blocks();
  void *a = ew_allocate(0), *b = ew_allocate_zeroed(3, 5), *c = ew_reallocate(NULL, 8);
  char *copy = ew_allocate_copy("ab\0c", 4);
  assert_memory_equal(copy, "ab\0c", 5);
  assert_memory_equal(b, "\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 15);
  assert_int_equal(ew_allocate_live_blocks(), before + 4);
  c = ew_reallocate(c, 80000);
  assert_int_equal(ew_allocate_live_blocks(), before + 4);
  ew_deallocate(a);
  ew_deallocate(b);
  ew_deallocate(c);
  ew_deallocate(copy);
  ew_deallocate(NULL);
  assert_int_equal(ew_allocate_live_blocks(), before);
}

/* A tree that fills more than one block. */
static size_t grow_tree(struct ew_arena *arena) {
  struct ew_builder builder = ew_builder_for(arena, NULL);
  const struct ew_node *node = ew_node_make(&builder, &tiny_kinds[TINY_nothing], &(struct tiny_nothing){.head = {0}});
  for (int i = 0; i < 300; i++) {
    struct tiny_call call = {.arguments = {.list = ew_list_of(&builder, &node, 1)}};
    node = ew_node_make(&builder, &tiny_kinds[TINY_call], &call);
  }
  return ew_tree_count(ew_tree_clone(arena, ew_tree_duplicate(&builder, node)));
}

/* Something of everything: text, map, vector, tree, and a document written and read. */
static int scenario(void) {
  struct ew_text text = {0};
  struct ew_map map;
  struct ew_arena arena;
  struct ew_json_writer writer;
  EW_VECTOR(int) numbers = {0};
  ew_map_init(&map);
  ew_arena_init(&arena);
  ew_json_writer_init(&writer, &text, 2);
  ew_json_begin_array(&writer);
  for (int i = 0; i < 300; i++) {
    struct ew_span key = ew_arena_format(&arena, "a long enough key %d", i);
    ew_map_add(&map, key, NULL)->number = (uint64_t)i;
    *ew_vector_push(&numbers) = i;
    ew_json_string(&writer, key);
  }
  ew_json_end_array(&writer);
  const struct ew_json *json;
  int failed = ew_json_read(&arena, ew_text_span(&text), (struct ew_json_options){0}, &json, NULL) != EW_OK ||
               json->count != 300 || map.count != 300 || numbers.items[299] != 299 || grow_tree(&arena) != 301;
  ew_text_release(&text);
  ew_map_release(&map);
  ew_arena_release(&arena);
  ew_vector_release(&numbers);
  return failed || ew_allocate_live_blocks() ? 1 : 0;
}

/* The exit code of a child that runs the scenario while its n-th allocation fails; `said` gets what it said. */
static int run_failing(size_t n, char *said, size_t size) {
  int ends[2];
  assert_int_equal(pipe(ends), 0);
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    close(ends[0]);
    close(ends[1]);
    ew_allocate_fail_after(n);
    _exit(scenario());
  }
  close(ends[1]);
  ssize_t got = read(ends[0], said, size - 1);
  said[got > 0 ? got : 0] = '\0';
  close(ends[0]);
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status));
  return WEXITSTATUS(status);
}

static void test_each_allocation_fails(void **state) {
  (void)state;
  char said[1000];
  size_t n = 1;
  for (; n < 1000; n++) {
    int code = run_failing(n, said, sizeof said);
    if (code == 0) break;
    assert_int_equal(code, 70);
    assert_non_null(strstr(said, "edgewise: out of memory"));
  }
  assert_in_range(n, 10, 999); /* some failed, and at last none was left to fail */
  assert_string_equal(said, "");
}

/* Sizes that cannot be are refused before they overflow. */
static int ask_for(int what) {
  struct ew_arena arena;
  ew_arena_init(&arena);
  volatile size_t huge = SIZE_MAX - 3;
  if (what == 0) ew_deallocate(ew_allocate_zeroed(huge, 16));
  if (what == 1) ew_arena_take(&arena, huge);
  if (what == 2) (void)ew_array_size(huge, 16);
  return 0;
}

static void test_absurd_sizes(void **state) {
  (void)state;
  for (int what = 0; what < 3; what++) {
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
      close(STDERR_FILENO);
      _exit(ask_for(what));
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_false(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_counting),
      cmocka_unit_test(test_each_allocation_fails),
      cmocka_unit_test(test_absurd_sizes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
