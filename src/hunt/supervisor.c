/* supervisor.c: starts workers, listens to them, and is the only one to write the run's folder. It loads no engine, so nothing an
   engine does can harm what was found. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/deadline.h"
#include "base/log.h"
#include "base/map.h"
#include "base/vector.h"
#include "hunt/known.h"
#include "hunt/message.h"
#include "hunt/store.h"
#include "hunt/worker.h"
#include "lang/languages.h"
#include "report/cause.h"

enum { WORKERS_MAX = 256, DEATHS_MAX = 16, ATTEMPTS_MAX = 3, LAST_WORDS_SECONDS = 60 };
#define TICK (200 * EW_MILLISECOND)
#define STATS_EVERY (EW_SECOND)

struct worker_process {
  pid_t process; /* 0 where it has ended */
  int socket;
  struct ew_text in;
  bool broken;                  /* it said that its engine does not start */
  struct ew_finding_id pending; /* of the finding that is stored and not announced yet: it is being reduced; or empty */
};

/* What is known of a group. */
struct group {
  unsigned attempts, waiting; /* violations that were looked at; that are to be looked at when the tests are over */
  bool confirmed;
};

struct supervisor {
  const struct ew_hunt_options *options;
  struct ew_hunt_shared *shared;
  size_t shared_size;
  struct ew_store *store;
  struct worker_process workers[WORKERS_MAX];
  struct ew_map groups; /* number of group → struct group */
  struct ew_arena arena, finding_arena;
  struct ew_stats total;
  struct ew_hunt_result *result;
  struct ew_error *error;
  enum ew_status status;
  int signals; /* signalfd */
  sigset_t old_mask;
  int64_t started, next_tick, next_stats;
  struct ew_deadline end, last; /* of the tests; of everything */
  unsigned deaths;
  char broken[512];
  bool stopping, over;
  EW_VECTOR(struct ew_traits) traits; /* of the groups, in `arena` */
  bool known_fails;                   /* known.db could not be read or written: it is left alone */
};

/* ---- workers ---- */

static noreturn void be_worker(struct supervisor *supervisor, unsigned number, int socket, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(EW_EXIT_BUG);
  sigprocmask(SIG_SETMASK, &supervisor->old_mask, NULL);
  signal(SIGINT, SIG_IGN); /* Ctrl-C goes to the whole group; the supervisor decides */
  signal(SIGTERM, SIG_IGN);
  close(supervisor->signals);
  for (unsigned i = 0; i < supervisor->options->workers; i++)
    if (supervisor->workers[i].socket > 0) close(supervisor->workers[i].socket);
  exit(ew_worker_main(supervisor->options, supervisor->shared, number, socket));
}

static enum ew_status start_worker(struct supervisor *supervisor, unsigned number) {
  struct worker_process *worker = &supervisor->workers[number];
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
    return ew_fail(supervisor->error, EW_IO, "cannot make a socket for a worker: %s", strerror(errno));
  fflush(NULL); /* or the worker writes it once more at its end */
  pid_t parent = getpid(), child = fork();
  if (child < 0) return ew_fail(supervisor->error, EW_IO, "cannot start a worker: %s", strerror(errno));
  if (child == 0) {
    close(pair[0]);
    be_worker(supervisor, number, pair[1], parent);
  }
  close(pair[1]);
  worker->process = child;
  worker->socket = pair[0];
  ew_text_reset(&worker->in);
  return EW_OK;
}

static void fail_with(struct supervisor *supervisor, enum ew_status status) {
  if (status && !supervisor->status) supervisor->status = status;
  if (status) supervisor->last = ew_deadline_in(0);
}

static void stop_tests(struct supervisor *supervisor) {
  if (supervisor->stopping) return;
  supervisor->stopping = true;
  atomic_store(&supervisor->shared->stop, true);
  struct ew_deadline last = ew_deadline_in(LAST_WORDS_SECONDS * EW_SECOND);
  if (last.at < supervisor->last.at) supervisor->last = last;
}

static unsigned alive(const struct supervisor *supervisor) {
  unsigned count = 0;
  for (unsigned i = 0; i < supervisor->options->workers; i++) count += supervisor->workers[i].process != 0;
  return count;
}

/* ---- what workers say ---- */

static struct group *group_of(struct supervisor *supervisor, uint64_t number) {
  union ew_map_value *value = ew_map_add(&supervisor->groups, ew_map_key_number(&number), NULL);
  if (!value->pointer) value->pointer = EW_NEW(&supervisor->arena, struct group);
  return value->pointer;
}

/* Muted groups are not what --findings asks for. */
static bool has_enough(const struct supervisor *supervisor) {
  return supervisor->result->groups - supervisor->result->muted_groups >= supervisor->options->findings;
}

static void hear_violation(struct supervisor *supervisor, struct worker_process *worker, uint64_t number, bool now) {
  struct group *group = group_of(supervisor, number);
  unsigned *count = now ? &group->attempts : &group->waiting;
  bool wanted = !group->confirmed && *count < ATTEMPTS_MAX && !has_enough(supervisor);
  if (wanted) ++*count;
  if (group->confirmed) fail_with(supervisor, ew_store_duplicate(supervisor->store, number, supervisor->error));
  ew_hunt_answer(worker->socket, wanted ? EW_ANSWER_YES : group->confirmed ? EW_ANSWER_KNOWN : EW_ANSWER_NO);
}

static void hear_duplicates(struct supervisor *supervisor, struct ew_span payload) {
  for (size_t at = 0; at + sizeof(uint64_t) <= payload.length; at += sizeof(uint64_t)) {
    uint64_t number;
    memcpy(&number, payload.bytes + at, sizeof number);
    fail_with(supervisor, ew_store_duplicate(supervisor->store, number, supervisor->error));
  }
}

static bool read_finding(struct supervisor *supervisor, struct ew_span payload, struct ew_finding *finding) {
  const struct ew_json *json;
  struct ew_error error;
  ew_arena_reset(&supervisor->finding_arena);
  enum ew_status status = ew_json_read(&supervisor->finding_arena, payload, (struct ew_json_options){0}, &json, &error);
  if (!status) status = ew_finding_read_json(&supervisor->finding_arena, ew_languages, json, finding, &error);
  if (status) ew_log(EW_LOG_ERROR, "a worker sent a finding that cannot be read: %s", error.text);
  return !status;
}

/* ---- what earlier runs found ---- */

static void give_up_known(struct supervisor *supervisor, const struct ew_error *error) {
  ew_log(EW_LOG_WARN, "%s; findings of earlier runs are announced again", error->text);
  supervisor->known_fails = true;
}

/* What earlier runs know of the finding's group; in the finding's arena. */
static struct ew_known_group recall(struct supervisor *supervisor, const struct ew_finding *finding) {
  struct ew_known_group group = {0};
  struct ew_error error;
  if (!supervisor->options->known || supervisor->known_fails) return group;
  if (ew_known_find(supervisor->options->known, finding->group, &supervisor->finding_arena, &group, &error))
    give_up_known(supervisor, &error);
  return group;
}

static void remember(struct supervisor *supervisor, const struct ew_finding *finding) {
  struct ew_error error;
  if (!supervisor->options->known || supervisor->known_fails) return;
  if (ew_known_record(supervisor->options->known, finding, &error)) give_up_known(supervisor, &error);
}

static bool in_baseline(const struct ew_hunt_options *options, uint64_t group) {
  for (size_t i = 0; i < options->baseline_count; i++)
    if (options->baseline[i] == group) return true;
  return false;
}

/* Counts a confirmed finding's group as new, known or muted. */
static void count_group(struct supervisor *supervisor, const struct ew_finding *finding,
                        const struct ew_known_group *known) {
  struct ew_hunt_result *result = supervisor->result;
  size_t *causes = ew_allocate_zeroed(supervisor->traits.count + 1, sizeof *causes);
  result->groups++;
  result->known_groups += known->there && !known->muted;
  result->muted_groups += known->muted;
  result->beyond_baseline += !known->muted && !in_baseline(supervisor->options, finding->group);
  *ew_vector_push(&supervisor->traits) = ew_traits_of(&supervisor->arena, finding);
  result->causes = ew_causes(supervisor->traits.items, supervisor->traits.count, causes);
  ew_deallocate(causes);
}

/* Stores a finding, marked with what earlier runs know of it. */
static enum ew_status put(struct supervisor *supervisor, struct ew_finding *finding, struct ew_span json) {
  struct ew_known_group known = recall(supervisor, finding);
  struct ew_text marked = {0};
  if (known.there) {
    struct ew_json_writer writer;
    finding->known_since = ew_arena_copy(&supervisor->finding_arena, ew_span_of(known.since));
    ew_json_writer_init(&writer, &marked, 1);
    ew_finding_write_json(&writer, finding);
    ew_text_add_char(&marked, '\n');
    json = ew_text_span(&marked);
  }
  enum ew_status status =
      ew_store_put(supervisor->store, finding, supervisor->options->target.profile, json, supervisor->error);
  ew_text_release(&marked);
  return status;
}

/* A finding that is in the store becomes one of the hunt's, unless its group is known by now: then it goes again. */
static bool settle(struct supervisor *supervisor, const struct ew_finding *finding) {
  struct group *group = group_of(supervisor, finding->group);
  if (group->confirmed) {
    enum ew_status status = ew_store_drop(supervisor->store, finding->id.text, supervisor->error);
    if (!status) status = ew_store_duplicate(supervisor->store, finding->group, supervisor->error);
    fail_with(supervisor, status);
    return false;
  }
  struct ew_known_group known = recall(supervisor, finding);
  group->confirmed = true;
  supervisor->result->findings++;
  if (finding->state == EW_CONFIRMED) count_group(supervisor, finding, &known);
  supervisor->result->seen_once += finding->state == EW_SEEN_ONCE;
  remember(supervisor, finding);
  supervisor->options->view->announce(supervisor->options->view, finding, !known.there);
  if (has_enough(supervisor)) stop_tests(supervisor);
  return true;
}

/* A worker that ends before its finding is reduced leaves it as it was stored. */
static void settle_pending(struct supervisor *supervisor, struct worker_process *worker) {
  struct ew_finding finding;
  struct ew_error error;
  char folder[4096];
  if (!worker->pending.text[0] || supervisor->status) return;
  snprintf(folder, sizeof folder, "%s/findings/%s", supervisor->options->folder, worker->pending.text);
  worker->pending.text[0] = '\0';
  ew_arena_reset(&supervisor->finding_arena);
  if (ew_finding_load(&supervisor->finding_arena, folder, &finding, &error)) {
    ew_log(EW_LOG_ERROR, "%s", error.text);
    return;
  }
  settle(supervisor, &finding);
}

/* Stored at once, announced after its reduction: so a kill in between loses nothing. */
static void hear_confirmed(struct supervisor *supervisor, struct worker_process *worker, struct ew_span payload) {
  struct ew_finding finding;
  bool take = read_finding(supervisor, payload, &finding) && !group_of(supervisor, finding.group)->confirmed;
  if (take) {
    enum ew_status status = put(supervisor, &finding, payload);
    fail_with(supervisor, status);
    take = !status;
  }
  if (take) worker->pending = finding.id;
  ew_hunt_answer(worker->socket, take ? EW_ANSWER_YES : EW_ANSWER_NO);
}

static void hear_reduced(struct supervisor *supervisor, struct worker_process *worker, struct ew_span payload) {
  struct ew_finding finding;
  bool taken = false;
  if (read_finding(supervisor, payload, &finding)) {
    enum ew_status status = EW_OK;
    if (!group_of(supervisor, finding.group)->confirmed) status = put(supervisor, &finding, payload);
    fail_with(supervisor, status);
    worker->pending.text[0] = '\0';
    taken = !status && settle(supervisor, &finding);
  }
  supervisor->options->view->progress(supervisor->options->view, EW_SPAN(""));
  ew_hunt_answer(worker->socket, taken ? EW_ANSWER_YES : EW_ANSWER_NO);
}

static void hear(struct supervisor *supervisor, struct worker_process *worker) {
  struct ew_hunt_head head;
  struct ew_span payload;
  ew_hunt_receive(worker->socket, &worker->in);
  while (ew_hunt_next(&worker->in, &head, &payload)) {
    switch (head.type) {
      case EW_SAY_VIOLATION: hear_violation(supervisor, worker, head.number, head.flag); break;
      case EW_SAY_DUPLICATES: hear_duplicates(supervisor, payload); break;
      case EW_SAY_CONFIRMED: hear_confirmed(supervisor, worker, payload); break;
      case EW_SAY_REDUCED: hear_reduced(supervisor, worker, payload); break;
      case EW_SAY_PROGRESS: supervisor->options->view->progress(supervisor->options->view, payload); break;
      case EW_SAY_BROKEN:
        worker->broken = true;
        snprintf(supervisor->broken, sizeof supervisor->broken, "%.*s", EW_SPAN_ARGS(payload));
        break;
      default: EW_BUG("a worker said %u", head.type);
    }
    ew_hunt_taken(&worker->in, &head);
  }
}

/* ---- ends, signals, clock, numbers ---- */

static void worker_ended(struct supervisor *supervisor, unsigned number, int how) {
  struct worker_process *worker = &supervisor->workers[number];
  worker->process = 0;
  close(worker->socket);
  worker->socket = -1;
  settle_pending(supervisor, worker);
  bool fine = WIFEXITED(how) && (WEXITSTATUS(how) == EW_EXIT_NOTHING || worker->broken);
  if (fine || supervisor->stopping) return;
  ew_log(EW_LOG_ERROR, "worker %u ended with %s %d; its scene is lost, another takes its place", number,
         WIFSIGNALED(how) ? "signal" : "code", WIFSIGNALED(how) ? WTERMSIG(how) : WEXITSTATUS(how));
  if (++supervisor->deaths >= DEATHS_MAX) {
    ew_fail(supervisor->error, EW_GONE, "workers die again and again: a bug of edgewise itself; please report it");
    fail_with(supervisor, EW_GONE);
  } else {
    fail_with(supervisor, start_worker(supervisor, number));
  }
}

static void hear_signals(struct supervisor *supervisor) {
  struct signalfd_siginfo info;
  while (read(supervisor->signals, &info, sizeof info) == (ssize_t)sizeof info) {
    if (info.ssi_signo == SIGCHLD) continue;
    if (supervisor->result->interrupted) supervisor->last = ew_deadline_in(0); /* the second Ctrl-C does not wait */
    supervisor->result->interrupted = true;
    stop_tests(supervisor);
  }
  for (unsigned i = 0; i < supervisor->options->workers; i++) {
    int how;
    struct worker_process *worker = &supervisor->workers[i];
    if (!worker->process || waitpid(worker->process, &how, WNOHANG) != worker->process) continue;
    hear(supervisor, worker); /* its last words may still be in the socket */
    worker_ended(supervisor, i, how);
  }
}

static void add_up(struct supervisor *supervisor, struct ew_hunt_facts *facts) {
  struct rusage usage;
  supervisor->total = (struct ew_stats){0};
  for (unsigned i = 0; i < supervisor->options->workers; i++)
    ew_stats_add(&supervisor->total, &supervisor->shared->stats[i]);
  getrusage(RUSAGE_SELF, &usage);
  supervisor->total.tool_cpu += ew_cpu_now();
  supervisor->total.memory += (uint64_t)usage.ru_maxrss * 1024;
  *facts = (struct ew_hunt_facts){
      .engine = supervisor->options->target.profile->name,
      .version = supervisor->options->target.version,
      .seed = supervisor->options->seed,
      .seconds = (double)(ew_now() - supervisor->started) / 1e9,
      .findings = supervisor->result->findings,
      .groups = supervisor->result->groups,
      .seen_once = supervisor->result->seen_once,
      .new_groups = supervisor->result->groups - supervisor->result->known_groups - supervisor->result->muted_groups,
      .known_groups = supervisor->result->known_groups,
      .muted_groups = supervisor->result->muted_groups,
      .likely_causes = supervisor->result->causes,
      .phase = supervisor->over       ? EW_PHASE_DONE
               : supervisor->stopping ? EW_PHASE_FINISHING
                                      : EW_PHASE_TESTING,
      .limit = supervisor->options->time == INT64_MAX ? 0 : (double)supervisor->options->time / 1e9,
      .limit_beyond = LAST_WORDS_SECONDS,
  };
  supervisor->result->tests = supervisor->total.tests;
  supervisor->result->flaky = supervisor->total.flaky;
}

static void write_stats(struct supervisor *supervisor, const struct ew_hunt_facts *facts) {
  struct ew_text json = {0};
  struct ew_json_writer writer;
  ew_json_writer_init(&writer, &json, 2);
  ew_stats_write_json(&writer, &supervisor->total, facts);
  ew_text_add_char(&json, '\n');
  struct ew_error error;
  enum ew_status status = ew_store_stats(supervisor->store, ew_text_span(&json), &error);
  if (status && !supervisor->status) *supervisor->error = error; /* what went wrong first is told */
  fail_with(supervisor, status);
  ew_text_release(&json);
}

static void tick(struct supervisor *supervisor, bool always) {
  int64_t now = ew_now();
  struct ew_hunt_facts facts;
  if (now >= supervisor->end.at) stop_tests(supervisor);
  if (now < supervisor->next_tick && !always) return;
  supervisor->next_tick = now + TICK;
  add_up(supervisor, &facts);
  supervisor->options->view->tick(supervisor->options->view, &supervisor->total, &facts);
  if (now < supervisor->next_stats && !always) return;
  supervisor->next_stats = now + STATS_EVERY;
  write_stats(supervisor, &facts);
}

/* ---- the hunt ---- */

static void wait_and_hear(struct supervisor *supervisor) {
  struct pollfd files[WORKERS_MAX + 1];
  unsigned numbers[WORKERS_MAX + 1], count = 0;
  files[count++] = (struct pollfd){.fd = supervisor->signals, .events = POLLIN};
  for (unsigned i = 0; i < supervisor->options->workers; i++) {
    if (!supervisor->workers[i].process) continue;
    numbers[count] = i;
    files[count++] = (struct pollfd){.fd = supervisor->workers[i].socket, .events = POLLIN};
  }
  int64_t wake = supervisor->next_tick;
  if (!supervisor->stopping && supervisor->end.at < wake) wake = supervisor->end.at;
  if (supervisor->last.at < wake) wake = supervisor->last.at;
  poll(files, count, ew_deadline_poll((struct ew_deadline){wake}));
  for (unsigned i = 1; i < count; i++)
    if (files[i].revents) hear(supervisor, &supervisor->workers[numbers[i]]);
  if (files[0].revents) hear_signals(supervisor);
}

static enum ew_status set_up(struct supervisor *supervisor) {
  const struct ew_hunt_options *options = supervisor->options;
  sigset_t mask;
  EW_ASSERT(options->workers >= 1 && options->workers <= WORKERS_MAX);
  enum ew_status status = ew_store_open(options->folder, &supervisor->store, supervisor->error);
  if (status) return status;
  supervisor->shared_size = sizeof *supervisor->shared + options->workers * sizeof supervisor->shared->stats[0];
  void *shared = mmap(NULL, supervisor->shared_size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) return ew_fail(supervisor->error, EW_IO, "no shared memory: %s", strerror(errno));
  supervisor->shared = shared;
  signal(SIGXFSZ, SIG_IGN); /* a file at its limit is an error of write, not a death */
  sigemptyset(&mask);
  sigaddset(&mask, SIGINT);
  sigaddset(&mask, SIGTERM);
  sigaddset(&mask, SIGCHLD);
  sigprocmask(SIG_BLOCK, &mask, &supervisor->old_mask);
  supervisor->signals = signalfd(-1, &mask, SFD_NONBLOCK | SFD_CLOEXEC);
  if (supervisor->signals < 0) return ew_fail(supervisor->error, EW_IO, "no signalfd: %s", strerror(errno));
  supervisor->started = ew_now();
  supervisor->end = (struct ew_deadline){options->time == INT64_MAX ? INT64_MAX : supervisor->started + options->time};
  supervisor->last = EW_DEADLINE_NEVER;
  for (unsigned i = 0; i < options->workers && !status; i++) status = start_worker(supervisor, i);
  return status;
}

static void tear_down(struct supervisor *supervisor) {
  for (unsigned i = 0; i < supervisor->options->workers; i++) {
    struct worker_process *worker = &supervisor->workers[i];
    if (worker->process) {
      kill(worker->process, SIGKILL); /* its host follows it by the parent-death signal */
      waitpid(worker->process, NULL, 0);
      close(worker->socket);
    }
    ew_text_release(&worker->in);
  }
  if (supervisor->signals > 0) {
    close(supervisor->signals);
    sigprocmask(SIG_SETMASK, &supervisor->old_mask, NULL);
  }
  if (supervisor->shared) munmap(supervisor->shared, supervisor->shared_size);
  ew_store_close(supervisor->store);
  ew_map_release(&supervisor->groups);
  ew_vector_release(&supervisor->traits);
  ew_arena_release(&supervisor->arena);
  ew_arena_release(&supervisor->finding_arena);
}

enum ew_status ew_hunt(const struct ew_hunt_options *options, struct ew_hunt_result *result, struct ew_error *error) {
  struct supervisor *supervisor = ew_allocate_zeroed(1, sizeof *supervisor);
  *result = (struct ew_hunt_result){0};
  supervisor->options = options;
  supervisor->result = result;
  supervisor->error = error;
  ew_map_init(&supervisor->groups);
  ew_arena_init(&supervisor->arena);
  ew_arena_init(&supervisor->finding_arena);
  supervisor->status = set_up(supervisor);
  while (!supervisor->status && alive(supervisor) && !ew_deadline_passed(supervisor->last)) {
    wait_and_hear(supervisor);
    tick(supervisor, false);
  }
  for (unsigned i = 0; i < options->workers; i++) settle_pending(supervisor, &supervisor->workers[i]);
  supervisor->over = true;
  if (supervisor->shared && supervisor->store && supervisor->started) tick(supervisor, true);
  if (!supervisor->status && supervisor->broken[0])
    supervisor->status = ew_fail(error, result->tests ? EW_GONE : EW_MISSING, "%s", supervisor->broken);
  enum ew_status status = supervisor->status;
  tear_down(supervisor);
  ew_deallocate(supervisor);
  return status;
}
