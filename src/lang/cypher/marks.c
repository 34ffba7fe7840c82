/* marks.c: what is remarkable in a reduced query: its constructs without those that nearly every query has, and with
   functions that differ only in name taken together. Two minimal queries that fail in one way for one cause share
   their marks; see report/cause.h. */
#include <math.h>

#include "lang/cypher/cypher.h"
#include "lang/cypher/features.h"
#include "lang/cypher/scope.h"

struct marker {
  void (*found)(void *context, const char *mark);
  void *context;
  bool matched; /* there was a MATCH already */
};

static bool is_any(const char *name, const char *const *names, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (strcmp(name, names[i]) == 0) return true;
  return false;
}

/* Nearly every query has these. */
static bool is_commonplace(const struct ew_cypher_feature *feature) {
  static const char *const names[] = {"return", "where", "node", "relationship", "literal", "literal:"};
  return strcmp(feature->group, "basic") == 0 || is_any(feature->name, names, EW_COUNT(names));
}

/* What a bug is met in, whatever it is: rows and values must come from somewhere and go somewhere. */
static bool is_carrier(const struct ew_cypher_feature *feature, struct ew_span member) {
  static const char *const names[] = {"create", "merge",      "set",           "remove",  "delete",  "with",
                                      "unwind", "set_labels", "remove_labels", "set_all", "is_null", "is_not_null",
                                      "list",   "map"};
  return is_any(feature->name, names, EW_COUNT(names)) || ew_span_is(member, "NOT");
}

static bool is_comparison(struct ew_span member) {
  static const char *const operators[] = {"=", "<>", "<", "<=", ">", ">="};
  for (size_t i = 0; i < EW_COUNT(operators); i++)
    if (ew_span_is(member, operators[i])) return true;
  return false;
}

/* How many links a pattern has, and whether labels matter, where nothing else tells. */
static void mark_element(struct marker *marker, const struct ew_node *node) {
  if (cypher_is(node, CYPHER_relationship_pattern)) marker->found(marker->context, EW_MARK_PATTERN "link");
  if (cypher_is(node, CYPHER_node_pattern) && CYPHER_AS(node_pattern, node)->labels.node)
    marker->found(marker->context, EW_MARK_PATTERN "label");
  if (cypher_is(node, CYPHER_length) && CYPHER_AS(length, node)->low.number == 0)
    marker->found(marker->context, EW_MARK_PATTERN "no hop");
}

/* A reducer leaves null where anything will do. */
static void mark_literal(struct marker *marker, const struct ew_node *literal) {
  const struct ew_value *value = CYPHER_AS(literal, literal)->value.value;
  char name[96];
  if (value->kind == EW_VALUE_NULL) return;
  snprintf(name, sizeof name, EW_MARK_CONSTANT "%s", ew_value_kind_name(value->kind));
  marker->found(marker->context, name);
  if (value->kind == EW_VALUE_FLOAT && !isfinite(value->number)) marker->found(marker->context, "no finite number");
}

static void mark_match(struct marker *marker, const struct ew_node *match) {
  if (marker->matched) marker->found(marker->context, EW_MARK_CLAUSE "match again");
  if (CYPHER_AS(match, match)->patterns.list.count > 1) marker->found(marker->context, EW_MARK_CLAUSE "several paths");
  marker->matched = true;
}

static bool mark(void *context, const struct ew_cypher_feature *feature, struct ew_span member,
                 const struct ew_node *node) {
  struct marker *marker = context;
  char name[96];
  if (feature->sort == EW_FEATURE_KIND && cypher_is(node, CYPHER_literal)) mark_literal(marker, node);
  if (feature->sort == EW_FEATURE_KIND) mark_element(marker, node);
  if (is_commonplace(feature)) return true;
  if (ew_cypher_is_aggregate(node) && feature->sort != EW_FEATURE_PRESENT) {
    marker->found(marker->context, "aggregate");
    snprintf(name, sizeof name, EW_MARK_VALUE "%s%.*s", feature->name, EW_SPAN_ARGS(member));
    marker->found(marker->context, name);
  } else if (feature->sort == EW_FEATURE_KIND && cypher_is(node, CYPHER_match)) {
    mark_match(marker, node);
  } else {
    const char *prefix = strcmp(feature->group, "clauses") == 0    ? EW_MARK_CLAUSE
                         : strcmp(feature->group, "patterns") == 0 ? EW_MARK_PATTERN
                                                                   : "";
    if (is_comparison(member)) member = EW_SPAN("comparison");
    snprintf(name, sizeof name, "%s%s%s%.*s", prefix, is_carrier(feature, member) ? EW_MARK_CARRIER : "", feature->name,
             EW_SPAN_ARGS(member));
    marker->found(marker->context, name);
  }
  return true;
}

void ew_cypher_marks(const struct ew_node *tree, void (*found)(void *context, const char *mark), void *context) {
  ew_cypher_walk_features(tree, mark, &(struct marker){found, context, false});
}
