/* datalog.c: random Datalog programs that derive something and stay quick.

   Quick: all numbers come from a few values per width, so that no relation has more than some hundred tuples, and an
   atom that joins an existing body nearly always shares a variable with it. Something: a relation's first rule uses
   only what is derived before it, and constants are values of the facts. Stratified by construction: derived relations
   lie in layers, a rule sees its own layer only through positive atoms, and lower ones through any. */
#include "generate/datalog.h"

#include "base/allocate.h"
#include "lang/datalog/datalog.h"

enum {
  INPUTS_MAX = 5,
  DERIVED_MAX = 6,
  RELATIONS_MAX = INPUTS_MAX + DERIVED_MAX,
  ARITY_MAX = 3,
  WIDTHS_MAX = 2,
  DOMAIN_MAX = 7, /* values of one width in a scene */
  VALUES_MAX = WIDTHS_MAX * DOMAIN_MAX,
  VARIABLES_MAX = 12,
  ATOMS_MAX = 4,            /* positive ones in a body */
  BODY_MAX = ATOMS_MAX + 4, /* with two negated ones and two comparisons */
  RULES_MAX = 10,
};

static uint32_t draw(struct ew_random *random, uint32_t bound) { return ew_random_below(random, bound); }

static struct ew_span letter_name(struct ew_builder *builder, char letter, size_t number) {
  char *bytes = ew_arena_take(builder->arena, 2);
  bytes[0] = letter;
  bytes[1] = (char)('0' + number % 10);
  if (number < 10) return (struct ew_span){bytes, 2};
  return ew_arena_format(builder->arena, "%c%zu", letter, number);
}

static const struct ew_node *constant(struct ew_builder *builder, int64_t bits, int64_t number) {
  return DATALOG(builder, constant, .bits.number = bits, .value.value = ew_literal_of(builder, ew_integer(number)));
}

static void shuffle(struct ew_random *random, const struct ew_node **items, size_t count) {
  for (size_t i = count; i > 1; i--) {
    size_t other = draw(random, (uint32_t)i);
    const struct ew_node *item = items[i - 1];
    items[i - 1] = items[other];
    items[other] = item;
  }
}

/* ---- the scene ---- */

/* The numbers of one width that a scene uses. */
struct domain {
  int64_t bits, values[DOMAIN_MAX];
  uint32_t count;
};

/* Widths at and beside the borders of bytes; small ones, so that a relation can come to hold its whole domain. */
static const uint8_t widths[] = {2, 3, 4, 5, 7, 8, 8, 8, 9, 12, 15, 16};

/* Small numbers and, now and then, those at the upper border and in the middle. Values may repeat. */
static struct domain draw_domain(struct ew_random *random) {
  struct domain domain = {.bits = EW_RANDOM_PICK(random, widths)};
  int64_t top = ((int64_t)1 << domain.bits) - 1;
  domain.count = 4 + draw(random, DOMAIN_MAX - 3);
  for (uint32_t i = 0; i < domain.count; i++) {
    int64_t small = i < top ? i : top;
    switch (draw(random, 8)) {
      case 0: domain.values[i] = top - draw(random, 2); break;
      case 1: domain.values[i] = top / 2 + draw(random, 2); break;
      default: domain.values[i] = small; break;
    }
  }
  return domain;
}

static size_t draw_facts(struct ew_builder *builder, struct ew_random *random, const struct domain *domains,
                         uint32_t domain_count, struct ew_span name, const struct ew_node **facts) {
  static const unsigned arity_weights[] = {2, 24, 52, 22};
  static const uint32_t least[] = {1, 2, 4, 5}, most[] = {1, 6, 14, 14};
  size_t arity = ew_random_weighted(random, arity_weights, EW_COUNT(arity_weights));
  const struct domain *columns[ARITY_MAX];
  for (size_t i = 0; i < arity; i++) columns[i] = &domains[draw(random, domain_count)];
  size_t count = least[arity] + draw(random, most[arity] - least[arity] + 1);
  for (size_t i = 0; i < count; i++) {
    const struct ew_node *terms[ARITY_MAX];
    for (size_t k = 0; k < arity; k++)
      terms[k] = constant(builder, columns[k]->bits, columns[k]->values[draw(random, columns[k]->count)]);
    facts[i] = DATALOG(builder, atom, .relation.name = name, .terms.list = ew_list_of(builder, terms, arity));
  }
  return count;
}

static struct ew_scene scene(struct ew_arena *arena, const struct ew_profile *profile,
                             const struct ew_generate_options *options, struct ew_random *random) {
  static const char letters[] = "ABCD";
  struct ew_builder builder = {arena, 1};
  struct domain domains[WIDTHS_MAX];
  const struct ew_node *facts[4 * 14];
  size_t count = 0;
  (void)profile;
  (void)options;
  uint32_t domain_count = ew_random_chance(random, 30) ? 2 : 1;
  for (uint32_t i = 0; i < domain_count; i++) domains[i] = draw_domain(random);
  uint32_t relations = 2 + draw(random, 3);
  for (uint32_t i = 0; i < relations; i++)
    count += draw_facts(&builder, random, domains, domain_count, (struct ew_span){letters + i, 1}, facts + count);
  const struct ew_node *data = DATALOG(&builder, facts, .atoms.list = ew_list_of(&builder, facts, count));
  return (struct ew_scene){.data = data};
}

/* ---- the program: what it is made from ---- */

struct relation {
  struct ew_span name;
  size_t arity;
  int64_t bits[ARITY_MAX];
  unsigned layer; /* 0: given */
  bool empty;     /* given, but without facts */
};

struct maker {
  struct ew_builder *builder;
  struct ew_random *random;
  struct relation relations[RELATIONS_MAX]; /* given ones first, derived ones in the order of their layers */
  size_t relation_count, input_count;
  struct {
    int64_t bits, number;
  } values[VALUES_MAX]; /* constants of the facts */
  size_t value_count;
  int64_t widths[WIDTHS_MAX];
  size_t width_count;
};

static void note_value(struct maker *maker, const struct datalog_constant *fact) {
  int64_t bits = fact->bits.number, number = fact->value.value->integer;
  size_t i = 0;
  while (i < maker->width_count && maker->widths[i] != bits) i++;
  if (i == maker->width_count && i < WIDTHS_MAX) maker->widths[maker->width_count++] = bits;
  for (i = 0; i < maker->value_count; i++)
    if (maker->values[i].bits == bits && maker->values[i].number == number) return;
  if (maker->value_count == VALUES_MAX) return;
  maker->values[maker->value_count].bits = bits;
  maker->values[maker->value_count++].number = number;
}

/* Given relations, widths and constants, all from the facts. */
static void read_facts(struct maker *maker, struct ew_list facts) {
  for (size_t i = 0; i < facts.count; i++) {
    const struct datalog_atom *atom = DATALOG_AS(atom, facts.items[i]);
    size_t arity = atom->terms.list.count;
    for (size_t k = 0; k < arity; k++) note_value(maker, DATALOG_AS(constant, atom->terms.list.items[k]));
    const struct relation *last = maker->relation_count ? &maker->relations[maker->relation_count - 1] : NULL;
    if (last && ew_span_equal(last->name, atom->relation.name)) continue;
    if (maker->relation_count == INPUTS_MAX - 1 || arity > ARITY_MAX) continue;
    struct relation *relation = &maker->relations[maker->relation_count++];
    *relation = (struct relation){.name = atom->relation.name, .arity = arity};
    for (size_t k = 0; k < arity; k++) relation->bits[k] = DATALOG_AS(constant, atom->terms.list.items[k])->bits.number;
  }
}

static struct relation *add_relation(struct maker *maker, struct ew_span name) {
  static const unsigned arity_weights[ARITY_MAX + 1] = {3, 25, 48, 24};
  struct relation *relation = &maker->relations[maker->relation_count++];
  *relation = (struct relation){.name = name};
  relation->arity = maker->width_count ? ew_random_weighted(maker->random, arity_weights, ARITY_MAX + 1) : 0;
  for (size_t i = 0; i < relation->arity; i++)
    relation->bits[i] = maker->widths[draw(maker->random, (uint32_t)maker->width_count)];
  return relation;
}

static void add_relations(struct maker *maker) {
  bool without_facts = ew_random_chance(maker->random, 12) || !maker->relation_count;
  if (without_facts) add_relation(maker, EW_SPAN("N"))->empty = true;
  maker->input_count = maker->relation_count;
  size_t derived = 2 + draw(maker->random, DERIVED_MAX - 1);
  unsigned layer = 1;
  for (size_t i = 0; i < derived; i++) {
    layer += i && ew_random_chance(maker->random, 65);
    add_relation(maker, letter_name(maker->builder, 'P', i))->layer = layer;
  }
}

/* A value of the facts with this width; 0 where there is none. */
static const struct ew_node *draw_constant(struct maker *maker, int64_t bits) {
  int64_t number = 0;
  uint32_t seen = 0;
  for (size_t i = 0; i < maker->value_count; i++)
    if (maker->values[i].bits == bits && draw(maker->random, ++seen) == 0) number = maker->values[i].number;
  return constant(maker->builder, bits, number);
}

/* ---- a rule ---- */

struct body {
  const struct relation *head;
  const struct ew_node *literals[BODY_MAX];
  size_t count;
  int64_t bits[VARIABLES_MAX]; /* of variable i */
  size_t variable_count;
  bool recursive; /* has an atom of the head's layer */
};

enum { NO_VARIABLE = VARIABLES_MAX };

/* One of the first `among` variables with this width; NO_VARIABLE where there is none. */
static size_t bound_variable(struct maker *maker, const struct body *body, size_t among, int64_t bits) {
  size_t found = NO_VARIABLE;
  uint32_t seen = 0;
  for (size_t i = 0; i < among; i++)
    if (body->bits[i] == bits && draw(maker->random, ++seen) == 0) found = i;
  return found;
}

/* Each width has its own letter, since a name must have one width in the whole program. */
static const struct ew_node *variable(struct maker *maker, const struct body *body, size_t number) {
  size_t width = 0;
  while (width + 1 < maker->width_count && maker->widths[width] != body->bits[number]) width++;
  return DATALOG(maker->builder, variable, .name.name = letter_name(maker->builder, "xy"[width], number));
}

static const struct ew_node *atom_of(struct maker *maker, const struct relation *relation,
                                     const struct ew_node *const *terms) {
  return DATALOG(maker->builder, atom, .relation.name = relation->name,
                 .terms.list = ew_list_of(maker->builder, terms, relation->arity));
}

static void add_literal(struct maker *maker, struct body *body, bool negated, const struct ew_node *atom) {
  body->literals[body->count++] = DATALOG(maker->builder, literal, .negated.flag = negated, .atom.node = atom);
}

/* What a positive atom may be of. `first`: the head's first rule, which must not wait for itself. */
static const struct relation *positive_relation(struct maker *maker, struct body *body, bool first) {
  unsigned weights[RELATIONS_MAX] = {0};
  for (size_t i = 0; i < maker->relation_count; i++) {
    const struct relation *relation = &maker->relations[i];
    bool same_layer = relation->layer == body->head->layer;
    if (i < maker->input_count)
      weights[i] = relation->empty ? 1 : 8;
    else if (relation < body->head && !same_layer)
      weights[i] = 10;
    else if (same_layer && (!first || relation < body->head))
      weights[i] = body->recursive ? 3 : 16;
  }
  const struct relation *picked = &maker->relations[ew_random_weighted(maker->random, weights, maker->relation_count)];
  body->recursive |= picked->layer == body->head->layer;
  return picked;
}

/* An atom that joins the body: old variables, new ones, a few constants. One column is nearly always joined with what
   is there. */
static void add_positive(struct maker *maker, struct body *body, bool first) {
  const struct relation *relation = positive_relation(maker, body, first);
  const struct ew_node *terms[ARITY_MAX];
  size_t old = body->variable_count;
  bool joins = relation->arity && ew_random_chance(maker->random, 92);
  size_t join = joins ? draw(maker->random, (uint32_t)relation->arity) : ARITY_MAX;
  for (size_t i = 0; i < relation->arity; i++) {
    int64_t bits = relation->bits[i];
    size_t number = NO_VARIABLE;
    if (i == join)
      number = bound_variable(maker, body, old, bits);
    else if (ew_random_chance(maker->random, old ? 25 : 8))
      number = bound_variable(maker, body, body->variable_count, bits);
    bool none_left = number == NO_VARIABLE && body->variable_count == VARIABLES_MAX;
    if (none_left || (i != join && ew_random_chance(maker->random, first ? 3 : 8))) {
      terms[i] = draw_constant(maker, bits);
      continue;
    }
    if (number == NO_VARIABLE) body->bits[number = body->variable_count++] = bits;
    terms[i] = variable(maker, body, number);
  }
  add_literal(maker, body, false, atom_of(maker, relation, terms));
}

/* A bound variable or a constant: what may stand where nothing gets bound. */
static const struct ew_node *bound_term(struct maker *maker, const struct body *body, int64_t bits,
                                        unsigned constant_chance) {
  size_t number = bound_variable(maker, body, body->variable_count, bits);
  if (number == NO_VARIABLE || ew_random_chance(maker->random, constant_chance)) return draw_constant(maker, bits);
  return variable(maker, body, number);
}

/* Given relations and derived ones of lower layers, all alike. */
static void add_negated(struct maker *maker, struct body *body) {
  size_t lower = maker->input_count;
  while (maker->relations[lower].layer < body->head->layer) lower++;
  const struct relation *relation = &maker->relations[draw(maker->random, (uint32_t)lower)];
  const struct ew_node *terms[ARITY_MAX];
  for (size_t i = 0; i < relation->arity; i++) terms[i] = bound_term(maker, body, relation->bits[i], 12);
  add_literal(maker, body, true, atom_of(maker, relation, terms));
}

static void add_comparison(struct maker *maker, struct body *body) {
  static const unsigned weights[] = {[DATALOG_EQUAL] = 2, [DATALOG_UNEQUAL] = 5, [DATALOG_LESS] = 5};
  if (!body->variable_count) return;
  size_t number = draw(maker->random, (uint32_t)body->variable_count);
  const struct ew_node *left = variable(maker, body, number);
  const struct ew_node *right = bound_term(maker, body, body->bits[number], 40);
  /* A variable beside itself is drawn again, once: such comparisons are worth little, not nothing. */
  if (ew_tree_equal(left, right)) right = bound_term(maker, body, body->bits[number], 40);
  bool swap = ew_random_chance(maker->random, 30);
  uint32_t order = (uint32_t)ew_random_weighted(maker->random, weights, EW_COUNT(weights));
  body->literals[body->count++] = DATALOG(maker->builder, comparison, .order.choice = order,
                                          .left.node = swap ? right : left, .right.node = swap ? left : right);
}

/* The head's next term. Up to three draws for one that is not there yet: repeated terms make thin relations. */
static const struct ew_node *head_term(struct maker *maker, const struct body *body,
                                       const struct ew_node *const *before, size_t count) {
  const struct ew_node *term = NULL;
  for (unsigned draws = 0, repeated = 1; draws < 3 && repeated; draws++) {
    term = bound_term(maker, body, body->head->bits[count], 4);
    repeated = 0;
    for (size_t i = 0; i < count; i++) repeated |= ew_tree_equal(term, before[i]);
  }
  return term;
}

static const struct ew_node *make_rule(struct maker *maker, const struct relation *head, bool first) {
  static const unsigned atom_weights[2][ATOMS_MAX] = {{25, 50, 20, 5}, {60, 35, 5, 0}};
  unsigned restrictions = first ? 15 : 35;
  struct body body = {.head = head};
  const struct ew_node *terms[ARITY_MAX];
  size_t atoms = 1 + ew_random_weighted(maker->random, atom_weights[first], ATOMS_MAX);
  for (size_t i = 0; i < atoms; i++) add_positive(maker, &body, first);
  for (size_t i = 0; i < 2 && ew_random_chance(maker->random, restrictions); i++) add_negated(maker, &body);
  for (size_t i = 0; i < 2 && ew_random_chance(maker->random, restrictions); i++) add_comparison(maker, &body);
  for (size_t i = 0; i < head->arity; i++) terms[i] = head_term(maker, &body, terms, i);
  if (ew_random_chance(maker->random, 50)) shuffle(maker->random, body.literals, body.count);
  return DATALOG(maker->builder, rule, .derives.node = atom_of(maker, head, terms),
                 .body.list = ew_list_of(maker->builder, body.literals, body.count));
}

/* ---- the program, put together ---- */

static struct ew_list make_rules(struct maker *maker) {
  const struct ew_node *rules[RULES_MAX];
  size_t derived = maker->relation_count - maker->input_count, count = 0;
  const struct relation *heads = maker->relations + maker->input_count;
  size_t wanted = 3 + draw(maker->random, RULES_MAX - 2);
  while (count < derived) {
    rules[count] = make_rule(maker, &heads[count], true);
    count++;
  }
  while (count < wanted) rules[count++] = make_rule(maker, &heads[draw(maker->random, (uint32_t)derived)], false);
  if (ew_random_chance(maker->random, 50)) shuffle(maker->random, rules, count);
  return ew_list_of(maker->builder, rules, count);
}

static struct ew_list declare_relations(struct maker *maker) {
  const struct ew_node *declared[RELATIONS_MAX];
  for (size_t i = 0; i < maker->relation_count; i++) {
    const struct relation *relation = &maker->relations[i];
    const struct ew_node *attributes[ARITY_MAX];
    for (size_t k = 0; k < relation->arity; k++)
      attributes[k] = DATALOG(maker->builder, attribute, .name.name = letter_name(maker->builder, 'a', k),
                              .bits.number = relation->bits[k]);
    declared[i] = DATALOG(maker->builder, relation, .name.name = relation->name,
                          .attributes.list = ew_list_of(maker->builder, attributes, relation->arity));
  }
  return ew_list_of(maker->builder, declared, maker->relation_count);
}

/* The last relation, which rests on the most, and any others. */
static struct ew_names draw_outputs(struct maker *maker) {
  struct ew_span outputs[RELATIONS_MAX];
  size_t count = 0;
  for (size_t i = 0; i < maker->relation_count; i++) {
    bool last = i + 1 == maker->relation_count;
    if (last || ew_random_chance(maker->random, i < maker->input_count ? 3 : 55))
      outputs[count++] = maker->relations[i].name;
  }
  return ew_names_of(maker->builder, outputs, count);
}

/* The world is the scene's facts: all that a program needs to know. */
static void *prepare(void *world, const struct ew_profile *profile, const struct ew_generate_options *options,
                     const struct ew_scene *scene_) {
  (void)profile;
  (void)options;
  if (!world) world = ew_allocate_zeroed(1, sizeof(struct ew_scene));
  *(struct ew_scene *)world = *scene_;
  return world;
}

static const struct ew_node *base(void *world, const struct ew_draw *draw) {
  const struct ew_scene *scene_ = world;
  struct maker maker = {.builder = draw->builder, .random = draw->random};
  if (scene_->data) read_facts(&maker, DATALOG_AS(facts, scene_->data)->atoms.list);
  add_relations(&maker);
  struct ew_list relations = declare_relations(&maker), rules = make_rules(&maker);
  return DATALOG(draw->builder, program, .relations.list = relations, .rules.list = rules,
                 .outputs.names = draw_outputs(&maker));
}

const struct ew_generator ew_generate_datalog = {
    .language = &ew_datalog,
    .scene = scene,
    .prepare = prepare,
    .release = ew_deallocate,
    .base = base,
};
