/* known.h: groups of findings that earlier runs saw, kept beside the user's other state: known.db, an SQLite database.

   A known group is reported in each run that finds it again, marked with the day it was first seen, but not announced. A
   muted one is only counted. Nothing but announcements and exit codes depends on it, so a hunt goes on without it. */
#ifndef EW_HUNT_KNOWN_H
#define EW_HUNT_KNOWN_H

#include "contract/finding.h"

struct ew_known;

/* XDG state folder/edgewise/known.db. */
enum ew_status ew_known_path(struct ew_text *path, struct ew_error *error) EW_CHECKED;

/* Makes the file and the folders above it. Close it also after an error. */
enum ew_status ew_known_open(const char *path, struct ew_known **known, struct ew_error *error) EW_CHECKED;
void ew_known_close(struct ew_known *known);

struct ew_known_group {
  uint64_t group;
  bool there, muted;
  char since[11];             /* 2026-11-15 */
  struct ew_span title, note; /* in the arena */
};

/* What is known of a group; `there` is false where it is new. */
enum ew_status ew_known_find(struct ew_known *known, uint64_t group, struct ew_arena *arena,
                             struct ew_known_group *found, struct ew_error *error) EW_CHECKED;
/* The only group that `digits` begin, or that was last seen as the finding whose ID they begin; EW_USAGE where there is
   none, or more than one. */
enum ew_status ew_known_search(struct ew_known *known, const char *digits, struct ew_arena *arena,
                               struct ew_known_group *found, struct ew_error *error) EW_CHECKED;
/* All muted groups, in the order in which they were first seen. */
enum ew_status ew_known_muted(struct ew_known *known, struct ew_arena *arena, struct ew_known_group **groups,
                              size_t *count, struct ew_error *error) EW_CHECKED;

/* A run has found it: it is known from now on. */
enum ew_status ew_known_record(struct ew_known *known, const struct ew_finding *finding,
                               struct ew_error *error) EW_CHECKED;
/* The group must be there. The note replaces the one before; an empty one leaves it. */
enum ew_status ew_known_mute(struct ew_known *known, uint64_t group, bool muted, struct ew_span note,
                             struct ew_error *error) EW_CHECKED;

#endif
