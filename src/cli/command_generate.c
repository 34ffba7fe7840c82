/* command_generate.c: `edgewise generate LANGUAGE`: the base statements of the cases that a hunt would play. */
#include "cli/commands.h"
#include "cli/engines.h"
#include "cli/generation.h"
#include "cli/output.h"
#include "hunt/case_source.h"
#include "lang/languages.h"

enum { FLUSH_BYTES = 1 << 16, FRUITLESS_MAX = 100000 };

/* Whose dialect is written where no engine is named, if there is a profile of it. */
static const struct {
  const char *language, *profile;
} standards[] = {
    {"cypher", "opencypher"},
    {"datalog", "souffle"},
};

static bool reads_as(struct ew_engine *engine, const char *name, const char *language) {
  struct ew_error error;
  if (ew_engine_read(engine, name, &error) == EW_OK && ew_span_is(engine->profile.language, language)) return true;
  ew_engine_release(engine);
  return false;
}

/* The standard's profile, else the first engine of that language that people use. */
static enum ew_status default_engine(struct ew_arena *arena, const char *language, struct ew_engine *engine,
                                     struct ew_error *error) {
  struct ew_names names;
  enum ew_status status = ew_engines_names(arena, &names, error);
  if (status) return status;
  for (size_t i = 0; i < EW_COUNT(standards); i++)
    if (strcmp(standards[i].language, language) == 0 && reads_as(engine, standards[i].profile, language)) return EW_OK;
  for (size_t i = 0; i < names.count; i++) {
    if (!reads_as(engine, ew_arena_string(arena, names.items[i]), language)) continue;
    if (!ew_span_is(engine->profile.purpose, "test")) return EW_OK;
    ew_engine_release(engine);
  }
  *engine = (struct ew_engine){0};
  return ew_fail(error, EW_MISSING, "there is no profile of an engine that speaks %s", language);
}

static enum ew_status choose_engine(struct ew_arena *arena, const struct ew_arguments *given, struct ew_engine *engine,
                                    struct ew_error *error) {
  const char *language = given->words[0], *name = ew_setting(given, EW_OPTION_engine)->text;
  if (!ew_language_find(ew_span_of(language))) {
    struct ew_text known = {0};
    for (size_t i = 0; ew_languages[i]; i++) ew_text_add_format(&known, "%s%s", i ? ", " : "", ew_languages[i]->name);
    enum ew_status status = ew_fail(error, EW_USAGE, "there is no language '%.60s'; there are: %s", language,
                                    known.bytes ? known.bytes : "");
    ew_text_release(&known);
    return status;
  }
  if (!name) return default_engine(arena, language, engine, error);
  enum ew_status status = ew_engine_read(engine, name, error);
  if (!status && !ew_span_is(engine->profile.language, language))
    status = ew_fail(error, EW_USAGE, "%s speaks %.*s, not %s", name, EW_SPAN_ARGS(engine->profile.language), language);
  return status;
}

/* A style is a matter of statements that are free to be anything. */
static const char *oracles_wanted(const struct ew_arguments *given) {
  bool style = ew_setting(given, EW_OPTION_style)->given;
  const char *oracles = ew_setting(given, EW_OPTION_oracle)->text;
  return style && !oracles ? "survive" : oracles;
}

/* Ends of lines are blanks to every language we print; those in strings are escaped. */
static void add_line(struct ew_text *text, struct ew_span statement) {
  while (statement.length && statement.bytes[statement.length - 1] == '\n') statement.length--;
  for (size_t i = 0; i < statement.length; i++)
    ew_text_add_char(text, statement.bytes[i] == '\n' ? ' ' : statement.bytes[i]);
  ew_text_add_char(text, '\n');
}

/* What the generators write must be in the dialect: otherwise it is a mistake of theirs. */
static void expect_in_dialect(const struct ew_case *test, const struct ew_profile *profile) {
  struct ew_text what = {0};
  if (test->language->lacks && test->language->lacks(test->base, profile, &what))
    EW_BUG("%.*s has not %s", EW_SPAN_ARGS(profile->name), what.bytes);
  ew_text_release(&what);
}

static enum ew_status print_cases(struct ew_case_source *source, uint64_t count, struct ew_error *error) {
  struct ew_text text = {0};
  struct ew_arena arena;
  enum ew_status status = EW_OK;
  ew_arena_init(&arena);
  uint64_t fruitless = 0;
  for (uint64_t number = 0; !status && count; number++) {
    struct ew_case test;
    const struct ew_oracle *oracle;
    ew_arena_reset(&arena);
    if (!ew_case_source_case(source, number, &arena, &test, &oracle)) {
      if (++fruitless < FRUITLESS_MAX) continue;
      status = ew_fail(error, EW_LIMIT, "nothing more can be generated for this profile");
      break;
    }
    fruitless = 0;
    expect_in_dialect(&test, source->profile);
    struct ew_program program = test.language->ask(&arena, &test.scene, test.base, source->profile);
    for (size_t i = 0; i < program.count && count; i++, count--) add_line(&text, program.statements[i].text);
    if (text.length >= FLUSH_BYTES) status = ew_output(&text, error);
  }
  if (!status) status = ew_output(&text, error);
  ew_arena_release(&arena);
  ew_text_release(&text);
  return status;
}

enum ew_exit ew_command_generate(const struct ew_arguments *given) {
  struct ew_arena arena;
  struct ew_engine engine = {0};
  struct ew_case_source source;
  const struct ew_oracle *const *oracles;
  struct ew_generate_options options;
  struct ew_error error;
  const struct ew_setting *seed = ew_setting(given, EW_OPTION_seed);
  ew_arena_init(&arena);
  enum ew_status status = choose_engine(&arena, given, &engine, &error);
  if (!status) status = ew_generation_settle(given, &engine.profile, &options, &error);
  if (!status) status = ew_engine_oracles(&engine, oracles_wanted(given), &arena, &oracles, &error);
  if (!status) {
    status = ew_case_source_init(&source, &engine.profile, oracles, &options, seed->given ? seed->number : 1, &error);
    if (!status) status = print_cases(&source, ew_setting(given, EW_OPTION_count)->number, &error);
    ew_case_source_release(&source);
  }
  ew_engine_release(&engine);
  ew_arena_release(&arena);
  return status ? ew_give_up(status, &error) : EW_EXIT_NOTHING;
}
