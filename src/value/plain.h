/* plain.h: nodes, relationships and paths by what they are made of. Ids are an engine's own affair, so that elements of two engines
   are compared in this form: labels in the order of the alphabet, type, properties. */
#ifndef EW_VALUE_PLAIN_H
#define EW_VALUE_PLAIN_H

#include "value/rows.h"

/* A value without ids: an element becomes a map, a path a list of its nodes and relationships. */
struct ew_value ew_value_plain(struct ew_arena *arena, struct ew_value value);
struct ew_rows ew_rows_plain(struct ew_arena *arena, const struct ew_rows *rows);

#endif
