/* answer.c: the model's answer and an engine's, made comparable. */
#include "cli/answer.h"

static const struct ew_model_limits limits = {.steps = 5000000, .rows = 200000, .bytes = 256 << 20};

void ew_answer_run(struct ew_model *model, const struct ew_program *program, const struct ew_semantics *semantics,
                   struct ew_arena *arena, struct ew_answer *answer) {
  *answer = (struct ew_answer){.readable = true};
  for (size_t i = 0; i < program->count && answer->readable && !answer->error.type; i++) {
    const struct ew_statement *statement = &program->statements[i];
    struct ew_builder builder = {arena, 1};
    struct ew_model_options options = {.semantics = semantics,
                                       .limits = &limits,
                                       .parameters = statement->parameters,
                                       .parameter_count = statement->parameter_count};
    struct ew_model_result result;
    struct ew_cypher_source source = {0};
    if (ew_cypher_parse(&builder, statement->text, &source.statement, NULL)) {
      answer->readable = false;
      return;
    }
    ew_execute(model, arena, &source, &options, &result, &answer->error);
    answer->limit = result.error.code == EW_FAULT_LIMIT;
    answer->open = result.open;
    answer->rows = result.rows;
  }
}

/* ---- elements by what they are made of ---- */

static struct ew_value plain(struct ew_arena *arena, struct ew_value value);

static struct ew_value plain_map(struct ew_arena *arena, struct ew_items map) {
  struct ew_item *items = EW_NEW_ARRAY(arena, struct ew_item, map.count);
  for (size_t i = 0; i < map.count; i++)
    items[i] = (struct ew_item){map.items[i].key, plain(arena, map.items[i].value)};
  return ew_map_value(arena, items, map.count);
}

static struct ew_value plain_list(struct ew_arena *arena, struct ew_values list) {
  struct ew_value *items = EW_NEW_ARRAY(arena, struct ew_value, list.count);
  for (size_t i = 0; i < list.count; i++) items[i] = plain(arena, list.items[i]);
  return ew_list(items, list.count);
}

static struct ew_value plain_element(struct ew_arena *arena, const struct ew_span *names, size_t count,
                                     struct ew_items properties) {
  struct ew_value *labels = EW_NEW_ARRAY(arena, struct ew_value, count);
  for (size_t i = 0; i < count; i++) labels[i] = ew_string(names[i]);
  struct ew_item items[] = {{EW_SPAN("labels"), ew_list(labels, count)},
                            {EW_SPAN("properties"), plain_map(arena, properties)}};
  return ew_map_value(arena, items, EW_COUNT(items));
}

static struct ew_value plain(struct ew_arena *arena, struct ew_value value) {
  switch (value.kind) {
    case EW_VALUE_LIST: return plain_list(arena, value.list);
    case EW_VALUE_MAP: return plain_map(arena, value.map);
    case EW_VALUE_NODE:
      return plain_element(arena, value.node->labels, value.node->label_count, value.node->properties);
    case EW_VALUE_RELATIONSHIP:
      return plain_element(arena, &value.relationship->type, 1, value.relationship->properties);
    case EW_VALUE_PATH: {
      struct ew_value parts[] = {plain_list(arena, value.path->nodes), plain_list(arena, value.path->relationships)};
      return ew_value_copy(arena, ew_list(parts, EW_COUNT(parts)));
    }
    default: return value;
  }
}

static struct ew_rows plain_rows(struct ew_arena *arena, const struct ew_rows *rows) {
  struct ew_value *values = EW_NEW_ARRAY(arena, struct ew_value, rows->row_count * rows->column_count);
  for (size_t i = 0; i < rows->row_count * rows->column_count; i++) values[i] = plain(arena, rows->values[i]);
  return (struct ew_rows){rows->columns, rows->column_count, values, rows->row_count};
}

/* ---- comparing ---- */

static struct ew_rows pick(struct ew_arena *arena, const struct ew_rows *rows, const size_t *numbers, size_t count) {
  struct ew_value *values = EW_NEW_ARRAY(arena, struct ew_value, count * rows->column_count);
  for (size_t i = 0; i < count && rows->column_count; i++)
    memcpy(values + i * rows->column_count, ew_row(rows, numbers[i]), rows->column_count * sizeof *values);
  return (struct ew_rows){rows->columns, rows->column_count, values, count};
}

static enum ew_agreement compare_rows(const struct ew_rows *model, const struct ew_rows *engine, bool ordered,
                                      const struct ew_semantics *semantics, struct ew_arena *arena,
                                      struct ew_difference *difference) {
  struct ew_rows left = plain_rows(arena, model), right = plain_rows(arena, engine);
  struct ew_rows_difference rows = {0};
  bool bag = ew_rows_same_bag(arena, &left, &right, semantics, &rows);
  if (bag && (!ordered || ew_rows_same_list(arena, &left, &right, semantics, &rows))) return EW_AGREE;
  if (difference && !rows.columns)
    *difference = (struct ew_difference){pick(arena, &left, rows.only_left, rows.only_left_count),
                                         pick(arena, &right, rows.only_right, rows.only_right_count)};
  if (bag) return EW_OTHER_ORDER;
  if (!rows.only_left_count && !rows.columns) return EW_MORE_ROWS;
  return rows.only_right_count || rows.columns ? EW_OTHER_ROWS : EW_FEWER_ROWS;
}

enum ew_agreement ew_answer_compare(const struct ew_answer *answer, const struct ew_statement_outcome *outcome,
                                    bool ordered, const struct ew_semantics *semantics, struct ew_arena *arena,
                                    struct ew_difference *difference) {
  bool fails = answer->error.type || !answer->readable;
  if (difference) *difference = (struct ew_difference){0};
  if (answer->limit) return EW_NO_MATTER;
  if (answer->open) return EW_LEFT_OPEN;
  if (outcome->kind == EW_OUTCOME_ERROR && outcome->error_class == EW_ERROR_EXPECTED)
    return fails ? EW_AGREE : EW_ENGINE_FAILS;
  if (outcome->kind != EW_OUTCOME_ROWS) return EW_NO_MATTER;
  if (fails) return EW_MODEL_FAILS;
  return compare_rows(&answer->rows, &outcome->rows, ordered, semantics, arena, difference);
}
