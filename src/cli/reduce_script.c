/* reduce_script.c: the script is a case whose scene is all of its statements, and which has no base. */
#include "cli/reduce_script.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/process.h"
#include "lang/cypher/cypher.h"
#include "lang/cypher/scope.h"
#include "reduce/reduce.h"

struct judge {
  struct ew_script_reduction *reduction;
  char folder[4096], path[4096 + 32];
  /* What each statement of the original passes, a candidate's must too: types are right, or names at least, or nothing is. */
  bool (*sound)(const struct ew_node *statement, struct ew_cypher_problem *problem);
  size_t bytes; /* of the script that was printed last */
  enum ew_status status;
  struct ew_error *error;
};

static void print(struct ew_text *text, struct ew_list statements) {
  for (size_t i = 0; i < statements.count; i++) {
    ew_cypher.print(text, statements.items[i], NULL);
    ew_text_add_string(text, ";\n");
  }
}

static bool is_interesting(void *context, const struct ew_case *candidate) {
  struct judge *judge = context;
  struct ew_text text = {0};
  int code = 1;
  if (judge->status) return false;
  print(&text, candidate->scene.statements);
  judge->bytes = text.length;
  judge->status = ew_file_replace(judge->path, ew_text_span(&text), judge->error);
  ew_text_release(&text);
  const char *const arguments[] = {judge->reduction->program, judge->path, NULL};
  if (!judge->status) judge->status = ew_process_run(arguments, EW_PROCESS_SILENT, &code, judge->error);
  return !judge->status && code == 0;
}

static bool all_are(struct judge *judge, struct ew_list statements) {
  for (size_t i = 0; judge->sound && i < statements.count; i++)
    if (!judge->sound(statements.items[i], NULL)) return false;
  return true;
}

static bool is_sound(void *context, const struct ew_case *candidate) {
  struct judge *judge = context;
  return !judge->status && all_are(judge, candidate->scene.statements);
}

static void choose_check(struct judge *judge, struct ew_list statements) {
  judge->sound = ew_cypher_analyze;
  if (!all_are(judge, statements)) judge->sound = ew_cypher_analyze_names;
  if (!all_are(judge, statements)) judge->sound = NULL;
}

static void show(void *context, unsigned tries, size_t size) {
  const struct judge *judge = context;
  if (judge->reduction->shown) fprintf(stderr, "\r%u tries, %zu nodes left\033[K", tries, size);
}

static enum ew_status make_folder(struct judge *judge, struct ew_error *error) {
  const char *parent = getenv("TMPDIR");
  int length =
      snprintf(judge->folder, sizeof judge->folder, "%s/edgewise-reduce-XXXXXX", parent && parent[0] ? parent : "/tmp");
  if (length < 0 || (size_t)length >= sizeof judge->folder || !mkdtemp(judge->folder))
    return ew_fail(error, EW_IO, "cannot make a folder %s", judge->folder);
  snprintf(judge->path, sizeof judge->path, "%s/candidate.cypher", judge->folder);
  return EW_OK;
}

static enum ew_status reduce(struct ew_arena *arena, struct judge *judge, const struct ew_case *whole,
                             struct ew_text *text, struct ew_error *error) {
  struct ew_script_reduction *reduction = judge->reduction;
  bool wanted = is_interesting(judge, whole);
  if (judge->status == EW_MISSING) return EW_USAGE;
  if (!judge->status && !wanted)
    return ew_fail(error, EW_BAD, "%s does not end with 0 on the whole script, so that there is nothing to keep",
                   reduction->program);
  reduction->bytes_before = judge->bytes;
  struct ew_reduction work = {
      .arena = arena,
      .violates = is_interesting,
      .sound = is_sound,
      .progress = show,
      .context = judge,
      .tries_max = UINT32_MAX,
      .deadline = reduction->time == INT64_MAX ? EW_DEADLINE_NEVER : ew_deadline_in(reduction->time),
      .stop = reduction->stop,
  };
  if (!judge->status) ew_reduce(&work, whole);
  if (reduction->shown) fprintf(stderr, "\r\033[K");
  if (judge->status) return judge->status;
  size_t before = text->length;
  print(text, work.best.scene.statements);
  reduction->bytes_after = text->length - before;
  reduction->tries = work.tries;
  return EW_OK;
}

enum ew_status ew_script_reduce(struct ew_arena *arena, const struct ew_script *script,
                                struct ew_script_reduction *reduction, struct ew_text *text, struct ew_error *error) {
  struct judge judge = {.reduction = reduction, .error = error};
  struct ew_builder builder = {arena, 1};
  struct ew_case whole = {.language = &ew_cypher};
  for (size_t i = 0; i < script->statements.count; i++)
    whole.scene.statements = ew_list_append(&builder, whole.scene.statements, script->statements.items[i].statement);
  choose_check(&judge, whole.scene.statements);
  enum ew_status status = make_folder(&judge, error);
  if (status) return status;
  status = reduce(arena, &judge, &whole, text, error);
  ew_folder_remove(judge.folder);
  return status;
}
