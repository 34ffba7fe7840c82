/* step_addeq.c: addEQ: copies of a positive atom are added to the body it stands in, with some of their terms replaced
   by variables that occur nowhere else. Whatever satisfies the atom satisfies a copy, and a copy binds nothing that
   others see, so the rule derives the same tuples from every database, and the program means the same, recursive or
   not. Several copies at once, since engines go wrong where they drop all but one of many atoms that look alike.

   Recipe: the id of the atom and, for each copy, the set of positions that get a fresh variable, as bits. An empty set
   is a plain copy, just as sound; it is drawn only for an atom without columns, which has no other. */
#include "lang/datalog/parts.h"

enum { ATOM_ID, COPIES, COPIES_MAX = 3, POSITIONS_MAX = 62 };

/* ---- choosing ---- */

struct choice {
  size_t wanted, seen;
  const struct datalog_atom *found;
};

/* Counts positive atoms; the one with the wanted number is the choice. */
static enum ew_walk count_positive(const struct ew_node *node, struct ew_place place, void *context) {
  struct choice *choice = context;
  (void)place;
  if (!datalog_is(node, DATALOG_literal)) return EW_WALK_ON;
  const struct datalog_atom *atom = datalog_positive(node);
  if (!atom || atom->terms.list.count > POSITIONS_MAX) return EW_WALK_SKIP;
  if (choice->seen++ == choice->wanted) choice->found = atom;
  return EW_WALK_SKIP;
}

/* As many draws as a number up to the arity says, with repetition: the paper's way, which leans to few positions. */
static int64_t draw_positions(struct ew_random *random, uint32_t arity) {
  int64_t positions = 0;
  for (uint32_t left = arity ? 1 + ew_random_below(random, arity) : 0; left; left--)
    positions |= (int64_t)1 << ew_random_below(random, arity);
  return positions;
}

static bool choose(struct ew_builder *builder, const struct ew_node *program, struct ew_random *random,
                   struct ew_recipe *recipe) {
  static const unsigned copy_weights[COPIES_MAX] = {5, 3, 2};
  struct choice choice = {.wanted = SIZE_MAX};
  ew_tree_walk(program, count_positive, &choice);
  if (!choice.seen) return false;
  choice = (struct choice){.wanted = ew_random_below(random, (uint32_t)choice.seen)};
  ew_tree_walk(program, count_positive, &choice);
  size_t copies = 1 + ew_random_weighted(random, copy_weights, COPIES_MAX);
  int64_t *numbers = EW_NEW_ARRAY(builder->arena, int64_t, COPIES + copies);
  numbers[ATOM_ID] = (int64_t)choice.found->head.id;
  for (size_t i = 0; i < copies; i++)
    numbers[COPIES + i] = draw_positions(random, (uint32_t)choice.found->terms.list.count);
  *recipe = (struct ew_recipe){.numbers = numbers, .number_count = COPIES + copies};
  return true;
}

/* ---- applying ---- */

static enum ew_walk stop_at_name(const struct ew_node *node, struct ew_place place, void *context) {
  const struct ew_span *name = context;
  (void)place;
  if (!datalog_is(node, DATALOG_variable)) return EW_WALK_ON;
  return ew_span_equal(DATALOG_AS(variable, node)->name.name, *name) ? EW_WALK_STOP : EW_WALK_ON;
}

/* A name that no rule of the program uses: a variable must have one width in the whole text. `*number` is where to go
   on. */
static struct ew_span fresh_name(struct ew_builder *builder, const struct ew_node *program, unsigned *number) {
  struct ew_span name;
  do name = ew_arena_format(builder->arena, "f%u", (*number)++);
  while (!ew_tree_walk(program, stop_at_name, &name));
  return name;
}

/* A literal like `atom`, with variables of its own at the positions. `*fresh` counts them over all copies. */
static const struct ew_node *loosened_copy(struct ew_builder *builder, const struct ew_node *program,
                                           const struct datalog_atom *atom, uint64_t positions, unsigned *fresh) {
  struct ew_list terms = atom->terms.list;
  const struct ew_node *copies[POSITIONS_MAX];
  for (size_t i = 0; i < terms.count; i++) {
    copies[i] = positions >> i & 1 ? DATALOG(builder, variable, .name.name = fresh_name(builder, program, fresh))
                                   : ew_tree_duplicate(builder, terms.items[i]);
  }
  const struct ew_node *copy = DATALOG(builder, atom, .relation.name = atom->relation.name,
                                       .terms.list = ew_list_of(builder, copies, terms.count));
  return DATALOG(builder, literal, .negated.flag = false, .atom.node = copy);
}

struct target {
  uint64_t id;
  const struct datalog_rule *rule; /* the last one that was entered */
  const struct datalog_atom *atom;
};

static enum ew_walk find_target(const struct ew_node *node, struct ew_place place, void *context) {
  struct target *target = context;
  (void)place;
  if (datalog_is(node, DATALOG_rule)) target->rule = DATALOG_AS(rule, node);
  if (!datalog_is(node, DATALOG_literal)) return EW_WALK_ON;
  const struct datalog_atom *atom = datalog_positive(node);
  if (!atom || atom->head.id != target->id) return EW_WALK_SKIP;
  target->atom = atom;
  return EW_WALK_STOP;
}

static const struct ew_node *apply(struct ew_builder *builder, const struct ew_node *program,
                                   const struct ew_recipe *recipe) {
  if (recipe->number_count <= COPIES) return NULL;
  struct target target = {.id = (uint64_t)recipe->numbers[ATOM_ID]};
  ew_tree_walk(program, find_target, &target);
  if (!target.atom || !target.rule || target.atom->terms.list.count > POSITIONS_MAX) return NULL;
  struct datalog_rule changed = *target.rule;
  unsigned fresh = 0;
  for (size_t i = COPIES; i < recipe->number_count; i++) {
    uint64_t positions = (uint64_t)recipe->numbers[i];
    if (positions >> target.atom->terms.list.count) return NULL;
    const struct ew_node *copy = loosened_copy(builder, program, target.atom, positions, &fresh);
    changed.body.list = ew_list_append(builder, changed.body.list, copy);
  }
  const struct ew_node *rule = ew_node_make(builder, changed.head.kind, &changed);
  return ew_tree_replace(builder, program, changed.head.id, rule);
}

const struct ew_rule_step ew_datalog_addeq = {.name = "addEQ", .choose = choose, .apply = apply};
