/* run.c: all findings of a run in one of the formats of format.def. Groups of likely one cause stand together: the smallest
   is told in full, of the others there is a line. */
#include "report/cause.h"
#include "report/page.h"
#include "report/report.h"

struct run {
  struct ew_text *text;
  const struct ew_finding *findings; /* arranged */
  size_t count;
  struct ew_cause_list causes;
  const struct ew_profile *profile;
};

static const char *plural(size_t count) { return count == 1 ? "" : "s"; }

static bool begins_group(const struct run *run, size_t index) {
  return !index || run->findings[index - 1].group != run->findings[index].group;
}

static size_t groups_in(const struct run *run, size_t first, size_t count) {
  size_t groups = 0;
  for (size_t i = first; i < first + count; i++) groups += begins_group(run, i);
  return groups;
}

/* "3 findings in 3 groups, likely of 2 causes" */
static void add_counts(const struct run *run) {
  size_t groups = groups_in(run, 0, run->count);
  ew_text_add_format(run->text, "%zu finding%s in %zu group%s", run->count, plural(run->count), groups, plural(groups));
  if (groups) ew_text_add_format(run->text, ", likely of %zu cause%s", run->causes.count, plural(run->causes.count));
  ew_text_add_char(run->text, '\n');
}

/* Others of the group that `index` is the first of. */
static void add_others(const struct run *run, size_t index) {
  for (size_t i = index + 1; i < run->count && !begins_group(run, i); i++)
    ew_text_add_format(run->text, "%s%s", i > index + 1 ? ", " : "\nThe same again: ", run->findings[i].id.text);
  if (index + 1 < run->count && !begins_group(run, index + 1)) ew_text_add_char(run->text, '\n');
}

static void add_group_line(const struct run *run, size_t index, const char *before) {
  const struct ew_finding *finding = &run->findings[index];
  ew_text_add_format(run->text, "%s%s  ", before, finding->id.text);
  ew_page_add_clean(run->text, finding->title, false);
  if (finding->known_since.length)
    ew_text_add_format(run->text, " (known since %.*s)", EW_SPAN_ARGS(finding->known_since));
  ew_text_add_char(run->text, '\n');
}

/* ---- text ---- */

static void write_text(const struct run *run) {
  add_counts(run);
  for (size_t c = 0; c < run->causes.count; c++) {
    struct ew_cause_range cause = run->causes.items[c];
    size_t groups = groups_in(run, cause.first, cause.count);
    ew_text_add_char(run->text, '\n');
    for (size_t dash = 0; dash < 80; dash++) ew_text_add_string(run->text, "─");
    ew_text_add_char(run->text, '\n');
    ew_report_text(run->text, &run->findings[cause.first], run->profile, false);
    add_others(run, cause.first);
    if (groups > 1) ew_text_add_format(run->text, "\nLikely one cause: %zu groups, the one above and\n", groups);
    for (size_t i = cause.first + 1; i < cause.first + cause.count; i++)
      if (begins_group(run, i)) add_group_line(run, i, "  ");
  }
}

/* ---- markdown ---- */

static void write_markdown(const struct run *run) {
  for (size_t c = 0; c < run->causes.count; c++) {
    struct ew_cause_range cause = run->causes.items[c];
    if (c) ew_text_add_string(run->text, "\n---\n\n");
    ew_report_markdown(run->text, &run->findings[cause.first], run->profile);
    add_others(run, cause.first);
    if (groups_in(run, cause.first, cause.count) > 1)
      ew_text_add_string(run->text, "\n## Likely one cause\n\nThese were found too; each has a report of its own.\n\n");
    for (size_t i = cause.first + 1; i < cause.first + cause.count; i++) {
      if (!begins_group(run, i)) continue;
      ew_text_add_format(run->text, "- `%s` ", run->findings[i].id.text);
      ew_markdown_add_inline(run->text, run->findings[i].title);
      ew_text_add_char(run->text, '\n');
    }
  }
}

/* ---- json ---- */

static void write_json(const struct run *run) {
  struct ew_json_writer writer;
  ew_json_writer_init(&writer, run->text, 2);
  ew_json_begin_object(&writer);
  ew_json_put_unsigned(&writer, "groups", groups_in(run, 0, run->count));
  ew_json_key(&writer, "causes"); /* the ids of findings that are likely of one */
  ew_json_begin_array(&writer);
  for (size_t c = 0; c < run->causes.count; c++) {
    struct ew_cause_range cause = run->causes.items[c];
    ew_json_begin_array(&writer);
    for (size_t i = cause.first; i < cause.first + cause.count; i++)
      ew_json_string(&writer, ew_span_of(run->findings[i].id.text));
    ew_json_end_array(&writer);
  }
  ew_json_end_array(&writer);
  ew_json_key(&writer, "findings");
  ew_json_begin_array(&writer);
  for (size_t i = 0; i < run->count; i++) ew_finding_write_json(&writer, &run->findings[i]);
  ew_json_end_array(&writer);
  ew_json_end_object(&writer);
  ew_text_add_char(run->text, '\n');
}

static void write_jsonl(const struct run *run) {
  for (size_t i = 0; i < run->count; i++) {
    struct ew_json_writer writer;
    ew_json_writer_init(&writer, run->text, 0);
    ew_finding_write_json(&writer, &run->findings[i]);
    ew_text_add_char(run->text, '\n');
  }
}

/* ---- formats ---- */

static const struct {
  const char *name;
  void (*write)(const struct run *run);
} formats[] = {
#define FORMAT(name, summary) [EW_REPORT_##name] = {#name, write_##name},
#include "report/format.def"
#undef FORMAT
};

bool ew_report_format_read(struct ew_span name, enum ew_report_format *format) {
  for (size_t i = 0; i < EW_COUNT(formats); i++) {
    if (!ew_span_is(name, formats[i].name)) continue;
    *format = (enum ew_report_format)i;
    return true;
  }
  return false;
}

void ew_report_run(struct ew_text *text, enum ew_report_format format, struct ew_finding *findings, size_t count,
                   const struct ew_profile *profile) {
  struct ew_arena arena;
  ew_arena_init(&arena);
  struct run run = {text, findings, count, ew_findings_arrange(&arena, findings, count), profile};
  formats[format].write(&run);
  ew_arena_release(&arena);
}
