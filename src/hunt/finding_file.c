/* finding_file.c: stored findings: read back, and played again. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/vector.h"
#include "hunt/confirm.h"
#include "hunt/hunt.h"
#include "lang/languages.h"
#include "oracle/oracles.h"
#include "report/cause.h"

enum { FINDING_LIMIT = 64 << 20 };

enum ew_status ew_finding_load(struct ew_arena *arena, const char *folder, struct ew_finding *finding,
                               struct ew_error *error) {
  struct ew_text text = {0};
  struct ew_error detail;
  const struct ew_json *json = NULL;
  char path[4096];
  snprintf(path, sizeof path, "%s/finding.json", folder);
  enum ew_status status = ew_file_read(path, FINDING_LIMIT, &text, error);
  if (status) {
    ew_text_release(&text);
    return status;
  }
  struct ew_span copy = ew_arena_copy(arena, ew_text_span(&text));
  ew_text_release(&text);
  status = ew_json_read(arena, copy, (struct ew_json_options){0}, &json, &detail);
  if (!status) status = ew_finding_read_json(arena, ew_languages, json, finding, &detail);
  if (status) return ew_fail(error, EW_BAD, "%s cannot be read: %s", path, detail.text);
  return EW_OK;
}

enum ew_status ew_finding_replay(struct ew_arena *arena, const struct ew_target *target, int64_t statement_time,
                                 struct ew_finding *finding, bool *seen, struct ew_error *error) {
  struct ew_stage stage;
  const struct ew_oracle *oracle = ew_oracle_find(finding->oracle);
  *seen = false;
  if (!oracle) return ew_fail(error, EW_BAD, "no oracle is called '%.*s'", EW_SPAN_ARGS(finding->oracle));
  enum ew_status status = ew_stage_init(&stage, target, statement_time, error);
  if (!status) status = ew_confirm_once(&stage, oracle, arena, finding, seen, error);
  ew_stage_release(&stage);
  return status;
}

static int compare(const void *a, const void *b) { return ew_finding_compare(a, b); }

enum ew_status ew_findings_load(struct ew_arena *arena, const char *run, struct ew_findings *findings,
                                struct ew_error *error) {
  char path[4096], folder[4096 + 256];
  EW_VECTOR(struct ew_finding) items = {0};
  *findings = (struct ew_findings){0};
  snprintf(path, sizeof path, "%s/findings", run);
  DIR *directory = opendir(path);
  if (!directory)
    return ew_fail(error, errno == ENOENT ? EW_MISSING : EW_IO, "%s is no folder of a run: %s", run, strerror(errno));
  enum ew_status status = EW_OK;
  for (struct dirent *entry; !status && (entry = readdir(directory));) {
    if (entry->d_name[0] == '.') continue;
    snprintf(folder, sizeof folder, "%s/%s", path, entry->d_name);
    status = ew_finding_load(arena, folder, ew_arena_vector_push(arena, &items), error);
  }
  closedir(directory);
  if (status) return status;
  if (items.count) qsort(items.items, items.count, sizeof items.items[0], compare);
  *findings = (struct ew_findings){items.items, items.count};
  return EW_OK;
}
