/* summary.h: what a hunt found, when it is over. */
#ifndef EW_CLI_SUMMARY_H
#define EW_CLI_SUMMARY_H

#include "hunt/hunt.h"

/* Adds the summary of the run in `options->folder`, as it lies on disk. `latest`: runs/latest leads there. */
void ew_summary(struct ew_text *text, const struct ew_hunt_options *options, const struct ew_hunt_result *result,
                double seconds, bool latest);

/* What the hunt ends with: 1 for groups that are not muted; with a baseline, only for those that it does not have. */
enum ew_exit ew_summary_exit(const struct ew_hunt_options *options, const struct ew_hunt_result *result);

#endif
