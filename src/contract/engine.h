/* engine.h: the interface of an adapter, the part of an engine host that speaks to one kind of engine.

   An adapter runs inside a host process of its own (engine/host.h), so it may block, crash or leak. It is single-threaded.
   Deadlines are its duty as far as the engine lets itself be stopped; the worker kills the host otherwise. */
#ifndef EW_CONTRACT_ENGINE_H
#define EW_CONTRACT_ENGINE_H

#include "base/deadline.h"
#include "contract/outcome.h"
#include "contract/program.h"

struct ew_settings {
  const struct ew_option *items; /* "library" = path of the engine's library, and the profile's [settings] */
  size_t count;
};

/* The last one of that name, because a profile comes behind what it extends; empty where there is none. */
struct ew_span ew_settings_find(const struct ew_settings *settings, const char *name);

struct ew_adapter {
  const char *name;
  /* A new, empty instance. */
  enum ew_status (*open)(const struct ew_settings *settings, void **instance, struct ew_error *error);
  /* Empty again. Failing here means that the host must be replaced. */
  enum ew_status (*reset)(void *instance, struct ew_error *error);
  /* Runs one statement. Everything of the outcome lives in `arena` or in the instance until the next call. */
  void (*run)(void *instance, const struct ew_statement *statement, const struct ew_option *options,
              size_t option_count, struct ew_deadline deadline, struct ew_arena *arena,
              struct ew_statement_outcome *outcome);
  /* The plan of a statement into outcome->plan; NULL where the engine has none. */
  void (*explain)(void *instance, const struct ew_statement *statement, struct ew_deadline deadline,
                  struct ew_arena *arena, struct ew_statement_outcome *outcome);
  /* The engine's own word for its version. */
  struct ew_span (*version)(void *instance, struct ew_arena *arena);
  void (*close)(void *instance);
};

#endif
