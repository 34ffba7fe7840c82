/* log.h: what the program says of itself, on standard error or in a file with a cap. Never generated text through a
   format, never a password. */
#ifndef EW_BASE_LOG_H
#define EW_BASE_LOG_H

#include "base/status.h"

enum ew_log_level { EW_LOG_ERROR, EW_LOG_WARN, EW_LOG_INFO, EW_LOG_DEBUG };

/* From now on to `path` (appended, at most `cap` bytes); NULL is standard error again. */
enum ew_status ew_log_open(const char *path, size_t cap, struct ew_error *error) EW_CHECKED;
void ew_log_level(enum ew_log_level level);
void ew_log(enum ew_log_level level, const char *format, ...) EW_FORMAT(2, 3);

#endif
