/* parse_pattern.c: paths, their elements, and label expressions. */
#include "lang/cypher/parse.h"

/* ---- label expressions: | binds loosest, then &, then the old colon, then ! ---- */

static const struct ew_node *parse_label_or(struct ew_cypher_parser *parser);

/* Whether the token here is the $any or $all of a dynamic label rather than a parameter of that name. */
static bool is_dynamic_word(const struct ew_cypher_parser *parser, uint32_t word) {
  const struct ew_cypher_token *token = &parser->tokens[parser->at];
  struct ew_span name = {parser->text + token->start + 1, token->length - 1};
  return token->kind == TOKEN_PARAMETER && kind_ahead(parser, 1) == TOKEN_LEFT_PAREN &&
         ew_cypher_word_find(name) == word;
}

/* $(e), $all(e), which is the same, $any(e), and the parameter $x alone. */
static const struct ew_node *parse_dynamic_label(struct ew_cypher_parser *parser) {
  const struct ew_node *expression = NULL;
  bool any = is_dynamic_word(parser, WORD_ANY);
  if (any || is_dynamic_word(parser, WORD_ALL) || kind_here(parser) == TOKEN_DOLLAR) {
    parser->at++;
    expect(parser, TOKEN_LEFT_PAREN);
    expression = ew_cypher_parse_expr(parser);
    expect(parser, TOKEN_RIGHT_PAREN);
  } else {
    expression = ew_cypher_parse_parameter(parser);
  }
  return CYPHER(parser->builder, label_dynamic, .any.flag = any, .expression.node = expression);
}

static const struct ew_node *parse_label_atom(struct ew_cypher_parser *parser) {
  uint32_t kind = kind_here(parser);
  if (ew_cypher_token_is_name(kind)) {
    struct ew_span name = ew_cypher_parse_name(parser, "a label");
    return CYPHER(parser->builder, label, .name.name = name);
  }
  if (kind == TOKEN_DOLLAR || kind == TOKEN_PARAMETER) return parse_dynamic_label(parser);
  if (accept(parser, TOKEN_PERCENT)) return CYPHER(parser->builder, label_wildcard, );
  bool negated = accept(parser, TOKEN_EXCLAMATION);
  if (!negated && !accept(parser, TOKEN_LEFT_PAREN)) {
    expected(parser, "a label or type");
    ew_cypher_unexpected(parser);
    return NULL;
  }
  if (!ew_cypher_enter(parser)) return NULL;
  const struct ew_node *inner = negated ? parse_label_atom(parser) : parse_label_or(parser);
  leave(parser);
  if (negated) return CYPHER(parser->builder, label_not, .operand.node = inner);
  expect(parser, TOKEN_RIGHT_PAREN);
  return inner;
}

static const struct ew_node *parse_label_colons(struct ew_cypher_parser *parser) {
  const struct ew_node *label = parse_label_atom(parser);
  if (!is_here(parser, TOKEN_COLON)) return label;
  size_t mark = parser->nodes.count;
  push_node(parser, label);
  while (accept(parser, TOKEN_COLON)) {
    label = parse_label_atom(parser);
    push_node(parser, label);
  }
  return CYPHER(parser->builder, label_colons, .labels.list = take_nodes(parser, mark));
}

static const struct ew_node *parse_label_and(struct ew_cypher_parser *parser) {
  const struct ew_node *left = parse_label_colons(parser);
  for (unsigned height = parser->height; accept(parser, TOKEN_AMPERSAND); height = parser->height) {
    const struct ew_node *right = parse_label_colons(parser);
    left = CYPHER(parser->builder, label_and, .left.node = left, .right.node = right);
    ew_cypher_grow(parser, height);
  }
  return left;
}

/* A|B, and the old A|:B. */
static const struct ew_node *parse_label_or(struct ew_cypher_parser *parser) {
  const struct ew_node *left = parse_label_and(parser);
  for (;;) {
    unsigned height = parser->height;
    if (parser->at == parser->bar || !accept(parser, TOKEN_BAR)) return left;
    accept(parser, TOKEN_COLON);
    const struct ew_node *right = parse_label_and(parser);
    left = CYPHER(parser->builder, label_or, .left.node = left, .right.node = right);
    ew_cypher_grow(parser, height);
  }
}

const struct ew_node *ew_cypher_parse_labels(struct ew_cypher_parser *parser) {
  unsigned height = parser->height;
  parser->height = 0;
  const struct ew_node *labels = parse_label_or(parser);
  if (parser->height < height) parser->height = height;
  return labels;
}

/* :A or IS A, or NULL. */
static const struct ew_node *parse_labels_here(struct ew_cypher_parser *parser) {
  return accept(parser, TOKEN_COLON) || accept(parser, WORD_IS) ? ew_cypher_parse_labels(parser) : NULL;
}

/* ---- nodes and relationships ---- */

static struct ew_span parse_variable_here(struct ew_cypher_parser *parser) {
  return may_be_variable(kind_here(parser)) ? ew_cypher_parse_variable(parser) : EW_SPAN("");
}

/* A map or a parameter, or NULL. */
static const struct ew_node *parse_properties(struct ew_cypher_parser *parser) {
  if (kind_here(parser) == TOKEN_PARAMETER) return ew_cypher_parse_parameter(parser);
  if (!is_here(parser, TOKEN_LEFT_BRACE)) return NULL;
  if (!ew_cypher_enter(parser)) return NULL;
  const struct ew_node *map = ew_cypher_parse_map(parser);
  leave(parser);
  return map;
}

static const struct ew_node *parse_node(struct ew_cypher_parser *parser) {
  expect(parser, TOKEN_LEFT_PAREN);
  struct ew_span variable = parse_variable_here(parser);
  const struct ew_node *labels = parse_labels_here(parser);
  const struct ew_node *properties = parse_properties(parser);
  const struct ew_node *where = ew_cypher_parse_where(parser);
  expect(parser, TOKEN_RIGHT_PAREN);
  return CYPHER(parser->builder, node_pattern, .variable.name = variable, .labels.node = labels,
                .properties.node = properties, .where.node = where);
}

static const struct ew_node *make_length(struct ew_cypher_parser *parser, enum cypher_length_form form, int64_t low,
                                         int64_t high, bool exact) {
  return CYPHER(parser->builder, length, .form.choice = form, .low.number = low, .high.number = high,
                .exact.flag = exact);
}

/* `low`, `low..high` … with `between` as the dots; where there is none, it is exact. */
static const struct ew_node *parse_bounds(struct ew_cypher_parser *parser, enum cypher_length_form form,
                                          uint32_t between) {
  int64_t low = kind_here(parser) == TOKEN_INTEGER ? ew_cypher_parse_count(parser) : -1;
  if (!accept(parser, between)) return make_length(parser, form, low, low, low >= 0);
  int64_t high = kind_here(parser) == TOKEN_INTEGER ? ew_cypher_parse_count(parser) : -1;
  return make_length(parser, form, low, high, false);
}

/* Behind a relationship or group: {low,high}, +, *, or NULL. */
static const struct ew_node *parse_quantifier(struct ew_cypher_parser *parser) {
  if (accept(parser, TOKEN_PLUS)) return make_length(parser, CYPHER_LENGTH_PLUS, -1, -1, false);
  if (accept(parser, TOKEN_STAR)) return make_length(parser, CYPHER_LENGTH_ASTERISK, -1, -1, false);
  if (!accept(parser, TOKEN_LEFT_BRACE)) return NULL;
  if (!is_here(parser, TOKEN_INTEGER) && !is_here(parser, TOKEN_COMMA)) ew_cypher_unexpected(parser);
  const struct ew_node *length = parse_bounds(parser, CYPHER_LENGTH_BRACES, TOKEN_COMMA);
  expect(parser, TOKEN_RIGHT_BRACE);
  return length;
}

/* The TCK has a word of its own for dots or a minus where a length does not allow them. */
static void check_length(struct ew_cypher_parser *parser, bool star) {
  uint32_t kind = kind_here(parser);
  if (kind == TOKEN_DOT_DOT || (star && kind == TOKEN_MINUS))
    ew_cypher_syntax_fail(parser, parser->tokens[parser->at].start, "InvalidRelationshipPattern",
                          "the length of a relationship is *, *2, *1..3, *..3 or *1..");
}

/* [r:T*1..3 {p: 1} WHERE e], at the bracket; direction and quantifier are set later. */
static struct cypher_relationship_pattern parse_detail(struct ew_cypher_parser *parser) {
  struct cypher_relationship_pattern detail = {0};
  if (!accept(parser, TOKEN_LEFT_BRACKET)) return detail;
  detail.variable.name = parse_variable_here(parser);
  detail.types.node = parse_labels_here(parser);
  bool star = accept(parser, TOKEN_STAR);
  if (star) detail.length.node = parse_bounds(parser, CYPHER_LENGTH_STAR, TOKEN_DOT_DOT);
  check_length(parser, star);
  detail.properties.node = parse_properties(parser);
  detail.where.node = ew_cypher_parse_where(parser);
  expect(parser, TOKEN_RIGHT_BRACKET);
  return detail;
}

static const struct ew_node *parse_relationship(struct ew_cypher_parser *parser) {
  bool left = accept(parser, TOKEN_LESS);
  expect(parser, TOKEN_MINUS);
  struct cypher_relationship_pattern relationship = parse_detail(parser);
  expect(parser, TOKEN_MINUS);
  bool right = accept(parser, TOKEN_GREATER);
  uint32_t behind = parser->tokens[parser->at].start;
  const struct ew_node *quantifier = parse_quantifier(parser);
  if (quantifier && relationship.length.node)
    ew_cypher_syntax_fail(parser, behind, "InvalidRelationshipPattern", "a relationship has one length only");
  if (quantifier) relationship.length.node = quantifier;
  relationship.direction.choice = left == right ? CYPHER_UNDIRECTED : left ? CYPHER_INCOMING : CYPHER_OUTGOING;
  return ew_node_make(parser->builder, &cypher_kinds[CYPHER_relationship_pattern], &relationship);
}

/* ---- paths ---- */

static void parse_elements(struct ew_cypher_parser *parser);

/* ((a)-->(b) WHERE e){2}; p = … may stand first. */
static const struct ew_node *parse_group(struct ew_cypher_parser *parser) {
  size_t mark = parser->nodes.count;
  expect(parser, TOKEN_LEFT_PAREN);
  if (!ew_cypher_enter(parser)) return NULL;
  struct ew_span variable = parse_variable_here(parser);
  if (variable.length) expect(parser, TOKEN_EQUAL);
  parse_elements(parser);
  struct ew_list elements = take_nodes(parser, mark);
  const struct ew_node *where = ew_cypher_parse_where(parser);
  leave(parser);
  expect(parser, TOKEN_RIGHT_PAREN);
  const struct ew_node *length = parse_quantifier(parser);
  return CYPHER(parser->builder, group, .variable.name = variable, .elements.list = elements, .where.node = where,
                .length.node = length);
}

static bool begins_group(const struct ew_cypher_parser *parser) {
  uint32_t first = kind_ahead(parser, 1);
  return first == TOKEN_LEFT_PAREN || (may_be_variable(first) && kind_ahead(parser, 2) == TOKEN_EQUAL);
}

static void parse_node_or_group(struct ew_cypher_parser *parser) {
  const struct ew_node *element = begins_group(parser) ? parse_group(parser) : parse_node(parser);
  push_node(parser, element);
}

/* Pushes the elements of a path. */
static void parse_elements(struct ew_cypher_parser *parser) {
  do {
    parse_node_or_group(parser);
    while (is_here(parser, TOKEN_MINUS) || is_here(parser, TOKEN_LESS)) {
      const struct ew_node *relationship = parse_relationship(parser);
      push_node(parser, relationship);
      parse_node_or_group(parser);
    }
  } while (kind_here(parser) == TOKEN_LEFT_PAREN);
}

static void skip_either(struct ew_cypher_parser *parser, uint32_t one, uint32_t many) {
  if (!accept(parser, one)) accept(parser, many);
}

/* SHORTEST 2 PATHS and the like: not shortestPath(…). */
static enum cypher_selector parse_selector(struct ew_cypher_parser *parser, int64_t *count) {
  bool any = accept(parser, WORD_ANY), all = !any && accept(parser, WORD_ALL), shortest = accept(parser, WORD_SHORTEST);
  if (!any && !all && !shortest) return CYPHER_SELECTOR_NONE;
  if (!all && kind_here(parser) == TOKEN_INTEGER && (any != shortest)) *count = ew_cypher_parse_count(parser);
  skip_either(parser, WORD_PATH, WORD_PATHS);
  if (any) return shortest ? CYPHER_SELECTOR_ANY_SHORTEST : CYPHER_SELECTOR_ANY;
  if (all) return shortest ? CYPHER_SELECTOR_ALL_SHORTEST : CYPHER_SELECTOR_ALL;
  return accept(parser, WORD_GROUP) || accept(parser, WORD_GROUPS) ? CYPHER_SELECTOR_SHORTEST_GROUPS
                                                                   : CYPHER_SELECTOR_SHORTEST;
}

const struct ew_node *ew_cypher_parse_path(struct ew_cypher_parser *parser) {
  size_t mark = parser->nodes.count;
  struct ew_span variable = EW_SPAN("");
  int64_t count = -1;
  if (kind_ahead(parser, 1) == TOKEN_EQUAL) {
    variable = ew_cypher_parse_variable(parser);
    expect(parser, TOKEN_EQUAL);
  }
  uint32_t function = kind_here(parser);
  bool one = function == WORD_SHORTESTPATH, call = one || function == WORD_ALLSHORTESTPATHS;
  enum cypher_selector selector = one ? CYPHER_SELECTOR_SHORTEST_PATH : CYPHER_SELECTOR_ALL_SHORTEST_PATHS;
  if (call) {
    parser->at++;
    expect(parser, TOKEN_LEFT_PAREN);
  } else {
    selector = parse_selector(parser, &count);
  }
  if (!is_here(parser, TOKEN_LEFT_PAREN)) {
    expected(parser, "a pattern");
    ew_cypher_unexpected(parser);
  }
  parse_elements(parser);
  if (call) expect(parser, TOKEN_RIGHT_PAREN);
  return CYPHER(parser->builder, path, .variable.name = variable, .selector.choice = selector, .count.number = count,
                .elements.list = take_nodes(parser, mark));
}

struct ew_list ew_cypher_parse_paths(struct ew_cypher_parser *parser) {
  size_t mark = parser->nodes.count;
  do {
    const struct ew_node *path = ew_cypher_parse_path(parser);
    push_node(parser, path);
  } while (accept(parser, TOKEN_COMMA));
  return take_nodes(parser, mark);
}

/* ---- paths within expressions ---- */

/* Whether what stands in the bracket at `open` may be a node or a relationship; `star` if it may have a length. */
static bool looks_like_element(const struct ew_cypher_parser *parser, uint32_t open, bool star) {
  uint32_t at = open + 1;
  if (may_be_variable(kind_at(parser, at))) at++;
  switch (kind_at(parser, at)) {
    case TOKEN_COLON:
    case TOKEN_LEFT_BRACE:
    case TOKEN_PARAMETER:
    case WORD_WHERE: return true;
    case WORD_IS:
      return ew_cypher_token_is_name(kind_at(parser, at + 1)) && kind_at(parser, at + 1) != WORD_NULL &&
             kind_at(parser, at + 1) != WORD_NOT;
    case TOKEN_STAR: return star;
    default: return at == parser->tokens[open].partner;
  }
}

/* Whether a relationship and a node may stand at token `at`, where an operator may stand too. */
static bool looks_like_step(const struct ew_cypher_parser *parser, uint32_t at) {
  if (kind_at(parser, at) == TOKEN_LESS) at++;
  if (kind_at(parser, at++) != TOKEN_MINUS) return false;
  if (kind_at(parser, at) == TOKEN_LEFT_BRACKET) {
    if (!looks_like_element(parser, at, true)) return false;
    at = parser->tokens[at].partner + 1;
  }
  if (kind_at(parser, at++) != TOKEN_MINUS) return false;
  if (kind_at(parser, at) == TOKEN_GREATER) at++;
  return kind_at(parser, at) == TOKEN_LEFT_PAREN && looks_like_element(parser, at, false);
}

bool ew_cypher_begins_path(const struct ew_cypher_parser *parser, uint32_t index) {
  return kind_at(parser, index) == TOKEN_LEFT_PAREN && looks_like_element(parser, index, false) &&
         looks_like_step(parser, parser->tokens[index].partner + 1);
}

const struct ew_node *ew_cypher_parse_path_value(struct ew_cypher_parser *parser) {
  size_t mark = parser->nodes.count;
  push_node(parser, parse_node(parser));
  while (looks_like_step(parser, parser->at)) {
    const struct ew_node *relationship = parse_relationship(parser);
    push_node(parser, relationship);
    push_node(parser, parse_node(parser));
  }
  return CYPHER(parser->builder, path, .count.number = -1, .elements.list = take_nodes(parser, mark));
}
