/* cypher_seek.c: each form of predicate that engines answer from an index, on keys that have one. */
#include "generate/cypher_seek.h"

#include "generate/cypher_expression.h"

enum {
  SEEK_PERCENT = 45,       /* of patterns that an index fits */
  HIT_PERCENT = 70,        /* of values: that of the row at hand */
  NEAR_PERCENT = 25,       /* of values: not quite what the data has */
  SWAP_PERCENT = 35,       /* of comparisons: the property on the right */
  NULL_KEY_PERCENT = 6,    /* of keys that are computed: null at run time */
  EMPTY_PART_PERCENT = 12, /* of parts of strings */
  ITEMS_MAX = 4,
};

static const struct ew_span no_key = {"absent", 6};

/* The key that is looked up, and what it is in the data. */
struct seek {
  struct ew_cypher_writer *writer;
  struct ew_span variable;
  const struct ew_cypher_index *index;
  struct ew_cypher_lookup lookup; /* without a variable where none has the name */
  const struct ew_value *found;   /* NULL where nothing has the key */
};

/* ---- where ---- */

static bool has_label(const struct ew_node *labels, struct ew_span label) {
  if (cypher_is(labels, CYPHER_label)) return ew_span_equal(CYPHER_AS(label, labels)->name.name, label);
  if (!cypher_is(labels, CYPHER_label_colons)) return false;
  struct ew_list list = CYPHER_AS(label_colons, labels)->labels.list;
  for (size_t i = 0; i < list.count; i++)
    if (has_label(list.items[i], label)) return true;
  return false;
}

bool ew_cypher_is_indexed(const struct ew_cypher_world *world, struct ew_span key) {
  for (size_t i = 0; i < world->index_count; i++)
    if (ew_span_equal(world->indexes[i].key, key)) return true;
  return false;
}

/* One of the nodes and indexes that fit. */
static bool draw_place(struct seek *seek, struct ew_list patterns) {
  struct ew_cypher_writer *writer = seek->writer;
  uint32_t seen = 0;
  for (size_t i = 0; i < patterns.count; i++) {
    if (CYPHER_AS(path, patterns.items[i])->selector.choice) continue;
    struct ew_list elements = CYPHER_AS(path, patterns.items[i])->elements.list;
    for (size_t k = 0; k < elements.count; k++) {
      if (!cypher_is(elements.items[k], CYPHER_node_pattern)) continue;
      const struct cypher_node_pattern *node = CYPHER_AS(node_pattern, elements.items[k]);
      if (!node->variable.name.length || !node->labels.node) continue;
      for (size_t at = 0; at < writer->world->index_count; at++) {
        const struct ew_cypher_index *index = &writer->world->indexes[at];
        if (!has_label(node->labels.node, index->label) || ew_writer_below(writer, ++seen)) continue;
        seek->variable = node->variable.name;
        seek->index = index;
      }
    }
  }
  return seen > 0;
}

static const struct ew_schema_property *find_property(const struct ew_schema *schema,
                                                      const struct ew_cypher_index *index) {
  int label = ew_schema_find_label(schema, index->label);
  if (label < 0) return NULL;
  const struct ew_schema_element *element = &schema->labels.items[label];
  for (size_t i = 0; i < element->properties.count; i++)
    if (ew_span_equal(element->properties.items[i].name, index->key)) return &element->properties.items[i];
  return NULL;
}

/* ---- values ---- */

static const struct ew_node *property_node(struct seek *seek) {
  return ew_writer_property(seek->writer, seek->variable, seek->index->key);
}

/* The value of the row at hand, one of another node, or one that is near. */
static struct ew_value draw_value(struct seek *seek) {
  struct ew_cypher_writer *writer = seek->writer;
  const struct ew_value *value = seek->found;
  if (!ew_writer_chance(writer, HIT_PERCENT)) value = ew_writer_other_value(writer, seek->index->key);
  if (!value) return ew_null();
  return ew_writer_chance(writer, NEAR_PERCENT) ? ew_writer_near(writer, *value) : *value;
}

static enum ew_draw_type key_type(const struct seek *seek) { return ew_writer_type_of(seek->lookup.property->type); }

/* What is known only when the query runs: a variable, a property, a call; now and then null. */
static const struct ew_node *draw_computed(struct seek *seek) {
  struct ew_cypher_writer *writer = seek->writer;
  enum ew_draw_type type = key_type(seek);
  const struct ew_node *inner;
  if (ew_writer_chance(writer, NULL_KEY_PERCENT)) {
    const struct ew_cypher_variable *other = ew_writer_pick_variable(writer, EW_DRAW_NODE);
    if (other && !ew_span_equal(other->name, seek->variable) && ew_writer_chance(writer, 40))
      return ew_writer_property(writer, other->name, no_key);
    inner = ew_writer_null(writer);
  } else {
    if (ew_writer_chance(writer, 50)) return ew_cypher_draw_expression(writer, type, 1);
    inner = ew_cypher_draw_given(writer, draw_value(seek));
  }
  const struct ew_node *call = ew_cypher_wrap(writer, type, inner);
  return call ? call : inner;
}

static const struct ew_node *draw_key(struct seek *seek) {
  struct ew_cypher_writer *writer = seek->writer;
  if (ew_writer_chance(writer, 15)) return draw_computed(seek);
  struct ew_value value = draw_value(seek);
  return value.kind == EW_VALUE_NULL ? ew_cypher_draw_constant(writer, key_type(seek))
                                     : ew_cypher_draw_given(writer, value);
}

/* ---- forms ---- */

static const struct ew_node *compare(struct seek *seek, enum cypher_operator symbol, const struct ew_node *key) {
  struct ew_cypher_writer *writer = seek->writer;
  const struct ew_node *property = property_node(seek);
  if (ew_writer_chance(writer, SWAP_PERCENT))
    return ew_writer_binary(writer, ew_cypher_mirrored(symbol), key, property);
  return ew_writer_binary(writer, symbol, property, key);
}

static const struct ew_node *draw_equality(struct seek *seek) { return compare(seek, CYPHER_EQUAL, draw_key(seek)); }

static enum cypher_operator draw_bound(struct ew_cypher_writer *writer) {
  static const enum cypher_operator bounds[] = {CYPHER_LESS, CYPHER_LESS_EQUAL, CYPHER_GREATER, CYPHER_GREATER_EQUAL};
  return EW_RANDOM_PICK(writer->random, bounds);
}

static const struct ew_node *draw_range(struct seek *seek) {
  enum cypher_operator symbol = draw_bound(seek->writer);
  return compare(seek, symbol, draw_key(seek));
}

/* Two bounds, at one value most often. */
static const struct ew_node *draw_two_bounds(struct seek *seek) {
  struct ew_cypher_writer *writer = seek->writer;
  enum cypher_operator first = draw_bound(writer);
  enum cypher_operator second = draw_bound(writer);
  struct ew_value value = draw_value(seek);
  if (value.kind == EW_VALUE_NULL) return draw_range(seek);
  struct ew_value other = ew_writer_chance(writer, 60) ? value : draw_value(seek);
  const struct ew_node *left = compare(seek, first, ew_cypher_draw_given(writer, value));
  const struct ew_node *right = compare(seek, second, ew_cypher_draw_given(writer, other));
  return ew_writer_binary(writer, CYPHER_AND, left, right);
}

/* n.p IN [1, 1.0, …], or a parameter that is such a list. */
static const struct ew_node *draw_membership(struct seek *seek) {
  struct ew_cypher_writer *writer = seek->writer;
  size_t count = 1 + ew_writer_below(writer, ITEMS_MAX);
  struct ew_value *items = ew_arena_take(writer->builder->arena, ew_array_size(count, sizeof *items));
  for (size_t i = 0; i < count; i++) {
    bool again = i && ew_writer_chance(writer, 40);
    items[i] = ew_writer_keep(writer, again ? ew_writer_near(writer, items[i - 1]) : draw_value(seek));
  }
  struct ew_value list = ew_list(items, count);
  const struct ew_node *right = NULL;
  if (ew_writer_chance(writer, 35) && ew_cypher_can_be_sent(list)) right = ew_writer_parameter(writer, list);
  if (!right) right = ew_writer_constant(writer, list);
  return ew_writer_binary(writer, CYPHER_IN, property_node(seek), right);
}

/* n.p STARTS WITH 'a', n.p STARTS WITH trim(n.p) */
static const struct ew_node *draw_part(struct seek *seek) {
  static const enum cypher_operator operators[] = {CYPHER_STARTS_WITH, CYPHER_ENDS_WITH, CYPHER_CONTAINS};
  struct ew_cypher_writer *writer = seek->writer;
  enum cypher_operator symbol = EW_RANDOM_PICK(writer->random, operators);
  const struct ew_node *part = NULL;
  if (ew_writer_chance(writer, 20)) part = ew_cypher_wrap(writer, EW_DRAW_STRING, property_node(seek));
  if (!part && ew_writer_chance(writer, EMPTY_PART_PERCENT)) part = ew_writer_constant(writer, ew_string(EW_SPAN("")));
  if (!part) part = draw_key(seek);
  return ew_writer_binary(writer, symbol, property_node(seek), part);
}

static const struct ew_node *draw_form(struct seek *seek) {
  struct ew_cypher_writer *writer = seek->writer;
  unsigned weights[] = {25, 28, 15, 20, 0};
  if (key_type(seek) == EW_DRAW_STRING && ew_writer_has(writer, EW_HAS_STRING_PREDICATE))
    weights[4] = seek->index->text ? 200 : 25;
  if (!ew_writer_has(writer, EW_HAS_IN) || !ew_writer_has(writer, EW_HAS_LIST)) weights[3] = 0;
  if (!writer->dialect->operators[CYPHER_AND]) weights[2] = 0;
  switch (ew_random_weighted(writer->random, weights, EW_COUNT(weights))) {
    case 0: return draw_equality(seek);
    case 1: return draw_range(seek);
    case 2: return draw_two_bounds(seek);
    case 3: return draw_membership(seek);
    default: return draw_part(seek);
  }
}

/* AND (n:B OR n:C): labels that are still to be asked of what the index gives. */
static const struct ew_node *draw_more(struct seek *seek, const struct ew_node *predicate) {
  struct ew_cypher_writer *writer = seek->writer;
  const struct ew_node *tests[2];
  bool can = ew_writer_has(writer, EW_HAS_LABEL_PREDICATE) && writer->dialect->operators[CYPHER_AND] &&
             writer->dialect->operators[CYPHER_OR];
  if (!can || !ew_writer_chance(writer, 12)) return predicate;
  for (size_t i = 0; i < 2; i++) {
    const struct ew_node *label = CYPHER(writer->builder, label, .name.name = ew_writer_draw_label(writer));
    tests[i] = CYPHER(writer->builder, label_test, .operand.node = ew_writer_name(writer, seek->variable),
                      .labels.node = label);
  }
  const struct ew_node *either = ew_writer_binary(writer, CYPHER_OR, tests[0], tests[1]);
  return ew_writer_binary(writer, CYPHER_AND, predicate, either);
}

const struct ew_node *ew_cypher_draw_seek(struct ew_cypher_writer *writer, struct ew_list patterns) {
  struct seek seek = {.writer = writer};
  if (!writer->world->index_count || !ew_writer_has(writer, EW_HAS_WHERE) || writer->options->without_summary)
    return NULL;
  if (!ew_writer_chance(writer, SEEK_PERCENT) || !draw_place(&seek, patterns)) return NULL;
  seek.lookup.variable = ew_writer_find_variable(writer->variables, writer->count, seek.variable);
  seek.lookup.property = find_property(&writer->schema, seek.index);
  if (!seek.lookup.variable || !seek.lookup.property) return NULL;
  seek.found = ew_writer_witness_value(writer, &seek.lookup);
  const struct ew_node *predicate = draw_form(&seek);
  return predicate ? draw_more(&seek, predicate) : NULL;
}
