/* generation.h: the options that shape what is generated, from the command line. */
#ifndef EW_CLI_GENERATION_H
#define EW_CLI_GENERATION_H

#include "cli/options.h"
#include "contract/profile.h"
#include "generate/generate.h"

/* --style, --state, --dials, --forget; and --only and --without, which take away from the profile. */
enum ew_status ew_generation_settle(const struct ew_arguments *given, struct ew_profile *profile,
                                    struct ew_generate_options *options, struct ew_error *error) EW_CHECKED;

#endif
