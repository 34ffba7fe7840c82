/* parse_clause.c: the clauses of a query, each at or behind its first word. */
#include "lang/cypher/parse.h"

/* ---- reading ---- */

static enum cypher_hint_kind parse_hint_kind(struct ew_cypher_parser *parser) {
  if (accept(parser, WORD_RANGE)) return CYPHER_HINT_RANGE;
  if (accept(parser, WORD_TEXT)) return CYPHER_HINT_TEXT;
  if (accept(parser, WORD_POINT)) return CYPHER_HINT_POINT;
  return CYPHER_HINT_INDEX;
}

/* Names with commas between. */
static struct ew_names parse_variables(struct ew_cypher_parser *parser) {
  size_t mark = parser->names.count;
  do {
    struct ew_span name = ew_cypher_parse_variable(parser);
    *ew_vector_push(&parser->names) = name;
  } while (accept(parser, TOKEN_COMMA));
  return take_names(parser, mark);
}

/* Behind USING: SCAN n:L, JOIN ON a, b, INDEX SEEK n:L(p). */
static const struct ew_node *parse_hint(struct ew_cypher_parser *parser) {
  struct ew_builder *builder = parser->builder;
  if (accept(parser, WORD_JOIN)) {
    expect(parser, WORD_ON);
    struct ew_names variables = parse_variables(parser);
    return CYPHER(builder, hint_join, .variables.names = variables);
  }
  bool scan = accept(parser, WORD_SCAN), seek = false;
  enum cypher_hint_kind kind = CYPHER_HINT_INDEX;
  if (!scan) {
    kind = parse_hint_kind(parser);
    expect(parser, WORD_INDEX);
    seek = kind_ahead(parser, 1) != TOKEN_COLON && accept(parser, WORD_SEEK);
  }
  struct ew_span variable = ew_cypher_parse_variable(parser);
  expect(parser, TOKEN_COLON);
  struct ew_span label = ew_cypher_parse_name(parser, "a label");
  if (scan) return CYPHER(builder, hint_scan, .variable.name = variable, .label.name = label);
  size_t mark = parser->names.count;
  expect(parser, TOKEN_LEFT_PAREN);
  do {
    struct ew_span property = ew_cypher_parse_name(parser, "a property");
    *ew_vector_push(&parser->names) = property;
  } while (accept(parser, TOKEN_COMMA));
  expect(parser, TOKEN_RIGHT_PAREN);
  return CYPHER(builder, hint_index, .hint.choice = kind, .seek.flag = seek, .variable.name = variable,
                .label.name = label, .properties.names = take_names(parser, mark));
}

static enum cypher_matching parse_matching(struct ew_cypher_parser *parser) {
  if (accept_both(parser, WORD_REPEATABLE, WORD_ELEMENTS) || accept_both(parser, WORD_REPEATABLE, WORD_ELEMENT))
    return CYPHER_MATCHING_REPEATABLE;
  if (accept_both(parser, WORD_DIFFERENT, WORD_RELATIONSHIPS) || accept_both(parser, WORD_DIFFERENT, WORD_RELATIONSHIP))
    return CYPHER_MATCHING_DIFFERENT;
  return CYPHER_MATCHING_DEFAULT;
}

const struct ew_node *ew_cypher_parse_match(struct ew_cypher_parser *parser, bool optional) {
  size_t mark = parser->nodes.count;
  enum cypher_matching matching = parse_matching(parser);
  struct ew_list patterns = ew_cypher_parse_paths(parser);
  while (accept(parser, WORD_USING)) {
    const struct ew_node *hint = parse_hint(parser);
    push_node(parser, hint);
  }
  struct ew_list hints = take_nodes(parser, mark);
  const struct ew_node *where = ew_cypher_parse_where(parser);
  return CYPHER(parser->builder, match, .optional.flag = optional, .matching.choice = matching,
                .patterns.list = patterns, .hints.list = hints, .where.node = where);
}

static const struct ew_node *parse_unwind(struct ew_cypher_parser *parser) {
  const struct ew_node *list = ew_cypher_parse_expr(parser);
  expect(parser, WORD_AS);
  struct ew_span variable = ew_cypher_parse_alias(parser);
  return CYPHER(parser->builder, unwind, .list.node = list, .variable.name = variable);
}

static const struct ew_node *parse_load_csv(struct ew_cypher_parser *parser) {
  expect(parser, WORD_CSV);
  bool headers = accept(parser, WORD_WITH) && expect(parser, WORD_HEADERS);
  expect(parser, WORD_FROM);
  const struct ew_node *source = ew_cypher_parse_expr(parser);
  expect(parser, WORD_AS);
  struct ew_span variable = ew_cypher_parse_alias(parser);
  const struct ew_node *terminator = accept(parser, WORD_FIELDTERMINATOR) ? ew_cypher_parse_expr(parser) : NULL;
  return CYPHER(parser->builder, load_csv, .headers.flag = headers, .source.node = source, .variable.name = variable,
                .terminator.node = terminator);
}

/* ---- projections ---- */

/* Notes what engines call the column: its alias, else what was written from token `first` on. */
static void keep_column(struct ew_cypher_parser *parser, uint32_t first, struct ew_span alias) {
  const struct ew_cypher_token *from = &parser->tokens[first], *to = &parser->tokens[parser->at - 1];
  struct ew_span written = {parser->text + from->start, to->start + to->length - from->start};
  *ew_vector_push(&parser->columns) = alias.length ? alias : written;
}

static const struct ew_node *parse_item(struct ew_cypher_parser *parser) {
  uint32_t first = parser->at;
  const struct ew_node *expression = ew_cypher_parse_expr(parser);
  struct ew_span alias = accept(parser, WORD_AS) ? ew_cypher_parse_alias(parser) : EW_SPAN("");
  if (parser->keeps_columns && !parser->depth && !failed(parser)) keep_column(parser, first, alias);
  return CYPHER(parser->builder, item, .expression.node = expression, .alias.name = alias);
}

static const struct ew_node *parse_sort(struct ew_cypher_parser *parser) {
  const struct ew_node *expression = ew_cypher_parse_expr(parser);
  bool descending = accept(parser, WORD_DESC) || accept(parser, WORD_DESCENDING);
  if (!descending && !accept(parser, WORD_ASC)) accept(parser, WORD_ASCENDING);
  return CYPHER(parser->builder, sort, .expression.node = expression, .descending.flag = descending);
}

/* ORDER BY, SKIP and LIMIT, behind what `projection` has so far. */
static const struct ew_node *parse_order(struct ew_cypher_parser *parser, struct cypher_projection projection) {
  size_t mark = parser->nodes.count;
  if (accept(parser, WORD_ORDER)) {
    expect(parser, WORD_BY);
    do {
      const struct ew_node *sort = parse_sort(parser);
      push_node(parser, sort);
    } while (accept(parser, TOKEN_COMMA));
  }
  projection.order.list = take_nodes(parser, mark);
  if (accept(parser, WORD_SKIP) || accept(parser, WORD_OFFSET)) projection.skip.node = ew_cypher_parse_expr(parser);
  if (accept(parser, WORD_LIMIT)) projection.limit.node = ew_cypher_parse_expr(parser);
  return ew_node_make(parser->builder, &cypher_kinds[CYPHER_projection], &projection);
}

static const struct ew_node *parse_projection(struct ew_cypher_parser *parser) {
  size_t mark = parser->nodes.count;
  if (!parser->depth) ew_vector_reset(&parser->columns);
  struct cypher_projection projection = {.distinct.flag = accept(parser, WORD_DISTINCT),
                                         .star.flag = accept(parser, TOKEN_STAR)};
  if (!projection.star.flag || accept(parser, TOKEN_COMMA)) {
    do {
      const struct ew_node *item = parse_item(parser);
      push_node(parser, item);
    } while (accept(parser, TOKEN_COMMA));
  }
  projection.items.list = take_nodes(parser, mark);
  if (projection.star.flag && !parser->depth) ew_vector_reset(&parser->columns);
  return parse_order(parser, projection);
}

/* LET x = e, y = e is WITH *, e AS x, e AS y. */
static const struct ew_node *parse_let(struct ew_cypher_parser *parser) {
  size_t mark = parser->nodes.count;
  do {
    struct ew_span variable = ew_cypher_parse_variable(parser);
    expect(parser, TOKEN_EQUAL);
    const struct ew_node *value = ew_cypher_parse_expr(parser);
    push_node(parser, CYPHER(parser->builder, item, .expression.node = value, .alias.name = variable));
  } while (accept(parser, TOKEN_COMMA));
  return CYPHER(parser->builder, projection, .star.flag = true, .items.list = take_nodes(parser, mark));
}

/* WITH, and the clauses that are short for WITH *: LET, FILTER, and ORDER BY, SKIP or LIMIT on their own. */
static const struct ew_node *parse_with(struct ew_cypher_parser *parser) {
  const struct ew_node *projection = NULL, *where = NULL;
  struct cypher_projection all = {.star.flag = true};
  if (accept(parser, WORD_WITH)) {
    projection = parse_projection(parser);
    where = ew_cypher_parse_where(parser);
  } else if (accept(parser, WORD_LET)) {
    projection = parse_let(parser);
  } else if (accept(parser, WORD_FILTER)) {
    accept(parser, WORD_WHERE);
    where = ew_cypher_parse_expr(parser);
    projection = ew_node_make(parser->builder, &cypher_kinds[CYPHER_projection], &all);
  } else {
    projection = parse_order(parser, all);
  }
  return CYPHER(parser->builder, with, .projection.node = projection, .where.node = where);
}

/* ---- calls ---- */

/* Behind `}` and IN. */
static void parse_transactions(struct ew_cypher_parser *parser, struct cypher_call_subquery *call) {
  call->in_transactions.flag = true;
  if (kind_here(parser) != WORD_TRANSACTIONS && kind_here(parser) != WORD_TRANSACTION) {
    call->concurrency.node = ew_cypher_parse_expr(parser);
    expect(parser, WORD_CONCURRENT);
  }
  if (!accept(parser, WORD_TRANSACTION)) expect(parser, WORD_TRANSACTIONS);
  for (;;) {
    if (accept(parser, WORD_OF)) {
      call->batch.node = ew_cypher_parse_expr(parser);
      if (!accept(parser, WORD_ROW)) expect(parser, WORD_ROWS);
    } else if (accept_both(parser, WORD_ON, WORD_ERROR)) {
      if (accept(parser, WORD_CONTINUE)) {
        call->on_error.choice = CYPHER_ON_ERROR_CONTINUE;
      } else if (accept(parser, WORD_BREAK)) {
        call->on_error.choice = CYPHER_ON_ERROR_BREAK;
      } else {
        call->on_error.choice = CYPHER_ON_ERROR_FAIL;
        expect(parser, WORD_FAIL);
      }
    } else if (accept_both(parser, WORD_REPORT, WORD_STATUS)) {
      expect(parser, WORD_AS);
      call->status.name = ew_cypher_parse_variable(parser);
    } else {
      return;
    }
  }
}

static const struct ew_node *parse_call_subquery(struct ew_cypher_parser *parser, bool optional) {
  struct cypher_call_subquery call = {.optional.flag = optional};
  call.scoped.flag = accept(parser, TOKEN_LEFT_PAREN);
  if (call.scoped.flag) {
    call.star.flag = accept(parser, TOKEN_STAR);
    if (!call.star.flag && !is_here(parser, TOKEN_RIGHT_PAREN)) call.imports.names = parse_variables(parser);
    expect(parser, TOKEN_RIGHT_PAREN);
  }
  expect(parser, TOKEN_LEFT_BRACE);
  if (!ew_cypher_enter(parser)) return NULL;
  call.body.node = ew_cypher_parse_query(parser);
  leave(parser);
  expect(parser, TOKEN_RIGHT_BRACE);
  if (accept(parser, WORD_IN)) parse_transactions(parser, &call);
  return ew_node_make(parser->builder, &cypher_kinds[CYPHER_call_subquery], &call);
}

static struct ew_list parse_yields(struct ew_cypher_parser *parser) {
  size_t mark = parser->nodes.count;
  do {
    struct ew_span name = ew_cypher_parse_name(parser, "a column"), alias = EW_SPAN("");
    if (accept(parser, WORD_AS)) alias = ew_cypher_parse_alias(parser);
    push_node(parser, CYPHER(parser->builder, yield, .name.name = name, .alias.name = alias));
  } while (accept(parser, TOKEN_COMMA));
  return take_nodes(parser, mark);
}

static const struct ew_node *parse_call(struct ew_cypher_parser *parser, bool optional) {
  if (is_here(parser, TOKEN_LEFT_BRACE) || is_here(parser, TOKEN_LEFT_PAREN))
    return parse_call_subquery(parser, optional);
  struct cypher_call_procedure call = {.optional.flag = optional, .name.name = ew_cypher_parse_dotted_name(parser)};
  call.explicit.flag = accept(parser, TOKEN_LEFT_PAREN);
  if (call.explicit.flag && !accept(parser, TOKEN_RIGHT_PAREN)) {
    call.arguments.list = ew_cypher_parse_exprs(parser);
    expect(parser, TOKEN_RIGHT_PAREN);
  }
  if (accept(parser, WORD_YIELD)) {
    call.star.flag = accept(parser, TOKEN_STAR);
    if (!call.star.flag) call.yields.list = parse_yields(parser);
    call.where.node = ew_cypher_parse_where(parser);
  }
  return ew_node_make(parser->builder, &cypher_kinds[CYPHER_call_procedure], &call);
}

/* ---- writing ---- */

/* :A:B, at the first colon or IS. */
static struct ew_names parse_label_names(struct ew_cypher_parser *parser) {
  size_t mark = parser->names.count;
  while (accept(parser, TOKEN_COLON) || (parser->names.count == mark && accept(parser, WORD_IS))) {
    struct ew_span label = ew_cypher_parse_name(parser, "a label");
    *ew_vector_push(&parser->names) = label;
  }
  return take_names(parser, mark);
}

static bool is_property(const struct ew_node *target) {
  return cypher_is(target, CYPHER_property) || cypher_is(target, CYPHER_index);
}

/* The name of a variable, or nothing: the parser then goes on to say what it expected. */
static struct ew_span variable_name(const struct ew_node *target) {
  return cypher_is(target, CYPHER_variable) ? CYPHER_AS(variable, target)->name.name : EW_SPAN("");
}

/* n.p = e, n = e, n += e, n:A:B */
static const struct ew_node *parse_set_item(struct ew_cypher_parser *parser) {
  struct ew_builder *builder = parser->builder;
  const struct ew_node *target = ew_cypher_parse_target(parser);
  if (is_property(target)) {
    expect(parser, TOKEN_EQUAL);
    const struct ew_node *value = ew_cypher_parse_expr(parser);
    return CYPHER(builder, set_property, .target.node = target, .value.node = value);
  }
  struct ew_span variable = variable_name(target);
  if (variable.length && (is_here(parser, TOKEN_COLON) || is_here(parser, WORD_IS))) {
    struct ew_names labels = parse_label_names(parser);
    return CYPHER(builder, set_labels, .variable.name = variable, .labels.names = labels);
  }
  bool add = variable.length && accept(parser, TOKEN_PLUS_EQUAL);
  if (!variable.length || (!add && !accept(parser, TOKEN_EQUAL))) {
    ew_cypher_unexpected(parser);
    return NULL;
  }
  const struct ew_node *value = ew_cypher_parse_expr(parser);
  return CYPHER(builder, set_all, .variable.name = variable, .add.flag = add, .value.node = value);
}

static const struct ew_node *parse_remove_item(struct ew_cypher_parser *parser) {
  const struct ew_node *target = ew_cypher_parse_target(parser);
  if (is_property(target)) return CYPHER(parser->builder, remove_property, .target.node = target);
  struct ew_span variable = variable_name(target);
  if (!variable.length || (!is_here(parser, TOKEN_COLON) && !is_here(parser, WORD_IS))) {
    ew_cypher_unexpected(parser);
    return NULL;
  }
  struct ew_names labels = parse_label_names(parser);
  return CYPHER(parser->builder, remove_labels, .variable.name = variable, .labels.names = labels);
}

static struct ew_list parse_changes(struct ew_cypher_parser *parser,
                                    const struct ew_node *(*parse_one)(struct ew_cypher_parser *)) {
  size_t mark = parser->nodes.count;
  do {
    const struct ew_node *change = parse_one(parser);
    push_node(parser, change);
  } while (accept(parser, TOKEN_COMMA));
  return take_nodes(parser, mark);
}

/* Both lists in one. */
static struct ew_list join(struct ew_cypher_parser *parser, struct ew_list first, struct ew_list second) {
  size_t mark = parser->nodes.count;
  for (size_t i = 0; i < first.count; i++) push_node(parser, first.items[i]);
  for (size_t i = 0; i < second.count; i++) push_node(parser, second.items[i]);
  return take_nodes(parser, mark);
}

static const struct ew_node *parse_merge(struct ew_cypher_parser *parser) {
  const struct ew_node *pattern = ew_cypher_parse_path(parser);
  struct ew_list on_create = {0}, on_match = {0};
  while (accept(parser, WORD_ON)) {
    bool create = accept(parser, WORD_CREATE);
    if (!create) expect(parser, WORD_MATCH);
    expect(parser, WORD_SET);
    struct ew_list changes = parse_changes(parser, parse_set_item);
    if (create)
      on_create = join(parser, on_create, changes);
    else
      on_match = join(parser, on_match, changes);
  }
  return CYPHER(parser->builder, merge, .pattern.node = pattern, .on_create.list = on_create,
                .on_match.list = on_match);
}

static const struct ew_node *parse_foreach(struct ew_cypher_parser *parser) {
  size_t mark = parser->nodes.count;
  expect(parser, TOKEN_LEFT_PAREN);
  if (!ew_cypher_enter(parser)) return NULL;
  struct ew_span variable = ew_cypher_parse_variable(parser);
  expect(parser, WORD_IN);
  const struct ew_node *list = ew_cypher_parse_expr(parser);
  expect(parser, TOKEN_BAR);
  do {
    const struct ew_node *clause = ew_cypher_parse_clause(parser);
    push_node(parser, clause);
  } while (ew_cypher_begins_clause(parser));
  leave(parser);
  expect(parser, TOKEN_RIGHT_PAREN);
  return CYPHER(parser->builder, foreach, .variable.name = variable, .list.node = list,
                .clauses.list = take_nodes(parser, mark));
}

static const struct ew_node *parse_delete(struct ew_cypher_parser *parser, bool detach) {
  struct ew_list targets = ew_cypher_parse_exprs(parser);
  return CYPHER(parser->builder, delete, .detach.flag = detach, .targets.list = targets);
}

/* ---- all of them ---- */

bool ew_cypher_begins_clause(const struct ew_cypher_parser *parser) {
  switch (kind_here(parser)) {
    case WORD_MATCH:
    case WORD_OPTIONAL:
    case WORD_WITH:
    case WORD_RETURN:
    case WORD_UNWIND:
    case WORD_CREATE:
    case WORD_MERGE:
    case WORD_SET:
    case WORD_REMOVE:
    case WORD_DELETE:
    case WORD_DETACH:
    case WORD_FOREACH:
    case WORD_CALL:
    case WORD_ORDER:
    case WORD_SKIP:
    case WORD_LIMIT: return true;
    case WORD_NODETACH:
    case WORD_INSERT:
    case WORD_LOAD:
    case WORD_USE:
    case WORD_FINISH:
    case WORD_LET:
    case WORD_FILTER:
    case WORD_OFFSET: return kind_ahead(parser, 1) != TOKEN_EQUAL;
    default: return false;
  }
}

/* Behind OPTIONAL. */
static const struct ew_node *parse_optional(struct ew_cypher_parser *parser) {
  if (accept(parser, WORD_CALL)) return parse_call(parser, true);
  expect(parser, WORD_MATCH);
  return ew_cypher_parse_match(parser, true);
}

static const struct ew_node *parse_delete_words(struct ew_cypher_parser *parser, bool detach) {
  expect(parser, WORD_DELETE);
  return parse_delete(parser, detach);
}

const struct ew_node *ew_cypher_parse_clause(struct ew_cypher_parser *parser) {
  struct ew_builder *builder = parser->builder;
  if (!ew_cypher_begins_clause(parser)) {
    expected(parser, "a clause");
    ew_cypher_unexpected(parser);
    return NULL;
  }
  uint32_t kind = parser->tokens[parser->at++].kind;
  switch (kind) {
    case WORD_MATCH: return ew_cypher_parse_match(parser, false);
    case WORD_OPTIONAL: return parse_optional(parser);
    case WORD_RETURN: return CYPHER(builder, return, .projection.node = parse_projection(parser));
    case WORD_UNWIND: return parse_unwind(parser);
    case WORD_CREATE:
    case WORD_INSERT: return CYPHER(builder, create, .patterns.list = ew_cypher_parse_paths(parser));
    case WORD_MERGE: return parse_merge(parser);
    case WORD_SET: return CYPHER(builder, set, .changes.list = parse_changes(parser, parse_set_item));
    case WORD_REMOVE: return CYPHER(builder, remove, .changes.list = parse_changes(parser, parse_remove_item));
    case WORD_DELETE: return parse_delete(parser, false);
    case WORD_DETACH: return parse_delete_words(parser, true);
    case WORD_NODETACH: return parse_delete_words(parser, false);
    case WORD_FOREACH: return parse_foreach(parser);
    case WORD_CALL: return parse_call(parser, false);
    case WORD_LOAD: return parse_load_csv(parser);
    case WORD_USE: return CYPHER(builder, use, .graph.node = ew_cypher_parse_expr(parser));
    case WORD_FINISH: return CYPHER(builder, finish, );
    default: parser->at--; return parse_with(parser);
  }
}
