/* install.c: see the header. */
#include "cli/install.h"

#include <stdlib.h>

#include "base/file.h"
#include "base/vector.h"
#include "cli/process.h"
#include "engine/locate.h"

static enum ew_status find_script(const struct ew_engine *engine, struct ew_text *script, struct ew_error *error) {
  enum ew_status status = ew_engines_folder(script, error);
  ew_text_add_format(script, "/%.*s/install", EW_SPAN_ARGS(engine->profile.name));
  if (!status && !ew_file_exists(script->bytes))
    status = ew_fail(error, EW_USAGE, "%.*s has nothing to install", EW_SPAN_ARGS(engine->profile.name));
  return status;
}

enum ew_status ew_engine_install(const struct ew_engine *engine, bool silent, struct ew_error *error) {
  struct ew_text script = {0}, home = {0}, wanted = {0};
  struct ew_span name = engine->profile.name;
  int code = 0;
  enum ew_status status = find_script(engine, &script, error);
  if (!status) status = ew_locate_folder(name, &home, error);
  ew_text_add(&wanted, engine->target.version);
  ew_text_add_format(&home, "/%s", wanted.bytes);
  if (!status) {
    const char *arguments[] = {script.bytes, wanted.bytes, home.bytes, NULL};
    status = ew_process_run(arguments, silent ? EW_PROCESS_SILENT : EW_PROCESS_SHOWN, &code, error);
  }
  if (!status && code)
    status = ew_fail(error, EW_MISSING, "%.*s@%s could not be installed: its install script ended with %d",
                     EW_SPAN_ARGS(name), wanted.bytes, code);
  ew_text_release(&script);
  ew_text_release(&home);
  ew_text_release(&wanted);
  return status;
}

static int oldest_first(const void *a, const void *b) {
  return ew_version_compare(*(const struct ew_span *)a, *(const struct ew_span *)b);
}

enum ew_status ew_engine_published(const struct ew_engine *engine, struct ew_arena *arena, struct ew_names *versions,
                                   struct ew_error *error) {
  enum { LIST_LIMIT = 1 << 16 };
  EW_VECTOR(struct ew_span) found = {0};
  struct ew_text script = {0}, list = {0};
  int code = 0;
  enum ew_status status = find_script(engine, &script, error);
  if (!status) {
    const char *arguments[] = {script.bytes, "versions", NULL};
    status = ew_process_read(arguments, LIST_LIMIT, &list, &code, error);
  }
  if (!status && (code || !list.length))
    status =
        ew_fail(error, EW_MISSING, "the published versions of %.*s cannot be listed: its install script ended with %d",
                EW_SPAN_ARGS(engine->profile.name), code);
  struct ew_span rest = ew_arena_copy(arena, ew_text_span(&list));
  while (!status && rest.length) {
    const char *end = memchr(rest.bytes, '\n', rest.length);
    size_t length = end ? (size_t)(end - rest.bytes) : rest.length, skip = end ? length + 1 : length;
    if (length) *ew_arena_vector_push(arena, &found) = (struct ew_span){rest.bytes, length};
    rest = (struct ew_span){rest.bytes + skip, rest.length - skip};
  }
  if (found.count) qsort(found.items, found.count, sizeof *found.items, oldest_first);
  *versions = (struct ew_names){found.items, found.count};
  ew_text_release(&script);
  ew_text_release(&list);
  return status;
}

enum ew_status ew_engine_open_or_install(struct ew_engine *engine, const char *name, bool silent,
                                         struct ew_error *error) {
  enum ew_status status = ew_engine_open(engine, name, error);
  if (status != EW_MISSING) return status;
  status = ew_engine_install(engine, silent, error);
  if (status) return status;
  ew_engine_release(engine);
  return ew_engine_open(engine, name, error);
}
