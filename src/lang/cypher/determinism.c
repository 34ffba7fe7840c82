/* determinism.c: one walk over the tree that collects reasons. SOUNDNESS of the oracles rests on it: a construct that is
   not understood counts as open. */
#include "lang/cypher/determinism.h"

#include "lang/cypher/cypher.h"

#include "lang/cypher/scope.h"

#define BIT(name) ((uint32_t)1 << (name))

const char *ew_cypher_open_words(enum ew_cypher_open open) {
  static const char *const words[] = {
#define OPEN(name, text) text,
#define FAILURE(name, text)
#include "lang/cypher/determinism.def"
#undef OPEN
#undef FAILURE
  };
  return words[open];
}

const char *ew_cypher_failure_words(enum ew_cypher_failure failure) {
  static const char *const words[] = {
#define OPEN(name, text)
#define FAILURE(name, text) text,
#include "lang/cypher/determinism.def"
#undef OPEN
#undef FAILURE
  };
  return words[failure];
}

static const struct ew_cypher_function *function_of(const struct ew_node *node) {
  return cypher_is(node, CYPHER_function) ? ew_cypher_function_find(CYPHER_AS(function, node)->name.name) : NULL;
}

static uint32_t type_of_value(const struct ew_value *value) {
  switch (value->kind) {
    case EW_VALUE_NULL: return EW_TYPE_NULL;
    case EW_VALUE_BOOLEAN: return EW_TYPE_BOOLEAN;
    case EW_VALUE_INTEGER: return EW_TYPE_INTEGER;
    case EW_VALUE_FLOAT: return EW_TYPE_FLOAT;
    case EW_VALUE_STRING: return EW_TYPE_STRING;
    default: return EW_TYPE_ANY;
  }
}

/* What an expression surely is, as a set of types; EW_TYPE_ANY where nothing is known. */
static uint32_t type_of(const struct ew_node *node) {
  switch (node->kind->code) {
    case CYPHER_literal: return type_of_value(CYPHER_AS(literal, node)->value.value);
    case CYPHER_unary: {
      const struct cypher_unary *unary = CYPHER_AS(unary, node);
      return unary->operator.choice == CYPHER_NOT ? EW_TYPE_BOOLEAN : type_of(unary->operand.node);
    }
    case CYPHER_binary: {
      const struct cypher_binary *binary = CYPHER_AS(binary, node);
      if (binary->operator.choice <= CYPHER_CONTAINS) return EW_TYPE_BOOLEAN;
      uint32_t both = type_of(binary->left.node) | type_of(binary->right.node);
      return both & ~(uint32_t)EW_TYPE_NUMBER          ? EW_TYPE_ANY
             : binary->operator.choice == CYPHER_POWER ? EW_TYPE_FLOAT
                                                       : both;
    }
    case CYPHER_chain:
    case CYPHER_is_null:
    case CYPHER_is_type:
    case CYPHER_is_normalized:
    case CYPHER_label_test:
    case CYPHER_pattern_expression:
    case CYPHER_quantified: return EW_TYPE_BOOLEAN;
    case CYPHER_subquery: {
      static const uint32_t types[] = {
          [CYPHER_EXISTS] = EW_TYPE_BOOLEAN, [CYPHER_COUNT] = EW_TYPE_INTEGER, [CYPHER_COLLECT] = EW_TYPE_LIST};
      return types[CYPHER_AS(subquery, node)->form.choice];
    }
    case CYPHER_list:
    case CYPHER_list_comprehension:
    case CYPHER_pattern_comprehension: return EW_TYPE_LIST;
    case CYPHER_map:
    case CYPHER_map_projection: return EW_TYPE_MAP;
    case CYPHER_count_star: return EW_TYPE_INTEGER;
    case CYPHER_function: return function_of(node) ? function_of(node)->result : EW_TYPE_ANY;
    default: return EW_TYPE_ANY;
  }
}

static bool surely(const struct ew_node *node, uint32_t types) {
  return !(type_of(node) & ~(types | (uint32_t)EW_TYPE_NULL));
}

/* ---- calls ---- */

/* A list whose order nobody promised does no harm where only its size is asked for. */
static bool only_size_matters(struct ew_place place) {
  const struct ew_cypher_function *outer = function_of(place.parent);
  return outer && (strcmp(outer->name, "size") == 0 || strcmp(outer->name, "isempty") == 0);
}

static bool adds_floats(const struct ew_cypher_function *function, const struct cypher_function *call) {
  static const char *const adding[] = {"sum", "avg", "stdev", "stdevp"};
  if (!call->arguments.list.count || surely(call->arguments.list.items[0], EW_TYPE_INTEGER | EW_TYPE_DURATION))
    return false;
  for (size_t i = 0; i < EW_COUNT(adding); i++)
    if (strcmp(function->name, adding[i]) == 0) return true;
  return false;
}

static void look_at_call(struct ew_cypher_survey *survey, const struct cypher_function *call, struct ew_place place) {
  const struct ew_cypher_function *function = ew_cypher_function_find(call->name.name);
  size_t count = call->arguments.list.count;
  if (!function) {
    survey->open |= BIT(EW_OPEN_UNKNOWN);
    survey->failures |= BIT(EW_FAILURE_ARGUMENT) | BIT(EW_FAILURE_TYPE);
    return;
  }
  if (function->traits & EW_FUNCTION_AGGREGATE) survey->merges = true;
  if (function->traits & EW_FUNCTION_OPEN) survey->open |= BIT(EW_OPEN_CHANCE);
  if (function->traits & EW_FUNCTION_CLOCK && !count) survey->open |= BIT(EW_OPEN_CLOCK);
  if (function->traits & EW_FUNCTION_ORDER && !only_size_matters(place)) survey->open |= BIT(EW_OPEN_COLLECT);
  if (adds_floats(function, call)) survey->open |= BIT(EW_OPEN_FLOAT_SUM);
  if (!count) return;
  if (function->first != EW_TYPE_ANY && !surely(call->arguments.list.items[0], function->first))
    survey->failures |= BIT(EW_FAILURE_TYPE);
  if (function->traits & EW_FUNCTION_FAILS) survey->failures |= BIT(EW_FAILURE_ARGUMENT) | BIT(EW_FAILURE_TYPE);
  if (function->traits & EW_FUNCTION_AGGREGATE && function->result & EW_TYPE_INTEGER &&
      function->result != EW_TYPE_INTEGER && function->result != EW_TYPE_ANY)
    survey->failures |= BIT(EW_FAILURE_OVERFLOW);
}

/* ---- operators ---- */

static bool is_zero_free(const struct ew_node *node) {
  if (surely(node, EW_TYPE_FLOAT)) return true;
  if (!cypher_is(node, CYPHER_literal)) return false;
  const struct ew_value *value = CYPHER_AS(literal, node)->value.value;
  return value->kind == EW_VALUE_INTEGER && value->integer != 0;
}

static void look_at_operator(struct ew_cypher_survey *survey, const struct cypher_binary *binary) {
  const struct ew_node *left = binary->left.node, *right = binary->right.node;
  bool numbers = surely(left, EW_TYPE_NUMBER) && surely(right, EW_TYPE_NUMBER);
  switch ((enum cypher_operator)binary->operator.choice) {
    case CYPHER_OR:
    case CYPHER_XOR:
    case CYPHER_AND:
      if (!surely(left, EW_TYPE_BOOLEAN) || !surely(right, EW_TYPE_BOOLEAN)) survey->failures |= BIT(EW_FAILURE_TYPE);
      break;
    case CYPHER_IN:
      if (!surely(right, EW_TYPE_LIST)) survey->failures |= BIT(EW_FAILURE_TYPE);
      break;
    case CYPHER_MATCHES:
      survey->failures |= BIT(EW_FAILURE_REGEX);
      if (!surely(right, EW_TYPE_STRING)) survey->failures |= BIT(EW_FAILURE_TYPE);
      break;
    case CYPHER_DIVIDE:
    case CYPHER_MODULO:
      if (!is_zero_free(right)) survey->failures |= BIT(EW_FAILURE_DIVISION);
      /* fall through */
    case CYPHER_ADD:
    case CYPHER_SUBTRACT:
    case CYPHER_MULTIPLY:
      if (!surely(left, EW_TYPE_FLOAT) && !surely(right, EW_TYPE_FLOAT)) survey->failures |= BIT(EW_FAILURE_OVERFLOW);
      /* fall through */
    case CYPHER_CONCATENATE:
    case CYPHER_POWER:
      if (!numbers) survey->failures |= BIT(EW_FAILURE_TYPE);
      break;
    default: break;
  }
}

static void look_at_unary(struct ew_cypher_survey *survey, const struct cypher_unary *unary) {
  bool negation = unary->operator.choice == CYPHER_NOT;
  if (!surely(unary->operand.node, negation ? EW_TYPE_BOOLEAN : EW_TYPE_NUMBER))
    survey->failures |= BIT(EW_FAILURE_TYPE);
  if (unary->operator.choice == CYPHER_NEGATE && !surely(unary->operand.node, EW_TYPE_FLOAT))
    survey->failures |= BIT(EW_FAILURE_OVERFLOW);
}

/* ---- projections ---- */

static struct ew_span column_of(const struct cypher_item *item) {
  if (item->alias.name.length) return item->alias.name;
  const struct ew_node *expression = item->expression.node;
  return cypher_is(expression, CYPHER_variable) ? CYPHER_AS(variable, expression)->name.name : EW_SPAN("");
}

static bool is_sorted_by(const struct cypher_projection *projection, const struct cypher_item *item) {
  for (size_t i = 0; i < projection->order.list.count; i++) {
    const struct ew_node *key = CYPHER_AS(sort, projection->order.list.items[i])->expression.node;
    if (ew_tree_equal(key, item->expression.node)) return true;
    if (cypher_is(key, CYPHER_variable) && ew_span_equal(CYPHER_AS(variable, key)->name.name, column_of(item)))
      return true;
  }
  return false;
}

/* Nothing but aggregates: one row comes out. */
static bool is_one_row(const struct cypher_projection *projection) {
  struct ew_list items = projection->items.list;
  for (size_t i = 0; i < items.count; i++)
    if (!ew_cypher_has_aggregate(CYPHER_AS(item, items.items[i])->expression.node)) return false;
  return items.count && !projection->star.flag;
}

/* Whether rows that the order leaves beside each other are equal: every column is sorted by, and its values sort
   together only where they are the same, unlike 1 and 1.0, 0.0 and -0.0, or lists of those. */
static bool is_totally_ordered(const struct cypher_projection *projection) {
  enum { ORDERED = EW_TYPE_BOOLEAN | EW_TYPE_INTEGER | EW_TYPE_STRING | EW_TYPE_NODE | EW_TYPE_RELATIONSHIP };
  struct ew_list items = projection->items.list;
  if (is_one_row(projection)) return true;
  for (size_t i = 0; i < items.count; i++) {
    const struct cypher_item *item = CYPHER_AS(item, items.items[i]);
    if (!is_sorted_by(projection, item) || !surely(item->expression.node, ORDERED)) return false;
  }
  return items.count && !projection->star.flag;
}

static bool is_amount(const struct ew_node *node) {
  if (!node) return true;
  return cypher_is(node, CYPHER_literal) && CYPHER_AS(literal, node)->value.value->kind == EW_VALUE_INTEGER &&
         CYPHER_AS(literal, node)->value.value->integer >= 0;
}

static void look_at_projection(struct ew_cypher_survey *survey, const struct cypher_projection *projection) {
  survey->merges |= projection->distinct.flag;
  if (!projection->skip.node && !projection->limit.node) return;
  survey->cuts = true;
  if (!is_totally_ordered(projection)) survey->open |= BIT(EW_OPEN_CUT);
  if (!is_amount(projection->skip.node) || !is_amount(projection->limit.node))
    survey->failures |= BIT(EW_FAILURE_AMOUNT) | BIT(EW_FAILURE_TYPE);
}

/* ---- writes ---- */

static enum ew_walk find_variable(const struct ew_node *node, struct ew_place place, void *context) {
  (void)place;
  (void)context;
  return cypher_is(node, CYPHER_variable) || cypher_is(node, CYPHER_parameter) ? EW_WALK_STOP : EW_WALK_ON;
}

/* The same whatever the row is. */
static bool is_constant(const struct ew_node *node) { return ew_tree_walk(node, find_variable, NULL); }

static void look_at_change(struct ew_cypher_survey *survey, const struct ew_node *value) {
  if (!is_constant(value)) survey->open |= BIT(EW_OPEN_WRITE_ORDER);
  if (!surely(value, EW_TYPE_BOOLEAN | EW_TYPE_NUMBER | EW_TYPE_STRING)) survey->failures |= BIT(EW_FAILURE_PROPERTY);
}

/* False for a clause that is no write. */
static bool look_at_write(struct ew_cypher_survey *survey, const struct ew_node *node, struct ew_place place) {
  switch (node->kind->code) {
    case CYPHER_create: survey->failures |= BIT(EW_FAILURE_PROPERTY); break;
    case CYPHER_merge: /* on the only row there is, it sees nothing of its own */
      if (!cypher_is(place.parent, CYPHER_query) || place.index) survey->open |= BIT(EW_OPEN_WRITE_ORDER);
      survey->failures |= BIT(EW_FAILURE_PROPERTY);
      break;
    case CYPHER_delete:
      survey->failures |= BIT(EW_FAILURE_DELETED);
      if (!CYPHER_AS(delete, node)->detach.flag) survey->failures |= BIT(EW_FAILURE_CONNECTED);
      break;
    case CYPHER_set_property: look_at_change(survey, CYPHER_AS(set_property, node)->value.node); return true;
    case CYPHER_set_all: look_at_change(survey, CYPHER_AS(set_all, node)->value.node); return true;
    case CYPHER_set:
    case CYPHER_remove:
    case CYPHER_foreach: break;
    default: return false;
  }
  survey->writes = true;
  return true;
}

/* ---- the walk ---- */

static void look_at_clause(struct ew_cypher_survey *survey, const struct ew_node *node) {
  switch (node->kind->code) {
    case CYPHER_load_csv:
    case CYPHER_call_procedure:
    case CYPHER_use:
      survey->open |= BIT(EW_OPEN_OUTSIDE);
      survey->failures |= BIT(EW_FAILURE_OUTSIDE);
      break;
    case CYPHER_union: survey->merges |= !CYPHER_AS(union, node)->all.flag; break;
    case CYPHER_call_subquery:
      if (CYPHER_AS(call_subquery, node)->in_transactions.flag) survey->open |= BIT(EW_OPEN_OUTSIDE);
      break;
    case CYPHER_unwind:
      if (!surely(CYPHER_AS(unwind, node)->list.node, EW_TYPE_LIST)) survey->failures |= BIT(EW_FAILURE_TYPE);
      break;
    case CYPHER_path: {
      uint32_t selector = CYPHER_AS(path, node)->selector.choice;
      if (selector == CYPHER_SELECTOR_SHORTEST_PATH || selector == CYPHER_SELECTOR_ANY_SHORTEST ||
          selector == CYPHER_SELECTOR_SHORTEST || selector == CYPHER_SELECTOR_ANY)
        survey->open |= BIT(EW_OPEN_SHORTEST);
      break;
    }
    default: break;
  }
}

static void look_at_expression(struct ew_cypher_survey *survey, const struct ew_node *node, struct ew_place place) {
  switch (node->kind->code) {
    case CYPHER_function: look_at_call(survey, CYPHER_AS(function, node), place); break;
    case CYPHER_binary: look_at_operator(survey, CYPHER_AS(binary, node)); break;
    case CYPHER_unary: look_at_unary(survey, CYPHER_AS(unary, node)); break;
    case CYPHER_subquery:
      if (CYPHER_AS(subquery, node)->form.choice == CYPHER_COLLECT && !only_size_matters(place))
        survey->open |= BIT(EW_OPEN_COLLECT);
      break;
    case CYPHER_pattern_comprehension:
      if (!only_size_matters(place)) survey->open |= BIT(EW_OPEN_COLLECT);
      break;
    case CYPHER_property:
      if (!cypher_is(CYPHER_AS(property, node)->object.node, CYPHER_variable) &&
          !surely(CYPHER_AS(property, node)->object.node, EW_TYPE_MAP))
        survey->failures |= BIT(EW_FAILURE_TYPE);
      break;
    case CYPHER_index:
    case CYPHER_slice:
    case CYPHER_list_comprehension:
    case CYPHER_quantified:
    case CYPHER_reduce: survey->failures |= BIT(EW_FAILURE_TYPE); break;
    case CYPHER_count_star: survey->merges = true; break;
    case CYPHER_parameter: survey->failures |= BIT(EW_FAILURE_PARAMETER); break;
    default: break;
  }
}

static enum ew_walk look(const struct ew_node *node, struct ew_place place, void *context) {
  struct ew_cypher_survey *survey = context;
  if (cypher_is(node, CYPHER_projection))
    look_at_projection(survey, CYPHER_AS(projection, node));
  else if (node->kind->class == CYPHER_CLASS_EXPR)
    look_at_expression(survey, node, place);
  else if (!look_at_write(survey, node, place))
    look_at_clause(survey, node);
  return EW_WALK_ON;
}

struct ew_cypher_survey ew_cypher_survey(const struct ew_node *tree) {
  struct ew_cypher_survey survey = {0};
  ew_tree_walk(tree, look, &survey);
  return survey;
}

/* The projection whose order is the answer's; NULL where there is none. */
static const struct cypher_projection *last_projection(const struct ew_node *statement) {
  const struct ew_node *body = CYPHER_AS(statement, statement)->body.node;
  if (!cypher_is(body, CYPHER_query)) return NULL;
  struct ew_list clauses = CYPHER_AS(query, body)->clauses.list;
  const struct ew_node *last = clauses.count ? clauses.items[clauses.count - 1] : NULL;
  return cypher_is(last, CYPHER_return) ? CYPHER_AS(projection, CYPHER_AS(return, last)->projection.node) : NULL;
}

struct ew_cypher_determinism ew_cypher_determinism(const struct ew_node *statement) {
  struct ew_cypher_survey survey = ew_cypher_survey(statement);
  if (survey.merges && ew_cypher_groups_mix_numbers(statement)) survey.open |= BIT(EW_OPEN_REPRESENTATIVE);
  const struct cypher_projection *last = last_projection(statement);
  enum ew_cypher_answer answer = EW_ANSWER_BAG;
  if (last && is_totally_ordered(last)) answer = EW_ANSWER_ORDER;
  if (survey.open || CYPHER_AS(statement, statement)->mode.choice != CYPHER_MODE_RUN) answer = EW_ANSWER_OPEN;
  return (struct ew_cypher_determinism){answer, survey.open, survey.failures, survey.writes};
}

bool ew_cypher_may_fail(const struct ew_node *tree) { return ew_cypher_survey(tree).failures != 0; }
