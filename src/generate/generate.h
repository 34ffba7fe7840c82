/* generate.h: where scenes, queries and programs come from. One generator per language; oracles ask them for what they need. */
#ifndef EW_GENERATE_GENERATE_H
#define EW_GENERATE_GENERATE_H

#include "base/random.h"
#include "contract/language.h"

/* Raised whenever the same key gives other bytes than before. Part of every case's key. */
enum { EW_GENERATOR_VERSION = 1 };

/* What an oracle wants of a base query. */
enum ew_purpose {
  EW_PURPOSE_ANY,       /* as deep and odd as the profile allows */
  EW_PURPOSE_PARTITION, /* its rows can be partitioned by a predicate */
};

struct ew_generator {
  const struct ew_language *language;
  struct ew_scene (*scene)(struct ew_arena *arena, const struct ew_profile *profile, struct ew_random *random);
  const struct ew_node *(*base)(struct ew_builder *builder, const struct ew_profile *profile,
                                const struct ew_scene *scene, enum ew_purpose purpose, struct ew_random *random);
  /* A predicate over the variables that are in scope at the last projection of `base`; NULL where the language has none. */
  const struct ew_node *(*predicate)(struct ew_builder *builder, const struct ew_profile *profile,
                                     const struct ew_scene *scene, const struct ew_node *base,
                                     struct ew_random *random);
};

/* Ends with NULL. */
extern const struct ew_generator *const ew_generators[];
const struct ew_generator *ew_generator_find(const struct ew_language *language);

/* Cases that share one scene: part of every key. */
enum { EW_CASES_PER_SCENE = 32 };

#endif
