/* bolt_url.h: addresses of Bolt servers: SCHEME://[USER@]HOST[:PORT][/DATABASE]. The schemes are bolt and neo4j, with +s for
   TLS and +ssc for TLS with any certificate. Passwords have no place in it: it shows in lists of processes. */
#ifndef EW_ENGINE_BOLT_URL_H
#define EW_ENGINE_BOLT_URL_H

#include "engine/bolt_connection.h"

/* Fills the login but for the password; everything lives in the arena. No DATABASE is an empty one. */
enum ew_status ew_bolt_url_read(struct ew_arena *arena, struct ew_span url, struct ew_bolt_login *login,
                                struct ew_span *database, struct ew_error *error) EW_CHECKED;

#endif
