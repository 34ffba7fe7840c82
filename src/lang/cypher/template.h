/* template.h: trees with holes, for constructs that only one engine has: what its profile lists in [templates].

       join = STRING: string.join($list:LIST, $between:STRING)
       labelled = CLAUSE: MATCH (`$new:VARIABLE`) WHERE hasLabels(`$new:VARIABLE`, $labels:LIST)

   A hole for an expression is written $name:TYPE; one for a name is a name in backticks, `$name:ROLE`, ROLE being
   VARIABLE, LABEL or KEY. Holes of one name are filled alike. A profile that extends another inherits templates too;
   whether it has all that is in a filled one is for ew_cypher_lacks (dialect.h). */
#ifndef EW_LANG_CYPHER_TEMPLATE_H
#define EW_LANG_CYPHER_TEMPLATE_H

#include "contract/profile.h"
#include "lang/cypher/node.h"

/* The tree of a template: an expression, or for a CLAUSE the query of its clauses. EW_BAD with file, line and reason
   where its text does not parse. */
enum ew_status ew_cypher_template_parse(struct ew_builder *builder, const struct ew_template *template,
                                        const struct ew_node **tree, struct ew_error *error) EW_CHECKED;

/* Who fills the holes. Each is asked once per name; NULL, or an empty name, gives up. */
struct ew_cypher_filler {
  const struct ew_node *(*expression)(void *context, struct ew_builder *builder, struct ew_span hole,
                                      struct ew_span type);
  struct ew_span (*name)(void *context, struct ew_builder *builder, struct ew_span hole, struct ew_span role);
  void *context;
};

/* The tree with its holes filled, every node new; NULL where the filler gave up, or there are more than 16 holes. */
const struct ew_node *ew_cypher_template_fill(struct ew_builder *builder, const struct ew_node *tree,
                                              const struct ew_cypher_filler *filler);

#endif
