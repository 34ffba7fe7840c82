/* check.c: queries, clause by clause. */
#include "lang/cypher/checker.h"

static const struct ew_span nothing = {0};
static const struct ew_cypher_type any = {EW_TYPE_ANY, EW_TYPE_ANY};

/* ---- what clauses are ---- */

enum sort { READING, WRITING, PROJECTING, ENDING, FIRST };

static enum sort sort_of(const struct ew_node *clause) {
  switch (clause->kind->code) {
    case CYPHER_create:
    case CYPHER_merge:
    case CYPHER_set:
    case CYPHER_remove:
    case CYPHER_delete:
    case CYPHER_foreach: return WRITING;
    case CYPHER_with: return PROJECTING;
    case CYPHER_return:
    case CYPHER_finish: return ENDING;
    case CYPHER_use: return FIRST;
    default: return READING;
  }
}

static void misplaced(struct ew_cypher_checker *checker, const struct ew_node *node) {
  ew_cypher_fail(checker, EW_CYPHER_InvalidClauseComposition, node, nothing);
}

/* Whether a query hands rows to the one around it; of a union the first part decides, the others must agree. */
static bool returns(const struct ew_node *query) {
  if (cypher_is(query, CYPHER_union)) {
    struct ew_list branches = CYPHER_AS(union, query)->branches.list;
    return branches.count && returns(branches.items[0]);
  }
  if (!cypher_is(query, CYPHER_query)) return false;
  struct ew_list clauses = CYPHER_AS(query, query)->clauses.list;
  return clauses.count && cypher_is(clauses.items[clauses.count - 1], CYPHER_return);
}

static bool ends_properly(struct ew_list clauses, enum ew_cypher_ending ending) {
  const struct ew_node *last = clauses.items[clauses.count - 1];
  if (ending == EW_ENDING_ANY) return true;
  if (ending == EW_ENDING_RETURN) return cypher_is(last, CYPHER_return);
  if (cypher_is(last, CYPHER_call_subquery)) return !returns(CYPHER_AS(call_subquery, last)->body.node);
  if (cypher_is(last, CYPHER_call_procedure))
    return clauses.count == 1 || !CYPHER_AS(call_procedure, last)->yields.list.count;
  return sort_of(last) == WRITING || sort_of(last) == ENDING;
}

/* A procedure's columns are known to the engine only, so * would bind what nobody here can name. */
static bool yields_star(const struct ew_node *clause) {
  return cypher_is(clause, CYPHER_call_procedure) && CYPHER_AS(call_procedure, clause)->star.flag;
}

/* A clause that reads needs a WITH between it and a clause that wrote; a query in an expression only reads. */
static void check_composition(struct ew_cypher_checker *checker, const struct ew_node *query, struct ew_list clauses,
                              enum ew_cypher_ending ending) {
  bool written = false;
  for (size_t i = 0; i < clauses.count; i++) {
    enum sort sort = sort_of(clauses.items[i]);
    bool wrong = (sort == READING && written) || (sort == ENDING && i + 1 < clauses.count) || (sort == FIRST && i > 0);
    if (sort == WRITING && (ending == EW_ENDING_ANY || ending == EW_ENDING_RETURN)) wrong = true;
    if (wrong) misplaced(checker, clauses.items[i]);
    if (clauses.count > 1 && yields_star(clauses.items[i]))
      ew_cypher_fail(checker, EW_CYPHER_UnexpectedSyntax, clauses.items[i], nothing);
    if (sort == WRITING) written = true;
    if (sort == PROJECTING) written = false;
  }
  if (!clauses.count || !ends_properly(clauses, ending)) misplaced(checker, query);
}

/* ---- reading ---- */

static void check_hint(struct ew_cypher_checker *checker, const struct ew_node *hint) {
  switch (hint->kind->code) {
    case CYPHER_hint_index: ew_cypher_use(checker, hint, CYPHER_AS(hint_index, hint)->variable.name); break;
    case CYPHER_hint_scan: ew_cypher_use(checker, hint, CYPHER_AS(hint_scan, hint)->variable.name); break;
    default: {
      struct ew_names names = CYPHER_AS(hint_join, hint)->variables.names;
      for (size_t i = 0; i < names.count; i++) ew_cypher_use(checker, hint, names.items[i]);
      break;
    }
  }
}

static void check_match(struct ew_cypher_checker *checker, const struct cypher_match *match) {
  ew_cypher_check_patterns(checker, match->patterns.list, EW_PATTERN_MATCH);
  for (size_t i = 0; i < match->hints.list.count; i++) check_hint(checker, match->hints.list.items[i]);
  ew_cypher_check_where(checker, match->where.node);
}

static struct ew_cypher_type element_of(struct ew_cypher_type list) {
  return list.set == EW_TYPE_LIST && list.elements ? (struct ew_cypher_type){list.elements, EW_TYPE_ANY} : any;
}

static void check_unwind(struct ew_cypher_checker *checker, const struct ew_node *node) {
  struct ew_cypher_type list = ew_cypher_type_in(checker, CYPHER_AS(unwind, node)->list.node, EW_AGGREGATES_NO, false);
  ew_cypher_bind_new(checker, node, CYPHER_AS(unwind, node)->variable.name, element_of(list));
}

static void check_load_csv(struct ew_cypher_checker *checker, const struct ew_node *node) {
  const struct cypher_load_csv *load = CYPHER_AS(load_csv, node);
  struct ew_cypher_type row = {EW_TYPE_LIST, EW_TYPE_STRING};
  if (load->headers.flag) row = (struct ew_cypher_type){EW_TYPE_MAP, 0};
  ew_cypher_type_in(checker, load->source.node, EW_AGGREGATES_NO, false);
  if (load->terminator.node) ew_cypher_type_in(checker, load->terminator.node, EW_AGGREGATES_NO, false);
  ew_cypher_bind_new(checker, node, load->variable.name, row);
}

static void check_call_procedure(struct ew_cypher_checker *checker, const struct ew_node *node) {
  const struct cypher_call_procedure *call = CYPHER_AS(call_procedure, node);
  ew_cypher_check_expressions(checker, call->arguments.list);
  for (size_t i = 0; i < call->yields.list.count; i++) {
    const struct cypher_yield *yield = CYPHER_AS(yield, call->yields.list.items[i]);
    struct ew_span name = yield->alias.name.length ? yield->alias.name : yield->name.name;
    ew_cypher_bind_new(checker, call->yields.list.items[i], name, any);
  }
  ew_cypher_check_where(checker, call->where.node);
}

/* ---- CALL { } ---- */

/* The old way to import: a first WITH of nothing but variables. */
static bool imports(const struct ew_node *query) {
  struct ew_list clauses = cypher_is(query, CYPHER_query) ? CYPHER_AS(query, query)->clauses.list : (struct ew_list){0};
  if (!clauses.count || !cypher_is(clauses.items[0], CYPHER_with)) return false;
  const struct ew_node *node = CYPHER_AS(with, clauses.items[0])->projection.node;
  struct ew_list items = CYPHER_AS(projection, node)->items.list;
  for (size_t i = 0; i < items.count; i++) {
    const struct cypher_item *item = CYPHER_AS(item, items.items[i]);
    if (item->alias.name.length || !cypher_is(item->expression.node, CYPHER_variable)) return false;
  }
  return true;
}

static void copy_bindings(struct ew_cypher_checker *checker, size_t from, size_t to) {
  for (size_t i = from; i < to; i++) {
    struct ew_cypher_binding binding = checker->bindings.items[i];
    ew_cypher_bind(checker, binding.name, binding.type);
  }
}

/* The body of CALL { }: afterwards its columns are in `columns`. */
static void check_body(struct ew_cypher_checker *checker, const struct ew_node *node) {
  const struct cypher_call_subquery *call = CYPHER_AS(call_subquery, node);
  size_t count = checker->bindings.count, floor = checker->floor, base = checker->base;
  size_t importable = checker->importable;
  if (call->scoped.flag && call->star.flag) copy_bindings(checker, floor, count);
  for (size_t i = 0; call->scoped.flag && i < call->imports.names.count; i++) {
    struct ew_cypher_type type = ew_cypher_use(checker, node, call->imports.names.items[i]);
    ew_cypher_bind(checker, call->imports.names.items[i], type);
  }
  checker->importable = call->scoped.flag ? count : floor;
  checker->floor = count;
  checker->base = checker->bindings.count;
  ew_cypher_check_query(checker, call->body.node, EW_ENDING_CALL);
  checker->bindings.count = count;
  checker->floor = floor;
  checker->base = base;
  checker->importable = importable;
}

static void check_call_subquery(struct ew_cypher_checker *checker, const struct ew_node *node) {
  const struct cypher_call_subquery *call = CYPHER_AS(call_subquery, node);
  struct ew_cypher_stack columns = checker->columns;
  checker->columns = (struct ew_cypher_stack){0};
  check_body(checker, node);
  if (returns(call->body.node))
    for (size_t i = 0; i < checker->columns.count; i++) {
      struct ew_cypher_binding column = checker->columns.items[i];
      if (!column.name.length)
        ew_cypher_fail(checker, EW_CYPHER_NoExpressionAlias, node, nothing);
      else
        ew_cypher_bind_new(checker, node, column.name, column.type);
    }
  ew_vector_release(&checker->columns);
  checker->columns = columns;
  if (call->batch.node) ew_cypher_type_in(checker, call->batch.node, EW_AGGREGATES_NO, false);
  if (call->concurrency.node) ew_cypher_type_in(checker, call->concurrency.node, EW_AGGREGATES_NO, false);
  if (call->status.name.length)
    ew_cypher_bind_new(checker, node, call->status.name, (struct ew_cypher_type){EW_TYPE_MAP, 0});
}

/* ---- writing ---- */

static void check_target(struct ew_cypher_checker *checker, const struct ew_node *node, struct ew_span variable,
                         uint32_t want) {
  if (ew_cypher_conflict(ew_cypher_use(checker, node, variable), want))
    ew_cypher_fail(checker, EW_CYPHER_VariableTypeConflict, node, variable);
}

static void check_change(struct ew_cypher_checker *checker, const struct ew_node *node) {
  const struct ew_node *first = NULL, *second = NULL;
  switch (node->kind->code) {
    case CYPHER_set_property:
      first = CYPHER_AS(set_property, node)->target.node;
      second = CYPHER_AS(set_property, node)->value.node;
      break;
    case CYPHER_remove_property: first = CYPHER_AS(remove_property, node)->target.node; break;
    case CYPHER_set_all:
      check_target(checker, node, CYPHER_AS(set_all, node)->variable.name, EW_TYPE_NODE | EW_TYPE_RELATIONSHIP);
      second = CYPHER_AS(set_all, node)->value.node;
      break;
    case CYPHER_set_labels:
      check_target(checker, node, CYPHER_AS(set_labels, node)->variable.name, EW_TYPE_NODE);
      break;
    default: check_target(checker, node, CYPHER_AS(remove_labels, node)->variable.name, EW_TYPE_NODE); break;
  }
  if (first) ew_cypher_type_in(checker, first, EW_AGGREGATES_NO, false);
  if (second) ew_cypher_type_in(checker, second, EW_AGGREGATES_NO, false);
}

static void check_changes(struct ew_cypher_checker *checker, struct ew_list changes) {
  for (size_t i = 0; i < changes.count; i++) check_change(checker, changes.items[i]);
}

static void check_delete(struct ew_cypher_checker *checker, struct ew_list targets) {
  for (size_t i = 0; i < targets.count; i++) {
    const struct ew_node *target = targets.items[i];
    struct ew_cypher_type type = ew_cypher_type_in(checker, target, EW_AGGREGATES_NO, false);
    if (cypher_is(target, CYPHER_label_test)) ew_cypher_fail(checker, EW_CYPHER_InvalidDelete, target, nothing);
    if (ew_cypher_conflict(type, EW_TYPE_NODE | EW_TYPE_RELATIONSHIP | EW_TYPE_PATH))
      ew_cypher_fail(checker, EW_CYPHER_InvalidArgumentType, target, nothing);
  }
}

static void check_clause(struct ew_cypher_checker *checker, const struct ew_node *clause);

static void check_foreach(struct ew_cypher_checker *checker, const struct ew_node *node) {
  const struct cypher_foreach *foreach = CYPHER_AS(foreach, node);
  struct ew_cypher_type list = ew_cypher_type_in(checker, foreach->list.node, EW_AGGREGATES_NO, false);
  size_t mark = checker->bindings.count;
  ew_cypher_bind_new(checker, node, foreach->variable.name, element_of(list));
  if (!foreach->clauses.list.count) misplaced(checker, node);
  for (size_t i = 0; i < foreach->clauses.list.count; i++) {
    const struct ew_node *clause = foreach->clauses.list.items[i];
    if (sort_of(clause) != WRITING) misplaced(checker, clause);
    check_clause(checker, clause);
  }
  checker->bindings.count = mark;
}

static void check_merge(struct ew_cypher_checker *checker, const struct cypher_merge *merge) {
  ew_cypher_check_pattern(checker, merge->pattern.node, EW_PATTERN_MERGE);
  check_changes(checker, merge->on_create.list);
  check_changes(checker, merge->on_match.list);
}

/* ---- queries ---- */

static void note_visible(struct ew_cypher_checker *checker) {
  size_t count = checker->bindings.count - checker->floor;
  struct ew_cypher_binding *copy = EW_NEW_ARRAY(checker->arena, struct ew_cypher_binding, count);
  for (size_t i = 0; i < count; i++) copy[i] = checker->bindings.items[checker->floor + i];
  checker->visible = (struct ew_cypher_bindings){copy, count};
}

static void check_clause(struct ew_cypher_checker *checker, const struct ew_node *clause) {
  if (clause == checker->stop) note_visible(checker);
  switch (clause->kind->code) {
    case CYPHER_match: check_match(checker, CYPHER_AS(match, clause)); break;
    case CYPHER_with:
      ew_cypher_check_projection(checker, CYPHER_AS(with, clause)->projection.node, true,
                                 CYPHER_AS(with, clause)->where.node);
      break;
    case CYPHER_return:
      ew_cypher_check_projection(checker, CYPHER_AS(return, clause)->projection.node, false, NULL);
      break;
    case CYPHER_unwind: check_unwind(checker, clause); break;
    case CYPHER_create:
      ew_cypher_check_patterns(checker, CYPHER_AS(create, clause)->patterns.list, EW_PATTERN_CREATE);
      break;
    case CYPHER_merge: check_merge(checker, CYPHER_AS(merge, clause)); break;
    case CYPHER_set: check_changes(checker, CYPHER_AS(set, clause)->changes.list); break;
    case CYPHER_remove: check_changes(checker, CYPHER_AS(remove, clause)->changes.list); break;
    case CYPHER_delete: check_delete(checker, CYPHER_AS(delete, clause)->targets.list); break;
    case CYPHER_foreach: check_foreach(checker, clause); break;
    case CYPHER_call_subquery: check_call_subquery(checker, clause); break;
    case CYPHER_call_procedure: check_call_procedure(checker, clause); break;
    case CYPHER_load_csv: check_load_csv(checker, clause); break;
    default: break; /* USE names a graph, not a variable; FINISH has nothing */
  }
}

/* Leaves the bindings as they were; the columns of its RETURN are in `columns`. */
static void check_single(struct ew_cypher_checker *checker, const struct ew_node *query, enum ew_cypher_ending ending) {
  size_t mark = checker->bindings.count;
  if (!cypher_is(query, CYPHER_query)) {
    misplaced(checker, query);
    return;
  }
  struct ew_list clauses = CYPHER_AS(query, query)->clauses.list;
  check_composition(checker, query, clauses, ending);
  if (ending == EW_ENDING_CALL && imports(query)) copy_bindings(checker, checker->importable, checker->floor);
  for (size_t i = 0; i < clauses.count; i++) check_clause(checker, clauses.items[i]);
  checker->bindings.count = mark;
}

static bool same_columns(const struct ew_cypher_stack *a, const struct ew_cypher_stack *b) {
  if (a->count != b->count) return false;
  for (size_t i = 0; i < a->count; i++)
    if (!ew_span_equal(a->items[i].name, b->items[i].name)) return false;
  return true;
}

static void check_union(struct ew_cypher_checker *checker, const struct ew_node *node, enum ew_cypher_ending ending) {
  struct ew_list branches = CYPHER_AS(union, node)->branches.list;
  if (branches.count < 2) misplaced(checker, node);
  struct ew_cypher_stack first = {0};
  for (size_t i = 0; i < branches.count; i++) {
    ew_vector_reset(&checker->columns);
    if (cypher_is(branches.items[i], CYPHER_union)) { /* UNION and UNION ALL cannot be mixed */
      ew_cypher_fail(checker, EW_CYPHER_InvalidClauseComposition, branches.items[i], nothing);
      break;
    }
    check_single(checker, branches.items[i], ending);
    if (i == 0) {
      first = checker->columns;
      checker->columns = (struct ew_cypher_stack){0};
    } else if (returns(branches.items[i]) != returns(branches.items[0]) || !same_columns(&first, &checker->columns)) {
      ew_cypher_fail(checker, EW_CYPHER_DifferentColumnsInUnion, branches.items[i], nothing);
    }
  }
  for (size_t i = 0; i < first.count && i < checker->columns.count; i++)
    checker->columns.items[i].type.set |= first.items[i].type.set;
  ew_vector_release(&first);
}

void ew_cypher_check_query(struct ew_cypher_checker *checker, const struct ew_node *query,
                           enum ew_cypher_ending ending) {
  if (cypher_is(query, CYPHER_union))
    check_union(checker, query, ending);
  else
    check_single(checker, query, ending);
}

void ew_cypher_check_subquery(struct ew_cypher_checker *checker, const struct ew_node *query,
                              enum ew_cypher_ending ending) {
  struct ew_cypher_stack columns = checker->columns;
  struct ew_list projected = checker->projected;
  size_t base = checker->base;
  checker->columns = (struct ew_cypher_stack){0};
  checker->projected = (struct ew_list){0};
  checker->base = checker->bindings.count;
  ew_cypher_check_query(checker, query, ending);
  if (ending == EW_ENDING_RETURN && checker->columns.count != 1) misplaced(checker, query);
  ew_vector_release(&checker->columns);
  checker->columns = columns;
  checker->projected = projected;
  checker->base = base;
}
