/* server.h: a database server that is ours: started for one engine host, watched, and gone with it.

       worker ──▶ host ──socket──▶ watcher ──fork, exec──▶ server and whatever that starts

   The adapter in the host starts it in `open` and speaks to it over a stream (stream.h). Between them stands a watcher, a
   small process with a session of its own. It keeps the server's output (the end of it in memory, all of it in a file with a cap),
   says how the server ended, and when the host is gone, by whatever means, it ends the server with all its
   children and removes its folder. If the watcher itself is killed the kernel ends the server (parent-death signal), and the next
   server to start removes the folder.

   How to start one is in the profile, section [server]; its keys arrive as settings called "server.KEY":

       program        what to execute; a name without / is searched in PATH
       arguments      separated by blanks
       environment.X  sets X; TZ=UTC, LC_ALL=C.UTF-8, HOME and PATH are there
       file.PATH      a line of the file PATH in the data folder; each such key adds one, in order
       ready          a statement: when it is answered the server is ready; RETURN 1 where it is not given
       start_time     how long it may take to get ready, such as 60s
       memory_limit   MiB of address space, file_limit MiB of a file; none where not given
       crashed        pattern: a line of output that shows a crash although the process lives on
       exhausted      pattern: a line of output that shows that it ended for want of memory
       stop           kill (the default) or term: how it is ended in good order

   A setting called "announce" is a file that gets port, password and folder, a KEY=VALUE a line, once the server is ready.

   In the values of the first four stand for something: {home} the folder the engine is installed in, {folder} the
   data folder, {port} a free port on the loopback, {port2} another, {password} a random one of this start.
   Passwords belong in file.*, never in arguments or environment, which others can see. */
#ifndef EW_ENGINE_SERVER_H
#define EW_ENGINE_SERVER_H

#include <sys/types.h>

#include "contract/engine.h"
#include "engine/stream.h"

struct ew_server {
  const struct ew_settings *settings; /* borrowed: a host's live as long as it does */
  pid_t watcher;                      /* 0 where there is none */
  int socket;                         /* to the watcher */
  bool running;                       /* as far as is known */
  int status;                         /* as of wait(), once it does not run */
  pid_t process;
  char folder[200], port[8], port2[8], password[36];
  struct ew_arena arena;
};

/* Whether the settings say how to start a server; where they do not, a URL is given ("url"). */
bool ew_server_wanted(const struct ew_settings *settings);

/* Makes the folder and starts the server in it; it need not be ready. The address is 127.0.0.1 and `port`. Stop it also after an
   error. */
enum ew_status ew_server_start(struct ew_server *server, const struct ew_settings *settings,
                               struct ew_error *error) EW_CHECKED;

/* Waits until `answers` says true: it is to connect and run the ready statement, by the deadline it gets. EW_GONE, with the
   last lines of its output, where the server ends or the time is over. */
typedef bool (*ew_server_probe)(void *context, struct ew_deadline deadline);
enum ew_status ew_server_await(struct ew_server *server, ew_server_probe answers, void *context,
                               struct ew_error *error) EW_CHECKED;

/* Ends the server and starts it again on the same folder, port and password: clean by its own means (SIGTERM), else by
   SIGKILL. It is to be awaited after this. */
enum ew_status ew_server_restart(struct ew_server *server, bool clean, struct ew_error *error) EW_CHECKED;

/* Whether it still runs, as of now. That it runs does not mean that it answers. */
bool ew_server_running(struct ew_server *server);

/* What became of a statement whose answer did not come as it should. Fills kind, signal, text and frames from how the stream
   failed, how the server ended and what it wrote:
       CRASH      it died of itself, or wrote a crash report and lives on
       KILLED     it was ended by a signal from outside
       TOO_LARGE  it ended for want of memory, or sent more than we take
       HANG       no answer by the deadline: it is killed here
       CORRUPT    it sent what cannot be decoded
       LOST       the connection broke and it lives
   Works without a server of ours too (`server->watcher` is 0): then only the last four are possible. */
void ew_server_judge(struct ew_server *server, const struct ew_stream *stream, struct ew_arena *arena,
                     struct ew_statement_outcome *outcome);

/* The end of what the server wrote, at most `limit` bytes, whole lines. */
struct ew_span ew_server_output(struct ew_server *server, size_t limit, struct ew_arena *arena);

/* Ends it, its children and its folder; waits for that. */
void ew_server_stop(struct ew_server *server);

#endif
