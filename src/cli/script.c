/* script.c: where a statement ends. The parser takes clauses as long as there are any, so that statements without a `;` between
   them read as one; that one goes on behind its RETURN, which none may. Then the text is read again, line by line. */
#include "cli/script.h"

#include "base/file.h"
#include "base/vector.h"
#include "cli/output.h"

enum { SCRIPT_BYTES_MAX = 256 << 20 };

/* ---- parameters ---- */

/* Where a string, a quoted name or a comment that begins here ends; the next byte where none does. */
static size_t skip_quoted(struct ew_span text, size_t at) {
  char quote = text.bytes[at];
  bool slash = quote == '/' && at + 1 < text.length;
  size_t end = at + 1;
  if (slash && text.bytes[at + 1] == '/') {
    while (end < text.length && text.bytes[end] != '\n') end++;
  } else if (slash && text.bytes[at + 1] == '*') {
    for (end = at + 3; end < text.length && (text.bytes[end] != '/' || text.bytes[end - 1] != '*');) end++;
    end += end < text.length;
  } else if (quote == '\'' || quote == '"' || quote == '`') {
    for (; end < text.length && text.bytes[end] != quote; end++) end += quote != '`' && text.bytes[end] == '\\';
    end += end < text.length;
  }
  return end < text.length ? end : text.length;
}

static size_t skip_blanks(struct ew_span text, size_t at) {
  while (at < text.length && (text.bytes[at] == ' ' || text.bytes[at] == '\t')) at++;
  return at;
}

/* Writes `RETURN expression;` over the `:param name => expression` at `at`: it is shorter, so that all else stays where it
   was. Returns where it ends; false where it is not one. */
static bool rewrite_setting(char *bytes, struct ew_span text, size_t at, struct ew_span *name, size_t *end) {
  static const char begin[] = ":param ", arrow[] = "=>";
  if (text.length - at < sizeof begin || memcmp(bytes + at, begin, sizeof begin - 1) != 0) return false;
  size_t from = skip_blanks(text, at + sizeof begin - 1), to = from;
  while (to < text.length && (bytes[to] == '_' || (bytes[to] >= '0' && bytes[to] <= '9') ||
                              ((bytes[to] | 32) >= 'a' && (bytes[to] | 32) <= 'z')))
    to++;
  size_t value = skip_blanks(text, to);
  if (to == from || text.length - value < sizeof arrow || memcmp(bytes + value, arrow, sizeof arrow - 1) != 0)
    return false;
  value += sizeof arrow - 1;
  for (*end = value; *end < text.length && bytes[*end] != ';' && bytes[*end] != '\n';) *end = skip_quoted(text, *end);
  *name = (struct ew_span){bytes + from, to - from};
  size_t length = *end - value, start = at + sizeof "RETURN" - 1;
  memcpy(bytes + at, "RETURN ", sizeof "RETURN " - 1);
  memmove(bytes + start + 1, bytes + value, length);
  memset(bytes + start + 1 + length, ' ', *end - start - 1 - length);
  bytes[start + 1 + length] = ';';
  return true;
}

/* The text with its settings as statements. */
static struct ew_span rewrite_settings(struct ew_arena *arena, struct ew_span text, struct ew_script *script) {
  EW_VECTOR(struct ew_script_setting) settings = {0};
  struct ew_span copy = ew_arena_copy(arena, text);
  char *bytes = (char *)(uintptr_t)copy.bytes;
  bool begins = true;
  for (size_t at = 0; at < copy.length;) {
    struct ew_span name;
    size_t end;
    char c = bytes[at];
    if (begins && c == ':' && rewrite_setting(bytes, copy, at, &name, &end)) {
      name.bytes = text.bytes + (name.bytes - bytes); /* as it was written */
      *ew_arena_vector_push(arena, &settings) = (struct ew_script_setting){ew_arena_copy(arena, name), at};
      at = end;
      continue;
    }
    if (c == ';' || c == '\n')
      begins = true;
    else if (c != ' ' && c != '\t' && c != '\r')
      begins = false;
    at = skip_quoted(copy, at);
  }
  script->settings = settings.items;
  script->setting_count = settings.count;
  return copy;
}

struct ew_span ew_script_parameter(const struct ew_script *script, size_t statement) {
  for (size_t i = 0; i < script->setting_count; i++)
    if (script->settings[i].offset == script->statements.items[statement].offset) return script->settings[i].name;
  return (struct ew_span){0};
}

/* ---- statements ---- */

static enum ew_status read_lines(struct ew_builder *builder, struct ew_span text, struct ew_cypher_script *script,
                                 struct ew_cypher_syntax_error *error) {
  EW_VECTOR(struct ew_cypher_source) all = {0};
  size_t line = 1;
  for (size_t at = 0; at < text.length; line++) {
    const char *end = memchr(text.bytes + at, '\n', text.length - at);
    size_t length = end ? (size_t)(end - text.bytes) - at : text.length - at;
    struct ew_cypher_script some;
    enum ew_status status = ew_cypher_parse_script(builder, (struct ew_span){text.bytes + at, length}, &some, error);
    if (status) {
      error->offset += at;
      error->line = line;
      return status;
    }
    for (size_t i = 0; i < some.count; i++) {
      struct ew_cypher_source *source = ew_arena_vector_push(builder->arena, &all);
      *source = some.items[i];
      source->offset += at;
      source->line = line;
    }
    at += length + 1;
  }
  *script = (struct ew_cypher_script){all.items, all.count};
  return EW_OK;
}

static bool query_goes_on(const struct ew_node *query) {
  struct ew_list clauses = cypher_is(query, CYPHER_query) ? CYPHER_AS(query, query)->clauses.list : (struct ew_list){0};
  for (size_t i = 0; i + 1 < clauses.count; i++)
    if (cypher_is(clauses.items[i], CYPHER_return)) return true;
  return false;
}

/* Whether there is a statement with something behind its RETURN. */
static bool goes_on(const struct ew_cypher_script *script) {
  for (size_t i = 0; i < script->count; i++) {
    const struct ew_node *body = CYPHER_AS(statement, script->items[i].statement)->body.node;
    if (query_goes_on(body)) return true;
    struct ew_list branches =
        cypher_is(body, CYPHER_union) ? CYPHER_AS(union, body)->branches.list : (struct ew_list){0};
    for (size_t k = 0; k < branches.count; k++)
      if (query_goes_on(branches.items[k])) return true;
  }
  return false;
}

/* Of two errors the one that is further on is the one to show. */
static enum ew_status parse(struct ew_arena *arena, struct ew_span text, struct ew_script *script,
                            struct ew_cypher_syntax_error *error) {
  struct ew_builder builder = {arena, 1};
  struct ew_cypher_syntax_error other;
  struct ew_cypher_script lines;
  enum ew_status status = ew_cypher_parse_script(&builder, text, &script->statements, error);
  script->by_line = false;
  if (!status && !goes_on(&script->statements)) return EW_OK;
  if (read_lines(&builder, text, &lines, &other)) {
    if (status && other.offset > error->offset) *error = other;
    return status;
  }
  script->statements = lines;
  script->by_line = true;
  return EW_OK;
}

enum ew_status ew_script_read(struct ew_arena *arena, const char *path, struct ew_script *script) {
  struct ew_text text = {0}, said = {0};
  struct ew_cypher_syntax_error syntax;
  struct ew_error error;
  enum ew_status status = ew_file_read(path ? path : "/dev/stdin", SCRIPT_BYTES_MAX, &text, &error);
  /* So that an error at the end is shown behind the last word, not on a line of its own. */
  while (text.length && strchr(" \t\r\n", text.bytes[text.length - 1])) ew_text_cut(&text, text.length - 1);
  if (status) {
    ew_message("%s", error.text);
    status = status == EW_MISSING ? EW_USAGE : status; /* a name that the user got wrong */
  } else if ((status = parse(arena, rewrite_settings(arena, ew_text_span(&text), script), script, &syntax))) {
    ew_cypher_syntax_error_print(&said, &syntax);
    ew_text_cut(&said, said.length - 1); /* the last line feed */
    ew_message("%s: %s", path ? path : "standard input", said.bytes);
  }
  ew_text_release(&text);
  ew_text_release(&said);
  return status;
}
