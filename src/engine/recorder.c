/* recorder.c: the layout of the shared memory and its marks. Marks are atomic because two processes see them; what lies
   between them is only read by the other process when its writer is dead or waits for an answer. */
#include "engine/recorder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/deadline.h"
#include "base/hash.h"

struct slot {
  uint64_t number, length, hash;
  char text[EW_RECORDER_TEXT_MAX];
};

struct ew_recording {
  _Atomic uint64_t started, finished; /* numbers of statements; equal where none is executed */
  _Atomic int64_t since;              /* when `started` did */
  _Atomic uint64_t kept_first;
  _Atomic uint32_t kept_count, kept_length;
  _Atomic int32_t signal;
  _Atomic uint32_t frame_count;
  char frames[EW_RECORDER_FRAMES][EW_RECORDER_FRAME_MAX];
  char kept[EW_RECORDER_KEEP_MAX];
  struct slot slots[EW_RECORDER_STATEMENTS];
};

static struct slot *slot_of(const struct ew_recorder *recorder, uint64_t number) {
  return &recorder->shared->slots[number % EW_RECORDER_STATEMENTS];
}

enum ew_status ew_recorder_join(struct ew_recorder *recorder, int file, struct ew_error *error) {
  void *shared = mmap(NULL, sizeof *recorder->shared, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  *recorder = (struct ew_recorder){.file = file, .next = 1};
  if (shared == MAP_FAILED) return ew_fail(error, EW_IO, "cannot map the recorder: %s", strerror(errno));
  recorder->shared = shared;
  return EW_OK;
}

enum ew_status ew_recorder_open(struct ew_recorder *recorder, const char *path, struct ew_error *error) {
  *recorder = (struct ew_recorder){.file = -1, .next = 1};
  int file = path ? open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600) : memfd_create("edgewise-recorder", MFD_CLOEXEC);
  const char *name = path ? path : "memory";
  if (file < 0) return ew_fail(error, EW_IO, "cannot make the recorder in %s: %s", name, strerror(errno));
  if (ftruncate(file, 0) == 0 && ftruncate(file, sizeof *recorder->shared) == 0)
    return ew_recorder_join(recorder, file, error);
  int why = errno;
  close(file);
  return ew_fail(error, EW_IO, "cannot make the recorder in %s: %s", name, strerror(why));
}

void ew_recorder_release(struct ew_recorder *recorder) {
  if (recorder->shared) {
    munmap(recorder->shared, sizeof *recorder->shared);
    close(recorder->file);
  }
  *recorder = (struct ew_recorder){0};
}

void ew_recorder_clear(struct ew_recorder *recorder) {
  struct ew_recording *shared = recorder->shared;
  shared->started = shared->finished = recorder->next - 1;
  shared->since = 0;
  shared->signal = 0;
  shared->frame_count = 0;
  ew_recorder_drop(recorder);
}

uint64_t ew_recorder_note(struct ew_recorder *recorder, struct ew_span text) {
  uint64_t number = recorder->next++;
  struct slot *slot = slot_of(recorder, number);
  slot->number = number;
  slot->length = text.length;
  slot->hash = ew_hash_span(text, 0);
  if (text.length) memcpy(slot->text, text.bytes, text.length < sizeof slot->text ? text.length : sizeof slot->text);
  return number;
}

bool ew_recorder_executing(const struct ew_recorder *recorder, uint64_t *number, int64_t *since) {
  uint64_t started = recorder->shared->started;
  *number = started;
  *since = recorder->shared->since;
  return started != recorder->shared->finished;
}

bool ew_recorder_find(const struct ew_recorder *recorder, uint64_t number, struct ew_arena *arena,
                      struct ew_recorded *recorded) {
  const struct slot *slot = slot_of(recorder, number);
  if (!number || slot->number != number) return false;
  size_t length = (size_t)slot->length;
  struct ew_span kept = {slot->text, length < sizeof slot->text ? length : sizeof slot->text};
  *recorded = (struct ew_recorded){ew_arena_copy(arena, kept), length, slot->hash};
  return true;
}

struct ew_span ew_recorder_kept(const struct ew_recorder *recorder, struct ew_arena *arena, uint64_t *first,
                                size_t *count) {
  const struct ew_recording *shared = recorder->shared;
  uint32_t length = shared->kept_length;
  *first = shared->kept_first;
  *count = shared->kept_count;
  if (length > sizeof shared->kept || *count > length) length = 0;
  if (!length) *count = 0;
  return ew_arena_copy(arena, (struct ew_span){shared->kept, length});
}

int ew_recorder_crash(const struct ew_recorder *recorder, struct ew_arena *arena, struct ew_names *frames) {
  const struct ew_recording *shared = recorder->shared;
  *frames = (struct ew_names){0};
  int signal = shared->signal;
  if (signal <= 0 || signal > 64) return 0;
  size_t count = shared->frame_count;
  if (count > EW_RECORDER_FRAMES) count = EW_RECORDER_FRAMES;
  struct ew_span *items = EW_NEW_ARRAY(arena, struct ew_span, count);
  for (size_t i = 0; i < count; i++) {
    const char *frame = shared->frames[i];
    items[i] = ew_arena_copy(arena, (struct ew_span){frame, strnlen(frame, EW_RECORDER_FRAME_MAX)});
  }
  *frames = (struct ew_names){items, count};
  return signal;
}

void ew_recorder_begin(struct ew_recorder *recorder, uint64_t number) {
  recorder->shared->since = ew_now();
  recorder->shared->started = number;
}

void ew_recorder_end(struct ew_recorder *recorder, uint64_t number) { recorder->shared->finished = number; }

bool ew_recorder_keep(struct ew_recorder *recorder, uint64_t number, struct ew_span answer) {
  struct ew_recording *shared = recorder->shared;
  uint32_t length = shared->kept_length;
  if (length > sizeof shared->kept || answer.length > sizeof shared->kept - length) return false;
  if (!shared->kept_count) shared->kept_first = number;
  memcpy(shared->kept + length, answer.bytes, answer.length);
  shared->kept_length = length + (uint32_t)answer.length;
  shared->kept_count++;
  return true;
}

void ew_recorder_drop(struct ew_recorder *recorder) {
  recorder->shared->kept_count = recorder->shared->kept_length = 0;
}

void ew_recorder_crash_begin(struct ew_recorder *recorder, int signal) {
  recorder->shared->frame_count = 0;
  recorder->shared->signal = signal;
}

static size_t append(char *frame, size_t length, const char *string) {
  while (*string && length < EW_RECORDER_FRAME_MAX - 1) frame[length++] = *string++;
  return length;
}

void ew_recorder_crash_frame(struct ew_recorder *recorder, const char *module, const char *symbol, uint64_t offset) {
  uint32_t index = recorder->shared->frame_count;
  if (index >= EW_RECORDER_FRAMES) return;
  char *frame = recorder->shared->frames[index];
  size_t length = append(frame, 0, symbol ? symbol : module);
  if (!symbol) {
    char digits[17];
    size_t at = sizeof digits - 1;
    digits[at] = '\0';
    do {
      digits[--at] = "0123456789abcdef"[offset & 15];
      offset >>= 4;
    } while (offset);
    length = append(frame, length, "+0x");
    length = append(frame, length, digits + at);
  }
  frame[length] = '\0';
  recorder->shared->frame_count = index + 1;
}
