/* server_output.h: what a dying server's output tells: the frames of its stack. */
#ifndef EW_ENGINE_SERVER_OUTPUT_H
#define EW_ENGINE_SERVER_OUTPUT_H

#include "base/arena.h"

/* The top frames in the first stack trace of `output`, innermost first, without those of runtimes and handlers; none where
   there is no trace. Known are the forms of
       backtrace_symbols()   module(function+0x1f)[0x7f01]   or module(+0x1f)[0x7f01]
       the Java runtime      at package.Class.method(File.java:12), and in its error file: C  [libx.so+0x1f]  function+0x1f */
struct ew_names ew_server_frames(struct ew_span output, struct ew_arena *arena);

/* The first line of `output` that matches `pattern`, to the end of the output; empty where none does. */
struct ew_span ew_server_find_line(struct ew_span output, struct ew_span pattern);

#endif
