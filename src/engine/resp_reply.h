/* resp_reply.h: replies of the Redis protocol (RESP 2) as trees, and the answers of GRAPH.QUERY … --compact as rows.

       +simple   -error   :7   $5 bytes   *2 items        lengths in decimal, lines end with \r\n, $-1 and *-1 are null

   The bytes are hostile: no memory is taken by a count before its items have come; depth, items and (by the stream's budget)
   bytes are bounded. What is wrong is said by the stream (ew_stream_refuse). */
#ifndef EW_ENGINE_RESP_REPLY_H
#define EW_ENGINE_RESP_REPLY_H

#include "contract/outcome.h"
#include "engine/stream.h"

enum ew_resp_kind { EW_RESP_NULL, EW_RESP_TEXT, EW_RESP_ERROR, EW_RESP_INTEGER, EW_RESP_ARRAY };

struct ew_resp {
  enum ew_resp_kind kind;
  int64_t integer;
  struct ew_span text; /* of TEXT and ERROR */
  const struct ew_resp *items;
  size_t count;
};

/* The next reply, in `arena`; NULL where the stream has failed. */
const struct ew_resp *ew_resp_read(struct ew_stream *stream, struct ew_arena *arena);

/* Adds a command: an array of texts. */
void ew_resp_write(struct ew_text *text, const struct ew_span *words, size_t count);

/* Names that a compact answer has only numbers of. */
struct ew_resp_names {
  struct ew_names labels, types, keys;
};

enum ew_resp_answer {
  EW_RESP_ANSWERED,
  EW_RESP_UNKNOWN_NAMES, /* there is a number beyond the names: ask for them again */
  EW_RESP_NO_ANSWER,     /* it makes no sense: outcome->kind is CORRUPT, with a reason */
};

/* Fills rows and counters of the outcome, or its error, from a reply. */
enum ew_resp_answer ew_resp_read_answer(const struct ew_resp *reply, const struct ew_resp_names *names,
                                        struct ew_arena *arena, struct ew_statement_outcome *outcome);

/* The first column of an answer as names: of CALL db.labels() and its like. False where it is none. */
bool ew_resp_read_names(const struct ew_resp *reply, struct ew_arena *arena, struct ew_names *names);

#endif
