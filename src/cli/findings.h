/* findings.h: what a user calls a finding or a run, found on disk. */
#ifndef EW_CLI_FINDINGS_H
#define EW_CLI_FINDINGS_H

#include "hunt/hunt.h"

/* The run that was started last in this folder. */
#define EW_RUNS "runs"
#define EW_LATEST EW_RUNS "/latest"

/* Reads the finding that is called `name`: its folder, or its ID or the beginning of it in runs/latest, else in the other
   runs. EW_USAGE where there is none, or more than one. The path of its folder goes to `folder`. */
enum ew_status ew_finding_open(struct ew_arena *arena, const char *name, struct ew_finding *finding,
                               struct ew_text *folder, struct ew_error *error) EW_CHECKED;

/* The findings of the run in folder `run`; EW_USAGE where there is none. */
enum ew_status ew_run_load(struct ew_arena *arena, const char *run, struct ew_findings *findings,
                           struct ew_error *error) EW_CHECKED;

/* Writes a finding that was opened anew into its folder; where that is one of a run, into run.db too. */
enum ew_status ew_finding_keep(const char *folder, const struct ew_finding *finding, const struct ew_profile *profile,
                               struct ew_error *error) EW_CHECKED;

#endif
