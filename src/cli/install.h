/* install.h: an engine's install script, engines/NAME/install: which versions are published, and getting one. */
#ifndef EW_CLI_INSTALL_H
#define EW_CLI_INSTALL_H

#include "cli/engines.h"

/* Runs `install VERSION FOLDER` for the version of the engine's target; what it says goes to standard error, or nowhere
   where `silent`. EW_USAGE where there is nothing to install, EW_MISSING where it cannot be had. */
enum ew_status ew_engine_install(const struct ew_engine *engine, bool silent, struct ew_error *error) EW_CHECKED;

/* All published versions, oldest first, as `install versions` lists them. */
enum ew_status ew_engine_published(const struct ew_engine *engine, struct ew_arena *arena, struct ew_names *versions,
                                   struct ew_error *error) EW_CHECKED;

/* Reads NAME@VERSION and installs it where it is not there yet. */
enum ew_status ew_engine_open_or_install(struct ew_engine *engine, const char *name, bool silent,
                                         struct ew_error *error) EW_CHECKED;

#endif
