/* locate.c: finding installed engines. The `install` scripts under engines/ put them there. */
#include "engine/locate.h"

#include <dirent.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/vector.h"

/* A name of an engine or version is part of a path: it must not lead elsewhere. */
static bool is_plain(struct ew_span name) {
  if (!name.length || name.bytes[0] == '.') return false;
  for (size_t i = 0; i < name.length; i++)
    if (name.bytes[i] == '/' || name.bytes[i] == '\0') return false;
  return true;
}

enum ew_status ew_locate_folder(struct ew_span name, struct ew_text *path, struct ew_error *error) {
  if (!is_plain(name)) return ew_fail(error, EW_USAGE, "'%.*s' is no name of an engine", EW_SPAN_ARGS(name));
  enum ew_status status = ew_folder_xdg("CACHE", path, error);
  if (status) return status;
  ew_text_add_format(path, "/engines/%.*s", EW_SPAN_ARGS(name));
  return EW_OK;
}

enum ew_status ew_locate_library(struct ew_span name, struct ew_span version, struct ew_span library,
                                 struct ew_text *path, struct ew_error *error) {
  if (!library.length || ew_span_is(version, "system")) return EW_OK;
  if (!is_plain(version)) return ew_fail(error, EW_USAGE, "'%.*s' is no version", EW_SPAN_ARGS(version));
  size_t before = path->length;
  enum ew_status status = ew_locate_folder(name, path, error);
  if (status) return status;
  ew_text_add_format(path, "/%.*s/%.*s", EW_SPAN_ARGS(version), EW_SPAN_ARGS(library));
  if (ew_file_exists(path->bytes + before)) return EW_OK;
  ew_fail(error, EW_MISSING, "%.*s %.*s is not installed (no %s); run: edgewise engines install %.*s@%.*s",
          EW_SPAN_ARGS(name), EW_SPAN_ARGS(version), path->bytes + before, EW_SPAN_ARGS(name), EW_SPAN_ARGS(version));
  ew_text_cut(path, before);
  return EW_MISSING;
}

static uint64_t take_number(struct ew_span *text) {
  uint64_t number = 0;
  while (text->length && text->bytes[0] >= '0' && text->bytes[0] <= '9') {
    number = number * 10 + (uint64_t)(text->bytes[0] - '0');
    *text = (struct ew_span){text->bytes + 1, text->length - 1};
  }
  return number;
}

int ew_version_compare(struct ew_span a, struct ew_span b) {
  while (a.length && b.length) {
    uint64_t left = take_number(&a), right = take_number(&b);
    if (left != right) return left < right ? -1 : 1;
    if (!a.length || !b.length) break;
    if (a.bytes[0] != b.bytes[0]) return (unsigned char)a.bytes[0] < (unsigned char)b.bytes[0] ? -1 : 1;
    a = (struct ew_span){a.bytes + 1, a.length - 1};
    b = (struct ew_span){b.bytes + 1, b.length - 1};
  }
  return a.length ? 1 : b.length ? -1 : 0;
}

static int newest_first(const void *a, const void *b) {
  return ew_version_compare(*(const struct ew_span *)b, *(const struct ew_span *)a);
}

struct ew_names ew_locate_versions(struct ew_span name, struct ew_span library, struct ew_arena *arena) {
  EW_VECTOR(struct ew_span) versions = {0};
  struct ew_text folder = {0};
  DIR *listing = ew_locate_folder(name, &folder, NULL) == EW_OK ? opendir(folder.bytes) : NULL;
  for (struct dirent *entry; listing && (entry = readdir(listing));) {
    struct ew_text path = {0};
    struct ew_span version = ew_span_of(entry->d_name);
    if (is_plain(version) && library.length && !ew_span_is(version, "system") &&
        ew_locate_library(name, version, library, &path, NULL) == EW_OK)
      *ew_arena_vector_push(arena, &versions) = ew_arena_copy(arena, version);
    ew_text_release(&path);
  }
  if (listing) closedir(listing);
  ew_text_release(&folder);
  if (versions.count) qsort(versions.items, versions.count, sizeof *versions.items, newest_first);
  return (struct ew_names){versions.items, versions.count};
}
