/* server_output.c: reading stack traces in whatever a server wrote. The bytes are hostile: everything is bounded and copied. */
#include "engine/server_output.h"

#include "base/vector.h"
#include "contract/profile.h"

enum { FRAMES_MAX = 24, FRAME_MAX = 120, GAP_MAX = 12 /* lines without a frame end a trace */ };

static bool next_line(struct ew_span *rest, struct ew_span *line) {
  if (!rest->length) return false;
  const char *end = memchr(rest->bytes, '\n', rest->length);
  size_t length = end ? (size_t)(end - rest->bytes) : rest->length;
  *line = (struct ew_span){rest->bytes, length};
  size_t skipped = end ? length + 1 : length;
  *rest = (struct ew_span){rest->bytes + skipped, rest->length - skipped};
  while (line->length && (line->bytes[line->length - 1] == '\r' || line->bytes[line->length - 1] == ' '))
    line->length--;
  while (line->length && (line->bytes[0] == ' ' || line->bytes[0] == '\t'))
    *line = (struct ew_span){line->bytes + 1, line->length - 1};
  return true;
}

struct ew_span ew_server_find_line(struct ew_span output, struct ew_span pattern) {
  struct ew_span rest = output, line;
  while (pattern.length && next_line(&rest, &line))
    if (ew_pattern_matches(pattern, line))
      return (struct ew_span){line.bytes, (size_t)(output.bytes + output.length - line.bytes)};
  return (struct ew_span){"", 0};
}

static struct ew_span between(struct ew_span text, const char *from, const char *to) {
  return (struct ew_span){from, to > from && to <= text.bytes + text.length ? (size_t)(to - from) : 0};
}

static const char *find(struct ew_span text, char c) { return memchr(text.bytes, c, text.length); }

/* "module(function+0x1f)[0x7f01]"; offsets of functions differ between builds and stay out, those of modules name the place. */
static bool read_backtrace(struct ew_span line, struct ew_arena *arena, struct ew_span *frame) {
  const char *open = find(line, '('), *end = line.bytes + line.length;
  if (!open || open == line.bytes || !line.length || end[-1] != ']') return false;
  const char *close = memchr(open, ')', (size_t)(end - open));
  if (!close || close + 1 >= end || close[1] != '[') return false;
  const char *slash = memrchr(line.bytes, '/', (size_t)(open - line.bytes)),
             *plus = memchr(open, '+', (size_t)(close - open));
  struct ew_span module = between(line, slash ? slash + 1 : line.bytes, open);
  const char *blank = find(module, ' '); /* a process may have a title, with its port in it */
  if (blank) module.length = (size_t)(blank - module.bytes);
  struct ew_span function = between(line, open + 1, plus ? plus : close);
  *frame = function.length
               ? function
               : ew_arena_format(arena, "%.*s%.*s", EW_SPAN_ARGS(module), (int)(close - open - 1), open + 1);
  return module.length && module.length < FRAME_MAX;
}

/* "at package.Class.method(File.java:12)" */
static bool read_java(struct ew_span line, struct ew_span *frame) {
  const char *open = find(line, '(');
  if (!ew_span_starts(line, EW_SPAN("at ")) || !open || line.bytes[line.length - 1] != ')') return false;
  *frame = between(line, line.bytes + 3, open);
  return frame->length && !find(*frame, ' ');
}

/* "C  [libx.so+0x1f]  function+0x1f" */
static bool read_native(struct ew_span line, struct ew_span *frame) {
  if (line.length < 6 || !strchr("CVJjv", line.bytes[0]) || line.bytes[1] != ' ') return false;
  const char *open = find(line, '['), *close = find(line, ']');
  if (!open || !close || close < open || open > line.bytes + 4) return false;
  struct ew_span rest = {close + 1, (size_t)(line.bytes + line.length - close - 1)};
  while (rest.length && rest.bytes[0] == ' ') rest = (struct ew_span){rest.bytes + 1, rest.length - 1};
  const char *plus = find(rest, '+');
  *frame = rest.length ? (struct ew_span){rest.bytes, plus ? (size_t)(plus - rest.bytes) : rest.length}
                       : between(line, open + 1, close);
  return frame->length > 0;
}

/* What says nothing of the engine: the C library's ways to die, handlers, threads' beginnings. */
static bool is_noise(struct ew_span frame) {
  static const char *const starts[] = {
      "libc.",  "libpthread", "ld-",          "raise",    "abort",      "gsignal", "__libc_",        "__assert",
      "_start", "clone",      "__restore_rt", "pthread_", "linux-vdso", "__GI_",   "sigsegvHandler", "start_thread"};
  for (size_t i = 0; i < EW_COUNT(starts); i++)
    if (ew_span_starts(frame, ew_span_of(starts[i]))) return true;
  return false;
}

/* Where the traces of all threads are there, the one that crashed is marked: "30446 thread-name *", then its frames. */
static struct ew_span from_marked_thread(struct ew_span output) {
  struct ew_span rest = output, line;
  while (next_line(&rest, &line)) {
    bool number = line.length && line.bytes[0] >= '0' && line.bytes[0] <= '9';
    if (number && line.length < FRAME_MAX && line.bytes[line.length - 1] == '*' && line.bytes[line.length - 2] == ' ')
      return rest;
  }
  return output;
}

struct ew_names ew_server_frames(struct ew_span output, struct ew_arena *arena) {
  EW_VECTOR(struct ew_span) frames = {0};
  struct ew_span line, frame = {"", 0};
  size_t gap = 0;
  output = from_marked_thread(output);
  while (next_line(&output, &line) && frames.count < FRAMES_MAX) {
    if (line.length > 4 * FRAME_MAX) continue;
    bool found =
        line.length && (read_backtrace(line, arena, &frame) || read_java(line, &frame) || read_native(line, &frame));
    gap = found ? 0 : gap + 1;
    if (frames.count && gap > GAP_MAX) break;
    if (!found || is_noise(frame)) continue;
    if (frame.length > FRAME_MAX) frame.length = FRAME_MAX;
    *ew_arena_vector_push(arena, &frames) = ew_arena_copy(arena, frame);
  }
  return (struct ew_names){frames.items, frames.count};
}
