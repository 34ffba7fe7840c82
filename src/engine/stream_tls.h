/* stream_tls.h: TLS on a socket that does not block, for stream.c alone. stream_tls.c does it with OpenSSL; where edgewise is
   built without that, stream_plain.c says so. */
#ifndef EW_ENGINE_STREAM_TLS_H
#define EW_ENGINE_STREAM_TLS_H

#include <stdbool.h>
#include <stddef.h>

#ifndef EW_HAS_TLS
#define EW_HAS_TLS 0
#endif

enum ew_tls {
  EW_TLS_DONE,
  EW_TLS_WANTS_IN, /* wait until the socket can be read, then try again */
  EW_TLS_WANTS_OUT,
  EW_TLS_CLOSED,
  EW_TLS_BROKEN, /* `reason` says why, in static words */
};

struct ew_stream_tls;

/* NULL with a reason where it cannot be. The socket stays the caller's. */
struct ew_stream_tls *ew_stream_tls_new(int socket, const char *host, bool lax, const char **reason);
void ew_stream_tls_free(struct ew_stream_tls *tls);
enum ew_tls ew_stream_tls_handshake(struct ew_stream_tls *tls, const char **reason);
enum ew_tls ew_stream_tls_move(struct ew_stream_tls *tls, bool out, char *bytes, size_t length, size_t *moved,
                               const char **reason);

#endif
