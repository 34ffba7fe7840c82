/* run.c: all findings of a run in one of the formats of format.def. */
#include "report/report.h"

static const char *const format_names[] = {
#define FORMAT(name, summary) [EW_REPORT_##name] = #name,
#include "report/format.def"
#undef FORMAT
};

bool ew_report_format_read(struct ew_span name, enum ew_report_format *format) {
  for (size_t i = 0; i < EW_COUNT(format_names); i++) {
    if (!ew_span_is(name, format_names[i])) continue;
    *format = (enum ew_report_format)i;
    return true;
  }
  return false;
}

static bool is_first_of_group(const struct ew_finding *findings, size_t index) {
  for (size_t i = 0; i < index; i++)
    if (findings[i].group == findings[index].group) return false;
  return true;
}

/* Others of the group that `index` is the first of. */
static void add_others(struct ew_text *text, const struct ew_finding *findings, size_t count, size_t index) {
  size_t others = 0;
  for (size_t i = index + 1; i < count; i++) {
    if (findings[i].group != findings[index].group) continue;
    ew_text_add_string(text, others++ ? ", " : "\nThe same again: ");
    ew_text_add_string(text, findings[i].id.text);
  }
  if (others) ew_text_add_char(text, '\n');
}

static void write_text(struct ew_text *text, const struct ew_finding *findings, size_t count,
                       const struct ew_profile *profile) {
  size_t groups = 0;
  for (size_t i = 0; i < count; i++) groups += is_first_of_group(findings, i);
  ew_text_add_format(text, "%zu finding%s in %zu group%s\n", count, count == 1 ? "" : "s", groups,
                     groups == 1 ? "" : "s");
  for (size_t i = 0; i < count; i++) {
    if (!is_first_of_group(findings, i)) continue;
    ew_text_add_char(text, '\n');
    for (size_t dash = 0; dash < 80; dash++) ew_text_add_string(text, "─");
    ew_text_add_char(text, '\n');
    ew_report_text(text, &findings[i], profile, false);
    add_others(text, findings, count, i);
  }
}

static void write_markdown(struct ew_text *text, const struct ew_finding *findings, size_t count,
                           const struct ew_profile *profile) {
  for (size_t i = 0; i < count; i++) {
    if (!is_first_of_group(findings, i)) continue;
    if (i) ew_text_add_string(text, "\n---\n\n");
    ew_report_markdown(text, &findings[i], profile);
    add_others(text, findings, count, i);
  }
}

static void write_json(struct ew_text *text, const struct ew_finding *findings, size_t count) {
  struct ew_json_writer writer;
  ew_json_writer_init(&writer, text, 2);
  ew_json_begin_object(&writer);
  ew_json_key(&writer, "findings");
  ew_json_begin_array(&writer);
  for (size_t i = 0; i < count; i++) ew_finding_write_json(&writer, &findings[i]);
  ew_json_end_array(&writer);
  ew_json_end_object(&writer);
  ew_text_add_char(text, '\n');
}

static void write_lines(struct ew_text *text, const struct ew_finding *findings, size_t count) {
  for (size_t i = 0; i < count; i++) {
    struct ew_json_writer writer;
    ew_json_writer_init(&writer, text, 0);
    ew_finding_write_json(&writer, &findings[i]);
    ew_text_add_char(text, '\n');
  }
}

void ew_report_run(struct ew_text *text, enum ew_report_format format, const struct ew_finding *findings, size_t count,
                   const struct ew_profile *profile) {
  switch (format) {
    case EW_REPORT_text: write_text(text, findings, count, profile); break;
    case EW_REPORT_json: write_json(text, findings, count); break;
    case EW_REPORT_jsonl: write_lines(text, findings, count); break;
    case EW_REPORT_markdown: write_markdown(text, findings, count, profile); break;
  }
}
