/* z3.c: µZ, z3's engine for recursive rules, through libz3's C interface, loaded at run time so that versions can
   lie side by side.

   A statement is a whole program in SMT-LIB's fixedpoint dialect, ending in one `(query R)` for each relation that
   is asked for. Its answer has a row for each tuple of each relation: the relation's name, and the tuple as a list
   of integers (a Bool is 0 or 1). Every statement gets a context of its own, so there is no state to reset.

   Setting: `library`, a file; where it is empty the system's libz3. A run's options are parameters of the
   fixedpoint engine ("xform.slice" = "false"); true, false and numbers are taken for such.

   z3 stops at its deadline only where it looks at it, which it does not within a join: the worker's kill remains.
   What is wrong with a text that does not parse z3 prints to standard output, so that is caught in memory here. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <z3.h>

#include "base/allocate.h"
#include "base/vector.h"
#include "engine/adapters.h"

enum { TUPLES_MAX = 1 << 20, COLUMNS_MAX = 16, DOMAIN_BITS_MAX = 20, DETAIL_MAX = 2000 };

/* All that is used of libz3. */
struct functions {
#define FUNCTION(name) __typeof__(&Z3_##name) name;
#include "engine/z3.def"
#undef FUNCTION
};

struct z3 {
  void *library;
  struct functions call;
  int output; /* what the library prints */
};

/* One statement being run. */
struct run {
  const struct functions *call;
  Z3_context context;
  Z3_fixedpoint fixedpoint;
  struct ew_arena *arena;
  struct ew_statement_outcome *outcome;
  EW_VECTOR(struct ew_value) cells; /* two for each row */
  bool unknown;                     /* an answer had a form that we do not know */
};

/* ---- answers: formulas over (:var 0) … (:var arity - 1) ---- */

struct relation {
  struct ew_span name;
  unsigned arity;
  unsigned bits[COLUMNS_MAX], total_bits;
};

static Z3_decl_kind kind_of(const struct run *run, Z3_app app) {
  return run->call->get_decl_kind(run->context, run->call->get_app_decl(run->context, app));
}

static Z3_ast argument(const struct run *run, Z3_app app, unsigned index) {
  return run->call->get_app_arg(run->context, app, index);
}

static bool add_tuple(struct run *run, const struct relation *relation, const uint64_t *columns) {
  if (run->cells.count / 2 == TUPLES_MAX) return false;
  struct ew_value *tuple = EW_NEW_ARRAY(run->arena, struct ew_value, relation->arity);
  for (unsigned i = 0; i < relation->arity; i++) tuple[i] = ew_integer((int64_t)columns[i]);
  *ew_arena_vector_push(run->arena, &run->cells) = ew_string(relation->name);
  *ew_arena_vector_push(run->arena, &run->cells) = ew_list(tuple, relation->arity);
  return true;
}

/* Evaluates any formula that an answer has been seen to be made of. */
static uint64_t evaluate(struct run *run, Z3_ast ast, const uint64_t *columns) {
  const struct functions *call = run->call;
  Z3_ast_kind ast_kind = call->get_ast_kind(run->context, ast);
  uint64_t number = 0;
  if (ast_kind == Z3_VAR_AST) {
    unsigned index = call->get_index_value(run->context, ast);
    return index < COLUMNS_MAX ? columns[index] : 0;
  }
  if (ast_kind == Z3_NUMERAL_AST && call->get_numeral_uint64(run->context, ast, &number)) return number;
  if (ast_kind != Z3_APP_AST) return run->unknown = true, 0;
  Z3_app app = call->to_app(run->context, ast);
  unsigned count = call->get_app_num_args(run->context, app);
  switch (kind_of(run, app)) {
    case Z3_OP_TRUE: return 1;
    case Z3_OP_FALSE: return 0;
    case Z3_OP_NOT: return !evaluate(run, argument(run, app, 0), columns);
    case Z3_OP_EQ:
      return evaluate(run, argument(run, app, 0), columns) == evaluate(run, argument(run, app, 1), columns);
    case Z3_OP_AND:
      for (unsigned i = 0; i < count; i++)
        if (!evaluate(run, argument(run, app, i), columns)) return 0;
      return 1;
    case Z3_OP_OR:
      for (unsigned i = 0; i < count; i++)
        if (evaluate(run, argument(run, app, i), columns)) return 1;
      return 0;
    case Z3_OP_EXTRACT: {
      Z3_func_decl declaration = call->get_app_decl(run->context, app);
      unsigned high = (unsigned)call->get_decl_int_parameter(run->context, declaration, 0);
      unsigned low = (unsigned)call->get_decl_int_parameter(run->context, declaration, 1);
      if (high > 63 || low > high) return run->unknown = true, 0;
      return evaluate(run, argument(run, app, 0), columns) >> low & ((UINT64_C(2) << (high - low)) - 1);
    }
    default: return run->unknown = true, 0;
  }
}

/* Tries every tuple of the domain. */
static bool enumerate(struct run *run, const struct relation *relation, Z3_ast answer) {
  if (relation->total_bits > DOMAIN_BITS_MAX) return false;
  for (uint64_t point = 0; point < UINT64_C(1) << relation->total_bits && !run->unknown; point++) {
    uint64_t columns[COLUMNS_MAX] = {0}, rest = point;
    for (unsigned i = 0; i < relation->arity; i++) {
      columns[i] = rest & ((UINT64_C(1) << relation->bits[i]) - 1);
      rest >>= relation->bits[i];
    }
    if (evaluate(run, answer, columns) && !run->unknown && !add_tuple(run, relation, columns)) return false;
  }
  return true;
}

/* `(= (:var i) constant)` into columns[i]. */
static bool read_equation(struct run *run, Z3_ast ast, unsigned arity, uint64_t *columns, uint64_t *bound) {
  const struct functions *call = run->call;
  if (call->get_ast_kind(run->context, ast) != Z3_APP_AST) return false;
  Z3_app app = call->to_app(run->context, ast);
  if (kind_of(run, app) != Z3_OP_EQ) return false;
  Z3_ast variable = argument(run, app, 0), constant = argument(run, app, 1);
  if (call->get_ast_kind(run->context, variable) != Z3_VAR_AST ||
      call->get_ast_kind(run->context, constant) == Z3_VAR_AST)
    return false;
  unsigned index = call->get_index_value(run->context, variable);
  if (index >= arity) return false;
  columns[index] = evaluate(run, constant, columns);
  *bound |= UINT64_C(1) << index;
  return !run->unknown;
}

/* A conjunction that gives every column its value, the usual form of a tuple. */
static bool read_tuple(struct run *run, const struct relation *relation, Z3_ast ast, uint64_t *columns) {
  uint64_t bound = 0, all = (UINT64_C(1) << relation->arity) - 1;
  if (run->call->get_ast_kind(run->context, ast) != Z3_APP_AST) return false;
  Z3_app app = run->call->to_app(run->context, ast);
  Z3_decl_kind kind = kind_of(run, app);
  if (kind == Z3_OP_TRUE) return !relation->arity;
  if (kind != Z3_OP_AND) return read_equation(run, ast, relation->arity, columns, &bound) && bound == all;
  unsigned count = run->call->get_app_num_args(run->context, app);
  if (count != relation->arity) return false;
  for (unsigned i = 0; i < count; i++)
    if (!read_equation(run, argument(run, app, i), relation->arity, columns, &bound)) return false;
  return bound == all;
}

/* A disjunction of tuples; where it is anything else, nothing of it is taken and the domain is enumerated. */
static bool read_answer(struct run *run, const struct relation *relation, Z3_ast answer) {
  size_t before = run->cells.count;
  Z3_app app =
      run->call->get_ast_kind(run->context, answer) == Z3_APP_AST ? run->call->to_app(run->context, answer) : NULL;
  bool several = app && kind_of(run, app) == Z3_OP_OR;
  unsigned count = several ? run->call->get_app_num_args(run->context, app) : 1;
  if (app && kind_of(run, app) == Z3_OP_FALSE) return true;
  for (unsigned i = 0; i < count; i++) {
    uint64_t columns[COLUMNS_MAX] = {0};
    if (read_tuple(run, relation, several ? argument(run, app, i) : answer, columns)) {
      if (!add_tuple(run, relation, columns)) return false;
      continue;
    }
    run->cells.count = before;
    run->unknown = false;
    return enumerate(run, relation, answer);
  }
  return true;
}

/* ---- errors ---- */

/* Takes what the library has printed since last time. */
static struct ew_span take_output(const struct z3 *engine, struct ew_arena *arena) {
  fflush(stdout);
  char *bytes = ew_arena_take(arena, DETAIL_MAX);
  ssize_t got = pread(engine->output, bytes, DETAIL_MAX, 0);
  if (ftruncate(engine->output, 0) != 0 || got < 0) got = 0;
  while (got && (bytes[got - 1] == '\n' || bytes[got - 1] == ' ')) got--;
  return (struct ew_span){bytes, (size_t)got};
}

static const char *code_name(Z3_error_code code) {
  switch (code) {
    case Z3_PARSER_ERROR: return "PARSER_ERROR";
    case Z3_EXCEPTION: return "EXCEPTION";
    case Z3_MEMOUT_FAIL: return "MEMOUT_FAIL";
    case Z3_INVALID_ARG: return "INVALID_ARG";
    case Z3_INVALID_USAGE: return "INVALID_USAGE";
    default: return "ERROR";
  }
}

/* Whether the last call failed; then it is the outcome. */
static bool failed(struct run *run, const struct z3 *engine) {
  Z3_error_code code = run->call->get_error_code(run->context);
  if (code == Z3_OK) return false;
  struct ew_span detail = code == Z3_PARSER_ERROR ? take_output(engine, run->arena) : EW_SPAN("");
  run->outcome->kind = EW_OUTCOME_ERROR;
  run->outcome->text =
      detail.length ? detail : ew_arena_copy(run->arena, ew_span_of(run->call->get_error_msg(run->context, code)));
  run->outcome->code = ew_span_of(code_name(code));
  return true;
}

static void ignore_error(Z3_context context, Z3_error_code code) {
  (void)context;
  (void)code;
}

/* ---- the deadline ---- */

/* A thread that interrupts the context when the deadline has passed, again and again: a single interruption can be
   missed. */
struct watch {
  const struct functions *call;
  Z3_context context;
  struct ew_deadline deadline;
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t ended;
  bool over, fired;
};

static void *watch_deadline(void *context) {
  struct watch *watch = context;
  int64_t at = watch->deadline.at;
  pthread_mutex_lock(&watch->lock);
  while (!watch->over) {
    struct timespec until = {at / EW_SECOND, at % EW_SECOND};
    if (pthread_cond_timedwait(&watch->ended, &watch->lock, &until) != ETIMEDOUT || watch->over) continue;
    watch->fired = true;
    watch->call->interrupt(watch->context);
    at = ew_now() + 20 * EW_MILLISECOND;
  }
  pthread_mutex_unlock(&watch->lock);
  return NULL;
}

static bool watch_begin(struct watch *watch) {
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_mutex_init(&watch->lock, NULL);
  pthread_cond_init(&watch->ended, &attributes);
  return pthread_create(&watch->thread, NULL, watch_deadline, watch) == 0;
}

static void watch_end(struct watch *watch) {
  pthread_mutex_lock(&watch->lock);
  watch->over = true;
  pthread_cond_signal(&watch->ended);
  pthread_mutex_unlock(&watch->lock);
  pthread_join(watch->thread, NULL);
}

/* ---- a statement ---- */

static void set_parameter(struct run *run, Z3_params parameters, struct ew_span name, struct ew_span setting) {
  const struct functions *call = run->call;
  if (ew_span_starts(name, EW_SPAN("fp."))) name = (struct ew_span){name.bytes + 3, name.length - 3};
  const char *text = ew_arena_string(run->arena, setting);
  Z3_symbol symbol = call->mk_string_symbol(run->context, ew_arena_string(run->arena, name));
  char *end;
  unsigned long number = strtoul(text, &end, 10);
  if (ew_span_is(setting, "true") || ew_span_is(setting, "false"))
    call->params_set_bool(run->context, parameters, symbol, text[0] == 't');
  else if (setting.length && !*end && number <= UINT32_MAX)
    call->params_set_uint(run->context, parameters, symbol, (unsigned)number);
  else
    call->params_set_symbol(run->context, parameters, symbol, call->mk_string_symbol(run->context, text));
}

/* False where the library does not know one. Any later call would clear the error. */
static bool set_parameters(struct run *run, const struct z3 *engine, const struct ew_option *options, size_t count) {
  Z3_params parameters = run->call->mk_params(run->context);
  run->call->params_inc_ref(run->context, parameters);
  set_parameter(run, parameters, EW_SPAN("engine"), EW_SPAN("datalog"));
  for (size_t i = 0; i < count; i++) set_parameter(run, parameters, options[i].name, options[i].setting);
  run->call->fixedpoint_set_params(run->context, run->fixedpoint, parameters);
  bool accepted = !failed(run, engine);
  run->call->params_dec_ref(run->context, parameters);
  return accepted;
}

static bool describe(struct run *run, Z3_func_decl declaration, struct relation *relation) {
  const struct functions *call = run->call;
  const char *name = call->get_symbol_string(run->context, call->get_decl_name(run->context, declaration));
  relation->name = ew_arena_copy(run->arena, ew_span_of(name));
  relation->arity = call->get_arity(run->context, declaration);
  if (relation->arity > COLUMNS_MAX) return false;
  for (unsigned i = 0; i < relation->arity; i++) {
    Z3_sort sort = call->get_domain(run->context, declaration, i);
    bool vector = call->get_sort_kind(run->context, sort) == Z3_BV_SORT;
    relation->bits[i] = vector ? call->get_bv_sort_size(run->context, sort) : 1;
    relation->total_bits += relation->bits[i];
  }
  return true;
}

/* Asks for one relation; false where the statement ends here. */
static bool query(struct run *run, const struct z3 *engine, Z3_ast asked) {
  const struct functions *call = run->call;
  Z3_func_decl declaration = call->get_app_decl(run->context, call->to_app(run->context, asked));
  struct relation relation = {0};
  bool known = describe(run, declaration, &relation);
  Z3_lbool result = call->fixedpoint_query_relations(run->context, run->fixedpoint, 1, &declaration);
  if (failed(run, engine)) return false;
  if (result == Z3_L_UNDEF) {
    run->outcome->kind = EW_OUTCOME_ERROR;
    run->outcome->text = EW_SPAN("unknown");
    return false;
  }
  Z3_ast answer = call->fixedpoint_get_answer(run->context, run->fixedpoint);
  if (failed(run, engine) || !answer) return false;
  call->inc_ref(run->context, answer);
  bool fits = known && read_answer(run, &relation, answer);
  call->dec_ref(run->context, answer);
  if (fits && !run->unknown) return true;
  run->outcome->kind = fits ? EW_OUTCOME_CORRUPT : EW_OUTCOME_TOO_LARGE;
  run->outcome->text = ew_arena_format(run->arena, "relation %.*s: %s", EW_SPAN_ARGS(relation.name),
                                       fits ? "an answer of unknown form" : "too many columns or tuples");
  return false;
}

static void run_program(struct run *run, const struct z3 *engine, const struct ew_statement *statement,
                        const struct ew_option *options, size_t option_count) {
  const struct functions *call = run->call;
  run->fixedpoint = call->mk_fixedpoint(run->context);
  call->fixedpoint_inc_ref(run->context, run->fixedpoint);
  Z3_ast_vector queries = NULL;
  if (set_parameters(run, engine, options, option_count)) {
    queries = call->fixedpoint_from_string(run->context, run->fixedpoint, ew_arena_string(run->arena, statement->text));
    if (failed(run, engine)) queries = NULL;
  }
  if (queries) {
    call->ast_vector_inc_ref(run->context, queries);
    unsigned count = call->ast_vector_size(run->context, queries);
    for (unsigned i = 0; i < count; i++)
      if (!query(run, engine, call->ast_vector_get(run->context, queries, i))) break;
    call->ast_vector_dec_ref(run->context, queries);
  }
  call->fixedpoint_dec_ref(run->context, run->fixedpoint);
}

static void run_z3(void *instance, const struct ew_statement *statement, const struct ew_option *options,
                   size_t option_count, struct ew_deadline deadline, struct ew_arena *arena,
                   struct ew_statement_outcome *outcome) {
  static const struct ew_span columns[] = {{"relation", 8}, {"tuple", 5}};
  struct z3 *engine = instance;
  struct stat info;
  if (fstat(engine->output, &info) == 0 && info.st_size > 0) take_output(engine, arena);
  struct run run = {.call = &engine->call, .arena = arena, .outcome = outcome};
  Z3_config config = run.call->mk_config();
  run.context = run.call->mk_context_rc(config);
  run.call->del_config(config);
  run.call->set_error_handler(run.context, ignore_error);
  outcome->kind = EW_OUTCOME_ROWS;

  struct watch watch = {.call = run.call, .context = run.context, .deadline = deadline};
  bool watched = deadline.at != INT64_MAX && watch_begin(&watch);
  run_program(&run, engine, statement, options, option_count);
  if (watched) watch_end(&watch);
  if (watch.fired && outcome->kind != EW_OUTCOME_ROWS) {
    *outcome = (struct ew_statement_outcome){.kind = EW_OUTCOME_TIMEOUT};
  } else if (outcome->kind == EW_OUTCOME_ROWS) {
    bool named = statement->columns.count == EW_COUNT(columns);
    outcome->rows = (struct ew_rows){named ? statement->columns.items : columns, EW_COUNT(columns), run.cells.items,
                                     run.cells.count / EW_COUNT(columns)};
  }
  run.call->del_context(run.context);
}

/* ---- the adapter ---- */

static enum ew_status load_functions(struct z3 *engine, struct ew_error *error) {
#define FUNCTION(name)                                                        \
  *(void **)(void *)&engine->call.name = dlsym(engine->library, "Z3_" #name); \
  if (!engine->call.name) return ew_fail(error, EW_BAD, "libz3 has no %s", "Z3_" #name);
#include "engine/z3.def"
#undef FUNCTION
  return EW_OK;
}

static enum ew_status open_z3(const struct ew_settings *settings, void **instance, struct ew_error *error) {
  static const char *const usual[] = {"libz3.so.4", "libz3.so"};
  struct z3 *engine = ew_allocate_zeroed(1, sizeof *engine);
  *instance = engine;
  struct ew_span library = ew_settings_find(settings, "library");
  char *path = ew_allocate_copy(library.bytes, library.length);
  if (library.length) engine->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  for (size_t i = 0; i < EW_COUNT(usual) && !library.length && !engine->library; i++)
    engine->library = dlopen(usual[i], RTLD_NOW | RTLD_LOCAL);
  ew_deallocate(path);
  if (!engine->library) return ew_fail(error, EW_MISSING, "libz3 cannot be loaded: %s", dlerror());
  if (load_functions(engine, error)) return EW_BAD;
  engine->output = memfd_create("edgewise-output", MFD_CLOEXEC);
  if (engine->output < 0 || dup2(engine->output, STDOUT_FILENO) < 0)
    return ew_fail(error, EW_IO, "cannot catch the library's output: %s", strerror(errno));
  fcntl(engine->output, F_SETFL, O_APPEND);
  return EW_OK;
}

static enum ew_status reset_z3(void *instance, struct ew_error *error) {
  (void)instance;
  (void)error;
  return EW_OK;
}

static struct ew_span version_z3(void *instance, struct ew_arena *arena) {
  struct z3 *engine = instance;
  (void)arena;
  struct ew_span version = ew_span_of(engine->call.get_full_version());
  if (ew_span_starts(version, EW_SPAN("Z3 "))) version = (struct ew_span){version.bytes + 3, version.length - 3};
  return version;
}

static void close_z3(void *instance) {
  struct z3 *engine = instance;
  close(engine->output);
  ew_deallocate(engine); /* the library stays: unloading it is not safe in every version */
}

const struct ew_adapter ew_adapter_z3 = {
    .name = "z3",
    .open = open_z3,
    .reset = reset_z3,
    .run = run_z3,
    .version = version_z3,
    .close = close_z3,
};
