/* parser.h: Cypher text into trees: openCypher 9 and what Neo4j, FalkorDB, Memgraph and AGE add to it.

   What is read:   old and new spellings alike; parentheses leave no trace; LET, FILTER, INSERT, extract() and the like
                   become the clause or expression that means the same.
   What is kept:   the tree lives in the builder's arena and needs the text no longer: names point into a copy of it
                   there. Names are as written, without backticks; names of types come in capitals.
   What is judged: syntax only. A variable that nobody bound, or a path that cannot be created, is for the checker. */
#ifndef EW_LANG_CYPHER_PARSER_H
#define EW_LANG_CYPHER_PARSER_H

#include "base/text.h"
#include "lang/cypher/node.h"

enum {
  EW_CYPHER_NESTING_MAX = 200, /* brackets within brackets, and the like */
  EW_CYPHER_CHAIN_MAX = 1000,  /* operators in a row, such as a OR b OR c: each makes the tree one node deeper */
  EW_CYPHER_EXCERPT_MAX = 80,  /* characters of the line that an error shows */
};

struct ew_cypher_syntax_error {
  size_t offset;       /* in bytes, from 0 */
  size_t line, column; /* from 1; a column is a character */
  const char *detail;  /* the TCK's word: "UnexpectedSyntax", "IntegerOverflow" …; "LimitExceeded" with EW_LIMIT */
  char message[400];   /* what was found and what was expected */
  char excerpt[4 * EW_CYPHER_EXCERPT_MAX + 1]; /* the part of the line where it is, fit for a terminal */
  size_t caret;                                /* characters before the place in it */
};

/* One statement, with or without a `;` behind it. EW_BAD where it is none, EW_LIMIT where it nests too deeply or is too
   long; then `error`, which may be NULL, says where and why, and the builder is as before. */
enum ew_status ew_cypher_parse(struct ew_builder *builder, struct ew_span text, const struct ew_node **statement,
                               struct ew_cypher_syntax_error *error) EW_CHECKED;

/* One expression. */
enum ew_status ew_cypher_parse_expression(struct ew_builder *builder, struct ew_span text,
                                          const struct ew_node **expression,
                                          struct ew_cypher_syntax_error *error) EW_CHECKED;

struct ew_cypher_source {
  const struct ew_node *statement;
  size_t offset, length; /* in bytes, without the `;` */
  size_t line;           /* from 1 */
  /* How engines that go by the text call the columns of its last RETURN: alias, else the expression as it was written, which
     the tree does not keep. None where there is no RETURN, or one with `*`. */
  struct ew_names columns;
};

struct ew_cypher_script {
  const struct ew_cypher_source *items;
  size_t count;
};

/* Statements with `;` between them; empty ones are left out. The script lives in the builder's arena. */
enum ew_status ew_cypher_parse_script(struct ew_builder *builder, struct ew_span text, struct ew_cypher_script *script,
                                      struct ew_cypher_syntax_error *error) EW_CHECKED;

/* Three lines, each with a line feed: what is wrong and where, the excerpt, the caret. */
void ew_cypher_syntax_error_print(struct ew_text *text, const struct ew_cypher_syntax_error *error);

#endif
