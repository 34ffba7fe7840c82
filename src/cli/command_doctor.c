/* command_doctor.c: `edgewise doctor`: one small check a line, and what to do where something is missing. */
#include <dlfcn.h>
#include <inttypes.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/commands.h"
#include "cli/engines.h"
#include "cli/output.h"
#include "cli/process.h"
#include "hunt/stage.h"

/* Each check fills `found` with what is there, or `advice` with what to do. */
struct check {
  const char *name;
  bool (*run)(struct ew_text *found, struct ew_text *advice);
  bool needed; /* a hunt cannot start without it */
};

static bool check_sqlite(struct ew_text *found, struct ew_text *advice) {
  (void)advice;
  ew_text_add_format(found, "library %s", sqlite3_libversion());
  return true;
}

static bool check_z3(struct ew_text *found, struct ew_text *advice) {
  static const char *const names[] = {"libz3.so.4", "libz3.so"};
  for (size_t i = 0; i < EW_COUNT(names); i++) {
    void *library = dlopen(names[i], RTLD_LAZY | RTLD_LOCAL);
    if (!library) continue;
    ew_text_add_format(found, "%s of the system, for z3@system", names[i]);
    dlclose(library);
    return true;
  }
  ew_text_add_string(
      advice, "only for z3@system: install your system's z3 library (Debian: libz3-4), or another version of z3");
  return false;
}

static bool runs(const char *const *arguments) {
  struct ew_error error;
  int code;
  return ew_process_run(arguments, EW_PROCESS_SILENT, &code, &error) == EW_OK && code == 0;
}

static bool check_python(struct ew_text *found, struct ew_text *advice) {
  const char *const arguments[] = {"python3", "-m", "pip", "--version", NULL};
  if (runs(arguments)) {
    ew_text_add_string(found, "python3 with pip, to install engines");
    return true;
  }
  ew_text_add_string(advice, "engines are installed with pip: install python3 and pip (Debian: python3-pip)");
  return false;
}

static bool check_shell(struct ew_text *found, struct ew_text *advice) {
  const char *const arguments[] = {"sqlite3", "--version", NULL};
  if (runs(arguments)) {
    ew_text_add_string(found, "the sqlite3 program, to run repro.sql by hand");
    return true;
  }
  ew_text_add_string(advice, "only to run repro.sql by hand: install the sqlite3 program");
  return false;
}

/* Where engines are kept: made, written to, and large enough. */
static bool check_cache(struct ew_text *found, struct ew_text *advice) {
  struct ew_error error;
  struct ew_text folder = {0};
  enum ew_status status = ew_folder_xdg("CACHE", &folder, &error);
  if (!status) status = ew_folder_make(folder.bytes, &error);
  bool writable = !status && access(folder.bytes, W_OK) == 0;
  if (writable) {
    ew_text_add_format(found, "%s can be written", folder.bytes);
  } else if (status) {
    ew_text_add_format(advice, "%s; or set XDG_CACHE_HOME to a folder of yours", error.text);
  } else {
    ew_text_add_format(advice, "%s cannot be written; set XDG_CACHE_HOME to a folder of yours", folder.bytes);
  }
  ew_text_release(&folder);
  return writable;
}

static bool check_disk(struct ew_text *found, struct ew_text *advice) {
  enum { WANTED_MB = 500 };
  struct statvfs info;
  if (statvfs(".", &info) != 0) {
    ew_text_add_string(advice, "the free space of this folder cannot be read");
    return false;
  }
  uint64_t megabytes = (uint64_t)info.f_bavail * info.f_frsize / 1000000;
  if (megabytes >= WANTED_MB) {
    ew_text_add_format(found, "%" PRIu64 " MB free in this folder", megabytes);
    return true;
  }
  ew_text_add_format(advice, "only %" PRIu64 " MB free in this folder; make room, or hunt elsewhere with --out",
                     megabytes);
  return false;
}

static bool check_profiles(struct ew_text *found, struct ew_text *advice) {
  struct ew_error error;
  if (ew_engines_folder(found, &error) == EW_OK) return true;
  ew_text_add_string(advice, error.text);
  return false;
}

static void add_versions(struct ew_text *found, struct ew_arena *arena, struct ew_span name) {
  struct ew_engine engine;
  struct ew_error error;
  if (ew_engine_read(&engine, ew_arena_string(arena, name), &error) == EW_OK) {
    struct ew_names versions = ew_engine_versions(&engine, arena);
    for (size_t k = 0; k < versions.count; k++)
      ew_text_add_format(found, "%s%.*s@%.*s", found->length ? ", " : "", EW_SPAN_ARGS(name),
                         EW_SPAN_ARGS(versions.items[k]));
  }
  ew_engine_release(&engine);
}

static bool check_engines(struct ew_text *found, struct ew_text *advice) {
  struct ew_arena arena;
  struct ew_names names;
  struct ew_error error;
  ew_arena_init(&arena);
  if (ew_engines_names(&arena, &names, &error) == EW_OK)
    for (size_t i = 0; i < names.count; i++) add_versions(found, &arena, names.items[i]);
  ew_arena_release(&arena);
  if (found->length) return true;
  ew_text_add_string(advice, "no engine is installed; run: edgewise engines install graphqlite");
  return false;
}

/* How long a server takes to answer its first query, and what it says it is; or why it does not. */
static bool try_server(struct ew_engine *engine, struct ew_text *found, struct ew_text *advice) {
  struct ew_stage stage;
  struct ew_error error;
  struct ew_span name = engine->profile.name, version = engine->target.version;
  int64_t began = ew_now();
  enum ew_status status = ew_stage_init(&stage, &engine->target, 5 * EW_SECOND, &error);
  if (!status) status = ew_instance_start(&stage.instance, &error);
  if (status)
    ew_text_add_format(advice, "%s%.*s@%.*s does not start: %.300s", advice->length ? "; " : "", EW_SPAN_ARGS(name),
                       EW_SPAN_ARGS(version), error.text);
  else
    ew_text_add_format(found, "%s%.*s@%.*s answers after %.1f s", found->length ? ", " : "", EW_SPAN_ARGS(name),
                       EW_SPAN_ARGS(version), (double)(ew_now() - began) / (double)EW_SECOND);
  ew_stage_release(&stage);
  return !status;
}

/* Engines that are servers: each default version that is installed is started once. */
static bool check_servers(struct ew_text *found, struct ew_text *advice) {
  struct ew_arena arena;
  struct ew_names names;
  struct ew_error error;
  bool fine = true;
  ew_arena_init(&arena);
  if (ew_engines_names(&arena, &names, &error)) names.count = 0;
  for (size_t i = 0; i < names.count; i++) {
    struct ew_engine engine;
    enum ew_status status = ew_engine_open(&engine, ew_arena_string(&arena, names.items[i]), &error);
    bool server = ew_profile_setting(&engine.profile, "server.program", EW_SPAN("")).length > 0;
    if (server && status == EW_MISSING) {
      ew_text_add_format(advice, "%s%.*s is not installed: edgewise engines install %.*s", advice->length ? "; " : "",
                         EW_SPAN_ARGS(names.items[i]), EW_SPAN_ARGS(names.items[i]));
      fine = false;
    } else if (server && !status) {
      fine = try_server(&engine, found, advice) && fine;
    }
    ew_engine_release(&engine);
  }
  ew_arena_release(&arena);
  if (!fine && found->length) ew_text_add_format(advice, "; %s", found->bytes);
  if (fine && !found->length) ew_text_add_string(found, "none is known");
  return fine;
}

/* Engines crash often in a hunt, and each core file may be large. */
static bool check_cores(struct ew_text *found, struct ew_text *advice) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_CORE, &limit) == 0 && limit.rlim_cur == 0) {
    ew_text_add_string(found, "no core files are written");
    return true;
  }
  ew_text_add_string(advice, "crashing engines may leave core files in this folder; to be rid of them: ulimit -c 0");
  return false;
}

static const struct check checks[] = {
    {"sqlite", check_sqlite, true},    {"profiles", check_profiles, true},
    {"cache", check_cache, true},      {"engines", check_engines, true},
    {"servers", check_servers, false}, {"disk", check_disk, true},
    {"pip", check_python, false},      {"z3", check_z3, false},
    {"sqlite3", check_shell, false},   {"cores", check_cores, false},
};

enum ew_exit ew_command_doctor(const struct ew_arguments *given) {
  struct ew_text text = {0};
  bool colour = ew_colour(STDOUT_FILENO), ready = true;
  (void)given;
  for (size_t i = 0; i < EW_COUNT(checks); i++) {
    struct ew_text found = {0}, advice = {0};
    bool fine = checks[i].run(&found, &advice);
    const char *word = fine ? "ok" : checks[i].needed ? "missing" : "note";
    const char *escape = fine ? "\033[32m" : checks[i].needed ? "\033[31m" : "\033[33m";
    ew_text_add_string(&text, colour ? escape : "");
    ew_text_add_padded(&text, ew_span_of(word), 9);
    ew_text_add_string(&text, colour ? "\033[0m" : "");
    ew_text_add_padded(&text, ew_span_of(checks[i].name), 10);
    ew_text_add(&text, ew_text_span(fine ? &found : &advice));
    ew_text_add_char(&text, '\n');
    ready = ready && (fine || !checks[i].needed);
    ew_text_release(&found);
    ew_text_release(&advice);
  }
  ew_text_add_string(&text, ready ? "\nA hunt can start: edgewise hunt --time 60s\n" : "\nA hunt cannot start yet.\n");
  return ew_output_last(&text, ready ? EW_EXIT_NOTHING : EW_EXIT_INCONCLUSIVE);
}
