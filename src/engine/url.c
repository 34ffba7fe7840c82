/* url.c: taking an address apart, from both ends inwards. */
#include "engine/url.h"

static const char *find(struct ew_span text, char c) { return memchr(text.bytes, c, text.length); }

static struct ew_span behind(struct ew_span text, const char *at) {
  return (struct ew_span){at, (size_t)(text.bytes + text.length - at)};
}

static bool is_port(struct ew_span text) {
  unsigned number = 0;
  for (size_t i = 0; i < text.length; i++) {
    if (text.bytes[i] < '0' || text.bytes[i] > '9' || i > 4) return false;
    number = number * 10 + (unsigned)(text.bytes[i] - '0');
  }
  return number > 0 && number < 65536;
}

enum ew_status ew_url_read(struct ew_span text, struct ew_arena *arena, struct ew_url *url, struct ew_error *error) {
  const char *mark = text.length > 3 ? memmem(text.bytes, text.length, "://", 3) : NULL;
  if (!mark || find(text, '\0')) return ew_fail(error, EW_USAGE, "an address such as redis://HOST:PORT is expected");
  *url = (struct ew_url){.scheme = {text.bytes, (size_t)(mark - text.bytes)}};
  struct ew_span rest = behind(text, mark + 3), user = {"", 0}, database = {"", 0}, port = {"", 0};
  const char *slash = find(rest, '/');
  if (slash) {
    database = behind(rest, slash + 1);
    rest.length = (size_t)(slash - rest.bytes);
  }
  const char *at = memrchr(rest.bytes, '@', rest.length);
  if (at) {
    user = (struct ew_span){rest.bytes, (size_t)(at - rest.bytes)};
    rest = behind(rest, at + 1);
  }
  if (find(user, ':'))
    return ew_fail(
        error, EW_USAGE,
        "a password on the command line can be seen by others; give it by EDGEWISE_PASSWORD or --password-file");
  /* The colons of an IPv6 address are in brackets. */
  const char *colon = rest.length && rest.bytes[rest.length - 1] != ']' ? memrchr(rest.bytes, ':', rest.length) : NULL;
  if (colon) {
    port = behind(rest, colon + 1);
    rest.length = (size_t)(colon - rest.bytes);
    if (!is_port(port)) return ew_fail(error, EW_USAGE, "'%.*s' is no port", EW_SPAN_ARGS(port));
  }
  if (rest.length > 2 && rest.bytes[0] == '[') rest = (struct ew_span){rest.bytes + 1, rest.length - 2};
  if (!rest.length) return ew_fail(error, EW_USAGE, "the address names no host");
  url->user = ew_arena_string(arena, user);
  url->database = ew_arena_string(arena, database);
  url->address = (struct ew_address){ew_arena_string(arena, rest), ew_arena_string(arena, port)};
  return EW_OK;
}
