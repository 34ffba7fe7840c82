/* test_resp.c: replies of the Redis protocol: hostile ones, and what FalkorDB answered in a fixed session (tests/wire).

   `test_resp --session PORT` runs the session on a real server, whose password is in EDGEWISE_PASSWORD, and prints what comes of it;
   played back, the replies come from a file instead. */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/file.h"
#include "engine/resp_reply.h"
#include "engine/server_output.h"
#include "engine/url.h"

#define WIRE "tests/wire"

static const char *const session[] = {
    "RETURN 1 AS a, -9223372036854775808 AS b, 1.5 AS c, 1e300 AS d, 'it\\'s' AS e, true AS f, false AS g, null AS h",
    "CREATE (:A:B {p: 1, q: 'x', r: [1, 'a', 2.5]})-[:R {w: 0.5}]->(:C {p: null})-[:S]->(:A {t: true})",
    "MATCH (n) RETURN n",
    "MATCH (a)-[r]->(b) RETURN r, a.p AS p",
    "MATCH x = (:A)-[*]->(:A) RETURN x",
    "RETURN {a: 1, b: {c: [1, null]}, d: 'e'} AS m, [] AS l, {} AS k",
    "RETURN point({latitude: 32.1, longitude: 34.8}) AS p, vecf32([0.5, 1.5]) AS v",
    "RETURN date('2020-02-29') AS d, localtime('12:30:15') AS t, localdatetime('2020-02-29T12:30:15') AS l",
    "RETURN duration('P1Y2M3DT4H5M6S') AS d, duration('PT90M') AS e",
    "MATCH (n:Nobody) RETURN n",
    "MATCH (n) SET n.z = 7, n:D RETURN count(n) AS c",
    "UNWIND [0, 'a'] AS x RETURN 1 / x AS y",
    "RETURN nosuch(1) AS x",
    "THIS IS NO CYPHER",
    "CYPHER a=1 b='x' RETURN $a AS a, $b AS b",
    "MATCH (n) DETACH DELETE n",
};

/* ---- the session ---- */

struct player {
  struct ew_stream stream;
  struct ew_arena arena;
  struct ew_resp_names names;
  bool live;
};

static const struct ew_resp *ask(struct player *player, struct ew_span first, struct ew_span second) {
  struct ew_span words[] = {first, EW_SPAN("wire-test"), second, EW_SPAN("--compact")};
  ew_stream_allow(&player->stream, ew_deadline_in(5 * EW_SECOND), 1 << 20);
  if (player->live && ew_span_is(first, "AUTH"))
    ew_resp_write(&player->stream.out, (struct ew_span[]){first, second}, 2);
  else if (player->live)
    ew_resp_write(&player->stream.out, words, EW_COUNT(words));
  if (player->live && !ew_stream_flush(&player->stream)) return NULL;
  return ew_resp_read(&player->stream, &player->arena);
}

static void fetch_names(struct player *player) {
  struct ew_names *places[] = {&player->names.labels, &player->names.types, &player->names.keys};
  static const char *const procedures[] = {"CALL db.labels()", "CALL db.relationshipTypes()", "CALL db.propertyKeys()"};
  for (size_t i = 0; i < EW_COUNT(places); i++) {
    const struct ew_resp *reply = ask(player, EW_SPAN("GRAPH.QUERY"), ew_span_of(procedures[i]));
    assert_non_null(reply);
    assert_true(ew_resp_read_names(reply, &player->arena, places[i]));
  }
}

static void play(struct player *player, struct ew_text *text) {
  const char *password = getenv("EDGEWISE_PASSWORD");
  const struct ew_resp *reply = ask(player, EW_SPAN("AUTH"), ew_span_of(password ? password : ""));
  assert_non_null(reply);
  for (size_t i = 0; i < EW_COUNT(session); i++) {
    struct ew_statement_outcome outcome;
    struct ew_json_writer writer;
    reply = ask(player, EW_SPAN("GRAPH.QUERY"), ew_span_of(session[i]));
    assert_non_null(reply);
    enum ew_resp_answer answer = ew_resp_read_answer(reply, &player->names, &player->arena, &outcome);
    if (answer == EW_RESP_UNKNOWN_NAMES) {
      fetch_names(player);
      answer = ew_resp_read_answer(reply, &player->names, &player->arena, &outcome);
    }
    assert_int_equal(answer, EW_RESP_ANSWERED);
    ew_text_add_format(text, "%s\n", session[i]);
    ew_json_writer_init(&writer, text, 0);
    ew_outcome_write_json(&writer, &(struct ew_outcome){&outcome, 1});
    ew_text_add_string(text, "\n\n");
  }
}

static int run_session(const char *port) {
  struct player player = {.live = true};
  struct ew_text text = {0};
  ew_arena_init(&player.arena);
  if (!ew_stream_connect(&player.stream, &(struct ew_address){"127.0.0.1", port}, ew_deadline_in(5 * EW_SECOND)))
    return 1;
  play(&player, &text);
  fputs(text.bytes, stdout);
  ew_text_release(&text);
  ew_stream_release(&player.stream);
  ew_arena_release(&player.arena);
  return 0;
}

static void test_recorded(void **state) {
  size_t count = 0;
  DIR *listing = opendir(WIRE);
  (void)state;
  assert_non_null(listing);
  for (struct dirent *entry; (entry = readdir(listing));) {
    size_t length = strlen(entry->d_name);
    if (strncmp(entry->d_name, "resp-", 5) != 0 || length < 6 || strcmp(entry->d_name + length - 6, ".bytes") != 0)
      continue;
    struct player player = {.stream.socket = -1};
    struct ew_text path = {0}, expected = {0}, text = {0};
    ew_arena_init(&player.arena);
    ew_text_add_format(&path, WIRE "/%s", entry->d_name);
    assert_int_equal(ew_file_read(path.bytes, 1 << 20, &player.stream.in, NULL), EW_OK);
    ew_text_cut(&path, path.length - 6);
    ew_text_add_string(&path, ".txt");
    assert_int_equal(ew_file_read(path.bytes, 1 << 20, &expected, NULL), EW_OK);
    play(&player, &text);
    assert_string_equal(text.bytes, expected.bytes);
    ew_text_release(&path);
    ew_text_release(&expected);
    ew_text_release(&text);
    ew_stream_release(&player.stream);
    ew_arena_release(&player.arena);
    count++;
  }
  closedir(listing);
  assert_true(count >= 2);
}

/* ---- hostile replies ---- */

static enum ew_stream_failure read_all(const char *bytes, size_t length, size_t budget) {
  struct ew_stream stream = {.socket = -1};
  struct ew_arena arena;
  ew_arena_init(&arena);
  ew_text_add_bytes(&stream.in, bytes, length);
  ew_stream_allow(&stream, ew_deadline_in(EW_SECOND), budget);
  const struct ew_resp *reply = ew_resp_read(&stream, &arena);
  enum ew_stream_failure failure = stream.failure;
  assert_true(!reply == (failure != EW_STREAM_FINE));
  assert_true(ew_arena_held(&arena) < (4 << 20));
  ew_stream_release(&stream);
  ew_arena_release(&arena);
  return failure;
}

#define READ(literal) read_all(literal, sizeof(literal) - 1, 1 << 20)

static void test_hostile(void **state) {
  (void)state;
  assert_int_equal(READ("*2\r\n:1\r\n$1\r\nx\r\n"), EW_STREAM_FINE);
  assert_int_equal(READ("garbage"), EW_STREAM_CLOSED);
  assert_int_equal(READ("garbage\r\n"), EW_STREAM_BROKEN);
  assert_int_equal(READ("\r\n"), EW_STREAM_BROKEN);
  assert_int_equal(READ(":12x\r\n"), EW_STREAM_BROKEN);
  assert_int_equal(READ(":9223372036854775808\r\n"), EW_STREAM_BROKEN);
  assert_int_equal(READ(":-9223372036854775808\r\n"), EW_STREAM_FINE);
  assert_int_equal(READ("$-2\r\n"), EW_STREAM_BROKEN);
  assert_int_equal(READ("$3\r\nabcde"), EW_STREAM_BROKEN);
  /* Lengths that are not true cost no memory. */
  assert_int_equal(READ("$9223372036854775807\r\nabc"), EW_STREAM_FULL);
  assert_int_equal(READ("$1000000\r\nabc"), EW_STREAM_CLOSED);
  assert_int_equal(READ("*9223372036854775807\r\n:1\r\n"), EW_STREAM_CLOSED);
}

static void test_depth(void **state) {
  struct ew_text text = {0};
  (void)state;
  for (size_t i = 0; i < 100000; i++) ew_text_add_string(&text, "*1\r\n");
  assert_int_equal(read_all(text.bytes, text.length, 1 << 20), EW_STREAM_BROKEN);
  ew_text_reset(&text);
  for (size_t i = 0; i < 2 << 20; i++) ew_text_add_char(&text, 'x');
  assert_int_equal(read_all(text.bytes, text.length, SIZE_MAX), EW_STREAM_BROKEN); /* a line that does not end */
  ew_text_release(&text);
}

static enum ew_resp_answer answer_to(const char *bytes, struct ew_statement_outcome *outcome, struct ew_arena *arena) {
  struct ew_stream stream = {.socket = -1};
  const struct ew_resp_names none = {0};
  ew_text_add_string(&stream.in, bytes);
  ew_stream_allow(&stream, ew_deadline_in(EW_SECOND), 1 << 20);
  const struct ew_resp *reply = ew_resp_read(&stream, arena);
  assert_non_null(reply);
  enum ew_resp_answer answer = ew_resp_read_answer(reply, &none, arena, outcome);
  ew_stream_release(&stream);
  return answer;
}

static void test_answers(void **state) {
  struct ew_statement_outcome outcome;
  struct ew_arena arena;
  (void)state;
  ew_arena_init(&arena);
  /* an error in the middle of rows */
  assert_int_equal(answer_to("*3\r\n*0\r\n*0\r\n-ERR Division by zero\r\n", &outcome, &arena), EW_RESP_ANSWERED);
  assert_int_equal(outcome.kind, EW_OUTCOME_ERROR);
  assert_true(ew_span_is(outcome.text, "Division by zero"));
  static const char *const senseless[] = {
      ":1\r\n",
      "*2\r\n*0\r\n*0\r\n",
      "*3\r\n*1\r\n:1\r\n*0\r\n*0\r\n",
      "*3\r\n*0\r\n*1\r\n*1\r\n:1\r\n*0\r\n",
      "*3\r\n*1\r\n*2\r\n:1\r\n$1\r\nx\r\n*1\r\n*1\r\n*2\r\n:99\r\n:1\r\n*0\r\n",
      "*3\r\n*1\r\n*2\r\n:1\r\n$1\r\nx\r\n*1\r\n*1\r\n*2\r\n:4\r\n$5\r\nmaybe\r\n*0\r\n",
      "*3\r\n*1\r\n*2\r\n:1\r\n$1\r\nx\r\n*1\r\n*1\r\n*2\r\n:8\r\n*0\r\n*0\r\n",
  };
  for (size_t i = 0; i < EW_COUNT(senseless); i++) {
    assert_int_equal(answer_to(senseless[i], &outcome, &arena), EW_RESP_NO_ANSWER);
    assert_int_equal(outcome.kind, EW_OUTCOME_CORRUPT);
    assert_true(outcome.text.length > 0);
  }
  /* a node with label 0, which has no name yet */
  assert_int_equal(
      answer_to("*3\r\n*1\r\n*2\r\n:1\r\n$1\r\nx\r\n*1\r\n*1\r\n*2\r\n:8\r\n*3\r\n:0\r\n*1\r\n:0\r\n*0\r\n*0\r\n",
                &outcome, &arena),
      EW_RESP_UNKNOWN_NAMES);
  ew_arena_release(&arena);
}

/* ---- addresses, traces ---- */

static void test_url(void **state) {
  struct ew_arena arena;
  struct ew_url url;
  (void)state;
  ew_arena_init(&arena);
  assert_int_equal(ew_url_read(EW_SPAN("redis://me@[::1]:7000/db"), &arena, &url, NULL), EW_OK);
  assert_string_equal(url.user, "me");
  assert_string_equal(url.address.host, "::1");
  assert_string_equal(url.address.port, "7000");
  assert_string_equal(url.database, "db");
  assert_int_equal(ew_url_read(EW_SPAN("bolt://localhost"), &arena, &url, NULL), EW_OK);
  assert_string_equal(url.address.port, "");
  static const char *const wrong[] = {"localhost",       "redis://",    "redis://:7000",      "redis://h:0",
                                      "redis://h:70000", "redis://h:x", "redis://me:secret@h"};
  for (size_t i = 0; i < EW_COUNT(wrong); i++)
    assert_int_equal(ew_url_read(ew_span_of(wrong[i]), &arena, &url, NULL), EW_USAGE);
  ew_arena_release(&arena);
}

static void test_frames(void **state) {
  static const char output[] =
      "1:M noise\n=== REPORT ===\n------ STACK TRACE ------\nEIP:\n/home/x/engine.so(Top+0x4)[0x7f]\n\n"
      "30 server\n/lib/libc.so.6(epoll_wait+0x56)[0x7f]\n/x/server 127.0.0.1:7(aeMain+0xbf)[0x5f]\n\n"
      "31 pool *\n/lib/libc.so.6(+0x3c050)[0x7f]\n/x/engine.so(Top+0x4)[0x7f]\n"
      "/x/engine.so(Middle+0x37)[0x7f]\n/x/engine.so(+0x99)[0x7f]\n";
  static const char java[] = "oops\n\tat org.engine.Plan.run(Plan.java:12)\n\tat org.engine.Main.main(Main.java:1)\n";
  struct ew_arena arena;
  (void)state;
  ew_arena_init(&arena);
  struct ew_names frames = ew_server_frames(ew_span_of(output), &arena);
  assert_int_equal(frames.count, 3);
  assert_true(ew_span_is(frames.items[0], "Top"));
  assert_true(ew_span_is(frames.items[1], "Middle"));
  assert_true(ew_span_is(frames.items[2], "engine.so+0x99"));
  frames = ew_server_frames(ew_span_of(java), &arena);
  assert_int_equal(frames.count, 2);
  assert_true(ew_span_is(frames.items[0], "org.engine.Plan.run"));
  assert_int_equal(ew_server_frames(EW_SPAN("nothing (at all) to see"), &arena).count, 0);
  assert_true(ew_span_starts(ew_server_find_line(ew_span_of(output), EW_SPAN("*REPORT*")), EW_SPAN("=== REPORT")));
  assert_int_equal(ew_server_find_line(ew_span_of(output), EW_SPAN("*absent*")).length, 0);
  ew_arena_release(&arena);
}

int main(int count, char **strings) {
  if (count == 3 && strcmp(strings[1], "--session") == 0) return run_session(strings[2]);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_recorded), cmocka_unit_test(test_hostile), cmocka_unit_test(test_depth),
      cmocka_unit_test(test_answers),  cmocka_unit_test(test_url),     cmocka_unit_test(test_frames),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
