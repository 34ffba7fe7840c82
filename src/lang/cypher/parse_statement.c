/* parse_statement.c: statements, scripts, and what is wrong with a text.

   A text is read once without taking notes. Only if that fails, it is read again to collect what would have been right
   at the place of the error, so that correct texts do not pay for it. */
#include "base/utf8.h"
#include "lang/cypher/parse.h"

/* ---- errors ---- */

/* Marks the parser as failed, for the first time or not. Returns whether the caller is to fill `error`. */
static bool stop(struct ew_cypher_parser *parser, enum ew_status status, uint32_t offset, const char *detail) {
  bool first = parser->status == EW_OK;
  parser->at = parser->end;
  if (!first) return false;
  parser->status = status;
  if (!parser->error) return false;
  parser->error->offset = parser->lexer->origin + offset;
  parser->error->detail = detail;
  return true;
}

void ew_cypher_syntax_fail(struct ew_cypher_parser *parser, uint32_t offset, const char *detail, const char *message) {
  enum ew_status status = detail ? EW_BAD : EW_LIMIT;
  if (!stop(parser, status, offset, detail ? detail : "LimitExceeded")) return;
  snprintf(parser->error->message, sizeof parser->error->message, "%s", message);
}

/* What an error calls the token at `index`. */
static struct ew_span found_text(const struct ew_cypher_parser *parser, uint32_t index, char *buffer, size_t size) {
  const struct ew_cypher_token *token = &parser->tokens[index];
  struct ew_span text = {parser->text + token->start, token->length};
  if (token->kind == TOKEN_END) return ew_span_of(ew_cypher_token_text(TOKEN_END));
  size_t kept = text.length < 40 ? text.length : 40;
  while (kept && kept < text.length && ((unsigned char)text.bytes[kept] & 0xc0) == 0x80) kept--;
  bool quotes = token->kind == TOKEN_STRING || token->kind == TOKEN_QUOTED;
  snprintf(buffer, size, quotes ? "%.*s%s" : "'%.*s%s'", (int)kept, text.bytes, kept < text.length ? "…" : "");
  return ew_span_of(buffer);
}

void ew_cypher_unexpected(struct ew_cypher_parser *parser) {
  uint32_t index = parser->at;
  const struct ew_cypher_token *token = &parser->tokens[index];
  if (token->kind == TOKEN_BAD) {
    ew_cypher_syntax_fail(parser, token->start, parser->lexer->detail, parser->lexer->message);
    return;
  }
  if (!stop(parser, EW_BAD, token->start, "UnexpectedSyntax")) return;
  char buffer[64], *message = parser->error->message;
  size_t size = sizeof parser->error->message, count = parser->expected_at == index ? parser->expected_count : 0;
  struct ew_span found = found_text(parser, index, buffer, sizeof buffer);
  size_t used = (size_t)snprintf(message, size, "found %.*s", EW_SPAN_ARGS(found));
  for (size_t i = 0; i < count && used < size; i++) {
    const char *before = i == 0 ? ", expected " : i + 1 < count ? ", " : " or ";
    used += (size_t)snprintf(message + used, size - used, "%s%s", before, parser->expected[i]);
  }
}

void ew_cypher_note_expected(struct ew_cypher_parser *parser, const char *what) {
  if (failed(parser)) return;
  if (parser->expected_at != parser->at) parser->expected_count = 0;
  parser->expected_at = parser->at;
  for (size_t i = 0; i < parser->expected_count; i++)
    if (strcmp(parser->expected[i], what) == 0) return;
  if (parser->expected_count < EW_CYPHER_EXPECTED_MAX) parser->expected[parser->expected_count++] = what;
}

bool ew_cypher_enter(struct ew_cypher_parser *parser) {
  if (++parser->depth <= EW_CYPHER_NESTING_MAX) return true;
  parser->depth--;
  ew_cypher_syntax_fail(parser, parser->tokens[parser->at].start, NULL, "this nests too deeply");
  return false;
}

void ew_cypher_grow(struct ew_cypher_parser *parser, unsigned height) {
  if (parser->height < height) parser->height = height;
  if (++parser->height > EW_CYPHER_CHAIN_MAX)
    ew_cypher_syntax_fail(parser, parser->tokens[parser->at].start, NULL, "these are too many operators in a row");
}

/* Adds the characters of `line` from `from` to `to`, each as one that a terminal shows. */
static size_t show(struct ew_text *text, struct ew_span line, size_t from, size_t to) {
  size_t count = 0;
  for (size_t at = from; at < to; count++) {
    uint32_t c = ew_utf8_next(line, &at);
    ew_utf8_add(text, c == '\t' ? ' ' : c < 0x20 || (c >= 0x7f && c < 0xa0) ? 0xfffd : c);
  }
  return count;
}

/* Sets line, column and excerpt from the offset. */
static void locate(struct ew_cypher_syntax_error *error, struct ew_span text) {
  size_t start = 0, end = error->offset;
  error->line = 1;
  for (size_t i = 0; i < error->offset; i++) {
    if (text.bytes[i] != '\n') continue;
    error->line++;
    start = i + 1;
  }
  while (end < text.length && text.bytes[end] != '\n' && end - error->offset < EW_CYPHER_EXCERPT_MAX) end++;
  if (end > start && text.bytes[end - 1] == '\r' && end > error->offset) end--;
  struct ew_span line = {text.bytes + start, end - start};
  size_t offset = error->offset - start, from = 0, to = offset;
  size_t before = ew_utf8_count((struct ew_span){line.bytes, offset});
  error->column = before + 1;
  for (; before > EW_CYPHER_EXCERPT_MAX / 2; before--) ew_utf8_next(line, &from);
  for (; before < EW_CYPHER_EXCERPT_MAX && to < line.length; before++) ew_utf8_next(line, &to);
  struct ew_text shown = {0};
  error->caret = show(&shown, line, from, offset);
  show(&shown, line, offset, to);
  snprintf(error->excerpt, sizeof error->excerpt, "%s", shown.bytes ? shown.bytes : "");
  ew_text_release(&shown);
}

void ew_cypher_syntax_error_print(struct ew_text *text, const struct ew_cypher_syntax_error *error) {
  ew_text_add_format(text, "line %zu, column %zu: %s (%s)\n  %s\n  ", error->line, error->column, error->message,
                     error->detail, error->excerpt);
  for (size_t i = 0; i < error->caret; i++) ew_text_add_char(text, ' ');
  ew_text_add(text, EW_SPAN("^\n"));
}

/* ---- queries ---- */

static const struct ew_node *parse_single_query(struct ew_cypher_parser *parser) {
  size_t mark = parser->nodes.count;
  do {
    const struct ew_node *clause = ew_cypher_parse_clause(parser);
    push_node(parser, clause);
  } while (ew_cypher_begins_clause(parser));
  return CYPHER(parser->builder, query, .clauses.list = take_nodes(parser, mark));
}

const struct ew_node *ew_cypher_parse_query(struct ew_cypher_parser *parser) {
  const struct ew_node *query = parse_single_query(parser);
  if (!is_here(parser, WORD_UNION)) return query;
  size_t mark = parser->nodes.count;
  bool all = kind_ahead(parser, 1) == WORD_ALL;
  push_node(parser, query);
  while (accept(parser, WORD_UNION)) {
    bool this_all = accept(parser, WORD_ALL);
    if (!this_all) accept(parser, WORD_DISTINCT);
    if (this_all != all) { /* a union within a union, which the checker refuses */
      query = CYPHER(parser->builder, union, .all.flag = all, .branches.list = take_nodes(parser, mark));
      push_node(parser, query);
      all = this_all;
    }
    query = parse_single_query(parser);
    push_node(parser, query);
  }
  return CYPHER(parser->builder, union, .all.flag = all, .branches.list = take_nodes(parser, mark));
}

/* ---- statements ---- */

static struct ew_span take_text(struct ew_cypher_parser *parser) {
  const struct ew_cypher_token *token = &parser->tokens[parser->at++];
  return (struct ew_span){parser->text + token->start, token->length};
}

static bool is_number_here(struct ew_cypher_parser *parser) {
  return is_here(parser, TOKEN_INTEGER) || is_here(parser, TOKEN_FLOAT);
}

/* Behind CYPHER: a version, then name=value pairs. */
static void parse_settings(struct ew_cypher_parser *parser) {
  if (is_number_here(parser)) {
    struct ew_span version = take_text(parser);
    push_node(parser, CYPHER(parser->builder, setting, .name.name = version));
  }
  while (ew_cypher_token_is_name(kind_here(parser)) && kind_ahead(parser, 1) == TOKEN_EQUAL) {
    struct ew_span name = take_text(parser), value = EW_SPAN("");
    parser->at++;
    value = is_number_here(parser) ? take_text(parser) : ew_cypher_parse_name(parser, "a value");
    push_node(parser, CYPHER(parser->builder, setting, .name.name = name, .setting.name = value));
  }
}

static const struct ew_node *parse_statement(struct ew_cypher_parser *parser) {
  size_t mark = parser->nodes.count;
  enum cypher_mode mode = CYPHER_MODE_RUN;
  for (;;) {
    if (accept(parser, WORD_CYPHER)) {
      parse_settings(parser);
    } else if (mode == CYPHER_MODE_RUN && accept(parser, WORD_EXPLAIN)) {
      mode = CYPHER_MODE_EXPLAIN;
    } else if (mode == CYPHER_MODE_RUN && accept(parser, WORD_PROFILE)) {
      mode = CYPHER_MODE_PROFILE;
    } else {
      break;
    }
  }
  struct ew_list settings = take_nodes(parser, mark);
  const struct ew_node *body = ew_cypher_parse_command(parser);
  if (!body) body = ew_cypher_parse_query(parser);
  return CYPHER(parser->builder, statement, .mode.choice = mode, .settings.list = settings, .body.node = body);
}

typedef const struct ew_node *(*parse_root)(struct ew_cypher_parser *parser);

/* Reads all of the statement that the lexer cut last. */
static enum ew_status read_tokens(struct ew_builder *builder, struct ew_cypher_lexer *lexer, parse_root root,
                                  const struct ew_node **tree, struct ew_names *columns,
                                  struct ew_cypher_syntax_error *error) {
  struct ew_cypher_parser parser = {.builder = builder,
                                    .lexer = lexer,
                                    .text = lexer->text.bytes + lexer->origin,
                                    .tokens = lexer->tokens.items,
                                    .end = (uint32_t)lexer->tokens.count - 1,
                                    .keeps_columns = columns != NULL,
                                    .error = error};
  const struct ew_node *result = root(&parser);
  if (!failed(&parser) && parser.at != parser.end) {
    expected(&parser, root == parse_statement ? "a clause" : "the end of the text");
    ew_cypher_unexpected(&parser);
  }
  if (columns) *columns = ew_names_of(builder, parser.columns.items, parser.columns.count);
  ew_vector_release(&parser.nodes);
  ew_vector_release(&parser.names);
  ew_vector_release(&parser.columns);
  ew_text_release(&parser.scratch);
  *tree = parser.status == EW_OK ? result : NULL;
  return parser.status;
}

/* The same, and on failure once more, to say why. `columns` is NULL where nobody wants them. */
static enum ew_status read_statement(struct ew_builder *builder, struct ew_cypher_lexer *lexer, parse_root root,
                                     const struct ew_node **tree, struct ew_names *columns,
                                     struct ew_cypher_syntax_error *error) {
  enum ew_status status = read_tokens(builder, lexer, root, tree, columns, NULL);
  if (status != EW_OK && error) status = read_tokens(builder, lexer, root, tree, columns, error);
  return status;
}

/* Behind the `;` of a statement that should be the only one. */
static enum ew_status read_nothing(struct ew_cypher_lexer *lexer, struct ew_cypher_syntax_error *error) {
  if (lexer->at == lexer->text.length) return EW_OK;
  ew_cypher_lexer_next(lexer);
  if (lexer->tokens.items[0].kind == TOKEN_END) return EW_OK;
  if (!error) return EW_BAD;
  error->offset = lexer->origin + lexer->tokens.items[0].start;
  error->detail = "UnexpectedSyntax";
  snprintf(error->message, sizeof error->message, "found more text behind the ';', expected the end of the text");
  return EW_BAD;
}

static enum ew_status read_one(struct ew_builder *builder, struct ew_span text, parse_root root,
                               const struct ew_node **tree, struct ew_cypher_syntax_error *error) {
  struct ew_arena_mark mark = ew_arena_mark(builder->arena);
  uint64_t next_id = builder->next_id;
  struct ew_cypher_lexer lexer;
  ew_cypher_lexer_init(&lexer, ew_arena_copy(builder->arena, text));
  ew_cypher_lexer_next(&lexer);
  enum ew_status status = read_statement(builder, &lexer, root, tree, NULL, error);
  if (status == EW_OK) status = read_nothing(&lexer, error);
  ew_cypher_lexer_release(&lexer);
  if (status == EW_OK) return EW_OK;
  if (error) locate(error, text);
  ew_arena_rewind(builder->arena, mark);
  builder->next_id = next_id;
  *tree = NULL;
  return status;
}

enum ew_status ew_cypher_parse(struct ew_builder *builder, struct ew_span text, const struct ew_node **statement,
                               struct ew_cypher_syntax_error *error) {
  return read_one(builder, text, parse_statement, statement, error);
}

enum ew_status ew_cypher_parse_expression(struct ew_builder *builder, struct ew_span text,
                                          const struct ew_node **expression, struct ew_cypher_syntax_error *error) {
  return read_one(builder, text, ew_cypher_parse_expr, expression, error);
}

/* ---- scripts ---- */

typedef EW_VECTOR(struct ew_cypher_source) sources;

/* Reads statement after statement; `line` goes with the lexer. */
static enum ew_status read_all(struct ew_builder *builder, struct ew_cypher_lexer *lexer, sources *found,
                               struct ew_cypher_syntax_error *error) {
  size_t line = 1, counted = 0;
  for (;;) {
    ew_cypher_lexer_next(lexer);
    size_t last = lexer->tokens.count - 1;
    if (last == 0 && lexer->tokens.items[0].kind == TOKEN_END) return EW_OK;
    if (last == 0) continue;
    struct ew_cypher_source source = {.offset = lexer->origin + lexer->tokens.items[0].start};
    source.length =
        lexer->origin + lexer->tokens.items[last - 1].start + lexer->tokens.items[last - 1].length - source.offset;
    for (; counted < source.offset; counted++) line += lexer->text.bytes[counted] == '\n';
    source.line = line;
    enum ew_status status = read_statement(builder, lexer, parse_statement, &source.statement, &source.columns, error);
    if (status != EW_OK) return status;
    *ew_vector_push(found) = source;
  }
}

enum ew_status ew_cypher_parse_script(struct ew_builder *builder, struct ew_span text, struct ew_cypher_script *script,
                                      struct ew_cypher_syntax_error *error) {
  struct ew_arena_mark mark = ew_arena_mark(builder->arena);
  uint64_t next_id = builder->next_id;
  struct ew_cypher_lexer lexer;
  sources found = {0};
  *script = (struct ew_cypher_script){0};
  ew_cypher_lexer_init(&lexer, ew_arena_copy(builder->arena, text));
  enum ew_status status = read_all(builder, &lexer, &found, error);
  ew_cypher_lexer_release(&lexer);
  if (status == EW_OK && found.count) {
    struct ew_cypher_source *items = ew_arena_take(builder->arena, ew_array_size(found.count, sizeof *items));
    memcpy(items, found.items, found.count * sizeof *items);
    *script = (struct ew_cypher_script){items, found.count};
  } else if (status != EW_OK) {
    if (error) locate(error, text);
    ew_arena_rewind(builder->arena, mark);
    builder->next_id = next_id;
  }
  ew_vector_release(&found);
  return status;
}
