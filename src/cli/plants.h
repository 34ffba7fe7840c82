/* plants.h: bugs to be planted in the model, as a user names them: --plant NAME,NAME. */
#ifndef EW_CLI_PLANTS_H
#define EW_CLI_PLANTS_H

#include "cli/engines.h"
#include "model/zoo.h"

/* `list` may be NULL: none. EW_USAGE with the names that come near where one is not known. */
enum ew_status ew_plants_settle(const char *list, struct ew_plants *plants, struct ew_error *error) EW_CHECKED;

/* Has the engine open with these plants: EW_USAGE where it is not the model. */
enum ew_status ew_engine_plant(struct ew_engine *engine, const char *list, struct ew_error *error) EW_CHECKED;

#endif
