/* print.c: statements and clauses. Expressions and patterns have files of their own; names are in print_name.c. */
#include "lang/cypher/print.h"

#include "lang/cypher/printer.h"

/* ---- projections ---- */

static void print_item(struct ew_cypher_printer *printer, const struct cypher_item *item) {
  ew_cypher_print_expression(printer, item->expression.node, EW_LEVEL_ANY);
  if (!item->alias.name.length) return;
  EW_PUT(printer, " AS ");
  ew_cypher_print_name(printer->text, item->alias.name);
}

static void print_sort(struct ew_cypher_printer *printer, const struct cypher_sort *sort) {
  ew_cypher_print_expression(printer, sort->expression.node, EW_LEVEL_ANY);
  if (sort->descending.flag) EW_PUT(printer, " DESC");
}

static void print_projection(struct ew_cypher_printer *printer, const struct cypher_projection *projection) {
  if (projection->distinct.flag) EW_PUT(printer, "DISTINCT ");
  if (projection->star.flag) EW_PUT(printer, "*");
  for (size_t i = 0; i < projection->items.list.count; i++) {
    if (i || projection->star.flag) EW_PUT(printer, ", ");
    print_item(printer, CYPHER_AS(item, projection->items.list.items[i]));
  }
  for (size_t i = 0; i < projection->order.list.count; i++) {
    if (i)
      EW_PUT(printer, ", ");
    else
      EW_PUT(printer, " ORDER BY ");
    print_sort(printer, CYPHER_AS(sort, projection->order.list.items[i]));
  }
  if (projection->skip.node) {
    EW_PUT(printer, " SKIP ");
    ew_cypher_print_expression(printer, projection->skip.node, EW_LEVEL_ANY);
  }
  if (projection->limit.node) {
    EW_PUT(printer, " LIMIT ");
    ew_cypher_print_expression(printer, projection->limit.node, EW_LEVEL_ANY);
  }
}

/* ---- reading clauses ---- */

static void print_hint(struct ew_cypher_printer *printer, const struct ew_node *node) {
  EW_PUT(printer, "USING ");
  switch (node->kind->code) {
    case CYPHER_hint_index: {
      const struct cypher_hint_index *hint = CYPHER_AS(hint_index, node);
      ew_text_add_string(printer->text, cypher_hint_kind_text[hint->hint.choice]);
      if (hint->seek.flag) EW_PUT(printer, " SEEK");
      EW_PUT(printer, " ");
      ew_cypher_print_name(printer->text, hint->variable.name);
      EW_PUT(printer, ":");
      ew_cypher_print_name(printer->text, hint->label.name);
      EW_PUT(printer, "(");
      ew_cypher_print_names(printer, hint->properties.names, EW_SPAN(", "));
      EW_PUT(printer, ")");
      break;
    }
    case CYPHER_hint_scan:
      EW_PUT(printer, "SCAN ");
      ew_cypher_print_name(printer->text, CYPHER_AS(hint_scan, node)->variable.name);
      EW_PUT(printer, ":");
      ew_cypher_print_name(printer->text, CYPHER_AS(hint_scan, node)->label.name);
      break;
    default:
      EW_PUT(printer, "JOIN ON ");
      ew_cypher_print_names(printer, CYPHER_AS(hint_join, node)->variables.names, EW_SPAN(", "));
      break;
  }
}

/* Without the word MATCH: also the inside of EXISTS {…}. */
static void print_match_rest(struct ew_cypher_printer *printer, const struct cypher_match *match) {
  ew_cypher_print_paths(printer, match->patterns.list);
  for (size_t i = 0; i < match->hints.list.count; i++) {
    EW_PUT(printer, " ");
    print_hint(printer, match->hints.list.items[i]);
  }
  ew_cypher_print_where(printer, match->where.node);
}

static void print_match(struct ew_cypher_printer *printer, const struct cypher_match *match) {
  if (match->optional.flag) EW_PUT(printer, "OPTIONAL ");
  EW_PUT(printer, "MATCH ");
  if (match->matching.choice != CYPHER_MATCHING_DEFAULT) {
    ew_text_add_string(printer->text, cypher_matching_text[match->matching.choice]);
    EW_PUT(printer, " ");
  }
  print_match_rest(printer, match);
}

static void print_yield(struct ew_cypher_printer *printer, const struct cypher_yield *yield) {
  ew_cypher_print_name(printer->text, yield->name.name);
  if (!yield->alias.name.length) return;
  EW_PUT(printer, " AS ");
  ew_cypher_print_name(printer->text, yield->alias.name);
}

static void print_call_procedure(struct ew_cypher_printer *printer, const struct cypher_call_procedure *call) {
  if (call->optional.flag) EW_PUT(printer, "OPTIONAL ");
  EW_PUT(printer, "CALL ");
  ew_cypher_print_callable(printer, call->name.name);
  if (call->explicit.flag) {
    EW_PUT(printer, "(");
    ew_cypher_print_expressions(printer, call->arguments.list);
    EW_PUT(printer, ")");
  }
  if (call->star.flag) EW_PUT(printer, " YIELD *");
  for (size_t i = 0; i < call->yields.list.count; i++) {
    if (i)
      EW_PUT(printer, ", ");
    else
      EW_PUT(printer, " YIELD ");
    print_yield(printer, CYPHER_AS(yield, call->yields.list.items[i]));
  }
  ew_cypher_print_where(printer, call->where.node);
}

static void print_transactions(struct ew_cypher_printer *printer, const struct cypher_call_subquery *call) {
  EW_PUT(printer, " IN ");
  if (call->concurrency.node) {
    ew_cypher_print_expression(printer, call->concurrency.node, EW_LEVEL_ANY);
    EW_PUT(printer, " CONCURRENT ");
  }
  EW_PUT(printer, "TRANSACTIONS");
  if (call->batch.node) {
    EW_PUT(printer, " OF ");
    ew_cypher_print_expression(printer, call->batch.node, EW_LEVEL_ANY);
    EW_PUT(printer, " ROWS");
  }
  if (call->on_error.choice != CYPHER_ON_ERROR_DEFAULT) {
    EW_PUT(printer, " ON ERROR ");
    ew_text_add_string(printer->text, cypher_on_error_text[call->on_error.choice]);
  }
  if (!call->status.name.length) return;
  EW_PUT(printer, " REPORT STATUS AS ");
  ew_cypher_print_name(printer->text, call->status.name);
}

static void print_call_subquery(struct ew_cypher_printer *printer, const struct cypher_call_subquery *call) {
  if (call->optional.flag) EW_PUT(printer, "OPTIONAL ");
  EW_PUT(printer, "CALL ");
  if (call->scoped.flag) {
    EW_PUT(printer, "(");
    if (call->star.flag) EW_PUT(printer, "*");
    ew_cypher_print_names(printer, call->imports.names, EW_SPAN(", "));
    EW_PUT(printer, ") ");
  }
  ew_cypher_print_body(printer, call->body.node, false);
  if (call->in_transactions.flag) print_transactions(printer, call);
}

static void print_load_csv(struct ew_cypher_printer *printer, const struct cypher_load_csv *load) {
  EW_PUT(printer, "LOAD CSV ");
  if (load->headers.flag) EW_PUT(printer, "WITH HEADERS ");
  EW_PUT(printer, "FROM ");
  ew_cypher_print_expression(printer, load->source.node, EW_LEVEL_ANY);
  EW_PUT(printer, " AS ");
  ew_cypher_print_name(printer->text, load->variable.name);
  if (!load->terminator.node) return;
  EW_PUT(printer, " FIELDTERMINATOR ");
  ew_cypher_print_expression(printer, load->terminator.node, EW_LEVEL_ANY);
}

/* ---- writing clauses ---- */

static void print_variable_labels(struct ew_cypher_printer *printer, struct ew_span variable, struct ew_names labels) {
  ew_cypher_print_name(printer->text, variable);
  EW_PUT(printer, ":");
  ew_cypher_print_names(printer, labels, EW_SPAN(":"));
}

static void print_change(struct ew_cypher_printer *printer, const struct ew_node *node) {
  switch (node->kind->code) {
    case CYPHER_set_property:
      ew_cypher_print_expression(printer, CYPHER_AS(set_property, node)->target.node, EW_LEVEL_POSTFIX);
      EW_PUT(printer, " = ");
      ew_cypher_print_expression(printer, CYPHER_AS(set_property, node)->value.node, EW_LEVEL_ANY);
      break;
    case CYPHER_set_all:
      ew_cypher_print_name(printer->text, CYPHER_AS(set_all, node)->variable.name);
      if (CYPHER_AS(set_all, node)->add.flag)
        EW_PUT(printer, " += ");
      else
        EW_PUT(printer, " = ");
      ew_cypher_print_expression(printer, CYPHER_AS(set_all, node)->value.node, EW_LEVEL_ANY);
      break;
    case CYPHER_set_labels:
      print_variable_labels(printer, CYPHER_AS(set_labels, node)->variable.name,
                            CYPHER_AS(set_labels, node)->labels.names);
      break;
    case CYPHER_remove_property:
      ew_cypher_print_expression(printer, CYPHER_AS(remove_property, node)->target.node, EW_LEVEL_POSTFIX);
      break;
    default:
      print_variable_labels(printer, CYPHER_AS(remove_labels, node)->variable.name,
                            CYPHER_AS(remove_labels, node)->labels.names);
      break;
  }
}

static void print_changes(struct ew_cypher_printer *printer, struct ew_list changes) {
  for (size_t i = 0; i < changes.count; i++) {
    if (i) EW_PUT(printer, ", ");
    print_change(printer, changes.items[i]);
  }
}

static void print_merge(struct ew_cypher_printer *printer, const struct cypher_merge *merge) {
  EW_PUT(printer, "MERGE ");
  ew_cypher_print_path(printer, merge->pattern.node);
  if (merge->on_create.list.count) EW_PUT(printer, " ON CREATE SET ");
  print_changes(printer, merge->on_create.list);
  if (merge->on_match.list.count) EW_PUT(printer, " ON MATCH SET ");
  print_changes(printer, merge->on_match.list);
}

static void print_clauses(struct ew_cypher_printer *printer, struct ew_list clauses) {
  for (size_t i = 0; i < clauses.count; i++) {
    if (i) EW_PUT(printer, " ");
    ew_cypher_print_clause(printer, clauses.items[i]);
  }
}

static void print_foreach(struct ew_cypher_printer *printer, const struct cypher_foreach *foreach) {
  EW_PUT(printer, "FOREACH (");
  ew_cypher_print_name(printer->text, foreach->variable.name);
  EW_PUT(printer, " IN ");
  ew_cypher_print_before_bar(printer, foreach->list.node);
  EW_PUT(printer, " | ");
  print_clauses(printer, foreach->clauses.list);
  EW_PUT(printer, ")");
}

static void print_writing(struct ew_cypher_printer *printer, const struct ew_node *node) {
  switch (node->kind->code) {
    case CYPHER_create:
      EW_PUT(printer, "CREATE ");
      ew_cypher_print_paths(printer, CYPHER_AS(create, node)->patterns.list);
      break;
    case CYPHER_merge: print_merge(printer, CYPHER_AS(merge, node)); break;
    case CYPHER_set:
      EW_PUT(printer, "SET ");
      print_changes(printer, CYPHER_AS(set, node)->changes.list);
      break;
    case CYPHER_remove:
      EW_PUT(printer, "REMOVE ");
      print_changes(printer, CYPHER_AS(remove, node)->changes.list);
      break;
    case CYPHER_delete:
      if (CYPHER_AS(delete, node)->detach.flag) EW_PUT(printer, "DETACH ");
      EW_PUT(printer, "DELETE ");
      ew_cypher_print_expressions(printer, CYPHER_AS(delete, node)->targets.list);
      break;
    case CYPHER_foreach: print_foreach(printer, CYPHER_AS(foreach, node)); break;
    default: EW_BUG("no clause: %s", node->kind->name);
  }
}

void ew_cypher_print_clause(struct ew_cypher_printer *printer, const struct ew_node *node) {
  switch (node->kind->code) {
    case CYPHER_match: print_match(printer, CYPHER_AS(match, node)); break;
    case CYPHER_with:
      EW_PUT(printer, "WITH ");
      print_projection(printer, CYPHER_AS(projection, CYPHER_AS(with, node)->projection.node));
      ew_cypher_print_where(printer, CYPHER_AS(with, node)->where.node);
      break;
    case CYPHER_return:
      EW_PUT(printer, "RETURN ");
      print_projection(printer, CYPHER_AS(projection, CYPHER_AS(return, node)->projection.node));
      break;
    case CYPHER_unwind:
      EW_PUT(printer, "UNWIND ");
      ew_cypher_print_expression(printer, CYPHER_AS(unwind, node)->list.node, EW_LEVEL_ANY);
      EW_PUT(printer, " AS ");
      ew_cypher_print_name(printer->text, CYPHER_AS(unwind, node)->variable.name);
      break;
    case CYPHER_call_subquery: print_call_subquery(printer, CYPHER_AS(call_subquery, node)); break;
    case CYPHER_call_procedure: print_call_procedure(printer, CYPHER_AS(call_procedure, node)); break;
    case CYPHER_load_csv: print_load_csv(printer, CYPHER_AS(load_csv, node)); break;
    case CYPHER_use:
      EW_PUT(printer, "USE ");
      ew_cypher_print_expression(printer, CYPHER_AS(use, node)->graph.node, EW_LEVEL_ANY);
      break;
    case CYPHER_finish: EW_PUT(printer, "FINISH"); break;
    default: print_writing(printer, node); break;
  }
}

/* ---- queries and statements ---- */

void ew_cypher_print_query(struct ew_cypher_printer *printer, const struct ew_node *node) {
  if (node->kind->code == CYPHER_query) {
    print_clauses(printer, CYPHER_AS(query, node)->clauses.list);
    return;
  }
  if (node->kind->code != CYPHER_union) {
    ew_cypher_print_command(printer, node);
    return;
  }
  const struct cypher_union *all = CYPHER_AS(union, node);
  for (size_t i = 0; i < all->branches.list.count; i++) {
    if (i && all->all.flag)
      EW_PUT(printer, " UNION ALL ");
    else if (i)
      EW_PUT(printer, " UNION ");
    ew_cypher_print_query(printer, all->branches.list.items[i]);
  }
}

void ew_cypher_print_body(struct ew_cypher_printer *printer, const struct ew_node *query, bool bare) {
  bool outer = printer->before_bar;
  printer->before_bar = false;
  EW_PUT(printer, "{ ");
  struct ew_list clauses = cypher_is(query, CYPHER_query) ? CYPHER_AS(query, query)->clauses.list : (struct ew_list){0};
  if (bare && clauses.count == 1 && cypher_is(clauses.items[0], CYPHER_match))
    print_match_rest(printer, CYPHER_AS(match, clauses.items[0]));
  else
    ew_cypher_print_query(printer, query);
  EW_PUT(printer, " }");
  printer->before_bar = outer;
}

static void print_statement(struct ew_cypher_printer *printer, const struct cypher_statement *statement) {
  for (size_t i = 0; i < statement->settings.list.count; i++) {
    const struct cypher_setting *setting = CYPHER_AS(setting, statement->settings.list.items[i]);
    if (i == 0) EW_PUT(printer, "CYPHER ");
    ew_text_add(printer->text, setting->name.name);
    if (setting->setting.name.length) EW_PUT(printer, "=");
    ew_text_add(printer->text, setting->setting.name);
    EW_PUT(printer, " ");
  }
  if (statement->mode.choice != CYPHER_MODE_RUN) {
    ew_text_add_string(printer->text, cypher_mode_text[statement->mode.choice]);
    EW_PUT(printer, " ");
  }
  ew_cypher_print_query(printer, statement->body.node);
}

/* One statement a line. */
static void print_script(struct ew_cypher_printer *printer, const struct cypher_script *script) {
  for (size_t i = 0; i < script->statements.list.count; i++) {
    if (i) EW_PUT(printer, ";\n");
    print_statement(printer, CYPHER_AS(statement, script->statements.list.items[i]));
  }
}

/* Nodes that never stand alone in a statement; printed so that a part of a tree can be shown. */
static void print_part(struct ew_cypher_printer *printer, const struct ew_node *node) {
  switch (node->kind->code) {
    case CYPHER_setting:
      ew_text_add(printer->text, CYPHER_AS(setting, node)->name.name);
      EW_PUT(printer, "=");
      ew_text_add(printer->text, CYPHER_AS(setting, node)->setting.name);
      break;
    case CYPHER_argument:
      EW_PUT(printer, "$");
      ew_cypher_print_name(printer->text, CYPHER_AS(argument, node)->name.name);
      EW_PUT(printer, ": ");
      ew_cypher_print_expression(printer, CYPHER_AS(argument, node)->value.node, EW_LEVEL_ANY);
      break;
    case CYPHER_link:
      ew_text_add_string(printer->text, cypher_operator_text[CYPHER_AS(link, node)->operator.choice]);
      EW_PUT(printer, " ");
      ew_cypher_print_expression(printer, CYPHER_AS(link, node)->right.node, EW_LEVEL_PREDICATE);
      break;
    case CYPHER_entry:
      ew_cypher_print_name(printer->text, CYPHER_AS(entry, node)->key.name);
      EW_PUT(printer, ": ");
      ew_cypher_print_expression(printer, CYPHER_AS(entry, node)->value.node, EW_LEVEL_ANY);
      break;
    case CYPHER_when:
      EW_PUT(printer, "WHEN ");
      ew_cypher_print_expression(printer, CYPHER_AS(when, node)->test.node, EW_LEVEL_ANY);
      EW_PUT(printer, " THEN ");
      ew_cypher_print_expression(printer, CYPHER_AS(when, node)->result.node, EW_LEVEL_ANY);
      break;
    default: EW_BUG("cannot print %s", node->kind->name);
  }
}

void ew_cypher_print(struct ew_text *text, const struct ew_node *node, const struct ew_profile *profile) {
  struct ew_cypher_printer printer = {.text = text, .profile = profile};
  switch (node->kind->class) {
    case CYPHER_CLASS_SCRIPT: print_script(&printer, CYPHER_AS(script, node)); break;
    case CYPHER_CLASS_STATEMENT: print_statement(&printer, CYPHER_AS(statement, node)); break;
    case CYPHER_CLASS_QUERY: ew_cypher_print_query(&printer, node); break;
    case CYPHER_CLASS_CLAUSE: ew_cypher_print_clause(&printer, node); break;
    case CYPHER_CLASS_PROJECTION: print_projection(&printer, CYPHER_AS(projection, node)); break;
    case CYPHER_CLASS_ITEM: print_item(&printer, CYPHER_AS(item, node)); break;
    case CYPHER_CLASS_SORT: print_sort(&printer, CYPHER_AS(sort, node)); break;
    case CYPHER_CLASS_CHANGE: print_change(&printer, node); break;
    case CYPHER_CLASS_YIELD: print_yield(&printer, CYPHER_AS(yield, node)); break;
    case CYPHER_CLASS_HINT: print_hint(&printer, node); break;
    case CYPHER_CLASS_PATH: ew_cypher_print_path(&printer, node); break;
    case CYPHER_CLASS_ELEMENT: ew_cypher_print_element(&printer, node); break;
    case CYPHER_CLASS_LENGTH: ew_cypher_print_length(&printer, node); break;
    case CYPHER_CLASS_LABELS: ew_cypher_print_labels(&printer, node); break;
    case CYPHER_CLASS_EXPR: ew_cypher_print_expression(&printer, node, EW_LEVEL_ANY); break;
    case CYPHER_CLASS_PROJECTOR: ew_cypher_print_projector(&printer, node); break;
    case CYPHER_CLASS_TYPE: ew_cypher_print_type(&printer, node); break;
    case CYPHER_CLASS_GRAPH:
    case CYPHER_CLASS_VERTEX:
    case CYPHER_CLASS_EDGE:
    case CYPHER_CLASS_SCHEMA: ew_cypher_print_datum(&printer, node); break;
    default: print_part(&printer, node); break;
  }
}
