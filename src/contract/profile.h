/* profile.h: what an engine is and has, read from engines/NAME/profile.ini.

   Sections:
       [engine]     extends, name, language, adapter, default_version, library, package, shell, oracles, purpose
       [has]        GROUP = names; what is not listed is never generated. Groups: clauses, patterns, expressions,
                    operators, types, schema, procedures, functions (those that only templates call). Which names
                    there are is for the language to say: it checks them
       [lacks]      the same groups: what the profile that this one extends has, and this one has not
       [functions]  NAME = (TYPE, TYPE) -> TYPE; several signatures are separated by |. `TYPE ...` at the end of the
                    arguments: one or more of them
       [semantics]  knobs of value/semantics.def
       [spelling]   what is written otherwise than in the standard; the names are the language's
       [templates]  NAME = RESULT: text with holes such as $x:INTEGER, for what only this engine has. RESULT is a type,
                    or CLAUSE
       [errors]     refused.REASON, expected.REASON, transient.REASON = pattern; `*` stands for any text.
                    raised.REASON = pattern of errors of the reference engine, such as `TypeError: *`, that this engine
                    promises to raise too; `*` is for one that raises just these
       [settings]   passed to the adapter as they are
       [server]     how a server of ours is started; the keys are in engine/server.h, and
                      scheme = of URLs that lead to such an engine
                      fresh = restart (the default) or reset: what gives an engine as good as new
                      scenes = after so many the server is started anew; 64 where it is not given
                      databases = one, where a server has no several to keep workers apart
       [known]      known bugs: NAME = address of the issue
   Lists are separated by commas and may go on in indented lines. A line has at most 190 bytes.
   A wrong line is an error with file, line and reason.

   Versions: where engines/NAME/profile-4.4.ini is there, it is read for the versions 4.4 and 4.4.x. Its first key is
   `extends = profile.ini`, a file in the same folder; it says what is different. */
#ifndef EW_CONTRACT_PROFILE_H
#define EW_CONTRACT_PROFILE_H

#include "base/map.h"
#include "contract/outcome.h"
#include "contract/program.h"

enum { EW_SIGNATURE_MAX = 4 };

/* Where something was read. */
struct ew_line {
  struct ew_span path;
  size_t number; /* from 1 */
};

/* A name that [has] lists. */
struct ew_construct {
  struct ew_span group, name;
  struct ew_line at;
};

struct ew_signature {
  struct ew_span name;
  struct ew_span arguments[EW_SIGNATURE_MAX]; /* types in capitals: INTEGER, STRING, ANY, LIST … */
  size_t argument_count;
  bool more; /* there may be more arguments of the last type */
  struct ew_span result;
  struct ew_line at;
};

struct ew_spelling {
  struct ew_span name, setting;
  struct ew_line at;
};

struct ew_template {
  struct ew_span name, result, text;
  struct ew_line at;
};

struct ew_error_pattern {
  enum ew_error_class class;
  struct ew_span reason, pattern;
};

struct ew_known_bug {
  struct ew_span name, address;
};

struct ew_profile {
  struct ew_span path; /* the file it came from */
  struct ew_span name, language, adapter, default_version;
  struct ew_span library;                /* file name of the engine's library in its installed folder, or empty */
  struct ew_span package;                /* what its package registry calls it, or empty */
  struct ew_span shell;                  /* how a repro script is written: sqlite, z3, … */
  struct ew_span oracles;                /* those of a hunt that names none, "A,B"; empty: all that know the language */
  struct ew_span purpose;                /* "test" for engines that only tests use, else empty */
  const struct ew_construct *constructs; /* in the order of the file */
  size_t construct_count;
  struct ew_map has; /* the same for looking up, by "GROUP NAME"; 0 where it was taken away again */
  const struct ew_signature *functions;
  size_t function_count;
  struct ew_semantics semantics;
  const struct ew_spelling *spellings;
  size_t spelling_count;
  const struct ew_template *templates;
  size_t template_count;
  const struct ew_error_pattern *errors;
  size_t error_count;
  const struct ew_span *raised; /* patterns */
  size_t raised_count;
  const struct ew_option *settings;
  size_t setting_count;
  const struct ew_known_bug *known;
  size_t known_count;
  uint64_t hash; /* of the whole text: part of a case's key */
  struct ew_arena arena;
};

/* Names of the groups of [has], NULL behind the last. */
extern const char *const ew_profile_groups[];

/* Reads a profile; release it also after an error. */
enum ew_status ew_profile_read(struct ew_profile *profile, const char *path, struct ew_error *error) EW_CHECKED;
/* The same from text; `path` is for messages. */
enum ew_status ew_profile_parse(struct ew_profile *profile, const char *path, struct ew_span text,
                                struct ew_error *error) EW_CHECKED;
void ew_profile_release(struct ew_profile *profile);

/* Whether the engine has `name` of `group`: ew_profile_has(p, "clauses", "optional_match"). */
bool ew_profile_has(const struct ew_profile *profile, const char *group, const char *name);
/* Takes away what is called `name` in any group of [has], and functions of that name; the hash becomes another. Gives how
   many there were. */
size_t ew_profile_take_away(struct ew_profile *profile, struct ew_span name);
/* A setting's text, or `otherwise`. */
struct ew_span ew_profile_setting(const struct ew_profile *profile, const char *name, struct ew_span otherwise);
/* How the engine spells it, or an empty span. */
struct ew_span ew_profile_spelling(const struct ew_profile *profile, const char *name);

/* What an error's text means; `*reason` is the profile's word for it, or empty. */
enum ew_error_class ew_profile_classify(const struct ew_profile *profile, struct ew_span text, struct ew_span *reason);

/* Whether the engine promises to raise this error of the reference engine; of an empty text: whether it raises just its
   errors. */
bool ew_profile_raises(const struct ew_profile *profile, struct ew_span text);

/* Whether `text` matches a pattern in which `*` stands for any text. Linear in practice, never exponential. */
bool ew_pattern_matches(struct ew_span pattern, struct ew_span text);

#endif
