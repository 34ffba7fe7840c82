/* test_bolt.c: the Bolt adapter against servers that are not there: recorded ones (tests/wire), and ones that misbehave.

   A session is a fixed list of statements. A recorded server sends its bytes without listening, which is what its answers were
   in that session. `test_bolt --session PORT` runs the session on a real server and prints what comes of it. */
#include <arpa/inet.h>
#include <dirent.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "engine/adapters.h"

/* ---- a server that sends what it is told to ---- */

struct fake {
  pid_t process;
  int port;
};

enum ending { CLOSES, STALLS, REPEATS };

static noreturn void be_server(int listener, struct ew_span bytes, enum ending ending) {
  int client = accept(listener, NULL, NULL);
  alarm(20);
  do {
    for (size_t sent = 0; sent < bytes.length;) {
      ssize_t moved = send(client, bytes.bytes + sent, bytes.length - sent, MSG_NOSIGNAL);
      if (moved <= 0) _exit(0);
      sent += (size_t)moved;
    }
  } while (ending == REPEATS);
  if (ending == STALLS) pause();
  /* A close with unread bytes would reset the connection before ours are read. */
  shutdown(client, SHUT_WR);
  char ignored[4096];
  while (read(client, ignored, sizeof ignored) > 0) continue;
  _exit(0);
}

static struct fake start_fake(struct ew_span bytes, enum ending ending) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t size = sizeof address;
  int listener = socket(AF_INET, SOCK_STREAM, 0);
  assert_int_equal(bind(listener, (struct sockaddr *)&address, size), 0);
  assert_int_equal(listen(listener, 1), 0);
  getsockname(listener, (struct sockaddr *)&address, &size);
  pid_t process = fork();
  assert_true(process >= 0);
  if (!process) be_server(listener, bytes, ending);
  close(listener);
  return (struct fake){process, ntohs(address.sin_port)};
}

static void end_fake(struct fake fake) {
  kill(fake.process, SIGKILL);
  waitpid(fake.process, NULL, 0);
}

/* ---- the session ---- */

struct opened {
  void *instance;
  struct ew_arena arena;
  struct ew_text url;
  struct ew_option options[2];
  struct ew_settings settings;
  enum ew_status status;
  struct ew_error error;
};

static void open_at(struct opened *opened, int port) {
  *opened = (struct opened){0};
  ew_arena_init(&opened->arena);
  ew_text_add_format(&opened->url, "bolt://127.0.0.1:%d", port);
  opened->options[0] = (struct ew_option){EW_SPAN("url"), ew_text_span(&opened->url)};
  opened->settings = (struct ew_settings){opened->options, 1};
  opened->status = ew_adapter_bolt.open(&opened->settings, &opened->instance, &opened->error);
}

static void close_it(struct opened *opened) {
  if (opened->instance) ew_adapter_bolt.close(opened->instance);
  ew_text_release(&opened->url);
  ew_arena_release(&opened->arena);
}

static const struct {
  const char *text;
  bool plan;
  const char *transaction;
} session[] = {
    {.text = "RETURN null AS n, true AS t, [1, -17, 200, -40000, 3000000000, 9223372036854775807] AS i, 1.5 AS f"},
    {.text = "RETURN 'it''s' AS quoted"},
    {.text = "RETURN '\xc3\xa4\xe2\x82\xac' AS s, {a: 1, b: [true, {c: null}]} AS m, [] AS l"},
    {.text = "RETURN date('2020-02-29') AS d, localtime('12:30:15.5') AS lt, time('12:30:15.5+01:00') AS t"},
    {.text =
         "RETURN localdatetime('2020-02-29T23:59:59.999999999') AS ldt, datetime('2020-02-29T12:00:00+05:30') AS dt"},
    {.text = "RETURN duration('P1Y2M3DT4H5M6.7S') AS d, duration({seconds: -1, nanoseconds: 5}) AS minus"},
    {.text = "RETURN point({x: 1.5, y: -2}) AS p, point({longitude: 12, latitude: 56, height: 7}) AS q"},
    {.text = "CREATE (:B:A {k: 1})-[:R {w: 1.5}]->(:C)<-[:S]-(:D {l: [1, 2]})"},
    {.text = "MATCH p = (a:A)-[r]->(c)<--(d) RETURN a, r, p, d"},
    {.text = "MATCH (a:A) SET a.k = 2, a:E REMOVE a:B RETURN a.k AS k"},
    {.text = "RETURN oops"},
    {.text = "UNWIND [2, 1, 0] AS x RETURN 4 / x AS q"},
    {.text = "UNWIND range(1, 3) AS x RETURN x, $p AS p"},
    {.text = "CREATE (:Gone)", .transaction = "rollback"},
    {.text = "CREATE (:Kept)", .transaction = "commit"},
    {.text = "MATCH (n) RETURN count(n) AS n"},
    {.text = "MATCH (n:A) WHERE n.k = 2 RETURN n.k AS k", .plan = true},
    {.text = "MATCH (n) DETACH DELETE n"},
};

static const struct ew_value list[] = {{.kind = EW_VALUE_BOOLEAN, .boolean = true}, {.kind = EW_VALUE_NULL}};
static const struct ew_item items[] = {{{"d", 1}, {.kind = EW_VALUE_DATE, .day = 18321}},
                                       {{"l", 1}, {.kind = EW_VALUE_LIST, .list = {list, 2}}}};
static const struct ew_parameter parameter = {{"p", 1}, {.kind = EW_VALUE_MAP, .map = {items, 2}}};

static void run_session(struct opened *opened, struct ew_text *text) {
  struct ew_span version = ew_adapter_bolt.version(opened->instance, &opened->arena);
  ew_text_add_format(text, "version %.*s\n", EW_SPAN_ARGS(version));
  for (size_t i = 0; i < EW_COUNT(session); i++) {
    struct ew_statement statement = {.text = ew_span_of(session[i].text), .parameters = &parameter};
    struct ew_statement_outcome outcome = {0};
    struct ew_option option = {EW_SPAN("transaction"), EW_SPAN("")};
    if (session[i].transaction) option.setting = ew_span_of(session[i].transaction);
    statement.parameter_count = strstr(session[i].text, "$p") != NULL;
    struct ew_deadline deadline = ew_deadline_in(10 * EW_SECOND);
    if (session[i].plan)
      ew_adapter_bolt.explain(opened->instance, &statement, deadline, &opened->arena, &outcome);
    else
      ew_adapter_bolt.run(opened->instance, &statement, &option, session[i].transaction != NULL, deadline,
                          &opened->arena, &outcome);
    struct ew_json_writer writer;
    ew_text_add_format(text, "\n%s\n", session[i].text);
    ew_json_writer_init(&writer, text, 0);
    ew_outcome_write_json(&writer, &(struct ew_outcome){&outcome, 1});
    ew_text_add_char(text, '\n');
    const struct ew_counters *counters = &outcome.counters;
    if (counters->nodes_created || counters->nodes_deleted || counters->properties_set)
      ew_text_add_format(text, "nodes +%d -%d, relationships +%d -%d, properties %d, labels +%d -%d\n",
                         (int)counters->nodes_created, (int)counters->nodes_deleted,
                         (int)counters->relationships_created, (int)counters->relationships_deleted,
                         (int)counters->properties_set, (int)counters->labels_added, (int)counters->labels_removed);
  }
}

static void check_recorded(const char *name) {
  struct ew_text path = {0}, bytes = {0}, expected = {0}, text = {0};
  struct ew_error error;
  struct opened opened;
  ew_text_add_format(&path, "tests/wire/%s", name);
  if (ew_file_read(path.bytes, 1 << 20, &bytes, &error)) fail_msg("%s", error.text);
  ew_text_cut(&path, path.length - strlen("bytes"));
  ew_text_add_string(&path, "txt");
  if (ew_file_read(path.bytes, 1 << 20, &expected, &error)) fail_msg("%s", error.text);
  struct fake fake = start_fake(ew_text_span(&bytes), CLOSES);
  open_at(&opened, fake.port);
  if (opened.status) fail_msg("%s: %s", name, opened.error.text);
  run_session(&opened, &text);
  if (strcmp(text.bytes, expected.bytes) != 0)
    fail_msg("%s: this is not what %s has:\n%s", name, path.bytes, text.bytes);
  close_it(&opened);
  end_fake(fake);
  ew_text_release(&path);
  ew_text_release(&bytes);
  ew_text_release(&expected);
  ew_text_release(&text);
}

static void recorded_servers(void **state) {
  (void)state;
  size_t count = 0;
  DIR *folder = opendir("tests/wire");
  assert_non_null(folder);
  for (struct dirent *entry; (entry = readdir(folder));) {
    const char *dot = strrchr(entry->d_name, '.');
    if (strncmp(entry->d_name, "bolt-", 5) != 0 || !dot || strcmp(dot, ".bytes") != 0) continue;
    check_recorded(entry->d_name);
    count++;
  }
  closedir(folder);
  assert_true(count >= 4);
}

/* ---- misbehaviour ---- */

#define LETS_IN_44 \
  "\0\0\x04\x04"   \
  "\0\x0c\xb1\x70\xa1\x86server\x81x\0\0"
#define COLUMN             \
  "\0\x0d\xb1\x70\xa1\x86" \
  "fields\x91\x81x\0\0"
#define ROW "\0\x04\xb1\x71\x91\x01\0\0"
#define DONE "\0\x03\xb1\x70\xa0\0\0"

static void nobody_is_let_in(void **state) {
  (void)state;
  const struct ew_span cases[] = {EW_SPAN(""),
                                  EW_SPAN("HTTP/1.1 400 Bad Request\r\n\r\n"),
                                  EW_SPAN("\0\0\0\0"),
                                  EW_SPAN("\0\0\x09\x05"),
                                  EW_SPAN("\0\0\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"),
                                  EW_SPAN("\0\0\x01\xff\x01\0\0\0\x03\0"),
                                  EW_SPAN("\0\0\x04\x04\0\x03\xb1\x7f\xa0\0\0"),
                                  EW_SPAN("\0\0\x04\x04\0\x03\xb1\x71\x90\0\0"),
                                  EW_SPAN("\0\0\x04\x04\xff\xff")};
  for (size_t i = 0; i < EW_COUNT(cases); i++) {
    struct opened opened;
    struct fake fake = start_fake(cases[i], CLOSES);
    open_at(&opened, fake.port);
    if (!opened.status) fail_msg("case %zu is let in", i);
    assert_true(strlen(opened.error.text) > 10);
    close_it(&opened);
    end_fake(fake);
  }
}

/* The outcome of one statement of 300 ms at a server that sends so, and how long that took. */
static enum ew_outcome_kind ask_fake(struct ew_span bytes, enum ending ending, int64_t *taken) {
  struct opened opened;
  struct fake fake = start_fake(bytes, ending);
  open_at(&opened, fake.port);
  if (opened.status) fail_msg("%s", opened.error.text);
  struct ew_statement statement = {.text = EW_SPAN("RETURN 1 AS x")};
  struct ew_statement_outcome outcome = {0};
  int64_t begun = ew_now();
  ew_adapter_bolt.run(opened.instance, &statement, NULL, 0, ew_deadline_in(300 * EW_MILLISECOND), &opened.arena,
                      &outcome);
  *taken = ew_now() - begun;
  assert_true(ew_arena_held(&opened.arena) < 256 << 20);
  close_it(&opened);
  end_fake(fake);
  return outcome.kind;
}

static void servers_that_misbehave(void **state) {
  (void)state;
  const struct {
    struct ew_span bytes;
    enum ending ending;
    enum ew_outcome_kind kind;
  } cases[] = {
      {EW_SPAN(LETS_IN_44 COLUMN ROW DONE), CLOSES, EW_OUTCOME_ROWS},
      {EW_SPAN(LETS_IN_44 "\0\0\0\0" COLUMN "\0\0" ROW DONE), CLOSES, EW_OUTCOME_ROWS},
      {EW_SPAN(LETS_IN_44 "\0\x02\xb1\x70\0\x0b\xa1\x86"
                          "fields\x91\x81x\0\0" ROW DONE),
       CLOSES, EW_OUTCOME_ROWS},
      {EW_SPAN(LETS_IN_44), CLOSES, EW_OUTCOME_LOST},
      {EW_SPAN(LETS_IN_44), STALLS, EW_OUTCOME_HANG},
      {EW_SPAN(LETS_IN_44 COLUMN ROW), STALLS, EW_OUTCOME_HANG},
      {EW_SPAN(LETS_IN_44 COLUMN ROW "\0\x05\xb1"), STALLS, EW_OUTCOME_HANG},
      {EW_SPAN(LETS_IN_44 COLUMN ROW "\0\x05\xb1"), CLOSES, EW_OUTCOME_LOST},
      {EW_SPAN(LETS_IN_44 DONE DONE), CLOSES, EW_OUTCOME_CORRUPT},
      {EW_SPAN(LETS_IN_44 ROW), CLOSES, EW_OUTCOME_CORRUPT},
      {EW_SPAN(LETS_IN_44 COLUMN "\0\x05\xb1\x71\x92\x01\x02\0\0" DONE), CLOSES, EW_OUTCOME_CORRUPT},
      {EW_SPAN(LETS_IN_44 COLUMN "\0\x08\xb1\x71\xd6\xff\xff\xff\xff\x01\0\0"), CLOSES, EW_OUTCOME_CORRUPT},
      {EW_SPAN(LETS_IN_44 COLUMN "\0\x03\xb1\x55\xa0\0\0"), CLOSES, EW_OUTCOME_CORRUPT},
      {EW_SPAN(LETS_IN_44 "\0\x08garbage!\0\0"), CLOSES, EW_OUTCOME_CORRUPT},
  };
  for (size_t i = 0; i < EW_COUNT(cases); i++) {
    int64_t taken;
    enum ew_outcome_kind kind = ask_fake(cases[i].bytes, cases[i].ending, &taken);
    if (kind != cases[i].kind) fail_msg("case %zu: %s", i, ew_outcome_kind_text(kind));
    if (taken > 3 * EW_SECOND) fail_msg("case %zu took %lld ms", i, (long long)(taken / EW_MILLISECOND));
  }
}

/* One string without an end, and rows without an end: bounded by bytes, or by the deadline. */
static void answers_without_end(void **state) {
  (void)state;
  struct ew_text bytes = {0};
  int64_t taken;
  ew_text_add(&bytes, EW_SPAN(LETS_IN_44 COLUMN "\0\x07\xb1\x71\x91\xd2\xff\xff\xff"));
  for (int i = 0; i < 1000; i++) {
    ew_text_add(&bytes, EW_SPAN("\xff\xff"));
    for (int k = 0; k < 65535; k++) ew_text_add_char(&bytes, 'x');
  }
  assert_int_equal(ask_fake(ew_text_span(&bytes), STALLS, &taken), EW_OUTCOME_TOO_LARGE);
  ew_text_reset(&bytes);
  ew_text_add(&bytes, EW_SPAN(LETS_IN_44 COLUMN));
  for (int i = 0; i < 2000000; i++) ew_text_add(&bytes, EW_SPAN(ROW));
  enum ew_outcome_kind kind = ask_fake(ew_text_span(&bytes), STALLS, &taken);
  assert_true(kind == EW_OUTCOME_TOO_LARGE || kind == EW_OUTCOME_HANG);
  assert_true(taken < 5 * EW_SECOND);
  ew_text_release(&bytes);
}

/* What may not be an address is said before anybody is called. */
static void wrong_addresses(void **state) {
  (void)state;
  static const char *const urls[] = {"http://127.0.0.1", "bolt+x://127.0.0.1", "bolt://me:secret@127.0.0.1"};
  for (size_t i = 0; i < EW_COUNT(urls); i++) {
    struct ew_option option = {EW_SPAN("url"), ew_span_of(urls[i])};
    struct ew_settings settings = {&option, 1};
    struct ew_error error;
    void *instance = NULL;
    assert_int_equal(ew_adapter_bolt.open(&settings, &instance, &error), EW_USAGE);
    ew_adapter_bolt.close(instance);
  }
}

static int print_session(int port) {
  struct opened opened;
  struct ew_text text = {0};
  open_at(&opened, port);
  if (!opened.status) run_session(&opened, &text);
  fputs(opened.status ? opened.error.text : text.bytes, opened.status ? stderr : stdout);
  int code = opened.status ? 1 : 0;
  close_it(&opened);
  ew_text_release(&text);
  return code;
}

int main(int count, char **strings) {
  if (count == 3 && strcmp(strings[1], "--session") == 0) return print_session((int)strtol(strings[2], NULL, 10));
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(recorded_servers),       cmocka_unit_test(nobody_is_let_in),
      cmocka_unit_test(servers_that_misbehave), cmocka_unit_test(answers_without_end),
      cmocka_unit_test(wrong_addresses),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
