/* command_format.c: `edgewise format [FILE]`: the tree of a statement, printed; where an engine is named, as it spells
   it, and only if it has all that is in it. */
#include "cli/commands.h"
#include "cli/engines.h"
#include "cli/output.h"
#include "cli/script.h"
#include "lang/cypher/dialect.h"
#include "lang/cypher/print.h"

enum { FLUSH_BYTES = 1 << 16 };

/* The engine's profile, or NULL where none is named. */
static enum ew_status choose_dialect(const char *name, struct ew_engine *engine, const struct ew_profile **profile,
                                     struct ew_error *error) {
  *profile = NULL;
  if (!name) return EW_OK;
  enum ew_status status = ew_engine_read(engine, name, error);
  if (!status && !ew_span_is(engine->profile.language, "cypher"))
    status = ew_fail(error, EW_USAGE, "%.60s speaks %.*s, not cypher", name, EW_SPAN_ARGS(engine->profile.language));
  *profile = &engine->profile;
  return status;
}

static enum ew_status expect_all_there(const struct ew_cypher_source *source, const struct ew_profile *profile,
                                       struct ew_error *error) {
  struct ew_text what = {0};
  enum ew_status status = EW_OK;
  if (profile && ew_cypher_lacks(source->statement, profile, &what))
    status = ew_fail(error, EW_BAD, "line %zu: %.*s does not have %.200s", source->line, EW_SPAN_ARGS(profile->name),
                     what.bytes);
  ew_text_release(&what);
  return status;
}

static enum ew_status print_script(const struct ew_script *script, const struct ew_profile *profile,
                                   struct ew_error *error) {
  const struct ew_cypher_script *all = &script->statements;
  struct ew_text text = {0};
  enum ew_status status = EW_OK;
  for (size_t i = 0; !status && i < all->count; i++) status = expect_all_there(&all->items[i], profile, error);
  for (size_t i = 0; !status && i < all->count; i++) {
    ew_cypher_print(&text, all->items[i].statement, profile);
    ew_text_add_string(&text, script->by_line || all->count == 1 ? "\n" : ";\n");
    if (text.length >= FLUSH_BYTES || i + 1 == all->count) status = ew_output(&text, error);
  }
  ew_text_release(&text);
  return status;
}

enum ew_exit ew_command_format(const struct ew_arguments *given) {
  struct ew_arena arena;
  struct ew_engine engine = {0};
  const struct ew_profile *profile;
  struct ew_script script;
  struct ew_error error;
  ew_arena_init(&arena);
  enum ew_status status = choose_dialect(ew_setting(given, EW_OPTION_engine)->text, &engine, &profile, &error);
  enum ew_exit code = status ? ew_give_up(status, &error) : EW_EXIT_NOTHING;
  if (!status) {
    status = ew_script_read(&arena, given->words[0], &script);
    code = ew_status_exit(status);
    if (!status && (status = print_script(&script, profile, &error))) code = ew_give_up(status, &error);
  }
  ew_engine_release(&engine);
  ew_arena_release(&arena);
  return code;
}
