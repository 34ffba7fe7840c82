/* cypher_create.c: all data in one CREATE, written as a person would: nodes where they are first needed, variables only for those
   that are needed twice.

       CREATE (n0:A), (n1:B), (n2), (n0)-[:R]->(n1), (n1)-[:S]->(n2)      ─▶      CREATE (:A)-[:R]->(:B)-[:S]->()

   Afterwards the data is a statement of the scene. */
#include "base/map.h"
#include "base/vector.h"
#include "lang/cypher/cypher.h"
#include "lang/cypher/names.h"
#include "reduce/edit.h"

/* ---- a graph as paths ---- */

/* Steps of all paths, one behind the other. */
struct step {
  size_t node;
  const struct cypher_graph_relationship *by; /* that leads here; NULL at the start of a path */
  bool back;                                  /* against its direction */
};

struct drawing {
  struct ew_builder *builder;
  struct ew_list nodes, relationships;
  struct ew_map numbers; /* of nodes, by name */
  size_t *uses;          /* of each node, in steps */
  bool *drawn;           /* relationships */
  bool *defined;         /* nodes whose labels and properties are written */
  EW_VECTOR(struct step) steps;
};

static bool number_of(const struct drawing *drawing, struct ew_span name, size_t *number) {
  const union ew_map_value *value = ew_map_find(&drawing->numbers, name);
  if (value) *number = (size_t)value->number;
  return value != NULL;
}

static void add_step(struct drawing *drawing, struct step step) {
  *ew_arena_vector_push(drawing->builder->arena, &drawing->steps) = step;
  drawing->uses[step.node]++;
}

/* A relationship that is not drawn yet and touches the node; the node at its other end goes to `*next`. */
static bool find_next(struct drawing *drawing, size_t node, struct step *next) {
  for (size_t i = 0; i < drawing->relationships.count; i++) {
    const struct cypher_graph_relationship *by = CYPHER_AS(graph_relationship, drawing->relationships.items[i]);
    size_t start, end;
    if (drawing->drawn[i] || !number_of(drawing, by->start.name, &start) || !number_of(drawing, by->end.name, &end))
      continue;
    if (start != node && end != node) continue;
    drawing->drawn[i] = true;
    *next = start == node ? (struct step){end, by, false} : (struct step){start, by, true};
    return true;
  }
  return false;
}

/* From the first relationship that is left, on and on as long as one goes on from there. */
static void draw_paths(struct drawing *drawing) {
  for (size_t i = 0; i < drawing->relationships.count; i++) {
    const struct cypher_graph_relationship *by = CYPHER_AS(graph_relationship, drawing->relationships.items[i]);
    size_t start, end;
    if (drawing->drawn[i] || !number_of(drawing, by->start.name, &start) || !number_of(drawing, by->end.name, &end))
      continue;
    drawing->drawn[i] = true;
    add_step(drawing, (struct step){.node = start});
    for (struct step step = {end, by, false};;) {
      add_step(drawing, step);
      if (!find_next(drawing, step.node, &step)) break;
    }
  }
  for (size_t i = 0; i < drawing->nodes.count; i++)
    if (!drawing->uses[i]) add_step(drawing, (struct step){.node = i});
}

/* ---- paths as patterns ---- */

static const struct ew_node *map_of(struct ew_builder *builder, struct ew_list entries) {
  return entries.count ? CYPHER(builder, map, .entries.list = entries) : NULL;
}

static const struct ew_node *labels_of(struct ew_builder *builder, struct ew_names names) {
  struct ew_list labels = {0};
  for (size_t i = 0; i < names.count; i++)
    labels = ew_list_append(builder, labels, CYPHER(builder, label, .name.name = names.items[i]));
  if (labels.count < 2) return labels.count ? labels.items[0] : NULL;
  return CYPHER(builder, label_colons, .labels.list = labels);
}

static const struct ew_node *node_of(struct drawing *drawing, size_t number) {
  const struct cypher_graph_node *node = CYPHER_AS(graph_node, drawing->nodes.items[number]);
  struct ew_span variable = drawing->uses[number] > 1 ? node->name.name : EW_SPAN("");
  if (drawing->defined[number]) return CYPHER(drawing->builder, node_pattern, .variable.name = variable);
  drawing->defined[number] = true;
  const struct ew_node *labels = labels_of(drawing->builder, node->labels.names);
  const struct ew_node *properties = map_of(drawing->builder, node->properties.list);
  return CYPHER(drawing->builder, node_pattern, .variable.name = variable, .labels.node = labels,
                .properties.node = properties);
}

static const struct ew_node *relationship_of(struct drawing *drawing, const struct step *step) {
  const struct ew_node *type = CYPHER(drawing->builder, label, .name.name = step->by->type.name);
  const struct ew_node *properties = map_of(drawing->builder, step->by->properties.list);
  return CYPHER(drawing->builder, relationship_pattern,
                .direction.choice = step->back ? CYPHER_INCOMING : CYPHER_OUTGOING, .types.node = type,
                .properties.node = properties);
}

static struct ew_list patterns_of(struct drawing *drawing) {
  struct ew_list paths = {0};
  for (size_t i = 0; i < drawing->steps.count;) {
    struct ew_list elements = {0};
    do {
      const struct step *step = &drawing->steps.items[i];
      if (step->by) elements = ew_list_append(drawing->builder, elements, relationship_of(drawing, step));
      elements = ew_list_append(drawing->builder, elements, node_of(drawing, step->node));
    } while (++i < drawing->steps.count && drawing->steps.items[i].by);
    const struct ew_node *path = CYPHER(drawing->builder, path, .count.number = -1, .elements.list = elements);
    paths = ew_list_append(drawing->builder, paths, path);
  }
  return paths;
}

static struct ew_list draw(struct ew_builder *builder, const struct ew_node *graph) {
  struct drawing drawing = {.builder = builder,
                            .nodes = CYPHER_AS(graph, graph)->nodes.list,
                            .relationships = CYPHER_AS(graph, graph)->relationships.list};
  drawing.uses = EW_NEW_ARRAY(builder->arena, size_t, drawing.nodes.count + 1);
  drawing.drawn = EW_NEW_ARRAY(builder->arena, bool, drawing.relationships.count + 1);
  drawing.defined = EW_NEW_ARRAY(builder->arena, bool, drawing.nodes.count + 1);
  ew_map_init(&drawing.numbers);
  for (size_t i = 0; i < drawing.nodes.count; i++)
    ew_map_add(&drawing.numbers, CYPHER_AS(graph_node, drawing.nodes.items[i])->name.name, NULL)->number = i;
  draw_paths(&drawing);
  struct ew_list patterns = patterns_of(&drawing);
  ew_map_release(&drawing.numbers);
  return patterns;
}

/* ---- one CREATE for all ---- */

/* The patterns of a statement that is one CREATE; none otherwise. */
static struct ew_list created_by(const struct ew_node *statement) {
  const struct ew_node *query =
      cypher_is(statement, CYPHER_statement) ? CYPHER_AS(statement, statement)->body.node : NULL;
  if (!cypher_is(query, CYPHER_query) || CYPHER_AS(statement, statement)->arguments.list.count)
    return (struct ew_list){0};
  struct ew_list clauses = CYPHER_AS(query, query)->clauses.list;
  if (clauses.count != 1 || !cypher_is(clauses.items[0], CYPHER_create)) return (struct ew_list){0};
  return CYPHER_AS(create, clauses.items[0])->patterns.list;
}

/* Variables of different statements are different ones. */
struct apart {
  struct ew_arena *arena;
  size_t number;
};

static struct ew_span set_apart(void *context, enum ew_cypher_role role, struct ew_span name) {
  const struct apart *apart = context;
  if (role != EW_ROLE_VARIABLE) return name;
  return ew_arena_format(apart->arena, "%.*s_%zu", EW_SPAN_ARGS(name), apart->number);
}

static const struct ew_node *create_of(struct ew_builder *builder, struct ew_list patterns) {
  const struct ew_node *clause = CYPHER(builder, create, .patterns.list = patterns);
  const struct ew_node *query = CYPHER(builder, query, .clauses.list = ew_list_of(builder, &clause, 1));
  return CYPHER(builder, statement, .body.node = query);
}

/* The case with its data, and with what its statements create, in one first statement. */
static struct ew_case gathered(struct ew_reduction *reduction, bool statements) {
  struct ew_case candidate = reduction->best;
  struct ew_builder builder = ew_edit_builder(reduction, candidate.scene.data);
  struct ew_list patterns = candidate.scene.data ? draw(&builder, candidate.scene.data) : (struct ew_list){0};
  struct ew_list rest = {0}, old = candidate.scene.statements;
  for (size_t i = 0; i < old.count; i++) {
    struct ew_list created = statements ? created_by(old.items[i]) : (struct ew_list){0};
    struct apart apart = {builder.arena, i};
    for (size_t k = 0; k < created.count; k++) {
      const struct ew_node *pattern = ew_cypher_rename(&builder, created.items[k], set_apart, &apart);
      patterns = ew_list_append(&builder, patterns, pattern);
    }
    if (!created.count) rest = ew_list_append(&builder, rest, old.items[i]);
  }
  candidate.scene.data = NULL;
  candidate.scene.statements = rest;
  if (!patterns.count) return candidate;
  const struct ew_node **all = EW_NEW_ARRAY(builder.arena, const struct ew_node *, rest.count + 1);
  all[0] = ew_tree_duplicate(&builder, create_of(&builder, patterns));
  for (size_t i = 0; i < rest.count; i++) all[i + 1] = rest.items[i];
  candidate.scene.statements = (struct ew_list){all, rest.count + 1};
  return candidate;
}

bool ew_pass_create(struct ew_reduction *reduction) {
  if (reduction->best.language != &ew_cypher) return false;
  size_t creating = reduction->best.scene.data != NULL;
  for (size_t i = 0; i < reduction->best.scene.statements.count; i++)
    creating += created_by(reduction->best.scene.statements.items[i]).count > 0;
  struct ew_case candidate = gathered(reduction, true);
  if (creating > 1 && ew_edit_try(reduction, &candidate)) return true;
  candidate = gathered(reduction, false);
  return reduction->best.scene.data && ew_edit_try(reduction, &candidate);
}
