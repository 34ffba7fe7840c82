/* generation.c: see the header. */
#include "cli/generation.h"

#include "base/hash.h"

/* Calls `each` for the words of "A,B". */
static enum ew_status for_each(const char *list,
                               enum ew_status (*each)(void *context, struct ew_span word, struct ew_error *error),
                               void *context, struct ew_error *error) {
  enum ew_status status = EW_OK;
  for (const char *at = list; at && *at && !status;) {
    size_t length = strcspn(at, ",");
    if (length) status = each(context, (struct ew_span){at, length}, error);
    at += length + (at[length] == ',');
  }
  return status;
}

/* "function:abs" and "abs" are the same. */
static struct ew_span without_prefix(struct ew_span word) {
  const char *colon = memchr(word.bytes, ':', word.length);
  if (!colon || colon + 1 == word.bytes + word.length) return word;
  size_t prefix = (size_t)(colon - word.bytes) + 1;
  return (struct ew_span){colon + 1, word.length - prefix};
}

static enum ew_status take_away(void *context, struct ew_span word, struct ew_error *error) {
  struct ew_profile *profile = context;
  if (ew_profile_take_away(profile, without_prefix(word))) return EW_OK;
  return ew_fail(error, EW_USAGE, "%.*s has no '%.*s' that could be left out", EW_SPAN_ARGS(profile->name),
                 EW_SPAN_ARGS(word));
}

static enum ew_status keep(void *context, struct ew_span word, struct ew_error *error) {
  struct ew_names *names = context;
  enum { KEPT_MAX = 100 };
  if (names->count == KEPT_MAX) return ew_fail(error, EW_USAGE, "--only takes at most %d names", KEPT_MAX);
  ((struct ew_span *)(uintptr_t)names->items)[names->count++] = without_prefix(word);
  return EW_OK;
}

static bool is_kept(const struct ew_names *names, struct ew_span name) {
  for (size_t i = 0; i < names->count; i++)
    if (ew_span_equal(names->items[i], name)) return true;
  return false;
}

/* Everything goes but what is named, and what no statement can be written without. */
static enum ew_status keep_only(struct ew_profile *profile, const char *list, struct ew_error *error) {
  static const char *const needed[] = {"match", "return", "node", "literal", "property"};
  struct ew_span items[100];
  struct ew_names names = {items, 0};
  enum ew_status status = for_each(list, keep, &names, error);
  if (status) return status;
  for (size_t i = 0; i < profile->construct_count; i++) {
    struct ew_construct construct = profile->constructs[i];
    bool needs = ew_span_is(construct.group, "types");
    for (size_t k = 0; k < EW_COUNT(needed); k++) needs |= ew_span_is(construct.name, needed[k]);
    if (!needs && !is_kept(&names, construct.name)) ew_profile_take_away(profile, construct.name);
  }
  for (size_t i = profile->function_count; i-- > 0;)
    if (!is_kept(&names, profile->functions[i].name)) {
      ew_profile_take_away(profile, profile->functions[i].name);
      if (i > profile->function_count) i = profile->function_count;
    }
  return EW_OK;
}

static bool is(const struct ew_setting *setting, const char *word) {
  return setting->text && strcmp(setting->text, word) == 0;
}

enum ew_status ew_generation_settle(const struct ew_arguments *given, struct ew_profile *profile,
                                    struct ew_generate_options *options, struct ew_error *error) {
  const struct ew_setting *style = ew_setting(given, EW_OPTION_style), *state = ew_setting(given, EW_OPTION_state);
  const struct ew_setting *forget = ew_setting(given, EW_OPTION_forget), *dials = ew_setting(given, EW_OPTION_dials);
  const struct ew_setting *only = ew_setting(given, EW_OPTION_only);
  const struct ew_setting *without = ew_setting(given, EW_OPTION_without);
  enum ew_status status = EW_OK;
  *options = ew_generate_options_standard;
  options->style = is(style, "predicate") ? EW_STYLE_PREDICATE
                   : is(style, "rich")    ? EW_STYLE_RICH
                   : is(style, "script")  ? EW_STYLE_SCRIPT
                                          : EW_STYLE_MIXED;
  if (state->given) options->state = is(state, "exact") ? EW_TRACK_EXACT : EW_TRACK_SUMMARY;
  options->without_summary = is(forget, "summary") || is(forget, "both");
  options->without_context = is(forget, "context") || is(forget, "both");
  if (dials->text) status = ew_generate_options_read_dials(options, ew_span_of(dials->text), error);
  if (!status && only->text) status = keep_only(profile, only->text, error);
  if (!status && without->text) status = for_each(without->text, take_away, profile, error);
  return status;
}
