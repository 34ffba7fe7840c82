/* cypher_script.c: sequences of statements that change the state: GDBMeter's kinds of query (Table 1) and some more,
   each so many times as an interval of its own says, in random order, with reads between them.

   In the exact state each statement is run on the model and stays until the case ends, so that the next one knows what
   it finds. */
#include "generate/cypher_clause.h"
#include "lang/cypher/constant.h"

enum { STATEMENTS_MAX = 40, INDEXES_MAX = 8, TRIES = 4, AGAIN_PERCENT = 60 /* of reads with parameters */ };

enum kind {
  KIND_CREATE,
  KIND_MERGE,
  KIND_SET,
  KIND_REMOVE,
  KIND_DELETE,
  KIND_FOREACH,
  KIND_CREATE_INDEX,
  KIND_DROP_INDEX,
  KIND_CREATE_CONSTRAINT,
  KIND_DROP_CONSTRAINT,
  KIND_READ,
  KIND_RICH,
  KINDS
};

static const struct {
  enum ew_cypher_feature feature;
  unsigned low, high; /* so many in a script */
  unsigned mutations; /* at most so many before the cases of a scene */
} kinds[KINDS] = {
    [KIND_CREATE] = {EW_HAS_CREATE, 1, 2, 1},
    [KIND_MERGE] = {EW_HAS_MERGE, 0, 1, 1},
    [KIND_SET] = {EW_HAS_SET, 0, 2, 2},
    [KIND_REMOVE] = {EW_HAS_REMOVE, 0, 1, 1},
    [KIND_DELETE] = {EW_HAS_DELETE, 0, 1, 1},
    [KIND_FOREACH] = {EW_HAS_FOREACH, 0, 1, 0},
    [KIND_CREATE_INDEX] = {EW_HAS_INDEX, 0, 2, 0},
    [KIND_DROP_INDEX] = {EW_HAS_DROP_INDEX, 0, 1, 0},
    [KIND_CREATE_CONSTRAINT] = {EW_HAS_CONSTRAINT, 0, 1, 0},
    [KIND_DROP_CONSTRAINT] = {EW_HAS_DROP_CONSTRAINT, 0, 1, 0},
    [KIND_READ] = {EW_HAS_MATCH, 1, 2, 0},
    [KIND_RICH] = {EW_HAS_MATCH, 0, 1, 0},
};

/* An index or a constraint that the script has made. */
struct command {
  struct ew_span name, label, key;
  bool relationship;
};

struct script {
  struct ew_cypher_writer *writer;
  const struct ew_node *statements[STATEMENTS_MAX];
  size_t count;
  struct command indexes[INDEXES_MAX], constraints[INDEXES_MAX];
  size_t index_count, constraint_count;
};

/* ---- commands on the schema ---- */

/* (n:L) or ()-[r:T]-() */
static const struct ew_node *command_pattern(struct ew_builder *builder, struct command command,
                                             struct ew_span variable) {
  const struct ew_node *label = CYPHER(builder, label, .name.name = command.label), *elements[3];
  if (!command.relationship) {
    elements[0] = CYPHER(builder, node_pattern, .variable.name = variable, .labels.node = label);
    return CYPHER(builder, path, .count.number = -1, .elements.list = ew_list_of(builder, elements, 1));
  }
  elements[0] = ew_node_make(builder, &cypher_kinds[CYPHER_node_pattern], &(struct cypher_node_pattern){0});
  elements[1] = CYPHER(builder, relationship_pattern, .direction.choice = CYPHER_UNDIRECTED, .variable.name = variable,
                       .types.node = label);
  elements[2] = ew_node_make(builder, &cypher_kinds[CYPHER_node_pattern], &(struct cypher_node_pattern){0});
  return CYPHER(builder, path, .count.number = -1, .elements.list = ew_list_of(builder, elements, 3));
}

static struct ew_list command_properties(struct ew_builder *builder, struct command command, struct ew_span variable) {
  const struct ew_node *object = CYPHER(builder, variable, .name.name = variable);
  const struct ew_node *property = CYPHER(builder, property, .object.node = object, .key.name = command.key);
  return ew_list_of(builder, &property, 1);
}

/* A label and one of its keys, or a type and one of its; false where there is none. */
static bool draw_command(struct ew_cypher_writer *writer, bool relationship, struct command *command,
                         struct ew_property_type *type) {
  const struct ew_schema *schema = &writer->schema;
  size_t count = relationship ? schema->types.count : schema->labels.count;
  if (!count || writer->options->without_summary) return false;
  const struct ew_schema_element *element =
      &(relationship ? schema->types.items : schema->labels.items)[ew_writer_below(writer, count)];
  if (!element->properties.count) return false;
  const struct ew_schema_property *property =
      &element->properties.items[ew_writer_below(writer, element->properties.count)];
  *command = (struct command){.label = element->name, .key = property->name, .relationship = relationship};
  *type = property->type;
  return true;
}

static enum cypher_index_kind draw_index_kind(struct ew_cypher_writer *writer, struct ew_property_type type) {
  unsigned weights[] = {50, 25, 20, 5};
  static const enum cypher_index_kind indexes[] = {CYPHER_INDEX_DEFAULT, CYPHER_INDEX_RANGE, CYPHER_INDEX_TEXT,
                                                   CYPHER_INDEX_POINT};
  if (!ew_writer_has(writer, EW_HAS_RANGE_INDEX)) weights[1] = 0;
  if (!ew_writer_has(writer, EW_HAS_TEXT_INDEX)) weights[2] = 0;
  if (!ew_writer_has(writer, EW_HAS_POINT_INDEX)) weights[3] = 0;
  if (type.kind == EW_VALUE_STRING && !type.list && weights[2]) weights[2] = 60;
  return indexes[ew_random_weighted(writer->random, weights, EW_COUNT(weights))];
}

static const struct ew_node *draw_create_index(struct script *script) {
  struct ew_cypher_writer *writer = script->writer;
  struct ew_span variable = EW_SPAN("n");
  struct ew_property_type type;
  struct command command;
  bool relationship = ew_writer_has(writer, EW_HAS_RANGE_INDEX) && ew_writer_chance(writer, 20);
  if (script->index_count == INDEXES_MAX || !draw_command(writer, relationship, &command, &type)) return NULL;
  for (size_t i = 0; i < script->index_count; i++)
    if (ew_span_equal(script->indexes[i].key, command.key)) return NULL; /* an engine may refuse the same index again */
  for (size_t i = 0; i < writer->world->index_count; i++)
    if (ew_span_equal(writer->world->indexes[i].key, command.key)) return NULL;
  enum cypher_index_kind kind = draw_index_kind(writer, type);
  if (ew_writer_has(writer, EW_HAS_INDEX_NAME) && ew_writer_chance(writer, 75))
    command.name = ew_writer_fresh_name(writer, 'x');
  bool unless = ew_writer_has(writer, EW_HAS_IF_NOT_EXISTS) && ew_writer_chance(writer, 30);
  const struct ew_node *pattern = command_pattern(writer->builder, command, variable);
  script->indexes[script->index_count++] = command;
  return CYPHER(writer->builder, create_index, .index.choice = kind, .name.name = command.name,
                .if_not_exists.flag = unless, .pattern.node = pattern,
                .properties.list = command_properties(writer->builder, command, variable));
}

static const struct ew_node *draw_drop_index(struct script *script) {
  struct ew_cypher_writer *writer = script->writer;
  struct ew_span variable = EW_SPAN("n");
  bool maybe = ew_writer_has(writer, EW_HAS_IF_NOT_EXISTS);
  for (size_t i = script->index_count; i-- > 0;) {
    struct command command = script->indexes[i];
    bool named = ew_writer_has(writer, EW_HAS_INDEX_NAME);
    if (command.relationship || (named && !command.name.length)) continue;
    script->indexes[i] = script->indexes[--script->index_count];
    bool unless = maybe && ew_writer_chance(writer, 40);
    if (named) return CYPHER(writer->builder, drop_index, .name.name = command.name, .if_exists.flag = unless);
    const struct ew_node *pattern = command_pattern(writer->builder, command, variable);
    return CYPHER(writer->builder, drop_index, .pattern.node = pattern,
                  .properties.list = command_properties(writer->builder, command, variable));
  }
  if (!maybe || !ew_writer_has(writer, EW_HAS_INDEX_NAME)) return NULL;
  return CYPHER(writer->builder, drop_index, .name.name = EW_SPAN("nowhere"), .if_exists.flag = true);
}

static const struct ew_node *draw_create_constraint(struct script *script) {
  struct ew_cypher_writer *writer = script->writer;
  struct ew_span variable = EW_SPAN("n");
  struct ew_property_type type;
  struct command command;
  if (script->constraint_count == INDEXES_MAX || !draw_command(writer, false, &command, &type)) return NULL;
  for (size_t i = 0; i < script->index_count; i++)
    if (ew_span_equal(script->indexes[i].key, command.key)) return NULL; /* it would want an index of its own */
  for (size_t i = 0; i < script->constraint_count; i++)
    if (ew_span_equal(script->constraints[i].key, command.key)) return NULL;
  for (size_t i = 0; i < writer->world->index_count; i++)
    if (ew_span_equal(writer->world->indexes[i].key, command.key)) return NULL;
  bool unique = ew_writer_has(writer, EW_HAS_UNIQUE);
  if (!unique && !ew_writer_has(writer, EW_HAS_EXISTENCE)) return NULL;
  /* What is not known to hold is asked of a label that nothing has. */
  if (writer->options->state != EW_TRACK_EXACT)
    command.label = ew_graph_name(&writer->world->model.graph, ew_writer_fresh_name(writer, 'L'));
  if (ew_writer_has(writer, EW_HAS_CONSTRAINT_NAME) && ew_writer_chance(writer, 75))
    command.name = ew_writer_fresh_name(writer, 'x');
  const struct ew_node *pattern = command_pattern(writer->builder, command, variable);
  script->constraints[script->constraint_count++] = command;
  return CYPHER(writer->builder, create_constraint, .constraint.choice = unique ? CYPHER_UNIQUE : CYPHER_NOT_NULL,
                .name.name = command.name, .pattern.node = pattern,
                .properties.list = command_properties(writer->builder, command, variable));
}

static const struct ew_node *draw_drop_constraint(struct script *script) {
  struct ew_cypher_writer *writer = script->writer;
  for (size_t i = script->constraint_count; i-- > 0;) {
    struct command command = script->constraints[i];
    if (!command.name.length) continue;
    script->constraints[i] = script->constraints[--script->constraint_count];
    return CYPHER(writer->builder, drop_constraint, .name.name = command.name);
  }
  return NULL;
}

/* Where the model is asked, a command that fails there is not written. */
static const struct ew_node *make_command(struct script *script, const struct ew_node *command) {
  struct ew_cypher_writer *writer = script->writer;
  if (!command) return NULL;
  writer->parameter_count = 0;
  const struct ew_node *statement = ew_cypher_make_statement(writer, command);
  if (writer->options->state != EW_TRACK_EXACT || cypher_is(command, CYPHER_create_index) ||
      cypher_is(command, CYPHER_drop_index))
    return statement;
  struct ew_model_options options = {.semantics = &writer->profile->semantics, .portable = true};
  struct ew_model_result result;
  ew_model_execute(&writer->world->model, statement, &options, writer->builder->arena, &result);
  if (!result.error.code) return statement;
  if (cypher_is(command, CYPHER_create_constraint)) script->constraint_count--;
  return NULL;
}

/* ---- statements ---- */

static bool write_kind(struct ew_cypher_query *query, enum kind kind) {
  switch (kind) {
    case KIND_CREATE: return ew_cypher_write_create(query);
    case KIND_MERGE: return ew_cypher_write_merge(query);
    case KIND_SET: return ew_cypher_write_set(query);
    case KIND_REMOVE: return ew_cypher_write_remove(query);
    case KIND_DELETE: return ew_cypher_write_delete(query);
    default: return ew_cypher_write_foreach(query);
  }
}

/* [MATCH …] and a writing clause, without RETURN. NULL where it fails on the model. */
static const struct ew_node *draw_mutation(struct ew_cypher_writer *writer, enum kind kind) {
  bool match = kind == KIND_SET || kind == KIND_REMOVE || kind == KIND_DELETE || ew_writer_chance(writer, 40);
  for (int i = 0; i < TRIES; i++) {
    struct ew_cypher_query query = {.writer = writer, .rows = 1};
    writer->count = writer->stale_count = writer->parameter_count = 0;
    writer->budget = 20;
    ew_exact_begin(writer);
    bool done = !match || (ew_writer_has(writer, EW_HAS_MATCH) && ew_cypher_write_match(&query, false));
    done = done && write_kind(&query, kind) && query.wrote;
    if (!done && writer->exact) {
      ew_session_end(&writer->exact->session, false);
      writer->exact = NULL;
      continue;
    }
    if (ew_exact_end(writer) && done) return ew_cypher_make_statement(writer, ew_cypher_make_query(&query));
  }
  return NULL;
}

static const struct ew_node *draw_kind(struct script *script, enum kind kind) {
  struct ew_cypher_writer *writer = script->writer;
  switch (kind) {
    case KIND_CREATE_INDEX: return make_command(script, draw_create_index(script));
    case KIND_DROP_INDEX: return make_command(script, draw_drop_index(script));
    case KIND_CREATE_CONSTRAINT: return make_command(script, draw_create_constraint(script));
    case KIND_DROP_CONSTRAINT: return make_command(script, draw_drop_constraint(script));
    case KIND_READ: return ew_cypher_draw_statement(writer, EW_STYLE_PREDICATE, false);
    case KIND_RICH: return ew_cypher_draw_statement(writer, EW_STYLE_RICH, true);
    default: return draw_mutation(writer, kind);
  }
}

static size_t draw_kinds(struct ew_cypher_writer *writer, enum kind *drawn, bool mutations, size_t most) {
  size_t count = 0;
  for (enum kind kind = 0; kind < KINDS; kind++) {
    if (!ew_writer_has(writer, kinds[kind].feature)) continue;
    unsigned low = mutations ? 0 : kinds[kind].low, high = mutations ? kinds[kind].mutations : kinds[kind].high;
    for (unsigned times = low + ew_writer_below(writer, high - low + 1); times && count < STATEMENTS_MAX - 1; times--)
      drawn[count++] = kind;
  }
  for (size_t i = count; i > 1; i--) {
    size_t other = ew_writer_below(writer, i);
    enum kind kind = drawn[i - 1];
    drawn[i - 1] = drawn[other];
    drawn[other] = kind;
  }
  return count < most ? count : most;
}

/* The same text with other values of its parameters, for engines that keep plans by text. NULL where it has none. */
static const struct ew_node *draw_again(struct ew_cypher_writer *writer, const struct ew_node *statement) {
  const struct cypher_statement *first = CYPHER_AS(statement, statement);
  const struct ew_node *arguments[EW_CYPHER_PARAMETERS_MAX];
  size_t count = first->arguments.list.count;
  if (!count || count > EW_CYPHER_PARAMETERS_MAX || !ew_writer_chance(writer, AGAIN_PERCENT)) return NULL;
  for (size_t i = 0; i < count; i++) {
    const struct cypher_argument *argument = CYPHER_AS(argument, first->arguments.list.items[i]);
    struct ew_value value;
    arguments[i] = first->arguments.list.items[i];
    if (!ew_cypher_constant_read(writer->builder->arena, argument->value.node, &value)) continue;
    if (value.kind != EW_VALUE_INTEGER || value.integer == INT64_MAX) continue;
    const struct ew_node *other = ew_writer_integer(writer, value.integer + 1);
    arguments[i] = CYPHER(writer->builder, argument, .name.name = argument->name.name, .value.node = other);
  }
  return CYPHER(writer->builder, statement, .arguments.list = ew_list_of(writer->builder, arguments, count),
                .body.node = ew_tree_duplicate(writer->builder, first->body.node));
}

const struct ew_node *ew_cypher_draw_script(struct ew_cypher_writer *writer) {
  struct script *script = EW_NEW(writer->builder->arena, struct script);
  enum kind drawn[STATEMENTS_MAX];
  script->writer = writer;
  size_t most = writer->options->dials[EW_DIAL_statements] * 3 / 2;
  size_t count = draw_kinds(writer, drawn, false, most ? most : 1);
  if (ew_writer_has(writer, EW_HAS_MATCH)) drawn[count++] = KIND_READ; /* what it all came to */
  for (size_t i = 0; i < count; i++) {
    const struct ew_node *statement = draw_kind(script, drawn[i]);
    if (!statement || script->count >= STATEMENTS_MAX - 1) continue;
    script->statements[script->count++] = statement;
    const struct ew_node *again = drawn[i] == KIND_READ ? draw_again(writer, statement) : NULL;
    if (again) script->statements[script->count++] = again;
  }
  if (!script->count) return NULL;
  return CYPHER(writer->builder, script,
                .statements.list = ew_list_of(writer->builder, script->statements, script->count));
}

struct ew_list ew_cypher_draw_mutations(struct ew_cypher_writer *writer) {
  struct script *script = EW_NEW(writer->builder->arena, struct script);
  enum kind drawn[STATEMENTS_MAX];
  script->writer = writer;
  size_t count = draw_kinds(writer, drawn, true, STATEMENTS_MAX);
  for (size_t i = 0; i < count; i++) {
    const struct ew_node *statement = draw_kind(script, drawn[i]);
    if (statement) script->statements[script->count++] = statement;
  }
  return ew_list_of(writer->builder, script->statements, script->count);
}
