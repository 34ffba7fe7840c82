/* locate.h: where installed engines are: XDG cache folder/edgewise/engines/NAME/VERSION/LIBRARY, versions side by
   side. */
#ifndef EW_ENGINE_LOCATE_H
#define EW_ENGINE_LOCATE_H

#include "base/arena.h"
#include "base/text.h"

/* Appends the path of the file `library` of engine `name` in `version`, as the profile names them. Nothing is
   appended where `library` is empty (the engine needs none), nor for the version "system", which leaves the search
   to the dynamic linker. EW_MISSING says how to install it. */
enum ew_status ew_locate_library(struct ew_span name, struct ew_span version, struct ew_span library,
                                 struct ew_text *path, struct ew_error *error) EW_CHECKED;

/* The folder that the versions of engine `name` are in. */
enum ew_status ew_locate_folder(struct ew_span name, struct ew_text *path, struct ew_error *error) EW_CHECKED;

/* The installed versions of engine `name`, newest first; none where there is no folder. */
struct ew_names ew_locate_versions(struct ew_span name, struct ew_span library, struct ew_arena *arena);

/* Versions by their numbers: "0.9.4" before "0.12.0". Negative, 0, positive. */
int ew_version_compare(struct ew_span a, struct ew_span b);

#endif
