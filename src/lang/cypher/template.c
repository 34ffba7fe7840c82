/* template.c: $name:TYPE parses as a label test of a parameter, which nobody writes otherwise; so a template is an
   ordinary tree, and filling it is copying with those nodes replaced. */
#include "lang/cypher/template.h"

#include "lang/cypher/parser.h"

enum { HOLES_MAX = 16 };

enum ew_status ew_cypher_template_parse(struct ew_builder *builder, const struct ew_template *template,
                                        const struct ew_node **tree, struct ew_error *error) {
  struct ew_cypher_syntax_error syntax;
  bool clause = ew_span_is(template->result, "CLAUSE");
  enum ew_status status = clause ? ew_cypher_parse(builder, template->text, tree, &syntax)
                                 : ew_cypher_parse_expression(builder, template->text, tree, &syntax);
  if (status)
    return ew_fail(error, EW_BAD, "%.*s:%zu: the template does not parse at column %zu: %s",
                   EW_SPAN_ARGS(template->at.path), template->at.number, syntax.column, syntax.message);
  if (clause) *tree = CYPHER_AS(statement, *tree)->body.node;
  if (clause && !cypher_is(*tree, CYPHER_query))
    return ew_fail(error, EW_BAD, "%.*s:%zu: a CLAUSE is one query", EW_SPAN_ARGS(template->at.path),
                   template->at.number);
  return EW_OK;
}

/* ---- filling ---- */

struct hole {
  struct ew_span name;
  const struct ew_node *expression; /* or */
  struct ew_span filling;
};

struct filling {
  struct ew_builder *builder;
  const struct ew_cypher_filler *filler;
  struct hole holes[HOLES_MAX];
  size_t count;
  bool failed;
};

/* The hole of that name, or a new one; NULL where there are too many. */
static struct hole *find_hole(struct filling *filling, struct ew_span name, bool *fresh) {
  *fresh = false;
  for (size_t i = 0; i < filling->count; i++)
    if (ew_span_equal(filling->holes[i].name, name)) return &filling->holes[i];
  if (filling->count == HOLES_MAX) return NULL;
  *fresh = true;
  filling->holes[filling->count] = (struct hole){.name = name};
  return &filling->holes[filling->count++];
}

static const struct ew_node *fill_expression(struct filling *filling, struct ew_span name, struct ew_span type) {
  bool fresh;
  struct hole *hole = find_hole(filling, name, &fresh);
  if (hole && fresh)
    hole->expression = filling->filler->expression(filling->filler->context, filling->builder, name, type);
  if (!hole || !hole->expression) {
    filling->failed = true;
    return NULL;
  }
  return fresh ? hole->expression : ew_tree_duplicate(filling->builder, hole->expression);
}

static struct ew_span fill_name(struct filling *filling, struct ew_span name) {
  const char *colon = name.length && name.bytes[0] == '$' ? memchr(name.bytes, ':', name.length) : NULL;
  if (!colon) return name;
  bool fresh;
  size_t length = (size_t)(colon - name.bytes);
  struct ew_span role = {colon + 1, name.length - length - 1};
  struct hole *hole = find_hole(filling, (struct ew_span){name.bytes, length}, &fresh);
  if (hole && fresh)
    hole->filling = filling->filler->name(filling->filler->context, filling->builder,
                                          (struct ew_span){name.bytes + 1, length - 1}, role);
  if (!hole || !hole->filling.length) filling->failed = true;
  return hole ? hole->filling : name;
}

static bool is_hole(const struct ew_node *node) {
  return cypher_is(node, CYPHER_label_test) && cypher_is(CYPHER_AS(label_test, node)->operand.node, CYPHER_parameter) &&
         cypher_is(CYPHER_AS(label_test, node)->labels.node, CYPHER_label);
}

static const struct ew_node *fill(struct filling *filling, const struct ew_node *node);

static struct ew_list fill_list(struct filling *filling, struct ew_list list) {
  const struct ew_node **items = EW_NEW_ARRAY(filling->builder->arena, const struct ew_node *, list.count);
  for (size_t i = 0; i < list.count; i++) items[i] = fill(filling, list.items[i]);
  return (struct ew_list){items, list.count};
}

static struct ew_names fill_names(struct filling *filling, struct ew_names names) {
  struct ew_span *items = EW_NEW_ARRAY(filling->builder->arena, struct ew_span, names.count);
  for (size_t i = 0; i < names.count; i++) items[i] = fill_name(filling, names.items[i]);
  return (struct ew_names){items, names.count};
}

static const struct ew_node *fill(struct filling *filling, const struct ew_node *node) {
  if (!node || filling->failed) return node;
  if (is_hole(node)) {
    const struct cypher_label_test *test = CYPHER_AS(label_test, node);
    return fill_expression(filling, CYPHER_AS(parameter, test->operand.node)->name.name,
                           CYPHER_AS(label, test->labels.node)->name.name);
  }
  struct {
    struct ew_node head;
    union ew_field fields[EW_FIELDS_MAX];
  } copy = {0};
  const union ew_field *fields = ew_node_fields(node);
  for (size_t i = 0; node->kind->fields[i].type != EW_FIELD_END; i++) {
    copy.fields[i] = fields[i];
    switch (node->kind->fields[i].type) {
      case EW_FIELD_ONE:
      case EW_FIELD_OPT: copy.fields[i].node = fill(filling, fields[i].node); break;
      case EW_FIELD_LIST: copy.fields[i].list = fill_list(filling, fields[i].list); break;
      case EW_FIELD_NAME: copy.fields[i].name = fill_name(filling, fields[i].name); break;
      case EW_FIELD_NAMES: copy.fields[i].names = fill_names(filling, fields[i].names); break;
      default: break;
    }
  }
  return filling->failed ? node : ew_node_make(filling->builder, node->kind, &copy);
}

const struct ew_node *ew_cypher_template_fill(struct ew_builder *builder, const struct ew_node *tree,
                                              const struct ew_cypher_filler *filler) {
  struct filling filling = {.builder = builder, .filler = filler};
  const struct ew_node *filled = fill(&filling, tree);
  return filling.failed ? NULL : filled;
}
