/* tck_syntax.c: the queries of the TCK as texts: what should parse parses, and reads back as printed; what is wrong before it
   runs is seen by parser or checker, under the name that the TCK gives it. */
#include "cli/tck.h"
#include "cli/tck_run.h"
#include "lang/cypher/parser.h"
#include "lang/cypher/print.h"
#include "lang/cypher/scope.h"

/* What the last query must fail with before it runs; false where it must not. */
static bool expects_syntax_error(const struct ew_tck_scenario *scenario, struct ew_span *detail) {
  struct ew_tck_stated_error stated;
  for (size_t i = 0; i < scenario->step_count; i++) {
    if (!ew_tck_stated_error_read(scenario->steps[i].text, &stated)) continue;
    *detail = stated.detail;
    return ew_span_is(stated.type, "SyntaxError") && ew_span_is(stated.phase, "compile time");
  }
  return false;
}

static bool is_query(const struct ew_tck_step *step, bool *judged) {
  *judged = ew_span_is(step->text, "executing query:");
  return *judged || ew_span_is(step->text, "executing control query:") || ew_span_is(step->text, "having executed:");
}

/* NULL where it is as it must be. */
static const char *round_trip(struct ew_arena *arena, struct ew_span query, struct ew_text *printed) {
  struct ew_builder builder = {arena, 1};
  const struct ew_node *statement, *again;
  if (ew_cypher_parse(&builder, query, &statement, NULL)) return "does not parse";
  ew_cypher_print(printed, statement, NULL);
  if (ew_cypher_parse(&builder, ew_text_span(printed), &again, NULL)) return "does not parse as printed";
  return ew_tree_equal(statement, again) ? NULL : "is another tree as printed";
}

/* What parser or checker say of it. */
static const char *static_error(struct ew_arena *arena, struct ew_span query) {
  struct ew_builder builder = {arena, 1};
  struct ew_cypher_syntax_error error;
  struct ew_cypher_problem problem;
  const struct ew_node *statement;
  if (ew_cypher_parse(&builder, query, &statement, &error)) return error.detail;
  return ew_cypher_analyze(statement, &problem) ? "nothing" : ew_cypher_detail_name(problem.detail);
}

static void add_title(struct ew_text *text, const struct ew_tck_scenario *scenario) {
  ew_tck_title(text, scenario);
  ew_text_add_char(text, '\n');
}

void ew_tck_syntax_count(struct ew_tck_syntax *syntax, const struct ew_tck_scenario *scenario, struct ew_text *text) {
  struct ew_arena arena;
  struct ew_span detail;
  bool must_fail = expects_syntax_error(scenario, &detail), judged;
  ew_arena_init(&arena);
  for (size_t i = 0; i < scenario->step_count; i++) {
    struct ew_span query = scenario->steps[i].document;
    if (!is_query(&scenario->steps[i], &judged)) continue;
    if (must_fail && judged) {
      const char *said = static_error(&arena, query);
      syntax->errors++;
      if (ew_span_is(detail, said)) {
        syntax->found++;
        continue;
      }
      ew_text_add_format(text, "# %s by parser and checker, %.*s stated\nstatic: ", said, EW_SPAN_ARGS(detail));
      add_title(text, scenario);
      continue;
    }
    struct ew_text printed = {0};
    const char *wrong = round_trip(&arena, query, &printed);
    syntax->queries++;
    if (wrong) {
      ew_text_add_format(text, "# a query %s: %.*s\nstatic: ", wrong, EW_SPAN_ARGS(ew_text_span(&printed)));
      add_title(text, scenario);
    } else {
      syntax->round_trips++;
    }
    ew_text_release(&printed);
  }
  ew_arena_release(&arena);
}
