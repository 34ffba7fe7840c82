/* tree_json.c: the stored form of a tree. Kinds, fields and choices go by name, so that a finding outlives renumbering. */
#include "tree/tree.h"

/* ---- writing ---- */

static bool field_absent(enum ew_field_type type, const union ew_field *field) {
  switch (type) {
    case EW_FIELD_OPT: return !field->node;
    case EW_FIELD_LIST: return !field->list.count;
    case EW_FIELD_NAME: return !field->name.length;
    case EW_FIELD_NAMES: return !field->names.count;
    case EW_FIELD_FLAG: return !field->flag;
    case EW_FIELD_NUMBER: return field->number == -1;
    default: return false;
  }
}

static void write_field(struct ew_json_writer *writer, const struct ew_field_info *info, const union ew_field *field) {
  switch (info->type) {
    case EW_FIELD_END: break;
    case EW_FIELD_ONE:
    case EW_FIELD_OPT: ew_tree_write_json(writer, field->node); break;
    case EW_FIELD_LIST:
      ew_json_begin_array(writer);
      for (size_t i = 0; i < field->list.count; i++) ew_tree_write_json(writer, field->list.items[i]);
      ew_json_end_array(writer);
      break;
    case EW_FIELD_NAME: ew_json_string(writer, field->name); break;
    case EW_FIELD_NAMES:
      ew_json_begin_array(writer);
      for (size_t i = 0; i < field->names.count; i++) ew_json_string(writer, field->names.items[i]);
      ew_json_end_array(writer);
      break;
    case EW_FIELD_FLAG: ew_json_bool(writer, field->flag); break;
    case EW_FIELD_CHOICE: ew_json_string(writer, ew_span_of(info->choices[field->choice])); break;
    case EW_FIELD_NUMBER: ew_json_integer(writer, field->number); break;
    case EW_FIELD_VALUE: ew_value_write_json(writer, *field->value); break;
  }
}

void ew_tree_write_json(struct ew_json_writer *writer, const struct ew_node *root) {
  ew_json_begin_object(writer);
  ew_json_put_string(writer, "kind", root->kind->name);
  ew_json_put_unsigned(writer, "id", root->id);
  const union ew_field *fields = ew_node_fields(root);
  for (size_t i = 0; root->kind->fields[i].type != EW_FIELD_END; i++) {
    const struct ew_field_info *info = &root->kind->fields[i];
    if (field_absent(info->type, &fields[i])) continue;
    ew_json_key(writer, info->name);
    write_field(writer, info, &fields[i]);
  }
  ew_json_end_object(writer);
}

/* ---- reading ---- */

struct reader {
  struct ew_arena *arena;
  const struct ew_node_table *table;
  struct ew_error *error;
  unsigned depth;
};

static enum ew_status read_node(struct reader *reader, const struct ew_json *json, unsigned class,
                                const struct ew_node **node);

static enum ew_status wrong(struct reader *reader, const char *field, const char *what) {
  return ew_fail(reader->error, EW_BAD, "a stored %s tree: %s '%s'", reader->table->language, what, field);
}

static enum ew_status read_list(struct reader *reader, const struct ew_field_info *info, const struct ew_json *json,
                                union ew_field *field) {
  if (json->kind != EW_JSON_ARRAY) return wrong(reader, info->name, "a list expected in");
  if (json->count < info->least) return wrong(reader, info->name, "too few items in");
  const struct ew_node **items = EW_NEW_ARRAY(reader->arena, const struct ew_node *, json->count);
  for (size_t i = 0; i < json->count; i++) {
    enum ew_status status = read_node(reader, &json->items[i], info->class, &items[i]);
    if (status) return status;
  }
  field->list = (struct ew_list){items, json->count};
  return EW_OK;
}

static enum ew_status read_names(struct reader *reader, const struct ew_field_info *info, const struct ew_json *json,
                                 union ew_field *field) {
  if (json->kind != EW_JSON_ARRAY) return wrong(reader, info->name, "a list expected in");
  struct ew_span *names = EW_NEW_ARRAY(reader->arena, struct ew_span, json->count);
  for (size_t i = 0; i < json->count; i++) {
    if (json->items[i].kind != EW_JSON_STRING) return wrong(reader, info->name, "strings expected in");
    names[i] = ew_arena_copy(reader->arena, json->items[i].string);
  }
  field->names = (struct ew_names){names, json->count};
  return EW_OK;
}

static enum ew_status read_choice(struct reader *reader, const struct ew_field_info *info, const struct ew_json *json,
                                  union ew_field *field) {
  for (uint32_t i = 0; info->choices[i]; i++) {
    if (json->kind != EW_JSON_STRING || !ew_span_is(json->string, info->choices[i])) continue;
    field->choice = i;
    return EW_OK;
  }
  return wrong(reader, info->name, "unknown choice in");
}

static enum ew_status read_field(struct reader *reader, const struct ew_field_info *info, const struct ew_json *json,
                                 union ew_field *field) {
  switch (info->type) {
    case EW_FIELD_END: break;
    case EW_FIELD_ONE:
    case EW_FIELD_OPT: return read_node(reader, json, info->class, &field->node);
    case EW_FIELD_LIST: return read_list(reader, info, json, field);
    case EW_FIELD_NAMES: return read_names(reader, info, json, field);
    case EW_FIELD_CHOICE: return read_choice(reader, info, json, field);
    case EW_FIELD_NAME:
      if (json->kind != EW_JSON_STRING) return wrong(reader, info->name, "a string expected in");
      field->name = ew_arena_copy(reader->arena, json->string);
      return EW_OK;
    case EW_FIELD_FLAG:
      if (json->kind != EW_JSON_BOOL) return wrong(reader, info->name, "true or false expected in");
      field->flag = json->boolean;
      return EW_OK;
    case EW_FIELD_NUMBER:
      if (json->kind != EW_JSON_INTEGER) return wrong(reader, info->name, "a number expected in");
      field->number = json->integer;
      return EW_OK;
    case EW_FIELD_VALUE: {
      struct ew_value *value = EW_NEW(reader->arena, struct ew_value);
      field->value = value;
      return ew_value_read_json(reader->arena, json, value, reader->error);
    }
  }
  EW_BUG("field type %d", (int)info->type);
}

static enum ew_status read_node(struct reader *reader, const struct ew_json *json, unsigned class,
                                const struct ew_node **node) {
  struct ew_span name = ew_json_get_string(json, "kind", EW_SPAN(""));
  const struct ew_kind *kind = ew_table_find(reader->table, name);
  *node = NULL;
  if (!kind) return wrong(reader, ew_arena_string(reader->arena, name), "unknown kind");
  if (class && class != kind->class)
    return wrong(reader, kind->name, "a node of another class expected where there is");
  if (++reader->depth > EW_TREE_DEPTH) return wrong(reader, kind->name, "nested too deeply at");
  size_t count = ew_kind_field_count(kind);
  struct ew_node *made = ew_arena_zeroed(reader->arena, sizeof *made + count * sizeof(union ew_field));
  made->kind = kind;
  int64_t id = ew_json_get_integer(json, "id", -1);
  if (id < 0) return wrong(reader, kind->name, "a number expected as id of");
  made->id = (uint64_t)id;
  union ew_field *fields = (union ew_field *)(void *)(made + 1);
  for (size_t i = 0; i < count; i++) {
    const struct ew_field_info *info = &kind->fields[i];
    const struct ew_json *member = ew_json_member(json, info->name);
    if (member) {
      enum ew_status status = read_field(reader, info, member, &fields[i]);
      if (status) return status;
    } else if (info->type == EW_FIELD_NUMBER) {
      fields[i].number = -1;
    } else if (info->type == EW_FIELD_NAME) {
      fields[i].name = EW_SPAN("");
    } else if (info->type == EW_FIELD_ONE || info->type == EW_FIELD_VALUE || info->type == EW_FIELD_CHOICE ||
               info->least) {
      return wrong(reader, info->name, "nothing stands in");
    }
  }
  reader->depth--;
  *node = made;
  return EW_OK;
}

enum ew_status ew_tree_read_json(struct ew_arena *arena, const struct ew_node_table *table, const struct ew_json *json,
                                 const struct ew_node **root, struct ew_error *error) {
  struct reader reader = {.arena = arena, .table = table, .error = error};
  return read_node(&reader, json, 0, root);
}
