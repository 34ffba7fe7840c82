/* labels.c: label and type expressions: which node, which type fits. */
#include "model/code.h"

const struct ew_labels *ew_compile_labels(struct ew_compiler *compiler, const struct ew_node *node) {
  if (!node) return NULL;
  struct ew_labels *labels = EW_NEW(compiler->arena, struct ew_labels);
  labels->kind = node->kind->code;
  const struct ew_node *pair[2] = {NULL, NULL};
  struct ew_list parts = {pair, 2};
  switch ((enum cypher_kind)node->kind->code) {
    case CYPHER_label: labels->name = ew_compile_name(compiler, CYPHER_AS(label, node)->name.name); return labels;
    case CYPHER_label_wildcard: return labels;
    case CYPHER_label_dynamic:
      labels->expression = ew_compile_expression(compiler, CYPHER_AS(label_dynamic, node)->expression.node);
      labels->any = CYPHER_AS(label_dynamic, node)->any.flag;
      return labels;
    case CYPHER_label_not:
      pair[0] = CYPHER_AS(label_not, node)->operand.node;
      parts.count = 1;
      break;
    case CYPHER_label_and:
      pair[0] = CYPHER_AS(label_and, node)->left.node;
      pair[1] = CYPHER_AS(label_and, node)->right.node;
      break;
    case CYPHER_label_or:
      pair[0] = CYPHER_AS(label_or, node)->left.node;
      pair[1] = CYPHER_AS(label_or, node)->right.node;
      break;
    default: parts = CYPHER_AS(label_colons, node)->labels.list; break;
  }
  const struct ew_labels **compiled = EW_NEW_ARRAY(compiler->arena, const struct ew_labels *, parts.count);
  for (size_t i = 0; i < parts.count; i++) compiled[i] = ew_compile_labels(compiler, parts.items[i]);
  labels->parts = compiled;
  labels->count = parts.count;
  return labels;
}

/* What a label is looked for in. */
struct holder {
  const struct ew_span *names; /* interned */
  size_t count;
};

static bool has_name(struct holder holder, struct ew_span name, bool interned) {
  for (size_t i = 0; i < holder.count; i++)
    if (interned ? holder.names[i].bytes == name.bytes : ew_span_equal(holder.names[i], name)) return true;
  return false;
}

/* $(expression): a name or a list of names, all of which must be there, or any. */
static bool dynamic_holds(struct ew_execution *run, const struct ew_labels *labels, struct holder holder) {
  struct ew_value value = ew_evaluate(run, labels->expression);
  struct ew_values names = value.kind == EW_VALUE_LIST ? value.list : (struct ew_values){&value, 1};
  for (size_t i = 0; i < names.count; i++) {
    if (names.items[i].kind != EW_VALUE_STRING) {
      ew_run_fail(run, EW_FAULT_ARGUMENT_TYPE, "%s is no label", ew_kind_text(names.items[i]));
      return false;
    }
    if (has_name(holder, names.items[i].string, false) == labels->any) return labels->any;
  }
  return !labels->any;
}

static bool holds(struct ew_execution *run, const struct ew_labels *labels, struct holder holder) {
  switch ((enum cypher_kind)labels->kind) {
    case CYPHER_label: return has_name(holder, labels->name, true);
    case CYPHER_label_wildcard: return holder.count > 0;
    case CYPHER_label_dynamic: return dynamic_holds(run, labels, holder);
    case CYPHER_label_not: return !holds(run, labels->parts[0], holder);
    case CYPHER_label_or: return holds(run, labels->parts[0], holder) || holds(run, labels->parts[1], holder);
    default: /* and, colons */
      for (size_t i = 0; i < labels->count; i++)
        if (!holds(run, labels->parts[i], holder)) return false;
      return true;
  }
}

bool ew_labels_hold_node(struct ew_execution *run, const struct ew_labels *labels, const struct ew_node_record *node) {
  return holds(run, labels, (struct holder){node->value.labels, node->value.label_count});
}

bool ew_labels_hold_type(struct ew_execution *run, const struct ew_labels *labels, struct ew_span type) {
  return holds(run, labels, (struct holder){&type, 1});
}
