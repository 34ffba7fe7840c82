/* cypher_exact.c: clauses on the model while they are written. */
#include "generate/cypher_exact.h"

#include "lang/cypher/constant.h"

enum {
  NEGATE_PERCENT = 70,  /* of predicates that are false for the witness: NOT is set before them … */
  REPAIR_PERCENT = 90,  /* … of the rest: OR something true; else they stay as they are */
  IS_NULL_PERCENT = 40, /* of predicates that are null for the witness; of the rest as above */
  TRIES = 3,            /* predicates drawn until one can be evaluated */
};

/* A rich statement is to cost less than a tenth of a millisecond. */
static const struct ew_model_limits limits = {.steps = 6000, .rows = 80, .bytes = 1 << 18};

/* ---- statements ---- */

static void set_parameters(struct ew_cypher_writer *writer) {
  writer->exact->options.parameters = writer->parameters;
  writer->exact->options.parameter_count = writer->parameter_count;
}

void ew_exact_begin(struct ew_cypher_writer *writer) {
  if (writer->options->state != EW_TRACK_EXACT) return;
  struct ew_cypher_exact *exact = EW_NEW(writer->builder->arena, struct ew_cypher_exact);
  exact->options =
      (struct ew_model_options){.semantics = &writer->profile->semantics, .limits = &limits, .portable = true};
  exact->ill_typed = writer->ill_typed;
  writer->exact = exact;
  ew_session_begin(&exact->session, &writer->world->model, &exact->options, writer->builder->arena);
}

bool ew_exact_end(struct ew_cypher_writer *writer) {
  struct ew_cypher_exact *exact = writer->exact;
  if (!exact) return true;
  writer->exact = NULL;
  return ew_session_end(&exact->session, true);
}

/* ---- rows ---- */

size_t ew_exact_rows(const struct ew_cypher_writer *writer) {
  return writer->exact ? writer->exact->session.table.count : SIZE_MAX;
}

bool ew_exact_any(const struct ew_cypher_writer *writer, struct ew_span variable, bool (*is)(struct ew_value value)) {
  size_t rows = writer->exact ? writer->exact->session.table.count : 0;
  struct ew_value value;
  for (size_t i = 0; i < rows; i++)
    if (ew_session_look(&writer->exact->session, variable, i, &value) && is(value)) return true;
  return false;
}

static bool is_null(struct ew_value value) { return value.kind == EW_VALUE_NULL; }

/* Makes a row the witness of all variables. Only the model's own row decides; what a variable's type is stays as it was
   drawn. */
static void look(struct ew_cypher_writer *writer) {
  struct ew_cypher_exact *exact = writer->exact;
  size_t rows = exact->session.table.count;
  exact->row = rows ? ew_writer_below(writer, rows) : 0;
  for (size_t i = 0; i < writer->count; i++) {
    struct ew_cypher_variable *variable = &writer->variables[i];
    variable->known = rows && ew_session_look(&exact->session, variable->name, exact->row, &variable->witness);
    variable->nullable = ew_exact_any(writer, variable->name, is_null);
  }
}

/* Whether an expression of the wrong type was written, on purpose, since the last clause. */
static bool is_meant_wrong(const struct ew_cypher_writer *writer) {
  return writer->exact->ill_typed && !writer->ill_typed;
}

/* Keeps a stated share of what fails or leaves nothing. After a failure nothing more can be known of the statement. */
static bool keep_wrong(struct ew_cypher_writer *writer, bool failed) {
  bool meant = failed && is_meant_wrong(writer);
  if (!meant && !ew_writer_chance(writer, writer->options->dials[EW_DIAL_wrong])) return false;
  if (failed) {
    ew_session_end(&writer->exact->session, false);
    writer->exact = NULL;
    for (size_t i = 0; i < writer->count; i++) writer->variables[i].known = false;
  }
  return true;
}

static bool accept(struct ew_cypher_writer *writer, bool done) {
  if (done && writer->exact->session.table.count) {
    writer->exact->ill_typed = writer->ill_typed;
    return look(writer), true;
  }
  if (!keep_wrong(writer, !done)) return false;
  if (writer->exact) look(writer);
  return true;
}

bool ew_exact_apply(struct ew_cypher_writer *writer, const struct ew_node *clause) {
  if (!writer->exact) return true;
  set_parameters(writer);
  bool empty = !writer->exact->session.table.count; /* it was so before: nobody's fault here */
  bool done = ew_session_apply(&writer->exact->session, clause);
  if (done && empty) return look(writer), true;
  return accept(writer, done);
}

bool ew_exact_filter(struct ew_cypher_writer *writer, const struct ew_node *where) {
  if (!writer->exact || !where) return true;
  set_parameters(writer);
  if (!writer->exact->session.table.count) return true;
  return accept(writer, ew_session_filter(&writer->exact->session, where));
}

/* ---- finished queries ---- */

void ew_exact_forget(struct ew_cypher_writer *writer) {
  if (writer->exact) ew_session_end(&writer->exact->session, false);
  writer->exact = NULL;
}

static void read_arguments(struct ew_cypher_writer *writer, struct ew_list arguments) {
  for (size_t i = 0; i < arguments.count && i < EW_CYPHER_PARAMETERS_MAX; i++) {
    const struct cypher_argument *argument = CYPHER_AS(argument, arguments.items[i]);
    struct ew_parameter *parameter = &writer->parameters[writer->parameter_count];
    parameter->name = argument->name.name;
    if (ew_cypher_constant_read(writer->builder->arena, argument->value.node, &parameter->value))
      writer->parameter_count++;
  }
}

bool ew_exact_replay(struct ew_cypher_writer *writer, const struct ew_node *statement) {
  const struct cypher_statement *whole = CYPHER_AS(statement, statement);
  ew_exact_begin(writer);
  if (!writer->exact || !cypher_is(whole->body.node, CYPHER_query)) return false;
  struct ew_list clauses = CYPHER_AS(query, whole->body.node)->clauses.list;
  bool done = true;
  read_arguments(writer, whole->arguments.list);
  set_parameters(writer);
  for (size_t i = 0; i + 1 < clauses.count && done; i++)
    done = ew_session_apply(&writer->exact->session, clauses.items[i]);
  if (done && writer->exact->session.table.count) return look(writer), true;
  ew_exact_forget(writer);
  return false;
}

/* ---- predicates ---- */

static const struct ew_node *negated(struct ew_cypher_writer *writer, const struct ew_node *operand) {
  return CYPHER(writer->builder, unary, .operator.choice = CYPHER_NOT, .operand.node = operand);
}

/* Something that is true for the witness. */
static const struct ew_node *draw_truth(struct ew_cypher_writer *writer) {
  struct ew_cypher_lookup lookup;
  if (!ew_writer_has(writer, EW_HAS_IS_NULL) || !ew_cypher_draw_lookup(writer, EW_DRAW_ANY, &lookup))
    return ew_writer_constant(writer, ew_boolean(true));
  const struct ew_value *value = ew_writer_witness_value(writer, &lookup);
  const struct ew_node *operand = ew_writer_property(writer, lookup.variable->name, lookup.property->name);
  bool simple = value && (value->kind == EW_VALUE_INTEGER || value->kind == EW_VALUE_STRING);
  if (simple && writer->dialect->operators[CYPHER_EQUAL] && ew_writer_chance(writer, 50)) {
    const struct ew_node *right = ew_writer_constant(writer, *value);
    return CYPHER(writer->builder, binary, .operator.choice = CYPHER_EQUAL, .left.node = operand, .right.node = right);
  }
  return CYPHER(writer->builder, is_null, .negated.flag = value != NULL, .operand.node = operand);
}

static const struct ew_node *repaired(struct ew_cypher_writer *writer, const struct ew_node *predicate) {
  if (!writer->dialect->operators[CYPHER_OR] || !ew_writer_chance(writer, REPAIR_PERCENT)) return predicate;
  const struct ew_node *truth = draw_truth(writer);
  return CYPHER(writer->builder, binary, .operator.choice = CYPHER_OR, .left.node = predicate, .right.node = truth);
}

const struct ew_node *ew_exact_steer(struct ew_cypher_writer *writer, const struct ew_node *predicate) {
  struct ew_value value;
  if (!predicate || !writer->exact || !writer->exact->session.table.count) return predicate;
  for (int i = 0; i < TRIES; i++) {
    set_parameters(writer);
    if (!ew_session_evaluate(&writer->exact->session, predicate, writer->exact->row, &value)) {
      if (is_meant_wrong(writer)) return predicate;
      if (i + 1 < TRIES) predicate = ew_cypher_draw_predicate(writer, 2 - (unsigned)i);
      continue;
    }
    bool null = value.kind == EW_VALUE_NULL;
    if (value.kind == EW_VALUE_BOOLEAN && value.boolean) return predicate;
    if (null && ew_writer_has(writer, EW_HAS_IS_NULL) && ew_writer_chance(writer, IS_NULL_PERCENT))
      return CYPHER(writer->builder, is_null, .operand.node = predicate);
    if (!null && writer->dialect->negation && ew_writer_chance(writer, NEGATE_PERCENT))
      return negated(writer, predicate);
    return repaired(writer, predicate);
  }
  return NULL;
}

/* ---- going back ---- */

struct ew_exact_mark ew_exact_mark(struct ew_cypher_writer *writer) {
  struct ew_exact_mark mark = {.count = writer->count,
                               .stale_count = writer->stale_count,
                               .parameter_count = writer->parameter_count,
                               .turn = writer->turn,
                               .ill_typed = writer->ill_typed,
                               .next_name = writer->next_name,
                               .schema = writer->schema};
  if (!writer->exact) return mark;
  size_t size = ew_array_size(writer->count, sizeof *mark.variables);
  mark.variables = ew_arena_take(writer->builder->arena, size);
  if (size) memcpy(mark.variables, writer->variables, size);
  mark.session = ew_session_mark(&writer->exact->session);
  return mark;
}

void ew_exact_rewind(struct ew_cypher_writer *writer, struct ew_exact_mark mark) {
  EW_ASSERT(writer->exact);
  ew_session_rewind(&writer->exact->session, mark.session);
  if (mark.count) memcpy(writer->variables, mark.variables, mark.count * sizeof *mark.variables);
  writer->count = mark.count;
  writer->stale_count = mark.stale_count;
  writer->parameter_count = mark.parameter_count;
  writer->turn = mark.turn;
  writer->ill_typed = mark.ill_typed;
  writer->next_name = mark.next_name;
  writer->schema = mark.schema;
}
