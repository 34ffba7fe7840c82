/* generate.h: where scenes, queries and programs come from. One generator per language; oracles ask them for what they
   need.

   A scene is drawn once and prepared once; the world that comes of it (what the generator knows of the scene) serves
   many cases. */
#ifndef EW_GENERATE_GENERATE_H
#define EW_GENERATE_GENERATE_H

#include "base/random.h"
#include "contract/language.h"

/* Raised whenever the same key gives other bytes than before. Part of every case's key. */
enum { EW_GENERATOR_VERSION = 2 };

/* What an oracle wants of a base query. */
enum ew_purpose {
  EW_PURPOSE_ANY,       /* as deep and odd as the profile allows; may write, and leave its answer open */
  EW_PURPOSE_READ,      /* the same, but it only reads */
  EW_PURPOSE_PARTITION, /* its rows can be partitioned by a predicate; it only reads */
  EW_PURPOSE_EXACT,     /* its rows and what it leaves are determined, as often as can be; may write */
};

/* What a base looks like, where its purpose leaves the choice. */
enum ew_style {
  EW_STYLE_MIXED,     /* each of those below, in turn */
  EW_STYLE_PREDICATE, /* one pattern and one deep predicate */
  EW_STYLE_RICH,      /* one long statement of many clauses */
  EW_STYLE_SCRIPT,    /* several statements that change the state */
};

/* What the generator knows of the state that its own clauses leave. */
enum ew_tracking {
  EW_TRACK_EXACT,   /* all of it: each clause is run on the model as it is written */
  EW_TRACK_SUMMARY, /* which labels, types and keys there are; nothing is run */
};

enum ew_dial {
#define DIAL(name, standard, low, high, help) EW_DIAL_##name,
#include "generate/dial.def"
#undef DIAL
  EW_DIALS
};

/* What shapes generation beside the profile: all of it is part of every case's key. */
struct ew_generate_options {
  enum ew_style style;
  enum ew_tracking state;
  /* The ablations of the Dinkel paper: labels, types and keys are not used again; variables are not. */
  bool without_summary, without_context;
  unsigned dials[EW_DIALS];
};

extern const struct ew_generate_options ew_generate_options_standard;
uint64_t ew_generate_options_hash(const struct ew_generate_options *options);
/* Sets dials from "NAME=N,NAME=N". */
enum ew_status ew_generate_options_read_dials(struct ew_generate_options *options, struct ew_span text,
                                              struct ew_error *error) EW_CHECKED;

/* One case to be drawn. */
struct ew_draw {
  struct ew_builder *builder;
  struct ew_random *random; /* the case's stream */
  enum ew_purpose purpose;
  /* The case's number, and what the other cases of the hunt share: together they give rare constructs their turn. */
  uint64_t number, key;
};

struct ew_generator {
  const struct ew_language *language;
  struct ew_scene (*scene)(struct ew_arena *arena, const struct ew_profile *profile,
                           const struct ew_generate_options *options, struct ew_random *random);
  /* What is known of a scene. `world` is NULL, or a former one whose memory is used again. The profile, the options and
     the scene must outlive it. What is drawn from it may point into it and into the scene. */
  void *(*prepare)(void *world, const struct ew_profile *profile, const struct ew_generate_options *options,
                   const struct ew_scene *scene);
  void (*release)(void *world); /* NULL is allowed */
  /* The world is as before when they return. */
  const struct ew_node *(*base)(void *world, const struct ew_draw *draw);
  /* A predicate over the variables that are in scope at the last projection of `base`; NULL where the language has none. */
  const struct ew_node *(*predicate)(void *world, const struct ew_draw *draw, const struct ew_node *base);
};

/* Ends with NULL. */
extern const struct ew_generator *const ew_generators[];
const struct ew_generator *ew_generator_find(const struct ew_language *language);

/* Cases that share one scene: part of every key. */
enum { EW_CASES_PER_SCENE = 32 };

#endif
