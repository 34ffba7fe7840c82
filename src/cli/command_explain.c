/* command_explain.c: `edgewise explain NAME`: an oracle, a relation or an engine's profile, for people. */
#include "cli/commands.h"
#include "cli/engines.h"
#include "cli/output.h"
#include "lang/languages.h"
#include "oracle/oracles.h"

static void explain_oracle(struct ew_text *text, const struct ew_oracle *oracle) {
  ew_text_add_format(text, "oracle %s: %s\n\n%s\n\nlanguages:", oracle->name, oracle->summary, oracle->explanation);
  for (size_t i = 0; ew_languages[i]; i++)
    if (oracle->speaks(ew_languages[i])) ew_text_add_format(text, " %s", ew_languages[i]->name);
  ew_text_add_format(text, "\nsource: %s\n", oracle->source);
}

static bool explain_relation(struct ew_text *text, const char *name) {
  for (int i = 0; i < EW_RELATIONS; i++) {
    enum ew_relation relation = (enum ew_relation)i;
    if (strcmp(name, ew_relation_name(relation)) != 0) continue;
    ew_text_add_format(
        text,
        "relation %s: %s\n\nAn oracle ends a test by claiming a relation between the outcomes of its runs. Only "
        "`violated` is ever reported.\n",
        name, ew_relation_words(relation));
    if (relation != EW_RELATION_clean)
      ew_text_add_string(text, "A run that ends in an error, a timeout or too many rows gives no verdict.\n");
    return true;
  }
  return false;
}

/* ---- profiles ---- */

static void add_line(struct ew_text *text, const char *label, struct ew_span value) {
  if (!value.length) return;
  ew_text_add_string(text, "  ");
  ew_text_add_padded(text, ew_span_of(label), 14);
  ew_text_add(text, value);
  ew_text_add_char(text, '\n');
}

/* Words one after the other, in lines of at most 110 columns. */
static void add_wrapped(struct ew_text *text, size_t *column, struct ew_span word, bool first) {
  if (!first && *column + word.length + 2 > 110) {
    ew_text_add_string(text, ",\n                ");
    *column = 16;
  } else if (!first) {
    ew_text_add_string(text, ", ");
    *column += 2;
  }
  ew_text_add(text, word);
  *column += word.length;
}

static void add_constructs(struct ew_text *text, const struct ew_profile *profile) {
  for (size_t g = 0; ew_profile_groups[g]; g++) {
    size_t column = 16, count = 0;
    for (size_t i = 0; i < profile->construct_count; i++) {
      const struct ew_construct *construct = &profile->constructs[i];
      if (!ew_span_is(construct->group, ew_profile_groups[g])) continue;
      if (!count) {
        ew_text_add_string(text, "  ");
        ew_text_add_padded(text, construct->group, 14);
      }
      add_wrapped(text, &column, construct->name, count++ == 0);
    }
    if (count) ew_text_add_char(text, '\n');
  }
}

/* (STRING, INTEGER) -> STRING */
static void add_signature(struct ew_text *text, const struct ew_signature *signature) {
  ew_text_add_char(text, '(');
  for (size_t i = 0; i < signature->argument_count; i++)
    ew_text_add_format(text, "%s%.*s", i ? ", " : "", EW_SPAN_ARGS(signature->arguments[i]));
  ew_text_add_format(text, "%s) -> %.*s", signature->more ? " ..." : "", EW_SPAN_ARGS(signature->result));
}

/* One line a function. */
static void add_functions(struct ew_text *text, const struct ew_profile *profile) {
  if (profile->function_count) ew_text_add_string(text, "\nFunctions:\n");
  for (size_t i = 0; i < profile->function_count; i++) {
    struct ew_span name = profile->functions[i].name;
    bool goes_on = i && ew_span_equal(name, profile->functions[i - 1].name);
    if (goes_on) {
      ew_text_add_string(text, " | ");
    } else {
      ew_text_add_string(text, i ? "\n  " : "  ");
      ew_text_add_padded(text, name, 26);
    }
    add_signature(text, &profile->functions[i]);
  }
  if (profile->function_count) ew_text_add_char(text, '\n');
}

static void add_spellings(struct ew_text *text, const struct ew_profile *profile) {
  if (profile->spelling_count) ew_text_add_string(text, "\nSpelled as:\n");
  for (size_t i = 0; i < profile->spelling_count; i++)
    ew_text_add_format(text, "  %-26.*s %.*s\n", EW_SPAN_ARGS(profile->spellings[i].name),
                       EW_SPAN_ARGS(profile->spellings[i].setting));
}

static void add_templates(struct ew_text *text, const struct ew_profile *profile) {
  if (profile->template_count) ew_text_add_string(text, "\nOnly here ($x:TYPE is a hole):\n");
  for (size_t i = 0; i < profile->template_count; i++)
    ew_text_add_format(text, "  %-26.*s %.*s: %.*s\n", EW_SPAN_ARGS(profile->templates[i].name),
                       EW_SPAN_ARGS(profile->templates[i].result), EW_SPAN_ARGS(profile->templates[i].text));
}

static void add_knobs(struct ew_text *text, const struct ew_profile *profile) {
  for (size_t i = 0; i < ew_knob_count; i++) {
    int32_t setting;
    memcpy(&setting, (const char *)&profile->semantics + ew_knobs[i].offset, sizeof setting);
    if (setting == ew_knobs[i].standard) continue;
    ew_text_add_format(text, "  %s = %d (%s)\n", ew_knobs[i].name, setting, ew_knobs[i].meaning);
  }
}

static void add_errors(struct ew_text *text, const struct ew_profile *profile) {
  static const char *const classes[] = {[EW_ERROR_UNEXPECTED] = "unexpected",
                                        [EW_ERROR_REFUSED] = "refused",
                                        [EW_ERROR_EXPECTED] = "expected",
                                        [EW_ERROR_TRANSIENT] = "transient"};
  if (profile->error_count) ew_text_add_string(text, "\nErrors that are no fault of the engine (* is any text):\n");
  for (size_t i = 0; i < profile->error_count; i++) {
    const struct ew_error_pattern *pattern = &profile->errors[i];
    ew_text_add_format(text, "  %-10s %-24.*s %.*s\n", classes[pattern->class], EW_SPAN_ARGS(pattern->reason),
                       EW_SPAN_ARGS(pattern->pattern));
  }
}

static void explain_profile(struct ew_text *text, const struct ew_engine *engine) {
  const struct ew_profile *profile = &engine->profile;
  ew_text_add_format(text, "engine %.*s\n\n", EW_SPAN_ARGS(profile->name));
  add_line(text, "language", profile->language);
  add_line(text, "adapter", profile->adapter);
  add_line(text, "package", profile->package);
  add_line(text, "version", profile->default_version);
  add_line(text, "purpose", profile->purpose);
  add_line(text, "profile", profile->path);
  ew_text_add_string(text, "\nWhat is written for it:\n");
  add_constructs(text, profile);
  add_functions(text, profile);
  add_spellings(text, profile);
  add_templates(text, profile);
  ew_text_add_string(text, "\nWhere it differs from the standard on purpose:\n");
  size_t before = text->length;
  add_knobs(text, profile);
  if (text->length == before) ew_text_add_string(text, "  nowhere\n");
  add_errors(text, profile);
  if (profile->known_count) ew_text_add_string(text, "\nKnown bugs:\n");
  for (size_t i = 0; i < profile->known_count; i++)
    ew_text_add_format(text, "  %-26.*s %.*s\n", EW_SPAN_ARGS(profile->known[i].name),
                       EW_SPAN_ARGS(profile->known[i].address));
}

enum ew_exit ew_command_explain(const struct ew_arguments *given) {
  struct ew_text text = {0};
  struct ew_engine engine = {0};
  struct ew_error error;
  const char *name = given->words[0];
  const struct ew_oracle *oracle = ew_oracle_find(ew_span_of(name));
  enum ew_status status = EW_OK;
  if (oracle) {
    explain_oracle(&text, oracle);
  } else if (!explain_relation(&text, name)) {
    status = ew_engine_read(&engine, name, &error);
    if (!status) explain_profile(&text, &engine);
    ew_engine_release(&engine);
  }
  if (status == EW_USAGE)
    ew_fail(&error, status, "'%.60s' is no oracle, no relation and no engine; see: edgewise oracles, edgewise engines",
            name);
  if (status) ew_text_release(&text);
  return status ? ew_give_up(status, &error) : ew_output_last(&text, EW_EXIT_NOTHING);
}
