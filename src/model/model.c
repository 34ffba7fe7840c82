/* model.c: the model as others see it: prepare, run, and what a failed statement leaves behind (nothing). */
#include "model/model.h"

#include "model/code.h"

const struct ew_model_limits ew_model_limits_standard = {.steps = 10000000, .rows = 2000000, .bytes = 512 << 20};

const char *ew_fault_type(enum ew_fault fault) {
  static const char *const types[] = {
      [EW_FAULT_NONE] = "",
#define FAULT(name, type, detail) [EW_FAULT_##name] = type,
#include "model/fault.def"
#undef FAULT
  };
  return types[fault];
}

const char *ew_fault_detail(enum ew_fault fault) {
  static const char *const details[] = {
      [EW_FAULT_NONE] = "",
#define FAULT(name, type, detail) [EW_FAULT_##name] = detail,
#include "model/fault.def"
#undef FAULT
  };
  return details[fault];
}

const char *ew_open_reason(enum ew_open open) {
  static const char *const reasons[] = {
#define OPEN(name, reason) [EW_OPEN_##name] = reason,
#include "model/open.def"
#undef OPEN
  };
  return reasons[open];
}

void ew_model_init(struct ew_model *model) {
  *model = (struct ew_model){0};
  ew_graph_init(&model->graph);
  ew_map_init(&model->planted.counts);
  ew_map_init(&model->planted.stale);
}

void ew_model_release(struct ew_model *model) {
  ew_graph_release(&model->graph);
  ew_catalog_release(&model->schema);
  ew_map_release(&model->planted.counts);
  ew_map_release(&model->planted.stale);
  ew_vector_release(&model->procedures);
}

void ew_model_reset(struct ew_model *model) {
  ew_graph_reset(&model->graph);
  ew_catalog_reset(&model->schema);
  ew_map_reset(&model->planted.counts);
  ew_map_reset(&model->planted.stale);
  ew_vector_reset(&model->procedures);
}

void ew_model_add_procedure(struct ew_model *model, struct ew_procedure procedure) {
  *ew_vector_push(&model->procedures) = procedure;
}

static enum ew_walk find_write(const struct ew_node *node, struct ew_place place, void *context) {
  static const enum cypher_kind kinds[] = {CYPHER_create, CYPHER_merge, CYPHER_set, CYPHER_remove, CYPHER_delete};
  (void)place;
  (void)context;
  for (size_t i = 0; i < EW_COUNT(kinds); i++)
    if (cypher_is(node, kinds[i])) return EW_WALK_STOP;
  return EW_WALK_ON;
}

bool ew_model_prepare(struct ew_model *model, struct ew_arena *arena, const struct ew_node *statement,
                      struct ew_model_error *error, const struct ew_plan **plan) {
  struct ew_compiler compiler = {.model = model, .arena = arena};
  struct ew_plan *made = EW_NEW(arena, struct ew_plan);
  const struct ew_node *body =
      cypher_is(statement, CYPHER_statement) ? CYPHER_AS(statement, statement)->body.node : statement;
  if (cypher_is(body, CYPHER_query) || cypher_is(body, CYPHER_union))
    made->query = ew_compile_query(&compiler, body, EW_SEES_ALL);
  else
    made->command = body;
  made->statement = statement;
  made->width = compiler.width;
  if (ew_plants_any(&model->plants)) made->hash = ew_tree_hash(statement);
  made->writes = !ew_tree_walk(statement, find_write, NULL);
  made->parameters = (struct ew_names){compiler.parameters.items, compiler.parameters.count};
  *error = compiler.error;
  *plan = made;
  return !compiler.failed;
}

/* ---- running ---- */

static const struct ew_parameter *find_parameter(const struct ew_model_options *options, struct ew_span name) {
  for (size_t i = 0; i < options->parameter_count; i++)
    if (ew_span_equal(options->parameters[i].name, name)) return &options->parameters[i];
  return NULL;
}

static void check_parameters(struct ew_execution *run, const struct ew_plan *plan) {
  for (size_t i = 0; i < plan->parameters.count; i++) {
    struct ew_span name = plan->parameters.items[i];
    if (run->failed || find_parameter(run->options, name)) continue;
    ew_run_fail(run, EW_FAULT_NO_PARAMETER, "no parameter $%.*s was given", EW_SPAN_ARGS(name));
    run->error.at_compile_time = true;
  }
}

void ew_run_check_connected(struct ew_execution *run, size_t since) {
  for (size_t i = since; i < run->graph->log.count && !run->failed; i++) {
    const struct ew_change *change = &run->graph->log.items[i];
    if (change->kind != EW_CHANGE_NODE_GONE) continue;
    bool connected = false;
    for (const struct ew_relationship_record *r = change->node->outgoing; r; r = r->next_outgoing)
      connected |= !r->deleted;
    for (const struct ew_relationship_record *r = change->node->incoming; r; r = r->next_incoming)
      connected |= !r->deleted;
    if (connected) ew_run_fail(run, EW_FAULT_CONNECTED, "a deleted node still has relationships");
  }
}

static void take_rows(const struct ew_query *query, const struct ew_table *table, struct ew_model_result *result) {
  if (!query->returns) return;
  result->rows = (struct ew_rows){.columns = query->columns.items,
                                  .column_count = query->columns.count,
                                  .values = table->values,
                                  .row_count = table->count};
  result->ordered = query->ordered;
}

void ew_execution_init(struct ew_execution *run, struct ew_model *model, const struct ew_model_options *options,
                       struct ew_arena *arena) {
  const struct ew_model_limits *limits = options->limits ? options->limits : &ew_model_limits_standard;
  *run = (struct ew_execution){.model = model,
                               .graph = &model->graph,
                               .arena = arena,
                               .semantics = options->semantics ? options->semantics : &ew_semantics_standard,
                               .options = options,
                               .steps_left = limits->steps,
                               .bytes_left = limits->bytes,
                               .bytes_max = limits->bytes,
                               .rows_max = limits->rows,
                               .portable = options->portable};
}

static void keep_open(const struct ew_execution *run, struct ew_model_result *result) {
  result->unplaced = run->unplaced & run->open;
  result->site_count = run->site_count;
  if (run->site_count) {
    struct ew_open_site *sites = EW_NEW_ARRAY(run->arena, struct ew_open_site, run->site_count);
    memcpy(sites, run->sites, run->site_count * sizeof *sites);
    result->sites = sites;
  }
  if (!run->ranking.values) return;
  struct ew_ranking *ranking = EW_NEW(run->arena, struct ew_ranking);
  *ranking = run->ranking;
  ranking->sorting.run = NULL;
  ranking->sorting.planted = false;
  result->ranking = ranking;
}

void ew_model_run(struct ew_model *model, const struct ew_plan *plan, const struct ew_model_options *options,
                  struct ew_arena *arena, struct ew_model_result *result) {
  struct ew_execution run;
  ew_execution_init(&run, model, options, arena);
  run.width = plan->width;
  run.statement = plan->hash;
  *result = (struct ew_model_result){.plan = plan};
  if (plan->command) {
    ew_catalog_run(&run, plan->command);
    result->error = run.error;
  }
  if (!plan->query) return;
  struct ew_table table = {0};
  struct ew_graph_mark mark = ew_graph_begin(run.graph);
  check_parameters(&run, plan);
  if (!run.failed) ew_run_query(&run, plan->query, &table);
  ew_run_check_connected(&run, mark.changes);
  if (run.graph->log.count > mark.changes) ew_catalog_check(&run);
  result->error = run.error;
  result->open = run.open;
  keep_open(&run, result);
  if (run.failed) {
    ew_graph_rollback(run.graph, mark);
    return;
  }
  take_rows(plan->query, &table, result);
  result->counters = run.counters;
  result->effects = ew_graph_effects(run.graph, mark, run.semantics);
  ew_graph_commit(run.graph, mark);
}

void ew_model_execute(struct ew_model *model, const struct ew_node *statement, const struct ew_model_options *options,
                      struct ew_arena *arena, struct ew_model_result *result) {
  const struct ew_plan *plan;
  *result = (struct ew_model_result){0};
  if (ew_model_prepare(model, arena, statement, &result->error, &plan))
    ew_model_run(model, plan, options, arena, result);
}

bool ew_model_forgives(const struct ew_model *model, const struct ew_cypher_problem *problem) {
  return problem->detail == EW_CYPHER_InvalidClauseComposition &&
         ew_planted(model, EW_PLANT_mixed_union_and_union_all_accepted) && cypher_is(problem->node, CYPHER_union);
}
