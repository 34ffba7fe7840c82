/* dialect.h: what a profile means for Cypher: which constructs an engine has, and how it spells them. */
#ifndef EW_LANG_CYPHER_DIALECT_H
#define EW_LANG_CYPHER_DIALECT_H

#include "contract/profile.h"
#include "lang/cypher/node.h"

/* Whether the tree has something in it that the profile does not have. `what`, which may be NULL, gets words for the
   first: "the pattern label_negation", "the function left with 3 arguments". */
bool ew_cypher_lacks(const struct ew_node *tree, const struct ew_profile *profile, struct ew_text *what);

/* EW_BAD with file, line and reason where a profile names what Cypher does not have (constructs of features.def,
   operators, types, spellings), or a template does not parse. */
enum ew_status ew_cypher_check_profile(const struct ew_profile *profile, struct ew_error *error) EW_CHECKED;

/* Which of the choices with these texts the profile (NULL is the standard) asks for as the spelling of `name` (see
   spelling.def), else `otherwise`. */
uint32_t ew_cypher_spelled(const struct ew_profile *profile, const char *name, const char *const *texts,
                           uint32_t otherwise);

#endif
