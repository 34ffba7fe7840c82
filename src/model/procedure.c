/* procedure.c: CALL of a procedure, which is a table: the rows whose inputs equal the arguments, and of those the
   outputs. */
#include "model/code.h"

struct procedure_call {
  const struct ew_procedure *procedure;
  const struct ew_code *const *arguments;
  const size_t *outputs; /* which of the procedure's outputs */
  size_t output_count;
  uint32_t first;
  const struct ew_code *where;
  bool optional;
};

/* ---- types ---- */

static bool type_is(struct ew_span type, const char *name) {
  return ew_span_is(type, name) || (type.length && type.bytes[type.length - 1] == '?' &&
                                    ew_span_is((struct ew_span){type.bytes, type.length - 1}, name));
}

static bool fits(struct ew_value value, struct ew_span type) {
  bool number = value.kind == EW_VALUE_INTEGER || value.kind == EW_VALUE_FLOAT;
  if (value.kind == EW_VALUE_NULL || type_is(type, "ANY")) return true;
  if (type_is(type, "INTEGER")) return value.kind == EW_VALUE_INTEGER;
  if (type_is(type, "FLOAT") || type_is(type, "NUMBER")) return number;
  if (type_is(type, "STRING")) return value.kind == EW_VALUE_STRING;
  if (type_is(type, "BOOLEAN")) return value.kind == EW_VALUE_BOOLEAN;
  return true;
}

/* ---- running ---- */

static void add_rows(struct ew_execution *run, const struct procedure_call *call, struct ew_table *out) {
  const struct ew_procedure *procedure = call->procedure;
  size_t width = procedure->input_count + procedure->output_count;
  struct ew_value *arguments = ew_run_take(run, procedure->input_count, sizeof *arguments);
  for (size_t i = 0; arguments && i < procedure->input_count; i++) {
    arguments[i] = ew_evaluate(run, call->arguments[i]);
    if (!fits(arguments[i], procedure->inputs[i].type))
      ew_run_fail(run, EW_FAULT_PROCEDURE_TYPE, "%.*s() with %s", EW_SPAN_ARGS(procedure->name),
                  ew_kind_text(arguments[i]));
  }
  for (size_t i = 0; i < procedure->row_count && ew_run_spend(run, 1); i++) {
    const struct ew_value *row = procedure->rows + i * width;
    bool wanted = true;
    for (size_t k = 0; k < procedure->input_count; k++)
      wanted &= ew_value_equivalent(row[k], arguments[k], run->semantics);
    if (!wanted) continue;
    for (size_t k = 0; k < call->output_count; k++)
      run->slots[call->first + k] = row[procedure->input_count + call->outputs[k]];
    if (!call->where || ew_evaluate_truth(run, call->where) == EW_TRUE) ew_table_add_slots(run, out);
  }
}

static void run_procedure(struct ew_execution *run, const struct ew_step *step, const struct ew_table *in,
                          struct ew_table *out) {
  const struct procedure_call *call = step->detail;
  for (size_t i = 0; i < in->count && !run->failed; i++) {
    size_t before = out->count;
    ew_table_load(run, in, i);
    if (call->procedure->output_count) add_rows(run, call, out);
    if (call->procedure->output_count && (out->count > before || !call->optional)) continue;
    for (size_t k = 0; k < call->output_count; k++) run->slots[call->first + k] = ew_null();
    ew_table_add_slots(run, out);
  }
}

/* ---- compiling ---- */

static const struct ew_procedure *find_procedure(const struct ew_model *model, struct ew_span name) {
  for (size_t i = 0; i < model->procedures.count; i++)
    if (ew_span_equal(model->procedures.items[i].name, name)) return &model->procedures.items[i];
  return NULL;
}

/* Without arguments of its own, a call that is the whole statement takes the parameters of the inputs' names. */
static const struct ew_code *const *implicit_arguments(struct ew_compiler *compiler,
                                                       const struct ew_procedure *procedure) {
  struct ew_builder builder = {compiler->arena, 1};
  const struct ew_code **codes = EW_NEW_ARRAY(compiler->arena, const struct ew_code *, procedure->input_count);
  for (size_t i = 0; i < procedure->input_count; i++)
    codes[i] = ew_compile_expression(compiler, CYPHER(&builder, parameter, .name.name = procedure->inputs[i].name));
  return codes;
}

static void compile_arguments(struct ew_compiler *compiler, const struct cypher_call_procedure *source,
                              struct procedure_call *call) {
  const struct ew_procedure *procedure = call->procedure;
  struct ew_list list = source->arguments.list;
  if (!source->explicit.flag) {
    if (!compiler->standalone && procedure->input_count)
      ew_compile_fail(compiler, EW_FAULT_PASSING_MODE, "%.*s needs its arguments", EW_SPAN_ARGS(procedure->name));
    call->arguments = implicit_arguments(compiler, procedure);
    return;
  }
  if (list.count != procedure->input_count)
    ew_compile_fail(compiler, EW_FAULT_PROCEDURE_ARGUMENTS, "%.*s cannot have %zu arguments",
                    EW_SPAN_ARGS(procedure->name), list.count);
  call->arguments = ew_compile_list(compiler, list);
  for (size_t i = 0; i < list.count && !compiler->failed; i++)
    if (ew_code_is_constant(call->arguments[i]) && !fits(call->arguments[i]->constant, procedure->inputs[i].type))
      ew_compile_fail(compiler, EW_FAULT_PROCEDURE_TYPE, "%.*s() with %s", EW_SPAN_ARGS(procedure->name),
                      ew_kind_text(call->arguments[i]->constant));
}

static size_t find_output(struct ew_compiler *compiler, const struct ew_procedure *procedure, struct ew_span name) {
  for (size_t i = 0; i < procedure->output_count; i++)
    if (ew_span_equal(procedure->outputs[i].name, name)) return i;
  ew_compile_fail(compiler, EW_FAULT_NO_VARIABLE, "%.*s yields no %.*s", EW_SPAN_ARGS(procedure->name),
                  EW_SPAN_ARGS(name));
  return 0;
}

static void bind_outputs(struct ew_compiler *compiler, const struct cypher_call_procedure *source,
                         struct procedure_call *call) {
  const struct ew_procedure *procedure = call->procedure;
  struct ew_list yields = source->yields.list;
  bool all = source->star.flag || (!yields.count && compiler->standalone);
  size_t *outputs = EW_NEW_ARRAY(compiler->arena, size_t, all ? procedure->output_count : yields.count);
  call->output_count = all ? procedure->output_count : yields.count;
  call->first = compiler->next;
  for (size_t i = 0; i < call->output_count && !compiler->failed; i++) {
    const struct cypher_yield *yield = all ? NULL : CYPHER_AS(yield, yields.items[i]);
    outputs[i] = all ? i : find_output(compiler, procedure, yield->name.name);
    struct ew_span name = all                        ? procedure->outputs[i].name
                          : yield->alias.name.length ? yield->alias.name
                                                     : yield->name.name;
    ew_compile_bind(compiler, name);
  }
  call->outputs = outputs;
}

const struct ew_step *ew_compile_call_procedure(struct ew_compiler *compiler, const struct ew_node *node) {
  const struct cypher_call_procedure *source = CYPHER_AS(call_procedure, node);
  struct procedure_call *call = EW_NEW(compiler->arena, struct procedure_call);
  call->procedure = find_procedure(compiler->model, source->name.name);
  call->optional = source->optional.flag;
  if (!call->procedure) {
    ew_compile_fail(compiler, EW_FAULT_NO_PROCEDURE, "there is no procedure %.*s", EW_SPAN_ARGS(source->name.name));
    return ew_step_new(compiler, run_procedure, node, call);
  }
  compile_arguments(compiler, source, call);
  bind_outputs(compiler, source, call);
  call->where = ew_compile_expression(compiler, source->where.node);
  return ew_step_new(compiler, run_procedure, node, call);
}
