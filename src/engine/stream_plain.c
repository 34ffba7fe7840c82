/* stream_plain.c: what stands for TLS where edgewise was built without OpenSSL. */
#include "engine/stream_tls.h"

#include "base/status.h"

struct ew_stream_tls *ew_stream_tls_new(int socket, const char *host, bool lax, const char **reason) {
  (void)socket;
  (void)host;
  (void)lax;
  *reason = "this edgewise was built without TLS (Debian: libssl-dev, then build again)";
  return NULL;
}

void ew_stream_tls_free(struct ew_stream_tls *tls) { EW_ASSERT(!tls); }

enum ew_tls ew_stream_tls_handshake(struct ew_stream_tls *tls, const char **reason) {
  (void)tls;
  (void)reason;
  EW_BUG("there is no TLS");
}

enum ew_tls ew_stream_tls_move(struct ew_stream_tls *tls, bool out, char *bytes, size_t length, size_t *moved,
                               const char **reason) {
  (void)tls;
  (void)out;
  (void)bytes;
  (void)length;
  (void)moved;
  (void)reason;
  EW_BUG("there is no TLS");
}
