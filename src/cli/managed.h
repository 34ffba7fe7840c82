/* managed.h: `edgewise engines start` and `stop`: a server that stays, to look at by hand or to hunt by its address.

   It lives in a process of its own, which holds a lock on a file in the XDG state folder: servers/NAME@VERSION has the process, the
   address and the data folder, servers/NAME@VERSION.password the password. Both are gone when it is. */
#ifndef EW_CLI_MANAGED_H
#define EW_CLI_MANAGED_H

#include "cli/engines.h"

/* Starts it and says in `text` where it is; EW_USAGE where it runs already or the engine is no server. */
enum ew_status ew_managed_start(const struct ew_engine *engine, struct ew_text *text,
                                struct ew_error *error) EW_CHECKED;
enum ew_status ew_managed_stop(const struct ew_engine *engine, struct ew_text *text, struct ew_error *error) EW_CHECKED;
/* Its address where it runs, or an empty span; in `arena`. */
struct ew_span ew_managed_address(struct ew_span name, struct ew_span version, struct ew_arena *arena);

#endif
