/* config.c: an ini file into the settings of the command line. */
#include "cli/config.h"

#include <ini.h>
#include <stdio.h>

#include "base/file.h"

struct reader {
  struct ew_arena *arena;
  struct ew_arguments *arguments;
  struct ew_error error;
  bool named[EW_OPTIONS]; /* given on the command line */
};

static int handle(void *context, const char *section, const char *name, const char *value) {
  struct reader *reader = context;
  struct ew_arguments *arguments = reader->arguments;
  const char *kept = ew_arena_string(reader->arena, ew_span_of(value));
  if (strcmp(section, "hunt") != 0) {
    ew_fail(&reader->error, EW_BAD, "no section is called [%s]; options stand under [hunt]", section);
    return 0;
  }
  if (strcmp(name, "engine") == 0) {
    if (!arguments->word_count) arguments->words[arguments->word_count++] = kept;
    return 1;
  }
  for (int i = 0; i < EW_OPTIONS; i++)
    if (reader->named[i] && ew_span_is(ew_span_of(name), ew_option_name((enum ew_option_id)i).text)) return 1;
  return ew_arguments_set(arguments, ew_span_of(name), kept, &reader->error) == EW_OK;
}

enum ew_status ew_config_read(struct ew_arena *arena, const char *path, struct ew_arguments *arguments,
                              struct ew_error *error) {
  enum { FILE_LIMIT = 1 << 16 };
  struct ew_text text = {0};
  struct reader reader = {.arena = arena, .arguments = arguments};
  for (int i = 0; i < EW_OPTIONS; i++) reader.named[i] = arguments->options[i].given;
  enum ew_status status = ew_file_read(path, FILE_LIMIT, &text, error);
  if (status == EW_MISSING) status = EW_BAD;
  if (!status) {
    int line = ini_parse_string(text.bytes, handle, &reader);
    if (line)
      status = ew_fail(error, EW_BAD, "%s:%d: %.400s", path, line,
                       reader.error.text[0] ? reader.error.text : "not 'name = value'");
  }
  ew_text_release(&text);
  return status;
}
