/* text.c: a page for the terminal. */
#include "base/utf8.h"
#include "report/page.h"
#include "report/report.h"

static const char bold[] = "\033[1m", cyan[] = "\033[36m", dim[] = "\033[2m", plain[] = "\033[0m";

static bool is_control(uint32_t c) { return c < 0x20 || (c >= 0x7f && c < 0xa0); }

void ew_page_add_clean(struct ew_text *text, struct ew_span source, bool lines) {
  for (size_t at = 0; at < source.length;) {
    uint32_t c = ew_utf8_next(source, &at);
    if (c == '\n' || c == '\t') {
      ew_text_add_char(text, lines ? (char)c : ' ');
    } else if (is_control(c)) {
      ew_text_add_format(text, "\\x%02x", c);
    } else {
      ew_utf8_add(text, c);
    }
  }
}

static void add(struct ew_page *page, const char *escape, struct ew_span text) {
  if (page->colour) ew_text_add_string(page->text, escape);
  ew_page_add_clean(page->text, text, false);
  if (page->colour) ew_text_add_string(page->text, plain);
}

static void title(struct ew_page *page, struct ew_span text) {
  add(page, bold, text);
  ew_text_add_string(page->text, "\n\n");
}

static void heading(struct ew_page *page, const char *text) {
  ew_text_add_char(page->text, '\n');
  add(page, bold, ew_span_of(text));
  ew_text_add_string(page->text, "\n");
}

static void fact(struct ew_page *page, const char *name, struct ew_span text) {
  enum { WIDTH = 14 };
  size_t length = strlen(name);
  ew_text_add_string(page->text, "  ");
  add(page, dim, ew_span_of(name));
  for (; length < WIDTH; length++) ew_text_add_char(page->text, ' ');
  ew_page_add_clean(page->text, text, false);
  ew_text_add_char(page->text, '\n');
}

static void paragraph(struct ew_page *page, struct ew_span text) {
  ew_text_add_string(page->text, "  ");
  ew_page_add_clean(page->text, text, false);
  ew_text_add_char(page->text, '\n');
}

static void code(struct ew_page *page, const char *language, struct ew_span text) {
  const char *escape = strcmp(language, "text") == 0 ? "" : cyan;
  while (text.length) {
    const char *end = memchr(text.bytes, '\n', text.length);
    size_t length = end ? (size_t)(end - text.bytes) : text.length;
    if (length) ew_text_add_string(page->text, "    ");
    if (page->colour) ew_text_add_string(page->text, escape);
    ew_page_add_clean(page->text, (struct ew_span){text.bytes, length}, true);
    if (page->colour) ew_text_add_string(page->text, plain);
    ew_text_add_char(page->text, '\n');
    size_t skipped = end ? length + 1 : length;
    text = (struct ew_span){text.bytes + skipped, text.length - skipped};
  }
}

static const struct ew_page_style terminal = {
    .title = title, .heading = heading, .fact = fact, .paragraph = paragraph, .code = code};

void ew_report_text(struct ew_text *text, const struct ew_finding *finding, const struct ew_profile *profile,
                    bool colour) {
  struct ew_page page = {.text = text, .style = &terminal, .colour = colour};
  ew_page_finding(&page, finding, profile);
}
