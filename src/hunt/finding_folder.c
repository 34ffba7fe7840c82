/* finding_folder.c: a finding's folder, written beside its place and then put there in one step, so that whoever looks, at any moment,
   sees the old one or the new one, never half of each. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "hunt/store.h"
#include "report/report.h"

enum { PATH_MAX_BYTES = 4096 };

static enum ew_status join(char *path, const char *folder, const char *name, struct ew_error *error) {
  int length = snprintf(path, PATH_MAX_BYTES, "%s/%s", folder, name);
  if (length > 0 && length < PATH_MAX_BYTES) return EW_OK;
  return ew_fail(error, EW_IO, "the path is too long: %s", folder);
}

static enum ew_status put_file(const char *folder, const char *name, struct ew_span bytes, struct ew_error *error) {
  char path[PATH_MAX_BYTES];
  enum ew_status status = join(path, folder, name, error);
  return status ? status : ew_file_replace(path, bytes, error);
}

/* finding.json comes last: a folder that has it is complete. */
static enum ew_status put_files(const char *folder, const struct ew_finding *finding, const struct ew_profile *profile,
                                struct ew_span json, struct ew_error *error) {
  struct ew_text text = {0};
  char name[64];
  enum ew_status status = ew_folder_make(folder, error);
  if (!status) {
    struct ew_span extension = ew_report_repro(&text, finding, profile);
    snprintf(name, sizeof name, "repro.%.*s", EW_SPAN_ARGS(extension));
    status = put_file(folder, name, ew_text_span(&text), error);
  }
  if (!status) {
    ew_text_reset(&text);
    ew_report_markdown(&text, finding, profile);
    status = put_file(folder, "report.md", ew_text_span(&text), error);
  }
  if (!status) status = put_file(folder, "finding.json", json, error);
  ew_text_release(&text);
  return status;
}

/* What somebody else has put into the old folder stays. */
static void carry_over(const char *from, const char *to) {
  DIR *listing = opendir(from);
  for (struct dirent *entry; listing && (entry = readdir(listing));) {
    char old[PATH_MAX_BYTES], new[PATH_MAX_BYTES];
    struct ew_error error;
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
    if (join(old, from, entry->d_name, &error) || join(new, to, entry->d_name, &error)) continue;
    renameat2(AT_FDCWD, old, AT_FDCWD, new, RENAME_NOREPLACE); /* a file that is there already is ours */
  }
  if (listing) closedir(listing);
}

/* Puts the folder `beside` in the place of `folder`, which may be there; a file system that cannot exchange them gets the old
   one out of the way first. */
static enum ew_status put_in_place(const char *beside, const char *folder, struct ew_error *error) {
  char old[PATH_MAX_BYTES];
  if (rename(beside, folder) == 0) return EW_OK;
  int length = snprintf(old, sizeof old, "%s.old", beside);
  if (length < 0 || (size_t)length >= sizeof old) return ew_fail(error, EW_IO, "the path is too long: %s", folder);
  if (renameat2(AT_FDCWD, beside, AT_FDCWD, folder, RENAME_EXCHANGE) == 0) {
    snprintf(old, sizeof old, "%s", beside);
  } else {
    ew_folder_remove(old);
    if (rename(folder, old) != 0 || rename(beside, folder) != 0)
      return ew_fail(error, EW_IO, "cannot write %s: %s", folder, strerror(errno));
  }
  carry_over(old, folder);
  ew_folder_remove(old);
  return EW_OK;
}

/* So that a power cut does not undo it. */
static void settle(const char *parent) {
  int file = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return;
  fsync(file);
  close(file);
}

enum ew_status ew_finding_save(const char *folder, const struct ew_finding *finding, const struct ew_profile *profile,
                               struct ew_span json, struct ew_error *error) {
  char copy[PATH_MAX_BYTES], parent[PATH_MAX_BYTES], beside[PATH_MAX_BYTES], name[300];
  int length = snprintf(copy, sizeof copy, "%s", folder);
  if (length < 0 || (size_t)length >= sizeof copy) return ew_fail(error, EW_IO, "the path is too long: %s", folder);
  snprintf(name, sizeof name, ".%.255s.new", basename(copy));
  snprintf(copy, sizeof copy, "%s", folder);
  snprintf(parent, sizeof parent, "%s", dirname(copy));
  enum ew_status status = join(beside, parent, name, error);
  if (status) return status;
  ew_folder_remove(beside);
  status = put_files(beside, finding, profile, json, error);
  if (!status) status = put_in_place(beside, folder, error);
  if (status)
    ew_folder_remove(beside);
  else
    settle(parent);
  return status;
}
