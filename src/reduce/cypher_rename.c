/* cypher_rename.c: short names in the order in which they come: a, b for variables, :A, :B for labels, :R, :S for types of
   relationships, .p, .q for properties. All at once; where that does not show it any more (an engine's error may hang on a
   name), role by role, then name by name. */
#include "base/map.h"
#include "base/vector.h"
#include "lang/cypher/cypher.h"
#include "lang/cypher/names.h"
#include "reduce/edit.h"

/* What names are called, by role; types of relationships have a role of their own here. */
enum { TYPE = EW_ROLES, ROLES };
static const char firsts[ROLES] = {
    [EW_ROLE_VARIABLE] = 'a', [EW_ROLE_LABEL] = 'A', [EW_ROLE_PROPERTY] = 'p', [EW_ROLE_ELEMENT] = 'a', [TYPE] = 'R'};

struct name {
  unsigned role;
  struct ew_span old, new;
};

struct renaming {
  struct ew_arena *arena;
  struct ew_map types; /* names of relationship types */
  EW_VECTOR(struct name) names;
  size_t counts[ROLES];    /* names of each role so far */
  unsigned role;           /* only this one, 0 is all */
  const struct name *only; /* only this one; NULL is all */
};

/* ---- which names there are ---- */

static void note_type(void *context, enum ew_cypher_role role, struct ew_span name) {
  if (role == EW_ROLE_LABEL) ew_map_add(context, name, NULL);
}

static enum ew_walk note_types(const struct ew_node *node, struct ew_place place, void *context) {
  (void)place;
  if (cypher_is(node, CYPHER_relationship_pattern) && CYPHER_AS(relationship_pattern, node)->types.node)
    ew_cypher_names(CYPHER_AS(relationship_pattern, node)->types.node, note_type, context);
  if (cypher_is(node, CYPHER_graph_relationship))
    ew_map_add(context, CYPHER_AS(graph_relationship, node)->type.name, NULL);
  return EW_WALK_ON;
}

static unsigned role_of(const struct renaming *renaming, enum ew_cypher_role role, struct ew_span name) {
  return role == EW_ROLE_LABEL && ew_map_find(&renaming->types, name) ? TYPE : role;
}

static const struct name *find(const struct renaming *renaming, unsigned role, struct ew_span old) {
  for (size_t i = 0; i < renaming->names.count; i++) {
    const struct name *name = &renaming->names.items[i];
    if (name->role == role && ew_span_equal(name->old, old)) return name;
  }
  return NULL;
}

/* From the first letter to the end of the alphabet, then with numbers: R, S … Z, R1, S1 … */
static struct ew_span nth_name(struct ew_arena *arena, unsigned role, size_t n) {
  char first = firsts[role], last = first >= 'a' ? 'z' : 'Z';
  size_t letters = (size_t)(last - first) + 1;
  char letter = (char)(first + (char)(n % letters));
  return n < letters ? ew_arena_format(arena, "%c", letter) : ew_arena_format(arena, "%c%zu", letter, n / letters);
}

static void note_name(void *context, enum ew_cypher_role role, struct ew_span old) {
  struct renaming *renaming = context;
  unsigned sort = role_of(renaming, role, old);
  if (find(renaming, sort, old)) return;
  struct ew_span new = nth_name(renaming->arena, sort, renaming->counts[sort]++);
  *ew_arena_vector_push(renaming->arena, &renaming->names) = (struct name){sort, old, new};
}

/* ---- a case with other names ---- */

static struct ew_span new_name(void *context, enum ew_cypher_role role, struct ew_span old) {
  const struct renaming *renaming = context;
  unsigned sort = role_of(renaming, role, old);
  const struct name *name = find(renaming, sort, old);
  if (!name || (renaming->role && renaming->role != sort) || (renaming->only && renaming->only != name)) return old;
  return name->new;
}

static bool try_names(struct ew_reduction *reduction, struct renaming *renaming) {
  struct ew_case candidate = reduction->best;
  for (size_t i = 0; i < ew_edit_count(&candidate); i++) {
    const struct ew_node *tree = ew_edit_tree(&candidate, i);
    if (!tree) continue;
    struct ew_builder builder = ew_edit_builder(reduction, tree);
    const struct ew_node *renamed = ew_cypher_rename(&builder, tree, new_name, renaming);
    candidate = ew_edit_with(reduction->arena, &candidate, i, renamed);
  }
  if (candidate.scene.schema) {
    struct ew_builder builder = ew_edit_builder(reduction, candidate.scene.schema);
    candidate.scene.schema = ew_cypher_rename(&builder, candidate.scene.schema, new_name, renaming);
  }
  return ew_edit_try(reduction, &candidate);
}

static void collect(struct ew_reduction *reduction, struct renaming *renaming) {
  const struct ew_case *best = &reduction->best;
  for (size_t i = 0; i < ew_edit_count(best); i++)
    if (ew_edit_tree(best, i)) ew_tree_walk(ew_edit_tree(best, i), note_types, &renaming->types);
  for (size_t i = 0; i < ew_edit_count(best); i++)
    if (ew_edit_tree(best, i)) ew_cypher_names(ew_edit_tree(best, i), note_name, renaming);
  if (best->scene.schema) ew_cypher_names(best->scene.schema, note_name, renaming);
}

/* One name must not become one that another has. */
static bool is_taken(const struct renaming *renaming, const struct name *name) {
  return find(renaming, name->role, name->new) != NULL;
}

static bool by_parts(struct ew_reduction *reduction, struct renaming *renaming) {
  bool helped = false;
  for (unsigned role = 1; role < ROLES; role++) {
    renaming->role = role;
    if (!renaming->counts[role]) continue;
    if (try_names(reduction, renaming)) {
      helped = true;
      continue;
    }
    for (size_t i = 0; i < renaming->names.count && !ew_edit_done(reduction); i++) {
      renaming->only = &renaming->names.items[i];
      if (renaming->only->role == role && !is_taken(renaming, renaming->only))
        helped = try_names(reduction, renaming) || helped;
    }
    renaming->only = NULL;
  }
  return helped;
}

static bool all_are_named_so(const struct renaming *renaming) {
  for (size_t i = 0; i < renaming->names.count; i++)
    if (!ew_span_equal(renaming->names.items[i].old, renaming->names.items[i].new)) return false;
  return true;
}

bool ew_pass_rename(struct ew_reduction *reduction) {
  struct renaming renaming = {.arena = reduction->arena};
  if (reduction->best.language != &ew_cypher) return false;
  ew_map_init(&renaming.types);
  collect(reduction, &renaming);
  bool helped = !all_are_named_so(&renaming) && (try_names(reduction, &renaming) || by_parts(reduction, &renaming));
  ew_map_release(&renaming.types);
  return helped;
}
