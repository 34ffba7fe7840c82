/* shape.c: a tree with its names and constants taken out, printed: two queries have one shape where they differ only in
   those. Names get numbers in the order in which they first come (v1, L1, k1, …), literals become parameters named
   after their kind. Hop counts stay: they are syntax, and `*0..` is a case of its own. */
#include "base/map.h"
#include "lang/cypher/cypher.h"
#include "lang/cypher/print.h"
#include "lang/cypher/symbols.h"

struct shaper {
  struct ew_arena arena;
  struct ew_map names;
  uint64_t counts[128]; /* names given so far, by first letter */
};

static const char letters[] = {
    [EW_ROLE_BINDS] = 'v', [EW_ROLE_PATTERN] = 'v',   [EW_ROLE_USES] = 'v',   [EW_ROLE_LABEL] = 'L',
    [EW_ROLE_KEY] = 'k',   [EW_ROLE_PARAMETER] = 'p', [EW_ROLE_OBJECT] = 'x',
};

static struct ew_span new_name(struct shaper *shaper, enum ew_cypher_role role, struct ew_span name) {
  if (role == EW_ROLE_NONE || !name.length) return name;
  char letter = letters[role];
  struct ew_span key = ew_arena_format(&shaper->arena, "%c%.*s", letter, EW_SPAN_ARGS(name));
  bool fresh;
  union ew_map_value *number = ew_map_add(&shaper->names, key, &fresh);
  if (fresh) number->number = ++shaper->counts[(unsigned char)letter];
  return ew_arena_format(&shaper->arena, "%c%llu", letter, (unsigned long long)number->number);
}

static const struct ew_node *shape_of(struct shaper *shaper, const struct ew_node *node);

static void shape_field(struct shaper *shaper, const struct ew_kind *kind, size_t index, union ew_field *field) {
  switch (kind->fields[index].type) {
    case EW_FIELD_ONE:
    case EW_FIELD_OPT:
      if (field->node) field->node = shape_of(shaper, field->node);
      break;
    case EW_FIELD_LIST: {
      const struct ew_node **items = EW_NEW_ARRAY(&shaper->arena, const struct ew_node *, field->list.count);
      for (size_t i = 0; i < field->list.count; i++) items[i] = shape_of(shaper, field->list.items[i]);
      field->list.items = items;
      break;
    }
    case EW_FIELD_NAME: field->name = new_name(shaper, ew_cypher_role(kind, index), field->name); break;
    case EW_FIELD_NAMES: {
      struct ew_span *names = EW_NEW_ARRAY(&shaper->arena, struct ew_span, field->names.count);
      for (size_t i = 0; i < field->names.count; i++)
        names[i] = new_name(shaper, ew_cypher_role(kind, index), field->names.items[i]);
      field->names.items = names;
      break;
    }
    default: break;
  }
}

static const struct ew_node *shape_of(struct shaper *shaper, const struct ew_node *node) {
  struct ew_builder builder = {&shaper->arena, 1};
  if (cypher_is(node, CYPHER_literal)) {
    const char *kind = ew_value_kind_name(CYPHER_AS(literal, node)->value.value->kind);
    return CYPHER(&builder, parameter, .name.name = ew_span_of(kind));
  }
  struct {
    struct ew_node head;
    union ew_field fields[EW_FIELDS_MAX];
  } copy = {0};
  size_t count = ew_kind_field_count(node->kind);
  memcpy(copy.fields, ew_node_fields(node), count * sizeof *copy.fields);
  for (size_t i = 0; i < count; i++) shape_field(shaper, node->kind, i, &copy.fields[i]);
  return ew_node_make(&builder, node->kind, &copy);
}

void ew_cypher_shape(struct ew_text *text, const struct ew_node *tree) {
  struct shaper shaper = {0};
  ew_arena_init(&shaper.arena);
  ew_map_init(&shaper.names);
  ew_cypher_print(text, shape_of(&shaper, tree), NULL);
  ew_map_release(&shaper.names);
  ew_arena_release(&shaper.arena);
}
