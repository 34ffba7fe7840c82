/* cypher_pattern.c: patterns, drawn along the graph.

   A pattern that is drawn blindly seldom matches anything. So a path is a walk over real elements, and what is
   written of each (labels, type, direction, properties) holds for it; a stated share is blind all the same. The
   elements walked over become the witnesses of the variables. A relationship is walked over once in a clause, as
   matching demands. */
#include "generate/cypher_expression.h"
#include "generate/cypher_seek.h"

enum {
  HOPS_MAX = 3,
  ANCHOR_PERCENT = 75, /* of paths: begins at a node in scope, where there is one */
  CLOSE_PERCENT = 25,  /* of nodes that a variable in scope stands for: that variable is used again */
  NAMED_NODE_PERCENT = 80,
  NAMED_START_PERCENT = 96, /* the first node of a path */
  NAMED_RELATIONSHIP_PERCENT = 65,
  NAMED_LENGTH_PERCENT = 12,   /* of variable lengths that must be mentioned: by name, else through the path */
  BLIND_PERCENT = 6,           /* of elements: labels, types and constants from the schema, not from the element */
  OPTIONAL_BLIND_PERCENT = 30, /* the same in OPTIONAL MATCH, so that it often matches nothing */
  PROPERTY_MAP_PERCENT = 12,
  UNDIRECTED_PERCENT = 25,
  VARIABLE_LENGTH_PERCENT = 10,
  PATH_VARIABLE_PERCENT = 10,
  SHORTEST_PATH_PERCENT = 4,
  OPEN_LENGTH_RELATIONSHIPS = 8, /* in graphs with more, a variable length has an upper bound: trails are exponential */
};

static const unsigned path_weights[] = {0, 66, 25, 9};     /* 1, 2, 3 paths in a MATCH */
static const unsigned hop_weights[] = {34, 42, 17, 7};     /* 0 … HOPS_MAX hops in a path */
static const unsigned label_weights[] = {32, 52, 8, 6, 2}; /* no label, one, two, a disjunction, a negation */
static const unsigned type_weights[] = {30, 52, 18};       /* no type, one, alternatives */

/* What a pattern may contain where it stands. */
struct draft {
  struct ew_cypher_writer *writer;
  uint64_t used;  /* relationships walked over in this clause, by id */
  unsigned blind; /* percent */
  bool names;     /* new variables may be bound */
  bool name_all;  /* every relationship is named: the projections must mention it */
  bool variable_lengths;
  size_t most;      /* hops */
  bool path_wanted; /* the path must be named: a part of it is mentioned through it */
};

/* NULL where the walk has left the graph. */
struct step {
  const struct ew_relationship_record *relationship;
  const struct ew_node_record *node;
  bool forwards;
};

/* ---- walking ---- */

static bool is_used(const struct draft *draft, const struct ew_relationship_record *relationship) {
  return relationship->deleted || (relationship->value.id < 64 && draft->used >> relationship->value.id & 1);
}

/* A relationship at `node` that was not walked over, and the node behind it. */
static struct step draw_step(struct draft *draft, const struct ew_node_record *node) {
  struct step step = {.forwards = ew_writer_chance(draft->writer, 50)};
  const struct ew_relationship_record *at;
  uint32_t seen = 0;
  if (!node) return step;
  for (at = node->outgoing; at; at = at->next_outgoing)
    if (!is_used(draft, at) && !ew_writer_below(draft->writer, ++seen)) step = (struct step){at, at->end, true};
  for (at = node->incoming; at; at = at->next_incoming)
    if (!is_used(draft, at) && !ew_writer_below(draft->writer, ++seen)) step = (struct step){at, at->start, false};
  if (step.relationship && step.relationship->value.id < 64) draft->used |= (uint64_t)1 << step.relationship->value.id;
  return step;
}

static bool can_step(const struct draft *draft, const struct ew_node_record *node) {
  const struct ew_relationship_record *at;
  if (!node) return false;
  for (at = node->outgoing; at; at = at->next_outgoing)
    if (!is_used(draft, at)) return true;
  for (at = node->incoming; at; at = at->next_incoming)
    if (!is_used(draft, at)) return true;
  return false;
}

/* Where a path begins: a node from which a walk goes on, if one is found soon. */
static const struct ew_node_record *draw_start(struct draft *draft, bool walks) {
  const struct ew_graph *graph = &draft->writer->world->model.graph;
  const struct ew_node_record *node = NULL;
  for (int i = 0; i < 4 && graph->nodes.count; i++) {
    const struct ew_node_record *drawn = graph->nodes.items[ew_writer_below(draft->writer, graph->nodes.count)];
    if (drawn->deleted) continue;
    node = drawn;
    if (!walks || can_step(draft, node)) break;
  }
  return node;
}

/* The node that a variable stands for in the row at hand; NULL where that is not known. */
static const struct ew_node_record *node_of(const struct ew_cypher_variable *variable) {
  bool is_node = variable->known && variable->witness.kind == EW_VALUE_NODE;
  const struct ew_node_record *node = is_node ? ew_node_record(variable->witness) : NULL;
  return node && !node->deleted ? node : NULL;
}

static const struct ew_cypher_variable *draw_anchor(struct draft *draft) {
  const struct ew_cypher_variable *anchor = NULL;
  for (int i = 0; i < 3; i++) {
    anchor = ew_writer_pick_variable(draft->writer, EW_DRAW_NODE);
    if (!anchor || can_step(draft, node_of(anchor))) break;
  }
  return anchor;
}

/* ---- constraints of elements ---- */

static const struct ew_node *label_node(struct ew_cypher_writer *writer, struct ew_span name) {
  return CYPHER(writer->builder, label, .name.name = name);
}

static uint32_t label_bit(const struct ew_cypher_writer *writer, struct ew_span name) {
  int index = ew_schema_find_label(&writer->schema, name);
  return index >= 0 && index < 32 ? (uint32_t)1 << index : 0;
}

/* A label of the witness; one of the schema where it has none. */
static struct ew_span draw_label_of(struct ew_cypher_writer *writer, const struct ew_node_record *witness) {
  if (!witness || writer->options->without_summary) return ew_writer_draw_label(writer);
  if (!witness->value.label_count) return (struct ew_span){0};
  return witness->value.labels[ew_writer_below(writer, witness->value.label_count)];
}

static bool has_label(const struct ew_node_record *node, struct ew_span name) {
  for (size_t i = 0; node && i < node->value.label_count; i++)
    if (ew_span_equal(node->value.labels[i], name)) return true;
  return false;
}

/* !A, which holds for the witness. */
static const struct ew_node *draw_negated_label(struct ew_cypher_writer *writer, const struct ew_node_record *witness) {
  struct ew_span name = ew_writer_draw_label(writer);
  if (has_label(witness, name)) return NULL;
  return CYPHER(writer->builder, label_not, .operand.node = label_node(writer, name));
}

static const struct ew_node *draw_labels(struct ew_cypher_writer *writer, const struct ew_node_record *witness,
                                         uint32_t *candidates) {
  const struct ew_schema *schema = &writer->schema;
  size_t form = ew_random_weighted(writer->random, label_weights, EW_COUNT(label_weights));
  *candidates = 0;
  if (!form || !schema->labels.count) return NULL;
  if (form == 4) return ew_writer_has(writer, EW_HAS_LABEL_NEGATION) ? draw_negated_label(writer, witness) : NULL;
  struct ew_span name = draw_label_of(writer, witness);
  if (!name.length) return NULL;
  const struct ew_node *label = label_node(writer, name);
  *candidates = label_bit(writer, name);
  if (form == 1) return label;
  bool both = form == 2;
  if (!ew_writer_has(writer, both ? EW_HAS_SEVERAL_LABELS : EW_HAS_LABEL_DISJUNCTION)) return label;
  struct ew_span second = both ? draw_label_of(writer, witness) : ew_writer_draw_label(writer);
  if (ew_span_equal(name, second)) return label;
  const struct ew_node *other = label_node(writer, second);
  *candidates |= label_bit(writer, second);
  if (!both) {
    const struct ew_node *either = CYPHER(writer->builder, label_or, .left.node = label, .right.node = other);
    if (!ew_writer_chance(writer, 25)) return either;
    return CYPHER(writer->builder, label_or, .left.node = either, .right.node = label_node(writer, name));
  }
  const struct ew_node *labels[] = {label, other};
  return CYPHER(writer->builder, label_colons, .labels.list = ew_list_of(writer->builder, labels, 2));
}

static const struct ew_node *draw_types(struct ew_cypher_writer *writer, const struct ew_relationship_record *witness,
                                        uint32_t *candidates) {
  const struct ew_schema *schema = &writer->schema;
  size_t form = ew_random_weighted(writer->random, type_weights, EW_COUNT(type_weights));
  *candidates = 0;
  if (!form || !schema->types.count) return NULL;
  bool known = witness && !writer->options->without_summary;
  struct ew_span name = known ? witness->value.type : ew_writer_draw_type(writer);
  const struct ew_node *type = label_node(writer, name);
  int index = ew_schema_find_type(schema, name);
  *candidates = index >= 0 ? (uint32_t)1 << index : 0;
  if (form == 1 || !ew_writer_has(writer, EW_HAS_TYPE_ALTERNATIVES)) return type;
  struct ew_span second = ew_writer_draw_type(writer);
  if (ew_span_equal(name, second)) return type;
  *candidates = 0;
  const struct ew_node *other = label_node(writer, second);
  return CYPHER(writer->builder, label_or, .left.node = type, .right.node = other);
}

/* What a pattern asks a property to be, where it is `value`: that, or the equal number of the other type. */
static const struct ew_node *draw_asked(struct ew_cypher_writer *writer, struct ew_value value) {
  bool whole = value.kind == EW_VALUE_FLOAT && value.number > -0x1p53 && value.number < 0x1p53 &&
               value.number == (double)(int64_t)value.number;
  if (whole && ew_writer_chance(writer, 30)) value = ew_integer((int64_t)value.number);
  bool small = value.kind == EW_VALUE_INTEGER && value.integer > -1000 && value.integer < 1000;
  if (small && ew_writer_has(writer, EW_HAS_FLOATS) && ew_writer_chance(writer, 15))
    value = ew_float((double)value.integer);
  return ew_cypher_draw_given(writer, value);
}

/* Anything: what is null matches nothing. */
static const struct ew_node *draw_blindly_asked(struct ew_cypher_writer *writer, struct ew_property_type type) {
  const struct ew_node *parameter = NULL;
  unsigned at = ew_writer_below(writer, 100);
  if (at < 8) parameter = ew_writer_parameter(writer, ew_null());
  if (parameter) return parameter;
  if (at < 30) return ew_cypher_draw_expression(writer, ew_writer_type_of(type), 2);
  return ew_cypher_draw_constant(writer, ew_writer_type_of(type));
}

/* {p: 1}: a property that the witness has, else one of the schema with a constant of its type. */
static const struct ew_node *draw_property_map(struct ew_cypher_writer *writer, const struct ew_items *of,
                                               const struct ew_schema_element *elements, size_t count) {
  struct ew_span key;
  const struct ew_node *value;
  if (!ew_writer_has(writer, EW_HAS_PROPERTY_MAP) || !ew_writer_chance(writer, PROPERTY_MAP_PERCENT)) return NULL;
  if (writer->options->without_summary) return NULL;
  if (of) {
    if (!of->count) return NULL;
    const struct ew_item *item = &of->items[ew_writer_below(writer, of->count)];
    if (!ew_cypher_is_indexed(writer->world, item->key)) item = &of->items[ew_writer_below(writer, of->count)];
    key = item->key;
    value = draw_asked(writer, item->value);
  } else {
    const struct ew_schema_element *element = count ? &elements[ew_writer_below(writer, count)] : NULL;
    if (!element || !element->properties.count) return NULL;
    const struct ew_schema_property *property =
        &element->properties.items[ew_writer_below(writer, element->properties.count)];
    key = property->name;
    value = draw_blindly_asked(writer, property->type);
  }
  const struct ew_node *entry = CYPHER(writer->builder, entry, .key.name = key, .value.node = value);
  return CYPHER(writer->builder, map, .entries.list = ew_list_of(writer->builder, &entry, 1));
}

/* ---- elements ---- */

/* A variable in scope that stands for this very node. */
static const struct ew_cypher_variable *find_stand_in(const struct ew_cypher_writer *writer,
                                                      const struct ew_node_record *witness) {
  for (size_t i = 0; i < writer->count && witness; i++)
    if (writer->variables[i].type == EW_DRAW_NODE && node_of(&writer->variables[i]) == witness)
      return &writer->variables[i];
  return NULL;
}

static const struct ew_node *known_node(struct ew_cypher_writer *writer, struct ew_span name) {
  return CYPHER(writer->builder, node_pattern, .variable.name = name);
}

static const struct ew_node *draw_node(struct draft *draft, const struct ew_node_record *witness, unsigned named) {
  struct ew_cypher_writer *writer = draft->writer;
  const struct ew_schema *schema = &writer->schema;
  const struct ew_cypher_variable *known = find_stand_in(writer, witness);
  struct ew_cypher_variable variable = {.type = EW_DRAW_NODE, .known = witness != NULL};
  if (witness) variable.witness = ew_node_value_of(witness);
  if (known && ew_writer_chance(writer, CLOSE_PERCENT)) return known_node(writer, known->name);
  bool blind = !witness || ew_writer_chance(writer, draft->blind);
  const struct ew_items *properties = blind ? NULL : &witness->value.properties;
  const struct ew_node *labels = draw_labels(writer, blind ? NULL : witness, &variable.candidates);
  const struct ew_node *map = draw_property_map(writer, properties, schema->labels.items, schema->labels.count);
  if (draft->names && ew_writer_chance(writer, named)) {
    variable.name = ew_writer_fresh_name(writer, 'n');
    ew_writer_bind(writer, variable);
  }
  return CYPHER(writer->builder, node_pattern, .variable.name = variable.name, .labels.node = labels,
                .properties.node = map);
}

/* Bounds that one hop is within, so that the walk stays a witness of the pattern. */
static const struct ew_node *draw_length(struct ew_cypher_writer *writer) {
  static const struct {
    int low, high;
    bool exact, open;
  } lengths[] = {
      {1, 2, false, false}, {-1, 2, false, false}, {0, 1, false, false},  {1, 1, true, false},  {1, 3, false, false},
      {0, 2, false, false}, {1, -1, false, true},  {-1, -1, false, true}, {0, -1, false, true},
  };
  size_t pick;
  do pick = ew_writer_below(writer, EW_COUNT(lengths));
  while (lengths[pick].open && writer->world->model.graph.relationships.count > OPEN_LENGTH_RELATIONSHIPS);
  return CYPHER(writer->builder, length, .form.choice = CYPHER_LENGTH_STAR, .low.number = lengths[pick].low,
                .high.number = lengths[pick].high, .exact.flag = lengths[pick].exact);
}

static enum cypher_direction draw_direction(struct ew_cypher_writer *writer, bool forwards) {
  if (ew_writer_has(writer, EW_HAS_UNDIRECTED) && ew_writer_chance(writer, UNDIRECTED_PERCENT))
    return CYPHER_UNDIRECTED;
  return forwards ? CYPHER_OUTGOING : CYPHER_INCOMING;
}

static const struct ew_node *draw_relationship(struct draft *draft, struct step step) {
  struct ew_cypher_writer *writer = draft->writer;
  const struct ew_schema *schema = &writer->schema;
  struct ew_cypher_variable variable = {
      .type = EW_DRAW_RELATIONSHIP, .known = step.relationship != NULL, .pattern = true};
  if (step.relationship) variable.witness = ew_relationship_value_of(step.relationship);
  bool blind = !step.relationship || ew_writer_chance(writer, draft->blind);
  const struct ew_items *properties = blind ? NULL : &step.relationship->value.properties;
  const struct ew_node *types = draw_types(writer, blind ? NULL : step.relationship, &variable.candidates);
  const struct ew_node *length = NULL;
  if (draft->variable_lengths && ew_writer_chance(writer, VARIABLE_LENGTH_PERCENT)) {
    length = draw_length(writer);
    variable.type = ew_draw_list_of(EW_DRAW_RELATIONSHIP);
    variable.known = false;
  }
  const struct ew_node *map = draw_property_map(writer, properties, schema->types.items, schema->types.count);
  enum cypher_direction direction = draw_direction(writer, step.forwards);
  bool named = draft->names && (draft->name_all || ew_writer_chance(writer, NAMED_RELATIONSHIP_PERCENT));
  if (named && length && draft->name_all && ew_writer_has(writer, EW_HAS_PATH_VARIABLE) &&
      !ew_writer_chance(writer, NAMED_LENGTH_PERCENT)) {
    named = false;
    draft->path_wanted = true;
  }
  if (named) {
    variable.name = ew_writer_fresh_name(writer, 'r');
    ew_writer_bind(writer, variable);
  }
  return CYPHER(writer->builder, relationship_pattern, .direction.choice = direction, .variable.name = variable.name,
                .types.node = types, .length.node = length, .properties.node = map);
}

/* ---- paths ---- */

static const struct ew_node *make_path(struct ew_cypher_writer *writer, struct ew_span name,
                                       const struct ew_node *const *elements, size_t count) {
  struct ew_list list = ew_list_of(writer->builder, elements, count);
  return CYPHER(writer->builder, path, .variable.name = name, .count.number = -1, .elements.list = list);
}

/* A path of at least `least` hops from `anchor`, or from anywhere where that is NULL. */
static const struct ew_node *draw_path(struct draft *draft, const struct ew_cypher_variable *anchor, size_t least,
                                       bool nameable) {
  struct ew_cypher_writer *writer = draft->writer;
  const struct ew_node *elements[2 * HOPS_MAX + 1];
  size_t count = 0, hops = 0;
  struct ew_span name = {0};
  if (ew_writer_has(writer, EW_HAS_RELATIONSHIP)) hops = ew_random_weighted(writer->random, hop_weights, HOPS_MAX + 1);
  if (hops > draft->most) hops = draft->most;
  if (hops < least) hops = least;
  const struct ew_node_record *at = anchor ? node_of(anchor) : draw_start(draft, hops > 0);
  elements[count++] = anchor ? known_node(writer, anchor->name) : draw_node(draft, at, NAMED_START_PERCENT);
  for (size_t i = 0; i < hops; i++) {
    struct step step = draw_step(draft, at);
    if (!step.relationship && i >= least && ew_writer_chance(writer, 80)) break;
    elements[count++] = draw_relationship(draft, step);
    elements[count++] = draw_node(draft, step.node, NAMED_NODE_PERCENT);
    at = step.node;
  }
  bool may_name = nameable && ew_writer_has(writer, EW_HAS_PATH_VARIABLE);
  if (draft->path_wanted || (may_name && ew_writer_chance(writer, PATH_VARIABLE_PERCENT))) {
    struct ew_cypher_variable path = {.type = EW_DRAW_PATH, .pattern = draft->path_wanted};
    path.name = name = ew_writer_fresh_name(writer, 'p');
    ew_writer_bind(writer, path);
    draft->path_wanted = false;
  }
  return make_path(writer, name, elements, count);
}

const struct ew_node *ew_cypher_draw_shortest_path(struct ew_cypher_writer *writer, bool named) {
  const struct ew_cypher_variable *from = ew_writer_pick_variable(writer, EW_DRAW_NODE);
  const struct ew_cypher_variable *to = ew_writer_pick_variable(writer, EW_DRAW_NODE);
  uint32_t candidates;
  if (!from || from == to || node_of(from) == node_of(to)) return NULL;
  const struct ew_node *first = known_node(writer, from->name), *last = known_node(writer, to->name);
  const struct ew_node *length = CYPHER(writer->builder, length, .low.number = -1, .high.number = 3);
  const struct ew_node *types = draw_types(writer, NULL, &candidates);
  enum cypher_direction direction = draw_direction(writer, true);
  const struct ew_node *middle = CYPHER(writer->builder, relationship_pattern, .direction.choice = direction,
                                        .types.node = types, .length.node = length);
  const struct ew_node *elements[] = {first, middle, last};
  struct ew_span name = named ? ew_writer_fresh_name(writer, 'p') : (struct ew_span){0};
  if (named) ew_writer_bind(writer, (struct ew_cypher_variable){.name = name, .type = EW_DRAW_PATH});
  struct ew_list list = ew_list_of(writer->builder, elements, EW_COUNT(elements));
  return CYPHER(writer->builder, path, .variable.name = name, .selector.choice = CYPHER_SELECTOR_SHORTEST_PATH,
                .count.number = -1, .elements.list = list);
}

struct ew_list ew_cypher_draw_patterns(struct ew_cypher_writer *writer, bool optional, bool single) {
  struct draft draft = {.writer = writer,
                        .blind = optional ? OPTIONAL_BLIND_PERCENT : BLIND_PERCENT,
                        .names = true,
                        .most = HOPS_MAX,
                        .name_all = writer->purpose == EW_PURPOSE_PARTITION,
                        .variable_lengths = ew_writer_has(writer, EW_HAS_VARIABLE_LENGTH)};
  struct ew_list paths = {0};
  size_t before = writer->count, count = 1;
  if (!optional && !single) count = ew_random_weighted(writer->random, path_weights, EW_COUNT(path_weights));
  if (ew_writer_is_free(writer) && ew_writer_has(writer, EW_HAS_SHORTEST_PATH) &&
      ew_writer_chance(writer, SHORTEST_PATH_PERCENT)) {
    const struct ew_node *path = ew_cypher_draw_shortest_path(writer, true);
    if (path) return ew_list_of(writer->builder, &path, 1);
  }
  for (size_t i = 0; i < count; i++) {
    const struct ew_cypher_variable *anchor = NULL;
    if (optional || ew_writer_chance(writer, ANCHOR_PERCENT)) anchor = draw_anchor(&draft);
    if (anchor && !optional && !can_step(&draft, node_of(anchor))) anchor = NULL;
    /* A path that adds nothing to the scope is only worth it beside others. */
    const struct ew_node *path = draw_path(&draft, anchor, anchor != NULL, true);
    paths = ew_list_append(writer->builder, paths, path);
  }
  if (writer->count > before || before) return paths;
  struct ew_cypher_variable variable = {.type = EW_DRAW_NODE};
  const struct ew_node_record *start = draw_start(&draft, false);
  variable.known = start != NULL;
  if (start) variable.witness = ew_node_value_of(start);
  variable.name = ew_writer_fresh_name(writer, 'n');
  ew_writer_bind(writer, variable);
  const struct ew_node *node = known_node(writer, variable.name);
  return ew_list_append(writer->builder, paths, make_path(writer, (struct ew_span){0}, &node, 1));
}

/* ---- patterns in expressions ---- */

const struct ew_node *ew_cypher_draw_anchored_path(struct ew_cypher_writer *writer, bool names, size_t most) {
  struct draft draft = {.writer = writer,
                        .blind = OPTIONAL_BLIND_PERCENT,
                        .names = names,
                        .most = most < HOPS_MAX ? most : HOPS_MAX,
                        .variable_lengths = ew_writer_has(writer, EW_HAS_VARIABLE_LENGTH)};
  const struct ew_cypher_variable *anchor = draw_anchor(&draft);
  return anchor && ew_writer_has(writer, EW_HAS_RELATIONSHIP) ? draw_path(&draft, anchor, 1, false) : NULL;
}
