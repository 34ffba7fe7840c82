/* file.h: files and folders, with what can go wrong said in words. */
#ifndef EW_BASE_FILE_H
#define EW_BASE_FILE_H

#include "base/span.h"
#include "base/status.h"
#include "base/text.h"

/* Appends the whole file to `text`, or nothing; more than `limit` bytes is EW_LIMIT. */
enum ew_status ew_file_read(const char *path, size_t limit, struct ew_text *text, struct ew_error *error) EW_CHECKED;

/* Replaces `path` in one step and durably: write beside it, fsync, rename, fsync the folder. On failure the old file is
   as it was and nothing is left beside it. */
enum ew_status ew_file_replace(const char *path, struct ew_span bytes, struct ew_error *error) EW_CHECKED;

/* Makes `path` and the folders above it. */
enum ew_status ew_folder_make(const char *path, struct ew_error *error) EW_CHECKED;

/* Removes a folder and all below it, without following links. */
void ew_folder_remove(const char *path);

bool ew_file_exists(const char *path);

/* The folder XDG names for `kind` ("CACHE", "CONFIG", "STATE"), with /edgewise behind it. */
enum ew_status ew_folder_xdg(const char *kind, struct ew_text *path, struct ew_error *error) EW_CHECKED;

#endif
