/* packstream.h: PackStream, the encoding of values and messages in Bolt.

   A value begins with a marker; small ones are in it, others say in it how many bytes of length follow (all big-endian):

       00…7F F0…FF  integer          80…8F D0 D1 D2  string      B0…BF  structure: fields, then a tag byte
       C8 C9 CA CB  integer, 1…8 B   90…9F D4 D5 D6  list        CC CD CE  bytes
       C0  null   C1  float   C2 C3  false, true     A0…AF D8 D9 DA  map

   Nodes, relationships, paths, temporal values and points are structures (packstream.def). A server's bytes are hostile: no
   count is believed before it is held against the bytes that are left and against a budget of items, depth is bounded,
   and what comes out keeps the invariants of value.h. What is read is copied to the arena. */
#ifndef EW_ENGINE_PACKSTREAM_H
#define EW_ENGINE_PACKSTREAM_H

#include "value/value.h"

enum {
  EW_PACKSTREAM_DEPTH_MAX = 128,
  EW_PACKSTREAM_ITEMS_MAX = 4 << 20, /* values in one message */
};

enum ew_packstream_tag {
#define STRUCTURE(name, tag) EW_PACKSTREAM_##name = (tag),
#include "engine/packstream.def"
#undef STRUCTURE
};

/* ---- writing ---- */

/* What depends on the version of Bolt that was agreed on. */
struct ew_packstream_form {
  bool utc;         /* datetimes count from UTC, not from the local epoch: 5.0, and 4.4 where the server agrees */
  bool element_ids; /* elements have ids that are strings too: 5.0 */
};

void ew_packstream_write(struct ew_text *text, struct ew_value value, struct ew_packstream_form form);

/* For messages: heads, behind which so many fields or pairs of a key and a value are to be written. */
void ew_packstream_write_structure(struct ew_text *text, size_t fields, unsigned tag);
void ew_packstream_write_map(struct ew_text *text, size_t pairs);
void ew_packstream_write_integer(struct ew_text *text, int64_t number);
void ew_packstream_write_string(struct ew_text *text, struct ew_span string);

/* ---- reading ---- */

/* Once something was wrong every read gives null, and `_finish` is false. */
struct ew_packstream_reader {
  const char *next, *end;
  struct ew_arena *arena;
  size_t items; /* that may still come */
  bool wrong;
  bool large; /* wrong only because there were more items than that */
};

void ew_packstream_reader_init(struct ew_packstream_reader *reader, struct ew_span bytes, struct ew_arena *arena);
/* Bytes come back as a list of integers, a vector as a list of numbers: there is no other value for them. */
struct ew_value ew_packstream_read(struct ew_packstream_reader *reader);
/* The head of a message; its fields are to be read next. */
unsigned ew_packstream_read_structure(struct ew_packstream_reader *reader, size_t *fields);
/* The count of a list whose items are to be read next. */
size_t ew_packstream_read_list(struct ew_packstream_reader *reader);
/* Whether all bytes were read and all were right. */
bool ew_packstream_finish(const struct ew_packstream_reader *reader) EW_CHECKED;

#endif
