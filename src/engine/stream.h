/* stream.h: bytes to and from a server: a buffer over TLS over TCP, each step with a deadline.

       adapter ──▶ stream: one buffer for what comes, one for what goes ──▶ [tls] ──▶ tcp

   A server's bytes are hostile: nothing is allocated by a length that it sent; who reads says how much may come. A stream that
   failed stays failed, with the reason in `failure`; so a decoder may read on and look once at its end. */
#ifndef EW_ENGINE_STREAM_H
#define EW_ENGINE_STREAM_H

#include "base/deadline.h"
#include "base/span.h"
#include "base/text.h"

enum ew_stream_failure {
  EW_STREAM_FINE,
  EW_STREAM_CLOSED, /* the other end, or nobody listens */
  EW_STREAM_LATE,   /* the deadline has passed */
  EW_STREAM_FULL,   /* more bytes than `budget` */
  EW_STREAM_BROKEN, /* no TLS, or what the decoder says is wrong: ew_stream_refuse */
};

struct ew_stream_tls; /* stream_tls.c */

struct ew_stream {
  int socket;                /* -1 where there is none */
  struct ew_stream_tls *tls; /* NULL where it is plain */
  struct ew_deadline deadline;
  enum ew_stream_failure failure;
  const char *reason; /* in words, static, or NULL */
  size_t budget;      /* bytes that may still be read; see ew_stream_allow */
  struct ew_text in, out;
  size_t taken; /* bytes of `in` that were read */
};

/* A server's address; the port is in decimal. Neither may hold NUL. */
struct ew_address {
  const char *host, *port;
};

/* Connects; false, with failure and reason, where that did not work by the deadline. The stream was zeroed or closed. */
bool ew_stream_connect(struct ew_stream *stream, const struct ew_address *address, struct ew_deadline deadline);
/* From now on all bytes go through TLS. The server's certificate must be good for `host`, unless `lax`. False also where
   edgewise was built without TLS. */
bool ew_stream_encrypt(struct ew_stream *stream, const char *host, bool lax);
/* Whether this edgewise has TLS. */
bool ew_stream_can_encrypt(void);
/* Also after a failure, and twice. The buffers are kept for the next connection; `_release` gives them back. */
void ew_stream_close(struct ew_stream *stream);
void ew_stream_release(struct ew_stream *stream);

/* Before each exchange: until when, and how many bytes the answer may have. */
void ew_stream_allow(struct ew_stream *stream, struct ew_deadline deadline, size_t budget);

/* Sends what was put into `out`. */
bool ew_stream_flush(struct ew_stream *stream);

/* The next `length` bytes, borrowed until the next call; false, with the failure set, where they do not come. A length
   beyond the budget fails at once, without waiting and without memory for it. */
bool ew_stream_read(struct ew_stream *stream, size_t length, const char **bytes);
/* Up to and without the next "\r\n", borrowed as above; the line has at most `limit` bytes. */
bool ew_stream_read_line(struct ew_stream *stream, size_t limit, struct ew_span *line);
/* Whether bytes have come that were not read: nothing may lie there between two exchanges. */
bool ew_stream_pending(const struct ew_stream *stream);

/* What was read makes no sense: the stream is BROKEN from here on. Returns false. */
bool ew_stream_refuse(struct ew_stream *stream, const char *reason);

#endif
