/* report.h: a finding in words, and as a script for the engine's own shell. */
#ifndef EW_REPORT_REPORT_H
#define EW_REPORT_REPORT_H

#include "contract/finding.h"
#include "contract/profile.h"

/* report.md: ready to paste into an issue. */
void ew_report_markdown(struct ew_text *text, const struct ew_finding *finding, const struct ew_profile *profile);

/* For the terminal; `colour` with escape sequences. */
void ew_report_text(struct ew_text *text, const struct ew_finding *finding, const struct ew_profile *profile,
                    bool colour);

/* A script for the engine's own shell, and what its file is called behind "repro.": "sql", "cypher", "smt2". */
struct ew_span ew_report_repro(struct ew_text *text, const struct ew_finding *finding,
                               const struct ew_profile *profile);

/* One line in plain words; set once when a finding is made. */
struct ew_span ew_report_title(struct ew_arena *arena, const struct ew_finding *finding,
                               const struct ew_profile *profile);

/* Many findings; they are put in order (report/cause.h). */
enum ew_report_format {
#define FORMAT(name, summary) EW_REPORT_##name,
#include "report/format.def"
#undef FORMAT
};
bool ew_report_format_read(struct ew_span name, enum ew_report_format *format);
void ew_report_run(struct ew_text *text, enum ew_report_format format, struct ew_finding *findings, size_t count,
                   const struct ew_profile *profile);

#endif
