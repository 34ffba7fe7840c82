/* session.c: statements clause by clause. */
#include "model/session.h"

void ew_session_begin(struct ew_session *session, struct ew_model *model, const struct ew_model_options *options,
                      struct ew_arena *arena) {
  *session = (struct ew_session){.compiler = {.model = model, .arena = arena}};
  ew_execution_init(&session->run, model, options, arena);
  session->begin = ew_graph_begin(&model->graph);
  ew_table_init(&session->table, 0);
  session->table.ordered = true;
  ew_table_add(&session->run, &session->table);
}

static bool is_done(struct ew_session *session, const struct ew_model_error *error) {
  session->error = *error;
  return error->code == EW_FAULT_NONE;
}

bool ew_session_apply(struct ew_session *session, const struct ew_node *clause) {
  struct ew_session_mark mark = ew_session_mark(session);
  const struct ew_step *step = ew_compile_clause(&session->compiler, clause);
  if (!is_done(session, &session->compiler.error)) {
    ew_session_rewind(session, mark);
    return false;
  }
  struct ew_execution *run = &session->run;
  struct ew_graph_mark graph = ew_graph_begin(run->graph);
  ew_execution_init(run, run->model, run->options, run->arena);
  run->counters = mark.counters;
  run->open = mark.open;
  run->width = session->compiler.width;
  run->slots = EW_NEW_ARRAY(run->arena, struct ew_value, run->width);
  ew_run_steps(run, &step, 1, &session->table, &session->table);
  ew_graph_commit(run->graph, graph);
  if (is_done(session, &run->error)) return true;
  ew_session_rewind(session, mark);
  return false;
}

/* An expression compiled for the rows as they are; NULL, and the error is said, where it cannot be. */
static const struct ew_code *compile(struct ew_session *session, const struct ew_node *expression) {
  struct ew_compiler *compiler = &session->compiler;
  struct ew_scope_mark scope = ew_compile_open(compiler);
  const struct ew_code *code = ew_compile_expression(compiler, expression);
  ew_compile_close(compiler, scope);
  bool done = is_done(session, &compiler->error);
  compiler->failed = false;
  compiler->error = (struct ew_model_error){0};
  struct ew_execution *run = &session->run;
  struct ew_counters counters = run->counters;
  uint32_t open = run->open;
  ew_execution_init(run, run->model, run->options, run->arena);
  run->counters = counters;
  run->open = open;
  run->width = compiler->width;
  run->slots = EW_NEW_ARRAY(run->arena, struct ew_value, run->width);
  return done ? code : NULL;
}

static bool settle(struct ew_session *session) {
  struct ew_execution *run = &session->run;
  bool done = is_done(session, &run->error);
  run->failed = false;
  run->error = (struct ew_model_error){0};
  return done;
}

bool ew_session_evaluate(struct ew_session *session, const struct ew_node *expression, size_t row,
                         struct ew_value *value) {
  const struct ew_code *code = compile(session, expression);
  if (!code) return false;
  ew_table_load(&session->run, &session->table, row);
  *value = ew_evaluate(&session->run, code);
  return settle(session);
}

bool ew_session_filter(struct ew_session *session, const struct ew_node *expression) {
  struct ew_table kept;
  const struct ew_code *code = compile(session, expression);
  if (!code) return false;
  ew_table_init(&kept, session->table.width);
  kept.ordered = session->table.ordered;
  for (size_t i = 0; i < session->table.count && !session->run.failed; i++) {
    ew_table_load(&session->run, &session->table, i);
    if (ew_evaluate_truth(&session->run, code) == EW_TRUE) ew_table_add_slots(&session->run, &kept);
  }
  if (!settle(session)) return false;
  session->table = kept;
  return true;
}

bool ew_session_look(const struct ew_session *session, struct ew_span name, size_t row, struct ew_value *value) {
  uint32_t slot;
  if (!ew_compile_find(&session->compiler, name, &slot)) return false;
  *value = ew_table_row(&session->table, row)[slot];
  return true;
}

struct ew_rows ew_session_rows(struct ew_session *session) {
  const struct ew_compiler *compiler = &session->compiler;
  size_t count = compiler->visible.count, rows = session->table.count;
  struct ew_span *names = EW_NEW_ARRAY(compiler->arena, struct ew_span, count);
  struct ew_value *values = EW_NEW_ARRAY(compiler->arena, struct ew_value, count * rows);
  for (size_t i = 0; i < count; i++) {
    names[i] = compiler->visible.items[i].name;
    for (size_t k = 0; k < rows; k++)
      values[k * count + i] = ew_table_row(&session->table, k)[compiler->visible.items[i].slot];
  }
  return (struct ew_rows){.columns = names, .column_count = count, .values = values, .row_count = rows};
}

struct ew_session_mark ew_session_mark(struct ew_session *session) {
  const struct ew_compiler *compiler = &session->compiler;
  size_t count = compiler->visible.count;
  struct ew_session_mark mark = {.table = session->table,
                                 .visible_count = count,
                                 .next = compiler->next,
                                 .counters = session->run.counters,
                                 .open = session->run.open};
  mark.visible = EW_NEW_ARRAY(compiler->arena, struct ew_binding, count);
  if (count) memcpy(mark.visible, compiler->visible.items, count * sizeof *mark.visible);
  mark.graph = ew_graph_begin(session->run.graph);
  ew_graph_commit(session->run.graph, mark.graph);
  return mark;
}

void ew_session_rewind(struct ew_session *session, struct ew_session_mark mark) {
  struct ew_compiler *compiler = &session->compiler;
  ew_graph_rollback(session->run.graph, mark.graph);
  session->table = mark.table;
  session->run.counters = mark.counters;
  session->run.open = mark.open;
  session->run.failed = false;
  session->run.error = (struct ew_model_error){0};
  *compiler = (struct ew_compiler){
      .model = compiler->model, .arena = compiler->arena, .next = mark.next, .width = compiler->width};
  for (size_t i = 0; i < mark.visible_count; i++)
    *ew_arena_vector_push(compiler->arena, &compiler->visible) = mark.visible[i];
}

bool ew_session_end(struct ew_session *session, bool keep) {
  struct ew_execution *run = &session->run;
  if (keep && !run->failed) ew_run_check_connected(run, session->begin.changes);
  if (keep && !run->failed && run->graph->log.count > session->begin.changes) ew_catalog_check(run);
  session->error = run->error;
  keep = keep && !run->failed;
  if (keep)
    ew_graph_commit(run->graph, session->begin);
  else
    ew_graph_rollback(run->graph, session->begin);
  return keep;
}
