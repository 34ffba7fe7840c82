/* stream.c: sockets that never block, and the buffers over them. Waiting is always poll() with the deadline. */
#include "engine/stream.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "engine/stream_tls.h"

enum { CHUNK = 65536, KEPT = 1 << 20 /* bytes that an idle buffer may hold on to */ };

static bool fail(struct ew_stream *stream, enum ew_stream_failure failure, const char *reason) {
  if (stream->failure == EW_STREAM_FINE) {
    stream->failure = failure;
    stream->reason = reason;
  }
  return false;
}

bool ew_stream_refuse(struct ew_stream *stream, const char *reason) { return fail(stream, EW_STREAM_BROKEN, reason); }

/* ---- tcp ---- */

static bool wait_for(struct ew_stream *stream, short events) {
  for (;;) {
    struct pollfd file = {.fd = stream->socket, .events = events};
    int ready = poll(&file, 1, ew_deadline_poll(stream->deadline));
    if (ready > 0) return true;
    if (ready == 0) {
      if (ew_deadline_passed(stream->deadline)) return fail(stream, EW_STREAM_LATE, "no answer within the time limit");
    } else if (errno != EINTR) {
      return fail(stream, EW_STREAM_CLOSED, "the socket cannot be waited for");
    }
  }
}

static bool try_connect(struct ew_stream *stream, const struct addrinfo *where) {
  stream->socket = socket(where->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, where->ai_protocol);
  if (stream->socket < 0) return false;
  setsockopt(stream->socket, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
  int result;
  do result = connect(stream->socket, where->ai_addr, where->ai_addrlen);
  while (result < 0 && errno == EINTR);
  int why = result < 0 ? errno : 0;
  if (why == EINPROGRESS && wait_for(stream, POLLOUT)) {
    socklen_t size = sizeof why;
    getsockopt(stream->socket, SOL_SOCKET, SO_ERROR, &why, &size);
  }
  if (!why) return true;
  close(stream->socket);
  stream->socket = -1;
  return false;
}

bool ew_stream_connect(struct ew_stream *stream, const struct ew_address *address, struct ew_deadline deadline) {
  struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM}, *found = NULL;
  stream->socket = -1;
  stream->tls = NULL;
  stream->failure = EW_STREAM_FINE;
  stream->reason = NULL;
  stream->taken = 0;
  ew_text_reset(&stream->in);
  ew_text_reset(&stream->out);
  ew_stream_allow(stream, deadline, SIZE_MAX);
  if (getaddrinfo(address->host, address->port, &hints, &found) != 0)
    return fail(stream, EW_STREAM_CLOSED, "the host's name cannot be resolved");
  bool connected = false;
  for (const struct addrinfo *each = found; each && !connected && !stream->failure; each = each->ai_next)
    connected = try_connect(stream, each);
  freeaddrinfo(found);
  return connected || fail(stream, EW_STREAM_CLOSED, "nobody listens there");
}

bool ew_stream_encrypt(struct ew_stream *stream, const char *host, bool lax) {
  const char *reason = NULL;
  if (stream->failure) return false;
  stream->tls = ew_stream_tls_new(stream->socket, host, lax, &reason);
  if (!stream->tls) return fail(stream, EW_STREAM_BROKEN, reason);
  for (;;) {
    switch (ew_stream_tls_handshake(stream->tls, &reason)) {
      case EW_TLS_DONE: return true;
      case EW_TLS_WANTS_IN:
        if (!wait_for(stream, POLLIN)) return false;
        break;
      case EW_TLS_WANTS_OUT:
        if (!wait_for(stream, POLLOUT)) return false;
        break;
      case EW_TLS_CLOSED: return fail(stream, EW_STREAM_CLOSED, "the server closed the connection");
      case EW_TLS_BROKEN: return fail(stream, EW_STREAM_BROKEN, reason);
    }
  }
}

bool ew_stream_can_encrypt(void) { return EW_HAS_TLS; }

void ew_stream_close(struct ew_stream *stream) {
  ew_stream_tls_free(stream->tls);
  stream->tls = NULL;
  if (stream->socket > 0) close(stream->socket);
  stream->socket = -1;
  fail(stream, EW_STREAM_CLOSED, "the connection is closed");
}

void ew_stream_release(struct ew_stream *stream) {
  ew_stream_close(stream);
  ew_text_release(&stream->in);
  ew_text_release(&stream->out);
}

void ew_stream_allow(struct ew_stream *stream, struct ew_deadline deadline, size_t budget) {
  stream->deadline = deadline;
  stream->budget = budget;
}

/* ---- bytes ---- */

/* Moves bytes once, through TLS where there is one. Returns how many; 0 where one must wait for `*wanted`; negative where the
   stream has failed. */
static ssize_t move(struct ew_stream *stream, bool out, char *bytes, size_t length, short *wanted) {
  *wanted = out ? POLLOUT : POLLIN;
  if (!stream->tls) {
    ssize_t moved = out ? send(stream->socket, bytes, length, MSG_NOSIGNAL) : recv(stream->socket, bytes, length, 0);
    if (moved > 0) return moved;
    if (moved < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) return 0;
    fail(stream, EW_STREAM_CLOSED, "the server closed the connection");
    return -1;
  }
  size_t moved = 0;
  const char *reason = NULL;
  switch (ew_stream_tls_move(stream->tls, out, bytes, length, &moved, &reason)) {
    case EW_TLS_DONE: return (ssize_t)moved;
    case EW_TLS_WANTS_IN: *wanted = POLLIN; return 0;
    case EW_TLS_WANTS_OUT: *wanted = POLLOUT; return 0;
    case EW_TLS_CLOSED: fail(stream, EW_STREAM_CLOSED, "the server closed the connection"); return -1;
    case EW_TLS_BROKEN: fail(stream, EW_STREAM_BROKEN, reason); return -1;
  }
  EW_BUG("TLS did none of what it can do");
}

bool ew_stream_flush(struct ew_stream *stream) {
  size_t sent = 0;
  while (!stream->failure && sent < stream->out.length) {
    short wanted;
    ssize_t moved = move(stream, true, stream->out.bytes + sent, stream->out.length - sent, &wanted);
    if (moved > 0) sent += (size_t)moved;
    if (moved == 0) wait_for(stream, wanted);
  }
  ew_text_reset(&stream->out);
  return !stream->failure;
}

/* What was read before is forgotten: nothing of it is borrowed any more. */
static void compact(struct ew_stream *stream) {
  size_t left = stream->in.length - stream->taken;
  if (!left) {
    if (stream->in.capacity > KEPT) ew_text_release(&stream->in);
    ew_text_reset(&stream->in);
  } else if (stream->taken > CHUNK && stream->taken > left) {
    memmove(stream->in.bytes, stream->in.bytes + stream->taken, left);
    ew_text_cut(&stream->in, left);
  } else {
    return;
  }
  stream->taken = 0;
}

/* Takes some more bytes in. */
static bool fill(struct ew_stream *stream) {
  while (!stream->failure) {
    short wanted;
    ew_text_reserve(&stream->in, CHUNK);
    ssize_t moved = move(stream, false, stream->in.bytes + stream->in.length, CHUNK, &wanted);
    if (moved > 0) {
      stream->in.length += (size_t)moved;
      stream->in.bytes[stream->in.length] = '\0';
      return true;
    }
    if (moved == 0) wait_for(stream, wanted);
  }
  return false;
}

static bool spend(struct ew_stream *stream, size_t length) {
  if (length > stream->budget) return fail(stream, EW_STREAM_FULL, "an answer larger than we take");
  stream->budget -= length;
  return true;
}

bool ew_stream_read(struct ew_stream *stream, size_t length, const char **bytes) {
  if (stream->failure || !spend(stream, length)) return false;
  if (stream->in.length - stream->taken < length) compact(stream);
  while (stream->in.length - stream->taken < length)
    if (!fill(stream)) return false;
  *bytes = length ? stream->in.bytes + stream->taken : "";
  stream->taken += length;
  return true;
}

bool ew_stream_read_line(struct ew_stream *stream, size_t limit, struct ew_span *line) {
  size_t seen = 0;
  for (bool compacted = false; !stream->failure;) {
    size_t there = stream->in.length - stream->taken;
    const char *start = stream->in.bytes + stream->taken;
    const char *end = there > seen ? memmem(start + seen, there - seen, "\r\n", 2) : NULL;
    if (end && (size_t)(end - start) <= limit) {
      *line = (struct ew_span){start, (size_t)(end - start)};
      if (!spend(stream, line->length + 2)) return false;
      stream->taken += line->length + 2;
      return true;
    }
    if (end || there > limit + 1) return fail(stream, EW_STREAM_BROKEN, "a line that does not end");
    seen = there ? there - 1 : 0; /* the \r may be there */
    if (!compacted) compact(stream);
    compacted = true;
    fill(stream);
  }
  return false;
}

bool ew_stream_pending(const struct ew_stream *stream) { return stream->in.length > stream->taken; }
