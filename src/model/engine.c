/* engine.c: the model behind the interface of an adapter: text in, outcome out. Deadlines are steps here. */
#include "model/engine.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "lang/cypher/parser.h"
#include "lang/cypher/scope.h"
#include "model/model.h"

struct engine {
  struct ew_model model;
  struct ew_arena trees;
  struct ew_semantics semantics;
  struct ew_model_limits limits;
};

static enum ew_status read_setting(struct engine *engine, struct ew_option option, struct ew_error *error) {
  char number[32], *end;
  struct ew_span unknown;
  if (ew_span_is(option.name, "plant")) {
    if (ew_plants_read(&engine->model.plants, option.setting, &unknown)) return EW_OK;
    return ew_fail(error, EW_USAGE, "there is no plant '%.*s'", EW_SPAN_ARGS(unknown));
  }
  if (!option.setting.length || option.setting.length >= sizeof number) return EW_OK;
  memcpy(number, option.setting.bytes, option.setting.length);
  number[option.setting.length] = '\0';
  long long setting = strtoll(number, &end, 10);
  bool steps = ew_span_is(option.name, "steps");
  if (*end) return steps ? ew_fail(error, EW_USAGE, "steps is a number, not %s", number) : EW_OK;
  if (steps && setting > 0)
    engine->limits.steps = (uint64_t)setting;
  else
    ew_semantics_set(&engine->semantics, option.name, (int32_t)setting);
  return EW_OK;
}

static enum ew_status open_model(const struct ew_settings *settings, void **instance, struct ew_error *error) {
  struct engine *engine = ew_allocate_zeroed(1, sizeof *engine);
  ew_model_init(&engine->model);
  ew_arena_init(&engine->trees);
  engine->semantics = ew_semantics_standard;
  engine->limits = (struct ew_model_limits){.steps = 2000000, .rows = 200000, .bytes = 128 << 20};
  *instance = engine;
  for (size_t i = 0; i < settings->count; i++) {
    enum ew_status status = read_setting(engine, settings->items[i], error);
    if (status) return status;
  }
  return EW_OK;
}

static enum ew_status reset_model(void *instance, struct ew_error *error) {
  struct engine *engine = instance;
  (void)error;
  ew_model_reset(&engine->model);
  return EW_OK;
}

static void put_error(struct ew_arena *arena, struct ew_statement_outcome *outcome, const char *type,
                      const char *detail, const char *text) {
  outcome->kind = EW_OUTCOME_ERROR;
  outcome->code = ew_arena_copy(arena, ew_span_of(detail));
  outcome->text = ew_arena_format(arena, "%s: %s: %s", type, detail, text);
}

/* NULL, and the outcome is an error, where the text is no statement or one that openCypher refuses. */
static const struct ew_node *read_statement(struct engine *engine, struct ew_span text, struct ew_arena *arena,
                                            struct ew_statement_outcome *outcome) {
  struct ew_builder builder = {&engine->trees, 1};
  struct ew_cypher_syntax_error syntax;
  struct ew_cypher_problem problem;
  const struct ew_node *statement;
  ew_arena_reset(&engine->trees);
  if (ew_cypher_parse(&builder, text, &statement, &syntax) != EW_OK) {
    put_error(arena, outcome, "SyntaxError", syntax.detail ? syntax.detail : "UnexpectedSyntax", syntax.message);
    return NULL;
  }
  if (ew_cypher_analyze(statement, &problem) || ew_model_forgives(&engine->model, &problem)) return statement;
  put_error(arena, outcome, ew_cypher_detail_type(problem.detail), ew_cypher_detail_name(problem.detail),
            ew_cypher_detail_meaning(problem.detail));
  return NULL;
}

static void run_model(void *instance, const struct ew_statement *statement, const struct ew_option *options,
                      size_t option_count, struct ew_deadline deadline, struct ew_arena *arena,
                      struct ew_statement_outcome *outcome) {
  struct engine *engine = instance;
  (void)options;
  (void)option_count;
  (void)deadline;
  outcome->kind = EW_OUTCOME_ROWS;
  const struct ew_node *tree = read_statement(engine, statement->text, arena, outcome);
  if (!tree) return;
  struct ew_model_options how = {.semantics = &engine->semantics,
                                 .limits = &engine->limits,
                                 .parameters = statement->parameters,
                                 .parameter_count = statement->parameter_count};
  struct ew_model_result result;
  ew_model_execute(&engine->model, tree, &how, arena, &result);
  if (result.error.code == EW_FAULT_LIMIT) {
    outcome->kind = EW_OUTCOME_TIMEOUT;
  } else if (result.error.code) {
    put_error(arena, outcome, ew_fault_type(result.error.code), ew_fault_detail(result.error.code), result.error.text);
  } else {
    outcome->rows = result.rows;
    outcome->has_counters = true;
    outcome->counters = result.counters;
  }
}

static struct ew_span version_model(void *instance, struct ew_arena *arena) {
  (void)instance;
  (void)arena;
  return EW_SPAN("openCypher 9");
}

static void close_model(void *instance) {
  struct engine *engine = instance;
  ew_model_release(&engine->model);
  ew_arena_release(&engine->trees);
  ew_deallocate(engine);
}

const struct ew_adapter ew_adapter_model = {
    .name = "model",
    .open = open_model,
    .reset = reset_model,
    .run = run_model,
    .version = version_model,
    .close = close_model,
};
