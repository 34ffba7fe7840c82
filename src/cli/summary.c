/* summary.c: one line a group, and where to look next. */
#include "cli/summary.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/output.h"

enum { GROUPS_SHOWN = 30 };

enum ew_exit ew_summary_exit(const struct ew_hunt_result *result) {
  if (result->groups) return EW_EXIT_FINDINGS;
  return result->tests ? EW_EXIT_NOTHING : EW_EXIT_INCONCLUSIVE;
}

static void add_head(struct ew_text *text, const struct ew_hunt_options *options, const struct ew_hunt_result *result,
                     double seconds) {
  const struct ew_target *target = &options->target;
  ew_text_add_string(text, "\n");
  ew_text_add_count(text, result->tests);
  ew_text_add_string(text, result->tests == 1 ? " test in " : " tests in ");
  ew_text_add_clock(text, seconds);
  ew_text_add_format(text, " on %.*s %.*s, seed %llu%s: ", EW_SPAN_ARGS(target->profile->name),
                     EW_SPAN_ARGS(target->version), (unsigned long long)options->seed,
                     result->interrupted ? ", interrupted" : "");
  if (!result->groups) {
    ew_text_add_string(text, result->tests ? "nothing found\n" : "nothing ran, so nothing is known\n");
  } else {
    ew_text_add_count(text, result->groups);
    ew_text_add_string(text, result->groups == 1 ? " group of findings" : " groups of findings");
    if (result->seen_once) ew_text_add_format(text, ", %llu seen once", (unsigned long long)result->seen_once);
    ew_text_add_string(text, "\n\n");
  }
}

/* The best to begin with comes first: confirmed, reduced, a wrong answer, short. */
static int compare(const void *a, const void *b) {
  const struct ew_finding *left = a, *right = b;
  bool left_wrong = !ew_finding_culprit(left), right_wrong = !ew_finding_culprit(right);
  if (left->state != right->state) return left->state < right->state ? -1 : 1;
  if (left->reduced != right->reduced) return left->reduced ? -1 : 1;
  if (left_wrong != right_wrong) return left_wrong ? -1 : 1;
  if (left->bytes_after != right->bytes_after) return left->bytes_after < right->bytes_after ? -1 : 1;
  return strcmp(left->id.text, right->id.text);
}

static bool is_first_of_group(const struct ew_findings *findings, size_t index) {
  for (size_t i = 0; i < index; i++)
    if (findings->items[i].group == findings->items[index].group) return false;
  return true;
}

/* On a terminal a title is cut where its line ends. */
static void add_groups(struct ew_text *text, const struct ew_findings *findings) {
  enum { INDENT = 38 };
  bool colour = ew_colour(STDOUT_FILENO);
  size_t groups = 0, columns, rows;
  if (!ew_terminal_size(STDOUT_FILENO, &columns, &rows)) columns = SIZE_MAX;
  if (columns < INDENT + 20) columns = INDENT + 20;
  for (size_t i = 0; i < findings->count; i++) {
    const struct ew_finding *finding = &findings->items[i];
    if (!is_first_of_group(findings, i) || groups++ >= GROUPS_SHOWN) continue;
    ew_text_add_format(text, "  %s%s%s  ", colour ? "\033[1m" : "", finding->id.text, colour ? "\033[0m" : "");
    ew_text_add_padded(text, ew_span_of(ew_finding_state_text(finding->state)), 11);
    ew_text_add_padded(text, finding->oracle, 11);
    ew_text_add_cut(text, finding->title, columns - INDENT);
    ew_text_add_char(text, '\n');
  }
  if (groups > GROUPS_SHOWN) ew_text_add_format(text, "  … and %zu more\n", groups - GROUPS_SHOWN);
}

/* A log that is not empty has something that the user should know. */
static void add_log(struct ew_text *text, const char *folder) {
  struct ew_text path = {0};
  struct stat info;
  ew_text_add_format(&path, "%s/logs/edgewise.log", folder);
  if (stat(path.bytes, &info) == 0 && info.st_size > 0) ew_text_add_format(text, "Messages:        %s\n", path.bytes);
  ew_text_release(&path);
}

/* Commands as they can be typed here, with the program as it was called; an ID in runs/latest needs no path. */
static void add_pointers(struct ew_text *text, const char *folder, const char *id, bool latest) {
  const char *program = program_invocation_name;
  ew_text_add_format(text, "\nLook at one:     %s show ", program);
  if (!latest) ew_text_add_format(text, "%s/findings/", folder);
  ew_text_add_format(text, "%s\n", id);
  ew_text_add_format(text, "As an issue:     %s/findings/%s/report.md, and repro.* beside it\n", folder, id);
  ew_text_add_format(text, "All of them:     %s report%s%s\n", program, latest ? "" : " ", latest ? "" : folder);
}

void ew_summary(struct ew_text *text, const struct ew_hunt_options *options, const struct ew_hunt_result *result,
                double seconds, bool latest) {
  struct ew_arena arena;
  struct ew_findings findings = {0};
  struct ew_error error;
  add_head(text, options, result, seconds);
  ew_arena_init(&arena);
  if (result->groups) {
    if (ew_findings_load(&arena, options->folder, &findings, &error)) {
      ew_message("%s", error.text);
    } else if (findings.count) {
      qsort(findings.items, findings.count, sizeof findings.items[0], compare);
      add_groups(text, &findings);
      add_pointers(text, options->folder, findings.items[0].id.text, latest);
    }
  }
  ew_text_add_format(text, "Numbers:         %s/stats.json\n", options->folder);
  add_log(text, options->folder);
  static const char *const meanings[] = {
      [EW_EXIT_NOTHING] = "nothing found", [EW_EXIT_FINDINGS] = "findings", [EW_EXIT_INCONCLUSIVE] = "inconclusive"};
  enum ew_exit code = ew_summary_exit(result);
  ew_text_add_format(text, "Exit code:       %d (%s)\n", (int)code, meanings[code]);
  ew_arena_release(&arena);
}
