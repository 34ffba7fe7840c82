/* case_source.h: case n of a hunt, made from its key alone: the same for any number of workers, whatever an engine answered. */
#ifndef EW_HUNT_CASE_SOURCE_H
#define EW_HUNT_CASE_SOURCE_H

#include "contract/oracle.h"
#include "generate/generate.h"

struct ew_case_source {
  const struct ew_generator *generator;
  const struct ew_profile *profile;
  const struct ew_oracle *const *oracles; /* those that speak the language; ends with NULL */
  size_t oracle_count;
  struct ew_generate_options options;
  uint64_t seed, shape;
  struct ew_arena arena; /* the scene that was made last */
  uint64_t scene_number;
  bool has_scene;
  struct ew_scene scene;
  void *world; /* what the generator knows of a scene; of this one where `has_world` */
  bool has_world;
};

/* EW_USAGE where the profile's language has no generator or no oracle of the list speaks it. `oracles` and `profile` must
   outlive the source, which must stay where it is; options NULL are the standard. */
enum ew_status ew_case_source_init(struct ew_case_source *source, const struct ew_profile *profile,
                                   const struct ew_oracle *const *oracles, const struct ew_generate_options *options,
                                   uint64_t seed, struct ew_error *error) EW_CHECKED;
void ew_case_source_release(struct ew_case_source *source);

/* Scene `number`; lives until another is asked for. */
const struct ew_scene *ew_case_source_scene(struct ew_case_source *source, uint64_t number);

/* Case `number` and its oracle, in `arena` but for its scene. False where the oracle had nothing this time. */
bool ew_case_source_case(struct ew_case_source *source, uint64_t number, struct ew_arena *arena, struct ew_case *test,
                         const struct ew_oracle **oracle);

#endif
