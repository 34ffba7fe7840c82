/* case_source.c: from (generator version, seed, number, shape) to a case. */
#include "hunt/case_source.h"

#include "base/hash.h"

static bool has_oracle(const struct ew_case_source *source, const struct ew_language *language) {
  for (size_t i = 0; source->oracles[i]; i++)
    if (source->oracles[i]->speaks(language)) return true;
  return false;
}

enum ew_status ew_case_source_init(struct ew_case_source *source, const struct ew_profile *profile,
                                   const struct ew_oracle *const *oracles, const struct ew_generate_options *options,
                                   uint64_t seed, struct ew_error *error) {
  *source = (struct ew_case_source){.profile = profile,
                                    .oracles = oracles,
                                    .options = options ? *options : ew_generate_options_standard,
                                    .seed = seed};
  ew_arena_init(&source->arena);
  for (size_t i = 0; ew_generators[i]; i++)
    if (ew_span_is(profile->language, ew_generators[i]->language->name)) source->generator = ew_generators[i];
  if (!source->generator)
    return ew_fail(error, EW_USAGE, "nothing generates the language '%.*s' of %.*s", EW_SPAN_ARGS(profile->language),
                   EW_SPAN_ARGS(profile->name));
  if (!has_oracle(source, source->generator->language))
    return ew_fail(error, EW_USAGE, "none of the chosen oracles speaks %s; see: edgewise oracles",
                   source->generator->language->name);
  source->shape = ew_hash_mix(profile->hash, EW_CASES_PER_SCENE);
  source->shape = ew_hash_mix(source->shape, ew_generate_options_hash(&source->options));
  for (; oracles[source->oracle_count]; source->oracle_count++) {
    const char *name = oracles[source->oracle_count]->name;
    source->shape = ew_hash_bytes(name, strlen(name), source->shape);
  }
  return EW_OK;
}

void ew_case_source_release(struct ew_case_source *source) {
  if (source->generator) source->generator->release(source->world);
  ew_arena_release(&source->arena);
}

static struct ew_case_key key_of(const struct ew_case_source *source, uint64_t number) {
  return (struct ew_case_key){EW_GENERATOR_VERSION, source->seed, number, source->shape};
}

const struct ew_scene *ew_case_source_scene(struct ew_case_source *source, uint64_t number) {
  if (source->has_scene && source->scene_number == number) return &source->scene;
  struct ew_case_key key = key_of(source, number);
  struct ew_random root = ew_random_from(ew_case_key_hash(&key));
  struct ew_random random = ew_random_split(&root, "scene", 0);
  ew_arena_reset(&source->arena);
  source->scene = source->generator->scene(&source->arena, source->profile, &source->options, &random);
  source->scene_number = number;
  source->has_scene = true;
  source->has_world = false;
  return &source->scene;
}

static void *world_of(struct ew_case_source *source) {
  if (!source->has_world)
    source->world = source->generator->prepare(source->world, source->profile, &source->options, &source->scene);
  source->has_world = true;
  return source->world;
}

/* Oracles take turns; one that does not speak the language passes its turn on to the next. */
static const struct ew_oracle *oracle_of(const struct ew_case_source *source, uint64_t number) {
  for (size_t i = 0;; i++) {
    const struct ew_oracle *oracle = source->oracles[(number + i) % source->oracle_count];
    if (oracle->speaks(source->generator->language)) return oracle;
  }
}

bool ew_case_source_case(struct ew_case_source *source, uint64_t number, struct ew_arena *arena, struct ew_case *test,
                         const struct ew_oracle **oracle) {
  *test = (struct ew_case){
      .key = key_of(source, number),
      .language = source->generator->language,
      .scene = *ew_case_source_scene(source, number / EW_CASES_PER_SCENE),
  };
  *oracle = oracle_of(source, number);
  struct ew_random root = ew_random_from(ew_case_key_hash(&test->key));
  struct ew_compose compose = {
      .generator = source->generator,
      .world = world_of(source),
      .profile = source->profile,
      .random = ew_random_split(&root, "case", 0),
      .key = ew_hash_mix(source->seed, source->shape),
      .arena = arena,
  };
  return (*oracle)->compose(&compose, test);
}
