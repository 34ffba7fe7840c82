/* command_engines.c: `edgewise engines [list | versions NAME | install NAME[@VERSION]]`. */
#include "cli/commands.h"
#include "cli/install.h"
#include "cli/managed.h"
#include "cli/output.h"

/* ---- list ---- */

static void add_engine(struct ew_text *text, const struct ew_engine *engine, struct ew_arena *arena) {
  const struct ew_profile *profile = &engine->profile;
  struct ew_names versions = ew_engine_versions(engine, arena);
  ew_text_add_padded(text, profile->name, 14);
  ew_text_add_padded(text, profile->language, 10);
  ew_text_add_padded(text, profile->default_version.length ? profile->default_version : EW_SPAN("-"), 10);
  for (size_t i = 0; i < versions.count; i++) {
    struct ew_span address = ew_managed_address(profile->name, versions.items[i], arena);
    ew_text_add_format(text, "%s%.*s%s%.*s", i ? ", " : "", EW_SPAN_ARGS(versions.items[i]),
                       address.length ? " runs at " : "", EW_SPAN_ARGS(address));
  }
  if (!profile->adapter.length) {
    ew_text_add_string(text, "(no engine: only to write statements for)");
  } else if (ew_span_is(profile->purpose, "test")) {
    ew_text_add_string(text, "(part of edgewise, for tests)");
  } else if (ew_span_is(profile->default_version, "system")) {
    ew_text_add_string(text, versions.count ? ", or what the system has" : "what the system has");
  } else if (!profile->library.length && ew_span_is(profile->adapter, "bolt")) {
    ew_text_add_format(text, "(yours: hunt bolt://HOST --profile %.*s)", EW_SPAN_ARGS(profile->name));
  } else if (!profile->library.length) {
    ew_text_add_string(text, "(part of edgewise)");
  } else if (!versions.count) {
    ew_text_add_string(text, "none");
  }
  ew_text_add_char(text, '\n');
}

static enum ew_exit list(void) {
  struct ew_arena arena;
  struct ew_text text = {0};
  struct ew_names names;
  struct ew_error error;
  ew_arena_init(&arena);
  enum ew_status status = ew_engines_names(&arena, &names, &error);
  ew_text_add_string(&text, "engine        language  default   installed\n");
  for (size_t i = 0; !status && i < names.count; i++) {
    struct ew_engine engine;
    struct ew_error wrong;
    if (ew_engine_read(&engine, ew_arena_string(&arena, names.items[i]), &wrong) == EW_OK) {
      add_engine(&text, &engine, &arena);
    } else {
      ew_message("%s", wrong.text);
    }
    ew_engine_release(&engine);
  }
  ew_text_add_string(&text, "\nTo get one: edgewise engines install NAME[@VERSION]\n");
  ew_arena_release(&arena);
  if (status) ew_text_release(&text);
  return status ? ew_give_up(status, &error) : ew_output_last(&text, EW_EXIT_NOTHING);
}

/* ---- install ---- */

static enum ew_exit install(const char *name) {
  struct ew_engine engine, found;
  struct ew_text text = {0};
  struct ew_error error;
  enum ew_status status = ew_engine_open(&engine, name, &error);
  /* What the system has is known to the script alone. */
  bool there = status == EW_OK && !ew_span_is(engine.target.version, "system");
  if (status == EW_MISSING || (!status && !there)) {
    status = ew_engine_install(&engine, false, &error);
    if (!status) {
      status = ew_engine_open(&found, name, &error);
      ew_engine_release(&found);
    }
  }
  if (!status)
    ew_text_add_format(&text, "%.*s %.*s is %s\n", EW_SPAN_ARGS(engine.profile.name),
                       EW_SPAN_ARGS(engine.target.version), there ? "installed already" : "installed");
  ew_engine_release(&engine);
  return status ? ew_give_up(status, &error) : ew_output_last(&text, EW_EXIT_NOTHING);
}

/* ---- versions ---- */

static enum ew_exit versions(const char *name) {
  struct ew_engine engine;
  struct ew_arena arena;
  struct ew_names published = {0};
  struct ew_text text = {0};
  struct ew_error error;
  ew_arena_init(&arena);
  enum ew_status status = ew_engine_read(&engine, name, &error);
  if (!status) status = ew_engine_published(&engine, &arena, &published, &error);
  for (size_t i = 0; i < published.count; i++) ew_text_add_format(&text, "%.*s\n", EW_SPAN_ARGS(published.items[i]));
  ew_engine_release(&engine);
  ew_arena_release(&arena);
  if (status) ew_text_release(&text);
  return status ? ew_give_up(status, &error) : ew_output_last(&text, EW_EXIT_NOTHING);
}

/* ---- start, stop ---- */

static enum ew_exit manage(const char *name, bool start) {
  struct ew_engine engine;
  struct ew_error error;
  struct ew_text text = {0};
  enum ew_status status = ew_engine_open(&engine, name, &error);
  if (!status) status = start ? ew_managed_start(&engine, &text, &error) : ew_managed_stop(&engine, &text, &error);
  ew_engine_release(&engine);
  if (status) ew_text_release(&text);
  return status ? ew_give_up(status, &error) : ew_output_last(&text, EW_EXIT_NOTHING);
}

enum ew_exit ew_command_engines(const struct ew_arguments *given) {
  struct ew_error error;
  const char *verb = given->word_count ? given->words[0] : "list";
  if (strcmp(verb, "list") == 0 && given->word_count < 2) return list();
  if (strcmp(verb, "install") == 0 && given->word_count == 2) return install(given->words[1]);
  if (strcmp(verb, "versions") == 0 && given->word_count == 2) return versions(given->words[1]);
  if (strcmp(verb, "start") == 0 && given->word_count == 2) return manage(given->words[1], true);
  if (strcmp(verb, "stop") == 0 && given->word_count == 2) return manage(given->words[1], false);
  static const char *const verbs[] = {"list", "versions", "install", "start", "stop"};
  const char *nearest = ew_nearest(ew_span_of(verb), verbs, EW_COUNT(verbs));
  return ew_give_up(
      ew_fail(
          &error, EW_USAGE,
          "engines wants `list`, `versions NAME`, or `install`, `start` or `stop` and NAME[@VERSION]%s%s%s: edgewise "
          "engines --help",
          nearest ? "; did you mean " : "", nearest ? nearest : "", nearest ? "? See" : "; see"),
      &error);
}
