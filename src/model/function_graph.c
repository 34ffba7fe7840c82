/* function_graph.c: nodes, relationships and paths; and functions of any value. */
#include "model/function.h"

#define FUNCTION(suffix) \
  struct ew_value ew_function_##suffix(struct ew_execution *run, const struct ew_value *arguments, size_t count)

static bool is_kind(struct ew_execution *run, struct ew_value value, enum ew_value_kind kind) {
  if (value.kind == kind) return true;
  ew_run_fail(run, EW_FAULT_ARGUMENT_VALUE, "a %s is wanted, no %s", ew_value_kind_name(kind), ew_kind_text(value));
  return false;
}

/* ---- identity ---- */

FUNCTION(id) {
  (void)count;
  ew_run_is_open(run, EW_OPEN_IDENTITY);
  if (arguments[0].kind == EW_VALUE_NODE) return ew_integer(arguments[0].node->id);
  if (arguments[0].kind == EW_VALUE_RELATIONSHIP) return ew_integer(arguments[0].relationship->id);
  return ew_run_fail(run, EW_FAULT_ARGUMENT_VALUE, "a %s has no id", ew_kind_text(arguments[0]));
}

FUNCTION(element_id) {
  struct ew_value id = ew_function_id(run, arguments, count);
  if (run->failed || run->semantics->element_id_is_integer) return id;
  const char *kind = arguments[0].kind == EW_VALUE_NODE ? "node" : "relationship";
  return ew_string(ew_arena_format(run->arena, "%s:%lld", kind, (long long)id.integer));
}

/* ---- nodes ---- */

FUNCTION(labels) {
  (void)count;
  if (!is_kind(run, arguments[0], EW_VALUE_NODE) || !ew_run_live(run, arguments[0])) return ew_null();
  const struct ew_node_value *node = arguments[0].node;
  if (node->label_count > 1) ew_run_is_open(run, EW_OPEN_ELEMENT_ORDER);
  struct ew_value *items =
      ew_run_spend(run, node->label_count) ? ew_run_take(run, node->label_count, sizeof *items) : NULL;
  if (!items) return ew_null();
  for (size_t i = 0; i < node->label_count; i++) items[i] = ew_string(node->labels[i]);
  return ew_list(items, node->label_count);
}

/* FalkorDB's hasLabels(node, list): all of them. */
FUNCTION(has_labels) {
  (void)count;
  if (!is_kind(run, arguments[0], EW_VALUE_NODE) || !is_kind(run, arguments[1], EW_VALUE_LIST) ||
      !ew_run_live(run, arguments[0]))
    return ew_null();
  const struct ew_node_value *node = arguments[0].node;
  for (size_t i = 0; i < arguments[1].list.count; i++) {
    size_t at = 0;
    if (!is_kind(run, arguments[1].list.items[i], EW_VALUE_STRING) || !ew_run_spend(run, 1)) return ew_null();
    while (at < node->label_count && !ew_span_equal(node->labels[at], arguments[1].list.items[i].string)) at++;
    if (at == node->label_count) return ew_boolean(false);
  }
  return ew_boolean(true);
}

/* Whether a relationship counts: it lives, and where types are named it has one of them. */
static bool counts(const struct ew_relationship_record *relationship, const struct ew_value *types, size_t count) {
  if (relationship->deleted || !count) return !relationship->deleted;
  for (size_t i = 0; i < count; i++)
    if (ew_span_equal(relationship->value.type, types[i].string)) return true;
  return false;
}

/* inDegree(node, type …), of Memgraph and FalkorDB. A loop is an end and a start. */
static struct ew_value degree(struct ew_execution *run, const struct ew_value *arguments, size_t count, bool in,
                              bool out) {
  if (!is_kind(run, arguments[0], EW_VALUE_NODE) || !ew_run_live(run, arguments[0])) return ew_null();
  for (size_t i = 1; i < count; i++)
    if (!is_kind(run, arguments[i], EW_VALUE_STRING)) return ew_null();
  const struct ew_node_record *node = ew_node_record(arguments[0]);
  int64_t degree = 0;
  for (const struct ew_relationship_record *r = node->outgoing; out && r && ew_run_spend(run, 1); r = r->next_outgoing)
    degree += counts(r, arguments + 1, count - 1);
  for (const struct ew_relationship_record *r = node->incoming; in && r && ew_run_spend(run, 1); r = r->next_incoming)
    degree += counts(r, arguments + 1, count - 1);
  return ew_integer(degree);
}

FUNCTION(degree) { return degree(run, arguments, count, true, true); }
FUNCTION(in_degree) { return degree(run, arguments, count, true, false); }
FUNCTION(out_degree) { return degree(run, arguments, count, false, true); }

/* ---- relationships ---- */

FUNCTION(type) {
  (void)count;
  return is_kind(run, arguments[0], EW_VALUE_RELATIONSHIP) ? ew_string(arguments[0].relationship->type) : ew_null();
}

FUNCTION(start_node) {
  (void)count;
  if (!is_kind(run, arguments[0], EW_VALUE_RELATIONSHIP)) return ew_null();
  return ew_node_value_of(ew_relationship_record(arguments[0])->start);
}

FUNCTION(end_node) {
  (void)count;
  if (!is_kind(run, arguments[0], EW_VALUE_RELATIONSHIP)) return ew_null();
  return ew_node_value_of(ew_relationship_record(arguments[0])->end);
}

/* ---- paths ---- */

FUNCTION(nodes) {
  (void)count;
  if (!is_kind(run, arguments[0], EW_VALUE_PATH)) return ew_null();
  return (struct ew_value){.kind = EW_VALUE_LIST, .list = arguments[0].path->nodes};
}

FUNCTION(relationships) {
  (void)count;
  if (!is_kind(run, arguments[0], EW_VALUE_PATH)) return ew_null();
  return (struct ew_value){.kind = EW_VALUE_LIST, .list = arguments[0].path->relationships};
}

/* Of a path; older manuals have it for lists and strings too. */
FUNCTION(length) {
  if (arguments[0].kind == EW_VALUE_LIST || arguments[0].kind == EW_VALUE_STRING)
    return ew_function_size(run, arguments, count);
  if (!is_kind(run, arguments[0], EW_VALUE_PATH)) return ew_null();
  return ew_integer((int64_t)arguments[0].path->relationships.count);
}

/* ---- any value ---- */

FUNCTION(coalesce) {
  (void)run;
  for (size_t i = 0; i < count; i++)
    if (arguments[i].kind != EW_VALUE_NULL) return arguments[i];
  return ew_null();
}

FUNCTION(null_if) {
  (void)count;
  return ew_value_equal(arguments[0], arguments[1], run->semantics) == EW_TRUE ? ew_null() : arguments[0];
}

/* exists(n.p), the old spelling of IS NOT NULL. */
FUNCTION(exists) {
  (void)run, (void)count;
  return ew_boolean(arguments[0].kind != EW_VALUE_NULL);
}
