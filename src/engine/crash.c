/* crash.c: the handler of fatal signals.

   backtrace() and dladdr() are not promised to be safe in a handler; they are in practice once their library is
   loaded, which `ew_crash_watch` sees to. Should they fail all the same, the signal is in the recorder before they
   are called, a second fault ends the process at once (SA_RESETHAND), and the worker ends it if they block. */
#include "engine/crash.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <signal.h>
#include <sys/mman.h>

enum { DEPTH = 64, STACK = 256 * 1024 };

static struct ew_recorder *recorder;
static const void *own_base; /* where our own program is loaded */

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/* Whether the frame is of the C library or another runtime, which says nothing of an engine. */
static bool is_runtime(const char *module) {
  static const char *const prefixes[] = {"libc.",    "libc-",   "libpthread", "ld-",
                                         "libgcc_s", "libasan", "libubsan",   "linux-vdso"};
  for (size_t i = 0; i < EW_COUNT(prefixes); i++)
    if (strncmp(module, prefixes[i], strlen(prefixes[i])) == 0) return true;
  return false;
}

/* Records the frames behind the signal's own, up to where we called the engine; ours only where asked for. Returns
   how many. */
static size_t record(void *const *addresses, size_t count, bool ours) {
  size_t recorded = 0;
  bool behind = false;
  for (size_t i = 0; i < count; i++) {
    /* A return address may be the first byte of the next function. */
    const char *address = (const char *)addresses[i] - 1;
    Dl_info info = {0};
    if (!dladdr(address, &info) || !info.dli_fname) continue;
    const char *module = base_name(info.dli_fname);
    bool runtime = is_runtime(module);
    bool own = info.dli_fbase == own_base;
    behind |= runtime;
    if (own && recorded && !ours) break;
    if (!behind || runtime || (own && !ours)) continue;
    ew_recorder_crash_frame(recorder, module, info.dli_sname, (uint64_t)(address + 1 - (const char *)info.dli_fbase));
    recorded++;
  }
  return recorded;
}

static void record_crash(int signal) {
  void *addresses[DEPTH];
  ew_recorder_crash_begin(recorder, signal);
  int count = backtrace(addresses, DEPTH);
  if (count > 0 && record(addresses, (size_t)count, false) == 0) record(addresses, (size_t)count, true);
  /* Blocked until the handler returns, then fatal. */
  raise(signal);
}

void ew_crash_watch(struct ew_recorder *where) {
  static const int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
  recorder = where;
  Dl_info info = {0};
  own_base = dladdr((const void *)(uintptr_t)ew_crash_watch, &info) ? info.dli_fbase : NULL;
  void *primed[2];
  backtrace(primed, 2);

  void *stack = mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (stack != MAP_FAILED) sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = STACK}, NULL);
  for (size_t i = 0; i < EW_COUNT(fatal); i++) {
    struct sigaction action = {.sa_handler = record_crash, .sa_flags = (int)(SA_ONSTACK | SA_RESETHAND)};
    sigemptyset(&action.sa_mask);
    sigaction(fatal[i], &action, NULL);
  }
}
