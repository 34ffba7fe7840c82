/* symbols.c: the table behind symbols.h. */
#include "lang/cypher/symbols.h"

#define NODE(kind, class, fields) +1
#define CLASS(name)
#define CHOICES(list, options)
enum {
  KINDS = 0
#include "lang/cypher/node.def"
};
#undef NODE
#undef CLASS
#undef CHOICES

static const unsigned char roles[KINDS][EW_FIELDS_MAX] = {
#define SYMBOL(kind, field, role) [CYPHER_##kind][CYPHER_FIELD(kind, field)] = EW_ROLE_##role,
#include "lang/cypher/symbols.def"
#undef SYMBOL
};

enum ew_cypher_role ew_cypher_role(const struct ew_kind *kind, size_t field) { return roles[kind->code][field]; }
