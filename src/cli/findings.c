/* findings.c: from a folder or the first digits of an ID to a finding. */
#include "cli/findings.h"

#include <dirent.h>
#include <sys/stat.h>

#include "base/file.h"

static bool is_folder(const char *path) {
  struct stat info;
  return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

/* The one folder in runs/latest/findings whose name begins with `prefix`. */
static enum ew_status find_by_id(struct ew_span prefix, struct ew_text *folder, struct ew_error *error) {
  static const char findings[] = EW_LATEST "/findings";
  DIR *listing = opendir(findings);
  if (!listing)
    return ew_fail(error, EW_USAGE,
                   "there is no finding '%.*s': " EW_LATEST
                   " has none; start a hunt here, or name the finding's folder",
                   EW_SPAN_ARGS(prefix));
  size_t matches = 0;
  for (struct dirent *entry; (entry = readdir(listing));) {
    struct ew_span name = ew_span_of(entry->d_name);
    if (name.bytes[0] == '.' || !prefix.length || !ew_span_starts(name, prefix)) continue;
    ew_text_reset(folder);
    ew_text_add_format(folder, "%s/%s", findings, entry->d_name);
    matches++;
  }
  closedir(listing);
  if (matches == 1) return EW_OK;
  if (matches)
    return ew_fail(error, EW_USAGE, "%zu findings in " EW_LATEST " begin with '%.*s'; give more digits", matches,
                   EW_SPAN_ARGS(prefix));
  return ew_fail(error, EW_USAGE, "no finding in " EW_LATEST " begins with '%.*s'; see: edgewise report",
                 (int)(prefix.length < 60 ? prefix.length : 60), prefix.bytes);
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
