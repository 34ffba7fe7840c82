/* summary.c: one line for each likely cause, and where to look next. */
#include "cli/summary.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/output.h"
#include "hunt/known.h"
#include "report/cause.h"

enum { CAUSES_SHOWN = 30 };

enum ew_exit ew_summary_exit(const struct ew_hunt_options *options, const struct ew_hunt_result *result) {
  if (options->baseline ? result->beyond_baseline : result->groups - result->muted_groups) return EW_EXIT_FINDINGS;
  return result->tests ? EW_EXIT_NOTHING : EW_EXIT_INCONCLUSIVE;
}

/* Of the groups: what is new, and what is not. */
static void add_shares(struct ew_text *text, const struct ew_hunt_options *options,
                       const struct ew_hunt_result *result) {
  uint64_t old = result->known_groups + result->muted_groups;
  if (old) ew_text_add_format(text, ": %llu new", (unsigned long long)(result->groups - old));
  if (result->known_groups) ew_text_add_format(text, ", %llu known", (unsigned long long)result->known_groups);
  if (result->muted_groups) ew_text_add_format(text, ", %llu muted", (unsigned long long)result->muted_groups);
  if (options->baseline)
    ew_text_add_format(text, "; %llu that the baseline does not have", (unsigned long long)result->beyond_baseline);
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
    if (result->causes < result->groups)
      ew_text_add_format(text, ", likely of %llu cause%s", (unsigned long long)result->causes,
                         result->causes == 1 ? "" : "s");
    add_shares(text, options, result);
    if (result->seen_once) ew_text_add_format(text, ", %llu seen once", (unsigned long long)result->seen_once);
    ew_text_add_string(text, "\n\n");
  }
}

struct listing {
  struct ew_text *text;
  const struct ew_finding *findings; /* arranged */
  struct ew_known *known;            /* may be NULL */
  struct ew_arena *arena;
  bool colour;
  size_t columns; /* of the terminal, where a title is cut */
};

static bool is_muted(const struct listing *listing, const struct ew_finding *finding) {
  struct ew_known_group group;
  struct ew_error error;
  return listing->known && ew_known_find(listing->known, finding->group, listing->arena, &group, &error) == EW_OK &&
         group.muted;
}

static void add_finding(const struct listing *listing, const struct ew_finding *finding, size_t others) {
  enum { INDENT = 38 };
  struct ew_text behind = {0};
  if (finding->known_since.length)
    ew_text_add_format(&behind, "  known since %.*s", EW_SPAN_ARGS(finding->known_since));
  if (others) ew_text_add_format(&behind, "  +%zu likely of the same cause", others);
  size_t room = listing->columns > INDENT + 20 + behind.length ? listing->columns - INDENT - behind.length : 20;
  ew_text_add_format(listing->text, "  %s%s%s  ", listing->colour ? "\033[1m" : "", finding->id.text,
                     listing->colour ? "\033[0m" : "");
  ew_text_add_padded(listing->text, ew_span_of(ew_finding_state_text(finding->state)), 11);
  ew_text_add_padded(listing->text, finding->oracle, 11);
  ew_text_add_cut(listing->text, finding->title, room);
  ew_text_add(listing->text, ew_text_span(&behind));
  ew_text_add_char(listing->text, '\n');
  ew_text_release(&behind);
}

/* A line for each cause: its first group that is not muted, new ones before known ones. Returns that which is best to begin
   with, or NULL where all are muted. */
static const struct ew_finding *add_causes(const struct listing *listing, struct ew_cause_list causes) {
  const struct ew_finding *first = NULL;
  size_t shown = 0;
  for (int old = 0; old < 2; old++) {
    for (size_t c = 0; c < causes.count; c++) {
      const struct ew_finding *best = NULL;
      size_t others = 0;
      for (size_t i = causes.items[c].first; i < causes.items[c].first + causes.items[c].count; i++) {
        const struct ew_finding *finding = &listing->findings[i];
        if (is_muted(listing, finding)) continue;
        others += best != NULL;
        if (!best || (best->known_since.length && !finding->known_since.length)) best = finding;
      }
      if (!best || (best->known_since.length > 0) != (old == 1)) continue;
      if (!first) first = best;
      if (shown++ < CAUSES_SHOWN) add_finding(listing, best, others);
    }
  }
  if (shown > CAUSES_SHOWN) ew_text_add_format(listing->text, "  … and %zu more\n", shown - CAUSES_SHOWN);
  return first;
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

static void add_findings(struct ew_text *text, const struct ew_hunt_options *options, bool latest) {
  struct ew_arena arena;
  struct ew_findings findings = {0};
  struct ew_error error;
  size_t columns, rows;
  if (!ew_terminal_size(STDOUT_FILENO, &columns, &rows)) columns = SIZE_MAX;
  ew_arena_init(&arena);
  if (ew_findings_load(&arena, options->folder, &findings, &error)) {
    ew_message("%s", error.text);
  } else if (findings.count) {
    struct ew_cause_list causes = ew_findings_arrange(&arena, findings.items, findings.count);
    struct listing listing = {text, findings.items, options->known, &arena, ew_colour(STDOUT_FILENO), columns};
    const struct ew_finding *first = add_causes(&listing, causes);
    if (first) add_pointers(text, options->folder, first->id.text, latest);
  }
  ew_arena_release(&arena);
}

void ew_summary(struct ew_text *text, const struct ew_hunt_options *options, const struct ew_hunt_result *result,
                double seconds, bool latest) {
  add_head(text, options, result, seconds);
  if (result->groups) add_findings(text, options, latest);
  ew_text_add_format(text, "Numbers:         %s/stats.json\n", options->folder);
  add_log(text, options->folder);
  static const char *const meanings[] = {
      [EW_EXIT_NOTHING] = "nothing found", [EW_EXIT_FINDINGS] = "findings", [EW_EXIT_INCONCLUSIVE] = "inconclusive"};
  enum ew_exit code = ew_summary_exit(options, result);
  const char *meaning = meanings[code];
  if (code == EW_EXIT_NOTHING && result->groups)
    meaning = options->baseline ? "nothing that the baseline does not have" : "nothing but muted groups";
  ew_text_add_format(text, "Exit code:       %d (%s)\n", (int)code, meaning);
}
