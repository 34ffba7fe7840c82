/* symbols.h: which names of a tree a user chose, and what they name; see symbols.def. */
#ifndef EW_LANG_CYPHER_SYMBOLS_H
#define EW_LANG_CYPHER_SYMBOLS_H

#include <stddef.h>

#include "lang/cypher/node.h"

enum ew_cypher_role {
  EW_ROLE_NONE,
  EW_ROLE_BINDS,
  EW_ROLE_PATTERN,
  EW_ROLE_USES,
  EW_ROLE_LABEL,
  EW_ROLE_KEY,
  EW_ROLE_PARAMETER,
  EW_ROLE_OBJECT,
};

/* The position of a field in its kind: CYPHER_FIELD(match, where). */
#define CYPHER_FIELD(kind_, field_) \
  ((offsetof(struct cypher_##kind_, field_) - sizeof(struct ew_node)) / sizeof(union ew_field))

/* The role of the NAME or NAMES at `field` of a kind. */
enum ew_cypher_role ew_cypher_role(const struct ew_kind *kind, size_t field);

#endif
