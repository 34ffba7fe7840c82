/* cypher_query.c: whole statements, clause by clause: styles, and what may follow what.

   What a partition needs (generate.h) narrows the choices: no order, no limit, no DISTINCT at the end, nothing whose
   value depends on the order of rows, and every relationship of a MATCH is mentioned by a projection behind it, because
   one engine matches an unmentioned one only for existence. */
#include "generate/cypher_clause.h"

enum {
  SCOPE_FULL = 24, /* no clause that binds more variables is written then */
  UNION_PERCENT = 9,
  UNION_THIRD_PERCENT = 15,
  GRAPHLESS_PERCENT = 5,
  ODD_CALL_PERCENT = 8,  /* CALL with WITH, or in a union: not every engine that has it has it there */
  NO_RETURN_PERCENT = 8, /* of statements that write */
  FINISH_PERCENT = 25,   /* of those */
  ROWS_MAX = 4000,       /* a rough bound on rows before a clause that multiplies them is left out */
  EXACT_ROWS_MAX = 30,   /* the same where the rows are known */
  TRIES = 4,             /* clauses drawn before the place is left empty */
  NODES_A_CLAUSE = 30,   /* of expressions in a rich statement */
  PREDICATE_NODES = 45,
};

enum clause {
  CLAUSE_MATCH,
  CLAUSE_OPTIONAL,
  CLAUSE_UNWIND,
  CLAUSE_WITH,
  CLAUSE_CALL,
  CLAUSE_PROCEDURE,
  CLAUSE_CREATE,
  CLAUSE_MERGE,
  CLAUSE_SET,
  CLAUSE_REMOVE,
  CLAUSE_DELETE,
  CLAUSE_FOREACH,
  CLAUSES
};

static const unsigned clause_weights[CLAUSES] = {40, 20, 12, 24, 8, 1, 11, 11, 12, 4, 4, 5};
static const unsigned first_weights[CLAUSES] = {80, 5, 10, 0, 2, 1, 6, 5, 0, 0, 0, 2};
static const unsigned partition_counts[] = {0, 55, 28, 12, 5};  /* clauses before RETURN in a partition */
static const unsigned depth_weights[] = {0, 8, 22, 30, 24, 16}; /* depth 1 … 5 of predicates */
static const unsigned item_depth_weights[] = {14, 24, 28,
                                              20, 10, 4}; /* depth 0 … 5 of expressions that are no predicate */

static unsigned draw_depth(struct ew_cypher_writer *writer, const unsigned *weights, size_t count) {
  unsigned depth = (unsigned)ew_random_weighted(writer->random, weights, count);
  return depth > writer->options->dials[EW_DIAL_depth] ? writer->options->dials[EW_DIAL_depth] : depth;
}

unsigned ew_cypher_draw_depth(struct ew_cypher_writer *writer) {
  return draw_depth(writer, depth_weights, EW_COUNT(depth_weights));
}

unsigned ew_cypher_draw_item_depth(struct ew_cypher_writer *writer) {
  return draw_depth(writer, item_depth_weights, EW_COUNT(item_depth_weights));
}

const struct ew_node *ew_cypher_make_query(struct ew_cypher_query *query) {
  struct ew_list list = ew_list_of(query->writer->builder, query->clauses.items, query->clauses.count);
  return CYPHER(query->writer->builder, query, .clauses.list = list);
}

bool ew_query_may_end(const struct ew_cypher_query *query) {
  static const enum cypher_kind writing[] = {CYPHER_create, CYPHER_merge,  CYPHER_set,
                                             CYPHER_remove, CYPHER_delete, CYPHER_foreach};
  for (size_t i = 0; i < EW_COUNT(writing) && query->clauses.count; i++)
    if (cypher_is(query->clauses.items[query->clauses.count - 1], writing[i])) return true;
  return false;
}

/* ---- one clause ---- */

static bool may_write(const struct ew_cypher_query *query, enum clause clause, bool writing) {
  const struct ew_cypher_writer *writer = query->writer;
  bool few = writer->exact ? ew_exact_rows(writer) <= EXACT_ROWS_MAX : query->rows < ROWS_MAX;
  bool room = few && writer->count < SCOPE_FULL, reads = room && !query->unsettled;
  bool targets = ew_writer_can_name(writer, EW_DRAW_NODE) || ew_writer_can_name(writer, EW_DRAW_RELATIONSHIP);
  if (clause >= CLAUSE_CREATE && !writing) return false;
  switch (clause) {
    case CLAUSE_MATCH: return ew_writer_has(writer, EW_HAS_MATCH) && reads;
    case CLAUSE_OPTIONAL: return ew_writer_has(writer, EW_HAS_OPTIONAL_MATCH) && reads;
    case CLAUSE_UNWIND: return ew_writer_has(writer, EW_HAS_UNWIND) && reads;
    case CLAUSE_WITH: return ew_writer_has(writer, EW_HAS_WITH) && (writer->count || query->unsettled);
    case CLAUSE_CALL: return ew_writer_has(writer, EW_HAS_CALL_SUBQUERY) && reads && !ew_query_is_partition(query);
    case CLAUSE_PROCEDURE:
      return ew_writer_has(writer, EW_HAS_CALL_PROCEDURE) && reads && ew_writer_is_free(writer) && !query->level &&
             writer->world->procedure_count;
    case CLAUSE_CREATE: return ew_writer_has(writer, EW_HAS_CREATE) && room;
    case CLAUSE_MERGE: return ew_writer_has(writer, EW_HAS_MERGE) && room;
    case CLAUSE_SET: return ew_writer_has(writer, EW_HAS_SET) && targets;
    case CLAUSE_REMOVE: return ew_writer_has(writer, EW_HAS_REMOVE) && targets;
    case CLAUSE_DELETE: return ew_writer_has(writer, EW_HAS_DELETE) && targets && !query->level;
    case CLAUSE_FOREACH: return ew_writer_has(writer, EW_HAS_FOREACH) && !query->level;
    case CLAUSES: break;
  }
  return false;
}

static bool write_one(struct ew_cypher_query *query, enum clause clause) {
  switch (clause) {
    case CLAUSE_MATCH: return ew_cypher_write_match(query, false);
    case CLAUSE_OPTIONAL: return ew_cypher_write_match(query, true);
    case CLAUSE_UNWIND: return ew_cypher_write_unwind(query);
    case CLAUSE_WITH: return ew_cypher_write_with(query);
    case CLAUSE_CALL: return ew_cypher_write_call(query);
    case CLAUSE_PROCEDURE: return ew_cypher_write_procedure(query);
    case CLAUSE_CREATE: return ew_cypher_write_create(query);
    case CLAUSE_MERGE: return ew_cypher_write_merge(query);
    case CLAUSE_SET: return ew_cypher_write_set(query);
    case CLAUSE_REMOVE: return ew_cypher_write_remove(query);
    case CLAUSE_DELETE: return ew_cypher_write_delete(query);
    case CLAUSE_FOREACH: return ew_cypher_write_foreach(query);
    case CLAUSES: break;
  }
  return true;
}

bool ew_cypher_write_clause(struct ew_cypher_query *query, bool first, bool writing) {
  unsigned weights[CLAUSES], total = 0;
  if (query->plain && ew_writer_has(query->writer, EW_HAS_MATCH)) return ew_cypher_write_match(query, false);
  bool odd = ew_writer_chance(query->writer, ODD_CALL_PERCENT);
  bool cautious = !ew_writer_has(query->writer, EW_HAS_CALL_SCOPED);
  for (enum clause i = 0; i < CLAUSES; i++) {
    bool beside_call = i == CLAUSE_CALL ? query->projected || query->branch : i == CLAUSE_WITH && query->called;
    bool possible = may_write(query, i, writing) && (odd || !cautious || !beside_call);
    total += weights[i] = possible ? (first ? first_weights : clause_weights)[i] : 0;
  }
  if (!total) return true;
  return write_one(query, (enum clause)ew_random_weighted(query->writer->random, weights, CLAUSES));
}

/* Tries until one is accepted; where none is, there is none here. */
static void try_clause(struct ew_cypher_query *query, bool first, bool writing) {
  struct ew_cypher_writer *writer = query->writer;
  if (!writer->exact) {
    ew_cypher_write_clause(query, first, writing);
    return;
  }
  struct ew_exact_mark mark = ew_exact_mark(writer);
  struct ew_cypher_query before = *query;
  for (int i = 0; i < TRIES; i++) {
    bool done = i + 1 < TRIES || !first ? ew_cypher_write_clause(query, first, writing && i < TRIES - 1)
                                        : ew_cypher_write_match(query, false);
    if (done) return;
    ew_exact_rewind(writer, mark);
    *query = before;
  }
}

/* ---- the end ---- */

static void return_count(struct ew_cypher_query *query) {
  struct ew_cypher_writer *writer = query->writer;
  const struct ew_node *one = ew_writer_integer(writer, 1), *items[EW_CYPHER_ITEMS_MAX];
  size_t count = query->column_count ? query->column_count : 1;
  for (size_t i = 0; i < count; i++) {
    struct ew_span name = ew_cypher_numbered_name(writer->builder->arena, 'c', (unsigned)i);
    items[i] = CYPHER(writer->builder, item, .expression.node = one, .alias.name = name);
  }
  const struct ew_node *projection =
      CYPHER(writer->builder, projection, .items.list = ew_list_of(writer->builder, items, count));
  ew_query_add(query, CYPHER(writer->builder, return, .projection.node = projection));
}

static void try_return(struct ew_cypher_query *query) {
  struct ew_cypher_writer *writer = query->writer;
  if (!writer->exact) {
    ew_cypher_write_return(query);
    return;
  }
  struct ew_exact_mark mark = ew_exact_mark(writer);
  for (int i = 0; i < TRIES; i++) {
    if (ew_cypher_write_return(query)) return;
    ew_exact_rewind(writer, mark);
  }
  return_count(query);
}

static void write_end(struct ew_cypher_query *query) {
  struct ew_cypher_writer *writer = query->writer;
  if (!ew_query_may_end(query) || query->branch || !ew_writer_chance(writer, NO_RETURN_PERCENT)) {
    try_return(query);
  } else if (ew_writer_has(writer, EW_HAS_FINISH) && ew_writer_chance(writer, FINISH_PERCENT)) {
    ew_query_add(query, ew_node_make(writer->builder, &cypher_kinds[CYPHER_finish], &(struct cypher_finish){0}));
  }
}

/* ---- queries ---- */

/* One branch; its effects stay, for those behind it see them. */
static const struct ew_node *draw_branch(struct ew_cypher_query *query, size_t clauses, bool writing) {
  struct ew_cypher_writer *writer = query->writer;
  query->clauses.count = query->clauses.capacity = 0;
  query->rows = 1;
  query->projected = query->called = query->wrote = query->unsettled = false;
  writer->count = writer->stale_count = 0;
  ew_exact_begin(writer);
  for (size_t i = 0; i < clauses; i++) try_clause(query, i == 0, writing);
  write_end(query);
  ew_exact_end(writer);
  return ew_cypher_make_query(query);
}

static size_t draw_clause_count(struct ew_cypher_writer *writer, enum ew_style style) {
  if (writer->purpose == EW_PURPOSE_PARTITION)
    return ew_random_weighted(writer->random, partition_counts, EW_COUNT(partition_counts));
  if (style == EW_STYLE_PREDICATE) return !ew_writer_chance(writer, GRAPHLESS_PERCENT);
  unsigned about = writer->options->dials[EW_DIAL_clauses];
  return 1 + about / 2 + ew_writer_below(writer, about);
}

static const struct ew_node *draw_union(struct ew_cypher_query *query, size_t clauses, bool writing) {
  struct ew_cypher_writer *writer = query->writer;
  const struct ew_node *branches[3];
  size_t count = 2 + ew_writer_chance(writer, UNION_THIRD_PERCENT);
  query->branch = true;
  for (size_t i = 0; i < count; i++) branches[i] = draw_branch(query, 1 + clauses / count, writing);
  bool all = ew_writer_has(writer, EW_HAS_UNION_ALL) && ew_writer_chance(writer, 50);
  return CYPHER(writer->builder, union, .all.flag = all, .branches.list = ew_list_of(writer->builder, branches, count));
}

const struct ew_node *ew_cypher_make_statement(struct ew_cypher_writer *writer, const struct ew_node *body) {
  struct ew_list arguments = ew_writer_arguments(writer, body);
  return CYPHER(writer->builder, statement, .arguments.list = arguments, .body.node = body);
}

const struct ew_node *ew_cypher_draw_statement(struct ew_cypher_writer *writer, enum ew_style style, bool writing) {
  struct ew_cypher_query query = {.writer = writer};
  bool partition = writer->purpose == EW_PURPOSE_PARTITION, rich = style == EW_STYLE_RICH && !partition;
  const struct ew_node *body;
  size_t clauses = draw_clause_count(writer, style);
  query.plain = style == EW_STYLE_PREDICATE && !partition;
  writer->parameter_count = 0;
  if (rich) writer->budget = (int)clauses * NODES_A_CLAUSE;
  if (style == EW_STYLE_PREDICATE) writer->budget = PREDICATE_NODES;
  bool several = rich && ew_writer_has(writer, EW_HAS_UNION) && ew_writer_chance(writer, UNION_PERCENT);
  writing = writing && rich && (writer->purpose == EW_PURPOSE_ANY || writer->purpose == EW_PURPOSE_EXACT);
  body = several ? draw_union(&query, clauses, writing) : draw_branch(&query, clauses, writing);
  if (partition && !writer->count) return NULL;
  return ew_cypher_make_statement(writer, body);
}
