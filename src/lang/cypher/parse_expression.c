/* parse_expression.c: operators, by climbing their precedence; what they join is in parse_atom.c.

   Loosest first: OR, XOR, AND, NOT, comparisons (a < b <= c is one chain), predicates (IN, STARTS WITH, IS NULL …), + -
   ||, * / %, ^, unary + and -, then property, index and labels behind an atom. All of them are left-associative. */
#include "lang/cypher/parse.h"

enum level {
  LEVEL_NONE,
  LEVEL_OR,
  LEVEL_XOR,
  LEVEL_AND,
  LEVEL_NOT,
  LEVEL_COMPARE,
  LEVEL_PREDICATE,
  LEVEL_ADD,
  LEVEL_MULTIPLY,
  LEVEL_POWER,
  LEVEL_UNARY,
};

struct operation {
  enum level level;
  enum cypher_operator operator;
};

/* What the token is between two operands; IS and :: are predicates of their own. */
static struct operation operation_of(uint32_t kind) {
  switch (kind) {
    case WORD_OR: return (struct operation){LEVEL_OR, CYPHER_OR};
    case WORD_XOR: return (struct operation){LEVEL_XOR, CYPHER_XOR};
    case WORD_AND: return (struct operation){LEVEL_AND, CYPHER_AND};
    case TOKEN_EQUAL: return (struct operation){LEVEL_COMPARE, CYPHER_EQUAL};
    case TOKEN_UNEQUAL: return (struct operation){LEVEL_COMPARE, CYPHER_UNEQUAL};
    case TOKEN_LESS: return (struct operation){LEVEL_COMPARE, CYPHER_LESS};
    case TOKEN_LESS_EQUAL: return (struct operation){LEVEL_COMPARE, CYPHER_LESS_EQUAL};
    case TOKEN_GREATER: return (struct operation){LEVEL_COMPARE, CYPHER_GREATER};
    case TOKEN_GREATER_EQUAL: return (struct operation){LEVEL_COMPARE, CYPHER_GREATER_EQUAL};
    case TOKEN_TILDE: return (struct operation){LEVEL_PREDICATE, CYPHER_MATCHES};
    case WORD_IN: return (struct operation){LEVEL_PREDICATE, CYPHER_IN};
    case WORD_STARTS: return (struct operation){LEVEL_PREDICATE, CYPHER_STARTS_WITH};
    case WORD_ENDS: return (struct operation){LEVEL_PREDICATE, CYPHER_ENDS_WITH};
    case WORD_CONTAINS: return (struct operation){LEVEL_PREDICATE, CYPHER_CONTAINS};
    case WORD_IS:
    case TOKEN_DOUBLE_COLON: return (struct operation){.level = LEVEL_PREDICATE};
    case TOKEN_PLUS: return (struct operation){LEVEL_ADD, CYPHER_ADD};
    case TOKEN_MINUS: return (struct operation){LEVEL_ADD, CYPHER_SUBTRACT};
    case TOKEN_DOUBLE_BAR: return (struct operation){LEVEL_ADD, CYPHER_CONCATENATE};
    case TOKEN_STAR: return (struct operation){LEVEL_MULTIPLY, CYPHER_MULTIPLY};
    case TOKEN_SLASH: return (struct operation){LEVEL_MULTIPLY, CYPHER_DIVIDE};
    case TOKEN_PERCENT: return (struct operation){LEVEL_MULTIPLY, CYPHER_MODULO};
    case TOKEN_CARET: return (struct operation){LEVEL_POWER, CYPHER_POWER};
    default: return (struct operation){.level = LEVEL_NONE};
  }
}

static const struct ew_node *parse_level(struct ew_cypher_parser *parser, enum level loosest);

/* ---- types ---- */

/* Names of types that are two words or more: what may follow a first word. */
static bool continues_type(struct ew_span before, struct ew_span word) {
  static const struct {
    const char *before, *word;
  } pairs[] = {{"LOCAL", "TIME"},    {"LOCAL", "DATETIME"}, {"ZONED", "TIME"},       {"ZONED", "DATETIME"},
               {"TIME", "WITH"},     {"TIME", "WITHOUT"},   {"TIMESTAMP", "WITH"},   {"TIMESTAMP", "WITHOUT"},
               {"WITH", "TIME"},     {"WITHOUT", "TIME"},   {"TIME", "ZONE"},        {"TIME", "TIMEZONE"},
               {"WITH", "TIMEZONE"}, {"SIGNED", "INTEGER"}, {"PROPERTY", "VALUE"},   {"ANY", "VALUE"},
               {"ANY", "PROPERTY"},  {"ANY", "NODE"},       {"ANY", "RELATIONSHIP"}, {"ANY", "EDGE"},
               {"ANY", "VERTEX"},    {"ANY", "MAP"}};
  for (size_t i = 0; i < EW_COUNT(pairs); i++)
    if (ew_span_is(before, pairs[i].before) && ew_span_is(word, pairs[i].word)) return true;
  return false;
}

static void add_upper(struct ew_text *text, struct ew_span word) {
  for (size_t i = 0; i < word.length; i++) {
    char c = word.bytes[i];
    ew_text_add_char(text, (char)(c >= 'a' && c <= 'z' ? c - 32 : c));
  }
}

static bool word_is(const struct ew_cypher_parser *parser, uint32_t index, const char *word) {
  const struct ew_cypher_token *token = &parser->tokens[index < parser->end ? index : parser->end];
  return token->length == strlen(word) && strncasecmp(parser->text + token->start, word, token->length) == 0;
}

/* Whether the WITH here belongs to a type, TIME WITH TIME ZONE, and is no clause. */
static bool is_with_zone(const struct ew_cypher_parser *parser) {
  return word_is(parser, parser->at + 1, "TIMEZONE") ||
         (word_is(parser, parser->at + 1, "TIME") && word_is(parser, parser->at + 2, "ZONE"));
}

/* The words of a type's name, in capitals. */
static struct ew_span parse_type_name(struct ew_cypher_parser *parser) {
  struct ew_text *text = &parser->scratch;
  if (kind_here(parser) == TOKEN_QUOTED || !ew_cypher_token_is_name(kind_here(parser))) {
    expected(parser, "a type");
    ew_cypher_unexpected(parser);
    return EW_SPAN("");
  }
  ew_text_reset(text);
  for (size_t start = 0; !failed(parser); parser->at++) {
    const struct ew_cypher_token *token = &parser->tokens[parser->at];
    if (!ew_cypher_token_is_name(token->kind) || token->length > 32) break;
    if (token->kind == WORD_WITH && !is_with_zone(parser)) break;
    size_t end = text->length;
    if (end) ew_text_add_char(text, ' ');
    size_t next = text->length;
    add_upper(text, (struct ew_span){parser->text + token->start, token->length});
    struct ew_span before = {text->bytes + start, end - start};
    if (end && !continues_type(before, (struct ew_span){text->bytes + next, text->length - next})) {
      ew_text_cut(text, end);
      break;
    }
    start = next;
  }
  return ew_arena_copy(parser->builder->arena, ew_text_span(text));
}

static const struct ew_node *parse_one_type(struct ew_cypher_parser *parser) {
  struct ew_span name = parse_type_name(parser);
  const struct ew_node *inner = NULL;
  if (accept(parser, TOKEN_LESS)) {
    inner = ew_cypher_parse_type(parser);
    expect(parser, TOKEN_GREATER);
  }
  bool not_null = accept(parser, TOKEN_EXCLAMATION) || accept_both(parser, WORD_NOT, WORD_NULL);
  return CYPHER(parser->builder, type, .name.name = name, .inner.node = inner, .not_null.flag = not_null);
}

const struct ew_node *ew_cypher_parse_type(struct ew_cypher_parser *parser) {
  if (!ew_cypher_enter(parser)) return NULL;
  size_t mark = parser->nodes.count;
  const struct ew_node *type = parse_one_type(parser);
  if (kind_here(parser) == TOKEN_BAR && parser->at != parser->bar) {
    push_node(parser, type);
    while (parser->at != parser->bar && accept(parser, TOKEN_BAR)) {
      type = parse_one_type(parser);
      push_node(parser, type);
    }
    type = CYPHER(parser->builder, type_union, .types.list = take_nodes(parser, mark));
  }
  leave(parser);
  return type;
}

/* ---- predicates ---- */

static bool is_normal_form(const struct ew_cypher_parser *parser) {
  const struct ew_cypher_token *token = &parser->tokens[parser->at];
  struct ew_span text = {parser->text + token->start, token->length};
  return kind_ahead(parser, 1) == WORD_NORMALIZED && text.length >= 3 && text.length <= 4 &&
         (text.bytes[0] | 32) == 'n' && (text.bytes[1] | 32) == 'f';
}

/* Behind IS. */
static const struct ew_node *parse_is(struct ew_cypher_parser *parser, const struct ew_node *operand) {
  struct ew_builder *builder = parser->builder;
  bool negated = accept(parser, WORD_NOT);
  if (accept(parser, WORD_NULL)) return CYPHER(builder, is_null, .negated.flag = negated, .operand.node = operand);
  if (accept(parser, WORD_TYPED) || accept(parser, TOKEN_DOUBLE_COLON)) {
    const struct ew_node *type = ew_cypher_parse_type(parser);
    return CYPHER(builder, is_type, .negated.flag = negated, .operand.node = operand, .type.node = type);
  }
  struct ew_span form = is_normal_form(parser) ? ew_cypher_parse_name(parser, "a normal form") : EW_SPAN("");
  if (accept(parser, WORD_NORMALIZED))
    return CYPHER(builder, is_normalized, .negated.flag = negated, .operand.node = operand, .form.name = form);
  if (negated) {
    ew_cypher_unexpected(parser);
    return NULL;
  }
  const struct ew_node *labels = ew_cypher_parse_labels(parser);
  return CYPHER(builder, label_test, .operand.node = operand, .labels.node = labels);
}

static const struct ew_node *parse_predicate(struct ew_cypher_parser *parser, const struct ew_node *left,
                                             enum cypher_operator operator) {
  if (accept(parser, WORD_IS)) return parse_is(parser, left);
  if (accept(parser, TOKEN_DOUBLE_COLON)) {
    const struct ew_node *type = ew_cypher_parse_type(parser);
    return CYPHER(parser->builder, is_type, .operand.node = left, .type.node = type);
  }
  parser->at++;
  if (operator== CYPHER_STARTS_WITH || operator== CYPHER_ENDS_WITH) expect(parser, WORD_WITH);
  const struct ew_node *right = parse_level(parser, LEVEL_ADD);
  return CYPHER(parser->builder, binary, .operator.choice = operator, .left.node = left, .right.node = right);
}

/* ---- operators ---- */

/* a < b, or a < b <= c … */
static const struct ew_node *parse_comparison(struct ew_cypher_parser *parser, const struct ew_node *first) {
  size_t mark = parser->nodes.count;
  struct ew_builder *builder = parser->builder;
  const struct ew_node *right = NULL;
  unsigned height = parser->height;
  struct operation operation = operation_of(kind_here(parser)), only = operation;
  for (; operation.level == LEVEL_COMPARE; operation = operation_of(kind_here(parser))) {
    parser->at++;
    right = parse_level(parser, LEVEL_PREDICATE);
    if (parser->height > height) height = parser->height;
    bool alone = parser->nodes.count == mark && operation_of(kind_here(parser)).level != LEVEL_COMPARE;
    if (alone) break;
    push_node(parser, CYPHER(builder, link, .operator.choice = operation.operator, .right.node = right));
  }
  ew_cypher_grow(parser, height);
  if (parser->nodes.count > mark)
    return CYPHER(builder, chain, .first.node = first, .links.list = take_nodes(parser, mark));
  return CYPHER(builder, binary, .operator.choice = only.operator, .left.node = first, .right.node = right);
}

/* NOT e, at the level of NOT and looser. */
static const struct ew_node *parse_not(struct ew_cypher_parser *parser) {
  parser->at++;
  if (!ew_cypher_enter(parser)) return NULL;
  const struct ew_node *operand = parse_level(parser, LEVEL_NOT);
  leave(parser);
  return CYPHER(parser->builder, unary, .operator.choice = CYPHER_NOT, .operand.node = operand);
}

static bool is_number(uint32_t kind) { return kind == TOKEN_INTEGER || kind == TOKEN_FLOAT; }

static const struct ew_node *parse_postfix(struct ew_cypher_parser *parser, const struct ew_node *object);

/* + and - before an operand. A minus before a number belongs to the number, unless something behind the number takes it
   first. */
static const struct ew_node *parse_sign(struct ew_cypher_parser *parser) {
  bool minus = kind_here(parser) == TOKEN_MINUS;
  uint32_t behind = kind_ahead(parser, 2);
  bool postfix = behind == TOKEN_DOT || behind == TOKEN_LEFT_BRACKET || behind == TOKEN_COLON;
  parser->at++;
  if (minus && is_number(kind_here(parser)) && !postfix) return ew_cypher_parse_number(parser, true);
  if (!ew_cypher_enter(parser)) return NULL;
  const struct ew_node *operand = parse_level(parser, LEVEL_UNARY);
  leave(parser);
  enum cypher_unary_operator operator= minus ? CYPHER_NEGATE : CYPHER_PLUS;
  return CYPHER(parser->builder, unary, .operator.choice = operator, .operand.node = operand);
}

static const struct ew_node *parse_operand(struct ew_cypher_parser *parser, enum level loosest) {
  uint32_t kind = kind_here(parser);
  parser->height = 0;
  if (kind == WORD_NOT && loosest <= LEVEL_NOT) return parse_not(parser);
  if (kind == TOKEN_MINUS || kind == TOKEN_PLUS) return parse_sign(parser);
  const struct ew_node *object = parse_postfix(parser, ew_cypher_parse_atom(parser));
  if (!accept(parser, TOKEN_COLON)) return object;
  const struct ew_node *labels = ew_cypher_parse_labels(parser);
  return CYPHER(parser->builder, label_test, .operand.node = object, .labels.node = labels);
}

/* Operators of `loosest` and tighter. */
static const struct ew_node *parse_level(struct ew_cypher_parser *parser, enum level loosest) {
  const struct ew_node *left = parse_operand(parser, loosest);
  for (;;) {
    struct operation operation = operation_of(kind_here(parser));
    if (operation.level == LEVEL_NONE || operation.level < loosest) break;
    unsigned height = parser->height;
    if (operation.level == LEVEL_COMPARE) {
      left = parse_comparison(parser, left);
      continue;
    }
    if (operation.level == LEVEL_PREDICATE) {
      left = parse_predicate(parser, left, operation.operator);
    } else {
      parser->at++;
      const struct ew_node *right = parse_level(parser, operation.level + 1);
      left = CYPHER(parser->builder, binary, .operator.choice = operation.operator, .left.node = left,
                    .right.node = right);
    }
    ew_cypher_grow(parser, height);
  }
  expected(parser, "an operator");
  return left;
}

const struct ew_node *ew_cypher_parse_expr(struct ew_cypher_parser *parser) {
  unsigned height = parser->height;
  if (!ew_cypher_enter(parser)) return NULL;
  const struct ew_node *expression = parse_level(parser, LEVEL_OR);
  if (parser->height < height) parser->height = height;
  leave(parser);
  return expression;
}

struct ew_list ew_cypher_parse_exprs(struct ew_cypher_parser *parser) {
  size_t mark = parser->nodes.count;
  do {
    const struct ew_node *item = ew_cypher_parse_expr(parser);
    push_node(parser, item);
  } while (accept(parser, TOKEN_COMMA));
  return take_nodes(parser, mark);
}

const struct ew_node *ew_cypher_parse_where(struct ew_cypher_parser *parser) {
  return accept(parser, WORD_WHERE) ? ew_cypher_parse_expr(parser) : NULL;
}

/* ---- behind an atom ---- */

/* Behind the opening bracket: [at], [from..to]. */
static const struct ew_node *parse_index(struct ew_cypher_parser *parser, const struct ew_node *object) {
  struct ew_builder *builder = parser->builder;
  const struct ew_node *from = is_here(parser, TOKEN_DOT_DOT) ? NULL : ew_cypher_parse_expr(parser), *to = NULL;
  if (!accept(parser, TOKEN_DOT_DOT)) {
    expect(parser, TOKEN_RIGHT_BRACKET);
    return CYPHER(builder, index, .object.node = object, .at.node = from);
  }
  if (!is_here(parser, TOKEN_RIGHT_BRACKET)) to = ew_cypher_parse_expr(parser);
  expect(parser, TOKEN_RIGHT_BRACKET);
  return CYPHER(builder, slice, .object.node = object, .from.node = from, .to.node = to);
}

static const struct ew_node *parse_postfix(struct ew_cypher_parser *parser, const struct ew_node *object) {
  for (;;) {
    unsigned height = parser->height;
    if (accept(parser, TOKEN_DOT)) {
      struct ew_span key = ew_cypher_parse_name(parser, "a property");
      object = CYPHER(parser->builder, property, .object.node = object, .key.name = key);
    } else if (accept(parser, TOKEN_LEFT_BRACKET)) {
      object = parse_index(parser, object);
    } else {
      return object;
    }
    ew_cypher_grow(parser, height);
  }
}

const struct ew_node *ew_cypher_parse_target(struct ew_cypher_parser *parser) {
  parser->height = 0;
  return parse_postfix(parser, ew_cypher_parse_atom(parser));
}
