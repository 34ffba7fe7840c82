/* log.c: one line a message, written in one call, so that lines of several processes do not mix. */
#include "base/log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static int log_file = STDERR_FILENO;
static size_t log_cap;
static enum ew_log_level log_level = EW_LOG_WARN;

enum ew_status ew_log_open(const char *path, size_t cap, struct ew_error *error) {
  int opened = STDERR_FILENO;
  if (path) {
    opened = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (opened < 0) return ew_fail(error, EW_IO, "cannot write the log %s: %s", path, strerror(errno));
  }
  if (log_file != STDERR_FILENO) close(log_file);
  log_file = opened;
  log_cap = path ? cap : 0;
  return EW_OK;
}

void ew_log_level(enum ew_log_level level) { log_level = level; }

void ew_log(enum ew_log_level level, const char *format, ...) {
  static const char *const names[] = {"error", "warning", "info", "debug"};
  struct stat info;
  if (level > log_level) return;
  if (log_cap && fstat(log_file, &info) == 0 && (size_t)info.st_size > log_cap) return;
  char line[2048];
  size_t length = 0;
  if (log_file == STDERR_FILENO) {
    length = (size_t)snprintf(line, sizeof line, "edgewise: %s: ", names[level]);
  } else {
    time_t now = time(NULL);
    struct tm parts;
    gmtime_r(&now, &parts);
    length = strftime(line, sizeof line, "%Y-%m-%dT%H:%M:%SZ ", &parts);
    length += (size_t)snprintf(line + length, sizeof line - length, "%d %s: ", (int)getpid(), names[level]);
  }
  va_list arguments;
  va_start(arguments, format);
  int more = vsnprintf(line + length, sizeof line - length - 1, format, arguments);
  va_end(arguments);
  if (more > 0) length += (size_t)more;
  if (length > sizeof line - 2) length = sizeof line - 2;
  line[length++] = '\n';
  if (write(log_file, line, length) < 0) return; /* a log that cannot be written must not stop the hunt */
}
