/* repro.c: a finding as a script for the engine's own shell, so that nobody needs edgewise to see it. One small
   function a shell; a new shell is a function and a line in the table. */
#include "report/cause.h"
#include "report/page.h"
#include "report/report.h"

/* One line of comment, whatever is in the text. */
static void comment(struct ew_text *text, const char *mark, const char *format, ...) EW_FORMAT(3, 4);
static void comment(struct ew_text *text, const char *mark, const char *format, ...) {
  char line[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  ew_text_add_string(text, mark);
  ew_page_add_clean(text, ew_span_of(line), false);
  ew_text_add_char(text, '\n');
}

static void head(struct ew_text *text, const char *mark, const struct ew_finding *finding,
                 const struct ew_profile *profile) {
  comment(text, mark, "%.*s", EW_SPAN_ARGS(finding->title));
  comment(text, mark, "%.*s %.*s%s%.*s, found by edgewise (%s, %s)", EW_SPAN_ARGS(finding->engine),
          EW_SPAN_ARGS(finding->version), profile && profile->package.length ? ", package " : "",
          EW_SPAN_ARGS(profile ? profile->package : EW_SPAN("")), finding->id.text,
          ew_finding_state_text(finding->state));
  comment(text, mark, "Claim: %s.", ew_relation_words(finding->claim.relation));
  comment(text, mark, "To run it: %s", ew_shell_of(profile)->run);
  const struct ew_statement_outcome *culprit = ew_finding_culprit(finding);
  if (culprit && ew_crash_damages_heap(culprit))
    comment(text, mark,
            "The heap is damaged. Whether a process dies of that depends on its layout; valgrind shows it each time.");
}

/* Calls `add` for all statements in the order in which they ran; what begins is announced by a comment. `fresh` starts
   a new instance where a run wants one. */
struct script {
  struct ew_text *text;
  const char *mark;
  void (*add)(struct ew_text *text, const struct ew_statement *statement);
  void (*fresh)(struct ew_text *text, const struct ew_profile *profile);
  const struct ew_profile *profile;
};

static void add_program(struct script *script, const struct ew_program *program) {
  for (size_t i = 0; i < program->count; i++) script->add(script->text, &program->statements[i]);
}

static void add_finding(struct script *script, const struct ew_finding *finding) {
  for (size_t i = 0; i < finding->history_count; i++) {
    comment(script->text, script->mark, "What ran before on the same instance, %zu of %zu", i + 1,
            finding->history_count);
    add_program(script, &finding->history[i]);
  }
  if (finding->load.count) {
    comment(script->text, script->mark, "Data");
    add_program(script, &finding->load);
  }
  for (size_t i = 0; i < finding->run_count; i++) {
    if (i && finding->runs[i].state == EW_STATE_FRESH) {
      comment(script->text, script->mark, "The same data on a new instance");
      script->fresh(script->text, script->profile);
      add_program(script, &finding->load);
    }
    comment(script->text, script->mark, "Run %zu", i + 1);
    add_program(script, &finding->runs[i].program);
  }
}

/* ---- sqlite: an extension with a function cypher(text, parameters) ---- */

/* The shell ends a line at NUL and drops CR before its end, so such text goes as bytes. */
static void add_sql_string(struct ew_text *text, struct ew_span string) {
  if (string.length && (memchr(string.bytes, '\0', string.length) || memchr(string.bytes, '\r', string.length))) {
    ew_text_add_string(text, "CAST(x'");
    for (size_t i = 0; i < string.length; i++) ew_text_add_format(text, "%02x", (unsigned char)string.bytes[i]);
    ew_text_add_string(text, "' AS TEXT)");
    return;
  }
  ew_text_add_char(text, '\'');
  for (size_t i = 0; i < string.length; i++) {
    if (string.bytes[i] == '\'') ew_text_add_char(text, '\'');
    ew_text_add_char(text, string.bytes[i]);
  }
  ew_text_add_char(text, '\'');
}

static void add_sqlite(struct ew_text *text, const struct ew_statement *statement) {
  ew_text_add_string(text, "SELECT cypher(");
  add_sql_string(text, statement->text);
  if (statement->parameter_count) {
    struct ew_text json = {0};
    struct ew_json_writer writer;
    ew_json_writer_init(&writer, &json, 0);
    ew_json_begin_object(&writer);
    for (size_t i = 0; i < statement->parameter_count; i++) {
      ew_json_key_span(&writer, statement->parameters[i].name);
      ew_value_write_json(&writer, statement->parameters[i].value);
    }
    ew_json_end_object(&writer);
    ew_text_add_string(text, ", ");
    add_sql_string(text, ew_text_span(&json));
    ew_text_release(&json);
  }
  ew_text_add_string(text, ");\n");
}

/* The name of the library without what the shell adds itself. */
static struct ew_span extension_name(const struct ew_profile *profile) {
  struct ew_span library = profile ? profile->library : EW_SPAN("");
  const char *dot = library.length ? memchr(library.bytes, '.', library.length) : NULL;
  if (dot) library.length = (size_t)(dot - library.bytes);
  return library.length ? library : EW_SPAN("graphqlite");
}

static void fresh_sqlite(struct ew_text *text, const struct ew_profile *profile) {
  ew_text_add_format(text, ".open :memory:\n.load %.*s\n", EW_SPAN_ARGS(extension_name(profile)));
}

static void write_sqlite(struct ew_text *text, const struct ew_finding *finding, const struct ew_profile *profile) {
  struct script script = {text, "-- ", add_sqlite, fresh_sqlite, profile};
  head(text, script.mark, finding, profile);
  comment(text, script.mark,
          "FOLDER is where the engine's library is: %.*s of the package. Or give .load the path below.",
          EW_SPAN_ARGS(profile && profile->library.length ? profile->library : EW_SPAN("graphqlite.so")));
  ew_text_add_format(text, ".bail off\n.load %.*s\n", EW_SPAN_ARGS(extension_name(profile)));
  add_finding(&script, finding);
}

/* ---- z3: SMT-LIB with the commands of its fixedpoint engine ---- */

/* `(query P)` alone says only whether P is empty. */
static void add_z3(struct ew_text *text, const struct ew_statement *statement) {
  struct ew_span rest = statement->text;
  while (rest.length) {
    const char *end = memchr(rest.bytes, '\n', rest.length);
    struct ew_span line = {rest.bytes, end ? (size_t)(end - rest.bytes) : rest.length};
    size_t skipped = end ? line.length + 1 : line.length;
    rest = (struct ew_span){rest.bytes + skipped, rest.length - skipped};
    bool query = ew_span_starts(line, EW_SPAN("(query ")) && line.bytes[line.length - 1] == ')';
    ew_text_add_bytes(text, line.bytes, query ? line.length - 1 : line.length);
    ew_text_add_string(text, query ? " :print-answer true)\n" : "\n");
  }
}

static void fresh_z3(struct ew_text *text, const struct ew_profile *profile) {
  (void)profile;
  ew_text_add_string(text, "(reset)\n");
}

/* Each program stands alone: it declares its own relations. */
static void write_z3(struct ew_text *text, const struct ew_finding *finding, const struct ew_profile *profile) {
  struct script script = {text, "; ", add_z3, fresh_z3, profile};
  head(text, script.mark, finding, profile);
  for (size_t i = 0; i < finding->history_count; i++) {
    comment(text, script.mark, "What ran before, %zu of %zu", i + 1, finding->history_count);
    add_program(&script, &finding->history[i]);
    fresh_z3(text, profile);
  }
  for (size_t i = 0; i < finding->run_count; i++) {
    if (i) fresh_z3(text, profile);
    comment(text, script.mark, "Run %zu", i + 1);
    add_program(&script, &finding->load);
    add_program(&script, &finding->runs[i].program);
  }
}

/* ---- cypher: what cypher-shell and most others read ---- */

static void add_cypher(struct ew_text *text, const struct ew_statement *statement) {
  for (size_t i = 0; i < statement->parameter_count; i++) {
    ew_text_add_format(text, ":param %.*s => ", EW_SPAN_ARGS(statement->parameters[i].name));
    ew_value_print(text, statement->parameters[i].value);
    ew_text_add_string(text, ";\n");
  }
  ew_text_add(text, statement->text);
  ew_text_add_string(text, ";\n");
}

static void fresh_cypher(struct ew_text *text, const struct ew_profile *profile) {
  (void)profile;
  ew_text_add_string(text, "MATCH (n) DETACH DELETE n;\n");
}

static void write_cypher(struct ew_text *text, const struct ew_finding *finding, const struct ew_profile *profile) {
  struct script script = {text, "// ", add_cypher, fresh_cypher, profile};
  head(text, script.mark, finding, profile);
  add_finding(&script, finding);
}

/* ---- redis-cli: a command a line, its text in double quotes ---- */

static void add_redis(struct ew_text *text, const struct ew_statement *statement) {
  struct ew_text query = {0};
  if (statement->parameter_count) ew_text_add_string(&query, "CYPHER ");
  for (size_t i = 0; i < statement->parameter_count; i++) {
    ew_text_add_format(&query, "%.*s=", EW_SPAN_ARGS(statement->parameters[i].name));
    ew_value_print(&query, statement->parameters[i].value);
    ew_text_add_char(&query, ' ');
  }
  ew_text_add(&query, statement->text);
  ew_text_add_string(text, "GRAPH.QUERY g \"");
  for (size_t i = 0; i < query.length; i++) {
    unsigned char byte = (unsigned char)query.bytes[i];
    if (byte == '"' || byte == '\\')
      ew_text_add_format(text, "\\%c", byte);
    else if (byte < ' ' || byte == 127)
      ew_text_add_format(text, "\\x%02x", byte);
    else
      ew_text_add_char(text, (char)byte);
  }
  ew_text_add_string(text, "\"\n");
  ew_text_release(&query);
}

static void fresh_redis(struct ew_text *text, const struct ew_profile *profile) {
  (void)profile;
  ew_text_add_string(text, "GRAPH.DELETE g\n");
}

static void write_redis(struct ew_text *text, const struct ew_finding *finding, const struct ew_profile *profile) {
  struct script script = {text, "# ", add_redis, fresh_redis, profile};
  head(text, script.mark, finding, profile);
  add_finding(&script, finding);
}

/* ---- no shell known: the statements as they were sent ---- */

static void add_plain(struct ew_text *text, const struct ew_statement *statement) {
  ew_text_add(text, statement->text);
  if (!statement->text.length || statement->text.bytes[statement->text.length - 1] != '\n')
    ew_text_add_char(text, '\n');
}

static void fresh_plain(struct ew_text *text, const struct ew_profile *profile) {
  (void)text;
  (void)profile;
}

static void write_plain(struct ew_text *text, const struct ew_finding *finding, const struct ew_profile *profile) {
  struct script script = {text, "# ", add_plain, fresh_plain, profile};
  head(text, script.mark, finding, profile);
  add_finding(&script, finding);
}

/* The last is for shells that are not known. */
static const struct ew_shell shells[] = {
    {"sqlite", "sql", "LD_LIBRARY_PATH=FOLDER sqlite3 :memory: < repro.sql",
     "pip download --no-deps {package}=={version}, and unzip {library} from the wheel",
     "LD_LIBRARY_PATH=FOLDER sqlite3 :memory:, where FOLDER has {library}; then .load graphqlite and SELECT "
     "cypher('…');",
     ";", write_sqlite},
    {"z3", "smt2", "z3 repro.smt2", "pip install {package}=={version}", "z3 FILE", "", write_z3},
    {"cypher", "cypher", "cypher-shell < repro.cypher", "", "cypher-shell", ";", write_cypher},
    {"redis", "redis", "grep -v '^#' repro.redis | redis-cli",
     "a redis-server that loads FalkorDB {version}: edgewise engines install falkordb@{version}, or its own image",
     "redis-cli; then GRAPH.QUERY g \"…\"", "", write_redis},
    {"", "txt", "one statement after the other", "", "", "", write_plain},
};

const struct ew_shell *ew_shell_of(const struct ew_profile *profile) {
  for (size_t i = 0; profile && i < EW_COUNT(shells); i++)
    if (ew_span_is(profile->shell, shells[i].name)) return &shells[i];
  return &shells[EW_COUNT(shells) - 1];
}

struct ew_span ew_report_repro(struct ew_text *text, const struct ew_finding *finding,
                               const struct ew_profile *profile) {
  const struct ew_shell *shell = ew_shell_of(profile);
  shell->write(text, finding, profile);
  return ew_span_of(shell->extension);
}
