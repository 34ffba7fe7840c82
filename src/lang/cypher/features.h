/* features.h: walking a tree construct by construct, as features.def lists them. */
#ifndef EW_LANG_CYPHER_FEATURES_H
#define EW_LANG_CYPHER_FEATURES_H

#include "lang/cypher/node.h"

enum ew_cypher_feature_sort { EW_FEATURE_KIND, EW_FEATURE_PRESENT, EW_FEATURE_CHOSEN, EW_FEATURE_FAMILY };

struct ew_cypher_feature {
  unsigned kind;
  size_t field;
  enum ew_cypher_feature_sort sort;
  uint32_t choice;
  const char *group; /* of a profile's [has], or "basic" */
  const char *name;  /* of a family: the prefix that its members are counted with */
};

/* In the order of node.def; behind it the rows for relationship types. */
extern const struct ew_cypher_feature ew_cypher_feature_rows[], ew_cypher_type_feature_rows[];
extern const size_t ew_cypher_feature_count, ew_cypher_type_feature_count;

/* `member` is what the field of a family holds, else empty. Returns whether to go on. */
typedef bool (*ew_cypher_feature_visitor)(void *context, const struct ew_cypher_feature *feature, struct ew_span member,
                                          const struct ew_node *node);

/* Each occurrence of each construct, parents before children. Returns whether nobody stopped it. */
bool ew_cypher_walk_features(const struct ew_node *tree, ew_cypher_feature_visitor visit, void *context);

#endif
