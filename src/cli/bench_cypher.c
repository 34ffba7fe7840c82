/* bench_cypher.c: the statements are made before the clock starts; a figure is the best of several rounds, since others
   use the machine too. They are few, so that their trees stay in the cache, as a tree is that was just made. */
#include "cli/bench_cypher.h"

#include "base/deadline.h"
#include "generate/cypher.h"
#include "generate/cypher_random.h"
#include "lang/cypher/parser.h"
#include "lang/cypher/print.h"

enum {
  STATEMENTS = 200,
  SHORTEST = 800,
  LONGEST = 1300, /* bytes */
  TRIES = 400000,
  ROUNDS = 200,
  ROUND_TIME = EW_SECOND / 100,
  TREES = 1000000,
  NODES = 60, /* of a random tree, about */
};

struct statements {
  struct ew_arena arena;
  const struct ew_node *trees[STATEMENTS];
  struct ew_span texts[STATEMENTS];
  size_t count, bytes;
};

static void keep_if_long(struct statements *statements, const struct ew_node *tree) {
  struct ew_text text = {0};
  ew_cypher_print(&text, tree, NULL);
  if (text.length >= SHORTEST && text.length <= LONGEST) {
    statements->trees[statements->count] = ew_tree_clone(&statements->arena, tree);
    statements->texts[statements->count++] = ew_arena_copy(&statements->arena, ew_text_span(&text));
    statements->bytes += text.length;
  }
  ew_text_release(&text);
}

static enum ew_status make_statements(struct statements *statements, const struct ew_profile *profile,
                                      struct ew_error *error) {
  struct ew_random root = ew_random_from(1);
  struct ew_arena scenes, arena;
  struct ew_scene scene = {0};
  void *world = NULL;
  *statements = (struct statements){0};
  ew_arena_init(&statements->arena);
  ew_arena_init(&scenes);
  ew_arena_init(&arena);
  for (uint64_t i = 0; i < TRIES && statements->count < STATEMENTS; i++) {
    if (i % EW_CASES_PER_SCENE == 0) {
      struct ew_random random = ew_random_split(&root, "scene", i);
      ew_arena_reset(&scenes);
      scene = ew_generate_cypher.scene(&scenes, profile, &ew_generate_options_standard, &random);
      world = ew_generate_cypher.prepare(world, profile, &ew_generate_options_standard, &scene);
    }
    struct ew_random random = ew_random_split(&root, "case", i);
    struct ew_builder builder = {&arena, 1};
    ew_arena_reset(&arena);
    struct ew_draw draw = {.builder = &builder, .random = &random, .purpose = EW_PURPOSE_ANY, .number = i};
    const struct ew_node *tree = ew_generate_cypher.base(world, &draw);
    if (tree) keep_if_long(statements, tree);
  }
  ew_generate_cypher.release(world);
  ew_arena_release(&scenes);
  ew_arena_release(&arena);
  if (statements->count == STATEMENTS) return EW_OK;
  return ew_fail(error, EW_LIMIT, "only %zu statements of about 1 kB are written for %.*s", statements->count,
                 EW_SPAN_ARGS(profile->name));
}

static void print_all(const struct statements *statements, struct ew_arena *arena, struct ew_text *text) {
  (void)arena;
  for (size_t i = 0; i < statements->count; i++) {
    ew_text_reset(text);
    ew_cypher_print(text, statements->trees[i], NULL);
  }
}

static void parse_all(const struct statements *statements, struct ew_arena *arena, struct ew_text *text) {
  (void)text;
  for (size_t i = 0; i < statements->count; i++) {
    struct ew_builder builder = {arena, 1};
    const struct ew_node *tree;
    if (ew_cypher_parse(&builder, statements->texts[i], &tree, NULL))
      EW_BUG("not read back: %.*s", EW_SPAN_ARGS(statements->texts[i]));
    ew_arena_reset(arena);
  }
}

/* Bytes a second, of CPU time. */
static double best_rate(const struct statements *statements,
                        void (*work)(const struct statements *, struct ew_arena *, struct ew_text *)) {
  struct ew_arena arena;
  struct ew_text text = {0};
  double best = 0;
  ew_arena_init(&arena);
  for (int round = 0; round < ROUNDS; round++) {
    int64_t began = ew_cpu_now(), used = 0;
    size_t times = 0;
    for (; used < ROUND_TIME; times++) {
      work(statements, &arena, &text);
      used = ew_cpu_now() - began;
    }
    double rate = (double)(times * statements->bytes) / ((double)used / (double)EW_SECOND);
    if (rate > best) best = rate;
  }
  ew_text_release(&text);
  ew_arena_release(&arena);
  return best;
}

static enum ew_status measure(struct ew_text *text, const char *name, const struct ew_profile *profile,
                              void (*work)(const struct statements *, struct ew_arena *, struct ew_text *),
                              struct ew_error *error) {
  static struct statements statements;
  enum ew_status status = make_statements(&statements, profile, error);
  if (!status) {
    ew_text_add_format(text, "%zu statements of %zu bytes on average, best of %d rounds\n", statements.count,
                       statements.bytes / statements.count, ROUNDS);
    ew_text_add_format(text, "%s: %.0f MB/s\n", name, best_rate(&statements, work) / 1e6);
  }
  ew_arena_release(&statements.arena);
  return status;
}

enum ew_status ew_bench_print(struct ew_text *text, const struct ew_profile *profile, struct ew_error *error) {
  return measure(text, "print", profile, print_all, error);
}

enum ew_status ew_bench_parse(struct ew_text *text, const struct ew_profile *profile, struct ew_error *error) {
  return measure(text, "parse", profile, parse_all, error);
}

/* ---- round trips ---- */

enum ew_status ew_bench_roundtrip(struct ew_text *text, struct ew_error *error) {
  struct ew_arena arena;
  struct ew_text printed = {0};
  enum ew_status status = EW_OK;
  size_t bytes = 0;
  ew_arena_init(&arena);
  for (uint64_t number = 1; !status && number <= TREES; number++) {
    struct ew_random random = ew_random_from(number);
    struct ew_builder builder = {&arena, 1};
    const struct ew_node *again, *tree = ew_cypher_random_statement(&builder, &random, NODES);
    ew_text_reset(&printed);
    ew_cypher_print(&printed, tree, NULL);
    bytes += printed.length;
    if (ew_cypher_parse(&builder, ew_text_span(&printed), &again, NULL) || !ew_tree_equal(tree, again))
      status =
          ew_fail(error, EW_BAD, "tree %llu does not read back: %.400s", (unsigned long long)number, printed.bytes);
    ew_arena_reset(&arena);
  }
  if (!status)
    ew_text_add_format(text,
                       "random trees, printed and parsed again, %zu bytes on average\nroundtrip: %d trees, all equal\n",
                       bytes / TREES, TREES);
  ew_arena_release(&arena);
  ew_text_release(&printed);
  return status;
}
