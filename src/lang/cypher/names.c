/* names.c: see the header. */
#include "lang/cypher/names.h"

#include <stddef.h>

#define FIELD(kind, field) ((offsetof(struct cypher_##kind, field) - sizeof(struct ew_node)) / sizeof(union ew_field))

static const unsigned char roles[][EW_FIELDS_MAX] = {
#define NAMED(kind, field, role) [CYPHER_##kind][FIELD(kind, field)] = EW_ROLE_##role,
#include "lang/cypher/names.def"
#undef NAMED
};

static enum ew_cypher_role role_of(const struct ew_node *node, size_t field) {
  unsigned code = node->kind->code;
  return code < EW_COUNT(roles) ? (enum ew_cypher_role)roles[code][field] : EW_ROLE_NONE;
}

typedef void (*finder)(void *context, enum ew_cypher_role role, struct ew_span name);

/* Field by field: that is the order of the text. */
void ew_cypher_names(const struct ew_node *tree, finder found, void *context) {
  const union ew_field *fields = ew_node_fields(tree);
  for (size_t i = 0; i < ew_kind_field_count(tree->kind); i++) {
    const union ew_field *field = &fields[i];
    enum ew_cypher_role role = role_of(tree, i);
    switch (tree->kind->fields[i].type) {
      case EW_FIELD_ONE:
      case EW_FIELD_OPT:
        if (field->node) ew_cypher_names(field->node, found, context);
        break;
      case EW_FIELD_LIST:
        for (size_t k = 0; k < field->list.count; k++) ew_cypher_names(field->list.items[k], found, context);
        break;
      case EW_FIELD_NAME:
        if (role != EW_ROLE_NONE && field->name.length) found(context, role, field->name);
        break;
      case EW_FIELD_NAMES:
        for (size_t k = 0; role != EW_ROLE_NONE && k < field->names.count; k++)
          found(context, role, field->names.items[k]);
        break;
      default: break;
    }
  }
}

struct renaming {
  ew_cypher_namer namer;
  void *context;
};

static struct ew_names rename_all(struct ew_builder *builder, const struct renaming *renaming, enum ew_cypher_role role,
                                  struct ew_names names) {
  struct ew_span *items = EW_NEW_ARRAY(builder->arena, struct ew_span, names.count + 1);
  for (size_t k = 0; k < names.count; k++) items[k] = renaming->namer(renaming->context, role, names.items[k]);
  return (struct ew_names){items, names.count};
}

static const struct ew_node *rename_node(struct ew_builder *builder, const struct ew_node *node, struct ew_place place,
                                         void *context) {
  const struct renaming *renaming = context;
  (void)place;
  union ew_field fields[EW_FIELDS_MAX];
  size_t count = ew_kind_field_count(node->kind);
  bool changed = false;
  memcpy(fields, ew_node_fields(node), count * sizeof fields[0]);
  for (size_t i = 0; i < count; i++) {
    enum ew_cypher_role role = role_of(node, i);
    if (role == EW_ROLE_NONE) continue;
    if (node->kind->fields[i].type == EW_FIELD_NAMES) {
      changed = changed || fields[i].names.count;
      fields[i].names = rename_all(builder, renaming, role, fields[i].names);
    } else if (fields[i].name.length) {
      struct ew_span name = renaming->namer(renaming->context, role, fields[i].name);
      changed = changed || !ew_span_equal(name, fields[i].name);
      fields[i].name = name;
    }
  }
  return changed ? ew_node_changed(builder, node, fields) : node;
}

const struct ew_node *ew_cypher_rename(struct ew_builder *builder, const struct ew_node *tree, ew_cypher_namer namer,
                                       void *context) {
  return ew_tree_map(builder, tree, rename_node, &(struct renaming){namer, context});
}
