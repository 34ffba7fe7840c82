/* profile.h: what an engine is and has, read from engines/NAME/profile.ini.

   Sections:
       [engine]     name, language, adapter, default_version, library, package, shell, purpose
       [has]        clauses, patterns, expressions, operators, types = names; what is not listed is never generated
       [functions]  NAME = (TYPE, TYPE) -> TYPE; several signatures are separated by |
       [semantics]  knobs of value/semantics.def
       [errors]     refused.REASON, expected.REASON, transient.REASON = pattern; `*` stands for any text
       [settings]   passed to the adapter as they are
       [known]      known bugs: NAME = address of the issue
   Lists are separated by commas and may go on in indented lines. A line has at most 190 bytes.
   A wrong line is an error with file, line and reason. */
#ifndef EW_CONTRACT_PROFILE_H
#define EW_CONTRACT_PROFILE_H

#include "base/map.h"
#include "contract/outcome.h"
#include "contract/program.h"

enum { EW_SIGNATURE_MAX = 4 };

struct ew_signature {
  struct ew_span name;
  struct ew_span arguments[EW_SIGNATURE_MAX]; /* types in capitals: INTEGER, STRING, ANY, LIST … */
  size_t argument_count;
  struct ew_span result;
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
  struct ew_span library; /* file name of the engine's library in its installed folder, or empty */
  struct ew_span package; /* what its package registry calls it, or empty */
  struct ew_span shell;   /* how a repro script is written: sqlite, z3, … */
  struct ew_span purpose; /* "test" for engines that only tests use, else empty */
  struct ew_map has; /* "GROUP NAME": "clauses optional_match" */
  const struct ew_signature *functions;
  size_t function_count;
  struct ew_semantics semantics;
  const struct ew_error_pattern *errors;
  size_t error_count;
  const struct ew_option *settings;
  size_t setting_count;
  const struct ew_known_bug *known;
  size_t known_count;
  uint64_t hash; /* of the whole text: part of a case's key */
  struct ew_arena arena;
};


/* Reads a profile; release it also after an error. */
enum ew_status ew_profile_read(struct ew_profile *profile, const char *path, struct ew_error *error) EW_CHECKED;
/* The same from text; `path` is for messages. */
enum ew_status ew_profile_parse(struct ew_profile *profile, const char *path, struct ew_span text,
                                struct ew_error *error) EW_CHECKED;
void ew_profile_release(struct ew_profile *profile);

/* Whether the engine has `name` of `group`: ew_profile_has(p, "clauses", "optional_match"). */
bool ew_profile_has(const struct ew_profile *profile, const char *group, const char *name);
/* A setting's text, or `otherwise`. */
struct ew_span ew_profile_setting(const struct ew_profile *profile, const char *name, struct ew_span otherwise);

/* What an error's text means; `*reason` is the profile's word for it, or empty. */
enum ew_error_class ew_profile_classify(const struct ew_profile *profile, struct ew_span text, struct ew_span *reason);

/* Whether `text` matches a pattern in which `*` stands for any text. Linear in practice, never exponential. */
bool ew_pattern_matches(struct ew_span pattern, struct ew_span text);

#endif
