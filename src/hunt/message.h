/* message.h: what a worker and the supervisor say to each other over a socketpair. Both are ours, but a worker may die in the
   middle of a word, so the supervisor reads whole messages only. */
#ifndef EW_HUNT_MESSAGE_H
#define EW_HUNT_MESSAGE_H

#include "base/text.h"

enum ew_hunt_message {
  EW_SAY_VIOLATION =
      1, /* number = group, flag = it is looked at now, else when the tests are over: is it worth the trouble?
                           Answered */
  EW_SAY_DUPLICATES, /* payload = the groups (64 bits each) of violations whose group the worker knows to be known */
  EW_SAY_CONFIRMED,  /* payload = finding.json of the unreduced finding; answered */
  EW_SAY_REDUCED,    /* payload = finding.json after reduction, or as before where that failed; answered */
  EW_SAY_PROGRESS,   /* payload = text for the status */
  EW_SAY_BROKEN,     /* payload = why this worker cannot go on: the engine does not start */
};

/* One byte. */
enum ew_hunt_answer {
  EW_ANSWER_NO,
  EW_ANSWER_YES,
  EW_ANSWER_KNOWN, /* no, and it will be no for ever: there is a finding of this group */
};

struct ew_hunt_head {
  uint32_t type, flag;
  uint64_t number;
  uint64_t length; /* of the payload */
};

enum { EW_HUNT_MESSAGE_MAX = 64 << 20 };

/* Blocking; false where the other end is gone. */
bool ew_hunt_send(int socket, enum ew_hunt_message type, bool flag, uint64_t number, struct ew_span payload);
bool ew_hunt_ask(int socket, enum ew_hunt_message type, bool flag, uint64_t number, struct ew_span payload,
                 enum ew_hunt_answer *answer);
bool ew_hunt_answer(int socket, enum ew_hunt_answer answer);

/* Reads what is there without blocking. False where the other end is gone. */
bool ew_hunt_receive(int socket, struct ew_text *buffer);
/* The first whole message of the buffer, or false. `*payload` lives until `ew_hunt_taken`. */
bool ew_hunt_next(const struct ew_text *buffer, struct ew_hunt_head *head, struct ew_span *payload);
void ew_hunt_taken(struct ew_text *buffer, const struct ew_hunt_head *head);

#endif
