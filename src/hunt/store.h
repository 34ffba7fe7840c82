/* store.h: a run's folder. The supervisor is its only writer; a finding is announced only after it is safely in it. */
#ifndef EW_HUNT_STORE_H
#define EW_HUNT_STORE_H

#include "contract/finding.h"
#include "contract/profile.h"

/* Writes a finding's folder in one step: finding.json, report.md and repro.*; what else was in it stays. `folder` has no slash at
   its end. `json` is the finding's stored form. */
enum ew_status ew_finding_save(const char *folder, const struct ew_finding *finding, const struct ew_profile *profile,
                               struct ew_span json, struct ew_error *error) EW_CHECKED;

struct ew_store;

/* Makes the folder, run.db and findings/. */
enum ew_status ew_store_open(const char *folder, struct ew_store **store, struct ew_error *error) EW_CHECKED;
void ew_store_close(struct ew_store *store);

/* Saves the finding's folder, then the row in run.db; replaces what was there under the same id. */
enum ew_status ew_store_put(struct ew_store *store, const struct ew_finding *finding, const struct ew_profile *profile,
                            struct ew_span json, struct ew_error *error) EW_CHECKED;
/* Takes a finding out again: its reduction showed that it is one more of a known group. */
enum ew_status ew_store_drop(struct ew_store *store, const char *id, struct ew_error *error) EW_CHECKED;
/* Counts a duplicate of a group; durable with the next finding or the next stats.json. */
enum ew_status ew_store_duplicate(struct ew_store *store, uint64_t group, struct ew_error *error) EW_CHECKED;

enum ew_status ew_store_stats(struct ew_store *store, struct ew_span json, struct ew_error *error) EW_CHECKED;

#endif
