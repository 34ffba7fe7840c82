/* cypher_seek.h: predicates that an index can answer. An index path is other code than a scan, and is asked only where a
   predicate of the right form stands on the right key of the right label: by chance that is rare. */
#ifndef EW_GENERATE_CYPHER_SEEK_H
#define EW_GENERATE_CYPHER_SEEK_H

#include "generate/cypher_writer.h"

/* A predicate on a node of the patterns whose label has an index in the scene: n.p > 1, n.p IN $list … NULL where no index
   fits, and in a share of cases all the same. */
const struct ew_node *ew_cypher_draw_seek(struct ew_cypher_writer *writer, struct ew_list patterns);

/* Whether the scene has an index on the key, for any label. */
bool ew_cypher_is_indexed(const struct ew_cypher_world *world, struct ew_span key);

#endif
