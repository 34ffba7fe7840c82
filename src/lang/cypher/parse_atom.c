/* parse_atom.c: what operators join: literals, variables, calls, and everything in brackets. What a bracket begins is
   decided by what stands at its own level (see lexer.h), never by trying. */
#include <math.h>

#include "lang/cypher/parse.h"

/* ---- maps ---- */

static const struct ew_node *parse_entry(struct ew_cypher_parser *parser) {
  struct ew_span key = ew_cypher_parse_name(parser, "a key");
  expect(parser, TOKEN_COLON);
  const struct ew_node *value = ew_cypher_parse_expr(parser);
  return CYPHER(parser->builder, entry, .key.name = key, .value.node = value);
}

const struct ew_node *ew_cypher_parse_map(struct ew_cypher_parser *parser) {
  size_t mark = parser->nodes.count;
  expect(parser, TOKEN_LEFT_BRACE);
  if (!accept(parser, TOKEN_RIGHT_BRACE)) {
    do {
      const struct ew_node *entry = parse_entry(parser);
      push_node(parser, entry);
    } while (accept(parser, TOKEN_COMMA));
    expect(parser, TOKEN_RIGHT_BRACE);
  }
  return CYPHER(parser->builder, map, .entries.list = take_nodes(parser, mark));
}

static const struct ew_node *parse_projector(struct ew_cypher_parser *parser) {
  struct ew_builder *builder = parser->builder;
  if (accept(parser, TOKEN_DOT)) {
    if (accept(parser, TOKEN_STAR)) return CYPHER(builder, project_all, );
    struct ew_span key = ew_cypher_parse_name(parser, "a property");
    return CYPHER(builder, project_property, .key.name = key);
  }
  if (kind_ahead(parser, 1) != TOKEN_COLON) {
    struct ew_span variable = ew_cypher_parse_variable(parser);
    return CYPHER(builder, project_variable, .variable.name = variable);
  }
  struct ew_span key = ew_cypher_parse_name(parser, "a key");
  expect(parser, TOKEN_COLON);
  const struct ew_node *value = ew_cypher_parse_expr(parser);
  return CYPHER(builder, project_entry, .key.name = key, .value.node = value);
}

/* n {.a, .*, b: 1, c} */
static const struct ew_node *parse_map_projection(struct ew_cypher_parser *parser) {
  size_t mark = parser->nodes.count;
  struct ew_span variable = ew_cypher_parse_variable(parser);
  expect(parser, TOKEN_LEFT_BRACE);
  if (!accept(parser, TOKEN_RIGHT_BRACE)) {
    do {
      const struct ew_node *projector = parse_projector(parser);
      push_node(parser, projector);
    } while (accept(parser, TOKEN_COMMA));
    expect(parser, TOKEN_RIGHT_BRACE);
  }
  return CYPHER(parser->builder, map_projection, .variable.name = variable,
                .projectors.list = take_nodes(parser, mark));
}

/* ---- lists and what loops over them ---- */

struct level {
  bool comma;
  uint32_t bar; /* the last one, or 0 */
};

/* What stands between the bracket at `open` and its partner, not looking into brackets within. */
static struct level look_inside(const struct ew_cypher_parser *parser, uint32_t open) {
  struct level level = {0};
  const struct ew_cypher_token *tokens = parser->tokens;
  for (uint32_t i = open + 1; i < tokens[open].partner; i++) {
    uint32_t kind = tokens[i].kind;
    if (kind == TOKEN_COMMA) level.comma = true;
    if (kind == TOKEN_BAR) level.bar = i;
    if (kind == TOKEN_LEFT_PAREN || kind == TOKEN_LEFT_BRACKET || kind == TOKEN_LEFT_BRACE) i = tokens[i].partner;
  }
  return level;
}

/* `x IN list WHERE e | e` up to the closing bracket. Label expressions before the last `|` leave it alone. */
static const struct ew_node *parse_list_comprehension(struct ew_cypher_parser *parser, uint32_t bar, uint32_t closing) {
  uint32_t outer = parser->bar;
  parser->bar = bar;
  struct ew_span variable = ew_cypher_parse_variable(parser);
  expect(parser, WORD_IN);
  const struct ew_node *list = ew_cypher_parse_expr(parser);
  const struct ew_node *where = ew_cypher_parse_where(parser);
  parser->bar = outer;
  const struct ew_node *result = accept(parser, TOKEN_BAR) ? ew_cypher_parse_expr(parser) : NULL;
  expect(parser, closing);
  return CYPHER(parser->builder, list_comprehension, .variable.name = variable, .list.node = list, .where.node = where,
                .result.node = result);
}

static const struct ew_node *parse_pattern_comprehension(struct ew_cypher_parser *parser, uint32_t bar) {
  uint32_t outer = parser->bar;
  parser->bar = bar;
  const struct ew_node *path = ew_cypher_parse_path(parser);
  const struct ew_node *where = ew_cypher_parse_where(parser);
  parser->bar = outer;
  expect(parser, TOKEN_BAR);
  const struct ew_node *result = ew_cypher_parse_expr(parser);
  expect(parser, TOKEN_RIGHT_BRACKET);
  return CYPHER(parser->builder, pattern_comprehension, .pattern.node = path, .where.node = where,
                .result.node = result);
}

static bool is_shortest(uint32_t kind) { return kind == WORD_SHORTESTPATH || kind == WORD_ALLSHORTESTPATHS; }

/* Whether the pattern of a comprehension may begin at token `index`. */
static bool begins_comprehension(const struct ew_cypher_parser *parser, uint32_t index) {
  if (!is_shortest(kind_at(parser, index))) return ew_cypher_begins_path(parser, index);
  uint32_t behind =
      kind_at(parser, index + 1) == TOKEN_LEFT_PAREN ? parser->tokens[index + 1].partner + 1 : parser->end;
  return kind_at(parser, behind) == TOKEN_BAR || kind_at(parser, behind) == WORD_WHERE;
}

/* A list, or one of the comprehensions: [x IN xs …] without a comma, [(a)-->(b) … | e]. */
static const struct ew_node *parse_bracket(struct ew_cypher_parser *parser) {
  uint32_t open = parser->at++;
  struct level level = look_inside(parser, open);
  bool named = may_be_variable(kind_here(parser));
  if (!level.comma && named && kind_ahead(parser, 1) == WORD_IN)
    return parse_list_comprehension(parser, level.bar, TOKEN_RIGHT_BRACKET);
  uint32_t path = named && kind_ahead(parser, 1) == TOKEN_EQUAL ? open + 3 : open + 1;
  if (!level.comma && level.bar && begins_comprehension(parser, path))
    return parse_pattern_comprehension(parser, level.bar);
  struct ew_list items = {0};
  if (!accept(parser, TOKEN_RIGHT_BRACKET)) {
    items = ew_cypher_parse_exprs(parser);
    expect(parser, TOKEN_RIGHT_BRACKET);
  }
  return CYPHER(parser->builder, list, .items.list = items);
}

/* Behind the opening parenthesis of all(x IN xs WHERE e). */
static const struct ew_node *parse_quantified(struct ew_cypher_parser *parser, enum cypher_quantifier quantifier) {
  struct ew_span variable = ew_cypher_parse_variable(parser);
  expect(parser, WORD_IN);
  const struct ew_node *list = ew_cypher_parse_expr(parser);
  const struct ew_node *where = ew_cypher_parse_where(parser);
  expect(parser, TOKEN_RIGHT_PAREN);
  return CYPHER(parser->builder, quantified, .quantifier.choice = quantifier, .variable.name = variable,
                .list.node = list, .where.node = where);
}

/* Behind the opening parenthesis of reduce(a = e, x IN xs | e). */
static const struct ew_node *parse_reduce(struct ew_cypher_parser *parser, uint32_t bar) {
  uint32_t outer = parser->bar;
  parser->bar = bar;
  struct ew_span accumulator = ew_cypher_parse_variable(parser);
  expect(parser, TOKEN_EQUAL);
  const struct ew_node *start = ew_cypher_parse_expr(parser);
  expect(parser, TOKEN_COMMA);
  struct ew_span variable = ew_cypher_parse_variable(parser);
  expect(parser, WORD_IN);
  const struct ew_node *list = ew_cypher_parse_expr(parser);
  parser->bar = outer;
  expect(parser, TOKEN_BAR);
  const struct ew_node *step = ew_cypher_parse_expr(parser);
  expect(parser, TOKEN_RIGHT_PAREN);
  return CYPHER(parser->builder, reduce, .accumulator.name = accumulator, .start.node = start,
                .variable.name = variable, .list.node = list, .step.node = step);
}

/* ---- calls ---- */

static const struct ew_node *parse_function(struct ew_cypher_parser *parser) {
  struct ew_span name = ew_cypher_parse_dotted_name(parser);
  struct ew_list arguments = {0};
  expect(parser, TOKEN_LEFT_PAREN);
  bool distinct = accept(parser, WORD_DISTINCT);
  if (distinct || !is_here(parser, TOKEN_RIGHT_PAREN)) arguments = ew_cypher_parse_exprs(parser);
  expect(parser, TOKEN_RIGHT_PAREN);
  return CYPHER(parser->builder, function, .name.name = name, .distinct.flag = distinct, .arguments.list = arguments);
}

/* A name with a parenthesis behind it: some are no functions. */
static const struct ew_node *parse_call(struct ew_cypher_parser *parser) {
  uint32_t open = parser->at + 1, first = kind_ahead(parser, 2), second = kind_ahead(parser, 3),
           kind = kind_here(parser);
  bool each = may_be_variable(first) && second == WORD_IN;
  bool star = first == TOKEN_STAR && second == TOKEN_RIGHT_PAREN;
  bool starts = may_be_variable(first) && second == TOKEN_EQUAL;
  uint32_t bar = each || starts ? look_inside(parser, open).bar : 0;
  bool quantified = each && (kind == WORD_ALL || kind == WORD_ANY || kind == WORD_NONE || kind == WORD_SINGLE);
  bool comprehends = each && (kind == WORD_FILTER || kind == WORD_EXTRACT);
  bool reduces = starts && kind == WORD_REDUCE;
  if (is_shortest(kind))
    return CYPHER(parser->builder, pattern_expression, .pattern.node = ew_cypher_parse_path(parser));
  if (kind == WORD_COUNT && star) {
    parser->at += 4;
    return CYPHER(parser->builder, count_star, );
  }
  if (quantified || comprehends || reduces) parser->at += 2;
  if (comprehends) return parse_list_comprehension(parser, bar, TOKEN_RIGHT_PAREN);
  if (reduces) return parse_reduce(parser, bar);
  if (!quantified) return parse_function(parser);
  return parse_quantified(parser, kind == WORD_ALL    ? CYPHER_ALL
                                  : kind == WORD_ANY  ? CYPHER_ANY
                                  : kind == WORD_NONE ? CYPHER_NONE
                                                      : CYPHER_SINGLE);
}

/* Whether the name here, with dots and more names, is followed by a parenthesis. */
static bool is_call(const struct ew_cypher_parser *parser) {
  uint32_t last = parser->at;
  while (kind_at(parser, last + 1) == TOKEN_DOT && ew_cypher_token_is_name(kind_at(parser, last + 2))) last += 2;
  return kind_at(parser, last + 1) == TOKEN_LEFT_PAREN;
}

/* EXISTS { … }, at that word: a query, or patterns and a WHERE without MATCH. */
static const struct ew_node *parse_subquery(struct ew_cypher_parser *parser, enum cypher_subquery_form form) {
  parser->at += 2;
  if (!ew_cypher_enter(parser)) return NULL;
  bool bare = !ew_cypher_begins_clause(parser);
  const struct ew_node *body = bare ? ew_cypher_parse_match(parser, false) : ew_cypher_parse_query(parser);
  if (bare) body = CYPHER(parser->builder, query, .clauses.list = ew_list_of(parser->builder, &body, 1));
  leave(parser);
  expect(parser, TOKEN_RIGHT_BRACE);
  return CYPHER(parser->builder, subquery, .form.choice = form, .bare.flag = bare, .body.node = body);
}

/* ---- the rest ---- */

static const struct ew_node *parse_case(struct ew_cypher_parser *parser) {
  size_t mark = parser->nodes.count;
  parser->at++;
  const struct ew_node *subject = is_here(parser, WORD_WHEN) ? NULL : ew_cypher_parse_expr(parser), *otherwise = NULL;
  expect(parser, WORD_WHEN);
  do {
    const struct ew_node *test = ew_cypher_parse_expr(parser);
    expect(parser, WORD_THEN);
    const struct ew_node *result = ew_cypher_parse_expr(parser);
    push_node(parser, CYPHER(parser->builder, when, .test.node = test, .result.node = result));
  } while (accept(parser, WORD_WHEN));
  struct ew_list whens = take_nodes(parser, mark);
  if (accept(parser, WORD_ELSE)) otherwise = ew_cypher_parse_expr(parser);
  expect(parser, WORD_END);
  return CYPHER(parser->builder, case, .subject.node = subject, .whens.list = whens, .otherwise.node = otherwise);
}

static const struct ew_node *parse_parenthesis(struct ew_cypher_parser *parser) {
  if (ew_cypher_begins_path(parser, parser->at)) {
    const struct ew_node *path = ew_cypher_parse_path_value(parser);
    return CYPHER(parser->builder, pattern_expression, .pattern.node = path);
  }
  parser->at++;
  const struct ew_node *expression = ew_cypher_parse_expr(parser);
  expect(parser, TOKEN_RIGHT_PAREN);
  return expression;
}

static const struct ew_node *make_literal(struct ew_cypher_parser *parser, struct ew_value value) {
  return CYPHER(parser->builder, literal, .value.value = ew_literal_of(parser->builder, value));
}

/* A name that stands for itself, a call, or the beginning of something in braces. */
static const struct ew_node *parse_named(struct ew_cypher_parser *parser) {
  uint32_t kind = kind_here(parser), next = kind_ahead(parser, 1);
  if (next == TOKEN_LEFT_PAREN || (next == TOKEN_DOT && is_call(parser)))
    return next == TOKEN_LEFT_PAREN ? parse_call(parser) : parse_function(parser);
  if (next == TOKEN_LEFT_BRACE) {
    if (kind == WORD_EXISTS) return parse_subquery(parser, CYPHER_EXISTS);
    if (kind == WORD_COUNT) return parse_subquery(parser, CYPHER_COUNT);
    if (kind == WORD_COLLECT) return parse_subquery(parser, CYPHER_COLLECT);
    return parse_map_projection(parser);
  }
  if (kind == WORD_NAN || kind == WORD_INF || kind == WORD_INFINITY) {
    parser->at++;
    return make_literal(parser, ew_float(kind == WORD_NAN ? (double)NAN : (double)INFINITY));
  }
  struct ew_span name = ew_cypher_parse_variable(parser);
  return CYPHER(parser->builder, variable, .name.name = name);
}

const struct ew_node *ew_cypher_parse_atom(struct ew_cypher_parser *parser) {
  uint32_t kind = kind_here(parser);
  switch (kind) {
    case TOKEN_INTEGER:
    case TOKEN_FLOAT: return ew_cypher_parse_number(parser, false);
    case TOKEN_STRING: return ew_cypher_parse_string(parser);
    case TOKEN_PARAMETER: return ew_cypher_parse_parameter(parser);
    case TOKEN_LEFT_PAREN: return parse_parenthesis(parser);
    case TOKEN_LEFT_BRACKET: return parse_bracket(parser);
    case TOKEN_LEFT_BRACE: return ew_cypher_parse_map(parser);
    case WORD_CASE: return parse_case(parser);
    case WORD_TRUE:
    case WORD_FALSE: parser->at++; return make_literal(parser, ew_boolean(kind == WORD_TRUE));
    case WORD_NULL: parser->at++; return make_literal(parser, ew_null());
    default: break;
  }
  if (may_be_variable(kind)) return parse_named(parser);
  expected(parser, "an expression");
  ew_cypher_unexpected(parser);
  return NULL;
}
