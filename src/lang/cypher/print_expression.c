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

static enum ew_cypher_level level_of(const struct ew_node *node);

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
  struct ew_span symbol = ew_span_of(cypher_operator_text[operator]);
  EW_PUT(printer, " ");
  ew_text_add(printer->text, symbol);
  EW_PUT(printer, " ");
  size_t start = printer->text->length;
  ew_cypher_print_expression(printer, right, operator_level[operator] + 1);
  if (after_label_test && (operator== CYPHER_SUBTRACT || operator== CYPHER_LESS)) guard_against_pattern(printer, start);
}

static void print_binary(struct ew_cypher_printer *printer, const struct ew_node *node) {
  const struct cypher_binary *binary = CYPHER_AS(binary, node);
  enum ew_cypher_level level = operator_level[binary->operator.choice], left = level;
  if (level == EW_LEVEL_COMPARE || level == EW_LEVEL_PREDICATE) left = level + 1;
  if (level == EW_LEVEL_POWER && level_of(binary->left.node) == EW_LEVEL_UNARY) left = EW_LEVEL_POSTFIX;
  ew_cypher_print_expression(printer, binary->left.node, left);
  print_right(printer, binary->operator.choice, binary->right.node);
}

static void print_chain(struct ew_cypher_printer *printer, const struct ew_node *node) {
  const struct cypher_chain *chain = CYPHER_AS(chain, node);
  ew_cypher_print_expression(printer, chain->first.node, EW_LEVEL_PREDICATE);
  for (size_t i = 0; i < chain->links.list.count; i++) {
    const struct cypher_link *link = CYPHER_AS(link, chain->links.list.items[i]);
    print_right(printer, link->operator.choice, link->right.node);
  }
}

static void print_unary(struct ew_cypher_printer *printer, const struct ew_node *node) {
  const struct cypher_unary *unary = CYPHER_AS(unary, node);
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

static void print_list(struct ew_cypher_printer *printer, const struct ew_node *node) {
  struct ew_list items = CYPHER_AS(list, node)->items.list;
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

static void print_map_projection(struct ew_cypher_printer *printer, const struct ew_node *node) {
  const struct cypher_map_projection *map = CYPHER_AS(map_projection, node);
  ew_cypher_print_name(printer->text, map->variable.name);
  EW_PUT(printer, "{");
  for (size_t i = 0; i < map->projectors.list.count; i++) {
    if (i) EW_PUT(printer, ", ");
    ew_cypher_print_projector(printer, map->projectors.list.items[i]);
  }
  EW_PUT(printer, "}");
}

static void print_slice(struct ew_cypher_printer *printer, const struct ew_node *node) {
  const struct cypher_slice *slice = CYPHER_AS(slice, node);
  print_operand(printer, slice->object.node);
  EW_PUT(printer, "[");
  if (slice->from.node) ew_cypher_print_expression(printer, slice->from.node, EW_LEVEL_ANY);
  EW_PUT(printer, "..");
  if (slice->to.node) ew_cypher_print_expression(printer, slice->to.node, EW_LEVEL_ANY);
  EW_PUT(printer, "]");
}

static void print_case(struct ew_cypher_printer *printer, const struct ew_node *node) {
  const struct cypher_case *choice = CYPHER_AS(case, node);
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

static void print_function(struct ew_cypher_printer *printer, const struct ew_node *node) {
  const struct cypher_function *function = CYPHER_AS(function, node);
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

static void print_list_comprehension(struct ew_cypher_printer *printer, const struct ew_node *node) {
  const struct cypher_list_comprehension *list = CYPHER_AS(list_comprehension, node);
  EW_PUT(printer, "[");
  print_each(printer, list->variable.name, list->list.node);
  print_filter(printer, list->where.node);
  if (list->result.node) {
    EW_PUT(printer, " | ");
    ew_cypher_print_expression(printer, list->result.node, EW_LEVEL_ANY);
  }
  EW_PUT(printer, "]");
}

static void print_pattern_comprehension(struct ew_cypher_printer *printer, const struct ew_node *node) {
  const struct cypher_pattern_comprehension *list = CYPHER_AS(pattern_comprehension, node);
  EW_PUT(printer, "[");
  ew_cypher_print_path(printer, list->pattern.node);
  print_filter(printer, list->where.node);
  EW_PUT(printer, " | ");
  ew_cypher_print_expression(printer, list->result.node, EW_LEVEL_ANY);
  EW_PUT(printer, "]");
}

static void print_quantified(struct ew_cypher_printer *printer, const struct ew_node *node) {
  const struct cypher_quantified *quantified = CYPHER_AS(quantified, node);
  ew_text_add_string(printer->text, cypher_quantifier_text[quantified->quantifier.choice]);
  EW_PUT(printer, "(");
  ew_cypher_print_name(printer->text, quantified->variable.name);
  EW_PUT(printer, " IN ");
  ew_cypher_print_expression(printer, quantified->list.node, EW_LEVEL_ANY);
  ew_cypher_print_where(printer, quantified->where.node);
  EW_PUT(printer, ")");
}

static void print_reduce(struct ew_cypher_printer *printer, const struct ew_node *node) {
  const struct cypher_reduce *reduce = CYPHER_AS(reduce, node);
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

/* ---- predicates that are one operand and words ---- */

static void print_is_null(struct ew_cypher_printer *printer, const struct ew_node *node) {
  print_is(printer, CYPHER_AS(is_null, node)->operand.node, CYPHER_AS(is_null, node)->negated.flag);
  EW_PUT(printer, "NULL");
}

static void print_is_type(struct ew_cypher_printer *printer, const struct ew_node *node) {
  print_is(printer, CYPHER_AS(is_type, node)->operand.node, CYPHER_AS(is_type, node)->negated.flag);
  EW_PUT(printer, ":: ");
  ew_cypher_print_type(printer, CYPHER_AS(is_type, node)->type.node);
}

static void print_is_normalized(struct ew_cypher_printer *printer, const struct ew_node *node) {
  struct ew_span form = CYPHER_AS(is_normalized, node)->form.name;
  print_is(printer, CYPHER_AS(is_normalized, node)->operand.node, CYPHER_AS(is_normalized, node)->negated.flag);
  ew_text_add(printer->text, form);
  if (form.length) EW_PUT(printer, " ");
  EW_PUT(printer, "NORMALIZED");
}

static void print_label_test(struct ew_cypher_printer *printer, const struct ew_node *node) {
  print_operand(printer, CYPHER_AS(label_test, node)->operand.node);
  ew_cypher_print_labels(printer, CYPHER_AS(label_test, node)->labels.node);
}

/* ---- atoms ---- */

static void print_literal(struct ew_cypher_printer *printer, const struct ew_node *node) {
  ew_value_print(printer->text, *CYPHER_AS(literal, node)->value.value);
}

static void print_parameter(struct ew_cypher_printer *printer, const struct ew_node *node) {
  EW_PUT(printer, "$");
  ew_cypher_print_name(printer->text, CYPHER_AS(parameter, node)->name.name);
}

static void print_variable(struct ew_cypher_printer *printer, const struct ew_node *node) {
  ew_cypher_print_name(printer->text, CYPHER_AS(variable, node)->name.name);
}

static void print_property(struct ew_cypher_printer *printer, const struct ew_node *node) {
  print_operand(printer, CYPHER_AS(property, node)->object.node);
  EW_PUT(printer, ".");
  ew_cypher_print_name(printer->text, CYPHER_AS(property, node)->key.name);
}

static void print_index(struct ew_cypher_printer *printer, const struct ew_node *node) {
  print_operand(printer, CYPHER_AS(index, node)->object.node);
  EW_PUT(printer, "[");
  ew_cypher_print_expression(printer, CYPHER_AS(index, node)->at.node, EW_LEVEL_ANY);
  EW_PUT(printer, "]");
}

static void print_map(struct ew_cypher_printer *printer, const struct ew_node *node) {
  ew_cypher_print_entries(printer, CYPHER_AS(map, node)->entries.list);
}

static void print_count_star(struct ew_cypher_printer *printer, const struct ew_node *node) {
  (void)node;
  EW_PUT(printer, "count(*)");
}

static void print_pattern_expression(struct ew_cypher_printer *printer, const struct ew_node *node) {
  ew_cypher_print_path(printer, CYPHER_AS(pattern_expression, node)->pattern.node);
}

static void print_subquery(struct ew_cypher_printer *printer, const struct ew_node *node) {
  ew_text_add_string(printer->text, cypher_subquery_form_text[CYPHER_AS(subquery, node)->form.choice]);
  EW_PUT(printer, " ");
  ew_cypher_print_body(printer, CYPHER_AS(subquery, node)->body.node, CYPHER_AS(subquery, node)->bare.flag);
}

/* ---- all of them ---- */

static const struct {
  enum ew_cypher_level level; /* EW_LEVEL_ANY: it depends on the node */
  void (*print)(struct ew_cypher_printer *printer, const struct ew_node *node);
} expressions[] = {
    [CYPHER_literal] = {EW_LEVEL_ANY, print_literal},
    [CYPHER_parameter] = {EW_LEVEL_POSTFIX, print_parameter},
    [CYPHER_variable] = {EW_LEVEL_POSTFIX, print_variable},
    [CYPHER_property] = {EW_LEVEL_POSTFIX, print_property},
    [CYPHER_index] = {EW_LEVEL_POSTFIX, print_index},
    [CYPHER_slice] = {EW_LEVEL_POSTFIX, print_slice},
    [CYPHER_list] = {EW_LEVEL_POSTFIX, print_list},
    [CYPHER_map] = {EW_LEVEL_POSTFIX, print_map},
    [CYPHER_map_projection] = {EW_LEVEL_POSTFIX, print_map_projection},
    [CYPHER_unary] = {EW_LEVEL_ANY, print_unary},
    [CYPHER_binary] = {EW_LEVEL_ANY, print_binary},
    [CYPHER_chain] = {EW_LEVEL_COMPARE, print_chain},
    [CYPHER_is_null] = {EW_LEVEL_PREDICATE, print_is_null},
    [CYPHER_is_normalized] = {EW_LEVEL_PREDICATE, print_is_normalized},
    /* Engines read these two in different ways when they stand next to an operator. */
    [CYPHER_is_type] = {EW_LEVEL_COMPARE, print_is_type},
    [CYPHER_label_test] = {EW_LEVEL_COMPARE, print_label_test},
    [CYPHER_case] = {EW_LEVEL_UNARY, print_case},
    [CYPHER_function] = {EW_LEVEL_POSTFIX, print_function},
    [CYPHER_count_star] = {EW_LEVEL_POSTFIX, print_count_star},
    [CYPHER_list_comprehension] = {EW_LEVEL_POSTFIX, print_list_comprehension},
    [CYPHER_pattern_comprehension] = {EW_LEVEL_POSTFIX, print_pattern_comprehension},
    [CYPHER_quantified] = {EW_LEVEL_POSTFIX, print_quantified},
    [CYPHER_reduce] = {EW_LEVEL_POSTFIX, print_reduce},
    [CYPHER_pattern_expression] = {EW_LEVEL_ANY, print_pattern_expression},
    [CYPHER_subquery] = {EW_LEVEL_UNARY, print_subquery},
};

static enum ew_cypher_level level_of(const struct ew_node *node) {
  enum ew_cypher_level level = expressions[node->kind->code].level;
  if (level != EW_LEVEL_ANY) return level;
  switch (node->kind->code) {
    case CYPHER_literal: return is_negative(CYPHER_AS(literal, node)->value.value) ? EW_LEVEL_UNARY : EW_LEVEL_POSTFIX;
    case CYPHER_binary: return operator_level[CYPHER_AS(binary, node)->operator.choice];
    case CYPHER_unary: return CYPHER_AS(unary, node)->operator.choice == CYPHER_NOT ? EW_LEVEL_NOT : EW_LEVEL_UNARY;
    default: {
      uint32_t selector = CYPHER_AS(path, CYPHER_AS(pattern_expression, node)->pattern.node)->selector.choice;
      bool call = selector == CYPHER_SELECTOR_SHORTEST_PATH || selector == CYPHER_SELECTOR_ALL_SHORTEST_PATHS;
      return call ? EW_LEVEL_POSTFIX : EW_LEVEL_COMPARE;
    }
  }
}

void ew_cypher_print_expression(struct ew_cypher_printer *printer, const struct ew_node *node,
                                enum ew_cypher_level required) {
  unsigned code = node->kind->code;
  bool takes_bar = printer->before_bar && (code == CYPHER_label_test || code == CYPHER_is_type);
  EW_ASSERT(code < EW_COUNT(expressions) && expressions[code].print);
  if (!takes_bar && (required == EW_LEVEL_ANY || level_of(node) >= required)) {
    expressions[code].print(printer, node);
    return;
  }
  EW_PUT(printer, "(");
  expressions[code].print(printer, node);
  EW_PUT(printer, ")");
  if (code == CYPHER_label_test) printer->label_test_end = printer->text->length;
}
