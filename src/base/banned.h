/* banned.h: functions that must not be called, as compile errors. The build includes this first into every file.

   The headers come before the poison: they declare what is banned, and must not be read again behind it. To use one of these
   names is to ask for an overflow, a shell, a locale or a number that another machine would not give. */
#ifndef EW_BASE_BANNED_H
#define EW_BASE_BANNED_H
#ifndef EW_BANS_NOTHING /* for a file whose library's headers use these names */

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

/* Some systems have macros of these names. */
#undef sprintf
#undef vsprintf
#undef strdup
#undef strndup
#undef asprintf
#undef vasprintf

/* no bound: ew_text_add…, snprintf, memcpy */
#pragma GCC poison gets strcpy strcat stpcpy strncpy strncat sprintf vsprintf
/* a hidden static buffer: the _r forms, or a loop */
#pragma GCC poison strtok asctime ctime gmtime localtime tmpnam tempnam mktemp
/* no way to see an error: strtoll, strtod */
#pragma GCC poison atoi atol atoll atof
/* a shell: posix_spawn or fork and exec with an argument list */
#pragma GCC poison system popen
/* not the same on every machine: base/random.h, and the C locale everywhere */
#pragma GCC poison rand srand drand48 lrand48 strcoll setlocale
/* memory that allocate.h does not see */
#pragma GCC poison strdup strndup asprintf vasprintf

#endif
#endif
