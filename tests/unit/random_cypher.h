/* random_cypher.h: random trees of every kind in node.def that Cypher text can say, for tests that print and read back. */
#ifndef EW_TEST_RANDOM_CYPHER_H
#define EW_TEST_RANDOM_CYPHER_H

#include "base/random.h"
#include "lang/cypher/node.h"

struct random_cypher {
  struct ew_builder builder;
  struct ew_random random;
};

static const struct ew_node *random_cypher_node(struct random_cypher *make, unsigned class, int depth);

static inline struct ew_span random_cypher_name(struct random_cypher *make) {
  static const char *const names[] = {"a",   "b1", "cd",    "E_f", "odd one", "Match",
                                      "x`y", "ä",  "count", "9",   "null",    "end"};
  return ew_span_of(EW_RANDOM_PICK(&make->random, names));
}

static inline const struct ew_node *random_cypher_literal(struct random_cypher *make) {
  static const int64_t integers[] = {0, 1, -1, 42, -7, INT64_MAX, INT64_MIN};
  static const double floats[] = {0.0, -0.0, 1.5, -2.25, 1e300, 5e-324, 0.1};
  static const char *const strings[] = {"", "a", "it's", "back\\slash", "new\nline", "\"quoted\"", "ä", "a`b"};
  struct ew_value value = ew_null();
  switch (ew_random_below(&make->random, 5)) {
    case 0: value = ew_boolean(ew_random_chance(&make->random, 50)); break;
    case 1: value = ew_integer(EW_RANDOM_PICK(&make->random, integers)); break;
    case 2: value = ew_float(EW_RANDOM_PICK(&make->random, floats)); break;
    case 3: value = ew_string(ew_span_of(EW_RANDOM_PICK(&make->random, strings))); break;
    default: break;
  }
  return CYPHER(&make->builder, literal, .value.value = ew_literal_of(&make->builder, value));
}

static inline struct ew_list random_cypher_list(struct random_cypher *make, unsigned class, size_t least, int depth) {
  const struct ew_node *items[4];
  size_t count = least + ew_random_below(&make->random, 2);
  for (size_t i = 0; i < count; i++) items[i] = random_cypher_node(make, class, depth);
  return ew_list_of(&make->builder, items, count);
}

/* Whether a relationship has its length behind it, which a pattern that stands for a value may not. */
static inline bool random_cypher_quantified(const struct ew_node *element) {
  if (!cypher_is(element, CYPHER_relationship_pattern)) return false;
  const struct ew_node *length = CYPHER_AS(relationship_pattern, element)->length.node;
  return length && CYPHER_AS(length, length)->form.choice != CYPHER_LENGTH_STAR;
}

/* A node, and `hops` times a relationship and a node. */
static inline struct ew_list random_cypher_elements(struct random_cypher *make, size_t hops, bool value, int depth) {
  const struct ew_node *items[5];
  for (size_t i = 0; i < 2 * hops + 1; i++) {
    unsigned kind = i % 2 ? CYPHER_relationship_pattern : CYPHER_node_pattern;
    do items[i] = random_cypher_node(make, CYPHER_CLASS_ELEMENT, depth);
    while (!cypher_is(items[i], kind) || (value && random_cypher_quantified(items[i])));
  }
  return ew_list_of(&make->builder, items, 2 * hops + 1);
}

/* The properties of an element: a map or a parameter. */
static inline const struct ew_node *random_cypher_properties(struct random_cypher *make, int depth) {
  if (ew_random_chance(&make->random, 20)) return CYPHER(&make->builder, parameter, .name.name = EW_SPAN("p"));
  return CYPHER(&make->builder, map, .entries.list = random_cypher_list(make, CYPHER_CLASS_ENTRY, 0, depth));
}

static inline void random_cypher_fix_path(struct random_cypher *make, struct cypher_path *path, int depth) {
  enum cypher_selector selector = path->selector.choice;
  bool call = selector == CYPHER_SELECTOR_SHORTEST_PATH || selector == CYPHER_SELECTOR_ALL_SHORTEST_PATHS;
  bool counted = selector == CYPHER_SELECTOR_SHORTEST || selector == CYPHER_SELECTOR_SHORTEST_GROUPS;
  path->count.number = counted || (selector == CYPHER_SELECTOR_ANY && ew_random_chance(&make->random, 50)) ? 2 : -1;
  path->elements.list = random_cypher_elements(make, call ? 1 : ew_random_below(&make->random, 3), call, depth);
}

static inline void random_cypher_fix_length(struct random_cypher *make, struct cypher_length *length, bool group) {
  if (group && length->form.choice == CYPHER_LENGTH_STAR) length->form.choice = CYPHER_LENGTH_BRACES;
  bool bounds = length->form.choice == CYPHER_LENGTH_STAR || length->form.choice == CYPHER_LENGTH_BRACES;
  length->low.number = bounds && ew_random_chance(&make->random, 60) ? 1 : -1;
  length->high.number = bounds && ew_random_chance(&make->random, 60) ? 3 : -1;
  length->exact.flag = bounds && length->low.number >= 0 && ew_random_chance(&make->random, 30);
  if (length->exact.flag) length->high.number = length->low.number;
}

/* One pattern that may stand for a value: at least one relationship, and no name. */
static inline const struct ew_node *random_cypher_pattern(struct random_cypher *make, bool named, int depth) {
  struct cypher_path path = {.count.number = -1};
  if (named && ew_random_chance(&make->random, 30)) path.variable.name = EW_SPAN("p");
  path.elements.list = random_cypher_elements(make, 1 + ew_random_below(&make->random, 2), true, depth);
  return ew_node_make(&make->builder, &cypher_kinds[CYPHER_path], &path);
}

static inline const struct ew_node *random_cypher_type(struct random_cypher *make) {
  static const char *const types[] = {"INTEGER", "STRING", "ZONED DATETIME", "ANY", "BOOLEAN"};
  bool list = ew_random_chance(&make->random, 30);
  return CYPHER(
      &make->builder, type, .name.name = list ? EW_SPAN("LIST") : ew_span_of(EW_RANDOM_PICK(&make->random, types)),
      .inner.node = list ? random_cypher_type(make) : NULL, .not_null.flag = ew_random_chance(&make->random, 20));
}

static inline const struct ew_node *random_cypher_query(struct random_cypher *make, bool bare, int depth) {
  const struct ew_node *clauses[3];
  size_t count = 0;
  do clauses[0] = random_cypher_node(make, CYPHER_CLASS_CLAUSE, depth);
  while (!cypher_is(clauses[0], CYPHER_match) ||
         (bare && (CYPHER_AS(match, clauses[0])->optional.flag || CYPHER_AS(match, clauses[0])->matching.choice ||
                   CYPHER_AS(match, clauses[0])->hints.list.count)));
  count = 1;
  if (!bare) clauses[count++] = random_cypher_node(make, CYPHER_CLASS_CLAUSE, depth);
  if (!bare) {
    struct cypher_return last = {.projection.node = random_cypher_node(make, CYPHER_CLASS_PROJECTION, depth)};
    clauses[count++] = ew_node_make(&make->builder, &cypher_kinds[CYPHER_return], &last);
  }
  return CYPHER(&make->builder, query, .clauses.list = ew_list_of(&make->builder, clauses, count));
}

/* Kinds whose places are few, or that only a query as a whole can have: tests/golden has them. */
static inline bool random_cypher_draws(unsigned kind) {
  switch (kind) {
    case CYPHER_literal:
    case CYPHER_label_colons:
    case CYPHER_set:
    case CYPHER_remove:
    case CYPHER_create:
    case CYPHER_merge:
    case CYPHER_foreach:
    case CYPHER_delete:
    case CYPHER_call_subquery:
    case CYPHER_call_procedure:
    case CYPHER_load_csv:
    case CYPHER_use:
    case CYPHER_finish:
    case CYPHER_return:
    case CYPHER_group: return false;
    default: return true;
  }
}

#define FIX(kind_) struct cypher_##kind_ *it = (void *)node

/* Makes what the generic loop drew into something that text can say. False: draw again. */
static inline bool random_cypher_fix(struct random_cypher *make, unsigned kind, void *node, int depth) {
  static const char *const functions[] = {"size", "toUpper", "count", "point.distance", "exists", "my.`odd`", "f1"};
  static const char *const forms[] = {"", "NFC", "NFKD"};
  struct ew_random *random = &make->random;
  switch (kind) {
    case CYPHER_path: {
      FIX(path);
      random_cypher_fix_path(make, it, depth);
      return true;
    }
    case CYPHER_length: {
      FIX(length);
      random_cypher_fix_length(make, it, false);
      return true;
    }
    case CYPHER_node_pattern: {
      FIX(node_pattern);
      if (it->properties.node) it->properties.node = random_cypher_properties(make, depth);
      return true;
    }
    case CYPHER_relationship_pattern: {
      FIX(relationship_pattern);
      if (it->properties.node) it->properties.node = random_cypher_properties(make, depth);
      return true;
    }
    case CYPHER_chain: {
      FIX(chain);
      it->links.list = random_cypher_list(make, CYPHER_CLASS_LINK, 2, depth);
      return true;
    }
    case CYPHER_link: {
      FIX(link);
      it->operator.choice = CYPHER_EQUAL + ew_random_below(random, CYPHER_GREATER_EQUAL - CYPHER_EQUAL + 1);
      return true;
    }
    case CYPHER_case: {
      FIX(case);
      it->whens.list = random_cypher_list(make, CYPHER_CLASS_WHEN, 1, depth);
      return true;
    }
    case CYPHER_function: {
      FIX(function);
      it->name.name = ew_span_of(EW_RANDOM_PICK(random, functions));
      if (!it->arguments.list.count) it->distinct.flag = false;
      return true;
    }
    case CYPHER_is_normalized: {
      FIX(is_normalized);
      it->form.name = ew_span_of(EW_RANDOM_PICK(random, forms));
      return true;
    }
    case CYPHER_pattern_comprehension: {
      FIX(pattern_comprehension);
      it->pattern.node = random_cypher_pattern(make, true, depth);
      return true;
    }
    case CYPHER_pattern_expression: {
      FIX(pattern_expression);
      it->pattern.node = random_cypher_pattern(make, false, depth);
      return true;
    }
    case CYPHER_subquery: {
      FIX(subquery);
      it->body.node = random_cypher_query(make, it->bare.flag, depth);
      return !(it->bare.flag && it->form.choice == CYPHER_COLLECT);
    }
    case CYPHER_match: {
      FIX(match);
      it->patterns.list = random_cypher_list(make, CYPHER_CLASS_PATH, 1, depth);
      return true;
    }
    case CYPHER_projection: {
      FIX(projection);
      if (!it->star.flag) it->items.list = random_cypher_list(make, CYPHER_CLASS_ITEM, 1, depth);
      return true;
    }
    case CYPHER_hint_index: {
      FIX(hint_index);
      it->properties.names = ew_names_of(&make->builder, &(struct ew_span){"k", 1}, 1);
      return true;
    }
    case CYPHER_hint_join: {
      FIX(hint_join);
      it->variables.names = ew_names_of(&make->builder, &(struct ew_span){"v", 1}, 1);
      return true;
    }
    default: return true;
  }
}

#undef FIX

static inline void random_cypher_fill(struct random_cypher *make, const struct ew_field_info *info,
                                      union ew_field *field, int depth) {
  struct ew_random *random = &make->random;
  uint32_t choices = 0;
  switch (info->type) {
    case EW_FIELD_ONE: field->node = random_cypher_node(make, info->class, depth); break;
    case EW_FIELD_OPT:
      if (ew_random_chance(random, 40)) field->node = random_cypher_node(make, info->class, depth);
      break;
    case EW_FIELD_LIST: field->list = random_cypher_list(make, info->class, 0, depth); break;
    case EW_FIELD_NAME:
      if (!info->optional || ew_random_chance(random, 60)) field->name = random_cypher_name(make);
      break;
    case EW_FIELD_FLAG: field->flag = ew_random_chance(random, 30); break;
    case EW_FIELD_CHOICE:
      while (info->choices[choices]) choices++;
      field->choice = ew_random_below(random, choices);
      break;
    case EW_FIELD_NUMBER: field->number = -1; break;
    default: break;
  }
}

static const struct ew_node *random_cypher_node(struct random_cypher *make, unsigned class, int depth) {
  if (class == CYPHER_CLASS_TYPE) return random_cypher_type(make);
  if (class == CYPHER_CLASS_QUERY) return random_cypher_query(make, false, depth - 1);
  if (class == CYPHER_CLASS_LABELS && depth < 0)
    return CYPHER(&make->builder, label, .name.name = random_cypher_name(make));
  if (class == CYPHER_CLASS_EXPR && (depth < 0 || ew_random_chance(&make->random, 15))) {
    if (ew_random_chance(&make->random, 50)) return random_cypher_literal(make);
    return CYPHER(&make->builder, variable, .name.name = random_cypher_name(make));
  }
  for (;;) {
    const struct ew_kind *kind = &cypher_kinds[ew_random_below(&make->random, (uint32_t)cypher_table.count)];
    if (kind->class != class || !random_cypher_draws(kind->code)) continue;
    struct {
      struct ew_node head;
      union ew_field fields[EW_FIELDS_MAX];
    } node = {0};
    for (size_t i = 0; kind->fields[i].type != EW_FIELD_END; i++)
      random_cypher_fill(make, &kind->fields[i], &node.fields[i], depth - 1);
    if (random_cypher_fix(make, kind->code, &node, depth - 1)) return ew_node_make(&make->builder, kind, &node);
  }
}

#endif
