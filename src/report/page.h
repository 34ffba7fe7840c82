/* page.h: the few things a report is made of, and how each is written. A style is Markdown or a terminal's plain text,
   so that what a report says (outline.c) is written down once. Private to this room. */
#ifndef EW_REPORT_PAGE_H
#define EW_REPORT_PAGE_H

#include "contract/finding.h"
#include "contract/profile.h"

struct ew_page_style;

struct ew_page {
  struct ew_text *text;
  const struct ew_page_style *style;
  bool colour;
};

/* All take text as it came, from us or from an engine: making it harmless is the style's duty. */
struct ew_page_style {
  void (*title)(struct ew_page *page, struct ew_span text);
  void (*heading)(struct ew_page *page, const char *text);
  /* One line of a list: "Engine: graphqlite 0.12.0". */
  void (*fact)(struct ew_page *page, const char *name, struct ew_span text);
  void (*paragraph)(struct ew_page *page, struct ew_span text);
  /* Kept line by line; `language` is what a highlighter calls it. */
  void (*code)(struct ew_page *page, const char *language, struct ew_span text);
};

/* Puts all there is to say of a finding on the page. `profile` may be NULL where the engine is not known here. */
void ew_page_finding(struct ew_page *page, const struct ew_finding *finding, const struct ew_profile *profile);

/* Adds `source` so that no terminal and no reader is fooled by it: control characters as \x1b, bytes that are not UTF-8
   as U+FFFD. Ends of lines and tabs stay where `lines`, else they become blanks. */
void ew_page_add_clean(struct ew_text *text, struct ew_span source, bool lines);

/* Adds `source` to Markdown as plain words: nothing in it is emphasis, a link or HTML. */
void ew_markdown_add_inline(struct ew_text *text, struct ew_span source);

/* How an engine's own shell is written to. */
struct ew_shell {
  const char *name;      /* as in a profile: "sqlite" */
  const char *extension; /* of its scripts */
  const char *run;       /* the command that runs one */
  const char *get;   /* how to get the engine where it is a package; {package}, {version} and {library} are its own */
  const char *start; /* and how to start it */
  const char *terminator; /* behind a statement of the language */
  void (*write)(struct ew_text *text, const struct ew_finding *finding, const struct ew_profile *profile);
};

/* Never NULL: there is one for engines whose shell is not known; `profile` may be NULL. */
const struct ew_shell *ew_shell_of(const struct ew_profile *profile);

/* "SIGABRT", or "signal 77". */
struct ew_signal_text {
  char text[24];
};
struct ew_signal_text ew_signal_text(int signal);

#endif
