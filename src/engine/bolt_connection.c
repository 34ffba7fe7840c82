/* bolt_connection.c: handshake, chunks, logging in. */
#include "engine/bolt_connection.h"

#include "engine/wire.h"

enum {
  CHUNK_MAX = 65535,
  ANSWER_MAX = EW_WIRE_OUTCOME_MAX,
  ITEMS_MAX = 1 << 20, /* values in one answer */
  OFFERS_MAX = 256,    /* versions in a server's manifest */
  VARIABLE_BYTES = 10, /* of a number of 64 bits */
  MANIFEST = 0xff,     /* in the place of a major version: the server lists what it speaks */
};

/* What we speak: minor versions from 0 or `oldest` on. */
static const struct { unsigned major, oldest, newest; } spoken[] = {{6, 0, 0}, {5, 0, 8}, {4, 4, 4}};

/* ---- the handshake ---- */

/* A version as it is sent: 0, how many minor versions below it are meant too, minor, major. */
struct offer {
  unsigned range;
  struct ew_bolt_version version;
};

static void write_offer(struct ew_text *text, struct offer offer) {
  const unsigned char bytes[4] = {0, (unsigned char)offer.range, (unsigned char)offer.version.minor,
                                  (unsigned char)offer.version.major};
  ew_text_add_bytes(text, (const char *)bytes, sizeof bytes);
}

static bool read_offer(struct ew_stream *stream, struct offer *offer) {
  const char *bytes;
  if (!ew_stream_read(stream, 4, &bytes)) return false;
  const unsigned char *field = (const unsigned char *)bytes;
  *offer = (struct offer){field[1], {field[3], field[2]}};
  return true;
}

static bool read_variable(struct ew_stream *stream, uint64_t *number) {
  *number = 0;
  for (unsigned i = 0; i < VARIABLE_BYTES; i++) {
    const char *byte;
    if (!ew_stream_read(stream, 1, &byte)) return false;
    *number |= (uint64_t)(*byte & 0x7f) << 7 * i;
    if (!(*byte & 0x80)) return true;
  }
  return ew_stream_refuse(stream, "a number without an end in the handshake");
}

/* The newest version of the offer that we speak; major 0 where there is none. */
static struct ew_bolt_version best_of(struct offer offer) {
  for (size_t i = 0; i < EW_COUNT(spoken); i++) {
    if (spoken[i].major != offer.version.major) continue;
    unsigned lowest = offer.version.minor > offer.range ? offer.version.minor - offer.range : 0;
    unsigned minor = offer.version.minor < spoken[i].newest ? offer.version.minor : spoken[i].newest;
    if (minor >= lowest && minor >= spoken[i].oldest) return (struct ew_bolt_version){spoken[i].major, minor};
  }
  return (struct ew_bolt_version){0, 0};
}

static bool newer(struct ew_bolt_version a, struct ew_bolt_version b) {
  return a.major != b.major ? a.major > b.major : a.minor > b.minor;
}

/* The server lists its versions and capabilities; we answer with one of the former and none of the latter. */
static bool read_manifest(struct ew_bolt *bolt) {
  struct ew_stream *stream = &bolt->stream;
  uint64_t count, capabilities;
  if (!read_variable(stream, &count)) return false;
  if (count > OFFERS_MAX) return ew_stream_refuse(stream, "too many versions in the handshake");
  for (uint64_t i = 0; i < count; i++) {
    struct offer offer;
    if (!read_offer(stream, &offer)) return false;
    struct ew_bolt_version best = best_of(offer);
    if (newer(best, bolt->version)) bolt->version = best;
  }
  if (!read_variable(stream, &capabilities)) return false;
  write_offer(&stream->out, (struct offer){0, bolt->version});
  ew_text_add_char(&stream->out, 0);
  return ew_stream_flush(stream);
}

static bool shake_hands(struct ew_bolt *bolt) {
  struct ew_stream *stream = &bolt->stream;
  struct offer answer;
  bolt->version = (struct ew_bolt_version){0, 0};
  ew_text_add_bytes(&stream->out, "\x60\x60\xb0\x17", 4);
  write_offer(&stream->out, (struct offer){0, {MANIFEST, 1}});
  write_offer(&stream->out, (struct offer){8, {5, 8}});
  write_offer(&stream->out, (struct offer){0, {4, 4}});
  write_offer(&stream->out, (struct offer){0, {0, 0}});
  if (!ew_stream_flush(stream) || !read_offer(stream, &answer)) return false;
  if (answer.version.major == MANIFEST) {
    if (answer.version.minor != 1) return ew_stream_refuse(stream, "a manifest of a kind that we did not ask for");
    if (!read_manifest(bolt)) return false;
  } else {
    bolt->version = best_of((struct offer){0, answer.version});
  }
  if (!bolt->version.major) return ew_stream_refuse(stream, "no version of Bolt that both sides speak");
  bolt->form.utc = bolt->form.element_ids = bolt->version.major >= 5;
  return true;
}

/* ---- messages ---- */

struct ew_text *ew_bolt_begin(struct ew_bolt *bolt, enum ew_bolt_tag tag, size_t fields) {
  ew_text_reset(&bolt->request);
  ew_packstream_write_structure(&bolt->request, fields, tag);
  return &bolt->request;
}

void ew_bolt_end(struct ew_bolt *bolt) {
  struct ew_text *out = &bolt->stream.out;
  for (size_t done = 0; done < bolt->request.length;) {
    size_t length = bolt->request.length - done < CHUNK_MAX ? bolt->request.length - done : CHUNK_MAX;
    ew_text_add_char(out, (char)(unsigned char)(length >> 8));
    ew_text_add_char(out, (char)(unsigned char)length);
    ew_text_add_bytes(out, bolt->request.bytes + done, length);
    done += length;
  }
  ew_text_add_bytes(out, "\0\0", 2);
  bolt->waiting++;
}

bool ew_bolt_flush(struct ew_bolt *bolt) { return ew_stream_flush(&bolt->stream); }

void ew_bolt_allow(struct ew_bolt *bolt, struct ew_deadline deadline) {
  ew_stream_allow(&bolt->stream, deadline, ANSWER_MAX);
  bolt->items = ITEMS_MAX;
  bolt->large = false;
}

/* Puts chunks together until one is empty; empty ones before the first only say that the server lives. */
static bool read_chunks(struct ew_bolt *bolt) {
  const char *bytes;
  for (;;) {
    if (!bolt->chunk) {
      if (!ew_stream_read(&bolt->stream, 2, &bytes)) return false;
      bolt->chunk = (size_t)(unsigned char)bytes[0] << 8 | (unsigned char)bytes[1];
      if (!bolt->chunk && bolt->reply.length) return true;
      if (!bolt->chunk) continue;
    }
    if (!ew_stream_read(&bolt->stream, bolt->chunk, &bytes)) return false;
    ew_text_add_bytes(&bolt->reply, bytes, bolt->chunk);
    bolt->chunk = 0;
  }
}

static bool is_map(struct ew_value value, struct ew_items *items) {
  if (value.kind != EW_VALUE_MAP) return false;
  *items = value.map;
  return true;
}

static bool decode(struct ew_bolt *bolt, struct ew_arena *arena, struct ew_bolt_reply *reply) {
  struct ew_packstream_reader reader;
  size_t fields;
  ew_packstream_reader_init(&reader, ew_text_span(&bolt->reply), arena);
  reader.items = bolt->items;
  reply->tag = ew_packstream_read_structure(&reader, &fields);
  struct ew_value field = fields ? ew_packstream_read(&reader) : ew_null();
  bool right = ew_packstream_finish(&reader) && fields <= 1;
  bolt->items = reader.items;
  bolt->large = reader.large;
  switch (reply->tag) {
    case EW_BOLT_RECORD: reply->record = field.list; return right && field.kind == EW_VALUE_LIST;
    case EW_BOLT_SUCCESS:
    case EW_BOLT_FAILURE: return right && is_map(field, &reply->metadata);
    case EW_BOLT_IGNORED: return right;
    default: return false;
  }
}

bool ew_bolt_receive(struct ew_bolt *bolt, struct ew_arena *arena, struct ew_bolt_reply *reply) {
  *reply = (struct ew_bolt_reply){0};
  if (!read_chunks(bolt)) return false;
  bool right = decode(bolt, arena, reply);
  ew_text_reset(&bolt->reply);
  if (!right)
    return ew_stream_refuse(&bolt->stream, bolt->large ? "an answer of too many values" : "no message of Bolt");
  if (reply->tag == EW_BOLT_RECORD) return true;
  if (!bolt->waiting) return ew_stream_refuse(&bolt->stream, "an answer to nothing");
  bolt->waiting--;
  return true;
}

bool ew_bolt_reset(struct ew_bolt *bolt, struct ew_arena *arena, struct ew_deadline deadline) {
  struct ew_bolt_reply reply = {0};
  if (bolt->stream.failure == EW_STREAM_LATE) bolt->stream.failure = EW_STREAM_FINE;
  ew_bolt_allow(bolt, deadline);
  ew_bolt_begin(bolt, EW_BOLT_RESET, 0);
  ew_bolt_end(bolt);
  if (!ew_bolt_flush(bolt)) return false;
  while (bolt->waiting) {
    struct ew_arena_mark mark = ew_arena_mark(arena);
    bool came = ew_bolt_receive(bolt, arena, &reply);
    ew_arena_rewind(arena, mark);
    if (!came) return false;
  }
  return reply.tag == EW_BOLT_SUCCESS || ew_stream_refuse(&bolt->stream, "RESET was not done");
}

/* ---- logging in ---- */

static void write_pair(struct ew_text *text, const char *key, struct ew_span value) {
  ew_packstream_write_string(text, ew_span_of(key));
  ew_packstream_write_string(text, value);
}

/* As pairs of a map; how many there are. */
static size_t write_credentials(struct ew_text *text, const struct ew_bolt_login *login) {
  write_pair(text, "scheme", login->user.length ? EW_SPAN("basic") : EW_SPAN("none"));
  if (!login->user.length) return 1;
  write_pair(text, "principal", login->user);
  write_pair(text, "credentials", login->password);
  return 3;
}

/* Warnings about a query cost time and say nothing about its answer: they are switched off where that is possible. */
static void write_hello(struct ew_bolt *bolt, const struct ew_bolt_login *login) {
  struct ew_text *text = ew_bolt_begin(bolt, EW_BOLT_HELLO, 1);
  bool old = bolt->version.major == 4, logs_on = !old && (bolt->version.major > 5 || bolt->version.minor >= 1);
  bool quiet = logs_on && (bolt->version.major > 5 || bolt->version.minor >= 2);
  bool agent = logs_on && (bolt->version.major > 5 || bolt->version.minor >= 3);
  size_t credentials = logs_on ? 0 : login->user.length ? 3 : 1;
  ew_packstream_write_map(text, 1 + credentials + old + quiet + agent);
  write_pair(text, "user_agent", EW_SPAN("edgewise/1"));
  if (!logs_on) write_credentials(text, login);
  if (old) {
    const struct ew_value utc = ew_string(EW_SPAN("utc"));
    ew_packstream_write_string(text, EW_SPAN("patch_bolt"));
    ew_packstream_write(text, ew_list(&utc, 1), bolt->form);
  }
  if (quiet) write_pair(text, "notifications_minimum_severity", EW_SPAN("OFF"));
  if (agent) {
    ew_packstream_write_string(text, EW_SPAN("bolt_agent"));
    ew_packstream_write_map(text, 1);
    write_pair(text, "product", EW_SPAN("edgewise/1"));
  }
  ew_bolt_end(bolt);
  if (!logs_on) return;
  text = ew_bolt_begin(bolt, EW_BOLT_LOGON, 1);
  ew_packstream_write_map(text, login->user.length ? 3 : 1);
  write_credentials(text, login);
  ew_bolt_end(bolt);
}

/* The answer to HELLO says whether a server of 4.4 counts datetimes from UTC. */
static void read_patches(struct ew_bolt *bolt, struct ew_items metadata) {
  const struct ew_value *patches = ew_items_find(metadata, EW_SPAN("patch_bolt"));
  for (size_t i = 0; patches && patches->kind == EW_VALUE_LIST && i < patches->list.count; i++) {
    const struct ew_value *patch = &patches->list.items[i];
    if (patch->kind == EW_VALUE_STRING && ew_span_is(patch->string, "utc")) bolt->form.utc = true;
  }
}

bool ew_bolt_connect(struct ew_bolt *bolt, const struct ew_bolt_login *login, struct ew_deadline deadline,
                     struct ew_arena *arena, struct ew_bolt_reply *answer) {
  struct ew_stream *stream = &bolt->stream;
  *answer = (struct ew_bolt_reply){0};
  bolt->chunk = bolt->waiting = 0;
  ew_text_reset(&bolt->reply);
  if (!ew_stream_connect(stream, &login->address, deadline)) return false;
  ew_bolt_allow(bolt, deadline);
  if (login->tls && !ew_stream_encrypt(stream, login->address.host, login->lax)) return false;
  if (!shake_hands(bolt)) return false;
  write_hello(bolt, login);
  if (!ew_bolt_flush(bolt)) return false;
  struct ew_bolt_reply last;
  for (bool first = true; bolt->waiting; first = false) {
    if (!ew_bolt_receive(bolt, arena, &last)) return false;
    if (first || last.tag == EW_BOLT_FAILURE) *answer = last;
    if (last.tag != EW_BOLT_SUCCESS) return ew_stream_refuse(stream, "the server does not let us in");
  }
  if (bolt->version.major == 4) read_patches(bolt, answer->metadata);
  return true;
}

void ew_bolt_close(struct ew_bolt *bolt) {
  if (!bolt->stream.failure && bolt->version.major) {
    ew_stream_allow(&bolt->stream, ew_deadline_in(100 * EW_MILLISECOND), 0);
    ew_bolt_begin(bolt, EW_BOLT_GOODBYE, 0);
    ew_bolt_end(bolt);
    ew_bolt_flush(bolt);
  }
  ew_stream_close(&bolt->stream);
}

void ew_bolt_release(struct ew_bolt *bolt) {
  ew_bolt_close(bolt);
  ew_stream_release(&bolt->stream);
  ew_text_release(&bolt->request);
  ew_text_release(&bolt->reply);
}
