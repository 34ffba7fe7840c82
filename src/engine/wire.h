/* wire.h: the messages between a worker and its engine host, over a stream socket.

   A message is a header and a payload:

       'E' 'W' version type │ length of payload, 4 bytes │ payload

   Both ends are one program on one machine, so numbers of fixed size are in its byte order; all others are
   variable-length. But the host's memory may have been corrupted by its engine: the decoder takes every byte for
   hostile. It checks each count against the bytes that are left and against the limits below before it allocates,
   and what it returns keeps the invariants that value.h and rows.h state. Encoding appends to a text; decoding
   makes everything in the arena, except that strings point into the payload. */
#ifndef EW_ENGINE_WIRE_H
#define EW_ENGINE_WIRE_H

#include "base/arena.h"
#include "base/text.h"
#include "contract/engine.h"

enum {
  EW_WIRE_VERSION = 1,
  EW_WIRE_HEADER = 8,
  EW_WIRE_MESSAGE_MAX = 64 << 20, /* bytes of a payload */
  EW_WIRE_OUTCOME_MAX = 32 << 20, /* bytes of one statement's outcome */
  EW_WIRE_DEPTH_MAX = 128,        /* of values in values */
  EW_WIRE_ITEMS_MAX = 4 << 20,    /* values, names and rows in one message, all together */
};

enum ew_message {
  EW_MESSAGE_HELLO = 1, /* to the host: settings */
  EW_MESSAGE_READY,     /* to the worker: the answer to HELLO */
  EW_MESSAGE_RESET,     /* to the host: nothing in it */
  EW_MESSAGE_DONE,      /* to the worker: the answer to RESET */
  EW_MESSAGE_RUN,       /* to the host: a batch of statements */
  EW_MESSAGE_EXPLAIN,   /* to the host: a batch whose plans are wanted */
  EW_MESSAGE_OUTCOMES,  /* to the worker: some of the answers to RUN or EXPLAIN, in order */
  EW_MESSAGE_BYE,       /* to the host: nothing in it; it ends */
};

/* READY and DONE. */
struct ew_wire_reply {
  enum ew_status status;
  struct ew_span text; /* of READY: the engine's version; of a failure: why */
  int64_t cpu;         /* CPU nanoseconds of the host so far */
};

/* RUN and EXPLAIN. */
struct ew_wire_batch {
  uint64_t sequence; /* number of the first statement in the recorder */
  bool stop;         /* what follows a statement that did not end in rows is not run */
  const struct ew_option *options;
  size_t option_count;
  const struct ew_statement *statements; /* without trees */
  const int64_t *limits;                 /* nanoseconds for each statement, from its own start */
  size_t count;
};

/* The head of OUTCOMES; `count` outcomes follow. */
struct ew_wire_outcomes {
  uint64_t sequence; /* of the first outcome */
  uint32_t count;
  uint32_t last; /* 1: nothing more comes for this batch */
  int64_t cpu;   /* CPU nanoseconds of the host so far */
};

/* ---- writing ---- */

/* Starts a message at the end of `text`; the result goes to `ew_wire_end`, which fills in the length. False where
   the message is too large to be sent. */
size_t ew_wire_begin(struct ew_text *text, enum ew_message type);
bool ew_wire_end(struct ew_text *text, size_t begun) EW_CHECKED;

void ew_wire_write_settings(struct ew_text *text, const struct ew_settings *settings);
void ew_wire_write_reply(struct ew_text *text, const struct ew_wire_reply *reply);
/* These two are false where a value is nested too deeply or there is too much of it; what was appended is then
   useless. */
bool ew_wire_write_batch(struct ew_text *text, const struct ew_wire_batch *batch) EW_CHECKED;
bool ew_wire_write_outcome(struct ew_text *text, const struct ew_statement_outcome *outcome) EW_CHECKED;
void ew_wire_write_outcomes(struct ew_text *text, const struct ew_wire_outcomes *head);

/* ---- reading ---- */

/* What the first EW_WIRE_HEADER bytes say; false where they are no header. */
bool ew_wire_read_header(const char *bytes, enum ew_message *type, size_t *length) EW_CHECKED;

/* Reads a payload from its beginning. Once something was wrong every read gives zeros, and `_finish` is false. */
struct ew_wire_reader {
  const char *next, *end;
  struct ew_arena *arena;
  size_t items; /* that may still come */
  bool wrong;
};

void ew_wire_reader_init(struct ew_wire_reader *reader, struct ew_span payload, struct ew_arena *arena);
void ew_wire_read_settings(struct ew_wire_reader *reader, struct ew_settings *settings);
void ew_wire_read_reply(struct ew_wire_reader *reader, struct ew_wire_reply *reply);
void ew_wire_read_batch(struct ew_wire_reader *reader, struct ew_wire_batch *batch);
void ew_wire_read_outcomes(struct ew_wire_reader *reader, struct ew_wire_outcomes *head);
void ew_wire_read_outcome(struct ew_wire_reader *reader, struct ew_statement_outcome *outcome);
/* Whether all of the payload was read and all of it was right. */
bool ew_wire_finish(const struct ew_wire_reader *reader) EW_CHECKED;

#endif
