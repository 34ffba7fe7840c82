/* options.c: parsing and --help, both from the tables. */
#include "cli/options.h"

#include <errno.h>
#include <stdlib.h>

#include "base/deadline.h"
#include "cli/version.h"

enum option_type { FLAG, TEXT, NUMBER, DURATION, CHOICE };

struct command_entry {
  const char *name, *arguments;
  size_t fewest, most;
  const char *summary, *details;
};

static const struct command_entry commands[] = {
#define COMMAND(name, arguments, fewest, most, summary, details) \
  [EW_COMMAND_##name] = {#name, arguments, fewest, most, summary, details},
#include "cli/command.def"
#undef COMMAND
};

struct option_entry {
  const char *name, *argument;
  enum option_type type;
  unsigned commands;
  const char *standard, *help;
};

#define IN(name) (1u << EW_COMMAND_##name)
#define IN_ALL (~0u)
static const struct option_entry options[] = {
#define OPTION(name, argument, type, commands, standard, help) \
  [EW_OPTION_##name] = {#name, argument, type, commands, standard, help},
#include "cli/option.def"
#undef OPTION
};

/* ---- names ---- */

struct ew_option_name ew_option_name(enum ew_option_id option) {
  struct ew_option_name name;
  snprintf(name.text, sizeof name.text, "%s", options[option].name);
  for (char *c = name.text; *c; c++)
    if (*c == '_') *c = '-';
  return name;
}

bool ew_option_belongs(enum ew_option_id option, enum ew_command_id command) {
  return options[option].commands & (1u << command);
}

enum { NAME_MAX_LENGTH = 63 };

/* How many characters must be changed, added or removed. */
static size_t distance(struct ew_span a, struct ew_span b) {
  size_t row[NAME_MAX_LENGTH + 1];
  for (size_t j = 0; j <= b.length; j++) row[j] = j;
  for (size_t i = 1; i <= a.length; i++) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.length; j++) {
      size_t change = diagonal + (a.bytes[i - 1] != b.bytes[j - 1]);
      size_t least = row[j] < row[j - 1] ? row[j] + 1 : row[j - 1] + 1;
      diagonal = row[j];
      row[j] = change < least ? change : least;
    }
  }
  return row[b.length];
}

const char *ew_nearest(struct ew_span wrong, const char *const *names, size_t count) {
  size_t best = 3;
  const char *nearest = NULL;
  for (size_t i = 0; i < count && wrong.length <= NAME_MAX_LENGTH; i++) {
    struct ew_span name = ew_span_of(names[i]);
    if (name.length > NAME_MAX_LENGTH) continue;
    size_t found = distance(wrong, name);
    if (wrong.length >= 3 && ew_span_starts(name, wrong)) found = 1;
    if (found >= best || found >= name.length) continue;
    best = found;
    nearest = names[i];
  }
  return nearest;
}

/* ---- setting an option ---- */

static enum ew_status set_number(struct ew_setting *setting, const char *name, const char *text,
                                 struct ew_error *error) {
  char *end;
  errno = 0;
  setting->number = strtoull(text, &end, 10);
  if (text[0] < '0' || text[0] > '9' || *end || errno)
    return ew_fail(error, EW_USAGE, "--%s wants a whole number, not '%.60s'", name, text);
  return EW_OK;
}

/* Whether `word` is one of "a|b|c". */
static bool is_choice(const char *choices, struct ew_span word) {
  for (const char *at = choices; *at;) {
    size_t length = strcspn(at, "|");
    if (ew_span_equal((struct ew_span){at, length}, word)) return true;
    at += length + (at[length] == '|');
  }
  return false;
}

static enum ew_status set_option(struct ew_setting *setting, enum ew_option_id option, const char *text,
                                 struct ew_error *error) {
  struct ew_option_name name = ew_option_name(option);
  setting->text = text;
  switch (options[option].type) {
    case NUMBER: return set_number(setting, name.text, text, error);
    case DURATION:
      if (ew_duration_parse(text, &setting->duration) && setting->duration > 0) return EW_OK;
      return ew_fail(error, EW_USAGE, "--%s wants a duration such as 90, 60s, 5m or 1h, not '%.60s'", name.text, text);
    case CHOICE:
      if (is_choice(options[option].argument, ew_span_of(text))) return EW_OK;
      return ew_fail(error, EW_USAGE, "--%s is one of %s, not '%.60s'", name.text, options[option].argument, text);
    case TEXT:
      if (text[0]) return EW_OK;
      return ew_fail(error, EW_USAGE, "--%s wants %s behind it", name.text, options[option].argument);
    case FLAG: return EW_OK;
  }
  EW_BUG("option type %d", (int)options[option].type);
}

static bool find_option(struct ew_span name, enum ew_command_id command, enum ew_option_id *found) {
  for (int i = 0; i < EW_OPTIONS; i++) {
    enum ew_option_id option = (enum ew_option_id)i;
    struct ew_option_name known = ew_option_name(option);
    if (!ew_option_belongs(option, command)) continue;
    if (!ew_span_is(name, known.text) && !ew_span_is(name, options[i].name)) continue;
    *found = option;
    return true;
  }
  return false;
}

static enum ew_status unknown_option(enum ew_command_id command, struct ew_span name, struct ew_error *error) {
  struct ew_option_name texts[EW_OPTIONS];
  const char *names[EW_OPTIONS];
  size_t count = 0;
  for (int i = 0; i < EW_OPTIONS; i++) {
    if (!ew_option_belongs((enum ew_option_id)i, command)) continue;
    texts[count] = ew_option_name((enum ew_option_id)i);
    names[count] = texts[count].text;
    count++;
  }
  const char *nearest = ew_nearest(name, names, count);
  return ew_fail(error, EW_USAGE, "%s has no option --%.*s%s%s%s: edgewise %s --help", commands[command].name,
                 (int)(name.length < 60 ? name.length : 60), name.bytes, nearest ? "; did you mean --" : "",
                 nearest ? nearest : "", nearest ? "? See" : "; see", commands[command].name);
}

enum ew_status ew_arguments_set(struct ew_arguments *arguments, struct ew_span name, const char *text,
                                struct ew_error *error) {
  enum ew_option_id option;
  if (!find_option(name, arguments->command, &option)) return unknown_option(arguments->command, name, error);
  arguments->options[option].given = true;
  return set_option(&arguments->options[option], option, text, error);
}

/* ---- help ---- */

/* Words behind column `indent`, in lines of at most 80. */
static void add_wrapped(struct ew_text *text, size_t column, size_t indent, const char *words) {
  enum { WIDTH = 80 };
  for (const char *at = words; *at;) {
    size_t length = strcspn(at, " ");
    if (column > indent && column + 1 + length > WIDTH) {
      ew_text_add_char(text, '\n');
      column = 0;
    }
    if (column > indent) ew_text_add_char(text, ' '), column++;
    for (; column < indent; column++) ew_text_add_char(text, ' ');
    ew_text_add_bytes(text, at, length);
    column += length;
    at += length + strspn(at + length, " ");
  }
}

static void add_options(struct ew_text *text, enum ew_command_id command) {
  enum { INDENT = 28 };
  for (int i = 0; i < EW_OPTIONS; i++) {
    const struct option_entry *option = &options[i];
    if (!(option->commands & (1u << command))) continue;
    char head[64], help[256];
    int length = snprintf(head, sizeof head, "  --%s%s%s", ew_option_name((enum ew_option_id)i).text,
                          option->argument ? " " : "", option->argument ? option->argument : "");
    snprintf(help, sizeof help, "%s%s%s%s", option->help, option->standard ? " (default: " : "",
             option->standard ? option->standard : "", option->standard ? ")" : "");
    ew_text_add_string(text, head);
    if (length >= INDENT) ew_text_add_char(text, '\n');
    add_wrapped(text, length >= INDENT ? 0 : (size_t)length, INDENT, help);
    ew_text_add_char(text, '\n');
  }
}

static void add_command_help(struct ew_text *text, enum ew_command_id id) {
  const struct command_entry *command = &commands[id];
  ew_text_add_format(text, "usage: edgewise %s%s%s [OPTION…]\n\nedgewise %s: %s\n", command->name,
                     command->arguments[0] ? " " : "", command->arguments, command->name, command->summary);
  if (command->details[0]) ew_text_add_format(text, "\n%s", command->details);
  ew_text_add_string(text, "\noptions:\n");
  add_options(text, id);
}

static void add_program_help(struct ew_text *text) {
  ew_text_add_string(text,
                     "edgewise finds bugs in graph databases and Datalog engines: wrong answers,\n"
                     "crashes, hangs, errors that nothing explains.\n"
                     "\n"
                     "usage: edgewise COMMAND [ARGUMENT…] [OPTION…]\n"
                     "\n"
                     "commands:\n");
  for (size_t i = 0; i < EW_COMMANDS; i++)
    ew_text_add_format(text, "  %-10s %s\n", commands[i].name, commands[i].summary);
  ew_text_add_string(text,
                     "\n"
                     "To begin with:\n"
                     "  edgewise engines install graphqlite     get an engine\n"
                     "  edgewise hunt --time 60s                look for bugs in it\n"
                     "  edgewise show ID                        look at one\n"
                     "\n"
                     "`edgewise COMMAND --help` says more.\n"
                     "\n"
                     "exit codes:\n"
                     "  0  nothing found         64  wrong usage\n"
                     "  1  findings              65  input that cannot be read\n"
                     "  2  inconclusive: the     70  a bug of edgewise itself\n"
                     "     engine is missing,    74  a file, folder or standard output\n"
                     "     or nothing ran            cannot be written\n");
}

/* ---- the command line ---- */

static bool find_command(const char *name, enum ew_command_id *command) {
  for (size_t i = 0; i < EW_COMMANDS; i++) {
    if (strcmp(name, commands[i].name) != 0) continue;
    *command = (enum ew_command_id)i;
    return true;
  }
  return false;
}

static enum ew_status unknown_command(const char *name, struct ew_error *error) {
  const char *names[EW_COMMANDS];
  for (size_t i = 0; i < EW_COMMANDS; i++) names[i] = commands[i].name;
  const char *nearest = ew_nearest(ew_span_of(name), names, EW_COMMANDS);
  return ew_fail(error, EW_USAGE, "there is no command '%.60s'%s%s%s: edgewise --help", name,
                 nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'? See" : "; see");
}

/* Reads the option at strings[*at]; `*at` moves to its last word. */
static enum ew_status parse_option(struct ew_arguments *arguments, int count, char *const *strings, int *at,
                                   struct ew_error *error) {
  const char *name = strings[*at] + 2, *equals = strchr(name, '=');
  struct ew_span span = {name, equals ? (size_t)(equals - name) : strlen(name)};
  enum ew_option_id option;
  if (!find_option(span, arguments->command, &option)) return unknown_option(arguments->command, span, error);
  const char *text = equals ? equals + 1 : "";
  if (options[option].type == FLAG && equals)
    return ew_fail(error, EW_USAGE, "--%s takes no argument", ew_option_name(option).text);
  if (options[option].type != FLAG && !equals) {
    if (*at + 1 >= count)
      return ew_fail(error, EW_USAGE, "--%s wants %s behind it", ew_option_name(option).text, options[option].argument);
    text = strings[++*at];
  }
  return ew_arguments_set(arguments, span, text, error);
}

static enum ew_status parse_words(struct ew_arguments *arguments, int count, char *const *strings,
                                  struct ew_error *error) {
  bool only_words = false;
  for (int i = 2; i < count; i++) {
    const char *string = strings[i];
    if (!only_words && strcmp(string, "--") == 0) {
      only_words = true;
    } else if (!only_words && strcmp(string, "-h") == 0) {
      arguments->options[EW_OPTION_help].given = true;
    } else if (!only_words && string[0] == '-' && string[1] == '-') {
      enum ew_status status = parse_option(arguments, count, strings, &i, error);
      if (status) return status;
    } else if (!only_words && string[0] == '-' && string[1]) {
      return ew_fail(error, EW_USAGE, "options have two dashes and a name, not '%.60s'; see: edgewise %s --help",
                     string, commands[arguments->command].name);
    } else if (arguments->word_count >= commands[arguments->command].most) {
      return ew_fail(error, EW_USAGE, "'%.60s' is one argument too many; usage: edgewise %s %s", string,
                     commands[arguments->command].name, commands[arguments->command].arguments);
    } else {
      arguments->words[arguments->word_count++] = string;
    }
  }
  return EW_OK;
}

static enum ew_status set_defaults(struct ew_arguments *arguments, struct ew_error *error) {
  *arguments = (struct ew_arguments){0};
  for (int i = 0; i < EW_OPTIONS; i++) {
    if (!options[i].standard) continue;
    enum ew_status status = set_option(&arguments->options[i], (enum ew_option_id)i, options[i].standard, error);
    if (status) return status;
  }
  return EW_OK;
}

static bool is_any(const char *string, const char *const *words) {
  for (; *words; words++)
    if (strcmp(string, *words) == 0) return true;
  return false;
}

static void add_version(struct ew_text *text) { ew_text_add_string(text, "edgewise " EW_VERSION "\n"); }

/* What needs no command: --help, help COMMAND, --version. */
static bool answer_alone(struct ew_arguments *arguments, int count, char *const *strings, struct ew_text *text) {
  static const char *const help[] = {"help", "--help", "-h", NULL}, *const version[] = {"version", "--version", "-V",
                                                                                        NULL};
  if (is_any(strings[1], version)) {
    add_version(text);
  } else if (!is_any(strings[1], help)) {
    return false;
  } else if (count > 2 && find_command(strings[2], &arguments->command)) {
    add_command_help(text, arguments->command);
  } else {
    add_program_help(text);
  }
  return true;
}

enum ew_status ew_arguments_parse(struct ew_arguments *arguments, int count, char *const *strings,
                                  enum ew_parsed *parsed, struct ew_text *text, struct ew_error *error) {
  enum ew_status status = set_defaults(arguments, error);
  EW_ASSERT(status == EW_OK);
  *parsed = EW_PARSED_HELP;
  if (count < 2) return ew_fail(error, EW_USAGE, "a command is wanted; see: edgewise --help");
  if (answer_alone(arguments, count, strings, text)) return EW_OK;
  if (!find_command(strings[1], &arguments->command)) return unknown_command(strings[1], error);
  status = parse_words(arguments, count, strings, error);
  if (status) return status;
  if (arguments->options[EW_OPTION_help].given) {
    add_command_help(text, arguments->command);
    return EW_OK;
  }
  if (arguments->options[EW_OPTION_version].given) {
    add_version(text);
    return EW_OK;
  }
  const struct command_entry *command = &commands[arguments->command];
  *parsed = EW_PARSED_RUN;
  if (arguments->word_count >= command->fewest) return EW_OK;
  return ew_fail(error, EW_USAGE, "%s wants %s; see: edgewise %s --help", command->name, command->arguments,
                 command->name);
}
