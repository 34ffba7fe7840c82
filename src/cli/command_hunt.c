/* command_hunt.c: `edgewise hunt`: everything is settled and the folder is known to be writable before the hunt starts.
   */
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/deadline.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/log.h"
#include "cli/commands.h"
#include "cli/config.h"
#include "cli/engines.h"
#include "cli/findings.h"
#include "cli/generation.h"
#include "cli/output.h"
#include "cli/plants.h"
#include "cli/remote.h"
#include "cli/summary.h"
#include "cli/view.h"
#include "hunt/known.h"

#define DEFAULT_ENGINE "graphqlite"

struct hunt {
  struct ew_arguments given;
  struct ew_arena arena;
  struct ew_engine engine;
  struct ew_hunt_options options;
  struct ew_text folder;
  bool latest; /* the folder is in runs/, and runs/latest is to lead to it */
};

/* ---- settling what is to be done ---- */

static uint64_t or_unlimited(const struct ew_setting *setting) { return setting->given ? setting->number : UINT64_MAX; }

/* Nine digits: easy to read out and to type. */
static uint64_t seed_from_clock(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return ew_hash_mix((uint64_t)now.tv_sec, (uint64_t)now.tv_nsec) % 1000000000;
}

static unsigned cores(void) {
  long count = sysconf(_SC_NPROCESSORS_ONLN);
  return count > 0 && count < 1024 ? (unsigned)count : 1;
}

static enum ew_status settle_options(struct hunt *hunt, struct ew_error *error) {
  enum { WORKERS_MAX = 256 };
  const struct ew_arguments *given = &hunt->given;
  const struct ew_setting *seed = ew_setting(given, EW_OPTION_seed), *time = ew_setting(given, EW_OPTION_time),
                          *workers = ew_setting(given, EW_OPTION_workers);
  if (workers->given && (workers->number < 1 || workers->number > WORKERS_MAX))
    return ew_fail(error, EW_USAGE, "--workers is from 1 to %d", WORKERS_MAX);
  hunt->options = (struct ew_hunt_options){
      .target = hunt->engine.target,
      .seed = seed->given ? seed->number : seed_from_clock(),
      .time = time->given ? time->duration : INT64_MAX,
      .tests = or_unlimited(ew_setting(given, EW_OPTION_tests)),
      .findings = or_unlimited(ew_setting(given, EW_OPTION_findings)),
      .workers = workers->given ? (unsigned)workers->number : cores(),
      .reduce_time = ew_setting(given, EW_OPTION_reduce_time)->duration,
      .statement_time = ew_setting(given, EW_OPTION_statement_time)->duration,
  };
  struct ew_span databases = ew_profile_setting(&hunt->engine.profile, "server.databases", EW_SPAN(""));
  if (hunt->options.target.url.length && ew_span_is(databases, "one")) hunt->options.workers = 1;
  enum ew_status status = ew_generation_settle(given, &hunt->engine.profile, &hunt->options.generate, error);
  if (status) return status;
  return ew_engine_oracles(&hunt->engine, ew_setting(given, EW_OPTION_oracle)->text, &hunt->arena,
                           &hunt->options.oracles, error);
}

/* ---- what is known already ---- */

/* A hunt needs none of it: where it cannot be opened, everything is new. */
static void open_known(struct hunt *hunt) {
  struct ew_text path = {0};
  struct ew_error error;
  enum ew_status status = ew_known_path(&path, &error);
  if (!status) status = ew_known_open(path.bytes, &hunt->options.known, &error);
  if (status) {
    ew_message("warning: %s; all findings count as new, and are not remembered", error.text);
    ew_known_close(hunt->options.known);
    hunt->options.known = NULL;
  }
  ew_text_release(&path);
}

static enum ew_status read_baseline(struct hunt *hunt, struct ew_error *error) {
  const struct ew_setting *baseline = ew_setting(&hunt->given, EW_OPTION_baseline);
  struct ew_findings findings;
  if (!baseline->given) return EW_OK;
  enum ew_status status = ew_run_load(&hunt->arena, baseline->text, &findings, error);
  if (status) return status;
  uint64_t *groups = EW_NEW_ARRAY(&hunt->arena, uint64_t, findings.count + 1);
  for (size_t i = 0; i < findings.count; i++) groups[i] = findings.items[i].group;
  hunt->options.baseline = groups;
  hunt->options.baseline_count = findings.count;
  return EW_OK;
}

static enum ew_status settle(struct hunt *hunt, struct ew_error *error) {
  const struct ew_setting *config = ew_setting(&hunt->given, EW_OPTION_config);
  enum ew_status status = EW_OK;
  if (config->given) status = ew_config_read(&hunt->arena, config->text, &hunt->given, error);
  const char *name = hunt->given.word_count ? hunt->given.words[0] : DEFAULT_ENGINE;
  if (!status)
    status = ew_remote_is_url(name) ? ew_remote_open(&hunt->engine, name, &hunt->given, error)
                                    : ew_engine_open(&hunt->engine, name, error);
  if (!status) status = ew_engine_plant(&hunt->engine, ew_setting(&hunt->given, EW_OPTION_plant)->text, error);
  if (!status) status = settle_options(hunt, error);
  if (!status) status = read_baseline(hunt, error);
  return status;
}

/* ---- the run's folder ---- */

static void add_default_folder(struct ew_text *path, uint64_t seed) {
  char stamp[32];
  time_t now = time(NULL);
  struct tm parts;
  localtime_r(&now, &parts);
  strftime(stamp, sizeof stamp, "%Y%m%d-%H%M%S", &parts);
  ew_text_add_format(path, EW_RUNS "/%s-%llu", stamp, (unsigned long long)seed);
  size_t length = path->length;
  for (unsigned again = 2; ew_file_exists(path->bytes); again++) { /* the same seed twice in a second */
    ew_text_cut(path, length);
    ew_text_add_format(path, "-%u", again);
  }
}

/* Everything that is in force; it can be given back with --config. */
static void add_config(struct ew_text *text, const struct hunt *hunt) {
  const struct ew_hunt_options *options = &hunt->options;
  struct ew_span name = options->target.profile->name, url = options->target.url;
  if (url.length)
    ew_text_add_format(text, "[hunt]\nengine = %.*s\nprofile = %.*s\noracle = ", EW_SPAN_ARGS(url), EW_SPAN_ARGS(name));
  else
    ew_text_add_format(text, "[hunt]\nengine = %.*s@%.*s\noracle = ", EW_SPAN_ARGS(name),
                       EW_SPAN_ARGS(options->target.version));
  for (size_t i = 0; options->oracles[i]; i++)
    ew_text_add_format(text, "%s%s", i ? "," : "", options->oracles[i]->name);
  ew_text_add_format(text, "\nseed = %llu\nworkers = %u\n", (unsigned long long)options->seed, options->workers);
  static const enum ew_option_id as_given[] = {EW_OPTION_time,        EW_OPTION_tests,          EW_OPTION_findings,
                                               EW_OPTION_reduce_time, EW_OPTION_statement_time, EW_OPTION_ui,
                                               EW_OPTION_plant};
  for (size_t i = 0; i < EW_COUNT(as_given); i++) {
    const struct ew_setting *setting = ew_setting(&hunt->given, as_given[i]);
    if (setting->text) ew_text_add_format(text, "%s = %s\n", ew_option_name(as_given[i]).text, setting->text);
  }
}

/* runs/latest leads to the folder, in one step. */
static enum ew_status point_latest(const char *folder, struct ew_error *error) {
  static const char beside[] = EW_LATEST ".new";
  const char *name = folder + strlen(EW_RUNS "/");
  unlink(beside);
  if (symlink(name, beside) == 0 && rename(beside, EW_LATEST) == 0) return EW_OK;
  return ew_fail(error, EW_IO, "cannot write " EW_LATEST ": %s", strerror(errno));
}

/* What edgewise has to say of itself goes to a file while the screen is up. */
static enum ew_status open_log(const char *folder, struct ew_error *error) {
  enum { LOG_CAP = 1 << 20 };
  struct ew_text path = {0};
  ew_text_add_format(&path, "%s/logs", folder);
  enum ew_status status = ew_folder_make(path.bytes, error);
  ew_text_add_string(&path, "/edgewise.log");
  if (!status) status = ew_log_open(path.bytes, LOG_CAP, error);
  ew_text_release(&path);
  return status;
}

static enum ew_status make_folder(struct hunt *hunt, struct ew_error *error) {
  const struct ew_setting *out = ew_setting(&hunt->given, EW_OPTION_out);
  struct ew_text path = {0}, config = {0};
  hunt->latest = !out->given;
  if (out->given)
    ew_text_add_string(&hunt->folder, out->text);
  else
    add_default_folder(&hunt->folder, hunt->options.seed);
  hunt->options.folder = hunt->folder.bytes;
  hunt->options.target.folder = hunt->folder.bytes;
  ew_text_add_format(&path, "%s/config.ini", hunt->folder.bytes);
  enum ew_status status = EW_OK;
  if (ew_file_exists(path.bytes))
    status = ew_fail(error, EW_USAGE, "%.300s holds a run already; name another folder with --out", hunt->folder.bytes);
  if (!status) status = ew_folder_make(hunt->folder.bytes, error);
  add_config(&config, hunt);
  if (!status) status = ew_file_replace(path.bytes, ew_text_span(&config), error);
  if (!status) status = open_log(hunt->folder.bytes, error);
  if (!status && hunt->latest) status = point_latest(hunt->folder.bytes, error);
  ew_text_release(&path);
  ew_text_release(&config);
  return status;
}

/* ---- the hunt ---- */

static enum ew_exit run(struct hunt *hunt) {
  struct ew_hunt_result result = {0};
  struct ew_error error;
  struct ew_text text = {0};
  struct ew_view *view = ew_allocate(sizeof *view);
  ew_view_init(view, ew_setting(&hunt->given, EW_OPTION_ui)->text, &hunt->options);
  hunt->options.view = &view->hooks;
  int64_t began = ew_now();
  enum ew_status status = ew_hunt(&hunt->options, &result, &error);
  double seconds = (double)(ew_now() - began) / (double)EW_SECOND;
  if (!status) ew_view_end(view);
  ew_deallocate(view);
  if (status) return ew_give_up(status, &error);
  ew_summary(&text, &hunt->options, &result, seconds, hunt->latest);
  return ew_output_last(&text, ew_summary_exit(&hunt->options, &result));
}

enum ew_exit ew_command_hunt(const struct ew_arguments *given) {
  struct hunt hunt = {.given = *given};
  struct ew_error error;
  ew_arena_init(&hunt.arena);
  enum ew_status status = settle(&hunt, &error);
  if (!status) status = make_folder(&hunt, &error);
  if (!status)
    ew_message("hunting %.*s %.*s, seed %llu, in %s", EW_SPAN_ARGS(hunt.options.target.profile->name),
               EW_SPAN_ARGS(hunt.options.target.version), (unsigned long long)hunt.options.seed, hunt.options.folder);
  if (!status) open_known(&hunt);
  enum ew_exit code = status ? ew_give_up(status, &error) : run(&hunt);
  ew_known_close(hunt.options.known);
  ew_engine_release(&hunt.engine);
  ew_text_release(&hunt.folder);
  ew_arena_release(&hunt.arena);
  return code;
}
