/* bolt_url.c: reading addresses. */
#include "engine/bolt_url.h"

static const struct {
  const char *scheme;
  bool tls, lax;
} schemes[] = {{"bolt", false, false},  {"bolt+s", true, false},  {"bolt+ssc", true, true},
               {"neo4j", false, false}, {"neo4j+s", true, false}, {"neo4j+ssc", true, true}};

/* What stands before the first `mark`, which is taken away with it; false where there is none. */
static bool split(struct ew_span *rest, struct ew_span mark, struct ew_span *before) {
  const char *at = memmem(rest->bytes, rest->length, mark.bytes, mark.length);
  if (!at) return false;
  *before = (struct ew_span){rest->bytes, (size_t)(at - rest->bytes)};
  *rest = (struct ew_span){at + mark.length, rest->length - before->length - mark.length};
  return true;
}

static bool read_port(struct ew_span text) {
  if (!text.length || text.length > 5) return false;
  for (size_t i = 0; i < text.length; i++)
    if (text.bytes[i] < '0' || text.bytes[i] > '9') return false;
  return true;
}

/* HOST[:PORT], where a HOST with colons is in brackets. */
static bool read_address(struct ew_arena *arena, struct ew_span text, struct ew_address *address) {
  struct ew_span host, port = EW_SPAN("7687");
  if (text.length && text.bytes[0] == '[') {
    text = (struct ew_span){text.bytes + 1, text.length - 1};
    if (!split(&text, EW_SPAN("]"), &host)) return false;
    if (text.length && text.bytes[0] != ':') return false;
    if (text.length) port = (struct ew_span){text.bytes + 1, text.length - 1};
  } else if (split(&text, EW_SPAN(":"), &host)) {
    port = text;
  } else {
    host = text;
  }
  if (!host.length || memchr(host.bytes, '\0', host.length) || !read_port(port)) return false;
  *address = (struct ew_address){ew_arena_string(arena, host), ew_arena_string(arena, port)};
  return true;
}

enum ew_status ew_bolt_url_read(struct ew_arena *arena, struct ew_span url, struct ew_bolt_login *login,
                                struct ew_span *database, struct ew_error *error) {
  struct ew_span rest = url, scheme, part;
  *login = (struct ew_bolt_login){0};
  *database = EW_SPAN("");
  bool known = false;
  if (split(&rest, EW_SPAN("://"), &scheme))
    for (size_t i = 0; i < EW_COUNT(schemes) && !known; i++) {
      known = ew_span_is(scheme, schemes[i].scheme);
      login->tls = schemes[i].tls;
      login->lax = schemes[i].lax;
    }
  if (!known) return ew_fail(error, EW_USAGE, "an address of a Bolt server begins with bolt:// or bolt+s://");
  if (split(&rest, EW_SPAN("/"), &part)) {
    *database = ew_arena_copy(arena, rest);
    rest = part;
  }
  if (split(&rest, EW_SPAN("@"), &part)) {
    if (memchr(part.bytes, ':', part.length))
      return ew_fail(error, EW_USAGE, "a password has no place in an address; give it by environment or file");
    login->user = ew_arena_copy(arena, part);
  }
  if (!read_address(arena, rest, &login->address))
    return ew_fail(error, EW_USAGE, "'%.*s' is no host, or no host and port",
                   (int)(rest.length < 100 ? rest.length : 100), rest.bytes);
  return EW_OK;
}
