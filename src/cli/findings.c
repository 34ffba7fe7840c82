/* findings.c: from a folder or the first digits of an ID to a finding. */
#include "cli/findings.h"

#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/file.h"
#include "hunt/store.h"

static bool is_folder(const char *path) {
  struct stat info;
  return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

/* How many folders in RUN/findings have a name that begins with `prefix`; the last one's path goes to `folder`. */
static size_t find_in_run(const char *run, struct ew_span prefix, struct ew_text *folder) {
  struct ew_text findings = {0};
  size_t matches = 0;
  ew_text_add_format(&findings, "%s/findings", run);
  DIR *listing = opendir(findings.bytes);
  for (struct dirent *entry; listing && (entry = readdir(listing));) {
    if (entry->d_name[0] == '.' || !ew_span_starts(ew_span_of(entry->d_name), prefix)) continue;
    ew_text_reset(folder);
    ew_text_add_format(folder, "%s/%s", findings.bytes, entry->d_name);
    matches++;
  }
  if (listing) closedir(listing);
  ew_text_release(&findings);
  return matches;
}

static size_t find_in_runs(struct ew_span prefix, struct ew_text *folder) {
  struct ew_text run = {0};
  size_t matches = 0;
  DIR *listing = opendir(EW_RUNS);
  for (struct dirent *entry; listing && (entry = readdir(listing));) {
    ew_text_reset(&run);
    ew_text_add_format(&run, EW_RUNS "/%s", entry->d_name);
    if (entry->d_name[0] != '.' && strcmp(run.bytes, EW_LATEST) != 0) matches += find_in_run(run.bytes, prefix, folder);
  }
  if (listing) closedir(listing);
  ew_text_release(&run);
  return matches;
}

/* In the latest run; where it has none, in those before it. */
static enum ew_status find_by_id(struct ew_span prefix, struct ew_text *folder, struct ew_error *error) {
  struct ew_span shown = {prefix.bytes, prefix.length < 60 ? prefix.length : 60};
  const char *where = EW_LATEST;
  size_t matches = prefix.length ? find_in_run(where, prefix, folder) : 0;
  if (!matches && prefix.length) {
    where = EW_RUNS;
    matches = find_in_runs(prefix, folder);
  }
  if (matches == 1) return EW_OK;
  if (matches)
    return ew_fail(error, EW_USAGE, "%zu findings in %s begin with '%.*s'; give more digits, or the finding's folder",
                   matches, where, EW_SPAN_ARGS(shown));
  return ew_fail(error, EW_USAGE,
                 "there is no finding '%.*s' in " EW_RUNS "; `edgewise report` lists those of the latest run",
                 EW_SPAN_ARGS(shown));
}

enum ew_status ew_finding_open(struct ew_arena *arena, const char *name, struct ew_finding *finding,
                               struct ew_text *folder, struct ew_error *error) {
  if (is_folder(name)) {
    ew_text_add_string(folder, name);
  } else if (strchr(name, '/')) {
    return ew_fail(error, EW_USAGE, "there is no folder '%.200s'", name);
  } else {
    enum ew_status status = find_by_id(ew_span_of(name), folder, error);
    if (status) return status;
  }
  enum ew_status status = ew_finding_load(arena, folder->bytes, finding, error);
  if (status != EW_MISSING) return status;
  return ew_fail(error, EW_BAD, "%s is no finding: it has no finding.json", folder->bytes);
}

enum ew_status ew_run_load(struct ew_arena *arena, const char *run, struct ew_findings *findings,
                           struct ew_error *error) {
  if (!is_folder(run)) return ew_fail(error, EW_USAGE, "there is no run '%.200s'; start one with: edgewise hunt", run);
  return ew_findings_load(arena, run, findings, error);
}

enum ew_status ew_finding_keep(const char *folder, const struct ew_finding *finding, const struct ew_profile *profile,
                               struct ew_error *error) {
  char path[PATH_MAX], run[PATH_MAX + 8], database[PATH_MAX + 16];
  struct ew_text json = {0};
  struct ew_json_writer writer;
  struct ew_store *store = NULL;
  if (!realpath(folder, path)) return ew_fail(error, EW_IO, "cannot find %s", folder);
  ew_json_writer_init(&writer, &json, 1);
  ew_finding_write_json(&writer, finding);
  ew_text_add_char(&json, '\n');
  snprintf(run, sizeof run, "%s/../..", path);
  snprintf(database, sizeof database, "%s/run.db", run);
  struct ew_span name = ew_span_of(strrchr(path, '/') + 1);
  enum ew_status status;
  if (ew_file_exists(database) && ew_span_is(name, finding->id.text)) {
    status = ew_store_open(run, &store, error);
    if (!status) status = ew_store_put(store, finding, profile, ew_text_span(&json), error);
    ew_store_close(store);
  } else {
    status = ew_finding_save(path, finding, profile, ew_text_span(&json), error);
  }
  ew_text_release(&json);
  return status;
}
