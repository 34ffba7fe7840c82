/* features.c: names for the constructs in a tree: its kinds, and the finer points listed in features.def. */
#include "lang/cypher/cypher.h"
#include "lang/cypher/symbols.h"

enum sort { FEATURE, FAMILY, CHOSEN };

struct feature {
  unsigned kind;
  size_t field;
  enum sort sort;
  uint32_t choice;
  const char *name;
};

static const struct feature features[] = {
#define FEATURE(kind, field, name) {CYPHER_##kind, CYPHER_FIELD(kind, field), FEATURE, 0, name},
#define FAMILY(kind, field, name) {CYPHER_##kind, CYPHER_FIELD(kind, field), FAMILY, 0, name},
#define CHOSEN(kind, field, choice, name) {CYPHER_##kind, CYPHER_FIELD(kind, field), CHOSEN, CYPHER_##choice, name},
#include "lang/cypher/features.def"
#undef FEATURE
#undef FAMILY
#undef CHOSEN
};

struct finder {
  void (*found)(void *context, const char *feature);
  void *context;
};

static bool is_present(enum ew_field_type type, const union ew_field *field) {
  switch (type) {
    case EW_FIELD_ONE:
    case EW_FIELD_OPT: return field->node;
    case EW_FIELD_LIST: return field->list.count;
    case EW_FIELD_NAME: return field->name.length;
    case EW_FIELD_NAMES: return field->names.count;
    case EW_FIELD_FLAG: return field->flag;
    case EW_FIELD_NUMBER: return field->number >= 0;
    default: return true;
  }
}

/* The contents of a field as text; empty where it has the first choice and that is nothing to speak of. */
static struct ew_span contents(const struct ew_field_info *info, const union ew_field *field) {
  switch (info->type) {
    case EW_FIELD_CHOICE: return ew_span_of(info->choices[field->choice]);
    case EW_FIELD_NAME: return field->name;
    case EW_FIELD_VALUE: return ew_span_of(ew_value_kind_name(field->value->kind));
    default: EW_BUG("%s has no text", info->name);
  }
}

/* Names of functions mean the same in any case. */
static void report_family(const struct finder *finder, const char *family, struct ew_span member, bool lower) {
  char name[96];
  size_t length = strlen(family), room = sizeof name - 1 - length;
  memcpy(name, family, length);
  if (member.length > room) member.length = room;
  for (size_t i = 0; i < member.length; i++) {
    char c = member.bytes[i];
    name[length++] = lower && c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
  }
  name[length] = '\0';
  finder->found(finder->context, name);
}

static void report(const struct finder *finder, const struct feature *feature, const struct ew_node *node) {
  const struct ew_field_info *info = &node->kind->fields[feature->field];
  const union ew_field *field = &ew_node_fields(node)[feature->field];
  switch (feature->sort) {
    case FEATURE:
      if (is_present(info->type, field)) finder->found(finder->context, feature->name);
      break;
    case CHOSEN:
      if (field->choice == feature->choice) finder->found(finder->context, feature->name);
      break;
    case FAMILY: {
      struct ew_span member = contents(info, field);
      if (member.length) report_family(finder, feature->name, member, info->type == EW_FIELD_NAME);
      break;
    }
  }
}

static enum ew_walk visit(const struct ew_node *node, struct ew_place place, void *context) {
  const struct finder *finder = context;
  (void)place;
  finder->found(finder->context, node->kind->name);
  for (size_t i = 0; i < EW_COUNT(features); i++)
    if (features[i].kind == node->kind->code) report(finder, &features[i], node);
  return EW_WALK_ON;
}

void ew_cypher_features(const struct ew_node *tree, void (*found)(void *context, const char *feature), void *context) {
  struct finder finder = {found, context};
  ew_tree_walk(tree, visit, &finder);
}
