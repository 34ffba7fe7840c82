/* markdown.c: a page as Markdown, ready to paste into an issue. Nothing a query or an engine says can end a fence or a
   code span, or become a heading, a link or HTML. */
#include "report/page.h"
#include "report/report.h"

static bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || (unsigned char)c >= 0x80;
}

/* Inside of a word `_` is no emphasis, and names stay readable. */
static bool must_escape(const struct ew_text *clean, size_t i) {
  char c = clean->bytes[i];
  if (c != '_') return strchr("\\`*[]<>|&~#", c) != NULL;
  return i == 0 || !is_word(clean->bytes[i - 1]) || i + 1 == clean->length || !is_word(clean->bytes[i + 1]);
}

void ew_markdown_add_inline(struct ew_text *text, struct ew_span source) {
  struct ew_text clean = {0};
  ew_page_add_clean(&clean, source, false);
  for (size_t i = 0; i < clean.length; i++) {
    if (must_escape(&clean, i)) ew_text_add_char(text, '\\');
    ew_text_add_char(text, clean.bytes[i]);
  }
  ew_text_release(&clean);
}

static size_t longest_run(struct ew_span text, char c) {
  size_t longest = 0, run = 0;
  for (size_t i = 0; i < text.length; i++) {
    run = text.bytes[i] == c ? run + 1 : 0;
    if (run > longest) longest = run;
  }
  return longest;
}

static void title(struct ew_page *page, struct ew_span text) {
  ew_text_add_string(page->text, "# ");
  ew_markdown_add_inline(page->text, text);
  ew_text_add_string(page->text, "\n\n");
}

static void heading(struct ew_page *page, const char *text) {
  bool apart = page->text->length > 1 && page->text->bytes[page->text->length - 2] == '\n';
  ew_text_add_format(page->text, "%s## %s\n\n", apart ? "" : "\n", text);
}

static void fact(struct ew_page *page, const char *name, struct ew_span text) {
  ew_text_add_format(page->text, "- **%s:** ", name);
  ew_markdown_add_inline(page->text, text);
  ew_text_add_char(page->text, '\n');
}

static void paragraph(struct ew_page *page, struct ew_span text) {
  ew_markdown_add_inline(page->text, text);
  ew_text_add_string(page->text, "\n\n");
}

static void code(struct ew_page *page, const char *language, struct ew_span text) {
  size_t ticks = longest_run(text, '`') + 1;
  if (ticks < 3) ticks = 3;
  for (size_t i = 0; i < ticks; i++) ew_text_add_char(page->text, '`');
  ew_text_add_format(page->text, "%s\n", language);
  ew_page_add_clean(page->text, text, true);
  if (text.length && text.bytes[text.length - 1] != '\n') ew_text_add_char(page->text, '\n');
  for (size_t i = 0; i < ticks; i++) ew_text_add_char(page->text, '`');
  ew_text_add_string(page->text, "\n\n");
}

static const struct ew_page_style markdown = {
    .title = title, .heading = heading, .fact = fact, .paragraph = paragraph, .code = code};

void ew_report_markdown(struct ew_text *text, const struct ew_finding *finding, const struct ew_profile *profile) {
  struct ew_page page = {.text = text, .style = &markdown};
  ew_page_finding(&page, finding, profile);
}
