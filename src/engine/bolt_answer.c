/* bolt_answer.c: the metadata of replies. All of it is a server's word: what has another type than it should is left out. */
#include "engine/bolt_answer.h"

enum { PLAN_DEPTH_MAX = 64, PLAN_MAX = 1 << 20 };

static const struct ew_value *find(struct ew_items items, const char *key, enum ew_value_kind kind) {
  const struct ew_value *value = ew_items_find(items, ew_span_of(key));
  return value && value->kind == kind ? value : NULL;
}

struct ew_span ew_bolt_find_string(struct ew_items metadata, const char *key) {
  const struct ew_value *value = find(metadata, key, EW_VALUE_STRING);
  return value ? value->string : EW_SPAN("");
}

bool ew_bolt_read_columns(struct ew_arena *arena, struct ew_items metadata, struct ew_names *columns) {
  const struct ew_value *fields = find(metadata, "fields", EW_VALUE_LIST);
  if (!fields) return false;
  struct ew_span *names = EW_NEW_ARRAY(arena, struct ew_span, fields->list.count);
  for (size_t i = 0; i < fields->list.count; i++) {
    if (fields->list.items[i].kind != EW_VALUE_STRING) return false;
    names[i] = fields->list.items[i].string;
  }
  *columns = (struct ew_names){names, fields->list.count};
  return true;
}

/* ---- counters ---- */

static int64_t find_count(struct ew_items stats, const char *key) {
  const struct ew_value *value = find(stats, key, EW_VALUE_INTEGER);
  return value ? value->integer : 0;
}

/* A statement that changed nothing has no "stats": its counters are 0. */
static void read_counters(struct ew_items metadata, struct ew_statement_outcome *outcome) {
  const struct ew_value *stats = find(metadata, "stats", EW_VALUE_MAP);
  struct ew_items items = stats ? stats->map : (struct ew_items){0};
  outcome->has_counters = true;
  outcome->counters = (struct ew_counters){
      .nodes_created = find_count(items, "nodes-created"),
      .nodes_deleted = find_count(items, "nodes-deleted"),
      .relationships_created = find_count(items, "relationships-created"),
      .relationships_deleted = find_count(items, "relationships-deleted"),
      .properties_set = find_count(items, "properties-set"),
      .labels_added = find_count(items, "labels-added"),
      .labels_removed = find_count(items, "labels-removed"),
  };
}

/* ---- plans ---- */

/* One operator a line, its input below it and further in. */
static void write_plan(struct ew_text *text, struct ew_items plan, unsigned depth) {
  if (depth == PLAN_DEPTH_MAX || text->length > PLAN_MAX) return;
  struct ew_span name = ew_bolt_find_string(plan, "operatorType");
  const char *at = memchr(name.bytes, '@', name.length);
  if (at) name.length = (size_t)(at - name.bytes);
  const struct ew_value *arguments = find(plan, "args", EW_VALUE_MAP);
  struct ew_span details = arguments ? ew_bolt_find_string(arguments->map, "Details") : EW_SPAN("");
  ew_text_add_format(text, "%*s%.*s", (int)(2 * depth), "", EW_SPAN_ARGS(name));
  if (details.length) ew_text_add_format(text, " (%.*s)", EW_SPAN_ARGS(details));
  ew_text_add_char(text, '\n');
  const struct ew_value *children = find(plan, "children", EW_VALUE_LIST);
  for (size_t i = 0; children && i < children->list.count; i++)
    if (children->list.items[i].kind == EW_VALUE_MAP) write_plan(text, children->list.items[i].map, depth + 1);
}

static void read_plan(struct ew_arena *arena, struct ew_items metadata, struct ew_statement_outcome *outcome) {
  const struct ew_value *plan = find(metadata, "plan", EW_VALUE_MAP);
  if (!plan) plan = find(metadata, "profile", EW_VALUE_MAP);
  if (!plan) return;
  struct ew_text text = {0};
  write_plan(&text, plan->map, 0);
  outcome->plan = ew_arena_copy(arena, ew_text_span(&text));
  ew_text_release(&text);
}

void ew_bolt_read_summary(struct ew_arena *arena, struct ew_items metadata, struct ew_statement_outcome *outcome) {
  read_counters(metadata, outcome);
  read_plan(arena, metadata, outcome);
}

/* Neo4j shows the place in the statement below its message: that is for people who have typed it. */
static struct ew_span without_picture(struct ew_span message) {
  const char *picture = memmem(message.bytes, message.length, "\n\"", 2);
  if (picture) message.length = (size_t)(picture - message.bytes);
  return message;
}

void ew_bolt_read_failure(struct ew_arena *arena, struct ew_items metadata, struct ew_statement_outcome *outcome) {
  struct ew_span code = ew_bolt_find_string(metadata, "code"), message = ew_bolt_find_string(metadata, "message");
  if (!code.length) code = ew_bolt_find_string(metadata, "neo4j_code"); /* from 5.7 on */
  message = without_picture(message);
  outcome->kind = EW_OUTCOME_ERROR;
  outcome->code = code;
  outcome->text = ew_arena_format(arena, "%.*s: %.*s", EW_SPAN_ARGS(code), EW_SPAN_ARGS(message));
}
