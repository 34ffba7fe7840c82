/* finding.c: finding.json, written and read. Statements are stored as text beside the trees they came from: people read the
   text, replay uses the trees. */
#include "contract/finding.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "contract/language.h"

enum { FORMAT = 1 };

static const char *const state_texts[] = {
    [EW_CONFIRMED] = "confirmed",
    [EW_SEEN_ONCE] = "seen once",
    [EW_FLAKY] = "flaky",
};

const char *ew_finding_state_text(enum ew_finding_state state) { return state_texts[state]; }

struct ew_group_text ew_group_text(uint64_t group) {
  struct ew_group_text text;
  snprintf(text.text, sizeof text.text, "%016" PRIx64, group);
  return text;
}

const struct ew_statement_outcome *ew_finding_culprit(const struct ew_finding *finding) {
  if (finding->claim.relation != EW_RELATION_clean || finding->why.run >= finding->run_count) return NULL;
  const struct ew_outcome *outcome = &finding->outcomes[finding->why.run];
  return finding->why.statement < outcome->count ? &outcome->statements[finding->why.statement] : NULL;
}

void ew_bisection_add(struct ew_text *text, const struct ew_bisection *bisection) {
  struct ew_names unclear = bisection->unclear;
  ew_text_add_format(text, "shown first by %.*s", EW_SPAN_ARGS(bisection->first));
  if (bisection->good.length)
    ew_text_add_format(text, ", not by %.*s", EW_SPAN_ARGS(bisection->good));
  else
    ew_text_add_string(text, unclear.count ? "" : ", the oldest that is published");
  for (size_t i = 0; i < unclear.count; i++)
    ew_text_add_format(text, "%s%.*s", i ? ", " : "; ", EW_SPAN_ARGS(unclear.items[i]));
  if (unclear.count)
    ew_text_add_format(text, " refuse%s the query or fail%s in another way", unclear.count == 1 ? "s" : "",
                       unclear.count == 1 ? "s" : "");
  ew_text_add_format(text, "; %s the newest, %.*s", bisection->in_newest ? "still in" : "not seen in",
                     EW_SPAN_ARGS(bisection->newest));
}

/* ---- writing ---- */

static void write_names(struct ew_json_writer *writer, const char *key, struct ew_names names) {
  ew_json_key(writer, key);
  ew_json_begin_array(writer);
  for (size_t i = 0; i < names.count; i++) ew_json_string(writer, names.items[i]);
  ew_json_end_array(writer);
}

static void write_program(struct ew_json_writer *writer, const struct ew_program *program) {
  ew_json_begin_array(writer);
  for (size_t i = 0; i < program->count; i++) {
    const struct ew_statement *statement = &program->statements[i];
    ew_json_begin_object(writer);
    ew_json_put_span(writer, "text", statement->text);
    if (statement->columns.count) write_names(writer, "columns", statement->columns);
    if (statement->parameter_count) {
      ew_json_key(writer, "parameters");
      ew_json_begin_object(writer);
      for (size_t k = 0; k < statement->parameter_count; k++) {
        ew_json_key_span(writer, statement->parameters[k].name);
        ew_value_write_json(writer, statement->parameters[k].value);
      }
      ew_json_end_object(writer);
    }
    ew_json_end_object(writer);
  }
  ew_json_end_array(writer);
}

static void write_runs(struct ew_json_writer *writer, const struct ew_finding *finding) {
  ew_json_key(writer, "runs");
  ew_json_begin_array(writer);
  for (size_t i = 0; i < finding->run_count; i++) {
    ew_json_begin_object(writer);
    ew_json_key(writer, "statements");
    write_program(writer, &finding->runs[i].program);
    ew_json_put_unsigned(writer, "looks", finding->runs[i].looks);
    if (finding->runs[i].state == EW_STATE_FRESH) ew_json_put_bool(writer, "fresh", true);
    ew_json_key(writer, "outcome");
    ew_outcome_write_json(writer, &finding->outcomes[i]);
    ew_json_end_object(writer);
  }
  ew_json_end_array(writer);
}

static void write_why(struct ew_json_writer *writer, const struct ew_why *why) {
  ew_json_key(writer, "why");
  ew_json_begin_object(writer);
  ew_json_put_span(writer, "text", why->text);
  ew_json_put_unsigned(writer, "run", why->run);
  ew_json_put_unsigned(writer, "statement", why->statement);
  ew_json_put_string(writer, "aspect", ew_aspect_name(why->aspect));
  ew_json_key(writer, "expected");
  ew_outcome_write_rows(writer, &why->expected);
  ew_json_key(writer, "actual");
  ew_outcome_write_rows(writer, &why->actual);
  ew_json_end_object(writer);
}

static void write_bisection(struct ew_json_writer *writer, const struct ew_bisection *bisection) {
  ew_json_key(writer, "bisection");
  ew_json_begin_object(writer);
  ew_json_put_span(writer, "first", bisection->first);
  ew_json_put_span(writer, "good", bisection->good);
  write_names(writer, "unclear", bisection->unclear);
  ew_json_put_span(writer, "newest", bisection->newest);
  ew_json_put_bool(writer, "in_newest", bisection->in_newest);
  ew_json_end_object(writer);
}

void ew_finding_write_json(struct ew_json_writer *writer, const struct ew_finding *finding) {
  ew_json_begin_object(writer);
  ew_json_put_unsigned(writer, "format", FORMAT);
  ew_json_put_string(writer, "id", finding->id.text);
  ew_json_put_string(writer, "state", state_texts[finding->state]);
  ew_json_put_span(writer, "title", finding->title);
  ew_json_put_span(writer, "engine", finding->engine);
  ew_json_put_span(writer, "version", finding->version);
  ew_json_put_span(writer, "engine_says", finding->engine_says);
  ew_json_put_span(writer, "oracle", finding->oracle);
  ew_json_put_string(writer, "relation", ew_relation_name(finding->claim.relation));
  ew_json_put_unsigned(writer, "combiner", finding->claim.combiner);
  ew_json_put_string(writer, "group", ew_group_text(finding->group).text);
  ew_json_put_span(writer, "shape", finding->shape);
  write_why(writer, &finding->why);
  ew_json_key(writer, "load");
  write_program(writer, &finding->load);
  write_runs(writer, finding);
  ew_json_key(writer, "history");
  ew_json_begin_array(writer);
  for (size_t i = 0; i < finding->history_count; i++) write_program(writer, &finding->history[i]);
  ew_json_end_array(writer);
  ew_json_put_bool(writer, "joined", finding->joined);
  ew_json_put_bool(writer, "reduced", finding->reduced);
  ew_json_put_unsigned(writer, "tries", finding->tries);
  ew_json_put_unsigned(writer, "reducing_nanoseconds", (uint64_t)finding->reducing);
  ew_json_put_unsigned(writer, "bytes_before", finding->bytes_before);
  ew_json_put_unsigned(writer, "bytes_after", finding->bytes_after);
  ew_json_put_span(writer, "environment", finding->environment);
  if (finding->known_since.length) ew_json_put_span(writer, "known_since", finding->known_since);
  if (finding->bisection.first.length) write_bisection(writer, &finding->bisection);
  ew_json_key(writer, "case");
  ew_case_write_json(writer, &finding->test);
  ew_json_end_object(writer);
}

/* ---- reading ---- */

struct reader {
  struct ew_arena *arena;
  struct ew_error *error;
};

static struct ew_span get(struct reader *reader, const struct ew_json *json, const char *key) {
  return ew_arena_copy(reader->arena, ew_json_get_string(json, key, EW_SPAN("")));
}

static struct ew_names read_names(struct reader *reader, const struct ew_json *json) {
  if (!json || json->kind != EW_JSON_ARRAY) return (struct ew_names){0};
  struct ew_span *names = EW_NEW_ARRAY(reader->arena, struct ew_span, json->count + 1);
  for (size_t i = 0; i < json->count; i++)
    names[i] =
        json->items[i].kind == EW_JSON_STRING ? ew_arena_copy(reader->arena, json->items[i].string) : EW_SPAN("");
  return (struct ew_names){names, json->count};
}

static enum ew_status read_statement(struct reader *reader, const struct ew_json *json,
                                     struct ew_statement *statement) {
  const struct ew_json *parameters = ew_json_member(json, "parameters");
  statement->text = get(reader, json, "text");
  statement->columns = read_names(reader, ew_json_member(json, "columns"));
  if (!parameters || parameters->kind != EW_JSON_OBJECT) return EW_OK;
  struct ew_parameter *items = EW_NEW_ARRAY(reader->arena, struct ew_parameter, parameters->count + 1);
  for (size_t i = 0; i < parameters->count; i++) {
    items[i].name = ew_arena_copy(reader->arena, parameters->keys[i]);
    enum ew_status status = ew_value_read_json(reader->arena, &parameters->items[i], &items[i].value, reader->error);
    if (status) return status;
  }
  statement->parameters = items;
  statement->parameter_count = parameters->count;
  return EW_OK;
}

static enum ew_status read_program(struct reader *reader, const struct ew_json *json, struct ew_program *program) {
  if (!json || json->kind != EW_JSON_ARRAY)
    return ew_fail(reader->error, EW_BAD, "finding.json: a program must be a list");
  struct ew_statement *statements = EW_NEW_ARRAY(reader->arena, struct ew_statement, json->count + 1);
  for (size_t i = 0; i < json->count; i++) {
    enum ew_status status = read_statement(reader, &json->items[i], &statements[i]);
    if (status) return status;
  }
  *program = (struct ew_program){statements, json->count};
  return EW_OK;
}

static enum ew_status read_runs(struct reader *reader, const struct ew_json *json, struct ew_finding *finding) {
  if (!json || json->kind != EW_JSON_ARRAY) return ew_fail(reader->error, EW_BAD, "finding.json: the runs are missing");
  struct ew_run *runs = EW_NEW_ARRAY(reader->arena, struct ew_run, json->count + 1);
  struct ew_outcome *outcomes = EW_NEW_ARRAY(reader->arena, struct ew_outcome, json->count + 1);
  for (size_t i = 0; i < json->count; i++) {
    const struct ew_json *outcome = ew_json_member(&json->items[i], "outcome");
    enum ew_status status = read_program(reader, ew_json_member(&json->items[i], "statements"), &runs[i].program);
    if (ew_json_get_bool(&json->items[i], "fresh", false)) runs[i].state = EW_STATE_FRESH;
    if (!status) status = ew_outcome_read_json(reader->arena, outcome, &outcomes[i], reader->error);
    int64_t looks = ew_json_get_integer(&json->items[i], "looks", 0);
    if (looks > 0 && (uint64_t)looks < runs[i].program.count) runs[i].looks = (size_t)looks;
    if (!status && outcomes[i].count != runs[i].program.count)
      status = ew_fail(reader->error, EW_BAD, "finding.json: a run has not one outcome for each statement");
    if (status) return status;
  }
  finding->runs = runs;
  finding->outcomes = outcomes;
  finding->run_count = json->count;
  return EW_OK;
}

static enum ew_status read_history(struct reader *reader, const struct ew_json *json, struct ew_finding *finding) {
  if (!json || json->kind != EW_JSON_ARRAY) return EW_OK;
  struct ew_program *programs = EW_NEW_ARRAY(reader->arena, struct ew_program, json->count + 1);
  for (size_t i = 0; i < json->count; i++) {
    enum ew_status status = read_program(reader, &json->items[i], &programs[i]);
    if (status) return status;
  }
  finding->history = programs;
  finding->history_count = json->count;
  return EW_OK;
}

static enum ew_status read_why(struct reader *reader, const struct ew_json *json, struct ew_why *why) {
  const struct ew_json *expected = ew_json_member(json, "expected"), *actual = ew_json_member(json, "actual");
  why->text = get(reader, json, "text");
  why->run = (size_t)ew_json_get_integer(json, "run", 0);
  why->statement = (size_t)ew_json_get_integer(json, "statement", 0);
  struct ew_span aspect = get(reader, json, "aspect");
  for (int i = 0; i < EW_ASPECTS; i++)
    if (ew_span_is(aspect, ew_aspect_name((enum ew_aspect)i))) why->aspect = (enum ew_aspect)i;
  enum ew_status status = EW_OK;
  if (expected) status = ew_rows_read_json(reader->arena, expected, &why->expected, reader->error);
  if (!status && actual) status = ew_rows_read_json(reader->arena, actual, &why->actual, reader->error);
  return status;
}

static struct ew_bisection read_bisection(struct reader *reader, const struct ew_json *json) {
  return (struct ew_bisection){
      .first = get(reader, json, "first"),
      .good = get(reader, json, "good"),
      .unclear = read_names(reader, ew_json_member(json, "unclear")),
      .newest = get(reader, json, "newest"),
      .in_newest = ew_json_get_bool(json, "in_newest", false),
  };
}

static bool read_relation(struct ew_span name, enum ew_relation *relation) {
  for (int i = 0; i < EW_RELATIONS; i++) {
    if (!ew_span_is(name, ew_relation_name((enum ew_relation)i))) continue;
    *relation = (enum ew_relation)i;
    return true;
  }
  return false;
}

static bool is_id(struct ew_span text) {
  if (text.length != sizeof((struct ew_finding_id *)0)->text - 1) return false;
  for (size_t i = 0; i < text.length; i++)
    if (!strchr("0123456789abcdef", text.bytes[i]) || !text.bytes[i]) return false;
  return true;
}

static bool read_state(struct ew_span text, enum ew_finding_state *state) {
  for (size_t i = 0; i < EW_COUNT(state_texts); i++) {
    if (!ew_span_is(text, state_texts[i])) continue;
    *state = (enum ew_finding_state)i;
    return true;
  }
  return false;
}

static enum ew_status read_head(struct reader *reader, const struct ew_json *json, struct ew_finding *finding) {
  struct ew_span id = get(reader, json, "id");
  if (ew_json_get_integer(json, "format", 0) != FORMAT)
    return ew_fail(reader->error, EW_BAD, "finding.json is of another format than this version of edgewise reads");
  if (!is_id(id)) return ew_fail(reader->error, EW_BAD, "finding.json has no id");
  memcpy(finding->id.text, id.bytes, id.length);
  if (!read_state(get(reader, json, "state"), &finding->state))
    return ew_fail(reader->error, EW_BAD, "finding.json names no state that is known");
  if (!read_relation(get(reader, json, "relation"), &finding->claim.relation))
    return ew_fail(reader->error, EW_BAD, "finding.json names no relation that is known");
  finding->claim.combiner =
      ew_json_get_integer(json, "combiner", 0) == EW_COMBINE_COUNT ? EW_COMBINE_COUNT : EW_COMBINE_BAG;
  finding->title = get(reader, json, "title");
  finding->engine = get(reader, json, "engine");
  finding->version = get(reader, json, "version");
  finding->engine_says = get(reader, json, "engine_says");
  finding->oracle = get(reader, json, "oracle");
  finding->shape = get(reader, json, "shape");
  finding->environment = get(reader, json, "environment");
  finding->known_since = get(reader, json, "known_since");
  finding->bisection = read_bisection(reader, ew_json_member(json, "bisection"));
  finding->group = strtoull(ew_arena_string(reader->arena, get(reader, json, "group")), NULL, 16);
  finding->joined = ew_json_get_bool(json, "joined", false);
  finding->reduced = ew_json_get_bool(json, "reduced", false);
  finding->tries = (unsigned)ew_json_get_integer(json, "tries", 0);
  finding->reducing = ew_json_get_integer(json, "reducing_nanoseconds", 0);
  finding->bytes_before = (size_t)ew_json_get_integer(json, "bytes_before", 0);
  finding->bytes_after = (size_t)ew_json_get_integer(json, "bytes_after", 0);
  return EW_OK;
}

enum ew_status ew_finding_read_json(struct ew_arena *arena, const struct ew_language *const *languages,
                                    const struct ew_json *json, struct ew_finding *finding, struct ew_error *error) {
  struct reader reader = {arena, error};
  *finding = (struct ew_finding){0};
  enum ew_status status = read_head(&reader, json, finding);
  if (!status) status = read_why(&reader, ew_json_member(json, "why"), &finding->why);
  if (!status) status = read_program(&reader, ew_json_member(json, "load"), &finding->load);
  if (!status) status = read_runs(&reader, ew_json_member(json, "runs"), finding);
  if (!status) status = read_history(&reader, ew_json_member(json, "history"), finding);
  if (!status) status = ew_case_read_json(arena, languages, ew_json_member(json, "case"), &finding->test, error);
  return status;
}
