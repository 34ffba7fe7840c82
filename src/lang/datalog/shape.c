/* shape.c: what a program looks like without its names and constants, and which constructs are in it.

   The shape numbers relations by their first occurrence in the rules and variables by their first occurrence in a rule,
   so that it keeps what joins with what:  `r0(0 1):r1(0 2)!r2(2)0<1.` */
#include "base/allocate.h"
#include "lang/datalog/parts.h"

/* Names by the order in which they came. */
struct numbering {
  struct ew_span *names;
  size_t count;
};

static size_t number_of(struct numbering *numbering, struct ew_span name) {
  size_t i = 0;
  while (i < numbering->count && !ew_span_equal(numbering->names[i], name)) i++;
  if (i == numbering->count) numbering->names[numbering->count++] = name;
  return i;
}

struct shape {
  struct ew_text *text;
  struct numbering relations, variables;
};

static void shape_tree(struct shape *shape, const struct ew_node *tree);

static void shape_list(struct shape *shape, struct ew_list list, const char *between) {
  for (size_t i = 0; i < list.count; i++) {
    if (i) ew_text_add_string(shape->text, between);
    shape_tree(shape, list.items[i]);
  }
}

static void shape_program(struct shape *shape, const struct datalog_program *program) {
  shape_list(shape, program->rules.list, "");
  for (size_t i = 0; i < program->outputs.names.count; i++) {
    ew_text_add_string(shape->text, "?r");
    ew_text_add_unsigned(shape->text, number_of(&shape->relations, program->outputs.names.items[i]));
  }
}

static void shape_tree(struct shape *shape, const struct ew_node *tree) {
  struct ew_text *text = shape->text;
  switch ((enum datalog_kind)tree->kind->code) {
    case DATALOG_program: shape_program(shape, DATALOG_AS(program, tree)); break;
    case DATALOG_facts: ew_text_add_string(text, "facts"); break;
    case DATALOG_relation: shape_list(shape, DATALOG_AS(relation, tree)->attributes.list, " "); break;
    case DATALOG_attribute: ew_text_add_char(text, '#'); break;
    case DATALOG_rule:
      shape->variables.count = 0;
      shape_tree(shape, DATALOG_AS(rule, tree)->derives.node);
      ew_text_add_char(text, ':');
      shape_list(shape, DATALOG_AS(rule, tree)->body.list, "");
      ew_text_add_char(text, '.');
      break;
    case DATALOG_atom:
      ew_text_add_char(text, 'r');
      ew_text_add_unsigned(text, number_of(&shape->relations, DATALOG_AS(atom, tree)->relation.name));
      ew_text_add_char(text, '(');
      shape_list(shape, DATALOG_AS(atom, tree)->terms.list, " ");
      ew_text_add_char(text, ')');
      break;
    case DATALOG_literal:
      if (DATALOG_AS(literal, tree)->negated.flag) ew_text_add_char(text, '!');
      shape_tree(shape, DATALOG_AS(literal, tree)->atom.node);
      break;
    case DATALOG_comparison:
      shape_tree(shape, DATALOG_AS(comparison, tree)->left.node);
      ew_text_add_string(text, datalog_order_text[DATALOG_AS(comparison, tree)->order.choice]);
      shape_tree(shape, DATALOG_AS(comparison, tree)->right.node);
      break;
    case DATALOG_variable:
      ew_text_add_unsigned(text, number_of(&shape->variables, DATALOG_AS(variable, tree)->name.name));
      break;
    case DATALOG_constant: ew_text_add_char(text, '#'); break;
  }
}

void ew_datalog_shape(struct ew_text *text, const struct ew_node *tree) {
  size_t outputs = datalog_is(tree, DATALOG_program) ? DATALOG_AS(program, tree)->outputs.names.count : 0;
  size_t most = ew_tree_count(tree) + outputs;
  struct ew_span *names = ew_allocate_zeroed(2 * most, sizeof *names);
  struct shape shape = {.text = text, .relations.names = names, .variables.names = names + most};
  shape_tree(&shape, tree);
  ew_deallocate(names);
}

/* ---- features ---- */

struct features {
  const struct datalog_program *program; /* NULL where the tree is only part of one */
  void (*found)(void *context, const char *feature);
  void *context;
};

/* A rule is recursive where a positive atom needs the head's relation; mutually, where that goes through another one.
   */
static void features_of_rule(const struct features *features, const struct datalog_rule *rule) {
  struct ew_span head = datalog_head(rule)->relation.name;
  size_t recursive = 0, mutual = 0;
  for (size_t i = 0; features->program && i < rule->body.list.count; i++) {
    const struct datalog_atom *atom = datalog_positive(rule->body.list.items[i]);
    if (!atom) continue;
    bool itself = ew_span_equal(atom->relation.name, head);
    bool needs = itself || ew_datalog_depends(features->program, atom->relation.name, head);
    recursive += needs;
    mutual += needs && !itself;
  }
  features->found(features->context, "rule");
  if (recursive) features->found(features->context, mutual ? "mutual_recursion" : "recursion");
  if (recursive > 1) features->found(features->context, "nonlinear_recursion");
}

static bool repeats_a_variable(const struct datalog_atom *atom) {
  for (size_t i = 0; i < atom->terms.list.count; i++)
    for (size_t k = 0; k < i; k++) {
      const struct ew_node *a = atom->terms.list.items[i], *b = atom->terms.list.items[k];
      if (datalog_is(a, DATALOG_variable) && ew_tree_equal(a, b)) return true;
    }
  return false;
}

static enum ew_walk features_of_node(const struct ew_node *node, struct ew_place place, void *context) {
  static const char *const order_names[] = {
      [DATALOG_EQUAL] = "equal", [DATALOG_UNEQUAL] = "unequal", [DATALOG_LESS] = "less"};
  const struct features *features = context;
  const char *feature = NULL;
  (void)place;
  switch ((enum datalog_kind)node->kind->code) {
    case DATALOG_rule: features_of_rule(features, DATALOG_AS(rule, node)); break;
    case DATALOG_atom:
      if (!DATALOG_AS(atom, node)->terms.list.count) feature = "nullary_atom";
      if (repeats_a_variable(DATALOG_AS(atom, node))) feature = "repeated_variable";
      break;
    case DATALOG_literal: feature = DATALOG_AS(literal, node)->negated.flag ? "negation" : NULL; break;
    case DATALOG_comparison: feature = order_names[DATALOG_AS(comparison, node)->order.choice]; break;
    case DATALOG_constant: feature = "constant"; break;
    case DATALOG_facts: return EW_WALK_SKIP;
    default: break;
  }
  if (feature) features->found(features->context, feature);
  return EW_WALK_ON;
}

void ew_datalog_features(const struct ew_node *tree, void (*found)(void *context, const char *feature), void *context) {
  struct features features = {datalog_is(tree, DATALOG_program) ? DATALOG_AS(program, tree) : NULL, found, context};
  ew_tree_walk(tree, features_of_node, &features);
}
