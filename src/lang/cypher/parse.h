/* parse.h: what the files of the parser share; nobody else includes it.

   A parser that failed stands at the END for good: nothing is accepted any more, so every loop ends and every function
   returns, with a tree that is thrown away. That is why functions go on after an error without asking; only where a
   child is looked into it may be NULL (cypher_is says no then). */
#ifndef EW_LANG_CYPHER_PARSE_H
#define EW_LANG_CYPHER_PARSE_H

#include "base/vector.h"
#include "lang/cypher/lexer.h"
#include "lang/cypher/node.h"
#include "lang/cypher/parser.h"

enum { EW_CYPHER_EXPECTED_MAX = 12 };

struct ew_cypher_parser {
  struct ew_builder *builder;
  struct ew_cypher_lexer *lexer;
  const char *text; /* of the statement; tokens count from here */
  const struct ew_cypher_token *tokens;
  uint32_t at, end;
  uint32_t bar;    /* the `|` that ends the condition of a comprehension: no label expression may take it */
  unsigned depth;  /* of nesting, where we are */
  unsigned height; /* operators in a row within the operand that is being read, at most: they make trees deep too */
  EW_VECTOR(const struct ew_node *) nodes; /* items of lists that are not complete */
  EW_VECTOR(struct ew_span) names;
  struct ew_text scratch;            /* a string or name while it is put together */
  bool keeps_columns;                /* whether somebody wants to know how columns were written */
  EW_VECTOR(struct ew_span) columns; /* those of the last RETURN that is in no subquery; none where it has a `*` */
  enum ew_status status;
  struct ew_cypher_syntax_error *error; /* NULL: only whether it fails is asked */
  uint32_t expected_at;                 /* the token that `expected` is about */
  size_t expected_count;
  const char *expected[EW_CYPHER_EXPECTED_MAX];
};

/* ---- errors (parse_statement.c) ---- */

/* At the token where we are: found …, expected …. */
void ew_cypher_unexpected(struct ew_cypher_parser *parser);
/* At a byte of the statement. */
void ew_cypher_syntax_fail(struct ew_cypher_parser *parser, uint32_t offset, const char *detail, const char *message);
void ew_cypher_note_expected(struct ew_cypher_parser *parser, const char *what);
/* One level deeper; false, and failed, where that is too deep. Each call needs its `leave`. */
bool ew_cypher_enter(struct ew_cypher_parser *parser);
static inline void leave(struct ew_cypher_parser *parser) { parser->depth--; }
/* An operator joins the operand read last with one that is `height` high. */
void ew_cypher_grow(struct ew_cypher_parser *parser, unsigned height);

/* ---- tokens ---- */

static inline uint32_t kind_ahead(const struct ew_cypher_parser *parser, uint32_t ahead) {
  uint32_t at = parser->at + ahead;
  return parser->tokens[at < parser->end ? at : parser->end].kind;
}

static inline uint32_t kind_here(const struct ew_cypher_parser *parser) { return parser->tokens[parser->at].kind; }

static inline uint32_t kind_at(const struct ew_cypher_parser *parser, uint32_t index) {
  return parser->tokens[index < parser->end ? index : parser->end].kind;
}

/* Notes what would have been right here, for the message of an error. */
static inline void expected(struct ew_cypher_parser *parser, const char *what) {
  if (parser->error) ew_cypher_note_expected(parser, what);
}

static inline bool is_here(struct ew_cypher_parser *parser, uint32_t kind) {
  if (kind_here(parser) == kind) return true;
  if (parser->error) ew_cypher_note_expected(parser, ew_cypher_token_text(kind));
  return false;
}

static inline bool accept(struct ew_cypher_parser *parser, uint32_t kind) {
  if (!is_here(parser, kind)) return false;
  parser->at++;
  return true;
}

static inline bool accept_both(struct ew_cypher_parser *parser, uint32_t first, uint32_t second) {
  if (kind_ahead(parser, 1) != second || !is_here(parser, first)) return false;
  parser->at += 2;
  return true;
}

static inline bool expect(struct ew_cypher_parser *parser, uint32_t kind) {
  if (accept(parser, kind)) return true;
  ew_cypher_unexpected(parser);
  return false;
}

static inline bool failed(const struct ew_cypher_parser *parser) { return parser->status != EW_OK; }

/* ---- lists ---- */

static inline void push_node(struct ew_cypher_parser *parser, const struct ew_node *node) {
  *ew_vector_push(&parser->nodes) = node;
}

/* What was pushed since `mark`, which was `nodes.count` then. */
static inline struct ew_list take_nodes(struct ew_cypher_parser *parser, size_t mark) {
  size_t count = parser->nodes.count - mark;
  parser->nodes.count = mark;
  return count ? ew_list_of(parser->builder, parser->nodes.items + mark, count) : (struct ew_list){0};
}

static inline struct ew_names take_names(struct ew_cypher_parser *parser, size_t mark) {
  size_t count = parser->names.count - mark;
  parser->names.count = mark;
  return count ? ew_names_of(parser->builder, parser->names.items + mark, count) : (struct ew_names){0};
}

/* ---- names and literals (parse_literal.c) ---- */

/* A label, type, key, function …: any word; `what` is for the error. */
struct ew_span ew_cypher_parse_name(struct ew_cypher_parser *parser, const char *what);
/* A name that something is given, behind AS for instance: any word. */
struct ew_span ew_cypher_parse_alias(struct ew_cypher_parser *parser);
/* A variable: no reserved word. */
struct ew_span ew_cypher_parse_variable(struct ew_cypher_parser *parser);
/* a.b.c, joined. */
struct ew_span ew_cypher_parse_dotted_name(struct ew_cypher_parser *parser);
/* A number that is part of the syntax; -1, and failed, where it does not fit. */
int64_t ew_cypher_parse_count(struct ew_cypher_parser *parser);
const struct ew_node *ew_cypher_parse_number(struct ew_cypher_parser *parser, bool negative);
const struct ew_node *ew_cypher_parse_string(struct ew_cypher_parser *parser);
const struct ew_node *ew_cypher_parse_parameter(struct ew_cypher_parser *parser);
static inline bool may_be_variable(uint32_t kind) {
  return ew_cypher_token_is_name(kind) && !ew_cypher_word_is_reserved(kind);
}

/* ---- expressions (parse_expression.c, parse_atom.c) ---- */

const struct ew_node *ew_cypher_parse_expr(struct ew_cypher_parser *parser);
/* With commas between, at least one. */
struct ew_list ew_cypher_parse_exprs(struct ew_cypher_parser *parser);
/* An atom with properties and indexes behind it, but no labels: what SET and REMOVE change. */
const struct ew_node *ew_cypher_parse_target(struct ew_cypher_parser *parser);
const struct ew_node *ew_cypher_parse_atom(struct ew_cypher_parser *parser);
const struct ew_node *ew_cypher_parse_map(struct ew_cypher_parser *parser);
const struct ew_node *ew_cypher_parse_type(struct ew_cypher_parser *parser);
/* WHERE e, or NULL. */
const struct ew_node *ew_cypher_parse_where(struct ew_cypher_parser *parser);

/* ---- patterns (parse_pattern.c) ---- */

const struct ew_node *ew_cypher_parse_path(struct ew_cypher_parser *parser);
/* A path as a value: it ends where what follows may be an operator as well. */
const struct ew_node *ew_cypher_parse_path_value(struct ew_cypher_parser *parser);
struct ew_list ew_cypher_parse_paths(struct ew_cypher_parser *parser);
/* Behind the first colon or IS. */
const struct ew_node *ew_cypher_parse_labels(struct ew_cypher_parser *parser);
/* Whether the parenthesis at token `index` is the first node of a path rather than of an expression. */
bool ew_cypher_begins_path(const struct ew_cypher_parser *parser, uint32_t index);

/* ---- queries (parse_statement.c, parse_clause.c, parse_command.c) ---- */

/* One or more single queries; stops before what is no clause. */
const struct ew_node *ew_cypher_parse_query(struct ew_cypher_parser *parser);
/* Whether the word here begins a clause. */
bool ew_cypher_begins_clause(const struct ew_cypher_parser *parser);
const struct ew_node *ew_cypher_parse_clause(struct ew_cypher_parser *parser);
/* MATCH, behind that word; also what stands in EXISTS { } without it. */
const struct ew_node *ew_cypher_parse_match(struct ew_cypher_parser *parser, bool optional);
/* The command on indexes or constraints that begins here, or NULL. */
const struct ew_node *ew_cypher_parse_command(struct ew_cypher_parser *parser);

#endif
