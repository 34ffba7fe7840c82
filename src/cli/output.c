/* output.c: writing, checked: a full disk behind a pipe or a file is said, never swallowed. */
#include "cli/output.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/utf8.h"

void ew_message(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("edgewise: ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
}

enum ew_exit ew_give_up(enum ew_status status, const struct ew_error *error) {
  ew_message("%s", error->text);
  return ew_status_exit(status);
}

enum ew_status ew_output(struct ew_text *text, struct ew_error *error) {
  for (size_t done = 0; done < text->length;) {
    ssize_t written = write(STDOUT_FILENO, text->bytes + done, text->length - done);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return ew_fail(error, EW_IO, "cannot write to standard output: %s", strerror(errno));
    done += (size_t)written;
  }
  ew_text_reset(text);
  return EW_OK;
}

enum ew_exit ew_output_last(struct ew_text *text, enum ew_exit code) {
  struct ew_error error;
  enum ew_status status = ew_output(text, &error);
  ew_text_release(text);
  return status ? ew_give_up(status, &error) : code;
}

bool ew_colour(int file) {
  const char *no_colour = getenv("NO_COLOR"), *terminal = getenv("TERM");
  return isatty(file) && !(no_colour && no_colour[0]) && terminal && strcmp(terminal, "dumb") != 0;
}

bool ew_terminal_size(int file, size_t *columns, size_t *rows) {
  struct winsize size = {0};
  *columns = 80;
  *rows = 24;
  if (ioctl(file, TIOCGWINSZ, &size) != 0) return false;
  if (size.ws_col) *columns = size.ws_col;
  if (size.ws_row) *rows = size.ws_row;
  return true;
}

size_t ew_text_add_cut(struct ew_text *text, struct ew_span source, size_t columns) {
  size_t at = 0, used = 0;
  for (; at < source.length && used < columns; used++) {
    uint32_t c = ew_utf8_next(source, &at);
    ew_utf8_add(text, c < 0x20 || (c >= 0x7f && c < 0xa0) ? '?' : c);
  }
  return used;
}

void ew_text_add_padded(struct ew_text *text, struct ew_span span, size_t width) {
  ew_text_add(text, span);
  for (size_t used = ew_utf8_count(span); used < width; used++) ew_text_add_char(text, ' ');
}

void ew_text_add_count(struct ew_text *text, uint64_t number) {
  char digits[24];
  size_t length = (size_t)snprintf(digits, sizeof digits, "%llu", (unsigned long long)number);
  for (size_t i = 0; i < length; i++) {
    if (i && (length - i) % 3 == 0) ew_text_add_char(text, ',');
    ew_text_add_char(text, digits[i]);
  }
}

void ew_text_add_clock(struct ew_text *text, double seconds) {
  uint64_t whole = seconds > 0 ? (uint64_t)seconds : 0;
  unsigned minutes = (unsigned)(whole / 60 % 60), rest = (unsigned)(whole % 60);
  if (whole >= 3600) {
    ew_text_add_format(text, "%llu:%02u:%02u", (unsigned long long)(whole / 3600), minutes, rest);
  } else {
    ew_text_add_format(text, "%u:%02u", minutes, rest);
  }
}
