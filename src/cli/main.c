/* main.c: reads the command line and runs the command. */
#include "cli/commands.h"
#include "cli/output.h"
#include "engine/spawner.h"
#include "hunt/stage.h"

static enum ew_exit (*const functions[])(const struct ew_arguments *given) = {
#define COMMAND(name, arguments, fewest, most, summary, details) [EW_COMMAND_##name] = ew_command_##name,
#include "cli/command.def"
#undef COMMAND
};

int main(int count, char **strings) {
  if (count > 1 && strcmp(strings[1], EW_SPAWNER_WORD) == 0) ew_spawner_main(count, strings, ew_stage_adapter);
  ew_spawner_by_exec();
  struct ew_arguments arguments;
  struct ew_text text = {0};
  struct ew_error error;
  enum ew_parsed parsed;
  enum ew_status status = ew_arguments_parse(&arguments, count, strings, &parsed, &text, &error);
  if (status) return (int)ew_give_up(status, &error);
  if (parsed == EW_PARSED_HELP) return (int)ew_output_last(&text, EW_EXIT_NOTHING);
  return (int)functions[arguments.command](&arguments);
}
