/* check_expression.c: the types of expressions, and what is wrong in them. */
#include "lang/cypher/checker.h"

static const struct ew_cypher_type any = {EW_TYPE_ANY, EW_TYPE_ANY};

static struct ew_cypher_type only(uint32_t set) {
  return (struct ew_cypher_type){set, set & EW_TYPE_LIST ? EW_TYPE_ANY : 0};
}
static struct ew_cypher_type list_of(uint32_t elements) { return (struct ew_cypher_type){EW_TYPE_LIST, elements}; }
static struct ew_cypher_type either(struct ew_cypher_type a, struct ew_cypher_type b) {
  return (struct ew_cypher_type){a.set | b.set, a.elements | b.elements};
}

/* What comes out of a list. */
static struct ew_cypher_type element_of(struct ew_cypher_type list) {
  uint32_t set = list.set == EW_TYPE_LIST && list.elements ? list.elements : EW_TYPE_ANY;
  return (struct ew_cypher_type){set, EW_TYPE_ANY};
}

static void want(struct ew_cypher_checker *checker, const struct ew_node *node, struct ew_cypher_type have,
                 uint32_t wanted) {
  if (checker->types && ew_cypher_conflict(have, wanted))
    ew_cypher_fail(checker, EW_CYPHER_InvalidArgumentType, node, (struct ew_span){0});
}

/* The same for what is looked into: `object.key`, `object[at]`. The TCK calls it a TypeError (Map1 [6], Graph6 [9]), but not of a
   path (MatchWhere1 [14]). */
static void want_inside(struct ew_cypher_checker *checker, const struct ew_node *node, struct ew_cypher_type have,
                        uint32_t wanted) {
  if (!checker->types || !ew_cypher_conflict(have, wanted)) return;
  bool path = have.set & EW_TYPE_PATH;
  ew_cypher_fail(checker, path ? EW_CYPHER_InvalidArgumentType : EW_CYPHER_InvalidAccess, node, (struct ew_span){0});
}

static struct ew_cypher_type type_wanted(struct ew_cypher_checker *checker, const struct ew_node *node,
                                         uint32_t wanted) {
  struct ew_cypher_type type = ew_cypher_type_of(checker, node);
  want(checker, node, type, wanted);
  return type;
}

/* Inside a construct that is evaluated for each element: nothing is aggregated there. */
static struct ew_cypher_type type_inside(struct ew_cypher_checker *checker, const struct ew_node *node, bool patterns) {
  if (!node) return only(0);
  enum ew_cypher_aggregates outer = checker->aggregates;
  enum ew_cypher_aggregates here = outer == EW_AGGREGATES_YES ? EW_AGGREGATES_NO : outer;
  return ew_cypher_type_in(checker, node, here, patterns || checker->patterns);
}

/* ---- leaves ---- */

static struct ew_cypher_type type_of_literal(const struct ew_value *value) {
  switch (value->kind) {
    case EW_VALUE_NULL: return only(EW_TYPE_NULL);
    case EW_VALUE_BOOLEAN: return only(EW_TYPE_BOOLEAN);
    case EW_VALUE_INTEGER: return only(EW_TYPE_INTEGER);
    case EW_VALUE_FLOAT: return only(EW_TYPE_FLOAT);
    case EW_VALUE_STRING: return only(EW_TYPE_STRING);
    case EW_VALUE_LIST: return only(EW_TYPE_LIST);
    case EW_VALUE_MAP: return only(EW_TYPE_MAP);
    case EW_VALUE_DURATION: return only(EW_TYPE_DURATION);
    case EW_VALUE_POINT: return only(EW_TYPE_POINT);
    default: return any;
  }
}

static struct ew_cypher_type type_of_list(struct ew_cypher_checker *checker, struct ew_list items) {
  uint32_t elements = 0;
  for (size_t i = 0; i < items.count; i++) elements |= ew_cypher_type_of(checker, items.items[i]).set;
  return list_of(elements);
}

static struct ew_cypher_type type_of_map(struct ew_cypher_checker *checker, struct ew_list entries) {
  for (size_t i = 0; i < entries.count; i++) ew_cypher_type_of(checker, CYPHER_AS(entry, entries.items[i])->value.node);
  return only(EW_TYPE_MAP);
}

static struct ew_cypher_type type_of_map_projection(struct ew_cypher_checker *checker, const struct ew_node *node) {
  const struct cypher_map_projection *map = CYPHER_AS(map_projection, node);
  struct ew_cypher_type type = ew_cypher_use(checker, node, map->variable.name);
  want(checker, node, type, EW_TYPE_NODE | EW_TYPE_RELATIONSHIP | EW_TYPE_MAP);
  for (size_t i = 0; i < map->projectors.list.count; i++) {
    const struct ew_node *projector = map->projectors.list.items[i];
    if (cypher_is(projector, CYPHER_project_entry))
      ew_cypher_type_of(checker, CYPHER_AS(project_entry, projector)->value.node);
    if (cypher_is(projector, CYPHER_project_variable))
      ew_cypher_use(checker, projector, CYPHER_AS(project_variable, projector)->variable.name);
  }
  return only(EW_TYPE_MAP);
}

/* ---- operators ---- */

/* What an arithmetic operator takes. */
static uint32_t operands_of(enum cypher_operator operator) {
  switch (operator) {
    case CYPHER_SUBTRACT: return EW_TYPE_NUMBER | EW_TYPE_DURATION | EW_TYPE_TEMPORAL;
    case CYPHER_MULTIPLY:
    case CYPHER_DIVIDE: return EW_TYPE_NUMBER | EW_TYPE_DURATION;
    case CYPHER_MODULO:
    case CYPHER_POWER: return EW_TYPE_NUMBER;
    default: return EW_TYPE_ANY;
  }
}

static struct ew_cypher_type type_of_arithmetic(enum cypher_operator operator, struct ew_cypher_type left,
                                                struct ew_cypher_type right) {
  uint32_t both = left.set | right.set;
  if (operator== CYPHER_POWER) return only(EW_TYPE_FLOAT);
  if (both == EW_TYPE_INTEGER) return only(EW_TYPE_INTEGER);
  if (!(both & ~(uint32_t)EW_TYPE_NUMBER) && (left.set == EW_TYPE_FLOAT || right.set == EW_TYPE_FLOAT))
    return only(EW_TYPE_FLOAT);
  if (!(both & ~(uint32_t)EW_TYPE_NUMBER)) return only(EW_TYPE_NUMBER);
  if (operator!= CYPHER_ADD && operator!= CYPHER_CONCATENATE)
    return only(EW_TYPE_NUMBER | EW_TYPE_DURATION | EW_TYPE_TEMPORAL);
  if (both == EW_TYPE_STRING) return only(EW_TYPE_STRING);
  if (both == EW_TYPE_LIST) return list_of(left.elements | right.elements);
  return any;
}

static struct ew_cypher_type type_of_binary(struct ew_cypher_checker *checker, const struct cypher_binary *binary) {
  struct ew_cypher_type left = ew_cypher_type_of(checker, binary->left.node);
  struct ew_cypher_type right = ew_cypher_type_of(checker, binary->right.node);
  switch ((enum cypher_operator)binary->operator.choice) {
    case CYPHER_OR:
    case CYPHER_XOR:
    case CYPHER_AND:
      /* A pattern is a condition, whatever else it may be. */
      want(checker, binary->left.node, left, EW_TYPE_BOOLEAN);
      want(checker, binary->right.node, right, EW_TYPE_BOOLEAN);
      return only(EW_TYPE_BOOLEAN);
    case CYPHER_IN: want(checker, binary->right.node, right, EW_TYPE_LIST); return only(EW_TYPE_BOOLEAN);
    case CYPHER_EQUAL:
    case CYPHER_UNEQUAL:
    case CYPHER_LESS:
    case CYPHER_LESS_EQUAL:
    case CYPHER_GREATER:
    case CYPHER_GREATER_EQUAL:
    case CYPHER_MATCHES:
    case CYPHER_STARTS_WITH:
    case CYPHER_ENDS_WITH:
    case CYPHER_CONTAINS: return only(EW_TYPE_BOOLEAN);
    default:
      want(checker, binary->left.node, left, operands_of(binary->operator.choice));
      want(checker, binary->right.node, right, operands_of(binary->operator.choice));
      return type_of_arithmetic(binary->operator.choice, left, right);
  }
}

static struct ew_cypher_type type_of_unary(struct ew_cypher_checker *checker, const struct cypher_unary *unary) {
  if (unary->operator.choice == CYPHER_NOT) {
    type_wanted(checker, unary->operand.node, EW_TYPE_BOOLEAN);
    return only(EW_TYPE_BOOLEAN);
  }
  return type_wanted(checker, unary->operand.node, EW_TYPE_NUMBER | EW_TYPE_DURATION);
}

static struct ew_cypher_type type_of_chain(struct ew_cypher_checker *checker, const struct cypher_chain *chain) {
  ew_cypher_type_of(checker, chain->first.node);
  for (size_t i = 0; i < chain->links.list.count; i++)
    ew_cypher_type_of(checker, CYPHER_AS(link, chain->links.list.items[i])->right.node);
  return only(EW_TYPE_BOOLEAN);
}

static struct ew_cypher_type type_of_case(struct ew_cypher_checker *checker, const struct cypher_case *choice) {
  struct ew_cypher_type type = only(choice->otherwise.node ? 0 : EW_TYPE_NULL);
  if (choice->subject.node) ew_cypher_type_of(checker, choice->subject.node);
  for (size_t i = 0; i < choice->whens.list.count; i++) {
    const struct cypher_when *when = CYPHER_AS(when, choice->whens.list.items[i]);
    ew_cypher_type_in(checker, when->test.node, checker->aggregates, true);
    type = either(type, ew_cypher_type_of(checker, when->result.node));
  }
  if (choice->otherwise.node) type = either(type, ew_cypher_type_of(checker, choice->otherwise.node));
  return type;
}

/* ---- functions ---- */

/* Where elements of the argument come out again. */
static struct ew_cypher_type result_of(const struct ew_cypher_function *function, struct ew_cypher_type first) {
  struct ew_span name = ew_span_of(function->name);
  if (ew_span_is(name, "nodes")) return list_of(EW_TYPE_NODE);
  if (ew_span_is(name, "relationships") || ew_span_is(name, "rels")) return list_of(EW_TYPE_RELATIONSHIP);
  if (ew_span_is(name, "range")) return list_of(EW_TYPE_INTEGER);
  if (ew_span_is(name, "labels") || ew_span_is(name, "keys") || ew_span_is(name, "split"))
    return list_of(EW_TYPE_STRING);
  if (ew_span_is(name, "head") || ew_span_is(name, "last")) return element_of(first);
  if (ew_span_is(name, "tail") && first.set == EW_TYPE_LIST) return first;
  if (ew_span_is(name, "collect")) return list_of(first.set);
  if (ew_span_is(name, "min") || ew_span_is(name, "max")) return first;
  if (ew_span_is(name, "abs") || ew_span_is(name, "sum"))
    return only(first.set & function->result ? first.set & function->result : function->result);
  return only(function->result);
}

static void check_aggregate(struct ew_cypher_checker *checker, const struct ew_node *node) {
  if (checker->aggregates == EW_AGGREGATES_NO)
    ew_cypher_fail(checker, EW_CYPHER_InvalidAggregation, node, (struct ew_span){0});
  if (checker->aggregates == EW_AGGREGATES_INSIDE_ONE)
    ew_cypher_fail(checker, EW_CYPHER_NestedAggregation, node, (struct ew_span){0});
}

static struct ew_cypher_type type_of_function(struct ew_cypher_checker *checker, const struct ew_node *node) {
  const struct cypher_function *call = CYPHER_AS(function, node);
  const struct ew_cypher_function *function = ew_cypher_function_find(call->name.name);
  struct ew_list arguments = call->arguments.list;
  enum ew_cypher_aggregates aggregates = checker->aggregates;
  bool patterns = checker->patterns;
  if (function && function->traits & EW_FUNCTION_AGGREGATE) {
    check_aggregate(checker, node);
    aggregates = EW_AGGREGATES_INSIDE_ONE;
  }
  if (function && ew_span_is(ew_span_of(function->name), "exists")) patterns = true;
  struct ew_cypher_type first = any;
  for (size_t i = 0; i < arguments.count; i++) {
    struct ew_cypher_type type = ew_cypher_type_in(checker, arguments.items[i], aggregates, patterns);
    if (i == 0) first = type;
  }
  if (!function) return any;
  if (function->traits & EW_FUNCTION_OPEN && checker->aggregates == EW_AGGREGATES_INSIDE_ONE)
    ew_cypher_fail(checker, EW_CYPHER_NonConstantExpression, node, call->name.name);
  if (checker->types && (arguments.count < function->least || arguments.count > function->most))
    ew_cypher_fail(checker, EW_CYPHER_InvalidNumberOfArguments, node, call->name.name);
  if (arguments.count) want(checker, arguments.items[0], first, function->first);
  return result_of(function, first);
}

/* ---- constructs that bind ---- */

static struct ew_cypher_type type_of_list_comprehension(struct ew_cypher_checker *checker,
                                                        const struct cypher_list_comprehension *list) {
  struct ew_cypher_type element = element_of(type_wanted(checker, list->list.node, EW_TYPE_LIST));
  ew_cypher_bind(checker, list->variable.name, element);
  type_inside(checker, list->where.node, true);
  struct ew_cypher_type result = list->result.node ? type_inside(checker, list->result.node, false) : element;
  checker->bindings.count--;
  return list_of(result.set);
}

static struct ew_cypher_type type_of_pattern_comprehension(struct ew_cypher_checker *checker,
                                                           const struct cypher_pattern_comprehension *list) {
  size_t mark = checker->bindings.count;
  enum ew_cypher_aggregates outer = checker->aggregates;
  if (outer == EW_AGGREGATES_YES) checker->aggregates = EW_AGGREGATES_NO;
  ew_cypher_check_pattern(checker, list->pattern.node, EW_PATTERN_MATCH);
  checker->aggregates = outer;
  type_inside(checker, list->where.node, true);
  struct ew_cypher_type result = type_inside(checker, list->result.node, false);
  checker->bindings.count = mark;
  return list_of(result.set);
}

static struct ew_cypher_type type_of_quantified(struct ew_cypher_checker *checker,
                                                const struct cypher_quantified *quantified) {
  struct ew_cypher_type list = type_wanted(checker, quantified->list.node, EW_TYPE_LIST);
  ew_cypher_bind(checker, quantified->variable.name, element_of(list));
  struct ew_cypher_type where = type_inside(checker, quantified->where.node, true);
  if (quantified->where.node) want(checker, quantified->where.node, where, EW_TYPE_BOOLEAN);
  checker->bindings.count--;
  return only(EW_TYPE_BOOLEAN);
}

static struct ew_cypher_type type_of_reduce(struct ew_cypher_checker *checker, const struct cypher_reduce *reduce) {
  struct ew_cypher_type start = ew_cypher_type_of(checker, reduce->start.node);
  struct ew_cypher_type list = type_wanted(checker, reduce->list.node, EW_TYPE_LIST);
  ew_cypher_bind(checker, reduce->accumulator.name, any);
  ew_cypher_bind(checker, reduce->variable.name, element_of(list));
  struct ew_cypher_type step = type_inside(checker, reduce->step.node, false);
  checker->bindings.count -= 2;
  return either(start, step);
}

static struct ew_cypher_type type_of_subquery(struct ew_cypher_checker *checker,
                                              const struct cypher_subquery *subquery) {
  bool collects = subquery->form.choice == CYPHER_COLLECT;
  ew_cypher_check_subquery(checker, subquery->body.node, collects ? EW_ENDING_RETURN : EW_ENDING_ANY);
  if (collects) return only(EW_TYPE_LIST);
  return only(subquery->form.choice == CYPHER_COUNT ? EW_TYPE_INTEGER : EW_TYPE_BOOLEAN);
}

static struct ew_cypher_type type_of_pattern(struct ew_cypher_checker *checker, const struct ew_node *node) {
  const struct ew_node *path = CYPHER_AS(pattern_expression, node)->pattern.node;
  bool shortest = CYPHER_AS(path, path)->selector.choice == CYPHER_SELECTOR_SHORTEST_PATH;
  bool all = CYPHER_AS(path, path)->selector.choice == CYPHER_SELECTOR_ALL_SHORTEST_PATHS;
  if (!checker->patterns && !shortest && !all)
    ew_cypher_fail(checker, EW_CYPHER_UnexpectedSyntax, node, (struct ew_span){0});
  ew_cypher_check_pattern(checker, path, EW_PATTERN_PREDICATE);
  if (shortest) return only(EW_TYPE_PATH);
  return all ? list_of(EW_TYPE_PATH) : only(EW_TYPE_BOOLEAN | EW_TYPE_LIST);
}

/* ---- all of them ---- */

static struct ew_cypher_type type_of_access(struct ew_cypher_checker *checker, const struct ew_node *node) {
  switch (node->kind->code) {
    case CYPHER_property: {
      struct ew_cypher_type object = ew_cypher_type_of(checker, CYPHER_AS(property, node)->object.node);
      want_inside(
          checker, node, object,
          EW_TYPE_NODE | EW_TYPE_RELATIONSHIP | EW_TYPE_MAP | EW_TYPE_TEMPORAL | EW_TYPE_DURATION | EW_TYPE_POINT);
      return any;
    }
    case CYPHER_index: {
      struct ew_cypher_type object = ew_cypher_type_of(checker, CYPHER_AS(index, node)->object.node);
      want_inside(checker, node, object, EW_TYPE_LIST | EW_TYPE_MAP | EW_TYPE_NODE | EW_TYPE_RELATIONSHIP);
      ew_cypher_type_of(checker, CYPHER_AS(index, node)->at.node);
      return element_of(object);
    }
    default: {
      const struct cypher_slice *slice = CYPHER_AS(slice, node);
      struct ew_cypher_type object = type_wanted(checker, slice->object.node, EW_TYPE_LIST | EW_TYPE_STRING);
      if (slice->from.node) ew_cypher_type_of(checker, slice->from.node);
      if (slice->to.node) ew_cypher_type_of(checker, slice->to.node);
      return list_of(object.elements);
    }
  }
}

static struct ew_cypher_type type_of_test(struct ew_cypher_checker *checker, const struct ew_node *node) {
  switch (node->kind->code) {
    case CYPHER_is_null: ew_cypher_type_of(checker, CYPHER_AS(is_null, node)->operand.node); break;
    case CYPHER_is_type: ew_cypher_type_of(checker, CYPHER_AS(is_type, node)->operand.node); break;
    case CYPHER_is_normalized: ew_cypher_type_of(checker, CYPHER_AS(is_normalized, node)->operand.node); break;
    default:
      type_wanted(checker, CYPHER_AS(label_test, node)->operand.node, EW_TYPE_NODE | EW_TYPE_RELATIONSHIP);
      ew_cypher_check_labels(checker, CYPHER_AS(label_test, node)->labels.node);
      break;
  }
  return only(EW_TYPE_BOOLEAN);
}

static struct ew_cypher_type type_of_leaf(struct ew_cypher_checker *checker, const struct ew_node *node) {
  switch (node->kind->code) {
    case CYPHER_literal: return type_of_literal(CYPHER_AS(literal, node)->value.value);
    case CYPHER_variable: return ew_cypher_use(checker, node, CYPHER_AS(variable, node)->name.name);
    case CYPHER_list: return type_of_list(checker, CYPHER_AS(list, node)->items.list);
    case CYPHER_map: return type_of_map(checker, CYPHER_AS(map, node)->entries.list);
    case CYPHER_map_projection: return type_of_map_projection(checker, node);
    case CYPHER_count_star: check_aggregate(checker, node); return only(EW_TYPE_INTEGER);
    default: return any; /* a parameter */
  }
}

static bool is_projected(const struct ew_cypher_checker *checker, const struct ew_node *node) {
  for (size_t i = 0; i < checker->projected.count; i++)
    if (ew_tree_equal(CYPHER_AS(item, checker->projected.items[i])->expression.node, node)) return true;
  return false;
}

struct ew_cypher_type ew_cypher_type_of(struct ew_cypher_checker *checker, const struct ew_node *node) {
  if (checker->projected.count && is_projected(checker, node)) return any;
  switch (node->kind->code) {
    case CYPHER_property:
    case CYPHER_index:
    case CYPHER_slice: return type_of_access(checker, node);
    case CYPHER_unary: return type_of_unary(checker, CYPHER_AS(unary, node));
    case CYPHER_binary: return type_of_binary(checker, CYPHER_AS(binary, node));
    case CYPHER_chain: return type_of_chain(checker, CYPHER_AS(chain, node));
    case CYPHER_is_null:
    case CYPHER_is_type:
    case CYPHER_is_normalized:
    case CYPHER_label_test: return type_of_test(checker, node);
    case CYPHER_case: return type_of_case(checker, CYPHER_AS(case, node));
    case CYPHER_function: return type_of_function(checker, node);
    case CYPHER_list_comprehension: return type_of_list_comprehension(checker, CYPHER_AS(list_comprehension, node));
    case CYPHER_pattern_comprehension:
      return type_of_pattern_comprehension(checker, CYPHER_AS(pattern_comprehension, node));
    case CYPHER_quantified: return type_of_quantified(checker, CYPHER_AS(quantified, node));
    case CYPHER_reduce: return type_of_reduce(checker, CYPHER_AS(reduce, node));
    case CYPHER_pattern_expression: return type_of_pattern(checker, node);
    case CYPHER_subquery: return type_of_subquery(checker, CYPHER_AS(subquery, node));
    default: return type_of_leaf(checker, node);
  }
}

struct ew_cypher_type ew_cypher_type_in(struct ew_cypher_checker *checker, const struct ew_node *expression,
                                        enum ew_cypher_aggregates aggregates, bool patterns) {
  enum ew_cypher_aggregates outer = checker->aggregates;
  bool outer_patterns = checker->patterns;
  checker->aggregates = aggregates;
  checker->patterns = patterns;
  struct ew_cypher_type type = ew_cypher_type_of(checker, expression);
  checker->aggregates = outer;
  checker->patterns = outer_patterns;
  return type;
}

void ew_cypher_check_where(struct ew_cypher_checker *checker, const struct ew_node *where) {
  if (!where) return;
  want(checker, where, ew_cypher_type_in(checker, where, EW_AGGREGATES_NO, true), EW_TYPE_BOOLEAN);
}

void ew_cypher_check_expressions(struct ew_cypher_checker *checker, struct ew_list expressions) {
  for (size_t i = 0; i < expressions.count; i++)
    ew_cypher_type_in(checker, expressions.items[i], EW_AGGREGATES_NO, false);
}

void ew_cypher_check_labels(struct ew_cypher_checker *checker, const struct ew_node *labels) {
  if (!labels) return;
  const union ew_field *fields = ew_node_fields(labels);
  if (cypher_is(labels, CYPHER_label_dynamic)) {
    ew_cypher_type_in(checker, CYPHER_AS(label_dynamic, labels)->expression.node, EW_AGGREGATES_NO, false);
    return;
  }
  for (size_t i = 0; labels->kind->fields[i].type != EW_FIELD_END; i++) {
    if (labels->kind->fields[i].type == EW_FIELD_ONE) ew_cypher_check_labels(checker, fields[i].node);
    if (labels->kind->fields[i].type == EW_FIELD_LIST)
      for (size_t k = 0; k < fields[i].list.count; k++) ew_cypher_check_labels(checker, fields[i].list.items[k]);
  }
}
