/* remote.c: which profile an address has, its password, and whether it may be written to. */
#include "cli/remote.h"

#include <stdlib.h>

#include "base/file.h"
#include "engine/url.h"
#include "hunt/stage.h"

bool ew_remote_is_url(const char *name) { return strstr(name, "://") != NULL; }

/* The one profile whose servers have addresses of this kind; "rediss" is "redis" with TLS. */
static enum ew_status find_profile(struct ew_arena *arena, struct ew_span scheme, const char **name,
                                   struct ew_error *error) {
  struct ew_names names;
  size_t found = 0;
  enum ew_status status = ew_engines_names(arena, &names, error);
  for (size_t i = 0; !status && i < names.count; i++) {
    struct ew_engine engine;
    const char *candidate = ew_arena_string(arena, names.items[i]);
    if (ew_engine_read(&engine, candidate, NULL) == EW_OK) {
      struct ew_span own = ew_profile_setting(&engine.profile, "server.scheme", EW_SPAN(""));
      if (own.length && ew_span_starts(scheme, own)) {
        *name = candidate;
        found++;
      }
    }
    ew_engine_release(&engine);
  }
  if (status || found == 1) return status;
  return ew_fail(error, EW_USAGE, "which engine is behind %.*s://? Say it with --profile NAME", EW_SPAN_ARGS(scheme));
}

static enum ew_status read_password(struct ew_engine *engine, const char *path, struct ew_error *error) {
  enum { PASSWORD_MAX = 4096 };
  const char *given = getenv("EDGEWISE_PASSWORD");
  struct ew_text text = {0};
  enum ew_status status = EW_OK;
  if (path) {
    status = ew_file_read(path, PASSWORD_MAX, &text, error);
    while (text.length && strchr("\r\n", text.bytes[text.length - 1])) ew_text_cut(&text, text.length - 1);
  } else if (given) {
    ew_text_add_string(&text, given);
  }
  if (!status) engine->target.password = ew_arena_copy(&engine->arena, ew_text_span(&text));
  ew_text_release(&text);
  return status;
}

/* Connects once, which also looks whether it may be written to. */
static enum ew_status probe(struct ew_engine *engine, struct ew_error *error) {
  enum { PROBE_SECONDS = 5 };
  struct ew_stage stage;
  enum ew_status status = ew_stage_init(&stage, &engine->target, PROBE_SECONDS * EW_SECOND, error);
  if (!status) status = ew_instance_start(&stage.instance, error);
  if (!status) engine->target.version = ew_arena_copy(&engine->arena, ew_instance_version(&stage.instance));
  ew_stage_release(&stage);
  return status;
}

enum ew_status ew_remote_open(struct ew_engine *engine, const char *url, const struct ew_arguments *given,
                              struct ew_error *error) {
  struct ew_arena arena;
  struct ew_url parts;
  const char *name = ew_setting(given, EW_OPTION_profile)->text;
  *engine = (struct ew_engine){0};
  ew_arena_init(&engine->arena);
  ew_arena_init(&arena);
  enum ew_status status = ew_url_read(ew_span_of(url), &arena, &parts, error);
  if (!status && !name) status = find_profile(&arena, parts.scheme, &name, error);
  if (!status) status = ew_engine_read(engine, name, error);
  if (!status) {
    engine->target.url = ew_arena_copy(&engine->arena, ew_span_of(url));
    engine->target.wipe = ew_setting(given, EW_OPTION_wipe)->given;
    status = read_password(engine, ew_setting(given, EW_OPTION_password_file)->text, error);
  }
  if (!status) status = probe(engine, error);
  /* What is there from now on is ours. */
  engine->target.wipe = true;
  ew_arena_release(&arena);
  return status;
}
