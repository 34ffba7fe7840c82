/* command_bisect.c: `edgewise bisect FINDING`: a binary search over the published versions of its engine. A version that
   gives no verdict (it cannot be installed, refuses the query, fails in another way) is passed over: one beside it is tried,
   and where none is left between the last good and the first bad one, the report names those that were passed over. */
#include "cli/commands.h"
#include "cli/findings.h"
#include "cli/install.h"
#include "cli/output.h"
#include "hunt/retest.h"

struct search {
  struct ew_arena arena;
  struct ew_finding finding;
  struct ew_names versions; /* oldest first */
  enum ew_retest *verdicts;
  bool *tried;
  int64_t statement_time;
};

/* What version number `index` does; says so on standard error. */
static enum ew_retest try_version(struct search *search, size_t index) {
  struct ew_engine engine;
  struct ew_error error;
  struct ew_retested retested = {.result = EW_RETEST_UNCLEAR};
  struct ew_span version = search->versions.items[index];
  if (search->tried[index]) return search->verdicts[index];
  const char *name = ew_arena_string(
      &search->arena,
      ew_arena_format(&search->arena, "%.*s@%.*s", EW_SPAN_ARGS(search->finding.engine), EW_SPAN_ARGS(version)));
  enum ew_status status = ew_engine_open_or_install(&engine, name, true, &error);
  if (!status)
    status =
        ew_finding_retest(&search->arena, &engine.target, search->statement_time, &search->finding, &retested, &error);
  if (status) retested.words = ew_arena_copy(&search->arena, ew_span_of(error.text));
  ew_engine_release(&engine);
  ew_message("%.*s: %s%s%.*s", EW_SPAN_ARGS(version), ew_retest_name(retested.result),
             retested.words.length ? ": " : "", (int)(retested.words.length < 150 ? retested.words.length : 150),
             retested.words.bytes);
  search->tried[index] = true;
  search->verdicts[index] = retested.result;
  return retested.result;
}

static bool decides(enum ew_retest result) { return result == EW_RETEST_HOLDS || result == EW_RETEST_GONE; }

/* Old versions do not know all of a language: where the oldest gives no verdict and no good one is known yet, one that gives
   none counts as too old, and the search is for the first that gives one. */
static bool is_too_old(struct search *search, size_t index, bool has_good) {
  return !has_good && !decides(try_version(search, 0)) && !decides(try_version(search, index));
}

/* A version between `low` and `high`, as near to the middle as one is that decides; `high` where there is none. */
static size_t find_deciding(struct search *search, size_t low, size_t high) {
  size_t middle = low + (high - low) / 2;
  for (size_t away = 0; away < high - low; away++) {
    if (middle + away < high && decides(try_version(search, middle + away))) return middle + away;
    if (away && middle >= low + away && decides(try_version(search, middle - away))) return middle - away;
  }
  return high;
}

/* Versions from `low` on, below `high`, where `high` shows it: narrows down to the first one. */
static void narrow(struct search *search, size_t low, size_t high) {
  struct ew_bisection *bisection = &search->finding.bisection;
  bool has_good = false;
  size_t good = 0;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (is_too_old(search, middle, has_good)) {
      low = middle + 1;
      continue;
    }
    size_t index = find_deciding(search, low, high);
    if (index == high) break;
    if (try_version(search, index) == EW_RETEST_HOLDS) {
      high = index;
    } else {
      has_good = true;
      good = index;
      low = index + 1;
    }
  }
  bisection->first = search->versions.items[high];
  if (has_good) bisection->good = search->versions.items[good];
  if (!has_good && high) low = high - 1; /* one before it has given no verdict, or it would be the first */
  bisection->unclear = (struct ew_names){search->versions.items + low, high - low};
}

static enum ew_status run(struct search *search, struct ew_error *error) {
  struct ew_names versions = search->versions;
  const struct ew_finding *finding = &search->finding;
  size_t found = 0;
  while (found < versions.count && !ew_span_equal(versions.items[found], finding->version)) found++;
  if (found == versions.count)
    return ew_fail(error, EW_USAGE, "%.*s %.*s is none of the %zu published versions", EW_SPAN_ARGS(finding->engine),
                   EW_SPAN_ARGS(finding->version), versions.count);
  if (try_version(search, found) != EW_RETEST_HOLDS)
    return ew_fail(error, EW_USAGE, "%s does not show on %.*s %.*s, where it was found; see: edgewise replay",
                   finding->id.text, EW_SPAN_ARGS(finding->engine), EW_SPAN_ARGS(finding->version));
  search->finding.bisection = (struct ew_bisection){.newest = versions.items[versions.count - 1]};
  search->finding.bisection.in_newest = try_version(search, versions.count - 1) == EW_RETEST_HOLDS;
  bool always = try_version(search, 0) == EW_RETEST_HOLDS;
  narrow(search, 0, always ? 0 : found);
  return EW_OK;
}

static enum ew_status bisect(struct search *search, const char *name, struct ew_text *folder, struct ew_text *text,
                             struct ew_error *error) {
  struct ew_engine engine = {0};
  struct ew_finding *finding = &search->finding;
  enum ew_status status = ew_finding_open(&search->arena, name, finding, folder, error);
  if (status) return status;
  status = ew_engine_read(&engine, ew_arena_string(&search->arena, finding->engine), error);
  if (!status) status = ew_engine_published(&engine, &search->arena, &search->versions, error);
  search->verdicts = EW_NEW_ARRAY(&search->arena, enum ew_retest, search->versions.count + 1);
  search->tried = EW_NEW_ARRAY(&search->arena, bool, search->versions.count + 1);
  if (!status) status = run(search, error);
  if (!status) status = ew_finding_keep(folder->bytes, finding, &engine.profile, error);
  if (!status) {
    ew_text_add_format(text, "%s  ", finding->id.text);
    ew_bisection_add(text, &finding->bisection);
    ew_text_add_format(text, "\n  %.*s\n  written into %s/report.md\n", EW_SPAN_ARGS(finding->title), folder->bytes);
  }
  ew_engine_release(&engine);
  return status;
}

enum ew_exit ew_command_bisect(const struct ew_arguments *given) {
  struct search search = {.statement_time = ew_setting(given, EW_OPTION_statement_time)->duration};
  struct ew_text folder = {0}, text = {0};
  struct ew_error error;
  ew_arena_init(&search.arena);
  enum ew_status status = bisect(&search, given->words[0], &folder, &text, &error);
  ew_text_release(&folder);
  ew_arena_release(&search.arena);
  if (status) ew_text_release(&text);
  return status ? ew_give_up(status, &error) : ew_output_last(&text, EW_EXIT_NOTHING);
}
