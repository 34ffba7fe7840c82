/* print_smtlib.c: Datalog as SMT-LIB text with the commands that µZ adds to it:

       (declare-rel A ((_ BitVec 8) (_ BitVec 8)))
       (declare-var x (_ BitVec 8))
       (rule (A (_ bv1 8) (_ bv2 8)))
       (rule (=> (and (A x y) (not (B y)) (bvult x y)) (P x)))
       (query P)

   A variable is declared once for the whole text and means another one in each rule. `<` is that of unsigned numbers.
   */
#include "base/allocate.h"
#include "lang/datalog/parts.h"

static void print_sort(struct ew_text *text, int64_t bits) {
  ew_text_add_string(text, "(_ BitVec ");
  ew_text_add_integer(text, bits);
  ew_text_add_char(text, ')');
}

static void print_term(struct ew_text *text, const struct ew_node *term) {
  if (datalog_is(term, DATALOG_variable)) {
    ew_text_add(text, DATALOG_AS(variable, term)->name.name);
    return;
  }
  const struct datalog_constant *constant = DATALOG_AS(constant, term);
  ew_text_add_string(text, "(_ bv");
  ew_text_add_integer(text, constant->value.value->integer);
  ew_text_add_char(text, ' ');
  ew_text_add_integer(text, constant->bits.number);
  ew_text_add_char(text, ')');
}

/* Without columns it is a name alone: `(P)` is no SMT-LIB. */
static void print_atom(struct ew_text *text, const struct ew_node *node) {
  const struct datalog_atom *atom = DATALOG_AS(atom, node);
  if (atom->terms.list.count) ew_text_add_char(text, '(');
  ew_text_add(text, atom->relation.name);
  for (size_t i = 0; i < atom->terms.list.count; i++) {
    ew_text_add_char(text, ' ');
    print_term(text, atom->terms.list.items[i]);
  }
  if (atom->terms.list.count) ew_text_add_char(text, ')');
}

static void print_literal(struct ew_text *text, const struct ew_node *node) {
  const struct datalog_literal *literal = DATALOG_AS(literal, node);
  if (literal->negated.flag) ew_text_add_string(text, "(not ");
  print_atom(text, literal->atom.node);
  if (literal->negated.flag) ew_text_add_char(text, ')');
}

static void print_comparison(struct ew_text *text, const struct ew_node *node) {
  static const struct {
    const char *before, *after;
  } spelling[] = {
      [DATALOG_EQUAL] = {"(= ", ")"},
      [DATALOG_UNEQUAL] = {"(not (= ", "))"},
      [DATALOG_LESS] = {"(bvult ", ")"},
  };
  const struct datalog_comparison *comparison = DATALOG_AS(comparison, node);
  ew_text_add_string(text, spelling[comparison->order.choice].before);
  print_term(text, comparison->left.node);
  ew_text_add_char(text, ' ');
  print_term(text, comparison->right.node);
  ew_text_add_string(text, spelling[comparison->order.choice].after);
}

static void print_body(struct ew_text *text, struct ew_list body) {
  if (body.count > 1) ew_text_add_string(text, "(and ");
  for (size_t i = 0; i < body.count; i++) {
    if (i) ew_text_add_char(text, ' ');
    ew_datalog_print(text, body.items[i], NULL);
  }
  if (body.count > 1) ew_text_add_char(text, ')');
}

static void print_rule(struct ew_text *text, const struct ew_node *node) {
  const struct datalog_rule *rule = DATALOG_AS(rule, node);
  ew_text_add_string(text, "(rule ");
  if (rule->body.list.count) {
    ew_text_add_string(text, "(=> ");
    print_body(text, rule->body.list);
    ew_text_add_char(text, ' ');
  }
  print_atom(text, rule->derives.node);
  ew_text_add_string(text, rule->body.list.count ? "))\n" : ")\n");
}

static void print_facts(struct ew_text *text, const struct ew_node *node) {
  struct ew_list atoms = DATALOG_AS(facts, node)->atoms.list;
  for (size_t i = 0; i < atoms.count; i++) {
    ew_text_add_string(text, "(rule ");
    print_atom(text, atoms.items[i]);
    ew_text_add_string(text, ")\n");
  }
}

static void print_relation(struct ew_text *text, const struct ew_node *node) {
  const struct datalog_relation *relation = DATALOG_AS(relation, node);
  ew_text_add_string(text, "(declare-rel ");
  ew_text_add(text, relation->name.name);
  ew_text_add_string(text, " (");
  for (size_t i = 0; i < relation->attributes.list.count; i++) {
    if (i) ew_text_add_char(text, ' ');
    print_sort(text, DATALOG_AS(attribute, relation->attributes.list.items[i])->bits.number);
  }
  ew_text_add_string(text, "))\n");
}

/* ---- declarations of variables ---- */

struct declared {
  struct ew_text *text;
  const struct datalog_program *program;
  const struct datalog_rule *rule; /* the one that is being walked */
  struct ew_span *names;
  size_t count;
};

static enum ew_walk declare_variable(const struct ew_node *node, struct ew_place place, void *context) {
  struct declared *declared = context;
  (void)place;
  if (datalog_is(node, DATALOG_rule)) declared->rule = DATALOG_AS(rule, node);
  if (!datalog_is(node, DATALOG_variable)) return EW_WALK_ON;
  struct ew_span name = DATALOG_AS(variable, node)->name.name;
  for (size_t i = 0; i < declared->count; i++)
    if (ew_span_equal(declared->names[i], name)) return EW_WALK_ON;
  declared->names[declared->count++] = name;
  ew_text_add_string(declared->text, "(declare-var ");
  ew_text_add(declared->text, name);
  ew_text_add_char(declared->text, ' ');
  print_sort(declared->text, ew_datalog_variable_bits(declared->program, declared->rule, name));
  ew_text_add_string(declared->text, ")\n");
  return EW_WALK_ON;
}

static void print_variables(struct ew_text *text, const struct ew_node *program) {
  struct declared declared = {.text = text, .program = DATALOG_AS(program, program)};
  declared.names = ew_allocate_zeroed(ew_tree_count(program), sizeof *declared.names);
  ew_tree_walk(program, declare_variable, &declared);
  ew_deallocate(declared.names);
}

/* ---- the whole ---- */

void ew_datalog_print_whole(struct ew_text *text, const struct ew_node *tree, const struct ew_node *facts) {
  const struct datalog_program *program = DATALOG_AS(program, tree);
  for (size_t i = 0; i < program->relations.list.count; i++) print_relation(text, program->relations.list.items[i]);
  print_variables(text, tree);
  if (facts) print_facts(text, facts);
  for (size_t i = 0; i < program->rules.list.count; i++) print_rule(text, program->rules.list.items[i]);
  for (size_t i = 0; i < program->outputs.names.count; i++) {
    ew_text_add_string(text, "(query ");
    ew_text_add(text, program->outputs.names.items[i]);
    ew_text_add_string(text, ")\n");
  }
}

void ew_datalog_print(struct ew_text *text, const struct ew_node *tree, const struct ew_profile *profile) {
  (void)profile;
  switch ((enum datalog_kind)tree->kind->code) {
    case DATALOG_program: ew_datalog_print_whole(text, tree, NULL); break;
    case DATALOG_facts: print_facts(text, tree); break;
    case DATALOG_relation: print_relation(text, tree); break;
    case DATALOG_attribute: print_sort(text, DATALOG_AS(attribute, tree)->bits.number); break;
    case DATALOG_rule: print_rule(text, tree); break;
    case DATALOG_atom: print_atom(text, tree); break;
    case DATALOG_literal: print_literal(text, tree); break;
    case DATALOG_comparison: print_comparison(text, tree); break;
    case DATALOG_variable:
    case DATALOG_constant: print_term(text, tree); break;
  }
}
