/* features.c: the constructs in a tree by their names in features.def. */
#include "lang/cypher/features.h"

#include "lang/cypher/cypher.h"
#include "lang/cypher/symbols.h"

#define KIND(kind, group, name)
#define FEATURE(kind, field, group, name)
#define CHOSEN(kind, field, choice, group, name)
#define FAMILY(kind, field, group, prefix)
#define IN_TYPE(kind, group, name) {CYPHER_##kind, 0, EW_FEATURE_KIND, 0, #group, name},
const struct ew_cypher_feature ew_cypher_type_feature_rows[] = {
#include "lang/cypher/features.def"
};
#undef KIND
#undef FEATURE
#undef CHOSEN
#undef FAMILY
#undef IN_TYPE

#define KIND(kind, group, name) {CYPHER_##kind, 0, EW_FEATURE_KIND, 0, #group, name},
#define FEATURE(kind, field, group, name) \
  {CYPHER_##kind, CYPHER_FIELD(kind, field), EW_FEATURE_PRESENT, 0, #group, name},
#define CHOSEN(kind, field, choice, group, name) \
  {CYPHER_##kind, CYPHER_FIELD(kind, field), EW_FEATURE_CHOSEN, CYPHER_##choice, #group, name},
#define FAMILY(kind, field, group, prefix) \
  {CYPHER_##kind, CYPHER_FIELD(kind, field), EW_FEATURE_FAMILY, 0, #group, prefix},
#define IN_TYPE(kind, group, name)
const struct ew_cypher_feature ew_cypher_feature_rows[] = {
#include "lang/cypher/features.def"
};
#undef KIND
#undef FEATURE
#undef CHOSEN
#undef FAMILY
#undef IN_TYPE

const size_t ew_cypher_feature_count = EW_COUNT(ew_cypher_feature_rows);
const size_t ew_cypher_type_feature_count = EW_COUNT(ew_cypher_type_feature_rows);

/* ---- walking ---- */

struct walk {
  ew_cypher_feature_visitor visit;
  void *context;
  bool in_type; /* below a relationship's type */
};

static bool is_present(enum ew_field_type type, const union ew_field *field) {
  switch (type) {
    case EW_FIELD_ONE:
    case EW_FIELD_OPT: return field->node;
    case EW_FIELD_LIST: return field->list.count;
    case EW_FIELD_NAME: return field->name.length;
    case EW_FIELD_NAMES: return field->names.count;
    case EW_FIELD_FLAG: return field->flag;
    case EW_FIELD_CHOICE: return field->choice;
    case EW_FIELD_NUMBER: return field->number >= 0;
    default: return true;
  }
}

/* The contents of a field as text. */
static struct ew_span contents(const struct ew_field_info *info, const union ew_field *field) {
  switch (info->type) {
    case EW_FIELD_CHOICE: return ew_span_of(info->choices[field->choice]);
    case EW_FIELD_NAME: return field->name;
    case EW_FIELD_VALUE: return ew_span_of(ew_value_kind_name(field->value->kind));
    default: EW_BUG("%s has no text", info->name);
  }
}

static bool report(const struct walk *walk, const struct ew_cypher_feature *feature, const struct ew_node *node) {
  const struct ew_field_info *info = &node->kind->fields[feature->field];
  const union ew_field *field = &ew_node_fields(node)[feature->field];
  struct ew_span member = EW_SPAN("");
  switch (feature->sort) {
    case EW_FEATURE_KIND: break;
    case EW_FEATURE_PRESENT:
      if (!is_present(info->type, field)) return true;
      break;
    case EW_FEATURE_CHOSEN:
      if (field->choice != feature->choice) return true;
      break;
    case EW_FEATURE_FAMILY: member = contents(info, field); break;
  }
  return walk->visit(walk->context, feature, member, node);
}

/* The first row of a kind: rows are in the order of kinds. */
static size_t first_row(unsigned kind) {
  size_t low = 0, high = ew_cypher_feature_count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (ew_cypher_feature_rows[middle].kind < kind)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static bool report_node(const struct walk *walk, const struct ew_node *node) {
  for (size_t i = 0; walk->in_type && i < ew_cypher_type_feature_count; i++)
    if (ew_cypher_type_feature_rows[i].kind == node->kind->code)
      return report(walk, &ew_cypher_type_feature_rows[i], node);
  for (size_t i = first_row(node->kind->code);
       i < ew_cypher_feature_count && ew_cypher_feature_rows[i].kind == node->kind->code; i++)
    if (!report(walk, &ew_cypher_feature_rows[i], node)) return false;
  return true;
}

static enum ew_walk visit(const struct ew_node *node, struct ew_place place, void *context);

static bool walk_part(const struct walk *walk, const struct ew_node *part, bool in_type) {
  struct walk below = {walk->visit, walk->context, in_type};
  return !part || ew_tree_walk(part, visit, &below);
}

static enum ew_walk visit(const struct ew_node *node, struct ew_place place, void *context) {
  const struct walk *walk = context;
  (void)place;
  if (!report_node(walk, node)) return EW_WALK_STOP;
  bool going = true;
  if (cypher_is(node, CYPHER_relationship_pattern)) {
    const struct cypher_relationship_pattern *pattern = CYPHER_AS(relationship_pattern, node);
    going = walk_part(walk, pattern->types.node, true) && walk_part(walk, pattern->length.node, false) &&
            walk_part(walk, pattern->properties.node, false) && walk_part(walk, pattern->where.node, false);
  } else if (cypher_is(node, CYPHER_label_dynamic)) {
    going = walk_part(walk, CYPHER_AS(label_dynamic, node)->expression.node, false);
  } else {
    return EW_WALK_ON;
  }
  return going ? EW_WALK_SKIP : EW_WALK_STOP;
}

bool ew_cypher_walk_features(const struct ew_node *tree, ew_cypher_feature_visitor found, void *context) {
  return walk_part(&(struct walk){found, context, false}, tree, false);
}

/* ---- counting ---- */

struct counter {
  void (*found)(void *context, const char *feature);
  void *context;
};

/* Names of functions mean the same in any case. */
static void count_member(const struct counter *counter, const char *family, struct ew_span member, bool lower) {
  char name[96];
  size_t length = strlen(family), room = sizeof name - 1 - length;
  memcpy(name, family, length);
  if (member.length > room) member.length = room;
  for (size_t i = 0; i < member.length; i++) {
    char c = member.bytes[i];
    name[length++] = lower && c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
  }
  name[length] = '\0';
  counter->found(counter->context, name);
}

static bool count(void *context, const struct ew_cypher_feature *feature, struct ew_span member,
                  const struct ew_node *node) {
  const struct counter *counter = context;
  if (feature->sort == EW_FEATURE_FAMILY)
    count_member(counter, feature->name, member, node->kind->fields[feature->field].type == EW_FIELD_NAME);
  else
    counter->found(counter->context, feature->name);
  return true;
}

void ew_cypher_features(const struct ew_node *tree, void (*found)(void *context, const char *feature), void *context) {
  ew_cypher_walk_features(tree, count, &(struct counter){found, context});
}
