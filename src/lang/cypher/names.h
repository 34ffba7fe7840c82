/* names.h: the names in a tree, by what they are names of, so that they can be changed. */
#ifndef EW_LANG_CYPHER_NAMES_H
#define EW_LANG_CYPHER_NAMES_H

#include "lang/cypher/node.h"

enum ew_cypher_role {
  EW_ROLE_NONE,
  EW_ROLE_VARIABLE,
  EW_ROLE_LABEL, /* also the type of a relationship */
  EW_ROLE_PROPERTY,
  EW_ROLE_ELEMENT, /* a node of a graph */
  EW_ROLES
};

/* Calls `found` for every name in the tree that has a role, about in the order of the text. */
void ew_cypher_names(const struct ew_node *tree,
                     void (*found)(void *context, enum ew_cypher_role role, struct ew_span name), void *context);

/* The tree with its names changed: `name` gives the new one, or the old one where it stays. */
typedef struct ew_span (*ew_cypher_namer)(void *context, enum ew_cypher_role role, struct ew_span name);
const struct ew_node *ew_cypher_rename(struct ew_builder *builder, const struct ew_node *tree, ew_cypher_namer namer,
                                       void *context);

#endif
