/* cypher.h: the language Cypher, as the rooms above see it. Trees: node.h. */
#ifndef EW_LANG_CYPHER_CYPHER_H
#define EW_LANG_CYPHER_CYPHER_H

#include "contract/language.h"
#include "lang/cypher/node.h"

extern const struct ew_language ew_cypher;

/* What the table points to; contracts are in contract/language.h. */
struct ew_program ew_cypher_load(struct ew_arena *arena, const struct ew_scene *scene,
                                 const struct ew_profile *profile);
struct ew_program ew_cypher_ask(struct ew_arena *arena, const struct ew_scene *scene, const struct ew_node *query,
                                const struct ew_profile *profile);
struct ew_program ew_cypher_state(struct ew_arena *arena, const struct ew_profile *profile);
bool ew_cypher_changes(const struct ew_node *tree);
bool ew_cypher_may_fail(const struct ew_node *tree);
bool ew_cypher_check(const struct ew_case *test, bool strict);
const struct ew_node *ew_cypher_simplest(struct ew_builder *builder, const struct ew_node *node, size_t which);
void ew_cypher_features(const struct ew_node *tree, void (*found)(void *context, const char *feature), void *context);
void ew_cypher_marks(const struct ew_node *tree, void (*found)(void *context, const char *mark), void *context);
void ew_cypher_shape(struct ew_text *text, const struct ew_node *tree);
size_t ew_cypher_dependencies(const struct ew_node *tree);
extern const struct ew_partition_words ew_cypher_partition;

/* A `graph` as a statement with one CREATE; NULL where it is empty. A relationship with an end that is not there is
   left out, so that a reducer may drop nodes. */
const struct ew_node *ew_cypher_create_graph(struct ew_builder *builder, const struct ew_node *graph);
/* The statements of a script, or the one statement at `base`. */
static inline struct ew_list ew_cypher_statements(const struct ew_node *const *base) {
  if (cypher_is(*base, CYPHER_script)) return CYPHER_AS(script, *base)->statements.list;
  return (struct ew_list){base, 1};
}
/* What the columns of a statement's answer are called; none where it returns nothing, or `*`. */
struct ew_names ew_cypher_columns(struct ew_arena *arena, const struct ew_node *statement);

#endif
