/* print.c: values as Cypher expressions. What is printed goes to engines and into reports, and read.c reads it back. */
#include <math.h>

#include "base/utf8.h"
#include "value/value.h"

/* ---- strings and names ---- */

/* The letter behind the backslash of a short escape, or 0. */
static char escape_letter(unsigned char c) {
  switch (c) {
    case '\\':
    case '\'': return (char)c;
    case '\n': return 'n';
    case '\t': return 't';
    case '\r': return 'r';
    case '\b': return 'b';
    case '\f': return 'f';
    default: return 0;
  }
}

/* The control character at `bytes` (C0, DEL, or C1 in its two bytes) and its length, or 0. */
static size_t control_length(const char *bytes, size_t available) {
  unsigned char c = (unsigned char)bytes[0];
  if (c < 0x20 || c == 0x7f) return 1;
  if (c != 0xc2 || available < 2) return 0;
  unsigned char next = (unsigned char)bytes[1];
  return next >= 0x80 && next < 0xa0 ? 2 : 0;
}

/* Whether a byte may begin what is escaped. */
static bool is_odd(unsigned char c) { return c < 0x20 || c == '\'' || c == '\\' || c == 0x7f || c == 0xc2; }

void ew_value_print_string(struct ew_text *text, struct ew_span string) {
  ew_text_add_char(text, '\'');
  size_t plain = 0; /* where the bytes that need no escape begin */
  for (size_t i = 0; i < string.length;) {
    if (!is_odd((unsigned char)string.bytes[i])) {
      i++;
      continue;
    }
    char letter = escape_letter((unsigned char)string.bytes[i]);
    size_t length = letter ? 1 : control_length(string.bytes + i, string.length - i);
    if (!length) {
      i++;
      continue;
    }
    ew_text_add_bytes(text, string.bytes + plain, i - plain);
    if (letter) {
      ew_text_add_bytes(text, (char[]){'\\', letter}, 2);
    } else {
      ew_text_add_format(text, "\\u%04x",
                         (unsigned char)string.bytes[i + length - 1]); /* C1: the second byte is the code */
    }
    i += length;
    plain = i;
  }
  if (string.length > plain) ew_text_add_bytes(text, string.bytes + plain, string.length - plain);
  ew_text_add_char(text, '\'');
}

static bool is_identifier(struct ew_span name) {
  for (size_t i = 0; i < name.length; i++) {
    char c = name.bytes[i];
    bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    if (!letter && (i == 0 || c < '0' || c > '9')) return false;
  }
  return name.length > 0;
}

static void print_name(struct ew_text *text, struct ew_span name) {
  if (is_identifier(name)) {
    ew_text_add(text, name);
    return;
  }
  ew_text_add_char(text, '`');
  for (size_t i = 0; i < name.length; i++) {
    if (name.bytes[i] == '`') ew_text_add_char(text, '`');
    ew_text_add_char(text, name.bytes[i]);
  }
  ew_text_add_char(text, '`');
}

/* ---- values ---- */

/* openCypher's grammar has no plus in an exponent. */
static void print_float(struct ew_text *text, double number) {
  size_t start = text->length;
  if (isnan(number)) {
    ew_text_add_string(text, "(0.0 / 0.0)");
  } else if (isinf(number)) {
    ew_text_add_string(text, number > 0 ? "(1.0 / 0.0)" : "(-1.0 / 0.0)");
  } else {
    ew_text_add_double(text, number);
    char *plus = strchr(text->bytes + start, '+');
    if (!plus) return;
    memmove(plus, plus + 1, strlen(plus));
    text->length--;
  }
}

static void print_list(struct ew_text *text, struct ew_values list) {
  ew_text_add_char(text, '[');
  for (size_t i = 0; i < list.count; i++) {
    if (i) ew_text_add_string(text, ", ");
    ew_value_print(text, list.items[i]);
  }
  ew_text_add_char(text, ']');
}

static void print_map(struct ew_text *text, struct ew_items map) {
  ew_text_add_char(text, '{');
  for (size_t i = 0; i < map.count; i++) {
    if (i) ew_text_add_string(text, ", ");
    print_name(text, map.items[i].key);
    ew_text_add_string(text, ": ");
    ew_value_print(text, map.items[i].value);
  }
  ew_text_add_char(text, '}');
}

static void print_point(struct ew_text *text, const struct ew_point_value *point) {
  bool space = point->srid == 4979 || point->srid == 9157;
  ew_text_add_string(text, "point({x: ");
  print_float(text, point->x);
  ew_text_add_string(text, ", y: ");
  print_float(text, point->y);
  if (space || point->z != 0 || signbit(point->z)) {
    ew_text_add_string(text, ", z: ");
    print_float(text, point->z);
  }
  ew_text_add_string(text, ", srid: ");
  ew_text_add_integer(text, point->srid);
  ew_text_add_string(text, "})");
}

static void print_temporal(struct ew_text *text, struct ew_value value) {
  struct ew_text iso;
  ew_text_init(&iso);
  ew_value_print_iso(&iso, value);
  ew_text_add_string(text, ew_value_constructor(value.kind));
  ew_text_add_char(text, '(');
  ew_value_print_string(text, ew_text_span(&iso)); /* a zone's name is the engine's and may hold anything */
  ew_text_add_char(text, ')');
  ew_text_release(&iso);
}

/* ---- elements, for people ---- */

static void print_properties(struct ew_text *text, struct ew_items properties) {
  if (!properties.count) return;
  ew_text_add_char(text, ' ');
  print_map(text, properties);
}

static void print_node(struct ew_text *text, const struct ew_node_value *node) {
  ew_text_add_string(text, "(#");
  ew_text_add_integer(text, node->id);
  for (size_t i = 0; i < node->label_count; i++) {
    ew_text_add_char(text, ':');
    print_name(text, node->labels[i]);
  }
  print_properties(text, node->properties);
  ew_text_add_char(text, ')');
}

/* As an arrow, forward or backward: `-[#3:T {k: 1}]->`. */
static void print_arrow(struct ew_text *text, const struct ew_relationship_value *relationship, bool forward) {
  ew_text_add_string(text, forward ? "-[#" : "<-[#");
  ew_text_add_integer(text, relationship->id);
  ew_text_add_char(text, ':');
  print_name(text, relationship->type);
  print_properties(text, relationship->properties);
  ew_text_add_string(text, forward ? "]->" : "]-");
}

static void print_relationship(struct ew_text *text, const struct ew_relationship_value *relationship) {
  print_node(text, &(struct ew_node_value){.id = relationship->start});
  print_arrow(text, relationship, true);
  print_node(text, &(struct ew_node_value){.id = relationship->end});
}

static void print_path(struct ew_text *text, const struct ew_path_value *path) {
  for (size_t i = 0; i < path->nodes.count; i++) {
    const struct ew_node_value *node = path->nodes.items[i].node;
    print_node(text, node);
    if (i >= path->relationships.count) break;
    const struct ew_relationship_value *relationship = path->relationships.items[i].relationship;
    print_arrow(text, relationship, relationship->start == node->id);
  }
}

void ew_value_print(struct ew_text *text, struct ew_value value) {
  switch (value.kind) {
    case EW_VALUE_NULL: ew_text_add_string(text, "null"); break;
    case EW_VALUE_BOOLEAN: ew_text_add_string(text, value.boolean ? "true" : "false"); break;
    case EW_VALUE_INTEGER: ew_text_add_integer(text, value.integer); break;
    case EW_VALUE_FLOAT: print_float(text, value.number); break;
    case EW_VALUE_STRING: ew_value_print_string(text, value.string); break;
    case EW_VALUE_LIST: print_list(text, value.list); break;
    case EW_VALUE_MAP: print_map(text, value.map); break;
    case EW_VALUE_NODE: print_node(text, value.node); break;
    case EW_VALUE_RELATIONSHIP: print_relationship(text, value.relationship); break;
    case EW_VALUE_PATH: print_path(text, value.path); break;
    case EW_VALUE_POINT: print_point(text, value.point); break;
    case EW_VALUE_DATETIME:
    case EW_VALUE_LOCAL_DATETIME:
    case EW_VALUE_DATE:
    case EW_VALUE_TIME:
    case EW_VALUE_LOCAL_TIME:
    case EW_VALUE_DURATION: print_temporal(text, value); break;
  }
}
