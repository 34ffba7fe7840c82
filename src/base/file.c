/* file.c: durable writes and the few folders we know. */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum ew_status ew_file_read(const char *path, size_t limit, struct ew_text *text, struct ew_error *error) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) {
    enum ew_status status = errno == ENOENT || errno == ENOTDIR ? EW_MISSING : EW_IO;
    return ew_fail(error, status, "cannot read %s: %s", path, strerror(errno));
  }
  size_t before = text->length;
  enum ew_status status = EW_OK;
  for (;;) {
    ew_text_reserve(text, 65536);
    ssize_t got = read(file, text->bytes + text->length, 65536);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) status = ew_fail(error, EW_IO, "cannot read %s: %s", path, strerror(errno));
    if (got <= 0) break;
    text->length += (size_t)got;
    if (text->length - before > limit) {
      status = ew_fail(error, EW_LIMIT, "%s is larger than %zu bytes", path, limit);
      break;
    }
  }
  close(file);
  text->bytes[text->length] = '\0';
  if (status) ew_text_cut(text, before);
  return status;
}

static bool write_all(int file, struct ew_span bytes) {
  while (bytes.length) {
    ssize_t written = write(file, bytes.bytes, bytes.length);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes.bytes += written;
    bytes.length -= (size_t)written;
  }
  return true;
}

static void sync_folder_of(const char *path) {
  const char *slash = strrchr(path, '/');
  char folder[4096];
  snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) + 1 : 1, slash ? path : ".");
  int file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return;
  fsync(file);
  close(file);
}

enum ew_status ew_file_replace(const char *path, struct ew_span bytes, struct ew_error *error) {
  char beside[4096];
  int length = snprintf(beside, sizeof beside, "%s.%d.new", path, (int)getpid());
  if (length < 0 || (size_t)length >= sizeof beside) return ew_fail(error, EW_IO, "the path is too long: %s", path);
  int file = open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  bool written = file >= 0 && write_all(file, bytes) && fsync(file) == 0;
  int why = errno;
  if (file >= 0 && close(file) != 0 && written) {
    written = false;
    why = errno;
  }
  if (written && rename(beside, path) != 0) {
    written = false;
    why = errno;
  }
  if (!written) {
    if (file >= 0) unlink(beside);
    return ew_fail(error, EW_IO, "cannot write %s: %s", path, strerror(why));
  }
  sync_folder_of(path);
  return EW_OK;
}

enum ew_status ew_folder_make(const char *path, struct ew_error *error) {
  char part[4096];
  size_t length = strlen(path);
  if (!length || length >= sizeof part) return ew_fail(error, EW_IO, "not a usable path: '%s'", path);
  for (size_t i = 1; i <= length; i++) {
    if (path[i] != '/' && path[i] != '\0') continue;
    memcpy(part, path, i);
    part[i] = '\0';
    struct stat info;
    if (mkdir(part, 0755) == 0) continue;
    int why = errno;
    if (stat(part, &info) == 0 && S_ISDIR(info.st_mode)) continue;
    return ew_fail(error, EW_IO, "cannot make the folder %s: %s", part, strerror(why == EEXIST ? ENOTDIR : why));
  }
  return EW_OK;
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *where) {
  (void)info;
  (void)kind;
  (void)where;
  remove(path);
  return 0; /* what cannot be removed must not keep the rest */
}

void ew_folder_remove(const char *path) { nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS); }

bool ew_file_exists(const char *path) { return access(path, F_OK) == 0; }

enum ew_status ew_folder_xdg(const char *kind, struct ew_text *path, struct ew_error *error) {
  static const struct {
    const char *kind, *variable, *below_home;
  } folders[] = {
      {"CACHE", "XDG_CACHE_HOME", ".cache"},
      {"CONFIG", "XDG_CONFIG_HOME", ".config"},
      {"STATE", "XDG_STATE_HOME", ".local/state"},
  };
  for (size_t i = 0; i < EW_COUNT(folders); i++) {
    if (strcmp(folders[i].kind, kind) != 0) continue;
    const char *given = getenv(folders[i].variable), *home = getenv("HOME");
    if (given && given[0] == '/') {
      ew_text_add_format(path, "%s/edgewise", given);
    } else if (home && home[0] == '/') {
      ew_text_add_format(path, "%s/%s/edgewise", home, folders[i].below_home);
    } else {
      return ew_fail(error, EW_IO, "neither %s nor HOME is set; set one of them", folders[i].variable);
    }
    return EW_OK;
  }
  EW_BUG("no XDG folder is called %s", kind);
}
