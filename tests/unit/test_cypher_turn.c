/* test_cypher_turn.c: every construct has its turn once a round, in an order of the key's own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "generate/cypher_turn.h"

enum { MOST = 700 };

static void each_once_a_round(void **state) {
  (void)state;
  for (uint32_t count = 1; count < MOST; count += 1 + count / 7) {
    for (uint64_t round = 0; round < 5; round++) {
      unsigned char seen[MOST] = {0};
      for (uint32_t i = 0; i < count; i++) {
        int turn = ew_cypher_turn(EW_TURN_EXPRESSION, 42, round * count + i, count);
        assert_in_range(turn, 0, count - 1);
        assert_int_equal(seen[turn]++, 0);
      }
    }
  }
  assert_int_equal(ew_cypher_turn(EW_TURN_CLAUSE, 42, 7, 0), EW_NO_TURN);
}

static void orders_differ(void **state) {
  enum { COUNT = 200 };
  size_t same_round = 0, same_key = 0, same_sort = 0, neighbours = 0;
  (void)state;
  for (uint64_t i = 0; i < COUNT; i++) {
    int turn = ew_cypher_turn(EW_TURN_EXPRESSION, 1, i, COUNT);
    same_round += turn == ew_cypher_turn(EW_TURN_EXPRESSION, 1, i + COUNT, COUNT);
    same_key += turn == ew_cypher_turn(EW_TURN_EXPRESSION, 2, i, COUNT);
    same_sort += turn == ew_cypher_turn(EW_TURN_PATTERN, 1, i, COUNT);
    neighbours += turn + 1 == ew_cypher_turn(EW_TURN_EXPRESSION, 1, i + 1, COUNT);
  }
  assert_true(same_round < COUNT / 10 && same_key < COUNT / 10 && same_sort < COUNT / 10 && neighbours < COUNT / 10);
}

/* Where the number of a case is a random seed, turns are as good as drawn. */
static void seeds_will_do(void **state) {
  enum { COUNT = 300, CASES = 20000 };
  static unsigned seen[COUNT];
  struct ew_random random = ew_random_from(5);
  (void)state;
  for (int i = 0; i < CASES; i++) seen[ew_cypher_turn(EW_TURN_EXPRESSION, 9, ew_random_next(&random), COUNT)]++;
  for (size_t i = 0; i < COUNT; i++) assert_in_range(seen[i], CASES / COUNT / 2, CASES / COUNT * 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_once_a_round),
      cmocka_unit_test(orders_differ),
      cmocka_unit_test(seeds_will_do),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
