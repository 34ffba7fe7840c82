/* config.h: options in a file: [hunt] with the names of option.def, and `engine` for the engine. A run's config.ini is
   one, so `edgewise hunt --config RUN/config.ini --out ELSEWHERE` is the same hunt again. */
#ifndef EW_CLI_CONFIG_H
#define EW_CLI_CONFIG_H

#include "base/arena.h"
#include "cli/options.h"

/* Sets what the command line has not given; what the texts point to is in `arena`. EW_BAD with file and line where the
   file says something that is not known. */
enum ew_status ew_config_read(struct ew_arena *arena, const char *path, struct ew_arguments *arguments,
                              struct ew_error *error) EW_CHECKED;

#endif
