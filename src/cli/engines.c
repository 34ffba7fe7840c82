/* engines.c: profiles lie in engines/NAME/profile.ini: in the source tree above the build folder, or in the share
   folder of an installed edgewise. Libraries are found by engine/locate.h. */
#include "cli/engines.h"

#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/vector.h"
#include "cli/options.h"
#include "engine/locate.h"
#include "lang/languages.h"
#include "oracle/oracles.h"

/* ---- profiles ---- */

static bool is_folder(const char *path) {
  struct stat info;
  return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

enum ew_status ew_engines_folder(struct ew_text *path, struct ew_error *error) {
  /* From the program's own folder: bin/, or the build folder and those below it. */
  static const char *const beside[] = {"/../share/edgewise/engines", "/../engines", "/../../engines",
                                       "/../../../engines"};
  const char *given = getenv("EDGEWISE_ENGINES");
  if (given && given[0]) {
    ew_text_add_string(path, given);
    if (is_folder(given)) return EW_OK;
    return ew_fail(error, EW_MISSING, "EDGEWISE_ENGINES names no folder: %.300s", given);
  }
  char program[4096];
  ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  if (length <= 0)
    return ew_fail(error, EW_MISSING, "/proc is not there; set EDGEWISE_ENGINES to the folder of engines");
  program[length] = '\0';
  char *slash = strrchr(program, '/');
  if (slash) *slash = '\0';
  for (size_t i = 0; i < EW_COUNT(beside); i++) {
    ew_text_reset(path);
    ew_text_add_format(path, "%s%s", program, beside[i]);
    if (is_folder(path->bytes)) return EW_OK;
  }
  return ew_fail(error, EW_MISSING, "no folder of engines is near %.300s; set EDGEWISE_ENGINES to it", program);
}

static int by_name(const void *a, const void *b) {
  return ew_span_compare(*(const struct ew_span *)a, *(const struct ew_span *)b);
}

enum ew_status ew_engines_names(struct ew_arena *arena, struct ew_names *names, struct ew_error *error) {
  EW_VECTOR(struct ew_span) found = {0};
  struct ew_text folder = {0}, path = {0};
  *names = (struct ew_names){0};
  enum ew_status status = ew_engines_folder(&folder, error);
  DIR *listing = status ? NULL : opendir(folder.bytes);
  for (struct dirent *entry; listing && (entry = readdir(listing));) {
    ew_text_reset(&path);
    ew_text_add_format(&path, "%s/%s/profile.ini", folder.bytes, entry->d_name);
    if (entry->d_name[0] == '.' || !ew_file_exists(path.bytes)) continue;
    *ew_arena_vector_push(arena, &found) = ew_arena_copy(arena, ew_span_of(entry->d_name));
  }
  if (listing) closedir(listing);
  if (found.count) qsort(found.items, found.count, sizeof *found.items, by_name);
  *names = (struct ew_names){found.items, found.count};
  ew_text_release(&folder);
  ew_text_release(&path);
  return status;
}

static enum ew_status unknown_engine(struct ew_engine *engine, struct ew_span name, struct ew_error *error) {
  struct ew_names names;
  struct ew_text list = {0};
  enum ew_status status = ew_engines_names(&engine->arena, &names, error);
  const char **strings = EW_NEW_ARRAY(&engine->arena, const char *, names.count + 1);
  for (size_t i = 0; !status && i < names.count; i++) {
    strings[i] = ew_arena_string(&engine->arena, names.items[i]);
    ew_text_add_format(&list, "%s%s", i ? ", " : "", strings[i]);
  }
  const char *nearest = status ? NULL : ew_nearest(name, strings, names.count);
  if (!status)
    status = ew_fail(error, EW_USAGE, "there is no engine '%.*s'%s%s%s there are: %.300s",
                     (int)(name.length < 60 ? name.length : 60), name.bytes, nearest ? "; did you mean '" : "",
                     nearest ? nearest : "", nearest ? "'? Else" : ";", list.length ? list.bytes : "none");
  ew_text_release(&list);
  return status;
}

static bool is_name(struct ew_span name) {
  return name.length && name.length < 200 && name.bytes[0] != '.' && !memchr(name.bytes, '/', name.length);
}

/* Of the version 4.4.20: profile-4.4.20.ini, profile-4.4.ini, profile-4.ini, whichever is there; else profile.ini. */
static void add_profile_name(struct ew_text *path, struct ew_span version) {
  size_t folder = path->length;
  while (version.length) {
    ew_text_cut(path, folder);
    ew_text_add_format(path, "/profile-%.*s.ini", EW_SPAN_ARGS(version));
    if (ew_file_exists(path->bytes)) return;
    const char *dot = memrchr(version.bytes, '.', version.length);
    version.length = dot ? (size_t)(dot - version.bytes) : 0;
  }
  ew_text_cut(path, folder);
  ew_text_add_string(path, "/profile.ini");
}

static enum ew_status read_profile(struct ew_engine *engine, const char *path, struct ew_error *error) {
  enum ew_status status = ew_profile_read(&engine->profile, path, error);
  const struct ew_language *language = status ? NULL : ew_language_find(engine->profile.language);
  return language && language->check_profile ? language->check_profile(&engine->profile, error) : status;
}

enum ew_status ew_engine_read(struct ew_engine *engine, const char *name, struct ew_error *error) {
  *engine = (struct ew_engine){0};
  ew_arena_init(&engine->arena);
  const char *at = strchr(name, '@');
  struct ew_span engine_name = {name, at ? (size_t)(at - name) : strlen(name)};
  struct ew_span version = at ? ew_arena_copy(&engine->arena, ew_span_of(at + 1)) : EW_SPAN("");
  struct ew_text path = {0};
  enum ew_status status = ew_engines_folder(&path, error);
  if (!status && at && !is_name(version))
    status = ew_fail(error, EW_USAGE, "what stands behind the @ in '%.100s' is no version", name);
  if (!status && is_name(engine_name)) {
    ew_text_add_format(&path, "/%.*s", EW_SPAN_ARGS(engine_name));
    add_profile_name(&path, version);
  }
  if (!status && (!is_name(engine_name) || !ew_file_exists(path.bytes)))
    status = unknown_engine(engine, engine_name, error);
  if (!status) status = read_profile(engine, path.bytes, error);
  ew_text_release(&path);
  engine->target.profile = &engine->profile;
  engine->target.version = version.length ? version : engine->profile.default_version;
  return status;
}

/* ---- libraries ---- */

enum ew_status ew_engine_open(struct ew_engine *engine, const char *name, struct ew_error *error) {
  enum ew_status status = ew_engine_read(engine, name, error);
  if (status) return status;
  const struct ew_profile *profile = &engine->profile;
  struct ew_span version = engine->target.version;
  if (!profile->adapter.length)
    return ew_fail(error, EW_USAGE, "%.*s is a profile to write statements for, no engine that can be run",
                   EW_SPAN_ARGS(profile->name));
  struct ew_text path = {0};
  status = ew_locate_library(profile->name, version, profile->library, &path, error);
  if (status == EW_MISSING)
    status =
        ew_fail(error, EW_MISSING, "engine %.*s@%.*s is not installed; run: edgewise engines install %.*s@%.*s",
                EW_SPAN_ARGS(profile->name), EW_SPAN_ARGS(version), EW_SPAN_ARGS(profile->name), EW_SPAN_ARGS(version));
  if (!status) engine->target.library = ew_arena_copy(&engine->arena, ew_text_span(&path));
  ew_text_release(&path);
  return status;
}

enum ew_status ew_engine_put_model(struct ew_engine *engine, struct ew_error *error) {
  struct ew_profile *profile = &engine->profile;
  struct ew_engine model;
  enum ew_status status = ew_engine_read(&model, "model", error);
  struct ew_option *settings = EW_NEW_ARRAY(&engine->arena, struct ew_option, ew_knob_count);
  for (size_t i = 0; i < ew_knob_count; i++) {
    int32_t setting;
    memcpy(&setting, (const char *)&profile->semantics + ew_knobs[i].offset, sizeof setting);
    settings[i] = (struct ew_option){ew_span_of(ew_knobs[i].name), ew_arena_format(&engine->arena, "%d", (int)setting)};
  }
  if (!status && !ew_span_equal(profile->language, model.profile.language))
    status = ew_fail(error, EW_USAGE, "the model does not speak the language of %.*s", EW_SPAN_ARGS(profile->name));
  struct ew_error_pattern *errors = EW_NEW_ARRAY(&engine->arena, struct ew_error_pattern, model.profile.error_count);
  for (size_t i = 0; i < model.profile.error_count; i++) {
    errors[i] = model.profile.errors[i];
    errors[i].reason = ew_arena_copy(&engine->arena, errors[i].reason);
    errors[i].pattern = ew_arena_copy(&engine->arena, errors[i].pattern);
  }
  profile->adapter = EW_SPAN("model");
  profile->library = EW_SPAN("");
  profile->settings = settings;
  profile->setting_count = ew_knob_count;
  profile->errors = errors;
  profile->error_count = model.profile.error_count;
  profile->spelling_count = 0;
  ew_engine_release(&model);
  return status;
}

void ew_engine_release(struct ew_engine *engine) {
  ew_profile_release(&engine->profile);
  ew_arena_release(&engine->arena);
}

struct ew_names ew_engine_versions(const struct ew_engine *engine, struct ew_arena *arena) {
  return ew_locate_versions(engine->profile.name, engine->profile.library, arena);
}

/* ---- oracles ---- */

static enum ew_status unknown_oracle(struct ew_span name, struct ew_error *error) {
  const char *names[64];
  size_t count = 0;
  for (; ew_oracles[count] && count < EW_COUNT(names); count++) names[count] = ew_oracles[count]->name;
  const char *nearest = ew_nearest(name, names, count);
  return ew_fail(error, EW_USAGE, "there is no oracle '%.*s'%s%s%s: edgewise oracles",
                 (int)(name.length < 60 ? name.length : 60), name.bytes, nearest ? "; did you mean '" : "",
                 nearest ? nearest : "", nearest ? "'? See" : "; see");
}

enum ew_status ew_engine_oracles(const struct ew_engine *engine, const char *list, struct ew_arena *arena,
                                 const struct ew_oracle *const **oracles, struct ew_error *error) {
  const struct ew_language *language = ew_language_find(engine->profile.language);
  EW_VECTOR(const struct ew_oracle *) chosen = {0};
  if (!language)
    return ew_fail(error, EW_BAD, "%.*s: there is no language '%.*s'", EW_SPAN_ARGS(engine->profile.path),
                   EW_SPAN_ARGS(engine->profile.language));
  if (!list && engine->profile.oracles.length) list = ew_arena_string(arena, engine->profile.oracles);
  for (size_t i = 0; !list && ew_oracles[i]; i++)
    if (ew_oracles[i]->speaks(language)) *ew_arena_vector_push(arena, &chosen) = ew_oracles[i];
  for (const char *at = list; at && *at;) {
    struct ew_span name = {at, strcspn(at, ",")};
    const struct ew_oracle *oracle = ew_oracle_find(name);
    at += name.length + (at[name.length] == ',');
    if (!name.length) continue;
    if (!oracle) return unknown_oracle(name, error);
    if (!oracle->speaks(language))
      return ew_fail(error, EW_USAGE, "the oracle %s does not speak %s, the language of %.*s; see: edgewise oracles",
                     oracle->name, language->name, EW_SPAN_ARGS(engine->profile.name));
    bool twice = false;
    for (size_t i = 0; i < chosen.count; i++) twice = twice || chosen.items[i] == oracle;
    if (!twice) *ew_arena_vector_push(arena, &chosen) = oracle;
  }
  if (!chosen.count) return ew_fail(error, EW_USAGE, "no oracle is named; see: edgewise oracles");
  *ew_arena_vector_push(arena, &chosen) = NULL;
  *oracles = (const struct ew_oracle *const *)chosen.items;
  return EW_OK;
}
