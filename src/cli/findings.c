/* findings.c: from a folder or the first digits of an ID to a finding. */
#include "cli/findings.h"

#include <dirent.h>
#include <sys/stat.h>

#include "base/file.h"

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
