/* resp_reply.c: reading replies off a stream. */
#include "engine/resp_reply.h"

#include "base/vector.h"
#include "value/value.h"

/* A value of a list costs two levels of a reply. */
enum { DEPTH_MAX = 2 * EW_VALUE_DEPTH + 16, LINE_MAX = 1 << 20, ITEMS_MAX = 4 << 20 };

struct reader {
  struct ew_stream *stream;
  struct ew_arena *arena;
  size_t items; /* so far */
};

static bool read_integer(struct ew_span text, int64_t *number) {
  bool negative = text.length && text.bytes[0] == '-';
  size_t i = negative || (text.length && text.bytes[0] == '+');
  int64_t value = 0;
  if (i == text.length) return false;
  for (; i < text.length; i++) {
    if (text.bytes[i] < '0' || text.bytes[i] > '9') return false;
    int64_t digit = text.bytes[i] - '0';
    if (__builtin_mul_overflow(value, (int64_t)10, &value) ||
        __builtin_sub_overflow(value, digit, &value)) /* downwards, for the smallest */
      return false;
  }
  if (!negative && value == INT64_MIN) return false;
  *number = negative ? value : -value;
  return true;
}

static bool read_reply(struct reader *reader, size_t depth, struct ew_resp *reply);

static bool read_bulk(struct reader *reader, int64_t length, struct ew_resp *reply) {
  const char *bytes, *end;
  if (length < 0) {
    reply->kind = EW_RESP_NULL;
    return length == -1 || ew_stream_refuse(reader->stream, "a string of a negative length");
  }
  if (!ew_stream_read(reader->stream, (size_t)length, &bytes)) return false;
  reply->kind = EW_RESP_TEXT;
  reply->text = ew_arena_copy(reader->arena, (struct ew_span){bytes, (size_t)length});
  if (!ew_stream_read(reader->stream, 2, &end)) return false;
  return memcmp(end, "\r\n", 2) == 0 || ew_stream_refuse(reader->stream, "a string that does not end where it should");
}

static bool read_array(struct reader *reader, int64_t count, size_t depth, struct ew_resp *reply) {
  EW_VECTOR(struct ew_resp) items = {0};
  if (count < 0) {
    reply->kind = EW_RESP_NULL;
    return count == -1 || ew_stream_refuse(reader->stream, "an array of a negative length");
  }
  if (depth >= DEPTH_MAX) return ew_stream_refuse(reader->stream, "a reply that nests too deep");
  for (int64_t i = 0; i < count; i++) {
    struct ew_resp item = {0};
    if (!read_reply(reader, depth + 1, &item)) return false;
    *ew_arena_vector_push(reader->arena, &items) = item;
  }
  reply->kind = EW_RESP_ARRAY;
  reply->items = items.items;
  reply->count = items.count;
  return true;
}

static bool read_reply(struct reader *reader, size_t depth, struct ew_resp *reply) {
  struct ew_span line;
  int64_t number = 0;
  if (++reader->items > ITEMS_MAX) {
    reader->stream->budget = 0;
    return ew_stream_read(reader->stream, 1, &line.bytes); /* fails: more than we take */
  }
  if (!ew_stream_read_line(reader->stream, LINE_MAX, &line)) return false;
  char type = line.length ? line.bytes[0] : '\0';
  struct ew_span rest = {line.bytes + 1, line.length ? line.length - 1 : 0};
  if (type == '+' || type == '-') {
    reply->kind = type == '+' ? EW_RESP_TEXT : EW_RESP_ERROR;
    reply->text = ew_arena_copy(reader->arena, rest);
    return true;
  }
  if (!type || !strchr(":$*", type)) return ew_stream_refuse(reader->stream, "bytes that are no reply");
  if (!read_integer(rest, &number)) return ew_stream_refuse(reader->stream, "a number that is none");
  if (type == '$') return read_bulk(reader, number, reply);
  if (type == '*') return read_array(reader, number, depth, reply);
  *reply = (struct ew_resp){.kind = EW_RESP_INTEGER, .integer = number};
  return true;
}

const struct ew_resp *ew_resp_read(struct ew_stream *stream, struct ew_arena *arena) {
  struct reader reader = {.stream = stream, .arena = arena};
  struct ew_resp *reply = EW_NEW(arena, struct ew_resp);
  return read_reply(&reader, 0, reply) ? reply : NULL;
}

void ew_resp_write(struct ew_text *text, const struct ew_span *words, size_t count) {
  ew_text_add_format(text, "*%zu\r\n", count);
  for (size_t i = 0; i < count; i++) {
    ew_text_add_format(text, "$%zu\r\n", words[i].length);
    ew_text_add(text, words[i]);
    ew_text_add_string(text, "\r\n");
  }
}
