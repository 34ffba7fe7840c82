/* cypher_random.c: trees are filled field by field from the node table; what the table cannot say (a list that may be
   empty, fields that exclude each other, elements that alternate) is in the rules and in the functions that finish a
   kind. */
#include "generate/cypher_random.h"

struct maker {
  struct ew_builder *builder;
  struct ew_random *random;
  int budget; /* nodes that may still be made */
};

static bool chance(struct maker *maker, unsigned percent) { return ew_random_chance(maker->random, percent); }
static uint32_t below(struct maker *maker, uint32_t bound) { return ew_random_below(maker->random, bound); }

/* ---- names and values ---- */

static struct ew_span pick(struct maker *maker, const char *const *pool, size_t count) {
  return ew_span_of(pool[below(maker, (uint32_t)count)]);
}
#define PICK(...) pick(maker, (const char *const[]){__VA_ARGS__}, EW_COUNT(((const char *const[]){__VA_ARGS__})))

static struct ew_span random_name(struct maker *maker) {
  if (chance(maker, 60)) return PICK("a", "b", "n", "x1", "person", "KNOWS", "_", "camelCase");
  return PICK("with space", "back`tick", "``", "1st", "dash-ed", "a.b", "\303\251t\303\251", "\360\237\230\200", "'",
              "\"", "\\n", "$x", "match", "MATCH", "Return", "in", "null", "true", "case", "end", "all", "any", "none",
              "single", "reduce", "exists", "count", "collect", "shortestPath", "allShortestPaths", "shortest", "path",
              "paths", "group", "groups", "nan", "inf", "infinity", "filter", "extract", "let", "use", "finish",
              "offset", "order", "insert", "nodetach", "load", "where", "on", "of", "row", "rows", "for", "if", "index",
              "constraint", "range", "text", "seek", "scan", "join", "using", "yield", "typed", "normalized", "NFC",
              "headers", "each", "options", "config", "cypher", "explain", "repeatable", "elements", "transactions",
              "status", "report", "concurrent", "assert", "require", "unique", "key", "node", "edge", "as", "by", "is");
}

static struct ew_value random_value(struct maker *maker) {
  static const int64_t integers[] = {0, 1, -1, 42, -7, INT64_MAX, INT64_MIN, INT64_MIN + 1, 1000000007};
  static const double floats[] = {0.0, -0.0, 1.5, -2.25, 1e308, 5e-324, 0.1, 1e21, 123456789.125, -1e-7};
  switch (below(maker, 5)) {
    case 0: return ew_null();
    case 1: return ew_boolean(chance(maker, 50));
    case 2: return ew_integer(EW_RANDOM_PICK(maker->random, integers));
    case 3: return ew_float(EW_RANDOM_PICK(maker->random, floats));
    default:
      return ew_string(PICK("", "a", "it's", "\"", "\\", "\\u0041", "a\nb\tc\r\b\f", "\303\251\360\237\230\200", "`",
                            "//", "/*", ";", "\x01\x7f", "{}", "$x", "\302\240"));
  }
}

/* ---- rules ---- */

/* Names that may be empty. Names that no rule mentions are there. */
static const char *const optional_names[] = {
    "item.alias",  "path.variable",     "node_pattern.variable",  "relationship_pattern.variable", "group.variable",
    "yield.alias", "create_index.name", "create_constraint.name", "call_subquery.status",
};

/* Fields that are left empty here and filled by what finishes their kind. */
static const char *const finished[] = {
    "statement.settings",
    "statement.arguments",
    "statement.body",
    "union.branches",
    "call_subquery.body",
    "subquery.body",
    "path.elements",
    "group.elements",
    "group.length",
    "node_pattern.properties",
    "relationship_pattern.properties",
    "relationship_pattern.length",
    "pattern_expression.pattern",
    "pattern_comprehension.pattern",
    "set.changes",
    "remove.changes",
    "merge.on_create",
    "merge.on_match",
    "set_property.target",
    "remove_property.target",
    "type_union.types",
    "create_index.pattern",
    "create_index.properties",
    "drop_index.pattern",
    "drop_index.properties",
    "create_constraint.pattern",
    "create_constraint.properties",
    "create_constraint.type",
    "drop_constraint.pattern",
    "drop_constraint.properties",
    "drop_constraint.type",
};

/* How many items a list has at least; 1 where no rule says so. */
static const struct {
  const char *field;
  uint32_t least;
} lists[] = {
    {"match.hints", 0},
    {"projection.items", 0},
    {"projection.order", 0},
    {"call_procedure.arguments", 0},
    {"call_procedure.yields", 0},
    {"call_subquery.imports", 0},
    {"list.items", 0},
    {"map.entries", 0},
    {"function.arguments", 0},
    {"map_projection.projectors", 0},
    {"label_colons.labels", 2},
    {"chain.links", 2},
};

static bool is_field(const char *rule, const struct ew_kind *kind, const char *field) {
  size_t length = strlen(kind->name);
  return strncmp(rule, kind->name, length) == 0 && rule[length] == '.' && strcmp(rule + length + 1, field) == 0;
}

static bool is_among(const char *const *rules, size_t count, const struct ew_kind *kind, const char *field) {
  for (size_t i = 0; i < count; i++)
    if (is_field(rules[i], kind, field)) return true;
  return false;
}

static uint32_t list_length(struct maker *maker, const struct ew_kind *kind, const char *field) {
  uint32_t least = 1;
  for (size_t i = 0; i < EW_COUNT(lists); i++)
    if (is_field(lists[i].field, kind, field)) least = lists[i].least;
  return least + (maker->budget > 0 ? below(maker, 3) : 0);
}

/* ---- nodes ---- */

static const struct ew_node *make_class(struct maker *maker, unsigned class);
static const struct ew_node *make_kind(struct maker *maker, const struct ew_kind *kind);
#define RANDOM(kind) make_kind(maker, &cypher_kinds[CYPHER_##kind])

static struct ew_list random_list(struct maker *maker, unsigned class, uint32_t count) {
  const struct ew_node *items[16];
  for (uint32_t i = 0; i < count; i++) items[i] = make_class(maker, class);
  return ew_list_of(maker->builder, items, count);
}

static struct ew_names random_names(struct maker *maker, uint32_t count) {
  struct ew_span items[16];
  for (uint32_t i = 0; i < count; i++) items[i] = random_name(maker);
  return ew_names_of(maker->builder, items, count);
}

static uint32_t random_choice(struct maker *maker, const char *const *choices) {
  uint32_t count = 0;
  while (choices[count]) count++;
  return below(maker, count);
}

static union ew_field random_field(struct maker *maker, const struct ew_kind *kind, const struct ew_field_info *info) {
  union ew_field field = {.list = {0}}; /* all of it, not just its first member */
  if (is_among(finished, EW_COUNT(finished), kind, info->name)) return field;
  switch (info->type) {
    case EW_FIELD_END: break;
    case EW_FIELD_ONE: field.node = make_class(maker, info->class); break;
    case EW_FIELD_OPT:
      field.node = maker->budget > 0 && chance(maker, 40) ? make_class(maker, info->class) : NULL;
      break;
    case EW_FIELD_LIST: field.list = random_list(maker, info->class, list_length(maker, kind, info->name)); break;
    case EW_FIELD_NAME:
      if (!is_among(optional_names, EW_COUNT(optional_names), kind, info->name) || chance(maker, 60))
        field.name = random_name(maker);
      break;
    case EW_FIELD_NAMES: field.names = random_names(maker, list_length(maker, kind, info->name)); break;
    case EW_FIELD_FLAG: field.flag = chance(maker, 50); break;
    case EW_FIELD_CHOICE: field.choice = random_choice(maker, info->choices); break;
    case EW_FIELD_NUMBER: field.number = -1; break;
    case EW_FIELD_VALUE: field.value = ew_literal_of(maker->builder, random_value(maker)); break;
  }
  return field;
}

/* ---- patterns ---- */

static const struct ew_node *random_length(struct maker *maker, bool star, bool quantifier) {
  static const int64_t bounds[] = {-1, 0, 1, 2, 17};
  uint32_t form = !quantifier ? CYPHER_LENGTH_STAR : !star ? 1 + below(maker, 3) : below(maker, 4);
  bool bounded = form == CYPHER_LENGTH_STAR || form == CYPHER_LENGTH_BRACES, exact = bounded && chance(maker, 30);
  int64_t low = bounded ? EW_RANDOM_PICK(maker->random, bounds) : -1,
          high = bounded ? EW_RANDOM_PICK(maker->random, bounds) : -1;
  if (exact) low = high = below(maker, 5);
  return CYPHER(maker->builder, length, .form.choice = form, .low.number = low, .high.number = high,
                .exact.flag = exact);
}

static const struct ew_node *random_properties(struct maker *maker) {
  if (maker->budget <= 0 || chance(maker, 50)) return NULL;
  return chance(maker, 80) ? RANDOM(map) : RANDOM(parameter);
}

/* Pushes node, relationship, node …; with groups where a node may be. */
static struct ew_list random_elements(struct maker *maker, bool groups, uint32_t steps) {
  const struct ew_node *items[16];
  size_t count = 0;
  for (uint32_t i = 0; i <= steps; i++) {
    if (i) items[count++] = RANDOM(relationship_pattern);
    items[count++] = RANDOM(node_pattern);
    if (groups && maker->budget > 0 && chance(maker, 10)) items[count++] = RANDOM(group);
  }
  if (groups && maker->budget > 0 && chance(maker, 5)) items[0] = RANDOM(group);
  return ew_list_of(maker->builder, items, count);
}

/* A path that may stand in an expression. */
static const struct ew_node *random_simple_path(struct maker *maker, bool named) {
  struct ew_list elements = random_elements(maker, false, 1 + below(maker, 2));
  const struct ew_node *items[16];
  for (size_t i = 0; i < elements.count; i++) {
    items[i] = elements.items[i];
    if (i % 2 == 0) continue;
    struct cypher_relationship_pattern relationship = *CYPHER_AS(relationship_pattern, items[i]);
    relationship.length.node = chance(maker, 30) ? random_length(maker, true, false) : NULL;
    items[i] = ew_node_make(maker->builder, relationship.head.kind, &relationship);
  }
  return CYPHER(maker->builder, path, .variable.name = named && chance(maker, 30) ? random_name(maker) : EW_SPAN(""),
                .count.number = -1, .elements.list = ew_list_of(maker->builder, items, elements.count));
}

static void finish_path(struct maker *maker, struct cypher_path *path) {
  bool counts = path->selector.choice == CYPHER_SELECTOR_SHORTEST || path->selector.choice == CYPHER_SELECTOR_ANY ||
                path->selector.choice == CYPHER_SELECTOR_SHORTEST_GROUPS;
  if (chance(maker, 60)) path->selector.choice = CYPHER_SELECTOR_NONE;
  path->count.number = counts && path->selector.choice && chance(maker, 70) ? (int64_t)below(maker, 9) : -1;
  path->elements.list = random_elements(maker, true, below(maker, 3));
}

static void finish_group(struct maker *maker, struct cypher_group *group) {
  group->elements.list = random_elements(maker, true, group->variable.name.length ? 0 : 1 + below(maker, 2));
  group->length.node = chance(maker, 70) ? random_length(maker, false, true) : NULL;
}

static void finish_relationship_pattern(struct maker *maker, struct cypher_relationship_pattern *relationship) {
  relationship->properties.node = random_properties(maker);
  relationship->length.node = chance(maker, 30) ? random_length(maker, true, true) : NULL;
}

static void finish_pattern_expression(struct maker *maker, struct cypher_pattern_expression *expression) {
  struct cypher_path path = *CYPHER_AS(path, random_simple_path(maker, false));
  if (chance(maker, 30))
    path.selector.choice = chance(maker, 50) ? CYPHER_SELECTOR_SHORTEST_PATH : CYPHER_SELECTOR_ALL_SHORTEST_PATHS;
  expression->pattern.node = ew_node_make(maker->builder, path.head.kind, &path);
}

/* ---- clauses ---- */

static void finish_projection(struct maker *maker, struct cypher_projection *projection) {
  (void)maker;
  if (!projection->star.flag && !projection->items.list.count) projection->star.flag = true;
}

static const struct ew_node *random_query(struct maker *maker) {
  return chance(maker, 80) ? RANDOM(query) : RANDOM(union);
}

static void finish_call_subquery(struct maker *maker, struct cypher_call_subquery *call) {
  if (!call->scoped.flag) call->star.flag = false;
  if (!call->scoped.flag || call->star.flag) call->imports.names.count = 0;
  call->body.node = random_query(maker);
  if (call->in_transactions.flag) return;
  call->batch.node = call->concurrency.node = NULL;
  call->on_error.choice = CYPHER_ON_ERROR_DEFAULT;
  call->status.name.length = 0;
}

static void finish_call_procedure(struct maker *maker, struct cypher_call_procedure *call) {
  call->name.name = PICK("p", "db.labels", "a.b c.d", "match", "x.in.y");
  if (!call->explicit.flag) call->arguments.list.count = 0;
  if (call->star.flag) call->yields.list.count = 0;
  if (!call->star.flag && !call->yields.list.count) call->where.node = NULL;
}

static void finish_target(struct maker *maker, union ew_field *target) {
  target->node = chance(maker, 70) ? RANDOM(property) : RANDOM(index);
}

/* What SET does, or what REMOVE does. */
static struct ew_list random_changes(struct maker *maker, bool set, uint32_t count) {
  const struct ew_node *items[16];
  for (uint32_t i = 0; i < count; i++) {
    uint32_t which = below(maker, 3);
    if (set)
      items[i] = which == 0 ? RANDOM(set_property) : which == 1 ? RANDOM(set_all) : RANDOM(set_labels);
    else
      items[i] = which == 0 ? RANDOM(remove_labels) : RANDOM(remove_property);
  }
  return ew_list_of(maker->builder, items, count);
}

static void finish_merge(struct maker *maker, struct cypher_merge *merge) {
  merge->on_create.list = random_changes(maker, true, below(maker, 3));
  merge->on_match.list = random_changes(maker, true, below(maker, 3));
}

static void finish_set(struct maker *maker, struct cypher_set *set) {
  set->changes.list = random_changes(maker, true, 1 + below(maker, 3));
}
static void finish_remove(struct maker *maker, struct cypher_remove *remove) {
  remove->changes.list = random_changes(maker, false, 1 + below(maker, 3));
}

static void finish_subquery(struct maker *maker, struct cypher_subquery *subquery) {
  if (!subquery->bare.flag) {
    subquery->body.node = random_query(maker);
    return;
  }
  struct cypher_match match = *CYPHER_AS(match, RANDOM(match));
  match.optional.flag = false;
  match.matching.choice = CYPHER_MATCHING_DEFAULT;
  const struct ew_node *clause = ew_node_make(maker->builder, match.head.kind, &match);
  subquery->body.node = CYPHER(maker->builder, query, .clauses.list = ew_list_of(maker->builder, &clause, 1));
}

/* ---- expressions ---- */

static void finish_function(struct maker *maker, struct cypher_function *function) {
  function->name.name =
      PICK("f", "toUpper", "date.truncate", "count", "exists", "a.b c.d", "coalesce", "match", "null", "left");
  if (!function->arguments.list.count) function->distinct.flag = false;
}

static void finish_link(struct maker *maker, struct cypher_link *link) {
  link->operator.choice = CYPHER_EQUAL + below(maker, 6);
}

static void finish_type(struct maker *maker, struct cypher_type *type) {
  type->name.name = PICK("INTEGER", "STRING", "LOCAL DATETIME", "ZONED TIME", "ANY", "NOTHING", "PROPERTY VALUE");
  if (type->inner.node) type->name.name = EW_SPAN("LIST");
}

static void finish_type_union(struct maker *maker, struct cypher_type_union *types) {
  const struct ew_node *items[2] = {RANDOM(type), RANDOM(type)};
  types->types.list = ew_list_of(maker->builder, items, 2);
}

/* ---- commands ---- */

/* (n:L) or ()-[n:T]-(). */
static const struct ew_node *random_element_path(struct maker *maker, bool edge) {
  const struct ew_node *label = CYPHER(maker->builder, label, .name.name = random_name(maker)), *items[3];
  items[0] = items[2] = CYPHER(maker->builder, node_pattern, );
  if (edge)
    items[1] = CYPHER(maker->builder, relationship_pattern, .direction.choice = CYPHER_UNDIRECTED,
                      .variable.name = EW_SPAN("n"), .types.node = label);
  else
    items[0] = CYPHER(maker->builder, node_pattern, .variable.name = EW_SPAN("n"), .labels.node = label);
  return CYPHER(maker->builder, path, .count.number = -1,
                .elements.list = ew_list_of(maker->builder, items, edge ? 3 : 1));
}

static struct ew_list random_keys(struct maker *maker, uint32_t count) {
  const struct ew_node *items[4];
  for (uint32_t i = 0; i < count; i++)
    items[i] =
        CYPHER(maker->builder, property, .object.node = CYPHER(maker->builder, variable, .name.name = EW_SPAN("n")),
               .key.name = random_name(maker));
  return ew_list_of(maker->builder, items, count);
}

static struct ew_list random_indexed(struct maker *maker, uint32_t kind, uint32_t form) {
  if (kind != CYPHER_INDEX_LOOKUP || form == CYPHER_INDEX_ON)
    return random_keys(maker, form == CYPHER_INDEX_ON ? below(maker, 3) : 1 + below(maker, 3));
  const struct ew_node *function = RANDOM(function);
  return ew_list_of(maker->builder, &function, 1);
}

static void finish_create_index(struct maker *maker, struct cypher_create_index *create) {
  create->pattern.node = random_element_path(maker, create->index.choice == CYPHER_INDEX_EDGE);
  create->properties.list = random_indexed(maker, create->index.choice, create->form.choice);
}

static void finish_drop_index(struct maker *maker, struct cypher_drop_index *drop) {
  if (chance(maker, 50)) {
    drop->form.choice = CYPHER_INDEX_FOR;
    return;
  }
  drop->pattern.node = random_element_path(maker, drop->index.choice == CYPHER_INDEX_EDGE);
  drop->properties.list = random_indexed(maker, drop->index.choice, drop->form.choice);
}

static void finish_create_constraint(struct maker *maker, struct cypher_create_constraint *create) {
  create->pattern.node = random_element_path(maker, chance(maker, 40));
  create->properties.list = random_keys(maker, 1 + below(maker, 3));
  create->type.node = create->constraint.choice == CYPHER_TYPED ? make_class(maker, CYPHER_CLASS_TYPE) : NULL;
}

static void finish_drop_constraint(struct maker *maker, struct cypher_drop_constraint *drop) {
  if (chance(maker, 50)) {
    drop->constraint.choice = CYPHER_UNIQUE;
    drop->form.choice = CYPHER_REQUIRE;
    return;
  }
  drop->pattern.node = random_element_path(maker, chance(maker, 40));
  drop->properties.list = random_keys(maker, 1 + below(maker, 3));
  drop->type.node = drop->constraint.choice == CYPHER_TYPED ? make_class(maker, CYPHER_CLASS_TYPE) : NULL;
}

static void finish_statement(struct maker *maker, struct cypher_statement *statement) {
  const struct ew_node *items[3];
  uint32_t count = chance(maker, 20) ? below(maker, 4) : 0;
  for (uint32_t i = 0; i < count; i++)
    items[i] = i == 0 && chance(maker, 50)
                   ? CYPHER(maker->builder, setting, .name.name = PICK("5", "25", "3.5"))
                   : CYPHER(maker->builder, setting, .name.name = PICK("runtime", "planner", "replan"),
                            .setting.name = PICK("slotted", "dp", "5", "force"));
  statement->settings.list = ew_list_of(maker->builder, items, count);
  statement->body.node = chance(maker, 80) ? random_query(maker) : make_class(maker, CYPHER_CLASS_QUERY);
}

static void finish_union(struct maker *maker, struct cypher_union *all) {
  const struct ew_node *items[4];
  uint32_t count = 2 + below(maker, 3);
  for (uint32_t i = 0; i < count; i++) items[i] = RANDOM(query);
  all->branches.list = ew_list_of(maker->builder, items, count);
}

/* Makes the fields of a node fit together. */
static void finish(struct maker *maker, struct ew_node *node) {
#define FINISH(kind) \
  case CYPHER_##kind: finish_##kind(maker, (struct cypher_##kind *)(void *)node); break;
  switch (node->kind->code) {
    FINISH(statement)
    FINISH(union)
    FINISH(path)
    FINISH(group)
    FINISH(relationship_pattern)
    FINISH(pattern_expression)
    FINISH(projection)
    FINISH(merge)
    FINISH(set)
    FINISH(remove)
    FINISH(call_subquery)
    FINISH(call_procedure)
    FINISH(subquery)
    FINISH(function)
    FINISH(link)
    FINISH(type)
    FINISH(type_union)
    FINISH(create_index)
    FINISH(drop_index)
    FINISH(create_constraint)
    FINISH(drop_constraint)
    case CYPHER_node_pattern:
      ((struct cypher_node_pattern *)(void *)node)->properties.node = random_properties(maker);
      break;
    case CYPHER_set_property: finish_target(maker, &((struct cypher_set_property *)(void *)node)->target); break;
    case CYPHER_remove_property: finish_target(maker, &((struct cypher_remove_property *)(void *)node)->target); break;
    case CYPHER_pattern_comprehension:
      ((struct cypher_pattern_comprehension *)(void *)node)->pattern.node = random_simple_path(maker, true);
      break;
    case CYPHER_is_normalized:
      ((struct cypher_is_normalized *)(void *)node)->form.name = PICK("", "NFC", "NFD", "NFKC", "NFKD");
      break;
    default: break;
  }
}

/* ---- trees ---- */

static const struct ew_node *make_kind(struct maker *maker, const struct ew_kind *kind) {
  struct {
    struct ew_node head;
    union ew_field fields[EW_FIELDS_MAX];
  } filled = {.head.kind = kind};
  maker->budget--;
  for (size_t i = 0; kind->fields[i].type != EW_FIELD_END; i++)
    filled.fields[i] = random_field(maker, kind, &kind->fields[i]);
  finish(maker, &filled.head);
  return ew_node_make(maker->builder, kind, &filled);
}

/* What ends the growth of a tree. */
static const struct ew_node *make_leaf(struct maker *maker, unsigned class) {
  switch (class) {
    case CYPHER_CLASS_EXPR: return chance(maker, 50) ? RANDOM(literal) : RANDOM(variable);
    case CYPHER_CLASS_LABELS: return RANDOM(label);
    case CYPHER_CLASS_TYPE: return CYPHER(maker->builder, type, .name.name = EW_SPAN("MAP"));
    case CYPHER_CLASS_CLAUSE: return RANDOM(return );
    case CYPHER_CLASS_QUERY: return RANDOM(query);
    default: return NULL;
  }
}

static const struct ew_node *make_class(struct maker *maker, unsigned class) {
  const struct ew_node *leaf =
      maker->budget <= 0 || chance(maker, 25) ? make_leaf(maker, class) : NULL; /* by chance too: broad trees */
  const struct ew_kind *of_class[64];
  uint32_t count = 0;
  if (leaf) return leaf;
  for (size_t i = 0; i < cypher_table.count; i++)
    if (cypher_kinds[i].class == class) of_class[count++] = &cypher_kinds[i];
  return make_kind(maker, of_class[below(maker, count)]);
}

const struct ew_node *ew_cypher_random_statement(struct ew_builder *builder, struct ew_random *random, int nodes) {
  struct maker state = {builder, random, nodes}, *maker = &state;
  return RANDOM(statement);
}
