/* outcome.c: names of outcomes, and their stored form. */
#include "contract/outcome.h"

#include "contract/engine.h"

static const char *const kind_texts[] = {
#define OUTCOME(name, text, meaning) [EW_OUTCOME_##name] = text,
#include "contract/outcome.def"
#undef OUTCOME
};

static const char *const class_texts[] = {
    [EW_ERROR_UNEXPECTED] = "unexpected",
    [EW_ERROR_REFUSED] = "refused",
    [EW_ERROR_EXPECTED] = "expected",
    [EW_ERROR_TRANSIENT] = "transient",
};

const char *ew_outcome_kind_text(enum ew_outcome_kind kind) { return kind_texts[kind]; }

bool ew_outcome_kind_read(struct ew_span text, enum ew_outcome_kind *kind) {
  for (size_t i = 0; i < EW_COUNT(kind_texts); i++) {
    if (!ew_span_is(text, kind_texts[i])) continue;
    *kind = (enum ew_outcome_kind)i;
    return true;
  }
  return false;
}

const struct ew_statement_outcome *ew_outcome_decisive(const struct ew_outcome *outcome) {
  for (size_t i = 0; i < outcome->count; i++)
    if (outcome->statements[i].kind != EW_OUTCOME_ROWS) return &outcome->statements[i];
  return outcome->count ? &outcome->statements[outcome->count - 1] : NULL;
}

struct ew_span ew_settings_find(const struct ew_settings *settings, const char *name) {
  for (size_t i = settings->count; i-- > 0;)
    if (ew_span_is(settings->items[i].name, name)) return settings->items[i].setting;
  return EW_SPAN("");
}

/* ---- stored form ---- */

void ew_outcome_write_rows(struct ew_json_writer *writer, const struct ew_rows *rows) {
  struct ew_rows first = *rows;
  if (first.row_count > EW_OUTCOME_ROWS_STORED) first.row_count = EW_OUTCOME_ROWS_STORED;
  ew_rows_write_json(writer, &first);
}

static void write_one(struct ew_json_writer *writer, const struct ew_statement_outcome *outcome) {
  ew_json_begin_object(writer);
  ew_json_put_string(writer, "kind", kind_texts[outcome->kind]);
  if (outcome->kind == EW_OUTCOME_ROWS) {
    ew_json_key(writer, "rows");
    ew_outcome_write_rows(writer, &outcome->rows);
  }
  if (outcome->kind == EW_OUTCOME_ERROR) ew_json_put_string(writer, "class", class_texts[outcome->error_class]);
  if (outcome->text.length) ew_json_put_span(writer, "text", outcome->text);
  if (outcome->code.length) ew_json_put_span(writer, "code", outcome->code);
  if (outcome->signal) ew_json_put_unsigned(writer, "signal", (uint64_t)outcome->signal);
  if (outcome->frames.count) {
    ew_json_key(writer, "frames");
    ew_json_begin_array(writer);
    for (size_t i = 0; i < outcome->frames.count; i++) ew_json_string(writer, outcome->frames.items[i]);
    ew_json_end_array(writer);
  }
  if (outcome->plan.length) ew_json_put_span(writer, "plan", outcome->plan);
  ew_json_put_unsigned(writer, "nanoseconds", (uint64_t)outcome->nanoseconds);
  ew_json_end_object(writer);
}

void ew_outcome_write_json(struct ew_json_writer *writer, const struct ew_outcome *outcome) {
  ew_json_begin_array(writer);
  for (size_t i = 0; i < outcome->count; i++) write_one(writer, &outcome->statements[i]);
  ew_json_end_array(writer);
}

static enum ew_status read_frames(struct ew_arena *arena, const struct ew_json *json, struct ew_names *frames,
                                  struct ew_error *error) {
  if (!json) return EW_OK;
  if (json->kind != EW_JSON_ARRAY) return ew_fail(error, EW_BAD, "a stored outcome: frames must be a list");
  struct ew_span *items = EW_NEW_ARRAY(arena, struct ew_span, json->count);
  for (size_t i = 0; i < json->count; i++) {
    if (json->items[i].kind != EW_JSON_STRING) return ew_fail(error, EW_BAD, "a stored outcome: a frame must be text");
    items[i] = ew_arena_copy(arena, json->items[i].string);
  }
  *frames = (struct ew_names){items, json->count};
  return EW_OK;
}

static enum ew_status read_one(struct ew_arena *arena, const struct ew_json *json, struct ew_statement_outcome *outcome,
                               struct ew_error *error) {
  struct ew_span kind = ew_json_get_string(json, "kind", EW_SPAN(""));
  struct ew_span class = ew_json_get_string(json, "class", EW_SPAN("unexpected"));
  if (!ew_outcome_kind_read(kind, &outcome->kind))
    return ew_fail(error, EW_BAD, "a stored outcome: unknown kind '%.*s'", EW_SPAN_ARGS(kind));
  for (size_t i = 0; i < EW_COUNT(class_texts); i++)
    if (ew_span_is(class, class_texts[i])) outcome->error_class = (enum ew_error_class)i;
  outcome->text = ew_arena_copy(arena, ew_json_get_string(json, "text", EW_SPAN("")));
  outcome->code = ew_arena_copy(arena, ew_json_get_string(json, "code", EW_SPAN("")));
  outcome->plan = ew_arena_copy(arena, ew_json_get_string(json, "plan", EW_SPAN("")));
  outcome->signal = (int)ew_json_get_integer(json, "signal", 0);
  outcome->nanoseconds = ew_json_get_integer(json, "nanoseconds", 0);
  enum ew_status status = read_frames(arena, ew_json_member(json, "frames"), &outcome->frames, error);
  const struct ew_json *rows = ew_json_member(json, "rows");
  if (!status && rows) status = ew_rows_read_json(arena, rows, &outcome->rows, error);
  return status;
}

enum ew_status ew_outcome_read_json(struct ew_arena *arena, const struct ew_json *json, struct ew_outcome *outcome,
                                    struct ew_error *error) {
  if (!json || json->kind != EW_JSON_ARRAY) return ew_fail(error, EW_BAD, "a stored outcome must be a list");
  struct ew_statement_outcome *statements = EW_NEW_ARRAY(arena, struct ew_statement_outcome, json->count);
  for (size_t i = 0; i < json->count; i++) {
    enum ew_status status = read_one(arena, &json->items[i], &statements[i], error);
    if (status) return status;
  }
  *outcome = (struct ew_outcome){statements, json->count};
  return EW_OK;
}
