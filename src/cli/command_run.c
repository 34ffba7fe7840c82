/* command_run.c: `edgewise run FILE`: a script on the model, statement by statement. */
#include <time.h>

#include "base/vector.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/plants.h"
#include "cli/script.h"
#include "lang/cypher/print.h"
#include "model/admissible.h"
#include "model/execute.h"

enum { SHOWN_ROWS = 1000, SHOWN_COLUMNS = 100 };

/* What a clause did, over all the times it ran: a subquery runs once for each row. */
struct clause_rows {
  const struct ew_node *clause;
  unsigned depth;
  size_t runs, rows_in, rows_out;
};

struct runner {
  struct ew_arena arena; /* of one statement */
  struct ew_model model;
  struct ew_text text;
  EW_VECTOR(struct clause_rows) clauses; /* as they first ended */
  EW_VECTOR(struct ew_parameter) parameters;
  struct ew_arena values; /* of the parameters */
  bool json, explain;
};

static void watch(void *watcher, const struct ew_node *clause, unsigned depth, size_t rows_in, size_t rows_out) {
  struct runner *runner = watcher;
  struct clause_rows *found = NULL;
  for (size_t i = 0; i < runner->clauses.count && !found; i++)
    if (runner->clauses.items[i].clause == clause) found = &runner->clauses.items[i];
  if (!found) {
    found = ew_vector_push(&runner->clauses);
    *found = (struct clause_rows){.clause = clause, .depth = depth};
  }
  found->runs++;
  found->rows_in += rows_in;
  found->rows_out += rows_out;
}

/* ---- for people ---- */

static void print_clauses(struct runner *runner) {
  struct ew_text line = {0};
  if (runner->clauses.count) ew_text_add_string(&runner->text, "  rows  clause\n");
  for (size_t i = 0; i < runner->clauses.count; i++) {
    const struct clause_rows *clause = &runner->clauses.items[i];
    ew_text_reset(&line);
    for (unsigned depth = 0; depth < clause->depth; depth++) ew_text_add_string(&line, "  ");
    ew_cypher_print(&line, clause->clause, NULL);
    ew_text_add_format(&runner->text, "%6zu  ", clause->rows_out);
    ew_text_add_cut(&runner->text, ew_text_span(&line), SHOWN_COLUMNS);
    if (clause->runs > 1) ew_text_add_format(&runner->text, "  (%zu times)", clause->runs);
    ew_text_add_char(&runner->text, '\n');
  }
  ew_text_release(&line);
}

static void print_counters(struct ew_text *text, const struct ew_counters *counters) {
  const struct {
    int64_t count;
    const char *what;
  } lines[] = {
      {counters->nodes_created, "nodes created"},
      {counters->nodes_deleted, "nodes deleted"},
      {counters->relationships_created, "relationships created"},
      {counters->relationships_deleted, "relationships deleted"},
      {counters->properties_set, "properties set"},
      {counters->labels_added, "labels added"},
      {counters->labels_removed, "labels removed"},
  };
  bool some = false;
  for (size_t i = 0; i < EW_COUNT(lines); i++) {
    if (!lines[i].count) continue;
    ew_text_add_format(text, "%s%s: %lld", some ? ", " : "", lines[i].what, (long long)lines[i].count);
    some = true;
  }
  if (some) ew_text_add_char(text, '\n');
}

/* Rows that may come are shown where others came. */
static void print_open(struct runner *runner, const struct ew_model_result *result,
                       const struct ew_admissible *admissible) {
  struct ew_text *text = &runner->text;
  for (unsigned i = 0; i < EW_OPENS; i++)
    if (result->open & UINT32_C(1) << i) ew_text_add_format(text, "open: %s\n", ew_open_reason((enum ew_open)i));
  if (!admissible) return;
  bool more = admissible->expected.rows.row_count > result->rows.row_count;
  struct ew_span words = ew_admissible_words(&runner->arena, admissible);
  ew_text_add_format(text, "admissible: %.*s%s\n", EW_SPAN_ARGS(words), more ? ":" : "");
  if (more) ew_rows_print(text, &admissible->expected.rows, SHOWN_ROWS);
}

static const char *phase(const struct ew_query_error *error) {
  return error->at_compile_time ? "compile time" : "run time";
}

static void print_result(struct runner *runner, const struct ew_node *statement, const struct ew_model_result *result,
                         const struct ew_admissible *admissible, const struct ew_query_error *error) {
  struct ew_text *text = &runner->text;
  struct ew_text line = {0};
  ew_cypher_print(&line, statement, NULL);
  ew_text_add_format(text, "> %s\n", line.bytes);
  ew_text_release(&line);
  if (runner->explain) print_clauses(runner);
  if (error->type) {
    ew_text_add_format(text, "%s at %s: %s: %s\n", error->type, phase(error), error->detail, error->text);
  } else if (result->rows.column_count) {
    ew_rows_print(text, &result->rows, SHOWN_ROWS);
  }
  print_counters(text, &result->counters);
  print_open(runner, result, admissible);
  ew_text_add_char(text, '\n');
}

/* ---- JSON ---- */

static void write_clauses(struct runner *runner, struct ew_json_writer *writer) {
  struct ew_text line = {0};
  ew_json_key(writer, "clauses");
  ew_json_begin_array(writer);
  for (size_t i = 0; i < runner->clauses.count; i++) {
    const struct clause_rows *clause = &runner->clauses.items[i];
    ew_text_reset(&line);
    ew_cypher_print(&line, clause->clause, NULL);
    ew_json_begin_object(writer);
    ew_json_put_span(writer, "clause", ew_text_span(&line));
    ew_json_put_unsigned(writer, "depth", clause->depth);
    ew_json_put_unsigned(writer, "runs", clause->runs);
    ew_json_put_unsigned(writer, "rows_in", clause->rows_in);
    ew_json_put_unsigned(writer, "rows_out", clause->rows_out);
    ew_json_end_object(writer);
  }
  ew_json_end_array(writer);
  ew_text_release(&line);
}

static void write_counters(struct ew_json_writer *writer, const struct ew_counters *counters) {
  ew_json_key(writer, "counters");
  ew_json_begin_object(writer);
#define PUT(name) ew_json_put_unsigned(writer, #name, (uint64_t)counters->name);
  PUT(nodes_created)
  PUT(nodes_deleted)
  PUT(relationships_created)
  PUT(relationships_deleted)
  PUT(properties_set)
  PUT(labels_added)
  PUT(labels_removed)
#undef PUT
  ew_json_end_object(writer);
}

/* What is the same for every right answer is left out: tiers where all rows come, columns in which nothing is open. */
static void write_admissible(struct runner *runner, struct ew_json_writer *writer,
                             const struct ew_admissible *admissible) {
  const struct ew_expectation *expected = &admissible->expected;
  ew_json_key(writer, "admissible");
  ew_json_begin_object(writer);
  ew_json_put_span(writer, "words", ew_admissible_words(&runner->arena, admissible));
  ew_json_put_bool(writer, "anything", expected->kind == EW_EXPECT_ANYTHING);
  if (expected->kind == EW_EXPECT_ROWS) {
    ew_json_key(writer, "result");
    ew_rows_write_json(writer, &expected->rows);
    ew_json_put_bool(writer, "ordered", expected->ordered);
  }
  if (expected->tier_count) {
    ew_json_key(writer, "tiers");
    ew_json_begin_array(writer);
    for (size_t i = 0; i < expected->tier_count; i++) {
      ew_json_begin_object(writer);
      ew_json_put_unsigned(writer, "rows", expected->tiers[i].count);
      ew_json_put_unsigned(writer, "take", expected->tiers[i].take);
      ew_json_end_object(writer);
    }
    ew_json_end_array(writer);
  }
  ew_json_end_object(writer);
}

static void write_error(struct ew_json_writer *writer, const struct ew_query_error *error) {
  ew_json_key(writer, "error");
  ew_json_begin_object(writer);
  ew_json_put_string(writer, "type", error->type);
  ew_json_put_string(writer, "detail", error->detail);
  ew_json_put_string(writer, "phase", phase(error));
  ew_json_put_string(writer, "text", error->text);
  ew_json_end_object(writer);
}

static void write_result(struct runner *runner, const struct ew_node *statement, const struct ew_model_result *result,
                         const struct ew_admissible *admissible, const struct ew_query_error *error) {
  struct ew_text line = {0};
  struct ew_json_writer writer;
  ew_json_writer_init(&writer, &runner->text, 0);
  ew_cypher_print(&line, statement, NULL);
  ew_json_begin_object(&writer);
  ew_json_put_span(&writer, "statement", ew_text_span(&line));
  if (error->type) {
    write_error(&writer, error);
  } else {
    ew_json_key(&writer, "result");
    ew_rows_write_json(&writer, &result->rows);
    ew_json_put_bool(&writer, "ordered", result->ordered);
    write_counters(&writer, &result->counters);
  }
  ew_json_key(&writer, "open");
  ew_json_begin_array(&writer);
  for (unsigned i = 0; i < EW_OPENS; i++)
    if (result->open & UINT32_C(1) << i) ew_json_string(&writer, ew_span_of(ew_open_reason((enum ew_open)i)));
  ew_json_end_array(&writer);
  if (admissible) write_admissible(runner, &writer, admissible);
  if (runner->explain) write_clauses(runner, &writer);
  ew_json_end_object(&writer);
  ew_text_add_char(&runner->text, '\n');
  ew_text_release(&line);
}

/* ---- the command ---- */

/* The one that was set last is the first to be found. */
static void set_parameter(struct runner *runner, struct ew_span name, struct ew_value value) {
  ew_vector_push(&runner->parameters);
  for (size_t i = runner->parameters.count - 1; i > 0; i--)
    runner->parameters.items[i] = runner->parameters.items[i - 1];
  runner->parameters.items[0] = (struct ew_parameter){name, ew_value_copy(&runner->values, value)};
}

/* Whether it succeeded; what it gave goes into the text, or into a parameter. */
static bool run_statement(struct runner *runner, const struct ew_cypher_source *source, struct ew_span parameter,
                          int64_t now) {
  struct ew_model_options options = {
      .now = now, .parameters = runner->parameters.items, .parameter_count = runner->parameters.count};
  struct ew_model_result result;
  struct ew_query_error error;
  struct ew_admissible admissible;
  if (runner->explain) {
    options.watch = watch;
    options.watcher = runner;
  }
  ew_arena_reset(&runner->arena);
  ew_vector_reset(&runner->clauses);
  bool good = ew_execute(&runner->model, &runner->arena, source, &options, &result, &error);
  if (good) admissible = ew_admissible_of(&runner->arena, &result);
  const struct ew_admissible *right = good && result.open ? &admissible : NULL;
  if (good && parameter.length)
    set_parameter(runner, parameter, ew_row(&result.rows, 0)[0]);
  else if (runner->json)
    write_result(runner, source->statement, &result, right, &error);
  else
    print_result(runner, source->statement, &result, right, &error);
  return good;
}

static int64_t clock_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

enum ew_exit ew_command_run(const struct ew_arguments *given) {
  struct runner runner = {.json = ew_setting(given, EW_OPTION_json)->given,
                          .explain = ew_setting(given, EW_OPTION_explain)->given};
  struct ew_arena arena;
  struct ew_script script;
  struct ew_error error;
  bool good = true;
  ew_arena_init(&arena);
  ew_arena_init(&runner.arena);
  ew_arena_init(&runner.values);
  ew_model_init(&runner.model);
  enum ew_status status = ew_plants_settle(ew_setting(given, EW_OPTION_plant)->text, &runner.model.plants, &error);
  enum ew_exit code = status ? ew_give_up(status, &error) : EW_EXIT_NOTHING;
  if (!status) {
    status = ew_script_read(&arena, given->words[0], &script);
    code = ew_status_exit(status);
  }
  for (size_t i = 0; !status && good && i < script.statements.count; i++) {
    good = run_statement(&runner, &script.statements.items[i], ew_script_parameter(&script, i), clock_now());
    status = ew_output(&runner.text, &error);
    if (status) code = ew_give_up(status, &error);
  }
  ew_vector_release(&runner.clauses);
  ew_vector_release(&runner.parameters);
  ew_text_release(&runner.text);
  ew_model_release(&runner.model);
  ew_arena_release(&runner.values);
  ew_arena_release(&runner.arena);
  ew_arena_release(&arena);
  return !status && !good ? EW_EXIT_FINDINGS : code;
}
