/* parse_command.c: commands on indexes and constraints, in the spellings of all engines. What ON :Label(key) means is
   built as what FOR (n:Label) ON (n.key) means, with `n` as the name of the element, so that both look alike to who
   reads them. */
#include "lang/cypher/parse.h"

/* ---- what both have ---- */

/* The name of an index or constraint, if the word here is not already what follows it. */
static struct ew_span parse_command_name(struct ew_cypher_parser *parser) {
  uint32_t kind = kind_here(parser), next = kind_ahead(parser, 1);
  bool follows = kind == WORD_ON || (kind == WORD_FOR && next == TOKEN_LEFT_PAREN) ||
                 (kind == WORD_IF && (next == WORD_NOT || next == WORD_EXISTS));
  return ew_cypher_token_is_name(kind) && !follows ? ew_cypher_parse_alias(parser) : EW_SPAN("");
}

static bool parse_if_not_exists(struct ew_cypher_parser *parser) {
  return accept(parser, WORD_IF) && expect(parser, WORD_NOT) && expect(parser, WORD_EXISTS);
}

static bool parse_if_exists(struct ew_cypher_parser *parser) {
  return accept(parser, WORD_IF) && expect(parser, WORD_EXISTS);
}

/* OPTIONS {…}, or Memgraph's WITH CONFIG {…}, or NULL. */
static const struct ew_node *parse_options(struct ew_cypher_parser *parser) {
  if (accept(parser, WORD_OPTIONS) || accept_both(parser, WORD_WITH, WORD_CONFIG)) return ew_cypher_parse_expr(parser);
  return NULL;
}

/* ---- indexes ---- */

static enum cypher_index_kind parse_index_kind(struct ew_cypher_parser *parser) {
  static const struct {
    uint32_t word;
    enum cypher_index_kind kind;
  } kinds[] = {{WORD_RANGE, CYPHER_INDEX_RANGE},   {WORD_TEXT, CYPHER_INDEX_TEXT},
               {WORD_POINT, CYPHER_INDEX_POINT},   {WORD_FULLTEXT, CYPHER_INDEX_FULLTEXT},
               {WORD_LOOKUP, CYPHER_INDEX_LOOKUP}, {WORD_VECTOR, CYPHER_INDEX_VECTOR},
               {WORD_EDGE, CYPHER_INDEX_EDGE},     {WORD_BTREE, CYPHER_INDEX_DEFAULT}};
  for (size_t i = 0; i < EW_COUNT(kinds); i++)
    if (accept(parser, kinds[i].word)) return kinds[i].kind;
  return CYPHER_INDEX_DEFAULT;
}

/* (n:Label), or ()-[n:Type]-() for an index on edges. */
static const struct ew_node *make_pattern(struct ew_cypher_parser *parser, struct ew_span name, bool edge) {
  struct ew_builder *builder = parser->builder;
  const struct ew_node *label = CYPHER(builder, label, .name.name = name), *elements[3];
  size_t count = 0;
  if (edge) {
    elements[count++] = CYPHER(builder, node_pattern, );
    elements[count++] = CYPHER(builder, relationship_pattern, .direction.choice = CYPHER_UNDIRECTED,
                               .variable.name = EW_SPAN("n"), .types.node = label);
    elements[count++] = CYPHER(builder, node_pattern, );
  } else {
    elements[count++] = CYPHER(builder, node_pattern, .variable.name = EW_SPAN("n"), .labels.node = label);
  }
  return CYPHER(builder, path, .count.number = -1, .elements.list = ew_list_of(builder, elements, count));
}

/* Behind ON: :Label(key, key), or :Label alone. */
static const struct ew_node *parse_on_label(struct ew_cypher_parser *parser, bool edge, struct ew_list *properties) {
  struct ew_builder *builder = parser->builder;
  size_t mark = parser->nodes.count;
  expect(parser, TOKEN_COLON);
  struct ew_span label = ew_cypher_parse_name(parser, "a label");
  if (accept(parser, TOKEN_LEFT_PAREN)) {
    do {
      struct ew_span key = ew_cypher_parse_name(parser, "a property");
      const struct ew_node *element = CYPHER(builder, variable, .name.name = EW_SPAN("n"));
      push_node(parser, CYPHER(builder, property, .object.node = element, .key.name = key));
    } while (accept(parser, TOKEN_COMMA));
    expect(parser, TOKEN_RIGHT_PAREN);
  }
  *properties = take_nodes(parser, mark);
  return make_pattern(parser, label, edge);
}

/* Behind FOR (n:L) ON: (n.p, n.q), EACH [n.p], EACH labels(n). */
static struct ew_list parse_indexed(struct ew_cypher_parser *parser) {
  accept(parser, WORD_EACH);
  bool bracket = accept(parser, TOKEN_LEFT_BRACKET), parenthesis = !bracket && accept(parser, TOKEN_LEFT_PAREN);
  struct ew_list properties = ew_cypher_parse_exprs(parser);
  if (bracket) expect(parser, TOKEN_RIGHT_BRACKET);
  if (parenthesis) expect(parser, TOKEN_RIGHT_PAREN);
  return properties;
}

/* What the index is on; false where nothing says it. */
static bool parse_indexed_pattern(struct ew_cypher_parser *parser, bool edge, enum cypher_index_form *form,
                                  const struct ew_node **pattern, struct ew_list *properties) {
  if (accept(parser, WORD_ON)) {
    *form = CYPHER_INDEX_ON;
    *pattern = parse_on_label(parser, edge, properties);
  } else if (accept(parser, WORD_FOR)) {
    *form = CYPHER_INDEX_FOR;
    *pattern = ew_cypher_parse_path(parser);
    expect(parser, WORD_ON);
    *properties = parse_indexed(parser);
  } else {
    return false;
  }
  return true;
}

static const struct ew_node *parse_create_index(struct ew_cypher_parser *parser) {
  enum cypher_index_kind kind = parse_index_kind(parser);
  enum cypher_index_form form = CYPHER_INDEX_FOR;
  const struct ew_node *pattern = NULL;
  struct ew_list properties = {0};
  expect(parser, WORD_INDEX);
  struct ew_span name = parse_command_name(parser);
  bool absent = parse_if_not_exists(parser);
  if (!parse_indexed_pattern(parser, kind == CYPHER_INDEX_EDGE, &form, &pattern, &properties))
    ew_cypher_unexpected(parser);
  const struct ew_node *options = parse_options(parser);
  return CYPHER(parser->builder, create_index, .index.choice = kind, .form.choice = form, .name.name = name,
                .if_not_exists.flag = absent, .pattern.node = pattern, .properties.list = properties,
                .options.node = options);
}

static const struct ew_node *parse_drop_index(struct ew_cypher_parser *parser) {
  enum cypher_index_kind kind = parse_index_kind(parser);
  enum cypher_index_form form = CYPHER_INDEX_FOR;
  const struct ew_node *pattern = NULL;
  struct ew_list properties = {0};
  expect(parser, WORD_INDEX);
  struct ew_span name = parse_command_name(parser);
  bool exists = parse_if_exists(parser);
  bool described = parse_indexed_pattern(parser, kind == CYPHER_INDEX_EDGE, &form, &pattern, &properties);
  if (!described && !name.length) ew_cypher_unexpected(parser);
  return CYPHER(parser->builder, drop_index, .index.choice = kind, .form.choice = form, .name.name = name,
                .if_exists.flag = exists, .pattern.node = pattern, .properties.list = properties);
}

/* ---- constraints ---- */

struct constraint {
  enum cypher_constraint_kind kind;
  enum cypher_constraint_form form;
  const struct ew_node *pattern, *type;
  struct ew_list properties;
};

/* Behind IS. */
static enum cypher_constraint_kind parse_constraint_kind(struct ew_cypher_parser *parser, bool relationship) {
  bool node = accept(parser, WORD_NODE),
       edge = !node && (accept(parser, WORD_RELATIONSHIP) || accept(parser, WORD_REL));
  if (accept(parser, WORD_UNIQUE)) return CYPHER_UNIQUE;
  if (accept(parser, WORD_KEY)) return edge || (!node && relationship) ? CYPHER_RELATIONSHIP_KEY : CYPHER_NODE_KEY;
  if (!node && !edge && accept(parser, WORD_NOT)) {
    expect(parser, WORD_NULL);
    return CYPHER_NOT_NULL;
  }
  if (!node && !edge && (accept(parser, WORD_TYPED) || accept(parser, TOKEN_DOUBLE_COLON))) return CYPHER_TYPED;
  ew_cypher_unexpected(parser);
  return CYPHER_UNIQUE;
}

/* (n.p, n.q), n.p, n.q, or n.p. */
static struct ew_list parse_constrained(struct ew_cypher_parser *parser) {
  size_t mark = parser->nodes.count;
  bool parenthesis = accept(parser, TOKEN_LEFT_PAREN);
  do {
    const struct ew_node *property = ew_cypher_parse_target(parser);
    push_node(parser, property);
  } while (accept(parser, TOKEN_COMMA));
  if (parenthesis) expect(parser, TOKEN_RIGHT_PAREN);
  return take_nodes(parser, mark);
}

/* FOR (n:L) REQUIRE n.p IS UNIQUE, ON (n:L) ASSERT EXISTS (n.p) …, at FOR or ON; false where neither is there. */
static bool parse_constraint(struct ew_cypher_parser *parser, struct constraint *constraint) {
  bool old = accept(parser, WORD_ON);
  if (!old && !accept(parser, WORD_FOR)) return false;
  constraint->form = old ? CYPHER_ASSERT : CYPHER_REQUIRE;
  constraint->pattern = ew_cypher_parse_path(parser);
  if (!accept(parser, old ? WORD_ASSERT : WORD_REQUIRE)) expect(parser, old ? WORD_REQUIRE : WORD_ASSERT);
  if (kind_ahead(parser, 1) == TOKEN_LEFT_PAREN && accept(parser, WORD_EXISTS)) {
    constraint->kind = CYPHER_EXISTENCE;
    constraint->properties = parse_constrained(parser);
    return true;
  }
  constraint->properties = parse_constrained(parser);
  expect(parser, WORD_IS);
  size_t elements = failed(parser) ? 0 : CYPHER_AS(path, constraint->pattern)->elements.list.count;
  constraint->kind = parse_constraint_kind(parser, elements > 1);
  if (constraint->kind == CYPHER_TYPED) constraint->type = ew_cypher_parse_type(parser);
  return true;
}

static const struct ew_node *parse_create_constraint(struct ew_cypher_parser *parser) {
  struct constraint constraint = {0};
  expect(parser, WORD_CONSTRAINT);
  struct ew_span name = parse_command_name(parser);
  bool absent = parse_if_not_exists(parser);
  if (!parse_constraint(parser, &constraint)) ew_cypher_unexpected(parser);
  return CYPHER(parser->builder, create_constraint, .constraint.choice = constraint.kind,
                .form.choice = constraint.form, .name.name = name, .if_not_exists.flag = absent,
                .pattern.node = constraint.pattern, .properties.list = constraint.properties,
                .type.node = constraint.type);
}

static const struct ew_node *parse_drop_constraint(struct ew_cypher_parser *parser) {
  struct constraint constraint = {0};
  expect(parser, WORD_CONSTRAINT);
  struct ew_span name = parse_command_name(parser);
  bool exists = parse_if_exists(parser);
  if (!parse_constraint(parser, &constraint) && !name.length) ew_cypher_unexpected(parser);
  return CYPHER(parser->builder, drop_constraint, .constraint.choice = constraint.kind, .form.choice = constraint.form,
                .name.name = name, .if_exists.flag = exists, .pattern.node = constraint.pattern,
                .properties.list = constraint.properties, .type.node = constraint.type);
}

/* ---- all of them ---- */

static bool begins_command(uint32_t kind) {
  switch (kind) {
    case WORD_INDEX:
    case WORD_CONSTRAINT:
    case WORD_RANGE:
    case WORD_TEXT:
    case WORD_POINT:
    case WORD_FULLTEXT:
    case WORD_LOOKUP:
    case WORD_VECTOR:
    case WORD_EDGE:
    case WORD_BTREE: return true;
    default: return false;
  }
}

const struct ew_node *ew_cypher_parse_command(struct ew_cypher_parser *parser) {
  bool drop = kind_here(parser) == WORD_DROP;
  bool create =
      kind_here(parser) == WORD_CREATE && begins_command(kind_ahead(parser, 1)) && kind_ahead(parser, 2) != TOKEN_EQUAL;
  if (!drop && !create) return NULL;
  parser->at++;
  bool constraint = is_here(parser, WORD_CONSTRAINT);
  if (drop) return constraint ? parse_drop_constraint(parser) : parse_drop_index(parser);
  return constraint ? parse_create_constraint(parser) : parse_create_index(parser);
}
