/* remote.h: a server that is not ours, by its address: redis://HOST:PORT. */
#ifndef EW_CLI_REMOTE_H
#define EW_CLI_REMOTE_H

#include "cli/engines.h"
#include "cli/options.h"

/* Whether what a user calls an engine is an address. */
bool ew_remote_is_url(const char *name);

/* The engine behind an address, with the options --profile, --wipe and --password-file. It is connected to once: EW_GONE where
   nobody answers, EW_USAGE where it holds something and --wipe is not given. The version is what it says itself. Release the
   engine also after an error. */
enum ew_status ew_remote_open(struct ew_engine *engine, const char *url, const struct ew_arguments *given,
                              struct ew_error *error) EW_CHECKED;

#endif
