/* outline.c: what a report says and in which order: for whoever has to fix it, first how to see it, then what is wrong,
   then why that is wrong, and last how it was found. */
#include "oracle/oracles.h"
#include "report/cause.h"
#include "report/page.h"

enum { ROWS_SHOWN = 10, FRAMES_SHOWN = 10, WORDS_SHOWN = 2000, SHAPE_SHOWN = 300 };

static void say(struct ew_page *page, const char *format, ...) EW_FORMAT(2, 3);
static void say(struct ew_page *page, const char *format, ...) {
  char line[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  page->style->paragraph(page, ew_span_of(line));
}

static void fact(struct ew_page *page, const char *name, const char *format, ...) EW_FORMAT(3, 4);
static void fact(struct ew_page *page, const char *name, const char *format, ...) {
  char line[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  page->style->fact(page, name, ew_span_of(line));
}

/* Words that have no capital and no full stop of their own. */
static void sentence(struct ew_page *page, const char *words) {
  char first = words[0] >= 'a' && words[0] <= 'z' ? (char)(words[0] - 'a' + 'A') : words[0];
  say(page, "%c%s.", first, words + 1);
}

static const char *plural(size_t count) { return count == 1 ? "" : "s"; }

/* ---- what it is ---- */

/* What the engine says of itself beside its version: "0.12.0, SQLite 3.40.1" of version 0.12.0 is SQLite's. */
static struct ew_span beside_version(const struct ew_finding *finding) {
  struct ew_span says = finding->engine_says, version = finding->version;
  if (!ew_span_starts(says, version)) return says;
  says = (struct ew_span){says.bytes + version.length, says.length - version.length};
  return ew_span_starts(says, EW_SPAN(", ")) ? (struct ew_span){says.bytes + 2, says.length - 2} : EW_SPAN("");
}

/* Words of a shell with {package}, {version} and {library} replaced. */
static void fact_of_shell(struct ew_page *page, const char *name, const char *words, const struct ew_finding *finding,
                          const struct ew_profile *profile) {
  const struct {
    const char *word;
    struct ew_span text;
  } words_of[] = {{"{package}", profile->package}, {"{version}", finding->version}, {"{library}", profile->library}};
  struct ew_text text = {0};
  for (const char *at = words; *at;) {
    size_t i = 0;
    while (i < EW_COUNT(words_of) && strncmp(at, words_of[i].word, strlen(words_of[i].word)) != 0) i++;
    if (i < EW_COUNT(words_of))
      ew_text_add(&text, words_of[i].text);
    else
      ew_text_add_char(&text, *at);
    at += i < EW_COUNT(words_of) ? strlen(words_of[i].word) : 1;
  }
  if (text.length) page->style->fact(page, name, ew_text_span(&text));
  ew_text_release(&text);
}

static void facts_of_engine(struct ew_page *page, const struct ew_finding *finding, const struct ew_profile *profile) {
  struct ew_span beside = beside_version(finding);
  const struct ew_shell *shell = ew_shell_of(profile);
  fact(page, "Engine", "%.*s %.*s%s%.*s%s", EW_SPAN_ARGS(finding->engine), EW_SPAN_ARGS(finding->version),
       beside.length ? " (" : "", EW_SPAN_ARGS(beside), beside.length ? ")" : "");
  if (ew_span_is(finding->version, "system"))
    fact(page, "How to get it", "it is the operating system's own");
  else if (profile && profile->package.length)
    fact_of_shell(page, "How to get it", shell->get, finding, profile);
  if (profile) fact_of_shell(page, "To start it", shell->start, finding, profile);
  if (finding->bisection.first.length) {
    struct ew_text versions = {0};
    ew_bisection_add(&versions, &finding->bisection);
    page->style->fact(page, "Versions", ew_text_span(&versions));
    ew_text_release(&versions);
  }
  if (finding->environment.length) fact(page, "Seen on", "%.*s", EW_SPAN_ARGS(finding->environment));
  fact(page, "State", "%s",
       finding->state == EW_CONFIRMED   ? "confirmed: it shows each time on a fresh instance"
       : finding->state == EW_SEEN_ONCE ? "seen once: it did not show again when it was replayed on a fresh instance"
                                        : "flaky: it did not show again");
  if (finding->known_since.length)
    fact(page, "Known", "since %.*s, when a run on this machine found it first", EW_SPAN_ARGS(finding->known_since));
}

/* ---- how to see it ---- */

static void code_of_program(struct ew_page *page, const struct ew_finding *finding, const struct ew_program *program,
                            const struct ew_program *behind, const struct ew_shell *shell) {
  struct ew_text text = {0};
  const struct ew_program *programs[] = {program, behind};
  for (size_t k = 0; k < EW_COUNT(programs); k++) {
    for (size_t i = 0; programs[k] && i < programs[k]->count; i++) {
      struct ew_span statement = programs[k]->statements[i].text;
      ew_text_add(&text, statement);
      ew_text_add_string(&text, shell->terminator);
      if (!text.length || text.bytes[text.length - 1] != '\n') ew_text_add_char(&text, '\n');
    }
  }
  if (text.length)
    page->style->code(page, finding->test.language ? finding->test.language->extension : "", ew_text_span(&text));
  ew_text_release(&text);
}

static void parameters_of(struct ew_page *page, const struct ew_program *program) {
  const struct ew_statement *last = program->count ? &program->statements[program->count - 1] : NULL;
  if (!last || !last->parameter_count) return;
  struct ew_text text = {0};
  ew_text_add_string(&text, "with the parameters ");
  for (size_t i = 0; i < last->parameter_count; i++) {
    if (i) ew_text_add_string(&text, ", ");
    ew_text_add_format(&text, "$%.*s = ", EW_SPAN_ARGS(last->parameters[i].name));
    ew_value_print(&text, last->parameters[i].value);
  }
  page->style->paragraph(page, ew_text_span(&text));
  ew_text_release(&text);
}

static void table_of(struct ew_page *page, const struct ew_rows *rows) {
  struct ew_text text = {0};
  ew_rows_print(&text, rows, ROWS_SHOWN);
  page->style->code(page, "text", ew_text_span(&text));
  ew_text_release(&text);
}

static void words_of(struct ew_page *page, struct ew_span words) {
  if (words.length > WORDS_SHOWN) words.length = WORDS_SHOWN;
  if (words.length) page->style->code(page, "text", words);
}

static void outcome_of(struct ew_page *page, const struct ew_statement_outcome *outcome) {
  if (outcome->kind == EW_OUTCOME_ROWS) {
    say(page, "returns %zu row%s%s", outcome->rows.row_count, plural(outcome->rows.row_count),
        outcome->rows.row_count ? ":" : ".");
    if (outcome->rows.row_count) table_of(page, &outcome->rows);
    return;
  }
  if (outcome->kind == EW_OUTCOME_CRASH) {
    say(page, "The engine's process died%s%s.", outcome->signal ? " of " : "",
        outcome->signal ? ew_signal_text(outcome->signal).text : "");
  } else {
    static const char *const meanings[] = {
#define OUTCOME(name, text, meaning) [EW_OUTCOME_##name] = text ": " meaning,
#include "contract/outcome.def"
#undef OUTCOME
    };
    say(page, "%s%s", meanings[outcome->kind], outcome->text.length ? ":" : ".");
  }
  if (outcome->kind == EW_OUTCOME_CRASH && outcome->text.length) say(page, "Its last words:");
  words_of(page, outcome->text);
  if (ew_crash_damages_heap(outcome))
    say(page,
        "The heap is damaged. Whether a process dies of that depends on its layout; valgrind shows it each time.");
  if (!outcome->frames.count) return;
  struct ew_text text = {0};
  say(page, "The top of its stack:");
  for (size_t i = 0; i < outcome->frames.count && i < FRAMES_SHOWN; i++)
    ew_text_add_format(&text, "%.*s\n", EW_SPAN_ARGS(outcome->frames.items[i]));
  page->style->code(page, "text", ew_text_span(&text));
  ew_text_release(&text);
}

static void history_of(struct ew_page *page, const struct ew_finding *finding, const struct ew_shell *shell) {
  if (!finding->history_count) return;
  say(page, "It shows only after these ran on the same instance, %zu program%s:", finding->history_count,
      plural(finding->history_count));
  for (size_t i = 0; i < finding->history_count; i++) code_of_program(page, finding, &finding->history[i], NULL, shell);
}

static void section_script(struct ew_page *page, const struct ew_finding *finding, const struct ew_shell *shell) {
  page->style->heading(page, "To reproduce");
  history_of(page, finding, shell);
  say(page, "On a fresh, empty instance%s:", finding->load.count || finding->run_count == 1 ? "" : ", without data");
  if (finding->run_count == 1) {
    code_of_program(page, finding, &finding->load, &finding->runs[0].program, shell);
    parameters_of(page, &finding->runs[0].program);
  } else {
    code_of_program(page, finding, &finding->load, NULL, shell);
    for (size_t i = 0; i < finding->run_count; i++) {
      say(page, "Run %zu%s:", i + 1,
          i && finding->runs[i].state == EW_STATE_FRESH ? ", with the data loaded anew" : "");
      code_of_program(page, finding, &finding->runs[i].program, NULL, shell);
      parameters_of(page, &finding->runs[i].program);
    }
  }
  say(page, "The same as a script for the engine's own shell is in repro.%s.", shell->extension);
}

/* ---- what is wrong ---- */

/* What the rows on each side of a difference are, for each relation; NULL where there are none. `%zu` is the run. */
static const struct {
  const char *expected, *actual;
} sides[EW_RELATIONS] = {
    [EW_RELATION_same] = {"Only run 1 returns:", "Only run %zu returns:"},
    [EW_RELATION_same_ordered] = {"Where they differ, run 1 returns:", "Where they differ, run %zu returns:"},
    [EW_RELATION_sum] = {"Only run 1 returns:", "Only the other runs return, together:"},
    [EW_RELATION_superset] = {"Run 2 returns, and run 1 does not, or not as often:", NULL},
    [EW_RELATION_subset] = {"Run 1 returns, and run 2 does not, or not as often:", NULL},
    [EW_RELATION_superset_distinct] = {"Run 2 returns, and run 1 does not:", NULL},
    [EW_RELATION_subset_distinct] = {"Run 1 returns, and run 2 does not:", NULL},
    [EW_RELATION_none] = {NULL, "It returns:"},
    [EW_RELATION_exact] = {"It must return, and does not:", "It returns instead:"},
};

static void side_of(struct ew_page *page, const char *words, size_t run, const struct ew_rows *rows) {
  if (!words || !rows->row_count) return;
  const char *number = strstr(words, "%zu");
  if (number) {
    say(page, "%.*s%zu%s", (int)(number - words), words, run + 1, number + 3);
  } else {
    say(page, "%s", words);
  }
  table_of(page, rows);
}

/* One line: how many rows, or what else came of it. */
static void add_result(struct ew_text *text, const struct ew_statement_outcome *outcome) {
  if (!outcome)
    ew_text_add_string(text, "-");
  else if (outcome->kind == EW_OUTCOME_ROWS)
    ew_text_add_format(text, "%zu row%s", outcome->rows.row_count, plural(outcome->rows.row_count));
  else
    ew_text_add_string(text, ew_outcome_kind_text(outcome->kind));
}

/* The queries below each other, each with what came of it: a difference between two of them meets the eye. */
static void queries_of(struct ew_page *page, const struct ew_finding *finding) {
  enum { WIDTH = 10 };
  struct ew_text text = {0};
  if (finding->run_count < 2) return;
  for (size_t i = 0; i < finding->run_count; i++) {
    const struct ew_program *program = &finding->runs[i].program;
    struct ew_span query = program->count ? program->statements[program->count - 1].text : EW_SPAN("");
    if (query.length && memchr(query.bytes, '\n', query.length)) query = EW_SPAN("(see above)");
    ew_text_add_format(&text, "run %zu   ", i + 1);
    size_t start = text.length;
    add_result(&text, ew_outcome_decisive(&finding->outcomes[i]));
    while (text.length < start + WIDTH) ew_text_add_char(&text, ' ');
    ew_text_add_format(&text, "%.*s\n", EW_SPAN_ARGS(query));
  }
  page->style->code(page, "text", ew_text_span(&text));
  ew_text_release(&text);
}

/* Of a script with several statements, the one that is wrong. */
static void statement_of(struct ew_page *page, const struct ew_finding *finding) {
  const struct ew_why *why = &finding->why;
  const struct ew_program *program = why->run < finding->run_count ? &finding->runs[why->run].program : NULL;
  if (!program || program->count < 2 || why->statement >= program->count) return;
  struct ew_span text = program->statements[why->statement].text;
  say(page, "Statement %zu of %zu is the one that shows it:", why->statement + 1, program->count);
  page->style->code(page, finding->test.language ? finding->test.language->extension : "", text);
}

static void section_difference(struct ew_page *page, const struct ew_finding *finding) {
  const struct ew_why *why = &finding->why;
  enum ew_relation relation = finding->claim.relation;
  bool exact = relation == EW_RELATION_exact;
  page->style->heading(page, "Expected");
  sentence(page, ew_relation_words(relation));
  if (exact) statement_of(page, finding);
  if (exact) side_of(page, sides[relation].expected, 0, &why->expected);
  page->style->heading(page, "Actual");
  const struct ew_statement_outcome *culprit = ew_finding_culprit(finding);
  if (culprit) {
    statement_of(page, finding);
    outcome_of(page, culprit);
    return;
  }
  page->style->paragraph(page, why->text);
  queries_of(page, finding);
  if (!exact) side_of(page, sides[relation].expected, 0, &why->expected);
  side_of(page, sides[relation].actual, why->run, &why->actual);
}

static void section_plans(struct ew_page *page, const struct ew_finding *finding) {
  bool any = false;
  for (size_t i = 0; i < finding->run_count; i++) {
    const struct ew_statement_outcome *outcome = ew_outcome_decisive(&finding->outcomes[i]);
    if (!outcome || !outcome->plan.length) continue;
    if (!any) page->style->heading(page, "Plans");
    any = true;
    say(page, "Run %zu:", i + 1);
    words_of(page, outcome->plan);
  }
}

static void section_reason(struct ew_page *page, const struct ew_finding *finding) {
  const struct ew_oracle *oracle = ew_oracle_find(finding->oracle);
  if (!oracle) return;
  page->style->heading(page, "Why it must hold");
  sentence(page, oracle->summary);
  page->style->code(page, "text", ew_span_of(oracle->explanation));
}

/* ---- how it was found ---- */

static void section_origin(struct ew_page *page, const struct ew_finding *finding) {
  page->style->heading(page, "How it was found");
  fact(page, "Oracle", "%.*s", EW_SPAN_ARGS(finding->oracle));
  fact(page, "Seed", "%llu, case %llu", (unsigned long long)finding->test.key.seed,
       (unsigned long long)finding->test.key.number);
  if (finding->reduced)
    fact(page, "Reduced",
         "from %zu to %zu bytes in %u tries, and run again afterwards: all results here are of the reduced case",
         finding->bytes_before, finding->bytes_after, finding->tries);
  else
    fact(page, "Reduced", "no");
  fact(page, "Group", "%s%s%.*s", ew_group_text(finding->group).text, finding->shape.length ? ": " : "",
       (int)(finding->shape.length < SHAPE_SHOWN ? finding->shape.length : SHAPE_SHOWN), finding->shape.bytes);
  fact(page, "Replay", "edgewise replay %s, or the path of the folder that has this finding's finding.json",
       finding->id.text);
}

void ew_page_finding(struct ew_page *page, const struct ew_finding *finding, const struct ew_profile *profile) {
  page->style->title(page, finding->title);
  facts_of_engine(page, finding, profile);
  section_script(page, finding, ew_shell_of(profile));
  section_difference(page, finding);
  section_plans(page, finding);
  section_reason(page, finding);
  section_origin(page, finding);
}
