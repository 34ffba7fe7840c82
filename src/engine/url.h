/* url.h: addresses of servers that are not ours: SCHEME://[USER@]HOST[:PORT][/DATABASE]. */
#ifndef EW_ENGINE_URL_H
#define EW_ENGINE_URL_H

#include "base/arena.h"
#include "engine/stream.h"

struct ew_url {
  struct ew_span scheme;
  const char *user, *database; /* empty where not given */
  struct ew_address address;   /* the port is empty where not given */
};

/* EW_USAGE, with what is wrong, for anything else; also for a password in it, since others can see a command line. */
enum ew_status ew_url_read(struct ew_span text, struct ew_arena *arena, struct ew_url *url,
                           struct ew_error *error) EW_CHECKED;

#endif
