/* bolt_connection.h: a connection that speaks Bolt: versions, messages in chunks, requests and replies.

       client                                    server
       60 60 B0 17, four proposals        ──▶
                                          ◀──    a version, or a manifest of versions, of which the client takes one
       HELLO, LOGON (from 5.1 on)         ──▶
                                          ◀──    SUCCESS
       RUN, PULL                          ──▶
                                          ◀──    SUCCESS with columns, RECORD …, SUCCESS with a summary
                                                 or FAILURE, and IGNORED for the rest until RESET

   A message is a PackStream structure, cut into chunks of at most 65,535 bytes with two bytes of length before each; an empty
   chunk ends it. Requests may be sent before earlier ones are answered; `waiting` counts those.
   Whatever goes wrong is in the stream's failure. Versions: 4.4, 5.0 to 5.8, 6.0. */
#ifndef EW_ENGINE_BOLT_CONNECTION_H
#define EW_ENGINE_BOLT_CONNECTION_H

#include "engine/packstream.h"
#include "engine/stream.h"

enum ew_bolt_tag {
  EW_BOLT_HELLO = 0x01,
  EW_BOLT_GOODBYE = 0x02,
  EW_BOLT_RESET = 0x0f,
  EW_BOLT_RUN = 0x10,
  EW_BOLT_BEGIN = 0x11,
  EW_BOLT_COMMIT = 0x12,
  EW_BOLT_ROLLBACK = 0x13,
  EW_BOLT_PULL = 0x3f,
  EW_BOLT_LOGON = 0x6a,
  EW_BOLT_SUCCESS = 0x70,
  EW_BOLT_RECORD = 0x71,
  EW_BOLT_IGNORED = 0x7e,
  EW_BOLT_FAILURE = 0x7f,
};

struct ew_bolt_version {
  unsigned major, minor;
};

struct ew_bolt {
  struct ew_stream stream;
  struct ew_bolt_version version;
  struct ew_packstream_form form;
  struct ew_text request, reply; /* a message being written; one being put together from chunks */
  size_t chunk;                  /* bytes of a chunk whose length has been read, and which has not */
  size_t waiting;                /* requests that are not answered yet */
  size_t items;                  /* values that may still come in this exchange */
  bool large;                    /* more values than that came: the stream is broken for no fault of the server */
};

struct ew_bolt_login {
  struct ew_address address;
  bool tls, lax;                 /* lax: any certificate will do */
  struct ew_span user, password; /* no user: without authentication */
};

/* What a server sent. */
struct ew_bolt_reply {
  enum ew_bolt_tag tag;
  struct ew_items metadata; /* of SUCCESS and FAILURE */
  struct ew_values record;  /* of RECORD */
};

/* Connects, agrees on a version and logs in. False where that did not work; where the server refused, `refusal` is its
   FAILURE, else it has no metadata. */
bool ew_bolt_connect(struct ew_bolt *bolt, const struct ew_bolt_login *login, struct ew_deadline deadline,
                     struct ew_arena *arena, struct ew_bolt_reply *answer);
/* Says goodbye where that can be said at once. */
void ew_bolt_close(struct ew_bolt *bolt);
void ew_bolt_release(struct ew_bolt *bolt);

/* Before each exchange: until when, and how much may come. */
void ew_bolt_allow(struct ew_bolt *bolt, struct ew_deadline deadline);

/* Begins a request of so many fields: they are to be written to the result; `_end` puts it behind those that wait to be
   sent. */
struct ew_text *ew_bolt_begin(struct ew_bolt *bolt, enum ew_bolt_tag tag, size_t fields);
void ew_bolt_end(struct ew_bolt *bolt);
bool ew_bolt_flush(struct ew_bolt *bolt);

/* The next message; false where none came, or none that makes sense. After the deadline one may allow more time and go on,
   once the stream's failure is cleared: nothing is lost. */
bool ew_bolt_receive(struct ew_bolt *bolt, struct ew_arena *arena, struct ew_bolt_reply *reply);

/* Ends whatever runs or has failed: RESET. False where the server does not answer that by the deadline. */
bool ew_bolt_reset(struct ew_bolt *bolt, struct ew_arena *arena, struct ew_deadline deadline);

#endif
