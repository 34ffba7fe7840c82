/* look.c: looking things up in a program: declarations, widths of variables, which relation needs which. Programs are
   small, so plain searches do. */
#include "base/allocate.h"
#include "lang/datalog/parts.h"

const struct datalog_relation *ew_datalog_relation(const struct datalog_program *program, struct ew_span name) {
  for (size_t i = 0; i < program->relations.list.count; i++) {
    const struct datalog_relation *relation = DATALOG_AS(relation, program->relations.list.items[i]);
    if (ew_span_equal(relation->name.name, name)) return relation;
  }
  return NULL;
}

/* Where in the atom the variable stands first; the number of terms where it does not. */
static size_t position_of(const struct datalog_atom *atom, struct ew_span name) {
  size_t i = 0;
  for (; i < atom->terms.list.count; i++) {
    const struct ew_node *term = atom->terms.list.items[i];
    if (datalog_is(term, DATALOG_variable) && ew_span_equal(DATALOG_AS(variable, term)->name.name, name)) break;
  }
  return i;
}

int64_t ew_datalog_variable_bits(const struct datalog_program *program, const struct datalog_rule *rule,
                                 struct ew_span name) {
  for (size_t i = 0; i < rule->body.list.count; i++) {
    const struct datalog_atom *atom = datalog_positive(rule->body.list.items[i]);
    if (!atom) continue;
    size_t position = position_of(atom, name);
    if (position == atom->terms.list.count) continue;
    const struct datalog_relation *relation = ew_datalog_relation(program, atom->relation.name);
    if (relation && position < relation->attributes.list.count)
      return DATALOG_AS(attribute, relation->attributes.list.items[position])->bits.number;
  }
  return 0;
}

/* The atom of a literal, negated or not; NULL for a comparison. */
static const struct datalog_atom *atom_of(const struct ew_node *literal) {
  if (!datalog_is(literal, DATALOG_literal)) return NULL;
  return DATALOG_AS(atom, DATALOG_AS(literal, literal)->atom.node);
}

/* One round over all rules: marks what the marked relations need at once. Returns whether a mark is new. */
static bool mark_needed(const struct datalog_program *program, bool *marked) {
  bool news = false;
  for (size_t i = 0; i < program->rules.list.count; i++) {
    const struct datalog_rule *rule = DATALOG_AS(rule, program->rules.list.items[i]);
    if (!marked[i]) continue;
    for (size_t k = 0; k < rule->body.list.count; k++) {
      const struct datalog_atom *atom = atom_of(rule->body.list.items[k]);
      for (size_t j = 0; atom && j < program->rules.list.count; j++) {
        const struct datalog_rule *other = DATALOG_AS(rule, program->rules.list.items[j]);
        if (marked[j] || !ew_span_equal(datalog_head(other)->relation.name, atom->relation.name)) continue;
        marked[j] = news = true;
      }
    }
  }
  return news;
}

bool ew_datalog_depends(const struct datalog_program *program, struct ew_span from, struct ew_span to) {
  bool needs = false;
  /* A mark is on a rule: the rules of `from`, then those of all that it needs. */
  bool *marked = ew_allocate_zeroed(program->rules.list.count + 1, sizeof *marked);
  for (size_t i = 0; i < program->rules.list.count; i++) {
    const struct datalog_rule *rule = DATALOG_AS(rule, program->rules.list.items[i]);
    marked[i] = ew_span_equal(datalog_head(rule)->relation.name, from);
  }
  while (mark_needed(program, marked)) continue;
  for (size_t i = 0; i < program->rules.list.count && !needs; i++) {
    const struct datalog_rule *rule = DATALOG_AS(rule, program->rules.list.items[i]);
    for (size_t k = 0; marked[i] && k < rule->body.list.count && !needs; k++) {
      const struct datalog_atom *atom = atom_of(rule->body.list.items[k]);
      needs = atom && ew_span_equal(atom->relation.name, to);
    }
  }
  ew_deallocate(marked);
  return needs;
}
