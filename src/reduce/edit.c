/* edit.c: see the header. */
#include "reduce/edit.h"

#include "base/hash.h"
#include "base/vector.h"
#include "contract/language.h"
#include "generate/generate.h"

size_t ew_edit_count(const struct ew_case *test) { return 2 + test->scene.statements.count + test->recipe.trees.count; }

const struct ew_node *ew_edit_tree(const struct ew_case *test, size_t number) {
  if (number == 0) return test->base;
  if (number == 1) return test->scene.data;
  number -= 2;
  if (number < test->scene.statements.count) return test->scene.statements.items[number];
  number -= test->scene.statements.count;
  return number < test->recipe.trees.count ? test->recipe.trees.items[number] : NULL;
}

static struct ew_list list_with(struct ew_arena *arena, struct ew_list list, size_t index, const struct ew_node *tree) {
  const struct ew_node **items = EW_NEW_ARRAY(arena, const struct ew_node *, list.count);
  for (size_t i = 0; i < list.count; i++) items[i] = i == index ? tree : list.items[i];
  return (struct ew_list){items, list.count};
}

struct ew_case ew_edit_with(struct ew_arena *arena, const struct ew_case *test, size_t number,
                            const struct ew_node *tree) {
  struct ew_case changed = *test;
  size_t statements = test->scene.statements.count;
  if (number == 0) {
    changed.base = tree;
  } else if (number == 1) {
    changed.scene.data = tree;
  } else if (number - 2 < statements) {
    changed.scene.statements = list_with(arena, test->scene.statements, number - 2, tree);
  } else {
    changed.recipe.trees = list_with(arena, test->recipe.trees, number - 2 - statements, tree);
  }
  return changed;
}

bool ew_edit_done(const struct ew_reduction *reduction) {
  bool stopped = reduction->stop && *reduction->stop;
  return stopped || reduction->tries >= reduction->tries_max || ew_deadline_passed(reduction->deadline);
}

static uint64_t hash_of(const struct ew_case *test) {
  uint64_t hash = test->scene.statements.count;
  for (size_t i = 0; i < ew_edit_count(test); i++) {
    const struct ew_node *tree = ew_edit_tree(test, i);
    hash = ew_hash_mix(hash, tree ? ew_tree_hash(tree) : 0);
  }
  for (size_t i = 0; i < test->recipe.number_count; i++) hash = ew_hash_mix(hash, (uint64_t)test->recipe.numbers[i]);
  return hash;
}

/* ---- trying ---- */

static bool makes_sense(const struct ew_reduction *reduction, const struct ew_case *candidate) {
  if (reduction->sound) return reduction->sound(reduction->context, candidate);
  return reduction->level == EW_UNCHECKED || candidate->language->check(candidate, reduction->level == EW_CHECK_TYPES);
}

/* Whether the oracle has runs for it. */
static bool applies(const struct ew_reduction *reduction, const struct ew_case *candidate) {
  struct ew_arena scratch;
  if (!reduction->oracle) return true;
  ew_arena_init(&scratch);
  struct ew_step step = reduction->oracle->next(candidate, reduction->profile, NULL, 0, &scratch);
  ew_arena_release(&scratch);
  return step.kind != EW_STEP_NONE;
}

static bool ask(struct ew_reduction *reduction, const struct ew_case *candidate) {
  if (!makes_sense(reduction, candidate) || !applies(reduction, candidate)) return false;
  reduction->tries++;
  bool violated = reduction->violates(reduction->context, candidate);
  if (violated) reduction->best = *candidate;
  if (reduction->progress) reduction->progress(reduction->context, reduction->tries, ew_case_size(&reduction->best));
  return violated;
}

/* Few, because each costs a try and most are no better than the last. */
enum { FRESH_RECIPES = 3 };

/* Only where the base is smaller, so that there is an end. Drawn from the candidate alone, so that the same reduction takes the
   same way again. */
static bool ask_anew(struct ew_reduction *reduction, const struct ew_case *candidate, uint64_t hash) {
  struct ew_case bare = *candidate;
  if (!candidate->base || ew_tree_count(candidate->base) >= ew_tree_count(reduction->best.base)) return false;
  bare.recipe = (struct ew_recipe){0};
  bool unfit = !makes_sense(reduction, candidate) || !applies(reduction, candidate);
  if (!unfit || !makes_sense(reduction, &bare)) return false;
  const struct ew_generator *generator = reduction->generator;
  void *world = generator->prepare(NULL, reduction->profile, &ew_generate_options_standard, &bare.scene);
  struct ew_compose compose = {.generator = generator,
                               .world = world,
                               .profile = reduction->profile,
                               .random = ew_random_from(hash),
                               .arena = reduction->arena};
  bool violated = false;
  for (unsigned i = 0; i < FRESH_RECIPES && !violated && !ew_edit_done(reduction); i++) {
    struct ew_case other = bare;
    if (!reduction->oracle->recompose(&compose, &other)) continue;
    other = ew_case_clone(reduction->arena, &other); /* the world does not last */
    violated = ask(reduction, &other);
  }
  generator->release(world);
  return violated;
}

bool ew_edit_try(struct ew_reduction *reduction, const struct ew_case *candidate) {
  if (ew_edit_done(reduction)) return false;
  uint64_t hash = ew_hash_mix(hash_of(candidate), reduction->fresh);
  if (ew_map_find(&reduction->refused, ew_map_key_number(&hash))) return false;
  bool violated = reduction->fresh ? ask_anew(reduction, candidate, hash) : ask(reduction, candidate);
  if (!violated) ew_map_add(&reduction->refused, ew_map_key_number(&hash), NULL);
  return violated;
}

bool ew_edit_try_tree(struct ew_reduction *reduction, size_t number, const struct ew_node *tree) {
  if (!tree) return false;
  struct ew_case candidate = ew_edit_with(reduction->arena, &reduction->best, number, tree);
  return ew_edit_try(reduction, &candidate);
}

struct ew_builder ew_edit_builder(const struct ew_reduction *reduction, const struct ew_node *tree) {
  return ew_builder_for(reduction->arena, tree);
}

struct collect {
  struct ew_arena *arena;
  EW_VECTOR(uint64_t) ids;
};

static enum ew_walk collect_id(const struct ew_node *node, struct ew_place place, void *context) {
  struct collect *collect = context;
  (void)place;
  *ew_arena_vector_push(collect->arena, &collect->ids) = node->id;
  return EW_WALK_ON;
}

static struct collect ids_of(const struct ew_reduction *reduction, const struct ew_node *tree) {
  struct collect collect = {.arena = reduction->arena};
  if (tree) ew_tree_walk(tree, collect_id, &collect);
  return collect;
}

bool ew_edit_each_node(struct ew_reduction *reduction,
                       bool (*step)(struct ew_reduction *reduction, size_t number, uint64_t id)) {
  bool helped = false;
  for (size_t number = 0; number < ew_edit_count(&reduction->best); number++) {
    struct collect collect = ids_of(reduction, ew_edit_tree(&reduction->best, number));
    for (size_t i = 0; i < collect.ids.count && !ew_edit_done(reduction); i++)
      helped = step(reduction, number, collect.ids.items[i]) || helped;
  }
  return helped;
}

bool ew_edit_each_field(struct ew_reduction *reduction, unsigned types,
                        bool (*step)(struct ew_reduction *reduction, size_t number, uint64_t id, size_t field)) {
  bool helped = false;
  for (size_t number = 0; number < ew_edit_count(&reduction->best); number++) {
    struct collect collect = ids_of(reduction, ew_edit_tree(&reduction->best, number));
    for (size_t i = 0; i < collect.ids.count && !ew_edit_done(reduction); i++) {
      const struct ew_node *node = ew_tree_find(ew_edit_tree(&reduction->best, number), collect.ids.items[i]);
      for (size_t field = 0; node && field < ew_kind_field_count(node->kind); field++)
        if (types & EW_EDIT(node->kind->fields[field].type))
          helped = step(reduction, number, collect.ids.items[i], field) || helped;
    }
  }
  return helped;
}

size_t ew_case_size(const struct ew_case *test) {
  size_t size = 0;
  for (size_t i = 0; i < ew_edit_count(test); i++) {
    const struct ew_node *tree = ew_edit_tree(test, i);
    if (tree) size += ew_tree_count(tree);
  }
  return size;
}
