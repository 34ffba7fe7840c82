/* flow_value.c: what may be different in the value of an expression, from what may be in its parts.

   The rule for what is not listed: an expression over something open may have any value. */
#include <strings.h>

#include "model/flow_state.h"

enum { ORDERS = EW_ALLOW_ORDER | EW_ALLOW_DEEP_ORDER };

/* ---- sites and names ---- */

uint32_t ew_flow_site(const struct flow *flow, const struct ew_node *node) {
  for (size_t i = 0; i < flow->site_count; i++)
    if (flow->sites[i].node == node) return flow->sites[i].open;
  return 0;
}

static unsigned site_taint(const struct flow *flow, const struct ew_node *node) {
  uint32_t bits = ew_flow_site(flow, node), known = 0;
  unsigned taint = 0;
  static const struct {
    uint32_t open;
    unsigned taint;
  } meanings[] = {{FLOW_BIT(COLLECT), EW_ALLOW_ORDER},
                  {FLOW_BIT(ELEMENT_ORDER), EW_ALLOW_ORDER},
                  {FLOW_BIT(REPRESENTATIVE), EW_ALLOW_NUMBERS},
                  {FLOW_BIT(LAST_DIGITS), FLOW_NEAR}};
  for (size_t i = 0; i < EW_COUNT(meanings); i++) {
    if (bits & meanings[i].open) taint |= meanings[i].taint;
    known |= meanings[i].open;
  }
  return bits & ~known ? EW_ALLOW_ANY : taint;
}

unsigned ew_flow_name_taint(const struct flow *flow, struct ew_span name) {
  for (size_t i = flow->names.count; name.length && i > 0; i--)
    if (ew_span_equal(flow->names.items[i - 1].name, name)) return flow->names.items[i - 1].taint;
  return 0;
}

void ew_flow_name(struct flow *flow, struct ew_span name, unsigned taint) {
  if (name.length) *ew_arena_vector_push(flow->arena, &flow->names) = (struct flow_name){name, taint};
}

struct touch {
  const struct flow *flow;
  bool touched;
};

/* Any name counts, of whatever: keys and types that are called like an open variable are rare. */
static enum ew_walk find_touch(const struct ew_node *node, struct ew_place place, void *context) {
  struct touch *touch = context;
  const union ew_field *fields = ew_node_fields(node);
  (void)place;
  touch->touched |= ew_flow_site(touch->flow, node) != 0;
  for (size_t i = 0; node->kind->fields[i].type != EW_FIELD_END; i++) {
    if (node->kind->fields[i].type == EW_FIELD_NAME)
      touch->touched |= ew_flow_name_taint(touch->flow, fields[i].name) != 0;
    if (node->kind->fields[i].type == EW_FIELD_NAMES)
      for (size_t k = 0; k < fields[i].names.count; k++)
        touch->touched |= ew_flow_name_taint(touch->flow, fields[i].names.items[k]) != 0;
  }
  return touch->touched ? EW_WALK_STOP : EW_WALK_ON;
}

bool ew_flow_touches(const struct flow *flow, const struct ew_node *node) {
  struct touch touch = {flow, false};
  if (node) ew_tree_walk(node, find_touch, &touch);
  return touch.touched;
}

/* ---- lists ---- */

/* Of a list or map that has values with this taint in it. */
static unsigned within(unsigned taint) {
  return taint & ORDERS ? (taint & ~(unsigned)ORDERS) | EW_ALLOW_DEEP_ORDER : taint;
}

unsigned ew_flow_item(unsigned list) {
  unsigned rest = list & ~(unsigned)ORDERS;
  return list & EW_ALLOW_DEEP_ORDER ? rest | ORDERS : rest;
}

static unsigned taint_list(struct flow *flow, struct ew_list items) {
  unsigned taint = 0;
  for (size_t i = 0; i < items.count; i++) taint |= ew_flow_taint(flow, items.items[i]);
  return taint;
}

static unsigned taint_map(struct flow *flow, struct ew_list entries) {
  unsigned taint = 0;
  for (size_t i = 0; i < entries.count; i++)
    taint |= ew_flow_taint(flow, CYPHER_AS(entry, entries.items[i])->value.node);
  return within(taint);
}

/* [x IN list WHERE test | result], and all(x IN list WHERE test): the order of items shows in the first only. */
static unsigned taint_comprehension(struct flow *flow, const struct ew_node *list, struct ew_span variable,
                                    const struct ew_node *test, const struct ew_node *result, bool makes_list) {
  unsigned from = ew_flow_taint(flow, list), item = ew_flow_item(from);
  if (from & EW_ALLOW_ANY) return EW_ALLOW_ANY;
  size_t count = flow->names.count;
  ew_flow_name(flow, variable, item);
  bool open = test && ew_flow_taint(flow, test);
  unsigned made = result ? ew_flow_taint(flow, result) : item;
  flow->names.count = count;
  if (open || made & EW_ALLOW_ANY) return EW_ALLOW_ANY;
  if (!makes_list) return 0;
  return within(made) | (from & EW_ALLOW_ORDER);
}

/* ---- queries and patterns within ---- */

static unsigned taint_subquery(struct flow *flow, const struct ew_node *node) {
  const struct cypher_subquery *subquery = CYPHER_AS(subquery, node);
  struct flow saved = *flow;
  unsigned taint = site_taint(flow, node);
  flow->outer = flow->names.count;
  flow->columns = (struct flow_columns){0};
  flow->scrambled = false;
  flow->lost = NULL;
  ew_flow_query(flow, subquery->body.node);
  for (size_t i = 0; i < flow->columns.count; i++) taint |= within(flow->columns.items[i].taint);
  if (flow->scrambled) taint |= EW_ALLOW_ORDER;
  bool lost = flow->lost != NULL;
  flow->lost = saved.lost;
  flow->names.count = saved.names.count;
  flow->outer = saved.outer;
  flow->columns = saved.columns;
  flow->scrambled = saved.scrambled;
  if (lost) return EW_ALLOW_ANY;
  return subquery->form.choice == CYPHER_COLLECT ? taint : 0;
}

static unsigned taint_pattern_comprehension(struct flow *flow, const struct ew_node *node) {
  const struct cypher_pattern_comprehension *made = CYPHER_AS(pattern_comprehension, node);
  if (ew_flow_touches(flow, made->pattern.node) || ew_flow_touches(flow, made->where.node)) return EW_ALLOW_ANY;
  return site_taint(flow, node) | within(ew_flow_taint(flow, made->result.node));
}

/* ---- functions ---- */

static bool is_called(const struct cypher_function *call, const char *name) {
  return call->name.name.length == strlen(name) && strncasecmp(call->name.name.bytes, name, strlen(name)) == 0;
}

/* An aggregate of each value once is the same as long as equal values only look different. */
static unsigned taint_aggregate(struct flow *flow, const struct ew_node *node) {
  const struct cypher_function *call = CYPHER_AS(function, node);
  if (cypher_is(node, CYPHER_count_star)) return 0;
  unsigned own = site_taint(flow, node), argument = taint_list(flow, call->arguments.list);
  bool looks_only = !(argument & ~(unsigned)EW_ALLOW_NUMBERS);
  if (argument & EW_ALLOW_ANY || (call->distinct.flag && !looks_only)) return EW_ALLOW_ANY;
  if (is_called(call, "count")) return 0;
  if (is_called(call, "collect")) return own | within(argument) | (flow->scrambled ? EW_ALLOW_ORDER : 0);
  if (is_called(call, "min") || is_called(call, "max")) return looks_only ? own | argument : EW_ALLOW_ANY;
  if (argument || (own & EW_ALLOW_NUMBERS && !is_called(call, "percentileDisc"))) return EW_ALLOW_ANY;
  bool adds = is_called(call, "sum") || is_called(call, "avg");
  return adds && flow->scrambled ? EW_ALLOW_ANY : own;
}

static unsigned taint_function(struct flow *flow, const struct ew_node *node) {
  const struct cypher_function *call = CYPHER_AS(function, node);
  if (ew_cypher_is_aggregate(node)) return taint_aggregate(flow, node);
  unsigned own = site_taint(flow, node), arguments = taint_list(flow, call->arguments.list);
  if (!arguments || own & EW_ALLOW_ANY) return own;
  bool orders_only = !(arguments & ~(unsigned)ORDERS);
  if (is_called(call, "size") || is_called(call, "isEmpty")) return orders_only ? 0 : EW_ALLOW_ANY;
  if (is_called(call, "reverse")) return orders_only ? arguments | own : EW_ALLOW_ANY;
  if (is_called(call, "coalesce")) return arguments & EW_ALLOW_ANY ? EW_ALLOW_ANY : arguments | own;
  return EW_ALLOW_ANY;
}

/* ---- the rest ---- */

static unsigned taint_case(struct flow *flow, const struct cypher_case *choice) {
  unsigned tests = choice->subject.node ? ew_flow_taint(flow, choice->subject.node) : 0;
  unsigned results = choice->otherwise.node ? ew_flow_taint(flow, choice->otherwise.node) : 0;
  for (size_t i = 0; i < choice->whens.list.count; i++) {
    const struct cypher_when *when = CYPHER_AS(when, choice->whens.list.items[i]);
    tests |= ew_flow_taint(flow, when->test.node);
    results |= ew_flow_taint(flow, when->result.node);
  }
  return tests ? EW_ALLOW_ANY : results;
}

static unsigned taint_binary(struct flow *flow, const struct cypher_binary *binary) {
  unsigned left = ew_flow_taint(flow, binary->left.node), right = ew_flow_taint(flow, binary->right.node);
  unsigned taint = left | right;
  if (!taint) return 0;
  switch (binary->operator.choice) {
    case CYPHER_EQUAL:
    case CYPHER_UNEQUAL:
    case CYPHER_LESS:
    case CYPHER_LESS_EQUAL:
    case CYPHER_GREATER:
    case CYPHER_GREATER_EQUAL: return taint & ~(unsigned)EW_ALLOW_NUMBERS ? EW_ALLOW_ANY : 0;
    case CYPHER_ADD: return taint & ~(unsigned)ORDERS ? EW_ALLOW_ANY : taint;
    case CYPHER_IN: /* among a list's items, in whatever order */
      return (left | ew_flow_item(right)) & ~(unsigned)EW_ALLOW_NUMBERS ? EW_ALLOW_ANY : 0;
    default: return EW_ALLOW_ANY;
  }
}

unsigned ew_flow_taint(struct flow *flow, const struct ew_node *expression) {
  if (!flow->site_count) return 0;
  switch ((enum cypher_kind)expression->kind->code) {
    case CYPHER_variable: return ew_flow_name_taint(flow, CYPHER_AS(variable, expression)->name.name);
    case CYPHER_list: return within(taint_list(flow, CYPHER_AS(list, expression)->items.list));
    case CYPHER_map: return taint_map(flow, CYPHER_AS(map, expression)->entries.list);
    case CYPHER_case: return taint_case(flow, CYPHER_AS(case, expression));
    case CYPHER_count_star:
    case CYPHER_function: return taint_function(flow, expression);
    case CYPHER_binary: return taint_binary(flow, CYPHER_AS(binary, expression));
    case CYPHER_unary: return ew_flow_taint(flow, CYPHER_AS(unary, expression)->operand.node) ? EW_ALLOW_ANY : 0;
    case CYPHER_is_null:
      return ew_flow_taint(flow, CYPHER_AS(is_null, expression)->operand.node) & EW_ALLOW_ANY ? EW_ALLOW_ANY : 0;
    case CYPHER_subquery: return taint_subquery(flow, expression);
    case CYPHER_pattern_comprehension: return taint_pattern_comprehension(flow, expression);
    case CYPHER_list_comprehension: {
      const struct cypher_list_comprehension *made = CYPHER_AS(list_comprehension, expression);
      return taint_comprehension(flow, made->list.node, made->variable.name, made->where.node, made->result.node, true);
    }
    case CYPHER_quantified: {
      const struct cypher_quantified *asked = CYPHER_AS(quantified, expression);
      return taint_comprehension(flow, asked->list.node, asked->variable.name, asked->where.node, NULL, false);
    }
    default: return ew_flow_touches(flow, expression) ? EW_ALLOW_ANY : 0;
  }
}
