/* script.h: Cypher statements from a file or from standard input. */
#ifndef EW_CLI_SCRIPT_H
#define EW_CLI_SCRIPT_H

#include "lang/cypher/parser.h"

struct ew_script {
  struct ew_cypher_script statements;
  bool by_line; /* one a line, as `generate` writes them; else `;` stands between them */
  const struct ew_script_setting *settings;
  size_t setting_count;
};

/* `:param name => expression`, up to a `;` or the end of the line: reads as the statement RETURN expression. */
struct ew_script_setting {
  struct ew_span name;
  size_t offset; /* of its statement */
};

/* The name of the parameter that a statement sets; empty where it is none of these. */
struct ew_span ew_script_parameter(const struct ew_script *script, size_t statement);

/* The script lives in `arena`. `path` NULL is standard input. Where it cannot be read, says on standard error why, with line and
   column, and returns the status. */
enum ew_status ew_script_read(struct ew_arena *arena, const char *path, struct ew_script *script) EW_CHECKED;

#endif
