/* options.h: the command line, read by the tables command.def and option.def. */
#ifndef EW_CLI_OPTIONS_H
#define EW_CLI_OPTIONS_H

#include <stdint.h>

#include "base/status.h"
#include "base/text.h"

enum ew_command_id {
#define COMMAND(name, arguments, fewest, most, summary, details) EW_COMMAND_##name,
#include "cli/command.def"
#undef COMMAND
  EW_COMMANDS
};

enum ew_option_id {
#define OPTION(name, argument, type, commands, standard, help) EW_OPTION_##name,
#include "cli/option.def"
#undef OPTION
  EW_OPTIONS
};

/* An option as it was given, or its default. */
struct ew_setting {
  bool given;       /* by the user; else it is the default, if there is one */
  const char *text; /* NULL where there is neither */
  uint64_t number;  /* of NUMBER */
  int64_t duration; /* of DURATION, in nanoseconds */
};

enum { EW_WORDS_MAX = 4 };

struct ew_arguments {
  enum ew_command_id command;
  const char *words[EW_WORDS_MAX + 1]; /* what stands there without an option; NULL behind the last */
  size_t word_count;
  struct ew_setting options[EW_OPTIONS];
};

enum ew_parsed {
  EW_PARSED_RUN,  /* run the command */
  EW_PARSED_HELP, /* help or version was asked for, and is in `text` */
};

/* Reads a command line; EW_USAGE with what is wrong and what comes nearest. */
enum ew_status ew_arguments_parse(struct ew_arguments *arguments, int count, char *const *strings,
                                  enum ew_parsed *parsed, struct ew_text *text, struct ew_error *error) EW_CHECKED;

/* Sets an option from text, as --name=text does. `name` may have `_` or `-`. */
enum ew_status ew_arguments_set(struct ew_arguments *arguments, struct ew_span name, const char *text,
                                struct ew_error *error) EW_CHECKED;

/* "reduce-time" */
struct ew_option_name {
  char text[32];
};
struct ew_option_name ew_option_name(enum ew_option_id option);
bool ew_option_belongs(enum ew_option_id option, enum ew_command_id command);
static inline const struct ew_setting *ew_setting(const struct ew_arguments *arguments, enum ew_option_id option) {
  return &arguments->options[option];
}

/* The name among `count` names that is nearest to `wrong`, or NULL where none is near. */
const char *ew_nearest(struct ew_span wrong, const char *const *names, size_t count);

#endif
