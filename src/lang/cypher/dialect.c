/* dialect.c: trees against profiles, and profiles against the language. */
#include "lang/cypher/dialect.h"

#include "lang/cypher/features.h"
#include "lang/cypher/template.h"

/* ---- names ---- */

static bool equal_in_any_case(struct ew_span a, struct ew_span b) {
  return a.length == b.length && strncasecmp(a.bytes, b.bytes, a.length) == 0;
}

/* Whether a type's name is `name`, in which `_` stands for a blank. */
static bool is_type_name(struct ew_span text, const char *name) {
  size_t length = strlen(name);
  if (text.length != length) return false;
  for (size_t i = 0; i < length; i++)
    if (text.bytes[i] != name[i] && !(text.bytes[i] == ' ' && name[i] == '_')) return false;
  return true;
}

/* What a profile calls the type; NULL for one that Cypher does not have. */
static const char *profile_type(struct ew_span text) {
  static const struct {
    const char *name, *spelling;
  } names[] = {
#define TYPE(name) {#name, #name},
#define SYNONYM(name, other) {#name, #other},
#include "lang/cypher/types.def"
#undef TYPE
#undef SYNONYM
  };
  for (size_t i = 0; i < EW_COUNT(names); i++)
    if (is_type_name(text, names[i].spelling)) return names[i].name;
  return NULL;
}

/* ---- what a profile lacks ---- */

struct search {
  const struct ew_profile *profile;
  struct ew_text *what;
};

/* False, with words for it: "the clause foreach". */
static bool is_missing(const struct search *search, const char *group, struct ew_span name) {
  static const struct {
    const char *group, *word;
  } words[] = {
      {"clauses", "clause"}, {"patterns", "pattern"}, {"expressions", "expression"}, {"operators", "operator"},
      {"types", "type"},     {"schema", "command"},   {"procedures", "procedure"},   {"functions", "function"},
  };
  for (size_t i = 0; search->what && i < EW_COUNT(words); i++)
    if (strcmp(group, words[i].group) == 0)
      ew_text_add_format(search->what, "the %s %.*s", words[i].word, EW_SPAN_ARGS(name));
  return false;
}

static bool has_name(const struct search *search, const char *group, struct ew_span name) {
  for (size_t i = 0; i < search->profile->construct_count; i++) {
    const struct ew_construct *construct = &search->profile->constructs[i];
    if (ew_span_is(construct->group, group) && equal_in_any_case(construct->name, name)) return true;
  }
  return is_missing(search, group, name);
}

static bool has_function(const struct search *search, const struct cypher_function *call) {
  const struct ew_profile *profile = search->profile;
  size_t count = call->arguments.list.count;
  bool known = false;
  for (size_t i = 0; i < profile->function_count; i++) {
    const struct ew_signature *signature = &profile->functions[i];
    if (!equal_in_any_case(signature->name, call->name.name)) continue;
    known = true;
    if (signature->argument_count == count || (signature->more && signature->argument_count < count)) return true;
  }
  if (!known) return has_name(search, "functions", call->name.name);
  is_missing(search, "functions", call->name.name);
  if (search->what) ew_text_add_format(search->what, " with %zu argument%s", count, count == 1 ? "" : "s");
  return false;
}

static bool has_type(const struct search *search, struct ew_span type) {
  const char *name = profile_type(type);
  if (name && (strcmp(name, "NULL") == 0 || ew_profile_has(search->profile, "types", name))) return true;
  return is_missing(search, "types", type);
}

static bool has_feature(void *context, const struct ew_cypher_feature *feature, struct ew_span member,
                        const struct ew_node *node) {
  const struct search *search = context;
  if (strcmp(feature->group, "basic") == 0) return true;
  if (feature->sort == EW_FEATURE_FAMILY) {
    if (cypher_is(node, CYPHER_function)) return has_function(search, CYPHER_AS(function, node));
    if (strcmp(feature->group, "types") == 0) return has_type(search, member);
    return has_name(search, feature->group, member);
  }
  if (ew_profile_has(search->profile, feature->group, feature->name)) return true;
  return is_missing(search, feature->group, ew_span_of(feature->name));
}

bool ew_cypher_lacks(const struct ew_node *tree, const struct ew_profile *profile, struct ew_text *what) {
  return !ew_cypher_walk_features(tree, has_feature, &(struct search){profile, what});
}

/* ---- what a profile may say ---- */

static bool is_operator(struct ew_span name) {
  for (size_t i = 0; cypher_operator_text[i]; i++)
    if (ew_span_is(name, cypher_operator_text[i])) return true;
  for (size_t i = 0; cypher_unary_operator_text[i]; i++)
    if (ew_span_is(name, cypher_unary_operator_text[i])) return true;
  return false;
}

static bool is_feature(const struct ew_cypher_feature *rows, size_t count, const struct ew_construct *construct) {
  for (size_t i = 0; i < count; i++)
    if (rows[i].sort != EW_FEATURE_FAMILY && ew_span_is(construct->group, rows[i].group) &&
        ew_span_is(construct->name, rows[i].name))
      return true;
  return false;
}

static bool is_construct(const struct ew_construct *construct) {
  if (ew_span_is(construct->group, "procedures") || ew_span_is(construct->group, "functions")) return true;
  if (ew_span_is(construct->group, "operators")) return is_operator(construct->name);
  if (ew_span_is(construct->group, "types") && profile_type(construct->name)) return true;
  return is_feature(ew_cypher_feature_rows, ew_cypher_feature_count, construct) ||
         is_feature(ew_cypher_type_feature_rows, ew_cypher_type_feature_count, construct);
}

static enum ew_status refuse(struct ew_error *error, struct ew_line at, const char *what, struct ew_span name,
                             const char *where) {
  return ew_fail(error, EW_BAD, "%.*s:%zu: %s '%.*s'%s", EW_SPAN_ARGS(at.path), at.number, what,
                 (int)(name.length < 60 ? name.length : 60), name.bytes, where);
}

static enum ew_status check_signature(const struct ew_signature *signature, struct ew_error *error) {
  for (size_t i = 0; i < signature->argument_count; i++)
    if (!profile_type(signature->arguments[i]))
      return refuse(error, signature->at, "Cypher has no type", signature->arguments[i], "");
  if (!profile_type(signature->result))
    return refuse(error, signature->at, "Cypher has no type", signature->result, "");
  return EW_OK;
}

static const struct spelling {
  const char *name;
  const char *const *texts; /* NULL behind the last */
} spellings[] = {
#define SPELLING(name, choices) {#name, cypher_##choices##_text},
#include "lang/cypher/spelling.def"
#undef SPELLING
};

static enum ew_status check_spelling(const struct ew_spelling *spelling, struct ew_error *error) {
  for (size_t i = 0; i < EW_COUNT(spellings); i++) {
    if (!ew_span_is(spelling->name, spellings[i].name)) continue;
    for (size_t k = 0; spellings[i].texts[k]; k++)
      if (ew_span_is(spelling->setting, spellings[i].texts[k])) return EW_OK;
    return refuse(error, spelling->at, "it cannot be spelled", spelling->setting, "; see src/lang/cypher/node.def");
  }
  return refuse(error, spelling->at, "there is no spelling of", spelling->name, "; see src/lang/cypher/spelling.def");
}

static enum ew_status check_templates(const struct ew_profile *profile, struct ew_error *error) {
  struct ew_arena arena;
  enum ew_status status = EW_OK;
  ew_arena_init(&arena);
  struct ew_builder builder = {&arena, 1};
  for (size_t i = 0; !status && i < profile->template_count; i++) {
    const struct ew_node *tree;
    status = ew_cypher_template_parse(&builder, &profile->templates[i], &tree, error);
  }
  ew_arena_release(&arena);
  return status;
}

enum ew_status ew_cypher_check_profile(const struct ew_profile *profile, struct ew_error *error) {
  enum ew_status status = EW_OK;
  for (size_t i = 0; i < profile->construct_count; i++)
    if (!is_construct(&profile->constructs[i]))
      return refuse(error, profile->constructs[i].at, "Cypher has nothing called", profile->constructs[i].name,
                    " in that group; see docs/cypher.md");
  for (size_t i = 0; !status && i < profile->function_count; i++)
    status = check_signature(&profile->functions[i], error);
  for (size_t i = 0; !status && i < profile->spelling_count; i++)
    status = check_spelling(&profile->spellings[i], error);
  return status ? status : check_templates(profile, error);
}

/* ---- spelling ---- */

uint32_t ew_cypher_spelled(const struct ew_profile *profile, const char *name, const char *const *texts,
                           uint32_t otherwise) {
  struct ew_span setting = profile ? ew_profile_spelling(profile, name) : EW_SPAN("");
  for (uint32_t i = 0; setting.length && texts[i]; i++)
    if (ew_span_is(setting, texts[i])) return i;
  return otherwise;
}
