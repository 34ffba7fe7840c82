/* engines.h: from what a user calls an engine, "NAME[@VERSION]", to its profile and its library. */
#ifndef EW_CLI_ENGINES_H
#define EW_CLI_ENGINES_H

#include "hunt/hunt.h"

/* Do not move it: the target points to the profile. */
struct ew_engine {
  struct ew_profile profile;
  struct ew_target target;
  struct ew_arena arena;
};

/* Reads the profile; the version is the profile's default where none is named, and nothing is looked for on disk but
   the profile. EW_USAGE with the list of engines where there is none of that name. Release it also after an error. */
enum ew_status ew_engine_read(struct ew_engine *engine, const char *name, struct ew_error *error) EW_CHECKED;
/* The same for an engine that is to be run: EW_MISSING and how to install it where it is not there. */
enum ew_status ew_engine_open(struct ew_engine *engine, const char *name, struct ew_error *error) EW_CHECKED;
/* Puts the model in its place: the model then speaks the engine's dialect under its semantics, and has its own errors. */
enum ew_status ew_engine_put_model(struct ew_engine *engine, struct ew_error *error) EW_CHECKED;
void ew_engine_release(struct ew_engine *engine);

/* The folder of profiles: $EDGEWISE_ENGINES, else beside the program as it was built or installed. */
enum ew_status ew_engines_folder(struct ew_text *path, struct ew_error *error) EW_CHECKED;
/* Names of all engines there are profiles of, sorted. */
enum ew_status ew_engines_names(struct ew_arena *arena, struct ew_names *names, struct ew_error *error) EW_CHECKED;

/* Versions of an engine that are installed, newest first. */
struct ew_names ew_engine_versions(const struct ew_engine *engine, struct ew_arena *arena);

/* Those oracles of a list "A,B" that were asked for, all that speak the language where `list` is NULL; ends with NULL.
   EW_USAGE where one is not known or does not speak it. */
enum ew_status ew_engine_oracles(const struct ew_engine *engine, const char *list, struct ew_arena *arena,
                                 const struct ew_oracle *const **oracles, struct ew_error *error) EW_CHECKED;

#endif
