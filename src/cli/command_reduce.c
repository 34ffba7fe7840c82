/* command_reduce.c: `edgewise reduce`: a stored finding on its engine, or a script by a program of the user's. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/commands.h"
#include "cli/engines.h"
#include "cli/findings.h"
#include "cli/output.h"
#include "cli/plants.h"
#include "cli/reduce_script.h"
#include "hunt/confirm.h"
#include "hunt/reduce_finding.h"
#include "oracle/oracles.h"

/* Ctrl-C ends a reduction with what it has so far; the second one ends us. */
static volatile sig_atomic_t stopped;

static void stop(int number) {
  (void)number;
  stopped = 1;
}

static void catch_interrupts(void) {
  struct sigaction action = {.sa_handler = stop, .sa_flags = (int)SA_RESETHAND};
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
}

/* ---- a finding ---- */

static void show(void *context, unsigned tries, size_t size) {
  (void)context;
  fprintf(stderr, "\r%u tries, %zu nodes left\033[K", tries, size);
}

static enum ew_status open_engine(const struct ew_arguments *given, struct ew_arena *arena,
                                  const struct ew_finding *finding, struct ew_engine *engine, struct ew_error *error) {
  struct ew_span name =
      ew_arena_format(arena, "%.*s@%.*s", EW_SPAN_ARGS(finding->engine), EW_SPAN_ARGS(finding->version));
  enum ew_status status = ew_engine_open(engine, ew_arena_string(arena, name), error);
  /* The finding is well formed; that its engine is not known here is no mistake of the user's. */
  if (status == EW_USAGE) status = EW_MISSING;
  return status ? status : ew_engine_plant(engine, ew_setting(given, EW_OPTION_plant)->text, error);
}

/* As it is stored it must show; EW_MISSING where it does not. */
static enum ew_status reduce_on(const struct ew_arguments *given, struct ew_arena *arena,
                                const struct ew_engine *engine, struct ew_finding *finding, struct ew_error *error) {
  const struct ew_oracle *oracle = ew_oracle_find(finding->oracle);
  struct ew_reduce_options options = {.tries = EW_REDUCE_TRIES,
                                      .time = ew_setting(given, EW_OPTION_reduce_time)->duration,
                                      .progress = isatty(STDERR_FILENO) ? show : NULL,
                                      .stop = &stopped};
  struct ew_stage stage;
  bool seen = false;
  if (!oracle) return ew_fail(error, EW_BAD, "no oracle is called '%.*s'", EW_SPAN_ARGS(finding->oracle));
  enum ew_status status =
      ew_stage_init(&stage, &engine->target, ew_setting(given, EW_OPTION_statement_time)->duration, error);
  if (!status) status = ew_confirm_once(&stage, oracle, arena, finding, &seen, error);
  if (!status && !seen)
    status = ew_fail(error, EW_MISSING, "%.*s %.*s does not show the violation of %s any more",
                     EW_SPAN_ARGS(finding->engine), EW_SPAN_ARGS(finding->version), finding->id.text);
  if (!status) status = ew_finding_reduce(&stage, oracle, arena, &options, finding, error);
  if (options.progress) fprintf(stderr, "\r\033[K");
  ew_stage_release(&stage);
  if (!status) ew_finding_label(arena, &engine->profile, finding);
  return status;
}

static enum ew_exit reduce_finding(const struct ew_arguments *given) {
  struct ew_arena arena;
  struct ew_text folder = {0}, text = {0};
  struct ew_finding finding;
  struct ew_engine engine = {0};
  struct ew_error error;
  ew_arena_init(&arena);
  enum ew_status status = ew_finding_open(&arena, given->words[0], &finding, &folder, &error);
  size_t before = status ? 0 : ew_finding_script_bytes(&finding);
  if (!status) status = open_engine(given, &arena, &finding, &engine, &error);
  if (!status) status = reduce_on(given, &arena, &engine, &finding, &error);
  if (!status) status = ew_finding_keep(folder.bytes, &finding, &engine.profile, &error);
  if (!status)
    ew_text_add_format(&text, "%s: %zu bytes, now %zu; %u tries, %.1f s\n  %.*s\n", finding.id.text, before,
                       finding.bytes_after, finding.tries, (double)finding.reducing / 1e9, EW_SPAN_ARGS(finding.title));
  ew_engine_release(&engine);
  ew_text_release(&folder);
  ew_arena_release(&arena);
  return status ? ew_give_up(status, &error) : ew_output_last(&text, EW_EXIT_NOTHING);
}

/* ---- a script ---- */

static enum ew_exit reduce_script(const struct ew_arguments *given) {
  const struct ew_setting *time = ew_setting(given, EW_OPTION_reduce_time);
  const char *out = ew_setting(given, EW_OPTION_out)->text;
  struct ew_script_reduction reduction = {.program = ew_setting(given, EW_OPTION_test)->text,
                                          .time = time->given ? time->duration : INT64_MAX,
                                          .stop = &stopped,
                                          .shown = isatty(STDERR_FILENO)};
  struct ew_arena arena;
  struct ew_script script;
  struct ew_text text = {0};
  struct ew_error error;
  ew_arena_init(&arena);
  enum ew_status status = ew_script_read(&arena, given->words[0], &script);
  enum ew_exit code = ew_status_exit(status);
  if (!status) {
    status = ew_script_reduce(&arena, &script, &reduction, &text, &error);
    if (!status && out) status = ew_file_replace(out, ew_text_span(&text), &error);
    if (status) code = ew_give_up(status, &error);
  }
  if (!status)
    ew_message("%zu bytes, now %zu; %u tries", reduction.bytes_before, reduction.bytes_after, reduction.tries);
  ew_arena_release(&arena);
  if (!status && !out) return ew_output_last(&text, EW_EXIT_NOTHING);
  ew_text_release(&text);
  return code;
}

enum ew_exit ew_command_reduce(const struct ew_arguments *given) {
  struct ew_error error;
  bool script = ew_setting(given, EW_OPTION_test)->given;
  if (ew_setting(given, EW_OPTION_out)->given && !script)
    return ew_give_up(ew_fail(&error, EW_USAGE, "--out goes with --test; a finding stays in its folder"), &error);
  catch_interrupts();
  return script ? reduce_script(given) : reduce_finding(given);
}
