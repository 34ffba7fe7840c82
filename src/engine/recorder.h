/* recorder.h: memory that a worker and its engine host share, and that outlives the host.

   The worker notes each statement before it sends it; the host marks when it starts and finishes one, and leaves
   there the answers that it has not sent yet. So when the host dies, by whatever means, the worker knows which
   statement killed it and loses no earlier answer. The handler of fatal signals writes the signal and the stack's
   frames here too.

       worker: note ▶ send                                 read what is left after a death
       host:          receive ▶ begin ▶ run ▶ end ▶ keep ▶ … ▶ send ▶ drop

   The host can write anything here once its memory is corrupted, so the worker bounds and copies what it reads. */
#ifndef EW_ENGINE_RECORDER_H
#define EW_ENGINE_RECORDER_H

#include "base/arena.h"
#include "base/span.h"
#include "base/status.h"

enum {
  EW_RECORDER_STATEMENTS = 256,   /* the last so many are kept */
  EW_RECORDER_TEXT_MAX = 1000,    /* bytes of a statement that are kept */
  EW_RECORDER_KEEP_MAX = 1 << 16, /* bytes of answers not yet sent */
  EW_RECORDER_FRAMES = 24,
  EW_RECORDER_FRAME_MAX = 120,
};

struct ew_recording; /* the shared memory; recorder.c */

struct ew_recorder {
  struct ew_recording *shared;
  int file;      /* behind it */
  uint64_t next; /* number of the next statement; the worker's own */
};

/* Shared memory in the file `path`, or in none where it is NULL. */
enum ew_status ew_recorder_open(struct ew_recorder *recorder, const char *path, struct ew_error *error) EW_CHECKED;
/* The same memory in another program, which has got its file as descriptor `file`. */
enum ew_status ew_recorder_join(struct ew_recorder *recorder, int file, struct ew_error *error) EW_CHECKED;
void ew_recorder_release(struct ew_recorder *recorder);
/* Before a new host starts: forgets marks, answers and the crash; statements stay readable. */
void ew_recorder_clear(struct ew_recorder *recorder);

/* ---- the worker ---- */

/* Notes a statement that is to be sent; returns its number. Numbers are consecutive, from 1. */
uint64_t ew_recorder_note(struct ew_recorder *recorder, struct ew_span text);

/* The statement that was started and not finished, and when; false where there is none. */
bool ew_recorder_executing(const struct ew_recorder *recorder, uint64_t *number, int64_t *since);

struct ew_recorded {
  struct ew_span text; /* its first EW_RECORDER_TEXT_MAX bytes at most */
  size_t length;       /* of all of it */
  uint64_t hash;       /* of all of it */
};

/* A copy of what was noted; false where it is not there any more. */
bool ew_recorder_find(const struct ew_recorder *recorder, uint64_t number, struct ew_arena *arena,
                      struct ew_recorded *recorded);

/* Answers that were not sent: those of statements `first` and on, `*count` of them, encoded. */
struct ew_span ew_recorder_kept(const struct ew_recorder *recorder, struct ew_arena *arena, uint64_t *first,
                                size_t *count);

/* The fatal signal that the host caught, or 0, and the frames of its stack, innermost first. */
int ew_recorder_crash(const struct ew_recorder *recorder, struct ew_arena *arena, struct ew_names *frames);

/* ---- the host ---- */

void ew_recorder_begin(struct ew_recorder *recorder, uint64_t number);
void ew_recorder_end(struct ew_recorder *recorder, uint64_t number);

/* Adds the encoded answer of statement `number` to those kept; false where it does not fit. */
bool ew_recorder_keep(struct ew_recorder *recorder, uint64_t number, struct ew_span answer);
/* All that was kept is sent now. */
void ew_recorder_drop(struct ew_recorder *recorder);

/* For the handler of fatal signals, and safe there. A frame is `symbol`, or where that is NULL `module`+0x`offset`. */
void ew_recorder_crash_begin(struct ew_recorder *recorder, int signal);
void ew_recorder_crash_frame(struct ew_recorder *recorder, const char *module, const char *symbol, uint64_t offset);

#endif
