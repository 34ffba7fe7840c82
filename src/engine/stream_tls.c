/* stream_tls.c: TLS by OpenSSL. One context for the process, made when it is first needed. */
#include "engine/stream_tls.h"

#include <arpa/inet.h>
#include <openssl/err.h>
#include <openssl/ssl.h>

#include "base/allocate.h"

struct ew_stream_tls {
  SSL *connection;
};

static SSL_CTX *context;

/* A certificate must be good for the name, or for the address where there is no name. */
static bool expect_host(SSL *connection, const char *host) {
  struct in6_addr address;
  bool numeric = inet_pton(AF_INET, host, &address) == 1 || inet_pton(AF_INET6, host, &address) == 1;
  SSL_set_verify(connection, SSL_VERIFY_PEER, NULL);
  if (numeric) return X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(connection), host) == 1;
  return SSL_set1_host(connection, host) == 1;
}

struct ew_stream_tls *ew_stream_tls_new(int socket, const char *host, bool lax, const char **reason) {
  *reason = "OpenSSL cannot be set up";
  if (!context) {
    context = SSL_CTX_new(TLS_client_method());
    if (!context) return NULL;
    SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
    SSL_CTX_set_default_verify_paths(context);
    SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  }
  SSL *connection = SSL_new(context);
  if (!connection) return NULL;
  if (SSL_set_fd(connection, socket) != 1 || SSL_set_tlsext_host_name(connection, host) != 1 ||
      (!lax && !expect_host(connection, host))) {
    SSL_free(connection);
    return NULL;
  }
  struct ew_stream_tls *tls = ew_allocate_zeroed(1, sizeof *tls);
  tls->connection = connection;
  return tls;
}

void ew_stream_tls_free(struct ew_stream_tls *tls) {
  if (!tls) return;
  SSL_free(tls->connection);
  ew_deallocate(tls);
}

static enum ew_tls outcome_of(const struct ew_stream_tls *tls, int result, const char **reason) {
  switch (SSL_get_error(tls->connection, result)) {
    case SSL_ERROR_WANT_READ: return EW_TLS_WANTS_IN;
    case SSL_ERROR_WANT_WRITE: return EW_TLS_WANTS_OUT;
    case SSL_ERROR_ZERO_RETURN:
    case SSL_ERROR_SYSCALL: return EW_TLS_CLOSED;
    default: break;
  }
  const char *words = ERR_reason_error_string(ERR_peek_error());
  *reason = SSL_get_verify_result(tls->connection) != X509_V_OK ? "the server's certificate is not trusted"
            : words                                             ? words
                                                                : "the server does not speak TLS";
  return EW_TLS_BROKEN;
}

enum ew_tls ew_stream_tls_handshake(struct ew_stream_tls *tls, const char **reason) {
  ERR_clear_error();
  int result = SSL_connect(tls->connection);
  return result == 1 ? EW_TLS_DONE : outcome_of(tls, result, reason);
}

enum ew_tls ew_stream_tls_move(struct ew_stream_tls *tls, bool out, char *bytes, size_t length, size_t *moved,
                               const char **reason) {
  ERR_clear_error();
  int result =
      out ? SSL_write_ex(tls->connection, bytes, length, moved) : SSL_read_ex(tls->connection, bytes, length, moved);
  return result == 1 ? EW_TLS_DONE : outcome_of(tls, result, reason);
}
