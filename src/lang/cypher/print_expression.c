/* print_expression.c: expressions with the fewest parentheses that keep the tree. What needs some is listed in print.h.
   */
#include <math.h>

#include "lang/cypher/printer.h"

static const enum ew_cypher_level operator_level[] = {
    [CYPHER_OR] = EW_LEVEL_OR,
    [CYPHER_XOR] = EW_LEVEL_XOR,
    [CYPHER_AND] = EW_LEVEL_AND,
    [CYPHER_EQUAL] = EW_LEVEL_COMPARE,
    [CYPHER_UNEQUAL] = EW_LEVEL_COMPARE,
    [CYPHER_LESS] = EW_LEVEL_COMPARE,
    [CYPHER_LESS_EQUAL] = EW_LEVEL_COMPARE,
    [CYPHER_GREATER] = EW_LEVEL_COMPARE,
    [CYPHER_GREATER_EQUAL] = EW_LEVEL_COMPARE,
    [CYPHER_MATCHES] = EW_LEVEL_PREDICATE,
    [CYPHER_IN] = EW_LEVEL_PREDICATE,
    [CYPHER_STARTS_WITH] = EW_LEVEL_PREDICATE,
    [CYPHER_ENDS_WITH] = EW_LEVEL_PREDICATE,
    [CYPHER_CONTAINS] = EW_LEVEL_PREDICATE,
    [CYPHER_ADD] = EW_LEVEL_ADD,
    [CYPHER_SUBTRACT] = EW_LEVEL_ADD,
    [CYPHER_CONCATENATE] = EW_LEVEL_ADD,
    [CYPHER_MULTIPLY] = EW_LEVEL_MULTIPLY,
    [CYPHER_DIVIDE] = EW_LEVEL_MULTIPLY,
    [CYPHER_MODULO] = EW_LEVEL_MULTIPLY,
    [CYPHER_POWER] = EW_LEVEL_POWER,
};

/* NaN and the infinities bring parentheses of their own. */
static bool is_negative(const struct ew_value *value) {
  if (value->kind == EW_VALUE_INTEGER) return value->integer < 0;
  return value->kind == EW_VALUE_FLOAT && isfinite(value->number) && signbit(value->number);
}

static bool is_number(const struct ew_node *node) {
  if (node->kind->code != CYPHER_literal) return false;
  enum ew_value_kind kind = CYPHER_AS(literal, node)->value.value->kind;
  return kind == EW_VALUE_INTEGER || kind == EW_VALUE_FLOAT;
}

static enum ew_cypher_level level_of(const struct ew_node *node) {
  switch (node->kind->code) {
    case CYPHER_literal: return is_negative(CYPHER_AS(literal, node)->value.value) ? EW_LEVEL_UNARY : EW_LEVEL_POSTFIX;
    case CYPHER_binary: return operator_level[CYPHER_AS(binary, node)->operator.choice];
    case CYPHER_unary: return CYPHER_AS(unary, node)->operator.choice == CYPHER_NOT ? EW_LEVEL_NOT : EW_LEVEL_UNARY;
    case CYPHER_chain: return EW_LEVEL_COMPARE;
    case CYPHER_is_null:
    case CYPHER_is_normalized: return EW_LEVEL_PREDICATE;
    /* Engines read these in different ways when they stand next to an operator. */
    case CYPHER_label_test:
    case CYPHER_is_type: return EW_LEVEL_COMPARE;
    case CYPHER_pattern_expression: {
      uint32_t selector = CYPHER_AS(path, CYPHER_AS(pattern_expression, node)->pattern.node)->selector.choice;
      bool call = selector == CYPHER_SELECTOR_SHORTEST_PATH || selector == CYPHER_SELECTOR_ALL_SHORTEST_PATHS;
      return call ? EW_LEVEL_POSTFIX : EW_LEVEL_COMPARE;
    }
    case CYPHER_case:
    case CYPHER_subquery: return EW_LEVEL_UNARY;
    default: return EW_LEVEL_POSTFIX;
  }
}

/* What .key, [i] and :Label hang on, and what a sign stands before: a bare number would take the dot or the sign as its
   own. */
static void print_operand(struct ew_cypher_printer *printer, const struct ew_node *node) {
  bool enclose = is_number(node) && level_of(node) == EW_LEVEL_POSTFIX;
  if (enclose) EW_PUT(printer, "(");
  ew_cypher_print_expression(printer, node, EW_LEVEL_POSTFIX);
  if (enclose) EW_PUT(printer, ")");
}

/* `(n:A) - [x] - (m:B)` reads as a pattern, and so does `(n:A) < -[x] - (m:B)`. Puts parentheses around the right side,
   which starts at `start`, where that could be. */
static void guard_against_pattern(struct ew_cypher_printer *printer, size_t start) {
  char first = printer->text->bytes[start];
  if (first != '[' && first != '-') return;
  EW_PUT(printer, "()");
  char *right = printer->text->bytes + start;
  memmove(right + 1, right, printer->text->length - start - 2);
  *right = '(';
}

static void print_right(struct ew_cypher_printer *printer, uint32_t operator, const struct ew_node * right) {
  bool after_label_test = printer->label_test_end == printer->text->length;
  EW_PUT(printer, " ");
  ew_text_add_string(printer->text, cypher_operator_text[operator]);
  EW_PUT(printer, " ");
  size_t start = printer->text->length;
  ew_cypher_print_expression(printer, right, operator_level[operator] + 1);
  if (after_label_test && (operator== CYPHER_SUBTRACT || operator== CYPHER_LESS)) guard_against_pattern(printer, start);
}

static void print_binary(struct ew_cypher_printer *printer, const struct cypher_binary *binary) {
  enum ew_cypher_level level = operator_level[binary->operator.choice], left = level;
  if (level == EW_LEVEL_COMPARE || level == EW_LEVEL_PREDICATE) left = level + 1;
  if (level == EW_LEVEL_POWER && level_of(binary->left.node) == EW_LEVEL_UNARY) left = EW_LEVEL_POSTFIX;
  ew_cypher_print_expression(printer, binary->left.node, left);
  print_right(printer, binary->operator.choice, binary->right.node);
}

static void print_chain(struct ew_cypher_printer *printer, const struct cypher_chain *chain) {
  ew_cypher_print_expression(printer, chain->first.node, EW_LEVEL_PREDICATE);
  for (size_t i = 0; i < chain->links.list.count; i++) {
    const struct cypher_link *link = CYPHER_AS(link, chain->links.list.items[i]);
    print_right(printer, link->operator.choice, link->right.node);
  }
}

static void print_unary(struct ew_cypher_printer *printer, const struct cypher_unary *unary) {
  if (unary->operator.choice == CYPHER_NOT) {
    EW_PUT(printer, "NOT ");
    ew_cypher_print_expression(printer, unary->operand.node, EW_LEVEL_NOT);
    return;
  }
  ew_text_add_string(printer->text, cypher_unary_operator_text[unary->operator.choice]);
  print_operand(printer, unary->operand.node);
}

/* Whether the text of a node begins with `name IN`. */
static bool begins_with_in(const struct ew_node *node) {
  for (;;) {
    if (node->kind->code == CYPHER_chain) {
      node = CYPHER_AS(chain, node)->first.node;
    } else if (node->kind->code == CYPHER_binary) {
      const struct cypher_binary *binary = CYPHER_AS(binary, node);
      if (binary->operator.choice == CYPHER_IN && cypher_is(binary->left.node, CYPHER_variable)) return true;
      node = binary->left.node;
    } else {
      return false;
    }
  }
}

static void print_list(struct ew_cypher_printer *printer, struct ew_list items) {
  bool enclose = items.count && begins_with_in(items.items[0]);
  EW_PUT(printer, "[");
  for (size_t i = 0; i < items.count; i++) {
    if (i) EW_PUT(printer, ", ");
    if (enclose && i == 0) EW_PUT(printer, "(");
    ew_cypher_print_expression(printer, items.items[i], EW_LEVEL_ANY);
    if (enclose && i == 0) EW_PUT(printer, ")");
  }
  EW_PUT(printer, "]");
}

void ew_cypher_print_expressions(struct ew_cypher_printer *printer, struct ew_list list) {
  for (size_t i = 0; i < list.count; i++) {
    if (i) EW_PUT(printer, ", ");
    ew_cypher_print_expression(printer, list.items[i], EW_LEVEL_ANY);
  }
}

void ew_cypher_print_names(struct ew_cypher_printer *printer, struct ew_names names, struct ew_span between) {
  for (size_t i = 0; i < names.count; i++) {
    if (i) ew_text_add(printer->text, between);
    ew_cypher_print_name(printer->text, names.items[i]);
  }
}

static void print_entry(struct ew_cypher_printer *printer, struct ew_span key, const struct ew_node *value) {
  ew_cypher_print_name(printer->text, key);
  EW_PUT(printer, ": ");
  ew_cypher_print_expression(printer, value, EW_LEVEL_ANY);
}

void ew_cypher_print_entries(struct ew_cypher_printer *printer, struct ew_list entries) {
  EW_PUT(printer, "{");
  for (size_t i = 0; i < entries.count; i++) {
    const struct cypher_entry *entry = CYPHER_AS(entry, entries.items[i]);
    if (i) EW_PUT(printer, ", ");
    print_entry(printer, entry->key.name, entry->value.node);
  }
  EW_PUT(printer, "}");
}

void ew_cypher_print_projector(struct ew_cypher_printer *printer, const struct ew_node *node) {
  switch (node->kind->code) {
    case CYPHER_project_property:
      EW_PUT(printer, ".");
      ew_cypher_print_name(printer->text, CYPHER_AS(project_property, node)->key.name);
      break;
    case CYPHER_project_entry:
      print_entry(printer, CYPHER_AS(project_entry, node)->key.name, CYPHER_AS(project_entry, node)->value.node);
      break;
    case CYPHER_project_variable:
      ew_cypher_print_name(printer->text, CYPHER_AS(project_variable, node)->variable.name);
      break;
    default: EW_PUT(printer, ".*"); break;
  }
}

static void print_map_projection(struct ew_cypher_printer *printer, const struct cypher_map_projection *map) {
  ew_cypher_print_name(printer->text, map->variable.name);
  EW_PUT(printer, "{");
  for (size_t i = 0; i < map->projectors.list.count; i++) {
    if (i) EW_PUT(printer, ", ");
    ew_cypher_print_projector(printer, map->projectors.list.items[i]);
  }
  EW_PUT(printer, "}");
}

static void print_slice(struct ew_cypher_printer *printer, const struct cypher_slice *slice) {
  print_operand(printer, slice->object.node);
  EW_PUT(printer, "[");
  if (slice->from.node) ew_cypher_print_expression(printer, slice->from.node, EW_LEVEL_ANY);
  EW_PUT(printer, "..");
  if (slice->to.node) ew_cypher_print_expression(printer, slice->to.node, EW_LEVEL_ANY);
  EW_PUT(printer, "]");
}

static void print_case(struct ew_cypher_printer *printer, const struct cypher_case *choice) {
  EW_PUT(printer, "CASE");
  if (choice->subject.node) {
    EW_PUT(printer, " ");
    ew_cypher_print_expression(printer, choice->subject.node, EW_LEVEL_ANY);
  }
  for (size_t i = 0; i < choice->whens.list.count; i++) {
    const struct cypher_when *when = CYPHER_AS(when, choice->whens.list.items[i]);
    EW_PUT(printer, " WHEN ");
    ew_cypher_print_expression(printer, when->test.node, EW_LEVEL_ANY);
    EW_PUT(printer, " THEN ");
    ew_cypher_print_expression(printer, when->result.node, EW_LEVEL_ANY);
  }
  if (choice->otherwise.node) {
    EW_PUT(printer, " ELSE ");
    ew_cypher_print_expression(printer, choice->otherwise.node, EW_LEVEL_ANY);
  }
  EW_PUT(printer, " END");
}

static void print_function(struct ew_cypher_printer *printer, const struct cypher_function *function) {
  ew_cypher_print_callable(printer, function->name.name);
  EW_PUT(printer, "(");
  if (function->distinct.flag) EW_PUT(printer, "DISTINCT ");
  ew_cypher_print_expressions(printer, function->arguments.list);
  EW_PUT(printer, ")");
}

void ew_cypher_print_before_bar(struct ew_cypher_printer *printer, const struct ew_node *node) {
  bool outer = printer->before_bar;
  printer->before_bar = true;
  ew_cypher_print_expression(printer, node, EW_LEVEL_ANY);
  printer->before_bar = outer;
}

/* `name IN list`. */
static void print_each(struct ew_cypher_printer *printer, struct ew_span variable, const struct ew_node *list) {
  ew_cypher_print_name(printer->text, variable);
  EW_PUT(printer, " IN ");
  ew_cypher_print_before_bar(printer, list);
}

static void print_filter(struct ew_cypher_printer *printer, const struct ew_node *where) {
  if (!where) return;
  EW_PUT(printer, " WHERE ");
  ew_cypher_print_before_bar(printer, where);
}

static void print_list_comprehension(struct ew_cypher_printer *printer, const struct cypher_list_comprehension *list) {
  EW_PUT(printer, "[");
  print_each(printer, list->variable.name, list->list.node);
  print_filter(printer, list->where.node);
  if (list->result.node) {
    EW_PUT(printer, " | ");
    ew_cypher_print_expression(printer, list->result.node, EW_LEVEL_ANY);
  }
  EW_PUT(printer, "]");
}

static void print_pattern_comprehension(struct ew_cypher_printer *printer,
                                        const struct cypher_pattern_comprehension *list) {
  EW_PUT(printer, "[");
  ew_cypher_print_path(printer, list->pattern.node);
  print_filter(printer, list->where.node);
  EW_PUT(printer, " | ");
  ew_cypher_print_expression(printer, list->result.node, EW_LEVEL_ANY);
  EW_PUT(printer, "]");
}

static void print_quantified(struct ew_cypher_printer *printer, const struct cypher_quantified *quantified) {
  ew_text_add_string(printer->text, cypher_quantifier_text[quantified->quantifier.choice]);
  EW_PUT(printer, "(");
  ew_cypher_print_name(printer->text, quantified->variable.name);
  EW_PUT(printer, " IN ");
  ew_cypher_print_expression(printer, quantified->list.node, EW_LEVEL_ANY);
  ew_cypher_print_where(printer, quantified->where.node);
  EW_PUT(printer, ")");
}

static void print_reduce(struct ew_cypher_printer *printer, const struct cypher_reduce *reduce) {
  EW_PUT(printer, "reduce(");
  ew_cypher_print_name(printer->text, reduce->accumulator.name);
  EW_PUT(printer, " = ");
  ew_cypher_print_expression(printer, reduce->start.node, EW_LEVEL_ANY);
  EW_PUT(printer, ", ");
  print_each(printer, reduce->variable.name, reduce->list.node);
  EW_PUT(printer, " | ");
  ew_cypher_print_expression(printer, reduce->step.node, EW_LEVEL_ANY);
  EW_PUT(printer, ")");
}

static void print_is(struct ew_cypher_printer *printer, const struct ew_node *operand, bool negated) {
  ew_cypher_print_expression(printer, operand, EW_LEVEL_ADD);
  if (negated)
    EW_PUT(printer, " IS NOT ");
  else
    EW_PUT(printer, " IS ");
}

void ew_cypher_print_type(struct ew_cypher_printer *printer, const struct ew_node *node) {
  if (node->kind->code == CYPHER_type_union) {
    struct ew_list types = CYPHER_AS(type_union, node)->types.list;
    for (size_t i = 0; i < types.count; i++) {
      if (i) EW_PUT(printer, " | ");
      ew_cypher_print_type(printer, types.items[i]);
    }
    return;
  }
  const struct cypher_type *type = CYPHER_AS(type, node);
  ew_text_add(printer->text, type->name.name);
  if (type->inner.node) {
    EW_PUT(printer, "<");
    ew_cypher_print_type(printer, type->inner.node);
    EW_PUT(printer, ">");
  }
  if (type->not_null.flag) EW_PUT(printer, " NOT NULL");
}

/* Predicates that are one operand and words. */
static void print_test(struct ew_cypher_printer *printer, const struct ew_node *node) {
  switch (node->kind->code) {
    case CYPHER_is_null:
      print_is(printer, CYPHER_AS(is_null, node)->operand.node, CYPHER_AS(is_null, node)->negated.flag);
      EW_PUT(printer, "NULL");
      break;
    case CYPHER_is_type:
      print_is(printer, CYPHER_AS(is_type, node)->operand.node, CYPHER_AS(is_type, node)->negated.flag);
      EW_PUT(printer, ":: ");
      ew_cypher_print_type(printer, CYPHER_AS(is_type, node)->type.node);
      break;
    case CYPHER_is_normalized:
      print_is(printer, CYPHER_AS(is_normalized, node)->operand.node, CYPHER_AS(is_normalized, node)->negated.flag);
      ew_text_add(printer->text, CYPHER_AS(is_normalized, node)->form.name);
      if (CYPHER_AS(is_normalized, node)->form.name.length) EW_PUT(printer, " ");
      EW_PUT(printer, "NORMALIZED");
      break;
    default:
      print_operand(printer, CYPHER_AS(label_test, node)->operand.node);
      ew_cypher_print_labels(printer, CYPHER_AS(label_test, node)->labels.node);
      break;
  }
}

static void print_atom(struct ew_cypher_printer *printer, const struct ew_node *node) {
  switch (node->kind->code) {
    case CYPHER_literal: ew_value_print(printer->text, *CYPHER_AS(literal, node)->value.value); break;
    case CYPHER_parameter:
      EW_PUT(printer, "$");
      ew_cypher_print_name(printer->text, CYPHER_AS(parameter, node)->name.name);
      break;
    case CYPHER_variable: ew_cypher_print_name(printer->text, CYPHER_AS(variable, node)->name.name); break;
    case CYPHER_property:
      print_operand(printer, CYPHER_AS(property, node)->object.node);
      EW_PUT(printer, ".");
      ew_cypher_print_name(printer->text, CYPHER_AS(property, node)->key.name);
      break;
    case CYPHER_index:
      print_operand(printer, CYPHER_AS(index, node)->object.node);
      EW_PUT(printer, "[");
      ew_cypher_print_expression(printer, CYPHER_AS(index, node)->at.node, EW_LEVEL_ANY);
      EW_PUT(printer, "]");
      break;
    case CYPHER_slice: print_slice(printer, CYPHER_AS(slice, node)); break;
    case CYPHER_list: print_list(printer, CYPHER_AS(list, node)->items.list); break;
    case CYPHER_map: ew_cypher_print_entries(printer, CYPHER_AS(map, node)->entries.list); break;
    case CYPHER_map_projection: print_map_projection(printer, CYPHER_AS(map_projection, node)); break;
    case CYPHER_count_star: EW_PUT(printer, "count(*)"); break;
    case CYPHER_function: print_function(printer, CYPHER_AS(function, node)); break;
    default: EW_BUG("no expression: %s", node->kind->name);
  }
}

static void print_bare(struct ew_cypher_printer *printer, const struct ew_node *node) {
  switch (node->kind->code) {
    case CYPHER_unary: print_unary(printer, CYPHER_AS(unary, node)); break;
    case CYPHER_binary: print_binary(printer, CYPHER_AS(binary, node)); break;
    case CYPHER_chain: print_chain(printer, CYPHER_AS(chain, node)); break;
    case CYPHER_is_null:
    case CYPHER_is_type:
    case CYPHER_is_normalized:
    case CYPHER_label_test: print_test(printer, node); break;
    case CYPHER_case: print_case(printer, CYPHER_AS(case, node)); break;
    case CYPHER_list_comprehension: print_list_comprehension(printer, CYPHER_AS(list_comprehension, node)); break;
    case CYPHER_pattern_comprehension:
      print_pattern_comprehension(printer, CYPHER_AS(pattern_comprehension, node));
      break;
    case CYPHER_quantified: print_quantified(printer, CYPHER_AS(quantified, node)); break;
    case CYPHER_reduce: print_reduce(printer, CYPHER_AS(reduce, node)); break;
    case CYPHER_pattern_expression:
      ew_cypher_print_path(printer, CYPHER_AS(pattern_expression, node)->pattern.node);
      break;
    case CYPHER_subquery:
      ew_text_add_string(printer->text, cypher_subquery_form_text[CYPHER_AS(subquery, node)->form.choice]);
      EW_PUT(printer, " ");
      ew_cypher_print_body(printer, CYPHER_AS(subquery, node)->body.node, CYPHER_AS(subquery, node)->bare.flag);
      break;
    default: print_atom(printer, node); break;
  }
}

void ew_cypher_print_expression(struct ew_cypher_printer *printer, const struct ew_node *node,
                                enum ew_cypher_level required) {
  bool label_test = node->kind->code == CYPHER_label_test;
  bool takes_bar = label_test || node->kind->code == CYPHER_is_type;
  if (level_of(node) >= required && !(takes_bar && printer->before_bar)) {
    print_bare(printer, node);
    return;
  }
  EW_PUT(printer, "(");
  print_bare(printer, node);
  EW_PUT(printer, ")");
  if (label_test) printer->label_test_end = printer->text->length;
}
