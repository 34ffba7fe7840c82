/* tck_run.c: what a scenario's steps do: the graph, parameters and procedures it is given, and its queries. */
#include "cli/tck_run.h"

#include "base/file.h"
#include "cli/tck_value.h"
#include "lang/cypher/parser.h"

enum { GRAPH_BYTES_MAX = 4 << 20 };

void ew_tck_world_init(struct ew_tck_world *world, const char *graphs) {
  *world = (struct ew_tck_world){.graphs = graphs};
  ew_arena_init(&world->arena);
  ew_model_init(&world->model);
}

void ew_tck_world_release(struct ew_tck_world *world) {
  ew_model_release(&world->model);
  ew_arena_release(&world->arena);
}

/* ---- queries ---- */

void ew_tck_execute(struct ew_tck_world *world, struct ew_span query) {
  struct ew_builder builder = {&world->arena, 1};
  struct ew_cypher_syntax_error syntax;
  struct ew_cypher_script script;
  struct ew_model_options options = {
      .parameters = world->parameters.items,
      .parameter_count = world->parameters.count,
      .now = INT64_C(1600000000000000000), /* some day in 2020 */
  };
  world->result = (struct ew_model_result){0};
  bool reads = ew_cypher_parse_script(&builder, query, &script, &syntax) == EW_OK;
  if (reads && script.count == 1) {
    ew_execute(&world->model, &world->arena, &script.items[0], &options, &world->result, &world->error);
    return;
  }
  world->error = (struct ew_query_error){"SyntaxError", reads ? "UnexpectedSyntax" : syntax.detail, true, ""};
  snprintf(world->error.text, sizeof world->error.text, "%.190s", reads ? "not one statement" : syntax.message);
}

static bool prepare_graph(struct ew_tck_world *world, struct ew_span query) {
  ew_tck_execute(world, query);
  if (!world->error.type) return true;
  ew_text_add_format(world->why, "cannot make the graph: %s: %s: %s", world->error.type, world->error.detail,
                     world->error.text);
  return false;
}

/* ---- what is given ---- */

static bool give_named_graph(struct ew_tck_world *world, struct ew_span name) {
  struct ew_text query = {0};
  struct ew_error error;
  struct ew_span path =
      ew_arena_format(&world->arena, "%s/%.*s/%.*s.cypher", world->graphs, EW_SPAN_ARGS(name), EW_SPAN_ARGS(name));
  bool good = ew_file_read(ew_arena_string(&world->arena, path), GRAPH_BYTES_MAX, &query, &error) == EW_OK;
  if (good)
    good = prepare_graph(world, ew_text_span(&query));
  else
    ew_text_add_string(world->why, error.text);
  ew_text_release(&query);
  return good;
}

static bool read_cell(struct ew_tck_world *world, struct ew_span cell, struct ew_value *value) {
  if (ew_tck_value_read(&world->arena, cell, value)) return true;
  ew_text_add_format(world->why, "cannot read the value %.*s", EW_SPAN_ARGS(cell));
  return false;
}

static bool give_parameters(struct ew_tck_world *world, const struct ew_tck_step *step) {
  for (size_t row = 0; row < step->table.rows && step->table.width == 2; row++) {
    const struct ew_span *cells = step->table.cells + row * 2;
    struct ew_parameter *parameter = ew_arena_vector_push(&world->arena, &world->parameters);
    parameter->name = cells[0];
    if (!read_cell(world, cells[1], &parameter->value)) return false;
  }
  return true;
}

/* ---- procedures: "test.my.proc(in :: INTEGER?) :: (out :: STRING?, …):" ---- */

struct fields {
  EW_VECTOR(struct ew_procedure_field) list;
};

static struct ew_span without_blanks(struct ew_span span) {
  while (span.length && span.bytes[0] == ' ') span = (struct ew_span){span.bytes + 1, span.length - 1};
  while (span.length && span.bytes[span.length - 1] == ' ') span.length--;
  return span;
}

/* What stands before `mark`, which is taken off `rest` too; all of it where there is no mark. */
static struct ew_span before(struct ew_span *rest, const char *mark) {
  const char *found = memmem(rest->bytes, rest->length, mark, strlen(mark));
  size_t length = found ? (size_t)(found - rest->bytes) : rest->length, skip = length + (found ? strlen(mark) : 0);
  struct ew_span part = {rest->bytes, length};
  *rest = (struct ew_span){rest->bytes + skip, rest->length - skip};
  return without_blanks(part);
}

static struct fields read_fields(struct ew_arena *arena, struct ew_span text) {
  struct fields fields = {0};
  while (text.length) {
    struct ew_span field = before(&text, ",");
    struct ew_span name = before(&field, "::");
    *ew_arena_vector_push(arena, &fields.list) = (struct ew_procedure_field){name, without_blanks(field)};
  }
  return fields;
}

/* The table's rows with their columns in the order of the signature. */
static const struct ew_value *procedure_rows(struct ew_tck_world *world, const struct ew_tck_table *table,
                                             const struct ew_procedure *procedure) {
  size_t width = procedure->input_count + procedure->output_count, at = 0;
  struct ew_value *values = EW_NEW_ARRAY(&world->arena, struct ew_value, width * procedure->row_count + 1);
  for (size_t row = 1; row < table->rows; row++) {
    for (size_t i = 0; i < width; i++) {
      struct ew_span name =
          i < procedure->input_count ? procedure->inputs[i].name : procedure->outputs[i - procedure->input_count].name;
      size_t column = 0;
      while (column < table->width && !ew_span_equal(table->cells[column], name)) column++;
      values[at] = ew_null();
      if (column < table->width && !read_cell(world, table->cells[row * table->width + column], &values[at]))
        return NULL;
      at++;
    }
  }
  return values;
}

static bool give_procedure(struct ew_tck_world *world, const struct ew_tck_step *step, struct ew_span signature) {
  struct ew_span name = before(&signature, "("), inputs = before(&signature, ")");
  before(&signature, "(");
  struct fields in = read_fields(&world->arena, inputs);
  struct fields out = read_fields(&world->arena, before(&signature, ")"));
  struct ew_procedure procedure = {
      .name = name,
      .inputs = in.list.items,
      .input_count = in.list.count,
      .outputs = out.list.items,
      .output_count = out.list.count,
      .row_count = step->table.rows ? step->table.rows - 1 : 0,
  };
  procedure.rows = procedure_rows(world, &step->table, &procedure);
  if (!procedure.rows) return false;
  ew_model_add_procedure(&world->model, procedure);
  return true;
}

/* ---- steps ---- */

static bool behind(struct ew_span text, const char *prefix, struct ew_span *rest) {
  if (!ew_span_starts(text, ew_span_of(prefix))) return false;
  *rest = (struct ew_span){text.bytes + strlen(prefix), text.length - strlen(prefix)};
  return true;
}

static bool run_step(struct ew_tck_world *world, const struct ew_tck_step *step) {
  struct ew_span text = step->text, rest;
  if (ew_span_is(text, "an empty graph") || ew_span_is(text, "any graph")) return true;
  if (ew_span_is(text, "having executed:")) return prepare_graph(world, step->document);
  if (ew_span_is(text, "parameters are:")) return give_parameters(world, step);
  if (behind(text, "there exists a procedure ", &rest)) return give_procedure(world, step, rest);
  if (ew_span_is(text, "executing query:") || ew_span_is(text, "executing control query:")) {
    ew_tck_execute(world, step->document);
    return true;
  }
  if (ew_span_is(text, "the result should be empty")) return ew_tck_state_empty(world);
  if (behind(text, "the result should be", &rest)) {
    bool in_order = ew_span_starts(rest, EW_SPAN(", in order"));
    bool any_list_order = memmem(rest.bytes, rest.length, "ignoring element order", 22) != NULL;
    return ew_tck_state_rows(world, step, in_order, any_list_order);
  }
  if (ew_span_is(text, "no side effects") || ew_span_is(text, "the side effects should be:"))
    return ew_tck_state_effects(world, step);
  if (behind(text, "a ", &rest)) return ew_tck_state_error(world, step);
  if (behind(text, "the ", &rest)) return give_named_graph(world, before(&rest, " graph"));
  ew_text_add_format(world->why, "there is no step '%.*s'", EW_SPAN_ARGS(text));
  return false;
}

bool ew_tck_run(struct ew_tck_world *world, const struct ew_tck_scenario *scenario, struct ew_text *why) {
  ew_arena_reset(&world->arena);
  ew_model_reset(&world->model);
  world->parameters.items = NULL;
  world->parameters.count = world->parameters.capacity = 0;
  world->why = why;
  for (size_t i = 0; i < scenario->step_count; i++)
    if (!run_step(world, &scenario->steps[i])) return false;
  return true;
}
