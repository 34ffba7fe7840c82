/* check.c: whether a case is a Datalog program that means one thing on every engine: all is declared, numbers and
   widths fit, rules are safe, negation is stratified. µZ itself takes unsafe rules (a free variable then runs over its
   whole domain), so nobody else would notice. */
#include "lang/datalog/parts.h"

/* Letters, digits and '_', no digit first: a name that no dialect has to quote. */
static bool plain_name(struct ew_span name) {
  for (size_t i = 0; i < name.length; i++) {
    char c = name.bytes[i];
    bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    if (!letter && (i == 0 || c < '0' || c > '9')) return false;
  }
  return name.length > 0;
}

static bool relations_fit(const struct datalog_program *program) {
  for (size_t i = 0; i < program->relations.list.count; i++) {
    const struct datalog_relation *relation = DATALOG_AS(relation, program->relations.list.items[i]);
    /* The search finds the first of a name: another one means that it is declared twice. */
    if (!plain_name(relation->name.name) || ew_datalog_relation(program, relation->name.name) != relation) return false;
    for (size_t k = 0; k < relation->attributes.list.count; k++) {
      int64_t bits = DATALOG_AS(attribute, relation->attributes.list.items[k])->bits.number;
      if (bits < 1 || bits > DATALOG_BITS_MAX) return false;
    }
  }
  return true;
}

static bool outputs_fit(const struct datalog_program *program) {
  struct ew_names outputs = program->outputs.names;
  for (size_t i = 0; i < outputs.count; i++) {
    if (!ew_datalog_relation(program, outputs.items[i])) return false;
    for (size_t k = 0; k < i; k++)
      if (ew_span_equal(outputs.items[i], outputs.items[k])) return false;
  }
  return outputs.count > 0;
}

/* ---- terms ---- */

/* The width of a term in a rule; 0 for a variable that no positive atom binds and for a constant that is none. `rule`
   NULL: in a fact, where nothing is bound. */
static int64_t term_bits(const struct datalog_program *program, const struct datalog_rule *rule,
                         const struct ew_node *term) {
  if (datalog_is(term, DATALOG_variable)) {
    struct ew_span name = DATALOG_AS(variable, term)->name.name;
    return rule && plain_name(name) ? ew_datalog_variable_bits(program, rule, name) : 0;
  }
  const struct datalog_constant *constant = DATALOG_AS(constant, term);
  int64_t bits = constant->bits.number;
  if (bits < 1 || bits > DATALOG_BITS_MAX || constant->value.value->kind != EW_VALUE_INTEGER) return 0;
  int64_t number = constant->value.value->integer;
  return number >= 0 && number >> bits == 0 ? bits : 0;
}

/* Arity, widths, and that all variables are bound: a positive atom binds its own. */
static bool atom_fits(const struct datalog_program *program, const struct datalog_rule *rule,
                      const struct ew_node *node) {
  const struct datalog_atom *atom = DATALOG_AS(atom, node);
  const struct datalog_relation *relation = ew_datalog_relation(program, atom->relation.name);
  if (!relation || relation->attributes.list.count != atom->terms.list.count) return false;
  for (size_t i = 0; i < atom->terms.list.count; i++) {
    int64_t bits = DATALOG_AS(attribute, relation->attributes.list.items[i])->bits.number;
    if (term_bits(program, rule, atom->terms.list.items[i]) != bits) return false;
  }
  return true;
}

static bool literal_fits(const struct datalog_program *program, const struct datalog_rule *rule,
                         const struct ew_node *node) {
  if (datalog_is(node, DATALOG_literal)) return atom_fits(program, rule, DATALOG_AS(literal, node)->atom.node);
  int64_t left = term_bits(program, rule, DATALOG_AS(comparison, node)->left.node);
  return left && left == term_bits(program, rule, DATALOG_AS(comparison, node)->right.node);
}

/* ---- rules ---- */

/* Negation must look only at relations that are complete before the head's is begun. */
static bool stratified(const struct datalog_program *program, const struct datalog_rule *rule) {
  struct ew_span head = datalog_head(rule)->relation.name;
  for (size_t i = 0; i < rule->body.list.count; i++) {
    const struct ew_node *node = rule->body.list.items[i];
    if (!datalog_is(node, DATALOG_literal) || datalog_positive(node)) continue;
    struct ew_span negated = DATALOG_AS(atom, DATALOG_AS(literal, node)->atom.node)->relation.name;
    if (ew_span_equal(negated, head) || ew_datalog_depends(program, negated, head)) return false;
  }
  return true;
}

struct one_width {
  const struct datalog_program *program;
  const struct datalog_rule *rule;
};

/* In a rule walked before, or in this one, the variable has the width it has first of all: one declaration serves the
   text. */
static enum ew_walk has_one_width(const struct ew_node *node, struct ew_place place, void *context) {
  const struct one_width *here = context;
  (void)place;
  if (!datalog_is(node, DATALOG_variable)) return EW_WALK_ON;
  struct ew_span name = DATALOG_AS(variable, node)->name.name;
  int64_t bits = ew_datalog_variable_bits(here->program, here->rule, name);
  for (size_t i = 0; i < here->program->rules.list.count; i++) {
    const struct datalog_rule *rule = DATALOG_AS(rule, here->program->rules.list.items[i]);
    int64_t first = rule == here->rule ? bits : ew_datalog_variable_bits(here->program, rule, name);
    if (first) return first == bits ? EW_WALK_ON : EW_WALK_STOP;
  }
  return EW_WALK_ON;
}

static bool rule_fits(const struct datalog_program *program, const struct ew_node *node) {
  const struct datalog_rule *rule = DATALOG_AS(rule, node);
  for (size_t i = 0; i < rule->body.list.count; i++)
    if (!literal_fits(program, rule, rule->body.list.items[i])) return false;
  return atom_fits(program, rule, rule->derives.node) && stratified(program, rule) &&
         ew_tree_walk(node, has_one_width, &(struct one_width){program, rule});
}

static bool facts_fit(const struct datalog_program *program, const struct ew_node *facts) {
  if (!facts) return true;
  if (!datalog_is(facts, DATALOG_facts)) return false;
  struct ew_list atoms = DATALOG_AS(facts, facts)->atoms.list;
  for (size_t i = 0; i < atoms.count; i++)
    if (!atom_fits(program, NULL, atoms.items[i])) return false;
  return true;
}

bool ew_datalog_check(const struct ew_case *test, bool strict) {
  (void)strict; /* a program has no type errors that are not errors of its form */
  if (!test->base || !datalog_is(test->base, DATALOG_program)) return false;
  if (test->scene.schema || test->scene.statements.count) return false;
  const struct datalog_program *program = DATALOG_AS(program, test->base);
  if (!relations_fit(program) || !outputs_fit(program) || !facts_fit(program, test->scene.data)) return false;
  for (size_t i = 0; i < program->rules.list.count; i++)
    if (!rule_fits(program, program->rules.list.items[i])) return false;
  return true;
}
