/* commands.h: the functions behind command.def. */
#ifndef EW_CLI_COMMANDS_H
#define EW_CLI_COMMANDS_H

#include "cli/options.h"

#define COMMAND(name, arguments, fewest, most, summary, details) \
  enum ew_exit ew_command_##name(const struct ew_arguments *given);
#include "cli/command.def"
#undef COMMAND

#endif
